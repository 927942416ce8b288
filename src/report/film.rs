//! A film: a history as frames that the reader of a page steps through. Its script writes texts alone, and the page
//! forbids every other.

use indexmap::IndexSet;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::drawing::{self, ChangingLists, DrawnShape};
use super::{Drawings, directions, tame};

/// A history in frames.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Who may look: everybody, and where something is hidden each player; one entry where there is nothing to
    /// choose.
    pub viewers: Vec<String>,
    /// One line of play; or several of one beginning, which are stepped through together, side by side.
    pub lines: Vec<FilmLine>,
    /// Frames that a reader may want to go to, each with a few words.
    pub marks: Vec<(usize, String)>,
    /// The saved history, where the page holds it.
    pub history: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct FilmLine {
    /// What it is called where there are several.
    pub name: String,
    /// From the first question to the end.
    pub frames: Vec<FilmFrame>,
    pub(crate) drawings: Drawings,
}

/// What is seen at a question, or at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilmFrame {
    /// What happens.
    pub title: String,
    /// The title for viewers who may not know it.
    pub covered: String,
    /// What each viewer sees.
    pub sights: Vec<FilmSight>,
    /// The question in words.
    pub question: String,
    /// The options in words.
    pub options: Vec<String>,
    /// The option that was taken.
    pub picked: Option<usize>,
    /// Whether chance answered.
    pub chance: bool,
    /// What was announced since the frame before.
    pub events: Vec<String>,
    /// The clause by which it is asked: a heading, then paragraphs.
    pub clause: Vec<String>,
    /// What each player can expect, a line each.
    pub expected: Vec<String>,
    /// The number of the entry of the history that answers it, from 1; several answer a decision that is made together.
    pub entry: Option<usize>,
}

/// What a viewer sees in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilmSight {
    /// The rules' picture, empty where there is none.
    pub picture: String,
    /// The number of their drawing, where there is one.
    pub drawing: Option<usize>,
    /// Whether the question may be seen.
    pub asked: bool,
}

/// The frames as the script reads them: each text once, by its number, each picture as its lines, and each drawing as
/// its shapes.
#[derive(Serialize)]
struct FilmData<'a> {
    texts: Vec<String>,
    pictures: Vec<Vec<usize>>,
    drawings: Vec<(Vec<&'a DrawnShape>, &'a [Vec<usize>])>,
    lines: Vec<Vec<FrameData>>,
    marks: Vec<(usize, usize)>,
}

#[derive(Serialize)]
struct FrameData {
    title: usize,
    covered: usize,
    pictures: Vec<usize>,
    drawn: Vec<Option<usize>>,
    seen: Vec<bool>,
    question: usize,
    options: Vec<usize>,
    picked: Option<usize>,
    chance: bool,
    events: Vec<usize>,
    clause: Vec<usize>,
    expected: Vec<usize>,
    entry: Option<usize>,
}

pub(super) const SCRIPT: &str = include_str!("film.js");
/// Where the saved history of a page begins, and ends.
const HISTORY: [&str; 2] = ["<script type=\"application/json\" id=\"history\">", "</script>"];

