//! The page of a replay: a film of the history, what each player could expect along it, and the history itself.

use std::collections::HashMap;
use std::path::Path;

use super::page::{digests, heading};
use super::{shows_views, view_in_words};
use crate::analysis::{Chances, Expectations, LuckParts, Move};
use crate::conflict::{Play, Retold, RetoldLine, replace};
use crate::error::Error;
use crate::game::{Asked, Outcome, Value, Wording, option_name};
use crate::number::Quantity;
use crate::report::{
    self, Block, Drawings, Figure, Film, FilmFrame, FilmLine, FilmSight, Origin, Page, Plot,
    Series, ShowStyle,
};
use crate::rulebook::Rulebook;
use crate::script::{Definition, State, clauses};

/// How data is laid out on a page.
const LOOK: ShowStyle = ShowStyle { width: 80, plain: true, json: false };
/// Of a roll with more results only the one that fell is listed.
const RESULTS: usize = 20;
/// At most this many answers are marked as those that moved most.
const MARKS: usize = 6;
/// More curves than these cannot be distinguished.
const CURVES: usize = 8;

pub(crate) struct ReplayPage<'a> {
    pub play: &'a Play,
    /// What each player could expect, where that was found.
    pub luck: Option<&'a Expectations>,
    /// The player whose eyes it is seen through; else everybody's.
    pub viewer: Option<&'a str>,
    /// Where something is hidden from them: what each player could expect, as far as they knew, before each of their
    /// answers.
    pub known: &'a [Option<Chances>],
    /// The command that shows it again.
    pub command: String,
}

impl ReplayPage<'_> {
    /// Writes the page, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`]; those of the rules; [`Error::Unknown`] for a viewer who does not play.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        replace(path, self.html()?.as_bytes())
    }

    fn html(&self) -> Result<String, Error> {
        let (play, conflict) = (self.play, &self.play.conflict);
        let own = self.viewer.map(|viewer| own_players(play, viewer)).transpose()?;
        let hides = conflict.rules.means_to_hide();
        let line = play.retold()?;
        // What others answered moves what can be expected, and who expects what may show what they hold.
        let luck = self.luck.filter(|_| own.is_none() || !hides);
        let mut scenes = Scenes { known: self.known, ..Scenes::of(play, luck) };
        let film = scenes.film(&line, self.viewer_of(own.as_deref()), play.saved().to_text()?)?;
        let (title, conflict_named) = heading(conflict);
        let through = match self.viewer {
            Some(viewer) if hides => {
                format!(", seen by {viewer}; what is hidden from them is left out")
            }
            Some(viewer) => format!(", seen by {viewer}"),
            None => String::new(),
        };
        let end = line.end.as_ref().map(|(outcome, _)| outcome);
        let lead = format!("{} {conflict_named}{through}.", ended(end));
        let has_history = film.history.is_some();
        let is_full = film.lines.iter().any(|line| line.drawings.is_full());
        let undrawn = scenes.undrawn.take();
        // Labels of parts may name what a viewer never saw.
        let told = end.filter(|_| own.is_none() || !hides);
        let mut blocks: Vec<Block> = told.map(made_of_blocks).into_iter().flatten().collect();
        blocks.extend(luck.map(lucky).into_iter().flatten());
        blocks.push(Block::Film(film));
        if let Some(luck) = luck {
            let entries = line.questions.len();
            blocks.push(Block::Group(vec![
                Block::title("What each player could expect"),
                Block::Figure(Figure::Plot(plot(luck, entries))),
            ]));
            blocks.push(Block::Group(luck.blocks()));
        }
        if let Some(viewer) = self.viewer.filter(|_| hides) {
            let known = self.known.iter().flatten();
            if let Some(known) = known_plot(viewer, known) {
                blocks.push(Block::Group(vec![
                    Block::Title(format!("What each player could expect, as far as {viewer} knew")),
                    Block::Figure(Figure::Plot(known)),
                ]));
            }
        }
        if own.is_none() || !hides {
            let lines = play.history().to_string();
            blocks.push(Block::Collapsed("The history".to_owned(), vec![Block::Code(lines)]));
        }
        if is_full {
            let left =
                "Drawings would make this page too large: the later frames have pictures alone.";
            blocks.push(Block::sentence(left));
        }
        if let Some(why) = undrawn {
            blocks.push(Block::Sentence(format!("Some frames have no drawing: {why}.")));
        }
        let (commands, digests) = (self.command.clone(), digests(conflict));
        let mut origin = Origin { commands, digests, ..Origin::default() }.blocks();
        if has_history {
            let holds = "This page holds the history: `fracas replay` takes it as a file, and so does `:load`.";
            origin.push(Block::sentence(holds));
        }
        let title = format!("Replay: {title}");
        let page =
            Page { title: &title, lead: &lead, blocks: &[&blocks, &origin], ..Page::default() };
        Ok(page.html())
    }

    /// Whose view is drawn where nobody is asked, and all whose eyes the viewer has.
    fn viewer_of<'o>(&self, own: Option<&'o [String]>) -> Option<(&'o str, &'o [String])> {
        let own = own?;
        let named = own.iter().find(|name| Some(name.as_str()) == self.viewer);
        named.or(own.first()).map(|name| (name.as_str(), own))
    }
}

