//! `fracas tournament`: plays a tournament between agents, or resumes one that was stopped.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use super::standings::{self, ReplaySource};
use super::stdin_lines;
use crate::catalog::{Document, FileText};
use crate::commands::WrittenArguments;
use crate::conflict::apart;
use crate::error::Error;
use crate::report::{self, shell_line};
use crate::tournament::results::replay;
use crate::tournament::{
    Arena, Costs, Opening, Results, RunResult, Running, Shard, Spec, run as play,
};

#[derive(Args, Debug)]
pub(super) struct TournamentCommand {
    /// The spec: scenarios, agents, format; `--seed` takes the place of its seed
    #[arg(value_name = "SPEC.toml")]
    spec: PathBuf,
    /// Keep the results in this file; without it, beside the spec, with `.db` for `.toml`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play only this part of the schedule: 2/7 is the second of seven
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Play all pairings, and compute none that is small enough; the same as `exact = false` in the spec
    #[arg(long)]
    no_exact: bool,
    /// Play nothing that is kept: say how many games there are, and about what time and room they take
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    written: WrittenArguments,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &TournamentCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (mut spec, document) = read(common, &arguments.spec)?;
    spec.exact &= !arguments.no_exact;
    let shard = arguments.shard;
    let out = arguments.out.clone().unwrap_or_else(|| beside(&arguments.spec, shard));
    let mut written = vec![("the results", out.as_path())];
    written.extend(arguments.written.files());
    apart(&[("the spec", &arguments.spec)], &written)?;
    if shard.is_some() {
        Shard::check(&spec)?;
    }
    let catalog = common.catalog()?;
    let limits = common.limits();
    let opening = Opening {
        memory: common.graph_memory(),
        rules: &common.rules,
        place: &|place| document.at(place),
        ..Opening::new(&catalog, &limits)
    };
    let arena = Arena::open(&spec, &opening)?;
    arena.warnings().iter().for_each(|warning| output.say(warning));
    if arguments.dry_run {
        let by = (common.threads(), &*stdin_lines::flag());
        let costs = Costs::of(&spec, &arena, shard, by)?;
        output.show(&costs.report())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut results = Results::open(&out, &spec, arena.conditions(), shard)?;
    let kept = || format!("results are kept in `{}`", out.display());
    output.say(&results.beginning()?.unwrap_or_else(kept));
    let run = play_on(common, &spec, &arena, &mut results, output)
        .inspect_err(|_| output.say(&format!("what was played is kept in `{}`", out.display())))?;
    let interrupted = run.interrupted;
    let state = match interrupted {
        // Of a file that was merged more is known than what was consumed.
        true => replay(&spec, &mut results, |_, _, _| Ok(()))?,
        false => run.state,
    };
    standings::show(&state, (&[], arguments.written.meta), output)?;
    let source = ReplaySource { arena: &arena, catalog: &catalog, common };
    let mut notable = state.notable();
    source.report_commands(&mut notable);
    standings::forfeits(&state, &notable, output);
    standings::games(&spec, &mut results, arguments.written.games.as_deref(), output)?;
    if let Some(path) = &arguments.written.report {
        let by = (Some(&source), line(common, arguments));
        let unfinished = unfinished(interrupted, shard, state.tally().games());
        let shown = (&state, unfinished.as_deref());
        standings::write_page(path, shown, results.identity(), notable, by, output)?;
        standings::wrote(path, output);
    }
    results.close()?;
    if interrupted {
        output.say(match state.is_empty() {
            true => "interrupted: the same command resumes it",
            false => "interrupted: these are the standings so far; the same command resumes it",
        });
        return Ok(ExitCode::from(130));
    }
    if let Some(shard) = shard {
        output.say(&format!("shard {shard} is done; `fracas merge` joins it with the others"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The spec under the seed of the command line, if one is given, and its file.
fn read(common: &CommonArguments, path: &Path) -> Result<(Spec, Document), Error> {
    let text = FileText::read(path)?;
    let document = Document::parse(text.clone())?;
    let mut spec = Spec::parse(text)?;
    spec.seed = common.chance.seed.unwrap_or(spec.seed);
    // It is written into the file of results as TOML, which has 63 bits.
    if i64::try_from(spec.seed).is_err() {
        return Err(Error::usage(format!("`--seed` of a tournament must be at most {}", i64::MAX)));
    }
    Ok((spec, document))
}

/// Why a page does not show the whole tournament, if it does not.
fn unfinished(interrupted: bool, shard: Option<Shard>, games: u64) -> Option<String> {
    let after = |games: u64| match games {
        0 => "before the first game".to_owned(),
        games => format!("after {}", report::many(games, "game")),
    };
    let stopped = format!("it was interrupted {}, and this is what is known so far", after(games));
    let part = |shard: Shard| format!("this is shard {shard} alone, without the others");
    match (interrupted, shard) {
        (true, Some(shard)) => Some(format!("{}; {stopped}", part(shard))),
        (true, None) => Some(stopped),
        (false, shard) => shard.map(part),
    }
}

/// The command itself, as it repeats the tournament.
fn line(common: &CommonArguments, arguments: &TournamentCommand) -> String {
    let mut words = vec!["tournament".to_owned(), arguments.spec.display().to_string()];
    if let Some(seed) = common.chance.seed {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    if arguments.no_exact {
        words.push("--no-exact".to_owned());
    }
    if let Some(shard) = arguments.shard {
        words.extend(["--shard".to_owned(), shard.to_string()]);
    }
    words.extend(standings::option("--out", arguments.out.as_ref()));
    words.extend(standings::option("--report", arguments.written.report.as_ref()));
    shell_line(&words, &common.rules)
}

/// Where results are kept where nobody says: `cup.db` for `cup.toml`, a shard's apart from others.
fn beside(spec: &Path, shard: Option<Shard>) -> PathBuf {
    match shard {
        None => spec.with_extension("db"),
        Some(shard) => {
            let name = shard.to_string().replace('/', "-of-");
            spec.with_extension(format!("{name}.db"))
        }
    }
}

/// Plays what the file does not have, telling how far it is.
fn play_on<'a>(
    common: &CommonArguments,
    spec: &'a Spec,
    arena: &Arena,
    results: &mut Results,
    output: &Output,
) -> Result<RunResult<'a>, Error> {
    let mut progress: Option<Progress> = None;
    let mut playing = false;
    let mut on_progress = |at: crate::tournament::TournamentProgress| {
        if at.seeking.is_none() && !std::mem::replace(&mut playing, true) {
            // How fast games go says nothing of the time before the first of them.
            progress = None;
        }
        let progress = progress.get_or_insert_with(|| Progress::new(output, "games", at.total));
        match at.seeking {
            Some((pairing, of)) => {
                progress.doing(|| format!("exact odds of pairing {pairing} of {of}"));
            }
            None => progress.beyond(at.known, at.games, at.total),
        }
    };
    let interrupt = stdin_lines::flag();
    let running =
        Running { threads: common.threads(), interrupt: &interrupt, progress: &mut on_progress };
    play(spec, arena.conditions(), arena, results, running)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_kept_beside_the_spec() {
        let shown = |shard: Option<&str>| {
            let shard = shard.map(|shard| shard.parse().unwrap());
            beside(Path::new("a/cup.toml"), shard).display().to_string()
        };
        assert_eq!(shown(None), "a/cup.db");
        assert_eq!(shown(Some("2/7")), "a/cup.2-of-7.db");
    }
}
