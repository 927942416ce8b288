//! Tournaments in lab scripts: the spec is a map with the keys of the file, results stay in memory.

use std::rc::Rc;

use super::context::{LabContext, WorkResult};
use super::files;
use super::results::ResultKind;
use crate::error::Error;
use crate::game::Value;
use crate::tournament::{Arena, MetaGame, Opening, Results, Spec, Standings, run_aloud};

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
    let begins = |total| desk.begins("games", total);
    let by = (desk.threads, &*desk.interrupt());
    let run = run_aloud((&given, &arena), &mut results, by, &begins)?;
    let mut standings = Standings::of(&run.state);
    standings.meta = MetaGame::of(&standings.table, given.seed);
    Ok(WorkResult::of(ResultKind::Standings, &standings, run.interrupted))
}
