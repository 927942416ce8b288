//! Finds cells of a grid, compares touching sides of tiles, and turns tiles. A cell is a text `"x,y"`, x from the west,
//! y from the north, both from 0.

use std::sync::LazyLock;

use crate::script::machine::value::{Map, Text, Value};
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::memory::uncounted;
use macro_rules_attribute::apply;

use super::primitive::{Primitive, family, primitive};
use super::read_arguments::{Checked, LIMIT, at_most_limit, hint, must_be, show};

pub(super) const GRID: &[Primitive] = family! {
    directions, opposite, cell_name, cell_place, neighbour, neighbours, corners, all_cells,
    empty_cells, empty_cells_of as empty_cells, straight_run,
};
pub(super) const TILES: &[Primitive] = family! { compare_edges, turn_tile, side_of };

/// The directions, in the order of a tile's sides.
const DIRECTIONS: [&str; 4] = ["north", "east", "south", "west"];

static WORDS: LazyLock<[Text; 4]> = LazyLock::new(|| uncounted(|| DIRECTIONS.map(Text::word)));

/// The four directions, in the order of a tile's sides.
///
/// # Example
/// `directions()` is `["north", "east", "south", "west"]`
#[apply(primitive!)]
pub fn directions() -> Vec<Text> {
    WORDS.to_vec()
}

/// The direction that faces another.
///
/// `direction`: `"north"`, `"east"`, `"south"` or `"west"`.
///
/// # Example
/// `opposite("north")` is `"south"`
#[apply(primitive!)]
pub fn opposite(direction: &Text) -> Checked<Text> {
    Ok(WORDS[(place_of(direction)? + 2) % 4].clone())
}

/// The text that names a cell.
///
/// `x`: from the west. `y`: from the north. Both are whole numbers, in a grid from 0.
///
/// # Example
/// `cell_name(1, 2)` is `"1,2"`
#[apply(primitive!)]
pub fn cell_name(x: i64, y: i64) -> Text {
    name(x, y)
}

/// The position of a cell: `[x, y]`.
///
/// `cell`: a text `"x,y"`, as `cell_name` writes it. Error: any other text.
///
/// # Example
/// `cell_place("1,2")` is `[1, 2]`
#[apply(primitive!)]
pub fn cell_place(cell: &Text) -> Checked<Vec<Value>> {
    let (x, y) = parse(cell)?;
    Ok(vec![Value::Int(x), Value::Int(y)])
}

/// The cell next to another in a direction, or `()` beyond the edge.
///
/// `width`, `height`: the size of the grid in cells. `cell`: a cell of it. `direction`: `"north"`, `"east"`, `"south"` or `"west"`.
/// Errors: a cell outside the grid, an unknown direction.
///
/// # Example
/// `neighbour(4, 4, "1,2", "north")` is `"1,1"`
/// `neighbour(4, 4, "0,2", "west")` is `()`
#[apply(primitive!)]
pub fn neighbour(width: i64, height: i64, cell: &Text, direction: &Text) -> Checked<Value> {
    let at = inside(width, height, cell)?;
    let step = STEPS[place_of(direction)?];
    Ok(named(width, height, at, step).map_or(Value::Unit, Value::Text))
}

/// The cells that share a side with a cell: north, east, south, west, as far as they are on the grid.
///
/// `width`, `height`: the size of the grid in cells. `cell`: a cell of it.
///
/// # Example
/// `neighbours(3, 3, "0,1")` is `["0,0", "1,1", "0,2"]`
#[apply(primitive!)]
pub fn neighbours(width: i64, height: i64, cell: &Text) -> Checked<Vec<Text>> {
    around(width, height, cell, STEPS)
}

/// The cells that touch a cell only at a corner, row by row, as far as they are on the grid.
///
/// `width`, `height`: the size of the grid in cells. `cell`: a cell of it.
///
/// # Example
/// `corners(3, 3, "1,1")` is `["0,0", "2,0", "0,2", "2,2"]`
/// `corners(3, 3, "0,0")` is `["1,1"]`
#[apply(primitive!)]
pub fn corners(width: i64, height: i64, cell: &Text) -> Checked<Vec<Text>> {
    around(width, height, cell, [(-1, -1), (1, -1), (-1, 1), (1, 1)])
}

/// All cells of a grid, row by row from the north-west.
///
/// `width`, `height`: the size of the grid in cells.
///
/// # Example
/// `all_cells(2, 2)` is `["0,0", "1,0", "0,1", "1,1"]`
#[apply(primitive!)]
pub fn all_cells(width: i64, height: i64) -> Checked<Vec<Text>> {
    let count = cells(width, height)?;
    // Each name is a text of its own.
    charge(count.unsigned_abs());
    Ok((0..count).map(|place| name(place % width, place / width)).collect())
}

