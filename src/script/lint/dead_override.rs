//! Finds what has no effect in a house rule: functions and constants that override nothing and are
//! not used, often because they are misspelled.

use std::collections::BTreeSet;

use rhai::{Position, Token};

use crate::error::{Location, ScriptError, ScriptFault, nearest};
use crate::script::assemble::constants::FirstReading;
use crate::script::assemble::function_uses::{CLOSURE, NameAndArity, calls_in};
use crate::script::assemble::layers::{CONTRACT, DefinedFunctions};
use crate::script::assemble::replace_tokens::word;
use crate::script::assemble::source::{Sources, TextSide};
use crate::script::diagnostics::place;

pub(in crate::script) struct House<'a> {
    /// The number of its layer.
    pub layer: usize,
    /// What people call it.
    pub name: &'a str,
    /// The files of all layers: the number of the layer, and of the file.
    pub files: &'a [(usize, usize)],
    /// The tokens and constants of the files.
    pub read: &'a FirstReading,
}

impl House<'_> {
    /// Refuses the first part of a house rule that is dead, and a house rule without any part.
    /// `own` are its functions, `lower` those below.
    pub(in crate::script) fn refuse_dead(
        &self,
        own: &DefinedFunctions,
        lower: &DefinedFunctions,
        sources: &Sources,
    ) -> Result<(), ScriptError> {
        let dead = self.dead_function(own, lower, sources).or_else(|| self.dead_constant());
        if let Some((error, at)) = dead {
            return Err(place(error, at, sources));
        }
        if own.is_empty() && self.constants().next().is_none() {
            let error = self.error("changes nothing: it has no function and no constant".into());
            let file = self.own_files().next().map(|file| sources.path(file).to_owned());
            let at = file.map(Location::top);
            return Err(ScriptError { at, ..error });
        }
        Ok(())
    }

    /// A function must override one below, be one of the contract, or be called.
    fn dead_function(
        &self,
        own: &DefinedFunctions,
        lower: &DefinedFunctions,
        sources: &Sources,
    ) -> Option<(ScriptError, Position)> {
        let calls = own.values().flat_map(|(definition, _)| calls_in(definition));
        let called: BTreeSet<NameAndArity> = calls.map(|call| call.key).collect();
        let alive = |name: &str, arity: usize| {
            lower.contains_key(&(name.to_owned(), arity))
                || CONTRACT.contains(&(name, arity))
                || name.starts_with(CLOSURE)
                || called.contains(&(name.to_owned(), arity))
        };
        let dead = own.iter().find(|((name, arity), _)| !alive(name, *arity));
        let ((name, arity), (definition, _)) = dead?;
        let other = lower.keys().find(|(lower, _)| lower == name).map(|(_, arity)| *arity);
        let why = match other {
            Some(other) => format!("`{name}` has {other} parameters there, {arity} here"),
            None => "no function of that name is below, and none here calls it".to_owned(),
        };
        let known = lower.keys().map(|(name, _)| name.as_str());
        let known = known.filter(|name| !name.starts_with(CLOSURE));
        let nearest = nearest(name, known.chain(CONTRACT.iter().map(|(name, _)| *name)));
        let error = self.error(format!("`{name}` overrides nothing: {why}"));
        let at = sources.word(name, definition.body.start_position(), TextSide::Before);
        Some((ScriptError { nearest, ..error }, at))
    }

    /// A constant must replace one below, or be read here.
    fn dead_constant(&self) -> Option<(ScriptError, Position)> {
        let below = self.files.iter().filter(|(layer, _)| *layer < self.layer);
        let below = below.flat_map(|(_, file)| self.read.declared[*file].iter());
        let below: Vec<&str> = below.map(|(name, _)| name.as_str()).collect();
        let dead = |name: &str| !below.contains(&name) && !self.reads(name);
        let (name, at) = self.constants().find(|(name, _)| dead(name))?;
        let error = self.error(format!(
            "the constant `{name}` does nothing: none of that name is below, and nothing here reads it"
        ));
        let nearest = nearest(name, below.iter().copied());
        Some((ScriptError { nearest, ..error }, *at))
    }

    fn constants(&self) -> impl Iterator<Item = &(String, Position)> {
        self.own_files().flat_map(|file| self.read.declared[file].iter())
    }

    /// Whether the name appears anywhere but where it is declared.
    fn reads(&self, name: &str) -> bool {
        self.own_files().any(|file| {
            let tokens = &self.read.tokens[file];
            let named = (0..tokens.len()).filter(|&at| word(&tokens[at]) == Some(name));
            named.into_iter().any(|at| at == 0 || tokens[at - 1] != Token::Const)
        })
    }

    fn own_files(&self) -> impl Iterator<Item = usize> {
        self.files.iter().filter(|(layer, _)| *layer == self.layer).map(|(_, file)| *file)
    }

    fn error(&self, what: String) -> ScriptError {
        let fault = ScriptFault::DeadOverride(format!("house rule `{}`: {what}", self.name));
        ScriptError::new(fault)
    }
}
