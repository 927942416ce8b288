//! Which cells of a grid lie where? A cell is a text `"x,y"`, x from the west, y from the north, both from 0.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{Checked, LIMIT, at_most_limit, error, fail, hint};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "grid", functions);
}

/// The directions, in the order of a tile's sides.
pub(super) const DIRECTIONS: [&str; 4] = ["north", "east", "south", "west"];

#[export_module]
mod functions {
    use super::*;

    /// The four directions, in the order of a tile's sides.
    ///
    /// # Example
    /// `directions()` is `["north", "east", "south", "west"]`
    pub fn directions() -> Array {
        DIRECTIONS.iter().map(|&direction| direction.into()).collect()
    }

    /// The direction that faces another.
    ///
    /// `direction`: `"north"`, `"east"`, `"south"` or `"west"`.
    ///
    /// # Example
    /// `opposite("north")` is `"south"`
    #[rhai_fn(return_raw)]
    pub fn opposite(direction: &str) -> Checked<ImmutableString> {
        Ok(DIRECTIONS[(place_of("opposite", direction)? + 2) % 4].into())
    }

    /// The text that names a cell.
    ///
    /// `x`: from the west. `y`: from the north. Both are whole numbers from 0.
    ///
    /// # Example
    /// `cell_name(1, 2)` is `"1,2"`
    pub fn cell_name(x: INT, y: INT) -> ImmutableString {
        name(x, y)
    }

    /// Where a cell lies: `[x, y]`.
    ///
    /// `cell`: a text `"x,y"`. Error: any other text.
    ///
    /// # Example
    /// `cell_place("1,2")` is `[1, 2]`
    #[rhai_fn(return_raw)]
    pub fn cell_place(cell: &str) -> Checked<Array> {
        let (x, y) = parse("cell_place", cell)?;
        Ok(vec![x.into(), y.into()])
    }

    /// The cell next to another in a direction, or `()` beyond the edge.
    ///
    /// `width`, `height`: the size of the grid in cells. `cell`: a cell of it. `direction`: `"north"`, `"east"`, `"south"` or `"west"`.
    /// Errors: a cell outside the grid, an unknown direction.
    ///
    /// # Example
    /// `neighbour(4, 4, "1,2", "north")` is `"1,1"`
    /// `neighbour(4, 4, "0,2", "west")` is `()`
    #[rhai_fn(return_raw)]
    pub fn neighbour(width: INT, height: INT, cell: &str, direction: &str) -> Checked<Dynamic> {
        let at = inside("neighbour", width, height, cell)?;
        let step = STEPS[place_of("neighbour", direction)?];
        Ok(named(width, height, at, step).map_or(Dynamic::UNIT, Dynamic::from))
    }

    /// The cells that share a side with a cell: north, east, south, west, as far as they lie on the grid.
    ///
    /// `width`, `height`: the size of the grid in cells. `cell`: a cell of it.
    ///
    /// # Example
    /// `neighbours(3, 3, "0,1")` is `["0,0", "1,1", "0,2"]`
    #[rhai_fn(return_raw)]
    pub fn neighbours(width: INT, height: INT, cell: &str) -> Checked<Array> {
        around("neighbours", width, height, cell, STEPS)
    }

    /// The cells that touch a cell only at a corner, row by row, as far as they lie on the grid.
    ///
    /// `width`, `height`: the size of the grid in cells. `cell`: a cell of it.
    ///
    /// # Example
    /// `corners(3, 3, "1,1")` is `["0,0", "2,0", "0,2", "2,2"]`
    /// `corners(3, 3, "0,0")` is `["1,1"]`
    #[rhai_fn(return_raw)]
    pub fn corners(width: INT, height: INT, cell: &str) -> Checked<Array> {
        around("corners", width, height, cell, [(-1, -1), (1, -1), (-1, 1), (1, 1)])
    }

    /// All cells of a grid, row by row from the north-west.
    ///
    /// `width`, `height`: the size of the grid in cells, together at most 100,000 cells.
    ///
    /// # Example
    /// `all_cells(2, 2)` is `["0,0", "1,0", "0,1", "1,1"]`
    #[rhai_fn(return_raw)]
    pub fn all_cells(width: INT, height: INT) -> Checked<Array> {
        cells("all_cells", width, height, |_| true)
    }

    /// All cells of a grid on which nothing lies, row by row from the north-west.
    ///
    /// `width`, `height`: the size of the grid in cells, together at most 100,000 cells. `tiles`: a map cell -> anything.
    ///
    /// # Example
    /// `empty_cells(2, 2, #{ "1,0": "a tile" })` is `["0,0", "0,1", "1,1"]`
    #[rhai_fn(return_raw)]
    pub fn empty_cells(width: INT, height: INT, tiles: Map) -> Checked<Array> {
        cells("empty_cells", width, height, |cell| !tiles.contains_key(cell))
    }

    /// The same, asked of the tiles themselves, which are not copied then.
    ///
    /// `tiles`: a map cell -> anything. `width`, `height`: the size of the grid in cells, together at most 100,000 cells.
    ///
    /// # Example
    /// `let tiles = #{ "1,0": "a tile" }; tiles.empty_cells(2, 2)` is `["0,0", "0,1", "1,1"]`
    #[rhai_fn(name = "empty_cells", return_raw, pure)]
    pub fn empty_cells_of(tiles: &mut Map, width: INT, height: INT) -> Checked<Array> {
        cells("empty_cells", width, height, |cell| !tiles.contains_key(cell))
    }

