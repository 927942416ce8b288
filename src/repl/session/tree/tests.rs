//! Tests of the tree of all ways that were played.

use super::*;
use crate::game::Value;

fn way(name: Option<&str>, text: &str, at: Option<usize>) -> Way {
    Way { name: name.map(str::to_owned), history: History::parse(text).unwrap(), at }
}

/// `main` is at `a x 1`, two lines diverge after it, one begins differently.
fn ways() -> [Way; 3] {
    [
        way(Some("main"), "a x 1\nb y 1\na x 2", Some(1)),
        way(Some("bold"), "a x 1\nb y 1\na x 3\na x 4", Some(4)),
        way(None, "a x 9", None),
    ]
}

#[test]
fn what_others_weighed_is_not_shown() {
    let weighed = Weighed {
        history: History::default(),
        who: "a".to_owned(),
        name: "x".to_owned(),
        by: Some("`greedy` for people".to_owned()),
        options: vec![(Value::Int(1), "a 75 %".to_owned())],
    };
    let ways = [way(Some("main"), "a x 1 & b x 2", Some(1))];
    let seen = |viewer: &Viewer| {
        let weighed = std::slice::from_ref(&weighed);
        as_text(&tree(&ways, viewer, weighed, &|_| None, &mut Numbers::default()), 80)
    };
    let of = |who: &str| seen(&Viewer::Of(vec![who.to_owned()]));
    assert!(
        of("a").contains("a x 1; line `main`; odds of 1, `greedy` for people: a 75 %"),
        "{}",
        of("a")
    );
    assert!(of("b").contains("b x 2; line `main`"), "{}", of("b"));
    assert!(!of("b").contains("odds"), "{}", of("b"));
    assert!(seen(&Viewer::All).contains("odds of 1, `greedy` for people: a 75 %"));
}

#[test]
fn ways_that_differ_in_what_is_hidden_look_the_same() {
    // For `a`, what `b` did is not there: both ways are `a x 1`, then one of two.
    let viewer = Viewer::Of(vec!["a".to_owned()]);
    let ways = [
        way(Some("main"), "a x 1\nb y 1\na x 2", Some(3)),
        way(None, "a x 1\nb y 7\na x 2", None),
        way(None, "a x 1\nb y 7", None),
    ];
    let nodes = tree(&ways, &viewer, &[], &|_| None, &mut Numbers::default());
    let text = as_text(&nodes, 80);
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(!text.contains('y'), "{text}");
}

#[test]
fn a_node_keeps_its_number_and_the_numbers_of_others_do_not_count() {
    let [main, bold, _] = ways();
    let mut numbers = Numbers::default();
    let mut shown = |ways: &[Way], viewer: &Viewer| -> Vec<(usize, String)> {
        let nodes = tree(ways, viewer, &[], &|_| None, &mut numbers);
        nodes.iter().map(|node| (node.number, node.entries.join(", "))).collect()
    };
    let owned = |numbered: &[(usize, &str)]| -> Vec<(usize, String)> {
        numbered.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
    };
    // `main` is after `a x 1`, which is a node for that, and ends behind `a x 2`.
    let first = shown(std::slice::from_ref(&main), &Viewer::All);
    assert_eq!(first, owned(&[(0, ""), (1, "a x 1"), (2, "b y 1, a x 2")]));
    // Where `main` is elsewhere, `a x 1` is no node, and the end is still node 2. With another way the
    // place where they part is new, and so is the other end.
    let elsewhere = Way { at: Some(3), ..main.clone() };
    let second = shown(std::slice::from_ref(&elsewhere), &Viewer::All);
    assert_eq!(second, owned(&[(0, ""), (2, "a x 1, b y 1, a x 2")]));
    let both = shown(&[elsewhere.clone(), bold.clone()], &Viewer::All);
    assert_eq!(both, owned(&[(0, ""), (3, "a x 1, b y 1"), (2, "a x 2"), (4, "a x 3, a x 4")]));
    // For somebody else they are counted from the beginning.
    let others = shown(&[elsewhere, bold], &Viewer::Of(vec!["b".to_owned()]));
    assert_eq!(others, owned(&[(0, ""), (1, "b y 1")]));
}
