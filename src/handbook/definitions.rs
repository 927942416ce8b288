//! Definition files for editors, in the format of Rhai's own tools, and the entries for the functions
//! that a system's own rules define.

use super::HandbookEntry;
use super::entry::CONTRACT_FAMILY;
use crate::report::cut;
use crate::script::{Definition, RuleFunction, Rules};

/// The families that only rules and house rules can call: the state and the setup are theirs.
const OF_RULES: [&str; 2] = ["effects", "setup"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScriptKind {
    Rules,
    Agents,
    /// An experiment, or a line of the prompt.
    Lab,
}

impl ScriptKind {
    /// All of them, each with the name of its file.
    pub(crate) const ALL: [(ScriptKind, &'static str); 3] = [
        (ScriptKind::Rules, "rules.d.rhai"),
        (ScriptKind::Agents, "agents.d.rhai"),
        (ScriptKind::Lab, "lab.d.rhai"),
    ];

    fn defines(self, name: &str) -> bool {
        match self {
            ScriptKind::Rules => name != "decide",
            ScriptKind::Agents => ["decide", "params"].contains(&name),
            ScriptKind::Lab => false,
        }
    }

    fn calls(self, family: &str) -> bool {
        let of_rules = OF_RULES.contains(&family);
        let of_lab = family == super::LAB;
        family != CONTRACT_FAMILY
            && (self == ScriptKind::Rules || !of_rules)
            && (self == ScriptKind::Lab || !of_lab)
    }
}

/// The definition file for one kind of script: what it defines as comments, then what it calls.
pub(crate) fn definitions(reader: ScriptKind, entries: &[HandbookEntry]) -> String {
    let mut text = String::from("module static;\n");
    let defines = |one: &&HandbookEntry| one.family == CONTRACT_FAMILY && reader.defines(&one.name);
    for (number, entry) in entries.iter().filter(defines).enumerate() {
        if number == 0 {
            text += "\n// Such a script defines some of these functions itself:\n";
        }
        text += &format!("//   {}: {}\n", entry.signature, entry.summary());
    }
    let called = entries.iter().filter(|entry| reader.calls(&entry.family));
    text.extend(called.map(definition));
    text
}

/// The definition file of the functions of a system's own rules, which house rules override.
pub(crate) fn of_system(entries: &[HandbookEntry]) -> String {
    let all: Vec<String> = entries.iter().map(definition).collect();
    format!("module static;\n{}", all.concat())
}

fn definition(entry: &HandbookEntry) -> String {
    let (call, result) = entry.signature.split_once(" -> ").unwrap_or((&entry.signature, "any"));
    let arguments = call.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let (needed, optional) = match arguments.split_once(" [, ") {
        Some((needed, optional)) => (needed, Some(optional.trim_end_matches(']'))),
        None => (arguments, None),
    };
    let mut forms = vec![needed.to_owned()];
    forms.extend(optional.map(|optional| format!("{needed}, {optional}")));
    let comment = comment(entry);
    let form = |arguments: &String| {
        let parameters = parameters(entry, arguments).join(", ");
        format!("\n{comment}fn {}({parameters}) -> {};\n", entry.name, kind(result))
    };
    forms.iter().map(form).collect()
}

/// The parameters; functions called on the state or the scenario have it as the first one.
fn parameters(entry: &HandbookEntry, arguments: &str) -> Vec<String> {
    let on = match entry.family.as_str() {
        "effects" => Some("state: Map"),
        "setup" => Some("scenario: Scenario"),
        super::LAB if entry.signature.starts_with("scenario.") => Some("scenario: Scenario"),
        _ => None,
    };
    let one = |argument: &str| {
        let (name, of) = argument.split_once(':').unwrap_or((argument, "any"));
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        format!("{}: {}", if is_name { name } else { "_" }, kind(of))
    };
    let others = arguments.split(", ").filter(|argument| !argument.is_empty()).map(one);
    on.map(str::to_owned).into_iter().chain(others).collect()
}

fn comment(entry: &HandbookEntry) -> String {
    let example = match &entry.example[..] {
        "" => String::new(),
        example => format!("\n\n# Example\n{example}"),
    };
    let lines = format!("{}{example}", entry.text);
    lines.lines().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect()
}

fn kind(word: &str) -> &'static str {
    match word.trim() {
        "list" => "Array",
        "map" => "Map",
        "whole number" => "int",
        "number" => "float",
        "text" => "String",
        "truth value" => "bool",
        "closure" => "FnPtr",
        "distribution" => "Distribution",
        "scenario" => "Scenario",
        _ => "?",
    }
}

/// The longest line of a constant that stands for it.
const LONGEST: usize = 60;

/// The functions of rules, in the order of their text; house rules after the rules.
pub(crate) fn of_rules(rules: &Rules) -> Vec<HandbookEntry> {
    let mut functions: Vec<&RuleFunction> = rules.functions().collect();
    functions.sort_by_key(|function| (function.layer, function.at.clone()));
    let entry = |function: &RuleFunction| HandbookEntry {
        family: family(rules, function.layer),
        name: function.name.clone(),
        signature: format!("{}({})", function.name, function.params.join(", ")),
        text: function.comments.trim().to_owned(),
        example: String::new(),
        at: function.at.clone(),
    };
    functions.into_iter().map(entry).collect()
}

/// The constants of rules that are in force, in the order of their text; a house rule's instead of those
/// that it replaces.
pub(crate) fn constants_of(rules: &Rules) -> Vec<HandbookEntry> {
    let all = rules.definitions();
    let constants: Vec<&Definition> = all.iter().filter(|one| one.constant).collect();
    let is_top = |one: &&Definition| {
        constants.iter().all(|other| other.name != one.name || other.layer <= one.layer)
    };
    let entry = |one: &Definition| {
        let source = one.text.lines().find(|line| line.trim_start().starts_with("const "));
        HandbookEntry {
            family: family(rules, one.layer),
            name: one.name.clone(),
            signature: cut(source.unwrap_or_default().trim(), LONGEST),
            text: one.comments.trim().to_owned(),
            example: String::new(),
            at: Some(one.at.clone()),
        }
    };
    constants.iter().copied().filter(is_top).map(entry).collect()
}

fn family(rules: &Rules, layer: usize) -> String {
    match layer.checked_sub(1).and_then(|at| rules.house().get(at)) {
        Some(house) => format!("house rule {house}"),
        None => rules.system().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handbook::entries;

    fn entry(family: &str, signature: &str, text: &str) -> HandbookEntry {
        HandbookEntry::plain(family, signature, text, "")
    }

    #[test]
    fn a_function_is_written_in_the_words_of_the_language() {
        let surplus =
            entry("counting", "surplus(amount: whole number, of: any) -> list", "What.\nIt is.");
        let text = "\n/// What.\n/// It is.\nfn surplus(amount: int, of: ?) -> Array;\n";
        assert_eq!(definition(&surplus), text);
    }

    #[test]
    fn what_may_be_left_out_is_a_form_of_its_own() {
        let text = "\nfn text(scenario: Scenario, key: ?) -> ?;\n\n\
                    fn text(scenario: Scenario, key: ?, default: ?) -> ?;\n";
        assert_eq!(definition(&entry("setup", "text(key [, default])", "")), text);
    }

    #[test]
    fn each_reader_gets_what_it_can_call_and_nothing_else() {
        let all = entries();
        let of = |reader| definitions(reader, &all);
        let (rules, agents, lab) =
            (of(ScriptKind::Rules), of(ScriptKind::Agents), of(ScriptKind::Lab));
        assert!(rules.contains("fn choose(state: Map, player: ?, name: ?, options: ?) -> ?;"));
        assert!(!agents.contains("fn choose(") && !lab.contains("fn choose("));
        assert!(
            agents.contains("//   fn decide(view, decision): ") && !rules.contains("fn decide")
        );
        for text in [&rules, &agents, &lab] {
            assert!(text.contains("fn match_stacks(a: Array, b: Array) -> Array;"));
        }
    }
}
