//! The table of measures, in the order in which they are printed: what each is called, counts and means, and how it is
//! found.

use num_traits::One;

use super::ended::{Ended, Leg, SAME, leader};
use crate::conflict::Seat;
use crate::graph::Ending;
use crate::number::Fraction;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning {
    /// Its name; a word in capitals stands for a name of the conflict.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// How a portrait labels it in its group.
    label: &'static str,
    /// A difference of it, as a part of a sentence.
    change: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// Who defined it, or how it is computed.
    pub source: &'static str,
    /// What finds it.
    pub by: By,
}

/// What finds a measure. Of ends and ways it is the mean: on the graph over all of them, each as likely as it is, from
/// playouts over those that were made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum By {
    /// The part of a playout from a question to the next, or all of it: what the parts have sums up to what a playout
    /// has. Nothing where it was not counted.
    Leg(fn(&Leg) -> Option<u64>),
    /// How many of the first there are to one of the second.
    Ratio([fn(&Leg) -> u64; 2]),
    /// The end of a conflict: a number, and what comes behind the stem of the name, a seat or a result. A share is 1 or
    /// 0, and 0 where an end says nothing of it.
    End(fn(&Ended<'_>) -> Vec<(String, Fraction)>),
    /// The chances of the seats on the way to the end, last that of a tie: what is kept of them from question to
    /// question, and what that says with the seats that win; nothing where a way does not count. Only on the graph.
    Way(fn(&mut Along, &[f64]), fn(&Along, &[usize]) -> Option<f64>),
    /// The chance of the winner on the way; of several winners the mean of theirs. On the graph.
    Winner(fn(&mut Along, f64), fn(&Along) -> f64),
    /// The moves of the chances from a question to the next: how likely each is, and the sum of the squares by which all
    /// chances move; summed over the conflict. On the graph.
    Moves(fn(&[(f64, f64)]) -> f64),
    /// A study of its own.
    Study,
}

/// What is kept of a way: whole numbers, so that ways that agree in them are gone along together.
pub(crate) type Along = Vec<u64>;

impl Meaning {
    /// The name before what stands for a name of the conflict.
    fn stem(&self) -> &'static str {
        self.name.trim_end_matches(|letter: char| letter.is_ascii_uppercase())
    }

    /// What a name has behind the stem, or behind the group where it has no other.
    fn rest<'a>(&self, name: &'a str) -> &'a str {
        let stem = self.stem();
        let behind = if stem == self.name { name.split_once('.') } else { None };
        behind.map_or(name.strip_prefix(stem).unwrap_or(name), |(_, rest)| rest)
    }

    /// The group of a measure, and its label in it.
    pub(super) fn label(name: &str) -> (&str, String) {
        let (group, rest) = name.split_once('.').unwrap_or(("", name));
        let Some(meaning) = Meaning::of(name) else { return (group, rest.to_owned()) };
        let of = meaning.rest(name);
        let (seat, part) = of.split_once('.').unwrap_or((of, ""));
        let label = match meaning.label {
            "{seat}: {part}" => format!("{seat}: {part}"),
            label => label.replace("{of}", of),
        };
        (group, label)
    }

    /// A difference of a measure, as a part of a sentence: its size, in points of a share, and whether it is more.
    pub(super) fn change(name: &str, [size, points]: [&str; 2], up: bool) -> String {
        let meaning = Meaning::of(name);
        let plural = |size: &str| if size == "1" { "" } else { "s" };
        let points = format!("{points} point{}", plural(points));
        let template = meaning.map_or(OTHERWISE, |one| one.change);
        // Text, then what is said of more and of less, then text again.
        let parts = template.split(['[', '|', ']']).enumerate();
        let parts = parts.filter(|(at, _)| at % 3 == 0 || (at % 3 == 1) == up);
        let text: String = parts.map(|(_, part)| part).collect();
        let text = text.replace("(s)", plural(size)).replace("{points}", &points);
        let text = text.replace("{n}", size).replace("{name}", name);
        text.replace("{of}", meaning.map_or(name, |one| one.rest(name)))
    }

    pub(super) fn named(&self, of: &str) -> String {
        format!("{}{of}", self.stem())
    }

    /// The names by which it is asked for: its own, or that of all seats and those of each. What stands for anything
    /// else is asked for in its own way.
    pub(super) fn names<'a>(&self, seats: impl Iterator<Item = &'a str>) -> Vec<String> {
        let stem = self.stem();
        match self.name.strip_prefix(stem) {
            Some("SEAT") => {
                let all = stem.trim_end_matches('.').to_owned();
                std::iter::once(all).chain(seats.map(|seat| self.named(seat))).collect()
            }
            Some("") => vec![self.name.to_owned()],
            _ => Vec::new(),
        }
    }

    /// The index of the measure of this name in [`GLOSSARY`].
    pub(crate) fn place(name: &str) -> Option<usize> {
        let of = |one: &Meaning| {
            let stem = one.stem();
            stem.len() < one.name.len() && name.starts_with(stem)
        };
        let exactly = GLOSSARY.iter().position(|meaning| meaning.name == name);
        exactly.or_else(|| GLOSSARY.iter().position(of))
    }

    /// Whether a measure of this name is below 0 in no conflict, by what it means.
    pub(crate) fn is_never_negative(name: &str) -> bool {
        Meaning::of(name).is_some_and(|meaning| {
            meaning.name == "margin" || !matches!(meaning.unit, "utility" | "number")
        })
    }

    pub(crate) fn of(name: &str) -> Option<&'static Meaning> {
        GLOSSARY.get(Meaning::place(name)?)
    }
}

