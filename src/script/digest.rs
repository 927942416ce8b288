//! SHA-256 digests of script files: those of the layers, and of what they import.

use indexmap::IndexMap;
use sha2::{Digest, Sha256};

use super::layers::Layer;

/// Each script file of the layers with its digest, in order; then those of what they import.
pub(super) fn digests(layers: &[Layer]) -> IndexMap<String, String> {
    let mut digests = IndexMap::new();
    for (number, layer) in layers.iter().enumerate() {
        for (path, text) in &layer.files {
            let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let name = if number == 0 { file.to_owned() } else { format!("house/{file}") };
            digests.insert(name, digest(text));
        }
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
