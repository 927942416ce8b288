//! The effects: what rules ask and announce, with names and documentation. How they work is in
//! `machine/question.rs`.

use rhai::Position;

use crate::report::tame_message;
use crate::script::sandbox::limits::{Fault, fail};

/// What a script asks or announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Choose,
    ChooseOnto,
    ChooseSeveral,
    ChooseSeveralUpTo,
    Secretly,
    SecretlyDifferent,
    Roll,
    Emit,
    EmitEach,
}

impl Effect {
    pub(in crate::script) const ALL: [Effect; 9] = [
        Effect::Choose,
        Effect::ChooseOnto,
        Effect::ChooseSeveral,
        Effect::ChooseSeveralUpTo,
        Effect::Secretly,
        Effect::SecretlyDifferent,
        Effect::Roll,
        Effect::Emit,
        Effect::EmitEach,
    ];

    /// Its name, and how many arguments it takes beside the state.
    fn form(self) -> (&'static str, u16) {
        match self {
            Effect::Choose => ("choose", 3),
            Effect::ChooseOnto => ("choose_onto", 5),
            Effect::ChooseSeveral => ("choose_several", 5),
            Effect::ChooseSeveralUpTo => ("choose_several", 6),
            Effect::Secretly => ("choose_secretly", 2),
            Effect::SecretlyDifferent => ("choose_secretly", 1),
            Effect::Roll => ("roll", 3),
            Effect::Emit => ("emit", 1),
            Effect::EmitEach => ("emit_each", 1),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.form().0
    }

    pub(crate) fn arguments(self) -> u16 {
        self.form().1
    }

    /// Whether it asks again and again, and each answer goes onto a list of the state.
    pub(in crate::script) fn fills_a_list(self) -> bool {
        matches!(self, Effect::ChooseOnto | Effect::ChooseSeveral | Effect::ChooseSeveralUpTo)
    }

    /// The effect of this name with this many arguments beside the state, if there is one.
    pub(crate) fn find(name: &str, arguments: usize) -> Option<Effect> {
        let called =
            |effect: &Effect| effect.name() == name && usize::from(effect.arguments()) == arguments;
        Effect::ALL.into_iter().find(called)
    }
}

/// The effects' documentation: signature and what it does.
pub(crate) const DOCUMENTATION: [(&str, &str); 9] = [
    (
        "this.choose(player, name, options)",
        "Asks a player to pick one of a list; returns it. One option alone is not asked.",
    ),
    (
        "this.choose_onto(list, length, player, name, options)",
        "Asks a player the same again and again, until a list of the state has this length: each pick is appended at once. `list` is its place in the state, such as `[\"stacks\", player]`.",
    ),
    (
        "this.choose_several(list, player, name, options, least)",
        "Asks a player to pick several of a list, one after another: each pick is appended at once to a list of the state, and what is in that list is not offered again. From a length of `least` on the last option is `\"done\"`, which ends it; so does having picked all, also where that is fewer than `least`. `list` is its place in the state, such as `[\"exchange\", \"targets\"]`. One option alone is not asked.",
    ),
    (
        "this.choose_several(list, player, name, options, least, most)",
        "The same, until the list has the length `most`: with `least` and `most` alike it is that many picks and no `\"done\"`.",
    ),
    (
        "this.choose_secretly(name, options)",
        "Asks several players at once, `#{ player: options, … }`; nobody sees another's. Returns `#{ player: picked, … }`.",
    ),
    (
        "this.choose_secretly(questions)",
        "The same where the players are asked different things, `#{ player: #{ name: options }, … }`.",
    ),
    (
        "this.roll(roller, name, distribution)",
        "Rolls something for somebody; returns a value of the distribution.",
    ),
    ("this.emit(text)", "Announces an event, for people and for views."),
    ("this.emit_each(texts)", "Announces several events, one after another."),
];

/// The most bytes in the name of a player or a question.
const LONGEST_NAME: usize = 200;

/// Names are printed in every line that shows a question.
pub(in crate::script) fn check_names(names: [&str; 2], at: Position) -> Result<(), Fault> {
    for name in names {
        if name.len() > LONGEST_NAME {
            let start: String = name.chars().take(20).collect();
            let start = tame_message(&start);
            return Err(fail(
                format!("a name has at most {LONGEST_NAME} bytes; got `{start}…`"),
                at,
            ));
        }
        let is_plain = |byte: u8| (b' '..=b'~').contains(&byte);
        if !name.bytes().all(is_plain) && name.chars().any(char::is_control) {
            let name = tame_message(name);
            return Err(fail(format!("a name holds no control characters; got `{name}`"), at));
        }
    }
    Ok(())
}
