//! A program in a seat: begun, asked by lines of JSON, and blamed for what it does wrong.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::SharedThinking;
use super::child_process::{ChildProcess, LONGEST, Silence};
use super::program::{AgentCommand, AskedDecision, Crew, ProgramHello, read_answer, unread};
use crate::error::{AgentFault, Error};
use crate::game::{Answer, Decision, Generator, Question, Stop, brief};
use crate::graph::{Agent, GoesBy, Standpoint};
use crate::rulebook::Rulebook;
use crate::script::{Ear, Rules, Run, Turn};

/// The version of what programs in seats are asked and answer.
const VERSION: u64 = 1;
/// To begin, and to answer the first line, a program has this long, or as long as for an answer if that is longer.
const GREETING: Duration = Duration::from_secs(60);
/// Of this many answers of a pure program one is asked again, and the first.
const AGAIN: u64 = 100;
/// The widest that the rulebook is written, in columns.
const WIDTH: usize = 100;

/// A program in a seat, of one thread.
pub(super) struct ProgramAgent {
    program: Arc<AgentCommand>,
    shared: SharedThinking,
    crew: Arc<Crew>,
    rules: OnceCell<Rc<Rules>>,
    goes_by: OnceCell<GoesBy>,
}

impl ProgramAgent {
    pub(super) fn new(program: &Arc<AgentCommand>, shared: &SharedThinking) -> ProgramAgent {
        let crew = shared.programs.crew(program);
        let (rules, goes_by) = (OnceCell::new(), OnceCell::new());
        ProgramAgent { program: program.clone(), shared: shared.clone(), crew, rules, goes_by }
    }

    /// What its answers depend on, as it says itself; it is begun for that, unless it was before.
    ///
    /// # Errors
    /// That there is no such program, or that it does not say what it should.
    pub(super) fn greet(&self) -> Result<GoesBy, Error> {
        if let Some(known) = self.goes_by.get() {
            return Ok(*known);
        }
        let known = self.crew.hello.lock().clone();
        let hello = match known {
            Some(hello) => hello,
            None => {
                let (process, hello) = self.begin()?;
                self.crew.idle.lock().push(process);
                hello
            }
        };
        let goes_by = match hello {
            ProgramHello { history: true, .. } => GoesBy::Game,
            ProgramHello { pure: true, .. } => GoesBy::View,
            _ => GoesBy::Draw,
        };
        Ok(*self.goes_by.get_or_init(|| goes_by))
    }

    fn rules(&self) -> Result<&Rc<Rules>, Error> {
        if self.rules.get().is_none() {
            let rules = self.shared.blueprint.rules()?;
            let _ = self.rules.set(rules);
        }
        self.rules.get().ok_or(Error::Interrupted)
    }

    /// Begins a process, which says what it is.
    fn begin(&self) -> Result<(ChildProcess, ProgramHello), Error> {
        let AgentCommand { name, words, ms, folder, .. } = &*self.program;
        let rules = self.rules()?;
        let book = Rulebook::under(folder, rules)?.blocks();
        let hello = json!({
            "hello": VERSION,
            "rules": folder.name(),
            "scenario": &*self.shared.scenario,
            "agent": name,
            "params": rules.params(),
            "rulebook": crate::report::text(&book, WIDTH, true),
        });
        let mut process = ChildProcess::begin(words).map_err(|error| {
            let message = format!("`{}` does not begin: {error}", words.join(" "));
            self.program.fails(AgentFault::Gone, message)
        })?;
        let most = GREETING.max(Duration::from_millis(*ms));
        let line = self.hear(&mut process, &hello.to_string(), most)?;
        let hello: ProgramHello = serde_json::from_str(&line).map_err(|error| {
            let why = format!("its first line must be a `hello`: {}", unread(&error));
            self.program.lies(&line, why)
        })?;
        if hello.hello != VERSION {
            let why = format!("it speaks version {} of the protocol, not {VERSION}", hello.hello);
            return Err(self.program.lies(&line, why));
        }
        self.crew.hello.lock().get_or_insert_with(|| hello.clone());
        Ok((process, hello))
    }

    fn hear(
        &self,
        process: &mut ChildProcess,
        line: &str,
        most: Duration,
    ) -> Result<String, Error> {
        let is_wanted = || self.shared.budget().is_wanted().is_ok();
        process.ask(line, most, &is_wanted).map_err(|silence| self.silent(silence, most))
    }

    /// What became of a question that has no answer.
    fn silent(&self, silence: Silence, most: Duration) -> Error {
        match silence {
            Silence::Late => self
                .program
                .fails(AgentFault::Late, format!("did not answer within {} ms", most.as_millis())),
            Silence::Ended(how) => self.program.fails(AgentFault::Gone, format!("ended: {how}")),
            Silence::Spoke(line) => self.program.fails(
                AgentFault::Gone,
                format!("wrote a line before it was asked: `{}`", brief(&line)),
            ),
            Silence::Flooded(line) => self.program.fails(
                AgentFault::Gone,
                format!(
                    "wrote a line of more than {} KiB, which begins `{}`",
                    LONGEST >> 10,
                    brief(&line)
                ),
            ),
            Silence::Stopped => match self.shared.budget().may_continue() {
                Err(cut) => cut.into(),
                Ok(()) => Error::Interrupted,
            },
        }
    }

