//! Tests that `greedy` picks what is best if everybody plays at random, also where something is hidden.
//!
//! What it should pick is found another way: all histories are walked by the script alone, and for
//! each decision as its player sees it the mean utility of each option is added up.

use std::collections::BTreeMap;
use std::sync::Arc;

use fracas::analysis::{Effort, OpenDecision, Prospects};
use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Play, Seating};
use fracas::game::{Answer, Question, Stop};
use fracas::graph::{
    AnswerCache, Bounds, InformationSets, Reach, Standpoint, WorkerFactory, explore,
};
use fracas::script::Limits;
use num_traits::ToPrimitive;

use crate::support::{Walk, catalog, play, shared, told};

/// One die each with two faces. Bids rise, `1x2` says that at least one die shows a 2; whoever does
/// not believe the last bid says so, and one of the two gains what the other loses.
const LIARS_DICE: &str = r#"//! # Liar's dice
const PLAYERS = ["ann", "bob"];
const BIDS = ["1x1", "1x2", "2x1", "2x2"];
fn setup(scenario) { #{ dice: #{}, bids: [], called: false } }
fn step() {
    if this.dice.is_empty() {
        for player in PLAYERS { this.dice[player] = this.roll(player, "die", uniform([1, 2])); }
        return;
    }
    let options = if this.bids.is_empty() { [] } else { ["liar"] };
    for bid in BIDS {
        if this.bids.is_empty() || BIDS.index_of(bid) > BIDS.index_of(this.bids[-1]) { options.push(bid); }
    }
    let bid = this.choose(PLAYERS[this.bids.len % 2], "bid", options);
    if bid == "liar" { this.called = true; } else { this.bids.push(bid); }
}
fn outcome() {
    if !this.called { return; }
    let face = if this.bids[-1] in ["1x1", "2x1"] { 1 } else { 2 };
    let needed = if this.bids[-1] in ["1x1", "1x2"] { 1 } else { 2 };
    let count = 0;
    for player in PLAYERS { if this.dice[player] == face { count += 1; } }
    let ann_bid = this.bids.len % 2 == 1;
    let ann_wins = if count >= needed { ann_bid } else { !ann_bid };
    #{ result: "over", utility: #{ ann: if ann_wins { 1 } else { -1 }, bob: if ann_wins { -1 } else { 1 } } }
}
fn view(player) { #{ die: if player in this.dice { this.dice[player] } else { 0 }, bids: this.bids } }
"#;

/// Each has a coin of their own, and both guess at once how many heads there are; who guesses less
/// is asked again. Something is hidden, and others answer before at the same time.
const COINS: &str = r#"//! # Coins
fn setup(scenario) { #{ coins: #{}, guessed: #{}, again: () } }
fn step() {
    if this.coins.is_empty() {
        for player in ["a", "b", "c"] { this.coins[player] = this.roll(player, "coin", weighted([[0, 1], [1, 2]])); }
        return;
    }
    if this.guessed.is_empty() {
        this.guessed = this.choose_secretly("heads", #{ a: [0, 1, 2, 3], b: [0, 1, 2, 3], c: [1, 2] });
        return;
    }
    let last = if this.guessed.a < this.guessed.b { "a" } else { "b" };
    this.again = this.choose(last, "again", [0, 1, 2, 3]);
}
fn outcome() {
    if this.again == () { return; }
    let heads = this.coins.a + this.coins.b + this.coins.c;
    let utility = #{};
    for player in ["a", "b", "c"] { utility[player] = if this.guessed[player] == heads { 2 } else { 0 }; }
    let last = if this.guessed.a < this.guessed.b { "a" } else { "b" };
    if this.again == heads { utility[last] += 3; utility.c -= 1; }
    #{ result: "over", utility: utility }
}
fn view(player) {
    #{ coin: if player in this.coins { this.coins[player] } else { () }, guessed: this.guessed }
}
"#;

fn named(name: &str) -> Conflict {
    let catalog = catalog();
    seated(&catalog, catalog.scenario(name).unwrap(), &[])
}

/// Rules of a test's own.
fn inline(rules: &str, seats: &[(&str, &str)]) -> Conflict {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("own")).unwrap();
    std::fs::write(folder.path().join("own/rules.rhai"), rules).unwrap();
    let catalog = Catalog::new(&[folder.path().to_path_buf()]).unwrap();
    let text = FileText { path: "inline.toml".to_owned(), text: "system = \"own\"".to_owned() };
    seated(&catalog, Scenario::parse("own/inline", text).unwrap(), seats)
}

fn seated(catalog: &Catalog, scenario: Scenario, seats: &[(&str, &str)]) -> Conflict {
    let seats = seats.iter().map(|(seat, agent)| (seat.to_string(), agent.to_string())).collect();
    let scenario = Scenario { seats, ..scenario };
    Conflict::of(catalog, scenario, &Changes::default(), &Limits::default()).unwrap()
}

/// A decision as its player sees it: who, what for, what is offered and what is seen.
type Seen = (String, String, String, String);

/// Walks one history, and notes what is decided in it and how likely it is at random.
struct Noted {
    walk: Walk,
    met: Vec<(Seen, usize, usize)>,
    likely: f64,
}

impl Noted {
    fn answer(&mut self, question: &Question<'_>) -> Result<usize, Stop> {
        let decision = match question {
            Question::Decision(decision, _) => decision,
            Question::Chance(chance) => {
                let fell = self.walk.answer(question);
                self.likely *= chance.distribution.probability(fell).to_f64().unwrap();
                return Ok(fell);
            }
        };
        let view = decision.scene.view(decision.player)?;
        let options: Vec<String> =
            decision.options.values().iter().map(ToString::to_string).collect();
        let count = options.len();
        let seen = (
            decision.player.to_owned(),
            decision.name.to_owned(),
            options.join(", "),
            view.literal(),
        );
        let option = self.walk.answer(question);
        self.met.push((seen, option, count));
        self.likely /= count as f64;
        Ok(option)
    }
}

/// The mean utility of each option of each decision, if everybody plays at random before and after.
fn means(conflict: &Conflict) -> BTreeMap<Seen, Vec<f64>> {
    let mut sums: BTreeMap<Seen, Vec<(f64, f64)>> = BTreeMap::new();
    let mut walk = Walk::default();
    loop {
        let mut noted = Noted { walk, met: Vec::new(), likely: 1.0 };
        let played = play(conflict, |question| noted.answer(question));
        let played = played.unwrap_or_else(|stop| panic!("{}", told(stop)));
        let Noted { walk: walked, met, likely } = noted;
        for (seen, option, count) in met {
            let utility = played.outcome.utility[&seen.0];
            let sum = &mut sums.entry(seen).or_insert_with(|| vec![(0.0, 0.0); count])[option];
            *sum = (sum.0 + likely * utility, sum.1 + likely);
        }
        walk = walked;
        if !walk.advance() {
            let mean = |(sum, likely): (f64, f64)| sum / likely;
            return sums.into_iter().map(|(k, v)| (k, v.into_iter().map(mean).collect())).collect();
        }
    }
}

/// What `greedy` answers to all that its players cannot tell apart, each time having thought of
/// nothing before.
fn answers(conflict: &Conflict) -> BTreeMap<Seen, Answer> {
    let seating = Seating::new(conflict, 256 << 20).unwrap();
    let bounds = Bounds { threads: 1, nodes: 100_000 };
    assert_eq!(explore(&seating.graph, &seating, bounds, &|_| ()).unwrap(), Reach::Whole);
    let (explorer, _) = seating.make_worker().unwrap();
    let mut sets = InformationSets::default();
    for node in crate::agents::decisions(&seating.graph) {
        sets.of(&explorer, node).unwrap();
    }
    let found = fracas::agents::AgentSpec::Thinker(fracas::agents::ThinkingPlan::Greedy);
    let everybody = seating.players.names.iter().cloned().collect();
    let greedy = seating.with([(everybody, found)]);
    let (explorer, seats) = greedy.make_worker().unwrap();
    let seats = shared(seats);
    let kept = Arc::new(AnswerCache::new(&greedy.graph));
    let one = |set: &fracas::graph::InformationSet| {
        let (seats, kept, node) = (seats.clone(), kept.clone(), set.nodes[0]);
        let answer = explorer.visit(node, move |decision| {
            let mut seats = seats.borrow_mut();
            kept.work_out(Standpoint::at(node), decision, seats.agent(decision.player))
        });
        let view = explorer.visit(node, |decision| Ok(decision.scene.view(decision.player)?));
        let options: Vec<String> = set.asked.values().iter().map(ToString::to_string).collect();
        let (player, name) = (set.asked.who.clone(), set.asked.name.clone());
        let seen = (player, name, options.join(", "), view.unwrap().literal());
        (seen, (*answer.unwrap()).clone())
    };
    sets.sets().iter().map(one).collect()
}

fn best(values: &[f64]) -> Vec<usize> {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..values.len()).filter(|&option| values[option] > highest - 1e-9).collect()
}

fn picked(answer: &Answer, options: usize) -> Vec<usize> {
    match answer {
        Answer::Any => (0..options).collect(),
        Answer::Option(option) => vec![*option],
        Answer::Weights(weights) => weights.iter().map(|(option, _)| option).collect(),
    }
}

#[test]
fn it_picks_the_best_of_all_histories_whatever_is_hidden() {
    for (name, conflict) in [
        ("liar's dice", inline(LIARS_DICE, &[])),
        ("coins", inline(COINS, &[])),
        ("kuhn", named("kuhn_poker/one_hand")),
        ("rock, paper, scissors", named("rock_paper_scissors/once")),
        ("three tokens", named("territory/three_tokens")),
    ] {
        let means = means(&conflict);
        let answers = answers(&conflict);
        assert_eq!(means.len(), answers.len(), "{name}");
        for (seen, values) in &means {
            let answer = &answers[seen];
            assert_eq!(picked(answer, values.len()), best(values), "{name}: {seen:?}: {values:?}");
        }
    }
}

#[test]
fn the_first_bid_at_liars_dice_is_what_can_be_worked_out_by_hand() {
    // Ann holds a 2. After 2x2 bob must doubt, and is wrong half of the time: 0. After 2x1, which is
    // false, he doubts (-1) or bids 2x2 (ann doubts: 0): -1/2. After 1x2, which is true, he doubts
    // (+1), bids 2x1 (ann doubts: +1, or bids 2x2: 0) or 2x2 (0): (1 + 1/2 + 0) / 3 = 1/2. After 1x1
    // he doubts (0), bids 1x2 (ann doubts: -1, bids 2x1: -1/2 as above, bids 2x2: 0; on average
    // -1/2), 2x1 (1/2) or 2x2 (0): 0.
    let conflict = inline(LIARS_DICE, &[]);
    let first = |seen: &Seen| {
        let view = seen.3.replace(['"', ' '], "");
        seen.0 == "ann" && view.contains("bids:[]") && view.contains("die:2")
    };
    let means = means(&conflict);
    let (seen, values) = means.iter().find(|(seen, _)| first(seen)).unwrap();
    let off: Vec<f64> =
        values.iter().zip([0.0, 0.5, -0.5, 0.0]).map(|(one, two)| one - two).collect();
    assert!(off.iter().all(|off| off.abs() < 1e-12), "{values:?}");
    assert_eq!(answers(&conflict)[seen], Answer::Option(1));
}

#[test]
fn mirrored_seats_answer_alike_and_the_reason_is_in_the_numbers_of_the_odds() {
    let catalog = catalog();
    let answer = |seat: &str, other: &str| {
        let seats = [(seat, "human"), (other, "first")];
        let scenario = catalog.scenario("territory/three_tokens").unwrap();
        let play = Play::begin(seated(&catalog, scenario, &seats), 1, &Limits::default()).unwrap();
        let asked = play.decision().unwrap().clone();
        let (answer, worth) = play.advice("greedy").unwrap();
        let worth = worth.unwrap();
        assert_eq!(worth.playouts, 0);
        let (history, seating) = (play.history(), play.seating().unwrap().unmanned());
        let place =
            OpenDecision { history: &history, who: &asked.who, name: &asked.name, revealed: false };
        let effort = Effort {
            float: false,
            threads: 1,
            nodes: 50_000,
            n: 1,
            seed: 1,
            time: None,
            work: u64::MAX,
        };
        let odds = Prospects::find(&seating, place, effort, &|_| {}).unwrap();
        assert!(odds.exact);
        for (one, value) in odds.options.iter().zip(&worth.values) {
            assert!((one.chances.utility[&asked.who].value - value).abs() < 1e-12);
        }
        (answer, worth.values)
    };
    // What the stacks of three tokens are worth on average was added up by `:odds`, in fractions.
    let (white, values) = answer("white", "black");
    assert_eq!(white, Answer::Option(0));
    for (value, known) in values.iter().zip([0.0947, -0.0658, -0.0288]) {
        assert!((value - known).abs() < 5e-5, "{values:?}");
    }
    let (black, mirrored) = answer("black", "white");
    assert_eq!(black, white);
    assert!(values.iter().zip(&mirrored).all(|(one, two)| (one - two).abs() < 1e-12));
}

#[test]
fn ways_that_lead_back_have_values_too() {
    // From `x` = 0 either ends at once for 0, or spins: then it ends with 1, or starts again, as
    // likely. At random `v = 0 / 2 + s / 2` and `s = 1 / 2 + v / 2`: v = 1/3, s = 2/3.
    let rules = r#"//! # Spins
fn setup(scenario) { #{ x: 0, won: () } }
fn step() {
    if this.x == 1 {
        if this.roll("a", "spin", uniform([true, false])) { this.won = 1; } else { this.x = 0; }
    } else if this.choose("a", "what", ["end", "spin"]) == "end" { this.won = 0; } else { this.x = 1; }
}
fn outcome() { if this.won != () { #{ result: "over", utility: #{ a: this.won } } } }
"#;
    let conflict = inline(rules, &[("a", "human")]);
    let play = Play::begin(conflict, 1, &Limits::default()).unwrap();
    let (answer, worth) = play.advice("greedy").unwrap();
    let worth = worth.unwrap();
    assert_eq!((answer, worth.playouts), (Answer::Option(1), 0));
    assert!(
        worth.values[0].abs() < 1e-12 && (worth.values[1] - 2.0 / 3.0).abs() < 1e-12,
        "{worth:?}"
    );
}
