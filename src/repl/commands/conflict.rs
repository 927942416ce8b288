//! The commands that open a conflict, play it, seat agents, and save and load it: `:open`, `:play`, `:seat`,
//! `:save`, `:case`, `:load`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::house::create;
use crate::agents::HUMAN;
use crate::cases;
use crate::catalog::{FileKind, names_program};
use crate::commands::check_folder;
use crate::commands::{LuckArguments, ReplayPage, ScenarioArguments, SeedArgument, replay_line};
use crate::conflict::{
    Conflict, HISTORY, Loaded, Play, RunUntil, SESSION, covers_only, named, replace, replaceable,
};
use crate::error::{Error, Location};
use crate::game::{History, ticked};
use crate::repl::session::Journal;
use crate::repl::session::unsaved::{Keeper, NOT_KEPT};
use crate::repl::{Session, Viewer, question};
use crate::report::shell_word;

/// `:open`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help("The seed of chance; the next one where it is not given")))]
pub struct Open {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    chance: SeedArgument,
}

pub(super) fn open(session: &mut Session, open: &Open) -> Result<(), Error> {
    let Open { scenario: ScenarioArguments { named, .. }, chance } = open;
    let scenario = &named.scenario;
    if let Some(number) = scenario.strip_prefix("check:") {
        let kept = check_folder().filter(|_| number.parse::<u32>().is_ok());
        let file = kept.map(|folder| folder.join(format!("{number}.history")));
        let file = file.filter(|file| file.is_file()).ok_or_else(|| {
            Error::usage(format!(
                "no check has kept `{scenario}`; `fracas check` says what it keeps"
            ))
        })?;
        return load(session, &Load { file: Some(file), force: false });
    }
    if scenario.ends_with(".history") {
        return load(session, &Load { file: Some(scenario.into()), force: false });
    }
    let (changes, given) = (open.scenario.changes()?, chance.seed);
    let limits = session.options.limits.clone();
    let conflict = Conflict::open(&session.catalog, scenario, &changes, &limits)
        .inspect_err(|error| how_to_mend(session, scenario, error))?;
    for warning in conflict.warnings() {
        session.note(warning.to_string());
    }
    let people = conflict.seats.values().any(|agent| agent == HUMAN);
    let go = if people { RunUntil::PersonAsked } else { RunUntil::NextQuestion };
    let seed = given.unwrap_or(session.options.seed);
    let hides = conflict.hides_from_people() && !session.revealed;
    let play = Play::after(conflict, seed, &limits, History::default(), go)
        .map_err(|error| if hides { error.veiled() } else { error })?;
    session.options.seed = seed.wrapping_add(1);
    if given.is_none() {
        session.journal.fix(format!(" --seed {seed}"));
    }
    session.keep_unsaved();
    let dropped = dropped(session.play.as_ref(), &play);
    session.note(question::introduction(&play));
    dropped.into_iter().for_each(|dropped| session.note(dropped));
    session.take_up(play);
    session.is_taken_up(None);
    session.report();
    nobody_plays(session)?;
    if session.guides && session.open()?.asked().is_some() {
        session.guides = false;
        session.note("`:odds` weighs the options, `:why` shows which rule asks, `:edit` opens it");
    }
    Ok(())
}

/// Which house rules that were laid over the conflict before are not laid over this one, though they could be.
fn dropped(before: Option<&Play>, play: &Play) -> Option<String> {
    let before = before.filter(|one| one.conflict.folder.name() == play.conflict.folder.name())?;
    let (laid, of_scenario) = (before.conflict.rules.house(), &before.conflict.scenario.house);
    let gone =
        |name: &&String| !of_scenario.contains(name) && !play.conflict.rules.house().contains(name);
    let gone: Vec<&str> = laid.iter().filter(gone).map(String::as_str).collect();
    (!gone.is_empty()).then(|| {
        format!(
            "no longer in force: {}; `:house {}` applies {} here",
            ticked(&gone).join(", "),
            gone.join(" "),
            if gone.len() == 1 { "it" } else { "them" }
        )
    })
}

/// Says how to sit down, where nobody plays by hand.
fn nobody_plays(session: &Session) -> Result<(), Error> {
    let play = session.open()?;
    let decides = play.position().asked().iter().find(|asked| !asked.chance);
    let player = decides.map(|asked| &asked.who).or(play.players.names.first());
    if let (None, true, Some(player)) = (play.outcome(), play.people().is_empty(), player) {
        session.note(format!(
            "nobody plays by hand: `:seat {player} {HUMAN}` seats you, `:play` lets the agents play"
        ));
    }
    Ok(())
}

