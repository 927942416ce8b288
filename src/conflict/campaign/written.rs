//! Writes the part of a campaign's script that is its own: which conflict calls which import.

use super::systems::Played;
use crate::catalog::{CAMPAIGN, Campaign};

/// What the script says where all conflicts are played.
pub(super) const WHOLE: &str = "const UNTIL = 0;\n";

/// How one conflict is played.
pub(super) struct Call {
    /// The number of its import.
    pub import: usize,
    /// The function that makes its setup.
    pub begin: Option<String>,
}

/// A text as a script writes it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The functions that call the import of the conflict with a number.
pub(super) fn written(
    campaign: &Campaign,
    calls: &[Call],
    imports: &[Played],
    ends: bool,
) -> String {
    let each = |of: &dyn Fn(usize, &Played) -> String| -> String {
        let calls = calls.iter().enumerate();
        calls
            .map(|(at, call)| format!("        {at} => {},\n", of(at, &imports[call.import])))
            .collect()
    };
    let function = |head: &str, on: &str, arms: String| {
        format!("fn {head} {{\n    switch {on} {{\n{arms}        _ => ()\n    }}\n}}\n")
    };
    let on = "this.campaign.on";
    let named = |played: &Played, call: &str| format!("this.{}::{call}", played.import.name);
    let names = campaign.chapters.iter().map(|chapter| quoted(&chapter.name));
    let names = names.collect::<Vec<_>>().join(", ");
    let mut text = format!("{WHOLE}const NAMES = [{names}];\n");
    text += &function("campaign_prepare(at, past)", "at", {
        let one = |(at, call): (usize, &Call)| match &call.begin {
            Some(begin) => {
                format!("        {at} => {CAMPAIGN}::{begin}(campaign_setup({at}), past),\n")
            }
            None => format!("        {at} => campaign_setup({at}),\n"),
        };
        calls.iter().enumerate().map(one).collect()
    });
    let begun = |_: usize, played: &Played| format!("{}::setup(reader)", played.import.name);
    text += &function("campaign_begin(at, reader)", "at", each(&begun));
    text += &function("campaign_step()", on, each(&|_, played| named(played, "step()")));
    text += &function("campaign_outcome()", on, each(&|_, played| named(played, "outcome()")));
    let or = |name: &'static str, call: &'static str, without: &'static str| {
        move |_: usize, played: &Played| match played.has(name) {
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
