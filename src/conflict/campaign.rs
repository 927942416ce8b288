//! Opens a campaign: rules that play the rules of its conflicts one after another.
//!
//! A campaign is one conflict to everything above. Each system that it plays is an import, once for
//! each choice of house rules and parameters; a short script calls the current import. So one
//! history, one graph and one state are all that there is, and nothing else must know of campaigns.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use super::compile::{Order, blueprint, check_rules, layer};
use super::saved_history::{is_as_it_was, quoted};
use super::{Changes, Conflict, Players, Saved};
use crate::catalog::{
    CAMPAIGN, Campaign, Catalog, Chapter, FileKind, Folder, ParamSpecs, SETUP, Scenario, Setting,
    own as own_file, script_of,
};
use crate::error::{Error, Location, nearest};
use crate::game::{Value, some_of};
use crate::script::{
    Blueprint, Definition, Import, Layer, Limits, Part, Setup, Warning, definitions, occurrences,
    parameters,
};

/// What its script calls, beside what is written for each campaign anew.
const SCRIPT: &str = include_str!("campaign.rhai");
/// The path of that script in messages, and of what is written anew.
const PATHS: [&str; 2] = ["campaign.rhai", "campaign/conflicts.rhai"];

/// What its rules are compiled from, and the folder and parameters of the first conflict, where all are of one system;
/// the scenario gets the setups of the conflicts with the changes made.
pub(super) fn open(
    catalog: &Catalog,
    scenario: &mut Scenario,
    campaign: &Campaign,
    changes: &Changes,
    limits: &Limits,
) -> Result<(Folder, Blueprint, ParamSpecs), Error> {
    changes.check_conflicts(campaign)?;
    let mut systems = Systems { changes, limits, used: Vec::new(), imports: Vec::new() };
    let script = campaign.script.as_ref();
    let own = script.map(|text| definitions(&text.path, &text.text, 0)).unwrap_or_default();
    let (mut parts, mut calls) = (Vec::new(), Vec::new());
    for (number, chapter) in campaign.chapters.iter().enumerate() {
        let key = |key: &str| scenario.location(&format!("conflict.{number}.{key}"));
        let own_key = |key: &str| scenario.key_location(&format!("conflict.{number}.{key}"));
        let played = systems.add(catalog, chapter, &own_key)?;
        let begins = match &chapter.begin {
            Some(name) => begins(&own, name).map_err(|error| error.placed(|| key("begin")))?,
            None => key("scenario"),
        };
        let setup = changes.of_conflict(&chapter.name).setup_of(&chapter.scenario)?;
        let whole = Setting::of((&String::new(), &setup.value));
        whole.set(&format!("conflicts.{number}.setup"), &mut scenario.setup)?;
        systems.check_rules(played, &setup)?;
        parts.push(Part { name: chapter.name.clone(), setup, import: Some(played), begins });
        calls.push(played);
    }
    // What is wrong with how it ends has a place too.
    let ends = taking(&own, OUTCOME, &["past", "left"]).or_else(|error| {
        // A function of that name which the script calls is one of its own.
        let called = script.is_some_and(|file| occurrences(&file.text, OUTCOME).count() > 1);
        if called { Ok(None) } else { Err(error) }
    })?;
    let begins = ends.clone().or_else(|| scenario.location("conflict"));
    let setup = Setup::new(Value::Unit);
    parts.push(Part { name: CAMPAIGN.to_owned(), setup, import: None, begins });
    let imports = systems.all(catalog, campaign)?;
    let folder = catalog.folder(&campaign.chapters[0].scenario.system)?.clone();
    let written = written(campaign, &calls, &imports, ends.is_some());
    let files = vec![(PATHS[0].to_owned(), SCRIPT.to_owned()), (PATHS[1].to_owned(), written)];
    let names = |number: usize| {
        let chapters = campaign.chapters.iter().zip(&calls).filter(|(_, call)| **call == number);
        some_of(chapters.map(|(chapter, _)| chapter.name.clone()), NAMED, ", ")
    };
    let several = imports.len() > 1;
    let imports = imports.into_iter().enumerate().map(|(number, played)| {
        let conflicts = Some(if several { names(number) } else { String::new() });
        Import { conflicts, ..played.import }
    });
    // The script in the file is an import as well: no function of it may have the name of one that the rules of a
    // conflict call.
    let own = campaign.script.as_ref().map(|text| {
        let layer = layer(CAMPAIGN, [text.clone()]);
        let (name, conflicts) = (CAMPAIGN.to_owned(), Some(format!("the {CAMPAIGN}")));
        Import { name, layer, conflicts, ..Import::default() }
    });
    let imports = imports.chain(own).collect();
    let base = Layer { name: CAMPAIGN.to_owned(), files, imports, campaign: parts };
    // They are laid over the conflicts; here they stand for their names.
    let named = |name: &String| Layer { name: name.clone(), ..Layer::default() };
    let house = changes.house.iter().map(named).collect();
    let params = changes.params.iter().filter(|set| set.of_setup().is_none());
    let params = params.map(|set| (set.name.clone(), set.value.clone())).collect();
    let blueprint = Blueprint::new(base, house, params, limits.clone());
    // An agent of one system cannot play another.
    let system = &campaign.chapters[0].scenario.system;
    let same = campaign.chapters.iter().all(|chapter| chapter.scenario.system == *system);
    let text = if same { folder.params()? } else { None };
    Ok((folder, blueprint, ParamSpecs::read(text.as_ref())?))
}

