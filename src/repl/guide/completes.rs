//! The kinds of words that completion can offer; the name of an argument is its kind.

use clap::{Arg, ValueEnum};

/// What a word can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Completes {
    /// `system/name` of a scenario, or the path of a TOML file.
    Scenario,
    /// The name of a system.
    System,
    /// Anything the handbook tells of: a function, a family, a system.
    Documented,
    /// A system, or a function of the open rules.
    Editable,
    /// A function of the open rules.
    Function,
    /// A clause of the open rules, or a word that they explain.
    Clause,
    /// A house rule that fits the scenario: of the conflict to be opened, else of the open one.
    House,
    /// A parameter, with `=` behind it.
    Params,
    /// A parameter to vary, with `=` and a value behind it.
    Vary,
    /// House rules that fit the scenario, with `,` between them.
    VaryHouse,
    /// What is wanted of a measure.
    Want,
    /// A player or a side, with `=` and an agent behind it.
    Seats,
    /// A player or a side of the open conflict.
    Player,
    /// An agent that can sit in a seat.
    Agent,
    /// A line of play of the open conflict.
    Fork,
    /// A command.
    Command,
    /// A file or a folder.
    File,
}

impl Completes {
    /// The kind of an argument's values, if it is known.
    pub(super) fn of(argument: &Arg) -> Option<Completes> {
        Completes::from_str(argument.get_id().as_str(), false).ok()
    }
}
