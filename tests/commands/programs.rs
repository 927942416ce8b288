//! Tests of programs in seats: the protocol as its document lays it down, equal results on any number of threads, and
//! each fault, by a real process.

use std::path::Path;
use std::time::{Duration, Instant};

use super::run::{Ran, fracas};
use super::scratch::Scratch;
use super::serve::is_like;
use crate::support::path;

/// A conflict in which both captains pick one of three calls, in secret, four times at most.
const AMBUSH: &str = "skirmish/ambush";

/// A program that says what it is, and then does this for each question, whose number is `$ask` and whose seed `$seed`.
fn program(hello: &str, answer: &str) -> String {
    format!(
        "while IFS= read -r line; do\n  case \"$line\" in\n    *'\"hello\"'*) echo '{{\"hello\":1{hello}}}';;\n    \
         *'\"ask\"'*)\n      ask=${{line#*'\"ask\":'}}; ask=${{ask%%,*}}\n      \
         seed=${{line#*'\"seed\":'}}; seed=${{seed%%,*}}\n      {answer};;\n  esac\ndone\n"
    )
}

/// What a program of this answer picks.
const PICKS_BY_SEED: &str = "echo \"{\\\"ask\\\":$ask,\\\"pick\\\":$((seed % 3))}\"";
const PICKS_FIRST: &str = "echo \"{\\\"ask\\\":$ask,\\\"pick\\\":0}\"";

/// Runs a command on the ambush with this script of `sh` as red.
fn against_first(command: &str, script: &str, options: &str) -> Ran {
    let scratch = Scratch::empty();
    scratch.write("agent.sh", script);
    run_with(&scratch, command, options)
}

fn run_with(scratch: &Scratch, command: &str, options: &str) -> Ran {
    let file = scratch.file("agent.sh");
    let rules = path("scripts/rules");
    let line = format!(
        "--rules {} {command} {AMBUSH} {options} --seat blue=first --seat",
        rules.display()
    );
    // Where a machine is ten times slower, ten seconds are one.
    let agent = format!("red=command(name=mine ms=10000 sh {})", file.display());
    fracas(&line).with(&agent).inside(scratch.path()).run()
}

#[test]
fn the_session_of_the_protocol_is_what_a_program_is_told() {
    let document = std::fs::read_to_string(path("scripts/protocol.md")).unwrap();
    let session =
        document.split("```").filter(|part| part.starts_with("\n$ fracas ")).nth(1).unwrap();
    let mut lines = session.trim().lines();
    let command = lines.next().unwrap().strip_prefix("$ fracas ").unwrap();
    let (told, replies): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("> "));
    let scratch = Scratch::empty();
    let replies: String = replies.iter().map(|line| format!("{}\n", &line[2..])).collect();
    scratch.write("replies", replies);
    scratch.write(
        "agent.sh",
        "cd \"$(dirname \"$0\")\"\nn=0\nwhile IFS= read -r line; do\n  printf '%s\\n' \"$line\" >> told\n  \
         n=$((n+1))\n  sed -n \"${n}p\" replies\ndone\n",
    );
    let agent = scratch.file("agent.sh");
    let command = command.replace("python3 mine.py", &format!("sh {}", agent.display()));
    fracas(&command).inside(&path("")).run().succeeds();
    let found = scratch.read("told");
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found.len(), told.len(), "{found:#?}");
    for (found, told) in found.iter().zip(told) {
        assert!(is_like(found, &told[2..]), "{told}\nis\n{found}");
    }
}

#[test]
fn in_a_campaign_the_parameters_are_those_of_each_conflict() {
    let scratch = Scratch::empty();
    let conflict = "[[conflict]]\nscenario = \"skirmish/ambush\"\n";
    let two = format!("{conflict}{conflict}name = \"dusk\"\nparams = {{ target = 4 }}\n");
    scratch.write("two.toml", two);
    let told = "case \"$line\" in *'\"hello\"'*) printf '%s\\n' \"$line\" > told;; esac\n  case";
    scratch.write("agent.sh", program("", PICKS_FIRST).replacen("case", told, 1));
    let rules = path("scripts/rules");
    let run =
        |line: &str| fracas(&format!("--rules {} {line}", rules.display())).inside(scratch.path());
    run("play two.toml --seat blue=first --seat").with("red=command(sh agent.sh)").run().succeeds();
    let of = |target: u32| serde_json::json!({ "target": target, "field": 4 });
    let params = serde_json::json!({ AMBUSH: of(5), "dusk": of(4) });
    let told: serde_json::Value = serde_json::from_str(&scratch.read("told")).unwrap();
    assert_eq!(told["params"], params);
    let served = run("serve two.toml").typing("{\"do\":\"hello\"}\n").succeeds().json();
    assert_eq!(served["hello"]["params"], params);
}

