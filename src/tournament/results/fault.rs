//! Why could a file of results not be used? SQLite's reasons in a person's words.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::error::Error;

/// The error of a file.
pub(super) fn of(action: &'static str, path: &Path, error: &rusqlite::Error) -> Error {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full; what was written before is kept".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program has it open".to_owned()
        }
        Some(ErrorCode::ReadOnly) => "it is read-only".to_owned(),
        Some(ErrorCode::CannotOpen) => "it, or its folder, cannot be written".to_owned(),
        Some(ErrorCode::NotADatabase) => NO_RESULTS.to_owned(),
        Some(ErrorCode::DatabaseCorrupt) => "it is damaged".to_owned(),
        Some(ErrorCode::SystemIoFailure) if action == "read" => format!("the disk fails ({error})"),
        Some(ErrorCode::SystemIoFailure) => {
            format!("the disk fails; what was written before is kept ({error})")
        }
        _ => error.to_string(),
    };
    Error::file(action, path, reason)
}

/// What is said of a file that is something else.
pub(super) const NO_RESULTS: &str = "it is no file of results; it was left as it is";
