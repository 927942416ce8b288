//! The library's error type: one variant for each mistake a user can make, with its data.

mod script;

use std::{fmt, io};

use serde::{Deserialize, Serialize};

use crate::game::{Asked, Entry, History, LISTED, Value, brief, some_of};
pub(crate) use script::in_code;
pub use script::{
    CallFrame, Cut, Limit, Location, ScriptError, ScriptFault, SizeLimit, UnknownFunction,
};

/// What kind of mistake an agent made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentFault {
    /// An answer that is none, or a mistake of its script.
    Own,
    /// Another machine might have let it answer: then it decides no game.
    Machine,
    /// A program that did not answer in time.
    Late,
    /// A program that ended, or wrote what nobody asked for.
    Gone,
    /// A program that says that it is pure, and answered the same question in two ways.
    Impure,
    /// A program that is not asked any more: it was late, or gone, too often in the games of a tournament before this
    /// one.
    Out,
}

impl AgentFault {
    pub(crate) fn own() -> AgentFault {
        AgentFault::Own
    }

    pub(crate) fn is_own(&self) -> bool {
        *self == AgentFault::Own
    }
}

/// Everything that can go wrong by somebody's mistake, or by the machine's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("cannot {action} `{path}`: {reason}")]
    File {
        /// What was tried: `read`, `write`, …
        action: &'static str,
        /// The path as the user gave it.
        path: String,
        /// The operating system's message.
        reason: String,
        /// Where the path is written, if in a file.
        at: Option<Location>,
    },

    /// A name that nothing has.
    #[error("unknown {what} `{name}`{}", hint_or_list(.nearest, .known))]
    Unknown {
        /// What kind of thing was named: `system`, `scenario`, `house rule`, …
        what: &'static str,
        /// The user's word.
        name: String,
        /// The nearest name there is.
        nearest: Option<String>,
        /// All names there are, where they are few enough to be listed.
        known: Vec<String>,
        /// Where the word is written, if in a file.
        at: Option<Location>,
    },

    /// A TOML file that does not parse, or has a key or value of the wrong kind.
    #[error("{message}{}", hint(.nearest))]
    Toml {
        /// What is wrong.
        message: String,
        /// Where.
        at: Location,
        /// The nearest key.
        nearest: Option<String>,
    },

    /// A setup that the rules refuse.
    #[error("{place}: {message}{}", hint(.nearest))]
    Setup {
        /// The path to the value: `setup.players.red.stock`.
        place: String,
        /// What is wrong with it.
        message: String,
        /// The nearest key or word that would be right.
        nearest: Option<String>,
        /// Where it is written, if in a file.
        at: Option<Location>,
    },

    /// A parameter that does not exist or cannot have its value.
    #[error("params.{name}: {message}{}", hint(.nearest))]
    Parameter {
        /// The parameter's name.
        name: String,
        /// What is wrong.
        message: String,
        /// The nearest parameter or word.
        nearest: Option<String>,
        /// Where it is written, if in a file.
        at: Option<Location>,
    },

    /// A script that does not compile, fails, or passes a limit.
    #[error(transparent)]
    Script(Box<ScriptError>),

    /// A mistake in a function that a script of the lab called.
    #[error("{error}")]
    Called {
        /// The mistake.
        error: Box<Error>,
        /// Where the script called it, and the calls that led there.
        call: Box<ScriptError>,
    },

    /// A mistake of rules or of an agent, with the answers that lead there.
    #[error("{error}")]
    Reached {
        /// The mistake.
        error: Box<Error>,
        /// What was answered before.
        history: History,
        /// The words after `fracas` that play it again.
        again: Vec<String>,
    },

    /// A history that the rules do not follow.
    #[error("the history diverges at entry {entry}{}: it has `{recorded}`, the rules ask {asked}",
        .at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default())]
    Diverged {
        /// The number of the history's entry, from 1.
        entry: usize,
        /// Where the entry is written, if in a file.
        at: Option<Location>,
        /// What the history has there.
        recorded: Box<Recorded>,
        /// The question now, or that the conflict is over.
        asked: Box<Divergence>,
    },

    /// A history made under other rules than those at hand.
    #[error("the history was made under other rules: {}", .differs.join("; "))]
    ChangedRules {
        /// What differs, one sentence each.
        differs: Vec<String>,
    },

    /// An answer that is none of the options.
    #[error("`{answer}` is not an answer to {asked}{}", hint(.nearest))]
    Answer {
        /// The answer given.
        answer: String,
        /// The question.
        asked: Box<Asked>,
        /// The nearest option.
        nearest: Option<String>,
    },

    /// The beginning of several options.
    #[error("`{answer}` may be {}", all_of(.options))]
    Ambiguous {
        /// The answer given.
        answer: String,
        /// The options that begin with it.
        options: Vec<String>,
    },

    /// A number that is a part of several options.
    #[error("`{answer}` may be {}", or(.options))]
    Numbered {
        /// The number given.
        answer: String,
        /// The options that hold the number.
        options: Vec<String>,
    },

    /// A file of a saved history that does not read.
    #[error("{message}{}", hint(.nearest))]
    History {
        /// What is wrong.
        message: String,
        /// Where.
        at: Location,
        /// The nearest key.
        nearest: Option<String>,
    },

    /// A question for which a case lays down no answer.
    #[error("no answer is given for {asked}{meant}")]
    MissingAnswer {
        /// The question.
        asked: Box<Asked>,
        /// Which key of the case may be meant to be it, in words.
        meant: String,
    },

    /// An answer of a case that is never asked for.
    #[error("`{}`, given for {} `{who}`, `{name}`, is left over: nothing asks for it",
        brief(value), if *.chance { "the rolls of" } else { "the answers of" })]
    LeftOver {
        /// Whether it is a roll, not a player's answer.
        chance: bool,
        /// The player, or the roller.
        who: String,
        /// The name of the decision or roll.
        name: String,
        /// The first value that is left over.
        value: Value,
    },

    /// An agent that errs.
    #[error("agent `{agent}`: {message}")]
    Agent {
        /// The agent's name.
        agent: String,
        /// What it did.
        message: String,
        /// The place in its script.
        at: Option<Location>,
        /// What kind of mistake it is.
        fault: AgentFault,
        /// Whether it was asked anything by then: only then may the message show what its player sees.
        asked: bool,
    },

    /// A file of results that belongs to another tournament than the one at hand.
    #[error("`{path}` holds the results of another tournament: {}; {next}", .differs.join("; "))]
    OtherTournament {
        /// The path as the user gave it.
        path: String,
        /// What differs, one sentence each.
        differs: Vec<String>,
        /// What to do, in a sentence.
        next: String,
    },

    /// A file of results that contradicts itself, another one, or its own spec.
    #[error("`{path}`: {message}")]
    Results {
        /// The path as the user gave it.
        path: String,
        /// What is wrong.
        message: String,
    },

    /// A conflict of which no solution can be computed.
    #[error("out of reach: {message}")]
    Unsolved {
        /// Why.
        message: String,
    },

    /// A player who forgets what they did or saw, or does not see what another of the same side did or saw, so that no
    /// strategy can be computed.
    #[error("`{player}` {} (no perfect recall): asked for `{decision}` they see the same, {sees}, after [{}] and \
        after [{}]; {forgotten}", .forgotten.words(), .ways[0], .ways[1])]
    Recall {
        /// The player.
        player: String,
        /// The name of the decision.
        decision: String,
        /// What they see there.
        sees: String,
        /// Two histories that look the same to them there.
        ways: Box<[String; 2]>,
        /// What they forget.
        forgotten: Forgotten,
    },

    /// A command or argument used wrongly.
    #[error("{message}{}", hint(.nearest))]
    Usage {
        /// What is wrong.
        message: String,
        /// The nearest word that would be right.
        nearest: Option<String>,
    },

    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,

    /// A bound of time or memory.
    #[error("{0}")]
    Bound(Cut),
}

