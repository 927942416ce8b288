//! Regression tests: mistakes that were once accepted are now refused, warned of or reported.

use serde_json::json;

use super::run::{Ran, fracas};
use super::scratch::Scratch;

/// A folder with the shipped rules, to be edited.
fn shipped() -> Scratch {
    let scratch = Scratch::empty();
    fracas("init rules").inside(scratch.path()).run().succeeds();
    scratch
}

const PAIR: &str = "white = { stack = [\"isolationist\"] }\nblack = { stack = [\"aggressor\"] }\n";

/// Tests a case of territory under a house rule, which expects an error with this text.
fn expecting(scratch: &Scratch, house: &str, error: &str) -> Ran {
    scratch.write("mine.rhai", house);
    scratch.write(
        "case.toml",
        format!(
            "system = \"territory\"\n[[case]]\ntitle = \"t\"\nhouse = [\"mine.rhai\"]\n[case.setup]\n{PAIR}[case.expect]\nerror = \"{error}\"\n"
        ),
    );
    fracas("test case.toml").inside(scratch.path()).run()
}

#[test]
fn only_a_refusal_is_what_a_case_expects() {
    let scratch = Scratch::empty();
    for (house, error) in [
        ("fn table() { throw \"aggressor is odd\" }", "aggressor"),
        ("fn setup(scenario) { loop {} }", "limit"),
        ("fn setup(scenario) { aggressor(1) }", "aggressor"),
        ("fn setup(scenario) { scenario.aggressor }", "aggressor"),
        ("fn setup(scenario) { 3 }", "setup"),
        ("fn taable() { 3 }", "taable"),
        ("fn table() {", "expecting"),
        ("fn outcome() { throw \"no aggressor\" }", "aggressor"),
        ("", "house rule"),
    ] {
        let house = format!("//! # Mine\n{house}\n");
        let ran = expecting(&scratch, &house, error).exits(1);
        ran.prints("0 passed, 1 failed").says(error);
    }
    let refuses = "//! # Mine\nfn setup(scenario) { throw \"no aggressor\"; }\n";
    expecting(&scratch, refuses, "aggressor").succeeds();
    expecting(&scratch, refuses, "").exits(2).says("is empty, so any error would match");
}

#[test]
fn no_case_passes_under_rules_that_do_not_compile() {
    let scratch = shipped();
    let rules = "rules/territory/rules.rhai";
    scratch.edit(rules, "this.make_stacks()", "this.make_stakcs()");
    let ran = fracas("test territory").inside(scratch.path()).run().exits(1);
    ran.prints("0 passed, ").says("did you mean `make_stacks`?");
}

#[test]
fn a_wrong_system_key_is_warned_of_and_plays() {
    let scratch = shipped();
    let here = scratch.path();
    let check = || fracas("check territory --playouts 2 --nodes 100").inside(here).run().succeeds();
    scratch.edit("rules/territory/scenarios/border_clash.toml", "\"territory\"", "\"territry\"");
    scratch.edit("rules/territory/cases/edges.toml", "\"territory\"", "\"teritory\"");
    let ran = check().prints("0 errors, 2 warnings");
    let ran = ran.prints("border_clash.toml:").prints("unknown system `territry`; did you mean");
    ran.prints("cases/edges.toml:").prints("unknown system `teritory`; did you mean `territory`?");
    fracas("play territory/border_clash --seed 1").inside(here).run().succeeds();
    fracas("test territory").inside(here).run().succeeds();
    // A copied folder holds the old name, which is known.
    scratch.edit("rules/territory/scenarios/border_clash.toml", "\"territry\"", "\"war_die\"");
    scratch.edit("rules/territory/cases/edges.toml", "\"teritory\"", "\"territory\"");
    check().prints("0 errors, 0 warnings");
}

#[test]
fn a_house_rule_without_effect_is_refused() {
    let scratch = Scratch::empty();
    for (house, says) in [
        ("", "changes nothing: it has no function and no constant"),
        ("const NOBDY = \"x\";", "the constant `NOBDY` does nothing"),
        ("const NOBDY = \"x\";", "did you mean `NOBODY`?"),
        ("const A = 1; fn table() { super() }", "the constant `A` does nothing"),
    ] {
        scratch.write("mine.rhai", format!("//! # Mine\n{house}\n"));
        let run = "play territory/border_clash --seed 1 --house mine.rhai";
        fracas(run).inside(scratch.path()).run().exits(1).says(says).says("mine.rhai:");
    }
    for house in [
        "const NOBODY = \"none\";",
        "const A = 1; fn tie(a, b, c, d) { `${A}`; super(a, b, c, d) }",
    ] {
        scratch.write("mine.rhai", format!("//! # Mine\n{house}\n"));
        let run = "play territory/border_clash --seed 1 --house mine.rhai";
        fracas(run).inside(scratch.path()).run().succeeds();
    }
}

