//! Scripted agents: `fn decide(view, decision)`, pure, within its own limits.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigUint;
use rhai::{AST, Module, Position};

use super::assemble::blueprint::{BesideEach, Blueprint, CompiledAgent};
use super::assemble::definition::definitions;
use super::assemble::function_uses::FunctionUses;
use super::assemble::house_params::house_params;
use super::assemble::imports::{OPEN, called_of, resolved, wanted};
use super::assemble::join::{RuleFunction, join};
use super::assemble::layers::{Import, Layer};
use super::assemble::params;
use super::assemble::source::Sources;
use super::campaign;
use super::diagnostics::contract;
use super::lint;
use super::lint::warning::{Fields, Warning, warnings};
use super::machine::{self, Host, Map, Runner, Source, from_plain, plain};
use super::questions::context::Context;
use super::sandbox::engine::{Trust, build, guarded};
use super::sandbox::limits::Limits;
use crate::error::{AgentFault, Error, Location, ScriptError, ScriptFault, meant, nearest};
use crate::game::{Decision, Value};

/// A way to play, as a script.
pub struct AgentScript {
    runner: Runner,
    compiled: Arc<CompiledAgent>,
    /// Its functions, for looking through, once somebody did.
    ast: OnceCell<AST>,
    context: Rc<Context>,
    operations: Cell<u64>,
    /// The same agent beside other rules, with the conflicts of the campaign that are played by these.
    others: Vec<(Vec<usize>, AgentScript)>,
}

/// What an agent answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Pick {
    /// This option.
    Option(Value),
    /// One of these, by weight.
    Weighted(Vec<(Value, BigUint)>),
}

impl AgentScript {
    /// Compiles an agent. `params` are its own, by name, laid over those its `fn params()` gives; `rules` are
    /// those that it plays by, whose functions it may call.
    ///
    /// # Errors
    /// [`Error::Script`] for syntax, unknown functions, functions of the rules that ask, and a script without
    /// `decide(view, decision)`.
    pub fn load(
        script: &Layer,
        params: &IndexMap<String, Value>,
        rules: Option<&Blueprint>,
        limits: Limits,
    ) -> Result<AgentScript, Error> {
        guarded(|| AgentScript::compile(script, params, rules, limits))?
    }

    fn compile(
        script: &Layer,
        changed: &IndexMap<String, Value>,
        rules: Option<&Blueprint>,
        limits: Limits,
    ) -> Result<AgentScript, Error> {
        let known = rules.and_then(|rules| rules.agents().known(script, changed));
        if let Some(known) = known {
            return Ok(AgentScript::sharing(known, &limits));
        }
        let called = rules.map_or(Ok(Vec::new()), |rules| rules_called(script, rules))?;
        let mut called = called.into_iter();
        let imports = called.next().map_or_else(Vec::new, |first| first.imports);
        let mut compiled = AgentScript::beside(script, changed, imports, limits.clone());
        if let Ok(first) = &mut compiled {
            for CalledRules { conflicts, imports } in called {
                let other = AgentScript::beside(script, changed, imports, limits.clone())?;
                first.others.push((conflicts, other));
            }
            if let Some(rules) = rules {
                rules.agents().add(first.shared());
            }
        }
        let (Err(Error::Script(error)), Some(rules)) = (&compiled, rules) else { return compiled };
        if !matches!(error.fault, ScriptFault::UnknownFunction(_)) {
            return compiled;
        }
        // What it calls may be a function of the rules under another name.
        let nearer = played(rules).into_iter().find_map(|import| {
            let imports = opened(import, rules).ok()?;
            let nearer = AgentScript::beside(script, changed, imports, limits.clone()).err()?;
            (nearer.to_string() != error.to_string()).then_some(nearer)
        });
        nearer.map_or(compiled, Err)
    }

    /// What other threads need of it.
    fn shared(&self) -> BesideEach {
        let others =
            self.others.iter().map(|(played, other)| (played.clone(), other.compiled.clone()));
        BesideEach { first: self.compiled.clone(), others: others.collect() }
    }

    /// An agent that was compiled before, for this thread.
    fn sharing(known: BesideEach, limits: &Limits) -> AgentScript {
        let share = |compiled: Arc<CompiledAgent>| {
            let context = Context::new(limits.clone());
            let mut engine = build(&context, Trust::Stranger);
            params::register(&mut engine, &compiled.params, &compiled.script.imports);
            let host = Host::new(context.clone(), engine);
            let runner = Runner::sharing(&compiled.program, host, compiled.sources.clone());
            AgentScript::of(runner, compiled, OnceCell::new(), context)
        };
        let BesideEach { first, others } = known;
        let others = others.into_iter().map(|(conflicts, other)| (conflicts, share(other)));
        AgentScript { others: others.collect(), ..share(first) }
    }