/// The line of a shell that shows a saved history again, with these options.
pub(crate) fn replay_line(file: &Path, options: &[&str]) -> String {
    let file = file.display().to_string();
    let words = ["replay", &file].into_iter().chain(options.iter().copied());
    report::shell_line(&words.map(str::to_owned).collect::<Vec<_>>(), &[])
}

/// The players whose eyes a viewer has: those of their seat.
///
/// # Errors
/// [`Error::Unknown`] for a viewer who does not play.
pub(crate) fn own_players(play: &Play, viewer: &str) -> Result<Vec<String>, Error> {
    match &play.players.of_seat(viewer)?[..] {
        [one] => Ok(play.players.beside(one)),
        several => Ok(several.to_vec()),
    }
}

fn ended(end: Option<&Outcome>) -> String {
    match end {
        Some(outcome) => format!("It ended as {}.", report::outcome_line(outcome)),
        None => "It is not over.".to_owned(),
    }
}

/// How lucky each player was, a sentence each.
fn lucky(luck: &Expectations) -> Vec<Block> {
    let sentence = |(player, parts): (&String, &LuckParts)| {
        let LuckParts { began, rolls, own, others, .. } = parts;
        let moved = [("rolls", rolls), ("own choices", own), ("the choices of others", others)];
        let moved = moved.into_iter().filter(|(_, moved)| moved.value.abs() > 1e-9);
        let moved = moved.map(|(what, moved)| {
            let verb = if moved.value > 0.0 { "gave" } else { "took" };
            format!("{what} {verb} {}{}", estimated(moved), report::tidy(moved.value.abs()))
        });
        let moved: Vec<String> = moved.collect();
        let began = format!("{}{}", estimated(began), report::tidy(began.value));
        let is_moved =
            |one: &Move| one.moved.get(player).is_some_and(|moved| moved.value.abs() > 1e-9);
        let then = match moved.is_empty() {
            false => report::enumerated(&moved),
            true if luck.moves.iter().any(is_moved) => "what moved that came to nothing".to_owned(),
            true => "nothing moved that".to_owned(),
        };
        Block::Sentence(format!("{player} could expect {began} at the beginning; {then}."))
    };
    luck.parts.iter().map(sentence).collect()
}

/// What is from a sample is not to be taken for exact, nor for what is only rounded.
fn estimated(number: &Quantity) -> &'static str {
    if number.is_sampled() { "an estimated " } else { "" }
}

/// What each player could expect after each answer.
fn plot(luck: &Expectations, entries: usize) -> Plot {
    let title = format!("expected utility, {}", luck.source());
    curves(title, "answers", luck.points.iter().take(entries + 1))
}

/// What each player could expect at each decision of a viewer; nothing where that was found for none.
fn known_plot<'c>(viewer: &str, known: impl Iterator<Item = &'c Chances>) -> Option<Plot> {
    let title = format!("expected utility over all that looked alike to {viewer}, exact");
    let plot = curves(title, "decisions before", known);
    (!plot.series.is_empty()).then_some(plot)
}

fn curves<'c>(title: String, x: &str, points: impl Iterator<Item = &'c Chances>) -> Plot {
    let points: Vec<&Chances> = points.collect();
    let names = points.first().map(|first| first.utility.keys().cloned().collect::<Vec<_>>());
    let series = names.unwrap_or_default().into_iter().take(CURVES).map(|name| {
        let point =
            |(at, chances): (usize, &&Chances)| Some(chances.utility.get(&name)?.point(at as f64));
        let points = points.iter().enumerate().filter_map(point).collect();
        Series { name: name.clone(), points }
    });
    Plot {
        title,
        x: x.to_owned(),
        y: "utility".to_owned(),
        words: Vec::new(),
        series: series.collect(),
    }
}

