//! Reads the rules in prose from the `//!` lines of a script: headings, paragraphs, clauses, words; and the clauses
//! that a comment or a key cites, lists and ranges of them included.

use std::iter::successors;

use indexmap::IndexMap;

use crate::catalog::{FileKind, FileText, Folder, ParamSpec, ParamSpecs};
use crate::error::Error;
use crate::script::{Definition, Rules, clauses, is_clause};

/// The house rule whose header lists the clauses that are not in the text from which the rules come.
const SOURCE: &str = "as_written";

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rulebook {
    pub system: String,
    pub(super) blocks: Vec<ProseBlock>,
    /// Clauses that are not in the source text, or not all of them, with where the rest comes from.
    pub(super) beyond: IndexMap<String, String>,
    /// The parameters, each a word that its meaning explains.
    pub(super) params: Vec<Item>,
    /// What house rules and parameters change: clauses and parameters, each with its changes in words.
    pub(super) changed: IndexMap<String, Vec<String>>,
    /// The house rules in force, with what they say.
    pub(super) house: Vec<(String, Vec<ProseBlock>)>,
}

/// A part of the prose that is complete by itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ProseBlock {
    Heading(String),
    Paragraph(String),
    /// Lines that stay as they are.
    Lines(String),
    /// A clause, an explained word, or another item of a list.
    Item(Item),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Item {
    pub id: Option<String>,
    /// The words in back-ticks at its beginning, which it explains.
    pub words: Vec<String>,
    /// Its text on one line, without the clause.
    pub text: String,
}

impl Rulebook {
    /// The rulebook of a folder, whether its rules compile or not.
    pub(crate) fn of(folder: &Folder) -> Result<Rulebook, Error> {
        let prose = folder.scripts()?.first().map(prose).unwrap_or_default();
        let beyond = folder.find(FileKind::House, SOURCE).map(|text| beyond(&self::prose(&text)));
        let beyond = beyond.unwrap_or_default();
        // Where they do not read, `check` says why.
        let specs = folder.params().and_then(|text| ParamSpecs::read(text.as_ref()));
        let params = specs.unwrap_or_default().iter().map(Item::of_param).collect();
        let (system, blocks) = (folder.name().to_owned(), blocks(&prose));
        Ok(Rulebook { system, blocks, beyond, params, ..Rulebook::default() })
    }

    pub(crate) fn under(folder: &Folder, rules: &Rules) -> Result<Rulebook, Error> {
        let mut book = Rulebook::of(folder)?;
        let prose = rules.house().iter().enumerate();
        book.house = prose.map(|(at, name)| (name.clone(), blocks(rules.prose(at + 1)))).collect();
        book.override_functions(rules);
        let specs = ParamSpecs::read(folder.params()?.as_ref())?;
        for spec in specs.iter() {
            let value = rules.params().get(&spec.name).filter(|value| **value != spec.default);
            let Some(value) = value else { continue };
            let now = format!("`{}` is {value}, by default {}", spec.name, spec.default);
            let clauses = spec.clause.iter().flat_map(|text| leading(text).0);
            for id in clauses.chain([spec.name.clone()]) {
                book.changed.entry(id).or_default().push(now.clone());
            }
        }
        Ok(book)
    }

    /// Notes at each clause which of its functions house rules define anew, and what they say of that.
    fn override_functions(&mut self, rules: &Rules) {
        let definitions = rules.definitions();
        for own in &definitions {
            let Some((house, prose)) = own.layer.checked_sub(1).and_then(|at| self.house.get(at))
            else {
                continue;
            };
            let first = own.overridden(&definitions);
            let below = successors(first, |one| one.overridden(&definitions));
            let does = match (first.is_none(), own.calls_super()) {
                (true, _) => "adds",
                (false, true) => "changes",
                (false, false) => "replaces",
            };
            let said = match clauses(&own.comments).map(|(_, text)| text) {
                Some(text) if !text.is_empty() => Some(text),
                _ => prose.iter().find_map(|block| match block {
                    ProseBlock::Paragraph(text) => sentences(text).next(),
                    _ => None,
                }),
            };
            let said = said.map(|text| format!(": {}", text.trim_end_matches('.')));
            let now =
                format!("house rule `{house}` {does} `{}`{}", own.name, said.unwrap_or_default());
            for id in below.chain([own]).flat_map(cited_above) {
                let all = self.changed.entry(id).or_default();
                if !all.contains(&now) {
                    all.push(now.clone());
                }
            }
        }
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.items().filter_map(|item| item.id.as_deref())
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let plain = self.items().filter(|item| item.id.is_none());
        plain.flat_map(|item| &item.words).map(String::as_str)
    }

