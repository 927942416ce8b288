//! Property test: answers, undo, redo, jumps, new seats and forks, in any order, leave a conflict
//! under way in the state that its history leads to.

use proptest::prelude::*;

use fracas::conflict::{Changes, Conflict, Play, Position, RunUntil};
use fracas::error::Error;
use fracas::script::Limits;

use crate::support::catalog;

/// An action on a conflict under way.
#[derive(Clone, Debug)]
enum Move {
    Answer(usize),
    Undo(usize),
    Redo(usize),
    Goto(usize),
    Seat(usize, &'static str),
    Fork(&'static str),
    RunUntil(bool),
    Anew(u64),
}

fn any_move() -> impl Strategy<Value = Move> {
    let agents = prop::sample::select(vec!["human", "human", "random", "first", "nobody"]);
    let names = prop::sample::select(vec!["main", "other", "third", "no name"]);
    prop_oneof![
        6 => (0usize..4).prop_map(Move::Answer),
        3 => (0usize..4).prop_map(Move::Undo),
        2 => (0usize..4).prop_map(Move::Redo),
        1 => (0usize..8).prop_map(Move::Goto),
        3 => (0usize..2, agents).prop_map(|(player, agent)| Move::Seat(player, agent)),
        2 => names.prop_map(Move::Fork),
        2 => any::<bool>().prop_map(Move::RunUntil),
        1 => (0u64..3).prop_map(Move::Anew),
    ]
}

/// A scenario with its two players.
struct Table(&'static str, [&'static str; 2]);

const TABLES: [Table; 3] = [
    Table("rock_paper_scissors/once", ["ann", "bob"]),
    Table("kuhn_poker/one_hand", ["ann", "bob"]),
    Table("territory/three_tokens", ["white", "black"]),
];

impl Table {
    fn open(&self) -> Conflict {
        let seats = self.1.map(|player| (player.to_owned(), "human".to_owned())).to_vec();
        let changes = Changes { seats, ..Changes::default() };
        Conflict::open(&catalog(), self.0, &changes, &Limits::default()).unwrap()
    }

    fn make(&self, play: &mut Play, moved: &Move) -> Result<(), Error> {
        match *moved {
            Move::Answer(index) => play.answer(index),
            Move::Undo(count) => play.undo(count).map(drop),
            Move::Redo(count) => play.redo(count).map(drop),
            Move::Goto(count) => play.goto(count),
            Move::Seat(player, agent) => play.seat(self.1[player], agent),
            Move::Fork(name) => play.fork(name).map(drop),
            Move::RunUntil(on) => {
                play.go(if on { RunUntil::PersonAsked } else { RunUntil::NextQuestion })
            }
            Move::Anew(seed) => play.anew(seed),
        }
    }
}

/// Everything that can be seen of a conflict, as text.
fn seen(play: &Play) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {}",
        play.position(),
        play.events(),
        play.lines(),
        play.conflict.seats,
        play.asked(),
        play.seed,
    )
}

/// Checks that a conflict is in the state that its history alone leads to.
fn stands_where_it_should(table: &Table, play: &Play) -> Result<(), TestCaseError> {
    let history = play.history();
    let mut conflict = table.open();
    conflict.seats = play.conflict.seats.clone();
    let fresh =
        Play::resume(conflict, play.seed, &Limits::default(), history, RunUntil::NextQuestion)
            .unwrap();
    prop_assert_eq!(fresh.history(), play.history());
    prop_assert_eq!(fresh.events(), play.events());
    prop_assert_eq!(fresh.state().value(), play.state().value());
    match (fresh.position(), play.position()) {
        (Position::Over { outcome: was, .. }, Position::Over { outcome, .. }) => {
            prop_assert_eq!(was.value(), outcome.value());
        }
        // Some may have answered a joint decision already.
        (Position::Asked(all), Position::Asked(left)) => {
            prop_assert!(!left.asked.is_empty());
            prop_assert!(left.asked.iter().all(|asked| all.asked.contains(asked)));
        }
        (was, is) => prop_assert!(false, "{was:?} and {is:?}"),
    }
    Ok(())
}

/// Whether an answer was accepted: the next question is another one.
fn was_taken(before: &Option<(usize, String)>, play: &Play) -> bool {
    let asked = play.asked().map(|asked| (play.history().len(), asked.who.clone()));
    *before != asked
}

fn check(table: &Table, moves: &[Move]) -> Result<(), TestCaseError> {
    let mut play = Play::begin(table.open(), 0, &Limits::default()).unwrap();
    for moved in moves {
        let before = seen(&play);
        let asked = play.asked().map(|asked| (play.history().len(), asked.who.clone()));
        let options = play.asked().map_or(0, |asked| asked.options.len());
        let made = table.make(&mut play, moved);
        if let Move::Answer(index) = moved {
            prop_assert_eq!(made.is_ok(), *index < options, "{:?}", made);
            prop_assert!(made.is_err() || was_taken(&asked, &play), "nothing came of {moved:?}");
        }
        if made.is_err() {
            prop_assert_eq!(seen(&play), before, "after {:?}", made);
        }
        stands_where_it_should(table, &play)?;
    }
    // Whoever is asked can play to the end.
    for _ in 0..20 {
        if play.asked().is_some() {
            play.answer(0).unwrap();
        } else {
            play.go(RunUntil::PersonAsked).unwrap();
        }
    }
    prop_assert!(matches!(play.position(), Position::Over { .. }), "it is stuck");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_conflict_stands_where_its_history_leads(
        table in 0..TABLES.len(),
        moves in prop::collection::vec(any_move(), 1..16),
    ) {
        check(&TABLES[table], &moves)?;
    }
}