/// Makes the frames of a film.
struct Scenes<'a> {
    play: &'a Play,
    luck: Option<&'a Expectations>,
    known: &'a [Option<Chances>],
    definitions: Vec<Definition>,
    book: Option<Rulebook>,
    drawings: Drawings,
    /// The number of the last drawing for each pair of eyes.
    last: HashMap<String, usize>,
    /// Why the first frame that could not be drawn has no drawing.
    undrawn: Option<Error>,
}

impl<'a> Scenes<'a> {
    fn of(play: &'a Play, luck: Option<&'a Expectations>) -> Scenes<'a> {
        let definitions = play.conflict.rules.definitions();
        let book = Rulebook::of(&play.conflict.folder).ok();
        let (drawings, last, undrawn) = Default::default();
        Scenes { play, luck, known: &[], definitions, book, drawings, last, undrawn }
    }

    /// The film that everybody may see, with the history in it, or the one of a viewer who answers for these players.
    fn film(
        &mut self,
        line: &RetoldLine,
        own: Option<(&str, &[String])>,
        history: String,
    ) -> Result<Film, Error> {
        let rules = &self.play.conflict.rules;
        let hides = rules.means_to_hide();
        let Some((viewer, own)) = own.filter(|_| hides) else {
            let others = self.others();
            let lines = vec![self.line(String::new(), line, &others)?];
            let history = Some(history);
            return Ok(Film { viewers: viewers(&others), lines, marks: self.marks(), history });
        };
        let mut frames: Vec<FilmFrame> = Vec::new();
        let mut events = Vec::new();
        for (index, retold) in line.questions.iter().enumerate() {
            events.extend(retold.events.iter().cloned());
            // What a roll for them gave is in what they see afterwards, if they see it.
            let is_own = |asked: &&Asked| !asked.chance && own.contains(&asked.who);
            let Some(asked) = retold.asked().filter(is_own) else { continue };
            let mut frame = self.frame(retold, asked, &std::mem::take(&mut events))?;
            // Which line asks, and by which clause, may depend on what is hidden.
            frame.clause = Vec::new();
            frame.sights = vec![self.sight(&retold.moment.state, &asked.who, true)?];
            frame.expected = expected(self.known.get(index).and_then(Option::as_ref));
            frames.push(frame);
        }
        events.extend(line.events.iter().cloned());
        if let Some((outcome, state)) = &line.end {
            let mut frame = end(outcome, events);
            frame.sights = vec![self.sight(state, viewer, true)?];
            frames.push(frame);
        } else {
            // Whose turn it is, they need not know.
            let title = "It is not over".to_owned();
            let sight = match line.questions.last() {
                Some(last) => self.sight(&last.moment.state, viewer, true)?,
                None => FilmSight { asked: true, ..FilmSight::default() },
            };
            let (covered, sights) = (title.clone(), vec![sight]);
            frames.push(FilmFrame { title, covered, sights, events, ..FilmFrame::default() });
        }
        let drawings = std::mem::take(&mut self.drawings);
        let lines = vec![FilmLine { frames, drawings, ..FilmLine::default() }];
        Ok(Film { lines, ..Film::default() })
    }

    /// The players whose view differs from that of who sees all.
    fn others(&self) -> Vec<&'a String> {
        let hides = self.play.conflict.rules.means_to_hide();
        self.play.players.names.iter().filter(|_| hides).collect()
    }

    fn line(
        &mut self,
        name: String,
        line: &RetoldLine,
        others: &[&String],
    ) -> Result<FilmLine, Error> {
        let frames = self.frames(line, others)?;
        Ok(FilmLine { name, frames, drawings: std::mem::take(&mut self.drawings) })
    }

    fn frames(&mut self, line: &RetoldLine, others: &[&String]) -> Result<Vec<FilmFrame>, Error> {
        let (mut frames, mut entry) = (Vec::new(), 0);
        for (index, retold) in line.questions.iter().enumerate() {
            // The parts of a decision that is made together are one entry.
            entry += usize::from(retold.part.is_none_or(|(nth, _)| nth == 0));
            let Some(asked) = retold.asked() else { continue };
            let mut frame = self.frame(retold, asked, &retold.events)?;
            let whole = retold.moment.picture.as_ref().ok().cloned().flatten().unwrap_or_default();
            frame.sights =
                vec![self.drawn(State::from_value(&retold.moment.state), "", whole, true)];
            for name in others {
                let sees = !asked.chance && self.play.players.beside(name).contains(&asked.who);
                frame.sights.push(self.sight(&retold.moment.state, name, sees)?);
            }
            frame.expected = expected(self.luck.and_then(|luck| luck.points.get(index)));
            frame.expected.extend(self.luck.and_then(|luck| missed(luck, luck.moves.get(index)?)));
            frame.entry = Some(entry);
            frames.push(frame);
        }
        if let Some((outcome, state)) = &line.end {
            let mut frame = end(outcome, line.events.clone());
            frame.question = made_of(outcome);
            let state_seen = State::from_value(state);
            let whole = self.play.conflict.rules.picture(&state_seen).ok().flatten();
            let whole = whole.unwrap_or_default();
            frame.sights = vec![self.drawn(state_seen, "", whole, true)];
            for name in others {
                frame.sights.push(self.sight(state, name, true)?);
            }
            let last = line.questions.len();
            frame.expected = expected(self.luck.and_then(|luck| luck.points.get(last)));
            frames.push(frame);
        }
        Ok(frames)
    }

    /// What a player may see; nothing where it cannot be drawn from that.
    fn sight(&mut self, state: &Value, player: &str, asked: bool) -> Result<FilmSight, Error> {
        let rules = &self.play.conflict.rules;
        let seen = match rules.view(&State::from_value(state), player) {
            Ok(seen) => seen,
            // While the setup asks there is no state yet.
            Err(Error::Script(_)) => return Ok(FilmSight { asked, ..FilmSight::default() }),
            Err(error) => return Err(error),
        };
        let seen = State::from_value(&seen);
        let picture = rules.picture(&seen).ok().flatten().unwrap_or_default();
        Ok(self.drawn(seen, player, picture, asked))
    }

    /// The picture with the drawing beside it, of which it is the text.
    fn drawn(&mut self, seen: State, eyes: &str, mut picture: String, asked: bool) -> FilmSight {
        let rules = &self.play.conflict.rules;
        let drawing = rules.drawing(&seen).unwrap_or_else(|why| {
            self.undrawn.get_or_insert(why);
            None
        });
        let drawing = drawing.and_then(|drawing| {
            if picture.is_empty() {
                picture = drawing.words();
            }
            self.drawings.keep(drawing, self.last.get(eyes).copied())
        });
        if let Some(number) = drawing {
            self.last.insert(eyes.to_owned(), number);
        } else if shows_views(rules) {
            picture = view_in_words(&seen, LOOK).unwrap_or_default();
        }
        FilmSight { picture, drawing, asked }
    }

    fn frame(&self, retold: &Retold, asked: &Asked, events: &[String]) -> Result<FilmFrame, Error> {
        let name = asked.name.replace('_', " ");
        let wording = self.wording(retold, asked);
        let title = match (asked.chance, retold.part) {
            (true, _) => format!("Chance: {name} for {}", asked.who),
            (false, Some((nth, of))) if of > 1 => {
                format!("{}: {name}, in secret ({} of {of})", asked.who, nth + 1)
            }
            (false, _) => format!("{}: {name}", asked.who),
        };
        let covered = match asked.chance {
            true => "Something falls that you do not see".to_owned(),
            false => format!("{} decides", asked.who),
        };
        let words = [&wording.text, &wording.help].into_iter().flatten().cloned();
        let question = words.collect::<Vec<_>>().join("\n");
        let option = |(index, option): (usize, &Value)| {
            let name = option_name(option);
            match wording.of_option(index) {
                Some(text) => format!("{name}: {text}"),
                None => name.to_string(),
            }
        };
        let mut options: Vec<String> = asked.options.iter().enumerate().map(option).collect();
        let mut picked = retold.answer;
        if asked.chance && options.len() > RESULTS {
            options = picked.and_then(|at| options.get(at).cloned()).into_iter().collect();
            picked = (!options.is_empty()).then_some(0);
        }
        Ok(FilmFrame {
            title: sentence(&title),
            covered: sentence(&covered),
            question,
            options,
            picked,
            chance: asked.chance,
            events: events.to_vec(),
            clause: self.clause(asked),
            ..FilmFrame::default()
        })
    }

    fn wording(&self, retold: &Retold, asked: &Asked) -> Wording {
        let rules = &self.play.conflict.rules;
        if asked.chance || !rules.defines("wording") {
            return Wording::default();
        }
        let seen = rules.view(&State::from_value(&retold.moment.state), &asked.who);
        let words = seen.and_then(|seen| {
            rules.wording(&State::from_value(&seen), &asked.who, &asked.name, &asked.options)
        });
        // A question without words is shown by its names.
        words.unwrap_or_default()
    }

    /// The clause by which a question is asked: what is cited, then the text of each clause.
    fn clause(&self, asked: &Asked) -> Vec<String> {
        let Some(at) = &asked.at else { return Vec::new() };
        let Some(within) = self.definitions.iter().find(|one| one.holds(at)) else {
            return Vec::new();
        };
        let comment = self.play.conflict.rules.comment_at(within, at.line);
        let Some((cited, _)) = clauses(&comment) else { return Vec::new() };
        let texts = self.book.iter().flat_map(|book| book.cited_by(cited));
        let texts = texts.map(|clause| format!("{}. {}", clause.id, clause.text.replace('*', "")));
        let mut lines = vec![format!("By clause {cited}, in `{}`", within.name).replace('`', "")];
        lines.extend(texts);
        lines
    }

    /// The answers that moved most.
    fn marks(&self) -> Vec<(usize, String)> {
        let Some(luck) = self.luck else { return Vec::new() };
        let swings = luck.swings();
        let mut all: Vec<usize> = Vec::new();
        for swing in swings.into_iter().take(MARKS) {
            all.extend(luck.moves.iter().position(|one| std::ptr::eq(one, swing)));
        }
        all.sort_unstable();
        let words = |index: usize| {
            let one = luck.moves.get(index)?;
            let by_size = |a: &&Quantity, b: &&Quantity| a.value.abs().total_cmp(&b.value.abs());
            // A choice is named by what it gave whoever made it, a roll by what it moved most.
            let own = one.moved.get_key_value(&one.who).filter(|_| !one.chance);
            let most = || one.moved.iter().max_by(|(_, a), (_, b)| by_size(a, b));
            let (player, moved) = own.or_else(most)?;
            let kind = if one.chance { "roll" } else { "choice" };
            let value = format!("{}{}", estimated(moved), report::signed(moved.value));
            // The frame after it is where the change is seen.
            Some((index + 1, format!("{kind} {}: {player} {value}", one.entry)))
        };
        all.into_iter().filter_map(words).collect()
    }
}

