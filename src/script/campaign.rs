//! Natives for the script that plays a campaign: they open the setups of its conflicts and note how these ended.
//!
//! A campaign is rules like any others: their state is that of the current conflict, with what came
//! before under the key `campaign`. The systems that it plays are imports.

use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use num_rational::BigRational;
use rhai::{AST, Array, Dynamic, Engine, INT, ImmutableString, Map, NativeCallContext};

use super::assemble::layers::{Import, Layer, Part};
use super::diagnostics::contract;
use super::lint::oddities::returns_this;
use super::machine;
use super::primitives::distribution::Dist;
use super::primitives::pair;
use super::questions::context::Context;
use super::sandbox::limits::fail;
use super::setup::{Draw, Reader, Setup};
use super::value::{from_value, to_value};
use crate::error::Error;
use crate::game::{Outcome, Value};

/// The key of the state, and of views, under which a campaign keeps what is its own; and the import of its script.
const KEY: &str = "campaign";

/// The number of the conflict that is on, in a state or a view of a campaign.
pub(super) fn on(state: &machine::Value) -> Option<usize> {
    state.as_map()?.get(KEY)?.as_map()?.get("on")?.as_int()?.try_into().ok()
}

/// The import by which the conflict is played that is on in a state.
pub(super) fn import_on<'l>(base: &'l Layer, state: &machine::Value) -> Option<&'l Import> {
    base.imports.get(base.campaign.get(on(state)?)?.import?)
}

/// The script in a campaign's own file.
pub(super) fn own_script(base: &Layer) -> Option<&Import> {
    let imports = (!base.campaign.is_empty()).then_some(&base.imports)?;
    imports.iter().find(|import| import.name == KEY)
}

pub(super) fn register(engine: &mut Engine, context: &Rc<Context>, base: &Layer) {
    let (parts, imports) = (base.campaign[..].into(), base.imports[..].into());
    let host = CampaignHost { context: context.clone(), parts, imports };
    macro_rules! add {
        ($name:literal, |$of:ident $(, $argument:ident: $kind:ty)*| $run:expr) => {
            let $of = host.clone();
            engine.register_fn($name, move |call: NativeCallContext $(, $argument: $kind)*| {
                $of.or_refuse(&call, || $run)
            });
        };
    }
    add!("campaign_setup", |of, number: INT| Ok(of.given(&of.part(number)?.setup.value)));
    add!("campaign_draws", |of, number: INT, setup: Dynamic| of.draws(of.part(number)?, &setup));
    add!("campaign_open", |of, number: INT, setup: Dynamic, drawn: Array| {
        of.open(of.part(number)?, &setup, &drawn)
    });
    add!("campaign_close", |of, number: INT, reader: Reader, state: Dynamic| {
        of.close(of.part(number)?, &reader, &state)
    });
    add!("campaign_ended", |of, number: INT, outcome: Dynamic| of.ended(number, &outcome));
    add!("campaign_refuse", |of, number: INT, function: ImmutableString, returned: Dynamic| {
        Err::<(), Error>(of.refused(of.part(number)?, &function, &returned))
    });
}

/// Whether all that a `view` does is to return the state; of a campaign, each of those in it.
pub(super) fn shows_all(base: &Layer, ast: &AST) -> bool {
    if base.campaign.is_empty() {
        return returns_this(ast, "view");
    }
    let has = |name: &String| ast.iter_functions().any(|known| known.name == *name);
    let mut views = base.imports.iter().map(|import| import.known_as("view"));
    views.all(|view| !has(&view) || returns_this(ast, &view))
}

#[derive(Clone)]
struct CampaignHost {
    context: Rc<Context>,
    parts: Rc<[Part]>,
    imports: Rc<[Import]>,
}

