//! The names of types in messages for those who write scripts.

/// The name of a type for those who write scripts.
pub(in crate::script) fn word(kind: &str) -> &str {
    match kind.rsplit("::").next().unwrap_or(kind) {
        "i64" | "int" => "whole number",
        "f64" | "float" => "number with a fraction",
        "string" | "text" | "ImmutableString" => "text",
        "char" => "character",
        "bool" => "truth value",
        "array" => "list",
        "()" => "nothing",
        "Fn" => "function",
        "Setup" => "reader",
        "Distribution" | "Dist" => "distribution",
        "CharsStream" => "sequence of characters",
        "BitRange" => "sequence of bits",
        kind if kind.starts_with("StepRange") => "sequence of numbers with a fraction",
        kind if kind.starts_with("range") || kind.starts_with("Range") => "range",
        other => other,
    }
}

/// The name of a type with its article: `a list`, `nothing`.
pub(crate) fn a_word(kind: &str) -> String {
    match word(kind) {
        "nothing" => "nothing".to_owned(),
        other => format!("a {other}"),
    }
}

/// That rules cannot hold a value of a type that only Rhai has, and what to write instead.
pub(in crate::script) fn not_held(kind: &str) -> String {
    if word(kind) == "Params" {
        return "parameters are no value: read each by its name, as `params.target`".to_owned();
    }
    let what = a_word(kind);
    let instead = match word(kind) {
        "sequence of characters" => {
            ": `for` goes through the text itself, and `to_chars` makes a list of it"
        }
        "sequence of bits" => ": `number[3]` is the fourth of them",
        "sequence of numbers with a fraction" => ": write a `while` loop, or count whole numbers",
        _ => "",
    };
    format!("rules cannot hold {what}{instead}")
}
