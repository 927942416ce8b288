//! Tables: rows below a header, and how they are drawn to fit the width of the terminal.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Width, presets};

use super::wrap::{GLUE, with_interval, with_percent};
use super::{columns, cut, many, pieces, wrapped};

/// A script decides how much it lists, and laying out takes more time than the text is long: of more
/// rows only the first are drawn, and a cell, or the name of a column, of more characters is cut.
const ROWS: usize = 10_000;
const CELL: usize = 2_000;
const NAME: usize = 200;
/// The space within the edges of each column, and all that is printed beside it.
const PADDING: usize = 2;
const BESIDE: usize = PADDING + 1;

/// Rows below a header.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// What it shows, on a page; else the title above it says that.
    pub(super) caption: Option<String>,
    narrow: Narrow,
}

/// What becomes of a table where there is too little width for it. Where not even the words fit beside each other,
/// each row is a list of its cells.
#[derive(Clone, Copy, Debug)]
enum Narrow {
    /// Cells are broken at spaces.
    Broken,
    /// The same, but rows are lists also where less than a number of columns is left for the column of this number.
    Prose(usize, usize),
    /// Columns for which there is no room are in further tables below, with the first column before them.
    Parts,
}

impl Table {
    pub(crate) fn new<N: Into<String>>(
        header: impl IntoIterator<Item = N>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Table {
        let header = header.into_iter().map(Into::into).collect();
        let rows = rows.into_iter().collect();
        Table { header, rows, caption: None, narrow: Narrow::Broken }
    }

    /// The same, with what a page says above it.
    pub(crate) fn captioned(self, caption: impl Into<String>) -> Table {
        Table { caption: Some(caption.into()), ..self }
    }

    /// The same; where less than `prose` columns are left for the column of this number, each row is listed cell
    /// by cell.
    pub(crate) fn with_prose(self, column: usize, prose: usize) -> Table {
        Table { narrow: Narrow::Prose(column, prose), ..self }
    }

    /// The same; columns for which there is no room are in further tables below.
    pub(crate) fn in_parts(self) -> Table {
        Table { narrow: Narrow::Parts, ..self }
    }

    /// Tables of the same header as one; nothing where there is none.
    pub(super) fn joined<'a>(mut tables: impl Iterator<Item = &'a Table>) -> Option<Table> {
        let mut whole = tables.next()?.clone();
        whole.rows.extend(tables.flat_map(|table| table.rows.iter().cloned()));
        Some(whole)
    }

    /// The columns that it takes without a break in any cell.
    pub(crate) fn width(&self) -> usize {
        let longest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let lines = cells.flat_map(|cell| cell.lines());
            let cells = lines.map(|line| line.chars().count()).max().unwrap_or(0);
            // The words of a header may be below each other.
            let words = self.header[column].split(' ').map(|word| word.chars().count());
            cells.max(words.max().unwrap_or(0)) + BESIDE
        };
        (0..self.header.len()).map(longest).sum()
    }

    /// Within `width` columns, numbers to the right; `plain` draws no line below the header.
    pub(super) fn text(&self, width: usize, plain: bool) -> String {
        let header: Vec<&str> = self.header.iter().map(String::as_str).collect();
        let together = match self.narrow {
            Narrow::Parts => with_interval,
            Narrow::Broken | Narrow::Prose(..) => with_percent,
        };
        bounded(&header, &self.rows, width, together, |header, rows| match self.narrow {
            Narrow::Prose(column, prose) if beside(header, rows, column) + prose > width => {
                listed(header, rows, width)
            }
            Narrow::Parts => drawn_in_parts(header, rows, width, plain),
            Narrow::Broken | Narrow::Prose(..) => drawn(header, rows, width, plain),
        })
    }
}

/// Fields in a line of CSV (RFC 4180), without its end.
pub(crate) fn csv_line(fields: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let quoted = |field: &str| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    };
    fields.into_iter().map(|field| quoted(field.as_ref())).collect::<Vec<_>>().join(",")
}

/// Draws rows that are no more, and no longer, than can be laid out, each cell kept together as it must be;
/// and says what is left out.
fn bounded(
    header: &[&str],
    rows: &[Vec<String>],
    width: usize,
    together: impl Fn(&str) -> String,
    draw: impl Fn(&[&str], &[Vec<String>]) -> String,
) -> String {
    let names: Vec<String> = header.iter().map(|name| cut(name, NAME)).collect();
    let header: Vec<&str> = names.iter().map(String::as_str).collect();
    let left = rows.len().saturating_sub(ROWS);
    let row = |row: &Vec<String>| row.iter().map(|cell| together(&cut(cell, CELL))).collect();
    let shown: Vec<Vec<String>> = rows[..rows.len() - left].iter().map(row).collect();
    let text = draw(&header, &shown).replace(GLUE, " ");
    match left {
        0 => text,
        _ => {
            let rows = many(left as u64, "row");
            let more = format!("… and {rows} more; JSON has all of them");
            format!("{text}\n{}", wrapped(&more, width))
        }
    }
}

