//! The page of a tournament: its blocks, printed as a page that needs no other file.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::crosstable::{self, EXACT, by_scenario};
use super::meta::largest;
use super::ratings::text;
use super::spec::FormatName;
use super::{
    AgentStanding, BySeat, Cell, Crosstable, Identity, MetaGame, Narrowed, NotableGame, PairRecord,
    PairingResult, Sprt, Standings, TournamentState,
};
use crate::game::brief;
use crate::number::Quantity;
use crate::report::{
    Axis, Bar, BarMark, Block, Figure, Grid, Origin, Page, Plot, Point, Series, Table, count,
    csv_line, cut, enumerated, grouped, headed, many, margin, percent, points, unsure_percent,
};

/// All contents of a report.
pub struct LeaguePage<'a> {
    /// The tournament.
    pub state: &'a TournamentState<'a>,
    /// What its results are of.
    pub identity: &'a Identity,
    /// The games to look at, with where their histories are.
    pub notable: &'a [NotableGame],
    /// Why the report is incomplete, if it is: a sentence that is shown above everything else.
    pub unfinished: Option<&'a str>,
    /// The commands that repeat the tournament, in order.
    pub commands: &'a [String],
}

/// Results that are listed of a scenario; more than these are no words.
const RESULTS: usize = 40;
/// Agents whose ratings are drawn over time: each has a colour of its own.
const DRAWN: usize = 7;
/// The intervals of this many agents are drawn, too.
const APART: usize = 3;
/// The looks at the ratings that are shown.
const LOOKS: usize = 12;
/// A longer name is cut in a plot.
const NAME: usize = 32;
/// Scenarios beyond this many are folded.
const OPEN: usize = 2;
/// Of more agents than these a scenario shows those whose seats differ most.
const FEW: usize = 12;
/// More scenarios are folded together.
const MANY: usize = 8;
/// More agents whose order is open are named by their places.
const NAMED: usize = 4;
/// As many cells fit on a page; with more, one picture shows all scenarios together.
const CELLS: usize = 2_000;
/// More pairings are only in the data.
const PAIRINGS: usize = 1_000;
/// A longer title of a scenario is cut.
const TITLE: usize = 60;
/// This many games to look at are not folded.
const GAMES: usize = 4;

