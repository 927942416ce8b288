//! Tests that plots are legible in wide and narrow terminals, and that their SVG is well formed.

use proptest::prelude::*;

use super::*;

fn point(x: f64, y: f64, half: f64) -> Point {
    Point { x, y, range: (half > 0.0).then_some((y - half, y + half)), proven: false }
}

/// A curve from the origin to this height at 1.
fn rising(name: &str, y: f64) -> Series {
    Series { name: name.to_owned(), points: vec![point(0.0, 0.0, 0.0), point(1.0, y, 0.0)] }
}

#[test]
fn curves_with_bars_differ() {
    let expected = "\
Share of red by mana_value
share of red

1.0 ┤
    │                                                             ····●
    │                                  ····●········●········●····
0.8 ┤                        ····●·····
    │                 ··●····
    │             ····                                                 │
0.6 ┤          ●··                                            │    ····○
    │        ··                                      │    ····○····    │
    │       ·                     │     ····○········○····
0.4 ┤     ··             │    ····○·····    │
    │    ·      │    ····○····    │
    │  ○········○····
0.2 ┤ ●│
    │
    │
0.0 ┤
    └─┬────────┬────────┬────────┬─────────┬────────┬────────┬────────┬─
      1        2        3        4         5        6        7        8
                                 mana_value

● rules, ○ cheap_mana, │ 95 % interval";
    assert_eq!(two().text(72, false), expected);
}

#[test]
fn a_narrow_window_without_fancy_letters_shows_the_same() {
    let expected = "\
Share of red by mana_value
share of red

1.0 +
    |                .o..o..o
0.8 +         .o...o.
    |      .o.
0.6 +    o.               | .x
    |   .           | .x..x.
0.4 +       .x..x...x.
    |  | .x. |
0.2 + ox.
    |
0.0 +
    +-+--+--+--+---+--+--+--+-
      1  2  3  4   5  6  7  8
            mana_value

o rules, x cheap_mana,
| 95 % interval";
    assert_eq!(two().text(30, true), expected);
}

#[test]
fn over_words_there_are_points_alone() {
    let expected = "\
Mean <utility> & \"order\"
utility of red

 1.0 ┤
     │
     │                           │
 0.5 ┤                           ●
     │                           │
     │
 0.0 ┤                                            ●
     │          │
     │          ●
-0.5 ┤
     └──────────┬────────────────┬────────────────┬─────────
          fewest first      most first          drawn
                              order

│ 95 % interval";
    assert_eq!(words().text(60, false), expected);
}

#[test]
fn what_is_exact_proven_and_estimated_has_marks_of_its_own() {
    let mut plot = words();
    plot.series[0].points[1].proven = true;
    let (fancy, plain) = (plot.text(60, false), plot.text(60, true));
    assert!(fancy.ends_with("│ 95 % interval, ┊ proven bounds"), "{fancy}");
    assert!(plain.ends_with("| 95 % interval, : proven bounds"), "{plain}");
    // The bars of the first point and of the second; the third is exact and has none.
    assert_eq!((fancy.matches('┊').count(), plain.matches(':').count()), (3, 3), "{fancy}");
    let svg = plot.svg();
    assert!(svg.contains(">proven bounds<") && svg.contains(">95 % interval<"), "{svg}");
}

#[test]
fn shares_that_are_equal_are_between_none_and_all() {
    for level in [0.0, 0.2, 1.0] {
        assert_eq!(Axis::around(&[level, level], 5).bounds, (0.0, 1.0));
    }
    // Any other number is in the middle, with half of it to either side.
    assert_eq!(Axis::around(&[8.0], 4).bounds, (4.0, 12.0));
}

#[test]
fn a_grid_is_a_table_with_shades() {
    let expected = "\
Share of red
attackers to the right, defenders downwards
0.2 ░▒▓█ 1

     1      2      3      4      5      6
1  0.2    0.3    0.4 ░  0.5 ░  0.6 ▒  0.7 ▓
2  0.3    0.4 ░  0.5 ░  0.6 ▒  0.7 ▓  0.8 ▓
3  0.4 ░    -    0.6 ▒  0.7 ▓  0.8 ▓  0.9 █
4  0.5 ░  0.6 ▒  0.7 ▓  0.8 ▓  0.9 █    1 █";
    assert_eq!(shares().text(72, false), expected);
    // In a narrow window the columns come in two tables.
    let narrow = shares().text(30, true);
    assert!(narrow.contains("\n     1      2      3      4\n1  0.2    0.3    0.4 .  0.5 .\n"));
    assert!(narrow.ends_with(
        "\n     5      6\n1  0.6 :  0.7 +\n2  0.7 +  0.8 +\n3  0.8 +  0.9 #\n4  0.9 #    1 #"
    ));
}

