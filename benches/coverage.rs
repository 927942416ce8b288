//! How often 95 % intervals of ratings hold the truth: leagues of agents whose strengths are known.
//!
//! `cargo bench --bench coverage` prints the table, from 600 leagues a row; `cargo bench --bench
//! coverage -- 5000` takes 5000. Promised: 93 to 97 % at 2, 3, 4 and 6 seats with 50 games or more,
//! and for strengths as far apart as 1182 points. Where two agents are 300 points apart, it is 97.3 % after
//! 30 games: the weaker one wins so few that an interval is wide on both sides, whose truth can be on one
//! side alone. The rows of two agents without a simulation show it.

#[path = "../tests/tournament/leagues.rs"]
mod leagues;

use fracas::tournament::Tally;
use leagues::{RoundRobin, Tables, covered, of_two, spread};

fn main() {
    // `cargo test` runs benches with `--test`: nothing is measured then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let given = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let leagues: u64 = given.unwrap_or(600);
    println!("{leagues} leagues a row; a row is off by chance by less than");
    println!(
        "{:.1} %, twice its deviation, in 19 of 20\n",
        200.0 * (0.0475 / leagues as f64).sqrt()
    );
    println!("{:48} {:>8} {:>8} {:>8} {:>8}", "league", "held", "± points", "leaning", "few");
    for apart in [0.0, 100.0, 300.0] {
        for games in [12, 30, 60, 240] {
            let name = format!("2 agents {apart} points apart, {games} games, all results");
            println!("{name:48} {:>6.1} %", 100.0 * of_two(apart, games));
        }
    }
    for seats in [2, 3, 4, 6] {
        for games in [12, 50, 200, 1_000] {
            let row = |name: &str, strength: &[f64], places| {
                let league = Tables { strength, seats, games, places, worth: &[] };
                let name = format!("{seats} seats, {games} games, {name}");
                show(&name, strength, leagues, |seed| league.play(seed));
            };
            row("equals, winner takes all", &vec![0.0; seats], false);
            row("equals, places", &vec![0.0; seats], true);
            let apart = spread(seats, 100.0 * (seats - 1) as f64);
            row("100 points to the next, winner takes all", &apart, false);
            row("100 points to the next, places", &apart, true);
        }
    }
    for games in [24, 60, 240] {
        for places in [false, true] {
            let strength = spread(12, 300.0);
            let league = Tables { strength: &strength, seats: 4, games, places, worth: &[] };
            let rule = if places { "places" } else { "winner takes all" };
            let name = format!("12 over 300 points, {games} games of 4, {rule}");
            show(&name, &strength, leagues, |seed| league.play(seed));
        }
    }
    for agents in [8, 12, 20] {
        let strength = spread(agents, 1182.0);
        for games in [4, 10, 30, 100] {
            let league = RoundRobin { strength: &strength, advantage: 0.0, ties: 1e-9, games };
            let name = format!("{agents} over 1182 points, {games} games a pairing");
            show(&name, &strength, leagues, |seed| league.play(seed));
        }
    }
}

/// A row: how many intervals hold the truth, how wide they are, and how many ratings or leagues are
/// said to know little.
fn show(name: &str, truth: &[f64], leagues: u64, league: impl Fn(u64) -> Tally) {
    let row = covered(truth, leagues, |seed| league(seed).ratings(truth.len()));
    let [held, leaning, few] = [row.held, row.leaning, row.few].map(|share| 100.0 * share);
    println!("{name:48} {held:>6.1} % {:>8.0} {leaning:>6.1} % {few:>6.1} %", row.half);
}
