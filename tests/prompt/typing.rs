//! Tests completion, hints, colours and keys of the prompt on a screen.

use super::screen::{
    ALT_ENTER, BACKSPACE, CTRL_C, CTRL_R, DOWN, F1, LEFT, RIGHT, Start, TAB, Terminal, UP,
};

const RED: vt100::Color = vt100::Color::Idx(1);
const BLUE: vt100::Color = vt100::Color::Idx(4);
const MAGENTA: vt100::Color = vt100::Color::Idx(5);
const CYAN: vt100::Color = vt100::Color::Idx(6);

#[test]
fn tab_completes_and_lists_below_until_the_line_changes() {
    let mut terminal = Terminal::new();
    terminal.press(":ope");
    terminal.press(TAB);
    terminal.wait("the usage", |lines| lines[2].starts_with("fracas> :open   SCENARIO ["));
    terminal.press(CTRL_C);
    terminal.press(":re");
    terminal.press(TAB);
    terminal.wait("what begins so", |lines| {
        let rows = &lines[lines.len().saturating_sub(3)..];
        rows[0].starts_with("redo    Make again") && rows[2].starts_with("reload  Read the rules")
    });
    terminal.press("l");
    terminal.wait("the list gone", |lines| {
        lines.last().is_some_and(|line| line.starts_with("fracas> :rel  :reload: Read"))
    });
    terminal.press(TAB);
    terminal.wait("the only one", |lines| {
        lines.last().is_some_and(|line| line.starts_with("fracas> :reload"))
    });
    terminal.press(CTRL_C);
    terminal.wait_last("fracas>");
    terminal.leave();
}

#[test]
fn letters_are_letters_where_keys_have_their_names() {
    // Keys are told by the letters of Ctrl-C, Ctrl-H, Ctrl-J, Ctrl-M, Ctrl-R, Ctrl-S.
    let mut terminal = Terminal::new();
    terminal.press("\"CHJMRS chjmrs\"");
    terminal.wait_last("fracas> \"CHJMRS chjmrs\"");
    terminal.press("\r");
    terminal.wait_end(&["\"CHJMRS chjmrs\"", "fracas>"]);
    terminal.leave();
}

#[test]
fn a_scenario_is_completed_from_its_beginning() {
    let mut terminal = Terminal::new();
    terminal.press(":open territory/thr");
    terminal.press(TAB);
    terminal.wait_last("fracas> :open territory/three_tokens");
    terminal.press(" --seat white=hu");
    terminal.press(TAB);
    terminal.wait_last("fracas> :open territory/three_tokens --seat white=human");
    terminal.press("\r");
    terminal.wait_last("white, ability?");
    terminal.leave();
}

#[test]
fn what_was_typed_before_is_suggested_and_taken() {
    let mut terminal = Terminal::new();
    terminal.press("40 + 2\r");
    terminal.wait_line("42");
    terminal.press("4");
    terminal.wait_last("fracas> 40 + 2");
    terminal.until("dim suggestion", || terminal.look("0 + 2").is_some_and(|(_, dim, ..)| dim));
    terminal.press(RIGHT);
    terminal.until("taken suggestion", || terminal.look("0 + 2").is_some_and(|(_, dim, ..)| !dim));
    terminal.press(" + 1\r");
    terminal.wait_line("43");
    terminal.wait_last("fracas>");
    // What is only suggested is gone when the line is.
    terminal.press("4");
    terminal.wait_last("fracas> 40 + 2 + 1");
    terminal.press(CTRL_C);
    terminal.wait_end(&["fracas> 4", "fracas>"]);
    terminal.leave();
}

#[test]
fn the_signature_stands_behind_an_open_bracket() {
    let mut terminal = Terminal::new();
    terminal.press("fewest_first(");
    terminal.wait_last("fracas> fewest_first(  fewest_first(counts: map) -> list (1 more form)");
    terminal.press("#{ a: 1 }, ");
    terminal.wait("the form with two", |lines| {
        lines
            .last()
            .is_some_and(|line| line.ends_with("  fewest_first(counts: map, order: list) -> li…"))
    });
    terminal.press("[\"a\"])");
    terminal.wait_last("fracas> fewest_first(#{ a: 1 }, [\"a\"])");
    terminal.press("\r");
    terminal.wait_line("[[\"a\"]]");
    terminal.wait_last("fracas>");
    terminal.leave();
}

