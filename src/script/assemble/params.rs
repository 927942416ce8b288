//! Parameters in scripts: readable anywhere as `params.mana_value`, never writable.

use std::rc::Rc;

use indexmap::IndexMap;
use rhai::{Dynamic, Engine, ImmutableString, Module, Position, Scope};

use crate::error::{hint, nearest};
use crate::game::Value;
use crate::script::sandbox::limits::{Fault, fail};
use crate::script::value::{from_value, to_value};

/// The name under which scripts find the parameters.
pub(in crate::script) const NAME: &str = "params";

/// The parameters as scripts hold them: cheap to copy, impossible to change.
#[derive(Clone)]
pub(in crate::script) struct Params(Rc<IndexMap<String, Dynamic>>);

impl Params {
    pub(in crate::script) fn new(values: &IndexMap<String, Value>) -> Params {
        let values = values.iter().map(|(name, value)| (name.clone(), from_value(value)));
        Params(Rc::new(values.collect()))
    }

    pub(in crate::script) fn values(&self) -> IndexMap<String, Value> {
        let plain = |value: &Dynamic| to_value(value, NAME).unwrap_or_default();
        self.0.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
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
                fail(format!("there is no parameter `{name}`{near}"), Position::NONE)
            }
        }
    }
}

/// Lets scripts of this engine read the parameters; returns the scope to compile them with.
pub(in crate::script) fn register(engine: &mut Engine, params: &Params) -> Scope<'static> {
    engine.register_type_with_name::<Params>("Params").register_indexer_get(Params::read);
    let mut scope = Scope::new();
    name(engine, &mut scope, NAME, params);
    scope
}

/// Lets scripts find parameters under a name.
pub(in crate::script) fn name(
    engine: &mut Engine,
    scope: &mut Scope<'static>,
    name: &str,
    params: &Params,
) {
    // Functions do not see a scope; a global module's variables they do.
    let mut module = Module::new();
    module.set_var(name, Dynamic::from(params.clone()));
    engine.register_global_module(module.into());
    scope.push_constant_dynamic(name, Dynamic::from(params.clone()));
}
