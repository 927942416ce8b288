//! The rules of `war_die` in plain Rust, without a script: wars with secret dice, patrols and
//! alliances.

use fracas::game::Value;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{Asker, Native, place_of, read};

const FACES: i64 = 11;
const WORTH: [i64; 3] = [2, 1, 0];
const CAPACITY: usize = 2;
const REGION_WORTH: i64 = 6;
const RESOURCES: [&str; 3] = ["mana", "ore", "food"];
const FOOD: usize = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    #[serde(default)]
    turns: usize,
    #[serde(default)]
    wars: Vec<Listed>,
    players: IndexMap<String, PlayerSetup>,
    regions: IndexMap<String, Vec<String>>,
    #[serde(default)]
    alliances: Vec<Pair>,
}

#[derive(Deserialize)]
struct Listed {
    attacker: String,
    defender: String,
    region: String,
}

#[derive(Deserialize)]
struct Pair {
    players: [String; 2],
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct PlayerSetup {
    mana: i64,
    ore: i64,
    food: i64,
    abilities: AbilitySetup,
    meeples: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct AbilitySetup {
    discount: i64,
    wins_ties: bool,
    mana_value: Option<i64>,
    ore_value: Option<i64>,
    food_value: Option<i64>,
    surge: i64,
    peace_spoils: i64,
}

/// A map, the players on it and the wars listed.
pub struct WarDie {
    names: Vec<String>,
    land: Vec<String>,
    near: Vec<Vec<usize>>,
    abilities: Vec<Abilities>,
    listed: Vec<(usize, usize, usize)>,
    rounds: usize,
    /// Which of two players' names comes first: whose secret die is asked for first.
    alphabet: Vec<usize>,
    start: State,
}

struct Abilities {
    discount: i64,
    wins_ties: bool,
    rates: [i64; 3],
    surge: i64,
    peace_spoils: i64,
}

#[derive(Clone)]
struct State {
    players: Vec<Player>,
    regions: Vec<Vec<usize>>,
    alliances: Vec<(usize, usize)>,
    wars: Vec<War>,
}

#[derive(Clone, Default)]
struct Player {
    resources: [i64; 3],
    in_play: i64,
    supply: i64,
}

#[derive(Clone, Copy, PartialEq)]
enum Winner {
    Attacker,
    Defender,
    Alliance,
}

#[derive(Clone)]
struct War {
    attacker: usize,
    defender: usize,
    region: usize,
    /// Of the attacker and the defender; nothing is a flag.
    bids: [Option<i64>; 2],
    paid: [[i64; 3]; 2],
    winner: Winner,
    /// Where the loser's meeples went; nothing is the supply.
    retreat: Vec<Option<usize>>,
}

/// How it ended.
pub struct Outcome {
    utility: Vec<f64>,
    state: State,
}

impl Native for WarDie {
    type Outcome = Outcome;

    fn read(setup: &Value) -> Option<WarDie> {
        let setup: Setup = read(setup)?;
        let names: Vec<String> = setup.players.keys().cloned().collect();
        let land: Vec<String> = setup.regions.keys().cloned().collect();
        let mut near = vec![Vec::new(); land.len()];
        for (from, others) in setup.regions.values().enumerate() {
            for other in others {
                let to = place_of(&land, other);
                near[from].push(to);
                near[to].push(from);
            }
        }
        for places in &mut near {
            places.sort_unstable();
            places.dedup();
        }
        let mut regions = vec![Vec::new(); land.len()];
        let mut players = Vec::new();
        let mut abilities = Vec::new();
        for (number, own) in setup.players.into_values().enumerate() {
            for region in &own.meeples {
                regions[place_of(&land, region)].push(number);
            }
            let given = own.abilities;
            abilities.push(Abilities {
                discount: given.discount,
                wins_ties: given.wins_ties,
                rates: [
                    given.mana_value.unwrap_or(WORTH[0]),
                    given.ore_value.unwrap_or(WORTH[1]),
                    given.food_value.unwrap_or(WORTH[2]),
                ],
                surge: given.surge,
                peace_spoils: given.peace_spoils,
            });
            players.push(Player {
                resources: [own.mana, own.ore, own.food],
                in_play: own.meeples.len() as i64,
                supply: 0,
            });
        }
        let listed = setup.wars.iter().map(|war| {
            let player = |name| place_of(&names, name);
            (player(&war.attacker), player(&war.defender), place_of(&land, &war.region))
        });
        let listed = listed.collect();
        let mut alphabet: Vec<usize> = (0..names.len()).collect();
        alphabet.sort_by_key(|&player| &names[player]);
        let mut alphabet_places = vec![0; names.len()];
        for (place, player) in alphabet.into_iter().enumerate() {
            alphabet_places[player] = place;
        }
        let mut start = State { players, regions, alliances: Vec::new(), wars: Vec::new() };
        for pair in setup.alliances {
            start.ally(place_of(&names, &pair.players[0]), place_of(&names, &pair.players[1]));
        }
        Some(WarDie {
            names,
            land,
            near,
            abilities,
            listed,
            rounds: setup.turns,
            alphabet: alphabet_places,
            start,
        })
    }

    fn play(&self, asker: &mut Asker) -> Outcome {
        let mut table = Table { rules: self, state: self.start.clone(), asker };
        for &(attacker, defender, region) in &self.listed {
            let there = &table.state.regions[region];
            if there.contains(&attacker) && there.contains(&defender) {
                table.fight(attacker, defender, region);
            }
        }
        for _ in 0..self.rounds {
            for player in 0..self.names.len() {
                table.patrol(player);
            }
        }
        let state = table.state;
        let utility = (0..self.names.len()).map(|player| self.utility(&state, player)).collect();
        Outcome { utility, state }
    }

    fn words(&self, outcome: &Outcome) -> Json {
        let state = &outcome.state;
        let name = |player: usize| &self.names[player];
        let wars: Vec<Json> = state.wars.iter().map(|war| self.war_words(war)).collect();
        let mut utility = Map::new();
        let mut players = Map::new();
        for (number, player) in state.players.iter().enumerate() {
            let [mana, ore, food] = player.resources;
            utility.insert(name(number).clone(), json!(outcome.utility[number]));
            players.insert(
                name(number).clone(),
                json!({"mana": mana, "ore": ore, "food": food, "in_play": player.in_play, "supply": player.supply}),
            );
        }
        let mut regions = Map::new();
        for (region, there) in state.regions.iter().enumerate() {
            let there: Vec<&String> = there.iter().map(|&player| name(player)).collect();
            regions.insert(self.land[region].clone(), json!(there));
        }
        let pairs: Vec<_> = state.alliances.iter().map(|&(a, b)| [name(a), name(b)]).collect();
        let single = self.listed.len() == 1 && self.rounds == 0;
        json!({
            "result": if single { wars[0]["result"].clone() } else { json!("done") },
            "utility": utility,
            "wars": wars,
            "regions": regions,
            "players": players,
            "alliances": pairs,
        })
    }
}

impl WarDie {
    fn utility(&self, state: &State, player: usize) -> f64 {
        let worth = |player: &Player| -> i64 {
            player.resources.iter().zip(WORTH).map(|(have, worth)| have * worth).sum()
        };
        let (before, after) = (&self.start.players[player], &state.players[player]);
        let halves = state.held(player) - self.start.held(player);
        (REGION_WORTH * halves) as f64 / 2.0 - (worth(before) - worth(after) + after.supply) as f64
    }

    fn war_words(&self, war: &War) -> Json {
        let mut bids = Map::new();
        let mut paid = Map::new();
        for (side, player) in [war.attacker, war.defender].into_iter().enumerate() {
            let name = self.names[player].clone();
            bids.insert(name.clone(), war.bids[side].map_or(json!("flag"), |bid| json!(bid)));
            let parts: Vec<String> = (0..3)
                .filter(|&kind| war.paid[side][kind] > 0)
                .map(|kind| format!("{} {}", war.paid[side][kind], RESOURCES[kind]))
                .collect();
            let text = if parts.is_empty() { "nothing".to_owned() } else { parts.join(" + ") };
            paid.insert(name, json!(text));
        }
        let places: Vec<&str> = war
            .retreat
            .iter()
            .map(|place| place.map_or("supply", |region| self.land[region].as_str()))
            .collect();
        let result = match war.winner {
            Winner::Attacker => "attacker",
            Winner::Defender => "defender",
            Winner::Alliance => "alliance",
        };
        json!({
            "attacker": self.names[war.attacker],
            "defender": self.names[war.defender],
            "region": self.land[war.region],
            "bids": bids,
            "paid": paid,
            "result": result,
            "retreat": match places[..] {
                [] => json!("none"),
                [place] => json!(place),
                _ => json!(places),
            },
        })
    }
}

impl State {
    /// Half regions: two for each region that the player holds alone.
    fn held(&self, player: usize) -> i64 {
        let halves = |there: &&Vec<usize>| there.contains(&player);
        let held = self.regions.iter().filter(halves);
        held.map(|there| if there.len() == 1 { 2 } else { 1 }).sum()
    }

    fn share(&self, a: usize, b: usize) -> impl Iterator<Item = usize> {
        let both = move |there: &Vec<usize>| there.contains(&a) && there.contains(&b);
        self.regions.iter().enumerate().filter(move |(_, there)| both(there)).map(|(at, _)| at)
    }

    fn ally(&mut self, a: usize, b: usize) {
        let pair = (a.min(b), a.max(b));
        if !self.alliances.contains(&pair) {
            self.alliances.push(pair);
            self.alliances.sort_unstable();
        }
    }

    fn part_allies(&mut self) {
        let mut alliances = std::mem::take(&mut self.alliances);
        alliances.retain(|&(a, b)| self.share(a, b).next().is_some());
        self.alliances = alliances;
    }
}

struct Table<'a> {
    rules: &'a WarDie,
    state: State,
    asker: &'a mut Asker,
}

impl Table<'_> {
    /// W1, W8.
    fn patrol(&mut self, player: usize) {
        let mut ways = Vec::new();
        for (from, there) in self.state.regions.iter().enumerate() {
            if there.contains(&player) {
                for &to in &self.rules.near[from] {
                    let crowd = &self.state.regions[to];
                    if crowd.len() < CAPACITY && !crowd.contains(&player) {
                        ways.push((from, to));
                    }
                }
            }
        }
        let pick = self.asker.index(ways.len() + 1);
        if pick == 0 {
            return;
        }
        let (from, to) = ways[pick - 1];
        let others = self.state.regions[to].clone();
        self.state.regions[from].retain(|&other| other != player);
        self.state.regions[to].push(player);
        self.state.regions[to].sort_unstable();
        self.state.part_allies();
        for other in others {
            if self.state.regions[to].contains(&player) {
                self.fight(player, other, to);
            }
        }
    }

