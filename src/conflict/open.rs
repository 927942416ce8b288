//! Opens a conflict: a scenario, the changes asked for, and the rules compiled from both.

use std::sync::Arc;

use indexmap::IndexMap;

use super::campaign;
use crate::agents::HUMAN;
use crate::catalog::give;
use crate::catalog::{
    Catalog, Document, FileKind, Folder, ParamSpecs, Scenario, Setting, parse_argument,
};
use crate::error::{Error, Location};
use crate::game::Value;
use crate::script::{
    Blueprint, Import, Layer, Limits, Locate, Rules, Setup, Warning, house_params, wanted_imports,
};

/// What a command or the prompt changes about a scenario.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// House rules on top of the scenario's, in order: names or paths.
    pub house: Vec<String>,
    /// House rules of the scenario that are left out.
    pub without: Vec<String>,
    /// Parameters, laid over all others.
    pub params: Vec<Setting>,
    /// Player or side -> agent, in place of the scenario's.
    pub seats: Vec<(String, String)>,
}

impl Changes {
    /// Reads changes as people write them: names, `NAME=VALUE`, `PLAYER=AGENT`.
    ///
    /// # Errors
    /// [`Error::Usage`] for what is neither.
    pub fn read(house: &[String], params: &[String], seats: &[String]) -> Result<Changes, Error> {
        let setting = |text: &String| {
            parse_argument(text).map(|(name, value)| Setting { name, value, at: None })
        };
        let seat = |text: &String| match text.split_once('=') {
            Some((player, agent)) if !player.trim().is_empty() && !agent.trim().is_empty() => {
                Ok((player.trim().to_owned(), agent.trim().to_owned()))
            }
            _ => Err(Error::usage(format!("`--seat {text}`: write it as `--seat red=random`"))),
        };
        Ok(Changes {
            house: house.to_vec(),
            without: Vec::new(),
            params: params.iter().map(setting).collect::<Result<_, _>>()?,
            seats: seats.iter().map(seat).collect::<Result<_, _>>()?,
        })
    }

    /// The seats of a scenario, with the changes laid over them.
    pub(super) fn seats_over(&self, scenario: &Scenario) -> IndexMap<String, String> {
        let mut seats = scenario.seats.clone();
        for (seat, agent) in &self.seats {
            give(&mut seats, seat, agent);
        }
        seats
    }
}

/// A conflict that can be played: the rules compiled, the setup at hand.
pub struct Conflict {
    /// The scenario as its file has it.
    pub scenario: Scenario,
    /// What was changed about it.
    pub changes: Changes,
    /// What the rules are compiled from.
    pub blueprint: Blueprint,
    /// The rules with house rules and parameters.
    pub rules: Rules,
    /// What it starts from.
    pub setup: Setup,
    /// Player or side -> agent, for the seats that are taken.
    pub seats: IndexMap<String, String>,
    /// Seats that nobody takes, since the agent's file is not beside the saved history that names it.
    pub unseated: IndexMap<String, String>,
    /// Where agents are found.
    pub folder: Folder,
}

impl Conflict {
    /// The words after `fracas` that play it; `random` plays for people.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec!["play".to_owned(), self.scenario.name.clone()];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        self.changes.house.iter().for_each(|house| option("--house", house.clone()));
        self.changes.params.iter().for_each(|setting| option("--param", setting.to_string()));
        for (seat, agent) in &self.seats {
            let agent = if agent == HUMAN { "random" } else { agent };
            option("--seat", format!("{seat}={agent}"));
        }
        words
    }

    /// Whether somebody plays in person from whom the rules may hide something: then a mistake in what
    /// was played is veiled (`Error::veiled`) by whoever shows it.
    pub(crate) fn hides_from_people(&self) -> bool {
        self.rules.hides() && self.seats.values().any(|agent| agent == HUMAN)
    }

    /// What is odd about the rules for this setup.
    pub fn warnings(&self) -> Vec<Warning> {
        self.rules.warnings_beside([&*self.setup.value])
    }

    /// Opens a scenario by name or path.
    ///
    /// # Errors
    /// Mistakes in the scenario, the parameters or the scripts, with their places.
    pub fn open(
        catalog: &Catalog,
        scenario: &str,
        changes: &Changes,
        limits: &Limits,
    ) -> Result<Conflict, Error> {
        Conflict::of(catalog, catalog.scenario(scenario)?, changes, limits)
    }

    /// Opens a scenario that has been read, or made.
    ///
    /// # Errors
    /// As [`Conflict::open`].
    pub fn of(
        catalog: &Catalog,
        scenario: Scenario,
        changes: &Changes,
        limits: &Limits,
    ) -> Result<Conflict, Error> {
        if let Some(campaign) = scenario.campaign.clone() {
            return campaign::open(catalog, scenario, &campaign, changes, limits);
        }
        let folder = catalog.folder(&scenario.system);
        let folder = folder.map_err(|error| error.placed(|| scenario.location("system")))?.clone();
        let mut order = Order::default();
        order.scenario(&folder, &scenario, &changes.without)?;
        order.house(&folder, &changes.house)?;
        order.settings.extend(changes.params.iter().cloned());

        let blueprint = blueprint(&folder, order, limits)?;
        let rules = blueprint.rules()?;
        let seats = changes.seats_over(&scenario);
        let setup = Setup::located(scenario.setup.clone(), locate(&scenario.document));
        Ok(Conflict {
            scenario,
            changes: changes.clone(),
            blueprint,
            rules,
            setup,
            seats,
            unseated: IndexMap::new(),
            folder,
        })
    }

    /// Where the scenario's file says who sits here; `None` for a seat that was changed.
    pub(crate) fn seat_place(&self, seat: &str) -> Option<Location> {
        let seated = self.scenario.seats.get(seat);
        if seated.is_none() || seated != self.seats.get(seat) {
            return None;
        }
        self.scenario.location(&format!("seats.{seat}"))
    }

    /// Where the scenario's file names this seat.
    pub(crate) fn seat_key(&self, seat: &str) -> Option<Location> {
        self.seat_place(seat)?;
        self.scenario.key_location(&format!("seats.{seat}"))
    }
}

