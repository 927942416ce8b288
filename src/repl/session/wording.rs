//! The open question in a player's words, as the rules' `wording` gives it, found once for each question.

use std::cell::OnceCell;

use crate::conflict::Play;
use crate::error::Error;
use crate::game::{Asked, Value, Wording};
use crate::repl::Session;
use crate::script::State;

/// The words of the question that was shown last.
#[derive(Default)]
pub(in crate::repl) struct QuestionWords {
    /// The question, and what the player saw then.
    of: Option<(Asked, Value)>,
    wording: Wording,
    /// The last mistake that was shown; the same one is not shown again.
    mistake: Option<String>,
    /// What is known where no question was worded.
    none: OnceCell<Wording>,
}

impl QuestionWords {
    /// The words of a question; nothing where it was not worded.
    pub(in crate::repl) fn of(&self, asked: &Asked) -> &Wording {
        match &self.of {
            Some((known, _)) if known == asked => &self.wording,
            _ => self.none.get_or_init(Wording::default),
        }
    }
}

impl Session {
    pub(in crate::repl) fn wording(&self) -> Option<&Wording> {
        Some(self.words.of(self.play.as_ref()?.asked()?))
    }

    /// Finds the words of the open question, where a person is asked. A mistake in the rules' `wording` is
    /// noted once with its place, and the question goes without words.
    pub(in crate::repl) fn word_question(&mut self) {
        let Some(play) = &self.play else { return };
        let Some(asked) = play.asked().filter(|_| play.conflict.rules.defines("wording")) else {
            self.words.of = None;
            return;
        };
        let found = play.conflict.rules.view(&play.state(), &asked.who);
        if let (Some((known, before)), Ok(seen)) = (&self.words.of, &found)
            && known == asked
            && before == seen
        {
            return;
        }
        let seen = found.as_ref().ok().cloned().unwrap_or_default();
        let found = found.and_then(|seen| worded(play, asked, &seen));
        let of = Some((asked.clone(), seen));
        let (wording, mistake) = match found {
            Ok(wording) => (wording, None),
            // As long as the setup asks there is no state yet, so no words are owed.
            Err(_) if play.is_setting_up() => (Wording::default(), None),
            Err(error) => {
                let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
                (Wording::default(), Some(format!("no words for the question: {error}{at}")))
            }
        };
        self.words.of = of;
        self.words.wording = wording;
        if let Some(mistake) = mistake
            && self.words.mistake.as_ref() != Some(&mistake)
        {
            self.note(mistake.clone());
            self.words.mistake = Some(mistake);
        }
    }
}

fn worded(play: &Play, asked: &Asked, seen: &Value) -> Result<Wording, Error> {
    let seen = State::from_value(seen);
    play.conflict.rules.wording(&seen, &asked.who, &asked.name, &asked.options)
}
