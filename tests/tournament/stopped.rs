//! Tests that neither the moment a tournament is stopped nor the number of threads changes it.

use fracas::game::Generator;
use fracas::tournament::{Results, SprtVerdict, StopReason};

use super::*;

#[test]
fn any_number_of_threads_comes_to_the_same_verdict() {
    for text in [WITHIN, EVEN, SWISS, SPRT] {
        let spec = spec(text);
        let expected = undisturbed(&spec);
        for threads in [2, 16] {
            let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
            let panel = DicePanel { work: 200, exact: false };
            let run = play(&spec, &mut results, &panel, threads, None);
            assert_eq!(told(&run.state), expected, "{threads} threads: {text}");
        }
    }
}

#[test]
fn stopping_at_random_points_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut generator = Generator::playout(1, 1);
    for text in [WITHIN, EVEN, SWISS, SPRT] {
        let spec = spec(text);
        let expected = undisturbed(&spec);
        let mut stops = 0;
        for round in 0..6 {
            let path = folder.path().join(format!("{}-{round}.db", spec.digest()));
            // The first start ends after a few games, whatever the machine does meanwhile.
            for start in 0.. {
                let mut results = open(&path, &spec);
                let threads = 1 + generator.index(4);
                // Now after a few games, now after hundreds: each start reads all that was played before.
                let up_to = if start == 0 { 8 } else { 20 << generator.below(8) };
                let most = 1 + generator.below(up_to);
                let panel = DicePanel { work: generator.below(2_000), exact: false };
                let run = play(&spec, &mut results, &panel, threads, Some(most));
                let done = !run.interrupted;
                drop(run);
                results.close().unwrap();
                if done {
                    break;
                }
                stops += 1;
            }
            assert_eq!(standings(&path, &spec), expected, "{text}");
        }
        assert!(stops >= 6, "stopped only {stops} times: {text}");
    }
}

#[test]
fn an_interrupt_lets_games_under_way_end_and_begins_no_more() {
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Raises the interrupt in the middle of a game, and counts the games that were begun.
    struct Stopping<'a>(&'a AtomicBool, &'a AtomicU64);
    impl Referee for Stopping<'_> {
        fn play(&self, game: &Game) -> Result<GameResult, Error> {
            let begun = 1 + self.1.fetch_add(1, Ordering::Relaxed);
            if begun == 300 {
                self.0.store(true, Ordering::Relaxed);
            }
            Dice { seed: 11, work: 1_000, exact: false }.play(game)
        }
    }
    struct StoppingPanel<'a>(&'a AtomicBool, &'a AtomicU64);
    impl RefereeFactory for StoppingPanel<'_> {
        fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
            Ok(Box::new(Stopping(self.0, self.1)))
        }
    }
    for threads in [1, 4] {
        let spec = spec(EVEN);
        let (interrupt, begun) = (AtomicBool::new(false), AtomicU64::new(0));
        let panel = StoppingPanel(&interrupt, &begun);
        let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
        let running = Running { threads, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
        let stopped = run(&spec, &conditions(&spec), &panel, &mut results, running).unwrap();
        assert!(stopped.interrupted);
        let begun = begun.load(Ordering::Relaxed);
        assert_eq!((stopped.played, results.len().unwrap()), (begun, begun));
        // Each thread may have begun one more before it looked.
        assert!((300..300 + threads as u64).contains(&begun), "{begun}");
        let run = play(&spec, &mut results, &QUICK, 2, None);
        assert_eq!((run.known, told(&run.state)), (begun, undisturbed(&spec)));
    }
}

