//! Saves a solution as JSON that an agent can play, with a header that identifies the conflict.

use std::path::Path;

use serde_json::{Map, Value as Json};

use super::Solution;
use crate::agents::SavedHeader;
use crate::conflict::{Conflict, Players, replace};
use crate::error::Error;

impl Solution {
    /// Writes the file from which `solved(FILE)` plays, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`]; an earlier file then stays as it was.
    pub fn save(&self, conflict: &Conflict, players: &Players, path: &Path) -> Result<(), Error> {
        let text = format!("{:#}\n", self.saved(conflict, players));
        replace(path, text.as_bytes())
    }

    /// The content of the file: the header, and all that is printed for programs, with the key of
    /// each information set.
    pub fn saved(&self, conflict: &Conflict, players: &Players) -> Json {
        let several = players.sides.iter().filter(|(_, players)| players.len() > 1);
        let header = SavedHeader {
            fracas_solution: SavedHeader::VERSION,
            system: conflict.folder.name().to_owned(),
            scenario: conflict.scenario.name.clone(),
            sides: several.map(|(side, players)| (side.clone(), players.clone())).collect(),
            identity: conflict.blueprint.identity(&conflict.setup.value),
        };
        let mut json = match serde_json::to_value(header) {
            Ok(Json::Object(header)) => header,
            // A header of texts and a number is always an object.
            _ => Map::new(),
        };
        if let Ok(Json::Object(mut solution)) = serde_json::to_value(self) {
            self.add_keys(&mut solution);
            json.extend(solution);
        }
        Json::Object(json)
    }

    /// Adds the key of each information set to its line.
    fn add_keys(&self, json: &mut Map<String, Json>) {
        let lines = json.get_mut("strategy").and_then(Json::as_array_mut).into_iter().flatten();
        for (fields, line) in lines.filter_map(Json::as_object_mut).zip(&self.strategy) {
            let place = fields.keys().position(|key| key == "reach").unwrap_or_default();
            fields.shift_insert(place, "key".to_owned(), line.key.clone().into());
        }
        let further = json.get_mut("further").and_then(Json::as_array_mut).into_iter().flatten();
        for (fields, one) in further.filter_map(Json::as_object_mut).zip(&self.further) {
            one.add_keys(fields);
        }
    }
}
