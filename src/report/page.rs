//! Prints reports as pages: one HTML file that needs no other and runs nothing, for any width, light and dark.

use super::plot::{escaped, share};
use super::value::value;
use super::{
    Bar, BarMark, Block, Figure, Fold, Grid, Plot, Table, bars, cut, directions, film, many,
    signed, tame, tidy,
};

#[derive(Default)]
pub(crate) struct Page<'a> {
    pub title: &'a str,
    /// A sentence below the title.
    pub lead: &'a str,
    /// What is wrong with all of it.
    pub warning: Option<String>,
    /// Whether the reader can sort its tables and filter their rows.
    pub sorts: bool,
    /// The parts from the top down.
    pub blocks: &'a [&'a [Block]],
}

/// How a finding is found again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The commands, a line each.
    pub commands: String,
    pub seed: Option<u64>,
    /// Where in the conflict it was found: the entries of its history.
    pub entries: Vec<String>,
    /// Each file that decides what was found, and its SHA-256 digest.
    pub digests: Vec<(String, String)>,
}

impl Origin {
    /// The last section of a page.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let seed = self.seed.map(|seed| format!(", with seed {seed}")).unwrap_or_default();
        let version = format!("Printed by fracas {}{seed}.", env!("CARGO_PKG_VERSION"));
        let digests = self.digests.iter().map(|(file, digest)| vec![file.clone(), digest.clone()]);
        let digests = Table::new(["file", "digest"], digests);
        vec![
            Block::title("To repeat it"),
            Block::Code(self.commands.clone()),
            Block::sentence(match self.entries.is_empty() {
                true => "",
                false => "It was found at the place that these entries of the history lead to:",
            }),
            Block::Code(self.entries.join("\n")),
            Block::sentence(version),
            Block::Table(digests.captioned("SHA-256 digests of the files that were read")),
        ]
    }
}

/// A page of fewer sections has no list of them.
const SECTIONS: usize = 4;
/// Tables of more rows are folded.
const LONG: usize = 30;
/// Rows of more bars are close to each other.
const CLOSE: usize = 24;
/// Of more rows only the first are printed, and a cell of more characters is cut: a script decides how much it lists.
const ROWS: usize = 10_000;
const CELL: usize = 2_000;
/// Grids of more columns are printed without what is said of each number, but where it is pointed at.
const DENSE: usize = 12;
/// A value of fewer characters beside its interval is not broken.
const WHOLE: usize = 24;
/// Between the names of a heading.
const NAMES: &str = "· ";
const SORT: &str = include_str!("sort.js");
/// Columns for texts that are laid out for a width.
const WIDTH: usize = 80;

impl Page<'_> {
    pub(crate) fn html(&self) -> String {
        let mut printer = PagePrinter { sorts: self.sorts, ..PagePrinter::default() };
        self.title.clone_into(&mut printer.heading);
        self.blocks.iter().for_each(|blocks| printer.all(blocks, 0));
        let PagePrinter { html: body, sections, film, .. } = printer;
        let links = sections.iter().enumerate();
        let links =
            links.map(|(index, title)| format!("<a href=\"#s{index}\">{}</a>\n", rich(title)));
        let links = match sections.len() >= SECTIONS {
            true => format!("<nav aria-label=\"Sections\">\n{}</nav>\n", links.collect::<String>()),
            false => String::new(),
        };
        let (title, heading) = (markup(self.title), element(self.title));
        let lead = match self.lead {
            "" => String::new(),
            lead => format!("<p class=\"lead\">{}</p>\n", rich(lead)),
        };
        let warning = self
            .warning
            .as_ref()
            .map(|warning| format!("<p class=\"note\" role=\"note\">{}</p>\n", rich(warning)));
        let warning = warning.unwrap_or_default();
        let scripts = [(film, film::SCRIPT), (self.sorts, SORT)];
        let scripts = scripts.into_iter().filter(|(has, _)| *has).map(|(_, script)| script);
        let scripts: Vec<&str> = scripts.collect();
        let policy = if scripts.is_empty() { String::new() } else { film::policy(&scripts) };
        let sort = if self.sorts { format!("<script>{SORT}</script>\n") } else { String::new() };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n{policy}<title>{title}</title>\n\
             <style>\n{}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n{lead}{warning}{links}{body}\
             </main>\n{sort}</body>\n</html>\n",
            include_str!("page.css")
        )
    }
}

