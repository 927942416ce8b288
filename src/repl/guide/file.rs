//! Completes the paths of files and folders.

use super::complete::Candidate;

/// The most entries that are read of a folder.
const MOST: usize = 2_000;

/// The files and folders whose paths begin so, sorted; a folder ends in `/`. Hidden ones are
/// included only if a dot was typed.
pub(super) fn beginning(typed: &str) -> Vec<Candidate> {
    let (folder, name) = match typed.rfind('/') {
        Some(at) => typed.split_at(at + 1),
        None => ("", typed),
    };
    let Ok(entries) = std::fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.flatten().take(MOST) {
        let Ok(file) = entry.file_name().into_string() else { continue };
        if !file.starts_with(name) || (file.starts_with('.') && !name.starts_with('.')) {
            continue;
        }
        let end = if entry.path().is_dir() { "/" } else { "" };
        let shown = format!("{file}{end}");
        let text = format!("{folder}{shown}");
        found.push(Candidate { text, shown, note: String::new() });
    }
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found
}
