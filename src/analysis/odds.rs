//! The exact odds of a conflict: the whole graph is explored, and the probabilities are added up.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

use super::growing_state::growing_state;
use super::visits::Visited;
use super::{Chances, VisitsError};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::explored::ExploredGame;
use crate::graph::{Bounds, Ending, Graph, Offer, Policies, Reach, explore, explore_from};
use crate::number::{Amount, Exact, Fraction, Interval};
use crate::report::{self, Block, Report, headed};

/// Settings for finding odds.
#[derive(Clone, Copy, Debug)]
pub struct Seeking {
    /// In intervals of floats, not in fractions.
    pub float: bool,
    /// The number of threads that explore.
    pub threads: usize,
    /// The most nodes that are explored.
    pub nodes: u64,
}

/// The odds of a conflict, as far as they could be found.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Odds {
    /// The odds, or why they are out of reach.
    #[serde(serialize_with = "either")]
    pub found: Result<FoundOdds, Unreached>,
    /// What stopped the search, if anything did.
    #[serde(skip)]
    pub cut: Option<Cut>,
    /// Whether the conflict may never end, so that playouts do not say more.
    #[serde(skip)]
    pub endless: bool,
}

/// Writes the one or the other, without a word for which.
fn either<T: Serialize, E: Serialize, S: Serializer>(
    found: &Result<T, E>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match found {
        Ok(found) => found.serialize(serializer),
        Err(missing) => missing.serialize(serializer),
    }
}

/// Odds that were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundOdds {
    /// Whether every number is an exact fraction and no dice were cut off.
    pub exact: bool,
    /// The number of nodes of the graph that can be reached.
    pub nodes: u64,
    /// The chances.
    #[serde(flatten)]
    pub chances: Chances,
    /// The most that any number is off, proven; left out where all are fractions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

/// Why there are no odds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unreached {
    /// Always `false`.
    pub exact: bool,
    /// Always `false`.
    pub complete: bool,
    /// The number of nodes of the graph that were explored. Null where a bound of memory ended that: how
    /// many fit differs with the threads.
    pub nodes: Option<u64>,
    /// Why they are out of reach, for people.
    pub reason: String,
}

impl Odds {
    /// Finds the odds under the agents seated. `progress` is called with the number of nodes
    /// explored so far.
    ///
    /// # Errors
    /// Those of the rules and agents. That the odds are out of reach is no error.
    pub fn find(
        seating: &Seating,
        seeking: Seeking,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Odds, Error> {
        Odds::find_from(0, seating, seeking, progress)
    }

    /// As [`Odds::find`], from a node of the graph; 0 is the beginning.
    pub(crate) fn find_from(
        from: u32,
        seating: &Seating,
        seeking: Seeking,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Odds, Error> {
        let seating = &seating.under(seating.budget().begin(None));
        let graph = &seating.graph;
        let bounds = Bounds { threads: seeking.threads, nodes: seeking.nodes };
        let reach = explore_from(graph, seating, bounds, &[from], progress)?;
        if let Some(why) = short_of(reach, seating, seeking.nodes) {
            let unreached = Unreached::new(explored(reach, graph), why);
            let cut = if let Reach::Cut(cut) = reach { Some(cut) } else { None };
            return Ok(Odds { found: Err(unreached), cut, endless: false });
        }
        let policies = seating.policies()?;
        let _charge = seating.budget().charge_thread();
        let (nodes, found, endless) = match summed(seating, from, &policies, seeking.float) {
            Ok((game, found)) => {
                let endless = matches!(found, Err(VisitsError::Endless { .. }));
                let why = |error| explanation(error, &game, graph, seeking.float);
                (game.len() as u64, found.map_err(why), endless)
            }
            Err(error @ (Error::Interrupted | Error::Bound(_))) => {
                // Fractions grow with every roll that they are multiplied by.
                let less = match (&error, seeking.float) {
                    (Error::Bound(_), false) => " in fractions; `--float` takes less memory",
                    _ => "",
                };
                let nodes = graph.nodes();
                let why = format!("{error} while {nodes} nodes were summed up{less}");
                (nodes, Err(why), false)
            }
            Err(error) => return Err(error),
        };
        let cut = seating.budget().cut().filter(|_| found.is_err());
        let unreached = |reason| Unreached::new(Some(nodes), reason);
        let found = found.map_err(unreached).map(|chances| FoundOdds::new(nodes, chances));
        Ok(Odds { found, cut, endless })
    }

    /// For people and for programs.
    pub fn report(&self) -> Report<'_> {
        let blocks = match &self.found {
            Ok(found) => found.blocks(),
            Err(Unreached { reason, .. }) => {
                vec![Block::Sentence(match self.cut.is_some() || self.endless {
                    true => format!("no odds: {reason}"),
                    false => format!(
                        "exact odds are out of reach: {reason}. `fracas estimate` samples them."
                    ),
                })]
            }
        };
        Report::of(self, blocks)
    }
}

impl FoundOdds {
    fn new(nodes: u64, chances: Chances) -> FoundOdds {
        let bound = (!chances.is_in_fractions()).then(|| chances.half_width());
        FoundOdds { exact: chances.is_exact(), nodes, chances, bound }
    }

