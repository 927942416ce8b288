//! Tests that an error while playing or exploring reports the history that led to it, that an
//! outcome needs a number for every player, and that numbers of cut-off dice are marked.

use serde_json::json;

use super::run::{Fracas, fracas};
use super::scratch::Scratch;

/// Two coins and a pick; fails where both coins show 1 and `low` was picked.
const FRAIL: &str = "//! # Frail\n//! Fails.\n//! Players: red.\nfn setup(s) { #{ coins: [], pick: \"\" } }\n\
     fn step() {\n\
         this.coins.push(this.roll(\"coin\", \"side\", uniform([1, 2])));\n\
         this.coins.push(this.roll(\"coin\", \"side\", uniform([1, 2])));\n\
         this.pick = this.choose(\"red\", \"pick\", [\"high\", \"very low\"]);\n\
         if this.coins == [1, 1] && this.pick == \"very low\" { throw \"too low\"; }\n\
     }\n\
     fn outcome() { if this.pick != \"\" { #{ result: \"over\", utility: #{ red: 1 } } } }\n";

/// Red and blue pick; where both pick 2, `outcome` forgets blue, or names them wrongly.
fn lacking(utility: &str) -> String {
    format!(
        "//! # Lacking\n//! Forgets a player.\nfn setup(s) {{ #{{ picks: [] }} }}\n\
         fn step() {{ this.picks.push(this.choose(if this.picks.is_empty() {{ \"red\" }} else {{ \"blue\" }}, \"pick\", [1, 2])); }}\n\
         fn outcome() {{\n\
             if this.picks.len() < 2 {{ return; }}\n\
             #{{ result: \"over\", utility: if this.picks == [2, 2] {{ {utility} }} else {{ #{{ red: 1, blue: -1 }} }} }}\n\
         }}\n"
    )
}

fn folder(rules: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/toy/rules.rhai", rules);
    scratch.write("rules/toy/scenarios/one.toml", "system = \"toy\"\ntitle = \"One\"\n");
    scratch
}

fn at(scratch: &Scratch, line: &str) -> Fracas {
    fracas(line).inside(scratch.path())
}

/// The words of a line that a shell would run.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn what_house_rules_define_is_named_where_the_rules_below_them_fail() {
    let scratch = folder(
        "//! # Sums\n//! Adds.\n//! Players: red.\nfn setup(s) { #{ n: 0 } }\nfn worth() { 2 }\n\
         fn step() {\n\
             this.choose(\"red\", \"go\", [1, 2]);\n\
             this.n += 3 * worth();\n\
         }\n\
         fn outcome() { if this.n > 0 { #{ result: \"over\", utility: #{ red: this.n } } } }\n",
    );
    scratch.write("rules/toy/house/odd.rhai", "//! # Odd\n//! A word.\nfn worth() { \"two\" }\n");
    scratch.write("rules/toy/house/own.rhai", "//! # Own\n//! Fails.\nfn worth() { [1][2] }\n");
    let names = "house rules are in force, with `worth` (rules/toy/house/odd.rhai:3)";
    let failing =
        |options: &str| at(&scratch, &format!("play toy/one {options}")).run().exits(1).stderr;
    let told = failing("--seat red=first --house odd");
    assert!(told.contains("rules/toy/rules.rhai:8") && told.contains(names), "{told}");
    // Where the house rule itself fails, the place says it.
    let told = failing("--seat red=first --house own");
    assert!(told.contains("rules/toy/house/own.rhai:3") && !told.contains("in force"), "{told}");
}

#[test]
fn before_anything_is_decided_a_failure_shows_its_place() {
    let text = lacking("#{ red: 1 }");
    let scratch = folder(&text.replace("fn step() {", "fn view(player) { #{} }\nfn step() {"));
    scratch.write("rules/toy/house/early.rhai", "//! # Early\n//! Fails.\nfn outcome() { 3 }\n");
    // Blue's pick is hidden from red, but there is none yet.
    let line = "play toy/one --seat red=human --seat blue=first --house early";
    let told = at(&scratch, line).run().exits(1).stderr;
    assert!(told.contains("rules/toy/house/early.rhai:3"), "{told}");
    let late = "//! # Late\n//! Fails.\nfn outcome() { if this.picks.len() == 2 { throw `${this.picks}`; } }\n";
    scratch.write("rules/toy/house/late.rhai", late);
    let line = "play toy/one --seat red=first --seat blue=human --house late";
    let told = at(&scratch, line).typing("2\n").stderr;
    assert!(told.contains("the rules fail in `rules/toy/house/late.rhai`"), "{told}");
    assert!(!told.contains("[1, 2]"), "{told}");
}

