//! Compiled rules: a system's script with its house rules and parameters, ready to run.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;
use indexmap::IndexMap;
use rhai::{AST, Engine, Position};

use super::assemble::definition::{Definition, clause_above, definitions};
use super::assemble::function_uses::{FunctionUses, NameAndArity};
use super::assemble::join::{Joined, RuleFunction, comments, join};
use super::assemble::layers::{CONTRACT, Import, Layer, Part, digests, files};
use super::assemble::params;
use super::assemble::source::Sources;
use super::lint::warning::{Fields, Warning, misspelled, warnings};
use super::machine::{Host, Runner, Shared, Source};
use super::playout::origin::{NamesOfSetup, PlayoutStart, RunOpening};
use super::questions::context::Context;
use super::questions::effects::Effect;
use super::sandbox::engine::{Trust, build, guarded};
use super::sandbox::limits::Limits;
use super::{campaign, lint, setup};
use crate::error::{Error, Location, ScriptError, ScriptFault, meant, nearest};
use crate::game::Value;
use crate::report::many;

/// A system's rules, compiled with its house rules and parameters. Belongs to one thread.
pub struct Rules {
    pub(super) runner: Runner,
    pub(super) compiled: Arc<CompiledRules>,
    /// The functions, for looking through, once somebody did.
    ast: OnceCell<AST>,
    pub(super) context: Rc<Context>,
    pub(super) start: RefCell<Option<PlayoutStart>>,
    pub(super) opening: RefCell<Option<RunOpening>>,
    pub(super) names_of_setup: NamesOfSetup,
    /// Who must have a utility, as far as is known.
    pub(super) players: RefCell<Option<BTreeSet<String>>>,
}

/// The number of the layer of a place; that of the rules, where it is in none of their files.
pub(super) fn layer_of(files: &[(usize, String)], at: &Location) -> usize {
    files.iter().find(|(_, path)| *path == at.file).map_or(0, |(layer, _)| *layer)
}

/// What is found out of rules when they are compiled: threads that play by the same rules share it.
pub(super) struct CompiledRules {
    /// What they were compiled from: the rules, and the house rules in the order they are laid.
    scripts: Vec<Layer>,
    params: IndexMap<String, Value>,
    program: Shared,
    pub(super) sources: Arc<Sources>,
    pub(super) whole_view: bool,
    /// The comments of each function, by where its body begins.
    pub(super) comments: HashMap<Position, String>,
    /// The name of each layer.
    layers: Vec<String>,
    pub(super) files: Vec<(usize, String)>,
    functions: Vec<RuleFunction>,
    /// Those of the contract that they define.
    defined: Vec<&'static str>,
    prose: Vec<String>,
    digests: IndexMap<String, String>,
    /// The names of all functions that they may call, to suggest one for an unknown name.
    names: BTreeSet<String>,
    fields: Fields,
}

/// What the host offers to rules: the same to all but those of campaigns, so that a thread collects it once.
fn host_functions(engine: &Engine, is_campaign: bool) -> Rc<BTreeSet<NameAndArity>> {
    thread_local! {
        static HOST: OnceCell<Rc<BTreeSet<NameAndArity>>> = const { OnceCell::new() };
    }
    let collect = || {
        // The state is a value of each too.
        let effects =
            Effect::ALL.map(|one| (one.name().to_owned(), usize::from(one.arguments()) + 1));
        Rc::new(lint::host_functions(engine).into_iter().chain(effects).collect())
    };
    if is_campaign { collect() } else { HOST.with(|host| host.get_or_init(collect).clone()) }
}

impl Rules {
    /// Compiles the rules with house rules laid over them in order, under checked parameters.
    ///
    /// # Errors
    /// [`Error::Script`] for syntax, dead overrides, unknown functions and parameters, missing
    /// functions of the contract, and sources past the limit.
    pub fn load(
        base: Layer,
        house: &[Layer],
        params: IndexMap<String, Value>,
        limits: Limits,
    ) -> Result<Rc<Rules>, Error> {
        let mut layers = vec![base];
        layers.extend(house.iter().cloned());
        let rules = guarded(|| Rules::compile(layers, params, limits))?;
        Ok(Rc::new(rules?))
    }

