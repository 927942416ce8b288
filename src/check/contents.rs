//! Checks the files of a rules folder: enough of each kind, a title, cases that parse, the `system` keys, and that
//! every clause that scripts, parameters and cases cite is in the rules in prose.

use std::collections::BTreeSet;

use super::Check;
use super::finding::{Findings, top_of};
use crate::catalog::{CaseFile, Document, FileKind, FileText, Folder, ParamSpecs};
use crate::error::{Error, Location};
use crate::rulebook::{Rulebook, cited};
use crate::script::clauses;

const LEAST: [(FileKind, usize); 4] =
    [(FileKind::Scenario, 3), (FileKind::House, 2), (FileKind::Agent, 2), (FileKind::Case, 1)];

/// Counts the files and reads the case files; `fracas test` checks whether the cases pass.
pub(super) fn check(
    check: &Check<'_>,
    folder: &Folder,
    findings: &mut Findings,
) -> Result<(), Error> {
    for (kind, least) in LEAST {
        let count = folder.names(kind).len();
        if count < least {
            let message = format!(
                "a rules folder should have {least} or more {}s in `{}/`, this one has {count}",
                kind.what(),
                kind.folder()
            );
            findings.warning(top_of(folder.rules_path()), message);
        }
    }
    if folder.scripts().is_ok_and(|scripts| scripts.first().is_some_and(|s| s.title().is_none())) {
        let message = "the rules have no title: a line `//! # …` at the top";
        findings.warning(top_of(folder.rules_path()), message);
    }
    for name in folder.names(FileKind::Case) {
        match folder.find(FileKind::Case, &name).and_then(CaseFile::parse) {
            Ok(file) => {
                check_system(check, folder.name(), &file.system, file.system_at, findings);
            }
            Err(error) => findings.fault(&error, || None)?,
        }
    }
    Ok(())
}

/// Warns of a `system` key that names neither the folder nor any other system. The name of another
/// system is accepted, because the files of a copied folder still contain it.
pub(super) fn check_system(
    check: &Check<'_>,
    folder: &str,
    named: &str,
    at: Option<Location>,
    findings: &mut Findings,
) {
    if named != folder && check.catalog.folder(named).is_err() {
        let known = check.catalog.systems().chain([folder]);
        let unknown = Error::unknown("system", named, known);
        findings.warning(at, format!("{unknown} (played as `{folder}`, which its folder is)"));
    }
}

pub(super) fn check_clauses(folder: &Folder, findings: &mut Findings) {
    // What cannot be read is a finding of those who compile it.
    let (Ok(scripts), Some(known)) = (folder.scripts(), KnownClauses::of(folder)) else { return };
    scripts.iter().for_each(|text| known.check_script(text, findings));
    for kind in [FileKind::House, FileKind::Agent] {
        let texts = folder.names(kind).into_iter().filter_map(|name| folder.find(kind, &name).ok());
        texts.for_each(|text| known.check_script(&text, findings));
    }
    if let Ok(Some(text)) = folder.params()
        && let Ok(specs) = ParamSpecs::read(Some(&text))
        && let Ok(document) = Document::parse(text)
    {
        for spec in specs.iter() {
            let at = || document.at(&format!("{}.clause", spec.name));
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
                let at = || case.location("clauses").or_else(|| top_of(&file.path));
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
            let at = || Some(Location { file: text.path.clone(), line: at + 1, column: None });
            self.check(cited(comment, &self.letters), at, findings);
        }
    }

    fn check(
        &self,
        cited: Vec<String>,
        at: impl Fn() -> Option<Location>,
        findings: &mut Findings,
    ) {
        for id in cited.into_iter().filter(|id| !self.ids.contains(id)) {
            let message =
                format!("clause `{id}` is cited, but the rules in prose have no such clause");
            findings.warning(at(), message);
        }
    }
}

fn imported(folder: &Folder, text: &FileText) -> Vec<Rulebook> {
    let lines = text.text.lines().filter_map(|line| line.trim_start().strip_prefix("import \""));
    let names = lines.filter_map(|line| line.split('"').next());
    names.filter_map(|name| Rulebook::of(&folder.neighbour(name).ok()?).ok()).collect()
}