#[derive(Default)]
struct PagePrinter {
    html: String,
    /// The title above what is printed, which is the caption of tables without one.
    heading: String,
    sections: Vec<String>,
    plots: usize,
    film: bool,
    sorts: bool,
}

impl PagePrinter {
    fn add(&mut self, html: impl AsRef<str>) {
        self.html.push_str(html.as_ref());
    }

    /// Blocks within this many groups.
    fn all(&mut self, blocks: &[Block], depth: usize) {
        blocks.iter().for_each(|block| self.one(block, depth));
    }

    fn one(&mut self, block: &Block, depth: usize) {
        match block {
            Block::Title(text) => self.title(text, depth),
            Block::Sentence(text) if text.trim().is_empty() => {}
            Block::Sentence(text) => self.add(format!("<p>{}</p>\n", rich(text.trim_end()))),
            Block::Code(text) => self.laid(text, true),
            Block::Picture(text) => self.laid(text, false),
            Block::Laid(lay) => self.laid(&lay(WIDTH), false),
            Block::Data(data) => self.laid(&value(data, WIDTH, true), false),
            Block::Link { words, path } => self.add(format!(
                "<p><a href=\"{}\">{}</a></p>\n",
                markup(&percent_encoded(path)),
                element(words)
            )),
            Block::Download { words, name, text } => self.add(format!(
                "<p><a download=\"{}\" href=\"data:text/csv;charset=utf-8,{}\">{}</a></p>\n",
                markup(name),
                percent_encoded(text),
                rich(words)
            )),
            Block::Table(table) => self.table(table),
            Block::Bars(bars) => self.bars(bars),
            Block::Figure(Figure::Plot(plot)) => self.plot(plot),
            Block::Figure(Figure::Grid(grid)) => self.grid(grid),
            Block::Film(film) => {
                self.film = true;
                self.add(film.html(markup));
            }
            Block::Beside(columns) => {
                self.add("<div class=\"lines\">\n");
                for (title, code) in columns {
                    self.add(format!("<div>\n<p>{}</p>\n", rich(title)));
                    self.laid(code, true);
                    self.add("</div>\n");
                }
                self.add("</div>\n");
            }
            Block::Collapsed(title, blocks) => {
                self.heading = title.clone();
                self.add(format!("<details><summary>{}</summary>\n", rich(title)));
                self.all(blocks, depth + 1);
                self.add("</details>\n");
            }
            Block::Group(blocks) => self.all(blocks, depth + 1),
            Block::Forms(forms) => forms.iter().take(1).for_each(|(_, form)| self.all(form, depth)),
            Block::Fold(fold) => self.fold(fold, depth),
        }
    }

    fn title(&mut self, text: &str, depth: usize) {
        if text.is_empty() {
            return;
        }
        // On a terminal titles are parts of sentences, with a colon before what follows; headings begin with a capital,
        // but for names, and have none.
        let text = text.strip_suffix(':').unwrap_or(text);
        let (word, behind) = text.split_once(' ').unwrap_or((text, ""));
        let is_name = word.contains(['/', '_', '.']) || behind.starts_with(NAMES);
        let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
        let first = if is_name { first.to_owned() } else { first.to_uppercase() };
        let text = &format!("{first}{rest}");
        text.clone_into(&mut self.heading);
        match depth {
            0 | 1 => {
                let id = self.sections.len();
                self.add(format!("<h2 id=\"s{id}\">{}</h2>\n", rich(text)));
                self.sections.push(text.to_owned());
            }
            _ => self.add(format!("<h3>{}</h3>\n", rich(text))),
        }
    }

    /// A text whose lines stay; code is copied from the page, so nothing is written into it.
    fn laid(&mut self, text: &str, is_code: bool) {
        if !text.trim().is_empty() {
            self.add(format!(
                "<pre tabindex=\"0\"><code>{}</code></pre>\n",
                if is_code { markup(text.trim_end()) } else { element(text.trim_end()) }
            ));
        }
    }

    fn fold(&mut self, fold: &Fold, depth: usize) {
        match fold.table(fold.parts.len()) {
            Some(table) => self.table(&table),
            None => self.all(&fold.parts, depth),
        }
        if fold.parts.len() < fold.count {
            self.one(&Block::sentence((fold.rest)(fold.parts.len())), depth);
        }
    }

