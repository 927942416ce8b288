//! The rows of the tables of a file of results: how they are read, written and hashed.

use std::path::Path;

use hashbrown::HashMap;
use rusqlite::{Connection, Params, Row, params};

use super::super::{Adjudicated, ExactEnd, ExactOdds, Forfeit, GameResult};
use super::checksums::{self, BLOCK, BlockId, Ledger, Sum, WholeTable};
use super::fault;
use crate::error::{AgentFault, Error};

/// A seating in the words of the file, without its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seated {
    /// The digest of all that decides how its games end.
    pub key: String,
    pub scenario: String,
    /// The names of its seats, as a JSON list.
    pub seats: String,
    /// The words of its agents, as a JSON list.
    pub agents: String,
    /// The seed of its first game.
    pub seed: i64,
    pub command: Option<String>,
}

impl Seated {
    fn hash(&self, id: i64) -> u64 {
        let words = [&self.key, &self.scenario, &self.seats, &self.agents].map(String::as_str);
        checksums::numbers(&[id as u64, self.seed as u64, checksums::texts(&words)])
    }
}

#[derive(Debug, Default)]
pub(super) struct EndingNumbers {
    all: Vec<KnownEnding>,
    /// Result -> the bits of the utilities, and last why it ended -> number.
    known: HashMap<String, HashMap<Vec<u64>, i64>>,
    bits: Vec<u64>,
}

/// The result of a game, its utilities, and what ended it before its own end.
pub(super) type KnownEnding = (String, Vec<f64>, Option<Adjudicated>);

/// What ends of one result differ by.
fn bits(utility: &[f64], adjudicated: Option<Adjudicated>) -> impl Iterator<Item = u64> + '_ {
    let why = adjudicated.map_or(0, |why| why as u64 + 1);
    utility.iter().map(|number| number.to_bits()).chain([why])
}

