//! Tests `compare` against a house rule whose effect is worked out by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fracas::analysis::{Compared, DivergingPlayout, Enough, Pair, Sampling, Seeking, Side, Stage};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict};
use fracas::error::Cut;
use fracas::number::Quantity;
use fracas::report::Report;
use fracas::script::{Budget, Limits};
use serde_json::{Value, json};

use crate::commands::run::fracas;
use crate::commands::scratch::Scratch;
use crate::support::{catalog, json};

/// Paper beats nothing any more. Of the nine pairs of hands that two random players show, each
/// player won three before. Paper against rock is now a draw, once for either player: each wins two
/// of nine, and five of nine are draws. So each wins 1/9 less often, and draws are 2/9 more
/// frequent; the utilities stay 0, because both players lose the same.
const THIN_PAPER: &str = "//! # Thin paper\n//! Paper wraps nothing.\n\
     fn beaten_by(hand) { if hand == \"paper\" { \"\" } else { super(hand) } }\n";

/// Rock, paper, scissors as it is, and with thin paper.
fn thin_paper() -> Pair {
    under(THIN_PAPER)
}

/// Rock, paper, scissors as it is, and under a house rule.
fn under(rule: &str) -> Pair {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.rhai");
    std::fs::write(&file, rule).unwrap();
    let house = Changes { house: vec![file.display().to_string()], ..Changes::default() };
    pair(&catalog(), "rock_paper_scissors/once", &house)
}

fn pair(catalog: &Catalog, scenario: &str, changes: &Changes) -> Pair {
    let open =
        |changes: &Changes| Conflict::open(catalog, scenario, changes, &Limits::default()).unwrap();
    let seats = Changes { seats: changes.seats.clone(), ..Changes::default() };
    let params = changes.params.iter().map(|one| format!("{}={}", one.name, one.value));
    let words = changes.house.iter().cloned().chain(params).collect();
    Pair::between(&open(&seats), &open(changes), words, 64 << 20).unwrap()
}

fn exactly(pair: &Pair) -> Compared {
    let seeking = Seeking { float: false, threads: 1, nodes: 10_000 };
    Compared::exactly(pair, seeking, 1, &|_| ()).unwrap().unwrap()
}

fn sampled(pair: &Pair, seed: u64, n: u64, threads: usize) -> Compared {
    let sampling = Sampling { seed, n, enough: Enough::All, threads };
    Compared::sample(pair, sampling, &|_| ()).unwrap()
}

fn number(compared: &Compared, result: &str) -> Quantity {
    compared.difference.results[result].clone()
}

#[test]
fn an_exact_difference_is_the_one_worked_out() {
    let pair = thin_paper();
    let compared = exactly(&pair);
    let players: Vec<&String> = pair.players().iter().collect();
    let text = |result: &str| json(&number(&compared, result));
    assert_eq!(text("draw"), "2/9");
    assert_eq!([text(players[0]), text(players[1])], ["-1/9", "-1/9"]);
    assert!(compared.difference.utility.values().all(|number| json(number) == "0"));
    assert!(compared.exact && compared.n == 0);
    let text = compared.report(&pair, false).text(80, true);
    let sentence = text.replace('\n', " ");
    assert!(sentence.contains("`draw` comes exactly 2/9 (22.22 percentage points) more often."));
}

#[test]
fn who_interrupts_the_exploring_has_a_few_pairs_all_the_same() {
    let flag = Arc::new(AtomicBool::new(true));
    let budget = Budget::default().interrupted_by(Some(flag.clone()));
    let limits = Limits { budget, ..Limits::default() };
    let open = |house: &[&str]| {
        let house = house.iter().map(|name| name.to_string()).collect();
        let changes = Changes { house, ..Changes::default() };
        Conflict::open(&catalog(), "war_die/ford", &changes, &limits).unwrap()
    };
    // What compiles the rules looks at the flag too.
    flag.store(false, Ordering::Relaxed);
    let pair =
        Pair::between(&open(&[]), &open(&["cheap_mana"]), vec!["cheap_mana".to_owned()], 64 << 20)
            .unwrap();
    flag.store(true, Ordering::Relaxed);
    let seeking = Seeking { float: false, threads: 1, nodes: 10_000 };
    let refused = Compared::exactly(&pair, seeking, 1, &|_| ()).unwrap().unwrap_err();
    assert_eq!(refused.cut, Some(Cut::Interrupted), "{}", refused.reason);
    let sampling = Sampling { seed: 1, n: 5_000, enough: Enough::All, threads: 1 };
    let few = Compared::in_haste(&pair, sampling, &|_| ()).unwrap();
    assert!(few.cut.is_some() && few.n > 0 && few.n < 5_000, "{} pairs", few.n);
    assert!(flag.load(Ordering::Relaxed), "whoever called is still interrupted");
}

