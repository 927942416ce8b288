//! A line of play repeated: each question as it was asked, with what could be seen, and its answer.

use super::Play;
use super::person::PendingQuestion;
use crate::error::Error;
use crate::game::{Asked, Follow, Outcome, Question, Stop, Value};
use crate::script::{Ear, Run, Turn};

/// A question of a line of play; a joint decision has one for each player.
pub(crate) struct Retold {
    /// What was asked, where, with the state and the picture then.
    pub moment: PendingQuestion,
    /// Which part of a joint decision it was, from 0, and of how many.
    pub part: Option<(usize, usize)>,
    /// The place of the answer among the options; none where the line ends before it.
    pub answer: Option<usize>,
    /// What was announced since the question before.
    pub events: Vec<String>,
}

impl Retold {
    /// What was asked.
    pub(crate) fn asked(&self) -> Option<&Asked> {
        self.moment.asked.first()
    }
}

/// A line of play from its start.
pub(crate) struct RetoldLine {
    pub questions: Vec<Retold>,
    /// What was announced after the last answer.
    pub events: Vec<String>,
    /// The outcome and the last state, where it is over.
    pub end: Option<(Outcome, Value)>,
}

impl Play {
    /// The line that is played, from its start.
    pub(crate) fn retold(&self) -> Result<RetoldLine, Error> {
        let mut run = Run::begin(&self.conflict.rules, &self.conflict.setup, Ear::Events);
        let mut follow = Follow::new(self.history());
        let mut line = RetoldLine { questions: Vec::new(), events: Vec::new(), end: None };
        loop {
            match run.next()? {
                Turn::Done => break,
                Turn::Step => {}
                Turn::Event => line.events.push(run.event().to_owned()),
                Turn::Question => {
                    let question = run.question();
                    let asked: Asked = match question {
                        Question::Decision(decision, _) => (&decision).into(),
                        Question::Chance(chance) => (&chance).into(),
                    };
                    let part = question.part();
                    let moment = PendingQuestion::of(&run, vec![asked]);
                    let mut taken = None;
                    let answered = run.answer_by(|question| {
                        taken = follow.answer(question)?;
                        taken.ok_or(Stop::Pause)
                    });
                    let events = std::mem::take(&mut line.events);
                    line.questions.push(Retold { moment, part, answer: taken, events });
                    match answered {
                        Err(Stop::Pause) => return Ok(line),
                        answered => answered?,
                    }
                }
            }
        }
        if let (Some(outcome), Some(state)) = (run.outcome(), run.state()) {
            line.end = Some((outcome.clone(), state.value()));
        }
        Ok(line)
    }
}
