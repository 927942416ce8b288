//! The command `:luck`: which rolls and choices of the history moved most.

use clap::Args;

use crate::commands::{LuckArguments, PageArgument};
use crate::error::Error;
use crate::repl::{Reply, Session};

/// `:luck`.
#[derive(Args, Debug)]
pub struct Luck {
    #[command(flatten)]
    effort: LuckArguments,
    #[command(flatten)]
    page: PageArgument,
}

pub(super) fn luck(session: &Session, luck: &Luck, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    if session.viewer()?.misses(&play.history()) {
        return Err(Error::usage(
            "luck is weighed as if all were seen, which would show what is hidden; `:reveal` first",
        ));
    }
    let mut page = session.page("luck", &luck.page, true, false)?;
    let how = (session.seed_apart(None)?, session.lab.threads());
    let audience = session.lab.audience();
    let progress = audience.begins("nodes", None);
    let found = luck.effort.find(play, how, &*progress);
    drop(progress);
    let found = found?;
    session.show_with(reply, &found.report(), &mut page)
}
