//! Imports functions of other rules: `import "system" as name;` at the top of a file, then
//! `name::function(…)`.
//!
//! The functions of the other system join those of this one, each under `name__function`, so
//! limits, places in errors and the check for harmless functions hold for them too. The functions
//! that they call in their own system, its constants and its parameters get the same mark.

use std::collections::BTreeSet;
use std::ops::Range;

use rhai::{Engine, Position, Token};

use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::script::assemble::function_uses::NameAndArity;
use crate::script::assemble::layers::Import;
use crate::script::assemble::params::NAME as PARAMS;
use crate::script::assemble::replace_tokens::{Plan, word};

/// The mark between the name of an import and that of a function: as wide as the `::` that people
/// write, so that every place in a line stays where it is.
const MARK: &str = "__";

/// The import whose functions are called by their bare names: the rules that an agent plays by.
pub(in crate::script) const OPEN: &str = "rules_in_force";

/// An import that a file asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    /// The other system.
    pub system: String,
    /// The name before the `::`.
    pub name: String,
    /// Where it is asked for.
    pub at: Location,
    line: String,
    range: Range<usize>,
}

impl Wanted {
    fn at(path: &str, text: &str, at: Position) -> Wanted {
        let line = at.line().unwrap_or(1);
        let start = offset(text, at);
        Wanted {
            system: String::new(),
            name: String::new(),
            at: Location { file: path.to_owned(), line, column: at.position() },
            line: text.lines().nth(line - 1).unwrap_or_default().to_owned(),
            range: start..start,
        }
    }

    pub(crate) fn refused(&self, why: impl Into<String>) -> Error {
        let mut error = ScriptError::new(ScriptFault::Syntax(why.into()));
        error.at = Some(self.at.clone());
        error.line = Some(self.line.clone());
        error.width = "import".len();
        error.into()
    }
}

impl Import {
    /// How a function of these rules is printed.
    pub(crate) fn shown(&self, name: &str) -> String {
        shown_of(&self.name, self.conflicts.as_deref(), name)
    }

    pub(crate) fn known_as(&self, name: &str) -> String {
        format!("{}{MARK}{name}", self.name)
    }

    pub(crate) fn params_name(&self) -> String {
        self.known_as(PARAMS)
    }
}

/// The imports at the top of a script's text, with only comments before them.
pub(crate) fn wanted(path: &str, text: &str) -> Result<Vec<Wanted>, Error> {
    let engine = Engine::new_raw();
    let inputs = [text];
    let (tokens, _control) = engine.lex(&inputs);
    let mut tokens = tokens.filter(|(token, _)| !matches!(token, Token::Comment(_)));
    let mut found: Vec<Wanted> = Vec::new();
    while let Some((Token::Import, at)) = tokens.next() {
        let mut one = Wanted::at(path, text, at);
        let rest = [tokens.next(), tokens.next(), tokens.next(), tokens.next()];
        let [
            Some((Token::StringConstant(system), _)),
            Some((Token::As, _)),
            Some((Token::Identifier(name), _)),
            Some((Token::SemiColon, end)),
        ] = rest
        else {
            return Err(one.refused("write an import as `import \"system\" as name;`"));
        };
        if found.iter().any(|other| other.name == name.as_str()) {
            return Err(one.refused(format!("`{name}` is imported twice")));
        }
        one.range.end = offset(text, end) + 1;
        (one.system, one.name) = (system.to_string(), name.to_string());
        found.push(one);
    }
    Ok(found)
}

/// The text with the mark for each `::` behind the name of an import; as wide as before.
pub(in crate::script) fn marked(text: &str, imports: &[Import]) -> String {
    let tokens = lexed(text);
    let mut text = text.to_owned();
    for at in 1..tokens.len().saturating_sub(1) {
        let (token, place) = &tokens[at];
        let named = word(&tokens[at - 1].0);
        let of_import = named.is_some_and(|name| imports.iter().any(|one| one.name == name));
        if *token == Token::DoubleColon && of_import && word(&tokens[at + 1].0).is_some() {
            let start = offset(&text, *place);
            if text.get(start..start + 2) == Some("::") {
                text.replace_range(start..start + 2, MARK);
            }
        }
    }
    text
}