/// What is wrong with the rules of a conflict alone, where the rules of a campaign do not compile; else the error.
pub(super) fn of_its_rules(blueprint: &Blueprint, error: Error) -> Error {
    let base = blueprint.base();
    let alone = |part: &Part| {
        let Import { layer, house, params, .. } = base.imports.get(part.import?)?.clone();
        Blueprint::new(layer, house, params, blueprint.limits.clone()).rules().err()
    };
    base.campaign.iter().find_map(alone).unwrap_or(error)
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

/// The campaign of a saved history as its file is now, from the setups that it began with; and what differs.
pub(super) fn of_saved(catalog: &Catalog, saved: &Saved) -> Result<(Scenario, Vec<String>), Error> {
    let scenario = catalog.scenario(&saved.scenario)?;
    let Some(campaign) = &scenario.campaign else {
        return Err(Error::usage(format!("`{}` is no longer a campaign", saved.scenario)));
    };
    let mut campaign = Campaign::clone(campaign);
    let setups = saved.setup.get("conflicts").and_then(Value::as_list).unwrap_or_default();
    let (were, are) = (setups.len(), campaign.chapters.len());
    let differs = (were != are).then(|| format!("there were {were} conflicts, there are {are}"));
    for (chapter, was) in campaign.chapters.iter_mut().zip(setups) {
        chapter.scenario.setup = was.get("setup").cloned().unwrap_or_default();
        chapter.scenario.document = None;
    }
    let (setup, begin) = (saved.setup.clone(), saved.begin.clone());
    let (seats, campaign) = (saved.seats.clone(), Some(Arc::new(campaign)));
    Ok((Scenario { setup, begin, seats, campaign, ..scenario }, differs.into_iter().collect()))
}

impl Saved {
    /// Whether it is of a campaign: the file of that is its scenario.
    pub(super) fn is_campaign(&self) -> bool {
        self.system == CAMPAIGN && self.setup.get("conflicts").is_some()
    }

    /// Makes sure that a history in this folder names no campaign elsewhere but one whose script is to the letter what
    /// it was: whoever wrote the history knew that.
    pub(super) fn keep_campaign_to(&mut self, folder: &Path) -> Result<(), String> {
        if !self.is_campaign() {
            return Ok(());
        }
        match own_file(folder, &self.scenario) {
            Ok(found) => self.scenario = found,
            Err(_) if is_as_it_was(&self.scenario, CAMPAIGN, &self.scripts, script_of) => {}
            Err(why) => {
                return Err(format!(
                    "`scenario` {why}, and its script is not what it was when this was saved"
                ));
            }
        }
        Ok(())
    }
}

impl Conflict {
    /// The same campaign up to the end of one conflict: what comes of that alone, after this many others.
    /// Whoever has no part in it has no seat.
    pub fn until(&self, conflicts: usize) -> Result<Conflict, Error> {
        let (mut base, before) = (self.blueprint.base().clone(), &self.blueprint);
        for (path, text) in &mut base.files {
            if path == PATHS[1] {
                *text = text.replacen(WHOLE, &format!("const UNTIL = {conflicts};\n"), 1);
            }
        }
        let (house, params) = (before.house().to_vec(), before.params().clone());
        let blueprint = Blueprint::new(base, house, params, before.limits.clone());
        let rules = blueprint.rules()?;
        let mut conflict = Conflict { rules, blueprint, ..self.clone() };
        let players = Players::find(&conflict)?;
        conflict.seats.retain(|seat, _| players.of_seat(seat).is_ok());
        Ok(conflict)
    }
}

/// The function of the contract by which a campaign ends.
const OUTCOME: &str = "outcome";

/// Where the function of a campaign's own is that makes the setup of a conflict.
fn begins(own: &[Definition], name: &str) -> Result<Option<Location>, Error> {
    let found = taking(own, name, &["setup", "past"])?;
    if found.is_some() {
        return Ok(found);
    }
    let known = own.iter().map(|known| known.name.as_str());
    Err(Error::unknown("function", name, known.filter(|name| *name != OUTCOME)))
}

/// Where the function of a campaign's own is that has this name and takes these; nothing where none has the name.
fn taking(own: &[Definition], name: &str, takes: &[&str]) -> Result<Option<Location>, Error> {
    let mut named = own.iter().filter(|known| known.name == name && !known.constant);
    let fits = |known: &&Definition| known.parameters.len() == takes.len();
    let Some(found) = named.clone().find(fits).or(named.next()) else { return Ok(None) };
    let at = Some(found.at.clone());
    if fits(&found) {
        return Ok(at);
    }
    let count = parameters(found.parameters.len());
    let message = format!("takes `({})`, but has {count}", takes.join(", "));
    Err(Error::Setup { place: name.to_owned(), message, nearest: None, at })
}

impl Campaign {
    /// What is odd about its script: a function that nothing calls, and that is nearly called like the one by which a
    /// campaign ends.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let Some(script) = &self.script else { return Vec::new() };
        let own = definitions(&script.path, &script.text, 0);
        let begins =
            |name: &str| self.chapters.iter().any(|chapter| chapter.begin.as_deref() == Some(name));
        let is_idle = |one: &&Definition| {
            let written = occurrences(&script.text, &one.name).count();
            !one.constant && !begins(&one.name) && written < 2
        };
        let ends = own.iter().any(|one| one.name == OUTCOME);
        let contract = if ends { &[][..] } else { &[(OUTCOME, 2)][..] };
        let warned = |one: &Definition| {
            let of = (one.name.as_str(), one.parameters.len(), Some(one.at.clone()));
            Warning::of_idle(of, contract, "this campaign")
        };
        own.iter().filter(is_idle).filter_map(warned).collect()
    }
}

