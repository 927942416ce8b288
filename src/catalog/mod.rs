//! Finds rules folders and reads their files. Nothing here knows Rhai, and nothing here knows a
//! conflict system by name.

mod campaign;
mod cases;
mod confined_paths;
mod document;
mod document_table;
mod expected_outcome;
mod file_text;
mod find;
mod folder;
mod param_spec;
mod params;
mod scenario;
mod write;

pub(crate) use campaign::{CAMPAIGN, script_of};
pub use cases::{Answers, CaseFile};
pub(crate) use cases::{Case, Expect, ExpectedQuestion};
pub use confined_paths::HUMAN;
pub(crate) use confined_paths::{
    PROGRAM, REFUSED_PROGRAM, SOLVED, names_program, own, refuse_path_behind, with_path,
};
pub(crate) use document::{Document, DocumentEntry};
pub(crate) use document_table::DocumentTable;
pub(crate) use expected_outcome::compare;
pub use file_text::FileText;
pub(crate) use file_text::bytes;
pub use find::Catalog;
pub use folder::{FileKind, Folder};
pub(crate) use param_spec::ParamSpec;
pub use params::{ParamSpecs, Setting};
pub(crate) use params::{SETUP, parse_argument, parse_value};
pub use scenario::Scenario;
pub(crate) use scenario::{Campaign, Chapter, give, is_script_path};
