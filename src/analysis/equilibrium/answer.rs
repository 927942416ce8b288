//! The best answer of one side to agents where states lead back to each other: floats between proven bounds.

use std::collections::HashMap;

use indexmap::IndexMap;
use num_bigint::BigInt;

use super::around::Around;
use super::enclosed::for_ever;
use super::figure::proven;
use super::lines::sights;
use super::{Choice, Figure, Line};
use crate::analysis::{Fraction, Interval, fraction};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Explorer, InformationSets};

/// A best answer.
pub struct Answer {
    /// What each seat can expect.
    pub value: IndexMap<String, Figure>,
    /// What is done wherever it may come to that.
    pub strategy: Vec<Line>,
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
pub fn answer(
    seating: &Seating,
    explorer: &Explorer,
    known: &mut InformationSets,
    free: &Seat,
) -> Result<Option<Answer>, Error> {
    let around = Around::draw(seating, explorer, known, free)?;
    if around.arena.cycles().0 == 0 {
        return Ok(None);
    }
    around.sees_all(known)?;
    let go_on = || seating.go_on().is_ok();
    let stuck = |why: super::Why| Error::unsolved(why.to_string());
    let own = around.seats.iter().position(|seat| seat == free).unwrap_or_default();
    let found = around.arena.bounds(&around.worth(own), &go_on).say_something().map_err(stuck)?;
    let played = around.arena.fixed(&found.plays, |_| true);
    let mut value = IndexMap::new();
    for (number, seat) in around.seats.iter().enumerate() {
        let worth = match number == own {
            true => found.worth[0],
            false => played.bounds(&around.worth(number), &go_on).worth[0],
        };
        value.insert(seat.name.clone(), Figure::Within(worth));
    }
    seating.go_on()?;
    let reaches = around.arena.visits(&found.plays, &go_on);
    let strategy = around.lines(known, free, &found.worth, &found.plays.picks, &reaches);
    let mut notes: Vec<String> = proven(&value).into_iter().collect();
    let asked = |place: usize| around.asked(place);
    notes.extend(for_ever(&found, "the perfect opponent", "the players", asked));
    Ok(Some(Answer { value, strategy, nodes: around.chart.len(), notes }))
}

impl Around<'_> {
    /// Refuses a seat that cannot tell two states apart.
    fn sees_all(&self, known: &InformationSets) -> Result<(), Error> {
        let mut met = HashMap::new();
        for asked in self.sets.values() {
            let (set, own) = (asked.set, &asked.allied);
            if let Some(told) =
                known.sets().get(set).filter(|_| met.insert((set, own), ()).is_some())
            {
                return Err(Error::unsolved(format!(
                    "states lead back to each other, and `{}` cannot tell two of them apart when `{}` \
                     is asked: what is best then has no bounds that can be proven",
                    told.player, told.name
                )));
            }
        }
        Ok(())
    }

    /// What is asked at a place, in brackets.
    fn asked(&self, place: usize) -> String {
        match self.chart.question(&self.seating.graph, place) {
            Some(question) => format!(" (`{}` asked of `{}`)", question.name, question.who),
            None => String::new(),
        }
    }

    /// What each ending is worth to a seat: the mean of its players.
    fn worth(&self, seat: usize) -> Vec<Interval> {
        let graph = &self.seating.graph;
        let players = &self.seats[seat].players;
        let of = |&number: &u32| {
            let ending = graph.ending(graph.node(number));
            let utility = |player: &String| fraction(ending?.utility.get(player)?);
            let sum: Fraction = players.iter().filter_map(utility).sum();
            Interval::of_fraction(&(sum / BigInt::from(players.len().max(1))))
        };
        self.ends.iter().map(of).collect()
    }

    fn lines(
        &self,
        known: &InformationSets,
        free: &Seat,
        worth: &[Interval],
        picks: &[u32],
        reaches: &[f64],
    ) -> Vec<Line> {
        let sights = sights(known.sets(), &self.seating.graph);
        let mut lines = Vec::new();
        for place in 0..self.arena.len() {
            let Some(asked) = self.sets.get(&place) else { continue };
            let Some(rules) = known.sets().get(asked.set) else { continue };
            let steps = self.arena.steps(place as u32).iter().zip(&rules.options).enumerate();
            let choice =
                |(at, ((to, _), option)): (usize, (&(u32, Interval), &crate::game::Value))| {
                    Choice {
                        option: option.to_string(),
                        weight: Figure::Near(if at == picks[place] as usize { 1.0 } else { 0.0 }),
                        utility: Figure::Within(worth[*to as usize]),
                        dominated: None,
                    }
                };
            lines.push(Line {
                reach: reaches[place],
                options: steps.map(choice).collect(),
                ..sights[asked.set].line(rules, &self.seating.graph, asked.node, &free.players)
            });
        }
        lines
    }
}
