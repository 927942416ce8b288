//! Results are the same for any number of threads, any memory bound, heard or unheard, also near limits.

use serde_json::Value;

use super::run::{Ran, fracas};
use super::scratch::Scratch;
use crate::support::share_of;

/// An agent whose answer takes so many turns of a loop, beside dice that a thread may know already.
fn tight(turns: u64) -> String {
    format!(
        "fn decide(view, decision) {{\n    let sum = dice(\"6d6\").values().len();\n    \
         let i = 0;\n    while i < {turns} {{ i += 1; }}\n    decision.options[0]\n}}\n"
    )
}

const CUP: &str = "scenarios = [\"duel/one_round\"]\nagents = [\"first\", \"tight.rhai\"]\n\
    format = \"round_robin\"\ngames = 4\nseed = 3\nexact = false\n";

/// How many games the agent forfeits, and what is printed.
fn cup(scratch: &Scratch, options: &str) -> (u64, String) {
    let _ = std::fs::remove_file(scratch.file("cup.db"));
    let ran = fracas(&format!("tournament cup.toml --json --quiet {options}"))
        .inside(scratch.path())
        .run();
    let standings = ran.json();
    let rows = standings["standings"].as_array().cloned().unwrap_or_default();
    let forfeits = rows.iter().filter_map(|row| row["forfeits"].as_u64()).sum();
    (forfeits, serde_json::to_string(&standings["standings"]).unwrap())
}

/// The last number for which it holds, and the first for which it does not.
#[track_caller]
fn edge(mut fits: u64, mut beyond: u64, holds: impl Fn(u64) -> bool) -> (u64, u64) {
    assert!(holds(fits) && !holds(beyond));
    while beyond - fits > 1 {
        let middle = (fits + beyond) / 2;
        if holds(middle) { fits = middle } else { beyond = middle }
    }
    (fits, beyond)
}

#[test]
fn an_agent_near_its_limit_forfeits_the_same_games_on_any_number_of_threads() {
    let scratch = Scratch::with_duel();
    scratch.write("cup.toml", CUP);
    let (fits, beyond) = edge(10_000, 1_000_000, |turns| {
        scratch.write("tight.rhai", tight(turns));
        cup(&scratch, "--threads 1").0 == 0
    });
    for turns in [fits, beyond] {
        scratch.write("tight.rhai", tight(turns));
        let one = cup(&scratch, "--threads 1");
        assert_eq!(one.0 > 0, turns == beyond);
        for options in ["--threads 2", "--threads 8", "--threads 2 --graph-memory 1M"] {
            assert_eq!(cup(&scratch, options), one, "{turns} turns, {options}");
        }
    }
}

/// A step that takes so many turns of a loop, three times in a conflict.
fn rules(turns: u64) -> String {
    format!(
        "//! # Long\nfn setup(s) {{ #{{ round: 0, got: [] }} }}\nfn step() {{\n    \
         this.got.push(this.choose(\"ann\", \"pick\", [1, 2]));\n    \
         let i = 0;\n    while i < {turns} {{ i += 1; }}\n    this.round += 1;\n}}\n\
         fn outcome() {{\n    if this.round < 3 {{ return; }}\n    \
         #{{ result: `${{this.got}}`, utility: #{{ ann: this.got[0] }} }}\n}}\n"
    )
}

fn long(scratch: &Scratch, turns: u64) {
    scratch.write("rules/long/rules.rhai", rules(turns));
    scratch.write(
        "rules/long/scenarios/one.toml",
        "system = \"long\"\n[setup]\n[seats]\nann = \"first\"\n",
    );
}

/// Whether a command succeeds with the scenario.
fn succeeds(scratch: &Scratch, command: &str) -> bool {
    let ran: Ran = fracas(&format!("{command} --json --quiet")).inside(scratch.path()).run();
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
    ran.code == Some(0)
}

/// Whether each way to play the scenario succeeds.
fn ways(scratch: &Scratch) -> [bool; 4] {
    ["play long/one", "estimate long/one -n 1", "odds long/one", "solve long/one"]
        .map(|command| succeeds(scratch, command))
}

#[test]
fn every_way_to_play_passes_a_limit_or_none_does() {
    let scratch = Scratch::empty();
    let (fits, beyond) = edge(10_000, 5_000_000, |turns| {
        long(&scratch, turns);
        succeeds(&scratch, "play long/one")
    });
    long(&scratch, fits);
    assert_eq!(ways(&scratch), [true; 4], "{fits} turns");
    long(&scratch, beyond);
    assert_eq!(ways(&scratch), [false; 4], "{beyond} turns");
}

/// Mistakes in the text of an event, which is made only where somebody listens.
const MISTAKES: [&str; 8] = [
    "this.emit(`${this.nothing.there}`)",
    "this.emit(`${[1][3]}`)",
    "this.emit(`${1 / this.zero}`)",
    "this.emit(`${this.fails()}`)",
    "this.emit(`${9223372036854775807 + this.one}`)",
    "this.emit(`${remove_token(#{ a: 0 }, \"a\")}`)",
    "this.emit(`${-\"x\"}`)",
    "this.emit_each([`x`, this.one])",
];

#[test]
fn a_mistake_in_the_text_of_an_event_shows_whether_anybody_listens() {
    let scratch = Scratch::empty();
    for mistake in MISTAKES {
        let rules = format!(
            "//! # Odd\nfn setup(s) {{ #{{ done: false, zero: 0, one: 1 }} }}\n\
             fn fails() {{ throw \"no\"; }}\n\
             fn step() {{ {mistake}; this.choose(\"ann\", \"pick\", [1, 2]); this.done = true; }}\n\
             fn outcome() {{ if !this.done {{ return; }} #{{ result: \"x\", utility: #{{ ann: 0 }} }} }}\n"
        );
        scratch.write("rules/long/rules.rhai", rules);
        scratch.write(
            "rules/long/scenarios/one.toml",
            "system = \"long\"\n[setup]\n[seats]\nann = \"first\"\n",
        );
        assert_eq!(ways(&scratch), [false; 4], "{mistake}");
    }
}

