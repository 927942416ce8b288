//! Draws what players see at the information sets of a solution that people are shown.

use std::collections::{BTreeMap, HashMap};

use super::text::SHOWN;
use super::{Line, Solution};
use crate::game::Value;
use crate::graph::InformationSet;
use crate::script::{Rules, State};

/// No longer picture is kept, in bytes.
const LONGEST: usize = 4_000;

/// Draws the first lines of a solution, as far as the rules draw what a player sees. Where two of a
/// decision look the same, the picture says too little, and what is seen is told as data.
pub(super) fn draw<'a>(
    solution: &mut Solution,
    rules: &Rules,
    sets: impl Iterator<Item = &'a InformationSet>,
) {
    let views: HashMap<&str, &Value> = sets.map(|set| (&*set.key, &set.view)).collect();
    let shown = solution.strategy.iter_mut().take(SHOWN);
    let mut drawn: Vec<&mut Line> = shown.filter(|line| !line.sees.is_empty()).collect();
    for line in &mut drawn {
        let view = views.get(&*line.set);
        // A picture may fail on a view that is no full state.
        let picture = view.and_then(|view| rules.picture(&State::from_value(view)).ok().flatten());
        line.picture =
            picture.filter(|picture| !picture.trim().is_empty() && picture.len() <= LONGEST);
    }
    let mut alike: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let key = |line: &Line| Some((line.player.clone(), line.name.clone(), line.picture.clone()?));
    for key in drawn.iter().filter_map(|line| key(line)) {
        *alike.entry(key).or_default() += 1;
    }
    for line in drawn {
        if key(line).is_some_and(|key| alike[&key] > 1) {
            line.picture = None;
        }
    }
}
