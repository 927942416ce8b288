//! With what can a cost be paid? Resources are counts, rates say what one of each is worth.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{
    Changed, Checked, LIMIT, Ranks, amount, entry, error, fail, no_entry, show, text, texts,
};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "payments", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// What resources are worth together.
    ///
    /// `resources`: a map name -> whole number, or a list of `[name, number]`. A map may hold other things too: only what has a rate counts.
    /// `rates`: a map name -> worth of one, a whole number of 0 or more. Error: a rate for what is not there.
    ///
    /// # Example
    /// `worth(#{ mana: 1, ore: 2, food: 5 }, #{ mana: 2, ore: 1, food: 0 })` is `4`
    #[rhai_fn(return_raw, pure)]
    pub fn worth(resources: &mut Dynamic, rates: Map) -> Checked<INT> {
        sum("worth", resources, &rates)
    }

    /// Says whether resources are worth at least a cost.
    ///
    /// `resources`, `rates`: as for `worth`. `cost`: a whole number; 0 or less can always be paid.
    ///
    /// # Example
    /// `can_pay(#{ mana: 1, ore: 2 }, #{ mana: 2, ore: 1 }, 5)` is `false`
    #[rhai_fn(return_raw, pure)]
    pub fn can_pay(resources: &mut Dynamic, rates: Map, cost: INT) -> Checked<bool> {
        Ok(sum("can_pay", resources, &rates)? >= cost)
    }

    /// All payments of a cost from which nothing can be left out. Overpaying is allowed, change is not given.
    ///
    /// `resources`: a list of `[name, number]` in the order that counts, or a map name -> whole number (then in alphabetical order).
    /// A map may hold other things too: only what has a rate counts. `rates`: a map name -> worth of one, a whole number of 0 or more.
    /// `cost`: a whole number. The result is a list of maps name -> number, 0 included: first those with most of the first resource, then of the second, and so on.
    /// A cost of 0 or less is paid by nothing; what cannot be paid has no payment.
    /// Errors: a rate for what is not there, more than 100,000 parts in all payments together.
    ///
    /// # Example
    /// `mixes([["mana", 2], ["ore", 3]], #{ mana: 2, ore: 1 }, 4)` is `[#{ mana: 2, ore: 0 }, #{ mana: 1, ore: 2 }]`
    /// `mixes(#{ mana: 2, ore: 3 }, #{ mana: 2, ore: 1 }, 0)` is `[#{ mana: 0, ore: 0 }]`
    /// `mixes(#{ mana: 1 }, #{ mana: 2 }, 3)` is `[]`
    #[rhai_fn(return_raw, pure)]
    pub fn mixes(resources: &mut Dynamic, rates: Map, cost: INT) -> Checked<Array> {
        let kinds = read("mixes", resources, &rates, None)?;
        Ok(all_mixes(&kinds, cost)?.iter().map(|mix| as_map(&kinds, mix)).collect())
    }

    /// All payments of a cost from which nothing can be left out, with an order of the resources.
    ///
    /// `resources`: a map name -> whole number, which may hold other things too. `rates`: a map name -> worth of one.
    /// `cost`: a whole number. `order`: a list of all names that have a rate, the one that counts first.
    /// The result is as for `mixes` without an order.
    ///
    /// # Example
    /// `mixes(#{ ore: 3, mana: 2 }, #{ ore: 1, mana: 2 }, 3, ["mana", "ore"])` is `[#{ mana: 2, ore: 0 }, #{ mana: 1, ore: 1 }, #{ mana: 0, ore: 3 }]`
    #[rhai_fn(name = "mixes", return_raw, pure)]
    pub fn mixes_in(
        resources: &mut Dynamic,
        rates: Map,
        cost: INT,
        order: Array,
    ) -> Checked<Array> {
        let kinds = read("mixes", resources, &rates, Some(&order))?;
        Ok(all_mixes(&kinds, cost)?.iter().map(|mix| as_map(&kinds, mix)).collect())
    }

    /// A payment in words, parts of 0 left out; `"nothing"` if all are.
    ///
    /// `mix`: a map name -> whole number. `order`: a list with all its names, first first.
    ///
    /// # Example
    /// `mix_text(#{ mana: 2, ore: 1, food: 0 }, ["mana", "ore", "food"])` is `"2 mana + 1 ore"`
    /// `mix_text(#{ mana: 0 }, ["mana"])` is `"nothing"`
    #[rhai_fn(return_raw, pure)]
    pub fn mix_text(mix: &mut Map, order: Array) -> Checked<ImmutableString> {
        worded("mix_text", mix, &texts("mix_text", "order", &order)?)
    }

    /// Payments in words, one text for each, in the same order.
    ///
    /// `mixes`: a list of maps name -> whole number. `order`: a list with all names, first first.
    ///
    /// # Example
    /// `mixes(#{ mana: 2, ore: 3 }, #{ mana: 2, ore: 1 }, 4).mix_texts(["mana", "ore"])` is `["2 mana", "1 mana + 2 ore"]`
    #[rhai_fn(return_raw, pure)]
    pub fn mix_texts(mixes: &mut Array, order: Array) -> Checked<Array> {
        let order = texts("mix_texts", "order", &order)?;
        mixes
            .iter()
            .enumerate()
            .map(|(i, mix)| match mix.as_map_ref() {
                Ok(mix) => worded("mix_texts", &mix, &order).map(Dynamic::from),
                Err(_) => {
                    fail("mix_texts", format!("`mixes[{i}]` must be a map, got {}", show(mix)))
                }
            })
            .collect()
    }

    /// The payment that a text like `"2 mana + 1 ore"` names: what `mix_text` wrote, without the parts of 0.
    ///
    /// `words`: such a text, or `"nothing"`. Error: any other text.
    ///
    /// # Example
    /// `read_mix("2 mana + 1 ore")` is `#{ mana: 2, ore: 1 }`
    /// `read_mix("nothing")` is `#{}`
    #[rhai_fn(return_raw)]
    pub fn read_mix(words: &str) -> Checked<Map> {
        parse("read_mix", words)
    }

    /// Takes a payment from resources. Changes `resources` itself and returns it.
    ///
    /// `resources`: a map name -> whole number, which may hold other things too. `mix`: a map name -> number, or a text like `"2 mana + 1 ore"`.
    /// Errors: a resource that is not there, or too little of it; then nothing is changed.
    ///
    /// # Example
    /// `pay(#{ mana: 2, ore: 3 }, #{ mana: 1, ore: 2 })` is `#{ mana: 1, ore: 1 }`
    /// `let purse = #{ mana: 2, ore: 3 }; purse.pay("2 mana"); purse` is `#{ mana: 0, ore: 3 }`
    #[rhai_fn(return_raw)]
    pub fn pay(resources: &mut Changed<Map>, mix: Dynamic) -> Checked<Map> {
        let mix = if let Ok(words) = mix.as_immutable_string_ref() {
            parse("pay", &words)?
        } else if let Ok(mix) = mix.as_map_ref() {
            mix.clone()
        } else {
            return fail("pay", format!("`mix` must be a map or a text, got {}", show(&mix)));
        };
        let mut rest = Vec::with_capacity(mix.len());
        for (name, number) in mix {
            let number = amount("pay", format_args!("mix.{name}"), &number)?;
            let have = resources
                .get(&name)
                .ok_or_else(|| no_entry("pay", "resources", resources, &name))?;
            let have = amount("pay", format_args!("resources.{name}"), have)?;
            if number > have {
                return Err(error(
                    "pay",
                    format!("`resources.{name}` is {have}, so {number} cannot be paid from it"),
                ));
            }
            rest.push((name, Dynamic::from_int(have - number)));
        }
        for (name, left) in rest {
            resources.insert(name, left);
        }
        Ok(resources.clone())
    }
}

