//! What bounds scripts: limits, the fuel that scripts burn, budgets of memory and time, the engine that reaches
//! nothing.

pub(super) mod budget;
pub(super) mod engine;
pub(super) mod fuel;
pub(super) mod limits;
pub(super) mod memory;
