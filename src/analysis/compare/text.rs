//! A comparison for people: what changed in sentences, then in tables.

use super::pair::Pair;
use super::{Compared, Known, sentence};
use crate::analysis::chances::cut_off_text;
use crate::analysis::{Chances, Number};
use crate::render;

/// Behind a number of pairs that is smaller than it might have been, with the error that
/// [`Enough::Clear`](crate::analysis::Enough::Clear) allows.
const CLEAR: &str =
    "; the answer is clear (in 5 of 100 comparisons at most one is wrong), `-n` makes more";

impl Compared {
    /// For people: sentences that say what the changed rules did, what changes most first; then the
    /// numbers that changed, or all of them.
    pub fn as_text(&self, pair: &Pair, all: bool, width: usize, plain: bool) -> String {
        let odds = sentence::of(self, pair);
        let mut sentences = self.contrast.sentences();
        let (by_odds, beside) = self.contrast.largest();
        sentences.insert(usize::from(beside > by_odds).min(sentences.len()), odds);
        let sentences: Vec<String> =
            sentences.iter().map(|one| render::wrapped(one, width)).collect();
        let from = match (&self.base, &self.house) {
            (Known::Odds(base), Known::Odds(house)) => {
                let what = self.difference.title();
                let (base, house) = (base.nodes, house.nodes);
                let base = render::many(base, "node");
                format!("{what}; {base} under the rules, {house} changed")
            }
            _ => format!(
                "estimated from {} pairs of playouts, seed {} (95 % intervals){}",
                self.n,
                self.seed,
                if self.clear { CLEAR } else { "" }
            ),
        };
        let tables = self.tables(["rules", "changed"], width, plain);
        let contrast = self.contrast.as_text(all, width, plain);
        let from = render::wrapped(&from, width);
        let parts = [sentences.join("\n"), format!("{from}\n{tables}"), contrast];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    /// For people: the numbers, with words for the two sides.
    pub fn tables(&self, [own, other]: [&str; 2], width: usize, plain: bool) -> String {
        let (base, house) = (self.base.chances(), self.house.chances());
        let none = || "never".to_owned();
        let result = |(name, difference): (&String, &Number)| {
            let share = |side: &Chances| side.results.get(name).map_or_else(none, |n| n.as_share());
            vec![name.clone(), share(base), share(house), difference.as_points()]
        };
        let nothing = || "none".to_owned();
        let utility = |(name, difference): (&String, &Number)| {
            let worth =
                |side: &Chances| side.utility.get(name).map_or_else(nothing, |n| n.as_utility());
            vec![name.clone(), worth(base), worth(house), difference.as_utility()]
        };
        let results: Vec<_> = self.difference.results.iter().map(result).collect();
        let utility: Vec<_> = self.difference.utility.iter().map(utility).collect();
        let results = render::table(&["result", own, other, "points"], &results, width, plain);
        let utility = render::table(&["player", own, other, "difference"], &utility, width, plain);
        let cut_off = cut_off_text(self.difference.cut_off, width);
        format!("{results}{}\n\n{utility}{cut_off}", base.unlisted_text(width))
    }
}
