//! Choice: how many options of decisions are sensible, and which are never best.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::portrait_measure::Measure;
use super::valued_graph::ValuedGraph;
use crate::error::Error;
use crate::game::Value;
use crate::graph::{InformationSets, NodeKind, WorkerFactory};
use crate::number::{Amount, Fraction, Quantity};

/// An option of a question that a player is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionUse {
    pub player: String,
    /// The name of the decision.
    pub question: String,
    pub option: String,
    /// The share of these decisions in which it is offered.
    pub offered: f64,
    /// The share of those in which nothing is better; 0 for a dead option.
    pub best: f64,
    /// In how many decisions from playouts it was weighed; left out on the graph, where all count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weighed: Option<u64>,
}

/// Fewer decisions from playouts say of no option that it is dead: by the rule of three, one that is
/// best in a tenth of them is missed by as many with a chance of 5 %.
const ENOUGH: u64 = 30;

impl OptionUse {
    /// Whether it is never best, as far as that can be said.
    pub(crate) fn is_dead(&self) -> bool {
        self.best == 0.0 && self.weighed.is_none_or(|weighed| weighed >= ENOUGH)
    }
}

/// An option is sensible that gives up no more than this share of all that the seat may win or lose.
pub(super) const SENSIBLE: f64 = 0.05;
/// Values that differ by less, in relation to all that the seat may win or lose, are equal.
const ROUNDING: f64 = 1e-9;
/// Of more kinds of options than these the others are not listed.
const LISTED: usize = 5_000;
/// An option of more characters than these is cut.
const LONG: usize = 120;

/// A decision, or all that look alike to who decides.
pub(super) struct WeighedDecision<'a> {
    pub player: &'a str,
    pub question: &'a str,
    /// What is offered.
    pub options: &'a [Value],
    /// What the player can expect after each.
    pub worth: &'a [f64],
    /// By how much what each gives up may be another.
    pub off: &'a [f64],
    /// The most that the player may win or lose.
    pub range: f64,
}

impl WeighedDecision<'_> {
    /// Whether only one option is sensible: at least, as far as is known, and at most.
    pub(super) fn is_forced(&self) -> [bool; 3] {
        let most = self.worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let given_up = SENSIBLE * self.range + self.rounding();
        [1.0, 0.0, -1.0].map(|way| {
            let pairs = self.worth.iter().zip(self.off);
            pairs.filter(|(worth, off)| most - *worth <= given_up + way * *off).count() <= 1
        })
    }

    fn rounding(&self) -> f64 {
        ROUNDING * self.range.max(f64::MIN_POSITIVE)
    }

    /// The options that give up nothing.
    fn best(&self) -> impl Iterator<Item = usize> {
        let most = self.worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = most - self.rounding();
        (0..self.worth.len()).filter(move |&option| self.worth[option] >= least)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct OptionTable {
    asked: IndexMap<(String, String), f64>,
    options: IndexMap<(usize, String), ([f64; 2], u64)>,
}

impl OptionTable {
    pub(super) fn add(&mut self, decision: &WeighedDecision<'_>, weight: f64) {
        let question = (decision.player.to_owned(), decision.question.to_owned());
        let asked = self.asked.entry(question);
        let number = asked.index();
        *asked.or_default() += weight;
        let mut best = vec![0.0; decision.options.len()];
        decision.best().for_each(|option| best[option] = weight);
        for (option, best) in decision.options.iter().zip(best) {
            let text: String = option.to_string().chars().take(LONG).collect();
            let key = (number, text);
            if self.options.len() >= LISTED && !self.options.contains_key(&key) {
                continue;
            }
            let ([offered, won], count) = self.options.entry(key).or_default();
            *offered += weight;
            *won += best;
            *count += 1;
        }
    }

    /// The shares, question by question; `counted` where each decision counts as one of a sample.
    /// Options that are numbers are in the order of the numbers, the others as they were met.
    pub(super) fn uses(&self, counted: bool) -> Vec<OptionUse> {
        let described =
            |((number, option), ([offered, best], count)): (&(usize, String), &([f64; 2], u64))| {
                let ((player, question), asked) = self.asked.get_index(*number)?;
                Some(OptionUse {
                    player: player.clone(),
                    question: question.clone(),
                    option: option.clone(),
                    offered: share(*offered, *asked),
                    best: share(*best, *offered),
                    weighed: counted.then_some(*count),
                })
            };
        let mut all: Vec<OptionUse> = self.options.iter().filter_map(described).collect();
        let number = |one: &OptionUse| one.option.parse::<i64>().unwrap_or(i64::MAX);
        all.sort_by(|a, b| {
            let question = (&a.player, &a.question).cmp(&(&b.player, &b.question));
            question.then_with(|| number(a).cmp(&number(b)))
        });
        all
    }
}

/// A share of sums, which may miss 1 by their last digits.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 && (part - whole).abs() > ROUNDING * whole {
        part / whole
    } else {
        f64::from(part > 0.0)
    }
}