impl CampaignHost {
    /// Ends the script with the host's own error.
    fn or_refuse<T>(
        &self,
        call: &NativeCallContext<'_>,
        run: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Box<rhai::EvalAltResult>> {
        run().map_err(|error| match error {
            // What a script handed over has the place of its call.
            Error::Usage { message, .. } => fail(message, call.call_position()),
            error => self.context.refuse(error, call.call_position()),
        })
    }

    /// Data for the script; what it takes is charged.
    fn given(&self, value: &Value) -> Dynamic {
        self.context.meter.charge(value.bytes() as u64 / 16);
        from_value(value)
    }

    fn part(&self, number: INT) -> Result<&Part, Error> {
        let part = usize::try_from(number).ok().and_then(|number| self.parts.get(number));
        part.ok_or_else(|| Error::usage(format!("the campaign has no conflict {number}")))
    }

    /// What is drawn of a setup: the places, each with what may be drawn there.
    fn draws(&self, part: &Part, made: &Dynamic) -> Result<Array, Error> {
        let one = |draw: Draw| {
            let asked: Array = vec![draw.place.into(), Dynamic::from(Dist(draw.distribution))];
            asked.into()
        };
        Ok(self.made(part, made)?.draws()?.into_iter().map(one).collect())
    }

    fn open(&self, part: &Part, made: &Dynamic, drawn: &Array) -> Result<Reader, Error> {
        let mut setup = self.made(part, made)?;
        if !drawn.is_empty() {
            let value = |value| to_value(value, "drawn").map_err(Error::usage);
            let values = drawn.iter().map(value).collect::<Result<_, _>>()?;
            setup = setup.drawn(setup.draws()?, values);
        }
        let reader = Reader::new(&setup);
        reader.call(&part.name);
        reader.check_names()?;
        self.context.setups.open(&reader);
        Ok(reader)
    }

    /// A setup that the script made. Its keys have the order of the scenario's, since scripts sort them.
    fn made(&self, part: &Part, made: &Dynamic) -> Result<Setup, Error> {
        let refused = |message: String| part.refused(format!("its setup {message}"));
        let made =
            to_value(made, "setup").map_err(|message| refused(format!("is none: {message}")))?;
        if made.as_map().is_none() {
            return Err(refused(format!("must be a table, got {}", made.kind())));
        }
        self.context.meter.charge(made.bytes() as u64 / 16);
        let mut order = IndexMap::new();
        part.setup.value.names(&mut |name| {
            let next = order.len();
            order.entry(name.to_owned()).or_insert(next);
        });
        let made = ordered(made, Some(&part.setup.value), &order);
        let (own, changed) = (part.clone(), made.clone());
        let locate = move |place: &str| match (at(&own.setup.value, place), at(&changed, place)) {
            (was, now) if was == now => (own.setup.locate)(place),
            _ => own.begins.clone(),
        };
        Ok(Setup::located(made, Arc::new(locate)))
    }

    /// Refuses keys of the setup that nobody read, and a state that has no room for the campaign.
    fn close(&self, part: &Part, reader: &Reader, state: &Dynamic) -> Result<(), Error> {
        reader.finish()?;
        self.context.setups.close(reader);
        match state.read_lock::<Map>() {
            Some(state) if state.contains_key(KEY) => {
                let message = format!("the state has a key `{KEY}`, which is the campaign's");
                Err(self.breach(part, "setup", message))
            }
            Some(_) => Ok(()),
            None => Err(self.refused(part, "setup", state)),
        }
    }

    /// A function of the contract of a conflict's rules returned, or left, what it must not.
    fn refused(&self, part: &Part, function: &str, returned: &Dynamic) -> Error {
        let got = to_value(returned, function);
        let got = got.map_or_else(|_| "something else".to_owned(), |got| got.kind().to_owned());
        let message = match function {
            "step" => "`this` must stay a map".to_owned(),
            "sides" => "must return a map of lists of names".to_owned(),
            "picture" => format!("must return a text, got {got}"),
            _ => format!("must return a map, got {got}"),
        };
        self.breach(part, function, message)
    }

    /// A breach of the contract by a function of a conflict's rules, whose place is found by its name.
    fn breach(&self, part: &Part, function: &str, message: String) -> Error {
        let import = part.import.and_then(|number| self.imports.get(number));
        let named = import.map_or_else(|| function.to_owned(), |import| import.known_as(function));
        contract(&named, message)
    }

    /// How a conflict ended, as a state can hold it; with its name, where it is one of the campaign's.
    fn ended(&self, number: INT, outcome: &Dynamic) -> Result<Dynamic, Error> {
        let part = self.part(number)?;
        let is_conflict = number + 1 < self.parts.len() as INT;
        let refused = |message: String| match is_conflict {
            true => self.breach(part, "outcome", message),
            false => part.refused(message),
        };
        if outcome.is_unit() && !is_conflict {
            let why = "its conflicts are over, and `outcome(past, left)` returns nothing";
            return Err(refused(why.to_owned()));
        }
        let outcome = to_value(outcome, "outcome").map_err(refused)?;
        let mut whole = exact(Outcome::new(outcome).map_err(refused)?.value()).map_err(refused)?;
        if let Value::Map(map) = &mut whole
            && is_conflict
        {
            map.insert("conflict".to_owned(), Value::Text(part.name.clone()));
        }
        Ok(self.given(&whole))
    }
}

impl Part {
    fn refused(&self, message: String) -> Error {
        let at = self.begins.clone();
        Error::Setup { place: self.name.clone(), message, nearest: None, at }
    }
}

/// What is at a place such as `setup.players.red`.
fn at<'v>(setup: &'v Value, place: &str) -> Option<&'v Value> {
    place.split('.').skip(1).try_fold(setup, |value, key| match value {
        Value::List(items) => items.get(key.parse::<usize>().ok()?),
        value => value.get(key),
    })
}

/// Data with the keys of each table in the order that the table had before, then in that in which a
/// name appears anywhere, then as they are.
fn ordered(value: Value, before: Option<&Value>, order: &IndexMap<String, usize>) -> Value {
    match value {
        Value::Map(map) => {
            let was = before.and_then(Value::as_map);
            let place = |key: &str| {
                let there = was.and_then(|was| was.get_index_of(key));
                let named = order.get(key).copied();
                (there.unwrap_or(usize::MAX), named.unwrap_or(usize::MAX))
            };
            let mut entries: Vec<(String, Value)> = map.into_iter().collect();
            entries.sort_by_key(|(key, _)| place(key));
            let inner = |(key, item): (String, Value)| {
                let item = ordered(item, was.and_then(|was| was.get(&key)), order);
                (key, item)
            };
            Value::Map(entries.into_iter().map(inner).collect())
        }
        Value::List(items) => {
            let was = before.and_then(Value::as_list);
            let inner = |(index, item): (usize, Value)| {
                ordered(item, was.and_then(|was| was.get(index)), order)
            };
            Value::List(items.into_iter().enumerate().map(inner).collect())
        }
        other => other,
    }
}

/// Data in which each number that is not whole is a pair of whole numbers, its fraction.
fn exact(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Float(number) => {
            let fraction = BigRational::from_float(*number);
            let pair = fraction.as_ref().and_then(pair);
            pair.ok_or_else(|| format!("{number} is not a fraction of two numbers of 64 bits"))?
        }
        Value::List(items) => Value::List(items.iter().map(exact).collect::<Result<_, _>>()?),
        Value::Map(map) => {
            let each = |(key, item): (&String, &Value)| Ok((key.clone(), exact(item)?));
            Value::Map(map.iter().map(each).collect::<Result<_, String>>()?)
        }
        other => other.clone(),
    })
}
