//! Tests that a change of what decides how games end changes the digest that files of results note.

#[path = "../build.rs"]
#[allow(dead_code)]
mod script;

use std::fs;
use std::path::Path;

#[test]
fn another_source_of_an_agent_is_another_build_and_another_command_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("Cargo.lock", "rhai 1");
    write("src/agents/greedy.rs", "a\n");
    write("src/cli/odds.rs", "a");
    let digest = || script::digest(folder.path());
    let first = digest();
    write("src/cli/odds.rs", "b");
    write("src/main.rs", "b");
    // The end of a line is a matter of the system.
    write("src/agents/greedy.rs", "a\r\n");
    assert_eq!(digest(), first);
    let mut seen = vec![first];
    for (path, text) in [
        ("src/agents/greedy.rs", "b\n"),
        ("src/agents/new.rs", ""),
        ("src/graph/cli/deep.rs", ""),
        ("src/lib.rs", ""),
        ("Cargo.lock", "rhai 2"),
    ] {
        write(path, text);
        assert!(!seen.contains(&digest()), "{path}");
        seen.push(digest());
    }
}

#[test]
fn this_build_notes_the_digest_of_these_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = "scenarios = [\"war_die/ford\"]\nagents = [\"random\", \"first\"]\nformat = \"round_robin\"\n";
    let text = fracas::catalog::FileText { path: "cup.toml".into(), text: spec.into() };
    let spec = fracas::tournament::Spec::parse(text).unwrap();
    let catalog = fracas::catalog::Catalog::new(&["rules".into()]).unwrap();
    let limits = fracas::script::Limits::default();
    let opening = fracas::tournament::Opening::new(&catalog, &limits);
    let arena = fracas::tournament::Arena::open(&spec, &opening).unwrap();
    let expected = format!("{}+{:016x}", env!("CARGO_PKG_VERSION"), script::digest(root));
    assert_eq!(arena.conditions().version, expected);
}
