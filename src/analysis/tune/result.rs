//! The result of a tuning: the best candidates, and the commands that show them.

use super::grid::Candidate;
use super::rank::{Ranked, certainties};
use super::search::{Halving, Tuning};
use super::wish::{Subject, Wish};
use super::wish_value::WishValue;
use super::{Best, Tuned, Wanting, value_text};
use crate::analysis::Sampling;
use crate::analysis::portrait::Meaning;
use crate::conflict::Changes;
use crate::report;

/// This many of the best are reported.
const REPORTED: usize = 10;

impl Tuning<'_> {
    pub(super) fn result(&self, halving: &Halving) -> Tuned {
        let ranked = Ranked::of(halving.measured(), self.wishes);
        let all = self.grid.all();
        let sure = certainties(&ranked.all, self.wishes, all);
        let beside = self.beside();
        let best = ranked.first(REPORTED).iter().zip(sure).map(|(one, (certainty, p))| {
            let Candidate { number, values, house } = one.candidate.clone();
            let words = beside.as_ref().map(|_| self.shown(&one.candidate));
            let command = words.and_then(|words| (self.show)(&words));
            let (n, wishes) = (one.n, one.readings.clone());
            Best { candidate: number, values, house, n, certainty, p, wishes, command }
        });
        let wanting = |wish: &Wish| Wanting {
            wish: wish.text.clone(),
            measure: wish.subject.name().to_owned(),
            spread: matches!(wish.subject, Subject::Spread(_)),
            share: wish.subject.is_share(),
        };
        let best: Vec<Best> = best.collect();
        Tuned {
            scenario: self.scenario.name.clone(),
            exact: !ranked.all.is_empty()
                && ranked.all.iter().all(|one| one.is_exact() && !one.cut_off),
            cut: halving.cut,
            seed: self.sampling.seed,
            n: self.sampling.n,
            wishes: self.wishes.all.iter().map(wanting).collect(),
            candidates: all,
            measured: halving.known.len() as u64,
            hold: ranked.all.iter().filter(|one| one.holds()).count() as u64,
            front: ranked.front.map(|front| front as u64),
            notes: self.notes(halving, &ranked, &best),
            best,
        }
    }

    /// What the table does not say.
    fn notes(&self, halving: &Halving, ranked: &Ranked, best: &[Best]) -> Vec<String> {
        let mut notes = Vec::new();
        for at in 0..self.wishes.all.len() {
            notes.extend(self.unmet(at, ranked, halving.cut.is_some()));
            notes.extend(self.never_ended(at, ranked));
            notes.extend(self.unvaried(at, ranked));
        }
        if let Some(more @ 1..) = ranked.front.and_then(|front| front.checked_sub(best.len())) {
            notes.push(format!(
                "{more} more are on the front; a narrower wish, or fewer, shortens it"
            ));
        }
        if let dropped @ 1.. = (self.grid.all() as usize).saturating_sub(halving.left.len()) {
            notes.push(format!(
                "{dropped} of the candidates were dropped on the way, after fewer playouts (successive \
                 halving)"
            ));
        }
        if self.scenario.document.is_none() {
            notes.push("a script made the conflict, so no command shows its portrait".to_owned());
        } else if self.beside().is_none() {
            notes.push(
                "no option takes a house rule away, so no command shows the portraits".to_owned(),
            );
        }
        if ranked.all.iter().any(|one| one.cut_off) {
            notes.push(
                "dice that explode have no last value: these are the numbers of dice that are cut off"
                    .to_owned(),
            );
        }
        if halving.is_full {
            notes
                .push("the memory was too small for some candidates (`--graph-memory`)".to_owned());
        }
        if halving.cut.is_some() && !halving.left.iter().all(|number| halving.done.contains(number))
        {
            let few = halving.left.len() - halving.done.len();
            let all = halving.left.len();
            notes.push(format!("{few} of {all} candidates are not measured to the end"));
        }
        notes
    }

    /// What is wrong with a wish: it is not known of some candidates, or none holds it.
    fn unmet(&self, at: usize, ranked: &Ranked, is_cut: bool) -> Option<String> {
        let wish = &self.wishes.all[at];
        let readings = || ranked.all.iter().map(|one| &one.readings[at]);
        let title = wish.subject.title();
        let unknown = readings().filter(|reading| !reading.is_known()).count();
        let all = ranked.all.len();
        if unknown == all && unknown > 0 {
            let name = Meaning::of(wish.subject.name()).map_or("measures", |one| one.name);
            return Some(format!(
                "`{title}` is not known of any candidate: `fracas doc {name}` says where it is"
            ));
        }
        if unknown > 0 {
            return Some(format!(
                "`{title}` is not known of {unknown} of {all} candidates, which come last"
            ));
        }
        if readings().any(|reading| reading.holds) {
            return None;
        }
        let nearest = readings().min_by(|one, other| one.miss.total_cmp(&other.miss))?;
        let value = value_text(nearest, wish.subject.is_share());
        let what = if is_cut { "no candidate so far" } else { "no candidate" };
        Some(format!("{what} holds `{}`; the nearest has {value}", wish.text))
    }

    /// Whether a wish is about a result that no candidate and no playout at random ended with.
    fn never_ended(&self, at: usize, ranked: &Ranked) -> Option<String> {
        let wish = &self.wishes.all[at];
        let result = wish.subject.result()?;
        let known: Vec<String> = wish.results.iter().map(|one| format!("`{one}`")).collect();
        let is_known = wish.results.is_empty() || wish.results.contains(result);
        let never = ranked.all.iter().all(|one| one.readings[at].quantity.value == 0.0);
        (never && !is_known).then(|| {
            format!(
                "nothing ended with `{result}`; playouts at random end with {}",
                known.join(", ")
            )
        })
    }

    /// Whether a wish is about something that was the same in all playouts of a candidate, and what is taken to
    /// bound it.
    fn unvaried(&self, at: usize, ranked: &Ranked) -> Option<String> {
        let wish = &self.wishes.all[at];
        let readings = || ranked.all.iter().map(|one| &one.readings[at]);
        let n = readings().filter_map(|reading| reading.unvaried).max()?;
        let title = wish.subject.title();
        let seen = format!("no spread of `{title}` was seen in {}", report::many(n, "playout"));
        let known = |reading: &WishValue| {
            reading.quantity.low.is_finite() && reading.quantity.high.is_finite()
        };
        if readings().any(|reading| reading.unvaried.is_some() && !known(reading)) {
            return Some(format!(
                "{seen} of some candidate, and nothing bounds what others bring: the wish is neither met nor \
                 missed"
            ));
        }
        let is_utility = wish.subject.name().starts_with("fairness.utility");
        is_utility.then(|| {
            format!(
                "{seen} of some candidate for some seat; the interval takes what any seat had in the playouts for \
                 the least and the most that there is"
            )
        })
    }

    /// The words that name the conflict with what all candidates change; none where words cannot.
    fn beside(&self) -> Option<Vec<String>> {
        let Changes { house, without, params, seats } = self.changes;
        // What a script made is in no file, and no option takes a house rule away.
        if self.scenario.document.is_none() || !without.is_empty() {
            return None;
        }
        let mut words = vec![self.scenario.name.clone()];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        house.iter().for_each(|house| option("--house", house.clone()));
        params.iter().for_each(|setting| option("--param", setting.to_string()));
        seats.iter().for_each(|(seat, agent)| option("--seat", format!("{seat}={agent}")));
        Some(words)
    }

    fn sampled(&self) -> [String; 4] {
        let Sampling { seed, n, .. } = self.sampling;
        ["--seed".to_owned(), seed.to_string(), "-n".to_owned(), n.to_string()]
    }

    fn shown(&self, candidate: &Candidate) -> Vec<String> {
        let changes = candidate.changes(self.changes);
        let own = Tuning { changes: &changes, ..*self };
        let mut words = vec!["portrait".to_owned()];
        words.extend(own.beside().unwrap_or_default());
        words.extend(self.sampled());
        words
    }
}