    /// The cells from a cell to the edge, without the cell itself, nearest first.
    ///
    /// `width`, `height`: the size of the grid in cells. `cell`: a cell of it. `direction`: `"north"`, `"east"`, `"south"` or `"west"`.
    ///
    /// # Example
    /// `straight_line(4, 4, "1,2", "east")` is `["2,2", "3,2"]`
    #[rhai_fn(return_raw)]
    pub fn straight_line(width: INT, height: INT, cell: &str, direction: &str) -> Checked<Array> {
        let (x, y) = inside("straight_line", width, height, cell)?;
        let direction = place_of("straight_line", direction)?;
        let far = [y, width - 1 - x, height - 1 - y, x][direction];
        at_most_limit("straight_line", far)?;
        let (dx, dy) = STEPS[direction];
        Ok((1..=far).map(|n| name(x + n * dx, y + n * dy).into()).collect())
    }

    /// The cells in a direction that hold something, up to the first gap, without the cell itself, nearest first.
    ///
    /// `tiles`: a map cell -> anything. `cell`: a text `"x,y"`. `direction`: `"north"`, `"east"`, `"south"` or `"west"`.
    ///
    /// # Example
    /// `straight_run(#{ "1,0": 1, "2,0": 1, "4,0": 1 }, "0,0", "east")` is `["1,0", "2,0"]`
    #[rhai_fn(return_raw, pure)]
    pub fn straight_run(tiles: &mut Map, cell: &str, direction: &str) -> Checked<Array> {
        let (mut x, mut y) = parse("straight_run", cell)?;
        let (dx, dy) = STEPS[place_of("straight_run", direction)?];
        let mut run = Array::new();
        // A run has as many cells as there are tiles at the most.
        while run.len() < tiles.len().min(LIMIT) {
            (x, y) = (x.saturating_add(dx), y.saturating_add(dy));
            let next = name(x, y);
            if !tiles.contains_key(next.as_str()) {
                break;
            }
            run.push(next.into());
        }
        Ok(run)
    }
}

/// The steps of the directions; y grows to the south.
pub(super) const STEPS: [(INT, INT); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Up to here the names of a row's cells are kept, for asking for a cell's name is frequent.
const KEPT: usize = 16;

thread_local! {
    static NAMES: Vec<ImmutableString> = (0..KEPT * KEPT)
        .map(|place| format!("{},{}", place % KEPT, place / KEPT).into())
        .collect();
}

/// The name of a cell.
pub(super) fn name(x: INT, y: INT) -> ImmutableString {
    let kept = 0..KEPT as INT;
    if kept.contains(&x) && kept.contains(&y) {
        let place = y as usize * KEPT + x as usize;
        return NAMES.with(|names| names[place].clone());
    }
    format!("{x},{y}").into()
}

/// Where the cell of a name lies.
pub(super) fn parse(function: &str, cell: &str) -> Checked<(INT, INT)> {
    let number = |text: &str| text.trim().parse::<INT>().ok();
    cell.split_once(',')
        .and_then(|(x, y)| Some((number(x)?, number(y)?)))
        .ok_or_else(|| error(function, format!("`cell` must be a text `x,y`, got `{cell}`")))
}

fn inside(function: &str, width: INT, height: INT, cell: &str) -> Checked<(INT, INT)> {
    let (x, y) = parse(function, cell)?;
    if x < 0 || y < 0 || x >= width || y >= height {
        return fail(function, format!("`cell` `{cell}` is off the grid of {width} by {height}"));
    }
    Ok((x, y))
}

fn named(
    width: INT,
    height: INT,
    (x, y): (INT, INT),
    (dx, dy): (INT, INT),
) -> Option<ImmutableString> {
    let x = x.checked_add(dx).filter(|x| (0..width).contains(x))?;
    let y = y.checked_add(dy).filter(|y| (0..height).contains(y))?;
    Some(name(x, y))
}

fn around(
    function: &str,
    width: INT,
    height: INT,
    cell: &str,
    steps: [(INT, INT); 4],
) -> Checked<Array> {
    let at = inside(function, width, height, cell)?;
    Ok(steps
        .into_iter()
        .filter_map(|step| named(width, height, at, step))
        .map(Dynamic::from)
        .collect())
}

fn cells(function: &str, width: INT, height: INT, keep: impl Fn(&str) -> bool) -> Checked<Array> {
    for (name, size) in [("width", width), ("height", height)] {
        if size < 1 {
            return fail(function, format!("`{name}` must be 1 or more, got `{size}`"));
        }
    }
    at_most_limit(function, width.saturating_mul(height))?;
    let all = (0..height).flat_map(|y| (0..width).map(move |x| name(x, y)));
    Ok(all.filter(|cell| keep(cell)).map(Dynamic::from).collect())
}

/// The place of a direction among [`DIRECTIONS`].
pub(super) fn place_of(function: &str, word: &str) -> Checked<usize> {
    DIRECTIONS.iter().position(|&known| known == word).ok_or_else(|| {
        let near = hint(word, DIRECTIONS);
        let known = DIRECTIONS.join(", ");
        error(function, format!("`direction` must be one of {known}, got `{word}`{near}"))
    })
}
