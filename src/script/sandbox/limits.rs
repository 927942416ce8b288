//! How much a script may use: operations, memory, steps, questions, time; the error that it ends with.
//!
//! | limit | where it is held |
//! | --- | --- |
//! | `leg`, `memory`, `deadline` | `fuel.rs`; `machine/host.rs` and, where Rhai itself runs, `engine.rs` stop the script |
//! | `view` | `scene.rs` fills the meter with it |
//! | `playout`, `steps`, `questions`, `held` | `run.rs`; on the graph `graph/playout.rs` |
//! | `thought` | `agents/search_graph.rs` |
//! | `TEXT`, `ITEMS`, `ENTRIES`, how deep values are nested | `machine/value/size.rs` |
//! | `CALLS` | `machine/run.rs`, `machine/call.rs` |
//! | how deep and long a script is | `engine.rs` |
//! | what one primitive may make or do | `primitives/read_arguments.rs` |
//! | memory of all threads | `budget.rs` |

use std::time::Duration;

use rhai::{Dynamic, EvalAltResult, Position};

use crate::script::sandbox::budget::Budget;

/// The longest text a script may hold, in bytes.
pub(in crate::script) const TEXT: usize = 256 << 10;
/// The most items in an array, nested ones included.
pub(in crate::script) const ITEMS: usize = 10_000;
/// The most entries in a map, nested ones included. Each change of a map walks through all of them.
pub(in crate::script) const ENTRIES: usize = 5_000;
/// A text, an array and a map of a person's own lines: what the host hands them is theirs to keep and to
/// count, as the result of a tournament of 40 agents in 20 scenarios, 15,600 rows with 110,000 entries.
pub(in crate::script) const LAB_TEXT: usize = 8 * TEXT;
pub(in crate::script) const LAB_ITEMS: usize = 4 * ITEMS;
pub(in crate::script) const LAB_ENTRIES: usize = 24 * ENTRIES;
/// The deepest that functions may call each other.
pub(in crate::script) const CALLS: usize = 128;
/// Words of the language that no script may use. `curry` would build chains and copies that no
/// limit on sizes counts.
pub(in crate::script) const SHUT: [&str; 6] = ["eval", "import", "export", "Fn", "curry", "debug"];
/// Words that strangers' scripts may not use either.
pub(in crate::script) const SHUT_TO_STRANGERS: [&str; 3] = ["try", "catch", "print"];

/// What a script may use. Counts decide; the deadline is a backstop for work that is charged too little. All
/// operations of the dearest kind take less than a twentieth of it, so that no machine is slow enough for it to decide.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Operations in one leg: up to a question, from its answer to the next one or to the end of the step, or in
    /// one call from outside a playout.
    pub leg: u64,
    /// Operations in one call of `view`, `picture` or `wording` at a question. They are no part of the playout.
    pub view: u64,
    /// Operations in one playout, all its legs together.
    pub playout: u64,
    /// Operations that an agent that thinks ahead may spend for one answer on each of three tasks: exploring a
    /// small conflict, finding out where it may be, weighing the options.
    pub thought: u64,
    /// Bytes that a run may hold at a question, each value as if nobody shared it.
    pub held: usize,
    /// Bytes alive at once that one leg made: a backstop, as the deadline is.
    pub memory: usize,
    /// Steps in a row in which nobody is asked anything.
    pub steps: u64,
    /// Questions in one playout.
    pub questions: u64,
    /// The processor's time that a leg may take; what the host does meanwhile does not count.
    pub deadline: Duration,
    /// The budget of the work that the script is a part of, which may be interrupted.
    pub budget: Budget,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            leg: 5_000_000,
            view: 500_000,
            playout: 50_000_000,
            thought: 25_000_000,
            held: 16 << 20,
            memory: 64 << 20,
            steps: 100_000,
            questions: 100_000,
            deadline: Duration::from_secs(60),
            budget: Budget::default(),
        }
    }
}

impl Limits {
    /// What one line of the person at the prompt may use: more, since Ctrl-C is at hand.
    pub(crate) fn for_prompt(self) -> Limits {
        Limits { leg: self.leg.saturating_mul(20), deadline: self.deadline * 20, ..self }
    }

    /// The same for a run, under a budget of its own.
    pub(in crate::script) fn unbudgeted(&self) -> Limits {
        Limits { budget: Budget::default(), ..self.clone() }
    }

    /// What one answer of an agent may use.
    pub fn for_agents() -> Limits {
        Limits { leg: 1_000_000, ..Limits::default() }
    }
}

/// An error of the script, with its place.
pub(crate) type Fault = Box<EvalAltResult>;

/// The error that unwinds a stopped script; nothing in it is read.
pub(in crate::script) fn unwind(at: Position) -> Fault {
    EvalAltResult::ErrorTerminated(Dynamic::UNIT, at).into()
}

/// A mistake of the script, as a message.
pub(in crate::script) fn fail(message: impl Into<String>, at: Position) -> Fault {
    EvalAltResult::ErrorRuntime(message.into().into(), at).into()
}

/// A value that is larger than it may be; `what` is in the words of the language.
#[cold]
pub(in crate::script) fn too_large(what: &str, at: Position) -> Fault {
    EvalAltResult::ErrorDataTooLarge(what.into(), at).into()
}
