//! The values that compiled rules work on: 16 bytes each, cheap to copy, free to cross threads.
//!
//! Texts, lists and maps are shared and copied when one who shares them changes them. Equality,
//! order and text are those of the language.

mod list;
mod map;
mod size;
mod text;

use std::hash::{Hash, Hasher};
use std::mem::ManuallyDrop;
use std::sync::Arc;

use crate::game::Distribution;
use crate::script::setup::Reader;

pub(crate) use self::list::List;
pub(crate) use self::map::{KeyPlace, Map};
pub(super) use self::size::fits;
pub(crate) use self::size::{ENTRY, ITEM, NESTED, ONE, Size};
pub(crate) use self::text::{Text, beginning};

#[derive(Debug, Default)]
pub(crate) enum Value {
    /// Kept ones come before those that hold nothing, and behind these what must be let go of: few instructions
    /// tell them apart.
    Text(Text),
    #[default]
    Unit,
    Bool(bool),
    Int(i64),
    /// From here on values have a size.
    Float(f64),
    Char(char),
    /// What `this` is in a function that was not called on anything.
    Unbound,
    List(Arc<List>),
    Map(Arc<Map>),
    Distribution(Arc<Distribution>),
    Range(Arc<Range>),
    Function(Arc<Closure>),
    /// What `setup` reads.
    Reader(Arc<Reader>),
}

/// A function with what it captured where it was made.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// Its number in the program.
    pub function: u16,
    pub name: Text,
    /// Its first arguments.
    pub(crate) captured: Vec<Value>,
    /// The `this` of the function that made it, where it uses that.
    pub(crate) this: Value,
    /// Its size, with all that it captured.
    pub size: Size,
}

impl Closure {
    pub(crate) fn new(function: u16, name: Text, captured: Vec<Value>) -> Closure {
        let mut size = Size::of_items(captured.iter());
        size.hold(Size::strange());
        Closure { function, name, captured, this: Value::Unbound, size }
    }

    /// With the `this` of the function that made it. That is shared, not copied, so that it counts only for how
    /// deep it is.
    pub(crate) fn bound(mut self, this: Value) -> Closure {
        self.size.depth = self.size.depth.max(this.size().depth + 1);
        self.this = this;
        self
    }
}

impl Clone for Value {
    #[inline]
    fn clone(&self) -> Value {
        self.copied().unwrap_or_else(|| self.shared())
    }
}

impl Value {
    /// A copy of what can be copied as it is, but for what is never moved.
    #[inline(always)]
    pub(super) fn copied(&self) -> Option<Value> {
        Some(match self {
            // All of these become one copy.
            Value::Text(text) => Value::Text(text.copied()?),
            Value::Unit => Value::Unit,
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Int(number) => Value::Int(*number),
            Value::Float(number) => Value::Float(*number),
            Value::Char(letter) => Value::Char(*letter),
            _ => return None,
        })
    }

    #[inline(never)]
    pub(super) fn shared(&self) -> Value {
        match self {
            Value::Text(text) => Value::Text(text.clone()),
            Value::List(list) => Value::List(list.clone()),
            Value::Map(map) => Value::Map(map.clone()),
            Value::Distribution(made) => Value::Distribution(made.clone()),
            Value::Range(range) => Value::Range(range.clone()),
            Value::Function(closure) => Value::Function(closure.clone()),
            Value::Reader(reader) => Value::Reader(reader.clone()),
            Value::Unbound => Value::Unbound,
            plain => plain.copied().unwrap_or_default(),
        }
    }

    pub(crate) fn text(text: impl Into<Box<str>>) -> Value {
        Value::Text(Text::new(text))
    }

