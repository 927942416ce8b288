//! The file of a saved history: what it contains, and what of it has changed since.

mod reader;
mod writer;

use std::fmt::Display;
use std::hash::Hash;
use std::path::Path;

use indexmap::{IndexMap, IndexSet};

use self::writer::{OPENING, shown};
pub(crate) use self::writer::{as_toml, list, quoted, section, toml_key};
use super::{covers_only, replace, replaceable};
use crate::catalog::{CAMPAIGN, FileText, bytes, own};
use crate::error::{Error, Location};
use crate::game::{History, Value};
use crate::report::Film;
use crate::script::{Rules, digest};

/// A saved history: all that a conflict started from, all answers, and how it ended.
///
/// As text it is a line with the format, a header in TOML, a line `---`, one line an entry, and a
/// last line that says how it ended:
/// ```text
/// fracas history 1
/// fracas = "0.1.0"
/// system = "war_die"
/// scenario = "bluff"
/// title = "A bluff at the ford"
/// seed = 42
/// house = ["cheap_mana"]
/// begin = ["red bid 3"]
///
/// [params]
/// mana_value = 3
///
/// [scripts]
/// "rules.rhai" = "9f86d0…"
///
/// [seats]
/// red = "human"
///
/// [setup]
/// players = { red = { mana = 1 }, blue = { ore = 1 } }
/// ---
/// red bid 5 & blue bid "flag"
/// chance ayla test 4
/// # outcome {"result":"red","utility":{"red":1,"blue":-1}}
/// ```
/// The last line of a conflict that is not over is `# unfinished`, so a file that was cut short
/// is distinguished from one that was saved in the middle. Where a conflict has several lines of play,
/// `line` is the name of the one whose entries follow, and a table `lines` has the entries of the
/// others, a text each. A table `taken_back` has, by the name of the line, the entries that were taken
/// back and can be made again; a table `left` has, numbered, the ways that were left for others; a table
/// `unseated` has seats whose agents may not sit there. Further comments may be between the entries.
/// The seed is any number of 64 bits; some readers know only 63.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// The version of fracas that saved it.
    pub version: String,
    /// The system, by name or path.
    pub system: String,
    /// The scenario, by name or path.
    pub scenario: String,
    /// The scenario's title.
    pub title: Option<String>,
    /// The seed of chance.
    pub seed: u64,
    /// The house rules, in the order they were laid.
    pub house: Vec<String>,
    /// All parameters, those at their default too.
    pub params: IndexMap<String, Value>,
    /// The `digest` of each script, by the name of its file.
    pub scripts: IndexMap<String, String>,
    /// Which agent answered for which player.
    pub seats: IndexMap<String, String>,
    /// Seats whose agent's file is not beside the saved file; a note names who sits there.
    pub unseated: IndexMap<String, String>,
    /// What the conflict started from: a table.
    pub setup: Value,
    /// The answers after which it began; none of them is in its lines.
    pub begin: History,
    /// The name of the line of play that this is, where it is not the one a conflict begins with.
    pub line: Option<String>,
    /// The other lines of play, by name.
    pub lines: IndexMap<String, History>,
    /// What follows in a line where something was taken back, by the line's name.
    pub(crate) taken_back: IndexMap<String, History>,
    /// Ways that were left for others, numbered.
    pub left: IndexMap<String, History>,
    /// All answers.
    pub history: History,
    /// The outcome map, if the conflict is over.
    pub outcome: Option<Value>,
}

const LARGEST: u64 = 64 << 20;

impl Saved {
    pub(crate) const FORMAT: u32 = 1;

    /// Reads the text of a file; the path is for messages.
    ///
    /// # Errors
    /// [`Error::History`] with the line, and the column where one is known.
    pub fn parse(path: &str, text: &str) -> Result<Saved, Error> {
        reader::read(path, text)
    }

