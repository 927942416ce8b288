//! Strips the prompt from a line that was copied together with it.

/// The prompt of a session in which no conflict is open, and the end of all others.
pub(super) const BARE: &str = "> ";

/// The line without the prompts at its beginning: the `current` one, and those with which no
/// line of the language begins.
pub(super) fn strip<'a>(line: &'a str, current: &str) -> &'a str {
    let mut rest = line;
    loop {
        let shorter = rest
            .strip_prefix(current)
            .filter(|_| !current.is_empty())
            .or_else(|| rest.strip_prefix(BARE))
            .or_else(|| rest.strip_prefix("fracas> "))
            .or_else(|| after_scenario(rest))
            .or_else(|| after_question(rest));
        match shorter {
            Some(shorter) => rest = shorter,
            None => return if matches!(rest, ">" | "fracas>") { "" } else { rest },
        }
    }
}

/// The text after `system/scenario 3> `.
fn after_scenario(line: &str) -> Option<&str> {
    let (before, after) = line.split_once(BARE)?;
    let before = before.trim_end_matches(super::session::SEES_ALL);
    let (scenario, count) = before.split_once(' ')?;
    let is_count = !count.is_empty() && count.chars().all(|letter| letter.is_ascii_digit());
    (scenario.contains('/') && is_count).then_some(after)
}

/// The text after `white, ability? `.
fn after_question(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("? ")?;
    let before = before.trim_end_matches(super::session::SEES_ALL);
    let (who, name) = before.split_once(", ")?;
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    (is_word(who) && is_word(name)).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn prompts_go_and_lines_stay() {
        let strip = |line| strip(line, "old red, bid? ");
        for (line, left) in [
            ("> 1 + 1", "1 + 1"),
            ("> > 1", "1"),
            (">", ""),
            ("fracas> :q", ":q"),
            ("a/b 12> :undo", ":undo"),
            ("a/b 12 (sees all)> :undo", ":undo"),
            ("white, ability? 1", "1"),
            ("old red, bid? 5", "5"),
            ("x > 3", "x > 3"),
            ("a / b 3> 2", "a / b 3> 2"),
            ("let x = 1", "let x = 1"),
        ] {
            assert_eq!(strip(line), left, "{line}");
        }
    }
}
