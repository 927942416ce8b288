//! `fracas standings`: the standings from results on disk, and the HTML page about them.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use crate::catalog::Catalog;
use crate::commands::WrittenArguments;
use crate::conflict::{apart, replace, replaceable};
use crate::error::Error;
use crate::report::{self, shell_line};
use crate::script::Limits;
use crate::tournament::results::{missing, replay, write_games};
use crate::tournament::{
    Arena, Identity, LeaguePage, NotableGame, NotableReason, RefereeFactory, Results, Spec,
    Standings, TournamentState,
};

#[derive(Args, Debug)]
pub(super) struct StandingsCommand {
    /// The file of results, also while a tournament writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    written: WrittenArguments,
}

/// Runs the command: it prints what `fracas tournament` prints at its end, of what the file holds now.
pub(super) fn run(
    common: &CommonArguments,
    arguments: &StandingsCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut written = Vec::new();
    written.extend(arguments.written.files());
    apart(&[("the results", &arguments.file)], &written)?;
    let mut results = Results::read(&arguments.file)?;
    let missing = match results.identity().merged {
        true => missing(&results.spec().clone(), &mut results)?,
        false => Vec::new(),
    };
    let mut words = vec!["standings".to_owned(), arguments.file.display().to_string()];
    words.extend(option("--report", arguments.written.report.as_ref()));
    let by = (missing.as_slice(), shell_line(&words, &common.rules));
    write(
        &mut results,
        &arguments.written,
        by,
        |games, total| {
            let of = report::many(total, "game");
            let so_far = format!("these are the standings after {games} of at most {of}");
            (games < total).then_some(so_far)
        },
        output,
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Prints and writes what a file of results holds; with the games that are missing, the command that
/// repeats it, and what to say where it is unfinished after some games of this many.
pub(super) fn write(
    results: &mut Results,
    written: &WrittenArguments,
    (missing, command): (&[RangeInclusive<u64>], String),
    unfinished: impl FnOnce(u64, u64) -> Option<String>,
    output: &mut Output,
) -> Result<(), Error> {
    let spec = results.spec().clone();
    let state = replay(&spec, results, |_, _, _| Ok(()))?;
    show(&state, (missing, written.meta), output)?;
    let mut notable = state.notable();
    for game in &mut notable {
        game.command = results.command(&game.game).or(game.command.take());
    }
    forfeits(&state, &notable, output);
    games(&spec, results, written.games.as_deref(), output)?;
    let total = state.total().filter(|_| state.stopped().is_none());
    let total = total.map(|total| total.saturating_sub(state.tally().computed()));
    let unfinished = total.and_then(|total| unfinished(state.tally().games(), total));
    if let Some(path) = &written.report {
        let shown = (&state, unfinished.as_deref());
        write_page(path, shown, results.identity(), notable, (None, command), output)?;
        wrote(path, output);
    }
    if let Some(unfinished) = unfinished {
        output.say(&unfinished);
    }
    Ok(())
}

/// Prints standings and cross table, for people or for programs; with the games that are missing, and the meta-game
/// where it is asked for.
pub(super) fn show(
    state: &TournamentState<'_>,
    (missing, meta): (&[RangeInclusive<u64>], bool),
    output: &mut Output,
) -> Result<(), Error> {
    let mut standings = Standings::of(state);
    if meta {
        standings = standings.with_meta(state.spec().seed);
    }
    standings.missing = missing.iter().map(|gap| (*gap.start(), *gap.end())).collect();
    output.show(&standings.report(state))
}

/// Says of each agent's each mistake how it erred, and how to see the first such game again.
pub(super) fn forfeits(state: &TournamentState<'_>, notable: &[NotableGame], output: &mut Output) {
    let forfeits = notable.iter().filter_map(|game| match game.why {
        NotableReason::Forfeit { times, .. } => Some((game, times)),
        _ => None,
    });
    let mut shown = 0;
    for (game, times) in forfeits {
        let again = game.command.as_ref();
        let again = again.map(|again| format!("; `{again}` plays it")).unwrap_or_default();
        output.say(&format!("game {}: {}{again}", game.game.number, game.sentence()));
        shown += times;
    }
    let agents = 0..state.spec().agents.len();
    let all: u64 = agents.map(|agent| state.tally().forfeits(agent)).sum();
    if all > shown {
        output.say(&format!("and {} more forfeits", all - shown));
    }
}

/// Writes every game that counts to a file, if one was asked for; whole, or not at all.
pub(super) fn games(
    spec: &Spec,
    results: &mut Results,
    path: Option<&Path>,
    output: &mut Output,
) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    write_games(spec, results, path)?;
    wrote(path, output);
    Ok(())
}

/// Says that a file is there.
pub(super) fn wrote(path: &Path, output: &mut Output) {
    output.say(&format!("wrote `{}`", path.display()));
}

pub(super) struct ReplaySource<'a> {
    pub arena: &'a Arena,
    pub catalog: &'a Catalog,
    pub common: &'a CommonArguments,
}

impl ReplaySource<'_> {
    /// Gives each game the command that plays it again.
    pub(super) fn report_commands(&self, notable: &mut [NotableGame]) {
        for game in notable {
            let command = self.arena.command(&game.game.lineup);
            let command = command.map(|command| format!("{command} --seed {}", game.game.seed));
            game.command = command.or(game.command.take());
        }
    }

    /// Saves the history of each game in a folder, and notes its path from the folder around that.
    fn save(
        &self,
        folder: &Path,
        notable: &mut [NotableGame],
        output: &mut Output,
    ) -> Result<(), Error> {
        // What is written about an interrupted tournament is written to its end.
        let limits = self.common.limits();
        let budget = limits.budget.clone().interrupted_by(None);
        let limits = Limits { budget, ..limits };
        let beside = folder.file_name().unwrap_or_default().to_string_lossy();
        for notable in notable {
            let number = notable.game.number;
            let saved = self.arena.history(&notable.game, &notable.result, self.catalog, &limits);
            let Ok(Some(saved)) = saved else {
                output.say(&format!("game {number} does not reach its end again: no history"));
                continue;
            };
            let failed = |reason| Error::file("write", folder, reason);
            std::fs::create_dir_all(folder).map_err(failed)?;
            let name = format!("game-{number}.fracas");
            saved.write_to(&folder.join(&name))?;
            notable.history = Some(format!("{beside}/{name}"));
        }
        Ok(())
    }
}

/// Writes the page, and the histories where games can be played again: `page.histories/` beside
/// `page.html`. Where the page lacks games, `unfinished` says why.
pub(super) fn write_page(
    path: &Path,
    (state, unfinished): (&TournamentState<'_>, Option<&str>),
    identity: &Identity,
    mut notable: Vec<NotableGame>,
    (source, command): (Option<&ReplaySource<'_>>, String),
    output: &mut Output,
) -> Result<(), Error> {
    replaceable(path)?;
    if let Some(source) = source {
        source.save(&path.with_extension("histories"), &mut notable, output)?;
    }
    let report =
        LeaguePage { state, identity, notable: &notable, unfinished, commands: &[command] };
    replace(path, report.html().as_bytes())
}

/// The words for an option, if it is given.
pub(super) fn option(name: &str, value: Option<&PathBuf>) -> Vec<String> {
    value.map(|path| vec![name.to_owned(), path.display().to_string()]).unwrap_or_default()
}
