//! The commands that show rules: `:why` names the one that asks, or by which the conflict ended, `:rules` prints
//! a function in all its layers.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde::Serialize;

use crate::conflict::{PendingQuestion, Play, Position};
use crate::error::{Error, in_code};
use crate::game::{Asked, Follow, Outcome, Value, brief};
use crate::repl::Session;
use crate::report::{self, Block, Report, cut};
use crate::rulebook::Rulebook;
use crate::script::{Call, Definition, Ear, Import, Run, Turn, clauses};

/// Where no event is near a word, this many of the last are named.
const LAST: usize = 3;
/// The functions by which fracas itself announces how a campaign continues.
const HOST: [&str; 2] = ["campaign_next", "campaign_note"];
/// `:why` at the end prints at most this many events.
const EVENTS: usize = 5;

/// A function with its location, its house rule, and the clause and text of its comment.
#[derive(Serialize)]
pub(super) struct Asker {
    function: String,
    file: Option<String>,
    line: Option<usize>,
    house: Option<String>,
    /// The clauses that the comment names.
    pub clause: Option<String>,
    text: String,
}

/// The functions among which one is looked for; in a campaign those of one conflict.
struct Searched<'p> {
    play: &'p Play,
    definitions: Vec<Definition>,
    import: Option<&'p Import>,
}

impl<'p> Searched<'p> {
    fn of(play: &'p Play, import: Option<&'p Import>) -> Searched<'p> {
        let all = || play.conflict.rules.definitions();
        Searched { play, definitions: import.map_or_else(all, Import::definitions), import }
    }

    /// Those of the conflict in which these calls are.
    fn by_calls(play: &'p Play, calls: &[Call]) -> Searched<'p> {
        // Closures have no name by which to tell.
        let called = calls.iter().rev().map(|call| &call.function[..]);
        Searched::of(play, play.conflict.rules.import_called(called))
    }

    fn asker(&self, call: &Call) -> Asker {
        let Searched { play, definitions, import } = self;
        let rules = &play.conflict.rules;
        let within = call.at.as_ref().and_then(|at| definitions.iter().find(|one| one.holds(at)));
        let (file, line) = call.at.as_ref().map(|at| (at.file.clone(), at.line)).unzip();
        let comment = within.map(|one| rules.comment_at(one, line.unwrap_or(0)));
        let comment = comment.unwrap_or_default();
        let (clause, text) = match clauses(&comment) {
            Some((clause, text)) => (Some(clause.to_owned()), text.to_owned()),
            None => (None, comment.clone()),
        };
        let house = within.and_then(|one| rules.house_of(*import, one.layer).map(str::to_owned));
        // A closure is part of the function that it is in; of a campaign the conflict is named too.
        let function = match (within, import) {
            (Some(one), Some(import)) => import.shown(&one.name),
            (Some(one), None) => one.name.clone(),
            (None, _) => call.function.clone(),
        };
        Asker { function, file, line, house, clause, text }
    }
}

impl Asker {
    /// `step` at rules.rhai:3, of the house rule `fast`.
    fn named(&self) -> String {
        let place = self.file.as_ref().zip(self.line);
        let place = place.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default();
        let house = self.house.as_ref().map(|name| format!(", of the house rule `{name}`"));
        format!("{} at {place}{}", in_code(&self.function), house.unwrap_or_default())
    }

    /// The line of the rules.
    fn source<'p>(&self, play: &'p Play) -> Option<&'p str> {
        let text = play.conflict.rules.source(self.file.as_ref()?)?;
        text.lines().nth(self.line?.checked_sub(1)?)
    }

    /// The clause with the first paragraph of the comment, and its text in the rulebook.
    fn clause_blocks(&self, play: &Play) -> Vec<Block> {
        let first = self.text.split("\n\n").next().unwrap_or_default();
        let said = first.split_whitespace().collect::<Vec<_>>().join(" ");
        let clause = match &self.clause {
            Some(clause) if said.is_empty() => format!("clause {clause}"),
            // What the comment of a function says is not the text of the clause.
            Some(clause) => format!("clause {clause}; the comment there: {said}"),
            None => said,
        };
        let book = Rulebook::under(&play.conflict.folder, &play.conflict.rules).ok();
        let cited = book.zip(self.clause.as_ref()).map(|(book, cited)| book.cited_by(cited));
        let cited = cited.into_iter().flatten().map(|clause| clause.block());
        std::iter::once(Block::Sentence(clause)).chain(cited).collect()
    }
}

/// Which function asks or announced something.
#[derive(Serialize)]
struct Cause<'a> {
    #[serde(flatten)]
    first: &'a Asker,
    #[serde(skip_serializing_if = "Option::is_none")]
    who: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    called_by: Option<&'a [Asker]>,
    /// Those that may ask in place of the first, where which of them does is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    or_in: Option<&'a [Asker]>,
}

