//! Tests that random programs give the same result on the machine as in Rhai's interpreter.

use super::tests::{BothWays, TOGETHER};
use crate::script::on_large_stack;

/// Tens of thousands of them are for `FRACAS_PROGRAMS=50000 cargo test random_programs`.
#[test]
fn random_programs_come_out_alike() {
    let count = std::env::var("FRACAS_PROGRAMS").ok().and_then(|text| text.parse().ok());
    on_large_stack(|| {
        let both = BothWays::new();
        let (mut different, mut ran, mut next) = (Vec::new(), 0, 0);
        let count: usize = count.unwrap_or(2_000);
        while ran < count {
            let mut bodies = Vec::new();
            while bodies.len() < TOGETHER {
                let body = program(next);
                next += 1;
                if both.refusal(&body).is_none() {
                    bodies.push(body);
                }
            }
            for (body, [walked, machine]) in bodies.iter().zip(both.run(&bodies)) {
                ran += 1;
                // The walker has no name for a value that a closure shares.
                if walked != machine && !walked.contains("Dynamic>>") {
                    different.push(format!("{body}\n  walker:  {walked}\n  machine: {machine}"));
                }
            }
        }
        assert!(next < 2 * count as u64 + 1000, "{next} programs were written for {ran} that load");
        let shown = different.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(different.is_empty(), "{} of {ran} differ:\n{shown}", different.len());
    });
}

/// A case that does not load would leave out every program that has it.
#[test]
fn every_kind_of_case_loads() {
    let both = BothWays::new();
    for case in CASES {
        let refusal = both.refusal(&format!("switch this.got {{ {case} => 1, _ => 2 }}"));
        assert_eq!(refusal, None, "{case}");
    }
}

/// A small generator of numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        // The multiplier and increment of Knuth's MMIX.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// What every program begins with: variables of each kind.
const BEGIN: &str =
    "let a = 3; let b = -2; let s = \"xy\"; let l = [1, 2, \"q\"]; let m = #{ k: 1, n: [5] }; ";

fn expression(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 || dice.below(4) == 0 {
        return dice
            .pick(&[
                "a",
                "b",
                "s",
                "l",
                "m",
                "1",
                "0",
                "-4",
                "\"xy\"",
                "\"\"",
                "true",
                "false",
                "()",
                "'c'",
                "s[0]",
                "0.5",
                "2.0",
                "this.list",
                "this.name",
                "this.map",
                "m.k",
                "m.n[0]",
                "l[0]",
                "l[-1]",
                "this.map.b.c[1]",
                "this.done",
                "l.len",
                "s.len",
            ])
            .to_owned();
    }
    let mut part = || expression(dice, depth - 1);
    let (x, y, z) = (part(), part(), part());
    match dice.below(23) {
        0..5 => {
            let operator = dice.pick(&[
                "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "??", "&",
            ]);
            format!("({x} {operator} {y})")
        }
        5 => format!("!({x})"),
        6 => format!("-({x})"),
        7 => format!("[{x}, {y}]"),
        8 => format!("#{{ z: {x}, a: {y} }}"),
        9 => format!("(if {x} {{ {y} }} else {{ {z} }})"),
        10 => format!("({})", switch(dice, &x, [&y, &z])),
        11 => format!("({x} in {y})"),
        12 => format!("twice({x})"),
        13 => format!("`<${{{x}}}>`"),
        14 => format!("l[{x}]"),
        15 => format!("m[{x}]"),
        16 => format!(
            "{}.{}",
            dice.pick(&["a", "b", "this.map.a", "m.k"]),
            dice.pick(&["doubled()", "bump()", "add({x})"]).replace("{x}", &x)
        ),
        17 => format!(
            "{}.grow({x})",
            dice.pick(&["l", "m.n", "this.list", "this.map.b.c", "s", "[]"])
        ),
        18 => format!(
            "this.choose(\"red\", \"pick\", {})",
            dice.pick(&["[1, 2]", "[a == b, \"z\"]", "this.list", "[]"])
        ),
        19 => {
            let letters = [
                "s[0]",
                "s[-1]",
                "s.to_upper()",
                "s.split(\"x\")",
                "s.index_of(\"y\")",
                "s.contains('y')",
                "s.sub_string(1)",
                "s.to_chars()",
                "[s[0], \"x\", 'q'].contains(s)",
                "['c', \"c\", s].count_of('c')",
                "[\"x\", 'y', 1].without(s[-1])",
            ];
            dice.pick(&letters).to_owned()
        }
        20 => format!("{}({x}, {y})", dice.pick(&["sum", "min", "max", "add_to"])),
        21 => format!(
            "[{x}, {y}].{}",
            dice.pick(&[
                "map(|x, i| [i, x])",
                "filter(|x, i| i > 0)",
                "reduce(|s, x| s + x, 1)",
                "find(|x| x != a)",
                "some(|x| x == s)"
            ])
        ),
        22 => {
            let native = dice.pick(&["map", "filter", "some", "all"]);
            format!("l.{native}(|x| x == {})", dice.pick(&["1", "\"q\"", "x + 1"]))
        }
        _ => {
            let native = dice.pick(&[
                "len()",
                "is_empty()",
                "keys()",
                "contains(1)",
                "without(1)",
                "total()",
                "to_string()",
                "nothing()",
                "count_of(2)",
                "values()",
                "contains('q')",
                "count_of('q')",
                "without('q')",
                "index_of('q')",
            ]);
            format!("{}.{native}", dice.pick(&["l", "m", "s", "this.list", "this.map"]))
        }
    }
}

