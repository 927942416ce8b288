//! Plots numbers over other numbers: curves and shaded grids, for terminals and as SVG. Nothing
//! here opens a file.

mod svg;
mod text;

use super::{tame_message, tidy};

pub(crate) use svg::colours_for;
pub(super) use svg::{SvgWriter, escaped, place, width};

/// Curves over one number, or over words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// What it shows, in a line.
    pub title: String,
    /// The label of the x axis.
    pub x: String,
    /// The label of the y axis.
    pub y: String,
    /// The words at x = 0, 1, 2, …; empty if x is a number.
    pub words: Vec<String>,
    pub(crate) series: Vec<Series>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in any order.
    pub points: Vec<Point>,
}

/// A point of a curve. One that is not finite is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// The x coordinate.
    pub x: f64,
    /// The y coordinate.
    pub y: f64,
    /// The lower and upper end of its error bar.
    pub range: Option<(f64, f64)>,
    /// Whether it is proven to be within that, where others have a 95 % interval.
    pub proven: bool,
}

/// Numbers over two parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// What it shows, in a line.
    pub title: String,
    /// The parameter that runs to the right.
    pub x: String,
    /// Its values.
    pub columns: Vec<String>,
    /// The parameter that runs downwards.
    pub y: String,
    /// Its values.
    pub rows: Vec<String>,
    /// The numbers, row by row; `None` for an empty cell.
    pub cells: Vec<Vec<Option<f64>>>,
    /// For each cell what a page writes in place of its number, and what it says of that; empty where the numbers
    /// speak for themselves.
    pub words: Vec<Vec<(String, String)>>,
    /// The number below and above which a page shades in different colours.
    pub middle: Option<f64>,
}

/// What the legend says of bars, by whether they are proven.
const RANGES: [(bool, &str); 2] = [(false, "95 % interval"), (true, "proven bounds")];

impl Plot {
    /// The curves in `width` columns of a terminal; `plain` uses ASCII alone.
    pub(crate) fn text(&self, width: usize, plain: bool) -> String {
        text::plot(&self.finite(), width, plain)
    }

    #[cfg(test)]
    pub(crate) fn svg(&self) -> String {
        svg::plot(&self.finite()).finish()
    }

    /// The curves as an element of a page, which is themed by its style sheet; `id` is the only one of this name.
    pub(super) fn element(&self, id: &str) -> String {
        let plot = self.finite();
        let names: Vec<String> = plot.series.iter().map(|series| series.name.clone()).collect();
        let of = match names.iter().all(String::is_empty) {
            true => String::new(),
            false => format!(" of {}", super::enumerated(&names)),
        };
        let words = format!("{}{of} over {}; the table below has the numbers.", plot.y, plot.x);
        svg::plot(&plot).element(id, &words)
    }

    /// The number, or word, of each place on the x axis, and what each curve is there.
    pub(super) fn rows(&self) -> Vec<(String, Vec<String>)> {
        let plot = self.finite();
        let mut places: Vec<f64> = plot.points().map(|point| point.x).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let name = |place: f64| match plot.words.get(place as usize) {
            Some(word) if place >= 0.0 => word.clone(),
            _ => tidy(place),
        };
        let cell = |series: &Series, place: f64| {
            let point = series.points.iter().find(|point| point.x == place);
            let text = |point: &Point| match point.range {
                Some((low, high)) => format!("{} ({} to {})", tidy(point.y), tidy(low), tidy(high)),
                None => tidy(point.y),
            };
            point.map(text).unwrap_or_default()
        };
        let row = |place: f64| {
            (name(place), plot.series.iter().map(|series| cell(series, place)).collect())
        };
        places.into_iter().map(row).collect()
    }

    /// The plot with the points that can be drawn, from left to right, and texts on one line.
    fn finite(&self) -> Plot {
        let series = |series: &Series| {
            let drawn = |point: &Point| point.x.is_finite() && point.y.is_finite();
            let mut points: Vec<Point> = series.points.iter().copied().filter(drawn).collect();
            for point in &mut points {
                point.range = point.range.filter(|(low, high)| low.is_finite() && high.is_finite());
            }
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series { name: tame_message(&series.name), points }
        };
        Plot {
            title: tame_message(&self.title),
            x: tame_message(&self.x),
            y: tame_message(&self.y),
            words: self.words.iter().map(|word| tame_message(word)).collect(),
            series: self.series.iter().map(series).collect(),
        }
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }

    fn has_ranges(&self) -> bool {
        RANGES.into_iter().any(|(proven, _)| self.has_range(proven))
    }

