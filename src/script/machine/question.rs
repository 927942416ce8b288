//! What a script asks or announces, as an instruction names it.

/// What a script asks or announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    Choose,
    ChooseOnto,
    Secretly,
    SecretlyDifferent,
    Roll,
    Emit,
    EmitEach,
}

impl Ask {
    /// The effect's name.
    pub fn name(self) -> &'static str {
        match self {
            Ask::Choose => "choose",
            Ask::Roll => "roll",
            Ask::ChooseOnto => "choose_onto",
            Ask::Secretly | Ask::SecretlyDifferent => "choose_secretly",
            Ask::Emit => "emit",
            Ask::EmitEach => "emit_each",
        }
    }

    /// How many arguments it takes beside the state.
    pub fn arguments(self) -> u16 {
        match self {
            Ask::Choose | Ask::Roll => 3,
            Ask::ChooseOnto => 5,
            Ask::Secretly => 2,
            Ask::SecretlyDifferent | Ask::Emit | Ask::EmitEach => 1,
        }
    }
}
