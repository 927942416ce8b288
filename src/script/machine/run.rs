//! The machine: runs compiled rules until they ask, announce something, or are done.
//!
//! All of a running script is in a vector of registers and one of frames. A machine that has asked
//! can be kept, cloned, and answered as often as anybody likes.

use std::mem::ManuallyDrop;

use rhai::{EvalAltResult, Position};

use super::arithmetic::{combine, compare, different};
use super::code::{CONSTANT, Op, Reg, Shared, THIS};
use super::host::{Host, mismatch};
use super::open_question::OpenQuestion;
use super::paths::{is_length, look};
use super::value::{Range, Size, Value};
use crate::script::questions::effects::Effect;
use crate::script::sandbox::fuel::LOOK;
use crate::script::sandbox::limits::{CALLS, Fault, fail};

#[derive(Debug)]
pub(crate) struct Machine {
    pub(super) program: Shared,
    pub(super) registers: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    /// How large the values were that functions are called on, from the ends of paths: until one is given back, what
    /// it was taken from counts as if it were there.
    pub(super) lent: Vec<Size>,
    /// What was asked, until it is answered.
    pub(super) question: Option<OpenQuestion>,
    /// Whether a closure runs within a native: nobody can be asked then.
    pub(super) within_native: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub function: u16,
    /// What becomes of `this` at the end.
    pub back: ThisSource,
    /// What takes the result: a register of the function below.
    pub to: Reg,
    pub next: u32,
    pub base: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ThisSource {
    /// From nowhere.
    Gone,
    /// From a register of the function below.
    Register(Reg),
    /// From the end of a path in the function below.
    Path(u16),
    /// From nowhere: a native called the function, at this site of the function below.
    Native(u16),
    /// The host called the function.
    Host,
}

/// Why a machine is paused.
#[derive(Debug)]
pub(crate) enum Turn {
    /// It asked; see [`Machine::question`].
    Asked,
    /// It announced something, in words of its own.
    Events(Vec<super::value::Text>),
    /// It is done: what the function returned.
    Done(Value),
}

impl Clone for Machine {
    /// A copy that runs on by itself, without the registers that no function uses.
    fn clone(&self) -> Machine {
        // A function may use registers beyond those of the functions that it called.
        let ends = self.frames.iter().map(|frame| {
            frame.base as usize + self.program.functions[frame.function as usize].registers as usize
        });
        let used = ends.max().unwrap_or(1);
        Machine {
            program: self.program.clone(),
            registers: self.registers[..used.min(self.registers.len())].to_vec(),
            frames: self.frames.clone(),
            lent: self.lent.clone(),
            question: self.question.clone(),
            within_native: false,
        }
    }
}

impl Machine {
    pub(crate) fn new(program: &Shared) -> Machine {
        Machine {
            program: program.clone(),
            registers: Vec::with_capacity(256),
            frames: Vec::with_capacity(16),
            lent: Vec::new(),
            question: None,
            within_native: false,
        }
    }

    /// Lets a machine that is done run another function; false where there is none.
    pub(crate) fn call(&mut self, name: &str, this: Value, arguments: &[Value]) -> bool {
        let Some(function) = self.program.function(name, arguments.len()) else { return false };
        self.frames.clear();
        self.lent.clear();
        self.question = None;
        let needed = self.program.functions[function as usize].registers as usize;
        if self.registers.len() < needed {
            self.registers.resize(needed, Value::Unit);
        }
        self.registers[0] = this;
        self.registers[1..=arguments.len()].clone_from_slice(arguments);
        self.frames.push(Frame { function, back: ThisSource::Host, to: 0, next: 0, base: 0 });
        true
    }

    pub(crate) fn question(&self) -> Option<&OpenQuestion> {
        self.question.as_ref()
    }

    pub(crate) fn take_state(&mut self) -> Value {
        std::mem::take(&mut self.registers[0])
    }