#[test]
fn an_error_while_exploring_says_what_led_there_and_how_to_play_it_again() {
    let scratch = folder(FRAIL);
    // Three entries and no others lead to the mistake.
    let history = json!(["chance coin side 1", "chance coin side 1", "red pick \"very low\""]);
    for line in ["odds toy/one", "solve toy/one", "exploit toy/one"] {
        let ran = at(&scratch, line).run().exits(1);
        ran.says("too low")
            .says("after: chance coin side 1; chance coin side 1; red pick \"very low\"");
        let json = at(&scratch, &format!("{line} --json --quiet")).run().exits(1).json();
        assert_eq!(json["error"]["history"], history, "{line}");
        let again = json["error"]["again"].as_str().unwrap();
        assert!(ran_text(&scratch, line).contains(&format!("play it again: `{again}`")), "{again}");
        let mut played = at(&scratch, "");
        for word in words(again).iter().skip(1) {
            played = played.with(word);
        }
        played.run().exits(1).says("too low");
    }
}

fn ran_text(scratch: &Scratch, line: &str) -> String {
    at(scratch, line).run().stderr
}

#[test]
fn a_playout_that_fails_has_its_history_and_its_seed() {
    let scratch = folder(FRAIL);
    for line in ["estimate toy/one -n 500 --seed 3", "compare toy/one --house same -n 500 --seed 3"]
    {
        scratch.write("rules/toy/house/same.rhai", "//! # Same\nfn outcome() { this.super() }\n");
        let json = at(&scratch, &format!("{line} --json --quiet")).run().exits(1).json();
        let history = json["error"]["history"].as_array().unwrap();
        assert_eq!(history.last().unwrap(), "red pick \"very low\"", "{json}");
        assert_eq!(history.len(), 3);
        let again = json["error"]["again"].as_str().unwrap();
        // Exploring has no seed; a playout is played by its own.
        assert!(line.starts_with("compare") || again.contains("--seed "), "{again}");
    }
}

#[test]
fn a_played_game_that_fails_has_its_history_and_the_line_that_plays_it_again() {
    // Always the second coin and the second pick: it fails whatever the seed.
    let scratch = folder(&FRAIL.replace("uniform([1, 2])", "uniform([1])"));
    let seats = "--seat red=last --seed 3";
    scratch.write(
        "rules/toy/agents/last.rhai",
        "//! # Last\nfn decide(view, decision) { decision.options[1] }\n",
    );
    let history = json!(["chance coin side 1", "chance coin side 1", "red pick \"very low\""]);
    for line in [format!("play toy/one {seats}"), format!("bench toy/one {seats} --time 0.01")] {
        let ran = at(&scratch, &line).run().exits(1);
        ran.says("after: chance coin side 1; chance coin side 1; red pick \"very low\"");
        let json = at(&scratch, &format!("{line} --json --quiet")).run().exits(1).json();
        assert_eq!(json["error"]["history"], history, "{line}");
        let again = words(json["error"]["again"].as_str().unwrap());
        let again = again.iter().skip(1).fold(at(&scratch, ""), |line, word| line.with(word));
        again.run().exits(1).says("too low");
    }
}

#[test]
fn what_a_person_plays_into_a_mistake_has_its_history_and_the_line_that_plays_it_again() {
    let scratch = folder(&FRAIL.replace("uniform([1, 2])", "uniform([1])"));
    let line = "play toy/one --seat red=human --seed 3";
    let ran = at(&scratch, line).typing("very low\n");
    let told = ran.stderr.clone();
    ran.says("after: chance coin side 1; chance coin side 1; red pick \"very low\"");
    let again = told.split("play it again: `").nth(1).unwrap_or_else(|| panic!("{told}"));
    let again = words(again.split('`').next().unwrap());
    let again = again.iter().skip(1).fold(at(&scratch, ""), |line, word| line.with(word));
    again.run().exits(1).says("too low");
}

