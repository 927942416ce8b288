//! Runs a tournament: many threads play the games, and one consumes their results in schedule order.

mod workers;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::results::exact as known;
use super::{
    Arena, Conditions, ExactOdds, Game, GameResult, Next, RefereeFactory, Results, TournamentState,
};
use super::{Lineup, Shard, Spec};
use crate::analysis::Stage;
use crate::error::Error;
use workers::Workers;

/// How a tournament is to be played.
pub struct Running<'a> {
    /// How many threads play; one at least.
    pub threads: usize,
    /// Once raised, games under way are finished, and no more begun.
    pub interrupt: &'a AtomicBool,
    /// Is called with the progress now and then.
    pub progress: &'a mut dyn FnMut(TournamentProgress),
}

/// How far a tournament is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TournamentProgress {
    /// The games that count so far.
    pub games: u64,
    /// How many of them were in the file already.
    pub known: u64,
    /// How many there are at most, where that is known; those that are computed are none.
    pub total: Option<u64>,
    /// While exact odds are computed: the pairing of the round, the first being 1, and how many there are.
    pub seeking: Option<(u64, u64)>,
}

/// The result of a run.
pub struct RunResult<'a> {
    /// The tournament so far.
    pub state: TournamentState<'a>,
    /// How many results were in the file already.
    pub known: u64,
    /// How many games were played now.
    pub played: u64,
    /// Whether it was interrupted before its end.
    pub interrupted: bool,
}

/// Games that were handed out ahead of the first one that is not over.
const AHEAD: usize = 1 << 16;
/// Batches under way for each thread: one it plays, one that waits for it.
const BATCHES: usize = 2;
/// How long results and the interrupt wait for each other at most.
const TICK: Duration = Duration::from_millis(50);

/// Plays a tournament, or the part that a shard's file holds, on from where its results stop.
/// Everything is kept at once; the state is the same on any number of threads.
pub fn run<'a>(
    spec: &'a Spec,
    conditions: &Conditions,
    factory: &dyn RefereeFactory,
    results: &mut Results,
    running: Running<'_>,
) -> Result<RunResult<'a>, Error> {
    let shard = results.identity().shard;
    if shard.is_some() {
        Shard::check(spec)?;
    }
    let state = match shard {
        Some(_) => TournamentState::of_part(spec, conditions),
        None => TournamentState::new(spec, conditions),
    };
    results.rewind();
    let ended = std::thread::scope(|scope| {
        let workers = Workers::new(scope, factory, running.threads.max(1), running.interrupt);
        let play = RunState {
            state,
            shard,
            factory,
            results,
            workers,
            queue: VecDeque::new(),
            known: 0,
            played: 0,
            over: false,
            failed: None,
        };
        play.run(running)
    });
    // In every case what was played is kept; the first error is the one to report.
    let kept = results.commit();
    let run = ended?;
    kept.map(|()| run)
}

/// Hears how many games are over.
pub(crate) type ReportsStage = Box<dyn Fn(Stage) + Sync>;

/// As [`run`], on this many threads until the flag is raised. `begins` is called when games begin, with their number if
/// it is known; what it returns hears how many are over.
pub(crate) fn run_aloud<'a>(
    (spec, arena): (&'a Spec, &Arena),
    results: &mut Results,
    (threads, interrupt): (usize, &AtomicBool),
    begins: &dyn Fn(Option<u64>) -> ReportsStage,
) -> Result<RunResult<'a>, Error> {
    let mut reporter: Option<ReportsStage> = None;
    let mut playing = false;
    let mut progress = |at: TournamentProgress| {
        if at.seeking.is_none() && !std::mem::replace(&mut playing, true) {
            // How fast games go says nothing of the time before the first of them.
            reporter = None;
        }
        let report = reporter.get_or_insert_with(|| begins(at.total));
        report(match at.seeking {
            Some((pairing, of)) => Stage::Doing(format!("exact odds of pairing {pairing} of {of}")),
            None => Stage::Resumed(at.known, at.games, at.total),
        });
    };
    let running = Running { threads, interrupt, progress: &mut progress };
    run(spec, arena.conditions(), arena, results, running)
}

struct Slot {
    game: Game,
    result: Option<GameResult>,
}

struct RunState<'a, 'r> {
    state: TournamentState<'a>,
    shard: Option<Shard>,
    factory: &'r dyn RefereeFactory,
    results: &'r mut Results,
    workers: Workers,
    /// All games handed out from the first one on that is not consumed.
    queue: VecDeque<Slot>,
    known: u64,
    played: u64,
    over: bool,
    /// The first game that failed, by its number; those before it are played to their ends, so that
    /// it is the same on any number of threads.
    failed: Option<(u64, Error)>,
}

