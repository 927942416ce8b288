//! The commands of tournaments: `tournament` plays one between agents, `standings` prints what a file of results
//! holds, `merge` joins the files of shards.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;
use clap::builder::PossibleValuesParser;
use indexmap::IndexMap;

use super::{CommandEntry, Desk, Runnable, Status, one_to, written};
use crate::catalog::{Document, FileText};
use crate::conflict::{GAMES, PAGE, Play, RuleChanges, apart, replace, replaceable};
use crate::error::{Error, nearest};
use crate::game::Value;
use crate::report::{many, shell_line};
use crate::script::Limits;
use crate::tournament::results::{merge, missing, replay, replay_with, takes_games, write_games};
use crate::tournament::{
    self, Arena, Costs, FormatName, LeaguePage, NotableGame, Opening, RefereeFactory, Results,
    Running, Shard, Spec, Standings, TournamentState,
};

/// As many as a spec may ask for.
const MOST_GAMES: u64 = 1_000_000_000;
/// Results are kept with a spec as TOML, which has 63 bits.
const MOST_SEED: u64 = i64::MAX as u64;

/// Play a tournament between agents, or resume one that was stopped; on the open conflict, from its beginning, in all
/// its seats
///
/// The rules and parameters are the current ones; seated agents leave their seats. All meet all, and exchange
/// their seats in turn. Pairings that are small enough are computed, not played.
#[derive(Args, Debug)]
pub(crate) struct TournamentCommand {
    /// The spec: scenarios, agents, format; `--seed` takes the place of its seed. With a conflict open: two or more
    /// agents, or a spec, whose scenarios, house rules and seed are ignored
    #[arg(required = true, value_name = "SPEC.toml | AGENT")]
    agent: Vec<String>,
    /// The games of each pairing; agents exchange their seats in turn [default: 100]
    #[arg(short = 'n', value_name = "N", value_parser = one_to::<u64>(MOST_GAMES), allow_negative_numbers = true)]
    n: Option<u64>,
    /// Who meets whom [default: round_robin]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FormatName::ALL.map(FormatName::word)))]
    format: Option<String>,
    /// Keep the results in this file, and resume from those that are there; without it, beside the spec, with `.db`
    /// for `.toml`, of the open conflict nowhere
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

/// What is printed and written of a tournament, beside its standings.
#[derive(Args, Debug, Default)]
pub(crate) struct WrittenArguments {
    /// Write a page with all results
    #[arg(long, alias = "html", value_name = "FILE.html", value_parser = written(PAGE))]
    report: Option<PathBuf>,
    /// Write every game that counts as JSON, and the ends of pairings that were computed
    #[arg(long, value_name = "FILE.json", value_parser = written(GAMES))]
    games: Option<PathBuf>,
    /// Print what the agents are worth as choices, too: the most even equilibrium, alpha-rank, replicator dynamics
    #[arg(long)]
    meta: bool,
}

impl WrittenArguments {
    /// The files as words of the command that writes them again.
    fn words(&self) -> Vec<String> {
        [option("--report", self.report.as_ref()), option("--games", self.games.as_ref())].concat()
    }

    /// All files that are written, each with the option that asks for it.
    fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let all = [("`--report`", &self.report), ("`--games`", &self.games)];
        all.into_iter().filter_map(|(what, path)| Some((what, path.as_deref()?)))
    }
}

