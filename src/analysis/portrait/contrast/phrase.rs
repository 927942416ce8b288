//! Changes of rules and of measures as parts of sentences.

use super::super::glossary::Meaning;
use crate::report;

/// The changes as they begin a sentence: `Under `a` and without `b``.
pub(crate) fn under(changes: &[String]) -> String {
    let quoted = |names: Vec<&str>| report::enumerated(&report::ticked(names));
    let with: Vec<&str> =
        changes.iter().filter(|one| !one.starts_with('-')).map(String::as_str).collect();
    let without: Vec<&str> = changes.iter().filter_map(|one| one.strip_prefix('-')).collect();
    match (with.is_empty(), without.is_empty()) {
        (_, true) => format!("under {}", quoted(with)),
        (true, false) => format!("without {}", quoted(without)),
        (false, false) => {
            format!("under {} without {}", quoted(with), quoted(without))
        }
    }
}

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// A number in three digits: `0.0754`, `1.4`, `12`.
pub(super) fn three(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return report::tidy(number);
    }
    let places = (2.0 - number.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{number:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// What a difference of a measure is, as a part of a sentence; `base` is what it was, where that is printed.
pub(super) fn phrase(name: &str, difference: f64, base: Option<f64>) -> String {
    let up = difference > 0.0;
    match base.filter(|base| *base > 0.0) {
        // What has no unit that people know is set against what it was.
        Some(base) if Meaning::of(name).is_some_and(|one| one.unit == "chance") => {
            let percent = three(100.0 * (difference / base).abs());
            let more = if up { "more" } else { "less" };
            format!("a conflict has {percent} % {more} {}", Meaning::label(name).1)
        }
        _ => {
            let sizes = [1.0, 100.0].map(|times| three(times * difference.abs()));
            Meaning::change(name, sizes.each_ref().map(String::as_str), up)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn changes_begin_a_sentence_that_can_be_read() {
        assert_eq!(under(&named(&["a"])), "under `a`");
        assert_eq!(under(&named(&["a", "b=2", "c"])), "under `a`, `b=2` and `c`");
        assert_eq!(capital(&under(&named(&["-a"]))), "Without `a`");
        assert_eq!(under(&named(&["a", "-b"])), "under `a` without `b`");
    }

    #[test]
    fn a_difference_is_a_part_of_a_sentence() {
        let suspense = phrase("drama.suspense", -0.1, Some(0.4));
        assert_eq!(suspense, "a conflict has 25 % less suspense");
        for (name, difference, said) in [
            ("length.decisions", 1.4, "a conflict is 1.4 decisions longer"),
            ("length.decisions", -1.0, "a conflict is 1 decision shorter"),
            ("drama.lead_changes", 0.0754, "a conflict has 0.0754 more lead changes"),
            ("length.steps", -1.0, "a conflict takes 1 fewer step"),
            ("choice.forced", 0.5, "a decision has only one sensible option 50 points more often"),
            ("luck.chance", -0.12, "chance decides 12 points less"),
            ("luck.red", 0.01, "what red chooses decides 1 point more"),
            ("ties", 0.12345, "ties come 12.3 points more often"),
            ("fairness.first_seat", -0.25, "the first seat is worth 0.25 less"),
            ("outcome.cities.left", 2.0, "`cities.left` is 2 higher"),
            ("skill.search:100", 0.2, "`search:100` beats the agent below it 20 points more often"),
        ] {
            assert_eq!(phrase(name, difference, None), said);
        }
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([1234.5, 12.0, 1.25, 0.07536].map(three), ["1234", "12", "1.25", "0.0754"]);
        assert_eq!(three(0.0), "0");
    }
}
