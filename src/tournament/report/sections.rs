//! What stands on the page? A section a question, from the answer to what repeats it.

use super::super::Mean;
use super::super::crosstable;
use super::super::{Cell, Course, Crosstable, Forfeit, Identity, Standings};
use super::html::Html;
use super::plots;
use crate::render::{count, margin, percent, points};

/// Forfeits that are listed; the notes have their number.
const FORFEITS: usize = 50;
/// Rows of the table beside the curve.
const STEPS: usize = 20;

/// What was played, in two sentences.
pub(super) fn summary(page: &mut Html, course: &Course<'_>) {
    let spec = course.spec();
    let words = format!(
        "{} games by {} agents, as a {}, with seed {}. Ratings are Elo points about their mean: 400 \
         more are ten wins to a loss; ± is half of a 95 % interval.",
        course.tally().games(),
        spec.agents.len(),
        spec.format.word().replace('_', " "),
        spec.seed
    );
    page.element("p class=\"lead\"", &words);
    page.raw("\n");
}

/// The standings, drawn and as a table.
pub(super) fn standings(page: &mut Html, standings: &Standings) {
    page.raw("<section aria-labelledby=\"standings\"><h2 id=\"standings\">Standings</h2>\n");
    plots::intervals(page, &standings.rows);
    let header = [
        "agent",
        "rating",
        "±",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "utility",
        "better than the next",
    ];
    let row = |row: &super::super::Standing| {
        let Cell { wins, draws, losses } = row.results;
        vec![
            row.agent.clone(),
            points(row.rating.points),
            margin(row.rating.half),
            count(row.results.games()),
            count(wins),
            count(draws),
            count(losses),
            row.score().map(percent).unwrap_or_default(),
            row.utility.map(Mean::text).unwrap_or_default(),
            row.superiority.map(percent).unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = standings.rows.iter().map(row).collect();
    page.table("All agents, the best first", &header, &rows);
    page.raw("</section>\n");
}

/// The points of each against each, shaded by how far they are from a half.
pub(super) fn crosstable(page: &mut Html, table: &Crosstable) {
    page.raw("<section aria-labelledby=\"cross\"><h2 id=\"cross\">Each against each</h2>\n");
    page.raw("<div class=\"wide\"><table>");
    page.element("caption", "Points of the row's agent against the column's, of so many games");
    page.raw("<thead><tr>");
    page.element("th scope=\"col\"", "agent");
    table.agents.iter().for_each(|agent| page.element("th scope=\"col\"", agent));
    page.raw("</tr></thead>\n<tbody>\n");
    for (agent, cells) in table.agents.iter().zip(&table.cells) {
        page.raw("<tr>");
        page.element("th scope=\"row\"", agent);
        for cell in cells {
            match cell.filter(|cell| cell.games() > 0.0) {
                None => page.element("td", ""),
                Some(cell) => {
                    let lead = cell.points() / cell.games() - 0.5;
                    let colour = if lead >= 0.0 { "--win" } else { "--loss" };
                    let style = format!("background: rgba(var({colour}), {:.2})", lead.abs());
                    let td = format!("td class=\"met\" style=\"{style}\"");
                    page.element(&td, &crosstable::points(cell));
                }
            }
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div></section>\n");
}

/// What each scenario and each seat came to.
pub(super) fn scenarios(
    page: &mut Html,
    course: &Course<'_>,
    identity: &Identity,
    standings: &Standings,
) {
    page.raw(
        "<section aria-labelledby=\"scenarios\"><h2 id=\"scenarios\">Scenarios and seats</h2>\n",
    );
    let tally = course.tally();
    for (index, fit) in standings.scenarios.iter().enumerate() {
        page.element("h3", &fit.scenario);
        page.raw("\n");
        if let Some(sentence) = fit.sentence() {
            page.element("p", &format!("{sentence}."));
            page.raw("\n");
        }
        let results: Vec<Vec<String>> = tally
            .results(index)
            .map(|(result, games)| vec![result.to_owned(), games.to_string()])
            .collect();
        page.table("How the games ended", &["result", "games"], &results);
        let seats = identity.conditions.seats.get(index).map(Vec::as_slice).unwrap_or_default();
        let seat = |(place, seat): (usize, &String)| {
            let utility = tally.seat_utility(index, place).map(Mean::text).unwrap_or_default();
            vec![seat.clone(), utility]
        };
        let rows: Vec<Vec<String>> = seats.iter().enumerate().map(seat).collect();
        page.table("Mean utility of each seat, whoever held it", &["seat", "utility"], &rows);
    }
    page.raw("</section>\n");
}

/// All pairings.
pub(super) fn pairings(page: &mut Html, table: &Crosstable) {
    page.raw("<section aria-labelledby=\"pairings\"><h2 id=\"pairings\">Pairings</h2>\n");
    let row = |pairing: &super::super::PairingResult| {
        let results = pairing.results;
        vec![
            pairing.a.clone(),
            pairing.b.clone(),
            pairing.scenario.clone(),
            count(results.games()),
            percent(results.points() / results.games()),
            if pairing.exact { "exact" } else { "sampled" }.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = table.pairings.iter().map(row).collect();
    let header = ["agent", "against", "scenario", "games", "score", ""];
    page.table("The score of the first agent in each pairing", &header, &rows);
    page.raw("</section>\n");
}

/// How sure the ratings became.
pub(super) fn narrowed(page: &mut Html, course: &Course<'_>) {
    let ways = course.narrowed();
    if ways.len() < 2 {
        return;
    }
    page.raw("<section aria-labelledby=\"sure\"><h2 id=\"sure\">How the ratings narrowed</h2>\n");
    plots::narrowed(page, ways);
    let skip = ways.len().div_ceil(STEPS);
    let last = ways.len() - 1;
    let rows: Vec<Vec<String>> = ways
        .iter()
        .enumerate()
        .filter(|(index, _)| (last - index).is_multiple_of(skip))
        .map(|(_, way)| vec![way.games.to_string(), margin(way.widest)])
        .collect();
    page.table("The widest interval after so many games", &["games", "±"], &rows);
    page.raw("</section>\n");
}

/// What stopped it and why, and what went strangely.
pub(super) fn notes(page: &mut Html, standings: &Standings, forfeits: &[(u64, String, Forfeit)]) {
    if standings.notes.is_empty() && forfeits.is_empty() {
        return;
    }
    page.raw("<section aria-labelledby=\"notes\"><h2 id=\"notes\">Notes</h2>\n<ul>\n");
    for note in &standings.notes {
        page.element("li", note);
        page.raw("\n");
    }
    for (number, agent, forfeit) in forfeits.iter().take(FORFEITS) {
        page.raw("<li>");
        page.text(&format!("game {number}: {agent} forfeited: {}", forfeit.message));
        if let Some(history) = &forfeit.history {
            page.raw(" (");
            page.element("code", history);
            page.raw(")");
        }
        page.raw("</li>\n");
    }
    page.raw("</ul></section>\n");
}

/// All that repeats it.
pub(super) fn repeat(page: &mut Html, identity: &Identity) {
    page.raw("<section aria-labelledby=\"repeat\"><h2 id=\"repeat\">To repeat it</h2>\n");
    let version = &identity.conditions.version;
    page.element("p", &format!("The spec, as fracas {version} read it; its digest is below."));
    page.raw("\n<pre>");
    page.text(&identity.spec);
    page.raw("</pre>\n");
    let mut rows = vec![vec!["the spec".to_owned(), identity.digest.clone()]];
    let scripts = identity.conditions.scripts.iter();
    rows.extend(scripts.map(|(name, digest)| vec![name.clone(), digest.clone()]));
    page.table("SHA-256 digests", &["file", "digest"], &rows);
    page.raw("</section>\n");
}