/// What a history has where the rules do not follow it.
#[derive(Clone, Debug, PartialEq)]
pub enum Recorded {
    /// This entry.
    Entry(Entry),
    /// Nothing more.
    End,
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recorded::Entry(entry) => f.write_str(&brief(entry)),
            Recorded::End => f.write_str("the end of the history"),
        }
    }
}

/// What the rules do where a history has something else.
#[derive(Clone, Debug, PartialEq)]
pub enum Divergence {
    /// They ask this.
    Asks(Asked),
    /// They ask these together.
    Together(Vec<Asked>),
    /// The conflict is over.
    Over,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Divergence::Asks(asked) => write!(f, "{asked}"),
            Divergence::Together(all) => {
                let all: Vec<String> = all.iter().map(Asked::to_string).collect();
                f.write_str(&all.join(", together with "))
            }
            Divergence::Over => f.write_str("nothing more: the conflict is over"),
        }
    }
}

impl Error {
    /// The mistake in a word, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::File { .. } => "file",
            Error::Unknown { .. } => "unknown",
            Error::Toml { .. } => "toml",
            Error::Setup { .. } => "setup",
            Error::Parameter { .. } => "parameter",
            Error::Script(error) => error.kind(),
            Error::Called { error, .. } | Error::Reached { error, .. } => error.kind(),
            Error::Diverged { .. } => "diverged",
            Error::ChangedRules { .. } => "changed_rules",
            Error::Answer { .. } | Error::Ambiguous { .. } | Error::Numbered { .. } => "answer",
            Error::History { .. } => "history",
            Error::MissingAnswer { .. } | Error::LeftOver { .. } => "case",
            Error::Agent { .. } => "agent",
            Error::OtherTournament { .. } | Error::Results { .. } => "results",
            Error::Unsolved { .. } => "unsolved",
            Error::Recall { .. } => "recall",
            Error::Usage { .. } => "usage",
            Error::Interrupted => "interrupted",
            Error::Bound(_) => "bound",
        }
    }

    /// File, line and column, where there is one.
    pub fn location(&self) -> Option<&Location> {
        match self {
            Error::Toml { at, .. } | Error::History { at, .. } => Some(at),
            Error::Unknown { at, .. }
            | Error::File { at, .. }
            | Error::Setup { at, .. }
            | Error::Parameter { at, .. }
            | Error::Agent { at, .. } => at.as_ref(),
            Error::Script(error) => error.at.as_ref(),
            Error::Called { error, call } => error.location().or(call.at.as_ref()),
            Error::Reached { error, .. } => error.location(),
            Error::Diverged { asked, .. } => match &**asked {
                Divergence::Asks(asked) => asked.at.as_ref(),
                Divergence::Together(all) => all.first().and_then(|asked| asked.at.as_ref()),
                Divergence::Over => None,
            },
            Error::Answer { asked, .. } | Error::MissingAnswer { asked, .. } => asked.at.as_ref(),
            _ => None,
        }
    }

    /// The path to the value at fault: `setup.players.red.stock`.
    pub fn place(&self) -> Option<String> {
        match self {
            Error::Setup { place, .. } => Some(place.clone()),
            Error::Parameter { name, .. } => Some(format!("params.{name}")),
            Error::Called { error, .. } | Error::Reached { error, .. } => error.place(),
            _ => None,
        }
    }

    /// The nearest word that would be right.
    pub fn suggestion(&self) -> Option<&str> {
        match self {
            Error::Unknown { nearest, .. }
            | Error::Toml { nearest, .. }
            | Error::Setup { nearest, .. }
            | Error::Parameter { nearest, .. }
            | Error::Answer { nearest, .. }
            | Error::History { nearest, .. }
            | Error::Usage { nearest, .. } => nearest.as_deref(),
            Error::Script(error) => error.nearest.as_deref(),
            Error::Called { error, .. } | Error::Reached { error, .. } => error.suggestion(),
            _ => None,
        }
    }

    /// 1 where a rule, script or case failed, 2 for wrong usage or input, 130 for Ctrl-C.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Script(_) | Error::Diverged { .. } | Error::ChangedRules { .. } => 1,
            // A script that asks for what is not there has failed.
            Error::Called { .. } => 1,
            Error::Reached { error, .. } => error.exit_code(),
            Error::Agent { .. } | Error::MissingAnswer { .. } | Error::LeftOver { .. } => 1,
            Error::Unsolved { .. } | Error::Recall { .. } => 1,
            Error::Bound(_) => 1,
            Error::Interrupted => 130,
            _ => 2,
        }
    }

    /// The error with a place, where it may have one and has none yet.
    pub fn placed(mut self, place: impl FnOnce() -> Option<Location>) -> Error {
        if let Error::Unknown { at, .. }
        | Error::File { at, .. }
        | Error::Setup { at, .. }
        | Error::Parameter { at, .. }
        | Error::Agent { at, .. } = &mut self
            && at.is_none()
        {
            *at = place();
        }
        self
    }

    /// The error with the answers that lead there, if rules or an agent made it and it has none
    /// yet; `history` also returns the words after `fracas` that play it again.
    pub fn reached(self, history: impl FnOnce() -> Option<(History, Vec<String>)>) -> Error {
        match self {
            error @ (Error::Script(_) | Error::Agent { .. }) => match history() {
                Some((history, again)) => Error::Reached { error: Box::new(error), history, again },
                None => error,
            },
            other => other,
        }
    }

    /// The words after `fracas` that play again what led to the mistake, where they are known.
    pub fn again(&self) -> Option<&[String]> {
        match self {
            Error::Reached { again, .. } => Some(again),
            Error::Called { error, .. } => error.again(),
            _ => None,
        }
    }

    /// The mistake itself, without the history that leads there.
    pub fn itself(&self) -> &Error {
        match self {
            Error::Reached { error, .. } => error,
            other => other,
        }
    }

    /// A mistake where not the game was, but a place drawn as one that looks alike to a player: says so. The answers that
    /// lead there, which could be taken for those of the game, it has only where who writes the rules needs them.
    pub(crate) fn in_drawn_place(mut self, player: &str) -> Error {
        if let Error::Reached { error, .. } = &mut self
            && matches!(**error, Error::Script(_))
        {
            let inner = std::mem::replace(&mut **error, Error::Interrupted);
            **error = inner.in_drawn_place(player);
            return self;
        }
        let mut error = self.into_itself();
        let drawn = |what: &dyn fmt::Display| {
            format!(
                "not in the game, but in a place drawn as one that looks alike to `{player}`: {what}"
            )
        };
        match &mut error {
            Error::Agent { message, asked: true, .. } => *message = drawn(message),
            Error::Script(script) => match &mut script.fault {
                ScriptFault::Thrown(message) => *message = drawn(message),
                // A limit is passed anywhere.
                ScriptFault::Limit(_) => {}
                fault if fault.is_of_a_run() => *fault = ScriptFault::Failed(drawn(fault)),
                _ => {}
            },
            _ => {}
        }
        error
    }

    fn into_itself(self) -> Error {
        match self {
            Error::Reached { error, .. } => *error,
            other => other,
        }
    }

    /// Whether it is an agent's own mistake, for which it forfeits the game.
    pub fn forfeits(&self) -> bool {
        matches!(self.itself(), Error::Agent { fault, .. } if *fault != AgentFault::Machine)
    }

    /// Why work was stopped before its end: then nothing is wrong with what it worked on.
    pub fn cut(&self) -> Option<Cut> {
        match self.itself() {
            Error::Interrupted => Some(Cut::Interrupted),
            Error::Bound(cut) => Some(*cut),
            _ => None,
        }
    }

    /// Whether rules ran into a limit, which takes long, and would again.
    pub(crate) fn is_limit(&self) -> bool {
        matches!(self.itself(), Error::Script(script) if matches!(script.fault, ScriptFault::Limit(_)))
    }

    /// Whether somebody asked for it to stop, at once or by a time limit.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.cut().is_some_and(Cut::is_asked_for)
    }

    /// A divergence with the place of its entry in the history's file, found by its number.
    pub(crate) fn in_history(mut self, place: impl FnOnce(usize) -> Option<Location>) -> Error {
        if let Error::Diverged { entry, at, .. } = &mut self {
            *at = place(*entry);
        }
        self
    }

    pub(crate) fn file(
        action: &'static str,
        path: impl AsRef<std::path::Path>,
        reason: impl Into<Reason>,
    ) -> Error {
        let path = path.as_ref().display().to_string();
        Error::File { action, path, reason: reason.into().0, at: None }
    }

    /// A wrong use of the command line or the prompt.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::Usage { message: message.into(), nearest: None }
    }

    /// A mistake of an agent that is asked.
    pub(crate) fn agent(agent: &str, fault: AgentFault, message: impl Into<String>) -> Error {
        let (agent, message) = (agent.to_owned(), message.into());
        Error::Agent { agent, message, at: None, fault, asked: true }
    }

    /// The same before anybody is asked.
    pub(crate) fn unasked(mut self) -> Error {
        if let Error::Agent { asked, .. } = &mut self {
            *asked = false;
        }
        self
    }

    pub(crate) fn unsolved(message: impl Into<String>) -> Error {
        Error::Unsolved { message: message.into() }
    }

    /// A name that nothing has, with the nearest of the known ones; a command lists them all.
    pub fn unknown(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Error {
        let nearest = nearest(name, known);
        Error::Unknown { what, name: name.to_owned(), nearest, known: Vec::new(), at: None }
    }

    pub(crate) fn unknown_player(
        name: &str,
        known: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Error {
        Error::unknown_of("player", name, known)
    }

    /// A name that nothing has, with the nearest; with all there are, where they are few.
    pub(crate) fn unknown_of(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Error {
        let all: Vec<_> = known.into_iter().collect();
        let mut error = Error::unknown(what, name, &all);
        if let Error::Unknown { known, .. } = &mut error
            && all.len() <= LISTED
        {
            *known = all.iter().map(|one| brief(&one.as_ref())).collect();
        }
        error
    }

    /// The mistake without what a script says, where it failed and what led there, since all of these
    /// may show what it saw; where a history diverges may be at somebody else's decision. As long as nobody has
    /// answered and nothing fell, rules have nothing to show but the scenario; an agent sees what its player does.
    pub(crate) fn veiled(self) -> Error {
        let is_agent = match self.itself() {
            Error::Agent { asked: false, .. } => return self.into_itself(),
            itself => matches!(itself, Error::Agent { .. }),
        };
        if matches!(&self, Error::Reached { history, .. } if history.entries.is_empty() && !is_agent)
        {
            return self;
        }
        let script = self.location().map(|at| format!(" in `{}`", at.file)).unwrap_or_default();
        match self.itself() {
            Error::Diverged { .. } => Error::usage(
                "the rules ask something else than was answered; `:reveal` shows where",
            ),
            Error::Agent { agent, .. } => Error::usage(format!(
                "agent `{agent}` fails; the details may show what is hidden from you: `:reveal` shows them, and \
                 so does a game without people"
            )),
            Error::Script(failed) if failed.fault.is_of_a_run() => Error::usage(format!(
                "the rules fail{script}; the details may show what is hidden from you: `:reveal` shows them, and so \
                 does a game without people"
            )),
            _ => self,
        }
    }
}

impl From<ScriptError> for Error {
    fn from(error: ScriptError) -> Error {
        match error.fault {
            ScriptFault::Cut(cut) => cut.into(),
            _ => Error::Script(Box::new(error)),
        }
    }
}

impl From<Cut> for Error {
    fn from(cut: Cut) -> Error {
        match cut {
            Cut::Interrupted => Error::Interrupted,
            bound => Error::Bound(bound),
        }
    }
}

/// Words longer than this are nobody's typing mistake.
const LONGEST: usize = 100;

/// What came of work, and nothing where it failed. Why work was stopped stays an error.
pub(crate) fn unless_cut<T>(found: Result<T, impl Into<Error>>) -> Result<Option<T>, Error> {
    match found.map_err(Into::into) {
        Err(error) if error.cut().is_some() => Err(error),
        found => Ok(found.ok()),
    }
}

/// The known word that is nearest to a mistyped one, if near enough: at most a third of its letters
/// off.
pub fn nearest(word: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
    let known: Vec<_> = known.into_iter().collect();
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    nearest_of(word, &known)
}

/// [`nearest`], compiled once for all that may hold the words.
fn nearest_of(word: &str, known: &[&str]) -> Option<String> {
    let letters = word.chars().count();
    if letters > LONGEST {
        return None;
    }
    let bound = letters / 3;
    let same = |candidate: &str| candidate.to_lowercase() == word.to_lowercase();
    known
        .iter()
        .copied()
        // The distance takes time and memory by the product of the lengths, and scripts may name
        // things at any length; it is never less than the difference of the lengths.
        .filter(|candidate| candidate.chars().count().abs_diff(letters) <= bound)
        .filter(|candidate| *candidate != word)
        .map(|candidate| match same(candidate) {
            true => (0, candidate),
            false => (strsim::damerau_levenshtein(word, candidate), candidate),
        })
        // Where every letter is another one, nothing speaks for the word.
        .filter(|&(distance, candidate)| {
            distance <= bound && distance < candidate.chars().count().max(letters)
        })
        // Of words that are as near, the one that begins alike.
        .min_by_key(|&(distance, candidate)| {
            (distance, candidate.chars().next() != word.chars().next(), candidate)
        })
        .map(|(_, candidate)| candidate)
        .or_else(|| extended(word, known))
        .map(str::to_owned)
}

/// The shortest known name of several words of which this is the first: `mana_value` for `mana`; or the last, behind a
/// dot: `result.nobody` for `nobody`. Two letters are too few to be near another word, and may begin any: `ore` for `or`.
fn extended<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let begun = |rest: &str| rest.starts_with('_') || word.chars().count() == 2 && !rest.is_empty();
    let begins = |name: &str| name.strip_prefix(word).is_some_and(begun);
    let ends = |name: &str| name.strip_suffix(word).is_some_and(|rest| rest.ends_with('.'));
    let holds = |name: &&&str| begins(name) || !word.is_empty() && ends(name);
    let names = known.iter().filter(|name| name.len() <= LONGEST).filter(holds);
    names.copied().min_by_key(|name| (name.len(), *name))
}

/// What is said where a key is missing, of the keys that are there and that nobody has asked for.
pub(crate) fn missing(key: &str, unasked: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    format!("is missing{}", meant(key, unasked))
}

/// Which of the keys that are there, and that nobody has asked for, may be meant to be this one.
pub(crate) fn meant(key: &str, unasked: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words = misspelt(key, unasked)
        .map(|other| format!(": if `{other}` is meant to be it, write `{key}`"));
    words.unwrap_or_default()
}

/// The key that is there, and that nobody has asked for, which may be meant to be this one.
pub(crate) fn misspelt(
    key: &str,
    unasked: impl IntoIterator<Item = impl AsRef<str>>,
) -> Option<String> {
    let unasked = unasked.into_iter().map(|other| other.as_ref().to_owned());
    unasked.filter(|other| nearest(other, [key]).is_some()).min()
}

/// Options with an `or` between them.
fn or(options: &[String]) -> String {
    let options: Vec<String> = options.iter().map(|one| format!("`{}`", brief(one))).collect();
    options.join(" or ")
}

/// The first of some options, and how many more there are.
fn all_of(options: &[String]) -> String {
    some_of(options.iter().map(|one| format!("`{}`", brief(one))), LISTED, ", ")
}

/// What is known, where there is something.
pub(crate) fn there_are(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!("; there are {}", all_of(known)) }
}

