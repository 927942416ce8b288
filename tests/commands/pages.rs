//! Tests the pages that findings are written to: each command makes one, which needs no other file.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::run::fracas;
use crate::tournament::report::balanced;

/// Commands that write a page, each with words that it has.
const ALL: [(&str, &str); 9] = [
    ("odds war_die/ford", "exact odds"),
    ("estimate war_die/ford -n 20 --seed 3", "20 playouts, seed 3"),
    ("portrait war_die/ford -n 20", "chance events"),
    ("sweep war_die/ford faces=4..6", "Numbers of this plot"),
    (
        "compare war_die/ford --house attacker_wins_ties -n 20",
        "house rule <code>attacker_wins_ties</code>",
    ),
    (
        "compare war_die/ford --variant half_price --variant faces=6 -n 20",
        "in <code>half_price</code>",
    ),
    ("solve war_die/ford", "It is worth 3 to red"),
    ("exploit war_die/ford --seat blue=greedy --opponent red", "best response"),
    ("tune war_die/ford --vary tie --want 'length = 3 within 1' -n 20", "To see them</h"),
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
        for part in [&command[..], "rules.rhai", "params.toml", "scenarios/ford.toml"] {
            assert!(page.contains(part), "{line}: no `{part}` in {page}");
        }
        // Its numbers rest on who plays.
        if name == "portrait" {
            for part in ["plays as <code>cautious</code>", "agents/cautious.rhai"] {
                assert!(page.contains(part), "{line}: no `{part}` in {page}");
            }
        }
        // Only a comparison has a playout to step through, where one ends otherwise.
        let scripts = page.matches("<script").count();
        assert!(
            scripts == 0 || (name == "compare" && page.contains("script-src 'sha256-")),
            "{line}"
        );
        for source in ["http:", "https:", "src=", "@import", "url("] {
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

/// Rules of a die that wins from a number on, with a house rule that lowers it for a reason.
fn dice(folder: &Path) {
    let write = |path: &str, text: &str| {
        let path = folder.join("rules/dice").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "rules.rhai",
        "//! # Dice\n\nfn setup(scenario) { #{ fell: 0 } }\n\n\
         /// D1. A six wins.\nfn wins(fell) { fell == 6 }\n\n\
         fn step() {\n    this.fell = this.roll(\"red\", \"die\", dice(\"1d6\"));\n    this.emit(`red rolls ${this.fell}`);\n}\n\n\
         fn outcome() {\n    if this.fell == 0 { return; }\n    let won = if this.wins(this.fell) { 1 } else { 0 };\n    \
         #{ result: if won == 1 { \"won\" } else { \"lost\" }, utility: #{ red: won } }\n}\n",
    );
    write("scenarios/one.toml", "system = \"dice\"\n[setup]\n");
    write(
        "house/kind.rhai",
        "//! # Kind dice\n//! A six <b>alone</b> is rare.\n//!\n//! - Found at a table in spring.\n\n\
         fn wins(fell) { fell >= 5 }\n",
    );
    write("house/kinder.rhai", "//! # Kinder dice\n\nfn wins(fell) { fell >= 4 }\n");
}

#[test]
fn the_page_of_a_house_rule_has_its_reason_its_code_and_the_first_playout_that_ends_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    dice(folder.path());
    let compare = "--rules rules compare dice/one --seed 2 --html page.html";
    let ran = fracas(&format!("{compare} --house kind")).inside(folder.path()).run().succeeds();
    // Two of six instead of one.
    assert!(ran.stdout.contains("1/6") && ran.stdout.contains("1/3"), "{}", ran.stdout);
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    balanced(&page);
    let parts = [
        "The house rule: Kind dice",
        "<p>A six &lt;b&gt;alone&lt;/b&gt; is rare.</p>",
        "<p>- Found at a table in spring.</p>",
        "<code>wins</code>, by D1",
        "in the rules",
        "fell == 6",
        "in <code>kind</code>",
        "fell &gt;= 5",
        "The first playout that ends otherwise",
        "To repeat it",
    ];
    let mut rest = page.as_str();
    for part in parts {
        let at =
            rest.find(part).unwrap_or_else(|| panic!("no `{part}` after the others in {rest}"));
        rest = &rest[at..];
    }
    // A five is the only number that the house rule changes, so that is what fell in both lines, up to the end.
    let (_, data) = page.split_once("id=\"film-data\">").unwrap();
    let film: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let lines = film["lines"].as_array().unwrap();
    assert_eq!(lines.iter().map(|line| line.as_array().unwrap().len()).collect::<Vec<_>>(), [2, 2]);
    assert_eq!([&lines[0][0]["picked"], &lines[1][0]["picked"]], [4, 4]);
    assert_eq!(film["marks"][0][0], 1, "they part at the end");
}

#[test]
fn variants_are_compared_with_the_rules_in_one_table() {
    let folder = tempfile::tempdir().unwrap();
    dice(folder.path());
    let compare = "--rules rules compare dice/one --variant kind --variant kinder --json";
    let ran = fracas(compare).inside(folder.path()).run().succeeds();
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    let variants = found["variants"].as_array().unwrap();
    let named = |one: &Value| {
        [&one["changes"][0], &one["difference"]["results"]["won"]].map(Value::to_string)
    };
    // Five and six, or four to six, instead of six alone.
    let found: Vec<[String; 2]> = variants.iter().map(named).collect();
    assert_eq!(found, [["\"kind\"", "\"1/6\""], ["\"kinder\"", "\"1/3\""]]);
    let text =
        fracas(&compare.replace(" --json", "")).inside(folder.path()).run().succeeds().stdout;
    assert!(text.starts_with("the rules, and the difference under each variant"), "{text}");
}