#[test]
fn commands_words_and_brackets_have_their_colours() {
    let mut terminal = Terminal::new();
    terminal.press(":opne");
    terminal.until("red", || terminal.look(":opne").is_some_and(|look| look.0 == RED));
    terminal.press(BACKSPACE);
    terminal.press(BACKSPACE);
    terminal.press("en");
    terminal.until("cyan", || terminal.look(":open").is_some_and(|look| look.0 == CYAN));
    terminal.press(CTRL_C);
    terminal.press("let x = trim(1)");
    terminal.until("colours", || {
        let colour = |text: &str| terminal.look(text).map(|look| look.0);
        colour("let") == Some(MAGENTA) && colour("trim") == Some(BLUE) && colour("1)") == Some(CYAN)
    });
    // The bracket before the cursor and its partner.
    let stands_out = |text: &str| terminal.look(text).is_some_and(|look| look.3);
    terminal.until("partners", || stands_out(")") && stands_out("(1"));
    terminal.press(LEFT);
    terminal.press(LEFT);
    terminal.press(LEFT);
    terminal.press(LEFT);
    terminal.until("no partners", || {
        let stands_out = |text: &str| terminal.look(text).is_some_and(|look| look.3);
        !stands_out(")") && !stands_out("(1")
    });
    terminal.press(CTRL_C);
    terminal.wait_last("fracas>");
    terminal.leave();
}

#[test]
fn no_color_leaves_nothing_that_only_colour_could_tell() {
    let mut terminal = Start { environment: &[("NO_COLOR", "1")], ..Start::default() }.open();
    terminal.wait_last("fracas>");
    terminal.press("40 + 2\r");
    terminal.wait_line("42");
    terminal.press("4");
    terminal.wait_last("fracas> 4");
    terminal.press(BACKSPACE);
    terminal.press("trim(");
    terminal.wait_end(&["fracas> trim(", "trim(string: text)"]);
    terminal.press("\" a \")\r");
    terminal.wait_end(&["fracas> trim(\" a \")", "fracas>"]);
    let written = String::from_utf8(terminal.written()).unwrap();
    assert!(!written.contains("\u{1b}[3"), "a colour: {written:?}");
    terminal.leave();
}

#[test]
fn lines_of_a_statement_stand_as_far_in_as_their_brackets() {
    let mut terminal = Terminal::new();
    terminal.press("fn f(n) {\rif n > 1 {\rn * 2\r");
    terminal.wait_end(&["fracas> fn f(n) {", "    if n > 1 {", "        n * 2"]);
    // A bracket that closes goes back to the line that opened it.
    terminal.press("} else {\r1\r}\r");
    terminal.wait_end(&["    } else {", "        1", "    }"]);
    // Backspace takes a whole step back.
    terminal.press(BACKSPACE);
    terminal.press("}");
    terminal.wait_end(&[
        "fracas> fn f(n) {",
        "    if n > 1 {",
        "        n * 2",
        "    } else {",
        "        1",
        "    }",
        "}",
    ]);
    terminal.press("\r");
    terminal.wait_last("fracas>");
    terminal.press("f(21)\r");
    terminal.wait_line("42");
    // Alt-Enter begins a line where Enter would run what stands there.
    terminal.press("1 + 1");
    terminal.press(ALT_ENTER);
    terminal.press("+ 5");
    terminal.wait_end(&["fracas> 1 + 1", "+ 5"]);
    terminal.press("\r");
    terminal.wait_line("7");
    terminal.wait_last("fracas>");
    terminal.leave();
}

#[test]
fn pasted_lines_run_with_their_prompts_taken_away() {
    let mut terminal = Terminal::new();
    terminal.press("\u{1b}[200~fracas> let a = 5\nfracas> a * 2\n10\nfracas> a * 3\u{1b}[201~");
    terminal.wait_end(&["fracas> fracas> let a = 5", "fracas> a * 2", "10", "fracas> a * 3"]);
    terminal.press("\r");
    terminal.wait_end(&["10", "15", "fracas>"]);
    terminal.leave();
}

