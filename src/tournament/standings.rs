//! The standings: all agents with rating, interval and results, as text and for programs.

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::crosstable::{EXACT, by_scenario, scores, whole};
use super::ratings;
use super::{
    Adjudicated, Cell, Crosstable, Few, MatchRecord, MetaGame, PairRecord, RatingMisfit, Sprt,
    StopReason, TournamentState,
};
use crate::game::brief;
use crate::number::Quantity;
use crate::report::{
    Block, Report, Table, columns, count, cut, cut_within, headed, percent, points, whole_percent,
};

/// The matches of more agents are not listed below the standings.
const MATCHES: usize = 16;
/// The columns of the table, where there are as many columns of text.
const HEADERS: [(usize, &[&str]); 4] = [
    (
        100,
        &[
            "", "agent", "rating", "±", "games", "won", "drawn", "lost", "score", "utility",
            "better",
        ],
    ),
    (80, &["", "agent", "rating", "±", "games", "score", "better"]),
    // The utility with its interval is what takes most room and breaks first.
    (70, &["", "agent", "rating", "±", "games", "score", "better"]),
    (0, &["", "agent", "rating", "±", "score"]),
];

/// An agent that is better than the next one with less probability may as well be behind it.
pub(super) const CLEAR: f64 = 0.95;
const OPEN_ORDER: &str =
    "= open with a neighbour: the upper one is better with a chance below 95 %";
/// Where less is left for the name that a program gives itself, it is left out.
const PROGRAM: usize = 6;
/// As much of an agent's name is printed where there is least width.
const LEAST_NAME: usize = 24;
/// Of more scenarios a terminal does not print what the first seat is worth.
const FITS: usize = 3;

/// The standings of a tournament, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The games that were played.
    pub games: u64,
    /// A row an agent, the best first.
    #[serde(rename = "standings")]
    pub rows: Vec<AgentStanding>,
    /// What each agent's matches came to, in the order of the format, where it is one of matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<AgentMatches>,
    /// What each two agents did against each other.
    #[serde(rename = "pairings")]
    pub table: Crosstable,
    pub(crate) scenarios: Vec<ScenarioFit>,
    /// Why it stopped early, if it did.
    pub stopped: Option<StopReason>,
    pub(crate) sprt: Option<Sprt>,
    pub(crate) misfit: RatingMisfit<String>,
    /// The games of three agents or more, where they are too few.
    #[serde(rename = "few_games")]
    pub few: Option<Few>,
    /// What is to be said of it, one sentence each.
    pub notes: Vec<String>,
    /// What the agents are worth as choices, where it was asked for and all have met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<MetaGame>,
    /// How many games ended before their own end, where the spec has `adjudicate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjudicated: Option<AdjudicatedGames>,
    /// The games that are missing from what was merged, each range by its first and last number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<(u64, u64)>,
}

/// How many games ended before their own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AdjudicatedGames {
    /// As they had as many questions as the spec allows.
    pub questions: u64,
    /// As a seat could expect more, or less, than the bound of the spec.
    pub expectation: u64,
}

/// What an agent's matches came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentMatches {
    /// The word that names it.
    pub agent: String,
    #[serde(flatten)]
    /// Its matches.
    pub record: MatchRecord,
    /// The points of matches: 1 for one won, and for a bye, ½ for one that was level.
    pub match_points: f64,
}

/// One agent's place.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentStanding {
    /// Its index in the spec.
    pub index: usize,
    /// The word that names it.
    pub agent: String,
    /// What it says that it is called, where it is a program that does.
    pub program: Option<String>,
    /// Elo points above or below the mean of those it can be compared with.
    pub rating: Quantity,
    /// The games that it played against others.
    pub games: u64,
    /// What it did against others; a game of three agents counts twice for each, once for each other.
    pub results: PairRecord,
    /// Whether the results say too little to bound the rating well: see [`super::Ratings::leans`].
    pub leans: bool,
    /// Its mean utility a game against others.
    pub utility: Option<Quantity>,
    /// The likelihood that it is better than the next one below.
    pub(crate) superiority: Option<f64>,
    /// The games it forfeited.
    pub forfeits: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ScenarioFit {
    pub scenario: String,
    /// What the first seat is worth above the mean of the others, in Elo points.
    pub advantage: Option<Quantity>,
    /// Of three seats or more what each is worth above the mean of all, in Elo points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<RatedSeat>,
    /// The probability that two equals draw; null where no game of two agents was played.
    pub draws: Option<f64>,
}

