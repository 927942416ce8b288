//! Strategy: what the conflict is worth to perfect players, and how mixed their play is.

use super::portrait_measure::Measure;
use crate::analysis::equilibrium::{Solution, Solved, Solving};
use crate::analysis::{Fraction, Interval, Number, SolutionNumber, Stage, exact_utility};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Ending, WorkerFactory};

/// Graphs of more nodes are not solved; of those in which something is hidden, or decided together.
const NODES: u64 = 20_000;
const NODES_OF_HIDDEN: u64 = 1_500;

/// The solution of a conflict, if it is small enough; the sides' most is what any of them may win or
/// lose.
pub(super) fn solution(
    seating: &Seating,
    threads: usize,
    most: f64,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Option<Solution>, Error> {
    let (explorer, _) = seating.make_worker()?;
    let graph = &seating.graph;
    let mut questions = 0..;
    let together = questions
        .by_ref()
        .map_while(|number| graph.question_of(number))
        .any(|asked| asked.part.is_some());
    let nodes = if explorer.rules().hides() || together { NODES_OF_HIDDEN } else { NODES };
    drop(explorer);
    if graph.nodes() > nodes {
        return Ok(None);
    }
    let within = if most > 0.0 { Solving::WITHIN * most } else { Solving::WITHIN };
    let solving = Solving { exact: true, within, time: None, threads, nodes, checkpoint: None };
    // How it solves is no part of what a portrait says.
    let progress = |stage: Stage| {
        if !matches!(stage, Stage::Notice(_)) {
            progress(stage);
        }
    };
    let solved = Solved::find(seating, solving, &progress)?;
    seating.is_wanted()?;
    Ok(solved.found.ok().filter(|solution| solution.exploitability <= within))
}

/// What perfect players have.
pub(super) fn values(solution: &Solution) -> Vec<Measure> {
    let value = |(seat, value): (&String, &SolutionNumber)| {
        let name = format!("fairness.value.{seat}");
        let number = match value {
            SolutionNumber::Exact(exact) => Number::Exact(exact.clone()),
            SolutionNumber::Within(bounds) => Number::Enclosed(*bounds),
            // Nobody gains more than this by playing otherwise.
            SolutionNumber::Near(value) => {
                let off = solution.exploitability;
                Number::Enclosed(Interval { low: value - off, high: value + off })
            }
        };
        Measure::new(name, "utility", &number)
    };
    solution.value.iter().map(value).collect()
}

/// How mixed the play is, by seat, and how much of what is offered it never picks.
pub(super) fn measures(solution: &Solution, seating: &Seating) -> Vec<Measure> {
    let reached = || solution.strategy.iter().filter(|line| line.reach > 0.0);
    let mut all = Vec::new();
    for seat in seating.players.seats() {
        let own = || reached().filter(|line| seat.players.contains(&line.player));
        let often: f64 = own().map(|line| line.reach).sum();
        if often <= 0.0 {
            continue;
        }
        let bits = |weight: f64| if weight > 0.0 { -weight * weight.log2() } else { 0.0 };
        let entropy = own().map(|line| {
            line.reach * line.options.iter().map(|one| bits(one.weight_number)).sum::<f64>()
        });
        let name = format!("strategy.entropy.{}", seat.name);
        all.push(Measure::close(name, "bits", entropy.sum::<f64>() / often));
    }
    let (mut offered, mut unused) = (0.0, 0.0);
    for choice in reached().flat_map(|line| &line.options) {
        offered += 1.0;
        unused += f64::from(u8::from(choice.weight_number <= 0.0));
    }
    if offered > 0.0 {
        all.push(Measure::close("strategy.unused", "share", unused / offered));
    }
    all
}

// Who won: the verdict of an ending, and what each seat has of it.

/// What an ending is worth to each seat: the mean of its players.
pub(super) fn worths(ending: &Ending, seats: &[Seat]) -> Vec<Fraction> {
    seats.iter().map(|seat| exact_utility(seat, ending)).collect()
}

/// Who won, and by how much.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Verdict {
    /// The numbers of the seats that have most; none where all have the same.
    pub(crate) winners: Vec<usize>,
    /// How much more they have than the next; 0 where all have the same.
    pub margin: Fraction,
}

impl Verdict {
    /// The verdict where each seat has so much.
    pub(super) fn of(worths: &[Fraction]) -> Verdict {
        let most = worths.iter().max().cloned().unwrap_or_default();
        let winners: Vec<usize> = (0..worths.len()).filter(|&seat| worths[seat] == most).collect();
        match worths.iter().filter(|worth| **worth < most).max() {
            Some(next) => Verdict { winners, margin: &most - next },
            None => Verdict { winners: Vec::new(), margin: Fraction::default() },
        }
    }
}

/// The verdicts that are possible, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdicts(Vec<Vec<usize>>);

/// Of more verdicts than these the drama is not computed.
pub(super) const MOST: usize = 32;

impl Verdicts {
    /// The number of a verdict, a new one where it was not met before.
    pub(super) fn number(&mut self, winners: &[usize]) -> usize {
        match self.0.iter().position(|known| known == winners) {
            Some(known) => known,
            None => {
                self.0.push(winners.to_vec());
                self.0.len() - 1
            }
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether somebody wins by a verdict.
    pub(super) fn is_won(&self, number: usize) -> bool {
        self.0.get(number).is_some_and(|winners| !winners.is_empty())
    }

    /// The verdict by which somebody wins that is likelier than all others by which somebody does.
    pub(super) fn leader(&self, beliefs: &[f64]) -> Option<usize> {
        let mut won = (0..beliefs.len()).filter(|&number| self.is_won(number)).collect::<Vec<_>>();
        won.sort_by(|a, b| beliefs[*b].total_cmp(&beliefs[*a]));
        match won[..] {
            [] => None,
            [only] => Some(only),
            [first, second, ..] => (beliefs[first] > beliefs[second] + SAME).then_some(first),
        }
    }
}

/// Chances that differ by less are the same but for rounding.
pub(super) const SAME: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(worths: &[i64]) -> (Vec<usize>, String) {
        let worths: Vec<Fraction> =
            worths.iter().map(|&n| Fraction::from_integer(n.into())).collect();
        let Verdict { winners, margin } = Verdict::of(&worths);
        (winners, margin.to_string())
    }

    #[test]
    fn those_win_who_have_most_unless_all_have_the_same() {
        assert_eq!(verdict(&[1, -1]), (vec![0], "2".to_owned()));
        assert_eq!(verdict(&[3, 3, 1, 0]), (vec![0, 1], "2".to_owned()));
        assert_eq!(verdict(&[2, 2]), (Vec::new(), "0".to_owned()));
        assert_eq!(verdict(&[5]), (Vec::new(), "0".to_owned()));
    }

    #[test]
    fn nobody_leads_where_two_are_equally_likely_to_win() {
        let mut verdicts = Verdicts::default();
        let [tie, first, second] = [&[][..], &[0], &[1]].map(|winners| verdicts.number(winners));
        assert_eq!((tie, first, second, verdicts.number(&[0])), (0, 1, 2, 1));
        assert_eq!(verdicts.leader(&[0.9, 0.05, 0.05]), None);
        assert_eq!(verdicts.leader(&[0.0, 0.4, 0.6]), Some(second));
    }
}
