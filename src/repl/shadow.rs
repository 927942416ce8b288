//! What is to be said when a file changes while a line is typed? The session belongs to one thread; its
//! shadow looks on another, and leaves the session as it is.

use super::rework::tell_changed;
use super::{Eyes, Picture, Reply, Said, Session, question};
use crate::catalog::Catalog;
use crate::conflict::{Ground, Play, Rework};

/// What is needed to play the open conflict again on another thread.
#[derive(Clone, Debug)]
pub struct Shadow {
    catalog: Catalog,
    ground: Ground,
    /// A print of the files when they were last read.
    files: String,
    revealed: bool,
    /// Who looks at the session.
    eyes: Eyes,
    width: usize,
}

impl Session {
    /// What looks at the files while nobody asks the session; nothing where they are not watched.
    pub fn shadow(&self) -> Option<Shadow> {
        let play = self.play.as_ref().filter(|_| self.watches)?;
        Some(Shadow {
            catalog: self.catalog.clone(),
            ground: play.ground(),
            files: self.files.clone()?,
            revealed: self.revealed,
            eyes: Eyes::of(play, self.revealed),
            width: self.options.width,
        })
    }
}

impl Shadow {
    /// What the files come to that have changed since they were last read, with their print; nothing
    /// where none has.
    pub fn look(&self) -> Option<(String, Reply)> {
        let mut reply = Reply::default();
        let (play, divergence) = match self.ground.play(&self.catalog, &Rework::default()) {
            Ok(played) => played,
            Err(error) => {
                let files = self.ground.print_of_files(&self.catalog);
                if files == self.files {
                    return None;
                }
                reply.note("the old rules stay in place");
                reply.said.push(Said::Error(error));
                return Some((files, reply));
            }
        };
        let files = play.print_of_files();
        if files == self.files {
            return None;
        }
        let ended = self.ground.ended(&play);
        tell_changed(self.ground.changed(&play), &divergence, ended, &play, &mut reply);
        self.tell(&play, &mut reply);
        let eyes = Eyes::of(&play, self.revealed).or(|| self.eyes.clone());
        reply.said.extend(divergence.map(|parted| Said::Error(eyes.error(parted))));
        Some((files, reply))
    }

    fn tell(&self, play: &Play, reply: &mut Reply) {
        let eyes = Eyes::of(play, self.revealed);
        match question::picture(play, &eyes) {
            Ok(Some(text)) => {
                reply.said.push(Said::Picture(Picture::since(text.trim_end(), None)));
            }
            Ok(None) => {}
            Err(why) => reply.note(why),
        }
        question::asked(play, self.width).into_iter().for_each(|question| reply.note(question));
    }
}
