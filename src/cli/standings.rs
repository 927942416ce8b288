//! `fracas standings` and `fracas merge`: the standings from results on disk, one file from the shards of a
//! tournament, and the HTML page about it.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::arguments::{self, CommonArguments, StandingsArguments, WrittenArguments};
use super::output::Output;
use crate::catalog::Catalog;
use crate::conflict::{apart, replace, replaceable};
use crate::error::Error;
use crate::render::{self, shell_line};
use crate::script::Limits;
use crate::tournament::results::{merge, missing, replay, write_games};
use crate::tournament::{
    Arena, Disputed, Identity, NotableGame, NotableReason, RefereeFactory, Report, Results, Spec,
    Standings, TournamentState,
};

/// Games about which parts disagree that are named one by one.
const DISPUTED: usize = 5;

/// Runs the command: it prints what `fracas tournament` prints at its end, of what the file holds now.
pub(super) fn run(
    common: &CommonArguments,
    arguments: &StandingsArguments,
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
            let of = render::many(total, "game");
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
    let disputed = results.disputed()?;
    let course = replay(&spec, results, |_, _, _| Ok(()))?;
    show(&course, (missing, &disputed), output)?;
    let mut strange = course.strange();
    for game in &mut strange {
        game.command = results.command(&game.game).or(game.command.take());
    }
    forfeits(&course, &strange, output);
    games(&spec, results, written.games.as_deref(), output)?;
    let total = course.total().filter(|_| course.stopped().is_none());
    let total = total.map(|total| total.saturating_sub(course.tally().computed()));
    let unfinished = total.and_then(|total| unfinished(course.tally().games(), total));
    if let Some(path) = &written.report {
        let shown = (&course, unfinished.as_deref());
        write_page(path, shown, results.identity(), strange, (None, command), output)?;
        wrote(path, output);
    }
    if let Some(unfinished) = unfinished {
        output.say(&unfinished);
    }
    Ok(())
}

/// Prints standings and cross table, for people or for programs; with the games that are missing, and
/// those about which parts disagree.
pub(super) fn show(
    course: &TournamentState<'_>,
    (missing, disputed): (&[RangeInclusive<u64>], &[Disputed]),
    output: &mut Output,
) -> Result<(), Error> {
    let mut standings = Standings::of(course);
    standings.conflicts = disputed.to_vec();
    standings.missing = missing.iter().map(|gap| (*gap.start(), *gap.end())).collect();
    output.show(&standings, |width, plain| standings.as_text(course, width, plain))?;
    for game in disputed.iter().take(DISPUTED) {
        let again = game.command.as_ref();
        let again = again.map(|again| format!("; `{again}` plays it")).unwrap_or_default();
        output.warn(&format!("parts disagree about {}{again}", game.sentence()));
    }
    if disputed.len() > DISPUTED {
        let more = disputed.len() - DISPUTED;
        let more = render::many(more as u64, "game");
        output.warn(&format!("parts disagree about {more} more; `--json` lists them"));
    }
    Ok(())
}