#[test]
fn the_rules_stop_a_tournament_and_say_so() {
    let within = spec(WITHIN);
    let mut results = Results::in_memory(&within, &conditions(&within)).unwrap();
    let run = play(&within, &mut results, &QUICK, 2, None);
    let Some(StopReason::Within { widest }) = run.state.stopped() else { panic!("not stopped") };
    assert!(widest < 60.0 && run.state.ratings().widest() == widest);
    assert!(run.state.tally().games() < 2400);
    let note = &run.state.notes()[0];
    assert!(note.contains("every rating is known within 5"), "{note}");

    let sprt = spec(SPRT);
    let mut results = Results::in_memory(&sprt, &conditions(&sprt)).unwrap();
    let run = play(&sprt, &mut results, &QUICK, 2, None);
    // The first agent throws 100 sides against 96.
    let Some(StopReason::Sprt { verdict, .. }) = run.state.stopped() else { panic!("not stopped") };
    let note = &run.state.notes()[0];
    assert!(note.contains("by the sequential test"), "{note}");
    let (accepted, said) = match verdict {
        SprtVerdict::Elo0 => ("elo0", "`a` is not better than `b`: H0 (0) preferred to H1 (30)"),
        SprtVerdict::Elo1 => ("elo1", "`a` is better than `b`: H1 (30) preferred to H0 (0)"),
    };
    assert!(note.contains(said), "{note}");
    let json = crate::support::json(&Standings::of(&run.state));
    assert_eq!(json["stopped"]["accepted"], accepted);
    let test = &json["sprt"];
    assert_eq!((&test["verdict"], &test["elo1"]), (&accepted.into(), &30.0.into()));
    // Wald's bounds for errors of 0.05 each are the logarithm of 19 and its negative.
    let number = |key: &str| test[key].as_f64().unwrap();
    assert!((number("upper_bound") - 19f64.ln()).abs() < 1e-9, "{test}");
    assert!((number("lower_bound") + 19f64.ln()).abs() < 1e-9, "{test}");
    assert!(number("llr").abs() >= 19f64.ln(), "{test}");
    let counts = test["pentanomial"].as_array().unwrap();
    let pairs: u64 = counts.iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(pairs, run.state.tally().games() / 2);
    assert!(run.state.notes()[1].contains("intervals hold the truth in less than 95 %"));
}

#[test]
fn a_sequential_test_counts_the_points_of_whoever_stands_first_in_pairs_of_exchanged_seats() {
    /// The strong one wins from the first seat and draws from the other.
    struct Strong(usize);
    impl Referee for Strong {
        fn play(&self, game: &Game) -> Result<GameResult, Error> {
            let won = if game.lineup.agents[0] == self.0 { 1.0 } else { 0.0 };
            Ok(GameResult { utility: vec![won, 0.0], ..GameResult::default() })
        }
        fn exact(&self, _: &Lineup) -> Result<Option<ExactOdds>, Error> {
            Ok(None)
        }
    }
    struct StrongPanel(usize);
    impl RefereeFactory for StrongPanel {
        fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
            Ok(Box::new(Strong(self.0)))
        }
    }
    // A pair brings the strong one 1½ points and the other one ½, whoever of them stands first.
    for (strong, place, accepted, said) in [
        (0, 3, "elo1", "`a` is better than `b`: H1 (30) preferred to H0 (0)"),
        (1, 1, "elo0", "`a` is not better than `b`: H0 (0) preferred to H1 (30)"),
    ] {
        let sprt = spec(SPRT);
        let mut results = Results::in_memory(&sprt, &conditions(&sprt)).unwrap();
        let run = play(&sprt, &mut results, &StrongPanel(strong), 1, None);
        let json = crate::support::json(&Standings::of(&run.state));
        let mut counts = [0; 5];
        counts[place] = run.state.tally().games() / 2;
        assert_eq!(json["sprt"]["pentanomial"], serde_json::json!(counts), "{strong}");
        assert_eq!(json["sprt"]["verdict"], accepted, "{strong}");
        let note = &run.state.notes()[0];
        assert!(note.contains(said), "{note}");
    }
}

