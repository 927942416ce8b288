//! How is a player asked the same thing again and again? Each pick goes onto a list of the state.

use std::rc::Rc;

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FuncRegistration, INT, ImmutableString, Map,
    NativeCallContext, Position,
};

use super::context::{Context, fail};
use super::effects::{charge, check_names, pick};
use super::engine::ITEMS;
use super::offered::distinct;
use crate::render::tame_message;

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// Each question takes at least the time of so many operations.
const QUESTION: u64 = 4;

/// Registers `choose_onto`, an effect like the others.
pub fn register(engine: &mut Engine, context: &Rc<Context>) {
    let shared = context.clone();
    FuncRegistration::new("choose_onto").with_volatility(true).register_into_engine(
        engine,
        move |call: NativeCallContext,
              state: &mut Map,
              place: Array,
              length: INT,
              player: ImmutableString,
              name: ImmutableString,
              options: Array| {
            choose_onto(&shared, &call, state, &place, length, &player, &name, options)
        },
    );
}

#[allow(clippy::too_many_arguments)]
fn choose_onto(
    context: &Rc<Context>,
    call: &NativeCallContext,
    state: &mut Map,
    place: &Array,
    length: INT,
    player: &str,
    name: &str,
    options: Array,
) -> Result<()> {
    let at = call.call_position();
    check_names([player, name], at)?;
    let options = distinct(name, player, options, at)?;
    let length = match usize::try_from(length.max(0)) {
        Ok(length) if length <= ITEMS => length,
        _ => return fail(format!("`{name}`: at most {ITEMS} picks, got {length}"), at),
    };
    let place = read_place(place, at)?;
    let none = || {
        let place: Vec<&str> = place.iter().map(ImmutableString::as_str).collect();
        let place = tame_message(&place.join("."));
        fail(format!("`{name}`: the state has no list `{place}`"), at)
    };
    while let Some(have) = within(state, &place, |list| list.len()) {
        if have >= length {
            return Ok(());
        }
        charge(context, QUESTION + options.len() as u64 / 8, at)?;
        let picked = pick(context, call, state, player, name, &options)?;
        if within(state, &place, |list| list.push(picked)).is_none() {
            return none();
        }
    }
    none()
}

fn read_place(place: &Array, at: Position) -> Result<Vec<ImmutableString>> {
    let key = |key: &Dynamic| {
        key.clone().into_immutable_string().or_else(|kind| {
            fail(format!("a place in the state is a list of texts, got a {kind} in it"), at)
        })
    };
    place.iter().map(key).collect()
}

/// Works on the list at a place of a map, if there is one.
fn within<T>(
    map: &mut Map,
    place: &[ImmutableString],
    work: impl FnOnce(&mut Array) -> T,
) -> Option<T> {
    let (key, rest) = place.split_first()?;
    let item = map.get_mut(key.as_str())?;
    if rest.is_empty() {
        item.as_array_mut().ok().map(|mut list| work(&mut list))
    } else {
        let mut inner = item.as_map_mut().ok()?;
        within(&mut inner, rest, work)
    }
}
