//! Solves a conflict by the method that fits its kind of game: the only place that picks the
//! method.

use std::time::{Duration, Instant};

use super::backward::{fits_fractions, solve_open, without_end};
use super::board::{Board, GameKind, Knowing};
use super::learner::{LearningProgress, OnProgress, Until, solve_hidden};
use super::normal::Normal;
use super::solve_result::{Solved, draw};
use super::{Solution, UnsolvedReason};
use crate::analysis::chances::cut_off_note;
use crate::analysis::odds::{explored, short_of};
use crate::analysis::{Stage, exploring};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::graph::{Bounds, Explorer, InformationSets, Reach, WorkerFactory, explore, unseen};
use crate::number::Fraction;

/// Settings for solving a conflict: precision, time and memory.
#[derive(Clone, Copy, Debug)]
pub struct Solving {
    /// Solve in fractions if possible.
    pub exact: bool,
    /// Regret minimisation continues until the exploitability is at most this.
    pub within: f64,
    /// The time for everything, from the first node on; what was learned by then counts.
    pub time: Option<Duration>,
    /// The number of threads that explore.
    pub threads: usize,
    /// The most nodes that are explored.
    pub nodes: u64,
    /// The most work of learning ([`Until::work`]). Where it is bounded, games in which what one side wins the other
    /// need not lose are not solved.
    pub work: Option<u64>,
}

impl Solving {
    /// The default of `within`, in utility.
    pub const WITHIN: f64 = 0.001;
}

impl Default for Solving {
    /// In floats, on one thread, for as long as it takes.
    fn default() -> Self {
        let (within, nodes) = (Solving::WITHIN, u64::MAX);
        Solving { exact: false, within, time: None, threads: 1, nodes, work: None }
    }
}

