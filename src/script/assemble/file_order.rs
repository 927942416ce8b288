//! Lists the files to compile, in order: those of imports, then the rules', then each house rule's.

use std::collections::BTreeMap;

use rhai::{Engine, Position, Token};

use crate::error::ScriptError;
use crate::script::assemble::function_uses::declared;
use crate::script::assemble::imports::{self, Defined, defined, wanted};
use crate::script::assemble::layers::{Import, Layer};
use crate::script::assemble::replace_tokens::{Parsing, Plan, as_written};
use crate::script::assemble::source::Sources;

/// The files of all layers: the number of the layer, and of the file.
#[derive(Default)]
pub(in crate::script) struct Files {
    /// In their order.
    pub all: Vec<(usize, usize)>,
    /// What is marked in a file: of an import, whose number it has, or an agent's calls of the rules.
    plans: BTreeMap<usize, (Option<usize>, Plan)>,
}

impl Files {
    /// Adds the files of all layers to the sources; the first layer has the number `first`.
    pub(in crate::script) fn number(
        layers: &[Layer],
        first: usize,
        sources: &mut Sources,
    ) -> Result<Files, ScriptError> {
        let mut files = Files::default();
        for (layer, own) in layers.iter().enumerate() {
            for (path, text) in &own.files {
                let file = sources.add(path, text)?;
                files.all.push((first + layer, file));
                if !own.campaign.is_empty() {
                    sources.note_of_host(file);
                }
            }
        }
        Ok(files)
    }

    /// As [`Files::number`], with those that the bottom layer imports below it.
    pub(in crate::script) fn with_imports(
        engine: &mut Engine,
        parsing: &Parsing,
        layers: &[Layer],
        sources: &mut Sources,
    ) -> Result<Files, ScriptError> {
        let imports: &[Import] = layers.first().map_or(&[], |base| &base.imports);
        let mut files = Files::default();
        let mut open = None;
        for (number, import) in imports.iter().enumerate() {
            sources.note_import(import);
            let layers: Vec<Layer> = import.layers().cloned().collect();
            let own = Files::number(&layers, 0, sources)?;
            let names = files.mark(engine, parsing, number, import, &own, sources);
            files.all.extend(own.all);
            if import.name == imports::OPEN {
                open = Some((import, names));
            }
        }
        let own = Files::number(layers, 0, sources)?;
        for &(layer, file) in own.all.iter().filter(|_| !imports.is_empty()) {
            if let Some((import, names)) = &open {
                let (tokens, _) = recorded(engine, parsing, layer, sources.parsed(file));
                let names = names.functions_beside(&tokens);
                files.plans.insert(file, (None, imports::plan(&tokens, &names, import)));
                continue;
            }
            let asked = match layer {
                0 => wanted(sources.path(file), sources.parsed(file)).map_err(ScriptError::of)?,
                _ => Vec::new(),
            };
            let text = imports::resolved(sources.parsed(file), &asked, imports);
            sources.parse_instead(file, text);
        }
        files.all.extend(own.all);
        Ok(files)
    }

    fn mark(
        &mut self,
        engine: &mut Engine,
        parsing: &Parsing,
        number: usize,
        import: &Import,
        own: &Files,
        sources: &Sources,
    ) -> Defined {
        let mut read = |&(layer, file): &_| recorded(engine, parsing, layer, sources.parsed(file));
        let read: Vec<ReadTokens> = own.all.iter().map(&mut read).collect();
        let names = defined(read.iter().map(|(tokens, constants)| (&**tokens, &**constants)));
        for (&(_, file), (tokens, _)) in own.all.iter().zip(&read) {
            self.plans.insert(file, (Some(number), imports::plan(tokens, &names, import)));
        }
        names
    }

    /// What is marked in a file: only files of imports have marks, and an agent's.
    pub(in crate::script) fn plan(&self, file: usize) -> Plan {
        self.plans.get(&file).map(|(_, plan)| plan.clone()).unwrap_or_default()
    }

    /// The number of the import that a file belongs to, if it belongs to one.
    pub(in crate::script) fn import_of(&self, file: usize) -> Option<usize> {
        self.plans.get(&file)?.0
    }
}

type ReadTokens = (Vec<Token>, Vec<(String, Position)>);

/// The tokens of a text, and the constants that it declares, each with its place. What does not parse is reported when
/// it is compiled.
fn recorded(engine: &mut Engine, parsing: &Parsing, layer: usize, text: &str) -> ReadTokens {
    parsing.record(layer, Plan::new());
    let compiled = as_written(engine, |engine| engine.compile(text));
    let constants = compiled.map(|ast| declared(&ast)).unwrap_or_default();
    (parsing.take_recorded(), constants)
}
