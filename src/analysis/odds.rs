//! What are the exact odds? All that may happen is explored, and its chances are added up.

use serde_json::{Map, Value as Json, json};

use super::chart::Chart;
use super::{Amount, ChainError, Chances, Exact, Interval};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::graph::{Bounds, Crew, Graph, Offer, Policies, Reach, explore};
use crate::handlers::Generator;
use crate::render;

/// How odds are to be found.
#[derive(Clone, Copy, Debug)]
pub struct Seeking {
    /// In intervals of floats, not in fractions.
    pub float: bool,
    /// How many threads explore.
    pub threads: usize,
    /// How many nodes are seen at most.
    pub nodes: u64,
}

/// States that lead back to each other and are solved together: at most this many in fractions.
pub(super) const CYCLE: usize = 120;
/// And at most this many in floats.
const CYCLE_OF_FLOATS: usize = 2_000;

/// The odds of a conflict, as far as they could be found.
#[derive(Clone, Debug)]
pub struct Odds {
    /// How many nodes of the graph were seen.
    pub nodes: u64,
    /// The chances, or why they are out of reach.
    pub found: Result<Chances, String>,
    /// Whether somebody wanted the search to stop.
    pub interrupted: bool,
    /// Whether the conflict may never end, so that playouts do not say more.
    pub endless: bool,
    /// How likely more falls somewhere than what is listed of dice that have no last value, at most.
    pub cut_off: f64,
}

impl Odds {
    /// Finds the odds under the agents seated. `progress` hears of the nodes seen so far.
    ///
    /// # Errors
    /// Those of the rules and agents. That the odds are out of reach is no error.
    pub fn find(
        seating: &Seating,
        seeking: Seeking,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Odds, Error> {
        let seating = &seating.under(seating.budget().begin(None));
        let graph = &seating.graph;
        let bounds = Bounds { threads: seeking.threads, nodes: seeking.nodes };
        let reach = explore(graph, seating, bounds, progress)?;
        let seen = graph.nodes();
        let why = short_of(reach, graph, seeking.nodes);
        let interrupted = reach == Reach::Cut(Cut::Interrupted);
        if let Some(why) = why {
            return Ok(Odds {
                nodes: seen,
                found: Err(why),
                interrupted,
                endless: false,
                cut_off: 0.0,
            });
        }
        let mut policies = Policies::default();
        policies.meet(graph, &mut seating.seats(Generator::of(0))?);
        let chart = Chart::draw(graph, &policies, seating.answers());
        let found = match seeking.float {
            true => visits::<Interval>(&chart, seating, &policies, CYCLE_OF_FLOATS)
                .map(|visits| Chances::enclosed(chart.ends(graph, visits))),
            false => visits::<Exact>(&chart, seating, &policies, CYCLE)
                .map(|visits| Chances::exact(chart.ends(graph, visits))),
        };
        let found = found.map(|chances| chances.in_order(&seating.players.names));
        let cut_off = beyond(&chart, seating, &policies);
        let interrupted = matches!(found, Err(ChainError::Stopped));
        let told = |error| told(error, &chart, graph, seeking.float);
        let endless = matches!(found, Err(ChainError::Endless { .. }));
        let found = found.map_err(told);
        Ok(Odds { nodes: chart.len() as u64, found, interrupted, endless, cut_off })
    }

    /// For programs.
    pub fn as_json(&self) -> Json {
        let mut json = Map::new();
        match &self.found {
            Ok(chances) => {
                let exact = chances.is_exact();
                json.insert("exact".to_owned(), exact.into());
                json.insert("nodes".to_owned(), self.nodes.into());
                chances.write_json(&mut json);
                if self.cut_off > 0.0 {
                    json.insert("cut_off".to_owned(), self.cut_off.into());
                }
                if !exact {
                    json.insert("bound".to_owned(), chances.half_width().into());
                }
                Json::Object(json)
            }
            Err(why) => json!({ "exact": false, "nodes": self.nodes, "reason": why }),
        }
    }
}

impl Odds {
    /// For people.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        match &self.found {
            Ok(chances) => {
                let first = if chances.is_exact() { "exact odds" } else { "odds, within bounds" };
                let mut text =
                    format!("{first}, {} nodes\n{}", self.nodes, chances.as_text(width, plain));
                if !chances.is_exact() {
                    let error = render::at_most(chances.half_width() + render::ROUNDING);
                    text.push_str(&format!("\n\nno number is further off than {error}: proven"));
                }
                if self.cut_off > 0.0 {
                    let told = format!(
                        "dice that explode have no last value: these odds are those of dice that are \
                         cut off. With a chance of at most {} more falls than is listed, and no result \
                         is further off than that.",
                        render::at_most(self.cut_off)
                    );
                    text.push_str(&format!("\n\n{}", render::wrapped(&told, width)));
                }
                text
            }
            Err(why) if self.interrupted || self.endless => {
                render::wrapped(&format!("no odds: {why}"), width)
            }
            Err(why) => render::wrapped(
                &format!("exact odds are out of reach: {why}. `fracas estimate` samples them."),
                width,
            ),
        }
    }
}

