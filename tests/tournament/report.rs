//! Does the page tell all, need nothing, and trust nobody's text?

use fracas::tournament::Report;

use super::*;

fn page(text: &str, agent: &str) -> String {
    let spec = spec(&text.replace("\"a\"", &serde_json::to_string(agent).unwrap()));
    let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
    let mut forfeits = Vec::new();
    let run = play(&spec, &mut results, &QUICK, 2, None);
    drop(run);
    let course = replay(&spec, &mut results, |game, result| {
        if let Some(forfeit) = &result.forfeit {
            let agent = spec.agents[game.seating.agents[forfeit.seat]].clone();
            forfeits.push((game.number, agent, forfeit.clone()));
        }
        Ok(())
    })
    .unwrap();
    Report { course: &course, identity: results.identity(), forfeits: &forfeits }.html()
}

#[test]
fn the_page_tells_all_and_needs_nothing() {
    let page = page(WITHIN, "a");
    if let Some(path) = std::env::var_os("FRACAS_SHOW_REPORT") {
        std::fs::write(path, &page).unwrap();
    }
    for words in [
        "Standings",
        "Each against each",
        "Scenarios and seats",
        "Pairings",
        "To repeat it",
        "stopped after",
        "within = 60.0",
        "forfeits/96.fracas",
        "rules.rhai",
        "prefers-color-scheme",
    ] {
        assert!(page.contains(words), "{words}");
    }
    for source in ["<script", "http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(source), "{source}");
    }
    // Each picture has a title and its words.
    let pictures = page.matches("<svg").count();
    assert_eq!(pictures, 2);
    assert_eq!(page.matches("<title id=").count(), pictures);
    assert_eq!(page.matches("<desc id=").count(), pictures);
    balanced(&page);
}

#[test]
fn text_of_agents_and_scripts_stays_text() {
    let page = page(EVEN, "<img src=x onerror=alert(1)>\u{202e}&\"'");
    assert!(!page.contains("<img") && !page.contains("<x>") && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;\u{fffd}&amp;&quot;&#39;"));
    balanced(&page);
}

/// Every element that is opened is closed, in order.
fn balanced(page: &str) {
    const ALONE: [&str; 5] = ["!DOCTYPE", "meta", "line", "circle", "polyline"];
    let mut open = Vec::new();
    for part in page.split('<').skip(1) {
        let tag = part.split('>').next().unwrap();
        let name = tag.trim_end_matches('/').split([' ', '\n']).next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "near {part}"),
            None if ALONE.contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}
