//! The command `:case`: writes the open line of play as a case.

use std::path::PathBuf;

use super::house::create;
use crate::cases;
use crate::catalog::{FileKind, ParamSpecs};
use crate::conflict::{CaseEnd, Play, Position};
use crate::error::Error;
use crate::game::Value;
use crate::repl::{Reply, Session};

pub(super) fn case(session: &mut Session, name: &str, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    let (file, title) = place(play, name);
    let conflict = &play.conflict;
    let campaign = conflict.scenario.campaign.is_some().then(|| {
        let name = &conflict.scenario.name;
        name.rsplit_once('/').map_or(&name[..], |(_, name)| name)
    });
    let specs = ParamSpecs::read(conflict.folder.params()?.as_ref())?;
    let mut params = conflict.rules.params().clone();
    let is_default =
        |name: &String, value: &Value| specs.get(name).is_some_and(|spec| spec.default == *value);
    // Each conflict of a campaign has parameters of its own, which its file sets.
    // A house rule may set a parameter, which its default then undoes.
    let kept = !conflict.rules.house().is_empty();
    params.retain(|name, value| campaign.is_none() && (kept || !is_default(name, value)));
    let asked = match play.position() {
        Position::Asked(moment) => moment.asked.first(),
        Position::Over { .. } => None,
    };
    let events = play.events().iter().map(|heard| &heard.text[..]).collect();
    let text = play.saved().to_case(&title, &params, campaign, &CaseEnd { events, asked })?;
    session.mark_files();
    create(&file, &text)?;
    let shown = file.display();
    reply.note(format!("written to `{shown}`; cut it to what it shows"));
    let over = session.catalog.over(&file);
    for file in cases::find(&over, std::slice::from_ref(&file))? {
        let ran = cases::run_file(&over, &file, &session.options.limits)?;
        ran.failures.iter().for_each(|failure| reply.note(failure.as_text()));
    }
    Ok(())
}

/// The file of a case, and its title.
fn place(play: &Play, name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(name);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().replace('_', " "));
    let title = stem.unwrap_or_else(|| name.to_owned());
    let file = format!("{name}.toml");
    match play.conflict.folder.disk_path() {
        _ if path.extension().is_some_and(|end| end == "toml") => (path, title),
        Some(home) => (home.join(FileKind::Case.folder()).join(file), title),
        None => (PathBuf::from(file), title),
    }
}
