//! What a word of a command can be, for completion.

/// What can stand at a place of a command's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completes {
    /// Nothing that could be offered: a number, a new name.
    Free,
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
    /// A house rule that fits the scenario: of the conflict to be opened, else of the open one.
    House,
    /// A parameter, with `=` behind it.
    Param,
    /// A player or a side, with `=` and an agent behind it.
    Seat,
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
    /// An option; what follows it as a word of its own or behind `=`, if anything does. It may
    /// stand anywhere, and is no place of its own.
    Option(&'static str, Option<&'static Completes>),
}
