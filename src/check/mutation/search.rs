//! Makes every mutant of some scripts, and looks for what notices it: the compiler, a case, a law.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use super::mutant::{Mutant, mutants};
use super::survivors::{Fate, Mutation, Noticed};
use crate::analysis::{Odds, Seeking};
use crate::cases;
use crate::catalog::{Case, Catalog, FileKind, FileText, Folder, Scenario, is_script_path};
use crate::check::Check;
use crate::check::finding::Findings;
use crate::check::playouts::Playouts;
use crate::conflict::{Changes, Conflict, Order, Seating, compile};
use crate::error::{Error, Location, unless_cut};
use crate::game::Value;
use crate::graph::{StoredQuestion, shared_out};
use crate::number::{Fraction, fraction};
use crate::script::{Definition, Limits, Rules, Token, TokenKind, clauses, tokens};

/// What is changed, and what must notice it.
pub struct Mutating<'a> {
    /// The catalog in which the rules and their cases are.
    pub catalog: &'a Catalog,
    pub system: &'a str,
    /// The name of the house rule whose script is changed; else the scripts of the rules are.
    pub house: Option<&'a str>,
    pub limits: &'a Limits,
    /// The most nodes of a scenario that counts as small.
    pub nodes: u64,
    pub memory: u64,
    /// The number of playouts of each small scenario under its laws.
    pub playouts: u64,
    /// How many threads search. What they find is the same for any number.
    pub threads: usize,
    /// Hears how many mutants are done, and how many there are.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

/// What a mutant is held against.
struct MutationBench<'a> {
    with: &'a Mutating<'a>,
    folder: Folder,
    texts: Vec<FileText>,
    cases: Vec<Case>,
    /// The scenarios that can be explored, with what distinguishes them from other games.
    small: Vec<(Scenario, String)>,
}

/// A mutant and the cases that run what it changes, by their numbers, those first that run least.
struct CoveredMutant {
    mutant: Mutant,
    file: usize,
    cases: Vec<usize>,
}

impl Mutating<'_> {
    /// Tries all mutants.
    ///
    /// # Errors
    /// Those of the rules as they are, of unknown names, and [`Error::Interrupted`] before anything is tried. A
    /// search that is cut later returns what it found by then.
    pub fn run(&self) -> Result<Mutation, Error> {
        let folder = self.catalog.folder(self.system)?.clone();
        if let Some(path) = self.house.filter(|house| is_script_path(house)) {
            let message = format!("`{path}` is a path: name a house rule of `{}`", self.system);
            return Err(Error::usage(message));
        }
        let order = Order::of_house(&folder, &self.changes().house)?;
        let rules = compile(&folder, order, self.limits)?;
        let texts = match self.house {
            Some(name) => vec![folder.find(FileKind::House, name)?],
            None => folder.scripts()?,
        };
        let mut bench =
            MutationBench { with: self, folder, texts, cases: Vec::new(), small: Vec::new() };
        let (runs, failing) = bench.own_cases()?;
        bench.small = bench.small_scenarios()?;
        let candidates = bench.candidates(&rules, &runs);
        let all = candidates.len() as u64;
        let done = AtomicU64::new(0);
        let worker = || {
            Ok(|number: usize| {
                let fate = bench.fate(&candidates[number])?;
                (self.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, all);
                Ok(fate)
            })
        };
        let worked = shared_out(self.threads, candidates.len(), worker)?;
        let tried = candidates.into_iter().map(|one| one.mutant).zip(worked.done);
        Ok(Mutation {
            system: self.system.to_owned(),
            house: self.house.map(str::to_owned),
            cases: bench.cases.len(),
            failing,
            scenarios: bench.small.iter().map(|(one, _)| one.name.clone()).collect(),
            ..Mutation::of(tried.collect(), all as usize, worked.cut)
        })
    }

    fn changes(&self) -> Changes {
        let house = self.house.iter().map(|name| (*name).to_owned()).collect();
        Changes { house, ..Changes::default() }
    }
}

