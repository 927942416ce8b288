//! Splits entered and pasted text into statements, answers and commands, strips copied prompts, and runs them.

use super::documentation::{self, WantedTopic};
use super::{BARE, MORE};
use crate::agents::HUMAN;
use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::repl::session::SEES_ALL;
use crate::repl::{MARK, Reply, Session, Viewer, commands};

impl Session {
    /// Runs entered text of one line or several, and returns the reply.
    pub fn enter(&mut self, text: &str) -> Reply {
        if text.lines().nth(1).is_none() {
            return self.line(text);
        }
        let prompt = self.prompt();
        let copied = |line: &str| strip(line, &prompt) != line;
        let mut lines = text.lines().map(|line| self.strip(line));
        let answers = lines.next().is_some_and(|line| matches!(self.answer_in(line), Some(Ok(_))));
        let commands = text.lines().any(|line| self.strip(line).starts_with(MARK));
        let session = text.lines().next().is_some_and(copied);
        let is_one = !(answers || commands || session) && self.lab.compiles(text);
        if is_one || self.is_unfinished(text) {
            return self.line(text);
        }
        // Several statements, commands or answers were pasted: each is a line of its own. Of a
        // copied session, what was said to a line is no line.
        let mut reply = Reply::default();
        for line in text.lines() {
            if session && self.pending.is_empty() && !copied(line) {
                continue;
            }
            let next = self.line(line);
            reply.said.extend(next.said);
            (reply.more, reply.ends) = (next.more, next.ends);
            if reply.ends || reply.error().is_some() {
                break;
            }
        }
        reply
    }

    /// Runs a line, which may contain line breaks, and returns the reply.
    pub fn line(&mut self, line: &str) -> Reply {
        let stripped: Vec<&str> = line.lines().map(|line| self.strip(line)).collect();
        if !self.pending.is_empty() {
            self.pending.push('\n');
        }
        self.pending.push_str(&stripped.join("\n"));
        self.lines += stripped.len().max(1);
        if self.is_unfinished(&self.pending) {
            return Reply { more: true, ..Reply::default() };
        }
        let text = std::mem::take(&mut self.pending);
        if let Err(error) = self.run(&text) {
            self.journal.drop_line();
            self.fail(error);
        }
        self.take_reply()
    }

    /// Whether a text is the beginning of something that more lines could finish.
    pub fn is_unfinished(&self, text: &str) -> bool {
        !text.trim_start().starts_with(MARK)
            && documentation::asked(text).is_none()
            && self.answer_in(text).is_none()
            && self.lab.is_unfinished(text)
    }

    /// Whether a text is an answer that others must not see: then the history of lines must not
    /// show it to the next person who is asked.
    pub fn is_secret(&self, text: &str) -> bool {
        // What is typed before the next person sits down may be an answer to what they will be asked.
        if self.screen.is_awaiting() {
            return true;
        }
        let Some(play) = &self.play else { return false };
        let people = play.conflict.seats.values().filter(|agent| *agent == HUMAN).count();
        let hides = people > 1 || Viewer::of(play, self.revealed) != Viewer::All;
        hides && matches!(self.answer_in(text), Some(Ok(_)))
    }

    /// Forgets lines that were not finished; returns whether there were any.
    pub fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.pending).is_empty()
    }

    /// Must be called when there are no more lines.
    ///
    /// # Errors
    /// [`Error::Script`] if the last statement is not finished.
    pub fn finish(&mut self) -> Result<(), Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let line = self.lines + 1 - self.pending.lines().count().max(1);
        let first = self.pending.lines().next().unwrap_or_default().to_owned();
        let fault = ScriptFault::Syntax("the input ends before this statement does".to_owned());
        let at = Location { file: self.options.name.to_owned(), line, column: Some(1) };
        let width = first.chars().count().max(1);
        self.pending.clear();
        let placed =
            ScriptError { at: Some(at), line: Some(first), width, ..ScriptError::new(fault) };
        Err(placed.into())
    }

    fn strip<'a>(&self, line: &'a str) -> &'a str {
        let line = line.trim_end_matches(['\r', '\n']);
        // Within a statement a line may begin with anything.
        match self.pending.is_empty() {
            true => strip(line, &self.prompt()),
            false => line.strip_prefix(MORE).unwrap_or(line),
        }
    }
}

