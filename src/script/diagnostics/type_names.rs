//! The names of types in messages for those who write scripts.

/// The name of a type for those who write scripts.
pub(in crate::script) fn word(kind: &str) -> &str {
    match kind {
        "i64" | "int" => "whole number",
        "f64" | "float" => "number with a fraction",
        "string" | "text" | "ImmutableString" => "text",
        "char" => "character",
        "bool" => "truth value",
        "array" => "list",
        "()" => "nothing",
        "Fn" => "function",
        "Setup" => "reader",
        "Distribution" => "distribution",
        kind if kind.starts_with("range") => "range",
        other => other.rsplit("::").next().unwrap_or(other),
    }
}

/// The name of a type with its article: `a list`, `nothing`.
pub(in crate::script) fn a_word(kind: &str) -> String {
    match word(kind) {
        "nothing" => "nothing".to_owned(),
        other => format!("a {other}"),
    }
}
