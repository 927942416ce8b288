//! Formats numbers: rounded, aligned, with a sign, as counts, in percent, with margins; probabilities and expected
//! utilities; times and sizes in words.

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

/// The digits of a number, with a comma before each three of its whole part.
pub(crate) fn grouped(number: impl Display) -> String {
    let number = number.to_string();
    let (digits, places) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + places
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

/// The units of time, with their seconds.
const UNITS: [(&str, u64); 4] = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];

/// A time that has passed, in the largest unit that it fills.
pub(crate) fn ago(age: Duration) -> String {
    let whole = |(unit, seconds): &(&str, u64)| match age.as_secs() / seconds {
        0 => None,
        count => Some(format!("{} ago", many(count, unit))),
    };
    UNITS[..3].iter().find_map(whole).unwrap_or_else(|| "just now".to_owned())
}

/// A time that something will take, in seconds, rounded in the largest unit that it fills one and a half times.
pub(crate) fn lasting(seconds: f64) -> String {
    let about = |(unit, of): &(&str, u64)| {
        let count = seconds / *of as f64;
        let fills = if *of == 1 { count >= 1.0 } else { count >= 1.5 };
        fills.then(|| format!("about {}", many(count.round() as u64, unit)))
    };
    UNITS.iter().find_map(about).unwrap_or_else(|| "less than a second".to_owned())
}

/// A number of bytes, in the unit that fits it.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// A fraction of more characters than this is shown as a number alone.
const LONG: usize = 24;

/// An exact probability: `17/36 = 47.22 %`, `0 %`, `100 %`; a long fraction is left out.
pub(crate) fn share(fraction: &str, about: f64) -> String {
    let (percent, is_bound) = percent_or_bound(about);
    match is_bound {
        _ if matches!(fraction, "0" | "1") => percent.replace(".00", ""),
        _ if fraction.len() > LONG => percent,
        true => format!("{fraction}, {percent}"),
        false => format!("{fraction} = {percent}"),
    }
}

/// A probability with its interval: `47.2 % (46.1 to 48.3)`.
pub(crate) fn shares_between(middle: f64, (low, high): (f64, f64)) -> String {
    if !low.is_finite() {
        return unvaried(share_percent(middle), 0);
    }
    let places = places(100.0 * (high - low));
    let (middle, low, high) = (100.0 * middle, 100.0 * low, 100.0 * high);
    format!("{middle:.places$} % ({low:.places$} to {high:.places$})")
}

/// An exact number: `1/3 = 0.3333`, `2`.
pub(crate) fn exact(fraction: &str, about: f64) -> String {
    match fraction.contains('/') {
        true if fraction.len() <= LONG => format!("{fraction} = {}", tidy(about)),
        true => tidy(about),
        false => fraction.to_owned(),
    }
}

/// A number with its interval: `0.333 (0.31 to 0.35)`.
pub(crate) fn between(middle: f64, (low, high): (f64, f64)) -> String {
    if !low.is_finite() || !high.is_finite() {
        return unvaried(tidy(middle), 0);
    }
    let [middle, low, high] = apart(middle, (low, high));
    format!("{middle} ({low} to {high})")
}

/// A mean of playouts that all gave the same, so that nothing is known of how far it is off:
/// `2 (no spread in 40 playouts)`; 0 where it is not known how many there were.
pub(crate) fn unvaried(mean: String, n: u64) -> String {
    match n {
        0 => format!("{mean} (no spread seen)"),
        1 => format!("{mean} (of one playout)"),
        n => format!("{mean} (no spread in {n} playouts)"),
    }
}

/// An exact difference of probabilities, in percentage points: `+2.78 (1/36)`.
pub(crate) fn percent_points(fraction: &str, about: f64) -> String {
    match fraction.len() > LONG || fraction == "0" {
        true => points_of(about),
        false => format!("{:+.2} ({fraction})", 100.0 * about),
    }
}

/// A difference of probabilities with its interval, in percentage points: `+3.1 (+1.9 to +4.3)`.
pub(crate) fn points_between(middle: f64, (low, high): (f64, f64)) -> String {
    if !low.is_finite() {
        return unvaried(points_of(middle), 0);
    }
    let places = places(100.0 * (high - low));
    let (middle, low, high) = (100.0 * middle, 100.0 * low, 100.0 * high);
    format!("{middle:+.places$} ({low:+.places$} to {high:+.places$})")
}

/// A difference of probabilities that is known nearly exactly, in percentage points: `+3.14`.
pub(crate) fn points_of(about: f64) -> String {
    let text = format!("{:+.2}", 100.0 * about);
    if matches!(text.as_str(), "+0.00" | "-0.00") { "0".to_owned() } else { text }
}