    fn of(
        runner: Runner,
        compiled: Arc<CompiledAgent>,
        ast: OnceCell<AST>,
        context: Rc<Context>,
    ) -> AgentScript {
        AgentScript { runner, compiled, ast, context, operations: Cell::new(0), others: Vec::new() }
    }

    /// Compiles an agent that calls functions of these rules.
    fn beside(
        script: &Layer,
        changed: &IndexMap<String, Value>,
        imports: Vec<Import>,
        limits: Limits,
    ) -> Result<AgentScript, Error> {
        let script = Layer { imports, ..script.clone() };
        let params = own_params(&script, changed)?;
        let context = Context::new(limits);
        let mut engine = build(&context, Trust::Stranger);
        let scope = params::register(&mut engine, &params, &script.imports);
        let mut sources = Sources::default();
        let layers = std::slice::from_ref(&script);
        let joined = join(&mut engine, &context, layers, &scope, &mut sources)?;
        let mut host = lint::host_functions(&engine);
        let is_own = |at: Position| {
            let at = sources.locate(at);
            at.is_some_and(|at| script.files.iter().any(|(path, _)| *path == at.file))
        };
        let mut own = Module::new();
        for (_, _, name, arity, definition) in joined.ast.shared_lib().iter_script_fn_info() {
            if is_own(definition.body.start_position()) {
                own.set_script_fn((**definition).clone());
            } else {
                host.insert((name.to_owned(), arity));
            }
        }
        let own = AST::new_from_module(own);
        let decide = |f: &&RuleFunction| f.name == "decide" && f.params.len() == 2;
        let Some(decide) = joined.functions.iter().find(decide) else {
            let file = script.files.first().map(|(path, _)| path.clone()).unwrap_or_default();
            let others = joined.functions.iter().map(|f| &f.name).filter(|name| *name != "decide");
            let meant = meant("decide", others);
            let fault = ScriptFault::Undefined(format!(
                "an agent must define `decide(view, decision)`{meant}"
            ));
            let at = Some(Location::top(file));
            return Err(ScriptError { at, ..ScriptError::new(fault) }.into());
        };
        let mut fields = Fields::of(&joined.ast);
        // What `decide` gets.
        ["player", "name", "options"].into_iter().for_each(|name| fields.declare(name));
        params.keys().for_each(|name| fields.declare(name));
        fields.declare_constants(&joined.constants);
        let own_uses = FunctionUses::of(&own, |_| true);
        let has = |name: &str| joined.functions.iter().any(|function| function.name == name);
        lint::check_calls(&own, &own_uses, &host, &fields.written, &sources)
            .map_err(|error| lint::without_effects(error, has))?;
        lint::check_params(&own, &joined.constants, &sources)?;
        let uses = FunctionUses::of(&joined.ast, |_| true);
        lint::check_asking(&uses, &is_own, &sources)?;
        lint::check_decide(&uses, &sources)?;
        lint::check_this(&uses, |_| 0, "view", &sources)?;
        let sources = Arc::new(sources);
        let source = Source { ast: &joined.ast, constants: &joined.constants };
        let runner = Runner::new(&source, context.clone(), engine, sources.clone())?;
        let compiled = Arc::new(CompiledAgent {
            program: runner.program().clone(),
            sources,
            fields,
            decides_at: decide.at.clone(),
            changed: changed.clone(),
            params,
            script,
        });
        Ok(AgentScript::of(runner, compiled, own.into(), context))
    }

    /// The agent's name.
    pub fn name(&self) -> &str {
        &self.compiled.script.name
    }

    /// Fields that are read and that neither the script nor what it looks at has, or that are written
    /// under a misspelled name; and what has no effect. `seen` are the fields of the rules' views.
    pub fn warnings(&self, seen: &Fields) -> Vec<Warning> {
        let CompiledAgent { script, changed, sources, fields, .. } = &*self.compiled;
        let mut fields = fields.clone();
        fields.join(seen);
        // What is shared has no tree of the language, which belongs to one thread.
        let ast = self.ast.get_or_init(|| {
            let limits = self.context.meter.limits().unbudgeted();
            let imports = script.imports.clone();
            let again = guarded(|| AgentScript::beside(script, changed, imports, limits));
            let again = again.ok().and_then(Result::ok);
            again.and_then(|agent| agent.ast.into_inner()).unwrap_or_default()
        });
        warnings(ast, &fields, sources)
    }

