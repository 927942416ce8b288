//! The commands that show rules: `:why` names the one that asks, or by which the conflict ended, `:rules` prints
//! a function in all its layers.

use std::collections::HashSet;

use serde_json::{Value as Json, json};

use crate::conflict::{PendingQuestion, Play, Position};
use crate::error::{Error, Location};
use crate::game::{Asked, Follow, Outcome, brief};
use crate::repl::{Reply, Session, SessionOptions};
use crate::report::{self, cut, text, wrapped};
use crate::rulebook::{Clause, Rulebook};
use crate::script::{Call, Definition, Ear, Run, Turn, clauses};

/// Where no event is near a word, this many of the last are named.
const LAST: usize = 3;
/// `:why` at the end prints at most this many events.
const EVENTS: usize = 5;

/// A function with its location, its house rule, and the clause and text of its comment.
pub(super) struct Asker {
    function: String,
    at: Option<Location>,
    house: Option<String>,
    /// The clauses that the comment names.
    pub clause: Option<String>,
    text: String,
}

impl Asker {
    fn of(play: &Play, definitions: &[Definition], call: &Call) -> Asker {
        let rules = &play.conflict.rules;
        let at = call.at.clone();
        let within = at.as_ref().and_then(|at| definitions.iter().find(|one| one.holds(at)));
        let line = at.as_ref().map_or(0, |at| at.line);
        let comment = within.map(|one| rules.comment_at(one, line)).unwrap_or_default();
        let (clause, text) = match clauses(&comment) {
            Some((clause, text)) => (Some(clause.to_owned()), text.to_owned()),
            None => (None, comment.clone()),
        };
        let house = within.and_then(|one| rules.house().get(one.layer.checked_sub(1)?).cloned());
        // A closure is part of the function that it is in.
        let function = within.map_or_else(|| call.function.clone(), |one| one.name.clone());
        Asker { function, at, house, clause, text }
    }

    fn place(&self) -> String {
        self.at.as_ref().map(|at| format!("{}:{}", at.file, at.line)).unwrap_or_default()
    }

    /// `step` at rules.rhai:3, of the house rule `fast`.
    fn named(&self) -> String {
        let house = self.house.as_ref().map(|name| format!(", of the house rule `{name}`"));
        format!("`{}` at {}{}", self.function, self.place(), house.unwrap_or_default())
    }

    /// The clause with the first paragraph of the comment.
    fn clause(&self) -> Option<String> {
        let first = self.text.split("\n\n").next().unwrap_or_default();
        let words: Vec<&str> = first.split_whitespace().collect();
        let said = words.join(" ");
        match &self.clause {
            Some(clause) if said.is_empty() => Some(format!("clause {clause}")),
            // What the comment of a function says is not the text of the clause.
            Some(clause) => Some(format!("clause {clause}; the comment there: {said}")),
            None if said.is_empty() => None,
            None => Some(said),
        }
    }

    fn as_json(&self) -> Json {
        json!({
            "function": self.function,
            "file": self.at.as_ref().map(|at| &at.file),
            "line": self.at.as_ref().map(|at| at.line),
            "house": self.house,
            "clause": self.clause,
            "text": self.text,
        })
    }
}

pub(super) fn why(session: &mut Session, event: &str, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    if !event.is_empty() {
        let misses = session.viewer()?.misses(&play.history());
        return why_event(play, event, (misses, &session.options), reply);
    }
    let moment = match play.position() {
        Position::Asked(moment) => moment,
        Position::Over { outcome, .. } => {
            why_over(play, outcome, &session.options, reply);
            return Ok(());
        }
    };
    let Some(asked) = play.asked().or(moment.asked.first()) else { return Ok(()) };
    let definitions = play.conflict.rules.definitions();
    if session.viewer()?.misses(&play.history()) {
        return why_by_name(session, (play, asked), &definitions, reply);
    }
    let askers = stack(play, moment, asked, &definitions);
    let Some((first, callers)) = askers.split_first() else { return Ok(()) };
    if session.options.json {
        let callers: Vec<Json> = callers.iter().map(Asker::as_json).collect();
        let mut json = first.as_json();
        json["who"] = asked.who.as_str().into();
        json["name"] = asked.name.as_str().into();
        json["called_by"] = callers.into();
        reply.data(json.to_string());
        return Ok(());
    }
    let who = if asked.chance { format!("chance for {}", asked.who) } else { asked.who.clone() };
    // Whoever copies a place wants it whole: it is not broken.
    reply.data(format!("{who}, {}: asked in {}", asked.name, first.named()));
    show(play, (first, callers), session.options.width, reply);
    Ok(())
}

