//! Tests what `compare` says beside the odds, against a game whose portraits are worked out by hand.

use fracas::analysis::{
    Compared, Contrasting, Enough, MeasureSelection, Pair, Sampling, Seeking, alone,
};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict};
use fracas::script::Limits;
use serde_json::Value;
use tempfile::TempDir;

use crate::commands::run::fracas;
use crate::commands::scratch::Scratch;
use crate::support::{json, share_of};

/// Red picks low or high, then two coins fall; red has one for each head, and one less after high. So
/// under `random` red has 2 · 1/2 - 1/2 = 1/2 on average.
const TOSS: &str = r#"//! # Toss
//! Red picks, then coins fall.
fn setup(s) { #{ picked: "", heads: 0, fallen: 0 } }
/// C2. How many coins fall.
fn tosses() { 2 }
/// C3. What a head is worth.
fn worth() { 1 }
/// C4. What picking high is worth.
fn bonus() { -1 }
fn lucky() { "heads" }
fn edge() { 0 }
fn step() {
    if this.picked == "" { this.picked = this.choose("red", "pick", ["low", "high"]); return; }
    this.fallen += 1;
    let worth = worth();
    let side = this.roll("coin", "side", uniform(["heads", "tails"]));
    if side == lucky() { this.heads += worth; }
    if side == "edge" { this.heads += edge(); }
}
fn outcome() {
    if this.picked == "" || this.fallen < tosses() { return; }
    let total = this.heads;
    if this.picked == "high" { total += bonus(); }
    let result = if total > 0 { "red" } else { "blue" };
    #{ result: result, utility: #{ red: total, blue: 0 } }
}
"#;

const HOUSE: [(&str, &str); 5] = [
    ("long", "fn tosses() { 3 }"),
    ("dear", "fn worth() { 2 }"),
    ("gift", "fn bonus() { 1 }"),
    ("tails", "fn lucky() { \"tails\" }"),
    ("idle", "/// C9. What a coin on its edge is worth.\nfn edge() { 9 }"),
];

/// The game on disk.
struct Toss {
    catalog: Catalog,
    _folder: TempDir,
}

fn toss() -> Toss {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join("toss").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("rules.rhai", TOSS);
    for (name, text) in HOUSE {
        write(&format!("house/{name}.rhai"), &format!("//! # {name}\n//! Another rule.\n{text}\n"));
    }
    write("scenarios/one.toml", "system = \"toss\"\n[setup]\n");
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    Toss { catalog, _folder: folder }
}

impl Toss {
    fn open(&self, house: &[String]) -> Conflict {
        let changes = Changes { house: house.to_vec(), ..Changes::default() };
        Conflict::open(&self.catalog, "toss/one", &changes, &Limits::default()).unwrap()
    }

    /// Under these house rules; from playouts where a sampling is given, else exactly.
    fn under(&self, house: &[&str], sampling: Option<Sampling>) -> (Compared, Pair) {
        self.measuring(&[], house, sampling)
    }

    fn measuring(
        &self,
        measures: &[&str],
        house: &[&str],
        sampling: Option<Sampling>,
    ) -> (Compared, Pair) {
        let measures: Vec<String> = measures.iter().map(|&name| name.to_owned()).collect();
        let house: Vec<String> = house.iter().map(|&name| name.to_owned()).collect();
        let (base, changed) = (self.open(&[]), self.open(&house));
        let pair = Pair::between(&base, &changed, changed.changes.house.clone(), 64 << 20).unwrap();
        let wanted = MeasureSelection::read(&measures, &base, &pair.base).unwrap().sparing();
        let one = |number: usize| Ok(self.open(std::slice::from_ref(&house[number])));
        let (each, notes) = alone(&house, one).unwrap();
        let known = Sampling { seed: 1, n: 100, enough: Enough::All, threads: 1 };
        let odds = match sampling {
            Some(sampling) => Compared::sample(&pair, sampling, &|_| ()).unwrap(),
            None => {
                let seeking = Seeking { float: false, threads: 1, nodes: 10_000 };
                Compared::exactly(&pair, seeking, 1, &|_| ()).unwrap().unwrap()
            }
        };
        let contrasting = Contrasting {
            base: &base,
            house: &changed,
            alone: &each,
            wanted: &wanted,
            sampling: sampling.unwrap_or(known),
            memory: 64 << 20,
            notes,
        };
        let (compared, _) = odds.contrasted(&pair, &contrasting, &|_| ()).unwrap();
        (compared, pair)
    }
}

fn sampled(seed: u64, threads: usize) -> Option<Sampling> {
    Some(Sampling { seed, n: 200, enough: Enough::All, threads })
}

/// What is found under a name, as programs get it.
#[track_caller]
fn of<'a>(all: &'a Value, name: &str) -> &'a Value {
    let mut all = all.as_array().unwrap().iter();
    all.find(|one| one["name"] == name || one["function"] == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

fn said(compared: &Compared, pair: &Pair) -> String {
    compared.report(pair, false).text(100, true).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_third_coin_is_a_chance_event_more_and_half_a_point() {
    let (compared, pair) = toss().under(&["long"], None);
    let found = serde_json::to_value(&compared).unwrap();
    for (name, difference) in
        [("length.chance", "1"), ("length.steps", "1"), ("fairness.utility.red", "1/2")]
    {
        let change = of(&found["measures"], name);
        assert_eq!(
            (&change["fraction"], &change["certainty"]),
            (&difference.into(), &"sure".into())
        );
    }
    assert_eq!(of(&found["measures"], "length.decisions")["certainty"], "same");
    // `worth` is asked for with every coin.
    let worth = of(&found["clauses"], "worth");
    assert_eq!((worth["base"].as_f64(), worth["house"].as_f64()), (Some(2.0), Some(3.0)));
    assert_eq!((&worth["clause"], &worth["certainty"]), (&"C3".into(), &"sure".into()));
    let text = said(&compared, &pair);
    assert!(
        text.contains(
            "Under `long` the first seat is worth 0.5 less; a conflict has 1 more chance event;"
        ),
        "{text}"
    );
    assert!(text.contains("C3 `worth` 2 3"), "{text}");
    // Before each coin it is asked whether there is another: the house rule's in place of the rules'.
    assert!(text.contains("C2 `tosses` (long) 3 4"), "{text}");
    assert!(!text.contains("length.decisions"), "{text}");
    let all = compared.report(&pair, true).text(100, true);
    assert!(all.contains("length.decisions") && all.contains("same"), "{all}");
}

#[test]
fn in_the_first_playout_that_ends_otherwise_the_functions_that_run_more_often_are_listed() {
    let (compared, pair) = toss().under(&["long"], None);
    let found = serde_json::to_value(&compared).unwrap();
    let worth = of(&found["functions"], "worth");
    assert_eq!((&worth["base"], &worth["house"]), (&2.into(), &3.into()));
    let wanted = "C3 `worth` 3 times instead of 2";
    assert!(!said(&compared, &pair).contains(wanted));
    let all = compared.report(&pair, true).text(100, true);
    let all = all.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(all.contains(wanted), "{all}");
}

#[test]
fn heads_that_are_worth_more_are_more_luck() {
    // The pick is worth 1/2 more or less than the mean, 1/4 of what varies; two coins of 1 add 2/4, of 2
    // they add 2: luck has 2/3 of it, then 8/9.
    let (compared, pair) = toss().under(&["dear"], None);
    let found = serde_json::to_value(&compared).unwrap();
    assert_eq!(of(&found["measures"], "luck.chance")["fraction"], "2/9");
    assert_eq!(of(&found["measures"], "luck.red")["fraction"], "-2/9");
    let text = said(&compared, &pair);
    assert!(text.contains("chance decides 22.2 points more"), "{text}");
}

#[test]
fn a_dead_option_that_is_alive_is_named_and_so_is_the_other_way_round() {
    let (compared, pair) = toss().under(&["gift"], None);
    let found = serde_json::to_value(&compared).unwrap();
    let becomes: Vec<&str> = found["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["becomes"].as_str().unwrap())
        .collect();
    assert_eq!(becomes, ["dead", "alive"]);
    let text = said(&compared, &pair);
    assert!(text.contains("`low` of `pick` is never worth choosing any more"), "{text}");
    assert!(
        text.contains("`high` of `pick` is sometimes worth choosing, and never was before"),
        "{text}"
    );
}

#[test]
fn a_house_rule_that_never_applies_changes_nothing_and_says_why() {
    let toss = toss();
    for (sampling, where_to) in [(None, "in this conflict"), (sampled(1, 1), "in 200 playouts")] {
        let (compared, pair) = toss.under(&["idle"], sampling);
        let found = serde_json::to_value(&compared).unwrap();
        let measures = found["measures"].as_array().unwrap();
        let differs = |one: &&Value| one["difference"] != 0.0 || one["certainty"] != "same";
        assert!(measures.len() > 10 && measures.iter().find(differs).is_none(), "{measures:?}");
        let text = said(&compared, &pair);
        let never = format!("`idle` never ran {where_to}: C9 `edge` was not called.");
        assert!(text.contains(&never), "{text}");
    }
}

#[test]
fn several_rules_are_looked_at_alone_too() {
    // Three coins of 2 for two of 1: red has 3 in place of 1, 2 more. A third coin alone is 1/2 more,
    // coins of 2 alone are 1 more.
    let (compared, pair) = toss().under(&["long", "dear"], None);
    let found = serde_json::to_value(&compared).unwrap();
    assert_eq!(of(&found["measures"], "fairness.utility.red")["fraction"], "2");
    let alone: Vec<(&str, &Value)> = found["alone"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let utility = of(&one["measures"], "fairness.utility.red");
            (one["change"].as_str().unwrap(), &utility["fraction"])
        })
        .collect();
    assert_eq!(alone, [("long", &"1/2".into()), ("dear", &"1".into())]);
    let text = said(&compared, &pair);
    let table = "difference long dear together fairness.utility.red +0.5 +1 +2 ";
    assert!(text.contains(table), "{text}");
}

#[test]
fn of_many_changes_none_is_looked_at_alone_and_the_text_says_so() {
    let (compared, pair) = toss().under(&["long", "dear", "gift", "tails", "idle"], None);
    let found = serde_json::to_value(&compared).unwrap();
    assert_eq!(found["alone"], Value::Array(vec![]));
    assert!(said(&compared, &pair).contains("5 changes are only looked at together"));
}

#[test]
fn pairs_of_playouts_say_more_than_two_samples() {
    // A third coin adds 0 or 1 to the same two: a deviation of 1/2, so of 200 pairs the interval is
    // 1.97 · 1/2 / √200 = 0.07 to either side, where two samples had 0.18.
    let toss = toss();
    let (mut covered, seeds) = (0, share_of(200));
    for seed in 0..seeds {
        let (compared, _) = toss.under(&["long"], sampled(seed, 1));
        let found = serde_json::to_value(&compared).unwrap();
        let red = of(&found["measures"], "fairness.utility.red");
        let [low, high] = ["low", "high"].map(|key| red[key].as_f64().unwrap());
        assert!(((high - low) / 2.0 - 0.07).abs() < 0.002, "{low} to {high}");
        assert_eq!(red["certainty"], "likely");
        covered += u64::from((low..=high).contains(&0.5));
        // Each pair has one coin more.
        let coins = of(&found["measures"], "length.chance");
        assert_eq!(
            (coins["difference"].as_f64(), &coins["certainty"]),
            (Some(1.0), &"likely".into())
        );
    }
    // 5 % miss by chance, with a deviation of 3.1 of 200.
    assert!(covered + seeds / 20 + 3 + seeds / 20 >= seeds, "{covered} of {seeds}");
}

#[test]
fn what_comes_of_luck_is_compared_pair_by_pair() {
    // An edge never comes up, so each of the conflicts goes on as before: two samples could not tell that.
    // With half a pair added to each cell the interval of none among n is 1.96 / (n + 2) to either side.
    let (compared, _) = toss().measuring(&["luck"], &["idle"], sampled(1, 1));
    let found = serde_json::to_value(&compared).unwrap();
    for part in ["luck.chance", "luck.red"] {
        let part = of(&found["measures"], part);
        assert!(part["base"].as_f64().is_some_and(|share| share > 0.0 && share < 1.0), "{part}");
        assert_eq!(part["certainty"], "same", "{part}");
        assert!(
            part["high"].as_f64().is_some_and(|high| (high - 1.96 / 202.0).abs() < 1e-5),
            "{part}"
        );
    }
}

#[test]
fn a_change_that_is_none_is_seldom_likely() {
    // The other side of the coin counts: playouts differ, and no measure does. Over all measures one in
    // twenty comparisons may find one, so of 20 more than 4 have a chance of 0.003.
    let toss = toss();
    let seeds = share_of(200);
    let likely = |seed: &u64| {
        let (compared, _) = toss.under(&["tails"], sampled(*seed, 1));
        let found = serde_json::to_value(&compared).unwrap();
        found["measures"].as_array().unwrap().iter().any(|one| one["certainty"] == "likely")
    };
    let wrong = (0..seeds).filter(likely).count() as u64;
    assert!(wrong <= if seeds == 200 { 20 } else { 4 }, "{wrong} of {seeds}");
}

#[test]
fn what_is_compared_is_the_same_on_any_number_of_threads() {
    let toss = toss();
    let of = |threads: usize| json(&toss.under(&["long", "dear"], sampled(3, threads)).0);
    assert_eq!(of(1), of(2));
}

#[test]
fn tables_fit_the_screen() {
    for sampling in [None, sampled(1, 1)] {
        let (compared, pair) = toss().under(&["long", "dear"], sampling);
        for width in [100, 80, 40] {
            let text = compared.report(&pair, true).text(width, true);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        }
    }
}

#[test]
fn what_is_no_measure_is_told_before_anything_is_compared() {
    let scratch = Scratch::with_duel();
    let run = |line: &str| fracas(line).inside(scratch.path()).run();
    let line = "compare duel/one_round --param tie=first --seed 4";
    let ran = run(&format!("{line} --measure lenght"));
    ran.exits(2).says("unknown measure `lenght`; did you mean `length`?");
    run(&format!("{line} --measure result.nosuch"))
        .succeeds()
        .prints("No end has `result.nosuch`; ends have `result.");
    let json = run(&format!("{line} --measure length --measure margin --json")).succeeds().json();
    let names: Vec<&str> = json["measures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["length.decisions", "length.chance", "length.steps", "margin"]);
}

#[test]
fn what_takes_long_is_left_out_unless_it_is_named() {
    let scratch = Scratch::with_duel();
    let line = "compare duel/three_rounds --param highest=9 -n 60 --seed 4";
    let run = |more: &str| {
        fracas(&format!("{line}{more}"))
            .inside(scratch.path())
            .where_is("COLUMNS", "400")
            .run()
            .succeeds()
    };
    run(" --graph-memory 1M")
        .prints("Drama, luck, what options are worth, skill and perfect play are left out");
    let json = run(" --measure luck --json").json();
    let names =
        json["measures"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap());
    assert!(names.clone().count() > 1 && names.clone().all(|name| name.starts_with("luck.")));
}

#[test]
fn a_part_of_the_utility_that_only_one_side_has_is_0_on_the_other() {
    // Red pays for the die with 2 mana and 1 ore; with mana that is worth 3, with mana alone.
    let json = fracas("compare war_die/ford --param mana_value=3 --json").run().succeeds().json();
    let ore = of(&json["measures"], "parts.red.ore paid");
    assert_eq!([&ore["base"], &ore["house"], &ore["difference"]], [-1.0, 0.0, 1.0]);
    assert_eq!(ore["certainty"], "sure");
    let mana = of(&json["measures"], "parts.red.mana paid");
    assert_eq!([&mana["base"], &mana["house"]], [-2.0, -3.0]);
}
