//! Opens a campaign: rules that play the rules of its conflicts one after another.
//!
//! A campaign is one conflict to everything above. Each system that it plays is an import, once for
//! each choice of house rules and parameters; a short script calls the current import. So one
//! history, one graph and one state are all that there is, and nothing else must know of campaigns.

mod script;
mod systems;

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use self::script::{ImportCall, Own, WHOLE, written};
use self::systems::Systems;
use super::playable::locate;
use super::{Changes, Conflict, DefaultAgent, Players, Saved};
use crate::catalog::{
    CAMPAIGN, Campaign, Catalog, FileText, ParamSpecs, SETUP, Scenario, Setting, own as own_file,
    script_of,
};
use crate::error::{Error, Location};
use crate::game::Value;
use crate::script::{Blueprint, Import, Layer, Limits, Part, Setup, digest};

/// What its script calls, beside what is written for each campaign anew.
const SCRIPT: &str = include_str!("campaign/campaign.rhai");
/// The path of that script in messages, and of what is written anew.
const PATHS: [&str; 2] = ["campaign.rhai", "campaign/conflicts.rhai"];

pub(super) fn open(
    catalog: &Catalog,
    mut scenario: Scenario,
    campaign: &Campaign,
    changes: &Changes,
    limits: &Limits,
) -> Result<Conflict, Error> {
    changes.check_conflicts(campaign)?;
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
        let setup = changes.of_conflict(&chapter.name).setup_of(&chapter.scenario)?;
        let whole = Setting::of((&String::new(), &setup.value));
        whole.set(&format!("conflicts.{number}.setup"), &mut scenario.setup)?;
        systems.check_rules(played, &setup)?;
        parts.push(Part { name: chapter.name.clone(), setup, import: Some(played), begins });
        calls.push(ImportCall { import: played, begin: chapter.begin.clone() });
    }
    // What is wrong with how it ends has a place too.
    let begins = own.ends().or_else(|| scenario.location("conflict"));
    let ends = own.ends().is_some();
    let setup = Setup::new(Value::Unit);
    parts.push(Part { name: CAMPAIGN.to_owned(), setup, import: None, begins });
    let imports = systems.all(catalog, campaign)?;
    let folder = catalog.folder(&campaign.chapters[0].scenario.system)?.clone();
    let written = written(campaign, &calls, &imports, ends);
    let files = vec![(PATHS[0].to_owned(), SCRIPT.to_owned()), (PATHS[1].to_owned(), written)];
    let imports = imports.into_iter().map(|played| played.import);
    let imports = imports.chain(own_import(campaign)).collect();
    let base = Layer { name: CAMPAIGN.to_owned(), files, imports, campaign: parts };
    // They are laid over the conflicts; here they stand for their names.
    let named = |name: &String| Layer { name: name.clone(), ..Layer::default() };
    let house = changes.house.iter().map(named).collect();
    let params = changes.params.iter().filter(|set| set.of_setup().is_none());
    let params = params.map(|set| (set.name.clone(), set.value.clone())).collect();
    let blueprint = Blueprint { base, house, params, limits: limits.clone(), players: None };
    let rules = blueprint.rules()?;
    let seats = changes.seats_over(&scenario);
    let setup = Setup::located(scenario.setup.clone(), locate(&scenario.document));
    let setup = setup.after(&scenario.begin);
    let (changes, unseated) = (changes.clone(), IndexMap::new());
    // An agent of one system cannot play another.
    let system = &campaign.chapters[0].scenario.system;
    let same = campaign.chapters.iter().all(|chapter| chapter.scenario.system == *system);
    let text = if same { folder.params()? } else { None };
    let default_agent = DefaultAgent::of(&ParamSpecs::read(text.as_ref())?, &rules);
    Ok(Conflict {
        scenario,
        changes,
        blueprint,
        rules,
        setup,
        seats,
        unseated,
        folder,
        default_agent,
    })
}

