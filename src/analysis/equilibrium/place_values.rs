//! One step of backward induction: the value of a place and the best play there, given what follows.
//!
//! A joint decision is solved as the matrix game of what follows each pair of options (Shapley,
//! Proceedings of the National Academy of Sciences 39, 1953).

use super::UnsolvedReason;
use super::board::{Board, JointDecision, Mover, Opposed};
use super::matrix::{PayoffMatrix, Scalar, even_share, evenly, least, most};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlacePlay<W> {
    None,
    /// The options of a turn that are best; each is picked as often.
    Best(Vec<u32>),
    /// The weights of both sides' options in a joint decision.
    Mixed([Vec<W>; 2]),
}

/// The values of all places, and the play there.
pub(crate) struct Values<W> {
    /// The number of values of each place: one if one side wins what the other loses, else one for
    /// each side.
    pub width: usize,
    /// The numbers, place by place.
    pub worth: Vec<W>,
    pub(crate) plans: Vec<PlacePlay<W>>,
    /// What is known of values that were approached; nothing where none were.
    pub(crate) repeats: Option<Repeats>,
}

/// What is known of the values of places that lead back to each other, where they were approached from below and from
/// above.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repeats {
    /// How far both are apart, all together.
    pub apart: f64,
    /// Whether one side could stay somewhere for ever.
    pub could_stay: bool,
    /// How many places there are where both could stay together, or which nobody can leave.
    pub endless: usize,
}

/// One way through a board.
pub(crate) struct Pass<'a, W> {
    pub board: &'a Board,
    /// Whether two sides play, and one wins what the other loses.
    pub(crate) zero_sum: bool,
    /// The one side that is free, against the given play of the others; without it all sides are
    /// free. All numbers are then that side's own.
    pub against: Option<(usize, &'a [PlacePlay<W>])>,
    /// Returns whether to continue.
    pub may_continue: &'a dyn Fn() -> bool,
    ends: Vec<Vec<W>>,
    /// The shares of chance, by their numbers in the weights of the game.
    shares: Vec<W>,
    /// Differences up to this are none.
    pub(crate) tiny: W,
}

