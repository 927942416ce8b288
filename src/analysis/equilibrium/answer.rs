//! The best answer of one side to agents where states lead back to each other: floats between proven bounds.

use std::collections::HashMap;

use indexmap::IndexMap;
use num_bigint::BigInt;

use super::arena::{Arena, Mover};
use super::figure::proven;
use super::lines::sights;
use super::seated::Seated;
use super::{Choice, Figure, Line};
use crate::analysis::chart::Chart;
use crate::analysis::{Amount, Fraction, Interval, fraction};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Crew, Explorer, InformationSets, Kind, allied_words};

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

/// The nodes under the agents, one seat free.
struct Around<'a> {
    seating: &'a Seating,
    chart: Chart,
    seats: Vec<Seat>,
    arena: Arena,
    /// The numbers of the endings' nodes in the graph.
    ends: Vec<u32>,
    /// The information set at each place where the free seat decides, and what it picked already in
    /// the same joint decision.
    sets: HashMap<usize, (usize, String)>,
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
    let around = Around::drawn(seating, explorer, known, free)?;
    if around.arena.cycles().0 == 0 {
        return Ok(None);
    }
    around.sees_all(known)?;
    let go_on = || seating.go_on().is_ok();
    let stuck = |why: super::Why| Error::unsolved(why.to_string());
    let own = around.seats.iter().position(|seat| seat == free).unwrap_or_default();
    let found = around.arena.bounds(&around.worth(own), &go_on).map_err(stuck)?;
    let played = around.arena.fixed(&found.picks, |_| true);
    let mut value = IndexMap::new();
    for (number, seat) in around.seats.iter().enumerate() {
        let worth = match number == own {
            true => found.worth[0],
            false => played.bounds(&around.worth(number), &go_on).map_err(stuck)?.worth[0],
        };
        value.insert(seat.name.clone(), Figure::Within(worth));
    }
    seating.go_on()?;
    let reaches = around.arena.visits(&found.picks, &go_on);
    let strategy = around.lines(known, free, &found.worth, &found.picks, &reaches);
    let mut notes: Vec<String> = proven(&value).into_iter().collect();
    if found.could_stay {
        notes.push(
            "the perfect opponent could go on for ever in places: only ways of playing that end are \
             weighed"
                .to_owned(),
        );
    }
    Ok(Some(Answer { value, strategy, nodes: around.arena.len(), notes }))
}

impl<'a> Around<'a> {
    fn drawn(
        seating: &'a Seating,
        explorer: &Explorer,
        known: &mut InformationSets,
        free: &Seat,
    ) -> Result<Around<'a>, Error> {
        let graph = &*seating.graph;
        let Seated { policies, chart, seats, of_actors } = Seated::at(seating)?;
        let own = seats.iter().position(|seat| seat == free);
        let (mut arena, mut ends, mut sets) = (Arena::default(), Vec::new(), HashMap::new());
        for (place, &number) in chart.numbers().iter().enumerate() {
            if place % 64 == 0 {
                seating.go_on()?;
            }
            let node = graph.node(number);
            let to = |answer: usize| chart.place(node.to(answer)).unwrap_or_default();
            let decides = || of_actors.get(&node.actor()).copied() == own;
            match policies.shares(graph, number, seating.answers()) {
                None => {
                    arena.push(Mover::End(ends.len() as u32), []);
                    ends.push(number);
                }
                Some(_) if node.kind() == Kind::Decision && decides() => {
                    let allied = allied_words(graph, number, &free.players);
                    sets.insert(place, (known.of(explorer, number)?, allied));
                    let steps = (0..node.answers()).map(|answer| (to(answer), Interval::one()));
                    arena.push(Mover::Most, steps);
                }
                Some(shares) => {
                    let weights = shares.weights();
                    let total = weights.iter().map(|(_, weight)| weight).sum();
                    let step = |(answer, weight): &(usize, _)| {
                        (to(*answer), Interval::of_ratio(weight, &total))
                    };
                    arena.push(Mover::Chance, weights.iter().map(step));
                }
            }
        }
        Ok(Around { seating, chart, seats, arena, ends, sets })
    }

    /// Refuses a seat that cannot tell two states apart.
    fn sees_all(&self, known: &InformationSets) -> Result<(), Error> {
        let mut met = HashMap::new();
        for set in self.sets.values() {
            if let Some(told) = known.sets().get(set.0).filter(|_| met.insert(set, ()).is_some()) {
                return Err(Error::unsolved(format!(
                    "states lead back to each other, and `{}` cannot tell two of them apart when `{}` \
                     is asked: what is best then has no bounds that can be proven",
                    told.player, told.name
                )));
            }
        }
        Ok(())
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
        for place in 0..self.chart.len() {
            let Some((number, _)) = self.sets.get(&place) else { continue };
            let Some(rules) = known.sets().get(*number) else { continue };
            let steps = self.arena.steps(place as u32).iter().zip(&rules.options).enumerate();
            let choice =
                |(at, ((to, _), option)): (usize, (&(u32, Interval), &crate::game::Value))| {
                    Choice {
                        option: option.to_string(),
                        weight: Figure::Near(if at == picks[place] as usize { 1.0 } else { 0.0 }),
                        utility: Figure::Near(worth[*to as usize].middle()),
                        dominated: None,
                    }
                };
            let node = self.chart.numbers()[place];
            lines.push(Line {
                reach: reaches[place],
                options: steps.map(choice).collect(),
                ..sights[*number].line(rules, &self.seating.graph, node, &free.players)
            });
        }
        lines
    }
}
