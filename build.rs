//! Tells Cargo to embed the rules folders again when anything under `rules/` changes, and digests the
//! sources that decide how games end.

use std::path::{Path, PathBuf};

fn main() {
    // `include_dir!` tracks the files it found, not the ones that come after.
    for path in ["rules", "src", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rustc-env=FRACAS_SOURCES={:016x}", digest(Path::new(".")));
}

/// The rooms above `tournament`: what they hold uses it and cannot change a game (`tests/structure.rs`).
const ABOVE: [&str; 6] = ["main.rs", "cli", "repl", "arguments", "arguments.rs", "lab"];

/// A digest of all other sources, and of the versions of all dependencies: FNV-1a, 64 bits.
pub fn digest(root: &Path) -> u64 {
    let mut files = vec![root.join("Cargo.lock")];
    list(&root.join("src"), &ABOVE, &mut files);
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for path in &files {
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        // A package may come without its lock file.
        let text = std::fs::read(path).unwrap_or_default();
        // Git may write other ends of lines on other systems.
        let text = text.into_iter().filter(|byte| *byte != b'\r');
        for byte in name.bytes().chain([0]).chain(text).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

/// All files below a folder but those that are left out, in a fixed order.
fn list(folder: &Path, left_out: &[&str], files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if left_out.contains(&&*name) {
            continue;
        }
        match path.is_dir() {
            true => list(&path, &[], files),
            false => files.push(path),
        }
    }
}
