//! Tests the page of a replay: what it holds, what of it a player may see, and how it is read in a browser.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::run::fracas;
use super::scratch::Scratch;
use crate::support::share_of;
use crate::tournament::browser::{chromium, read};
use crate::tournament::report::balanced;

/// Plays a scenario, and makes the page of its replay with these options.
pub fn page(folder: &Path, play: &str, options: &str) -> String {
    fracas(&format!("play {play} --save one.fracas")).inside(folder).run().succeeds();
    let replay = format!("replay one.fracas --html page.html {options}");
    fracas(&replay).inside(folder).run().succeeds();
    fs::read_to_string(folder.join("page.html")).unwrap()
}

/// The data that its script reads.
fn film(page: &str) -> Value {
    let (_, data) = page.split_once("id=\"film-data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// The text of a number.
fn text<'a>(film: &'a Value, number: &Value) -> &'a str {
    film["texts"][number.as_u64().unwrap() as usize].as_str().unwrap()
}

/// The texts of a list of numbers.
fn texts<'a>(film: &'a Value, list: &Value) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|number| text(film, number)).collect()
}

pub const STACKS: &str = "territory/three_tokens --seed 3 --seat white=random --seat black=random";

#[test]
fn a_replay_is_stepped_through_question_by_question_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), STACKS, "");
    balanced(&page);
    for source in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(source), "{source}");
    }
    let film = film(&page);
    let frames = film["lines"][0].as_array().unwrap();
    // Each player makes three tokens, then it is over.
    assert_eq!(frames.len(), 7);
    let saved = fs::read_to_string(folder.path().join("one.fracas")).unwrap();
    let answers = saved.lines().filter(|line| line.contains(" ability "));
    for (frame, answer) in frames.iter().zip(answers) {
        let options = texts(&film, &frame["options"]);
        let picked = options[frame["picked"].as_u64().unwrap() as usize];
        let (_, token) = answer.split_once(" ability ").unwrap();
        assert!(picked.starts_with(token.trim_matches('"')), "{picked}: {answer}");
        assert!(texts(&film, &frame["clause"])[0].contains("T1"), "{frame}");
    }
    // The stacks are opened at the end: it is told what each token did.
    assert!(!texts(&film, &frames[6]["events"]).is_empty());
}

#[test]
fn what_moved_most_is_named_by_its_entry_and_by_who_chose() {
    let folder = tempfile::tempdir().unwrap();
    let film = film(&page(folder.path(), STACKS, ""));
    let saved = fs::read_to_string(folder.path().join("one.fracas")).unwrap();
    let entries: Vec<&str> = saved.lines().filter(|line| line.contains(" ability ")).collect();
    let marks = film["marks"].as_array().unwrap();
    assert!(!marks.is_empty());
    for mark in marks {
        let text = text(&film, &mark[1]);
        let (number, moved) = text.strip_prefix("choice ").unwrap().split_once(": ").unwrap();
        let entry = entries[number.parse::<usize>().unwrap() - 1];
        let who = moved.split(' ').next().unwrap();
        assert!(entry.contains(&format!("{who} ability")), "{text}: {entry}");
    }
}

