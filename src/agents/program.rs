//! Programs in any language as agents: the command that a person names, its processes, and the lines that are sent and
//! read, as `scripts/protocol.md` lays down.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use num_bigint::BigUint;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::child_process::ChildProcess;
use crate::catalog::{Folder, PROGRAM};
use crate::error::{AgentFault, Error, hint, nearest};
use crate::game::{Answer, Decision, Value, brief};
use crate::report::{cut, tame_message};
use crate::script::{Rules, State};

/// How many milliseconds a program has for an answer where nobody says, and how many it may have: an hour.
const MS: u64 = 10_000;
pub(crate) const MOST_MS: u64 = 3_600_000;
/// A program has no longer name in a spec, and one that it gives itself is cut.
pub(crate) const LONGEST_NAME: usize = 40;
/// Weights that are no whole numbers become those out of this.
const PARTS: f64 = (1u64 << 40) as f64;

/// A decision as programs get it, in a seat and from the server.
#[derive(Serialize)]
pub(crate) struct AskedDecision {
    pub player: String,
    pub decision: String,
    pub options: Vec<Value>,
    /// Which of the players who decide together this is, from 0, and how many they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wording: Option<QuestionText>,
}

#[derive(Serialize)]
pub(crate) struct QuestionText {
    text: Option<String>,
    help: Option<String>,
    options: Vec<[Option<String>; 2]>,
}

impl AskedDecision {
    /// A decision; if wanted with what the player may see, and with the question in words where the rules have any.
    pub(crate) fn of(
        decision: &Decision<'_>,
        part: Option<(usize, usize)>,
        shows: Option<&Rules>,
    ) -> Result<AskedDecision, Error> {
        let options = decision.options.values();
        let (mut view, mut wording) = (None, None);
        if let Some(rules) = shows {
            let seen = decision.scene.view(decision.player)?;
            wording = QuestionText::of(rules, &seen, decision, &options)?;
            view = Some(seen);
        }
        let (player, decision) = (decision.player.to_owned(), decision.name.to_owned());
        Ok(AskedDecision { player, decision, options, part, view, wording })
    }
}

impl QuestionText {
    fn of(
        rules: &Rules,
        seen: &Value,
        decision: &Decision<'_>,
        options: &[Value],
    ) -> Result<Option<QuestionText>, Error> {
        if !rules.defines("wording") {
            return Ok(None);
        }
        let seen = State::from_value(seen);
        let found = rules.wording(&seen, decision.player, decision.name, options)?;
        let own = |text: Option<&str>| text.map(str::to_owned);
        let option = |at| [own(found.of_option(at)), own(found.help_of_option(at))];
        let options = (0..options.len()).map(option).collect();
        Ok(Some(QuestionText { options, text: found.text, help: found.help }))
    }
}

/// A program that a person named: `command(python3 mine.py)`.
#[derive(Clone, Debug)]
pub struct AgentCommand {
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
    pub(super) ms: u64,
    /// The rules whose book it gets.
    pub(super) folder: Folder,
    /// Its processes in all scenarios of a tournament.
    pub(super) crew: Option<Arc<Crew>>,
}

/// A program that did not answer in time this often is out of a tournament.
const LATE: usize = 3;
const OUT_LATE: &str = "is out of the tournament: it did not answer in time in 3 games";
/// One that ended, or spoke unasked, this often: it is begun again once.
const GONE: usize = 2;
const OUT_GONE: &str = "is out of the tournament: it ended or spoke unasked in 2 games";
/// This many first answers of a pure program in a scenario are asked for again.
const TESTED: u64 = 20;

/// The first games of a tournament, by their numbers in the schedule, in which a program was late or gone, as far as
/// they are known: as many as put it out. More that are found can only bring the end of its games nearer to the
/// beginning, so that whoever plays games in another order, or a part of them, finds no game out that is not.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramFaults {
    late: BTreeSet<u64>,
    gone: BTreeSet<u64>,
}

