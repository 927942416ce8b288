//! What rules ask, announce and show: the effects, the context with the handler that answers, wording and views.

pub(super) mod context;
pub(super) mod effects;
pub(super) mod views;
pub(super) mod wording;
