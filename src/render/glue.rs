//! Keeps a number in a cell of a table together with its percent sign and its interval.

/// Stands for a space at which no cell is broken; no script has a use for it.
pub(super) const GLUE: char = '\u{e000}';

/// A cell in which no number is apart from its `%`.
pub(super) fn with_percent(cell: &str) -> String {
    cell.replace(" %", &format!("{GLUE}%"))
}

/// A cell in which no number is apart from its `%` or its interval.
pub(super) fn with_interval(cell: &str) -> String {
    let number = |letter: char| letter.is_ascii_digit() || " .,+-/%()to".contains(letter);
    match cell.chars().all(number) && cell.contains(|letter: char| letter.is_ascii_digit()) {
        true => cell.replace(' ', &GLUE.to_string()),
        false => with_percent(cell),
    }
}