    /// Reads a file. The files that it names are those in its own folder and below it; a house rule may
    /// be elsewhere as long as it is to the letter what it was when the history was saved.
    ///
    /// # Errors
    /// [`Error::File`] for one that cannot be read, or is larger than 64 MiB; [`Error::History`] for one
    /// that is not a text in UTF-8 or names other files, and else as [`Saved::parse`].
    pub fn read_from(path: &Path) -> Result<Saved, Error> {
        let (mut saved, text) = Saved::read_text(path)?;
        let name = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new(""));
        let wrong = |key: &str, why: String| {
            let at = text.find(&format!("\n{key}")).map_or(0, |at| at + 1);
            broken(&name, &text, at, why)
        };
        saved.keep_campaign_to(folder).map_err(|why| wrong("scenario", why))?;
        saved.keep_to(folder).map_err(|why| wrong("house", why))?;
        Ok(saved)
    }

    /// Reads a file that nobody else wrote: it may name any others.
    pub(crate) fn read_own(path: &Path) -> Result<Saved, Error> {
        Saved::read_text(path).map(|(saved, _)| saved)
    }

    fn read_text(path: &Path) -> Result<(Saved, String), Error> {
        let name = path.display().to_string();
        let text = String::from_utf8(bytes(path, LARGEST)?).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let good = String::from_utf8_lossy(&error.as_bytes()[..good]);
            let message = "this is not a saved history: it is not text in UTF-8";
            broken(&name, &good, good.len(), message)
        })?;
        // The page of a replay holds the history.
        let text = match Film::history_in(&text) {
            Some(history) => history,
            None if text.trim_start().starts_with("<!DOCTYPE html>") => {
                let message = "this page holds no saved history; the page of a replay does, unless it was made \
                               for one player";
                return Err(broken(&name, &text, 0, message));
            }
            None => text,
        };
        Ok((Saved::parse(&name, &text)?, text))
    }

    /// The place of an entry in a file, by its number from 1; nothing past the last one.
    pub fn place_of(path: &Path, entry: usize) -> Option<Location> {
        let text = String::from_utf8(bytes(path, LARGEST).ok()?).ok()?;
        if Film::history_in(&text).is_some() {
            return None;
        }
        let line = reader::line_of(&text, entry)?;
        Some(Location { file: path.display().to_string(), line, column: None })
    }

    /// Makes sure that a file in this folder names no others than it may.
    fn keep_to(&mut self, folder: &Path) -> Result<(), String> {
        for word in &mut self.house {
            match own(folder, word) {
                Ok(found) => *word = found,
                Err(_) if is_as_it_was(word, "house", &self.scripts, Some) => {}
                Err(_) if !Path::new(word).exists() => {}
                Err(why) => {
                    let why =
                        format!("`house` {why}, and it is not what it was when this was saved");
                    return Err(why);
                }
            }
        }
        for (seat, word) in std::mem::take(&mut self.seats) {
            match own(folder, &word) {
                Ok(found) => _ = self.seats.insert(seat, found),
                Err(_) => _ = self.unseated.insert(seat, word),
            }
        }
        Ok(())
    }

    /// Tests that a file is none, or a saved history, which another may replace.
    pub(crate) fn replaceable(path: &Path) -> Result<(), Error> {
        replaceable(path)?;
        Saved::covers_only_another(path)
    }

    fn covers_only_another(path: &Path) -> Result<(), Error> {
        covers_only(("a saved history", &[OPENING]), path)
    }

    /// Writes the file whole or not at all: an older one of that name stays as it was on failure, and so does any
    /// other file.
    pub(crate) fn write_to(&self, path: &Path) -> Result<(), Error> {
        Saved::covers_only_another(path)?;
        let text = self.to_text()?;
        // Nothing that does not read back may take the place of a file that does.
        Saved::parse(&path.display().to_string(), &text)?;
        replace(path, text.as_bytes())
    }

    /// What is different in these rules, one sentence each; nothing where the history ought to replay.
    pub(super) fn differs_from(&self, rules: &Rules) -> Vec<String> {
        let house = rules.house();
        // That a house rule comes or goes says enough of its file.
        let has = |house: &[String], rule: &str| {
            // A rule by its name, or by the path of its file.
            house.iter().any(|name| Path::new(name).file_stem().is_some_and(|stem| stem == rule))
        };
        let text_of = |file: &str| {
            let rule = file.strip_prefix("house/").and_then(|file| file.strip_suffix(".rhai"));
            rule.is_some_and(|rule| has(&self.house, rule) != has(house, rule))
        };
        let mut differs = changed_scripts(&self.scripts, rules.digests(), text_of);
        differs.extend(house_differs(&self.house, house));
        differs.extend(changed_entries(&self.params, rules.params(), shown));
        differs
    }
}

