//! Measures playouts a second: by the script alone, fresh ones on the graph, and the same again.

use std::time::Duration;

use serde::Serialize;

use super::batches::FailedPlayout;
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::Generator;
use crate::graph::{Graph, NodeKind, PlayoutRunner, WorkerFactory};
use crate::report::{self, Block, Report};
use crate::script::{Ear, Run, on_large_stack, processor_time};

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Speed {
    /// Playouts a second of one thread, by the processor's time: what else runs makes none slower.
    pub playouts_per_second: Rates,
    pub nodes: u64,
    /// Those of them of which every answer is known.
    pub expanded: u64,
}

/// Playouts a second, in whole numbers.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Rates {
    /// By the script alone.
    pub script: f64,
    /// Fresh playouts on the graph, each under a seed of its own: what they meet first, the script
    /// runs. That is how fast an estimate is made.
    pub graph: f64,
    /// The same playouts on the graph once more: all that they meet is known, where it fits.
    pub again: f64,
}

impl Speed {
    /// Measures for about so long each. Nothing should be known of the seating's graph before.
    pub(crate) fn measure(seating: &Seating, seed: u64, time: Duration) -> Result<Speed, Error> {
        on_large_stack(|| {
            let mut runner = seating.playout_runner()?;
            let (script, _) = alone(seating, seed, time, &mut runner)?;
            let mut play = |playout| match runner.play(Generator::playout(seed, playout)) {
                Ok(_) => Ok(()),
                Err(error) => {
                    Err(FailedPlayout::of(&mut runner, (seed, playout), seating, error).error)
                }
            };
            let (graph, made) = rate(time, &mut play)?;
            let (again, _) = rate(time, &mut |playout| play(playout % made))?;
            let nodes = seating.graph.nodes();
            let playouts_per_second =
                Rates { script: script.round(), graph: graph.round(), again: again.round() };
            Ok(Speed { playouts_per_second, nodes, expanded: expanded(&seating.graph) })
        })
    }

    pub(crate) fn report(&self) -> Report<'_> {
        let row = |name: &str, speed: f64| vec![name.to_owned(), format!("{speed:.0}")];
        let Rates { script, graph, again } = self.playouts_per_second;
        let rows = [
            row("script alone", script),
            row("through the graph, fresh", graph),
            row("through the graph, the same again", again),
        ];
        let nodes = report::many(self.nodes, "node");
        let nodes = Block::Sentence(format!("{nodes}, {} of them expanded", self.expanded));
        Report::of(self, vec![Block::table(["", "playouts a second"], rows), nodes])
    }
}

/// Plays the script without the graph; where it fails, `runner` finds what led there.
fn alone(
    seating: &Seating,
    seed: u64,
    time: Duration,
    runner: &mut PlayoutRunner,
) -> Result<(f64, u64), Error> {
    let rules = seating.blueprint.rules()?;
    let (_, mut seats) = seating.make_worker()?;
    rate(time, &mut |playout| {
        seats.restart(Generator::playout(seed, playout));
        let run = Run::begin(&rules, &seating.setup, Ear::Deaf);
        match run.finish(|question| seats.choose(question)) {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(FailedPlayout::of(runner, (seed, playout), seating, error.into()).error)
            }
        }
    })
}

/// How often a second something is done, tried for about so long; and how often it was done.
fn rate(
    time: Duration,
    play: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<(f64, u64), Error> {
    let begun = processor_time();
    let (mut done, mut more) = (0u64, 1u64);
    loop {
        for playout in done..done + more {
            play(playout)?;
        }
        done += more;
        let passed = processor_time().saturating_sub(begun);
        if passed >= time {
            return Ok((done as f64 / passed.as_secs_f64(), done));
        }
        // The clock is looked at some ten times, however fast a playout is.
        let a_tenth = done as f64 * time.as_secs_f64() / passed.as_secs_f64().max(1e-9) / 10.0;
        more = (a_tenth as u64).clamp(1, done.max(1));
    }
}

/// The nodes that can be reached of which every answer is known.
fn expanded(graph: &Graph) -> u64 {
    let nodes = graph.reached().into_iter().map(|number| graph.node(number));
    nodes.filter(|node| node.kind() != NodeKind::End && !node.is_open()).count() as u64
}
