//! The page of a tournament: its blocks, printed as a page that needs no other file.

use super::crosstable::{self, EXACT};
use super::ratings::{self, text};
use super::{
    AgentStanding, ByScenario, BySeat, Cell, Crosstable, Identity, Narrowed, NotableGame,
    PairRecord, PairingResult, Standings, TournamentState,
};
use crate::game::brief;
use crate::number::Quantity;
use crate::report::{
    Axis, Bar, BarMark, Block, Figure, Grid, Origin, Page, Plot, Point, Series, Table, count, cut,
    enumerated, headed, many, margin, percent, points, unsure_percent,
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
/// An agent that is better than the next one with less probability may as well be behind it.
const CLEAR: f64 = 0.95;

impl LeaguePage<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let spec = self.state.spec();
        let standings = Standings::of(self.state);
        let sections: [(&str, Vec<Block>); 5] = [
            ("Standings", ranks(&standings)),
            ("Each against each", against(&standings.table)),
            ("Scenarios and seats", self.scenarios(&standings)),
            ("How the ratings narrowed", self.narrowed(&standings)),
            ("Games to look at", self.games()),
        ];
        let blocks = sections.into_iter().flat_map(|(title, mut blocks)| {
            blocks.insert(0, Block::title(title));
            blocks
        });
        Page {
            title: &brief(&spec.title.as_deref().unwrap_or("Tournament")),
            lead: &self.lead(),
            warning: self.unfinished.map(|why| format!("Unfinished: {why}.")),
            blocks: &[&blocks.collect::<Vec<_>>(), &self.repeat()],
        }
        .html()
    }

    /// What was played, in a sentence or two.
    fn lead(&self) -> String {
        let spec = self.state.spec();
        format!(
            "{} by {} agents in {}, as a {}, with seed {}.",
            many(self.state.tally().games(), "game"),
            spec.agents.len(),
            many(spec.scenarios.len() as u64, "scenario"),
            spec.format.word().replace('_', " "),
            spec.seed
        )
    }

    fn scenarios(&self, standings: &Standings) -> Vec<Block> {
        let names = &self.state.spec().scenarios;
        let mut blocks = Vec::new();
        if names.len() > 1 {
            let order: Vec<usize> = standings.rows.iter().map(|row| row.index).collect();
            let all = ByScenario::of(self.state, &order).rows;
            let rows = standings.rows.iter().enumerate().map(|(place, row)| {
                let cells = all.iter().map(|(_, agents)| agents.get(place).copied());
                (ranked(place, &row.agent), cells.collect())
            });
            let title = "The score of each agent in each scenario, in percent of the points";
            blocks.push(heat(title.to_owned(), names.clone(), rows.collect()));
        }
        for (index, name) in names.iter().enumerate() {
            let scenario = self.scenario(index, standings);
            blocks.push(match names.len() > OPEN {
                true => Block::Folded(name.clone(), scenario),
                false => Block::Group(headed(name, scenario)),
            });
        }
        blocks
    }

    fn scenario(&self, index: usize, standings: &Standings) -> Vec<Block> {
        let tally = self.state.tally();
        let names = self.identity.conditions.seats.get(index).map(Vec::as_slice);
        let names = names.unwrap_or_default();
        let others = if names.len() == 2 { "second seat" } else { "other seats" };
        let by_seat = tally.by_seat(index);
        let bars = standings.rows.iter().enumerate().filter_map(|(place, row)| {
            let BySeat { first, other, games } = by_seat.get(&row.index)?;
            let both = [("first seat", first, games[0]), (others, other, games[1])];
            Some(both.map(|(seat, record, games)| Bar {
                group: ranked(place, &row.agent),
                name: seat.to_owned(),
                value: match record.score() {
                    Some(score) if games == 0 => format!("{} computed", percent(score)),
                    Some(score) => format!("{} of {}", percent(score), many(games, "game")),
                    None => "no games".to_owned(),
                },
                mark: record.score().map_or(BarMark::None, BarMark::Share),
            }))
        });
        let bars: Vec<Bar> = bars.flatten().collect();
        if bars.is_empty() {
            return vec![Block::sentence("Nobody has met here yet.")];
        }
        let worth = standings.scenarios.get(index).and_then(|fit| fit.worth());
        let seat = |(place, seat): (usize, &String)| {
            let utility = tally.seat_utility(index, place);
            vec![seat.clone(), utility.as_ref().map(Quantity::as_margin).unwrap_or_default()]
        };
        let seats = Table::new(["seat", "utility"], names.iter().enumerate().map(seat));
        vec![
            Block::Sentence(worth.map(|worth| format!("Here {worth}.")).unwrap_or_default()),
            Block::Bars(bars),
            Block::Table(seats.captioned("The mean utility of each seat, whoever held it")),
            Block::Table(self.results(index)),
        ]
    }

    fn results(&self, index: usize) -> Table {
        let results = self.state.tally().results(index);
        let row = |(result, games, share): &(&str, u64, f64)| {
            vec![brief(result), games.to_string(), percent(*share)]
        };
        let mut rows: Vec<Vec<String>> = results.iter().take(RESULTS).map(row).collect();
        if results.len() > RESULTS {
            let rest = || results.iter().skip(RESULTS);
            let games: u64 = rest().map(|(_, games, _)| games).sum();
            let share: f64 = rest().map(|(.., share)| share).sum();
            let others = format!("{} others", results.len() - RESULTS);
            rows.push(vec![others, games.to_string(), percent(share)]);
        }
        Table::new(["result", "games", "share"], rows).captioned("How the games ended")
    }

    /// The best agents' ratings over time, and those of all in a table.
    fn narrowed(&self, standings: &Standings) -> Vec<Block> {
        let known = |look: &&Narrowed| look.games > 0 && look.widest.is_finite();
        let looks: Vec<&Narrowed> = self.state.narrowed().iter().filter(known).collect();
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
            Series { name: cut(&ranked(place, &row.agent), NAME), points }
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
            let mut cells = vec![look.games.to_string(), margin(look.widest)];
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
            Block::Folded("The ratings of all agents".to_owned(), vec![Block::Table(table)]),
        ]
    }

    fn games(&self) -> Vec<Block> {
        if self.notable.is_empty() {
            return vec![Block::sentence("There are none yet.")];
        }
        let spec = self.state.spec();
        let game = |notable: &NotableGame| {
            let (number, lineup) = (notable.game.number, &notable.game.lineup);
            let names = self.identity.conditions.seats.get(lineup.scenario);
            let names = names.map(Vec::as_slice).unwrap_or_default();
            let sits = |(seat, &agent): (usize, &usize)| {
                let name = names.get(seat).map(String::as_str).unwrap_or_default();
                let agent = spec.agents.get(agent).map(String::as_str).unwrap_or_default();
                format!("{name}: {agent}")
            };
            let agents: Vec<String> = lineup.agents.iter().enumerate().map(sits).collect();
            let scenario = spec.scenarios.get(lineup.scenario).map_or("", String::as_str);
            let sentence = notable.sentence();
            let link = notable.history.as_ref().map(|history| Block::Link {
                words: format!("Saved history of game {number}, for fracas replay"),
                path: history.clone(),
            });
            let said = format!("Game {number}, {scenario}: {sentence}.\n{}.", agents.join(", "));
            let command = notable.command.iter().cloned().map(Block::Code);
            let blocks = std::iter::once(Block::Sentence(said)).chain(link).chain(command);
            Block::Group(blocks.collect())
        };
        self.notable.iter().map(game).collect()
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
fn ranked(place: usize, agent: &str) -> String {
    format!("{} {agent}", place + 1)
}

/// Who leads, how sure that is, and whose order is open.
fn headline(rows: &[AgentStanding]) -> String {
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
    let ranks: Vec<(usize, &AgentStanding)> = rows.iter().enumerate().collect();
    let tied = |a: &(usize, &AgentStanding), _: &(usize, &AgentStanding)| {
        a.1.superiority.is_some_and(|share| share < CLEAR)
    };
    let tied = ranks.chunk_by(tied).filter(|ranks| ranks.len() > 1);
    let tied: Vec<String> = tied
        .map(|ranks| {
            let names: Vec<String> =
                ranks.iter().map(|(place, row)| ranked(*place, &row.agent)).collect();
            enumerated(&names)
        })
        .collect();
    match tied.is_empty() {
        true => leads,
        false => format!("{leads} The order is open yet of {}.", tied.join("; ")),
    }
}

/// The ratings with their intervals, and all that is known of each agent.
fn ranks(standings: &Standings) -> Vec<Block> {
    let rows = || standings.rows.iter().enumerate();
    let known = |(_, row): &(usize, &AgentStanding)| row.rating.half_width().is_finite();
    let ends = rows().filter(known).flat_map(|(_, row)| [row.rating.low, row.rating.high]);
    let scale = Axis::around(&ends.collect::<Vec<_>>(), 5).bounds;
    let bar = |(place, row): (usize, &AgentStanding)| {
        let Quantity { value, low, high, .. } = row.rating;
        Bar {
            group: String::new(),
            name: ranked(place, &row.agent),
            value: text(&row.rating),
            mark: BarMark::Interval { value, ends: (low, high), scale },
        }
    };
    let header = [
        "agent",
        "rating",
        "±",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "utility",
        "better than the next",
    ];
    let row = |(place, row): (usize, &AgentStanding)| {
        let Cell { wins, draws, losses } = row.results.played;
        vec![
            ranked(place, &row.agent),
            points(row.rating.value),
            ratings::margin(&row.rating),
            row.games.to_string(),
            count(wins),
            count(draws),
            count(losses),
            row.score_text(),
            row.utility.as_ref().map(Quantity::as_margin).unwrap_or_default(),
            row.superiority.map(unsure_percent).unwrap_or_default(),
        ]
    };
    let table = Table::new(header, rows().map(row)).captioned("All agents, the best first");
    let mut blocks = vec![
        Block::Sentence(headline(&standings.rows)),
        Block::Bars(rows().filter(known).map(bar).collect()),
        Block::Table(table),
        Block::sentence(
            "Ratings are Elo points about their mean: 400 more are ten wins to a loss. ± is half of a 95 % \
             interval; the last column is how likely an agent is better than the one below it.",
        ),
    ];
    blocks.extend(standings.notes.iter().map(Block::sentence));
    blocks
}

/// Each agent against each other, by their places in the standings; and all pairings.
fn against(table: &Crosstable) -> Vec<Block> {
    let several = table.cells.len() > 1;
    let scenario = |(scenario, cells): &(String, Vec<Vec<Option<PairRecord>>>)| {
        let rows = table.agents.iter().zip(cells).enumerate();
        let rows = rows.map(|(place, (agent, cells))| (ranked(place, agent), cells.clone()));
        let of = if several { format!("{scenario}: ") } else { String::new() };
        let title = format!(
            "{of}The score of each row's agent against the agent of the column's number, in percent of the \
             points; those with {EXACT} were computed exactly, not sampled"
        );
        let places = (1..=table.agents.len()).map(|place| place.to_string());
        heat(title, places.collect(), rows.collect())
    };
    let mut blocks: Vec<Block> = table.cells.iter().map(scenario).collect();
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
    if !table.pairings.is_empty() {
        let title = format!("All pairings by scenario: {}", table.pairings.len());
        blocks.push(Block::Folded(title, vec![Block::Table(pairings)]));
    }
    blocks
}

/// Scores, shaded by how far they are from a half.
fn heat(
    title: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<PairRecord>>)>,
) -> Block {
    let words = |cell: &Option<PairRecord>| {
        let Some(record) = cell else { return (String::new(), String::new()) };
        let mark = if record.is_exact() { EXACT } else { "" };
        let score = record.percent().map(|score| format!("{score}{mark}"));
        (score.unwrap_or_default(), crosstable::points(*record))
    };
    let (rows, cells): (Vec<String>, Vec<Vec<Option<PairRecord>>>) = rows.into_iter().unzip();
    Block::Figure(Figure::Grid(Grid {
        title,
        columns,
        rows,
        words: cells.iter().map(|row| row.iter().map(words).collect()).collect(),
        cells: cells
            .iter()
            .map(|row| row.iter().map(|cell| cell.and_then(|record| record.score())).collect())
            .collect(),
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