    /// Runs until there is something to say.
    pub(crate) fn run(&mut self, host: &Host) -> Result<Turn, Fault> {
        self.run_above(host, 0).map_err(|fault| self.traced(fault))
    }

    /// The functions that are being run, outermost first, each with its place.
    pub(crate) fn sites(&self) -> Vec<(u16, Position)> {
        self.frames.iter().map(|frame| (frame.function, self.place(frame))).collect()
    }

    /// An error within the calls that led to it.
    pub(crate) fn traced(&self, mut fault: Fault) -> Fault {
        for pair in self.frames.windows(2).rev() {
            let (below, above) = (&pair[0], &pair[1]);
            let name = self.program.functions[above.function as usize].name.clone();
            let at = self.place(below);
            fault = EvalAltResult::ErrorInFunctionCall(name, String::new(), fault, at).into();
            if let ThisSource::Native(site) = above.back {
                let native = self.program.sites[site as usize].name.to_string();
                fault = EvalAltResult::ErrorInFunctionCall(native, String::new(), fault, at).into();
            }
        }
        fault
    }

    fn place(&self, frame: &Frame) -> Position {
        let places = &self.program.functions[frame.function as usize].places;
        places[(frame.next as usize).saturating_sub(1)].at
    }

    /// Runs until no more frames are left than `floor`.
    ///
    /// What an instruction does is here where it is short or often run, and in a function of its own
    /// where it is not: so the loop keeps in the processor's registers what it always needs.
    pub(super) fn run_above(&mut self, host: &Host, floor: usize) -> Result<Turn, Fault> {
        let program = self.program.clone();
        let program = &*program;
        let Some(top) = self.frames.last() else { return Ok(Turn::Done(Value::Unit)) };
        let mut function = &program.functions[top.function as usize];
        let mut base = top.base as usize;
        let mut code = &function.code[..];
        let mut next = top.next as usize;
        let mut left = host.left();
        // The registers of the function, and those behind them.
        let mut window = &mut self.registers[base..];

        // What a register or a constant holds.
        macro_rules! read {
            ($register:expr) => {{
                let register = $register;
                if register < CONSTANT {
                    &window[register as usize]
                } else {
                    &program.constants[(register - CONSTANT) as usize]
                }
            }};
        }
        macro_rules! put {
            ($register:expr, $value:expr) => {{
                // Nothing is lost where there is no such register, which there is.
                let value = ManuallyDrop::new($value);
                let register = &mut window[$register as usize];
                register.set(ManuallyDrop::into_inner(value));
            }};
        }
        // The place of the instruction that is run.
        macro_rules! place {
            () => {
                function.places[next - 1].at
            };
        }
        // Leaves the machine as it is, to run on from here.
        macro_rules! stand_still {
            () => {{
                if let Some(top) = self.frames.last_mut() {
                    top.next = next as u32;
                }
                host.set_left(left);
            }};
        }
        macro_rules! fault {
            ($fault:expr) => {{
                let fault = $fault;
                stand_still!();
                return Err(fault);
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => fault!(fault),
                }
            };
        }
        // Lets the whole machine work.
        macro_rules! whole {
            ($work:expr) => {{
                let result = $work;
                window = &mut self.registers[base..];
                result
            }};
        }
        // Runs what charges for its work.
        macro_rules! charged {
            ($work:expr) => {{
                host.set_left(left);
                let result = $work;
                left = host.left();
                attempt!(result)
            }};
        }
        // Puts a copy of a value into a register, and pays for the copy that it may become.
        macro_rules! share {
            ($to:expr, $value:expr) => {{
                let value = $value;
                match value.copied() {
                    Some(copy) => put!($to, copy),
                    None => {
                        let work = value.copying();
                        if work > 0 {
                            charged!(host.charge(work, place!()));
                        }
                        put!($to, value.shared());
                    }
                }
            }};
        }
        // Where `this` is what is meant, it must be bound.
        macro_rules! bound {
            ($register:expr) => {
                if let Value::Unbound = read!($register) {
                    fault!(EvalAltResult::ErrorUnboundThis(function.places[next - 1].root).into())
                }
            };
        }
        // Runs a function whose window of registers begins at `at`.
        macro_rules! enter {
            ($number:expr, $at:expr, $to:expr, $back:expr) => {{
                let number = $number;
                if self.frames.len() >= CALLS {
                    fault!(EvalAltResult::ErrorStackOverflow(place!()).into());
                }
                if let Some(top) = self.frames.last_mut() {
                    top.next = next as u32;
                }
                base += $at as usize;
                self.frames.push(Frame {
                    function: number,
                    back: $back,
                    to: $to,
                    next: 0,
                    base: base as u32,
                });
                host.context.calls.enters(number);
                function = &program.functions[number as usize];
                let needed = base + function.registers as usize;
                if self.registers.len() < needed {
                    self.registers.resize(needed, Value::Unit);
                }
                window = &mut self.registers[base..];
                code = &function.code;
                next = 0;
            }};
        }

        loop {
            let op = &code[next];
            next += 1;
            left = left.wrapping_sub(1);
            // All bits that are looked at were gone.
            if left & LOOK == LOOK {
                left = left.wrapping_add(1);
                attempt!(host.check_limits(left, place!()));
                left -= 1;
            }
            match *op {
                Op::Move { to, from } => share!(to, read!(from)),
                Op::MoveTwo { to, a, b } => {
                    share!(to, read!(a));
                    share!(to + 1, read!(b));
                }
                Op::MoveThree { to, a, b, c } => {
                    share!(to, read!(a));
                    share!(to + 1, read!(b));
                    share!(to + 2, read!(c));
                }
                Op::Take { to, from } => {
                    put!(to, std::mem::take(&mut window[from as usize]));
                }
                Op::Clear { at } => put!(at, Value::Unit),
                Op::Binary { by, to, a, b } => {
                    let (x, y) = (read!(a), read!(b));
                    let value = match combine(by, x, y) {
                        Some(value) => value,
                        None => charged!(different(by, x, y, host, program, place!())),
                    };
                    put!(to, value);
                }
                Op::Change { by, to, b } => {
                    charged!(whole!(self.change(host, program, base, (by, to, b), place!())));
                }
                Op::Not { to, from } => {
                    let value = match read!(from) {
                        Value::Bool(truth) => Value::Bool(!truth),
                        other => attempt!(host.unary("not", other, &program.texts, place!())),
                    };
                    put!(to, value);
                }
                Op::Negate { to, from } => {
                    let value = match read!(from) {
                        Value::Int(number) if *number != i64::MIN => Value::Int(-number),
                        other => attempt!(host.unary("minus", other, &program.texts, place!())),
                    };
                    put!(to, value);
                }
                Op::Jump { to } => next = to as usize,
                Op::JumpIf { wanted, when, to } => match read!(when) {
                    Value::Bool(truth) => {
                        if *truth == wanted {
                            next = to as usize;
                        }
                    }
                    other => fault!(mismatch("bool", other, place!())),
                },
                Op::JumpIfNot { wanted, when, to } => {
                    let holds = match read!(when) {
                        Value::Bool(truth) => !truth,
                        other => {
                            match attempt!(host.unary("not", other, &program.texts, place!())) {
                                Value::Bool(truth) => truth,
                                other => fault!(mismatch("bool", &other, place!())),
                            }
                        }
                    };
                    if holds == wanted {
                        next = to as usize;
                    }
                }
                Op::JumpCompared { by, wanted, a, b, to } => {
                    let (x, y) = (read!(a), read!(b));
                    let holds = match compare(by, x, y) {
                        Some(holds) => holds,
                        None => match charged!(different(by, x, y, host, program, place!())) {
                            Value::Bool(holds) => holds,
                            other => fault!(mismatch("bool", &other, place!())),
                        },
                    };
                    if holds == wanted {
                        next = to as usize;
                    }
                }
                Op::JumpSome { when, to } => {
                    if !matches!(read!(when), Value::Unit) {
                        next = to as usize;
                    }
                }
                Op::Read { to, path } => {
                    let path = &program.paths[path as usize];
                    match look(window, &program.constants, path) {
                        (value, 0) if !matches!(value, Value::Unbound) => share!(to, value),
                        (Value::List(items), 1) if is_length(path) => {
                            put!(to, Value::Int(items.len() as i64));
                        }
                        _ => {
                            bound!(path.root);
                            let value = charged!(whole!(self.read_on(host, program, base, path)));
                            if let Value::Unbound = value {
                                let root = function.places[next - 1].root;
                                fault!(EvalAltResult::ErrorUnboundThis(root).into());
                            }
                            put!(to, value);
                        }
                    }
                }
                Op::Write { path, from, take } => {
                    let path = &program.paths[path as usize];
                    bound!(path.root);
                    let at = (base, place!());
                    charged!(whole!(self.write_at(host, program, at, path, (from, take))));
                }
                Op::Modify { by, path, from } => {
                    let path = &program.paths[path as usize];
                    bound!(path.root);
                    let at = (base, place!());
                    charged!(whole!(self.modify_at(host, program, at, path, (by, from))));
                }
                Op::List { to, from, count } => {
                    attempt!(whole!(self.make_list(base, (to, from, count), place!())));
                }
                Op::Map { to, from, shape } => {
                    let shape = &program.shapes[shape as usize];
                    attempt!(whole!(self.make_map(base, (to, from), shape, place!())));
                }
                Op::Text { to, from, count } => {
                    let parts = (to, from, count);
                    charged!(whole!(self.make_text(host, program, base, parts, place!())));
                }
                Op::Range { to, a, b, inclusive } => {
                    let made = match (read!(a), read!(b)) {
                        (Value::Int(start), Value::Int(end)) => {
                            Range { start: *start, end: *end, inclusive }
                        }
                        (a, b) => {
                            let name = if inclusive { "..=" } else { ".." };
                            fault!(super::host::no_such_call(name, [a, b].into_iter(), place!()))
                        }
                    };
                    put!(to, Value::Range(made.into()));
                }
                Op::Closure { to, from, function: number, count } => {
                    let closure = (to, from, number, count);
                    attempt!(whole!(self.make_closure(program, base, closure, place!())));
                }
                Op::Call { function: number, at, to } => {
                    put!(at, Value::Unbound);
                    enter!(number, at, to, ThisSource::Gone);
                }
                Op::CallOn { function: number, at, to, receiver } => {
                    bound!(receiver);
                    window.swap(receiver as usize, at as usize);
                    enter!(number, at, to, ThisSource::Register(receiver));
                }
                Op::CallAt { function: number, at, to, path: on } => {
                    let path = &program.paths[on as usize];
                    bound!(path.root);
                    let place = (base, place!());
                    let this = attempt!(whole!(self.take_at(host, program, place, path)));
                    put!(at, this);
                    enter!(number, at, to, ThisSource::Path(on));
                }
                Op::CallValue { at, to, count } => {
                    let first = base + at as usize;
                    let number = attempt!(self.prepare(program, first, count as usize, place!()));
                    enter!(number, at, to, ThisSource::Gone);
                }
                Op::Native { site, path, to } => {
                    stand_still!();
                    let (place, call) = (&function.places[next - 1], (site, path, to));
                    attempt!(whole!(self.native(host, program, place, base, call)));
                    left = host.left();
                }
                Op::Return { from } => {
                    let value = if from < CONSTANT && from != THIS {
                        std::mem::take(&mut window[from as usize])
                    } else {
                        read!(from).clone()
                    };
                    let Some(frame) = self.frames.pop() else { return Ok(Turn::Done(value)) };
                    // What `this` is now is somebody's, unless it was nobody's.
                    let nobodys = matches!(frame.back, ThisSource::Gone | ThisSource::Native(_));
                    let kept = usize::from(!nobodys);
                    window[kept..function.registers as usize].iter_mut().for_each(Value::empty);
                    let Some(below) = self.frames.last() else {
                        host.set_left(left);
                        return Ok(Turn::Done(value));
                    };
                    let (own, places, stood) = (base, &function.places, next);
                    function = &program.functions[below.function as usize];
                    base = below.base as usize;
                    code = &function.code;
                    next = below.next as usize;
                    match frame.back {
                        ThisSource::Gone | ThisSource::Host | ThisSource::Native(_) => {}
                        ThisSource::Register(receiver) => {
                            self.registers.swap(base + receiver as usize, own);
                        }
                        ThisSource::Path(path) => {
                            let this = std::mem::take(&mut self.registers[own]);
                            let (at, path) = (places[stood - 1].at, &program.paths[path as usize]);
                            let given = self.give_back(host, program, (base, at), path, this);
                            if let Err(fault) = given {
                                self.frames.push(Frame { next: stood as u32, ..frame });
                                host.set_left(left);
                                return Err(fault);
                            }
                        }
                    }
                    window = &mut self.registers[base..];
                    put!(frame.to, value);
                    if self.frames.len() == floor {
                        host.set_left(left);
                        return Ok(Turn::Done(Value::Unit));
                    }
                }
                Op::Each { state } => {
                    if !matches!(read!(state), Value::List(_) | Value::Range(_)) {
                        charged!(whole!(self.letters(host, base + state as usize, place!())));
                    }
                    put!(state + 1, Value::Int(-1));
                }
                Op::Next { state, to, end } => {
                    let Value::Int(last) = *read!(state + 1) else { unreachable!("a counter") };
                    let number = last + 1;
                    let ranged;
                    let item = match read!(state) {
                        Value::List(items) => items.get(number as usize),
                        Value::Range(range) => {
                            ranged = range.nth(number).map(Value::Int);
                            ranged.as_ref()
                        }
                        _ => None,
                    };
                    match item {
                        Some(item) => {
                            share!(to, item);
                            put!(state + 1, Value::Int(number));
                        }
                        None => next = end as usize,
                    }
                }
                Op::Count { state, to, end } => match (read!(state), read!(state + 1)) {
                    (Value::Int(number), Value::Int(last)) => {
                        let number = *number;
                        if number < *last {
                            put!(to, Value::Int(number));
                            put!(state, Value::Int(number + 1));
                        } else {
                            next = end as usize;
                        }
                    }
                    (a, b) => {
                        fault!(super::host::no_such_call("..", [a, b].into_iter(), place!()))
                    }
                },
                Op::Switch { on, table } => {
                    next = program.tables[table as usize].target(read!(on)) as usize;
                }
                Op::Throw { from } => {
                    let value = super::convert::to_dynamic(read!(from));
                    fault!(EvalAltResult::ErrorRuntime(value, place!()).into());
                }
                Op::Announce { to, from, count, receiver } => {
                    bound!(receiver);
                    stand_still!();
                    let parts = (base, from, count, to, receiver);
                    let turn = whole!(self.announce(host, program, parts, place!()))?;
                    left = host.left();
                    if let Some(turn) = turn {
                        return Ok(turn);
                    }
                }
                Op::Ask { what, at, to, receiver } => {
                    if self.within_native && !matches!(what, Effect::Emit | Effect::EmitEach) {
                        fault!(fail("nobody can be asked in a closure: write a loop", place!()));
                    }
                    bound!(receiver);
                    stand_still!();
                    let asked = (base, at, to, receiver);
                    let turn = whole!(self.ask(host, what, asked, place!()))?;
                    left = host.left();
                    if let Some(turn) = turn {
                        return Ok(turn);
                    }
                }
            }
        }
    }

    /// Lets go of the values in registers one after another, so that nothing in them must be copied to be
    /// changed.
    #[inline]
    pub(super) fn clear(&mut self, first: usize, count: usize) {
        self.registers[first..first + count].iter_mut().for_each(Value::empty);
    }
}