/// The line without the prompts at its beginning: the `current` one, and those with which no
/// line of the language begins.
fn strip<'a>(line: &'a str, current: &str) -> &'a str {
    let mut rest = line;
    loop {
        let shorter = rest
            .strip_prefix(current)
            .filter(|_| !current.is_empty())
            .or_else(|| rest.strip_prefix(BARE))
            .or_else(|| rest.strip_prefix("fracas> "))
            .or_else(|| after_scenario(rest))
            .or_else(|| after_question(rest));
        match shorter {
            Some(shorter) => rest = shorter,
            None => return if matches!(rest, ">" | "fracas>") { "" } else { rest },
        }
    }
}

/// The text after `system/scenario 3> `.
fn after_scenario(line: &str) -> Option<&str> {
    let (before, after) = line.split_once(BARE)?;
    let before = before.trim_end_matches(SEES_ALL);
    let (scenario, count) = before.split_once(' ')?;
    let is_count = !count.is_empty() && count.chars().all(|letter| letter.is_ascii_digit());
    (scenario.contains('/') && is_count).then_some(after)
}

/// The text after `white, ability? `.
fn after_question(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("? ")?;
    let before = before.trim_end_matches(SEES_ALL);
    let (who, name) = before.split_once(", ")?;
    let is_word = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    (is_word(who) && is_word(name)).then_some(after)
}

impl Session {
    /// A mistake as whoever looks may read it, before it was made and after; `:reveal` shows all.
    fn seen_error(&self, before: Option<Viewer>, error: Error) -> Error {
        let now = self.play.as_ref().map_or(Viewer::All, |play| Viewer::of(play, self.revealed));
        now.or(|| before.filter(|_| !self.revealed).unwrap_or(Viewer::All)).error(error)
    }

    pub(super) fn run(&mut self, text: &str) -> Result<(), Error> {
        let trimmed = text.trim();
        let bare = self.is_bare_command(trimmed).then(|| format!("{MARK}{trimmed}"));
        let trimmed = bare.as_deref().unwrap_or(trimmed);
        if self.is_handed_over(trimmed)? || trimmed.is_empty() {
            return Ok(());
        }
        let trimmed = if trimmed == "?" { ":help" } else { trimmed };
        if let Some(command) = trimmed.strip_prefix(commands::MARK) {
            if let Some((name, _)) = documentation::asked(trimmed) {
                return self.explain_name(name);
            }
            let before = self.play.as_ref().map(|play| Viewer::of(play, self.revealed));
            let command = commands::parse(command)?;
            let care = command.care();
            trimmed.clone_into(&mut self.typed);
            let run = command.run(self);
            run.map_err(|error| match care.is_of_others {
                true => error,
                false => self.seen_error(before, error),
            })?;
            if care.is_kept {
                self.journal.keep(trimmed, false);
            }
            return Ok(());
        }
        let answer = self.answer_in(trimmed);
        if let Some(Ok(answer)) = answer {
            let (before, answered) = (self.viewer()?, self.open_mut()?.answer(answer));
            answered.map_err(|error| self.seen_error(Some(before), error))?;
            self.journal.keep(trimmed, false);
            self.report();
            return Ok(());
        }
        match documentation::asked(trimmed) {
            Some((name, WantedTopic::Text)) => return self.explain_name(name),
            Some((name, WantedTopic::Source)) => return self.show_source(name),
            None => {}
        }
        if let Some(error) = self.command_meant(trimmed).or(answer.and_then(Result::err)) {
            return Err(Session::with_nearest_command(trimmed, error));
        }
        let ran = self.run_script(text);
        let ran = ran.map_err(|error| Session::with_nearest_command(trimmed, error));
        if let Err(error) = &ran
            && self.answers_too_late(trimmed, error)
        {
            self.note("the conflict is over; `:undo` takes the last answer back");
        }
        ran
    }
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn prompts_go_and_lines_stay() {
        let strip = |line| strip(line, "old red, bid? ");
        for (line, left) in [
            ("> 1 + 1", "1 + 1"),
            ("> > 1", "1"),
            (">", ""),
            ("fracas> :q", ":q"),
            ("a/b 12> :undo", ":undo"),
            ("a/b 12 (sees all)> :undo", ":undo"),
            ("white, ability? 1", "1"),
            ("old red, bid? 5", "5"),
            ("x > 3", "x > 3"),
            ("a / b 3> 2", "a / b 3> 2"),
            ("let x = 1", "let x = 1"),
        ] {
            assert_eq!(strip(line), left, "{line}");
        }
    }
}
