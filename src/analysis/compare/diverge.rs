//! Finds where two playouts with the same random numbers diverge: step by step, up to the first
//! question or answer that differs. Each is one playout by the script alone.

use super::pair::Pair;
use crate::analysis::portrait::{FunctionUse, side_by_side, under};
use crate::conflict::Seating;
use crate::error::{Divergence, Error, Location};
use crate::game::{Asked, Entry, Generator, Outcome, Record, TimedEvent, asks};
use crate::report::{self, Block};
use crate::script::{Countable, Ear, Rules, Run, Turn, clauses, on_large_stack};

/// A playout under both rules, by the script alone.
pub struct DivergingPlayout {
    /// Its number, from 0.
    pub playout: u64,
    base: WitnessedPlayout,
    house: WitnessedPlayout,
    names: [String; 2],
    /// The number of entries that both have in common.
    common: usize,
}

/// A longer common history is not shown whole, but only its last entries.
const SHOWN: usize = 40;
const LAST: usize = 4;

impl DivergingPlayout {
    /// Plays the first playout of a seed under both.
    ///
    /// # Errors
    /// Those of the rules and agents.
    pub fn of(pair: &Pair, playout: u64, seed: u64) -> Result<DivergingPlayout, Error> {
        let (base, house) =
            (WitnessedPlayout::of(&pair.base, seed)?, WitnessedPlayout::of(&pair.house, seed)?);
        let both = base.steps.iter().zip(&house.steps);
        let alike = both.take_while(|((asked, entry), (other, answer))| {
            is_alike(asked, other) && entry == answer
        });
        let common = alike.count();
        let changed = match pair.changes.len() {
            1 => under(&pair.changes),
            _ => "changed".to_owned(),
        };
        let names = ["rules".to_owned(), changed];
        Ok(DivergingPlayout { playout, base, house, names, common })
    }

    /// Whether all questions and answers are the same, and only the ends differ.
    pub fn only_ends_differ(&self) -> bool {
        self.common == self.base.steps.len() && self.common == self.house.steps.len()
    }

    /// The number of the entry at which the histories diverge, from 1.
    pub fn entry(&self) -> Option<usize> {
        (!self.only_ends_differ()).then_some(self.common + 1)
    }

    /// The functions of the rules that one of both runs more often, those with a clause first.
    pub fn functions(&self) -> Vec<FunctionUse<u64>> {
        let runs = |playout: &WitnessedPlayout| {
            let all = playout.runs.clone().into_iter();
            all.map(|(one, count)| {
                let clause = clauses(&one.comments).map(|(clause, _)| clause.to_owned());
                ((clause, one.name, one.house), count)
            })
        };
        let mut found = side_by_side(runs(&self.base), runs(&self.house));
        found.retain(|one| one.base != one.house);
        found.sort_by_key(FunctionUse::is_nameless);
        found
    }

    /// For people.
    pub fn block(&self) -> Block {
        let mut lines =
            vec![format!("Playout {} is the first that ends differently:", self.playout)];
        self.common_text(&mut lines);
        if self.only_ends_differ() {
            lines.push("the same answers to the same questions, another outcome".to_owned());
        } else {
            lines.push(format!("the histories diverge at entry {}:", self.common + 1));
        }
        let both = self.asked_alike();
        lines.extend(both.then(|| format!("  both: {}", self.asked(&self.base))));
        for (name, playout) in [(&self.names[0], &self.base), (&self.names[1], &self.house)] {
            if !self.only_ends_differ() {
                let asked = match both {
                    true => "the answer is".to_owned(),
                    false => self.asked(playout),
                };
                lines.push(format!("  {name}: {asked}"));
                self.answered_text(playout, &mut lines);
            }
            lines.push(format!("  {name}: {}", ended(&playout.outcome)));
        }
        Block::Sentence(lines.iter().map(|line| aligned(line)).collect::<Vec<_>>().join("\n"))
    }

    /// The entries that both have in common, and announcements that only one made.
    fn common_text(&self, lines: &mut Vec<String>) {
        let mut from = if self.common > SHOWN { self.common - LAST } else { 0 };
        if self.only_ends_differ() {
            // What leads to another end begins where something else is announced.
            let heard = |after: &usize| self.base.heard(*after).ne(self.house.heard(*after));
            from = from
                .max((0..=self.common).find(heard).unwrap_or(self.common + 1).saturating_sub(1));
        }
        if from > 0 {
            let same =
                if from == 1 { "1 entry that is" } else { &format!("{from} entries that are") };
            let then = if from < self.common { ", then" } else { "" };
            lines.push(format!("      {same} the same{then}"));
        } else {
            self.heard_text(0, lines);
        }
        for (number, (_, entry)) in self.base.steps.iter().enumerate().take(self.common).skip(from)
        {
            lines.push(format!("{:>4}  {}", number + 1, entry.in_words()));
            self.heard_text(number + 1, lines);
        }
    }

    fn heard_text(&self, after: usize, lines: &mut Vec<String>) {
        let (base, house): (Vec<&str>, Vec<&str>) =
            (self.base.heard(after).collect(), self.house.heard(after).collect());
        let same = base.iter().zip(&house).take_while(|(one, other)| one == other).count();
        lines.extend(base.iter().take(same).map(|text| format!("      {text}")));
        for (name, heard) in [(&self.names[0], &base), (&self.names[1], &house)] {
            lines.extend(heard.iter().skip(same).map(|text| format!("      {name}: {text}")));
        }
    }

