//! Tests that primitives do what their documentation says, and refuse what they should.

use rhai::{Dynamic, Engine};

use super::{documentation, module};
use crate::script::machine::Texts;
use crate::script::machine::convert::from_dynamic;

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_max_expr_depths(0, 0);
    engine.register_global_module(module().into());
    engine
}

fn eval(code: &str) -> Dynamic {
    engine().eval::<Dynamic>(code).unwrap_or_else(|error| panic!("{code}: {error}"))
}

#[track_caller]
fn is(code: &str, expected: &str) {
    let (found, expected, texts) = (eval(code), eval(expected), Texts::default());
    let value = |value| from_dynamic(value, &texts).expect("plain data");
    assert!(value(&found).same(&value(&expected)), "{code} gives {found:?}, not {expected:?}");
}

#[track_caller]
fn says(code: &str, message: &str) {
    let error = engine().eval::<Dynamic>(code).expect_err(code).to_string();
    assert!(error.contains(message), "{code} says: {error}");
}

#[test]
fn every_function_has_a_text_and_examples_that_hold() {
    let docs = documentation();
    for doc in &docs {
        let place = format!("{}: {}", doc.family, doc.signature);
        let first = doc.text.lines().next().unwrap_or_default();
        assert!(first.ends_with('.'), "{place} has no sentence: {first:?}");
        assert!(!doc.signature.contains(": any>"), "{place}");
        let examples = doc.examples().count();
        assert!(examples > 0, "{place} has no example");
        assert_eq!(examples, doc.example.lines().count(), "{place}: {}", doc.example);
        for (code, result) in doc.examples() {
            assert!(code.contains(&format!("{}(", doc.name)), "{place}: {code}");
            is(code, result);
        }
    }
}

#[test]
fn what_changes_its_argument_says_so_and_nothing_else_does() {
    let mut changing: Vec<String> =
        documentation().into_iter().filter(|doc| doc.changes).map(|doc| doc.name).collect();
    changing.dedup();
    let expected = [
        "take_row",
        "draw",
        "pay",
        "add_each",
        "add_token",
        "put_on_top",
        "remove_token",
        "take_up_to",
    ];
    assert_eq!(changing, expected);
    for doc in documentation() {
        // Only what may change it cannot be called on a constant.
        let parameters = doc.signature.split(" -> ").next().unwrap_or_default();
        let types = parameters.split(": ").skip(1);
        let values: Vec<&str> = types
            .map(|kind| match kind.split([',', ')']).next().unwrap_or_default() {
                "list" => "[]",
                "map" => "#{}",
                "text" => "\"\"",
                "whole number" => "0",
                "truth value" => "true",
                _ => "()",
            })
            .collect();
        let Some((first, others)) = values.split_first() else { continue };
        let code = format!("const X = {first}; X.{}({})", doc.name, others.join(", "));
        let refused = matches!(
            engine().eval::<rhai::Dynamic>(&code).map_err(|error| *error),
            Err(rhai::EvalAltResult::ErrorNonPureMethodCallOnConstant(..))
        );
        assert_eq!(refused, doc.changes, "{code}");
        assert_eq!(doc.text.contains("Changes `"), doc.changes, "{}", doc.signature);
    }
    is("let c = #{ a: 2, b: 0 }; c.fewest_first(); c.at_least(1); total(c); c", "#{ a: 2, b: 0 }");
    is("let s = [1, 2]; turn_tile(s, 1); s.without(1); s.apply_stress(2); s", "[1, 2]");
}

