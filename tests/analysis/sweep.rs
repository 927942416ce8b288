//! Tests `sweep`: each point is what `odds` or `estimate` prints, and the balance is where a
//! calculation by hand puts it.
//!
//! In the rules used here the wolves hold a gate: a die of 100 sides is thrown, and they win if it
//! shows at most `hold`, with probability `hold`/100. If the wolves win, ann has 2 and bob 1; if
//! not, the cat has 3. So with p the probability that the wolves win, the mean utility among the
//! wolves is 3p/2, the cat's is 3(1 - p), and the mean of all three, (3p + 3(1 - p))/3, is
//! always 1. Coins that are thrown before the die, and remembered, make the graph as large as a
//! test needs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use fracas::analysis::{Enough, Sampling, Sweep, SweepRun, Swept};
use fracas::catalog::{Catalog, ParamSpecs};
use fracas::conflict::Changes;
use fracas::script::{Budget, Limits};
use serde_json::{Value as Json, json};

use crate::commands::run::{Ran, fracas};
use crate::commands::scratch::Scratch;

const RULES: &str = r#"//! # A gate
fn setup(scenario) { #{ fell: 0, coins: [] } }
fn step() {
    if this.coins.len < params.coins {
        this.coins.push(this.roll("gate", "coin", uniform([0, 1])));
    } else {
        this.fell = this.roll("gate", "die", dice("1d100"));
    }
}
fn outcome() {
    if this.fell == 0 { return; }
    if this.fell > params.hold {
        return #{ result: "cat", utility: #{ ann: 0, bob: 0, cat: 3 } };
    }
    #{ result: "wolves", utility: #{ ann: 2, bob: 1, cat: 0 } }
}
fn sides() { #{ wolves: ["ann", "bob"] } }
"#;

const PARAMS: &str = r#"
[hold]
default = 50
min = 0
max = 100
meaning = "up to which number the wolves hold the gate"
[coins]
default = 0
values = [0, 1, 16]
meaning = "how many coins fall before the die"
"#;

/// So little memory that sixteen coins do not fit, and nothing is exact.
const SAMPLED: &str = "--param coins=16 --graph-memory 1M --seed 7";

fn gate() -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/gate/rules.rhai", RULES);
    scratch.write("rules/gate/params.toml", PARAMS);
    scratch.write("rules/gate/scenarios/night.toml", "system = \"gate\"\ntitle = \"At night\"\n");
    scratch
}

#[track_caller]
fn run(scratch: &Scratch, line: &str) -> Ran {
    fracas(line).inside(scratch.path()).run().succeeds()
}

#[track_caller]
fn swept(scratch: &Scratch, rest: &str) -> Json {
    run(scratch, &format!("sweep gate/night {rest} --json --quiet")).json()
}

/// A point without its values, which is what `odds` or `estimate` prints.
fn without_values(point: &Json) -> Json {
    let mut point = point.clone();
    point.as_object_mut().unwrap().shift_remove("values");
    point
}

#[test]
fn exact_points_are_those_of_odds() {
    let scratch = gate();
    let json = swept(&scratch, "hold=10..30..10 coins=1,0");
    assert_eq!(json["parameters"], json!(["hold", "coins"]));
    let points = json["points"].as_array().unwrap();
    let values: Vec<&Json> = points.iter().map(|point| &point["values"]).collect();
    assert_eq!(values.len(), 6);
    assert_eq!(values[0], &json!({ "hold": 10, "coins": 1 }));
    assert_eq!(values[1], &json!({ "hold": 10, "coins": 0 }));
    for point in points {
        let (hold, coins) = (&point["values"]["hold"], &point["values"]["coins"]);
        let line = format!("odds gate/night --param hold={hold} --param coins={coins} --json");
        assert_eq!(without_values(point), run(&scratch, &line).json());
    }
    assert_eq!(points[2]["results"], json!({ "cat": "4/5", "wolves": "1/5" }));
}

#[test]
fn sampled_points_are_those_of_estimate_and_have_the_same_chance() {
    let scratch = gate();
    let json = swept(&scratch, &format!("hold=48..52 {SAMPLED} -n 300"));
    let mut odds = Vec::new();
    for point in json["points"].as_array().unwrap() {
        let hold = &point["values"]["hold"];
        let line = format!("estimate gate/night {SAMPLED} --param hold={hold} -n 300 --json");
        assert_eq!(without_values(point), run(&scratch, &line).json());
        odds.push(point["results"]["wolves"]["mean"].as_f64().unwrap());
    }
    // The dice are the same at every value, so nobody loses by a higher one.
    assert!(odds.is_sorted(), "{odds:?}");
    let threads = |n: u32| {
        let line = format!("sweep gate/night hold=49..51 {SAMPLED} -n 2000 --balance wolves");
        run(&scratch, &format!("{line} --threads {n} --quiet")).stdout
    };
    assert_eq!(threads(1), threads(3));
}

#[test]
fn the_balance_is_where_it_is_by_hand() {
    let scratch = gate();
    // Wolves against the mean of all: 3p/2 - 1, which is 1/200 at 67 and -1/100 at 66. The cat:
    // 2 - 3p, which is -1/100 at 67 and 1/50 at 66. The odds of the result are even at 50.
    for (of, values, value, distance, measure) in [
        ("wolves", "60..70", 67, "1/200", "utility"),
        ("cat", "60..70", 67, "1/100", "utility"),
        ("result:wolves", "0..100..25", 50, "0", "odds"),
        ("result:cat", "7,30,51,90", 51, "1/100", "odds"),
    ] {
        let json = swept(&scratch, &format!("hold={values} --balance {of}"));
        let of = of.trim_start_matches("result:");
        let expected = json!({
            "of": of, "measure": measure, "value": value, "distance": distance, "alike": []
        });
        assert_eq!(json["balance"], expected);
    }
    // 49 and 51 are as near as each other.
    let json = swept(&scratch, "hold=49,51 --balance result:wolves");
    assert_eq!(json["balance"]["alike"], json!([51]));
    let text = run(&scratch, "sweep gate/night hold=60..70 --balance wolves");
    text.prints("mean utility in wolves is nearest to even at hold=67")
        .prints("1/200 = 0.005 above the mean of all")
        .prints("the odds are exact");
}

#[test]
fn a_long_range_is_searched_in_parts_and_says_so() {
    let scratch = gate();
    let json = swept(&scratch, "hold --balance result:wolves");
    assert_eq!(json["balance"]["value"], 50);
    let points = json["points"].as_array().unwrap();
    let holds: Vec<i64> =
        points.iter().map(|point| point["values"]["hold"].as_i64().unwrap()).collect();
    assert!(holds.len() < 64 && holds.is_sorted(), "{holds:?}");
    let tried: BTreeSet<i64> = holds.into_iter().collect();
    assert!([0, 49, 50, 51, 100].iter().all(|hold| tried.contains(hold)));
    let text = run(&scratch, "sweep gate/night hold --balance result:wolves");
    text.prints("tried:").prints("nothing else was");
}

#[test]
fn a_sampled_balance_names_the_values_that_may_be_as_near() {
    let scratch = gate();
    // 1000 playouts have a standard deviation of 1.6 %: nine from even are many, one is none.
    let far = swept(&scratch, &format!("hold=41,50,59 {SAMPLED} -n 1000 --balance result:wolves"));
    assert_eq!(far["balance"]["value"], 50);
    assert_eq!(far["balance"]["alike"], json!([]));
    let near = swept(&scratch, &format!("hold=49..51 {SAMPLED} -n 1000 --balance result:wolves"));
    assert!(!near["balance"]["alike"].as_array().unwrap().is_empty());
    let line = format!("sweep gate/night hold=49..51 {SAMPLED} -n 1000 --balance result:wolves");
    run(&scratch, &line)
        .prints("these may be as near:")
        .prints("less 1/2: ")
        .prints("estimates over hold (95 % intervals, seed 7")
        .says("at hold=49 and at every value with playouts, exact odds are out of reach: the memory bound of ");
    // What is exact and what is not stand beside each other, and each says what it is.
    let mixed = "sweep gate/night coins=1,16 --graph-memory 1M --seed 7 -n 1000";
    let mixed = run(&scratch, mixed);
    mixed.prints(" exact ").prints("1000").prints("exact odds and estimates");
}

#[test]
fn a_file_is_written_and_well_formed() {
    let scratch = gate();
    for (rest, shown) in [
        ("hold=10..90..20", ">odds by hold (exact)<"),
        ("hold=10..90..20 --of cat --of result:cat", ">utility of cat by hold (exact)<"),
        ("hold=1..3 coins=0,1", ">odds of cat by hold and coins (exact)<"),
    ] {
        let line = format!("sweep gate/night {rest} --svg out.svg");
        run(&scratch, &line).says("wrote `out.svg`");
        let svg = scratch.read("out.svg");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains(shown), "{svg}");
        // Each element that is opened is closed, in its order.
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1).map(|part| part.split('>').next().unwrap()) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let scratch = gate();
    let sampled = format!("hold=1..3 -n 50 {SAMPLED} --balance wolves");
    for rest in ["hold=1..3 coins=0,1", "hold=1..3 --of cat --balance wolves", &sampled] {
        for (columns, plain) in [("80", ""), ("40", ""), ("40", "--plain")] {
            let line = format!("sweep gate/night {rest} {plain}");
            let ran = fracas(&line).inside(scratch.path()).where_is("COLUMNS", columns).run();
            let ran = ran.succeeds();
            let width: usize = columns.parse().unwrap();
            let wide = ran.stdout.lines().find(|line| line.chars().count() > width);
            assert_eq!(wide, None, "{}", ran.stdout);
            assert!(plain.is_empty() || ran.stdout.is_ascii(), "{}", ran.stdout);
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_points_there_are() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let scratch = gate();
    let line = "sweep gate/night coins=0,16 --graph-memory 1M --seed 7 -n 1000000000 --svg a.svg";
    let mut command = fracas(line).inside(scratch.path()).command();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    // The second point has begun, and would take hours.
    assert!(said.any(|line| line.unwrap().contains("(1 of 2 points)")));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let mut printed = String::new();
    child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert!(
        said.any(|line| line.unwrap().contains("the points found before; no file was written"))
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(printed.contains("50.00 %"), "{printed}");
    assert!(!scratch.file("a.svg").exists());
}

#[test]
fn a_sweep_that_is_stopped_at_its_first_point_shows_what_is_known_of_it() {
    let scratch = gate();
    let catalog = Catalog::new(&[scratch.path().join("rules")]).unwrap();
    let scenario = catalog.scenario("gate/night").unwrap();
    let specs = ParamSpecs::read(catalog.folder("gate").unwrap().params().unwrap().as_ref());
    let swept = Swept::read(&["coins=16,0".to_owned()], &specs.unwrap()).unwrap();
    // Ctrl-C is pressed while the first point is explored: after that point was named, and after the
    // first nodes were seen.
    let flag = Arc::<AtomicBool>::default();
    let heard = AtomicUsize::new(0);
    let budget = Budget::new(1 << 30).interrupted_by(Some(flag.clone()));
    let limits = Limits { budget, ..Limits::default() };
    let over = SweepRun {
        catalog: &catalog,
        scenario: &scenario,
        changes: &Changes::default(),
        swept: &swept,
        limits: &limits,
        memory: 1 << 30,
        sampling: Sampling { seed: 7, n: 5_000, enough: Enough::All, threads: 2 },
        targets: &[],
        show: &|_| None,
        progress: &|_| {
            if heard.fetch_add(1, Ordering::Relaxed) == 1 {
                flag.store(true, Ordering::Relaxed);
            }
        },
    };
    let sweep = Sweep::run(&over).unwrap();
    assert!(sweep.cut.is_some() && sweep.points.len() == 1 && sweep.points[0].cut().is_some());
    assert_eq!(crate::support::json(&sweep.points[0])["values"]["coins"], 16);
    // A few playouts stand in for the rest: they end one way or the other.
    let shares = sweep.points[0].chances().results.values().map(|share| share.value);
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn a_point_that_fails_is_named_and_the_others_are_shown() {
    let scratch = gate();
    let fails = |at: &str| {
        let rules = format!("fn step() {{ if params.hold >= {at} {{ throw \"no\"; }}");
        scratch.write("rules/gate/rules.rhai", RULES.replace("fn step() {", &rules));
    };
    fails("50 && params.hold < 52");
    let ran = |rest: &str| fracas(&format!("sweep gate/night {rest}")).inside(scratch.path()).run();
    let json = ran("hold=49..52 --json --quiet").exits(1).json();
    let holds = |points: &Json| {
        let points = points.as_array().unwrap().iter();
        points.map(|point| point["values"]["hold"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((holds(&json["points"]), holds(&json["failed"])), (vec![49, 52], vec![50, 51]));
    let error = &json["failed"][0]["error"];
    assert_eq!((&error["kind"], &error["message"]), (&json!("script"), &json!("no")));
    assert!(error["again"].as_str().unwrap().contains("--param hold=50"), "{error}");
    let text = ran("hold=49..52 --plain").exits(1).stdout;
    assert!(
        text.contains("at hold=50 it fails, and is left out: no (rules/gate/rules.rhai:"),
        "{text}"
    );
    // A search goes on beside it: wolves have 3p/2, which is nearest to 1 at 67 of 100.
    let json = ran("hold=0..100 --balance wolves --json --quiet").exits(1).json();
    assert_eq!((&json["balance"]["value"], holds(&json["failed"])), (&json!(67), vec![50]));
    scratch.write("all.rhai", "print(scenario(\"gate/night\").sweep(\"hold\", 49..53));");
    run(&scratch, "run all.rhai").prints("2 points left out, as they fail: see `failed`");
    // What never ends is no other failure.
    let for_ever = "fn step() { if params.hold == 49 { loop { this.fell = 1; } }";
    scratch.write("rules/gate/rules.rhai", RULES.replace("fn step() {", for_ever));
    let json = ran("hold=49..50 --json --quiet").exits(1).json();
    assert_eq!((holds(&json["points"]), holds(&json["failed"])), (vec![50], vec![49]));
    assert_eq!(json["failed"][0]["error"]["kind"], json!("limit"));
    // Where all fail, the first failure is the answer.
    fails("0");
    ran("hold=49..52").exits(1).says("it failed at hold=49").says("error: no");
}