impl MutationBench<'_> {
    /// Collects the cases of the folder that play with what is changed and pass without a change; returns where the
    /// functions begin that each of them runs, and how many do not pass.
    fn own_cases(&mut self) -> Result<(Vec<Vec<Location>>, usize), Error> {
        let Mutating { catalog, system, limits, .. } = self.with;
        let (mut runs, mut failing) = (Vec::new(), 0);
        for name in self.folder.names(FileKind::Case) {
            for case in self.folder.cases(&name)?.cases {
                if self.with.house.is_some_and(|house| !case.house.iter().any(|one| one == house)) {
                    continue;
                }
                match cases::run_case_counted(catalog, system, &case, limits)? {
                    (None, run) => {
                        self.cases.push(case);
                        runs.push(run);
                    }
                    (Some(_), _) => failing += 1,
                }
            }
        }
        Ok((runs, failing))
    }

    /// The scenarios that can be explored within the bound, with what distinguishes them from other games.
    fn small_scenarios(&self) -> Result<Vec<(Scenario, String)>, Error> {
        let mut small = Vec::new();
        for name in self.folder.names(FileKind::Scenario) {
            let Ok(scenario) = self.folder.scenario(&name) else { continue };
            if let Some(Some(identity)) = unless_cut(self.identity(self.with.catalog, &scenario))?
                // What breaks a law as it is would make every mutant one that a law notices.
                && !self.breaks_a_law(self.with.catalog, &scenario)?
            {
                small.push((scenario, identity));
            }
        }
        Ok(small)
    }

    /// What distinguishes the game that a scenario is from others; nothing where it is not small.
    fn identity(&self, catalog: &Catalog, scenario: &Scenario) -> Result<Option<String>, Error> {
        let Mutating { limits, memory, nodes, .. } = self.with;
        let conflict = Conflict::of(catalog, scenario.clone(), &self.with.changes(), limits)?;
        let seating = Seating::unseated(&conflict, *memory)?;
        let seeking = Seeking { float: false, threads: 1, nodes: *nodes };
        let odds = Odds::find(&seating, seeking, &|_| ())?;
        let Ok(found) = odds.found else { return Ok(None) };
        Ok(match histories(&seating)? {
            Some(digest) => Some(digest.to_string()),
            // Under random play, where states lead back to each other.
            None => serde_json::to_string(&found.chances).ok(),
        })
    }

    /// All mutants of the functions and constants that decide something, each with its cases.
    fn candidates(&self, rules: &Rules, runs: &[Vec<Location>]) -> Vec<CoveredMutant> {
        let all = rules.definitions();
        let deciding = rules.deciding();
        let decides = |one: &&Definition| deciding.iter().any(|at| one.holds(at));
        let functions: Vec<&Definition> =
            all.iter().filter(|one| !one.constant).filter(decides).collect();
        // Those that run few functions show more closely what one of them does, and take less time.
        let covered = |definition: &Definition| -> BTreeSet<(usize, usize)> {
            let runs = runs.iter().enumerate();
            let covering = runs.filter(|(_, run)| run.iter().any(|at| definition.holds(at)));
            covering.map(|(number, run)| (run.len(), number)).collect()
        };
        fn place(one: &Definition) -> (&str, usize) {
            (&one.at.file, one.at.line)
        }
        let functions = functions.iter().map(|one| (place(one), covered(one)));
        let mut cases: BTreeMap<(&str, usize), BTreeSet<(usize, usize)>> = functions.collect();
        // What mentions a constant may be another constant, below or above it.
        let constants: Vec<&Definition> = all.iter().filter(|one| one.constant).collect();
        loop {
            let known = cases.len();
            for constant in &constants {
                let users = all.iter().filter(|one| mentions(one, &constant.name));
                let users: Vec<_> = users.filter_map(|one| cases.get(&place(one))).collect();
                if !users.is_empty() {
                    let users = users.into_iter().flatten().copied().collect();
                    cases.insert(place(constant), users);
                }
            }
            if cases.len() == known {
                break;
            }
        }
        let mut candidates = Vec::new();
        for (file, text) in self.texts.iter().enumerate() {
            for definition in all.iter().filter(|one| one.at.file == text.path) {
                let Some(cases) = cases.get(&place(definition)) else { continue };
                let cited = |line: usize| {
                    let comment = rules.comment_at(definition, line);
                    clauses(&comment).map(|(cited, _)| cited.to_owned()).unwrap_or_default()
                };
                let made = mutants(&text.text, definition, cited).into_iter();
                candidates.extend(made.map(|mutant| CoveredMutant {
                    mutant,
                    file,
                    cases: cases.iter().map(|(_, number)| *number).collect(),
                }));
            }
        }
        candidates
    }

    fn fate(&self, candidate: &CoveredMutant) -> Result<Fate, Error> {
        self.with.limits.budget.may_continue()?;
        let text = &self.texts[candidate.file];
        let changed =
            FileText { path: text.path.clone(), text: candidate.mutant.applied(&text.text) };
        let catalog = self.with.catalog.edited(self.with.system, changed)?;
        let folder = catalog.folder(self.with.system)?;
        let order = Order::of_house(folder, &self.with.changes().house);
        let rules = order.and_then(|order| compile(folder, order, self.with.limits));
        if unless_cut(rules)?.is_none() {
            return Ok(None);
        }
        for (tried, number) in candidate.cases.iter().enumerate() {
            let case = &self.cases[*number];
            if cases::run_case(&catalog, self.with.system, case, self.with.limits)?.is_some() {
                return Ok(Some((tried + 1, Noticed::Case)));
            }
        }
        let tried = candidate.cases.len();
        for (scenario, _) in &self.small {
            if self.breaks_a_law(&catalog, scenario)? {
                return Ok(Some((tried, Noticed::Law)));
            }
        }
        let mut same = (!self.small.is_empty()).then_some(true);
        for (scenario, before) in &self.small {
            match unless_cut(self.identity(&catalog, scenario))? {
                Some(Some(after)) if after == *before => {}
                // Larger than the bound: whether it is the same game is not known, unless another differs.
                Some(None) => same = None,
                Some(Some(_)) | None => {
                    same = Some(false);
                    break;
                }
            }
        }
        Ok(Some((tried, Noticed::Nobody(same))))
    }

    /// Whether a scenario does not play under a change, or breaks a law.
    fn breaks_a_law(&self, catalog: &Catalog, scenario: &Scenario) -> Result<bool, Error> {
        let limits = self.with.limits;
        let opened = Conflict::of(catalog, scenario.clone(), &self.with.changes(), limits);
        let Some(conflict) = unless_cut(opened)? else { return Ok(true) };
        let check = Check {
            catalog,
            limits,
            seed: 0,
            playouts: self.with.playouts,
            // That a law breaks is enough to know; in how few answers is not looked for.
            nodes: 0,
            time: None,
            rules: &[],
            threads: 1,
            progress: &|_| (),
        };
        let mut findings = Findings::default();
        let failed = Playouts::run(&check, &conflict, check.playouts, &mut findings)?.1;
        Ok(failed.is_some() || findings.errors() > 0)
    }
}

