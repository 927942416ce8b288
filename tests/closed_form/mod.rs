//! Tests token conflicts of two parties (`attrition`) against a closed form.

use std::path::PathBuf;

use fracas::catalog::{Catalog, Scenario};
use fracas::conflict::{Changes, Conflict};
use fracas::game::{Generator, Value};
use fracas::script::{Ear, Limits, Run, Setup};
use indexmap::IndexMap;

const MOST: i64 = 12;
const LIMITS: std::ops::RangeInclusive<i64> = 0..=5;

/// How many of `a` and `b` tokens remain under a limit: if the counts differ, after `r` single
/// removals in turn, the smaller party first; if they are equal, after `k` removals of both
/// together.
fn closed_form(a: i64, b: i64, limit: i64) -> (i64, i64) {
    if a < b {
        let (b, a) = closed_form(b, a, limit);
        return (a, b);
    }
    let sum = a + b;
    if b == 0 || sum <= limit {
        (a, b)
    } else if a == b {
        let k = a.min((sum - limit + 1) / 2);
        (a - k, a - k)
    } else {
        let r = (sum - limit).min(2 * b - 1);
        (a - r / 2, b - (r + 1) / 2)
    }
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Both parties in one area for each limit.
fn setup(a: i64, b: i64) -> Value {
    let area = |limit: i64| {
        let tokens = map([("a", Value::Int(a)), ("b", Value::Int(b))]);
        (format!("limit_{limit}"), map([("limit", Value::Int(limit)), ("tokens", tokens)]))
    };
    map([
        ("ranking", Value::List(vec!["a".into(), "b".into()])),
        ("players", map([("a", map([])), ("b", map([]))])),
        ("areas", Value::Map(LIMITS.map(area).collect())),
    ])
}

fn conflict(house: &[&str]) -> Conflict {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let catalog = Catalog::new(&[root.join("rules")]).expect("the shipped rules are there");
    let scenario = Scenario {
        name: "closed form".to_owned(),
        system: "attrition".to_owned(),
        title: None,
        house: house.iter().map(|name| root.join(name).display().to_string()).collect(),
        params: IndexMap::default(),
        setup: setup(0, 0),
        begin: Default::default(),
        endless: false,
        seats: IndexMap::default(),
        campaign: None,
        document: None,
    };
    Conflict::of(&catalog, scenario, &Changes::default(), &Limits::default())
        .expect("the shipped rules compile")
}

fn agrees(house: &[&str]) {
    let conflict = conflict(house);
    for a in 0..=MOST {
        for b in 0..=MOST {
            let mut generator = Generator::playout(0, 0);
            let run = Run::begin(&conflict.rules, &Setup::new(setup(a, b)), Ear::Deaf);
            let played = run.finish(|question| Ok(generator.sample(question))).expect("it ends");
            let areas = played.outcome.value().get("areas").expect("the outcome has areas");
            for limit in LIMITS {
                let area = areas.get(&format!("limit_{limit}")).expect("an area for each limit");
                let tokens = area.get("tokens").expect("the area has tokens");
                let (left_a, left_b) = closed_form(a, b, limit);
                let expected = map([("a", Value::Int(left_a)), ("b", Value::Int(left_b))]);
                assert_eq!(*tokens, expected, "{a} against {b} under {limit}");
            }
        }
    }
}

#[test]
fn the_closed_form_has_the_worked_examples() {
    for (a, b, limit, left) in [
        (5, 1, 1, (5, 0)),
        (4, 4, 1, (0, 0)),
        (4, 4, 2, (1, 1)),
        (3, 2, 2, (2, 0)),
        (2, 3, 2, (0, 2)),
    ] {
        assert_eq!(closed_form(a, b, limit), left, "{a} against {b} under {limit}");
    }
}

#[test]
fn all_rounds_end_as_the_closed_form_says() {
    agrees(&[]);
}
