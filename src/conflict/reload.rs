//! Plays the history of an open conflict again under rules that changed on disk, or with other house rules
//! and parameters. A change is noticed by comparing digests of the files.

use std::path::{Path, PathBuf};

use super::play::{Course, PendingQuestion};
use super::save_load::{follow, reopen, under_house};
use super::{Changes, Conflict, Line, Play, Saved};
use crate::catalog::{Catalog, FileKind, FileText, Folder, Scenario, Setting};
use crate::error::{Error, unless_cut};
use crate::game::{Asked, Follow, History, Outcome, Stop, Value};
use crate::script::{Ear, Limits, Run, Turn, digest};

/// Changes to the rules of an open conflict.
#[derive(Clone, Debug, Default)]
pub struct RuleChanges {
    /// The house rules, in order; those in force if `None`.
    pub house: Option<Vec<String>>,
    /// Parameters, laid over all others, and changed values of the setup.
    pub params: Vec<Setting>,
}

/// The result of reading an open conflict's rules again.
#[derive(Debug)]
pub struct Reloaded {
    pub changed: Vec<String>,
    /// Where the rules first ask something else; the conflict then stops there.
    pub divergence: Option<Error>,
    /// The lines of play that the new rules do not allow to their end: the name of each, and the entries
    /// that were cut off, those that were taken back too.
    pub cut: Vec<(String, History)>,
    /// The lines of play that old rules had cut off and that the new rules allow again: the name of each, and
    /// the entries that `:redo` can now make again.
    pub(crate) regained: Vec<(String, History)>,
    /// What was played before, and where that led.
    pub(crate) before: Course,
}

/// What an open conflict can be played again from, on any thread.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// All that was played, and under which rules.
    pub saved: Saved,
    pub(super) scenario: Scenario,
    changes: Changes,
    limits: Limits,
}

impl Play {
    /// What it can be played again from.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            saved: self.saved(),
            scenario: self.conflict.scenario.clone(),
            changes: self.conflict.changes.clone(),
            limits: self.limits.clone(),
        }
    }

    /// Reads the scenario, the rules and the house rules from disk again and plays the history
    /// under them. Seats stay; each line of play, with what was taken back of it, stays as far as
    /// the rules follow it.
    ///
    /// # Errors
    /// Mistakes in the scenario, the parameters or the scripts; nothing changes then.
    pub fn reload(&mut self, catalog: &Catalog) -> Result<Reloaded, Error> {
        self.replay_under(catalog, &RuleChanges::default())
    }

    /// As [`Play::reload`], with other house rules or parameters.
    pub(crate) fn replay_under(
        &mut self,
        catalog: &Catalog,
        changes: &RuleChanges,
    ) -> Result<Reloaded, Error> {
        let snapshot = self.snapshot();
        let (mut play, divergence) = snapshot.play(catalog, changes)?;
        let changed = snapshot.changed(&play);
        let (mut cut, mut regained) = (Vec::new(), Vec::new());
        let mut followed = |play: &Play, name: &str, line: &Line| {
            let before = line.whole().len();
            let line = play.shortened(name, line, &mut cut)?;
            let again = line.whole().entries.get(before..).unwrap_or_default();
            if !again.is_empty() {
                regained.push((name.to_owned(), History { entries: again.to_vec() }));
            }
            Ok::<Line, Error>(line)
        };
        play.line = followed(&play, &self.name, &self.line)?;
        for (name, line) in &self.lines {
            let line = followed(&play, name, line)?;
            play.lines.insert(name.clone(), line);
        }
        play.name = self.name.clone();
        play.past = self.past.clone();
        if !changed.is_empty() {
            play.past.ends.clear();
        }
        let before = std::mem::replace(self, play).course();
        Ok(Reloaded { changed, divergence, cut, regained, before })
    }

    /// A line as far as the rules follow it, with what was cut off of it before if they follow that again.
    /// One on which they fail stays as it is: switching to it reports why.
    pub(super) fn shortened(
        &self,
        name: &str,
        line: &Line,
        cut: &mut Vec<(String, History)>,
    ) -> Result<Line, Error> {
        let whole = line.whole().len();
        let entire = line.entire();
        let followed = unless_cut(self.follows(&entire))?.unwrap_or(whole);
        let mut line = line.clone();
        if followed < whole {
            let lost = line.whole().entries[followed..].to_vec();
            cut.push((name.to_owned(), History { entries: lost }));
        }
        line.cut(followed);
        Ok(line)
    }

    /// A digest of all files that the conflict is made from, as they are on disk now: the same as
    /// long as nobody writes to them. A file that cannot be read at the moment counts as changed.
    pub(crate) fn digest_of_files(&self) -> String {
        let conflict = &self.conflict;
        digest_of(&conflict.folder, conflict.rules.house(), &conflict.scenario)
    }

    /// The folders of those files; none for rules inside the program.
    pub(crate) fn folders_of_files(&self) -> Vec<PathBuf> {
        let conflict = &self.conflict;
        let beside = |path: &Path| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let played = played(&conflict.folder, &conflict.scenario);
        let own = played.iter().filter_map(|folder| folder.disk_path().map(Path::to_owned));
        let mut folders: Vec<PathBuf> = own.collect();
        let houses = houses(conflict.rules.house(), &conflict.scenario);
        let houses = houses.map(Path::new).filter(|path| path.is_file());
        let files: Vec<PathBuf> = all_of(&conflict.scenario).filter_map(file_of).collect();
        folders.extend(houses.chain(files.iter().map(PathBuf::as_path)).map(beside));
        folders.sort();
        folders.dedup();
        let all = folders.clone();
        folders.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
        folders
    }

    pub(crate) fn retold(&self) -> Result<RetoldLine, Error> {
        let mut run = Run::begin(&self.conflict.rules, &self.conflict.setup, Ear::Events);
        let mut follow = Follow::new(self.history());
        let mut line = RetoldLine { questions: Vec::new(), events: Vec::new(), end: None };
        loop {
            match run.next()? {
                Turn::Done => break,
                Turn::Step => {}
                Turn::Event => line.events.push(run.event().to_owned()),
                Turn::Question => {
                    let question = run.question();
                    let part = question.part();
                    let moment = PendingQuestion::of(&run, vec![question.asked()]);
                    let mut taken = None;
                    let answered = run.answer_by(|question| {
                        taken = follow.answer(question)?;
                        taken.ok_or(Stop::Pause)
                    });
                    let events = std::mem::take(&mut line.events);
                    line.questions.push(Retold { moment, part, answer: taken, events });
                    match answered {
                        Err(Stop::Pause) => return Ok(line),
                        answered => answered?,
                    }
                }
            }
        }
        if let (Some(outcome), Some(state)) = (run.outcome(), run.state()) {
            line.end = Some((outcome.clone(), state.value()));
        }
        Ok(line)
    }
}