    /// What the agent picks, seeing only the player's view and the options.
    pub fn pick(&self, decision: &Decision<'_>) -> Result<Pick, Error> {
        let view = decision.scene.held_view(decision.player)?;
        // What rules hold agents share, so that nothing is copied.
        let view = view.downcast::<machine::Value>().or_else(|view| {
            let view = view.downcast::<Value>();
            view.map(|view| Box::new(from_plain(&view, &self.runner.program().texts)))
        });
        let view = *view.unwrap_or_default();
        let beside = self.beside_what_is_on(&view);
        let picked = guarded(|| beside.decide(view, decision))?;
        self.operations.set(beside.operations.get());
        picked.map_err(|error| beside.blame(beside.suggested(error, decision)))
    }

    /// With the nearest field where one was read that there is not: of those that the player sees, and of its own.
    fn suggested(&self, mut error: Error, decision: &Decision<'_>) -> Error {
        if let Error::Script(script) = &mut error
            && let ScriptFault::UnknownField(name) = &script.fault
            && let Ok(view) = decision.scene.view(decision.player)
        {
            let mut fields = self.compiled.fields.clone();
            fields.declare_all(&view);
            if !fields.written.contains(name) {
                script.nearest = nearest(name, &fields.written);
            }
        }
        error
    }

    /// The agent beside the rules of the conflict that is on, as the view of a campaign says.
    fn beside_what_is_on(&self, view: &machine::Value) -> &AgentScript {
        let on = if self.others.is_empty() { None } else { campaign::on(view) };
        let is_on = |conflicts: &[usize]| on.is_some_and(|on| conflicts.contains(&on));
        let other = self.others.iter().find(|(conflicts, _)| is_on(conflicts));
        other.map_or(self, |(_, other)| other)
    }

    fn decide(&self, view: machine::Value, decision: &Decision<'_>) -> Result<Pick, Error> {
        let texts = &self.runner.program().texts;
        let options = match decision.options.held().and_then(|held| held.downcast_ref()) {
            Some(options) => machine::Value::List(Arc::clone(options)),
            None => from_plain(&Value::List(decision.options.values()), texts),
        };
        let question: Map = [
            ("player", machine::Value::text(decision.player)),
            ("name", machine::Value::text(decision.name)),
            ("options", options),
        ]
        .into_iter()
        .map(|(key, value)| (texts.find(key), value))
        .collect();
        self.context.meter.start(self.context.meter.limits().leg);
        let arguments = [view, machine::Value::map(question)];
        let nobody = machine::Value::Unbound;
        let called = self.runner.call("decide", "an agent", nobody, &arguments);
        self.operations.set(self.context.meter.spent());
        let answer = called?.value;
        if let machine::Value::Distribution(made) = &answer {
            let pairs = made.values().iter().cloned().zip(made.weights().iter().cloned());
            return Ok(Pick::Weighted(pairs.collect()));
        }
        let picked = plain(&answer, "the answer");
        picked.map(Pick::Option).map_err(|message| contract("decide", message))
    }

    /// The operations of its last pick.
    pub fn operations(&self) -> u64 {
        self.operations.get()
    }

    fn blame(&self, error: Error) -> Error {
        match error {
            Error::Script(script) => {
                let files = &self.compiled.script.files;
                let own = |at: &Location| files.iter().any(|(path, _)| *path == at.file);
                // What fails in the rules fails where the agent called them.
                let called = script.at.as_ref().filter(|at| !own(at)).and_then(|at| {
                    let mut calls = script.trace.iter();
                    let call = calls.find(|call| call.at.as_ref().is_some_and(own))?;
                    Some((at, call))
                });
                let (message, at) = match called {
                    Some((at, call)) => (
                        format!("{script}; in `{}` of the rules ({at})", call.function),
                        call.at.clone(),
                    ),
                    None => (script.to_string(), script.at.clone()),
                };
                let fault = match script.fault.is_of_the_machine() {
                    true => AgentFault::Machine,
                    false => AgentFault::Own,
                };
                let error = Error::agent(self.name(), fault, message);
                error.placed(|| at.or_else(|| self.decides_at()))
            }
            other => other,
        }
    }