#[test]
fn a_game_of_a_tournament_that_fails_has_its_history_and_the_line_that_plays_it_again() {
    let rules = FRAIL
        .replace("uniform([1, 2])", "uniform([1])")
        .replace("this.pick = ", "this.choose(\"blue\", \"wait\", [1, 2]); this.pick = ")
        .replace("#{ red: 1 }", "#{ red: 1, blue: 0 }");
    let scratch = folder(&rules);
    scratch.write(
        "t.toml",
        "title = \"T\"\nformat = \"round_robin\"\nscenarios = [\"toy/one\"]\n\
         agents = [\"random\", \"first\"]\ngames = 40\nexact = false\n",
    );
    let line = "tournament t.toml --seed 3";
    let json = at(&scratch, &format!("{line} --json --quiet")).run().exits(1).json();
    let history = json["error"]["history"].as_array().unwrap_or_else(|| panic!("{json}"));
    assert_eq!(history.last().unwrap(), "red pick \"very low\"", "{json}");
    assert_eq!(history.len(), 4);
    let again = words(json["error"]["again"].as_str().unwrap());
    assert!(again.contains(&"--seed".to_owned()), "{again:?}");
    let again = again.iter().skip(1).fold(at(&scratch, ""), |line, word| line.with(word));
    again.run().exits(1).says("too low");
}

#[test]
fn a_sweep_that_fails_says_at_which_value_and_what_led_there() {
    let scratch = folder(&FRAIL.replace("[1, 1] &&", "[1, params.bad] &&"));
    scratch.write("rules/toy/params.toml", "[bad]\ndefault = 3\nmeaning = \"Fails.\"\n");
    // No coin shows 3, so the first value is fine; at 2 one history alone leads to the mistake.
    let (history, line) = ("chance coin side 1; chance coin side 2", "sweep toy/one bad=3,2");
    let ran = at(&scratch, line).run().exits(1);
    assert!(ran.stdout.contains("at bad=2 it fails, and is left out: too low"), "{ran:?}");
    let json = at(&scratch, &format!("{line} --json --quiet")).run().exits(1).json();
    let entries = json!(["chance coin side 1", "chance coin side 2", "red pick \"very low\""]);
    let failed = &json["failed"][0];
    assert_eq!((&failed["values"], &failed["error"]["history"]), (&json!({ "bad": 2 }), &entries));
    let again = failed["error"]["again"].as_str().unwrap();
    // Where it is the only one, that is the answer.
    let ran = at(&scratch, "sweep toy/one bad=2").run().exits(1);
    ran.says("it failed at bad=2").says(&format!("after: {history}; red pick \"very low\""));
    assert!(again.contains("bad=2"), "{again}");
}

#[test]
fn an_error_of_a_solution_at_the_prompt_has_all_that_led_there() {
    let rules = "//! # Deep\n//! Fails late.\nfn setup(s) { #{ picks: [] } }\n\
         fn step() {\n\
             this.picks.push(this.choose(\"red\", \"pick\", [1, 2]));\n\
             if this.picks == [2, 1, 2] { throw \"too deep\"; }\n\
         }\n\
         fn outcome() { if this.picks.len() == 3 { #{ result: \"over\", utility: #{ red: 1 } } } }\n";
    let scratch = folder(rules);
    let history = "after: red pick 2; red pick 1; red pick 2";
    let ran = at(&scratch, "--plain").typing(":open toy/one\n:solve\n");
    let told = format!("{}{}", ran.stdout, ran.stderr);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(history), "{told}");
}

#[test]
fn an_error_of_odds_at_the_prompt_has_all_that_led_there() {
    let rules = |step: &str| {
        format!(
            "//! # Odd\n//! Fails late.\nfn setup(s) {{ #{{ picks: [] }} }}\nfn step() {{ {step} }}\n\
             fn view(player) {{ let seen = this; seen.remove(\"hidden\"); seen }}\n\
             fn outcome() {{ if this.picks.len() == 2 {{ #{{ result: \"over\", utility: #{{ red: 1 }} }} }} }}\n"
        )
    };
    let pick = "this.picks.push(this.choose(\"red\", \"pick\", [1, 2]));";
    // In many playouts; among 40,000 endings; in a world that looks like the open one: one history fails.
    for (step, typed, history) in [
        (
            format!("{pick} if this.picks == [2, 1] {{ throw \"too odd\"; }}"),
            "2\n",
            "after: red pick 2; red pick 1",
        ),
        (
            format!(
                "{pick} if this.picks.len() < 2 {{ return; }}\n\
                 let a = this.roll(\"die\", \"a\", dice(\"1d200\"));\n\
                 let b = this.roll(\"die\", \"b\", dice(\"1d200\"));\n\
                 if this.picks == [2, 1] && a == 137 && b == 42 {{ throw \"too odd\"; }}"
            ),
            "2\n",
            "after: red pick 2; red pick 1; chance die a 137; chance die b 42",
        ),
        (
            format!(
                "if this.picks.is_empty() {{ this.hidden = this.roll(\"coin\", \"side\", uniform([1, 2])); }}\n\
                 {pick} if this.hidden == 2 && this.picks == [2] {{ throw \"too odd\"; }}"
            ),
            "",
            "after: chance coin side 2; red pick 2",
        ),
    ] {
        let scratch = folder(&rules(&step));
        let line = format!(":open toy/one --seat red=human --seed 1\n{typed}:odds\n");
        let ran = at(&scratch, "--plain").typing(&line);
        let told = [ran.stdout, ran.stderr].concat();
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("too odd") && told.contains(history), "{told}");
    }
}

