//! Writes the HTML page about a tournament, with the histories of strange games in a folder beside
//! it.

use std::path::{Path, PathBuf};

use super::arguments::CommonArguments;
use super::output::Output;
use crate::catalog::Catalog;
use crate::conflict::{replace, replaceable};
use crate::error::Error;
use crate::render::shell_line;
use crate::script::Limits;
use crate::tournament::{Arena, Identity, RefereeFactory, Report, StrangeGame, TournamentState};

/// Where games can be played again.
pub(super) struct ReplaySource<'a> {
    /// The scenarios and agents.
    pub arena: &'a Arena,
    /// Where systems are found.
    pub catalog: &'a Catalog,
    /// What every command understands.
    pub common: &'a CommonArguments,
}

impl ReplaySource<'_> {
    /// Gives each game the command that plays it again.
    pub(super) fn tell_commands(&self, strange: &mut [StrangeGame]) {
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
        strange: &mut [StrangeGame],
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
pub(super) fn write(
    path: &Path,
    (course, unfinished): (&TournamentState<'_>, Option<&str>),
    identity: &Identity,
    mut strange: Vec<StrangeGame>,
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

/// A line for the shell: the words after `fracas`, and the rules folders that go before others.
pub(super) fn line(words: &[String], common: &CommonArguments) -> String {
    shell_line(words, &common.rules)
}

/// The words for an option, if it is given.
pub(super) fn option(name: &str, value: Option<&PathBuf>) -> Vec<String> {
    value.map(|path| vec![name.to_owned(), path.display().to_string()]).unwrap_or_default()
}
