//! Compiles the rules of a folder under house rules and changed parameters.

use std::rc::Rc;

use indexmap::IndexMap;

use crate::catalog::{FileKind, Folder, ParamSpecs, Scenario, Setting};
use crate::error::Error;
use crate::game::{Generator, Value};
use crate::script::{
    Blueprint, Ear, Import, Layer, Limits, Rules, Run, Setup, house_params, wanted_imports,
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
    let params: IndexMap<String, Value> = specs.resolve(order.settings)?;
    let base = layer(folder)?;
    let base = Layer { imports: imports(folder, &base)?, ..base };
    let limits = limits.clone();
    Ok(Blueprint { base, house: order.layers, params, limits, players: None })
}

/// Refuses rules whose own `check_rules` finds mistakes in them, at the state that a setup leads to. A setup
/// that fails is refused where it is played.
pub(super) fn check_rules(rules: &Rc<Rules>, setup: &Setup) -> Result<(), Error> {
    if !rules.has_check() {
        return Ok(());
    }
    // What the setup asks is answered at random.
    let mut generator = Generator::playout(0, 0);
    let mut run = Run::begin(rules, setup, Ear::Deaf);
    match (run.reach(|question| Ok(generator.sample(question))), run.state()) {
        (Err(stop), _) => Error::from(stop).cut().map_or(Ok(()), |cut| Err(cut.into())),
        (Ok(_), state) => state.map_or(Ok(()), |state| rules.check_rules(state)),
    }
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