#[test]
fn a_conflict_can_begin_after_entries_of_a_history() {
    let scratch = folder(FRAIL);
    let play = |scratch: &Scratch, entry: &str| {
        at(scratch, "play toy/one --seat red=first --json --after").with(entry)
    };
    let json = play(&scratch, "chance coin side 2").run().succeeds().json();
    assert_eq!(json["history"][0]["action"], 2);
    play(&scratch, "chance coin side 3").run().exits(1);
    play(&scratch, "chance coin").run().exits(2);
    play(&scratch, "chance coin side 2\nchance coin side 2").run().exits(2);
}

#[test]
fn an_outcome_without_a_number_for_a_player_is_refused_wherever_it_is_read() {
    let scratch = folder(&lacking("#{ red: 1 }"));
    let wrong = "`utility` lacks `blue`, asked or seated; here `utility` is for `red`";
    for line in [
        "play toy/one --after",
        "odds toy/one",
        "estimate toy/one -n 200 --seed 1",
        "solve toy/one",
        "exploit toy/one --seat red=random",
        "bench toy/one --time 0.1",
        "check toy",
    ] {
        let mut run = at(&scratch, line);
        if line.starts_with("play") {
            run = run.with("red pick 2").with("--after").with("blue pick 2");
        }
        let ran = run.run().exits(1);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(told.contains(wrong), "{line}: {told}");
        assert!(told.contains("rules.rhai:5"), "{line}: {told}");
    }
    // The same where the ways of one player never cross those of the other.
    let json = at(&scratch, "odds toy/one --json --quiet").run().exits(1).json();
    assert_eq!(json["error"]["history"], json!(["red pick 2", "blue pick 2"]));
    // A name that is not a player's was meant for the one who is missing.
    let scratch = folder(&lacking("#{ red: 1, bleu: -1 }"));
    at(&scratch, "odds toy/one").run().exits(1).says("did you mean `blue`?");
}

#[test]
fn who_is_asked_on_a_branch_that_nobody_sampled_must_have_a_number_too() {
    // Cato is asked once in a million times, so no playout that looks for players meets him.
    let rules = "//! # Rare\n//! Asks seldom.\nfn setup(s) { #{ over: false } }\n\
         fn step() {\n\
             let who = this.roll(\"fate\", \"who\", weighted([[\"ann\", 999999], [\"cato\", 1]]));\n\
             this.choose(who, \"way\", [1, 2]);\n\
             this.over = true;\n\
         }\n\
         fn outcome() { if this.over { #{ result: \"over\", utility: #{ ann: 1 } } } }\n";
    let scratch = folder(rules);
    at(&scratch, "play toy/one --seed 1 --seat ann=first").run().succeeds();
    at(&scratch, "odds toy/one").run().exits(1).says("`utility` lacks `cato`");
}

#[test]
fn a_utility_for_nobody_is_warned_of() {
    let check = |stranger: &str| {
        let utility = format!("#{{ red: 1, blue: -1, {stranger}: 0 }}");
        let scratch = folder(&lacking(&utility).replace("#{ red: 1, blue: -1 }", &utility));
        at(&scratch, "check toy").run()
    };
    check("bleu").prints("`utility` is for `bleu`").prints("did you mean `blue`?");
    check("green").prints(
        "`utility` is for `green`, who was asked nothing in these playouts and whom no setup names",
    );
}

