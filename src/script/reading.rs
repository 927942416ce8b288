//! Does a function only look at the state? Then it needs no copy of it to look at.
//!
//! Judged by its tokens, and those of all it calls through `this`: nothing rooted in `this` is
//! assigned to, and no function that might change it is called on it. In doubt, the answer is no.

use std::collections::BTreeSet;

use rhai::Token;

use super::rewrite::{functions, word};

/// Whether all definitions of a function leave `this` as it is. `harmless` names functions that
/// change nothing.
pub fn only_looks(files: &[Vec<Token>], function: &str, harmless: &BTreeSet<String>) -> bool {
    let all: Vec<(&str, &[Token])> = files.iter().flat_map(|file| functions(file)).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![function];
    while let Some(name) = open.pop() {
        if !seen.insert(name) {
            continue;
        }
        let bodies: Vec<&[Token]> =
            all.iter().filter(|(known, _)| *known == name).map(|(_, body)| *body).collect();
        if bodies.is_empty() {
            return false;
        }
        for body in bodies {
            if assigns_to_this(body) {
                return false;
            }
            // `super` is another definition of the same name, and all of those are judged.
            let asked = calls_on_this(body).filter(|name| *name != "super");
            open.extend(asked.filter(|name| !harmless.contains(*name)));
        }
    }
    true
}

/// Whether an assignment's target begins with `this`.
fn assigns_to_this(body: &[Token]) -> bool {
    let assignments = body.iter().enumerate().filter(|(_, token)| is_assignment(token));
    assignments.into_iter().any(|(at, _)| {
        let begins = |token: &Token| {
            matches!(
                token,
                Token::SemiColon
                    | Token::LeftBrace
                    | Token::RightBrace
                    | Token::LeftParen
                    | Token::Comma
                    | Token::Pipe
                    | Token::Or
                    | Token::DoubleArrow
            )
        };
        // An index may hold commas and calls of its own; any `this` before the assignment in the
        // same statement is taken for its root.
        let start = body[..at].iter().rposition(|token| matches!(token, Token::SemiColon));
        let statement = &body[start.map_or(0, |start| start + 1)..at];
        let root = statement.iter().rposition(begins).map_or(0, |begin| begin + 1);
        let target = &statement[root..];
        let inside_index =
            target.contains(&Token::RightBracket) && !target.contains(&Token::LeftBracket);
        inside_index || target.first().and_then(word) == Some("this")
    })
}

fn is_assignment(token: &Token) -> bool {
    token == &Token::Equals || token.is_op_assignment()
}

/// The functions called on `this`, or on a part of it.
fn calls_on_this(body: &[Token]) -> impl Iterator<Item = &str> {
    (2..body.len()).filter_map(move |at| {
        let is_call = matches!(body[at], Token::LeftParen | Token::Unit | Token::Bang);
        let is_method = matches!(body[at - 2], Token::Period | Token::Elvis);
        let name = word(&body[at - 1]).filter(|_| is_call && is_method)?;
        roots_in_this(&body[..at - 2]).then_some(name)
    })
}

/// Whether the chain that ends here begins with `this`. Goes back over names, dots and brackets.
fn roots_in_this(before: &[Token]) -> bool {
    let mut depth = 0usize;
    for token in before.iter().rev() {
        match token {
            Token::RightBracket | Token::RightParen => depth += 1,
            Token::LeftBracket | Token::LeftParen if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            Token::Period | Token::Elvis | Token::Unit => {}
            token => match word(token) {
                Some("this") => return true,
                Some(_) => {}
                None => return false,
            },
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Judges `outcome` in a script, as the parser reads it.
    fn looks(script: &str) -> bool {
        let engine = rhai::Engine::new();
        let (tokens, _) = engine.lex(std::slice::from_ref(&script));
        let tokens: Vec<Token> =
            tokens.map(|(token, _)| token).take_while(|token| *token != Token::EOF).collect();
        let harmless = BTreeSet::from(["len".to_owned(), "total".to_owned()]);
        only_looks(&[tokens], "outcome", &harmless)
    }

    #[test]
    fn what_reads_and_builds_its_own_only_looks() {
        assert!(looks("fn outcome() { if this.done { #{ result: this.who } } }"));
        assert!(looks(
            "fn outcome() { let u = #{}; for p in this.players { u[p] = this.a[p]; } u }"
        ));
        assert!(looks("fn outcome() { let l = []; l.push(this.x); l += this.y; total(this.z) }"));
        assert!(looks("fn outcome() { this.score() } fn score() { this.tiles.len() }"));
    }

    #[test]
    fn what_might_change_the_state_does_not() {
        for script in [
            "fn outcome() { this.asked = true; }",
            "fn outcome() { this.list[0].x += 1; }",
            "fn outcome() { this.a[this.b[f(1, 2)]] = 3; }",
            "fn outcome() { if x { this.n -= 1 } }",
            "fn outcome() { this.list.push(1); }",
            "fn outcome() { this.list[0].sort(); }",
            "fn outcome() { this.score() } fn score() { this.n = 1; }",
            "fn outcome() { this.unknown() }",
            "fn outcome() { [1].for_each(|i| this.n = i) }",
            "fn outcome() { 1 } fn outcome() { this.n = 2; }",
        ] {
            assert!(!looks(script), "{script}");
        }
    }
}
