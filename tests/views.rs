//! Tests that views hide what they must: a player sees the same where only hidden things differ.

use fracas::conflict::Conflict;
use fracas::game::{Generator, Question, Value};
use fracas::script::{State, on_large_stack};
use indexmap::IndexMap;

use crate::support::{catalog, play, scenarios, told, unmanned};

/// Other states that look the same to a player as the given one, by exact construction.
type Others = fn(&Value, &str) -> Vec<Value>;

/// The systems with hidden things. To cover another, write its `Others` and add a line.
const HIDING: [(&str, Others); 3] =
    [("attrition", other_hands), ("kuhn_poker", another_card), ("territory", another_stack)];

/// How many playouts are compared, at every question.
const PLAYOUTS: u64 = 300;

/// Kuhn poker: the other player may hold any card but the player's own.
fn another_card(state: &Value, player: &str) -> Vec<Value> {
    let cards = state.get("cards").and_then(Value::as_map).unwrap();
    let Some(own) = cards.get(player) else { return Vec::new() };
    let possible = (1..=3).map(Value::Int).filter(|card| card != own);
    let other = cards.keys().find(|name| *name != player).unwrap();
    possible.map(|card| with(state, &["cards", other], card)).collect()
}

/// Attrition: the others may hold any cards, as many as they hold. (`war_die` keeps no bid in its
/// state before all are revealed, and hides nothing else.)
fn other_hands(state: &Value, player: &str) -> Vec<Value> {
    let hands = state.get("hands").and_then(Value::as_map).unwrap();
    let others = hands.iter().filter(|(name, _)| *name != player);
    let changed = others.flat_map(|(name, hand)| {
        let cards = hand.as_list().unwrap();
        let unknown = vec![Value::from("a card nobody has"); cards.len()];
        let turned: Vec<Value> = cards.iter().rev().cloned().collect();
        [unknown, turned].map(|hand| with(state, &["hands", name], Value::List(hand)))
    });
    changed.collect()
}

/// Territory: until the tokens are revealed, the other's may be any, as many as they are.
fn another_stack(state: &Value, player: &str) -> Vec<Value> {
    if state.get("phase") == Some(&"over".into()) {
        return Vec::new();
    }
    let stacks = state.get("stacks").and_then(Value::as_map).unwrap();
    let (other, tokens) = stacks.iter().find(|(name, _)| *name != player).unwrap();
    let abilities = ["isolationist", "aggressor", "advocate"];
    let height = tokens.as_list().unwrap().len();
    let all_alike = abilities.map(|ability| vec![Value::from(ability); height]);
    let mixed = (0..height).map(|at| Value::from(abilities[at % 3])).collect();
    let stacks = all_alike.into_iter().chain([mixed]);
    stacks.map(|stack| with(state, &["stacks", other], Value::List(stack))).collect()
}

/// A value with one of its parts replaced; every key on the way must be there.
fn with(value: &Value, path: &[&str], part: Value) -> Value {
    let Some((key, rest)) = path.split_first() else { return part };
    let mut map: IndexMap<String, Value> = value.as_map().unwrap().clone();
    let inner = with(&map[*key], rest, part);
    map.insert((*key).to_owned(), inner);
    Value::Map(map)
}

/// Answers at random, and keeps who was asked where and what they saw.
fn look(conflict: &Conflict, playout: u64) -> Vec<(String, Value, Value)> {
    let (mut generator, mut asked) = (Generator::playout(7, playout), Vec::new());
    let played = play(conflict, |question| {
        if let Question::Decision(decision, _) = question {
            let (scene, player) = (decision.scene, decision.player);
            asked.push((player.to_owned(), scene.state(), scene.view(player)?));
        }
        Ok(generator.sample(question))
    });
    played.unwrap_or_else(|stop| panic!("{}: {}", conflict.scenario.name, told(stop)));
    asked
}

#[test]
fn a_player_sees_the_same_whatever_is_hidden() {
    on_large_stack(|| {
        let catalog = catalog();
        for (system, others) in HIDING {
            let of_system = |name: &String| name.starts_with(&format!("{system}/"));
            let mut compared = 0;
            for name in scenarios(&catalog).into_iter().filter(of_system) {
                let conflict = unmanned(&catalog, &name);
                for playout in 0..PLAYOUTS {
                    for (player, state, seen) in look(&conflict, playout) {
                        for other in others(&state, &player) {
                            let sees = conflict.rules.view(&State::from_value(&other), &player);
                            assert_eq!(sees.unwrap(), seen, "{player} of {name} knows {other}");
                            compared += usize::from(other != state);
                        }
                    }
                }
            }
            assert!(compared > 100, "{system}: only {compared} states with other hidden things");
        }
    })
}

#[test]
fn a_view_at_a_question_is_the_view_of_that_state() {
    let catalog = catalog();
    for name in scenarios(&catalog) {
        let conflict = unmanned(&catalog, &name);
        for (player, state, seen) in look(&conflict, 0) {
            let sees = conflict.rules.view(&State::from_value(&state), &player).unwrap();
            assert_eq!(sees, seen, "{name}: what {player} sees of {state}");
        }
    }
}