#[test]
fn whoever_is_of_two_sides_is_named() {
    for (sides, message) in [
        ("one: [\"red\", \"blue\"], two: [\"blue\"]", "`blue` is in `one` and in `two`"),
        ("one: [\"red\", \"red\"], two: [\"blue\"]", "`red` is twice in `one`"),
    ] {
        let scratch = folder(&format!("{}fn sides() {{ #{{ {sides} }} }}\n", ultimatum(true)));
        let ran = at(&scratch, "odds toy/one").run().exits(1);
        ran.says(&format!("must name each player once: {message}")).says("rules.rhai:");
    }
}

#[test]
fn who_is_dealt_from_one_deck_sees_no_card_of_another() {
    let scratch = folder(
        "//! # Deal\n//! Two cards of three.\n\
         fn setup(s) { #{ over: false, red: 0, blue: 0, act: \"\" } }\n\
         fn step() {\n\
             this.red = this.roll(\"red\", \"card\", uniform([1, 2, 3]));\n\
             let rest = []; for card in [1, 2, 3] { if card != this.red { rest.push(card); } }\n\
             this.blue = this.roll(\"blue\", \"card\", uniform(rest));\n\
             this.act = this.choose(\"red\", \"act\", [\"bet\", \"pass\"]);\n\
             let meet = this.choose(\"blue\", \"meet\", [\"yes\", \"no\"]);\n\
             if this.act == \"pass\" || meet == \"no\" { this.red = this.blue; }\n\
             this.over = true;\n\
         }\n\
         fn outcome() { if this.over { let won = this.red - this.blue; \
             #{ result: \"over\", utility: #{ red: won, blue: -won } } } }\n\
         fn view(player) { #{ own: this[player], act: this.act } }\n",
    );
    let json = at(&scratch, "solve toy/one --json --quiet").run().json();
    // With the other's card the own one is drawn from other cards, and is the same card.
    let unseen = |player: &str, name: &str, of: &str| json!({ "player": player, "name": name, "of": of, "question": "card", "chance": true });
    let both = [unseen("blue", "meet", "red"), unseen("red", "act", "blue")];
    assert_eq!(json["unseen"], json!(both), "{json}");
}

/// An offer, then an answer to it, in one step; the offer is kept in the state or only in a
/// variable.
fn ultimatum(kept: bool) -> String {
    let keeps = if kept { "this.offer = offer;" } else { "" };
    format!(
        "//! # Ultimatum\n//! Offer and answer.\nfn setup(s) {{ #{{ over: false, offer: 0, share: 0 }} }}\n\
         fn step() {{\n\
             let offer = this.choose(\"red\", \"offer\", [1, 5]); {keeps}\n\
             let answer = this.choose(\"blue\", \"answer\", [\"yes\", \"no\"]);\n\
             this.share = if answer == \"yes\" {{ offer }} else {{ 0 }}; this.over = true;\n\
         }}\n\
         fn outcome() {{ if this.over {{ #{{ result: \"over\", utility: #{{ red: if this.share > 0 {{ 10 - this.share }} else {{ 0 }}, blue: this.share }} }} }} }}\n"
    )
}

#[test]
fn an_answer_that_is_in_no_view_is_warned_of_and_told_by_solve() {
    let told = "`blue` is asked `answer` without seeing what `red` answered to `offer`";
    let scratch = folder(&ultimatum(false));
    at(&scratch, "check toy").run().prints(told).prints("rules.rhai:");
    at(&scratch, "solve toy/one --plain").run().prints(told);
    let json = at(&scratch, "solve toy/one --json --quiet").run().json();
    let unseen = json!([{ "player": "blue", "name": "answer", "of": "red", "question": "offer", "chance": false }]);
    assert_eq!(json["unseen"], unseen, "{json}");
    assert_eq!(json["kind"]["knowing"], "hidden");
    let scratch = folder(&ultimatum(true));
    let ran = at(&scratch, "check toy").run();
    assert!(!ran.stdout.contains("without seeing"), "{}", ran.stdout);
    // Whoever sees the offer takes either; who makes it offers the least: 9 and 1.
    let json = at(&scratch, "solve toy/one --json --quiet").run().succeeds().json();
    assert_eq!((&json["value"]["red"], &json["value_number"]["red"]), (&"9".into(), &9.0.into()));
    assert_eq!((&json["unseen"], &json["kind"]["sides"]), (&json!([]), &2.into()));
    // Backward induction: neither gains a thing by playing otherwise.
    assert_eq!(json["gains"], json!({ "red": 0.0, "blue": 0.0 }));
    // All was worked out at once: nothing was learned on the way.
    assert_eq!((&json["iterations"], json.get("course")), (&0.into(), None));
    let line = &json["strategy"][0];
    assert!(line["options"][0]["weight_number"].is_number() && json["nodes"].is_number());
}

