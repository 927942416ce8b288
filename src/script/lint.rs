//! Finds calls of functions, and reads of fields, that exist nowhere, before a script runs.

pub(super) mod dead_override;
pub(super) mod oddities;
pub(super) mod warning;

use std::collections::BTreeSet;

use rhai::{
    AST, ASTNode, BinaryExpr, Dynamic, Engine, Expr, OpAssignment, Position, Scope, ScriptFuncDef,
    Stmt,
};

use self::oddities::{Oddity, first, first_unknown, last, property};
use super::assemble::function_uses::{CallSite, FunctionUses, NameAndArity};
use super::assemble::imports::{is_open, shown};
use super::assemble::params::{NAME, Params};
use super::assemble::replace_tokens::BELOW;
use super::assemble::source::Sources;
use super::diagnostics::{call_errors, place};
use super::questions::effects::Effect;
use crate::error::{Location, ScriptError, ScriptFault, UnknownFunction, hint, nearest};
use crate::report::many;

/// Words that look like functions and are part of the language.
const LANGUAGE: [&str; 9] =
    ["type_of", "is_def_var", "is_def_fn", "is_shared", "call", "curry", "print", "tag", "set_tag"];

/// The functions an engine offers, by name and number of parameters.
pub(super) fn host_functions(engine: &Engine) -> BTreeSet<NameAndArity> {
    let read =
        |info: rhai::FuncInfo| Some((info.metadata.name.to_string(), info.metadata.num_params));
    engine.collect_fn_metadata(None, read, true).into_iter().collect()
}

/// Refuses the first call, in the order of the text, of a function that does not exist. `fields`
/// are the names that something writes, closures perhaps.
pub(super) fn check_calls(
    ast: &AST,
    uses: &FunctionUses,
    host: &BTreeSet<NameAndArity>,
    fields: &BTreeSet<String>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let is_unknown = |call: &&CallSite| {
        let (name, count) = &call.key;
        let plain_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        // What an agent calls of the rules was found there.
        let is_of_language = !plain_name || call.operator || LANGUAGE.contains(&name.as_str());
        // A method may be a field that holds a closure: that is left to the run.
        let is_field = call.method && fields.contains(name);
        let of_host = || host.contains(&(name.clone(), count + usize::from(call.method)));
        !(is_of_language || is_open(name) || is_field || uses.has(&call.key) || of_host())
    };
    let unknown = uses.calls().map(|(_, call)| call).filter(is_unknown);
    let Some(call) = unknown.min_by_key(|call| call.at) else { return Ok(()) };
    let mut error = unknown_function(call, &own_forms(ast), host);
    let name = &call.key.0;
    let plain = sources.written_name(name);
    if let (true, ScriptFault::UnknownFunction(call)) = (plain != *name, &mut error.fault) {
        call.message = call.message.replace(name, &plain);
        call.name = plain;
    }
    error.nearest = error.nearest.map(|near| sources.written_name(&near));
    Err(place(error, call.at, sources))
}

/// Refuses a call without `this` of a function that uses it, at the line of whoever wrote the later of the two;
/// `layer` is the layer of a place, and `on` what calls are to be written on.
pub(super) fn check_this(
    uses: &FunctionUses,
    layer: impl Fn(&Location) -> usize,
    on: &str,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let bare = uses.calls().filter(|(_, call)| !call.method);
    let wrong = bare.filter_map(|(_, call)| Some((call, uses.this_in(&call.key)?)));
    let Some((call, used)) = wrong.min_by_key(|(call, _)| call.at) else { return Ok(()) };
    let name = sources.written_name(&call.key.0);
    let arguments = if call.key.1 == 0 { "" } else { "…" };
    let layer_of = |at: Position| sources.locate(at).map_or(0, |at| layer(&at));
    let (message, at) = if call.key.0.contains(BELOW) {
        let write = format!("`{on}.super({arguments})`");
        (
            format!("the `{name}` below uses `this`, which it has only if it is called as {write}"),
            call.at,
        )
    } else if layer_of(used) > layer_of(call.at) {
        let caller = sources.locate(call.at).map(|at| format!(" in {at}")).unwrap_or_default();
        let how = "write it from its arguments, or override the function that calls it";
        (format!("`{name}` has no `this` here, as it is called without one{caller}: {how}"), used)
    } else {
        (format!("`{name}` uses `this`: write `{on}.{name}({arguments})`"), call.at)
    };
    Err(place(ScriptError::new(ScriptFault::Failed(message)), at, sources))
}

