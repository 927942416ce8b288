//! Writes the playthrough of a conflict, from setup to outcome, step by step, as text.

use fracas::catalog::Scenario;
use fracas::conflict::Conflict;
use fracas::game::{Decision, Generator, Outcome, Question, Stop, Value};
use fracas::report::signed;
use fracas::script::{Ear, Run, State, Turn};
use indexmap::IndexMap;

use crate::support::{catalog, unmanned};

/// Everybody answers at random under this seed, so that changed agents change no golden file.
const SEED: u64 = 1;
/// Values that fit this many columns are written on one line.
const WIDE: usize = 100;
/// At most this many options are written out; the others are counted.
const SHOWN: usize = 16;

/// The playthrough of a scenario.
pub fn write(name: &str) -> String {
    let conflict = unmanned(&catalog(), name);
    let mut page = Page::default();
    page.heading(&conflict.scenario, &conflict);
    let mut generator = Generator::playout(SEED, 0);
    let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Events);
    let mut steps = 0;
    loop {
        match run.next().unwrap_or_else(|error| panic!("{name}: {error}")) {
            Turn::Event => page.line(1, &format!("* {}", run.event())),
            Turn::Question => {
                let answer = generator.sample(&run.question());
                page.asked(&run.question(), answer).unwrap();
                run.answer(answer);
            }
            Turn::Step => {
                let state = run.state().unwrap();
                page.laws(&conflict, state);
                if conflict.rules.outcome(state).unwrap().is_none() {
                    steps += 1;
                    page.step(&conflict, state, steps);
                }
            }
            Turn::Done => {
                page.end(&conflict, run.state().unwrap(), steps, run.outcome().unwrap());
                return page.text;
            }
        }
    }
}

/// The text so far, and what the reader has seen of the state.
#[derive(Default)]
struct Page {
    text: String,
    seen: IndexMap<String, Value>,
    picture: Option<String>,
}

