//! Tests whom each tournament format seats, game by game in small tournaments.

use std::collections::BTreeMap;

use fracas::tournament::results::replay;
use fracas::tournament::{FormatName, Game, Results, Standings};

use super::{QUICK, conditions, play, spec};

fn games(text: &str) -> (Vec<Game>, Vec<String>) {
    let spec = spec(text);
    let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    let run = play(&spec, &mut results, &QUICK, 2, None);
    assert!(!run.interrupted);
    let mut games = Vec::new();
    let state = replay(&spec, &mut results, |_, game, _| {
        games.push(game.clone());
        Ok(())
    })
    .unwrap();
    assert_eq!(super::told(&state), super::told(&run.state));
    assert!(games.iter().zip(0..).all(|(game, number)| game.number == number));
    (games, run.state.notes())
}

fn text(format: FormatName, agents: usize, scenario: &str, games: u64) -> String {
    let names: Vec<String> = (0..agents).map(|agent| format!("\"agent{agent}\"")).collect();
    format!(
        "scenarios = [\"{scenario}\"]\nagents = [{}]\nformat = \"{}\"\ngames = {games}\n",
        names.join(", "),
        format.word()
    )
}

/// How many games each two agents played against each other; of a pair, the first in the spec is
/// first.
fn met(games: &[Game]) -> BTreeMap<(usize, usize), u64> {
    let mut met = BTreeMap::new();
    for game in games {
        let held: Vec<usize> = game.lineup.seats_of().iter().map(|(agent, _)| *agent).collect();
        for (i, &a) in held.iter().enumerate() {
            for &b in &held[i + 1..] {
                *met.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
    }
    met
}

/// Whether every two games in a row are of the same two agents, in exchanged seats.
fn exchanged(games: &[Game]) -> bool {
    games.chunks(2).all(|pair| {
        let turned: Vec<usize> = pair[1].lineup.agents.iter().rev().copied().collect();
        pair[0].lineup.agents == turned && pair[0].lineup.scenario == pair[1].lineup.scenario
    })
}

#[test]
fn all_meet_all_in_exchanged_seats() {
    let (games, _) = games(&text(FormatName::RoundRobin, 5, "ford", 6));
    assert_eq!(games.len(), 60);
    assert!(exchanged(&games));
    assert!(met(&games).values().all(|&times| times == 6));
    // The first ten pairs are all pairings once: whoever stops early has seen all of them.
    assert_eq!(met(&games[..20]).len(), 10);
}

#[test]
fn tables_of_four_seat_any_number_of_agents() {
    for agents in [2, 3, 4, 6] {
        for format in [FormatName::RoundRobin, FormatName::Gauntlet] {
            let (games, _) = games(&text(format, agents, "isles4", 12));
            let pairs = match format {
                FormatName::Gauntlet if agents > 4 => agents - 1,
                _ => agents * (agents - 1) / 2,
            };
            assert!(met(&games).len() >= pairs, "{agents}");
            let mut seats = vec![[0u32; 4]; agents];
            for game in &games {
                assert_eq!(game.lineup.agents.len(), 4);
                game.lineup.agents.iter().enumerate().for_each(|(s, &a)| seats[a][s] += 1);
            }
            for held in seats {
                assert_eq!(
                    held.iter().min(),
                    held.iter().max(),
                    "{agents} {}: {held:?}",
                    format.word()
                );
            }
        }
    }
}

#[test]
fn the_first_agent_runs_the_gauntlet() {
    let (games, _) = games(&text(FormatName::Gauntlet, 6, "ford", 4));
    assert_eq!(games.len(), 20);
    assert!(met(&games).keys().all(|(first, _)| *first == 0) && exchanged(&games));
}

#[test]
fn a_swiss_tournament_repeats_no_pairing_and_gives_no_second_bye() {
    for (agents, rounds) in [(6, 5), (7, 7), (8, 3)] {
        let text = format!("{}rounds = {rounds}\n", text(FormatName::Swiss, agents, "ford", 2));
        let (games, notes) = games(&text);
        let repeats = notes.iter().filter(|note| note.contains("had to be repeated")).count();
        assert_eq!(games.len(), agents / 2 * rounds * 2);
        let most = met(&games).into_values().max().unwrap();
        assert!(most == 2 || repeats == 1, "{agents} {rounds}: {notes:?}");
        let byes: Vec<&String> = notes.iter().filter(|note| note.contains("had a bye")).collect();
        assert_eq!(byes.len(), agents % 2, "{notes:?}");
        // Of seven agents in seven rounds each had one: three are named.
        assert!(byes.iter().all(|byes| byes.ends_with(" and 4 more")), "{notes:?}");
    }
}

#[test]
fn matches_are_counted_where_the_format_is_one_of_matches() {
    for (format, matches) in
        [(FormatName::Swiss, 6), (FormatName::Knockout, 4), (FormatName::RoundRobin, 0)]
    {
        let spec = spec(&text(format, 5, "ford", 9));
        let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
        let run = play(&spec, &mut results, &QUICK, 1, None);
        let standings = Standings::of(&run.state);
        let all = || standings.matches.iter().map(|one| &one.record);
        let sum =
            |count: fn(&fracas::tournament::MatchRecord) -> u64| all().map(count).sum::<u64>();
        assert_eq!(sum(|one| one.wins), sum(|one| one.losses), "{}", format.word());
        assert_eq!(sum(|one| one.wins + one.draws + one.losses), 2 * matches);
        // Three rounds of five have a bye each; in a bracket of eight three rest at first.
        assert_eq!(sum(|one| one.byes), if matches == 0 { 0 } else { 3 });
        let report = standings.report(&run.state);
        let said = report.text(120, true);
        assert_eq!(said.contains("points of games"), matches > 0, "{said}");
        let json = serde_json::to_value(&standings).unwrap();
        let first =
            json["matches"][0].as_object().map(|one| one.keys().cloned().collect::<Vec<_>>());
        let keys = [
            "agent",
            "wins",
            "draws",
            "losses",
            "byes",
            "game_points",
            "played_for",
            "match_points",
        ];
        assert_eq!(first.is_some_and(|first| first == keys), matches > 0);
    }
}

#[test]
fn knockouts_have_a_winner() {
    for agents in [2, 3, 5, 8] {
        let (games, notes) = games(&text(FormatName::Knockout, agents, "ford", 9));
        // Each match puts one out; level ones are played on.
        let matches = met(&games).len();
        assert_eq!(matches, agents - 1, "{notes:?}");
        assert!(notes.iter().any(|note| note.ends_with("won the knockout")), "{notes:?}");
    }
}
