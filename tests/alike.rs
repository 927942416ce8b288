//! Tests that a playout comes to the same, its end or the limit that it passes, however it is made: by the
//! script alone or on a graph that knows nothing, everything or as much as fits, by runs that are kept or
//! not, on any number of threads, heard or unheard, and while something else keeps the machine busy.
//!
//! `FRACAS_ALIKE` is how many playouts of each script are compared; few, where it is not set.

use std::sync::atomic::{AtomicBool, Ordering};

use fracas::analysis::{Enough, Estimated, Odds, Sampling, Seeking};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::error::{Error, Limit, ScriptFault};
use fracas::game::Generator;
use fracas::graph::{PlayoutRunner, WorkerFactory};
use fracas::script::{Ear, Limits, Run};

const SEED: u64 = 15;

/// Operations in one playout of these tests.
const MOST: u64 = 60_000;

fn playouts() -> u64 {
    std::env::var("FRACAS_ALIKE").ok().and_then(|n| n.parse().ok()).unwrap_or(8)
}

/// A rule of six rounds in which red picks from 1 to 4 each time. Where it leads depends on the sum of the
/// picks up to a remainder, so that many ways lead to the same state.
fn rules(setup: &str, before: &str, after: &str, outcome: &str, more: &str) -> String {
    format!(
        r#"
fn setup(scenario) {{ {setup} #{{ round: 0, sum: 0, idle: 0 }} }}
fn work(times) {{ let sum = 0; for i in 0..times {{ sum += i; }} sum }}
fn step() {{
    {before}
    let n = this.choose("red", "pick", [1, 2, 3, 4]);
    this.sum = (this.sum + n) % 5;
    {after}
    this.round += 1;
}}
fn outcome() {{
    {outcome}
    if this.round == 6 {{ #{{ result: this.sum.to_string(), utility: #{{ red: this.sum, blue: 0 }} }} }}
}}
{more}
"#
    )
}

/// A script near a limit: its name, the rules, the agent that plays red, the limits, and which limit it is.
struct Near {
    name: &'static str,
    rules: String,
    agent: Option<&'static str>,
    limits: Limits,
    limit: fn(&Limit) -> bool,
}

fn near(name: &'static str, rules: String, limit: fn(&Limit) -> bool) -> Near {
    let limits = Limits { playout: MOST, ..Limits::default() };
    Near { name, rules, agent: None, limits, limit }
}

fn is_playout(limit: &Limit) -> bool {
    matches!(limit, Limit::Playout(MOST))
}

/// Scripts of which some playouts keep within a limit and others pass it.
fn scripts() -> Vec<Near> {
    let view = "fn view(player) { work(1000 + this.sum * 1100); #{ sum: this.sum } }";
    let together = "let all = this.choose_secretly(\"show\", #{ red: [1, 2, 3], blue: [1, 2] });
                    this.sum += all.red; work(600 * all.red * all.blue);
                    this.sum += this.roll(\"red\", \"fell\", dice(\"1d3\")); work(300 * this.sum);";
    // Steps in which nobody is asked, each too short to count by itself.
    let idle = "if this.idle > 0 { this.idle -= 1; work(40); return; }";
    let shrinks = "for i in 0..n { this.held.pad(n * 700, i); this.held.truncate(3); }
                   for i in 0..n * 400 { let other = this.held; other.push(i); }";
    // What was deep in a state is no longer there, however the state came about.
    let deep = "for i in 0..n * 110 { let y = [[[[this.x]]]]; }
                let d = []; for i in 0..246 { d = [d]; }
                this.x.hold = d; this.x.hold = 0; if this.x.big.len == 0 { this.x.big.pad(900, 1); }";
    let held = "x: #{ hold: 0, big: [] }";
    vec![
        near("deep", rules("", "", deep, "", "").replace("idle: 0", held), is_playout),
        near("shrinks", rules("", "", shrinks, "", "").replace("idle: 0", "held: []"), is_playout),
        near("after", rules("", "", "work(n * 1_300);", "", ""), is_playout),
        near("before", rules("", "work(this.sum * 1_900);", "", "", ""), is_playout),
        near("setup", rules("work(11_500);", "", "work(n * 550);", "", ""), is_playout),
        near("outcome", rules("", "", "", "work(this.sum * 1_650);", ""), is_playout),
        near("together", rules("", "", together, "", ""), is_playout),
        near("idle", rules("", idle, "this.idle = 7 * n * n;", "", ""), is_playout),
        Near {
            agent: Some("fn decide(view, decision) { decision.options[view.sum % 4] }"),
            // The agent picks what the sum says, so chance has to move it.
            ..near("view", rules("", ROLL, "work(n * 1_300);", "", view), is_playout)
        },
        Near {
            limits: Limits { leg: 9_000, ..Limits::default() },
            ..near(
                "step",
                rules("", "", "if n == 4 { work(this.sum * 1_000); }", "", ""),
                |limit| matches!(limit, Limit::Operations(9_000)),
            )
        },
        Near {
            limits: Limits { questions: 20, ..Limits::default() },
            ..near("questions", rules("", "", ASK, "", ""), |limit| {
                matches!(limit, Limit::Questions(20))
            })
        },
        Near {
            limits: Limits { steps: 60, ..Limits::default() },
            ..near(
                "steps",
                rules("", idle, "this.idle = 14 * n + this.sum + 1;", "", ""),
                |limit| matches!(limit, Limit::Steps(60)),
            )
        },
        near("size", rules("", "", "if this.sum == 4 { fill(n * 5_100); }", "", FILL), is_size),
        near("text", rules("", "", "if this.sum == 4 { spell(n * 45_000); }", "", SPELL), is_size),
        near(
            "entries",
            rules("", "", "if this.sum == 4 { index(n * 1_700); }", "", INDEX),
            is_size,
        ),
        near("nesting", rules("", "", "if this.sum == 4 { nest(n * 85); }", "", NEST), is_size),
        // What one step leaves in the state the next ones add to.
        near(
            "grows",
            rules("", "", "let more = []; more.pad(n * 650, n); this.held.append(more);", "", "")
                .replace("idle: 0", "held: []"),
            is_size,
        ),
        near("depth", rules("", "", "if this.sum == 0 { dig(n * 45); }", "", DIG), |limit| {
            matches!(limit, Limit::Calls(_))
        }),
        Near {
            limits: Limits { held: 5_000_000, ..Limits::default() },
            ..near(
                "held",
                rules(
                    "",
                    "",
                    "if n == this.sum && this.round > 0 { this.hold(2 * n - 1); }",
                    "",
                    HOLD,
                ),
                |limit| matches!(limit, Limit::Memory(5_000_000)),
            )
        },
    ]
}

fn is_size(limit: &Limit) -> bool {
    matches!(limit, Limit::Size(_) | Limit::Nesting(_))
}

const SPELL: &str = "fn spell(length) { let text = \"x\"; text.pad(length, \"y\"); text + text }";
const INDEX: &str = "fn index(count) { let all = #{}; for i in 0..count { all[`k${i}`] = i; } }";
const NEST: &str = "fn nest(depth) { let all = []; for i in 0..depth { all = [all]; } }";
const ROLL: &str = "this.sum = (this.sum + this.roll(\"red\", \"fell\", dice(\"1d4\"))) % 5;";
const ASK: &str = "for i in 0..n { this.choose(\"blue\", \"again\", [1, 2]); }";
const FILL: &str = "fn fill(count) { let all = []; for i in 0..count { all.push(i); } }";
const DIG: &str = "fn dig(left) { if left > 0 { dig(left - 1); } }";
// Each call holds a list that counts 1,152,000 bytes, while blue is asked: with 4 of them it keeps the limit, with 6 it
// does not.
const HOLD: &str = "fn hold(n) { let all = list();
                        if n > 0 { this.hold(n - 1); } else { this.choose(\"blue\", \"held\", [1, 2]); }
                        all.len() }
                    fn list() { let all = []; for i in 0..9000 { all.push(i); } all }";

/// The conflict of a script, in a folder of its own.
fn conflict(near: &Near) -> (tempfile::TempDir, Conflict) {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join("x").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("rules.rhai", &near.rules);
    let mut scenario = "system = \"x\"\ntitle = \"near a limit\"\n".to_owned();
    if let Some(agent) = near.agent {
        write("agents/a.rhai", agent);
        scenario += "seats.red = \"a\"\n";
    }
    write("scenarios/one.toml", &scenario);
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let conflict = Conflict::open(&catalog, "x/one", &Changes::default(), &near.limits);
    (folder, conflict.unwrap_or_else(|error| panic!("{}: {error}", near.name)))
}

/// How a playout ends: with a result, or with a limit.
type End = Result<String, Limit>;

fn limit_of(error: &Error) -> Limit {
    match error.itself() {
        Error::Script(script) => match script.fault {
            ScriptFault::Limit(limit) => limit,
            _ => panic!("no limit: {error}"),
        },
        _ => panic!("no limit: {error}"),
    }
}

/// By the script alone, heard or not.
fn alone(conflict: &Conflict, seating: &Seating, playout: u64, heard: bool) -> End {
    let mut seats = seating.seats(Generator::playout(SEED, playout)).unwrap();
    let ear = if heard { Ear::Events } else { Ear::Deaf };
    let run = Run::begin(&conflict.rules, &conflict.setup, ear);
    let played = run.finish(|question| seats.choose(question)).map_err(Error::from);
    played.map(|played| played.outcome.result).map_err(|error| limit_of(&error))
}

fn on_graph(runner: &mut PlayoutRunner, seating: &Seating, playout: u64) -> End {
    let ending =
        runner.play(Generator::playout(SEED, playout)).map_err(|error| limit_of(&error))?;
    Ok(seating.graph.ending_of(ending).unwrap().result.clone())
}

/// All playouts of a script, made in one way after the other; the names of the ways, and their ends.
fn ends(near: &Near) -> Vec<(String, Vec<End>)> {
    let (_folder, conflict) = conflict(near);
    let mut all = Vec::new();
    for heard in [false, true] {
        let seating = Seating::new(&conflict, 64 << 20).unwrap();
        let ends = (0..playouts()).map(|playout| alone(&conflict, &seating, playout, heard));
        all.push((format!("alone, heard: {heard}"), ends.collect()));
    }
    // Of 1 MiB hardly anything is left for nodes.
    for memory in [64 << 20, 1 << 20] {
        let seating = Seating::new(&conflict, memory).unwrap();
        let mut runner = seating.playout_runner().unwrap();
        for round in 0..2 {
            let ends = (0..playouts()).map(|playout| on_graph(&mut runner, &seating, playout));
            all.push((format!("{memory} bytes, round {round}"), ends.collect()));
        }
        let seating = seating.afresh(memory);
        let (explorer, seats) = seating.make_worker().unwrap();
        let answers = seating.answers().clone();
        let mut runner = PlayoutRunner::new(explorer.keeping(0), seats, answers);
        let ends = (0..playouts()).map(|playout| on_graph(&mut runner, &seating, playout));
        all.push((format!("{memory} bytes, nothing kept"), ends.collect()));
        // Whatever has been explored before, up to the first mistake.
        let seating = seating.afresh(memory);
        let _ = Odds::find(&seating, seeking(1, 300), &|_| ());
        let mut runner = seating.playout_runner().unwrap();
        let ends = (0..playouts()).map(|playout| on_graph(&mut runner, &seating, playout));
        all.push((format!("{memory} bytes, explored"), ends.collect()));
    }
    all
}

fn seeking(threads: usize, nodes: u64) -> Seeking {
    Seeking { float: false, threads, nodes }
}

#[test]
fn a_playout_ends_alike_however_it_is_made() {
    for near in scripts() {
        let all = ends(&near);
        let first = &all[0].1;
        for (way, ends) in &all[1..] {
            assert_eq!(ends, first, "{}: {way}", near.name);
        }
        let passed = first.iter().filter_map(|end| end.as_ref().err());
        assert!(passed.clone().all(near.limit), "{}: {first:?}", near.name);
        // Otherwise it would be near no limit.
        let passed = passed.count();
        assert!(passed > 0 && passed < first.len(), "{}: {passed} of {first:?}", near.name);
    }
}

/// What an estimate of these playouts says, or its error.
fn estimate(near: &Near, conflict: &Conflict, threads: usize, memory: u64) -> String {
    let seating = Seating::new(conflict, memory).unwrap();
    let sampling = Sampling { seed: SEED, n: 260 + playouts(), enough: Enough::All, threads };
    match Estimated::watched(&seating, sampling, &[], &|_| ()) {
        Ok(estimated) => serde_json::to_string(&estimated).unwrap(),
        Err(failed) => {
            let limit = limit_of(&failed.error);
            assert!((near.limit)(&limit), "{}: {limit}", near.name);
            format!("playout {:?}: {limit}", failed.playout)
        }
    }
}

/// The same scripts with limits that they keep, and some that most playouts keep.
fn roomy(near: &Near) -> Near {
    let limits = Limits { playout: 4 * MOST, ..Limits::default() };
    Near { limits, rules: near.rules.clone(), ..*near }
}

#[test]
fn any_number_of_threads_any_memory_and_any_load_estimates_the_same() {
    let scripts = scripts();
    let roomy: Vec<Near> = scripts.iter().take(4).map(roomy).collect();
    for near in roomy.into_iter().chain(scripts) {
        let (_folder, conflict) = conflict(&near);
        let first = estimate(&near, &conflict, 1, 64 << 20);
        for (threads, memory) in [(2, 64 << 20), (8, 1 << 20)] {
            let other = estimate(&near, &conflict, threads, memory);
            assert_eq!(other, first, "{}: {threads} threads, {memory} bytes", near.name);
        }
        let done = AtomicBool::new(false);
        let busy = std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let busy = estimate(&near, &conflict, 2, 64 << 20);
            done.store(true, Ordering::Relaxed);
            busy
        });
        assert_eq!(busy, first, "{}: while others work", near.name);
    }
}

/// Forty rounds, of which each takes some thousand operations; who picks 2 in the first wins.
fn long() -> Near {
    let after = "work(2_000); if this.round == 0 { this.won = n == 2; } if this.round < 40 { this.sum = 0; }";
    let text = rules("", "", after, "", "").replace("idle: 0", "won: false");
    let text = text.replace("this.round == 6", "this.round == 40");
    let text = text.replace("red: this.sum, blue: 0", "red: if this.won { 1 } else { 0 }, blue: 0");
    let limits = Limits { playout: 1_000_000, ..Limits::default() };
    Near { limits, ..near("long", text, is_playout) }
}

#[test]
fn a_thought_takes_so_many_operations_and_no_more_on_any_graph() {
    // With a part of a playout nobody can weigh four options, not even with the 5,000 operations that each
    // simulation has beside; with forty of them, they see what wins.
    for (thought, share) in [(50_000, [1, 1, 1, 1]), (10_000_000, [0, 1, 0, 0])] {
        let mut near = long();
        near.limits.thought = thought;
        let (_folder, conflict) = conflict(&near);
        for agent in ["greedy", "search:20"] {
            let mut seen = Vec::new();
            for explored in [0, 30, 200] {
                let seating = Seating::new(&conflict, 64 << 20).unwrap();
                let found = fracas::agents::AgentSpec::read(agent, &conflict.folder).unwrap();
                let seating = seating.with([(vec!["red".to_owned()], found)]);
                let _ = Odds::find(&seating.unmanned(), seeking(1, explored), &|_| ());
                let mut runner = seating.playout_runner().unwrap();
                let root = runner.explorer().beginning().unwrap();
                let shares = runner.shares(root).unwrap();
                let mut weights = [0u32; 4];
                shares.iter().for_each(|(option, weight)| {
                    weights[*option] = u32::try_from(weight.clone()).unwrap();
                });
                seen.push(weights);
            }
            assert_eq!(seen, [share; 3], "{agent}, {thought}");
        }
    }
}

#[test]
fn what_takes_long_is_bounded_by_the_nodes_too() {
    let (_folder, conflict) = conflict(&long());
    let find = |nodes| {
        let seating = Seating::new(&conflict, 64 << 20).unwrap();
        Odds::find(&seating, seeking(2, nodes), &|_| ()).unwrap().found
    };
    // 40 questions, in all but the first of two states, and two ends: 81 nodes. After each of the 316 answers
    // some 6,000 operations run, which are as many as some 95 nodes may take.
    let why = find(85).unwrap_err();
    assert!(why.reason.contains("takes more operations than 85 nodes may take"), "{}", why.reason);
    assert!(find(140).is_ok());
}

#[test]
fn what_an_agent_answers_does_not_depend_on_how_many_others_are_asked() {
    // Ann sees neither the coin nor whether Bob is asked too. At heads 0 is worth 2 more than 1, at tails 1 is
    // worth 10 more than 0: not knowing which, 1 is better, wherever she is and whichever comes first.
    let text = r#"
fn setup(scenario) { #{ coin: 0, won: () } }
fn step() {
    if this.coin == 0 { this.coin = this.roll("chance", "coin", uniform([1, 2])); return; }
    let asked = #{ ann: [0, 1] };
    if this.coin == 2 { asked.bob = [0, 1]; }
    let ann = this.choose_secretly("pick", asked).ann;
    this.won = if this.coin == 1 { 1 - 2 * ann } else { 10 * ann - 5 };
}
fn outcome() { if this.won != () { #{ result: "over", utility: #{ ann: this.won, bob: 0 } } } }
fn view(player) { #{} }
"#;
    let (_folder, conflict) = conflict(&near("coin", text.to_owned(), is_playout));
    let found = fracas::agents::AgentSpec::read("search:50", &conflict.folder).unwrap();
    for order in [[0, 1], [1, 0]] {
        let seating = Seating::new(&conflict, 64 << 20).unwrap();
        let seating = seating.with([(vec!["ann".to_owned()], found.clone())]);
        let mut runner = seating.playout_runner().unwrap();
        let root = runner.explorer().beginning().unwrap();
        for coin in order {
            let node = runner.explorer().next(root, coin).unwrap();
            assert_eq!(runner.shares(node).unwrap(), [(1, 1u8.into())], "{coin} of {order:?}");
        }
    }
}