impl Snapshot {
    /// The same with other limits of scripts.
    pub fn under(self, limits: Limits) -> Snapshot {
        Snapshot { limits, ..self }
    }

    /// The same history as far as the rules follow it that are on disk now, with other house rules or
    /// parameters; and where they first ask something else.
    pub fn play(
        &self,
        catalog: &Catalog,
        changes: &RuleChanges,
    ) -> Result<(Play, Option<Error>), Error> {
        let again = || self.conflict(catalog, changes);
        follow(again, again()?, &self.saved, &self.limits)
    }

    /// What differs from the rules before, one sentence each.
    fn changed(&self, play: &Play) -> Vec<String> {
        let saved = &self.saved;
        let mut changed = saved.differs_from(&play.conflict.rules);
        if play.conflict.setup.value.literal() != saved.setup.literal() {
            changed.push("the setup has changed".to_owned());
        }
        if *play.conflict.setup.begin != saved.begin {
            changed.push("it begins after other answers".to_owned());
        }
        changed
    }

    /// The conflict at its beginning under the rules that are on disk now, with other house rules or
    /// parameters; the seats are those of now.
    pub fn conflict(&self, catalog: &Catalog, changes: &RuleChanges) -> Result<Conflict, Error> {
        let mut conflict = self.reopened(catalog, changes)?;
        conflict.seats = self.saved.seats.clone();
        conflict.unseated = self.saved.unseated.clone();
        // Programs among them are those that a person named.
        conflict.changes.seats = self.changes.seats.clone();
        Ok(conflict)
    }

    fn reopened(&self, catalog: &Catalog, changes: &RuleChanges) -> Result<Conflict, Error> {
        if self.scenario.document.is_none() {
            return self.reopened_from_history(catalog, changes);
        }
        let scenario = catalog.scenario(&self.scenario.name)?;
        let mut laid = self.changes.clone();
        if let Some(house) = &changes.house {
            let lacks = |all: &[String], name: &String| !all.contains(name);
            laid.without =
                scenario.house.iter().filter(|name| lacks(house, name)).cloned().collect();
            laid.house =
                house.iter().filter(|name| lacks(&scenario.house, name)).cloned().collect();
        }
        laid.params.retain(|old| changes.params.iter().all(|new| new.name != old.name));
        laid.params.extend(changes.params.iter().cloned());
        Conflict::of(catalog, scenario, &laid, &self.limits)
    }