/// In labels and changes `{of}` stands for what the name has behind its stem or group, `X changes `{n}` for the size,
/// `{points}` for it in points of a share, `(s)` for the plural, and `[more|less]` for the one or the other.
const fn meaning(
    name: &'static str,
    [unit, label]: [&'static str; 2],
    change: &'static str,
    meaning: &'static str,
    source: &'static str,
) -> Meaning {
    Meaning { name, unit, label, change, meaning, source, by: By::Study }
}

pub(super) const FIRST_SEAT: &str = "fairness.first_seat";
const BEATS: &str = "`{of}` beats the agent below it {points} [more|less] often";
const OTHERWISE: &str = "`{name}` is {n} [higher|lower]";

impl Meaning {
    const fn by(self, by: By) -> Meaning {
        Meaning { by, ..self }
    }
}

pub(crate) const GLOSSARY: [Meaning; 31] = [
    meaning(
        "length.decisions",
        ["decisions", "decisions"],
        "a conflict is {n} decision(s) [longer|shorter]",
        "How often a player has more than one option in a conflict. Each part of a joint decision counts.",
        "Mean over conflicts, with deviation and the range of the middle 90 %; on the graph the \
         expected visits of its nodes (Kemeny and Snell, Finite Markov Chains, 1960). From playouts with \
         Student's interval, wider where few values are far off; two values have that of a share (Wilson), \
         and a mean that never varied has none.",
    )
    .by(By::Leg(|leg| Some(leg.decisions))),
    meaning(
        "length.chance",
        ["chance events", "chance events"],
        "a conflict has {n} [more|fewer] chance event(s)",
        "How often something is rolled in a conflict: each call of `roll`.",
        "As `length.decisions`.",
    )
    .by(By::Leg(|leg| Some(leg.chance))),
    meaning(
        "length.steps",
        ["steps", "steps"],
        "a conflict takes {n} [more|fewer] step(s)",
        "How many calls of `step` a conflict takes: what people at the table call a round or a turn.",
        "As `length.decisions`; every way between two questions is run once more to count it.",
    )
    .by(By::Leg(|leg| leg.steps)),
    meaning(
        "choice.options",
        ["options", "options"],
        "a decision has {n} [more|fewer] option(s) on average",
        "How many options a decision has, on average over all decisions that are reached.",
        "The expected number of options over the expected number of decisions.",
    )
    .by(By::Ratio([|leg| leg.options, |leg| leg.decisions])),
    meaning(
        "choice.most",
        ["options", "most"],
        "the largest decision has {n} [more|fewer] option(s)",
        "The most options that a decision has.", "Counted."),
    meaning(
        "choice.forced",
        ["share", "one sensible option"],
        "a decision has only one sensible option {points} [more|less] often",
        "The share of decisions with one sensible option: every other gives up more than 5 % of all that \
         the seat may win or lose in this conflict.",
        "What an option is worth is the expected utility after it under the agents seated, over all that \
         looks alike to who decides; from playouts, what `greedy` finds, with Wilson's interval of as many \
         decisions as vary as much as those of all conflicts do; it begins at that of the decisions that surely \
         have one sensible option, and ends at that of those that may.",
    ),
    meaning(
        "fairness.utility.SEAT",
        ["utility", "utility of {of}"],
        "the utility of {of} is {n} [higher|lower]",
        "What a seat has in the end, on average: the mean of its players.",
        "As `fracas odds` and `fracas estimate`.",
    )
    .by(By::End(|end| end.each(|seat| end.worths[seat].clone()))),
    meaning(
        "fairness.wins.SEAT",
        ["share", "{of} has most"],
        "{of} wins {points} [more|less] often",
        "How often a seat has as much as any other, and more than some other.",
        "Counted over the ends.",
    )
    .by(By::End(|end| end.several(end.each(|seat| one_if(end.verdict.winners.contains(&seat)))))),
    meaning(
        FIRST_SEAT,
        ["utility", "first seat"],
        "the first seat is worth {n} [more|less]",
        "What the first seat has more than the others have on average, over seatings in which each agent \
         takes each seat once.",
        "The mean over all turns of the agents around the seats.",
    )
    .by(By::End(|end| end.advantage().map(|more| (String::new(), more)).into_iter().collect())),
    meaning(
        "fairness.value.SEAT",
        ["utility", "{of}, perfect play"],
        "under perfect play {of} has {n} [more|less]",
        "What a seat has where everybody plays perfectly; of several equilibria the range over those found. \
         Left out where others may be worth something else, and were not looked for.",
        "`fracas solve`, where it finds a solution of a small graph.",
    ),
    meaning(
        "result.RESULT",
        ["share", "{of}"],
        "the result `{of}` comes {points} [more|less] often",
        "How often the conflict ends with this result.",
        "Counted over the ends.",
    )
    .by(By::End(|end| vec![(end.result.to_owned(), Fraction::one())])),
    meaning(
        "ties",
        ["share", "ties"],
        "ties come {points} [more|less] often",
        "How often all seats have the same in the end.",
        "Counted over the ends.",
    )
    .by(By::End(|end| end.several(vec![(String::new(), one_if(end.verdict.winners.is_empty()))]))),
    meaning(
        "margin",
        ["utility", "margin"],
        "the margin is {n} [wider|narrower]",
        "How much more utility the winners have than the next; 0 in a tie. It counts no other points of the rules.",
        "Mean over the ends.",
    )
    .by(By::End(|end| end.several(vec![(String::new(), end.verdict.margin.clone())]))),
    meaning(
        "drama.lead_changes",
        ["changes", "lead changes"],
        "a conflict has {n} [more|fewer] lead change(s)",
        "How often the lead passes to another seat. The one that alone is likeliest to win has it until another is.",
        "By the chances of each seat to win at each node; only on the graph.",
    )
    .by(By::Way(leads, |way, _| Some(*way.get(1)? as f64))),
    meaning(
        "drama.half_time",
        ["share", "half time"],
        "`{name}` is {points} [higher|lower]",
        "How often the seat wins that is the likeliest to win at half-time.",
        "Mean over the conflicts that somebody wins and in which somebody leads then, time counted in questions: \
         after three of seven; only on the graph.",
    )
    .by(By::Way(leaders, |way, winners| {
        let lead = *way.get(1).filter(|lead| **lead != NOBODY && !winners.is_empty())?;
        Some(f64::from(u8::from(winners.iter().any(|winner| *winner as u64 == lead))))
    })),
    meaning(
        "drama.comeback",
        ["share", "winner's lowest chance"],
        "the lowest chance that the winner had on the way is {points} [higher|lower]",
        "The lowest chance to win that the winner had on the way; of several winners the mean of theirs.",
        "Mean over the conflicts that somebody wins. From playouts it is measured twice, too low and too \
         high, as `drama.surprise` is; where several questions tie for the lowest, the value in the middle is a \
         little low.",
    )
    .by(By::Winner(lowest, |way| way.first().map_or(0.0, |low| *low as f64 / FIXED))),
    meaning(
        "drama.suspense",
        ["chance", "suspense"],
        "suspense is {n} [higher|lower]",
        "How far the next entry can be expected to move each seat's chance to win and the chance of a tie \
         (standard deviation), summed over the conflict.",
        "Ely, Frankel and Kamenica, Suspense and Surprise, Journal of Political Economy 123, 2015; only on \
         the graph.",
    )
    .by(By::Moves(|moves| moves.iter().map(|(chance, square)| chance * square).sum::<f64>().sqrt())),
    meaning(
        "drama.surprise",
        ["chance", "surprise"],
        "surprise is {n} [higher|lower]",
        "How much the chances have moved that each seat wins, and that there is a tie: the distance from the \
         chances before, summed over the conflict.",
        "Ely, Frankel and Kamenica, 2015. From playouts it is measured twice: by all from a question at once \
         it is too much, since noise moves too, and by each along the direction in which the others moved too \
         little. The value is in the middle; the interval holds both, and so is wider.",
    )
    .by(By::Moves(|moves| moves.iter().map(|(chance, square)| chance * square.sqrt()).sum())),
    meaning(
        "drama.decided",
        ["share", "decided after"],
        "a conflict is decided {points} of its length [later|earlier]",
        "The share of the conflict after which the winner's chance stays above 90 %; of several winners the \
         mean of theirs.",
        "Mean over the conflicts that somebody wins, time counted in questions; only on the graph.",
    )
    .by(By::Winner(open, |way| match way[..] { [time, until] => until as f64 / time.max(1) as f64, _ => 0.0 })),
    meaning(
        "luck.chance",
        ["share", "chance"],
        "chance decides {points} [more|less]",
        "The part of the variance of the utilities that comes from rolls.",
        "The law of total variance along the conflict: what can be expected is a martingale, whose changes \
         at each question sum up to the variance of the utilities, all seats together. From playouts, \
         without the bias of nested ones; left out where memory is too short for them.",
    ),
    meaning(
        "luck.SEAT",
        ["share", "choices of {of}"],
        "what {of} chooses decides {points} [more|less]",
        "The part of the variance of the utilities that comes from the choices of a seat. All shares sum to 1, \
         or are 0 where nothing varies. What two choices do only together counts for the later one, also \
         where both are secret or made at once: between alike players the one asked last has more.",
        "As `luck.chance`; decisions made at once count in the order in which the rules list them.",
    ),
    meaning(
        "skill.greedy",
        ["share", "greedy beats random"],
        BEATS,
        "How often `greedy` beats `random`, both in both of two seats; a tie counts half.",
        "Pairs of playouts with the same random numbers, with Student's interval.",
    ),
    meaning(
        "skill.search:100",
        ["share", "search:100 beats it"],
        BEATS,
        "How often `search:100` beats `greedy`.",
        "As `skill.greedy`.",
    ),
    meaning(
        "skill.search:1000",
        ["share", "search:1000 beats it"],
        BEATS,
        "How often `search:1000` beats `search:100`.",
        "As `skill.greedy`.",
    ),
    meaning(
        "skill.solved",
        ["share", "solved beats it"],
        BEATS,
        "How often the solution beats the rung below.",
        "As `skill.greedy`.",
    ),
    meaning(
        "skill.rungs",
        ["rungs", "rungs that differ"],
        "the ladder of skill has {n} [more|fewer] rung(s)",
        "How many rungs of the ladder differ measurably: the lowest, and each that surely beats the one below.",
        "Those whose 95 % interval is above 1/2.",
    ),
    meaning(
        "strategy.entropy.SEAT",
        ["bits", "{of} mixes"],
        "the entropy of perfect play of {of} is {n} bit(s) [higher|lower]",
        "How mixed perfect play is: 0 where it always picks one option, 1 where it picks one of two alike.",
        "Shannon's entropy of the solution that `fracas solve` finds, mean over the decisions that are \
         reached; of several equilibria as `fairness.value`. Left out with the reason where one wins what the other \
         loses and perfect players may also mix otherwise.",
    ),
    meaning(
        "strategy.unused",
        ["share", "options unused"],
        "the share of the options that perfect play leaves unused is {points} [higher|lower]",
        "The share of options that perfect play never picks, of those offered where it comes.",
        "As `strategy.entropy`.",
    ),
    meaning(
        "parts.SEAT",
        ["utility", "{seat}: {part}"],
        OTHERWISE,
        "What each part of the utility is on average, by its label without a number in front: `parts.red.ford`. The parts \
         of a seat sum to `fairness.utility`.",
        "Mean over conflicts; an end without the part has 0. On the graph; from playouts where it is asked for, over the \
         first 2,000 of them.",
    ),
    meaning(
        "outcome.PATH",
        ["number", "{of}"],
        "`{of}` is {n} [higher|lower]",
        "A number of the outcome, by its path; asked for by `--measure`.",
        "Mean over the ends that have one there.",
    ),
    meaning(
        "clauses",
        ["runs", "runs"],
        OTHERWISE,
        "How often each function of the rules runs in a conflict, by its clause; those that never run are \
         listed, but for what only checks the setup or words a question.",
        "Counted by the machine that runs the rules; from playouts, over the first 2,000 of them.",
    ),
];

/// A measure of the end: the numbers of its entry and of its part in it, and its name.
pub(super) type EndMeasure = (usize, usize, String);

/// What an end says, by the table of measures.
pub(super) fn said(ending: &Ending, seats: &[Seat], first: usize) -> Vec<(EndMeasure, Fraction)> {
    let end = Ended::of(ending, seats, first);
    let mut all = Vec::new();
    for (entry, meaning) in GLOSSARY.iter().enumerate() {
        let By::End(says) = meaning.by else { continue };
        let parts = says(&end).into_iter().enumerate();
        all.extend(parts.map(|(part, (of, value))| ((entry, part, meaning.named(&of)), value)));
    }
    all
}

/// Whether an entry is a share of conflicts: each has 1 of it, or 0.
pub(super) fn is_share(entry: usize) -> bool {
    GLOSSARY[entry].unit == "share"
}

fn one_if(is_so: bool) -> Fraction {
    if is_so { Fraction::one() } else { Fraction::default() }
}

/// In place of a seat.
const NOBODY: u64 = u64::MAX;

fn lead(chances: &[f64]) -> u64 {
    leader(chances).map_or(NOBODY, |seat| seat as u64)
}

/// Who leads, or led last, and how often that has changed: who leads first changes nothing.
fn leads(way: &mut Along, chances: &[f64]) {
    let now = lead(chances);
    match way[..] {
        [before, changes] if now != NOBODY && now != before => {
            *way = vec![now, changes + u64::from(before != NOBODY)];
        }
        [] => *way = vec![now, 0],
        _ => {}
    }
}

/// How many questions there were, then who leads at each time from half of that on.
fn leaders(way: &mut Along, chances: &[f64]) {
    match way.first_mut() {
        Some(time) => {
            *time += 1;
            if time.is_multiple_of(2) {
                way.remove(1);
            }
        }
        None => way.push(0),
    }
    way.push(lead(chances));
}

fn lowest(way: &mut Along, chance: f64) {
    let low = way.first().map_or(u64::MAX, |low| *low);
    *way = vec![fixed(chance).min(low)];
}

/// A winner whose chance stays above this has won.
const DECIDED: f64 = 0.9;

/// How many questions there were, and after how many it was open last.
fn open(way: &mut Along, chance: f64) {
    let (time, until) = match way[..] {
        [time, until] => (time + 1, until),
        _ => (0, 0),
    };
    *way = vec![time, if chance > DECIDED + SAME { until } else { time + 1 }];
}

/// Chances are distinguished to this many parts of 1.
pub(super) const FIXED: f64 = 1e12;

pub(super) fn fixed(chance: f64) -> u64 {
    // Never below 0, and far below what 64 bits hold.
    (chance * FIXED).round() as u64
}
