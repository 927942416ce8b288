//! Tests of `fracas serve`: the protocol as its document lays it down, and that no line ends the program.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use fracas::game::Generator;
use serde_json::{Value, json};

use super::run::fracas;
use super::scratch::Scratch;
use crate::support::path;

/// A client that waits for each reply.
struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Client {
    fn of(line: &str) -> Client {
        let mut command = fracas(line).inside(&path("")).command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Client { child, to, from: BufReader::new(from) }
    }

    fn ask(&mut self, request: Value) -> Value {
        writeln!(self.to, "{request}").unwrap();
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{request}: {error} in {line}"))
    }

    /// The place after a request.
    #[track_caller]
    fn place(&mut self, request: Value) -> Value {
        let place = self.ask(request);
        assert!(place["turn"].is_string(), "{place}");
        place
    }

    fn close(mut self) {
        assert_eq!(self.ask(json!({"do": "close"})), json!({"closed": true}));
        assert!(self.child.wait().unwrap().success());
    }
}

/// Whether a text is one in which each `…` may be anything.
pub fn is_like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap()) else { return false };
    let mut last = "";
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = part;
    }
    rest.is_empty() || pattern.contains('…') && last.is_empty()
}

#[test]
fn the_session_of_the_protocol_is_what_the_program_prints() {
    let document = std::fs::read_to_string(path("scripts/protocol.md")).unwrap();
    let session = document.split("```").find(|part| part.starts_with("\n$ fracas ")).unwrap();
    let mut lines = session.trim().lines();
    let command = lines.next().unwrap().strip_prefix("$ fracas ").unwrap();
    let (asks, replies): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("> "));
    let asked: String = asks.iter().map(|line| format!("{}\n", &line[2..])).collect();
    let ran = fracas(command).inside(&path("")).typing(&asked).succeeds().says_nothing();
    let found: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(found.len(), replies.len());
    for (found, reply) in found.iter().zip(replies) {
        assert!(is_like(found, &reply[2..]), "{reply}\nprints\n{found}");
    }
}

/// Requests of all kinds, one of them a list.
const REQUESTS: &str = r#"{"do":"hello","rulebook":true}
{"do":"reset","seed":3,"house":[],"params":{"target":4},"setup":{"bands":{"red":2,"blue":2}},"ask":true,"id":[1]}
{"do":"answer","option":"hold","game":0}
[{"do":"clone","to":2,"seed":9},{"do":"view","player":"red"},{"do":"undo","n":1},{"do":"picture"},{"do":"outcome"}]
{"do":"odds","here":true,"n":3,"float":true,"revealed":true}
{"do":"close","game":2}
"#;