    fn compile(
        layers: Vec<Layer>,
        params: IndexMap<String, Value>,
        limits: Limits,
    ) -> Result<Rules, ScriptError> {
        let context = Context::new(limits);
        let mut engine = build(&context, Trust::Stranger);
        setup::register(&mut engine, &context);
        let scope = params::register(&mut engine, &params, &layers[0].imports);

        let mut sources = Sources::default();
        let Joined { ast, functions, prose, constants } =
            join(&mut engine, &context, &layers, &scope, &mut sources)?;
        let is_campaign = !layers[0].campaign.is_empty();
        if is_campaign {
            campaign::register(&mut engine, &context, &layers[0]);
        }
        let host = host_functions(&engine, is_campaign);
        check_contract(&functions, &sources, &layers[0])?;
        let mut fields = Fields::of(&ast);
        let uses = FunctionUses::of(&ast, |_| true);
        lint::check_calls(&ast, &uses, &host, &fields.written, &sources)?;
        lint::check_params(&ast, &constants, &sources)?;
        let files = files(&layers);
        lint::check_this(&uses, |at| layer_of(&files, at), "this", &sources)?;

        let imported = layers[0].imports.iter().flat_map(|import| import.params.keys());
        params.keys().chain(imported).for_each(|name| fields.declare(name));
        fields.declare_constants(&constants);
        let defined = |name: &&str| {
            functions.iter().any(|function| function.is_own && function.name == *name)
        };
        let defined = CONTRACT.iter().map(|(name, _)| *name).filter(defined).collect();
        let of_house = files.iter().filter(|(layer, _)| *layer > 0);
        sources.house = of_house.map(|(_, path)| path.clone()).collect();
        let sources = Arc::new(sources);
        let own = functions.iter().map(|function| &function.name);
        let names = host.iter().map(|(name, _)| name).chain(own).cloned().collect();
        let source = Source { ast: &ast, constants: &constants };
        let runner = Runner::new(&source, context.clone(), engine, sources.clone())?;
        let compiled = CompiledRules {
            program: runner.program().clone(),
            sources,
            whole_view: campaign::shows_all(&layers[0], &ast),
            comments: comments(&ast),
            digests: digests(&layers),
            files,
            defined,
            functions,
            prose,
            names,
            fields,
            params,
            layers: layers.iter().map(|layer| layer.name.clone()).collect(),
            scripts: layers,
        };
        Ok(Rules::of(runner, Arc::new(compiled), ast.into(), context))
    }

    /// Rules that were compiled before, for this thread.
    pub(super) fn sharing(compiled: Arc<CompiledRules>, limits: Limits) -> Rules {
        let context = Context::new(limits);
        let mut engine = build(&context, Trust::Stranger);
        setup::register(&mut engine, &context);
        let base = &compiled.scripts[0];
        params::register(&mut engine, &compiled.params, &base.imports);
        if !base.campaign.is_empty() {
            campaign::register(&mut engine, &context, base);
        }
        let host = Host::new(context.clone(), engine);
        let runner = Runner::sharing(&compiled.program, host, compiled.sources.clone());
        Rules::of(runner, compiled, OnceCell::new(), context)
    }

    fn of(
        runner: Runner,
        compiled: Arc<CompiledRules>,
        ast: OnceCell<AST>,
        context: Rc<Context>,
    ) -> Rules {
        Rules {
            runner,
            compiled,
            ast,
            context,
            start: RefCell::new(None),
            opening: RefCell::new(None),
            names_of_setup: RefCell::default(),
            players: RefCell::new(None),
        }
    }

    /// The functions, for looking through. What is shared has none, as the language's tree belongs to one thread.
    fn ast(&self) -> &AST {
        self.ast.get_or_init(|| {
            let CompiledRules { scripts, params, .. } = &*self.compiled;
            let limits = self.limits().unbudgeted();
            let again = || Rules::compile(scripts.clone(), params.clone(), limits);
            let again = guarded(again).ok().and_then(Result::ok);
            again.and_then(|rules| rules.ast.into_inner()).unwrap_or_default()
        })
    }

    /// The system's name.
    pub fn system(&self) -> &str {
        &self.compiled.layers[0]
    }

