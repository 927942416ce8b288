//! Scripts that belong together, with what they import, as they were read and before they are joined; and the digests
//! of their files.

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;
use rhai::{ScriptFuncDef, Shared};
use sha2::{Digest, Sha256};

use crate::error::Location;
use crate::game::Value;
use crate::script::assemble::definition::{Definition, definitions};
use crate::script::assemble::function_uses::NameAndArity;
use crate::script::setup::Setup;

/// The functions of the contract, each with its number of parameters.
pub(crate) const CONTRACT: [(&str, usize); 12] = [
    ("setup", 1),
    ("step", 0),
    ("outcome", 0),
    ("view", 1),
    ("picture", 0),
    ("drawing", 0),
    ("wording", 3),
    ("laws", 0),
    ("reachable", 0),
    ("check_rules", 0),
    ("sides", 0),
    ("params", 0),
];

/// Scripts that belong together: the rules, or one house rule.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// What people call it: the system's name, or the house rule's.
    pub name: String,
    /// Its files, path and text; the first opens with the prose.
    pub files: Vec<(String, String)>,
    /// Other systems whose functions it calls; house rules have none of their own.
    pub imports: Vec<Import>,
    /// The conflicts that it plays one after another, where it is a campaign.
    pub campaign: Vec<Part>,
}

/// Another system whose functions these rules call.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The name before the `::`.
    pub name: String,
    /// The other system's scripts.
    pub layer: Layer,
    /// The house rules laid over them, in order.
    pub house: Vec<Layer>,
    /// Its parameters.
    pub params: IndexMap<String, Value>,
    /// Of a campaign: the names of the conflicts that it plays, as people read them; empty where it plays all.
    pub conflicts: Option<String>,
}

/// A conflict of a campaign.
#[derive(Clone)]
pub struct Part {
    /// What people call it.
    pub name: String,
    /// The setup of its scenario.
    pub setup: Setup,
    /// The number of the import by which it is played; none of how a campaign ends.
    pub import: Option<usize>,
    /// Where the script makes its setup; otherwise where the campaign names it.
    pub begins: Option<Location>,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.setup.value)
    }
}

impl Layer {
    /// Its files by their names; those of a house rule are in a folder.
    fn named(&self, is_house: bool) -> impl Iterator<Item = (String, &String)> {
        self.files.iter().map(move |(path, text)| {
            let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
            (if is_house { format!("house/{file}") } else { file.to_owned() }, text)
        })
    }
}

impl Import {
    pub(in crate::script) fn layers(&self) -> impl Iterator<Item = &Layer> {
        std::iter::once(&self.layer).chain(&self.house)
    }

    /// The number of the layer that a place is in: 0 is the system itself.
    pub(in crate::script) fn layer_of(&self, at: &Location) -> usize {
        let holds = |layer: &Layer| layer.files.iter().any(|(path, _)| *path == at.file);
        self.layers().position(holds).unwrap_or_default()
    }

    /// The functions and constants as they are written in the files, with the numbers of their layers.
    pub(crate) fn definitions(&self) -> Vec<Definition> {
        let of = |(number, layer): (usize, &Layer)| -> Vec<Definition> {
            let files = layer.files.iter();
            files.flat_map(|(path, text)| definitions(path, text, number)).collect()
        };
        self.layers().enumerate().flat_map(of).collect()
    }

    /// What identifies these rules: each file with its text, and the parameters.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (String, String)> {
        let system = &self.layer.name;
        let files = self.layers().enumerate().flat_map(|(number, layer)| layer.named(number > 0));
        let files = files.map(move |(name, text)| (format!("{system}/{name}"), text.clone()));
        let values = self.params.iter().map(|(name, value)| format!("{name}={}", value.literal()));
        files.chain([(format!("{system}/params"), values.collect::<Vec<_>>().join("\n"))])
    }
}

/// Functions by name and number of parameters, each with the number of its layer.
pub(in crate::script) type DefinedFunctions =
    BTreeMap<NameAndArity, (Shared<ScriptFuncDef>, usize)>;

pub(in crate::script) fn files(layers: &[Layer]) -> Vec<(usize, String)> {
    let of = |(layer, all): (usize, &Layer)| {
        // What a campaign imports are the rules that are played.
        let played = all.imports.iter().filter(|_| !all.campaign.is_empty());
        let played = played.flat_map(Import::layers);
        // Its own files nobody wrote.
        let own = std::iter::once(all).filter(|all| all.campaign.is_empty());
        let files = own.chain(played).flat_map(|layer| &layer.files);
        files.map(|(path, _)| (layer, path.clone())).collect::<Vec<_>>()
    };
    let mut files: Vec<(usize, String)> = layers.iter().enumerate().flat_map(of).collect();
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|(_, path)| seen.insert(path.clone()));
    files
}

/// Each script file of the layers with its digest, in order; then those of what they import.
pub(in crate::script) fn digests(layers: &[Layer]) -> IndexMap<String, String> {
    let mut digests = IndexMap::new();
    for (number, layer) in layers.iter().enumerate() {
        digests.extend(layer.named(number > 0).map(|(name, text)| (name, digest(text))));
        for import in &layer.imports {
            for (name, text) in import.parts() {
                let of = digest(&text);
                // A campaign may play the same system under several parameters.
                match digests.get(&name) {
                    Some(other) if *other != of => {
                        digests.insert(format!("{name} of {}", import.name), of)
                    }
                    _ => digests.insert(name, of),
                };
            }
        }
    }
    digests
}

/// The SHA-256 digest of a text, in hexadecimal digits.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn the_digest_is_the_published_one() {
        // The example of FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest("abc"), abc);
    }
}
