//! Tests files of results that cannot be used: the error is clear, and the file stays whole.

use std::fs;

use fracas::tournament::results::{json, merge};

use super::*;

fn refused(path: &Path, spec: &Spec) -> String {
    match Results::open(path, spec, &conditions(spec), None) {
        Ok(_) => panic!("{} was taken", path.display()),
        Err(error) => error.to_string().replace(&path.display().to_string(), "FILE"),
    }
}

#[test]
fn files_of_other_programs_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(EVEN);
    let path = folder.path().join("a.db");
    for bytes in [&b"a letter to a friend"[..], b"SQLite format 3\0", &[0; 4096]] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(
            refused(&path, &spec),
            "cannot write `FILE`: it is not a file of results; it was left as it is"
        );
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    fs::remove_file(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup');")
        .unwrap();
    other.close().unwrap();
    let before = fs::read(&path).unwrap();
    assert!(refused(&path, &spec).ends_with("it is not a file of results; it was left as it is"));
    assert!(Results::read(&path).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn places_that_cannot_be_written_are_named_with_the_reason() {
    let spec = spec(EVEN);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        refused(&folder.path().join("none/a.db"), &spec),
        "cannot write `FILE`: no such file or directory"
    );
    assert_eq!(refused(folder.path(), &spec), "cannot write `FILE`: is a directory");
    #[cfg(target_os = "linux")]
    assert!(refused(Path::new("/proc/a.db"), &spec).starts_with("cannot write `FILE`: "));
    #[cfg(target_os = "linux")]
    assert!(
        refused(Path::new("/dev/null"), &spec)
            .ends_with("not a file of results; it was left as it is")
    );
    // Where permissions bind, which they do not for everybody.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let closed = folder.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
        if fs::write(closed.join("probe"), "").is_err() {
            assert_eq!(
                refused(&closed.join("a.db"), &spec),
                "cannot write `FILE`: permission denied"
            );
        }
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn parts_are_read_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let spec = spec(EVEN);
    let folder = tempfile::tempdir().unwrap();
    // A name that means something in an address of SQLite.
    let closed = folder.path().join("100%41 or #1?mode=rw");
    fs::create_dir(&closed).unwrap();
    let path = closed.join("a.db");
    let mut results = open(&path, &spec);
    play(&spec, &mut results, &QUICK, 1, None);
    results.close().unwrap();
    let may = |mode| fs::Permissions::from_mode(mode);
    fs::set_permissions(&path, may(0o444)).unwrap();
    fs::set_permissions(&closed, may(0o555)).unwrap();
    assert_eq!(standings(&path, &spec), undisturbed(&spec));
    // Where permissions bind, which they do not for everybody.
    if fs::write(closed.join("probe"), "").is_err() {
        let error = merge(std::slice::from_ref(&path), &closed.join("all.db")).unwrap_err();
        assert!(error.to_string().ends_with("all.db`: permission denied"), "{error}");
    }
    fs::set_permissions(&closed, may(0o755)).unwrap();
}

#[test]
fn another_tournament_is_refused_with_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let own = spec(EVEN);
    let mut results = open(&path, &own);
    play(&own, &mut results, &QUICK, 1, Some(10));
    results.close().unwrap();
    let before = standings(&path, &own);
    let other = spec(
        &EVEN.replace("games = 150", "games = 200").replace("seed = 3", "seed = 4\ntitle = \"x\""),
    );
    assert_eq!(
        refused(&path, &other),
        "`FILE` holds the results of another tournament: `games` was 150, is 200; `seed` was 3, is 4; \
         `title` is new, with \"x\"; name another file with `--out`"
    );
    let shard = Some("2/3".parse().unwrap());
    let error = Results::open(&path, &own, &conditions(&own), shard).err().unwrap();
    assert!(error.to_string().contains("it was the whole, is shard 2/3; name"), "{error}");
    assert_eq!(standings(&path, &own), before);
}

#[test]
fn one_program_at_a_time_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let spec = spec(EVEN);
    let results = open(&path, &spec);
    assert_eq!(
        refused(&path, &spec),
        "cannot write `FILE`: another program has it open to write; wait for it, or name another file with \
         `--out`"
    );
    results.close().unwrap();
    // Once closed, one file is all there is, and it can be had again.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    open(&path, &spec);
}