/// Adds a note on how to open rules with a mistake in an editor.
fn how_to_mend(session: &Session, scenario: &str, error: &Error) {
    let on_disk = |at: &&Location| Path::new(&at.file).is_file();
    let system = scenario.split('/').next().unwrap_or_default();
    let system = session.catalog.folder(system).map(|folder| folder.name());
    if let (Error::Script(_), Some(_), Ok(system)) =
        (error, error.location().filter(on_disk), system)
    {
        session.note(format!("`:edit {system}` opens these rules at the mistake"));
    }
}

pub(super) fn play(session: &mut Session, seed: Option<u64>) -> Result<(), Error> {
    let over = session.open()?.outcome().is_some();
    let next = session.options.seed;
    let seed = match seed {
        None if over => {
            session.options.seed = next.wrapping_add(1);
            session.journal.fix(format!(" {next}"));
            Some(next)
        }
        given => given,
    };
    match seed {
        Some(seed) => {
            session.open_mut()?.anew(seed)?;
            session.note(format!("seed {seed}"));
            let play = session.play.take();
            play.into_iter().for_each(|play| session.take_up(play));
        }
        None if session.open()?.asked().is_some() => {}
        None => session.open_mut()?.go(RunUntil::PersonAsked)?,
    }
    session.report();
    Ok(())
}

pub(super) fn seat(session: &mut Session, player: &str, agent: &str) -> Result<(), Error> {
    let play = session.open_mut()?;
    play.seat(player, agent)?;
    // What was weighed is of those who sat there before, and who sees what may be another.
    session.weighed.clear();
    session.tree.clear();
    session.note(format!("{player} is seated: {agent}"));
    let play = session.open()?;
    let over = play.outcome().is_some();
    if play.asked().is_some() {
        session.report();
    } else if !session.hands_over() && !over {
        session.note("`:play` continues");
    }
    Ok(())
}

/// `:load`.
#[derive(Args, Debug)]
pub struct Load {
    /// The saved history; or `#` and the number of a conflict that was not saved. Without it, lists those
    #[arg(value_name = "FILE | #N")]
    file: Option<PathBuf>,
    /// Continue under changed rules, to the first divergence
    #[arg(long)]
    force: bool,
}

pub(super) fn save(session: &mut Session, path: &Path, whole: bool) -> Result<(), Error> {
    let mut shows_all = String::new();
    match path.extension().and_then(|end| end.to_str()) {
        Some("rhai") => {
            covers_only(("a script that `:save` wrote", &[Journal::SCRIPT]), path)?;
            replace(path, session.journal.as_script().as_bytes())?;
        }
        _ if whole => {
            named(SESSION, path).map_err(Error::usage)?;
            covers_only(("a saved session", &[Journal::LINES]), path)?;
            replace(path, session.journal.as_lines().as_bytes())?;
        }
        Some("html") => {
            let page: &[&str] = &["<!DOCTYPE html>", "Printed by fracas"];
            covers_only(("a page of Fracas", page), path)?;
            replaceable(path)?;
            let play = session.open()?;
            let how = (session.seed_apart(None)?, session.lab.threads());
            let audience = session.lab.audience();
            let progress = audience.begins("nodes", None);
            let found = LuckArguments::default().find_for_page(play, how, &*progress)?.ok();
            drop(progress);
            let (luck, command) = (found.as_ref(), replay_line(path, &[]));
            ReplayPage { play, luck, viewer: None, known: &[], command }.write(path)?;
            if play.conflict.rules.means_to_hide() {
                let own = replay_line(path, &["--for", "PLAYER", "--html", "FILE.html"]);
                shows_all = format!(
                    ": the page shows everybody's hidden information; `{own}` writes what one player saw"
                );
            }
            session.is_saved();
        }
        _ => {
            named(HISTORY, path).map_err(Error::usage)?;
            session.open()?.saved().write_to(path)?;
            session.is_saved();
        }
    }
    session.note(format!("saved to {}{shows_all}", path.display()));
    Ok(())
}

/// Writes the current place as a scenario.
pub(super) fn save_scenario(session: &mut Session, what: &Path, name: &str) -> Result<(), Error> {
    if what != Path::new("scenario") {
        let what = what.display();
        return Err(Error::usage(format!(
            "`:save {what} {name}`: write `:save FILE`, or `:save scenario {name}`"
        )));
    }
    let play = session.open()?;
    let (file, title) = place(play, FileKind::Scenario, name)?;
    let text = play.as_scenario(&title, &file)?;
    let folder = &play.conflict.folder;
    let word = match folder.disk_path() {
        Some(_) if !name.ends_with(".toml") => format!("{}/{name}", folder.name()),
        _ => file.display().to_string(),
    };
    let programs = play.conflict.seats.iter().filter(|(_, agent)| names_program(agent));
    let seated = |(seat, agent)| format!(" --seat {}", shell_word(&format!("{seat}={agent}")));
    let programs: String = programs.map(seated).collect();
    create(&file, &text)?;
    let word = shell_word(&word);
    session.note(format!("written to `{}`; `:open {word}` begins there", file.display()));
    if !programs.is_empty() {
        session.note(format!("no file may name a program: `:open {word}{programs}` seats it"));
    }
    Ok(())
}

