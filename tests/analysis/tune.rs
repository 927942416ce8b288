//! Tests tunings of games whose best rules are worked out by hand.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fracas::analysis::{
    CandidateGrid, Enough, Sampling, Stage, Swept, Tuned, Tuning, WishCertainty, Wishes,
};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::error::Error;
use fracas::script::{Budget, Limits};

/// A die of four sides falls as often as `rounds` says; where the last throw is no more than `limit`, red
/// wins. `double` doubles what there is to win.
const TOSS: &str = "//! # Toss\n//! A die falls.\n\
    fn setup(s) { #{ thrown: 0, side: 0 } }\n\
    fn step() {\n\
        this.side = this.roll(\"die\", \"side\", uniform([1, 2, 3, 4]));\n\
        this.thrown += 1;\n\
    }\n\
    fn prize() { 1 }\n\
    fn outcome() {\n\
        if this.thrown < params.rounds { return; }\n\
        let red = this.side <= params.limit;\n\
        let won = if red { \"red\" } else { \"blue\" };\n\
        let utility = #{ red: if red { prize() } else { 0 }, blue: if red { 0 } else { prize() } };\n\
        #{ result: won, utility: utility, thrown: this.thrown }\n\
    }\n";
const PARAMS: &str = "[limit]\ndefault = 1\nmin = 0\nmax = 4\nmeaning = \"Red's sides.\"\n\
    [rounds]\ndefault = 1\nmin = 1\nmax = 9\nmeaning = \"Throws.\"\n";
const DOUBLE: &str = "//! # Double\n//! Twice as much.\nfn prize() { super() * 2 }\n";

/// Thirteen coins fall, which are all kept: too many ways to see. Red has the heads of the last two less
/// one, and as much more as the limit is above 20.
const COINS: &str = "//! # Coins\n//! Coins fall.\n\
    fn setup(s) { #{ fallen: [] } }\n\
    fn step() { this.fallen.push(this.roll(\"coin\", \"side\", uniform([0, 1]))); }\n\
    fn outcome() {\n\
        if this.fallen.len < 13 { return; }\n\
        let red = this.fallen[11] + this.fallen[12] - 1 + params.limit - 20;\n\
        #{ result: \"over\", utility: #{ red: red, blue: 0 } }\n\
    }\n";
const LIMIT: &str = "[limit]\ndefault = 1\nmin = 0\nmax = 40\nmeaning = \"Red's.\"\n";

/// A coin falls, and decides nothing: red has the limit, and 40 less that is left.
const TRADE: &str = "//! # Trade\n//! A coin falls.\n\
    fn setup(s) { #{ over: false } }\n\
    fn step() { this.roll(\"coin\", \"side\", uniform([0, 1])); this.over = true; }\n\
    fn outcome() {\n\
        if !this.over { return; }\n\
        let utility = #{ red: params.limit, blue: 0 };\n\
        #{ result: \"over\", utility: utility, left: 40 - params.limit }\n\
    }\n";

/// Both name a place: who meets at the first have the limit and 1, at the second 1 and the limit.
const MEET: &str = "//! # Meet\n//! Both name a place.\n\
    fn setup(s) { #{ named: () } }\n\
    fn step() {\n\
        this.named = this.choose_secretly(\"place\", #{ ann: [1, 2], bob: [1, 2] });\n\
    }\n\
    fn outcome() {\n\
        if this.named == () { return; }\n\
        let has = if this.named.ann != this.named.bob { [0, 0] }\n\
            else if this.named.ann == 1 { [params.limit, 1] }\n\
            else { [1, params.limit] };\n\
        #{ result: \"over\", utility: #{ ann: has[0], bob: has[1] } }\n\
    }\n";

/// A scenario of a system of its own, and what is varied about it.
struct Made {
    folder: tempfile::TempDir,
    vary: Vec<&'static str>,
    house: Vec<&'static str>,
    n: u64,
    threads: usize,
    flag: Arc<AtomicBool>,
}

