//! Two portraits side by side: what changed rules do to a conflict, and how sure that is.
//!
//! [`measure_changes`] has the differences, [`changed_use`] what became of options and clauses, and [`certainty`] how
//! sure all of it is; [`sentences`], [`phrase`](mod@phrase) and [`text`] put it into words.

mod certainty;
mod changed_use;
mod measure_changes;
mod phrase;
mod sentences;
mod text;

use serde::{Deserialize, Serialize};

use super::Portrait;
use crate::report;
use certainty::Certainty;
pub(crate) use certainty::holm;
use changed_use::{ClauseChange, OptionChange};
pub(crate) use changed_use::{FunctionUse, side_by_side};
use measure_changes::{Alone, MeasureChange};
pub(crate) use phrase::{capital, under};
pub(crate) use text::difference;

/// What changed rules do to a conflict.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// The changes: house rules, parameters with their values; `-NAME` for a house rule that is left out.
    #[serde(default)]
    pub changes: Vec<String>,
    /// How many playouts each side's measures are from; 0 on the graph.
    #[serde(default)]
    pub playouts: u64,
    /// What became of each measure of a portrait.
    #[serde(default)]
    pub measures: Vec<MeasureChange>,
    /// What became of the options of decisions.
    #[serde(default)]
    pub options: Vec<OptionChange>,
    /// What became of the functions of the rules.
    #[serde(default)]
    pub clauses: Vec<ClauseChange>,
    /// The functions that the first playout that ends otherwise runs more or less often.
    #[serde(default)]
    pub functions: Vec<FunctionUse<u64>>,
    /// Of several changes, what each does alone.
    #[serde(default)]
    pub alone: Vec<Alone>,
    /// Notes for the reader, one sentence each.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// This many measures that do not change are named.
const UNCHANGED: usize = 12;

impl Contrast {
    /// What became of the first portrait in the second. `changes` say in words what was changed; of
    /// several, `each` is the portrait with that one alone, or empty where they were not made.
    pub fn between(
        changes: Vec<String>,
        base: &Portrait,
        house: &Portrait,
        each: &[Portrait],
    ) -> Contrast {
        let alone = match each {
            [] | [_] => Vec::new(),
            each => measure_changes::alone(base, &changes, each),
        };
        let of_both = base.notes.iter().filter(|note| house.notes.contains(note)).cloned();
        // What only one side has to say is not said of both.
        let sides = [("under the rules".to_owned(), base, house), (under(&changes), house, base)];
        let own = sides.iter().flat_map(|(side, one, other)| {
            let notes = one.notes.iter().filter(|note| !other.notes.contains(note));
            notes.map(move |note| format!("{side}: {note}"))
        });
        let notes = of_both.chain(own).collect();
        Contrast {
            playouts: base.n.max(house.n),
            measures: measure_changes::between(base, house),
            options: changed_use::options(base, house),
            clauses: changed_use::clauses(base, house),
            functions: Vec::new(),
            alone,
            notes,
            changes,
        }
    }

    /// Whether all that is not known to change is known not to. Ranges over equilibria may overlap without a playout.
    fn is_certain(&self) -> bool {
        self.playouts == 0 && self.measures.iter().all(|one| one.certainty != Certainty::Unknown)
    }

    /// Names the measures of which no change is known, in a sentence, if there are any.
    pub(crate) fn unchanged(&self) -> Option<String> {
        let same = self.measures.iter().filter(|one| !one.certainty.is_known());
        let same = same.map(|one| format!("`{}` ({})", one.name, report::tidy(one.base)));
        let listed = report::some_of(same, UNCHANGED, ", ");
        let how = if self.is_certain() { "unchanged" } else { "not known to change" };
        (!listed.is_empty()).then(|| format!("{how}: {listed}"))
    }

    /// Whether anything was measured.
    pub fn is_empty(&self) -> bool {
        self.measures.is_empty() && self.clauses.is_empty()
    }
}