#[test]
fn what_is_explored_is_bounded_beside_the_playouts() {
    let pair = thin_paper();
    let explores =
        |n| Sampling { seed: 1, n, enough: Enough::All, threads: 1 }.explores(&pair.base);
    assert_eq!([1, 100, 1_000, 10_000].map(explores), [2_000, 2_000, 20_000, 50_000]);
}

#[test]
fn sampled_differences_cover_the_exact_ones() {
    let pair = thin_paper();
    let players: Vec<String> = pair.players().iter().cloned().collect();
    let mut covered = [0; 3];
    for seed in 0..200 {
        let compared = sampled(&pair, seed, 400, 1);
        let exact = [("draw", 2.0 / 9.0), (&*players[0], -1.0 / 9.0), (&*players[1], -1.0 / 9.0)];
        for ((result, exact), covered) in exact.into_iter().zip(&mut covered) {
            let (low, high) = number(&compared, result).range();
            *covered += u32::from((low..=high).contains(&exact));
        }
    }
    // 95 % of 200 are 190, with a standard deviation of 3.1.
    assert!(covered.iter().all(|covered| (180..=199).contains(covered)), "{covered:?}");
}

#[test]
fn pairs_have_the_same_numbers_for_any_number_of_threads() {
    let pair = thin_paper();
    let alone = sampled(&pair, 5, 3_000, 1);
    for threads in [2, 3] {
        let again = sampled(&pair, 5, 3_000, threads);
        assert_eq!(json(&again), json(&alone), "{threads} threads");
    }
    // Under common random numbers a pair can only turn a win with paper into a draw, so the draws
    // that are gained are the wins that are lost, pair by pair.
    let wins: f64 = pair.players().iter().map(|name| number(&alone, name).value).sum();
    assert!((number(&alone, "draw").value + wins).abs() < 1e-12);
}

#[test]
fn playouts_stop_where_every_interval_is_narrow() {
    let pair = thin_paper();
    let sampling = Sampling { seed: 3, n: 1_000_000, enough: Enough::Within(0.02), threads: 2 };
    let compared = Compared::sample(&pair, sampling, &|_| ()).unwrap();
    assert!(compared.difference.missed(0.02).is_none() && compared.n < 10_000, "{}", compared.n);
}

/// A coin falls, and red wins where `wins` is true; the house rule is another `wins`.
fn coin(wins: &str, under: &str, before: &str) -> Pair {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join("coin").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let rules = format!(
        "//! # Coin\n//! A coin falls.\n\
         fn setup(s) {{ #{{ side: 0, before: 0 }} }}\n\
         fn step() {{ {before} this.side = this.roll(\"coin\", \"side\", uniform([1, 2])); }}\n\
         fn wins(side) {{ {wins} }}\n\
         fn outcome() {{\n\
             if this.side == 0 {{ return; }}\n\
             let red = wins(this.side);\n\
             #{{ result: if red {{ \"red\" }} else {{ \"blue\" }}, \
                utility: #{{ red: if red {{ 1 }} else {{ 0 }}, blue: if red {{ 0 }} else {{ 1 }} }} }}\n\
         }}\n"
    );
    write("rules.rhai", &rules);
    write(
        "house/other.rhai",
        &format!("//! # Other\n//! Others win.\nfn wins(side) {{ {under} }}\n"),
    );
    write("scenarios/one.toml", "system = \"coin\"\n[setup]\n");
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let other = Changes { house: vec!["other".to_owned()], ..Changes::default() };
    pair(&catalog, "coin/one", &other)
}

