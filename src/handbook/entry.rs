//! The entries of the handbook: functions in families, those that rules must define among them.

use serde::Serialize;

use crate::error::Location;
use crate::rulebook::leading;
use crate::script::primitives::{self, Doc};
use crate::script::{EFFECTS, READER, distributions};

pub(crate) const CONTRACT_FAMILY: &str = "contract";

/// The family of what a session's own lines defined.
pub(crate) const YOURS: &str = "yours";

/// The family of what the language brings along.
pub(crate) const LANGUAGE: &str = "language";

/// The family of what experiment scripts and the prompt call beside the primitives.
pub(crate) const LAB: &str = "lab";

pub(crate) const MEASURES: &str = "measures";

pub(crate) const WISHES: &str = "wishes";

/// What people may read of one function. One with several forms has one of these for each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandbookEntry {
    /// The family it belongs to: `contract`, `effects`, `setup`, …; of a system's own function
    /// the system's name.
    pub family: String,
    pub name: String,
    /// How it is called: `fewest_first(counts: map, order: list) -> list`.
    pub signature: String,
    /// What it does; the first sentence says it in short.
    pub text: String,
    /// Lines of code; empty where there is none.
    pub example: String,
    #[serde(flatten)]
    pub at: Option<Location>,
}

impl HandbookEntry {
    /// The first sentence of the text on one line, with the clauses before it.
    pub(crate) fn summary(&self) -> String {
        let first = self.text.split("\n\n").next().unwrap_or_default();
        let (_, said) = leading(first);
        let (cited, _) = first.split_at(first.len() - said.len());
        let mut sentence: Vec<&str> = cited.split_whitespace().collect();
        let begins = sentence.len();
        for word in said.split_whitespace() {
            sentence.push(word);
            // A letter with a full stop behind it is short for something.
            let is_said = |word: &&str| word.chars().filter(|c| c.is_lowercase()).count() > 1;
            if word.ends_with(['.', '!', '?']) && sentence[begins..].iter().any(is_said) {
                break;
            }
        }
        sentence.join(" ")
    }

    /// How it is called, without kinds: `fewest_first(counts, order)`.
    pub fn call(&self) -> String {
        let (call, _) = self.signature.split_once(" -> ").unwrap_or((&self.signature, ""));
        let Some((name, rest)) = call.split_once('(') else { return call.to_owned() };
        let names = rest.trim_end_matches(')').split(", ");
        let names: Vec<&str> = names.map(|one| one.split(':').next().unwrap_or(one)).collect();
        format!("{name}({})", names.join(", "))
    }

    /// The kind of value behind which it can be called with a dot: that of its first argument, or the word
    /// before the dot; none for a function without arguments.
    pub(crate) fn takes_first(&self) -> Option<&str> {
        let (name, rest) = self.signature.split_once('(')?;
        if let Some((receiver, _)) = name.split_once('.') {
            return Some(receiver);
        }
        let first = rest.split([',', ')']).next().filter(|first| !first.trim().is_empty())?;
        Some(first.split_once(':').map_or("any", |(_, kind)| kind.trim()))
    }

    pub fn place(&self) -> Option<String> {
        self.at.as_ref().map(|at| format!("{}:{}", at.file, at.line))
    }

    /// An entry that no script defines.
    pub fn plain(family: &str, signature: &str, text: &str, example: &str) -> HandbookEntry {
        let called = signature.split('(').next().unwrap_or_default();
        HandbookEntry {
            family: family.to_owned(),
            name: called.rsplit(['.', ' ']).next().unwrap_or_default().to_owned(),
            signature: signature.to_owned(),
            text: text.to_owned(),
            example: example.to_owned(),
            at: None,
        }
    }
}

impl From<Doc> for HandbookEntry {
    fn from(doc: Doc) -> HandbookEntry {
        HandbookEntry {
            family: doc.family.to_owned(),
            name: doc.name,
            signature: doc.signature,
            text: doc.text,
            example: doc.example,
            at: None,
        }
    }
}

/// All that a script can define or call, family by family.
pub(crate) fn entries() -> Vec<HandbookEntry> {
    let contract = CONTRACT.iter().map(|(signature, text, example)| {
        HandbookEntry::plain(CONTRACT_FAMILY, signature, text, example)
    });
    let pairs = |family: &'static str, pairs: &'static [(&'static str, &'static str)]| {
        pairs.iter().map(move |(signature, text)| HandbookEntry::plain(family, signature, text, ""))
    };
    contract
        .chain(pairs("effects", &EFFECTS))
        .chain(pairs("setup", &READER))
        .chain(distributions().into_iter().map(HandbookEntry::from))
        .chain(primitives::documentation().into_iter().map(HandbookEntry::from))
        .collect()
}