    /// Whether they define a function of the contract.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.compiled.defined.contains(&name)
    }

    pub(crate) fn is_campaign(&self) -> bool {
        !self.base().campaign.is_empty()
    }

    /// The rules below the house rules, as they were read.
    pub(super) fn base(&self) -> &Layer {
        &self.compiled.scripts[0]
    }

    /// The names of the house rules, in the order they are laid.
    pub fn house(&self) -> &[String] {
        &self.compiled.layers[1..]
    }

    /// What a playout may use.
    pub fn limits(&self) -> &Limits {
        self.context.meter.limits()
    }

    /// All parameters with their values.
    pub fn params(&self) -> &IndexMap<String, Value> {
        &self.compiled.params
    }

    /// All parameters as programs get them: in a campaign those of each conflict, by its name.
    pub(crate) fn params_by_conflict(&self) -> Cow<'_, IndexMap<String, Value>> {
        if !self.is_campaign() {
            return Cow::Borrowed(self.params());
        }
        let base = self.base();
        let of_conflict = |part: &Part| {
            let params = base.imports.get(part.import?)?.params.clone();
            Some((part.name.clone(), Value::Map(params)))
        };
        Cow::Owned(base.campaign.iter().filter_map(of_conflict).collect())
    }

    /// The functions in force, by name; closures are left out, those of imports, and the host's own.
    pub fn functions(&self) -> impl Iterator<Item = &RuleFunction> {
        let is_rule = |function: &&RuleFunction| {
            function.is_own && !self.compiled.sources.is_of_host(&function.name)
        };
        self.compiled.functions.iter().filter(is_rule)
    }

    /// The import that functions belong to by how they are printed: that of the first that is of a conflict.
    pub(crate) fn import_called<'n>(
        &self,
        mut functions: impl Iterator<Item = &'n str>,
    ) -> Option<&Import> {
        let imports = self.is_campaign().then_some(&self.base().imports)?;
        functions.find_map(|function| {
            let own = function.split(" of ").next().unwrap_or_default();
            imports.iter().find(|import| import.shown(own) == function)
        })
    }

    /// The house rule that a layer of an import is, or of the rules themselves.
    pub(crate) fn house_of<'r>(
        &'r self,
        import: Option<&'r Import>,
        layer: usize,
    ) -> Option<&'r str> {
        let number = layer.checked_sub(1)?;
        match import {
            Some(import) => import.house.get(number).map(|house| &house.name[..]),
            None => self.house().get(number).map(|name| &name[..]),
        }
    }

    /// The `//!` lines of a layer: 0 the rules, then the house rules in order.
    pub fn prose(&self, layer: usize) -> &str {
        self.compiled.prose.get(layer).map_or("", String::as_str)
    }

    /// Each script file's name and SHA-256 digest, in order.
    pub(crate) fn digests(&self) -> &IndexMap<String, String> {
        &self.compiled.digests
    }

    /// The functions and constants of all layers as they are written in their files, overridden ones too.
    pub fn definitions(&self) -> Vec<Definition> {
        let of = |(layer, path): &(usize, String)| {
            definitions(path, self.source(path).unwrap_or_default(), *layer)
        };
        self.compiled.files.iter().flat_map(of).collect()
    }

    /// The comment on a place in a function: the nearest one above it in the body that names a
    /// clause, else the one above the function.
    pub(crate) fn comment_at(&self, definition: &Definition, line: usize) -> String {
        let text = self.source(&definition.at.file).unwrap_or_default();
        let within = clause_above(text, definition.at.line, line);
        within.unwrap_or_else(|| definition.comments.clone())
    }

    /// The text of a script file, by its path.
    pub fn source(&self, path: &str) -> Option<&str> {
        self.compiled.sources.text(path)
    }

    /// What is odd about the rules: fields that nothing writes or nothing reads, what has no effect, and functions that are
    /// likely misspelled. The keys of these setups count as written.
    pub fn warnings<'a>(&self, setups: impl IntoIterator<Item = &'a Value>) -> Vec<Warning> {
        let mut fields = self.compiled.fields.clone();
        setups.into_iter().for_each(|setup| fields.declare_all(setup));
        let mut warnings = warnings(self.ast(), &fields, &self.compiled.sources);
        let functions: Vec<&RuleFunction> = self.functions().collect();
        warnings.extend(misspelled(self.ast(), &functions));
        warnings
    }

    /// The names of fields that the rules bring or write: their views may have them.
    pub fn fields(&self) -> &Fields {
        &self.compiled.fields
    }

    /// Adds the nearest name to a mistake that names something unknown.
    pub(super) fn suggest(&self, mut error: ScriptError) -> ScriptError {
        let (known, word) = match &error.fault {
            ScriptFault::UnknownFunction(call) => (&self.compiled.names, &call.name),
            ScriptFault::UnknownField(name) => (&self.compiled.fields.written, name),
            _ => return error,
        };
        // A name that is there was not misspelled: its arguments are wrong.
        if !known.contains(word) {
            error.nearest = nearest(word, known.iter().map(String::as_str));
        }
        error
    }
}

/// The three functions without which nothing can be played.
const NEEDED: [&str; 3] = ["setup", "step", "outcome"];

/// How many parameters a function has, in words.
pub(crate) fn parameters(count: usize) -> String {
    match count {
        0 => "no parameters".to_owned(),
        count => many(count as u64, "parameter"),
    }
}

fn check_contract(
    functions: &[RuleFunction],
    sources: &Sources,
    base: &Layer,
) -> Result<(), ScriptError> {
    for (name, arity) in CONTRACT.iter().filter(|(name, _)| *name != "params") {
        let named = functions.iter().filter(|function| function.is_own && function.name == *name);
        let mut named = named.peekable();
        let needed = NEEDED.contains(name);
        if named.peek().is_none() && !needed {
            continue;
        }
        if named.clone().any(|function| function.params.len() == *arity) {
            continue;
        }
        let (why, at) = match named.next() {
            Some(function) => {
                (format!("has {}", parameters(function.params.len())), function.at.clone())
            }
            None => {
                let file = base.files.first().map(|(path, _)| path.clone()).unwrap_or_default();
                let others = functions.iter().map(|function| &function.name);
                let others = others.filter(|name| CONTRACT.iter().all(|(known, _)| known != name));
                (format!("is not there{}", meant(name, others)), Some(Location::top(file)))
            }
        };
        let fault = ScriptFault::Undefined(format!(
            "rules must define `{name}` with {}; it {why}",
            parameters(*arity)
        ));
        let mut error = ScriptError { at, ..ScriptError::new(fault) };
        super::diagnostics::point(&mut error, sources);
        return Err(error);
    }
    Ok(())
}