#[test]
fn a_program_plays_the_same_on_any_number_of_threads_and_in_play() {
    let by_history = "past=$(printf '%s' \"$line\" | grep -o '\"pick\"' | wc -l)\n      \
                      echo \"{\\\"ask\\\":$ask,\\\"pick\\\":$((past % 3))}\"";
    for (hello, answer) in [
        ("", PICKS_BY_SEED),
        (",\"pure\":true", PICKS_BY_SEED),
        (",\"pure\":true", "echo \"{\\\"ask\\\":$ask,\\\"weights\\\":[2,1,0.5]}\""),
        (",\"history\":true", by_history),
    ] {
        let scratch = Scratch::empty();
        scratch.write("agent.sh", program(hello, answer));
        let run = |options: &str| run_with(&scratch, "estimate", options).succeeds().json();
        let [one, two] = ["1", "2"].map(|n| run(&format!("-n 40 --seed 3 --json --threads {n}")));
        assert_eq!(one, two, "{hello} {answer}");
        // The first playout of a seed is the game that `play` plays under it.
        for seed in [3, 4] {
            let first = run(&format!("-n 1 --seed {seed} --json"));
            let played =
                run_with(&scratch, "play", &format!("--seed {seed} --json")).succeeds().json();
            let result = played["outcome"]["result"].as_str().unwrap();
            assert!(first["results"][result].is_object(), "{hello} {answer}: {first} {played}");
        }
    }
}

#[test]
fn odds_of_a_pure_program_are_exact_and_there_are_none_of_another() {
    let odds = |script: &str| against_first("odds", script, "--json").json();
    let first = fracas(&format!(
        "--rules scripts/rules odds {AMBUSH} --seat red=first --seat blue=first --json"
    ));
    let first = first.inside(&path("")).run().succeeds().json();
    assert_eq!(odds(&program(",\"pure\":true", PICKS_FIRST))["results"], first["results"]);
    let not = odds(&program("", PICKS_FIRST));
    assert_eq!(not["exact"], false);
    assert!(not["reason"].as_str().unwrap().contains("does not say that it is pure"), "{not}");
}

#[test]
fn a_portrait_seats_a_program_everywhere_and_leaves_out_what_only_a_pure_one_shows() {
    let picks = program("", PICKS_BY_SEED);
    let ran = against_first("portrait", &picks, "-n 20 --seed 1 --json");
    let json = ran.succeeds().json();
    let measures = json["measures"].as_array().unwrap();
    let names: Vec<&str> = measures.iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(
        names.contains(&"fairness.first_seat") && names.contains(&"length.decisions"),
        "{names:?}"
    );
    assert!(!names.iter().any(|name| name.starts_with("luck.")), "{names:?}");
    let left_out = "drama, luck and what options are worth are left out: an agent does not say that it is pure";
    assert!(json["notes"].to_string().contains(left_out), "{json:#}");
}

/// Whether a process is there.
fn is_there(id: &str) -> bool {
    Path::new("/proc").join(id).join("stat").exists()
        && !std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default().contains(") Z ")
}