#[test]
fn no_line_ends_the_program_and_each_has_one_reply() {
    let mut input = Vec::new();
    for line in REQUESTS.lines() {
        // Every beginning of each, and each with letters changed.
        for end in (1..=line.len()).filter(|end| line.is_char_boundary(*end)) {
            input.extend(line[..end].bytes());
            input.push(b'\n');
        }
        let mut generator = Generator::of(line.len() as u64);
        for _ in 0..300 {
            let mut bytes = line.as_bytes().to_vec();
            for _ in 0..=generator.below(3) {
                let at = generator.index(bytes.len());
                bytes[at] = br#"{}[]":,0e-9x"#[generator.index(12)];
            }
            input.extend(bytes);
            input.push(b'\n');
        }
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for line in [
        deep.as_str(),
        &deep.replace('[', "{\"a\":").replace(']', "}"),
        &format!(r#"{{"do":"reset","setup":{}{}}}"#, "[".repeat(120), "]".repeat(120)),
        r#"{"do":"reset","seed":18446744073709551615}"#,
        r#"{"do":"reset","seed":18446744073709551616}"#,
        r#"{"do":"reset","setup":{"rounds":1e308}}"#,
        r#"{"do":"reset","setup":{"rounds":1e999}}"#,
        r#"{"do":"reset","params":{"target":99999999999999999999}}"#,
        r#"{"do":"reset","seats":{"red":"greedy","blu":"first"}}"#,
        r#"{"do":"reset","seats":{"red":"../../../etc/passwd"}}"#,
        r#"{"do":"answer","pick":-1}"#,
        r#"{"do":"undo","n":18446744073709551615}"#,
        r#"{"do":"clone","to":1.5}"#,
        r#"{"do":"view","player":null}"#,
        r#"{"do":"do","do":"do"}"#,
        r#"{"do":"ask","id":{"a":[1e300,"\u0000\ud834\udd1e"]}}"#,
        r#"{"do":"ask","game":77}"#,
        "[]",
        "[[]]",
        "null",
        "\u{feff}{}",
        "\"\\ud800\"",
    ] {
        input.extend(line.bytes());
        input.push(b'\n');
    }
    input.extend(b"\xff\xfe{}\n{\"do\":\"\xc3\x28\"}\n");
    input.extend(vec![b' '; 3 << 20]);
    input.extend(b"{}\n{\"do\":\"reset\",\"seed\":1}\n");
    // A line without any text, and a request behind it.
    input.extend(b"\r\n\n  \n{\"do\":\"outcome\"}");

    let asked = input.split(|byte| *byte == b'\n');
    // A line that is too long has a reply of its own, whatever is in it.
    let blank = |line: &[u8]| line.len() <= 1 << 20 && line.trim_ascii().is_empty();
    let wanted = asked.filter(|line| !blank(line)).count();
    let mut child =
        fracas("--rules scripts/rules serve skirmish/ambush").inside(&path("")).command();
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || to.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stderr, b"");
    let replies: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    assert_eq!(replies.len(), wanted);
    assert_eq!(replies.last().unwrap(), &json!({"outcome": null}));
    let messages = |word: &str| text.lines().filter(|line| line.contains(word)).count();
    assert_eq!((messages("longer than 1 MiB"), messages("is not UTF-8 text")), (1, 2));
    assert!(messages("recursion limit") >= 2);
    assert!(messages("from 0 to 18446744073709551615, got `1.8446744073709552e+19`") >= 1);
}

#[test]
fn the_same_seed_and_answers_lead_to_the_same_end_as_in_play() {
    let rules = "--rules scripts/rules";
    let seats = "--seat red=first --seat blue=first";
    for seed in 1..4 {
        let line = format!("{rules} play skirmish/ambush {seats} --seed {seed} --json");
        let played = fracas(&line).inside(&path("")).run().succeeds().json();
        let mut client = Client::of(&format!("{rules} serve skirmish/ambush"));
        let mut place = client.place(json!({"do": "reset", "seed": seed}));
        let mut events = Vec::new();
        while place["turn"] == "decision" {
            place = client.place(json!({"do": "answer", "pick": 0}));
            events.extend(place["events"].as_array().cloned().unwrap_or_default());
        }
        assert_eq!(place["outcome"], played["outcome"]);
        assert_eq!(Value::Array(events), played["events"]);

        // The same where agents of the host sit in one seat or in both, and from a copy.
        client.ask(json!({"do": "undo", "n": 2}));
        client.place(json!({"do": "clone", "to": 5}));
        for pick in [0, 0] {
            place = client.place(json!({"do": "answer", "game": 5, "pick": pick}));
        }
        assert_eq!(place["outcome"], played["outcome"]);
        let both = json!({"red": "first", "blue": "first"});
        place = client.place(json!({"do": "reset", "seed": seed, "seats": both}));
        assert_eq!((&place["turn"], &place["outcome"]), (&json!("over"), &played["outcome"]));
        let one = json!({"red": "first"});
        place = client.place(json!({"do": "reset", "seed": seed, "seats": one}));
        while place["turn"] == "decision" {
            assert_eq!(place["player"], "blue");
            place = client.place(json!({"do": "answer", "option": "charge"}));
        }
        assert_eq!(place["outcome"], played["outcome"]);
        client.close();
    }
}

#[test]
fn what_a_reset_changes_holds_for_its_games_alone() {
    let mut client = Client::of("serve territory/three_tokens");
    let first = client.ask(json!({"do": "hello"}));
    client.place(json!({"do": "reset"}));
    let odds = client.ask(json!({"do": "odds"}));
    let shell = fracas("odds territory/three_tokens --json").inside(&path("")).run().succeeds();
    assert_eq!(odds["odds"], shell.json());

    let secret = client.place(json!({"do": "reset", "game": 1, "ask": true}));
    let seen = client.ask(json!({"do": "view", "game": 1}));
    assert_eq!(secret["view"], seen["view"]);
    client.place(json!({"do": "reset", "game": 2, "params": {"winner_takes_all": false}}));
    assert_eq!(client.ask(json!({"do": "hello"}))["hello"]["params"]["winner_takes_all"], false);
    client.place(json!({"do": "reset", "game": 3}));
    assert_eq!(client.ask(json!({"do": "hello"})), first);
    client.close();
}

#[test]
fn a_reset_that_does_not_open_names_its_wrong_part() {
    let mut client = Client::of("--rules scripts/rules serve skirmish/ambush");
    let mut place = |reset: Value| {
        let mut request = json!({"do": "reset"});
        request.as_object_mut().unwrap().extend(reset.as_object().unwrap().clone());
        client.ask(request)["error"]["place"].clone()
    };
    let good = json!({"field": 3});
    assert_eq!(place(json!({"house": ["nowhere"], "params": good})), "house.0");
    assert_eq!(place(json!({"params": {"field": 3, "targt": 2}})), "params.targt");
    assert_eq!(place(json!({"setup": {"nothing": 9}, "params": good})), "setup.nothing");
    assert_eq!(place(json!({"setup": 9})), "setup");
    assert_eq!(place(json!({"seats": {"red": "first", "blu": "first"}})), "seats.blu");
    assert_eq!(place(json!({"seats": {"red": "first", "blue": "frist"}})), "seats.blue");
    assert_eq!(place(json!({"seats": {"red": "command(x)"}})), "seats.red");
    client.close();
}

#[test]
fn an_unknown_key_is_answered_with_each_key_once() {
    let mut client = Client::of("--rules scripts/rules serve skirmish/ambush");
    let error = client.ask(json!({"do": "view", "player": "red", "view": 1}))["error"].clone();
    assert_eq!(error["message"], "unknown key `view`; there are `do`, `id`, `game`, `player`");
    client.close();
}

#[test]
fn a_key_that_is_there_twice_is_refused() {
    let mut client = Client::of("--rules scripts/rules serve skirmish/ambush");
    client.to.write_all(b"{\"do\":\"reset\",\"params\":{\"a\":1,\"a\":2}}\n").unwrap();
    let error = client.ask(json!({"do": "reset"}))["error"].clone();
    assert_eq!(error["message"], "the key `a` is there twice");
    assert_eq!(error["place"], "column 33");
    let mut rest = String::new();
    client.from.read_line(&mut rest).unwrap();
    client.close();
}

#[test]
fn a_mistake_of_the_rules_is_a_reply_and_changes_nothing() {
    let scratch = Scratch::empty();
    scratch.write(
        "rules/trap/rules.rhai",
        "fn setup(scenario) { #{ left: 3 } }\n\
         fn step() {\n    let word = this.choose(\"red\", \"door\", [\"safe\", \"trap\"]);\n\
         \x20   if word == \"trap\" { throw \"it snaps\"; }\n    this.left -= 1;\n}\n\
         fn outcome() { if this.left == 0 { #{ result: \"out\", utility: #{ red: 1 } } } }\n",
    );
    scratch.write("rules/trap/scenarios/one.toml", "system = \"trap\"\ntitle = \"t\"\n[setup]\n");
    let requests = [
        r#"{"do":"reset"}"#,
        r#"{"do":"answer","pick":0}"#,
        r#"{"do":"answer","pick":1}"#,
        r#"{"do":"undo"}"#,
        r#"[{"do":"answer","pick":0},{"do":"answer","pick":0},{"do":"answer","pick":0}]"#,
        r#"{"do":"answer","pick":0}"#,
    ];
    let ran = fracas("serve trap/one").inside(scratch.path()).typing(&requests.join("\n"));
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[2]["error"]["kind"], "script", "{}", lines[2]);
    assert_eq!(lines[2]["error"]["line"], 4);
    assert_eq!(lines[3]["turn"], "decision");
    // Three answers after the one that was taken back, of which three are needed: the game is over.
    assert_eq!(lines[4][2]["turn"], "over");
    assert_eq!(lines[4][2]["outcome"]["utility"]["red"], 1);
    assert_eq!(lines[5]["error"]["message"], "nothing is asked: the conflict is over");
}