fn drawn(header: &[&str], rows: &[Vec<String>], width: usize, plain: bool) -> String {
    let words: Vec<usize> = (0..header.len()).map(|i| longest_word(header, rows, i)).collect();
    if !fit(&words, width) {
        return listed(header, rows, width);
    }
    // A table with a line below its header has a column of spaces between two others, a plain one has none.
    let between = usize::from(!plain);
    let room = (width + 1 + between).saturating_sub(words.len() * (PADDING + between));
    let widths = widths(header, rows, &words, room);
    let rule = LineStyle::none().fill('─').junction('─');
    let mut table = comfy_table::Table::new();
    table
        .load_style(if plain { presets::NOTHING } else { presets::NOTHING.header_separator(rule) })
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        let wide = widths.get(i).map_or(0, |wide| wide + PADDING);
        let wide = Width::Fixed(u16::try_from(wide).unwrap_or(u16::MAX));
        column.set_constraint(ColumnConstraint::Absolute(wide));
        if rows.iter().all(|row| row.get(i).is_some_and(|cell| is_number(cell))) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    // The space behind the last column is nobody's, and the rule does not run over it past the edge.
    let kept = |line: String| match line.strip_prefix('─') {
        Some(_) => line.chars().take(width).collect(),
        None => line.trim_end().to_owned(),
    };
    table.lines().map(kept).collect::<Vec<String>>().join("\n")
}

/// The columns that all but one take.
fn beside(header: &[&str], rows: &[Vec<String>], column: usize) -> usize {
    let widest =
        |i: usize| rows.iter().filter_map(|row| row.get(i)).map(|cell| columns(cell)).max();
    let others = (0..header.len()).filter(|i| *i != column);
    others.map(|i| widest(i).unwrap_or(0) + BESIDE).sum()
}

/// Rows cell by cell, each cell behind its column's name.
fn listed(header: &[&str], rows: &[Vec<String>], width: usize) -> String {
    rows.iter().map(|row| list(header, row, width)).collect::<Vec<_>>().join("\n\n")
}

/// Whether columns of such words fit beside each other.
fn fit(words: &[usize], width: usize) -> bool {
    // A space is before the first column; what is beside the last is not printed.
    words.iter().map(|word| word + BESIDE).sum::<usize>() <= width.saturating_add(PADDING)
}

/// Columns for which there is no room are in further tables below, with the first column before them.
fn drawn_in_parts(header: &[&str], rows: &[Vec<String>], width: usize, plain: bool) -> String {
    let words: Vec<usize> = (0..header.len()).map(|i| longest_word(header, rows, i)).collect();
    if fit(&words, width) {
        return drawn(header, rows, width, plain);
    }
    let cell = |column: usize| {
        let cells = rows.iter().filter_map(move |row| row.get(column));
        let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        widest.max(words[column]) + BESIDE
    };
    // A first column of sentences may be broken: it is in every part.
    let first = cell(0).min((width / 2).max(words[0] + BESIDE));
    let mut parts: Vec<Vec<usize>> = vec![vec![0]];
    let mut used = first;
    for column in 1..header.len() {
        used += cell(column);
        match parts.last_mut() {
            Some(part) if used <= width.saturating_add(PADDING) || part.len() == 1 => {
                part.push(column);
            }
            _ => {
                parts.push(vec![0, column]);
                used = first + cell(column);
            }
        }
    }
    let part = |columns: &Vec<usize>| {
        let header: Vec<&str> = columns.iter().map(|&column| header[column]).collect();
        let row = |row: &Vec<String>| {
            columns.iter().map(|&column| row.get(column).cloned().unwrap_or_default()).collect()
        };
        drawn(&header, &rows.iter().map(row).collect::<Vec<_>>(), width, plain)
    };
    parts.iter().map(part).collect::<Vec<_>>().join("\n\n")
}