/// Says of each agent's each mistake how it erred, and how to see the first such game again.
pub(super) fn forfeits(course: &TournamentState<'_>, strange: &[NotableGame], output: &mut Output) {
    let forfeits = strange.iter().filter_map(|game| match game.why {
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
    let agents = 0..course.spec().agents.len();
    let all: u64 = agents.map(|agent| course.tally().forfeits(agent)).sum();
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

/// Joins the shards of a tournament, and prints their standings.
///
/// # Errors
/// Those of the parts, and where they are of different tournaments: then nothing is written. Where games
/// are missing, or parts disagree about one, the exit code is 1.
pub(super) fn merged(
    common: &CommonArguments,
    arguments: &arguments::MergeCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let parts: Vec<(&str, &Path)> =
        arguments.parts.iter().map(|part| ("a part", part.as_path())).collect();
    let mut written = vec![("`--out`", arguments.out.as_path())];
    written.extend(arguments.written.files());
    apart(&parts, &written)?;
    let merged = merge(&arguments.parts, &arguments.out)?;
    let mut results = Results::read(&arguments.out)?;
    let missing = merged.sentence();
    let said = missing.clone();
    let by = (merged.missing.as_slice(), line(common, arguments));
    write(&mut results, &arguments.written, by, |_, _| said, output)?;
    let seed = results.spec().seed.to_string();
    results.close()?;
    if missing.is_none() {
        return Ok(ExitCode::SUCCESS);
    }
    // The seed may have come from the command line, which the spec's file does not know.
    let mut words = ["tournament", "SPEC.toml", "--seed", &seed].map(str::to_owned).to_vec();
    words.extend(option("--out", Some(&arguments.out)));
    output.warn(&format!(
        "these are the standings without the missing games; `{}` plays them",
        shell_line(&words, &common.rules)
    ));
    Ok(ExitCode::FAILURE)
}

/// The command itself, as it repeats the page.
fn line(common: &CommonArguments, arguments: &arguments::MergeCommand) -> String {
    let mut words = vec!["merge".to_owned()];
    words.extend(arguments.parts.iter().map(|part| part.display().to_string()));
    words.extend(option("--out", Some(&arguments.out)));
    words.extend(option("--report", arguments.written.report.as_ref()));
    shell_line(&words, &common.rules)
}

pub(super) struct ReplaySource<'a> {
    pub arena: &'a Arena,
    pub catalog: &'a Catalog,
    pub common: &'a CommonArguments,
}

impl ReplaySource<'_> {
    /// Gives each game the command that plays it again.
    pub(super) fn report_commands(&self, strange: &mut [NotableGame]) {
        for game in strange {
            let command = self.arena.command(&game.game.lineup);
            let command = command.map(|command| format!("{command} --seed {}", game.game.seed));
            game.command = command.or(game.command.take());
        }
    }

    /// Saves the history of each game in a folder, and notes its path from the folder around that.
    fn save(
        &self,
        folder: &Path,
        strange: &mut [NotableGame],
        output: &mut Output,
    ) -> Result<(), Error> {
        // What is written about an interrupted tournament is written to its end.
        let limits = self.common.limits();
        let budget = limits.budget.clone().interrupted_by(None);
        let limits = Limits { budget, ..limits };
        let beside = folder.file_name().unwrap_or_default().to_string_lossy();
        for strange in strange {
            let number = strange.game.number;
            let saved = self.arena.history(&strange.game, &strange.result, self.catalog, &limits);
            let Ok(Some(saved)) = saved else {
                output.say(&format!("game {number} does not reach its end again: no history"));
                continue;
            };
            let failed = |reason| Error::file("write", folder, reason);
            std::fs::create_dir_all(folder).map_err(failed)?;
            let name = format!("game-{number}.fracas");
            saved.write_to(&folder.join(&name))?;
            strange.history = Some(format!("{beside}/{name}"));
        }
        Ok(())
    }
}

/// Writes the page, and the histories where games can be played again: `page.histories/` beside
/// `page.html`. Where the page lacks games, `unfinished` says why.
pub(super) fn write_page(
    path: &Path,
    (course, unfinished): (&TournamentState<'_>, Option<&str>),
    identity: &Identity,
    mut strange: Vec<NotableGame>,
    (ground, command): (Option<&ReplaySource<'_>>, String),
    output: &mut Output,
) -> Result<(), Error> {
    replaceable(path)?;
    if let Some(ground) = ground {
        ground.save(&path.with_extension("histories"), &mut strange, output)?;
    }
    let report = Report { course, identity, strange: &strange, unfinished, commands: &[command] };
    replace(path, report.html().as_bytes())
}

/// The words for an option, if it is given.
pub(super) fn option(name: &str, value: Option<&PathBuf>) -> Vec<String> {
    value.map(|path| vec![name.to_owned(), path.display().to_string()]).unwrap_or_default()
}
