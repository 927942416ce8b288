//! Replies: what a line at the prompt prints, and what of the open conflict is reported after it.

use super::{Picture, Session, Viewer, question};
use crate::conflict::Position;
use crate::error::{Error, Location};
use crate::game::Outcome;
use crate::render::{self, tame_message};
use crate::rulebook::Rulebook;

/// One part of a reply.
#[derive(Debug)]
pub enum Said {
    /// The result that the line asked for.
    Data(String),
    /// Further information for people: what happened, who is asked next.
    Note(String),
    /// The rules' picture of the current state, with what has changed.
    Picture(Picture),
    /// The outcome of the conflict.
    End(String),
    /// Another person is to look: the terminal is cleared.
    Clear,
    /// An error in the line.
    Error(Error),
}

/// The reply to a line.
#[derive(Debug, Default)]
pub struct Reply {
    /// The parts of the reply, in order.
    pub said: Vec<Said>,
    /// The line is the beginning of a statement; more lines are needed.
    pub more: bool,
    /// The session must end.
    pub ends: bool,
    /// It is printed whole, however tall it is: a picture is to be seen beside the question.
    pub(crate) unpaged: bool,
    /// The location in a file to be edited; afterwards
    /// [`Session::look_again`](super::Session::look_again) must be called.
    pub edits: Option<Location>,
}

impl Said {
    /// The part as text without colours; `None` for an error, which the caller formats.
    pub fn text(&self) -> Option<String> {
        match self {
            Said::Data(text) | Said::Note(text) | Said::End(text) => Some(text.clone()),
            Said::Picture(picture) => Some(picture.marked()),
            Said::Error(_) | Said::Clear => None,
        }
    }
}

impl Reply {
    /// Adds a result that the line asked for.
    pub fn data(&mut self, text: impl Into<String>) {
        self.said.push(Said::Data(text.into()));
    }

    /// Adds a note.
    pub fn note(&mut self, text: impl Into<String>) {
        self.said.push(Said::Note(text.into()));
    }

    /// How many rows of this many columns the parts behind one take, with the prompt below them.
    pub(crate) fn rows_behind(&self, part: usize, columns: usize) -> usize {
        let rows = |line: &str| line.chars().count().div_ceil(columns.max(1)).max(1);
        let texts = self.said.iter().skip(part + 1).filter_map(Said::text);
        texts.map(|text| text.lines().map(rows).sum::<usize>()).sum::<usize>() + 1
    }

    /// The first error, if there is one.
    pub fn error(&self) -> Option<&Error> {
        self.said.iter().find_map(|said| match said {
            Said::Error(error) => Some(error),
            _ => None,
        })
    }
}

impl Session {
    /// Reports the events since the last report, and the current state of the open conflict.
    pub fn report(&mut self, reply: &mut Reply) {
        let viewer = match &self.play {
            Some(play) => Viewer::of(play, self.revealed),
            None => return,
        };
        if self.hands_over(&viewer, reply) {
            return;
        }
        self.word_question(reply);
        let Some(play) = &self.play else { return };
        let events = play.events();
        for heard in events.iter().skip(self.announced.min(events.len())) {
            reply.note(render::below_each_other(&heard.text));
        }
        self.announced = events.len();
        let (drawn, asked) = (
            question::picture(play, &viewer),
            question::asked(play, &self.words, self.options.width),
        );
        let end = match play.position() {
            Position::Over { outcome, .. } => self.end(outcome),
            Position::Asked(_) => Vec::new(),
        };
        match drawn {
            Ok(Some(text)) => reply.said.push(Said::Picture(self.look_at(viewer, text))),
            Ok(None) => {}
            Err(why) => reply.note(why),
        }
        asked.into_iter().for_each(|question| reply.note(question));
        reply.said.extend(end);
    }

    /// The result; all else that the rules gave of the outcome is left to `:state`, so that what was
    /// announced last stays on the screen. For programs it is whole.
    fn end(&self, outcome: &Outcome) -> Vec<Said> {
        if self.options.json {
            return vec![Said::End(render::outcome(outcome))];
        }
        let mut end = vec![Said::End(render::result(outcome))];
        let folder = self.play.as_ref().map(|play| &play.conflict.folder);
        let book = folder.and_then(|folder| Rulebook::of(folder).ok());
        if let Some(text) = book.as_ref().and_then(Rulebook::utility) {
            let text = text.replace('*', "");
            end.push(Said::Note(render::wrapped(&tame_message(&text), self.options.width)));
        }
        if !render::outcome_rest(outcome).is_empty() {
            end.push(Said::Note("`:state` shows the rest of the outcome".to_owned()));
        }
        end
    }

    /// A picture with what has changed since this viewer saw the last one.
    fn look_at(&mut self, viewer: Viewer, text: String) -> Picture {
        // One person alone, or nobody, has seen all that was shown.
        let several = self.play.as_ref().is_some_and(|play| play.people().len() > 1);
        let before = match several {
            true => self.seen.iter().position(|(others, _)| *others == viewer),
            false => self.seen.len().checked_sub(1),
        };
        let before = before.map(|at| self.seen.remove(at).1);
        let picture = Picture::since(text.trim_end(), before.as_deref());
        self.seen.push((viewer, text));
        picture
    }

    /// Reports the state of the open conflict after moves were taken back or made again.
    pub(crate) fn report_anew(&mut self, reply: &mut Reply) {
        self.announced = self.play.as_ref().map_or(0, |play| play.events().len());
        self.report(reply);
    }
}
