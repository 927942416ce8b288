//! A conflict for programs in any language: requests and replies as lines of JSON, as `scripts/protocol.md` lays down.

mod game;
mod request;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

use indexmap::IndexMap;
use num_traits::ToPrimitive;
use serde::Serialize;
use serde_json::Value as Json;

use game::ServedGame;
use request::{Refusal, Request, RequestKind, Start, UniqueKeys};

use crate::agents::{AskedDecision, CompiledAgents, HUMAN, SharedThinking, unread};
use crate::analysis::{Effort, Odds, OpenDecision, Prospects, Seeking};
use crate::catalog::{Catalog, REFUSED_PROGRAM, Scenario, names_program};
use crate::conflict::{Changes, Conflict, Players, Seating};
use crate::error::Error;
use crate::game::{Generator, Question, Value};
use crate::graph::SeatedAgents;
use crate::report::{ErrorReport, Failed};
use crate::rulebook::Rulebook;
use crate::script::{Limits, ONE_OF};

/// The version of the protocol. A client of another one must not go by what it knows.
const PROTOCOL: u32 = 1;

/// A client keeps at most this many games.
const GAMES: usize = 10_000;

/// The widest that the rulebook is written, in columns.
const WIDTH: usize = 100;

/// Plays a conflict with one client, in as many games as it likes.
pub(crate) struct Server<'a> {
    catalog: &'a Catalog,
    scenario: Scenario,
    changes: Changes,
    limits: Limits,
    /// The seed of games for which none is named.
    seed: u64,
    threads: usize,
    served: Rc<ServedConflict>,
    games: BTreeMap<u64, ServedGame>,
}

/// A conflict as the last reset asked for it.
struct ServedConflict {
    conflict: Conflict,
    players: Players,
    /// Each player for whom the host answers, with the word of the agent.
    hosted: IndexMap<String, String>,
    shared: SharedThinking,
    compiled: CompiledAgents,
}

impl ServedConflict {
    fn new(conflict: Conflict) -> Result<ServedConflict, Error> {
        let players = Players::find(&conflict)?;
        let mut hosted = IndexMap::new();
        for (seat, agent) in &conflict.changes.seats {
            for player in players.of_seat(seat)? {
                hosted.shift_remove(&player);
                if agent != HUMAN {
                    conflict.agent(agent)?.check(&conflict.blueprint)?;
                    hosted.insert(player, agent.clone());
                }
            }
        }
        let (blueprint, setup) = (conflict.blueprint.clone(), conflict.setup.clone());
        let shared = SharedThinking::alone(blueprint, setup, &conflict.scenario.name);
        let compiled = CompiledAgents::default();
        Ok(ServedConflict { conflict, players, hosted, shared, compiled })
    }

    fn hosts(&self, player: &str) -> bool {
        self.hosted.contains_key(player)
    }

    fn seats(&self, seed: u64) -> Result<SeatedAgents, Error> {
        let mut seats = SeatedAgents::new(Generator::playout(seed, 0));
        for (player, word) in &self.hosted {
            let agent = self.conflict.agent(word)?.agent(&self.shared, &self.compiled)?;
            seats = seats.seat(player, agent);
        }
        Ok(seats)
    }
}

#[derive(Serialize)]
struct GamePlace {
    game: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<String>,
    #[serde(flatten)]
    next: NextTurn,
}

#[derive(Serialize)]
#[serde(tag = "turn", rename_all = "lowercase")]
enum NextTurn {
    Decision(AskedDecision),
    Chance {
        roller: String,
        roll: String,
        options: Vec<Value>,
        chances: Vec<f64>,
        fractions: Vec<String>,
    },
    Over {
        outcome: Value,
    },
}

#[derive(Serialize)]
struct Hello<'a> {
    protocol: u32,
    fracas: &'static str,
    system: &'a str,
    scenario: &'a str,
    identity: String,
    players: Vec<&'a str>,
    sides: &'a IndexMap<String, Vec<String>>,
    hosted: &'a IndexMap<String, String>,
    house: &'a [String],
    params: Cow<'a, IndexMap<String, Value>>,
    setup: &'a Value,
    /// The answers after which a game begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    begin: Vec<String>,
    hides: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rulebook: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goes {
    On,
    Closed,
}

