//! What natives are charged: none allocates and copies much for few operations.

#[path = "fuzz/calls.rs"]
mod calls;

use fracas::game::Value;
use fracas::script::{Ear, Layer, Limits, Rules, Run, Setup, on_large_stack, traffic};
use indexmap::IndexMap;

use self::calls::{CALLS, Dearest, repeat};

/// So many bytes an operation may allocate: as long as it takes to copy these, it may take.
const MOST: f64 = 4_096.0;

#[test]
fn no_native_allocates_much_for_few_operations() {
    let mut dearest = Dearest::default();
    let refused: Vec<&str> = on_large_stack(|| {
        let refused = CALLS.iter().filter(|call| {
            let taken = repeat(call, &|| traffic() as f64);
            taken.inspect(|taken| dearest.note(call, *taken)).is_none()
        });
        refused.copied().collect()
    });
    assert!(refused.is_empty(), "these are no calls: {refused:#?}");
    let (median, all) = dearest.beyond(0.0);
    let beyond: Vec<_> = all.iter().filter(|(each, _)| *each > MOST).collect();
    assert!(beyond.is_empty(), "half take {median:.0} bytes an operation, but {beyond:#?}");
}

/// The operations of a step with these lines.
fn operations(lines: &str) -> u64 {
    let script = format!(
        "fn setup(scenario) {{ #{{ done: false }} }}\nfn step() {{ {lines} this.done = true; }}\n\
         fn outcome() {{ if this.done {{ #{{ result: \"end\", utility: #{{ red: 1 }} }} }} }}\n"
    );
    let files = vec![("rules.rhai".to_owned(), script)];
    let base = Layer { name: "base".to_owned(), files, ..Layer::default() };
    let rules = Rules::load(base, &[], IndexMap::new(), Limits::default()).unwrap();
    let setup = Setup::new(Value::Map(IndexMap::new()));
    let run = Run::begin(&rules, &setup, Ear::Deaf);
    run.finish(|_| unreachable!("it asks nothing")).unwrap().cost
}

#[test]
fn what_is_searched_and_moved_is_paid_for() {
    let words = "let words = \"\"; words.pad(80000, \"ab \");";
    let removed = operations(&format!("{words} words -= \"ab\";")) - operations(words);
    // Up to 32 operations are lost where the bytes are divided.
    assert!(removed >= 80_000 / 8 - 32, "8 letters are an operation: {removed}");
    let difference = operations(&format!("{words} let less = words - \"ab\";")) - operations(words);
    assert!(difference >= 80_000 / 8 - 32, "{difference}");
    let list = "let list = []; list.pad(8000, 7);";
    let moved =
        |place: u32| operations(&format!("{list} list.insert({place}, 1);")) - operations(list);
    assert!(
        (8_000 / 32..8_000 / 16).contains(&moved(0)),
        "32 items are an operation: {}",
        moved(0)
    );
    assert!(moved(8_000) < 20, "nothing is moved: {}", moved(8_000));
}

#[test]
fn what_the_language_converts_compares_and_sorts_is_paid_for() {
    let taken = |made: &str, call: &str| operations(&format!("{made} {call};")) - operations(made);
    let words = "let words = \"\"; words.pad(80000, \"ab \");";
    assert!(taken(words, "words += [1]") >= 80_000 / 128, "128 bytes are converted for one");
    let numbers = "let list = []; list.pad(1024, 7);";
    assert!(taken(numbers, "list.sort()") >= 1024 * 10, "2^10 items are compared 10 times each");
    assert!(taken(numbers, "list.index_of(\"z\")") < 1024, "plain data is searched in place");
    let halves = "let list = []; list.pad(1024, 0.5);";
    let searched = taken(halves, "list.index_of(\"z\")");
    assert!(searched >= 1024 * 64, "64 operations for each that the language compares: {searched}");
}
