//! The commands `:solve` and `:exploit`; the last solution is kept for `:odds`.

use std::time::{Duration, Instant};

use clap::Args;

use super::seated::seated;
use super::{diff, open_position};
use crate::agents::HUMAN;
use crate::analysis::equilibrium::Exploit;
use crate::analysis::{Moved, OpenDecision, Solution, Solved, Solving, Stage, StrategyLine};
use crate::arguments::{
    PageArgument, RuleArguments, SolvingArguments, SolvingFiles, TimeArgument, seconds,
};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::game::Value;
use crate::graph::Bounds;
use crate::repl::session::weighed_options::FoundSolution;
use crate::repl::{Reply, Session};

/// `:solve`.
#[derive(Args, Debug)]
#[command(mut_args(diff::or_without))]
pub struct Solve {
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    files: SolvingFiles,
    #[command(flatten)]
    solving: SolvingArguments,
    #[command(flatten)]
    pub(super) page: PageArgument,
    #[arg(long, help = HERE, conflicts_with = "save")]
    here: bool,
    /// As `--time S`
    #[arg(value_name = "SECONDS", value_parser = seconds, hide = true, conflicts_with = "time")]
    seconds: Option<Duration>,
}

/// What the option `--here` means for tools that need all to be known.
const HERE: &str = "Begin at the current place, if nothing is hidden from anybody";

/// `:exploit`.
#[derive(Args, Debug)]
pub struct Exploiting {
    #[command(flatten)]
    limit: TimeArgument,
    /// Print all information sets, not only what fits on two screens
    #[arg(long)]
    all: bool,
    #[arg(long, help = HERE)]
    here: bool,
}

/// Solves the open conflict; with other rules, as it is and under those.
pub(super) fn solve(session: &mut Session, solve: &Solve, reply: &mut Reply) -> Result<(), Error> {
    let (begun, files) = (Instant::now(), &solve.files);
    let mut asked = solve.solving.clone();
    asked.limit.time = asked.limit.time.or(solve.seconds);
    files.test()?;
    let play = session.open()?;
    let memory = session.options.limits.budget.bound();
    let seating = match solve.here {
        true => Seating::new(&play.conflict, memory)?,
        false => play.seating()?,
    };
    if solve.here {
        open_position::begin_here(session, [(&seating, None)], reply)?;
    }
    if solve.rules.is_empty() {
        let players = files.players(&play.conflict)?;
        let solved = solved(session, &seating, &asked, asked.limit.time)?;
        let kept = files.keep(&solved, &play.conflict, players.as_ref());
        let drawn = files.draw(&[("as it is", &solved)]);
        session.show(reply, &solved.report(asked.all));
        report_files(files, kept?, drawn?, reply);
        return keep(session, solve.here, &seating, solved, reply);
    }
    let changes = diff::changes(play, &solve.rules)?;
    let other = play.snapshot().conflict(&session.catalog, &changes)?;
    let players = files.players(&other)?;
    let base = solved(session, &seating, &asked, asked.left(begun, 2))?;
    if base.interrupted {
        // What there is of one is shown; of the other there will be nothing.
        session.show(reply, &base.report(asked.all));
        return keep(session, solve.here, &seating, base, reply);
    }
    let changed = Seating::new(&other, memory)?;
    if solve.here {
        open_position::begin_here(session, [(&changed, Some(&changes))], &mut Reply::default())?;
    }
    let house = solved(session, &changed, &asked, asked.left(begun, 1))?;
    let moved = Moved::of(base, house);
    let kept = files.keep(&moved.house, &other, players.as_ref());
    let drawn = files.draw(&[("as it is", &moved.base), ("changed", &moved.house)]);
    session.show(reply, &moved.report(asked.all));
    report_files(files, kept?, drawn?, reply);
    keep(session, solve.here, &seating, moved.base, reply)
}

