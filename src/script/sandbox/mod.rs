//! What bounds scripts: limits, the meter that counts, budgets of memory and time, the engine that reaches nothing.

pub(super) mod allowed_functions;
pub(super) mod budget;
pub(super) mod clock;
pub(super) mod engine;
pub(super) mod fault;
pub(super) mod guard;
pub(super) mod limits;
pub(super) mod memory;
pub(super) mod meter;
pub(super) mod operation_gauge;