#[test]
fn a_wrong_cell_is_named_whoever_meets() {
    let scratch = Scratch::empty();
    scratch.write("pair.toml", format!("system = \"territory\"\n[setup]\n{PAIR}"));
    for (cell, says) in [
        ("t.aggressor.agressor = \"stay\"", "table.aggressor.agressor: no such token"),
        ("t.agressor = #{}", "table.agressor: no such token"),
        ("t.advocate.advocate = \"fly\"", "table.advocate.advocate: must be one of"),
        ("t.blank.advocate = \"stay\"", "table.blank.advocate: must be one of"),
        ("t.advocate.remove(\"blank\")", "table.advocate.blank: is missing"),
    ] {
        let house = format!("//! # Mine\nfn table() {{ let t = super(); {cell}; t }}\n");
        scratch.write("mine.rhai", house);
        let run = "play pair.toml --seed 1 --house mine.rhai";
        fracas(run).inside(scratch.path()).run().exits(1).says(says);
    }
}

/// The table is checked when the conflict opens, so that its place is the line of the house rule, and all
/// that is wrong with it is said at once.
#[test]
fn a_wrong_table_is_a_mistake_of_the_house_rule_that_has_it() {
    let scratch = shipped();
    let house = "//! # Mine\n\nfn table() {\n    let t = super();\n    t.advocate.advocate = \"fly\";\n    \
        t.aggressor.remove(\"blank\");\n    t\n}\n";
    scratch.write("rules/territory/house/mine.rhai", house);
    let at = "rules/territory/house/mine.rhai:3";
    for command in ["play", "odds", "bench"] {
        let run = format!("{command} territory/border_clash --house mine --seed 1");
        let run = if command == "odds" { run.replace(" --seed 1", "") } else { run };
        let ran = fracas(&run).inside(scratch.path()).run().exits(1);
        ran.says("table.aggressor.blank: is missing; table.advocate.advocate: must be one of")
            .says(at);
    }
    let ran =
        fracas("check territory --playouts 1 --nodes 100").inside(scratch.path()).run().exits(1);
    ran.prints("table.aggressor.blank: is missing").prints("house/mine.rhai:3").prints("1 error,");
}

#[test]
fn rules_check_themselves_on_the_state_after_the_setup() {
    let scratch = Scratch::with_duel();
    let rules = scratch.read("rules/duel/rules.rhai");
    let run = || fracas("play duel/one_round --seed 1").inside(scratch.path()).run();
    let with = |check: &str| {
        scratch
            .write("rules/duel/rules.rhai", format!("{rules}\nfn check_rules() {{\n{check}\n}}\n"));
    };
    let last = rules.lines().count() + 2;
    with("    []");
    run().succeeds();
    // It sees the state that `setup` made, and what it names has the place.
    with(
        "    if this.hands[this.players[0]] == cards() { [\"`cards`: too few\", \"so it is\"] } else { [] }",
    );
    let cards = 1 + rules.lines().position(|line| line.starts_with("fn cards()")).unwrap();
    run()
        .exits(1)
        .says("`cards`: too few; so it is")
        .says(&format!("rules/duel/rules.rhai:{cards}"));
    // What names nothing is at the function itself.
    with("    [\"nothing works\"]");
    run().exits(1).says("nothing works").says(&format!("rules/duel/rules.rhai:{last}"));
    // A house rule may override it.
    scratch.write("rules/duel/house/lax.rhai", "//! # Lax\nfn check_rules() { [] }\n");
    fracas("play duel/one_round --seed 1 --house lax").inside(scratch.path()).run().succeeds();
    for (check, says) in [
        ("    3", "`check_rules`: must return a list of texts"),
        // An error without a word helps nobody.
        ("    [\"  \"]", "`check_rules`: must return a list of texts, none of them empty"),
        ("    this.choose(\"red\", \"bid\", [1, 2]); []", "cannot be asked in check_rules"),
        ("    this.nonsense", "there is no field `nonsense`"),
    ] {
        with(check);
        run().exits(1).says(says);
    }
    // What is wrong with the setup is said of the setup.
    with("    [\"nothing works\"]");
    scratch.edit("rules/duel/scenarios/one_round.toml", "rounds =", "ronds =");
    run().exits(2).says("setup.rounds: is missing");
}

#[test]
fn a_constant_is_not_suggested_where_something_is_assigned() {
    let scratch = Scratch::with_duel();
    let rules = scratch.read("rules/duel/rules.rhai");
    for (line, says) in [
        ("x = LIMT;", "there is no variable `LIMT`; did you mean `LIMIT`?\n"),
        ("LIMT = 4;", "there is no variable `LIMT`\n"),
        ("LIMT.a = 4;", "there is no variable `LIMT`\n"),
        ("let limmit = 1; LIMMT = limmit;", "there is no variable `LIMMT`\n"),
        ("let limmit = 1; limmt = 4;", "there is no variable `limmt`; did you mean `limmit`?\n"),
        ("LIMIT = 4;", "`LIMIT` is a constant\n"),
        ("LIMIT.a = 4;", "`LIMIT` is a constant\n"),
    ] {
        let step = format!("fn step() {{ let x = 0; {line}");
        let text = format!("{}\nconst LIMIT = 3;\n", rules.replace("fn step() {", &step));
        scratch.write("rules/duel/rules.rhai", text);
        fracas("check duel --playouts 1 --nodes 200")
            .inside(scratch.path())
            .run()
            .exits(1)
            .prints(says);
    }
}

