//! Finds payments of a cost. Resources are counts, rates say what one of each is worth.

use std::fmt::Write;

use crate::script::machine::value::{Map, Text, Value};
use macro_rules_attribute::apply;

use super::primitive::{Itself, Primitive, family, itself, part, primitive};
use super::read_arguments::{Checked, LIMIT, Ranks, amount, entry, lacks, must_be, text, texts};
use crate::script::sandbox::limits::TEXT;

pub(super) const FAMILY: &[Primitive] = family! {
    worth, mixes, mixes_in as mixes, mix_text, mix_texts, read_mix, pay,
};

/// What resources are worth together.
///
/// `resources`: a map name -> whole number, or a list of `[name, number]`. A map may hold other things too: only what has a rate counts.
/// `rates`: a map name -> worth of one, a whole number of 0 or more. Error: a rate for what is not there.
///
/// # Example
/// `worth(#{ mana: 1, ore: 2, food: 5 }, #{ mana: 2, ore: 1, food: 0 })` is `4`
#[apply(primitive!)]
pub fn worth(resources: &Value, rates: &Map) -> Checked<i64> {
    let mut sum: i64 = 0;
    let mut add = |have: i64, rate| sum = sum.saturating_add(have.saturating_mul(rate));
    if let Some(map) = resources.as_map() {
        for (name, rate) in rates.iter() {
            let have = entry("resources", map, name)?;
            let have = amount(format_args!("resources.{name}"), have)?;
            add(have, amount(format_args!("rates.{name}"), rate)?);
        }
    } else {
        for kind in read(resources, rates, None)? {
            add(kind.amount, kind.rate);
        }
    }
    Ok(sum)
}

/// All payments of a cost from which nothing can be left out. Overpaying is allowed, change is not given.
///
/// `resources`: a list of `[name, number]` in the order that counts, or a map name -> whole number (then in alphabetical order).
/// A map may hold other things too: only what has a rate counts. `rates`: a map name -> worth of one, a whole number of 0 or more.
/// `cost`: a whole number. The result is a list of maps name -> number, 0 included: first those with most of the first resource, then of the second, and so on.
/// A cost of 0 or less is paid by nothing; what cannot be paid has no payment.
/// Errors: a rate for what is not there, a name twice, more payments than a list holds.
///
/// # Example
/// `mixes([["mana", 2], ["ore", 3]], #{ mana: 2, ore: 1 }, 4)` is `[#{ mana: 2, ore: 0 }, #{ mana: 1, ore: 2 }]`
/// `mixes(#{ mana: 2, ore: 3 }, #{ mana: 2, ore: 1 }, 0)` is `[#{ mana: 0, ore: 0 }]`
/// `mixes(#{ mana: 1 }, #{ mana: 2 }, 3)` is `[]`
#[apply(primitive!)]
pub fn mixes(resources: &Value, rates: &Map, cost: i64) -> Checked<Vec<Value>> {
    all_mixes(&read(resources, rates, None)?, cost)
}

/// All payments of a cost from which nothing can be left out, with an order of the resources.
///
/// `resources`: a map name -> whole number, which may hold other things too. `rates`: a map name -> worth of one.
/// `cost`: a whole number. `order`: a list of all names that have a rate, the one that counts first.
/// The result is as for `mixes` without an order.
///
/// # Example
/// `mixes(#{ ore: 3, mana: 2 }, #{ ore: 1, mana: 2 }, 3, ["mana", "ore"])` is `[#{ mana: 2, ore: 0 }, #{ mana: 1, ore: 1 }, #{ mana: 0, ore: 3 }]`
#[apply(primitive!)]
pub fn mixes_in(resources: &Value, rates: &Map, cost: i64, order: &[Value]) -> Checked<Vec<Value>> {
    all_mixes(&read(resources, rates, Some(order))?, cost)
}

/// A payment in words, parts of 0 left out; `"nothing"` if all are.
///
/// `mix`: a map name -> whole number. `order`: a list with all its names, first first.
///
/// # Example
/// `mix_text(#{ mana: 2, ore: 1, food: 0 }, ["mana", "ore", "food"])` is `"2 mana + 1 ore"`
/// `mix_text(#{ mana: 0 }, ["mana"])` is `"nothing"`
#[apply(primitive!)]
pub fn mix_text(mix: &Map, order: &[Value]) -> Checked<String> {
    worded(mix, &texts("order", order)?)
}

