//! Compiles the rules of a folder under house rules and changed parameters.

use std::rc::Rc;

use indexmap::IndexMap;

use crate::catalog::{FileKind, FileText, Folder, ParamSpecs, Scenario, Setting};
use crate::error::{Error, Location, unless_cut};
use crate::game::{Generator, Stop, Value};
use crate::script::{
    Blueprint, Ear, Import, Layer, Limits, Rules, Run, Setup, State, house_params, wanted_imports,
};

/// House rules and changed parameters in the order in which they are laid over the rules.
#[derive(Default)]
pub struct Order {
    /// The layers above the rules.
    pub layers: Vec<Layer>,
    /// The changed parameters; later ones win.
    pub settings: Vec<Setting>,
}

impl Order {
    pub(crate) fn of_house(folder: &Folder, names: &[String]) -> Result<Order, Error> {
        let mut order = Order::default();
        order.house(folder, names).map(|()| order)
    }

    /// Lays the house rules and parameters of a scenario, without some of the house rules.
    pub(super) fn scenario(
        &mut self,
        folder: &Folder,
        scenario: &Scenario,
        without: &[String],
    ) -> Result<(), Error> {
        let key = |key: &str| scenario.key_location(key);
        self.part(folder, (&scenario.house, &scenario.params), without, &key)
    }

    /// The same of a part of a file; `key` finds the places of its keys.
    pub(super) fn part(
        &mut self,
        folder: &Folder,
        (house, params): (&[String], &IndexMap<String, Value>),
        without: &[String],
        key: &dyn Fn(&str) -> Option<Location>,
    ) -> Result<(), Error> {
        let house = house.iter().enumerate();
        for (number, name) in house.filter(|(_, name)| !without.contains(name)) {
            let laid = self.house(folder, std::slice::from_ref(name));
            laid.map_err(|error| error.placed(|| key(&format!("house.{number}"))))?;
        }
        let placed = |entry: (&String, &Value)| Setting {
            at: key(&format!("params.{}", entry.0)),
            ..Setting::of(entry)
        };
        self.settings.extend(params.iter().map(placed));
        Ok(())
    }

    /// Lays house rules on top, with the parameters they change.
    ///
    /// # Errors
    /// [`Error::Unknown`] for one that is not there, [`Error::Script`] for one that does not compile.
    pub fn house(&mut self, folder: &Folder, names: &[String]) -> Result<(), Error> {
        for name in names {
            let layer = layer(name, [folder.find(FileKind::House, name)?]);
            let set = house_params(&layer)?.into_iter();
            self.settings.extend(set.map(|(name, value, at)| Setting { name, value, at }));
            self.layers.push(layer);
        }
        Ok(())
    }
}

/// Compiles the rules of a folder under house rules and parameters.
///
/// # Errors
/// [`Error::Parameter`] and [`Error::Script`], with their places.
pub fn compile(folder: &Folder, order: Order, limits: &Limits) -> Result<Rc<Rules>, Error> {
    blueprint(folder, order, limits)?.rules()
}

/// Reads what the rules of a folder are compiled from, under house rules and parameters.
pub(crate) fn blueprint(
    folder: &Folder,
    order: Order,
    limits: &Limits,
) -> Result<Blueprint, Error> {
    let specs = ParamSpecs::read(folder.params()?.as_ref())?;
    let params = specs.resolve(order.settings)?;
    let base = layer(folder.name(), folder.scripts()?);
    let base = Layer { imports: imports(folder, &base)?, ..base };
    let limits = limits.clone();
    Ok(Blueprint::new(base, order.layers, params, limits))
}

/// Refuses rules whose own `check_rules` finds mistakes in them, at the state that a setup leads to. A setup
/// that fails is refused where it is played.
pub(super) fn check_rules(rules: &Rc<Rules>, setup: &Setup) -> Result<(), Error> {
    if !rules.defines("check_rules") {
        return Ok(());
    }
    let state = unless_cut(first_state(rules, setup, 0))?.flatten();
    state.map_or(Ok(()), |state| rules.check_rules(&state))
}

/// The state that a setup leads to where what it asks is answered at random.
pub(super) fn first_state(
    rules: &Rc<Rules>,
    setup: &Setup,
    seed: u64,
) -> Result<Option<State>, Stop> {
    let mut generator = Generator::playout(seed, 0);
    let mut run = Run::begin(rules, setup, Ear::Deaf);
    run.reach(|question| Ok(generator.sample(question)))?;
    Ok(run.state().cloned())
}

pub(super) fn layer(name: &str, files: impl IntoIterator<Item = FileText>) -> Layer {
    let files = files.into_iter().map(|text| (text.path, text.text)).collect();
    Layer { name: name.to_owned(), files, ..Layer::default() }
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
            let layer = layer(other.name(), other.scripts()?);
            for (path, text) in &layer.files {
                if let Some(further) = wanted_imports(path, text)?.first() {
                    return Err(wanted.refused(format!(
                        "`{}` imports `{}` itself; imports go one level deep",
                        wanted.system, further.system
                    )));
                }
            }
            let params = ParamSpecs::read(other.params()?.as_ref())?.resolve(Vec::new())?;
            imports.push(Import { name: wanted.name, layer, params, ..Import::default() });
        }
    }
    Ok(imports)
}
