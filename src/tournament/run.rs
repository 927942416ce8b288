//! Runs a tournament: many threads play the games, and one consumes their results in schedule order.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::results::exact as known;
use super::{
    Conditions, ExactOdds, Game, GameResult, Lineup, Next, Referee, RefereeFactory, Results, Shard,
    Spec, TournamentState,
};
use crate::analysis::{ReportsStage, Stage};
use crate::error::Error;
use crate::graph::shared_out;
use crate::script::{guarded, on_large_stack};

/// How a tournament is to be played.
#[derive(Clone, Copy)]
pub struct Running<'a> {
    /// How many threads play; one at least.
    pub threads: usize,
    /// Once raised, games under way are finished, and no more begun.
    pub interrupt: &'a AtomicBool,
    /// Is called when exact odds are sought, and again when games begin, with the number of games to play if it is known;
    /// pairings that are computed do not count. What it returns hears of the work until it is dropped.
    pub begins: &'a dyn Fn(Option<u64>) -> ReportsStage,
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
/// How long results and the interrupt wait for each other at most; and what was found, for more of it.
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
    let running = Running { threads: running.threads.max(1), ..running };
    results.rewind();
    // Dropped when all games under way are over, too.
    let mut reporter = None;
    let ended = std::thread::scope(|scope| {
        let workers = Workers::new(scope, factory, running.threads, running.interrupt);
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
            running,
            reporter: &mut reporter,
            playing: false,
        };
        play.run()
    });
    // In every case what was played is kept; the first error is the one to report.
    let kept = results.commit();
    let run = ended?;
    kept.map(|()| run)
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
    running: Running<'r>,
    reporter: &'r mut Option<ReportsStage>,
    /// Whether games have begun.
    playing: bool,
}