/// Which scripts have another digest, are missing or are new, a sentence each; those left out may come and go.
pub(crate) fn changed_scripts(
    was: &IndexMap<String, String>,
    is: &IndexMap<String, String>,
    left_out: impl Fn(&str) -> bool,
) -> Vec<String> {
    let gone = was.iter().filter_map(|(name, digest)| match is.get(name) {
        None if left_out(name) => None,
        None => Some((name, "is missing")),
        Some(now) => (now != digest).then_some((name, "has changed")),
    });
    let is_new = |name: &&String| !was.contains_key(*name) && !left_out(name);
    let mut differs = IndexSet::new();
    // A plain system may have a script of that name, beside its own.
    let is_campaign =
        [was, is].iter().any(|one| one.contains_key(CONFLICTS) && !one.contains_key(RULES));
    let mut lists_others = false;
    for (name, how) in gone.chain(is.keys().filter(is_new).map(|name| (name, "is new"))) {
        // The parameters of a system in a campaign are no file, nor is what the program itself writes.
        let is_params = |file: &str| is_campaign && file.split(' ').next() == Some("params");
        match (name.as_str(), name.split_once('/').filter(|(_, file)| is_params(file))) {
            ("campaign.rhai", _) if is_campaign => {}
            (CONFLICTS, _) => lists_others = true,
            (_, Some((CAMPAIGN, _))) => {}
            (_, Some((system, _))) => {
                _ = differs.insert(format!("the parameters of `{system}` have changed"));
            }
            _ => _ = differs.insert(format!("`{name}` {how}")),
        }
    }
    // It is written by all the others, and by what of the campaign's file is no script.
    if lists_others && differs.is_empty() {
        differs.insert("the conflicts in the file of the campaign have changed".to_owned());
    }
    differs.into_iter().collect()
}

/// What the program writes to play the conflicts of a campaign.
const CONFLICTS: &str = "conflicts.rhai";
/// What every system has.
const RULES: &str = "rules.rhai";

/// What differs of the entries of two tables, a sentence each.
pub(crate) fn changed_entries<K: Display + Eq + Hash, V: PartialEq>(
    was: &IndexMap<K, V>,
    is: &IndexMap<K, V>,
    shown: impl Fn(&V) -> String,
) -> Vec<String> {
    let gone = was.iter().filter(|(key, value)| is.get(*key) != Some(value)).map(|(key, value)| {
        let now = is.get(key).map_or_else(|| "gone".to_owned(), &shown);
        format!("`{key}` was {}, is {now}", shown(value))
    });
    let new = is.iter().filter(|(key, _)| !was.contains_key(*key));
    gone.chain(new.map(|(key, now)| format!("`{key}` is new, with {}", shown(now)))).collect()
}

/// A mistake at this byte of a file.
fn broken(path: &str, text: &str, at: usize, message: impl Into<String>) -> Error {
    let at = Location::in_text(path, text, at);
    Error::History { message: message.into(), at, nearest: None }
}

/// Whether the script in a file of a folder has the digest that a saved history has of it: whoever wrote the history
/// then knew the script, and learns nothing from it.
pub(super) fn is_as_it_was(
    path: &str,
    folder: &str,
    scripts: &IndexMap<String, String>,
    script: impl Fn(FileText) -> Option<FileText>,
) -> bool {
    let path = Path::new(path);
    let name = path.file_name().map(|name| format!("{folder}/{}", name.to_string_lossy()));
    let was = name.and_then(|name| scripts.get(&name));
    let now = || Some(digest(&script(FileText::read(path).ok()?)?.text));
    was.is_some_and(|was| now().as_ref() == Some(was))
}

fn house_differs(was: &[String], now: &[String]) -> Vec<String> {
    let lacking = |here: &[String], there: &[String], what: &str| -> Vec<String> {
        let here = here.iter().filter(|name| !there.contains(name));
        here.map(|name| format!("house rule `{name}` {what}")).collect()
    };
    let mut differs = lacking(was, now, "is no longer in force");
    differs.extend(lacking(now, was, "is new"));
    if differs.is_empty() && was != now {
        differs.push("the house rules are in another order".to_owned());
    }
    differs
}

#[cfg(test)]
mod tests {
    use super::house_differs;

    #[test]
    fn house_rules_go_come_and_change_places() {
        let differs = |was: &str, now: &str| {
            let [was, now] =
                [was, now].map(|all| all.split(' ').map(str::to_owned).collect::<Vec<_>>());
            house_differs(&was, &now)
        };
        assert_eq!(differs("a b", "a b"), [""; 0]);
        assert_eq!(differs("a b", "b a"), ["the house rules are in another order"]);
        let apart = ["house rule `a` is no longer in force", "house rule `c` is new"];
        assert_eq!(differs("a b", "c b"), apart);
    }
}
