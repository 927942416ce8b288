//! Tuning: which values of parameters and which house rules make a conflict what is wanted.
//!
//! [`Wishes`] are measures of a portrait within bounds, [`CandidateGrid`] are the candidates; [`Tuning`] measures
//! them, all where they are few, else by successive halving; [`rank`] puts them in order.

mod grid;
mod rank;
mod wish;
mod wish_value;

use serde::{Deserialize, Serialize};

use crate::analysis::Sampling;
use crate::analysis::portrait::Meaning;
use crate::analysis::sweep::{left_out, more_left_out};
use crate::conflict::Changes;
use crate::error::{Cut, Error};
use crate::number::Quantity;
use crate::report::{self, Block, Report, ticked, word};
pub use grid::{Candidate, CandidateGrid};
use rank::{Halving, Ranked, certainties};
pub use rank::{Tuning, WishCertainty};
pub(crate) use wish::WISHES;
pub use wish::Wishes;
use wish::{Subject, Wish};
pub(crate) use wish_value::WishValue;

/// What came of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// The scenario.
    pub scenario: String,
    /// Whether all that is wanted is known of each candidate, and nothing of that was sampled.
    pub exact: bool,
    /// Whether all was done: nothing was stopped before its time.
    #[serde(default, rename = "complete", with = "super::complete")]
    pub cut: Option<Cut>,
    /// The seed of all that was sampled, the same for all candidates.
    #[serde(deserialize_with = "super::estimate::read_seed")]
    pub seed: u64,
    /// How many playouts a candidate that is too large for its graph to be seen gets at last.
    pub n: u64,
    /// The wishes.
    pub wishes: Vec<Wanting>,
    /// How many candidates there are.
    pub candidates: u64,
    /// How many of them were measured.
    pub measured: u64,
    /// How many of those that were measured to the end hold all wishes, as far as the values say.
    pub hold: u64,
    /// How many candidates are on the Pareto front, where wishes conflict and `best` are the first of those;
    /// null where they do not.
    pub front: Option<u64>,
    /// The ten best, the best first.
    pub best: Vec<Best>,
    /// The numbers of the candidates that fail, which are left out; the notes say why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<u64>,
    /// Notes for the reader, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A wish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wanting {
    /// As it was written.
    pub wish: String,
    /// The measure that it is about, or the group of measures by seat.
    pub measure: String,
    /// Whether it is about how far the measures of the seats are apart.
    pub spread: bool,
    /// Whether it is a share of something.
    pub share: bool,
}

/// One of the best candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// What it changes.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// How many playouts it was measured with; 0 on the graph.
    pub n: u64,
    /// How sure it is that all wishes hold.
    pub certainty: WishCertainty,
    /// The probability of numbers as good as these if some wish did not hold, corrected by Holm for the
    /// number of candidates; null where nothing was sampled.
    pub p: Option<f64>,
    /// What is known of each wish, in their order.
    pub wishes: Vec<WishValue>,
    /// The command that shows its portrait; null where no command can.
    pub command: Option<String>,
}

/// The probability below which it is not printed more exactly.
const TINY: f64 = 0.001;