/// What a seat is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RatedSeat {
    pub seat: String,
    pub worth: Quantity,
}

impl AgentStanding {
    /// What is to be said of games of three agents or more.
    pub(super) const SEVERAL: &str =
        "won, drawn and lost count opponents: a game of three agents or more has several";

    /// The points a game in whole percents, where a win is 1 and a draw ½; marked where not all of it was sampled.
    fn score_text(&self) -> String {
        let mark = if self.results.known.games() > 0.0 { EXACT } else { "" };
        self.results.percent().map(|score| format!("{score} %{mark}")).unwrap_or_default()
    }

    pub(super) fn cell(&self, column: &str) -> String {
        let Cell { wins, draws, losses } = self.results.played;
        match column {
            "rating" => points(self.rating.value),
            "±" => ratings::margin(&self.rating),
            "games" => count(self.games as f64),
            "won" => count(wins),
            "drawn" => count(draws),
            "lost" => count(losses),
            "score" => self.score_text(),
            "utility" => self.utility.as_ref().map(Quantity::as_margin).unwrap_or_default(),
            "better" => self.superiority.map(whole_percent).unwrap_or_default(),
            _ => self.agent.clone(),
        }
    }

    /// The agent's name within a width, with what its program calls itself where there is room for that.
    fn called(&self, width: usize) -> String {
        let room = width.saturating_sub(columns(&self.agent) + " ()".len());
        match &self.program {
            Some(program) if room >= columns(program).min(PROGRAM) => {
                format!("{} ({})", self.agent, cut(program, room))
            }
            _ => cut_within(&self.agent, width),
        }
    }
}

impl Standings {
    /// The standings after the games so far.
    pub fn of(state: &TournamentState<'_>) -> Standings {
        let ratings = state.ratings();
        let order = ratings.order();
        let mut results = vec![PairRecord::default(); order.len()];
        for (meeting, record) in state.tally().records() {
            results[meeting.a] = results[meeting.a].plus(record);
            results[meeting.b] = results[meeting.b].plus(record.turned());
        }
        let rows = order.iter().enumerate().map(|(place, &index)| AgentStanding {
            index,
            agent: state.spec().agents[index].clone(),
            program: state.program(index),
            rating: ratings.rating(index),
            games: state.tally().games_of(index),
            results: results[index],
            leans: ratings.leans(index),
            utility: state.tally().utility(index),
            superiority: order.get(place + 1).map(|&next| ratings.superiority(index, next)),
            forfeits: state.tally().forfeits(index),
        });
        let evidence = state.tally().evidence();
        let full = |index: usize| evidence.is_full(index, state.seats(index).len());
        let fits = state.spec().scenarios.iter().enumerate().map(|(index, scenario)| ScenarioFit {
            scenario: scenario.clone(),
            advantage: ratings.advantage(index).filter(|_| full(index)),
            seats: (state.seats(index).iter().zip(ratings.seats(index)))
                .filter(|_| full(index))
                .map(|(seat, worth)| RatedSeat { seat: seat.clone(), worth })
                .collect(),
            draws: ratings.draws(index),
        });
        let matches = state.matches().into_iter().map(|(index, record)| AgentMatches {
            agent: state.spec().agents[index].clone(),
            record,
            match_points: record.points(),
        });
        Standings {
            games: state.tally().games(),
            rows: rows.collect(),
            matches: matches.collect(),
            table: Crosstable::of(state, &order),
            scenarios: fits.collect(),
            stopped: state.stopped(),
            sprt: state.sprt.clone(),
            misfit: ratings.misfit.named(&state.spec().agents),
            few: ratings.few,
            notes: state.notes(),
            meta: None,
            adjudicated: state.spec().adjudicate.as_ref().map(|_| AdjudicatedGames {
                questions: state.tally().adjudicated(Adjudicated::Questions),
                expectation: state.tally().adjudicated(Adjudicated::Expectation),
            }),
            missing: Vec::new(),
        }
    }

