//! The canonical text of a spec, equal for equal specs: one line for each key, in a fixed order.

use super::{Allocate, Spec};
use crate::game::Value;

/// The canonical text; it is TOML that reads back as the same spec.
pub(super) fn text(spec: &Spec) -> String {
    let mut lines = Vec::new();
    let mut line = |key: &str, value: String| lines.push(format!("{key} = {value}\n"));
    if let Some(title) = &spec.title {
        line("title", quoted(title));
    }
    line("scenarios", list(&spec.scenarios));
    line("agents", list(&spec.agents));
    line("format", quoted(spec.format.word()));
    line("games", spec.games.to_string());
    if let Some(rounds) = spec.rounds {
        line("rounds", rounds.to_string());
    }
    line("house", list(&spec.house));
    line("seed", spec.seed.to_string());
    if !spec.exact {
        line("exact", "false".to_owned());
    }
    if let Some(within) = spec.stop.within {
        line("stop.within", float(within));
    }
    if let Some(sprt) = spec.stop.sprt {
        let [elo0, elo1] = [sprt.elo0, sprt.elo1].map(float);
        let [alpha, beta] = [sprt.alpha, sprt.beta].map(float);
        line(
            "stop.sprt",
            format!("{{ elo0 = {elo0}, elo1 = {elo1}, alpha = {alpha}, beta = {beta} }}"),
        );
    }
    if spec.stop.allocate != Allocate::Even {
        line("stop.allocate", quoted(spec.stop.allocate.word()));
    }
    lines.concat()
}

/// A text as JSON writes it, which TOML reads as the same text.
fn quoted(text: &str) -> String {
    Value::from(text).literal()
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A number that is not whole to TOML: `15.0`.
fn float(number: f64) -> String {
    format!("{number:?}")
}