#[test]
fn a_program_that_hangs_is_ended_with_all_that_it_began() {
    let scratch = Scratch::empty();
    let answer = "sleep 600 & echo $! > begun; wait";
    scratch.write("agent.sh", program("", answer));
    let agent = format!("red=command(ms=3000 sh {})", scratch.file("agent.sh").display());
    let rules = path("scripts/rules");
    let line = format!("--rules {} play {AMBUSH} --seat blue=first --seat", rules.display());
    let began = Instant::now();
    fracas(&line)
        .with(&agent)
        .inside(scratch.path())
        .run()
        .exits(1)
        .says("did not answer within 3000 ms");
    assert!(began.elapsed() < Duration::from_secs(60));
    if cfg!(target_os = "linux") {
        // What is killed is there until it is next given the processor.
        let id = scratch.read("begun");
        while is_there(id.trim()) {
            assert!(began.elapsed() < Duration::from_secs(60), "{id}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_program_that_errs_is_quoted() {
    let lie = |line: &str| format!("echo '{line}'");
    let one = |answer: &str| program("", answer);
    for (script, said) in [
        (
            one("echo one >&2; echo 'no more' >&2; exit 3"),
            "agent `mine`: ended: exit status: 3; its stderr ends: one | no more",
        ),
        (one("sleep 600 & exit 3"), "agent `mine`: ended: exit status: 3"),
        (one("exec 1>&-; sleep 600"), "agent `mine`: ended: it closed its output"),
        ("exit 5".to_owned(), "agent `mine`: ended: exit status: 5"),
        (
            one("head -c 100000 /dev/zero | tr '\\0' x; sleep 600"),
            "wrote a line of more than 64 KiB, which begins `xxxx",
        ),
        (
            one(&lie("{\"ask\":1,\"pick\":3}")),
            "answered `{\"ask\":1,\"pick\":3}`: `pick` must be a whole number from 0 to 2",
        ),
        (
            one(&lie("{\"ask\":1,\"weights\":[1,\"x\",1]}")),
            "`weights` must be numbers of 0 or more",
        ),
        (
            one(&lie("{\"ask\":2,\"pick\":0}")),
            "answered `{\"ask\":2,\"pick\":0}`: another number than was asked, `\"ask\":1`",
        ),
        (one(&lie("yes")), "answered `yes`: no JSON"),
        // What it speaks first may be heard before it is asked or after.
        ("read line; printf '{\"hello\":1}\nhm\n'; cat > /dev/null".to_owned(), "`hm`"),
    ] {
        against_first("play", &script, "").exits(1).says(said);
    }
    let line = format!("--rules scripts/rules play {AMBUSH} --seat");
    let none = fracas(&line).with("red=command(no_such_program)").inside(&path("")).run();
    none.exits(1).says("agent `command(no_such_program)`: `no_such_program` does not begin: ");
    for (word, said) in [
        ("command()", "it names no program"),
        ("command(sh", "the `(` is not closed"),
        ("command(sh 'a)", "a quote is not closed"),
        ("command(ms=0 sh)", "`ms` must be a whole number from 1 to 3600000"),
    ] {
        let ran = fracas(&line).with(&format!("red={word}")).inside(&path("")).run();
        ran.exits(2).says(&format!("agent `{word}`: {said}"));
    }
}

/// Each is dealt one of three cards that the other does not see; ann bets or checks, then bob.
const CARDS: &str = r#"//! # Cards
fn setup(scenario) {
    let state = #{ hands: #{}, did: [], deck: [1, 2, 3] };
    for player in scenario.words("players") {
        state.hands[player] = state.roll(player, "card", uniform(state.deck));
        state.deck = state.deck.without(state.hands[player]);
    }
    state
}
fn step() {
    let who = if this.did.is_empty() { "ann" } else { "bob" };
    this.did.push(this.choose(who, "act", ["bet", "check"]));
}
fn view(player) { #{ card: this.hands[player], did: this.did } }
fn outcome() {
    if this.did.len() < 2 { return; }
    #{ result: "over", utility: #{ ann: this.hands.ann, bob: this.hands.bob } }
}
"#;

/// What a person who sits as ann reads of these lines, against a program as bob.
fn beside_a_person(agent: &str, lines: &str) -> Ran {
    let scratch = Scratch::empty();
    scratch.write("rules/cards/rules.rhai", CARDS);
    let scenario = "system = \"cards\"\n[setup]\nplayers = [\"ann\", \"bob\"]\n";
    scratch.write("rules/cards/scenarios/table.toml", scenario);
    scratch.write("agent.sh", agent);
    let open =
        ":open cards/table --seed 4 --seat ann=human --seat 'bob=command(name=mine sh agent.sh)'";
    fracas("").inside(scratch.path()).typing(&format!("{open}\n{lines}\n"))
}

#[test]
fn a_program_that_fails_in_a_drawn_place_shows_no_answers_as_if_they_were_the_game() {
    let with_history = program(",\"history\":true", PICKS_FIRST);
    let says_more = program("", "echo 'no'");
    let drawn =
        "agent `mine`: not in the game, but in a place drawn as one that looks alike to `ann`: ";
    for (agent, why) in [
        (&with_history, "asks for the history, which is known only"),
        (&says_more, "answered `no`: "),
    ] {
        for line in [":odds", ":hint random", ":estimate --here -n 20"] {
            let ran = beside_a_person(agent, line).says(&format!("{drawn}{why}"));
            assert!(
                !ran.stderr.contains("chance") && !ran.stderr.contains("--after"),
                "{}",
                ran.stderr
            );
        }
    }
    // Who plays for all, or sees all, reads what led there.
    let open = beside_a_person(&says_more, ":reveal\n:odds");
    open.says("agent `mine`: answered `no`: ").says("--after 'chance ann card");
}

#[test]
fn a_program_that_does_not_begin_is_shown_to_a_person_who_plays() {
    for (agent, why) in [
        (
            "echo 'no such rules' >&2; exit 3",
            "ended: exit status: 3; its stderr ends: no such rules",
        ),
        ("read line; echo hm; cat > /dev/null", "answered `hm`: its first line must be a `hello`"),
    ] {
        let ran = beside_a_person(agent, "bet").says(&format!("agent `mine`: {why}"));
        assert!(!ran.stderr.contains("chance"), "{}", ran.stderr);
    }
    // What it says once it was asked may hold its card.
    let ran = beside_a_person(&program("", "echo 'I hold 3'"), "bet");
    ran.says("agent `mine` fails; the details may show what is hidden from you");
}

#[test]
fn what_a_program_writes_to_stderr_stops_nobody() {
    let noisy = format!("head -c 300000 /dev/zero >&2; {PICKS_FIRST}");
    against_first("play", &program("", &noisy), "").succeeds();
}

#[test]
fn a_program_that_is_not_as_pure_as_it_says_is_found_out() {
    // It answers by turns, so that the same question has two answers.
    let turns = "n=$((n + 1)); echo \"{\\\"ask\\\":$ask,\\\"pick\\\":$((n % 2))}\"";
    let said = "asked the same again it answered `";
    let ran = against_first("play", &program(",\"pure\":true", turns), "");
    ran.exits(1).says(said).says(", and it is to be pure");
    // Where the first two are the same: of a few hundred views some are among the hundredth part that is asked again.
    let later = turns.replace("n % 2", "n > 2 ? n % 2 : 0");
    let options = "--set bands.red=9 --set bands.blue=9 --set rounds=9 -n 300 --threads 1 --seed 3";
    let ran = against_first("estimate", &program(",\"pure\":true", &later), options);
    ran.exits(1).says(said);
}

/// A folder with `agent.sh` in `cups/`, and a spec beside it.
fn league(script: &str, spec: &str) -> Scratch {
    let scratch = Scratch::empty();
    scratch.write("cups/agent.sh", script);
    let rules = path("scripts/rules");
    let scenario = std::fs::read_to_string(rules.join("skirmish/scenarios/ambush.toml")).unwrap();
    scratch.write("cups/ambush.toml", scenario);
    let spec =
        format!("scenarios = [\"ambush.toml\"]\nformat = \"round_robin\"\nseed = 5\n{spec}\n");
    scratch.write("cups/cup.toml", spec);
    scratch
}

fn tournament(scratch: &Scratch, options: &str) -> Ran {
    let rules = path("scripts/rules");
    let line = format!("--rules {} tournament cups/cup.toml {options}", rules.display());
    fracas(&line).inside(scratch.path()).run()
}

const MINE: &str = "{ name = \"mine\", command = \"sh agent.sh\", ms = 10000 }";

#[test]
fn a_league_with_a_program_is_the_same_on_any_number_of_threads_and_when_it_is_resumed() {
    for hello in ["", ",\"pure\":true"] {
        let spec = format!("agents = [{MINE}, \"first\", \"random\"]\ngames = 12\n");
        let scratch = league(&program(hello, PICKS_BY_SEED), &spec);
        let run =
            |options: &str| tournament(&scratch, &format!("--json --quiet {options}")).succeeds();
        let one = run("--threads 1 --out one.db").json();
        let rated = one["standings"].as_array().unwrap();
        assert!(rated.iter().any(|row| row["agent"] == "mine"), "{one}");
        assert!(rated.iter().all(|row| row["forfeits"] == 0), "{one}");
        assert_eq!(run("--threads 2 --out two.db").json(), one);
        // Nothing is left to play, and with fewer games the others are played again from there.
        assert_eq!(run("--threads 2 --out one.db").json(), one);
        scratch.edit("cups/cup.toml", "games = 12", "games = 4");
        run("--out parts.db");
        scratch.edit("cups/cup.toml", "games = 4", "games = 12");
        assert_eq!(run("--threads 2 --out parts.db").json(), one);
        // Its file is a part of what the games are of.
        scratch.edit("cups/agent.sh", "seed % 3", "seed % 2");
        tournament(&scratch, "--out one.db").succeeds().says("`agent.sh` has changed");
    }
}

#[test]
fn a_program_has_one_process_a_thread_for_all_scenarios() {
    let patient = program("", PICKS_BY_SEED);
    // One that ends at a second hello is begun again for each scenario.
    let once =
        patient.replace("echo '{\"hello\"", "[ -n \"$told\" ] && exit 9; told=1; echo '{\"hello\"");
    let mut ends = Vec::new();
    for (script, threads, processes) in
        [(&patient, 1, 1..=1), (&patient, 2, 1..=2), (&once, 1, 2..=99)]
    {
        let spec = format!("agents = [{MINE}, \"first\"]\ngames = 8\nexact = false\n");
        let scratch = league(&format!("echo >> begun\n{script}"), &spec);
        scratch.edit("cups/cup.toml", "\"ambush.toml\"", "\"ambush.toml\", \"long.toml\"");
        let long = scratch.read("cups/ambush.toml").replace("rounds = 4", "rounds = 6");
        scratch.write("cups/long.toml", long);
        let ran = tournament(&scratch, &format!("--json --threads {threads}")).succeeds();
        assert!(
            processes.contains(&scratch.read("begun").lines().count()),
            "{}",
            scratch.read("begun")
        );
        ends.push(ran.json()["standings"].clone());
    }
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:#?}");
    assert!(ends[0].as_array().unwrap().iter().all(|row| row["forfeits"] == 0), "{ends:#?}");
}

#[test]
fn the_name_that_a_program_gives_itself_is_shown_and_kept() {
    let spec = format!("agents = [{MINE}, \"first\"]\ngames = 4\nexact = false\n");
    let named = |name: &str| program(&format!(",\"name\":\"{name}\""), PICKS_BY_SEED);
    let scratch = league(&format!(". ./version.sh\n{}", named("'\"$version\"'")), &spec);
    scratch.write("version.sh", "version='mine 2.1'\n");
    let standings = tournament(&scratch, "--json --out cup.db").succeeds().json();
    let rows = standings["standings"].as_array().unwrap();
    let program =
        |agent: &str| rows.iter().find(|row| row["agent"] == agent).unwrap()["program"].clone();
    assert_eq!((program("mine"), program("first")), ("mine 2.1".into(), serde_json::Value::Null));
    fracas("standings cup.db").inside(scratch.path()).run().succeeds().prints("mine (mine 2.1)");
    // Another version is another program, whose games are played anew.
    scratch.write("version.sh", "version='mine 2.2'\n");
    let again = tournament(&scratch, "--out cup.db").succeeds();
    again.says("`mine` was `mine 2.1`, is `mine 2.2`").prints("mine (mine 2.2)");
    let agent = format!("command(sh {})", scratch.file("cups/agent.sh").display());
    let line = format!("--rules {} check {AMBUSH} --agent", path("scripts/rules").display());
    let checked = fracas(&line).with(&agent).inside(scratch.path()).run().succeeds();
    checked
        .prints("1. it begins, and says what it is: yes; it is called `mine 2.2`; it is not pure");
}

/// The forfeits of `mine` in six games, and what is said of them.
fn forfeits(answer: &str, ms: u64) -> (u64, Scratch, String) {
    let mine = MINE.replace("10000", &ms.to_string());
    let spec = format!("agents = [{mine}, \"first\"]\ngames = 6\nexact = false\n");
    let scratch = league(&program("", answer), &spec);
    let ran = tournament(&scratch, "--json --threads 1 --games games.json").succeeds();
    let rows = ran.json()["standings"].as_array().unwrap().clone();
    let mine = rows.iter().find(|row| row["agent"] == "mine").unwrap();
    (mine["forfeits"].as_u64().unwrap(), scratch, ran.stderr.clone())
}

/// The messages of the forfeits, in the order of the games.
fn messages(scratch: &Scratch) -> Vec<String> {
    let games: serde_json::Value = serde_json::from_str(&scratch.read("games.json")).unwrap();
    let all = games.as_array().unwrap().iter();
    all.filter_map(|game| game["forfeit"]["message"].as_str().map(str::to_owned)).collect()
}

#[test]
#[cfg(unix)]
fn ctrl_c_does_not_wait_for_a_program_that_thinks_and_what_was_played_is_kept() {
    let answer = format!("if [ $ask -gt 30 ]; then kill -INT $PPID; sleep 3600; fi; {PICKS_FIRST}");
    let mine = MINE.replace("10000", "3600000");
    let spec = format!("agents = [{mine}, \"first\"]\ngames = 600\nexact = false\n");
    let scratch = league(&program("", &answer), &spec);
    tournament(&scratch, "--threads 1 --quiet --out one.db").exits(130);
    let kept = fracas("standings one.db --json").inside(scratch.path()).run().json();
    // A game has four questions of it at most, and what it thought about is no forfeit.
    let games = kept["games"].as_u64().unwrap();
    assert!((7..=30).contains(&games), "{games}");
    assert!(kept["standings"].as_array().unwrap().iter().all(|row| row["forfeits"] == 0), "{kept}");
}

#[test]
fn a_program_that_hangs_three_times_is_out_of_the_league() {
    let (lost, scratch, _) = forfeits("sleep 600", 200);
    let said = messages(&scratch);
    assert_eq!((lost, said.len()), (6, 6));
    assert!(said[2].contains("agent `mine`: did not answer within 200 ms"), "{said:#?}");
    assert!(
        said[3].contains("is out of the tournament: it did not answer in time in 3 games"),
        "{said:#?}"
    );
    // Whoever resumes finds it out.
    scratch.edit("cups/cup.toml", "games = 6", "games = 8");
    tournament(&scratch, "--json --threads 1 --games games.json").succeeds();
    assert!(messages(&scratch)[6].contains("is out of the tournament"));
}

#[test]
fn a_program_that_ends_now_and_then_forfeits_the_same_games_on_any_threads_and_in_shards() {
    // One seed in eight ends it. Of the games in which it does the second is its last, however they are played.
    let answer = format!("[ $((seed % 8)) = 0 ] && exit 3; {PICKS_BY_SEED}");
    let spec = format!("agents = [{MINE}, \"first\", \"random\"]\ngames = 20\nexact = false\n");
    let scratch = league(&program("", &answer), &spec);
    let run = |options: &str| {
        let ran = tournament(&scratch, &format!("--json --quiet {options} --games games.json"));
        (ran.succeeds().json()["standings"].clone(), scratch.read("games.json"))
    };
    let one = run("--threads 1 --out one.db");
    let games: Vec<serde_json::Value> = serde_json::from_str(&one.1).unwrap();
    let with_mine = |game: &&serde_json::Value| {
        game["seats"].as_object().unwrap().values().any(|agent| agent == "mine")
    };
    // Two games in which it ended are there, and after the second all others of its are lost without being played.
    let faults: Vec<Option<&str>> =
        games.iter().filter(with_mine).map(|game| game["forfeit"]["fault"].as_str()).collect();
    let last = faults.iter().rposition(|fault| *fault == Some("gone")).unwrap();
    assert_eq!(faults.iter().filter(|fault| **fault == Some("gone")).count(), 2, "{faults:?}");
    assert!(
        last < 30 && faults[last + 1..].iter().all(|fault| *fault == Some("out")),
        "{faults:?}"
    );
    assert!(faults[..last].iter().flatten().all(|fault| *fault == "gone"), "{faults:?}");
    for threads in [2, 4] {
        assert_eq!(run(&format!("--threads {threads} --out of{threads}.db")), one, "{threads}");
    }
    for shard in 1..=3 {
        run(&format!("--threads 2 --shard {shard}/3 --out part{shard}.db"));
    }
    fracas("merge part3.db part1.db part2.db --out whole.db")
        .inside(scratch.path())
        .run()
        .succeeds();
    let merged = fracas("standings whole.db --json --games games.json");
    let merged = merged.inside(scratch.path()).run().succeeds();
    assert_eq!((merged.json()["standings"].clone(), scratch.read("games.json")), one);
    // The whole beside a part, which has played what the whole knows to be forfeited.
    fracas("merge part2.db one.db part1.db --out again.db").inside(scratch.path()).run().succeeds();
    let again = fracas("standings again.db --json --games games.json");
    let again = again.inside(scratch.path()).run().succeeds();
    assert_eq!((again.json()["standings"].clone(), scratch.read("games.json")), one);
    // More games are another schedule: what was out in the one is played in the other where it counts.
    let shorter = scratch.read("cups/cup.toml");
    scratch.edit("cups/cup.toml", "games = 20", "games = 26");
    let longer = run("--threads 1 --out new.db");
    assert_eq!(run("--threads 2 --out one.db"), longer);
    scratch.write("cups/cup.toml", shorter);
    assert_eq!(run("--threads 1 --out new.db"), one);
}

#[test]
fn a_league_says_which_program_is_not_as_pure_as_it_says() {
    // Its third answer of a process is another than the one that comes before it, to the same question.
    let turns = "n=$((n + 1)); echo \"{\\\"ask\\\":$ask,\\\"pick\\\":$((n % 2))}\"";
    let spec = format!("agents = [{MINE}, \"first\"]\ngames = 4\n");
    let scratch = league(&program(",\"pure\":true", turns), &spec);
    let said = "`mine` says `pure`, and answered the same question in two ways: these results cannot be repeated";
    for _again in ["played", "resumed"] {
        let ran = tournament(&scratch, "--json --threads 1 --games games.json").succeeds();
        let notes = ran.json()["notes"].as_array().unwrap().clone();
        assert!(notes.iter().any(|note| note == said), "{notes:?}");
        assert!(scratch.read("games.json").contains("\"fault\":\"impure\""));
    }
    let honest = league(&program(",\"pure\":true", PICKS_BY_SEED), &spec);
    let ran = tournament(&honest, "--json --threads 1").succeeds();
    let notes = ran.json()["notes"].as_array().unwrap().clone();
    assert!(notes.iter().all(|note| !note.as_str().unwrap().contains("two ways")), "{notes:?}");
}

#[test]
fn a_program_that_says_no_hello_any_more_is_out_as_well() {
    // It says one while the league opens, ends at its first question, and never speaks again.
    let once = format!("[ -e greeted ] && exit 4\ntouch greeted\n{}", program("", "exit 3"));
    let spec = format!("agents = [{MINE}, \"first\"]\ngames = 6\nexact = false\n");
    let scratch = league(&once, &spec);
    tournament(&scratch, "--json --threads 1 --games games.json").succeeds();
    let said = messages(&scratch);
    assert_eq!(said.len(), 6);
    assert!(said[1].contains("ended: exit status: 4"), "{said:#?}");
    assert!(said[2].contains("is out of the tournament"), "{said:#?}");
}

#[test]
fn a_program_that_ends_is_begun_again_once() {
    let (lost, scratch, _) = forfeits("echo 'no more' >&2; exit 3", 10_000);
    let said = messages(&scratch);
    assert_eq!((lost, said.len()), (6, 6));
    assert!(said[0].contains("ended: exit status: 3; its stderr ends: no more"), "{said:#?}");
    assert!(said[1].contains("ended: exit status: 3"), "{said:#?}");
    assert!(
        said[2].contains("is out of the tournament: it ended or spoke unasked in 2 games"),
        "{said:#?}"
    );
}

#[test]
fn a_forecast_says_that_what_it_measured_were_forfeits() {
    let spec = format!("agents = [{MINE}, \"first\"]\ngames = 6\nexact = false\n");
    let scratch = league(&program("", "exit 3"), &spec);
    let ran = tournament(&scratch, "--dry-run").succeeds();
    ran.prints("6 of them were forfeits, so that this says little: agent `mine`: ended");
}

#[test]
fn lies_are_the_same_on_any_threads_and_files_of_theirs_can_be_merged() {
    // Nobody asks a question of the same number on other threads.
    let lie = format!(
        "[ $((seed % 3)) = 0 ] && echo \"{{\\\"ask\\\": $ask, \\\"pick\\\": 7}}\" || {PICKS_FIRST}"
    );
    let spec = format!("agents = [{MINE}, \"first\"]\ngames = 20\nexact = false\n");
    let scratch = league(&program("", &lie), &spec);
    let run = |threads: u64| {
        let options =
            format!("--quiet --threads {threads} --out of{threads}.db --games games.json");
        tournament(&scratch, &options).succeeds();
        scratch.read("games.json")
    };
    let one = run(1);
    assert!(one.contains("answered `{\\\"ask\\\": …, \\\"pick\\\": 7}`"), "{one}");
    assert_eq!(run(4), one);
    fracas("merge of1.db of4.db --out both.db").inside(scratch.path()).run().succeeds();
}

#[test]
fn games_are_not_written_over_what_are_no_games() {
    let spec = "agents = [\"random\", \"first\"]\ngames = 2\nexact = false\n";
    let scratch = league("", spec);
    for text in ["{\"a\": 1}", "print('mine')", "[\n{\"answers\": 3}\n]"] {
        scratch.write("mine.json", text);
        let refused = tournament(&scratch, "--quiet --games mine.json").exits(2);
        refused
            .says("`mine.json`")
            .says("it is there and has no games of a tournament: name another file");
        assert_eq!(scratch.read("mine.json"), text);
        assert!(!scratch.file("cups/cup.db").exists() && !scratch.file("cup.db").exists());
    }
    for _again in 0..2 {
        tournament(&scratch, "--quiet --games games.json").succeeds();
    }
}

#[test]
fn forfeits_by_one_mistake_are_one_line() {
    let (lost, _, said) = forfeits("echo \"{\\\"ask\\\":$ask,\\\"pick\\\":7}\"", 10_000);
    assert_eq!((lost, said.matches("forfeits").count()), (6, 1), "{said}");
    assert!(said.contains("`mine` forfeits (the first of 6 times): "), "{said}");
}

#[test]
fn a_program_that_lies_forfeits_each_game_alone() {
    let (lost, scratch, _) = forfeits("echo \"{\\\"ask\\\":$ask,\\\"pick\\\":7}\"", 10_000);
    let said = messages(&scratch);
    assert_eq!(lost, 6);
    assert!(
        said.iter().all(|said| said.contains("`pick` must be a whole number from 0 to 2")),
        "{said:#?}"
    );
}

#[test]
fn what_is_wrong_with_a_program_of_a_spec_is_said_with_its_place() {
    for (agent, said) in [
        ("\"command(sh agent.sh)\"", "is a program: write it as `{ name = "),
        ("{ name = \"mine\" }", "`agents.0.command` is missing"),
        ("{ name = \"mine\", comand = \"sh\" }", "unknown key `agents.0.comand`"),
        (
            "{ name = \"greedy\", command = \"sh\" }",
            "`agents.0.name` is the name of an agent of every system",
        ),
        (
            "{ name = \"mine\", command = \"sh 'a\" }",
            "`agents.0.command` has a quote that is not closed",
        ),
        (
            "{ name = \"mine\", command = \"sh\", ms = 0 }",
            "`agents.0.ms` must be a whole number from 1 to 3600000",
        ),
        ("{ name = \"first\", command = \"sh\" }", "is the name of an agent of every system"),
        ("{ name = \"mine\", command = \"no_such_program\" }", "`no_such_program` does not begin"),
        ("3", "`agents.0` must be a text, or a table of `name` and `command`, got 3"),
    ] {
        let scratch = league("", &format!("agents = [{agent}, \"first\"]\n"));
        let ran = tournament(&scratch, "");
        assert!(matches!(ran.code, Some(1 | 2)), "{ran:?}");
        ran.says("cups/cup.toml:4").says(said);
        assert!(!scratch.file("cups/cup.db").exists());
    }
}

#[test]
fn a_check_lists_what_was_tried_with_a_program() {
    let check = |script: &str| {
        let scratch = Scratch::empty();
        scratch.write("agent.sh", script);
        let agent = format!("command(name=mine sh {})", scratch.file("agent.sh").display());
        let rules = path("scripts/rules");
        let line = format!("--rules {} check {AMBUSH} --seed 4 --agent", rules.display());
        fracas(&line).with(&agent).inside(scratch.path()).run()
    };
    let good = check(&program("", PICKS_BY_SEED)).succeeds();
    for (number, step) in [
        "it begins, and says what it is: yes; it is not pure: it is asked anew each time",
        "it plays 10 games as `red`: yes; ",
        "it plays 10 games as `blue`: yes; ",
        "another process answers the same under the same seed: yes; ",
        "it answers the same while two games are played at once: yes; ",
        "it ends after `bye`: yes; it ended by itself",
    ]
    .iter()
    .enumerate()
    {
        assert!(good.stdout.contains(&format!("{}. {step}", number + 1)), "{}", good.stdout);
    }
    let lies = check(&program("", "echo \"{\\\"ask\\\":$ask,\\\"pick\\\":7}\"")).exits(1);
    let lies = lies.prints(
        "2. it plays 10 games as `red`: no; agent `mine`: answered `{\"ask\":1,\"pick\":7}`",
    );
    // Each seat is tried, and nothing that needs them to pass.
    lies.prints("3. it plays 10 games as `blue`: no; agent `mine`: answered")
        .prints("4. another process answers the same under the same seed: not tried; ")
        .prints("6. it ends after `bye`: not tried; ");
    // The first two answers are the same, and so is each hundredth.
    let seldom = "n=$((n + 1)); echo \"{\\\"ask\\\":$ask,\\\"pick\\\":$((n == 4))}\"";
    let impure = check(&program(",\"pure\":true", seldom)).exits(1);
    let impure =
        impure.prints("it is pure: it goes by what is seen, and is asked everything twice");
    impure.prints("2. it plays 10 games as `red`: no; ").prints("asked the same again it answered");
    // It goes by how often it was asked, which is no part of the question.
    let counts = "n=$((n + 1)); echo \"{\\\"ask\\\":$ask,\\\"pick\\\":$((n / 7 % 3))}\"";
    check(&program("", counts)).exits(1).prints("a game went otherwise than before");
    let stays = program("", PICKS_FIRST) + "sleep 600\n";
    check(&stays).exits(1).prints("6. it ends after `bye`: no; it did not end by itself");
    check("exit 1")
        .exits(1)
        .prints("1. it begins, and says what it is: no; agent `mine`: ended: ")
        .prints("2. it plays 10 games as `red`: not tried; ");
    // What it calls itself is one line, of a name's length.
    let name = "mine 2.1\u{9b}31m aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd";
    let loud = program(&format!(",\"name\":\"{name}\""), PICKS_FIRST);
    check(&loud).prints("it is called `mine 2.1\u{fffd}31m aaaaaaaaaabbbbbbbbbbcccccc…`; ");
    let line = "check war_die/ford --agent greedy";
    fracas(line).run().exits(2).says("`greedy` is no program");
}

#[test]
fn a_model_without_an_address_is_asked_for_in_a_sentence() {
    let mut command = std::process::Command::new("python3");
    command.arg(path("scripts/python/language_model.py")).env_remove("MODEL_URL");
    let Ok(ran) = command.env("PYTHONDONTWRITEBYTECODE", "1").output() else {
        eprintln!("python3 is not there, so the program was not run");
        return;
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.starts_with("no model to ask: set MODEL_URL to its address, or "), "{said}");
}

#[test]
fn the_programs_of_the_folder_play() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is not there, so the programs were not run");
        return;
    }
    let recorded =
        "scripts/python/language_model.py --recorded scripts/python/ambush_answers.jsonl";
    for file in ["scripts/python/agent.py", recorded] {
        let line = format!("--rules scripts/rules odds {AMBUSH} --seat blue=first --json --seat");
        let agent = format!("red=command(ms=60000 python3 {file})");
        let ran =
            fracas(&line).with(&agent).inside(&path("")).where_is("PYTHONDONTWRITEBYTECODE", "1");
        assert_eq!(ran.run().succeeds().json()["exact"], true, "{file}");
    }
}

#[test]
fn no_file_names_a_program() {
    let scratch = Scratch::with_duel();
    let word = "command(touch here)";
    let refused = "is a program, which only a person may name";
    let run = |line: &str| fracas(line).inside(scratch.path()).run();
    scratch
        .write("seated.toml", format!("system = \"duel\"\n[setup]\n[seats]\nann = \"{word}\"\n"));
    run("play seated.toml").exits(2).says("seated.toml:4").says(refused);
    run("check seated.toml").exits(1).prints(refused);
    let campaign = "title = \"c\"\n[[conflict]]\nname = \"one\"\nscenario = \"duel/one_round\"\n";
    scratch.write("campaign.toml", format!("{campaign}[seats]\nann = \"{word}\"\n"));
    run("play campaign.toml").exits(2).says("campaign.toml:6").says(refused);
    let script = format!("scenario(\"duel/one_round\").seat(\"ann\", \"{word}\").estimate();");
    scratch.write("try.rhai", script);
    run("run try.rhai").exits(1).says(refused);
    let requests = format!("{{\"do\":\"reset\",\"seats\":{{\"ann\":\"{word}\"}}}}\n");
    let served = fracas("serve duel/one_round").inside(scratch.path()).typing(&requests).succeeds();
    served.prints(refused);
    let (own, other) = ("default_agent = \"middle\"", format!("default_agent = \"{word}\""));
    scratch.edit("rules/duel/params.toml", own, &other);
    run("play duel/one_round").exits(2).says("params.toml:2").says(refused);
    assert!(!scratch.file("here").exists());
}
