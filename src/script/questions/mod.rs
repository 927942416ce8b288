//! What rules ask, announce and show: the effects, the context that hears what is announced, views and wording.

pub(super) mod context;
pub(super) mod effects;
pub(super) mod views;