fn made(rules: &str, params: &str, vary: &[&'static str]) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path: &Path = &folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("game/rules.rhai", rules);
    write("game/params.toml", params);
    write("game/scenarios/one.toml", "system = \"game\"\n[setup]\n");
    if rules == TOSS {
        write("game/house/double.rhai", DOUBLE);
    }
    let (house, flag) = (Vec::new(), Arc::default());
    Made { folder, vary: vary.to_vec(), house, n: 128, threads: 1, flag }
}

impl Made {
    fn tune(&self, wishes: &[&str]) -> Result<Tuned, Error> {
        self.tune_up_to(wishes, None)
    }

    /// Raises the flag of an interrupt once what it says of its progress begins so.
    fn tune_up_to(&self, wishes: &[&str], until: Option<&str>) -> Result<Tuned, Error> {
        let catalog = Catalog::new(&[self.folder.path().to_owned()]).unwrap();
        self.flag.store(false, Ordering::Relaxed);
        let budget = Budget::new(256 << 20).interrupted_by(Some(self.flag.clone())).begin(None);
        let limits = Limits { budget, ..Limits::default() };
        let changes = Changes::default();
        let conflict = Conflict::open(&catalog, "game/one", &changes, &limits)?;
        let seating = Seating::new(&conflict, 256 << 20)?;
        let owned =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let params = Swept::each(&owned(&self.vary), &CandidateGrid::specs(&conflict)?)?;
        let grid = CandidateGrid::new(params, &owned(&self.house), (&catalog, &conflict, &limits))?;
        let wishes = Wishes::read(&owned(wishes), &conflict, &seating)?;
        let flag = self.flag.clone();
        let progress = move |stage| {
            if let (Stage::Doing(text), Some(until)) = (stage, until)
                && text.starts_with(until)
            {
                flag.store(true, Ordering::Relaxed);
            }
        };
        let tuning = Tuning {
            catalog: &catalog,
            scenario: &conflict.scenario,
            changes: &changes,
            limits: &limits,
            memory: 256 << 20,
            sampling: Sampling { seed: 5, n: self.n, enough: Enough::All, threads: self.threads },
            grid: &grid,
            wishes: &wishes,
            show: &|words| Some(words.join(" ")),
            progress: &progress,
        };
        tuning.find().map_err(|broken| broken.error)
    }
}

fn numbers(tuned: &Tuned) -> Vec<u64> {
    tuned.best.iter().map(|best| best.candidate.number).collect()
}

#[test]
fn all_candidates_of_a_small_game_are_measured_exactly() {
    // Red wins limit / 4, so the seats are |limit / 2 - 1| apart: even only at 2. `length.chance` is
    // `rounds`. Of 5 · 3 · 2 candidates those of limit 2 hold `fairness`, and of these those of 1 and 2
    // rounds the other; doubling nothing changes nothing. The first of limit 2 is 2 · 3 + 1, and as much
    // as 15 higher with `double`; fewer rounds leave more room.
    let mut toss = made(TOSS, PARAMS, &["limit=0..4", "rounds=1..3"]);
    toss.house = vec!["double"];
    let tuned = toss.tune(&["fairness within 0.1", "length.chance <= 2"]).unwrap();
    assert!(tuned.exact && tuned.cut.is_none() && tuned.front.is_none());
    assert_eq!((tuned.candidates, tuned.measured, tuned.hold), (30, 30, 4));
    assert_eq!(numbers(&tuned)[..4], [7, 22, 8, 23]);
    assert_eq!(tuned.best[0].certainty, WishCertainty::Sure);
    let wishes = tuned.best[2].wishes.iter();
    let fractions: Vec<String> =
        wishes.map(|one| one.quantity.fraction.as_ref().unwrap().to_string()).collect();
    assert_eq!(fractions, ["0", "2"]);
    let command = "portrait game/one --param limit=2 --param rounds=1";
    assert_eq!(tuned.best[0].command.as_deref(), Some(command));
    // Three rounds at limit 2 miss by a half of what was asked for, and come next.
    assert_eq!((numbers(&tuned)[4], tuned.best[4].certainty), (9, WishCertainty::No));
}

#[test]
fn wishes_that_conflict_lead_to_the_pareto_front() {
    // Red wins 2/4 at limit 2, which misses 3/4 by 1/4, a third of it, and is fair; 3/4 at limit 3, where
    // the seats are 1/2 apart, 4 of what was asked for too many. At 4 they are 1 apart and no more is won
    // than is wanted; at 0 and 1 both are worse than at 2.
    let toss = made(TOSS, PARAMS, &["limit=0..4"]);
    let tuned = toss.tune(&["fairness within 0.1", "result.red >= 75 %"]).unwrap();
    assert_eq!((tuned.front, tuned.hold, tuned.exact), (Some(2), 0, true));
    assert_eq!(numbers(&tuned), [3, 4]);
    let misses: Vec<f64> =
        tuned.best.iter().flat_map(|best| best.wishes.iter().map(|one| one.miss)).collect();
    let expected = [0.0, 1.0 / 3.0, 4.0, 0.0];
    assert!(misses.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12));
    assert!(tuned.report(|_| None).text(200, true).contains("The Pareto front (2 candidates)"));
    // A single wish that nothing holds conflicts with nothing: all are told, the nearest first.
    let alone = toss.tune(&["outcome.thrown >= 2"]).unwrap();
    assert_eq!((alone.front, alone.best.len()), (None, 5));
    assert_eq!(numbers(&alone), [1, 2, 3, 4, 5]);
    assert!(
        alone.report(|_| None).text(80, true).contains("no candidate holds the wish; the nearest:")
    );
}

