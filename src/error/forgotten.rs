//! What a player forgets, by rules without perfect recall.

/// What differs between two histories that a player cannot tell apart. In words: what to keep in the state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forgotten {
    /// What they answered first where the histories differ.
    #[error("keep the answer to `{question}` in the state and show it in `view`")]
    Answer {
        /// The name of the question.
        question: String,
    },
    /// What they saw last when they did the same: the parts that differ, in either history.
    #[error("at `{question}` they saw [{}] and [{}]: keep that in the state and show it in `view`", .saw[0], .saw[1])]
    Sight {
        /// The name of the question.
        question: String,
        /// What they saw.
        saw: Box<[String; 2]>,
    },
}

impl Forgotten {
    /// What they did with what they forget.
    pub(crate) fn verb(&self) -> &'static str {
        match self {
            Forgotten::Answer { .. } => "did",
            Forgotten::Sight { .. } => "saw",
        }
    }
}
