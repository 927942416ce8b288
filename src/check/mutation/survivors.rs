//! What came of mutants: who noticed them, and those that nobody did.

use indexmap::IndexMap;
use serde::Serialize;

use super::mutant::Mutant;
use crate::error::{Cut, Error};
use crate::report::{self, Block, Report, word};

/// Counts the mutants beside which no clause is cited.
const NO_CLAUSE: &str = "(no clause)";

/// Who noticed a mutant that compiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Noticed {
    Case,
    /// A law, or a scenario that does not play any more.
    Law,
    /// Nobody; and whether all small scenarios are the same games, if that is known.
    Nobody(Option<bool>),
}

/// What became of a mutant: how many cases were tried and who noticed it; nothing of one that does not compile.
pub(super) type Fate = Option<(usize, Noticed)>;

/// Mutants of some scripts, and which of them nobody noticed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mutation {
    pub system: String,
    /// The one whose script was changed, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
    /// How many cases there are that play with these scripts and pass.
    pub cases: usize,
    /// How many fail without a change; they notice nothing.
    pub failing: usize,
    /// The scenarios that are small enough for laws and to be compared as games.
    pub scenarios: Vec<String>,
    pub mutants: usize,
    pub tried: usize,
    pub refused: usize,
    pub by_cases: usize,
    /// How many a law noticed, or a scenario that does not play any more.
    pub by_laws: usize,
    /// How many cases were run for a mutant that compiles, on average.
    pub cases_a_mutant: f64,
    /// Those that nobody noticed, in the order of the text.
    pub survivors: Vec<Survivor>,
    /// By clause, at last `(no clause)`: how many mutants compile that are not the same game, and how many of them were
    /// noticed.
    pub clauses: IndexMap<String, ClauseScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Survivor {
    #[serde(flatten)]
    pub mutant: Mutant,
    /// Whether all small scenarios are the same games: the same is asked after the same answers, and ends with the same
    /// result and utilities. Where states lead back to each other, whether their odds are the same under random play.
    /// Null where none is small, or one is too large under the mutant and no other differs.
    pub same_game: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ClauseScore {
    pub mutants: usize,
    pub noticed: usize,
}

impl Mutation {
    pub(super) fn of(tried: Vec<(Mutant, Fate)>, mutants: usize, cut: Option<Error>) -> Mutation {
        let mut found = Mutation {
            mutants,
            tried: tried.len(),
            cut: cut.and_then(|error| error.cut()),
            ..Mutation::default()
        };
        let mut runs = 0;
        for (mutant, fate) in tried {
            let Some((tried, noticed)) = fate else {
                found.refused += 1;
                continue;
            };
            found.by_laws += usize::from(noticed == Noticed::Law);
            let left = if let Noticed::Nobody(same) = noticed { Some(same) } else { None };
            runs += tried;
            if left != Some(Some(true)) {
                for clause in ids(&mutant.clause) {
                    let score = found.clauses.entry(clause).or_default();
                    score.mutants += 1;
                    score.noticed += usize::from(left.is_none());
                }
            }
            found.survivors.extend(left.map(|same_game| Survivor { mutant, same_game }));
        }
        if let Some(without) = found.clauses.shift_remove(NO_CLAUSE) {
            found.clauses.insert(NO_CLAUSE.to_owned(), without);
        }
        let compiled = found.tried - found.refused;
        found.by_cases = compiled - found.by_laws - found.survivors.len();
        found.cases_a_mutant = runs as f64 / compiled.max(1) as f64;
        found
    }

    pub fn unnoticed(&self) -> impl Iterator<Item = &Survivor> {
        self.survivors.iter().filter(|one| one.same_game != Some(true))
    }

    fn survivors_of(&self, same: Option<bool>) -> impl Iterator<Item = &Survivor> {
        self.survivors.iter().filter(move |one| one.same_game == same)
    }

    pub fn report(&self) -> Report<'_> {
        let mut blocks = vec![Block::Sentence(self.summary())];
        for (same, what) in [
            (Some(false), "noticed by no case and no law"),
            (None, "noticed by no case and no law, of games that are too large to compare"),
            (
                Some(true),
                "under which all small scenarios are the same games (of an outcome `result` and `utility` are compared)",
            ),
        ] {
            let all: Vec<&Survivor> = self.survivors_of(same).collect();
            let lines: Vec<String> = all.iter().map(|one| one.lines()).collect();
            let title = Block::title(format!("{} {what}", many(all.len())));
            if !all.is_empty() {
                blocks.push(Block::Group(vec![title, Block::Code(lines.join("\n"))]));
            }
        }
        let row = |(clause, score): (&String, &ClauseScore)| {
            vec![clause.clone(), score.mutants.to_string(), score.noticed.to_string()]
        };
        if self.clauses.keys().any(|clause| clause != NO_CLAUSE) {
            let rows = self.clauses.iter().map(row);
            blocks.push(Block::table(["clause", "mutants that change the game", "noticed"], rows));
        }
        Report::of(self, blocks)
    }

    fn summary(&self) -> String {
        let of = match &self.house {
            Some(house) => format!("`{house}` of {}", self.system),
            None => self.system.clone(),
        };
        let tried = match self.tried == self.mutants {
            true => many(self.mutants),
            false => format!("{} of {}", self.tried, many(self.mutants)),
        };
        let failing = match self.failing {
            0 => String::new(),
            count => format!(" {count} fail without a change and notice nothing."),
        };
        let uncompared = match self.survivors_of(None).count() {
            0 => String::new(),
            count => format!(", {count} not compared"),
        };
        let small = match &self.scenarios[..] {
            [] => "no scenario is small enough for laws and histories".to_owned(),
            all => format!("laws and histories of {}", report::enumerated(all)),
        };
        format!(
            "{of}: {tried}, against {} and {small}.{failing}\n{} noticed by cases, {} by laws, {} not compiled, {} \
             left, {} of these the same game{}. {:.1} cases were run for a mutant.",
            report::many(self.cases as u64, "case"),
            self.by_cases,
            self.by_laws,
            self.refused,
            self.survivors.len(),
            self.survivors_of(Some(true)).count(),
            uncompared,
            self.cases_a_mutant,
        )
    }
}

