//! The paths of a person's own files on this platform: settings, `init.rhai`, the history of lines.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::catalog::FileText;
use crate::error::Error;

/// The variable that names another folder in place of the platform's; if empty, there is none.
const VARIABLE: &str = "FRACAS_CONFIG";

/// The folder of a person's own settings, if there is one; it need not exist.
pub(crate) fn config_folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(named)).filter(|folder| !folder.as_os_str().is_empty());
    }
    let places = etcetera::choose_base_strategy().ok()?;
    Some(places.config_dir().join("fracas"))
}

/// The person's own script that is run before the first line, if there is one.
pub(crate) fn init_file() -> Result<Option<FileText>, Error> {
    let file = config_folder().map(|folder| folder.join("init.rhai"));
    file.filter(|file| file.is_file()).map(|file| FileText::read(&file)).transpose()
}

/// `fracas` in the folder in which the platform keeps the state of programs.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let places = etcetera::choose_base_strategy().ok()?;
    let folder = places.state_dir().unwrap_or_else(|| places.data_dir());
    Some(folder.join("fracas"))
}

pub(crate) fn history_file() -> Option<PathBuf> {
    state_folder().map(|folder| folder.join("history"))
}

/// `fracas/unsaved` in that folder, where conflicts are kept that were not saved.
pub(crate) fn unsaved_folder() -> Option<PathBuf> {
    state_folder().map(|folder| folder.join("unsaved"))
}

/// `fracas/check` in that folder, where `fracas check` keeps what leads to its findings; none for who has no settings.
pub(crate) fn check_folder() -> Option<PathBuf> {
    config_folder()?;
    state_folder().map(|folder| folder.join("check"))
}

/// The text of `:help config`.
pub(crate) fn explained() -> String {
    let folder = match config_folder() {
        Some(folder) => format!("`{}`", folder.display()),
        None => "a folder for settings, which is not named here".to_owned(),
    };
    let kept = match state_folder() {
        Some(folder) => format!("`{}`", folder.display()),
        None => "no folder, for none is named here".to_owned(),
    };
    format!(
        "Two files are read from {folder}; neither has to be there.\n{FILES}\n\nWritten to {kept}: {VARIABLES}"
    )
}

const FILES: &str = r#"`config.toml` has your settings; the command line overrides it:
  color = "auto"         # or "always", "never"
  plain = true           # no boxes, no redraw, no spinner
  quiet = true           # only data and errors
  threads = 2
  graph_memory = "2G"
  rules = ["my_rules"]   # folders of rules folders, named from the folder of this file
`init.rhai` is run before the first line of a prompt at a terminal: what it defines is there in every session.
`FRACAS_CONFIG=FOLDER` names another folder; an empty one reads nothing."#;

const VARIABLES: &str = r#"the lines that were typed (`history`), conflicts that were not saved (`unsaved`), what leads
to findings of `check` (`check`). `XDG_STATE_HOME` names the folder that this one is in.
`VISUAL`, else `EDITOR`, is the editor; `PAGER` shows what is longer than the window, an empty one nothing does.
`NO_COLOR=1` takes away colours, `ACCESSIBLE=1` boxes and redraw; `COLUMNS` is the width."#;