    /// Whether any point has a bar that is proven, or one that is estimated.
    fn has_range(&self, proven: bool) -> bool {
        self.points().any(|point| point.range.is_some() && point.proven == proven)
    }

    /// Whether the curves need a legend: there are several, or one has a name.
    fn has_legend(&self) -> bool {
        self.series.len() > 1 || self.series.iter().any(|series| !series.name.is_empty())
    }
}

impl Grid {
    /// The grid in `width` columns of a terminal; `plain` uses ASCII alone.
    pub fn text(&self, width: usize, plain: bool) -> String {
        text::grid(&self.tamed(), width, plain)
    }

    /// The grid as an SVG document.
    pub fn svg(&self) -> String {
        svg::grid(&self.tamed()).finish()
    }

    /// What is written in a cell, and the colour of its shade in the style sheet of pages; nothing for an empty cell.
    pub(super) fn shaded(
        &self,
        row: usize,
        column: usize,
    ) -> Option<(String, &'static str, String)> {
        let (number, bounds) = (self.cell(row, column)?, self.bounds()?);
        let (colour, share) = match self.middle {
            None => ("shade", share(number, bounds)),
            Some(middle) if number >= middle => ("more", share(number, (middle, 2.0 * middle))),
            Some(middle) => ("less", 1.0 - share(number, (0.0, middle))),
        };
        let text = self.word(row, column).map(|(text, _)| text.clone());
        let text = text.unwrap_or_else(|| text::written(number, bounds));
        Some((text, colour, format!("{:.2}", share * 0.5)))
    }

    /// What is written in a cell, and what is said of it.
    pub(super) fn word(&self, row: usize, column: usize) -> Option<&(String, String)> {
        self.words.get(row)?.get(column)
    }

    fn tamed(&self) -> Grid {
        let all = |texts: &[String]| texts.iter().map(|text| tame_message(text)).collect();
        Grid {
            title: tame_message(&self.title),
            x: tame_message(&self.x),
            columns: all(&self.columns),
            y: tame_message(&self.y),
            rows: all(&self.rows),
            cells: self.cells.clone(),
            ..Grid::default()
        }
    }

    /// The number in a cell, if there is one that can be shown.
    fn cell(&self, row: usize, column: usize) -> Option<f64> {
        let cell = self.cells.get(row).and_then(|row| row.get(column));
        cell.copied().flatten().filter(|number| number.is_finite())
    }

    /// The least and the greatest number, if there is any.
    fn bounds(&self) -> Option<(f64, f64)> {
        let numbers = || self.cells.iter().flatten().flatten().filter(|number| number.is_finite());
        let low = numbers().copied().reduce(f64::min)?;
        Some((low, numbers().copied().fold(low, f64::max)))
    }
}

/// Curves or a grid, to be shown below others.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    Plot(Plot),
    Grid(Grid),
}

impl Figure {
    /// The figure in `width` columns of a terminal; `plain` uses ASCII alone.
    pub fn text(&self, width: usize, plain: bool) -> String {
        match self {
            Figure::Plot(plot) => plot.text(width, plain),
            Figure::Grid(grid) => grid.text(width, plain),
        }
    }

    /// Figures below each other as one SVG document.
    pub fn svg(figures: &[Figure]) -> String {
        let paper = |figure: &Figure| match figure {
            Figure::Plot(plot) => svg::plot(&plot.finite()),
            Figure::Grid(grid) => svg::grid(&grid.tamed()),
        };
        svg::SvgWriter::stacked(figures.iter().map(paper).collect()).finish()
    }
}

/// The position of a number between `low` and `high`, from 0 to 1; 0.5 if the two are equal, or as near as floats come.
pub(super) fn share(number: f64, (low, high): (f64, f64)) -> f64 {
    // Halved, since the distance of two large numbers is no float; half of the least float is none.
    let length = high / 2.0 - low / 2.0;
    match length > 0.0 {
        true => ((number / 2.0 - low / 2.0) / length).clamp(0.0, 1.0),
        false => 0.5,
    }
}

#[cfg(test)]
mod tests;

/// The bounds and marks of an axis, from the least number to the greatest.
pub(crate) struct Axis {
    /// The numbers at both ends.
    pub bounds: (f64, f64),
    /// Numbers with their labels.
    pub marks: Vec<(f64, String)>,
}

impl Axis {
    /// The position of a number, from 0 at the low end to 1 at the high end.
    pub(crate) fn share(&self, number: f64) -> f64 {
        share(number, self.bounds)
    }

