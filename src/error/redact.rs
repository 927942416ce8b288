//! Hides in errors what the rules hide from the person who reads them.

use super::Error;

impl Error {
    /// The mistake without what a script says, where it failed and what led there, since all of these
    /// may show what it saw; where a history diverges may be at somebody else's decision. As long as nobody has
    /// answered and nothing fell, rules have nothing to show but the scenario; an agent sees what its player does.
    pub(crate) fn veiled(self) -> Error {
        let is_agent = matches!(self.itself(), Error::Agent { .. });
        if matches!(&self, Error::Reached { history, .. } if history.entries.is_empty() && !is_agent)
        {
            return self;
        }
        let script = self.location().map(|at| format!(" in `{}`", at.file)).unwrap_or_default();
        match self.itself() {
            Error::Diverged { .. } => Error::usage(
                "the rules ask something else than was answered; `:reveal` shows where",
            ),
            Error::Agent { agent, .. } => Error::usage(format!(
                "agent `{agent}` fails; the details may show what is hidden from you: `:reveal` shows them, and \
                 so does a game without people"
            )),
            Error::Script(failed) if failed.fault.is_of_a_run() => Error::usage(format!(
                "the rules fail{script}; the details may show what is hidden from you: `:reveal` shows them, and so \
                 does a game without people"
            )),
            _ => self,
        }
    }
}
