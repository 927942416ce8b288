//! Reads a spec strictly: each error names the key, its place, and what was expected.

use indexmap::IndexMap;

use super::{Adjudication, FormatName, Spec, SpecProgram, SprtBounds, StopRule, keys};
use crate::agents::{AgentCommand, BUILT_IN, HUMAN, LONGEST_NAME, MOST_MS, meaning};
use crate::catalog::{DocumentTable, names_program};
use crate::error::Error;
use crate::game::Value;
use crate::report::is_wild;

/// The games for each pairing and scenario where the spec does not say.
const GAMES: u64 = 100;
/// The most of each thing: a larger number is a slip of the hand, and would not end.
const MOST_GAMES: u64 = 1_000_000_000;
const MOST_AGENTS: usize = 500;
const MOST_SCENARIOS: usize = 500;
const MOST_ROUNDS: u64 = 1_000;
const MOST_ELO: f64 = 2_000.0;
const MOST_RATING: f64 = 10_000.0;
const MOST_UTILITY: f64 = 1e9;
const MOST_QUESTIONS: u64 = 99_999;
const MOST_PLAYOUTS: u64 = 1_000_000;
/// What `adjudicate` has where it does not say.
const DECISIONS: u64 = 4;
const PLAYOUTS: u64 = 100;

pub(super) fn read(root: &DocumentTable<'_>) -> Result<Spec, Error> {
    root.only(&keys::below(""))?;
    let (agents, programs) = agents(root)?;
    let people = |agent: &String| agent == HUMAN;
    if let Some(index) = agents.iter().position(people) {
        return Err(root.wrong(&format!("agents.{index}"), "is a person, who plays no tournament"));
    }
    let format = format(root)?;
    let rounds = whole(root, "rounds", 1, MOST_ROUNDS)?;
    if rounds.is_some() && format != FormatName::Swiss {
        let message = format!("is for `swiss`, not for `{}`", format.word());
        return Err(root.wrong("rounds", &message));
    }
    // Whoever has met everybody can only meet somebody again.
    let most = (agents.len() - 1 + agents.len() % 2) as u64;
    if rounds.is_some_and(|rounds| rounds > most) {
        let message = format!("must be {most} or less: then all {} have met", agents.len());
        return Err(root.wrong("rounds", &message));
    }
    Ok(Spec {
        title: root.text("title")?,
        scenarios: {
            root.need("scenarios")?;
            different(root, "scenarios", root.texts("scenarios")?, (1, MOST_SCENARIOS))?
        },
        stop: stop(root, agents.len())?,
        anchor: anchor(root, &agents)?,
        adjudicate: adjudicate(root, &agents)?,
        agents,
        programs,
        format,
        games: whole(root, "games", 1, MOST_GAMES)?.unwrap_or(GAMES),
        rounds,
        house: different(root, "house", root.texts("house")?, (0, usize::MAX))?,
        seed: whole(root, "seed", 0, i64::MAX as u64)?.unwrap_or(1),
        exact: truth(root, "exact")?.unwrap_or(true),
        folder: None,
    })
}

fn agents(root: &DocumentTable<'_>) -> Result<(Vec<String>, IndexMap<String, SpecProgram>), Error> {
    root.need("agents")?;
    let (mut names, mut programs) = (Vec::new(), IndexMap::new());
    for (index, item) in root.list("agents")?.unwrap_or_default().iter().enumerate() {
        let at = format!("agents.{index}");
        match item {
            // What a person names at the prompt is a word; scripts are refused where words are read.
            Value::Text(word) if names_program(word) && root.is_of_file() => {
                let how = "is a program: write it as `{ name = \"mine\", command = \"python3 mine.py\" }`";
                return Err(root.wrong(&at, how));
            }
            Value::Text(word) => names.push(word.clone()),
            Value::Map(_) => {
                let table = root.table_at("agents", index, item)?;
                table.only(&keys::below("agents."))?;
                let (name, command) = (table.need_text("name")?, table.need_text("command")?);
                is_name(&name).map_err(|why| table.wrong("name", &why))?;
                if BUILT_IN.into_iter().any(|(word, _)| meaning(word).0 == meaning(&name).0) {
                    return Err(table.wrong("name", "is the name of an agent of every system"));
                }
                let program = SpecProgram { command, ms: whole(&table, "ms", 1, MOST_MS)? };
                let word = AgentCommand::of_spec(&name, &program.command, program.ms, None);
                word.map_err(|error| table.wrong("command", &error.to_string()))?;
                programs.insert(name.clone(), program);
                names.push(name);
            }
            other => {
                let what = "a text, or a table of `name` and `command`";
                return Err(root.must_be(&at, what, other));
            }
        }
    }
    Ok((different(root, "agents", names, (2, MOST_AGENTS))?, programs))
}