#[test]
fn what_only_an_agent_calls_is_not_misspelled() {
    // `sides` has no parameter: what has one is no misspelling of it.
    for (function, warns) in [("fn side(player) { player }", false), ("fn side() { [] }", true)] {
        let scratch = Scratch::with_duel();
        scratch.edit("rules/duel/rules.rhai", "fn step() {", &format!("{function}\nfn step() {{"));
        let ran = fracas("check duel --playouts 1 --nodes 200").inside(scratch.path()).run();
        let says = "nothing in these rules calls `side`; did you mean `sides`?";
        assert_eq!(ran.stdout.contains(says), warns, "{function}: {ran:?}");
        ran.prints(if warns { "0 errors, 1 warning\n" } else { "0 errors, 0 warnings\n" });
    }
}

#[test]
fn what_players_see_is_looked_at() {
    let scratch = Scratch::with_duel();
    for (house, says) in [
        ("fn view(player) { 3 }", "`view`: must return a map, got a whole number"),
        ("fn picture() { 3 }", "`picture`: must return a text, got a whole number"),
        (
            "fn outcome() { let end = this.super(); if end != () { end.utility.remove(\"blue\"); } end }",
            "`utility` lacks `blue`, asked or seated",
        ),
    ] {
        scratch.write("rules/duel/house/mine.rhai", format!("//! # Mine\n{house}\n"));
        let ran = fracas("check duel --seed 7").inside(scratch.path()).run().exits(1);
        let ran = ran.prints("house/mine.rhai:2:").prints(says).prints("1 error, 0 warnings");
        // It is told once, not once for each scenario.
        ran.prints("the same in 2 more scenarios");
    }
}

#[test]
fn a_replay_tells_of_another_end() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    fracas("play duel/strength --seed 5 --save saved.txt").inside(here).run().succeeds();
    let saved = scratch.read("saved.txt");
    scratch.write("other.txt", saved.replace("\"result\":\"", "\"result\":\"un"));
    fracas("replay other.txt").inside(here).run().succeeds().says("ends differently than recorded");
    let json = fracas("replay other.txt --json").inside(here).run().succeeds().json();
    assert_eq!(json["same"], json!(false));
    let lines: Vec<&str> = saved.lines().collect();
    let (end, rest) = lines.split_last().unwrap();
    scratch.write("short.txt", format!("{}\n{end}\n", rest[..rest.len() - 1].join("\n")));
    let ran = fracas("replay short.txt").inside(here).run().succeeds();
    ran.says("the history stops before its recorded end");
    fracas("replay saved.txt").inside(here).run().succeeds().says_nothing();
    let rule = lines.iter().position(|line| *line == "---").unwrap();
    scratch.write(
        "strange.txt",
        saved.replace("\n---\n", "\n---\n# a comment\n").replace(" show ", " throw "),
    );
    let ran = fracas("replay strange.txt").inside(here).run().exits(1);
    // The entry stands below the comment, which stands below the rule; lines count from 1.
    ran.says(&format!("diverges at entry 1 (strange.txt:{})", rule + 3));
}

#[test]
fn names_and_agents_parameters_are_refused_with_their_place() {
    let scratch = Scratch::empty();
    let here = scratch.path();
    let play = |key: &str| {
        let text = format!(
            "system = \"territory\"\n[setup]\n{key} = {{ tokens = 2 }}\nblack = {{ tokens = 2 }}\n"
        );
        scratch.write("names.toml", text);
        fracas("play names.toml --seed 1").inside(here).run().exits(2)
    };
    play("\"\"").says("a player must have a name");
    play("\"whi\\u0007te\"").says("holds a control character").says("names.toml:3");
    let seat = |agent: &str| {
        fracas(&format!("play war_die/ford --seed 1 --seat {agent}")).inside(here).run()
    };
    seat("red=bluffer(rate=\"x\")").exits(2).says("params.rate: must be a whole number");
    seat("red=bluffer(rate=20)").succeeds();
}

/// Plays one round of a duel with red's agent; says what red shows.
fn red_shows(scratch: &Scratch, options: &str) -> Ran {
    let run = format!("play duel/one_round --seed 1 --seat red=asker --seat blue=first {options}");
    fracas(&run).inside(scratch.path()).run()
}

