//! Opens a campaign: rules that play the rules of its conflicts one after another.
//!
//! A campaign is one conflict to everything above. Each system that it plays is an import, once for
//! each choice of house rules and parameters; a short script calls the import that is on. So one
//! history, one graph and one state are all that there is, and nothing else must know of campaigns.

mod own;
mod systems;
mod written;

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use self::own::Own;
use self::systems::Systems;
use self::written::{Call, WHOLE, written};
use super::open::locate;
use super::seat_choice::give;
use super::{Changes, Conflict, Players, Saved};
use crate::catalog::{CAMPAIGN, Campaign, Catalog, Scenario, Setting, own as own_file};
use crate::error::Error;
use crate::game::Value;
use crate::script::{Blueprint, Layer, Limits, Part, Setup};

/// What its script calls, beside what is written for each campaign anew.
const SCRIPT: &str = include_str!("campaign/campaign.rhai");
/// The path of that script in messages, and of what is written anew.
const PATHS: [&str; 2] = ["campaign.rhai", "campaign/conflicts.rhai"];

/// Opens a campaign that has been read.
///
/// # Errors
/// As [`Conflict::of`].
pub(super) fn open(
    catalog: &Catalog,
    scenario: Scenario,
    campaign: &Campaign,
    changes: &Changes,
    limits: &Limits,
) -> Result<Conflict, Error> {
    let mut systems = Systems::new(changes, limits);
    let own = Own::read(campaign);
    let (mut parts, mut calls) = (Vec::new(), Vec::new());
    for (number, chapter) in campaign.chapters.iter().enumerate() {
        let key = |key: &str| scenario.location(&format!("conflict.{number}.{key}"));
        let played = systems.add(catalog, chapter, &key)?;
        let begins = match &chapter.begin {
            Some(name) => own.begins(name).map_err(|error| error.placed(|| key("begin")))?,
            None => key("scenario"),
        };
        let setup =
            Setup::located(chapter.scenario.setup.clone(), locate(&chapter.scenario.document));
        parts.push(Part { name: chapter.name.clone(), setup, begins });
        calls.push(Call { import: played, begin: chapter.begin.clone() });
    }
    // What is wrong with how it ends has a place too.
    let begins = own.ends().or_else(|| scenario.location("conflict"));
    let ends = own.ends().is_some();
    parts.push(Part { name: CAMPAIGN.to_owned(), setup: Setup::new(Value::Unit), begins });
    let imports = systems.all(catalog, campaign)?;
    let folder = catalog.folder(&campaign.chapters[0].scenario.system)?.clone();
    let written = written(campaign, &calls, &imports, ends);
    let mut files: Vec<(String, String)> =
        vec![(PATHS[0].to_owned(), SCRIPT.to_owned()), (PATHS[1].to_owned(), written)];
    files.extend(campaign.script.iter().map(|text| (text.path.clone(), text.text.clone())));
    let imports = imports.into_iter().map(|played| played.import).collect();
    let base = Layer { name: CAMPAIGN.to_owned(), files, imports, campaign: parts };
    // They are laid over the conflicts; here they stand for their names.
    let named = |name: &String| Layer { name: name.clone(), ..Layer::default() };
    let house = changes.house.iter().map(named).collect();
    let params = changes.params.iter().map(|set| (set.name.clone(), set.value.clone())).collect();
    let blueprint = Blueprint { base, house, params, limits: limits.clone(), players: None };
    let rules = blueprint.rules()?;
    let mut seats = scenario.seats.clone();
    for (seat, agent) in &changes.seats {
        give(&mut seats, seat, agent);
    }
    let setup = Setup::located(scenario.setup.clone(), locate(&scenario.document));
    let (changes, unseated) = (changes.clone(), IndexMap::new());
    Ok(Conflict { scenario, changes, blueprint, rules, setup, seats, unseated, folder })
}

/// The campaign of a saved history under the rules at hand, from the setups that it began with; and
/// what differs.
///
/// # Errors
/// As [`open`], and where its file has other conflicts now.
pub(super) fn reopen(
    catalog: &Catalog,
    saved: &Saved,
    limits: &Limits,
) -> Result<(Conflict, Vec<String>), Error> {
    let mut scenario = catalog.scenario(&saved.scenario)?;
    let Some(campaign) = scenario.campaign.clone() else {
        return Err(Error::usage(format!("`{}` is no campaign any more", saved.scenario)));
    };
    let mut campaign = Campaign::clone(&campaign);
    let setups = saved.setup.get("conflicts").and_then(Value::as_list).unwrap_or_default();
    let mut differs = Vec::new();
    if setups.len() != campaign.chapters.len() {
        let (were, are) = (setups.len(), campaign.chapters.len());
        differs.push(format!("there were {were} conflicts, there are {are}"));
    }
    for (chapter, was) in campaign.chapters.iter_mut().zip(setups) {
        chapter.scenario.setup = was.get("setup").cloned().unwrap_or_default();
        chapter.scenario.document = None;
    }
    scenario.seats = saved.seats.clone();
    scenario.setup = saved.setup.clone();
    scenario.campaign = Some(Arc::new(campaign.clone()));
    let params = saved.params.iter();
    let setting = |(name, value): (&String, &Value)| Setting {
        name: name.clone(),
        value: value.clone(),
        at: None,
    };
    let (house, params) = (saved.house.clone(), params.map(setting).collect());
    let changes = Changes { house, params, ..Changes::default() };
    let mut conflict = open(catalog, scenario, &campaign, &changes, limits)?;
    conflict.unseated = saved.unseated.clone();
    let rules = &conflict.rules;
    differs.extend(saved.differs_from(rules.digests(), rules.params(), rules.house(), None));
    Ok((conflict, differs))
}

impl Saved {
    /// Whether it is of a campaign: the file of that is its scenario.
    pub(super) fn is_campaign(&self) -> bool {
        self.system == CAMPAIGN && self.setup.get("conflicts").is_some()
    }

    /// Makes sure that a file in this folder names no campaign elsewhere.
    pub(super) fn keep_campaign_to(&mut self, folder: &Path) -> Result<(), String> {
        if self.is_campaign() {
            let found = own_file(folder, &self.scenario);
            self.scenario = found.map_err(|why| format!("`scenario` {why}"))?;
        }
        Ok(())
    }
}

impl Conflict {
    /// The same campaign up to the end of one conflict: what comes of that alone, after so many others.
    /// Whoever has no part in it has no seat.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn until(&self, conflicts: usize) -> Result<Conflict, Error> {
        let mut blueprint = self.blueprint.clone();
        for (path, text) in &mut blueprint.base.files {
            if path == PATHS[1] {
                *text = text.replacen(WHOLE, &format!("const UNTIL = {conflicts};\n"), 1);
            }
        }
        blueprint.players = None;
        let mut conflict = Conflict {
            scenario: self.scenario.clone(),
            changes: self.changes.clone(),
            rules: blueprint.rules()?,
            blueprint,
            setup: self.setup.clone(),
            seats: self.seats.clone(),
            unseated: self.unseated.clone(),
            folder: self.folder.clone(),
        };
        let players = Players::find(&conflict)?;
        conflict.seats.retain(|seat, _| players.of_seat(seat).is_ok());
        Ok(conflict)
    }
}