/// The line of a function, its clause with the text, and what called it.
fn show(play: &Play, (first, callers): (&Asker, &[Asker]), width: usize, reply: &mut Reply) {
    if let Some(at) = &first.at
        && let Some(line) =
            play.conflict.rules.source(&at.file).and_then(|text| text.lines().nth(at.line - 1))
    {
        reply.data(cut(&format!("{:>5} | {line}", at.line), width));
    }
    match first.clause() {
        Some(clause) => reply.data(wrapped(&clause, width)),
        None => reply.note("no comment says which clause it is"),
    }
    for clause in in_the_rulebook(play, first) {
        reply.data(text(&[clause.block()], width, true));
    }
    for caller in callers {
        let clause = caller.clause.as_ref().map(|clause| format!(" ({clause})"));
        reply.data(format!("called by {}{}", caller.named(), clause.unwrap_or_default()));
    }
}

/// Which line announced the last event that is, or else has, these words. What called it may depend on what the
/// viewer misses.
fn why_event(
    play: &Play,
    words: &str,
    (misses, options): (bool, &SessionOptions),
    reply: &mut Reply,
) -> Result<(), Error> {
    let events = play.events();
    let sought = words.to_lowercase();
    let exact = events.iter().rposition(|heard| heard.text == words);
    let within = || events.iter().rposition(|heard| heard.text.to_lowercase().contains(&sought));
    let Some(number) = exact.or_else(within) else {
        return Err(match events.is_empty() {
            true => Error::usage("nothing was announced yet"),
            false => {
                let all = || events.iter().map(|heard| &heard.text[..]);
                let error = Error::unknown("event", words, all());
                if error.suggestion().is_none() {
                    let last: Vec<&str> = all().rev().take(LAST).collect();
                    reply.note("announced last:");
                    last.iter().rev().for_each(|event| reply.note(report::below_each_other(event)));
                }
                error
            }
        });
    };
    let event = &events[number].text;
    let definitions = play.conflict.rules.definitions();
    let calls = announced(play, number)?;
    let askers: Vec<Asker> = calls.iter().map(|call| Asker::of(play, &definitions, call)).collect();
    let Some((first, callers)) = askers.split_first() else {
        return Err(Error::usage(format!(
            "no function is known that announced `{}`",
            brief(event)
        )));
    };
    let callers = if misses { &[] } else { callers };
    if options.json {
        let callers: Vec<Json> = callers.iter().map(Asker::as_json).collect();
        let mut json = first.as_json();
        json["event"] = event.as_str().into();
        json["called_by"] = callers.into();
        reply.data(json.to_string());
        return Ok(());
    }
    reply.data(format!("{}: announced in {}", brief(event), first.named()));
    show(play, (first, callers), options.width, reply);
    Ok(())
}

/// The functions that announced the event of this number, innermost first: the history is played again up to it.
fn announced(play: &Play, number: usize) -> Result<Vec<Call>, Error> {
    let mut run = Run::begin(&play.conflict.rules, &play.conflict.setup, Ear::Events);
    let mut follow = Follow::new(play.history());
    let mut before = 0;
    loop {
        match run.next()? {
            Turn::Event if before == number => return Ok(run.calls()),
            Turn::Event => before += 1,
            Turn::Question => run.answer_by(|question| Ok(follow.answer_whole(question)?))?,
            Turn::Step => {}
            Turn::Done => return Ok(Vec::new()),
        }
    }
}