    pub(crate) fn letters(&self) -> Vec<String> {
        let mut letters: Vec<String> = self.ids().map(letters_of).collect();
        letters.sort();
        letters.dedup();
        letters
    }

    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.blocks.iter().filter_map(|block| match block {
            ProseBlock::Item(item) => Some(item),
            _ => None,
        })
    }
}

pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").map(str::trim)
}

/// The clauses by which a function or constant is there.
pub(crate) fn cited_above(one: &Definition) -> Vec<String> {
    clauses(&one.comments).map(|(cited, _)| leading(cited).0).unwrap_or_default()
}

/// The `//!` lines at the top of a script, without their marks.
fn prose(text: &FileText) -> String {
    let lines = text.text.lines().map_while(|line| line.trim_start().strip_prefix("//!"));
    let bare = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    bare.collect::<Vec<_>>().join("\n")
}

/// What the items of a list say of the clauses that they begin with.
fn beyond(prose: &str) -> IndexMap<String, String> {
    let mut all = IndexMap::new();
    for block in blocks(prose) {
        if let ProseBlock::Item(Item { id: Some(id), text, .. }) = block {
            let whole = format!("{id}{}{text}", if text.starts_with(',') { "" } else { " " });
            let (ids, note) = leading(&whole);
            all.extend(ids.into_iter().map(|id| (id, note.to_owned())));
        }
    }
    all
}

fn blocks(prose: &str) -> Vec<ProseBlock> {
    let mut blocks: Vec<ProseBlock> = Vec::new();
    let mut continues = false;
    for line in prose.lines() {
        let text = line.trim();
        if text.is_empty() {
            continues = false;
        } else if text.starts_with('#') {
            blocks.push(ProseBlock::Heading(text.trim_start_matches('#').trim().to_owned()));
            continues = false;
        } else if let Some(text) = line.strip_prefix("- ") {
            blocks.push(ProseBlock::Item(Item { text: text.trim().to_owned(), ..Item::default() }));
            continues = true;
        } else {
            let indented = line.starts_with(' ');
            match blocks.last_mut().filter(|_| continues) {
                Some(ProseBlock::Item(item)) if indented => item.text += &format!(" {text}"),
                Some(ProseBlock::Paragraph(paragraph)) => *paragraph += &format!(" {text}"),
                Some(ProseBlock::Lines(lines)) => *lines += &format!("\n{line}"),
                _ if line.starts_with("    ") => blocks.push(ProseBlock::Lines(line.to_owned())),
                _ => blocks.push(ProseBlock::Paragraph(text.to_owned())),
            }
            continues = true;
        }
    }
    for block in &mut blocks {
        if let ProseBlock::Item(item) = block {
            item.read();
        }
    }
    blocks
}

impl Item {
    fn of_param(spec: &ParamSpec) -> Item {
        let clause = spec.clause.iter().map(|clause| format!(" of {clause}")).collect::<String>();
        let text = format!("`{}`, a parameter{clause}: {}", spec.name, spec.meaning);
        Item { id: None, words: vec![spec.name.clone()], text }
    }

    fn read(&mut self) {
        let first = self.text.split_whitespace().next().unwrap_or_default();
        let id = first.trim_end_matches([',', '.', ':']);
        if is_clause(id) {
            self.id = Some(id.to_owned());
            self.text = self.text[id.len()..].trim_start_matches(['.', ':']).trim().to_owned();
            return;
        }
        let mut rest = self.text.as_str();
        while let Some((word, behind)) =
            rest.strip_prefix('`').and_then(|rest| rest.split_once('`'))
        {
            self.words.push(word.to_owned());
            rest = behind.trim_start_matches([',', ' ']);
            rest = rest.strip_prefix("and ").or(rest.strip_prefix("or ")).unwrap_or(rest);
        }
    }
}

/// The most clauses that a range stands for.
const RANGE: u64 = 200;

/// The clauses at the beginning of a text, one by one, and the text after them: `W2, W3. Both set…`,
/// `A14 to A17 The text ends…`.
pub(crate) fn leading(text: &str) -> (Vec<String>, &str) {
    let mut ids: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    let mut range = false;
    while let Some(word) = rest.split_whitespace().next() {
        let bare = word.trim_end_matches([',', '.', ':', ';']);
        match (bare, ids.last()) {
            ("to", Some(_)) => range = true,
            ("and" | "or", Some(_)) => range = false,
            _ if is_clause(bare) => {
                let before = ids.last().filter(|_| range).cloned();
                ids.extend(before.map(|first| between(&first, bare)).unwrap_or_default());
                ids.push(bare.to_owned());
                range = false;
            }
            _ => break,
        }
        rest = rest[word.len()..].trim_start();
        if word.ends_with(['.', ':', ';']) {
            break;
        }
    }
    (ids, rest)
}