impl LeaguePage<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let spec = self.state.spec();
        let standings = Standings::of(self.state);
        let sections: [(&str, Vec<Block>); 6] = [
            ("Standings", self.ranks(&standings)),
            ("Each against each", self.against(&standings)),
            ("The agents as choices (meta-game)", self.meta(&standings)),
            ("Scenarios and seats", self.scenarios(&standings)),
            ("How the ratings narrowed", self.narrowed(&standings)),
            ("Games to look at", self.games()),
        ];
        let told = sections.into_iter().filter(|(_, blocks)| !blocks.is_empty());
        let blocks = told.flat_map(|(title, mut blocks)| {
            blocks.insert(0, Block::title(title));
            blocks
        });
        Page {
            title: &brief(&spec.title.as_deref().unwrap_or("Tournament")),
            lead: &self.lead(),
            warning: self.unfinished.map(|why| format!("Unfinished: {why}.")),
            sorts: true,
            blocks: &[&blocks.collect::<Vec<_>>(), &self.repeat()],
        }
        .html()
    }

    fn lead(&self) -> String {
        let spec = self.state.spec();
        let format = match spec.format {
            FormatName::EveryLineup => "with every lineup".to_owned(),
            format => format!("as a {}", format.word().replace('_', " ")),
        };
        format!(
            "{} by {} agents in {}, {format}, with seed {}.",
            games(self.state.tally().games()),
            spec.agents.len(),
            many(spec.scenarios.len() as u64, "scenario"),
            spec.seed
        )
    }

    /// The title of a scenario, if it has one, else the word that names it.
    fn title(&self, index: usize) -> String {
        let titles = self.identity.conditions.titles.get(index).filter(|title| !title.is_empty());
        let title = titles.or(self.state.spec().scenarios.get(index));
        cut(title.map_or("", String::as_str), TITLE)
    }

    fn scenarios(&self, standings: &Standings) -> Vec<Block> {
        let names = &self.state.spec().scenarios;
        let mut blocks = Vec::new();
        if names.len() > 1 {
            let order: Vec<usize> = standings.rows.iter().map(|row| row.index).collect();
            let all = by_scenario(self.state, &order).into_iter().enumerate();
            let words = |record: PairRecord| crosstable::points(record);
            let rows = all.map(|(index, (_, agents))| {
                (
                    self.title(index),
                    agents.iter().map(|record| Some((*record, words(*record)))).collect(),
                )
            });
            let title = "The score of each agent, by its place in the standings, in each scenario, in percent of \
                         the points";
            blocks.push(heat(title.to_owned(), standings, rows.collect()));
        }
        let mut each = Vec::new();
        let by_seat = self.state.tally().by_seat();
        for (index, name) in names.iter().enumerate() {
            let scenario = self.scenario(index, standings, &by_seat);
            let title = self.title(index);
            let both = if title == *name { title } else { format!("{title} (`{name}`)") };
            each.push(match names.len() > OPEN {
                true => Block::Collapsed(both, scenario),
                false => Block::Group(headed(&both, scenario)),
            });
        }
        match names.len() > MANY {
            true => {
                blocks.push(Block::Collapsed(format!("Each of {} scenarios", names.len()), each))
            }
            false => blocks.extend(each),
        }
        blocks
    }

    fn scenario(
        &self,
        index: usize,
        standings: &Standings,
        by_seat: &BTreeMap<usize, BTreeMap<usize, BySeat>>,
    ) -> Vec<Block> {
        let tally = self.state.tally();
        let names = self.state.seats(index);
        let others = if names.len() == 2 { "second seat" } else { "other seats" };
        let seats_of = |(place, row): (usize, &AgentStanding)| {
            let BySeat { first, other, games } = by_seat.get(&index)?.get(&row.index)?;
            Some((ranked(standings, place), [(first, games[0]), (other, games[1])]))
        };
        let rows: Vec<_> = standings.rows.iter().enumerate().filter_map(seats_of).collect();
        if rows.is_empty() {
            return vec![Block::sentence("Nobody has met here yet.")];
        }
        let score = |(record, played): (&PairRecord, u64)| match record.score() {
            Some(score) if played == 0 => format!("{} computed", percent(score)),
            Some(score) => format!("{} of {}", percent(score), grouped(played)),
            None => "no games".to_owned(),
        };
        let by_seat = match rows.len() > FEW {
            true => {
                let apart = |both: &[(&PairRecord, u64); 2]| {
                    let [first, other] = both.map(|(record, _)| record.score().unwrap_or(0.5));
                    (first - other).abs()
                };
                let most = largest(rows.iter().map(|(_, both)| apart(both)), FEW);
                let row = |at: usize| {
                    let (agent, both) = &rows[at];
                    std::iter::once(agent.clone()).chain(both.map(score)).collect()
                };
                let table = Table::new(["agent", "first seat", others], most.into_iter().map(row));
                Block::Table(table.captioned("The score of the agents whose seats differ most"))
            }
            false => {
                let bars = rows.into_iter().flat_map(|(agent, both)| {
                    let named = ["first seat", others].into_iter().zip(both);
                    named.map(move |(seat, (record, played))| Bar {
                        group: agent.clone(),
                        name: seat.to_owned(),
                        value: score((record, played)),
                        mark: record.score().map_or(BarMark::None, BarMark::Share),
                    })
                });
                Block::Bars(bars.collect())
            }
        };
        let worth = standings.scenarios.get(index).and_then(|fit| fit.worth());
        let seat = |(place, seat): (usize, &String)| {
            let utility = tally.seat_utility(index, place);
            vec![seat.clone(), utility.as_ref().map(Quantity::as_margin).unwrap_or_default()]
        };
        let seats = Table::new(["seat", "utility"], names.iter().enumerate().map(seat));
        vec![
            Block::Sentence(worth.map(|worth| format!("Here {worth}.")).unwrap_or_default()),
            by_seat,
            Block::Table(seats.captioned("The mean utility of each seat, whoever held it")),
            Block::Table(self.results(index)),
        ]
    }

    fn results(&self, index: usize) -> Table {
        let results = self.state.tally().results(index);
        let row = |(result, games, share): &(&str, u64, f64)| {
            vec![brief(result), grouped(*games), percent(*share)]
        };
        let mut rows: Vec<Vec<String>> = results.iter().take(RESULTS).map(row).collect();
        if results.len() > RESULTS {
            let rest = || results.iter().skip(RESULTS);
            let games: u64 = rest().map(|(_, games, _)| games).sum();
            let share: f64 = rest().map(|(.., share)| share).sum();
            let others = format!("{} others", results.len() - RESULTS);
            rows.push(vec![others, grouped(games), percent(share)]);
        }
        Table::new(["result", "games", "share"], rows).captioned("How the games ended")
    }

    /// What the agents are worth as choices; of two there is nothing to choose.
    fn meta(&self, standings: &Standings) -> Vec<Block> {
        if standings.rows.len() < 3 {
            return Vec::new();
        }
        match MetaGame::of(&standings.table, self.state) {
            Some(meta) => {
                let mut blocks = meta.blocks();
                let agents = standings.rows.len();
                if agents > FEW {
                    // What it says in sentences is enough at first.
                    let all = blocks.split_off(1);
                    blocks.push(Block::Collapsed(format!("Each of {agents} agents"), all));
                }
                blocks
            }
            None => vec![Block::sentence(format!("T{}.", &MetaGame::UNMET[1..]))],
        }
    }

    fn narrowed(&self, standings: &Standings) -> Vec<Block> {
        let known = |look: &&Narrowed| look.games > 0 && look.widest.is_finite();
        let looks: Vec<&Narrowed> = self.state.narrowed.iter().filter(known).collect();
        if looks.len() < 2 {
            return vec![Block::sentence("Too few games were sampled to show it.")];
        }
        // Early intervals are so wide that nothing else would be seen.
        let late = thinned(&looks[(looks.len() / 3).min(looks.len() - 2)..], LOOKS);
        let best = &standings.rows[..standings.rows.len().min(DRAWN)];
        let series = best.iter().enumerate().map(|(place, row)| {
            let point = |look: &&Narrowed| {
                let rated = look.ratings.get(row.index)?;
                let range = (best.len() <= APART).then_some((rated.low, rated.high));
                Some(Point { x: look.games as f64, y: rated.value, range, proven: false })
            };
            let points = late.iter().filter_map(point).collect();
            Series { name: cut(&format!("{} {}", place + 1, row.agent), NAME), points }
        });
        let plot = Plot {
            title: "The ratings of the best agents by the number of games".to_owned(),
            x: "games".to_owned(),
            y: "Elo points".to_owned(),
            series: series.collect(),
            ..Plot::default()
        };
        let mut header = vec!["games".to_owned(), "widest ±".to_owned()];
        header.extend(standings.rows.iter().map(|row| row.agent.clone()));
        let rows = thinned(&looks, LOOKS).into_iter().map(|look| {
            let mut cells = vec![grouped(look.games), margin(look.widest)];
            cells.extend(standings.rows.iter().map(|row| match look.ratings.get(row.index) {
                Some(rated) => format!("{} ± {}", points(rated.value), margin(rated.half_width())),
                None => String::new(),
            }));
            cells
        });
        let caption = "The ratings by the number of games, and the widest of their intervals";
        let table = Table::new(header, rows).captioned(caption);
        let within = self.state.spec().stop.within.map(|within| {
            format!("The tournament was to stop once every interval is within {within} points.")
        });
        vec![
            Block::Sentence(within.unwrap_or_default()),
            Block::Figure(Figure::Plot(plot)),
            Block::Collapsed("The ratings of all agents".to_owned(), vec![Block::Table(table)]),
        ]
    }

    fn games(&self) -> Vec<Block> {
        if self.notable.is_empty() {
            return vec![Block::sentence("There are none yet.")];
        }
        let spec = self.state.spec();
        let game = |notable: &NotableGame| {
            let (number, lineup) = (notable.game.number, &notable.game.lineup);
            let names = self.state.seats(lineup.scenario);
            let sits = |(seat, &agent): (usize, &usize)| {
                let name = names.get(seat).map(String::as_str).unwrap_or_default();
                format!("{name}: {}", spec.agent(agent))
            };
            let agents: Vec<String> = lineup.agents.iter().enumerate().map(sits).collect();
            let (scenario, sentence) = (spec.scenario(lineup), notable.sentence());
            let link = notable.history.as_ref().map(|history| Block::Link {
                words: format!("Saved history of game {number}, for fracas replay"),
                path: history.clone(),
            });
            let said = format!("Game {number}, {scenario}: {sentence}.\n{}.", agents.join(", "));
            let command = notable.command.iter().cloned().map(Block::Code);
            let blocks = std::iter::once(Block::Sentence(said)).chain(link).chain(command);
            Block::Group(blocks.collect())
        };
        let mut all: Vec<Block> = self.notable.iter().map(game).collect();
        let rest = all.split_off(all.len().min(GAMES));
        if !rest.is_empty() {
            all.push(Block::Collapsed(many(rest.len() as u64, "more game"), rest));
        }
        all
    }

    fn repeat(&self) -> Vec<Block> {
        let conditions = &self.identity.conditions;
        let mut digests = vec![("the spec".to_owned(), self.identity.digest.clone())];
        let scripts = conditions.scripts.iter();
        digests.extend(scripts.map(|(name, digest)| (name.clone(), digest.clone())));
        let seed = Some(self.state.spec().seed);
        let commands = self.commands.join("\n");
        let origin = Origin { commands, seed, digests, ..Origin::default() };
        let mut blocks = origin.blocks();
        blocks.extend([
            Block::Sentence(format!(
                "This is the spec as fracas {} read it. Saved where its scripts are found, it plays the same \
                 games again, on any machine and any number of threads.",
                conditions.version
            )),
            Block::Code(self.identity.spec.clone()),
            Block::sentence(
                "All that falls comes from the seed and the number of the game: no game depends on another, and \
                 `--games games.json` lists all of them.",
            ),
        ]);
        blocks
    }
}

