//! The command `:case`: writes the open line of play as a case.

use std::path::PathBuf;

use indexmap::IndexMap;

use super::house::create;
use crate::cases;
use crate::catalog::FileKind;
use crate::conflict::{CaseEnd, Play, Position};
use crate::error::Error;
use crate::repl::{Reply, Session};

pub(super) fn case(session: &mut Session, name: &str, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    let (file, title) = place(play, FileKind::Case, name)?;
    let conflict = &play.conflict;
    let campaign = conflict.scenario.campaign.is_some().then(|| {
        let name = &conflict.scenario.name;
        name.rsplit_once('/').map_or(&name[..], |(_, name)| name)
    });
    // Each conflict of a campaign has parameters of its own, which its file sets.
    let params = match campaign {
        Some(_) => IndexMap::new(),
        None => play.set_params()?,
    };
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