/// Both answer together, then what red takes is all that counts.
const TAKEN: &str = r#"fn setup(scenario) { #{ taken: () } }
fn step() {
    this.choose_secretly("guess", #{ red: ["a", "b"], blue: ["a", "b"] });
    this.taken = this.choose("red", "take", [0, 5]);
}
fn outcome() {
    if this.taken == () { return; }
    #{ result: "over", utility: #{ red: this.taken, blue: 0 } }
}
"#;

#[test]
fn a_mark_has_the_number_of_its_entry_where_answers_are_given_together() {
    let folder = Scratch::empty();
    folder.write("rules/taken/rules.rhai", TAKEN);
    let scenario = "system = \"taken\"\n[seats]\nred = \"random\"\nblue = \"random\"\n";
    folder.write("rules/taken/scenarios/one.toml", scenario);
    let film = film(&page(folder.path(), "taken/one --seed 1", ""));
    let marks = film["marks"].as_array().unwrap();
    let text = text(&film, &marks[0][1]);
    // Both guesses are the first entry; the third answer moves red by half of what there is to take.
    assert!(text == "choice 2: red +2.5" || text == "choice 2: red -2.5", "{text}");
    assert_eq!((marks.len(), &marks[0][0]), (1, &3.into()));
}

#[test]
fn answers_that_are_given_together_are_one_entry() {
    let folder = Scratch::empty();
    folder.write("rules/secrets/rules.rhai", SECRETS);
    let scenario = "system = \"secrets\"\n[setup]\nrounds = 1\ntogether = true\n[seats]\nred = \"random\"\nblue = \"random\"\n";
    folder.write("rules/secrets/scenarios/one.toml", scenario);
    let film = film(&page(folder.path(), "secrets/one --seed 1", ""));
    let frames = film["lines"][0].as_array().unwrap();
    let entries: Vec<Option<u64>> = frames.iter().map(|frame| frame["entry"].as_u64()).collect();
    // The omen, the card, both guesses, what is hidden, the call, and the end.
    assert_eq!(entries, [Some(1), Some(2), Some(3), Some(3), Some(4), Some(5), None]);
}

#[test]
fn a_page_is_a_saved_history_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    page(folder.path(), STACKS, "");
    let run = |line: &str| fracas(line).inside(folder.path()).run().succeeds().stdout;
    assert_eq!(run("replay page.html --json"), run("replay one.fracas --json"));
    assert!(run("replay page.html --verify").contains("the same: 6 entries"));
    let typed = ":load page.html\n:undo\n:save again.html\n";
    // What white makes is hidden from black.
    fracas("--plain").inside(folder.path()).typing(typed).succeeds().says(
        "saved to again.html: the page shows everybody's hidden information; `fracas replay again.html --for PLAYER \
         --html FILE.html` writes what one player saw",
    );
    let history: Value = serde_json::from_str(&run("replay again.html --json")).unwrap();
    assert_eq!(history["history"].as_array().unwrap().len(), 5);
}

#[test]
fn a_page_without_a_history_is_no_saved_history() {
    let folder = tempfile::tempdir().unwrap();
    page(folder.path(), STACKS, "--for black");
    let ran = fracas("replay page.html").inside(folder.path()).run();
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("page.html:1"), "{}", ran.stderr);
    assert!(ran.stderr.contains("this page holds no saved history"), "{}", ran.stderr);
}

