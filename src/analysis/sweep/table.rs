//! Prints a sweep as a table: one row for each point, marked as exact or sampled.

use super::{PointOdds, Sweep, Target, TargetKind, players, results};
use crate::analysis::Number;
use crate::render;

/// A heading with the sources of the rows, then the table: with fractions if there is room, with
/// intervals below their numbers or in two tables if there is little.
pub(super) fn table(sweep: &Sweep, width: usize, plain: bool) -> String {
    let odds: Vec<Target> = results(sweep).iter().map(|name| Target::result(name)).collect();
    let utility: Vec<Target> = players(sweep).iter().map(|name| Target::player(name)).collect();
    let all: Vec<Target> = odds.iter().chain(&utility).cloned().collect();
    let fit = |tables: &Vec<TextTable>| tables.iter().all(|table| table.width() <= width);
    let whole = |form| vec![TextTable::of(sweep, &all, form)];
    let parts = [odds.as_slice(), &utility].map(|part| TextTable::of(sweep, part, Form::Stacked));
    let ways = [whole(Form::Full), whole(Form::Short), whole(Form::Stacked), parts.into()];
    // Where nothing fits, each row is a list.
    let tables = ways.into_iter().find(fit).unwrap_or_else(|| whole(Form::Short));
    let text = |table: &TextTable| {
        let header: Vec<&str> = table.header.iter().map(String::as_str).collect();
        render::table(&header, &table.rows, width, plain)
    };
    let mut parts = vec![render::wrapped(&heading(sweep), width)];
    parts.extend(tables.iter().map(text));
    parts.join("\n\n")
}

/// A line on how the points were found: exactly or from playouts.
fn heading(sweep: &Sweep) -> String {
    let exact = sweep.points.iter().filter(|point| point.is_exact()).count();
    let seed = sweep.points.iter().find_map(|point| match &point.found {
        PointOdds::Sampled { estimated, .. } => Some(estimated.seed),
        PointOdds::Exact(_) => None,
    });
    let names: Vec<&str> = sweep.swept.iter().map(|swept| swept.name.as_str()).collect();
    let names = names.join(" and ");
    let what = if exact == 0 { "estimates" } else { "exact odds and estimates" };
    match seed {
        None if sweep.cut_off() > 0.0 => format!("odds with dice cut off over {names}"),
        None => format!("exact odds over {names}"),
        Some(seed) => {
            format!("{what} over {names} (95 % intervals, seed {seed} at every value)")
        }
    }
}

/// The way numbers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With fractions.
    Full,
    /// Without them.
    Short,
    /// Without them, and intervals below their numbers.
    Stacked,
}

struct TextTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    fn of(sweep: &Sweep, targets: &[Target], form: Form) -> TextTable {
        let mut header: Vec<String> = sweep.swept.iter().map(|swept| swept.name.clone()).collect();
        header.push("how".to_owned());
        header.extend(targets.iter().map(Target::title));
        let row = |point: &super::SweepPoint| {
            let mut row: Vec<String> = point.values.values().map(ToString::to_string).collect();
            row.push(match &point.found {
                PointOdds::Exact(odds) if odds.exact => "exact".to_owned(),
                PointOdds::Exact(_) => "cut off".to_owned(),
                PointOdds::Sampled { estimated, .. } => {
                    stacked(format!("{} playouts", estimated.n), form)
                }
            });
            row.extend(targets.iter().map(|target| match target.number(point) {
                Some(number) => cell(target, &number, form),
                None => "-".to_owned(),
            }));
            row
        };
        TextTable { header, rows: sweep.points.iter().map(row).collect() }
    }

    /// The width without a break in any cell.
    fn width(&self) -> usize {
        let longest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let lines = cells.flat_map(|cell| cell.lines());
            let cells = lines.map(|line| line.chars().count()).max().unwrap_or(0);
            // The words of a header may be below each other.
            let words = self.header[column].split(' ').map(|word| word.chars().count());
            cells.max(words.max().unwrap_or(0)) + 3
        };
        (0..self.header.len()).map(longest).sum()
    }
}

fn cell(target: &Target, number: &Number, form: Form) -> String {
    let odds = target.measure == TargetKind::Odds;
    match number {
        Number::Exact(_) if odds && form != Form::Full => render::share_percent(number.middle()),
        Number::Exact(_) if form != Form::Full => render::tidy(number.middle()),
        number if odds => stacked(number.as_share(), form),
        number => stacked(number.as_utility(), form),
    }
}

/// A text with its second part on a line of its own, if the form is stacked.
fn stacked(text: String, form: Form) -> String {
    match form {
        Form::Stacked => text.replacen(" (", "\n(", 1).replacen(" playouts", "\nplayouts", 1),
        _ => text,
    }
}
