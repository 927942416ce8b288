//! Tests the prompt in a narrow window, and in a window that changes its size.

use super::screen::{CTRL_C, Start, TAB, Terminal};

fn narrow(columns: u16) -> Terminal {
    let terminal = Start { columns, rows: 16, ..Start::default() }.open();
    terminal.wait_last("fracas>");
    terminal
}

#[test]
fn lists_and_hints_fit_into_20_columns() {
    let mut terminal = narrow(20);
    terminal.press(":re");
    terminal.press(TAB);
    terminal.wait_end(&[
        "fracas> :re",
        "redo    Make again…",
        "reveal  Show what …",
        "reload  Read the r…",
    ]);
    terminal.press("d");
    // There is no room for a hint.
    terminal.wait_last("fracas> :red");
    terminal.press(CTRL_C);
    terminal.wait_end(&["fracas> :red", "fracas>"]);
    terminal.press("fewest_first(");
    terminal.wait_end(&["fracas> fewest_first", "(  fewest_first(co…"]);
    terminal.press(CTRL_C);
    terminal.wait_last("fracas>");
    terminal.leave();
}

#[test]
fn a_long_line_goes_over_rows_of_40_columns() {
    let mut terminal = narrow(40);
    terminal.press("[1111111111, 2222222222, 3333333333, 4].len()");
    terminal.wait_end(&["fracas> [1111111111, 2222222222, 3333333", "333, 4].len()"]);
    terminal.press("\r");
    terminal.wait_end(&["4", "fracas>"]);
    terminal.leave();
}

#[test]
fn a_window_may_change_while_a_line_is_typed() {
    let mut terminal = narrow(80);
    terminal.press("1 + 2 + 3 + 4 + 5");
    terminal.wait_last("fracas> 1 + 2 + 3 + 4 + 5");
    terminal.resize(40, 16);
    terminal.press(" + 6");
    terminal.wait_last("fracas> 1 + 2 + 3 + 4 + 5 + 6");
    terminal.press(" + 7 + 8 + 9");
    terminal.wait_end(&["fracas> 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 +", "9"]);
    terminal.press("\r");
    terminal.wait_end(&["45", "fracas>"]);
    // What is written next is written for the new size.
    terminal.press(":help undo\r");
    terminal.wait_line(":undo [N], or :u");
    terminal.wait_last("fracas>");
    assert!(terminal.lines().iter().all(|line| line.chars().count() <= 40));
    terminal.leave();
}