#[test]
fn calls_work_on_variables_parts_of_this_constants_and_literals() {
    is("const C = #{ a: 1 }; fewest_first(C)", r#"[["a"]]"#);
    is("const C = #{ a: 1 }; C.fewest_first()", r#"[["a"]]"#);
    is(r#"const C = ["a"]; match_stacks(C, C)"#, r#"[["a", "a"]]"#);
    says("const C = #{ a: 1 }; C.remove_token(\"a\")", "constant");
    is(
        r#"fn step() { this.area.tokens.remove_token("red"); this.area.tokens.fewest_first() }
           let s = #{ area: #{ tokens: #{ red: 3, blue: 2 } } }; let groups = s.step(); [groups, s.area.tokens.red]"#,
        r#"[[["blue", "red"]], 2]"#,
    );
    is("let s = #{ x: [1] }; s.x.put_on_top(0); put_on_top(s.x, 5); s.x", "[0, 1]");
    is("let f = || 1; let c = #{ a: 2 }; let g = || c.total(); c.total() + g.call()", "4");
}

#[test]
fn a_row_is_taken_whole_or_not_at_all() {
    says("let c = #{ n: [1] }; c.take_row(\"m\", 1)", "take_row: `columns` has no `m`");
    says("let c = #{ n: [1] }; c.take_row(\"n\", 2)", "take_row: `columns.n` has no `2`");
    says("let c = #{ n: 1 }; c.take_row(\"n\", 1)", "`columns.n` must be a list, got `1`");
    says("let c = #{ m: [], n: [1] }; c.take_row(\"n\", 1)", "`columns.m` has only 0 rows");
    says("side_by_side(#{ a: #{ x: 1 }, b: #{} }, #{})", "side_by_side: `otherwise` has no `b`");
    says("side_by_side(#{ a: 1 }, #{})", "`columns.a` must be a map, got `1`");
}

#[test]
fn errors_name_the_function_the_argument_and_the_nearest_word() {
    for mistake in r##"
        remove_token(#{ red: 1 }, "rde") => remove_token: `counts` has no `rde`; did you mean `red`?
        remove_token(#{ red: 0 }, "red") => remove_token: `counts.red` is 0, so 1 cannot be taken from it
        remove_token(["salt"], "slat") => `stack` has no `slat`; did you mean `salt`?
        draw([], 1) => draw: `hand` has no `1`
        fewest_first(#{ red: -1 }) => fewest_first: `counts.red` must be a whole number of 0 or more, got `-1`
        fewest_first(#{ red: 1 }, ["rad"]) => `order` has no `red`; did you mean `rad`?
        fewest_first(#{ a: 1 }, ["a", "a"]) => `order` has a name twice
        fewest_first(#{ a: 1 }, [1]) => `order[0]` must be a text, got `1`
        total([1, "x"]) => total: `numbers[1]` must be a number, got `x`
        total([9223372036854775807, 1]) => total: the sum is too large
        total(1) => `numbers` must be a list or a map, got `1`
        names_of([#{ name: 1 }], "nam") => names_of: `list[0]` has no `nam`; did you mean `name`?
        names_of([1], "name") => `list[0]` must be a map, got `1`
        opposite("nort") => did you mean `north`?
        neighbour(4, 4, "4,0", "east") => `cell` `4,0` is off the grid of 4 by 4
        neighbour(4, 4, "01,2", "east") => `cell` must be a text `x,y`, got `01,2`
        cell_place("1, 2") => `cell` must be a text `x,y`, got `1, 2`
        cell_place("+1,2") => `cell` must be a text `x,y`, got `+1,2`
        mixes([["a", 2], ["a", 3]], #{ a: 1 }, 3) => mixes: `resources` has `a` twice
        read_mix("0 a") => read_mix: `0 a` is not a payment like
        neighbour(4, 4, "a", "east") => `cell` must be a text `x,y`, got `a`
        compare_edges("bariere", 1, [["barrier", "any", -1]]) => compare_edges: no row of `precedence` names `bariere`; did you mean `barrier`?
        compare_edges(1, 1, [[1, 2]]) => `precedence[0]` must be `[attacker, defender, margin]`
        compare_edges(1, "x", [["x", "any", 1]]) => no row of `precedence` fits `1` against `x`
        compare_edges(1, true, []) => `defender` must be a whole number or a word, got `true`
        compare_edges(9223372036854775807, -1, []) => the difference is too large
        mixes(#{ mana: 1 }, #{ man: 1 }, 1) => `resources` has no `man`; did you mean `mana`?
        mixes([["mana"]], #{ mana: 1 }, 1) => `resources[0]` must be `[name, number]`
        pay(#{ mana: 1 }, "2 mana") => `resources.mana` is 1, so 2 cannot be paid from it
        pay(#{ mana: 1 }, "two mana") => `two mana` is not a payment
        link_both_ways(#{ ford: ["hils"], hills: [] }) => `links.ford` names `hils`, which `links` lacks; did you mean `hills`?
        next_in(["red"], "rad") => did you mean `red`?
        apply_stress([1], -1) => `stress` must be 0 or more
        deal_out(1, []) => there are no `names`
        count_values(["rad"], ["red"]) => `names` has no `rad`; did you mean `red`?
        greatest([]) => greatest: there are no `numbers`
    "##.trim().lines() {
        let (code, message) = mistake.trim().split_once(" => ").unwrap();
        says(code, message);
    }
}

#[test]
fn a_failed_change_changes_nothing() {
    let after = |call: &str| {
        format!("let c = #{{ a: 1, b: 0 }}; let s = [1, 2]; try {{ {call} }} catch {{ }} [c, s]")
    };
    for call in [r#"c.pay("1 a + 1 b")"#, r#"c.remove_token("a", 2)"#, "s.remove_token(3)"] {
        is(&after(call), "[#{ a: 1, b: 0 }, [1, 2]]");
    }
}

#[test]
fn what_is_too_large_is_refused_and_not_made() {
    says("all_cells(1000000, 1000000)", "more than the 100000 allowed");
    says("all_cells(9223372036854775807, 9223372036854775807)", "more than the 100000 allowed");
    says("all_cells(0, 3)", "`width` must be 1 or more");
    says("numbers(0, 1000000)", "more than the 100000 allowed");
    says("numbers(-9223372036854775807, 9223372036854775807)", "more than the 100000 allowed");
    let many = "#{ a: 1000000, b: 1000000 }";
    says(&format!("mixes({many}, #{{ a: 1, b: 1 }}, 1000000)"), "more than 100000 parts");
    // One kind of which most are needed is no search at all.
    is(
        "mixes(#{ a: 9000000000000000000 }, #{ a: 1 }, 8000000000000000000)",
        "[#{ a: 8000000000000000000 }]",
    );
    is("mixes(#{ a: 9223372036854775807 }, #{ a: 9223372036854775807 }, 5)", "[#{ a: 1 }]");
    is("worth(#{ a: 9223372036854775807 }, #{ a: 3 })", "9223372036854775807");
    let kinds: Vec<String> = (0..70).map(|i| format!("[\"k{i}\", 1]")).collect();
    let rates: Vec<String> = (0..70).map(|i| format!("k{i}: 1")).collect();
    says(
        &format!("mixes([{}], #{{ {} }}, 35)", kinds.join(", "), rates.join(", ")),
        "more than 64 kinds",
    );
    says(
        &format!("mixes([{}], #{{ {} }}, 30)", kinds[..60].join(", "), rates[..60].join(", ")),
        "more than 100000 parts",
    );
    let long = "let a = []; let b = []; for i in 0..1000 { a.push(`${i}` + \"x\"); b.push(`${i}` + \"y\"); }";
    let fat =
        "let x = \"x\"; for i in 0..16 { x += x; } let a = []; for i in 0..1001 { a.push(x + i); }";
    is(&format!("{long} a.without(b).len()"), "1000");
    says(&format!("{fat} a.without(a)"), "without: comparing 1001 items with 1001 is too much");
    says(&format!("{fat} a.in_order(a)"), "`names[0]` is longer than 1000 bytes");
    says(&format!("{fat} a.index_in(x)"), "index_in: `list` has no `xxxxxxxx");
    let deep = "let a = []; for i in 0..200 { a = [a]; } count_of([a], a)";
    is(deep, "1");
    is("turn_tile([], 3)", "[]");
    is("turn_tile([1, 2, 3, 4], -9223372036854775807 - 1)", "[1, 2, 3, 4]");
    is("cell_place(straight_run(#{ \"0,0\": 1 }, \"0,1\", \"north\")[0])", "[0, 0]");
}

#[test]
fn mixes_are_what_looking_through_everything_finds() {
    let engine = engine();
    for (rates, order) in [([2, 1, 0], "mao"), ([3, 2, 5], "mao"), ([1, 1, 4], "mao")] {
        for (have, cost) in [([2, 3, 4], 4), ([4, 4, 4], 7), ([1, 0, 3], 11), ([3, 5, 2], 9)] {
            let mut expected = Vec::new();
            for m in (0..=have[0]).rev() {
                for a in (0..=have[1]).rev() {
                    for o in (0..=have[2]).rev() {
                        let taken = [m, a, o];
                        let value: i64 = (0..3).map(|i| taken[i] * rates[i]).sum();
                        let spare = (0..3).any(|i| taken[i] > 0 && value - rates[i] >= cost);
                        if value >= cost && !spare {
                            expected.push(taken);
                        }
                    }
                }
            }
            let pair = |i: usize| format!("[\"{}\", {}]", &order[i..=i], have[i]);
            let code = format!(
                "mixes([{}, {}, {}], #{{ m: {}, a: {}, o: {} }}, {cost}).map(|x| [x.m, x.a, x.o])",
                pair(0),
                pair(1),
                pair(2),
                rates[0],
                rates[1],
                rates[2],
            );
            let found = engine.eval::<rhai::Array>(&code).unwrap();
            let found: Vec<Vec<i64>> =
                found.into_iter().map(|mix| mix.into_typed_array().unwrap()).collect();
            assert_eq!(found, expected, "{code}");
        }
    }
}

#[test]
fn edges_compare_by_the_first_row_that_fits_and_else_by_their_numbers() {
    let rows = r#"["barrier", "any", -9], ["any", "barrier", -9], ["piercer", "any", 9], ["any", "piercer", 9]"#;
    let pierces = r#"["piercer", "barrier", 9], "#;
    // Three beats four, and nothing else of that kind.
    let upset = r#"[3, 4, 1], "#;
    // Rows: attacker 3, piercer, barrier; columns: defender 2, 3, 4, piercer, barrier.
    for (more, margins) in [
        ("", [[1, 0, -1, 9, -9], [9, 9, 9, 9, -9], [-9, -9, -9, -9, -9]]),
        (pierces, [[1, 0, -1, 9, -9], [9, 9, 9, 9, 9], [-9, -9, -9, -9, -9]]),
        (upset, [[1, 0, 1, 9, -9], [9, 9, 9, 9, -9], [-9, -9, -9, -9, -9]]),
    ] {
        for (attacker, row) in ["3", "\"piercer\"", "\"barrier\""].into_iter().zip(margins) {
            let defenders = ["2", "3", "4", "\"piercer\"", "\"barrier\""];
            for (defender, margin) in defenders.into_iter().zip(row) {
                is(
                    &format!("compare_edges({attacker}, {defender}, [{more}{rows}])"),
                    &margin.to_string(),
                );
            }
        }
    }
}

#[test]
fn values_are_the_same_as_data() {
    is("count_of([1, 1.0, \"1\", true, ()], 1)", "2");
    is("count_of([[1, #{ a: [] }], [1, #{ a: [()] }]], [1, #{ a: [] }])", "1");
    is("count_of([(), 0, \"\"], ())", "1");
}

#[test]
fn places_are_shared() {
    let land = r#"#{ ford: ["red", "blue"], hills: ["red"], marsh: [] }"#;
    is(&format!(r#"{land}.places_of([], ["marsh", "ford"])"#), r#"["marsh", "ford"]"#);
    says(&format!(r#"{land}.places_of(["red"], ["hill"])"#), "did you mean `hills`?");
    says(&format!(r#"{land}.places_of(["red"], ["lake"])"#), "`places` has no `lake`");
    says(r#"places_of(#{ ford: 1 }, [], ["ford"])"#, "`places.ford` must be a list");
}

#[test]
fn mixes_are_told_what_they_cannot_count() {
    let purse = "#{ mana: 2, ore: 3, food: 1 }, #{ mana: 2, ore: 1, food: 0 }";
    says(&format!("mixes({purse}, 3, [\"mana\"])"), "`order` has no");
    says(&format!("worth({})", purse.replace("food: 1", "wood: 1")), "`resources` has no `food`");
    says(&format!("worth({})", purse.replace("ore: 3", "ore: -3")), "`resources.ore`");
    says(&format!("worth({})", purse.replace("ore: 1", "ore: -1")), "`rates.ore`");
}

#[test]
fn values_are_replaced_and_looked_for_under_keys() {
    is("replaced([1, [1]], [1], 2)", "[1, 2]");
    says("replaced(1, 1, 2)", "must be a list or a map");
}

#[test]
fn what_is_no_data_is_named_with_its_place() {
    says("count_values([1, |x| x])", "takes plain data: `list[1]` is a function");
    says("count_values([#{ a: [|x| x] }])", "`list[0].a[0]` is a function");
}

#[test]
fn characters_are_compared_and_counted_as_the_text_of_them_alone() {
    is("['a', 'b', \"a\"].without('a')", "['b']");
    is("['a', \"ab\"].without(\"a\")", "[\"ab\"]");
    is("['a', 'b', \"a\"].count_of('a')", "2");
    is("['a', 'b'].only(['b'])", "['b']");
    is("['a', 'b'].index_in('b')", "1");
    is("['a', 'b'].replaced('b', 1)", "['a', 1]");
    is("count_values(['a', 'b', \"a\"])", "#{ a: 2, b: 1 }");
    says("['a'].index_in('b')", "`list` has no `b`");
}
