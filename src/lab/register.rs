//! Registers the functions that lab scripts call: scenarios and their analysis, sweeps, tables, plots,
//! files.

use std::path::Path;
use std::rc::Rc;

use indexmap::IndexMap;
use rhai::{Array, Dynamic, Engine, INT, Map, NativeCallContext as Call, Token};

use super::context::{LabContext, WorkResult};
use super::face::listed;
use super::failure::CallResult;
use super::results::ResultKind;
use super::scenario::Opened;
use super::{convert, files, show};
use crate::analysis::Sampling;
use crate::catalog::Setting;
use crate::commands::OtherConflict;
use crate::conflict::Changes;
use crate::error::Error;
use crate::game::Value;
use crate::listing;
use crate::script::from_value;
use crate::tournament::{Arena, MetaGame, Opening, Results, Running, Spec, Standings, run};

pub(super) fn register(engine: &mut Engine, desk: &Rc<LabContext>) {
    keep_with(engine);
    what_there_is(engine, desk);
    scenarios(engine);
    measures(engine);
    show::register(engine, desk);
    let own = desk.clone();
    engine.register_fn("tournament", move |call: Call, spec: Map| -> CallResult {
        own.work(call.call_position(), || tournament(&own, &of_map(spec, "the tournament")?))
    });
}

/// The language keeps the word for itself, and has no use for it.
fn keep_with(engine: &mut Engine) {
    // Marked as deprecated to say that it may change; the version is pinned.
    #[allow(deprecated)]
    engine.on_parse_token(|token, _, _| match token {
        Token::Reserved(word) if word.as_str() == "with" => Token::Identifier(word),
        token => token,
    });
}

fn what_there_is(engine: &mut Engine, desk: &Rc<LabContext>) {
    host!(engine, desk, "systems", |own| -> Dynamic {
        let all = listing::systems(&own.catalog.borrow(), &own.limits);
        Ok(from_value(&convert::of_found(&all.systems)))
    });
    host!(engine, desk, "system", |own, name: &str| -> Dynamic {
        let system = listing::system(&own.catalog.borrow(), name, &own.limits)?;
        Ok(from_value(&convert::of_found(&system)))
    });
    host!(engine, desk, "add_rules", |own, path: &str| -> () {
        let path = files::word(&own, path)?;
        let path = files::within("read", Path::new(&path))?;
        let over = own.catalog.borrow().with(&path)?;
        own.catalog.replace(over);
        // What was added last goes before.
        own.rules.borrow_mut().insert(0, path.clone());
        own.has_more.set(true);
        Ok(())
    });
    host!(engine, desk, "scenario", |own, word: &str| -> Opened { Opened::find(&own, word) });
    host!(engine, desk, "scenario", |own, map: Map| -> Opened {
        Opened::made(&own, &of_map(map, "the scenario")?)
    });
}

/// The commands that scripts call without options, and those that take a map of them.
const ALONE: [(&str, ResultKind); 3] = [
    ("portrait", ResultKind::Portrait),
    ("solve", ResultKind::Solution),
    ("exploit", ResultKind::Exploited),
];
const WITH_OPTIONS: [(&str, ResultKind); 3] = [
    ("portrait", ResultKind::Portrait),
    ("tune", ResultKind::Tuned),
    ("solve", ResultKind::Solution),
];

/// Registers a function of a scenario, whose work is done as [`LabContext::beside`] or [`LabContext::work`] do it.
macro_rules! method {
    ($engine:ident, $how:ident, $name:expr, |$one:ident $(, $argument:ident: $kind:ty)*| $work:expr) => {
        $engine.register_fn($name, move |call: Call, $one: &mut Opened $(, $argument: $kind)*| {
            $one.desk.$how(call.call_position(), || $work)
        });
    };
}