    pub(super) fn blocks(&self) -> Vec<Block> {
        let heading = format!("{}, {}", self.chances.title(), report::many(self.nodes, "node"));
        let mut blocks = headed(heading, self.chances.blocks());
        if let Some(bound) = self.bound {
            let error = report::at_most(bound + report::ROUNDING);
            blocks.push(Block::Sentence(format!("no number is further off than {error}: proven")));
        }
        blocks
    }
}

impl Unreached {
    fn new(nodes: Option<u64>, reason: String) -> Unreached {
        Unreached { exact: false, complete: false, nodes, reason }
    }
}

impl Deref for FoundOdds {
    type Target = Chances;

    fn deref(&self) -> &Chances {
        &self.chances
    }
}

/// The seating with half of the time that is left, where there is a limit: the other half is for
/// playouts.
pub(crate) fn halved(seating: &Seating) -> Seating {
    let budget = seating.budget();
    seating.under(budget.begin(budget.left().map(|left| left / 2)))
}

/// How many nodes were explored; nothing where a bound of memory ended that.
pub(super) fn explored(reach: Reach, graph: &Graph) -> Option<u64> {
    let full = matches!(reach, Reach::Full | Reach::Drawn | Reach::Cut(Cut::Memory(_)));
    (!full).then(|| graph.nodes())
}

/// The reason why the graph was not explored completely, if it was not; `nodes` is the limit. It counts what
/// was explored only where a clock or a person ended that: else it is the same for any number of threads.
pub(super) fn short_of(reach: Reach, seating: &Seating, nodes: u64) -> Option<String> {
    let graph = &seating.graph;
    let why = match reach {
        Reach::Whole => return None,
        Reach::Full => format!("{}, and there is more to see", graph.full()),
        Reach::TooMany if graph.nodes() > nodes => {
            format!("there are more than {}", report::many(nodes, "node"))
        }
        Reach::TooMany => format!(
            "to see all nodes takes more operations than {} may take",
            report::many(nodes, "node")
        ),
        Reach::TooWide => "a question has too many answers, or a state is too large".to_owned(),
        Reach::Drawn => {
            "an agent does not say that it is pure, so that its answers cannot be tabulated"
                .to_owned()
        }
        Reach::Cut(cut @ Cut::Memory(_)) => format!("{cut}, and there is more to see"),
        Reach::Cut(cut) => format!("{cut}, after {}", report::many(graph.nodes(), "node")),
    };
    let grew = match reach {
        Reach::Whole | Reach::Drawn | Reach::Cut(Cut::Interrupted) => false,
        Reach::TooMany => graph.nodes() >= MANY,
        _ => true,
    };
    match grew.then(|| growing_state(seating)).flatten() {
        Some(growing) => Some(format!("{why}; {growing}")),
        None => Some(why),
    }
}

/// Where fewer nodes are too many, growing states are not looked for.
const MANY: u64 = 50_000;

/// The chances of what follows nodes of a game, each as likely as it says.
pub(super) fn chances_after<A: Amount>(
    game: &ExploredGame,
    seating: &Seating,
    nodes: impl IntoIterator<Item = (u32, A)>,
) -> Result<Chances, VisitsError> {
    let graph = &seating.graph;
    let start = |(node, chance)| (game.place(node).unwrap_or(0) as u32, chance);
    let starts: Vec<(u32, A)> = nodes.into_iter().map(start).collect();
    let may_continue = || seating.may_continue().is_ok();
    let visits = game.visits(&game.weights, &starts, A::CYCLE, &may_continue)?;
    let cut_off = match graph.cut_off() > 0.0 {
        true => beyond(game, graph, &visits),
        false => 0.0,
    };
    let chances = Chances { cut_off, ..Chances::sum(game.ends(graph, visits)) };
    Ok(chances.in_order(&seating.players.names))
}

/// An upper bound of the probability that a roll exceeds the values that its distribution lists: summed over all places,
/// which are visited so often.
fn beyond<A: Amount>(game: &ExploredGame, graph: &Graph, visits: &[A]) -> f64 {
    let cut = |place: usize| match &game.question(graph, place)?.offer {
        Offer::Chance(falls) => falls.beyond(),
        Offer::Options(_) => None,
    };
    let cuts = visits.iter().enumerate().filter_map(|(place, often)| Some((often, cut(place)?)));
    let sum: f64 = cuts.map(|(often, cut)| often.quantity().high * cut).sum();
    // Sums of floats may be short by their last digits.
    (sum * (1.0 + 1e-9)).min(1.0)
}

/// The game from its beginning, with its chances or why it has none.
fn summed(
    seating: &Seating,
    from: u32,
    policies: &Policies,
    float: bool,
) -> Result<(ExploredGame, Result<Chances, VisitsError>), Error> {
    let start = if from == 0 { seating.graph.root() } else { from };
    let game = seating.game(policies, &[start])?;
    let found = match float {
        true => chances_after(&game, seating, [(start, Interval::one())]),
        false => chances_after(&game, seating, [(start, Exact::one())]),
    };
    if matches!(found, Err(VisitsError::Stopped)) {
        seating.may_continue()?;
    }
    Ok((game, found))
}

/// The reason why a game has no odds, with the question that is asked in the cycle.
fn explanation(error: VisitsError, game: &ExploredGame, graph: &Graph, float: bool) -> String {
    let (VisitsError::Large { place, .. } | VisitsError::Endless { place, .. }) = &error else {
        return error.to_string();
    };
    let where_ = game.asked_in_brackets(graph, *place);
    match error {
        VisitsError::Large { .. } if !float => format!(
            "{error}, in exact fractions{where_}; up to {} are solved with `--float`",
            Interval::CYCLE
        ),
        error => format!("{error}{where_}"),
    }
}

/// All ends that are possible under the agents seated, each with its exact probability, in an order
/// that depends only on the ends; `None` if there are more nodes than the bounds allow, or if
/// states lead back to each other in ways that fractions do not solve.
pub(crate) fn ends(
    seating: &Seating,
    bounds: Bounds,
) -> Result<Option<Vec<(Ending, Fraction)>>, Error> {
    let graph = &seating.graph;
    match explore(graph, seating, bounds, &|_| ())? {
        Reach::Whole => {}
        Reach::Cut(cut) => return Err(cut.into()),
        Reach::Full | Reach::TooMany | Reach::TooWide | Reach::Drawn => return Ok(None),
    }
    let _charge = seating.budget().charge_thread();
    let Some(Visited { game, visits, .. }) = Visited::<Exact>::of(seating)? else {
        return Ok(None);
    };
    let mut sums: BTreeMap<String, (&Ending, Exact)> = BTreeMap::new();
    for (ending, chance) in game.ends(graph, visits) {
        sums.entry(format!("{ending:?}"))
            .and_modify(|(_, sum)| sum.add_assign(&chance))
            .or_insert((ending, chance));
    }
    let summed = |(ending, sum): (&Ending, Exact)| (ending.clone(), sum.to_fraction());
    Ok(Some(sums.into_values().map(summed).collect()))
}

/// Explores a conflict with all seats free, for the endings that its graph has then; `None` where the
/// rules fail on a branch, which may be one that nobody takes.
pub(crate) fn explore_unmanned(seating: &Seating, bounds: Bounds) -> Result<Option<Reach>, Error> {
    match explore(&seating.graph, &seating.unmanned(), bounds, &|_| ()) {
        Ok(reach) => Ok(Some(reach)),
        Err(error @ (Error::Interrupted | Error::Bound(_))) => Err(error),
        Err(_) => Ok(None),
    }
}
