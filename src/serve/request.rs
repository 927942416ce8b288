//! Requests to a server: a line of JSON as what is wanted, or what is wrong with it and where.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};

use crate::catalog::Setting;
use crate::error::Error;
use crate::game::{Value, brief};

pub(super) enum RequestKind {
    Hello { rulebook: bool },
    Reset(Box<Start>),
    Ask,
    Answer(ClientPick),
    Clone { to: u64, seed: Option<u64> },
    Undo { n: u64 },
    View { player: Option<String> },
    Picture,
    Outcome,
    Odds { here: bool, revealed: bool, float: bool, n: u64, seed: u64 },
    Close { game: Option<u64> },
}

pub(super) struct Start {
    /// That of the command line where there is none.
    pub seed: Option<u64>,
    pub asks_chance: bool,
    /// What differs from the conflict that is served; nothing where it is the one of the last reset.
    pub house: Vec<String>,
    pub params: Vec<Setting>,
    pub seats: Vec<(String, String)>,
    pub setup: Option<Value>,
}

impl Start {
    /// The places of all parts of it by which the conflict may differ, in the order in which they are applied.
    pub(super) fn places(&self) -> Vec<String> {
        let Start { house, params, seats, setup, .. } = self;
        let house = (0..house.len()).map(|at| format!("house.{at}"));
        let params = params.iter().map(|one| format!("params.{}", one.name));
        let setup = setup.iter().map(|_| "setup".to_owned());
        let seats = seats.iter().map(|(seat, _)| format!("seats.{seat}"));
        house.chain(params).chain(setup).chain(seats).collect()
    }
}

pub(super) enum ClientPick {
    Index(u64),
    Option(Value),
}

/// A request with the game that it is about, and whether the reply shows all of the next question.
pub(super) struct Request {
    pub game: u64,
    pub shows: bool,
    pub wanted: RequestKind,
}

pub(super) struct Refusal {
    pub error: Error,
    pub place: Option<String>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal { error, place: None }
    }
}

impl Refusal {
    pub(super) fn at(place: impl Into<String>, message: impl Into<String>) -> Refusal {
        Refusal::of(place, Error::usage(message))
    }

    pub(super) fn of(place: impl Into<String>, error: Error) -> Refusal {
        Refusal { error, place: Some(place.into()) }
    }
}

/// JSON whose objects have each key once: of two values one would be lost.
pub(super) struct UniqueKeys(pub Json);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<UniqueKeys, D::Error> {
        from.deserialize_any(KeyVisitor).map(UniqueKeys)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Json;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Json, E> {
        Ok(truth.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(UniqueKeys(item)) = from.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut map = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("the key `{}` is there twice", brief(&key))));
            }
            map.insert(key, from.next_value::<UniqueKeys>()?.0);
        }
        Ok(Json::Object(map))
    }
}

const MOST_PLAYOUTS: u64 = 1_000_000;
const WORDS: [&str; 11] = [
    "hello", "reset", "ask", "answer", "clone", "undo", "view", "picture", "outcome", "odds",
    "close",
];

impl Request {
    pub(super) fn read(json: Json) -> Result<Request, Refusal> {
        let Json::Object(map) = json else {
            let got = kind(&json);
            return Err(Error::usage(format!("a request is an object with `do`, got {got}")).into());
        };
        let mut keys = RequestKeys { map, known: vec!["do", "id", "game"] };
        let word = match keys.map.shift_remove("do") {
            Some(Json::String(word)) => word,
            Some(other) => return Err(wrong("do", "a word", &other)),
            None => return Err(keys.lost("do")),
        };
        keys.map.shift_remove("id");
        let named = keys.whole("game")?;
        let mut shows = word == "ask";
        let wanted = match word.as_str() {
            "hello" => RequestKind::Hello { rulebook: keys.flag("rulebook")? },
            "reset" => {
                shows = keys.flag("ask")?;
                RequestKind::Reset(Box::new(Start {
                    seed: keys.whole("seed")?,
                    asks_chance: keys.flag("chance")?,
                    house: keys.texts("house")?,
                    params: keys.map("params")?.iter().map(Setting::of).collect(),
                    seats: keys.seats()?,
                    setup: keys.value("setup"),
                }))
            }
            "ask" => RequestKind::Ask,
            "answer" => {
                shows = keys.flag("ask")?;
                let (index, option) = (keys.whole("pick")?, keys.value("option"));
                RequestKind::Answer(match (index, option) {
                    (Some(index), None) => ClientPick::Index(index),
                    (None, Some(option)) => ClientPick::Option(option),
                    (Some(_), Some(_)) => {
                        return Err(Refusal::at("option", "`pick` and `option` answer twice"));
                    }
                    (None, None) => return Err(keys.lost("pick")),
                })
            }
            "clone" => {
                shows = keys.flag("ask")?;
                let to = keys.whole("to")?.ok_or_else(|| keys.lost("to"))?;
                RequestKind::Clone { to, seed: keys.whole("seed")? }
            }
            "undo" => {
                shows = keys.flag("ask")?;
                RequestKind::Undo { n: keys.whole("n")?.unwrap_or(1) }
            }
            "view" => RequestKind::View { player: keys.text("player")? },
            "picture" => RequestKind::Picture,
            "outcome" => RequestKind::Outcome,
            "odds" => RequestKind::Odds {
                here: keys.flag("here")?,
                revealed: keys.flag("revealed")?,
                float: keys.flag("float")?,
                n: keys.count("n", 1_000)?,
                seed: keys.whole("seed")?.unwrap_or_default(),
            },
            "close" => RequestKind::Close { game: named },
            other => {
                return Err(Refusal::of("do", Error::unknown_of("request", other, WORDS)));
            }
        };
        keys.end()?;
        Ok(Request { game: named.unwrap_or_default(), shows, wanted })
    }
}

