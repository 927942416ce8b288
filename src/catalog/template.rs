//! The template of a new rules folder: a small complete system, to be changed piece by piece.

/// The placeholder for the name of the system in the files of `template/`.
const NAME: &str = "NEW_SYSTEM";

const FILES: [(&str, &str); 10] = [
    ("rules.rhai", include_str!("template/rules.rhai")),
    ("params.toml", include_str!("template/params.toml")),
    ("scenarios/one_round.toml", include_str!("template/scenarios/one_round.toml")),
    ("scenarios/three_rounds.toml", include_str!("template/scenarios/three_rounds.toml")),
    ("scenarios/strength.toml", include_str!("template/scenarios/strength.toml")),
    ("cases/rounds.toml", include_str!("template/cases/rounds.toml")),
    ("house/low_wins.rhai", include_str!("template/house/low_wins.rhai")),
    ("house/five_cards.rhai", include_str!("template/house/five_cards.rhai")),
    ("agents/highest.rhai", include_str!("template/agents/highest.rhai")),
    ("agents/middle.rhai", include_str!("template/agents/middle.rhai")),
];

/// The files of a new system: paths that begin with its name, and texts.
pub(super) fn files(name: &str) -> Vec<(String, String)> {
    FILES.iter().map(|(path, text)| (format!("{name}/{path}"), text.replace(NAME, name))).collect()
}