impl EndingNumbers {
    /// An end by its number; they are numbered from 1.
    pub(super) fn get(&self, id: i64) -> Option<&KnownEnding> {
        self.all.get(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    fn note(&mut self, result: &str, utility: &[f64], why: Option<Adjudicated>) -> i64 {
        self.all.push((result.to_owned(), utility.to_vec(), why));
        let id = self.all.len() as i64;
        let bits = bits(utility, why).collect();
        self.known.entry(result.to_owned()).or_default().insert(bits, id);
        id
    }

    /// The number of an end, which is written where it is new.
    pub(super) fn of(
        &mut self,
        connection: &Connection,
        ledger: &mut Ledger,
        result: &GameResult,
    ) -> rusqlite::Result<i64> {
        self.bits.clear();
        self.bits.extend(bits(&result.utility, result.adjudicated));
        let known = self.known.get(&result.result).and_then(|all| all.get(&self.bits));
        if let Some(&id) = known {
            return Ok(id);
        }
        let id = self.note(&result.result, &result.utility, result.adjudicated);
        let (utility, why) = (literal(&result.utility), result.adjudicated.map(Adjudicated::word));
        connection
            .prepare_cached("INSERT INTO endings VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![id, result.result, utility, why])?;
        let texts = checksums::texts(&[&result.result, &utility, why.unwrap_or_default()]);
        let hash = checksums::numbers(&[id as u64, texts]);
        ledger.of(WholeTable::Endings.block()).add(hash);
        Ok(id)
    }
}

pub(super) type ReadRows<T> = rusqlite::Result<(Vec<T>, Sum)>;

/// The rows of a table, each read with its hash, and the sum of these.
pub(super) fn read<T>(
    connection: &Connection,
    select: &str,
    values: impl Params,
    row: impl Fn(&Row<'_>) -> rusqlite::Result<(T, u64)>,
) -> ReadRows<T> {
    let mut sum = Sum::default();
    let mut statement = connection.prepare_cached(select)?;
    let rows = statement.query_map(values, |found| {
        let (found, hash) = row(found)?;
        sum.add(hash);
        Ok(found)
    })?;
    let rows = rows.collect::<rusqlite::Result<_>>()?;
    Ok((rows, sum))
}

/// All seatings, with their numbers and whether they were said to hold.
pub(super) fn seatings(connection: &Connection) -> ReadRows<(i64, Seated, bool)> {
    let select = "SELECT id, key, scenario, seats, agents, seed, command, holds FROM seatings";
    read(connection, select, [], |row| {
        let seated = Seated {
            key: row.get(1)?,
            scenario: row.get(2)?,
            seats: row.get(3)?,
            agents: row.get(4)?,
            seed: row.get(5)?,
            command: row.get(6)?,
        };
        let (id, hash) = (row.get(0)?, seated.hash(row.get(0)?));
        Ok(((id, seated, row.get(7)?), hash))
    })
}

pub(super) fn insert_seating(
    connection: &Connection,
    ledger: &mut Ledger,
    seated: &Seated,
) -> rusqlite::Result<i64> {
    let Seated { key, scenario, seats, agents, seed, command } = seated;
    connection
        .prepare_cached(
            "INSERT INTO seatings (key, scenario, seats, agents, seed, command, holds) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1)",
        )?
        .execute(params![key, scenario, seats, agents, seed, command])?;
    let id = connection.last_insert_rowid();
    ledger.of(WholeTable::Seatings.block()).add(seated.hash(id));
    Ok(id)
}

/// All ends of games; nothing where one does not read.
pub(super) fn endings(connection: &Connection) -> rusqlite::Result<(Option<EndingNumbers>, Sum)> {
    let select = "SELECT id, result, utility, adjudicated FROM endings ORDER BY id";
    let (rows, sum) = read(connection, select, [], |row| {
        let (id, result, text): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let word: Option<String> = row.get(3)?;
        let texts = checksums::texts(&[&result, &text, word.as_deref().unwrap_or_default()]);
        Ok(((id, result, text, word), checksums::numbers(&[id as u64, texts])))
    })?;
    let mut endings = EndingNumbers::default();
    let read = rows.into_iter().try_for_each(|(id, result, text, word)| {
        // A word that there is not makes the table unread, as all else in it.
        let why = word.map_or(Some(None), |word| Adjudicated::of(&word).map(Some))?;
        let utility: Vec<f64> = serde_json::from_str(&text).ok()?;
        let is_finite = utility.iter().all(|number| number.is_finite());
        (is_finite && endings.note(&result, &utility, why) == id).then_some(())
    });
    Ok((read.map(|()| endings), sum))
}

/// A game as it is kept, without its seating.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameRow {
    pub nth: u64,
    pub ending: i64,
    pub questions: i64,
    pub forfeit: Option<String>,
}

impl GameRow {
    pub(super) fn hash(&self, id: i64) -> u64 {
        let forfeit = self.forfeit.as_ref().map_or(0, |text| checksums::texts(&[text]));
        checksums::numbers(&[id as u64, self.ending as u64, self.questions as u64, forfeit])
    }

    /// Whether an agent forfeited it that was out of the tournament.
    pub(super) fn is_out(&self) -> bool {
        let forfeit = self.forfeit.as_deref().map(serde_json::from_str::<Forfeit>);
        forfeit.is_some_and(|read| read.is_ok_and(|forfeit| forfeit.fault == AgentFault::Out))
    }

    /// The result of the game; nothing where there is no such end.
    pub(super) fn result(&self, endings: &EndingNumbers) -> Option<GameResult> {
        let (result, utility, adjudicated) = endings.get(self.ending)?.clone();
        let forfeit = self.forfeit.as_deref().map(serde_json::from_str::<Forfeit>);
        let questions = u64::try_from(self.questions).ok()?;
        let forfeit = forfeit.transpose().ok()?;
        Some(GameResult { result, utility, questions, forfeit, adjudicated })
    }
}

pub(super) fn has_forfeits(connection: &Connection) -> rusqlite::Result<bool> {
    let any = "SELECT EXISTS (SELECT 1 FROM plays WHERE forfeit IS NOT NULL)";
    connection.query_row(any, [], |row| row.get(0))
}

/// The number of a game of a seating.
pub(super) fn id(seating: i64, nth: u64) -> i64 {
    (seating << 32) | nth as i64
}

pub(super) fn block(seating: i64, nth: u64) -> BlockId {
    (seating, (nth / BLOCK) as i64)
}

/// The games of a block, in order, as they were written.
pub(super) fn games(
    connection: &Connection,
    path: &Path,
    ledger: &Ledger,
    block: BlockId,
) -> Result<Vec<GameRow>, Error> {
    let (seating, number) = block;
    let first = id(seating, number as u64 * BLOCK);
    let select =
        "SELECT id, ending, questions, forfeit FROM plays WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let found = read(connection, select, [first, first + BLOCK as i64 - 1], |row| {
        let id: i64 = row.get(0)?;
        let nth = (id & 0xffff_ffff) as u64;
        let (ending, questions, forfeit) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let row = GameRow { nth, ending, questions, forfeit };
        let hash = row.hash(id);
        Ok((row, hash))
    });
    let (rows, sum) = found.map_err(fault::read(path))?;
    ledger.verify(connection, path, block, sum)?;
    Ok(rows)
}

pub(super) fn blocks(connection: &Connection, seating: i64) -> rusqlite::Result<Vec<i64>> {
    let select = "SELECT block FROM sums WHERE seating = ?1 ORDER BY block";
    connection.prepare_cached(select)?.query_map([seating], |row| row.get(0))?.collect()
}

pub(super) fn count(
    connection: &Connection,
    seatings: impl IntoIterator<Item = i64>,
) -> rusqlite::Result<u64> {
    let mut statement =
        connection.prepare_cached("SELECT coalesce(sum(rows), 0) FROM sums WHERE seating = ?1")?;
    let count = |seating: i64| {
        statement.query_row([seating], |row| row.get(0)).map(|games: i64| games as u64)
    };
    seatings.into_iter().map(count).sum()
}

/// What was found of a seating within a bound: its exact ends, or that it has to be played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LineupOdds {
    pub bound: u64,
    pub exact: Option<ExactOdds>,
}