/// All empty cells of a grid, row by row from the north-west.
///
/// `width`, `height`: the size of the grid in cells. `tiles`: a map cell -> anything.
///
/// # Example
/// `empty_cells(2, 2, #{ "1,0": "a tile" })` is `["0,0", "0,1", "1,1"]`
#[apply(primitive!)]
pub fn empty_cells(width: i64, height: i64, tiles: &Map) -> Checked<Vec<Text>> {
    empty(width, height, tiles)
}

/// The cells of a grid that are not keys of `tiles`, row by row, without a copy of the tiles.
///
/// `tiles`: a map cell -> anything. `width`, `height`: the size of the grid in cells.
///
/// # Example
/// `let tiles = #{ "1,0": "a tile" }; tiles.empty_cells(2, 2)` is `["0,0", "0,1", "1,1"]`
#[apply(primitive!)]
pub fn empty_cells_of(tiles: &Map, width: i64, height: i64) -> Checked<Vec<Text>> {
    empty(width, height, tiles)
}

/// The cells in a direction that hold something, up to the first gap, without the cell itself, nearest first.
///
/// `tiles`: a map cell -> anything. `cell`: a text `"x,y"`. `direction`: `"north"`, `"east"`, `"south"` or `"west"`.
///
/// # Example
/// `straight_run(#{ "1,0": 1, "2,0": 1, "4,0": 1 }, "0,0", "east")` is `["1,0", "2,0"]`
#[apply(primitive!)]
pub fn straight_run(tiles: &Map, cell: &Text, direction: &Text) -> Checked<Vec<Text>> {
    let (mut x, mut y) = parse(cell)?;
    let (dx, dy) = STEPS[place_of(direction)?];
    let mut run = Vec::new();
    // A run has as many cells as there are tiles at the most.
    while run.len() < tiles.len().min(LIMIT) {
        (x, y) = (x.saturating_add(dx), y.saturating_add(dy));
        let next = name(x, y);
        if tiles.get_text(&next).is_none() {
            break;
        }
        run.push(next);
    }
    Ok(run)
}

/// The steps of the directions; y grows to the south.
const STEPS: [(i64, i64); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Cells nearer to the corner than this have names that are made once.
const KEPT: i64 = 16;

static NAMES: LazyLock<Vec<Text>> = LazyLock::new(|| {
    let cells = (0..KEPT).flat_map(|y| (0..KEPT).map(move |x| (x, y)));
    uncounted(|| cells.map(|(x, y)| Text::word(&format!("{x},{y}"))).collect())
});

fn name(x: i64, y: i64) -> Text {
    if (0..KEPT).contains(&x) && (0..KEPT).contains(&y) {
        return NAMES[(y * KEPT + x) as usize].clone();
    }
    Text::new(format!("{x},{y}"))
}

/// The position of the cell that a text names as [`name`] does: without signs, spaces and leading zeros.
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

fn parse(cell: &Text) -> Checked<(i64, i64)> {
    if let Some(place) = exactly(cell) {
        return Ok(place);
    }
    // A cell has one name, or one cell would be several keys of a map.
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| n.to_string() == text);
    let place = cell.as_str().split_once(',');
    place
        .and_then(|(x, y)| Some((number(x)?, number(y)?)))
        .ok_or_else(|| format!("`cell` must be a text `x,y`, got `{cell}`"))
}

fn inside(width: i64, height: i64, cell: &Text) -> Checked<(i64, i64)> {
    let (x, y) = parse(cell)?;
    if x < 0 || y < 0 || x >= width || y >= height {
        return Err(format!("`cell` `{cell}` is off the grid of {width} by {height}"));
    }
    Ok((x, y))
}

fn named(width: i64, height: i64, (x, y): (i64, i64), (dx, dy): (i64, i64)) -> Option<Text> {
    let x = x.checked_add(dx).filter(|x| (0..width).contains(x))?;
    let y = y.checked_add(dy).filter(|y| (0..height).contains(y))?;
    Some(name(x, y))
}

fn around(width: i64, height: i64, cell: &Text, steps: [(i64, i64); 4]) -> Checked<Vec<Text>> {
    let at = inside(width, height, cell)?;
    Ok(steps.into_iter().filter_map(|step| named(width, height, at, step)).collect())
}

fn cells(width: i64, height: i64) -> Checked<i64> {
    for (name, size) in [("width", width), ("height", height)] {
        if size < 1 {
            return Err(format!("`{name}` must be 1 or more, got `{size}`"));
        }
    }
    Ok(at_most_limit(width.saturating_mul(height))? as i64)
}

fn empty(width: i64, height: i64, tiles: &Map) -> Checked<Vec<Text>> {
    let mut taken = vec![false; cells(width, height)? as usize];
    for (cell, _) in tiles.iter() {
        // Another way to write a cell names none.
        if let Some((x, y)) = exactly(cell)
            && x < width
            && y < height
        {
            taken[(y * width + x) as usize] = true;
        }
    }
    charge(taken.len() as u64 / 4);
    let mut free = Vec::with_capacity(taken.iter().filter(|taken| !**taken).count());
    for (place, _) in taken.iter().enumerate().filter(|(_, taken)| !**taken) {
        free.push(name(place as i64 % width, place as i64 / width));
    }
    Ok(free)
}

