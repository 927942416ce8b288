//! Reads the parameters that a house rule changes, by its `fn params()`.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::game::Value;
use crate::script::assemble::join::only;
use crate::script::assemble::layers::Layer;
use crate::script::assemble::params;
use crate::script::assemble::run_alone::{Callable, run_alone};
use crate::script::assemble::source::{Sources, TextSide};
use crate::script::diagnostics::place;
use crate::script::machine::{Host, plain};
use crate::script::questions::context::Context;
use crate::script::sandbox::engine::{Trust, build, guarded};
use crate::script::sandbox::limits::Limits;

/// The parameters that a house rule's `fn params()` changes, each with the place of the function.
pub fn house_params(layer: &Layer) -> Result<Vec<(String, Value, Option<Location>)>, Error> {
    guarded(|| read_house_params(layer))?
}

fn read_house_params(layer: &Layer) -> Result<Vec<(String, Value, Option<Location>)>, Error> {
    // To name a few numbers takes no more than to answer a question.
    let context = Context::new(Limits::for_agents());
    let mut engine = build(&context, Trust::Stranger);
    let mut sources = Sources::default();
    let scope = params::register(&mut engine, &IndexMap::new(), &[]);
    let read = only(&mut engine, &context, layer, &scope, &mut sources, "params")?;
    let Some((ast, constants, at)) = read else { return Ok(Vec::new()) };
    let sources = Arc::new(sources);
    context.meter.start(context.meter.limits().leg);
    let function = (params::NAME, None);
    let host = Host::new(context, engine);
    let (value, _) = run_alone(host, &sources, (&Callable::new(&ast), &constants), function)?;
    let wrong = |message: String| {
        let fault = ScriptFault::Contract { function: "params".to_owned(), message };
        let at = sources.word("params", at, TextSide::Before);
        Error::from(place(ScriptError::new(fault), at, &sources))
    };
    match plain(&value, "params()") {
        Ok(Value::Map(map)) => {
            let placed = |(name, value): (String, Value)| {
                let at = sources.locate(sources.word(&name, at, TextSide::After));
                (name, value, at)
            };
            Ok(map.into_iter().map(placed).collect())
        }
        Ok(other) => Err(wrong(format!("must return a map, got {}", other.kind()))),
        Err(message) => Err(wrong(message)),
    }
}
