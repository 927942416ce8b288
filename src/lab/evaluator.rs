//! The evaluator of Rhai lines at the prompt: runs each in the sandbox, after all lines before it.

pub(super) mod functions;

use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{AST, Dynamic, Engine, ParseErrorType, Scope};

use self::functions::{of_host, of_library, of_scope, suggest};
use super::context::{LabConfig, LabContext};
use super::failure::{self, LabFailure};
use super::scenario::Opened;
use super::{LineResult, register};
use crate::catalog::{Catalog, FileText};
use crate::commands::Audience;
use crate::conflict::Conflict;
use crate::error::{Error, Location, ScriptError};
use crate::handbook::HandbookEntry;
use crate::report::ShowStyle;
use crate::script::{
    Context, OpenConstruct, Sources, Trust, build, end_of, ends_quietly, explain_in_lab,
    explain_parse, guarded, is_past_end, stopped,
};

/// The name under which the last result is found.
const LAST: &str = "ans";
/// The name under which a script finds its arguments.
pub(super) const ARGUMENTS: &str = "args";
/// The name under which a line finds the open conflict.
pub(crate) const CONFLICT: &str = "conflict";

/// Runs lines one after another: variables and functions stay, a mistake leaves all as it was.
pub struct Lab {
    pub(super) engine: Engine,
    context: Rc<Context>,
    pub(super) scope: Scope<'static>,
    /// All functions and closures that lines defined.
    pub(super) library: AST,
    /// The lines that defined them, for the places of mistakes.
    pub(super) kept: Vec<EvaluatedText>,
    desk: Rc<LabContext>,
    /// What messages call the text of all lines: `prompt`, `stdin`, the path of a script.
    pub(super) name: String,
}

#[derive(Clone)]
pub(super) struct EvaluatedText {
    /// The number of its first line in the text of all lines, or the path of a file of its own.
    pub(super) name: String,
    pub(super) text: String,
}

impl Lab {
    /// A lab in which nothing was run; `name` is what messages call the text of all lines.
    pub fn new(means: LabConfig, name: &str) -> Lab {
        let context = Context::new(means.limits.clone().for_prompt());
        let mut engine = build(&context, Trust::Lab);
        engine.set_strict_variables(true);
        let desk = Rc::new(LabContext::new(means, context.clone()));
        failure::register(&mut engine);
        register::register(&mut engine, &desk);
        let sink = desk.clone();
        engine.on_print(move |text| sink.print(text));
        let mut scope = Scope::new();
        scope.push_dynamic(LAST, Dynamic::UNIT);
        let mut lab = Lab {
            engine,
            context,
            scope,
            library: AST::empty(),
            kept: Vec::new(),
            desk,
            name: name.to_owned(),
        };
        lab.hand(&[]);
        lab
    }

    /// Hands arguments to the script, which finds them as `args`, in functions too.
    pub fn hand(&mut self, arguments: &[String]) {
        let all: rhai::Array = arguments.iter().map(|word| word.as_str().into()).collect();
        // Functions do not see a scope; a global module's variables they do.
        let mut module = rhai::Module::new();
        module.set_var(ARGUMENTS, all.clone());
        self.engine.register_global_module(module.into());
        let _ = self.scope.remove::<Dynamic>(ARGUMENTS);
        self.scope.push_constant(ARGUMENTS, all);
    }

    /// Hands the open conflict to the next lines, as a scenario; a variable of that name stays.
    pub(crate) fn hand_conflict(&mut self, conflict: Option<Conflict>) {
        if self.scope.is_constant(CONFLICT) == Some(false) {
            return;
        }
        let _ = self.scope.remove::<Dynamic>(CONFLICT);
        if let Some(conflict) = conflict {
            self.scope.push_constant(CONFLICT, Opened::at(&self.desk, conflict));
        }
    }

    /// Passes over the seed of the open conflict where a line names none: it would show what chance will do.
    pub(crate) fn leave_out(&mut self, seed: Option<u64>) {
        self.desk.leave_out(seed);
    }

    /// Sets the folder of the script, in which files are found by their names alone.
    pub(crate) fn run_in(&mut self, folder: &std::path::Path) {
        self.desk.folder.replace(Some(folder.to_owned()));
    }

    /// Sets the audience that hears the output while a line runs.
    pub fn listen(&mut self, audience: Rc<dyn Audience>) {
        self.desk.listen(audience);
    }

    /// The audience that hears the output while a line runs.
    pub(crate) fn audience(&self) -> Rc<dyn Audience> {
        self.desk.audience()
    }

    /// The folders in which rules are found first, as a command line names them.
    pub fn rules(&self) -> Vec<std::path::PathBuf> {
        self.desk.rules.borrow().clone()
    }

    /// How many threads long work takes.
    pub fn threads(&self) -> usize {
        self.desk.threads
    }

    /// From here on results look like this where they are printed.
    pub fn look(&mut self, look: ShowStyle) {
        self.desk.look.set(look);
    }

    /// The rules at hand, where a line added some since this was last asked.
    pub(crate) fn more_rules(&mut self) -> Option<Catalog> {
        self.desk.has_more.replace(false).then(|| self.desk.catalog.borrow().clone())
    }

    /// Runs a text whose first line has this number, counting anew.
    ///
    /// # Errors
    /// [`Error::Script`] with its place in the lines; [`Error::Interrupted`].
    pub fn evaluate(&mut self, text: &str, line: usize) -> Result<LineResult, Error> {
        self.evaluate_chunk(EvaluatedText { name: line.to_string(), text: text.to_owned() })
    }

