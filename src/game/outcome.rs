//! How did a playout end? A result in a word, and each player's number.

use indexmap::IndexMap;

use super::Value;

/// How a playout ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The result in a word: `"attacker"`, `"draw"`, …
    pub result: String,
    /// Each player's number for how it ended.
    pub utility: IndexMap<String, f64>,
    /// The whole outcome map as the rules gave it, `result` and `utility` included.
    pub value: Value,
}

impl Outcome {
    /// Reads an outcome map.
    ///
    /// # Errors
    /// A text that names the missing or wrong key.
    pub fn new(value: Value) -> Result<Outcome, String> {
        let map = value
            .as_map()
            .ok_or_else(|| format!("the outcome must be a map, got {}", value.kind()))?;
        let result = match map.get("result") {
            Some(Value::Text(text)) => text.clone(),
            Some(other) => return Err(format!("`result` must be a text, got {}", other.kind())),
            None => return Err("the outcome has no `result`".to_owned()),
        };
        let table = match map.get("utility") {
            Some(Value::Map(table)) => table,
            Some(other) => return Err(format!("`utility` must be a map, got {}", other.kind())),
            None => return Err("the outcome has no `utility`".to_owned()),
        };
        let mut utility = IndexMap::new();
        for (player, number) in table {
            let number =
                number.as_utility().filter(|number| number.is_finite()).ok_or_else(|| {
                    let got = match number {
                        Value::Float(float) => float.to_string(),
                        Value::List(list) if matches!(list[..], [Value::Int(_), Value::Int(0)]) => {
                            format!("the pair {number}: a fraction over 0 is no number")
                        }
                        other => other.kind().to_owned(),
                    };
                    format!(
                        "`utility.{player}` must be a finite number, or a pair as of `ratio(1, 3)`, got {got}"
                    )
                })?;
            utility.insert(player.clone(), number);
        }
        Ok(Outcome { result, utility, value })
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
        assert!(error.ends_with("got the pair [1, 0]: a fraction over 0 is no number"), "{error}");
        for wrong in ["[1]", "[1, 2, 3]", "[1, 2.5]"] {
            let error = pair(wrong).unwrap_err();
            assert!(error.contains("`ratio(1, 3)`") && error.contains("a list"), "{error}");
        }
    }
}
