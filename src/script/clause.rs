//! Recognises ids of clauses such as `W7`, and finds those at the beginning of a comment.

/// The clauses that a comment names at its beginning, and what it says of them: `T3 to T8. What…`.
pub(crate) fn clauses(comment: &str) -> Option<(&str, &str)> {
    let mut end = 0;
    loop {
        let word = comment[end..].split_whitespace().next()?;
        let begins = end + comment[end..].find(word)?;
        end = begins + word.len();
        if let Some(last) = word.strip_suffix(['.', ':']) {
            let named = &comment[..begins + last.len()];
            return is_clause(last).then(|| (named, comment[end..].trim()));
        }
        if !is_clause(word.trim_end_matches(',')) && !matches!(word, "to" | "and" | "or") {
            return None;
        }
    }
}

/// Whether a word is the id of a clause: letters and a number, `W7`.
pub(crate) fn is_clause(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = word.len() - digits.len();
    let number = digits.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (1..=3).contains(&letters)
        && !number.is_empty()
        && digits.len() - number.len() <= 1
        && number.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_told_from_other_words() {
        assert_eq!(
            clauses("T3 to T8. What becomes of it."),
            Some(("T3 to T8", "What becomes of it."))
        );
        assert_eq!(clauses("L23: a hand"), Some(("L23", "a hand")));
        assert_eq!(clauses("W5, W8 to W10:\nmore"), Some(("W5, W8 to W10", "more")));
        for none in ["A turn.", "Who stays.", "", "To 3. x", "B12 is a clause."] {
            assert_eq!(clauses(none), None, "{none}");
        }
    }
}
