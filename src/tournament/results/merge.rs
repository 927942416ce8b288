//! Joins parts into one file, block by block of their games; parts that disagree are refused.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use hashbrown::HashMap;

use super::super::{GameResult, Lineup, Next, Shard, TournamentState};
use super::rows::{self, GameRow};
use super::writing::TOGETHER;
use super::{Identity, Results, exact, fault, missing, open};
use crate::error::Error;
use crate::report::{self, shell_word};

/// Gaps and shards that are named one by one.
const SHOWN: usize = 5;

/// What a merge came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The games in the file now.
    pub games: u64,
    /// The numbers of games that are still to be played, in order.
    pub missing: Vec<RangeInclusive<u64>>,
    /// How many of these a program is to forfeit that is out over all parts together, where no other forfeit says what
    /// that costs.
    pub out: u64,
    /// What each part was, and before them the file if it was there; nothing for one that was no shard.
    pub parts: Vec<Option<Shard>>,
}

impl Merged {
    /// What is missing in a sentence, by shards where all parts are such, else the first gaps by
    /// their numbers; nothing where all is there.
    pub fn sentence(&self) -> Option<String> {
        let count: u64 = self.missing.iter().map(|gap| gap.end() - gap.start() + 1).sum();
        if self.out > 0 {
            let games = report::many(self.out, "game");
            let out =
                format!("a program that is out over all parts together is to forfeit {games}");
            let more = count.checked_sub(self.out).filter(|more| *more > 0);
            let more =
                more.map(|more| format!("; {} more are missing", report::many(more, "game")));
            return Some(format!("{out}{}", more.unwrap_or_default()));
        }
        (count > 0).then(|| self.by_shard().unwrap_or_else(|| self.by_game(count)))
    }

    fn by_shard(&self) -> Option<String> {
        let given: Vec<Shard> = self.parts.iter().copied().collect::<Option<_>>()?;
        let first = given.first().filter(|first| given.iter().all(|it| it.is_beside(first)))?;
        let lacks = |shard: Shard| {
            let games = match self.missing.iter().map(|gap| shard.count(gap)).sum() {
                0 => return None,
                games => report::many(games, "game"),
            };
            Some(match given.contains(&shard) {
                true => format!("shard {shard} was not played to its end ({games} left)"),
                false => format!("shard {shard} is missing ({games})"),
            })
        };
        Some(listed(first.siblings().filter_map(lacks)))
    }

    fn by_game(&self, count: u64) -> String {
        let gap = |gap: &RangeInclusive<u64>| match gap.end() - gap.start() {
            0 => gap.start().to_string(),
            _ => format!("{} to {}", gap.start(), gap.end()),
        };
        let games = if count == 1 { "game is" } else { "games are" };
        format!("{count} {games} missing: {}", listed(self.missing.iter().map(gap)))
    }
}

fn listed(all: impl Iterator<Item = String>) -> String {
    let mut listed: Vec<String> = all.take(SHOWN + 1).collect();
    if listed.len() > SHOWN {
        listed[SHOWN] = "…".to_owned();
    }
    listed.join(", ")
}

/// Joins parts of one tournament, into a new file or into one that is there. A part given twice is taken once.
///
/// A merge that is stopped changes nothing: a new file gets its name when it is whole, and one that is
/// there takes all parts in one transaction.
///
/// # Errors
/// [`Error::OtherTournament`] where a part is of another tournament than the file, or than the first part;
/// [`Error::Results`] where two of them disagree about a game or about exact odds; [`Error::File`] where a
/// part cannot be read, or `out` cannot be written.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, Error> {
    if parts.is_empty() {
        return Err(Error::usage("there are no parts to merge"));
    }
    let is_there = out.exists();
    let parts: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
    let mut all = parts.clone();
    if is_there {
        all.insert(0, out);
    }
    // All parts are looked at before anything is written.
    let (identity, shards) = belonging_together(&all)?;
    if is_there {
        return join(&parts, (out, out), &identity, shards);
    }
    let new = beside(out)?;
    let joined = join(&parts, (&new, out), &identity, shards).and_then(|merged| {
        std::fs::rename(&new, out).map_err(|reason| Error::file("write", out, reason))?;
        Ok(merged)
    });
    joined.map_err(|error| {
        // The first error is the one to report, and the file is known by the name it was to get.
        let _ = std::fs::remove_file(&new);
        let is_new = |path: &String| Path::new(path) == new;
        match error {
            Error::File { action, path, reason, at } if is_new(&path) => {
                Error::File { action, path: out.display().to_string(), reason, at }
            }
            Error::Results { path, message } if is_new(&path) => {
                Error::Results { path: out.display().to_string(), message }
            }
            other => other,
        }
    })
}

