//! The rules of `attrition` in plain Rust, without a script: rounds of removal and city attacks.

use fracas::game::Value;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{Asker, Native, place_of, read};

const NEEDED: i64 = 7;
const CITY_TOKENS: i64 = 6;
const TREASURY_GAIN: i64 = 3;
const CITY_LIMIT: i64 = 0;
const CITY_VALUE: i64 = 5;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    ranking: Vec<String>,
    players: IndexMap<String, PlayerSetup>,
    areas: IndexMap<String, AreaSetup>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct PlayerSetup {
    stock: i64,
    treasury: i64,
    hand: Vec<String>,
    advances: Vec<Advance>,
    reserve: i64,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct AreaSetup {
    limit: i64,
    tokens: IndexMap<String, i64>,
    city: Option<String>,
    ships: IndexMap<String, i64>,
    adjacent: Vec<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Advance {
    Metalworking,
    Engineering,
    NavalWarfare,
    AdvancedMilitary,
    Agriculture,
    PublicWorks,
}

/// A map and the parties on it. The last party is the barbarians.
pub struct Attrition {
    names: Vec<String>,
    places: Vec<String>,
    ranking: Vec<usize>,
    advances: Vec<Vec<Advance>>,
    /// The alphabetical rank of each party's name: the order of secret answers.
    alphabet: Vec<usize>,
    /// Whether the setup has a table for the barbarians.
    barbarians_listed: bool,
    start: State,
}

#[derive(Clone)]
struct State {
    parties: Vec<Party>,
    areas: Vec<Area>,
}

#[derive(Clone, Default)]
struct Party {
    stock: i64,
    treasury: i64,
    reserve: i64,
    hand: Vec<String>,
    wait: Wait,
}

#[derive(Clone, Default)]
enum Wait {
    #[default]
    Possible,
    For {
        area: usize,
        own: Vec<usize>,
    },
    Over,
}

#[derive(Clone)]
struct Area {
    limit: i64,
    city: Option<usize>,
    /// Party by party; nothing for one that the area never named.
    tokens: Vec<Option<i64>>,
    ships: Vec<Option<i64>>,
    adjacent: Vec<usize>,
}

/// How it ended.
pub struct Outcome {
    utility: Vec<i64>,
    state: State,
}

#[derive(Clone, Copy)]
enum Removal {
    Token,
    Ship,
    Near(usize),
}

impl Native for Attrition {
    type Outcome = Outcome;

    fn read(setup: &Value) -> Option<Attrition> {
        let setup: Setup = read(setup)?;
        let mut names: Vec<String> = setup.players.keys().cloned().collect();
        let barbarians_listed = setup.players.contains_key("barbarians");
        names.retain(|name| name != "barbarians");
        names.push("barbarians".to_owned());
        let places: Vec<String> = setup.areas.keys().cloned().collect();
        let mut parties = vec![Party::default(); names.len()];
        let mut advances = vec![Vec::new(); names.len()];
        for (name, own) in setup.players {
            let party = place_of(&names, &name);
            advances[party] = own.advances;
            parties[party] = Party {
                stock: own.stock,
                treasury: own.treasury,
                reserve: own.reserve,
                hand: own.hand,
                wait: Wait::Possible,
            };
        }
        let counts = |table: &IndexMap<String, i64>| {
            let mut counts = vec![None; names.len()];
            for (name, number) in table {
                counts[place_of(&names, name)] = Some(*number);
            }
            counts
        };
        let mut areas: Vec<Area> = Vec::new();
        for area in setup.areas.values() {
            let city = area.city.as_ref().map(|name| place_of(&names, name));
            let mut tokens = counts(&area.tokens);
            if let Some(owner) = city {
                tokens[owner].get_or_insert(0);
            }
            let ships = counts(&area.ships);
            areas.push(Area { limit: area.limit, city, tokens, ships, adjacent: Vec::new() });
        }
        for (from, area) in setup.areas.values().enumerate() {
            for name in &area.adjacent {
                let to = place_of(&places, name);
                areas[from].adjacent.push(to);
                areas[to].adjacent.push(from);
            }
        }
        for area in &mut areas {
            area.adjacent.sort_unstable();
            area.adjacent.dedup();
        }
        let before = |name: &String| names.iter().filter(|other| *other < name).count();
        Some(Attrition {
            ranking: setup.ranking.iter().map(|name| place_of(&names, name)).collect(),
            alphabet: names.iter().map(before).collect(),
            names,
            places,
            advances,
            barbarians_listed,
            start: State { parties, areas },
        })
    }

    fn play(&self, asker: &mut Asker) -> Outcome {
        let mut table = Table { rules: self, state: self.start.clone(), asker };
        for &player in &self.ranking {
            if table.state.parties[player].reserve > 0 {
                table.deploy(player);
            }
        }
        for place in 0..self.places.len() {
            if table.state.areas[place].in_conflict() {
                table.fight(place);
            }
        }
        loop {
            let open = table.attacked();
            if open.is_empty() {
                break;
            }
            table.attack_city(&open);
        }
        let state = table.state;
        let worth = |state: &State, player: usize| {
            let tokens = state.areas.iter().map(|area| area.tokens(player)).sum::<i64>();
            let cities = state.areas.iter().filter(|area| area.city == Some(player)).count() as i64;
            let own = &state.parties[player];
            tokens + CITY_VALUE * cities + own.hand.len() as i64 + own.treasury
        };
        let players = 0..self.barbarians();
        let utility = players.map(|player| worth(&state, player) - worth(&self.start, player));
        Outcome { utility: utility.collect(), state }
    }

    fn words(&self, outcome: &Outcome) -> Json {
        let named = |counts: &[Option<i64>]| -> Json {
            let named = counts.iter().zip(&self.names);
            let pairs = named.filter_map(|(count, name)| Some((name.clone(), json!((*count)?))));
            Json::Object(pairs.collect())
        };
        let mut areas = Map::new();
        for (area, place) in outcome.state.areas.iter().zip(&self.places) {
            let line = json!({
                "tokens": named(&area.tokens),
                "city": area.city.map_or("none", |owner| self.names[owner].as_str()),
                "ships": named(&area.ships),
                "surplus": named(&self.surplus(area)),
            });
            areas.insert(place.clone(), line);
        }
        let mut utility = Map::new();
        let mut players = Map::new();
        for (party, own) in outcome.state.parties.iter().enumerate() {
            if party < self.barbarians() {
                utility.insert(self.names[party].clone(), json!(outcome.utility[party]));
            }
            if party < self.barbarians() || self.barbarians_listed {
                let line = json!({
                    "stock": own.stock,
                    "treasury": own.treasury,
                    "cards": own.hand.len(),
                    "hand": own.hand,
                });
                players.insert(self.names[party].clone(), line);
            }
        }
        json!({"result": "resolved", "utility": utility, "areas": areas, "players": players})
    }
}

impl Attrition {
    fn barbarians(&self) -> usize {
        self.names.len() - 1
    }

    fn has(&self, party: usize, advance: Advance) -> bool {
        self.advances[party].contains(&advance)
    }

    /// A22.
    fn surplus(&self, area: &Area) -> Vec<Option<i64>> {
        let mut surplus: Vec<Option<i64>> =
            area.tokens.iter().map(|count| count.map(|_| 0)).collect();
        let there: Vec<usize> = area.present().collect();
        if let [party] = there[..] {
            let more = match area.city {
                Some(owner) => owner == party && self.has(party, Advance::PublicWorks),
                None => area.limit <= 2 && self.has(party, Advance::Agriculture),
            };
            let limit = if area.city.is_some() { CITY_LIMIT } else { area.limit };
            surplus[party] = Some((area.tokens(party) - limit - i64::from(more)).max(0));
        }
        surplus
    }

    /// A19.
    fn engineering(&self, attacker: usize, defender: usize) -> i64 {
        i64::from(self.has(defender, Advance::Engineering))
            - i64::from(self.has(attacker, Advance::Engineering))
    }
}

impl Area {
    fn tokens(&self, party: usize) -> i64 {
        self.tokens[party].unwrap_or(0)
    }

    fn present(&self) -> impl Iterator<Item = usize> {
        (0..self.tokens.len()).filter(|&party| self.tokens(party) > 0)
    }

    /// A1, A6, A7.
    fn in_conflict(&self) -> bool {
        let limit = if self.city.is_some() { 0 } else { self.limit };
        self.present().count() >= 2 && self.tokens.iter().flatten().sum::<i64>() > limit
    }

    /// A7, A11.
    fn attacker(&self) -> Option<usize> {
        self.city.and_then(|owner| self.present().find(|&party| party != owner))
    }
}

struct Table<'a> {
    rules: &'a Attrition,
    state: State,
    asker: &'a mut Asker,
}

impl Table<'_> {
    fn deploy(&mut self, player: usize) {
        for area in &mut self.state.areas {
            let own = &mut self.state.parties[player];
            let number = self.asker.up_to(own.reserve);
            if number > 0 {
                *area.tokens[player].get_or_insert(0) += number;
                own.reserve -= number;
            }
        }
        let own = &mut self.state.parties[player];
        own.stock += std::mem::take(&mut own.reserve);
    }

    /// A4 to A7.
    fn fight(&mut self, place: usize) {
        while self.state.areas[place].in_conflict() {
            for group in self.order(place) {
                let mut picks = Vec::with_capacity(group.len());
                for party in group {
                    if self.state.areas[place].tokens(party) > 0 {
                        picks.push((party, self.removal(party, place)));
                    }
                }
                for (party, removal) in picks {
                    self.remove(party, removal, place);
                }
                if !self.state.areas[place].in_conflict() {
                    return;
                }
            }
        }
    }

    /// A4, A18. Groups of equals, each in the order in which they answer.
    fn order(&self, place: usize) -> Vec<Vec<usize>> {
        let area = &self.state.areas[place];
        let key = |party: usize| (self.rules.has(party, Advance::Metalworking), area.tokens(party));
        let mut parties: Vec<usize> = area.present().collect();
        parties.sort_by_key(|&party| (key(party), self.rules.alphabet[party]));
        parties.chunk_by(|&a, &b| key(a) == key(b)).map(<[usize]>::to_vec).collect()
    }

    /// A20, A21.
    fn removal(&mut self, party: usize, place: usize) -> Removal {
        if self.rules.advances[party].is_empty() {
            return Removal::Token;
        }
        let mut options = vec![Removal::Token];
        let area = &self.state.areas[place];
        if self.rules.has(party, Advance::NavalWarfare) && area.ships[party].unwrap_or(0) > 0 {
            options.push(Removal::Ship);
        }
        if self.rules.has(party, Advance::AdvancedMilitary) {
            let near = area.adjacent.iter();
            let near = near.filter(|&&near| self.state.areas[near].tokens(party) > 0);
            options.extend(near.map(|&near| Removal::Near(near)));
        }
        self.asker.pick(&options)
    }

    /// A5, A13.
    fn remove(&mut self, party: usize, removal: Removal, place: usize) {
        let from = match removal {
            Removal::Token => place,
            Removal::Near(near) => near,
            Removal::Ship => {
                if let Some(ships) = &mut self.state.areas[place].ships[party] {
                    *ships -= 1;
                }
                return;
            }
        };
        if let Some(tokens) = &mut self.state.areas[from].tokens[party] {
            *tokens -= 1;
        }
        self.state.parties[party].stock += 1;
    }

    fn attacked(&self) -> Vec<usize> {
        let areas = &self.state.areas;
        (0..areas.len()).filter(|&place| areas[place].attacker().is_some()).collect()
    }

    /// A8 to A17. One of the cities that are attacked.
    fn attack_city(&mut self, open: &[usize]) {
        let Some(place) = self.next_attack(open) else { return };
        let area = &mut self.state.areas[place];
        let (Some(attacker), Some(defender)) = (area.attacker(), area.city) else { return };
        let engineering = self.rules.engineering(attacker, defender);
        if area.tokens(attacker) < NEEDED + engineering {
            self.state.parties[attacker].stock += area.tokens(attacker);
            area.tokens[attacker] = Some(0);
            if self.rules.has(attacker, Advance::NavalWarfare) && area.ships[attacker].is_some() {
                area.ships[attacker] = Some(0);
            }
            return;
        }
        let becomes = (CITY_TOKENS + engineering).max(0);
        if self.waits(place, defender, becomes) {
            return;
        }
        let own = &mut self.state.parties[defender];
        let number = becomes.min(own.stock);
        own.stock -= number;
        let area = &mut self.state.areas[place];
        area.city = None;
        *area.tokens[defender].get_or_insert(0) += number;
        if area.in_conflict() {
            self.fight(place);
        }
        let barbarians = self.rules.barbarians();
        if attacker != barbarians {
            if defender != barbarians {
                self.draw_card(attacker, defender);
            }
            let own = &mut self.state.parties[attacker];
            let gain = self.asker.up_to(TREASURY_GAIN.min(own.stock));
            own.stock -= gain;
            own.treasury += gain;
        }
    }

    /// A8, A14.
    fn next_attack(&mut self, open: &[usize]) -> Option<usize> {
        for &defender in &self.rules.ranking {
            if let Wait::For { area, own } = &self.state.parties[defender].wait {
                let gone = |&place: &usize| self.state.areas[place].attacker() != Some(defender);
                if own.iter().any(gone) {
                    let area = *area;
                    self.state.parties[defender].wait = Wait::Over;
                    if open.contains(&area) {
                        return Some(area);
                    }
                }
            }
        }
        let barbarians = self.rules.barbarians();
        for &defender in [barbarians].iter().chain(&self.rules.ranking) {
            let cities = open.iter().copied();
            let cities: Vec<usize> = cities
                .filter(|&place| self.state.areas[place].city == Some(defender))
                .filter(|&place| !self.stands_back(place))
                .collect();
            if !cities.is_empty() {
                let first = defender == barbarians;
                return Some(if first { cities[0] } else { self.asker.pick(&cities) });
            }
        }
        None
    }

    fn stands_back(&self, place: usize) -> bool {
        let wait = self.state.areas[place].city.map(|owner| &self.state.parties[owner].wait);
        matches!(wait, Some(Wait::For { area, .. }) if *area == place)
    }

    /// A14.
    fn waits(&mut self, place: usize, defender: usize, becomes: i64) -> bool {
        let own = &self.state.parties[defender];
        if defender == self.rules.barbarians()
            || !matches!(own.wait, Wait::Possible)
            || own.stock >= becomes
        {
            return false;
        }
        let mut own = self.attacked();
        own.retain(|&other| {
            self.state.areas[other].attacker() == Some(defender) && !self.stands_back(other)
        });
        if own.is_empty() || !self.asker.yes() {
            return false;
        }
        self.state.parties[defender].wait = Wait::For { area: place, own };
        true
    }

    /// A16. Equal cards fall as one.
    fn draw_card(&mut self, attacker: usize, defender: usize) {
        let hand = &self.state.parties[defender].hand;
        if hand.is_empty() || !self.asker.yes() {
            return;
        }
        let mut kinds: Vec<(usize, usize)> = Vec::new();
        for (place, card) in hand.iter().enumerate() {
            match kinds.iter_mut().find(|(first, _)| hand[*first] == *card) {
                Some((_, count)) => *count += 1,
                None => kinds.push((place, 1)),
            }
        }
        let mut point = self.asker.roll(hand.len());
        let mut drawn = 0;
        for (place, count) in kinds {
            if point < count {
                drawn = place;
                break;
            }
            point -= count;
        }
        let card = self.state.parties[defender].hand.remove(drawn);
        self.state.parties[attacker].hand.push(card);
    }
}
