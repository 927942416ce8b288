//! The commands that show the open conflict, as far as the person who looks may see it: `:state`,
//! `:view`, `:picture`, `:options`, `:events`, `:params`, `:reveal`.

use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;

use crate::catalog::ParamSpecs;
use crate::commands::{in_setup, write_drawing};
use crate::conflict::{Changes, Position, RuleChanges};
use crate::error::Error;
use crate::game::{Value, Wording};
use crate::lab::LineResult;
use crate::repl::{Session, Viewer, question};
use crate::report::{self, Block, Report};

pub(super) fn state(session: &mut Session) -> Result<(), Error> {
    let seen = session.viewer()?.state(session.open()?)?;
    session.shown(&LineResult::Value(seen)).into_iter().for_each(|text| session.data(text));
    if let Position::Over { outcome, .. } = session.open()?.position()
        && !session.options.json
    {
        let rest = report::outcome_rest(outcome);
        if !rest.is_empty() {
            session.data(format!(
                "besides the result, the outcome has\n{}",
                report::indented(&rest, 2)
            ));
        }
    }
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
    session.shown(&LineResult::Value(seen)).into_iter().for_each(|text| session.data(text));
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

/// Changes values of the setup.
pub(super) fn set(session: &mut Session, words: &[String]) -> Result<(), Error> {
    change(session, &in_setup(words))
}

/// Plays the open conflict again with other values.
fn change(session: &mut Session, settings: &[String]) -> Result<(), Error> {
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
    // A campaign has none of its own; the rules of its conflicts have some, each under other house rules.
    let imports = &conflict.blueprint.base.imports;
    let of_campaign = conflict.scenario.campaign.is_some();
    if session.options.json && words.is_empty() {
        let each = imports.iter().map(|import| (&import.name, &import.params));
        session.show(&match of_campaign {
            true => Report::of(each.collect::<IndexMap<_, _>>(), Vec::new()),
            false => Report::of(conflict.rules.params(), Vec::new()),
        });
        return Ok(());
    }
    let (mut rows, mut header) =
        (Vec::new(), vec!["parameter", "value", "default", "may be", "meaning"]);
    if of_campaign {
        header.insert(0, "rules");
        for import in imports {
            let specs =
                ParamSpecs::read(session.catalog.folder(&import.layer.name)?.params()?.as_ref())?;
            for mut row in described(&import.params, &specs) {
                row.insert(0, import.name.clone());
                rows.push(row);
            }
        }
    } else {
        rows = described(
            conflict.rules.params(),
            &ParamSpecs::read(conflict.folder.params()?.as_ref())?,
        );
    }
    if rows.is_empty() {
        session.note("these rules have no parameters");
        return Ok(());
    }
    if !words.is_empty() {
        let name = usize::from(of_campaign);
        if let Some(word) = words.iter().find(|word| rows.iter().all(|row| row[name] != **word)) {
            let names = rows.iter().map(|row| row[name].as_str());
            return Err(Error::unknown("parameter", word, names));
        }
        rows.retain(|row| words.contains(&row[name]));
    }
    let (width, plain) = (session.options.width, session.options.plain);
    session.data(report::text(&[Block::table(header, rows)], width, plain));
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
