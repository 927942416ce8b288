//! Plays the open conflict again under other rules, and says what differs.

use super::{Session, SessionOptions, Viewer};
use crate::conflict::{Course, Line, Reloaded, RuleChanges};
use crate::error::Error;
use crate::game::{History, Outcome, brief};
use crate::report;

impl Session {
    /// Plays the open conflict under the rules as they are on disk, with other house rules or
    /// parameters, and reports the result.
    ///
    /// # Errors
    /// All that is wrong with the rules; the old ones then stay in place, and a note says so.
    pub(super) fn replay_under(&mut self, changes: &RuleChanges) -> Result<(), Error> {
        let (catalog, before) = (self.catalog.clone(), self.viewer()?);
        // What was taken back is played again too, and so are the other lines.
        let mut lines = self.open()?.lines().into_iter();
        let may = lines.try_for_each(|(_, line, _)| may_play_line_again(&before, line));
        let play = self.open_mut()?;
        let is_answered = play.is_answered_in_secret();
        let known = play.conflict.warnings();
        let house = play.conflict.rules.house().to_vec();
        let digest = play.digest_of_files();
        let reloaded = may.and_then(|()| play.replay_under(&catalog, changes));
        // Other house rules have other files; and rules that were read while somebody interrupted
        // are not those that are played.
        let digest = match &reloaded {
            Ok(_) if play.conflict.rules.house() != house => Some(play.digest_of_files()),
            Err(Error::Interrupted) => self.files_digest.take(),
            _ => Some(digest),
        };
        self.files_digest = digest;
        let Reloaded { changed, divergence, cut, regained, before: was } =
            reloaded.inspect_err(|_| {
                self.note("the old rules stay in place");
            })?;
        self.files_in_force.clone_from(&self.files_digest);
        self.mistake = None;
        self.report_changed(changed, &divergence, &was)?;
        if is_answered {
            self.note("what was answered in secret is asked again");
        }
        let warnings = self.open()?.conflict.warnings().into_iter();
        warnings.filter(|one| !known.contains(one)).for_each(|one| self.note(one.to_string()));
        // What was hidden before stays so where the conflict is over under the rules of now.
        let viewer = self.viewer()?.or(|| before);
        self.report_cut(&cut, &viewer);
        self.report_regained(&regained, &viewer);
        self.tree.clear();
        self.weighed.clear();
        self.announced = self.known_events(&was)?;
        self.screen.heard_at_most(self.announced);
        self.report();
        if let Some(parted) = divergence {
            self.report_parted(viewer.error(parted), was.position.outcome().is_some());
        }
        Ok(())
    }

    /// How many events of the open conflict are not news: all of them, but where the same answers now end it those
    /// after the last answer that were not announced before.
    fn known_events(&self, was: &Course) -> Result<usize, Error> {
        let (play, answers) = (self.open()?, was.history.len());
        let events = play.events();
        let ends_now = was.position.outcome().is_none() && play.outcome().is_some();
        if !ends_now || play.history() != was.history {
            return Ok(events.len());
        }
        let same = events.iter().zip(&was.events).take_while(|(now, was)| now == was).count();
        Ok(same.max(events.partition_point(|heard| heard.after < answers)))
    }

    /// Reports where the rules diverge from the history. To a person that is news, to a program an error, since what it
    /// says next was meant for another place.
    fn report_parted(&self, parted: Error, was_over: bool) {
        let SessionOptions { json, is_terminal, width, .. } = self.options;
        let Error::Diverged { entry, recorded, asked, .. } = &parted else {
            return self.fail(parted);
        };
        if json || !is_terminal {
            return self.fail(parted);
        }
        let is_over = self.open().is_ok_and(|play| play.outcome().is_some());
        let now = match (is_over, was_over) {
            (true, _) => "over",
            (false, true) => "open there, where before it was over",
            (false, false) => "open there",
        };
        self.note(report::wrapped(
            &format!(
                "these rules diverge from the history at entry {entry}: it has `{recorded}`, the rules ask \
                 {asked}. The conflict is {now}; under the old rules `:redo` plays the rest again"
            ),
            width,
        ));
    }