#[test]
fn an_agent_asks_the_rules_in_force() {
    let scratch = Scratch::with_duel();
    let agent = "rules/duel/agents/asker.rhai";
    let best = "fn decide(view, decision) {\n    let best = decision.options[0];\n    \
        for card in decision.options {\n        if CALL { best = card; }\n    }\n    best\n}\n";
    for call in ["view.beats(card, best)", "beats(card, best)"] {
        scratch.write(agent, format!("//! # Asker\n{}", best.replace("CALL", call)));
        // The highest card of three, and under the house rule the lowest.
        red_shows(&scratch, "").succeeds().says("red shows 3");
        red_shows(&scratch, "--house low_wins").succeeds().says("red shows 1");
        red_shows(&scratch, "--house five_cards").succeeds().says("red shows 5");
    }
    // In a closure too; and nobody hears what the rules announce while it thinks.
    let rules = scratch.read("rules/duel/rules.rhai");
    let looked = "fn looked(card, other) { this.emit(\"a look\"); beats(card, other) }\n";
    scratch.write("rules/duel/rules.rhai", format!("{rules}{looked}"));
    let within =
        "fn decide(view, decision) { decision.options.filter(|card| view.looked(card, 2))[0] }\n";
    scratch.write(agent, format!("//! # Asker\n{within}"));
    let ran = red_shows(&scratch, "").succeeds().says("red shows 3");
    assert!(!ran.stderr.contains("a look"), "{ran:?}");
    scratch.write(agent, format!("//! # Asker\n{}", best.replace("CALL", "beats(card, best)")));
    // As exact odds have it: 3 beats 1 and 2 and ties 3.
    let odds = "odds duel/one_round --seat red=asker --seat blue=random --json";
    let odds = fracas(odds).inside(scratch.path()).run().succeeds().json();
    assert_eq!(odds["results"], json!({ "red": "2/3", "draw": "1/3" }));
    // One of its own goes before that of the rules.
    let own = format!(
        "//! # Asker\n{}fn beats(card, other) {{ card < other }}\n",
        best.replace("CALL", "beats(card, best)")
    );
    scratch.write(agent, own);
    red_shows(&scratch, "").succeeds().says("red shows 1");
}

#[test]
fn what_an_agent_cannot_ask_the_rules_is_said_at_its_line() {
    let scratch = Scratch::with_duel();
    let rules = scratch.read("rules/duel/rules.rhai");
    let more = "fn cards_of(player) { this.hands[player] }\nfn lead() { this.points.len() }\nfn round() { this.step() }\n\
        fn endless() { loop { } }\n";
    scratch.write("rules/duel/rules.rhai", format!("{rules}{more}"));
    let place = "rules/duel/agents/asker.rhai:4";
    for (call, says) in [
        ("view.cards_of(\"blue\")", "there is no field `hands`"),
        ("view.cards_of(\"blue\")", "in `cards_of` of the rules (rules/duel/rules.rhai:"),
        (
            "view.step()",
            "agents cannot call `step` of the rules, which leads to `choose_secretly`: call what only looks",
        ),
        (
            "view.round()",
            "agents cannot call `round` of the rules, which leads to `choose_secretly` by way of `step`",
        ),
        ("lead()", "`lead` uses `this`: write `view.lead()`"),
        ("view.laed()", "there is no function `laed`; did you mean `lead`?"),
        ("view.lead(1)", "`lead` is called with 1 argument; it takes 0"),
        ("view.endless()", "limit passed: more than"),
        (
            "this.roll(\"x\", \"y\", dice(\"1d6\"))",
            "an agent can neither ask, roll nor announce: `roll` is for rules",
        ),
        ("roll(\"x\")", "an agent can neither ask, roll nor announce: `roll` is for rules"),
        ("this.memory = 4", "an agent has no `this`: what it sees is `view`"),
        ("[1].map(|n| this.memory + n)", "an agent has no `this`: what it sees is `view`"),
        ("view.hnad", "there is no field `hnad`; did you mean `hand`?"),
    ] {
        let agent = format!(
            "//! # Asker\n\nfn decide(view, decision) {{\n    {call};\n    decision.options[0]\n}}\n"
        );
        scratch.write("rules/duel/agents/asker.rhai", agent);
        red_shows(&scratch, "").exits(1).says(says).says(place);
    }
}

