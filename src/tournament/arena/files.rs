//! Which files decide how games end? Each with its digest, by a name that is the same on every machine.

use indexmap::IndexMap;

use super::super::Spec;
use crate::agents::{Found, Plan};
use crate::catalog::{Folder, Text};
use crate::conflict::Conflict;
use crate::error::Error;
use crate::script::{Import, digest};

/// Notes the rules, parameters, house rules and setup of a conflict, and the scripts and solutions of
/// its agents.
///
/// # Errors
/// [`Error::File`] where the folder cannot be read any more.
pub(super) fn note(
    conflict: &Conflict,
    agents: &[Found],
    spec: &Spec,
    files: &mut IndexMap<String, String>,
) -> Result<(), Error> {
    let Conflict { folder, blueprint, scenario, .. } = conflict;
    let mut note = |path: &str, digest: String| {
        let name = name(path, folder, spec);
        // Two files of one name stand under their paths.
        match files.get(&name) {
            Some(there) if *there != digest => _ = files.insert(path.to_owned(), digest),
            _ => _ = files.insert(name, digest),
        }
    };
    let layers = std::iter::once(&blueprint.base).chain(&blueprint.house);
    let scripts = agents.iter().filter_map(|found| match found {
        Found::Script(layer, _) => Some(layer),
        _ => None,
    });
    for (path, text) in layers.chain(scripts).flat_map(|layer| &layer.files) {
        note(path, digest(text));
    }
    for found in agents {
        if let Found::Thinker(Plan::Solved(saved)) = found {
            note(saved.path(), saved.digest().to_owned());
        }
    }
    let imports = blueprint.base.imports.iter().flat_map(Import::parts);
    imports.for_each(|(path, text)| note(&path, digest(&text)));
    if let Some(Text { path, text }) = folder.params()? {
        note(&path, digest(&text));
    }
    if let Some(document) = &scenario.document {
        note(&document.path, digest(&document.text));
    }
    Ok(())
}

/// What a file is called: below its system, or below the folder of the spec; else its path.
fn name(path: &str, folder: &Folder, spec: &Spec) -> String {
    let below = |root: &str| {
        let rest = path.strip_prefix(root)?.trim_start_matches(['/', '\\']);
        Some(rest.replace('\\', "/"))
    };
    if let Some(rest) = below(&folder.path()) {
        return format!("{}/{rest}", folder.name());
    }
    let of_spec = spec.folder.as_ref().map(|root| root.display().to_string());
    let of_spec = of_spec.filter(|root| !root.is_empty());
    of_spec.and_then(|root| below(&root)).unwrap_or_else(|| path.to_owned())
}
