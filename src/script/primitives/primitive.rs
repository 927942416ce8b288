//! Defines what a primitive is: a function on the machine's values, with what people read of it.
//!
//! `#[apply(primitive!)]` on a function makes its description beside it, in a module of the same
//! name. The types of its parameters say how its arguments are read and what the documentation
//! calls them. One that changes its first argument takes it as `&mut Map` or `&mut List`.

use std::fmt::Display;
use std::marker::PhantomData;

use rhai::Position;

use super::read_arguments::{Checked, must_be};
use crate::script::machine::value::{List, Map, Text, Value};
use crate::script::sandbox::limits::{Fault, fail};

/// One form of a primitive.
#[derive(Clone, Copy, Debug)]
pub struct Primitive {
    /// The name it is called by. Several forms share it where they take other arguments.
    pub name: &'static str,
    /// The lines of its doc comment.
    pub comment: &'static [&'static str],
    /// Its parameters: names and kinds.
    pub parameters: &'static [(&'static str, ArgumentKind)],
    /// The kind of its result.
    pub result: ArgumentKind,
    /// What runs.
    pub(super) run: PrimitiveBody,
}

/// What runs. It returns nothing where the arguments are of other kinds than it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PrimitiveBody {
    /// Looks at its arguments alone.
    Reads(fn(&Value, &[&Value]) -> Option<Checked<Value>>),
    /// Changes its first argument.
    Changes(fn(&mut Value, &[&Value]) -> Option<Checked<Value>>),
}

/// What came of running it; nothing where the arguments are of other kinds than it takes.
type PrimitiveResult = Option<Result<Value, Fault>>;

/// The kinds of arguments and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    Any,
    List,
    Map,
    Text,
    Truth,
    Whole,
}

impl Primitive {
    /// The same under the name that another form has.
    pub const fn named(self, name: &'static str) -> Primitive {
        Primitive { name, ..self }
    }

    /// Whether it changes its first argument.
    pub const fn changes(&self) -> bool {
        matches!(self.run, PrimitiveBody::Changes(_))
    }

    /// Runs it where it takes such arguments and changes none.
    pub(in crate::script) fn read(&self, first: &Value, rest: &[&Value]) -> PrimitiveResult {
        match self.run {
            PrimitiveBody::Reads(run) => self.named_in(run(first, rest)),
            PrimitiveBody::Changes(_) => None,
        }
    }

    /// Runs it where it takes such arguments.
    pub(in crate::script) fn call(&self, first: &mut Value, rest: &[&Value]) -> PrimitiveResult {
        self.named_in(match self.run {
            PrimitiveBody::Reads(run) => run(first, rest),
            PrimitiveBody::Changes(run) => run(first, rest),
        })
    }

    fn named_in(&self, made: Option<Checked<Value>>) -> PrimitiveResult {
        made.map(|made| made.map_err(|text| self.fault(text)))
    }

    /// An error of it; whoever called it adds the place.
    #[cold]
    pub(super) fn fault(&self, text: String) -> Fault {
        fail(format!("{}: {text}", self.name), Position::NONE)
    }
}

impl ArgumentKind {
    /// What the documentation calls it.
    pub const fn word(self) -> &'static str {
        match self {
            ArgumentKind::Any => "any",
            ArgumentKind::List => "list",
            ArgumentKind::Map => "map",
            ArgumentKind::Text => "text",
            ArgumentKind::Truth => "truth value",
            ArgumentKind::Whole => "whole number",
        }
    }
}

pub(super) trait Argument<'v>: Sized {
    const KIND: ArgumentKind;
    fn read(value: &'v Value) -> Option<Self>;
}

macro_rules! arguments {
    ($($of:ty, $kind:ident, $read:expr;)*) => {$(
        impl<'v> Argument<'v> for $of {
            const KIND: ArgumentKind = ArgumentKind::$kind;
            fn read(value: &'v Value) -> Option<Self> {
                $read(value)
            }
        }
    )*};
}

arguments! {
    &'v Value, Any, Some;
    &'v [Value], List, Value::as_list;
    &'v Map, Map, Value::as_map;
    &'v Text, Text, Value::as_text;
    i64, Whole, Value::as_int;
    bool, Truth, |value: &Value| if let Value::Bool(truth) = value { Some(*truth) } else { None };
}

/// A part of an argument that must be of a kind.
#[inline]
pub(super) fn part<'v, T: Argument<'v>>(place: impl Display, value: &'v Value) -> Checked<T> {
    T::read(value).ok_or_else(|| must_be(&format!("a {}", T::KIND.word()), place, value))
}

pub(super) trait ChangedArgument {
    const KIND: ArgumentKind;
    fn of(value: &mut Value) -> Option<&mut Self>;
}

impl ChangedArgument for Map {
    const KIND: ArgumentKind = ArgumentKind::Map;
    fn of(value: &mut Value) -> Option<&mut Map> {
        value.as_map_mut()
    }
}

