//! The command that works out what the players should do: `:solve`; the session keeps what was found.

use std::time::Duration;

use clap::Args;

use crate::analysis::{Solved, Solving};
use crate::arguments::{SolvingArguments, seconds};
use crate::error::Error;
use crate::repl::{Reply, Session, solution::Known};

/// `:solve`.
#[derive(Args, Debug)]
pub struct Solve {
    /// How it is solved.
    #[command(flatten)]
    solving: SolvingArguments,
    /// As `--time S`
    #[arg(value_name = "SECONDS", value_parser = seconds, hide = true, conflicts_with = "time")]
    seconds: Option<Duration>,
}

/// Solves the open conflict.
pub fn solve(session: &mut Session, solve: &Solve, reply: &mut Reply) -> Result<(), Error> {
    let SolvingArguments { exact, within, limit } = solve.solving;
    let seating = session.open()?.seating()?;
    let solving = Solving {
        exact,
        within,
        time: limit.time.or(solve.seconds),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repl::commands::{PromptCommand, parse};

    fn read(line: &str) -> Result<(bool, f64, Option<Duration>), String> {
        match parse(&format!("solve {line}")) {
            Ok(PromptCommand::Solve(solve)) => {
                let SolvingArguments { exact, within, limit } = solve.solving;
                Ok((exact, within, limit.time.or(solve.seconds)))
            }
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn how_near_and_how_long_may_be_said() {
        let time = Some(Duration::from_secs(5));
        assert_eq!(read(""), Ok((false, Solving::WITHIN, None)));
        assert_eq!(read("5"), Ok((false, Solving::WITHIN, time)));
        assert_eq!(read("--time 5"), Ok((false, Solving::WITHIN, time)));
        assert_eq!(read("--within 0.5 --exact 5"), Ok((true, 0.5, time)));
        assert_eq!(read("--within=0.25"), Ok((false, 0.25, None)));
        for wrong in
            ["--within", "--within x", "--within 0", "-1", "5 6", "5 --time 5", "nan", "--exact=1"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let unknown = "unexpected argument '--exakt' found; did you mean `--exact`?";
        assert_eq!(read("--exakt").unwrap_err(), unknown);
    }
}
