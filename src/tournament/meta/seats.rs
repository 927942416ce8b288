//! Alpha-rank by seat: what agents are worth where each seat of a scenario has a population of its own, from games of
//! every lineup.

use serde::Serialize;

use super::super::{FormatName, Lineup, TournamentState};
use super::{LIGHT, PRINTED, methods, rounded};
use crate::report::{Block, Table, enumerated, grouped, many, percent};

/// More lineups take too long: the time grows with the third power of their number.
const PROFILES: usize = 400;
/// As many lineups are in the data, those of the largest share.
const KEPT: usize = 20;
/// As many are named in a sentence.
const NAMED: usize = 3;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SeatWorths {
    scenario: String,
    seats: Vec<String>,
    /// How many lineups of these agents there are. Of more than 400 all else is empty.
    of: u64,
    /// How many of them have no games; null where the format does not play all. Unless it is 0 all else is empty.
    missing: Option<u64>,
    /// The games of the lineup that has fewest; null where the odds of all are known.
    games: Option<u64>,
    alpha_rank: Vec<AgentShares>,
    lineups: Vec<LineupShare>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct AgentShares {
    agent: String,
    /// By seat.
    shares: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct LineupShare {
    /// By seat.
    agents: Vec<String>,
    share: f64,
}

impl SeatWorths {
    /// Those of all scenarios that have more than two seats, or of which every lineup is to be played; agents by index,
    /// in this order.
    pub(super) fn of(state: &TournamentState<'_>, order: &[usize]) -> Vec<SeatWorths> {
        let every = state.spec().format == FormatName::EveryLineup;
        let scenarios = 0..state.spec().scenarios.len();
        let wanted = scenarios.filter(|&scenario| every || state.seats(scenario).len() > 2);
        wanted.map(|scenario| SeatWorths::in_scenario(state, scenario, order)).collect()
    }

    fn in_scenario(state: &TournamentState<'_>, scenario: usize, order: &[usize]) -> SeatWorths {
        let (seats, n) = (state.seats(scenario), order.len());
        let power = u32::try_from(seats.len()).unwrap_or(u32::MAX);
        let all = n.saturating_pow(power);
        let profiles = if all > PROFILES { 0 } else { all };
        // The agents of a profile, the last seat's counted first.
        let held = |profile: usize, seat: usize| profile / n.pow(power - 1 - seat as u32) % n;
        let mut payoffs = vec![vec![0.0; profiles]; seats.len()];
        let (mut missing, mut games) = (0, None::<u64>);
        let every = state.spec().format == FormatName::EveryLineup;
        for profile in 0..profiles {
            let agents = (0..seats.len()).map(|seat| order[held(profile, seat)]).collect();
            match state.tally().seat_scores(&Lineup { scenario, agents }) {
                Some((scores, played)) => {
                    payoffs.iter_mut().zip(scores).for_each(|(own, score)| own[profile] = score);
                    let fewest = games.map_or(played, |games| games.min(played));
                    games = if played > 0 { Some(fewest) } else { games };
                }
                None => missing += 1,
            }
        }
        let words = &state.spec().agents;
        let mut found = SeatWorths {
            scenario: state.spec().scenarios[scenario].clone(),
            seats: seats.to_vec(),
            of: all as u64,
            missing: every.then_some(missing),
            games,
            alpha_rank: Vec::new(),
            lineups: Vec::new(),
        };
        if all > PROFILES || found.missing != Some(0) {
            return found;
        }
        let shares = methods::alpha_rank_of_seats(n, &payoffs);
        let of = |agent: usize, seat: usize| -> f64 {
            let own =
                shares.iter().enumerate().filter(|(profile, _)| held(*profile, seat) == agent);
            own.map(|(_, share)| share).sum()
        };
        found.alpha_rank = (0..n)
            .map(|agent| AgentShares {
                agent: words[order[agent]].clone(),
                shares: (0..seats.len()).map(|seat| of(agent, seat)).collect(),
            })
            .collect();
        let mut ranked: Vec<(usize, f64)> = shares.into_iter().enumerate().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        let agents = |profile: usize| {
            (0..seats.len()).map(|seat| words[order[held(profile, seat)]].clone()).collect()
        };
        let kept = ranked.into_iter().take(KEPT).filter(|(_, share)| *share >= LIGHT);
        found.lineups =
            kept.map(|(profile, share)| LineupShare { agents: agents(profile), share }).collect();
        found
    }

    pub(super) fn blocks(&self) -> Vec<Block> {
        let scenario = &self.scenario;
        let why = match self.missing {
            Some(_) if self.of > PROFILES as u64 => {
                let [most, lineups] = [PROFILES as u64, self.of].map(grouped);
                Some(format!("is of {most} lineups at most, and here are {lineups}"))
            }
            Some(0) => None,
            Some(missing) => Some(format!(
                "needs games of every lineup, and {} have none: more `games` play them",
                many(missing, "lineup")
            )),
            None => Some(format!(
                "needs games of every lineup: `format = \"{}\"` plays them",
                FormatName::EveryLineup.word()
            )),
        };
        if let Some(why) = why {
            return vec![Block::sentence(format!("{scenario}: alpha-rank by seat {why}"))];
        }
        let named = |one: &LineupShare| format!("{} {}", one.agents.join(", "), percent(one.share));
        let most: Vec<String> = self.lineups.iter().take(NAMED).map(named).collect();
        let games = match self.games {
            Some(games) => format!("from {} or more a lineup", many(games, "game")),
            None => "all lineups are known".to_owned(),
        };
        let said = format!(
            "{scenario}: alpha-rank by seat, each with a population of its own, {games}; the lineups of most time: {}",
            enumerated(&most)
        );
        let is_shown = |row: &&AgentShares| row.shares.iter().any(|share| *share >= LIGHT);
        let rows = self.alpha_rank.iter().filter(is_shown).take(PRINTED);
        let cells = |row: &AgentShares| {
            let shares = row.shares.iter().map(|&share| rounded(share));
            std::iter::once(row.agent.clone()).chain(shares).collect::<Vec<_>>()
        };
        let headings = std::iter::once("agent").chain(self.seats.iter().map(String::as_str));
        vec![Block::sentence(said), Block::Table(Table::new(headings, rows.map(cells)))]
    }
}