/// What all of these files are of, and which part each is.
fn belonging_together(all: &[&Path]) -> Result<(Identity, Vec<Option<Shard>>), Error> {
    let mut known: Option<(&Path, Identity)> = None;
    let mut shards = Vec::with_capacity(all.len());
    for &path in all {
        let identity = Results::read(path)?.identity;
        shards.push(identity.shard);
        let Some((first, of_first)) = known else {
            known = Some((path, identity));
            continue;
        };
        let both = of_first.with(&identity, path)?;
        known = Some((
            first,
            both.map_err(|differs| {
                let show = |path: &Path| {
                    format!("`fracas standings {}`", shell_word(&path.display().to_string()))
                };
                let next = format!("{} and {} show them apart", show(first), show(path));
                let path = path.display().to_string();
                Error::OtherTournament { path, differs, next }
            })?,
        ));
    }
    let identity = known.map(|(_, identity)| identity).unwrap_or_default();
    Ok((Identity { shard: None, merged: true, ..identity }, shards))
}

/// A new empty file beside this one. A name that is taken is somebody's: another merge's, or a part.
fn beside(out: &Path) -> Result<PathBuf, Error> {
    for number in 1u64.. {
        let new = open::beside(out, &format!(".new{number}"));
        // The system says better than SQLite why a file cannot be written.
        match File::create_new(&new) {
            Ok(_) => return Ok(new),
            Err(taken) if taken.kind() == ErrorKind::AlreadyExists => {}
            Err(reason) => return Err(Error::file("write", out, reason)),
        }
    }
    Err(Error::file("write", out, "all names next to it are taken"))
}

/// Writes all parts into a file, which is to be `out`, in one transaction.
fn join(
    parts: &[&Path],
    (path, out): (&Path, &Path),
    identity: &Identity,
    shards: Vec<Option<Shard>>,
) -> Result<Merged, Error> {
    let connection = open::for_writing(path, identity)?;
    let mut joined = Results::of(connection, out, identity.clone(), true)?;
    let settled = joined
        .written(|joined| joined.identity.save(&joined.connection))
        .and_then(|()| {
            parts.iter().enumerate().try_for_each(|(number, part)| {
                add(&mut joined, &Results::read(part)?, (out, &parts[..number]))
            })
        })
        .and_then(|()| settle(&mut joined));
    let out = match settled {
        Ok(out) => out,
        Err(error) => {
            joined.discard();
            return Err(error);
        }
    };
    joined.close()?;
    let mut joined = Results::read(path)?;
    let missing = missing(&identity.read_spec(path)?, &mut joined)?;
    let games = joined.len()?;
    joined.close()?;
    Ok(Merged { games, missing, out, parts: shards })
}

/// Puts right what no part could know: a program that was late or gone too often in all of them together forfeits the
/// games after that in the order of the schedule, also those that a part has played. What a forfeit costs is read from
/// another one of the same seats; where there is none, the game is taken out. Returns how many are.
fn settle(joined: &mut Results) -> Result<u64, Error> {
    if !rows::has_forfeits(&joined.connection).map_err(fault::read(&joined.path))? {
        return Ok(0);
    }
    let mut without = 0;
    let spec = joined.spec.clone();
    // What they depend on: the scenario, the seat that erred, and all seats of its agent.
    let key = |lineup: &Lineup, seat: usize| (lineup.scenario, seat, lineup.held_beside(seat));
    let mut costs: HashMap<_, Vec<f64>> = HashMap::new();
    let mut late = Vec::new();
    let conditions = joined.identity.conditions.clone();
    let mut state = TournamentState::of_part(&spec, &conditions).without_looks();
    joined.rewind();
    while let Next::Game(game) = state.next(&mut |matches| Ok(exact(joined, matches)))? {
        let Some(result) = joined.get(&game)? else {
            if !TournamentState::can_be_split(&spec) {
                break;
            }
            state.pass_over();
            continue;
        };
        if let Some(forfeit) = &result.forfeit {
            costs.entry(key(&game.lineup, forfeit.seat)).or_insert_with(|| result.utility.clone());
        }
        match state.out(&game) {
            Some((seat, why)) if result.out() != Some(seat) => late.push((game, seat, why)),
            _ => state.consume(&game, &result),
        }
    }
    for (game, seat, why) in late {
        joined.forget(&game.lineup, game.nth)?;
        let Some(utility) = costs.get(&key(&game.lineup, seat)) else {
            without += 1;
            continue;
        };
        let agent = game.lineup.agents.get(seat).map_or("", |&agent| spec.agent(agent));
        let result = GameResult::out_of(agent, seat, why, utility.clone());
        let row = joined.written(|joined| joined.row(&game.lineup, game.nth, &result, || None))?;
        joined.add_rows(&mut vec![row])?;
    }
    joined.rewind();
    Ok(without)
}

