//! Calls natives of Rhai that the machine does not have, on copies of the values.

use rhai::Position;

use super::arithmetic::COMPARING;
use super::code::{Program, Site};
use super::convert::to_dynamic;
use super::distribution_cache::MakingCall;
use super::host::{Host, fail};
use super::value::Value;
use crate::script::sandbox::fault::Fault;

/// Calls one of Rhai's natives on copies of the values.
pub(super) fn rhai_native(
    host: &Host,
    program: &Program,
    site: &Site,
    on: &mut Value,
    rest: &[&Value],
    at: Position,
) -> Result<Value, Fault> {
    // Paid before anything is copied: each item is made anew for Rhai, and read back; in texts something is mostly
    // looked for.
    let each = match site.name.as_str() {
        // In a text letters are compared, which is paid as searching.
        _ if on.as_list().is_none() => 1,
        "contains" | "dedup" | "index_of" => COMPARING,
        "order" | "order_desc" | "sort" | "sort_desc" => u64::from(on.size().items.max(2).ilog2()),
        _ => 1,
    };
    let work = |value: &Value| each * value.size().converting() + value.searching();
    host.charge(rest.iter().fold(work(on), |sum, value| sum + work(value)), at)?;
    if site.keeps {
        let call = MakingCall { name: &site.name, first: on, rest };
        if let Some((made, work)) = host.made.borrow().get(call) {
            // As if it were made anew: what ran before must not decide how far a playout comes.
            host.charge(work, at)?;
            return Ok(Value::Distribution(made));
        }
    }
    let left = host.left();
    let mut arguments = Vec::with_capacity(site.count as usize);
    for argument in std::iter::once(&*on).chain(rest.iter().copied()).take(site.count as usize) {
        if matches!(argument, Value::Function(_)) {
            return Err(fail(format!("`{}` takes no closure: write a loop", site.name), at));
        }
        arguments.push(to_dynamic(argument));
    }
    let value = host.native(site.name.as_str(), &mut arguments, at)?;
    if site.changes && site.count > 0 {
        *on = host.value(&arguments[0], &program.texts, at)?;
    }
    let value = host.value(&value, &program.texts, at)?;
    if site.keeps {
        // Counted as it is where it is at hand already, so that both stop at the same place.
        let work = left.saturating_sub(host.left());
        host.set_left(left);
        host.charge(work, at)?;
        if let Value::Distribution(made) = &value {
            let call = MakingCall { name: &site.name, first: on, rest };
            host.made.borrow_mut().keep(call, made, work);
        }
    }
    Ok(value)
}
