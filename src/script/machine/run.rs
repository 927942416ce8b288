//! The machine: runs compiled rules until they ask, announce something, or are done.
//!
//! All of a running script is in a vector of registers and one of frames. A machine that has asked
//! can be kept, cloned, and answered as often as anybody likes.

use rhai::{EvalAltResult, Position};

use super::arithmetic::{change, change_number, combine, compare, different};
use super::code::{CONSTANT, Op, Program, Reg, Shared, THIS};
use super::host::{Fault, Host, fail, mismatch};
use super::limits::LOOK;
use super::paths::{Changed, Reading, Walked, change_at, walk, walk_on, why_not};
use super::question::Question;
use super::size::fits;
use super::value::{Closure, Range, Value};
use crate::script::effects::Effect;
use crate::script::engine::CALLS;

/// A running script.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(super) program: Shared,
    pub(super) registers: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    /// What was asked, until it is answered.
    pub(super) question: Option<Question>,
    /// Whether a closure runs within a native: nobody can be asked then.
    pub(super) within_native: bool,
}

/// A function that is being run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub function: u16,
    /// What becomes of `this` at the end.
    pub back: Back,
    /// What takes the result: a register of the function below.
    pub to: Reg,
    /// The next instruction.
    pub next: u32,
    /// Where its registers begin.
    pub base: u32,
}

/// Where `this` came from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Back {
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

/// Why a machine stands still.
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
    /// A copy that runs on by itself. What lies above the last function is left out.
    fn clone(&self) -> Machine {
        let used = self.frames.last().map_or(1, |frame| {
            frame.base as usize + self.program.functions[frame.function as usize].registers as usize
        });
        Machine {
            program: self.program.clone(),
            registers: self.registers[..used.min(self.registers.len())].to_vec(),
            frames: self.frames.clone(),
            question: self.question.clone(),
            within_native: false,
        }
    }
}

impl Machine {
    /// A machine that runs nothing yet.
    pub(crate) fn new(program: &Shared) -> Machine {
        Machine {
            program: program.clone(),
            registers: Vec::with_capacity(256),
            frames: Vec::with_capacity(16),
            question: None,
            within_native: false,
        }
    }

    /// Lets a machine that is done run another function; false where there is none.
    pub(crate) fn call(&mut self, name: &str, this: Value, arguments: &[Value]) -> bool {
        let Some(function) = self.program.function(name, arguments.len()) else { return false };
        self.frames.clear();
        self.question = None;
        let needed = self.program.functions[function as usize].registers as usize;
        if self.registers.len() < needed {
            self.registers.resize(needed, Value::Unit);
        }
        self.registers[0] = this;
        self.registers[1..=arguments.len()].clone_from_slice(arguments);
        self.frames.push(Frame { function, back: Back::Host, to: 0, next: 0, base: 0 });
        true
    }

    /// What was asked.
    pub(crate) fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// The state of a machine that is done.
    pub(crate) fn take_state(&mut self) -> Value {
        std::mem::take(&mut self.registers[0])
    }

    /// Runs until there is something to say.
    ///
    /// # Errors
    /// The script's own, with its place and the calls that led there.
    pub(crate) fn run(&mut self, host: &Host) -> Result<Turn, Fault> {
        self.run_above(host, 0).map_err(|fault| self.traced(fault))
    }

    /// The functions that are being run, outermost first, each with where it stands.
    pub(crate) fn stands(&self) -> Vec<(u16, Position)> {
        self.frames.iter().map(|frame| (frame.function, self.place(frame))).collect()
    }

    /// An error within the calls that led to it.
    pub(super) fn traced(&self, mut fault: Fault) -> Fault {
        for pair in self.frames.windows(2).rev() {
            let (below, above) = (&pair[0], &pair[1]);
            let name = self.program.functions[above.function as usize].name.clone();
            let at = self.place(below);
            fault = EvalAltResult::ErrorInFunctionCall(name, String::new(), fault, at).into();
            if let Back::Native(site) = above.back {
                let native = self.program.sites[site as usize].name.to_string();
                fault = EvalAltResult::ErrorInFunctionCall(native, String::new(), fault, at).into();
            }
        }
        fault
    }

    /// Where a function stands.
    fn place(&self, frame: &Frame) -> Position {
        let places = &self.program.functions[frame.function as usize].places;
        places[(frame.next as usize).saturating_sub(1)].at
    }