fn is_name(name: &str) -> Result<(), String> {
    let letters = name.chars().count();
    match name.chars().find(|letter| letter.is_control() || is_wild(*letter)) {
        _ if name.trim().is_empty() => Err("is empty".to_owned()),
        Some(letter) => Err(format!("must be plain text in one line, got {letter:?} in it")),
        None if letters > LONGEST_NAME => {
            Err(format!("must have at most {LONGEST_NAME} characters, got {letters}"))
        }
        None => Ok(()),
    }
}

/// A list of different words whose length is bounded.
fn different(
    root: &DocumentTable<'_>,
    key: &str,
    words: Vec<String>,
    (least, most): (usize, usize),
) -> Result<Vec<String>, Error> {
    if words.len() < least || words.len() > most {
        let message = format!("must have {least} to {most} items, got {}", words.len());
        return Err(root.wrong(key, &message));
    }
    for (index, word) in words.iter().enumerate() {
        let at = format!("{key}.{index}");
        if word.trim().is_empty() {
            return Err(root.wrong(&at, "is empty"));
        }
        if words.iter().take(index).any(|other| other == word) {
            return Err(root.wrong(&at, &format!("is listed twice: `{word}`")));
        }
        let same = |other: &&String| meaning(other) == meaning(word);
        if key == "agents"
            && let Some(other) = words.iter().take(index).find(same)
        {
            let message = format!("is listed twice: `{word}` is the same as `{other}`");
            return Err(root.wrong(&at, &message));
        }
    }
    Ok(words)
}

fn format(root: &DocumentTable<'_>) -> Result<FormatName, Error> {
    let word = root.need_text("format")?;
    let known = FormatName::ALL.map(FormatName::word);
    let found = FormatName::ALL.into_iter().find(|format| format.word() == word);
    found.ok_or_else(|| root.unknown("format", &word, &known))
}

fn stop(root: &DocumentTable<'_>, agents: usize) -> Result<StopRule, Error> {
    let Some(table) = root.table("stop")? else { return Ok(StopRule::default()) };
    if table.get("allocate").is_some() {
        let message =
            "is no longer a key: all pairings play the same number of games. Delete the line";
        return Err(table.wrong("allocate", message));
    }
    table.only(&keys::below("stop."))?;
    let within = number(&table, "within")?;
    if within.is_some_and(|points| points <= 0.0) {
        return Err(table.wrong("within", "must be above 0: it is a number of Elo points"));
    }
    let sprt = table.table("sprt")?.map(|table| sprt(&table)).transpose()?;
    if sprt.is_some() && agents != 2 {
        return Err(table.wrong("sprt", &format!("is for two agents, and here are {agents}")));
    }
    Ok(StopRule { within, sprt })
}

fn sprt(table: &DocumentTable<'_>) -> Result<SprtBounds, Error> {
    table.only(&keys::below("stop.sprt."))?;
    let elo = |key: &str| {
        let value = within(table, key, (-MOST_ELO, MOST_ELO))?;
        value.ok_or_else(|| table.wrong(key, "is missing"))
    };
    let (elo0, elo1) = (elo("elo0")?, elo("elo1")?);
    if elo0 >= elo1 {
        return Err(table.wrong("elo1", &format!("must be above `elo0`, {elo0}, got {elo1}")));
    }
    let chance = |key: &str| {
        let value = number(table, key)?.unwrap_or(0.05);
        if value <= 0.0 || value >= 0.5 {
            return Err(table.wrong(key, &format!("must be above 0 and below 0.5, got {value}")));
        }
        Ok(value)
    };
    Ok(SprtBounds { elo0, elo1, alpha: chance("alpha")?, beta: chance("beta")? })
}