impl Tuned {
    /// For people, with the line that shows a candidate, of each that has one; and for programs.
    pub fn report(&self, see: impl Fn(&Best) -> Option<String>) -> Report<'_> {
        let mut blocks = vec![Block::Title(self.heading())];
        if !self.best.is_empty() {
            blocks.push(Block::Group(vec![Block::Sentence(self.what()), self.table()]));
        }
        let line = |best: &Best| Some(format!("  #{}  {}", best.candidate.number, see(best)?));
        let lines: Vec<String> = self.best.iter().filter_map(line).collect();
        if !lines.is_empty() {
            let lines = Block::Code(lines.join("\n"));
            blocks.push(Block::Group(vec![Block::title("to see them:"), lines]));
        }
        blocks.extend(self.notes.iter().map(Block::sentence));
        Report::of(self, blocks).seeded(self.seed)
    }

    fn heading(&self) -> String {
        let wishes = ticked(self.wishes.iter().map(|one| &one.wish));
        let mut readings = self.best.iter().flat_map(|best| &best.wishes);
        let how = match self.exact {
            _ if self.best.is_empty() => "nothing is known yet".to_owned(),
            _ if !readings.any(WishValue::is_known) => "nothing is known".to_owned(),
            true => "exact".to_owned(),
            false if self.best.iter().all(|best| best.n == 0 && !best.is_sampled()) => {
                let is_known =
                    self.best.iter().flat_map(|best| &best.wishes).all(WishValue::is_known);
                match self.notes.iter().any(|note| note == CUT_OFF) {
                    true if is_known => "exact but for dice that are cut off".to_owned(),
                    true => "what is known is exact but for dice that are cut off".to_owned(),
                    // Of those that are not shown something may not be known, or be sampled.
                    false => "what is known of the best is exact".to_owned(),
                }
            }
            false => format!(
                "up to {} each, seed {} (95 % intervals)",
                report::many(self.n, "playout"),
                self.seed
            ),
        };
        let partial = if self.cut.is_none() || self.best.is_empty() { "" } else { ", in part" };
        let count = match self.measured == self.candidates {
            true => report::many(self.candidates, "candidate"),
            false => format!("{} of {}", self.measured, report::many(self.candidates, "candidate")),
        };
        let wishes = wishes.join(" and ");
        format!("{}: {count} for {wishes}; {how}{partial}", self.scenario)
    }

    fn what(&self) -> String {
        let (one, all) = (
            self.wishes.len() == 1,
            if self.wishes.len() == 1 { "the wish" } else { "all wishes" },
        );
        let none = if self.cut.is_some() { "no candidate so far" } else { "no candidate" };
        let open = self.best.iter().any(|best| best.certainty == WishCertainty::Open);
        let holds = if open { "is known to hold" } else { "holds" };
        let sampled = self.best.iter().any(Best::is_sampled);
        match (self.hold, self.front) {
            (0, Some(front)) => format!(
                "{none} {holds} all wishes, and they conflict. The Pareto front{} ({}): to miss one wish \
                 by less is to miss another by more",
                if sampled { " as far as it is known" } else { "" },
                report::many(front, "candidate")
            ),
            (0, None) if sampled && !one => format!(
                "{none} {holds} all wishes, and the intervals do not show that they conflict; the nearest:"
            ),
            (0, None) => format!("{none} {holds} {all}; the nearest:"),
            (hold, _) => {
                let is_known = |best: &Best| {
                    matches!(best.certainty, WishCertainty::Sure | WishCertainty::Likely)
                };
                let verb = match hold {
                    _ if !self.best.iter().any(is_known) => "may hold",
                    1 => "holds",
                    _ => "hold",
                };
                let best = if one { "the best" } else { "the best of them" };
                format!("{} {verb} {all}; {best} first:", report::many(hold, "candidate"))
            }
        }
    }

    fn table(&self) -> Block {
        let mut header = vec!["#".to_owned(), "changes".to_owned()];
        header.extend(self.wishes.iter().map(Wanting::title));
        header.push("holds".to_owned());
        let row = |best: &Best| {
            let mut row = vec![best.candidate.number.to_string(), best.candidate.title()];
            let readings = best.wishes.iter().zip(&self.wishes);
            row.extend(readings.map(|(reading, wish)| value_text(reading, wish.share)));
            row.push(best.holds());
            row
        };
        Block::table(header, self.best.iter().map(row))
    }
}

impl Wanting {
    fn title(&self) -> String {
        if self.spread { format!("spread of {}", self.measure) } else { self.measure.clone() }
    }
}

impl Best {
    /// Whether what is known of a wish is from playouts.
    fn is_sampled(&self) -> bool {
        self.wishes.iter().any(|one| one.is_known() && !one.is_proven())
    }

    fn holds(&self) -> String {
        let word = word(&self.certainty);
        match self.p {
            Some(p) if p < TINY => format!("{word} (p < {TINY})"),
            Some(p) if p < 1.0 => {
                format!("{word} (p {})", report::tidy((p * 1000.0).round() / 1000.0))
            }
            _ => word,
        }
    }
}

