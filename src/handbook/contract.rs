//! The contract: the functions that a script defines so that the host can play it.

/// Signature, text and example of each function of the contract.
pub(super) const CONTRACT: [(&str, &str, &str); 10] = [
    (
        "fn setup(scenario)",
        "Returns the state from which the conflict starts.\nThe state is a map of plain data: maps, lists, texts, whole numbers, truth values. `scenario` is read with the functions of the family `setup`. It may ask, to deal a hand.",
        "fn setup(scenario) { #{ players: scenario.words(\"players\"), round: 0 } }",
    ),
    (
        "fn step()",
        "Plays on to the next quiet point, asking as it goes; `this` is the state.\nA step is what people at the table would call one: a round, a turn, a war. Between two steps everything stands in the state.",
        "fn step() { this.bid = this.choose(this.player, \"bid\", [1, 2, 3]); }",
    ),
    (
        "fn outcome()",
        "Returns how the conflict ended, or nothing while it goes on; `this` is the state.\nThe outcome is a map with `result`, a text, and `utility`, a number for each player, or an exact fraction as of `ratio(1, 3)`; all else is the system's own. It must not ask.",
        "fn outcome() { if this.round == 3 { #{ result: \"draw\", utility: #{ red: 0, blue: 0 } } } }",
    ),
    (
        "fn view(player)",
        "Returns what a player may see of `this`; without it everybody sees the whole state.\nAgents get nothing but this, so what it leaves out is hidden from them. It must not ask.",
        "fn view(player) { #{ hand: this.hands[player], table: this.table } }",
    ),
    (
        "fn picture()",
        "Returns a text that shows `this` to people; it may be left out.",
        "fn picture() { `red ${this.points.red}, blue ${this.points.blue}` }",
    ),
    (
        "fn wording(player, question, options)",
        "Returns the texts of a question for the person who is asked; it may be left out.\n`this` is what the player may see, as `view` returns it. The map may have `text`, the question in a player's words; `help`, a line that explains it; and `options`, a map from the name of an option to its text, or to a map with `text` and `help`. True and false have the names `yes` and `no`. Names stay what they are in histories, for agents and in JSON. It is called only where a person is asked; it must not ask, and a mistake in it ends no conflict.",
        "fn wording(player, question, options) { #{ text: `${this.attacker} attacks you with ${this.tokens}. Do you defend?`, options: #{ yes: #{ text: \"defend the city\", help: \"It costs a token.\" }, no: \"give the city up\" } } }",
    ),
    (
        "fn laws()",
        "Returns a list of texts, one for each law that `this` breaks; it may be left out.\n`fracas check` plays at random and calls it before every step and at the end: tokens lost, a resource below 0.",
        "fn laws() { if this.stock < 0 { [`the stock is ${this.stock}`] } else { [] } }",
    ),
    (
        "fn sides()",
        "Returns which players one seat answers for; without it each player answers alone.",
        "fn sides() { #{ wolves: [\"ayla\", \"bren\"], shadows: [\"cato\"] } }",
    ),
    (
        "fn params()",
        "Returns the parameters that a house rule changes, or those that an agent has.",
        "fn params() { #{ mana_value: 3 } }",
    ),
    (
        "fn decide(view, decision)",
        "An agent's answer: one of the options, or a distribution over options.\n`view` is what the player may see; `decision` has `player`, `name` and `options`. Only agents define it.",
        "fn decide(view, decision) { decision.options[0] }",
    ),
];

#[cfg(test)]
mod tests {
    use super::CONTRACT;
    use crate::script;

    #[test]
    fn every_function_of_the_contract_is_there_with_its_parameters() {
        for (name, arity) in script::CONTRACT {
            let (signature, ..) = CONTRACT
                .iter()
                .find(|(signature, ..)| signature.starts_with(&format!("fn {name}(")))
                .unwrap_or_else(|| panic!("{name} is not there"));
            let inside = signature.split(['(', ')']).nth(1).unwrap();
            assert_eq!(inside.split(',').filter(|word| !word.is_empty()).count(), arity);
        }
    }
}
