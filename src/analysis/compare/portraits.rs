//! The portraits of both sides of a comparison: what changed rules do beside the odds.

use super::pair::{Pair, Side};
use super::{Compared, DivergingPlayout, FirstDifferent, Known};
use crate::analysis::portrait::{
    Contrast, MeasureSelection, NODES_A_PLAYOUT, Portrait, Portraying,
};
use crate::analysis::{Enough, Sampling, Stage};
use crate::conflict::{Conflict, Seating};
use crate::error::{Cut, Error};
use crate::report;

/// What is measured of both sides of a comparison, and how.
pub struct Contrasting<'a> {
    /// The conflict as the rules are.
    pub base: &'a Conflict,
    /// The same under the changed rules.
    pub house: &'a Conflict,
    /// Of several changes the conflict under each alone, in their order; none where there is one, or too
    /// many.
    pub alone: &'a [Conflict],
    /// What is measured.
    pub wanted: &'a MeasureSelection,
    /// How playouts are made where the graph is too large; of each side no more than
    /// [`Portraying::PLAYOUTS`], unless all of them are asked for.
    pub sampling: Sampling,
    /// How many bytes the graph of a conflict under one change alone may take.
    pub memory: u64,
    /// Notes for the reader, one sentence each.
    pub notes: Vec<String>,
}

/// Of more changes than these none is looked at alone.
const CHANGES: usize = 4;

/// Opens the conflict under each of several changes alone, by its number; says in a sentence why that is
/// left out, if it is.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn alone(
    changes: &[String],
    open: impl FnMut(usize) -> Result<Conflict, Error>,
) -> Result<(Vec<Conflict>, Vec<String>), Error> {
    let note = match changes.len() {
        0 | 1 => return Ok((Vec::new(), Vec::new())),
        count if count > CHANGES => format!(
            "{count} changes are only looked at together: of up to {CHANGES} each is looked at alone too"
        ),
        count => match (0..count).map(open).collect() {
            Ok(opened) => return Ok((opened, Vec::new())),
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Err(error) => format!("not each change can be made alone ({error}): only together"),
        },
    };
    Ok((Vec::new(), vec![note]))
}

impl Contrasting<'_> {
    /// How each portrait is made, where this many are still to be made.
    fn portraying(&self, seating: &Seating, reach: bool, left: u32) -> Portraying<'_> {
        let n = match self.sampling.enough {
            Enough::All => self.sampling.n,
            Enough::Within(_) | Enough::Clear => self.sampling.n.min(Portraying::PLAYOUTS),
        };
        let sampling = Sampling { n, enough: Enough::All, ..self.sampling };
        let nodes = if reach { self.nodes(seating) } else { 0 };
        let time = seating.budget().left().map(|time| time / left.max(1));
        Portraying { wanted: self.wanted, sampling, nodes, time }
    }

    /// As many nodes as a portrait by itself explores, where this many playouts are asked for.
    fn nodes(&self, seating: &Seating) -> u64 {
        let asked = if self.sampling.enough == Enough::All { self.sampling.n } else { 0 };
        let n = asked.max(Portraying::PLAYOUTS);
        Portraying::explores(Sampling { n, enough: Enough::All, ..self.sampling }, seating)
    }

    /// Why what is beside exact odds is from playouts, where it is: the odds see larger graphs.
    fn beyond(&self, pair: &Pair, base: &Known, found: &[&Portrait]) -> Option<String> {
        let (Known::Odds(_), true) = (base, found.iter().any(|one| one.n > 0)) else { return None };
        let most = self.nodes(&pair.base);
        let seen = [&pair.base, &pair.house].map(|side| side.graph.nodes());
        let seen = seen.into_iter().max().filter(|nodes| *nodes > most)?;
        let all = Sampling { n: u64::MAX, enough: Enough::All, ..self.sampling };
        let hint = match seen > Portraying::explores(all, &pair.base) {
            true => "more than are explored for them".to_owned(),
            false => {
                let n = seen.div_ceil(NODES_A_PLAYOUT).next_multiple_of(1_000);
                format!("`-n {n}` explores as many")
            }
        };
        Some(format!(
            "the odds are exact, all other measures are from playouts: there are {} or more ({hint})",
            report::many(seen, "node")
        ))
    }

    /// What is left out since it takes long.
    fn spared(&self, found: &[&Portrait]) -> Option<String> {
        if !self.wanted.is_sparing() {
            return None;
        }
        let sampled = found.iter().any(|portrait| portrait.n > 0);
        let more = if sampled { "drama, luck, what options are worth, " } else { "" };
        let names = if sampled { "drama`, `luck`, `choice`, `" } else { "" };
        Some(format!(
            "{more}skill and perfect play are left out: `--measure` with `{names}skill`, `strategy` or \
             `fairness.value` measures them"
        ))
    }
}