fn hint_or_list(nearest: &Option<String>, known: &[String]) -> String {
    if nearest.is_some() { hint(nearest) } else { there_are(known) }
}

pub(crate) fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}

/// What differs between two histories that a player cannot tell apart. In words: what to keep in the state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forgotten {
    /// What they answered first where the histories differ.
    #[error("keep the answer to `{question}` in the state and show it in `view`")]
    Answer {
        /// The name of the question.
        question: String,
    },
    /// What they saw last when they did the same: the parts that differ, in either history.
    #[error("at `{question}` they saw [{}] and [{}]: keep that in the state and show it in `view`", .saw[0], .saw[1])]
    Sight {
        /// The name of the question.
        question: String,
        /// What they saw.
        saw: Box<[String; 2]>,
    },
    /// Nothing of their own: another player of the same side knew it, and they never did.
    #[error("`solve` takes a side as one player, who knows what each of its players saw and did")]
    Partner {
        /// The other player.
        who: String,
        /// Whether it is what that one did, not what that one saw.
        did: bool,
    },
}

impl Forgotten {
    /// What the player forgets or does not see.
    fn words(&self) -> String {
        match self {
            Forgotten::Answer { .. } => "forgets what they did".to_owned(),
            Forgotten::Sight { .. } => "forgets what they saw".to_owned(),
            Forgotten::Partner { who, did } => {
                let verb = if *did { "did" } else { "saw" };
                format!("does not see what `{who}` of the same side {verb}")
            }
        }
    }
}

