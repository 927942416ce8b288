//! Games of which parts that were merged have different results.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rusqlite::{Connection, params};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::{GameResult, Lineup};
use super::checksums::{self, Sum, WholeTable};
use super::rows;
use super::{Results, fault};
use crate::error::Error;

/// A game of which parts have different results. It does not count, until it has been played again.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Disputed {
    /// The scenario's word.
    pub scenario: String,
    /// The seats, each with its agent's word.
    pub seats: IndexMap<String, String>,
    /// The seed of the game.
    pub seed: u64,
    /// The command that plays it again; null where it is not known.
    pub command: Option<String>,
    /// How it ended in the file of each part.
    pub results: Vec<Claim>,
}

/// How a game ended in the file of a part.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Claim {
    /// The file.
    pub file: String,
    /// The result.
    pub result: String,
    /// Seat -> its utility.
    pub utility: IndexMap<String, f64>,
}

impl Disputed {
    /// Who disagrees about what, in a sentence without its end.
    pub(crate) fn sentence(&self) -> String {
        let seats: Vec<String> =
            self.seats.iter().map(|(seat, agent)| format!("{seat}={agent}")).collect();
        let ends: Vec<String> = self
            .results
            .iter()
            .map(|Claim { file, result, utility }| {
                let utility: Vec<&f64> = utility.values().collect();
                format!("`{file}` has {result} {utility:?}")
            })
            .collect();
        format!(
            "{} with {}, seed {}: {}",
            self.scenario,
            seats.join(" "),
            self.seed,
            ends.join(", ")
        )
    }
}

impl Results {
    /// Notes what a part claims of a game about which others disagree.
    pub(super) fn dispute(
        &mut self,
        lineup: &Lineup,
        nth: u64,
        part: &str,
        result: &GameResult,
    ) -> Result<(), Error> {
        self.written(|results| {
            let game = rows::id(results.number(lineup, || None)?, nth);
            let Results { connection, ledger, endings, .. } = results;
            let ending = endings.of(connection, ledger, result)?;
            connection
                .prepare_cached("INSERT INTO conflicts VALUES (?1, ?2, ?3)")?
                .execute(params![game, part, ending])?;
            ledger.of(WholeTable::Conflicts.block()).add(hash(game, part, ending));
            Ok(())
        })
    }

    /// The games about which parts disagreed that have not been played again since.
    ///
    /// # Errors
    /// [`Error::File`] where the file cannot be read, or is damaged.
    pub fn disputed(&self) -> Result<Vec<Disputed>, Error> {
        let failed = |error: rusqlite::Error| fault::of("read", &self.path, &error);
        let (claims, sum) = claims(&self.connection).map_err(failed)?;
        self.ledger.verify(&self.connection, &self.path, WholeTable::Conflicts.block(), sum)?;
        let mut games: BTreeMap<i64, Vec<(String, i64)>> = BTreeMap::new();
        for (game, part, ending, settled) in claims {
            if !settled {
                games.entry(game).or_default().push((part, ending));
            }
        }
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let (lineups, _) = rows::seatings(&self.connection).map_err(failed)?;
        let lineups: BTreeMap<i64, rows::Seated> =
            lineups.into_iter().map(|(id, seated, _)| (id, seated)).collect();
        let disputed = |(game, claims): (i64, Vec<(String, i64)>)| {
            let seated = lineups.get(&(game >> 32))?;
            let list = |text: &str| serde_json::from_str::<Vec<String>>(text).ok();
            let seed = (seated.seed + (game & 0xffff_ffff)) as u64;
            let seats = list(&seated.seats)?;
            let result = |(file, ending): (String, i64)| {
                let (result, utility) = self.endings.get(ending)?.clone();
                let utility = seats.iter().cloned().zip(utility).collect();
                Some(Claim { file, result, utility })
            };
            Some(Disputed {
                scenario: seated.scenario.clone(),
                seats: seats.iter().cloned().zip(list(&seated.agents)?).collect(),
                seed,
                command: seated.command.as_ref().map(|command| format!("{command} --seed {seed}")),
                results: claims.into_iter().map(result).collect::<Option<_>>()?,
            })
        };
        let all: Option<Vec<Disputed>> = games.into_iter().map(disputed).collect();
        all.ok_or_else(|| fault::damaged(&self.path))
    }
}

/// All claims: the game, the part, the end, and whether the game has been played since.
fn claims(connection: &Connection) -> rows::ReadRows<(i64, String, i64, bool)> {
    let mut sum = Sum::default();
    let mut statement = connection.prepare(
        "SELECT game, part, ending, EXISTS (SELECT 1 FROM plays WHERE plays.id = game) \
         FROM conflicts ORDER BY game, part",
    )?;
    let rows = statement.query_map([], |row| {
        let (game, part, ending): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        sum.add(hash(game, &part, ending));
        Ok((game, part, ending, row.get(3)?))
    })?;
    let rows = rows.collect::<rusqlite::Result<_>>()?;
    Ok((rows, sum))
}

fn hash(game: i64, part: &str, ending: i64) -> u64 {
    checksums::numbers(&[game as u64, checksums::texts(&[part]), ending as u64])
}
