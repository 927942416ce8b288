//! Hints while a line is typed: the options it may mean, the signature of the call, an earlier line, the
//! usage of the command; and the menu of completions below the line.

use super::brackets::{OpenCall, call_at};
use super::complete::answers;
use super::offers::Offers;
use super::{Suggestion, TypingSpace};
use crate::game::option_name;
use crate::handbook::HandbookEntry;
use crate::repl::{Session, commands};
use crate::report;

/// A hint needs at least this many columns.
const LEAST: usize = 6;

/// A hint after a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The text that is shown; it may begin with a line break.
    pub shown: String,
    /// The text that is inserted into the line when the hint is accepted.
    pub completes: Option<String>,
}

impl Hint {
    /// A hint that informs: beside the line, or below it if no colour sets it apart from the line.
    fn informing(text: &str, place: TypingSpace) -> Option<Hint> {
        let shown = match place.coloured {
            true if place.room < LEAST + 3 => return None,
            true => format!("  {}", cut(text, place.room - 3)),
            false => format!("\n{}", cut(text, place.columns.saturating_sub(1).max(1))),
        };
        Some(Hint { shown, completes: None })
    }

    fn rest(rest: &str, place: TypingSpace) -> Option<Hint> {
        if !place.coloured || rest.is_empty() || place.room < 2 {
            return None;
        }
        let first = rest.lines().next().unwrap_or_default();
        let more = if first.len() < rest.len() { " …" } else { "" };
        let shown = cut(&format!("{first}{more}"), place.room - 1);
        Some(Hint { shown, completes: Some(rest.to_owned()) })
    }
}

/// The hint after a line with the cursor at a position, if there is one.
pub(super) fn hint(
    offers: Offers<'_>,
    (line, cursor): (&str, usize),
    place: TypingSpace,
    history: &dyn Fn(&str) -> Option<String>,
) -> Option<Hint> {
    if line.trim().is_empty() {
        return None;
    }
    let begins = line.len() - line.trim_start().len();
    let command = line[begins..].strip_prefix(commands::MARK);
    if command.is_none() {
        if let Some(hint) = answer(offers.session, &line[begins..], place) {
            return Some(hint);
        }
        if let Some(call) = line.get(..cursor).and_then(call_at)
            && let Some(signature) = signature(offers, &call)
        {
            return Hint::informing(&signature, place);
        }
    }
    let at_end = cursor == line.len();
    let before = history(line).filter(|before| at_end && before.len() > line.len());
    if let Some(before) = before {
        return Hint::rest(&before[line.len()..], place);
    }
    command.filter(|_| at_end).and_then(|command| usage(command, place))
}

/// The options that a line may mean: the rest of the only one, else all of them below the line.
fn answer(session: &Session, typed: &str, place: TypingSpace) -> Option<Hint> {
    let play = session.play.as_ref()?;
    let asked = play.asked().filter(|_| !session.screen.is_awaiting())?;
    let begun = answers(session, typed);
    match &begun[..] {
        [] => {
            let index = play.read_option(typed).ok()?;
            let option = option_name(asked.options.get(index)?);
            let text = session.words.of(asked).of_option(index);
            let text = text.map(|text| format!(": {text}")).unwrap_or_default();
            Hint::informing(&format!("{option}{text}"), place)
        }
        [one] => match one.text.strip_prefix(typed) {
            Some("") => None,
            Some(rest) if place.coloured => Hint::rest(rest, place),
            _ => Hint::informing(&one.shown, place),
        },
        several => Some(Hint { shown: menu(several, place), completes: None }),
    }
}