impl<'a> RunState<'a, '_> {
    fn run(mut self) -> Result<RunResult<'a>, Error> {
        let interrupt = self.running.interrupt;
        let interrupted = || interrupt.load(Ordering::Relaxed);
        loop {
            let stop = self.state.stopped().is_some() || interrupted();
            if !stop && self.failed.is_none() {
                match self.hand_out() {
                    Err(Error::Interrupted) => interrupt.store(true, Ordering::Relaxed),
                    other => other?,
                }
            }
            self.consume()?;
            self.report();
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

    /// How many games there are at most, where that is known.
    fn total(&self) -> Option<u64> {
        let total = self.state.total()?.saturating_sub(self.state.tally().computed());
        match self.shard.filter(|_| total > 0) {
            Some(shard) => Some(shard.count(&(0..=total - 1))),
            None => Some(total),
        }
    }

    fn report(&mut self) {
        if !std::mem::replace(&mut self.playing, true) {
            // How fast games go says nothing of the time before the first of them.
            *self.reporter = None;
        }
        let (total, games) = (self.total(), self.state.tally().games());
        let reporter = self.reporter.get_or_insert_with(|| (self.running.begins)(total));
        reporter(Stage::Resumed(self.known, games, total));
    }

    /// Hands out games until enough are under way, the schedule waits, or a verdict is there.
    fn hand_out(&mut self) -> Result<(), Error> {
        let (most, interrupt) = (self.running.threads * BATCHES, self.running.interrupt);
        let mut batch = Vec::new();
        while self.workers.under_way < most
            && self.queue.len() < AHEAD
            && self.state.stopped().is_none()
            && !interrupt.load(Ordering::Relaxed)
        {
            let Some(game) = self.next()? else { break };
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

    fn next(&mut self) -> Result<Option<Game>, Error> {
        let total = self.total();
        let RunState { results, factory, reporter, .. } = self;
        let Running { threads, interrupt, begins } = self.running;
        let mut exact = |matches: &[Vec<Lineup>]| -> Result<Vec<Option<Vec<ExactOdds>>>, Error> {
            let of = matches.len() as u64;
            let mut report = |done: usize| {
                let pairing = (done as u64 + 1).min(of);
                let doing = format!("exact odds of pairing {pairing} of {of}");
                reporter.get_or_insert_with(|| begins(total))(Stage::Doing(doing));
            };
            search(*factory, results, matches, (threads, interrupt), &mut report)?;
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

// Worker threads that take games in batches and return results.

/// A batch grows while it takes less than this, and shrinks where it takes much more: handing it
/// over must cost little beside it, and nobody should wait long for one.
const SHORT: Duration = Duration::from_millis(2);
const LARGEST: usize = 256;

/// A game by its number in the schedule.
type PlayedGame = (u64, Result<GameResult, Error>);

type ThreadReport = (Vec<PlayedGame>, Duration);

/// Threads that play; they end when this is dropped.
struct Workers {
    sender: Sender<Vec<Game>>,
    receiver: Receiver<ThreadReport>,
    /// From this game of the schedule on, games are of no use any more.
    end: Arc<AtomicU64>,
    /// How many batches were sent and not reported yet.
    under_way: usize,
    /// How many games a batch should have.
    size: usize,
}

impl Workers {
    fn new<'s>(
        scope: &'s Scope<'s, '_>,
        factory: &'s dyn RefereeFactory,
        threads: usize,
        interrupt: &'s AtomicBool,
    ) -> Workers {
        let (sender, batches) = channel();
        let (reports, receiver) = channel();
        let (batches, end) = (Arc::new(Mutex::new(batches)), Arc::new(AtomicU64::new(u64::MAX)));
        for _ in 0..threads {
            let (batches, reports, end) = (batches.clone(), reports.clone(), end.clone());
            let next = move || batches.lock().recv().ok();
            scope.spawn(move || on_large_stack(|| work(factory, &next, &reports, &end, interrupt)));
        }
        Workers { sender, receiver, end, under_way: 0, size: 1 }
    }

    fn send(&mut self, batch: Vec<Game>) {
        self.under_way += 1;
        // The threads listen as long as this is there.
        let _ = self.sender.send(batch);
    }

    /// What has been finished; waits for the first of it for some time.
    fn receive(&mut self, wait: Duration) -> Vec<PlayedGame> {
        let mut all = Vec::new();
        let mut next = self.receiver.recv_timeout(wait).ok();
        while let Some((done, took)) = next {
            self.under_way = self.under_way.saturating_sub(1);
            self.size = match took {
                took if took < SHORT => (self.size * 2).min(LARGEST),
                took if took > SHORT * 10 => (self.size / 2).max(1),
                _ => self.size,
            };
            all.extend(done);
            next = self.receiver.try_recv().ok();
        }
        all
    }

    fn abandon(&self) {
        self.end.store(0, Ordering::Relaxed);
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// Plays batch after batch, the games of one lineup after those of another: to sit down takes longer
/// than many a game. Where one fails, those behind it in the schedule are not played.
fn work(
    factory: &dyn RefereeFactory,
    next: &dyn Fn() -> Option<Vec<Game>>,
    sender: &Sender<ThreadReport>,
    end: &AtomicU64,
    interrupt: &AtomicBool,
) {
    let mut referee: Option<Box<dyn Referee + '_>> = None;
    while let Some(mut batch) = next() {
        let began = Instant::now();
        let mut done = Vec::with_capacity(batch.len());
        batch.sort_by(|a, b| a.lineup.cmp(&b.lineup));
        for game in &batch {
            if game.number >= end.load(Ordering::Relaxed) || interrupt.load(Ordering::Relaxed) {
                continue;
            }
            // A referee that panics must not be waited for: its panic is an error like any other.
            let result = guarded(|| match &referee {
                Some(referee) => referee.play(game),
                None => factory.referee().and_then(|new| referee.insert(new).play(game)),
            });
            let result = result.unwrap_or_else(|panic| Err(panic.into()));
            if result.is_err() {
                end.fetch_min(game.number, Ordering::Relaxed);
            }
            done.push((game.number, result));
        }
        // Nobody listens any more where the tournament is over.
        let _ = sender.send((done, began.elapsed()));
    }
}

// Computes the pairings of a round on all threads, before its games are played.

/// What a thread reports: what was found of a lineup, or that a match is done.
enum SearchReport {
    Found(Lineup, Option<ExactOdds>),
    Done,
}

/// Finds out which matches of a round need no games, and keeps what is found as it comes. A match of which one lineup
/// has to be played is not looked into further. `progress` hears how many matches are done.
fn search(
    factory: &dyn RefereeFactory,
    results: &mut Results,
    matches: &[Vec<Lineup>],
    (threads, interrupt): (usize, &AtomicBool),
    progress: &mut dyn FnMut(usize),
) -> Result<(), Error> {
    let unsettled: Vec<Vec<Lineup>> =
        matches.iter().map(|lineups| open(factory, results, lineups)).collect();
    let unsettled: &Vec<&Vec<Lineup>> = &unsettled.iter().filter(|all| !all.is_empty()).collect();
    if unsettled.is_empty() {
        return Ok(());
    }
    // Whether something that was found could not be kept.
    let is_lost = &AtomicBool::new(false);
    let cut = std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let worker = move || {
            let (referee, sender) = (factory.referee()?, sender.clone());
            Ok(move |at: usize| {
                for lineup in unsettled[at] {
                    if is_lost.load(Ordering::Relaxed) || interrupt.load(Ordering::Relaxed) {
                        return Err(Error::Interrupted);
                    }
                    let exact = referee.exact(lineup)?;
                    let played = exact.is_none();
                    // As long as a thread searches, somebody listens.
                    let _ = sender.send(SearchReport::Found(lineup.clone(), exact));
                    if played {
                        break;
                    }
                }
                let _ = sender.send(SearchReport::Done);
                Ok(())
            })
        };
        let searched = scope.spawn(move || shared_out(threads, unsettled.len(), worker));
        let mut done = matches.len() - unsettled.len();
        progress(done);
        let mut kept = Ok(());
        loop {
            let now = match receiver.recv_timeout(TICK) {
                Ok(SearchReport::Found(lineup, exact)) => {
                    results.add_exact(factory, &lineup, exact)
                }
                Ok(SearchReport::Done) => {
                    done += 1;
                    progress(done);
                    Ok(())
                }
                // A long search must not keep others from the file.
                Err(RecvTimeoutError::Timeout) => results.commit_what_is_old(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            is_lost.fetch_or(now.is_err(), Ordering::Relaxed);
            kept = kept.and(now);
        }
        kept?;
        searched.join().map_or(Ok(None), |worked| worked.map(|worked| worked.cut))
    })?;
    results.commit()?;
    cut.map_or(Ok(()), Err)
}

/// The lineups of a match that have to be looked into; none where one of them is known to be played.
fn open(factory: &dyn RefereeFactory, results: &Results, lineups: &[Lineup]) -> Vec<Lineup> {
    let mut unsettled = Vec::new();
    for lineup in lineups {
        let bound = factory.bound(lineup);
        if !results.is_settled(lineup, bound) {
            unsettled.push(lineup.clone());
        } else if results.exact(lineup).is_none() {
            return Vec::new();
        }
    }
    unsettled
}
