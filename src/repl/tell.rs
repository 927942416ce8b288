//! Reports the open conflict: new events, the picture with what has changed, who is asked.

use super::{Eyes, Picture, Reply, Said, Session, question};
use crate::conflict::Position;
use crate::game::Outcome;
use crate::render::{self, tame_message};
use crate::rulebook::Rulebook;

impl Session {
    /// Reports the events since the last report, and the current state of the open conflict.
    pub fn tell(&mut self, reply: &mut Reply) {
        let eyes = match &self.play {
            Some(play) => Eyes::of(play, self.revealed),
            None => return,
        };
        if self.hands_over(&eyes, reply) {
            return;
        }
        self.word_question(reply);
        let Some(play) = &self.play else { return };
        let events = play.events();
        for heard in events.iter().skip(self.told.min(events.len())) {
            reply.note(render::below_each_other(&heard.text));
        }
        self.told = events.len();
        let (drawn, asked) = (
            question::picture(play, &eyes),
            question::asked(play, &self.words, self.options.width),
        );
        let end = match play.position() {
            Position::Over { outcome, .. } => self.end(outcome),
            Position::Asked(_) => Vec::new(),
        };
        match drawn {
            Ok(Some(text)) => reply.said.push(Said::Picture(self.look_at(eyes, text))),
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

    /// A picture with what has changed since these eyes saw the last one.
    fn look_at(&mut self, eyes: Eyes, text: String) -> Picture {
        // One person alone, or nobody, has seen all that was shown.
        let several = self.play.as_ref().is_some_and(|play| play.people().len() > 1);
        let before = match several {
            true => self.seen.iter().position(|(others, _)| *others == eyes),
            false => self.seen.len().checked_sub(1),
        };
        let before = before.map(|at| self.seen.remove(at).1);
        let picture = Picture::since(text.trim_end(), before.as_deref());
        self.seen.push((eyes, text));
        picture
    }

    /// Reports the state of the open conflict after moves were taken back or made again.
    pub(crate) fn tell_anew(&mut self, reply: &mut Reply) {
        self.told = self.play.as_ref().map_or(0, |play| play.events().len());
        self.tell(reply);
    }
}
