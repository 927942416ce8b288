//! Finds rules folders and reads their files. Nothing here knows Rhai, and nothing here knows a
//! conflict system by name.

mod campaign;
mod cases;
mod document;
mod file_text;
mod find;
mod folder;
mod params;
mod scenario;
mod write;

pub(crate) use campaign::{CAMPAIGN, script_of};
pub use cases::{Answers, CaseFile};
pub(crate) use cases::{Case, Expect, ExpectedQuestion, OutcomeDifference, differences};
pub(crate) use document::{ChangedEntries, Document, DocumentEntry, DocumentTable, below};
pub use file_text::{FileText, HUMAN};
pub(crate) use file_text::{
    PROGRAM, REFUSED_PROGRAM, SOLVED, bytes, names_program, own, refuse_path_behind, unmarked,
    with_path,
};
pub use find::Catalog;
pub use folder::{FileKind, Folder};
pub(crate) use params::{ParamSpec, SETUP, parse_argument, parse_value};
pub use params::{ParamSpecs, Setting};
pub use scenario::Scenario;
pub(crate) use scenario::{Campaign, Chapter, give, is_script_path};
