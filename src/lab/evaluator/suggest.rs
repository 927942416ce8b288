//! Suggestions in errors at the prompt: the nearest name, or the forms of a function.

use rhai::Scope;

use crate::error::{ScriptError, ScriptFault, UnknownFunction, nearest};
use crate::handbook::HandbookEntry;
use crate::lab::evaluator::functions::documentation;

/// A message lists at most this many forms of a function.
const FORMS: usize = 3;

/// Adds the nearest existing name to an error about an unknown name.
pub(in crate::lab) fn suggest(
    mut error: ScriptError,
    scope: &Scope<'static>,
    known: impl FnOnce() -> Vec<HandbookEntry>,
) -> ScriptError {
    match &error.fault {
        ScriptFault::UnknownVariable { name: word, .. } => {
            let word = word.clone();
            if scope.contains(&word) {
                error.fault = ScriptFault::Failed(format!(
                    "functions do not see the variables of the prompt: pass `{word}` as an argument"
                ));
                return error;
            }
            let known = known();
            let variables = scope.iter_raw().map(|(name, _, _)| name);
            let own = error.nearest.take();
            error.nearest = own
                .or_else(|| nearest(&word, variables))
                .or_else(|| nearest(&word, known.iter().map(|one| one.name.as_str())));
        }
        ScriptFault::UnknownFunction(call) => {
            let name = call.name.clone();
            let known = known();
            let forms: Vec<String> = known
                .iter()
                .filter(|one| one.name == name)
                .map(|one| one.signature.clone())
                .collect();
            let own = of_the_lab(&name);
            if !own.is_empty() {
                // The rules' functions of that name are not meant, and the host's forms say less.
                let called =
                    call.message.replacen(&format!("{name}(Scenario, "), &format!("{name}("), 1);
                let message =
                    called.replacen(&format!("{name}(Scenario)"), &format!("{name}()"), 1);
                error.nearest = None;
                let call = UnknownFunction { name, message, forms: there_is(&own) };
                error.fault = ScriptFault::UnknownFunction(call);
            } else if !call.forms.is_empty() {
                // The message lists the forms already.
            } else if forms.is_empty() {
                error.nearest = nearest(&name, known.iter().map(|one| one.name.as_str()));
            } else {
                let call = UnknownFunction { forms: there_is(&forms), ..call.clone() };
                error.nearest = None;
                error.fault = ScriptFault::UnknownFunction(call);
            }
        }
        _ => {}
    }
    error
}

/// The documented forms of a function of the lab.
fn of_the_lab(name: &str) -> Vec<String> {
    let named = documentation().into_iter().filter(|one| one.name == name);
    named.map(|one| one.signature).collect()
}

/// `; there is …` with some of the forms.
fn there_is(forms: &[String]) -> String {
    let shown: Vec<String> = forms.iter().take(FORMS).map(|form| format!("`{form}`")).collect();
    let more = if forms.len() > FORMS { ", …" } else { "" };
    format!("; there is {}{more}", shown.join(", "))
}