fn longest_word(header: &[&str], rows: &[Vec<String>], column: usize) -> usize {
    let cells = rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
    let words = cells.chain(header.get(column).copied()).flat_map(str::split_whitespace);
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

/// The width of each column, of the room for their cells: that of its words at least; what is left over goes where it
/// saves most lines.
fn widths(header: &[&str], rows: &[Vec<String>], words: &[usize], room: usize) -> Vec<usize> {
    let longest = |lines: std::str::Lines<'_>| lines.map(|line| line.chars().count()).max();
    let cells = |i: usize| rows.iter().filter_map(move |row| longest(row.get(i)?.lines())).max();
    let cells: Vec<usize> = (0..words.len()).map(|i| cells(i).unwrap_or(0).max(words[i])).collect();
    let natural = |i: usize| longest(header[i].lines()).unwrap_or(0).max(cells[i]);
    let natural: Vec<usize> = (0..words.len()).map(natural).collect();
    let mut widths = words.to_vec();
    let mut spare = room.saturating_sub(words.iter().sum());
    // A header is below itself before a cell is. Columns that need little get it; the others share alike what is left.
    for wanted in [&cells, &natural] {
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by_key(|&i| wanted[i] - widths[i]);
        for (at, &i) in order.iter().enumerate() {
            let more = (wanted[i] - widths[i]).min(spare / (order.len() - at));
            widths[i] += more;
            spare -= more;
        }
    }
    let mut lines = height(rows, &widths);
    // Then one column gives to another as long as that makes the table lower.
    while let Some((better, lower)) = moved(&widths, words, &natural)
        .map(|widths| (height(rows, &widths), widths))
        .min_by_key(|(height, _)| *height)
        .filter(|(height, _)| *height < lines)
    {
        (lines, widths) = (better, lower);
    }
    widths
}

/// The steps by which columns give width to each other.
const STEPS: [usize; 3] = [1, 4, 12];
/// A long table is laid out by its first rows.
const LOOKED: usize = 60;

/// The widths where one column gives some to another that needs it.
fn moved<'a>(
    widths: &'a [usize],
    words: &'a [usize],
    natural: &'a [usize],
) -> impl Iterator<Item = Vec<usize>> + 'a {
    let all = 0..widths.len();
    let pairs = all.clone().flat_map(move |from| all.clone().map(move |to| (from, to)));
    pairs.flat_map(|pair| STEPS.map(|step| (pair, step))).filter_map(|((from, to), step)| {
        // Less where one has no more to give, or the other needs no more.
        let step = step.min(widths[from] - words[from]).min(natural[to] - widths[to]);
        (from != to && step > 0).then(|| {
            let mut moved = widths.to_vec();
            moved[from] -= step;
            moved[to] += step;
            moved
        })
    })
}

/// How many lines the first rows take in columns of these widths.
fn height(rows: &[Vec<String>], widths: &[usize]) -> usize {
    let lines = |cell: &str, width: usize| cell.lines().map(|line| pieces(line, width).len()).sum();
    let row = |row: &Vec<String>| {
        row.iter().zip(widths).map(|(cell, &width)| lines(cell, width)).max().unwrap_or(0_usize)
    };
    rows.iter().take(LOOKED).map(row).sum()
}

/// A row as its cells below each other, each with the name of its column.
fn list(header: &[&str], row: &[String], width: usize) -> String {
    let cells = header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
    let line = |(name, cell): (&&str, &String)| match name.is_empty() {
        true => wrapped(cell, width),
        false => wrapped(&format!("{name}: {cell}"), width),
    };
    let lines = cells.map(line);
    lines.collect::<Vec<_>>().join("\n")
}