impl<'a> Server<'a> {
    pub(crate) fn new(
        catalog: &'a Catalog,
        scenario: &str,
        changes: Changes,
        limits: Limits,
        (seed, threads): (u64, usize),
    ) -> Result<Server<'a>, Error> {
        let scenario = catalog.scenario(scenario)?;
        let conflict = Conflict::of(catalog, scenario.clone(), &changes, &limits)?;
        let served = Rc::new(ServedConflict::new(conflict)?);
        let games = BTreeMap::new();
        Ok(Server { catalog, scenario, changes, limits, seed, threads, served, games })
    }

    pub(crate) fn conflict(&self) -> &Conflict {
        &self.served.conflict
    }

    /// Answers a line: a request, or a list of them. Nothing in it ends the program.
    pub(crate) fn line(&mut self, line: &str, to: &mut impl Write) -> io::Result<Goes> {
        let mut goes = Goes::On;
        match serde_json::from_str(line).map(|UniqueKeys(json)| json) {
            Ok(Json::Array(requests)) => {
                to.write_all(b"[")?;
                for (at, request) in requests.into_iter().enumerate() {
                    if at > 0 {
                        to.write_all(b",")?;
                    }
                    goes = self.request(request, to)?;
                    if goes == Goes::Closed {
                        break;
                    }
                }
                to.write_all(b"]")?;
            }
            Ok(request) => goes = self.request(request, to)?,
            Err(error) => refuse(no_json(&error), None, to)?,
        }
        to.write_all(b"\n")?;
        to.flush()?;
        Ok(goes)
    }

    /// Answers a line that could not be read.
    pub(crate) fn refuse(error: Error, to: &mut impl Write) -> io::Result<()> {
        refuse(error.into(), None, to)?;
        to.write_all(b"\n")?;
        to.flush()
    }

    fn request(&mut self, request: Json, to: &mut impl Write) -> io::Result<Goes> {
        let id = request.get("id").cloned();
        let mut goes = Goes::On;
        let replied = Request::read(request).and_then(|request| {
            if matches!(request.wanted, RequestKind::Close { game: None }) {
                goes = Goes::Closed;
            }
            self.reply(request)
        });
        match replied {
            Ok(reply) => write(&reply, id, to)?,
            Err(refusal) => refuse(refusal, id, to)?,
        }
        Ok(goes)
    }

    fn reply(&mut self, request: Request) -> Result<Vec<u8>, Refusal> {
        let Request { game: number, shows, wanted } = request;
        match wanted {
            RequestKind::Hello { rulebook } => self.hello(rulebook),
            RequestKind::Reset(start) => {
                self.has_room(number)?;
                let served = self.served_for(&start)?;
                let how = (start.seed.unwrap_or(self.seed), start.asks_chance);
                let game = ServedGame::after(&served, how, Vec::new())?;
                self.served = served;
                self.games.insert(number, game);
                self.place(number, shows)
            }
            RequestKind::Ask => self.place(number, shows),
            RequestKind::Answer(pick) => {
                self.game(number)?.answer(pick)?;
                self.place(number, shows)
            }
            RequestKind::Clone { to, seed } => {
                self.has_room(to)?;
                let fork = self.game(number)?.fork(seed)?;
                self.games.insert(to, fork);
                self.place(to, shows)
            }
            RequestKind::Undo { n } => {
                self.game(number)?.undo(n)?;
                self.place(number, shows)
            }
            RequestKind::View { player } => {
                let game = self.game(number)?;
                let player = match (player, game.question()) {
                    (Some(player), _) => player,
                    (None, Some(Question::Decision(decision, _))) => decision.player.to_owned(),
                    _ => return Err(Refusal::at("player", "nobody is asked: name a `player`")),
                };
                let Players { names, certain, .. } = &game.of.players;
                if *certain && !names.contains(&player) {
                    let known = names.iter().map(String::as_str);
                    return Err(Refusal::of("player", Error::unknown_player(&player, known)));
                }
                written("view", &game.view(&player)?)
            }
            RequestKind::Picture => written("picture", &self.game(number)?.picture()?),
            RequestKind::Outcome => written("outcome", &self.game(number)?.outcome()),
            RequestKind::Odds { here, revealed, float, n, seed } => {
                let threads = self.threads;
                let game = self.game(number)?;
                // On the graph of the agents who think ahead: what one request explored the next one knows.
                let seating = Seating::at(&game.of.conflict, game.of.shared.graph.clone())?;
                if !here {
                    let seeking = Seeking { float, threads, nodes: u64::MAX };
                    return written("odds", &Odds::find(&seating, seeking, &|_| ())?);
                }
                let Some(Question::Decision(decision, _)) = game.question() else {
                    return Err(Refusal::at("here", "no player is asked now"));
                };
                let history = game.history()?;
                let (who, name) = (decision.player, decision.name);
                let place = OpenDecision { history: &history, who, name, revealed };
                let effort =
                    Effort { float, threads, nodes: NODES, n, seed, time: None, work: u64::MAX };
                written("odds", &Prospects::find(&seating, place, effort, &|_| ())?)
            }
            RequestKind::Close { game } => {
                if let Some(number) = game {
                    self.game(number)?;
                    self.games.remove(&number);
                }
                written("closed", &true)
            }
        }
    }

    fn hello(&self, rulebook: bool) -> Result<Vec<u8>, Refusal> {
        let ServedConflict { conflict, players, hosted, .. } = &*self.served;
        let rulebook = match rulebook {
            true => Some(crate::report::text(
                &Rulebook::under(&conflict.folder, &conflict.rules)?.blocks(),
                WIDTH,
                true,
            )),
            false => None,
        };
        let hello = Hello {
            protocol: PROTOCOL,
            fracas: env!("CARGO_PKG_VERSION"),
            system: &conflict.scenario.system,
            scenario: &conflict.scenario.name,
            identity: conflict.blueprint.identity(&conflict.setup),
            players: players.names.iter().map(String::as_str).collect(),
            sides: &players.sides,
            hosted,
            house: conflict.rules.house(),
            params: conflict.rules.params_by_conflict(),
            setup: &conflict.setup.value,
            begin: conflict.setup.begin.entries.iter().map(ToString::to_string).collect(),
            hides: conflict.rules.means_to_hide(),
            rulebook,
        };
        written("hello", &hello)
    }

    /// The conflict that a reset asks for: that of the last one, where nothing else differs from the command line.
    fn served_for(&self, start: &Start) -> Result<Rc<ServedConflict>, Refusal> {
        if let Some((seat, program)) = start.seats.iter().find(|(_, agent)| names_program(agent)) {
            let message = format!("`{program}` {REFUSED_PROGRAM}");
            return Err(Refusal::at(format!("seats.{seat}"), message));
        }
        if let Some(setup) = &start.setup {
            if self.scenario.campaign.is_some() {
                return Err(Refusal::at("setup", "a campaign makes its setups itself"));
            }
            if setup.as_map().is_none() {
                let message = format!("`setup` must be an object, got {}", setup.kind());
                return Err(Refusal::at("setup", message));
            }
        }
        self.opened(start, usize::MAX).map_err(|error| {
            // Of the first parts that do not open, the last one is wrong.
            let places = start.places();
            let opens = |count: &usize| self.opened(start, *count).is_ok();
            let counts: Vec<usize> = (1..=places.len()).collect();
            let place = places.into_iter().nth(counts.partition_point(opens));
            Refusal { error, place }
        })
    }

    /// The conflict with the first parts of what a reset asks for.
    fn opened(&self, start: &Start, parts: usize) -> Result<Rc<ServedConflict>, Error> {
        let Start { house, params, seats, setup, .. } = start;
        let mut left = parts;
        let mut part = |of: usize| {
            let taken = of.min(left);
            left -= taken;
            taken
        };
        let mut changes = self.changes.clone();
        changes.house.extend(house[..part(house.len())].iter().cloned());
        changes.params.extend(params[..part(params.len())].iter().cloned());
        let mut scenario = self.scenario.clone();
        if let Some(setup) = setup.iter().take(part(setup.iter().count())).next() {
            // The file no longer has what it had.
            let setup = laid_over(scenario.setup, setup);
            scenario = Scenario { setup, document: None, ..scenario };
        }
        changes.seats.extend(seats[..part(seats.len())].iter().cloned());
        let Conflict { changes: last, setup: lasts, .. } = &self.served.conflict;
        let same = |a: &Changes, b: &Changes| {
            let params = |changes: &Changes| -> Vec<(String, String)> {
                let one = |one: &crate::catalog::Setting| (one.name.clone(), one.value.literal());
                changes.params.iter().map(one).collect()
            };
            (&a.house, &a.seats, params(a)) == (&b.house, &b.seats, params(b))
        };
        if same(&changes, last) && *lasts.value == scenario.setup {
            return Ok(self.served.clone());
        }
        let conflict = Conflict::of(self.catalog, scenario, &changes, &self.limits)?;
        Ok(Rc::new(ServedConflict::new(conflict)?))
    }

    fn game(&mut self, number: u64) -> Result<&mut ServedGame, Refusal> {
        self.games.get_mut(&number).ok_or_else(|| {
            Refusal::at("game", format!("there is no game {number}: `reset` begins one"))
        })
    }

    fn has_room(&self, number: u64) -> Result<(), Refusal> {
        if self.games.len() >= GAMES && !self.games.contains_key(&number) {
            let message = format!("{GAMES} games are kept at most: `close` one of them");
            return Err(Refusal::at("game", message));
        }
        self.limits.budget.may_continue().map_err(|cut| Error::from(cut).into())
    }

    fn place(&mut self, number: u64, shows: bool) -> Result<Vec<u8>, Refusal> {
        let game = self.game(number)?;
        let events = std::mem::take(&mut game.events);
        let next = match (game.question(), game.outcome()) {
            (Some(Question::Decision(decision, part)), _) => {
                let rules = shows.then_some(&*game.of.conflict.rules);
                NextTurn::Decision(AskedDecision::of(&decision, part, rules)?)
            }
            (Some(Question::Chance(chance)), _) => {
                let all = chance.distribution.values();
                let exact = (0..all.len()).map(|at| chance.distribution.probability(at));
                let (chances, fractions) =
                    exact.map(|one| (one.to_f64().unwrap_or_default(), one.to_string())).unzip();
                let (roller, roll) = (chance.roller.to_owned(), chance.name.to_owned());
                NextTurn::Chance { roller, roll, options: all.to_vec(), chances, fractions }
            }
            (None, outcome) => NextTurn::Over { outcome: outcome.cloned().unwrap_or_default() },
        };
        Ok(whole(&GamePlace { game: number, events, next }))
    }
}

