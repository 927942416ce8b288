//! What results are of: the spec and all they were played under; what differs is named.

use std::collections::HashMap;
use std::path::Path;

use indexmap::IndexMap;
use rusqlite::Connection;
use serde_json::json;

use super::super::{Conditions, Lineup, Shard, Spec, TournamentState};
use super::checksums::{self, Ledger, Sum, WholeTable};
use super::fault;
use super::rows::{Seated, literal, read};
use crate::catalog::FileText;
use crate::conflict::{as_toml, changed_entries, changed_scripts};
use crate::error::Error;
use crate::script::digest;

/// What the results of a file are of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    /// The canonical text of the spec.
    pub spec: String,
    /// Its digest.
    pub digest: String,
    /// What the games were played under.
    pub conditions: Conditions,
    /// Which part of the schedule it is, if not all.
    pub shard: Option<Shard>,
    /// Whether pairings that are small enough are computed and not played.
    pub exact: bool,
    /// Whether it was joined from several files, of which some may have been missing.
    pub merged: bool,
}

impl Identity {
    pub(crate) fn new(spec: &Spec, conditions: &Conditions, shard: Option<Shard>) -> Identity {
        let (digest, exact, spec) = (spec.digest(), spec.computes(), spec.canonical());
        Identity { spec, digest, conditions: conditions.clone(), shard, exact, merged: false }
    }

    pub(crate) fn read_spec(&self, path: &Path) -> Result<Spec, Error> {
        let path = path.display().to_string();
        let spec = Spec::parse(FileText { path, text: self.spec.clone() })?;
        Ok(Spec { folder: None, ..spec })
    }

    /// That of both together, of which the title and the number of games may differ: with its own title, and the games of
    /// the one that has more. What differs besides is named.
    pub(super) fn with(
        self,
        other: &Identity,
        path: &Path,
    ) -> Result<Result<Identity, Vec<String>>, Error> {
        let (own, theirs) = (self.read_spec(path)?, other.read_spec(path)?);
        let of = |of: &Spec| {
            let games = own.games.max(theirs.games);
            let spec = Spec { title: own.title.clone(), games, ..of.clone() };
            (spec.canonical(), spec.digest())
        };
        // The rounds of others depend on how many games each has.
        if !TournamentState::can_be_split(&own) && self.digest != other.digest {
            return Ok(Err(self.differs_from(other)));
        }
        let (spec, digest) = of(&own);
        let both = Identity { spec, digest, ..self };
        let differs = both.differs_from(&Identity { spec: of(&theirs).0, ..other.clone() });
        Ok(if differs.is_empty() { Ok(both) } else { Err(differs) })
    }

    pub(crate) fn differs_from(&self, now: &Identity) -> Vec<String> {
        let shown = |value: &&str| (*value).to_owned();
        let mut differs = changed_entries(&lines(&self.spec), &lines(&now.spec), shown);
        let (was, is) = (&self.conditions, &now.conditions);
        if was.version != is.version {
            differs.push(format!("fracas was {}, is {}", was.version, is.version));
        }
        differs.extend(changed_scripts(&was.scripts, &is.scripts, |_| false));
        for (agent, name) in &was.programs {
            if let Some(now) = is.programs.get(agent).filter(|now| *now != name) {
                differs.push(format!("`{agent}` was `{name}`, is `{now}`"));
            }
        }
        if was.seats != is.seats && differs.is_empty() {
            differs.push("the scenarios have other seats".to_owned());
        }
        differs
    }

    /// Why this is another tournament, whose games have no place in the file, one sentence each; nothing
    /// where it is the same one. Another title, format, number of games, agent or rule to stop leaves games
    /// as they are; edited rules and agents, and another build of fracas, have theirs played again.
    pub(super) fn forbids(&self, now: &Identity) -> Vec<String> {
        let part = |shard: Option<Shard>| {
            shard.map_or("the whole".to_owned(), |shard| format!("shard {shard}"))
        };
        if self.shard != now.shard {
            return vec![format!("it was {}, is {}", part(self.shard), part(now.shard))];
        }
        let (was, is) = (lines(&self.spec), lines(&now.spec));
        let all = ["seed", "house"].iter().any(|key| was.get(key) != is.get(key));
        let before = scenarios(&was);
        if all || !scenarios(&is).iter().any(|scenario| before.contains(scenario)) {
            return self.differs_from(now);
        }
        Vec::new()
    }

