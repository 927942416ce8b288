//! Counts how often each function of the rules is run, and how many steps are begun.

use std::cell::{Cell, RefCell};

use rhai::{AST, Position};

use super::gauge::Gauge;
use super::parsing::BELOW;
use super::rules::Rules;

/// The counts of one thread's rules. Nothing is counted until somebody asks for it.
#[derive(Default)]
pub struct Calls {
    counting: Cell<bool>,
    steps: Cell<u64>,
    /// By the number of the function.
    counts: RefCell<Vec<u64>>,
}

/// What was run, each function by its number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counted {
    /// How many steps were begun.
    pub steps: u64,
    /// How often each function was run, those left out that were not, by their numbers.
    pub calls: Vec<(u16, u64)>,
}

/// A function of the rules that can be counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Countable {
    /// Its number.
    pub number: u16,
    /// Its name.
    pub name: String,
    /// The `///` lines above it, without the slashes.
    pub comments: String,
    /// The house rule that it belongs to, if it belongs to one.
    pub house: Option<String>,
    /// Whether another function lies over it.
    pub is_below: bool,
}

impl Calls {
    /// Whether anything is counted.
    #[inline]
    pub fn is_counting(&self) -> bool {
        self.counting.get()
    }

    /// A function is run.
    #[inline]
    pub fn enters(&self, function: u16) {
        if self.counting.get() {
            self.count(function);
        }
    }

    #[cold]
    fn count(&self, function: u16) {
        let mut counts = self.counts.borrow_mut();
        let number = usize::from(function);
        if number >= counts.len() {
            counts.resize(number + 1, 0);
        }
        counts[number] += 1;
    }

    /// The host runs a step.
    pub fn steps(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    fn forget(&self) {
        self.counts.borrow_mut().fill(0);
        self.steps.set(0);
    }
}

impl Gauge {
    /// Counts calls from none again, where they are counted.
    pub fn forget_calls(&self) {
        if self.0.calls.is_counting() {
            self.0.calls.forget();
        }
    }
}

/// The functions of the contract that no conflict runs: people and agents look through them.
const LOOKS: [&str; 6] = ["view", "picture", "wording", "laws", "sides", "params"];

impl Rules {
    /// Counts what is run until [`Rules::counted`] is asked for.
    pub fn count_calls(&self) {
        self.context.calls.forget();
        self.context.calls.counting.set(true);
    }

    /// What was run since; no more is counted.
    pub fn counted(&self) -> Counted {
        let calls = &self.context.calls;
        calls.counting.set(false);
        let counts = calls.counts.borrow();
        let numbered = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let number = |number| u16::try_from(number).unwrap_or(u16::MAX);
        let calls_made = numbered.map(|(at, count)| (number(at), *count)).collect();
        Counted { steps: calls.steps.get(), calls: calls_made }
    }

    /// The functions that are counted, in the order of the text. Left out are closures, what people
    /// look through, and what lies below another function that does not call it.
    pub fn countable(&self) -> Vec<Countable> {
        let functions = self.runner.program().functions.iter().enumerate();
        let countable = |(number, function): (usize, &super::machine::Function)| {
            let name = self.sources.plain_name(&function.name);
            let is_below = function.name.contains(BELOW);
            if function.name.starts_with("anon$") || LOOKS.contains(&name.as_str()) {
                return None;
            }
            let at = self.sources.locate(function.begins);
            let layer = at.and_then(|at| self.files.iter().find(|(_, path)| *path == at.file));
            let layer = layer.map_or(0, |(layer, _)| *layer);
            Some(Countable {
                number: u16::try_from(number).ok()?,
                comments: comments_at(&self.ast, function.begins),
                house: layer.checked_sub(1).and_then(|at| self.house().get(at).cloned()),
                name,
                is_below,
            })
        };
        functions.filter_map(countable).collect()
    }
}

/// The `///` lines above the function whose body begins there.
fn comments_at(ast: &AST, begins: Position) -> String {
    let functions = ast.shared_lib().iter_script_fn_info();
    let mut named = functions.filter(|(.., one)| one.body.start_position() == begins);
    let comments = named.next().map(|(.., one)| one.comments.clone()).unwrap_or_default();
    let lines: Vec<&str> = comments.iter().flat_map(|text| text.lines()).collect();
    let strip = |line: &str| line.trim_start().trim_start_matches('/').trim().to_owned();
    lines.into_iter().map(strip).collect::<Vec<_>>().join("\n")
}
