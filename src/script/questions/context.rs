//! The context of a running script: the meter, the source texts and the handler that answers.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::Position;

use crate::error::{Error, Limit};
use crate::game::{Handler, Stop};
use crate::script::assemble::source::Sources;
use crate::script::playout::call_counter::CallCounter;
use crate::script::sandbox::fault::Fault;
use crate::script::sandbox::fault::{fail, unwind};
use crate::script::sandbox::limits::Limits;
use crate::script::sandbox::meter::{Meter, Stopped};
use crate::script::setup::Setups;

/// A handler as the script's host holds it during a playout.
pub(in crate::script) type SharedHandler = Rc<RefCell<dyn Handler>>;

/// The bytes that a handler may keep of one question, as a history does: questions are bounded.
const OF_A_QUESTION: usize = 2 << 10;
/// The bytes that it may keep of one event; there may be many more of those.
const OF_AN_EVENT: usize = 256;

/// Whether questions may be asked right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MayAsk {
    /// Questions go to the handler.
    Allowed,
    /// The function of this name must not ask.
    Refused(&'static str),
}

/// What host functions share with the playout that runs them.
pub struct Context {
    /// Counts and stops.
    pub meter: Meter,
    /// The scripts' texts.
    pub sources: RefCell<Rc<Sources>>,
    /// Which optional functions the rules define.
    pub(crate) defines: Cell<Defines>,
    /// The players who were asked in this run.
    pub asked: RefCell<Rc<BTreeSet<String>>>,
    /// The setups that are being read in this run.
    pub setups: Setups,
    /// How often each function is run.
    pub calls: CallCounter,
    handler: RefCell<Option<SharedHandler>>,
    may_ask: Cell<MayAsk>,
    listens: Cell<bool>,
    deliberates: Cell<bool>,
}

/// Which optional functions of the contract rules define.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Defines {
    /// `view(player)`.
    pub view: bool,
    /// `picture()`.
    pub picture: bool,
    /// `wording(player, question, options)`.
    pub wording: bool,
    /// `laws()`.
    pub laws: bool,
    /// `check_rules()`.
    pub check_rules: bool,
    /// `sides()`.
    pub sides: bool,
}

impl Context {
    /// A context in which nobody answers yet.
    pub fn new(limits: Limits) -> Rc<Context> {
        Rc::new(Context {
            meter: Meter::new(limits),
            sources: RefCell::default(),
            defines: Cell::default(),
            asked: RefCell::default(),
            setups: Setups::default(),
            calls: CallCounter::default(),
            handler: RefCell::new(None),
            may_ask: Cell::new(MayAsk::Refused("the top level")),
            listens: Cell::new(false),
            deliberates: Cell::new(false),
        })
    }

    /// Runs with this handler answering, and lets go of it afterwards.
    pub(crate) fn with_handler<T>(&self, handler: SharedHandler, run: impl FnOnce() -> T) -> T {
        let listens = handler.borrow().listens();
        let deliberates = handler.borrow().deliberates();
        let _back = Back {
            context: self,
            handler: self.handler.replace(Some(handler)),
            listens: self.listens.replace(listens),
            deliberates: self.deliberates.replace(deliberates),
        };
        run()
    }

    /// Runs a function of the contract, which may ask or may not.
    pub(crate) fn asking<T>(&self, may_ask: MayAsk, run: impl FnOnce() -> T) -> T {
        let _back = MayAskBack { context: self, may_ask: self.may_ask.replace(may_ask) };
        run()
    }

    /// Whether anybody hears events.
    pub fn listens(&self) -> bool {
        self.listens.get()
    }

    /// Lets the handler answer a question of the script at a position.
    ///
    /// # Errors
    /// The error that unwinds the script; the reason is in the meter.
    pub fn answer<T>(
        &self,
        what: &str,
        at: Position,
        ask: impl FnOnce(&mut dyn Handler) -> Result<T, Stop>,
    ) -> Result<T, Fault> {
        if let MayAsk::Refused(function) = self.may_ask.get() {
            return fail(format!("`{what}` cannot be asked in {function}"), at);
        }
        if self.meter.question() {
            return Err(unwind(at));
        }
        if self.meter.ends_piece(false) {
            self.meter.stop(Stopped::Limit(Limit::Playout(self.meter.limits().playout)));
            return Err(unwind(at));
        }
        let Some(handler) = self.handler.borrow().clone() else {
            return fail(format!("`{what}`: nobody can answer here"), at);
        };
        let Ok(mut handler) = handler.try_borrow_mut() else {
            return fail(format!("`{what}`: the player is already answering a question"), at);
        };
        let answer = self.meter.outside(OF_A_QUESTION, || {
            if self.deliberates.get() {
                self.meter.while_thinking(|| ask(&mut *handler))
            } else {
                ask(&mut *handler)
            }
        });
        answer.map_err(|stop| {
            self.meter.stop(match stop {
                Stop::Pause => Stopped::Paused,
                Stop::Fail(error) => Stopped::Failed(error),
            });
            unwind(at)
        })
    }

    /// Notes that a player is asked.
    pub fn note(&self, player: &str) {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(player) {
            Rc::make_mut(&mut asked).insert(player.to_owned());
        }
    }

    /// Passes an event to the handler.
    pub(crate) fn announce(&self, text: &str) {
        if let Some(handler) = &*self.handler.borrow()
            && let Ok(mut handler) = handler.try_borrow_mut()
        {
            self.meter.outside(OF_AN_EVENT, || handler.event(text));
        }
    }

    /// Ends the script with an error of the host's own, even if a native replaces the error that
    /// unwinds.
    pub fn refuse(&self, error: Error, at: Position) -> Fault {
        self.meter.stop(Stopped::Failed(Box::new(error)));
        unwind(at)
    }
}

/// Restores the previous handler when dropped, also after an error or a panic.
struct Back<'a> {
    context: &'a Context,
    handler: Option<SharedHandler>,
    listens: bool,
    deliberates: bool,
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.context.handler.replace(self.handler.take());
        self.context.listens.set(self.listens);
        self.context.deliberates.set(self.deliberates);
    }
}

/// Restores on drop whether questions may be asked.
struct MayAskBack<'a> {
    context: &'a Context,
    may_ask: MayAsk,
}

impl Drop for MayAskBack<'_> {
    fn drop(&mut self) {
        self.context.may_ask.set(self.may_ask);
    }
}
