//! A conflict that a server plays with its client: where it is, what was answered, and how it gets there again.

use std::rc::Rc;

use super::ServedConflict;
use super::request::{ClientPick, Refusal};
use crate::error::Error;
use crate::game::{History, Question, Record, Stop, Value};
use crate::graph::SeatedAgents;
use crate::script::{Ear, Run, Turn};

/// A conflict under way, of which the client answers what no agent and no chance of the host does.
pub(super) struct ServedGame {
    pub of: Rc<ServedConflict>,
    pub seed: u64,
    pub asks_chance: bool,
    run: Run,
    /// Who answers for the host: agents and chance.
    seats: SeatedAgents,
    answers: Vec<ServedAnswer>,
    /// What was announced since the client heard last.
    pub events: Vec<String>,
}

#[derive(Clone, Copy)]
pub(super) struct ServedAnswer {
    index: usize,
    by_client: bool,
}

impl ServedGame {
    /// After these answers, and from there to the next question of the client.
    pub(super) fn after(
        of: &Rc<ServedConflict>,
        (seed, asks_chance): (u64, bool),
        answers: Vec<ServedAnswer>,
    ) -> Result<ServedGame, Error> {
        let run = Run::begin(&of.conflict.rules, &of.conflict.setup, Ear::Events);
        let seats = of.seats(seed)?;
        let (of, events) = (of.clone(), Vec::new());
        let mut game = ServedGame { of, seed, asks_chance, run, seats, answers, events };
        game.play_again(|_, _| ())?;
        game.events.clear();
        game.play_on()?;
        Ok(game)
    }

    fn play_again(&mut self, mut hear: impl FnMut(&Question<'_>, usize)) -> Result<(), Error> {
        for answered in &self.answers {
            while self.run.next()? != Turn::Question {}
            hear(&self.run.question(), answered.index);
            self.run.answer(answered.index);
            self.seats.skip(answered.index);
        }
        Ok(())
    }

    /// Lets the host answer until the client is asked, or all is over.
    fn play_on(&mut self) -> Result<(), Error> {
        loop {
            match self.run.next()? {
                Turn::Done => return Ok(()),
                Turn::Step => {}
                Turn::Event => self.events.push(self.run.event().to_owned()),
                Turn::Question => {
                    let by_host = match self.run.question() {
                        Question::Chance(_) => !self.asks_chance,
                        Question::Decision(decision, _) => self.of.hosts(decision.player),
                    };
                    if !by_host {
                        return Ok(());
                    }
                    let (seats, answers) = (&mut self.seats, &mut self.answers);
                    self.run.answer_by(|question| {
                        let index = seats.choose(question)?;
                        answers.push(ServedAnswer { index, by_client: false });
                        Ok::<_, Stop>(index)
                    })?;
                }
            }
        }
    }

    pub(super) fn question(&self) -> Option<Question<'_>> {
        self.run.outcome().is_none().then(|| self.run.question())
    }

    pub(super) fn outcome(&self) -> Option<&Value> {
        self.run.outcome().map(|outcome| outcome.value())
    }

    /// Answers what the client is asked. On error nothing changes.
    pub(super) fn answer(&mut self, pick: ClientPick) -> Result<(), Refusal> {
        let question = self
            .question()
            .ok_or_else(|| Error::usage("nothing is asked: the conflict is over"))?;
        let index = match pick {
            ClientPick::Index(index) => {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                if index >= question.len() {
                    let message = format!(
                        "{index} is no place of an option: there are {}, counted from 0",
                        question.len()
                    );
                    return Err(Refusal::at("pick", message));
                }
                index
            }
            ClientPick::Option(option) => index_of(&question, &option)?,
        };
        let before = self.answers.len();
        let events = self.events.clone();
        self.answers.push(ServedAnswer { index, by_client: true });
        self.seats.skip(index);
        self.run.answer(index);
        if let Err(error) = self.play_on() {
            self.answers.truncate(before);
            let answers = std::mem::take(&mut self.answers);
            *self = ServedGame::after(&self.of, (self.seed, self.asks_chance), answers)?;
            self.events = events;
            return Err(error.into());
        }
        Ok(())
    }

    /// A second one at the same place; another seed decides what falls from there on.
    pub(super) fn fork(&self, seed: Option<u64>) -> Result<ServedGame, Error> {
        let seed = seed.unwrap_or(self.seed);
        let mut seats = self.of.seats(seed)?;
        self.answers.iter().for_each(|answered| _ = seats.skip(answered.index));
        Ok(ServedGame {
            of: self.of.clone(),
            seed,
            asks_chance: self.asks_chance,
            run: self.run.clone(),
            seats,
            answers: self.answers.clone(),
            events: self.events.clone(),
        })
    }

    /// Takes back the last answers of the client, with all that followed them.
    pub(super) fn undo(&mut self, n: u64) -> Result<(), Refusal> {
        let own = self.answers.iter().enumerate().filter(|(_, answered)| answered.by_client);
        let own: Vec<usize> = own.map(|(at, _)| at).collect();
        let left = usize::try_from(n).ok().and_then(|n| own.len().checked_sub(n));
        let Some(left) = left else {
            let message = format!("there are {} answers to take back, got {n}", own.len());
            return Err(Refusal::at("n", message));
        };
        let Some(&cut) = own.get(left) else { return Ok(()) };
        let answers = self.answers[..cut].to_vec();
        *self = ServedGame::after(&self.of, (self.seed, self.asks_chance), answers)?;
        Ok(())
    }

    pub(super) fn view(&self, player: &str) -> Result<Value, Error> {
        match (self.question(), self.run.state()) {
            (Some(question), _) => question.scene().view(player),
            (None, Some(state)) => self.of.conflict.rules.view(state, player),
            (None, None) => Ok(Value::Unit),
        }
    }

    pub(super) fn picture(&self) -> Result<Option<String>, Error> {
        match (self.question(), self.run.state()) {
            (Some(question), _) => question.scene().picture(),
            (None, Some(state)) => self.of.conflict.rules.picture(state),
            (None, None) => Ok(None),
        }
    }

    pub(super) fn history(&self) -> Result<History, Error> {
        let run = Run::begin(&self.of.conflict.rules, &self.of.conflict.setup, Ear::Deaf);
        let (seats, events) = (self.of.seats(self.seed)?, Vec::new());
        let (of, answers) = (self.of.clone(), self.answers.clone());
        let mut again = ServedGame { of, run, seats, answers, events, ..*self };
        let mut record = Record::default();
        again.play_again(|question, index| record.note(question, index))?;
        Ok(record.history)
    }
}

fn index_of(question: &Question<'_>, option: &Value) -> Result<usize, Refusal> {
    question.index_of(option).ok_or_else(|| {
        let asked = question.asked();
        let names: Vec<String> = asked.options.iter().map(ToString::to_string).collect();
        let answer = option.to_string();
        let nearest = crate::error::nearest(&answer, names.iter().map(String::as_str));
        let answer = crate::game::brief(&answer);
        Refusal::of("option", Error::Answer { answer, asked: Box::new(asked), nearest })
    })
}