    /// Opens what scrolls where it is too wide, and a table in it; a caption that is the heading is only read aloud.
    fn open_table(&mut self, class: &str, caption: &str) {
        let unseen = if caption == self.heading { " class=\"unseen\"" } else { "" };
        let (label, caption) = (markup(caption), element(caption));
        self.add(format!(
            "<div class=\"wide\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><table{class}>\n\
             <caption><span{unseen}>{caption}</span></caption>\n"
        ));
    }

    fn table(&mut self, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let caption = table.caption.clone().unwrap_or_else(|| self.heading.clone());
        let is_long = table.rows.len() > LONG;
        if is_long {
            let rows = many(table.rows.len() as u64, "row");
            self.add(format!("<details><summary>{}: {rows}</summary>\n", element(&caption)));
        }
        self.rows(table, if self.sorts { " class=\"sorts\"" } else { "" }, &caption);
        if is_long {
            self.add("</details>\n");
        }
    }

    /// The rows of a table below their header.
    fn rows(&mut self, table: &Table, class: &str, caption: &str) {
        self.open_table(class, caption);
        let numbers: Vec<bool> = (0..table.header.len()).map(|i| is_numeric(table, i)).collect();
        let number = |column: usize| match numbers.get(column) {
            Some(true) => " class=\"number\"",
            _ => "",
        };
        self.add("<thead><tr>");
        for (column, name) in table.header.iter().enumerate() {
            self.add(format!("<th scope=\"col\"{}>{}</th>", number(column), rich(name)));
        }
        self.add("</tr></thead>\n<tbody>\n");
        for row in table.rows.iter().take(ROWS) {
            self.add("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let cell = rich(&cut(cell, CELL));
                match column {
                    0 => self.add(format!("<th scope=\"row\">{cell}</th>")),
                    _ => self.add(format!("<td{}>{cell}</td>", number(column))),
                }
            }
            self.add("</tr>\n");
        }
        self.add("</tbody>\n</table></div>\n");
        if let Some(left @ 1..) = table.rows.len().checked_sub(ROWS) {
            self.add(format!("<p>… and {}</p>\n", many(left as u64, "more row")));
        }
    }

    fn bars(&mut self, bars: &[Bar]) {
        if bars.is_empty() {
            return;
        }
        let class = if bars.len() > CLOSE { " class=\"bars close\"" } else { " class=\"bars\"" };
        self.open_table(class, &self.heading.clone());
        let groups = bars.iter().any(|bar| !bar.group.is_empty());
        // Intervals are all on one scale, which is written above them.
        let scale = bars.iter().find_map(|bar| match &bar.mark {
            BarMark::Interval { scale, .. } => Some(*scale),
            _ => None,
        });
        if let Some((low, high)) = scale {
            let (columns, low, high) = (if groups { 3 } else { 2 }, signed(low), signed(high));
            self.add(format!(
                "<thead><tr><td colspan=\"{columns}\"></td><td class=\"scale\"><span>{low}</span> \
                 <span>{high}</span></td></tr></thead>\n"
            ));
        }
        self.add("<tbody>\n");
        for (group, lines) in
            bars.chunk_by(|a, b| a.group == b.group).map(|all| (&all[0].group, all))
        {
            for (index, bar) in lines.iter().enumerate() {
                self.add("<tr>");
                if groups && index == 0 {
                    let rows = lines.len();
                    let group = rich(group);
                    self.add(format!("<th scope=\"rowgroup\" rowspan=\"{rows}\">{group}</th>"));
                }
                let (name, value) = (rich(&bar.name), rich(&bar.value));
                self.add(match groups {
                    true => format!("<td>{name}</td>"),
                    false => format!("<th scope=\"row\">{name}</th>"),
                });
                let is_whole = matches!(bar.mark, BarMark::Interval { .. });
                let whole = match is_whole && bar.value.chars().count() < WHOLE {
                    true => " class=\"whole\"",
                    false => "",
                };
                self.add(format!("<td{whole}>{value}</td><td>{}</td></tr>\n", picture(&bar.mark)));
            }
        }
        self.add("</tbody>\n</table></div>\n");
    }

