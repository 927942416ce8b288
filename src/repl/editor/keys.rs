//! Keys that do more than the line editor would: Enter, Alt-Enter, Up and Down, Backspace, closing brackets,
//! Tab, F1, Ctrl-C; and how the editor is woken from aside.

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use rustyline::history::FileHistory;
use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, EventHandler, KeyCode, KeyEvent, Modifiers,
    Movement, RepeatCount,
};

use crate::repl::guide::{dedentation, indentation};

/// Why a line ended that was not entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// Ctrl-C.
    Cleared,
    /// F1, with the place of the cursor in bytes.
    Explain(usize),
}

/// What keys have to know of those before them.
#[derive(Default)]
pub(super) struct Keys(Mutex<KeyState>);

#[derive(Default)]
struct KeyState {
    /// The line as it was last seen, if more lines could finish it.
    unfinished: Option<String>,
    left: Option<Leave>,
    /// Whether Up and Down go through all of the history, not only what begins alike.
    walks: bool,
    searches: bool,
    /// The line as it is drawn, as long as keys are waited for and none has ended it.
    drawn: Option<Drawn>,
    /// Whether the line was ended from aside.
    woken: bool,
    /// The bracket that takes the place of the spaces before the cursor.
    closing: Option<Closing>,
}

/// A bracket that closes an earlier line, as far in as that line.
///
/// The editor has no command that replaces the text before the cursor and leaves the cursor behind
/// it, but for completion: so the bracket is completed.
pub(super) struct Closing {
    /// How many spaces it replaces.
    pub spaces: usize,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    /// The text before the cursor, and after it.
    pub parts: (String, String),
    /// The rows that it takes, with the prompt and all that is shown after or below it.
    pub rows: usize,
}

impl Keys {
    fn state(&self) -> MutexGuard<'_, KeyState> {
        self.0.lock()
    }

    pub(super) fn begin(&self) {
        *self.state() = KeyState::default();
    }

    pub(super) fn typed(&self, line: &str, unfinished: bool) {
        self.state().unfinished = unfinished.then(|| line.to_owned());
    }

    pub(super) fn drawn(&self, drawn: Drawn) {
        self.state().drawn = Some(drawn);
    }

    /// The line that was ended from aside, if it was.
    pub(super) fn woken(&self) -> Option<Drawn> {
        let mut state = self.state();
        std::mem::take(&mut state.woken).then(|| state.drawn.take().unwrap_or_default())
    }

    /// Ends the line that is being typed, from any thread; returns whether one was. The line editor
    /// listens to signals alone: while it waits for keys, that of Ctrl-C is its own.
    pub(super) fn wake(&self) -> bool {
        let mut state = self.state();
        // Nobody may leave the editor before the signal is there: it would stop what the line runs.
        state.woken = state.drawn.is_some() && signal();
        state.woken
    }

    /// The bracket that was typed, if it is to be completed.
    pub(super) fn closing(&self) -> Option<Closing> {
        self.state().closing.take()
    }

    pub(super) fn searches(&self) -> bool {
        self.state().searches
    }

    /// Why the line ended, if it was not entered.
    pub(super) fn left(&self) -> Option<Leave> {
        self.state().left
    }
}

#[cfg(unix)]
fn signal() -> bool {
    nix::sys::signal::raise(nix::sys::signal::Signal::SIGINT).is_ok()
}

#[cfg(not(unix))]
fn signal() -> bool {
    false
}