impl ChangedArgument for List {
    const KIND: ArgumentKind = ArgumentKind::List;
    fn of(value: &mut Value) -> Option<&mut List> {
        value.as_list_mut()
    }
}

/// Says that a primitive returns what it changed.
pub(super) struct Itself<T>(PhantomData<T>);

pub(super) fn itself<T>() -> Checked<Itself<T>> {
    Ok(Itself(PhantomData))
}

pub(super) trait Returned {
    const KIND: ArgumentKind;
    /// The value; `first` is the first argument as it is now.
    fn value(self, first: &Value) -> Checked<Value>;
}

impl<T: ChangedArgument> Returned for Itself<T> {
    const KIND: ArgumentKind = T::KIND;
    fn value(self, first: &Value) -> Checked<Value> {
        Ok(first.clone())
    }
}

impl<T: Returned> Returned for Checked<T> {
    const KIND: ArgumentKind = T::KIND;
    fn value(self, first: &Value) -> Checked<Value> {
        self?.value(first)
    }
}

macro_rules! returned {
    ($($of:ty, $kind:ident, $made:expr;)*) => {$(
        impl Returned for $of {
            const KIND: ArgumentKind = ArgumentKind::$kind;
            fn value(self, _: &Value) -> Checked<Value> {
                Ok($made(self))
            }
        }
    )*};
}

returned! {
    Value, Any, std::convert::identity;
    Vec<Value>, List, Value::list;
    Vec<Text>, List, |names: Vec<Text>| Value::list(names.into_iter().map(Value::Text).collect());
    Map, Map, Value::map;
    Text, Text, Value::Text;
    String, Text, Value::text;
    bool, Truth, Value::Bool;
    i64, Whole, Value::Int;
}

/// Describes a primitive in a module of its name.
macro_rules! primitive {
    (
        $(#[doc = $line:literal])*
        pub fn $name:ident($first:ident: &mut $changed:ty $(, $argument:ident: $kind:ty)* $(,)?)
        -> $result:ty $body:block
    ) => {
        $(#[doc = $line])*
        pub(crate) fn $name($first: &mut $changed $(, $argument: $kind)*) -> $result $body

        primitive! {
            @described $name [$($line),*] $result;
            [
                (stringify!($first), <$changed as ChangedArgument>::KIND),
                $((stringify!($argument), <$kind as Argument<'_>>::KIND),)*
            ];
            PrimitiveBody::Changes(|first, rest| {
                #[allow(unused_mut, unused_variables)]
                let mut rest = rest.iter().copied();
                $(let $argument = <$kind as Argument<'_>>::read(rest.next()?)?;)*
                let made = super::$name(<$changed as ChangedArgument>::of(first)? $(, $argument)*);
                Some(Returned::value(made, first))
            })
        }
    };
    (
        $(#[doc = $line:literal])*
        pub fn $name:ident($($first:ident: $of:ty $(, $argument:ident: $kind:ty)* $(,)?)?)
        -> $result:ty $body:block
    ) => {
        $(#[doc = $line])*
        pub(crate) fn $name($($first: $of $(, $argument: $kind)*)?) -> $result $body

        primitive! {
            @described $name [$($line),*] $result;
            [$(
                (stringify!($first), <$of as Argument<'_>>::KIND),
                $((stringify!($argument), <$kind as Argument<'_>>::KIND),)*
            )?];
            PrimitiveBody::Reads(|first, rest| {
                #[allow(unused_mut, unused_variables)]
                let mut rest = rest.iter().copied();
                $(
                    let $first = <$of as Argument<'_>>::read(first)?;
                    $(let $argument = <$kind as Argument<'_>>::read(rest.next()?)?;)*
                )?
                Some(Returned::value(super::$name($($first $(, $argument)*)?), first))
            })
        }
    };
    (@described $name:ident $comment:tt $result:ty; $parameters:tt; $run:expr) => {
        // One that takes whole numbers alone, or nothing, names no type of the file.
        #[allow(unused_imports)]
        pub(crate) mod $name {
            use super::*;
            use crate::script::primitives::primitive::*;

            pub(crate) const PRIMITIVE: Primitive = Primitive {
                name: stringify!($name),
                comment: &$comment,
                parameters: &$parameters,
                result: <$result as Returned>::KIND,
                run: $run,
            };
        }
    };
}

/// The primitives of a family. One that has the name of another form is written `map_only as only`.
macro_rules! family {
    ($($name:ident $(as $shown:ident)?),* $(,)?) => { &[$(family!(@one $name $($shown)?)),*] };
    (@one $name:ident) => { $name::PRIMITIVE };
    (@one $name:ident $shown:ident) => { $name::PRIMITIVE.named(stringify!($shown)) };
}

pub(super) use {family, primitive};