/// The place of a direction among [`DIRECTIONS`].
fn place_of(word: &Text) -> Checked<usize> {
    WORDS.iter().position(|known| known == word).ok_or_else(|| {
        let near = hint(word.as_str(), DIRECTIONS);
        let known = DIRECTIONS.join(", ");
        format!("`direction` must be one of {known}, got `{word}`{near}")
    })
}

/// By how much the attacking side beats the defending one: below 0 it loses, at 0 they are equal.
///
/// `attacker`, `defender`: a whole number, or a word of `precedence`.
/// `precedence`: a list of rows `[attacker, defender, margin]`, of which the first that fits decides. A
/// row names a number, a word, or `"any"`, which fits every side. Where no row fits, the margin is the
/// attacker's number less the defender's.
///
/// Errors: a row of another shape, a word that no row names, a word where no row fits, a difference too large.
///
/// # Example
/// `compare_edges(3, 5, [])` is `-2`
/// `compare_edges(5, "barrier", [["any", "barrier", -1]])` is `-1`
/// `compare_edges("piercer", "barrier", [["piercer", "barrier", 9], ["any", "barrier", -1]])` is `9`
#[apply(primitive!)]
pub fn compare_edges(attacker: &Value, defender: &Value, precedence: &[Value]) -> Checked<i64> {
    let mut decided = None;
    let mut known = [check_side("attacker", attacker)?, check_side("defender", defender)?];
    for (i, row) in precedence.iter().enumerate() {
        let Some([first, second, Value::Int(margin)]) = row.as_list() else {
            let wanted = "`[attacker, defender, margin]`, with a whole number as margin";
            return Err(must_be(wanted, format_args!("precedence[{i}]"), row));
        };
        known[0] = known[0] || first.same(attacker) || second.same(attacker);
        known[1] = known[1] || first.same(defender) || second.same(defender);
        if decided.is_none() && fits(first, attacker) && fits(second, defender) {
            decided = Some(*margin);
        }
    }
    for (side, known) in [attacker, defender].into_iter().zip(known) {
        if !known {
            let near = hint(side.as_text().map_or("", Text::as_str), words(precedence));
            return Err(format!("no row of `precedence` names {}{near}", show(side)));
        }
    }
    match (decided, attacker, defender) {
        (Some(margin), ..) => Ok(margin),
        (None, Value::Int(attacker), Value::Int(defender)) => {
            attacker.checked_sub(*defender).ok_or_else(|| "the difference is too large".to_owned())
        }
        _ => {
            let (attacker, defender) = (show(attacker), show(defender));
            Err(format!("no row of `precedence` fits {attacker} against {defender}"))
        }
    }
}

/// A tile's sides after turning it clockwise by quarters.
///
/// `sides`: a list, north, east, south, west (or as many sides as the tile has). `quarter_turns`: how often by one side, below 0 counterclockwise.
/// After one turn the north is the old west.
///
/// # Example
/// `turn_tile([1, 4, 7, 3], 1)` is `[3, 1, 4, 7]`
/// `turn_tile([1, 4, 7, 3], -1)` is `[4, 7, 3, 1]`
#[apply(primitive!)]
pub fn turn_tile(sides: &[Value], quarter_turns: i64) -> Vec<Value> {
    let mut turned = sides.to_vec();
    if !turned.is_empty() {
        let turns = quarter_turns.rem_euclid(turned.len() as i64);
        turned.rotate_right(turns as usize);
    }
    turned
}

/// A tile's side in a direction.
///
/// `sides`: a list of four, north, east, south, west. `direction`: one of these words. Errors: not four sides, an unknown direction.
///
/// # Example
/// `side_of([5, 2, "barrier", "piercer"], "south")` is `"barrier"`
#[apply(primitive!)]
pub fn side_of(sides: &[Value], direction: &Text) -> Checked<Value> {
    if sides.len() != 4 {
        return Err(format!("`sides` must be a list of 4, got {}", sides.len()));
    }
    Ok(sides[place_of(direction)?].clone())
}

/// Fits every side in a row of precedence.
const ANY: &str = "any";

/// Whether a side is a number, which needs no row.
fn check_side(role: &str, side: &Value) -> Checked<bool> {
    match side {
        Value::Int(_) => Ok(true),
        Value::Text(word) if word.as_str() != ANY => Ok(false),
        _ => Err(must_be("a whole number or a word", role, side)),
    }
}

fn fits(pattern: &Value, side: &Value) -> bool {
    pattern.as_text().is_some_and(|word| word.as_str() == ANY) || pattern.same(side)
}

/// Every word that the rows name.
fn words(precedence: &[Value]) -> impl Iterator<Item = &str> {
    let sides = precedence.iter().filter_map(Value::as_list).flat_map(|row| row.iter());
    sides.filter_map(Value::as_text).map(Text::as_str)
}
