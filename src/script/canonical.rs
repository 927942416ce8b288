//! Are two states the same? Their canonical bytes say: equal states have equal bytes, and no others.
//!
//! A value is a tag and what follows it; whole numbers are zigzag-coded in groups of 7 bits, lowest
//! first (as in Protocol Buffers), lengths likewise; maps are sorted by key, as Rhai keeps them.

use rhai::{Array, Dynamic, Identifier, Map};

use super::State;

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
    /// Writes the canonical bytes behind what is there.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        write(&self.0, bytes);
    }

    /// The state of canonical bytes; `None` for bytes that are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<State> {
        let mut rest = bytes;
        let value = read(&mut rest)?;
        rest.is_empty().then_some(State(value))
    }
}

fn write(value: &Dynamic, bytes: &mut Vec<u8>) {
    if let Ok(number) = value.as_int() {
        match u8::try_from(number) {
            Ok(small) if small < SMALL => bytes.push(SMALL | small),
            _ => {
                bytes.push(INT);
                write_number(((number << 1) ^ (number >> 63)) as u64, bytes);
            }
        }
    } else if let Ok(text) = value.as_immutable_string_ref() {
        bytes.push(TEXT);
        write_text(&text, bytes);
    } else if let Ok(truth) = value.as_bool() {
        bytes.push(if truth { TRUE } else { FALSE });
    } else if let Some(map) = value.read_lock::<Map>() {
        bytes.push(MAP);
        write_number(map.len() as u64, bytes);
        for (key, item) in map.iter() {
            write_text(key, bytes);
            write(item, bytes);
        }
    } else if let Some(items) = value.read_lock::<Array>() {
        bytes.push(LIST);
        write_number(items.len() as u64, bytes);
        items.iter().for_each(|item| write(item, bytes));
    } else {
        // A state is plain data, so this is `()`.
        bytes.push(UNIT);
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

fn read(bytes: &mut &[u8]) -> Option<Dynamic> {
    let (&tag, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(match tag {
        UNIT => Dynamic::UNIT,
        FALSE => false.into(),
        TRUE => true.into(),
        INT => {
            let coded = read_number(bytes)?;
            (((coded >> 1) as i64) ^ -((coded & 1) as i64)).into()
        }
        TEXT => read_text(bytes)?.into(),
        LIST => {
            let count = read_number(bytes)?;
            let mut items = Array::new();
            for _ in 0..count {
                items.push(read(bytes)?);
            }
            items.into()
        }
        MAP => {
            let count = read_number(bytes)?;
            let mut map = Map::new();
            for _ in 0..count {
                let key = Identifier::from(read_text(bytes)?);
                map.insert(key, read(bytes)?);
            }
            map.into()
        }
        SMALL.. => i64::from(tag & !SMALL).into(),
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
            let state = State::from_bytes(&bytes(&value)).unwrap();
            prop_assert_eq!(state.value(), value);
        }

        #[test]
        fn equal_states_have_equal_bytes_and_no_others(a in any_value(), b in any_value()) {
            prop_assert_eq!(a == b, bytes(&a) == bytes(&b));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Some(state) = State::from_bytes(&bytes) {
                state.value();
            }
        }
    }
}
