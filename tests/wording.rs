//! Tests that every question of the systems that ship has a text in a player's words.

use std::collections::BTreeSet;

use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Play};
use fracas::game::{Decision, Generator, Question, Stop, Value};
use fracas::script::{Limits, State};

use crate::support::{path, play, scenarios, told, unmanned};

/// How many playouts are looked at of each scenario.
const PLAYOUTS: u64 = 4;

/// Keeps one question of each name and each kind of options.
struct Asks {
    known: BTreeSet<(String, String)>,
    asked: Vec<(String, String, Vec<Value>, Value)>,
}

impl Asks {
    fn note(&mut self, decision: &Decision<'_>) -> Result<(), Stop> {
        let options = decision.options.values();
        let kind = options.first().map(|option| option.kind().to_owned()).unwrap_or_default();
        if self.known.insert((decision.name.to_owned(), kind)) {
            let view = decision.scene.view(decision.player)?;
            let (player, name) = (decision.player.to_owned(), decision.name.to_owned());
            self.asked.push((player, name, options, view));
        }
        Ok(())
    }
}

/// The questions of some playouts that have no text, or a text for what is not an option.
fn unworded(conflict: &Conflict) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for seed in 0..PLAYOUTS {
        let (mut generator, mut asks) =
            (Generator::playout(seed, 0), Asks { known, asked: Vec::new() });
        let played = play(conflict, |question| {
            if let Question::Decision(decision, _) = question {
                asks.note(decision)?;
            }
            Ok(generator.sample(question))
        });
        played.unwrap_or_else(|stop| panic!("{}: {}", conflict.scenario.name, told(stop)));
        known = asks.known;
        for (player, name, options, view) in asks.asked {
            let worded =
                conflict.rules.wording(&State::from_value(&view), &player, &name, &options);
            let about = format!("{}: {player}, {name}", conflict.scenario.name);
            match worded {
                Ok(wording) if wording.text.is_some() && wording.unknown.is_empty() => {}
                Ok(wording) => wrong.push(format!("{about}: {wording:?}")),
                Err(error) => wrong.push(format!("{about}: {error}")),
            }
        }
    }
    wrong
}

#[test]
fn every_question_of_the_systems_that_ship_has_words() {
    let catalog = Catalog::new(&[path("rules")]).unwrap();
    let mut wrong = Vec::new();
    for name in scenarios(&catalog) {
        wrong.extend(unworded(&unmanned(&catalog, &name)));
    }
    let changes = Changes::read(&["as_written".to_owned()], &[], &[]).unwrap();
    let joins = Conflict::open(&catalog, "last_stand/duel", &changes, &Limits::default()).unwrap();
    wrong.extend(unworded(&joins));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_attack_that_nobody_has_failed_in_is_not_said_to_fail() {
    // Nobody has dice. A tie is a failure only if it costs something.
    let text = r#"system = "last_stand"
[setup]
relevant_skill = "fight"
phase = "conflict"
teams = [ { name = "x", captain = "ann", initiating = true, morale = 8 }, { name = "y", captain = "bob", morale = 8 } ]
participants = [ { name = "ann", team = "x" }, { name = "bob", team = "y" } ]
[seats]
ann = "first"
bob = "first"
"#;
    let catalog = Catalog::new(&[path("rules")]).unwrap();
    for (cost, said) in [("tie_costs=0", "has no effect"), ("tie_costs=1", "fails")] {
        let file = FileText { path: "tie.toml".into(), text: text.to_owned() };
        let changes = Changes::read(&[], &[cost.to_owned()], &[]).unwrap();
        let scenario = Scenario::parse("tie", file).unwrap();
        let conflict = Conflict::of(&catalog, scenario, &changes, &Limits::default()).unwrap();
        let play = Play::begin(conflict, 1, &Limits::default()).unwrap();
        let said = format!("0 against 0: the attack {said}");
        assert!(play.events().iter().any(|event| event.text == said), "{cost}: no {said}");
    }
}
