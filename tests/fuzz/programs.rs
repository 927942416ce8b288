//! Targets for scripts: rules, house rules and agents as they are played, scripts of the lab, and lines at
//! the prompt.

use std::path::PathBuf;
use std::time::Duration;

use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Play, Seating};
use fracas::graph::{Bounds, explore};
use fracas::repl::{Said, Session, SessionOptions};

use super::files::{limits, shown, told};
use super::target::all;
use crate::target;

/// A folder with the system `x`, of which each run writes one file anew.
struct Rules {
    folder: tempfile::TempDir,
    file: PathBuf,
}

impl Rules {
    fn with(file: &str) -> Rules {
        let folder = tempfile::tempdir().unwrap();
        let system = folder.path().join("x");
        for inside in ["scenarios", "house", "agents"] {
            std::fs::create_dir_all(system.join(inside)).unwrap();
        }
        std::fs::write(system.join("rules.rhai"), TOY).unwrap();
        let scenario = "system = \"x\"\n[setup]\nred = 3\n";
        std::fs::write(system.join("scenarios/one.toml"), scenario).unwrap();
        let file = system.join(file);
        Rules { folder, file }
    }

    fn open(&self, changes: &Changes) -> Option<Conflict> {
        let catalog = Catalog::new(&[self.folder.path().to_owned()]).unwrap();
        told(Conflict::open(&catalog, "x/one", changes, &limits()))
    }

    /// Plays what is written: once, and as a graph of a few nodes.
    fn play(&self, bytes: &[u8], changes: &Changes) -> bool {
        std::fs::write(&self.file, bytes).unwrap();
        let Some(conflict) = self.open(changes) else { return false };
        let Some(seating) = told(Seating::new(&conflict, 8 << 20)) else { return false };
        let explored =
            told(explore(&seating.graph, &seating, Bounds { threads: 1, nodes: 30 }, &|_| ()));
        told(Play::begin(conflict, 1, &limits())).is_some() && explored.is_some()
    }
}

