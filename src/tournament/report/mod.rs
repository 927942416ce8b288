//! What does a tournament look like on a page? One HTML file that needs nothing else.
//!
//! No script, no font and no picture comes from anywhere; it reads in light and in dark, on a narrow
//! screen, and aloud: each plot has a title, a description, and a table beside it.

mod html;
mod plots;
mod sections;
mod style;

use super::{Course, Crosstable, Forfeit, Identity, Standings};
use html::Html;

/// All that a report tells of.
pub struct Report<'a> {
    /// The tournament.
    pub course: &'a Course<'a>,
    /// What its results are of.
    pub identity: &'a Identity,
    /// The games that ended by a forfeit: number, who erred, and how. The first ones do.
    pub forfeits: &'a [(u64, String, Forfeit)],
}

impl Report<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let standings = Standings::of(self.course);
        let order: Vec<usize> = standings.rows.iter().map(|row| row.index).collect();
        let table = Crosstable::of(self.course, &order);
        let title = self.course.spec().title.as_deref().unwrap_or("Tournament");
        let mut page = Html::default();
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
        page.element("title", title);
        page.raw(&format!("\n<style>{}</style>\n</head>\n<body>\n<main>\n", style::STYLE));
        page.element("h1", title);
        sections::summary(&mut page, self.course);
        sections::standings(&mut page, &standings);
        sections::crosstable(&mut page, &table);
        sections::scenarios(&mut page, self.course, self.identity, &standings);
        sections::pairings(&mut page, &table);
        sections::narrowed(&mut page, self.course);
        sections::notes(&mut page, &standings, self.forfeits);
        sections::repeat(&mut page, self.identity);
        page.raw("</main>\n</body>\n</html>\n");
        page.finish()
    }
}
