//! A terminal for progress lines on stderr that leaves some columns free at the end of each line.

use std::io::{self, Write};

use indicatif::TermLike;

use super::output::{Output, shown};

/// Columns at the end of a line that stay free: a terminal shows Ctrl-C there as `^C`. Without room
/// for it, `^C` would wrap to the next line and leave this one on the screen.
const FREE: usize = 4;

/// A terminal on stderr that reports fewer columns than it has. Its cursor moves follow ECMA-48.
#[derive(Debug)]
pub(super) struct ProgressTerminal {
    columns: u16,
}

impl ProgressTerminal {
    /// The terminal that is printed on.
    pub(super) fn new(output: &Output) -> ProgressTerminal {
        let columns = output.width().saturating_sub(FREE).max(1);
        ProgressTerminal { columns: u16::try_from(columns).unwrap_or(u16::MAX) }
    }

    /// The columns of a line.
    pub(super) fn columns(&self) -> usize {
        usize::from(self.columns)
    }
}

/// Moves the cursor by this many places, if by any.
fn moved(places: usize, way: char) -> io::Result<()> {
    if places == 0 { Ok(()) } else { write!(io::stderr(), "\x1b[{places}{way}") }
}

impl TermLike for ProgressTerminal {
    fn width(&self) -> u16 {
        self.columns
    }

    fn move_cursor_up(&self, places: usize) -> io::Result<()> {
        moved(places, 'A')
    }

    fn move_cursor_down(&self, places: usize) -> io::Result<()> {
        moved(places, 'B')
    }

    fn move_cursor_right(&self, places: usize) -> io::Result<()> {
        moved(places, 'C')
    }

    fn move_cursor_left(&self, places: usize) -> io::Result<()> {
        moved(places, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        writeln!(io::stderr(), "{}", shown(text))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        write!(io::stderr(), "{}", shown(text))
    }

    fn clear_line(&self) -> io::Result<()> {
        write!(io::stderr(), "\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
