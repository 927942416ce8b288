//! The command `:check`: what is wrong with the open conflict, and how far its laws hold.

use clap::Args;

use crate::analysis::Stage;
use crate::check::Finding;
use crate::commands::{CheckArguments, keep};
use crate::conflict::RuleChanges;
use crate::error::Error;
use crate::repl::{Reply, Session, check_folder};
use crate::report::{Block, Report};

/// `:check`.
#[derive(Args, Debug)]
pub struct CheckOpen {
    #[command(flatten)]
    effort: CheckArguments,
}

pub(super) fn check(session: &Session, check: &CheckOpen, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    // As both are on disk now.
    let conflict = play.snapshot().conflict(&session.catalog, &RuleChanges::default())?;
    let folder = conflict.folder.disk_path();
    let catalog = folder.map_or_else(|| session.catalog.clone(), |path| session.catalog.over(path));
    let audience = session.lab.audience();
    let progress = audience.begins("checks", None);
    let doing = |words| progress(Stage::Doing(words));
    let by = (session.seed_apart(None)?, session.lab.threads());
    let of = (&catalog, &session.options.limits);
    let rules = session.lab.rules();
    let command = rules
        .iter()
        .fold("fracas".to_owned(), |command, dir| format!("{command} --rules {}", dir.display()));
    let check = check.effort.check(of, by, command, &doing);
    let found = check.conflict(&conflict.scenario, &conflict.changes);
    drop(progress);
    let found = found?;
    let kept = keep(&found.findings, check_folder())?;
    let mut blocks: Vec<Block> = Vec::new();
    for Finding { level, at, message, history, .. } in &found.findings {
        let at = at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
        blocks.push(Block::sentence(format!("{at}{}: {message}", level.word())));
        let entries: Vec<String> = history.iter().map(|entry| format!("  {entry}")).collect();
        blocks.extend((!history.is_empty()).then(|| Block::Code(entries.join("\n"))));
    }
    let sentences = found.sentences().chain(kept).chain([found.counted()]);
    blocks.extend(sentences.map(Block::sentence));
    session.show(reply, &Report::of(&found, blocks));
    Ok(())
}
