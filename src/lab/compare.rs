//! Comparisons of scenarios for scripts.

use std::time::Duration;

use indexmap::IndexMap;

use super::context::WorkResult;
use super::convert::LabOptions;
use super::report::ResultKind;
use super::scenario::Opened;
use crate::analysis::{
    Compared, Contrasting, Enough, MeasureSelection, Pair, Sampling, Seeking, alone,
};
use crate::catalog::Setting;
use crate::conflict::{Changes, Conflict};
use crate::error::{Cut, Error};
use crate::game::Value;

/// What can be said of how to compare.
const OPTIONS: [&str; 4] = ["n", "seed", "time", "measures"];

impl Opened {
    /// The differences to another scenario: of the odds exactly where that is within reach, else from
    /// playouts in pairs; and of what the conflict is like.
    pub(super) fn compare(
        &self,
        other: &Opened,
        options: &IndexMap<String, Value>,
    ) -> Result<WorkResult, Error> {
        let desk = &self.desk;
        let options = LabOptions::of(options, &OPTIONS)?;
        let (n, seed) = (options.whole("n")?, options.whole("seed")?);
        let time = options.above_0("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let measures = options.texts("measures", "a name or a list of names")?;
        let seating = self.seated()?;
        let wanted = MeasureSelection::read(&measures, &self.conflict, seating)?.sparing();
        let (changes, parts) = self.changed_to(other);
        let (each, notes) = alone(&changes, |number| {
            let part = Changes { seats: self.changes.seats.clone(), ..parts[number].clone() };
            Conflict::of(
                &desk.catalog.borrow(),
                self.conflict.scenario.clone(),
                &part,
                &desk.limits,
            )
        })?;
        let (base, house) = (&*self.conflict, &*other.conflict);
        let pair = Pair::between(base, house, changes, desk.memory())?;
        let pair = pair.within(time);
        let seed = seed.unwrap_or_else(|| desk.seed());
        let n = n.map(|n| n.max(1));
        let sampling = desk.sampling(seed, n.unwrap_or(Sampling::PLAYOUTS));
        let compared = self.odds_of(&pair, sampling)?;
        let enough = if n.is_some() { Enough::All } else { Enough::Clear };
        let contrasting = Contrasting {
            base,
            house,
            alone: &each,
            wanted: &wanted,
            sampling: Sampling { enough, ..sampling },
            memory: desk.memory() / 2,
            notes,
        };
        let audience = desk.audience();
        let progress = audience.solves();
        let (compared, _) = compared.contrasted(&pair, &contrasting, &*progress)?;
        let cut = compared.cut.is_some_and(|cut| !matches!(cut, Cut::Time(_)));
        Ok(WorkResult::of(ResultKind::Compared, &compared, cut))
    }

    /// The odds of both sides; of the time, half is for them.
    fn odds_of(&self, pair: &Pair, sampling: Sampling) -> Result<Compared, Error> {
        let desk = &self.desk;
        let pair = &pair.with_seatings(crate::analysis::halved);
        let audience = desk.audience();
        let progress = desk.begins(&*audience, "nodes", None);
        let nodes = sampling.explores(&pair.base);
        let seeking = Seeking { float: false, threads: desk.threads, nodes };
        let found = Compared::exactly(
            &pair.with_seatings(crate::analysis::halved),
            seeking,
            sampling.seed,
            &*progress,
        )?;
        drop(progress);
        match found {
            Ok(compared) => Ok(compared),
            Err(refused) if refused.cut == Some(Cut::Interrupted) => {
                let progress = desk.begins(&*audience, "playouts", None);
                Ok(Compared::in_haste(pair, sampling, &*progress)?)
            }
            Err(_) => {
                let progress = desk.begins(&*audience, "playouts", Some(sampling.n));
                Ok(Compared::sample(pair, sampling, &*progress)?)
            }
        }
    }

    /// In words how another scenario differs, and the changes that make each of the differences alone. Of
    /// scenarios that differ in more than house rules and parameters, the other one.
    fn changed_to(&self, other: &Opened) -> (Vec<String>, Vec<Changes>) {
        let (own, its) = (&self.changes, &other.changes);
        let same = self.conflict.scenario.name == other.conflict.scenario.name
            && self.conflict.scenario.setup == other.conflict.scenario.setup
            && (&own.seats, &own.without) == (&its.seats, &its.without);
        let house = its.house.strip_prefix(&own.house[..]).filter(|_| same);
        let is = |one: &Setting, two: &Setting| one.name == two.name && one.value == two.value;
        let begins = its.params.len() >= own.params.len()
            && own.params.iter().zip(&its.params).all(|(one, two)| is(one, two));
        let params = begins.then(|| &its.params[own.params.len()..]);
        let (Some(house), Some(params)) = (house, params) else {
            return (vec![other.title()], vec![its.clone()]);
        };
        let mut all: Vec<(String, Changes)> = Vec::new();
        for name in house {
            let mut part = own.clone();
            part.house.push(name.clone());
            all.push((name.clone(), part));
        }
        for one in params {
            let mut part = own.clone();
            part.params.push(one.clone());
            all.push((format!("{}={}", one.name, one.value), part));
        }
        match all.is_empty() {
            true => (vec![other.title()], vec![its.clone()]),
            false => all.into_iter().unzip(),
        }
    }
}
