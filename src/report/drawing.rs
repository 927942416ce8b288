//! Drawings: the plain shapes that rules return, read strictly and bounded, as SVG and as data of a page.

use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};
use serde::{Serialize, Serializer};

use super::plot::{SvgWriter, place, width};
use super::{cut, tame};
use crate::error::nearest;
use crate::game::{Value, brief, ticked};

/// Pixels of a unit at full size.
const UNIT: f64 = 20.0;
/// Units around all shapes.
const MARGIN: f64 = 0.5;
/// The height of texts that name none, in units.
const SIZE: f64 = 0.8;
/// The width of lines that name none, in units.
const LINE: f64 = 0.08;
/// A label is drawn this much smaller before it is cut.
const SMALLEST: f64 = 0.75;
/// No more shapes, corners of a path, and units from the origin; longer lines of texts, and more of them, are cut.
const SHAPES: usize = 1_000;
const TEXT: usize = 200;
const LINES: usize = 10;
const CORNERS: usize = 200;
const FAR: f64 = 1_000.0;

/// The drawings of a page take about this many bytes at most.
const PAGE: usize = 1_200_000;

/// The elements and attributes that drawings have; the script of a page knows them by their places here.
const TAGS: [&str; 6] = ["rect", "circle", "line", "polyline", "polygon", "text"];
const ATTRIBUTES: [&str; 17] = [
    "class",
    "x",
    "y",
    "width",
    "height",
    "rx",
    "cx",
    "cy",
    "r",
    "x1",
    "y1",
    "x2",
    "y2",
    "points",
    "stroke-width",
    "text-anchor",
    "font-size",
];

/// A colour that is the same in light and dark, and whether texts on it are dark.
const COLOURS: [(&str, &str, bool); 12] = [
    ("blue", "#1f6fb2", false),
    ("orange", "#d9822b", true),
    ("green", "#2e7d4f", false),
    ("purple", "#7d4fa3", false),
    ("red", "#b83a32", false),
    ("teal", "#157a7f", false),
    ("yellow", "#e8c547", true),
    ("brown", "#8a5a36", false),
    ("pink", "#d98ab3", true),
    ("grey", "#68727b", false),
    ("black", "#22272b", false),
    ("white", "#f6f6f2", true),
];
/// Colours of the page itself, in light and in dark.
const NEUTRAL: [(&str, &str, &str); 5] = [
    ("ink", "#1c2126", "#e6e8e4"),
    ("soft", "#56616b", "#a3adb5"),
    ("line", "#d9dcd8", "#353c42"),
    ("card", "#f2f3ef", "#1d2327"),
    ("paper", "#fcfcfa", "#15191c"),
];
const DARK_INK: &str = "#15191c";
const LIGHT_INK: &str = "#ffffff";

/// Each kind of shape, what its key holds, and its other keys.
const KINDS: [(&str, &str, &[&str]); 5] = [
    (
        "rect",
        "[x, y, width, height]",
        &["fill", "faint", "stroke", "width", "dashed", "round", "label", "size", "bold"],
    ),
    (
        "circle",
        "[x, y, radius]",
        &["fill", "faint", "stroke", "width", "dashed", "label", "size", "bold"],
    ),
    ("line", "[x1, y1, x2, y2]", &["stroke", "width", "dashed"]),
    ("path", "[[x, y], …]", &["fill", "faint", "stroke", "width", "dashed"]),
    ("text", "a text", &["at", "fill", "on", "size", "align", "bold", "room"]),
];

/// Shapes, in the order in which they are drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct SvgDrawing {
    shapes: Vec<DrawnShape>,
    area: DrawnArea,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DrawnShape {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
}

