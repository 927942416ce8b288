//! What changed rules do, in tables for people.

use super::changed_use::Becomes;
use super::measure_changes::MeasureChange;
use super::phrase::capital;
use super::sentences::{function, is_odds};
use super::{ClauseChange, Contrast, FunctionRuns};
use crate::analysis::equilibrium::named;
use crate::number::Quantity;
use crate::render;

/// Of more rows than these the others are only shown by `--all`, and in JSON.
const SHOWN: usize = 8;
/// Of longer names of changes only so much heads a column.
const NAME: usize = 12;

impl Contrast {
    /// The tables: of what changed, or of all.
    pub fn as_text(&self, all: bool, width: usize, plain: bool) -> String {
        if self.is_empty() {
            return self.notes_text(width);
        }
        let parts = [
            self.measure_text(all, width, plain),
            if all { self.option_text(width, plain) } else { String::new() },
            self.clause_text(all, width, plain),
            if all { self.function_text(width) } else { String::new() },
            self.together_text(all, width, plain),
            self.notes_text(width),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    fn notes_text(&self, width: usize) -> String {
        let notes: Vec<String> =
            self.notes.iter().map(|note| render::wrapped(&capital(note), width)).collect();
        notes.join("\n")
    }

    /// The measures, and how it is known that they change.
    fn measure_text(&self, all: bool, width: usize, plain: bool) -> String {
        // What the odds say is in their tables.
        let shown: Vec<&MeasureChange> = match all {
            true => self.measures.iter().collect(),
            false => self.changed().into_iter().filter(|one| !is_odds(&one.name)).collect(),
        };
        let looked = render::many(self.measures.len() as u64, "measure");
        if shown.is_empty() {
            let odds = self.measures.iter().any(|one| one.certainty.is_known());
            let but = if odds { " besides those of the odds" } else { "" };
            let how = if self.is_certain() { " changes" } else { " is known to change" };
            let text = format!("Of {looked} none{how}{but}; `--all` shows them.");
            return render::wrapped(&text, width);
        }
        let row = |one: &&MeasureChange| {
            let value = |number: f64| match one.unit.as_str() {
                "share" => render::share_percent(number),
                _ => render::tidy(number),
            };
            let difference = difference(&one.unit, &one.difference);
            let sure = one.certainty.word().to_owned();
            vec![one.name.clone(), value(one.base), value(one.house), difference, sure]
        };
        let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
        let header = ["measure", "rules", "changed", "difference", "how sure"];
        let table = render::table(&header, &rows, width, plain);
        let tested = self.measures.iter().filter(|one| one.p.is_some()).count();
        if tested == 0 {
            return table;
        }
        // On a graph only what is sampled there beside it is tested.
        let from = match self.playouts {
            0 => String::new(),
            n => format!(
                "from {} a side under the same random numbers; ",
                render::many(n, "playout")
            ),
        };
        let text = format!(
            "{from}likely: with 95 % confidence over all {} together (Holm's correction)",
            render::many(tested as u64, "measure"),
        );
        format!("{table}\n{}", render::wrapped(&text, width))
    }

    fn option_text(&self, width: usize, plain: bool) -> String {
        let share =
            |best: Option<f64>| best.map_or("not offered".to_owned(), render::share_percent);
        let rows = self.options.iter().map(|one| {
            let becomes = match one.becomes {
                Becomes::Same => "",
                Becomes::Alive => "alive",
                Becomes::Dead => "dead",
                Becomes::Offered => "offered",
                Becomes::Gone => "gone",
            };
            let option = format!("{}: {} {}", one.player, one.question, named(&one.option));
            vec![option, share(one.base), share(one.house), becomes.to_owned()]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        match rows.is_empty() {
            true => String::new(),
            false => {
                render::table(&["best option", "rules", "changed", "becomes"], &rows, width, plain)
            }
        }
    }

    /// The functions that run more or less often, by their clauses.
    fn clause_text(&self, all: bool, width: usize, plain: bool) -> String {
        let known = self.clauses.iter().filter(|one| all || one.certainty.is_known());
        let mut shown: Vec<&ClauseChange> = known.collect();
        if !all {
            let size = |one: &ClauseChange| {
                (one.house - one.base).abs() / one.house.max(one.base).max(f64::MIN_POSITIVE)
            };
            // What has a clause is what people know.
            shown.sort_by(|a, b| {
                let named = |one: &ClauseChange| one.clause.is_none() && one.rule.is_none();
                named(a).cmp(&named(b)).then(size(b).total_cmp(&size(a)))
            });
        }
        if shown.is_empty() {
            return String::new();
        }
        let left = if all { 0 } else { shown.len().saturating_sub(SHOWN) };
        shown.truncate(shown.len() - left);
        let row = |one: &&ClauseChange| {
            let rule = one.rule.as_ref().map(|rule| format!(" ({rule})")).unwrap_or_default();
            let name = format!("{}{rule}", function(one));
            let mut row = vec![name, render::tidy(one.base), render::tidy(one.house)];
            if one.p.is_some() {
                row.push(one.certainty.word().to_owned());
            }
            row
        };
        let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
        let header = ["runs in a conflict", "rules", "changed", "how sure"];
        let sampled = rows.first().is_some_and(|row| row.len() == header.len());
        let header = if sampled { &header[..] } else { &header[..3] };
        let table = render::table(header, &rows, width, plain);
        match left {
            0 => table,
            left => {
                let more = render::many(left as u64, "function");
                let text = format!("and {more} more; `--all` shows them");
                format!("{table}\n{}", render::wrapped(&text, width))
            }
        }
    }

    /// The functions that run more or less often in the first playout that ends otherwise.
    fn function_text(&self, width: usize) -> String {
        if self.functions.is_empty() {
            return String::new();
        }
        let phrased = |one: &FunctionRuns| {
            let clause = one.clause.as_ref().map(|clause| format!("{clause} ")).unwrap_or_default();
            let rule = one.rule.as_ref().map(|rule| format!(" ({rule})")).unwrap_or_default();
            format!("{clause}`{}`{rule} {} instead of {}", one.function, times(one.house), one.base)
        };
        let mut some: Vec<String> = self.functions.iter().take(SHOWN).map(phrased).collect();
        let left = self.functions.len() - some.len();
        if left > 0 {
            some.push(format!("and {left} more"));
        }
        let text = format!(
            "In the first playout that ends differently these functions run: {}.",
            some.join(", ")
        );
        render::wrapped(&text, width)
    }

    /// What each of several changes does alone, beside what all do together.
    fn together_text(&self, all: bool, width: usize, plain: bool) -> String {
        if self.alone.is_empty() {
            return String::new();
        }
        let known = |one: &&MeasureChange| {
            let of = |changes: &[MeasureChange]| {
                changes.iter().any(|other| other.name == one.name && other.certainty.is_known())
            };
            all || of(&self.measures) || self.alone.iter().any(|alone| of(&alone.measures))
        };
        let mut shown: Vec<&MeasureChange> = self.measures.iter().filter(known).collect();
        if !all {
            shown.sort_by(|a, b| b.size.total_cmp(&a.size));
            shown.truncate(SHOWN);
        }
        let row = |one: &&MeasureChange| {
            let short = |number: f64| match one.unit.as_str() {
                "share" => render::points_of(number),
                _ => render::signed(number),
            };
            let mut row = vec![one.name.clone()];
            for alone in &self.alone {
                let own = alone.measures.iter().find(|other| other.name == one.name);
                row.push(own.map_or(String::new(), |own| short(own.difference.value)));
            }
            row.push(short(one.difference.value));
            row
        };
        let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
        if rows.is_empty() {
            return String::new();
        }
        let mut header = vec!["difference"];
        let names: Vec<String> =
            self.alone.iter().map(|alone| render::cut(&alone.change, NAME)).collect();
        header.extend(names.iter().map(String::as_str));
        header.push("together");
        let sentence =
            render::wrapped("What each change does alone, and all of them together:", width);
        format!("{sentence}\n{}", render::table(&header, &rows, width, plain))
    }
}

fn times(count: u64) -> String {
    render::many(count, "time")
}

/// A difference with what is known of it.
fn difference(unit: &str, difference: &Quantity) -> String {
    let (Quantity { value, fraction, .. }, close) = (difference, difference.is_close());
    let written = fraction.as_ref().map(ToString::to_string);
    match (unit == "share", written) {
        (true, Some(_)) => difference.as_points(),
        (true, None) if close => render::points_of(*value),
        (true, None) => difference.as_points(),
        (false, Some(fraction)) if fraction.contains('/') => {
            format!("{} ({fraction})", render::signed(*value))
        }
        (false, _) if close => render::signed(*value),
        (false, _) => render::signed_between(*value, difference.range()),
    }
}