/// What is wrong with `this` in an agent's `decide`, which is called on nothing.
pub(super) fn check_decide(uses: &FunctionUses, sources: &Sources) -> Result<(), ScriptError> {
    let Some(used) = uses.this_in(&("decide".to_owned(), 2)) else { return Ok(()) };
    let why =
        "an agent has no `this`: what it sees is `view`, and it keeps nothing between decisions";
    Err(place(ScriptError::new(ScriptFault::Failed(why.to_owned())), used, sources))
}

/// The error of an unknown function in an agent that has none of this name: what asks, rolls or announces is there for
/// rules alone.
pub(super) fn without_effects(mut error: ScriptError, has: impl Fn(&str) -> bool) -> ScriptError {
    if let ScriptFault::UnknownFunction(UnknownFunction { name, .. }) = &error.fault
        && Effect::ALL.iter().any(|effect| effect.name() == name)
        && !has(name)
    {
        let message = format!("an agent can neither ask, roll nor announce: `{name}` is for rules");
        error.fault = ScriptFault::Failed(message);
    }
    error
}

/// Refuses a call in an agent of a function of the rules that leads to a question. `own` are the agent's functions.
pub(super) fn check_asking(
    uses: &FunctionUses,
    own: &impl Fn(Position) -> bool,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let asks = |call: &CallSite| {
        let beside = call.key.1.checked_sub(usize::from(!call.method));
        let effect = beside.and_then(|count| Effect::find(&call.key.0, count));
        // What an agent announces nobody hears.
        effect.is_some_and(|effect| !matches!(effect, Effect::Emit | Effect::EmitEach))
    };
    let mut calls: Vec<_> =
        uses.calls().filter(|(_, call)| own(call.at) && is_open(&call.key.0)).collect();
    calls.sort_by_key(|(_, call)| call.at);
    for (_, call) in calls {
        if let Some((way, question)) = uses.reaches(&call.key, &asks)
            && !own(question.at)
        {
            let name = sources.written_name(&call.key.0);
            let by =
                way.iter().skip(1).map(|(name, _)| format!("`{}`", sources.written_name(name)));
            let by = by.collect::<Vec<_>>().join(", ");
            let by = if by.is_empty() { by } else { format!(" by way of {by}") };
            let message = format!(
                "agents cannot call `{name}` of the rules, which leads to `{}`{by}: call what only looks",
                question.key.0
            );
            let error = ScriptError::new(ScriptFault::Failed(message));
            return Err(place(error, call.at, sources));
        }
    }
    Ok(())
}

fn unknown_function(
    CallSite { key: (name, count), method, .. }: &CallSite,
    own: &[(String, String)],
    host: &BTreeSet<NameAndArity>,
) -> ScriptError {
    let fault = |name: &str, message, forms| {
        let call = UnknownFunction { name: name.to_owned(), message, forms };
        ScriptError::new(ScriptFault::UnknownFunction(call))
    };
    if let Some((function, _)) = name.split_once(BELOW) {
        let message = format!("`super`: no function `{function}` with {count} parameters is below");
        return fault("super", message, String::new());
    }
    let own_forms = own.iter().filter(|(known, _)| known == name).map(|(_, form)| form.clone());
    let mut forms: Vec<String> = own_forms.collect();
    // What such a function is called on is one of its arguments, as its forms have it.
    let named = |known: &str| shown(known, &[]) == *name;
    let of_rules = host.iter().any(|(known, _)| is_open(known) && named(known));
    let on_value = *method && forms.is_empty() && !call_errors::takes_receiver(name) && !of_rules;
    forms.extend_from_slice(call_errors::forms(name));
    let arities: BTreeSet<usize> =
        host.iter().filter(|(known, _)| named(known)).map(|(_, arity)| *arity).collect();
    let is_bare = !method && forms.first().is_some_and(|form| form.starts_with("this."));
    if !forms.is_empty() || !arities.is_empty() {
        let forms = match &forms[..] {
            [] => {
                let arities: Vec<String> = arities.iter().map(usize::to_string).collect();
                format!("; it takes {}", arities.join(" or "))
            }
            forms => call_errors::there_is(forms),
        };
        let count = count + usize::from(on_value);
        let arguments = many(count as u64, "argument");
        let among = if on_value { ", the value before the dot among them" } else { "" };
        let message = match is_bare {
            true => format!("`{name}` is called without `this`"),
            false => format!("`{name}` is called with {arguments}{among}"),
        };
        return fault(name, message, forms);
    }
    let known = own.iter().map(|(name, _)| name).chain(host.iter().map(|(name, _)| name));
    let known = known.filter(|known| !known.contains('$') && !known.contains(BELOW));
    let known: Vec<String> = known.map(|known| shown(known, &[])).collect();
    let nearest = nearest(name, known.iter().map(String::as_str).chain(["super"]));
    let message = format!("there is no function `{name}`");
    ScriptError { nearest, ..fault(name, message, String::new()) }
}