/// Rules in which much is overridden, and in which both think.
const TOY: &str = r#"//! # X
fn setup(s) { #{ stock: #{ red: s.number("red", 3), blue: 2 }, turns: 0, last: () } }
fn step() {
    let who = if this.turns % 2 == 0 { "red" } else { "blue" };
    let bid = this.choose(who, "bid", this.bids(who));
    let fell = this.roll(who, "die", dice("1d3"));
    this.stock[who] -= min(bid, this.stock[who]);
    this.last = [who, bid, fell];
    this.emit(`${who} bids ${bid}, ${fell} falls`);
    this.turns += 1;
}
fn bids(who) { let all = []; for n in 0..=this.stock[who] { all.push(n); } all }
fn outcome() {
    if this.turns < 4 { return; }
    #{ result: "over", utility: #{ red: this.stock.red - this.stock.blue, blue: this.stock.blue - this.stock.red } }
}
fn view(player) { let seen = this; seen.stock = #{ red: this.stock.red, blue: this.stock.blue }; seen }
fn picture() { `${this.stock}` }
fn laws() { [] }
"#;

fn rules_of_all() -> Vec<Vec<u8>> {
    let mut seeds = all("tests/fuzz/seeds", "rules.rhai");
    seeds.push(TOY.as_bytes().to_vec());
    let turned = [
        (
            "this.roll(who, \"die\", dice(\"1d3\"))",
            "this.roll(who, \"die\", weighted([[1, 2], [2, 3]]))",
        ),
        (
            "this.choose(who, \"bid\", this.bids(who))",
            "this.choose_secretly(\"bid\", #{ red: [1, 2], blue: [2, 3] })[who]",
        ),
        (
            "fn laws() { [] }",
            "fn laws() { if this.turns > 9 { [\"long\"] } else { [] } }\nfn sides() { #{ both: [\"red\", \"blue\"] } }",
        ),
        (
            "this.turns += 1;",
            "this.turns += [1, 1].len - 1; let sorted = [3, 1]; sorted.sort(); this.last = sorted.to_json();",
        ),
    ];
    seeds.extend(turned.map(|(old, new)| TOY.replace(old, new).into_bytes()));
    seeds.extend(all("tests/fixtures/rules", "rules.rhai"));
    seeds.extend(all("tests/fixtures/for_ever", ".rhai"));
    seeds
}

target!(rules, rules_of_all(), {
    let rules = Rules::with("rules.rhai");
    move |bytes: &[u8]| rules.play(bytes, &Changes::default())
});

target!(
    house,
    {
        let mut seeds = all("rules", ".rhai");
        seeds.retain(|seed| seed.len() < 3_000);
        seeds.push(
            b"//! # H\nfn bids(who) { let all = this.super(who); all.push(7); all }\n".to_vec(),
        );
        seeds.push(b"//! # H\nfn outcome() { let end = this.super(); if end != () { end.utility.red *= 2; } end }\n".to_vec());
        let of_the_toy = [
            "fn setup(s) { let state = super(s); state.stock.red += 2; state.more = [1, #{ a: \"b\" }]; state }",
            "fn step() { this.super(); if this.turns > 1 { this.emit(\"late\"); this.last = dice(\"2d4\").values(); } }",
            "const MOST = range(1, 4);\nfn bids(who) { MOST.map(|n| n * this.stock[who]).filter(|n| n < 9) }",
            "fn view(player) { let seen = this.super(player); seen.others = this.stock.keys().len; seen }\nfn picture() { side_by_side([this.super(), \"x\\ny\"], \" \") }",
            "fn step() { let both = this.choose_secretly(\"show\", #{ red: [1, 2], blue: [\"a\", \"b\"] });\n    this.last = both.red; this.turns += 1; }",
            "fn laws() { let broken = []; for who in this.stock.keys() { if this.stock[who] < 0 { broken.push(who); } } broken }",
        ];
        seeds.extend(of_the_toy.map(|text| format!("//! # H\n{text}\n").into_bytes()));
        seeds
    },
    {
        let rules = Rules::with("house/h.rhai");
        let changes = Changes { house: vec!["h".to_owned()], ..Changes::default() };
        move |bytes: &[u8]| rules.play(bytes, &changes)
    }
);

target!(
    agent,
    {
        let mut seeds = all("scripts/agents", ".rhai");
        seeds.push(b"fn decide(view, decision) { decision.options[view.turns % decision.options.len()] }\n".to_vec());
        let of_the_toy = [
            "fn params() { #{ rate: 2 } }\nfn decide(view, decision) { let all = []; for one in decision.options { all.push([one, 1 + params.rate]); } weighted(all) }",
            "fn decide(view, decision) { let best = decision.options[0]; for one in decision.options { if one > best && view.stock.len > 1 { best = one; } } best }",
            "fn decide(view, decision) { let other = if decision.player == \"red\" { \"blue\" } else { \"red\" };\n    if view.stock[other] > 1 { decision.options.reduce(|a, b| max(a, b)) } else { uniform(decision.options) } }",
        ];
        seeds.extend(of_the_toy.map(|text| format!("//! # A\n{text}\n").into_bytes()));
        seeds
    },
    {
        let rules = Rules::with("agents/a.rhai");
        let seats = ["red", "blue"].map(|seat| (seat.to_owned(), "a".to_owned())).to_vec();
        let changes = Changes { seats, ..Changes::default() };
        move |bytes: &[u8]| rules.play(bytes, &changes)
    }
);

/// What is typed: each run is a session of its own, in which some line is to be fine.
fn typed(bytes: &[u8]) -> bool {
    // What is written to a file would stay.
    let lines = String::from_utf8_lossy(bytes);
    let writes = ["save", "edit", "write", "svg", "tournament", "new"];
    let mut limits = limits();
    // `estimate(s, 9999999999)` is work for days, which a person stops.
    limits.budget = limits.budget.begin(Some(Duration::from_secs(5)));
    let options = SessionOptions { limits, ..SessionOptions::default() };
    let mut session = Session::new(super::files::catalog(), options);
    let mut fine = false;
    for line in lines.lines().filter(|line| !writes.iter().any(|word| line.contains(word))).take(12)
    {
        let reply = session.enter(line);
        fine |= reply.error().is_none();
        for said in &reply.said {
            match said {
                Said::Error(error) => {
                    shown(error);
                }
                said => assert!(said.text().is_some()),
            }
        }
        if reply.ends {
            break;
        }
    }
    let _ = session.finish();
    fine
}

target!(prompt, all("tests/fuzz/seeds", ".lines"), typed);
