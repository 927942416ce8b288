//! Tests the report page: it is complete, needs no other file, and escapes text of agents and
//! scripts.

use fracas::tournament::{FormatName, LeaguePage};

use super::*;

/// The page of a tournament that is played here; each of its notable games has a history.
fn page(spec: &Spec, panel: &dyn RefereeFactory, most: Option<u64>) -> String {
    let mut results = Results::in_memory(spec, &conditions(spec)).unwrap();
    drop(play(spec, &mut results, panel, 2, most));
    let state = replay(spec, &mut results, |_, _, _| Ok(())).unwrap();
    let mut notable = state.notable();
    for game in &mut notable {
        game.history = Some(format!("a cup#1.histories/game-{}.fracas", game.game.number));
    }
    let commands = ["fracas tournament cup.toml --report page.html".to_owned()];
    let identity = results.identity();
    LeaguePage { state: &state, identity, notable: &notable, unfinished: None, commands: &commands }
        .html()
}

/// The page of a tournament that stopped by its rule, with forfeits.
pub fn stopped() -> String {
    page(&spec(WITHIN), &QUICK, None)
}

/// The page of a tournament with an agent whose name is markup, without notable games.
pub fn hostile() -> String {
    let name = serde_json::to_string("<img src=x onerror=alert(1)>\u{202e}&\"'").unwrap();
    page(&spec(&EVEN.replace("\"a\"", &name)), &QUICK, None)
}

/// The page of a tournament before its first game.
pub fn empty() -> String {
    let spec = spec(EVEN);
    let results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    let state = fracas::tournament::TournamentState::new(&spec, &conditions(&spec));
    let unfinished = Some("it was interrupted before its first game");
    let identity = results.identity();
    LeaguePage { state: &state, identity, notable: &[], unfinished, commands: &[] }.html()
}

/// The page of a tournament in which nothing was sampled.
pub fn exact() -> String {
    let text = EVEN.replace(", \"hill\"", "");
    page(&spec(&text), &DicePanel { work: 0, exact: true }, None)
}

/// The page of a tournament of thirty agents; one has a very long name without a space, and one
/// with.
pub fn crowd() -> String {
    let mut names: Vec<String> = (2..30).map(|number| format!("agents/number_{number}")).collect();
    names.push("x".repeat(200));
    names.push("a way to play ".repeat(15));
    let spec = spec(&format!(
        "scenarios = [\"ford\", \"{}/hill3\"]\nagents = {}\nformat = \"round_robin\"\n\
         games = 2\nseed = 3\n",
        "long_winded".repeat(9),
        serde_json::to_string(&names).unwrap()
    ));
    page(&spec, &QUICK, Some(3_000))
}

/// What is printed of a tournament of 40 agents with names of 40 letters that call themselves as long, in this format.
fn of_forty(format: FormatName, (seats, games, width): (u32, u64, usize)) -> String {
    let name = |agent| format!("\"an_agent_of_a_long_name_{agent:0>16}\"");
    let names: Vec<String> = (0..40).map(name).collect();
    let scenario = if seats == 2 { "ford".to_owned() } else { format!("isles{seats}") };
    let text = format!(
        "title = \"Forty\"\nscenarios = [\"{scenario}\"]\nagents = [{}]\nformat = \"{}\"\ngames = {games}\n",
        names.join(", "),
        format.word()
    );
    let spec = spec(&text);
    let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    let state = play(&spec, &mut results, &QUICK, 2, None).state;
    let mut standings = Standings::of(&state);
    for row in &mut standings.rows {
        row.program = Some("a program that says much about itself 2.1".to_owned());
    }
    standings.report(&state).text(width, true)
}

#[test]
fn forty_agents_of_long_names_fit_on_sixty_lines_in_every_format() {
    let formats = FormatName::ALL.map(|format| (format, 2, 2));
    let more = [
        (FormatName::RoundRobin, 2, 30),
        (FormatName::Gauntlet, 4, 4),
        (FormatName::Knockout, 2, 1),
    ];
    for (format, seats, games) in formats.into_iter().chain(more) {
        for width in [80, 100, 120] {
            let text = of_forty(format, (seats, games, width));
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width, "{}: {widest} columns\n{text}", format.word());
            let lines = text.lines().count();
            assert!(lines <= 60, "{}: {lines} lines\n{text}", format.word());
            // Whoever differs at the end of the name alone still differs.
            for agent in 0..40 {
                let end = format!("{agent:0>4}");
                assert!(text.contains(&end), "{}: {end}\n{text}", format.word());
            }
        }
    }
}