    /// The curves, and all their numbers in a table that can be opened.
    fn plot(&mut self, plot: &Plot) {
        self.plots += 1;
        let drawn = plot.element(&format!("p{}", self.plots));
        let label = markup(&plot.title);
        self.add(format!(
            "<figure><div class=\"wide\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">{drawn}</div>\n\
             <details><summary>Numbers of this plot</summary>\n"
        ));
        let names = plot.series.iter().map(|series| match series.name.is_empty() {
            true => &plot.y,
            false => &series.name,
        });
        let header = std::iter::once(&plot.x).chain(names).cloned();
        let rows = plot.rows().into_iter().map(|(place, cells)| [vec![place], cells].concat());
        self.rows(&Table::new(header, rows), "", &plot.title);
        self.add("</details></figure>\n");
    }

    /// A table whose cells are shaded.
    fn grid(&mut self, grid: &Grid) {
        let dense = grid.columns.len() > DENSE;
        let class = if dense { " class=\"heat dense\"" } else { " class=\"heat\"" };
        self.open_table(class, &grid.title);
        let corner = match (grid.y.as_str(), grid.x.as_str()) {
            ("", "") => String::new(),
            (down, right) => format!("{down} \\ {right}"),
        };
        self.add(format!("<thead><tr><th scope=\"col\">{}</th>", element(&corner)));
        for column in &grid.columns {
            self.add(format!("<th scope=\"col\">{}</th>", element(column)));
        }
        self.add("</tr></thead>\n<tbody>\n");
        for (row, name) in grid.rows.iter().enumerate() {
            self.add(format!("<tr><th scope=\"row\">{}</th>", element(name)));
            for column in 0..grid.columns.len() {
                let Some((text, colour, shade)) = grid.shaded(row, column) else {
                    self.add("<td></td>");
                    continue;
                };
                let said = grid.word(row, column).map(|(_, said)| said);
                let title: String =
                    said.iter().map(|said| format!(" title=\"{}\"", markup(said))).collect();
                let small = said.iter().map(|said| format!(" <small>{}</small>", element(said)));
                let small: String = small.filter(|_| !dense).collect();
                let text = element(&text);
                self.add(format!(
                    "<td class=\"{colour}\" style=\"--by:{shade}\"{title}>{text}{small}</td>"
                ));
            }
            self.add("</tr>\n");
        }
        self.add("</tbody>\n</table></div>\n");
    }
}

fn is_numeric(table: &Table, column: usize) -> bool {
    let mut cells =
        table.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
    let begins = |cell: &String| {
        let digits = cell.trim_start_matches(['+', '-', '−', '±', '≤', '<', '>', '~', ' ']);
        digits.starts_with(|letter: char| letter.is_ascii_digit()) && cell.chars().count() < 40
    };
    column > 0 && cells.clone().next().is_some() && cells.all(begins)
}