impl Survivor {
    /// Its place and clause, the line before, and the line after.
    fn lines(&self) -> String {
        let Mutant { at, function, clause, change, before, after, .. } = &self.mutant;
        let clause = if clause.is_empty() { String::new() } else { format!(", {clause}") };
        let after = if after.is_empty() { "(left out)" } else { after };
        format!("{at}: {} in `{function}`{clause}\n  - {before}\n  + {after}", word(change))
    }
}

fn many(count: usize) -> String {
    report::many(count as u64, "mutant")
}

/// The clauses of a list such as `W4, W5 and W7`; a range stays one.
fn ids(cited: &str) -> impl Iterator<Item = String> + '_ {
    let cited = if cited.is_empty() { NO_CLAUSE } else { cited };
    let parts = cited.split(", ").flat_map(|part| part.split(" and "));
    parts.filter(|part| !part.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::super::mutant::mutants;
    use super::*;
    use crate::script::definitions;

    #[test]
    fn mutants_without_a_clause_have_the_last_row() {
        let text = "fn f(a) {\n    let b = a;\n    this.c = b;\n    this.d = b;\n    b\n}\n";
        let definitions = definitions("a.rhai", text, 0);
        let mutation = |clause: &dyn Fn(usize) -> String| {
            let all = mutants(text, &definitions[0], clause).into_iter();
            let all: Vec<(Mutant, Fate)> =
                all.map(|mutant| (mutant, Some((1, Noticed::Case)))).collect();
            let count = all.len();
            Mutation::of(all, count, None)
        };
        let of_two = mutation(&|line| if line == 4 { "W4".to_owned() } else { String::new() });
        let rows: Vec<(&str, usize)> =
            of_two.clauses.iter().map(|(clause, one)| (&clause[..], one.mutants)).collect();
        assert_eq!((rows, of_two.by_cases), (vec![("W4", 1), (NO_CLAUSE, 1)], 2));
        let table = of_two.report().text(80, true);
        assert!(table.contains(NO_CLAUSE), "{table}");
        // Where no clause is cited at all, there is nothing to tell apart.
        assert!(!mutation(&|_| String::new()).report().text(80, true).contains(NO_CLAUSE));
    }
}