pub(super) fn load(session: &mut Session, arguments: &Load) -> Result<(), Error> {
    let Load { file: Some(file), force } = arguments else { return list(session) };
    let number = file.to_str().and_then(|name| name.strip_prefix('#')?.parse().ok());
    let file = &number.map_or_else(|| Ok(file.clone()), |number| session.unsaved(number))?;
    let saved = session.read_saved(file)?;
    let limits = session.options.limits.clone();
    let loaded = Play::load(&session.catalog, &saved, &limits, *force);
    let hides = || !session.revealed && saved.hides_from_people(&session.catalog, &limits);
    let loaded = loaded.map_err(|error| match error {
        Error::ChangedRules { mut differs } => {
            let last = differs.pop().unwrap_or_default();
            differs.push(format!("{last} (`:load {} --force` tries all the same)", file.display()));
            Error::ChangedRules { differs }
        }
        other if hides() => other.veiled(),
        other => other,
    })?;
    let Loaded { play, differs, divergence, cut, ending } = loaded;
    session.keep_before(Some(file));
    for difference in differs {
        session.note(format!("changed: {difference}"));
    }
    session.note(question::introduction(&play));
    for (seat, agent, note) in saved.notes_of_unseated() {
        session.note(format!("{note}; `:seat {seat} {agent}` seats it"));
    }
    ending.into_iter().for_each(|warning| session.note(warning));
    session.report_cut(&cut, &Viewer::of(&play, session.revealed));
    let lines = ticked(play.lines().iter().map(|(name, ..)| name));
    if lines.len() > 1 {
        session.note(format!("lines of play: {}; on `{}`", lines.join(", "), play.line_name()));
    }
    session.take_up(play);
    session.is_taken_up(Some(file));
    session.report_anew();
    let viewer = session.viewer()?;
    divergence.into_iter().for_each(|parted| session.fail(viewer.error(parted)));
    Ok(())
}

/// A conflict that was left without being saved.
#[derive(Serialize)]
struct ListedUnsaved<'a> {
    file: String,
    scenario: &'a str,
}

/// Lists the conflicts that were left without being saved.
fn list(session: &Session) -> Result<(), Error> {
    let all = session.keeper.as_ref().map(Keeper::others).unwrap_or_default();
    if all.is_empty() {
        let none = match session.keeper {
            Some(_) => "no conflict was left without being saved",
            None => NOT_KEPT,
        };
        session.note(format!("{none}; `:load FILE` resumes a saved one"));
    }
    session.list((1..).zip(&all).map(|(number, one)| {
        let file = one.file.display().to_string();
        (ListedUnsaved { file, scenario: &one.scenario }, format!("#{number}  {}", one.sentence()))
    }));
    Ok(())
}

pub(super) fn case(session: &mut Session, name: &str) -> Result<(), Error> {
    let play = session.open()?;
    let (file, title) = place(play, FileKind::Case, name)?;
    let text = play.as_case(&title)?;
    create(&file, &text)?;
    let shown = file.display();
    session.note(format!("written to `{shown}`; cut it to what it shows"));
    let over = session.catalog.over(&file);
    for file in cases::find(&over, std::slice::from_ref(&file))? {
        let ran = cases::run_file(&over, &file?, &session.options.limits)?;
        ran.failures.iter().for_each(|failure| session.note(failure.as_text()));
    }
    Ok(())
}

/// The file of this name in the open rules, or here where those are inside the program, and the title of what is in it.
pub(super) fn place(play: &Play, kind: FileKind, name: &str) -> Result<(PathBuf, String), Error> {
    let path = PathBuf::from(name);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().replace('_', " "));
    let title = stem.unwrap_or_else(|| name.to_owned());
    let file = format!("{name}.toml");
    let file = match play.conflict.folder.disk_path() {
        _ if path.extension().is_some_and(|end| end == "toml") => path,
        _ if name.contains(['/', '\\']) => {
            return Err(Error::usage(format!(
                "`{name}` is no name; the path of a file ends in `.toml`"
            )));
        }
        Some(home) => home.join(kind.folder()).join(file),
        None => PathBuf::from(file),
    };
    Ok((file, title))
}
