//! Tests that no files import each other in a circle. Names are followed through the `pub use` that passes
//! them on, to the file that declares them. A file and the files of its own folder are one module, so what
//! they take from it is no import here.

use std::collections::{BTreeMap, BTreeSet};

use crate::structure::{Source, none, sources};

/// The parts of a path: `["crate", "graph", "Node"]`.
type Parts = Vec<String>;

struct Files {
    /// By the parts of their module, `["graph", "node"]`.
    modules: BTreeMap<Parts, usize>,
    names: Vec<String>,
    /// What each file imports, and whether it passes it on.
    imports: Vec<Vec<(Parts, bool)>>,
}

impl Files {
    fn read(sources: &[Source]) -> Files {
        let modules =
            sources.iter().enumerate().map(|(number, source)| (module(&source.path), number));
        Files {
            modules: modules.collect(),
            names: sources.iter().map(|source| source.path.clone()).collect(),
            imports: sources.iter().map(imports).collect(),
        }
    }

    /// A path as a path from the root, in the file of this number; nothing for one of another crate.
    fn absolute(&self, file: usize, path: &[String]) -> Option<Parts> {
        let own = module(&self.names[file]);
        let supers = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&own, &path[1..]].concat()),
            "super" => Some([&own[..own.len().checked_sub(supers)?], &path[supers..]].concat()),
            first => {
                let beside = [own, vec![first.to_owned()]].concat();
                self.modules.contains_key(&beside).then(|| [&beside, &path[1..]].concat())
            }
        }
    }

    /// The file that declares what a path from the root names.
    fn declares(&self, path: &[String], depth: usize) -> Option<usize> {
        let known =
            (0..=path.len()).rev().find_map(|at| Some((at, self.modules.get(&path[..at])?)));
        let (at, &file) = known?;
        let passed_on = path.get(at).filter(|_| depth < 8).and_then(|name| {
            let mut passing = self.imports[file]
                .iter()
                .filter(|(import, passes)| *passes && import.last() == Some(name));
            passing.find_map(|(import, _)| self.declares(&self.absolute(file, import)?, depth + 1))
        });
        Some(passed_on.unwrap_or(file))
    }

    /// The files that each file imports from, without the modules that it is part of.
    fn edges(&self) -> Vec<BTreeSet<usize>> {
        let of = |file: usize| {
            let own = module(&self.names[file]);
            let imports = self.imports[file].iter().filter(|(_, passes)| !passes);
            let files =
                imports.filter_map(|(import, _)| self.declares(&self.absolute(file, import)?, 0));
            files.filter(|&other| !own.starts_with(&module(&self.names[other]))).collect()
        };
        (0..self.names.len()).map(of).collect()
    }
}

/// `["graph", "node"]` for `src/graph/node.rs`.
fn module(path: &str) -> Parts {
    let inner = path.trim_start_matches("src/").trim_end_matches(".rs");
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    match inner {
        "lib" => Vec::new(),
        inner => inner.split('/').map(str::to_owned).collect(),
    }
}

/// The paths that a file names, and whether it passes them on: those of `use`, and those in its code.
fn imports(source: &Source) -> Vec<(Parts, bool)> {
    let code =
        source.code_without_tests().map(|(_, line)| line.split(" //").next().unwrap_or(line));
    let text = code.collect::<Vec<_>>().join("\n");
    let (mut found, mut other, mut rest) = (Vec::new(), String::new(), text.as_str());
    while let Some(at) = rest.find("use ") {
        let before = rest[..at].rsplit('\n').next().unwrap_or_default().trim();
        let passes = before.starts_with("pub");
        other.push_str(&rest[..at]);
        rest = &rest[at + "use ".len()..];
        if let Some(end) = rest.find(';').filter(|_| passes || before.is_empty()) {
            let mut paths = Vec::new();
            expand(&Vec::new(), &rest[..end], &mut paths);
            found.extend(paths.into_iter().map(|path| (path, passes)));
            rest = &rest[end..];
        }
    }
    other.push_str(rest);
    found.extend(inline(&other));
    found
}

/// The paths of an import: `a::{b, c::d}` is two.
fn expand(before: &Parts, tree: &str, found: &mut Vec<Parts>) {
    let (mut depth, mut from) = (0, 0);
    let ends = tree.char_indices().filter_map(|(at, letter)| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (letter == ',' && depth == 0).then_some(at)
    });
    let ends: Vec<usize> = ends.chain([tree.len()]).collect();
    for end in ends {
        let branch = tree[from..end].trim();
        from = (end + 1).min(tree.len());
        let (path, inner) = branch.split_once('{').unwrap_or((branch, ""));
        let path = path.split(" as ").next().unwrap_or_default();
        let parts = path.split("::").map(str::trim).filter(|part| !part.is_empty());
        let whole: Parts = before.iter().cloned().chain(parts.map(str::to_owned)).collect();
        match inner.rsplit_once('}') {
            Some((inner, _)) => expand(&whole, inner, found),
            None if whole.is_empty() => {}
            None => found.push(whole),
        }
    }
}

/// Paths in the middle of code that begin at the root or at a module above.
fn inline(code: &str) -> Vec<(Parts, bool)> {
    let marks = ["crate::", "super::"];
    let begins = marks.iter().flat_map(|mark| code.match_indices(mark).map(|(at, _)| at));
    let path = |at: usize| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        let path = code[at..].chars().take_while(|&letter| is_part(letter)).collect::<String>();
        let parts = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
        (parts.collect(), false)
    };
    // The second `super` of a path is no beginning.
    let whole = |at: &usize| !code[..*at].ends_with("::");
    begins.filter(whole).map(path).collect()
}

/// A circle through a file, if there is one: the files on it.
fn circle(edges: &[BTreeSet<usize>], from: usize) -> Option<Vec<usize>> {
    let mut before: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for &next in &edges[file] {
            if next == from {
                let mut files = vec![file];
                while let Some(&earlier) =
                    files.last().filter(|&&last| last != from).and_then(|last| before.get(last))
                {
                    files.push(earlier);
                }
                files.reverse();
                return Some(files);
            }
            before.entry(next).or_insert_with(|| {
                open.push(next);
                file
            });
        }
    }
    None
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files = Files::read(&sources());
    let edges = files.edges();
    let some = edges.iter().map(BTreeSet::len).sum::<usize>();
    assert!(some > 1_000, "the imports are not found: {some}");
    let mut circles = BTreeMap::new();
    for from in 0..edges.len() {
        if let Some(mut circle) = circle(&edges, from) {
            let words: Vec<&str> = circle.iter().map(|file| files.names[*file].as_str()).collect();
            let words = words.join(" -> ");
            circle.sort_unstable();
            circles.entry(circle).or_insert(words);
        }
    }
    none("these files import each other in a circle", circles.into_values().collect());
}

#[test]
fn names_are_followed_to_the_file_that_declares_them() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        source("src/lib.rs", "mod a;"),
        source("src/a/mod.rs", "mod b;\nmod c;\npub use b::Thing;"),
        source("src/a/b.rs", "use super::{c::Other};\npub struct Thing;"),
        source("src/a/c.rs", "pub struct Other;\nfn f() -> crate::a::Thing { todo!() }"),
    ];
    let edges = Files::read(&sources).edges();
    assert_eq!(edges[1], BTreeSet::new(), "what is passed on is not used");
    assert_eq!(edges[2], BTreeSet::from([3]));
    assert_eq!(edges[3], BTreeSet::from([2]));
    assert_eq!(circle(&edges, 2), Some(vec![2, 3]));
    assert_eq!(circle(&edges, 1), None);
}
