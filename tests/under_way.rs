//! Tests conflicts under way: secret answers, seats, lines of play, and rules that change or fail.

use std::fs;

use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Play, Position, Saved};
use fracas::error::Error;
use fracas::script::Limits;

use crate::support::catalog;

fn begin(catalog: &Catalog, scenario: &str, seats: &[&str]) -> Result<Play, Error> {
    let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
    let changes = Changes::read(&[], &[], &seats)?;
    let conflict = Conflict::open(catalog, scenario, &changes, &Limits::default())?;
    Play::begin(conflict, 0, &Limits::default())
}

/// A system that a test writes, in a folder that is removed when the test ends.
struct Toy(tempfile::TempDir);

impl Toy {
    fn new(rules: &str, seats: &str) -> Toy {
        let toy = Toy(tempfile::tempdir().unwrap());
        fs::create_dir_all(toy.0.path().join("toy/scenarios")).unwrap();
        let scenario = format!("system = \"toy\"\n[setup]\n[seats]\n{seats}");
        fs::write(toy.0.path().join("toy/scenarios/one.toml"), scenario).unwrap();
        toy.write(rules);
        toy
    }

    fn write(&self, rules: &str) {
        fs::write(self.0.path().join("toy/rules.rhai"), rules).unwrap();
    }

    fn catalog(&self) -> Catalog {
        Catalog::new(&[self.0.path().to_owned()]).unwrap()
    }

    fn begin(&self, seats: &[&str]) -> Result<Play, Error> {
        begin(&self.catalog(), "toy/one", seats)
    }
}

fn asked(play: &Play) -> &str {
    play.asked().map_or("nobody", |asked| &asked.who)
}

const HANDS: &str = "rock_paper_scissors/once";

fn hands() -> Play {
    begin(&catalog(), HANDS, &["ann=human", "bob=human"]).unwrap()
}

#[test]
fn taking_back_more_than_there_is_takes_back_a_first_secret_answer() {
    let mut play = hands();
    play.answer(0).unwrap();
    assert_eq!(asked(&play), "bob");
    assert_eq!(play.undo(2).unwrap(), 1);
    assert_eq!(asked(&play), "ann");
    assert!(play.undo(1).is_err());
    play.answer(1).unwrap();
    play.answer(2).unwrap();
    assert_eq!(play.history().to_string(), "ann hand \"paper\" & bob hand \"scissors\"\n");
}

#[test]
fn an_agent_that_takes_a_seat_leaves_the_others_able_to_answer() {
    let mut play = hands();
    play.answer(0).unwrap();
    play.seat("ann", "first").unwrap();
    assert_eq!(asked(&play), "bob");
    play.answer(2).unwrap();
    assert!(matches!(play.position(), Position::Over { .. }));

    // Who takes the seat back answers anew, and nobody else has to.
    let mut play = hands();
    play.answer(0).unwrap();
    play.seat("ann", "random").unwrap();
    play.seat("ann", "human").unwrap();
    play.answer(2).unwrap();
    assert_eq!(asked(&play), "ann");
    play.answer(1).unwrap();
    assert_eq!(play.history().to_string(), "ann hand \"paper\" & bob hand \"scissors\"\n");
}