fn until_clear(seed: u64) -> Sampling {
    Sampling { seed, n: Sampling::PLAYOUTS, enough: Enough::Clear, threads: 2 }
}

#[test]
fn a_large_difference_is_clear_at_the_first_look() {
    // Red wins every time in place of half of the time. Of 1024 pairs 512 differ, give or take 16:
    // the share of 1/2 is 30 standard errors above 0.
    let compared =
        Compared::sample(&coin("side == 1", "true", ""), until_clear(1), &|_| ()).unwrap();
    assert!(compared.clear && compared.n == 1024, "{}", compared.n);
}

#[test]
fn a_difference_that_is_none_is_seldom_said_to_be_clear() {
    // The other side of the coin wins: every pair differs, and none is likelier than before. That the
    // difference is small takes (2.5 / 0.01)² pairs, far more than there are, so whoever calls it clear
    // is wrong. Of 200 that is 10 at most on average; of numbers that say the same thing, fewer.
    let pair = coin("side == 1", "side == 2", "");
    let clear = |seed: &u64| Compared::sample(&pair, until_clear(*seed), &|_| ()).unwrap().clear;
    let wrong = (0..200).filter(clear).count();
    assert!(wrong <= 10, "{wrong} of 200");
}

/// A draw with one chance in `chance` for a prize; what red has under the rules, and under the house rule.
fn prize(chance: u64, [base, house]: [&str; 2]) -> Pair {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join("prize").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let rules = format!(
        "//! # Prize\n//! A draw.\n//! Players: red.\n\
         fn setup(s) {{ #{{ drawn: -1 }} }}\n\
         fn step() {{ this.drawn = this.roll(\"urn\", \"draw\", weighted([[1, 1], [0, {}]])); }}\n\
         fn worth(drawn) {{ {base} }}\n\
         fn outcome() {{\n\
             if this.drawn < 0 {{ return; }}\n\
             #{{ result: \"over\", utility: #{{ red: worth(this.drawn) }} }}\n\
         }}\n",
        chance - 1
    );
    write("rules.rhai", &rules);
    write("house/other.rhai", &format!("//! # Other\n//! Other.\nfn worth(drawn) {{ {house} }}\n"));
    write("scenarios/one.toml", "system = \"prize\"\n[setup]\n");
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let other = Changes { house: vec!["other".to_owned()], ..Changes::default() };
    pair(&catalog, "prize/one", &other)
}

