//! Draws numbers in lines, each with a bar or a small plot beside it.

use super::{tidy, wrapped};

/// A number with a picture of it.
pub struct Bar {
    /// What it is one of; printed once for those below each other.
    pub(crate) group: String,
    pub(crate) name: String,
    /// The number, in words.
    pub(crate) value: String,
    pub(crate) mark: BarMark,
}

pub(crate) enum BarMark {
    None,
    /// A share of 1, as a bar.
    Share(f64),
    /// How numbers differ: the ends between which most are, and the share of each number, the least first.
    Spread((f64, f64), Vec<(f64, f64)>),
    /// A number within an interval, on a scale that other numbers have too; drawn on pages alone.
    Interval {
        value: f64,
        ends: (f64, f64),
        scale: (f64, f64),
    },
}

/// The columns of a bar or a small plot.
pub(super) const PICTURE: usize = 16;
/// Bars shorter than this say nothing.
const LEAST: usize = 4;

/// The lines within a width: in columns where there is room, pictures only where there is more.
pub(super) fn text(lines: &[Bar], width: usize, plain: bool) -> String {
    let widest = |part: fn(&Bar) -> &String| {
        lines.iter().map(|line| part(line).chars().count()).max().unwrap_or(0)
    };
    let (group, name, value) =
        (widest(|line| &line.group), widest(|line| &line.name), widest(|line| &line.value));
    let columns = group + name + value + 4;
    let room = width.saturating_sub(columns + 2);
    // Where there is less room, all bars are shorter, so that they can be compared.
    let bar = if room < LEAST { 0 } else { room.min(PICTURE) };
    let mut text = Vec::new();
    let mut last = "";
    for line in lines {
        let Bar { group: of, name: what, value: number, mark } = line;
        let shown = if of == last { "" } else { of };
        last = of;
        text.push(if columns > width {
            let label = if of.is_empty() { what.clone() } else { format!("{of}: {what}") };
            wrapped(&format!("{label}: {number}"), width)
        } else {
            let row = format!("{shown:group$}  {what:name$}  {number:value$}");
            let picture = picture(mark, bar, plain);
            let fits = room >= picture.chars().count();
            let picture = if fits { picture.as_str() } else { "" };
            format!("{row}  {picture}").trim_end().to_owned()
        });
    }
    text.join("\n")
}

fn picture(mark: &BarMark, bar: usize, plain: bool) -> String {
    match mark {
        BarMark::None | BarMark::Interval { .. } => String::new(),
        BarMark::Share(share) => {
            let cells = (share.clamp(0.0, 1.0) * bar as f64).round() as usize;
            if plain { "#" } else { "█" }.repeat(cells)
        }
        BarMark::Spread(ends, shares) => small_plot(*ends, shares, plain),
    }
}

/// Where most numbers are, and a column for each part of the range.
fn small_plot((low, high): (f64, f64), shares: &[(f64, f64)], plain: bool) -> String {
    const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let range = match low == high {
        true => String::new(),
        false => format!("{} to {}", tidy(low), tidy(high)),
    };
    let (Some(first), Some(last)) = (shares.first(), shares.last()) else {
        return range;
    };
    if plain || first.0 == last.0 {
        return range;
    }
    let sums = sums(shares, first.0, last.0 - first.0);
    let most = sums.iter().copied().fold(0.0, f64::max);
    let step = |sum: &f64| match *sum {
        0.0 => ' ',
        sum => STEPS[((sum / most * 7.0).round() as usize).min(7)],
    };
    format!("{} {range}", sums.iter().map(step).collect::<String>()).trim_end().to_owned()
}

/// The shares within equal parts of a range that begins at `first`; whole numbers that are few have a part each.
pub(super) fn sums(shares: &[(f64, f64)], first: f64, range: f64) -> Vec<f64> {
    let whole = |(value, _): &(f64, f64)| value.fract() == 0.0;
    let cells = match shares.iter().all(whole) && range < PICTURE as f64 {
        true => range as usize + 1,
        false => PICTURE,
    };
    let mut sums = vec![0.0; cells];
    for (value, share) in shares {
        let cell = ((value - first) / range * (cells - 1) as f64).round() as usize;
        if let Some(sum) = sums.get_mut(cell) {
            *sum += share;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_shorter_where_there_is_less_room_and_never_left_out_one_by_one() {
        let bar = |name: &str, share| {
            let (name, value) = (name.to_owned(), "1".to_owned());
            Bar { group: String::new(), name, value, mark: BarMark::Share(share) }
        };
        let bars = [bar("all", 1.0), bar("half", 0.5), bar("some", 0.25)];
        // Names and numbers take 11 columns.
        let text = |width| text(&bars, width, true);
        let lengths = |width| -> Vec<usize> {
            text(width).lines().map(|line| line.matches('#').count()).collect()
        };
        assert_eq!(lengths(80), [16, 8, 4]);
        assert_eq!(lengths(19), [8, 4, 2]);
        assert_eq!(lengths(12), [0, 0, 0]);
    }
}