    /// Whether the open conflict may be played again under other rules: not where that may show what is hidden
    /// from whoever looks.
    pub(super) fn may_replay(&self) -> Result<bool, Error> {
        let (viewer, play) = (self.viewer()?, self.open()?);
        Ok(play.lines().into_iter().all(|(_, line, _)| may_play_line_again(&viewer, line).is_ok()))
    }
}

/// Refuses to play a line again of which this viewer did not see all; says so where the viewer has seen all that
/// is played, and what was taken back holds the rest.
fn may_play_line_again(viewer: &Viewer, line: &Line) -> Result<(), Error> {
    viewer.may_play_again(&line.played())?;
    viewer.may_play_again(&line.entire()).map_err(|_| {
        Error::usage(
            "what was taken back contains something that is hidden from you, and other rules may show \
             it; `:reveal` first",
        )
    })
}

impl Session {
    /// Reports the differences from the rules before, and what became of the history.
    fn report_changed(
        &self,
        changed: Vec<String>,
        divergence: &Option<Error>,
        was: &Course,
    ) -> Result<(), Error> {
        if changed.is_empty() {
            self.note("no rule has changed");
        }
        changed.iter().for_each(|change| self.note(format!("changed: {change}")));
        if divergence.is_some() {
            return Ok(());
        }
        let (was, now) = (&was.position, self.open()?.position());
        match (was.outcome(), now.outcome()) {
            (None, Some(_)) => self.note("the same history, but it is over now"),
            (Some(_), None) => self.note("the same history, and it continues"),
            (Some(was), Some(now)) if was != now => self.note(other_outcome(was, now)),
            _ if was.state() != now.state() => self.note("the same history, another state"),
            _ => self.note("same up to here"),
        }
        Ok(())
    }

    /// Reports which lines of play have become shorter, by the entries that this viewer had seen of them.
    pub(super) fn report_cut(&self, cut: &[(String, History)], viewer: &Viewer) {
        let seen = cut.iter().map(|(name, lost)| (name, viewer.count(lost)));
        for (name, entries) in seen.filter(|(_, entries)| *entries > 0) {
            let entries = report::many(entries as u64, "entry");
            self.note(format!("cut: {entries} of the line `{name}`"));
        }
    }

    /// Reports which lines of play have entries again that were cut off before, as far as this viewer sees them.
    fn report_regained(&self, regained: &[(String, History)], viewer: &Viewer) {
        for (name, again) in regained {
            match viewer.count(again) {
                0 => {}
                1 => self.note(format!(
                    "1 entry of the line `{name}` that had been cut off fits again; `:redo` makes it again"
                )),
                entries => self.note(format!(
                    "{entries} entries of the line `{name}` that had been cut off fit again; `:redo` makes \
                     them again"
                )),
            }
        }
    }
}

/// How an outcome differs from the one before: by its result and the utilities, else by other keys of it.
fn other_outcome(was: &Outcome, now: &Outcome) -> String {
    let (before, other) = (report::outcome_line(was), "the same history, another outcome");
    if before != report::outcome_line(now) {
        return format!("{other}; it was {before}");
    }
    let entries = |outcome: &Outcome| outcome.value().as_map().cloned().unwrap_or_default();
    let (was, now) = (entries(was), entries(now));
    let differs = now.iter().filter(|(key, value)| was.get(*key) != Some(value));
    let differs = differs.map(|(key, value)| match was.get(key) {
        Some(was) => format!("`{}` is {}, was {}", brief(key), brief(value), brief(was)),
        None => format!("`{}` is new", brief(key)),
    });
    let gone = was.keys().filter(|key| !now.contains_key(*key));
    let gone = gone.map(|key| format!("`{}` is gone", brief(key)));
    format!("{other}: {}", report::some_of(differs.chain(gone), KEYS, ", "))
}

/// The most keys of an outcome that are named.
const KEYS: usize = 3;
