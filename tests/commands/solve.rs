//! Tests `solve` and `exploit` in scripts of the lab: they find what the commands find, and
//! solutions can be saved, played and plotted.

use super::run::{Ran, fracas};
use super::scratch::Scratch;
use crate::support::path;

fn lab(scratch: &Scratch, code: &str) -> Ran {
    let rules = path("tests/fixtures/rules");
    let line = fracas("--seed 1 --plain --rules").with(rules.to_str().unwrap()).with("-e");
    line.with(code).inside(scratch.path()).run()
}

#[test]
fn a_script_finds_and_prints_what_the_command_does() {
    let scratch = Scratch::empty();
    let rules = path("tests/fixtures/rules");
    let command = |line: &str| {
        let line = fracas(line).with("--rules").with(rules.to_str().unwrap());
        line.inside(scratch.path()).run().succeeds()
    };
    let code = "scenario(\"kuhn_poker/one_hand\").solve(#{ exact: true })";
    let text = command("--plain solve kuhn_poker/one_hand --exact").stdout;
    // The command says in a line of its own what kind of game it is.
    let kind = text.lines().find(|line| line.starts_with("two sides, ")).unwrap();
    let without = text.replacen(&format!("{kind}\n"), "", 1);
    // The first of her situations, not the mean of all.
    let first = "What to do: ann at `act`: pass (86.67 %), bet (13.33 %) in the first of 6 situations \
                 (card: 1); bob at";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&text).starts_with(first), "{text}");
    // Two screens, with the line on what kind of game it is; `--all` prints the rest, twelve in all.
    assert!(text.lines().count() <= 48, "{text}");
    let sets = |text: &str| text.matches(" · act, reached ").count();
    let all = command("--plain solve kuhn_poker/one_hand --exact --all").stdout;
    let (shown, whole) = (sets(&text), sets(&all));
    assert!(shown < whole && whole == 12, "{text}");
    let rest = format!("… and {} information sets more (`--all`, `--json`)", whole - shown);
    assert!(text.ends_with(&format!("{rest}\n")) && !all.contains('…'), "{text}");
    assert_eq!(lab(&scratch, code).succeeds().stdout, without);
    let json = command("--json solve kuhn_poker/one_hand --exact").json();
    let found = lab(&scratch, &format!("save_json(\"found.json\", {code})"));
    found.succeeds().says("wrote `found.json`");
    let found: serde_json::Value = serde_json::from_str(&scratch.read("found.json")).unwrap();
    assert_eq!(found, json);
    let code = "scenario(\"kuhn_poker/one_hand\").seat(\"ann\", \"first\").exploit()";
    let text = command("--plain exploit kuhn_poker/one_hand --seat ann=first").stdout;
    assert_eq!(lab(&scratch, code).succeeds().stdout, text);
}

/// Whoever goes straight while the other swerves gains 1 from them; both straight lose 10. Nobody gains by
/// stopping, which costs 20.
const CHICKEN: &str = r#"
system = "payoff_table"
[setup]
players = ["row", "column"]
columns = ["swerve", "straight", "stop"]
rows = [
  { word = "swerve", first = [0, -1, 0], second = [0, 1, -20] },
  { word = "straight", first = [1, -10, 0], second = [-1, -10, -20] },
  { word = "stop", first = [-20, -20, -20], second = [0, 0, -20] },
]
"#;