/// The families in the order of the entries, each with what it is about.
pub(crate) fn families(entries: &[HandbookEntry]) -> Vec<(&str, &'static str)> {
    let mut families: Vec<(&str, &'static str)> = Vec::new();
    for entry in entries {
        if families.iter().all(|(name, _)| *name != entry.family) {
            families.push((&entry.family, about(entry)));
        }
    }
    families
}

fn about(entry: &HandbookEntry) -> &'static str {
    match entry.family.as_str() {
        CONTRACT_FAMILY => "what rules, house rules and agents define",
        "effects" => "how rules ask and announce; `this` is the state",
        "setup" => "how `setup(scenario)` reads the scenario",
        "distributions" => "what may fall",
        "campaign" => "primitives for the script of a campaign",
        LAB => "what scripts of the lab and lines of the prompt call",
        MEASURES => "what `fracas portrait` measures",
        WISHES => "what `fracas tune` searches for",
        YOURS => "what lines of this session defined",
        LANGUAGE => "what Rhai brings along",
        _ if entry.at.is_some() => "functions of the open rules",
        _ => "primitives: functions on plain data",
    }
}

/// Signature, text and example of each function of the contract.
pub(super) const CONTRACT: [(&str, &str, &str); 13] = [
    (
        "fn setup(scenario)",
        "Returns the state from which the conflict starts.\nThe state is a map of plain data: maps, lists, texts, whole numbers, truth values. `scenario` is read with the functions of the family `setup`. It may ask, to deal a hand.",
        "fn setup(scenario) { #{ players: scenario.words(\"players\"), round: 0 } }",
    ),
    (
        "fn step()",
        "Plays one step, and asks on the way; `this` is the state.\nA step is what people at the table would call one: a round, a turn, a war. Between two steps everything is in the state.",
        "fn step() { this.bid = this.choose(this.player, \"bid\", [1, 2, 3]); }",
    ),
    (
        "fn outcome()",
        "Returns how the conflict ended, or nothing while it continues; `this` is the state.\nThe outcome is a map with `result`, a text, and `utility`, a number for each player, or an exact fraction as of `ratio(1, 3)`. It may have `parts`, player -> label -> number: what each utility is made of, which must sum to it, as in `parts: #{ red: #{ ford: 3, \"2 mana paid\": -4 } }` beside `utility: #{ red: -1 }`. Labels are for people, who read `ford +3`. All else is the system's own. It must not ask.",
        "fn outcome() { if this.round == 3 { #{ result: \"draw\", utility: #{ red: 0, blue: 0 } } } }",
    ),
    (
        "fn view(player)",
        "Returns what a player may see of `this`; without it everybody sees the whole state.\nAgents get only this, so what it leaves out is hidden from them. It must not ask.",
        "fn view(player) { #{ hand: this.hands[player], table: this.table } }",
    ),
    (
        "fn picture()",
        "Returns a text that shows `this` to people; without it a player who is asked is shown what `view` returns. A \
         picture of two columns, separated by ` |` at the same place in each line, is printed one below the other on \
         a narrow terminal.",
        "fn picture() { `red ${this.points.red}, blue ${this.points.blue}` }",
    ),
    (
        "fn drawing()",
        "Returns a list of shapes that show `this` on pages and in SVG files; it may be left out. A player's \
         drawing shows only what `view` returns.\nA shape is a map with one of these keys, and the list is drawn from its first shape \
         on: `rect: [x, y, width, height]`, `circle: [x, y, radius]`, `line: [x1, y1, x2, y2]`, `path: [[x, y], …]`, \
         `text: \"…\"` with `at: [x, y]`. A unit is the height of a line; y runs downwards; the drawing is as large \
         as its shapes. `fill` and `stroke` name a colour: `blue`, `orange`, `green`, `purple`, `red`, `teal`, \
         `yellow`, `brown`, `pink`, `grey`, `black`, `white`, or one that adapts to dark mode: `ink`, `soft`, `line`, \
         `card`, `paper`; `colours(names)` finds one for each player. `faint: true` draws all but a `line` half \
         transparent, `width` is that of a line, which may be `dashed: true`, `round` that of corners of a `rect`. A `rect` or `circle` \
         may have a `label` in its middle, which is made smaller or cut where it has no room. A `text` has its middle \
         line at `at`; `align` is `left`, `middle` or `right`, `room` the most width, `on` the colour that it is on. \
         `size` is the height of letters (0.8), `bold: true` is possible. At most 1,000 shapes, 200 points of a \
         path, and 1,000 units from [0, 0]; of a text the first 10 lines and 200 characters of each are drawn.",
        "fn drawing() { [#{ circle: [2, 2, 2], fill: \"red\", label: this.points.red }, #{ text: \"red\", at: [5, 2] }] }",
    ),
    (
        "fn wording(player, question, options)",
        "Returns the texts of a question for the person who is asked; it may be left out.\n`this` is what the player may see, as `view` returns it. The map may have `text`, the question in a player's words; `help`, a line that explains it; and `options`, a map from the name of an option to its text, or to a map with `text` and `help`. True and false have the names `yes` and `no`. Names stay what they are in histories, for agents and in JSON. It is called only where a person is asked; it must not ask, and a mistake in it ends no conflict.",
        "fn wording(player, question, options) { #{ text: `${this.attacker} attacks you with ${this.tokens}. Do you defend?`, options: #{ yes: #{ text: \"defend the city\", help: \"It costs a token.\" }, no: \"give the city up\" } } }",
    ),
    (
        "fn laws()",
        "Returns a list of texts, one for each law that `this` breaks; it may be left out.\n`fracas check` tests it in every state of each scenario, under every answer and every roll, where there are not too many (`--nodes`), else in random playouts: tokens lost, a resource below 0. What breaks is shown with the shortest history that leads there.",
        "fn laws() { if this.stock < 0 { [`the stock is ${this.stock}`] } else { [] } }",
    ),
    (
        "fn reachable()",
        "Returns a map from names to true or false, the same names in every state, for what must be possible somewhere; it may be left out.\nEach name must be true in some state of some scenario. `fracas check` names those that are not, and shows the fewest answers that lead to the others; of one scenario it also says which are not reachable there.",
        "fn reachable() { #{ \"red loses everything\": this.stock == 0 } }",
    ),
    (
        "fn check_rules()",
        "Returns a list of texts, one for each mistake in the rules themselves; it may be left out.\nIt runs once when a conflict is opened, `this` being the state after `setup`, and each text is an error in the rules: a table that a house rule replaced lacks a cell. A text that begins with the name of a function or a constant, as `table.rock.paper: is missing` does, is reported at that one. Where `setup` asks, it is answered at random. A house rule may override it. It must not ask.",
        "fn check_rules() { if this.prices().len == 0 { [\"prices: nothing is for sale\"] } else { [] } }",
    ),
    (
        "fn sides()",
        "Returns which players one seat answers for; without it each player answers alone.\n`solve` takes a side as one player, who remembers what each of its players saw and did: where partners hide things from each other, as hands of their own, it has no solution.",
        "fn sides() { #{ wolves: [\"ayla\", \"bren\"], shadows: [\"cato\"] } }",
    ),
    (
        "fn params()",
        "Returns the parameters that a house rule changes, or those that an agent has.",
        "fn params() { #{ mana_value: 3 } }",
    ),
    (
        "fn decide(view, decision)",
        "An agent's answer: one of the options, or a distribution over options.\n`view` is what the player may see; `decision` has `player`, `name` and `options`. Only agents define it.",
        "fn decide(view, decision) { decision.options[0] }",
    ),
];