/// What is said of the utility of red.
fn said(compared: &Compared, pair: &Pair) -> String {
    compared.report(pair, false).text(100, true).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_rare_prize_makes_hardly_any_false_verdict_sure() {
    // In place of 1 for certain red has the prize: as much on average, so that every verdict is false.
    for chance in [100, 1000] {
        let pair = prize(chance, ["1", &format!("if drawn == 1 {{ {chance} }} else {{ 0 }}")]);
        // Both are known whole: of 1,000 the prize is possible also where it never comes, in one sample of seven.
        assert_eq!(json(&exactly(&pair).difference.utility["red"]), "0");
        let all: Vec<String> =
            (0..300).map(|seed| said(&sampled(&pair, seed, 2_000, 2), &pair)).collect();
        let count = |has: fn(&str) -> bool| all.iter().filter(|text| has(text)).count();
        let sure = count(|text| text.contains("the data show it."));
        let rare = count(|text| text.contains("the data show it, unless an end that came seldom"));
        assert!(sure <= 15, "{chance}: {sure} of 300");
        // e^-2 of 300 are 41, with a standard deviation of 6.
        assert!(chance == 100 || (20..=62).contains(&rare), "{rare} of 300");
    }
    // Red gets nothing in place of 1, and there is a prize that is too small to make up for it.
    let pair = prize(1000, ["1", "drawn"]);
    exactly(&pair);
    let text = said(&sampled(&pair, 1, 2_000, 2), &pair);
    assert!(text.contains("the data show it."), "{text}");
}

#[test]
fn a_few_pairs_that_differ_are_no_verdict_and_not_clear() {
    // On average two of 1,024 pairs differ.
    let pair = prize(512, ["0", "512 * drawn"]);
    let mut few = 0;
    for seed in 0..40 {
        let text = said(&sampled(&pair, seed, 1_024, 1), &pair);
        let is_few = text.contains("No verdict on whether the utility of red is higher or lower");
        let none = text.contains("not one of 1024 playouts ended differently");
        few += u32::from(is_few);
        assert!(is_few || none || text.contains("show"), "{text}");
        let clear = Compared::sample(&pair, until_clear(seed), &|_| ()).unwrap();
        assert!(!is_few || clear.n > 1_024, "{}", clear.n);
    }
    // One to five of them differ with a chance of 0.85.
    assert!((26..=40).contains(&few), "{few}");
}

#[test]
fn what_is_clear_after_a_few_pairs_is_not_explored_further() {
    // Twelve questions of two options before the coin: 2^13 nodes and more.
    let before = "this.before = []; for i in 0..12 { this.before.push(this.choose(\"red\", \"way\", [1, 2])); }";
    let pair = coin("side == 1", "true", before);
    let compared = Compared::find(&pair, false, until_clear(1), &|_| ()).unwrap();
    assert!(compared.clear && compared.n == 1024, "{}", compared.n);
    let text = compared.report(&pair, false).text(80, true).replace('\n', " ");
    let clear =
        "the answer is clear (in 5 of 100 comparisons at most one is wrong), `-n` makes more";
    assert!(text.contains(clear), "{text}");
    // Where it is not, all of it is explored, and the difference is exact: none.
    let pair = coin("side == 1", "side == 2", before);
    let told = parking_lot::Mutex::new(Vec::new());
    let listen = |stage| told.lock().push(stage);
    let compared = Compared::find(&pair, false, until_clear(1), &listen).unwrap();
    assert!(compared.exact && json(&number(&compared, "red")) == "0", "{compared:?}");
    let pairs = |stage: &Stage| matches!(stage, Stage::Playouts(done, None) if *done == 2048);
    assert!(told.lock().iter().any(pairs), "the first pairs come before the other nodes");
}

#[test]
fn the_first_playout_that_ends_otherwise_is_the_first() {
    let pair = thin_paper();
    let compared = sampled(&pair, 9, 1_000, 2);
    let first = compared.first.unwrap().playout;
    let seed_of = |playout| fracas::game::Generator::seed_of(9, playout);
    for playout in 0..=first {
        let way = DivergingPlayout::of(&pair, playout, seed_of(playout)).unwrap();
        // Hands are shown as before: nothing but the end can differ.
        assert!(way.only_ends_differ() && way.entry().is_none());
        let text = Report::of((), vec![way.block()]).text(80, true);
        let ends = text.lines().filter_map(|line| line.split_once("it ends in "));
        let ends: Vec<&str> = ends.map(|(_, end)| end).collect();
        assert_eq!(ends[0] != ends[1], playout == first, "{text}");
    }
    assert_eq!(compared.first.unwrap().seed, seed_of(first));
    assert_eq!(exactly(&pair).first, sampled(&pair, 1, 1_000, 1).first);
}

#[test]
fn what_fails_is_known_by_its_side() {
    let pair = under(
        "//! # Torn paper\n//! Nobody knows what paper beats.\n\
         fn beaten_by(hand) { if hand == \"paper\" { throw \"torn\" } super(hand) }\n",
    );
    let sampling = Sampling { seed: 1, n: 1_000, enough: Enough::All, threads: 2 };
    let Err(failed) = Compared::sample(&pair, sampling, &|_| ()) else { panic!("paper is shown") };
    assert!(failed.error.to_string().contains("torn"), "{}", failed.error);
    assert_eq!(pair.failing(1, failed.playout.unwrap()), Side::House);
}

#[test]
fn a_parameter_that_has_its_value_already_changes_nothing() {
    let changes = Changes::read(&[], &["mana_value=2".to_owned()], &[]).unwrap();
    let pair = pair(&catalog(), "war_die/ford", &changes);
    assert!(pair.is_same());
    let compared = exactly(&pair);
    assert_eq!(compared.first, None);
    assert!(
        compared.report(&pair, false).text(80, true).starts_with("`mana_value=2` changes nothing:")
    );
}

fn object(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

#[test]
fn programs_are_told_what_is_promised() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    // Of the nine pairs of cards three are equal: red, named first, now wins those too.
    let line = "compare duel/one_round --param tie=first --seed 4 --json";
    let json = fracas(line).inside(here).run().succeeds().json();
    let keys = ["exact", "n", "seed", "complete", "base", "house", "difference", "first_different"];
    let beside =
        ["changes", "playouts", "measures", "options", "clauses", "functions", "alone", "notes"];
    assert_eq!(object(&json), [&keys[..], &beside].concat());
    assert_eq!((&json["exact"], &json["n"], &json["seed"]), (&json!(true), &json!(0), &json!(4)));
    assert_eq!(json["base"]["results"], json!({ "blue": "1/3", "draw": "1/3", "red": "1/3" }));
    assert_eq!(json["house"]["results"], json!({ "blue": "1/3", "red": "2/3" }));
    let difference = json!({
        "results": { "blue": "0", "draw": "-1/3", "red": "1/3" },
        "utility": { "red": "1/3", "blue": "-1/3" },
    });
    assert_eq!(json["difference"], difference);
    // Both seeds play the playout that differs: a draw, and a win of red.
    let seed = &json["first_different"]["seed"];
    let play = |more: &str| {
        let line = format!("play duel/one_round --seed {seed} --json{more}");
        fracas(&line).inside(here).run().succeeds().json()["outcome"]["result"].clone()
    };
    assert_eq!((play(""), play(" --param tie=first")), (json!("draw"), json!("red")));
}

#[test]
fn where_odds_are_out_of_reach_pairs_are_played() {
    let scratch = Scratch::with_duel();
    let line = "compare duel/three_rounds --param highest=9 --graph-memory 1M -n 600 --seed 4";
    let run = |more: &str| fracas(&format!("{line}{more}")).inside(scratch.path()).run().succeeds();
    let json = run(" --json").json();
    assert_eq!((&json["exact"], &json["n"]), (&json!(false), &json!(600)));
    assert_eq!(object(&json["difference"]["utility"]["red"]), ["mean", "low", "high"]);
    assert_eq!(
        object(&json["base"]),
        ["exact", "seed", "n", "complete", "results", "utility", "unlisted"]
    );
    assert_eq!(run(" --json --threads 3").json(), run(" --json --threads 1").json());
    run("")
        .prints("600 pairs of playouts, seed 4")
        .says("`highest=9`: the memory bound of 1M was reached");
    let one = fracas(&line.replace("-n 600", "-n 1")).inside(scratch.path()).run();
    one.succeeds().prints("from 1 pair of playouts, seed 4");
}

#[test]
fn the_place_where_histories_part_is_shown() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    let line = "compare duel/one_round --house five_cards --seed 1";
    let ran = fracas(line).inside(here).where_is("COLUMNS", "400").run().succeeds();
    let ran = ran
        .prints("the histories diverge at entry 1:")
        .prints("rules: the rules ask a decision of `blue`, `show` (1, 2, 3), together with")
        .prints("under `five_cards`: the rules ask a decision of `blue`, `show` (1, 2, 3, 4, 5)")
        .prints(", by `step`")
        .prints("fracas play duel/one_round --seed ");
    // The lines that are printed play it.
    let lines = ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("fracas "));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 2, "{ran:?}");
    // The place in the script, and how often each function ran, are for whoever writes it.
    assert!(!ran.stdout.contains("rules.rhai:") && !ran.stdout.contains("instead of"), "{ran:?}");
    for line in lines {
        fracas(line).inside(here).run().succeeds();
    }
    // The events in which the two differ stand beside each other.
    scratch.write(
        "loud.rhai",
        "//! # Loud\n//! Who wins, is told.\n\
         fn step() { let before = this.rounds; this.super(); this.emit(`${before} gone`); }\n\
         fn beats(card, other) { card < other }\n",
    );
    let line = "compare duel/three_rounds --house loud.rhai --seed 1";
    let ran = fracas(line).inside(here).run().succeeds();
    ran.prints("under `loud.rhai`: 3 gone").prints("the same answers to the same questions");
    // Where only the utilities are others, there is nothing to see in what led there.
    scratch.write(
        "dear.rhai",
        "//! # Dear\n//! All is worth twice.\n\
         fn outcome() {\n\
             let all = this.super();\n\
             if all == () { return; }\n\
             for name in all.utility.keys() { all.utility[name] *= 2; }\n\
             all\n\
         }\n",
    );
    let line = "compare duel/three_rounds --house dear.rhai --seed 1";
    let ran = fracas(line).inside(here).run().succeeds();
    let ran = ran.prints("entries that are the same\nthe same answers to the same questions");
    assert!(!ran.stdout.contains("   1  blue show"), "{}", ran.stdout);
}

