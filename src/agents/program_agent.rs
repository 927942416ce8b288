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

const VERSION: u64 = 1;
/// To begin, and to answer the first line, a program has this long, or as long as for an answer if that is longer.
const GREETING: Duration = Duration::from_secs(60);
/// Of this many answers of a pure program one is asked again, beside the first ones.
const AGAIN: u64 = 100;
const WIDTH: usize = 100;

pub(super) struct ProgramAgent {
    program: Arc<AgentCommand>,
    shared: SharedThinking,
    crew: Arc<Crew>,
    rules: OnceCell<Rc<Rules>>,
    goes_by: OnceCell<GoesBy>,
    hello: OnceCell<String>,
}

impl ProgramAgent {
    pub(super) fn new(program: &Arc<AgentCommand>, shared: &SharedThinking) -> ProgramAgent {
        let crew = shared.programs.crew(program);
        let (rules, goes_by, hello) = Default::default();
        let (program, shared) = (program.clone(), shared.clone());
        ProgramAgent { program, shared, crew, rules, goes_by, hello }
    }

    /// What its answers depend on, as it says itself; it is begun for that, unless it was before.
    pub(super) fn greet(&self) -> Result<GoesBy, Error> {
        if let Some(known) = self.goes_by.get() {
            return Ok(*known);
        }
        let scenario = &self.shared.scenario;
        if self.crew.hello(scenario).is_none() {
            let process = self.process()?;
            self.crew.rest(scenario, process);
        }
        let hello = self.crew.hello(scenario).ok_or(Error::Interrupted)?;
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

    /// A process that was introduced to this scenario: one that is free, or a new one.
    fn process(&self) -> Result<ChildProcess, Error> {
        match self.crew.free(&self.shared.scenario) {
            Some((true, process)) => return Ok(process),
            Some((false, mut process)) if !self.crew.greets_once.load(Ordering::Relaxed) => {
                match self.introduce(&mut process) {
                    Ok(()) => return Ok(process),
                    Err(Error::Agent { .. }) => {
                        self.crew.greets_once.store(true, Ordering::Relaxed)
                    }
                    Err(error) => return Err(error),
                }
            }
            // It knows another scenario alone: it ends, and a new one begins.
            _ => {}
        }
        self.begun().map_err(Error::unasked)
    }

    /// A new process, introduced to this scenario.
    fn begun(&self) -> Result<ChildProcess, Error> {
        let words = &self.program.words;
        let mut process = ChildProcess::begin(words).map_err(|error| {
            let message = format!("`{}` does not begin: {error}", words.join(" "));
            self.program.fails(AgentFault::Gone, message)
        })?;
        self.introduce(&mut process)?;
        Ok(process)
    }

    fn introduce(&self, process: &mut ChildProcess) -> Result<(), Error> {
        let AgentCommand { name, ms, folder, .. } = &*self.program;
        if self.hello.get().is_none() {
            let rules = self.rules()?;
            let book = Rulebook::under(folder, rules)?.blocks();
            let hello = json!({
                "hello": VERSION,
                "rules": folder.name(),
                "scenario": &*self.shared.scenario,
                "agent": name,
                "params": rules.params_by_conflict(),
                "rulebook": crate::report::text(&book, WIDTH, true),
            });
            let _ = self.hello.set(hello.to_string());
        }
        let most = GREETING.max(Duration::from_millis(*ms));
        let line = self.hear(process, self.hello.get().map_or("", String::as_str), most)?;
        let hello: ProgramHello = serde_json::from_str(&line).map_err(|error| {
            let why = format!("its first line must be a `hello`: {}", unread(&error));
            self.program.lies(&line, why)
        })?;
        if hello.hello != VERSION {
            let why = format!("it speaks version {} of the protocol, not {VERSION}", hello.hello);
            return Err(self.program.lies(&line, why));
        }
        self.crew.note_hello(&self.shared.scenario, hello);
        Ok(())
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
        let message = match silence {
            Silence::Late => {
                let message = format!("did not answer within {} ms", most.as_millis());
                return self.program.fails(AgentFault::Late, message);
            }
            Silence::Ended(how) => format!("ended: {how}"),
            Silence::Spoke(line) => {
                format!("wrote a line before it was asked: `{}`", brief(&line))
            }
            Silence::Flooded(line) => {
                let (most, line) = (LONGEST >> 10, brief(&line));
                format!("wrote a line of more than {most} KiB, which begins `{line}`")
            }
            Silence::Stopped => {
                let cut = self.shared.budget().may_continue().err();
                return cut.map_or(Error::Interrupted, Error::from);
            }
        };
        self.program.fails(AgentFault::Gone, message)
    }

    /// Asks a process that is free, or a new one. One that erred is ended.
    fn ask(
        &self,
        question: &AskedDecision,
        more: &[(&str, Json)],
    ) -> Result<(Answer, String), Error> {
        let mut process = self.process()?;
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
        self.crew.rest(&self.shared.scenario, process);
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
            let doubts = doubts || self.crew.impure.load(Ordering::Relaxed);
            self.crew.is_untested(&self.shared.scenario) || doubts || number % AGAIN == 0
        };
        if self.greet()? == GoesBy::View && again() {
            let (again, other) = self.ask(&question, &seed)?;
            if again != answer {
                self.crew.impure.store(true, Ordering::Relaxed);
                let why = format!(
                    "answered `{}`: asked the same again it answered `{}`, and it is to be pure",
                    brief(&self.program.quotes(&line)),
                    brief(&self.program.quotes(&other))
                );
                return Err(self.program.fails(AgentFault::Impure, why));
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
        let goes_by = self.greet()?;
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
}
