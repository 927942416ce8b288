//! The outcome of a playout: a result in a word, and each player's utility.

use std::fmt;
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

use super::Value;

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
        let (result, utility) = (map.get("result").cloned(), map.get("utility").cloned());
        Outcome::read(result, utility, move || value)
    }

    /// Reads the two keys that each outcome has. The whole map is made only when it is used: most
    /// playouts are asked for their numbers alone.
    ///
    /// # Errors
    /// A text that names the missing or wrong key.
    pub fn read(
        result: Option<Value>,
        utility: Option<Value>,
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
        let whole = Arc::new(LazyLock::new(Box::new(whole) as Box<_>));
        Ok(Outcome { result, utility, exact, whole })
    }

    /// The outcome of what has not ended yet.
    pub fn none() -> Outcome {
        let whole: Whole = LazyLock::new(Box::new(|| Value::Unit));
        let (utility, exact) = (IndexMap::new(), IndexMap::new());
        Outcome { result: String::new(), utility, exact, whole: Arc::new(whole) }
    }

    /// The whole outcome map as the rules gave it, `result` and `utility` included.
    pub fn value(&self) -> &Value {
        &self.whole
    }
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