#[test]
fn points_of_several_curves_in_one_place_are_marked() {
    let plot = Plot { series: vec![rising("a", 1.0), rising("b", 2.0)], ..Plot::default() };
    let text = plot.text(40, true);
    assert_eq!(text.matches('&').count(), 2, "{text}");
    assert!(text.ends_with("o a, x b, & several"), "{text}");
}

#[test]
fn the_document_of_a_plot_has_all_its_parts() {
    let svg = two().svg();
    well_formed(&svg);
    assert_eq!(svg, two().svg());
    // 8 round points and one in the legend; the other curve's are squares; two curves.
    assert_eq!(svg.matches("<circle").count(), 9);
    assert_eq!(svg.matches("<polygon").count(), 9);
    assert_eq!(svg.matches("<polyline").count(), 2);
    // 8 error bars of 3 lines, and one in the legend.
    assert_eq!(svg.matches("stroke-width=\"1.5\"").count(), 27);
    for text in [">mana_value<", ">share of red<", ">rules<", ">cheap_mana<", ">95 % interval<"] {
        assert!(svg.contains(text), "{text}");
    }
    assert_eq!(svg.matches(">Share of red by mana_value<").count(), 2);
}

#[test]
fn the_curve_of_a_player_who_is_named_after_a_colour_has_it() {
    let colours = |names: &[&str]| {
        let plot = Plot {
            series: names.iter().map(|name| rising(name, 1.0)).collect(),
            ..Plot::default()
        };
        let svg = plot.svg();
        let strokes = svg.split("fill=\"none\" stroke=\"").skip(1);
        strokes.map(|rest| rest[..7].to_owned()).collect::<Vec<_>>()
    };
    let (blue, red, green) = ("#0072b2", "#d55e00", "#009e73");
    assert_eq!(colours(&["red", "blue"]), [red, blue]);
    // Others have the next that is nobody's, and nobody is drawn white on white.
    assert_eq!(colours(&["ayla", "blue", "white"]), [red, blue, green]);
}

#[test]
fn no_two_of_eight_curves_look_alike() {
    let names = ["red", "blue", "green", "a", "b", "c", "d", "e"];
    let plot =
        Plot { series: names.iter().map(|name| rising(name, 1.0)).collect(), ..Plot::default() };
    let looks = svg::looks(&plot);
    let different: std::collections::BTreeSet<_> = looks.iter().collect();
    assert_eq!(different.len(), names.len(), "{looks:?}");
}

#[test]
fn texts_of_a_document_are_escaped() {
    let svg = words().svg();
    well_formed(&svg);
    assert!(svg.contains("Mean &lt;utility&gt; &amp; &quot;order&quot;"));
    assert!(!svg.contains("<polyline"));
    let mut hostile = shares();
    hostile.title = "</text>\u{1b}[2J\u{ffff}&".to_owned();
    hostile.columns[0] = "<script>".to_owned();
    let svg = hostile.svg();
    well_formed(&svg);
    assert!(!svg.contains("<script") && !svg.contains(['\u{1b}', '\u{ffff}']));
}

#[test]
fn the_document_of_a_small_grid_is_this() {
    let grid = Grid {
        title: "Wins".to_owned(),
        x: "a".to_owned(),
        columns: vec!["1".to_owned(), "2".to_owned()],
        y: "b".to_owned(),
        rows: vec!["3".to_owned()],
        cells: vec![vec![Some(0.25), Some(1.0)]],
        ..Grid::default()
    };
    let expected = r##"<svg xmlns="http://www.w3.org/2000/svg" width="360" height="168" viewBox="0 0 360 168" role="img" font-family="sans-serif" fill="#222222">
<title>Wins</title>
<rect width="360" height="168" fill="#ffffff"/>
<text x="180" y="28" text-anchor="middle" font-size="16" font-weight="bold">Wins</text>
<text x="119.8" y="58" text-anchor="middle" font-size="13">a</text>
<text x="20" y="106" text-anchor="middle" font-size="13" transform="rotate(-90 20 106)">b</text>
<text x="87.8" y="80" text-anchor="middle" font-size="13">1</text>
<text x="151.8" y="80" text-anchor="middle" font-size="13">2</text>
<text x="47.8" y="110.5" text-anchor="end" font-size="13">3</text>
<rect x="55.8" y="88" width="64" height="36" fill="#f7fbff" stroke="#ffffff"/>
<text x="87.8" y="110.5" text-anchor="middle" font-size="13" fill="#222222">0.25</text>
<rect x="119.8" y="88" width="64" height="36" fill="#08306b" stroke="#ffffff"/>
<text x="151.8" y="110.5" text-anchor="middle" font-size="13" fill="#ffffff">1</text>
<text x="55.8" y="150" text-anchor="start" font-size="13">light 0.25 to dark 1</text>
</svg>
"##;
    assert_eq!(grid.svg(), expected);
}

