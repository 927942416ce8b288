//! Tests that every wrong use is refused with a helpful message on stderr and its exit code.

use super::run::fracas;
use super::scratch::Scratch;

/// Command lines, each with the message it must lead to; the file explains its format.
const WRONG: &str = include_str!("wrong.toml");

/// Rounds that are drawn, with a mistake each.
const DRAWN: [(&str, &str); 8] = [
    ("nothing", "{ one_of = [] }"),
    ("number", "{ one_of = 2 }"),
    ("short", "{ one_of = [1, 2], weights = [3] }"),
    ("never", "{ one_of = [1, 2], weights = [3, 0] }"),
    ("unknown", "{ one_of = [1, 2], wieghts = [3, 1] }"),
    ("nested", "{ one_of = [1, { one_of = [2, 3] }] }"),
    ("misspelled", "{ one_off = [1, 2] }"),
    ("wrong", "{ one_of = [1, 9] }"),
];

fn scratch() -> Scratch {
    let scratch = Scratch::with_duel();
    let file = "system = \"duel\"\ntitle = \"t\"\nHOUSE\n[setup]\nplayers = [\"red\", \"blue\"]\nrounds = ROUNDS\n[seats]\nSEAT\n";
    let fill = |house: &str, rounds: &str, seat: &str| {
        file.replace("HOUSE", house).replace("ROUNDS", rounds).replace("SEAT", seat)
    };
    scratch.write("good.toml", fill("", "1", ""));
    scratch.write("rounds.toml", fill("", "9", ""));
    scratch.write("mistyped.toml", fill("", "1", "").replace("rounds", "ruonds"));
    for (name, drawn) in DRAWN {
        scratch.write(&format!("drawn/{name}.toml"), fill("", drawn, ""));
    }
    scratch.write("agent.toml", fill("", "1", "red = \"middel\""));
    scratch.write("script.toml", fill("", "1", "red = \"gone.rhai\""));
    scratch.write("player.toml", fill("", "1", "rad = \"middle\""));
    scratch.write("house.toml", fill("house = [\"low_win\"]", "1", ""));
    scratch.write("system.toml", fill("", "1", "").replace("duel", "dule"));
    scratch.write("junk.bin", [0, 159, 146, 150]);
    scratch.write("junk.toml", [0, 159, 146, 150]);
    scratch.write("empty.toml", "");
    scratch.write("folder/inside", "");
    scratch.write(
        "case.toml",
        "system = \"dule\"\n[[case]]\ntitle = \"t\"\nexpect = { result = \"red\" }\n",
    );
    scratch.write(
        "blend.rhai",
        "fn params() { #{ share: 1, turns: 2 } }\nfn decide(view, decision) { decision.options[0] }\n",
    );
    scratch.write("kept.txt", "mine");
    let mut rights = std::fs::metadata(scratch.file("kept.txt")).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(scratch.file("kept.txt"), rights).unwrap();
    fracas("play duel/three_rounds --seed 1 --save saved.txt")
        .inside(scratch.path())
        .run()
        .succeeds();
    scratch.write("cut.txt", scratch.read("saved.txt").split("---").next().unwrap());
    scratch.write("strange.txt", scratch.read("saved.txt").replace("red show", "red throw"));
    scratch.write("ended.txt", scratch.read("saved.txt").replace("\"result\":", "\"results\":"));
    scratch
}

#[test]
fn every_wrong_use_is_refused_in_words_that_help() {
    let scratch = scratch();
    let table: toml::Table = WRONG.parse().unwrap();
    for wrong in table["wrong"].as_array().unwrap() {
        let text = |key: &str| wrong.get(key).and_then(|value| value.as_str());
        let run = text("run").unwrap();
        let code = wrong.get("code").map_or(2, |code| code.as_integer().unwrap()) as i32;
        let before = scratch.names();

        let ran = fracas(run).inside(scratch.path()).run().exits(code).says(text("says").unwrap());
        assert!(ran.stderr.contains("error: "), "{run}: {}", ran.stderr);
        if code == 2 {
            assert_eq!(ran.stdout, "", "{run}");
        }
        if let Some(at) = text("at") {
            assert!(ran.stderr.contains(at), "{run}: {}", ran.stderr);
        }

        let ran = fracas(run).inside(scratch.path()).with("--json").run().exits(code);
        let json = ran.json();
        let error = &json["error"];
        let message = error["message"].as_str().unwrap();
        assert!(!message.is_empty() && error["kind"].is_string(), "{run}: {json}");
        if let Some(at) = text("at") {
            let place = format!("{}:{}", error["file"].as_str().unwrap(), error["line"]);
            assert!(place.ends_with(at), "{run}: {json}");
        }
        assert_eq!(scratch.names(), before, "{run} leaves files");
    }
}

#[test]
fn a_person_who_leaves_is_told_who_was_asked() {
    let scratch = Scratch::with_duel();
    fracas("play duel/one_round --seat red=human")
        .inside(scratch.path())
        .run()
        .exits(2)
        .prints_nothing()
        .says("the input ended while `red` was asked `show`");
}

#[test]
fn a_reader_who_has_had_enough_is_no_error() {
    let scratch = Scratch::with_duel();
    for line in
        ["list", "doc", "completions bash", "play duel/one_round", "check duel --playouts 1"]
    {
        let mut command = fracas(line).inside(scratch.path()).command();
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
        assert!(!said.contains("panicked") && !said.contains("error"), "{line}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_130() {
    let scratch = Scratch::with_duel();
    let mut command =
        fracas("check duel --playouts 1000000 --seed 1").inside(scratch.path()).command();
    command.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    // Its first word says that the handler is set.
    let mut said = [0; 4];
    std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut said).unwrap();
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_value_for_which_the_setup_is_refused_is_left_out_of_a_sweep_and_said() {
    let scratch = scratch();
    let ran = fracas("sweep duel/three_rounds highest=2..3").inside(scratch.path()).run().exits(1);
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["at highest=2 it fails", "must be a whole number from 1 to 2, got 3", "16.67 %"] {
        assert!(text.contains(part), "{text}");
    }
}
