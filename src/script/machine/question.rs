//! Questions: how the machine stops at one, and how it is answered.

use std::sync::Arc;

use rhai::Position;

use super::code::Reg;
use super::events;
use super::host::{Host, no_such_call};
use super::offer::{check_who_and_what, offer, together};
use super::open_question::{OfferedDecision, OpenQuestion, QuestionKind};
use super::run::{Machine, Turn};
use super::value::{List, Map, Text, Value, fits};
use crate::script::diagnostics::type_names::a_word;
use crate::script::questions::effects::Effect;
use crate::script::sandbox::limits::{Fault, ITEMS, TEXT, fail, too_large};

impl Machine {
    /// The state as the script asked on it.
    pub(crate) fn scene(&self) -> &Value {
        let base = self.base();
        let receiver = self.question.as_ref().map_or(0, |question| question.receiver);
        &self.registers[base + receiver as usize]
    }

    /// Answers what was asked: an index for each who was asked. The machine can run on then.
    pub(crate) fn answer(&mut self, picked: &[usize]) -> Result<(), Fault> {
        let Some(question) = self.question.take() else { return Ok(()) };
        let at = question.at;
        let past = |name: &Text, index: usize| {
            fail(format!("`{name}`: the answer {index} is past the last option"), at)
        };
        let option = |decision: &OfferedDecision, index: usize| {
            decision.options.get(index).cloned().ok_or_else(|| past(&decision.name, index))
        };
        let first = picked.first().copied().unwrap_or_default();
        let value = match question.asked {
            QuestionKind::One(decision) => option(&decision, first)?,
            QuestionKind::Chance { name, distribution, .. } => {
                match distribution.values().get(first) {
                    Some(value) => super::convert::from_plain(value, &self.program.texts),
                    None => return Err(past(&name, first)),
                }
            }
            QuestionKind::Together(decisions) => {
                let mut picked = picked.iter();
                let mut answers = Map::with_capacity(decisions.len());
                for decision in decisions {
                    let alone = decision.options.len() == 1;
                    let index = if alone { 0 } else { picked.next().copied().unwrap_or_default() };
                    let option = option(&decision, index)?;
                    answers.insert(decision.player, option);
                }
                Value::map(answers)
            }
            QuestionKind::Onto { decision, place, may_stop } => {
                let option = option(&decision, first)?;
                if may_stop && first + 1 == decision.options.len() {
                    Value::Unit
                } else {
                    self.push_onto(question.receiver, &place, &option, 1, at)?;
                    // It is asked again until the list is full.
                    if let Some(frame) = self.frames.last_mut() {
                        frame.next -= 1;
                    }
                    return Ok(());
                }
            }
        };
        let base = self.base();
        self.registers[base + question.to as usize] = value;
        Ok(())
    }

