//! What is there, and what does it do? `:list`, `:doc`.

use super::Command;
use super::session::filled;
use crate::catalog::{Folder, Kind, ParamSpecs};
use crate::error::{Error, nearest};
use crate::render;
use crate::repl::{Reply, Session};
use crate::script::{EFFECTS, READER, primitives};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "list",
        letter: Some('l'),
        arguments: "[SYSTEM]",
        takes: (0, 1),
        about: "the systems; of one, its scenarios, parameters, house rules and agents",
        more: "",
        run: list,
    },
    Command {
        name: "doc",
        letter: Some('d'),
        arguments: "[NAME]",
        takes: (0, 1),
        about: "what a function does: of the open rules, a primitive, one of your own",
        more: "Without a name it lists the names there are.",
        run: doc,
    },
];

fn list(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let (width, plain) = (session.options.width, session.options.plain);
    let Some(system) = words.first() else {
        let row = |folder: &Folder| {
            let names = |kind| folder.names(kind).join(", ");
            vec![folder.name().to_owned(), names(Kind::Scenario), names(Kind::House)]
        };
        let rows: Vec<Vec<String>> = session.catalog.folders().map(row).collect();
        reply.data(render::table(&["system", "scenarios", "house rules"], &rows, width, plain));
        return Ok(());
    };
    let folder = session.catalog.folder(system)?;
    let scenario = |name: &String| {
        let title = match folder.scenario(name) {
            Ok(scenario) => scenario.title.unwrap_or_default(),
            Err(error) => error.to_string(),
        };
        vec![format!("{system}/{name}"), title]
    };
    let rows: Vec<Vec<String>> = folder.names(Kind::Scenario).iter().map(scenario).collect();
    reply.data(render::table(&["scenario", "title"], &rows, width, plain));
    let specs = ParamSpecs::read(folder.params()?.as_ref())?;
    let rows: Vec<Vec<String>> = specs
        .iter()
        .map(|spec| vec![spec.name.clone(), spec.default.to_string(), spec.meaning.clone()])
        .collect();
    if !rows.is_empty() {
        reply.data(render::table(&["parameter", "default", "meaning"], &rows, width, plain));
    }
    for (kind, title) in [(Kind::House, "house rules"), (Kind::Agent, "agents")] {
        let names = folder.names(kind);
        if !names.is_empty() {
            reply.data(filled(&format!("{title}: {}", names.join(", ")), width));
        }
    }
    Ok(())
}

/// Something that can be looked up: its name, where it belongs, how it is called, what it does.
struct Known {
    name: String,
    family: String,
    signature: String,
    text: String,
}

fn doc(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let all = known(session);
    let Some(word) = words.first() else {
        names(&all, session.options.width, reply);
        return Ok(());
    };
    let name = word.trim_end_matches("()").trim_start_matches("this.");
    let mut told = Vec::new();
    for one in all.iter().filter(|one| one.name == name) {
        // The engine knows the primitives too; what is told in full is not told again.
        if one.family == LANGUAGE && !told.is_empty() {
            continue;
        }
        told.push(one.signature.as_str());
        reply.data(format!("{}  ({})", one.signature, one.family));
        if !one.text.trim().is_empty() {
            reply.data(indented(one.text.trim()));
        }
    }
    if told.is_empty() {
        let near = nearest(name, all.iter().map(|one| one.name.as_str()));
        return Err(Error::Unknown {
            what: "function",
            name: name.to_owned(),
            nearest: near,
            at: None,
        });
    }
    Ok(())
}

/// The family of what the language itself brings.
const LANGUAGE: &str = "the language";

fn known(session: &Session) -> Vec<Known> {
    let mut all = Vec::new();
    if let Some(play) = &session.play {
        let rules = &play.conflict.rules;
        for function in rules.functions() {
            let layer = match function.layer.checked_sub(1).and_then(|i| rules.house().get(i)) {
                Some(house) => format!("house rule {house}"),
                None => format!("rules of {}", rules.system()),
            };
            let at = function.at.as_ref().map(|at| format!(", {}:{}", at.file, at.line));
            all.push(Known {
                name: function.name.clone(),
                family: format!("{layer}{}", at.unwrap_or_default()),
                signature: format!("{}({})", function.name, function.params.join(", ")),
                text: function.comments.clone(),
            });
        }
    }
    let effects = EFFECTS.iter().map(|entry| (entry, "what rules ask"));
    let reader = READER.iter().map(|entry| (entry, "reader of a setup"));
    for ((signature, text), family) in effects.chain(reader) {
        let bare = signature.trim_start_matches("this.");
        all.push(Known {
            name: bare.split('(').next().unwrap_or(bare).to_owned(),
            family: family.to_owned(),
            signature: (*signature).to_owned(),
            text: (*text).to_owned(),
        });
    }
    all.extend(primitives::documentation().into_iter().map(|doc| Known {
        name: doc.name,
        family: format!("primitive, {}", doc.family),
        signature: doc.signature,
        text: format!("{}\n{}", doc.text, doc.example),
    }));
    all.extend(session.lab.functions().into_iter().map(|function| Known {
        name: function.name,
        family: if function.yours { "yours" } else { LANGUAGE }.to_owned(),
        signature: function.signature,
        text: function.text.replace("# Example\n", ""),
    }));
    all
}

/// The names of each family, below each other.
fn names(all: &[Known], width: usize, reply: &mut Reply) {
    type Belongs = fn(&Known) -> bool;
    let families: [(&str, Belongs); 5] = [
        ("yours", |one| one.family == "yours"),
        ("the open rules", |one| {
            one.family.starts_with("rules of") || one.family.starts_with("house rule")
        }),
        ("what rules ask", |one| one.family == "what rules ask"),
        ("primitives", |one| one.family.starts_with("primitive")),
        (LANGUAGE, |one| one.family == LANGUAGE && !one.text.is_empty()),
    ];
    for (title, belongs) in families {
        let mut names: Vec<&str> =
            all.iter().filter(|one| belongs(one)).map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            reply.data(filled(&format!("{title}: {}", names.join(", ")), width));
        }
    }
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| format!("  {line}").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}
