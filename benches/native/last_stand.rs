//! The rules of `last_stand` in plain Rust, without a script: morale, stress and the last stand.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fracas::game::{Distribution, Value};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{Asker, Native, place_of, read};

const APPROACHES: [&str; 3] = ["vigor", "intuition", "reason"];
const REASON: usize = 2;
const SKILLS: [&str; 6] = ["influence", "fight", "maneuver", "wilderness", "craft", "resources"];
const TYPES: [&str; 3] = ["physical", "mental", "worldly"];
const SLOTS: [i64; 6] = [1, 1, 1, 2, 2, 3];
const MAX_ROUNDS: usize = 50;

/// By disposition and the attacker's approach: the approach that is forced.
const FORCES: [[usize; 3]; 2] = [[2, 0, 1], [1, 2, 0]];

/// L33. By type of condition and skill: the rating from which a condition fits; 0 never.
const FITS: [[i64; 6]; 3] = [[3, 1, 1, 1, 1, 0], [1, 1, 1, 3, 3, 3], [1, 0, 0, 3, 1, 1]];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    relevant_skill: String,
    #[serde(default)]
    immediate: bool,
    phase: Option<String>,
    teams: Vec<TeamSetup>,
    participants: Vec<PersonSetup>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeamSetup {
    name: String,
    /// What the team wants, in words that no rule reads.
    #[serde(rename = "goal")]
    _goal: Option<String>,
    captain: String,
    #[serde(default)]
    initiating: bool,
    #[serde(default)]
    morale: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonSetup {
    name: String,
    team: String,
    disposition: Option<usize>,
    #[serde(default)]
    approaches: Ratings,
    #[serde(default)]
    skills: HashMap<String, String>,
    free_slots: Option<Vec<i64>>,
    #[serde(default)]
    conditions: Vec<ConditionSetup>,
    #[serde(default)]
    last_stand: Vec<String>,
    #[serde(default)]
    favour: i64,
    #[serde(default)]
    legacies: Ratings,
    #[serde(default)]
    boons: Vec<i64>,
    #[serde(default)]
    banes: Vec<i64>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(default)]
struct Ratings {
    vigor: i64,
    intuition: i64,
    reason: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionSetup {
    r#type: String,
    rating: i64,
}

/// Teams, participants, and the pools of dice that have been weighed.
pub struct LastStand {
    names: Vec<String>,
    teams: Vec<String>,
    skill: usize,
    immediate: bool,
    positioning: bool,
    initiating: usize,
    start: State,
    pools: RefCell<HashMap<(i64, usize, i64), Rc<Distribution>>>,
}

#[derive(Clone)]
struct State {
    people: Vec<Person>,
    teams: Vec<Team>,
    /// Who is in and whose team has not lost.
    active: Vec<usize>,
    order: Vec<usize>,
    traits: Vec<i64>,
    round: usize,
    turn: usize,
    yet: Vec<usize>,
    result: Option<Ending>,
}

#[derive(Clone)]
struct Person {
    team: usize,
    disposition: usize,
    approaches: [i64; 3],
    targets: [i64; 6],
    slots: Vec<i64>,
    conditions: Vec<(usize, i64)>,
    traits: Vec<i64>,
    status: Status,
    doomed: Vec<usize>,
    favour: i64,
    legacies: [i64; 3],
    boons: Vec<i64>,
    banes: Vec<i64>,
}

#[derive(Clone)]
struct Team {
    captain: usize,
    morale: i64,
    lost: bool,
    ahead: i64,
    members: Vec<usize>,
    boons: Vec<i64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Status {
    In,
    Surrendered,
    Perished,
}

#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Won(usize),
    Catastrophe,
    Unresolved,
}

#[derive(Clone, Copy, PartialEq)]
enum Action {
    Attack,
    Group,
    Several,
    OtherSkill,
    Position,
    Surrender,
}

/// A test; without an approach it was none.
#[derive(Clone, Copy)]
struct Test {
    approach: Option<usize>,
    rolled: i64,
    stood: bool,
}

impl Native for LastStand {
    type Outcome = Outcome;

    fn read(setup: &Value) -> Option<LastStand> {
        let setup: Setup = read(setup)?;
        let names: Vec<String> = setup.participants.iter().map(|own| own.name.clone()).collect();
        let team_names: Vec<String> = setup.teams.iter().map(|own| own.name.clone()).collect();
        let people: Vec<Person> =
            setup.participants.iter().map(|own| person(own, &team_names)).collect();
        let teams = setup.teams.iter().enumerate().map(|(number, own)| Team {
            captain: place_of(&names, &own.captain),
            morale: own.morale,
            lost: false,
            ahead: 0,
            members: (0..people.len()).filter(|&name| people[name].team == number).collect(),
            boons: Vec::new(),
        });
        let start = State {
            active: (0..people.len()).collect(),
            teams: teams.collect(),
            people,
            order: (0..team_names.len()).collect(),
            traits: Vec::new(),
            round: 0,
            turn: 0,
            yet: Vec::new(),
            result: None,
        };
        Some(LastStand {
            skill: word(&SKILLS, &setup.relevant_skill),
            immediate: setup.immediate,
            positioning: !setup.immediate && setup.phase.as_deref() != Some("conflict"),
            initiating: setup.teams.iter().position(|own| own.initiating).unwrap_or(0),
            names,
            teams: team_names,
            start,
            pools: RefCell::default(),
        })
    }

    fn play(&self, asker: &mut Asker) -> Outcome {
        let mut table = Table { rules: self, state: self.start.clone(), asker };
        if self.positioning {
            table.positioning();
        }
        table.settle();
        table.go_on();
        while table.state.result.is_none() {
            table.act_one();
        }
        Outcome(table.state)
    }

    fn words(&self, Outcome(state): &Outcome) -> Json {
        let result = match state.result {
            Some(Ending::Won(team)) => self.teams[team].as_str(),
            Some(Ending::Catastrophe) => "catastrophe",
            _ => "unresolved",
        };
        let mut utility = Map::new();
        let mut people = Map::new();
        for (person, name) in state.people.iter().zip(&self.names) {
            let won = state.result == Some(Ending::Won(person.team));
            let number = if person.status == Status::Perished { -1 } else { i64::from(won) };
            utility.insert(name.clone(), json!(number));
            people.insert(name.clone(), person_words(person, &self.teams[person.team]));
        }
        let mut teams = Map::new();
        let mut boons = Map::new();
        for (team, name) in state.teams.iter().zip(&self.teams) {
            let line = json!({
                "morale": team.morale,
                "lost": team.lost,
                "captain": self.names[team.captain],
                "members": team.members.len(),
            });
            teams.insert(name.clone(), line);
            boons.insert(name.clone(), json!(team.boons));
        }
        json!({
            "result": result,
            "utility": utility,
            "teams": teams,
            "people": people,
            "scene": {"traits": state.traits, "boons": boons},
            "rounds": state.round,
        })
    }
}

/// How it ended: the last state.
pub struct Outcome(State);

fn word(words: &[&str], text: &str) -> usize {
    words.iter().position(|word| *word == text).expect("a word of the rules")
}

fn person(own: &PersonSetup, teams: &[String]) -> Person {
    let ratings = |given: Ratings| [given.vigor, given.intuition, given.reason];
    let conditions: Vec<(usize, i64)> =
        own.conditions.iter().map(|given| (word(&TYPES, &given.r#type), given.rating)).collect();
    let mut slots = SLOTS.to_vec();
    for (_, rating) in &conditions {
        if let Some(place) = slots.iter().position(|slot| slot == rating) {
            slots.remove(place);
        }
    }
    Person {
        team: place_of(teams, &own.team),
        disposition: own.disposition.unwrap_or(1) - 1,
        approaches: ratings(own.approaches),
        targets: SKILLS.map(|skill| match own.skills.get(skill).map(String::as_str) {
            Some("trained") => 5,
            Some("expert") => 4,
            Some("master") => 3,
            _ => 6,
        }),
        slots: own.free_slots.clone().unwrap_or(slots),
        conditions,
        traits: Vec::new(),
        status: Status::In,
        doomed: own.last_stand.iter().map(|text| word(&APPROACHES, text)).collect(),
        favour: own.favour,
        legacies: ratings(own.legacies),
        boons: own.boons.clone(),
        banes: own.banes.clone(),
    }
}

fn person_words(person: &Person, team: &str) -> Json {
    let [vigor, intuition, reason] = person.legacies;
    let typed = person.conditions.iter();
    let typed: Vec<Json> =
        typed.map(|&(kind, rating)| json!({"type": TYPES[kind], "rating": rating})).collect();
    json!({
        "status": match person.status {
            Status::In => "in",
            Status::Surrendered => "surrendered",
            Status::Perished => "perished",
        },
        "last_stand": !person.doomed.is_empty(),
        "doomed": person.doomed.iter().map(|&approach| APPROACHES[approach]).collect::<Vec<_>>(),
        "favour": person.favour,
        "conditions": person.conditions.iter().map(|&(_, rating)| rating).collect::<Vec<_>>(),
        "typed_conditions": typed,
        "free_slots": person.slots,
        "team": team,
        "traits": person.traits,
        "preparations": [],
        "legacies": {"vigor": vigor, "intuition": intuition, "reason": reason},
        "boons": person.boons,
        "banes": person.banes,
    })
}

/// The probability of each number of successes, one die after another. Of a pool of `n` dice with
/// `m` faces, `k` successes have a weight over `m` to the power of `n + k` where dice explode.
fn weigh(dice: i64, approach: usize, target: i64) -> Distribution {
    // How many faces fail, and how many succeed and end it.
    let (faces, fails, explodes) = match approach {
        0 => (6, target - 1, true),
        1 => (5, target - 2, false),
        _ => (6, target - 1, false),
    };
    let succeeds = faces - fails - i64::from(explodes);
    let whole = |number: i64| BigUint::from(number as u64);
    // A die that has exploded once has the same weights over the same powers, one success further.
    let die = if explodes {
        let mut die = vec![whole(succeeds * faces + fails); dice as usize + 40];
        die[0] = whole(fails);
        die
    } else {
        vec![whole(fails), whole(succeeds)]
    };
    let terms = if explodes { die.len() } else { dice as usize + 1 };
    let mut pool = vec![BigUint::one()];
    for _ in 0..dice {
        let mut more = vec![BigUint::zero(); terms.min(pool.len() + die.len() - 1)];
        for (a, one) in pool.iter().enumerate() {
            for (b, other) in die.iter().take(terms - a).enumerate() {
                more[a + b] += one * other;
            }
        }
        pool = more;
    }
    if explodes {
        // The cut: the first number that is passed less often than 1 in 2 to the power of 40.
        let mut total = whole(faces).pow(dice as u32);
        let mut sum = BigUint::zero();
        for k in 0..pool.len() {
            sum += &pool[k];
            if (&total - &sum) << 40u8 < total {
                pool.truncate(k + 1);
                for (lower, weight) in pool.iter_mut().enumerate() {
                    *weight *= whole(faces).pow((k - lower) as u32);
                }
                pool[k] += &total - &sum;
                break;
            }
            sum *= whole(faces);
            total *= whole(faces);
        }
    }
    Distribution::new((0..).map(Value::Int).zip(pool)).expect("some number falls")
}

struct Table<'a> {
    rules: &'a LastStand,
    state: State,
    asker: &'a mut Asker,
}

impl Table<'_> {
    /// L2 to L7.
    fn positioning(&mut self) {
        let first = self.rules.initiating;
        let mut teams: Vec<usize> = (0..self.state.teams.len()).collect();
        teams.retain(|&team| team != first);
        teams.insert(0, first);
        let mut declared = vec![0; teams.len()];
        for &team in &teams {
            let approach = self.asker.index(3);
            let captain = self.state.teams[team].captain;
            declared[team] = approach;
            self.state.teams[team].morale = self.state.people[captain].approaches[approach];
        }
        let mut mark = 0;
        let mut gains = Vec::new();
        for &team in &teams {
            for name in self.state.teams[team].members.clone() {
                let captain = self.state.teams[team].captain;
                let skill = self.other_skill();
                let approach = if name == captain { declared[team] } else { self.asker.index(3) };
                let rolled = self.test(name, approach, skill, 0, &[]).rolled;
                if name == captain {
                    self.state.teams[team].ahead = rolled;
                    if team == first {
                        mark = rolled;
                    }
                }
                let leader = self.state.teams[first].captain;
                let forced = self.forces(leader, declared[first], approach);
                let stopped = team != first && forced && rolled < mark;
                if rolled > 0 && !stopped {
                    self.state.teams[team].morale += rolled;
                    gains.push((name, rolled, approach));
                }
            }
        }
        for (name, rating, approach) in gains {
            self.take_benefit(name, rating, approach);
        }
        let state = &mut self.state;
        teams.sort_by_key(|&team| (-state.teams[team].ahead, -state.teams[team].morale));
        state.order = teams;
    }

    fn other_skill(&mut self) -> usize {
        let place = self.asker.index(SKILLS.len() - 1);
        if place < self.rules.skill { place } else { place + 1 }
    }

    fn forces(&self, attacker: usize, approach: usize, defence: usize) -> bool {
        FORCES[self.state.people[attacker].disposition][approach] == defence
    }

    /// L6.
    fn take_benefit(&mut self, name: usize, rating: i64, approach: usize) {
        let team = self.state.people[name].team;
        match self.asker.index(4) {
            0 => self.state.traits.push(rating),
            1 => {
                let members = &self.state.teams[team].members;
                match members.get(self.asker.index(members.len() + 1)) {
                    Some(&bearer) => self.state.people[bearer].boons.push(rating),
                    None => self.state.teams[team].boons.push(rating),
                }
            }
            2 => {
                let bearer = self.asker.pick(&self.opponents(team));
                self.state.people[bearer].banes.push(rating);
            }
            _ => match approach {
                0 => self.state.teams[team].morale += rating,
                1 => self.state.teams[team].ahead += rating,
                _ => {}
            },
        }
    }

    fn opponents(&self, team: usize) -> Vec<usize> {
        let active = self.state.active.iter().copied();
        active.filter(|&name| self.state.people[name].team != team).collect()
    }

    fn free_approaches(&self, names: &[usize]) -> Vec<usize> {
        let doomed =
            |approach| names.iter().any(|&name| self.state.people[name].doomed.contains(&approach));
        (0..3).filter(|&approach| !doomed(approach)).collect()
    }

    /// A whole test.
    fn test(
        &mut self,
        name: usize,
        approach: usize,
        skill: usize,
        extra: i64,
        against: &[usize],
    ) -> Test {
        let stood = !self.state.people[name].doomed.is_empty();
        let mut dice = self.state.people[name].approaches[approach] + extra;
        dice += self.boon(name) + self.bane(against);
        let mut rolled = 0;
        if dice > 0 {
            let target = self.state.people[name].targets[skill];
            rolled = self.throw(dice, approach, target);
            if approach == REASON && self.asker.yes() {
                rolled = self.throw(dice, approach, target);
            }
            while rolled < dice && self.state.people[name].favour > 0 && self.asker.yes() {
                self.state.people[name].favour -= 1;
                rolled += self.throw(1, approach, target);
            }
        }
        Test { approach: Some(approach), rolled, stood }
    }

    fn throw(&mut self, dice: i64, approach: usize, target: i64) -> i64 {
        let key = (dice, approach, target);
        let pool = self.rules.pools.borrow().get(&key).cloned();
        let pool = pool.unwrap_or_else(|| {
            let pool = Rc::new(weigh(dice, approach, target));
            self.rules.pools.borrow_mut().insert(key, pool.clone());
            pool
        });
        // Every number from 0 on can fall, so its place is the number.
        self.asker.fall(&pool) as i64
    }

    /// L31.
    fn boon(&mut self, name: usize) -> i64 {
        let team = self.state.people[name].team;
        let own = use_one(&mut self.state.people[name].boons, self.asker);
        own.or_else(|| use_one(&mut self.state.teams[team].boons, self.asker)).unwrap_or(0)
    }

    /// L32.
    fn bane(&mut self, against: &[usize]) -> i64 {
        for &bearer in against {
            if let Some(dice) = use_one(&mut self.state.people[bearer].banes, self.asker) {
                return dice;
            }
        }
        0
    }

    /// L9.
    fn act_one(&mut self) {
        let name = self.asker.pick(&self.state.yet);
        self.state.yet.retain(|&other| other != name);
        let team = self.state.people[name].team;
        let opponents = self.opponents(team);
        match self.action(name, &opponents) {
            Action::Attack => {
                let target = self.asker.pick(&opponents);
                self.exchange(Action::Attack, self.rules.skill, &[name], &[target]);
            }
            Action::Group => {
                let target = self.asker.pick(&opponents);
                let attackers = self.name_allies(name);
                self.state.yet.retain(|other| !attackers.contains(other));
                self.exchange(Action::Group, self.rules.skill, &attackers, &[target]);
            }
            Action::Several => {
                let targets = self.name_targets(opponents);
                self.exchange(Action::Several, self.rules.skill, &[name], &targets);
            }
            Action::Surrender => self.surrender(name),
            other => {
                let target = self.asker.pick(&opponents);
                let skill = self.other_skill();
                self.exchange(other, skill, &[name], &[target]);
            }
        }
        self.settle();
        self.go_on();
    }

    fn action(&mut self, name: usize, opponents: &[usize]) -> Action {
        if self.state.people[name].doomed.len() == APPROACHES.len() {
            return Action::Surrender;
        }
        let mut actions = vec![Action::Attack];
        if !self.allies(&[name]).is_empty() {
            actions.push(Action::Group);
        }
        if opponents.len() >= 2 {
            actions.push(Action::Several);
        }
        actions.push(Action::OtherSkill);
        if !self.rules.immediate {
            actions.push(Action::Position);
        }
        actions.push(Action::Surrender);
        self.asker.pick(&actions)
    }

    fn allies(&self, named: &[usize]) -> Vec<usize> {
        let mut together = named.to_vec();
        let mut allies = Vec::new();
        for &name in &self.state.yet {
            together.push(name);
            if !named.contains(&name) && !self.free_approaches(&together).is_empty() {
                allies.push(name);
            }
            together.pop();
        }
        allies
    }

    fn name_allies(&mut self, name: usize) -> Vec<usize> {
        let mut attackers = vec![name];
        loop {
            let allies = self.allies(&attackers);
            let done = usize::from(attackers.len() > 1);
            match allies.get(self.asker.index(allies.len() + done)) {
                Some(&ally) => attackers.push(ally),
                None => return attackers,
            }
        }
    }

    fn name_targets(&mut self, mut left: Vec<usize>) -> Vec<usize> {
        let mut targets = Vec::new();
        loop {
            let done = usize::from(targets.len() >= 2);
            let place = self.asker.index(left.len() + done);
            if place == left.len() {
                return targets;
            }
            targets.push(left.remove(place));
        }
    }

    /// L10 to L16, L30.
    fn exchange(&mut self, action: Action, skill: usize, attackers: &[usize], targets: &[usize]) {
        let mut tests: Vec<Option<Test>> = vec![None; self.state.people.len()];
        let shared = if attackers.len() > 1 {
            let free = self.free_approaches(attackers);
            Some(self.asker.pick(&free))
        } else {
            None
        };
        for &name in attackers {
            let approach = shared.unwrap_or_else(|| {
                let free = self.free_approaches(&[name]);
                self.asker.pick(&free)
            });
            tests[name] = Some(self.test(name, approach, skill, 0, targets));
        }
        for &name in targets {
            let free = self.free_approaches(&[name]);
            tests[name] = Some(if free.is_empty() {
                Test { approach: None, rolled: 0, stood: true }
            } else {
                let approach = self.asker.pick(&free);
                self.test(name, approach, skill, attackers.len() as i64 - 1, attackers)
            });
        }
        let no_test = Test { approach: None, rolled: 0, stood: false };
        let tests: Vec<Test> = tests.into_iter().map(|test| test.unwrap_or(no_test)).collect();
        self.resolve(action, skill, attackers, targets, &tests);
    }

    fn resolve(
        &mut self,
        action: Action,
        skill: usize,
        attackers: &[usize],
        targets: &[usize],
        tests: &[Test],
    ) {
        let team = self.state.people[attackers[0]].team;
        // L11, L13, L14, L33.
        let mut failed = Vec::new();
        let mut losses = Vec::new();
        let mut defences = vec![0; targets.len()];
        let mut attack = 0;
        for &attacker in attackers {
            let mut best = 0;
            for (place, &target) in targets.iter().enumerate() {
                let ours = self.counted(tests[attacker].rolled, target, skill);
                let theirs = match tests[target].approach {
                    Some(_) => self.counted(tests[target].rolled, attacker, skill),
                    None => 0,
                };
                if theirs > ours {
                    losses.push((attacker, target, theirs - ours));
                    if !failed.contains(&attacker) {
                        failed.push(attacker);
                    }
                }
                best = best.max(ours);
                defences[place] = defences[place].max(theirs);
            }
            attack += best;
        }
        let strike = (attack - defences.iter().sum::<i64>()).max(0);
        // L12.
        let mut forced = Vec::new();
        if strike > 0 {
            for &target in targets {
                let Some(defence) = tests[target].approach else { continue };
                failed.push(target);
                let forces = |&attacker: &usize| {
                    tests[attacker].approach.is_some_and(|own| self.forces(attacker, own, defence))
                };
                if attackers.iter().any(forces) {
                    forced.push(target);
                }
            }
        }
        // L15.
        let mut stress = strike > 0 && action != Action::Position;
        let mut morale = stress;
        if stress && action == Action::OtherSkill {
            stress = self.rules.immediate || self.asker.yes();
            morale = !stress;
        }
        // L34.
        for name in failed {
            self.state.people[name].favour += tests[name].rolled;
        }
        // L22, L25.
        let mut causes = Vec::new();
        let mut breakers = Vec::new();
        for (attacker, target, loss) in losses {
            if self.lose(team, loss) {
                causes.push(attacker);
                breakers.push(target);
            }
        }
        if morale {
            let mut struck: Vec<usize> = Vec::new();
            for &target in targets {
                let loser = self.state.people[target].team;
                if struck.contains(&loser) {
                    continue;
                }
                struck.push(loser);
                let own: Vec<usize> = targets
                    .iter()
                    .copied()
                    .filter(|&other| self.state.people[other].team == loser)
                    .collect();
                let all = own.iter().any(|other| forced.contains(other));
                if self.lose(loser, if all { attack } else { strike }) {
                    causes.extend(own);
                    breakers.extend(attackers);
                }
            }
        }
        // L16.
        if action == Action::Position && strike > 0 {
            let gain = if forced.is_empty() { strike } else { attack };
            self.state.teams[team].morale += gain;
            if let Some(approach) = tests[attackers[0]].approach {
                self.take_benefit(attackers[0], gain, approach);
            }
        }
        // L20, L21, L24.
        let mut left = Vec::new();
        if stress {
            let mut overwhelmed = Vec::new();
            for &target in targets {
                if !self.state.people[target].doomed.is_empty() {
                    self.leave(target, Status::Perished);
                    left.push(target);
                } else if self.suffer(target, strike) {
                    overwhelmed.push(target);
                }
            }
            for name in overwhelmed {
                if self.asker.yes() {
                    self.leave(name, Status::Surrendered);
                    left.push(name);
                } else if let Some(approach) = tests[name].approach {
                    self.enter_last_stand(name, approach);
                }
            }
        }
        // L22.
        for &name in attackers.iter().chain(targets) {
            let Some(approach) = tests[name].approach else { continue };
            if causes.contains(&name)
                && self.state.people[name].status == Status::In
                && (!self.state.people[name].doomed.is_empty() || self.asker.yes())
            {
                self.enter_last_stand(name, approach);
            }
        }
        // L18, L25.
        let left: Vec<usize> = targets.iter().copied().filter(|name| left.contains(name)).collect();
        if self.pay_for_leaving(&left) {
            breakers.extend(attackers);
        }
        for (name, test) in tests.iter().enumerate() {
            let Some(approach) = test.approach else { continue };
            let own = &mut self.state.people[name];
            if breakers.contains(&name) && test.stood && own.status == Status::In {
                own.legacies[approach] += 1;
            }
        }
    }

    /// L33.
    fn counted(&self, rolled: i64, bearer: usize, skill: usize) -> i64 {
        let conditions = self.state.people[bearer].conditions.iter();
        let fitting = conditions.filter(|&&(kind, rating)| {
            let from = FITS[kind][skill];
            from > 0 && rating >= from
        });
        fitting.map(|&(_, rating)| rating).fold(rolled, i64::max)
    }

    /// L17. Whether the team fell to 0.
    fn lose(&mut self, team: usize, amount: i64) -> bool {
        let team = &mut self.state.teams[team];
        if self.rules.immediate || amount == 0 || team.morale == 0 {
            return false;
        }
        team.morale = (team.morale - amount).max(0);
        team.morale == 0
    }

    /// L20, L21. Whether somebody is overwhelmed.
    fn suffer(&mut self, name: usize, stress: i64) -> bool {
        let slots = &self.state.people[name].slots;
        let mut options: Vec<i64> = slots.iter().copied().filter(|&slot| slot >= stress).collect();
        options.sort_unstable();
        options.dedup();
        let overwhelmed = options.is_empty();
        let rating = if overwhelmed {
            slots.iter().copied().max().unwrap_or(0)
        } else {
            self.asker.pick(&options)
        };
        let own = &mut self.state.people[name];
        if let Some(place) = own.slots.iter().position(|&slot| slot == rating) {
            own.slots.remove(place);
            own.conditions.push((self.asker.index(TYPES.len()), rating));
        }
        if overwhelmed {
            own.traits.push(stress - rating);
        }
        overwhelmed
    }

    /// L23.
    fn enter_last_stand(&mut self, name: usize, approach: usize) {
        let own = &mut self.state.people[name];
        if !own.doomed.contains(&approach) {
            own.doomed.push(approach);
            own.favour += own.approaches[approach];
        }
    }

    /// L18, L25.
    fn leave(&mut self, name: usize, status: Status) {
        let own = &mut self.state.people[name];
        own.status = status;
        if status == Status::Perished {
            own.legacies = [0; 3];
        }
        self.state.teams[own.team].members.retain(|&other| other != name);
        self.state.active.retain(|&other| other != name);
        self.state.yet.retain(|&other| other != name);
    }

    /// L18. Whether a team fell to 0.
    fn pay_for_leaving(&mut self, left: &[usize]) -> bool {
        let mut broken = false;
        for &name in left {
            let team = self.state.people[name].team;
            let captain = self.state.teams[team].captain == name;
            let remaining = self.state.teams[team].members.len();
            broken |= self.lose(team, if captain { remaining as i64 } else { 1 });
            if captain && remaining > 0 {
                let team = &mut self.state.teams[team];
                team.captain = self.asker.pick(&team.members);
            }
        }
        broken
    }

    /// L19.
    fn surrender(&mut self, name: usize) {
        let free = self.free_approaches(&[name]);
        if !self.rules.immediate && !free.is_empty() {
            let approach = self.asker.pick(&free);
            let rolled = self.test(name, approach, self.rules.skill, 0, &[]).rolled;
            self.lose(self.state.people[name].team, rolled);
        }
        self.leave(name, Status::Surrendered);
        self.pay_for_leaving(&[name]);
    }

    /// L26 to L29.
    fn settle(&mut self) {
        while let Some(team) = (0..self.state.teams.len())
            .find(|&team| !self.state.teams[team].lost && self.loses(team))
        {
            self.state.teams[team].lost = true;
            let people = &self.state.people;
            self.state.active.retain(|&name| people[name].team != team);
            self.state.yet.retain(|&name| people[name].team != team);
        }
        let teams = self.state.teams.iter().enumerate();
        let left: Vec<usize> = teams.filter(|(_, team)| !team.lost).map(|(at, _)| at).collect();
        match left[..] {
            [] => {
                for person in &mut self.state.people {
                    if person.status == Status::In {
                        person.doomed.clear();
                    }
                }
                self.state.result = Some(Ending::Catastrophe);
            }
            [team] => {
                for &name in &self.state.teams[team].members {
                    self.state.people[name].doomed.clear();
                }
                self.state.result = Some(Ending::Won(team));
            }
            _ => {}
        }
    }

    fn loses(&self, team: usize) -> bool {
        let own = &self.state.teams[team];
        if own.members.is_empty() {
            return true;
        }
        if self.rules.immediate || own.morale > 0 {
            return false;
        }
        let stands = |&name: &usize| !self.state.people[name].doomed.is_empty();
        !own.members.iter().any(stands) || self.opponents(team).is_empty()
    }

    /// L7, L9.
    fn go_on(&mut self) {
        while self.state.result.is_none() && self.state.yet.is_empty() {
            self.state.turn += 1;
            if self.state.round == 0 || self.state.turn == self.state.order.len() {
                self.state.turn = 0;
                if self.state.round == MAX_ROUNDS {
                    self.state.result = Some(Ending::Unresolved);
                    return;
                }
                self.state.round += 1;
                let teams = &self.state.teams;
                self.state.order.sort_by_key(|&team| -teams[team].ahead);
            }
            let team = &self.state.teams[self.state.order[self.state.turn]];
            if !team.lost {
                self.state.yet.clone_from(&team.members);
            }
        }
    }
}

/// Asks for each until one is used, which is then gone.
fn use_one(ratings: &mut Vec<i64>, asker: &mut Asker) -> Option<i64> {
    let place = (0..ratings.len()).find(|_| asker.yes())?;
    Some(ratings.remove(place))
}