/// What each player can expect, a line for each.
fn expected(chances: Option<&Chances>) -> Vec<String> {
    let one = |(name, utility): (&String, &Quantity)| {
        format!("{name} can expect {}", utility.as_utility())
    };
    chances.iter().flat_map(|chances| chances.utility.iter().map(one)).collect()
}

/// What the best option of a choice would have been worth, where it was clearly better.
fn missed(luck: &Expectations, taken: &Move) -> Option<String> {
    let best = luck.missed(taken)?;
    let (option, lost) = (option_name(&best.option), report::tidy(best.lost.value));
    Some(format!(
        "{option} would have been worth {}{lost} more to {}",
        estimated(&best.lost),
        taken.who
    ))
}

/// Who may look: everybody, and each of these players.
fn viewers(others: &[&String]) -> Vec<String> {
    let others = others.iter().map(|name| (*name).clone());
    std::iter::once("everybody".to_owned()).chain(others).collect()
}

/// Lines of play side by side, as who sees all sees them.
pub(super) fn side_by_side(lines: Vec<(String, Play)>) -> Result<Film, Error> {
    let line =
        |(name, play): (String, Play)| Scenes::of(&play, None).line(name, &play.retold()?, &[]);
    let lines: Vec<FilmLine> = lines.into_iter().map(line).collect::<Result<_, Error>>()?;
    let longest = lines.iter().map(|line| line.frames.len()).max().unwrap_or_default();
    let frame = |at: usize| lines.iter().map(move |line| line.frames.get(at));
    let parting = (0..longest).find(|at| frame(*at).any(|one| Some(one) != frame(*at).next()));
    let marks = parting.map(|at| (at, "where they part".to_owned())).into_iter().collect();
    Ok(Film { viewers: viewers(&[]), lines, marks, history: None })
}

fn end(outcome: &Outcome, events: Vec<String>) -> FilmFrame {
    FilmFrame {
        title: format!("The end: {}", report::outcome_line(outcome)),
        covered: format!("The end: {}", report::outcome_line(outcome)),
        events,
        ..FilmFrame::default()
    }
}

/// What each utility is made of, a sentence for each player.
fn made_of_blocks(outcome: &Outcome) -> Vec<Block> {
    let made = made_of(outcome);
    made.lines().map(|line| Block::Sentence(format!("{line}."))).collect()
}

/// What each utility is made of, a line for each player.
fn made_of(outcome: &Outcome) -> String {
    let line = |player: &String| Some(format!("{player}: {}", report::parts(outcome, player)?));
    outcome.utility.keys().filter_map(line).collect::<Vec<_>>().join("\n")
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
