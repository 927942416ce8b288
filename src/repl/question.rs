//! Reports the open conflict after a line: what happened, the picture, the question with its options, or the end.

use super::session::QuestionWords;
use super::{Said, Session, Viewer};
use crate::commands::{shows_views, view_in_words};
use crate::conflict::{Places, Play};
use crate::error::Error;
use crate::game::{Action, Actor, Asked, Outcome, Wording, between, brief, option_name};
use crate::report::{self, ShowStyle, tame_message};
use crate::rulebook::Rulebook;

/// Up to this many options are listed below each other; more of them in columns.
const BELOW: usize = 9;
/// This many lines of options are shown unasked.
const LINES: usize = 20;
/// This many of the options that were picked already are shown.
const PICKED: usize = 12;
/// The texts of options are in a column after names of at most this many letters.
const NAME: usize = 24;
/// The text before each option, and between two columns.
const INDENT: usize = 2;
const GAP: usize = 3;

impl Session {
    /// Reports the events since the last report, and the current state of the open conflict.
    pub fn report(&mut self) {
        if self.play.is_none() || self.hands_over() {
            return;
        }
        self.word_question();
        let Some(play) = &self.play else { return };
        let viewer = Viewer::of(play, self.revealed);
        let events = play.events();
        for heard in events.iter().skip(self.announced.min(events.len())) {
            self.note(report::below_each_other(&heard.text));
        }
        self.announced = events.len();
        self.screen.has_heard(self.announced);
        let drawn = picture(play, &viewer, self.look());
        let asked = asked(play, &self.words, self.options.width);
        let end = play.position().outcome().map(|outcome| self.end(outcome));
        match drawn {
            Ok(Some(text)) => self.say(Said::Picture(text.trim_end().to_owned())),
            Ok(None) => {}
            Err(why) => self.note(why),
        }
        asked.into_iter().for_each(|question| self.note(question));
        end.into_iter().flatten().for_each(|said| self.say(said));
    }

    /// The result; all else that the rules gave of the outcome is left to `:state`, so that what was
    /// announced last stays on the screen. For programs it is whole.
    fn end(&self, outcome: &Outcome) -> Vec<Said> {
        let (result, rest) = (report::result(outcome), report::outcome_rest(outcome));
        if self.options.json {
            return vec![Said::End { result: report::outcome(outcome), rest: String::new() }];
        }
        let shows_later = self.options.is_terminal && !rest.is_empty();
        let rest = if shows_later { String::new() } else { rest };
        let mut end = vec![Said::End { result, rest }];
        let folder = self.play.as_ref().map(|play| &play.conflict.folder);
        let book = folder.and_then(|folder| Rulebook::of(folder).ok());
        if let Some(text) = book.as_ref().and_then(Rulebook::utility) {
            let text = text.replace('*', "");
            end.push(Said::Note(report::wrapped(&tame_message(&text), self.options.width)));
        }
        // Elsewhere nobody types another line.
        if shows_later {
            end.push(Said::Note("`:state` shows the rest of the outcome".to_owned()));
        }
        end
    }

    /// Reports the state of the open conflict after moves were taken back or made again.
    pub(crate) fn report_anew(&mut self) {
        self.announced = self.play.as_ref().map_or(0, |play| play.events().len());
        self.screen.heard_at_most(self.announced);
        self.report();
    }
}

/// The question in the rules' words, else by its name, with what was picked so far and the options; nothing
/// where the conflict is over.
fn asked(play: &Play, words: &QuestionWords, width: usize) -> Option<String> {
    match (play.asked(), play.position().asked().first()) {
        (Some(asked), _) => {
            let wording = words.of(asked);
            let text = match &wording.text {
                Some(text) => format!("{}: {text}", report::in_line(&asked.who)),
                None => report::in_line(&format!("{}, {}?", asked.who, asked.name)),
            };
            let mut text = report::wrapped(&text, width);
            if let Some(so_far) = so_far(play, asked) {
                text.push_str(&format!("\n{}", report::wrapped(&so_far, width)));
            }
            let entries = entries(asked, wording, "");
            let (listed, shown) = columns(&entries, width, LINES);
            text.push_str(&listed);
            let left = entries.len().saturating_sub(shown);
            if left > 0 {
                text.push_str(&format!(
                    "\n  … and {left} more: `:options` lists all, `:options TEXT` those with TEXT"
                ));
            }
            Some(text)
        }
        (None, Some(next)) => {
            let who =
                if next.chance { format!("chance for {}", next.who) } else { next.who.clone() };
            Some(format!("next: {who}, {} (`:play` continues)", next.name))
        }
        (None, None) => None,
    }
}

/// What the person who is asked has picked of this so far; the last ones, where there are many.
fn so_far(play: &Play, asked: &Asked) -> Option<String> {
    let picked = play.picked_so_far();
    let left_out = picked.len().saturating_sub(PICKED);
    let one = |action: &Action| {
        let option = report::in_line(&brief(&option_name(&action.value)));
        match &action.actor {
            Actor::Player(player) if *player != asked.who => {
                format!("{option} for {}", report::in_line(player))
            }
            _ => option,
        }
    };
    let texts: Vec<String> = picked.iter().skip(left_out).map(one).collect();
    let more = if left_out > 0 { "…, " } else { "" };
    (!texts.is_empty()).then(|| format!("  so far: {more}{}", texts.join(between(&texts))))
}

