//! What each player could expect along a history under the agents seated, and which rolls and choices moved that
//! most.
//!
//! What a player can expect is a martingale: what it moves by along a conflict sums up to what the player has at
//! the end, less what was to be expected at the beginning (Weiss, A Course in Probability, 2005, section 10.3). So
//! each roll and each choice has its part in the end. All that is hidden is taken to be known.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::estimate::Rounds;
use super::odds::{chances_after, halved};
use super::prospects::{Effort, FRACTIONS, GraphWay, SUMMED, known};
use super::{Chances, Stage, exploring};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::{Actor, Generator, History, Value};
use crate::graph::{Bounds, Ending, NodeKind, PlayoutRunner, Reach, explore, explore_from};
use crate::number::{Amount, Exact, Interval, Quantity};
use crate::report::{self, Block, Report};
use crate::script::on_large_stack;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Expectations {
    /// Whether every number is an exact fraction, and no dice were cut off.
    pub exact: bool,
    /// How many nodes were explored, where no playouts were needed.
    pub nodes: Option<u64>,
    /// How many playouts there were from each place; 0 where none were needed.
    pub n: u64,
    #[serde(skip)]
    wanted: u64,
    /// Who plays on from each place, as people read it.
    #[serde(skip)]
    seats: String,
    pub seed: u64,
    /// Whether the rules hide something, which is taken to be known; left out where they do not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    /// What stopped it before it was done, if anything did.
    pub cut: Option<Cut>,
    /// What was to be expected at the beginning, and after each answer.
    pub points: Vec<Chances>,
    /// The answers, in the order in which they were given.
    pub moves: Vec<Move>,
    /// For each player what they have at the end by what moved it, where the history reaches an end.
    pub parts: IndexMap<String, LuckParts>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Move {
    /// The number of its entry in the history, from 1.
    pub entry: usize,
    /// Who answered, or for whom chance fell.
    pub who: String,
    /// What was asked.
    pub name: String,
    /// The answer.
    pub value: Value,
    /// Whether chance answered.
    pub chance: bool,
    /// Player -> by how much more they can expect after it than before.
    pub moved: IndexMap<String, Quantity>,
    /// Of a choice whose options were weighed: what the best of them was worth to the player.
    pub best: Option<BestOption>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct BestOption {
    pub option: Value,
    /// What the player can expect after it.
    pub utility: Quantity,
    /// How much more that is than after the answer that was given.
    pub lost: Quantity,
    /// On how many playouts these rest, none of which chose the option; 0 where none were needed.
    pub n: u64,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct LuckParts {
    /// What they could expect at the beginning.
    pub began: Quantity,
    /// What rolls moved, what their own choices did, and what those of others did.
    pub rolls: Quantity,
    pub own: Quantity,
    pub others: Quantity,
    pub ended: Quantity,
}

/// In all, options of choices get no more than this many times the playouts of one place.
const WEIGHED: u64 = 400;
/// This many playouts are made from each place before anything is explored.
const FEW: u64 = 10;
const ALL_KNOWN: &str = "what these rules hide is taken to be known: a choice is judged also by what was hidden from whoever \
                         made it";
const CHOICES: &str = "choices";
const LISTED: usize = 5;

/// An answer, before it is known what it moved, the node before it, and the places of its options.
struct HistoryStep {
    made: Move,
    node: u32,
    to: u32,
    /// Where each option leads, in order; empty where chance answers.
    options: Vec<u32>,
}

impl Expectations {
    /// Finds them under the agents seated, for the default agent in place of people. What stops it leaves what it
    /// has found. Fractions are kept where they are short, and the time is that of the seating.
    pub(crate) fn find(
        seating: &Seating,
        history: &History,
        how: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Expectations, Error> {
        on_large_stack(|| {
            let mut search = LuckSearch::begin(seating, history, how)?;
            let mut places = vec![search.begin];
            places.extend(search.taken.iter().map(|taken| taken.to));
            let mut rounds = Rounds::of(places.len());
            let from = (&places[..], 0);
            let report = |made| progress(Stage::Playouts(made, Some(how.n)));
            // A few playouts first: whoever ends the exploring has something.
            search.play(&mut rounds, from, FEW.min(how.n), seating, &report)?;
            if how.nodes > 0
                && rounds.cut.is_none()
                && let Some(found) = search.explored(progress)?
            {
                return Ok(search.put_together(found));
            }
            // Half of the time that is left is for what options would have been worth.
            search.play(&mut rounds, from, how.n, &halved(seating), &report)?;
            let found = search.sampled(&places, &rounds, progress)?;
            Ok(search.put_together(found))
        })
    }

    /// The answers that moved most for anybody, those first; where playouts say so, more than chance does for the
    /// greatest of as many.
    pub(crate) fn swings(&self) -> Vec<&Move> {
        let count = self.moves.iter().map(|one| one.moved.len()).sum();
        let most = |one: &Move| {
            let moved = one.moved.values().filter(|moved| is_moved(moved, count));
            moved.map(|moved| moved.value.abs()).fold(0.0, f64::max)
        };
        let mut all: Vec<&Move> = self.moves.iter().filter(|one| most(one) > 0.0).collect();
        all.sort_by(|a, b| most(b).total_cmp(&most(a)));
        all
    }

    /// The best option of a choice, where it was better than what was chosen, by more than chance makes the most
    /// striking of all choices.
    pub(crate) fn missed<'m>(&self, taken: &'m Move) -> Option<&'m BestOption> {
        let weighed = self.moves.iter().filter(|one| one.best.is_some()).count();
        let is_better = |best: &&BestOption| best.lost.value > 0.0 && is_moved(&best.lost, weighed);
        taken.best.as_ref().filter(is_better)
    }

    pub(crate) fn source(&self) -> String {
        match self.nodes {
            Some(nodes) if self.exact => format!("exact, {}", report::many(nodes, "node")),
            Some(nodes) => format!("within proven bounds, {}", report::many(nodes, "node")),
            None => format!(
                "estimated from {} from each place, seed {} (95 % intervals)",
                report::many(self.n, "playout"),
                self.seed
            ),
        }
    }

    pub(crate) fn report(&self) -> Report<'_> {
        Report::of(self, self.blocks()).seeded((self.n > 0).then_some(self.seed))
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        let parts = self.parts.iter().map(|(player, parts)| {
            let LuckParts { began, rolls, own, others, ended } = parts;
            let mut row = vec![player.clone(), began.as_utility()];
            row.extend([rolls, own, others].map(signed));
            row.push(ended.as_utility());
            row
        });
        let header =
            ["player", "expected", "rolls", "own choices", "others' choices", "at the end"];
        let swings = self.swings();
        let rows = swings.iter().take(LISTED).map(|one| {
            let moved = one.moved.iter();
            let moved = moved.filter(|(_, moved)| moved.value.abs() > 1e-9);
            let moved = moved.map(|(player, moved)| format!("{player} {}", signed(moved)));
            let best = self.missed(one).map(|best| {
                let option = crate::game::option_name(&best.option);
                let by = match best.n {
                    n if n == self.n => String::new(),
                    n => format!(", {}", report::many(n, "playout")),
                };
                format!("{option} ({}{by})", signed(&best.lost))
            });
            let kind = if one.chance { "roll" } else { "choice" };
            let answer = format!("{} {} {}", one.who, one.name, one.value);
            let moved = moved.collect::<Vec<_>>().join(", ");
            vec![one.entry.to_string(), kind.to_owned(), answer, moved, best.unwrap_or_default()]
        });
        let heading = format!("luck, {}", self.source());
        let moved = ["entry", "by", "answer", "moved", "best option"];
        let mut blocks = vec![Block::Title(heading)];
        if let Some(cut) = self.cut {
            let (made, all) = (report::many(self.n, "playout"), self.wanted);
            blocks.push(Block::Sentence(match self.n < all {
                true => format!("{cut}: {made} of {all} were made from each place"),
                false => format!("{cut}: not every choice was weighed"),
            }));
        }
        if self.parts.is_empty() {
            blocks.push(Block::sentence("it is not over: what each player has is not known yet"));
        } else {
            blocks.push(Block::table(header, parts));
        }
        match swings.is_empty() {
            true => blocks.push(Block::sentence(match self.n {
                0 => "no answer moved what anybody could expect",
                _ => "these playouts do not show that any answer moved what anybody could expect",
            })),
            false => blocks.push(Block::table(moved, rows)),
        }
        blocks.push(Block::sentence(&self.seats));
        if self.hidden {
            blocks.push(Block::sentence(ALL_KNOWN));
        }
        blocks
    }
}

/// Whether a number is surely not 0, as one of this many; playouts that all gave the same say so where there are enough.
fn is_moved(number: &Quantity, count: usize) -> bool {
    let is_sure = number.is_unvaried() && number.n() >= crate::number::FEW;
    number.value.abs() > 1e-9 && (is_sure || number.is_clear_of(count))
}

fn signed(number: &Quantity) -> String {
    let printed = match &number.fraction {
        Some(fraction) => fraction.to_string(),
        None => number.as_margin(),
    };
    if number.value > 0.0 { format!("+{printed}") } else { printed }
}

/// What was found of the places in order, and of each option of a choice where it was weighed.
struct Found {
    nodes: Option<u64>,
    n: u64,
    cut: Option<Cut>,
    points: Vec<Chances>,
    moved: Vec<IndexMap<String, Quantity>>,
    best: Vec<Option<BestOption>>,
    /// Player -> what rolls moved, what their own choices did, and what those of others did.
    sums: IndexMap<String, [Quantity; 3]>,
}

struct LuckSearch<'a> {
    seating: &'a Seating,
    how: Effort,
    runner: PlayoutRunner,
    taken: Vec<HistoryStep>,
    begin: u32,
}