impl Runnable for TournamentCommand {
    const ENTRY: CommandEntry = CommandEntry {
        seed: Some("The seed of the games; without it, the one after that of the open conflict"),
        kept: true,
        ..CommandEntry::alone::<Self>("tournament")
    };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let (spec, document) = self.spec(desk)?;
        let (catalog, limits, shard) = (desk.catalog, desk.limits.clone(), self.shard);
        let out = match (&self.out, self.file()) {
            (None, Some(file)) if desk.play.is_none() => Some(beside(file, shard)),
            (out, _) => out.clone(),
        };
        let kept_as = if desk.play.is_some() { "`--out`" } else { "the results" };
        let written = out.iter().map(|out| (kept_as, out.as_path())).chain(self.written.files());
        let read: Vec<_> = self.file().map(|file| ("the spec", file)).into_iter().collect();
        apart(&read, &written.collect::<Vec<_>>())?;
        self.written.files().try_for_each(|(_, path)| replaceable(path))?;
        self.written.games.iter().try_for_each(|games| takes_games(games))?;
        if shard.is_some() {
            Shard::check(&spec)?;
        }
        let given = desk.play.map(|play| {
            || play.snapshot().under(limits.clone()).conflict(catalog, &RuleChanges::default())
        });
        let opening = Opening {
            rules: desk.rules,
            place: &|place| document.as_ref().and_then(|document| document.at(place)),
            given: given.as_ref().map(|given| given as _),
            ..Opening::new(catalog, &limits)
        };
        let arena = Arena::open(&spec, &opening)?;
        arena.warnings().iter().for_each(|warning| desk.face.say(warning));
        let interrupt = limits.budget.interrupt().cloned().unwrap_or_default();
        if self.dry_run {
            let by: (usize, &AtomicBool) = (desk.threads, &interrupt);
            desk.face.show(&Costs::of(&spec, &arena, shard, by)?.report())?;
            return Ok(Status::Done);
        }
        let mut results = match (&out, shard) {
            (Some(out), _) => Results::open(out, &spec, arena.conditions(), shard)?,
            (None, None) => Results::in_memory(&spec, arena.conditions())?,
            (None, Some(_)) => return Err(Error::usage("`--shard` needs a file: `--out FILE`")),
        };
        let kept = |words: &str| Some(format!("{words} kept in `{}`", out.as_ref()?.display()));
        let begins = results.beginning()?.or_else(|| kept("results are"));
        begins.iter().for_each(|begins| desk.face.say(begins));
        let run = {
            let face = std::cell::RefCell::new(&mut *desk.face);
            let begins = |total| face.borrow_mut().begins("games", total);
            let running = Running { threads: desk.threads, interrupt: &interrupt, begins: &begins };
            tournament::run(&spec, arena.conditions(), &arena, &mut results, running)
        };
        if let (Err(_), Some(kept)) = (&run, kept("what was played is")) {
            desk.face.say(&kept);
        }
        let run = run?;
        let state = match run.interrupted {
            // Of a file that was merged more is known than what was consumed.
            true => replay(&spec, &mut results, |_, _, _| Ok(()))?,
            false => run.state,
        };
        let mut notable = state.notable();
        if desk.play.is_none() {
            for game in notable.iter_mut().filter(|game| game.result.out().is_none()) {
                let command = arena.command(&game.game.lineup);
                let command = command.map(|command| format!("{command} --seed {}", game.game.seed));
                game.command = command.or(game.command.take());
            }
        }
        show(&state, (&[], self.written.meta), desk)?;
        if let Some([first, _, ..]) = desk.play.map(|play| play.players.seats()).as_deref() {
            desk.face.say(&format!("the first seat is `{}`", first.name));
        }
        say_forfeits(&state, &notable, desk);
        if !run.interrupted && out.is_some() {
            say_beyond(&state, &results, desk)?;
        }
        write_all_games(&mut results, self.written.games.as_deref(), desk)?;
        if let Some(path) = &self.written.report {
            if desk.play.is_none() {
                save_histories(path, &arena, &mut notable, desk)?;
            }
            let unfinished = unfinished(run.interrupted, shard, state.tally().games());
            let command = self.line(desk, spec.seed);
            let page = (&state, unfinished.as_deref(), &notable[..], command);
            write_page(path, page, &results, desk)?;
        }
        results.close()?;
        if run.interrupted {
            desk.face.say(match (&out, state.is_empty()) {
                (None, _) => {
                    "interrupted: these are the standings so far; with `--out FILE` they are kept"
                }
                (_, true) => "interrupted: the same command resumes it",
                _ => "interrupted: these are the standings so far; the same command resumes it",
            });
            return Ok(Status::Interrupted);
        }
        if let Some(shard) = shard {
            let joins = format!("shard {shard} is done; `fracas merge` joins it with the others");
            desk.face.say(&joins);
        }
        Ok(Status::Done)
    }
}

impl TournamentCommand {
    /// The file of a spec, if that is what was named.
    fn file(&self) -> Option<&Path> {
        match &self.agent[..] {
            [file] if file.ends_with(".toml") => Some(Path::new(file)),
            _ => None,
        }
    }

