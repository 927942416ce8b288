//! Calls of natives on small and large values, each repeated until its fuel is gone.

use std::collections::BTreeMap;

use fracas::error::{Error, Limit, ScriptFault};
use fracas::game::Value;
use fracas::script::{Ear, Layer, Limits, Rules, Run, Setup};
use indexmap::IndexMap;

/// Names that a call may use, each with what makes its value `v`.
const VALUES: [(&str, &str); 13] = [
    ("text", "let v = \"x\"; v.pad(200000, \"y\");"),
    ("words", "let v = \"\"; v.pad(90000, \"ab \");"),
    ("list", "let v = []; v.pad(9000, 7);"),
    ("sorted", "let v = []; for i in range(0, 5000) { v.push(i); }"),
    ("texts", "let v = []; for i in range(0, 900) { v.push(`key ${i}`); }"),
    ("lists", "let v = []; for i in range(0, 900) { v.push([i, 1 + i % 5]); }"),
    (
        "maps",
        "let v = []; for i in range(0, 900) { v.push(#{ name: `key ${i % 50}`, n: i % 7 }); }",
    ),
    ("map", "let v = #{}; for i in range(0, 900) { v[`key ${i}`] = i % 7; }"),
    (
        "tree",
        "let v = #{}; for i in range(0, 900) { v[`key ${i}`] = [i, [\"b\"], #{ c: `d ${i}` }]; }",
    ),
    (
        "tiles",
        "let v = #{}; for x in range(0, 30) { for y in range(0, 30) { v[cell_name(x, y)] = #{}; } }",
    ),
    (
        "columns",
        "let v = #{ name: [], n: [] }; for i in range(0, 900) { v.name.push(`key ${i}`); v.n.push(i); }",
    ),
    ("few", "let v = \"\"; v.pad(9000, \"ab \");"),
    ("falls", "let v = []; for i in range(0, 400) { v.push([i, 1 + i % 5]); } v = weighted(v);"),
];