fn scenarios(engine: &mut Engine) {
    method!(engine, beside, "house", |one, name: &str| one.house(name));
    method!(engine, beside, "with", |one, params: Map| one.with(&of_map(params, "params")?));
    method!(engine, beside, "setup", |one, setup: Map| one.setup(of_map(setup, "setup")?));
    method!(engine, beside, "setup", |one, text: &str| one.setup(setup_of(text)?));
    method!(engine, beside, "seat", |one, seat: &str, agent: &str| one.seat(seat, agent));
    engine
        .register_type_with_name::<Opened>("Scenario")
        .register_get("name", |one: &mut Opened| one.conflict.scenario.name.clone())
        .register_get("system", |one: &mut Opened| one.conflict.scenario.system.clone())
        .register_get("title", |one: &mut Opened| {
            one.conflict.scenario.title.clone().unwrap_or_default()
        })
        .register_get("params", |one: &mut Opened| -> Map {
            let params = one.conflict.rules.params().iter();
            params.map(|(name, value)| (name.into(), from_value(value))).collect()
        })
        .register_get("seats", |one: &mut Opened| -> Map {
            let seats = one.conflict.seats.iter();
            seats.map(|(seat, agent)| (seat.into(), agent.into())).collect()
        })
        .register_get("players", |call: Call, one: &mut Opened| -> CallResult<Array> {
            one.desk.beside(call.call_position(), || {
                Ok(one.seating()?.players.names.iter().map(|name| name.as_str().into()).collect())
            })
        })
        .register_fn("to_string", |one: &mut Opened| one.title())
        .register_fn("print", |one: &mut Opened| one.title());
}

fn measures(engine: &mut Engine) {
    for (name, kind) in ALONE {
        method!(engine, work, name, |one| one.run(name, kind, &[], None));
    }
    for (name, kind) in WITH_OPTIONS {
        method!(engine, work, name, |one, options: Map| {
            one.run(name, kind, &one.words(name, &options_of(options)?)?, None)
        });
    }
    method!(engine, beside, "play", |one| play(one, one.desk.next_seed()));
    method!(engine, beside, "play", |one, seed: INT| play(one, convert::seed(seed)?));
    method!(engine, work, "odds", |one| {
        one.run("odds", ResultKind::Odds, &["--whole".to_owned()], None)
    });
    method!(engine, work, "estimate", |one, n: INT| estimate(one, n, None));
    method!(engine, work, "estimate", |one, n: INT, seed: INT| {
        estimate(one, n, Some(convert::seed(seed)?))
    });
    method!(engine, work, "exploit", |one, seat: &str| {
        one.run("exploit", ResultKind::Exploited, &[format!("--opponent={seat}")], None)
    });
    method!(engine, work, "compare", |one, other: Opened| one.compare(&other, &IndexMap::new()));
    method!(engine, work, "compare", |one, other: Opened, n: INT| {
        let n = convert::count(n, "the number of playouts")?;
        one.compare(&other, &[("n".to_owned(), Value::Int(n as i64))].into_iter().collect())
    });
    method!(engine, work, "compare", |one, other: Opened, options: Map| {
        one.compare(&other, &options_of(options)?)
    });
    method!(engine, work, "sweep", |one, name: &str, values: Dynamic| {
        sweep(one, Sampling::PLAYOUTS as INT, || named_measure(name, &values))
    });
    method!(engine, work, "sweep", |one, name: &str, values: Dynamic, n: INT| {
        sweep(one, n, || named_measure(name, &values))
    });
    method!(engine, work, "sweep", |one, all: Map| {
        sweep(one, Sampling::PLAYOUTS as INT, || of_map(all, "the sweep"))
    });
    method!(engine, work, "sweep", |one, all: Map, n: INT| {
        sweep(one, n, || of_map(all, "the sweep"))
    });
}

fn of_map(map: Map, what: &str) -> Result<Value, Error> {
    convert::of_dynamic(&Dynamic::from_map(map), what)
}

fn options_of(options: Map) -> Result<IndexMap<String, Value>, Error> {
    Ok(match of_map(options, "the options")? {
        Value::Map(options) => options,
        _ => IndexMap::new(),
    })
}

fn estimate(one: &Opened, n: INT, seed: Option<u64>) -> Result<WorkResult, Error> {
    let n = convert::count(n, "the number of playouts")?;
    let seed = seed.map(|seed| format!("--seed={seed}"));
    let words: Vec<String> = std::iter::once(format!("-n={n}")).chain(seed).collect();
    one.run("estimate", ResultKind::Odds, &words, None)
}

fn play(one: &Opened, seed: u64) -> Result<Dynamic, Error> {
    Ok(ResultKind::Played.marked(&convert::of_found(&one.play(seed)?)))
}

