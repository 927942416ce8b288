//! The shared state of the lab's functions: rules, limits, seed, threads, and the listener.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rhai::{Dynamic, EvalAltResult, Position};

use super::failure::{LabFailure, WorkProgress};
use super::results::{LineResult, ResultKind};
use crate::analysis::{ReportsStage, Stage};
use crate::catalog::Catalog;
use crate::commands::{Audience, Nobody};
use crate::error::Error;
use crate::game::Value;
use crate::graph::all_threads;
use crate::report::ShowStyle;
use crate::script::{Context, Limits};

/// What a lab is set up with.
#[derive(Clone)]
pub struct LabConfig {
    /// Where rules are found.
    pub catalog: Catalog,
    /// What scripts of rules may use; a script of the lab itself may use more.
    pub limits: Limits,
    /// The seed of all that is left to chance and names none.
    pub seed: u64,
    /// How many threads long work takes; results are the same for any.
    pub threads: usize,
    /// The folders in which the catalog looks first, as a command line names them.
    pub rules: Vec<PathBuf>,
}

impl LabConfig {
    /// With all threads of the machine.
    pub fn new(catalog: Catalog, limits: Limits, seed: u64) -> LabConfig {
        LabConfig { catalog, limits, seed, threads: all_threads(), rules: Vec::new() }
    }
}

pub(super) struct LabContext {
    pub(super) context: Rc<Context>,
    pub(super) limits: Limits,
    pub(super) threads: usize,
    pub(super) catalog: RefCell<Catalog>,
    /// The folders that the command line named, and those that scripts added.
    pub(super) rules: RefCell<Vec<PathBuf>>,
    /// The folder of the script that runs, if the script is a file.
    pub(super) folder: RefCell<Option<PathBuf>>,
    /// Whether rules were added since somebody last asked.
    pub(super) has_more: Cell<bool>,
    pub(super) look: Cell<ShowStyle>,
    pub(super) printed: RefCell<String>,
    pub(super) notes: RefCell<Vec<String>>,
    /// Whether a part of a result was printed, since the rest was not waited for.
    pub(super) partial: Cell<bool>,
    audience: RefCell<Rc<dyn Audience>>,
    far: RefCell<Option<WorkProgress>>,
    seed: u64,
    next: Cell<u64>,
    /// A seed that is passed over where none is named: that of the open conflict.
    left_out: Cell<Option<u64>>,
    noted_seed: Cell<Option<u64>>,
}

/// The result of work: all of it, or the part that was done when it was interrupted.
pub(super) struct WorkResult {
    pub kind: ResultKind,
    pub value: Value,
    pub interrupted: bool,
}

impl LabContext {
    /// A context without an audience.
    pub(super) fn new(means: LabConfig, context: Rc<Context>) -> LabContext {
        LabContext {
            context,
            limits: means.limits,
            threads: means.threads,
            catalog: RefCell::new(means.catalog),
            rules: RefCell::new(means.rules),
            folder: RefCell::default(),
            has_more: Cell::new(false),
            look: Cell::default(),
            printed: RefCell::default(),
            notes: RefCell::default(),
            partial: Cell::new(false),
            audience: RefCell::new(Rc::new(Nobody)),
            far: RefCell::default(),
            seed: means.seed,
            next: Cell::new(means.seed),
            left_out: Cell::default(),
            noted_seed: Cell::default(),
        }
    }

    /// Sets the audience that listens from here on.
    pub(super) fn listen(&self, audience: Rc<dyn Audience>) {
        self.audience.replace(audience);
    }

    pub(super) fn audience(&self) -> Rc<dyn Audience> {
        self.audience.borrow().clone()
    }

    /// As [`Audience::begins`], for work that says how far it was if it stops without a result.
    pub(super) fn begins(&self, what: &'static str, total: Option<u64>) -> ReportsStage {
        let far = Arc::<AtomicU64>::default();
        self.far.replace(Some(WorkProgress { what, total, done: far.clone() }));
        let progress = self.audience().begins(what, total);
        Box::new(move |stage| {
            if let Stage::Nodes(done, _)
            | Stage::Playouts(done, _)
            | Stage::Points(done, _)
            | Stage::Resumed(_, done, _) = stage
            {
                far.store(done, Ordering::Relaxed);
            }
            progress(stage);
        })
    }

    /// Passes over a seed from here on, where none is named.
    pub(super) fn leave_out(&self, seed: Option<u64>) {
        self.left_out.set(seed);
    }

    /// The seed of the lab, or the one after it where that is left out; it is reported at its first use.
    pub(super) fn seed(&self) -> u64 {
        let seed = self.not_left_out(self.seed);
        if self.noted_seed.replace(Some(seed)) != Some(seed) {
            self.note(&format!("seed {seed}"));
        }
        seed
    }

    /// The seed of the next playout that names none: each has the next number.
    pub(super) fn next_seed(&self) -> u64 {
        let first = self.noted_seed.get().is_none();
        let seed = self.not_left_out(self.next.get());
        if first {
            self.noted_seed.set(Some(seed));
            self.note(&format!("seed {seed}"));
        }
        self.next.set(seed.wrapping_add(1));
        seed
    }

    fn not_left_out(&self, seed: u64) -> u64 {
        if self.left_out.get() == Some(seed) { seed.wrapping_add(1) } else { seed }
    }

    pub(super) fn interrupt(&self) -> Arc<AtomicBool> {
        self.limits.budget.interrupt().cloned().unwrap_or_default()
    }

    /// How many bytes there are for work.
    pub(super) fn memory(&self) -> u64 {
        self.limits.budget.bound()
    }

    pub(super) fn print(&self, text: &str) {
        if !self.audience().printed(text) {
            let mut printed = self.printed.borrow_mut();
            printed.push_str(text);
            printed.push('\n');
        }
    }

    /// Says something beside the results.
    pub(super) fn note(&self, text: &str) {
        if !self.audience().noted(text) {
            self.notes.borrow_mut().push(text.to_owned());
        }
    }

    /// Does a host's work for a script: it is not counted against the script. Where somebody
    /// wanted it to stop, what there is is printed, and the script ends.
    ///
    /// # Errors
    /// A [`LabFailure`], which scripts may catch; that it was interrupted they may not.
    pub(super) fn work(
        &self,
        at: Position,
        work: impl FnOnce() -> Result<WorkResult, Error>,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        self.far.take();
        let done = self.beside(at, || {
            work().inspect_err(|error| {
                if let (Error::Interrupted, Some(far)) = (error, &*self.far.borrow()) {
                    self.note(&format!("interrupted after {far}: there is nothing to show yet"));
                }
            })
        })?;
        if done.interrupted {
            let mut value = done.value;
            if let (Value::Map(map), true) = (&mut value, self.look.get().json) {
                map.insert("interrupted".to_owned(), true.into());
            }
            if let Some(text) = LineResult::Result(done.kind, value).shown(self.look.get()) {
                self.print(&text);
                self.partial.set(true);
            }
            self.note("interrupted: this is what there was by then");
            return Err(self.context.refuse(Error::Interrupted, at));
        }
        Ok(done.kind.marked(&done.value))
    }

    /// Does a host's work with a result of any type.
    pub(super) fn beside<T>(
        &self,
        at: Position,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Box<EvalAltResult>> {
        let meter = &self.context.meter;
        match meter.aside(usize::MAX, work) {
            Ok(done) => Ok(done),
            Err(Error::Interrupted) => Err(self.context.refuse(Error::Interrupted, at)),
            Err(error) => Err(LabFailure::new(error).raise(at)),
        }
    }
}
