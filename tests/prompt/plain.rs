//! Tests the plain mode: nothing is redrawn or coloured, and all output can be read in order.

use super::screen::{CTRL_C, Start, Terminal};

const ESCAPE: u8 = 0x1b;

fn plain(start: Start) -> Terminal {
    let terminal = start.open();
    terminal.wait_last("fracas>");
    terminal
}

fn talk(terminal: &mut Terminal) {
    terminal.press("40 + 2\r");
    terminal.wait_end(&["fracas> 40 + 2", "42", "fracas>"]);
    terminal.press("fn f(n) {\r");
    terminal.wait_last("…");
    terminal.press("n + 1 }\r");
    terminal.wait_last("fracas>");
    terminal.press("f(6)\r");
    terminal.wait_end(&["7", "fracas>"]);
    terminal.press(":open territory/three_tokens --seat white=human\r");
    terminal.wait_last("white, ability?");
    terminal.press("adv\r");
    terminal
        .wait("the answer", |lines| lines.iter().any(|line| line.starts_with("    advocate  ")));
    terminal.wait_last("white, ability?");
    terminal.press("dice(\"2d6\")\r");
    terminal.wait_line("total 36, mean 7");
    terminal.wait_last("white, ability?");
}

#[test]
fn plain_writes_line_after_line() {
    let arguments = &["--plain", "--color", "never"];
    let mut terminal = plain(Start { arguments, ..Start::default() });
    talk(&mut terminal);
    let written = terminal.written();
    assert!(!written.contains(&ESCAPE), "{:?}", String::from_utf8_lossy(&written));
    let text = String::from_utf8(written).unwrap();
    let boxes = |letter: char| ('\u{2500}'..='\u{259f}').contains(&letter);
    assert!(!text.contains(boxes), "{text}");
    terminal.leave();
}

#[test]
fn the_environment_asks_for_it_too() {
    let environment = &[("ACCESSIBLE", "1"), ("NO_COLOR", "1")];
    let mut terminal = plain(Start { environment, ..Start::default() });
    talk(&mut terminal);
    assert!(!terminal.written().contains(&ESCAPE));
    terminal.leave();
}

#[test]
fn a_terminal_that_draws_nothing_gets_no_colours() {
    let mut terminal = plain(Start { environment: &[("TERM", "dumb")], ..Start::default() });
    terminal.press(":open war_die/frod\r");
    terminal.wait("the error", |lines| lines.iter().any(|line| line.contains("`war_die/ford`?")));
    let written = terminal.written();
    assert!(!written.contains(&ESCAPE), "{:?}", String::from_utf8_lossy(&written));
    terminal.leave();
}

#[test]
fn ctrl_c_clears_what_is_not_finished() {
    let mut terminal = plain(Start { arguments: &["--plain"], ..Start::default() });
    terminal.press("fn f(n) {\r");
    terminal.wait_last("…");
    terminal.press(CTRL_C);
    terminal.wait_end(&["Ctrl-D or `:quit` leaves", "fracas>"]);
    terminal.press("1 + 1\r");
    terminal.wait_line("2");
    terminal.wait_last("fracas>");
    terminal.leave();
}
