//! What comes of each option: worked out by hand, the same from playouts, and in all what the odds are.

use std::sync::Mutex;
use std::time::Duration;

use fracas::agents::AgentSpec;
use fracas::analysis::{Effort, Odds, OpenDecision, Prospect, Prospects, Seeking, Stage};
use fracas::conflict::{Changes, Conflict, Play, RunUntil, Seating};
use fracas::error::Error;
use fracas::game::History;
use fracas::number::{Fraction, Quantity};
use fracas::script::Limits;

use super::with_agent;
use crate::support::catalog;

/// A scenario with agents in seats, standing after a history.
fn play(scenario: &str, seats: &[(&str, &str)], history: &str) -> Play {
    let seats = seats.iter().map(|(seat, agent)| (seat.to_string(), agent.to_string())).collect();
    let changes = Changes { seats, ..Changes::default() };
    let limits = Limits::default();
    let conflict = Conflict::open(&catalog(), scenario, &changes, &limits).unwrap();
    Play::resume(conflict, 3, &limits, History::parse(history).unwrap(), RunUntil::PersonAsked)
        .unwrap()
}

fn prospects(play: &Play, revealed: bool, nodes: u64, n: u64) -> Prospects {
    let effort = Effort { float: false, threads: 2, nodes, n, seed: 5, time: None, work: u64::MAX };
    found(play, revealed, effort, &|_| ()).unwrap()
}

fn found(
    play: &Play,
    revealed: bool,
    effort: Effort,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Prospects, Error> {
    let asked = play.decision().unwrap();
    let history = play.history();
    let place = OpenDecision { history: &history, who: &asked.who, name: &asked.name, revealed };
    Prospects::find(&seating(play), place, effort, progress)
}

/// The agents in their seats; people play at random.
fn seating(play: &Play) -> Seating {
    play.seating().unwrap().with([(play.people().concat(), AgentSpec::Random)])
}

/// The options with a player's utility after each, as fractions.
fn exact(found: &Prospects, player: &str) -> Vec<(String, String)> {
    assert!(found.exact && found.cut.is_none());
    let told = |number: &Quantity| number.fraction.as_ref().unwrap().to_string();
    let row = |one: &Prospect| (one.option.to_string(), told(&one.chances.utility[player]));
    found.options.iter().map(row).collect()
}

fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(one, other)| (one.to_string(), other.to_string())).collect()
}

const ANN: [(&str, &str); 2] = [("ann", "human"), ("bob", "random")];

#[test]
fn a_hidden_card_is_as_likely_the_one_as_the_other() {
    // Ann has 2. To pass: Bob passes, and the cards show +1 or -1; or he bets, and she passes (-1) or
    // calls (+2 or -2): 1/2 · 1/2 · -1. To bet: Bob passes (+1), or calls (+2 or -2).
    for bob in [1, 3] {
        let play =
            play("kuhn_poker/one_hand", &ANN, &format!("chance ann card 2\nchance bob card {bob}"));
        let found = prospects(&play, false, 1000, 10);
        assert!(found.hidden);
        assert_eq!(
            exact(&found, "ann"),
            rows(&[("pass", "-1/4"), ("bet", "1/2")]),
            "Bob has {bob}"
        );
    }
    // Revealed, Bob's 3 beats her: to pass, -1 or (-1 or -2); to bet, +1 or -2.
    let play = play("kuhn_poker/one_hand", &ANN, "chance ann card 2\nchance bob card 3");
    let found = prospects(&play, true, 1000, 10);
    assert!(!found.hidden);
    assert_eq!(exact(&found, "ann"), rows(&[("pass", "-5/4"), ("bet", "-1/2")]));
}

#[test]
fn what_others_have_done_tells_what_they_hold() {
    // Bob has 2 and is asked after a bet. A bettor who would rather have passed with 1 is likelier to
    // hold the 3: here Ann bets with 3 always, and with 1 once in three times. So he meets the 3 with
    // 3/4: to call is 3/4 · -2 + 1/4 · 2 = -1, to pass is -1 whatever she has.
    let folder = tempfile::tempdir().unwrap();
    let agent = folder.path().join("bluffer.rhai");
    let script = "fn decide(view, decision) {\n    \
                  if view.card == 3 { \"bet\" } else { weighted([[\"pass\", 2], [\"bet\", 1]]) }\n}\n";
    std::fs::write(&agent, script).unwrap();
    let agent = agent.display().to_string();
    let seats = [("ann", agent.as_str()), ("bob", "human")];
    let play = play(
        "kuhn_poker/one_hand",
        &seats,
        "chance ann card 1\nchance bob card 2\nann act \"bet\"",
    );
    let found = prospects(&play, false, 1000, 10);
    assert_eq!(exact(&found, "bob"), rows(&[("pass", "-1"), ("bet", "-1")]));
}

