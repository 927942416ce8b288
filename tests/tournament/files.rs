//! Tests files of results that cannot be used: the error is clear, and the file stays whole.

use std::fs;

use fracas::tournament::results::{csv, json, merge};

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
         `title` is new, with \"x\""
    );
    let mut changed = conditions(&own);
    changed.scripts = [("rules.rhai", "01"), ("house/x.rhai", "02")]
        .map(|(name, digest)| (name.to_owned(), digest.to_owned()))
        .into_iter()
        .collect();
    changed.scenarios = vec!["ford 2".to_owned(), "hill 2".to_owned()];
    let differs = |error: Error| error.to_string().split_once("tournament: ").unwrap().1.to_owned();
    let error = Results::open(&path, &own, &changed, None).err().unwrap();
    assert_eq!((error.kind(), error.exit_code()), ("results", 2));
    assert_eq!(differs(error), "`rules.rhai` has changed; `house/x.rhai` is new");
    let newer = Conditions { version: "2.0".into(), ..conditions(&own) };
    let error = Results::open(&path, &own, &newer, None).err().unwrap();
    assert_eq!(differs(error), "fracas was 1.0, is 2.0");
    let shard = Some("2/3".parse().unwrap());
    let error = Results::open(&path, &own, &conditions(&own), shard).err().unwrap();
    assert!(error.to_string().ends_with("it was the whole, is shard 2/3"), "{error}");
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
fn results_leave_as_csv_and_json() {
    let spec = spec(
        "scenarios = [\"ford\"]\nagents = [\"a\", \"=b, \\\"c\\\"\"]\nformat = \"round_robin\"\ngames = 4\n",
    );
    let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    play(&spec, &mut results, &QUICK, 1, None);
    let (mut table, mut list) = (Vec::new(), Vec::new());
    csv(&spec, &mut results, &mut table, Path::new("a.csv")).unwrap();
    json(&spec, &mut results, &mut list, Path::new("a.json")).unwrap();
    let table = String::from_utf8(table).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    // Four games of two seats each.
    assert_eq!(lines.len(), 1 + 4 * 2);
    assert_eq!(
        lines[0],
        "game,scenario,nth,seed,seat,agent,utility,result,questions,forfeit,command"
    );
    let seed =
        |agents: [usize; 2]| spec.first_seed(&Lineup { scenario: 0, agents: agents.to_vec() });
    let rows = [
        format!("0,ford,0,{},seat0,a,", seed([0, 1])),
        format!("0,ford,0,{},seat1,\"'=b, \"\"c\"\"\",", seed([0, 1])),
        format!("1,ford,0,{},seat0,\"'=b, \"\"c\"\"\",", seed([1, 0])),
        format!("1,ford,0,{},seat1,a,", seed([1, 0])),
        // The same sit there for the second time.
        format!("2,ford,1,{},seat0,a,", seed([0, 1]) + 1),
    ];
    for (line, row) in lines[1..].iter().zip(rows) {
        assert!(line.starts_with(&row), "{line} {row}");
    }
    let list: Vec<serde_json::Value> = serde_json::from_slice(&list).unwrap();
    assert_eq!(list.len(), 4);
    assert_eq!(list[1]["seats"]["seat1"], "a");
    assert!(list[1]["utility"]["seat0"].is_number());
}