fn sum(function: &str, resources: &Dynamic, rates: &Map) -> Checked<INT> {
    let mut sum: INT = 0;
    if let Ok(map) = resources.as_map_ref() {
        for (name, rate) in rates {
            let have = entry(function, "resources", &map, name)?;
            let have = amount(function, format_args!("resources.{name}"), have)?;
            let rate = amount(function, format_args!("rates.{name}"), rate)?;
            sum = sum.saturating_add(have.saturating_mul(rate));
        }
        return Ok(sum);
    }
    for kind in read(function, resources, rates, None)? {
        sum = sum.saturating_add(kind.amount.saturating_mul(kind.rate));
    }
    Ok(sum)
}

/// One kind of resource.
struct Kind {
    name: ImmutableString,
    amount: INT,
    rate: INT,
}

/// The most kinds that one payment may have.
const KINDS: usize = 64;

fn read(
    function: &str,
    resources: &Dynamic,
    rates: &Map,
    order: Option<&Array>,
) -> Checked<Vec<Kind>> {
    let mut kinds = if let Ok(map) = resources.as_map_ref() {
        rates
            .keys()
            .map(|name| {
                let have = entry(function, "resources", &map, name)?;
                kind(function, name.as_str().into(), have, rates)
            })
            .collect::<Checked<Vec<Kind>>>()?
    } else if let Ok(pairs) = resources.as_array_ref() {
        pairs
            .iter()
            .enumerate()
            .map(|(i, pair)| match pair.as_array_ref().ok().as_deref().map(Vec::as_slice) {
                Some([name, have]) => {
                    let name = text(function, format_args!("resources[{i}][0]"), name)?;
                    kind(function, name, have, rates)
                }
                _ => fail(
                    function,
                    format!("`resources[{i}]` must be `[name, number]`, got {}", show(pair)),
                ),
            })
            .collect::<Checked<Vec<Kind>>>()?
    } else {
        return fail(
            function,
            format!("`resources` must be a map or a list, got {}", show(resources)),
        );
    };
    if kinds.len() > KINDS {
        return fail(function, format!("more than {KINDS} kinds of `resources`"));
    }
    if let Some(order) = order {
        let ranks = Ranks::new(function, order)?;
        for kind in &kinds {
            ranks.of(function, &kind.name)?;
        }
        kinds.sort_by_key(|kind| ranks.of(function, &kind.name).unwrap_or(usize::MAX));
    }
    Ok(kinds)
}