    /// Runs a file before or between the lines: its definitions stay, and its errors name its own
    /// lines.
    pub(crate) fn evaluate_file(&mut self, file: &FileText) -> Result<LineResult, Error> {
        self.evaluate_chunk(EvaluatedText { name: file.path.clone(), text: file.text.clone() })
    }

    fn evaluate_chunk(&mut self, chunk: EvaluatedText) -> Result<LineResult, Error> {
        let before = self.scope.len();
        let result = match guarded(|| self.run(&chunk)) {
            Ok(result) => result,
            Err(panic) => Err(panic.into()),
        };
        if result.is_err() {
            self.scope.rewind(before);
        }
        result.map_err(|error| self.placed(error))
    }

    /// Whether a text is the beginning of one that could run.
    pub fn is_unfinished(&self, text: &str) -> bool {
        match end_of(text) {
            OpenConstruct::Comment | OpenConstruct::LongText => return true,
            OpenConstruct::Text => return false,
            OpenConstruct::Code | OpenConstruct::LineComment => {}
        }
        let compiled = guarded(|| self.engine.compile_with_scope(&self.scope, text).err());
        let Ok(Some(error)) = compiled else { return false };
        matches!(*error.0, ParseErrorType::UnexpectedEOF) || is_past_end(error.1, text)
    }

    /// Whether a text can be run as one.
    pub fn compiles(&self, text: &str) -> bool {
        matches!(guarded(|| self.engine.compile_with_scope(&self.scope, text).is_ok()), Ok(true))
    }

    /// What was printed since this was last asked.
    pub(crate) fn take_printed(&mut self) -> String {
        self.desk.printed.take()
    }

    /// What else was said since this was last asked.
    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        self.desk.notes.take()
    }

    /// Whether a part of a result was printed, since the rest was not waited for.
    pub(crate) fn is_partial(&self) -> bool {
        self.desk.partial.get()
    }

    pub(crate) fn has_variable(&self, name: &str) -> bool {
        self.scope.contains(name)
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.scope.iter_raw().map(|(name, _, _)| name)
    }

    /// The functions and the variables that lines defined.
    pub fn own(&self) -> Vec<HandbookEntry> {
        let mut all = of_library(&self.library);
        all.extend(of_scope(&self.scope));
        all
    }

    /// The functions that lines can call without having defined them.
    pub fn language(&self) -> Vec<HandbookEntry> {
        of_host(&self.engine)
    }

    fn run(&mut self, chunk: &EvaluatedText) -> Result<LineResult, Error> {
        let sources = self.sources(chunk)?;
        self.context.meter.start(self.context.meter.limits().leg);
        let before = self.scope.len();
        let text = sources.placed(self.kept.len());
        let ast = self
            .engine
            .compile_with_scope(&self.scope, text)
            .map_err(|error| self.suggest(explain_parse(&error, &sources)))?;
        let defines = ast.has_functions();
        let merged = self.library.merge(&ast);
        let result = self.engine.eval_ast_with_scope::<Dynamic>(&mut self.scope, &merged);
        if self.context.meter.is_halted() {
            return Err(stopped(&self.context, result.err().as_deref(), &sources));
        }
        let value = result.map_err(|error| match LabFailure::within(&error) {
            Some(failure) => LabFailure::called_at(failure, explain_in_lab(&error, &sources)),
            None => self.suggest(explain_in_lab(&error, &sources)),
        })?;
        if defines {
            self.library = merged;
            self.library.clear_statements();
            self.kept.push(chunk.clone());
        }
        self.forget_shadowed(before);
        let quiet = ends_quietly(&chunk.text);
        let found = if quiet { LineResult::Nothing } else { LineResult::of(&value) };
        self.remember(value);
        Ok(found)
    }

    /// The last result under its own name, unless a line made that name a constant.
    fn remember(&mut self, value: Dynamic) {
        if !value.is_unit() && self.scope.is_constant(LAST) == Some(false) {
            self.scope.set_value(LAST, value);
        }
    }

    /// A name defined again leaves no trace of the old one: a session would fill up with them.
    fn forget_shadowed(&mut self, before: usize) {
        if self.scope.len() == before {
            return;
        }
        let names: BTreeSet<&str> = self.variables().collect();
        if names.len() < self.scope.len() {
            self.scope = self.scope.clone_visible();
        }
    }

    /// The lines that still matter and this one, each a file named by its first line's number: a
    /// file's name must belong to it alone, and the lab's own name for all is put in later.
    fn sources(&self, chunk: &EvaluatedText) -> Result<Sources, Error> {
        let mut sources = Sources::default();
        for chunk in self.kept.iter().chain([chunk]) {
            sources.add(&chunk.name, &chunk.text)?;
        }
        Ok(sources)
    }

    fn suggest(&self, error: ScriptError) -> Error {
        let functions = || {
            let mut all = of_library(&self.library);
            all.extend(of_host(&self.engine));
            all
        };
        suggest(error, &self.scope, functions).into()
    }

    fn placed(&self, mut error: Error) -> Error {
        let place = |at: &mut Location| {
            if let Ok(first) = at.file.parse::<usize>() {
                at.file = self.name.clone();
                at.line += first.saturating_sub(1);
            }
        };
        if let Error::Script(script) | Error::Called { call: script, .. } = &mut error {
            script.at.iter_mut().for_each(place);
            script.trace.iter_mut().filter_map(|frame| frame.at.as_mut()).for_each(place);
        }
        error
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // What scripts nest deep must be dropped on a stack that is deep enough.
        let scope = std::mem::take(&mut self.scope);
        let _ = guarded(move || drop(scope));
    }
}
