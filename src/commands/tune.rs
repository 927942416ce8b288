//! The command `tune`: the parameters and house rules under which a conflict is as wanted.

use clap::Args;

use super::{CommandEntry, Desk, PlayoutsArgument, Runnable, Status, TimeArgument};
use crate::analysis::{Best, CandidateGrid, Enough, Sampling, Swept, Tuning, Wishes};
use crate::catalog::Setting;
use crate::error::Error;
use crate::report::shell_line;
use crate::script::Limits;

/// Find the parameters and house rules that make a conflict as you want it
///
/// All values of `--vary` times all subsets of `--vary-house`, over the rules of now, from the beginning of the open
/// conflict. A wish is a measure of `:portrait` with bounds: `:tune --vary NAME=1..4 --want "fairness within 0.05"
/// --want "length <= 20"`. `:doc wishes` says what may be wanted. Nothing changes in the open conflict.
#[derive(Args, Debug)]
#[command(mut_arg("n", |argument| {
    argument.help("At most this many playouts of a candidate whose graph is too large to explore fully; 4000")
}))]
pub(crate) struct TuneCommand {
    /// A parameter and its values: `faces=1..8` (8 included), `faces=1..9..2`, `tie=a,b`, or `tie` for all (repeatable)
    #[arg(long, value_name = "NAME=VALUES")]
    vary: Vec<String>,
    /// House rules to apply or not, by name or path; all subsets of them are tried (repeatable)
    #[arg(id = "vary-house", long, value_name = "NAME,NAME", value_delimiter = ',')]
    vary_house: Vec<String>,
    /// What a measure of the portrait is to be: `fairness within 0.05`, `length <= 20`, `ties = 0.1 within 0.05` (repeatable)
    #[arg(long, value_name = "WISH", required = true)]
    want: Vec<String>,
    #[command(flatten)]
    playouts: PlayoutsArgument,
    #[command(flatten)]
    limit: TimeArgument,
}

impl Runnable for TuneCommand {
    const ENTRY: CommandEntry =
        CommandEntry { seed: Some(super::SEED), ..CommandEntry::new::<Self>("tune") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        // The time is for all candidates together.
        let budget = desk.limits.budget.begin(self.limit.time);
        let limits = Limits { budget, ..desk.limits.clone() };
        let laid = desk.conflict()?.rules.house();
        let open =
            desk.play.and_then(|_| self.vary_house.iter().find(|house| laid.contains(house)));
        if let Some(house) = open {
            return Err(Error::usage(format!(
                "`{house}` is already in force, so it cannot be varied; `:house -{house}` removes it first"
            )));
        }
        let seed = desk.seed()?;
        let (scenario, changes) = desk.changed()?;
        let (conflict, seating) = (desk.conflict()?, desk.seating(None)?);
        let params = Swept::each(&self.vary, &CandidateGrid::specs(conflict)?);
        let params = params.map_err(|error| desk.or_of_setup(error))?;
        let grid = CandidateGrid::new(params, &self.vary_house, (desk.catalog, conflict, &limits))?;
        let wishes = Wishes::read(&self.want, conflict, &seating)?;
        let n = self.playouts.n.unwrap_or(Tuning::PLAYOUTS);
        let sampling = Sampling { seed, n, enough: Enough::All, threads: desk.threads };
        let rules = desk.rules;
        let show = |words: &[String]| Some(shell_line(words, rules));
        let progress = desk.face.begins("candidates", None);
        let tuning = Tuning {
            catalog: desk.catalog,
            scenario: &scenario,
            changes: &changes,
            limits: &limits,
            memory: desk.memory(),
            sampling,
            grid: &grid,
            wishes: &wishes,
            show: &show,
            progress: &*progress,
        };
        let found = tuning.find();
        drop(progress);
        let tuned = found.map_err(|broken| desk.broken(broken))?;
        let see = |best: &Best| match desk.play {
            Some(_) => typed(best),
            None => best.command.clone(),
        };
        desk.face.show(&tuned.report(see))?;
        if let Some(cut) = tuned.cut {
            let best = format!("{cut}: these are the best of what was measured before");
            desk.face.cut(cut, &best);
        }
        Ok(Status::of(tuned.cut).or_failed(!tuned.failed.is_empty()))
    }
}

/// The commands of the prompt that apply a candidate to the open conflict.
fn typed(best: &Best) -> Option<String> {
    let best = &best.candidate;
    let params = best.values.iter().map(|(name, value)| Setting::of((name, value)).to_string());
    let house = (!best.house.is_empty()).then(|| format!(":house {}", best.house.join(" ")));
    let params = (!best.values.is_empty())
        .then(|| format!(":params {}", params.collect::<Vec<_>>().join(" ")));
    let lines: Vec<String> = house.into_iter().chain(params).collect();
    Some(lines.join(", then ")).filter(|line| !line.is_empty())
}
