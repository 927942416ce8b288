//! Puts scripts together before they are compiled: sources, imports, layers, overrides, constants, parameters.

pub(super) mod blueprint;
pub(super) mod constants;
pub(super) mod definition;
pub(super) mod file_order;
pub(super) mod function_uses;
pub(super) mod house_params;
pub(super) mod imports;
pub(super) mod join;
pub(super) mod layers;
pub(super) mod params;
pub(super) mod replace_tokens;
pub(super) mod run_alone;
pub(super) mod source;
