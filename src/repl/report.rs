//! Reports the open conflict after a line: what happened, the picture, the question or the end.

use super::{Said, Session, Viewer, question};
use crate::game::Outcome;
use crate::report::{self, tame_message};
use crate::rulebook::Rulebook;

impl Session {
    /// Reports the events since the last report, and the current state of the open conflict.
    pub fn report(&mut self) {
        let viewer = match &self.play {
            Some(play) => Viewer::of(play, self.revealed),
            None => return,
        };
        if self.hands_over(&viewer) {
            return;
        }
        self.word_question();
        let Some(play) = &self.play else { return };
        let events = play.events();
        for heard in events.iter().skip(self.announced.min(events.len())) {
            self.note(report::below_each_other(&heard.text));
        }
        self.announced = events.len();
        let (drawn, asked) = (
            question::picture(play, &viewer),
            question::asked(play, &self.words, self.options.width),
        );
        let end = play.position().outcome().map(|outcome| self.end(outcome));
        match drawn {
            Ok(Some(text)) => self.say(Said::Picture(text.trim_end().to_owned())),
            Ok(None) => {}
            Err(why) => self.note(why),
        }
        asked.into_iter().for_each(|question| self.note(question));
        end.into_iter().flatten().for_each(|said| self.say(said));
    }

    /// The result; all else that the rules gave of the outcome is left to `:state`, so that what was
    /// announced last stays on the screen. For programs it is whole.
    fn end(&self, outcome: &Outcome) -> Vec<Said> {
        let (result, rest) = (report::result(outcome), report::outcome_rest(outcome));
        if self.options.json {
            return vec![Said::End { result: report::outcome(outcome), rest: String::new() }];
        }
        let has_rest = !rest.is_empty();
        let mut end = vec![Said::End { result, rest }];
        let folder = self.play.as_ref().map(|play| &play.conflict.folder);
        let book = folder.and_then(|folder| Rulebook::of(folder).ok());
        if let Some(text) = book.as_ref().and_then(Rulebook::utility) {
            let text = text.replace('*', "");
            end.push(Said::Note(report::wrapped(&tame_message(&text), self.options.width)));
        }
        // Elsewhere nobody types another line, or `play` prints all of it.
        if self.options.is_terminal && has_rest {
            end.push(Said::Note("`:state` shows the rest of the outcome".to_owned()));
        }
        end
    }

    /// Reports the state of the open conflict after moves were taken back or made again.
    pub(crate) fn report_anew(&mut self) {
        self.announced = self.play.as_ref().map_or(0, |play| play.events().len());
        self.report();
    }
}
