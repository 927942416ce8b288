//! Writes an explored game as a file of Gambit: extensive form, payoffs and chances as exact numbers.
//!
//! Format: `EFG 2 R` of gambit-project.org, a node a line, depth first.

use std::fmt::Write as _;

use super::extensive_form::{ExtensiveForm, Role};
use crate::analysis::odds::short_of;
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::option_name;
use crate::graph::{Bounds, InformationSets, WorkerFactory, explore};
use crate::number::Fraction;

/// The most nodes that are written: what is one place on a graph is a node for each way that leads there.
const NODES: usize = 2_000_000;

/// The game of a conflict as a file of Gambit, with any agents in its seats.
pub(crate) fn efg(seating: &Seating, threads: usize, title: &str) -> Result<String, Error> {
    let seating = &seating.unmanned();
    let bounds = Bounds { threads, nodes: u64::MAX };
    let reach = explore(&seating.graph, seating, bounds, &|_| ())?;
    if let Some(why) = short_of(reach, seating, u64::MAX) {
        return Err(Error::unsolved(why));
    }
    let (explorer, _) = seating.make_worker()?;
    let mut known = InformationSets::default();
    let drawn: ExtensiveForm<Fraction> =
        ExtensiveForm::draw(seating, &explorer, &mut known, &|_| true)?;
    let (graph, game) = (&seating.graph, &drawn.game);
    let players: Vec<String> = drawn.seats.iter().map(|seat| quoted(&seat.name)).collect();
    let mut text = format!("EFG 2 R {} {{ {} }}\n\"\"\n\n", quoted(title), players.join(" "));
    // Nodes that are yet to be written, the next one last; chance nodes are numbered as they are written.
    let (mut left, mut written, mut falls) = (vec![0_u32], 0_usize, 0_u32);
    while let Some(node) = left.pop() {
        written += 1;
        if written > NODES {
            return Err(Error::unsolved(format!(
                "as a tree, which a file of Gambit is, the game has more than {NODES} nodes"
            )));
        }
        if written % 1_000 == 0 {
            seating.may_continue()?;
        }
        let node = node as usize;
        let steps = drawn.answers(node);
        let asked = game.question(graph, node);
        let option = |step: usize| {
            let options = asked.map(|asked| asked.values()).unwrap_or_default();
            let option = options.get(usize::from(game.answers[step]));
            quoted(&option.map(option_name).unwrap_or_default())
        };
        // Names of information sets must differ.
        let name = |nth: u32| quoted(&format!("{} {nth}", asked.map_or("", |asked| &asked.name)));
        // Writing to a text does not fail.
        _ = match drawn.roles[node] {
            Role::End(end) => {
                let ending = graph.ending(graph.node(game.nodes[node]));
                let result = quoted(ending.map_or("", |ending| &ending.result));
                let worths: Vec<String> =
                    drawn.payoffs(end).iter().map(Fraction::to_string).collect();
                writeln!(text, "t \"\" {} {result} {{ {} }}", end + 1, worths.join(", "))
            }
            Role::Chance => {
                falls += 1;
                let fall = |(step, chance)| format!("{} {chance}", option(step));
                let all: Vec<String> = steps.clone().zip(&drawn.chances[steps]).map(fall).collect();
                writeln!(text, "c \"\" {falls} {} {{ {} }} 0", name(falls), all.join(" "))
            }
            Role::Set(set) => {
                let side = drawn.sets[set as usize].side + 1;
                let all: Vec<String> = steps.map(option).collect();
                let (set, all) = (set + 1, all.join(" "));
                writeln!(text, "p \"\" {side} {set} {} {{ {all} }} 0", name(set))
            }
        };
        left.extend(drawn.to()[drawn.answers(node)].iter().rev());
    }
    Ok(text)
}

/// A text in quotes; the format has no way to write what is between them in another.
fn quoted(text: &str) -> String {
    let plain = |letter: char| if letter == '"' || letter.is_control() { '\'' } else { letter };
    format!("\"{}\"", text.chars().map(plain).collect::<String>().replace('\\', "/"))
}
