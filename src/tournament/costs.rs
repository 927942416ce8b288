//! What a tournament would take: its games, the time and the size of its results, from some games that are played and
//! not kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::report::games;
use super::{
    Arena, FormatName, Game, GameResult, Next, RefereeFactory, Results, Shard, Spec,
    TournamentState,
};
use crate::error::{AgentFault, Error};
use crate::game::Generator;
use crate::report::{Block, Report, grouped, lasting, many, size};
use crate::script::guarded;

/// Games are played for so long.
const PATIENCE: Duration = Duration::from_secs(3);
/// As many of the first ones of the schedule are drawn from.
const FIRST: usize = 50_000;

/// What a tournament would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Costs {
    /// The games, if none is computed and nothing stops it before; of `swiss` and `knockout` about as many.
    pub games: u64,
    /// The threads that would play them.
    pub threads: usize,
    /// The time, in seconds.
    pub seconds: f64,
    /// The size of the file of results, in bytes.
    pub bytes: u64,
    /// The games that were played to find out.
    pub measured: usize,
    /// How many of these an agent forfeited: they may end sooner or later than others.
    pub forfeits: usize,
    notes: Vec<String>,
}

impl Costs {
    /// Plays games from all over the beginning of the schedule, on one thread.
    pub fn of(
        spec: &Spec,
        arena: &Arena,
        shard: Option<Shard>,
        (threads, interrupt): (usize, &AtomicBool),
    ) -> Result<Costs, Error> {
        let mut state = TournamentState::new(spec, arena.conditions());
        let mut games: Vec<Game> = Vec::new();
        while games.len() < FIRST
            && let Next::Game(game) = state.next(&mut |matches| Ok(vec![None; matches.len()]))?
        {
            games.push(game);
        }
        Generator::of(spec.seed).shuffle(&mut games);
        // A referee that panics is an error like any other.
        let played = guarded(|| played(&games, arena, interrupt));
        let played = played.unwrap_or_else(|panic| Err(panic.into()))?;
        // What is learned of the graph in the first half makes the second one quicker, as it does later ones.
        let half = &played[played.len() / 2..];
        let took = half.iter().map(|(.., took)| took.as_secs_f64()).sum::<f64>();
        let each = took / half.len().max(1) as f64;
        let mut results = Results::in_memory(spec, arena.conditions())?;
        let before = results.bytes()?;
        results.add(arena, played.iter().map(|(game, result, _)| (*game, result)))?;
        let kept = results.bytes()? - before;
        let total = state.total().unwrap_or_else(|| rounds(spec, arena));
        let total = shard.map_or(total, |shard| shard.count(&(0..=total.saturating_sub(1))));
        let mut notes = Vec::new();
        let forfeits = played.iter().filter_map(|(_, result, _)| result.forfeit.as_ref());
        let (forfeits, mut forfeited) = (forfeits.clone().count(), forfeits);
        if let Some(first) = forfeited.find(|forfeit| forfeit.fault != AgentFault::Out) {
            notes.push(format!(
                "{} of them were forfeits, so that this says little: {}",
                grouped(forfeits as u64),
                first.message
            ));
        }
        if spec.computes() {
            notes.push("pairings that are small enough are computed, in less time".to_owned());
        }
        if spec.stop.within.is_some() || spec.stop.sprt.is_some() {
            notes.push("the rule to stop may end it before".to_owned());
        }
        Ok(Costs {
            games: total,
            threads,
            seconds: each * total as f64 / threads.max(1) as f64,
            bytes: before + kept * total / played.len().max(1) as u64,
            measured: played.len(),
            forfeits,
            notes,
        })
    }

    /// The same in words.
    pub fn report(&self) -> Report<'_> {
        let games = games(self.games);
        let mut said = vec![
            format!(
                "{games} on {}: {}, and {} of results",
                many(self.threads as u64, "thread"),
                lasting(self.seconds),
                size(self.bytes)
            ),
            format!("measured on {}, of which nothing is kept", many(self.measured as u64, "game")),
        ];
        said.extend(self.notes.iter().cloned());
        Report::of(self, vec![Block::Sentence(said.join("\n"))])
    }
}

/// Games with their results and the time that each took, as many as there is patience for.
fn played<'g>(
    games: &'g [Game],
    arena: &Arena,
    interrupt: &AtomicBool,
) -> Result<Vec<(&'g Game, GameResult, Duration)>, Error> {
    let referee = arena.referee()?;
    let (began, mut all) = (Instant::now(), Vec::new());
    for game in games {
        if interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let begins = Instant::now();
        let result = referee.play(game)?;
        all.push((game, result, begins.elapsed()));
        if began.elapsed() > PATIENCE {
            break;
        }
    }
    Ok(all)
}

/// About as many games as a format has that is made from its results.
fn rounds(spec: &Spec, arena: &Arena) -> u64 {
    let agents = spec.agents.len() as u64;
    let matches = match spec.format {
        FormatName::Swiss => spec.swiss_rounds() * (agents / 2),
        _ => agents - 1,
    };
    let scenarios = arena.conditions().scenarios.len() as u64;
    matches.saturating_mul(scenarios).saturating_mul(spec.games)
}
