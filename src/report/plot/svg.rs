//! Draws a plot or a shaded grid as SVG: curves with marks and error bars, cells, axes and a legend.
//!
//! No crate is used: only a few shapes are needed, and the same numbers must give the same text on
//! every machine and with every version.

use std::fmt::Write;

use super::text::written;
use super::{Axis, Grid, Plot, RANGES, Series, share};
use crate::report::filled;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const TEXT: f64 = 13.0;
const TITLE: f64 = 16.0;
const LINE: f64 = 20.0;
const FAINT: &str = "#dddddd";

/// Colours that nearly everyone can distinguish (Okabe and Ito, Color Universal Design, 2008), each with the name of
/// players who have it.
const COLOURS: [(&str, &str); 7] = [
    ("blue", "#0072b2"),
    ("red", "#d55e00"),
    ("green", "#009e73"),
    ("purple", "#cc79a7"),
    ("orange", "#e69f00"),
    ("teal", "#56b4e9"),
    ("black", "#000000"),
];

struct Field {
    left: f64,
    top: f64,
    across: Axis,
    up: Axis,
}

impl Field {
    const RIGHT: f64 = WIDTH - 24.0;
    /// The space kept free at the left and right end of the field.
    const MARGIN: f64 = 12.0;

    fn x(&self, number: f64) -> f64 {
        self.left + Field::MARGIN + self.across.share(number) * self.length()
    }

    fn y(&self, number: f64) -> f64 {
        self.top + (1.0 - self.up.share(number)) * HEIGHT
    }

    fn length(&self) -> f64 {
        Field::RIGHT - self.left - 2.0 * Field::MARGIN
    }

    fn bottom(&self) -> f64 {
        self.top + HEIGHT
    }
}