/// An agent behind its rank.
fn ranked(standings: &Standings, place: usize) -> String {
    let agent = standings.rows.get(place).map_or("", |row| row.agent.as_str());
    format!("{} {agent}", standings.rank(place))
}

pub(super) fn games(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "game" } else { "games" })
}

/// Who leads, how sure that is, and whose order is open.
fn headline(standings: &Standings) -> String {
    let rows = &standings.rows;
    let known = |row: &AgentStanding| row.rating.half_width().is_finite();
    let Some(first) = rows.first().filter(|row| known(row)) else {
        return "No rating is known yet.".to_owned();
    };
    let sure = match (first.superiority, rows.get(1)) {
        (Some(share), Some(next)) => {
            format!(
                "; it is better than {} with a probability of {}",
                next.agent,
                unsure_percent(share)
            )
        }
        _ => String::new(),
    };
    let leads = format!("{} leads with {} points{sure}.", first.agent, text(&first.rating));
    let tied = standings.tied().into_iter().map(|places| match &places[..] {
        [first, .., last] if places.len() > NAMED => {
            format!("the places {} to {}", first + 1, last + 1)
        }
        _ => {
            let named = |place: &usize| format!("{} {}", place + 1, rows[*place].agent);
            enumerated(&places.iter().map(named).collect::<Vec<_>>())
        }
    });
    let tied: Vec<String> = tied.collect();
    match tied.is_empty() {
        true => leads,
        false => format!("{leads} The order is open yet of {}.", tied.join("; ")),
    }
}