fn is_number(cell: &str) -> bool {
    cell.trim_end_matches([GLUE, ' ', '%']).parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::{CELL, NAME, ROWS, Table, csv_line};

    fn table(header: &[&str], rows: &[Vec<String>], width: usize, plain: bool) -> String {
        Table::new(header.iter().copied(), rows.iter().cloned()).text(width, plain)
    }

    fn parts(header: &[&str], rows: &[Vec<String>], width: usize, plain: bool) -> String {
        let table = Table::new(header.iter().copied(), rows.iter().cloned());
        table.in_parts().text(width, plain)
    }

    #[test]
    fn fields_with_a_comma_are_one_field() {
        let fields = ["a", "3/1/2, 55 %", "say \"no\"", ""];
        assert_eq!(csv_line(fields), "a,\"3/1/2, 55 %\",\"say \"\"no\"\"\",");
    }

    #[test]
    fn what_a_script_lists_without_end_is_cut_and_the_table_says_so() {
        let rows = vec![vec!["1".to_owned()]; ROWS + 3];
        let text = table(&["n"], &rows, 40, true);
        // The header, the rows, and what is said of the others.
        assert_eq!(text.lines().count(), 1 + ROWS + 1);
        assert!(text.ends_with("\n… and 3 rows more; JSON has all of them"), "{text}");
        let long = "x".repeat(5_000_000);
        for text in [table, parts].map(|draw| draw(&["a"], &[vec![long.clone()]], 40, true)) {
            assert_eq!(text.matches('x').count(), CELL - 1);
            assert!(text.contains('…'));
        }
        let text = table(&[&long], &[vec!["1".to_owned()]], 40, true);
        assert_eq!(text.matches('x').count(), NAME - 1);
    }

    #[test]
    fn columns_that_do_not_fit_stand_below_with_the_first_one() {
        let header = ["option", "advance", "retreat", "surrender"];
        let rows = [["go", "1.00 %", "2.00 %", "3.00 %"].map(str::to_owned).to_vec()];
        // With the space between them the columns take 6 + 3, 7 + 3, 7 + 3 and 9 + 3; the last three are
        // not printed where they end a line, and one is before the first.
        assert_eq!(parts(&header, &rows, 39, true).lines().count(), 2);
        let text = parts(&header, &rows, 38, true);
        let lines: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(
            lines,
            [
                vec!["option", "advance", "retreat"],
                vec!["go", "1.00", "%", "2.00", "%"],
                vec![],
                vec!["option", "surrender"],
                vec!["go", "3.00", "%"],
            ]
        );
    }

    #[test]
    fn a_number_is_never_apart_from_its_percent_sign() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["one of several words", "100.00 %"]), row(["two", "0.00 %"])];
        for width in 17..40 {
            let text = table(&["what", "x"], &rows, width, true);
            assert!(text.contains("100.00 %"), "{width}: {text}");
        }
        // Where columns can go below each other, intervals stay with their numbers.
        let interval = "52.7 % (49.6 to 55.8)";
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["go", interval, "-1.5 (-2 to -1)"])];
        let text = parts(&["option", "red", "utility red"], &rows, 40, true);
        assert!(text.contains(interval) && text.contains("-1.5 (-2 to -1)"), "{text}");
        assert_eq!(text.lines().count(), 2 + 1 + 2, "{text}");
    }

    #[test]
    fn a_column_gets_the_width_that_it_needs_and_no_word_is_broken() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [
            row(["tie", "a word of three", "who wins"]),
            row(["a_long_parameter", "one of two", "what is to be done with what is left over"]),
        ];
        // 50 columns, less 2 between two and the space before them all: 45 for the cells. The name takes its 16.
        // With 15 and 14 the first row takes one line and the second 3; with 14 and 15, or 17 and 12, they take 5.
        let text = table(&["name", "may be", "meaning"], &rows, 50, true);
        assert_eq!(text.lines().count(), 1 + 1 + 3, "{text}");
        assert!(text.contains("a_long_parameter"), "{text}");
        let wide = table(&["name", "may be", "meaning"], &rows, 90, true);
        assert_eq!(wide.lines().count(), 3, "{wide}");
        // Of 41 columns 34 are for the cells: 12 and 12, and 5 for each half of the two names.
        let named = [row(["narrow_roads", "Narrow roads", "6"]), row(["duel", "Duel", "12"])];
        let named = named.map(|row| [row, vec!["21".to_owned()]].concat());
        let text = table(&["system", "title", "house rules", "case files"], &named, 41, true);
        assert_eq!(text.lines().count(), 2 + 2, "{text}");
        let path = "a/folder/far/down/below/another/rules.rhai:16";
        let text = table(&["what", "where"], &[row(["a b c d e f g h", path, ""])], 60, true);
        assert!(text.contains(path), "{text}");
    }

    #[test]
    fn where_words_do_not_fit_each_row_is_a_list() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["northland", "five of them", "3"]), row(["war", "", "12"])];
        let text = table(&["system", "scenarios", "agents"], &rows, 20, true);
        assert_eq!(
            text,
            "system: northland\nscenarios: five of\nthem\nagents: 3\n\nsystem: war\nagents: 12"
        );
        // The longest words take 9, 9 and 6 columns, and there are 3 between two columns.
        // A space goes before them all.
        assert!(table(&["system", "scenarios", "agents"], &rows, 31, true).contains("five of"));
        assert!(!table(&["system", "scenarios", "agents"], &rows, 31, true).contains("agents:"));
        assert!(table(&["system", "scenarios", "agents"], &rows, 30, true).contains("agents:"));
    }
}