/// A difference with its interval: `+0.33 (+0.31 to +0.35)`.
pub(crate) fn signed_between(middle: f64, (low, high): (f64, f64)) -> String {
    if !low.is_finite() || !high.is_finite() {
        return unvaried(signed(middle), 0);
    }
    let places = places(high - low);
    let [middle, low, high] = [middle, low, high].map(settled);
    format!("{middle:+.places$} ({low:+.places$} to {high:+.places$})")
}

/// A number without what sums are off in their last digits, so that a half is rounded like its negative.
fn settled(number: f64) -> f64 {
    format!("{number:.12e}").parse().unwrap_or(number)
}

/// A number and the ends of its interval as three texts, with enough places to distinguish them.
pub(crate) fn apart(middle: f64, (low, high): (f64, f64)) -> [String; 3] {
    let places = places(high - low);
    [middle, low, high].map(|number| format!("{:.places$}", settled(number)))
}

/// Bounds of a number, rounded outwards, without any number between them: `0.31 to 0.35`.
pub(crate) fn ends(bounds: (f64, f64)) -> String {
    let (places, low, high) = outwards(bounds);
    format!("{low:.places$} to {high:.places$}")
}

/// Bounds of a difference: `-0.02 to +0.35`.
pub(crate) fn signed_ends(bounds: (f64, f64)) -> String {
    let (places, low, high) = outwards(bounds);
    format!("{low:+.places$} to {high:+.places$}")
}

/// How far beyond its last digit a bound may be, in units of that digit: bounds are widened by what floats are off.
const BEYOND: f64 = 1e-6;

/// The places that bounds are printed with, and the bounds so rounded, but for what floats are off.
fn outwards((low, high): (f64, f64)) -> (usize, f64, f64) {
    let places = places(high - low);
    let scale = 10f64.powi(places as i32);
    // What has no more places stays as it is, though a product with the scale may be a little more or less.
    let (down, up) =
        ((low * scale + BEYOND).floor() / scale, (high * scale - BEYOND).ceil() / scale);
    // Neither end is printed as a zero with a sign.
    (places, down + 0.0, up + 0.0)
}

/// A number rounded up to one significant digit: `40,000`, so that nobody takes it for exact.
pub(crate) fn about(number: f64) -> String {
    let power = 10f64.powf(number.max(1.0).log10().floor());
    grouped(format_args!("{:.0}", (number / power).ceil() * power))
}

/// A number that is known nearly exactly, to twelve places.
pub(crate) fn close(about: f64) -> String {
    format!("{about:.12}")
}

/// A probability that is known nearly exactly, in percent to ten places.
pub(crate) fn close_share(about: f64) -> String {
    format!("{:.10} %", 100.0 * about)
}

/// The largest rounding error of [`close`] and [`close_share`].
pub(crate) const ROUNDING: f64 = 1e-12;

/// A bound in two digits, rounded up: it never promises more than is known.
pub(crate) fn at_most(bound: f64) -> String {
    if bound <= 0.0 || !bound.is_finite() {
        return format!("{bound}");
    }
    let text = format!("{bound:.1e}");
    if text.parse::<f64>().is_ok_and(|shown| shown >= bound) {
        return text;
    }
    let step = 10f64.powf(bound.log10().floor() - 1.0);
    format!("{:.1e}", bound + step)
}

/// A bound of a probability in two digits of percent, rounded up: `3.7 %`.
pub(crate) fn share_at_most(bound: f64) -> String {
    let percent = 100.0 * bound;
    let places = (1.0 - percent.max(1e-9).log10().floor()).max(0.0);
    let scale = 10f64.powf(places);
    // What is exact but for rounding stays as it is.
    let shown = (percent * scale - 1e-9).ceil() / scale;
    format!("{shown:.*} %", places as usize)
}

/// A probability in percent: `47.22 %`.
/// A positive probability is never written as 0, nor one below 1 as 100.
pub(crate) fn share_percent(share: f64) -> String {
    percent_or_bound(share).0
}

/// A probability in percent, and whether the text is only a bound of it.
fn percent_or_bound(share: f64) -> (String, bool) {
    let text = format!("{:.2}", 100.0 * share);
    match text.as_str() {
        "0.00" if share > 0.0 => ("less than 0.01 %".to_owned(), true),
        "100.00" if share < 1.0 => ("more than 99.99 %".to_owned(), true),
        _ => (format!("{text} %"), false),
    }
}

