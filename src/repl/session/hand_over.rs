//! Hands a shared screen from one person to the next, and hides it in between.

use super::documentation;
use crate::error::Error;
use crate::repl::commands::{self, PromptCommand};
use crate::repl::session::Screen;
use crate::repl::{MARK, Said, Session, Viewer};
use crate::report::tame_message;

impl Session {
    /// Whether a person has to sit down first: nothing may be shown before. The screen is cleared if somebody else
    /// has looked at it, or has typed in secret.
    pub(in crate::repl) fn hands_over(&mut self) -> bool {
        let Some(play) = &self.play else { return false };
        let (several, typed) = (play.people().len() > 1, play.is_answered_in_secret());
        let Some(own) = Viewer::alone(play, self.revealed) else {
            // What everybody may see, or nobody, waits for no one. Where the rules hide nothing everybody looks now,
            // so whoever decides in secret next sits down again.
            if !play.conflict.rules.hides() {
                self.screen.viewer = None;
            }
            self.screen.awaited = None;
            return false;
        };
        let players = sorted(own.clone());
        if !self.screen.is_shared || !several || self.screen.viewer.as_ref() == Some(&players) {
            self.screen.awaited = None;
            // Who plays alone is known once another person sits down too.
            self.screen.viewer = Some(players);
            return false;
        }
        // While somebody is awaited the screen is clear already.
        if (self.screen.viewer.is_some() || typed) && self.screen.awaited.is_none() {
            self.say(Said::Clear);
        }
        self.screen.awaited = own.first().cloned();
        true
    }

    /// Takes an empty line as that of the person who was to sit down, and shows what they may see. Commands
    /// that show nothing of it are run as ever; anything else is refused. Returns whether the line is done.
    pub(in crate::repl) fn is_handed_over(&mut self, line: &str) -> Result<bool, Error> {
        let Some(awaited) = self.screen.awaited.clone() else { return Ok(false) };
        if line.is_empty() {
            self.screen.awaited = None;
            if let Some(own) =
                self.play.as_ref().and_then(|play| Viewer::alone(play, self.revealed))
            {
                let own = sorted(own);
                // What was announced while others looked was cleared away.
                self.announced = self.screen.heard_by(&own);
                self.screen.viewer = Some(own);
            }
            self.report();
            return Ok(true);
        }
        let Some(command) = line.strip_prefix(MARK) else {
            // What was typed too early, perhaps by somebody else, is not an answer.
            if line == "?" {
                return Ok(false);
            }
            self.note("press Enter first: nothing that is typed before is an answer");
            return Ok(true);
        };
        if documentation::asked(line).is_some() {
            return Ok(false);
        }
        let command = commands::parse(command)?;
        if command.care().is_for_everybody {
            // Whoever takes an answer back is to sit down again.
            if matches!(command, PromptCommand::Undo(_)) {
                self.screen.viewer = None;
            }
            return Ok(false);
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        let awaited = tame_message(&awaited);
        self.note(format!("press Enter first: `{word}` may show what is for {awaited} alone"));
        Ok(true)
    }
}

impl Screen {
    /// Whoever looks has been shown this many events.
    pub(in crate::repl) fn has_heard(&mut self, events: usize) {
        self.heard.insert(self.viewer.clone().unwrap_or_default(), events);
    }

    /// Of this many events nothing later has happened.
    pub(in crate::repl) fn heard_at_most(&mut self, events: usize) {
        self.heard.values_mut().for_each(|heard| *heard = events.min(*heard));
    }

    /// How many events these players have been shown.
    fn heard_by(&self, players: &[String]) -> usize {
        let all = [players, &[]].into_iter();
        all.filter_map(|players| self.heard.get(players)).copied().max().unwrap_or_default()
    }
}

fn sorted(mut players: Vec<String>) -> Vec<String> {
    players.sort();
    players
}
