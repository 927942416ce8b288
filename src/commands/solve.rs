//! The commands `solve`: what the players should do, and what changed rules change about it; and `exploit`: what a
//! perfect opponent wins against agents, and how.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use super::{
    CommandEntry, Desk, FoundSolution, RuleArguments, Runnable, Status, TimeArgument, above_zero,
    seconds, written,
};
use crate::agents::HUMAN;
use crate::analysis::equilibrium::Exploit;
use crate::analysis::{Moved, Solved, Solving, Stage, equilibrium, exploring};
use crate::conflict::{
    Conflict, DRAWING, GAMBIT_GAME, Players, STRATEGY, Seat, Seating, replace, replaceable,
};
use crate::error::{Cut, Error};
use crate::graph::Bounds;
use crate::report::{Figure, Series};

/// Find what the players should do, and what a house rule changes about it
///
/// The open conflict is solved from its beginning, under the rules as they are changed now, for any agents in the
/// seats. If it takes long, Ctrl-C stops it too, with what was found so far. `:solve 60` is `:solve --time 60`. As
/// long as the rules stay the same, `:odds` then shows for each option how often the solution picks it and what it
/// is worth there. With a house rule or a parameter the conflict is solved as it is and with those too, and the
/// differences are printed; the saved strategy is the one with those. With `--here` it is solved from the current
/// place, if the rules hide nothing from anybody.
#[derive(Args, Debug)]
#[command(mut_arg("time", |time| {
    time.help("Stop after S seconds; with changed rules, half of the time goes to the unchanged conflict")
}))]
pub(crate) struct SolveCommand {
    #[command(flatten)]
    rules: RuleArguments,
    /// Save the strategy to a file
    #[arg(long, value_name = "FILE", value_parser = written(STRATEGY))]
    save: Option<PathBuf>,
    /// Draw how the exploitability falls over time as SVG, if the method is iterative
    #[arg(long, value_name = "FILE.svg", value_parser = written(DRAWING))]
    svg: Option<PathBuf>,
    /// Write the game as a file for Gambit, from which other programs solve it
    #[arg(long, value_name = "FILE.efg", value_parser = written(GAMBIT_GAME))]
    efg: Option<PathBuf>,
    /// Compute in fractions, joint decisions too
    #[arg(long)]
    exact: bool,
    /// If the method is iterative, stop once the exploitability is at most X
    #[arg(long, value_name = "X", default_value_t = Solving::WITHIN, value_parser = above_zero, allow_negative_numbers = true)]
    within: f64,
    #[command(flatten)]
    limit: TimeArgument,
    /// Print all information sets and equilibria, not only what fits on two screens
    #[arg(long)]
    all: bool,
    /// As `--time S`
    #[arg(value_name = "SECONDS", value_parser = seconds, hide = true, conflicts_with = "time")]
    seconds: Option<Duration>,
}

