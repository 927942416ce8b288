//! Finds the functions whose call changes nothing but what it returns.

use std::collections::BTreeSet;

use rhai::Token;

use super::parsing::word;
use super::primitives;

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

fn is_word(token: &Token, name: &str) -> bool {
    word(token) == Some(name)
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
