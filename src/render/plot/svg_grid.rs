//! Draws a grid as SVG: cells shaded by their numbers, which are written in them.

use super::grid::written;
use super::svg_writer::{At, INK, Paper, place, width};
use super::{Grid, share};
use crate::render::filled;

const CELL: (f64, f64) = (64.0, 36.0);
const TEXT: f64 = 13.0;
const LINE: f64 = 20.0;
/// The shades of the least and the greatest number, as red, green and blue.
const LIGHT: [f64; 3] = [247.0, 251.0, 255.0];
const DARK: [f64; 3] = [8.0, 48.0, 107.0];

/// A grid whose texts are tame.
pub(super) fn grid(grid: &Grid) -> Paper {
    let bounds = grid.bounds();
    let rows = grid.rows.len().max(grid.cells.len());
    let columns = grid.columns.len().max(grid.cells.iter().map(Vec::len).max().unwrap_or(0));
    let names = grid.columns.iter().map(|name| width(name, TEXT) + 10.0);
    let cell = names.fold(CELL.0, f64::max);
    let left = 48.0 + grid.rows.iter().map(|name| width(name, TEXT)).fold(0.0, f64::max);
    let right = left + columns as f64 * cell + 24.0;
    let paper_width = right.max(360.0).max(left + width(&grid.x, TEXT) + 24.0);
    let letters = ((paper_width - 32.0) / (16.0 * 0.6)) as usize;
    let title = filled(&grid.title, letters);
    let top = 16.0 + title.lines().count() as f64 * LINE + 52.0;
    let bottom = top + rows as f64 * CELL.1;

    let mut paper = Paper::new(paper_width, bottom + 44.0, &grid.title);
    for (i, line) in title.lines().enumerate() {
        let place = (paper_width / 2.0, 28.0 + i as f64 * LINE);
        paper.text(place, At::Middle, 16.0, r#" font-weight="bold""#, line);
    }
    let middle = left + columns as f64 * cell / 2.0;
    paper.text(
        (middle.max(left + width(&grid.x, TEXT) / 2.0), top - 30.0),
        At::Middle,
        TEXT,
        "",
        &grid.x,
    );
    let side = (20.0, (top + bottom) / 2.0);
    let turned = format!(r#" transform="rotate(-90 {} {})""#, place(side.0), place(side.1));
    paper.text(side, At::Middle, TEXT, &turned, &grid.y);
    for (column, name) in grid.columns.iter().enumerate() {
        let x = left + (column as f64 + 0.5) * cell;
        paper.text((x, top - 8.0), At::Middle, TEXT, "", name);
    }
    for row in 0..rows {
        let y = top + row as f64 * CELL.1;
        let name = grid.rows.get(row).map_or("", String::as_str);
        paper.text((left - 8.0, y + CELL.1 / 2.0 + 4.5), At::End, TEXT, "", name);
        for column in 0..columns {
            let corner = (left + column as f64 * cell, y);
            draw_cell(&mut paper, corner, cell, grid.cell(row, column).zip(bounds));
        }
    }
    let note = match bounds {
        Some(bounds) => {
            format!("light {} to dark {}", written(bounds.0, bounds), written(bounds.1, bounds))
        }
        None => "nothing to plot".to_owned(),
    };
    paper.text((left, bottom + 26.0), At::Start, TEXT, "", &note);
    paper
}

fn draw_cell(paper: &mut Paper, (x, y): (f64, f64), cell: f64, number: Option<(f64, (f64, f64))>) {
    let shade = number.map(|(number, bounds)| share(number, bounds));
    let colour = match shade {
        Some(shade) => mixed(shade),
        None => "#ffffff".to_owned(),
    };
    let (left, top, height) = (place(x), place(y), CELL.1);
    let cell_width = place(cell);
    paper.shape(
        "rect",
        format_args!(
            r##"x="{left}" y="{top}" width="{cell_width}" height="{height}" fill="{colour}" stroke="#ffffff""##
        ),
    );
    // The number stands out from its shade.
    let ink = if shade.is_some_and(|shade| shade > 0.55) { "#ffffff" } else { INK };
    let text = number.map_or("-".to_owned(), |(number, bounds)| written(number, bounds));
    let place = (x + cell / 2.0, y + CELL.1 / 2.0 + 4.5);
    paper.text(place, At::Middle, TEXT, &format!(r#" fill="{ink}""#), &text);
}

/// A colour between light and dark.
fn mixed(share: f64) -> String {
    let parts = [0, 1, 2].map(|i| (LIGHT[i] + (DARK[i] - LIGHT[i]) * share).round() as u8);
    format!("#{:02x}{:02x}{:02x}", parts[0], parts[1], parts[2])
}