#[test]
fn exact_pairings_need_no_games_and_are_marked() {
    let spec = spec(EVEN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut results = open(&path, &spec);
    let panel = DicePanel { work: 0, exact: true };
    let run = play(&spec, &mut results, &panel, 2, None);
    // Whoever meets c plays 150 games in the second scenario, and so in the first as well.
    assert_eq!(run.played, 600);
    let expected = told(&run.state);
    let json: serde_json::Value =
        serde_json::from_str(&expected[expected.find("\n{\n").unwrap()..]).unwrap();
    assert_eq!(json["games"], 600);
    let pairing = &json["pairings"][0];
    assert_eq!(
        (&pairing["a"], &pairing["b"], &pairing["exact"]),
        (&"a".into(), &"b".into(), &true.into())
    );
    assert_eq!((&pairing["score_a"], &pairing["games"]), (&0.75.into(), &0.into()));
    // a and b played 300 games against c in both scenarios together.
    for row in json["standings"].as_array().unwrap() {
        assert_eq!(row["games"], if row["agent"] == "c" { 600 } else { 300 });
    }
    // A pair is exact or sampled alike in all its rows.
    for pairing in json["pairings"].as_array().unwrap() {
        assert_eq!(pairing["exact"], pairing["b"] == "b", "{pairing}");
    }
    drop(run);
    results.close().unwrap();
    // The file knows them without a referee.
    assert_eq!(standings(&path, &spec), expected);
}

#[test]
fn of_several_games_that_fail_the_first_is_named_on_any_number_of_threads() {
    /// All games from number 40 on fail: the first of them late, the others at once.
    struct Failing;
    impl Referee for Failing {
        fn play(&self, game: &Game) -> Result<GameResult, Error> {
            if game.number < 40 {
                return Dice { seed: 11, work: 0, exact: false }.play(game);
            }
            if game.number == 40 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            Err(Error::usage(format!("game {} fails", game.number)))
        }
        fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
            // In the second scenario the search fails, the later the further behind.
            if lineup.scenario == 0 {
                return Ok(None);
            }
            let [a, b] = [lineup.agents[0], lineup.agents[1]];
            if a.min(b) == 0 && a.max(b) == 1 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            Err(Error::usage(format!("{} and {} fail", a.min(b), a.max(b))))
        }
    }
    struct FailingPanel;
    impl RefereeFactory for FailingPanel {
        fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
            Ok(Box::new(Failing))
        }
    }
    let fails = |spec: &Spec, threads: usize| {
        let folder = tempfile::tempdir().unwrap();
        let mut results = open(&folder.path().join("a.db"), spec);
        let interrupt = AtomicBool::new(false);
        let running = Running { threads, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
        let failed = run(spec, &conditions(spec), &FailingPanel, &mut results, running);
        failed.err().unwrap().to_string()
    };
    let searched = spec(EVEN);
    let one = searched.scenarios[0].clone();
    let played = Spec { scenarios: vec![one], exact: false, ..searched.clone() };
    for threads in 1..=4 {
        assert_eq!(fails(&played, threads), "game 40 fails");
        assert_eq!(fails(&searched, threads), "0 and 1 fail");
    }
}

#[test]
fn an_error_of_a_referee_keeps_what_was_played() {
    struct Failing;
    impl Referee for Failing {
        fn play(&self, game: &Game) -> Result<GameResult, Error> {
            if game.number == 333 {
                return Err(Error::usage("the rules fail"));
            }
            Dice { seed: 11, work: 0, exact: false }.play(game)
        }
    }
    struct FailingPanel;
    impl RefereeFactory for FailingPanel {
        fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
            Ok(Box::new(Failing))
        }
    }
    let spec = spec(EVEN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut results = open(&path, &spec);
    let interrupt = AtomicBool::new(false);
    let running = Running { threads: 3, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
    let failed = run(&spec, &conditions(&spec), &FailingPanel, &mut results, running);
    assert_eq!(failed.err().unwrap().to_string(), "the rules fail");
    let kept = results.len().unwrap();
    assert!(kept > 0);
    let run = play(&spec, &mut results, &QUICK, 2, None);
    assert_eq!(run.known, kept);
    assert_eq!(told(&run.state), undisturbed(&spec));
}
