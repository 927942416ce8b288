//! Files of strangers do no harm: they reach no other file, and what they make the program hold is bounded.

use super::run::fracas;
#[cfg(unix)]
use super::run::limited;
use super::scratch::Scratch;

/// Rules in which red picks once, with a step of so many statements before that.
fn rules(statements: &str) -> String {
    format!(
        "//! # X\nfn setup(s) {{ #{{ done: false }} }}\n\
         fn step() {{ {statements} this.choose(\"red\", \"pick\", [1, 2]); this.done = true; }}\n\
         fn outcome() {{ if this.done {{ #{{ result: \"end\", utility: #{{ red: 1 }} }} }} }}\n"
    )
}

/// A system `x` with these rules, and a scenario `x/one` with these lines.
fn system(rules: &str, scenario: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("rules/x/rules.rhai", rules);
    scratch.write("rules/x/scenarios/one.toml", format!("system = \"x\"\n{scenario}[setup]\n"));
    scratch
}

#[test]
fn a_scenario_names_files_in_its_own_folder_alone() {
    let secret = Scratch::empty();
    secret.write("s.rhai", "topsecret = [\n");
    let outside = secret.file("s.rhai").display().to_string();
    let solved = format!("solved({outside})");
    for word in [outside.as_str(), solved.as_str(), "../../../s.rhai", "solved(/dev/zero)"] {
        for line in [format!("seats.red = \"{word}\"\n"), format!("house = [\"{word}\"]\n")] {
            let scratch = system(&rules(""), &line);
            let ran = fracas("play x/one").inside(scratch.path()).run();
            let ran = ran.exits(2).says("names a file outside of this file's folder");
            assert!(!ran.stderr.contains("topsecret"), "{ran:?}");
        }
    }
    // What a person names may be anywhere.
    let scratch = system(&rules(""), "");
    fracas(&format!("play x/one --house {outside}")).inside(scratch.path()).run().says("topsecret");
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_a_folder_are_not_read() {
    use std::os::unix::fs::symlink;
    let secret = Scratch::empty();
    secret.write("s", "topsecret = [\n");
    for link in ["rules/x/more.rhai", "rules/x/params.toml", "rules/x/house/h.rhai"] {
        let scratch = system(&rules(""), "");
        std::fs::create_dir_all(scratch.file(link).parent().unwrap()).unwrap();
        symlink(secret.file("s"), scratch.file(link)).unwrap();
        let house = if link.contains("house") { "--house h" } else { "" };
        let ran = fracas(&format!("play x/one {house}")).inside(scratch.path()).run();
        let ran = ran.exits(2).says("it is a link that leads out of its folder");
        assert!(!ran.stderr.contains("topsecret"), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_makes_the_compiler_work_for_long_is_refused() {
    let too_much = "more than 512 KiB of source in all files together";
    // 200 files of 60 KB.
    let scratch = system(&rules(""), "");
    for number in 0..200 {
        let adds = "x += 1;".repeat(8_500);
        scratch.write(
            &format!("rules/x/part{number}.rhai"),
            format!("fn f{number}() {{ let x = 1; {adds} }}"),
        );
    }
    limited("play x/one", 20, 4_000).inside(scratch.path()).run().exits(1).says(too_much);
    // The same 40 KB imported 300 times.
    let imports: String = (0..300).map(|number| format!("import \"y\" as y{number};\n")).collect();
    let scratch = system(&format!("{imports}{}", rules("")), "");
    scratch
        .write("rules/y/rules.rhai", format!("{}fn b() {{ {} }}", rules(""), "{}".repeat(20_000)));
    limited("play x/one", 20, 4_000).inside(scratch.path()).run().exits(1).says(too_much);
}

#[cfg(unix)]
#[test]
fn a_large_value_in_many_places_is_refused_before_it_is_copied() {
    for statements in [
        "let m = #{}; for i in 0..4900 { m[`k${i}`] = i; } let l = []; l.pad(9900, m);",
        "let a = []; a.pad(9900, 0); let b = []; b.pad(9900, a); this.b = b;",
        "let s = \"x\"; s.pad(250000, \"y\"); let a = []; a.pad(9900, s); this.a = `${a}`;",
    ] {
        let scratch = system(&rules(statements), "");
        for command in ["play", "odds", "solve", "estimate -n 2"] {
            let ran = limited(&format!("{command} x/one --threads 1"), 20, 1_500);
            ran.inside(scratch.path()).run().exits(1).says("grew too large");
        }
    }
}

#[test]
fn where_nobody_gets_anything_there_is_nothing_to_solve() {
    for step in ["", "if this.roll(\"chance\", \"r\", dice(\"1d20\")) > 1 { return; }"] {
        let rules = format!(
            "//! # X\nfn setup(s) {{ #{{ done: false }} }}\nfn step() {{ {step} this.done = true; }}\n\
             fn outcome() {{ if this.done {{ #{{ result: \"\", utility: #{{}} }} }} }}\n"
        );
        let scratch = system(&rules, "");
        for options in ["", "--exact"] {
            let ran = fracas(&format!("solve x/one {options}")).inside(scratch.path()).run();
            ran.succeeds().prints("nobody decides");
        }
    }
}

#[test]
fn which_pairings_are_computed_does_not_depend_on_the_memory() {
    let scratch = Scratch::with_duel();
    scratch.write(
        "cup.toml",
        "scenarios = [\"duel/three_rounds\"]\nagents = [\"first\", \"random\", \"highest\"]\n\
         format = \"round_robin\"\ngames = 2000\nseed = 3\n",
    );
    let standings = |memory: &str| {
        let _ = std::fs::remove_file(scratch.file("cup.db"));
        let line = format!("tournament cup.toml --json --quiet --graph-memory {memory}");
        fracas(&line).inside(scratch.path()).run().succeeds().json()["standings"].clone()
    };
    let much = standings("64M");
    assert_eq!(much[0]["exact"], true, "{much}");
    assert_eq!(standings("1M"), much);
}

#[test]
fn results_with_other_tables_than_ours_are_refused() {
    let scratch = Scratch::with_duel();
    scratch.write(
        "cup.toml",
        "scenarios = [\"duel/one_round\"]\nagents = [\"first\", \"random\"]\n\
         format = \"round_robin\"\ngames = 4\nexact = false\n",
    );
    let made = fracas("tournament cup.toml --quiet").inside(scratch.path()).run();
    made.succeeds();
    let whole = std::fs::read(scratch.file("cup.db")).unwrap();
    for change in [
        "CREATE TRIGGER t AFTER INSERT ON plays BEGIN DELETE FROM meta; END",
        "ALTER TABLE plays RENAME TO kept; CREATE VIEW plays AS WITH RECURSIVE n(id) AS (SELECT 1 \
         UNION ALL SELECT id + 1 FROM n) SELECT id, 1 AS ending, 1 AS questions, NULL AS forfeit FROM n",
        "CREATE TABLE more (a)",
    ] {
        scratch.write("bad.db", &whole);
        rusqlite::Connection::open(scratch.file("bad.db")).unwrap().execute_batch(change).unwrap();
        for line in [
            "standings bad.db",
            "merge bad.db cup.db --out all.db",
            "tournament cup.toml --out bad.db",
        ] {
            let ran = fracas(&format!("{line} --quiet")).inside(scratch.path()).run();
            ran.exits(2).says("`bad.db`: it is damaged");
        }
    }
}

#[test]
fn a_folder_of_thousands_of_scenarios_is_listed() {
    let scratch = system(&rules(""), "");
    for number in 0..2_000 {
        scratch.write(&format!("rules/x/scenarios/s{number:04}.toml"), "system = \"x\"\n[setup]\n");
    }
    fracas("list x").inside(scratch.path()).run().succeeds().prints("s1998, s1999");
}

#[test]
fn lines_that_are_too_long_or_no_text_are_refused() {
    let endless = "x".repeat((1 << 20) + 1);
    let said = "cannot read `stdin`: a line of it is longer than 1 MiB";
    let scratch = system(&rules(""), "");
    fracas("").inside(scratch.path()).typing(&endless).exits(2).says(said);
    let play = fracas("play x/one --seat red=human").inside(scratch.path());
    play.typing(&endless).exits(2).says(said);
}

#[cfg(target_os = "linux")]
#[test]
fn little_address_space_ends_with_a_message() {
    let scratch = system(&rules(""), "");
    for (line, addresses) in [("play x/one", 300), ("odds x/one --threads 4", 1_000)] {
        let ran = limited(line, 20, addresses).inside(scratch.path()).run();
        ran.exits(1).says("512 MiB of addresses for its stack");
    }
    limited("odds x/one --threads 1", 20, 1_000).inside(scratch.path()).run().succeeds();
}

#[test]
fn weights_of_saved_solutions_have_a_bound() {
    let digits = format!("1/{}", "3".repeat(300_000));
    let scratch = system(&rules(""), "");
    scratch.write(
        "s.json",
        format!(
            "{{\"fracas_solution\": 1, \"system\": \"x\", \"scenario\": \"x/one\", \"identity\": \"i\", \
             \"strategy\": [{{\"key\": \"k\", \"options\": [{{\"weight\": \"{digits}\"}}]}}]}}"
        ),
    );
    let ran = fracas("play x/one --seat red=solved(s.json)").inside(scratch.path()).run();
    ran.exits(2).says("the weights of `k`");
}

#[test]
fn an_agent_that_throws_what_it_sees_tells_nobody() {
    let rules = "//! # X\nfn setup(s) { #{ card: this_card(), done: false } }\n\
        fn this_card() { \"king of spades\" }\n\
        fn step() { this.choose(\"blue\", \"look\", [1, 2]); this.choose(\"red\", \"pick\", [1, 2]); \
        this.done = true; }\n\
        fn view(player) { if player == \"blue\" { this } else { #{ card: \"?\", done: this.done } } }\n\
        fn outcome() { if this.done { #{ result: \"end\", utility: #{ red: 1, blue: 0 } } } }\n";
    let scratch = system(rules, "");
    scratch.write("rules/x/agents/sly.rhai", "fn decide(view, decision) { throw view.card; }\n");
    let seats = "--seat red=human --seat blue=sly";
    let shell = fracas(&format!("play x/one {seats}")).inside(scratch.path()).typing("1\n");
    let prompt =
        fracas("").inside(scratch.path()).typing(&format!(":open x/one {seats}\n:play\n1\n"));
    for ran in [shell, prompt] {
        assert!(!format!("{ran:?}").contains("spades"), "{ran:?}");
        ran.says("agent `sly` fails");
    }
    // Nobody plays: all is shown.
    fracas("play x/one --seat blue=sly").inside(scratch.path()).run().exits(1).says("spades");
}
