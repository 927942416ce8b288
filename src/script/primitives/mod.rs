//! stub until the families are merged
/// All primitives.
pub fn module() -> rhai::Module {
    rhai::Module::new()
}