#[test]
fn connections_of_this_machine_have_games_of_their_own() {
    let line = "--rules scripts/rules serve skirmish/ambush --listen 127.0.0.1:0";
    let mut command = fracas(line).inside(&path("")).command();
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let listening: Value = serde_json::from_str(&first).unwrap();
    let address = listening["listening"].as_str().unwrap();
    let ask = |stream: &TcpStream, request: &str| -> Value {
        let mut to = stream;
        writeln!(to, "{request}").unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let (one, other) = (TcpStream::connect(address).unwrap(), TcpStream::connect(address).unwrap());
    assert_eq!(ask(&one, r#"{"do":"reset","seed":1}"#)["turn"], "decision");
    let lost = ask(&other, r#"{"do":"ask"}"#);
    assert_eq!(lost["error"]["message"], "there is no game 0: `reset` begins one");
    assert_eq!(ask(&other, r#"{"do":"close"}"#), json!({"closed": true}));
    assert_eq!(ask(&one, r#"{"do":"ask"}"#)["turn"], "decision");
    child.kill().unwrap();
    child.wait().unwrap();
    for wrong in ["0.0.0.0:7000", "192.168.0.1:7000", "localhost", "127.0.0.1"] {
        let line = format!("serve war_die/ford --listen {wrong}");
        fracas(&line).run().exits(2).says("must be an address of this machine and a port");
    }
}

/// Runs a file of `scripts/python` on this build, where Python is at hand.
pub fn python(interpreter: &str, file: &str) {
    let mut command = std::process::Command::new(interpreter);
    command.arg(path("scripts/python").join(file)).current_dir(path(""));
    command.env("FRACAS", env!("CARGO_BIN_EXE_fracas")).env("FRACAS_CONFIG", "");
    // Nothing is left beside the scripts.
    match command.env("PYTHONDONTWRITEBYTECODE", "1").output() {
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr)),
        Err(error) => eprintln!("{interpreter} is not there, so {file} was not run: {error}"),
    }
}

#[test]
fn the_client_for_python_plays_every_system() {
    python("python3", "test_fracas.py");
}

#[test]
fn other_libraries_play_and_solve_conflicts() {
    // `.ci/run` names an interpreter that has them.
    if let Ok(interpreter) = std::env::var("FRACAS_PYTHON") {
        python(&interpreter, "test_libraries.py");
    }
}
