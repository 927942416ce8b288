//! HTML tables of the report, with a caption, heads for columns and rows, and room to scroll.

use askama::Template;

/// Numbers below heads; the first cell of each row heads it.
#[derive(Template)]
#[template(path = "table.html", config = "src/tournament/report/askama.toml")]
pub(super) struct Table {
    pub caption: String,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these heads.
    pub(super) fn new(caption: &str, header: &[&str], rows: Vec<Vec<String>>) -> Table {
        let header = header.iter().map(|head| (*head).to_owned()).collect();
        Table { caption: caption.to_owned(), header, rows }
    }
}