impl Runnable for SolveCommand {
    const ENTRY: CommandEntry = CommandEntry {
        here: Some(super::HERE),
        changes: true,
        ..CommandEntry::new::<Self>("solve")
    };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if let Some(seat) = desk.typed.and_then(|typed| typed.named.seats.first()) {
            return Err(Error::usage(format!(
                "`--seat {seat}`: what is solved is what everybody should do, whoever sits there; \
                 `fracas exploit` says what wins against an agent"
            )));
        }
        if desk.here && self.save.is_some() {
            return Err(Error::usage("the argument '--here' cannot be used with '--save <FILE>'"));
        }
        for path in self.save.iter().chain(&self.svg).chain(&self.efg) {
            replaceable(path)?;
        }
        let begun = Instant::now();
        let seating = desk.seats()?;
        seating.known_secrets().iter().for_each(|known| desk.face.say(known));
        if desk.here {
            desk.begin_here(&[(&seating, None)], true)?;
        }
        let conflict = desk.conflict()?;
        if self.rules.is_empty() {
            let players = self.players(conflict)?;
            let solved = self.find((&seating, None), self.part(begun, 1), desk)?;
            // What was computed is kept before anybody reads it: a reader may go away.
            let kept = self.keep((&solved, conflict, players.as_ref()), &[("as it is", &solved)]);
            desk.face.show(&solved.report(self.all))?;
            kept?.iter().for_each(|said| desk.face.say(said));
            self.write_game(&seating, desk)?;
            return Ok(ended(seating, solved, desk));
        }
        let (other, changes) = desk.under(&self.rules)?;
        let players = self.players(&other)?;
        let as_it_is = (&seating, Some("under the rules as they are"));
        let base = self.find(as_it_is, self.part(begun, 2), desk)?;
        if base.interrupted {
            // What there is of one is shown; of the other there will be nothing.
            desk.face.show(&base.report(self.all))?;
            return Ok(ended(seating, base, desk));
        }
        // The page names it only once there will be something of it.
        desk.is_of(&other);
        let changed = Seating::new(&other, desk.memory())?;
        if desk.here {
            desk.begin_here(&[(&changed, changes.as_ref())], false)?;
        }
        let under = (&changed, Some("under the changed rules"));
        let house = self.find(under, self.part(begun, 1), desk)?;
        let moved = Moved::of(base, house);
        let both = [("as it is", &moved.base), ("changed", &moved.house)];
        let kept = self.keep((&moved.house, &other, players.as_ref()), &both);
        desk.face.show(&moved.report(self.all))?;
        kept?.iter().for_each(|said| desk.face.say(said));
        self.write_game(&changed, desk)?;
        let house = status(&moved.house);
        let base = ended(seating, moved.base, desk);
        Ok(if base == Status::Done { house } else { base })
    }
}

impl SolveCommand {
    /// The time for the next of this many solutions.
    fn part(&self, begun: Instant, solutions: u32) -> Option<Duration> {
        let time = self.limit.time.or(self.seconds);
        time.map(|time| part(time, begun.elapsed(), solutions))
    }

    /// Solves a conflict; what is said meanwhile names the rules that it is of, where there are others.
    fn find(
        &self,
        (seating, under): (&Seating, Option<&str>),
        time: Option<Duration>,
        desk: &mut Desk<'_>,
    ) -> Result<Solved, Error> {
        // The limit that is named is the whole one, of which this may be a part.
        let whole = self.limit.time.or(self.seconds);
        let seating = seating.under(seating.budget().begin(whole));
        let (exact, within, threads) = (self.exact, self.within, desk.threads);
        let solving = Solving { exact, within, time, threads, ..Solving::default() };
        desk.work(("nodes", None), |progress| {
            let named = |stage| match (stage, under) {
                (Stage::Notice(text), Some(under)) => Stage::Notice(format!("{under}, {text}")),
                (stage, _) => stage,
            };
            Solved::find(&seating, solving, &|stage| progress(named(stage)))
        })
    }

    /// The players, where the strategy is to be saved. Rules answer for their sides only before somebody wanted
    /// the work to stop.
    fn players(&self, conflict: &Conflict) -> Result<Option<Players>, Error> {
        self.save.as_ref().map(|_| Players::find(conflict)).transpose()
    }

    /// Writes the game for Gambit, if that is wanted.
    fn write_game(&self, seating: &Seating, desk: &mut Desk<'_>) -> Result<(), Error> {
        let Some(file) = &self.efg else { return Ok(()) };
        let game = equilibrium::efg(seating, desk.threads, &desk.conflict()?.scenario.name)?;
        replace(file, game.as_bytes())?;
        desk.face.say(&format!("wrote `{}`", file.display()));
        Ok(())
    }

    /// Saves the strategy, where there is one, and draws how the exploitability fell, if that is wanted; returns
    /// what is to be said of it.
    fn keep(
        &self,
        (solved, conflict, players): (&Solved, &Conflict, Option<&Players>),
        all: &[(&str, &Solved)],
    ) -> Result<Vec<String>, Error> {
        let mut said = Vec::new();
        if let (Some(path), Some(players), Ok(solution)) = (&self.save, players, &solved.found) {
            solution.save(conflict, players, path)?;
            said.push(format!("wrote `{}`", path.display()));
        }
        if let Some(file) = &self.svg {
            let curves: Vec<Series> =
                all.iter().filter_map(|(name, one)| one.curve(name)).collect();
            if curves.is_empty() {
                let nothing = match &solved.found {
                    Ok(solution) => format!("nothing had to be learned ({})", solution.method),
                    Err(_) => "nothing was learned".to_owned(),
                };
                said.push(format!("{nothing}, so there is no curve, and no file was written"));
            } else {
                let figure = Figure::Plot(equilibrium::curves("seconds", curves));
                replace(file, Figure::svg(&[figure]).as_bytes())?;
                said.push(format!("wrote `{}`", file.display()));
            }
        }
        Ok(said)
    }
}

