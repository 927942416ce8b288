//! Calls natives of Rhai that the machine does not have, on copies of the values.

use rhai::Position;

use super::call::At;
use super::code::Program;
use super::convert::to_dynamic;
use super::distribution_cache::MakingCall;
use super::host::{Host, fail};
use super::run::Machine;
use super::value::Value;
use crate::script::sandbox::fault::Fault;

impl Machine {
    /// Calls one of Rhai's natives on copies of the values.
    pub(super) fn rhai_native(
        &mut self,
        host: &Host,
        program: &Program,
        site: At<'_>,
        on: &mut Value,
        first: usize,
        at: Position,
    ) -> Result<Value, Fault> {
        let rest = &self.registers[first..first + site.0.beside()];
        // Paid before anything is copied: each item is made anew for Rhai, and read back.
        let converting =
            std::iter::once(&*on).chain(rest).map(|value| value.size().converting()).sum();
        host.charge(converting, at)?;
        if site.0.keeps {
            let call = MakingCall { name: &site.0.name, first: on, rest };
            if let Some((made, work)) = host.made.borrow_mut().get(&host.context.meter, call) {
                // As if it were made anew: what ran before must not decide how far a playout comes.
                host.charge(work, at)?;
                return Ok(Value::Distribution(made));
            }
        }
        let (before, left) = (host.charged(), host.left());
        let all = std::iter::once(&*on).chain(rest).take(site.0.count as usize);
        let mut arguments = Vec::with_capacity(site.0.count as usize);
        for argument in all {
            if matches!(argument, Value::Function(_)) {
                return Err(fail(format!("`{}` takes no closure: write a loop", site.0.name), at));
            }
            arguments.push(to_dynamic(argument));
        }
        let value = host.native(site.0.name.as_str(), &mut arguments, at)?;
        if site.0.changes && site.0.count > 0 {
            *on = host.value(&arguments[0], &program.texts, at)?;
        }
        let value = host.value(&value, &program.texts, at)?;
        if site.0.keeps {
            // Counted as it is where it is at hand already, so that both stop at the same place.
            let work = host.take_charged(before) + left.saturating_sub(host.left());
            host.set_left(left);
            host.charge(work, at)?;
            if let Value::Distribution(made) = value {
                let rest = &self.registers[first..first + site.0.beside()];
                let call = MakingCall { name: &site.0.name, first: on, rest };
                let made = host.made.borrow_mut().keep(&host.context.meter, call, made, work);
                return Ok(Value::Distribution(made));
            }
        }
        Ok(value)
    }
}