/// Why not all was seen of a graph of which so many nodes were to be seen at most, if it was not.
pub(super) fn short_of(reach: Reach, graph: &Graph, nodes: u64) -> Option<String> {
    let seen = graph.nodes();
    match reach {
        Reach::Whole => None,
        Reach::Full => Some(format!(
            "after {seen} nodes the graph fills the {} MiB that it may take, and there is \
             more to see",
            graph.bytes().div_ceil(1 << 20)
        )),
        Reach::TooMany => Some(format!("there are more than {nodes} nodes")),
        Reach::TooWide => Some(format!(
            "after {seen} nodes a question has too many answers, or a state is too large"
        )),
        Reach::Cut(cut) => Some(format!("{cut}, after {seen} nodes")),
    }
}

/// How likely a roll goes beyond what its distribution lists, at most: the sum over all places.
fn beyond(chart: &Chart, seating: &Seating, policies: &Policies) -> f64 {
    let cut = |place: usize| match &chart.question(&seating.graph, place)?.offer {
        Offer::Chance(falls) => falls.beyond(),
        Offer::Options(_) => None,
    };
    if !(0..chart.len()).any(|place| cut(place).is_some()) {
        return 0.0;
    }
    let often = visits::<Interval>(chart, seating, policies, CYCLE_OF_FLOATS);
    let often = often.into_iter().flatten().enumerate();
    let sum = often.filter_map(|(place, visits)| Some(visits.high * cut(place)?)).sum::<f64>();
    // Sums of floats may be short by their last digits.
    sum * (1.0 + 1e-9)
}

fn visits<A: Amount>(
    chart: &Chart,
    seating: &Seating,
    policies: &Policies,
    cycle: usize,
) -> Result<Vec<A>, ChainError> {
    let chain = chart.chain::<A>(&seating.graph, policies, seating.answers());
    chain.visits_while(0, cycle, &|| seating.go_on().is_ok())
}

/// Why a chain has no odds, with the question that is asked in the cycle.
fn told(error: ChainError, chart: &Chart, graph: &Graph, float: bool) -> String {
    let (ChainError::Large { node, .. } | ChainError::Endless { node, .. }) = &error else {
        return format!("interrupted while {} nodes were summed up", chart.len());
    };
    let asked = chart.question(graph, *node);
    let asked = asked.map(|question| format!(" (`{}` asked of `{}`)", question.name, question.who));
    let where_ = asked.unwrap_or_default();
    match error {
        ChainError::Large { .. } if !float => format!(
            "{error}, in exact fractions{where_}; up to {CYCLE_OF_FLOATS} are solved with `--float`"
        ),
        error => format!("{error}{where_}"),
    }
}