#[test]
fn edited_rules_agents_and_another_build_play_again_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    // Three pairings of 150 games in each of two scenarios.
    let own = spec(EVEN);
    let played = |conditions: &Conditions| {
        let mut results = Results::open(&path, &own, conditions, None).unwrap();
        let said = results.beginning().unwrap().unwrap_or_default();
        let interrupt = AtomicBool::new(false);
        let running = Running { threads: 2, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
        let played = run(&own, conditions, &QUICK, &mut results, running).unwrap().played;
        results.close().unwrap();
        (played, said.replace(&path.display().to_string(), "FILE"))
    };
    let first = conditions(&own);
    assert_eq!(played(&first), (900, String::new()));
    let mut scripts = first.scripts.clone();
    scripts.insert("rules.rhai".to_owned(), "01".to_owned());
    let apart = "to keep the old ones apart, name another file with `--out`";
    // All rules, of all scenarios: once they were refused.
    let edited = Conditions {
        scripts: scripts.clone(),
        scenarios: vec!["ford 2".into(), "hill 2".into()],
        ..first.clone()
    };
    let said = format!(
        "`FILE` has 0 games that still count (`rules.rhai` has changed); to be done again: \
         450 games of `ford`, 450 games of `hill`; {apart}"
    );
    assert_eq!(played(&edited), (900, said));
    // Those of one scenario.
    scripts.insert("hill.toml".to_owned(), "01".to_owned());
    let hill = Conditions { scripts, scenarios: vec!["ford 2".into(), "hill 3".into()], ..edited };
    let said = format!(
        "`FILE` has 450 games that still count (`hill.toml` is new); to be done again: \
         450 games of `hill`; {apart}"
    );
    assert_eq!(played(&hill), (450, said));
    // An agent that is another one in both scenarios, and so in two of three pairings.
    let mut agents = hill.agents.clone();
    agents.iter_mut().for_each(|of| of[2] = "2".to_owned());
    let mut scripts = hill.scripts.clone();
    scripts.insert("c.rhai".to_owned(), "01".to_owned());
    let agent = Conditions { agents, scripts, ..hill };
    let said = format!(
        "`FILE` has 300 games that still count (`c.rhai` is new); to be done again: \
         300 games of `ford`, 300 games of `hill`; {apart}"
    );
    assert_eq!(played(&agent), (600, said));
    // Another build of the same version.
    let build = Conditions { version: "1.0+2".into(), ..agent.clone() };
    let said = format!(
        "`FILE` has 0 games that still count (fracas was 1.0, is 1.0+2); to be done again: \
         450 games of `ford`, 450 games of `hill`; {apart}"
    );
    assert_eq!(played(&build), (900, said));
    // The old ones are there still, for the build that played them.
    let said = "`FILE` has 900 games that still count (fracas was 1.0+2, is 1.0); they are not \
                played again";
    assert_eq!(played(&agent), (0, said.to_owned()));
    assert_eq!(standings(&path, &own), undisturbed(&own));
}

#[test]
fn results_leave_as_json() {
    let spec = spec(
        "scenarios = [\"ford\"]\nagents = [\"a\", \"=b, \\\"c\\\"\"]\nformat = \"round_robin\"\ngames = 4\n",
    );
    let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    play(&spec, &mut results, &QUICK, 1, None);
    let mut list = Vec::new();
    json(&spec, &mut results, &mut list, Path::new("a.json")).unwrap();
    let list: Vec<serde_json::Value> = serde_json::from_slice(&list).unwrap();
    assert_eq!(list.len(), 4);
    assert_eq!(list[1]["seats"]["seat1"], "a");
    assert!(list[1]["utility"]["seat0"].is_number());
    // The same sit there for the second time.
    let first = spec.first_seed(&Lineup { scenario: 0, agents: vec![0, 1] });
    assert_eq!([&list[0], &list[2]].map(|game| game["seed"].as_u64().unwrap()), [first, first + 1]);
}

#[test]
fn what_was_computed_leaves_too_and_is_marked() {
    let spec = spec(&EVEN.replace("games = 150", "games = 4"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut results = open(&path, &spec);
    play(&spec, &mut results, &DicePanel { work: 0, exact: true }, 2, None);
    let mut list = Vec::new();
    json(&spec, &mut results, &mut list, Path::new("a.json")).unwrap();
    results.close().unwrap();
    let list: Vec<serde_json::Value> = serde_json::from_slice(&list).unwrap();
    let (played, computed): (Vec<_>, Vec<_>) = list.iter().partition(|it| it["computed"].is_null());
    // c has to play in the second scenario, so it meets a and b four times each in both; a and b sit in
    // two ways in each.
    assert_eq!((played.len(), computed.len()), (16, 4));
    let with_c = |seats: &serde_json::Value| seats["seat0"] == "c" || seats["seat1"] == "c";
    assert!(played.iter().all(|game| with_c(&game["seats"])));
    for pairing in computed {
        assert!(!with_c(&pairing["seats"]));
        // Whoever comes first in the spec wins 3 of 4.
        let first = pairing["seats"]["seat0"].as_str() < pairing["seats"]["seat1"].as_str();
        let ends = pairing["computed"].as_array().unwrap();
        assert_eq!(ends[0]["probability"], if first { 0.75 } else { 0.25 });
        assert_eq!(ends[0]["utility"], serde_json::json!({"seat0": 1.0, "seat1": 0.0}));
    }
    // The view for spreadsheets: 16 games and 8 ends, each in two seats.
    let file = rusqlite::Connection::open(&path).unwrap();
    let count = |of: &str| {
        let select = format!("SELECT count(*) FROM seats WHERE {of}");
        file.query_row(&select, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!(count("probability IS NULL AND game IS NOT NULL"), 32);
    assert_eq!(count("probability IN (0.25, 0.75) AND game IS NULL"), 16);
    assert_eq!(count("1"), 48);
}