pub(super) fn bind(
    editor: &mut rustyline::Editor<impl rustyline::Helper, FileHistory>,
    keys: &Arc<Keys>,
) {
    let mut all = |event: Event| {
        let handler = Box::new(Pressed(keys.clone()));
        editor.bind_sequence(event, EventHandler::Conditional(handler));
    };
    all(Event::Any);
    for key in [
        (KeyCode::Enter, Modifiers::NONE),
        (KeyCode::Enter, Modifiers::ALT),
        (KeyCode::Char('M'), Modifiers::CTRL),
        (KeyCode::Char('M'), Modifiers::CTRL_ALT),
        (KeyCode::Up, Modifiers::NONE),
        (KeyCode::Down, Modifiers::NONE),
        (KeyCode::Backspace, Modifiers::NONE),
        (KeyCode::Char('H'), Modifiers::CTRL),
        (KeyCode::F(1), Modifiers::NONE),
        (KeyCode::Char('C'), Modifiers::CTRL),
    ] {
        all(Event::from(KeyEvent(key.0, key.1)));
    }
}

struct Pressed(Arc<Keys>);

impl ConditionalEventHandler for Pressed {
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let KeyEvent(code, modifiers) = *event.get(0)?;
        let mut state = self.0.state();
        let (walks, searches) = (state.walks, state.searches);
        if let (KeyCode::Enter | KeyCode::F(_), _)
        | (KeyCode::Char('C' | 'D' | 'J' | 'M'), Modifiers::CTRL) = (code, modifiers)
        {
            // It may end the line; if it does not, the line is drawn again.
            state.drawn = None;
        }
        state.walks = false;
        state.left = None;
        state.searches = match (code, modifiers) {
            (KeyCode::Char('R'), Modifiers::CTRL) => true,
            (KeyCode::Char('S'), Modifiers::CTRL) | (KeyCode::Backspace, _) => searches,
            (KeyCode::Char(_), Modifiers::NONE | Modifiers::SHIFT) => searches,
            _ => false,
        };
        let (line, cursor) = (context.line(), context.pos());
        let before = line.get(..cursor).unwrap_or(line);
        match (code, modifiers) {
            (KeyCode::Enter, Modifiers::NONE) | (KeyCode::Char('M'), Modifiers::CTRL) => {
                let unfinished = state.unfinished.as_deref() == Some(line) && !searches;
                unfinished.then(|| new_line(before))
            }
            (KeyCode::Enter, _) | (KeyCode::Char('M'), Modifiers::CTRL_ALT) => {
                Some(new_line(before))
            }
            (KeyCode::Up | KeyCode::Down, _) => {
                let up = code == KeyCode::Up;
                state.walks = walks || line.is_empty();
                let alike = !state.walks && cursor > 0 && !line.contains('\n');
                alike.then_some(if up {
                    Cmd::HistorySearchBackward
                } else {
                    Cmd::HistorySearchForward
                })
            }
            (KeyCode::Backspace, _) | (KeyCode::Char('H'), Modifiers::CTRL) => {
                let spaces = spaces_before(before).filter(|_| !searches);
                spaces.map(|_| Cmd::Dedent(Movement::WholeLine))
            }
            (KeyCode::Char(bracket @ (')' | ']' | '}')), Modifiers::NONE | Modifiers::SHIFT) => {
                state.closing = spaces_before(before).filter(|_| !searches).map(|spaces| Closing {
                    spaces,
                    text: format!("{}{bracket}", dedentation(before)),
                });
                state.closing.is_some().then_some(Cmd::Complete)
            }
            (KeyCode::F(1), _) => {
                state.left = Some(Leave::Explain(cursor));
                Some(Cmd::AcceptLine)
            }
            (KeyCode::Char('C'), Modifiers::CTRL) => {
                // The editor would leave the text after the line on the screen.
                state.left = Some(Leave::Cleared);
                Some(Cmd::AcceptLine)
            }
            _ => None,
        }
    }
}

/// A further line, as far in as its brackets.
fn new_line(before: &str) -> Cmd {
    Cmd::Insert(1, format!("\n{}", indentation(before)))
}

/// The number of spaces on a line that has only spaces and is not the first.
fn spaces_before(before: &str) -> Option<usize> {
    let (_, line) = before.rsplit_once('\n')?;
    (!line.is_empty() && line.chars().all(|letter| letter == ' ')).then_some(line.len())
}
