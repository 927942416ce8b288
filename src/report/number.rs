//! Formats numbers: rounded, aligned, with a sign, as counts, in percent, with margins, and how long ago something was.

use std::fmt::Display;
use std::time::Duration;

/// A number without needless zeros: `3`, `-0.5`, at most four places.
pub(crate) fn tidy(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Numbers of a column with their decimal points aligned: each has as many places as the longest
/// of them has when it is [`tidy`].
pub(crate) fn aligned(numbers: &[f64]) -> Vec<String> {
    let places = |number: &f64| tidy(*number).split_once('.').map_or(0, |(_, places)| places.len());
    let most = numbers.iter().map(places).max().unwrap_or(0);
    numbers.iter().map(|number| format!("{number:.most$}")).collect()
}

/// A number with its sign: `+1`, `-2`, `0`.
pub fn signed(number: f64) -> String {
    let text = tidy(number);
    if number > 0.0 && text != "0" { format!("+{text}") } else { text }
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`.
pub(crate) fn enumerated(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// A count with a noun: `1 game`, `2 games`, `0 entries`, `3 plays`.
pub(crate) fn many(count: u64, thing: &str) -> String {
    if count == 1 {
        return format!("1 {thing}");
    }
    match thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {thing}s"),
    }
}

/// A count; one that is not whole has one decimal place.
pub(crate) fn count(count: f64) -> String {
    // A sum of shares may miss a whole number by the last digit.
    let is_whole = (count - count.round()).abs() <= 1e-9 * count.abs().max(1.0);
    if is_whole { format!("{count:.0}") } else { format!("{count:.1}") }
}

/// Rating points, whole.
pub(crate) fn points(points: f64) -> String {
    let text = format!("{points:.0}");
    if text == "-0" { "0".to_owned() } else { text }
}

/// Half of an interval of rating points, rounded up: it never promises more than is known.
pub(crate) fn margin(half: f64) -> String {
    if half.is_finite() { format!("{:.0}", half.ceil()) } else { "unknown".to_owned() }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A probability that is not certain, and does not look so, with one decimal.
pub(crate) fn unsure_percent(share: f64) -> String {
    match share {
        share if share > 0.999 => "more than 99.9 %".to_owned(),
        share if share < 0.001 => "less than 0.1 %".to_owned(),
        share => percent(share),
    }
}

/// The digits of a whole number, with a comma before each three.
pub(crate) fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A share that is not certain, in whole percents.
pub(crate) fn whole_percent(share: f64) -> String {
    match 100.0 * share {
        share if share > 99.5 => "> 99 %".to_owned(),
        share if share < 0.5 => "< 1 %".to_owned(),
        share => format!("{share:.0} %"),
    }
}

/// A mean with half of its interval, if that is known, to three places.
pub(crate) fn with_margin(mean: f64, half: Option<f64>) -> String {
    let text = format!("{mean:.3}");
    let mean = if text == "-0.000" { "0.000" } else { &text };
    match half {
        Some(half) => format!("{mean} ± {half:.3}"),
        None => mean.to_owned(),
    }
}

/// A time that has passed, in the largest unit that it fills.
pub(crate) fn ago(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{} ago", many(minutes, "minute")),
        60..1440 => format!("{} ago", many(minutes / 60, "hour")),
        _ => format!("{} ago", many(minutes / 1440, "day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_has_passed_is_named_in_its_largest_unit() {
        let named = |seconds: u64| ago(Duration::from_secs(seconds));
        assert_eq!(named(59), "just now");
        assert_eq!(named(60), "1 minute ago");
        assert_eq!(named(3_599), "59 minutes ago");
        assert_eq!(named(7_300), "2 hours ago");
        assert_eq!(named(86_400 * 3), "3 days ago");
    }

    #[test]
    fn numbers_are_written_without_needless_zeros() {
        assert_eq!(
            [tidy(3.0), tidy(-0.5), tidy(-0.00001), tidy(1.0 / 3.0)],
            ["3", "-0.5", "0", "0.3333"]
        );
        assert_eq!(aligned(&[12.5, 0.0, 1.0 / 3.0]), ["12.5000", "0.0000", "0.3333"]);
        assert_eq!(aligned(&[25.0, 50.0]), ["25", "50"]);
        assert_eq!([signed(1.0), signed(-2.0), signed(0.0)], ["+1", "-2", "0"]);
    }

    #[test]
    fn a_count_has_its_noun_in_the_form_of_its_number() {
        assert_eq!(
            [many(0, "entry"), many(1, "entry"), many(2, "entry")].join(", "),
            "0 entries, 1 entry, 2 entries"
        );
        assert_eq!(
            [many(0, "game"), many(1, "game"), many(2, "play")].join(", "),
            "0 games, 1 game, 2 plays"
        );
    }

    #[test]
    fn standings_have_whole_points_and_honest_margins() {
        assert_eq!([count(3.0), count(2.25), points(-0.4), points(17.5)], ["3", "2.2", "0", "18"]);
        assert_eq!([margin(14.1), margin(f64::INFINITY)], ["15", "unknown"]);
        assert_eq!(percent(0.5), "50.0 %");
        assert_eq!(with_margin(1.5, Some(0.25)), "1.500 ± 0.250");
        assert_eq!([with_margin(-0.0004, None), with_margin(-0.0006, None)], ["0.000", "-0.001"]);
    }
}