/// The tokens of a text, those within interpolations too, whether it parses or not.
fn lexed(text: &str) -> Vec<(Token, Position)> {
    let engine = Engine::new_raw();
    let inputs = [text];
    let (tokens, control) = engine.lex(&inputs);
    let mut found = Vec::new();
    // How deep in braces each open interpolation is.
    let mut open: Vec<usize> = Vec::new();
    let mut depth = 0usize;
    for (token, at) in tokens {
        match token {
            Token::EOF => break,
            Token::InterpolatedString(_) => open.push(depth),
            Token::LeftBrace | Token::MapStart => depth += 1,
            Token::RightBrace => {
                depth = depth.saturating_sub(1);
                if open.last() == Some(&depth) {
                    open.pop();
                    // The parser says so where it reads a text with holes.
                    control.borrow_mut().is_within_text = true;
                }
            }
            _ => {}
        }
        found.push((token, at));
    }
    found
}

/// The first of these functions that a text calls and does not define itself.
pub(in crate::script) fn called_of(
    text: &str,
    functions: &BTreeSet<NameAndArity>,
) -> Option<String> {
    let tokens: Vec<Token> = lexed(text).into_iter().map(|(token, _)| token).collect();
    let own: BTreeSet<NameAndArity> = functions_in(&tokens).collect();
    let called = |at: usize| {
        let opens =
            matches!(tokens.get(at + 1), Some(Token::LeftParen | Token::Unit | Token::Bang));
        let name = word(&tokens[at]).filter(|_| opens)?;
        let key = (name.to_owned(), handed(&tokens[at + 1..]));
        (functions.contains(&key) && !own.contains(&key)).then_some(key.0)
    };
    (0..tokens.len()).find_map(called)
}

/// The text as it is parsed where it may call other systems.
pub(in crate::script) fn resolved(text: &str, wanted: &[Wanted], imports: &[Import]) -> String {
    marked(&without(text, wanted), imports)
}

pub(in crate::script) fn without(text: &str, wanted: &[Wanted]) -> String {
    let mut text = text.to_owned();
    for one in wanted {
        let Some(statement) = text.get(one.range.clone()) else { continue };
        // Everything else stays in its place.
        let blank: String = statement.chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        text.replace_range(one.range.clone(), &blank);
    }
    text
}

/// The names that the other system's files define: functions and constants.
pub(in crate::script) fn defined<'a>(
    files: impl Iterator<Item = (&'a [Token], &'a [(String, Position)])>,
) -> Defined {
    let mut all = Defined::default();
    all.constants.insert(PARAMS.to_owned());
    for (tokens, constants) in files {
        all.functions.extend(functions_in(tokens));
        all.constants.extend(constants.iter().map(|(name, _)| name.clone()));
    }
    all
}

fn functions_in(tokens: &[Token]) -> impl Iterator<Item = NameAndArity> {
    let named = |at: usize| match (&tokens[at - 1], word(&tokens[at])) {
        (Token::Fn, Some(name)) => Some((name.to_owned(), handed(&tokens[at + 1..]))),
        _ => None,
    };
    (1..tokens.len()).filter_map(named)
}

#[derive(Default)]
pub(in crate::script) struct Defined {
    functions: BTreeSet<NameAndArity>,
    /// The word for its parameters is one of these.
    constants: BTreeSet<String>,
}

impl Defined {
    /// The functions alone, without those that a file of another has itself.
    pub(in crate::script) fn functions_beside(&self, own: &[Token]) -> Defined {
        let functions = &self.functions - &functions_in(own).collect();
        Defined { functions, ..Defined::default() }
    }
}

/// Plans to mark in a file of the other system what belongs to it.
pub(in crate::script) fn plan(tokens: &[Token], defined: &Defined, import: &Import) -> Plan {
    let mut plan = Plan::new();
    for at in 0..tokens.len() {
        let Some(name) = word(&tokens[at]) else { continue };
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        let after = tokens.get(at + 1);
        let is_called = matches!(after, Some(Token::LeftParen | Token::Unit | Token::Bang));
        let is_field = matches!(before, Some(Token::Period | Token::Elvis));
        let is_key = after == Some(&Token::Colon);
        // The host may have a function of the same name that takes more or less.
        let is_function =
            is_called && defined.functions.contains(&(name.to_owned(), handed(&tokens[at + 1..])));
        let is_constant = !is_field && !is_key && !is_called && defined.constants.contains(name);
        if is_function || is_constant {
            plan.insert(at, Token::Identifier(Box::new(import.known_as(name).into())));
        }
    }
    plan
}