impl Changes {
    /// What they change of the setup of one conflict: `setup.NAME.KEY` is `setup.KEY` of that.
    fn of_conflict(&self, name: &str) -> Changes {
        let own = |set: &Setting| {
            let key = set.of_setup()?.strip_prefix(name)?.strip_prefix('.')?;
            Some(Setting { name: format!("{SETUP}{key}"), ..set.clone() })
        };
        let params = self.params.iter().filter_map(own).collect();
        Changes { params, ..Changes::default() }
    }

    /// Refuses changes of the setup of no conflict.
    fn check_conflicts(&self, campaign: &Campaign) -> Result<(), Error> {
        let names: Vec<&str> = campaign.chapters.iter().map(|one| one.name.as_str()).collect();
        let lacks = |key: &str| {
            let is_of =
                |name: &&&str| key.strip_prefix(**name).is_some_and(|rest| rest.starts_with('.'));
            names.iter().find(is_of).is_none()
        };
        let first = self.params.iter().find(|set| set.of_setup().is_some_and(lacks));
        first.and_then(Setting::of_setup).map_or(Ok(()), |key| {
            let name = key.split('.').next().unwrap_or(key);
            Err(Error::unknown("conflict of the campaign", name, names.iter().copied()))
        })
    }
}

/// The script in the file of a campaign. It is an import as well: no function of it may have the name
/// of one that the rules of a conflict call.
fn own_import(campaign: &Campaign) -> Option<Import> {
    let text = campaign.script.as_ref()?;
    let files = vec![(text.path.clone(), text.text.clone())];
    let layer = Layer { name: CAMPAIGN.to_owned(), files, ..Layer::default() };
    let (house, params) = (Vec::new(), IndexMap::new());
    Some(Import { name: CAMPAIGN.to_owned(), layer, house, params })
}

/// The campaign of a saved history under the rules at hand, from the setups that it began with; and
/// what differs.
pub(super) fn reopen(
    catalog: &Catalog,
    saved: &Saved,
    limits: &Limits,
) -> Result<(Conflict, Vec<String>), Error> {
    let mut scenario = catalog.scenario(&saved.scenario)?;
    let Some(campaign) = scenario.campaign.clone() else {
        return Err(Error::usage(format!("`{}` is no longer a campaign", saved.scenario)));
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
    scenario.begin = saved.begin.clone();
    scenario.campaign = Some(Arc::new(campaign.clone()));
    let (house, params) = (saved.house.clone(), saved.params.iter().map(Setting::of).collect());
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

    /// Makes sure that a history in this folder, with this name and text, names no campaign elsewhere
    /// but one whose script is to the letter what it was: whoever wrote the history knew that.
    pub(super) fn keep_campaign_to(
        &mut self,
        folder: &Path,
        name: &str,
        text: &str,
    ) -> Result<(), Error> {
        if !self.is_campaign() {
            return Ok(());
        }
        match own_file(folder, &self.scenario) {
            Ok(found) => self.scenario = found,
            Err(_) if self.has_script_of(Path::new(&self.scenario)) => {}
            Err(why) => {
                let message = format!(
                    "`scenario` {why}, and its script is not what it was when this was saved"
                );
                let at =
                    Location::in_text(name, text, text.find("\nscenario").map_or(0, |at| at + 1));
                return Err(Error::History { message, at, nearest: None });
            }
        }
        Ok(())
    }

    /// Whether the script of a campaign's file has the digest that was saved.
    fn has_script_of(&self, path: &Path) -> bool {
        let file = path.file_name().map(|file| format!("{CAMPAIGN}/{}", file.to_string_lossy()));
        let was = file.and_then(|file| self.scripts.get(&file));
        let now = || script_of(FileText::read(path).ok()?);
        was.is_some_and(|was| now().is_some_and(|now| digest(&now.text) == *was))
    }
}

impl Conflict {
    /// The same campaign up to the end of one conflict: what comes of that alone, after this many others.
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
            default_agent: self.default_agent.clone(),
        };
        let players = Players::find(&conflict)?;
        conflict.seats.retain(|seat, _| players.of_seat(seat).is_ok());
        Ok(conflict)
    }
}
