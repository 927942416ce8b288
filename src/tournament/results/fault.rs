//! The reasons why a file of results cannot be used, in a person's words.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::error::Error;

pub(super) fn of(action: &'static str, path: &Path, error: &rusqlite::Error) -> Error {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full; what was written before is kept",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program has it open to write; wait for it, or name another file with `--out`"
        }
        Some(ErrorCode::ReadOnly) => "it is read-only",
        Some(ErrorCode::CannotOpen) => "it, or its folder, cannot be written",
        Some(ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied) => {
            "permission denied"
        }
        Some(ErrorCode::OutOfMemory) => "there is no memory left",
        Some(ErrorCode::TooBig) => {
            "a text in it is longer than 16 MiB, the most that a file of results has"
        }
        Some(ErrorCode::NotADatabase) => NO_RESULTS,
        Some(ErrorCode::SystemIoFailure) if action == "read" => "the disk fails",
        Some(ErrorCode::SystemIoFailure) => "the disk fails; what was written before is kept",
        // All else that a file of ours cannot give rise to: tables, columns and values are not as they were written.
        _ => return damaged(path),
    };
    Error::file(action, path, reason)
}

pub(super) fn read(path: &Path) -> impl Fn(rusqlite::Error) -> Error + Copy + '_ {
    |error| of("read", path, &error)
}

pub(super) fn write(path: &Path) -> impl Fn(rusqlite::Error) -> Error + Copy + '_ {
    |error| of("write", path, &error)
}

pub(super) fn damaged(path: &Path) -> Error {
    Error::file(
        "read",
        path,
        "it is damaged: something in it is not as it was written; restore a copy of it, or move it \
         away and play again",
    )
}

pub(super) const IS_READ: &str =
    "another program is reading it; end that program, or name another file with `--out`";

pub(super) const NO_RESULTS: &str = "it is not a file of results; it was left as it is";