/// How far shapes reach, in pixels.
#[derive(Clone, Copy, Debug)]
struct DrawnArea {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Default for DrawnArea {
    fn default() -> DrawnArea {
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        DrawnArea { left: low, top: low, right: high, bottom: high }
    }
}

impl DrawnArea {
    /// As far as both reach.
    fn joined(self, other: DrawnArea) -> DrawnArea {
        DrawnArea {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The least width and height, and the place of the corner, with a margin.
    fn view(self) -> [f64; 4] {
        let margin = MARGIN * UNIT;
        let (left, top) = (self.left - margin, self.top - margin);
        [left, top, self.right + margin - left, self.bottom + margin - top]
    }
}

pub(crate) fn colour_names() -> impl Iterator<Item = &'static str> + Clone {
    COLOURS.iter().map(|(name, ..)| *name)
}

impl SvgDrawing {
    /// The shapes that a script returned.
    pub(crate) fn read(returned: &Value) -> Result<SvgDrawing, String> {
        let Some(shapes) = returned.as_list() else {
            return Err(format!("must return a list of shapes, got {}", returned.kind()));
        };
        if shapes.len() > SHAPES {
            return Err(format!("returns {} shapes; {SHAPES} are the most", shapes.len()));
        }
        let mut drawing = SvgDrawing::default();
        for (index, shape) in shapes.iter().enumerate() {
            let added = ShapeReader::of(shape).and_then(|shape| drawing.add(&shape));
            added.map_err(|wrong| format!("shape {}: {wrong}", index + 1))?;
        }
        Ok(drawing)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Its texts, a line each, where nothing else says what it shows.
    pub(crate) fn words(&self) -> String {
        let texts =
            self.shapes.iter().map(|mark| mark.text.as_str()).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The drawing as a file, with what it is of and what is read aloud of it.
    pub(crate) fn svg(&self, title: &str, words: &str) -> String {
        let mut paper = SvgWriter::new(0.0, 0.0, &tame(title));
        for DrawnShape { tag, attributes, text } in &self.shapes {
            let all = attributes.iter().fold(String::new(), |mut all, (name, value)| {
                // Writing to a string does not fail.
                let _ = write!(all, "{name}=\"{value}\" ");
                all
            });
            paper.add(tag, format_args!("{}", all.trim_end()), text);
        }
        paper.framed(self.area.view(), &style(false), &tame(words))
    }

    fn add(&mut self, shape: &ShapeReader<'_>) -> Result<(), String> {
        match shape.kind {
            "rect" => {
                let [x, y, wide, high] = shape.numbers(shape.kind)?;
                if wide < 0.0 || high < 0.0 {
                    return Err("a `rect` has a width and a height of 0 or more".to_owned());
                }
                self.reach((x, y), (x + wide, y + high));
                let (fill, class) = shape.paint()?;
                let mut attributes =
                    pixels([("x", x), ("y", y), ("width", wide), ("height", high)]);
                if let Some(round) = shape.number("round", 0.0, FAR)? {
                    attributes.extend(pixels([("rx", round)]));
                }
                self.mark("rect", class, attributes, shape)?;
                self.label(shape, (x + wide / 2.0, y + high / 2.0), wide - 0.2, &fill)
            }
            "circle" => {
                let [x, y, radius] = shape.numbers(shape.kind)?;
                if radius < 0.0 {
                    return Err("a `circle` has a radius of 0 or more".to_owned());
                }
                self.reach((x - radius, y - radius), (x + radius, y + radius));
                let (fill, class) = shape.paint()?;
                let attributes = pixels([("cx", x), ("cy", y), ("r", radius)]);
                self.mark("circle", class, attributes, shape)?;
                self.label(shape, (x, y), 1.7 * radius, &fill)
            }
            "line" => {
                let [x1, y1, x2, y2] = shape.numbers(shape.kind)?;
                self.reach((x1.min(x2), y1.min(y2)), (x1.max(x2), y1.max(y2)));
                let class = format!("stroke-{}", shape.colour("stroke")?.unwrap_or("ink"));
                let attributes = pixels([("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)]);
                self.mark("line", class, attributes, shape)
            }
            "path" => {
                let mut points = String::new();
                for (x, y) in shape.corners()? {
                    self.reach((x, y), (x, y));
                    let _ = write!(points, "{},{} ", place(x * UNIT), place(y * UNIT));
                }
                let (fill, class) = shape.paint()?;
                let tag = if fill.is_some() { "polygon" } else { "polyline" };
                let points = vec![("points", points.trim_end().to_owned())];
                self.mark(tag, class, points, shape)
            }
            _ => {
                let [x, y] = shape.numbers("at")?;
                let room = shape.number("room", 0.0, FAR)?.unwrap_or(f64::INFINITY);
                let ink = match (shape.colour("fill")?, shape.colour("on")?) {
                    (Some(fill @ ("ink" | "soft")), None) => format!("fill-{fill}"),
                    (None, None) => "fill-ink".to_owned(),
                    (None, Some(on)) => format!("on-{on}"),
                    _ => {
                        let rule = "a `text` has `fill: \"ink\"` or `\"soft\"`, or says which colour it is `on`";
                        return Err(rule.to_owned());
                    }
                };
                self.text(shape, "text", (x, y), room, &ink)
            }
        }
    }

    fn reach(&mut self, (left, top): (f64, f64), (right, bottom): (f64, f64)) {
        let [left, top, right, bottom] = [left, top, right, bottom].map(|number| number * UNIT);
        self.area = self.area.joined(DrawnArea { left, top, right, bottom });
    }

    fn mark(
        &mut self,
        tag: &'static str,
        mut class: String,
        mut attributes: Vec<(&'static str, String)>,
        shape: &ShapeReader<'_>,
    ) -> Result<(), String> {
        if class.contains("stroke-") {
            let width = shape.number("width", 0.0, FAR)?.unwrap_or(LINE);
            attributes.extend(pixels([("stroke-width", width)]));
        }
        for flag in ["faint", "dashed"] {
            if shape.flag(flag)? {
                class = format!("{class} {flag}");
            }
        }
        attributes.insert(0, ("class", class));
        self.shapes.push(DrawnShape { tag, attributes, text: String::new() });
        Ok(())
    }

    fn label(
        &mut self,
        shape: &ShapeReader<'_>,
        middle: (f64, f64),
        room: f64,
        fill: &Option<String>,
    ) -> Result<(), String> {
        let ink = fill.as_ref().map_or("fill-ink".to_owned(), |fill| format!("on-{fill}"));
        if shape.map.contains_key("label") {
            self.text(shape, "label", middle, room, &ink)?;
        }
        Ok(())
    }

    /// The lines of a text, smaller or cut where there is no room for them.
    fn text(
        &mut self,
        shape: &ShapeReader<'_>,
        key: &str,
        (x, y): (f64, f64),
        room: f64,
        ink: &str,
    ) -> Result<(), String> {
        let (text, size) = (shape.text(key)?, shape.number("size", 0.1, FAR)?.unwrap_or(SIZE));
        let (anchor, before) = match shape.word("align", &["left", "middle", "right"])? {
            Some("right") => ("end", 1.0),
            Some("left") => ("start", 0.0),
            None if key == "text" => ("start", 0.0),
            _ => ("middle", 0.5),
        };
        let class = if shape.flag("bold")? { format!("{ink} bold") } else { ink.to_owned() };
        let lines: Vec<&str> = text.split('\n').collect();
        let widest = lines.iter().map(|line| width(line, size)).fold(0.0, f64::max);
        let size = size * (room / widest.max(1e-9)).clamp(SMALLEST, 1.0);
        let letters = (room / width(" ", size) + 1e-6).clamp(1.0, TEXT as f64) as usize;
        for (index, line) in lines.iter().enumerate() {
            let line = cut(line, letters);
            let wide = width(&line, size);
            let y = y + (index as f64 - (lines.len() as f64 - 1.0) / 2.0) * 1.2 * size;
            let left = x - before * wide;
            self.reach((left, y - size / 2.0), (left + wide, y + size / 2.0));
            let mut attributes = vec![("class", class.clone())];
            attributes.extend(pixels([("x", x), ("y", y + 0.35 * size), ("font-size", size)]));
            attributes.push(("text-anchor", anchor.to_owned()));
            self.shapes.push(DrawnShape { tag: "text", attributes, text: line });
        }
        Ok(())
    }
}

/// As the script of a page reads it: the element, its text, and each attribute with its value.
impl Serialize for DrawnShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = |list: &[&str], name| list.iter().position(|known| *known == name).unwrap_or(0);
        let mut parts = vec![place(&TAGS, self.tag).to_string(), self.text.clone()];
        for (name, value) in &self.attributes {
            parts.extend([place(&ATTRIBUTES, *name).to_string(), value.clone()]);
        }
        parts.serialize(serializer)
    }
}

/// Lists of numbers of which many differ in little from another: each once, and as what differs.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangingLists {
    whole: IndexSet<Vec<usize>>,
    changes: Vec<Vec<usize>>,
}

impl ChangingLists {
    /// Keeps a list, and returns its number, and how many numbers were written for that. `before` is the number of one
    /// that is much the same.
    pub(super) fn keep(&mut self, list: Vec<usize>, before: Option<usize>) -> (usize, usize) {
        let (place, is_new) = self.whole.insert_full(list);
        if !is_new {
            return (place, 0);
        }
        let list = &self.whole[place];
        let before = before.filter(|before| *before < place);
        let was = before.map_or(&[][..], |before| &self.whole[before][..]);
        let mut changes = vec![before.map_or(0, |before| before + 1), list.len()];
        for (at, number) in list.iter().enumerate().filter(|(at, own)| was.get(*at) != Some(*own)) {
            changes.extend([at, *number]);
        }
        self.changes.push(changes);
        (place, self.changes[place].len())
    }

    /// Each list: one more than the number of the one it is made of, its length, and the places and numbers that
    /// differ.
    pub(super) fn data(&self) -> &[Vec<usize>] {
        &self.changes
    }
}

/// The drawings of a page: each shape once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawings {
    shapes: IndexSet<DrawnShape>,
    drawn: ChangingLists,
    area: DrawnArea,
    bytes: usize,
}

impl Drawings {
    /// Keeps a drawing, and returns its number; `None` where there is no room for more. `before` is the number of one
    /// that looks much the same.
    pub(crate) fn keep(&mut self, drawing: SvgDrawing, before: Option<usize>) -> Option<usize> {
        if self.bytes > PAGE {
            return None;
        }
        let mut number = |shape: DrawnShape| {
            let own: usize = shape.attributes.iter().map(|(_, value)| value.len() + 8).sum();
            let bytes = own + 2 * shape.text.len() + 12;
            let (number, is_new) = self.shapes.insert_full(shape);
            self.bytes += if is_new { bytes } else { 0 };
            number
        };
        let drawn: Vec<usize> = drawing.shapes.into_iter().map(&mut number).collect();
        let (place, numbers) = self.drawn.keep(drawn, before);
        self.bytes += 6 * numbers;
        self.area = self.area.joined(drawing.area);
        Some(place)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Whether some drawings were left out.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes > PAGE
    }

    /// The shapes, and each drawing as a list of their numbers.
    pub(super) fn data(&self) -> (Vec<&DrawnShape>, &[Vec<usize>]) {
        (self.shapes.iter().collect(), self.drawn.data())
    }

    pub(super) fn element(&self, number: usize) -> String {
        let [x, y, width, height] = self.area.view().map(place);
        // Letters of the usual height have 12 pixels then.
        let least = place(0.75 * self.area.view()[2]);
        format!(
            "<div class=\"wide\" data-part=\"drawing\" role=\"region\" aria-label=\"Drawing\" tabindex=\"0\">\
             <svg class=\"drawing\" viewBox=\"{x} {y} {width} {height}\" role=\"img\" \
             aria-labelledby=\"drawing-{number}\" aria-describedby=\"words-{number}\" font-family=\"sans-serif\" \
             style=\"width: {width}px; min-width: {least}px\">\n<title id=\"drawing-{number}\">Drawing</title>\n\
             <desc id=\"words-{number}\" data-part=\"words\"></desc>\n<g data-part=\"shapes\"></g>\n</svg></div>\n"
        )
    }
}

/// Numbers of units as attributes in pixels.
fn pixels<const N: usize>(numbers: [(&'static str, f64); N]) -> Vec<(&'static str, String)> {
    numbers.map(|(name, number)| (name, place(number * UNIT))).to_vec()
}

struct ShapeReader<'a> {
    kind: &'static str,
    form: &'static str,
    map: &'a IndexMap<String, Value>,
}

impl<'a> ShapeReader<'a> {
    fn of(shape: &'a Value) -> Result<ShapeReader<'a>, String> {
        let Some(map) = shape.as_map() else {
            let form = "must be a map such as `#{ rect: [0, 0, 4, 2], fill: \"red\" }`";
            return Err(format!("{form}, got {}", shape.kind()));
        };
        let named = KINDS.iter().filter(|(kind, ..)| map.contains_key(*kind));
        match named.collect::<Vec<_>>()[..] {
            [(kind, form, keys)] => {
                let mut known = keys.iter().copied().chain([*kind]);
                if let Some(key) = map.keys().find(|key| !known.clone().any(|known| known == **key))
                {
                    return Err(unknown(&format!("a `{kind}` has no"), key, &mut known));
                }
                Ok(ShapeReader { kind, form, map })
            }
            [] => {
                let kinds = KINDS.map(|(kind, ..)| kind);
                let meant = map.keys().find_map(|key| nearest(key, kinds));
                let meant = meant.map(|kind| format!("; did you mean `{kind}`?"));
                let kinds = ticked(kinds).join(", ");
                Err(format!("has none of {kinds}{}", meant.unwrap_or_default()))
            }
            [(one, ..), (other, ..), ..] => Err(format!("is both a `{one}` and a `{other}`")),
        }
    }

    fn numbers<const N: usize>(&self, key: &str) -> Result<[f64; N], String> {
        let form = if key == self.kind { self.form } else { "[x, y]" };
        let value =
            self.map.get(key).ok_or_else(|| format!("a `{}` needs `{key}: {form}`", self.kind))?;
        let numbers = value.as_list().unwrap_or_default().iter().map(near);
        let numbers: Option<Vec<f64>> = numbers.collect();
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
            let got = brief(value);
            format!("`{key}` must be {form}, numbers from -{FAR} to {FAR}, got {got}")
        })
    }

    fn corners(&self) -> Result<Vec<(f64, f64)>, String> {
        let value = self.map.get("path").unwrap_or(&Value::Unit);
        let corners = value.as_list().unwrap_or_default();
        if !(2..=CORNERS).contains(&corners.len()) {
            return Err(format!("a `path` has 2 to {CORNERS} points, not {}", corners.len()));
        }
        let corner = |corner: &Value| match corner.as_list()? {
            [x, y] => Some((near(x)?, near(y)?)),
            _ => None,
        };
        let read = corners.iter().map(corner).collect::<Option<Vec<_>>>();
        read.ok_or_else(|| format!("`path` must be {}, numbers from -{FAR} to {FAR}", self.form))
    }

    fn number(&self, key: &str, low: f64, high: f64) -> Result<Option<f64>, String> {
        let Some(value) = self.map.get(key) else { return Ok(None) };
        let number = value.as_number().filter(|number| (low..=high).contains(number));
        let wrong =
            || format!("`{key}` must be a number from {low} to {high}, got {}", brief(value));
        number.map(Some).ok_or_else(wrong)
    }

    fn flag(&self, key: &str) -> Result<bool, String> {
        match self.map.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(format!("`{key}` must be true or false, got {}", brief(other))),
        }
    }

    fn text(&self, key: &str) -> Result<String, String> {
        let value = self.map.get(key).unwrap_or(&Value::Unit);
        let text = match value {
            Value::Text(text) => tame(text).replace('\t', " "),
            Value::Int(number) => number.to_string(),
            other => return Err(format!("`{key}` must be a text, got {}", other.kind())),
        };
        // Names are as long as people write them: what is too much is cut, as where there is no room.
        let lines = text.split('\n').count();
        let kept = text.split('\n').take(LINES.min(lines)).map(|line| cut(line, TEXT));
        let mut kept: Vec<String> = kept.collect();
        if let Some(last) = kept.last_mut().filter(|_| lines > LINES) {
            "…".clone_into(last);
        }
        Ok(kept.join("\n"))
    }

    fn word(&self, key: &str, known: &[&'static str]) -> Result<Option<&'static str>, String> {
        let Some(value) = self.map.get(key) else { return Ok(None) };
        let Value::Text(word) = value else {
            return Err(format!("`{key}` must be a text, got {}", value.kind()));
        };
        let found = known.iter().find(|known| **known == *word);
        found
            .map(|found| Some(*found))
            .ok_or_else(|| unknown(&format!("`{key}` has no"), word, &mut known.iter().copied()))
    }

    fn colour(&self, key: &str) -> Result<Option<&'static str>, String> {
        let known: Vec<&str> = colour_names().chain(NEUTRAL.map(|(name, ..)| name)).collect();
        self.word(key, &known)
    }

    /// The colour on which a label is, and the classes of a shape that may be filled.
    fn paint(&self) -> Result<(Option<String>, String), String> {
        let (fill, stroke) = (self.colour("fill")?, self.colour("stroke")?);
        // Something must be seen of it.
        let line = stroke.or(if fill.is_none() { Some("ink") } else { None });
        let mut class = fill.map_or("empty".to_owned(), |fill| format!("fill-{fill}"));
        if let Some(line) = line {
            let _ = write!(class, " stroke-{line}");
        }
        let is_faint = self.flag("faint")?;
        Ok((fill.filter(|_| !is_faint).map(str::to_owned), class))
    }
}

/// A number that is near enough to be drawn.
fn near(value: &Value) -> Option<f64> {
    value.as_number().filter(|number| number.abs() <= FAR)
}

fn unknown(what: &str, word: &str, known: &mut dyn Iterator<Item = &'static str>) -> String {
    let known: Vec<&str> = known.collect();
    let word_shown = brief(&word);
    match nearest(word, known.iter().copied()) {
        Some(meant) => format!("{what} `{word_shown}`; did you mean `{meant}`?"),
        None => format!("{what} `{word_shown}`; known are {}", known.join(", ")),
    }
}

/// The styles of drawings: in a page the neutral colours are those of the page.
pub(super) fn style(in_page: bool) -> String {
    let rule = |name: &str, colour: &str, ink: &str| {
        format!(
            ".fill-{name}{{fill:{colour}}}.stroke-{name}{{stroke:{colour}}}.on-{name}{{fill:{ink}}}\n"
        )
    };
    let own = |(name, colour, dark): &(&str, &str, bool)| {
        rule(name, colour, if *dark { DARK_INK } else { LIGHT_INK })
    };
    // On ink the paper is the ink.
    let neutral = |colour: &dyn Fn(&str) -> String| {
        let one = |(name, ..): (&str, &str, &str)| {
            let ink = if matches!(name, "ink" | "soft") { "paper" } else { "ink" };
            rule(name, &colour(name), &colour(ink))
        };
        NEUTRAL.map(one).concat()
    };
    let of = |name: &str| NEUTRAL.iter().find(|(known, ..)| *known == name);
    let light = |name: &str| of(name).map_or("", |(_, light, _)| light).to_owned();
    let dark = |name: &str| of(name).map_or("", |(.., dark)| dark).to_owned();
    let colours: String = COLOURS.iter().map(own).collect();
    let rest = ".fill-black,.fill-white{stroke:#68727b}.empty{fill:none}.faint{fill-opacity:0.2}\
                .dashed{stroke-dasharray:5 4}.bold{font-weight:600}polyline,line{stroke-linecap:round}\
                polygon,polyline{stroke-linejoin:round}\n";
    match in_page {
        true => [&colours, &neutral(&|name| format!("var(--{name})")), rest].concat(),
        false => {
            let dark = format!("@media (prefers-color-scheme:dark){{\n{}}}\n", neutral(&dark));
            [&colours, &neutral(&light), rest, &dark].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, Value)]) -> Value {
        let entry = |(key, value): &(&str, Value)| ((*key).to_owned(), value.clone());
        Value::Map(entries.iter().map(entry).collect())
    }

    fn list(numbers: &[f64]) -> Value {
        Value::List(numbers.iter().copied().map(Value::Float).collect())
    }

    fn svg(shapes: Vec<Value>) -> String {
        SvgDrawing::read(&Value::List(shapes)).unwrap().svg("t", "w")
    }

    fn wrong(shape: &[(&str, Value)]) -> String {
        SvgDrawing::read(&Value::List(vec![map(shape)])).unwrap_err()
    }

    #[test]
    fn a_unit_is_twenty_pixels_and_the_paper_has_half_a_unit_around_all_shapes() {
        let rect = map(&[("rect", list(&[1.0, 2.0, 3.0, 4.5])), ("fill", "red".into())]);
        let line = map(&[("line", list(&[-1.0, 3.0, 2.0, 3.0])), ("width", Value::Float(0.5))]);
        let drawn = svg(vec![rect, line]);
        assert!(drawn.contains(r#"<rect class="fill-red" x="20" y="40" width="60" height="90"/>"#));
        let line =
            r#"<line class="stroke-ink" x1="-20" y1="60" x2="40" y2="60" stroke-width="10"/>"#;
        assert!(drawn.contains(line), "{drawn}");
        // From -1 to 4 and from 2 to 6.5 units, and 10 pixels on each side.
        assert!(drawn.contains(r#"width="120" height="110" viewBox="-30 30 120 110""#), "{drawn}");
    }

    #[test]
    fn a_label_is_in_the_middle_in_an_ink_for_its_paper_smaller_or_cut_where_it_has_no_room() {
        let rect = |label: &str, fill: &str| {
            let rect = ("rect", list(&[0.0, 0.0, 5.0, 2.0]));
            svg(vec![map(&[rect, ("fill", fill.into()), ("label", label.into())])])
        };
        // The base line is 0.35 of the height of 16 pixels below the middle, 20.
        let text = r#"<text class="on-yellow" x="50" y="25.6" font-size="16" text-anchor="middle">ab</text>"#;
        assert!(rect("ab", "yellow").contains(text), "{}", rect("ab", "yellow"));
        // 4.8 units are room for 10 letters of 0.6 × 0.8; 12 of them have five sixths of the size.
        assert!(
            rect("abcdefghijkl", "red")
                .contains(r#"font-size="13.3" text-anchor="middle">abcdefghijkl<"#)
        );
        // At three quarters there is room for 13.
        assert!(
            rect("abcdefghijklmnop", "red")
                .contains(r#"font-size="12" text-anchor="middle">abcdefghijkl…<"#)
        );
    }

    #[test]
    fn a_text_of_strangers_is_a_text_and_nothing_else() {
        let hostile = "</text><script>alert('&\"')</script>\u{1b}[2J\u{202e}";
        let text = map(&[("text", hostile.into()), ("at", list(&[0.0, 0.0]))]);
        let drawn = SvgDrawing::read(&Value::List(vec![text])).unwrap().svg(hostile, hostile);
        assert!(!drawn.contains("<script") && !drawn.contains(['\u{1b}', '\u{202e}']), "{drawn}");
        assert_eq!(drawn.matches("&lt;script&gt;alert(").count(), 3);
        assert_eq!(drawn.matches("</text>").count(), 1);
    }

    #[test]
    fn of_a_text_that_is_too_long_the_beginning_is_drawn() {
        let drawn = |text: String| {
            let text = map(&[("text", text.as_str().into()), ("at", list(&[0.0, 0.0]))]);
            SvgDrawing::read(&Value::List(vec![text])).unwrap().words()
        };
        let line = "a".repeat(200);
        assert_eq!(drawn(line.clone()), line);
        assert_eq!(drawn(format!("{line}a")), format!("{}…", "a".repeat(199)));
        let numbered = |of: usize| (1..=of).map(|line| line.to_string()).collect::<Vec<_>>();
        assert_eq!(
            drawn(numbered(11).join("\n")),
            [&numbered(9)[..], &["…".to_owned()]].concat().join("\n")
        );
    }

    #[test]
    fn what_cannot_be_drawn_is_named_with_its_shape_and_the_nearest_word() {
        let square = || ("rect", list(&[0.0, 0.0, 1.0, 1.0]));
        for (shape, message) in [
            (
                vec![("rect", list(&[0.0, 1.0]))],
                "`rect` must be [x, y, width, height], numbers from -1000 to 1000, got [0, 1]",
            ),
            (vec![("circle", list(&[0.0, 1e9, 1.0]))], "`circle` must be [x, y, radius], numbers"),
            (vec![("rect", list(&[0.0, 0.0, -1.0, 1.0]))], "a width and a height of 0 or more"),
            (vec![square(), ("fill", "rde".into())], "`fill` has no `rde`; did you mean `red`?"),
            (vec![square(), ("fil", "red".into())], "a `rect` has no `fil`; did you mean `fill`?"),
            (vec![square(), ("faint", 1.into())], "`faint` must be true or false, got 1"),
            (
                vec![square(), ("size", 0.into()), ("label", "a".into())],
                "`size` must be a number from 0.1",
            ),
            (vec![square(), ("circle", list(&[0.0, 0.0, 1.0]))], "is both a `rect` and a `circle`"),
            (
                vec![("rct", list(&[]))],
                "has none of `rect`, `circle`, `line`, `path`, `text`; did you mean `rect`?",
            ),
            (vec![("text", "a".into())], "a `text` needs `at: [x, y]`"),
            (
                vec![("text", "a".into()), ("at", list(&[0.0, 0.0])), ("fill", "red".into())],
                "a `text` has `fill: \"ink\"`",
            ),
            (
                vec![("path", Value::List(vec![list(&[0.0, 0.0])]))],
                "a `path` has 2 to 200 points, not 1",
            ),
        ] {
            let said = wrong(&shape);
            assert!(said.starts_with("shape 1: ") && said.contains(message), "{said}");
        }
        let many = Value::List(vec![map(&[square()]); SHAPES + 1]);
        assert_eq!(SvgDrawing::read(&many).unwrap_err(), "returns 1001 shapes; 1000 are the most");
        assert!(
            SvgDrawing::read(&"red".into())
                .unwrap_err()
                .starts_with("must return a list of shapes")
        );
        assert!(
            SvgDrawing::read(&Value::List(vec![1.into()]))
                .unwrap_err()
                .contains("must be a map such as")
        );
    }

    /// The contrast of two colours (WCAG 2.2, 1.4.3).
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let light = |colour: [f64; 3]| {
            let part = |part: f64| match part / 255.0 {
                low if low <= 0.04045 => low / 12.92,
                high => ((high + 0.055) / 1.055).powf(2.4),
            };
            0.2126 * part(colour[0]) + 0.7152 * part(colour[1]) + 0.0722 * part(colour[2])
        };
        let (a, b) = (light(one), light(other));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn texts_can_be_read_on_every_colour_in_light_and_dark() {
        let parts = |colour: &str| {
            [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()))
        };
        for (name, colour, dark) in COLOURS {
            let ink = if dark { DARK_INK } else { LIGHT_INK };
            assert!(contrast(parts(colour), parts(ink)) >= 4.5, "{name}");
            // Faint, it is a fifth over the paper, with the ink of the page on it.
            for own in [
                |(_, light, _): (&'static str, &'static str, &'static str)| light,
                |(_, _, dark)| dark,
            ] {
                let [ink, .., paper] = NEUTRAL.map(|neutral| parts(own(neutral)));
                let (full, mixed) = (parts(colour), [0, 1, 2]);
                let mixed = mixed.map(|at| 0.2 * full[at] + 0.8 * paper[at]);
                assert!(contrast(mixed, ink) >= 4.5, "{name}, faint");
            }
        }
        for own in
            [|(_, light, _): (&'static str, &'static str, &'static str)| light, |(_, _, dark)| dark]
        {
            let [ink, soft, line, card, paper] = NEUTRAL.map(|neutral| parts(own(neutral)));
            for (ink, papers) in
                [(ink, &[line, card, paper][..]), (soft, &[card, paper]), (paper, &[soft, ink])]
            {
                papers.iter().for_each(|on| assert!(contrast(ink, *on) >= 4.5));
            }
        }
    }
}
