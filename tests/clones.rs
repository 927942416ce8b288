//! A run that was paused and resumed is the run that nobody paused, and exploring by runs that are kept
//! sees what exploring by replay sees.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use fracas::conflict::Seating;
use fracas::error::{Error, Limit, ScriptError, ScriptFault};
use fracas::game::{Answer, Decision, Generator, Stop, Value};
use fracas::graph::{
    Agent, AnswerCache, Bounds, Explorer, Graph, Reach, SeatedAgents, Standpoint, WorkerFactory,
    explore,
};
use fracas::script::{Blueprint, Budget, Ear, Layer, Limits, Rules, Run, Setup, Turn};
use indexmap::IndexMap;

use crate::support::{catalog, scenarios, told, unmanned};

const SEED: u64 = 15;

/// Drives a run of which so many questions were answered, each by its number, up to a question or to the end; how
/// many were answered then.
fn drive(run: &mut Run, mut asked: u64, before: Option<u64>) -> Result<u64, Error> {
    loop {
        match run.next()? {
            Turn::Question if before == Some(asked) => return Ok(asked),
            Turn::Question => {
                asked += 1;
                let answer = Generator::playout(SEED, asked).sample(&run.question());
                run.answer(answer);
            }
            Turn::Done => return Ok(asked),
            Turn::Event | Turn::Step => {}
        }
    }
}

fn begun(rules: &Rc<Rules>, setup: &Setup) -> Run {
    Run::begin(rules, setup, Ear::Deaf)
}

/// A run that is paused before a question.
fn stand(rules: &Rc<Rules>, setup: &Setup, before: u64) -> Run {
    let mut run = begun(rules, setup);
    assert_eq!(drive(&mut run, 0, Some(before)).unwrap(), before);
    run
}

#[test]
fn a_run_that_was_paused_ends_as_if_nobody_had_paused() {
    let catalog = catalog();
    for name in scenarios(&catalog) {
        let conflict = unmanned(&catalog, &name);
        let (rules, setup) = (&conflict.rules, &conflict.setup);
        // What natives make once and keep counts another way when it is made.
        drive(&mut begun(rules, setup), 0, None).unwrap();
        let mut whole = begun(rules, setup);
        let asked = drive(&mut whole, 0, None).unwrap();
        let whole = whole.into_end().unwrap();
        for before in [0, 1, 2, 3, 7, asked.saturating_sub(1)] {
            if before >= asked {
                continue;
            }
            let run = stand(rules, setup, before);
            for _ in 0..2 {
                let mut resumed = run.clone();
                drive(&mut resumed, before, None).unwrap();
                let played = resumed.into_end().unwrap();
                assert_eq!(played.outcome, whole.outcome, "{name}, question {before}");
                assert_eq!(played.state.value(), whole.state.value(), "{name}, question {before}");
                assert_eq!(played.steps, whole.steps, "{name}, question {before}");
                assert_eq!(played.cost, whole.cost, "{name}, question {before}");
            }
        }
    }
}

