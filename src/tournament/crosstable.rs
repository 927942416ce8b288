//! Crosstables: the points of each agent against each other agent, and its score in each scenario.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::{BySeat, Meeting, PairRecord, TournamentState};
use crate::report::{Block, Table, columns, count, cut_within, percent};

/// What marks points that were computed.
pub(super) const EXACT: &str = "*";
/// On a terminal more tables than these are not printed, and none of more agents.
const TABLES: usize = 3;
const TABLE_AGENTS: usize = 20;
/// The space around the cells of three columns.
const EDGES: usize = 9;
/// The pairs that are printed where tables do not fit; and beside long standings.
const CLOSEST: usize = 10;
const CLOSEST_OF_MANY: (usize, usize) = (30, 3);

/// All pairings, in the order of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Crosstable {
    /// The agents' words, the best first.
    #[serde(skip)]
    pub agents: Vec<String>,
    /// Each scenario in which any have met: row -> column -> what the row's agent did against the
    /// column's; nothing where they have not met there.
    #[serde(skip)]
    pub cells: Vec<(String, Vec<Vec<Option<PairRecord>>>)>,
    /// Row -> column -> what the row's agent did against the column's in each scenario, apart by who held the first
    /// seat.
    #[serde(skip)]
    pub(super) strata: Vec<Vec<Vec<PairRecord>>>,
    /// Each pairing in each scenario, in the order of the spec.
    pub pairings: Vec<PairingResult>,
}

/// What two agents did in a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingResult {
    /// The agent that comes first in the spec.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The scenario.
    pub scenario: String,
    /// The results of `a`.
    pub results: PairRecord,
}

impl Crosstable {
    /// The table after the games so far, for agents by index, the best first.
    pub(crate) fn of(state: &TournamentState<'_>, order: &[usize]) -> Crosstable {
        let spec = state.spec();
        let mut places = vec![0; spec.agents.len()];
        order.iter().enumerate().for_each(|(place, &agent)| places[agent] = place);
        let mut pairs: BTreeMap<(usize, usize, usize), PairRecord> = BTreeMap::new();
        let mut strata = vec![vec![Vec::new(); order.len()]; order.len()];
        for (Meeting { scenario, a, b, .. }, record) in state.tally().records() {
            let sum = pairs.entry((a, b, scenario)).or_default();
            *sum = sum.plus(record);
            strata[places[a]][places[b]].push(record);
            strata[places[b]][places[a]].push(record.turned());
        }
        let mut cells: BTreeMap<usize, Vec<Vec<Option<PairRecord>>>> = BTreeMap::new();
        for (&(a, b, scenario), &record) in &pairs {
            let (a, b) = (places[a], places[b]);
            let empty = || vec![vec![None; order.len()]; order.len()];
            let cells = cells.entry(scenario).or_insert_with(empty);
            (cells[a][b], cells[b][a]) = (Some(record), Some(record.turned()));
        }
        let cells = cells.into_iter().map(|(at, cells)| (spec.scenarios[at].clone(), cells));
        let pairings = pairs.iter().map(|(&(a, b, scenario), &results)| PairingResult {
            a: spec.agents[a].clone(),
            b: spec.agents[b].clone(),
            scenario: spec.scenarios[scenario].clone(),
            results,
        });
        Crosstable {
            agents: order.iter().map(|&agent| spec.agents[agent].clone()).collect(),
            cells: cells.collect(),
            strata,
            pairings: pairings.collect(),
        }
    }

    /// For people where they fit, tables, one a scenario: points of games, and marked scores where none were played;
    /// else the pairs that are closest.
    pub fn block(&self) -> Block {
        let whole = self.closest(usize::MAX);
        let wide = whole.width();
        let closest = |table| vec![Block::Table(table)];
        let mut forms = vec![
            (wide, closest(whole.clone())),
            (80, closest(self.closest(80))),
            (0, closest(whole)),
        ];
        let few = self.agents.len() <= TABLE_AGENTS && (1..=TABLES).contains(&self.cells.len());
        if few {
            let tables = self.tables();
            let width = tables.iter().map(Table::width).max().unwrap_or_default();
            let exact = self.pairings.iter().any(|pairing| pairing.results.known.games() > 0.0);
            let note = exact.then(|| format!("{EXACT} computed exactly, not sampled"));
            let mut blocks: Vec<Block> = Vec::new();
            for (table, (scenario, _)) in tables.into_iter().zip(&self.cells) {
                let several = self.cells.len() > 1;
                let title = if several { format!("{scenario}:") } else { String::new() };
                blocks.push(Block::Group(vec![Block::Title(title), Block::Table(table)]));
            }
            blocks.push(Block::Sentence(note.unwrap_or_default()));
            forms.insert(0, (width, blocks));
        }
        Block::Forms(forms)
    }