impl Cause<'_> {
    /// What was done there, the line, the clause with its text, and what called it.
    fn report(&self, what: &str, play: &Play) -> Report<'_> {
        // Whoever copies a place wants it whole: it is not broken.
        let mut blocks = vec![Block::Code(format!("{what} in {}", self.first.named()))];
        if let (None, Some(number), Some(line)) =
            (self.or_in, self.first.line, self.first.source(play))
        {
            let line = format!("{number:>5} | {line}");
            blocks.push(Block::laid(move |width| cut(&line, width)));
        }
        blocks.extend(self.first.clause_blocks(play));
        let callers = self.called_by.into_iter().flatten().map(|caller| {
            let clause = caller.clause.as_ref().map(|clause| format!(" ({clause})"));
            format!("called by {}{}", caller.named(), clause.unwrap_or_default())
        });
        let others = self.or_in.into_iter().flatten();
        let others = others.map(|other| format!("or in {}", other.named()));
        blocks.extend(callers.chain(others).map(Block::Code));
        Report::of(self, vec![Block::Group(blocks)])
    }

    fn show(&self, what: &str, play: &Play, session: &Session) {
        session.show(&self.report(what, play));
        if self.or_in.is_some() {
            session.note(
                "`:reveal` shows the line and what called it, as both may show what is hidden",
            );
        } else if self.first.clause.is_none() && self.first.text.trim().is_empty() {
            session.note("no comment says which clause it is");
        }
    }
}

pub(super) fn why(session: &Session, event: &str) -> Result<(), Error> {
    let play = session.open()?;
    let misses = session.viewer()?.misses(&play.history());
    if !event.is_empty() {
        return why_event(session, event, misses);
    }
    let moment = match play.position() {
        Position::Asked(moment) => moment,
        Position::Over { outcome, .. } => {
            session.show(&why_over(play, outcome));
            return Ok(());
        }
    };
    let Some(asked) = play.asked().or(moment.asked.first()) else { return Ok(()) };
    let askers = match misses {
        true => by_name(play, moment, asked),
        false => stack(play, moment, asked),
    };
    let Some((first, others)) = askers.split_first() else {
        let message = format!("no function names `{}`; `:reveal` shows which one asks", asked.name);
        return if misses { Err(Error::usage(message)) } else { Ok(()) };
    };
    let chance = if asked.chance && !misses { "chance for " } else { "" };
    let (who, name) = (Some(&asked.who[..]), Some(&asked.name[..]));
    let (called_by, or_in) = ((!misses).then_some(others), misses.then_some(others));
    let what = format!("{chance}{}, {}: asked", asked.who, asked.name);
    Cause { first, who, name, event: None, called_by, or_in }.show(&what, play, session);
    Ok(())
}

/// Which line announced the last event that is, or else has, these words. What called it may depend on what the
/// viewer misses.
fn why_event(session: &Session, words: &str, misses: bool) -> Result<(), Error> {
    let play = session.open()?;
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
                    session.note("announced last:");
                    let last = &events[events.len().saturating_sub(LAST)..];
                    last.iter().for_each(|one| session.note(report::below_each_other(&one.text)));
                }
                error
            }
        });
    };
    let event = &events[number].text;
    let all = announced(play, number)?;
    let calls = written(&all);
    let searched = Searched::by_calls(play, &calls);
    let askers: Vec<Asker> = calls.iter().map(|call| searched.asker(call)).collect();
    let Some((first, callers)) = askers.split_first() else {
        let is_of_host = all.first().is_some_and(|call| HOST.contains(&&call.function[..]));
        return Err(Error::usage(match is_of_host {
            true => "fracas announces how a campaign continues; no rule does".to_owned(),
            false => format!("no function is known that announced `{}`", brief(event)),
        }));
    };
    let called_by = Some(if misses { &[] } else { callers });
    let cause = Cause { first, who: None, name: None, event: Some(event), called_by, or_in: None };
    cause.show(&format!("{}: announced", brief(event)), play, session);
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

/// Why a conflict is over.
#[derive(Serialize)]
struct WhyOver<'a> {
    #[serde(flatten)]
    by: Option<Asker>,
    result: &'a str,
    utility: &'a IndexMap<String, f64>,
    parts: Option<&'a Value>,
    last: Option<String>,
    events: Vec<&'a str>,
}

