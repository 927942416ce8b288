//! Several changes to the same rules, each compared with them alone, in one table.

use indexmap::IndexMap;
use serde::Serialize;

use super::{Compared, Pair, Side};
use crate::analysis::portrait::difference;
use crate::number::Quantity;
use crate::report::{Block, Report};

/// What each of several changes did to the same rules.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedVariants {
    /// A comparison for each, under the same random numbers.
    pub variants: Vec<Compared>,
}

impl ComparedVariants {
    /// For people: one table of what the variants change, then each as it is compared alone; and for programs.
    pub fn report(&self, pairs: &[Pair], all: bool) -> Report<'_> {
        let names: Vec<String> = pairs.iter().map(|pair| pair.name(Side::House)).collect();
        let mut header = vec!["number".to_owned(), "rules".to_owned()];
        header.extend(pairs.iter().map(|pair| format!("`{}`", pair.changes.join(","))));
        let title = Block::title("the rules, and the difference under each variant");
        let table = Block::table(header, self.rows(names.len()));
        let mut blocks = vec![Block::Group(vec![title, table])];
        let mut seed = None;
        for ((variant, pair), name) in self.variants.iter().zip(pairs).zip(&names) {
            let report = variant.report(pair, all);
            seed = seed.or(report.seed);
            blocks.push(Block::Folded(format!("{name} and the rules"), report.blocks));
        }
        Report::of(self, blocks).seeded(seed)
    }

    fn rows(&self, count: usize) -> Vec<Vec<String>> {
        // Each number under the rules, then how it differs under each variant that has it.
        let mut rows: IndexMap<String, Vec<String>> = IndexMap::new();
        let mut add = |name: String, base: String, variant: usize, difference: String| {
            let row = rows
                .entry(name)
                .or_insert_with(|| [vec![base], vec![String::new(); count]].concat());
            row[variant + 1] = difference;
        };
        for (index, variant) in self.variants.iter().enumerate() {
            let base = variant.base.chances();
            for (name, number) in &variant.difference.results {
                let before = base.results.get(name).map(Quantity::as_share);
                add(name.clone(), before.unwrap_or("never".to_owned()), index, number.as_points());
            }
        }
        for (index, variant) in self.variants.iter().enumerate() {
            let base = variant.base.chances();
            for (player, number) in &variant.difference.utility {
                let before = base.utility.get(player).map(Quantity::as_utility);
                let name = format!("utility of {player}");
                add(
                    name,
                    before.unwrap_or("none".to_owned()),
                    index,
                    difference("utility", number),
                );
            }
        }
        let changed = self.variants.iter().flat_map(|one| one.contrast.changed_beside_odds());
        let changed: Vec<&str> = changed.map(|one| one.name.as_str()).collect();
        for (index, variant) in self.variants.iter().enumerate() {
            for measure in &variant.contrast.measures {
                if changed.contains(&measure.name.as_str()) {
                    let [before, difference] = measure.in_words();
                    add(measure.name.clone(), before, index, difference);
                }
            }
        }
        rows.into_iter().map(|(name, row)| [vec![name], row].concat()).collect()
    }
}
