//! Tests that each house rule, shipped or a player's own, changes exactly what it says.

use std::fs;
use std::path::Path;

use fracas::cases;
use fracas::catalog::{Catalog, FileText, Scenario, Setting};
use fracas::check::Check;
use fracas::conflict::{Changes, Conflict};
use fracas::error::Error;
use fracas::game::{Generator, Outcome, Value};
use fracas::graph::{Always, SeatedAgents};
use fracas::script::Limits;

use crate::support::{catalog, path, play, share_of, told};

/// A border conflict between stacks, under house rules and parameters.
struct Border {
    stacks: String,
    changes: Changes,
}

impl Border {
    fn between(white: &str, black: &str) -> Border {
        let list = |stack: &str| {
            let words: Vec<String> = stack.split_whitespace().map(|w| format!("{w:?}")).collect();
            format!("{{ stack = [{}] }}", words.join(", "))
        };
        let stacks = format!("white = {}\nblack = {}\n", list(white), list(black));
        Border { stacks, changes: Changes::default() }
    }

    fn under(mut self, house: &str) -> Border {
        self.changes.house.push(house.to_owned());
        self
    }

    fn with(mut self, name: &str, value: &str) -> Border {
        let value = Value::from(value);
        self.changes.params.push(Setting { name: name.to_owned(), value, at: None });
        self
    }

    fn opened(&self, catalog: &Catalog) -> Result<Conflict, Error> {
        let text = format!("system = \"territory\"\n[setup]\n{}", self.stacks);
        let scenario = Scenario::parse("border", FileText { path: "border.toml".into(), text })?;
        Conflict::of(catalog, scenario, &self.changes, &Limits::default())
    }

    fn ends(&self) -> Outcome {
        let conflict = self.opened(&catalog()).unwrap();
        let mut seats =
            SeatedAgents::new(Generator::of(0)).side(["white", "black"], Box::new(Always::FIRST));
        let played = play(&conflict, |question| seats.choose(question));
        played.unwrap_or_else(|stop| panic!("{}", told(stop))).outcome
    }

    fn result(&self) -> String {
        self.ends().result
    }
}

/// Writes a player's own house rule into a temporary folder and returns its path.
fn own(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn a_house_rule_of_three_lines_replaces_one_cell_of_a_table() {
    let text = fs::read_to_string(path("rules/territory/house/turncoats.rhai")).unwrap();
    assert_eq!(text.lines().count(), 3, "the shortest house rule has a title, a reason, a rule");
    // Aggressors that pass each other keep their colours; turncoats take that of the ground.
    let meet = || Border::between("aggressor", "aggressor");
    assert_eq!(meet().result(), "swapped");
    assert_eq!(meet().under("turncoats").result(), "each");
    // The other cells are as they were: an advocate is overrun with and without the house rule.
    let overrun = || Border::between("aggressor isolationist", "advocate");
    assert_eq!(overrun().ends().value(), overrun().under("turncoats").ends().value());
}

#[test]
fn a_house_rule_calls_the_rule_below_it() {
    // White's territory ties 1 to 1: an advocate that stayed, an aggressor that came.
    let tie = || Border::between("advocate", "isolationist aggressor").with("tie_owner", "nobody");
    assert_eq!(tie().result(), "split");
    assert_eq!(tie().under("advocates_win_ties").result(), "white");
    // Without advocates it hands the tie to the rule below, which leaves it to nobody, or not.
    let others = || Border::between("aggressor isolationist", "aggressor isolationist");
    assert_eq!(others().under("advocates_win_ties").result(), "each");
    assert_eq!(others().under("advocates_win_ties").with("tie_owner", "nobody").result(), "split");
}

#[test]
fn who_owns_a_territory_and_which_tokens_are_lost_is_bent_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    // Black's territory: two aggressors above two advocates they overran, white, and an isolationist.
    let raid =
        || Border::between("aggressor aggressor isolationist", "advocate advocate isolationist");
    assert_eq!(raid().result(), "white");
    let tenacious = own(
        folder.path(),
        "tenacious.rhai",
        "//! # Tenacious\n//! One token of the own colour holds the ground.\n\
         fn owner(home, rival, land, colours) { if land[home] > 0 { home } else { this.super(home, rival, land, colours) } }\n",
    );
    assert_eq!(raid().under(&tenacious).result(), "each");
    // The aggressor falls, and the advocate it met turns white all the same.
    let deadly = own(
        folder.path(),
        "deadly.rhai",
        "//! # Deadly\n//! Who overruns an advocate falls.\n\
         fn table() { let t = super(); t.aggressor.advocate = \"lost\"; t }\n",
    );
    let ended = Border::between("aggressor isolationist", "advocate").under(&deadly).ends();
    let lands = ended.value().get("territories").unwrap();
    for (home, left) in [("white", "isolationist"), ("black", "advocate")] {
        let land = lands.get(home).unwrap();
        assert_eq!(land.get("owner"), Some(&Value::from("white")));
        assert_eq!(land.get("stack"), Some(&Value::List(vec![left.into()])));
    }
}