/// Each native at least once. The names above stand for large values; what is changed is made anew each time, but for
/// a call that begins with `own`.
pub const CALLS: &[&str] = &[
    // What the language has: texts.
    "text.len()",
    "text.len",
    "text + \"z\"",
    "text == text + \"\"",
    "text += \"z\"",
    "`${text}`",
    "text.pad(200001, \"z\")",
    "text.contains(\"z\")",
    "\"z\" in text",
    "text.index_of(\"z\")",
    "text.replace(\"y\", \"z\")",
    "text.replace(\"z\", \"y\")",
    "text.to_upper()",
    "text.to_lower()",
    "text.make_upper()",
    "text.trim()",
    "text.sub_string(5, 9)",
    "text.sub_string(150000)",
    "text.crop(5, 9)",
    "text[150000]",
    "text[-1]",
    "text.split(199990)",
    "few.split(\" \")",
    "few.split()",
    "few.split_rev(\" \")",
    "text.starts_with(\"xy\")",
    "text.ends_with(\"yz\")",
    "text.remove(\"z\")",
    "text.remove('y')",
    "text.truncate(3)",
    "text.clear()",
    "text.pop()",
    "text.pop(5)",
    "text.is_empty()",
    "text.to_string()",
    "text.to_debug()",
    "text.bytes",
    "text.get(150000)",
    "text.set(150000, 'z')",
    "text < text + \"z\"",
    "for letter in text { }",
    "words -= \"ab\"",
    "words += [1]",
    "text - \"z\"",
    "text.type_of()",
    // Lists.
    "list.len()",
    "list.push(1)",
    "list.insert(0, 1)",
    "list.insert(4500, 1)",
    "list.pop()",
    "list.shift()",
    "list.remove(0)",
    "list.reverse()",
    "list.contains(8)",
    "8 in list",
    "list.index_of(8)",
    "list.index_of(\"z\")",
    "sorted + lists",
    "list += [1]",
    "list.append([1])",
    "list.pad(9500, 1)",
    "list.clear()",
    "list.truncate(4)",
    "list.chop(4)",
    "list.extract(5)",
    "list.extract(1, 8000)",
    "list.splice(0, 1, [2, 3])",
    "list.splice(0, 4000, [2, 3])",
    "list.drain(0, 4000)",
    "list.retain(|x| x == 7)",
    "list.retain(0, 10)",
    "list.dedup()",
    "list.sort()",
    "sorted.sort()",
    "sorted.sort_desc()",
    "sorted.sort(|a, b| b - a)",
    "sorted.order()",
    "texts.sort()",
    "texts.order_desc()",
    "list == list + []",
    "list != sorted",
    "list.filter(|x| x == 8)",
    "list.map(|x| x)",
    "list.some(|x| x == 8)",
    "list.all(|x| x == 7)",
    "list.find(|x| x == 8)",
    "list.find_map(|x| if x == 8 { x })",
    "list.reduce(|s, x| s + x, 0)",
    "list.index_of(|x| x == 8)",
    "list[4] = 1",
    "list[-1]",
    "list.get(5)",
    "list.set(5, 5)",
    "lists[5][0] = 1",
    "`${list}`",
    "list.to_string()",
    "texts.to_string()",
    "for item in list { }",
    "texts.contains(\"z\")",
    "texts.index_of(\"z\")",
    "tree.to_string()",
    "lists == lists + []",
    "texts == texts + []",
    "lists.contains([1, 9])",
    "lists.dedup()",
    "list.split(4500)",
    "lists.sort(|a, b| a[0] - b[0])",
    // Maps.
    "map.len()",
    "map.keys()",
    "map.values()",
    "map.contains(\"key 5\")",
    "\"key 5\" in map",
    "map.remove(\"key 5\")",
    "map[\"zz\"] = 1",
    "map.a = 1",
    "map.set(\"zz\", 1)",
    "map.get(\"key 5\")",
    "map.mixin(tree)",
    "map + tree",
    "map += tree",
    "map.fill_with(tree)",
    "map == map + #{}",
    "tree == tree + #{}",
    "map.to_json()",
    "tree.to_json()",
    "map.clear()",
    "for key in map.keys() { }",
    "map.is_empty()",
    "tree[\"key 5\"][1][0] = 1",
    "`${map}`",
    // Numbers, ranges.
    "range(0, 9000)",
    "for i in range(0, 9000) { }",
    "range(0, 9000).contains(5)",
    "min(1, 2)",
    "max(1, 2)",
    "abs(-1)",
    "9 ** 18",
    "7 / 2",
    "7 % 2",
    "parse_int(\"17\")",
    "1.5.floor()",
    "2.0.sqrt()",
    "sign(-1)",
    "to_float(1)",
    "to_int(1.5)",
    // Distributions.
    "dice(\"6d6\")",
    "dice(\"30d20\")",
    "weighted(lists)",
    "uniform(list)",
    "uniform(sorted)",
    "falls.values()",
    "falls.weights()",
    "values(falls)",
    "weights(falls)",
    "`${falls}`",
    "successes(60, 6, 4)",
    "successes(20, 10, 7, #{})",
    "pairs_won(8, 8, 6)",
    "pairs_won(3, 2, 6)",
    "uniform(texts)",
    "weighted([[1, 2], [2, 3]])",
    // Columns, counting.
    "map_of(texts, 1)",
    "side_by_side(#{ a: map, b: map }, #{ a: 0, b: 0 })",
    "take_row(columns, \"name\", \"key 5\")",
    "at_least(map, 3)",
    "at_least(map, 3, texts)",
    "change_since(map, map)",
    "count_by(maps, \"name\")",
    "count_by(maps, \"name\", texts)",
    "count_of(list, 7)",
    "count_of(texts, \"z\")",
    "count_values(list)",
    "count_values(texts)",
    "count_values(texts, texts)",
    "greatest(list)",
    "greatest(map)",
    "least(sorted)",
    "least([], 1)",
    "numbers(0, 9000)",
    "ratio(6, 9)",
    "surplus(9, 4)",
    "total(list)",
    "total(map)",
    "total(maps, \"n\")",
    "totals(#{ a: map, b: map })",
    "weighted_sum([[map, 2], [map, 3]])",
    // Grids.
    "all_cells(70, 70)",
    "all_cells(3, 3)",
    "cell_name(3, 4)",
    "cell_place(\"3,4\")",
    "corners(30, 30, \"3,4\")",
    "directions()",
    "empty_cells(tiles, 30, 30)",
    "empty_cells(70, 70, tiles)",
    "neighbour(30, 30, \"3,4\", \"north\")",
    "neighbours(30, 30, \"3,4\")",
    "opposite(\"north\")",
    "straight_run(tiles, \"0,0\", \"east\")",
    "straight_run(tiles, \"0,0\", \"south\")",
    // Hands, links, lists, order.
    "draw(list, 7)",
    "draw(texts, \"key 899\")",
    "link_both_ways(map_of(texts, [\"key 1\"]))",
    "all_by(maps, \"n\", 3)",
    "colours(texts)",
    "index_in(list, 7)",
    "index_in(texts, \"key 899\")",
    "names_of(maps, \"name\")",
    "only(texts, texts)",
    "only(list, [7])",
    "only(map, texts)",
    "replaced(list, 7, 8)",
    "replaced(tree, 7, 8)",
    "without(texts, texts)",
    "without(list, 7)",
    "without(map, texts)",
    "by_most(texts, map)",
    "fewest_first(map)",
    "fewest_first(map, texts)",
    "in_order(texts, texts)",
    "most_first(map)",
    "most_first(map, texts)",
    "next_in(list, 7)",
    "next_in(texts, \"key 899\")",
    "put_first(texts, texts)",
    "put_first(list, [7])",
    // Payments, places, stacks, stress, tiles.
    "mix_text(map, texts)",
    "mixes(#{ a: 9, b: 9, c: 9 }, #{ a: 1, b: 2, c: 3 }, 12)",
    "pay(map, #{ \"key 5\": 1 })",
    "read_mix(\"2 a and 1 b\")",
    "worth(map, map)",
    "worth(#{ a: 3 }, #{ a: 2 })",
    "places_of(map_of(texts, [\"a\"]), [\"a\"], texts)",
    "add_each(map, map)",
    "add_token(map, \"key 5\")",
    "add_token(map, \"zz\", 4)",
    "match_stacks(texts, texts)",
    "put_on_top(list, 1)",
    "remove_token(map, \"key 5\")",
    "remove_token(list, 7)",
    "remove_token(texts, \"key 899\")",
    "take_up_to(map, \"key 5\", 3)",
    "apply_stress(list, 5)",
    "apply_stress([0, 0, 1, 2], 5)",
    "deal_out(900, texts)",
    "deal_out(5, texts)",
    "compare_edges(3, 2, [])",
    "side_of([1, 2, 3, 4], \"north\")",
    "turn_tile([1, 2, 3, 4], 3)",
    "turn_tile(sorted, 3)",
    // Again and again on the same value, which nobody shares.
    "own list.insert(0, 1); list.pop()",
    "own list.shift(); list.push(1)",
    "own list.remove(0); list.push(1)",
    "own list.reverse()",
    "own list.splice(0, 1, [2, 3]); list.pop()",
    "own list[5] = 1",
    "own lists[5][0] = 1",
    "own map.remove(\"key 5\"); map[\"key 5\"] = 1",
    "own map.mixin(map)",
    "own put_on_top(list, 1); list.pop()",
    "own remove_token(list, 7); list.push(7)",
    "own draw(list, 7); list.push(7)",
    "own tree[\"key 5\"][1][0] = 1",
    "own text += \"z\"; text.crop(1)",
    // Effects.
    "this.emit(text)",
    "this.emit_each(texts)",
    "this.state = tree",
];

