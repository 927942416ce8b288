//! Explores a conflict and one option beyond at every decision that is reached, where that is worth it.

use hashbrown::HashSet;
use indexmap::IndexSet;

use crate::analysis::Stage;
use crate::conflict::Seating;
use crate::error::Error;
use crate::explored::{ExploredGame, Extent};
use crate::game::Generator;
use crate::graph::{Bounds, NodeKind, Reach, WorkerFactory, explore, explore_from};

/// What is counted while a graph is explored that may not be seen whole.
const NODES_AT_MOST: &str = "nodes at most";

/// Playouts that are fewer meet too few questions twice, however few there are: one alone never meets any again.
const TELLING: u64 = 8;
/// Where more nodes may be explored, threads do that faster than playouts one after another meet a part of them.
const TRIED: u64 = 100_000;
/// Memory for the graph of these playouts, in bytes.
const MEMORY: u64 = 64 << 20;

/// Whether playouts tell that there are far more nodes than are to be explored: where these were all, of three tenths
/// as many met some 15 % would be known already, or more where some are likelier than others (the birthday problem),
/// and there are less than half of that. The playouts are the same for every seed, on a graph of their own, so that
/// whether a conflict is explored, and in which order, depends on it alone.
pub(super) fn is_far_larger(seating: &Seating, nodes: u64) -> Result<bool, Error> {
    // Under agents whose answers have no table nothing is explored: they need not be asked.
    if nodes > TRIED || !seating.tabulates()? {
        return Ok(false);
    }
    let seating = seating.afresh(MEMORY);
    let (mut runner, enough) = (seating.playout_runner()?, nodes / 10 * 3);
    runner.count_to(u64::MAX);
    let (mut met, mut ran, mut made) = (0, 0, 0);
    for playout in 0..enough {
        if met >= enough {
            break;
        }
        seating.is_wanted()?;
        runner.play(Generator::playout(0, playout))?;
        met += runner.questions();
        ran += runner.ran();
        made += 1;
    }
    Ok(made >= TELLING && (met - ran) * 16 < met)
}

/// Explores a conflict under the agents seated, and one option further at each decision; within bounds. Where it is not
/// seen whole, how far that came.
pub(super) fn explore_beyond(
    seating: &Seating,
    bounds: Bounds,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Result<ExploredGame, Reach>, Error> {
    let graph = &seating.graph;
    progress(Stage::Begin(NODES_AT_MOST));
    let progress = &|nodes| progress(Stage::Part(NODES_AT_MOST, nodes, bounds.nodes));
    let reach = explore(graph, seating, bounds, progress)?;
    if reach != Reach::Whole {
        return Ok(Err(reach));
    }
    let policies = seating.policies()?;
    let seated = seating.game(&policies, &[graph.root()])?;
    let (explorer, _) = seating.make_worker()?;
    let (mut wide, mut starts) = (HashSet::new(), vec![graph.root()]);
    // In the order in which they are found, which is the same for any number of threads.
    let mut fresh = IndexSet::new();
    for &number in &seated.nodes {
        let node = graph.node(number);
        if node.kind() != NodeKind::Decision {
            continue;
        }
        wide.insert(number);
        for answer in 0..node.answers() {
            let known = node.to(answer);
            let to = if known == 0 { explorer.next(number, answer)? } else { known };
            if to == 0 {
                return Ok(Err(Reach::Full));
            }
            if seated.place(to).is_none() {
                fresh.insert(to);
            }
        }
    }
    drop((explorer, seated));
    if !fresh.is_empty() {
        let fresh: Vec<u32> = fresh.into_iter().collect();
        let reach = explore_from(graph, seating, bounds, &fresh, progress)?;
        if reach != Reach::Whole {
            return Ok(Err(reach));
        }
        starts.extend(fresh);
    }
    seating.game_with(&policies, &starts, Extent::Beyond(&wide)).map(Ok)
}
