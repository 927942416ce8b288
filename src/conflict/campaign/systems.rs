//! The systems that a campaign plays, each once for each choice of house rules and parameters.

use crate::catalog::{CAMPAIGN, Campaign, Catalog, Chapter, FileKind, Folder, ParamSpecs, Setting};
use crate::conflict::Changes;
use crate::conflict::compile::{Order, blueprint, check_rules};
use crate::error::{Error, Location, nearest};
use crate::game::Value;
use crate::script::{Blueprint, Import, Layer, Limits, Setup, definitions};

/// A system under some house rules and parameters.
pub(super) struct PlayedSystem {
    /// The import by which it is called.
    pub import: Import,
    defines: Vec<String>,
}

impl PlayedSystem {
    pub(super) fn has(&self, function: &str) -> bool {
        self.defines.iter().any(|name| name == function)
    }
}

pub(super) struct Systems<'a> {
    changes: &'a Changes,
    limits: &'a Limits,
    /// What of the changes some conflict has taken up.
    used: Vec<&'a str>,
    imports: Vec<PlayedSystem>,
}

impl<'a> Systems<'a> {
    pub(super) fn new(changes: &'a Changes, limits: &'a Limits) -> Systems<'a> {
        Systems { changes, limits, used: Vec::new(), imports: Vec::new() }
    }

    /// The number of the import by which a conflict is played; `key` finds the places of its keys.
    pub(super) fn add(
        &mut self,
        catalog: &Catalog,
        chapter: &Chapter,
        key: &dyn Fn(&str) -> Option<Location>,
    ) -> Result<usize, Error> {
        let scenario = &chapter.scenario;
        let folder = catalog.folder(&scenario.system);
        let folder = folder.map_err(|error| error.placed(|| scenario.location("system")))?;
        let blueprint = self.blueprint(folder, chapter, key)?;
        if !blueprint.base.imports.is_empty() {
            let message = format!(
                "`{}` imports other rules, and such rules cannot be part of a campaign",
                scenario.system
            );
            let place = chapter.name.clone();
            return Err(Error::Setup { place, message, nearest: None, at: key("scenario") });
        }
        let same = |played: &PlayedSystem| {
            let texts = |layers: &[Layer]| -> Vec<(String, String)> {
                layers.iter().flat_map(|layer| layer.files.clone()).collect()
            };
            played.import.layer.name == blueprint.base.name
                && texts(&played.import.house) == texts(&blueprint.house)
                && played.import.params == blueprint.params
        };
        if let Some(known) = self.imports.iter().position(same) {
            return Ok(known);
        }
        if !blueprint.house.is_empty() {
            // What is wrong with house rules is said of them alone.
            blueprint.rules()?;
        }
        let Blueprint { base, house, params, .. } = blueprint;
        let layers = std::iter::once(&base).chain(&house);
        let files = layers.flat_map(|layer| &layer.files);
        let all = files.flat_map(|(path, text)| definitions(path, text, 0));
        let defines = all.map(|found| found.name).collect();
        let name = self.name(&base.name);
        self.imports
            .push(PlayedSystem { import: Import { name, layer: base, house, params }, defines });
        Ok(self.imports.len() - 1)
    }

    /// Refuses rules of a conflict that find mistakes in themselves, at the setup of its scenario.
    pub(super) fn check_rules(&self, import: usize, setup: &Setup) -> Result<(), Error> {
        let played = &self.imports[import];
        if !played.has("check_rules") {
            return Ok(());
        }
        let Import { layer: base, house, params, .. } = played.import.clone();
        let limits = self.limits.clone();
        let blueprint = Blueprint { base, house, params, limits, players: None };
        check_rules(&blueprint.rules()?, setup)
    }

    /// What the rules of a conflict are compiled from: its scenario's, what the campaign lays over
    /// them, and over those the changes as far as the system has them.
    fn blueprint(
        &mut self,
        folder: &Folder,
        chapter: &Chapter,
        key: &dyn Fn(&str) -> Option<Location>,
    ) -> Result<Blueprint, Error> {
        let scenario = &chapter.scenario;
        let mut order = Order::default();
        order.scenario(folder, scenario, &[])?;
        for (number, name) in chapter.house.iter().enumerate() {
            let at = || key(&format!("house.{number}"));
            order.house(folder, std::slice::from_ref(name)).map_err(|error| error.placed(at))?;
        }
        let placed = |entry: (&String, &Value)| Setting {
            at: key(&format!("params.{}", entry.0)),
            ..Setting::of(entry)
        };
        order.settings.extend(chapter.params.iter().map(placed));
        for name in &self.changes.house {
            if folder.find(FileKind::House, name).is_ok() {
                order.house(folder, std::slice::from_ref(name))?;
                self.used.push(name);
            }
        }
        let specs = ParamSpecs::read(folder.params()?.as_ref())?;
        for set in &self.changes.params {
            if specs.iter().any(|spec| spec.name == set.name) {
                order.settings.push(set.clone());
                self.used.push(&set.name);
            }
        }
        blueprint(folder, order, self.limits)
    }

    /// All of them, where some conflict has taken up each of the changes.
    pub(super) fn all(
        self,
        catalog: &Catalog,
        campaign: &Campaign,
    ) -> Result<Vec<PlayedSystem>, Error> {
        let folders = || {
            let systems = campaign.chapters.iter().map(|chapter| &chapter.scenario.system);
            systems.filter_map(|system| catalog.folder(system).ok())
        };
        let lacks = |name: &&String| !self.used.contains(&name.as_str());
        if let Some(name) = self.changes.house.iter().find(lacks) {
            let known: Vec<String> =
                folders().flat_map(|folder| folder.names(FileKind::House)).collect();
            return Err(Error::unknown("house rule", name, known.iter().map(String::as_str)));
        }
        let lacks =
            |set: &&Setting| set.of_setup().is_none() && !self.used.contains(&set.name.as_str());
        if let Some(set) = self.changes.params.iter().find(lacks) {
            let specs = folders()
                .filter_map(|folder| ParamSpecs::read(folder.params().ok()?.as_ref()).ok());
            let known: Vec<String> = specs
                .flat_map(|specs| specs.iter().map(|spec| spec.name.clone()).collect::<Vec<_>>())
                .collect();
            return Err(Error::Parameter {
                name: set.name.clone(),
                message: "no conflict of the campaign has this parameter".to_owned(),
                nearest: nearest(&set.name, known.iter().map(String::as_str)),
                at: set.at.clone(),
            });
        }
        Ok(self.imports)
    }

    /// A name for an import of a system, which no other has.
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
