//! Tests the agents that think ahead (`search`, `greedy`): they play well, give the same answers
//! every time, and do not use hidden information.

use std::sync::Arc;

use fracas::analysis::{Odds, Seeking};
use fracas::catalog::{FileKind, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Play, Position, Seating};
use fracas::game::{Answer, Generator};
use fracas::graph::{
    AnswerCache, Bounds, Graph, InformationSets, NodeKind, Reach, Standpoint, WorkerFactory,
    explore,
};
use fracas::script::Limits;

use crate::support::{catalog, json, recorded, scenarios, shared};

/// A scenario with these agents in its seats, and no others.
fn seated(name: &str, seats: &[(&str, &str)]) -> Conflict {
    let catalog = catalog();
    let mut scenario = catalog.scenario(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    scenario.seats =
        seats.iter().map(|(seat, word)| (seat.to_string(), word.to_string())).collect();
    Conflict::of(&catalog, scenario, &Changes::default(), &Limits::default()).unwrap()
}

fn seating(name: &str, seats: &[(&str, &str)]) -> Seating {
    Seating::new(&seated(name, seats), 256 << 20).unwrap()
}

/// The exact odds as JSON.
fn odds(name: &str, seats: &[(&str, &str)], threads: usize) -> serde_json::Value {
    let seeking = Seeking { float: false, threads, nodes: 1_000_000 };
    let odds = Odds::find(&seating(name, seats), seeking, &|_| ()).unwrap();
    json(&odds)
}

/// An exact number of the odds.
fn number(odds: &serde_json::Value, table: &str, name: &str) -> f64 {
    let text = odds[table][name].as_str().unwrap_or("0");
    let (part, whole) = text.split_once('/').unwrap_or((text, "1"));
    part.parse::<f64>().unwrap() / whole.parse::<f64>().unwrap()
}

#[test]
fn search_never_loses_tic_tac_toe_to_random() {
    // Tic-tac-toe is a draw if played well: whoever never loses it plays well.
    let o = odds("tic_tac_toe/empty_board", &[("x", "random"), ("o", "search:1000")], 2);
    assert_eq!(number(&o, "results", "x"), 0.0, "{o}");
    let x = odds("tic_tac_toe/empty_board", &[("x", "search:1000"), ("o", "random")], 2);
    assert_eq!(number(&x, "results", "o"), 0.0, "{x}");
}

#[test]
fn a_win_that_can_be_taken_at_once_is_taken() {
    for agent in ["greedy", "search:200"] {
        let odds = odds("tic_tac_toe/x_to_win", &[("x", agent), ("o", "random")], 1);
        assert_eq!(number(&odds, "results", "x"), 1.0, "{agent}: {odds}");
    }
}

/// All answers of a conflict that agents play to its end, under house rules and parameters.
fn answers(text: &str, house: &[&str], params: &[&str], seats: &[&str]) -> String {
    let file = FileText { path: "agents.toml".into(), text: text.to_owned() };
    let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let changes = Changes::read(&owned(house), &owned(params), &owned(seats)).unwrap();
    let scenario = Scenario::parse("agents", file).unwrap();
    let conflict = Conflict::of(&catalog(), scenario, &changes, &Limits::default()).unwrap();
    let play = Play::begin(conflict, 0, &Limits::default()).unwrap();
    let Position::Over { .. } = play.position() else { panic!("it is not over") };
    format!("{:?}", play.history())
}

#[test]
fn grabber_takes_what_the_rules_in_force_let_it_take() {
    // Red has one tile, with a piercer in the east and a 9 in the west. On 3,0 the 9 takes a neutral tile: one marker.
    // On 0,0 the piercer meets a barrier of blue's, and takes two from blue and one for red where it breaks through.
    let text = r#"system = "battle_tiles"
[setup]
width = 4
height = 1
players = ["red", "blue"]
markers = { red = 2, blue = 0 }
tiles = [
  { at = [1, 0], sides = [0, 0, 0, "barrier"], scoring = true, owner = "blue" },
  { at = [2, 0], sides = [0, 5, 0, "barrier"], scoring = true },
]
hands = { red = [ { sides = [0, "piercer", 0, 9], scoring = false } ] }
"#;
    for seat in ["red=grabber", "red=positional"] {
        for (breaks, cell) in
            [("piercer_beats_barrier=false", "3,0"), ("piercer_beats_barrier=true", "0,0")]
        {
            let answers = answers(text, &[], &[breaks], &[seat]);
            assert!(answers.contains(cell), "{seat}, {breaks}: {answers}");
        }
    }
}

/// A war at the ford in which red attacks with as much as this, and blue, who has no food, sets what comes first.
fn ford(red_ore: u8, red_food: u8, blue_ore: u8) -> String {
    format!(
        r#"system = "war_die"
[setup]
wars = [{{ attacker = "red", defender = "blue", region = "ford" }}]
[setup.players.red]
ore = {red_ore}
food = {red_food}
meeples = ["ford", "hills"]
[setup.players.blue]
ore = {blue_ore}
meeples = ["ford"]
[setup.regions]
ford = ["hills"]
hills = []
[seats]
blue = "first"
"#
    )
}

#[test]
fn who_counts_the_others_dice_counts_numbers_alone() {
    // Blue can set 3 at most: a 4 is safe. Whether blue, or red itself, may show the flag too changes nothing.
    for food in [1, 0] {
        for seat in ["red=all_in", "red=cautious", "red=bluffer(rate=0)"] {
            for house in [&[][..], &["hungry_envoys"]] {
                let answers = answers(&ford(9, food, 3), house, &[], &[seat]);
                assert!(answers.contains("Int(4)"), "{seat}, {house:?}, {food} food: {answers}");
            }
        }
    }
}

#[test]
fn cautious_pays_for_no_number_that_beats_nothing() {
    // Blue defends with 1 ore. With a flag to show blue may set 0 or 1, and red's 1 beats the 0. Under `hungry_envoys`
    // blue has no food, so no flag: blue's 1 holds against red's.
    for (house, side) in [(&[][..], "Int(1)"), (&["hungry_envoys"], "\"flag\"")] {
        let answers = answers(&ford(1, 1, 1), house, &[], &["red=cautious"]);
        assert!(answers.contains(side), "{house:?}: {answers}");
    }
}

#[test]
fn patient_and_deployer_bring_what_takes_a_city_under_the_rules_in_force() {
    // 7 of the 8 tokens take the city, 6 under `soft_walls`. What is left is worth as much in the hills.
    let text = r#"system = "attrition"
[setup]
ranking = ["red", "blue"]
players = { red = { reserve = 8 }, blue = {} }
[setup.areas]
delta = { limit = 9, city = "blue" }
hills = { limit = 9 }
[seats]
blue = "first"
"#;
    for seat in ["red=patient", "red=deployer"] {
        for (house, number) in [(&[][..], "Int(7)"), (&["soft_walls"], "Int(6)")] {
            let answers = answers(text, house, &[], &[seat]);
            assert!(answers.contains(number), "{seat}, {house:?}: {answers}");
        }
    }
}

#[test]
fn patient_fights_in_its_head_in_the_order_of_the_rules_in_force() {
    // Both cities become 6. In the hills 6 and 8 lose 4 each, whoever begins: 2 and 4, twice 2 less 4 is 0. In the
    // delta 6 and 7 fight down to 2: with the fewest first to 0 and 2, which is -2; with the most first to 1 and 1,
    // which is 1.
    let text = r#"system = "attrition"
[setup]
ranking = ["red", "blue"]
players = { red = {}, blue = { stock = 12 } }
[setup.areas]
hills = { limit = 6, tokens = { red = 8 }, city = "blue" }
delta = { limit = 2, tokens = { red = 7 }, city = "blue" }
[seats]
red = "first"
blue = "patient"
"#;
    for (house, first) in [(&[][..], "hills"), (&["most_first"], "delta")] {
        let answers = answers(text, house, &[], &[]);
        assert!(answers.contains(first), "{house:?}: {answers}");
    }
}

#[test]
fn careful_counts_the_dice_that_the_rules_in_force_leave() {
    // Bob throws 3 dice, ben 4, and his wound takes 2 of them where conditions cripple.
    let text = r#"system = "last_stand"
[params]
max_rounds = 1
[setup]
relevant_skill = "fight"
phase = "conflict"
teams = [ { name = "x", captain = "ann", initiating = true, morale = 8 }, { name = "y", captain = "bob", morale = 8 } ]
participants = [
  { name = "ann", team = "x", approaches = { vigor = 6 } },
  { name = "bob", team = "y", approaches = { vigor = 3 }, free_slots = [3] },
  { name = "ben", team = "y", approaches = { vigor = 4 }, free_slots = [3], conditions = [ { type = "physical", rating = 2 } ] },
]
[seats]
x = "careful"
y = "first"
"#;
    for (house, target) in [(&[][..], "bob"), (&["crippling_conditions"], "ben")] {
        let answers = answers(text, house, &[], &[]);
        let named = answers.split("target").nth(1).unwrap_or_default();
        let named = named.split("Text").nth(1).unwrap_or_default();
        assert!(named.starts_with(&format!("(\"{target}\"")), "{house:?}: {answers}");
    }
}

#[test]
fn greedy_sees_no_difference_between_equals() {
    // Against a hand at random each hand is as good as the others: expected is 0 for all three.
    let odds = odds("rock_paper_scissors/once", &[("ann", "greedy"), ("bob", "first")], 1);
    for result in ["ann", "bob", "draw"] {
        assert_eq!(odds["results"][result], "1/3", "{odds}");
    }
}

#[test]
fn nobody_sees_the_hand_that_is_shown_at_the_same_time() {
    // Whoever answered what the other shows would win, or lose, every time.
    let both = odds("rock_paper_scissors/once", &[("ann", "search:100"), ("bob", "random")], 1);
    assert_eq!(both["utility"]["ann"], "0", "{both}");
    let both = odds("rock_paper_scissors/once", &[("ann", "random"), ("bob", "search:100")], 1);
    assert_eq!(both["utility"]["bob"], "0", "{both}");
}

#[test]
fn search_plays_poker_better_than_random() {
    // Against one who plays at random there is more to win than for one who does so too. Well
    // played, ann loses 1/18 on average (Kuhn 1950): against one who always passes nobody loses more.
    for (seat, other) in [("ann", "bob"), ("bob", "ann")] {
        let utility = |agent, against| {
            let odds = odds("kuhn_poker/one_hand", &[(seat, agent), (other, against)], 1);
            number(&odds, "utility", seat)
        };
        let random = utility("random", "random");
        for agent in ["greedy", "search:500"] {
            let well = utility(agent, "random");
            assert!(well > random, "{seat}: {agent} {well}, random {random}");
            let first = utility(agent, "first");
            assert!(first >= -1.0 / 18.0, "{seat}: {agent} {first} against `first`");
        }
    }
}

/// A game that is explored completely, with `random` in every seat.
fn explored(name: &str) -> Seating {
    let seating = seating(name, &[]);
    let bounds = Bounds { threads: 1, nodes: 100_000 };
    assert_eq!(explore(&seating.graph, &seating, bounds, &|_| ()).unwrap(), Reach::Whole);
    seating
}

/// The decisions of a graph.
pub fn decisions(graph: &Graph) -> Vec<u32> {
    let mut seen = std::collections::BTreeSet::from([graph.root()]);
    let mut open = vec![graph.root()];
    while let Some(number) = open.pop() {
        open.extend(graph.node(number).all().filter(|&next| seen.insert(next)));
    }
    seen.into_iter().filter(|&number| graph.node(number).kind() == NodeKind::Decision).collect()
}

/// The answer of an agent at a node when it has worked out nothing before.
fn thinks(seated: &Seating, node: u32) -> Answer {
    let (explorer, seats) = seated.make_worker().unwrap();
    let seats = shared(seats);
    let answers = AnswerCache::new(&seated.graph);
    let answer: Arc<Answer> = explorer
        .visit(node, move |decision| {
            let mut seats = seats.borrow_mut();
            answers.work_out(Standpoint::at(node), decision, seats.agent(decision.player))
        })
        .unwrap();
    (*answer).clone()
}

#[test]
fn what_a_player_cannot_tell_apart_is_answered_alike() {
    for (name, players, every) in [
        ("kuhn_poker/one_hand", ["ann", "bob"], 1),
        ("territory/three_tokens", ["white", "black"], 23),
        ("rock_paper_scissors/once", ["ann", "bob"], 1),
        ("war_die/bluff", ["red", "blue"], 5),
    ] {
        let explored = explored(name);
        let (explorer, _) = explored.make_worker().unwrap();
        let mut sets = InformationSets::default();
        for node in decisions(&explored.graph) {
            sets.of(&explorer, node).unwrap();
        }
        let several: Vec<_> = sets.sets().iter().filter(|set| set.nodes.len() > 1).collect();
        assert!(!several.is_empty(), "{name}");
        for agent in ["search:60", "greedy"] {
            for set in several.iter().step_by(every) {
                let of = |&node: &u32| {
                    let seats: Vec<_> = players.iter().map(|player| (*player, agent)).collect();
                    let conflict = seated(name, &seats);
                    // A seating of its own for each node: nothing is remembered from one to the other.
                    let alone = Seating::at(&conflict, explored.graph.clone()).unwrap();
                    thinks(&alone, node)
                };
                let answers: Vec<Answer> = set.nodes.iter().take(4).map(of).collect();
                let alike = answers.iter().all(|answer| *answer == answers[0]);
                assert!(alike, "{name}, {agent}: {set:?}: {answers:?}");
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let seats = [("x", "search:40"), ("o", "greedy")];
    let one = odds("tic_tac_toe/empty_board", &seats, 1);
    assert_eq!(one["exact"], true);
    assert_eq!(one, odds("tic_tac_toe/empty_board", &seats, 3));
}

#[test]
fn answers_are_the_same_on_the_graph_off_it_and_where_it_is_full() {
    for (name, seats) in [
        ("tic_tac_toe/empty_board", [("x", "search:50"), ("o", "search:30")]),
        ("kuhn_poker/one_hand", [("ann", "search:50"), ("bob", "greedy")]),
        ("territory/three_tokens", [("white", "search:20"), ("black", "search:20")]),
    ] {
        let conflict = seated(name, &seats);
        let played = |memory: u64, on_graph: bool| {
            let seating = Seating::new(&conflict, memory).unwrap();
            let generator = Generator::playout(5, 1);
            if on_graph {
                let mut trace = fracas::graph::Traced::default();
                seating.playout_runner().unwrap().play_traced(generator, &mut trace).unwrap();
                return trace.history().to_string();
            }
            let mut seats = seating.seats(generator).unwrap();
            recorded(&conflict, |question| seats.choose(question)).0.history.to_string()
        };
        let expected = played(64 << 20, true);
        for (memory, on_graph) in [(64 << 20, false), (400 << 10, true), (400 << 10, false)] {
            assert_eq!(played(memory, on_graph), expected, "{name}: {memory}, {on_graph}");
        }
    }
}

/// The history of a scenario of which all seats have one agent, and how it ended.
fn history(name: &str, agent: &str) -> String {
    let players = Play::begin(seated(name, &[]), 3, &Limits::default()).unwrap().players;
    let seats: Vec<_> = players.names.iter().map(|player| (player.as_str(), agent)).collect();
    let play = Play::begin(seated(name, &seats), 3, &Limits::default()).unwrap();
    match play.position() {
        Position::Over { outcome, .. } => format!("{}{}", play.history(), outcome.result),
        Position::Asked(moment) => panic!("{name}: {:?}", moment.asked),
    }
}

#[test]
fn every_system_is_played_to_its_end_twice_alike() {
    for name in [
        "territory/three_tokens",
        "attrition/a_wait",
        "war_die/ford",
        "battle_tiles/two_tiles_each",
        "last_stand/last_blows",
    ] {
        for agent in ["greedy", "search:8"] {
            assert!(scenarios(&catalog()).contains(&name.to_owned()));
            assert_eq!(history(name, agent), history(name, agent), "{name}, {agent}");
        }
    }
}

#[test]
fn shipped_agents_play_where_shipped_house_rules_change_what_is_offered() {
    let (catalog, limits) = (catalog(), Limits::default());
    let mut played = 0;
    for folder in catalog.folders() {
        let agents = folder.names(FileKind::Agent);
        for name in folder.names(FileKind::Scenario) {
            let scenario = folder.scenario(&name).unwrap();
            let seats_them = |agent: &String| agents.contains(agent);
            if scenario.seats.is_empty() || !scenario.seats.values().all(seats_them) {
                continue;
            }
            for house in folder.names(FileKind::House) {
                let changes = Changes { house: vec![house.clone()], ..Changes::default() };
                let conflict = Conflict::of(&catalog, scenario.clone(), &changes, &limits);
                let conflict = conflict.unwrap_or_else(|error| panic!("{name}, {house}: {error}"));
                let seating = Seating::new(&conflict, 64 << 20).unwrap();
                let mut runner = seating.playout_runner().unwrap();
                for number in 0..6 {
                    let ended = runner.play(Generator::playout(7, number));
                    ended.unwrap_or_else(|error| panic!("{name} under {house}: {error}"));
                    played += 1;
                }
            }
        }
    }
    assert!(played >= 600, "{played}");
}