/// Odds of an open decision are explored up to this many nodes; beyond, playouts estimate them.
const NODES: u64 = 200_000;

/// A setup with another laid over it: tables key by key, all else whole.
fn laid_over(setup: Value, over: &Value) -> Value {
    match (setup, over) {
        // What is drawn is one value.
        (Value::Map(below), Value::Map(over))
            if below.contains_key(ONE_OF) || over.contains_key(ONE_OF) =>
        {
            Value::Map(over.clone())
        }
        (Value::Map(mut below), Value::Map(over)) => {
            for (key, item) in over {
                let lower = below.get(key).cloned().unwrap_or_default();
                below.insert(key.clone(), laid_over(lower, item));
            }
            Value::Map(below)
        }
        (_, over) => over.clone(),
    }
}

/// A reply as JSON: an object. No map of ours has keys that are no texts, and nothing else can fail.
fn whole(reply: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(reply).unwrap_or_default()
}

fn written(key: &'static str, reply: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    Ok(whole(&BTreeMap::from([(key, reply)])))
}

/// Writes a reply, with the `id` of its request before all else.
fn write(reply: &[u8], id: Option<Json>, to: &mut impl Write) -> io::Result<()> {
    match id {
        Some(id) => {
            write!(to, "{{\"id\":{id},")?;
            to.write_all(reply.get(1..).unwrap_or_default())
        }
        None => to.write_all(reply),
    }
}

fn refuse(refusal: Refusal, id: Option<Json>, to: &mut impl Write) -> io::Result<()> {
    let mut error = ErrorReport::of(&refusal.error);
    error.place = error.place.or(refusal.place);
    write(&whole(&Failed { error }), id, to)
}

/// Why a line is no JSON, or no request, and where in it.
fn no_json(error: &serde_json::Error) -> Refusal {
    let why = match error.is_data() {
        true => unread(error),
        false => format!("the line is no JSON: {}", unread(error)),
    };
    Refusal::at(format!("column {}", error.column()), why)
}
