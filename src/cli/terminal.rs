//! How do people play at a plain terminal? What happened, what is asked, a line read, again.

use std::io::{BufRead, IsTerminal};

use super::output::Output;
use crate::conflict::{Play, Standing};
use crate::error::Error;
use crate::render;

/// Plays on until the conflict is over, asking people on stdin.
///
/// # Errors
/// Those of the rules; [`Error::Usage`] where the input ends while somebody is asked.
pub fn play_out(play: &mut Play, output: &mut Output) -> Result<(), Error> {
    let mut told = Told::default();
    told.events(play, output);
    while let Standing::Asked(_) = play.standing() {
        ask(play, output);
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        match read.map_err(|error| Error::file("read", "stdin", error))? {
            0 => return Err(ended(play)),
            _ => respond(play, line.trim(), output),
        }
        told.events(play, output);
    }
    if let Ok(Some(picture)) = play.conflict.rules.picture(&play.state()) {
        output.say(picture.trim_end());
    }
    Ok(())
}

fn ended(play: &Play) -> Error {
    match play.asked() {
        Some(asked) => Error::usage(format!(
            "the input ended while `{}` was asked `{}`",
            asked.who, asked.name
        )),
        None => Error::Interrupted,
    }
}

/// Shows the picture and the question with its options, numbered.
fn ask(play: &Play, output: &mut Output) {
    if let Standing::Asked(moment) = play.standing()
        && let Ok(Some(picture)) = &moment.picture
    {
        output.say(picture.trim_end());
    }
    let Some(asked) = play.asked() else { return };
    output.say(&format!("{}, {}?", asked.who, asked.name));
    for (i, option) in asked.options.iter().enumerate() {
        output.say(&format!("  {}  {option}", i + 1));
    }
    if std::io::stdin().is_terminal() {
        output.say("(a number or an option; :undo takes back)");
    }
}

/// A mistake is told and changes nothing; the question comes again.
fn respond(play: &mut Play, line: &str, output: &mut Output) {
    let result = match line {
        "" => Ok(()),
        ":undo" | ":u" => play.undo(1).map(|_| ()),
        ":redo" | ":r" => play.redo(1).map(|_| ()),
        answer => play.read_option(answer).and_then(|index| play.answer(index)),
    };
    if let Err(error) = result {
        output.say(&render::as_text(&error, false, output.width()));
    }
}

/// How many events have been shown.
#[derive(Default)]
struct Told(usize);

impl Told {
    fn events(&mut self, play: &Play, output: &mut Output) {
        let events = play.events();
        for heard in events.iter().skip(self.0.min(events.len())) {
            output.say(&heard.text);
        }
        self.0 = events.len();
    }
}
