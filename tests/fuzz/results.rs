//! The target for files of results: bytes of a file of ours are changed, or values in its tables.

use std::path::Path;
use std::process::Command;

use fracas::tournament::results::{json, missing, replay};
use fracas::tournament::{Results, Standings};

use super::files::told;
use crate::target;

/// A small tournament, played by the program.
fn made() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let fracas = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fracas"));
        let ran = command
            .args(words)
            .current_dir(folder.path())
            .env("FRACAS_CONFIG", "")
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    let spec = "scenarios = [\"tic_tac_toe/empty\"]\nagents = [\"first\", \"random\"]\nformat = \"round_robin\"\n\
                games = 6\nexact = false\n";
    fracas(&["new", "duel"]);
    std::fs::write(
        folder.path().join("cup.toml"),
        spec.replace("tic_tac_toe/empty", "duel/one_round"),
    )
    .unwrap();
    fracas(&["tournament", "cup.toml", "--quiet"]);
    vec![std::fs::read(folder.path().join("cup.db")).unwrap()]
}

const COLUMNS: [&str; 23] = [
    "meta.value",
    "meta.key",
    "seatings.id",
    "seatings.key",
    "seatings.scenario",
    "seatings.seats",
    "seatings.agents",
    "seatings.seed",
    "seatings.command",
    "seatings.holds",
    "endings.id",
    "endings.result",
    "endings.utility",
    "plays.id",
    "plays.ending",
    "plays.questions",
    "plays.forfeit",
    "exact.seating",
    "exact.bound",
    "exact.ends",
    "sums.seating",
    "sums.rows",
    "sums.sum",
];
const VALUES: [&str; 16] = [
    "NULL",
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "1.5",
    "''",
    "'[]'",
    "'[1e999]'",
    "'{\"ends\": []}'",
    "x'ff00'",
    "zeroblob(70000)",
    "'null'",
    "'[[[[[[[['",
    "id * 3",
    "rowid",
];

/// Reads all that a command reads.
fn read(path: &Path) -> bool {
    let Some(mut results) = told(Results::read(path)) else { return false };
    let spec = results.spec().clone();
    let mut out = Vec::new();
    told(json(&spec, &mut results, &mut out, path));
    told(missing(&spec, &mut results));
    let Some(course) = told(replay(&spec, &mut results, |_, _, _| Ok(()))) else { return false };
    let standings = Standings::of(&course);
    serde_json::to_string(&standings).is_ok()
}

target!(results, made(), {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = (folder.path().join("cup.db"), made().remove(0));
    move |bytes: &[u8]| {
        let _folder = &folder;
        let number = bytes.iter().fold(0, |all: u64, byte| all.wrapping_mul(31) ^ u64::from(*byte));
        let number = (number >> 8) as usize;
        // Few changes of bytes come past the checksums: as often, they choose what is put into the tables.
        if number.is_multiple_of(2) || bytes == whole {
            std::fs::write(&path, bytes).unwrap();
            return read(&path);
        }
        std::fs::write(&path, &whole).unwrap();
        let number = number / 2;
        let (table, column) = COLUMNS[number % COLUMNS.len()].split_once('.').unwrap();
        let value = VALUES[number / COLUMNS.len() % VALUES.len()];
        let connection = rusqlite::Connection::open(&path).unwrap();
        // What a table refuses, nobody can put there.
        let _ = connection.execute(&format!("UPDATE {table} SET {column} = {value}"), []);
        drop(connection);
        read(&path)
    }
});