fn sought_hash(seating: i64, bound: i64, ends: Option<&str>) -> u64 {
    let ends = ends.map_or(0, |text| checksums::texts(&[text]));
    checksums::numbers(&[seating as u64, bound as u64, ends])
}

/// All seatings that were looked into; nothing for one that does not read.
pub(super) fn exact(connection: &Connection) -> ReadRows<Option<(i64, LineupOdds)>> {
    read(connection, "SELECT seating, bound, ends FROM exact", [], |row| {
        let (seating, bound, text) = (row.get(0)?, row.get(1)?, row.get::<_, Option<String>>(2)?);
        let exact: Option<Option<ExactOdds>> =
            text.as_deref().map(serde_json::from_str).transpose().ok();
        let exact = exact.filter(|exact| exact.as_ref().is_none_or(is_possible));
        let odds = exact.map(|exact| (seating, LineupOdds { bound: bound as u64, exact }));
        Ok((odds, sought_hash(seating, bound, text.as_deref())))
    })
}

fn is_possible(exact: &ExactOdds) -> bool {
    let sum: f64 = exact.ends.iter().map(|end| end.probability).sum();
    let possible = |end: &ExactEnd| {
        (0.0..=1.0).contains(&end.probability) && end.utility.iter().all(|it| it.is_finite())
    };
    exact.ends.iter().all(possible) && (sum - 1.0).abs() < 1e-6
}

/// Keeps what was found of a seating, in the place of what was known before.
pub(super) fn insert_exact(
    connection: &Connection,
    ledger: &mut Ledger,
    seating: i64,
    (before, now): (Option<&LineupOdds>, &LineupOdds),
) -> rusqlite::Result<()> {
    let text = |sought: &LineupOdds| sought.exact.as_ref().map(literal);
    let hash =
        |sought: &LineupOdds, text: Option<&str>| sought_hash(seating, sought.bound as i64, text);
    if let Some(before) = before {
        let hash = hash(before, text(before).as_deref());
        ledger.of(WholeTable::Exact.block()).remove(hash);
    }
    let text = text(now);
    connection
        .prepare_cached("INSERT OR REPLACE INTO exact VALUES (?1, ?2, ?3)")?
        .execute(params![seating, now.bound as i64, text])?;
    ledger.of(WholeTable::Exact.block()).add(hash(now, text.as_deref()));
    Ok(())
}

/// The JSON of plain lists and structs, which cannot fail.
pub(super) fn literal(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
