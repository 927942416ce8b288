//! Lists the functions of rules whose calls can be counted; starts and stops counting (`call_counter.rs`).

use std::collections::HashSet;

use crate::error::Location;
use crate::script::assemble::function_uses::CLOSURE;
use crate::script::assemble::layers::{CONTRACT, Import};
use crate::script::assemble::replace_tokens::BELOW;
use crate::script::machine::code::Op;
use crate::script::playout::call_counter::Counted;
use crate::script::rules::{Rules, layer_of};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Countable {
    /// Its number.
    pub number: u16,
    /// Its name.
    pub name: String,
    /// The `///` lines above it, without the slashes.
    pub comments: String,
    /// The house rule that it belongs to, if it belongs to one.
    pub house: Option<String>,
    /// Whether another function overrides it, or it only checks the setup or words what people look at: no step and no
    /// outcome calls it.
    pub(crate) is_apart: bool,
}

impl Rules {
    /// Counts what is run until [`Rules::counted`] is asked for.
    pub(crate) fn count_calls(&self) {
        self.context.calls.begin();
    }

    /// Counts calls from none again, where they are counted.
    pub(crate) fn forget_calls(&self) {
        if self.context.calls.is_counting() {
            self.context.calls.forget();
        }
    }

    /// What was run since; no more is counted.
    pub fn counted(&self) -> Counted {
        self.context.calls.finish()
    }

    /// Where the bodies of the functions begin that were run.
    pub(crate) fn begun(&self, counted: &Counted) -> Vec<Location> {
        self.places(counted.calls.iter().map(|(number, _)| usize::from(*number)))
    }

    /// Where the bodies of all functions begin that `setup`, `step` and `outcome` may call, these among them: what
    /// only looks at a conflict or judges the rules is left out.
    pub(crate) fn deciding(&self) -> Vec<Location> {
        self.places(self.called_from(&["setup", "step", "outcome"]))
    }

    fn places(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<Location> {
        let functions = &self.runner.program().functions;
        let places = numbers
            .into_iter()
            .filter_map(|number| self.compiled.sources.locate(functions.get(number)?.begins));
        places.collect()
    }

    /// The functions that are counted, in the order of the text. Left out are closures, what people
    /// look through, and functions overridden by one that does not call them.
    pub(crate) fn countable(&self) -> Vec<Countable> {
        let functions = self.runner.program().functions.iter().enumerate();
        let played = self.called_from(&["step", "outcome"]);
        let beside = |name: &str| !["step", "outcome"].contains(&name);
        let contract = CONTRACT.map(|(name, _)| name);
        let looked =
            self.called_from(&contract.into_iter().filter(|one| beside(one)).collect::<Vec<_>>());
        // People and agents look at a conflict through these, or they judge the rules.
        let looks = |name: &str| name != "setup" && beside(name) && contract.contains(&name);
        let countable = |(number, function): (usize, &crate::script::machine::Function)| {
            let sources = &self.compiled.sources;
            let name = sources.plain_name(&function.name);
            let is_below = function.name.contains(BELOW);
            let import = self.conflict_of(&function.name);
            let own = import.map_or(&name[..], |_| sources.own_name(&function.name));
            let is_left_out = sources.is_of_host(&function.name)
                || looks(own.split(BELOW).next().unwrap_or_default());
            if function.name.starts_with(CLOSURE) || is_left_out {
                return None;
            }
            let at = self.compiled.sources.locate(function.begins);
            let layer = at.map_or(0, |at| match import {
                Some(import) => import.layer_of(&at),
                None => layer_of(&self.compiled.files, &at),
            });
            Some(Countable {
                number: u16::try_from(number).ok()?,
                comments: self.compiled.comments.get(&function.begins).cloned().unwrap_or_default(),
                house: self.house_of(import, layer).map(str::to_owned),
                name,
                is_apart: is_below || looked.contains(&number) && !played.contains(&number),
            })
        };
        functions.filter_map(countable).collect()
    }

    /// The import that a function is of, in a campaign.
    fn conflict_of(&self, function: &str) -> Option<&Import> {
        let imports = self.is_campaign().then_some(&self.base().imports)?;
        imports.iter().find(|import| function.starts_with(&import.known_as("")))
    }

    fn called_from(&self, names: &[&str]) -> HashSet<usize> {
        let functions = &self.runner.program().functions;
        let is_named = |number: &usize| names.contains(&functions[*number].name.as_str());
        let mut open: Vec<usize> = (0..functions.len()).filter(is_named).collect();
        let mut found: HashSet<usize> = open.iter().copied().collect();
        while let Some(number) = open.pop() {
            for op in functions.get(number).iter().flat_map(|function| &function.code) {
                let (Op::Call { function, .. }
                | Op::CallOn { function, .. }
                | Op::CallAt { function, .. }
                | Op::Closure { function, .. }) = op
                else {
                    continue;
                };
                let called = usize::from(*function);
                if found.insert(called) {
                    open.push(called);
                }
            }
        }
        found
    }
}