struct AlikeDecisions<A> {
    place: usize,
    visits: A,
    worth: Vec<f64>,
}

pub(super) fn measures<A: Amount>(
    valued: &ValuedGraph<'_, A>,
) -> Result<(Vec<Measure>, Vec<OptionUse>), Error> {
    let (visited, graph) = (&valued.visited, &*valued.seating.graph);
    let (explorer, _) = valued.seating.make_worker()?;
    let hides = explorer.rules().hides();
    let mut sets = InformationSets::default();
    let mut numbers: IndexMap<Result<usize, usize>, AlikeDecisions<A>> = IndexMap::new();
    for place in 0..visited.game.len() {
        let node = visited.node(graph, place);
        if node.kind() != NodeKind::Decision || !visited.is_visited(place) {
            continue;
        }
        valued.seating.may_continue()?;
        let Some(asked) = visited.game.question(graph, place) else { continue };
        let key = match hides || asked.part.is_some() {
            true => Ok(sets.of(&explorer, visited.game.nodes[place])?),
            false => Err(place),
        };
        let visits = &visited.visits[place];
        let seat = valued.seat_of(&asked.who);
        let expected = |to: usize| seat.map_or(0.0, |seat| valued.expected(to, seat).about());
        let weight = visits.about();
        let worth = visited.edges(place).map(|edge| weight * expected(edge.to));
        let alike = numbers.entry(key).or_insert_with(|| {
            let worth = vec![0.0; visited.edges(place).len()];
            AlikeDecisions { place, visits: A::zero(), worth }
        });
        alike.visits.add_assign(visits);
        alike.worth.iter_mut().zip(worth).for_each(|(sum, more)| *sum += more);
    }
    let (mut decisions, mut forced) = (A::zero(), A::zero());
    let (mut most, mut table) = (0, OptionTable::default());
    for AlikeDecisions { place, visits, worth } in numbers.into_values() {
        let Some(asked) = visited.game.question(graph, place) else { continue };
        let weight = visits.about();
        let worth: Vec<f64> = worth.into_iter().map(|sum| sum / weight).collect();
        let range = valued.seat_of(&asked.who).map_or(0.0, |seat| valued.range[seat]);
        let (player, question) = (asked.who.as_str(), asked.name.as_str());
        let (options, off) = (asked.values(), &vec![0.0; worth.len()][..]);
        let decision = WeighedDecision { player, question, options, worth: &worth, off, range };
        table.add(&decision, weight);
        decisions.add_assign(&visits);
        most = most.max(asked.len());
        if decision.is_forced()[1] {
            forced.add_assign(&visits);
        }
    }
    let mut all = Vec::new();
    if let Some(forced) = forced.quantity().over(&decisions.quantity()) {
        let most = Quantity::exact(Fraction::from_integer(most.into()));
        all.push(Measure::new("choice.most", &most));
        all.push(Measure::new("choice.forced", &forced));
    }
    Ok((all, table.uses(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_is_never_best_has_a_share_of_0() {
        let options = ["a", "b", "c"].map(Value::from);
        let mut table = OptionTable::default();
        let weighed = |worth: &'static [f64], count: usize| WeighedDecision {
            player: "red",
            question: "pick",
            options: &options[..count],
            worth,
            off: &[0.3; 3][..count],
            range: 10.0,
        };
        // Of three decisions the second is reached twice as often: a is best there, b in the first, and
        // in the third both are.
        table.add(&weighed(&[1.0, 2.0, 1.9], 3), 1.0);
        table.add(&weighed(&[3.0, 2.0], 2), 2.0);
        table.add(&weighed(&[5.0, 5.0, 1.0], 3), 1.0);
        let shares = table.uses(false).into_iter().map(|one| (one.option, one.offered, one.best));
        let described = |text: &str, offered, best| (text.to_owned(), offered, best);
        assert_eq!(
            shares.collect::<Vec<_>>(),
            [described("a", 1.0, 0.75), described("b", 1.0, 0.5), described("c", 0.5, 0.0)]
        );
        let faces = [10, 2, 1].map(Value::Int);
        let throw = WeighedDecision { options: &faces, ..weighed(&[1.0, 2.0, 3.0], 3) };
        table.add(&WeighedDecision { question: "throw", ..throw }, 1.0);
        let options: Vec<String> = table.uses(false).into_iter().map(|one| one.option).collect();
        assert_eq!(options, ["a", "b", "c", "1", "2", "10"]);
        // 5 % of 10 is 0.5: in the first decision 1.9 is sensible beside 2; 2 beside 3 is not, however far it is off; 2.3
        // may be, and 2.6 need not be.
        assert_eq!(weighed(&[1.0, 2.0, 1.9], 3).is_forced(), [false; 3]);
        assert_eq!(weighed(&[3.0, 2.0], 2).is_forced(), [true; 3]);
        assert_eq!(weighed(&[3.0, 2.3], 2).is_forced(), [false, true, true]);
        assert_eq!(weighed(&[3.0, 2.6], 2).is_forced(), [false, false, true]);
    }
}