#[test]
fn the_page_tells_all_and_needs_nothing() {
    let page = stopped();
    for words in [
        "Standings",
        "Each against each",
        "Scenarios and seats",
        "How the ratings narrowed",
        "Games to look at",
        "To repeat it",
        "stopped after",
        "within = 60.0",
        "<code>b</code> forfeits",
        "b.rhai:3",
        "it ended with <code>",
        "href=\"a%20cup%231.histories/game-",
        "fracas tournament cup.toml --report page.html",
        "rules.rhai",
        "prefers-color-scheme",
        "first seat",
        "second seat",
        " leads with ",
    ] {
        assert!(page.contains(words), "{words}");
    }
    for source in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(source), "{source}");
    }
    // One script, which sorts and filters, allowed by its digest; and the data as a link to themselves.
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("script-src 'sha256-").count(), 1);
    assert_eq!(page.matches("href=\"data:text/csv").count(), 1);
    // The plots of the ratings and of the meta-game have a title and its words, and all numbers are in a table; an
    // interval is in the row of each of three agents, and a bar for each of their seats in two scenarios.
    assert_eq!(page.matches("role=\"img\"").count(), 2);
    assert_eq!(page.matches("<title id=").count(), 2);
    assert_eq!(page.matches("<desc id=").count(), 2);
    assert_eq!(page.matches("<svg class=\"mark\"").count(), 3 + 2 * 3 * 2);
    assert_eq!(page.matches("<caption>").count(), page.matches("<table").count());
    balanced(&page);
}

#[test]
fn text_of_agents_and_scripts_stays_text() {
    let page = hostile();
    assert!(!page.contains("<img") && !page.contains("<x>") && !page.contains('\u{202e}'));
    assert!(page.contains("img src=x onerror=alert(1)") && page.contains('\u{fffd}'));
    balanced(&page);
}

#[test]
fn there_is_a_page_before_the_first_game() {
    let page = empty();
    for words in [
        "0 games by 3 agents in 2 scenarios",
        "Unfinished: it was interrupted before its first game.",
        "No rating is known yet.",
        "There are none yet.",
    ] {
        assert!(page.contains(words), "{words}");
    }
    balanced(&page);
}

#[test]
fn what_is_known_exactly_is_told_by_scenario_and_seat_too() {
    let page = exact();
    // Whoever stands first in the spec wins 3 of 4, in either seat, without a game.
    for words in [
        "<th scope=\"rowgroup\" rowspan=\"2\">1 a</th><td>first seat</td><td>75.0 % computed</td>",
        "<td>second seat</td><td>75.0 % computed</td>",
        "<th scope=\"row\">over</th><td class=\"number\">0</td><td class=\"number\">100.0 %</td>",
        "3 pairings were computed exactly",
        "Too few games were sampled to show it.",
    ] {
        assert!(page.contains(words), "{words}");
    }
    balanced(&page);
}

/// Who has the first seat wins 9 of 10 in the first scenario, whoever it is; in the second the one that is first in the
/// spec wins 3 of 4. Both are known.
struct SeatPanel;

impl RefereeFactory for SeatPanel {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(SeatPanel))
    }
}

impl Referee for SeatPanel {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        QUICK.referee()?.play(game)
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        let wins = match lineup.scenario {
            0 => 0.9,
            _ if lineup.agents[0] < lineup.agents[1] => 0.75,
            _ => 0.25,
        };
        let end = |probability, utility: [f64; 2]| ExactEnd {
            probability,
            result: "over".into(),
            utility: utility.to_vec(),
        };
        Ok(Some(ExactOdds { ends: vec![end(wins, [1.0, 0.0]), end(1.0 - wins, [0.0, 1.0])] }))
    }
}

#[test]
fn what_is_expected_in_a_scenario_is_not_what_is_expected_in_all() {
    let page = page(&spec(&EVEN.replace(", \"c\"", "")), &SeatPanel, None);
    let expected = page.split("<small>").skip(1).filter_map(|small| {
        let share = small.split("</small>").next()?.split_once("expected ")?.1;
        share.strip_suffix(" %")?.parse().ok()
    });
    let expected: Vec<u32> = expected.collect();
    // A cell for each of the two in the table of all scenarios and in that of each, for `a` first. Where the seat decides
    // more, strength decides less.
    assert_eq!(expected.len(), 6);
    let (all, ford, hill) = (expected[0], expected[2], expected[4]);
    assert!(50 < ford && ford < all && all < hill, "{expected:?}");
}

