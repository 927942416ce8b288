//! Draws plots and grids in a terminal.

use super::{Axis, Grid, Plot, Point, RANGES, share};
use crate::report::{filled, listed, tidy};

/// The letter for points of several curves in one place.
const SEVERAL: char = '&';
/// The most columns of a plot; wider curves show no more.
const WIDEST: usize = 100;

/// The letters that a plot is made of.
struct Glyphs {
    points: &'static [char],
    between: char,
    /// For 95 % intervals.
    bar: char,
    /// For proven bounds.
    bounds: char,
    side: char,
    mark: char,
    corner: char,
    bottom: char,
    below: char,
}

const FANCY: Glyphs = Glyphs {
    points: &['●', '○', '■', '□', '▲', '△', '◆', '◇'],
    between: '·',
    bar: '│',
    bounds: '┊',
    side: '│',
    mark: '┤',
    corner: '└',
    bottom: '─',
    below: '┬',
};
const PLAIN: Glyphs = Glyphs {
    points: &['o', 'x', '+', '*', '#', '@', '%', '='],
    between: '.',
    bar: '|',
    bounds: ':',
    side: '|',
    mark: '+',
    corner: '+',
    bottom: '-',
    below: '+',
};

impl Glyphs {
    fn range(&self, proven: bool) -> char {
        if proven { self.bounds } else { self.bar }
    }
}

/// A field of letters, rows from the top.
struct Canvas {
    rows: Vec<Vec<char>>,
    columns: usize,
}

pub(super) fn plot(plot: &Plot, width: usize, plain: bool) -> String {
    let letters = if plain { &PLAIN } else { &FANCY };
    let mut lines = vec![filled(&plot.title, width)];
    if plot.points().next().is_none() {
        lines.push("nothing to plot".to_owned());
        return joined(lines);
    }
    let (across, up) = (Axis::across(plot), Axis::up(plot, 5));
    let labels = up.marks.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
    let columns = width.saturating_sub(labels + 2).clamp(8, WIDEST);
    let spacing = if columns < 40 { 2 } else { 3 };
    let mut canvas = Canvas::new(columns, (up.marks.len() - 1) * spacing + 1);
    let several = curves(&mut canvas, plot, &across, &up, letters);

    lines.push(filled(&plot.y, width));
    lines.push(String::new());
    for (row, text) in canvas.rows.iter().enumerate() {
        let mark = up.marks.iter().find(|(number, _)| canvas.row(up.share(*number)) == row);
        let label = mark.map_or("", |(_, text)| text);
        let side = if mark.is_some() { letters.mark } else { letters.side };
        lines.push(format!("{label:>labels$} {side}{}", text.iter().collect::<String>()));
    }
    lines.extend(below(&across, &canvas, labels, letters));
    // The name is below the middle, but not beyond the right end.
    let name = plot.x.chars().count();
    let middle = labels + 2 + columns.saturating_sub(name) / 2;
    let start = middle.min(width.saturating_sub(name));
    lines.push(format!("{:start$}{}", "", plot.x));
    let legend = legend(plot, several, letters);
    if !legend.is_empty() {
        lines.push(String::new());
        lines.push(listed(legend.iter().map(String::as_str), ", ", width));
    }
    joined(lines)
}

fn joined(lines: Vec<String>) -> String {
    let lines = lines.iter().map(|line| line.trim_end());
    let text = lines.collect::<Vec<_>>().join("\n");
    text.trim_start_matches('\n').to_owned()
}