fn kind(function: &str, name: ImmutableString, have: &Dynamic, rates: &Map) -> Checked<Kind> {
    let amount_of = |place: &str, value| amount(function, format_args!("{place}.{name}"), value);
    let rate = amount_of("rates", entry(function, "rates", rates, &name)?)?;
    Ok(Kind { amount: amount_of("resources", have)?, rate, name })
}

/// How many of each kind, for each payment.
fn all_mixes(kinds: &[Kind], cost: INT) -> Checked<Vec<Vec<INT>>> {
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
    Ok(search.found)
}

/// A walk through all payments: kind by kind, the most of it first.
struct Search<'a> {
    kinds: &'a [Kind],
    reach: Vec<i128>,
    taken: Vec<INT>,
    found: Vec<Vec<INT>>,
    work: usize,
}

impl Search<'_> {
    /// Pays what is still owed (below 0: overpaid) with the kinds from one on.
    fn from(&mut self, i: usize, owed: i128) -> Checked<()> {
        self.work += 1;
        if self.work > 10 * LIMIT {
            return fail("mixes", "there are too many payments to look through");
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
            self.taken[i] = INT::try_from(number).unwrap_or(INT::MAX);
            self.from(i + 1, owed - number * rate)?;
            if self.found.len() * self.kinds.len() > LIMIT {
                return fail("mixes", format!("the payments have more than {LIMIT} parts"));
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

fn as_map(kinds: &[Kind], mix: &[INT]) -> Dynamic {
    let mut map = Map::new();
    for (kind, taken) in kinds.iter().zip(mix) {
        map.insert(kind.name.as_str().into(), Dynamic::from_int(*taken));
    }
    map.into()
}

fn worded(function: &str, mix: &Map, order: &[ImmutableString]) -> Checked<ImmutableString> {
    let mut parts = Vec::new();
    for name in order {
        if let Some(number) = mix.get(name.as_str()) {
            let number = amount(function, format_args!("mix.{name}"), number)?;
            if number > 0 {
                parts.push(format!("{number} {name}"));
            }
        }
    }
    for name in mix.keys() {
        if !order.iter().any(|known| known == name.as_str()) {
            let near = super::values::hint(name, order.iter().map(|known| known.as_str()));
            return fail(function, format!("`order` has no `{name}`{near}"));
        }
    }
    Ok(if parts.is_empty() { "nothing".into() } else { parts.join(" + ").into() })
}

fn parse(function: &str, words: &str) -> Checked<Map> {
    let mut mix = Map::new();
    if words == "nothing" {
        return Ok(mix);
    }
    for part in words.split(" + ") {
        let read = part
            .split_once(' ')
            .and_then(|(number, name)| Some((number.parse::<INT>().ok()?, name)));
        match read {
            Some((number, name)) if number >= 0 && !mix.contains_key(name) => {
                mix.insert(name.into(), number.into());
            }
            _ => {
                return fail(
                    function,
                    format!("`{words}` is no payment like `2 mana + 1 ore` or `nothing`"),
                );
            }
        }
    }
    Ok(mix)
}
