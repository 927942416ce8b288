//! Shared by the tests: the rules folders on disk, their scenarios, and golden files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fracas::catalog::{Catalog, FileKind};
use fracas::conflict::{Changes, Conflict};
use fracas::game::{Distribution, Generator, Question, Record, Stop};
use fracas::script::{Ear, FinishedPlayout, Limits, Run};

/// The lines of three on a board of nine squares, whose squares are counted from 0 row by row.
pub const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// How many cases of a long property are tried: all with `FRACAS_THOROUGH`, and a tenth without.
pub fn share_of(all: u64) -> u64 {
    if is_thorough() { all } else { all.div_ceil(10) }
}

/// Whether what takes long is tried too: with `FRACAS_THOROUGH`.
pub fn is_thorough() -> bool {
    std::env::var_os("FRACAS_THOROUGH").is_some()
}

/// A path below the package's folder.
pub fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// All rules folders on disk: those that ship, and the known games among the fixtures of the tests.
pub fn catalog() -> Catalog {
    Catalog::new(&[path("tests/fixtures/rules"), path("rules")]).unwrap()
}

/// The names of the rules folders on disk, as `SYSTEM/SCENARIO`, folder by folder.
pub fn scenarios(catalog: &Catalog) -> Vec<String> {
    let of = |folder: &fracas::catalog::Folder| {
        let system = folder.name().to_owned();
        folder.names(FileKind::Scenario).into_iter().map(move |name| format!("{system}/{name}"))
    };
    catalog.folders().flat_map(of).collect()
}

/// A scenario that plays without people: agents keep their seats, `random` takes the others.
pub fn unmanned(catalog: &Catalog, name: &str) -> Conflict {
    let mut scenario = catalog.scenario(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    scenario.seats.retain(|_, agent| agent != "human");
    Conflict::of(catalog, scenario, &Changes::default(), &Limits::default())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A value that several hold.
pub fn shared<T>(value: T) -> Rc<RefCell<T>> {
    Rc::new(RefCell::new(value))
}

/// Plays a conflict from its setup to its end; `pick` answers. Nobody hears the events.
pub fn play(
    conflict: &Conflict,
    pick: impl FnMut(&Question<'_>) -> Result<usize, Stop>,
) -> Result<FinishedPlayout, Stop> {
    Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf).finish(pick)
}

/// The playout of a conflict in which everybody answers at random.
pub fn sampled(conflict: &Conflict, seed: u64, playout: u64) -> (Record, FinishedPlayout) {
    let mut generator = Generator::playout(seed, playout);
    recorded(conflict, |question| Ok(generator.sample(question)))
}

/// As [`play`], with the history.
pub fn recorded(
    conflict: &Conflict,
    mut pick: impl FnMut(&Question<'_>) -> Result<usize, Stop>,
) -> (Record, FinishedPlayout) {
    let mut record = Record::default();
    let played = play(conflict, |question| {
        let answer = pick(question)?;
        record.note(question, answer);
        Ok(answer)
    });
    let name = &conflict.scenario.name;
    match played {
        Ok(played) => (record, played),
        Err(stop) => panic!("{name}: {}\n{}", told(stop), record.history),
    }
}

/// The message of the error that ended a playout.
pub fn told(stop: Stop) -> String {
    fracas::error::Error::from(stop).to_string()
}

/// Walks through all histories, one playout each: the last answer that can still change is changed.
#[derive(Default)]
pub struct Walk {
    /// The answers of this playout, and how many there were to choose from.
    path: Vec<(usize, usize)>,
    at: usize,
    /// The rolls of this playout: the distribution and the index of the result.
    pub fell: Vec<(Distribution, usize)>,
    /// How many options each decision of this playout had.
    pub offered: Vec<usize>,
}

impl Walk {
    /// Advances to the next history; returns false after the last one.
    pub fn advance(&mut self) -> bool {
        self.at = 0;
        self.fell.clear();
        self.offered.clear();
        while let Some((answer, count)) = self.path.pop() {
            if answer + 1 < count {
                self.path.push((answer + 1, count));
                return true;
            }
        }
        false
    }

    /// The answer of this history to a question.
    pub fn answer(&mut self, question: &Question<'_>) -> usize {
        let count = question.len();
        if self.at == self.path.len() {
            self.path.push((0, count));
        }
        self.at += 1;
        let answer = self.path[self.at - 1].0;
        match question {
            Question::Decision(..) => self.offered.push(count),
            Question::Chance(chance) => self.fell.push((chance.distribution.clone(), answer)),
        }
        answer
    }
}

/// Whether `FRACAS_BLESS` asks to rewrite the golden files.
pub fn blessing() -> bool {
    std::env::var_os("FRACAS_BLESS").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Compares a text with a golden file, or writes the file if `FRACAS_BLESS=1` asks for it.
pub fn same_as_file(file: &Path, text: &str) {
    if blessing() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        return;
    }
    let there = std::fs::read_to_string(file).unwrap_or_default();
    if there == text {
        return;
    }
    let lines = there.lines().zip(text.lines());
    let same = lines.take_while(|(old, new)| old == new).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_owned();
    panic!(
        "{} is another from line {} on:\n  it has  {}\n  now it is {}\n\
         `FRACAS_BLESS=1 cargo test --test main` writes it anew; read the difference.",
        file.display(),
        same + 1,
        line(&there),
        line(text),
    );
}

/// A result as programs get it.
pub fn json(found: &impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(found).unwrap()
}