    /// W2 to W10.
    fn fight(&mut self, attacker: usize, defender: usize, region: usize) {
        let sides = [attacker, defender];
        let mut bids = [None, None];
        let attacker_first = self.rules.alphabet[attacker] < self.rules.alphabet[defender];
        for side in if attacker_first { [0, 1] } else { [1, 0] } {
            let most = FACES.min(self.greatest(sides[side]));
            bids[side] = Some(self.asker.up_to(most)).filter(|&bid| bid > 0);
        }
        let mut numbers = bids.map(Option::unwrap_or_default);
        if bids != [None, None] {
            for side in [0, 1] {
                let surge = self.rules.abilities[sides[side]].surge;
                if surge > 0 {
                    let spare = self.greatest(sides[side]) - numbers[side];
                    numbers[side] += self.asker.up_to(surge.min(spare));
                }
            }
        }
        let wins_ties = |player: usize| self.rules.abilities[player].wins_ties;
        let winner = if numbers[0] > numbers[1] {
            Winner::Attacker
        } else if numbers[0] < numbers[1] {
            Winner::Defender
        } else if bids == [None, None] {
            Winner::Alliance
        } else if !wins_ties(defender) && wins_ties(attacker) {
            Winner::Attacker
        } else {
            Winner::Defender
        };
        let paid = [0, 1].map(|side| self.pay(sides[side], numbers[side]));
        let mut retreat = Vec::new();
        match winner {
            Winner::Alliance => self.state.ally(attacker, defender),
            Winner::Attacker => self.clear_ground(defender, attacker, region, &mut retreat),
            Winner::Defender => self.clear_ground(attacker, defender, region, &mut retreat),
        }
        for (flag, other) in [(0, 1), (1, 0)] {
            if bids[flag].is_none() && bids[other].is_some() {
                self.lose_spoils(sides[other], self.rules.abilities[sides[flag]].peace_spoils);
            }
        }
        self.state.wars.push(War { attacker, defender, region, bids, paid, winner, retreat });
        self.state.part_allies();
    }