/// What a call took: operations, and another measure of the same work.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub operations: u64,
    pub work: f64,
}

/// The operations of the leg in which a call is repeated.
const LEG: u64 = 100_000;

/// Repeats a call until its fuel is gone, and measures that; nothing where it fails, or is none.
pub fn repeat(call: &str, measure: &dyn Fn() -> f64) -> Option<Taken> {
    let is_used = |name: &str| {
        call.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .any(|word| word == name)
    };
    let used = || VALUES.into_iter().filter(|(name, _)| is_used(name));
    let (keeps, repeated) = match call.strip_prefix("own ") {
        Some(repeated) => (true, repeated),
        None => (false, call),
    };
    let made: String =
        used().map(|(name, make)| format!("let {name}_made = {{ {make} v }};\n")).collect();
    let again: String = used().map(|(name, _)| format!("let {name} = {name}_made;\n")).collect();
    let (once, anew) = if keeps { (again.as_str(), "") } else { ("", again.as_str()) };
    let script = format!(
        "fn setup(scenario) {{ #{{ done: false }} }}\n\
         fn step() {{ {made} {once} loop {{ {anew} {repeated}; }} }}\nfn outcome() {{ if this.done {{ #{{ result: \"end\" }} }} }}\n"
    );
    let base = Layer {
        name: "base".to_owned(),
        files: vec![("rules.rhai".to_owned(), script)],
        ..Layer::default()
    };
    let rules =
        Rules::load(base, &[], IndexMap::new(), Limits { leg: LEG, ..Limits::default() }).ok()?;
    let mut run = Run::begin(&rules, &Setup::new(Value::Map(IndexMap::new())), Ear::Deaf);
    run.next().ok()?;
    let begun = measure();
    let error = run.next().err()?;
    let work = measure() - begun;
    let Error::Script(error) = error else { return None };
    match error.fault {
        ScriptFault::Limit(Limit::Operations(_) | Limit::Deadline(_)) => {
            Some(Taken { operations: LEG, work })
        }
        _ => None,
    }
}

/// The dearest call of each native, by its name: how much work an operation was.
#[derive(Default)]
pub struct Dearest(BTreeMap<String, (f64, String)>);

impl Dearest {
    /// Notes a call under the name of the native, which is the first that is called in it, or the call itself.
    pub fn note(&mut self, call: &str, taken: Taken) {
        let before = call.split_once('(').map_or(call, |(before, _)| before);
        let name = before.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
        let name = name.filter(|name| !name.is_empty()).unwrap_or(call).to_owned();
        let each = taken.work / taken.operations as f64;
        let dearest = self.0.entry(name).or_insert((0.0, String::new()));
        if each > dearest.0 {
            *dearest = (each, call.to_owned());
        }
    }

    /// The native in the middle, and all that take more than `times` as much as it, the dearest first.
    pub fn beyond(&self, times: f64) -> (f64, Vec<(f64, &str)>) {
        let mut all: Vec<(f64, &str)> =
            self.0.values().map(|(each, call)| (*each, call.as_str())).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let median = all.get(all.len() / 2).map_or(0.0, |middle| middle.0);
        all.retain(|(each, _)| *each > times * median);
        (median, all)
    }
}