/// The keys of a request: each is taken once, and those that are left are unknown.
struct RequestKeys {
    map: Map<String, Json>,
    known: Vec<&'static str>,
}

impl RequestKeys {
    fn take(&mut self, key: &'static str) -> Option<Json> {
        // `game` is a key of all requests, and some take it themselves.
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.map.shift_remove(key)
    }

    /// What `read` makes of the value of a key, if the key is there; `wanted` names what may be there.
    fn read<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let Some(json) = self.take(key) else { return Ok(None) };
        read(&json).map(Some).ok_or_else(|| wrong(key, wanted, &json))
    }

    fn whole(&mut self, key: &'static str) -> Result<Option<u64>, Refusal> {
        self.read(key, "a whole number from 0 to 18446744073709551615", Json::as_u64)
    }

    fn count(&mut self, key: &'static str, otherwise: u64) -> Result<u64, Refusal> {
        let n = self.whole(key)?.unwrap_or(otherwise);
        let many = || Refusal::at(key, format!("must be from 1 to {MOST_PLAYOUTS}, got {n}"));
        (1..=MOST_PLAYOUTS).contains(&n).then_some(n).ok_or_else(many)
    }

    fn flag(&mut self, key: &'static str) -> Result<bool, Refusal> {
        Ok(self.read(key, "true or false", Json::as_bool)?.unwrap_or_default())
    }

    fn text(&mut self, key: &'static str) -> Result<Option<String>, Refusal> {
        self.read(key, "a text", |json| json.as_str().map(str::to_owned))
    }

    fn texts(&mut self, key: &'static str) -> Result<Vec<String>, Refusal> {
        let items = self.read(key, "a list of texts", |json| json.as_array().cloned())?;
        let text = |(at, item)| match item {
            Json::String(text) => Ok(text),
            other => Err(wrong(&format!("{key}.{at}"), "a text", &other)),
        };
        items.into_iter().flatten().enumerate().map(text).collect()
    }

    fn value(&mut self, key: &'static str) -> Option<Value> {
        self.take(key).map(plain)
    }

    fn map(&mut self, key: &'static str) -> Result<IndexMap<String, Value>, Refusal> {
        let map = self.read(key, "an object", |json| json.as_object().cloned())?;
        Ok(map.into_iter().flatten().map(|(key, item)| (key, plain(item))).collect())
    }

    fn seats(&mut self) -> Result<Vec<(String, String)>, Refusal> {
        let seat = |(seat, agent): (String, Value)| match agent {
            Value::Text(agent) => Ok((seat, agent)),
            other => {
                let message = format!("must be the name of an agent, got {}", other.kind());
                Err(Refusal::at(format!("seats.{seat}"), message))
            }
        };
        self.map("seats")?.into_iter().map(seat).collect()
    }

    /// A key that must be there; the one that is meant may be misspelled.
    fn lost(&self, key: &str) -> Refusal {
        let left = self.map.keys().map(String::as_str);
        let near = crate::error::missing(key, left.filter(|left| !self.known.contains(left)));
        Refusal::at(key, format!("`{key}` {near}"))
    }

    fn end(self) -> Result<(), Refusal> {
        let Some(key) = self.map.keys().next() else { return Ok(()) };
        Err(Refusal::of(key, Error::unknown_of("key", key, self.known.iter().copied())))
    }
}

fn wrong(place: &str, wanted: &str, got: &Json) -> Refusal {
    Refusal::at(place, format!("must be {wanted}, got {}", kind(got)))
}

fn kind(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(_) => "a truth value".to_owned(),
        Json::Number(number) => format!("`{number}`"),
        Json::String(text) => format!("the text `{}`", brief(text)),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

/// JSON as the values of rules; what no whole number of 64 bits holds is another number.
fn plain(json: Json) -> Value {
    serde_json::from_value(json).unwrap_or_default()
}
