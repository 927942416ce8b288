//! Prints a solution as text: the values, then the strategy, the most reached information sets first,
//! with drawings of what players see there.

use std::collections::{BTreeMap, HashMap};

use super::super::{Choice, Solution, StrategyLine};
use crate::game::Value;
use crate::graph::InformationSet;
use crate::render;
use crate::script::{Rules, State};

/// The most information sets that are printed; the rest is in the file of `--save` and in `--json`.
pub(crate) const SHOWN: usize = 24;

/// The most equilibria that are printed beside the first.
const FURTHER: usize = 7;

impl Solution {
    /// For people: what it means, then the numbers.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        self.as_text_about("", width, plain)
    }

    /// As [`Solution::as_text`], with what kind of game it is between the two.
    pub(crate) fn as_text_about(&self, kind: &str, width: usize, plain: bool) -> String {
        let meaning = render::wrapped(&self.meaning(), width);
        format!("{meaning}\n\n{kind}{}", self.numbers(width, plain))
    }

    fn numbers(&self, width: usize, plain: bool) -> String {
        let mut parts = vec![self.heading()];
        let rows: Vec<Vec<String>> =
            self.value.iter().map(|(side, value)| vec![side.clone(), value.as_utility()]).collect();
        parts.push(render::table(&["side", "value"], &rows, width, plain));
        parts.extend(self.notes.iter().map(|note| render::wrapped(note, width)));
        // What is never reached is printed only where there is room.
        let shown = self.strategy.iter().take(SHOWN);
        parts.extend(shown.map(|line| line.as_text(width, plain)));
        if let Some(more) = self.strategy.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            parts.push(format!("… and {more} information sets more (`--save FILE`, `--json`)"));
        }
        for (number, other) in self.further.iter().enumerate().take(FURTHER) {
            parts.push(format!("equilibrium {}\n{}", number + 2, other.numbers(width, plain)));
        }
        if let Some(more @ 1..) = self.further.len().checked_sub(FURTHER) {
            parts.push(format!(
                "… and {} more (`--json`)",
                if more == 1 { "1 equilibrium".to_owned() } else { format!("{more} equilibria") }
            ));
        }
        parts.join("\n\n")
    }

    /// The method, and how sure it is.
    pub(crate) fn heading(&self) -> String {
        match self.exact {
            true => format!("{}, exact: nobody gains by playing differently", self.method),
            false if self.exploitability.is_infinite() => {
                format!("{}: what a side gains by playing differently is not known", self.method)
            }
            false => {
                let most = render::at_most(self.exploitability);
                format!("{}: no side gains more than {most} by playing differently", self.method)
            }
        }
    }
}

impl StrategyLine {
    /// The expected number of visits, which can exceed 1 if states lead back to each other.
    pub(crate) fn often(&self) -> String {
        match self.reach > 1.0 + 1e-9 {
            true => format!("{} times", render::tidy(self.reach)),
            false => render::share_percent(self.reach.min(1.0)),
        }
    }

    /// The player, the decision and what the player sees: in data, or below it in a picture.
    pub(crate) fn heading(&self, width: usize) -> String {
        let head = format!("{} · {}, reached {}", self.player, self.name, self.often());
        match &self.picture {
            Some(picture) => {
                let room = width.saturating_sub(2);
                let mut text = render::wrapped(&head, width);
                for line in render::wrapped(picture.trim_end(), room).lines() {
                    text.push_str(&format!("\n  {}", line.trim_end()));
                }
                text
            }
            None if self.sees.is_empty() => render::wrapped(&head, width),
            None => render::wrapped(&format!("{head}; sees {}", self.sees), width),
        }
    }

    /// For people: the player, the decision, what the player sees, and the weight of each option.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        let used = self.options.iter().filter(|choice| !choice.weight.is_zero());
        let rows: Vec<Vec<String>> = used.map(Choice::row).collect();
        let mut text = self.heading(width);
        text.push('\n');
        text.push_str(&render::table(&["option", "weight", "utility"], &rows, width, plain));
        let never: Vec<String> = self
            .options
            .iter()
            .filter(|choice| choice.weight.is_zero())
            .map(|choice| match &choice.dominated {
                Some(by) => format!("{} (`{}` dominates it)", named(&choice.option), named(by)),
                None => format!("{} ({})", named(&choice.option), choice.utility_text()),
            })
            .collect();
        if !never.is_empty() {
            text.push('\n');
            text.push_str(&render::wrapped(&format!("never: {}", never.join(", ")), width));
        }
        text
    }
}

/// An option as people type it. A solution keeps the texts of options, among them those of true and false.
pub(crate) fn named(option: &str) -> &str {
    match option {
        "true" => "yes",
        "false" => "no",
        other => other,
    }
}

impl Choice {
    fn row(&self) -> Vec<String> {
        vec![named(&self.option).to_owned(), self.weight.as_share(), self.utility_text()]
    }
}

/// No longer picture is kept, in bytes.
const LONGEST: usize = 4_000;

/// Draws the first lines of a solution, as far as the rules draw what a player sees. Where two of a
/// decision look the same, the picture says too little, and what is seen is printed as data.
pub(crate) fn draw<'a>(
    solution: &mut Solution,
    rules: &Rules,
    sets: impl Iterator<Item = &'a InformationSet>,
) {
    let views: HashMap<&str, &Value> = sets.map(|set| (&*set.key, &set.view)).collect();
    let shown = solution.strategy.iter_mut().take(SHOWN);
    let mut drawn: Vec<&mut StrategyLine> = shown.filter(|line| !line.sees.is_empty()).collect();
    for line in &mut drawn {
        let view = views.get(&*line.set);
        // A picture may fail on a view that is no full state.
        let picture = view.and_then(|view| rules.picture(&State::from_value(view)).ok().flatten());
        line.picture =
            picture.filter(|picture| !picture.trim().is_empty() && picture.len() <= LONGEST);
    }
    let mut alike: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let key =
        |line: &StrategyLine| Some((line.player.clone(), line.name.clone(), line.picture.clone()?));
    for key in drawn.iter().filter_map(|line| key(line)) {
        *alike.entry(key).or_default() += 1;
    }
    for line in drawn {
        if key(line).is_some_and(|key| alike[&key] > 1) {
            line.picture = None;
        }
    }
}