    /// The same with the meta-game, or with a note that says why there is none.
    #[must_use]
    pub fn with_meta(mut self, state: &TournamentState<'_>) -> Standings {
        self.meta = MetaGame::of(&self.table, state);
        if self.meta.is_none() {
            self.notes.push(MetaGame::UNMET.to_owned());
        }
        self
    }

    /// All that is known, for people, the title, the standings, the scores by scenario, who met whom; and for programs.
    pub fn report(&self, state: &TournamentState<'_>) -> Report<'_> {
        if state.is_empty() {
            return Report::of(self, vec![Block::sentence("no game is over yet")]);
        }
        let order: Vec<usize> = self.rows.iter().map(|row| row.index).collect();
        let title = state.spec().title.iter().map(|title| Block::Title(brief(title)));
        let mut blocks: Vec<Block> = title.collect();
        blocks.push(self.block());
        // Of more agents it is on the page and in JSON: standings fit on a screen.
        let matches = self.match_table().filter(|_| self.matches.len() <= MATCHES);
        blocks.extend(matches.map(Block::Table));
        // One league over all scenarios hides in which of them an agent is good.
        blocks.extend(scores(&by_scenario(state, &order)));
        blocks.push(self.table.block());
        blocks.extend(self.meta.iter().flat_map(|meta| headed("Meta-game", meta.blocks())));
        Report::of(self, blocks)
    }

    /// A table for people, and what is to be said below it. It has fewer columns where there is little width.
    pub fn block(&self) -> Block {
        let (_, all) = HEADERS[0];
        let whole = std::iter::once(self.form(usize::MAX, all));
        let forms = HEADERS.iter().map(|(width, header)| self.form(*width, header));
        Block::Forms(whole.chain(forms).collect())
    }

    /// The matches of each agent in the order of the format, where it is one of matches.
    pub(super) fn match_table(&self) -> Option<Table> {
        let row = |AgentMatches { agent, record, match_points }: &AgentMatches| {
            let MatchRecord { wins, draws, losses, byes, .. } = record;
            let mut row = vec![cut_within(agent, LEAST_NAME)];
            row.extend([wins, draws, losses, byes].map(u64::to_string));
            row.extend([count(*match_points), record.game_points()]);
            row
        };
        let header = ["matches", "won", "drawn", "lost", "byes", "points", "points of games"];
        let table = Table::new(header, self.matches.iter().map(row));
        (!self.matches.is_empty()).then_some(table)
    }

    /// The table with these columns, and what is said below it, with the width in which each row is a line: at least
    /// this one, and as much as whole names take where this has no bound.
    fn form(&self, least: usize, header: &[&'static str]) -> (usize, Vec<Block>) {
        let table = |name: &dyn Fn(&AgentStanding) -> String| {
            let row = |(place, row): (usize, &AgentStanding)| {
                let cell = |column: &&str| match *column {
                    "" => self.rank(place),
                    "agent" => name(row),
                    column => row.cell(column),
                };
                header.iter().map(cell).collect()
            };
            Table::new(header.iter().copied(), self.rows.iter().enumerate().map(row))
        };
        let others = table(&|_| String::new()).width() - "agent".len();
        let names = self.rows.iter().map(|row| columns(&row.called(usize::MAX)));
        let longest = names.max().unwrap_or_default().max("agent".len());
        let width = match least {
            0 => 0,
            usize::MAX => HEADERS[0].0.max(others + longest),
            least => least.max(others + longest.min(LEAST_NAME)),
        };
        let room = width.saturating_sub(others).max(LEAST_NAME);
        let table = Block::Table(table(&|row| row.called(room)));
        let mut said = self.fitted();
        if (0..self.rows.len()).any(|place| self.is_open(place)) {
            said.push(OPEN_ORDER.to_owned());
        }
        let several = |row: &AgentStanding| row.results.played.games() > row.games as f64;
        if header.contains(&"won") && self.rows.iter().any(several) {
            said.push(AgentStanding::SEVERAL.to_owned());
        }
        said.extend(self.notes.iter().cloned());
        (width, vec![table, Block::Sentence(said.join("\n"))])
    }

    /// What was fitted for the scenarios, a sentence each; of many the page has them.
    fn fitted(&self) -> Vec<String> {
        let said = self.scenarios.iter().filter_map(ScenarioFit::sentence);
        if self.scenarios.len() <= FITS { said.collect() } else { Vec::new() }
    }

    /// Whether it is open who is better of an agent and the one at the next place.
    fn is_open_below(&self, place: usize) -> bool {
        self.rows.get(place).and_then(|row| row.superiority).is_some_and(|share| share < CLEAR)
    }

    /// Whether it is open who is better of an agent and a neighbour.
    fn is_open(&self, place: usize) -> bool {
        self.is_open_below(place)
            || place.checked_sub(1).is_some_and(|above| self.is_open_below(above))
    }

    /// The rank of the agent at a place, marked where its order with a neighbour is open.
    pub(super) fn rank(&self, place: usize) -> String {
        format!("{}{}", place + 1, if self.is_open(place) { "=" } else { "" })
    }

    /// The score of the agent at a place against the one at another that the ratings expect, from 0 to 1; in one scenario,
    /// or in all together.
    pub(super) fn expected(
        &self,
        scenario: Option<usize>,
        (place, against): (usize, usize),
    ) -> Option<f64> {
        let [one, other] = [self.rows.get(place)?.index, self.rows.get(against)?.index];
        let expected = &self.misfit.expected;
        let turned = || expected.get(&(scenario, other, one)).map(|share| 1.0 - share);
        expected.get(&(scenario, one, other)).copied().or_else(turned)
    }

    /// Agents that follow each other whose order is open, by their places.
    pub(super) fn tied(&self) -> Vec<Vec<usize>> {
        let places: Vec<usize> = (0..self.rows.len()).collect();
        let groups = places.chunk_by(|above, _| self.is_open_below(*above));
        groups.filter(|group| group.len() > 1).map(<[usize]>::to_vec).collect()
    }
}

impl ScenarioFit {
    pub(crate) fn sentence(&self) -> Option<String> {
        self.worth().map(|worth| format!("{}: {worth}", self.scenario))
    }

    pub(crate) fn worth(&self) -> Option<String> {
        let first = ratings::text(self.advantage.as_ref()?);
        let points = if matches!(first.as_str(), "1" | "-1") { "point" } else { "points" };
        let draws = self.draws.map(|draws| format!("; equals draw {}", percent(draws)));
        let seat = |of: &RatedSeat| format!("{} {}", of.seat, ratings::text(&of.worth));
        let seats: Vec<String> = self.seats.iter().map(seat).collect();
        let worth = match seats.is_empty() {
            true => format!("the first seat is worth {first} {points}"),
            false => {
                format!("the seats are worth, in points above their mean, {}", seats.join(", "))
            }
        };
        Some(format!("{worth}{}", draws.unwrap_or_default()))
    }
}

impl Serialize for AgentStanding {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let AgentStanding { rating, results, .. } = self;
        let Cell { wins, draws, losses } = results.played;
        let mut json = json!({
            "agent": self.agent, "program": self.program, "rating": rating.value, "low": rating.low,
            "high": rating.high, "games": self.games, "wins": whole(wins), "draws": whole(draws),
            "losses": whole(losses), "score": results.score(), "exact": results.is_exact(),
            "bounded": !self.leans, "utility": self.utility, "superiority": self.superiority,
            "forfeits": self.forfeits,
        });
        if let (None, Json::Object(keys)) = (&self.program, &mut json) {
            keys.shift_remove("program");
        }
        json.serialize(to)
    }
}