#[test]
fn what_is_answered_at_the_same_time_is_weighed_as_it_is_played() {
    let against = |ann: &str| {
        let seats = [("ann", ann), ("bob", "human")];
        exact(&prospects(&play("rock_paper_scissors/once", &seats, ""), false, 1000, 10), "bob")
    };
    assert_eq!(against("first"), rows(&[("rock", "0"), ("paper", "1"), ("scissors", "-1")]));
    assert_eq!(against("random"), rows(&[("rock", "0"), ("paper", "0"), ("scissors", "0")]));
}

#[test]
fn what_is_drawn_of_the_past_says_nothing_of_what_is_drawn_of_the_present() {
    // Blue picks 1 or 2 where red does not see it, and again at the same time as red: the same in half of all cases.
    let rules = r#"//! # Twice
fn setup(s) { #{ secret: 0, picks: #{} } }
fn step() {
    this.secret = this.choose("blue", "secret", [1, 2]);
    this.picks = this.choose_secretly("pick", #{ blue: [1, 2], red: [1, 2] });
}
fn outcome() {
    if "blue" in this.picks {
        #{ result: if this.secret == this.picks.blue { "same" } else { "other" }, utility: #{ red: 0, blue: 0 } }
    }
}
fn view(player) { if player == "blue" { this } else { #{} } }
"#;
    let own = with_agent(rules, "", "", &[("red", "human")]);
    let play = Play::begin(own.conflict, 3, &Limits::default()).unwrap();
    let found = prospects(&play, false, 0, 400);
    assert_eq!((found.n, found.hidden), (400, true));
    for option in &found.options {
        // Of 400 the share is off by more than 0.1 with a probability of 0.0001.
        let same = option.chances.results["same"].value;
        assert!((0.4..=0.6).contains(&same), "{same}");
    }
}

#[test]
fn playouts_say_the_same() {
    let cases = [
        play("kuhn_poker/one_hand", &ANN, "chance ann card 2\nchance bob card 3"),
        play("rock_paper_scissors/once", &[("ann", "first"), ("bob", "human")], ""),
    ];
    for play in cases {
        let sure = prospects(&play, false, 1000, 10);
        let sampled = prospects(&play, false, 0, 2000);
        assert_eq!((sampled.nodes, sampled.n, sampled.cut), (None, 2000, None));
        for (sure, sampled) in sure.options.iter().zip(&sampled.options) {
            let option = &sure.option;
            for (player, number) in &sampled.chances.utility {
                // Twice the width of the interval: of so many numbers one may miss it.
                let (low, high) = number.range();
                let truth = sure.chances.utility[player].value;
                let slack = (high - low).max(0.05);
                assert!(
                    (low - slack..=high + slack).contains(&truth),
                    "{option}, {player}: {truth} is not near {low} to {high}"
                );
            }
        }
    }
}

#[test]
fn intervals_of_floats_enclose_the_fractions() {
    let cases = [
        // What is hidden is weighed, and what is answered at the same time.
        play("kuhn_poker/one_hand", &ANN, "chance ann card 2\nchance bob card 3"),
        play("rock_paper_scissors/once", &[("ann", "random"), ("bob", "human")], ""),
        play("tic_tac_toe/x_to_win", &[("x", "human"), ("o", "random")], ""),
    ];
    for play in cases {
        let fractions = prospects(&play, false, 1_000_000, 10);
        assert!(fractions.exact);
        let effort = Effort {
            float: true,
            threads: 2,
            nodes: 1_000_000,
            n: 10,
            seed: 5,
            time: None,
            work: u64::MAX,
        };
        let floats = found(&play, false, effort, &|_| ()).unwrap();
        assert_eq!((floats.exact, floats.nodes, floats.n), (false, fractions.nodes, 0));
        assert_eq!(floats.hidden, fractions.hidden);
        for (float, fraction) in floats.options.iter().zip(&fractions.options) {
            let numbers = |one: &Prospect| -> Vec<Quantity> {
                one.chances.results.values().chain(one.chances.utility.values()).cloned().collect()
            };
            assert_eq!(numbers(float).len(), numbers(fraction).len());
            for (float, fraction) in numbers(float).iter().zip(numbers(fraction)) {
                let (low, high) = float.range();
                assert!(float.fraction.is_none() && high - low < 1e-9, "{low} to {high}");
                assert!((low..=high).contains(&fraction.value), "{low} to {high}: {fraction:?}");
            }
        }
    }
}

#[test]
fn where_all_options_are_as_likely_their_mean_is_the_odds() {
    let play = play("tic_tac_toe/x_to_win", &[("x", "human"), ("o", "random")], "");
    let found = prospects(&play, false, 1_000_000, 10);
    let seating = seating(&play);
    let odds = Odds::find(&seating, Seeking { float: false, threads: 2, nodes: u64::MAX }, &|_| ());
    let whole = odds.unwrap().found.unwrap();
    let count = Fraction::from_integer(found.options.len().into());
    for (player, number) in &whole.utility {
        let of = |one: &Prospect| one.chances.utility[player].fraction.as_deref().cloned().unwrap();
        let sum: Fraction = found.options.iter().map(of).sum();
        assert_eq!(sum / &count, *number.fraction.as_deref().unwrap(), "{player}");
    }
}

#[test]
fn whoever_waits_hears_of_playouts_and_of_nodes() {
    // 5,478 boards can be met, which is more than 2,000.
    let play = play("tic_tac_toe/empty_board", &[("x", "human"), ("o", "random")], "");
    let heard = Mutex::new(Vec::new());
    let told = |stage| heard.lock().unwrap().push(stage);
    let effort = Effort {
        float: false,
        threads: 2,
        nodes: 2_000,
        n: 20,
        seed: 5,
        time: None,
        work: u64::MAX,
    };
    let sampled = found(&play, true, effort, &told).unwrap();
    assert_eq!((sampled.nodes, sampled.n, sampled.cut), (None, 20, None));
    let heard = heard.into_inner().unwrap();
    // Before each playout of all options the number of those that are made, of those that are wanted.
    let playouts = heard.iter().filter_map(|stage| match stage {
        Stage::Playouts(done, Some(20)) => Some(*done),
        _ => None,
    });
    assert_eq!(playouts.collect::<Vec<u64>>(), (0..20).collect::<Vec<u64>>());
    assert!(heard.iter().any(|stage| matches!(stage, Stage::Nodes(nodes, _) if *nodes > 0)));
}

#[test]
fn work_bounds_playouts_and_nodes_however_much_is_known_already() {
    let play = play("battle_tiles/two_tiles_each", &[("red", "human"), ("blue", "positional")], "");
    let within = |work| {
        let (float, threads, nodes, n, seed, time) = (false, 2, 2_000, 20, 5, None);
        let effort = Effort { float, threads, nodes, n, seed, time, work };
        found(&play, true, effort, &|_| ()).unwrap()
    };
    let few = within(400_000);
    assert!(few.nodes.is_none() && (1..20).contains(&few.n), "{few:?}");
    assert_eq!(within(1).n, 1);
    // All of it can be explored with more; what was explored then makes nothing cheaper.
    let whole = within(u64::MAX);
    assert!(whole.nodes.is_some(), "{whole:?}");
    assert_eq!((within(400_000).n, within(400_000).nodes), (few.n, None));
}

#[test]
fn a_time_that_is_over_ends_it_and_one_that_is_not_changes_nothing() {
    let play = play("kuhn_poker/one_hand", &ANN, "chance ann card 2\nchance bob card 1");
    let effort = |time| Effort {
        float: false,
        threads: 2,
        nodes: 1000,
        n: 10,
        seed: 5,
        time,
        work: u64::MAX,
    };
    let over = found(&play, true, effort(Some(Duration::ZERO)), &|_| ()).unwrap_err();
    assert_eq!(over.kind(), "bound", "{over}");
    // A day is longer than any machine takes.
    let day = found(&play, true, effort(Some(Duration::from_secs(86_400))), &|_| ()).unwrap();
    assert_eq!(exact(&day, "ann"), exact(&prospects(&play, true, 1000, 10), "ann"));
}