/// What each utility is made of, the last answer with what it brought about, and the clause of the outcome.
fn why_over<'p>(play: &'p Play, outcome: &'p Outcome) -> Report<'p> {
    let history = play.history();
    let last = history.entries.last().map(|entry| entry.in_words());
    let after = play.events().iter().filter(|heard| heard.after == history.len());
    let mut events: Vec<&str> = after.map(|heard| heard.text.as_str()).collect();
    events.drain(..events.len().saturating_sub(EVENTS));
    let searched = Searched::of(play, play.conflict.rules.in_force("outcome", &play.state()));
    let outcomes = searched.definitions.iter().filter(|one| one.name == "outcome");
    let by = outcomes
        .max_by_key(|one| one.layer)
        .map(|one| searched.asker(&Call { function: one.name.clone(), at: Some(one.at.clone()) }));
    let mut blocks = vec![Block::Code(report::result(outcome))];
    if let Some(last) = &last {
        let last = format!("the last entry: {last}");
        blocks.push(Block::laid(move |width| cut(&last, width)));
    }
    blocks.extend(events.iter().map(|event| Block::Code(report::below_each_other(event))));
    if let Some(by) = &by {
        blocks.push(Block::Code(format!("ended in {}", by.named())));
        blocks.extend(by.clause_blocks(play));
    }
    let (result, utility) = (&outcome.result[..], &outcome.utility);
    let parts = outcome.value().get("parts");
    let data = WhyOver { by, result, utility, parts, last, events };
    Report::of(data, vec![Block::Group(blocks)])
}

/// The function that asks, and those that called it.
fn stack(play: &Play, moment: &PendingQuestion, asked: &Asked) -> Vec<Asker> {
    let mut calls = written(&moment.calls);
    let searched = Searched::by_calls(play, &calls);
    // The question's own place is the best that is known of the function that asks.
    let function = calls.first().map(|call| call.function.clone()).unwrap_or_default();
    let asks = Call { function, at: asked.at.clone() };
    match calls.first_mut() {
        Some(first) if asked.at.is_some() => *first = asks,
        Some(_) => {}
        None => calls.push(asks),
    }
    calls.iter().map(|call| searched.asker(call)).collect()
}

/// The calls in files that somebody wrote: that of the host which plays campaigns is none of them.
fn written(calls: &[Call]) -> Vec<Call> {
    calls.iter().filter(|call| call.at.is_some()).cloned().collect()
}

/// The functions that name a question, of those that can run where the conflict is.
fn by_name(play: &Play, moment: &PendingQuestion, asked: &Asked) -> Vec<Asker> {
    let searched = Searched::by_calls(play, &written(&moment.calls));
    let definitions = &searched.definitions;
    let name = format!("\"{}\"", asked.name);
    // In a campaign the setups of later conflicts run within steps.
    let roots: &[&str] = match (play.is_setting_up(), play.conflict.rules.is_campaign()) {
        (false, false) => &["step"],
        (false, true) => &["setup", "step"],
        (true, _) => &["setup"],
    };
    let can_run = called_from(roots, definitions);
    let all = || definitions.iter().filter(|one| one.text.contains(&name));
    let run = |one: &&Definition| can_run.contains(one.name.as_str());
    // A question may be asked by a function that is called by no name.
    let named: Vec<&Definition> =
        if all().any(|one| run(&one)) { all().filter(run).collect() } else { all().collect() };
    let named = named.into_iter();
    let calls = named.map(|one| Call { function: one.name.clone(), at: Some(one.at.clone()) });
    calls.map(|call| searched.asker(&call)).collect()
}

/// The functions that a function calls, by the names in their texts, with those that they call, and itself.
fn called_from<'a>(roots: &[&'a str], definitions: &'a [Definition]) -> HashSet<&'a str> {
    let mut called: HashSet<&str> = roots.iter().copied().collect();
    let mut open = roots.to_vec();
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
    let askers = match session.viewer()?.misses(&play.history()) {
        true => by_name(play, moment, asked),
        false => {
            let stack = stack(play, moment, asked).into_iter();
            stack.filter(|asker| asker.clause.is_some()).take(1).collect()
        }
    };
    Ok(askers.into_iter().filter_map(|asker| asker.clause).collect())
}

/// A function of the rules in one of their layers.
#[derive(Serialize)]
struct LayeredFunction<'a> {
    function: &'a str,
    layer: usize,
    of: String,
    file: &'a str,
    line: usize,
    source: &'a str,
}

/// Prints a function of the open rules, or lists all.
pub(super) fn rules(session: &Session, name: Option<&str>) -> Result<(), Error> {
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
        session.note("`:rules NAME` shows the source, and where it is");
    } else {
        found.sort_by_key(|one| std::cmp::Reverse(one.layer));
    }
    session.list(found.into_iter().map(|one| {
        let (of, width) = (of(one.layer), session.options.width);
        let text = match name {
            Some(_) => format!("// {}:{}, {of}\n{}", one.at.file, one.at.line, one.text),
            None => {
                let means = one.comments.split_whitespace().collect::<Vec<_>>().join(" ");
                cut(format!("{:<24} {means}", one.name).trim_end(), width)
            }
        };
        let (function, file, source) = (&one.name[..], &one.at.file[..], &one.text[..]);
        (LayeredFunction { function, layer: one.layer, of, file, line: one.at.line, source }, text)
    }));
    Ok(())
}
