//! How programs read and write what JSON has no word for: work that was cut, one of two types, an interval
//! without an end.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Whether work came to its end: a `bool` in place of the reason why it did not.
pub(super) mod complete {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::error::Cut;

    /// Whether nothing cut the work.
    pub(crate) fn serialize<S: Serializer>(
        cut: &Option<Cut>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(cut.is_none())
    }

    /// A script of the lab knows no reason, only that there was one.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Cut>, D::Error> {
        Ok((!bool::deserialize(deserializer)?).then_some(Cut::Interrupted))
    }
}

/// The ends of intervals, which are null where there is no bound.
pub(super) mod open_end {
    use serde::{Deserialize, Deserializer};

    /// The lower end of an interval; null is minus infinity.
    pub(crate) fn low<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::NEG_INFINITY))
    }

    /// The upper end of an interval; null is infinity.
    pub(crate) fn high<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::INFINITY))
    }
}

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
