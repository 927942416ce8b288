//! What becomes of two stacks whose tokens meet one by one, each match by a table?

use std::cmp::Ordering;
use std::mem::take;
use std::ops::Deref;

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{Checked, amount, entry, error, fail, hint, no_entry, show, text, texts};
use crate::script::meter::charge;

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "matches", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Lets two stacks meet, top with top and so on downwards, and moves each token as a table says. No match sees another's result.
    ///
    /// Each stack stands on its own ground and has a colour, which is its name.
    /// `stacks`: name -> list of tokens, top first; under the shorter one lie `"blank"`s. `names`: the two names. `tokens`: all texts that a token can be.
    /// `table`: token -> token that it meets, or `blank` -> what becomes of it. `"stay"`: it stays on its ground. `"turn"`: it stays and takes the other's colour.
    /// `"advance"`: it goes over to the other ground. `"advance and turn"`: it goes over and takes the other's colour. A row `blank` has `"nothing"` for every token.
    ///
    /// The result is `#{ grounds, colours }`. `grounds`: name -> what is on that ground, `#{ stack, tokens, owner }` and under each name the number of tokens of that colour.
    /// `stack`: the tokens, top first; of a match lies on top who came over. `tokens`: how many. `owner`: the colour that more of them have; `()` if neither.
    /// `colours`: a list of two lists, the colours of the tokens on the first ground and on the second, top first.
    /// Errors: not two names, a name such as `owner`, and whether or not such tokens meet, a cell that is missing, that is too many, or that has another word.
    ///
    /// # Example
    /// `meet_by_table(#{ red: ["x"], blue: ["x", "x"] }, ["red", "blue"], #{ x: #{ x: "stay", blank: "advance" }, blank: #{ x: "nothing" } }, ["x"]).colours` is `[["red", "blue"], ["blue"]]`
    /// `meet_by_table(#{ red: ["x"], blue: ["x", "x"] }, ["red", "blue"], #{ x: #{ x: "turn", blank: "stay" }, blank: #{ x: "nothing" } }, ["x"]).grounds.blue` is `#{ stack: ["x", "x"], tokens: 2, owner: (), red: 1, blue: 1 }`
    #[rhai_fn(return_raw, pure)]
    pub fn meet_by_table(
        stacks: &mut Map,
        names: Array,
        table: Map,
        tokens: Array,
    ) -> Checked<Map> {
        let [first, second] = &names[..] else {
            return fail(NAME, format!("`names` must be two, got {}", names.len()));
        };
        let names = [read_name(first)?, read_name(second)?];
        let table = Table::read(&table, texts(NAME, "tokens", &tokens)?)?;
        let (first, second) = (stack_of(stacks, &names[0])?, stack_of(stacks, &names[1])?);
        let mut grounds = [Ground::for_tokens(first.len()), Ground::for_tokens(second.len())];
        for row in 0..first.len().max(second.len()) {
            let met = [table.token(&first, row)?, table.token(&second, row)?];
            let moves = [table.of(met[0], met[1]), table.of(met[1], met[0])];
            for (here, ground) in grounds.iter_mut().enumerate() {
                // Who comes over lies above who stays.
                for side in [1 - here, here] {
                    let Some(Move { over, turned }) = moves[side] else { continue };
                    if over == (side != here) {
                        let stack = if side == 0 { &first } else { &second };
                        ground.lay(stack[row].clone(), side ^ usize::from(turned), &names);
                    }
                }
            }
        }
        let [mut here, mut there] = grounds;
        let colours: Array = vec![take(&mut here.colours).into(), take(&mut there.colours).into()];
        let mut grounds = Map::new();
        for (name, ground) in names.iter().zip([here, there]) {
            grounds.insert(name.as_str().into(), ground.into_map(&names));
        }
        let mut result = Map::new();
        result.insert("grounds".into(), grounds.into());
        result.insert("colours".into(), colours.into());
        Ok(result)
    }

    /// How many more tokens each name has on all grounds than before, by the tokens' colours; fewer is below 0.
    ///
    /// `grounds`: a map of maps, as in what `meet_by_table` returns: each has a whole number under each name. `before`: name -> whole number.
    ///
    /// # Example
    /// `gains_by_colour(#{ hill: #{ red: 1, blue: 2 }, lake: #{ red: 3, blue: 0 } }, #{ red: 3, blue: 3 })` is `#{ red: 1, blue: -1 }`
    #[rhai_fn(return_raw, pure)]
    pub fn gains_by_colour(grounds: &mut Map, before: Map) -> Checked<Map> {
        gains("gains_by_colour", grounds, before, false)
    }

    /// How many more tokens each name has on all grounds than before, where all on a ground take the colour of its owner; fewer is below 0.
    ///
    /// `grounds`: a map of maps, as in what `meet_by_table` returns: each has `owner`, `tokens`, and a whole number under each name. `before`: name -> whole number.
    /// Where the owner is none of the names, each token keeps its colour.
    ///
    /// # Example
    /// `gains_by_owner(#{ hill: #{ owner: "blue", tokens: 3, red: 1, blue: 2 }, lake: #{ owner: "nobody", tokens: 2, red: 1, blue: 1 } }, #{ red: 2, blue: 3 })` is `#{ red: -1, blue: 1 }`
    #[rhai_fn(return_raw, pure)]
    pub fn gains_by_owner(grounds: &mut Map, before: Map) -> Checked<Map> {
        gains("gains_by_owner", grounds, before, true)
    }
}