    fn base(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base as usize)
    }

    #[inline(never)]
    pub(super) fn ask(
        &mut self,
        host: &Host,
        what: Effect,
        (base, at, to, receiver): (usize, Reg, Reg, Reg),
        place: Position,
    ) -> Result<Option<Turn>, Fault> {
        let first = base + at as usize;
        let count = what.arguments() as usize;
        let wrong = |this: &Machine| {
            let on = std::iter::once(&this.registers[base + receiver as usize]);
            no_such_call(what.name(), on.chain(&this.registers[first..first + count]), place)
        };
        if !matches!(self.registers[base + receiver as usize], Value::Map(_)) {
            return Err(wrong(self));
        }
        let asked = match (what, &self.registers[first..first + count]) {
            (Effect::Choose, [Value::Text(player), Value::Text(name), Value::List(options)]) => {
                check_who_and_what(player, name, place)?;
                host.charge(options.len() as u64, place)?;
                QuestionKind::One(offer(player, name, options, place)?)
            }
            (Effect::Roll, [Value::Text(roller), Value::Text(name), Value::Distribution(made)]) => {
                check_who_and_what(roller, name, place)?;
                host.charge(made.values().len() as u64 / 16, place)?;
                let (roller, name) = (roller.clone(), name.clone());
                QuestionKind::Chance { roller, name, distribution: made.clone() }
            }
            (Effect::Secretly, [Value::Text(name), Value::Map(options)]) => {
                let each = options.iter().map(|(player, list)| (player, name, list));
                QuestionKind::Together(together(host, each, place)?)
            }
            (Effect::SecretlyDifferent, [Value::Map(questions)]) => {
                let mut each = Vec::new();
                for (player, question) in questions.iter() {
                    let one = question.as_map().filter(|question| question.len() == 1);
                    let Some((name, list)) = one.and_then(|question| question.iter().next()) else {
                        let must = "must have one question, `#{ name: options }`";
                        return Err(fail(format!("`choose_secretly`: `{player}` {must}"), place));
                    };
                    each.push((player, name, list));
                }
                QuestionKind::Together(together(host, each.into_iter(), place)?)
            }
            (Effect::Emit, [Value::Text(text)]) => {
                let text = text.clone();
                self.registers[base + to as usize] = Value::Unit;
                return events::one(host, text, place);
            }
            (Effect::EmitEach, [Value::List(texts)]) => {
                let texts = texts.clone();
                self.registers[base + to as usize] = Value::Unit;
                return events::each(host, &texts, place);
            }
            (
                Effect::ChooseOnto,
                [
                    Value::List(list),
                    Value::Int(length),
                    Value::Text(player),
                    Value::Text(name),
                    Value::List(options),
                ],
            ) => {
                check_who_and_what(player, name, place)?;
                host.charge(QUESTION + options.len() as u64, place)?;
                let decision = offer(player, name, options, place)?;
                let (list, length) = (list.clone(), *length);
                match self.onto(decision, &list, length, receiver, place)? {
                    Some(decision) => QuestionKind::Onto { decision, place: list, may_stop: false },
                    None => {
                        self.registers[base + to as usize] = Value::Unit;
                        return Ok(None);
                    }
                }
            }
            (
                Effect::ChooseSeveral | Effect::ChooseSeveralUpTo,
                [
                    Value::List(list),
                    Value::Text(player),
                    Value::Text(name),
                    Value::List(options),
                    Value::Int(least),
                    most @ ..,
                ],
            ) => {
                let most = match most {
                    [] => i64::MAX,
                    [Value::Int(most)] => *most,
                    _ => return Err(wrong(self)),
                };
                check_who_and_what(player, name, place)?;
                let (list, bounds) = (list.clone(), *least..most);
                let all = OfferedDecision {
                    player: player.clone(),
                    name: name.clone(),
                    options: options.clone(),
                };
                match self.several(host, all, &list, bounds, receiver, place)? {
                    Some((decision, may_stop)) => {
                        QuestionKind::Onto { decision, place: list, may_stop }
                    }
                    None => {
                        self.registers[base + to as usize] = Value::Unit;
                        return Ok(None);
                    }
                }
            }
            _ => return Err(wrong(self)),
        };
        let asks_nobody = match &asked {
            QuestionKind::One(decision) => decision.options.len() == 1,
            QuestionKind::Together(all) => all.iter().all(|decision| decision.options.len() == 1),
            QuestionKind::Chance { .. } | QuestionKind::Onto { .. } => false,
        };
        if !what.fills_a_list() {
            self.clear(first, count);
        }
        self.question = Some(OpenQuestion { asked, at: place, to, receiver });
        if asks_nobody {
            self.answer(&[0])?;
            return Ok(None);
        }
        Ok(Some(Turn::Asked))
    }

    /// What is asked next to fill a list; nothing where it is full.
    fn onto(
        &mut self,
        decision: OfferedDecision,
        place: &[Value],
        length: i64,
        receiver: Reg,
        at: Position,
    ) -> Result<Option<OfferedDecision>, Fault> {
        let name = &decision.name;
        let length = match usize::try_from(length.max(0)) {
            Ok(length) if length <= ITEMS => length,
            _ => return Err(fail(format!("`{name}`: at most {ITEMS} picks, got {length}"), at)),
        };
        let have = self.list_to_fill(receiver, place, name, at)?.len();
        if let [only] = &decision.options[..] {
            self.push_onto(receiver, place, only, length.saturating_sub(have), at)?;
            return Ok(None);
        }
        Ok((have < length).then_some(decision))
    }

    /// What is asked next to pick several, and whether the last option ends it; nothing where all are picked.
    fn several(
        &mut self,
        host: &Host,
        all: OfferedDecision,
        place: &[Value],
        length: std::ops::Range<i64>,
        receiver: Reg,
        at: Position,
    ) -> Result<Option<(OfferedDecision, bool)>, Fault> {
        let OfferedDecision { player, name, options } = all;
        let done = Value::text(DONE);
        if options.iter().any(|option| option.same(&done)) {
            let why = "ends the picking, so no option may be called so";
            return Err(fail(format!("`{name}`: `{DONE}` {why}"), at));
        }
        loop {
            let list = self.list_to_fill(receiver, place, &name, at)?;
            host.charge(QUESTION + (options.len() * (list.len() + 1) / 2) as u64, at)?;
            let is_new = |option: &&Value| !list.iter().any(|picked| picked.same(option));
            let mut left: Vec<Value> = options.iter().filter(is_new).cloned().collect();
            let have = i64::try_from(list.len()).unwrap_or(i64::MAX);
            if left.is_empty() || have >= length.end {
                return Ok(None);
            }
            let may_stop = have >= length.start;
            if may_stop {
                left.push(done.clone());
            }
            let decision = offer(&player, &name, &Arc::new(List::new(left)), at)?;
            match &decision.options[..] {
                [only] => self.push_onto(receiver, place, only, 1, at)?,
                _ => return Ok(Some((decision, may_stop))),
            }
        }
    }

    fn list_to_fill(
        &self,
        receiver: Reg,
        place: &[Value],
        name: &Text,
        at: Position,
    ) -> Result<&[Value], Fault> {
        let wrong = |text: String| Err(fail(text, at));
        if let Some(key) = place.iter().find(|key| key.as_text().is_none()) {
            let kind = a_word(key.type_name());
            return wrong(format!("a place in the state is a list of texts, got {kind} in it"));
        }
        if place.is_empty() {
            let why = "the place of the list is empty; it is named by keys, such as `[\"hands\", \"red\"]`";
            return wrong(format!("`{name}`: {why}"));
        }
        match within(&self.registers[self.base() + receiver as usize], place)
            .and_then(Value::as_list)
        {
            Some(list) => Ok(list),
            None => {
                let place: Vec<&str> =
                    place.iter().filter_map(Value::as_text).map(Text::as_str).collect();
                let place = crate::report::tame_message(&place.join("."));
                wrong(format!("`{name}`: the state has no list `{place}`"))
            }
        }
    }

    /// Puts an item onto the list at a place, this many times.
    fn push_onto(
        &mut self,
        receiver: Reg,
        place: &[Value],
        item: &Value,
        times: usize,
        at: Position,
    ) -> Result<(), Fault> {
        let one = item.size();
        let most = usize::try_from(one.items.max(one.entries).max(one.bytes)).unwrap_or(ITEMS);
        if most.saturating_mul(times) > TEXT {
            return Err(too_large("Size of array", at));
        }
        let base = self.base();
        let mut whole = std::mem::take(&mut self.registers[base + receiver as usize]);
        push_at(&mut whole, place, item, times);
        let result = fits(&whole, at);
        self.registers[base + receiver as usize] = whole;
        result
    }
}

/// Each question takes at least the time of this many operations.
const QUESTION: u64 = 4;

/// The option that ends the picking of several.
const DONE: &str = "done";

/// Puts an item onto the list to which keys lead, this many times, and counts how large all is.
fn push_at(value: &mut Value, keys: &[Value], item: &Value, times: usize) -> Option<()> {
    let [key, rest @ ..] = keys else {
        let list = value.as_list_mut()?;
        (0..times).for_each(|_| list.push(item.clone()));
        return Some(());
    };
    let map = value.as_map_mut()?;
    let place = map.place(key.as_text()?).ok()?;
    let inner = map.item_mut(place);
    let before = inner.size();
    push_at(inner, rest, item, times)?;
    let after = inner.size();
    map.resized(before, after);
    Some(())
}

fn within<'v>(mut value: &'v Value, keys: &[Value]) -> Option<&'v Value> {
    for key in keys {
        value = value.as_map()?.get_text(key.as_text()?)?;
    }
    Some(value)
}
