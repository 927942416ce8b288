//! The state of a tournament. Results are consumed in schedule order, and after each it is the same,
//! whoever played them, however often it was stopped.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;

use super::sprt::{Sprt, SprtVerdict};
use super::{
    Adjudicated, AskExact, Conditions, FormatName, Game, GameResult, MatchRecord, Next,
    NotableGame, NotableGames, Ratings, Schedule, Spec, Tally,
};
use crate::agents::ProgramFaults;
use crate::error::{AgentFault, Error};
use crate::number::Quantity;
use crate::report::{enumerated, many, ticked, tidy};

/// More agents who forfeited are not listed one by one.
const FORFEITS: usize = 3;

/// A tournament so far.
pub struct TournamentState<'a> {
    spec: &'a Spec,
    /// Agent -> what it says that it is called, where it is a program that does.
    programs: IndexMap<String, String>,
    /// Scenario -> the names of its seats.
    seats: Vec<Vec<String>>,
    schedule: Schedule,
    tally: Tally,
    notable: NotableGames,
    pub(super) sprt: Option<Sprt>,
    /// The points of the first agent in the game that waits for its pair, by scenario.
    half_pairs: Vec<Option<f64>>,
    stopped: Option<StopReason>,
    /// Whether this is a part of the schedule, whose results alone decide nothing.
    part: bool,
    /// The number of games at which the ratings are looked at next.
    look: u64,
    pub(super) narrowed: Vec<Narrowed>,
    /// The strengths at the last look.
    strengths: Vec<f64>,
    /// Agent -> the games so far in which it was late or gone, where it is a program.
    faults: Vec<ProgramFaults>,
    /// The programs that say that they are pure, and were found not to be.
    impure: BTreeSet<usize>,
    /// The ratings after the games so far, once somebody has asked for them.
    ratings: OnceCell<Ratings>,
}

