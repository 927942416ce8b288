//! How does a script ask? `choose`, `choose_secretly`, `roll`, `emit`.

use std::rc::Rc;

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FuncRegistration, ImmutableString, Map,
    NativeCallContext, Position,
};

use super::context::{Asking, Context, fail, unwind};
use super::distribution::Dist;
use super::limits::Stopped;
use super::memory::live_bytes;
use super::offered::{Offered, distinct};
use super::scripted_scene::ScriptScene;
use super::value::from_value;
use super::{events, series};
use crate::game::{Chance, Decision, Options};
use crate::render::tame_message;

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// Registers the effects: functions of the state, which is their first argument.
pub fn register(engine: &mut Engine, context: &Rc<Context>) {
    events::register(engine, context);
    series::register(engine, context);
    let shared = context.clone();
    FuncRegistration::new("choose").with_volatility(true).register_into_engine(
        engine,
        move |call: NativeCallContext,
              state: &mut Map,
              player: ImmutableString,
              name: ImmutableString,
              options: Array| choose(&shared, &call, state, &player, &name, options),
    );
    let shared = context.clone();
    FuncRegistration::new("choose_secretly").with_volatility(true).register_into_engine(
        engine,
        move |call: NativeCallContext, state: &mut Map, name: ImmutableString, options: Map| {
            choose_secretly(&shared, &call, state, &name, options)
        },
    );
    let shared = context.clone();
    FuncRegistration::new("choose_secretly").with_volatility(true).register_into_engine(
        engine,
        move |call: NativeCallContext, state: &mut Map, questions: Map| {
            choose_differently(&shared, &call, state, questions)
        },
    );
    let shared = context.clone();
    FuncRegistration::new("roll").with_volatility(true).register_into_engine(
        engine,
        move |call: NativeCallContext,
              state: &mut Map,
              roller: ImmutableString,
              name: ImmutableString,
              dist: Dist| roll(&shared, &call, state, &roller, &name, &dist),
    );
}

/// The effects' documentation: signature and what it does.
pub const DOCUMENTATION: [(&str, &str); 7] = [
    (
        "this.choose(player, name, options)",
        "Asks a player to pick one of a list; returns it. One option alone is not asked.",
    ),
    (
        "this.choose_onto(list, length, player, name, options)",
        "Asks a player the same again and again, until a list of the state is so long: each pick goes onto its end at once. `list` is its place in the state, such as `[\"stacks\", player]`.",
    ),
    (
        "this.choose_secretly(name, options)",
        "Asks several players at once, `#{ player: options, … }`; nobody sees another's. Returns `#{ player: picked, … }`.",
    ),
    (
        "this.choose_secretly(questions)",
        "The same where the players are asked different things, `#{ player: #{ name: options }, … }`.",
    ),
    (
        "this.roll(roller, name, distribution)",
        "Lets something fall for somebody; returns a value of the distribution.",
    ),
    ("this.emit(text)", "Announces an event, for people and for views."),
    ("this.emit_each(texts)", "Announces several events, one after another."),
];

/// The most bytes in the name of a player or a question.
const LONGEST_NAME: usize = 200;

pub(super) fn charge(context: &Context, work: u64, at: Position) -> Result<()> {
    if context.meter.charge(work) { Err(unwind(at)) } else { Ok(()) }
}

/// Names stand in every line that shows a question.
pub(super) fn check_names(names: [&str; 2], at: Position) -> Result<()> {
    for name in names {
        if name.len() > LONGEST_NAME {
            let start: String = name.chars().take(20).collect();
            let start = tame_message(&start);
            return fail(format!("a name has at most {LONGEST_NAME} bytes; got `{start}…`"), at);
        }
        if name.chars().any(char::is_control) {
            let name = tame_message(name);
            return fail(format!("a name holds no control characters; got `{name}`"), at);
        }
    }
    Ok(())
}

fn choose(
    context: &Rc<Context>,
    call: &NativeCallContext,
    state: &Map,
    player: &str,
    name: &str,
    options: Array,
) -> Result<Dynamic> {
    let at = call.call_position();
    check_names([player, name], at)?;
    charge(context, options.len() as u64 / 4, at)?;
    let options = distinct(name, player, options, at)?;
    pick(context, call, state, player, name, &options)
}

/// One of several different options, of which a player picks unless it is the only one.
pub(super) fn pick(
    context: &Rc<Context>,
    call: &NativeCallContext,
    state: &Map,
    player: &str,
    name: &str,
    options: &[Dynamic],
) -> Result<Dynamic> {
    if let [only] = options {
        return Ok(only.clone());
    }
    let at = call.call_position();
    let scene = ScriptScene { context, call, state, at };
    let offered = Offered(options);
    let decision = Decision { player, name, options: &offered, scene: &scene };
    context.note(player);
    let picked = context.answer(name, at, |handler| handler.decide(&decision))?;
    match options.get(picked) {
        Some(option) => Ok(option.clone()),
        None => past_the_last(name, picked, at),
    }
}

/// A player of a joint decision: who, what for, among what.
struct Asked {
    player: rhai::Identifier,
    name: ImmutableString,
    options: Array,
}

fn choose_secretly(
    context: &Rc<Context>,
    call: &NativeCallContext,
    state: &Map,
    name: &str,
    options: Map,
) -> Result<Map> {
    let name: ImmutableString = name.into();
    let asked = options.into_iter().map(|(player, list)| (player, name.clone(), list));
    choose_together(context, call, state, asked.collect())
}