    /// Asks a process that is free, or a new one. One that erred is ended.
    fn ask(
        &self,
        question: &AskedDecision,
        more: &[(&str, Json)],
    ) -> Result<(Answer, String), Error> {
        self.counted(|| self.ask_crew(question, more))
    }

    /// Does something with a program that is not out, and counts its mistake.
    fn counted<T>(&self, doing: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let strikes = self.program.strikes.as_ref();
        if let Some((fault, why)) = strikes.and_then(|strikes| strikes.out()) {
            return Err(self.program.fails(fault, why));
        }
        let done = doing();
        if let (Some(strikes), Err(Error::Agent { fault, .. })) = (strikes, &done) {
            strikes.note(*fault);
        }
        done
    }

    fn ask_crew(
        &self,
        question: &AskedDecision,
        more: &[(&str, Json)],
    ) -> Result<(Answer, String), Error> {
        let free = self.crew.idle.lock().pop();
        let mut process = match free {
            Some(process) => process,
            None => self.begin()?.0,
        };
        let number = self.crew.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let mut line = json!({ "ask": number });
        if let (Json::Object(line), Ok(Json::Object(question))) =
            (&mut line, serde_json::to_value(question))
        {
            line.extend(question);
            line.extend(more.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
            line.insert("ms".to_owned(), self.program.ms.into());
        }
        let most = Duration::from_millis(self.program.ms);
        let reply = self.hear(&mut process, &line.to_string(), most)?;
        let options = question.options.len();
        let answer =
            read_answer(&reply, number, options).map_err(|why| self.program.lies(&reply, why))?;
        self.crew.idle.lock().push(process);
        Ok((answer, reply))
    }

    fn question(&self, decision: &Decision<'_>) -> Result<AskedDecision, Error> {
        AskedDecision::of(decision, None, Some(self.rules()?))
    }

    /// What the player saw and did at its decisions before this one, oldest first.
    fn history(&self, player: &str, at: Standpoint<'_>) -> Result<Json, Error> {
        if at.node != 0 {
            let message = "asks for the history, which is known only where a game is played from its beginning";
            return Err(self.program.fails(AgentFault::Own, message));
        }
        let mut run = Run::begin(self.rules()?, &self.shared.setup, Ear::Deaf);
        let mut past = Vec::new();
        for &answer in at.answers {
            while run.next()? != Turn::Question {}
            let index = answer as usize;
            if let Question::Decision(decision, _) = run.question()
                && decision.player == player
            {
                let view = decision.scene.view(player)?;
                let option = decision.options.value(index);
                past.push(json!({
                    "decision": decision.name, "view": view, "pick": index, "option": option,
                }));
            }
            run.answer(index);
        }
        Ok(Json::Array(past))
    }

    /// Answers by what is seen alone: its seed is of that.
    fn by_view(&self, decision: &Decision<'_>) -> Result<Answer, Error> {
        let question = self.question(decision)?;
        let text = serde_json::to_string(&question).unwrap_or_default();
        let digest = Sha256::digest(text);
        let number = digest.iter().take(8).fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let seed = [("seed", Json::from(number >> 12))];
        let (answer, line) = self.ask(&question, &seed)?;
        let again = || {
            let doubts = self.shared.programs.doubts.load(Ordering::Relaxed);
            self.crew.is_untested() || doubts || number % AGAIN == 0
        };
        if self.greet()? == GoesBy::View && again() {
            let (again, other) = self.ask(&question, &seed)?;
            if again != answer {
                let why = format!(
                    "asked the same again it answered `{}`, and it is to be pure",
                    brief(&other)
                );
                return Err(self.program.lies(&line, why));
            }
        }
        Ok(answer)
    }
}

impl Agent for ProgramAgent {
    fn name(&self) -> &str {
        &self.program.name
    }

    fn answer(&mut self, decision: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        Ok(self.by_view(decision)?)
    }

    fn pick(
        &mut self,
        decision: &Decision<'_>,
        at: Standpoint<'_>,
        generator: &mut Generator,
    ) -> Result<usize, Stop> {
        let options = decision.options.len();
        let goes_by = self.counted(|| self.greet())?;
        if goes_by == GoesBy::View {
            return Ok(self.by_view(decision)?.draw(options, generator));
        }
        // Below 2^52, so that every language reads it exactly.
        let mut more = vec![("seed", Json::from(generator.next_u64() >> 12))];
        if goes_by == GoesBy::Game {
            more.push(("history", self.history(decision.player, at)?));
        }
        let (answer, _) = self.ask(&self.question(decision)?, &more)?;
        Ok(answer.draw(options, generator))
    }

    fn goes_by(&self) -> GoesBy {
        // One that does not say what it is errs where it is asked.
        self.greet().unwrap_or(GoesBy::Draw)
    }

    fn deliberates(&self) -> bool {
        true
    }
}
