//! How are intervals and curves drawn? As pictures within the page, each with a title and its words.

use super::super::{Narrowed, Standing};
use super::html::Html;

/// The width that all pictures are drawn in; they shrink with the page.
const WIDTH: f64 = 800.0;
const ROW: f64 = 26.0;
/// Names longer than this are cut in the picture; the table beside it has all of them.
const LETTERS: usize = 24;
const LEFT: f64 = 200.0;
const RIGHT: f64 = 780.0;

/// The ratings with their intervals, a row an agent. Nothing where no interval is known.
pub(super) fn intervals(page: &mut Html, rows: &[Standing]) {
    let known: Vec<&Standing> = rows.iter().filter(|row| row.rating.half.is_finite()).collect();
    let low = known.iter().map(|row| row.rating.points - row.rating.half).reduce(f64::min);
    let high = known.iter().map(|row| row.rating.points + row.rating.half).reduce(f64::max);
    let (Some(low), Some(high)) = (low, high) else { return };
    let step = step(high - low);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let x = |points: f64| LEFT + (points - low) / (high - low).max(1.0) * (RIGHT - LEFT);
    let height = ROW * (known.len() as f64 + 1.5);
    open(
        page,
        "intervals",
        height,
        "Ratings with their 95 % intervals",
        "A dot for each agent's rating and a line for its interval; the table below has the numbers.",
    );
    let bottom = height - ROW;
    let mut at = low;
    while at <= high + step / 2.0 {
        let x = x(at);
        page.raw(&format!(
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"4\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>"
        ));
        page.raw(&format!(
            "<text class=\"soft\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">",
            height - 8.0
        ));
        page.text(&crate::render::points(at));
        page.raw("</text>\n");
        at += step;
    }
    for (place, row) in known.iter().enumerate() {
        let y = ROW * (place as f64 + 0.75);
        let (from, to) =
            (x(row.rating.points - row.rating.half), x(row.rating.points + row.rating.half));
        page.raw(&format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">",
            LEFT - 12.0,
            y + 4.0
        ));
        page.text(&cut(&row.agent));
        page.raw(&format!(
            "</text><line class=\"bar\" x1=\"{from:.1}\" y1=\"{y:.1}\" x2=\"{to:.1}\" y2=\"{y:.1}\"/>\
             <circle class=\"dot\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\"/>\n",
            x(row.rating.points)
        ));
    }
    page.raw("</svg>\n");
}

/// The widest interval over the games, both on scales of powers of ten.
pub(super) fn narrowed(page: &mut Html, ways: &[Narrowed]) {
    let known: Vec<(f64, f64)> = ways
        .iter()
        .filter(|way| way.widest.is_finite() && way.widest > 0.0 && way.games > 0)
        .map(|way| ((way.games as f64).log10(), way.widest.log10()))
        .collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return };
    if known.len() < 2 {
        return;
    }
    let low = known.iter().map(|(_, y)| *y).fold(f64::INFINITY, f64::min).floor();
    let high =
        known.iter().map(|(_, y)| *y).fold(f64::NEG_INFINITY, f64::max).ceil().max(low + 1.0);
    let (height, top, bottom) = (240.0, 12.0, 205.0);
    let (left, right) = (60.0, RIGHT);
    let x = |games: f64| left + (games - first.0) / (last.0 - first.0).max(1e-9) * (right - left);
    let y = |widest: f64| bottom - (widest - low) / (high - low) * (bottom - top);
    open(
        page,
        "narrowed",
        height,
        "How the ratings narrowed",
        "The widest half of a 95 % interval, in Elo points, over the games; both scales by powers of ten.",
    );
    let mut level = low;
    while level <= high {
        let at = y(level);
        page.raw(&format!(
            "<line class=\"grid\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>\
             <text class=\"soft\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">± {}</text>\n",
            left - 6.0,
            at + 4.0,
            10f64.powf(level)
        ));
        level += 1.0;
    }
    for (anchor, (games, _)) in [("start", first), ("end", last)] {
        page.raw(&format!(
            "<text class=\"soft\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{:.0} games</text>\n",
            x(*games), height - 12.0, 10f64.powf(*games)
        ));
    }
    let points: Vec<String> =
        known.iter().map(|(games, widest)| format!("{:.1},{:.1}", x(*games), y(*widest))).collect();
    page.raw(&format!("<polyline class=\"way\" points=\"{}\"/></svg>\n", points.join(" ")));
}

fn open(page: &mut Html, name: &str, height: f64, title: &str, words: &str) {
    page.raw(&format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-labelledby=\"{name}-title {name}-words\">\n"
    ));
    page.element(&format!("title id=\"{name}-title\""), title);
    page.element(&format!("desc id=\"{name}-words\""), words);
    page.raw("\n");
}

/// A round distance between lines, about six of them in a range.
fn step(range: f64) -> f64 {
    let rough = (range / 6.0).max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|round| round * power >= rough);
    round.unwrap_or(10.0) * power
}

fn cut(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    name.chars().take(LETTERS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn lines_stand_at_round_numbers() {
        assert_eq!([step(60.0), step(61.0), step(700.0), step(0.0)], [10.0, 20.0, 200.0, 1.0]);
    }
}