impl LeaguePage<'_> {
    /// The ratings with their intervals, and all that is known of each agent.
    fn ranks(&self, standings: &Standings) -> Vec<Block> {
        let rows = || standings.rows.iter().enumerate();
        let known = |(_, row): &(usize, &AgentStanding)| row.rating.half_width().is_finite();
        let ends = rows().filter(known).flat_map(|(_, row)| [row.rating.low, row.rating.high]);
        let scale = Axis::around(&ends.collect::<Vec<_>>(), 5).bounds;
        let bar = |(place, row): (usize, &AgentStanding)| {
            let Quantity { value, low, high, .. } = row.rating;
            Bar {
                group: String::new(),
                name: ranked(standings, place),
                value: text(&row.rating),
                mark: BarMark::Interval { value, ends: (low, high), scale },
            }
        };
        let cells = ["rating", "±", "games", "won", "drawn", "lost", "score", "utility"];
        let header =
            "agent, rating, ±, games, won, drawn, lost, score, utility, better than the next";
        let row = |(place, row): (usize, &AgentStanding)| {
            let mut all = vec![ranked(standings, place)];
            all.extend(cells.map(|column| match column {
                "games" => grouped(row.games),
                column @ ("won" | "drawn" | "lost") => grouped(row.cell(column)),
                column => row.cell(column),
            }));
            all.push(row.superiority.map(unsure_percent).unwrap_or_default());
            all
        };
        let title = "All agents, the best first";
        let table = Table::new(header.split(", "), rows().map(row)).captioned(title);
        let mut blocks = vec![
            Block::Sentence(headline(standings)),
            Block::Bars(rows().filter(known).map(bar).collect()),
            match standings.rows.len() > FEW {
                true => Block::Collapsed(title.to_owned(), vec![Block::Table(table)]),
                false => Block::Table(table),
            },
            Block::sentence(
                "Ratings are Elo points about their mean: 400 more are ten wins to a loss. ± is half of a 95 % \
                 interval; the last column of the table is how likely an agent is better than the one below it; where \
                 that is less than 95 %, the order of the two is open, and both ranks have a =.",
            ),
        ];
        blocks.extend(standings.match_table().map(|table| {
            let caption =
                "The matches of each agent, in the order of the format; a bye counts as one won";
            Block::Table(table.captioned(caption))
        }));
        blocks.extend(standings.sprt.as_ref().map(ratio));
        blocks.extend(standings.notes.iter().map(Block::sentence));
        blocks
    }

    /// Each agent against each other, by their places in the standings; and all pairings.
    fn against(&self, standings: &Standings) -> Vec<Block> {
        let table = &standings.table;
        let (several, agents) = (table.cells.len() > 1, table.agents.len());
        // One picture for all scenarios, and one for each where that does not fill the page.
        let mut pictures = Vec::new();
        if several {
            pictures.push(("All scenarios: ".to_owned(), None, table.overall()));
        }
        if !several || agents * agents * table.cells.len() <= CELLS {
            let of = |(name, cells): &(String, Vec<Vec<Option<PairRecord>>>)| {
                let index = self.state.spec().scenarios.iter().position(|one| one == name);
                let title =
                    index.filter(|_| several).map(|index| format!("{}: ", self.title(index)));
                (title.unwrap_or_default(), index, cells.clone())
            };
            pictures.extend(table.cells.iter().map(of));
        }
        let picture = |(of, scenario, cells): (String, Option<usize>, Vec<_>)| {
            let cell = |places: (usize, usize), record: PairRecord| {
                let expected = standings.expected(scenario, places).map(|share| 100.0 * share);
                let expected =
                    expected.map(|share| format!(", expected {share:.0} %")).unwrap_or_default();
                (record, format!("{}{expected}", crosstable::points(record)))
            };
            let row = |(place, cells): (usize, Vec<Option<PairRecord>>)| {
                let cells = cells.into_iter().enumerate();
                let cells = cells.map(|(against, record)| Some(cell((place, against), record?)));
                (ranked(standings, place), cells.collect())
            };
            let title = format!(
                "{of}the score of each row's agent against the agent of the column's number, in percent of the \
                 points; those with {EXACT} were computed exactly, not sampled; expected is what the ratings say"
            );
            heat(title, standings, cells.into_iter().enumerate().map(row).collect())
        };
        let mut blocks: Vec<Block> = pictures.into_iter().map(picture).collect();
        let pairing = |pairing: &PairingResult| {
            let results = pairing.results;
            vec![
                pairing.a.clone(),
                pairing.b.clone(),
                pairing.scenario.clone(),
                count(results.played.games()),
                results.score().map(percent).unwrap_or_default(),
                if results.is_exact() { "exact" } else { "sampled" }.to_owned(),
            ]
        };
        let header = ["agent", "against", "scenario", "games", "score", "odds"];
        let pairings = Table::new(header, table.pairings.iter().map(pairing))
            .captioned("The score of the first agent in each pairing");
        if (1..=PAIRINGS).contains(&table.pairings.len()) {
            let title = format!("All pairings by scenario: {}", table.pairings.len());
            blocks.push(Block::Collapsed(title, vec![Block::Table(pairings)]));
        }
        if !table.pairings.is_empty() {
            blocks.push(Block::Download {
                words: format!(
                    "All pairings as a table (CSV): {}",
                    grouped(table.pairings.len() as u64)
                ),
                name: "pairings.csv".to_owned(),
                text: self.data(table),
            });
        }
        blocks
    }

    /// All pairings as lines of CSV: in a column for each scenario the wins, draws and losses of the first agent, its
    /// score in percent where that was computed, and both where some games were played.
    fn data(&self, table: &Crosstable) -> String {
        let scenarios = &self.state.spec().scenarios;
        let mut lines: IndexMap<(&str, &str), Vec<String>> = IndexMap::new();
        for PairingResult { a, b, scenario, results } in &table.pairings {
            let line = lines.entry((a, b)).or_insert_with(|| vec![String::new(); scenarios.len()]);
            let Cell { wins, draws, losses } = results.played;
            let PairRecord { played, known } = results;
            let [sampled, computed] = [played, known].map(|one| one.games() > 0.0);
            let sampled =
                sampled.then(|| format!("{}/{}/{}", count(wins), count(draws), count(losses)));
            let computed = computed.then(|| percent(known.points() / known.games()));
            let cell = sampled.into_iter().chain(computed).collect::<Vec<_>>().join(", ");
            if let Some(at) = scenarios.iter().position(|one| one == scenario) {
                line[at] = cell;
            }
        }
        let head = ["agent", "against"].into_iter().chain(scenarios.iter().map(String::as_str));
        let rows = lines.iter().map(|((a, b), cells)| {
            csv_line([*a, *b].into_iter().chain(cells.iter().map(String::as_str)))
        });
        std::iter::once(csv_line(head)).chain(rows).collect::<Vec<_>>().join("\n")
    }
}