/// A digest of all histories that a graph seen whole has: what is asked of whom and offered, with which chances, and how
/// it ends. It is the same however many nodes stand for them, and in any order in which answers are offered; nothing
/// where states lead back to each other.
fn histories(seating: &Seating) -> Result<Option<u64>, Error> {
    let graph = &*seating.graph;
    let _charge = seating.budget().charge_thread();
    let game = seating.game(&seating.policies()?, &[graph.root()])?;
    let steps = |place: u32| game.to.of(place as usize).iter().copied();
    let Some(Ok(order)) = game.order(steps, &|| seating.may_continue().is_ok()) else {
        return seating.may_continue().map(|()| None);
    };
    let shares = game.weights.fractions(Fraction::clone);
    let mut digests = vec![0; game.len()];
    for &place in order.iter().rev() {
        let at = place as usize;
        let question = game.question(graph, at);
        let asked = question.map(|asked| (asked.is_chance(), &asked.who, &asked.name, asked.part));
        let values = question.map_or(&[][..], StoredQuestion::values);
        let answers = game.to.range(at).map(|step| {
            let value = values.get(game.answers[step] as usize).map(Value::literal);
            let to = game.to.all()[step] as usize;
            digest(&(value, &shares[game.weights.of[step] as usize], digests[to]))
        });
        let ending = graph.ending(graph.node(game.nodes[at]));
        let ends = ending.map(|ending| {
            let utility = ending.utility.iter().map(|(player, value)| (player, fraction(value)));
            (&ending.result, utility.collect::<BTreeMap<_, _>>())
        });
        digests[at] = digest(&(asked, answers.fold(0, u64::wrapping_add), ends));
    }
    Ok(digests.first().copied())
}

fn digest(data: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    hasher.finish()
}

/// Whether a definition names a word outside texts and comments.
fn mentions(definition: &Definition, word: &str) -> bool {
    let own = definition.constant && definition.name == word;
    let named = |token: &Token| {
        // What is computed within a text is part of its token.
        let part = token.of(&definition.text);
        match token.kind {
            TokenKind::Word => part == word,
            TokenKind::Text => part.starts_with('`') && part.contains(word),
            _ => false,
        }
    };
    !own && tokens(&definition.text).iter().any(named)
}