#[test]
fn odds_of_dice_that_are_cut_off_say_how_far_they_may_be_off() {
    let rules = "//! # Fire\n//! Rolls.\nfn setup(s) { #{ hits: -1 } }\n\
         fn step() { this.hits = this.roll(\"red\", \"fire\", successes(2, 6, 5, #{ explode: 6 })); }\n\
         fn outcome() { if this.hits >= 0 { #{ result: if this.hits == 0 { \"none\" } else { \"some\" }, utility: #{ red: this.hits } } } }\n";
    let scratch = folder(rules);
    let json = at(&scratch, "odds toy/one --json --quiet").run().succeeds().json();
    // Both dice fail with 2/3 each. Two dice hit 4/5 times on average, but for what is cut off: a
    // roll beyond the list is less likely than 1 in 2 to the power of 40.
    assert_eq!(json["results"]["none"], "4/9");
    let is_bound = |bound: &serde_json::Value, most: f64| {
        let bound = bound.as_f64().unwrap_or_else(|| panic!("no bound: {bound}"));
        assert!(bound > 0.0 && bound <= 1.001 * most / (1u64 << 40) as f64, "{bound}");
    };
    is_bound(&json["cut_off"], 1.0);
    // The fractions are those of other dice: nothing is exact, wherever it is printed.
    assert_eq!(json["exact"], false);
    let ran = at(&scratch, "odds toy/one --plain").run().succeeds().prints("no last value");
    assert!(!ran.stdout.contains("exact"), "{}", ran.stdout);
    scratch.write("rules/toy/house/same.rhai", "//! # Same\nfn setup(s) { super(s) }\n");
    scratch.write("rules/toy/params.toml", "[spare]\ndefault = 1\nmeaning = \"Nothing.\"\n");
    let line = "compare toy/one --house same";
    let json = at(&scratch, &format!("{line} --json --quiet")).run().succeeds().json();
    assert_eq!((&json["exact"], &json["base"]["exact"]), (&false.into(), &false.into()));
    is_bound(&json["difference"]["cut_off"], 2.0);
    at(&scratch, &format!("{line} --plain")).run().succeeds().prints("no last value");
    let line = "sweep toy/one spare=1..2";
    let json = at(&scratch, &format!("{line} --json --quiet")).run().succeeds().json();
    assert_eq!(json["points"][0]["exact"], false);
    is_bound(&json["points"][0]["cut_off"], 1.0);
    at(&scratch, &format!("{line} --plain")).run().succeeds().prints("no last value");
    let json = at(&scratch, "solve toy/one --json --quiet").run().succeeds().json();
    assert_eq!(json["exact"], false);
    is_bound(&json["cut_off_per_roll"], 1.0);
    at(&scratch, "solve toy/one --plain").run().succeeds().prints("no last value");
    let ran = at(&scratch, "--plain").with("-e").with("scenario(\"toy/one\").odds()").run();
    ran.succeeds().prints("no last value").prints("odds with dice cut off");
    // Plain dice are all that they are.
    let scratch = folder(&rules.replace(", #{ explode: 6 }", ""));
    let json = at(&scratch, "odds toy/one --json --quiet").run().succeeds().json();
    assert!(json.get("cut_off").is_none());
}