#[test]
fn what_both_are_asked_alike_is_printed_once() {
    let scratch = Scratch::empty();
    scratch.write(
        "rules/coin/rules.rhai",
        "//! # Coin\n//! A coin falls.\nfn setup(s) { #{ side: 0 } }\nfn coin() { uniform([1, 2]) }\n\
         fn step() { this.side = this.roll(\"coin\", \"side\", coin()); }\n\
         fn outcome() {\n\
             if this.side == 0 { return; }\n\
             #{ result: if this.side == 1 { \"one\" } else { \"two\" }, utility: #{ red: this.side } }\n\
         }\n",
    );
    let heavy = "//! # Heavy\n//! Nearly always 2.\nfn coin() { weighted([[1, 1], [2, 99]]) }\n";
    scratch.write("rules/coin/house/heavy.rhai", heavy);
    scratch.write("rules/coin/scenarios/one.toml", "system = \"coin\"\n[setup]\n");
    let line = "compare coin/one --house heavy --seed 1";
    let ran = fracas(line).inside(scratch.path()).where_is("COLUMNS", "400").run().succeeds();
    let ran = ran
        .prints("  both: the rules ask a roll for `coin`, `side` (1, 2), by `step`\n")
        .prints("  rules: the answer is\n   1  chance coin side 1\n")
        .prints("  under `heavy`: the answer is\n   1  chance coin side 2\n");
    assert_eq!(ran.stdout.matches("(1, 2)").count(), 1, "{}", ran.stdout);
}

