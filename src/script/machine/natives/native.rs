//! The kinds of natives: primitives, ported functions of Rhai, loops over closures, Rhai's own.

use crate::script::machine::texts::Texts;
use crate::script::machine::value::Value;
use crate::script::primitives::Primitive;

/// How a native is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Native {
    /// A primitive: the forms that take as many arguments.
    Primitive(&'static [Primitive]),
    /// One of Rhai's that is ported and changes nothing. Nothing where it does not know what to do: Rhai's own does.
    Reads(fn(&Value, &[Value], &Texts) -> Option<Value>),
    /// One of Rhai's that is ported and changes what it is called on, unless it does not know what to do.
    Change(fn(&mut Value, &mut [Value], &Texts) -> Option<Value>),
    /// One that calls a closure for each item.
    Loop(Loop),
    /// Not ported.
    Rhai,
}

/// What is done with the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    All,
    Filter,
    Find,
    FindMap,
    IndexOf,
    Map,
    Reduce,
    Retain,
    Some,
    Sort,
}

/// A ported native: its name, how many arguments it has with what it is called on.
pub(super) type Ported = (&'static str, usize, Native);
