//! How often 95 % intervals of ratings hold the truth: leagues of agents whose strengths are known.
//!
//! `cargo bench --bench coverage` prints the table, from 600 leagues a row; `cargo bench --bench
//! coverage -- 5000` takes 5000. Promised: 93 to 97 % at 2, 3, 4 and 6 seats with 30 games or more,
//! and for strengths as far apart as 1182 points.

use fracas::handlers::Generator;
use fracas::tournament::{Game, GameResult, Ratings, Seating, Tally};

/// Elo points to one natural unit of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// How a game at a table ends.
#[derive(Clone, Copy)]
enum Rule {
    /// The best has all, the others draw.
    WinnerTakesAll,
    /// Everybody has a place of their own.
    Places,
}

fn main() {
    let given = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let leagues: u64 = given.unwrap_or(600);
    println!("{leagues} leagues a row; a row is off by chance by less than");
    println!(
        "{:.1} %, twice its deviation, in 19 of 20\n",
        200.0 * (0.0475 / leagues as f64).sqrt()
    );
    println!("{:44} {:>8} {:>8} {:>8}", "league", "held", "± points", "warned");
    for seats in [2, 3, 4, 6] {
        for games in [12, 30, 60, 240] {
            let equal = vec![0.0; seats];
            let spread = spread(seats, 300.0);
            let row = |name: &str, truth: &[f64], rule| {
                let name = format!("{seats} seats, {games} games, {name}");
                show(&name, truth, leagues, |seed| tables(seed, truth, games, rule));
            };
            row("equals, winner takes all", &equal, Rule::WinnerTakesAll);
            row("equals, places", &equal, Rule::Places);
            row("300 points apart, places", &spread, Rule::Places);
        }
    }
    for agents in [8, 12, 20] {
        let truth = spread(agents, 1182.0);
        for games in [4, 10, 30, 100] {
            let name = format!("{agents} over 1182 points, {games} games a pairing");
            show(&name, &truth, leagues, |seed| round_robin(seed, &truth, games));
        }
    }
}

/// So many strengths at even distances, whose mean is 0.
fn spread(agents: usize, width: f64) -> Vec<f64> {
    let place = |agent: usize| agent as f64 / (agents - 1) as f64 - 0.5;
    (0..agents).map(|agent| width * place(agent)).collect()
}

/// A row: how many intervals hold the truth, how wide they are, how many ratings are warned of.
fn show(name: &str, truth: &[f64], leagues: u64, league: impl Fn(u64) -> Tally) {
    let (mut held, mut width, mut warned, mut all) = (0u64, 0.0, 0u64, 0u64);
    for seed in 0..leagues {
        let ratings = Ratings::of(&league(seed), truth.len());
        for (agent, truth) in truth.iter().enumerate() {
            let rated = ratings.rating(agent);
            held += u64::from((rated.points - truth).abs() <= rated.half);
            warned += u64::from(ratings.leans(agent));
            width += rated.half;
            all += 1;
        }
    }
    let percent = |count: u64| 100.0 * count as f64 / all as f64;
    let (held, width, warned) = (percent(held), width / all as f64, percent(warned));
    println!("{name:44} {held:>6.1} % {width:>8.0} {warned:>6.1} %");
}

/// Games of all at one table. Whoever is best is drawn in proportion to strength, then the best of
/// the others, and so on (Plackett 1975, "The analysis of permutations").
fn tables(seed: u64, strength: &[f64], games: usize, rule: Rule) -> Tally {
    let mut generator = Generator::playout(1, seed);
    let mut tally = Tally::default();
    for number in 0..games {
        let mut agents: Vec<usize> = (0..strength.len()).collect();
        agents.rotate_left(number % strength.len());
        let mut utility = vec![0.0; agents.len()];
        let mut left: Vec<usize> = (0..agents.len()).collect();
        while left.len() > 1 {
            let weight = |seat: usize| (strength[agents[seat]] / ELO).exp();
            let all: f64 = left.iter().map(|&seat| weight(seat)).sum();
            let mut point = uniform(&mut generator) * all;
            let drawn = left.iter().position(|&seat| {
                point -= weight(seat);
                point < 0.0
            });
            let seat = left.remove(drawn.unwrap_or_default());
            utility[seat] = left.len() as f64;
            if matches!(rule, Rule::WinnerTakesAll) {
                break;
            }
        }
        add(&mut tally, agents, utility);
    }
    tally
}

/// Each pairing plays so many games with exchanged seats.
fn round_robin(seed: u64, strength: &[f64], games: usize) -> Tally {
    let mut generator = Generator::playout(2, seed);
    let mut tally = Tally::default();
    for a in 0..strength.len() {
        for b in a + 1..strength.len() {
            let wins = 1.0 / (1.0 + ((strength[b] - strength[a]) / ELO).exp());
            for number in 0..games {
                let won = f64::from(u8::from(uniform(&mut generator) < wins));
                let (agents, utility) = match number % 2 {
                    0 => (vec![a, b], vec![won, 1.0 - won]),
                    _ => (vec![b, a], vec![1.0 - won, won]),
                };
                add(&mut tally, agents, utility);
            }
        }
    }
    tally
}

fn add(tally: &mut Tally, agents: Vec<usize>, utility: Vec<f64>) {
    let game = Game { number: 0, seating: Seating { scenario: 0, agents }, nth: 0, seed: 0 };
    tally.add(&game, &GameResult { utility, ..GameResult::default() });
}

/// A number from 0 to 1.
fn uniform(generator: &mut Generator) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