    /// Runs until no more frames are left than `floor`.
    pub(super) fn run_above(&mut self, host: &Host, floor: usize) -> Result<Turn, Fault> {
        let program = self.program.clone();
        let program = &*program;
        let mut frame = match self.frames.last() {
            Some(frame) => *frame,
            None => return Ok(Turn::Done(Value::Unit)),
        };
        let mut function = &program.functions[frame.function as usize];
        let mut base = frame.base as usize;
        let mut next = frame.next as usize;
        let mut left = host.left();

        // What a register or a constant holds.
        macro_rules! read {
            ($register:expr) => {{
                let register = $register;
                if register < CONSTANT {
                    &self.registers[base + register as usize]
                } else {
                    &program.constants[(register - CONSTANT) as usize]
                }
            }};
        }
        macro_rules! reading {
            () => {
                Reading { registers: &self.registers[base..], constants: &program.constants }
            };
        }
        macro_rules! put {
            ($register:expr, $value:expr) => {{
                let value = $value;
                self.registers[base + $register as usize].set(value);
            }};
        }
        // Where the instruction that is run stands.
        macro_rules! place {
            () => {
                function.places[next - 1].at
            };
        }
        // The error where `this` is not bound.
        macro_rules! unbound {
            () => {
                fault!(EvalAltResult::ErrorUnboundThis(function.places[next - 1].root).into())
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
        // Runs what charges for its work.
        macro_rules! charged {
            ($work:expr) => {{
                host.set_left(left);
                let result = $work;
                left = host.left();
                attempt!(result)
            }};
        }
        // Runs a function whose window of registers begins at `at`.
        macro_rules! enter {
            ($number:expr, $at:expr, $to:expr, $back:expr) => {{
                if self.frames.len() >= CALLS {
                    fault!(EvalAltResult::ErrorStackOverflow(place!()).into());
                }
                if let Some(top) = self.frames.last_mut() {
                    top.next = next as u32;
                }
                base += $at as usize;
                frame =
                    Frame { function: $number, back: $back, to: $to, next: 0, base: base as u32 };
                self.frames.push(frame);
                host.context.calls.enters($number);
                function = &program.functions[$number as usize];
                let needed = base + function.registers as usize;
                if self.registers.len() < needed {
                    self.registers.resize(needed, Value::Unit);
                }
                next = 0;
            }};
        }

        loop {
            let op = function.code[next];
            next += 1;
            if left & LOOK == 0 {
                attempt!(host.look(left, place!()));
            }
            left -= 1;
            match op {
                Op::Move { to, from } => put!(to, read!(from).clone()),
                Op::MoveTwo { to, a, b } => {
                    put!(to, read!(a).clone());
                    put!(to + 1, read!(b).clone());
                }
                Op::MoveThree { to, a, b, c } => {
                    put!(to, read!(a).clone());
                    put!(to + 1, read!(b).clone());
                    put!(to + 2, read!(c).clone());
                }
                Op::Take { to, from } => {
                    put!(to, std::mem::take(&mut self.registers[base + from as usize]));
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
                    // Taken out, so that a list or a text that nobody else has grows in place.
                    let mut value = std::mem::take(&mut self.registers[base + to as usize]);
                    let same = if b == to { value.clone() } else { Value::Unit };
                    let other = if b == to { &same } else { read!(b) };
                    let result = if change_number(by, &mut value, other) {
                        Ok(())
                    } else {
                        host.set_left(left);
                        let result = change(by, &mut value, other, host, program, place!());
                        left = host.left();
                        result
                    };
                    self.registers[base + to as usize] = value;
                    attempt!(result);
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
                    let root = read!(path.root);
                    let value = match walk(root, &path.steps, reading!()) {
                        Walked::There(Value::Unbound) | Walked::Stuck(Value::Unbound, _) => {
                            unbound!()
                        }
                        Walked::There(value) => value.clone(),
                        Walked::Stuck(value, at) => {
                            let rest = &path.steps[at..];
                            attempt!(walk_on(value, rest, reading!(), host, &program.texts))
                        }
                    };
                    put!(to, value);
                }
                Op::Write { path, from, take } => {
                    let path = &program.paths[path as usize];
                    if let Value::Unbound = read!(path.root) {
                        unbound!();
                    }
                    let value = if take {
                        std::mem::take(&mut self.registers[base + from as usize])
                    } else {
                        read!(from).clone()
                    };
                    attempt!(self.at_path(host, program, (base, place!()), path, true, |place| {
                        *place = value;
                        Ok(())
                    }));
                }
                Op::Modify { by, path, from } => {
                    let path = &program.paths[path as usize];
                    if let Value::Unbound = read!(path.root) {
                        unbound!();
                    }
                    let at = place!();
                    let other = read!(from).clone();
                    charged!(self.at_path(host, program, (base, at), path, true, |place| {
                        if change_number(by, place, &other) {
                            return Ok(());
                        }
                        change(by, place, &other, host, program, at)
                    }));
                }
                Op::List { to, from, count } => {
                    let items = self.taken(base + from as usize, count as usize);
                    let list = Value::list(items);
                    attempt!(fits(&list, place!()));
                    put!(to, list);
                }
                Op::Map { to, from, shape } => {
                    let shape = &program.shapes[shape as usize];
                    let values = self.taken(base + from as usize, shape.len());
                    let entries = shape.iter().cloned().zip(values).collect();
                    let map = Value::map(super::map::Map::from_sorted(entries));
                    attempt!(fits(&map, place!()));
                    put!(to, map);
                }
                Op::Text { to, from, count } => {
                    let first = base + from as usize;
                    let parts = &self.registers[first..first + count as usize];
                    let text = attempt!(super::text::joined(parts, host, program, place!()));
                    let text = Value::Text(text);
                    charged!(host.charge(text.size().making(), place!()));
                    put!(to, text);
                }
                Op::Range { to, a, b, inclusive } => {
                    let range = match (read!(a), read!(b)) {
                        (Value::Int(start), Value::Int(end)) => {
                            Range { start: *start, end: *end, inclusive }
                        }
                        (a, b) => {
                            let name = if inclusive { "..=" } else { ".." };
                            fault!(super::host::no_such_call(name, [a, b].into_iter(), place!()))
                        }
                    };
                    put!(to, Value::Range(range.into()));
                }
                Op::Closure { to, from, function, count } => {
                    let captured = self.taken(base + from as usize, count as usize);
                    let name = program.texts.find(&program.functions[function as usize].name);
                    let closure = Closure::new(function, name, captured);
                    let made = Value::Function(closure.into());
                    attempt!(fits(&made, place!()));
                    put!(to, made);
                }
                Op::Call { function: number, at, to } => {
                    put!(at, Value::Unbound);
                    enter!(number, at, to, Back::Gone);
                }
                Op::CallOn { function: number, at, to, receiver } => {
                    if let Value::Unbound = read!(receiver) {
                        unbound!();
                    }
                    self.registers.swap(base + receiver as usize, base + at as usize);
                    enter!(number, at, to, Back::Register(receiver));
                }
                Op::CallAt { function: number, at, to, path: place } => {
                    let path = &program.paths[place as usize];
                    if let Value::Unbound = read!(path.root) {
                        unbound!();
                    }
                    let mut this = Value::Unit;
                    attempt!(self.at_path(host, program, (base, place!()), path, false, |place| {
                        this = std::mem::take(place);
                        Ok(())
                    }));
                    put!(at, this);
                    enter!(number, at, to, Back::Path(place));
                }
                Op::CallValue { at, to, count } => {
                    let first = base + at as usize;
                    let number = attempt!(self.prepare(program, first, count as usize, place!()));
                    enter!(number, at, to, Back::Gone);
                }
                Op::Native { site, at, to } => {
                    let (site, number) = (&program.sites[site as usize], site);
                    let first = base + at as usize;
                    stand_still!();
                    let value =
                        attempt!(self.native(host, program, (site, number), first, place!()));
                    put!(to, value);
                    left = host.left();
                }
                Op::NativeOn { site, at, to, receiver } => {
                    let (site, number) = (&program.sites[site as usize], site);
                    let first = base + at as usize;
                    if let Value::Unbound = read!(receiver) {
                        unbound!();
                    }
                    stand_still!();
                    let value = if receiver >= CONSTANT {
                        let mut on = read!(receiver).clone();
                        attempt!(self.native_on(
                            host,
                            program,
                            (site, number),
                            &mut on,
                            first,
                            place!()
                        ))
                    } else {
                        let register = base + receiver as usize;
                        let mut on = std::mem::take(&mut self.registers[register]);
                        let result =
                            self.native_on(host, program, (site, number), &mut on, first, place!());
                        self.registers[register] = on;
                        attempt!(result)
                    };
                    put!(to, value);
                    left = host.left();
                }
                Op::NativeAt { site, at, to, path } => {
                    let (site, number) = (&program.sites[site as usize], site);
                    let path = &program.paths[path as usize];
                    let first = base + at as usize;
                    if let Value::Unbound = read!(path.root) {
                        unbound!();
                    }
                    stand_still!();
                    let result =
                        self.native_at(host, program, (site, number), path, base, first, place!());
                    put!(to, attempt!(result));
                    left = host.left();
                }
                Op::Return { from } => {
                    let own = from < CONSTANT && from != THIS;
                    let value = if own {
                        std::mem::take(&mut self.registers[base + from as usize])
                    } else {
                        read!(from).clone()
                    };
                    let Frame { back, to, .. } = frame;
                    match back {
                        Back::Host => {
                            self.clear(base + 1, function.registers as usize - 1);
                            self.frames.pop();
                            host.set_left(left);
                            return Ok(Turn::Done(value));
                        }
                        Back::Gone | Back::Native(_) => {
                            self.clear(base, function.registers as usize);
                        }
                        Back::Register(receiver) => {
                            self.clear(base + 1, function.registers as usize - 1);
                            let below = self.frames[self.frames.len() - 2].base as usize;
                            self.registers.swap(below + receiver as usize, base);
                        }
                        Back::Path(path) => {
                            self.clear(base + 1, function.registers as usize - 1);
                            let below = self.frames[self.frames.len() - 2].base as usize;
                            let this = std::mem::take(&mut self.registers[base]);
                            let path = &program.paths[path as usize];
                            let put = |place: &mut Value| {
                                *place = this;
                                Ok(())
                            };
                            attempt!(self.at_path(
                                host,
                                program,
                                (below, place!()),
                                path,
                                false,
                                put
                            ));
                        }
                    }
                    self.frames.pop();
                    // The host's frame is the lowest, so there is one below.
                    frame = self.frames[self.frames.len() - 1];
                    base = frame.base as usize;
                    next = frame.next as usize;
                    function = &program.functions[frame.function as usize];
                    put!(to, value);
                    if self.frames.len() == floor {
                        host.set_left(left);
                        return Ok(Turn::Done(Value::Unit));
                    }
                }
                Op::Each { state } => {
                    match read!(state) {
                        Value::List(_) | Value::Range(_) => {}
                        Value::Text(text) => {
                            let letters: Vec<Value> =
                                text.as_str().chars().map(Value::Char).collect();
                            charged!(host.charge(letters.len() as u64 / 8, place!()));
                            put!(state, Value::list(letters));
                        }
                        _ => fault!(EvalAltResult::ErrorFor(place!()).into()),
                    }
                    put!(state + 1, Value::Int(0));
                }
                Op::Next { state, to, end } => {
                    let Value::Int(number) = *read!(state + 1) else { unreachable!("a counter") };
                    let item = match read!(state) {
                        Value::List(items) => items.get(number as usize).cloned(),
                        Value::Range(range) => range.nth(number).map(Value::Int),
                        _ => None,
                    };
                    match item {
                        Some(item) => {
                            put!(state + 2, Value::Int(number));
                            put!(state + 1, Value::Int(number + 1));
                            put!(to, item);
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
                    next = program.tables[table as usize].goes_on(read!(on)) as usize;
                }
                Op::Throw { from } => {
                    let value = super::convert::to_dynamic(read!(from));
                    fault!(EvalAltResult::ErrorRuntime(value, place!()).into());
                }
                Op::Announce { to, from, count, receiver } => {
                    if let Value::Unbound = read!(receiver) {
                        unbound!();
                    }
                    let place = place!();
                    stand_still!();
                    let parts = (base, from, count, to, receiver);
                    let turn = self.announce(host, program, parts, place)?;
                    left = host.left();
                    if let Some(turn) = turn {
                        return Ok(turn);
                    }
                }
                Op::Ask { what, at, to, receiver } => {
                    if self.within_native && !matches!(what, Effect::Emit | Effect::EmitEach) {
                        fault!(fail("nobody can be asked in a closure: write a loop", place!()));
                    }
                    if let Value::Unbound = read!(receiver) {
                        unbound!();
                    }
                    let place = place!();
                    stand_still!();
                    let turn = self.ask(host, what, (base, at, to, receiver), place)?;
                    left = host.left();
                    if let Some(turn) = turn {
                        return Ok(turn);
                    }
                }
            }
        }
    }

    /// Does something at the end of a path.
    #[inline]
    pub(super) fn at_path<T>(
        &mut self,
        host: &Host,
        program: &Program,
        (base, at): (usize, Position),
        path: &super::code::Path,
        makes: bool,
        work: impl FnOnce(&mut Value) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        // Taken out while the rest of the registers is read.
        let mut root = std::mem::take(&mut self.registers[base + path.root as usize]);
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let result = match change_at(&mut root, &path.steps, reading, makes, work) {
            Ok(Changed { result, resized: false }) => result,
            Ok(Changed { result, resized: true }) => {
                result.and_then(|value| fits(&root, at).map(|()| value))
            }
            Err(stuck) => Err(why_not(&root, &path.steps, stuck, reading, host, &program.texts)),
        };
        self.registers[base + path.root as usize] = root;
        result
    }

    /// Takes values out of registers one after another.
    pub(super) fn taken(&mut self, first: usize, count: usize) -> Vec<Value> {
        self.registers[first..first + count].iter_mut().map(std::mem::take).collect()
    }

    /// Lets go of the values in registers one after another.
    #[inline]
    fn clear(&mut self, first: usize, count: usize) {
        for register in &mut self.registers[first..first + count] {
            if !register.is_small() {
                *register = Value::Unit;
            }
        }
    }
}
