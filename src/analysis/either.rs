//! Writes for programs what was found, or why nothing was.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Writes the one or the other, without a word for which.
pub(super) fn either<T: Serialize, E: Serialize, S: Serializer>(
    found: &Result<T, E>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match found {
        Ok(found) => found.serialize(serializer),
        Err(missing) => missing.serialize(serializer),
    }
}

/// The schema of the one or the other.
pub(super) fn either_schema<T: JsonSchema, E: JsonSchema>(
    generator: &mut SchemaGenerator,
) -> Schema {
    let either = [generator.subschema_for::<T>(), generator.subschema_for::<E>()];
    json_schema!({ "anyOf": either })
}