    /// W3.
    fn greatest(&self, player: usize) -> i64 {
        let own = &self.rules.abilities[player];
        let have = &self.state.players[player].resources;
        own.discount + have.iter().zip(own.rates).map(|(have, rate)| have * rate).sum::<i64>()
    }

    /// W6. All mixes from which no piece can be left out; most mana first, then most ore.
    fn pay(&mut self, player: usize, number: i64) -> [i64; 3] {
        let own = &self.rules.abilities[player];
        let price = number - own.discount;
        if price <= 0 {
            return [0; 3];
        }
        let have = self.state.players[player].resources;
        let rates = own.rates;
        let most = |kind: usize| match rates[kind] {
            0 => 0,
            rate => have[kind].min((price + rate - 1) / rate),
        };
        let mut mixes = Vec::new();
        for mana in (0..=most(0)).rev() {
            for ore in (0..=most(1)).rev() {
                for food in (0..=most(2)).rev() {
                    let mix = [mana, ore, food];
                    let worth: i64 = mix.iter().zip(rates).map(|(part, rate)| part * rate).sum();
                    let needed = |kind: usize| mix[kind] == 0 || worth - rates[kind] < price;
                    if worth >= price && (0..3).all(needed) {
                        mixes.push(mix);
                    }
                }
            }
        }
        let mix = self.asker.pick(&mixes);
        let resources = &mut self.state.players[player].resources;
        for (have, part) in resources.iter_mut().zip(mix) {
            *have -= part;
        }
        mix
    }

