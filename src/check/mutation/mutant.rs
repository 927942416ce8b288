//! Mutants: a script changed at one place, in a way that a mistake or another reading might have changed it.

use std::ops::Range;

use serde::Serialize;

use super::code::Code;
use crate::error::Location;
use crate::script::{Definition, TokenKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// `<` and `<=`, `>` and `>=`, `==` and `!=`.
    Comparison,
    /// `true` and `false`, `&&` and `||`, `!` left out.
    Boolean,
    /// One more, or one less.
    Number,
    /// `min` and `max`.
    Extreme,
    /// The branches of an `if`, or of two cases of a `switch` that are next to each other, are swapped.
    Branches,
    Statement,
    Constant,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mutant {
    #[serde(flatten)]
    pub at: Location,
    pub function: String,
    /// The clauses that the nearest comment cites, as they are written: `W4, W5`; empty where it cites none.
    pub clause: String,
    pub change: Change,
    /// The line before; the first, where there are several.
    pub before: String,
    /// The line after; empty where nothing is left of it.
    pub after: String,
    #[serde(skip)]
    range: Range<usize>,
    #[serde(skip)]
    with: String,
}

impl Mutant {
    pub fn applied(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.range.start], self.with, &text[self.range.end..])
    }
}

/// All mutants of what a script defines, in the order of the text. `clause` is asked for the clauses of a line.
pub(super) fn mutants(
    text: &str,
    definition: &Definition,
    clause: impl Fn(usize) -> String,
) -> Vec<Mutant> {
    let code = Code::of(text, definition);
    let mut changes = match definition.constant {
        true => constants(&code),
        false => [tokens(&code), branches(&code), statements(&code)].concat(),
    };
    changes.sort_by_key(|(_, range, _)| (range.start, range.end));
    let mutant = |(change, range, with): Changed| {
        let line = 1 + text[..range.start].matches('\n').count();
        let begins = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
        let column = 1 + text[begins..range.start].chars().count();
        let ends = text[range.end..].find('\n').map_or(text.len(), |end| range.end + end);
        let after = format!("{}{with}{}", &text[begins..range.start], &text[range.end..ends]);
        let file = definition.at.file.clone();
        Mutant {
            at: Location { file, line, column: Some(column) },
            function: definition.name.clone(),
            clause: clause(line),
            change,
            before: first_line(&text[begins..ends]),
            after: first_line(&after),
            range,
            with,
        }
    };
    changes.into_iter().map(mutant).collect()
}

/// What is changed, the bytes that are replaced, and what replaces them.
type Changed = (Change, Range<usize>, String);

/// The first line of a text, with a mark where there are more.
fn first_line(text: &str) -> String {
    let mut lines = text.trim().lines();
    let first = lines.next().unwrap_or_default().trim_end();
    if lines.next().is_some() { format!("{first} …") } else { first.to_owned() }
}