    /// What is to be played: of agents, or of a file, which comes with it.
    fn spec(&self, desk: &mut Desk<'_>) -> Result<(Spec, Option<Document>), Error> {
        let of_open = |play: &Play| play.conflict.scenario.name.clone();
        let (mut spec, document) = match (self.file(), desk.play) {
            (Some(file), play) => {
                let text = FileText::read(file)?;
                let document = Document::parse(text.clone())?;
                let mut spec = Spec::parse(text)?;
                if let Some(scenario) = play.map(of_open) {
                    desk.face.say(&format!(
                        "on the open conflict, `{scenario}`, under its current rules"
                    ));
                    spec.scenarios = vec![scenario];
                    spec.house.clear();
                }
                spec.games = self.n.unwrap_or(spec.games);
                let named =
                    |format: &String| FormatName::ALL.into_iter().find(|one| one.word() == format);
                spec.format = self.format.as_ref().and_then(named).unwrap_or(spec.format);
                (spec, Some(document))
            }
            (None, Some(play)) => {
                let list = |words: &[String]| {
                    Value::List(words.iter().map(|word| Value::Text(word.clone())).collect())
                };
                let format = self.format.as_deref().unwrap_or(FormatName::RoundRobin.word());
                let mut map = IndexMap::new();
                map.insert("scenarios".to_owned(), list(&[of_open(play)]));
                map.insert("agents".to_owned(), list(&self.agent));
                map.insert("format".to_owned(), Value::Text(format.to_owned()));
                if let Some(n) = self.n {
                    map.insert("games".to_owned(), Value::Int(n.try_into().unwrap_or(i64::MAX)));
                }
                let mut spec = Spec::from_value(&Value::Map(map))?;
                spec.name_programs()?;
                (spec, None)
            }
            (None, None) => return Err(no_spec(&self.agent)),
        };
        spec.exact &= !self.no_exact;
        spec.seed = match (desk.play, desk.seed) {
            (Some(_), named) => desk.face.seed(named.map(|seed| seed & MOST_SEED))? & MOST_SEED,
            (None, Some(seed)) if seed > MOST_SEED => {
                let message = format!("`--seed` of a tournament must be at most {MOST_SEED}");
                return Err(Error::usage(message));
            }
            (None, named) => named.unwrap_or(spec.seed),
        };
        Ok((spec, document))
    }

    /// The command itself, as it repeats the tournament.
    fn line(&self, desk: &Desk<'_>, seed: u64) -> String {
        let seed = if desk.play.is_some() { Some(seed) } else { desk.seed };
        let options = [
            ("-n", self.n.map(|n| n.to_string())),
            ("--format", self.format.clone()),
            ("--seed", seed.map(|seed| seed.to_string())),
            ("--shard", self.shard.map(|shard| shard.to_string())),
        ];
        let mut words = vec!["tournament".to_owned()];
        words.extend(self.agent.iter().cloned());
        for (name, value) in options {
            words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
        }
        words.extend(self.no_exact.then(|| "--no-exact".to_owned()));
        words.extend(option("--out", self.out.as_ref()));
        words.extend(self.written.words());
        match desk.play {
            Some(_) => shell_line(&words, &[]).replacen("fracas ", ":", 1),
            None => shell_line(&words, desk.rules),
        }
    }
}

/// What is wrong with words that name no spec, where no conflict is open on which agents could meet.
fn no_spec(words: &[String]) -> Error {
    let [word] = words else {
        let message = "agents alone meet on the open conflict of the prompt, and none is open; elsewhere a tournament has \
                       a spec, one file whose name ends in `.toml`";
        return Error::usage(message);
    };
    let path = Path::new(word);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let there = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let specs = there.map(|entry| PathBuf::from(entry.file_name()));
    let specs = specs.filter(|file| file.extension().is_some_and(|ending| ending == "toml"));
    let mut names: Vec<String> =
        specs.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let same = names.iter().find(|name| **name == stem).cloned();
    let near = same.or_else(|| nearest(&stem, names));
    let near = near.map(|name| path.with_file_name(format!("{name}.toml")));
    let near = near.map(|near| format!("; did you mean `{}`?", near.display()));
    Error::usage(format!(
        "there is no spec `{word}`: the name of one ends in `.toml`{}",
        near.unwrap_or_default()
    ))
}

/// Where results are kept where nobody says: `cup.db` for `cup.toml`, a shard's apart from others.
fn beside(spec: &Path, shard: Option<Shard>) -> PathBuf {
    let part = shard.map(|shard| format!("{}.", shard.to_string().replace('/', "-of-")));
    spec.with_extension(format!("{}db", part.unwrap_or_default()))
}

/// Says how many games are in the file beyond those that count: they were under way when enough was known, more games were
/// asked for once, or their pairing is computed now.
fn say_beyond(
    state: &TournamentState<'_>,
    results: &Results,
    desk: &mut Desk<'_>,
) -> Result<(), Error> {
    if let beyond @ 1.. = results.len()?.saturating_sub(state.tally().games()) {
        let (path, games) = (results.path().display(), many(beyond, "game"));
        desk.face.say(&format!("`{path}` holds {games} beyond those that count"));
    }
    Ok(())
}

