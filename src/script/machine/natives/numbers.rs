//! Natives on numbers and cells of grids, ported.

use std::sync::LazyLock;

use super::{Native, Ported};
use crate::script::engine::ITEMS;
use crate::script::machine::code::Texts;
use crate::script::machine::map::Map;
use crate::script::machine::value::{Range, Text, Value};

pub(super) const PORTED: &[Ported] = &[
    ("range", 2, Native::Reads(range)),
    ("range", 3, Native::Reads(stepped)),
    ("min", 2, Native::Reads(min)),
    ("max", 2, Native::Reads(max)),
    ("abs", 1, Native::Reads(abs)),
    ("surplus", 2, Native::Reads(surplus)),
    ("directions", 0, Native::Reads(directions)),
    ("cell_name", 2, Native::Reads(cell_name)),
    ("cell_place", 1, Native::Reads(cell_place)),
    ("all_cells", 2, Native::Reads(all_cells)),
    ("empty_cells", 3, Native::Reads(empty_cells)),
    ("corners", 3, Native::Reads(corners)),
    ("neighbours", 3, Native::Reads(neighbours)),
    ("neighbour", 4, Native::Reads(neighbour)),
    ("straight_run", 3, Native::Reads(straight_run)),
    ("opposite", 1, Native::Reads(opposite)),
    ("side_of", 2, Native::Reads(side_of)),
    ("compare_edges", 3, Native::Reads(compare_edges)),
];

fn range(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (start, end) = (on.as_int()?, rest[0].as_int()?);
    Some(Value::Range(Range { start, end, inclusive: false }.into()))
}

/// The numbers from one towards another, by steps.
fn stepped(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (start, end, step) = (on.as_int()?, rest[0].as_int()?, rest[1].as_int()?);
    if step == 0 {
        return None;
    }
    let goes_on = |number: &i64| if step > 0 { *number < end } else { *number > end };
    let all = std::iter::successors(Some(start), |number| number.checked_add(step));
    // One more than there may be is enough to be refused.
    Some(Value::list(all.take_while(goes_on).take(ITEMS + 1).map(Value::Int).collect()))
}

fn two(on: &Value, rest: &[Value]) -> Option<(i64, i64)> {
    Some((on.as_int()?, rest[0].as_int()?))
}

fn min(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(a, b)| Value::Int(a.min(b)))
}

fn max(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(a, b)| Value::Int(a.max(b)))
}

fn abs(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    on.as_int()?.checked_abs().map(Value::Int)
}

fn surplus(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(amount, limit)| Value::Int(amount.saturating_sub(limit).max(0)))
}

/// The directions in their order, with the way that each goes.
const WAYS: [(&str, i64, i64); 4] =
    [("north", 0, -1), ("east", 1, 0), ("south", 0, 1), ("west", -1, 0)];

/// Cells nearer to the corner than this have names that are made once.
const KEPT: i64 = 16;

static NAMES: LazyLock<Vec<Text>> = LazyLock::new(|| {
    let cells = (0..KEPT).flat_map(|y| (0..KEPT).map(move |x| (x, y)));
    cells.map(|(x, y)| Text::new(format!("{x},{y}"))).collect()
});

fn name(x: i64, y: i64) -> Text {
    if (0..KEPT).contains(&x) && (0..KEPT).contains(&y) {
        return NAMES[(y * KEPT + x) as usize].clone();
    }
    Text::new(format!("{x},{y}"))
}

fn parse(cell: &Value) -> Option<(i64, i64)> {
    parse_text(cell.as_text()?)
}

/// The place that a text names as a name is made: without signs, spaces and leading zeros.
fn exactly(cell: &Text) -> Option<(i64, i64)> {
    fn number(digits: &[u8]) -> Option<i64> {
        if digits.is_empty() || digits.len() > 5 || digits.len() > 1 && digits[0] == b'0' {
            return None;
        }
        digits.iter().try_fold(0, |number, digit| {
            digit.is_ascii_digit().then(|| 10 * number + i64::from(digit - b'0'))
        })
    }
    let text = cell.as_str().as_bytes();
    let comma = text.iter().position(|letter| *letter == b',')?;
    Some((number(&text[..comma])?, number(&text[comma + 1..])?))
}

fn parse_text(cell: &Text) -> Option<(i64, i64)> {
    if let Some(place) = exactly(cell) {
        return Some(place);
    }
    let (x, y) = cell.as_str().split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn directions(_: &Value, _: &[Value], texts: &Texts) -> Option<Value> {
    Some(Value::list(WAYS.iter().map(|(name, ..)| Value::Text(texts.find(name))).collect()))
}

fn cell_name(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    two(on, rest).map(|(x, y)| Value::Text(name(x, y)))
}

fn cell_place(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    parse(on).map(|(x, y)| Value::list(vec![Value::Int(x), Value::Int(y)]))
}

/// The width and height of a grid whose cells are not too many to be listed.
fn size(width: &Value, height: &Value) -> Option<(i64, i64)> {
    let (width, height) = (width.as_int()?, height.as_int()?);
    (width >= 1 && height >= 1 && width.saturating_mul(height) <= 10_000).then_some((width, height))
}

fn all_cells(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (width, height) = size(on, &rest[0])?;
    let all = (0..height).flat_map(|y| (0..width).map(move |x| Value::Text(name(x, y))));
    Some(Value::list(all.collect()))
}

fn empty_cells(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (tiles, size): (&Map, _) = match on {
        Value::Map(tiles) => (tiles, size(&rest[0], &rest[1])?),
        _ => (rest[1].as_map()?, size(on, &rest[0])?),
    };
    let mut taken = vec![false; (size.0 * size.1) as usize];
    for (cell, _) in tiles.iter() {
        // Another way to write a cell names none.
        if let Some((x, y)) = exactly(cell)
            && x < size.0
            && y < size.1
        {
            taken[(y * size.0 + x) as usize] = true;
        }
    }
    let all = (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y)));
    let empty = all.zip(taken).filter(|(_, taken)| !taken);
    Some(Value::list(empty.map(|((x, y), _)| Value::Text(name(x, y))).collect()))
}