/// More lines of what a `view` returns are not shown before a question.
const VIEW: usize = 20;

/// The rules' picture, where there is one to be shown. To a person who is asked, rules without one show what their
/// `view` returns.
fn picture(play: &Play, viewer: &Viewer, look: ShowStyle) -> Result<Option<String>, String> {
    let drawn = match play.asked().is_some() && shows_views(&play.conflict.rules) {
        true => {
            viewer.seen(play).map(|seen| view_in_words(&seen, look).map(|view| first_lines(&view)))
        }
        false => viewer.picture(play),
    };
    match drawn {
        Ok(drawn) => Ok(drawn),
        // Nobody may look, so there is nothing to be drawn.
        Err(_) if *viewer == Viewer::Nobody => Ok(None),
        // As long as the setup asks there is no state yet, so no picture of it is owed.
        Err(Error::Script(_)) if play.is_setting_up() => Ok(None),
        Err(error) => {
            let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
            Err(format!("no picture: {error}{at}"))
        }
    }
}

fn first_lines(view: &str) -> String {
    let lines: Vec<&str> = view.lines().collect();
    match lines.split_at_checked(VIEW) {
        Some((first, rest)) if !rest.is_empty() => {
            let more = report::many(rest.len() as u64, "more line");
            format!("{}\n({more}: `:view` shows all)", first.join("\n"))
        }
        _ => view.to_owned(),
    }
}

/// The options that hold a text, in lines of a width, each with the line that explains it.
pub(super) fn options(asked: &Asked, wording: &Wording, part: &str, width: usize) -> String {
    let entries = entries(asked, wording, part);
    // What the list beside a question cuts is read here.
    let whole = |entry: &String| report::wrapped(&format!("  {entry}"), width);
    let fits = entries.iter().all(|entry| whole(entry).lines().count() <= 1);
    if fits && wording.options.values().all(|own| own.help.is_none()) {
        return columns(&entries, width, usize::MAX).0.trim_start_matches('\n').to_owned();
    }
    let helps = holding(asked, wording, part).map(|(index, _)| wording.help_of_option(index));
    let lines = entries.iter().zip(helps).map(|(entry, help)| {
        let help =
            help.map(|help| format!("\n{}", report::wrapped(&format!("      {help}"), width)));
        format!("{}{}", whole(entry), help.unwrap_or_default())
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn holding<'a>(
    asked: &'a Asked,
    wording: &'a Wording,
    part: &str,
) -> impl Iterator<Item = (usize, String)> + 'a {
    let part = part.to_lowercase();
    let names = asked.options.iter().map(|option| report::in_line(&option_name(option)));
    names.enumerate().filter(move |(index, name)| {
        let text = wording.of_option(*index).unwrap_or_default();
        name.to_lowercase().contains(&part) || text.to_lowercase().contains(&part)
    })
}

/// The options that hold a text, each with its place, unless none is counted, and its text.
fn entries(asked: &Asked, wording: &Wording, part: &str) -> Vec<String> {
    let places = Places::of(&asked.options);
    let widest = places.label(asked.options.len().saturating_sub(1)).len();
    let held: Vec<(usize, String)> = holding(asked, wording, part).collect();
    let texted = held.iter().filter(|(index, _)| wording.of_option(*index).is_some());
    let wide = texted.map(|(_, name)| name.chars().count()).max().unwrap_or(0).min(NAME);
    let entry = |(index, name): (usize, String)| {
        let option = match wording.of_option(index) {
            Some(text) => format!("{name:<wide$}  {text}"),
            None => name,
        };
        match places {
            Places::None => option,
            _ => format!("{:>widest$}  {option}", places.label(index)),
        }
    };
    held.into_iter().map(entry).collect()
}

/// Entries below each other, or in columns read downwards, a line break before each line; and how many
/// of them this many lines hold. What is wider than the width is cut.
fn columns(entries: &[String], width: usize, lines: usize) -> (String, usize) {
    let room = width.saturating_sub(INDENT).max(1);
    // Up to some, each has a line of its own.
    let gap = if entries.len() <= BELOW { room } else { GAP };
    let (lines, shown) = report::in_columns(entries, (room, gap), lines);
    (lines.iter().map(|line| format!("\n  {line}")).collect(), shown)
}

/// What is played, by whom, under which seed.
pub(super) fn introduction(play: &Play) -> String {
    let conflict = &play.conflict;
    let title = conflict.scenario.title.as_ref().map(|title| format!(": {}", brief(title)));
    let house = match conflict.rules.house() {
        [] => String::new(),
        house => format!("\nhouse rules: {}", house.join(", ")),
    };
    let seats: Vec<String> = play.players.names.iter().map(|name| seated(play, name)).collect();
    format!(
        "{}{}{house}\nplayers: {}\nseed {}",
        conflict.scenario.name,
        title.unwrap_or_default(),
        seats.join(", "),
        play.seed
    )
}

fn seated(play: &Play, player: &str) -> String {
    format!("{player} ({})", play.seat_of(player).map_or("random", |(_, agent)| agent))
}
