//! How is a number written?

/// A number without needless zeros: `3`, `-0.5`, at most four places.
pub fn tidy(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number with its sign: `+1`, `-2`, `0`.
pub fn signed(number: f64) -> String {
    let text = tidy(number);
    if number > 0.0 && text != "0" { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_without_needless_zeros() {
        assert_eq!(
            [tidy(3.0), tidy(-0.5), tidy(-0.00001), tidy(1.0 / 3.0)],
            ["3", "-0.5", "0", "0.3333"]
        );
        assert_eq!([signed(1.0), signed(-2.0), signed(0.0)], ["+1", "-2", "0"]);
    }
}