impl ProgramFaults {
    pub(crate) fn note(&mut self, game: u64, fault: AgentFault) {
        let (games, most) = match fault {
            AgentFault::Late => (&mut self.late, LATE),
            AgentFault::Gone => (&mut self.gone, GONE),
            AgentFault::Own | AgentFault::Machine | AgentFault::Impure | AgentFault::Out => return,
        };
        games.insert(game);
        while games.len() > most {
            games.pop_last();
        }
    }

    /// Why it is out in a game, if it is: what put it out first.
    pub(crate) fn out(&self, game: u64) -> Option<&'static str> {
        let all = [(&self.late, LATE, OUT_LATE), (&self.gone, GONE, OUT_GONE)];
        let full = all.into_iter().filter_map(|(games, most, why)| {
            let last = games.last().filter(|last| games.len() == most && **last < game)?;
            Some((last, why))
        });
        full.min_by_key(|(last, _)| *last).map(|(_, why)| why)
    }
}

impl AgentCommand {
    /// The program that a word names; nothing for another word.
    pub(super) fn read(word: &str, folder: &Folder) -> Result<Option<AgentCommand>, Error> {
        let Some(rest) = word.trim().strip_prefix(PROGRAM) else { return Ok(None) };
        if rest.starts_with(|letter: char| letter.is_alphanumeric() || "_-./".contains(letter)) {
            return Ok(None);
        }
        let wrong = |why: &str| {
            let how = "write it as `command(python3 mine.py)`, before the program `ms=1000` and `name=mine` if you like";
            Error::usage(format!("agent `{word}`: {why}; {how}"))
        };
        let line = rest.trim_start().strip_prefix('(');
        let line = line.ok_or_else(|| wrong("the `(` is missing"))?;
        let line = line.strip_suffix(')').ok_or_else(|| match line.rsplit_once(')') {
            Some((_, more)) => wrong(&format!("`{}` follows the last `)`", more.trim())),
            None => wrong("the `(` is not closed"),
        })?;
        let mut words = split(line).ok_or_else(|| wrong("a quote is not closed"))?;
        let (mut name, mut ms) = (word.to_owned(), MS);
        while let Some((key, value)) = words.first().and_then(|first| first.split_once('=')) {
            match key {
                "name" if value.is_empty() => return Err(wrong("`name` is empty")),
                "name" => value.clone_into(&mut name),
                "ms" => {
                    let read = value.parse().ok().filter(|ms| (1..=MOST_MS).contains(ms));
                    let range = format!("`ms` must be a whole number from 1 to {MOST_MS}");
                    ms = read.ok_or_else(|| wrong(&range))?;
                }
                other
                    if other.starts_with(|letter: char| letter.is_ascii_lowercase())
                        && other.chars().all(|letter| letter.is_ascii_alphabetic()) =>
                {
                    let near = hint(&nearest(other, ["ms", "name"]));
                    return Err(wrong(&format!("unknown key `{other}`{near}")));
                }
                _ => break,
            }
            words.remove(0);
        }
        if words.is_empty() {
            return Err(wrong("it names no program"));
        }
        Ok(Some(AgentCommand { name, words, ms, folder: folder.clone(), crew: None }))
    }

    /// The word for a seat of a program that a spec names, with the arguments that are files beside it.
    pub(crate) fn of_spec(
        name: &str,
        command: &str,
        ms: Option<u64>,
        folder: Option<&Path>,
    ) -> Result<String, Error> {
        let words = split(command).ok_or_else(|| Error::usage("has a quote that is not closed"))?;
        if words.is_empty() {
            return Err(Error::usage("names no program"));
        }
        let beside = |(at, word): (usize, String)| {
            let path = folder.map(|folder| folder.join(&word)).filter(|path| path.is_file());
            // A program by its bare name is found where the system finds programs.
            let path = path.filter(|_| at > 0 || word.contains(['/', '\\']));
            path.map_or(word, |path| path.display().to_string())
        };
        let words = words.into_iter().enumerate().map(beside);
        let ms = ms.map(|ms| format!("ms={ms}"));
        let all = std::iter::once(format!("name={name}")).chain(ms).chain(words);
        let all: Vec<String> = all.map(|word| quoted(&word)).collect();
        Ok(format!("{PROGRAM}({})", all.join(" ")))
    }

