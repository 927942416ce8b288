//! Hands the screen over from one person to the next, so that nobody sees what is hidden from them.

use super::{Eyes, Reply, Said, Session, commands};
use crate::render::tame_message;

/// Who sits before the screen.
#[derive(Debug, Default)]
pub struct Screen {
    /// Whether several people look at it one after another: it is a terminal.
    pub is_shared: bool,
    /// The players of the person who looked last.
    viewer: Option<Vec<String>>,
    /// The player who is to sit down before anything is shown.
    awaited: Option<String>,
}

impl Screen {
    /// Another conflict is open: nobody has seen anything of it.
    pub(super) fn is_new(&mut self) {
        (self.viewer, self.awaited) = (None, None);
    }

    /// Whether somebody is to sit down first.
    pub fn is_awaiting(&self) -> bool {
        self.awaited.is_some()
    }

    /// What stands before the line that is awaited.
    pub(super) fn prompt(&self) -> Option<String> {
        let awaited = self.awaited.as_ref()?;
        Some(format!("it is {}'s turn: press Enter ", tame_message(awaited)))
    }
}

impl Session {
    /// Whether these eyes are those of a person who has to sit down first: nothing may be shown before.
    /// What stands on the screen is cleared where somebody else has looked at it.
    pub(super) fn hands_over(&mut self, eyes: &Eyes, reply: &mut Reply) -> bool {
        let several = self.play.as_ref().is_some_and(|play| play.people().len() > 1);
        let Eyes::Of(own) = eyes else {
            // What everybody may see, or nobody, waits for no one.
            self.screen.awaited = None;
            return false;
        };
        let mut players = own.clone();
        players.sort();
        if !self.screen.is_shared || !several || self.screen.viewer.as_ref() == Some(&players) {
            self.screen.awaited = None;
            return false;
        }
        if self.screen.viewer.is_some() {
            reply.said.push(Said::Clear);
        }
        self.screen.awaited = own.first().cloned();
        true
    }

    /// Takes a line as that of the person who was to sit down, and shows what they may see. Commands that
    /// leave the session are run as ever.
    pub(super) fn is_handed_over(&mut self, line: &str, reply: &mut Reply) -> bool {
        let leaves = line
            .strip_prefix(commands::MARK)
            .is_some_and(|command| commands::parse(command).is_ok_and(|one| one.is_quit()));
        if !self.screen.is_awaiting() || leaves {
            return false;
        }
        // What was typed too early, perhaps by somebody else, is no answer.
        if line.is_empty() {
            self.screen.awaited = None;
            if let Some(play) = &self.play
                && let Eyes::Of(mut own) = Eyes::of(play, self.revealed)
            {
                own.sort();
                self.screen.viewer = Some(own);
            }
            self.tell(reply);
        }
        true
    }
}