impl Compared {
    /// Makes the portraits of both sides and of each change alone, and says what became of the conflict;
    /// beside it the first playout that ends otherwise, step by step. What there is no time for is left
    /// out.
    ///
    /// # Errors
    /// Those of the rules and agents.
    pub fn contrasted(
        mut self,
        pair: &Pair,
        contrasting: &Contrasting<'_>,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<(Compared, Option<DivergingPlayout>), Error> {
        self.contrast.changes.clone_from(&pair.changes);
        if self.cut == Some(Cut::Interrupted) || pair.is_same() {
            return Ok((self, None));
        }
        let diverging = self.diverging(pair)?;
        let mut left = contrasting.alone.len() as u32 + 2;
        // Of playouts that were clear early nobody knows how large the graph is.
        let mut reach = matches!(self.base, Known::Odds(_)) || self.clear;
        let mut find = |conflict: &Conflict, seating: &Seating| {
            let portraying = contrasting.portraying(seating, reach, left);
            left -= 1;
            match Portrait::find(conflict, seating, portraying, progress) {
                Ok(portrait) => {
                    self.cut = self.cut.or(portrait.cut);
                    let interrupted = portrait.cut == Some(Cut::Interrupted);
                    // What is too large on one side is not explored on the others.
                    reach &= portrait.n == 0;
                    // Nothing of a side is known that no time was left for.
                    let is_known =
                        !interrupted && (portrait.cut.is_none() || !portrait.measures.is_empty());
                    Ok(Some(portrait).filter(|_| is_known))
                }
                Err(error) => match error.cut() {
                    Some(cut) => {
                        self.cut = self.cut.or(Some(cut));
                        Ok(None)
                    }
                    None => Err(error),
                },
            }
        };
        let base = find(contrasting.base, pair.seating(Side::Base))?;
        let house = match base {
            Some(_) => find(contrasting.house, pair.seating(Side::House))?,
            None => None,
        };
        let (Some(base), Some(house)) = (base, house) else {
            if self.cut.is_some_and(|cut| cut != Cut::Interrupted) {
                self.contrast.notes.push("there was no time to measure both sides".to_owned());
            }
            return Ok((self, diverging));
        };
        let mut each = Vec::new();
        for conflict in contrasting.alone {
            let seating = Seating::new(conflict, contrasting.memory)?;
            let seating = seating.under(pair.base.budget().clone());
            match find(conflict, &seating)? {
                Some(portrait) => each.push(portrait),
                None => break,
            }
        }
        let mut notes = contrasting.notes.clone();
        if each.len() < contrasting.alone.len() {
            each.clear();
            notes.push("there was no time to look at each change alone".to_owned());
        }
        notes.extend(contrasting.beyond(pair, &self.base, &[&base, &house]));
        notes.extend(contrasting.spared(&[&base, &house]));
        notes.extend(contrasting.wanted.absent(&[&base, &house]));
        self.contrast =
            Contrast::between(pair.changes.clone(), self.odds.clone(), &base, &house, &each);
        if !contrasting.wanted.is_sparing() {
            notes.extend(self.contrast.unchanged());
        }
        self.contrast.notes.extend(notes);
        let functions = diverging.as_ref().map(DivergingPlayout::functions);
        self.contrast.functions = functions.unwrap_or_default();
        Ok((self, diverging))
    }

    /// The first playout that ends otherwise, step by step; none where there was no time for it.
    fn diverging(&self, pair: &Pair) -> Result<Option<DivergingPlayout>, Error> {
        let Some(FirstDifferent { playout, seed }) = self.first else { return Ok(None) };
        match DivergingPlayout::of(pair, playout, seed) {
            Err(error) if error.is_asked_for() => Ok(None),
            diverging => diverging.map(Some),
        }
    }
}