#[test]
fn a_front_that_is_longer_than_what_is_printed_says_so() {
    // Each limit from 1 to 35 misses `fairness` by 1 more than the one before it, and what is left by 1
    // less: none is better than another in both. In parts of what was asked for that is 1 more and 1/5
    // less, so the first are the best.
    let trade = made(TRADE, LIMIT, &["limit=1..35"]);
    let tuned = trade.tune(&["fairness within 1", "left <= 5"]).unwrap();
    assert_eq!((tuned.exact, tuned.front, tuned.best.len()), (true, Some(35), 10));
    assert_eq!(numbers(&tuned)[..2], [1, 2]);
    assert!(tuned.notes.iter().any(|note| note.starts_with("25 more are on the front")));
}

#[test]
fn halving_finds_the_best_of_many_and_threads_change_nothing() {
    // The seats are |limit - 20| apart, give or take 0.7 / √100: at 20, the seventeenth, alone no more
    // than 1/2. Half of 33 are 17.
    let mut coins = made(COINS, LIMIT, &["limit=4..36"]);
    coins.n = 100;
    let wishes = ["fairness within 0.5"];
    let whole = coins.tune(&wishes).unwrap();
    assert_eq!((whole.candidates, whole.measured, whole.hold, whole.exact), (33, 33, 1, false));
    assert_eq!(
        (whole.best[0].candidate.number, whole.best[0].certainty),
        (17, WishCertainty::Likely)
    );
    assert!(whole.best.iter().all(|best| best.n == 100));
    // What was sampled is shown with the same playouts.
    let is_shown = |command: &String| command.ends_with(" --seed 5 -n 100");
    assert!(whole.best.iter().all(|best| best.command.as_ref().is_some_and(is_shown)));
    assert!(whole.best[1..].iter().all(|best| best.certainty == WishCertainty::Unlikely));
    let dropped =
        whole.notes.iter().any(|note| note.starts_with("16 of the candidates were dropped"));
    assert!(dropped, "{:?}", whole.notes);
    // Stopped in the second round, it knows the best of the first.
    let stopped = coins.tune_up_to(&wishes, Some("3 of 17")).unwrap();
    assert!(stopped.cut.is_some());
    assert_eq!(stopped.best[0].candidate.number, 17);
    coins.threads = 2;
    assert_eq!(coins.tune(&wishes).unwrap().best, whole.best);
}

#[test]
fn of_several_equilibria_a_wish_is_held_to_the_one_in_which_it_holds_least() {
    // Both meet at one place or at the other, so that one has the limit and one 1; or each goes to its better place
    // with limit / (limit + 1), and both have the same. The spreads are limit - 1, limit - 1 and 0.
    let meet = made(MEET, LIMIT, &["limit=1..3"]);
    let tuned = meet.tune(&["fairness.value within 1"]).unwrap();
    assert_eq!((tuned.hold, tuned.exact), (2, true));
    let (sure, no) = (WishCertainty::Sure, WishCertainty::No);
    let found: Vec<_> = tuned
        .best
        .iter()
        .map(|best| (best.candidate.number, best.certainty, best.wishes[0].quantity.value))
        .collect();
    assert_eq!(found, [(1, sure, 0.0), (2, sure, 1.0), (3, no, 2.0)]);
    // The number that counts is not printed as if it were the only one.
    let text = tuned.report(|_| None).text(200, true);
    assert!(text.contains("0 to 2 in 3 equilibria; 2 counts"), "{text}");
    assert!(text.contains("0 to 1 in 3 equilibria; 1 counts"), "{text}");
    assert_eq!(tuned.best[0].wishes[0].equilibria, [0.0; 0]);
    let tuned = meet.tune(&["fairness.value.ann >= 1"]).unwrap();
    // The mixed one is worth limit / (limit + 1) to her.
    assert_eq!((tuned.hold, tuned.best[0].certainty), (0, no));
}