#[test]
fn estimates_are_equal_for_any_number_of_threads_and_any_memory() {
    let estimate = |options: &str| -> Value {
        let line = format!("estimate last_stand/bridge -n 40 --seed 5 --json --quiet {options}");
        fracas(&line).run().succeeds().json()
    };
    let one = estimate("--threads 1");
    for options in ["--threads 2", "--threads 8", "--threads 2 --graph-memory 1M"] {
        assert_eq!(estimate(options), one, "{options}");
    }
}

/// A game of 4,611 nodes in which ann sees a coin and bob a die: eight answers move a sum. Whoever plays ann meets
/// more than 2,000 of them, and thinks at few information sets.
const BLIND: &str = "//! # Blind\n\
fn setup(s) { #{ ann: 0, bob: 0, turn: 0, sum: 0 } }\n\
fn step() {\n    \
    if this.ann == 0 {\n        \
        this.ann = this.roll(\"ann\", \"dealt\", uniform([1, 2]));\n        \
        this.bob = this.roll(\"bob\", \"dealt\", dice(\"1d12\"));\n        \
        return;\n    \
    }\n    \
    let who = if this.turn % 2 == 0 { \"ann\" } else { \"bob\" };\n    \
    this.sum = (this.sum * params.factor + this.choose(who, \"pick\", [0, 1, 2, 3])) % 31;\n    \
    this.turn += 1;\n\
}\n\
fn outcome() {\n    \
    if this.turn < 8 { return; }\n    \
    let won = (this.sum * this.ann + 3 * this.bob) % 7 - 3;\n    \
    let who = if won > 0 { \"ann\" } else if won < 0 { \"bob\" } else { \"nobody\" };\n    \
    #{ result: who, utility: #{ ann: won, bob: -won } }\n\
}\n\
fn view(player) { #{ own: this[player], turn: this.turn, sum: this.sum } }\n";

#[test]
fn whoever_thinks_on_a_hidden_game_finds_the_same_on_any_number_of_threads() {
    let scratch = Scratch::empty();
    scratch.write("rules/blind/rules.rhai", BLIND);
    scratch.write(
        "rules/blind/params.toml",
        "[factor]\ndefault = 2\nmin = 1\nmax = 5\nmeaning = \"What the sum is multiplied by.\"\n",
    );
    scratch.write("rules/blind/scenarios/one.toml", "system = \"blind\"\n[setup]\n");
    scratch.write(
        "cup.toml",
        "scenarios = [\"blind/one\"]\nagents = [\"random\", \"first\", \"greedy\", \"search:20\"]\n\
         format = \"round_robin\"\ngames = 4\nseed = 5\nexact = false\n",
    );
    // Three batches of 256 playouts, so that several threads make them.
    // Each with how often it runs: searching takes long, so that it is once with each number of threads, and three
    // times with `FRACAS_THOROUGH`.
    let rare = share_of(30).div_ceil(10);
    let lines_of = |(agent, runs): (&str, u64)| {
        let with = format!("-n 600 --seat ann={agent}");
        [
            format!("estimate blind/one {with}"),
            format!("compare blind/one --param factor=3 {with} --measure fairness.utility"),
            format!(
                "portrait blind/one {with} --measure choice --measure length --measure fairness"
            ),
            format!("tune blind/one --vary factor=2,3 --want 'fairness <= 0.5' {with}"),
        ]
        .map(|line| (line, runs))
    };
    let lines = std::iter::once(("tournament cup.toml --games games.json".to_owned(), 3))
        .chain([("greedy", 3), ("search:20", rare)].into_iter().flat_map(lines_of));
    let found = |line: &str, threads: u64| -> (String, String) {
        for file in ["cup.db", "games.json"] {
            let _ = std::fs::remove_file(scratch.file(file));
        }
        let ran = fracas(&format!("{line} --seed 5 --json --quiet --threads {threads}"));
        let ran = ran.inside(scratch.path()).run().succeeds();
        (ran.stdout, std::fs::read_to_string(scratch.file("games.json")).unwrap_or_default())
    };
    for (number, (line, runs)) in lines.enumerate() {
        let first = found(&line, 1);
        let printed: Value = serde_json::from_str(&first.0).unwrap();
        assert!(number == 0 || printed["n"] == 600, "{line}: nothing was sampled, {printed}");
        for threads in [1, 2, 4] {
            for _ in u64::from(threads == 1)..runs {
                assert_eq!(found(&line, threads), first, "{line}, {threads} threads");
            }
        }
        if number == 0 {
            replays(&scratch, &first.1);
        }
    }
}

/// Plays some games again by the commands that are printed beside them.
fn replays(scratch: &Scratch, games: &str) {
    let games: Vec<serde_json::Value> = serde_json::from_str(games).unwrap();
    let words = |game: &serde_json::Value| game["command"].as_str().unwrap_or_default().to_owned();
    let both = |game: &&serde_json::Value| {
        ["greedy", "search"].iter().all(|one| words(game).contains(one))
    };
    let games: Vec<&serde_json::Value> = games.iter().filter(both).take(4).collect();
    assert_eq!(games.len(), 4);
    for game in games {
        let words = words(game);
        let words = words.strip_prefix("fracas ").unwrap();
        let played = fracas(&format!("{words} --json --quiet")).inside(scratch.path()).run();
        assert_eq!(played.succeeds().json()["outcome"]["result"], game["result"], "{words}");
    }
}