/// Why a page does not show the whole tournament, if it does not.
fn unfinished(interrupted: bool, shard: Option<Shard>, games: u64) -> Option<String> {
    let after = match games {
        0 => "before the first game".to_owned(),
        games => format!("after {}", many(games, "game")),
    };
    let stopped = format!("it was interrupted {after}, and this is what is known so far");
    let part = shard.map(|shard| format!("this is shard {shard} alone, without the others"));
    match (interrupted, part) {
        (true, Some(part)) => Some(format!("{part}; {stopped}")),
        (true, None) => Some(stopped),
        (false, part) => part,
    }
}

/// Print the standings of a tournament from its file of results, even while it is running
#[derive(Args, Debug)]
pub(crate) struct StandingsCommand {
    /// The file of results, also while a tournament writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    written: WrittenArguments,
}

impl Runnable for StandingsCommand {
    const ENTRY: CommandEntry = CommandEntry::alone::<Self>("standings");

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        apart(&[("the results", &self.file)], &self.written.files().collect::<Vec<_>>())?;
        let mut results = Results::read(&self.file)?;
        let missing = match results.identity().merged {
            true => missing(&results.spec().clone(), &mut results)?,
            false => Vec::new(),
        };
        let mut words = vec!["standings".to_owned(), self.file.display().to_string()];
        words.extend(self.written.words());
        let so_far = |games, total| {
            let of = many(total, "game");
            let so_far = format!("these are the standings after {games} of at most {of}");
            (games < total).then_some(so_far)
        };
        let by = (missing.as_slice(), shell_line(&words, desk.rules));
        print(&mut results, &self.written, by, so_far, desk)?;
        Ok(Status::Done)
    }
}

/// Join the shards of a tournament
#[derive(Args, Debug)]
pub(crate) struct MergeCommand {
    /// The files of the shards; one given twice counts once
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,
    /// The file for all of it; one that is there keeps what it has
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    written: WrittenArguments,
}

impl Runnable for MergeCommand {
    const ENTRY: CommandEntry = CommandEntry { kept: true, ..CommandEntry::alone::<Self>("merge") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let parts: Vec<(&str, &Path)> =
            self.parts.iter().map(|part| ("a part", part.as_path())).collect();
        let mut written = vec![("`--out`", self.out.as_path())];
        written.extend(self.written.files());
        apart(&parts, &written)?;
        let merged = merge(&self.parts, &self.out)?;
        let mut results = Results::read(&self.out)?;
        let missing = merged.sentence();
        let mut words = vec!["merge".to_owned()];
        words.extend(self.parts.iter().map(|part| part.display().to_string()));
        words.extend(option("--out", Some(&self.out)));
        words.extend(self.written.words());
        let by = (merged.missing.as_slice(), shell_line(&words, desk.rules));
        print(&mut results, &self.written, by, |_, _| missing.clone(), desk)?;
        let seed = results.spec().seed.to_string();
        results.close()?;
        if missing.is_none() {
            return Ok(Status::Done);
        }
        // The seed may have come from the command line, which the spec's file does not know.
        let mut words = ["tournament", "SPEC.toml", "--seed", &seed].map(str::to_owned).to_vec();
        words.extend(option("--out", Some(&self.out)));
        desk.face.complain(&format!(
            "warning: these are the standings without the missing games; `{}` plays them",
            shell_line(&words, desk.rules)
        ));
        Ok(Status::Failed)
    }
}

/// Prints and writes what a file of results holds; with the games that are missing, the command that
/// repeats it, and what to say where it is unfinished after some games of this many.
fn print(
    results: &mut Results,
    written: &WrittenArguments,
    (missing, command): (&[RangeInclusive<u64>], String),
    unfinished: impl FnOnce(u64, u64) -> Option<String>,
    desk: &mut Desk<'_>,
) -> Result<(), Error> {
    let spec = results.spec().clone();
    // The page alone plots how the ratings narrowed.
    let state = replay_with(&spec, results, written.report.is_some(), |_, _, _| Ok(()))?;
    show(&state, (missing, written.meta), desk)?;
    let mut notable = state.notable();
    for game in notable.iter_mut().filter(|game| game.result.out().is_none()) {
        game.command = results.command(&game.game).or(game.command.take());
    }
    say_forfeits(&state, &notable, desk);
    write_all_games(results, written.games.as_deref(), desk)?;
    let total = state.total().filter(|_| state.stopped().is_none());
    let total = total.map(|total| total.saturating_sub(state.tally().computed()));
    let unfinished = total.and_then(|total| unfinished(state.tally().games(), total));
    if let Some(path) = &written.report {
        write_page(path, (&state, unfinished.as_deref(), &notable, command), results, desk)?;
    }
    match unfinished {
        Some(unfinished) => desk.face.say(&unfinished),
        // Where nobody knows how many games there will be, those ahead may count yet.
        None if total.is_some() || state.stopped().is_some() => say_beyond(&state, results, desk)?,
        None => {}
    }
    Ok(())
}

