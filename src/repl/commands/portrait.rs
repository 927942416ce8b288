//! The command that measures what the open conflict is like, from its beginning.

use std::time::Duration;

use super::solve::seconds;
use super::{Command, Completes};
use crate::analysis::{Portrait, Portraying, Sampling, Wanted};
use crate::error::{Error, nearest};
use crate::repl::{Reply, Session};

/// The command.
pub const PORTRAIT: Command = Command {
    name: "portrait",
    letter: None,
    arguments: "[N] [--time SECONDS] [MEASURE…]",
    takes: (0, 32),
    completes: &[Completes::Free, Completes::Option(TIME, Some(&Completes::Free))],
    about: "what the open conflict is like from its beginning: length, choice, fairness, drama, luck, skill, clauses",
    more: "It is measured under the rules as they are bent now and the seated agents; `random` sits in for people. On the \
           graph it is exact; where that is too large it is estimated from N playouts, 4000 where no number is given. \
           Ctrl-C, or SECONDS, stops with what is known by then. A MEASURE is one (`length.steps`), a group of them \
           (`luck`), or the path of a number in the outcome; `:doc measures` says what each means.",
    run: portrait,
};

/// The option with a time limit.
const TIME: &str = "--time";

fn portrait(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let Asked { n, time, measures } = Asked::read(words)?;
    let play = session.open()?;
    let seating = play.seating()?;
    let wanted = Wanted::read(&measures, &play.conflict, &seating)?;
    let sampling = Sampling { seed: play.seed, n, within: None, threads: session.lab.threads() };
    let nodes = Portraying::explores(sampling, &seating);
    let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let found = Portrait::find(&play.conflict, &seating, portraying, &*progress);
    drop(progress);
    let portrait = found?;
    if !seating.people.is_empty() {
        reply.note(format!("`random` sits in for people: {}", seating.people.join(", ")));
    }
    session.show(reply, || &portrait, |width, plain| portrait.as_text(width, plain));
    if portrait.interrupted {
        reply.note("interrupted: this is what was known by then");
    }
    Ok(())
}

/// What is to be measured, and how.
#[derive(Debug, PartialEq)]
struct Asked {
    n: u64,
    time: Option<Duration>,
    measures: Vec<String>,
}

impl Asked {
    fn read(words: &[String]) -> Result<Asked, Error> {
        let mut asked = Asked { n: Portraying::PLAYOUTS, time: None, measures: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.split_once('=').unwrap_or((word, "")) {
                (TIME, value) => {
                    let value = if value.is_empty() {
                        words.next().map(String::as_str)
                    } else {
                        Some(value)
                    };
                    let missing = || Error::usage(format!("`{TIME}` needs a number of seconds"));
                    asked.time = seconds(value.ok_or_else(missing)?)?;
                }
                (name, _) if name.starts_with("--") => {
                    let message = format!("`:portrait` has no option `{word}`");
                    return Err(Error::Usage { message, nearest: nearest(name, [TIME]) });
                }
                _ => match word.parse::<u64>() {
                    Ok(n) => asked.n = n.max(1),
                    Err(_) => asked.measures.push(word.clone()),
                },
            }
        }
        Ok(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_time_and_measures_come_in_any_order() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Asked::read(&words).map_err(|error| error.to_string())
        };
        let time = Some(Duration::from_secs(2));
        let measures = vec!["luck".to_owned(), "left.red".to_owned()];
        let all = Ok(Asked { n: 50, time, measures });
        assert_eq!(read("luck 50 --time 2 left.red"), all);
        assert_eq!(read("--time=2 luck left.red 50"), all);
        assert_eq!(read("--time").unwrap_err(), "`--time` needs a number of seconds");
        let unknown = "`:portrait` has no option `--tim`; did you mean `--time`?";
        assert_eq!(read("--tim 3").unwrap_err(), unknown);
    }
}