/// Asserts that tags are closed in order, quotes are paired, and texts are escaped.
fn well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "{text}");
        for after in text.split('&').skip(1) {
            let entity = after.split(';').next().unwrap();
            assert!(["lt", "gt", "amp", "quot"].contains(&entity), "{text}");
        }
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!tag.contains(['<', '&']) && !tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty());
}

#[test]
fn numbers_that_no_half_tells_apart_are_in_the_middle() {
    assert_eq!(super::share(0.0, (0.0, f64::from_bits(1))), 0.5);
    assert_eq!(super::share(1.0, (1.0, 1.0)), 0.5);
    assert_eq!(super::share(f64::MAX, (f64::MIN, f64::MAX)), 1.0);
}

/// Every float, including those that are not numbers.
fn any_float() -> impl Strategy<Value = f64> {
    prop::num::f64::ANY
}

proptest! {
    #[test]
    fn no_numbers_break_a_plot(
        points in prop::collection::vec((any_float(), any_float(), prop::option::of((any_float(), any_float()))), 0..20),
        scale in prop::sample::select(vec![1e-320, 1e-9, 1e-300, 1e-200, 1.0]),
        names in 0usize..4,
        width in 0usize..120,
    ) {
        let point = |(x, y, range): &(f64, f64, Option<(f64, f64)>)| Point {
            x: x * scale, y: y * scale, range: *range, proven: width % 2 == 0,
        };
        let points: Vec<Point> = points.iter().map(point).collect();
        let series: Vec<Series> = points
            .chunks(7)
            .map(|points| Series { name: "curve".to_owned(), points: points.to_vec() })
            .collect();
        let words = vec!["word".to_owned(); names];
        let plot = Plot { words, series, x: "across".to_owned(), ..Plot::default() };
        let text = plot.text(width, true);
        prop_assert!(text.is_ascii());
        if width >= 30 {
            prop_assert!(text.lines().all(|line| line.len() <= width), "{text}");
        }
        well_formed(&plot.svg());
        let cells = points.chunks(3).map(|row| row.iter().map(|point| Some(point.y)).collect());
        let grid = Grid { cells: cells.collect(), ..Grid::default() };
        prop_assert!(grid.text(width, true).is_ascii());
        well_formed(&grid.svg());
    }
}

/// A parameter from 1 to 8, exact under the rules and sampled under a house rule.
fn two() -> Plot {
    let exact = (1..=8).map(|x| point(f64::from(x), 1.0 - 0.8 / f64::from(x), 0.0)).collect();
    let sampled = (1..=8).map(|x| point(f64::from(x), 0.2 + 0.05 * f64::from(x), 0.04)).collect();
    Plot {
        title: "Share of red by mana_value".to_owned(),
        x: "mana_value".to_owned(),
        y: "share of red".to_owned(),
        series: vec![
            Series { name: "rules".to_owned(), points: exact },
            Series { name: "cheap_mana".to_owned(), points: sampled },
        ],
        ..Plot::default()
    }
}

fn words() -> Plot {
    Plot {
        title: "Mean <utility> & \"order\"".to_owned(),
        x: "order".to_owned(),
        y: "utility of red".to_owned(),
        words: ["fewest first", "most first", "drawn"].map(str::to_owned).to_vec(),
        series: vec![Series {
            name: String::new(),
            points: vec![point(0.0, -0.25, 0.1), point(1.0, 0.5, 0.2), point(2.0, 0.0, 0.0)],
        }],
    }
}

fn shares() -> Grid {
    let cell = |row: i32, column: i32| {
        Some(f64::from(row + column) / 10.0).filter(|_| row != 3 || column != 2)
    };
    Grid {
        title: "Share of red".to_owned(),
        x: "attackers".to_owned(),
        columns: (1..=6).map(|n| n.to_string()).collect(),
        y: "defenders".to_owned(),
        rows: (1..=4).map(|n| n.to_string()).collect(),
        cells: (1..=4).map(|row| (1..=6).map(|column| cell(row, column)).collect()).collect(),
        ..Grid::default()
    }
}
