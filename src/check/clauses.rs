//! Checks that every clause that scripts, parameters and cases cite is in the rules in prose.

use std::collections::BTreeSet;

use super::finding::Findings;
use crate::catalog::{CaseFile, FileKind, FileText, Folder, ParamSpecs};
use crate::error::Location;
use crate::rulebook::{Rulebook, cited};
use crate::script::clauses;

/// Warns of each place that cites a clause which the prose does not have.
pub(super) fn check(folder: &Folder, findings: &mut Findings) {
    // What cannot be read is a finding of those who compile it.
    let (Ok(scripts), Some(known)) = (folder.scripts(), KnownClauses::of(folder)) else { return };
    scripts.iter().for_each(|text| known.check_script(text, findings));
    for kind in [FileKind::House, FileKind::Agent] {
        let texts = folder.names(kind).into_iter().filter_map(|name| folder.find(kind, &name).ok());
        texts.for_each(|text| known.check_script(&text, findings));
    }
    if let Ok(Some(text)) = folder.params()
        && let Ok(specs) = ParamSpecs::read(Some(&text))
    {
        for spec in specs.iter() {
            let at = || Location {
                file: text.path.clone(),
                line: line_of(&text, &spec.name),
                column: None,
            };
            let clause = spec.clause.as_deref().unwrap_or_default();
            known.check(cited(clause, &known.letters), at, findings);
        }
    }
    for name in folder.names(FileKind::Case) {
        let Ok(file) = folder.find(FileKind::Case, &name).and_then(CaseFile::parse) else {
            continue;
        };
        for case in &file.cases {
            for clause in &case.clauses {
                let at = || case.location("clauses").unwrap_or_else(|| top(&file.path));
                known.check(vec![clause.clone()], at, findings);
            }
        }
    }
}

/// Warns of each place in a script over the rules of a folder.
pub(super) fn check_script(folder: &Folder, text: &FileText, findings: &mut Findings) {
    if let Some(known) = KnownClauses::of(folder) {
        known.check_script(text, findings);
    }
}

struct KnownClauses {
    ids: BTreeSet<String>,
    letters: Vec<String>,
}

impl KnownClauses {
    /// The clauses of a folder, and of those that its rules import.
    fn of(folder: &Folder) -> Option<KnownClauses> {
        let mut books = vec![Rulebook::of(folder).ok()?];
        let scripts = folder.scripts().ok()?;
        books.extend(scripts.iter().flat_map(|text| imported(folder, text)));
        Some(KnownClauses {
            ids: books.iter().flat_map(Rulebook::ids).map(str::to_owned).collect(),
            letters: books.iter().flat_map(Rulebook::letters).collect(),
        })
    }

    fn check_script(&self, text: &FileText, findings: &mut Findings) {
        for (at, line) in text.text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let comment = comment.trim_start_matches(['/', '!', ' ']);
            let comment = comment.strip_prefix("- ").unwrap_or(comment);
            // Where the prose numbers nothing, a word such as `A4` need not be a clause.
            if self.letters.is_empty() && clauses(comment).is_none() {
                continue;
            }
            let at = || Location { file: text.path.clone(), line: at + 1, column: None };
            self.check(cited(comment, &self.letters), at, findings);
        }
    }

    fn check(&self, cited: Vec<String>, at: impl Fn() -> Location, findings: &mut Findings) {
        for id in cited.into_iter().filter(|id| !self.ids.contains(id)) {
            let message =
                format!("clause `{id}` is cited, but the rules in prose have no such clause");
            findings.warning(Some(at()), message);
        }
    }
}

/// The rulebooks of the systems that a script imports.
fn imported(folder: &Folder, text: &FileText) -> Vec<Rulebook> {
    let lines = text.text.lines().filter_map(|line| line.trim_start().strip_prefix("import \""));
    let names = lines.filter_map(|line| line.split('"').next());
    names.filter_map(|name| Rulebook::of(&folder.neighbour(name).ok()?).ok()).collect()
}

/// The line of a table.
fn line_of(text: &FileText, name: &str) -> usize {
    let header = format!("[{name}]");
    text.text.lines().position(|line| line.trim() == header).map_or(1, |at| at + 1)
}

fn top(file: &str) -> Location {
    Location { file: file.to_owned(), line: 1, column: None }
}