fn sweep(
    one: &Opened,
    n: INT,
    parameters: impl FnOnce() -> Result<Value, Error>,
) -> Result<WorkResult, Error> {
    let n = convert::count(n, "the number of playouts")?;
    // Behind the `--` no name is an option, which might write a file.
    let mut words = vec![format!("-n={n}"), "--".to_owned()];
    words.extend(listed(&parameters()?)?);
    one.run("sweep", ResultKind::Sweep, &words, None)
}

/// A setup written as TOML, whose tables keep their order.
fn setup_of(text: &str) -> Result<Value, Error> {
    use crate::catalog::{Document, FileText};
    let text = FileText { path: "the setup".to_owned(), text: text.to_owned() };
    Document::parse(text).map(|document| document.root)
}

/// What a script hands over as parameters: a name and its values, as a map.
fn named_measure(name: &str, values: &rhai::Dynamic) -> Result<Value, Error> {
    let values = convert::of_dynamic(values, name)?;
    Ok(Value::Map([(name.to_owned(), values)].into_iter().collect()))
}

impl Opened {
    /// The differences to another scenario, of the odds and of what the conflict is like.
    pub(super) fn compare(
        &self,
        other: &Opened,
        options: &IndexMap<String, Value>,
    ) -> Result<WorkResult, Error> {
        let words = self.words("compare", options)?;
        let (changes, parts) = self.changed_to(other);
        let other = OtherConflict { conflict: &other.conflict, words: changes, parts };
        self.run("compare", ResultKind::Compared, &words, Some(other))
    }

    /// In words how another scenario differs, and the changes that make each of the differences alone. Of
    /// scenarios that differ in more than house rules and parameters, the other one.
    fn changed_to(&self, other: &Opened) -> (Vec<String>, Vec<Changes>) {
        let (own, its) = (&self.changes, &other.changes);
        let same = self.conflict.scenario.name == other.conflict.scenario.name
            && self.conflict.scenario.setup == other.conflict.scenario.setup
            && self.conflict.scenario.begin == other.conflict.scenario.begin
            && (&own.seats, &own.without) == (&its.seats, &its.without);
        let house = its.house.strip_prefix(&own.house[..]).filter(|_| same);
        let is = |one: &Setting, two: &Setting| one.name == two.name && one.value == two.value;
        let begins = its.params.len() >= own.params.len()
            && own.params.iter().zip(&its.params).all(|(one, two)| is(one, two));
        let params = begins.then(|| &its.params[own.params.len()..]);
        let (Some(house), Some(params)) = (house, params) else {
            return (vec![other.title()], vec![its.clone()]);
        };
        let mut all: Vec<(String, Changes)> = Vec::new();
        for name in house {
            let mut part = own.clone();
            part.house.push(name.clone());
            all.push((name.clone(), part));
        }
        for one in params {
            let mut part = own.clone();
            part.params.push(one.clone());
            all.push((format!("{}={}", one.name, one.value), part));
        }
        match all.is_empty() {
            true => (vec![other.title()], vec![its.clone()]),
            false => all.into_iter().unzip(),
        }
    }
}

/// Plays a tournament and returns its standings, as programs get them from `fracas tournament`.
pub(super) fn tournament(desk: &Rc<LabContext>, spec: &Value) -> Result<WorkResult, Error> {
    let mut given = Spec::from_value(spec)?;
    if spec.get("seed").is_none() {
        // A spec is kept as TOML, which has 63 bits.
        given.seed = desk.seed() & i64::MAX as u64;
    }
    for word in given.scenarios.iter_mut().chain(&mut given.agents).chain(&mut given.house) {
        *word = files::word(desk, word)?;
    }
    let catalog = desk.catalog.borrow();
    let arena = Arena::open(&given, &Opening::new(&catalog, &desk.limits))?;
    arena.warnings().iter().for_each(|warning| desk.note(warning));
    let mut results = Results::in_memory(&given, arena.conditions())?;
    let (interrupt, begins) = (desk.interrupt(), |total| desk.begins("games", total));
    let running = Running { threads: desk.threads, interrupt: &interrupt, begins: &begins };
    let run = run(&given, arena.conditions(), &arena, &mut results, running)?;
    let mut standings = Standings::of(&run.state);
    standings.meta = MetaGame::of(&standings.table, &run.state);
    let (kind, value) = (ResultKind::Standings, convert::of_found(&standings));
    Ok(WorkResult { kind, value, interrupted: run.interrupted })
}