fn around(on: &Value, rest: &[Value], steps: [(i64, i64); 4]) -> Option<Value> {
    let (width, height) = two(on, rest)?;
    let inside = |(x, y): &(i64, i64)| (0..width).contains(x) && (0..height).contains(y);
    let (x, y) = parse(&rest[1]).filter(inside)?;
    let cells = steps.into_iter().map(|(dx, dy)| (x + dx, y + dy)).filter(inside);
    Some(Value::list(cells.map(|(x, y)| Value::Text(name(x, y))).collect()))
}

fn corners(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    around(on, rest, [(-1, -1), (1, -1), (-1, 1), (1, 1)])
}

fn neighbours(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    around(on, rest, WAYS.map(|(_, dx, dy)| (dx, dy)))
}

fn way_of(direction: &Value) -> Option<usize> {
    let direction = direction.as_text()?;
    WAYS.iter().position(|(name, ..)| *name == direction.as_str())
}

fn neighbour(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (width, height) = two(on, rest)?;
    let inside = |(x, y): &(i64, i64)| (0..width).contains(x) && (0..height).contains(y);
    let (x, y) = parse(&rest[1]).filter(inside)?;
    let (_, dx, dy) = WAYS[way_of(&rest[2])?];
    let next = Some((x + dx, y + dy)).filter(inside);
    Some(next.map_or(Value::Unit, |(x, y)| Value::Text(name(x, y))))
}

fn straight_run(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let tiles = on.as_map().filter(|tiles| tiles.len() <= 1000)?;
    let (mut x, mut y) = parse(&rest[0])?;
    let (_, dx, dy) = WAYS[way_of(&rest[1])?];
    let mut run = Vec::new();
    loop {
        (x, y) = (x.checked_add(dx)?, y.checked_add(dy)?);
        let next = name(x, y);
        if tiles.get_text(&next).is_none() {
            return Some(Value::list(run));
        }
        run.push(Value::Text(next));
    }
}

fn opposite(on: &Value, _: &[Value], texts: &Texts) -> Option<Value> {
    let (facing, ..) = WAYS[(way_of(on)? + 2) % 4];
    Some(Value::Text(texts.find(facing)))
}

fn side_of(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let sides = on.as_list().filter(|sides| sides.len() == 4)?;
    Some(sides[way_of(&rest[0])?].clone())
}

fn compare_edges(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    Edges::read(rest[1].as_map()?)?.beats(on, &rest[0]).map(Value::Bool)
}

/// Which side beats which, in the words of `compare_edges`.
#[derive(Default)]
struct Edges<'v> {
    never_attacks: &'v [Value],
    beats: Option<&'v Map>,
    never_beaten: &'v [Value],
    beats_all: &'v [Value],
    loses_to_all: &'v [Value],
    ties_win: bool,
}

impl<'v> Edges<'v> {
    fn read(map: &'v Map) -> Option<Edges<'v>> {
        let mut edges = Edges::default();
        for (key, value) in map.iter() {
            match key.as_str() {
                "never_attacks" => edges.never_attacks = value.as_list()?,
                "never_beaten" => edges.never_beaten = value.as_list()?,
                "beats_all" => edges.beats_all = value.as_list()?,
                "loses_to_all" => edges.loses_to_all = value.as_list()?,
                "beats" => {
                    let pairs = value.as_map()?;
                    if pairs.iter().any(|(_, list)| list.as_list().is_none()) {
                        return None;
                    }
                    edges.beats = Some(pairs);
                }
                "ties_win" => {
                    let Value::Bool(truth) = value else { return None };
                    edges.ties_win = *truth;
                }
                _ => return None,
            }
        }
        Some(edges)
    }

    fn beats(&self, attacker: &Value, defender: &Value) -> Option<bool> {
        if !self.knows(attacker) || !self.knows(defender) {
            return None;
        }
        if has(self.never_attacks, attacker) {
            return Some(false);
        }
        let named = self
            .beats
            .zip(attacker.as_text())
            .and_then(|(beats, word)| beats.get_text(word)?.as_list());
        if named.is_some_and(|list| has(list, defender)) {
            return Some(true);
        }
        if has(self.never_beaten, defender) {
            return Some(false);
        }
        if has(self.beats_all, attacker) || has(self.loses_to_all, defender) {
            return Some(true);
        }
        let (attacker, defender) = (attacker.as_int()?, defender.as_int()?);
        Some(attacker > defender || attacker == defender && self.ties_win)
    }

    /// Whether a side is a number, or a word of the lists; others are looked at by Rhai's own.
    fn knows(&self, side: &Value) -> bool {
        let lists = [self.never_attacks, self.never_beaten, self.beats_all, self.loses_to_all];
        side.as_int().is_some()
            || side.as_text().is_some() && lists.into_iter().any(|list| has(list, side))
    }
}

fn has(list: &[Value], value: &Value) -> bool {
    list.iter().any(|item| item.same(value))
}