impl Solved {
    /// Solves a conflict, with any agents in its seats. `progress` is called with the progress,
    /// from any thread.
    pub fn find(
        seating: &Seating,
        solving: Solving,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Solved, Error> {
        let budget = seating.budget().begin(solving.time);
        let seating = &seating.unmanned().under(budget.clone());
        let solved = Solved::within(seating, solving, progress);
        match solved.or_else(|error| budget.is_wanted().map_err(Error::from).and(Err(error))) {
            // At any place where it was cut.
            Err(error @ (Error::Interrupted | Error::Bound(_))) => {
                let interrupted = matches!(error, Error::Interrupted);
                Ok(Solved::without(Some(seating.graph.nodes()), error.to_string(), interrupted))
            }
            solved => solved,
        }
    }

    /// What is known where the work ended before the kind of game was found out.
    fn without(nodes: Option<u64>, why: String, interrupted: bool) -> Solved {
        let (found, course, unseen) = (Err(why), Vec::new(), Vec::new());
        Solved { nodes, kind: None, found, course, interrupted, unseen, cut_off: 0.0 }
    }

    fn within(
        seating: &Seating,
        solving: Solving,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Solved, Error> {
        let (graph, begun) = (&seating.graph, Instant::now());
        let bounds = Bounds { threads: solving.threads, nodes: solving.nodes };
        let reach = explore(graph, seating, bounds, &exploring(seating, progress))?;
        if let Some(why) = short_of(reach, seating, solving.nodes) {
            let interrupted = reach == Reach::Cut(Cut::Interrupted);
            return Ok(Solved::without(explored(reach, graph), why, interrupted));
        }
        let _charge = seating.budget().charge_thread();
        let board = Board::of(seating)?;
        let (explorer, _) = seating.make_worker()?;
        let mut known = board.information(seating, &explorer)?;
        let kind = GameKind::of(&board, board.knowing(graph, &known));
        let mut course = Vec::new();
        let mut on_progress = |learned: &LearningProgress| {
            course.push(*learned);
            progress(Stage::Near(learned.iterations, learned.exploitability));
            Ok(())
        };
        // What is left of the time is for learning.
        let time = solving.time.map(|time| time.saturating_sub(begun.elapsed()));
        let left = Solving { time, ..solving };
        let mut rounded = None;
        let (place, hears) = ((seating, &explorer), (progress, &mut on_progress as _));
        let found = by_kind(&board, &kind, &mut known, place, left, hears, &mut rounded)?;
        let cut = matches!(found, Err(UnsolvedReason::Stopped))
            .then(|| seating.budget().cut().unwrap_or(Cut::Interrupted));
        let interrupted =
            found.as_ref().map_or(cut == Some(Cut::Interrupted), |solution| solution.interrupted);
        let (cut_off, sets) = (graph.cut_off(), known.sets());
        let found = match found {
            Ok(mut solution) => {
                solution.finish(&seating.players.seats());
                if solving.exact && !solution.exact {
                    let none = || "this method has none".to_owned();
                    let why = rounded.map_or_else(none, |why| why.to_string());
                    solution.notes.push(format!("fractions were asked for, and {why}"));
                }
                // What two sides that can both win have is noted by the methods that solve their games.
                if !kind.settled && (kind.opposed || kind.sides < 2) {
                    solution.notes.push(UNSETTLED.to_owned());
                }
                if board.floats && solution.exact {
                    solution.notes.push(FLOATS.to_owned());
                }
                if cut_off > 0.0 {
                    solution.notes.push(cut_off_note(cut_off));
                }
                let drawn = |one: &mut Solution, has_time: bool| {
                    one.exact &= cut_off == 0.0;
                    if has_time {
                        draw(one, &explorer);
                    }
                };
                drawn(&mut solution, true);
                for other in &mut solution.further {
                    drawn(other, seating.may_continue().is_ok());
                }
                Ok(solution)
            }
            Err(why) => {
                Err(cut.map_or_else(|| why.in_words(&board.game, graph), |cut| cut.to_string()))
            }
        };
        let unseen = unseen(&explorer, sets, false)?.into_iter().collect();
        let (nodes, kind) = (Some(board.game.len() as u64), Some(kind));
        Ok(Solved { nodes, kind, found, course, interrupted, unseen, cut_off })
    }
}

const FLOATS: &str = "fractions of utilities that are floats of the rules: these are read as the decimals \
                      that they print as (`ratio(1, 3)` is exact)";

const UNSETTLED: &str = "where options tie there may be other equilibria, with the same value for those who \
                         decide, and other values for the others";

/// Finds the solution; `rounded` gets the reason why floats were used although fractions were asked for.
fn by_kind(
    board: &Board,
    kind: &GameKind,
    known: &mut InformationSets,
    (seating, explorer): (&Seating, &Explorer),
    solving: Solving,
    (progress, on_progress): (&(dyn Fn(Stage) + Sync), &mut OnProgress<'_>),
    rounded: &mut Option<UnsolvedReason>,
) -> Result<Result<Solution, UnsolvedReason>, Error> {
    if let Some(why) = without_end(board) {
        return Ok(Err(why));
    }
    let zero_sum = kind.opposed;
    if solving.work.is_some() && !zero_sum {
        return Ok(Err(UnsolvedReason::Kind { words: kind.words.clone() }));
    }
    let tabled = zero_sum && !board.crowded;
    let open = kind.knowing == Knowing::Turns || kind.knowing == Knowing::Joint && tabled;
    let fractions = solving.exact || kind.knowing == Knowing::Turns;
    if open {
        let opposed = zero_sum || kind.sides < 2;
        let fits = !opposed || kind.knowing == Knowing::Joint || fits_fractions(board);
        // Where at most one side decides, nobody keeps it up with anybody.
        let kind = (kind, ("a side", if kind.sides < 2 { "it" } else { "the sides" }));
        let floats = || solve_open::<f64>(board, kind, known, seating);
        let exactly = || solve_open::<Fraction>(board, kind, known, seating);
        let found = match (fractions && fits).then(exactly) {
            Some(Err(
                UnsolvedReason::Endless { .. }
                | UnsolvedReason::Unsettled { .. }
                | UnsolvedReason::Large { .. }
                | UnsolvedReason::Rounded,
            )) if opposed => floats(),
            Some(found) => found,
            None => floats(),
        };
        return Ok(found.map(|(solution, _)| solution));
    }
    if kind.sides <= 2
        && let Some(places) = board.components().iter().find(|places| !board.is_passed(places))
    {
        return Ok(Err(UnsolvedReason::Around { size: places.len(), place: places[0] as usize }));
    }
    let mut normal = Normal { seating, explorer, known, progress };
    let found = match (kind.sides, zero_sum, fractions) {
        (2, true, _) => normal.opposed(fractions, rounded),
        (2, false, _) => normal.all_equilibria(),
        (0 | 1, ..) => normal.best_of_one(),
        _ => Err(UnsolvedReason::Kind { words: kind.words.clone() }),
    };
    match found {
        Err(
            why @ (UnsolvedReason::Strategies { .. }
            | UnsolvedReason::Wide { .. }
            | UnsolvedReason::Kind { .. }
            | UnsolvedReason::Forgets { .. }),
        ) => {
            // Who forgets is found where the game is drawn.
            let forgets = matches!(why, UnsolvedReason::Forgets { .. });
            if kind.sides > 1 && !zero_sum && !forgets {
                return Ok(Err(why));
            }
            let Solving { within, time, work, .. } = solving;
            let until = Until { within, time, work };
            match solve_hidden(seating, explorer, known, until, on_progress) {
                Err(
                    error @ (Error::Unsolved { .. }
                    | Error::Recall { .. }
                    | Error::Interrupted
                    | Error::Bound(_)),
                ) => Ok(Err(error.into())),
                other => other.map(|mut solution| {
                    // Of one side the best response is found, from no regrets.
                    if kind.sides > 1 {
                        let why = why.in_words(&board.game, &seating.graph);
                        solution.notes.push(format!("learned from regrets, since {why}"));
                    }
                    Ok(solution)
                }),
            }
        }
        found => Ok(found),
    }
}