    fn tables(&self) -> Vec<Table> {
        let header: Vec<String> =
            ["", "agent"].map(str::to_owned).into_iter().chain(places(self.agents.len())).collect();
        let row = |(place, (agent, cells)): (usize, (&String, &Vec<Option<PairRecord>>))| {
            let mut row = vec![(place + 1).to_string(), agent.clone()];
            row.extend(cells.iter().map(|cell| cell.map(points).unwrap_or_default()));
            row
        };
        let table = |(_, cells): &(String, Vec<Vec<Option<PairRecord>>>)| {
            Table::new(header.clone(), self.agents.iter().zip(cells).enumerate().map(row))
        };
        self.cells.iter().map(table).collect()
    }

    /// What each two agents did against each other in all scenarios, by their places in the standings.
    pub(super) fn overall(&self) -> Vec<Vec<Option<PairRecord>>> {
        let sum = |of: &Vec<PairRecord>| of.iter().copied().reduce(PairRecord::plus);
        self.strata.iter().map(|row| row.iter().map(sum).collect()).collect()
    }

    /// The pairs of agents whose scores are nearest to a half, over all scenarios, each on a line of this width.
    fn closest(&self, width: usize) -> Table {
        let mut pairs: Vec<(f64, usize, usize, PairRecord)> = Vec::new();
        for (a, row) in self.overall().into_iter().enumerate() {
            for (b, record) in row.into_iter().enumerate().skip(a + 1) {
                let Some(record) = record else { continue };
                let Some(score) = record.score() else { continue };
                pairs.push(((score - 0.5).abs(), a, b, record));
            }
        }
        let all = pairs.len();
        // The better placed first where two are as close.
        pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (many, few) = CLOSEST_OF_MANY;
        let most = if self.agents.len() > many { few } else { CLOSEST };
        pairs.truncate(most);
        let scores: Vec<String> = pairs.iter().map(|(.., record)| points(*record)).collect();
        let widest = scores.iter().map(|score| columns(score)).max().unwrap_or_default();
        let room = width.saturating_sub(widest.max("points".len()) + EDGES);
        let name = |at: usize| cut_within(&self.agents[at], room / 2);
        let row = |((_, a, b, _), score): (&(f64, usize, usize, PairRecord), &String)| {
            vec![name(*a), name(*b), score.clone()]
        };
        let agent = match all {
            all if all <= most => "agent".to_owned(),
            _ => format!("closest of {all} pairs"),
        };
        let header = [agent, "against".to_owned(), "points".to_owned()];
        Table::new(header, pairs.iter().zip(&scores).map(row))
    }
}

impl Serialize for PairingResult {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let PairingResult { a, b, scenario, results } = self;
        let games = whole(results.played.games());
        let (score, exact) = (results.score(), results.is_exact());
        let json = json!({"a": a, "b": b, "scenario": scenario, "games": games, "score_a": score, "exact": exact});
        json.serialize(to)
    }
}

/// The places of this many agents, which head the columns of tables and pictures.
pub(super) fn places(agents: usize) -> impl Iterator<Item = String> {
    (1..=agents).map(|place| place.to_string())
}

/// Points of games, `12.5/20`; a score that is known, `62.5 %*`; both where there are both.
pub(super) fn points(record: PairRecord) -> String {
    let PairRecord { played, known } = record;
    let sampled = format!("{}/{}", count(played.points()), count(played.games()));
    let computed = || percent(known.points() / known.games()) + EXACT;
    match (played.games() > 0.0, known.games() > 0.0) {
        (true, true) => format!("{sampled}, {}", computed()),
        (false, true) => computed(),
        _ => sampled,
    }
}

/// Each scenario with what each agent did in it, for agents by index, the best first.
pub(super) fn by_scenario(
    state: &TournamentState<'_>,
    order: &[usize],
) -> Vec<(String, Vec<PairRecord>)> {
    let by_seat = state.tally().by_seat();
    let row = |(index, scenario): (usize, &String)| {
        let agents = by_seat.get(&index);
        let cell = |agent| {
            let own = agents.and_then(|agents| agents.get(agent));
            let BySeat { first, other, .. } = own.copied().unwrap_or_default();
            first.plus(other)
        };
        (scenario.clone(), order.iter().map(cell).collect())
    };
    state.spec().scenarios.iter().enumerate().map(row).collect()
}

/// A table of that for people, whose columns are the places in the standings; nothing where there is
/// only one scenario, or the table is too wide.
pub(super) fn scores(rows: &[(String, Vec<PairRecord>)]) -> Option<Block> {
    let agents = rows.first().filter(|_| rows.len() > 1)?.1.len();
    let header = std::iter::once("score in %".to_owned()).chain(places(agents));
    let score =
        |cell: &PairRecord| cell.percent().map(|percent| percent.to_string()).unwrap_or_default();
    let row = |(scenario, cells): &(String, Vec<PairRecord>)| {
        std::iter::once(scenario.clone()).chain(cells.iter().map(score)).collect()
    };
    let table = Table::new(header, rows.iter().map(row));
    Some(Block::Forms(vec![(table.width(), vec![Block::Table(table)]), (0, Vec::new())]))
}

/// A count of games for programs: whole, as far as it is.
pub(super) fn whole(count: f64) -> Json {
    if count < 9e15 { json!(count as u64) } else { json!(count) }
}
