//! How do rows look? A table cut to the width of the terminal.

use comfy_table::{ContentArrangement, Table, presets};

/// Rows below a header, within `width` columns; `plain` draws no boxes.
pub fn table(header: &[&str], rows: &[Vec<String>], width: usize, plain: bool) -> String {
    let mut table = Table::new();
    table
        .load_style(if plain { presets::NOTHING } else { presets::UTF8_HORIZONTAL_ONLY })
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .set_header(header);
    for row in rows {
        table.add_row(row);
    }
    let trimmed: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    trimmed.join("\n")
}