/// The signature of a function: of several forms, the first that takes this many arguments.
fn signature(offers: Offers<'_>, call: &OpenCall) -> Option<String> {
    let Offers { session, known, .. } = offers;
    let own: Vec<HandbookEntry> =
        session.lab.functions().into_iter().filter(|entry| entry.name == call.name).collect();
    let forms = if own.is_empty() { known.forms(&call.name) } else { &own };
    let takes = |entry: &&HandbookEntry| arguments(&entry.signature) > call.argument;
    let form = forms.iter().find(takes).or(forms.first())?;
    let others = match forms.len() - 1 {
        0 => String::new(),
        1 => " (1 more form)".to_owned(),
        more => format!(" ({more} more forms)"),
    };
    Some(format!("{}{others}", form.signature))
}

fn arguments(signature: &str) -> usize {
    let within = signature.split_once('(').map_or("", |(_, rest)| rest);
    let within = within.split(')').next().unwrap_or_default();
    if within.is_empty() { 0 } else { within.split(", ").count() }
}

/// The arguments of a command once its name is complete; before that, its usage and description.
fn usage(command: &str, place: TypingSpace) -> Option<Hint> {
    let (name, rest) = match command.split_once(' ') {
        Some((name, rest)) => (name, Some(rest)),
        None => (command, None),
    };
    let found = commands::find(name).ok().filter(|_| !name.is_empty())?;
    match rest {
        Some("") => {
            let usage = commands::usage(found);
            let (_, arguments) = usage.split_once(' ')?;
            Hint::informing(arguments, place)
        }
        Some(_) => None,
        None => {
            let about = found.get_about().map(ToString::to_string).unwrap_or_default();
            Hint::informing(&format!("{}: {about}", commands::usage(found)), place)
        }
    }
}

const GAP: usize = 2;

/// The rows of a window that are left free for the lines above.
const ABOVE: usize = 4;

/// Candidates below the line, as many rows as there is room for, each within the columns. Those
/// that are too many are counted; a row begins with the end of the one before it.
pub(crate) fn menu(candidates: &[Suggestion], place: TypingSpace) -> String {
    let columns = place.columns.saturating_sub(1).max(1);
    let rows = place.rows.saturating_sub(ABOVE).clamp(1, 20);
    let noted = candidates.iter().any(|one| !one.note.is_empty());
    let lines: Vec<String> = if noted && candidates.len() <= rows {
        let widest = candidates.iter().map(|one| report::columns(&one.shown)).max();
        let name = widest.unwrap_or_default().min(columns / 2);
        let row = |one: &Suggestion| {
            let row = format!("{:<name$}  {}", one.shown, one.note);
            cut(row.trim_end(), columns)
        };
        candidates.iter().map(row).collect()
    } else {
        // Column after column, as in a list of files.
        let names: Vec<String> = candidates.iter().map(|one| cut(&one.shown, columns)).collect();
        let within = |rows| report::in_columns(&names, (columns, GAP), rows);
        let (mut lines, mut shown) = within(rows);
        if shown < names.len() {
            // The last row is for the count of those that find no room.
            (lines, shown) = within(rows - 1);
            lines.push(cut(&format!("… and {} more", names.len() - shown), columns));
        }
        lines
    };
    lines.iter().map(|line| format!("\n{line}")).collect()
}

/// A text on one line that is no wider than this many columns.
pub(super) fn cut(text: &str, columns: usize) -> String {
    report::cut(&report::tame_message(text), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(columns: usize, rows: usize) -> TypingSpace {
        TypingSpace { columns, rows, room: columns, coloured: true }
    }

    #[test]
    fn what_finds_no_room_is_counted_and_cut() {
        let all: Vec<Suggestion> =
            (0..400).map(|i| Suggestion::plain(format!("an option of length {i:03}"))).collect();
        for (columns, rows) in [(20, 8), (40, 10), (80, 24), (1, 1)] {
            let text = menu(&all, place(columns, rows));
            let lines: Vec<&str> = text.lines().skip(1).collect();
            assert!(lines.len() < rows.max(2), "{columns}x{rows}: {text}");
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{text}");
        }
        assert!(menu(&all, place(40, 10)).ends_with("\n… and 395 more"));
    }
}
