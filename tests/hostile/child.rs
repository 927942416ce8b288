//! The child process that runs hostile scripts, one after another, and reports how each ends.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use fracas::error::{Error, Limit, Location, ScriptFault};
use fracas::game::{Decision, Options, Question, Scene, Stop, Value};
use fracas::script::{
    AgentScript, Ear, Layer, Limits, Pick, Rules, Run, Setup, Turn, house_params, on_large_stack,
};
use indexmap::IndexMap;

/// What house rules are laid over.
pub(super) const BASE: &str = "
fn setup(scenario) { #{ done: false } }
fn price(n) { cost(n) }
fn cost(n) { n }
fn step() { price(params.worth); this.done = true; }
fn outcome() { if this.done { #{ result: \"end\", utility: #{ red: 1 } } } }
";

/// Functions that are added to rules without them, so that each script shows its attack alone.
const PARTS: [(&str, &str); 3] = [
    ("fn setup(", "fn setup(scenario) { #{ done: false } }"),
    ("fn step(", "fn step() { this.done = true; }"),
    ("fn outcome(", "fn outcome() { if this.done { #{ result: \"end\", utility: #{ red: 1 } } } }"),
];

#[test]
fn runs_the_scripts_it_is_told_to() {
    let Ok(list) = std::env::var(super::GROUP) else { return };
    for path in std::fs::read_to_string(list).unwrap().lines() {
        let path = Path::new(path);
        let folder = path.parent().and_then(Path::file_name).unwrap().to_str().unwrap();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        let text = expand(&std::fs::read_to_string(path).unwrap());
        tell(&format!("begin {name}"));
        reset_peak();
        let began = used();
        let result = on_large_stack(|| match folder {
            "rules" => play(layer(&name, &complete(&text)), &[]),
            "house" => lay(&layer(&name, &text)),
            _ => ask(&layer(&name, &text)),
        });
        if let (Err(error), true) = (&result, std::env::var_os(super::SHOW).is_some()) {
            println!("{name}: {error}");
        }
        let at = result.as_ref().err().and_then(Error::location);
        let line = at.map_or_else(|| "-".to_owned(), |at| at.line.to_string());
        let fault = result.err().map_or_else(|| "fine".to_owned(), |error| fault_of(&error));
        let millis = (used() - began).as_millis();
        let peak = peak().map_or_else(|| "-".to_owned(), |peak| peak.to_string());
        tell(&format!("end {name} {millis} {peak} {line} {fault}"));
    }
}

fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    // The test harness leaves its own line unfinished; ours begins anew.
    writeln!(out, "\n@@ {line}").unwrap();
    out.flush().unwrap();
}

/// The processor time that this thread has used, so that a busy machine makes no script fail. A
/// script that waits instead of working is killed because its child is silent for too long.
fn used() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Resets the peak of memory, if the system allows it.
fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that this process held since the last reset, in KiB; `None` if the system does
/// not report it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// `{*N|text*}` stands for the text N times, with `@@` for the number of each.
pub(super) fn expand(text: &str) -> String {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, template)) = rest.split_once("{*") {
        let (template, after) = template.split_once("*}").unwrap();
        let parsed = template.split_once('|').and_then(|(n, t)| Some((n.parse().ok()?, t)));
        let (count, repeated): (usize, &str) = parsed.unwrap();
        expanded.push_str(before);
        (0..count).for_each(|i| expanded.push_str(&repeated.replace("@@", &i.to_string())));
        rest = after;
    }
    expanded + rest
}

pub(super) fn complete(text: &str) -> String {
    let missing = PARTS.iter().filter(|(start, _)| !text.contains(start));
    missing.fold(text.to_owned(), |text, (_, part)| format!("{text}\n{part}"))
}

fn layer(name: &str, text: &str) -> Layer {
    Layer {
        name: name.to_owned(),
        files: vec![(name.to_owned(), text.to_owned())],
        ..Layer::default()
    }
}

/// Loads rules and calls all that a host calls.
fn play(base: Layer, house: &[Layer]) -> Result<(), Error> {
    let params = IndexMap::from([("worth".to_owned(), Value::Int(1))]);
    let rules = Rules::load(base, house, params, Limits::default())?;
    let _ = rules.warnings([]);
    let setup = Setup::new(Value::Map(IndexMap::new()));
    let mut begun = Run::begin(&rules, &setup, Ear::Events);
    begun.reach(first)?;
    let Some(state) = begun.state() else { return Err(Error::usage("there is no state")) };
    rules.outcome(state)?;
    rules.view(state, "red")?;
    rules.picture(state)?;
    rules.laws(state)?;
    rules.sides(state)?;
    let (mut run, mut heard) = (Run::begin(&rules, &setup, Ear::Events), Vec::new());
    loop {
        match run.next()? {
            Turn::Question => run.answer_by(first)?,
            Turn::Event => heard.push(run.event().to_owned()),
            Turn::Step => {}
            Turn::Done => return Ok(()),
        }
    }
}