impl<'a, W: Scalar> Pass<'a, W> {
    /// A way through a board on which all sides are free.
    pub(crate) fn new(
        board: &'a Board,
        zero_sum: bool,
        may_continue: &'a dyn Fn() -> bool,
    ) -> Pass<'a, W> {
        let ends: Vec<Vec<W>> =
            board.worth.iter().map(|worth| worth.iter().map(W::of).collect()).collect();
        let bounds =
            |range: (f64, f64), worth: &W| (range.0.min(worth.about()), range.1.max(worth.about()));
        let range = ends.iter().flatten().fold((f64::INFINITY, f64::NEG_INFINITY), bounds);
        let tiny = W::tiny(range.1 - range.0);
        let shares = board.game.weights.fractions(W::of);
        Pass { board, zero_sum, against: None, may_continue, ends, shares, tiny }
    }

    /// The same way where one side alone is free, with its numbers alone. Its play is the best to
    /// the last bit: a certificate forgives no difference.
    pub(crate) fn against(self, seat: usize, plans: &'a [PlacePlay<W>]) -> Pass<'a, W> {
        Pass { against: Some((seat, plans)), zero_sum: false, tiny: W::zero(), ..self }
    }

    pub(crate) fn plan(
        &self,
        place: usize,
        values: &Values<W>,
    ) -> Result<PlacePlay<W>, UnsolvedReason> {
        if let Mover::Side(seat) = self.board.movers[place] {
            let seat = seat as usize;
            return Ok(match self.against {
                Some((free, plans)) if free != seat => plans[place].clone(),
                _ => {
                    let to = self.board.game.to.of(place).iter();
                    PlacePlay::Best(self.best(seat, to.map(|&to| values.of(to, self.index(seat)))))
                }
            });
        }
        let Some(joint) = self.board.table_at(place) else { return Ok(PlacePlay::None) };
        Ok(match self.against {
            None => match W::equilibrium(&self.table(joint, values), self.may_continue) {
                Some(mixed) => PlacePlay::Mixed([mixed.rows, mixed.columns]),
                None if (self.may_continue)() => return Err(UnsolvedReason::Rounded),
                None => return Err(UnsolvedReason::Stopped),
            },
            Some((free, plans)) => match &plans[place] {
                PlacePlay::Mixed(mixed) if free < mixed.len() => {
                    let given = self.table(joint, values).against(free, &mixed[1 - free]);
                    let mut both = mixed.clone();
                    both[free] = evenly(&self.best(free, given.iter()), joint.size[free]);
                    PlacePlay::Mixed(both)
                }
                other => other.clone(),
            },
        })
    }

    pub(crate) fn worth(&self, place: usize, plan: &PlacePlay<W>, values: &Values<W>) -> Vec<W> {
        if let Mover::End(ending) = self.board.movers[place] {
            let from = self.against.map_or(0, |(free, _)| free);
            return self.ends[ending as usize][from..from + values.width].to_vec();
        }
        let mut worth = vec![W::zero(); values.width];
        for (to, share) in self.steps(place, plan) {
            for (at, worth) in worth.iter_mut().enumerate() {
                *worth = worth.clone() + values.of(to, at).clone() * share.clone();
            }
        }
        worth
    }

    /// The least and the greatest number of an ending; nothing where there is none.
    pub(crate) fn range(&self) -> Option<(W, W)> {
        let own = self.against.map_or(0, |(free, _)| free);
        let all = || self.ends.iter().filter_map(|ends| ends.get(own).cloned());
        Some((all().reduce(least)?, all().reduce(most)?))
    }

    /// The places that follow under a plan, each with its probability.
    pub(crate) fn steps(&self, place: usize, plan: &PlacePlay<W>) -> Vec<(u32, W)> {
        let to = self.board.next(place);
        match (self.board.movers[place], plan) {
            (Mover::Chance, _) => {
                let shares = self.board.game.weights.of[self.board.game.to.range(place)].iter();
                let shares = shares.map(|&share| self.shares[share as usize].clone());
                to.iter().copied().zip(shares).collect()
            }
            (Mover::Side(_), PlacePlay::Best(best)) => {
                let share = even_share::<W>(best.len());
                best.iter().map(|&at| (to[at as usize], share.clone())).collect()
            }
            (Mover::Both(_), PlacePlay::Mixed([rows, columns])) => {
                let mut steps = Vec::new();
                for (row, weight) in rows.iter().enumerate().filter(|(_, weight)| !weight.is_zero())
                {
                    for (column, other) in columns.iter().enumerate().filter(|(_, w)| !w.is_zero())
                    {
                        let to = to[row * columns.len() + column];
                        steps.push((to, weight.clone() * other.clone()));
                    }
                }
                steps
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn options(&self, place: usize, seat: usize, values: &Values<W>) -> Vec<W> {
        let own = |number: &W| self.own(seat, number);
        match (self.board.table_at(place), &values.plans[place]) {
            (Some(joint), PlacePlay::Mixed(mixed)) => {
                let given = self.table(joint, values).against(seat, &mixed[1 - seat]);
                given.iter().map(own).collect()
            }
            _ => {
                let worth = self.board.next(place).iter();
                worth.map(|&to| own(values.of(to, self.index(seat)))).collect()
            }
        }
    }

    /// The number of a place as the side counts it.
    pub(crate) fn own(&self, seat: usize, number: &W) -> W {
        match &self.board.opposed {
            Some(Opposed { most, rate }) if self.zero_sum && seat == 1 => {
                W::of(most) - W::of(rate) * number.clone()
            }
            _ => number.clone(),
        }
    }

    pub(crate) fn index(&self, seat: usize) -> usize {
        if self.zero_sum || self.against.is_some() { 0 } else { seat }
    }

    /// What follows each pair of options of a joint decision.
    pub(crate) fn table(&self, joint: &JointDecision, values: &Values<W>) -> PayoffMatrix<W> {
        let cells = joint.to.iter().map(|&to| values.of(to, 0).clone()).collect();
        PayoffMatrix::new(joint.size[0], joint.size[1], cells)
    }

    /// The options that are as good as any for a side.
    fn best<'v>(&self, seat: usize, options: impl Iterator<Item = &'v W> + Clone) -> Vec<u32>
    where
        W: 'v,
    {
        let wants_less = self.zero_sum && seat == 1;
        let better = if wants_less { least } else { most };
        let Some(best) = options.clone().reduce(better) else { return Vec::new() };
        let good =
            |(_, option): &(usize, &W)| ((*option).clone() - best.clone()).abs() <= self.tiny;
        options.enumerate().filter(good).map(|(at, _)| at as u32).collect()
    }
}

impl<W: Scalar> Values<W> {
    pub(crate) fn of(&self, place: u32, at: usize) -> &W {
        &self.worth[place as usize * self.width + at]
    }

    pub(crate) fn set(&mut self, place: usize, worth: Vec<W>, plan: PlacePlay<W>) {
        for (at, worth) in worth.into_iter().enumerate() {
            self.worth[place * self.width + at] = worth;
        }
        self.plans[place] = plan;
    }
}