/// A text in which what is between back-ticks is code.
fn rich(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return element(text);
    }
    let part = |(index, part): (usize, &&str)| match index % 2 {
        0 => element(part),
        _ => format!("<code>{}</code>", markup(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

fn percent_encoded(path: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b',' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    path.bytes().map(byte).collect()
}

/// The picture of a number, for eyes alone: the number is beside it.
fn picture(mark: &BarMark) -> String {
    const OPEN: &str = "<svg class=\"mark\" aria-hidden=\"true\"";
    let percent = |share: f64| format!("{:.2}%", 100.0 * share);
    match mark {
        BarMark::None => String::new(),
        BarMark::Share(share) => {
            let width = percent(share.clamp(0.0, 1.0));
            format!("{OPEN}><rect y=\"20%\" width=\"{width}\" height=\"60%\"/></svg>")
        }
        BarMark::Interval { value, ends, scale } => {
            let at = |number: f64| percent(share(number, *scale));
            let (low, high, dot) = (at(ends.0), at(ends.1), at(*value));
            format!(
                "{OPEN}><line x1=\"{low}\" y1=\"50%\" x2=\"{high}\" y2=\"50%\"/>\
                 <circle cx=\"{dot}\" cy=\"50%\" r=\"5\"/></svg>"
            )
        }
        BarMark::Spread(_, shares) => {
            let (Some((low, _)), Some((high, _))) = (shares.first(), shares.last()) else {
                return String::new();
            };
            if low == high {
                return String::new();
            }
            let parts = bars::sums(shares, *low, high - low);
            let most = parts.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
            let wide = 1.0 / parts.len() as f64;
            let bar = |(index, part): (usize, &f64)| {
                let (x, width) = (percent(index as f64 * wide), percent(wide * 0.86));
                let (top, height) = (percent(1.0 - part / most), percent(part / most));
                format!("<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>")
            };
            let bars: String = parts.iter().enumerate().map(bar).collect();
            format!("{OPEN}>{bars}</svg><small>{} to {}</small>", tidy(*low), tidy(*high))
        }
    }
}

/// A text of strangers in an element: what is written from right to left changes nothing of where the numbers beside it are.
fn element(text: &str) -> String {
    let part = |(turned, part): (bool, &str)| match turned {
        true => format!("<bdi>{}</bdi>", markup(part)),
        false => markup(part),
    };
    directions(text).into_iter().map(part).collect()
}

/// A text of strangers in an attribute, or where an element has none in it.
fn markup(text: &str) -> String {
    text.split('\n').map(|line| escaped(&tame(line))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(blocks: &[Block]) -> String {
        let html = Page { title: "t", blocks: &[blocks], ..Page::default() }.html();
        html.split("</h1>\n").nth(1).unwrap().split("</main>").next().unwrap().to_owned()
    }

    #[test]
    fn text_of_strangers_stays_text() {
        let text = "<script>alert('&\"')</script>\u{202e}\u{1b}";
        let table = Table::new([text], [vec![text.to_owned()]]).captioned(text);
        let link = Block::Link { words: text.to_owned(), path: text.to_owned() };
        let html =
            body(&[Block::title(text), Block::Code(text.to_owned()), Block::Table(table), link]);
        assert!(!html.contains("<script") && !html.contains(['\u{202e}', '\u{1b}']), "{html}");
        assert!(html.contains("&lt;script&gt;alert(") && html.contains("\u{fffd}"), "{html}");
        // The path's own marks would end the attribute.
        assert!(html.contains("href=\"%3Cscript%3Ealert%28%27%26%22%27%29%3C/script%3E"), "{html}");
    }

    #[test]
    fn names_written_from_right_to_left_are_apart_from_the_numbers_beside_them() {
        let name = "<bdi>\u{5e9}\u{5d7} \u{5e8}</bdi>";
        let plain = "\u{5e9}\u{5d7} \u{5e8}";
        let said = format!("It ended as {plain} -1, {plain}, {plain}!");
        assert_eq!(
            body(&[Block::Sentence(said.clone())]),
            format!("<p>{}</p>\n", said.replace(plain, name))
        );
        let table = Table::new([plain, "n"], [vec![format!("2 {plain}"), format!("{plain} -3")]]);
        let html = body(&[Block::Table(table.captioned(plain))]);
        assert_eq!(html.matches(name).count(), 4, "{html}");
        assert!(html.contains(&format!("aria-label=\"{plain}\"")), "{html}");
        assert!(body(&[Block::Picture(format!("0 : 0 {plain}, 2"))]).contains(name));
        // Code is copied as it is.
        assert!(!body(&[Block::Code(plain.to_owned())]).contains("bdi"));
    }

    #[test]
    fn headings_begin_with_a_capital_but_names_stay() {
        let heading = |text: &str| body(&[Block::title(text)]).replace("</h2>", "");
        for name in ["coin_toss/deal: exact", "ann · word, reached 1 %", "one.toml: exact"] {
            assert!(heading(name).contains(&format!(">{name}")), "{}", heading(name));
        }
        assert!(heading("exact odds").contains(">Exact odds"), "{}", heading("exact odds"));
    }

    #[test]
    fn what_is_between_back_ticks_is_code_and_a_single_one_stays() {
        assert_eq!(body(&[Block::sentence("a `b`\nc")]), "<p>a <code>b</code>\nc</p>\n");
        assert_eq!(body(&[Block::sentence("a ` b")]), "<p>a ` b</p>\n");
    }

    #[test]
    fn tables_of_more_rows_than_a_screen_are_folded() {
        let rows = |count: usize| Table::new(["n"], vec![vec!["1".to_owned()]; count]);
        assert!(!body(&[Block::Table(rows(LONG))]).contains("<details>"));
        assert!(body(&[Block::Table(rows(LONG + 1))]).contains("<summary>t: 31 rows</summary>"));
    }
}
