//! Compares an outcome with what a case expects and describes the first difference.

use crate::error::{hint, nearest};
use crate::game::Value;

/// The first difference between what is expected and an outcome, or `None`.
///
/// Tables are compared key by key, and keys left out are not compared; a list of tables may be
/// expected as a table from index to table. Everything else, lists in particular, is compared
/// whole. Numbers are compared by value.
pub(crate) fn compare(expected: &Value, actual: &Value) -> Option<String> {
    difference("", expected, actual)
}

fn difference(place: &str, expected: &Value, actual: &Value) -> Option<String> {
    match (expected, actual) {
        (Value::Map(parts), Value::Map(whole)) => parts.iter().find_map(|(key, part)| {
            let place = join(place, key);
            match whole.get(key) {
                Some(actual) => difference(&place, part, actual),
                None => {
                    let near = hint(&nearest(key, whole.keys().map(String::as_str)));
                    Some(format!("{}{near}", missing(&place, part)))
                }
            }
        }),
        (Value::Map(parts), Value::List(items)) => parts.iter().find_map(|(key, part)| {
            let place = join(place, key);
            match index(key).and_then(|index| items.get(index)) {
                Some(actual) => difference(&place, part, actual),
                None => Some(missing(&place, part)),
            }
        }),
        _ if expected == actual => None,
        _ => Some(format!(
            "{}expected {}, got {}",
            heading(place),
            expected.literal(),
            actual.literal()
        )),
    }
}

fn missing(place: &str, expected: &Value) -> String {
    format!("{}expected {}, but it is not there", heading(place), expected.literal())
}

fn heading(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!("{place}: ") }
}

fn join(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}

/// The index that a key is, if it is written without a sign and leading zeros.
fn index(key: &str) -> Option<usize> {
    key.parse().ok().filter(|index: &usize| index.to_string() == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTCOME: &str = r#"{"result": "attacker", "score": 2, "hand": [1, {"a": 1, "b": 2}],
        "wars": [{"paid": {"red": "1 ore"}, "region": "ford"}, {"paid": {}, "region": "hill"}]}"#;

    fn against(expected: &str) -> Option<String> {
        let read = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        compare(&read(expected), &read(OUTCOME))
    }

    #[test]
    fn what_is_left_out_is_not_compared() {
        for expected in [
            "{}",
            r#"{"score": 2.0}"#,
            r#"{"wars": {"1": {"region": "hill"}, "0": {"paid": {"red": "1 ore"}}}}"#,
            r#"{"wars": {}}"#,
            r#"{"hand": [1.0, {"b": 2, "a": 1}]}"#,
        ] {
            assert_eq!(against(expected), None, "{expected}");
        }
    }

    #[test]
    fn the_first_difference_is_named_with_its_place() {
        for (expected, message) in [
            (r#"{"result": "draw", "score": 3}"#, r#"result: expected "draw", got "attacker""#),
            (r#"{"score": "2"}"#, r#"score: expected "2", got 2"#),
            (r#"{"turns": 2}"#, "turns: expected 2, but it is not there"),
            (
                r#"{"reslut": "draw"}"#,
                r#"reslut: expected "draw", but it is not there; did you mean `result`?"#,
            ),
            (
                r#"{"wars": {"0": {"paid": {"red": "2 ore"}}}}"#,
                r#"wars.0.paid.red: expected "2 ore", got "1 ore""#,
            ),
            (r#"{"wars": {"2": {}}}"#, "wars.2: expected {}, but it is not there"),
            (r#"{"wars": {"01": {}}}"#, "wars.01: expected {}, but it is not there"),
            (r#"{"score": {}}"#, "score: expected {}, got 2"),
            // A table within a list compares whole: it may leave nothing out.
            (r#"{"hand": [1, {"a": 1}]}"#, r#"hand: expected [1,{"a":1}], got [1,{"a":1,"b":2}]"#),
        ] {
            assert_eq!(against(expected).as_deref(), Some(message), "{expected}");
        }
    }

    #[test]
    fn a_value_that_is_no_table_compares_whole() {
        let message = compare(&Value::Int(1), &Value::Int(2));
        assert_eq!(message.as_deref(), Some("expected 1, got 2"));
    }
}
