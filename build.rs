//! Tells Cargo to embed the rules folders again when anything under `rules/` changes.

fn main() {
    // `include_dir!` tracks the files it found, not the ones that come after.
    println!("cargo::rerun-if-changed=rules");
}
