//! Digests of the files that decide how games end, by names that are the same on every machine.

use indexmap::IndexMap;

use super::super::Spec;
use crate::agents::{AgentSpec, Plan};
use crate::catalog::{Folder, Text};
use crate::conflict::Conflict;
use crate::error::Error;
use crate::script::{Import, digest};

/// Notes the rules, parameters, house rules and setup of a conflict, and the scripts and solutions of
/// its agents. Returns the digest of all but the agents, and that of each agent.
///
/// # Errors
/// [`Error::File`] where the folder cannot be read any more.
pub(super) fn note(
    conflict: &Conflict,
    agents: &[AgentSpec],
    spec: &Spec,
    files: &mut IndexMap<String, String>,
) -> Result<(String, Vec<String>), Error> {
    let Conflict { folder, blueprint, scenario, .. } = conflict;
    let mut note = |path: &str, digest: String| {
        let name = name(path, folder, spec);
        // Two files of one name stand under their paths.
        match files.get(&name) {
            Some(there) if *there != digest => _ = files.insert(path.to_owned(), digest.clone()),
            _ => _ = files.insert(name.clone(), digest.clone()),
        }
        format!("{name} {digest}\n")
    };
    let layers = std::iter::once(&blueprint.base).chain(&blueprint.house);
    let mut of_scenario = String::new();
    for (path, text) in layers.flat_map(|layer| &layer.files) {
        of_scenario += &note(path, digest(text));
    }
    let imports = blueprint.base.imports.iter().flat_map(Import::parts);
    imports.for_each(|(path, text)| of_scenario += &note(&path, digest(&text)));
    if let Some(Text { path, text }) = folder.params()? {
        of_scenario += &note(&path, digest(&text));
    }
    if let Some(document) = &scenario.document {
        of_scenario += &note(&document.path, digest(&document.text));
    }
    let of_agent = |found: &AgentSpec| match found {
        AgentSpec::Script(layer, _) => {
            let files = layer.files.iter().map(|(path, text)| note(path, digest(text)));
            digest(&files.collect::<String>())
        }
        AgentSpec::Thinker(Plan::Solved(saved)) => {
            digest(&note(saved.path(), saved.digest().to_owned()))
        }
        // What they are is a matter of the version of fracas.
        _ => String::new(),
    };
    let of_agents = agents.iter().map(of_agent).collect();
    Ok((digest(&of_scenario), of_agents))
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
