//! Tournaments that are stopped, resumed, changed and split, played by a referee that only throws dice,
//! so that what is tested is the tournament alone.

pub mod browser;
mod child;
mod coverage;
mod files;
mod formats;
mod killed;
mod leagues;
mod merged;
mod readers;
pub mod report;
mod searched;
mod stopped;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fracas::catalog::FileText;
use fracas::error::Error;
use fracas::game::Generator;
use fracas::report::Report;
use fracas::tournament::results::replay;
use fracas::tournament::{
    Conditions, ExactEnd, ExactOdds, Forfeit, Game, GameResult, Lineup, Referee, RefereeFactory,
    Results, RunResult, Running, Shard, Spec, Standings, run,
};

/// Three agents, two scenarios, stopped when all is known within 60 points.
pub const WITHIN: &str = "scenarios = [\"ford\", \"hill\"]\nagents = [\"a\", \"b\", \"c\"]\n\
    format = \"round_robin\"\ngames = 400\nseed = 3\n[stop]\nwithin = 60\n";
/// The same without a rule to stop it.
pub const EVEN: &str = "scenarios = [\"ford\", \"hill\"]\nagents = [\"a\", \"b\", \"c\"]\n\
    format = \"round_robin\"\ngames = 150\nseed = 3\n";
pub const SWISS: &str = "scenarios = [\"ford\"]\nagents = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n\
    format = \"swiss\"\ngames = 10\nrounds = 4\nseed = 3\n";
pub const SPRT: &str = "scenarios = [\"ford\"]\nagents = [\"a\", \"b\"]\n\
    format = \"round_robin\"\ngames = 20000\nseed = 5\n[stop]\n\
    sprt = { elo0 = 0, elo1 = 30 }\n";

pub fn spec(text: &str) -> Spec {
    Spec::parse(FileText { path: "cup.toml".into(), text: text.into() }).unwrap()
}

/// Every scenario has two seats, but those whose name ends in a number have so many.
pub fn conditions(spec: &Spec) -> Conditions {
    let seats = |scenario: &String| {
        let seats = scenario.chars().last().and_then(|last| last.to_digit(10)).unwrap_or(2);
        (0..seats).map(|seat| format!("seat{seat}")).collect()
    };
    Conditions {
        version: "1.0".into(),
        scripts: [("rules.rhai".to_owned(), "00".to_owned())].into_iter().collect(),
        scenarios: spec.scenarios.iter().map(|scenario| format!("{scenario} 1")).collect(),
        agents: vec![vec!["1".to_owned(); spec.agents.len()]; spec.scenarios.len()],
        seats: spec.scenarios.iter().map(seats).collect(),
        ..Conditions::default()
    }
}

/// Throws dice: agent `i` throws `100 - 4 i` sides but 20 at least, the first seat adds 3; equal tens
/// are equal.
pub struct Dice {
    pub seed: u64,
    /// So many turns of an empty loop a game, more for some games than for others.
    pub work: u64,
    /// Whether the first scenario is known exactly, and in the others all without the third agent.
    pub exact: bool,
}

impl Referee for Dice {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        let mut generator = Generator::playout(self.seed, game.seed);
        for _ in 0..self.work * (1 + game.number % 7) {
            std::hint::black_box(&generator);
        }
        let thrown = game.lineup.agents.iter().enumerate().map(|(seat, &agent)| {
            let sides = 100u64.saturating_sub(4 * agent as u64).max(20);
            (generator.question().below(sides) + if seat == 0 { 3 } else { 0 }) / 10
        });
        let utility: Vec<f64> = thrown.map(|tens| tens as f64).collect();
        let best = utility.iter().fold(0.0, |a: f64, &b| a.max(b));
        // Every hundredth game has many more than the others.
        let questions = if game.number % 100 == 50 { 90 } else { 10 + game.number % 3 };
        let first = utility.iter().position(|&own| own == best).unwrap();
        let forfeit = (game.number % 97 == 96).then(|| Forfeit {
            seat: 1,
            message: "b.rhai:3: `<x>` is not an option".into(),
            fault: fracas::error::AgentFault::Own,
            history: Some("forfeits/96.fracas".into()),
        });
        Ok(GameResult {
            result: format!("seat{first}"),
            utility,
            questions,
            forfeit,
            adjudicated: None,
        })
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        if !self.exact || lineup.scenario != 0 && lineup.agents.contains(&2) {
            return Ok(None);
        }
        let end = |probability, utility: [f64; 2]| ExactEnd {
            probability,
            result: "over".into(),
            utility: utility.to_vec(),
        };
        // Whoever stands first in the spec wins 3 of 4.
        let first = lineup.agents[0] < lineup.agents[1];
        let [high, low] = if first { [0.75, 0.25] } else { [0.25, 0.75] };
        Ok(Some(ExactOdds { ends: vec![end(high, [1.0, 0.0]), end(low, [0.0, 1.0])] }))
    }
}

pub struct DicePanel {
    pub work: u64,
    pub exact: bool,
}

impl RefereeFactory for DicePanel {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(Dice { seed: 11, work: self.work, exact: self.exact }))
    }
}

pub const QUICK: DicePanel = DicePanel { work: 0, exact: false };

/// A panel whose referees raise the interrupt once they have played so many games together.
struct Until<'a> {
    panel: &'a dyn RefereeFactory,
    interrupt: &'a AtomicBool,
    left: AtomicU64,
}

struct UntilReferee<'a>(Box<dyn Referee + 'a>, &'a Until<'a>);

impl RefereeFactory for Until<'_> {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(UntilReferee(self.panel.referee()?, self)))
    }
}

impl Referee for UntilReferee<'_> {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        let result = self.0.play(game);
        if self.1.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.1.interrupt.store(true, Ordering::Relaxed);
        }
        result
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        self.0.exact(lineup)
    }
}

/// Plays on until the end, or until so many games more have been played.
pub fn play<'a>(
    spec: &'a Spec,
    results: &mut Results,
    panel: &dyn RefereeFactory,
    threads: usize,
    most: Option<u64>,
) -> RunResult<'a> {
    let interrupt = AtomicBool::new(false);
    let left = AtomicU64::new(most.unwrap_or(u64::MAX));
    let until = Until { panel, interrupt: &interrupt, left };
    let running = Running { threads, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
    run(spec, &conditions(spec), &until, results, running).unwrap()
}

pub fn open(path: &Path, spec: &Spec) -> Results {
    Results::open(path, spec, &conditions(spec), None).unwrap()
}

pub fn open_shard(path: &Path, spec: &Spec, shard: &str) -> Results {
    let shard: Shard = shard.parse().unwrap();
    Results::open(path, spec, &conditions(spec), Some(shard)).unwrap()
}

/// The standings of a file, as bytes: for people and for programs.
pub fn standings(path: &Path, spec: &Spec) -> String {
    let mut results = Results::read(path).unwrap();
    let state = replay(spec, &mut results, |_, _, _| Ok(())).unwrap();
    told(&state)
}

pub fn told(state: &fracas::tournament::TournamentState<'_>) -> String {
    let standings = Standings::of(state);
    format!(
        "{}\n{}\n{:#}",
        Report::of(&standings, vec![standings.block()]).text(100, true),
        Report::of(&standings, vec![standings.table.block()]).text(100, true),
        crate::support::json(&standings)
    )
}

/// The standings of an undisturbed run on one thread, kept in memory.
pub fn undisturbed(spec: &Spec) -> String {
    let mut results = Results::in_memory(spec, &conditions(spec)).unwrap();
    told(&play(spec, &mut results, &QUICK, 1, None).state)
}