impl Film {
    /// The element, its data and its script.
    pub(super) fn html(&self, escaped: impl Fn(&str) -> String) -> String {
        let choice = |(index, name): (usize, &String)| {
            format!("<option value=\"{index}\">{}</option>", escaped(name))
        };
        let viewer = match self.viewers.len() {
            0 | 1 => String::new(),
            _ => {
                let all: String = self.viewers.iter().enumerate().map(choice).collect();
                format!("<label>Seen by <select data-part=\"viewer\">{all}</select></label>\n")
            }
        };
        let button = |part: &str, label: &str, sign: &str| {
            format!(
                "<button type=\"button\" data-part=\"{part}\" aria-label=\"{label}\">{sign}</button>\n"
            )
        };
        let buttons = [
            button("first", "To the beginning", "«"),
            button("back", "One back", "‹"),
            button("on", "One on", "›"),
            button("end", "To the end", "»"),
        ];
        // Only the first is read aloud by itself: the others show the same place.
        let line = |(index, line): (usize, &FilmLine)| {
            let (name, level) = match self.lines.len() {
                0 | 1 => (String::new(), 2),
                _ => (format!("<h2>{}</h2>\n", escaped(&line.name)), 3),
            };
            let picture =
                "<pre data-part=\"picture\" tabindex=\"0\" aria-label=\"Picture\"></pre>\n";
            let picture = match line.drawings.is_empty() {
                true => picture.to_owned(),
                false => {
                    let drawn = line.drawings.element(index);
                    let as_text =
                        "<details data-part=\"as-text\"><summary>The same as text</summary>";
                    format!("{drawn}{as_text}\n{picture}</details>\n")
                }
            };
            let live = if index == 0 { " aria-live=\"polite\"" } else { "" };
            format!(
                "<article>\n{name}<ul data-part=\"events\"></ul>\n\
                 {picture}\
                 <h{level} data-part=\"title\"{live}></h{level}>\n<p data-part=\"question\"></p>\n\
                 <ol class=\"options\" data-part=\"options\"></ol>\n\
                 <ul class=\"expected\" data-part=\"expected\"></ul>\n<details data-part=\"clause\"></details>\n\
                 </article>\n"
            )
        };
        let lines: String = self.lines.iter().enumerate().map(line).collect();
        let style = match self.lines.iter().all(|line| line.drawings.is_empty()) {
            true => String::new(),
            false => format!("<style>\n{}</style>\n", drawing::style(true)),
        };
        let unscripted = match &self.history {
            Some(_) => "Without scripts the history is below, line by line.",
            None => "To step through this, the page needs its script, which is in it.",
        };
        let history = match &self.history {
            Some(text) => format!("{}{}{}\n", HISTORY[0], data_block(text), HISTORY[1]),
            None => String::new(),
        };
        format!(
            "<section id=\"film\" aria-label=\"Replay\" hidden>\n<div class=\"controls\">\n{}\
             <label class=\"slide\"><span class=\"unseen\">Place in the history</span>\
             <input type=\"range\" min=\"0\" value=\"0\" data-part=\"slider\"></label>\n\
             <output data-part=\"count\"></output>\n{viewer}</div>\n\
             <ol class=\"marks\" data-part=\"marks\" aria-label=\"What moved most\"></ol>\n\
             {style}<div class=\"lines\">\n{lines}</div>\n</section>\n\
             <noscript><p class=\"note\">{unscripted}</p></noscript>\n\
             <script type=\"application/json\" id=\"film-data\">{}</script>\n{history}<script>{SCRIPT}</script>\n",
            buttons.concat(),
            data_block(&self.data())
        )
    }

    fn data(&self) -> FilmData<'_> {
        let mut texts: IndexSet<String> = IndexSet::new();
        let mut number = |text: &str| texts.insert_full(isolated(&tame(text))).0;
        let mut pictures = ChangingLists::default();
        let mut lines = Vec::new();
        for line in &self.lines {
            let mut frames: Vec<FrameData> = Vec::new();
            for frame in &line.frames {
                let before = frames.last().map_or(&[][..], |before| &before.pictures[..]);
                let sights = frame.sights.iter().enumerate().map(|(eyes, sight)| {
                    let rows = sight.picture.lines().map(&mut number).collect();
                    pictures.keep(rows, before.get(eyes).copied()).0
                });
                let sights = sights.collect();
                frames.push(frame.data(sights, &mut number));
            }
            lines.push(frames);
        }
        let marks = self.marks.iter().map(|(frame, text)| (*frame, number(text))).collect();
        let drawings = self.lines.iter().map(|line| line.drawings.data()).collect();
        let (texts, pictures) = (texts.into_iter().collect(), pictures.data().to_vec());
        FilmData { texts, pictures, drawings, lines, marks }
    }

    /// The saved history that a page holds, if the text is a page that holds one.
    pub(crate) fn history_in(page: &str) -> Option<String> {
        let begins = page.find(HISTORY[0])? + HISTORY[0].len();
        let rest = &page[begins..];
        serde_json::from_str(&rest[..rest.find(HISTORY[1])?]).ok()
    }
}

