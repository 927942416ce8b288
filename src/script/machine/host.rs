//! What a running machine calls upon: Rhai's natives and operators, through one adapter.
//!
//! A native that has not been ported to the machine's values runs on Rhai's. What a ported one or a
//! fast path does not know goes the same way, so errors read as they always did.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{AST, Dynamic, Engine, EvalAltResult, GlobalRuntimeState, NativeCallContext, Position};

use super::code::Binary;
use super::convert::{from_dynamic, to_dynamic};
use super::distribution_cache::MadeDistributions;
use super::interned_texts::Texts;
use super::value::Value;
use crate::script::diagnostics::type_names::not_held;
use crate::script::questions::context::Context;
use crate::script::sandbox::limits::{Fault, fail, unwind};

/// What machines of one thread run in.
pub(crate) struct Host {
    pub(crate) context: Rc<Context>,
    engine: Engine,
    operators: AST,
    global: GlobalRuntimeState,
    pub(super) made: RefCell<MadeDistributions>,
}

impl Host {
    pub(crate) fn new(context: Rc<Context>, engine: Engine) -> Host {
        let mut script =
            "fn item(a, b) { a[b] }\nfn minus(a) { -a }\nfn not(a) { !a }\n".to_owned();
        for (by, symbol) in Binary::ALL {
            script += &format!("fn by_{}(a, b) {{ a {symbol} b }}\n", by as u8);
            if !by.compares() {
                let number = by as u8;
                script += &format!("fn change_{number}(a, b) {{ a {symbol}= b; a }}\n");
            }
        }
        // It is ours, and compiles.
        let operators = engine.compile(script).unwrap_or_default();
        Host { context, engine, operators, global: global_state(), made: RefCell::default() }
    }

    /// Calls a native on Rhai's values; what it is called on, the first, may be changed.
    pub(crate) fn native(
        &self,
        name: &str,
        arguments: &mut [Dynamic],
        at: Position,
    ) -> Result<Dynamic, Fault> {
        // Marked as deprecated to say that it may change; the version is pinned.
        #[allow(deprecated)]
        let context =
            NativeCallContext::new_with_all_fields(&self.engine, name, None, &self.global, at);
        let mut arguments: Vec<&mut Dynamic> = arguments.iter_mut().collect();
        context.call_native_fn_raw(name, true, &mut arguments)
    }

    #[inline]
    pub(crate) fn left(&self) -> u64 {
        self.context.meter.left()
    }

    #[inline]
    pub(crate) fn set_left(&self, left: u64) {
        self.context.meter.set_left(left);
    }

    /// Whether a run must stop: it has no instruction left, or takes too much of something else.
    #[cold]
    pub(crate) fn check_limits(&self, left: u64, at: Position) -> Result<(), Fault> {
        self.set_left(left);
        if self.context.meter.must_stop() { Err(unwind(at)) } else { Ok(()) }
    }

    /// Counts work that took as long as this many instructions, and looks at what it allocated.
    #[inline]
    pub(crate) fn charge(&self, work: u64, at: Position) -> Result<(), Fault> {
        if work > 0 && self.context.meter.charge(work) { Err(unwind(at)) } else { Ok(()) }
    }

    pub(crate) fn announce(&self, texts: &[super::value::Text]) {
        texts.iter().for_each(|text| self.context.announce(text.as_str()));
    }

    /// Combines two values as the language does, where no fast path knows how: `by` and `change` are the forms.
    pub(crate) fn binary(
        &self,
        form: &str,
        by: Binary,
        a: &Value,
        b: &Value,
        texts: &Texts,
        at: Position,
    ) -> Result<Value, Fault> {
        let name = format!("{form}_{}", by as u8);
        self.operator(&name, vec![to_dynamic(a), to_dynamic(b)], texts, (at, at))
    }

    /// The negative of a value, or its contrary.
    pub(crate) fn unary(
        &self,
        name: &str,
        a: &Value,
        texts: &Texts,
        at: Position,
    ) -> Result<Value, Fault> {
        self.charge(a.size().converting(), at)?;
        self.operator(name, vec![to_dynamic(a)], texts, (at, at))
    }

    /// An item of a value; `index` is the place of the index, `whole` of the bracket.
    pub(crate) fn item(
        &self,
        a: &Value,
        b: &Value,
        texts: &Texts,
        index: Position,
        whole: Position,
    ) -> Result<Value, Fault> {
        self.charge(a.size().converting(), whole)?;
        self.operator("item", vec![to_dynamic(a), to_dynamic(b)], texts, (index, whole))
    }

    /// A field of what is not a map.
    pub(crate) fn field(
        &self,
        a: &Value,
        name: &str,
        texts: &Texts,
        at: Position,
    ) -> Result<Value, Fault> {
        self.charge(a.size().converting(), at)?;
        let mut arguments = [to_dynamic(a)];
        let value = self.native(&format!("get${name}"), &mut arguments, at)?;
        self.value(&value, texts, at)
    }

    fn operator(
        &self,
        name: &str,
        arguments: Vec<Dynamic>,
        texts: &Texts,
        (at, whole): (Position, Position),
    ) -> Result<Value, Fault> {
        let scope = &mut rhai::Scope::new();
        let called = self.engine.call_fn::<Dynamic>(scope, &self.operators, name, arguments);
        let value = called.map_err(|error| {
            let mut error = innermost(error);
            let at = match *error {
                EvalAltResult::ErrorIndexingType(..) => whole,
                _ => at,
            };
            error.set_position(at);
            error
        })?;
        self.value(&value, texts, at)
    }

    /// A value that a native returned.
    pub(crate) fn value(
        &self,
        value: &Dynamic,
        texts: &Texts,
        at: Position,
    ) -> Result<Value, Fault> {
        from_dynamic(value, texts).ok_or_else(|| fail(not_held(value.type_name()), at))
    }
}

/// What Rhai keeps for a run: natives want one. It has no constructor, so a run gives its own away.
fn global_state() -> GlobalRuntimeState {
    let mut engine = Engine::new_raw();
    let given: Rc<RefCell<Option<GlobalRuntimeState>>> = Rc::default();
    let give = given.clone();
    // Marked as deprecated to say that it may change; the version is pinned.
    #[allow(deprecated)]
    engine.on_var(move |_, _, mut context| {
        give.replace(Some(context.global_runtime_state_mut().clone()));
        Ok(Some(Dynamic::UNIT))
    });
    let _ = engine.eval::<Dynamic>("state");
    match given.take() {
        Some(state) => state,
        None => unreachable!("a variable is resolved"),
    }
}

fn innermost(mut error: Fault) -> Fault {
    while let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = *error {
        error = inner;
    }
    error
}

/// The error of a call that fits no form of a function.
pub(crate) fn no_such_call<'v>(
    name: &str,
    arguments: impl Iterator<Item = &'v Value>,
    at: Position,
) -> Fault {
    let types: Vec<&str> = arguments
        .map(|argument| match argument {
            Value::Text(_) => "&str | ImmutableString | String",
            other => other.type_name(),
        })
        .collect();
    EvalAltResult::ErrorFunctionNotFound(format!("{name} ({})", types.join(", ")), at).into()
}

pub(crate) fn mismatch(wanted: &str, got: &Value, at: Position) -> Fault {
    EvalAltResult::ErrorMismatchDataType(wanted.into(), got.type_name().into(), at).into()
}