/// The scripts' own functions: each name with a form.
fn own_forms(ast: &AST) -> Vec<(String, String)> {
    let library = ast.shared_lib();
    let functions = library.iter_script_fn_info();
    let form = |definition: &ScriptFuncDef| {
        let params: Vec<&str> = definition.params.iter().map(|param| param.as_str()).collect();
        format!("{}({})", definition.name, params.join(", "))
    };
    let mut forms: Vec<(String, String)> =
        functions.map(|(_, _, name, _, f)| (name.to_owned(), form(f))).collect();
    forms.sort();
    forms
}

/// The fields that scripts read and that nothing known has, each at its first use.
fn unknown_fields(ast: &AST, known: &BTreeSet<String>) -> Vec<Oddity> {
    let mut read = Vec::new();
    ast.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Expr(expr)) = path.last() {
            read.extend(property(expr));
        }
        true
    });
    let odd = |(name, position): (String, Position)| {
        let near = hint(&nearest(&name, known.iter().map(String::as_str)));
        Oddity { message: format!("nothing here writes the field `{name}`{near}"), position }
    };
    first_unknown(read, known).map(odd).collect()
}

/// The fields that a literal or a quoted word brings, and those of the host's values; then those that an assignment
/// writes.
fn fields(ast: &AST) -> [BTreeSet<String>; 2] {
    let mut declared: BTreeSet<String> = HOST_FIELDS.iter().map(|&name| name.to_owned()).collect();
    let mut assigned = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::Map(map, _))) => {
                declared.extend(map.0.iter().map(|(key, _)| key.name.to_string()));
                declared.extend(map.1.keys().map(ToString::to_string));
            }
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                declared.insert(text.to_string());
            }
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => keys_of(value, &mut declared),
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) if !needs_value(assignment) => {
                assigned.extend(property(last(&assignment.1.lhs)).map(|(name, _)| name));
            }
            _ => {}
        }
        true
    });
    [declared, assigned]
}

/// Whether an assignment works only where there is a value already: one as `-= 1` or `+= 1`, as a text can be added to
/// nothing.
fn needs_value((operator, sides): &(OpAssignment, BinaryExpr)) -> bool {
    let is_number = matches!(sides.rhs, Expr::IntegerConstant(..) | Expr::FloatConstant(..));
    let symbol = operator.get_op_assignment_info().map(|(.., symbol)| symbol);
    symbol.is_some_and(|symbol| symbol != "+" || is_number)
}

/// Properties of Rhai's own values, and of what primitives return.
const HOST_FIELDS: [&str; 9] = [
    "len",
    "is_empty",
    "start",
    "end",
    "is_inclusive",
    "is_exclusive",
    // `apply_stress`
    "options",
    "taken",
    "rest",
];

/// Refuses the first `params.name` whose name is no parameter.
pub(super) fn check_params(
    ast: &AST,
    constants: &Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let Some(params) = Params::named(NAME, constants) else { return Ok(()) };
    let mut read = Vec::new();
    ast.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Expr(Expr::Dot(chain, ..))) = path.last()
            && is_params(&chain.lhs)
        {
            read.extend(property(first(&chain.rhs)));
        }
        true
    });
    let unknown = read.into_iter().filter(|(name, _)| !params.has(name));
    let Some((name, position)) = unknown.min_by_key(|(_, at)| *at) else { return Ok(()) };
    let fault = ScriptFault::Failed(format!("there is no parameter `{name}`"));
    let error = ScriptError { nearest: params.nearest(&name), ..ScriptError::new(fault) };
    Err(place(error, position, sources))
}

fn is_params(expression: &Expr) -> bool {
    match expression {
        Expr::Variable(variable, ..) => variable.1.as_str() == NAME,
        Expr::DynamicConstant(value, _) => value.is::<Params>(),
        _ => false,
    }
}

/// All keys in a constant, however deep.
pub(super) fn keys_of(value: &Dynamic, keys: &mut BTreeSet<String>) {
    if let Some(map) = value.read_lock::<rhai::Map>() {
        for (key, item) in map.iter() {
            keys.insert(key.to_string());
            keys_of(item, keys);
        }
    } else if let Some(items) = value.read_lock::<rhai::Array>() {
        items.iter().for_each(|item| keys_of(item, keys));
    } else if let Ok(text) = value.as_immutable_string_ref() {
        keys.insert(text.to_string());
    }
}