/// Payments in words, one text for each, in the same order.
///
/// `mixes`: a list of maps name -> whole number. `order`: a list with all names, first first.
///
/// # Example
/// `mixes(#{ mana: 2, ore: 3 }, #{ mana: 2, ore: 1 }, 4).mix_texts(["mana", "ore"])` is `["2 mana", "1 mana + 2 ore"]`
#[apply(primitive!)]
pub fn mix_texts(mixes: &[Value], order: &[Value]) -> Checked<Vec<Value>> {
    let order = texts("order", order)?;
    let mut letters = 0;
    let mut all = Vec::with_capacity(mixes.len());
    for (i, mix) in mixes.iter().enumerate() {
        let words = worded(part(format_args!("mixes[{i}]"), mix)?, &order)?;
        letters += words.len();
        if letters > TEXT {
            return Err("the payments take too many words".to_owned());
        }
        all.push(Value::text(words));
    }
    Ok(all)
}

/// The payment that a text like `"2 mana + 1 ore"` names: what `mix_text` wrote, without the parts of 0.
///
/// `words`: such a text, or `"nothing"`. Error: any other text.
///
/// # Example
/// `read_mix("2 mana + 1 ore")` is `#{ mana: 2, ore: 1 }`
/// `read_mix("nothing")` is `#{}`
#[apply(primitive!)]
pub fn read_mix(words: &Text) -> Checked<Map> {
    parse(words.as_str())
}

/// Takes a payment from resources. Changes `resources` itself and returns it.
///
/// `resources`: a map name -> whole number, which may hold other things too. `mix`: a map name -> number, or a text like `"2 mana + 1 ore"`.
/// Errors: a resource that is not there, or too little of it; then nothing is changed.
///
/// # Example
/// `pay(#{ mana: 2, ore: 3 }, #{ mana: 1, ore: 2 })` is `#{ mana: 1, ore: 1 }`
/// `let purse = #{ mana: 2, ore: 3 }; purse.pay("2 mana"); purse` is `#{ mana: 0, ore: 3 }`
#[apply(primitive!)]
pub fn pay(resources: &mut Map, mix: &Value) -> Checked<Itself<Map>> {
    let read;
    let mix = match mix {
        Value::Text(words) => {
            read = parse(words.as_str())?;
            &read
        }
        Value::Map(mix) => mix,
        _ => return Err(must_be("a map or a text", "mix", mix)),
    };
    let mut rest = Vec::with_capacity(mix.len());
    for (name, number) in mix.iter() {
        let number = amount(format_args!("mix.{name}"), number)?;
        let have = entry("resources", resources, name)?;
        let have = amount(format_args!("resources.{name}"), have)?;
        if number > have {
            return Err(format!(
                "`resources.{name}` is {have}, so {number} cannot be paid from it"
            ));
        }
        rest.push((name.clone(), Value::Int(have - number)));
    }
    for (name, left) in rest {
        resources.insert(name, left);
    }
    itself()
}

struct Resource<'v> {
    name: &'v Text,
    amount: i64,
    rate: i64,
}

/// The most kinds that one payment may have.
const KINDS: usize = 64;

fn read<'v>(
    resources: &'v Value,
    rates: &'v Map,
    order: Option<&[Value]>,
) -> Checked<Vec<Resource<'v>>> {
    let mut kinds = match resources {
        Value::Map(map) => rates
            .iter()
            .map(|(name, _)| resource(name, entry("resources", map, name)?, rates))
            .collect::<Checked<Vec<_>>>()?,
        Value::List(pairs) => pairs
            .iter()
            .enumerate()
            .map(|(i, pair)| match pair.as_list() {
                Some([name, have]) => {
                    let name = text(format_args!("resources[{i}][0]"), name)?;
                    resource(name, have, rates)
                }
                _ => Err(must_be("`[name, number]`", format_args!("resources[{i}]"), pair)),
            })
            .collect::<Checked<Vec<_>>>()?,
        _ => return Err(must_be("a map or a list", "resources", resources)),
    };
    if kinds.len() > KINDS {
        return Err(format!("more than {KINDS} kinds of `resources`"));
    }
    for (i, kind) in kinds.iter().enumerate() {
        if kinds[..i].iter().any(|other| other.name == kind.name) {
            return Err(format!("`resources` has `{}` twice", kind.name));
        }
    }
    if let Some(order) = order {
        let ranks = Ranks::new(order)?;
        for kind in &kinds {
            ranks.of(kind.name)?;
        }
        kinds.sort_by_key(|kind| ranks.of(kind.name).unwrap_or(usize::MAX));
    }
    Ok(kinds)
}