    pub(crate) fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(List::new(items)))
    }

    pub(crate) fn map(map: Map) -> Value {
        Value::Map(Arc::new(map))
    }

    #[inline]
    pub(crate) fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn as_text(&self) -> Option<&Text> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The list's items to be changed, if it is one; its own, whoever shared them.
    #[inline]
    pub(crate) fn as_list_mut(&mut self) -> Option<&mut List> {
        match self {
            Value::List(items) => Some(Arc::make_mut(items)),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The map to be changed, if it is one; its own, whoever shared it.
    #[inline]
    pub(crate) fn as_map_mut(&mut self) -> Option<&mut Map> {
        match self {
            Value::Map(map) => Some(Arc::make_mut(map)),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn size(&self) -> Size {
        match self {
            Value::List(list) => list.size(),
            Value::Map(map) => map.size(),
            plain if plain.is_weightless() => Size::NOTHING,
            other => other.odd_size(),
        }
    }

    #[inline(never)]
    fn odd_size(&self) -> Size {
        match self {
            Value::Text(text) => Size::of_text(text.as_str()),
            Value::Function(closure) => closure.size,
            _ => Size::strange(),
        }
    }

    /// About how many operations it takes to go through all of it.
    #[inline]
    pub(crate) fn reading(&self) -> u64 {
        match self {
            Value::List(list) => list.size().reading(),
            Value::Map(map) => map.size().reading(),
            plain if plain.is_weightless() => 0,
            other => other.odd_size().reading(),
        }
    }

    /// About how many operations it takes to copy it, where it is shared: see [`Size::copying`].
    #[inline]
    pub(crate) fn copying(&self) -> u64 {
        match self {
            Value::List(list) => list.size().copying(),
            Value::Map(map) => map.size().copying(),
            _ => 0,
        }
    }

    /// About how many operations it takes to go through the letters, where it is a text.
    #[inline]
    pub(crate) fn letters(&self) -> u64 {
        match self {
            Value::Text(text) => Size::of_text(text.as_str()).reading(),
            _ => 0,
        }
    }

    /// About how many operations it takes to look at one letter after another, where it is a text.
    #[inline]
    pub(crate) fn searching(&self) -> u64 {
        32 * self.letters()
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, value: Value) {
        // Nothing is lost where letting go fails, which it does not: so the value stays in the processor's registers.
        let value = ManuallyDrop::new(value);
        self.empty();
        std::mem::forget(std::mem::replace(self, ManuallyDrop::into_inner(value)));
    }

    #[inline(always)]
    pub(super) fn empty(&mut self) {
        // To let go of most values there is nothing to do, which is known here and not in a call.
        if !self.is_small() {
            self.let_go();
        }
    }

    #[inline(never)]
    fn let_go(&mut self) {
        *self = Value::Unit;
    }

    #[inline]
    pub(crate) fn is_weightless(&self) -> bool {
        self.is_small() & !matches!(self, Value::Float(_) | Value::Char(_) | Value::Unbound)
    }

    /// Whether it holds nothing that must be let go of.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        // Both are looked at, so that they become one comparison.
        !(self.is_shared_text()
            | matches!(
                self,
                Value::List(_)
                    | Value::Map(_)
                    | Value::Distribution(_)
                    | Value::Range(_)
                    | Value::Function(_)
                    | Value::Reader(_)
            ))
    }

    #[inline]
    fn is_shared_text(&self) -> bool {
        matches!(self, Value::Text(text) if !text.is_kept())
    }

    /// Puts the one text that is known in the place of each that reads the same: the names of a setup are
    /// compared again and again.
    pub(crate) fn keep_names(&mut self, known: &impl Fn(&str) -> Option<Text>) {
        match self {
            Value::Text(text) if !text.is_kept() => {
                if let Some(name) = known(text.as_str()) {
                    *text = name;
                }
            }
            Value::List(list) => Arc::make_mut(list).keep_names(known),
            Value::Map(map) => Arc::make_mut(map).keep_names(known),
            _ => {}
        }
    }

    /// Copies what others hold as well, so that it is its own.
    pub(crate) fn part(&mut self) {
        match self {
            Value::List(list) => Arc::make_mut(list).part(),
            Value::Map(map) => Arc::make_mut(map).part(),
            Value::Distribution(distribution) => _ = Arc::make_mut(distribution),
            Value::Function(closure) => _ = Arc::make_mut(closure),
            _ => {}
        }
    }

    /// The name that the language gives the type, as its errors name it.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Value::Unit | Value::Unbound => "()",
            Value::Bool(_) => "bool",
            Value::Int(_) => "i64",
            Value::Float(_) => "f64",
            Value::Char(_) => "char",
            Value::Text(_) => "string",
            Value::List(_) => "array",
            Value::Map(_) => "map",
            Value::Distribution(_) => "Distribution",
            Value::Range(range) if range.inclusive => "range=",
            Value::Range(_) => "range",
            Value::Function(_) => "Fn",
            Value::Reader(_) => "Setup",
        }
    }

    /// Whether two values are the same plain data, as primitives compare and as `==` of the language does: numbers
    /// by value, a character as the text of it alone; and nothing that is no data.
    pub(crate) fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Unit, Value::Unit) => true,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
            (Value::Char(a), Value::Char(b)) => a == b,
            (Value::Char(a), Value::Text(b)) | (Value::Text(b), Value::Char(a)) => {
                b.as_str().strip_prefix(*a) == Some("")
            }
            (Value::List(a), Value::List(b)) => {
                Arc::ptr_eq(a, b)
                    || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same(b))
            }
            (Value::Map(a), Value::Map(b)) => {
                Arc::ptr_eq(a, b)
                    || a.len() == b.len()
                        && a.iter().zip(b.iter()).all(|((k, a), (l, b))| k == l && a.same(b))
            }
            _ => false,
        }
    }
}