/// Says that a search was stopped, and leaves its solution on the desk; one from the current place is of another
/// beginning.
fn ended(seating: Seating, solved: Solved, desk: &mut Desk<'_>) -> Status {
    let status = status(&solved);
    if solved.interrupted && solved.found.is_ok() {
        desk.face.cut(Cut::Interrupted, "interrupted: this is what was found by then");
    }
    if let (Ok(solution), Some(conflict), false) = (solved.found, desk.about, desk.here) {
        let scenario = conflict.scenario.name.clone();
        let identity = seating.graph.identity().to_owned();
        desk.solution = Some(FoundSolution { scenario, identity, solution });
    }
    status
}

fn status(solved: &Solved) -> Status {
    match &solved.found {
        _ if solved.interrupted => Status::Interrupted,
        Ok(_) => Status::Done,
        Err(_) => Status::Failed,
    }
}

/// The time for the next of this many solutions, in whole tenths of a second where it is longer, as it is
/// printed.
fn part(time: Duration, spent: Duration, solutions: u32) -> Duration {
    let part = time.saturating_sub(spent) / solutions.max(1);
    let tenths = part.as_millis() / 100 * 100;
    let tenths = Duration::from_millis(tenths.try_into().unwrap_or(u64::MAX));
    if tenths.is_zero() { part } else { tenths }
}

/// Find what a perfect opponent wins against agents, and how
///
/// It takes the one seat without an agent, from the beginning. With `--here` it begins at the current place, if the
/// rules hide nothing from anybody.
#[derive(Args, Debug)]
pub(crate) struct ExploitCommand {
    /// The seat of the perfect opponent, whoever sits there [default: the one that is left]
    #[arg(long, value_name = "PLAYER")]
    opponent: Option<String>,
    #[command(flatten)]
    limit: TimeArgument,
    /// Print all information sets, not only what fits on two screens
    #[arg(long)]
    all: bool,
}

/// What is being done after the perfect opponent was found.
const WORTH: &str = "solving the conflict, to say what that is beyond its worth";

impl Runnable for ExploitCommand {
    const ENTRY: CommandEntry =
        CommandEntry { here: Some(super::HERE), ..CommandEntry::new::<Self>("exploit") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let seating = desk.seats()?;
        let seating = seating.under(seating.budget().begin(self.limit.time));
        let seat = match &self.opponent {
            Some(name) => {
                let seat = named(name, &seating)?;
                refuse(desk, Some(name))?;
                seat
            }
            None => left(desk, &seating)?,
        };
        if desk.here {
            desk.begin_here(&[(&seating, None)], true)?;
        }
        let conflict = desk.conflict()?;
        let agents = |other: &Seat| Exploit::sitting(conflict, &seating, other).to_owned();
        let bounds = Bounds { threads: desk.threads, nodes: u64::MAX };
        let progress = desk.face.begins("nodes", None);
        let found =
            Exploit::find(&seating, &seat, agents, bounds, &exploring(&seating, &*progress))?;
        progress(Stage::Doing(WORTH.to_owned()));
        let found = found.measured(&seating, desk.threads, &*progress);
        drop(progress);
        desk.face.show(&found.report(self.all))?;
        Ok(if found.interrupted { Status::Interrupted } else { Status::Done })
    }
}

fn named(name: &str, seating: &Seating) -> Result<Seat, Error> {
    let seats = seating.players.seats();
    let unknown = || Error::unknown("seat", name, seats.iter().map(|seat| seat.name.as_str()));
    seats.iter().find(|seat| seat.name == name).cloned().ok_or_else(unknown)
}