impl Page {
    /// What is asked, and what is answered.
    fn asked(&mut self, question: &Question<'_>, answer: usize) -> Result<(), Stop> {
        match question {
            Question::Decision(decision, part) => {
                if part.is_some_and(|(nth, _)| nth == 0) {
                    self.line(1, "in secret, all at once");
                }
                self.question(decision)?;
                self.line(2, &format!("picks {}", decision.options.value(answer)));
            }
            Question::Chance(chance) => {
                let values = chance.distribution.values();
                let shown = values.iter().enumerate().take(SHOWN);
                let odds: Vec<String> = shown
                    .map(|(at, value)| format!("{value} ({})", chance.distribution.probability(at)))
                    .collect();
                let odds = format!("{}{}", odds.join(" | "), more(values.len()));
                self.line(1, &format!("chance, {} for {}: {odds}", chance.name, chance.roller));
                self.line(2, &format!("falls {}", values[answer]));
            }
        }
        Ok(())
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn heading(&mut self, scenario: &Scenario, conflict: &Conflict) {
        let title = scenario.title.as_deref().unwrap_or("no title");
        self.line(0, &format!("{}: {title}", scenario.name));
        self.line(0, &format!("Everybody plays at random, seed {SEED}."));
        self.line(0, "");
        self.line(0, "setup");
        self.entries(1, conflict.setup.value.as_map().into_iter().flatten());
        if !conflict.rules.params().is_empty() {
            self.line(0, "params");
            self.entries(1, conflict.rules.params());
        }
        if !conflict.rules.house().is_empty() {
            self.line(0, &format!("house rules: {}", conflict.rules.house().join(", ")));
        }
    }

    /// The state before a step: all of it at first, then what has changed.
    fn step(&mut self, conflict: &Conflict, state: &State, number: u64) {
        self.line(0, "");
        self.line(0, &format!("step {number}"));
        self.state(state);
        self.picture(conflict, state);
    }

    fn state(&mut self, state: &State) {
        let Value::Map(now) = state.value() else { return };
        let gone: Vec<&String> = self.seen.keys().filter(|key| !now.contains_key(*key)).collect();
        let gone: Vec<String> = gone.into_iter().cloned().collect();
        let changed: Vec<(&String, &Value)> =
            now.iter().filter(|(key, value)| self.seen.get(*key) != Some(value)).collect();
        if !changed.is_empty() {
            self.line(1, if self.seen.is_empty() { "state" } else { "state, where it changed" });
            self.entries(2, changed);
        }
        if !gone.is_empty() {
            self.line(1, &format!("no longer in the state: {}", gone.join(", ")));
        }
        self.seen = now;
    }

    fn picture(&mut self, conflict: &Conflict, state: &State) {
        let picture = conflict.rules.picture(state).unwrap();
        if picture == self.picture {
            return;
        }
        for line in picture.as_deref().unwrap_or_default().lines() {
            self.line(1, format!("| {line}").trim_end());
        }
        self.picture = picture;
    }

    fn laws(&mut self, conflict: &Conflict, state: &State) {
        let broken = conflict.rules.laws(state).unwrap();
        assert!(broken.is_empty(), "laws are broken: {broken:?}\n{}", self.text);
    }

    /// A question: the player, its name and options, and the view if it is not the whole state.
    fn question(&mut self, decision: &Decision<'_>) -> Result<(), Stop> {
        let options: Vec<String> =
            decision.options.values().iter().take(SHOWN).map(ToString::to_string).collect();
        let options = format!("{}{}", options.join(" | "), more(decision.options.len()));
        self.line(1, &format!("{}, {}? {options}", decision.player, decision.name));
        let (state, view) = (decision.scene.state(), decision.scene.view(decision.player)?);
        if state == view {
            return Ok(());
        }
        match (&state, &view) {
            (Value::Map(state), Value::Map(view)) => {
                let hidden: Vec<&str> = state
                    .keys()
                    .filter(|key| !view.contains_key(*key))
                    .map(String::as_str)
                    .collect();
                if !hidden.is_empty() {
                    self.line(2, &format!("does not see {}", hidden.join(", ")));
                }
                let other = view.iter().filter(|(key, value)| state.get(*key) != Some(value));
                for (key, value) in other {
                    self.entry(2, &format!("sees {key}"), value);
                }
            }
            _ => self.entry(2, "sees", &view),
        }
        Ok(())
    }

    fn end(&mut self, conflict: &Conflict, state: &State, steps: u64, outcome: &Outcome) {
        self.line(0, "");
        self.line(0, &format!("over after {steps} {}", if steps == 1 { "step" } else { "steps" }));
        self.state(state);
        self.picture(conflict, state);
        self.line(1, "outcome");
        self.line(2, &format!("result: {}", outcome.result));
        let utility: Vec<String> = outcome
            .utility
            .iter()
            .map(|(player, number)| format!("{player} {}", signed(*number)))
            .collect();
        self.line(2, &format!("utility: {}", utility.join(", ")));
        let rest = outcome.value().as_map().into_iter().flatten();
        self.entries(2, rest.filter(|(key, _)| !matches!(key.as_str(), "result" | "utility")));
    }

    fn entries<'a>(
        &mut self,
        depth: usize,
        entries: impl IntoIterator<Item = (&'a String, &'a Value)>,
    ) {
        for (key, value) in entries {
            self.entry(depth, key, value);
        }
    }

    /// A value after its name: on one line if it fits, else part by part.
    fn entry(&mut self, depth: usize, name: &str, value: &Value) {
        let line = format!("{name}: {value}");
        if 2 * depth + line.chars().count() <= WIDE {
            return self.line(depth, &line);
        }
        match value {
            Value::Map(map) => {
                self.line(depth, &format!("{name}:"));
                self.entries(depth + 1, map);
            }
            Value::List(items) if items.iter().all(is_plain) => {
                self.line(depth, &format!("{name}:"));
                let words: Vec<String> = items.iter().map(Value::to_string).collect();
                let mut line = String::new();
                for word in words {
                    if 2 * depth + line.chars().count() + word.chars().count() + 4 > WIDE {
                        self.line(depth + 1, &std::mem::take(&mut line));
                    }
                    line.push_str(if line.is_empty() { "" } else { ", " });
                    line.push_str(&word);
                }
                self.line(depth + 1, &line);
            }
            Value::List(items) => {
                self.line(depth, &format!("{name}:"));
                for (at, item) in items.iter().enumerate() {
                    self.entry(depth + 1, &format!("{}", at + 1), item);
                }
            }
            _ => self.line(depth, &line),
        }
    }
}

fn more(count: usize) -> String {
    if count > SHOWN { format!(" | and {} more", count - SHOWN) } else { String::new() }
}

fn is_plain(value: &Value) -> bool {
    value.as_map().is_none() && value.as_list().is_none()
}