fn resource<'v>(name: &'v Text, have: &Value, rates: &Map) -> Checked<Resource<'v>> {
    let amount_of = |place: &str, value| amount(format_args!("{place}.{name}"), value);
    let rate = amount_of("rates", entry("rates", rates, name)?)?;
    Ok(Resource { amount: amount_of("resources", have)?, rate, name })
}

fn all_mixes(kinds: &[Resource<'_>], cost: i64) -> Checked<Vec<Value>> {
    // What the kinds from one on are worth, to turn back where they cannot reach the cost.
    let mut reach = vec![0_i128; kinds.len() + 1];
    for (i, kind) in kinds.iter().enumerate().rev() {
        reach[i] = reach[i + 1] + i128::from(kind.amount) * i128::from(kind.rate);
    }
    let mut search =
        Search { kinds, reach, taken: vec![0; kinds.len()], found: Vec::new(), work: 0 };
    if search.reach[0] >= i128::from(cost) {
        search.from(0, i128::from(cost.max(0)))?;
    }
    let part = |(kind, taken): (&Resource, &i64)| (kind.name.clone(), Value::Int(*taken));
    let as_map = |mix: &Vec<i64>| Value::map(kinds.iter().zip(mix).map(part).collect());
    Ok(search.found.iter().map(as_map).collect())
}

/// A walk through all payments: kind by kind, the most of it first.
struct Search<'a> {
    kinds: &'a [Resource<'a>],
    reach: Vec<i128>,
    taken: Vec<i64>,
    found: Vec<Vec<i64>>,
    work: usize,
}

impl Search<'_> {
    /// Pays what is still owed (below 0: overpaid) with the kinds from one on.
    fn from(&mut self, i: usize, owed: i128) -> Checked<()> {
        self.work += 1;
        if self.work > 10 * LIMIT {
            return Err("there are too many payments to look through".to_owned());
        }
        if owed <= 0 {
            self.keep(-owed);
            return Ok(());
        }
        let Some(kind) = self.kinds.get(i) else {
            return Ok(());
        };
        let (have, rate) = (i128::from(kind.amount), i128::from(kind.rate));
        // What is worth nothing can always be left out.
        let most = if rate == 0 { 0 } else { have.min((owed + rate - 1) / rate) };
        let rest = (owed - self.reach[i + 1]).max(0);
        let fewest = if rate == 0 { 0 } else { (rest + rate - 1) / rate };
        let mut number = most;
        while number >= fewest {
            self.taken[i] = i64::try_from(number).unwrap_or(i64::MAX);
            self.from(i + 1, owed - number * rate)?;
            if self.found.len() * self.kinds.len() > LIMIT {
                return Err(format!("the payments have more than {LIMIT} parts"));
            }
            number -= 1;
        }
        self.taken[i] = 0;
        Ok(())
    }

    /// Keeps a payment if no piece of it is worth as little as what is overpaid.
    fn keep(&mut self, over: i128) {
        let mut used = self.kinds.iter().zip(&self.taken).filter(|(_, taken)| **taken > 0);
        if used.any(|(kind, _)| i128::from(kind.rate) <= over) {
            return;
        }
        self.found.push(self.taken.clone());
    }
}

fn worded(mix: &Map, order: &[&Text]) -> Checked<String> {
    let mut words = String::new();
    for name in order {
        if let Some(number) = mix.get_text(name) {
            let number = amount(format_args!("mix.{name}"), number)?;
            if number > 0 {
                let and = if words.is_empty() { "" } else { " + " };
                // Writing to a text cannot fail.
                let _ = write!(words, "{and}{number} {name}");
            }
        }
    }
    for (name, _) in mix.iter() {
        if !order.contains(&name) {
            return Err(lacks("order", name.as_str(), order.iter().copied()));
        }
    }
    Ok(if words.is_empty() { "nothing".to_owned() } else { words })
}

fn parse(words: &str) -> Checked<Map> {
    let mut mix = Map::default();
    if words == "nothing" {
        return Ok(mix);
    }
    for part in words.split(" + ") {
        let read = part.split_once(' ');
        match read.and_then(|(number, name)| Some((number.parse::<i64>().ok()?, name))) {
            Some((number, name)) if number > 0 && mix.get(name).is_none() => {
                mix.insert(Text::new(name), Value::Int(number));
            }
            _ => {
                let like = "a payment like `2 mana + 1 ore` or `nothing`";
                return Err(format!("`{words}` is not {like}"));
            }
        }
    }
    Ok(mix)
}
