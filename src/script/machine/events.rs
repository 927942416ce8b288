//! Events that scripts announce. Where nobody listens no text is made, but errors and costs are the same.

use rhai::Position;

use super::code::{Program, Reg};
use super::host::{Host, no_such_call};
use super::joined_text::{TextEstimate, joined};
use super::run::{Machine, Turn};
use super::value::{Size, Text, Value};
use crate::script::diagnostics::type_names::a_word;
use crate::script::sandbox::limits::{Fault, TEXT, fail};

/// One event. To announce costs the same whether it is heard or not.
pub(super) fn one(host: &Host, text: Text, at: Position) -> Result<Option<Turn>, Fault> {
    host.charge(hearing(Size::of_text(text.as_str())), at)?;
    Ok(host.context.listens().then(|| Turn::Events(vec![text])))
}

/// An event for each text of a list.
pub(super) fn each(host: &Host, texts: &[Value], at: Position) -> Result<Option<Turn>, Fault> {
    let mut all = Vec::new();
    for text in texts {
        let Value::Text(text) = text else {
            let kind = a_word(text.type_name());
            return Err(fail(format!("`emit_each` announces texts, got {kind}"), at));
        };
        host.charge(hearing(Size::of_text(text.as_str())), at)?;
        all.push(text.clone());
    }
    Ok(host.context.listens().then_some(Turn::Events(all)))
}

/// Whoever hears an event copies it and may keep it: also short ones take room.
fn hearing(size: Size) -> u64 {
    4 + size.hearing()
}

impl Machine {
    /// Announces a text of parts in the registers from one on.
    #[inline(never)]
    pub(super) fn announce(
        &mut self,
        host: &Host,
        program: &Program,
        (base, from, count, to, receiver): (usize, Reg, u16, Reg, Reg),
        at: Position,
    ) -> Result<Option<Turn>, Fault> {
        let first = base + from as usize;
        let parts = &self.registers[first..first + count as usize];
        let heard = host.context.listens();
        let before = host.left();
        let known = TextEstimate::of(parts);
        // Nothing is lost where a text is not made that cannot be too long.
        let text = match heard || known.longest > TEXT {
            true => Some(joined(parts, host, program, at)?),
            false => None,
        };
        host.set_left(before);
        let on = &self.registers[base + receiver as usize];
        if !matches!(on, Value::Map(_)) {
            let text = Value::text("");
            return Err(no_such_call("emit", [on, &text].into_iter(), at));
        }
        // What making it takes is charged whether it was made or not.
        let work = parts.len() as u64 + known.converting;
        host.charge(work + known.size.reading() + hearing(known.size), at)?;
        self.registers[base + to as usize] = Value::Unit;
        Ok(text.filter(|_| heard).map(|text| Turn::Events(vec![text])))
    }
}