/// Draws bars, lines between points, then points; returns whether points of several curves meet.
fn curves(canvas: &mut Canvas, plot: &Plot, across: &Axis, up: &Axis, letters: &Glyphs) -> bool {
    // Bars of several curves are side by side where there is room.
    let all = plot.series.len();
    let room = canvas.columns / across.marks.len().max(1);
    let aside = |i: usize| match plot.has_ranges() && room > all {
        true => i as isize - (all as isize - 1) / 2,
        false => 0,
    };
    let place = |canvas: &Canvas, i: usize, point: &Point| {
        let column = canvas.column(across.share(point.x)).saturating_add_signed(aside(i));
        (column.min(canvas.columns - 1), canvas.row(up.share(point.y)))
    };
    for (i, series) in plot.series.iter().enumerate() {
        for point in &series.points {
            let Some((low, high)) = point.range else { continue };
            let (column, _) = place(canvas, i, point);
            for row in canvas.row(up.share(high))..=canvas.row(up.share(low)) {
                canvas.rows[row][column] = letters.range(point.proven);
            }
        }
    }
    for (i, series) in plot.series.iter().enumerate() {
        for pair in series.points.windows(2).filter(|_| plot.words.is_empty()) {
            let (from, to) = (place(canvas, i, &pair[0]), place(canvas, i, &pair[1]));
            canvas.connect(from, to, letters.between);
        }
    }
    let mut several = false;
    for (i, series) in plot.series.iter().enumerate() {
        let letter = letters.points[i % letters.points.len()];
        for point in &series.points {
            let (column, row) = place(canvas, i, point);
            let cell = &mut canvas.rows[row][column];
            let taken = *cell != letter && (letters.points.contains(cell) || *cell == SEVERAL);
            several |= taken;
            *cell = if taken { SEVERAL } else { letter };
        }
    }
    several
}

fn below(across: &Axis, canvas: &Canvas, labels: usize, letters: &Glyphs) -> [String; 2] {
    let width = |text: &str| text.chars().count() as f64 + 1.0;
    let marks = across.sparse(canvas.columns as f64 - 3.0, width);
    let mut line = vec![letters.bottom; canvas.columns];
    let mut texts = vec![' '; labels + 2 + canvas.columns];
    let mut free = 0;
    for (number, text) in marks {
        let column = canvas.column(across.share(*number));
        let length = text.chars().count();
        // Texts at the ends are moved inwards.
        let last = texts.len().saturating_sub(length);
        let start = (labels + 2 + column).saturating_sub(length / 2).min(last);
        if start < free {
            continue;
        }
        line[column] = letters.below;
        for (cell, letter) in texts.iter_mut().skip(start).zip(text.chars()) {
            *cell = letter;
        }
        free = start + length + 1;
    }
    let axis: String = line.into_iter().collect();
    [format!("{:labels$} {}{axis}", "", letters.corner), texts.into_iter().collect()]
}

fn legend(plot: &Plot, several: bool, letters: &Glyphs) -> Vec<String> {
    let mut legend = Vec::new();
    if plot.has_legend() {
        for (i, series) in plot.series.iter().enumerate() {
            legend.push(format!("{} {}", letters.points[i % letters.points.len()], series.name));
        }
    }
    if several {
        legend.push(format!("{SEVERAL} several"));
    }
    let ranges = RANGES.into_iter().filter(|(proven, _)| plot.has_range(*proven));
    legend.extend(ranges.map(|(proven, text)| format!("{} {text}", letters.range(proven))));
    legend
}

impl Canvas {
    fn new(columns: usize, rows: usize) -> Canvas {
        Canvas { rows: vec![vec![' '; columns]; rows], columns }
    }

    /// The column of a share of the width, with one free at both sides.
    fn column(&self, share: f64) -> usize {
        1 + (share * (self.columns - 3) as f64).round() as usize
    }

    fn row(&self, share: f64) -> usize {
        ((1.0 - share) * (self.rows.len() - 1) as f64).round() as usize
    }

    /// Writes a letter in the empty cells of the columns between two places.
    fn connect(&mut self, from: (usize, usize), to: (usize, usize), letter: char) {
        for column in from.0 + 1..to.0 {
            let share = (column - from.0) as f64 / (to.0 - from.0) as f64;
            let row = from.1 as f64 + (to.1 as f64 - from.1 as f64) * share;
            let cell = &mut self.rows[row.round() as usize][column];
            if *cell == ' ' {
                *cell = letter;
            }
        }
    }
}

/// Shades from the least number to the greatest.
const FANCY_SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
const PLAIN_SHADES: [char; 5] = [' ', '.', ':', '+', '#'];

/// A grid within a width; columns that do not fit beside each other are split into several tables.
pub(super) fn grid(grid: &Grid, width: usize, plain: bool) -> String {
    let shades = if plain { PLAIN_SHADES } else { FANCY_SHADES };
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
