//! Tests tools that begin where the conflict stands, and the pictures of a solution.

use std::path::PathBuf;

use fracas::catalog::Catalog;
use fracas::repl::{Session, SessionOptions};

use super::says;

/// A session in which these lines were entered.
fn after(lines: &[&str]) -> Session {
    let catalog = Catalog::new(&[PathBuf::from("tests/fixtures/rules")]).unwrap();
    let options = SessionOptions { plain: true, width: 80, ..SessionOptions::default() };
    let mut session = Session::new(catalog, options);
    for line in lines {
        let said = says(&mut session, line);
        assert!(!said.contains("error: "), "{line}: {said}");
    }
    session
}

/// What a session says to a line, without its line breaks.
fn in_a_line(session: &mut Session, line: &str) -> String {
    says(session, line).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_says(session: &mut Session, line: &str, part: &str) {
    let said = in_a_line(session, line);
    assert!(said.contains(part), "{line}: {said}");
}

#[test]
fn what_is_solved_from_here_is_what_may_follow() {
    // From the beginning `x` wins at once by 3. Once `x` has marked 9 instead, `o` wins by 6.
    let mut session = after(&[":open tic_tac_toe/x_to_win --seed 1 --seat x=human --seat o=human"]);
    assert_says(&mut session, ":solve", "It is worth -1 to o, 1 to x.");
    says(&mut session, "9");
    assert_says(&mut session, ":solve --here", "It is worth 1 to o, -1 to x.");
    assert_says(&mut session, ":solve", "It is worth -1 to o, 1 to x.");
    // What is solved from here is not the solution that `:odds` knows.
    assert_says(&mut session, ":odds", "weight and value: `:solve`, backward induction");
    assert_says(&mut session, ":solve --here --save x.json", "cannot be used with");
    says(&mut session, ":seat x random");
    let said = in_a_line(&mut session, ":exploit --here");
    assert!(said.contains("o against x (random), best response"), "{said}");
    assert!(said.contains("side utility o 1 x -1"), "{said}");
    says(&mut session, "6");
    assert_says(&mut session, ":solve --here", "the conflict is over, and nothing begins here");
}

/// A battle of three against two under a seed with which the first throw wins so many pairs, after that throw.
fn after_pairs(won: i64) -> Session {
    let entry = format!("\"pairs won\" {won}");
    let session = |seed: i32| {
        let open = format!(":open dice_battle/three_against_two --seed {seed}");
        let mut session = after(&[open.as_str(), ":play", ":goto 1"]);
        in_a_line(&mut session, ":history")
            .contains(&format!("1 chance battle {entry}"))
            .then_some(session)
    };
    (0..64).find_map(session).unwrap()
}

#[test]
fn odds_before_a_throw_and_under_other_rules_are_those_from_here() {
    // Two dice win against one in 125 of 216 throws, one against one in 15 of 36: two against one win in
    // 125/216 + 91/216 * 5/12 = 1955/2592.
    let mut session = after_pairs(1);
    assert_says(&mut session, ":odds", "1955/2592");
    // With one die for the attackers there is one pair, so one that is won costs them nobody: three against
    // one win but where they lose three times, 1 - (7/12)^3 = 1385/1728.
    let said = in_a_line(&mut session, ":compare --here --param attack_dice=1");
    for part in ["from the current place", "1955/2592", "1385/1728"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_says(
        &mut session,
        ":compare --here --param attack_dice=1 --measure length",
        "cannot be used with",
    );
    // With one die no two pairs are won, so the history leads nowhere.
    let mut session = after_pairs(2);
    assert_says(&mut session, ":compare --here --param attack_dice=1", "the conflict is over");
    let mut session = after(&[":open dice_battle/twenty_each --seed 1", ":play", ":goto 9"]);
    assert_says(
        &mut session,
        ":compare --here --param attack_dice=1",
        "the history diverges at entry",
    );
}

#[test]
fn nothing_begins_here_where_rules_hide_something() {
    let mut session =
        after(&[":open kuhn_poker/one_hand --seat ann=human --seat bob=first --seed 4"]);
    for line in [":solve --here", ":exploit --here"] {
        assert_says(&mut session, line, "error: these rules hide something from players");
    }
}

#[test]
fn a_hint_of_a_large_conflict_says_that_the_rest_takes_long() {
    let mut session = after(&[":open battle_tiles/four_by_four --seat red=human --seed 1"]);
    assert_says(
        &mut session,
        ":hint search:1",
        "`:odds search:1 --time 20` shows what is known after 20 seconds",
    );
}

#[test]
fn a_solution_has_the_rules_pictures_of_what_a_player_sees() {
    // With best play it costs blue 10 and brings red 3. Red's cards are hidden from blue, who sees their number.
    let mut session = after(&[":open attrition/a_wait --seed 1"]);
    let said = says(&mut session, ":solve");
    let sentences = in_a_line(&mut session, ":solve");
    assert!(sentences.contains("It is worth -10 to blue, 3 to red."), "{sentences}");
    assert!(sentences.contains("What never to do: no at `draw_card` ("), "{sentences}");
    let (_, waits) = said.split_once("blue · wait, reached 50.00 %").unwrap();
    let (picture, _) = waits.split_once(" option").unwrap();
    assert!(picture.contains("red: stock 2, treasury 0, cards 3\n"), "{picture}");
    assert!(picture.contains("cards 2 (salt, ochre)") && !picture.contains("ivory"), "{picture}");
}
