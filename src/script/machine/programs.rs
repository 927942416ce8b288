//! Random programs of the language: each comes out on the machine as it does by the walker.

use super::tests::both;

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
    match dice.below(18) {
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
        10 => format!("(switch {x} {{ 1 | 3 => {y}, \"xy\" => {z}, true => 7, _ => a }})"),
        11 => format!("({x} in {y})"),
        12 => format!("twice({x})"),
        13 => format!("`<${{{x}}}>`"),
        14 => format!("l[{x}]"),
        15 => format!("m[{x}]"),
        16 => {
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
            ]);
            format!("{}.{native}", dice.pick(&["l", "m", "s", "this.list", "this.map"]))
        }
    }
}

fn statement(dice: &mut Dice, depth: usize) -> String {
    let x = expression(dice, depth);
    match dice.below(13) {
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
        11 => format!("let f = |x| x + {}; a = f.call({x});", dice.pick(&["1", "\"t\"", "x"])),
        _ => format!("{x};"),
    }
}

fn program(number: u64) -> String {
    let dice = &mut Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let count = 1 + dice.below(4);
    let statements: Vec<String> = (0..count).map(|_| statement(dice, 2)).collect();
    format!("{BEGIN}{} [a, b, s, l, m]", statements.join(" "))
}

#[test]
fn random_programs_come_out_alike() {
    let count = std::env::var("FRACAS_PROGRAMS").ok().and_then(|text| text.parse().ok());
    crate::script::on_large_stack(|| {
        let mut different = Vec::new();
        let mut ran = 0;
        for number in 0..count.unwrap_or(200u64) {
            let body = program(number);
            let (walked, machine) = both(&body);
            if machine.starts_with("does not load") {
                continue;
            }
            ran += 1;
            if walked != machine {
                different.push(format!("{body}\n  walker:  {walked}\n  machine: {machine}"));
            }
        }
        let shown = different.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(different.is_empty(), "{} of {ran} differ:\n{shown}", different.len());
    });
}
