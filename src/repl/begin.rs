//! Runs a person's own script, `init.rhai`, before the first line of a session.

use super::{Reply, Said, Session};
use crate::catalog::Text;

impl Session {
    /// Runs a file before the first line; its definitions stay, and a saved session includes its
    /// text.
    pub fn begin(&mut self, file: &Text) -> Reply {
        let mut reply = Reply::default();
        let found = self.lab.evaluate_file(file);
        self.hear_the_lab(&mut reply);
        match found {
            Ok(_) => self.journal.keep(&file.text, true),
            Err(error) => reply.said.push(Said::Error(error)),
        }
        reply
    }

    /// Adds to the reply what the lab printed and noted, and takes over the rules that it added.
    pub(super) fn hear_the_lab(&mut self, reply: &mut Reply) {
        self.lab.take_notes().into_iter().for_each(|note| reply.note(note));
        if let Some(catalog) = self.lab.more_rules() {
            self.catalog = catalog;
        }
        let printed = self.lab.take_printed();
        if !printed.is_empty() {
            reply.data(printed.trim_end_matches('\n'));
        }
    }
}