/// What each utility is made of, the last answer with what it brought about, and the clause of the outcome.
fn why_over(play: &Play, outcome: &Outcome, options: &SessionOptions, reply: &mut Reply) {
    let history = play.history();
    let last = history.entries.last();
    let after = play.events().iter().filter(|heard| heard.after == history.len());
    let mut events: Vec<&str> = after.map(|heard| heard.text.as_str()).collect();
    events.drain(..events.len().saturating_sub(EVENTS));
    let definitions = play.conflict.rules.definitions();
    let ended = definitions.iter().filter(|one| one.name == "outcome").max_by_key(|one| one.layer);
    let by = ended.map(|one| {
        let call = Call { function: one.name.clone(), at: Some(one.at.clone()) };
        Asker::of(play, &definitions, &call)
    });
    if options.json {
        let mut json = by.as_ref().map_or_else(|| json!({}), Asker::as_json);
        json["result"] = outcome.result.as_str().into();
        json["utility"] = json!(outcome.utility);
        json["parts"] = json!(outcome.value().get("parts"));
        json["last"] = json!(last.map(|entry| entry.in_words()));
        json["events"] = json!(events);
        reply.data(json.to_string());
        return;
    }
    reply.data(report::result(outcome));
    if let Some(last) = last {
        reply.data(cut(&format!("the last entry: {}", last.in_words()), options.width));
    }
    events.iter().for_each(|event| reply.data(report::below_each_other(event)));
    let Some(by) = by else { return };
    reply.data(format!("ended in {}", by.named()));
    if let Some(clause) = by.clause() {
        reply.data(wrapped(&clause, options.width));
    }
    for clause in in_the_rulebook(play, &by) {
        reply.data(text(&[clause.block()], options.width, true));
    }
}

/// The function that asks, and those that called it.
fn stack(
    play: &Play,
    moment: &PendingQuestion,
    asked: &Asked,
    definitions: &[Definition],
) -> Vec<Asker> {
    let mut calls = moment.calls.clone();
    // The question's own place is the best that is known of the function that asks.
    let function = calls.first().map(|call| call.function.clone()).unwrap_or_default();
    let asks = Call { function, at: asked.at.clone() };
    match calls.first_mut() {
        Some(first) if asked.at.is_some() => *first = asks,
        Some(_) => {}
        None => calls.push(asks),
    }
    calls.iter().map(|call| Asker::of(play, definitions, call)).collect()
}

/// The functions that name a question, of those that can run where the conflict is.
fn by_name(play: &Play, asked: &Asked, definitions: &[Definition]) -> Vec<Asker> {
    let name = format!("\"{}\"", asked.name);
    let root = if play.is_setting_up() { "setup" } else { "step" };
    let can_run = called_from(root, definitions);
    let all = || definitions.iter().filter(|one| one.text.contains(&name));
    let run = |one: &&Definition| can_run.contains(one.name.as_str());
    // A question may be asked by a function that is called by no name.
    let named: Vec<&Definition> =
        if all().any(|one| run(&one)) { all().filter(run).collect() } else { all().collect() };
    let named = named.into_iter();
    let calls = named.map(|one| Call { function: one.name.clone(), at: Some(one.at.clone()) });
    calls.map(|call| Asker::of(play, definitions, &call)).collect()
}

/// The functions that a function calls, by the names in their texts, with those that they call, and itself.
fn called_from<'a>(root: &'a str, definitions: &'a [Definition]) -> HashSet<&'a str> {
    let mut called = HashSet::from([root]);
    let mut open = vec![root];
    while let Some(name) = open.pop() {
        let own = definitions.iter().filter(|one| one.name == name);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let words: HashSet<&str> =
            own.flat_map(|one| one.text.split(|letter| !is_part(letter))).collect();
        for one in definitions.iter().filter(|one| words.contains(one.name.as_str())) {
            if called.insert(one.name.as_str()) {
                open.push(&one.name);
            }
        }
    }
    called
}