    /// The files that its words name: those of its arguments that are there, and the program if it is a path.
    pub(crate) fn files(&self) -> impl Iterator<Item = &String> {
        let is_path = |(at, word): &(usize, &String)| *at > 0 || word.contains(['/', '\\']);
        let all = self.words.iter().enumerate().filter(is_path).map(|(_, word)| word);
        all.filter(|word| Path::new(word).is_file())
    }

    /// What it said in a scenario that it is called, once it was begun there in a tournament: `mine 2.1`.
    pub(crate) fn own_name(&self, scenario: &str) -> Option<String> {
        self.crew.as_ref()?.name(scenario)
    }

    /// The same by the processes of this crew, held to what it does wrong from here on.
    pub(crate) fn under(&self, crew: &Arc<Crew>) -> AgentCommand {
        AgentCommand { crew: Some(crew.clone()), ..self.clone() }
    }

    pub(super) fn fails(&self, fault: AgentFault, message: impl Into<String>) -> Error {
        Error::agent(&self.name, fault, message)
    }

    pub(super) fn lies(&self, line: &str, why: impl std::fmt::Display) -> Error {
        let why = self.quotes(&why.to_string());
        self.fails(AgentFault::Own, format!("answered `{}`: {why}", brief(&self.quotes(line))))
    }

    /// A text as messages of it quote it. In a tournament without the numbers of questions, which are others on other
    /// threads, where all else is the same.
    pub(super) fn quotes(&self, text: &str) -> String {
        if self.crew.is_none() {
            return text.to_owned();
        }
        let mut parts = text.split("\"ask\"");
        let mut quoted = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let number = part.trim_start_matches([' ', ':']);
            let rest = number.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let key = &part[..part.len() - number.len()];
            let sign = if rest.len() < number.len() { "…" } else { "" };
            quoted += &format!("\"ask\"{key}{sign}{rest}");
        }
        quoted
    }
}

/// A word as the line of a command has it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| !letter.is_whitespace() && !"'\"".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        // Within one kind of quotes the other is a letter as any.
        false => format!("'{}'", word.replace('\'', "'\"'\"'")),
    }
}

/// The words of a command line; text between quotes is part of one word. Nothing where a quote is not closed.
fn split(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ProgramHello {
    pub hello: u64,
    /// What it is called, with its version.
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub pure: bool,
    #[serde(default)]
    pub history: bool,
}

#[derive(Default)]
pub(crate) struct Programs {
    crews: Mutex<Vec<(AgentCommand, Arc<Crew>)>>,
    /// Whether pure programs are asked everything twice: other answers are their mistakes.
    pub doubts: AtomicBool,
}

/// The processes of one program, as many as are asked at the same time, what it says of itself, and in which games it
/// has not answered in time, ended or spoken unasked.
#[derive(Default)]
pub(crate) struct Crew {
    /// Those that nobody asks now, with the scenario that each was introduced to last.
    idle: Mutex<Vec<(Arc<str>, ChildProcess)>>,
    /// Scenario -> what it said of itself first.
    hellos: Mutex<HashMap<Arc<str>, ProgramHello>>,
    pub(super) asked: AtomicU64,
    /// Scenario -> how many answers were asked for again there, to see whether they are the same.
    tested: Mutex<HashMap<Arc<str>, u64>>,
    /// Whether one was not.
    pub(super) impure: AtomicBool,
    /// Whether its processes do not answer a second hello.
    pub(super) greets_once: AtomicBool,
    faults: Mutex<ProgramFaults>,
    /// Whether there are any.
    errs: AtomicBool,
}

const BYE: &str = "{\"bye\":true}";

impl std::fmt::Debug for Crew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crew").field("faults", &self.faults).finish()
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        Crew::dismiss([&*self]);
    }
}

impl Crew {
    pub(crate) fn note(&self, game: u64, fault: AgentFault) {
        self.faults.lock().note(game, fault);
        self.errs.store(true, Ordering::Relaxed);
    }

