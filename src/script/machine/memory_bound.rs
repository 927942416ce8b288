//! An upper bound on the memory of a machine that is suspended at a question.

use super::open_question::{OfferedDecision, OpenQuestion, QuestionKind};
use super::run::Machine;
use super::value::{ENTRY, ITEM, ONE, Text, Value};

impl Machine {
    /// The most bytes that it may take; what it shares with others counts whole.
    pub(crate) fn bytes(&self) -> usize {
        let values = self.registers.iter().map(of_value).sum::<usize>();
        let rooms = size_of_val(&*self.registers) + size_of_val(&*self.frames);
        values + rooms + self.question().map_or(0, of_question)
    }
}

fn of_question(question: &OpenQuestion) -> usize {
    let one = |asked: &OfferedDecision| size_of::<OfferedDecision>() + asked.options.size().held();
    match &question.asked {
        QuestionKind::One(decision) => one(decision),
        QuestionKind::Together(all) => all.iter().map(one).sum(),
        QuestionKind::Chance { distribution, .. } => distribution.bytes(),
        QuestionKind::Onto { decision, place, .. } => one(decision) + place.size().held(),
    }
}

fn of_value(value: &Value) -> usize {
    let all = |items: &[Value]| items.iter().map(|item| ITEM + of_value(item)).sum::<usize>();
    match value {
        // The size of what is not plain data says too little.
        Value::List(list) if list.size().strange > 0 => ONE + all(list),
        Value::Map(map) if map.size().strange > 0 => {
            let entry = |(key, item): (&Text, &Value)| ENTRY + key.as_str().len() + of_value(item);
            ONE + map.iter().map(entry).sum::<usize>()
        }
        Value::Function(closure) => ONE + all(&closure.captured),
        Value::Distribution(made) => made.bytes(),
        Value::Reader(reader) => reader.bytes(),
        small if small.is_small() => 0,
        other => other.size().held(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{self, Distribution};
    use crate::script::machine::value::Map;
    use crate::script::sandbox::memory::live_bytes;

    /// What a value takes is no more than what is counted for it.
    fn holds(make: impl FnOnce() -> Value) {
        let before = live_bytes();
        let value = make();
        let taken = (live_bytes() - before) as usize;
        assert!(of_value(&value) >= taken, "{taken} bytes in {value:?}");
    }

    #[test]
    fn no_value_takes_more_than_is_counted() {
        let text = |i: usize| Text::new("x".repeat(i));
        holds(|| Value::Text(text(32)));
        holds(|| Value::Text(text(1000)));
        holds(|| Value::list((0..1000).map(Value::Int).collect()));
        holds(|| Value::list((0..100).map(|_| Value::list(Vec::new())).collect()));
        holds(|| Value::list((0..100).map(|i| Value::Text(text(i))).collect()));
        holds(|| Value::map((0..50).map(|i| (text(i), Value::Text(text(i)))).collect()));
        holds(|| Value::map((0..50).map(|i| (text(i), Value::map(Map::default()))).collect()));
        // Lists that grew have room left.
        holds(|| {
            let mut list = Value::list(Vec::new());
            (0..1025).for_each(|i| list.as_list_mut().unwrap().push(Value::Int(i)));
            list
        });
    }

    #[test]
    fn distributions_count_where_they_lie() {
        let made = || {
            let falls =
                (0..200).map(|i| (game::Value::Int(i), num_bigint::BigUint::from(1u8) << 70));
            Value::Distribution(Arc::new(Distribution::new(falls).unwrap()))
        };
        holds(made);
        holds(|| Value::list(vec![made(), Value::list(vec![made()])]));
        holds(|| Value::map([(Text::new("a"), made())].into_iter().collect()));
    }
}