/// Finds what a perfect opponent wins in the one seat that no agent has.
pub(super) fn exploit(
    session: &Session,
    asked: &Exploiting,
    reply: &mut Reply,
) -> Result<(), Error> {
    let conflict = &session.open()?.conflict;
    let seating = seated(session, asked.limit.time, &mut Reply::default())?;
    let agents = conflict.seats.iter().filter(|(_, agent)| *agent != HUMAN);
    let named: Vec<&str> = agents.map(|(seat, _)| seat.as_str()).collect();
    let left = Exploit::seats_left(conflict, &seating, &named)?;
    let [seat] = &left[..] else {
        let names: Vec<&str> = left.iter().map(|seat| seat.name.as_str()).collect();
        return Err(Error::usage(match &names[..] {
            [] => "an agent sits in every seat; `:seat PLAYER human` leaves one to the perfect \
                   opponent"
                .to_owned(),
            names => format!(
                "the perfect opponent takes one seat, and {} are free; `:seat PLAYER AGENT` says who \
                 sits in the others",
                names.join(", ")
            ),
        }));
    };
    if asked.here {
        open_position::begin_here(session, [(&seating, None)], reply)?;
    }
    let agents = |other: &Seat| Exploit::sitting(conflict, &seating, other).to_owned();
    let threads = session.lab.threads();
    let bounds = Bounds { threads, nodes: u64::MAX };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let seen = |nodes| progress(Stage::Nodes(nodes));
    let found = Exploit::find(&seating, seat, agents, bounds, &seen)?;
    let found = found.measured(&seating, threads, &*progress);
    drop(progress);
    session.show(reply, &found.report(asked.all));
    Ok(())
}

fn solved(
    session: &Session,
    seating: &Seating,
    asked: &SolvingArguments,
    time: Option<Duration>,
) -> Result<Solved, Error> {
    let solving = Solving {
        exact: asked.exact,
        within: asked.within,
        time,
        threads: session.lab.threads(),
        nodes: u64::MAX,
    };
    let audience = session.lab.audience();
    let progress = audience.solves();
    Solved::find(seating, solving, &*progress)
}

fn report_files(files: &SolvingFiles, kept: bool, nothing: Option<&str>, reply: &mut Reply) {
    let wrote = |path| reply.note(format!("wrote `{}`", std::path::Path::display(path)));
    files.save.as_deref().filter(|_| kept).into_iter().for_each(wrote);
    match nothing {
        Some(nothing) => reply.note(nothing),
        None => {
            files.svg.iter().for_each(|path| reply.note(format!("wrote `{}`", path.display())));
        }
    }
}

/// Keeps the solution of the open conflict for `:odds`. A search that found nothing leaves what was found
/// before, and one from the current place is of another beginning.
fn keep(
    session: &mut Session,
    here: bool,
    seating: &Seating,
    solved: Solved,
    reply: &mut Reply,
) -> Result<(), Error> {
    if solved.interrupted && solved.found.is_ok() {
        reply.note("interrupted: this is what was found by then");
    }
    if let Ok(solution) = solved.found
        && !here
    {
        let scenario = session.open()?.conflict.scenario.name.clone();
        let identity = seating.graph.identity().to_owned();
        session.known = Some(FoundSolution { scenario, identity, solution });
    }
    Ok(())
}

impl Session {
    /// The solution of the open conflict, if there is one. One of this scenario under other rules is
    /// forgotten, which is said; one of another scenario is kept for when that is opened again.
    pub(super) fn known_here(&mut self, reply: &mut Reply) -> Option<FoundSolution> {
        let conflict = &self.play.as_ref()?.conflict;
        let known = self.known.take_if(|known| known.scenario == conflict.scenario.name)?;
        if known.identity == conflict.blueprint.identity(&conflict.setup.value) {
            self.known = Some(known.clone());
            return Some(known);
        }
        reply.note("the rules have changed since they were solved; `:solve` solves them again");
        None
    }
}

impl FoundSolution {
    /// What it says about an open decision with these options; nothing where it has nothing about it.
    pub(super) fn line(
        &self,
        seating: &Seating,
        place: OpenDecision<'_>,
        options: &[Value],
    ) -> Result<Option<&StrategyLine>, Error> {
        let Some(key) = place.key(seating)? else { return Ok(None) };
        let line = self.solution.strategy.iter().find(|line| *line.key == *key);
        let offers = |line: &&StrategyLine| {
            let choices = line.options.iter().map(|choice| &choice.option);
            choices.eq(&options.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        Ok(line.filter(offers))
    }

    /// Where the numbers come from, in a sentence.
    pub(super) fn source(&self) -> String {
        let Solution { method, further, .. } = &self.solution;
        let which = match further.len() {
            0 => String::new(),
            more => format!(", the first of {}", more + 1),
        };
        format!("weight and value: `:solve`, {method}{which}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repl::commands::{PromptCommand, parse};

    fn read(line: &str) -> Result<(bool, f64, Option<Duration>), String> {
        match parse(&format!("solve {line}")) {
            Ok(PromptCommand::Solve(solve)) => {
                let SolvingArguments { exact, within, limit, .. } = solve.solving;
                Ok((exact, within, limit.time.or(solve.seconds)))
            }
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
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
