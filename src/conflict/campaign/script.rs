//! The script of a campaign: the functions in its own file, and the part that is written for it.

use super::systems::PlayedSystem;
use crate::catalog::{CAMPAIGN, Campaign};
use crate::error::{Error, Location};
use crate::script::{Definition, definitions};

/// The function of the contract by which a campaign ends.
const OUTCOME: &str = "outcome";

/// The functions in the file of a campaign.
pub(super) struct Own(Vec<(String, usize, Location)>);

impl Own {
    pub(super) fn read(campaign: &Campaign) -> Own {
        let script = campaign.script.as_ref();
        let of = |found: Definition| {
            let line = found.text.lines().find(|line| line.trim_start().starts_with("fn "));
            let params = line.and_then(|line| line.split_once('(')?.1.split_once(')'));
            let params = params.map_or("", |(params, _)| params.trim());
            let count = if params.is_empty() { 0 } else { params.split(',').count() };
            (found.name, count, found.at)
        };
        let found = script.map(|text| definitions(&text.path, &text.text, 0)).unwrap_or_default();
        Own(found.into_iter().map(of).collect())
    }

    /// Where the function is that makes a setup.
    pub(super) fn begins(&self, name: &str) -> Result<Option<Location>, Error> {
        let Some((_, count, at)) = self.0.iter().find(|(known, ..)| known == name) else {
            let known = self.0.iter().filter(|(name, ..)| name != OUTCOME);
            return Err(Error::unknown("function", name, known.map(|(name, ..)| name.as_str())));
        };
        if *count == 2 {
            return Ok(Some(at.clone()));
        }
        let message = format!("takes `(setup, past)`, but has {count} parameters");
        Err(Error::Setup { place: name.to_owned(), message, nearest: None, at: Some(at.clone()) })
    }

    /// Where the function is that says how the campaign ends.
    pub(super) fn ends(&self) -> Option<Location> {
        let ends = self.0.iter().find(|(name, count, _)| name == OUTCOME && *count == 2);
        ends.map(|(.., at)| at.clone())
    }
}

/// What the script says where all conflicts are played.
pub(super) const WHOLE: &str = "const UNTIL = 0;\n";

pub(super) struct ImportCall {
    /// The number of its import.
    pub import: usize,
    /// The function that makes its setup.
    pub begin: Option<String>,
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

pub(super) fn written(
    campaign: &Campaign,
    calls: &[ImportCall],
    imports: &[PlayedSystem],
    ends: bool,
) -> String {
    let each = |of: &dyn Fn(usize, &PlayedSystem) -> String| -> String {
        let calls = calls.iter().enumerate();
        calls
            .map(|(at, call)| format!("        {at} => {},\n", of(at, &imports[call.import])))
            .collect()
    };
    let function = |head: &str, on: &str, arms: String| {
        format!("fn {head} {{\n    switch {on} {{\n{arms}        _ => ()\n    }}\n}}\n")
    };
    let on = "this.campaign.on";
    let named = |played: &PlayedSystem, call: &str| format!("this.{}::{call}", played.import.name);
    let names = campaign.chapters.iter().map(|chapter| quoted(&chapter.name));
    let names = names.collect::<Vec<_>>().join(", ");
    let mut text = format!("{WHOLE}const NAMES = [{names}];\n");
    text += &function("campaign_prepare(at, past)", "at", {
        let one = |(at, call): (usize, &ImportCall)| match &call.begin {
            Some(begin) => {
                format!("        {at} => {CAMPAIGN}::{begin}(campaign_setup({at}), past),\n")
            }
            None => format!("        {at} => campaign_setup({at}),\n"),
        };
        calls.iter().enumerate().map(one).collect()
    });
    let begun = |_: usize, played: &PlayedSystem| format!("{}::setup(reader)", played.import.name);
    text += &function("campaign_begin(at, reader)", "at", each(&begun));
    text += &function("campaign_step()", on, each(&|_, played| named(played, "step()")));
    text += &function("campaign_outcome()", on, each(&|_, played| named(played, "outcome()")));
    let or = |name: &'static str, call: &'static str, without: &'static str| {
        move |_: usize, played: &PlayedSystem| match played.has(name) {
            true => format!("this.{}::{call}", played.import.name),
            false => without.to_owned(),
        }
    };
    text += &function("campaign_view(player)", on, each(&or("view", "view(player)", "this")));
    text += &function("campaign_picture()", on, each(&or("picture", "picture()", "\"\"")));
    let wording = "wording(player, question, options)";
    text += &function(
        "campaign_wording(player, question, options)",
        on,
        each(&or("wording", wording, "()")),
    );
    text += &function("campaign_laws()", on, each(&or("laws", "laws()", "[]")));
    text += &function("campaign_sides()", on, each(&or("sides", "sides()", "#{}")));
    text += &match ends {
        true => format!("fn campaign_end(past, left) {{ {CAMPAIGN}::outcome(past, left) }}\n"),
        false => "fn campaign_end(past, left) { campaign_sum(past, left) }\n".to_owned(),
    };
    // Before the conflict has a state of the campaign's, it asks on one of its own.
    text += &match imports {
        [only] if only.has("view") => {
            format!("fn campaign_early_view(player) {{ {} }}\n", named(only, "view(player)"))
        }
        [_] => "fn campaign_early_view(player) { this }\n".to_owned(),
        _ => "fn campaign_early_view(player) { #{} }\n".to_owned(),
    };
    let any = |name: &str| imports.iter().any(|played| played.has(name));
    if any("picture") {
        text += "fn picture() { this.campaign_drawn() }\n";
    }
    if any("drawing") {
        text += &function("campaign_drawing()", on, each(&or("drawing", "drawing()", "[]")));
        text +=
            "fn drawing() { if this.campaign.on < 0 { [] } else { this.campaign_drawing() } }\n";
    }
    if any("wording") {
        text += "fn wording(player, question, options) { this.campaign_worded(player, question, options) }\n";
    }
    if any("laws") {
        text += "fn laws() { this.campaign_laws() }\n";
    }
    if any("sides") {
        text += "fn sides() { this.campaign.sides }\n";
    }
    text
}