#[test]
fn up_goes_back_to_what_began_alike() {
    let mut terminal = Terminal::new();
    for (line, result) in [("10 + 1", "11"), ("20 + 2", "22"), ("10 + 3", "13"), ("30 + 4", "34")] {
        terminal.press(line);
        terminal.press("\r");
        terminal.wait_line(result);
        terminal.wait_last("fracas>");
    }
    terminal.press("10");
    terminal.wait_last("fracas> 10 + 3");
    terminal.press(UP);
    terminal.press(UP);
    terminal.wait_last("fracas> 10 + 1");
    terminal.press(DOWN);
    terminal.wait_last("fracas> 10 + 3");
    terminal.press(CTRL_C);
    terminal.wait_last("fracas>");
    // From an empty line it goes through all of them.
    terminal.press(UP);
    terminal.wait_last("fracas> 30 + 4");
    terminal.press(UP);
    terminal.press(UP);
    terminal.wait_last("fracas> 20 + 2");
    terminal.press(CTRL_C);
    terminal.wait_last("fracas>");
    terminal.press(CTRL_R);
    terminal.press("0 + 2");
    terminal.wait_last("(reverse-i-search)`0 + 2': 20 + 2");
    terminal.press("\r");
    terminal.wait_end(&["fracas> 20 + 2", "22", "fracas>"]);
    terminal.leave();
}

#[test]
fn f1_explains_the_word_and_keeps_the_line() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    terminal.press("fewest_first(1");
    terminal.press(F1);
    terminal.wait("the signature", |lines| {
        lines.iter().any(|line| line.starts_with("fewest_first(counts: map) -> list"))
    });
    terminal.wait("the line again", |lines| {
        lines.last().is_some_and(|line| line.starts_with("fracas> fewest_first(1"))
    });
    terminal.press(CTRL_C);
    terminal.wait_last("fracas>");
    terminal.press(":goto");
    terminal.press(F1);
    terminal.wait_line(":goto N, or :g");
    terminal.wait("the command again", |lines| {
        lines.last().is_some_and(|line| line.starts_with("fracas> :goto"))
    });
    terminal.press(CTRL_C);
    terminal.wait_last("fracas>");
    // On an empty line it opens the clause of the question, else the help.
    terminal.press(F1);
    terminal.wait("the help", |lines| lines.iter().any(|line| line.ends_with("what held it.")));
    terminal.wait_last("fracas>");
    terminal.press(":open territory/three_tokens --seat white=human\r");
    terminal.wait_last("white, ability?");
    terminal.press(F1);
    terminal
        .wait("the clause", |lines| lines.iter().any(|line| line.starts_with("T1*  A token is")));
    terminal.wait_last("white, ability?");
    terminal.press("trim?\r");
    terminal.wait("the text", |lines| lines.iter().any(|line| line.starts_with("trim(string")));
    terminal.wait_last("white, ability?");
    terminal.leave();
}

#[test]
fn options_are_filtered_while_an_answer_is_typed() {
    let mut terminal = Terminal::new();
    terminal.press(":open territory/three_tokens --seat white=human\r");
    terminal.wait_last("white, ability?");
    terminal.press("a");
    let advocate = "advocate   An aggressor that it meets wins it (T4, T6).";
    let aggressor =
        "aggressor  Wins an advocate that it meets, and is won by an isolationist (T5 t…";
    terminal.wait_end(&["white, ability? a", aggressor, advocate]);
    terminal.press("d");
    terminal.wait_last("white, ability? advocate");
    terminal.press(BACKSPACE);
    terminal.press(BACKSPACE);
    terminal.wait_last("white, ability?");
    terminal.press(TAB);
    // Each option with the line that explains it.
    terminal.wait("the options", |lines| {
        let wins = "An advocate that it meets wins it; it wins an aggressor";
        lines.iter().any(|line| line.starts_with(&format!("isolationist  {wins}")))
    });
    terminal.press("2");
    terminal.wait_last("white, ability? 2  aggressor: goes over");
    terminal.press("\r");
    terminal
        .wait("the answer", |lines| lines.iter().any(|line| line.starts_with("    aggressor  ")));
    terminal.wait_last("white, ability?");
    terminal.leave();
}

#[test]
fn what_is_too_tall_goes_through_the_pager() {
    let start = Start { rows: 12, environment: &[("PAGER", "sed s/^/|/")], ..Start::default() };
    let mut terminal = start.open();
    terminal.wait_last("fracas>");
    terminal.press("1 + 1\r");
    terminal.wait_line("2");
    terminal.press(":help\r");
    terminal
        .wait("paged lines", |lines| lines.iter().filter(|line| line.starts_with('|')).count() > 5);
    terminal.wait_last("fracas>");
    terminal.leave();
}
