//! Writes for programs whether work came to its end: a `bool` in place of the reason why it did not.

use serde::{Deserialize, Deserializer, Serializer};

use crate::error::Cut;

/// Whether nothing cut the work.
pub(super) fn serialize<S: Serializer>(
    cut: &Option<Cut>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(cut.is_none())
}

/// A script of the lab knows no reason, only that there was one.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Cut>, D::Error> {
    Ok((!bool::deserialize(deserializer)?).then_some(Cut::Interrupted))
}