#[test]
fn an_agent_plays_each_conflict_of_a_campaign_by_the_rules_that_are_on() {
    let scratch = Scratch::with_duel();
    let day = |name: &str, scenarios: &[&str]| {
        let conflicts = scenarios.iter().enumerate().map(|(number, scenario)| {
            format!("\n[[conflict]]\nname = \"{number}\"\nscenario = {scenario}\n")
        });
        let text = format!("title = \"A day\"\n{}", conflicts.collect::<String>());
        scratch.write(&format!("rules/duel/campaigns/{name}.toml"), text);
    };
    let (high, low) = ("\"one_round\"", "\"one_round\"\nhouse = [\"low_wins\"]");
    day("day", &[high, low, high, low]);
    let agent = |more: &str| {
        let text = format!(
            "//! # Asker\nfn decide(view, decision) {{\n    if beats(2, 1) {{ decision.options[0] }} \
             else {{ decision.options[1] }}\n}}\n{more}"
        );
        scratch.write("rules/duel/agents/asker.rhai", text);
    };
    let run = |name: &str| {
        let line = format!("play duel/{name} --seed 1 --seat red=asker --seat blue=first");
        fracas(&line).inside(scratch.path()).run()
    };
    agent("");
    // The first of two options is 1, the second 2; a 2 beats a 1 only where high cards win.
    let told = run("day").succeeds().stderr;
    let shown: Vec<&str> = told.lines().filter(|line| line.starts_with("red shows")).collect();
    assert_eq!(shown, ["red shows 1", "red shows 2", "red shows 1", "red shows 2"], "{told}");
    // Each of them must have what is called: what only a house rule has is unknown in the others.
    let bonus = "fn bonus() { 1 }\nfn beats(card, other) { card + bonus() > other }\n";
    scratch.write("rules/duel/house/bonus.rhai", format!("//! # Bonus\n\n{bonus}"));
    scratch.write(
        "rules/duel/agents/asker.rhai",
        "//! # Asker\nfn decide(view, decision) { bonus(); decision.options[0] }\n",
    );
    day("bonus", &["\"one_round\"\nhouse = [\"bonus\"]"]);
    run("bonus").succeeds();
    day("bonus", &[high, "\"one_round\"\nhouse = [\"bonus\"]"]);
    run("bonus").exits(1).says("there is no function `bonus`").says("agents/asker.rhai:2");
    agent("");
    // Of two systems it is not known whose function is meant.
    fracas("new other").inside(scratch.path()).run().succeeds();
    day("two", &[high, "\"other/one_round\""]);
    run("two")
        .exits(2)
        .says("calls `beats` of the rules, and the campaign plays both `duel` and `other`")
        .says("define `beats` in the agent, or play the conflicts one by one");
    agent("fn beats(card, other) { card > other }\n");
    run("two").succeeds();
    // Where each has a function of its own that is called, none of them is doubtful.
    let other = scratch.read("rules/other/rules.rhai").replace("beats", "tops");
    scratch.write("rules/other/rules.rhai", other);
    std::fs::remove_dir_all(scratch.file("rules/other/house")).unwrap();
    agent("fn more() { tops(2, 1) }\n");
    run("two")
        .exits(2)
        .says("calls `beats` of `duel` and `tops` of `other`")
        .says("define one of them in the agent");
}

#[test]
fn a_call_without_this_is_an_error_of_whoever_wrote_it() {
    let scratch = Scratch::with_duel();
    let run = |house: &str| {
        scratch.write("rules/duel/house/mine.rhai", format!("//! # Mine\n\n{house}\n"));
        fracas("play duel/one_round --seed 1 --house mine").inside(scratch.path()).run()
    };
    let at = "rules/duel/house/mine.rhai:4";
    let super_of =
        "the `view` below uses `this`, which it has only if it is called as `this.super(…)`";
    run("fn view(player) {\n    super(player)\n}").exits(1).says(super_of).says(at);
    run("fn view(player) {\n    this.super(player)\n}").succeeds();
    let called = "`mine` uses `this`: write `this.mine()`";
    run("fn laws() {\n    mine()\n}\nfn mine() { [`${this.rounds}`] }")
        .exits(1)
        .says(called)
        .says(at);
    // The rules call it without, so that the house rule is where it goes wrong.
    let bent = run("fn beats(card, other) {\n    this.rounds > 0\n}").exits(1).says(at);
    bent.says("`beats` has no `this` here, as it is called without one in rules/duel/rules.rhai:");
    run("fn beats(card, other) {\n    super(card, other)\n}").succeeds();
}

#[test]
fn the_agent_that_the_rules_name_plays_for_people_in_the_shell_at_the_prompt_and_in_the_lab() {
    let scratch = Scratch::with_duel();
    let run = |line: &str| fracas(line).inside(scratch.path()).run();
    let params = scratch.read("rules/duel/params.toml");
    let names = |agent: &str| {
        scratch.write("rules/duel/params.toml", params.replace("\"middle\"", agent));
    };
    names("\"highest\"");
    // Who sets the highest card never loses the one round, and beats the middle one.
    let line = "odds duel/one_round --seat blue=middle --seat red=";
    let ran = run(&format!("{line}human --json")).succeeds();
    assert_eq!(ran.json(), run(&format!("{line}highest --json")).succeeds().json());
    assert_eq!(ran.json()["results"]["red"], "1");
    let said = "`highest` plays for people: `red`";
    ran.says(said);
    let lab = fracas("-e").with("scenario(\"war_die/ford\").odds()").run().succeeds();
    lab.says("`cautious` plays for people: `red`");
    let lines = ":open duel/one_round --seat red=human --seat blue=middle\n:odds\n";
    let typed = fracas("").inside(scratch.path()).typing(lines);
    typed.says("red (you) plays as `highest`, blue as `middle`");

    names("\"highset\"");
    let ran = run(&format!("{line}human")).exits(2);
    ran.says("unknown agent `highset`; did you mean `highest`?").says("params.toml:2:17");
    run(&format!("{line}middle")).succeeds();
    names("\"human\"");
    run(&format!("{line}middle")).says("`default_agent` must be an agent").says("params.toml:2");
}

