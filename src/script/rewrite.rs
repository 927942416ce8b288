//! Parameters become constants while a script is parsed, and functions that change nothing are found.
//!
//! The tokens are written down first, then those to be replaced are planned, each for one, so that
//! every position stays as it is: `params . worth` becomes `( 3 )`, since parameters do not change
//! while rules are loaded.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use rhai::Token;

use super::primitives;
use crate::game::Value;

/// Which tokens of a file are replaced, by their number from the file's start.
pub type Plan = BTreeMap<usize, Token>;

/// Plans to put constants in the place of parameters that are scalars; `known_as` is the name of
/// the parameters there.
pub fn fold_params(tokens: &[Token], known_as: &str, params: &IndexMap<String, Value>) -> Plan {
    let mut plan = Plan::new();
    if tokens.windows(2).any(|pair| is_word(&pair[0], known_as) && pair[1] != Token::Period) {
        // The name is a variable here, or handed on whole: it is left alone.
        return plan;
    }
    for at in 0..tokens.len().saturating_sub(2) {
        let starts = is_word(&tokens[at], known_as) && (at == 0 || !is_dot(&tokens[at - 1]));
        if let (true, Token::Period, Some(name)) = (starts, &tokens[at + 1], word(&tokens[at + 2]))
            && let Some(constant) = params.get(name).and_then(constant)
        {
            plan.insert(at, Token::LeftParen);
            plan.insert(at + 1, constant);
            plan.insert(at + 2, Token::RightParen);
        }
    }
    plan
}

/// The functions whose call changes nothing but what it returns: primitives that change nothing,
/// and functions of these scripts that call only such and never use `this`.
pub fn harmless(files: &[Vec<Token>]) -> BTreeSet<String> {
    let mut harmless: BTreeSet<String> = TEXT_FUNCTIONS.iter().map(|&name| name.into()).collect();
    let documented = primitives::documentation();
    harmless.extend(documented.iter().filter(|doc| !doc.changes).map(|doc| doc.name.to_string()));
    for doc in documented.iter().filter(|doc| doc.changes) {
        harmless.remove(&*doc.name);
    }
    let mut open: Vec<(&str, &[Token])> = files.iter().flat_map(|file| functions(file)).collect();
    // A name that any layer defines is judged by all its definitions, the host's not among them.
    for (name, _) in &open {
        harmless.remove(*name);
    }
    loop {
        let before = open.len();
        let doubtful: BTreeSet<&str> = open
            .iter()
            .filter(|(_, body)| {
                body.iter().any(|token| {
                    // What throws would end the script only where somebody listens.
                    *token == Token::Throw || is_word(token, "this") || is_word(token, "super")
                }) || calls(body).any(|name| !harmless.contains(name))
            })
            .map(|(name, _)| *name)
            .collect();
        open.retain(|(name, _)| {
            let good = !doubtful.contains(name);
            if good {
                harmless.insert((*name).to_owned());
            }
            !good
        });
        if open.len() == before {
            return harmless;
        }
    }
}

/// Rhai's own functions that make texts and change nothing.
const TEXT_FUNCTIONS: [&str; 16] = [
    "to_string",
    "len",
    "is_empty",
    "contains",
    "keys",
    "values",
    "abs",
    "to_upper",
    "to_lower",
    "sub_string",
    "starts_with",
    "ends_with",
    "index_of",
    "min",
    "max",
    "type_of",
];

/// The word that a token is, if it is one.
pub fn word(token: &Token) -> Option<&str> {
    match token {
        Token::Identifier(name) | Token::Reserved(name) => Some(name.as_str()),
        _ => None,
    }
}

fn is_word(token: &Token, name: &str) -> bool {
    word(token) == Some(name)
}

fn is_dot(token: &Token) -> bool {
    matches!(token, Token::Period | Token::Elvis)
}

/// The names that are called: words before a parenthesis.
fn calls(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.windows(2).filter_map(|pair| match pair[1] {
        Token::LeftParen | Token::Unit | Token::Bang => word(&pair[0]),
        _ => None,
    })
}

/// The functions of a file: name, and the tokens from after the name to the end of the body.
pub fn functions(tokens: &[Token]) -> Vec<(&str, &[Token])> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if tokens[at] != Token::Fn {
            continue;
        }
        let Some(name) = tokens.get(at + 1).and_then(word) else { continue };
        let Some(brace) = (at..tokens.len()).find(|&at| tokens[at] == Token::LeftBrace) else {
            continue;
        };
        let end = body_end(tokens, brace);
        // The parameters are left out: `name(` would read as a call of itself.
        found.push((name, &tokens[brace..end]));
    }
    found
}

fn body_end(tokens: &[Token], brace: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(brace) {
        match token {
            Token::LeftBrace | Token::MapStart => depth += 1,
            Token::RightBrace => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

fn constant(value: &Value) -> Option<Token> {
    Some(match value {
        Value::Bool(true) => Token::True,
        Value::Bool(false) => Token::False,
        Value::Int(number) => Token::IntegerConstant(*number),
        Value::Text(text) => Token::StringConstant(Box::new(text.as_str().into())),
        _ => return None,
    })
}
