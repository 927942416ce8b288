//! What the longer instructions do: reading and writing along paths, making lists, maps and texts.

use std::sync::Arc;

use rhai::{EvalAltResult, Position};

use super::arithmetic::{self, change_number};
use super::code::{Binary, CONSTANT, Path, Program, Reg, Step};
use super::host::Host;
use super::paths::{Reading, Sizes, resized, walk, walk_mut, walk_on, why_not};
use super::run::Machine;
use super::value::{Closure, Map, Size, Text, Value, fits};
use crate::script::sandbox::limits::Fault;

/// Those of what is as large as before.
pub(super) const SAME: Sizes = (Size::NOTHING, Size::NOTHING);

/// Changes a value, and says how large it was before and is afterwards.
#[inline]
pub(super) fn sized<T>(value: &mut Value, change: impl FnOnce(&mut Value) -> T) -> (T, Sizes) {
    let before = value.size();
    let result = change(value);
    (result, (before, value.size()))
}

/// Where the registers of the function begin, and the place of the instruction.
type Standing = (usize, Position);

impl Machine {
    /// What is at the end of a path that leads into no list or map.
    #[cold]
    pub(super) fn read_on(
        &self,
        host: &Host,
        program: &Program,
        base: usize,
        path: &Path,
    ) -> Result<Value, Fault> {
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        walk_on(reading.at(path.root), &path.steps, reading, host, &program.texts)
    }

    /// Writes what a register holds to the end of a path; `take` where it is needed no more.
    #[inline(never)]
    pub(super) fn write_at(
        &mut self,
        host: &Host,
        program: &Program,
        at: Standing,
        path: &Path,
        (from, take): (Reg, bool),
    ) -> Result<(), Fault> {
        let value = if take && from < CONSTANT {
            std::mem::take(&mut self.registers[at.0 + from as usize])
        } else {
            let registers = &self.registers[at.0..];
            let value = Reading { registers, constants: &program.constants }.at(from).clone();
            host.charge(value.size().copying(), at.1)?;
            value
        };
        self.at_path(host, program, at, path, true, |_, place| {
            sized(place, |place| {
                place.set(value);
                Ok(())
            })
        })
    }

    /// `path += from`, and the like.
    #[inline(never)]
    pub(super) fn modify_at(
        &mut self,
        host: &Host,
        program: &Program,
        at: Standing,
        path: &Path,
        (by, from): (Binary, Reg),
    ) -> Result<(), Fault> {
        // What the path begins in is not in its register meanwhile.
        let same = match from == path.root {
            true => self.registers[at.0 + from as usize].clone(),
            false => Value::Unit,
        };
        self.at_path(host, program, at, path, true, |this, place| {
            let registers = &this.registers[at.0..];
            let other = match from == path.root {
                true => &same,
                false => Reading { registers, constants: &program.constants }.at(from),
            };
            if change_number(by, place, other) {
                return (Ok(()), SAME);
            }
            sized(place, |place| arithmetic::change(by, place, other, host, program, at.1))
        })
    }

    /// `to += b`, and the like.
    #[inline(never)]
    pub(super) fn change(
        &mut self,
        host: &Host,
        program: &Program,
        base: usize,
        (by, to, b): (Binary, Reg, Reg),
        at: Position,
    ) -> Result<(), Fault> {
        // Taken out, so that a list or a text that nobody else has grows in place.
        let mut value = std::mem::take(&mut self.registers[base + to as usize]);
        let same = if b == to { value.clone() } else { Value::Unit };
        let registers = &self.registers[base..];
        let other = match b == to {
            true => &same,
            false => Reading { registers, constants: &program.constants }.at(b),
        };
        let result = match change_number(by, &mut value, other) {
            true => Ok(()),
            false => arithmetic::change(by, &mut value, other, host, program, at),
        };
        self.registers[base + to as usize] = value;
        result
    }

    #[inline(never)]
    pub(super) fn take_at(
        &mut self,
        host: &Host,
        program: &Program,
        at: Standing,
        path: &Path,
    ) -> Result<Value, Fault> {
        self.at_path(host, program, at, path, false, |this, place| {
            this.lent.push(place.size());
            (Ok(std::mem::take(place)), SAME)
        })
    }

    /// Puts what was taken from the end of a path back.
    #[inline(never)]
    pub(super) fn give_back(
        &mut self,
        host: &Host,
        program: &Program,
        at: Standing,
        path: &Path,
        value: Value,
    ) -> Result<(), Fault> {
        self.at_path(host, program, at, path, false, |this, place| {
            let before = this.lent.pop().unwrap_or_default();
            *place = value;
            (Ok(()), (before, place.size()))
        })
    }

    #[inline(never)]
    pub(super) fn make_list(
        &mut self,
        base: usize,
        (to, from, count): (Reg, Reg, u16),
        at: Position,
    ) -> Result<(), Fault> {
        let list = Value::list(self.taken(base + from as usize, count as usize));
        fits(&list, at)?;
        self.registers[base + to as usize].set(list);
        Ok(())
    }

