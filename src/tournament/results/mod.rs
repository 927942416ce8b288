//! Keeps results in one SQLite file, as they come; the same spec resumes where it stopped.
//!
//! A game is kept under what decides how it ends: the scenario and its rules, who sits where, and how
//! often the same sat there before. So a longer or larger tournament finds the games that it shares with
//! the one before, and so does one of which an agent has changed. Results are added in transactions, in
//! the order in which games end. A program killed at any moment leaves a file from which the next one
//! resumes, and whoever reads it meanwhile is not kept waiting.

mod checksums;
mod fault;
mod identity;
mod merge;
mod open;
mod replay;
mod rows;
mod writing;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Instant;

use hashbrown::HashMap;
use indexmap::IndexMap;
use rusqlite::{Connection, params};

use super::{Conditions, ExactOdds, Game, GameResult, Lineup, Shard, Spec};
use crate::error::Error;
use crate::report::many;
use checksums::{BlockId, Ledger, WholeTable};
pub use identity::Identity;
pub use merge::{Merged, merge};
pub(super) use replay::exact;
pub use replay::{json, missing, replay};
pub(crate) use replay::{replay_with, takes_games, write_games};
use rows::{EndingNumbers, GameRow, LineupOdds, Seated};

/// A file of results, or the memory where none is wanted.
pub struct Results {
    connection: Connection,
    path: PathBuf,
    identity: Identity,
    spec: Spec,
    /// The numbers of the lineups that hold.
    lineups: HashMap<Lineup, i64>,
    /// Their commands.
    commands: HashMap<i64, String>,
    endings: EndingNumbers,
    exact: HashMap<i64, LineupOdds>,
    /// Whether it is open to be written.
    writes: bool,
    /// How many results the open transaction has, since then.
    pending: usize,
    since: Instant,
    ledger: Ledger,
    /// Games read ahead, by lineup: the block, and what is left of it.
    ahead: HashMap<i64, (BlockId, VecDeque<GameRow>)>,
    /// What has changed since the file was written last.
    changes: Vec<String>,
    /// What counted until then and does not count any more, though the spec has it: scenario -> games, and
    /// the companies of agents that were computed.
    outdated: IndexMap<String, (u64, BTreeSet<Vec<String>>)>,
}

impl Results {
    /// The results of a tournament: a new file, or the one that is there.
    ///
    /// # Errors
    /// [`Error::OtherTournament`] names what differs where it is another tournament: by its seed, its house
    /// rules or its shard, or as it has only other scenarios. [`Error::File`] where the file is another
    /// program's, is in use, or cannot be written; it stays as it was.
    pub fn open(
        path: &Path,
        spec: &Spec,
        conditions: &Conditions,
        shard: Option<Shard>,
    ) -> Result<Results, Error> {
        let now = Identity::new(spec, conditions, shard);
        let connection = open::for_writing(path, &now)?;
        let before = Identity::load(&connection, path)?;
        let forbidden = before.forbids(&now);
        if !forbidden.is_empty() {
            let path = path.display().to_string();
            let next = "name another file with `--out`".to_owned();
            return Err(Error::OtherTournament { path, differs: forbidden, next });
        }
        let changes = before.differs_from(&now);
        let now = Identity { merged: before.merged, ..now };
        let mut results = Results::of(connection, path, now, true)?;
        if !changes.is_empty() {
            results.written(|results| results.identity.save(&results.connection))?;
            results.changes = changes;
        }
        Ok(results)
    }

    /// The results that are in a file, of any tournament, as they are at this moment.
    pub fn read(path: &Path) -> Result<Results, Error> {
        let connection = open::for_reading(path)?;
        let identity = Identity::load(&connection, path)?;
        Results::of(connection, path, identity, false)
    }

    /// Results that are kept in memory alone.
    pub fn in_memory(spec: &Spec, conditions: &Conditions) -> Result<Results, Error> {
        let identity = Identity::new(spec, conditions, None);
        Results::of(open::in_memory(&identity)?, Path::new("memory"), identity, true)
    }

