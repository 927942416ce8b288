//! How do rows look? A table cut to the width of the terminal.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, presets};

/// Rows below a header, within `width` columns, numbers to the right; `plain` draws no line below the header.
pub fn table(header: &[&str], rows: &[Vec<String>], width: usize, plain: bool) -> String {
    let rule = LineStyle::none().fill('─').junction('─');
    let mut table = Table::new();
    table
        .load_style(if plain { presets::NOTHING } else { presets::NOTHING.header_separator(rule) })
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        if rows.iter().all(|row| row.get(i).is_some_and(|cell| is_number(cell))) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let trimmed: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    trimmed.join("\n")
}

fn is_number(cell: &str) -> bool {
    cell.trim_end_matches(" %").parse::<f64>().is_ok()
}