/// Of the conflicts that are played by the same rules, this many are named.
const NAMED: usize = 3;

/// What the script says where all conflicts are played.
const WHOLE: &str = "const UNTIL = 0;\n";

fn written(campaign: &Campaign, calls: &[usize], imports: &[PlayedSystem], ends: bool) -> String {
    let each = |of: &dyn Fn(usize, &PlayedSystem) -> String| -> String {
        let calls = calls.iter().enumerate();
        calls.map(|(at, &call)| format!("        {at} => {},\n", of(at, &imports[call]))).collect()
    };
    let function = |head: &str, on: &str, arms: String| {
        format!("fn {head} {{\n    switch {on} {{\n{arms}        _ => ()\n    }}\n}}\n")
    };
    let on = "this.campaign.on";
    let named = |played: &PlayedSystem, call: &str| format!("this.{}::{call}", played.import.name);
    let names = campaign.chapters.iter().map(|chapter| quoted(&chapter.name));
    let names = names.collect::<Vec<_>>().join(", ");
    let mut text = format!("{WHOLE}const NAMES = [{names}];\n");
    let prepared = |at: usize, _: &PlayedSystem| match &campaign.chapters[at].begin {
        Some(begin) => format!("{CAMPAIGN}::{begin}(campaign_setup({at}), past)"),
        None => format!("campaign_setup({at})"),
    };
    text += &function("campaign_prepare(at, past)", "at", each(&prepared));
    let begun = |_: usize, played: &PlayedSystem| format!("{}::setup(reader)", played.import.name);
    text += &function("campaign_begin(at, reader)", "at", each(&begun));
    text += &function("campaign_step()", on, each(&|_, played| named(played, "step()")));
    text += &function("campaign_outcome()", on, each(&|_, played| named(played, "outcome()")));
    let part = |call: &str, without: &str| {
        let name = call.split('(').next().unwrap_or_default();
        let arm = |_: usize, played: &PlayedSystem| match played.has(name) {
            true => named(played, call),
            false => without.to_owned(),
        };
        function(&format!("campaign_{call}"), on, each(&arm))
    };
    text += &part("view(player)", "this");
    text += &part("picture()", "\"\"");
    text += &part("wording(player, question, options)", "()");
    text += &part("laws()", "[]");
    text += &part("sides()", "#{}");
    text += match ends {
        true => "fn campaign_end(past, left) { campaign::outcome(past, left) }\n",
        false => "fn campaign_end(past, left) { campaign_sum(past, left) }\n",
    };
    // Before the conflict has a state of the campaign's, it asks on one of its own.
    let early = match imports {
        [only] if only.has("view") => named(only, "view(player)"),
        [_] => "this".to_owned(),
        _ => "#{}".to_owned(),
    };
    text += &format!("fn campaign_early_view(player) {{ {early} }}\n");
    let drawing = part("drawing()", "[]")
        + "fn drawing() { if this.campaign.on < 0 { [] } else { this.campaign_drawing() } }\n";
    let own = [
        ("picture", "fn picture() { this.campaign_drawn() }\n"),
        ("drawing", &drawing),
        (
            "wording",
            "fn wording(player, question, options) { this.campaign_worded(player, question, options) }\n",
        ),
        ("laws", "fn laws() { this.campaign_laws() }\n"),
        ("sides", "fn sides() { this.campaign.sides }\n"),
    ];
    for (name, function) in own {
        if imports.iter().any(|played| played.has(name)) {
            text += function;
        }
    }
    text
}

