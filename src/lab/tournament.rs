//! Tournaments in lab scripts: the spec is a map with the keys of the file, results stay in memory.

use std::rc::Rc;

use super::context::{LabContext, WorkResult};
use super::files;
use super::results::ResultKind;
use crate::analysis::Stage;
use crate::error::Error;
use crate::game::Value;
use crate::tournament::{
    Arena, Opening, Results, Running, Spec, Standings, TournamentProgress, run,
};

/// The number of all games, if it is known, and a function that is called with the number finished.
type GamesReporter = (Option<u64>, Box<dyn Fn(Stage) + Sync>);

/// Plays a tournament and returns its standings, as programs get them from `fracas tournament`.
pub(super) fn tournament(desk: &Rc<LabContext>, spec: &Value) -> Result<WorkResult, Error> {
    let mut given = Spec::from_value(spec)?;
    if spec.get("seed").is_none() {
        // A spec is kept as TOML, which has 63 bits.
        given.seed = desk.seed() & i64::MAX as u64;
    }
    for word in given.scenarios.iter_mut().chain(&mut given.agents).chain(&mut given.house) {
        *word = files::word(desk, word)?;
    }
    let catalog = desk.catalog.borrow();
    let opening = Opening {
        catalog: &catalog,
        limits: &desk.limits,
        memory: desk.memory(),
        rules: &[],
        place: &|_| None,
        given: None,
    };
    let arena = Arena::open(&given, &opening)?;
    arena.warnings().iter().for_each(|warning| desk.note(warning));
    let mut results = Results::in_memory(&given, arena.conditions())?;
    let interrupt = desk.interrupt();
    let mut reporter: Option<GamesReporter> = None;
    let mut progress = |at: TournamentProgress| {
        // Pairings that turn out exact need no games, so that there are fewer in all.
        if at.seeking.is_none() && reporter.as_ref().is_none_or(|(total, _)| *total != at.total) {
            reporter = None;
            reporter = Some((at.total, desk.begins("games", at.total)));
        }
        if let Some((_, count_game)) = &reporter {
            count_game(Stage::Nodes(at.games));
        }
    };
    let running = Running { threads: desk.threads, interrupt: &interrupt, progress: &mut progress };
    let run = run(&given, arena.conditions(), &arena, &mut results, running)?;
    Ok(WorkResult::of(ResultKind::Standings, &Standings::of(&run.state), run.interrupted))
}
