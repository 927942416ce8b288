//! Finds the clauses that a comment or a key cites, lists and ranges of them included.

use crate::script::is_clause;

/// The most clauses that a range stands for.
const RANGE: u64 = 200;

/// The clauses at the beginning of a text, one by one, and the text after them: `W2, W3. Both set…`,
/// `A14 to A17 The text ends…`.
pub(crate) fn leading(text: &str) -> (Vec<String>, &str) {
    let mut ids: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    let mut range = false;
    while let Some(word) = rest.split_whitespace().next() {
        let bare = word.trim_end_matches([',', '.', ':', ';']);
        match (bare, ids.last()) {
            ("to", Some(_)) => range = true,
            ("and" | "or", Some(_)) => range = false,
            _ if is_clause(bare) => {
                let before = ids.last().filter(|_| range).cloned();
                ids.extend(before.map(|first| between(&first, bare)).unwrap_or_default());
                ids.push(bare.to_owned());
                range = false;
            }
            _ => break,
        }
        rest = rest[word.len()..].trim_start();
        if word.ends_with(['.', ':', ';']) {
            break;
        }
    }
    (ids, rest)
}

/// All clauses that a text cites: those at its beginning, and each further word that is a clause with the
/// letters of a known one, such as the `W7` in a sentence.
pub(crate) fn cited(text: &str, letters: &[String]) -> Vec<String> {
    let (mut ids, rest) = leading(text);
    let words = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for word in words.filter(|word| is_clause(word) && letters.contains(&letters_of(word))) {
        if !ids.iter().any(|id| id == word) {
            ids.push(word.to_owned());
        }
    }
    ids
}

/// The letters before the number of a clause.
pub(super) fn letters_of(id: &str) -> String {
    id.chars().take_while(char::is_ascii_uppercase).collect()
}

fn number_of(id: &str) -> Option<u64> {
    let digits = id.trim_start_matches(|c: char| c.is_ascii_uppercase());
    digits.trim_end_matches(|c: char| c.is_ascii_lowercase()).parse().ok()
}

/// The clauses between two.
fn between(first: &str, last: &str) -> Vec<String> {
    let letters = letters_of(first);
    match (number_of(first), number_of(last)) {
        (Some(from), Some(to))
            if letters == letters_of(last) && to.saturating_sub(from) < RANGE =>
        {
            (from.saturating_add(1)..to).map(|number| format!("{letters}{number}")).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_read_clause_by_clause() {
        for (text, ids, rest) in [
            ("W4, W5. The greater.", &["W4", "W5"][..], "The greater."),
            ("A14 to A17 The text", &["A14", "A15", "A16", "A17"], "The text"),
            ("B2 to B4, and B9: more", &["B2", "B3", "B4", "B9"], "more"),
            ("L20", &["L20"], ""),
            ("To be. W3", &[], "To be. W3"),
            ("A2 to B4. Mixed", &["A2", "B4"], "Mixed"),
            ("A1 to A999999999999. Far", &["A1", "A999999999999"], "Far"),
        ] {
            let (found, left) = leading(text);
            assert_eq!(
                (found.iter().map(String::as_str).collect::<Vec<_>>(), left),
                (ids.to_vec(), rest)
            );
        }
    }

    #[test]
    fn clauses_in_a_sentence_are_cited_where_the_letters_are_known() {
        let letters = ["W".to_owned()];
        assert_eq!(
            cited("W1. As in (W7), not in A4; W1 again, and W10.", &letters),
            ["W1", "W7", "W10"]
        );
        assert!(cited("A `2W6` die, W, 7.", &letters).is_empty());
    }
}