impl Hash for Value {
    /// Equal states have equal hashes, in every run and process.
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Unit | Value::Unbound => {}
            Value::Bool(truth) => truth.hash(state),
            Value::Int(number) => number.hash(state),
            Value::Float(number) => number.to_bits().hash(state),
            Value::Char(letter) => letter.hash(state),
            Value::Text(text) => text.hash(state),
            Value::List(items) => items.hash(state),
            Value::Map(map) => map.hash(state),
            Value::Distribution(_) | Value::Reader(_) => {}
            Value::Range(range) => (range.start, range.end, range.inclusive).hash(state),
            Value::Function(closure) => {
                closure.name.hash(state);
                closure.captured.hash(state);
                closure.this.hash(state);
            }
        }
    }
}

/// The whole numbers from one up to another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    pub start: i64,
    pub end: i64,
    pub(crate) inclusive: bool,
}

impl Range {
    pub(crate) fn nth(&self, place: i64) -> Option<i64> {
        let number = self.start.checked_add(place)?;
        (number < self.end || self.inclusive && number == self.end).then_some(number)
    }

    pub(crate) fn holds(&self, number: i64) -> bool {
        self.start <= number && (number < self.end || self.inclusive && number == self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_16_bytes_and_crosses_threads() {
        fn crosses<T: Send + Sync>() {}
        crosses::<Value>();
        assert_eq!(size_of::<Value>(), 16);
    }

    #[test]
    fn a_value_is_small_where_nothing_must_be_let_go_of() {
        // A variant that is new has its arm here.
        let owns = |value: &Value| match value {
            Value::Text(text) => !text.is_kept(),
            Value::Unit | Value::Unbound | Value::Bool(_) => false,
            Value::Int(_) | Value::Float(_) | Value::Char(_) => false,
            Value::List(_) | Value::Map(_) | Value::Distribution(_) => true,
            Value::Range(_) | Value::Function(_) | Value::Reader(_) => true,
        };
        let fair = Distribution::new([(crate::game::Value::Int(1), 1u8.into())]).unwrap();
        let all = [
            Value::Text(Text::name("ayla")),
            Value::text("a text that nobody wrote down"),
            Value::Unit,
            Value::Unbound,
            Value::Bool(true),
            Value::Int(1),
            Value::Float(0.5),
            Value::Char('a'),
            Value::list(Vec::new()),
            Value::map(Map::with_capacity(0)),
            Value::Distribution(Arc::new(fair)),
            Value::Range(Arc::new(Range { start: 0, end: 1, inclusive: false })),
            Value::Function(Arc::new(Closure::new(0, Text::name("f"), Vec::new()))),
        ];
        for value in &all {
            assert_eq!(value.is_small(), !owns(value), "{value:?}");
        }
    }

    #[test]
    fn a_list_is_copied_when_one_who_shares_it_changes_it() {
        let mut one = Value::list(vec![Value::Int(1)]);
        let other = one.clone();
        one.as_list_mut().unwrap().push(Value::Int(2));
        assert!(other.same(&Value::list(vec![Value::Int(1)])));
        assert!(!one.same(&other));
    }
}