#[test]
fn what_was_stopped_reports_what_was_measured() {
    let toss = made(TOSS, PARAMS, &["limit=0..4", "rounds=1..9"]);
    let wishes = ["fairness within 0.1", "length.chance >= 4"];
    let stopped = toss.tune_up_to(&wishes, Some("30 of 45")).unwrap();
    assert_eq!((stopped.measured, stopped.cut.is_some()), (30, true));
    // Stopped at once there is nothing to tell.
    assert!(matches!(toss.tune_up_to(&wishes, Some("0 of")), Err(Error::Interrupted)));
}

#[test]
fn what_cannot_be_wanted_is_refused_with_the_place_and_the_nearest_name() {
    let toss = made(TOSS, PARAMS, &["limit=0..4"]);
    let told = |wishes: &[&str]| toss.tune(wishes).unwrap_err().to_string();
    assert_eq!(told(&["lenght <= 3"]), "unknown measure `lenght`; did you mean `length`?");
    assert_eq!(told(&["thrwon <= 3"]), "unknown measure `thrwon`; did you mean `thrown`?");
    assert_eq!(told(&["result.bleu <= 0.5"]), "unknown result `bleu`; did you mean `blue`?");
    assert_eq!(
        told(&["length <= 5", "ties <= 1", "length.decisions >= 9"]),
        "`length <= 5` and `length.decisions >= 9` cannot both hold"
    );
    assert_eq!(told(&["ties > 1"]), "no rule can have `ties > 1`: `ties` is from 0 to 1");
    assert_eq!(
        told(&["fairness < 0"]),
        "no rule can have `fairness < 0`: `spread of fairness.utility` is never below 0"
    );
    assert!(told(&["drama >= 1"]).starts_with("`drama` is more than one measure: name one"));
    assert!(told(&[]).starts_with("nothing is wanted"));
    let grid = |vary: &[&'static str]| {
        made(TOSS, PARAMS, vary).tune(&["length <= 3"]).unwrap_err().to_string()
    };
    assert!(grid(&[]).starts_with("nothing is varied"));
    assert_eq!(grid(&["limit=0..9"]), "params.limit: must be a whole number from 0 to 4, got 5");
    assert_eq!(
        grid(&["limit=0..4", "limit"]),
        "`limit` is named twice: put all its values in one list"
    );
}

/// Both add 0 or 1 three times in turn, which are all kept; who has added more has 1.
const ADD: &str = "//! # Add\n//! Both add.\n\
    fn setup(s) { #{ added: [] } }\n\
    fn step() {\n\
        let who = if this.added.len % 2 == 0 { \"red\" } else { \"blue\" };\n\
        this.added.push(this.choose(who, \"add\", [0, 1]));\n\
    }\n\
    fn outcome() {\n\
        if this.added.len < 6 { return; }\n\
        let red = this.added[0] + this.added[2] + this.added[4];\n\
        let blue = this.added[1] + this.added[3] + this.added[5];\n\
        let utility = #{ red: if red > blue { 1 } else { 0 }, blue: if blue > red { 1 } else { 0 } };\n\
        #{ result: \"over\", utility: utility }\n\
    }\n";

#[test]
fn a_result_that_never_comes_has_the_share_0() {
    // No side of the die is red's at limit 0.
    let toss = made(TOSS, PARAMS, &["limit=0..4"]);
    let tuned = toss.tune(&["result.red <= 0"]).unwrap();
    assert_eq!((tuned.exact, tuned.hold), (true, 1));
    assert_eq!((numbers(&tuned)[0], tuned.best[0].certainty), (1, WishCertainty::Sure));
    // Of 400 playouts none has it: Wilson's interval reaches to 0.95 %.
    let coins = Made { n: 400, ..made(COINS, LIMIT, &["limit=1..2"]) };
    let tuned = coins.tune(&["result.nobody <= 5 %"]).unwrap();
    assert_eq!((tuned.exact, tuned.hold), (false, 2));
    assert_eq!(tuned.best[0].certainty, WishCertainty::Likely);
    assert!(
        tuned.notes.iter().any(|note| note
            == "no end has `result.nobody`; ends of playouts at random have `result.over`")
    );
    // One whose name begins with another's is another.
    let early =
        made(&TOSS.replace("\"red\" } else", "\"over.early\" } else"), PARAMS, &["limit=1..2"]);
    let tuned = early.tune(&["result.over <= 5 %"]).unwrap();
    assert_eq!((tuned.exact, tuned.best[0].certainty), (true, WishCertainty::Sure));
}

#[test]
fn what_the_quick_first_round_does_not_find_out_is_found_in_the_next() {
    // The thinking of 64 playouts is too little for the ladder of skill: 63 places, with playouts of 3 on average.
    let add = Made { n: 4_000, ..made(ADD, LIMIT, &["limit=1..2"]) };
    let tuned = add.tune(&["skill.greedy >= 0.6"]).unwrap();
    let found: Vec<_> = tuned.best.iter().map(|best| best.certainty).collect();
    assert_eq!(found, [WishCertainty::Likely; 2], "{:?}", tuned.notes);
}

