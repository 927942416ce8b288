//! How do rules run? The only place, beside the lab, that knows Rhai.

pub mod primitives;
