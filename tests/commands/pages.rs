//! Tests the pages that findings are written to: each command makes one, which needs no other file.

use std::fs;

use super::run::fracas;
use crate::tournament::report::balanced;

/// Commands that write a page, each with words that it has.
const ALL: [(&str, &str); 7] = [
    ("odds war_die/ford", "exact odds"),
    ("estimate war_die/ford -n 20 --seed 3", "20 playouts, seed 3"),
    ("portrait war_die/ford -n 20", "chance events"),
    ("sweep war_die/ford faces=4..6", "Numbers of this plot"),
    (
        "compare war_die/ford --house attacker_wins_ties -n 20",
        "house rule <code>attacker_wins_ties</code>",
    ),
    ("solve war_die/ford", "It is worth 3 to red"),
    ("tune war_die/ford --vary tie --want 'length = 3 within 1' -n 20", "To see them:"),
];

/// The page of each command.
pub fn all() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let page = |(line, _): &(&str, &str)| {
        let ran =
            fracas(&format!("{line} --html page.html")).inside(folder.path()).run().succeeds();
        assert!(ran.stderr.contains("wrote `page.html`"), "{line}: {}", ran.stderr);
        fs::read_to_string(folder.path().join("page.html")).unwrap()
    };
    ALL.iter().map(page).collect()
}

#[test]
fn a_finding_has_a_page_that_needs_nothing_and_says_how_it_is_found_again() {
    for ((line, words), page) in ALL.iter().zip(all()) {
        assert!(page.contains(words), "{line}: no `{words}` in {page}");
        let name = line.split(' ').next().unwrap();
        let command = format!("<code>fracas {name} war_die/ford");
        assert!(page.contains(&command) && page.contains("rules.rhai"), "{line}: {page}");
        for source in ["<script", "http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(source), "{line}: {source}");
        }
        assert_eq!(page.matches("<caption>").count(), page.matches("<table").count(), "{line}");
        balanced(&page);
    }
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_anything_is_computed() {
    let folder = tempfile::tempdir().unwrap();
    let ran = fracas("odds war_die/ford --html .").inside(folder.path()).run();
    assert_ne!(ran.code, Some(0));
    assert!(ran.stdout.is_empty() && ran.stderr.contains("it is a folder"), "{}", ran.stderr);
}

#[test]
fn the_prompt_writes_a_page_too() {
    let folder = tempfile::tempdir().unwrap();
    let typed = ":open territory/three_tokens --seat white=human\naggressor\n\
                 :odds -n 5 --html 'a page.html'\n:open war_die/ford\n\
                 :compare --house attacker_wins_ties -n 5 --html other.html\n";
    fracas("").inside(folder.path()).typing(typed).succeeds();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let page = read("a page.html");
    let typed = ":open territory/three_tokens --seat white=human\n:odds -n 5";
    assert!(page.contains(typed), "{page}");
    // The answer that was given before, without which the place is another.
    assert!(page.contains("white ability &quot;aggressor&quot;"), "{page}");
    balanced(&page);
    let other = read("other.html");
    assert!(other.contains("house rule <code>attacker_wins_ties</code>"), "{other}");
}