fn tokens(code: &Code<'_>) -> Vec<Changed> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let range = code.range(at);
        let before = at.checked_sub(1).map(|before| code.part(before)).unwrap_or_default();
        match (code.kind(at), code.part(at)) {
            (TokenKind::Number, number) => {
                found.extend(beside(number).map(|with| (Change::Number, range.clone(), with)));
            }
            (TokenKind::Keyword, "true") => found.push((Change::Boolean, range, "false".into())),
            (TokenKind::Keyword, "false") => found.push((Change::Boolean, range, "true".into())),
            (TokenKind::Word, word @ ("min" | "max")) if code.is(at + 1, "(") => {
                let with = if word == "min" { "max" } else { "min" };
                found.push((Change::Extreme, range, with.to_owned()));
            }
            (TokenKind::Mark, _) => {
                let operator = code.operator(at);
                let range = range.start..range.start + operator.len();
                // A closure without parameters begins with `||`.
                let opens = matches!(before, "" | "(" | "," | "=" | "[" | ":");
                let other = match operator {
                    "<" => Some((Change::Comparison, "<=")),
                    "<=" => Some((Change::Comparison, "<")),
                    ">" => Some((Change::Comparison, ">=")),
                    ">=" => Some((Change::Comparison, ">")),
                    "==" => Some((Change::Comparison, "!=")),
                    "!=" => Some((Change::Comparison, "==")),
                    "&&" => Some((Change::Boolean, "||")),
                    "||" if !opens => Some((Change::Boolean, "&&")),
                    "!" if !code.is(at + 1, "in") => Some((Change::Boolean, "")),
                    _ => None,
                };
                found.extend(other.map(|(change, with)| (change, range, with.to_owned())));
                at += operator.len().saturating_sub(1);
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn beside(number: &str) -> impl Iterator<Item = String> {
    let plain = number.replace('_', "");
    let near = match (plain.parse::<i64>(), plain.parse::<f64>()) {
        (Ok(whole), _) => {
            [whole.checked_add(1), whole.checked_sub(1)].map(|one| one.map(|n| n.to_string()))
        }
        (_, Ok(number)) => {
            [Some(number + 1.0), Some(number - 1.0)].map(|one| one.map(|n| format!("{n:?}")))
        }
        _ => [None, None],
    };
    near.into_iter().flatten()
}

fn constants(code: &Code<'_>) -> Vec<Changed> {
    let begins = (0..code.len()).find(|at| code.is(*at, "=")).map_or(code.len(), |at| at + 1);
    let changed = |at: usize| -> Vec<Changed> {
        let values: Vec<String> = match (code.kind(at), code.part(at)) {
            (TokenKind::Number, number) => beside(number).collect(),
            (TokenKind::Keyword, "true") => vec!["false".to_owned()],
            (TokenKind::Keyword, "false") => vec!["true".to_owned()],
            (TokenKind::Text, text) if text.starts_with('"') && text.len() > 1 => {
                vec![format!("{}?\"", &text[..text.len() - 1])]
            }
            _ => Vec::new(),
        };
        values.into_iter().map(|with| (Change::Constant, code.range(at), with)).collect()
    };
    (begins..code.len()).flat_map(changed).collect()
}

/// Conditions that are turned round, and cases of a `switch` that are swapped.
fn branches(code: &Code<'_>) -> Vec<Changed> {
    let turned = code.conditions().into_iter().map(|condition| {
        let with = format!("!({})", code.text(&condition));
        (Change::Branches, condition, with)
    });
    let swapped = code.switches().into_iter().flat_map(|arms| {
        let pairs = arms.windows(2).filter(|pair| code.text(&pair[0]) != code.text(&pair[1]));
        let swapped = pairs.map(|pair| {
            let (first, second) = (pair[0].clone(), pair[1].clone());
            let between = code.text(&(first.end..second.start));
            let with = format!("{}{between}{}", code.text(&second), code.text(&first));
            (Change::Branches, first.start..second.end, with)
        });
        swapped.collect::<Vec<_>>()
    });
    turned.chain(swapped).collect()
}

fn statements(code: &Code<'_>) -> Vec<Changed> {
    let dropped = |range| (Change::Statement, range, String::new());
    code.statements().into_iter().map(dropped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::word;
    use crate::script::definitions;

    /// The mutants of a script, as `what: line that is there instead`.
    fn all(text: &str) -> Vec<String> {
        let all = definitions("a.rhai", text, 0);
        let of = |definition| mutants(text, definition, |_| String::new());
        let said = |mutant: Mutant| format!("{}: {}", word(&mutant.change), mutant.after);
        all.iter().flat_map(of).map(said).collect()
    }

    #[test]
    fn operators_words_and_numbers_are_changed_one_at_a_time() {
        assert_eq!(
            all("fn f(a) { a >= 2 && !a.b }"),
            [
                "comparison: fn f(a) { a > 2 && !a.b }",
                "number: fn f(a) { a >= 3 && !a.b }",
                "number: fn f(a) { a >= 1 && !a.b }",
                "boolean: fn f(a) { a >= 2 || !a.b }",
                "boolean: fn f(a) { a >= 2 && a.b }",
            ]
        );
        assert_eq!(
            all("fn f() { max(this.min, true) }"),
            ["extreme: fn f() { min(this.min, true) }", "boolean: fn f() { max(this.min, false) }"]
        );
    }

    #[test]
    fn what_only_looks_like_an_operator_is_none() {
        // An arrow, a range, closures, an assignment, and all that is within texts and comments.
        let text = "fn f() { g(|| h, |x| `${1 < 2}`, \"a == b\") /* 1 */ }";
        assert_eq!(all(text), Vec::<String>::new());
        assert_eq!(all("fn f(a) { a !in b }"), Vec::<String>::new());
    }

    #[test]
    fn conditions_are_turned_and_cases_swapped() {
        assert_eq!(
            all("fn f(a) { if a { g } else if h(#{}) { i } else { j } }"),
            [
                "statement: fn f(a) {  }",
                "branches: fn f(a) { if !(a) { g } else if h(#{}) { i } else { j } }",
                "branches: fn f(a) { if a { g } else if !(h(#{})) { i } else { j } }",
            ]
        );
        assert_eq!(
            all("fn f(a) { switch a { \"x\" => g, \"y\" => { h } \"z\" => [i, j], _ => [i, j] } }"),
            [
                "statement: fn f(a) {  }",
                "branches: fn f(a) { switch a { \"x\" => { h }, \"y\" => g \"z\" => [i, j], _ => [i, j] } }",
                "branches: fn f(a) { switch a { \"x\" => g, \"y\" => [i, j] \"z\" => { h }, _ => [i, j] } }",
            ]
        );
    }

    #[test]
    fn statements_are_left_out_but_for_declarations_and_values() {
        let text = "fn f(a) {\n    let b = a;\n    this.c = b;\n    for d in a {\n        g(d);\n    }\n    b\n}\n";
        let all = all(text);
        assert_eq!(all, ["statement: ", "statement: ", "statement: "]);
        let definitions = definitions("a.rhai", text, 0);
        let mutants = mutants(text, &definitions[0], |line| format!("W{line}"));
        let lines: Vec<(usize, &str, &str)> = mutants
            .iter()
            .map(|one| (one.at.line, one.before.as_str(), one.clause.as_str()))
            .collect();
        assert_eq!(
            lines,
            [(3, "this.c = b;", "W3"), (4, "for d in a { …", "W4"), (5, "g(d);", "W5")]
        );
        assert_eq!(
            mutants[1].applied(text),
            "fn f(a) {\n    let b = a;\n    this.c = b;\n    \n    b\n}\n"
        );
    }

    #[test]
    fn constants_are_changed_in_what_they_hold() {
        assert_eq!(
            all("const A = [1, \"b\"];\nconst C = true;\n"),
            [
                "constant: const A = [2, \"b\"];",
                "constant: const A = [0, \"b\"];",
                "constant: const A = [1, \"b?\"];",
                "constant: const C = false;",
            ]
        );
    }
}