    /// W7, W10.
    fn clear_ground(
        &mut self,
        loser: usize,
        winner: usize,
        region: usize,
        retreat: &mut Vec<Option<usize>>,
    ) {
        let pair = (loser.min(winner), loser.max(winner));
        let mut lost = vec![region];
        if let Some(at) = self.state.alliances.iter().position(|other| *other == pair) {
            lost.extend(self.state.share(loser, winner).filter(|&other| other != region));
            self.state.alliances.remove(at);
        }
        for region in lost {
            let food = self.state.players[loser].in_play;
            let mut places = vec![None];
            if self.state.players[loser].resources[FOOD] >= food {
                let near = self.rules.near[region].iter();
                let empty = near.filter(|&&place| self.state.regions[place].is_empty());
                places.extend(empty.map(|&place| Some(place)));
            }
            let place = self.asker.pick(&places);
            self.state.regions[region].retain(|&other| other != loser);
            let own = &mut self.state.players[loser];
            match place {
                Some(place) => {
                    self.state.regions[place].push(loser);
                    own.resources[FOOD] -= food;
                }
                None => {
                    own.in_play -= 1;
                    own.supply += 1;
                }
            }
            retreat.push(place);
        }
    }

    fn lose_spoils(&mut self, player: usize, number: i64) {
        for _ in 0..number {
            let have = self.state.players[player].resources;
            let kinds: Vec<usize> = (0..3).filter(|&kind| have[kind] > 0).collect();
            if kinds.is_empty() {
                return;
            }
            let kind = self.asker.pick(&kinds);
            self.state.players[player].resources[kind] -= 1;
        }
    }
}
