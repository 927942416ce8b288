//! The documentation of the lab's functions, read from `documentation.md`. It is a text of its own
//! because examples name systems, and no code here knows a system by name.

use crate::analysis::{GLOSSARY, Meaning, WISHES};
use crate::handbook::{self, HandbookEntry, LAB, MEASURES, entries};

/// A function a heading; below it what it does, then its examples, each a line that begins with `>`.
const TEXT: &str = include_str!("documentation.md");

/// The functions of the lab, in the order in which they are best read.
pub fn documentation() -> Vec<HandbookEntry> {
    let sections = TEXT.split("\n### ").skip(1);
    let entry = |section: &str| {
        let (signature, rest) = section.split_once('\n').unwrap_or((section, ""));
        let is_example = |line: &&str| line.starts_with('>');
        let text: Vec<&str> = rest.lines().filter(|line| !is_example(line)).collect();
        let example = rest.lines().filter(is_example).map(|line| line[1..].trim());
        let example: Vec<&str> = example.collect();
        HandbookEntry::plain(LAB, signature.trim(), text.join("\n").trim(), &example.join("\n"))
    };
    sections.map(entry).collect()
}

/// What each measure of a portrait means.
pub fn measures() -> Vec<HandbookEntry> {
    let entry = |one: &Meaning| {
        let text = format!("{} Unit: {}.\n\n{}", one.meaning, one.unit, one.source);
        HandbookEntry {
            name: one.name.to_owned(),
            ..HandbookEntry::plain(MEASURES, one.name, &text, "")
        }
    };
    GLOSSARY.iter().map(entry).collect()
}

/// How wishes of a tuning are written, and what each form means.
pub fn wishes() -> Vec<HandbookEntry> {
    let entry = |(form, text): &(&str, &str)| HandbookEntry {
        name: (*form).to_owned(),
        ..HandbookEntry::plain(handbook::WISHES, form, text, "")
    };
    WISHES.iter().map(entry).collect()
}

/// All that a script can define or call, family by family: the handbook's, and the lab's.
pub fn known() -> Vec<HandbookEntry> {
    entries().into_iter().chain(documentation()).collect()
}
