//! The best response of one side to agents where states form cycles: floats between proven bounds.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::super::forms::board::Mover;
use super::super::forms::cyclic_game::{StochasticGame, range};
use super::super::forms::one_free_seat::OneFreeSeat;
use super::super::forms::strategy_lines::sights;
use super::super::solution_number::proven;
use super::super::{Choice, SolutionNumber, StrategyLine};
use super::open_games::{UTILITIES, for_ever};
use crate::analysis::{exact_utility, explore_unmanned};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Bounds, Ending, Explorer, Graph, InformationSets, Reach};
use crate::number::Interval;

pub(crate) struct BestAnswer {
    /// What each seat can expect.
    pub value: IndexMap<String, SolutionNumber>,
    /// What is done at each information set.
    pub strategy: Vec<StrategyLine>,
    /// How many nodes may be met.
    pub nodes: usize,
    /// What else is to be known.
    pub notes: Vec<String>,
}

/// Finds the best answer of a seat in a graph that has been explored under the agents in the others;
/// nothing where no states lead back to each other.
///
/// # Errors
/// Those of the rules' `view` and of the agents; [`Error::Unsolved`] where the seat does not see all,
/// or nobody can leave some states.
pub(crate) fn answer(
    seating: &Seating,
    explorer: &Explorer,
    known: &mut InformationSets,
    free: &Seat,
    threads: usize,
) -> Result<Option<BestAnswer>, Error> {
    let form = OneFreeSeat::draw(seating, explorer, known, free)?;
    if form.game.cycles().0 == 0 {
        return Ok(None);
    }
    form.sees_all(known)?;
    let may_continue = || seating.may_continue().is_ok();
    let own = form.seats.iter().position(|seat| seat == free).unwrap_or_default();
    let ends: Vec<Vec<Interval>> = form.seats.iter().map(|seat| form.worth(seat)).collect();
    let mut ranges: Vec<Option<Interval>> =
        ends.iter().map(|of| range(of.iter().copied())).collect();
    let mut found = form.game.bounds(&ends[own], &may_continue);
    let mut range_words = "between the least and the greatest utility of the endings reached here";
    if found.endless.size > 0 {
        seating.may_continue()?;
        // What for ever is worth does not depend on who plays.
        if let Some(all) = Endings::of(seating, threads)? {
            ranges = form.seats.iter().map(|seat| all.range(seat)).collect();
            found = form.game.bounds_within(ranges[own], &ends[own], &may_continue);
            range_words = UTILITIES;
        }
    }
    let found = found.say_something().map_err(|why| Error::unsolved(why.to_string()))?;
    // Where only bounds are known of the best, they are known of no pick.
    let unknown = found.is_wide(found.worth[0].width());
    let played = form.game.fixed(&found.plays, |_| true);
    let mut value = IndexMap::new();
    for (number, seat) in form.seats.iter().enumerate() {
        let of = |game: &StochasticGame| {
            game.bounds_within(ranges[number], &ends[number], &may_continue).worth[0]
        };
        let worth = match (number == own, unknown) {
            (true, _) => found.worth[0],
            (false, false) => of(&played),
            (false, true) => Interval {
                low: of(&form.game.narrowed(&found.worth, Mover::LEAST)).low,
                high: of(&form.game.narrowed(&found.worth, Mover::MOST)).high,
            },
        };
        value.insert(seat.name.clone(), SolutionNumber::Within(worth));
    }
    seating.may_continue()?;
    let reaches = form.game.visits(&found.plays, &may_continue);
    let strategy = form.lines(known, free, &found.worth, &found.plays.picks, &reaches);
    let mut notes: Vec<String> = proven(&value).into_iter().collect();
    let asked = form.explored.question(&seating.graph, found.endless.place);
    notes.extend(for_ever(&found, ("the perfect opponent", "it"), range_words, asked));
    Ok(Some(BestAnswer { value, strategy, nodes: form.explored.len(), notes }))
}

impl OneFreeSeat<'_> {
    /// Refuses a seat that cannot distinguish two states.
    fn sees_all(&self, known: &InformationSets) -> Result<(), Error> {
        let mut met = HashMap::new();
        for asked in self.sets.values() {
            let (set, own) = (asked.set, &asked.allied);
            if let Some(range_words) =
                known.sets().get(set).filter(|_| met.insert((set, own), ()).is_some())
            {
                return Err(Error::unsolved(format!(
                    "states form a cycle, and `{}` cannot distinguish two of them when `{}` is asked: \
                     no bounds of what is best then can be proven",
                    range_words.asked.who, range_words.asked.name
                )));
            }
        }
        Ok(())
    }

    /// What each ending is worth to a seat.
    fn worth(&self, seat: &Seat) -> Vec<Interval> {
        let graph = &self.seating.graph;
        let of = |number: &u32| graph.ending_of(*number).map(|ending| worth(ending, seat));
        self.endings.iter().map(|number| of(number).unwrap_or(Interval::exact(0.0))).collect()
    }

    fn lines(
        &self,
        known: &InformationSets,
        free: &Seat,
        worth: &[Interval],
        picks: &[u32],
        reaches: &[f64],
    ) -> Vec<StrategyLine> {
        let sights = sights(known.sets(), &self.seating.graph);
        let mut lines = Vec::new();
        for place in 0..self.game.len() {
            let Some(asked) = self.sets.get(&place) else { continue };
            let Some(rules) = known.sets().get(asked.set) else { continue };
            let steps = self.game.steps(place as u32).iter().zip(rules.asked.values()).enumerate();
            let choice =
                |(at, ((to, _), option)): (usize, (&(u32, Interval), &crate::game::Value))| {
                    let weight = if at == picks[place] as usize { 1.0 } else { 0.0 };
                    Choice::new(option, weight, worth[*to as usize])
                };
            lines.push(StrategyLine {
                reach: reaches[place],
                options: steps.map(choice).collect(),
                ..sights[asked.set].line(rules, &self.seating.graph, asked.node, &free.players)
            });
        }
        lines
    }
}

/// A larger conflict is not explored for the sake of its endings.
const NODES: u64 = 200_000;

/// What an ending is worth to a seat: the mean of its players.
pub(crate) fn worth(ending: &Ending, seat: &Seat) -> Interval {
    Interval::of_fraction(&exact_utility(seat, ending))
}

/// All endings of a conflict, each of them once.
pub(crate) struct Endings(std::sync::Arc<Graph>);

impl Endings {
    /// Explores a conflict with all seats free, in a graph of its own; nothing where that is too large.
    pub(crate) fn of(seating: &Seating, threads: usize) -> Result<Option<Endings>, Error> {
        let whole = seating.afresh(seating.budget().bound() / 4);
        // That the graph has no room is no reason for all other work to stop.
        let whole = whole.under(whole.budget().begin(None));
        let bounds = Bounds { threads, nodes: NODES };
        let Some(reach) = explore_unmanned(&whole, bounds)? else { return Ok(None) };
        seating.may_continue()?;
        Ok((reach == Reach::Whole).then_some(Endings(whole.graph)))
    }

    /// The least and the greatest utility of a seat.
    pub(crate) fn range(&self, seat: &Seat) -> Option<Interval> {
        range(self.0.endings().map(|(_, ending)| worth(ending, seat)))
    }
}
