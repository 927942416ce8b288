//! The commands that show the open conflict, as far as the person who looks may see it: `:state`,
//! `:view`, `:picture`, `:options`, `:events`, `:params`, `:reveal`.

use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;

use crate::catalog::{Folder, ParamSpecs};
use crate::commands::write_drawing;
use crate::conflict::{Changes, RuleChanges};
use crate::error::Error;
use crate::game::{Value, Wording};
use crate::repl::{Session, Viewer, question};
use crate::report::{self, Block, Report};

pub(super) fn state(session: &mut Session) -> Result<(), Error> {
    let play = session.open()?;
    let seen = session.viewer()?.state(play)?;
    let rest = play.position().outcome().map(report::outcome_rest).unwrap_or_default();
    let mut blocks = vec![Block::Data(seen.clone())];
    if !rest.is_empty() {
        blocks.push(Block::title("besides the result, the outcome has"));
        blocks.push(Block::Code(report::indented(&rest, 2)));
    }
    session.show(&Report::of(seen, vec![Block::Group(blocks)]));
    Ok(())
}

pub(super) fn view(session: &mut Session, player: &str) -> Result<(), Error> {
    let play = session.open()?;
    if !play.players.names.contains(player) {
        let known = play.players.names.iter().map(String::as_str);
        return Err(Error::unknown_player(player, known));
    }
    let viewer = session.viewer()?;
    if !viewer.see_as(player) {
        let message = format!("what `{player}` sees is hidden from you; `:reveal` shows all");
        return Err(Error::usage(message));
    }
    let seen = play.conflict.rules.view(&play.state(), player)?;
    session.show(&Report::of(seen.clone(), vec![Block::Data(seen)]));
    Ok(())
}

pub(super) fn picture(session: &mut Session, svg: Option<&Path>) -> Result<(), Error> {
    let (viewer, play) = (session.viewer()?, session.open()?);
    let drawn = match svg {
        None => viewer.picture(play),
        Some(path) => viewer.seen(play).and_then(|seen| {
            write_drawing(&play.conflict, &seen, path)?;
            Ok(Some(format!("wrote `{}`", path.display())))
        }),
    };
    match drawn {
        Ok(Some(said)) if svg.is_some() => session.note(said),
        Ok(Some(text)) => {
            session.data(report::stacked(text.trim_end(), session.options.width));
            session.reply.borrow_mut().unpaged = true;
        }
        Ok(None) => session.note("these rules draw no picture"),
        Err(Error::Script(_)) if viewer != Viewer::All => {
            let message =
                "the rules can draw all, but not what one player may see; `:reveal` shows all";
            return Err(Error::usage(message));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The options of a decision, with the words that rules have for it.
#[derive(Serialize)]
struct OfferedOptions<'a> {
    player: &'a str,
    name: &'a str,
    options: Vec<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wording: Option<OfferedWords<'a>>,
}

#[derive(Serialize)]
struct OfferedWords<'a> {
    text: Option<&'a String>,
    help: Option<&'a String>,
    options: Vec<OptionWords<'a>>,
}

#[derive(Serialize)]
struct OptionWords<'a> {
    text: Option<&'a str>,
    help: Option<&'a str>,
}

/// Prints the options of the open decision, or those that hold a text.
pub(super) fn options(session: &Session, part: Option<&str>) -> Result<(), Error> {
    let part = part.unwrap_or_default();
    let asked = session.decision()?;
    let wording = session.words.of(asked);
    let text = question::options(asked, wording, part, session.options.width);
    if text.is_empty() {
        return Err(Error::usage(format!("no option holds `{part}`")));
    }
    let held = || question::holding(asked, wording, part).map(|(index, _)| index);
    let own =
        |index| OptionWords { text: wording.of_option(index), help: wording.help_of_option(index) };
    let words = (*wording != Wording::default()).then(|| OfferedWords {
        text: wording.text.as_ref(),
        help: wording.help.as_ref(),
        options: held().map(own).collect(),
    });
    let offered = OfferedOptions {
        player: &asked.who,
        name: &asked.name,
        options: held().map(|index| &asked.options[index]).collect(),
        wording: words,
    };
    session.show(&Report::of(offered, vec![Block::Code(text)]));
    Ok(())
}

/// What was announced after this many entries.
#[derive(Serialize)]
struct HeardEvent<'a> {
    after: usize,
    text: &'a str,
}

pub(super) fn events(session: &Session) -> Result<(), Error> {
    let play = session.open()?;
    if play.events().is_empty() {
        session.note("nothing has been announced yet");
    }
    let (viewer, history) = (session.viewer()?, play.history());
    session.list(play.events().iter().map(|heard| {
        let (after, text) = (viewer.count(&history.prefix(heard.after)), &heard.text[..]);
        let line = format!("{after:>4}  {}", report::below_each_other(text));
        (HeardEvent { after, text }, line)
    }));
    Ok(())
}

