//! Parameters in scripts: readable anywhere as `params.mana_value`, never writable.

use std::rc::Rc;

use indexmap::IndexMap;
use rhai::{Dynamic, Engine, ImmutableString, Module, Position, Scope};

use crate::error::{hint, nearest};
use crate::game::Value;
use crate::script::assemble::layers::Import;
use crate::script::sandbox::limits::{Fault, fail};
use crate::script::value::{from_value, to_value};

/// The name under which scripts find the parameters.
pub(in crate::script) const NAME: &str = "params";

/// The parameters as scripts hold them: cheap to copy, impossible to change.
#[derive(Clone)]
pub(in crate::script) struct Params(Rc<IndexMap<String, Dynamic>>);

impl Params {
    fn new(values: &IndexMap<String, Value>) -> Params {
        let values = values.iter().map(|(name, value)| (name.clone(), from_value(value)));
        Params(Rc::new(values.collect()))
    }

    /// Those that have a name in a scope.
    pub(in crate::script) fn named(name: &str, scope: &Scope<'static>) -> Option<Params> {
        // Not `iter`, which copies each value.
        let mut named = scope.iter_raw().filter(|(known, ..)| *known == name);
        named.find_map(|(.., value)| value.read_lock::<Params>().map(|params| params.clone()))
    }

    pub(in crate::script) fn get(&self, name: &str) -> Option<Value> {
        self.0.get(name).map(|value| to_value(value, NAME).unwrap_or_default())
    }

    pub(in crate::script) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(in crate::script) fn nearest(&self, name: &str) -> Option<String> {
        nearest(name, self.0.keys().map(String::as_str))
    }

    fn read(&mut self, name: ImmutableString) -> Result<Dynamic, Fault> {
        match self.0.get(name.as_str()) {
            Some(value) => Ok(value.clone()),
            None => {
                let near = hint(&self.nearest(&name));
                Err(fail(format!("there is no parameter `{name}`{near}"), Position::NONE))
            }
        }
    }
}

/// Lets scripts of this engine read the parameters, and those of what they import; returns the scope to compile
/// them with.
pub(in crate::script) fn register(
    engine: &mut Engine,
    params: &IndexMap<String, Value>,
    imports: &[Import],
) -> Scope<'static> {
    engine.register_type_with_name::<Params>("Params").register_indexer_get(Params::read);
    let mut scope = Scope::new();
    let imported = imports.iter().map(|import| (import.params_name(), &import.params));
    for (name, values) in std::iter::once((NAME.to_owned(), params)).chain(imported) {
        let params = Dynamic::from(Params::new(values));
        // Functions do not see a scope; a global module's variables they do.
        let mut module = Module::new();
        module.set_var(name.as_str(), params.clone());
        engine.register_global_module(module.into());
        scope.push_constant_dynamic(name, params);
    }
    scope
}
