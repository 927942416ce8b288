//! What need not be done again and again? Parameters become constants, unheard events nothing.
//!
//! Both are done to the tokens while a script is parsed: first the tokens are written down, then
//! those to be replaced are planned, each for one, so that every position stays as it is.
//!
//! - `params . worth` becomes `( 3 )`: parameters do not change while rules are loaded.
//! - `this . emit ( … )`, and `emit_each`, become `if false { ! … }`, which the optimizer drops, where
//!   making the text can have no effect of its own and nobody listens.

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

/// Plans to drop the announcements of one file: statements `this.emit(…)` whose text is a plain
/// expression. `harmless` names the functions without effect.
pub fn drop_events(tokens: &[Token], harmless: &BTreeSet<String>) -> Plan {
    let mut plan = Plan::new();
    for at in 0..tokens.len().saturating_sub(4) {
        let emits = is_word(&tokens[at], "this")
            && tokens[at + 1] == Token::Period
            && (is_word(&tokens[at + 2], "emit") || is_word(&tokens[at + 2], "emit_each"))
            && tokens[at + 3] == Token::LeftParen;
        if !emits {
            continue;
        }
        let Some(end) = closing(tokens, at + 3) else { continue };
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        if !stands_alone(before, tokens.get(end + 1)) {
            continue;
        }
        let text = &tokens[at + 4..end];
        if !is_plain_expression(text) || calls(text).any(|name| !harmless.contains(name)) {
            continue;
        }
        plan.insert(at, Token::If);
        plan.insert(at + 1, Token::False);
        plan.insert(at + 2, Token::LeftBrace);
        plan.insert(at + 3, Token::Bang);
        plan.insert(end, Token::RightBrace);
    }
    plan
}

/// Whether what stands between these tokens is a statement, or the arm of a `switch`.
fn stands_alone(before: Option<&Token>, after: Option<&Token>) -> bool {
    let begins = matches!(
        before,
        None | Some(Token::SemiColon | Token::LeftBrace | Token::RightBrace | Token::DoubleArrow)
    );
    let arm = before == Some(&Token::DoubleArrow);
    let ends = match after {
        None | Some(Token::SemiColon | Token::RightBrace | Token::EOF) => true,
        Some(Token::Comma) => arm,
        Some(_) => false,
    };
    begins && ends
}

/// Whether an argument is one expression that can only have a value: no statement in it, nothing
/// assigned, no way out of the function, no second argument.
fn is_plain_expression(tokens: &[Token]) -> bool {
    let mut depth = 0usize;
    tokens.iter().all(|token| {
        match token {
            Token::LeftParen | Token::LeftBrace | Token::LeftBracket | Token::MapStart => {
                depth += 1;
            }
            Token::RightParen | Token::RightBrace | Token::RightBracket => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        let comma_outside = *token == Token::Comma && depth == 0;
        let statement = matches!(
            token,
            Token::SemiColon
                | Token::Equals
                | Token::Let
                | Token::Const
                | Token::Return
                | Token::Break
                | Token::Continue
                | Token::Throw
                | Token::While
                | Token::Loop
                | Token::For
                | Token::Do
                | Token::Fn
        );
        !comma_outside && !statement && !token.is_op_assignment()
    })
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

/// The number of the token that closes the parenthesis opened at `open`.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::LeftParen | Token::LeftBrace | Token::LeftBracket | Token::MapStart => {
                depth += 1;
            }
            Token::RightParen | Token::RightBrace | Token::RightBracket => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (*token == Token::RightParen).then_some(at);
                }
            }
            _ => {}
        }
    }
    None
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