const NAME: &str = "meet_by_table";

/// What lies under the shorter stack.
const BLANK: &str = "blank";

/// The most kinds of tokens: the table has a cell for each two of them.
const TOKENS: usize = 100;

/// What a ground says beside the number of tokens of each colour.
const WORDS: [&str; 3] = ["stack", "tokens", "owner"];

fn read_name(name: &Dynamic) -> Checked<ImmutableString> {
    let name = text(NAME, "names", name)?;
    if WORDS.contains(&name.as_str()) {
        return fail(NAME, format!("`{name}` is a word of the result and cannot be a name"));
    }
    Ok(name)
}

fn stack_of<'a>(stacks: &'a Map, name: &str) -> Checked<impl Deref<Target = Array> + 'a> {
    let stack = entry(NAME, "stacks", stacks, name)?;
    let Ok(stack) = stack.as_array_ref() else {
        return fail(NAME, format!("`stacks.{name}` must be a list, got {}", show(stack)));
    };
    charge(2 * stack.len() as u64);
    Ok(stack)
}

/// What each name has more than before: all tokens on the grounds it owns and none on others', or
/// those of its colour.
fn gains(function: &str, grounds: &Map, before: Map, by_owner: bool) -> Checked<Map> {
    charge((before.len() as u64).saturating_mul(grounds.len() as u64));
    let mut gains = Map::new();
    for (name, number) in &before {
        let mut sum = -amount(function, format_args!("before.{name}"), number)?;
        for (place, ground) in grounds {
            let Ok(ground) = ground.as_map_ref() else {
                let got = show(ground);
                return fail(function, format!("`grounds.{place}` must be a map, got {got}"));
            };
            let owner = ground.get("owner").filter(|_| by_owner);
            let owner = owner.and_then(|owner| owner.as_immutable_string_ref().ok());
            let key = match owner.as_deref() {
                Some(owner) if owner.as_str() == name.as_str() => "tokens",
                Some(owner) if before.contains_key(owner.as_str()) => continue,
                _ => name.as_str(),
            };
            let Some(number) = ground.get(key) else {
                return Err(no_entry(function, &format!("grounds.{place}"), &ground, key));
            };
            let number = amount(function, format_args!("grounds.{place}.{key}"), number)?;
            sum = INT::checked_add(sum, number)
                .ok_or_else(|| error(function, format!("`{name}` has too many")))?;
        }
        gains.insert(name.clone(), sum.into());
    }
    Ok(gains)
}

/// What becomes of a token in a match.
#[derive(Clone, Copy)]
struct Move {
    /// It goes over to the other ground.
    over: bool,
    /// It takes the other's colour.
    turned: bool,
}

/// The words of a table's cells.
const MOVES: [(&str, Move); 4] = [
    ("stay", Move { over: false, turned: false }),
    ("turn", Move { over: false, turned: true }),
    ("advance", Move { over: true, turned: false }),
    ("advance and turn", Move { over: true, turned: true }),
];

/// What a blank does.
const NOTHING: &str = "nothing";

/// What becomes of each token that meets another, by number; the last is the blank.
struct Table {
    tokens: Vec<ImmutableString>,
    cells: Vec<Option<Move>>,
}

