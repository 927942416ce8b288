//! The outcome of a playout: a result in a word, each player's utility, and the parts that it is made of.

use std::fmt;
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

use super::Value;
use super::value::brief;
use crate::error::{hint, nearest};

/// The most bytes of a result: it is a word in tables, and many different ones are kept at once.
const LONGEST: usize = 1_000;

/// How a playout ended.
#[derive(Clone)]
pub struct Outcome {
    /// The result in a word: `"attacker"`, `"draw"`, …
    pub result: String,
    /// Each player's number for how it ended.
    pub utility: IndexMap<String, f64>,
    /// The same exactly as the rules gave it: whole numbers, floats, and fractions as pairs.
    pub exact: IndexMap<String, Value>,
    whole: Arc<Whole>,
}

/// The whole map, made on first use.
type Whole = LazyLock<Value, Box<dyn FnOnce() -> Value + Send>>;

impl Outcome {
    /// Reads an outcome map.
    ///
    /// # Errors
    /// A text that names the missing or wrong key.
    pub fn new(value: Value) -> Result<Outcome, String> {
        let map = value
            .as_map()
            .ok_or_else(|| format!("the outcome must be a map, got {}", value.kind()))?;
        let of = |key: &str| map.get(key).cloned();
        let (result, utility, parts) = (of("result"), of("utility"), of("parts"));
        Outcome::read(result, utility, parts, move || value)
    }

    /// Reads the two keys that each outcome has, and the parts if it has any. The whole map is made only
    /// when it is used: most playouts are asked for their numbers alone.
    ///
    /// # Errors
    /// A text that names the missing or wrong key.
    pub fn read(
        result: Option<Value>,
        utility: Option<Value>,
        parts: Option<Value>,
        whole: impl FnOnce() -> Value + Send + 'static,
    ) -> Result<Outcome, String> {
        let result = match result {
            Some(Value::Text(text)) if text.len() <= LONGEST => text,
            Some(Value::Text(text)) => {
                let got = text.len();
                return Err(format!(
                    "`result` must be a word or a sentence, of {LONGEST} bytes at most, got {got}"
                ));
            }
            Some(other) => return Err(format!("`result` must be a text, got {}", other.kind())),
            None => return Err("the outcome has no `result`".to_owned()),
        };
        let exact = match utility {
            Some(Value::Map(exact)) => exact,
            Some(other) => return Err(format!("`utility` must be a map, got {}", other.kind())),
            None => return Err("the outcome has no `utility`".to_owned()),
        };
        let mut utility = IndexMap::with_capacity(exact.len());
        for (player, number) in &exact {
            let number =
                number.as_utility().filter(|number| number.is_finite()).ok_or_else(|| {
                    let got = match number {
                        Value::Float(float) => float.to_string(),
                        Value::List(list) if matches!(list[..], [Value::Int(_), Value::Int(0)]) => {
                            format!("the pair {number}: a fraction over 0 is not a number")
                        }
                        other => other.kind().to_owned(),
                    };
                    format!(
                        "`utility.{player}` must be a finite number, or a pair as of `ratio(1, 3)`, got {got}"
                    )
                })?;
            utility.insert(player.clone(), number);
        }
        if let Some(parts) = parts {
            check_parts(&parts, &utility)?;
        }
        let whole = Arc::new(LazyLock::new(Box::new(whole) as Box<_>));
        Ok(Outcome { result, utility, exact, whole })
    }

    /// The outcome of what has not ended yet.
    pub fn none() -> Outcome {
        let whole: Whole = LazyLock::new(Box::new(|| Value::Unit));
        let (utility, exact) = (IndexMap::new(), IndexMap::new());
        Outcome { result: String::new(), utility, exact, whole: Arc::new(whole) }
    }

    /// What a player's utility is made of, by label: the greatest first, without those that are 0. Empty where
    /// the rules say nothing of it.
    pub fn parts(&self, player: &str) -> Vec<(&str, f64)> {
        let parts = self.value().get("parts").and_then(|parts| parts.get(player));
        let each = parts.and_then(Value::as_map).into_iter().flatten();
        let mut parts: Vec<(&str, f64)> =
            each.filter_map(|(label, part)| Some((label.as_str(), part.as_utility()?))).collect();
        parts.retain(|(_, part)| *part != 0.0);
        parts.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        parts
    }

    /// The whole outcome map as the rules gave it, `result` and `utility` included.
    pub fn value(&self) -> &Value {
        &self.whole
    }
}

/// Sums of floats that differ by less than this share of what was summed are the same but for rounding.
const ROUNDED: f64 = 1e-9;

