//! Tests of imports: they are read as written, and only the names of an import are marked.

use super::*;

#[test]
fn imports_stand_first_and_leave_every_place_as_it_is() {
    let text = "//! Prose.\n// é\n/* import */ import \"a\" as x;\nimport \"b\"\n  as y;\nfn f() { import }";
    let found = wanted("r.rhai", text).unwrap();
    let names: Vec<(&str, &str)> =
        found.iter().map(|one| (one.system.as_str(), one.name.as_str())).collect();
    assert_eq!(names, [("a", "x"), ("b", "y")]);
    assert_eq!(found[0].at.to_string(), "r.rhai:3:14");
    let blank = without(text, &found);
    assert_eq!(blank.chars().count(), text.chars().count());
    assert_eq!(blank.lines().count(), text.lines().count());
    assert_eq!(blank.matches("import").count(), 2, "{blank}");
    for (wrong, why) in [
        ("import \"a\";", "write an import as `import \"system\" as name;`"),
        ("import a as b;", "write an import as `import \"system\" as name;`"),
        ("import \"a\" as b", "write an import as `import \"system\" as name;`"),
        ("import \"a\" as b; import \"c\" as b;", "`b` is imported twice"),
    ] {
        assert_eq!(wanted("r.rhai", wrong).unwrap_err().to_string(), why);
    }
}

#[test]
fn only_names_of_imports_are_marked_and_texts_are_left_alone() {
    let text = "x::f(1) + this.x::g() + y::f() + \"x::f\" + `x::f ${x::f(`${x::C}`)} x::f` // x::f";
    let marked = marked(text, &[Import { name: "x".to_owned(), ..Import::default() }]);
    assert_eq!(
        marked,
        "x__f(1) + this.x__g() + y::f() + \"x::f\" + `x::f ${x__f(`${x__C}`)} x::f` // x::f"
    );
}

#[test]
fn what_is_handed_over_is_counted_as_the_language_does() {
    for (code, count) in [
        ("()", 0),
        ("(1)", 1),
        ("(a, [1, 2], #{ a: 1, b: 2 })", 3),
        ("(|a, b| a + b, 2)", 2),
        ("(f(1, 2) | 3, 4)", 2),
        ("!(1, 2)", 2),
    ] {
        let tokens: Vec<Token> = lexed(code).into_iter().map(|(token, _)| token).collect();
        assert_eq!(handed(&tokens), count, "{code}");
    }
}