#[cfg(test)]
mod tests {
    use super::{CONTRACT, *};
    use crate::script;

    #[test]
    fn every_entry_has_a_name_a_signature_and_a_sentence() {
        for entry in entries() {
            let plain = |c: char| c.is_alphanumeric() || c == '_';
            assert!(!entry.name.is_empty() && entry.name.chars().all(plain), "{entry:?}");
            assert!(entry.signature.contains(&format!("{}(", entry.name)), "{entry:?}");
            assert!(entry.summary().ends_with('.'), "{entry:?}");
        }
    }

    #[test]
    fn the_summary_is_the_first_sentence_wherever_its_lines_end() {
        let summary = |text| HandbookEntry::plain("any", "f()", text, "").summary();
        assert_eq!(summary("N1, N2. The first\nsentence. Another."), "N1, N2. The first sentence.");
        assert_eq!(
            summary("N3 to N8. What becomes\nof it. More."),
            "N3 to N8. What becomes of it."
        );
        assert_eq!(summary("N1 and N4.\n\nMore."), "N1 and N4.");
        assert_eq!(summary("No end\n\nMore."), "No end");
        assert_eq!(summary(""), "");
    }

    #[test]
    fn a_function_is_called_behind_its_first_argument() {
        for (signature, kind) in [
            ("count_of(list: list, value: any) -> whole number", Some("list")),
            ("scenario.odds() -> map", Some("scenario")),
            ("twice(n)", Some("any")),
            ("PI() -> number", None),
        ] {
            assert_eq!(HandbookEntry::plain("any", signature, "", "").takes_first(), kind);
        }
    }

    #[test]
    fn a_call_is_a_signature_without_kinds() {
        for (signature, call) in [
            ("fn step()", "fn step()"),
            ("surplus(a: number, b: number) -> number", "surplus(a, b)"),
            ("this.roll(name, distribution)", "this.roll(name, distribution)"),
            ("x", "x"),
        ] {
            assert_eq!(HandbookEntry::plain("any", signature, "", "").call(), call);
        }
    }

    #[test]
    fn the_contract_comes_first_and_each_family_once() {
        let all = entries();
        let names: Vec<String> =
            families(&all).into_iter().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names[..5], ["contract", "effects", "setup", "distributions", "campaign"]);
        let mut once = names.clone();
        once.dedup();
        assert_eq!(once, names);
    }

    #[test]
    fn every_function_of_the_contract_is_there_with_its_parameters() {
        for (name, arity) in script::CONTRACT {
            let (signature, ..) = CONTRACT
                .iter()
                .find(|(signature, ..)| signature.starts_with(&format!("fn {name}(")))
                .unwrap_or_else(|| panic!("{name} is not there"));
            let inside = signature.split(['(', ')']).nth(1).unwrap();
            assert_eq!(inside.split(',').filter(|word| !word.is_empty()).count(), arity);
        }
    }
}
