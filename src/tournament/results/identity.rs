//! What are results of? The spec and all they were played under; what differs is named.

use std::path::Path;

use indexmap::IndexMap;
use rusqlite::Connection;

use super::super::{Conditions, Shard, Spec};
use super::fault;
use crate::catalog::Text;
use crate::error::Error;

/// All that must be the same for results to belong together.
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
}

impl Identity {
    /// The identity of results to come.
    pub fn new(spec: &Spec, conditions: &Conditions, shard: Option<Shard>) -> Identity {
        let (digest, spec) = (spec.digest(), spec.canonical());
        Identity { spec, digest, conditions: conditions.clone(), shard }
    }

    /// The spec itself.
    ///
    /// # Errors
    /// [`Error::Toml`] where the file holds a text that is none.
    pub fn read_spec(&self, path: &Path) -> Result<Spec, Error> {
        let path = path.display().to_string();
        let spec = Spec::parse(Text { path, text: self.spec.clone() })?;
        Ok(Spec { folder: None, ..spec })
    }

    /// What is different there, one sentence each.
    pub fn differs_from(&self, now: &Identity) -> Vec<String> {
        let mut differs = self.differs_but_for_shard(now);
        let part = |shard: Option<Shard>| {
            shard.map_or("the whole".to_owned(), |shard| format!("shard {shard}"))
        };
        if self.shard != now.shard {
            differs.push(format!("it was {}, is {}", part(self.shard), part(now.shard)));
        }
        differs
    }

    /// The same for parts that are to be joined.
    pub fn differs_but_for_shard(&self, now: &Identity) -> Vec<String> {
        let mut differs = changed(&lines(&self.spec), &lines(&now.spec));
        let (was, is) = (&self.conditions, &now.conditions);
        if was.version != is.version {
            differs.push(format!("fracas was {}, is {}", was.version, is.version));
        }
        for (name, digest) in &was.scripts {
            match is.scripts.get(name) {
                None => differs.push(format!("`{name}` is missing")),
                Some(now) if now != digest => differs.push(format!("`{name}` has changed")),
                Some(_) => {}
            }
        }
        let new = is.scripts.keys().filter(|name| !was.scripts.contains_key(*name));
        differs.extend(new.map(|name| format!("`{name}` is new")));
        if was.seats != is.seats && differs.is_empty() {
            differs.push("the scenarios have other seats".to_owned());
        }
        differs
    }

    /// Writes it into the tables of a new file.
    pub(super) fn save(&self, connection: &Connection) -> rusqlite::Result<()> {
        let text = |value: serde_json::Value| value.to_string();
        let Conditions { version, scripts, seats } = &self.conditions;
        for (key, value) in [
            ("spec", self.spec.clone()),
            ("digest", self.digest.clone()),
            ("version", version.clone()),
            ("scripts", text(serde_json::json!(scripts))),
            ("seats", text(serde_json::json!(seats))),
            ("shard", self.shard.map(|shard| shard.to_string()).unwrap_or_default()),
        ] {
            connection.execute("INSERT INTO meta VALUES (?1, ?2)", [key, &value])?;
        }
        Ok(())
    }

    /// Reads it from a file.
    pub(super) fn load(connection: &Connection, path: &Path) -> Result<Identity, Error> {
        let get = |key: &str| -> Result<String, Error> {
            let select = "SELECT value FROM meta WHERE key = ?1";
            connection
                .query_row(select, [key], |row| row.get(0))
                .map_err(|error| fault::of("read", path, &error))
        };
        let damaged = |_| Error::file("read", path, "it is damaged");
        let shard = get("shard")?;
        Ok(Identity {
            spec: get("spec")?,
            digest: get("digest")?,
            conditions: Conditions {
                version: get("version")?,
                scripts: serde_json::from_str(&get("scripts")?).map_err(damaged)?,
                seats: serde_json::from_str(&get("seats")?).map_err(damaged)?,
            },
            shard: if shard.is_empty() { None } else { Some(shard.parse()?) },
        })
    }
}

fn lines(text: &str) -> IndexMap<&str, &str> {
    text.lines().filter_map(|line| line.split_once(" = ")).collect()
}

/// What has changed between two specs, by key.
fn changed(was: &IndexMap<&str, &str>, is: &IndexMap<&str, &str>) -> Vec<String> {
    let mut differs = Vec::new();
    for (key, value) in was {
        match is.get(key) {
            None => differs.push(format!("`{key}` was {value}, is gone")),
            Some(now) if now != value => {
                differs.push(format!("`{key}` was {value}, is {now}"));
            }
            Some(_) => {}
        }
    }
    let new = is.iter().filter(|(key, _)| !was.contains_key(*key));
    differs.extend(new.map(|(key, value)| format!("`{key}` is new, with {value}")));
    differs
}