/// House rules and changed parameters in the order in which they are laid over the rules.
#[derive(Default)]
pub struct Order {
    /// The layers above the rules.
    pub layers: Vec<Layer>,
    /// The changed parameters; later ones win.
    pub settings: Vec<Setting>,
}

impl Order {
    /// Lays the house rules and parameters of a scenario, without some of the house rules.
    pub(super) fn scenario(
        &mut self,
        folder: &Folder,
        scenario: &Scenario,
        without: &[String],
    ) -> Result<(), Error> {
        let all = scenario.house.iter().enumerate();
        for (number, name) in all.filter(|(_, name)| !without.contains(name)) {
            let at = || scenario.location(&format!("house.{number}"));
            self.house(folder, std::slice::from_ref(name)).map_err(|error| error.placed(at))?;
        }
        let placed = |entry: (&String, &Value)| Setting {
            at: scenario.location(&format!("params.{}", entry.0)),
            ..Setting::of(entry)
        };
        self.settings.extend(scenario.params.iter().map(placed));
        Ok(())
    }

    /// Lays house rules on top, with the parameters they change.
    ///
    /// # Errors
    /// [`Error::Unknown`] for one that is not there, [`Error::Script`] for one that does not compile.
    pub fn house(&mut self, folder: &Folder, names: &[String]) -> Result<(), Error> {
        for name in names {
            let text = folder.find(FileKind::House, name)?;
            let layer = Layer {
                name: name.clone(),
                files: vec![(text.path, text.text)],
                ..Layer::default()
            };
            let changed = house_params(&layer)?;
            self.settings.extend(changed.into_iter().map(|(name, value, at)| Setting {
                name,
                value,
                at,
            }));
            self.layers.push(layer);
        }
        Ok(())
    }
}

/// Compiles the rules of a folder under house rules and parameters.
///
/// # Errors
/// [`Error::Parameter`] and [`Error::Script`], with their places.
pub fn compile(folder: &Folder, order: Order, limits: &Limits) -> Result<Rules, Error> {
    blueprint(folder, order, limits)?.rules()
}

/// Reads what the rules of a folder are compiled from, under house rules and parameters.
pub(super) fn blueprint(
    folder: &Folder,
    order: Order,
    limits: &Limits,
) -> Result<Blueprint, Error> {
    let specs = ParamSpecs::read(folder.params()?.as_ref())?;
    let params: IndexMap<String, Value> = specs.resolve(order.settings)?;
    let base = layer(folder)?;
    let base = Layer { imports: imports(folder, &base)?, ..base };
    let limits = limits.clone();
    Ok(Blueprint { base, house: order.layers, params, limits, players: None })
}

fn layer(folder: &Folder) -> Result<Layer, Error> {
    let files = folder.scripts()?.into_iter().map(|text| (text.path, text.text)).collect();
    Ok(Layer { name: folder.name().to_owned(), files, ..Layer::default() })
}

/// The other systems whose functions the scripts of a folder call, each with the parameters of its
/// own folder.
fn imports(folder: &Folder, scripts: &Layer) -> Result<Vec<Import>, Error> {
    let mut imports: Vec<Import> = Vec::new();
    for (path, text) in &scripts.files {
        for wanted in wanted_imports(path, text)? {
            if imports.iter().any(|import| import.name == wanted.name) {
                return Err(wanted.refused(format!("`{}` is imported twice", wanted.name)));
            }
            let other = folder.neighbour(&wanted.system);
            let other = other.map_err(|error| error.placed(|| Some(wanted.at.clone())))?;
            let layer = layer(&other)?;
            for (path, text) in &layer.files {
                if let Some(further) = wanted_imports(path, text)?.first() {
                    return Err(wanted.refused(format!(
                        "`{}` imports `{}` itself; imports go one level deep",
                        wanted.system, further.system
                    )));
                }
            }
            let params = ParamSpecs::read(other.params()?.as_ref())?.resolve(Vec::new())?;
            imports.push(Import { name: wanted.name, layer, house: Vec::new(), params });
        }
    }
    Ok(imports)
}

/// Finds places of the setup in the scenario's file.
pub(super) fn locate(document: &Option<Arc<Document>>) -> Locate {
    let document = document.clone();
    Arc::new(move |place| document.as_ref().and_then(|document| document.key_at(place)))
}