/// Refuses parts that are not for the players of the utility, or do not sum to it.
fn check_parts(parts: &Value, utility: &IndexMap<String, f64>) -> Result<(), String> {
    let parts = parts.as_map().ok_or_else(|| {
        format!("`parts` must be a map, player -> label -> number, got {}", parts.kind())
    })?;
    if let Some(player) = parts.keys().find(|player| !utility.contains_key(*player)) {
        let near = hint(&nearest(player, utility.keys().map(String::as_str)));
        return Err(format!("`parts` names `{}`, who has no utility{near}", brief(player)));
    }
    for (player, utility) in utility {
        let labels = match parts.get(player) {
            Some(Value::Map(labels)) => labels,
            Some(other) => {
                let got = other.kind();
                return Err(format!("`parts.{player}` must be a map, label -> number, got {got}"));
            }
            None => return Err(format!("`parts` lacks `{player}`, who has a utility")),
        };
        let (mut sum, mut size) = (0.0, utility.abs());
        for (label, part) in labels {
            let place = || format!("`parts.{player}` at {:?}", brief(label));
            if label.len() > LONGEST {
                let got = label.len();
                return Err(format!("{}: a label has {LONGEST} bytes at most, got {got}", place()));
            }
            let number =
                part.as_utility().filter(|number| number.is_finite()).ok_or_else(|| {
                    let got = match part {
                        Value::Float(float) => float.to_string(),
                        other => other.kind().to_owned(),
                    };
                    format!(
                        "{} must be a finite number, or a pair as of `ratio(1, 3)`, got {got}",
                        place()
                    )
                })?;
            sum += number;
            size += number.abs();
        }
        if (sum - utility).abs() > ROUNDED * size {
            return Err(format!(
                "`parts.{player}` sums to {sum}, but `utility.{player}` is {utility}"
            ));
        }
    }
    Ok(())
}

impl PartialEq for Outcome {
    fn eq(&self, other: &Outcome) -> bool {
        self.value() == other.value()
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Outcome").field(self.value()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_sum_to_the_utility_or_the_player_and_both_numbers_are_named() {
        let read = |parts: &str| {
            let utility = r#"{"red": -1, "blue": [1, 3]}"#;
            let whole = format!(r#"{{"result": "a", "utility": {utility}, "parts": {parts}}}"#);
            Outcome::new(serde_json::from_str(&whole).unwrap())
        };
        let good = r#"{"red": {"2 mana paid": -4, "ford": 3, "hill": 0}, "blue": {"a": [1, 4], "b": [1, 12]}}"#;
        // What is 0 is left out, and what was gained is before what was lost.
        assert_eq!(read(good).unwrap().parts("red"), [("ford", 3.0), ("2 mana paid", -4.0)]);
        assert!(read(good).unwrap().parts("green").is_empty());
        for (parts, message) in [
            ("3", "`parts` must be a map, player -> label -> number, got a whole number"),
            (r#"{"red": {"ford": -1}}"#, "`parts` lacks `blue`, who has a utility"),
            (
                r#"{"red": {"ford": -1}, "bleu": {}}"#,
                "`parts` names `bleu`, who has no utility; did you mean `blue`?",
            ),
            (
                r#"{"red": 2, "blue": {}}"#,
                "`parts.red` must be a map, label -> number, got a whole number",
            ),
            (
                r#"{"red": {"ford": 3}, "blue": {}}"#,
                "`parts.red` sums to 3, but `utility.red` is -1",
            ),
            (
                r#"{"red": {"ford": "3"}, "blue": {}}"#,
                "`parts.red` at \"ford\" must be a finite number, or a pair as of `ratio(1, 3)`, got a text",
            ),
        ] {
            assert_eq!(read(parts).unwrap_err(), message, "{parts}");
        }
    }

    #[test]
    fn an_outcome_without_result_or_utility_is_refused_by_name() {
        let read = |json: &str| Outcome::new(serde_json::from_str(json).unwrap());
        assert!(read("{\"utility\": {}}").unwrap_err().contains("`result`"));
        assert!(read("{\"result\": \"a\"}").unwrap_err().contains("`utility`"));
        let error = read("{\"result\": \"a\", \"utility\": {\"red\": \"1\"}}").unwrap_err();
        assert!(error.contains("`utility.red`"), "{error}");
        assert_eq!(read("{\"result\": \"a\", \"utility\": {\"r\": 1}}").unwrap().utility["r"], 1.0);
        let pair =
            |pair: &str| read(&format!("{{\"result\": \"a\", \"utility\": {{\"r\": {pair}}}}}"));
        assert_eq!(pair("[-1, 4]").unwrap().utility["r"], -0.25);
        let error = pair("[1, 0]").unwrap_err();
        assert!(
            error.ends_with("got the pair [1, 0]: a fraction over 0 is not a number"),
            "{error}"
        );
        for wrong in ["[1]", "[1, 2, 3]", "[1, 2.5]"] {
            let error = pair(wrong).unwrap_err();
            assert!(error.contains("`ratio(1, 3)`") && error.contains("a list"), "{error}");
        }
    }
}