    fn reopened_from_history(
        &self,
        catalog: &Catalog,
        changes: &RuleChanges,
    ) -> Result<Conflict, Error> {
        let saved = &self.saved;
        if changes.house.is_none() && changes.params.is_empty() {
            return reopen(catalog, saved, &self.limits).map(|(conflict, _)| conflict);
        }
        let folder = catalog.folder(&saved.system)?;
        // What the house rules set goes with them; what somebody else set stays.
        let by_house = under_house(folder, &saved.house)?;
        let mut params = saved.params.clone();
        params.retain(|name, value| by_house.get(name).is_some_and(|set| set != value));
        let (of_setup, own): (Vec<Setting>, Vec<Setting>) =
            changes.params.iter().cloned().partition(|set| set.of_setup().is_some());
        params.extend(own.into_iter().map(|set| (set.name, set.value)));
        let house = changes.house.clone().unwrap_or_else(|| saved.house.clone());
        let (setup, begin) = (saved.setup.clone(), saved.begin.clone());
        let scenario = Scenario { house, params, setup, begin, ..self.scenario.clone() };
        let changes = Changes { params: of_setup, ..Changes::default() };
        Conflict::of(catalog, scenario, &changes, &self.limits)
    }

    pub(crate) fn digest_of_files(&self, catalog: &Catalog) -> String {
        let first = match self.scenario.campaign {
            Some(_) => self.scenario.first_system(),
            None => &self.saved.system,
        };
        match catalog.folder(first) {
            Ok(folder) => digest_of(folder, &self.saved.house, &self.scenario),
            Err(error) => error.to_string(),
        }
    }
}

fn digest_of(folder: &Folder, house: &[String], scenario: &Scenario) -> String {
    let digested = |text: Result<FileText, Error>| match text {
        Ok(text) => digest(&text.text),
        Err(error) => error.to_string(),
    };
    let mut digests: Vec<String> = Vec::new();
    for folder in played(folder, scenario) {
        match folder.scripts() {
            Ok(scripts) => digests.extend(scripts.into_iter().map(|text| digested(Ok(text)))),
            Err(error) => digests.push(error.to_string()),
        }
        digests.extend(folder.params().transpose().map(digested));
        let found =
            houses(house, scenario).map(|name| digested(folder.find(FileKind::House, name)));
        digests.extend(found);
    }
    digests
        .extend(all_of(scenario).filter_map(file_of).map(|path| digested(FileText::read(&path))));
    digests.join("\n")
}

/// The folders of the systems that are played, that of the first conflict first.
fn played(folder: &Folder, scenario: &Scenario) -> Vec<Folder> {
    let mut all = vec![folder.clone()];
    for chapter in all_of(scenario).skip(1) {
        if all.iter().all(|known| known.name() != chapter.system) {
            all.extend(folder.neighbour(&chapter.system));
        }
    }
    all
}

/// A scenario, and those of the conflicts where it is a campaign.
fn all_of(scenario: &Scenario) -> impl Iterator<Item = &Scenario> {
    std::iter::once(scenario).chain(scenario.chapters().map(|chapter| &chapter.scenario))
}

/// The house rules in force, and those of the conflicts of a campaign.
fn houses<'a>(house: &'a [String], scenario: &'a Scenario) -> impl Iterator<Item = &'a String> {
    let own =
        scenario.chapters().flat_map(|chapter| chapter.scenario.house.iter().chain(&chapter.house));
    house.iter().chain(own)
}

fn file_of(scenario: &Scenario) -> Option<PathBuf> {
    let path = PathBuf::from(&scenario.document.as_ref()?.path);
    path.is_file().then_some(path)
}

pub(crate) struct Retold {
    /// What was asked, where, with the state and the picture then.
    pub moment: PendingQuestion,
    /// Which part of a joint decision it was, from 0, and of how many.
    pub part: Option<(usize, usize)>,
    /// The place of the answer among the options; none where the line ends before it.
    pub answer: Option<usize>,
    /// What was announced since the question before.
    pub events: Vec<String>,
}

impl Retold {
    pub(crate) fn asked(&self) -> Option<&Asked> {
        self.moment.asked.first()
    }
}

pub(crate) struct RetoldLine {
    pub questions: Vec<Retold>,
    /// What was announced after the last answer.
    pub events: Vec<String>,
    /// The outcome and the last state, where it is over.
    pub end: Option<(Outcome, Value)>,
}