/// A setup that reads as much of itself as somebody wants, and then rolls.
const READS: &str = "fn setup(scenario) {
    let state = #{ sum: scenario.number(\"a\") };
    let reads = state.choose(\"red\", \"reads\", [\"all\", \"some\"]);
    if reads == \"all\" { state.sum += scenario.number(\"b\"); }
    state.sum += state.roll(\"coin\", \"flip\", uniform([10, 20]));
    state
}
fn step() { }
fn outcome() { #{ result: `${this.sum}`, utility: #{ red: this.sum } } }";

#[test]
fn a_setup_that_asked_knows_what_it_had_read_whatever_another_answer_led_to() {
    let files = vec![("toy.rhai".to_owned(), READS.to_owned())];
    let base = Layer { name: "toy".to_owned(), files, ..Layer::default() };
    let rules = Rules::load(base, &[], IndexMap::new(), Limits::default()).unwrap();
    let numbers = [("a".to_owned(), Value::Int(1)), ("b".to_owned(), Value::Int(2))];
    let setup = Setup::new(Value::Map(numbers.into_iter().collect()));
    let result = |run: Run, answer: usize| {
        let played = run.finish(|_| Ok(answer));
        played.map(|played| played.outcome.result.clone()).map_err(told)
    };
    let asked = stand(&rules, &setup, 0);
    let on = || asked.clone();
    for _ in 0..2 {
        assert_eq!(result(on(), 0), Ok("13".to_owned()));
        let unread = result(on(), 1).unwrap_err();
        assert!(unread.contains("setup.b") && unread.contains("no such key"), "{unread}");
    }
    assert_eq!(result(begun(&rules, &setup), 0), Ok("13".to_owned()));
    // The same where both stand at the roll, one of them with something that nobody will read.
    let [all, some] = [0, 1].map(|answer| {
        let mut run = on();
        run.answer(answer);
        assert_eq!(run.next().unwrap(), Turn::Question);
        run
    });
    for _ in 0..2 {
        assert_eq!(result(all.clone(), 1), Ok("23".to_owned()));
        assert!(result(some.clone(), 1).is_err());
    }
}

/// A factory whose workers are changed by a function.
struct Changed<C, F>(C, F);

/// A factory whose explorers keep so many runs.
fn keeping<C: WorkerFactory>(factory: C, runs: usize) -> Changed<C, impl Changes> {
    Changed(factory, move |explorer: Explorer, seats: SeatedAgents| (explorer.keeping(runs), seats))
}

trait Changes: Fn(Explorer, SeatedAgents) -> (Explorer, SeatedAgents) + Sync {}

impl<F: Fn(Explorer, SeatedAgents) -> (Explorer, SeatedAgents) + Sync> Changes for F {}

impl<C: WorkerFactory, F: Changes> WorkerFactory for Changed<C, F> {
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error> {
        let (explorer, seats) = self.0.make_worker()?;
        Ok((self.1)(explorer, seats))
    }

    fn answers(&self) -> &Arc<AnswerCache> {
        self.0.answers()
    }

    fn words(&self) -> Vec<String> {
        self.0.words()
    }

    fn budget(&self) -> &Budget {
        self.0.budget()
    }
}

/// All that stands at a node.
type Drawn = (u32, String, Option<String>, Vec<u8>, (u32, u32), Vec<u32>);

fn drawn(graph: &Graph) -> Vec<Drawn> {
    let mut seen = BTreeSet::from([graph.root()]);
    let mut open = vec![graph.root()];
    let mut drawn = Vec::new();
    while let Some(number) = open.pop().filter(|number| *number != 0) {
        let node = graph.node(number);
        open.extend(node.all().filter(|&next| next != 0 && seen.insert(next)));
        let ending = format!("{:?} {:?}", node.kind(), graph.ending(node));
        let question = graph.question(node).map(|question| format!("{question:?}"));
        let state = graph.state_bytes(node).unwrap_or_default();
        drawn.push((number, ending, question, state, node.before(), node.all().collect()));
    }
    drawn
}

#[test]
fn exploring_sees_the_same_however_many_runs_are_kept() {
    let catalog = catalog();
    let mut lots = Generator::of(SEED);
    for name in scenarios(&catalog) {
        let conflict = unmanned(&catalog, &name);
        let bounds = Bounds { threads: 1, nodes: lots.index(250) as u64 };
        let [replayed, few, many] = [0, 2, 1000].map(|runs| {
            let factory = keeping(Seating::new(&conflict, 64 << 20).unwrap(), runs);
            let reach = explore(&factory.0.graph, &factory, bounds, &|_| ());
            let graph = &factory.0.graph;
            let reach = reach.map_err(|error| error.to_string());
            (reach, graph.nodes(), drawn(graph))
        });
        assert_eq!(replayed, few, "{name}, {} nodes", bounds.nodes);
        assert_eq!(replayed, many, "{name}, {} nodes", bounds.nodes);
    }
}

/// Rules of a test, with nobody in their seats.
struct Bare {
    blueprint: Blueprint,
    setup: Setup,
    graph: Arc<Graph>,
    answers: Arc<AnswerCache>,
}

impl Bare {
    fn new(step: &str, limits: Limits) -> Bare {
        let text = format!(
            "fn setup(scenario) {{ #{{ done: false }} }}\n{step}\n\
             fn outcome() {{ if this.done {{ #{{ result: \"end\", utility: #{{ red: 1 }} }} }} }}"
        );
        let files = vec![("toy.rhai".to_owned(), text)];
        let base = Layer { name: "toy".to_owned(), files, ..Layer::default() };
        let (house, params) = (Vec::new(), IndexMap::new());
        let blueprint = Blueprint::new(base, house, params, limits);
        let setup = Setup::new(Value::Map(IndexMap::new()));
        let identity = blueprint.identity(&setup);
        let graph = Arc::new(Graph::new(identity, &blueprint.limits.budget));
        let answers = Arc::new(AnswerCache::new(&graph));
        Bare { blueprint, setup, graph, answers }
    }
}

impl WorkerFactory for Bare {
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error> {
        let explorer = Explorer::new(&self.graph, &self.blueprint, &self.setup)?;
        Ok((explorer, SeatedAgents::new(Generator::of(0))))
    }

    fn answers(&self) -> &Arc<AnswerCache> {
        &self.answers
    }

    fn words(&self) -> Vec<String> {
        Vec::new()
    }

    fn budget(&self) -> &Budget {
        &self.blueprint.limits.budget
    }
}

fn script_error(error: Error) -> ScriptError {
    match error {
        Error::Script(error) => *error,
        Error::Reached { error, .. } => script_error(*error),
        other => panic!("no error of the script: {other}"),
    }
}

/// How a playout ends, and exploring with kept runs and without.
fn ends(step: &str, limits: &Limits) -> [ScriptError; 3] {
    let bare = Bare::new(step, limits.clone());
    let mut seats = SeatedAgents::new(Generator::of(0));
    let run = begun(&bare.blueprint.rules().unwrap(), &bare.setup);
    let played = run.finish(|question| seats.choose(question)).map_err(Error::from);
    let explored = [1000, 0].map(|runs| {
        let factory = keeping(Bare::new(step, limits.clone()), runs);
        let bounds = Bounds { threads: 1, nodes: u64::MAX };
        explore(&factory.0.graph, &factory, bounds, &|_| ()).expect_err("a limit")
    });
    let [kept, replayed] = explored;
    [played.expect_err("a limit"), kept, replayed].map(script_error)
}

#[test]
fn a_step_meets_its_limits_wherever_it_was_paused() {
    let few = || Limits { leg: 40_000, questions: 6, ..Limits::default() };
    let asks = "this.choose(\"red\", \"pick\", [1, 2]);";
    let works = |times: u64| format!("let sum = 0; for i in 0..{times} {{ sum += i; }}");
    let operations = Limit::Operations(40_000);
    let cases = [
        (format!("{asks} loop {{ }}"), operations),
        // The first two parts keep the limit, and are no part of the third.
        (format!("{} {asks} {} {asks} {}", works(4_000), works(4_000), works(30_000)), operations),
        (format!("loop {{ {asks} }}"), Limit::Questions(6)),
    ];
    for (body, limit) in cases {
        let step = format!("fn step() {{\n{body}\nthis.done = true;\n}}");
        let [played, kept, replayed] = ends(&step, &few());
        assert_eq!(played.fault, ScriptFault::Limit(limit), "{body}");
        for explored in [kept, replayed] {
            assert_eq!((&explored.fault, &explored.at), (&played.fault, &played.at), "{body}");
            assert_eq!(explored.to_string(), played.to_string(), "{body}");
        }
    }
}

#[test]
fn steps_in_which_nobody_is_asked_are_bounded_alike_wherever_a_run_begins() {
    // So many of them follow each pick, and all lead to the same states.
    let step = "fn step() {
        if this.contains(\"idle\") {
            this.idle -= 1;
            this.done = this.idle == 0;
        } else {
            this.idle = this.choose(\"red\", \"pick\", [1, 2, 3, 4, 5, 6, 7]);
        }
    }";
    let limits = || Limits { steps: 5, ..Limits::default() };
    let passes = |error: Error| {
        assert_eq!(script_error(error).fault, ScriptFault::Limit(Limit::Steps(5)));
        false
    };
    // The step that asks is one of them.
    let expected = [true, true, true, true, false, false, false];
    let played = (0..7).map(|pick| {
        let bare = Bare::new(step, limits());
        let run = begun(&bare.blueprint.rules().unwrap(), &bare.setup);
        run.finish(|_| Ok(pick)).map_err(Error::from).map_or_else(passes, |_| true)
    });
    assert_eq!(played.collect::<Vec<_>>(), expected);
    for runs in [0, 1000] {
        let bare = Bare::new(step, limits());
        let explorer = bare.make_worker().unwrap().0.keeping(runs);
        let root = explorer.beginning().unwrap();
        // The second time the graph knows what it led to.
        for _ in 0..2 {
            let next = |pick| explorer.next(root, pick).map_or_else(passes, |to| to != 0);
            assert_eq!((0..7).map(next).collect::<Vec<_>>(), expected, "{runs} runs");
        }
    }
}

/// At each question a run holds a list more; those of the first answers are long.
const HOLDS: &str = "fn step() { this.hold(0); this.done = true; }
fn hold(deep) {
    let held = [];
    let pick = this.choose(\"red\", \"pick\", [1, 2]);
    for i in 0..pick * 4_000 { held.push(i); }
    if deep < 3 { this.hold(deep + 1); }
    held.len()
}";

#[test]
fn what_a_run_may_hold_at_a_question_is_the_same_wherever_it_was_paused() {
    // An item counts 128 bytes, so that a list takes 512,000 bytes or twice as many.
    const HELD: usize = 2_300_000;
    let limits = || Limits { held: HELD, ..Limits::default() };
    let holds = |error: &Error| match error.itself() {
        Error::Script(script) => script.fault == ScriptFault::Limit(Limit::Memory(HELD)),
        _ => false,
    };
    let ends = |answers: [usize; 4], runs: usize| {
        let bare = Bare::new(HOLDS, limits());
        let explorer = bare.make_worker().unwrap().0.keeping(runs);
        let mut node = explorer.beginning().unwrap();
        for answer in answers {
            match explorer.next(node, answer) {
                Ok(next) => node = next,
                Err(error) if holds(&error) => return false,
                Err(error) => panic!("{error}"),
            }
        }
        true
    };
    let all = (0..16).map(|bits| [0, 1, 2, 3].map(|at| bits >> at & 1));
    let played = |answers: [usize; 4]| {
        let rules = Bare::new(HOLDS, limits()).blueprint.rules().unwrap();
        let mut given = answers.into_iter();
        let setup = Setup::new(Value::Map(IndexMap::new()));
        match begun(&rules, &setup).finish(|_| given.next().ok_or(Stop::Pause)) {
            Ok(_) => true,
            Err(stop) => {
                let error = Error::from(stop);
                assert!(holds(&error), "{error}");
                false
            }
        }
    };
    for answers in all {
        // Three lists are held at the last question. One that is long makes them 2,048,000 bytes, two 2,560,000.
        let fits = answers[..3].iter().sum::<usize>() < 2;
        assert_eq!((answers, played(answers)), (answers, fits));
        assert_eq!((answers, ends(answers, 0), ends(answers, 1000)), (answers, fits, fits));
    }
}

/// A game in which many runs stand, each with much in its hands.
const WIDE: &str = "fn step() {
    let held = []; for i in 0..300 { held.push([i]); }
    let first = this.choose(\"red\", \"first\", list_of(40));
    held.push(first);
    let second = this.choose(\"red\", \"second\", list_of(40));
    this.sum = first * second + held.len();
    this.done = true;
}
fn list_of(count) { let all = []; for i in 0..count { all.push(i); } all }";

#[test]
fn runs_that_stand_take_no_more_than_their_part_and_lead_to_the_same() {
    // In the larger one some runs have room, in the smaller one none.
    let seen = [64 << 20, 1 << 20].map(|memory| {
        let [replayed, few, many] = [0, 2, usize::MAX].map(|runs| {
            let limits = Limits { budget: Budget::new(memory), ..Limits::default() };
            let factory = keeping(Bare::new(WIDE, limits), runs);
            let bounds = Bounds { threads: 1, nodes: u64::MAX };
            let budget = factory.budget();
            let within = |_| assert!(budget.used() <= memory, "{} of {memory}", budget.used());
            assert_eq!(explore(&factory.0.graph, &factory, bounds, &within).unwrap(), Reach::Whole);
            drawn(&factory.0.graph)
        });
        assert!(replayed == few && replayed == many, "{memory}");
        replayed
    });
    // Two questions, and all that the two numbers multiply to.
    let sums: BTreeSet<u32> = (0..40).flat_map(|a| (0..40).map(move |b| a * b)).collect();
    assert_eq!(seen[0].len(), 1 + 40 + sums.len());
    assert!(seen[0] == seen[1]);
}

#[test]
fn a_run_can_stand_deep_in_calls() {
    let step = "fn step() {
        this.product = this.dig(40) * this.dig(40);
        this.done = true;
    }
    fn dig(left) {
        if left == 0 { this.choose(\"red\", \"pick\", [1, 2, 3]) } else { this.dig(left - 1) }
    }";
    let [replayed, kept] = [0, 1000].map(|runs| {
        let factory = keeping(Bare::new(step, Limits::default()), runs);
        let bounds = Bounds { threads: 1, nodes: u64::MAX };
        assert_eq!(explore(&factory.0.graph, &factory, bounds, &|_| ()).unwrap(), Reach::Whole);
        drawn(&factory.0.graph)
    });
    // Two questions, and the products 1, 2, 3, 4, 6, 9.
    assert_eq!(replayed.len(), 1 + 3 + 6);
    assert_eq!(replayed, kept);
}

#[test]
fn any_number_of_threads_sees_the_same() {
    let seen = [1, 2, 3].map(|threads| {
        let factory = keeping(Bare::new(WIDE, Limits::default()), 3);
        let bounds = Bounds { threads, nodes: u64::MAX };
        assert_eq!(explore(&factory.0.graph, &factory, bounds, &|_| ()).unwrap(), Reach::Whole);
        let graph = &factory.0.graph;
        let ways = drawn(graph).into_iter().map(|(_, ending, question, state, ..)| {
            (ending.replace(char::is_numeric, ""), question, state)
        });
        (graph.nodes(), ways.collect::<BTreeSet<_>>())
    });
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

/// A script of so many operations, as far as anybody is told.
struct Costly(u64);

impl Agent for Costly {
    fn name(&self) -> &str {
        "costly"
    }

    fn answer(&mut self, _: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        Ok(Answer::Option(0))
    }

    fn operations(&self) -> u64 {
        self.0
    }
}

#[test]
fn what_agents_think_counts_among_what_exploring_may_take() {
    let step = "fn step() {
        for round in 0..3 { this.choose(\"red\", \"pick\", [round, 7]); }
        this.done = true;
    }";
    // Three questions and the end, 4 nodes; each of the 5 that there may be has 20,000 operations.
    let reach = |operations: u64| {
        let factory = Changed(
            Bare::new(step, Limits::default()),
            |explorer: Explorer, seats: SeatedAgents| {
                (explorer, seats.seat("red", Box::new(Costly(operations))))
            },
        );
        let bounds = Bounds { threads: 1, nodes: 5 };
        explore(&factory.0.graph, &factory, bounds, &|_| ()).unwrap()
    };
    assert_eq!(reach(0), Reach::Whole);
    assert_eq!(reach(30_000), Reach::Whole);
    assert_eq!(reach(40_000), Reach::TooMany);
}
