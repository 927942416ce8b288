//! The rules of `battle_tiles` in plain Rust, without a script: attack, chain and capture.

use fracas::game::Value;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{Asker, Native, place_of, read};

const MAX_NUMBER: usize = 9;

/// North, east, south, west: steps of x and y.
const DIRECTIONS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const CORNERS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    width: usize,
    height: usize,
    players: [String; 2],
    #[serde(default)]
    markers: std::collections::HashMap<String, usize>,
    #[serde(default)]
    powers: std::collections::HashMap<String, Vec<Power>>,
    #[serde(default)]
    tiles: Vec<TileSetup>,
    #[serde(default)]
    hands: std::collections::HashMap<String, Vec<HandSetup>>,
    deal: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TileSetup {
    at: [usize; 2],
    sides: [SideSetup; 4],
    #[serde(default)]
    scoring: bool,
    owner: Option<String>,
    token: Option<Power>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HandSetup {
    sides: [SideSetup; 4],
    #[serde(default)]
    scoring: bool,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(untagged)]
enum SideSetup {
    Number(u8),
    Icon(Icon),
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Icon {
    Piercer,
    Barrier,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Power {
    Rotate,
    Chaos,
    Death,
    Life,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Number(u8),
    Piercer,
    Barrier,
}

#[derive(Clone, Copy, PartialEq)]
enum Owner {
    NotScoring,
    Neutral,
    Player(usize),
}

#[derive(Clone, Copy)]
struct Tile {
    sides: [Side; 4],
    owner: Owner,
    token: Option<Power>,
}

#[derive(Clone, Copy)]
struct Held {
    sides: [Side; 4],
    scoring: bool,
}

#[derive(Clone)]
struct State {
    grid: Vec<Option<Tile>>,
    hands: [Vec<Held>; 2],
    supply: [usize; 2],
    kept: [usize; 2],
    powers: [Vec<Power>; 2],
}

/// A grid and what both players have.
pub struct BattleTiles {
    width: usize,
    height: usize,
    names: [String; 2],
    deal: usize,
    start: State,
}

/// How it ended.
pub struct Outcome {
    score: [i64; 2],
    state: State,
}

impl From<SideSetup> for Side {
    fn from(side: SideSetup) -> Side {
        match side {
            SideSetup::Number(number) => Side::Number(number),
            SideSetup::Icon(Icon::Piercer) => Side::Piercer,
            SideSetup::Icon(Icon::Barrier) => Side::Barrier,
        }
    }
}

impl Native for BattleTiles {
    type Outcome = Outcome;

    fn read(setup: &Value) -> Option<BattleTiles> {
        let mut setup: Setup = read(setup)?;
        let names = setup.players;
        let mut grid = vec![None; setup.width * setup.height];
        for tile in setup.tiles {
            let scoring = tile.scoring || tile.token == Some(Power::Life);
            let owner = match tile.owner {
                Some(name) => Owner::Player(place_of(&names, &name)),
                None if scoring => Owner::Neutral,
                None => Owner::NotScoring,
            };
            let sides = tile.sides.map(Side::from);
            grid[tile.at[1] * setup.width + tile.at[0]] =
                Some(Tile { sides, owner, token: tile.token });
        }
        let mut hand = |name: &String| -> Vec<Held> {
            let tiles = setup.hands.remove(name).unwrap_or_default();
            let held =
                |tile: HandSetup| Held { sides: tile.sides.map(Side::from), scoring: tile.scoring };
            tiles.into_iter().map(held).collect()
        };
        let start = State {
            grid,
            hands: [hand(&names[0]), hand(&names[1])],
            supply: [0, 1].map(|player| setup.markers.get(&names[player]).copied().unwrap_or(0)),
            kept: [0, 0],
            powers: [0, 1].map(|player| setup.powers.remove(&names[player]).unwrap_or_default()),
        };
        let deal = setup.deal.unwrap_or(0);
        Some(BattleTiles { width: setup.width, height: setup.height, names, deal, start })
    }

    fn play(&self, asker: &mut Asker) -> Outcome {
        let mut game = Game { rules: self, state: self.start.clone(), turn: 0, asker };
        for player in [0, 1] {
            for _ in 0..self.deal {
                let tile = game.deal();
                game.state.hands[player].push(tile);
            }
        }
        while !game.is_over() {
            if !game.state.hands[game.turn].is_empty() {
                game.take_turn();
            }
            game.turn = 1 - game.turn;
        }
        let state = game.state;
        let score = [0, 1].map(|player| (state.markers(player) + state.kept[player]) as i64);
        Outcome { score, state }
    }

    fn words(&self, outcome: &Outcome) -> Json {
        let state = &outcome.state;
        let [first, second] = &self.names;
        let both = |a: Json, b: Json| json!({first: a, second: b});
        let [a, b] = outcome.score;
        let result = if a > b {
            first
        } else if b > a {
            second
        } else {
            "draw"
        };
        let powers = |player: usize| -> Json {
            state.powers[player].iter().map(|&power| power_word(power)).collect()
        };
        let held =
            |tile: &Held| json!({"sides": tile.sides.map(side_word), "scoring": tile.scoring});
        let hand = |player: usize| -> Json { state.hands[player].iter().map(held).collect() };
        let mut tiles = Map::new();
        for (cell, tile) in state.grid.iter().enumerate() {
            if let Some(tile) = tile {
                let sides = tile.sides.map(side_word);
                let owner = match tile.owner {
                    Owner::NotScoring => "none",
                    Owner::Neutral => "neutral",
                    Owner::Player(player) => &self.names[player],
                };
                let name = format!("{},{}", cell % self.width, cell / self.width);
                let scoring = tile.owner != Owner::NotScoring;
                let token = tile.token.map_or("none", power_word);
                let tile =
                    json!({"sides": sides, "scoring": scoring, "owner": owner, "token": token});
                tiles.insert(name, tile);
            }
        }
        json!({
            "result": result,
            "utility": both(json!(a - b), json!(b - a)),
            "score": both(json!(a), json!(b)),
            "kept": both(json!(state.kept[0]), json!(state.kept[1])),
            "supply": both(json!(state.supply[0]), json!(state.supply[1])),
            "powers": both(powers(0), powers(1)),
            "hands": both(hand(0), hand(1)),
            "tiles": tiles,
        })
    }
}

fn side_word(side: Side) -> Json {
    match side {
        Side::Number(number) => json!(number),
        Side::Piercer => json!("piercer"),
        Side::Barrier => json!("barrier"),
    }
}

fn power_word(power: Power) -> &'static str {
    match power {
        Power::Rotate => "rotate",
        Power::Chaos => "chaos",
        Power::Death => "death",
        Power::Life => "life",
    }
}

/// B4.
fn beats(attack: Side, defence: Side) -> bool {
    match (attack, defence) {
        (Side::Barrier, _) | (_, Side::Barrier) => false,
        (Side::Piercer, _) | (_, Side::Piercer) => true,
        (Side::Number(attack), Side::Number(defence)) => attack > defence,
    }
}

impl State {
    fn markers(&self, player: usize) -> usize {
        self.grid.iter().flatten().filter(|tile| tile.owner == Owner::Player(player)).count()
    }

    /// B2, B9.
    fn put_marker(&mut self, cell: usize, player: usize) {
        let owner = if self.supply[player] > 0 {
            self.supply[player] -= 1;
            Owner::Player(player)
        } else {
            Owner::Neutral
        };
        if let Some(tile) = &mut self.grid[cell] {
            tile.owner = owner;
        }
    }

    fn spend(&mut self, player: usize, power: Power) {
        let powers = &mut self.powers[player];
        if let Some(place) = powers.iter().position(|&other| other == power) {
            powers.remove(place);
        }
    }
}

struct Game<'a> {
    rules: &'a BattleTiles,
    state: State,
    turn: usize,
    asker: &'a mut Asker,
}

impl Game<'_> {
    fn deal(&mut self) -> Held {
        let sides = [0; 4].map(|_| match self.asker.roll(MAX_NUMBER + 2) {
            MAX_NUMBER => Side::Piercer,
            place if place > MAX_NUMBER => Side::Barrier,
            place => Side::Number(place as u8 + 1),
        });
        Held { sides, scoring: self.asker.roll(2) == 0 }
    }

    /// B16.
    fn is_over(&self) -> bool {
        self.state.hands.iter().all(Vec::is_empty) || self.state.grid.iter().all(Option::is_some)
    }

    /// B2, B11.
    fn take_turn(&mut self) {
        let player = self.turn;
        let place = self.asker.index(self.state.hands[player].len());
        let Held { sides, scoring } = self.state.hands[player].remove(place);
        let grid = self.state.grid.iter().enumerate();
        let empty: Vec<usize> = grid.filter(|(_, tile)| tile.is_none()).map(|(at, _)| at).collect();
        let cell = self.asker.pick(&empty);
        self.state.grid[cell] = Some(Tile { sides, owner: Owner::NotScoring, token: None });
        let mut may_rotate = false;
        if scoring {
            self.state.put_marker(cell, player);
        } else {
            let mut options = vec![None];
            let announced = [Power::Chaos, Power::Death, Power::Life].into_iter();
            let powers = &self.state.powers[player];
            options.extend(announced.filter(|power| powers.contains(power)).map(Some));
            may_rotate = powers.contains(&Power::Rotate);
            if let Some(power) = self.asker.pick(&options) {
                may_rotate = false;
                self.state.spend(player, power);
                if power == Power::Chaos {
                    return self.chaos(cell);
                }
                if let Some(tile) = &mut self.state.grid[cell] {
                    tile.token = Some(power);
                }
                if power == Power::Life {
                    self.state.put_marker(cell, player);
                }
            }
        }
        self.attack(cell, may_rotate);
    }

    fn next(&self, cell: usize, step: (isize, isize)) -> Option<usize> {
        let x = (cell % self.rules.width).checked_add_signed(step.0)?;
        let y = (cell / self.rules.width).checked_add_signed(step.1)?;
        (x < self.rules.width && y < self.rules.height).then(|| y * self.rules.width + x)
    }

    /// B3 to B9, B12, B14.
    fn attack(&mut self, placed: usize, mut may_rotate: bool) {
        let player = self.turn;
        let mut struck = false;
        for (direction, &step) in DIRECTIONS.iter().enumerate() {
            let mut cell = placed;
            while let Some(next) = self.next(cell, step) {
                let (Some(attacker), Some(defender)) =
                    (self.state.grid[cell], self.state.grid[next])
                else {
                    break;
                };
                if !beats(attacker.sides[direction], defender.sides[(direction + 2) % 4]) {
                    break;
                }
                struck |= defender.token == Some(Power::Death);
                match defender.owner {
                    Owner::Player(owner) if owner != player => {
                        self.state.kept[player] += 1;
                        self.state.put_marker(next, player);
                    }
                    Owner::Neutral => self.state.put_marker(next, player),
                    _ => {}
                }
                if may_rotate {
                    let turns = self.asker.index(3);
                    if turns > 0 {
                        if let Some(tile) = &mut self.state.grid[next] {
                            // Clockwise the old west comes to the north.
                            tile.sides.rotate_right(if turns == 1 { 1 } else { 3 });
                        }
                        may_rotate = false;
                        self.state.spend(player, Power::Rotate);
                    }
                }
                cell = next;
            }
        }
        if struck {
            for tile in self.state.grid.iter_mut().flatten() {
                if tile.owner == Owner::Player(player) {
                    tile.owner = Owner::Neutral;
                }
            }
        }
    }

    /// B13.
    fn chaos(&mut self, placed: usize) {
        let mut due = [Vec::new(), Vec::new()];
        for step in CORNERS {
            if let Some(cell) = self.next(placed, step)
                && let Some(Tile { owner: Owner::Player(owner), .. }) = self.state.grid[cell]
            {
                self.state.supply[owner] += 1;
                due[1 - owner].push(cell);
            }
        }
        for (player, mut cells) in due.into_iter().enumerate() {
            let mut missing = cells.len().saturating_sub(self.state.supply[player]);
            let ask = missing < cells.len();
            while missing > 0 {
                let place = if ask { self.asker.index(cells.len()) } else { 0 };
                let cell = cells.remove(place);
                if let Some(tile) = &mut self.state.grid[cell] {
                    tile.owner = Owner::Neutral;
                }
                missing -= 1;
            }
            for cell in cells {
                self.state.put_marker(cell, player);
            }
        }
    }
}