/// The clauses by which a question is asked: those of the nearest function that names any. Where what is
/// hidden may decide who asks, those of every function that names the question.
pub(super) fn clauses_of(session: &Session, asked: &Asked) -> Result<Vec<String>, Error> {
    let play = session.open()?;
    let Position::Asked(moment) = play.position() else { return Ok(Vec::new()) };
    let definitions = play.conflict.rules.definitions();
    let askers = match session.viewer()?.misses(&play.history()) {
        true => by_name(play, asked, &definitions),
        false => {
            let stack = stack(play, moment, asked, &definitions).into_iter();
            stack.filter(|asker| asker.clause.is_some()).take(1).collect()
        }
    };
    Ok(askers.into_iter().filter_map(|asker| asker.clause).collect())
}

/// The text of the clauses that a comment names, the first few.
fn in_the_rulebook(play: &Play, asker: &Asker) -> Vec<Clause> {
    let Some(cited) = &asker.clause else { return Vec::new() };
    let Ok(book) = Rulebook::under(&play.conflict.folder, &play.conflict.rules) else {
        return Vec::new();
    };
    book.cited_by(cited)
}

/// The functions that ask such a question anywhere. Which of them asks, and who called it, may depend
/// on what is hidden.
fn why_by_name(
    session: &Session,
    (play, asked): (&Play, &Asked),
    definitions: &[Definition],
    reply: &mut Reply,
) -> Result<(), Error> {
    let askers = by_name(play, asked, definitions);
    let Some((first, others)) = askers.split_first() else {
        let message = format!("no function names `{}`; `:reveal` shows which one asks", asked.name);
        return Err(Error::usage(message));
    };
    if session.options.json {
        let mut json = first.as_json();
        json["who"] = asked.who.as_str().into();
        json["name"] = asked.name.as_str().into();
        json["or_in"] = others.iter().map(Asker::as_json).collect::<Vec<Json>>().into();
        reply.data(json.to_string());
        return Ok(());
    }
    reply.data(format!("{}, {}: asked in {}", asked.who, asked.name, first.named()));
    if let Some(clause) = first.clause() {
        reply.data(wrapped(&clause, session.options.width));
    }
    for clause in in_the_rulebook(play, first) {
        reply.data(text(&[clause.block()], session.options.width, true));
    }
    for other in others {
        reply.data(format!("or in {}", other.named()));
    }
    reply.note("`:reveal` shows the line and what called it, as both may show what is hidden");
    Ok(())
}

/// Prints a function of the open rules, or lists all.
pub(super) fn rules(
    session: &mut Session,
    name: Option<&str>,
    reply: &mut Reply,
) -> Result<(), Error> {
    let rules = &session.open()?.conflict.rules;
    let all = rules.definitions();
    let name = name.map(|word| word.trim_end_matches("()"));
    let mut found: Vec<&Definition> =
        all.iter().filter(|one| name.is_none_or(|name| one.name == name)).collect();
    if let (Some(name), []) = (name, &found[..]) {
        return Err(Error::unknown("function", name, all.iter().map(|one| one.name.as_str())));
    }
    let of = |layer: usize| match layer.checked_sub(1).and_then(|at| rules.house().get(at)) {
        Some(house) => format!("house rule `{house}`"),
        None => rules.system().to_owned(),
    };
    if name.is_none() {
        reply.note("`:rules NAME` shows the source, and where it is");
    } else {
        found.sort_by_key(|one| std::cmp::Reverse(one.layer));
    }
    let row = |one: &&Definition| {
        let (file, line, of) = (&one.at.file, one.at.line, of(one.layer));
        let text = match name {
            Some(_) => format!("// {file}:{line}, {of}\n{}", one.text),
            None => {
                let means = one.comments.split_whitespace().collect::<Vec<_>>().join(" ");
                let line = format!("{:<24} {means}", one.name);
                cut(line.trim_end(), session.options.width)
            }
        };
        let data = json!({
            "function": one.name, "layer": one.layer, "of": of,
            "file": file, "line": line, "source": one.text,
        });
        (data, text)
    };
    session.list(reply, found.iter().map(row));
    Ok(())
}
