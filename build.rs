//! When must the embedded rules folders be read again? Whenever anything under `rules/` changes.

fn main() {
    // `include_dir!` tracks the files it found, not the ones that come after.
    println!("cargo::rerun-if-changed=rules");
}
