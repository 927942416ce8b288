//! Canonical bytes of states: equal states have equal bytes, and different states different ones.
//!
//! A value is a tag and what follows it; whole numbers are zigzag-coded in groups of 7 bits, lowest
//! first (as in Protocol Buffers), lengths likewise; maps are sorted by key.

use crate::script::State;
use crate::script::machine::{Map, Texts, Value};
use crate::script::rules::Rules;

const UNIT: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const INT: u8 = 3;
const TEXT: u8 = 4;
const LIST: u8 = 5;
const MAP: u8 = 6;
/// Whole numbers from 0 to 127 are one byte: this and the number.
const SMALL: u8 = 128;

impl State {
    pub(crate) fn write_bytes(&self, bytes: &mut Vec<u8>) {
        write(&self.0, bytes);
    }

    /// The state that canonical bytes encode; `None` if they encode none. Texts that the rules
    /// contain are taken from `texts`, which makes them faster.
    pub(in crate::script) fn read_bytes(bytes: &[u8], texts: &Texts) -> Option<State> {
        let mut rest = bytes;
        let value = read(&mut rest, texts)?;
        rest.is_empty().then_some(State(value))
    }
}

impl Rules {
    /// The state that canonical bytes encode; `None` if they encode none.
    pub(crate) fn read_state(&self, bytes: &[u8]) -> Option<State> {
        State::read_bytes(bytes, &self.runner.program().texts)
    }
}

pub(in crate::script) fn write(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Int(number) => match u8::try_from(*number) {
            Ok(small) if small < SMALL => bytes.push(SMALL | small),
            _ => {
                bytes.push(INT);
                write_number(((number << 1) ^ (number >> 63)) as u64, bytes);
            }
        },
        Value::Text(text) => {
            bytes.push(TEXT);
            write_text(text.as_str(), bytes);
        }
        Value::Bool(truth) => bytes.push(if *truth { TRUE } else { FALSE }),
        Value::Map(map) => {
            bytes.push(MAP);
            write_number(map.len() as u64, bytes);
            for (key, item) in map.iter() {
                write_text(key.as_str(), bytes);
                write(item, bytes);
            }
        }
        Value::List(items) => {
            bytes.push(LIST);
            write_number(items.len() as u64, bytes);
            items.iter().for_each(|item| write(item, bytes));
        }
        // A state is plain data, so this is `()`.
        _ => bytes.push(UNIT),
    }
}

fn write_text(text: &str, bytes: &mut Vec<u8>) {
    write_number(text.len() as u64, bytes);
    bytes.extend_from_slice(text.as_bytes());
}

fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut &[u8], texts: &Texts) -> Option<Value> {
    let (&tag, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(match tag {
        UNIT => Value::Unit,
        FALSE => Value::Bool(false),
        TRUE => Value::Bool(true),
        INT => {
            let coded = read_number(bytes)?;
            Value::Int(((coded >> 1) as i64) ^ -((coded & 1) as i64))
        }
        TEXT => Value::Text(texts.find(read_text(bytes)?)),
        LIST => {
            let count = read_number(bytes)?;
            let mut items = Vec::new();
            for _ in 0..count {
                items.push(read(bytes, texts)?);
            }
            Value::list(items)
        }
        MAP => {
            let count = read_number(bytes)?;
            let mut map = Map::default();
            for _ in 0..count {
                let key = texts.find(read_text(bytes)?);
                map.insert(key, read(bytes, texts)?);
            }
            Value::map(map)
        }
        SMALL.. => Value::Int(i64::from(tag & !SMALL)),
        _ => return None,
    })
}

fn read_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(read_number(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Value;

    fn bytes(value: &Value) -> Vec<u8> {
        let mut bytes = Vec::new();
        State::from_value(value).write_bytes(&mut bytes);
        bytes
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Unit),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::Int),
            (-3i64..200).prop_map(Value::Int),
            ".{0,4}".prop_map(Value::Text),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::List),
                proptest::collection::hash_map("[a-c]{0,3}", inner, 0..4)
                    .prop_map(|map| Value::Map(map.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn the_bytes_are_those_of_the_definition() {
        let value: Value = serde_json::from_str(r#"{"b": [127, 128, -1], "a": "x"}"#).unwrap();
        // 128 is coded as 256 = 0b10_0000000, -1 as 1; keys are sorted.
        let expected = [6, 2, 1, b'a', 4, 1, b'x', 1, b'b', 5, 3, 255, 3, 128, 2, 3, 1];
        assert_eq!(bytes(&value), expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn states_come_back_as_they_went(value in any_value()) {
            let state = State::read_bytes(&bytes(&value), &Texts::default()).unwrap();
            prop_assert_eq!(state.value(), value);
        }

        #[test]
        fn equal_states_have_equal_bytes_and_no_others(a in any_value(), b in any_value()) {
            prop_assert_eq!(a == b, bytes(&a) == bytes(&b));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Some(state) = State::read_bytes(&bytes, &Texts::default()) {
                state.value();
            }
        }
    }
}