    pub(crate) fn bytes(&mut self) -> Result<u64, Error> {
        self.commit()?;
        let number = |pragma: &str| {
            self.connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0))
        };
        let bytes = number("page_count").and_then(|pages| Ok(pages * number("page_size")?));
        bytes.map(|bytes| bytes as u64).map_err(fault::read(&self.path))
    }

    fn of(
        connection: Connection,
        path: &Path,
        identity: Identity,
        writes: bool,
    ) -> Result<Results, Error> {
        let failed = fault::read(path);
        let ledger = Ledger::default();
        let whole = |table: WholeTable, sum| ledger.verify(&connection, path, table.block(), sum);
        let (endings, sum) = rows::endings(&connection).map_err(failed)?;
        whole(WholeTable::Endings, sum)?;
        let (exact, sum) = rows::exact(&connection).map_err(failed)?;
        whole(WholeTable::Exact, sum)?;
        let (lineups, sum) = rows::seatings(&connection).map_err(failed)?;
        whole(WholeTable::Seatings, sum)?;
        let mut results = Results {
            spec: identity.read_spec(path)?,
            endings: endings.ok_or_else(|| fault::damaged(path))?,
            exact: exact.into_iter().collect::<Option<_>>().ok_or_else(|| fault::damaged(path))?,
            path: path.to_owned(),
            connection,
            identity,
            lineups: HashMap::new(),
            commands: HashMap::new(),
            writes,
            pending: 0,
            since: Instant::now(),
            ledger,
            ahead: HashMap::new(),
            changes: Vec::new(),
            outdated: IndexMap::new(),
        };
        results.find_those_that_hold(lineups)?;
        Ok(results)
    }

    fn find_those_that_hold(&mut self, all: Vec<(i64, Seated, bool)>) -> Result<(), Error> {
        let number = |words: &[String], word: &str| words.iter().position(|known| known == word);
        let mut changed = Vec::new();
        let mut outdated = Vec::new();
        for (id, seated, held) in all {
            let words: Vec<String> = serde_json::from_str(&seated.agents).unwrap_or_default();
            let agents = words.iter().map(|agent| number(&self.spec.agents, agent)).collect();
            let scenario = number(&self.spec.scenarios, &seated.scenario);
            let asked = scenario.zip(agents).map(|(scenario, agents)| Lineup { scenario, agents });
            let holds = |it: &Lineup| self.identity.seated(&self.spec, it).key == seated.key;
            let is_current = asked.as_ref().is_some_and(holds);
            if held != is_current {
                changed.push((id, is_current));
            }
            let Some(lineup) = asked else { continue };
            if !is_current {
                outdated.extend(held.then_some((id, lineup, seated.scenario, words)));
                continue;
            }
            self.lineups.insert(lineup, id);
            self.commands.extend(seated.command.map(|command| (id, command)));
        }
        if !self.writes || changed.is_empty() {
            return Ok(());
        }
        for (id, lineup, scenario, mut words) in outdated {
            // What went back to what it was before has its old games.
            let now = self.lineups.get(&lineup).copied();
            let games = |of: &[i64]| {
                rows::count(&self.connection, of.iter().copied()).map_err(fault::read(&self.path))
            };
            let again = games(&[id])?.saturating_sub(games(now.as_slice())?);
            let is_computed =
                |id: &i64| self.exact.get(id).is_some_and(|odds| odds.exact.is_some());
            let computes = is_computed(&id) && !now.as_ref().is_some_and(is_computed);
            if again == 0 && !computes {
                continue;
            }
            let (played, computed) = self.outdated.entry(scenario).or_default();
            *played += again;
            if computes {
                words.sort();
                words.dedup();
                computed.insert(words);
            }
        }
        self.written(|results| {
            let update = "UPDATE seatings SET holds = ?2 WHERE id = ?1";
            let mut update = results.connection.prepare(update)?;
            changed
                .iter()
                .try_for_each(|(id, holds)| update.execute(params![id, holds]).map(|_| ()))
        })
    }

    /// What the results are of.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The spec of which they are.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The file, as the user gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file has that counts, what has changed since it was written last, and what is played again
    /// for that, in a sentence without its end; nothing where the file is new.
    pub fn beginning(&self) -> Result<Option<String>, Error> {
        let games = self.len()?;
        if games == 0 && self.changes.is_empty() {
            return Ok(None);
        }
        let (path, games) = (self.path.display(), many(games, "game"));
        if self.changes.is_empty() {
            let sentence = format!("`{path}` has {games} already, not to be played again");
            return Ok(Some(sentence));
        }
        let again = self.outdated.iter().filter_map(|(scenario, (played, computed))| {
            let computed = computed.len() as u64;
            let played = (*played > 0).then(|| many(*played, "game"));
            let computed = (computed > 0).then(|| many(computed, "computed pairing"));
            let what: Vec<String> = played.into_iter().chain(computed).collect();
            (!what.is_empty()).then(|| format!("{} of `{scenario}`", what.join(" and ")))
        });
        let again: Vec<String> = again.collect();
        let then = match again.is_empty() {
            true => "they are not played again".to_owned(),
            false => format!(
                "to be done again: {}; to keep the old ones apart, name another file with `--out`",
                again.join(", ")
            ),
        };
        let changes = self.changes.join("; ");
        Ok(Some(format!("`{path}` has {games} that still count ({changes}); {then}")))
    }

    /// The command that plays a game again, where it is known.
    pub fn command(&self, game: &Game) -> Option<String> {
        let command = self.commands.get(self.lineups.get(&game.lineup)?)?;
        Some(format!("{command} --seed {}", game.seed))
    }

    /// How many results have been written that hold.
    pub fn len(&self) -> Result<u64, Error> {
        rows::count(&self.connection, self.lineups.values().copied())
            .map_err(fault::read(&self.path))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }

    /// The result of a game, if it is kept. The games of a lineup are asked for in order, each once, and
    /// before they are added.
    pub fn get(&mut self, game: &Game) -> Result<Option<GameResult>, Error> {
        let Some(&lineup) = self.lineups.get(&game.lineup) else { return Ok(None) };
        let block = rows::block(lineup, game.nth);
        let Results { connection, path, ledger, ahead, .. } = self;
        let (known, rows) = ahead.entry(lineup).or_default();
        if *known != block {
            *rows = rows::games(connection, path, ledger, block)?.into();
            *known = block;
        }
        while rows.front().is_some_and(|row| row.nth < game.nth) {
            rows.pop_front();
        }
        if rows.front().is_none_or(|row| row.nth != game.nth) {
            return Ok(None);
        }
        rows.pop_front().map(|row| self.result(&row)).transpose()
    }

    fn result(&self, row: &GameRow) -> Result<GameResult, Error> {
        row.result(&self.endings).ok_or_else(|| fault::damaged(&self.path))
    }

    /// The result of a game, if it is kept, in any order of reading.
    fn at(&self, lineup: &Lineup, nth: u64) -> Result<Option<GameResult>, Error> {
        let Some(&id) = self.lineups.get(lineup) else { return Ok(None) };
        let rows = self.rows(rows::block(id, nth))?;
        rows.iter().find(|row| row.nth == nth).map(|row| self.result(row)).transpose()
    }

    fn rows(&self, block: BlockId) -> Result<Vec<GameRow>, Error> {
        rows::games(&self.connection, &self.path, &self.ledger, block)
    }

    /// Goes back to the first game for [`Results::get`].
    pub(crate) fn rewind(&mut self) {
        self.ahead.clear();
    }

    /// What is known of a lineup: its exact ends, if it was computed.
    pub fn exact(&self, lineup: &Lineup) -> Option<&ExactOdds> {
        self.sought(lineup)?.exact.as_ref()
    }

    fn sought(&self, lineup: &Lineup) -> Option<&LineupOdds> {
        self.exact.get(self.lineups.get(lineup)?)
    }

    /// Whether a lineup need not be looked into again, for what may be spent on it now: see
    /// [`RefereeFactory::bound`](crate::tournament::RefereeFactory::bound).
    pub(crate) fn is_settled(&self, lineup: &Lineup, bound: u64) -> bool {
        self.sought(lineup).is_some_and(|known| match known.exact {
            Some(_) => known.bound <= bound,
            None => known.bound >= bound,
        })
    }
}