impl<'a> LuckSearch<'a> {
    fn begin(
        seating: &'a Seating,
        history: &History,
        how: Effort,
    ) -> Result<LuckSearch<'a>, Error> {
        let runner = seating.playout_runner()?;
        let nodes = GraphWay::of(&runner, history)?.nodes();
        let explorer = runner.explorer();
        let mut taken = Vec::new();
        let entries = (1..).zip(&history.entries);
        let actions =
            entries.flat_map(|(entry, made)| made.actions().iter().map(move |a| (entry, a)));
        for (pair, (entry, action)) in nodes.windows(2).zip(actions) {
            let [node, to] = [pair[0], pair[1]];
            let is_choice = explorer.graph().node(node).kind() == NodeKind::Decision;
            let answers = if is_choice { explorer.graph().node(node).answers() } else { 0 };
            let options = (0..answers).map(|answer| known(explorer.next(node, answer)?));
            let options = options.collect::<Result<Vec<u32>, Error>>()?;
            let (Actor::Player(who) | Actor::Chance(who)) = &action.actor;
            let chance = matches!(action.actor, Actor::Chance(_));
            let (who, name, value) = (who.clone(), action.name.clone(), action.value.clone());
            let made = Move { entry, who, name, value, chance, moved: IndexMap::new(), best: None };
            taken.push(HistoryStep { made, node, to, options });
        }
        let begin = nodes.first().copied().unwrap_or_default();
        Ok(LuckSearch { seating, how, runner, taken, begin })
    }

    fn option(&self, node: u32, index: usize) -> Value {
        let asked = self.runner.explorer().graph().question_at(node);
        asked.and_then(|asked| asked.values().get(index).cloned()).unwrap_or(Value::Bool(false))
    }

    /// Exactly, where all that may follow can be explored.
    fn explored(&mut self, progress: &(dyn Fn(Stage) + Sync)) -> Result<Option<Found>, Error> {
        let seating = halved(self.seating);
        let _charge = seating.budget().charge_thread();
        let bounds = Bounds { threads: self.how.threads, nodes: self.how.nodes };
        let report = exploring(&seating, progress);
        if explore(&seating.graph, &seating, bounds, &report)? != Reach::Whole {
            return Ok(None);
        }
        let mut starts = IndexSet::from([self.begin]);
        for taken in &self.taken {
            starts.insert(taken.to);
            starts.extend(&taken.options);
        }
        let starts: Vec<u32> = starts.into_iter().collect();
        if explore_from(&seating.graph, &seating, bounds, &starts, &report)? != Reach::Whole {
            return Ok(None);
        }
        let work = starts.len().saturating_mul(seating.graph.nodes() as usize);
        let found = match work {
            _ if work <= FRACTIONS => self.summed::<Exact>(&seating, &starts),
            _ if work <= SUMMED => self.summed::<Interval>(&seating, &starts),
            _ => return Ok(None),
        };
        match found {
            // There are playouts.
            Err(error) if error.cut().is_some() => Ok(None),
            found => found,
        }
    }

    fn summed<A: Amount>(&self, seating: &Seating, starts: &[u32]) -> Result<Option<Found>, Error> {
        let policies = seating.policies()?;
        let game = seating.game(&policies, starts)?;
        let mut all: IndexMap<u32, Chances> = IndexMap::new();
        for &start in starts {
            let Ok(chances) = chances_after(&game, seating, [(start, A::one())]) else {
                return seating.may_continue().map(|()| None);
            };
            all.insert(start, chances);
        }
        let at = |node: &u32| all.get(node).cloned().unwrap_or_default();
        let mut points = vec![at(&self.begin)];
        points.extend(self.taken.iter().map(|taken| at(&taken.to)));
        let pairs = points.windows(2).map(|pair| pair[1].less(&pair[0]).utility);
        let moved: Vec<IndexMap<String, Quantity>> = pairs.collect();
        let mut sums = IndexMap::new();
        for name in &seating.players.names {
            let mut own: [Quantity; 3] = std::array::from_fn(|_| Quantity::zero());
            for (index, moved) in moved.iter().enumerate() {
                let sum = &mut own[self.kind(index, name)];
                *sum = moved.get(name).map_or_else(|| sum.clone(), |moved| sum.plus(moved));
            }
            sums.insert(name.clone(), own);
        }
        let best = self.taken.iter().map(|taken| {
            let worth = |to: &u32| at(to).utility.get(&taken.made.who).cloned();
            let options = taken.options.iter().map(worth).collect::<Option<Vec<_>>>()?;
            let now = worth(&taken.to)?;
            let (index, utility) = most(options.into_iter())?;
            let lost = utility.minus(&now);
            let lost = if lost.value > 0.0 { lost } else { Quantity::zero() };
            Some(BestOption { option: self.option(taken.node, index), utility, lost, n: 0 })
        });
        let best = best.collect();
        let nodes = Some(game.len() as u64);
        Ok(Some(Found { nodes, n: 0, cut: None, points, moved, best, sums }))
    }

    /// From playouts: with the same random numbers from each place, so that differences are less noisy.
    fn sampled(
        &mut self,
        places: &[u32],
        rounds: &Rounds,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Found, Error> {
        let points = places.iter().zip(&rounds.ends);
        let points: Vec<Chances> = points.map(|(&place, ends)| self.chances(place, ends)).collect();
        let names = self.seating.players.names.clone();
        let moved: Vec<IndexMap<String, Quantity>> = rounds
            .ends
            .windows(2)
            .map(|pair| {
                let of =
                    |name: &String| Some((name.clone(), self.apart(name, &pair[1], &pair[0])?));
                names.iter().filter_map(of).collect()
            })
            .collect();
        let mut sums = IndexMap::new();
        for name in &names {
            // Playout by playout, so that what one answer gave and the next one took does not widen the interval.
            let of = |kind: usize| {
                let pairs = rounds.ends.windows(2).enumerate();
                let mut pairs =
                    pairs.filter(|(index, _)| self.kind(*index, name) == kind).peekable();
                // Where there was none, nothing moved.
                pairs.peek()?;
                let mut sums = vec![0.0; rounds.made() as usize];
                for (_, pair) in pairs {
                    for (sum, (&from, &to)) in sums.iter_mut().zip(pair[0].iter().zip(&pair[1])) {
                        *sum += self.worth(to, name) - self.worth(from, name);
                    }
                }
                Quantity::mean_of(&sums)
            };
            let own = [0, 1, 2].map(|kind| of(kind).unwrap_or_else(Quantity::zero));
            sums.insert(name.clone(), own);
        }
        let (best, cut) = self.weighed(rounds, (&points, &moved), progress)?;
        let (n, cut) = (rounds.made(), rounds.cut.or(cut));
        Ok(Found { nodes: None, points, moved, best, sums, n, cut })
    }

    /// The best options of choices, as far as there are playouts and time for them: of those that moved most first.
    fn weighed(
        &mut self,
        rounds: &Rounds,
        (points, moved): (&[Chances], &[IndexMap<String, Quantity>]),
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<(Vec<Option<BestOption>>, Option<Cut>), Error> {
        let mut best: Vec<Option<BestOption>> = vec![None; self.taken.len()];
        let by = |index: usize| {
            let own = moved[index].get(&self.taken[index].made.who);
            own.map_or(0.0, |own| own.value.abs())
        };
        let mut order: Vec<usize> = (0..self.taken.len()).collect();
        order.retain(|&index| self.taken[index].options.len() > 1);
        order.sort_by(|&a, &b| by(b).total_cmp(&by(a)).then(a.cmp(&b)));
        let total = order.len() as u64;
        let mut left = WEIGHED;
        for (done, index) in order.into_iter().enumerate() {
            progress(Stage::Part(CHOICES, done as u64, total));
            let Some(less) = left.checked_sub(self.taken[index].options.len() as u64) else {
                continue;
            };
            left = less;
            let who = self.taken[index].made.who.clone();
            let place = (points.get(index + 1), rounds.ends.get(index + 1));
            let (Some(chances), Some(ends)) = place else { continue };
            match self.weigh(index, &who, (chances, ends)) {
                Ok(found) => best[index] = found,
                Err(error) => match error.cut() {
                    Some(cut) => return Ok((best, Some(cut))),
                    None => return Err(error),
                },
            }
        }
        Ok((best, None))
    }

    /// The best option of a choice. Half as many playouts as from each place choose it; what it is worth comes from
    /// others: the highest of several estimates is too high (Smith and Winkler, "The Optimizer's Curse", Management
    /// Science 52, 2006).
    fn weigh(
        &mut self,
        index: usize,
        who: &str,
        (chances, ends): (&Chances, &[u32]),
    ) -> Result<Option<BestOption>, Error> {
        let HistoryStep { node, to, ref options, .. } = self.taken[index];
        let (options, half) = (options.clone(), (ends.len() as u64).div_ceil(2));
        let of_options = self.rounds((&options, self.how.n), half)?;
        let worth = |(&to, ends): (&u32, &Vec<u32>)| {
            let utility = self.chances(to, ends).utility;
            utility.get(who).cloned().unwrap_or_else(Quantity::zero)
        };
        let worths: Vec<Quantity> = options.iter().zip(&of_options.ends).map(worth).collect();
        let Some((at, _)) = most(worths.into_iter()) else { return Ok(None) };
        let (option, best) = (self.option(node, at), options[at]);
        let of =
            |chances: &Chances| chances.utility.get(who).cloned().unwrap_or_else(Quantity::zero);
        if best == to {
            let (utility, lost, n) = (of(chances), Quantity::zero(), ends.len() as u64);
            return Ok(Some(BestOption { option, utility, lost, n }));
        }
        // Under the random numbers of the place, of which the choice knew none.
        let fresh = self.rounds((&[best], 0), ends.len() as u64)?;
        let utility = of(&self.chances(best, &fresh.ends[0]));
        let lost = self.apart(who, &fresh.ends[0], ends).unwrap_or_else(Quantity::zero);
        Ok(Some(BestOption { option, utility, lost, n: fresh.made() }))
    }

    /// Makes rounds of playouts from these nodes, the first of which has this number, until there are this many.
    fn play(
        &mut self,
        rounds: &mut Rounds,
        (nodes, first): (&[u32], u64),
        n: u64,
        wanted: &Seating,
        progress: &dyn Fn(u64),
    ) -> Result<(), Error> {
        let (seed, runner) = (self.how.seed, &mut self.runner);
        rounds.make(n, progress, |made| {
            let generator = Generator::playout(seed, first + made);
            let one = |&node: &u32| {
                wanted.is_wanted()?;
                runner.play_from(node, generator.clone(), &mut ())
            };
            nodes.iter().map(one).collect()
        })
    }

    /// This many rounds, all of them.
    fn rounds(&mut self, from: (&[u32], u64), n: u64) -> Result<Rounds, Error> {
        let mut rounds = Rounds::of(from.0.len());
        self.play(&mut rounds, from, n, self.seating, &|_| ())?;
        rounds.cut.map_or(Ok(rounds), |cut| Err(cut.into()))
    }

    fn ending(&self, number: u32) -> Option<&Ending> {
        self.runner.explorer().graph().ending_of(number)
    }

    /// What comes of a node from which playouts ended so: exactly, where it is an end.
    fn chances(&self, node: u32, ends: &[u32]) -> Chances {
        let names = &self.seating.players.names;
        if let (true, Some(ending)) =
            (self.is_end(node), ends.first().and_then(|&end| self.ending(end)))
        {
            return Chances::sum([(ending, Exact::one())]).in_order(names);
        }
        Rounds::chances(ends, |number| self.ending(number)).in_order(names)
    }

    fn worth(&self, number: u32, player: &str) -> f64 {
        let utility = self.ending(number).and_then(|ending| ending.utility.get(player));
        utility.and_then(|utility| utility.as_utility()).unwrap_or_default()
    }

    /// The mean difference of what a player has after two places, playout by playout.
    fn apart(&self, player: &str, one: &[u32], other: &[u32]) -> Option<Quantity> {
        let worth = |&number: &u32| self.worth(number, player);
        let apart = one.iter().zip(other).map(|(one, other)| worth(one) - worth(other));
        Quantity::mean_of(&apart.collect::<Vec<f64>>())
    }

    /// Whether an answer is a roll, the choice of a player, or that of another: the number of its sum.
    fn kind(&self, index: usize, player: &str) -> usize {
        match &self.taken[index].made {
            Move { chance: true, .. } => 0,
            Move { who, .. } if who == player => 1,
            _ => 2,
        }
    }

    fn put_together(&self, found: Found) -> Expectations {
        let Found { nodes, n, cut, points, moved, best, mut sums } = found;
        let known = self.taken.iter().zip(moved).zip(best);
        let moves = known
            .map(|((taken, moved), best)| Move { moved, best, ..taken.made.clone() })
            .collect();
        let exact = nodes.is_some() && points.iter().all(Chances::is_exact);
        let last = self.taken.last().map_or(self.begin, |taken| taken.to);
        let mut parts = IndexMap::new();
        if let (Some(first), Some(end), true) = (points.first(), points.last(), self.is_end(last)) {
            for name in &self.seating.players.names {
                let worth = |at: &Chances| at.utility.get(name).cloned();
                let (Some(began), Some(ended)) = (worth(first), worth(end)) else { continue };
                let Some([rolls, own, others]) = sums.swap_remove(name) else { continue };
                parts.insert(name.clone(), LuckParts { began, rolls, own, others, ended });
            }
        }
        let Effort { n: wanted, seed, .. } = self.how;
        let seats = format!("expected is what follows where {}", self.seating.who_plays_on());
        let hidden = self.runner.explorer().rules().means_to_hide();
        Expectations { exact, nodes, n, wanted, seats, seed, hidden, cut, points, moves, parts }
    }

    fn is_end(&self, node: u32) -> bool {
        self.runner.explorer().graph().node(node).kind() == NodeKind::End
    }
}

/// The first of the greatest.
fn most(all: impl Iterator<Item = Quantity>) -> Option<(usize, Quantity)> {
    all.enumerate().fold(None, |best: Option<(usize, Quantity)>, (index, one)| match best {
        Some((at, best)) if best.value >= one.value => Some((at, best)),
        _ => Some((index, one)),
    })
}