fn choose_differently(
    context: &Rc<Context>,
    call: &NativeCallContext,
    state: &Map,
    questions: Map,
) -> Result<Map> {
    let mut asked = Vec::with_capacity(questions.len());
    for (player, question) in questions {
        let one = question.try_cast::<Map>().filter(|question| question.len() == 1);
        let Some((name, list)) = one.and_then(|question| question.into_iter().next()) else {
            return fail(
                format!(
                    "`choose_secretly`: `{player}` must have one question, `#{{ name: options }}`"
                ),
                call.call_position(),
            );
        };
        asked.push((player, name.as_str().into(), list));
    }
    choose_together(context, call, state, asked)
}

fn choose_together(
    context: &Rc<Context>,
    call: &NativeCallContext,
    state: &Map,
    questions: Vec<(rhai::Identifier, ImmutableString, Dynamic)>,
) -> Result<Map> {
    let at = call.call_position();
    let mut all = Vec::with_capacity(questions.len());
    for (player, name, list) in questions {
        let options = list.into_array().or_else(|kind| {
            fail(format!("`{name}`: `{player}` must have a list of options, got a {kind}"), at)
        })?;
        check_names([&player, &name], at)?;
        charge(context, options.len() as u64 / 4, at)?;
        let options = distinct(&name, &player, options, at)?;
        all.push(Asked { player, name, options });
    }
    let scene = ScriptScene { context, call, state, at };
    let offered: Vec<Offered> = all.iter().map(|one| Offered(&one.options)).collect();
    let asked: Vec<Decision> = all
        .iter()
        .zip(&offered)
        .filter(|(_, offered)| offered.len() > 1)
        .map(|(one, options)| Decision {
            player: &one.player,
            name: &one.name,
            options,
            scene: &scene,
        })
        .collect();
    let what = all.first().map(|one| one.name.clone()).unwrap_or_default();
    asked.iter().for_each(|decision| context.note(decision.player));
    let picked = if asked.is_empty() {
        Vec::new()
    } else {
        context.answer(&what, at, |handler| handler.decide_together(&asked))?
    };
    if picked.len() != asked.len() {
        return fail(
            format!("`{what}`: {} answers to {} questions", picked.len(), asked.len()),
            at,
        );
    }
    drop(asked);
    drop(offered);
    let mut picked = picked.into_iter();
    let mut answers = Map::new();
    for Asked { player, name, options } in all {
        let index = if options.len() > 1 { picked.next().unwrap_or_default() } else { 0 };
        answers.insert(player, take(options, index, &name, at)?);
    }
    Ok(answers)
}

fn roll(
    context: &Rc<Context>,
    call: &NativeCallContext,
    state: &Map,
    roller: &str,
    name: &str,
    dist: &Dist,
) -> Result<Dynamic> {
    let at = call.call_position();
    check_names([roller, name], at)?;
    charge(context, dist.0.values().len() as u64 / 16, at)?;
    let scene = ScriptScene { context, call, state, at };
    let chance = Chance { roller, name, distribution: &dist.0, scene: &scene };
    let fell = context.answer(name, at, |handler| handler.roll(&chance))?;
    match dist.0.values().get(fell) {
        Some(value) => Ok(from_value(value)),
        None => fail(format!("`{name}`: the answer {fell} is past the last value"), at),
    }
}

fn take(mut options: Array, index: usize, name: &str, at: Position) -> Result<Dynamic> {
    if index < options.len() {
        return Ok(options.swap_remove(index));
    }
    past_the_last(name, index, at)
}

fn past_the_last<T>(name: &str, index: usize, at: Position) -> Result<T> {
    fail(format!("`{name}`: the answer {index} is past the last option"), at)
}

/// Calls a function of the rules on a copy of the state, from within a question. It must not ask.
pub(super) fn look<T>(
    context: &Context,
    call: &NativeCallContext,
    state: &Map,
    function: &'static str,
    argument: Option<&str>,
    read: impl FnOnce(&Dynamic) -> T,
) -> std::result::Result<T, Box<EvalAltResult>> {
    let before = live_bytes();
    // With a count of its own: whoever looks must not change how far the playout comes.
    let (seen, stopped) = context.meter.nested(|| {
        context.asking(Asking::Refused(function), || {
            let mut this = Dynamic::from_map(state.clone());
            let mut argument = argument.map(|text| Dynamic::from(text.to_owned()));
            let mut arguments: Vec<&mut Dynamic> = vec![&mut this];
            arguments.extend(argument.as_mut());
            call.call_fn_raw(function, true, true, &mut arguments)
        })
    });
    // What was read belongs to whoever looks; all else that is still there, the script left.
    let (read, size) = match seen {
        Ok(seen) => {
            let held = live_bytes();
            let read = read(&seen);
            (Ok(read), live_bytes() - held)
        }
        Err(error) => (Err(error), 0),
    };
    context.meter.left_behind(live_bytes() - before - size);
    match stopped {
        None => read,
        Some(Stopped::Limit(limit)) => {
            fail(format!("`{function}`: limit passed: {limit}"), call.call_position())
        }
        Some(Stopped::Failed(error)) => fail(error.to_string(), call.call_position()),
        Some(other) => {
            context.meter.stop(other);
            Err(unwind(call.call_position()))
        }
    }
}