const THREE_WAYS: &str = r#"
    fn setup(scenario) { #{ picks: [] } }
    fn step() { this.picks += this.choose("ann", "way", ["left", "middle", "right"]); }
    fn outcome() { if this.picks.len == 3 { #{ result: "end", utility: #{ ann: 0 } } } }
"#;

#[test]
fn rules_that_are_read_again_cut_every_line_where_they_leave_it() {
    let toy = Toy::new(THREE_WAYS, "ann = \"human\"");
    let mut play = toy.begin(&[]).unwrap();
    play.answer(0).unwrap();
    play.fork("other").unwrap();
    play.answer(2).unwrap();
    play.answer(0).unwrap();
    play.fork("main").unwrap();
    play.answer(1).unwrap();
    play.answer(2).unwrap();
    play.undo(1).unwrap();

    toy.write(&THREE_WAYS.replace(", \"right\"", ""));
    let reloaded = play.reload(&toy.catalog()).unwrap();
    assert!(reloaded.divergence.is_none());
    let lost = reloaded.cut.iter().map(|(name, lost)| (name.as_str(), lost.len()));
    assert_eq!(lost.collect::<Vec<_>>(), [("main", 1), ("other", 2)]);
    assert_eq!(lines(&play), [("main", 2, true), ("other", 1, false)]);
    assert!(play.redo(1).is_err());
    play.fork("other").unwrap();
    assert_eq!(play.saved().history.to_string(), "ann way \"left\"\n");
}

/// The lines of play: the name, how many entries are played, and whether it is the current one.
fn lines(play: &Play) -> Vec<(&str, usize, bool)> {
    play.lines().into_iter().map(|(name, line, current)| (name, line.at(), current)).collect()
}

#[test]
fn a_line_that_cannot_be_played_leaves_the_one_that_is() {
    let toy = Toy::new(THREE_WAYS, "ann = \"human\"");
    let mut play = toy.begin(&[]).unwrap();
    play.fork("other").unwrap();
    play.answer(2).unwrap();
    play.fork("main").unwrap();
    play.answer(0).unwrap();

    let fails = "fn step() { if this.picks == [\"right\"] { throw \"a wall\" }";
    toy.write(&THREE_WAYS.replace("fn step() {", fails));
    assert_eq!(play.reload(&toy.catalog()).unwrap().cut, []);
    assert!(play.fork("other").unwrap_err().to_string().contains("a wall"));
    assert_eq!(play.line_name(), "main");
    assert_eq!(lines(&play), [("main", 1, true), ("other", 1, false)]);
    let saved = Saved::parse("saved", &play.saved().to_text().unwrap()).unwrap();
    assert_eq!(saved.history.to_string(), "ann way \"left\"\n");
    let loaded = Play::load(&toy.catalog(), &saved, &Limits::default(), false).unwrap();
    assert_eq!(loaded.play.state().value(), play.state().value());
}

const TEAM: &str = r#"
    fn setup(scenario) { #{ picks: [] } }
    fn sides() { #{ team: ["ann", "bob"] } }
    fn step() {
        for player in ["ann", "bob"] {
            this.picks += this.choose(player, "way", ["left", "right"]);
        }
    }
    fn outcome() { if this.picks.len == 2 { #{ result: "end", utility: #{ ann: 0, bob: 0 } } } }
"#;

#[test]
fn the_seat_that_was_given_last_holds() {
    let toy = Toy::new(TEAM, "ann = \"random\"\nteam = \"first\"");
    assert_eq!(asked(&toy.begin(&[]).unwrap()), "nobody");
    assert_eq!(asked(&toy.begin(&["ann=human"]).unwrap()), "ann");
    assert_eq!(asked(&toy.begin(&["ann=human", "team=random"]).unwrap()), "nobody");
    let mut play = toy.begin(&["team=human"]).unwrap();
    assert_eq!(play.seat_of("bob"), Some(("team", "human")));
    play.seat("ann", "first").unwrap();
    assert_eq!(play.seat_of("ann"), Some(("ann", "first")));
    assert!(matches!(toy.begin(&["tean=human"]), Err(Error::Unknown { .. })));
}

#[test]
fn rules_that_fail_at_random_can_be_opened_to_find_out_why() {
    let fails = "fn step() { this.choose(\"ann\", \"way\", [1, 2]); throw \"a wall\" }
        fn setup(scenario) { #{} }
        fn outcome() {}";
    let toy = Toy::new(fails, "ann = \"human\"\nbob = \"human\"");
    let mut play = toy.begin(&[]).unwrap();
    assert_eq!(asked(&play), "ann");
    assert_eq!(play.players.names.iter().collect::<Vec<_>>(), ["ann"]);
    assert!(!play.players.certain);
    assert!(play.answer(0).unwrap_err().to_string().contains("a wall"));
    assert_eq!(asked(&play), "ann");
}

#[test]
fn a_player_who_is_asked_on_one_branch_only_is_known() {
    // Whatever falls under the first seed, one of the two is asked on the other branch.
    let rules = r#"
        fn setup(scenario) { #{ over: false } }
        fn step() {
            let who = this.roll("fate", "who", uniform(["ann", "bob"]));
            this.choose(who, "way", ["left", "right"]);
            this.over = true;
        }
        fn outcome() { if this.over { #{ result: "end", utility: #{} } } }
    "#;
    let toy = Toy::new(rules, "ann = \"human\"\nbob = \"human\"");
    let play = toy.begin(&[]).unwrap();
    assert_eq!(play.players.names.len(), 2);
    assert!(play.players.certain);
}

#[test]
fn a_seat_of_nobody_is_refused_where_a_playout_takes_half_of_what_it_may() {
    let rules = "fn setup(s) { #{ over: false } }\n\
        fn step() { this.choose(\"red\", \"way\", [1, 2]); for i in 0..10_000 { } this.over = true; }\n\
        fn outcome() { if this.over { #{ result: \"over\", utility: #{ red: 1 } } } }\n";
    let toy = Toy::new(rules, "");
    // The loop alone takes 10,000 operations or more; with 40,000 there may be no second such playout.
    let limits = Limits { playout: 40_000, ..Limits::default() };
    let changes = Changes::read(&[], &[], &["rde=first".to_owned()]).unwrap();
    let conflict = Conflict::open(&toy.catalog(), "toy/one", &changes, &limits).unwrap();
    let error = Play::begin(conflict, 0, &limits).err().unwrap();
    assert!(error.to_string().contains("did you mean `red`?"), "{error}");
}
