//! Converts plain data between scripts and the host.

use rhai::{Array, Dynamic, Map};

use super::diagnostics::type_names::a_word;
use crate::game::Value;

/// Data nested deeper than this is refused: no conflict needs it, and every walk is recursive.
pub(super) const DEEPEST: usize = 64;

/// A script's value as plain data.
pub(crate) fn to_value(value: &Dynamic, place: &str) -> Result<Value, String> {
    convert(value, 0, false).map_err(|fault| fault.at(place))
}

/// Plain data as a script's value. Maps are sorted there.
pub(crate) fn from_value(value: &Value) -> Dynamic {
    match value {
        Value::Unit => Dynamic::UNIT,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(items) => items.iter().map(from_value).collect::<Array>().into(),
        Value::Map(map) => {
            map.iter().map(|(key, item)| (key.into(), from_value(item))).collect::<Map>().into()
        }
    }
}

/// Checks that a state is plain data: maps, arrays, texts, whole numbers, booleans, `()`.
pub(super) fn check_data(data: &Dynamic, place: &str) -> Result<(), String> {
    convert(data, 0, true).map(drop).map_err(|fault| fault.at(place))
}

/// A value that is not plain data, and the way there from the inside out.
struct ConversionFault {
    what: String,
    path: Vec<String>,
}

impl ConversionFault {
    fn at(self, place: &str) -> String {
        let path: String = self.path.into_iter().rev().collect();
        format!("`{place}{path}` is {}", self.what)
    }

    fn under(mut self, key: String) -> ConversionFault {
        self.path.push(key);
        self
    }
}

/// Of a state, numbers must be `whole` and letters texts.
fn convert(value: &Dynamic, depth: usize, whole: bool) -> Result<Value, ConversionFault> {
    if let Some(scalar) = scalar(value) {
        let is_strange = whole && (value.is_float() || value.is_char());
        return if is_strange { Err(not_plain(value)) } else { Ok(scalar) };
    }
    if depth > DEEPEST {
        let what = format!("nested deeper than {DEEPEST} levels");
        return Err(ConversionFault { what, path: Vec::new() });
    }
    let part = |part: &Dynamic, key: &dyn Fn() -> String| {
        convert(part, depth + 1, whole).map_err(|fault| fault.under(key()))
    };
    if let Some(map) = value.read_lock::<Map>() {
        let parts = map.iter();
        let parts =
            parts.map(|(key, item)| Ok((key.to_string(), part(item, &|| format!(".{key}"))?)));
        return Ok(Value::Map(parts.collect::<Result<_, _>>()?));
    }
    if let Some(items) = value.read_lock::<Array>() {
        let parts = items.iter().enumerate();
        let parts = parts.map(|(i, item)| part(item, &|| format!("[{i}]")));
        return Ok(Value::List(parts.collect::<Result<_, _>>()?));
    }
    Err(not_plain(value))
}

fn scalar(value: &Dynamic) -> Option<Value> {
    if let Ok(number) = value.as_int() {
        return Some(Value::Int(number));
    }
    if let Ok(truth) = value.as_bool() {
        return Some(Value::Bool(truth));
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Some(Value::Text(text.as_str().to_owned()));
    }
    if let Ok(letter) = value.as_char() {
        return Some(Value::Text(letter.to_string()));
    }
    if let Ok(number) = value.as_float() {
        return Some(Value::Float(number));
    }
    value.is_unit().then_some(Value::Unit)
}

fn not_plain(value: &Dynamic) -> ConversionFault {
    let (what, instead) = match value.type_name() {
        "f64" => ("a number that is not whole".to_owned(), ""),
        "char" => ("a single character".to_owned(), ": write a text"),
        other => (a_word(other), ""),
    };
    ConversionFault { what: format!("{what}, which is not plain data{instead}"), path: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_plain_data_is_named_with_its_place() {
        let engine = rhai::Engine::new();
        let error = |code: &str| check_data(&engine.eval(code).unwrap(), "this").unwrap_err();
        assert!(error("#{ a: [1, 0.5] }").starts_with("`this.a[1]` is a number that is not whole"));
        assert!(error("#{ f: |x| x }").starts_with("`this.f` is a function"));
        assert!(error("#{ t: 'c' }").contains("single character"));
        assert!(error("#{ r: 1..=3 }").starts_with("`this.r` is a range, which is not"));
        let mut deep = Value::Unit;
        for _ in 0..80 {
            deep = Value::List(vec![deep]);
        }
        assert!(check_data(&from_value(&deep), "this").unwrap_err().contains("nested deeper"));
        assert!(to_value(&from_value(&deep), "x").unwrap_err().contains("nested deeper"));
    }

    #[test]
    fn data_comes_back_as_it_went() {
        let text = r#"{"a": [1, true, null, "x", 0.5], "b": {"c": []}}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(to_value(&from_value(&value), "x").unwrap(), value);
    }
}
