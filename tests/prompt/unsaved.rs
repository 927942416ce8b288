//! Tests that what was played and not saved is kept, offered, and taken up again.

use std::path::Path;

use fracas::repl::{Session, SessionOptions};

use super::{says, text};
use crate::support::catalog;

const OPEN: &str = ":open rock_paper_scissors/once --seat ann=human --seat bob=first";

fn session(folder: &Path) -> Session {
    let mut session =
        Session::new(catalog(), SessionOptions { plain: true, ..SessionOptions::default() });
    session.keep_in(folder.to_owned());
    session
}

fn leave(session: &mut Session) -> String {
    session.keep_unsaved();
    text(&session.take_reply())
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

const OFFER: &str =
    "a conflict was not saved: rock_paper_scissors/once, just now; `:load #1` resumes it";

#[test]
fn what_is_left_is_offered_until_it_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("unsaved");
    let mut first = session(&kept);
    says(&mut first, OPEN);
    says(&mut first, "rock");
    says(&mut first, ":undo");
    says(&mut first, "paper");
    let left = leave(&mut first);
    let note = "rock_paper_scissors/once was not saved; `:load #1` resumes it at the prompt, also after the next start";
    assert_eq!(left, note);
    let file = std::fs::read_dir(&kept).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(file).unwrap();
    let here = format!("# played in {}", std::env::current_dir().unwrap().display());
    // Near the beginning, which is all that is read of it to offer it.
    assert_eq!(text.lines().nth(1), Some(here.as_str()), "{text}");

    let mut second = session(&kept);
    assert_eq!(second.offers(), [OFFER]);
    assert_eq!(says(&mut second, ":load"), "#1  rock_paper_scissors/once, just now");
    let loaded = says(&mut second, ":load #1");
    assert!(loaded.contains("ann shows paper, bob shows rock"), "{loaded}");
    // What was undone for another answer is there too.
    assert!(says(&mut second, ":tree").contains("rock\" & bob"), "{}", says(&mut second, ":tree"));
    says(&mut second, ":undo");
    says(&mut second, "scissors");
    leave(&mut second);
    assert_eq!(files(&kept), 1, "it takes the place of what it was made from");

    let mut third = session(&kept);
    says(&mut third, ":load #1");
    let saved = folder.path().join("mine.history").display().to_string();
    says(&mut third, &format!(":save {saved}"));
    assert_eq!((files(&kept), leave(&mut third)), (0, String::new()), "nothing is lost any more");
    assert_eq!(session(&kept).offers(), [""; 0]);
    let none = says(&mut session(&kept), ":load #1");
    assert_eq!(none, "error: no conflict #1 was left without being saved; none is there");
}

#[test]
fn two_prompts_at_once_keep_both() {
    let folder = tempfile::tempdir().unwrap();
    let (mut one, mut other) = (session(folder.path()), session(folder.path()));
    for (session, answer) in [(&mut one, "rock"), (&mut other, "paper")] {
        says(session, OPEN);
        says(session, answer);
    }
    leave(&mut one);
    leave(&mut other);
    assert_eq!(files(folder.path()), 2);
    // What is open is not counted: each takes up that of the other.
    assert_eq!(says(&mut one, ":load"), "#1  rock_paper_scissors/once, just now");
    let loaded = says(&mut one, ":load #1");
    assert!(loaded.contains("ann shows paper, bob shows rock"), "{loaded}");
    let loaded = says(&mut other, ":load #1");
    assert!(loaded.contains("ann shows rock, bob shows rock"), "{loaded}");
}

#[test]
fn two_prompts_that_take_up_the_same_one_keep_both() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("unsaved");
    let mut first = session(&kept);
    says(&mut first, OPEN);
    says(&mut first, "rock");
    leave(&mut first);
    let (mut one, mut other) = (session(&kept), session(&kept));
    let file = std::fs::read_dir(&kept).unwrap().next().unwrap().unwrap().path();
    for (session, answer) in [(&mut one, "paper"), (&mut other, "scissors")] {
        let loaded = says(session, &format!(":load {}", file.display()));
        assert!(loaded.contains("ann shows rock, bob shows rock"), "{loaded}");
        says(session, ":undo");
        says(session, answer);
    }
    leave(&mut one);
    leave(&mut other);
    assert_eq!(files(&kept), 2, "neither overwrites the other");
    // What one saves, the other has still to keep.
    says(&mut one, &format!(":save {}", folder.path().join("mine.history").display()));
    assert_eq!(files(&kept), 1);
    let loaded = says(&mut session(&kept), ":load #1");
    assert!(loaded.contains("ann shows scissors, bob shows rock"), "{loaded}");
}

#[cfg(unix)]
#[test]
fn what_is_open_in_one_prompt_is_not_offered_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = session(folder.path());
    says(&mut first, OPEN);
    says(&mut first, "rock");
    leave(&mut first);
    let mut one = session(folder.path());
    says(&mut one, ":load #1");
    let mut other = session(folder.path());
    assert_eq!(other.offers(), [""; 0]);
    let none = says(&mut other, ":load #1");
    assert_eq!(none, "error: no conflict #1 was left without being saved; none is there");
    // However its program ends.
    drop(one);
    assert_eq!(other.offers(), [OFFER]);
    assert!(says(&mut other, ":load #1").contains("ann shows rock, bob shows rock"));
}