#[test]
fn lines_keep_to_the_width() {
    let scratch = Scratch::with_duel();
    for columns in [40, 80] {
        for line in ["--house five_cards", "--param highest=9 --graph-memory 1M -n 300"] {
            let line = format!("compare duel/three_rounds --plain --seed 1 {line}");
            let ran = fracas(&line)
                .inside(scratch.path())
                .where_is("COLUMNS", &columns.to_string())
                .run()
                .succeeds();
            // Lines that are to be typed again are never broken.
            for row in ran.stdout.lines().filter(|row| !row.contains("fracas play")) {
                assert!(row.chars().count() <= columns, "{line} at {columns}: {row}");
            }
        }
    }
}

#[test]
fn the_default_agent_plays_for_people_there_as_in_the_lines_to_play() {
    let scratch = Scratch::with_duel();
    let line = "compare duel/one_round --house low_wins --seat red=human --seed 2";
    let ran = fracas(line)
        .inside(scratch.path())
        .run()
        .succeeds()
        .says("`middle` plays for people: `red`");
    let ran = ran
        .prints("all odds and utilities stay exactly")
        .prints("--house low_wins --seat red=middle --seed ");
    assert!(!ran.stdout.contains("human"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_shows_what_there_is() {
    let scratch = Scratch::with_duel();
    let line = "compare duel/three_rounds --param highest=9 --graph-memory 1M -n 900000000 --json";
    let has = |json: &Value| json["n"].as_u64() > Some(0);
    let (json, _) = crate::commands::interrupted::interrupted(line, &scratch, has);
    assert_eq!(json["complete"], false);
    assert!(json["difference"]["results"].is_object(), "{json}");
}
