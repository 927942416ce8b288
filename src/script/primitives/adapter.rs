//! Registers primitives with Rhai, for the lab and the prompt: arguments become the machine's
//! values, and what comes back becomes Rhai's.

use std::any::TypeId;

use rhai::plugin::{NativeCallContext, PluginFunc};
use rhai::{Array, Dynamic, FuncRegistration, INT, ImmutableString, Map, Module, RhaiFunc, Shared};

use super::primitive::{ArgumentKind, Primitive};
use crate::script::diagnostics::type_names::a_word;
use crate::script::machine::Texts;
use crate::script::machine::convert::{from_dynamic, to_dynamic};
use crate::script::machine::value::Value;
use crate::script::sandbox::limits::Fault;

pub(super) fn register(module: &mut Module, primitive: Primitive) {
    let parameter = |(i, (name, kind)): (usize, &(&str, ArgumentKind))| {
        let by = if i == 0 && primitive.changes() { "&mut " } else { "" };
        format!("{name}: {by}{}", rhai_type(*kind).0)
    };
    let mut parameters: Vec<String> =
        primitive.parameters.iter().enumerate().map(parameter).collect();
    parameters.push(rhai_type(primitive.result).0.to_owned());
    let types: Vec<TypeId> =
        primitive.parameters.iter().map(|(_, kind)| rhai_type(*kind).1).collect();
    let function = RhaiFunc::Plugin { func: Shared::new(Adapted(primitive)) };
    FuncRegistration::new(primitive.name)
        .with_params_info(parameters)
        .with_comments(primitive.comment.iter().map(|line| format!("///{line}")))
        .set_into_module_raw(module, types, function);
}

/// A kind as Rhai has it, in the words of its signatures and as its type.
fn rhai_type(kind: ArgumentKind) -> (&'static str, TypeId) {
    match kind {
        ArgumentKind::Any => ("Dynamic", TypeId::of::<Dynamic>()),
        ArgumentKind::List => ("Array", TypeId::of::<Array>()),
        ArgumentKind::Map => ("Map", TypeId::of::<Map>()),
        ArgumentKind::Text => ("&str", TypeId::of::<ImmutableString>()),
        ArgumentKind::Truth => ("bool", TypeId::of::<bool>()),
        ArgumentKind::Whole => ("INT", TypeId::of::<INT>()),
    }
}

struct Adapted(Primitive);

impl PluginFunc for Adapted {
    fn call(
        &self,
        _: Option<NativeCallContext>,
        arguments: &mut [&mut Dynamic],
    ) -> Result<Dynamic, Fault> {
        let texts = Texts::default();
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, (parameter, _)) in arguments.iter().zip(self.0.parameters) {
            let Some(value) = from_dynamic(argument, &texts) else {
                let (place, what) = strange(argument, &texts);
                let text = format!("takes plain data: `{parameter}{place}` is {what}");
                return Err(self.0.fault(text));
            };
            values.push(value);
        }
        let mut values = values.into_iter();
        let mut first = values.next().unwrap_or(Value::Unit);
        let rest: Vec<Value> = values.collect();
        let rest: Vec<&Value> = rest.iter().collect();
        let made = self.0.call(&mut first, &rest);
        // Rhai has chosen the form by the types, so the arguments are of its kinds.
        let made = made.unwrap_or_else(|| Err(self.0.fault("takes other arguments".to_owned())))?;
        if self.0.changes()
            && let Some(mut changed) = arguments[0].write_lock::<Dynamic>()
        {
            *changed = to_dynamic(&first);
        }
        Ok(to_dynamic(&made))
    }

    fn is_method_call(&self) -> bool {
        !self.0.parameters.is_empty()
    }

    fn is_pure(&self) -> bool {
        !self.0.changes()
    }

    fn has_context(&self) -> bool {
        false
    }
}

/// The way to the first part of a value that is no data of compiled scripts, and what it is.
fn strange(value: &Dynamic, texts: &Texts) -> (String, String) {
    let is = |item: &Dynamic| from_dynamic(item, texts).is_none();
    let inner = if let Ok(items) = value.as_array_ref() {
        let found = items.iter().enumerate().find(|(_, item)| is(item));
        found.map(|(i, item)| (format!("[{i}]"), strange(item, texts)))
    } else if let Ok(map) = value.as_map_ref() {
        let found = map.iter().find(|(_, item)| is(item));
        found.map(|(key, item)| (format!(".{key}"), strange(item, texts)))
    } else {
        None
    };
    match inner {
        Some((step, (place, what))) => (format!("{step}{place}"), what),
        None => (String::new(), a_word(value.type_name())),
    }
}