/// Plays the open conflict again with other values.
pub(super) fn change(session: &mut Session, settings: &[String]) -> Result<(), Error> {
    session.open()?;
    let params = Changes::read(&[], settings, &[])?.params;
    session.replay_under(&RuleChanges { params, ..RuleChanges::default() })
}

pub(super) fn params(session: &mut Session, words: &[String]) -> Result<(), Error> {
    // Names alone are to be shown.
    let shows = words.iter().all(|word| !word.contains('='));
    if !shows {
        return change(session, words);
    }
    let conflict = &session.open()?.conflict;
    // Those in force are known where the file on disk cannot be read any more.
    let specs = |folder: &Folder| {
        let read = folder.params().and_then(|text| ParamSpecs::read(text.as_ref()));
        read.unwrap_or_else(|error| {
            let text = report::as_text(&error, false, session.options.width);
            session.note(format!("only the values in force are shown: {text}"));
            ParamSpecs::default()
        })
    };
    // A campaign has none of its own; the rules of its conflicts have some, each under other house rules.
    let of_campaign = conflict.scenario.campaign.is_some();
    let mut all: Vec<(&str, &IndexMap<String, Value>, ParamSpecs)> = Vec::new();
    if of_campaign {
        let base = conflict.blueprint.base();
        for (number, import) in base.imports.iter().enumerate() {
            // The script in the campaign's own file is no system.
            if base.campaign.iter().any(|part| part.import == Some(number)) {
                let folder = session.catalog.folder(&import.layer.name)?;
                let conflicts = import.conflicts.as_deref().filter(|names| !names.is_empty());
                let named = conflicts.unwrap_or(&import.layer.name);
                all.push((named, &import.params, specs(folder)));
            }
        }
    } else {
        all.push(("", conflict.rules.params(), specs(&conflict.folder)));
    }
    let names = || all.iter().flat_map(|(_, params, _)| params.keys().map(String::as_str));
    if names().next().is_none() && !session.options.json {
        session.note("these rules have no parameters");
        return Ok(());
    }
    if let Some(word) = words.iter().find(|word| names().all(|name| name != **word)) {
        return Err(Error::unknown("parameter", word, names()));
    }
    let is_shown = |name: &String| words.is_empty() || words.contains(name);
    let each = all.iter().map(|(rules, params, _)| {
        let params = params.iter().filter(|(name, _)| is_shown(name));
        (*rules, params.collect::<IndexMap<_, _>>())
    });
    let each: IndexMap<_, _> = each.collect();
    let rows = all.iter().flat_map(|(rules, params, specs)| {
        let rows = described(params, specs).into_iter().filter(|row| is_shown(&row[0]));
        rows.map(|row| match of_campaign {
            true => [vec![(*rules).to_owned()], row].concat(),
            false => row,
        })
    });
    let rules = if all.len() > 1 { "conflicts" } else { "rules" };
    let mut header = vec![rules, "parameter", "value", "default", "may be", "meaning"];
    header.drain(..usize::from(!of_campaign));
    let mut rows: Vec<Vec<String>> = rows.collect();
    // The column would be empty where none was changed.
    let default = header.iter().position(|name| *name == "default");
    if let Some(at) = default.filter(|&at| rows.iter().all(|row| row[at].is_empty())) {
        header.remove(at);
        rows.iter_mut().for_each(|row| _ = row.remove(at));
    }
    let table = vec![Block::table(header, rows)];
    session.show(&match of_campaign {
        true => Report::of(each, table),
        false => Report::of(&each[""], table),
    });
    Ok(())
}

/// Each parameter with its value, its default where that is another, what it may be and means.
fn described(params: &IndexMap<String, Value>, specs: &ParamSpecs) -> Vec<Vec<String>> {
    let row = |(name, value): (&String, &Value)| {
        let spec = specs.get(name);
        let default = spec.map(|spec| &spec.default).filter(|default| *default != value);
        vec![
            name.clone(),
            value.to_string(),
            default.map(ToString::to_string).unwrap_or_default(),
            spec.map(|spec| spec.allowed()).unwrap_or_default(),
            spec.map(|spec| spec.meaning.clone()).unwrap_or_default(),
        ]
    };
    params.iter().map(row).collect()
}

/// Shows what is hidden, or hides it again.
pub(super) fn reveal(session: &mut Session) -> Result<(), Error> {
    session.revealed = !session.revealed;
    session.tree.clear();
    session.note(if session.revealed {
        "hidden things are shown from now on; `:reveal` hides them again"
    } else {
        "hidden things are hidden again"
    });
    Ok(())
}