#[test]
fn a_broken_case_file_hides_no_result_of_the_others() {
    let scratch = shipped();
    scratch.edit("rules/territory/cases/edges.toml", "[[case]]", "[[cas]]");
    scratch.edit("rules/attrition/cases/errors.toml", "[[case]]", "[[case]");
    let files = ["territory/cases/edges", "attrition/cases/errors", "attrition/cases/params"];
    let files = files.map(|file| format!("rules/{file}.toml")).join(" ");
    let all = fracas(&format!("test {files}")).inside(scratch.path()).run().exits(2);
    let all = all.prints(" passed, 0 failed").says("edges.toml").says("errors.toml");
    assert!(!all.stdout.starts_with("0 passed"), "{}", all.stdout);
    // Alone it is the only error.
    let alone = fracas("test rules/territory/cases/edges.toml").inside(scratch.path()).run();
    alone.exits(2).prints_nothing().says("edges.toml");
}

#[test]
fn a_path_that_leads_nowhere_is_no_system() {
    let scratch = Scratch::empty();
    for line in ["check /nonexistent/x", "odds /nonexistent", "check ./nope", "odds ../nope/x"] {
        let path = line.split(' ').next_back().unwrap();
        let ran = fracas(line).inside(scratch.path()).run().exits(2);
        ran.says(&format!("cannot read `{path}`"));
    }
    fracas("odds nowhere/x").run().exits(2).says("unknown system `nowhere`");
}

#[test]
fn a_scenario_by_path_is_played_under_the_rules_that_it_is_in_by_every_command() {
    let scratch = Scratch::with_duel();
    std::fs::create_dir_all(scratch.file("far")).unwrap();
    std::fs::rename(scratch.file("rules/duel"), scratch.file("far/mine")).unwrap();
    let one = "far/mine/scenarios/one_round.toml";
    scratch.edit(one, "\"duel\"", "\"mine\"");
    for line in [
        "check ONE",
        "odds ONE",
        "compare ONE --house low_wins",
        "play ONE --seed 1 --save a.history",
        "replay a.history",
    ] {
        fracas(&line.replace("ONE", one)).inside(scratch.path()).run().succeeds();
    }
    let lab = format!("print(scenario(\"{one}\").house(\"low_wins\").odds());");
    for lines in [
        format!(":open {one}\n:odds\n:house low_wins\n"),
        ":load a.history\n:house low_wins\n".to_owned(),
        format!("{lab}\n"),
    ] {
        let ran = fracas("").inside(scratch.path()).typing(&lines).succeeds();
        assert!(!ran.stderr.contains("error"), "{lines}: {}", ran.stderr);
    }
    let spec = format!(
        "scenarios = [\"{one}\"]\nagents = [\"random\", \"first\"]\nformat = \"round_robin\"\ngames = 2\nseed = 1\n"
    );
    scratch.write("league.toml", spec);
    fracas("tournament league.toml").inside(scratch.path()).run().succeeds();
}

#[test]
fn a_key_of_the_setup_that_is_taken_for_a_parameter_is_named() {
    for line in [
        "sweep last_stand/bridge relevant_skill=fight,run",
        "tune last_stand/bridge --vary relevant_skill=fight,run --want fairness",
        "compare last_stand/bridge --variant relevant_skill=fight",
    ] {
        let ran = fracas(line).run().exits(2);
        ran.says("no such parameter; did you mean `setup.relevant_skill`?");
    }
    // One that the rules read with a default is in no file.
    for line in
        ["sweep war_die/ford start=2..4", "tune war_die/ford --vary start=2..4 --want fairness"]
    {
        let ran = fracas(line).run().exits(2);
        ran.says("; a value of the setup is written `setup.start`");
    }
}

#[cfg(unix)]
#[test]
fn a_promotion_that_fails_prints_nothing_as_written() {
    let scratch = shipped();
    let rules = "rules/war_die/turns.rhai";
    let mut rights = std::fs::metadata(scratch.file(rules)).unwrap().permissions();
    rights.set_readonly(true);
    for file in ["rules", "turns", "setup", "abilities", "alliances", "ending"] {
        let file = scratch.file(&format!("rules/war_die/{file}.rhai"));
        std::fs::set_permissions(file, rights.clone()).unwrap();
    }
    let lines = ":open war_die/ford\n:house promote half_price write\n";
    let ran = fracas("").inside(scratch.path()).typing(lines).exits(2);
    let ran = ran.says("it is read-only");
    assert!(!ran.stdout.contains("what was written"), "{}", ran.stdout);
}

