//! `fracas compare`: what changed rules do to a conflict.

use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::open_scenario::sampled;
use super::output::Output;
use super::progress::Progress;
use crate::analysis::{
    Compared, Contrasting, DivergingPlayout, FirstDifferent, MeasureSelection, Pair, Side, alone,
};
use crate::arguments::{
    ContrastArguments, FloatArgument, PageArgument, SamplingArguments, ScenarioArguments,
};
use crate::conflict::{Changes, Conflict};
use crate::error::Error;
use crate::report::Block;

#[derive(Args, Debug)]
#[command(mut_arg("n", |n| n.help(ContrastArguments::PLAYOUTS)))]
pub(super) struct CompareCommand {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    sampling: SamplingArguments,
    #[command(flatten)]
    contrast: ContrastArguments,
    #[command(flatten)]
    float: FloatArgument,
    #[command(flatten)]
    pub page: PageArgument,
}

pub(super) fn run(
    common: &CommonArguments,
    arguments: &CompareCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let changed = arguments.scenario.changes()?;
    let seats = Changes { seats: changed.seats.clone(), ..Changes::default() };
    let scenario = catalog.scenario(&arguments.scenario.scenario)?;
    let base = Conflict::of(&catalog, scenario.clone(), &seats, &limits)?;
    let house = Conflict::of(&catalog, scenario, &changed, &limits)?;
    let memory = common.graph_memory();
    let pair = Pair::new(&base, &house, memory)?;
    let wanted = MeasureSelection::read(&arguments.contrast.measures, &base, &pair.base)?.sparing();
    let (each, notes) = alone(&pair.changes, |number| {
        let changes = Changes { seats: changed.seats.clone(), ..one(&changed, number) };
        Conflict::of(&catalog, base.scenario.clone(), &changes, &limits)
    })?;
    output.warnings(&house);
    output.people(&pair.base);
    let again = SideReplay { common, scenario: &arguments.scenario, conflict: &base };

    let seed = common.seed();
    let sampling = arguments.sampling.sampling(common.threads(), seed);
    let pair = pair.within(arguments.sampling.limit.time);
    let progress = Progress::new(output, "nodes", None);
    let stage = |stage| progress.stage(stage);
    let contrasting = Contrasting {
        base: &base,
        house: &house,
        alone: &each,
        wanted: &wanted,
        sampling,
        memory: memory / 2,
        notes,
    };
    let found = Compared::find(&pair, arguments.float.float, sampling, &stage);
    let found = found.and_then(|found| Ok(found.contrasted(&pair, &contrasting, &stage)?));
    drop(progress);
    let (compared, way) = found?;
    show(&compared, way.as_ref(), &pair, &again, arguments.contrast.all, output)?;
    let within = sampling.enough.within().filter(|_| compared.n > 0);
    let missed = within.and_then(|within| compared.difference.missed(within));
    Ok(sampled(compared.cut, missed, output))
}

/// One of the changes to the rules, by its number among all.
fn one(changes: &Changes, number: usize) -> Changes {
    let house = changes.house.get(number).cloned().into_iter().collect();
    let param = number.checked_sub(changes.house.len()).and_then(|at| changes.params.get(at));
    Changes { house, params: param.cloned().into_iter().collect(), ..Changes::default() }
}

fn show(
    compared: &Compared,
    way: Option<&DivergingPlayout>,
    pair: &Pair,
    again: &SideReplay<'_>,
    all: bool,
    output: &mut Output,
) -> Result<(), Error> {
    let mut report = compared.report(pair, all);
    if let (Some(way), Some(FirstDifferent { seed, .. })) = (way, compared.first) {
        let (base, house) = (again.line(Side::Base, seed), again.line(Side::House, seed));
        let again = Block::Code(format!("to play it:\n  {base}\n  {house}"));
        report.blocks.extend([way.block(), again]);
    }
    output.show(&report)
}

/// How one playout of either side is played again.
struct SideReplay<'a> {
    common: &'a CommonArguments,
    scenario: &'a ScenarioArguments,
    conflict: &'a Conflict,
}

impl SideReplay<'_> {
    fn line(&self, side: Side, seed: u64) -> String {
        let mut scenario = self.scenario.clone();
        if side == Side::Base {
            scenario.rules.house.clear();
            scenario.rules.params.clear();
        }
        scenario.again(&self.common.rules, self.conflict, seed)
    }
}
