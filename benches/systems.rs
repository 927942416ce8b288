//! Benchmarks of script against native code: each system's rules as they ship, beside the same
//! rules written in Rust.
//!
//! `cargo bench --bench systems`. Both ask the same questions of the same generator, from a setup
//! that has been read to the outcome; before that, both must reach the same outcome in 200
//! playouts. Times are processor time of one core; the lines at the end say how many times slower a
//! script is.

mod native;

use std::cell::Cell;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict};
use fracas::game::Generator;
use fracas::script::{Ear, Limits, Run, on_large_stack};
use rustix::time::{ClockId, clock_gettime};

use native::{Asker, Native, check};

/// Both must end alike for this many playouts.
const PLAYOUTS: u64 = 200;

/// Nine attackers at a city: it becomes six tokens, three are left of the attackers and none of the
/// six, and then come a card and the treasury.
const CITY_ATTACK: &str = r#"
system = "attrition"
[setup]
ranking = ["red", "blue"]
[setup.players.red]
stock = 10
[setup.players.blue]
stock = 6
hand = ["salt", "ochre", "iron"]
[setup.areas.hill]
limit = 2
city = "blue"
tokens = { red = 9 }
"#;

/// Red's tile can go only to the west end of a row of four, where it begins a chain of four.
const CHAIN: &str = r#"
system = "battle_tiles"
[setup]
width = 5
height = 1
players = ["red", "blue"]
markers = { red = 5, blue = 4 }
tiles = [
    { at = [1, 0], sides = [1, 6, 1, 3], scoring = true, owner = "blue" },
    { at = [2, 0], sides = [1, 7, 1, 5], scoring = true, owner = "blue" },
    { at = [3, 0], sides = [1, 8, 1, 6], scoring = true, owner = "blue" },
    { at = [4, 0], sides = [1, 1, 1, 7], scoring = true, owner = "blue" },
]
[setup.hands]
red = [ { sides = [1, 4, 1, 1], scoring = true } ]
"#;

/// From positioning on.
const TWO_AGAINST_TWO: &str = r#"
system = "last_stand"
[setup]
relevant_skill = "fight"
teams = [
    { name = "wolves", captain = "ayla", initiating = true },
    { name = "crows", captain = "cato" },
]
participants = [
    { name = "ayla", team = "wolves", disposition = 1, approaches = { vigor = 3, intuition = 4, reason = 4 }, skills = { fight = "expert", influence = "trained", maneuver = "trained" } },
    { name = "bran", team = "wolves", disposition = 2, approaches = { vigor = 3, intuition = 4, reason = 4 }, skills = { fight = "expert", influence = "trained", maneuver = "trained" } },
    { name = "cato", team = "crows", disposition = 1, approaches = { vigor = 3, intuition = 4, reason = 4 }, skills = { fight = "expert", influence = "trained", maneuver = "trained" } },
    { name = "dara", team = "crows", disposition = 2, approaches = { vigor = 3, intuition = 4, reason = 4 }, skills = { fight = "expert", influence = "trained", maneuver = "trained" } },
]
"#;

/// Time and playouts that one entry took, warming up included.
#[derive(Default)]
struct Spent {
    time: Cell<Duration>,
    playouts: Cell<u64>,
}

impl Spent {
    fn time(&self, playouts: u64, mut play: impl FnMut()) -> Duration {
        let start = processor_time();
        for _ in 0..playouts {
            play();
        }
        let time = processor_time() - start;
        self.time.set(self.time.get() + time);
        self.playouts.set(self.playouts.get() + playouts);
        time
    }

    /// Playouts a second; nothing where the entry was not asked for.
    fn rate(&self) -> Option<f64> {
        let playouts = self.playouts.get() as f64;
        (playouts > 0.0).then(|| playouts / self.time.get().as_secs_f64())
    }
}

/// The processor's time of this thread: what others do on the machine hardly counts.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// One group: the same conflict by script and natively.
fn pair<N: Native>(criterion: &mut Criterion, lines: &mut Vec<String>, name: &str, text: &str) {
    let catalog = Catalog::new(&[]).expect("the embedded rules");
    let scenario = if text.is_empty() {
        catalog.scenario(name).expect("a shipped scenario")
    } else {
        let text = FileText { path: name.to_owned(), text: text.to_owned() };
        Scenario::parse(name, text).expect("a scenario")
    };
    let conflict = Conflict::of(&catalog, scenario, &Changes::default(), &Limits::default())
        .expect("a conflict");
    check::<N>(&conflict.rules, &conflict.scenario.setup, name, PLAYOUTS);
    let rules = N::read(&conflict.scenario.setup).expect("a setup that the native rules know");

    let (script, native) = (Spent::default(), Spent::default());
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(1));
    let mut playout = 0;
    group.bench_function("script", |bencher| {
        bencher.iter_custom(|playouts| {
            script.time(playouts, || {
                playout += 1;
                let mut generator = Generator::playout(1, playout);
                let run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
                black_box(run.finish(|question| Ok(generator.sample(question))).expect("it plays"));
            })
        });
    });
    let mut playout = 0;
    group.bench_function("native", |bencher| {
        bencher.iter_custom(|playouts| {
            native.time(playouts, || {
                playout += 1;
                black_box(rules.play(&mut Asker::new(1, playout)));
            })
        });
    });
    group.finish();
    if let (Some(script), Some(native)) = (script.rate(), native.rate()) {
        let ratio = native / script;
        lines.push(format!(
            "{name}: script {script:.0} a second, native {native:.0}, {ratio:.1} times as many"
        ));
    }
}

fn all(criterion: &mut Criterion) {
    use native::{
        attrition::Attrition, battle_tiles::BattleTiles, last_stand::LastStand, war_die::WarDie,
    };
    on_large_stack(|| {
        let mut lines = Vec::new();
        let mut attrition = |name, text| pair::<Attrition>(criterion, &mut lines, name, text);
        attrition("attrition/token_conflict", "");
        attrition("attrition/a city attack", CITY_ATTACK);
        pair::<WarDie>(criterion, &mut lines, "war_die/payment_and_retreat", "");
        let mut tiles = |name, text| pair::<BattleTiles>(criterion, &mut lines, name, text);
        tiles("battle_tiles/four_by_four", "");
        tiles("battle_tiles/a chain of four", CHAIN);
        let mut stands = |name, text| pair::<LastStand>(criterion, &mut lines, name, text);
        stands("last_stand/duel", "");
        stands("last_stand/two against two", TWO_AGAINST_TWO);
        println!("{}", lines.join("\n"));
    });
}

criterion_group!(systems, all);
criterion_main!(systems);
