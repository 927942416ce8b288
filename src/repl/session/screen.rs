//! Whether people share the screen, who looked last, and who is to sit down next.

/// Who sits before the screen.
#[derive(Debug, Default)]
pub struct Screen {
    /// Whether several people look at it one after another: it is a terminal.
    pub is_shared: bool,
    /// The players of the person who looked last.
    pub(super) viewer: Option<Vec<String>>,
    /// The player who is to sit down before anything is shown.
    pub(super) awaited: Option<String>,
}