#[test]
fn dice_that_are_cut_off_are_labelled_where_options_and_opponents_are_weighed() {
    // Red throws one die or two, and hits 4/5 as often in all with each of two as with one: dice that
    // explode add 1/6 of themselves to 2/6.
    let rules = "//! # Fire\n//! Rolls.\nfn setup(s) { #{ dice: 0, hits: -1 } }\n\
         fn step() {\n\
             if this.dice == 0 { this.dice = this.choose(\"red\", \"dice\", [1, 2]); return; }\n\
             this.hits = this.roll(\"red\", \"fire\", successes(this.dice, 6, 5, #{ explode: 6 }));\n\
         }\n\
         fn outcome() { if this.hits >= 0 { #{ result: if this.hits == 0 { \"none\" } else { \"some\" }, utility: #{ red: this.hits } } } }\n";
    let plain = rules.replace(", #{ explode: 6 }", "");
    let prompt = |rules: &str, json: &str| {
        let line = format!("{json} --rules rules --seed 1");
        at(&folder(rules), &line).typing(":open toy/one\n:odds\n").succeeds()
    };
    let text = prompt(rules, "--plain");
    text.prints("odds with dice cut off after each option").prints("no last value");
    let text = prompt(&plain, "--plain");
    assert!(
        !text.stdout.contains("cut off") && text.stdout.contains("exact odds"),
        "{}",
        text.stdout
    );
    let exploited = |rules: &str, json: &str| {
        at(&folder(rules), &format!("exploit toy/one {json} --quiet")).run().succeeds()
    };
    let json = exploited(rules, "--json").json();
    // Two dice hit 4/5 times, less what is cut off; the other numbers are there as before.
    assert_eq!(json["exact"], false);
    assert!((json["best_response"].as_f64().unwrap() - 0.8).abs() < 1e-9, "{json}");
    assert!(json["cut_off_per_roll"].as_f64().unwrap() > 0.0, "{json}");
    exploited(rules, "--plain").prints("no last value");
    let json = exploited(&plain, "--json").json();
    assert_eq!((&json["exact"], json.get("cut_off_per_roll")), (&true.into(), None));
    assert_eq!(json["value"]["red"], "2/3");
    // A script of the lab prints the same.
    let code = "scenario(\"toy/one\").exploit(\"red\")";
    at(&folder(rules), "--plain").with("-e").with(code).run().succeeds().prints("no last value");
}

/// Ann plays on or stops; `total` counts the rounds.
const ENDLESS: &str = "//! # Endless\n//! Counts.\n//! Players: ann.\n\
     fn setup(s) { #{ total: #{ rounds: 0 }, over: false } }\n\
     fn step() {\n\
         let move = this.choose(\"ann\", \"move\", [\"on\", \"stop\"]);\n\
         this.total.rounds += 1;\n\
         this.over = move == \"stop\";\n\
     }\n\
     fn outcome() { if this.over { #{ result: \"over\", utility: #{ ann: 0 } } } }\n";

#[test]
fn a_state_that_never_repeats_is_named_by_what_takes_ever_new_values() {
    let scratch = folder(ENDLESS);
    // Without the number of rounds there are two states: under way, and over.
    let named = "`total.rounds` in the state takes ever new values";
    for line in ["odds toy/one", "solve toy/one", "exploit toy/one"] {
        let line = format!("--graph-memory 4M {line}");
        let ran = at(&scratch, &line).run().exits(1);
        let text = format!("{}{}", ran.stdout, ran.stderr);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("states hardly ever repeat") && text.contains(named), "{text}");
        assert!(text.contains("states would be 2; bound what grows"), "{text}");
    }
    // At the prompt too, where playouts say the rest; and the same bytes from any number of threads, although
    // not the same nodes fit into memory.
    let typed = ":open toy/one\n:odds random -n 10\n:hint random\n";
    let ran = at(&scratch, "--plain --graph-memory 4M --seed 1").typing(typed).succeeds();
    let text = format!("{}{}", ran.stdout, ran.stderr);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = format!("exact odds are out of reach: states hardly ever repeat: {named}");
    assert_eq!(text.matches(&why).count(), 2, "{text}");
    for line in ["odds toy/one --json", "solve toy/one --json", "exploit toy/one --json"] {
        let line = format!("--graph-memory 4M --quiet {line} --threads");
        let of = |threads: &str| {
            let ran = at(&scratch, &line).with(threads).run().exits(1);
            format!("{}{}", ran.stdout, ran.stderr)
        };
        let one = of("1");
        assert!(one.contains("memory bound of 4M") && !one.contains("nodes the memory"), "{one}");
        assert_eq!([of("2"), of("4")], [one.clone(), one]);
    }
    // What grows up to a bound does not grow for ever: the number of the coins is at most 50.
    let bounded = "//! # Bounded\n//! Coins.\n//! Players: ann.\nfn setup(s) { #{ coins: [] } }\n\
         fn step() { this.coins.push(this.choose(\"ann\", \"coin\", [1, 2, 3, 4])); }\n\
         fn outcome() { if this.coins.len() == 50 { #{ result: \"over\", utility: #{ ann: 0 } } } }\n";
    let ran = at(&folder(bounded), "--graph-memory 4M odds toy/one").run().exits(1);
    let text = format!("{}{}", ran.stdout, ran.stderr);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("there is more to see") && !text.contains("repeat"), "{text}");
}