#[test]
fn what_is_not_known_is_not_said_to_be_exact_or_to_hold() {
    // Nobody decides anything, so there is no ladder of skill.
    let coins = made(COINS, LIMIT, &["limit=19..20"]);
    let text = coins.tune(&["skill.greedy >= 0.6"]).unwrap().report(|_| None).text(200, true);
    assert!(text.contains("2 candidates for `skill.greedy >= 0.6`; nothing is known\n"), "{text}");
    // Where something else is known, that alone is exact.
    let toss = made(TOSS, PARAMS, &["limit=1..2"]);
    let tuned = toss.tune(&["length.chance <= 2", "skill.greedy >= 0.6"]).unwrap();
    let text = tuned.report(|_| None).text(200, true);
    assert!(!tuned.exact && text.contains("; what is known of the best is exact\n"), "{text}");
    // So few playouts tell nothing.
    let tuned = Made { n: 20, ..coins }.tune(&["fairness within 2"]).unwrap();
    assert!(tuned.best.iter().all(|best| best.certainty == WishCertainty::Open));
    let text = tuned.report(|_| None).text(200, true);
    assert!(text.contains("2 candidates may hold the wish; the best first:"), "{text}");
}

#[test]
fn a_candidate_that_fails_is_named_and_the_others_are_measured() {
    // The rules fail where there are two rounds.
    let rules =
        TOSS.replace("fn prize() { 1 }", "fn prize() { if params.rounds == 2 { throw \"no\" } 1 }");
    let tuned = made(&rules, PARAMS, &["rounds=1..3"]).tune(&["length.chance <= 2"]).unwrap();
    assert_eq!((numbers(&tuned), &tuned.failed[..]), (vec![1, 3], &[2][..]));
    let note = &tuned.notes[0];
    assert!(note.starts_with("#2 (rounds=2) fails, and is left out: "), "{note}");
    assert!(note.contains("rules.rhai:8:"), "{note}");
    let text = tuned.report(|_| None).text(200, true);
    assert!(text.contains("2 of 3 candidates for"), "{text}");
    // Where all fail, the first failure is the answer.
    let rules = TOSS.replace("fn prize() { 1 }", "fn prize() { throw \"no\" }");
    assert!(made(&rules, PARAMS, &["rounds=1..3"]).tune(&["length.chance <= 2"]).is_err());
    // Also where it fails before anything happens.
    let setup = "fn setup(s) { if params.rounds == 2 { throw \"no\" } #{ thrown";
    let rules = TOSS.replace("fn setup(s) { #{ thrown", setup);
    let tuned = made(&rules, PARAMS, &["rounds=1..3"]).tune(&["length.chance <= 2"]).unwrap();
    let note = &tuned.notes[0];
    let shown = "`play game/one --param rounds=2` shows it";
    assert!(note.contains("rules.rhai:3:") && note.ends_with(shown), "{note}");
}

#[test]
fn those_that_are_left_after_failures_get_all_playouts() {
    // Of 40 candidates each would get half of the playouts; of 30 each gets all.
    let setup = "fn setup(s) { if params.limit > 30 { throw \"no\" } #{ fallen";
    let rules = COINS.replace("fn setup(s) { #{ fallen", setup);
    let coins = Made { n: 100, ..made(&rules, LIMIT, &["limit=1..40"]) };
    let tuned = coins.tune(&["fairness within 0.5"]).unwrap();
    assert_eq!((tuned.failed.len(), tuned.best[0].candidate.number), (10, 20));
    assert!(tuned.best.iter().all(|best| best.n == 100), "{:?}", tuned.best);
}

#[test]
fn where_all_that_are_left_fail_it_is_an_error() {
    // With these seeds a playout begins with eight tails after the first 64 of them, with which 17 of 33 are left.
    let thrown = "if this.fallen == [0, 0, 0, 0, 0, 0, 0, 0] { throw \"no\" }";
    let rules = COINS.replace("fn outcome() {\n", &format!("fn outcome() {{ {thrown}\n"));
    let mut coins = Made { n: 64, ..made(&rules, LIMIT, &["limit=4..36"]) };
    assert_eq!(coins.tune(&["fairness within 0.5"]).unwrap().failed, [0; 0]);
    coins.n = 100;
    assert_eq!(coins.tune(&["fairness within 0.5"]).unwrap_err().to_string(), "no");
}