    /// A map whose keys are in their order, of the values in registers one after another.
    #[inline(never)]
    pub(super) fn make_map(
        &mut self,
        base: usize,
        (to, from): (Reg, Reg),
        keys: &[Text],
        at: Position,
    ) -> Result<(), Fault> {
        let first = base + from as usize;
        let values = self.registers[first..first + keys.len()].iter_mut().map(std::mem::take);
        let map = Value::map(Map::from_sorted(keys.iter().cloned().zip(values).collect()));
        fits(&map, at)?;
        self.registers[base + to as usize].set(map);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn make_text(
        &mut self,
        host: &Host,
        program: &Program,
        base: usize,
        (to, from, count): (Reg, Reg, u16),
        at: Position,
    ) -> Result<(), Fault> {
        let first = base + from as usize;
        let parts = &self.registers[first..first + count as usize];
        // What is known to be copied is paid for before, the rest once it is known.
        let paid = super::joined_text::copied(parts).making();
        if paid > 0 {
            host.charge(paid, at)?;
        }
        let text = Value::Text(super::joined_text::joined(parts, host, program, at)?);
        host.charge(text.size().making().saturating_sub(paid), at)?;
        self.registers[base + to as usize].set(text);
        Ok(())
    }

    /// A closure that captures the values in registers one after another.
    #[inline(never)]
    pub(super) fn make_closure(
        &mut self,
        program: &Program,
        base: usize,
        (to, from, function, count): (Reg, Reg, u16, u16),
        at: Position,
    ) -> Result<(), Fault> {
        let captured = self.taken(base + from as usize, count as usize);
        let made_of = &program.functions[function as usize];
        let mut made = Closure::new(function, program.texts.find(&made_of.name), captured);
        if made_of.binds_this {
            made = made.bound(self.registers[base].clone());
        }
        let made = Value::Function(made.into());
        fits(&made, at)?;
        self.registers[base + to as usize].set(made);
        Ok(())
    }

    /// Puts a list of its letters in the place of a text that is walked through.
    #[cold]
    pub(super) fn letters(
        &mut self,
        host: &Host,
        register: usize,
        at: Position,
    ) -> Result<(), Fault> {
        let Value::Text(text) = &self.registers[register] else {
            return Err(EvalAltResult::ErrorFor(at).into());
        };
        host.charge(text.as_str().chars().count() as u64 / 8, at)?;
        let letters: Vec<Value> = text.as_str().chars().map(Value::Char).collect();
        self.registers[register] = Value::list(letters);
        Ok(())
    }

    /// Does something at the end of a path; `makes` where the last key need not be there. The work returns the sizes
    /// before and after of what is there.
    #[inline]
    pub(super) fn at_path<T>(
        &mut self,
        host: &Host,
        program: &Program,
        (base, at): Standing,
        path: &Path,
        makes: bool,
        work: impl FnOnce(&mut Machine, &mut Value) -> (Result<T, Fault>, Sizes),
    ) -> Result<T, Fault> {
        // Taken out while the rest of the registers is read.
        let mut root = std::mem::take(&mut self.registers[base + path.root as usize]);
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let (value, rest, place) = walk_mut(&mut root, &path.steps, reading);
        let worked = match (rest, &mut *value, place) {
            ([], ..) => Some(work(self, value)),
            ([last], Value::Map(map), Some(place)) if makes => {
                last.key(reading).cloned().map(|key| {
                    let (mut made, before) = (Value::Unit, map.size());
                    let (result, _) = work(self, &mut made);
                    Arc::make_mut(map).insert_at(place, key, made);
                    (result, (before, map.size()))
                })
            }
            _ => None,
        };
        let result = match worked {
            Some((result, (before, after))) if before == after => result,
            Some((result, sizes)) => {
                let registers = &self.registers[base..];
                let reading = Reading { registers, constants: &program.constants };
                let steps = &path.steps[..path.steps.len() - rest.len()];
                resized(&mut root, steps, reading, sizes);
                result.and_then(|value| fits(&root, at).map(|()| value))
            }
            None => Err(self.why_not(host, program, base, (&root, &path.steps))),
        };
        self.registers[base + path.root as usize].set(root);
        result
    }

    #[cold]
    fn why_not(
        &self,
        host: &Host,
        program: &Program,
        base: usize,
        (root, steps): (&Value, &[Step]),
    ) -> Fault {
        let reading = Reading { registers: &self.registers[base..], constants: &program.constants };
        let (value, rest) = walk(root, steps, reading);
        why_not(value, &rest[0], reading, host, &program.texts)
    }

    pub(super) fn taken(&mut self, first: usize, count: usize) -> Vec<Value> {
        self.registers[first..first + count].iter_mut().map(std::mem::take).collect()
    }
}
