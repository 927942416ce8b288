//! Draws a grid in a terminal: a table of numbers, each with a shade beside it.

use super::{Grid, share};
use crate::render::{filled, tidy};

/// Shades from the least number to the greatest.
const FANCY: [char; 5] = [' ', '░', '▒', '▓', '█'];
const PLAIN: [char; 5] = [' ', '.', ':', '+', '#'];

/// A grid within a width; columns that do not fit beside each other are split into several tables.
pub(super) fn grid(grid: &Grid, width: usize, plain: bool) -> String {
    let shades = if plain { PLAIN } else { FANCY };
    let mut lines = vec![filled(&grid.title, width)];
    let Some(bounds) = grid.bounds() else {
        lines.push("nothing to plot".to_owned());
        return lines.join("\n").trim_start().to_owned();
    };
    lines.push(filled(&format!("{} to the right, {} downwards", grid.x, grid.y), width));
    if bounds.0 < bounds.1 {
        lines.push(filled(&scale(bounds, shades), width));
    }

    let longest = |texts: &[String]| texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    let head = longest(&grid.rows);
    let text = |row: usize, column: usize| match grid.cell(row, column) {
        Some(number) => format!("{} {}", written(number, bounds), shade(number, bounds, shades)),
        None => "-  ".to_owned(),
    };
    let rows = grid.rows.len().max(grid.cells.len());
    let columns = grid.columns.len().max(grid.cells.iter().map(Vec::len).max().unwrap_or(0));
    let texts: Vec<Vec<String>> =
        (0..rows).map(|row| (0..columns).map(|column| text(row, column)).collect()).collect();
    let cell =
        texts.iter().map(|row| longest(row)).max().unwrap_or(0).max(longest(&grid.columns) + 2);
    let beside = (width.saturating_sub(head) / (cell + 2)).max(1);
    for from in (0..columns).step_by(beside) {
        let shown = from..(from + beside).min(columns);
        lines.push(String::new());
        let name = |column: usize| grid.columns.get(column).map_or("", String::as_str);
        // A column's name is above its numbers, not above the shades.
        let names =
            shown.clone().map(|column| format!("  {:>cell$}", format!("{}  ", name(column))));
        lines.push(format!("{:head$}{}", "", names.collect::<String>()));
        for (row, texts) in texts.iter().enumerate() {
            let name = grid.rows.get(row).map_or("", String::as_str);
            let cells = texts[shown.clone()].iter().map(|text| format!("  {text:>cell$}"));
            lines.push(format!("{name:>head$}{}", cells.collect::<String>()));
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n").trim_start_matches('\n').to_owned()
}

/// The legend of the shades.
fn scale(bounds: (f64, f64), shades: [char; 5]) -> String {
    let shades: String = shades.into_iter().filter(|shade| *shade != ' ').collect();
    format!("{} {shades} {}", written(bounds.0, bounds), written(bounds.1, bounds))
}

fn shade(number: f64, bounds: (f64, f64), shades: [char; 5]) -> char {
    let index = (share(number, bounds) * shades.len() as f64) as usize;
    shades[index.min(shades.len() - 1)]
}

/// A number of a grid: with three places, with one in a grid of large numbers, or, in a grid of
/// very large or very small ones, in scientific notation.
pub(super) fn written(number: f64, (low, high): (f64, f64)) -> String {
    let size = low.abs().max(high.abs());
    if size >= 1e7 || (size > 0.0 && size < 1e-3) {
        return format!("{number:.2e}");
    }
    match size >= 100.0 {
        true => tidy((number * 10.0).round() / 10.0),
        false => tidy((number * 1000.0).round() / 1000.0),
    }
}