/// Prints standings and cross table, with the games that are missing, and the meta-game where it is asked for.
fn show(
    state: &TournamentState<'_>,
    (missing, meta): (&[RangeInclusive<u64>], bool),
    desk: &mut Desk<'_>,
) -> Result<(), Error> {
    let mut standings = Standings::of(state);
    if meta {
        standings = standings.with_meta(state);
    }
    standings.missing = missing.iter().map(|gap| (*gap.start(), *gap.end())).collect();
    desk.face.show(&standings.report(state))
}

/// Says of each agent's each mistake how it erred, and how to see the first such game again.
fn say_forfeits(state: &TournamentState<'_>, notable: &[NotableGame], desk: &mut Desk<'_>) {
    let mut shown = 0;
    for game in notable {
        let Some((_, times)) = game.forfeit else { continue };
        let again = game.command.as_ref().filter(|_| desk.play.is_none());
        let again = again.map(|again| format!("; `{again}` plays it")).unwrap_or_default();
        desk.face.say(&format!("game {}: {}{again}", game.game.number, game.sentence()));
        shown += times;
    }
    let agents = 0..state.spec().agents.len();
    let all: u64 = agents.map(|agent| state.tally().forfeits(agent)).sum();
    if all > shown {
        desk.face.say(&format!("and {}", many(all - shown, "more forfeit")));
    }
}

/// Writes every game that counts to a file, if one was asked for; whole, or not at all.
fn write_all_games(
    results: &mut Results,
    path: Option<&Path>,
    desk: &mut Desk<'_>,
) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    write_games(&results.spec().clone(), results, path)?;
    desk.face.say(&format!("wrote `{}`", path.display()));
    Ok(())
}

/// Saves the histories of games that can be played again in `page.histories/` beside `page.html`, and notes their paths
/// from the folder around that.
fn save_histories(
    page: &Path,
    arena: &Arena,
    notable: &mut [NotableGame],
    desk: &mut Desk<'_>,
) -> Result<(), Error> {
    replaceable(page)?;
    let folder = page.with_extension("histories");
    // What is written about an interrupted tournament is written to its end.
    let budget = desk.limits.budget.clone().interrupted_by(None);
    let limits = Limits { budget, ..desk.limits.clone() };
    let beside = folder.file_name().unwrap_or_default().to_string_lossy();
    // Whoever was out was not asked: there is nothing to play again.
    for notable in notable.iter_mut().filter(|game| game.result.out().is_none()) {
        let number = notable.game.number;
        let saved = arena.history(&notable.game, &notable.result, desk.catalog, &limits);
        let saved = match saved {
            Ok(Some(saved)) => saved,
            Ok(None) => {
                desk.face.say(&format!("game {number} does not reach its end again: no history"));
                continue;
            }
            Err(error) => {
                desk.face.say(&format!("no history of game {number}: {error}"));
                continue;
            }
        };
        let failed = |reason| Error::file("write", &folder, reason);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let name = format!("game-{number}.fracas");
        saved.write_to(&folder.join(&name))?;
        notable.history = Some(format!("{beside}/{name}"));
    }
    Ok(())
}

/// Writes the page. Where it lacks games, `unfinished` says why; the command repeats it.
fn write_page(
    path: &Path,
    (state, unfinished, notable, command): (
        &TournamentState<'_>,
        Option<&str>,
        &[NotableGame],
        String,
    ),
    results: &Results,
    desk: &mut Desk<'_>,
) -> Result<(), Error> {
    let (identity, commands) = (results.identity(), &[command][..]);
    let page = LeaguePage { state, identity, notable, unfinished, commands };
    replace(path, page.html().as_bytes())?;
    desk.face.say(&format!("wrote `{}`", path.display()));
    Ok(())
}

/// The words for an option, if it is given.
fn option(name: &str, value: Option<&PathBuf>) -> Vec<String> {
    value.map(|path| vec![name.to_owned(), path.display().to_string()]).unwrap_or_default()
}