#[test]
fn what_is_computed_has_each_seat_as_often_for_any_number_of_games() {
    for games in [1, 2, 3] {
        let text = EVEN.replace("games = 150", &format!("games = {games}"));
        let spec = spec(&text.replace(", \"c\"", ""));
        let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
        let run = play(&spec, &mut results, &SeatPanel, 1, None);
        let standings = Standings::of(&run.state);
        assert_eq!((standings.games, run.state.tally().computed()), (0, 2 * games));
        let json = serde_json::to_value(&standings).unwrap();
        let scores: Vec<f64> =
            (0..2).map(|at| json["pairings"][at]["score_a"].as_f64().unwrap()).collect();
        // Nine of ten in the first seat and one of ten in the other; three of four in either.
        assert!((scores[0] - 0.5).abs() < 1e-12 && (scores[1] - 0.75).abs() < 1e-12, "{scores:?}");
    }
}

#[test]
fn counts_of_a_page_have_commas() {
    let page = page(&spec(&EVEN.replace("games = 150", "games = 1000")), &QUICK, None);
    let table = page.split("All agents, the best first</span>").nth(1).unwrap();
    let cells = table.split("</table>").next().unwrap().split("<td class=\"number\">").skip(1);
    let cells: Vec<&str> = cells.map(|cell| cell.split('<').next().unwrap()).collect();
    // Of each agent games, won and lost are more than a thousand.
    assert_eq!(cells.iter().filter(|cell| cell.contains(',')).count(), 9, "{cells:?}");
    assert!(cells.iter().all(|cell| !cell.contains("000") || cell.contains(',')), "{cells:?}");
}

#[test]
fn thirty_agents_with_long_names_have_a_page() {
    let page = crowd();
    assert!(page.contains("class=\"heat dense\""));
    assert!(page.len() < 600_000, "{}", page.len());
    balanced(&page);
}

/// What a terminal and a page say of 40 agents in 20 scenarios.
pub fn forty() -> (String, String) {
    let names: Vec<String> = (1..=40).map(|number| format!("agents/a{number}")).collect();
    let scenarios: Vec<String> = (1..=20).map(|number| format!("field{number}2")).collect();
    let spec = spec(&format!(
        "scenarios = {}\nagents = {}\nformat = \"round_robin\"\ngames = 2\nseed = 3\n",
        serde_json::to_string(&scenarios).unwrap(),
        serde_json::to_string(&names).unwrap()
    ));
    let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    drop(play(&spec, &mut results, &QUICK, 2, Some(2_000)));
    let state = replay(&spec, &mut results, |_, _, _| Ok(())).unwrap();
    let text = Standings::of(&state).report(&state).text(80, true);
    let identity = results.identity();
    let page =
        LeaguePage { state: &state, identity, notable: &[], unfinished: None, commands: &[] };
    (text, page.html())
}

#[test]
fn forty_agents_in_twenty_scenarios_are_read_on_sixty_lines_and_a_short_page() {
    let (text, page) = forty();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() <= 60, "{} lines:\n{text}", lines.len());
    // Ratings come first, then the closest pairs in place of a table of forty columns.
    let place = |word: &str| lines.iter().position(|line| line.contains(word));
    assert!(place("rating").unwrap() < place("closest of").unwrap(), "{text}");
    assert!(lines.iter().any(|line| line.trim_start().starts_with("1=")), "{text}");
    assert!(page.len() < 500_000, "{}", page.len());
    assert!(
        page.contains("Each of 20 scenarios")
            && page.contains(" games by 40 agents in 20 scenarios")
    );
    balanced(&page);
}

