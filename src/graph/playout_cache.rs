//! A cache of playouts: the answers given in each and how it ended, so that none is run twice.

use std::sync::atomic::Ordering;

use super::answer_cache::{AnswerCache, SHARDS};
use super::playout::PlayoutRunner;
use super::trace::PlayoutCourse;
use crate::error::Error;
use crate::game::Generator;

impl PlayoutRunner {
    /// Makes a playout of a seed, by its number; returns the number of its ending. How it went is kept,
    /// if there is room, where the script had to run for this playout and the one before; if wanted, with what
    /// the script ran.
    pub(crate) fn play_and_keep(&mut self, number: (u64, u64), counts: bool) -> Result<u32, Error> {
        // Where playouts are looked up, making one again takes no longer than to keep it.
        if self.ran == 0 {
            return self.play(Generator::playout(number.0, number.1));
        }
        let course = self.made(number, counts)?;
        let ending = course.ending;
        if self.ran > 0 {
            self.answers().keep_course(number, course);
        }
        Ok(ending)
    }

    /// How a playout of a seed goes, by its number; if wanted, with what the script runs, where it runs the whole.
    /// One that was kept is not made again, and is kept no longer.
    pub(crate) fn course(
        &mut self,
        number: (u64, u64),
        counts: bool,
    ) -> Result<PlayoutCourse, Error> {
        match self.answers().take_course(number) {
            Some(kept) => Ok(kept),
            None => self.made(number, counts),
        }
    }

    fn made(&mut self, (seed, playout): (u64, u64), counts: bool) -> Result<PlayoutCourse, Error> {
        let (mut course, generator) = (PlayoutCourse::default(), Generator::playout(seed, playout));
        // What an agent has thought is kept at nodes, which the script alone does not look up.
        course.ending = match counts && !self.deliberates() {
            true => self.play_counted(generator, &mut course)?,
            false => self.play_traced(generator, &mut course)?,
        };
        Ok(course)
    }

    /// Makes a playout by the script from its beginning to its end, which counts what it runs; what it meets is
    /// stored all the same.
    fn play_counted(
        &mut self,
        generator: Generator,
        course: &mut PlayoutCourse,
    ) -> Result<u32, Error> {
        let rules = self.explorer().rules().clone();
        rules.count_calls();
        let ending = self.play_whole(generator, course);
        course.counted = Some(rules.counted());
        ending
    }
}

impl AnswerCache {
    /// Keeps how a playout went, if there is room: all of them take no more than runs that are paused.
    fn keep_course(&self, number: (u64, u64), mut course: PlayoutCourse) {
        course.answers.shrink_to_fit();
        let (own, whole) = (course.bytes(), course.whole());
        let taken = self.of_courses.fetch_add(whole, Ordering::Relaxed);
        let shard = &self.courses[number.1 as usize % SHARDS];
        let fits = taken + whole <= self.graph.runs().bound();
        if !fits || !self.keep(shard, number, course, own) {
            self.of_courses.fetch_sub(whole, Ordering::Relaxed);
        }
    }

    fn take_course(&self, number: (u64, u64)) -> Option<PlayoutCourse> {
        let course = self.courses[number.1 as usize % SHARDS].lock().remove(&number)?;
        self.of_courses.fetch_sub(course.whole(), Ordering::Relaxed);
        self.bytes.fetch_sub(course.bytes(), Ordering::Relaxed);
        self.graph.shrank(course.bytes());
        Some(course)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::explorer::tests::explorer;
    use crate::graph::{Graph, SeatedAgents};
    use crate::script::{Budget, Limits};

    /// Plays for somebody random at a conflict of four steps, each of which calls `twice` where 2 is picked; with the
    /// number of that function.
    fn runner() -> (PlayoutRunner, u16) {
        let step = "this.n += 1; if this.choose(\"red\", \"pick\", [1, 2]) == 2 { twice(); } \
                    this.done = this.n == 4; } fn twice() { ";
        let explorer = explorer(step, Limits::default());
        let twice = explorer.rules().countable().into_iter().find(|one| one.name == "twice");
        let answers = std::sync::Arc::new(AnswerCache::new(explorer.graph()));
        let seats = SeatedAgents::new(Generator::of(0));
        (PlayoutRunner::new(explorer, seats, answers), twice.unwrap().number)
    }

    #[test]
    fn what_a_playout_runs_is_counted_whole_where_its_way_is_known() {
        let ((mut counting, twice), (mut by_graph, _)) = (runner(), runner());
        for playout in 0..50 {
            let course = counting.course((3, playout), true).unwrap();
            let counted = course.counted.unwrap();
            let picked = course.answers.iter().filter(|answer| **answer == 1).count() as u64;
            let called = counted.calls.iter().find(|(function, _)| *function == twice);
            assert_eq!((counted.steps, called.map_or(0, |called| called.1)), (4, picked));
            assert_eq!(by_graph.course((3, playout), false).unwrap().answers, course.answers);
        }
        let nodes = |runner: &PlayoutRunner| runner.explorer().graph().nodes();
        assert_eq!(nodes(&counting), nodes(&by_graph));
    }

    #[test]
    fn room_for_playouts_is_given_back_where_one_is_taken_or_refused() {
        let graph =
            std::sync::Arc::new(Graph::new(String::new(), &Budget::default().within(1 << 20)));
        let answers = AnswerCache::new(&graph);
        let course =
            |length: usize| PlayoutCourse { answers: vec![0; length], ..PlayoutCourse::default() };
        let bound = graph.runs().bound();
        // Too long for all the room that there is.
        for number in 0..10 {
            answers.keep_course((1, number), course(bound as usize));
        }
        assert_eq!(answers.of_courses.load(Ordering::Relaxed), 0);
        for number in 0..1_000 {
            answers.keep_course((1, number), course(8));
            assert_eq!(answers.take_course((1, number)), Some(course(8)), "playout {number}");
        }
        assert_eq!(answers.of_courses.load(Ordering::Relaxed), 0);
        // The same one twice takes room once.
        answers.keep_course((1, 7), course(8));
        answers.keep_course((1, 7), course(8));
        assert_eq!(answers.of_courses.load(Ordering::Relaxed), course(8).whole());
    }
}