    /// About `most` round numbers around all that are given; from 0 to 1 if none are given.
    pub(crate) fn around(numbers: &[f64], most: usize) -> Axis {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match low.is_finite() && high.is_finite() {
            true if high > low => (low, high),
            // A level line is in the middle, but that of a share is between nothing and all.
            true if (0.0..=1.0).contains(&low) => (0.0, 1.0),
            true => (low - (low.abs() / 2.0).max(0.5), high + (high.abs() / 2.0).max(0.5)),
            false => (0.0, 1.0),
        };
        let step = round_step(high / most as f64 - low / most as f64);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        // Where numbers are so large that a step is lost in rounding, or passes the last float, both
        // ends must do.
        let lost = !(last - first).is_finite() || last - first > 100.0 || first + 1.0 == first;
        if lost || !(first * step).is_finite() || !(last * step).is_finite() {
            let mark = |number: f64| (number, format!("{number:.2e}"));
            return Axis { bounds: (low, high), marks: vec![mark(low), mark(high)] };
        }
        let count = (last - first) as usize;
        let marks: Vec<(f64, String)> = (0..=count)
            .map(|i| (first + i as f64) * step)
            .map(|number| (number, written(number, step)))
            .collect();
        Axis { bounds: (first * step, last * step), marks }
    }

    /// The y axis of a plot, including error bars, with about `most` round numbers.
    pub(crate) fn up(plot: &Plot, most: usize) -> Axis {
        let ys = plot.points().flat_map(|point| {
            let (low, high) = point.range.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        Axis::around(&ys.collect::<Vec<_>>(), most)
    }

    /// The x axis of a plot: its words, the points' own numbers if they are few, else round ones.
    pub(crate) fn across(plot: &Plot) -> Axis {
        if !plot.words.is_empty() {
            let marks = plot.words.iter().enumerate().map(|(i, word)| (i as f64, word.clone()));
            let bounds = (-0.5, plot.words.len() as f64 - 0.5);
            return Axis { bounds, marks: marks.collect() };
        }
        let mut own: Vec<f64> = plot.points().map(|point| point.x).collect();
        own.sort_by(f64::total_cmp);
        own.dedup();
        let (Some(&low), Some(&high)) = (own.first(), own.last()) else {
            return Axis::around(&own, 6);
        };
        let step = own.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let even = own.windows(2).all(|pair| pair[1] - pair[0] <= step * 1.001);
        if own.len() > 12 && !even {
            let round = Axis::around(&own, 6);
            let within = |(number, _): &(f64, String)| (low..=high).contains(number);
            return Axis {
                bounds: (low, high),
                marks: round.marks.into_iter().filter(within).collect(),
            };
        }
        let marks = own.iter().map(|number| (*number, plain_number(*number))).collect();
        Axis { bounds: (low, high), marks }
    }

    /// Every mark, or every second, third, … so that no two labels touch on an axis of this length.
    pub(crate) fn sparse(&self, length: f64, width: impl Fn(&str) -> f64) -> Vec<&(f64, String)> {
        let fit = |stride: usize| {
            let mut end = f64::NEG_INFINITY;
            self.marks.iter().step_by(stride).all(|(number, text)| {
                let (middle, half) = (self.share(*number) * length, width(text) / 2.0);
                let free = middle - half > end;
                end = middle + half;
                free
            })
        };
        let stride = (1..=self.marks.len()).find(|stride| fit(*stride)).unwrap_or(1);
        self.marks.iter().step_by(stride).collect()
    }
}

/// The least of 1, 2, 5, 10, … times a power of ten that is not below a positive length.
fn round_step(length: f64) -> f64 {
    let power = 10f64.powi(length.log10().floor() as i32);
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= length * 0.999_999);
    digit.unwrap_or(10.0) * power
}

fn written(number: f64, step: f64) -> String {
    if step < 1e-6 || number.abs() >= 1e9 {
        return format!("{number:.2e}");
    }
    let places = (-step.log10().floor()).max(0.0) as usize;
    let text = format!("{number:.places$}");
    // Rounding may have left a zero with a sign.
    if number == 0.0 { text.replace('-', "") } else { text }
}

/// A number of a point, in a short form.
fn plain_number(number: f64) -> String {
    let rounded = super::tidy(number);
    match number != 0.0 && (number.abs() < 1e-3 || number.abs() >= 1e9) {
        true => format!("{number:.2e}"),
        false => rounded,
    }
}