fn statement(dice: &mut Dice, depth: usize) -> String {
    let x = expression(dice, depth);
    match dice.below(20) {
        0 => format!("let a = {x};"),
        1 => format!("a = {x};"),
        2 => format!("b {} {x};", dice.pick(&["+=", "-=", "*=", "/="])),
        3 => format!("l.push({x});"),
        4 => format!("this.list[{}] = {x};", dice.pick(&["0", "-1", "a", "7"])),
        5 => format!("this.map.{} {} {x};", dice.pick(&["a", "new", "b"]), dice.pick(&["=", "+="])),
        6 => format!("m.{} = {x};", dice.pick(&["k", "n", "fresh"])),
        7 if depth > 0 => {
            format!(
                "if {x} {{ {} }} else {{ {} }}",
                statement(dice, depth - 1),
                statement(dice, depth - 1)
            )
        }
        8 if depth > 0 => format!(
            "for i in {} {{ {} {} }}",
            dice.pick(&["0..3", "l", "1..=2", "\"ab\"", "this.list", "m.keys()"]),
            statement(dice, depth - 1),
            dice.pick(&["", "if i == 1 { continue; }", "if i == 2 { break; }", "b = i;"]),
        ),
        9 if depth > 0 => {
            format!("let c = 0; while c < 3 {{ c += 1; {} }}", statement(dice, depth - 1))
        }
        10 => format!("s += {x};"),
        12 => format!(
            "for i in 0..2 {{ l = l.map(|x| [x, i, {}]); }}",
            dice.pick(&["1", "s", "i + 1"])
        ),
        13 => format!(
            "l.sort(|x, y| {});",
            dice.pick(&["if x == 1 { -1 } else { 1 }", "x == y", "false"])
        ),
        14 => format!("let o = #{{ f: |x| [x, {}] }}; a = o.f({x});", dice.pick(&["1", "b", "s"])),
        15 if depth > 0 => format!(
            "let c = 0; a = loop {{ c += 1; if c > 2 {{ break {x}; }} {} }};",
            statement(dice, depth - 1)
        ),
        16 => format!("a = {};", switch(dice, &x, ["l", "s"])),
        17 if depth > 0 => format!("{{ let b = {x}; {} }}", statement(dice, depth - 1)),
        18 => format!(
            "if {x} == {} {{ {} }}",
            dice.pick(&["1", "\"xy\"", "()"]),
            dice.pick(&["return a;", "throw s;", "return;"])
        ),
        11 => format!("let f = |x| x + {}; a = f.call({x});", dice.pick(&["1", "\"t\"", "x"])),
        // The language skips the condition after a `continue`, the machine looks at it: here it holds.
        19 if depth > 0 => format!(
            "let d = 0; do {{ d += 1; {} {} }} {};",
            dice.pick(&[
                "if d == 1 { continue; }",
                "if d < 2 { b -= 1; continue; }",
                "if d == 2 { break; }"
            ]),
            statement(dice, depth - 1),
            dice.pick(&["while d < 3", "until d > 2"])
        ),
        _ => format!("{x};"),
    }
}

/// Values that a case of a `switch` may have.
const CASES: [&str; 19] = [
    "0",
    "1",
    "-4",
    "3 | 5",
    "0.5",
    "2.0",
    "1.0",
    "'c'",
    "'x'",
    "'y' | 'q'",
    "\"xy\"",
    "\"x\"",
    "\"\"",
    "\"q\" | 7",
    "true",
    "false",
    "()",
    "[1, 2]",
    "#{ k: 1 }",
];

/// A `switch` with cases of every kind; ranges and conditions are not mixed. With many cases it is hashed.
fn switch(dice: &mut Dice, on: &str, results: [&str; 2]) -> String {
    let on = if dice.below(3) == 0 {
        dice.pick(&["'c'", "s[0]", "0.5", "1.0", "l[0]", "()"])
    } else {
        on
    };
    let (ranges, conditions) = [(false, false), (true, false), (false, true)][dice.below(3)];
    let most = if dice.below(3) == 0 { 18 } else { 4 };
    let count = 1 + dice.below(most);
    let mut arms = Vec::new();
    for number in 0..count {
        let case = dice.pick(&CASES);
        let condition = if conditions {
            dice.pick(&["", " if b < 0", " if a == 3", " if s[0] == 'x'"])
        } else {
            ""
        };
        arms.push(format!("{case}{condition} => {number}"));
    }
    if ranges {
        arms.push(format!("{} => {}", dice.pick(&["0..3", "3..=9", "-5..0"]), results[0]));
    }
    if dice.below(4) > 0 {
        arms.push(format!("_ => {}", results[1]));
    }
    format!("switch {on} {{ {} }}", arms.join(", "))
}

/// A program of the language; the same for the same number.
fn program(number: u64) -> String {
    let dice = &mut Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let count = 1 + dice.below(4);
    let statements: Vec<String> = (0..count).map(|_| statement(dice, 2)).collect();
    format!("{BEGIN}{} [a, b, s, l, m]", statements.join(" "))
}
