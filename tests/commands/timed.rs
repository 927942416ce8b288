//! Tests `--time`: work that is cut tells what is known by then, that it is not complete, and ends well.

use super::run::fracas;

/// More than can be played in the time.
const MANY: &str = "100000000000";

#[test]
fn what_is_known_when_the_time_is_over_is_told() {
    for line in [
        format!("estimate last_stand/bridge -n {MANY}"),
        format!("compare last_stand/bridge --house as_written -n {MANY}"),
        format!("sweep war_die/campaign mana_value=1..3 -n {MANY}"),
    ] {
        let ran = fracas(&format!("{line} --time 3 --seed 1 --json")).run().succeeds();
        assert!(ran.stderr.contains("the time limit of 3 s was reached"), "{line}: {}", ran.stderr);
        let json = ran.json();
        assert_eq!(json["complete"], false, "{line}");
        let sampled = if line.starts_with("sweep") { &json["points"][0] } else { &json };
        assert!(sampled["n"].as_u64().is_some_and(|n| n > 0), "{line}: {json}");
    }
}

#[test]
fn odds_that_take_longer_say_so() {
    let ran = fracas("odds last_stand/bridge --time 0.5 --json").run().succeeds();
    let json = ran.json();
    assert_eq!((&json["complete"], &json["exact"]), (&false.into(), &false.into()));
    let reason = json["reason"].as_str().unwrap();
    assert!(reason.contains("the time limit of 0.5 s was reached"), "{reason}");
}