/// The number of arguments or parameters in the parentheses that open here.
fn handed(tokens: &[Token]) -> usize {
    let (mut depth, mut count) = (0usize, 0);
    // The parameters of a closure are between two `|`.
    let mut closure = false;
    let tokens = if tokens.first() == Some(&Token::Bang) { &tokens[1..] } else { tokens };
    for (at, token) in tokens.iter().enumerate() {
        let opens = matches!(
            token,
            Token::LeftParen | Token::LeftBrace | Token::LeftBracket | Token::MapStart
        );
        let closes = matches!(token, Token::RightParen | Token::RightBrace | Token::RightBracket);
        if depth == 0 && !opens || closes && depth == 1 {
            break;
        }
        if depth == 1 && count == 0 {
            count = 1;
        }
        if opens {
            depth += 1;
        } else if closes {
            depth -= 1;
        } else if depth == 1 && *token == Token::Pipe {
            let begins = matches!(tokens[at - 1], Token::LeftParen | Token::Comma);
            closure = !closure && begins;
        } else if depth == 1 && *token == Token::Comma && !closure {
            count += 1;
        }
    }
    count
}

/// The import of a function's name, and the name that it has there.
pub(in crate::script) fn of_import<'i, 'n>(
    name: &'n str,
    imports: &'i [NotedImport],
) -> Option<(&'i NotedImport, &'n str)> {
    let (import, own) = name.split_once(MARK)?;
    Some((imports.iter().find(|(known, _)| known == import)?, own))
}

/// An import's name and [`Import::conflicts`], by which the names of its functions are printed.
pub(in crate::script) type NotedImport = (String, Option<String>);

fn shown_of(import: &str, conflicts: Option<&str>, name: &str) -> String {
    match conflicts {
        None => format!("{import}::{name}"),
        Some("") => name.to_owned(),
        Some(some) => format!("{name} of {some}"),
    }
}

/// A name as its author wrote it: `war__fight` is `war::fight` where `war` is an import, and `fight of dawn` in a
/// campaign whose conflict `dawn` it plays.
pub(in crate::script) fn shown(name: &str, imports: &[NotedImport]) -> String {
    if let Some((OPEN, own)) = name.split_once(MARK) {
        return own.to_owned();
    }
    match of_import(name, imports) {
        Some(((import, conflicts), own)) => shown_of(import, conflicts.as_deref(), own),
        None => name.to_owned(),
    }
}

/// Whether a function is one of the rules that an agent plays by.
pub(in crate::script) fn is_open(name: &str) -> bool {
    name.strip_prefix(OPEN).is_some_and(|rest| rest.starts_with(MARK))
}

fn offset(text: &str, at: Position) -> usize {
    let line = at.line().unwrap_or(1) - 1;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let column = at.position().unwrap_or(1) - 1;
    start + rest.char_indices().nth(column).map_or(rest.len(), |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_stand_first_and_leave_every_place_as_it_is() {
        let text = "//! Prose.\n// é\n/* import */ import \"a\" as x;\nimport \"b\"\n  as y;\nfn f() { import }";
        let found = wanted("r.rhai", text).unwrap();
        let names: Vec<(&str, &str)> =
            found.iter().map(|one| (one.system.as_str(), one.name.as_str())).collect();
        assert_eq!(names, [("a", "x"), ("b", "y")]);
        assert_eq!(found[0].at.to_string(), "r.rhai:3:14");
        let blank = without(text, &found);
        assert_eq!(blank.chars().count(), text.chars().count());
        assert_eq!(blank.lines().count(), text.lines().count());
        assert_eq!(blank.matches("import").count(), 2, "{blank}");
        for (wrong, why) in [
            ("import \"a\";", "write an import as `import \"system\" as name;`"),
            ("import a as b;", "write an import as `import \"system\" as name;`"),
            ("import \"a\" as b", "write an import as `import \"system\" as name;`"),
            ("import \"a\" as b; import \"c\" as b;", "`b` is imported twice"),
        ] {
            assert_eq!(wanted("r.rhai", wrong).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn only_names_of_imports_are_marked_and_texts_are_left_alone() {
        let text =
            "x::f(1) + this.x::g() + y::f() + \"x::f\" + `x::f ${x::f(`${x::C}`)} x::f` // x::f";
        let marked = marked(text, &[Import { name: "x".to_owned(), ..Import::default() }]);
        assert_eq!(
            marked,
            "x__f(1) + this.x__g() + y::f() + \"x::f\" + `x::f ${x__f(`${x__C}`)} x::f` // x::f"
        );
    }

    #[test]
    fn what_is_handed_over_is_counted_as_the_language_does() {
        for (code, count) in [
            ("()", 0),
            ("(1)", 1),
            ("(a, [1, 2], #{ a: 1, b: 2 })", 3),
            ("(|a, b| a + b, 2)", 2),
            ("(f(1, 2) | 3, 4)", 2),
            ("!(1, 2)", 2),
        ] {
            let tokens: Vec<Token> = lexed(code).into_iter().map(|(token, _)| token).collect();
            assert_eq!(handed(&tokens), count, "{code}");
        }
    }
}