    /// What decides how the games of a lineup end, in the words of the file.
    pub(super) fn seated(&self, spec: &Spec, lineup: &Lineup) -> Seated {
        let Conditions { version, seats, scenarios, agents, .. } = &self.conditions;
        let (scenario, words) = (spec.scenario(lineup).to_owned(), spec.seated(lineup));
        let digests = agents.get(lineup.scenario).map(Vec::as_slice).unwrap_or_default();
        let digests: Vec<Option<&String>> =
            lineup.agents.iter().map(|&agent| digests.get(agent)).collect();
        let (seats, rules) = (seats.get(lineup.scenario), scenarios.get(lineup.scenario));
        let seed = spec.first_seed(lineup);
        let adjudicate = spec.adjudicate.as_ref().and_then(|by| as_toml(&by.canonical()));
        let key =
            json!([version, spec.house, scenario, rules, seats, words, digests, seed, adjudicate]);
        Seated {
            key: digest(&key.to_string()),
            scenario,
            seats: literal(&seats.map(Vec::as_slice).unwrap_or_default()),
            agents: literal(&words),
            seed: seed as i64,
            command: None,
        }
    }

    pub(super) fn save(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Conditions { version, scripts, scenarios, agents, seats, titles, programs } =
            &self.conditions;
        let mut sum = Sum::default();
        for (key, value) in [
            ("spec", self.spec.clone()),
            ("digest", self.digest.clone()),
            ("version", version.clone()),
            ("scripts", literal(scripts)),
            ("scenarios", literal(scenarios)),
            ("agents", literal(agents)),
            ("seats", literal(seats)),
            ("titles", literal(titles)),
            ("programs", literal(programs)),
            ("shard", self.shard.map(|shard| shard.to_string()).unwrap_or_default()),
            ("exact", self.exact.to_string()),
            ("merged", self.merged.to_string()),
        ] {
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", [key, &value])?;
            sum.add(checksums::texts(&[key, &value]));
        }
        let block = WholeTable::Meta.block();
        connection
            .execute("DELETE FROM sums WHERE seating = ?1 AND block = ?2", [block.0, block.1])?;
        let mut ledger = Ledger::default();
        *ledger.of(block) = sum;
        ledger.write(connection)
    }

    pub(super) fn load(connection: &Connection, path: &Path) -> Result<Identity, Error> {
        let rows = read(connection, "SELECT key, value FROM meta", [], |row| {
            let (key, value): (String, String) = (row.get(0)?, row.get(1)?);
            let hash = checksums::texts(&[&key, &value]);
            Ok(((key, value), hash))
        });
        let (rows, sum) = rows.map_err(fault::read(path))?;
        Ledger::default().verify(connection, path, WholeTable::Meta.block(), sum)?;
        let mut all: HashMap<String, String> = rows.into_iter().collect();
        let mut get = |key: &str| all.remove(key).unwrap_or_default();
        let damaged = |_| fault::damaged(path);
        let shard = get("shard");
        Ok(Identity {
            spec: get("spec"),
            digest: get("digest"),
            conditions: Conditions {
                version: get("version"),
                scripts: serde_json::from_str(&get("scripts")).map_err(damaged)?,
                scenarios: serde_json::from_str(&get("scenarios")).map_err(damaged)?,
                agents: serde_json::from_str(&get("agents")).map_err(damaged)?,
                seats: serde_json::from_str(&get("seats")).map_err(damaged)?,
                titles: serde_json::from_str(&get("titles")).unwrap_or_default(),
                programs: serde_json::from_str(&get("programs")).unwrap_or_default(),
            },
            shard: if shard.is_empty() { None } else { Some(shard.parse()?) },
            exact: get("exact") == "true",
            merged: get("merged") == "true",
        })
    }
}

fn scenarios(spec: &IndexMap<&str, &str>) -> Vec<String> {
    let words = spec.get("scenarios").copied().unwrap_or_default();
    serde_json::from_str(words).unwrap_or_default()
}

fn lines(text: &str) -> IndexMap<&str, &str> {
    text.lines().filter_map(|line| line.split_once(" = ")).collect()
}
