//! Tests scenarios that begin after answers: every command begins there, and what no longer fits is named.

use std::fs;
use std::path::Path;

use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Play, Position, RunUntil, Saved};
use fracas::script::Limits;

use crate::commands::run::{Ran, fracas};
use crate::commands::scratch::Scratch;

/// Two rounds. Red bids; a coin falls, which blue does not see; blue guesses it, and where that is wrong red gains the
/// bid. Red wins with the goal.
const RULES: &str = r#"//! # Coins
//! Players: two.
//!
//! - C1 Red bids, blue guesses the coin; red gains the bid where the guess is wrong.
//! - C2 After two rounds red wins with the goal.

/// C1. The goal, and who guesses.
fn setup(scenario) { #{ goal: scenario.number_in("goal", 1..=6), gained: 0, rounds: 0 } }

/// C1. A round.
fn step() {
    let bid = this.choose("red", "bid", bids());
    this.emit(`red bids ${bid}`);
    let coin = this.roll("table", "coin", uniform(["heads", "tails"]));
    let guess = this.choose("blue", "guess", ["heads", "tails"]);
    if guess != coin { this.gained += bid; }
    this.rounds += 1;
    this.emit(`the coin shows ${coin}`);
}

/// C1. What may be bid.
fn bids() { [1, 2, 3] }

/// C2. Who has won.
fn outcome() {
    if this.rounds < 2 { return; }
    let won = this.gained >= this.goal;
    #{ result: if won { "red" } else { "blue" }, utility: #{ red: if won { 1 } else { -1 }, blue: if won { -1 } else { 1 } } }
}
"#;

/// A folder with those rules, a house rule with lower bids, and a scenario `coins/late` with these lines.
fn ground(lines: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/coins/rules.rhai", RULES);
    let low = "//! # Low bids\n//! Only 1 and 2 may be bid.\n\n/// C1.\nfn bids() { [1, 2] }\n";
    scratch.write("rules/coins/house/low.rhai", low);
    scratch.write("rules/coins/params.toml", "default_agent = \"random\"\n");
    scratch.write(
        "rules/coins/scenarios/late.toml",
        format!("system = \"coins\"\ntitle = \"Late\"\n{lines}"),
    );
    scratch
}

/// Blue is to guess, where red has bid 3 and the coin shows tails.
const MID: &str = "begin = [\"red bid 3\", 'chance table coin \"tails\"']\n[setup]\ngoal = 4\n";

fn run(scratch: &Scratch, line: &str) -> Ran {
    fracas(line).inside(scratch.path()).run()
}

fn open(scratch: &Scratch, changes: &Changes) -> Conflict {
    let catalog = Catalog::new(&[scratch.file("rules")]).unwrap();
    Conflict::open(&catalog, "coins/late", changes, &Limits::default()).unwrap()
}

#[test]
fn odds_estimates_and_solutions_begin_after_the_answers() {
    let scratch = ground(MID);
    // Red gains 3 with 1/2; then any bid does, with 1/2: 1/4. Without a first gain at most 3 can be reached.
    let odds = run(&scratch, "odds coins/late --seat red=random --seat blue=random --json")
        .succeeds()
        .json();
    assert_eq!(odds["results"]["red"], "1/4");
    assert_eq!(odds["utility"]["red"], "-1/2");
    // With 3 as the goal the first gain suffices, and without it a bid of 3 that is not guessed: 1/2 + 1/2 x 1/3 x 1/2.
    let odds =
        run(&scratch, "odds coins/late --set goal=3 --seat red=random --seat blue=random --json");
    assert_eq!(odds.succeeds().json()["results"]["red"], "7/12");
    let estimate = run(
        &scratch,
        "estimate coins/late -n 4000 --seed 1 --seat red=random --seat blue=random --json",
    );
    let red = &estimate.succeeds().json()["results"]["red"];
    assert!(red["low"].as_f64() < Some(0.25) && red["high"].as_f64() > Some(0.25), "{red}");
    // The coin is fixed, so that everybody is taken to know it: blue guesses it and cannot lose.
    let solved = run(&scratch, "solve coins/late --json").succeeds().json();
    let value = solved["value"]["red"].as_f64().unwrap();
    assert!((value + 1.0).abs() < 1e-9, "{value}");
    // A portrait counts what is decided from there on: a guess, a bid, a guess.
    let portrait = run(&scratch, "portrait coins/late --seat red=random --seat blue=random --json");
    let portrait = portrait.succeeds().json();
    let measures = portrait["measures"].as_array().unwrap();
    let decisions = measures.iter().find(|one| one["name"] == "length.decisions").unwrap();
    assert_eq!(decisions["fraction"], "3");
}

#[test]
fn a_history_begins_after_the_answers_and_undo_stops_there() {
    let scratch = ground(MID);
    let limits = Limits::default();
    let seats: Vec<String> = ["red=first", "blue=human"].map(str::to_owned).into();
    let changes = Changes::read(&[], &[], &seats).unwrap();
    let mut play = Play::begin(open(&scratch, &changes), 5, &limits).unwrap();
    let Position::Asked(moment) = play.position() else { panic!("blue is asked") };
    assert_eq!((&moment.asked[0].who[..], &moment.asked[0].name[..]), ("blue", "guess"));
    assert!(play.history().is_empty() && play.events().is_empty());
    assert!(play.undo(1).is_err());
    play.answer(0).unwrap();
    let history = play.history().to_string();
    assert!(
        history.starts_with("blue guess \"heads\"\nred bid 1\nchance table coin "),
        "{history}"
    );
    // What follows the last answer is announced.
    assert_eq!(play.events()[0].text, "the coin shows tails");
    assert_eq!(play.state().value().get("gained").and_then(|gained| gained.as_int()), Some(3));

    // A saved history has the beginning, and needs no scenario.
    let text = play.saved().to_text().unwrap();
    assert!(
        text.contains("begin = [\"red bid 3\", \"chance table coin \\\"tails\\\"\"]\n"),
        "{text}"
    );
    fs::remove_file(scratch.file("rules/coins/scenarios/late.toml")).unwrap();
    let catalog = Catalog::new(&[scratch.file("rules")]).unwrap();
    let saved = Saved::parse("saved", &text).unwrap();
    let loaded = Play::load(&catalog, &saved, &limits, false).unwrap();
    assert_eq!(loaded.play.history(), play.history());
    assert_eq!(loaded.play.saved().to_text().unwrap(), text);
    play.undo(9).unwrap();
    assert!(play.history().is_empty());
    play.go(RunUntil::PersonAsked).unwrap();
    assert_eq!(play.asked().map(|asked| asked.name.clone()).as_deref(), Some("guess"));
}

#[test]
fn an_answer_that_does_not_fit_is_named_with_its_place_and_the_nearest() {
    let begin = |answers: &str| format!("begin = [{answers}]\n[setup]\ngoal = 4\n");
    for (answers, house, says, near) in [
        (
            "\"red bid 3\"",
            "--house low",
            "begin.0: `red bid 3` does not fit, the rules ask a decision of `red`, `bid` (1, 2), asked at",
            "",
        ),
        (
            "\"rde bid 3\"",
            "",
            "begin.0: `rde bid 3` does not fit, the rules ask a decision of `red`, `bid` (1, 2, 3), asked at",
            "; did you mean `red bid 3`?",
        ),
        (
            "\"red bid 3\", 'chance table coin \"tail\"'",
            "",
            "begin.1: `chance table coin \"tail\"` does not fit, the rules ask a roll for `table`, `coin` (heads, tails)",
            "; did you mean `chance table coin \"tails\"`?",
        ),
    ] {
        let scratch = ground(&begin(answers));
        for command in ["odds", "estimate", "play", "portrait"] {
            let line = format!("{command} coins/late {house} --seat red=random --seat blue=random");
            let ran = run(&scratch, &line).exits(2).says(says).says(near);
            ran.says("rules/coins/scenarios/late.toml:3:");
        }
        if house.is_empty() {
            let ran = run(&scratch, "check rules/coins --playouts 4").exits(1);
            ran.prints(says).prints(near).prints("rules/coins/scenarios/late.toml:3:");
        }
    }
    let long = "begin = [\"red bid 1\", 'chance table coin \"tails\"', 'blue guess \"tails\"', \"red bid 1\", \
                'chance table coin \"tails\"', 'blue guess \"tails\"', \"red bid 1\"]\n[setup]\ngoal = 4\n";
    run(&ground(long), "odds coins/late").exits(2).says(
        "begin.6: `red bid 1` does not fit, the rules ask nothing more: the conflict is over",
    );
    for (begin, says) in [
        ("\"red bid\"", "`begin.0` does not read: expected an action after `bid`, found ``"),
        ("3", "`begin` must be a list of texts, got [3]"),
        (
            "\"red bid 1\\nred bid 2\"",
            "`begin.0` does not read: must be one entry of a history, as in `red bid 5`",
        ),
    ] {
        let scratch = ground(&format!("begin = [{begin}]\n[setup]\ngoal = 4\n"));
        run(&scratch, "odds coins/late").exits(2).says(says).says("late.toml:3:");
    }
}

#[test]
fn what_is_drawn_of_a_setup_may_be_fixed_by_the_beginning() {
    // A goal of 1 needs one gain of two: 3/4. A goal of 4 with bids at random: both gained, 1/4, and a sum of 4 or
    // more, in 6 of 9 pairs of bids: 1/6.
    let drawn = "[setup]\ngoal = { one_of = [1, 4], weights = [1, 2] }\n";
    let random = "--seat red=random --seat blue=random --json";
    let red = |begin: &str| {
        let scratch = ground(&format!("{begin}{drawn}"));
        let odds = run(&scratch, &format!("odds coins/late {random}")).succeeds().json();
        odds["results"]["red"].as_str().unwrap().to_owned()
    };
    assert_eq!(red("begin = ['chance scenario \"setup.goal\" 1']\n"), "3/4");
    assert_eq!(red("begin = ['chance scenario \"setup.goal\" 4']\n"), "1/6");
    // 1/3 x 3/4 + 2/3 x 1/6
    assert_eq!(red(""), "13/36");
    let scratch = ground(&format!("begin = ['chance scenario \"setup.goal\" 2']\n{drawn}"));
    run(&scratch, "odds coins/late")
        .exits(2)
        .says("begin.0: `chance scenario \"setup.goal\" 2` does not fit");
}

#[test]
fn comparisons_tournaments_sweeps_and_scripts_begin_after_the_answers() {
    let scratch = ground(
        "begin = [\"red bid 1\", 'chance table coin \"tails\"', 'blue guess \"heads\"']\n[setup]\ngoal = 3\n",
    );
    let random = "--seat red=random --seat blue=random";
    // Red has 1: of 1, 2 and 3 two bids suffice, with 1/2 each; under low bids one of two does.
    let compared =
        run(&scratch, &format!("compare coins/late --house low {random} --json")).succeeds().json();
    assert_eq!(compared["base"]["results"]["red"], "1/3");
    assert_eq!(compared["house"]["results"]["red"], "1/4");
    // As variants beside each other: a goal of 2 needs any gain, one of 4 a bid of 3.
    let line = format!("compare coins/late --variant setup.goal=2..4..2 {random} --json");
    let compared = run(&scratch, &line).succeeds().json();
    let variants = compared["variants"].as_array().unwrap();
    let red = |one: &serde_json::Value| one["difference"]["results"]["red"].to_string();
    assert_eq!(variants.iter().map(red).collect::<Vec<_>>(), ["\"1/6\"", "\"-1/6\""]);
    run(&scratch, "compare coins/late --variant setup.goal=1..3,a.b=1..2")
        .exits(2)
        .says("6 variants are more than fit: at most 3");
    let swept = run(&scratch, &format!("sweep coins/late setup.goal=2..4 {random} --json"))
        .succeeds()
        .json();
    let points = swept["points"].as_array().unwrap();
    let red: Vec<&str> = points.iter().map(|one| one["results"]["red"].as_str().unwrap()).collect();
    // Every bid, two, one of three.
    assert_eq!(red, ["1/2", "1/3", "1/6"]);
    scratch.write(
        "spec.toml",
        "format = \"round_robin\"\nscenarios = [\"coins/late\"]\nagents = [\"first\", \"random\"]\ngames = 2\n",
    );
    let ran = run(&scratch, "tournament spec.toml --seed 1 --json");
    assert!(ran.code == Some(0), "{ran:?}");
    let script = "let s = scenario(#{ system: \"coins\", begin: [\"red bid 1\", `chance table coin \"tails\"`, \
                  `blue guess \"heads\"`], setup: #{ goal: 3 } }); print(s.odds().results.red)";
    fracas("-e").with(script).inside(scratch.path()).run().succeeds().prints("1/3");
    let served = fracas("serve coins/late")
        .inside(scratch.path())
        .typing("{\"do\":\"hello\"}\n{\"do\":\"reset\",\"seed\":1}\n");
    served.succeeds().prints("\"begin\":[\"red bid 1\",").prints("\"decision\":\"bid\"");
    run(&scratch, "list coins/late")
        .succeeds()
        .prints("begins after")
        .prints("chance table coin \"tails\"");
    run(&scratch, "check rules/coins --json").succeeds();
}

#[test]
fn a_campaign_may_begin_after_answers_and_its_conflicts_may_not() {
    let scratch = ground("[setup]\ngoal = 1\n");
    let conflict = "[[conflict]]\nname = \"first\"\nscenario = \"coins/late\"\n[[conflict]]\nname = \"second\"\nscenario = \"coins/late\"\n";
    let round = |coin: &str| {
        format!("\"red bid 1\", 'chance table coin \"{coin}\"', 'blue guess \"tails\"', ")
    };
    let won = [round("heads"), round("tails")].concat();
    scratch.write(
        "rules/coins/campaigns/two.toml",
        format!("title = \"t\"\nbegin = [{won}]\n{conflict}"),
    );
    // Red has won the first; the second is won with 3/4, and drawn as a whole where it is not.
    let odds = run(&scratch, "odds coins/two --seat red=random --seat blue=random --json")
        .succeeds()
        .json();
    assert_eq!(odds["results"]["red"], "3/4");
    scratch.edit("rules/coins/scenarios/late.toml", "[setup]", "begin = [\"red bid 1\"]\n[setup]");
    run(&scratch, "odds coins/two")
        .exits(2)
        .says("names a scenario that begins after answers (`begin`)");
    assert!(Path::new("rules").exists());
}

/// A person plays blue from the beginning; comments stand where they may be.
const COMMENTED: &str = "# Why there is a goal.\n[setup]\ngoal = 4 # of at most 6\n[seats]\nred = \"first\"\nblue = \"human\"\n";

#[test]
fn a_program_in_a_seat_is_left_out_of_the_scenario_that_is_saved() {
    let scratch = ground(COMMENTED);
    let picks_first = "while IFS= read -r line; do\n  case \"$line\" in\n    *'\"hello\"'*) echo '{\"hello\":1}';;\n    \
        *) ask=${line#*'\"ask\":'}; echo \"{\\\"ask\\\":${ask%%,*},\\\"pick\\\":0}\";;\n  esac\ndone\n";
    scratch.write("mine.sh", picks_first);
    let ran = fracas("").inside(scratch.path()).typing(
        ":open coins/late --seed 3 --seat 'red=command(sh mine.sh)'\n:save scenario \"my place\"\n",
    );
    ran.says("`:open 'coins/my place'` begins there").says(
        "no file may name a program: `:open 'coins/my place' --seat 'red=command(sh mine.sh)'` seats it",
    );
    let text = scratch.read("rules/coins/scenarios/my place.toml");
    assert!(text.contains("blue = \"human\"") && !text.contains("command"), "{text}");
}

#[test]
fn the_place_reached_is_saved_as_a_scenario_that_begins_there() {
    let scratch = ground(COMMENTED);
    let file = scratch.file("rules/coins/scenarios/reached.toml");
    // Red bids 1, the coin falls, blue guesses; then red bids again.
    let typed =
        ":open coins/late --seed 3\n:house low\n:set goal=2\nheads\n:save scenario reached\n";
    let ran = fracas("").inside(scratch.path()).typing(typed);
    let path = "rules/coins/scenarios/reached.toml";
    ran.succeeds().says(&format!("written to `{path}`; `:open coins/reached` begins there"));
    let text = fs::read_to_string(&file).unwrap();
    let (top, rest) = text.split_once("  \"chance table coin").unwrap();
    assert_eq!(top, "system = \"coins\"\nhouse = [\"low\"]\nbegin = [\n  \"red bid 1\",\n",);
    let (_, rest) = rest.split_once("title = ").unwrap();
    assert_eq!(
        rest,
        "\"reached\"\n# Why there is a goal.\n[setup]\ngoal = 2 # of at most 6\n[seats]\nred = \"first\"\nblue = \"human\"\n"
    );
    // The position is the same: what red gained of 1, and the second coin.
    let begin: Vec<&str> = text.lines().filter(|line| line.starts_with("  \"")).collect();
    assert_eq!(begin.len(), 5, "{text}");
    let gained = if begin[1].contains("tails") { "tails" } else { "heads" };
    let ran = run(&scratch, "odds coins/reached --seat red=random --seat blue=random --json");
    // Red has bid 1 twice: with a goal of 2 both must be gained, and blue guessed heads first.
    let red = if gained == "tails" { "1/2" } else { "0" };
    let results = ran.succeeds().json()["results"].clone();
    assert_eq!(results["red"].as_str().unwrap_or("0"), red, "{text}");
    // Inside a campaign, at the end and of rules inside the program.
    let over = fracas("")
        .inside(scratch.path())
        .typing(":open coins/reached --seat blue=first\n:play\n:save scenario over\n");
    over.says("the conflict is over, and nothing can begin here");
    let embedded = Scratch::empty();
    let ran = fracas("").inside(embedded.path());
    let ran =
        ran.typing(":open territory/three_tokens --seat white=human\n1\n:save scenario mine\n");
    ran.says("written to `mine.toml`; `:open mine.toml` begins there");
    assert!(embedded.read("mine.toml").contains("begin = [\n  \"white "));
    run(&embedded, "odds mine.toml --seat white=random --seat black=random").succeeds();
}

#[test]
fn a_place_of_a_saved_history_is_saved_with_all_that_it_needs() {
    let scratch = ground(COMMENTED);
    let typed = ":open coins/late --seed 3 --set goal=5\n:save a.history\n";
    fracas("").inside(scratch.path()).typing(typed).succeeds();
    fs::remove_file(scratch.file("rules/coins/scenarios/late.toml")).unwrap();
    fracas("").inside(scratch.path()).typing(":load a.history\n:save scenario again\n").succeeds();
    let text = scratch.read("rules/coins/scenarios/again.toml");
    let (top, rest) = text.split_once("  \"chance table coin").unwrap();
    assert_eq!(top, "system = \"coins\"\ntitle = \"again\"\nbegin = [\n  \"red bid 1\",\n");
    let (_, rest) = rest.split_once("]\n").unwrap();
    assert_eq!(rest, "\n[setup]\ngoal = 5\n\n[seats]\nred = \"first\"\nblue = \"human\"\n");
}

/// Red and blue hide at once.
const HIDE: &str = r#"//! # Hide
//! Players: two.
//!
//! - H1 Both hide at once; red wins where both are in one place.

/// H1. Nobody has hidden.
fn setup(scenario) { #{ red: "", blue: "" } }

/// H1. Both hide.
fn step() {
    let both = this.choose_secretly("hide", #{ red: ["mill", "ford"], blue: ["mill", "ford"] });
    this.red = both.red;
    this.blue = both.blue;
}

/// H1. Who has won.
fn outcome() {
    if this.red == "" { return; }
    let won = this.red == this.blue;
    #{ result: if won { "red" } else { "blue" }, utility: #{ red: if won { params.prize } else { -1 }, blue: 0 } }
}
"#;

/// The folder with those rules, a house rule that doubles the prize, and a scenario `hide/one` with these lines.
fn hide(lines: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/hide/rules.rhai", HIDE);
    let params = "[prize]\ndefault = 1\nmin = 1\nmeaning = \"What red gains.\"\n";
    scratch.write("rules/hide/params.toml", params);
    let double = "//! # Double\n//! Red gains 2.\n\nfn params() { #{ prize: 2 } }\n";
    scratch.write("rules/hide/house/double.rhai", double);
    scratch.write(
        "rules/hide/scenarios/one.toml",
        format!("system = \"hide\"\ntitle = \"One\"\n{lines}"),
    );
    scratch
}

#[test]
fn a_saved_scenario_begins_with_the_parameters_in_force() {
    // The scenario says 5, the house rule laid over it 2, and what is typed 3.
    for (typed, prize) in
        [(":house double", 2), (":house double\n:param prize=3", 3), (":param prize=1", 1)]
    {
        for lines in ["[params]\nprize = 5 # dear\n[setup]\n", "[setup]\n"] {
            let scratch = hide(lines);
            let typed = format!(":open hide/one\n{typed}\n:save scenario now\n");
            fracas("").inside(scratch.path()).typing(&typed).succeeds();
            let text = scratch.read("rules/hide/scenarios/now.toml");
            let odds = run(&scratch, "odds hide/now --seat red=first --seat blue=first --json");
            let odds = odds.succeeds().json();
            assert_eq!(odds["utility"]["red"], prize.to_string(), "{typed}: {text}");
        }
    }
}

#[test]
fn a_place_within_a_joint_decision_is_no_beginning() {
    let scratch = hide("[setup]\n[seats]\nred = \"human\"\nblue = \"human\"\n");
    let typed = ":open hide/one\nmill\n:save scenario half\n";
    let ran = fracas("").inside(scratch.path()).typing(typed);
    ran.says("answer the rest of it first, or `:undo` takes that answer back");
    assert!(!scratch.file("rules/hide/scenarios/half.toml").exists());
}

#[test]
fn a_misspelt_answer_of_a_joint_decision_names_the_nearest() {
    let near = "blue hide \"ford\" & red hide \"mill\"";
    for begin in [
        "red hide \"mill\" & blue hide \"frod\"",
        "red hide \"mill\" & bleu hide \"ford\"",
        "blue hide \"ford\" & red hid \"mill\"",
    ] {
        let scratch = hide(&format!("begin = ['{begin}']\n[setup]\n"));
        let ran = run(&scratch, "odds hide/one --seat red=random --seat blue=random").exits(2);
        ran.says(&format!("did you mean `{near}`?")).says("one.toml:3:");
    }
}

#[test]
fn the_answer_of_the_only_one_who_is_asked_of_a_joint_decision_has_no_mark() {
    for begin in ["blue hide \"ford\"", "& blue hide \"ford\""] {
        let scratch = hide(&format!("begin = ['{begin}']\n[setup]\n"));
        scratch.edit("rules/hide/rules.rhai", "red: [\"mill\", \"ford\"]", "red: [\"mill\"]");
        let odds = run(&scratch, "odds hide/one --json").succeeds().json();
        assert_eq!(odds["results"]["blue"], "1", "{begin}");
        run(&scratch, "list hide/one").succeeds().prints("  blue hide \"ford\"");
    }
}

/// A pea is under one of two cups, which its view does not show; the guesser takes one.
const CUPS: &str = r#"//! # Cups
//! Players: two.
//!
//! - U1 The guesser takes a cup, and gains `prize` where that is the right one and the pea is there, else 1; or loses 1.

/// U1. Where the pea is.
fn setup(scenario) { #{ pea: scenario.text("pea"), prize: scenario.number_in("prize", 1..=9), taken: "" } }

/// U1. The guess.
fn step() { this.taken = this.choose("guesser", "cup", ["left", "right"]); }

/// U1. How it ended.
fn outcome() {
    if this.taken == "" { return; }
    let gain = if this.taken != this.pea { -1 } else if this.pea == "right" { this.prize } else { 1 };
    #{ result: if gain > 0 { "found" } else { "missed" }, utility: #{ guesser: gain, hider: -gain } }
}

/// U1. Nobody sees the pea.
fn view(player) { #{ taken: this.taken, prize: this.prize } }
"#;

fn cups(lines: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/cups/rules.rhai", CUPS);
    scratch.write(
        "rules/cups/scenarios/one.toml",
        format!("system = \"cups\"\ntitle = \"One\"\n{lines}"),
    );
    scratch
}

#[test]
fn agents_that_search_plan_for_all_that_a_setup_may_draw() {
    // The share in which it is found by who cannot see the pea, which lies left with 3 of 4: left is worth 1/2, and
    // right (prize - 3) / 4: less with a prize of 2, more with 9.
    for (prize, found, agents) in [
        (1, "3/4", &["greedy", "search:400"][..]),
        (2, "3/4", &["greedy", "search:400"]),
        (9, "1/4", &["greedy", "search:400"]),
    ] {
        let drawn = format!(
            "[setup]\nprize = {prize}\npea = {{ one_of = [\"left\", \"right\"], weights = [3, 1] }}\n"
        );
        for agent in agents {
            let line = format!("odds cups/one --seat guesser={agent} --json");
            let odds = run(&cups(&drawn), &line).succeeds().json();
            assert_eq!(odds["results"]["found"], found, "{agent} with {prize}");
            // What the beginning fixes is known.
            let begin = "begin = ['chance scenario \"setup.pea\" \"right\"']\n";
            let odds = run(&cups(&format!("{begin}{drawn}")), &line).succeeds().json();
            assert_eq!(odds["results"]["found"], "1", "{agent} with {prize}");
        }
    }
}

#[test]
fn a_search_weighs_what_a_setup_may_draw_exactly() {
    // With weights of `w` to 1 left is worth (w - 1) / (w + 1), right with a prize of 9 (9 - w) / (w + 1): left is
    // better beyond 5 to 1, and right by far where both are as likely.
    for (weights, found) in [
        ("[9, 1]", "9/10"),
        ("[13, 2]", "13/15"),
        ("[6, 1]", "6/7"),
        ("[9, 2]", "2/11"),
        ("[4, 1]", "1/5"),
        ("[1, 1]", "1/2"),
    ] {
        let drawn = format!(
            "[setup]\nprize = 9\npea = {{ one_of = [\"left\", \"right\"], weights = {weights} }}\n"
        );
        let line = "odds cups/one --seat guesser=search:5000 --json";
        let odds = run(&cups(&drawn), line).succeeds().json();
        assert_eq!(odds["results"]["found"], found, "{weights}");
    }
}

#[test]
fn what_a_setup_draws_is_drawn_in_the_matches_of_a_tournament() {
    let pairing = |scratch: &Scratch, scenario: &str, agents: &str| {
        scratch.write(
            "spec.toml",
            format!(
                "format = \"round_robin\"\nscenarios = [\"{scenario}\"]\nagents = {agents}\ngames = 20\nseed = 1\n"
            ),
        );
        let found = run(scratch, "tournament spec.toml --json").succeeds().json();
        let pairing = found["pairings"][0].clone();
        assert_eq!(pairing["exact"], true, "{pairing}");
        pairing["score_a"].as_f64().unwrap()
    };
    // As the guesser the search takes left and wins 3/4, and against it guesses at random win 1/2: 5/8 in the mean.
    let drawn = "[setup]\nprize = 1\npea = { one_of = [\"left\", \"right\"], weights = [3, 1] }\n";
    let score = pairing(&cups(drawn), "cups/one", "[\"search:200\", \"random\"]");
    assert!((score - 5.0 / 8.0).abs() < 1e-9, "{score}");
    // As red `first` bids 1 twice, enough for a goal of 1 with 3/4, and never for one of 4: 1/4. Random bids win with
    // 13/36, as above. In the mean of both seats: (1/4 + 23/36) / 2.
    let drawn = "[setup]\ngoal = { one_of = [1, 4], weights = [1, 2] }\n";
    let score = pairing(&ground(drawn), "coins/late", "[\"first\", \"random\"]");
    assert!((score - 4.0 / 9.0).abs() < 1e-9, "{score}");
}
