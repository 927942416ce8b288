//! The command `:rulebook`, and what F1 opens of it: the clause of a question, an option, or a result.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::why::clauses_of;
use crate::conflict::{Conflict, Players};
use crate::error::Error;
use crate::game::{brief, option_name};
use crate::handbook::HandbookMatch;
use crate::repl::Session;
use crate::report::{Report, many, wrapped};
use crate::rulebook::{Clause, Rulebook, cited_above, leading};

/// Shows the rules of the open conflict, or of a system, in prose; or clauses of them.
pub(super) fn rulebook(session: &mut Session, word: Option<&str>) -> Result<(), Error> {
    if let Some(folder) = word.and_then(|word| session.catalog.folder(word).ok()) {
        whole(session, &Rulebook::of(folder)?);
        return Ok(());
    }
    let book = of_open(session)?;
    match word {
        Some(word) => {
            let clauses = book.find(word)?;
            let named = clauses.iter().find(|clause| clause.id.eq_ignore_ascii_case(word));
            let id = named.map(|clause| clause.id.clone()).unwrap_or_default();
            show(session, clauses);
            let functions = functions_of(&session.open()?.conflict, &id);
            if !functions.is_empty() {
                let functions = functions.join(", ");
                let text = format!("in the rules: {functions}; `:rules NAME` shows one");
                session.note(wrapped(&text, session.options.width));
            }
        }
        None => whole(session, &book),
    }
    Ok(())
}

/// The functions and constants of the rules that are there by a clause, those of house rules too.
pub(super) fn functions_of(conflict: &Conflict, clause: &str) -> Vec<String> {
    let definitions = conflict.rules.definitions();
    let by_it = definitions.iter().filter(|one| cited_above(one).iter().any(|id| id == clause));
    let names: IndexSet<String> = by_it.map(|one| one.name.clone()).collect();
    names.into_iter().collect()
}

fn of_open(session: &Session) -> Result<Rulebook, Error> {
    let play = session.play.as_ref().ok_or_else(|| {
        Error::usage(
            "no conflict is open; `:rulebook SYSTEM` shows the rules of a system, `:list` which there are",
        )
    })?;
    Rulebook::under(&play.conflict.folder, &play.conflict.rules)
}

fn whole(session: &Session, book: &Rulebook) {
    session.show(&Report::of(book.clauses(), book.blocks()));
}

/// Shows clauses, with what of them house rules or parameters change in the open conflict.
fn show(session: &Session, clauses: Vec<Clause>) {
    let found = HandbookMatch::clauses(clauses);
    session.show(&Report::of(&found.clauses, found.blocks()));
}

/// Explains what the rules of the open conflict say of a word: a clause, the open question or one of its
/// options, a word of the rulebook. An empty word is the question, or at the end the result. Returns
/// whether there was anything to say.
pub fn explain(session: &mut Session, word: &str) -> Result<bool, Error> {
    let Ok(book) = of_open(session) else { return Ok(false) };
    let named = book.named(word);
    if !named.is_empty() {
        show(session, named);
        return Ok(true);
    }
    if let Some(index) = option(session, word) {
        let asked = session.decision()?;
        let option = asked.options[index].to_string();
        let wording = session.words.of(asked);
        let words = [wording.of_option(index), wording.help_of_option(index)];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        if !words.is_empty() {
            session.note(format!("{}: {}", option_name(&asked.options[index]), words.join(". ")));
        }
        // A clause that only mentions the word may be about anything, unless the question is asked by it.
        let mut about = book.about(&option);
        let marked = format!("*{option}*");
        let is_explained = book.words().any(|own| *own == *option)
            || about.iter().any(|clause| clause.text.contains(&marked));
        if !is_explained {
            let asked_by = asked_by(session)?;
            about.retain(|clause| asked_by.contains(&clause.id));
        }
        if !about.is_empty() {
            show(session, about);
            return Ok(true);
        }
        return question(session, &book);
    }
    let play = session.open()?;
    match play.position().outcome().map(|outcome| &outcome.result) {
        Some(result) if word.is_empty() || *word == **result => {
            if !explained(session, &book, result) {
                session.note(meaning_of_result(&play.players, result));
            }
            return Ok(true);
        }
        None if word.is_empty() => return question(session, &book),
        _ => {}
    }
    if play.asked().is_some_and(|asked| asked.name == word) {
        return question(session, &book);
    }
    Ok(explained(session, &book, word))
}

fn option(session: &Session, line: &str) -> Option<usize> {
    let index = session.answer_in(line)?.ok()?;
    (index < session.decision().ok()?.options.len()).then_some(index)
}

fn explained(session: &Session, book: &Rulebook, word: &str) -> bool {
    let explains = book.words().any(|own| own == word);
    if explains {
        show(session, book.about(word));
    }
    explains
}

/// What a result means that the rules do not explain.
fn meaning_of_result(players: &Players, result: &str) -> String {
    let what = if players.names.contains(result) {
        "the name of a player".to_owned()
    } else if let Some(members) = players.sides.get(result) {
        format!("the name of a side: {}", members.join(", "))
    } else {
        "a word that the rulebook does not explain".to_owned()
    };
    format!("the result, `{}`, is {what}; `:rules outcome` shows how it is decided", brief(&result))
}

fn asked_by(session: &Session) -> Result<BTreeSet<String>, Error> {
    let Some(asked) = session.open()?.asked() else { return Ok(BTreeSet::new()) };
    let cited = clauses_of(session, asked)?;
    Ok(cited.iter().flat_map(|cited| leading(cited).0).collect())
}

fn question(session: &Session, book: &Rulebook) -> Result<bool, Error> {
    let Some(asked) = session.open()?.asked() else { return Ok(false) };
    if let Some(help) = session.wording().and_then(|wording| wording.help.as_ref()) {
        session.note(help.clone());
    }
    let ids = asked_by(session)?;
    let clauses: Vec<Clause> =
        book.clauses().into_iter().filter(|clause| ids.contains(&clause.id)).collect();
    if clauses.is_empty() {
        session
            .note("no comment says by which clause this is asked; `:rulebook` shows all clauses");
    } else {
        let clauses_cited = many(clauses.len() as u64, "clause");
        session.note(format!("{}, {}: {clauses_cited} of the rulebook", asked.who, asked.name));
        show(session, clauses);
    }
    Ok(true)
}
