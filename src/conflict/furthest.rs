//! How far does a conflict go where an agent or the rules fail? To the question before that.

use std::cell::RefCell;
use std::rc::Rc;

use super::people::Desk;
use super::{Go, Line, Play};
use crate::error::Error;
use crate::handlers::{Record, Replay};
use crate::script::Unwatched;

impl Play {
    /// Goes on until a person is asked, to the end, or to the last question before an agent or the
    /// rules fail; then the failure is returned, and the conflict stands where that question is asked.
    ///
    /// # Errors
    /// Those of the rules at the questions before.
    pub fn go_furthest(&mut self) -> Result<Option<Error>, Error> {
        let desk = Rc::new(RefCell::new(Desk::default()));
        let replay = Replay::new(self.history(), self.seats(self.seed, &desk)?);
        let handler = Rc::new(RefCell::new(Record::new(replay)));
        let Err(failure) = self.watched(&handler, &mut Unwatched) else {
            return self.go(Go::On).map(|()| None);
        };
        let history = std::mem::take(handler.borrow_mut().history_mut());
        self.stand_on(self.seed, Line::new(history), Default::default(), Go::Stay)?;
        Ok(Some(failure))
    }
}