/// A number that a wish is about, for people.
fn value_text(reading: &WishValue, share: bool) -> String {
    let WishValue { quantity, unvaried, .. } = reading;
    let Quantity { value, low, high, .. } = quantity;
    if !reading.is_known() {
        return "not known".to_owned();
    }
    let number =
        |value: f64| if share { report::share_percent(value) } else { report::tidy(value) };
    if let (Some(n), false) = (unvaried, low.is_finite() && high.is_finite()) {
        return report::unvaried(number(*value), *n);
    }
    if !reading.equilibria.is_empty() {
        let all = || reading.equilibria.iter().copied();
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NAN, f64::max));
        return format!(
            "{} to {} in {} equilibria; {} counts",
            number(least),
            number(most),
            reading.equilibria.len(),
            number(*value)
        );
    }
    quantity.as_measure(share)
}

/// This many of the best are reported.
const REPORTED: usize = 10;
/// This many results or parts of utilities are listed.
const LISTED: usize = 12;
/// What is said of dice that are cut off.
const CUT_OFF: &str =
    "dice that explode have no last value: these are the numbers of dice that are cut off";

impl Tuning<'_> {
    fn result(&self, halving: &Halving) -> Tuned {
        let ranked = Ranked::by_intervals(halving.measured(), self.wishes);
        let all = self.grid.all();
        let sure = certainties(&ranked.all, self.wishes, all);
        let beside = self.beside();
        let best = ranked.first(REPORTED).iter().zip(sure).map(|(one, (certainty, p))| {
            let candidate = one.candidate.clone();
            let words = beside.as_ref().map(|_| self.shown(&candidate, one.is_unsampled()));
            let command = words.and_then(|words| (self.show)(&words));
            let (n, wishes) = (one.n, one.readings.clone());
            Best { candidate, n, certainty, p, wishes, command }
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
                && ranked.all.iter().all(|one| one.is_final() && !one.cut_off),
            cut: halving.cut,
            seed: self.sampling.seed,
            n: self.sampling.n,
            wishes: self.wishes.all.iter().map(wanting).collect(),
            candidates: all,
            measured: halving.known.len() as u64,
            hold: ranked.all.iter().filter(|one| one.holds()).count() as u64,
            front: ranked.front.map(|front| front as u64),
            notes: self.notes(halving, &ranked, &best),
            failed: halving.failed.iter().map(|(candidate, _)| candidate.number).collect(),
            best,
        }
    }

    /// What the table does not say.
    fn notes(&self, halving: &Halving, ranked: &Ranked, best: &[Best]) -> Vec<String> {
        let shown = halving.failed.iter().take(REPORTED).map(|failed| self.failed(failed));
        let mut notes: Vec<String> = shown.collect();
        notes.extend(more_left_out(halving.failed.len(), REPORTED, "candidate"));
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
        let kept = halving.left.len() + halving.failed.len();
        if let dropped @ 1.. = (self.grid.all() as usize).saturating_sub(kept) {
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
            notes.push(CUT_OFF.to_owned());
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

    /// That a candidate fails, where, and the command that shows it, if there is one.
    fn failed(&self, (candidate, error): &(Candidate, Error)) -> String {
        let portrait = || self.beside().map(|_| self.shown(candidate, false));
        let words = error.again().map(<[String]>::to_vec).or_else(portrait);
        let again = words.and_then(|words| (self.show)(&words));
        left_out(&format!("#{} ({})", candidate.number, candidate.title()), error, again)
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

    /// Whether a wish is about a result or a part of a utility that no candidate and no playout at random has.
    fn never_ended(&self, at: usize, ranked: &Ranked) -> Option<String> {
        let wish = &self.wishes.all[at];
        let name = wish.subject.name();
        let is_known = wish.of_ends.is_empty() || wish.of_ends.contains(name);
        let never = ranked.all.iter().all(|one| one.readings[at].absent);
        let all = report::some_of(ticked(&wish.of_ends), LISTED, ", ");
        (never && !is_known)
            .then(|| format!("no end has `{name}`; ends of playouts at random have {all}"))
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

    /// The portrait of a candidate: of one of which nothing was sampled without playouts, which change nothing of that.
    fn shown(&self, candidate: &Candidate, is_unsampled: bool) -> Vec<String> {
        let changes = candidate.changes(self.changes);
        let own = Tuning { changes: &changes, ..*self };
        let mut words = vec!["portrait".to_owned()];
        words.extend(own.beside().unwrap_or_default());
        let Sampling { seed, n, .. } = self.sampling;
        if !is_unsampled {
            words.extend(["--seed".to_owned(), seed.to_string(), "-n".to_owned(), n.to_string()]);
        }
        words
    }
}