    /// Why it is out in a game, if that is known.
    pub(crate) fn out(&self, game: u64) -> Option<&'static str> {
        self.errs.load(Ordering::Relaxed).then(|| self.faults.lock().out(game))?
    }

    /// Ends the processes that nobody asks now, all at once; whether all ended by themselves.
    pub(crate) fn dismiss<'a>(crews: impl IntoIterator<Item = &'a Crew>) -> bool {
        let idle = crews.into_iter().flat_map(|crew| std::mem::take(&mut *crew.idle.lock()));
        ChildProcess::dismiss(idle.map(|(_, process)| process).collect(), BYE)
    }

    /// A process that nobody asks, if there is one, and whether it was introduced to this scenario last; else of
    /// another one.
    pub(super) fn free(&self, scenario: &Arc<str>) -> Option<(bool, ChildProcess)> {
        let mut idle = self.idle.lock();
        let own = idle.iter().position(|(known, _)| known == scenario);
        let at = own.or(idle.len().checked_sub(1))?;
        Some((own.is_some(), idle.swap_remove(at).1))
    }

    pub(super) fn rest(&self, scenario: &Arc<str>, process: ChildProcess) {
        self.idle.lock().push((scenario.clone(), process));
    }

    pub(super) fn hello(&self, scenario: &str) -> Option<ProgramHello> {
        self.hellos.lock().get(scenario).cloned()
    }

    /// What it said in a scenario that it is called, where it said anything.
    pub(super) fn name(&self, scenario: &str) -> Option<String> {
        let name = self.hello(scenario)?.name;
        let name = cut(tame_message(&name).trim(), LONGEST_NAME);
        (!name.is_empty()).then_some(name)
    }

    pub(super) fn note_hello(&self, scenario: &Arc<str>, hello: ProgramHello) {
        self.hellos.lock().entry(scenario.clone()).or_insert(hello);
    }

    /// Whether an answer is one of the first in a scenario, which are asked for again.
    pub(super) fn is_untested(&self, scenario: &Arc<str>) -> bool {
        let mut tested = self.tested.lock();
        let tested = tested.entry(scenario.clone()).or_default();
        *tested += 1;
        *tested <= TESTED
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        self.dismiss();
    }
}

impl Programs {
    pub(crate) fn dismiss(&self) -> bool {
        Crew::dismiss(self.crews.lock().iter().map(|(_, crew)| &**crew))
    }

    pub(super) fn crew(&self, program: &AgentCommand) -> Arc<Crew> {
        if let Some(crew) = &program.crew {
            return crew.clone();
        }
        let mut all = self.crews.lock();
        let same = |(known, _): &&(AgentCommand, Arc<Crew>)| {
            (&known.name, &known.words, known.ms) == (&program.name, &program.words, program.ms)
        };
        if let Some((_, crew)) = all.iter().find(same) {
            return crew.clone();
        }
        let crew = Arc::<Crew>::default();
        all.push((program.clone(), crew.clone()));
        crew
    }
}