#[test]
fn what_one_equilibrium_of_several_does_is_not_said_of_all() {
    let scratch = Scratch::empty();
    scratch.write("chicken.toml", CHICKEN);
    let rules = path("tests/fixtures/rules");
    let text = |scenario: &str| {
        let line = fracas(&format!("--plain solve {scenario}")).with("--rules");
        let ran = line.with(rules.to_str().unwrap()).inside(scratch.path()).run().succeeds();
        ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // One swerves and loses 1, or the other; or both swerve with p, where p - 1 = p - 10 (1 - p): 9/10, which
    // is worth -1/10. Only stopping is in none of the three.
    let chicken = text("chicken.toml");
    let never = "What never to do in any of them: stop at `word` (column and row). It is worth between -1 and 1 to row, \
                 between -1 and 1 to column in the 3 equilibria found.";
    assert!(chicken.starts_with("What to do in the first of 3 equilibria found: "), "{chicken}");
    assert!(chicken.contains(never), "{chicken}");
    // What one of them does not do is not what nobody ever does.
    assert!(chicken.contains("not here: ") && !chicken.contains("never: "), "{chicken}");
    let line = fracas("--json solve chicken.toml").with("--rules");
    let json = line.with(rules.to_str().unwrap()).inside(scratch.path()).run().succeeds().json();
    assert_eq!(json["value_of"], "the first of 3 equilibria found");
    // Luce and Raiffa, 1957: 2 and 1, 1 and 2, or 2/3 for both.
    let sexes = text("payoff_table/battle_of_the_sexes");
    let never = "What never to do in any of them: nothing, each option is right in one of them. It is worth \
                 between 2/3 = 0.6667 and 2 to ann, between 2/3 = 0.6667 and 2 to bob in the 3 \
                 equilibria found.";
    assert!(sexes.contains(never), "{sexes}");
    // Where there is one, it is said of that.
    let pennies = text("payoff_table/matching_pennies");
    let one = "What to do: ann and bob at `word`: heads (50.00 %), tails (50.00 %). What never to do: nothing, \
               each option is right at times. It is worth 0 to ann, 0 to bob.";
    assert!(pennies.starts_with(one), "{pennies}");
    // The advice of the first decision is for whoever holds that card, and nobody has answered yet.
    let leduc = text("leduc_poker/one_hand");
    let first = " in the first of 116 situations (card: 1); bob at `act`: ";
    assert!(leduc.starts_with("What to do: ann at `act`: ") && leduc.contains(first), "{leduc}");
}

#[test]
fn what_was_saved_is_worth_what_the_game_is() {
    let scratch = Scratch::empty();
    let code = "let kuhn = scenario(\"kuhn_poker/one_hand\");\n\
                kuhn.solve(#{ exact: true, save: \"kuhn.json\" });\n\
                kuhn.seat(\"ann\", \"solved(kuhn.json)\").exploit().value.bob";
    // Kuhn, 1950: the game is worth -1/18 to the first player.
    lab(&scratch, code).succeeds().says("wrote `kuhn.json`").prints("1/18");
    let code = "scenario(\"kuhn_poker/one_hand\").solve(#{ save: \"../kuhn.json\" })";
    lab(&scratch, code).exits(1).says("only files below the current folder");
}

#[test]
fn where_nothing_was_learned_there_is_no_curve() {
    let scratch = Scratch::empty();
    // Where all is worked out at once there is nothing to be drawn.
    let line = "solve war_die/standoff --svg d.svg";
    let ran = fracas(line).inside(scratch.path()).run().succeeds();
    ran.says("nothing had to be learned (").says("so there is no curve");
    assert!(!scratch.file("d.svg").exists());
    let code = "plot(scenario(\"war_die/standoff\").solve())";
    lab(&scratch, code).exits(1).says("there is no curve to plot");
}

#[test]
fn what_was_learned_is_drawn_as_a_curve() {
    // The higher of two hidden numbers wins, and bob where they are the same: 501 · 501 pairs of answers are more
    // than a table or a linear program takes, so that the strategies are learned.
    let scratch = Scratch::empty();
    let rules = "//! # High\n//! The higher number wins, and neither sees the other's.\n\
         fn setup(s) { #{ a: 0, b: 0 } }\n\
         fn step() {\n    let numbers = [];\n    for n in 1..=501 { numbers.push(n); }\n    \
         this.a = this.choose(\"ann\", \"number\", numbers);\n    \
         this.b = this.choose(\"bob\", \"number\", numbers);\n}\n\
         fn view(player) { #{} }\n\
         fn outcome() {\n    if this.b > 0 {\n        let won = if this.a > this.b { 1 } else { -1 };\n        \
         #{ result: \"over\", utility: #{ ann: won, bob: -won } }\n    }\n}\n";
    scratch.write("rules/high/rules.rhai", rules);
    scratch.write("rules/high/scenarios/one.toml", "system = \"high\"\n");
    let line = "solve high/one --within 0.5 --svg learned.svg --plain";
    let ran = fracas(line).inside(scratch.path()).run().succeeds();
    // Against one who mixes evenly ann nearly always wins with 501: where it begins is far from perfect.
    let ran = ran.prints("regret minimisation");
    let iterations = ran.stdout.lines().find_map(|line| line.strip_suffix(" iterations"));
    assert!(iterations.is_some_and(|number| number.parse::<u64>().unwrap() > 1), "{ran:?}");
    let drawn = scratch.read("learned.svg");
    assert!(drawn.contains("exploitability by seconds") && drawn.contains("<polyline"), "{drawn}");
}

#[test]
fn what_is_asked_wrongly_is_refused() {
    let scratch = Scratch::empty();
    let refused = |call: &str, why: &str| {
        let code = format!("scenario(\"war_die/standoff\").{call}");
        lab(&scratch, &code).exits(1).says(why);
    };
    refused("tune(#{})", "the following required arguments were not provided: `want`");
    refused("solve(#{ exat: true })", "unknown option `exat`; did you mean `exact`?");
    refused("solve(#{ exact: 1 })", "`exact` must be true or false, got `1`");
    refused("solve(#{ within: -1 })", "invalid value '-1' for `within`: must be a number above 0");
    refused(
        "solve(#{ time: \"1 s\" })",
        "invalid value '1 s' for `time`: must be a number above 0",
    );
    refused("exploit(\"bleu\")", "unknown seat `bleu`; did you mean `blue`?");
    let seats = "seat(\"red\", \"first\").seat(\"blue\", \"first\")";
    refused(&format!("{seats}.exploit()"), "an agent sits in every seat");
}

#[test]
fn under_the_house_rule_more_stacks_hide_an_advocate() {
    let line = "--json run scripts/hidden_advocates.rhai";
    let rows = fracas(line).inside(&path("")).run().succeeds().json();
    // The scenario's own words: of 100 stacks 69 hide an advocate, 59 an isolationist, 35 an aggressor,
    // and 95 an advocate under the house rule.
    let of = |row: usize, key: &str| rows[row][key].as_f64().unwrap().round();
    assert_eq!((of(0, "as_it_is"), of(0, "changed")), (69.0, 95.0));
    assert_eq!((of(1, "as_it_is"), of(2, "as_it_is")), (35.0, 59.0));
}

#[test]
fn nobody_is_seated_where_everybody_is_solved_for() {
    let ran = fracas("solve war_die/ford --seat red=random").run().exits(2);
    ran.says("`--seat red=random`").says("`fracas exploit`");
}

#[test]
fn two_solutions_that_share_a_time_limit_name_all_of_it() {
    // Each has half of what is left, which nobody asked for.
    let scratch = Scratch::empty();
    let line = "--plain solve last_stand/last_blows --house outnumbered --time 0.5";
    let ran = fracas(line).inside(scratch.path()).run().exits(1);
    let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(told.matches("the time limit of 0.5 s was reached").count(), 2, "{told}");
}

/// One hides in one of 51 places, and the other seeks in 50 of them.
const GUESS: &str = r#"//! # Guess
fn setup(s) { #{ turn: 0, hid: 0, won: 0 } }
fn step() { let all = []; for n in 0..51 - this.turn { all.push(n); } if this.turn == 0 { this.hid = this.choose("ann", "hide", all); } else { this.won = if this.choose("bob", "seek", all) == this.hid { 1 } else { -1 }; } this.turn += 1; }
fn outcome() { if this.turn == 2 { #{ result: "met", utility: #{ ann: -this.won, bob: this.won } } } }
fn view(player) { #{ turn: this.turn } }
"#;

#[test]
fn how_many_pure_strategies_there_are_is_said_once() {
    let scratch = Scratch::empty();
    // 51 times 50 pairs are more than are solved in fractions.
    scratch.write("rules/guess/rules.rhai", GUESS);
    scratch.write("one.toml", "system = \"guess\"\n");
    let ran =
        fracas("solve one.toml --exact --rules rules").inside(scratch.path()).run().succeeds();
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(said.matches("pure strategies:").count(), 1, "{said}");
}

#[test]
fn a_game_is_written_for_gambit_node_by_node() {
    let scratch = Scratch::empty();
    let rules = path("tests/fixtures/rules");
    let line =
        fracas("solve kuhn_poker/one_hand --efg kuhn.efg --rules").with(rules.to_str().unwrap());
    line.inside(scratch.path()).run().succeeds().says("wrote `kuhn.efg`");
    let text = scratch.read("kuhn.efg");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("EFG 2 R \"kuhn_poker/one_hand\" { \"ann\" \"bob\" }"));
    let of = |kind: &str| text.lines().filter(|line| line.starts_with(kind)).collect::<Vec<_>>();
    // Three cards for ann and two that are left for bob: 4 nodes of chance, 6 deals. Each has 5 ends, and 4 decisions:
    // she passes or bets, he after either, she again after his bet. Each player has 6 information sets: 3 cards, asked
    // first or after a bet.
    assert_eq!((of("c ").len(), of("t ").len(), of("p ").len()), (4, 30, 24));
    let sets: std::collections::BTreeSet<&str> =
        of("p ").iter().map(|line| &line[.."p \"\" 1 10".len()]).collect();
    assert_eq!(sets.iter().filter(|set| set.starts_with("p \"\" 1")).count(), 6, "{sets:?}");
    assert_eq!(sets.len(), 12);
    let ends = |payoffs: &str| of("t ").iter().filter(|line| line.ends_with(payoffs)).count();
    // Pass, bet, pass loses ann 1, bet and pass wins her 1, and three ends a deal show the cards: in half of the
    // deals hers is higher, one of the ends for 1 and two for 2.
    let counts = ["{ 1, -1 }", "{ -1, 1 }", "{ 2, -2 }", "{ -2, 2 }"].map(ends);
    assert_eq!(counts, [6 + 3, 6 + 3, 2 * 3, 2 * 3]);
    fracas("solve kuhn_poker/one_hand --efg gone/kuhn.efg --rules")
        .with(rules.to_str().unwrap())
        .inside(scratch.path())
        .run()
        .exits(2)
        .says("gone");
}
