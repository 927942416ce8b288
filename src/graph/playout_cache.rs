//! A cache of playouts: the answers given in each and how it ended, so that none is run twice.

use std::sync::atomic::Ordering;

use super::answer_cache::{AnswerCache, SHARDS};
use super::playout::PlayoutRunner;
use super::trace::PlayoutCourse;
use crate::error::Error;
use crate::handlers::Generator;

impl PlayoutRunner {
    /// Makes a playout of a seed, by its number; returns the number of its ending. How it went is kept,
    /// if there is room, where the script had to run for this playout and the one before.
    pub(crate) fn play_and_keep(&mut self, number: (u64, u64)) -> Result<u32, Error> {
        // Where playouts are looked up, making one again takes no longer than to keep it.
        if self.ran == 0 {
            return self.play(Generator::playout(number.0, number.1));
        }
        let course = self.made(number)?;
        let ending = course.ending;
        if self.ran > 0 {
            self.answers().keep_course(number, course);
        }
        Ok(ending)
    }

    /// How a playout of a seed goes, by its number. One that was kept is not made again, and is kept
    /// no longer.
    pub(crate) fn course(&mut self, number: (u64, u64)) -> Result<PlayoutCourse, Error> {
        match self.answers().take_course(number) {
            Some(kept) => Ok(kept),
            None => self.made(number),
        }
    }

    fn made(&mut self, (seed, playout): (u64, u64)) -> Result<PlayoutCourse, Error> {
        let mut course = PlayoutCourse::default();
        course.ending = self.play_traced(Generator::playout(seed, playout), &mut course)?;
        Ok(course)
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
    use crate::graph::Graph;
    use crate::script::Budget;

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