#[test]
fn what_made_room_while_it_was_taken_up_is_kept_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(folder.path());
    for answer in std::iter::once("paper").chain(["rock"; 20]) {
        says(&mut session, OPEN);
        says(&mut session, answer);
    }
    // There are 20: the first one, with paper, and 19 more; the open one is not kept yet.
    assert_eq!(files(folder.path()), 20);
    let oldest = says(&mut session, ":load #20");
    let paper = "ann shows paper, bob shows rock";
    assert!(oldest.contains(paper), "{oldest}");
    let left = leave(&mut session);
    assert!(left.contains("`:load #1` resumes it"), "{left}");
    session.keep_in(folder.path().to_owned());
    let loaded = says(&mut session, ":load #1");
    assert!(loaded.contains(paper), "{loaded}");
}

#[test]
fn only_what_a_person_played_and_did_not_save_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(folder.path());
    says(&mut session, OPEN);
    assert_eq!(leave(&mut session), "", "nothing was answered");
    says(&mut session, ":open kuhn_poker/one_hand");
    says(&mut session, ":play");
    assert_eq!(leave(&mut session), "", "nobody played");
    says(&mut session, OPEN);
    says(&mut session, "rock");
    let opened = says(&mut session, ":open kuhn_poker/one_hand");
    assert!(opened.starts_with("rock_paper_scissors/once was not saved; `:load #1`"), "{opened}");
    assert_eq!(files(folder.path()), 1);
}

#[test]
fn the_oldest_make_room_and_what_is_no_history_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    std::fs::write(folder.path().join("0-0-0.history"), b"\xff\xfe no history").unwrap();
    let mut session = session(folder.path());
    for _ in 0..22 {
        says(&mut session, OPEN);
        says(&mut session, "rock");
    }
    leave(&mut session);
    // 20 histories, and the notes. What has the name of a history and cannot be read was the oldest.
    assert_eq!(files(folder.path()), 21);
    assert!(folder.path().join("notes.txt").exists());
    let offers = session.offers();
    assert_eq!(offers.len(), 4, "{offers:?}");
    assert_eq!(offers[3], "and 17 conflicts more; `:load` lists them");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut session = session(&file);
    says(&mut session, OPEN);
    says(&mut session, "rock");
    assert!(leave(&mut session).starts_with("what was not saved is not kept: cannot write"));
    assert!(says(&mut session, OPEN).contains("ann, hand?"));
}

#[test]
fn an_agent_that_a_strangers_file_may_not_name_is_not_seated_from_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (kept, secret) = (folder.path().join("unsaved"), folder.path().join("secret.rhai"));
    std::fs::write(&secret, "topsecret = [\n").unwrap();
    let saved = folder.path().join("theirs/a.history");
    std::fs::create_dir(saved.parent().unwrap()).unwrap();
    let mut first = session(&kept);
    says(&mut first, OPEN);
    says(&mut first, &format!(":save {}", saved.display()));
    let text = std::fs::read_to_string(&saved).unwrap();
    let text = text.replace("bob = \"first\"", &format!("bob = \"{}\"", secret.display()));
    assert!(text.contains("secret"), "{text}");
    std::fs::write(&saved, text).unwrap();

    let nobody = "nobody is seated for bob";
    let mut second = session(&kept);
    let loaded = says(&mut second, &format!(":load {}", saved.display()));
    assert!(loaded.contains(nobody), "{loaded}");
    says(&mut second, "rock");
    leave(&mut second);
    assert_eq!(files(&kept), 1);

    let mut third = session(&kept);
    let loaded = says(&mut third, ":load #1");
    assert!(loaded.contains(nobody) && !loaded.contains("topsecret"), "{loaded}");
    assert!(loaded.contains("ann shows rock"), "{loaded}");
    // Saved for others, the seat is what it was: in its own folder it is taken again.
    says(&mut third, &format!(":save {}", folder.path().join("b.history").display()));
    let text = std::fs::read_to_string(folder.path().join("b.history")).unwrap();
    assert!(text.contains("bob = ") && !text.contains("unseated"), "{text}");
}

#[test]
fn what_was_played_in_another_folder_is_listed_with_it_and_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = session(folder.path());
    says(&mut first, OPEN);
    says(&mut first, "rock");
    leave(&mut first);
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let here = std::env::current_dir().unwrap().display().to_string();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(&format!("# played in {here}\n")), "{text}");
    std::fs::write(&file, text.replace(&format!("# played in {here}\n"), "# played in /else\n"))
        .unwrap();
    assert_eq!(session(folder.path()).offers(), [""; 0]);
    let listed = says(&mut session(folder.path()), ":load");
    assert_eq!(listed, "#1  rock_paper_scissors/once, just now, in `/else`");
}