impl Table {
    fn read(table: &Map, mut tokens: Vec<ImmutableString>) -> Checked<Table> {
        let others = tokens.len();
        if others > TOKENS {
            return fail(NAME, format!("more than {TOKENS} kinds of tokens"));
        }
        tokens.push(BLANK.into());
        charge((tokens.len() * tokens.len()) as u64);
        has_only("table", table, &tokens)?;
        let mut cells = Vec::with_capacity(tokens.len() * tokens.len());
        for (i, token) in tokens.iter().enumerate() {
            let row = table.get(token.as_str()).and_then(|row| row.as_map_ref().ok());
            let Some(row) = row else {
                return fail(NAME, format!("table.{token}: must be a map"));
            };
            // A blank meets no blank.
            let met = if i == others { &tokens[..others] } else { &tokens[..] };
            if row.len() != met.len() || !met.iter().all(|met| row.contains_key(met.as_str())) {
                has_only(&format!("table.{token}"), &row, met)?;
            }
            for other in met {
                cells.push(read_cell(token, other, row.get(other.as_str()))?);
            }
        }
        cells.push(None);
        Ok(Table { tokens, cells })
    }

    /// The number of the token that lies in a row.
    fn token(&self, stack: &Array, row: usize) -> Checked<usize> {
        let Some(token) = stack.get(row) else { return Ok(self.tokens.len() - 1) };
        let known = token.as_immutable_string_ref().ok();
        let known = known.and_then(|token| self.tokens.iter().position(|known| *known == *token));
        match known {
            Some(known) if known + 1 < self.tokens.len() => Ok(known),
            _ => fail(NAME, format!("no such token: {}", show(token))),
        }
    }

    fn of(&self, token: usize, other: usize) -> Option<Move> {
        self.cells[token * self.tokens.len() + other]
    }
}

/// Refuses a name that is none of those known, and one that is missing.
fn has_only(place: &str, map: &Map, known: &[ImmutableString]) -> Checked<()> {
    if let Some(wrong) = map.keys().find(|key| !known.iter().any(|known| *known == key.as_str())) {
        let near = hint(wrong, known.iter().map(ImmutableString::as_str));
        return fail(NAME, format!("{place}.{wrong}: no such token{near}"));
    }
    match known.iter().find(|known| !map.contains_key(known.as_str())) {
        Some(missing) => fail(NAME, format!("{place}.{missing}: is missing")),
        None => Ok(()),
    }
}

fn read_cell(token: &str, other: &str, cell: Option<&Dynamic>) -> Checked<Option<Move>> {
    let cell = cell.unwrap_or(&Dynamic::UNIT);
    let word = cell.as_immutable_string_ref().ok();
    let word = word.as_deref().map_or("", |word| word.as_str());
    if token == BLANK {
        if word == NOTHING {
            return Ok(None);
        }
    } else if let Some((_, found)) = MOVES.iter().find(|(known, _)| *known == word) {
        return Ok(Some(*found));
    }
    let words = MOVES.map(|(word, _)| format!("`{word}`")).join(", ");
    let words = if token == BLANK { format!("`{NOTHING}`") } else { words };
    fail(NAME, format!("table.{token}.{other}: must be one of {words}, got {}", show(cell)))
}

/// The tokens on a ground, top first, with their colours.
struct Ground {
    stack: Array,
    colours: Array,
    /// How many are of each colour.
    counts: [INT; 2],
}

impl Ground {
    /// An empty ground, on which about so many tokens will lie.
    fn for_tokens(number: usize) -> Ground {
        let room = || Array::with_capacity(number + 1);
        Ground { stack: room(), colours: room(), counts: [0, 0] }
    }

    fn lay(&mut self, token: Dynamic, colour: usize, names: &[ImmutableString; 2]) {
        self.stack.push(token);
        self.colours.push(names[colour].clone().into());
        self.counts[colour] += 1;
    }

    fn into_map(self, names: &[ImmutableString; 2]) -> Dynamic {
        let owner = match self.counts[0].cmp(&self.counts[1]) {
            Ordering::Greater => names[0].clone().into(),
            Ordering::Less => names[1].clone().into(),
            Ordering::Equal => Dynamic::UNIT,
        };
        let mut map = Map::new();
        map.insert("owner".into(), owner);
        map.insert("tokens".into(), (self.stack.len() as INT).into());
        map.insert("stack".into(), self.stack.into());
        for (name, count) in names.iter().zip(self.counts) {
            map.insert(name.as_str().into(), count.into());
        }
        map.into()
    }
}