fn anchor(root: &DocumentTable<'_>, agents: &[String]) -> Result<Option<(usize, f64)>, Error> {
    let Some(table) = root.table("anchor")? else { return Ok(None) };
    table.only(&keys::below("anchor."))?;
    let word = table.need_text("agent")?;
    let known: Vec<&str> = agents.iter().map(String::as_str).collect();
    let agent = known.iter().position(|agent| *agent == word);
    let agent = agent.ok_or_else(|| table.unknown("agent", &word, &known))?;
    let rating = within(&table, "rating", (-MOST_RATING, MOST_RATING))?;
    Ok(Some((agent, rating.unwrap_or_default())))
}

fn adjudicate(root: &DocumentTable<'_>, agents: &[String]) -> Result<Option<Adjudication>, Error> {
    let Some(table) = root.table("adjudicate")? else { return Ok(None) };
    table.only(&keys::below("adjudicate."))?;
    let questions = whole(&table, "questions", 1, MOST_QUESTIONS)?;
    let (draw, beyond) = (number(&table, "draw")?, number(&table, "beyond")?);
    for (key, utility) in [("draw", draw), ("beyond", beyond)] {
        if utility.is_some_and(|utility| utility.abs() > MOST_UTILITY) {
            let least = if key == "draw" { -MOST_UTILITY } else { 0.0 };
            return Err(table.wrong(key, &format!("must be from {least} to {MOST_UTILITY}")));
        }
    }
    if questions.is_none() && beyond.is_none() {
        return Err(root.wrong("adjudicate", "needs `questions` or `beyond`: when a game ends"));
    }
    if draw.is_some() && questions.is_none() {
        return Err(
            table.wrong("draw", "is for games that end after `questions`, which is missing")
        );
    }
    if beyond.is_some_and(|beyond| beyond <= 0.0) {
        return Err(table.wrong("beyond", "must be above 0: it is a utility, or its negative"));
    }
    let decisions = whole(&table, "decisions", 1, MOST_QUESTIONS)?;
    if decisions.is_some() && beyond.is_none() {
        return Err(table.wrong("decisions", "is for `beyond`, which is missing"));
    }
    let playouts = whole(&table, "playouts", 1, MOST_PLAYOUTS)?;
    let agent = table.text("agent")?;
    for (key, is_there) in [("playouts", playouts.is_some()), ("agent", agent.is_some())] {
        if is_there && beyond.is_none() && draw.is_some() {
            return Err(table.wrong(key, "is of no use: with `draw` nothing is expected"));
        }
    }
    let is_own = |word: &String| agents.contains(word);
    match agent.as_ref().filter(|word| !is_own(word)) {
        Some(word) if word == HUMAN => {
            return Err(table.wrong("agent", "is a person, who plays no tournament"));
        }
        Some(word) if names_program(word) => {
            return Err(table.wrong("agent", "is a program: list it in `agents`, and name it here"));
        }
        _ => {}
    }
    Ok(Some(Adjudication {
        questions,
        draw,
        beyond,
        decisions: decisions.unwrap_or(DECISIONS),
        playouts: playouts.unwrap_or(PLAYOUTS),
        agent,
    }))
}

fn whole(
    table: &DocumentTable<'_>,
    key: &str,
    least: u64,
    most: u64,
) -> Result<Option<u64>, Error> {
    let number = |value: &Value| u64::try_from(value.as_int()?).ok();
    let within = |value| number(value).filter(|number| (least..=most).contains(number));
    table.read(key, &format!("a whole number from {least} to {most}"), within)
}

fn truth(table: &DocumentTable<'_>, key: &str) -> Result<Option<bool>, Error> {
    let truth = |value: &Value| if let Value::Bool(truth) = value { Some(*truth) } else { None };
    table.read(key, "`true` or `false`", truth)
}

fn number(table: &DocumentTable<'_>, key: &str) -> Result<Option<f64>, Error> {
    let number = |value: &Value| value.as_number().filter(|number| number.is_finite());
    table.read(key, "a number", number)
}

/// A number between two bounds, these included.
fn within(
    table: &DocumentTable<'_>,
    key: &str,
    (least, most): (f64, f64),
) -> Result<Option<f64>, Error> {
    let value = number(table, key)?;
    match value.is_some_and(|value| value < least || value > most) {
        true => Err(table.wrong(key, &format!("must be from {least} to {most}"))),
        false => Ok(value),
    }
}