/// The test between two agents: where its ratio is between the bounds at which it decides.
fn ratio(sprt: &Sprt) -> Block {
    let (value, (low, high)) = (sprt.ratio(), sprt.limits());
    let scale = Axis::around(&[low, high, value], 5).bounds;
    Block::Bars(vec![Bar {
        group: String::new(),
        name: format!("log likelihood ratio of the test, which ends at {low:.2} or {high:.2}"),
        value: format!("{value:.2}"),
        mark: BarMark::Interval { value, ends: (low, high), scale },
    }])
}

/// A score, and what is said of it; nothing where two have not met.
type HeatCell = Option<(PairRecord, String)>;

/// Scores of the agents in columns, by their places, shaded by how far they are from a half, with what is said of each.
fn heat(title: String, standings: &Standings, rows: Vec<(String, Vec<HeatCell>)>) -> Block {
    let words = |cell: &HeatCell| {
        let Some((record, said)) = cell else { return (String::new(), String::new()) };
        let mark = if record.is_exact() { EXACT } else { "" };
        let score = record.percent().map(|score| format!("{score}{mark}"));
        (score.unwrap_or_default(), said.clone())
    };
    let (rows, cells): (Vec<String>, Vec<Vec<HeatCell>>) = rows.into_iter().unzip();
    let score = |cell: &HeatCell| cell.as_ref().and_then(|(one, _)| one.score());
    Block::Figure(Figure::Grid(Grid {
        title,
        columns: crosstable::places(standings.rows.len()).collect(),
        rows,
        words: cells.iter().map(|row| row.iter().map(words).collect()).collect(),
        cells: cells.iter().map(|row| row.iter().map(score).collect()).collect(),
        middle: Some(0.5),
        ..Grid::default()
    }))
}

/// The last look, and others at even distances before it, this many at most.
fn thinned<'a>(looks: &[&'a Narrowed], most: usize) -> Vec<&'a Narrowed> {
    let skip = looks.len().div_ceil(most).max(1);
    let last = looks.len().saturating_sub(1);
    let kept = looks.iter().enumerate().filter(|(index, _)| (last - index).is_multiple_of(skip));
    kept.map(|(_, look)| *look).collect()
}
