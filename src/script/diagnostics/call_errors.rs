//! Messages for calls that fit no form of a function: what is wrong, and the documented forms.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::type_names::{a_word, word};
use crate::error::UnknownFunction;
use crate::report::tame_message;
use crate::script::primitives::{self, distribution};
use crate::script::questions::effects;
use crate::script::setup;

const FORMS: usize = 4;

/// The documented forms of the host's functions, by name.
static DOCUMENTED: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    let texts = on_receivers().map(str::to_owned);
    let docs = primitives::documentation().into_iter().chain(distribution::documentation());
    let mut forms: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for form in texts.chain(docs.map(|doc| doc.signature)) {
        let name = form.split('(').next().unwrap_or_default();
        let name = name.rsplit('.').next().unwrap_or(name).to_owned();
        forms.entry(name).or_default().push(form);
    }
    forms
});

/// The documented forms of a function of the host; none where it has no documentation.
pub(in crate::script) fn forms(name: &str) -> &'static [String] {
    DOCUMENTED.get(name).map_or(&[], Vec::as_slice)
}

/// Whether the documented forms of a function leave out what it is called on: the state, or the setup.
pub(in crate::script) fn takes_receiver(name: &str) -> bool {
    let mut forms = on_receivers().map(|form| form.trim_start_matches("this."));
    forms.any(|form| form.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')))
}

fn on_receivers() -> impl Iterator<Item = &'static str> {
    effects::DOCUMENTATION.iter().chain(&setup::DOCUMENTATION).map(|(form, _)| *form)
}

/// `; there is …` with the forms of a function, or nothing where there are none.
pub(crate) fn there_is(forms: &[String]) -> String {
    let shown: Vec<String> = forms.iter().take(FORMS).map(|form| format!("`{form}`")).collect();
    let more = if forms.len() > FORMS { ", …" } else { "" };
    if shown.is_empty() { String::new() } else { format!("; there is {}{more}", shown.join(", ")) }
}

/// What is wrong with a call that Rhai reports as `emit (map, i64)`.
pub(in crate::script) fn no_such_call(signature: &str) -> UnknownFunction {
    let (name, types) = signature.split_once(" (").unwrap_or((signature, ")"));
    let text = "&str | ImmutableString | String";
    let types = types.strip_suffix(')').unwrap_or(types).replace("&mut ", "").replace(text, "text");
    let mut types: Vec<&str> =
        types.split(", ").filter(|kind| !kind.is_empty()).map(argument).collect();
    let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    if !is_name {
        let message = tame_message(&format!("`{name}` does not work on {}", types.join(" and ")));
        return UnknownFunction { name: tame_message(name), message, forms: String::new() };
    }
    let forms = forms(name);
    // The object of a method is no argument to whoever wrote the call.
    let of_state =
        forms.iter().any(|form| form.starts_with("this.")) && types.first() == Some(&"map");
    if of_state || types.first() == Some(&"reader") {
        types.remove(0);
    }
    let name = crate::script::assemble::replace_tokens::plain_name(name);
    let message = tame_message(&format!("there is no function `{name}({})`", types.join(", ")));
    UnknownFunction { name: tame_message(&name), message, forms: there_is(forms) }
}

/// The name of the type of an argument: of the two kinds of ranges functions take one.
fn argument(kind: &str) -> &str {
    let kind = kind.rsplit("::").next().unwrap_or(kind);
    if kind == "range" || kind.starts_with("Range<") { "half-open range" } else { word(kind) }
}

/// What is wrong with a field that Rhai reports in a sentence with name and type in quotes: it has
/// no kind of error that carries the two.
pub(in crate::script) fn no_such_field(text: &str) -> Option<String> {
    let mut quoted = text.split('\'').skip(1).step_by(2);
    let (name, kind) = (quoted.next()?, quoted.next()?);
    let known = text.starts_with("Unknown property") || text.starts_with("No writable property");
    known.then(|| format!("{} has no field `{name}`", a_word(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ScriptFault;

    fn call(signature: &str) -> String {
        ScriptFault::UnknownFunction(no_such_call(signature)).to_string()
    }

    #[test]
    fn a_call_that_fits_no_form_is_told_in_the_words_of_scripts() {
        assert_eq!(
            call("flag (Setup)"),
            "there is no function `flag()`; there is `flag(key [, default])`"
        );
        assert_eq!(call("+ (map, i64)"), "`+` does not work on map and whole number");
        assert_eq!(call("prixe ()"), "there is no function `prixe()`");
        assert_eq!(
            call("number_in (Setup, &str | ImmutableString | String, range)"),
            "there is no function `number_in(text, half-open range)`; there is `number_in(key, range [, default])`"
        );
    }
}