    pub(crate) fn decides_at(&self) -> Option<Location> {
        self.compiled.decides_at.clone()
    }
}

struct CalledRules {
    /// The numbers of the campaign's conflicts that are played by them.
    conflicts: Vec<usize>,
    imports: Vec<Import>,
}

/// The rules as an agent imports them, where it calls one of their functions: once for each way in which a campaign
/// plays their system.
fn rules_called(script: &Layer, rules: &Blueprint) -> Result<Vec<CalledRules>, Error> {
    let called = |import: &Import| {
        let files = import.layers().flat_map(|layer| &layer.files);
        let all = files.flat_map(|(path, text)| definitions(path, text, 0));
        let functions =
            all.filter(|known| !known.constant).map(|f| (f.name, f.parameters.len())).collect();
        script.files.iter().find_map(|(_, text)| called_of(text, &functions))
    };
    let played = played(rules);
    let mut systems = IndexMap::new();
    for import in &played {
        if let Some(name) = called(import) {
            systems.entry(import.layer.name.as_str()).or_insert(name);
        }
    }
    let mut systems = systems.into_iter();
    let Some((system, name)) = systems.next() else { return Ok(Vec::new()) };
    if let Some((other, another)) = systems.next() {
        let agent = &script.name;
        let (calls, define) = if name == another {
            let both = format!(
                "calls `{name}` of the rules, and the campaign plays both `{system}` and `{other}`, so that it \
                 is not known which is meant"
            );
            (both, format!("`{name}`"))
        } else {
            let each = format!(
                "calls `{name}` of `{system}` and `{another}` of `{other}`, and in a campaign it can call those \
                 of one system"
            );
            (each, "one of them".to_owned())
        };
        return Err(Error::usage(format!(
            "agent `{agent}` {calls}: define {define} in the agent, or play the conflicts one by one"
        )));
    }
    let ways = played.iter().enumerate().filter(|(_, import)| import.layer.name == system);
    let way = |(number, import): (usize, &Import)| {
        let parts = rules.base().campaign.iter().enumerate();
        let of_import = parts.filter(|(_, part)| part.import == Some(number));
        let conflicts = of_import.map(|(on, _)| on).collect();
        Ok(CalledRules { conflicts, imports: opened(import.clone(), rules)? })
    };
    ways.map(way).collect()
}

/// The rules that are played: of a campaign those of all its conflicts.
fn played(rules: &Blueprint) -> Vec<Import> {
    match rules.base().campaign.is_empty() {
        false => rules.base().imports.clone(),
        true => vec![Import {
            name: OPEN.to_owned(),
            layer: Layer { imports: Vec::new(), ..rules.base().clone() },
            house: rules.house().to_vec(),
            params: rules.params().clone(),
            conflicts: None,
        }],
    }
}

/// An import of the rules whose functions are called by their bare names, after what the rules import.
fn opened(mut import: Import, rules: &Blueprint) -> Result<Vec<Import>, Error> {
    import.name = OPEN.to_owned();
    let of_campaign = !rules.base().campaign.is_empty();
    let others = if of_campaign { &[][..] } else { &rules.base().imports[..] };
    for (path, text) in &mut import.layer.files {
        *text = resolved(text, &wanted(path, text)?, others);
    }
    Ok(others.iter().cloned().chain([import]).collect())
}

/// The agent's parameters: those of its `fn params()`, with those given laid over them.
fn own_params(
    script: &Layer,
    changed: &IndexMap<String, Value>,
) -> Result<IndexMap<String, Value>, Error> {
    let own = house_params(script)?.into_iter().map(|(name, value, _)| (name, value));
    let mut params: IndexMap<String, Value> = own.collect();
    for (name, value) in changed {
        let Some(default) = params.get_mut(name) else {
            return Err(Error::unknown_of("agent parameter", name, params.keys()));
        };
        let Some(value) = of_kind(default, value) else {
            return Err(Error::Parameter {
                name: name.clone(),
                message: format!(
                    "must be {} as agent `{}` has it, got {}",
                    default.kind(),
                    script.name,
                    value.literal()
                ),
                nearest: None,
                at: None,
            });
        };
        *default = value;
    }
    Ok(params)
}

fn of_kind(default: &Value, value: &Value) -> Option<Value> {
    match (default, value) {
        (Value::Float(_), Value::Int(number)) => Some(Value::Float(*number as f64)),
        (default, value) => (default.kind() == value.kind()).then(|| value.clone()),
    }
}