/// The number of places at which the ends of an interval differ by two digits.
fn places(width: f64) -> usize {
    if width <= 0.0 {
        return 4;
    }
    (1.0 - width.log10().floor()).clamp(1.0, 10.0) as usize
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
    fn times_and_sizes_are_in_units_that_fit() {
        let lasts = [0.2, 1.2, 89.0, 91.0, 5_500.0, 14_000.0, 200_000.0].map(lasting);
        assert_eq!(
            lasts,
            [
                "less than a second",
                "about 1 second",
                "about 89 seconds",
                "about 2 minutes",
                "about 2 hours",
                "about 4 hours",
                "about 2 days"
            ]
        );
        assert_eq!([900, 73_728, 2_500_000].map(size), ["1 kB", "74 kB", "2.5 MB"]);
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

#[cfg(test)]
mod probability_tests {
    use super::*;

    #[test]
    fn bounds_of_probabilities_are_rounded_up() {
        for (bound, text) in [(0.03701, "3.8 %"), (0.037, "3.7 %"), (0.000384, "0.039 %")] {
            assert_eq!(share_at_most(bound), text);
        }
        assert_eq!((share_at_most(1.0), share_at_most(0.205)), ("100 %".into(), "21 %".into()));
    }

    #[test]
    fn what_is_exact_is_a_fraction_and_what_is_not_has_an_interval() {
        assert_eq!(share("17/36", 17.0 / 36.0), "17/36 = 47.22 %");
        assert_eq!([share("0", 0.0), share("1", 1.0)], ["0 %", "100 %"]);
        assert_eq!(share(&"1".repeat(30), 0.25), "25.00 %");
        assert_eq!(share("1/1000002", 1e-6), "1/1000002, less than 0.01 %");
        assert_eq!(share_percent(0.999999), "more than 99.99 %");
        assert_eq!([share_percent(0.0), share_percent(1.0)], ["0.00 %", "100.00 %"]);
        assert_eq!(exact("2", 2.0), "2");
        assert_eq!(exact("-1/18", -1.0 / 18.0), "-1/18 = -0.0556");
        assert_eq!(shares_between(0.4722, (0.461, 0.483)), "47.2 % (46.1 to 48.3)");
        assert_eq!(between(0.3333, (0.31, 0.35)), "0.333 (0.310 to 0.350)");
        assert_eq!(between(1.0, (f64::NEG_INFINITY, f64::INFINITY)), "1 (no spread seen)");
        assert_eq!(percent_points("1/36", 1.0 / 36.0), "+2.78 (1/36)");
        assert_eq!(percent_points("0", 0.0), "0");
        assert_eq!(percent_points(&format!("-{}", "1".repeat(30)), -0.00001), "0");
        // A sum that is off in its last digit is rounded as its negative is.
        let halves = [between(0.095 - 1e-16, (0.01, 0.18)), between(-0.095, (-0.18, -0.01))];
        assert_eq!(halves, ["0.10 (0.01 to 0.18)", "-0.10 (-0.18 to -0.01)"]);
        let halves = [0.095 - 1e-16, -0.095].map(|half| signed_between(half, (-0.18, 0.01)));
        assert_eq!(halves.map(|text| text[1..5].to_owned()), ["0.10", "0.10"]);
        assert_eq!([points_of(0.03141), points_of(-0.00001)], ["+3.14", "0"]);
        assert_eq!(signed_between(0.3333, (0.31, 0.35)), "+0.333 (+0.310 to +0.350)");
        assert_eq!(points_between(0.031, (0.019, 0.043)), "+3.1 (+1.9 to +4.3)");
        assert_eq!(
            [at_most(1.24e-13), at_most(1.2e-13), at_most(9.96e-3)],
            ["1.3e-13", "1.2e-13", "1.0e-2"]
        );
        assert_eq!(close_share(1.0 / 3.0), "33.3333333333 %");
        assert_eq!(ends((0.3149, 0.3501)), "0.314 to 0.351");
        assert_eq!(ends((2.0, 3.0)), "2.0 to 3.0");
        // Half, widened by what floats are off, is half.
        assert_eq!(ends((0.0, 50.000_000_001)), "0.0 to 50.0");
        assert_eq!(ends((0.0, 50.001)), "0.0 to 50.1");
        assert_eq!(signed_ends((-0.25, 0.031)), "-0.25 to +0.04");
        assert_eq!(apart(3.12, (1.92, 4.3)), ["3.1", "1.9", "4.3"]);
        assert_eq!(["1", "40,000", "2,000,000"], [0.2, 31_234.0, 1_000_001.0].map(about));
    }
}