/// White does not see black's one token, which the setup fixes.
#[test]
fn odds_do_not_weigh_what_is_fixed() {
    let scratch = Scratch::empty();
    let setup = "[setup]\nwhite = { tokens = 1 }\nblack = { stack = STACK }\n";
    let text =
        format!("system = \"territory\"\ntitle = \"t\"\n{setup}[seats]\nwhite = \"human\"\n");
    scratch.write("fixed.toml", text.replace("STACK", "[\"advocate\"]"));
    let drawn = "{ one_of = [[\"advocate\"], [\"aggressor\"]] }";
    scratch.write("drawn.toml", text.replace("STACK", drawn));
    for (file, known, weighed) in [("fixed.toml", 1, 0), ("drawn.toml", 0, 1)] {
        let lines = format!(":open {file}\n:odds random\n");
        let ran = fracas("").inside(scratch.path()).typing(&lines).succeeds();
        assert_eq!(ran.stderr.matches("which the setup fixes").count(), known, "{file}");
        assert_eq!(ran.stderr.matches("what is hidden is weighed").count(), weighed, "{file}");
    }
}

#[test]
fn types_are_named_in_words() {
    for (wrong, words) in [
        ("this.emit_each([1])", "got a whole number"),
        ("this.d = dice(\"1d6\")", "is a distribution, which is not plain data"),
        ("this.d = [1, 2][0..1]", "expected a whole number, got a range"),
    ] {
        let scratch = shipped();
        let head = "fn step() {";
        scratch.edit("rules/war_die/turns.rhai", head, &format!("{head}\n    {wrong};"));
        let ran = fracas("play war_die/ford --seed 1").inside(scratch.path()).run();
        let ran = ran.exits(1).says(words);
        assert!(!ran.stderr.contains("i64") && !ran.stderr.contains("Dist"), "{}", ran.stderr);
    }
}

#[test]
fn the_shell_knows_what_the_language_brings_along() {
    let told = fracas("doc trim --plain").run().succeeds();
    assert!(!told.stdout.contains("```"), "{}", told.stdout);
    told.prints("Remove whitespace characters from both ends").prints("text.trim();");
    fracas("doc trin").run().exits(2);
}

#[test]
fn an_exact_portrait_with_matches_of_agents_says_their_seed() {
    let line = "portrait war_die/ford --measure skill --seed 7 --plain";
    let told = fracas(line).run().succeeds();
    told.prints("exact; 95 % intervals are from playouts, seed 7");
    let length = fracas("portrait war_die/ford --measure length --seed 7").run().succeeds();
    assert!(!length.stdout.contains("seed"), "nothing of it is sampled: {}", length.stdout);
}

#[test]
fn a_line_of_the_shell_is_known_at_the_prompt() {
    for line in ["fracas compare", "fracas compare war_die/ford --house half_price"] {
        let ran = fracas("--plain").typing(&format!("{line}\n"));
        ran.says("unknown name `compare`; did you mean `:compare`?");
    }
}

#[test]
fn agents_that_would_play_for_ever_end_the_ladder_of_skill_and_not_the_portrait() {
    let scratch = Scratch::empty();
    // Whoever throws loses more often than not: those who think ahead pass, and pass.
    let rules = "fn setup(scenario) { #{ turn: 0, won: () } }\n\
        fn step() {\n    let who = [\"ann\", \"bob\"][this.turn];\n    \
        if this.choose(who, \"act\", [\"throw\", \"pass\"]) == \"throw\" {\n        \
        this.won = if this.roll(who, \"die\", dice(\"1d6\")) == 6 { this.turn } else { 1 - this.turn };\n    }\n    \
        this.turn = 1 - this.turn;\n}\n\
        fn outcome() {\n    if this.won == () { return; }\n    let ann = if this.won == 0 { 1 } else { -1 };\n    \
        #{ result: if ann > 0 { \"ann\" } else { \"bob\" }, utility: #{ ann: ann, bob: -ann } }\n}\n";
    scratch.write("rules/waits/rules.rhai", rules);
    scratch
        .write("rules/waits/scenarios/one.toml", "system = \"waits\"\nendless = true\n[setup]\n");
    let line =
        "portrait waits/one -n 200 --measure skill --seed 1 --seat ann=random --seat bob=random";
    let ran = fracas(line).inside(scratch.path()).run();
    ran.succeeds().prints("the ladder of skill ends below `");
}

