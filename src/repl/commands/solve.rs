//! The command that works out what the players should do: `:solve`; the session keeps what was found.

use std::time::Duration;

use super::{Command, Completes};
use crate::analysis::{Solved, Solving};
use crate::error::{Error, nearest};
use crate::repl::{Reply, Session, solution::Known};

/// The command.
pub const SOLVE: Command = Command {
    name: "solve",
    letter: None,
    arguments: "[--exact] [--within X] [SECONDS]",
    takes: (0, 4),
    completes: &[
        Completes::Free,
        Completes::Option("--exact", None),
        Completes::Option("--within", Some(&Completes::Free)),
    ],
    about: "what the players should do in the open conflict from its beginning, and what that is worth",
    more: "It is solved under the rules as they are bent now, whoever sits in the seats. Where it is a matter of time it \
           goes on until no side gains more than X by playing otherwise (0.001 where none is given), for so many SECONDS, or until Ctrl-C, \
           with what there is then. `--exact` computes in fractions. As long as the rules stay the same, `:odds` then \
           tells of each option how often the solution picks it and what it is worth there.",
    run: solve,
};

fn solve(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let Asked { exact, within, time } = Asked::read(words)?;
    let seating = session.open()?.seating()?;
    let solving = Solving {
        exact,
        within,
        time,
        threads: session.lab.threads(),
        nodes: u64::MAX,
        checkpoint: None,
    };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let solved = Solved::find(&seating, solving, &*progress)?;
    drop(progress);
    session.show(reply, || &solved, |width, plain| solved.as_text(width, plain));
    if solved.interrupted && solved.found.is_ok() {
        reply.note("interrupted: this is how near it had come by then");
    }
    // A search that found nothing leaves what was found before.
    if let Ok(solution) = solved.found {
        let scenario = session.open()?.conflict.scenario.name.clone();
        let identity = seating.graph.identity().to_owned();
        session.known = Some(Known { scenario, identity, solution });
    }
    Ok(())
}

/// How it is to be solved.
#[derive(Debug, PartialEq)]
struct Asked {
    exact: bool,
    within: f64,
    time: Option<Duration>,
}

impl Asked {
    fn read(words: &[String]) -> Result<Asked, Error> {
        const OPTIONS: [&str; 2] = ["--exact", "--within"];
        let mut asked = Asked { exact: false, within: Solving::WITHIN, time: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word.as_str(), None),
            };
            match (name, value) {
                ("--exact", None) => asked.exact = true,
                ("--within", value) => {
                    let value = value.or_else(|| words.next().map(String::as_str));
                    let missing = || Error::usage("`--within` needs a value");
                    asked.within = number(value.ok_or_else(missing)?)?;
                }
                (name, _) if name.starts_with("--") => {
                    let message = format!("`:solve` has no option `{word}`");
                    return Err(Error::Usage { message, nearest: nearest(name, OPTIONS) });
                }
                _ if asked.time.is_some() => {
                    return Err(Error::usage(format!("write it as `{}`", SOLVE.usage())));
                }
                _ => asked.time = seconds(word)?,
            }
        }
        Ok(asked)
    }
}

/// A time; more seconds than can be counted are no bound.
pub(super) fn seconds(word: &str) -> Result<Option<Duration>, Error> {
    Ok(Duration::try_from_secs_f64(number(word)?).ok())
}

/// A number of 0 or more.
fn number(word: &str) -> Result<f64, Error> {
    let number = word.parse().ok().filter(|number: &f64| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| Error::usage(format!("`{word}` must be a number of 0 or more")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Asked, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Asked::read(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn how_near_and_how_long_may_be_said() {
        let time = Some(Duration::from_secs(5));
        let (exact, within) = (false, Solving::WITHIN);
        assert_eq!(read(""), Ok(Asked { exact, within, time: None }));
        assert_eq!(read("5"), Ok(Asked { exact, within, time }));
        assert_eq!(read("--within 0.5 --exact 5"), Ok(Asked { exact: true, within: 0.5, time }));
        assert_eq!(read("--within=0"), Ok(Asked { exact, within: 0.0, time: None }));
        for wrong in ["--within", "--within x", "-1", "5 6", "nan", "--exact=1", "--exakt"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let unknown = "`:solve` has no option `--exakt`; did you mean `--exact`?";
        assert_eq!(read("--exakt").unwrap_err(), unknown);
    }
}