/// Blue draws, hides and answers what only blue may see; red guesses. All that is blue's alone has the marker.
const SECRETS: &str = r#"fn setup(scenario) {
    #{ rounds: scenario.integer("rounds"), together: scenario.flag("together"), omen: "", blue: #{ held: "MARK0" }, red: #{ guesses: [] } }
}
fn step() {
    this.omen = this.roll("red", "omen", uniform(["MARK8", "MARK9"]));
    let drawn = this.roll("blue", "card", uniform(["MARK4", "MARK5"]));
    this.blue.held = drawn;
    if this.together {
        this.choose_secretly("guess", #{ red: ["low", "high"], blue: ["MARK6", "MARK7"] });
    }
    this.blue.held = this.choose("blue", "hide", ["MARK1", "MARK2", "MARK3"]);
    this.red.guesses.push(this.choose("red", "call", ["low", "high"]));
    this.emit("red has called");
    this.rounds -= 1;
}
fn view(player) {
    if player == "blue" { return this; }
    #{ rounds: this.rounds, together: this.together, blue: #{ held: () }, red: this.red }
}
fn picture() { `blue holds ${if this.blue.held == () { "a card" } else { this.blue.held }}\nred ${this.red.guesses.len()}` }
fn drawing() {
    let held = if this.blue.held == () { "a card" } else { this.blue.held };
    [#{ rect: [0, 0, 4, 2], fill: "blue", label: held }, #{ text: `red ${this.red.guesses.len()}`, at: [5, 1] }]
}
fn wording(player, question, options) {
    #{ text: if player == "blue" { `You hold ${this.blue.held}` } else { "What is it?" } }
}
fn outcome() {
    if this.rounds > 0 { return; }
    #{ result: "over", utility: #{ red: 1, blue: -1 }, held: this.blue.held }
}
"#;

#[test]
fn a_page_for_a_player_has_nothing_in_its_bytes_that_is_hidden_from_them() {
    let folder = Scratch::empty();
    folder.write("rules/secrets/rules.rhai", SECRETS);
    for seed in 0..share_of(200) {
        let (rounds, together) = (1 + seed % 4, seed % 2 == 0);
        let scenario = format!(
            "system = \"secrets\"\n[setup]\nrounds = {rounds}\ntogether = {together}\n[seats]\nred = \"random\"\nblue = \"random\"\n"
        );
        folder.write("rules/secrets/scenarios/one.toml", scenario);
        let play = format!("secrets/one --seed {seed}");
        let own = page(folder.path(), &play, "--for red");
        assert!(!own.contains("MARK"), "{own}");
        assert!(!own.contains(&format!("seed {seed}")) && !own.contains("id=\"history\""));
        let svg = format!("replay one.fracas --at {} --for red --svg red.svg", seed % 5);
        fracas(&svg).inside(folder.path()).run().succeeds();
        let own_drawing = fs::read_to_string(folder.file("red.svg")).unwrap();
        assert!(own_drawing.contains(">a card<") && !own_drawing.contains("MARK"));
        // It is red's own page all the same.
        let film = film(&own);
        let called = film["lines"][0].as_array().unwrap().iter();
        let called = called.filter(|frame| texts(&film, &frame["options"]) == ["low", "high"]);
        assert_eq!(called.count() as u64, rounds * if together { 2 } else { 1 });
        if seed < 4 {
            let all = page(folder.path(), &play, "");
            assert!(all.contains("MARK") && all.contains("id=\"history\""));
            fracas("replay one.fracas --svg all.svg").inside(folder.path()).run().succeeds();
            assert!(fs::read_to_string(folder.file("all.svg")).unwrap().contains("MARK"));
        }
    }
}

/// Each has a card, and nothing is drawn.
const HANDS: &str = r#"fn setup(scenario) { #{ red: 0, blue: 0, called: "" } }
fn step() {
    this.red = this.roll("red", "card", uniform([1, 2]));
    this.blue = this.roll("blue", "card", uniform([3, 4]));
    this.called = this.choose("red", "call", ["low", "high"]);
}
fn view(player) { #{ own: this[player], called: this.called } }
fn outcome() { if this.called != "" { #{ result: this.called, utility: #{ red: 1, blue: -1 } } } }
"#;

#[test]
fn a_page_shows_what_the_view_returns_where_nothing_is_drawn() {
    let folder = Scratch::empty();
    folder.write("rules/hands/rules.rhai", HANDS);
    folder.write("rules/hands/scenarios/one.toml", "system = \"hands\"\n");
    for seed in 0..4 {
        let has = |page: &str, cards: [i64; 2]| {
            cards.iter().any(|card| page.contains(&format!("own: {card}")))
        };
        let play = format!("hands/one --seat red=random --seat blue=random --seed {seed}");
        let own = page(folder.path(), &play, "--for red");
        assert!(has(&own, [1, 2]) && !has(&own, [3, 4]), "{own}");
        let all = page(folder.path(), &play, "");
        assert!(has(&all, [1, 2]) && has(&all, [3, 4]), "{all}");
    }
}

#[test]
fn a_page_says_with_which_command_it_was_made() {
    let folder = tempfile::tempdir().unwrap();
    page(folder.path(), STACKS, "");
    for (options, command) in [
        ("--to 2 --seed 5 -n 30", "fracas replay one.fracas --to 2 --seed 5 -n 30 --html own.html"),
        // A seed says more than a viewer knows.
        (
            "--to 2 --seed 5 --for black",
            "fracas replay one.fracas --for black --to 2 --html own.html",
        ),
    ] {
        let replay = format!("replay one.fracas {options} --html own.html");
        fracas(&replay).inside(folder.path()).run().succeeds();
        let own = fs::read_to_string(folder.path().join("own.html")).unwrap();
        assert!(own.contains(&format!("<code>{command}</code>")), "{own}");
    }
    // Nothing is written where the other file cannot be.
    let both = "replay one.fracas --html both.html --svg nowhere/both.svg";
    assert_eq!(fracas(both).inside(folder.path()).run().code, Some(2));
    assert!(!folder.path().join("both.html").exists());
}

#[test]
fn what_moved_and_came_to_nothing_is_not_called_nothing() {
    let folder = Scratch::empty();
    // Two rolls are worth 1 or -1 each.
    folder.write(
        "rules/turns/rules.rhai",
        r#"fn setup(scenario) { #{ sum: 0, rolls: 0 } }
fn step() {
    this.sum += this.roll("red", "coin", uniform([-1, 1]));
    this.rolls += 1;
    if this.rolls == 2 { this.choose("red", "end", [true]); this.rolls = 3; }
}
fn outcome() { if this.rolls == 3 { #{ result: "over", utility: #{ red: this.sum } } } }
"#,
    );
    let scenario = "system = \"turns\"\n[setup]\n[seats]\nred = \"random\"\n";
    folder.write("rules/turns/scenarios/one.toml", scenario);
    let mut seen = (false, false);
    for seed in 0..12 {
        let own = page(folder.path(), &format!("turns/one --seed {seed}"), "");
        let is_even = own.contains("It ended as over: red 0.");
        let said = "red could expect 0 at the beginning; what moved that came to nothing.";
        assert_eq!(own.contains(said), is_even, "{own}");
        seen = (seen.0 || is_even, seen.1 || !is_even);
    }
    assert_eq!(seen, (true, true));
}

#[test]
fn a_viewer_who_does_not_play_is_named() {
    let folder = tempfile::tempdir().unwrap();
    page(folder.path(), STACKS, "");
    let ran = fracas("replay one.fracas --html no.html --for blak").inside(folder.path()).run();
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("did you mean `black`?"), "{}", ran.stderr);
    assert!(!folder.path().join("no.html").exists());
}

/// Every text that rules control tries to run something.
const INJECTING: &str = r#"const BAD = "</script><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
fn setup(scenario) { #{ done: false } }
fn step() {
    this.emit(BAD);
    this.choose("red", BAD, [BAD, "javascript:document.title='owned'"]);
    this.done = true;
}
fn picture() { BAD }
fn drawing() { [#{ rect: [0, 0, 9, 2], fill: "red", label: BAD }, #{ text: BAD, at: [0, 3] }] }
fn wording(player, question, options) { #{ text: BAD, help: BAD } }
fn outcome() { if this.done { #{ result: BAD, utility: #{ red: 1 } } } }
"#;

#[test]
fn a_browser_shows_the_frame_of_the_address_and_runs_nothing_of_the_rules() {
    let folder = Scratch::empty();
    folder.write("rules/bad/rules.rhai", INJECTING);
    let scenario =
        "system = \"bad\"\ntitle = \"<b onclick=alert(1)>\"\n[setup]\n[seats]\nred = \"random\"\n";
    folder.write("rules/bad/scenarios/one.toml", scenario);
    let text = page(folder.path(), "bad/one --seed 1", "");
    assert!(!text.contains("<img") && !text.contains("<b onclick"), "{text}");
    // The data, the history and the page's own script, and no more.
    assert_eq!(text.matches("<script").count(), 3);
    let Some(browser) = chromium() else { return };
    let (shown, console) = read(&browser, &folder.file("page.html#1"), &[]);
    assert!(console.is_empty(), "{console:?}");
    assert!(shown.contains("data-part=\"count\">1 of 1<"), "{shown}");
    assert!(shown.contains("The end: ") && !shown.contains("<title>owned"), "{shown}");
    assert!(!shown.contains("<img"), "{shown}");
    let (first, _) = read(&browser, &folder.file("page.html#0"), &[]);
    assert!(
        first.contains("data-part=\"count\">0 of 1<") && first.contains("was chosen"),
        "{first}"
    );
}

#[test]
fn each_frame_has_its_drawing_and_shapes_are_in_the_page_once() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), STACKS, "");
    let film = film(&page);
    let [shapes, drawings] = [0, 1].map(|part| film["drawings"][0][part].as_array().unwrap());
    let all: BTreeSet<String> = shapes.iter().map(Value::to_string).collect();
    assert_eq!(all.len(), shapes.len());
    for frame in film["lines"][0].as_array().unwrap() {
        // Everybody, white and black.
        let drawn = frame["drawn"].as_array().unwrap();
        assert!(
            drawn.len() == 3
                && drawn.iter().all(|number| number.as_u64().unwrap() < drawings.len() as u64)
        );
    }
    // While black makes tokens, which lie face down for white, white sees the same all the time.
    let white = [3, 4, 5].map(|at| &film["lines"][0][at]["drawn"][1]);
    assert!(white[0] == white[1] && white[1] == white[2], "{white:?}");
    // The fourth drawing is the first with one token made: its box and its label, a place and a number each.
    let change: Vec<u64> = serde_json::from_value(drawings[3].clone()).unwrap();
    assert_eq!((change.len(), change[0]), (6, 1), "{change:?}");
    // The script has the lists by which the program numbers elements and attributes.
    for list in [
        "'rect', 'circle', 'line', 'polyline', 'polygon', 'text'",
        "'stroke-width', 'text-anchor', 'font-size'",
    ] {
        assert!(page.contains(list));
    }
    let Some(browser) = chromium() else { return };
    let (shown, console) = read(&browser, &folder.path().join("page.html#2"), &[]);
    assert!(console.is_empty(), "{console:?}");
    assert!(
        shown.contains(">not made yet</text>") && shown.contains("The same as text"),
        "{shown}"
    );
}

#[test]
fn a_page_of_what_a_player_saw_so_far_ends_with_that() {
    let folder = tempfile::tempdir().unwrap();
    page(folder.path(), STACKS, "");
    let replay = "replay one.fracas --to 2 --for black --html two.html";
    fracas(replay).inside(folder.path()).run().succeeds();
    let two = fs::read_to_string(folder.path().join("two.html")).unwrap();
    let film = film(&two);
    let frames = film["lines"][0].as_array().unwrap();
    let title = film["texts"][frames[0]["title"].as_u64().unwrap() as usize].as_str();
    assert_eq!((frames.len(), title), (1, Some("It is not over")));
    assert!(!two.contains("line by line"), "{two}");
}

/// Red never sees what is drawn, but hears of it: blue, who holds it, may say "big" only of the great one.
const HEARD: &str = r#"fn setup(scenario) { #{ held: scenario.integer("held"), said: "", asked: 0 } }
fn step() {
    this.choose("red", "first", ["yes", "no"]);
    this.said = this.choose("blue", "say", if this.held == 4 { ["big", "small"] } else { ["small"] });
    this.asked += 1;
    this.choose("red", "second", ["yes", "no"]);
    this.asked += 1;
}
fn view(player) {
    if player == "blue" { return this; }
    #{ held: (), said: this.said, asked: this.asked }
}
fn outcome() { if this.asked == 2 { #{ result: "over", utility: #{ red: this.held, blue: 0 } } } }
"#;

#[test]
fn a_page_for_a_player_says_what_that_player_could_expect_and_no_more() {
    let folder = Scratch::empty();
    folder.write("rules/heard/rules.rhai", HEARD);
    let scenario = |held: &str| {
        format!(
            "system = \"heard\"\n[setup]\nheld = {held}\n[seats]\nred = \"random\"\nblue = \"random\"\n"
        )
    };
    let expected = |seed: u64| {
        let own = page(folder.path(), &format!("heard/one --seed {seed}"), "--for red");
        let film = film(&own);
        let frames = film["lines"][0].as_array().unwrap().clone();
        let lines = frames.iter().map(|frame| texts(&film, &frame["expected"]).join(", "));
        let saved = fs::read_to_string(folder.file("one.fracas")).unwrap();
        (lines.collect::<Vec<_>>(), saved.contains("blue say \"big\""), own)
    };
    // A quarter of the draws is a 4. Blue says "small" of half of those, and of all others: 1/8 of 7/8 is a 4 then.
    folder
        .write("rules/heard/scenarios/one.toml", scenario("{ one_of = [4, 0], weights = [1, 3] }"));
    let mut bigs = 0;
    for seed in 0..24 {
        let (lines, is_big, own) = expected(seed);
        bigs += usize::from(is_big);
        let heard = if is_big { "red can expect 4" } else { "red can expect 4/7 = 0.5714" };
        assert_eq!(lines[0], "blue can expect 0, red can expect 1", "{own}");
        assert_eq!(lines[1], format!("blue can expect 0, {heard}"), "{own}");
        assert!(own.contains("all that looked alike to red"), "{own}");
    }
    assert!((1..24).contains(&bigs), "{bigs}");
    // A number would tell what the setup fixes, also where it stands beside what is drawn.
    let beside = HEARD
        .replace("{ held: scenario", "{ own: #{ luck: scenario.integer(\"luck\"), held: scenario")
        .replace(", said: \"\"", " }, said: \"\"")
        .replace("this.held", "this.own.held")
        .replace("{ held: ()", "{ own: ()");
    // The same in a list.
    let listed = beside
        .replace("#{ luck: scenario", "[scenario")
        .replace("held: scenario.integer(\"held\") }", "scenario.integer(\"held\")]")
        .replace("this.own.held", "this.own[1]");
    assert!(listed.contains("own: [scenario.integer(\"luck\"), scenario.integer(\"held\")]"));
    let luck = "\nluck = { one_of = [1, 2] }";
    for (rules, more) in [(HEARD, ""), (&beside, luck), (&listed, luck)] {
        folder.write("rules/heard/rules.rhai", rules);
        for held in ["4", "0"] {
            folder.write("rules/heard/scenarios/one.toml", scenario(&format!("{held}{more}")));
            let (lines, _, own) = expected(1);
            assert_eq!(lines, ["", "", ""], "{own}");
            assert!(!own.contains("could expect"), "{own}");
        }
    }
}

/// Two players move a stone over ten times ten fields, which count how often it was on them.
const WALK: &str = r#"fn setup(scenario) {
    let board = [];
    board.pad(100, 0);
    #{ left: scenario.integer("steps"), x: 5, y: 5, board: board }
}
fn step() {
    let who = if this.left % 2 == 0 { "red" } else { "blue" };
    let way = this.choose(who, "move", ["north", "east", "south", "west"]);
    this.x = (this.x + if way == "east" { 1 } else if way == "west" { 9 } else { 0 }) % 10;
    this.y = (this.y + if way == "south" { 1 } else if way == "north" { 9 } else { 0 }) % 10;
    this.board[this.y * 10 + this.x] += 1;
    this.emit(`the stone is on ${this.x}, ${this.y}`);
    this.left -= 1;
}
fn picture() {
    let lines = [];
    for y in 0..10 {
        let line = "";
        for x in 0..10 { line += `${this.board[y * 10 + x]} `; }
        lines.push(line);
    }
    lines.join("\n")
}
fn drawing() {
    let shapes = [];
    for y in 0..10 {
        for x in 0..10 {
            let here = x == this.x && y == this.y;
            shapes.push(#{ rect: [x * 2, y * 2, 1.8, 1.8], fill: if here { "red" } else { "card" }, label: `${this.board[y * 10 + x]}` });
        }
    }
    shapes
}
fn outcome() { if this.left == 0 { #{ result: "over", utility: #{ red: 0, blue: 0 } } } }
"#;

#[test]
fn a_page_of_two_thousand_entries_with_drawings_is_smaller_than_two_million_bytes() {
    let folder = Scratch::empty();
    let steps = share_of(2_000);
    folder.write("rules/walk/rules.rhai", WALK);
    let scenario = "[seats]\nred = \"random\"\nblue = \"random\"\n";
    let scenario = format!("system = \"walk\"\n[setup]\nsteps = {steps}\n{scenario}");
    folder.write("rules/walk/scenarios/one.toml", scenario);
    let page = page(folder.path(), "walk/one --seed 1", "--time 1");
    assert!(page.len() < 2_000_000, "{}", page.len());
    // Each place has its drawing.
    let film = film(&page);
    let frames = film["lines"][0].as_array().unwrap();
    assert_eq!(frames.len() as u64, steps + 1);
    assert!(frames.iter().all(|frame| frame["drawn"][0].is_u64()), "{frames:?}");
}