    /// Whether both are asked the same where the histories diverge, and answer otherwise.
    fn asked_alike(&self) -> bool {
        let both = self.base.steps.get(self.common).zip(self.house.steps.get(self.common));
        both.is_some_and(|((asked, _), (other, _))| is_alike(asked, other))
    }

    /// One side's question where the histories diverge, and the function that asks it.
    fn asked(&self, playout: &WitnessedPlayout) -> String {
        let Some((asked, _)) = playout.steps.get(self.common) else {
            return format!("the rules ask {}", Divergence::Over);
        };
        // Where the script asks matters to whoever writes it: the function says enough of it.
        let mut asked = asked.clone();
        let at = match &mut asked {
            Divergence::Asks(asked) => asked.at.take(),
            Divergence::Together(all) => {
                all.iter_mut().rev().filter_map(|asked| asked.at.take()).last()
            }
            Divergence::Over => None,
        };
        let function = at.as_ref().and_then(|at| playout.function(at));
        let function = function.map(|name| format!(", by `{name}`")).unwrap_or_default();
        format!("the rules ask {asked}{function}")
    }

    /// The answer to that, and what was announced then.
    fn answered_text(&self, playout: &WitnessedPlayout, lines: &mut Vec<String>) {
        let Some((_, entry)) = playout.steps.get(self.common) else { return };
        lines.push(format!("{:>4}  {}", self.common + 1, entry.in_words()));
        lines.extend(playout.heard(self.common + 1).map(|text| format!("      {text}")));
    }
}

/// Whether two questions are the same to those who are asked, regardless of their place in the
/// script.
fn is_alike(asked: &Divergence, other: &Divergence) -> bool {
    let same = |one: &Asked, other: &Asked| {
        let named = (one.chance, &one.who, &one.name) == (other.chance, &other.who, &other.name);
        named && one.options == other.options
    };
    match (asked, other) {
        (Divergence::Asks(one), Divergence::Asks(other)) => same(one, other),
        (Divergence::Together(all), Divergence::Together(others)) => {
            all.len() == others.len() && all.iter().zip(others).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}

fn ended(outcome: &Outcome) -> String {
    let utility: Vec<String> = outcome
        .utility
        .iter()
        .map(|(player, number)| format!("{player} {}", report::signed(*number)))
        .collect();
    format!("it ends in `{}`: {}", outcome.result, utility.join(", "))
}

/// A line whose further lines are aligned with its first word.
fn aligned(line: &str) -> String {
    let before = line.len() - line.trim_start().len();
    line.replace('\n', &format!("\n{}", " ".repeat(before)))
}

pub(super) struct WitnessedPlayout {
    /// Each question with its answer, as an entry of the history.
    pub steps: Vec<(Divergence, Entry)>,
    /// The announcements, each with the number of entries before it.
    pub events: Vec<TimedEvent>,
    pub outcome: Outcome,
    /// How often each function of the rules was run.
    pub runs: Vec<(Countable, u64)>,
    functions: Vec<(Location, String)>,
}

impl WitnessedPlayout {
    /// Plays the first playout of a seed by the script alone.
    pub(super) fn of(seating: &Seating, seed: u64) -> Result<WitnessedPlayout, Error> {
        on_large_stack(|| {
            let rules = seating.blueprint.rules()?;
            let mut seats = seating.seats(Generator::playout(seed, 0))?;
            let (mut record, mut asked) = (Record::default(), Vec::new());
            rules.count_calls();
            let mut run = Run::begin(&rules, &seating.setup, Ear::Events);
            let outcome = loop {
                match run.next()? {
                    Turn::Event => record.hear(run.event()),
                    Turn::Step => {}
                    Turn::Question => run.answer_by(|question| {
                        if question.part().is_none_or(|(nth, _)| nth == 0) {
                            asked.push(asks(question));
                        }
                        let answer = seats.choose(question)?;
                        record.note(question, answer);
                        Ok(answer)
                    })?,
                    Turn::Done => break run.outcome().cloned().unwrap_or_else(Outcome::none),
                }
            };
            let counted = rules.counted();
            let runs = |one: Countable| {
                let calls = counted.calls.iter().find(|(number, _)| *number == one.number);
                Some((one, calls?.1))
            };
            Ok(WitnessedPlayout {
                steps: asked.into_iter().zip(record.history.entries).collect(),
                events: record.events,
                outcome,
                runs: rules.countable().into_iter().filter_map(runs).collect(),
                functions: functions(&rules),
            })
        })
    }

    pub(super) fn heard(&self, after: usize) -> impl Iterator<Item = &str> {
        let heard = self.events.iter().filter(move |heard| heard.after == after);
        heard.map(|heard| heard.text.as_str())
    }

    pub(super) fn function(&self, at: &Location) -> Option<&str> {
        let before = self
            .functions
            .iter()
            .filter(|(begins, _)| begins.file == at.file && begins.line <= at.line);
        before.max_by_key(|(begins, _)| begins.line).map(|(_, name)| name.as_str())
    }
}

/// The place where each function of all layers begins. Functions are not nested.
fn functions(rules: &Rules) -> Vec<(Location, String)> {
    let place = |function: &crate::script::RuleFunction| {
        Some((function.at.clone()?, function.name.clone()))
    };
    rules.functions().filter_map(place).collect()
}