/// The reason why a file cannot be used, as it reads in the middle of a sentence: our own words, or the system's
/// without the number that ends them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reason(String);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Reason {
    fn from(words: &str) -> Reason {
        Reason(words.to_owned())
    }
}

impl From<String> for Reason {
    fn from(words: String) -> Reason {
        Reason(words)
    }
}

impl From<io::Error> for Reason {
    fn from(error: io::Error) -> Reason {
        Reason::from(&error)
    }
}

impl From<&io::Error> for Reason {
    fn from(error: &io::Error) -> Reason {
        // In the words of the system it "exists", in those of the library an "entity" does.
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Reason("it is there already; take another name, or remove it first".to_owned());
        }
        let words = error.to_string();
        // Only an error of the system has a number, and it is the one to leave out.
        let Some(number) = error.raw_os_error() else { return Reason(words) };
        let plain = words.strip_suffix(&format!(" (os error {number})")).unwrap_or(&words);
        let mut letters = plain.chars();
        let first = letters.next().into_iter().flat_map(char::to_lowercase);
        Reason(first.chain(letters).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_at_most_a_third_off() {
        let known = ["stock", "tokens", "treasury"];
        assert_eq!(nearest("stok", known).as_deref(), Some("stock"));
        assert_eq!(nearest("tresury", known).as_deref(), Some("treasury"));
        assert_eq!(nearest("ships", known), None);
        assert_eq!(nearest("d", ["E", "e2"]), None);
        assert_eq!(nearest("e", ["E", "a"]).as_deref(), Some("E"));
        assert_eq!(nearest("roll", ["all", "poll"]).as_deref(), Some("poll"));
        assert_eq!(nearest("roll", ["all"]), None);
        assert_eq!(nearest("hnd", ["end", "hand"]).as_deref(), Some("hand"));
        assert_eq!(nearest("supr", ["super", "surplus"]).as_deref(), Some("super"));
        // Two letters that begin a name are enough; two that do not say nothing.
        assert_eq!(nearest("or", ["order", "ore", "core"]).as_deref(), Some("ore"));
        assert_eq!([nearest("xr", ["ore"]), nearest("or", ["oak", "or"])], [None, None]);
        // The last word behind a dot is enough, but no part of it.
        let results = ["result.nobody", "result.nobody_else"];
        assert_eq!(nearest("nobody", results).as_deref(), Some("result.nobody"));
        assert_eq!([nearest("body", results), nearest("", results)], [None, None]);
        let endless = "x".repeat(100_000);
        assert_eq!(nearest(&format!("{endless}y"), [endless.as_str()]), None);
        assert_eq!(nearest("stok", [endless.as_str()]), None);
    }

    #[cfg(unix)]
    #[test]
    fn the_number_of_an_error_of_the_system_is_left_out() {
        // POSIX: 21 is EISDIR.
        let folder = io::Error::from_raw_os_error(21);
        let error = Error::file("read", "a", &folder).to_string();
        assert_eq!(error, "cannot read `a`: is a directory");
    }

    #[test]
    fn words_of_our_own_stay_as_they_are_whatever_they_hold() {
        let words = "UTF-8 is broken (os error 21)";
        assert_eq!(
            Error::file("read", "a", words).to_string(),
            format!("cannot read `a`: {words}")
        );
        let own = io::Error::other(words);
        assert_eq!(Error::file("read", "a", own).to_string(), format!("cannot read `a`: {words}"));
    }
}