/// Why a tournament stopped before its last game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum StopReason {
    /// Every rating's half-width is below the spec's.
    Within {
        /// The widest.
        widest: f64,
    },
    /// A hypothesis was accepted.
    Sprt {
        /// Which one.
        #[serde(rename = "accepted")]
        verdict: SprtVerdict,
        /// The logarithm of the likelihood ratio.
        ratio: f64,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Narrowed {
    pub games: u64,
    /// The widest 95 % half-width, in Elo points; infinite while some have not met.
    pub widest: f64,
    /// The rating of each agent, in the order of the spec.
    pub ratings: Vec<Quantity>,
}

impl<'a> TournamentState<'a> {
    /// A tournament before its first game.
    pub fn new(spec: &'a Spec, conditions: &Conditions) -> TournamentState<'a> {
        let seats: Vec<usize> = conditions.seats.iter().map(Vec::len).collect();
        TournamentState {
            spec,
            programs: conditions.programs.clone(),
            schedule: Schedule::new(spec, &seats),
            tally: Tally::of(spec),
            seats: conditions.seats.clone(),
            notable: NotableGames::default(),
            sprt: spec.stop.sprt.map(Sprt::new),
            half_pairs: vec![None; seats.len()],
            stopped: None,
            part: false,
            look: 0,
            narrowed: Vec::new(),
            strengths: Vec::new(),
            faults: vec![ProgramFaults::default(); spec.agents.len()],
            impure: BTreeSet::new(),
            ratings: OnceCell::new(),
        }
    }

    /// A part of a tournament: what stops the whole does not stop it.
    pub(crate) fn of_part(spec: &'a Spec, conditions: &Conditions) -> TournamentState<'a> {
        TournamentState { part: true, sprt: None, ..TournamentState::new(spec, conditions) }
    }

    /// The same, for who does not ask how the ratings narrowed: they are looked at on the way only where that may stop
    /// it.
    pub(crate) fn without_looks(self) -> TournamentState<'a> {
        match self.spec.stop.within {
            Some(_) => self,
            None => TournamentState { look: u64::MAX, ..self },
        }
    }

    /// The next game to be handed out; `Next::Over` once the tournament is stopped.
    pub(crate) fn next(&mut self, exact: &mut AskExact<'_>) -> Result<Next, Error> {
        if self.stopped.is_some() {
            return Ok(Next::Over);
        }
        // Exact pairings are counted as they come up.
        self.ratings.take();
        self.schedule.next(&mut self.tally, exact)
    }

    pub(crate) fn pass_over(&mut self) {
        self.schedule.pass_over();
    }

    /// Consumes the result of a game, in the order in which games were handed out. After a verdict
    /// nothing counts any more.
    pub(crate) fn consume(&mut self, game: &Game, result: &GameResult) {
        if self.stopped.is_some() {
            return;
        }
        self.ratings.take();
        if let Some(forfeit) = &result.forfeit
            && let Some(agent) = result.forfeiter(&game.lineup)
            && let Some(faults) = self.faults.get_mut(agent)
        {
            faults.note(game.number, forfeit.fault);
            self.impure.extend((forfeit.fault == AgentFault::Impure).then_some(agent));
        }
        self.tally.add(game, result);
        self.notable.see(game, result);
        self.schedule.consume(game, result);
        self.test(game, result);
        if self.tally.games() >= self.look {
            self.look_at_ratings();
        }
    }

    /// The first seat whose agent is out of the tournament in a game, and why: a program that was late or gone too
    /// often before, in the order of the schedule.
    pub(crate) fn out(&self, game: &Game) -> Option<(usize, &'static str)> {
        let mut agents = game.lineup.agents.iter().enumerate();
        agents.find_map(|(seat, &agent)| Some((seat, self.faults.get(agent)?.out(game.number)?)))
    }

    /// Looks at the ratings at the end, so that what narrowed them is known to the last game.
    pub fn close(&mut self) {
        let games = self.tally.games();
        if games > 0
            && self.look < u64::MAX
            && self.narrowed.last().is_none_or(|last| last.games < games)
        {
            self.note_ratings(games, true);
        }
    }

    fn test(&mut self, game: &Game, result: &GameResult) {
        let Some(sprt) = &mut self.sprt else { return };
        let points = super::tally::points(&game.lineup, &result.standing(&game.lineup));
        // One against itself says nothing of two.
        if points.len() < 2 {
            return;
        }
        let Some((_, first)) = points.into_iter().find(|(agent, _)| *agent == 0) else { return };
        let Some(waiting) = self.half_pairs.get_mut(game.lineup.scenario) else { return };
        match waiting.take() {
            None => *waiting = Some(first),
            Some(before) => {
                sprt.add(before, first);
                if let Some(verdict) = sprt.verdict() {
                    self.stopped = Some(StopReason::Sprt { verdict, ratio: sprt.ratio() });
                }
            }
        }
    }

    /// Fits the ratings and stops where they are narrow enough. The number of games between two
    /// looks grows with the games, and depends on nothing else.
    fn look_at_ratings(&mut self) {
        let games = self.tally.games();
        let agents = self.spec.agents.len() as u64;
        let share = if self.spec.stop.within.is_some() { 50 } else { 10 };
        self.look = games + (games / share).max(agents * agents);
        let widest = self.note_ratings(games, self.spec.stop.within.is_some());
        let within = self.spec.stop.within.filter(|_| !self.part);
        if within.is_some_and(|within| widest < within) {
            self.stopped.get_or_insert(StopReason::Within { widest });
        }
    }

    /// Notes how sure the ratings are after this many games, as precisely as all that is printed or for a plot; the
    /// widest half of their intervals.
    fn note_ratings(&mut self, games: u64, precise: bool) -> f64 {
        let (drawn, mut strengths) = (OnceCell::new(), Vec::new());
        let ratings = match precise {
            true => self.ratings(),
            false => {
                let evidence = self.tally.evidence();
                let found = Ratings::drawn(&evidence, self.spec.agents.len(), &self.strengths);
                strengths = found.strengths().to_vec();
                drawn.get_or_init(|| self.anchored(found))
            }
        };
        let widest = ratings.widest();
        let ratings = (0..self.spec.agents.len()).map(|agent| ratings.rating(agent)).collect();
        self.narrowed.push(Narrowed { games, widest, ratings });
        self.strengths = strengths;
        widest
    }

    /// Whether nothing is known yet, neither from games nor without them.
    pub fn is_empty(&self) -> bool {
        self.tally().games() + self.tally().computed() == 0
    }

    /// The spec.
    pub fn spec(&self) -> &'a Spec {
        self.spec
    }

    pub(super) fn program(&self, agent: usize) -> Option<String> {
        self.programs.get(self.spec.agents.get(agent)?).cloned()
    }

    pub(super) fn seats(&self, scenario: usize) -> &[String] {
        self.seats.get(scenario).map(Vec::as_slice).unwrap_or_default()
    }

    /// The games so far, counted.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The games so far to look at: forfeits, and an example of each result.
    pub fn notable(&self) -> Vec<NotableGame> {
        self.notable.clone().games(self.spec)
    }

    /// The ratings after the games so far.
    pub fn ratings(&self) -> &Ratings {
        self.ratings.get_or_init(|| self.anchored(self.tally.ratings(self.spec.agents.len())))
    }

    /// Ratings about the agent whose rating the spec holds, if it does.
    fn anchored(&self, ratings: Ratings) -> Ratings {
        match self.spec.anchor {
            Some((agent, points)) => ratings.anchored(agent, points),
            None => ratings,
        }
    }

    /// Why it stopped early, if it did.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// How many games there are at most, where that is known.
    pub fn total(&self) -> Option<u64> {
        self.schedule.total()
    }

    /// What is to be said of how it went, one sentence each.
    pub fn notes(&self) -> Vec<String> {
        let agents = &self.spec.agents;
        let mut notes: Vec<String> = self.stopped.iter().map(|why| why.sentence(self)).collect();
        let exact = self.tally.exact_pairs();
        match (&self.sprt, self.stopped) {
            (Some(_), None) if exact > 0 && self.tally.games() == 0 => {
                notes.push("the sequential test has nothing to decide: no game was sampled".into());
            }
            (Some(sprt), None) => {
                let (low, high) = sprt.limits();
                notes.push(format!(
                    "the sequential test has not decided: its log likelihood ratio is {:.2}, the \
                     bounds are {low:.2} and {high:.2}",
                    sprt.ratio()
                ));
            }
            _ => {}
        }
        if let Some(StopReason::Sprt { .. }) = self.stopped {
            notes.push(
                "the games ended when they favoured this: ratings and scores lean towards it, and \
                 their intervals hold the truth in less than 95 % of such tests"
                    .to_owned(),
            );
        }
        match exact {
            0 => {}
            1 => notes.push("1 pairing was computed exactly, without games".into()),
            exact => notes.push(format!("{exact} pairings were computed exactly, without games")),
        }
        notes.extend(self.spec.anchor.map(|(agent, points)| {
            format!(
                "ratings are about that of `{}`, which is held at {}",
                agents[agent],
                tidy(points)
            )
        }));
        notes.extend(self.adjudicated());
        if self.spec.format == FormatName::EveryLineup {
            let own = "the standings are of games against others, not of those of an agent against itself";
            notes.push(own.to_owned());
        }
        notes.extend(self.schedule.notes(agents));
        notes.extend(self.ratings().notes(agents));
        notes.extend(self.impure());
        notes.extend(self.forfeits());
        notes
    }

    /// What each agent's matches came to, the best first, where the format is one of matches; else nothing.
    pub(super) fn matches(&self) -> Vec<(usize, MatchRecord)> {
        self.schedule.matches()
    }

    fn adjudicated(&self) -> Option<String> {
        let by = self.spec.adjudicate.as_ref()?;
        let [long, sure] = [Adjudicated::Questions, Adjudicated::Expectation]
            .map(|why| self.tally.adjudicated(why));
        let long_ones = by.questions.map(|most| format!("{long} after {}", many(most, "question")));
        let sure_ones = by.beyond.map(|bound| format!("{sure} beyond {}", tidy(bound)));
        let counted: Vec<String> = long_ones.into_iter().chain(sure_ones).collect();
        let (all, games) = (long + sure, many(self.tally.games(), "game"));
        Some(format!("adjudicated {all} of {games}: {}", counted.join(", ")))
    }

    /// Who is not as pure as it says: what was computed of it, and its games, may be others next time.
    fn impure(&self) -> Option<String> {
        let names = self.impure.iter().filter_map(|&agent| self.spec.agents.get(agent));
        let names = ticked(names);
        let (who, say) = (enumerated(&names), if names.len() == 1 { "says" } else { "say" });
        (!names.is_empty()).then(|| {
            format!(
                "{who} {say} `pure`, and answered the same question in two ways: these results cannot be repeated"
            )
        })
    }

    /// Who forfeited how many games, a sentence each, or one about all where these are many.
    fn forfeits(&self) -> Vec<String> {
        let agents = self.spec.agents.iter().enumerate();
        let counted = agents.map(|(index, agent)| (agent, self.tally.forfeits(index)));
        let mut counted: Vec<(&String, u64)> = counted.filter(|(_, count)| *count > 0).collect();
        if counted.len() <= FORFEITS {
            let one = |(agent, count): (&String, u64)| {
                format!("`{agent}` forfeited {}", many(count, "game"))
            };
            return counted.into_iter().map(one).collect();
        }
        counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let all: u64 = counted.iter().map(|(_, count)| count).sum();
        let (agent, most) = counted[0];
        let games = many(all, "game");
        vec![format!("{} agents forfeited {games}, most of them `{agent}`: {most}", counted.len())]
    }

    /// Whether the schedule does not depend on the results, so that it can be played in parts.
    pub(crate) fn can_be_split(spec: &Spec) -> bool {
        !matches!(spec.format, FormatName::Swiss | FormatName::Knockout)
    }
}

impl StopReason {
    fn sentence(&self, state: &TournamentState<'_>) -> String {
        let games = many(state.tally.games(), "game");
        match (self, &state.sprt) {
            (StopReason::Sprt { verdict, ratio }, Some(sprt)) => {
                let agents = [0, 1].map(|agent| state.spec.agents[agent].as_str());
                let said = sprt.sentence(*verdict, agents);
                format!(
                    "stopped after {games} by the sequential test: {said} (log likelihood ratio \
                     {ratio:.2})"
                )
            }
            (StopReason::Within { widest }, _) => {
                format!("stopped after {games}: every rating is known within {widest:.1} points")
            }
            (StopReason::Sprt { .. }, None) => format!("stopped after {games}"),
        }
    }
}