/// A system under some house rules and parameters.
struct PlayedSystem {
    import: Import,
    /// What identifies it, without the changes asked for: these merge no conflicts that the campaign keeps apart.
    unchanged: Unchanged,
    defines: Vec<String>,
}

/// House rules by their texts, and the parameters.
#[derive(PartialEq)]
struct Unchanged {
    house: Vec<(String, String)>,
    params: IndexMap<String, Value>,
}

impl PlayedSystem {
    fn has(&self, function: &str) -> bool {
        self.defines.iter().any(|name| name == function)
    }
}

struct Systems<'a> {
    changes: &'a Changes,
    limits: &'a Limits,
    /// What of the changes some conflict has taken up.
    used: Vec<&'a str>,
    imports: Vec<PlayedSystem>,
}

impl<'a> Systems<'a> {
    /// The number of the import by which a conflict is played; `key` finds the places of its keys.
    fn add(
        &mut self,
        catalog: &Catalog,
        chapter: &Chapter,
        key: &dyn Fn(&str) -> Option<Location>,
    ) -> Result<usize, Error> {
        let scenario = &chapter.scenario;
        let folder = catalog.folder(&scenario.system);
        let folder = folder.map_err(|error| error.placed(|| scenario.location("system")))?;
        let (blueprint, unchanged) = self.blueprint(folder, chapter, key)?;
        if !blueprint.base().imports.is_empty() {
            let message = format!(
                "`{}` imports other rules, and such rules cannot be part of a campaign",
                scenario.system
            );
            let place = chapter.name.clone();
            return Err(Error::Setup { place, message, nearest: None, at: key("scenario") });
        }
        let same = |played: &PlayedSystem| {
            played.import.layer.name == blueprint.base().name && played.unchanged == unchanged
        };
        if let Some(known) = self.imports.iter().position(same) {
            return Ok(known);
        }
        if !blueprint.house().is_empty() {
            // What is wrong with house rules is said of them alone.
            blueprint.rules()?;
        }
        let (base, house, params) = (blueprint.base(), blueprint.house(), blueprint.params());
        let layers = std::iter::once(base).chain(house);
        let files = layers.flat_map(|layer| &layer.files);
        let all = files.flat_map(|(path, text)| definitions(path, text, 0));
        let defines = all.map(|found| found.name).collect();
        let name = self.name(&base.name);
        let (layer, house, params) = (base.clone(), house.to_vec(), params.clone());
        let import = Import { name, layer, house, params, conflicts: None };
        self.imports.push(PlayedSystem { import, unchanged, defines });
        Ok(self.imports.len() - 1)
    }