impl<'a> RunState<'a, '_> {
    fn run(mut self, mut running: Running<'_>) -> Result<RunResult<'a>, Error> {
        let interrupt = running.interrupt;
        let interrupted = || interrupt.load(Ordering::Relaxed);
        loop {
            let stop = self.state.stopped().is_some() || interrupted();
            if !stop && self.failed.is_none() {
                match self.hand_out(&mut running) {
                    Err(Error::Interrupted) => interrupt.store(true, Ordering::Relaxed),
                    other => other?,
                }
            }
            self.consume()?;
            (running.progress)(self.progress());
            if self.state.stopped().is_some() {
                self.workers.abandon();
                break;
            }
            let idle = self.workers.under_way == 0;
            if let Some((_, error)) = self.failed.take_if(|(number, _)| {
                idle || self.queue.front().is_none_or(|first| first.game.number >= *number)
            }) {
                return Err(error);
            }
            if idle && (interrupted() || (self.over && self.queue.is_empty())) {
                break;
            }
            if !idle {
                self.receive(interrupt)?;
            }
        }
        self.results.commit()?;
        self.state.close();
        let finished = self.state.stopped().is_some() || (self.over && self.queue.is_empty());
        let RunState { state, known, played, .. } = self;
        Ok(RunResult { state, known, played, interrupted: !finished })
    }

    fn progress(&self) -> TournamentProgress {
        let tally = self.state.tally();
        let total = self.state.total().map(|total| total.saturating_sub(tally.computed()));
        let total = match (self.shard, total) {
            (Some(shard), Some(1..)) => total.map(|total| shard.count(&(0..=total - 1))),
            _ => total,
        };
        TournamentProgress { games: tally.games(), known: self.known, total, seeking: None }
    }

    /// Hands out games until enough are under way, the schedule waits, or a verdict is there.
    fn hand_out(&mut self, running: &mut Running<'_>) -> Result<(), Error> {
        let (most, interrupt) = (running.threads.max(1) * BATCHES, running.interrupt);
        let mut batch = Vec::new();
        while self.workers.under_way < most
            && self.queue.len() < AHEAD
            && self.state.stopped().is_none()
            && !interrupt.load(Ordering::Relaxed)
        {
            let Some(game) = self.next(running)? else { break };
            if self.shard.is_some_and(|shard| !shard.holds(game.number)) {
                self.state.pass_over();
                continue;
            }
            let result = self.results.get(&game)?;
            if let Some(known) = &result {
                if let Some(forfeit) = &known.forfeit {
                    self.factory.forfeited(&game, forfeit);
                }
                self.known += 1;
            } else {
                batch.push(game.clone());
            }
            self.queue.push_back(Slot { game, result });
            self.consume()?;
            if batch.len() >= self.workers.size {
                self.workers.send(std::mem::take(&mut batch));
            }
        }
        if !batch.is_empty() {
            self.workers.send(batch);
        }
        Ok(())
    }

    fn next(&mut self, running: &mut Running<'_>) -> Result<Option<Game>, Error> {
        let so_far = self.progress();
        let RunState { results, factory, .. } = self;
        let (threads, interrupt) = (running.threads.max(1), running.interrupt);
        let mut exact = |matches: &[Vec<Lineup>]| -> Result<Vec<Option<Vec<ExactOdds>>>, Error> {
            let of = matches.len() as u64;
            let mut report = |done: usize| {
                let pairing = (done as u64 + 1).min(of);
                (running.progress)(TournamentProgress { seeking: Some((pairing, of)), ..so_far });
            };
            workers::search(*factory, results, matches, (threads, interrupt), &mut report)?;
            Ok(known(results, matches))
        };
        match self.state.next(&mut exact)? {
            Next::Game(game) => Ok(Some(game)),
            Next::Wait => Ok(None),
            Next::Over => {
                self.over = true;
                Ok(None)
            }
        }
    }

    /// Consumes all results that no earlier game waits for. A program that was late or gone too often before a game, in
    /// the order of the schedule, forfeits it, whoever has played it meanwhile.
    fn consume(&mut self) -> Result<(), Error> {
        while let Some(Slot { game, result: result @ Some(_) }) = self.queue.front_mut() {
            let known = result.take().unwrap_or_default();
            let out = match self.state.out(game) {
                Some((seat, why)) => self.factory.out(&game.lineup, seat, why)?,
                None => None,
            };
            if out.is_none() && known.out().is_some() {
                // It was so in another schedule of these games.
                self.results.forget(&game.lineup, game.nth)?;
                self.workers.send(vec![game.clone()]);
                return Ok(());
            }
            let settled = match out {
                Some(out) if out != known => {
                    self.results.forget(&game.lineup, game.nth)?;
                    self.results.add(self.factory, [(&*game, &out)])?;
                    out
                }
                _ => known,
            };
            self.state.consume(game, &settled);
            self.queue.pop_front();
        }
        Ok(())
    }

    fn receive(&mut self, interrupt: &AtomicBool) -> Result<(), Error> {
        let mut places = Vec::new();
        for (number, result) in self.workers.receive(TICK) {
            match result {
                Ok(result) => {
                    let Some(place) = self.place(number) else { continue };
                    self.queue[place].result = Some(result);
                    places.push(place);
                }
                Err(Error::Interrupted) => interrupt.store(true, Ordering::Relaxed),
                Err(error) if self.failed.as_ref().is_none_or(|(first, _)| number < *first) => {
                    self.failed = Some((number, error));
                }
                Err(_) => {}
            }
        }
        self.played += places.len() as u64;
        let slots = places.into_iter().filter_map(|place| self.queue.get(place));
        self.results.add(
            self.factory,
            slots.filter_map(|slot| Some((&slot.game, slot.result.as_ref()?))),
        )?;
        self.results.commit_what_is_old()
    }

    fn place(&self, number: u64) -> Option<usize> {
        // But in a shard the games of the queue follow each other without a gap.
        let first = self.queue.front()?.game.number;
        let near = number.checked_sub(first).and_then(|gap| usize::try_from(gap).ok())?;
        match self.queue.get(near) {
            Some(slot) if slot.game.number == number => Some(near),
            _ => self.queue.binary_search_by_key(&number, |slot| slot.game.number).ok(),
        }
    }
}