/// Adds what a part has and the file has not; `before` are the file and the parts that were added.
fn add(joined: &mut Results, part: &Results, before: (&Path, &[&Path])) -> Result<(), Error> {
    add_exact(joined, part)?;
    let mut new = Vec::new();
    let mut lineups: Vec<(&Lineup, &i64)> = part.lineups.iter().collect();
    lineups.sort();
    for (lineup, &id) in lineups {
        let blocks = rows::blocks(&part.connection, id);
        for block in blocks.map_err(fault::read(&part.path))? {
            let theirs = part.rows((id, block))?;
            let ours = match joined.lineups.get(lineup) {
                Some(&own) => joined.rows((own, block))?,
                None => Vec::new(),
            };
            let mut ours = ours.iter().peekable();
            for row in theirs {
                while ours.next_if(|own| own.nth < row.nth).is_some() {}
                match ours.next_if(|own| own.nth == row.nth) {
                    None => new.push(joined.row_of(part, (lineup, id), row)?),
                    Some(own) if is_same((joined, own), (part, &row)) || own.is_out() => {}
                    // Whoever is out by one part is out by all of them.
                    Some(_) if row.is_out() => {
                        joined.forget(lineup, row.nth)?;
                        new.push(joined.row_of(part, (lineup, id), row)?);
                    }
                    Some(_) => return Err(disagreement(part, before, lineup, row.nth)?),
                }
            }
            if new.len() >= TOGETHER {
                joined.add_rows(&mut new)?;
            }
        }
    }
    joined.add_rows(&mut new)
}

fn is_same((joined, own): (&Results, &GameRow), (part, row): (&Results, &GameRow)) -> bool {
    joined.endings.get(own.ending) == part.endings.get(row.ending)
        && (own.questions, &own.forfeit) == (row.questions, &row.forfeit)
}

/// That a part has another result of a game than the file, or than a part before it.
fn disagreement(
    part: &Results,
    (out, before): (&Path, &[&Path]),
    lineup: &Lineup,
    nth: u64,
) -> Result<Error, Error> {
    let sentence = |of: &Results| -> Result<Option<String>, Error> {
        let Some(result) = of.at(lineup, nth)? else { return Ok(None) };
        let utility: Vec<String> = result.utility.iter().map(f64::to_string).collect();
        let command = of.lineups.get(lineup).and_then(|id| of.commands.get(id));
        let seed = of.spec.first_seed(lineup) + nth;
        let plays = command.map(|command| format!(", by `{command} --seed {seed}`"));
        Ok(Some(format!(
            "`{}` has {} with {}{}",
            of.path.display(),
            result.result,
            utility.join(" / "),
            plays.unwrap_or_default()
        )))
    };
    let mut known = None;
    for path in std::iter::once(&out).chain(before).filter(|path| path.exists()) {
        // What was added from a part before is not in the file yet.
        known = sentence(&Results::read(path)?)?;
        if known.is_some() {
            break;
        }
    }
    let Some((first, second)) = known.zip(sentence(part)?) else {
        return Err(fault::damaged(&part.path));
    };
    let seated = part.identity.seated(&part.spec, lineup);
    let message = format!(
        "it has another result of a game of {} with {} in {}: {first}; {second}; play it again, and \
         leave out the file that is wrong",
        seated.scenario, seated.agents, seated.seats
    );
    let path = part.path.display().to_string();
    Ok(Error::Results { path, message })
}

fn add_exact(joined: &mut Results, part: &Results) -> Result<(), Error> {
    for (lineup, id) in &part.lineups {
        let Some(sought) = part.exact.get(id) else { continue };
        let known = joined.sought(lineup);
        if known.is_some_and(|known| known.bound == sought.bound && known != sought) {
            let path = part.path().display().to_string();
            let message = "it disagrees with another part about exact odds".to_owned();
            return Err(Error::Results { path, message });
        }
        // A part of more games may have looked further.
        if known.is_none_or(|known| known.exact.is_none() && sought.exact.is_some()) {
            let command = part.commands.get(id).cloned();
            joined.note_exact(lineup, sought.clone(), || command)?;
        }
    }
    Ok(())
}