    /// Refuses rules of a conflict that find mistakes in themselves, at the setup of its scenario.
    fn check_rules(&self, import: usize, setup: &Setup) -> Result<(), Error> {
        let played = &self.imports[import];
        if !played.has("check_rules") {
            return Ok(());
        }
        let Import { layer: base, house, params, .. } = played.import.clone();
        let blueprint = Blueprint::new(base, house, params, self.limits.clone());
        check_rules(&blueprint.rules()?, setup)
    }

    /// What the rules of a conflict are compiled from: its scenario's, what the campaign lays over
    /// them, and over those the changes as far as the system has them; and what they are without these.
    fn blueprint(
        &mut self,
        folder: &Folder,
        chapter: &Chapter,
        key: &dyn Fn(&str) -> Option<Location>,
    ) -> Result<(Blueprint, Unchanged), Error> {
        let scenario = &chapter.scenario;
        let mut order = Order::default();
        order.scenario(folder, scenario, &[])?;
        order.part(folder, (&chapter.house, &chapter.params), &[], key)?;
        let specs = ParamSpecs::read(folder.params()?.as_ref())?;
        let unchanged = Unchanged {
            house: order.layers.iter().flat_map(|layer| layer.files.clone()).collect(),
            params: specs.resolve(order.settings.clone())?,
        };
        for name in &self.changes.house {
            if folder.find(FileKind::House, name).is_ok() {
                order.house(folder, std::slice::from_ref(name))?;
                self.used.push(name);
            }
        }
        for set in &self.changes.params {
            if specs.iter().any(|spec| spec.name == set.name) {
                order.settings.push(set.clone());
                self.used.push(&set.name);
            }
        }
        Ok((blueprint(folder, order, self.limits)?, unchanged))
    }

    /// All of them, where some conflict has taken up each of the changes.
    fn all(self, catalog: &Catalog, campaign: &Campaign) -> Result<Vec<PlayedSystem>, Error> {
        let folders = || {
            let systems = campaign.chapters.iter().map(|chapter| &chapter.scenario.system);
            systems.filter_map(|system| catalog.folder(system).ok())
        };
        let lacks = |name: &&String| !self.used.contains(&name.as_str());
        if let Some(name) = self.changes.house.iter().find(lacks) {
            let known = folders().flat_map(|folder| folder.names(FileKind::House));
            return Err(Error::unknown("house rule", name, known));
        }
        let lacks =
            |set: &&Setting| set.of_setup().is_none() && !self.used.contains(&set.name.as_str());
        if let Some(set) = self.changes.params.iter().find(lacks) {
            let specs = folders()
                .filter_map(|folder| ParamSpecs::read(folder.params().ok()?.as_ref()).ok());
            let known = specs
                .flat_map(|specs| specs.iter().map(|spec| spec.name.clone()).collect::<Vec<_>>());
            return Err(Error::Parameter {
                name: set.name.clone(),
                message: "no conflict of the campaign has this parameter".to_owned(),
                nearest: nearest(&set.name, known),
                at: set.at.clone(),
            });
        }
        Ok(self.imports)
    }

    fn name(&self, system: &str) -> String {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = system.chars().map(letter).collect();
        let plain = match plain.starts_with(|c: char| c.is_ascii_lowercase()) {
            true => plain,
            false => format!("rules{plain}"),
        };
        let taken = |name: &String| {
            name == CAMPAIGN || self.imports.iter().any(|known| known.import.name == *name)
        };
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(plain)
    }
}
