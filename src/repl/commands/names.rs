//! The commands that list systems and explain functions: `:list`, `:doc`.

use std::collections::BTreeSet;

use crate::arguments::SystemArgument;
use crate::error::Error;
use crate::handbook::{self, Entry, HandbookMatch};
use crate::lab;
use crate::listing;
use crate::repl::{Reply, Session};

/// Lists the systems, or what one has.
pub(super) fn list(
    session: &mut Session,
    list: &SystemArgument,
    reply: &mut Reply,
) -> Result<(), Error> {
    let limits = &session.options.limits;
    match &list.system {
        None => {
            let all = listing::systems(&session.catalog, limits);
            session.show(reply, || &all, |width, plain| all.as_text(width, plain));
        }
        Some(name) => {
            let system = listing::system(&session.catalog, name, limits)?;
            session.show(
                reply,
                || &system,
                |width, plain| system.as_text(list.detail(), width, plain),
            );
        }
    }
    Ok(())
}

/// Explains a name, or lists all.
pub(super) fn doc(
    session: &mut Session,
    name: Option<&str>,
    reply: &mut Reply,
) -> Result<(), Error> {
    let all = HandbookMatch::all(known(session));
    let Some(word) = name else {
        session.show(reply, || &all, |width, plain| all.as_text(width, plain));
        return Ok(());
    };
    let found = handbook::find(&all.functions, &session.catalog, word, &session.options.limits)?;
    session.show(reply, || &found, |width, plain| found.as_text(width, plain));
    Ok(())
}

/// All documentation that this session has: its own names, the open rules, the handbook, then the
/// language.
fn known(session: &Session) -> Vec<Entry> {
    let handbook = lab::known();
    let mut language = session.lab.language();
    // The engine knows the primitives too; what is told in full is not told again.
    language.retain(|one| handbook.iter().all(|told| told.name != one.name));
    // Of the language's forms, those without a word are told only where there is no other.
    let worded: BTreeSet<String> =
        language.iter().filter(|one| !one.text.is_empty()).map(|one| one.name.clone()).collect();
    language.retain(|one| !one.text.is_empty() || !worded.contains(&one.name));
    let mut all = session.lab.own();
    if let Some(handle) = session.handle() {
        all.retain(|entry| entry.name != handle.name);
        all.insert(0, handle);
    }
    if let Some(play) = &session.play {
        all.extend(handbook::of_rules(&play.conflict.rules));
        all.extend(handbook::constants_of(&play.conflict.rules));
    }
    all.extend(handbook);
    all.extend(lab::measures());
    all.extend(lab::wishes());
    all.extend(language);
    all
}
