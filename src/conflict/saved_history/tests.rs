//! Tests what is reported about a saved history whose rules have changed.

use super::*;
use crate::script::digest;

fn table<V: Clone>(pairs: &[(&str, V)]) -> IndexMap<String, V> {
    pairs.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}

#[test]
fn each_change_is_one_sentence() {
    let hex = |name: &str| digest(name);
    let saved = Saved {
        version: "0.1.0".to_owned(),
        house: vec!["cheap".to_owned(), "fast".to_owned()],
        scripts: table(&[("rules.rhai", hex("a")), ("house/cheap.rhai", hex("b"))]),
        params: table(&[
            ("mana_value", Value::Int(2)),
            ("tie", "defender".into()),
            ("old", Value::Bool(true)),
        ]),
        ..Saved::default()
    };
    let same = saved.differs_from(&saved.scripts, &saved.params, &saved.house, Some("0.1.0"));
    assert_eq!(same, Vec::<String>::new());

    let differs = saved.differs_from(
        &table(&[("rules.rhai", hex("c")), ("house/slow.rhai", hex("d"))]),
        &table(&[
            ("mana_value", Value::Int(3)),
            ("tie", "attacker".into()),
            ("new", Value::Float(0.5)),
        ]),
        &["fast".to_owned(), "slow".to_owned()],
        Some("0.2.0"),
    );
    assert_eq!(
        differs,
        [
            "`rules.rhai` has changed",
            "house rule `cheap` is no longer in force",
            "house rule `slow` is new",
            "`mana_value` was 2, is 3",
            "`tie` was \"defender\", is \"attacker\"",
            "`old` was true, is gone",
            "`new` is new, with 0.5",
            "fracas was 0.1.0, is 0.2.0",
        ]
    );
    let swapped = ["fast".to_owned(), "cheap".to_owned()];
    let differs = saved.differs_from(&saved.scripts, &saved.params, &swapped, None);
    assert_eq!(differs, ["the house rules are in another order"]);
}