#[test]
fn house_rules_are_laid_in_order_each_on_the_one_below() {
    let folder = tempfile::tempdir().unwrap();
    let calm = own(
        folder.path(),
        "calm.rhai",
        "//! # Calm\n//! Nobody goes over to an isolationist.\n\
         fn table() { let t = super(); t.aggressor.isolationist = \"stay\"; t }\n",
    );
    let meet = || Border::between("aggressor aggressor", "aggressor isolationist");
    let stay = || meet().with("aggressors_meet", "stay");
    // Only the second match moves: white's second aggressor goes over and turns black.
    let utility = |border: Border| border.ends().utility["white"];
    assert_eq!(utility(stay()), -1.0);
    assert_eq!(utility(stay().under(&calm)), 0.0);
    // Both at once: in the first match they change places and colours, in the second nothing moves.
    // All tokens in white's territory are white, all in black's black.
    let both = stay().under("turncoats").under(&calm);
    assert_eq!((both.result(), both.ends().utility["white"]), ("each".to_owned(), 0.0));
    let turned = stay().under(&calm).under("turncoats");
    assert_eq!(turned.ends().value(), both.ends().value(), "these two do not touch each other");
}

#[test]
fn a_house_rule_may_change_parameters_alone_and_a_set_one_goes_before_it() {
    let meet = || Border::between("aggressor", "aggressor").under("quiet_border");
    assert_eq!(meet().result(), "each");
    assert_eq!(meet().with("aggressors_meet", "exchange").result(), "swapped");
}

#[test]
fn a_misspelled_house_rule_is_refused_with_the_nearest_name_and_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "//! # Turncoats\nfn tabel() { let t = super(); t.aggressor.aggressor = \"turn\"; t }\n";
    let wrong = own(folder.path(), "wrong.rhai", text);
    let refused = |house: &str| {
        let border = Border::between("aggressor", "aggressor").under(house);
        border.opened(&catalog()).err().expect("it is refused")
    };
    let error = refused(&wrong);
    assert_eq!(error.kind(), "dead_override");
    assert_eq!(error.suggestion(), Some("table"), "{error}");
    let at = error.location().expect("a place");
    assert_eq!((at.file.as_str(), at.line), (wrong.as_str(), 2));

    let arity = own(folder.path(), "arity.rhai", "//! # Ties\nfn tie(home, rival) { home }\n");
    let error = refused(&arity);
    assert_eq!(error.kind(), "dead_override");
    assert!(error.to_string().contains("4 parameters there, 2 here"), "{error}");

    // One that is not there is refused the same way.
    assert_eq!(refused("turncots").suggestion(), Some("turncoats"));
    assert_eq!(refused("none.rhai").kind(), "file");
}

#[test]
fn a_function_of_the_state_calls_the_one_below_as_this_super() {
    let folder = tempfile::tempdir().unwrap();
    let text = "//! # Razed\nfn meet() {\n    this.super();\n    this.territories.white.owner = NOBODY;\n}\n";
    let razed = own(folder.path(), "razed.rhai", text);
    assert_eq!(Border::between("aggressor", "aggressor").under(&razed).result(), "split");
}

/// The rules of `tests/house` are a designer's: one small function each, with the cases beside it.
#[test]
fn house_rules_that_designers_tried_work_at_one_function() {
    let catalog = catalog();
    for file in cases::find(&catalog, &[path("tests/house")]).unwrap() {
        let file = file.unwrap();
        let result = cases::run_file(&catalog, &file, &Limits::default()).unwrap();
        let failures: Vec<String> = result.failures.iter().map(cases::Failure::as_text).collect();
        assert!(failures.is_empty() && result.passed > 0, "{}", failures.join("\n"));
    }
}

/// Random play under them breaks no law, which a case does not look at.
#[test]
fn house_rules_that_designers_tried_keep_the_laws() {
    let catalog = catalog();
    let check = Check {
        catalog: &catalog,
        limits: &Limits::default(),
        seed: 1,
        playouts: share_of(20),
        nodes: 10_000,
        time: None,
        rules: &[],
        threads: 2,
        progress: &|_| (),
    };
    let mut checked = 0;
    for folder in catalog.folders() {
        let Ok(files) = fs::read_dir(path("tests/house").join(folder.name())) else { continue };
        for file in files.map(|file| file.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "rhai") {
                let found = check.house(folder, &file.display().to_string()).unwrap().findings;
                let found: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
                assert!(found.is_empty(), "{}: {}", file.display(), found.join("\n"));
                checked += 1;
            }
        }
    }
    assert!(checked > 10, "only {checked} house rules were found");
}