/// Checks that every element that is opened is closed, in order.
pub fn balanced(page: &str) {
    let mut open = Vec::new();
    for part in page.split('<').skip(1) {
        let tag = part.split('>').next().unwrap();
        let name = tag.split([' ', '\n']).next().unwrap();
        // What is in a script is no markup.
        if open.last() == Some(&"script") && name != "/script" {
            continue;
        }
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "near {part}"),
            None if tag.ends_with('/') || ["!DOCTYPE", "meta", "input"].contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn an_anchor_is_named_and_holds_its_rating() {
    let spec = spec(
        "scenarios = [\"field2\"]\nagents = [\"a\", \"b\", \"c\"]\nformat = \"round_robin\"\ngames = 4\n\
         anchor = { agent = \"b\", rating = 1000 }\n",
    );
    let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    drop(play(&spec, &mut results, &QUICK, 1, None));
    let state = replay(&spec, &mut results, |_, _, _| Ok(())).unwrap();
    let standings = Standings::of(&state);
    let held = standings.rows.iter().find(|row| row.agent == "b").unwrap();
    assert!((held.rating.value - 1000.0).abs() < 1e-9 && held.rating.half_width() == 0.0);
    let text = standings.report(&state).text(100, true);
    assert!(text.contains("ratings are about that of `b`, which is held at 1000"), "{text}");
}

#[test]
fn the_meta_game_is_told_where_all_have_met_and_else_why_not() {
    let said = |format: &str| {
        let spec = spec(&format!(
            "scenarios = [\"field2\"]\nagents = [\"a\", \"b\", \"c\", \"d\"]\nformat = \"{format}\"\ngames = 4\n"
        ));
        let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
        drop(play(&spec, &mut results, &QUICK, 1, None));
        let state = replay(&spec, &mut results, |_, _, _| Ok(())).unwrap();
        let standings = Standings::of(&state).with_meta(&state);
        let identity = results.identity();
        let page =
            LeaguePage { state: &state, identity, notable: &[], unfinished: None, commands: &[] };
        (standings.report(&state).text(120, true), page.html())
    };
    let (text, page) = said("round_robin");
    for words in ["Meta-game", "equilibrium", "alpha-rank", "generations", "4 games or more a pair"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(page.contains("(meta-game)") && page.contains("replicator"));
    balanced(&page);
    let (text, page) = said("gauntlet");
    assert!(text.contains("some have not met") && !text.contains("alpha-rank"), "{text}");
    assert!(page.contains("The meta-game needs the games of each agent against each other"));
    assert!(page.contains(", as a gauntlet, with seed"), "{page}");
    let (_, page) = said("every_lineup");
    assert!(page.contains(", with every lineup, with seed"), "{page}");
}

#[test]
fn alpha_rank_by_seat_is_of_games_of_every_lineup() {
    let said = |format: &str, games: u64| {
        let spec = spec(&format!(
            "scenarios = [\"field3\"]\nagents = [\"a\", \"b\", \"c\"]\nformat = \"{format}\"\ngames = {games}\n"
        ));
        let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
        drop(play(&spec, &mut results, &QUICK, 1, None));
        let state = replay(&spec, &mut results, |_, _, _| Ok(())).unwrap();
        let standings = Standings::of(&state).with_meta(&state);
        let seats = serde_json::to_value(&standings).unwrap()["meta"]["seats"][0].clone();
        (standings.report(&state).text(120, true), seats, state.tally().games())
    };
    // Three of three agents, an agent as often as it likes: 3 · 4 · 5 / 6 companies, each 12 games.
    let (text, seats, games) = said("every_lineup", 12);
    assert_eq!((games, &seats["missing"]), (120, &0.into()));
    assert!(
        text.contains("field3: alpha-rank by seat, each with a population of its own"),
        "{text}"
    );
    // Of the company `a`, `a`, `b` each of 3 lineups has 4 of its games; of three alike 12, of three others 2.
    assert!(text.contains("from 2 games or more a lineup"), "{text}");
    for seat in 0..3 {
        let shares = seats["alpha_rank"].as_array().unwrap().iter();
        let sum: f64 = shares.map(|agent| agent["shares"][seat].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{seats:#}");
    }
    // With 2 games a company, of those with an agent twice 1 of 3 lineups is left, of three others 4 of 6.
    let (text, seats, _) = said("every_lineup", 2);
    assert_eq!(seats["missing"], 6 + 4);
    assert!(text.contains("and 10 lineups have none: more `games` play them"), "{text}");
    let (text, seats, _) = said("round_robin", 12);
    assert!(seats["missing"].is_null());
    assert!(
        text.contains("needs games of every lineup: `format = \"every_lineup\"` plays them"),
        "{text}"
    );
}