/// All clauses that a text cites: those at its beginning, and each further word that is a clause with the
/// letters of a known one, such as the `W7` in a sentence.
pub(crate) fn cited(text: &str, letters: &[String]) -> Vec<String> {
    let (mut ids, rest) = leading(text);
    let words = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for word in words.filter(|word| is_clause(word) && letters.contains(&letters_of(word))) {
        if !ids.iter().any(|id| id == word) {
            ids.push(word.to_owned());
        }
    }
    ids
}

/// The letters before the number of a clause.
fn letters_of(id: &str) -> String {
    id.chars().take_while(char::is_ascii_uppercase).collect()
}

fn number_of(id: &str) -> Option<u64> {
    let digits = id.trim_start_matches(|c: char| c.is_ascii_uppercase());
    digits.trim_end_matches(|c: char| c.is_ascii_lowercase()).parse().ok()
}

fn between(first: &str, last: &str) -> Vec<String> {
    let letters = letters_of(first);
    match (number_of(first), number_of(last)) {
        (Some(from), Some(to))
            if letters == letters_of(last) && to.saturating_sub(from) < RANGE =>
        {
            (from.saturating_add(1)..to).map(|number| format!("{letters}{number}")).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE: &str = "\
# Duel

Two meet
at dawn.

- D1 Each shows a hand,
  at once.
- D2. Paper *wraps* rock.
So it goes:
- `draw`, `none`: nobody wins.

    1 2
    3 4";

    #[test]
    fn prose_is_read_in_its_parts() {
        let item = |id: Option<&str>, words: &[&str], text: &str| {
            ProseBlock::Item(Item {
                id: id.map(str::to_owned),
                words: words.iter().map(ToString::to_string).collect(),
                text: text.to_owned(),
            })
        };
        let expected = [
            ProseBlock::Heading("Duel".to_owned()),
            ProseBlock::Paragraph("Two meet at dawn.".to_owned()),
            item(Some("D1"), &[], "Each shows a hand, at once."),
            item(Some("D2"), &[], "Paper *wraps* rock."),
            ProseBlock::Paragraph("So it goes:".to_owned()),
            item(None, &["draw", "none"], "`draw`, `none`: nobody wins."),
            ProseBlock::Lines("    1 2\n    3 4".to_owned()),
        ];
        assert_eq!(blocks(PROSE), expected);
    }

    #[test]
    fn what_is_not_in_the_source_is_listed_clause_by_clause() {
        let all = beyond(
            "# As written\n\n- D1, D4 Ours.\n- D6 to D8 The text\n  ends.\n- Hands are ours.",
        );
        let all: Vec<(&str, &str)> = all.iter().map(|(id, note)| (&id[..], &note[..])).collect();
        let ends = "The text ends.";
        assert_eq!(
            all,
            [("D1", "Ours."), ("D4", "Ours."), ("D6", ends), ("D7", ends), ("D8", ends)]
        );
    }

    #[test]
    fn lists_and_ranges_are_read_clause_by_clause() {
        for (text, ids, rest) in [
            ("W4, W5. The greater.", &["W4", "W5"][..], "The greater."),
            ("A14 to A17 The text", &["A14", "A15", "A16", "A17"], "The text"),
            ("B2 to B4, and B9: more", &["B2", "B3", "B4", "B9"], "more"),
            ("L20", &["L20"], ""),
            ("To be. W3", &[], "To be. W3"),
            ("A2 to B4. Mixed", &["A2", "B4"], "Mixed"),
            ("A1 to A999999999999. Far", &["A1", "A999999999999"], "Far"),
        ] {
            let (found, left) = leading(text);
            assert_eq!(
                (found.iter().map(String::as_str).collect::<Vec<_>>(), left),
                (ids.to_vec(), rest)
            );
        }
    }

    #[test]
    fn clauses_in_a_sentence_are_cited_where_the_letters_are_known() {
        let letters = ["W".to_owned()];
        assert_eq!(
            cited("W1. As in (W7), not in A4; W1 again, and W10.", &letters),
            ["W1", "W7", "W10"]
        );
        assert!(cited("A `2W6` die, W, 7.", &letters).is_empty());
    }
}