/// Why a line does not read as JSON, without the place.
pub(crate) fn unread(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

/// The answer in a line to the question of this number, or what is wrong with it.
pub(super) fn read_answer(line: &str, number: u64, options: usize) -> Result<Answer, String> {
    let reply: Json =
        serde_json::from_str(line).map_err(|error| format!("no JSON: {}", unread(&error)))?;
    match reply.get("ask") {
        Some(ask) if ask.as_u64() == Some(number) => {}
        Some(_) => return Err(format!("another number than was asked, `\"ask\":{number}`")),
        None => return Err(format!("it has no `\"ask\":{number}`")),
    }
    match (reply.get("pick"), reply.get("weights")) {
        (Some(pick), None) => {
            let index = pick.as_u64().and_then(|pick| usize::try_from(pick).ok());
            let index = index.filter(|index| *index < options).map(Answer::Option);
            index.ok_or_else(|| format!("`pick` must be a whole number from 0 to {}", options - 1))
        }
        (None, Some(Json::Array(weights))) if weights.len() == options => weighed(weights)
            .ok_or_else(|| "`weights` must be numbers of 0 or more, not all 0".to_owned()),
        (None, Some(_)) => Err(format!("`weights` must be a list of {options} numbers")),
        (Some(_), Some(_)) => Err("`pick` and `weights` answer twice".to_owned()),
        (None, None) => Err("it has no `pick` and no `weights`".to_owned()),
    }
}

/// The answer that weights make; nothing where they are none.
fn weighed(weights: &[Json]) -> Option<Answer> {
    let whole: Option<Vec<u64>> = weights.iter().map(Json::as_u64).collect();
    let parts = || {
        let number = |weight: &Json| weight.as_f64().filter(|w| w.is_finite() && *w >= 0.0);
        let numbers: Vec<f64> = weights.iter().map(number).collect::<Option<_>>()?;
        let most = numbers.iter().copied().fold(0.0, f64::max);
        let part = |number: f64| (number / most * PARTS).round() as u64;
        (most > 0.0).then(|| numbers.into_iter().map(part).collect::<Vec<u64>>())
    };
    Answer::weighed(whole.or_else(parts)?.into_iter().map(BigUint::from).enumerate())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_the_words_of_a_command_together() {
        let words = |line| split(line).map(|words| words.join("|"));
        assert_eq!(
            words("python3  'my agent.py' a\"b c\" ''").unwrap(),
            "python3|my agent.py|ab c|"
        );
        assert_eq!(words("python3 'mine.py"), None);
        for word in ["mine.py", "", "my agent.py", "it's", "say \"it's\"", "'", "\"'\""] {
            assert_eq!(split(&quoted(word)), Some(vec![word.to_owned()]), "{}", quoted(word));
        }
    }

    #[test]
    fn an_answer_is_a_place_or_weights_to_the_question_that_was_asked() {
        let of = |line: &str| read_answer(line, 7, 3);
        assert_eq!(of(r#"{"ask":7,"pick":2,"why":"it is last"}"#), Ok(Answer::Option(2)));
        assert_eq!(of(r#"{"ask":7,"weights":[0,5,0]}"#), Ok(Answer::Option(1)));
        for (line, parts) in [("[1,0,3]", [1, 3]), ("[0.5,0,1.5]", [1, 3])] {
            let Ok(Answer::Weights(weights)) = of(&format!("{{\"ask\":7,\"weights\":{line}}}"))
            else {
                panic!("{line}")
            };
            let found: Vec<(usize, f64)> = weights
                .iter()
                .map(|(at, weight)| (at, weight.to_string().parse().unwrap()))
                .collect();
            assert_eq!([found[0].0, found[1].0], [0, 2]);
            let ratio = found[1].1 / found[0].1;
            assert!((ratio - f64::from(parts[1]) / f64::from(parts[0])).abs() < 1e-9, "{ratio}");
        }
        for (line, why) in [
            ("[]", "no `\"ask\":7`"),
            ("{", "no JSON"),
            (r#"{"ask":6,"pick":0}"#, "another number than was asked, `\"ask\":7`"),
            (r#"{"ask":7,"pick":3}"#, "from 0 to 2"),
            (r#"{"ask":7,"pick":-1}"#, "from 0 to 2"),
            (r#"{"ask":7,"pick":1.0}"#, "from 0 to 2"),
            (r#"{"ask":7,"weights":[1,2]}"#, "a list of 3 numbers"),
            (r#"{"ask":7,"weights":[1,"x",2]}"#, "numbers of 0 or more"),
            (r#"{"ask":7,"weights":[1,-1,2]}"#, "numbers of 0 or more"),
            (r#"{"ask":7,"weights":[0,0,0]}"#, "not all 0"),
            (r#"{"ask":7,"pick":1,"weights":[1,1,1]}"#, "answer twice"),
            (r#"{"ask":7}"#, "no `pick` and no `weights`"),
        ] {
            let wrong = of(line).unwrap_err();
            assert!(wrong.contains(why), "{line}: {wrong}");
        }
    }
}
