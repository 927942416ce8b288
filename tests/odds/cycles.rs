//! Tests exact odds where states lead back to each other: solved, or refused with the reason.

use fracas::analysis::{Odds, Seeking};
use fracas::number::{Basis, Fraction};

use super::{SEEKING, exact, inline, odds, ratio, refused, result, seating, utility};

/// Both throw until one is higher.
const AGAIN: &str = r#"
//! # Again
//! Both throw a die; equal dice are thrown again.
fn setup(s) { #{ first: 0, second: 0 } }
fn step() {
    this.first = this.roll("red", "die", dice("1d6"));
    this.second = this.roll("blue", "die", dice("1d8"));
    if this.first == this.second { this.first = 0; this.second = 0; }
}
fn outcome() {
    if this.first == this.second { return; }
    if this.first > this.second { #{ result: "red", utility: #{ red: 1, blue: -1 } } }
    else { #{ result: "blue", utility: #{ red: -1, blue: 1 } } }
}
"#;

#[test]
fn dice_thrown_again_on_ties_are_as_if_there_were_no_ties() {
    // Of 48 pairs of a die of 6 and one of 8, 6 are ties; the first is higher in
    // 0 + 1 + 2 + 3 + 4 + 5 = 15: 15 of 42.
    let chances = exact(&inline(AGAIN, ""));
    assert_eq!(result(&chances, "red"), ratio(15, 42));
    assert_eq!(utility(&chances, "blue"), ratio(27 - 15, 42));
}

/// A rope is pulled from side to side: by chance, or by players who choose.
const TUG: &str = r#"
//! # Tug
//! Red pulls it to the top, blue to 0.
fn setup(s) {
    #{ at: s.number("from"), top: s.number("top"), red: s.number("red", 1), blue: s.number("blue", 1), chosen: s.flag("chosen", false) }
}
fn step() {
    if this.chosen {
        let way = this.choose(if this.at % 2 == 0 { "red" } else { "blue" }, "way", [1, -1]);
        this.at += way;
    } else {
        this.at += this.roll("rope", "pull", weighted([[1, this.red], [-1, this.blue]]));
    }
}
fn outcome() {
    if this.at == this.top { #{ result: "red", utility: #{ red: this.top, blue: 0 } } }
    else if this.at == 0 { #{ result: "blue", utility: #{ red: 0, blue: this.top } } }
}
"#;

/// The gambler's ruin: a walk that begins at `from` and goes up with probability p reaches the top
/// before 0 with probability (1 - r^from) / (1 - r^top), r = (1 - p) / p, or from / top if p is
/// 1/2.
fn ruin(from: i32, top: i32, red: i32, blue: i32) -> Fraction {
    if red == blue {
        return ratio(from, top);
    }
    let r = ratio(blue, red);
    (ratio(1, 1) - r.pow(from)) / (ratio(1, 1) - r.pow(top))
}

#[test]
fn a_tug_of_war_is_the_gamblers_ruin() {
    assert_eq!(ruin(3, 6, 1, 2), ratio(1, 9));
    for (from, top, red, blue) in [(3, 6, 1, 2), (3, 6, 1, 1), (5, 7, 3, 2), (40, 100, 1, 1)] {
        let setup = format!("from = {from}\ntop = {top}\nred = {red}\nblue = {blue}\n");
        let chances = exact(&inline(TUG, &setup));
        let expected = ruin(from, top, red, blue);
        assert_eq!(result(&chances, "red"), expected, "{setup}");
        assert_eq!(utility(&chances, "red"), expected * ratio(top, 1), "{setup}");
    }
}

#[test]
fn cycles_of_choices_are_solved_as_those_of_chance() {
    let chances = exact(&inline(TUG, "from = 2\ntop = 7\nchosen = true\n"));
    assert_eq!(result(&chances, "red"), ratio(2, 7));
}

#[test]
fn a_cycle_too_large_for_fractions_is_refused_by_name_and_solved_within_bounds() {
    // Between 0 and 200 there are 199 places that all lead to each other; the one from which it
    // began is met again.
    let conflict = inline(TUG, "from = 70\ntop = 200\nred = 51\nblue = 50\n");
    let why = refused(&conflict, SEEKING);
    for part in
        ["199 states form a cycle", "more than the 120 that", "`pull` asked of `rope`", "`--float`"]
    {
        assert!(why.contains(part), "no `{part}` in: {why}");
    }
    let float = Seeking { float: true, ..SEEKING };
    let Odds { found, .. } = odds(&seating(&conflict), float);
    let chances = found.unwrap_or_else(|why| panic!("{}", why.reason));
    assert!(!chances.is_exact());
    let expected = ruin(70, 200, 51, 50);
    for (number, exact) in [
        (&chances.results["red"], expected.clone()),
        (&chances.results["blue"], ratio(1, 1) - &expected),
        (&chances.utility["red"], expected * ratio(200, 1)),
    ] {
        assert_eq!(number.basis, Basis::Proven);
        let interval = number.bounds();
        let end = |end: f64| Fraction::from_float(end).unwrap();
        assert!(end(interval.low) <= exact && exact <= end(interval.high), "{interval:?}");
        assert!(interval.high - interval.low < 1e-9 * interval.high, "{interval:?} says little");
    }
}

#[test]
fn a_cycle_too_large_for_floats_is_refused_too() {
    let conflict = inline(TUG, "from = 7\ntop = 2002\n");
    let why = refused(&conflict, Seeking { float: true, ..SEEKING });
    assert!(why.contains("2001 states") && why.contains("more than the 2000 that"), "{why}");
    assert!(!why.contains("--float"), "{why}");
}

/// Three states lead back to each other for ever; state 0, which is before them, may lead out.
const ROUND: &str = r#"
//! # Round
//! Nobody gets out.
fn setup(s) { #{ at: s.number("from") } }
fn step() {
    let way = if this.at == 0 { this.roll("gate", "fork", uniform([1, 9])) } else { this.choose("red", "turn", [1, 2]) };
    this.at = if way == 9 { 9 } else { 1 + (this.at + way) % 3 };
}
fn outcome() { if this.at == 9 { #{ result: "out", utility: #{ red: 1 } } } }
"#;

#[test]
fn a_cycle_without_exit_is_refused_by_name_even_where_something_else_may_happen() {
    for from in [0, 1] {
        for float in [false, true] {
            let why =
                refused(&inline(ROUND, &format!("from = {from}\n")), Seeking { float, ..SEEKING });
            for part in
                ["3 of its states lead only to each other", "never ends", "`turn` asked of `red`"]
            {
                assert!(why.contains(part), "no `{part}` in: {why}");
            }
        }
    }
}