pub(super) fn plot(plot: &Plot) -> SvgWriter {
    let up = Axis::up(plot, 6);
    let labels = up.marks.iter().map(|(_, text)| width(text, TEXT)).fold(0.0, f64::max);
    let title = filled(&plot.title, 70);
    let top = 16.0 + title.lines().count() as f64 * LINE + 8.0;
    let field = Field { left: labels + 52.0, top, across: Axis::across(plot), up };
    let legend = legend_rows(plot, &field);
    let height = field.bottom() + 58.0 + legend.len() as f64 * LINE;

    let mut paper = SvgWriter::new(WIDTH, height, &plot.title);
    for (i, line) in title.lines().enumerate() {
        let place = (WIDTH / 2.0, 28.0 + i as f64 * LINE);
        paper.text(place, Anchor::Middle, TITLE, r#" font-weight="bold""#, line);
    }
    axes(&mut paper, plot, &field);
    let looks = looks(plot);
    for (i, (series, look)) in plot.series.iter().zip(&looks).enumerate() {
        curve(&mut paper, plot, series, (i, *look), &field);
    }
    if plot.points().next().is_none() {
        let middle = ((field.left + Field::RIGHT) / 2.0, field.top + HEIGHT / 2.0);
        paper.text(middle, Anchor::Middle, TEXT, "", "nothing to plot");
    }
    for (row, items) in legend.iter().enumerate() {
        let y = field.bottom() + 62.0 + row as f64 * LINE;
        for (x, item) in items {
            draw_item(&mut paper, plot, (*item, looks.get(*item)), (*x, y));
        }
    }
    paper
}

fn axes(paper: &mut SvgWriter, plot: &Plot, field: &Field) {
    let (left, bottom) = (field.left, field.bottom());
    for (number, text) in &field.up.marks {
        let y = field.y(*number);
        paper.line((left, y), (Field::RIGHT, y), FAINT, 1.0);
        paper.text((left - 8.0, y + 4.5), Anchor::End, TEXT, "", text);
    }
    for (number, text) in field.across.sparse(field.length(), |text| width(text, TEXT) + 8.0) {
        let x = field.x(*number);
        paper.line((x, bottom), (x, bottom + 5.0), INK, 1.0);
        paper.text((x, bottom + 20.0), Anchor::Middle, TEXT, "", text);
    }
    paper.line((left, field.top), (left, bottom), INK, 1.0);
    paper.line((left, bottom), (Field::RIGHT, bottom), INK, 1.0);
    let middle = (left + Field::RIGHT) / 2.0;
    paper.text((middle, bottom + 42.0), Anchor::Middle, TEXT, "", &plot.x);
    let up = (20.0, field.top + HEIGHT / 2.0);
    let turned = format!(r#" transform="rotate(-90 {} {})""#, place(up.0), place(up.1));
    paper.text(up, Anchor::Middle, TEXT, &turned, &plot.y);
}

/// One of these colours for each name, in the same order: its own where it is that of a colour, else the next that is
/// nobody's.
pub(crate) fn colours_for(
    names: &[&str],
    colours: impl Iterator<Item = &'static str> + Clone,
) -> Vec<&'static str> {
    let left: Vec<&str> = colours.clone().filter(|colour| !names.contains(colour)).collect();
    let mut next = left.into_iter().cycle();
    let own = |name: &str| colours.clone().find(|colour| *colour == name);
    names.iter().map(|name| own(name).or_else(|| next.next()).unwrap_or("grey")).collect()
}

/// The shape of a curve's points, by its number, and its colour.
pub(super) type Look = (usize, &'static str);

/// How each curve looks, no two alike: the colour of a player who is named after one is theirs, as in drawings.
pub(super) fn looks(plot: &Plot) -> Vec<Look> {
    let names: Vec<&str> = plot.series.iter().map(|series| series.name.as_str()).collect();
    let code = |name: &str| COLOURS.iter().find(|(colour, _)| *colour == name);
    let named = colours_for(&names, COLOURS.iter().map(|(name, _)| *name));
    let mut looks: Vec<Look> = Vec::new();
    for (index, name) in named.into_iter().enumerate() {
        let colour = code(name).map_or(INK, |(_, code)| code);
        let look = |further: usize| ((index + further) % SHAPES.len(), colour);
        let free = (0..SHAPES.len()).map(look).find(|look| !looks.contains(look));
        looks.push(free.unwrap_or(look(0)));
    }
    looks
}

fn curve(
    paper: &mut SvgWriter,
    plot: &Plot,
    series: &Series,
    (index, look): (usize, Look),
    field: &Field,
) {
    let (_, colour) = look;
    // Bars of several curves are side by side, so that none hides another.
    let aside = match plot.has_ranges() {
        true => (index as f64 - (plot.series.len() as f64 - 1.0) / 2.0) * 5.0,
        false => 0.0,
    };
    let x = |number: f64| field.x(number) + aside.clamp(-Field::MARGIN, Field::MARGIN);
    // Between words there is nothing that a line could go through.
    if plot.words.is_empty() && series.points.len() > 1 {
        let place = |number: f64| place(number);
        let points = series.points.iter();
        let points =
            points.map(|point| format!("{},{}", place(x(point.x)), place(field.y(point.y))));
        let points = points.collect::<Vec<_>>().join(" ");
        paper.shape(
            "polyline",
            format_args!(r#"points="{points}" fill="none" stroke="{colour}" stroke-width="2""#),
        );
    }
    for point in &series.points {
        let x = x(point.x);
        if let Some((low, high)) = point.range {
            bar(paper, x, (field.y(low), field.y(high)), colour, point.proven);
        }
        mark(paper, look, (x, field.y(point.y)));
    }
}

/// An interval is closed by a line at either end; proven bounds have no such lines and are wider.
fn bar(paper: &mut SvgWriter, x: f64, (low, high): (f64, f64), colour: &str, proven: bool) {
    if proven {
        paper.line((x, low), (x, high), colour, 4.0);
        return;
    }
    paper.line((x, low), (x, high), colour, 1.5);
    for y in [low, high] {
        paper.line((x - 4.0, y), (x + 4.0, y), colour, 1.5);
    }
}

/// The corners of points: those of a circle are none.
const SHAPES: [&[(f64, f64)]; 4] = [
    &[],
    &[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)],
    &[(0.0, -5.0), (5.0, 4.0), (-5.0, 4.0)],
    &[(0.0, -5.5), (5.5, 0.0), (0.0, 5.5), (-5.5, 0.0)],
];

/// Draws a point of a curve: its shape identifies the curve, as its colour does.
fn mark(paper: &mut SvgWriter, (shape, colour): Look, (x, y): (f64, f64)) {
    let corners = SHAPES[shape];
    if corners.is_empty() {
        let (x, y) = (place(x), place(y));
        paper.shape("circle", format_args!(r#"cx="{x}" cy="{y}" r="4" fill="{colour}""#));
        return;
    }
    let corners = corners.iter().map(|(dx, dy)| format!("{},{}", place(x + dx), place(y + dy)));
    let corners = corners.collect::<Vec<_>>().join(" ");
    paper.shape("polygon", format_args!(r#"points="{corners}" fill="{colour}""#));
}

/// The curves by number, and then the meanings of bars, in rows as wide as the field.
fn legend_rows(plot: &Plot, field: &Field) -> Vec<Vec<(f64, usize)>> {
    let mut items: Vec<usize> = Vec::new();
    if plot.has_legend() {
        items.extend(0..plot.series.len());
    }
    let ranges = RANGES.iter().enumerate().filter(|(_, (proven, _))| plot.has_range(*proven));
    items.extend(ranges.map(|(at, _)| plot.series.len() + at));
    let mut rows: Vec<Vec<(f64, usize)>> = Vec::new();
    let mut x = f64::INFINITY;
    for item in items {
        let needed = 40.0 + width(item_text(plot, item), TEXT);
        if x + needed > Field::RIGHT {
            rows.push(Vec::new());
            x = field.left;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, item));
        }
        x += needed;
    }
    rows
}

fn item_text(plot: &Plot, item: usize) -> &str {
    let range = |at: usize| RANGES.get(at).map_or("", |(_, text)| text);
    plot.series.get(item).map_or_else(|| range(item - plot.series.len()), |series| &series.name)
}

fn draw_item(
    paper: &mut SvgWriter,
    plot: &Plot,
    (item, look): (usize, Option<&Look>),
    (x, y): (f64, f64),
) {
    let middle = (x + 8.0, y - 4.5);
    match look {
        Some(look) => mark(paper, *look, middle),
        None => {
            let proven = item > plot.series.len();
            bar(paper, middle.0, (middle.1 + 7.0, middle.1 - 7.0), INK, proven);
        }
    }
    paper.text((x + 20.0, y), Anchor::Start, TEXT, "", item_text(plot, item));
}

const CELL: (f64, f64) = (64.0, 36.0);
/// The shades of the least and the greatest number, as red, green and blue.
const LIGHT: [f64; 3] = [247.0, 251.0, 255.0];
const DARK: [f64; 3] = [8.0, 48.0, 107.0];

pub(super) fn grid(grid: &Grid) -> SvgWriter {
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

    let mut paper = SvgWriter::new(paper_width, bottom + 44.0, &grid.title);
    for (i, line) in title.lines().enumerate() {
        let place = (paper_width / 2.0, 28.0 + i as f64 * LINE);
        paper.text(place, Anchor::Middle, 16.0, r#" font-weight="bold""#, line);
    }
    let middle = left + columns as f64 * cell / 2.0;
    paper.text(
        (middle.max(left + width(&grid.x, TEXT) / 2.0), top - 30.0),
        Anchor::Middle,
        TEXT,
        "",
        &grid.x,
    );
    let side = (20.0, (top + bottom) / 2.0);
    let turned = format!(r#" transform="rotate(-90 {} {})""#, place(side.0), place(side.1));
    paper.text(side, Anchor::Middle, TEXT, &turned, &grid.y);
    for (column, name) in grid.columns.iter().enumerate() {
        let x = left + (column as f64 + 0.5) * cell;
        paper.text((x, top - 8.0), Anchor::Middle, TEXT, "", name);
    }
    for row in 0..rows {
        let y = top + row as f64 * CELL.1;
        let name = grid.rows.get(row).map_or("", String::as_str);
        paper.text((left - 8.0, y + CELL.1 / 2.0 + 4.5), Anchor::End, TEXT, "", name);
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
    paper.text((left, bottom + 26.0), Anchor::Start, TEXT, "", &note);
    paper
}

fn draw_cell(
    paper: &mut SvgWriter,
    (x, y): (f64, f64),
    cell: f64,
    number: Option<(f64, (f64, f64))>,
) {
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
    paper.text(place, Anchor::Middle, TEXT, &format!(r#" fill="{ink}""#), &text);
}

/// A colour between light and dark.
fn mixed(share: f64) -> String {
    let parts = [0, 1, 2].map(|i| (LIGHT[i] + (DARK[i] - LIGHT[i]) * share).round() as u8);
    format!("#{:02x}{:02x}{:02x}", parts[0], parts[1], parts[2])
}

/// The average width of a letter relative to its size; generous, since fonts differ.
const LETTER: f64 = 0.6;

/// An SVG document that is being written.
pub(in crate::report) struct SvgWriter {
    body: String,
    width: f64,
    height: f64,
    title: String,
}

#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl SvgWriter {
    /// An empty document; the title names it for those who cannot see it.
    pub(in crate::report) fn new(width: f64, height: f64, title: &str) -> SvgWriter {
        SvgWriter { body: String::new(), width, height, title: title.to_owned() }
    }

    /// An element with its attributes; those that hold texts must be escaped.
    pub(super) fn shape(&mut self, name: &str, attributes: std::fmt::Arguments<'_>) {
        self.add(name, attributes, "");
    }

    /// An element that may hold a text.
    pub(in crate::report) fn add(
        &mut self,
        name: &str,
        attributes: std::fmt::Arguments<'_>,
        text: &str,
    ) {
        // Writing to a string does not fail.
        let _ = match text {
            "" => writeln!(self.body, "<{name} {attributes}/>"),
            text => writeln!(self.body, "<{name} {attributes}>{}</{name}>", escaped(text)),
        };
    }

    /// A line from one place to another.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let (x1, y1, x2, y2) = (place(from.0), place(from.1), place(to.0), place(to.1));
        self.shape(
            "line",
            format_args!(
                r#"x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}""#
            ),
        );
    }

    /// A text of a size in pixels, placed by its base line.
    pub(super) fn text(
        &mut self,
        (x, y): (f64, f64),
        at: Anchor,
        size: f64,
        style: &str,
        text: &str,
    ) {
        let anchor = match at {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (place(x), place(y));
        let attributes =
            format_args!(r#"x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}"{style}"#);
        self.add("text", attributes, text);
    }

    /// Several papers as one, below each other.
    pub(super) fn stacked(papers: Vec<SvgWriter>) -> SvgWriter {
        let titles: Vec<&str> = papers.iter().map(|paper| paper.title.as_str()).collect();
        let widest = papers.iter().map(|paper| paper.width).fold(0.0, f64::max);
        let mut all = SvgWriter::new(widest, 0.0, &titles.join("; "));
        for paper in papers {
            let (y, body) = (place(all.height), paper.body);
            all.body.push_str(&format!("<g transform=\"translate(0 {y})\">\n{body}</g>\n"));
            all.height += paper.height;
        }
        all
    }

    /// The drawing as an element of a page, with what is read aloud of it.
    pub(super) fn element(self, id: &str, words: &str) -> String {
        let (width, height) = (place(self.width), place(self.height));
        let (title, words) = (escaped(&self.title), escaped(words));
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-words\" font-family=\"sans-serif\">\n\
             <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-words\">{words}</desc>\n{}</svg>\n",
            self.body
        )
    }

    /// The drawing as a file that shows this part of it, on its paper, with a style and what is read aloud.
    pub(in crate::report) fn framed(self, view: [f64; 4], style: &str, words: &str) -> String {
        let [x, y, width, height] = view.map(place);
        let words = words.lines().map(escaped).collect::<Vec<_>>().join("\n");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{x} {y} {width} {height}\" role=\"img\" aria-labelledby=\"title words\" \
             font-family=\"sans-serif\">\n<title id=\"title\">{}</title>\n<desc id=\"words\">{words}</desc>\n\
             <style>\n{style}</style>\n\
             <rect class=\"fill-paper\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            escaped(&self.title),
            self.body
        )
    }

    pub(super) fn finish(self) -> String {
        let (width, height, title) = (place(self.width), place(self.height), escaped(&self.title));
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" "#,
                r#"viewBox="0 0 {0} {1}" role="img" font-family="sans-serif" fill="{2}">"#,
                "\n<title>{3}</title>\n",
                r##"<rect width="{0}" height="{1}" fill="#ffffff"/>"##,
                "\n{4}</svg>\n"
            ),
            width, height, INK, title, self.body
        )
    }
}

/// The colour of texts and axes.
pub(super) const INK: &str = "#222222";

/// A length in pixels, to a tenth, the same on every machine.
pub(in crate::report) fn place(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The approximate width of a text in a size, in pixels.
pub(in crate::report) fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER
}

/// A text escaped for XML; characters that XML cannot contain are replaced.
pub(in crate::report) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write these two.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