#[test]
fn a_misspelt_key_of_a_scenario_is_the_place_that_is_shown() {
    let scratch = Scratch::empty();
    let head = "system = \"territory\"\ntitle = \"t\"\n";
    scratch.write(
        "setting.toml",
        format!("{head}params = {{ winner_takes_al = true }}\n[setup]\n{PAIR}"),
    );
    fracas("odds setting.toml").inside(scratch.path()).run().exits(2).says("setting.toml:3:12");
    let wars = "wars = [{ attacker = \"red\", defender = \"blue\", regon = \"ford\" }]";
    let ford = include_str!("../../rules/war_die/scenarios/ford.toml");
    let written = "wars = [{ attacker = \"red\", defender = \"blue\", region = \"ford\" }]";
    scratch.write("ford.toml", ford.replace(written, wars));
    let ran = fracas("odds ford.toml --seat red=random").inside(scratch.path()).run().exits(2);
    ran.says("if `regon` is meant to be it").says("ford.toml:4:48");
}

/// The table around it, in a file that holds another value, is not to blame.
#[test]
fn a_value_that_was_changed_has_the_place_of_the_line_that_changed_it() {
    let scratch = Scratch::with_duel();
    let ran = fracas("").inside(scratch.path()).typing(":open duel/three_rounds\n:set rounds=9\n");
    let message = "setup.rounds: must be a whole number from 1 to 3, got 9\n --> stdin:2:1";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    let odds = "odds duel/three_rounds --set rounds=9";
    let ran = fracas(odds).inside(scratch.path()).run().exits(2);
    assert!(!ran.stderr.contains("three_rounds.toml"), "{}", ran.stderr);
    // A key that is not there has that place.
    scratch.edit("rules/duel/scenarios/three_rounds.toml", "rounds = 3", "");
    let ran = fracas("odds duel/three_rounds").inside(scratch.path()).run().exits(2);
    ran.says("setup.rounds: is missing").says("three_rounds.toml:");
}

#[test]
fn what_a_script_says_at_its_end_is_printed_as_it_is() {
    let scratch = Scratch::empty();
    scratch.write("end.rhai", "let text = \"a \\\"die\\\"\\nfell\";\ntext\n");
    let run = |line: &str| fracas(line).inside(scratch.path()).run().succeeds();
    assert_eq!(run("run end.rhai").stdout, "a \"die\"\nfell\n");
    assert_eq!(run("run end.rhai --json").json(), json!("a \"die\"\nfell"));
    // The prompt shows values.
    assert_eq!(fracas("").typing("\"a\"\n").succeeds().stdout, "\"a\"\n");
}

#[test]
fn the_portrait_of_an_exact_candidate_is_shown_without_playouts() {
    let line = "tune war_die/ford --vary tie --want 'length = 3 within 1' -n 20 --seed 3";
    let ran = fracas(line).run().succeeds();
    let ran = ran.prints("; exact").prints("fracas portrait war_die/ford --param tie=");
    assert!(!ran.stdout.contains(" --seed "), "{}", ran.stdout);
}

#[test]
fn of_two_solutions_the_counts_of_strategies_say_whose_they_are() {
    let scratch = Scratch::empty();
    let one = "[setup]\nwhite = { tokens = 1 }\nblack = { tokens = 1 }\n";
    scratch.write("one.toml", format!("system = \"territory\"\ntitle = \"t\"\n{one}"));
    let solve = |line: &str| fracas(line).inside(scratch.path()).run().succeeds();
    let ran = solve("solve one.toml --house deserters");
    let ran = ran.says("under the rules as they are, pure strategies: 3 for white, 3 for black\n");
    ran.says("under the changed rules, pure strategies: 3 for white, 3 for black\n");
    assert!(solve("solve one.toml").stderr.starts_with("pure strategies: 3 for white"));
}

#[cfg(unix)]
#[test]
fn an_editor_that_is_not_there_is_said_in_words() {
    let scratch = shipped();
    let ran =
        fracas("").inside(scratch.path()).where_is("VISUAL", "").where_is("EDITOR", "nonesuch");
    let ran = ran.typing(":open war_die/ford\n:edit step\n");
    let said = ran
        .says("`nonesuch` does not start: no such file or directory; the place is rules/war_die/");
    assert!(!said.stderr.contains("os error"), "{}", said.stderr);
}

#[test]
fn a_region_next_to_nothing_has_a_dash() {
    let scratch = Scratch::empty();
    let ford = include_str!("../../rules/war_die/scenarios/ford.toml");
    let alone = ford.replace("ford = [\"hills\"]", "ford = []");
    scratch.write("alone.toml", alone);
    let ran = fracas("play alone.toml --seat red=cautious --seed 1").inside(scratch.path()).run();
    ran.succeeds().says("  next to -\n");
}

#[test]
fn a_hint_at_the_last_decision_is_exact() {
    let typed =
        ":open rock_paper_scissors/once --seat ann=human --seat bob=human\nrock\n:reveal\n:hint\n";
    let line = format!("--rules {}", crate::support::path("tests/fixtures/rules").display());
    let ran = fracas(&line).typing(typed).succeeds();
    ran.prints("exact, as `:odds` says: rock\n(0), paper (0), scissors (0)");
}
