//! Sessions at the prompt with a system of one's own: its mistakes, its menus, its forks, its odds.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fracas::catalog::Catalog;
use fracas::error::Error;
use fracas::repl::{Reply, Session, SessionOptions};
use fracas::script::Limits;

use super::{says, text};

/// Red takes a tile, then a die of five sides falls, which is the result.
const RULES: &str = r#"//! # Draw
//! Red takes a tile, then a die of five sides falls.
fn setup(scenario) {
    let state = #{};
    if scenario.number("deal", 0) > 0 {
        state.roll("red", "deal", uniform([1, 2]));
    }
    state.board = "ready";
    state
}

/// A turn.
fn step() {
    this.tile = this.choose("red", "tile", ["tile 2", "tile 3", "tile 4"]);
    this.bold = this.choose("red", "bold", [true, false]);
    this.fell = this.roll("red", "die", uniform(["advance", "envelop", "parley", "retreat", "surrender"]));
}

fn outcome() {
    if "fell" in this { #{ result: this.fell, utility: #{ red: 1 } } } else { () }
}

fn picture() { `board ${this.board}` }
"#;

/// A folder with the system `draw`.
struct Table(tempfile::TempDir);

impl Table {
    fn new() -> Table {
        let table = Table(tempfile::tempdir().unwrap());
        table.write("rules.rhai", RULES);
        let scenario = |more: &str| format!("system = \"draw\"\n[setup]\n{more}\n");
        table.write("scenarios/plain.toml", &scenario(""));
        table.write("scenarios/other.toml", &scenario(""));
        table.write("scenarios/dealt.toml", &scenario("deal = 1"));
        table
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join("draw").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn session(&self, width: usize) -> Session {
        let catalog = Catalog::new(&[self.path().to_owned()]).unwrap();
        Session::new(catalog, SessionOptions { width, plain: true, ..SessionOptions::default() })
    }
}

#[test]
fn odds_show_every_result_at_any_width() {
    let table = Table::new();
    for width in [40, 60, 80, 120] {
        let mut session = table.session(width);
        says(&mut session, ":open draw/plain --seat red=human");
        let odds = says(&mut session, ":odds");
        for result in ["advance", "envelop", "parley", "retreat", "surrender"] {
            assert!(odds.contains(result), "{width}: {odds}");
        }
        // Three options, each with five results that are as likely as each other.
        assert_eq!(odds.matches("20.00 %").count(), 15, "{width}: {odds}");
        assert!(odds.lines().all(|line| line.chars().count() <= width), "{width}: {odds}");
    }
}

#[test]
fn odds_whose_time_is_over_at_once_say_that_there_are_none() {
    let table = Table::new();
    let mut session = table.session(80);
    says(&mut session, ":open draw/plain --seat red=human");
    // Every clock has gone on by a nanosecond when it is looked at.
    let told = says(&mut session, ":odds --time 0.000000001");
    assert!(told.contains("not every option has a playout yet"), "{told}");
    assert!(!told.contains("20.00 %"), "{told}");
}

#[test]
fn a_number_means_the_option_that_holds_it_where_letters_count() {
    let table = Table::new();
    let mut session = table.session(80);
    let opened = says(&mut session, ":open draw/plain --seat red=human");
    assert!(opened.ends_with("red, tile?\n  a  tile 2\n  b  tile 3\n  c  tile 4"), "{opened}");
    // Nothing holds a 1, and no place has it.
    assert!(says(&mut session, "1").starts_with("error: `1` is not an answer"));
    says(&mut session, "c");
    says(&mut session, "no");
    let history = says(&mut session, ":history");
    assert!(history.contains("red tile \"tile 4\"\n"), "{history}");
    assert!(history.contains("red bold no\n"), "{history}");
    assert!(says(&mut session, ":undo").contains("1  yes"));
    says(&mut session, "yes");
    assert!(says(&mut session, ":history").contains("red bold yes\n"));
    let mut session = table.session(80);
    says(&mut session, ":open draw/plain --seat red=human");
    assert!(says(&mut session, "#7").starts_with("error: `#7` is not an answer"));
    assert!(says(&mut session, "4").ends_with("red, bold?\n  1  yes\n  2  no"));
    assert!(says(&mut session, ":history").contains("red tile \"tile 4\""));
}

#[test]
fn no_picture_is_owed_while_the_setup_asks() {
    let table = Table::new();
    let mut session = table.session(80);
    let opened = says(&mut session, ":open draw/dealt");
    assert!(opened.contains("next: chance for red, deal"), "{opened}");
    assert!(!opened.contains("picture"), "{opened}");
    assert!(says(&mut session, ":goto 0").contains("next: chance for red, deal"));
    let shipped = Catalog::new(&[]).unwrap();
    let mut session = Session::new(shipped, SessionOptions::default());
    let opened = says(&mut session, ":open battle_tiles/trial_of_strength");
    assert!(!opened.contains("no picture"), "{opened}");
    assert!(opened.contains("red: 0 points, 7 markers left"), "{opened}");
}

#[test]
fn what_was_taken_back_is_saved_and_made_again() {
    let table = Table::new();
    let mut session = table.session(80);
    says(&mut session, ":open draw/plain --seat red=human");
    for answer in ["#1", "yes"] {
        says(&mut session, answer);
    }
    let whole = says(&mut session, ":history");
    says(&mut session, ":goto 1");
    says(&mut session, ":fork other");
    says(&mut session, "no");
    says(&mut session, ":undo");
    let file = table.path().join("draw.txt");
    says(&mut session, &format!(":save {}", file.display()));
    let mut session = table.session(80);
    says(&mut session, &format!(":load {}", file.display()));
    // Of the line that is played and of the other one.
    says(&mut session, ":redo 9");
    assert!(says(&mut session, ":history").contains("red bold no"));
    says(&mut session, ":fork main");
    says(&mut session, ":redo 9");
    assert_eq!(says(&mut session, ":history"), whole);
}

/// Red climbs as often as the setup says, or until the rope breaks.
const CLIMB: &str = r#"//! # Draw
//! Red climbs.
fn setup(scenario) { #{ rounds: scenario.number("rounds"), height: scenario.number("start", 0), left: scenario.number("left", 0) } }
fn step() {
    this.height += this.choose("red", "climb", [1, 2]);
    this.emit(`red is at ${this.height}`);
    this.rounds -= 1;
    if this.rounds == 0 { this.emit("the top"); }
}
fn outcome() { if this.rounds == 0 { #{ result: "up", utility: #{ red: 1 }, left: this.left } } }
"#;

#[test]
fn what_the_same_answers_lead_to_under_other_rules_is_said() {
    let table = Table::new();
    table.write("rules.rhai", CLIMB);
    table.write("scenarios/plain.toml", "system = \"draw\"\n[setup]\nrounds = 3\nleft = 2\n");
    let mut session = table.session(80);
    says(&mut session, ":open draw/plain --seat red=human");
    says(&mut session, "1");
    let changed = "changed: the setup has changed\n";
    for (line, says_so) in [
        (":set start=5", "the same history, another state\nred, climb?"),
        (":set start=0", "the same history, another state\nred, climb?"),
        // What is announced now that was not is shown.
        (":set rounds=1", "the same history, but it is over now\nthe top\nresult: up"),
        (":set start=2", "the same history, another state\nresult: up"),
        (":set left=5", "the same history, another outcome: `left` is 5, was 2\nresult: up"),
        (":set rounds=2", "the same history, and it continues\nred, climb?"),
    ] {
        let said = says(&mut session, line);
        assert!(said.starts_with(&format!("{changed}{says_so}")), "{line}: {said}");
    }
    table.write("rules.rhai", &CLIMB.replace("Red climbs.", "Red climbs up."));
    assert!(says(&mut session, ":reload").contains("same up to here\nred, climb?"));
}

#[test]
fn rules_with_a_mistake_are_mended_from_the_prompt() {
    let table = Table::new();
    table.write("rules.rhai", &RULES.replace("let state = #{};", "let state = #{;"));
    table.write("house/bold.rhai", "//! Bold.\n//! Always.\nfn outcoem() { super() }\n");
    let mut session = table.session(80);
    let opened = says(&mut session, ":open draw/plain");
    assert!(opened.starts_with("`:edit draw` opens these rules at the mistake"), "{opened}");
    let place = |reply: &Reply| reply.edits.as_ref().map(|at| (at.line, text(reply)));
    // The fourth line of the rules has the mistake, the thirteenth begins `step`.
    assert_eq!(place(&session.line(":edit draw")), Some((4, String::new())));
    assert!(text(&session.edited()).contains("rules.rhai:4:"), "it is there still");
    assert_eq!(place(&session.line(":edit draw step")), Some((13, String::new())));
    table.write("rules.rhai", RULES);
    assert_eq!(text(&session.edited()), "the rules of `draw` compile");
    assert_eq!(place(&session.line(":edit draw")), Some((1, String::new())));
    assert_eq!(place(&session.line(":edit draw plain.toml")), Some((1, String::new())));
    assert_eq!(place(&session.line(":edit draw bold")), Some((1, String::new())));
    let edited = text(&session.edited());
    assert!(edited.contains("did you mean `outcome`?"), "{edited}");
    // Alone it opens the file with the mistake, until that is mended.
    assert!(edited.ends_with("`:edit` opens the file at the mistake"), "{edited}");
    assert_eq!(place(&session.line(":edit")), Some((3, String::new())));
    table.write("house/bold.rhai", "//! Bold.\n//! Always.\nfn outcome() { this.super() }\n");
    session.edited();
    for (line, says_so) in [
        (":edit", "`:edit SYSTEM` opens the rules of a system"),
        (":edit drav", "unknown system `drav`; did you mean `draw`?"),
        (":edit draw stpe", "unknown function or constant `stpe`; did you mean `step`?"),
        (":edit drav step", "unknown system `drav`; did you mean `draw`?"),
    ] {
        let said = says(&mut session, line);
        assert!(said.contains(says_so), "{line}: {said}");
    }
    // With a conflict open a lone word is a function of its rules, or else a system.
    says(&mut session, ":open draw/plain");
    assert_eq!(place(&session.line(":edit step")), Some((13, String::new())));
    assert_eq!(place(&session.line(":edit draw")), Some((1, String::new())));
    assert_eq!(text(&session.edited()), "no rule has changed");
}

#[test]
fn a_solution_of_one_scenario_is_kept_while_another_is_open() {
    let table = Table::new();
    let mut session = table.session(80);
    says(&mut session, ":open draw/plain --seat red=human");
    says(&mut session, ":solve");
    assert!(says(&mut session, ":odds").contains("weight and value: `:solve`"));
    says(&mut session, ":open draw/other --seat red=human");
    let other = says(&mut session, ":odds");
    assert!(!other.contains("`:solve`"), "{other}");
    says(&mut session, ":open draw/plain --seat red=human");
    assert!(says(&mut session, ":odds").contains("weight and value: `:solve`"));
    // Other rules of the same scenario are told.
    table.write("rules.rhai", &RULES.replace("red: 1 }", "red: 2 }"));
    says(&mut session, ":reload");
    assert!(says(&mut session, ":odds").contains("the rules have changed since they were solved"));
}

#[test]
fn forks_are_saved_and_loaded() {
    let table = Table::new();
    let file = table.path().join("forked.history").display().to_string();
    let mut session = table.session(80);
    for line in [
        ":open draw/plain --seat red=human",
        "tile 2",
        ":fork bold",
        "yes",
        ":fork main",
        "no",
        ":fork third",
        &format!(":save {file}"),
        ":open draw/other",
    ] {
        let said = says(&mut session, line);
        assert!(!said.contains("error"), "{line}: {said}");
    }
    assert_eq!(says(&mut session, ":fork"), "* main: 0 entries");
    let loaded = says(&mut session, &format!(":load {file}"));
    assert!(loaded.contains("lines of play: `bold`, `main`, `third`; on `third`"), "{loaded}");
    // A tile, whether bold, and the die that fell.
    assert_eq!(
        says(&mut session, ":fork"),
        "  bold: 3 entries\n  main: 3 entries\n* third: 3 entries"
    );
    says(&mut session, ":fork bold");
    assert!(says(&mut session, ":history").contains("red bold yes\n"));
    // Rules that do not follow a fork to its end cut it, and say so.
    let changed = RULES.replace("[true, false]", "[false, \"later\"]");
    table.write("rules.rhai", &changed);
    let loaded = says(&mut session, &format!(":load {file} --force"));
    assert!(loaded.contains("cut: 2 entries of the line `bold`"), "{loaded}");
}

#[test]
fn an_interrupt_that_comes_when_a_line_is_through_is_not_lost() {
    let flag = Arc::new(AtomicBool::new(false));
    let budget = Limits::default().budget.interrupted_by(Some(flag.clone()));
    let limits = Limits { budget, ..Limits::default() };
    let mut session = Session::new(
        Catalog::new(&[]).unwrap(),
        SessionOptions { limits, ..SessionOptions::default() },
    );
    // Nothing of this command looks at the flag, as nothing does after the last answer of any.
    flag.store(true, Ordering::Relaxed);
    assert!(session.line(":help").error().is_none());
    // Whoever reads the lines sees it, and lowers it.
    assert!(flag.load(Ordering::Relaxed));
    assert!(matches!(session.line("loop {}").error(), Some(Error::Interrupted)));
}

/// Red takes 1 for sure, or goes on and takes 3 or loses 3.
const RISK: &str = r#"//! # Draw
//! Red may take a risk.
fn setup(scenario) { #{ first: "", second: "" } }
fn step() {
    if this.first == "" {
        this.first = this.choose("red", "first", ["safe", "risk"]);
    } else {
        this.second = this.choose("red", "second", ["good", "bad"]);
    }
}
fn outcome() {
    if this.first == "safe" { return #{ result: "safe", utility: #{ red: 1 } }; }
    if this.second == "good" { return #{ result: "good", utility: #{ red: 3 } }; }
    if this.second == "bad" { #{ result: "bad", utility: #{ red: -3 } } }
}
"#;

#[test]
fn odds_are_those_of_going_on_as_an_agent_and_hints_have_the_same_numbers() {
    let table = Table::new();
    table.write("rules.rhai", RISK);
    let mut session = table.session(200);
    says(&mut session, ":open draw/plain --seat red=human");
    // Nothing is hidden and the rules name nobody, so `greedy` plays for people, who takes the good one.
    let picked = says(&mut session, ":odds");
    let who = "red (you) plays as `greedy`; `:odds AGENT` seats another\n";
    assert!(picked.starts_with(who), "{picked}");
    let odds = says(&mut session, ":odds random");
    assert!(odds.starts_with("red (you) plays as `random`\n"), "{odds}");
    let worth = |odds: &str, option: &str| {
        let row = odds.lines().find(|line| line.trim_start().starts_with(option)).unwrap();
        row.split_whitespace().last().unwrap().to_owned()
    };
    // At random the second answer is as often good as bad: 3 / 2 - 3 / 2 is 0.
    assert_eq!(["safe", "risk"].map(|option| worth(&odds, option)), ["1", "0"]);
    assert_eq!(["safe", "risk"].map(|option| worth(&picked, option)), ["1", "3"]);
    // Whoever plays on greedily, or takes the first option, takes the good one.
    for agent in ["greedy", "first"] {
        let odds = says(&mut session, &format!(":odds {agent}"));
        assert!(odds.starts_with(&format!("red (you) plays as `{agent}`\n")), "{odds}");
        assert_eq!(["safe", "risk"].map(|option| worth(&odds, option)), ["1", "3"], "{agent}");
    }
    let hint = |session: &mut Session, agent: &str| {
        says(session, &format!(":hint {agent}")).replace('\n', " ")
    };
    // Greedy itself thinks that everybody plays at random, and takes the safe one.
    assert_eq!(
        hint(&mut session, "greedy"),
        "`greedy` would answer safe utility of red if `greedy` plays for you from here, exact, as `:odds greedy` \
         says: risk (3), safe (1); so against the seated agents, risk is worth more than its \
         answer, because it expects everybody to play at random `greedy` goes by the utility of red if everybody plays at random from here, exact: safe (1), risk (0)"
    );
    assert_eq!(
        hint(&mut session, "random"),
        "`random` would take any of them, each as likely utility of red if `random` plays for you from here, \
         exact, as `:odds random` says: safe (1), risk (0)"
    );
    // Without an agent both take the one that was picked, and `search:500` advises.
    let bare = hint(&mut session, "");
    let numbers = "utility of red if `greedy` plays for you from here, exact, as `:odds` says: risk (3), safe (1)";
    assert!(
        bare.starts_with("`search:500` would answer risk ") && bare.contains(numbers),
        "{bare}"
    );
    let refused = says(&mut session, ":odds 0");
    assert!(
        refused.contains("must be an agent, or a number of playouts of 1 or more"),
        "{refused}"
    );
    assert!(says(&mut session, ":odds gredy").contains("did you mean `greedy`?"));
}

#[test]
fn the_end_shows_what_a_utility_is_made_of_and_why_it_ended_so() {
    let table = Table::new();
    let parts = "utility: #{ red: 1 }, parts: #{ red: #{ \"1 tile lost\": -1, ford: 2, hill: 0 } }";
    let told = RULES.replace("utility: #{ red: 1 }", parts);
    let told = told.replace("\nfn outcome", "\n/// D3. What fell is the result.\nfn outcome");
    table.write("rules.rhai", &told);
    let mut session = table.session(80);
    says(&mut session, ":open draw/plain --seat red=human");
    says(&mut session, "tile 2");
    let end = says(&mut session, "no");
    // Most first, and nothing of what was worth 0.
    assert!(end.contains("\n  red +1: ford +2, 1 tile lost -1"), "{end}");
    let why = says(&mut session, ":why");
    assert!(why.contains("red +1: ford +2, 1 tile lost -1"), "{why}");
    assert!(why.contains("the last entry: chance red die "), "{why}");
    assert!(why.contains("ended in `outcome` at "), "{why}");
    assert!(why.contains("clause D3; the comment there: What fell is the result."), "{why}");
    // Red is said to have 2 more than the parts have.
    table.write("rules.rhai", &told.replace("utility: #{ red: 1 }", "utility: #{ red: 3 }"));
    let error = says(&mut session, ":reload");
    assert!(error.contains("`parts.red` sums to 1, but `utility.red` is 3"), "{error}");
}

#[test]
fn why_names_the_line_and_the_clause_that_announced_an_event() {
    let table = Table::new();
    let step = "/// D2. A turn.\nfn step() {\n    this.emit(\"red takes a turn\");";
    table.write("rules.rhai", &RULES.replace("/// A turn.\nfn step() {", step));
    let mut session = table.session(80);
    says(&mut session, ":open draw/plain --seat red=human");
    let why = says(&mut session, ":why Takes a turn");
    assert!(why.starts_with("red takes a turn: announced in `step` at "), "{why}");
    assert!(why.contains("this.emit(\"red takes a turn\");"), "{why}");
    assert!(why.contains("clause D2; the comment there: A turn."), "{why}");
    let error = says(&mut session, ":why red tkaes a turn");
    assert!(error.contains("unknown event `red tkaes a turn`; did you mean"), "{error}");
    let error = says(&mut session, ":why zeppelin");
    assert!(error.contains("announced last:\n") && error.contains("red takes a turn"), "{error}");
}

#[test]
fn the_line_of_play_is_written_as_a_case_that_passes() {
    let table = Table::new();
    let step = "fn step() {\n    this.emit(\"a \\\"turn\\\"\");";
    table.write("rules.rhai", &RULES.replace("fn step() {", step));
    let mut session = table.session(80);
    says(&mut session, ":open draw/dealt --seat red=human");
    says(&mut session, "tile 2");
    says(&mut session, "no");
    let said = says(&mut session, ":case first_draw");
    let file = table.path().join("draw/cases/first_draw.toml");
    assert!(said.starts_with("written to `") && said.lines().count() == 1, "{said}");
    let text = std::fs::read_to_string(&file).unwrap();
    for line in [
        "title = \"first draw\"\n",
        "[case.setup]\ndeal = 1\n",
        "[case.answers]\nred = { tile = [\"tile 2\"], bold = [false] }\n",
        "[case.rolls]\nred = { deal = [",
        "events = [\n  \"a \\\"turn\\\"\",\n]\n",
        "utility = { red = 1 }\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    // What is there stays.
    assert!(says(&mut session, ":case first_draw").starts_with("error: cannot write "));
    says(&mut session, ":undo");
    let said = says(&mut session, ":case asked");
    assert!(said.lines().count() == 1, "{said}");
    let text = std::fs::read_to_string(table.path().join("draw/cases/asked.toml")).unwrap();
    let question = "question = { who = \"red\", name = \"bold\", options = [true, false] }\n";
    assert!(text.ends_with(question), "{text}");
}
