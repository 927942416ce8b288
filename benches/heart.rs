//! Benchmarks of the core: playouts, one host call, one replayed step, one step from a state,
//! opening a scenario, and the program from its start to the first prompt.
//!
//! `cargo bench --bench heart`. Times are of one core; compare only figures of the same run.

use std::hint::black_box;
use std::process::{Command, Stdio};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict};
use fracas::game::{Follow, Generator, Record};
use fracas::script::{Context, Ear, Limits, Run, Trust, build, on_large_stack};

fn open(scenario: &str) -> Conflict {
    let catalog = Catalog::new(&[]).expect("the embedded rules");
    Conflict::open(&catalog, scenario, &Changes::default(), &Limits::default())
        .expect("a shipped scenario")
}

/// Random playouts by the script alone; nobody hears the events.
fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    for scenario in ["territory/three_tokens", "war_die/payment_and_retreat"] {
        let conflict = open(scenario);
        let mut playout = 0;
        group.bench_function(scenario, |bencher| {
            bencher.iter(|| {
                playout += 1;
                let mut generator = Generator::playout(1, playout);
                let run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
                run.finish(|question| Ok(generator.sample(question))).expect("it plays")
            });
        });
    }
    group.finish();
}

/// A loop of a thousand calls of one cheap primitive, beside the same loop without it.
fn host_call(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a thousand");
    let context = Context::new(Limits::default());
    let engine = build(&context, Trust::Stranger);
    for (name, line) in [("empty rounds", "i"), ("host calls", "surplus(i, 5)")] {
        let code = format!("let x = 0; for i in 0..1000 {{ x = {line}; }} x");
        let ast = engine.compile(code).expect("it compiles");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                context.meter.start(context.meter.limits().leg);
                engine.eval_ast::<i64>(&ast).expect("it runs")
            });
        });
    }
    group.finish();
}

/// A whole conflict replayed from its history, beside the same sampled.
fn replay(criterion: &mut Criterion) {
    let conflict = open("territory/three_tokens");
    let begin = || Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
    let (mut generator, mut record) = (Generator::playout(1, 1), Record::default());
    let played = begin().finish(|question| {
        let answer = generator.sample(question);
        record.note(question, answer);
        Ok(answer)
    });
    played.expect("it plays");
    let history = record.history;
    let mut group = criterion.benchmark_group("a conflict of six decisions");
    group.bench_function("sampled", |bencher| {
        bencher.iter(|| {
            let mut generator = Generator::playout(1, 1);
            begin().finish(|question| Ok(generator.sample(question))).expect("it plays")
        });
    });
    group.bench_function("replayed", |bencher| {
        bencher.iter(|| {
            let mut follow = Follow::new(history.clone());
            let replayed = begin().finish(|question| Ok(follow.answer_whole(question)?));
            replayed.expect("it replays")
        });
    });
    group.finish();
}

/// One step from a state, as in the exploration of a conflict.
fn expand(criterion: &mut Criterion) {
    let conflict = open("territory/three_tokens");
    let mut generator = Generator::playout(1, 1);
    let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
    run.reach(|question| Ok(generator.sample(question))).expect("it begins");
    let start = run.clone();
    run.reach(|question| Ok(generator.sample(question))).expect("the stacks are chosen");
    let mut group = criterion.benchmark_group("one step from a state");
    for (name, run) in [("choosing", &start), ("meeting", &run)] {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || run.clone(),
                |mut run| {
                    run.reach(|question| Ok(generator.sample(question))).expect("it steps");
                    black_box(run)
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

/// From the name of a scenario to rules that can be played, and from the shell to the prompt's end.
fn start(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("start");
    group.bench_function("open territory/three_tokens", |bencher| {
        bencher.iter(|| open("territory/three_tokens"));
    });
    group.sample_size(20);
    for (name, line) in
        [("the prompt", ""), ("the prompt with rules loaded", ":open territory/three_tokens\n")]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut child = Command::new(env!("CARGO_BIN_EXE_fracas"))
                    .stdin(Stdio::piped())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .expect("the program starts");
                let mut stdin = child.stdin.take().expect("a pipe");
                std::io::Write::write_all(&mut stdin, line.as_bytes()).expect("it reads");
                drop(stdin);
                child.wait().expect("it ends")
            });
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    on_large_stack(|| {
        playouts(criterion);
        host_call(criterion);
        replay(criterion);
        expand(criterion);
        start(criterion);
    });
}

criterion_group!(heart, all);
criterion_main!(heart);