/// Refuses seats of the command line that nobody sits in; a person may leave theirs to the opponent.
fn refuse(desk: &Desk<'_>, opponent: Option<&str>) -> Result<(), Error> {
    if desk.typed.is_none() {
        return Ok(());
    }
    let seats = &desk.changes.seats;
    let is_person =
        |(seat, agent): &&(String, String)| agent == HUMAN && Some(seat.as_str()) != opponent;
    if let Some((seat, _)) = seats.iter().find(is_person) {
        return Err(Error::usage(format!(
            "what a person in the seat `{seat}` would answer is not known; name an agent, or `random` for whoever \
             answers anything"
        )));
    }
    Ok(())
}

/// The one seat that is left for the perfect opponent.
fn left(desk: &mut Desk<'_>, seating: &Seating) -> Result<Seat, Error> {
    refuse(desk, None)?;
    // At the prompt all seats are given to somebody; elsewhere those of the scenario may be taken.
    let seats = &desk.changes.seats;
    let named: Vec<&str> = match desk.play {
        Some(_) => seats
            .iter()
            .filter(|(_, agent)| agent != HUMAN)
            .map(|(seat, _)| seat.as_str())
            .collect(),
        None => seats.iter().map(|(seat, _)| seat.as_str()).collect(),
    };
    let left = Exploit::seats_left(desk.conflict()?, seating, &named)?;
    let all = seating.players.seats();
    let first = all.first().map_or("PLAYER", |seat| seat.name.as_str());
    match &left[..] {
        [one] => Ok(one.clone()),
        [] if all.len() == 1 => Err(Error::usage(
            "one seat plays alone, and an agent sits in it; `--opponent` gives it to the perfect player",
        )),
        [] => {
            let opponent = desk.face.opponent(first);
            Err(Error::usage(format!(
                "an agent sits in every seat; `{opponent}` gives one to the perfect opponent"
            )))
        }
        [one, other, ..] => {
            let [one, other] = [one, other].map(|seat| desk.face.seat(&seat.name));
            Err(Error::usage(format!(
                "the perfect opponent takes one seat; say who sits in the others: `{one}` or `{other}`"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{Args, Command, FromArgMatches};

    use super::{SolveCommand, Solving, part};
    use crate::commands::mistake;

    fn read(line: &str) -> Result<(bool, f64, Option<Duration>), String> {
        let parser = SolveCommand::augment_args(Command::new("solve").no_binary_name(true));
        let matches = parser.try_get_matches_from(line.split_whitespace());
        let solve = matches.and_then(|matches| SolveCommand::from_arg_matches(&matches));
        let solve = solve.map_err(|error| mistake(&error).to_string())?;
        Ok((solve.exact, solve.within, solve.limit.time.or(solve.seconds)))
    }

    #[test]
    fn all_solutions_of_a_command_share_its_time() {
        let seconds = Duration::from_secs;
        assert_eq!(part(seconds(8), seconds(0), 2), seconds(4));
        // The first took all of its half, or less.
        assert_eq!(part(seconds(8), seconds(4), 1), seconds(4));
        assert_eq!(part(seconds(8), seconds(1), 1), seconds(7));
        assert_eq!(part(seconds(8), seconds(9), 1), seconds(0));
        let millis = Duration::from_millis;
        assert_eq!(part(seconds(8), millis(1), 2), millis(3900));
        assert_eq!(part(millis(60), seconds(0), 1), millis(60));
        // Longer than anybody waits, and than 64 bits of milliseconds.
        assert_eq!(part(Duration::MAX, seconds(0), 1), millis(u64::MAX));
    }

    #[test]
    fn how_near_and_how_long_may_be_said() {
        let time = Some(Duration::from_secs(5));
        assert_eq!(read(""), Ok((false, Solving::WITHIN, None)));
        assert_eq!(read("5"), Ok((false, Solving::WITHIN, time)));
        assert_eq!(read("--time 5"), Ok((false, Solving::WITHIN, time)));
        assert_eq!(read("--within 0.5 --exact 5"), Ok((true, 0.5, time)));
        assert_eq!(read("--within=0.25"), Ok((false, 0.25, None)));
        for wrong in
            ["--within", "--within x", "--within 0", "-1", "5 6", "5 --time 5", "nan", "--exact=1"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let unknown = "unexpected argument '--exakt' found; did you mean `--exact`?";
        assert_eq!(read("--exakt").unwrap_err(), unknown);
    }
}