impl FilmFrame {
    /// As the script reads it, with the numbers of its pictures, where `number` gives each text its own.
    fn data(&self, pictures: Vec<usize>, number: &mut dyn FnMut(&str) -> usize) -> FrameData {
        let mut all = |list: &[String]| list.iter().map(|text| number(text)).collect();
        FrameData {
            options: all(&self.options),
            events: all(&self.events),
            clause: all(&self.clause),
            expected: all(&self.expected),
            pictures,
            drawn: self.sights.iter().map(|sight| sight.drawing).collect(),
            seen: self.sights.iter().map(|sight| sight.asked).collect(),
            picked: self.picked,
            chance: self.chance,
            entry: self.entry,
            title: number(&self.title),
            covered: number(&self.covered),
            question: number(&self.question),
        }
    }
}

/// A text that the script writes, where no element can keep what is written from right to left apart: marks of Unicode do.
fn isolated(text: &str) -> String {
    let part = |(turned, part): (bool, &str)| match turned {
        true => format!("\u{2068}{part}\u{2069}"),
        false => part.to_owned(),
    };
    directions(text).into_iter().map(part).collect()
}

/// Data in an element of a page: nothing in it ends the element or begins another.
fn data_block(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).unwrap_or_default();
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// What a page with these scripts allows: them and its own style, and nothing from anywhere.
pub(super) fn policy(scripts: &[&str]) -> String {
    let digest =
        |script: &&str| format!(" 'sha256-{}'", base64(&Sha256::digest(script.as_bytes())));
    let digests: String = scripts.iter().map(digest).collect();
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src{digests}\">\n"
    )
}

/// Bytes in letters (RFC 4648), as a browser compares digests.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits =
            (0..3).fold(0, |bits, at| bits << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
        let letter = |at: usize| match at <= three.len() {
            true => char::from(LETTERS[(bits >> (18 - 6 * at)) as usize % 64]),
            false => '=',
        };
        (0..4).map(letter).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_the_standard_has_it() {
        // The examples of RFC 4648, section 10.
        let of = |text: &str| base64(text.as_bytes());
        assert_eq!([of(""), of("f"), of("fo"), of("foobar")], ["", "Zg==", "Zm8=", "Zm9vYmFy"]);
    }

    #[test]
    fn names_written_from_right_to_left_are_apart_from_the_numbers_beside_them() {
        let name = "\u{5e9}\u{5d7}";
        let frame = FilmFrame { title: format!("{name} -1, {name}"), ..FilmFrame::default() };
        let line = FilmLine { frames: vec![frame], ..FilmLine::default() };
        let film = Film { lines: vec![line], ..Film::default() };
        let apart = format!("\u{2068}{name}\u{2069}");
        assert_eq!(film.data().texts[0], format!("{apart} -1, {apart}"));
    }

    #[test]
    fn texts_of_strangers_end_no_element_and_come_back_as_they_were() {
        let text = "</script><script>alert(1)</script>&\u{2028}\n";
        let frame = FilmFrame { title: text.to_owned(), ..FilmFrame::default() };
        let history = Some(text.to_owned());
        let line = FilmLine { name: String::new(), frames: vec![frame], ..FilmLine::default() };
        let film = Film { lines: vec![line], history, ..Film::default() };
        let html = film.html(str::to_owned);
        assert_eq!(html.matches("<script").count(), 3, "the data, the history and the script");
        assert_eq!(Film::history_in(&html).as_deref(), Some(text));
        assert_eq!(Film::history_in("<p>no history</p>"), None);
    }
}
