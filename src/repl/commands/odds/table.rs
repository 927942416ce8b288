//! The odds after each option as a table: a row for each, with the results that are likeliest.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use crate::analysis::{Prospect, Prospects, SolutionNumber};
use crate::game::{Asked, option_name};
use crate::number::{Fraction, Quantity};
use crate::report::{self, Block, Table};

/// More results, or players, than these have no column each: of results the likeliest have one.
const COLUMNS: usize = 24;
/// A longer fraction is printed as a number only.
const SHORT: usize = 5;

pub(super) fn table(asked: &Asked, found: &Prospects) -> Block {
    let all = || found.options.iter().map(|one| &one.chances);
    let mut shares: BTreeMap<&String, f64> = BTreeMap::new();
    for (name, share) in all().flat_map(|chances| &chances.results) {
        *shares.entry(name).or_default() += share.value;
    }
    let mut results: Vec<&String> = shares.keys().copied().collect();
    results.sort_by(|one, other| shares[other].total_cmp(&shares[one]));
    let rarer = results.len().saturating_sub(COLUMNS);
    results.truncate(COLUMNS);
    results.sort();
    let mut players: IndexSet<&String> = all().flat_map(|chances| chances.utility.keys()).collect();
    if players.len() > COLUMNS {
        players.retain(|player| **player == asked.who);
    }
    let utilities: Vec<String> = players.iter().map(|player| format!("utility {player}")).collect();
    let mut header = vec!["option"];
    header.extend(results.iter().map(|name| name.as_str()));
    header.extend(utilities.iter().map(String::as_str));
    let solved = found.options.iter().any(|one| one.weight.is_some());
    header.extend(solved.then_some(["weight", "value"]).into_iter().flatten());
    // The utilities are all printed with fractions or all without.
    let mut utilities = all().flat_map(|chances| chances.utility.values());
    let fractions = utilities.all(|number| number.fraction.as_ref().is_some_and(is_short));
    let mut values = found.options.iter().filter_map(|one| one.value.as_ref());
    let short =
        values.all(|utility| matches!(utility, SolutionNumber::Exact(exact) if is_short(exact)));
    let row = |Prospect { option, chances, weight, value }: &Prospect| {
        let share = |name: &&String| {
            chances.results.get(*name).map(Quantity::as_short_share).unwrap_or_default()
        };
        let utility = |name: &&String| {
            chances.utility.get(*name).map(|number| worth(number, fractions)).unwrap_or_default()
        };
        let mut row = vec![option_name(option)];
        row.extend(results.iter().map(share));
        row.extend(players.iter().map(utility));
        let row_of = weight.iter().zip(value);
        row.extend(row_of.flat_map(|(weight, value)| [picked(weight), valued(value, short)]));
        row
    };
    let table = Table::new(header, found.options.iter().map(row)).in_parts();
    let more = match rarer {
        0 => String::new(),
        rarer => format!("and {rarer} more results, each less likely than these"),
    };
    Block::Group(vec![Block::Table(table), Block::Sentence(more)])
}

/// Whether a fraction has room in a narrow column.
fn is_short(fraction: &Fraction) -> bool {
    fraction.to_string().len() <= SHORT
}

/// A utility in a narrow column: its fraction only where all of the column are `short`.
fn worth(number: &Quantity, short: bool) -> String {
    let tidy = if short { None } else { number.known(report::tidy) };
    tidy.unwrap_or_else(|| number.as_utility())
}

/// How often a solution picks an option, in a narrow column.
fn picked(weight: &SolutionNumber) -> String {
    report::share_percent(weight.about())
}

/// What an option is worth under a solution, in a narrow column.
fn valued(utility: &SolutionNumber, short: bool) -> String {
    match utility {
        SolutionNumber::Exact(_) if !short => report::tidy(utility.about()),
        _ => utility.as_utility(),
    }
}
