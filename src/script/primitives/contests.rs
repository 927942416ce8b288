//! Who has more, where several are held against several?

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{Checked, amount, at_most_limit, entry, error, fail, hint, show, texts};
use crate::script::limits::charge;

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "contests", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Holds the successes of several attackers against those of several defenders, pair by pair.
    ///
    /// `rolled`: name -> whole number of 0 or more. `attackers`, `defenders`: lists of names, each once. `rules`: a map; each key may be left out:
    /// `tie`: what an attacker lacks against a defender with as many (0 if left out).
    /// `floors`: name -> what everybody's successes count as at least against that name. `unraised`: the names whose own successes no floor raises.
    ///
    /// The result is a map. `attack`: the attackers' sum, and `defence`: the defenders'; each brings the highest of what counts in the pairs.
    /// `losses`: a list of `#{ attacker, target, loss }`, one for each pair in which the attacker lacks something, attacker by attacker.
    /// `failed`: the attackers among them. `leads`: how far the attacker leads in each pair, below 0 where behind.
    /// Errors: a name that has rolled nothing, an unknown key.
    ///
    /// # Example
    /// `contest(#{ ann: 3, bo: 1, cy: 2 }, ["ann", "bo"], ["cy"], #{})` is `#{ attack: 4, defence: 2, losses: [#{ attacker: "bo", target: "cy", loss: 1 }], failed: ["bo"], leads: [1, -1] }`
    /// `contest(#{ ann: 1, cy: 1 }, ["ann"], ["cy"], #{ tie: 2 }).losses` is `[#{ attacker: "ann", target: "cy", loss: 2 }]`
    /// `contest(#{ ann: 1, cy: 0 }, ["ann"], ["cy"], #{ floors: #{ cy: 3 } }).attack` is `3`
    #[rhai_fn(return_raw, pure)]
    pub fn contest(
        rolled: &mut Map,
        attackers: Array,
        defenders: Array,
        rules: Map,
    ) -> Checked<Map> {
        let pairs = attackers.len().saturating_mul(defenders.len());
        at_most_limit("contest", i64::try_from(pairs).unwrap_or(i64::MAX))?;
        charge(pairs as u64);
        let rules = Rules::read(&rules)?;
        let attackers = rules.side(rolled, "attackers", &attackers)?;
        let defenders = rules.side(rolled, "defenders", &defenders)?;
        let mut best = vec![0; defenders.len()];
        let (mut losses, mut failed, mut leads) = (Array::new(), Array::new(), Array::new());
        let mut attack: INT = 0;
        for attacker in &attackers {
            let mut highest = 0;
            let before = losses.len();
            for (defender, best) in defenders.iter().zip(&mut best) {
                let (ours, theirs) = (attacker.against(defender), defender.against(attacker));
                let loss = if ours == theirs { rules.tie } else { (theirs - ours).max(0) };
                if loss > 0 {
                    losses.push(loss_of(attacker, defender, loss).into());
                }
                leads.push((ours - theirs).into());
                highest = highest.max(ours);
                *best = theirs.max(*best);
            }
            if losses.len() > before {
                failed.push(attacker.name.clone().into());
            }
            attack = attack.saturating_add(highest);
        }
        let defence: INT = best.into_iter().fold(0, INT::saturating_add);
        let parts: [(&str, Dynamic); 5] = [
            ("attack", attack.into()),
            ("defence", defence.into()),
            ("losses", losses.into()),
            ("failed", failed.into()),
            ("leads", leads.into()),
        ];
        Ok(parts.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

/// Somebody in a contest.
struct Contestant {
    name: ImmutableString,
    rolled: INT,
    /// What others' successes count as at least against them.
    floor: INT,
    raised: bool,
}

impl Contestant {
    fn against(&self, other: &Contestant) -> INT {
        if self.raised { self.rolled.max(other.floor) } else { self.rolled }
    }
}

fn loss_of(attacker: &Contestant, defender: &Contestant, loss: INT) -> Map {
    let parts: [(&str, Dynamic); 3] = [
        ("attacker", attacker.name.clone().into()),
        ("target", defender.name.clone().into()),
        ("loss", loss.into()),
    ];
    parts.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

const KEYS: [&str; 3] = ["tie", "floors", "unraised"];

struct Rules {
    tie: INT,
    floors: Map,
    unraised: Vec<ImmutableString>,
}

impl Rules {
    fn read(map: &Map) -> Checked<Rules> {
        let mut rules = Rules { tie: 0, floors: Map::new(), unraised: Vec::new() };
        for (key, value) in map {
            let wrong = |expected: &str| {
                let text = format!("`rules.{key}` must be {expected}, got {}", show(value));
                error("contest", text)
            };
            match key.as_str() {
                "tie" => rules.tie = amount("contest", "rules.tie", value)?,
                "floors" => {
                    rules.floors = value.read_lock::<Map>().ok_or_else(|| wrong("a map"))?.clone();
                }
                "unraised" => {
                    let list = value.read_lock::<Array>().ok_or_else(|| wrong("a list"))?;
                    rules.unraised = texts("contest", "rules.unraised", &list)?;
                }
                _ => {
                    let near = hint(key, KEYS);
                    return fail("contest", format!("`rules` has no key `{key}`{near}"));
                }
            }
        }
        Ok(rules)
    }

    fn side(&self, rolled: &Map, place: &str, names: &Array) -> Checked<Vec<Contestant>> {
        let read = |name: ImmutableString| {
            let number = entry("contest", "rolled", rolled, &name)?;
            let floor = match self.floors.get(name.as_str()) {
                Some(floor) => amount("contest", format_args!("rules.floors.{name}"), floor)?,
                None => 0,
            };
            Ok(Contestant {
                rolled: amount("contest", format_args!("rolled.{name}"), number)?,
                floor,
                raised: !self.unraised.contains(&name),
                name,
            })
        };
        charge((names.len() * self.unraised.len()) as u64 / 4);
        texts("contest", place, names)?.into_iter().map(read).collect()
    }
}