fn lay(house: &Layer) -> Result<(), Error> {
    house_params(house)?;
    play(layer("base", BASE), std::slice::from_ref(house))
}

/// Asks an agent, and asks it again.
fn ask(script: &Layer) -> Result<(), Error> {
    let agent = AgentScript::load(script, &IndexMap::new(), None, Limits::for_agents())?;
    let decision = Decision { player: "red", name: "pick", options: &OneToThree, scene: &Still };
    for _ in 0..2 {
        let picked = match agent.pick(&decision)? {
            Pick::Option(value) => vec![value],
            Pick::Weighted(pairs) => pairs.into_iter().map(|(value, _)| value).collect(),
        };
        if picked.iter().any(|value| OneToThree.index_of(value).is_none()) {
            return Err(Error::usage("answer"));
        }
    }
    Ok(())
}

/// Names the fault of an error with the word that a script's first line uses.
fn fault_of(error: &Error) -> String {
    let fault = match error {
        Error::Script(script) => match &script.fault {
            ScriptFault::Limit(limit) => word_of(limit),
            ScriptFault::Syntax(_) | ScriptFault::UnknownVariable { running: false, .. } => {
                "syntax"
            }
            ScriptFault::Failed(_)
            | ScriptFault::UnknownField(_)
            | ScriptFault::UnknownVariable { .. } => "script",
            ScriptFault::Forbidden(_) => "forbidden",
            ScriptFault::DeadOverride(_) => "dead override",
            ScriptFault::UnknownFunction(_) => "unknown function",
            ScriptFault::Contract { .. } | ScriptFault::Undefined(_) => "contract",
            ScriptFault::Host(_) => "host",
            ScriptFault::Cut(_) => "cut",
            ScriptFault::Thrown(_) => "script",
            ScriptFault::Laws(_) => "law",
        },
        Error::Setup { .. } => "setup",
        Error::Usage { .. } => "answer",
        // An agent's error is one sentence; the limits' own words tell which.
        Error::Agent { message, .. } => [
            ("operations", "operations"),
            ("alive at once", "memory"),
            ("grew too large", "size"),
            ("within each other", "size"),
            ("more than 128 deep", "calls"),
            ("still running", "deadline"),
            ("must be", "agent"),
            ("not plain data", "contract"),
            ("nested deeper", "contract"),
            ("our mistake", "host"),
        ]
        .iter()
        .find_map(|(words, fault)| message.contains(words).then_some(*fault))
        .unwrap_or("agent"),
        other => return other.kind().to_owned(),
    };
    fault.to_owned()
}

fn word_of(limit: &Limit) -> &'static str {
    match limit {
        Limit::Operations(_) => "operations",
        Limit::Playout(_) => "playout",
        Limit::Memory(_) => "memory",
        Limit::Steps(_) => "steps",
        Limit::Questions(_) => "questions",
        Limit::Calls(_) => "calls",
        Limit::Size(_) | Limit::Nesting(_) => "size",
        Limit::Source(_) | Limit::Sources(_) | Limit::Lines(_) => "source",
        Limit::Deadline(_) => "deadline",
        Limit::AddressSpace(_) => "address space",
    }
}

/// The first option of everything, with a look at all that can be seen; or the last that falls.
fn first(question: &Question<'_>) -> Result<usize, Stop> {
    if let Question::Decision(decision, _) = question {
        let _ = decision.options.value(0);
        decision.scene.view(decision.player)?;
        decision.scene.picture()?;
        return Ok(0);
    }
    Ok(question.len() - 1)
}

/// The options 1, 2 and 3.
struct OneToThree;

impl Options for OneToThree {
    fn len(&self) -> usize {
        3
    }

    fn value(&self, index: usize) -> Value {
        Value::Int(index as i64 + 1)
    }
}

/// A scene in which nothing moves.
struct Still;

impl Scene for Still {
    fn view(&self, player: &str) -> Result<Value, Error> {
        Ok(Value::Map(IndexMap::from([("me".to_owned(), Value::from(player))])))
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn state(&self) -> Value {
        Value::Unit
    }

    fn asked_at(&self) -> Option<Location> {
        None
    }
}
