//! Writes SVG: shapes and texts, with every text escaped and every number in one form.

use std::fmt::Write;

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