#[test]
fn rules_that_make_a_player_forget_a_bid_are_warned_of() {
    let rules = "//! # Twice\n//! Ann bids, then answers.\n//! Players: ann, bob.\n\
         fn setup(s) { #{ bid: 0, raise: 0, guess: 0 } }\n\
         fn step() {\n\
             if this.bid == 0 { this.bid = this.choose(\"ann\", \"bid\", [1, 2]); return; }\n\
             if this.raise == 0 { this.raise = this.choose(\"ann\", \"raise\", [1, 2]); return; }\n\
             this.guess = this.choose(\"bob\", \"guess\", [1, 2]);\n\
         }\n\
         fn outcome() {\n\
             if this.guess == 0 { return; }\n\
             let won = if this.guess == this.bid { 1 } else { -1 };\n\
             #{ result: \"over\", utility: #{ ann: -won, bob: won } }\n\
         }\n\
         fn view(player) { #{ bids: this.bid != 0, raise: this.raise } }\n";
    let forgets =
        "`ann` forgets what they did (no perfect recall): asked for `raise` they see the same";
    let keep = "after [ann: bid 1] and after [ann: bid 2]; keep the answer to `bid` in the state and show it \
                in `view`";
    let text = |ran: &super::run::Ran| {
        let text = format!("{}{}", ran.stdout, ran.stderr);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let scratch = folder(rules);
    for line in ["check toy", "solve toy/one"] {
        let told = text(&at(&scratch, line).run());
        assert!(told.contains(forgets) && told.contains(keep), "{line}: {told}");
    }
    // She is shown her bid, and bob forgets nothing, since he is asked once.
    let shown = rules.replace(
        "raise: this.raise }",
        "raise: this.raise, own: if player == \"ann\" { this.bid } else { 0 } }",
    );
    let told = text(&at(&folder(&shown), "check toy").run());
    assert!(!told.contains("forgets"), "{told}");
}

/// Of two partners one is dealt a card, and the other plays without having seen it.
#[test]
fn what_a_partner_knew_is_not_forgotten_and_need_not_be_shown() {
    let rules = "//! # Partners\n//! Two pairs.\n\n\
         fn setup(scenario) { #{ card: 0, dealt: 0, guess: 0 } }\n\
         fn step() {\n\
             if this.card == 0 { this.card = this.roll(\"deck\", \"card\", uniform([1, 2])); return; }\n\
             if this.dealt == 0 { this.dealt = this.choose(\"north\", \"deal\", [1, 2]); return; }\n\
             this.guess = this.choose(\"south\", \"play\", [1, 2]);\n\
         }\n\
         fn outcome() {\n\
             if this.guess == 0 { return; }\n\
             let won = if this.guess == this.card { 1 } else { -1 };\n\
             #{ result: \"over\", utility: #{ north: won, south: won, east: -won } }\n\
         }\n\
         fn sides() { #{ ns: [\"north\", \"south\"], east: [\"east\"] } }\n\
         fn view(player) {\n\
             if player == \"north\" { this } else { #{ called: this.dealt != 0 } }\n\
         }\n";
    let text = |ran: &super::run::Ran| {
        let text = format!("{}{}", ran.stdout, ran.stderr);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let none =
        rules.replace("if player == \"north\" { this } else { ", "").replace("!= 0 } }", "!= 0 }");
    for (rules, verb) in [(rules, "saw"), (none.as_str(), "did")] {
        let scratch = folder(rules);
        let told = text(&at(&scratch, "solve toy/one").run());
        let sees = format!(
            "`south` does not see what `north` of the same side {verb} (no perfect recall)"
        );
        let side =
            "`solve` takes a side as one player, who knows what each of its players saw and did";
        assert!(told.contains(&sees) && told.contains(side), "{told}");
        assert!(!told.contains("show it in `view`"), "{told}");
        // `check` has nothing to advise.
        let told = text(&at(&scratch, "check toy").run());
        assert!(!told.contains("perfect recall"), "{told}");
    }
    // What a player did who does not see it any more is found beside that.
    let bids = "if this.bid == 0 { this.bid = this.choose(\"south\", \"bid\", [1, 2]); return; }";
    let dealt = "if this.dealt == 0 {";
    let own = rules.replace("dealt: 0,", "dealt: 0, bid: 0,");
    let scratch = folder(&own.replace(dealt, &format!("{bids}\n{dealt}")));
    for line in ["check toy", "solve toy/one"] {
        let told = text(&at(&scratch, line).run());
        assert!(told.contains("`south` forgets what they did"), "{told}");
    }
}
