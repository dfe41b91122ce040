//! Copies and fills of memory: pointers go with the forward pass, adjoints come back in the reverse pass.

use crate::analysis::context::Item;
use crate::analysis::copied_data::{Data, Run, TURNS as TURNS_OUTSIDE, moved_data};
use crate::analysis::memory;
use crate::analysis::memory::object::ObjKind;
use crate::analysis::memory::query::PointerKind;
use crate::emit::shadow_memory::times;
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::program::cell::{Cell, Span};
use crate::reverse::Emitter;
use crate::reverse::adjoint::Target;
use crate::reverse::undo_log::TURNS;
use crate::runtime::tape;
use ir::{BinOp, Call, FloatKind, FuncId, InstId, IntPred, Operand};

/// A run on its way.
struct Step {
    function: FuncId,
    to: Operand,
    from: Operand,
    count: Operand,
    stride: Operand,
    /// Where the tape tells of each datum what it is.
    told: Option<Operand>,
}

/// Which pass clears what the other kind of datum has left.
#[derive(Clone, Copy)]
enum Pass {
    Forward,
    Reverse,
}

impl Emitter<'_, '_> {
    fn data(&self, inst: InstId, ptrs: &[Operand], length: Operand) -> Result<Data, Diagnostic> {
        moved_data(&self.cx(), inst, ptrs, length)
    }

    fn times(&mut self, data: &Data, run: &Run, length: Operand) -> (Operand, u64) {
        times(&mut self.b, data, run, length)
    }

    /// Forward: the shadow pointers of the copied pointers.
    pub(super) fn forward_copy(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let [to, from, length] = [call.args[0], call.args[1], call.args[2]];
        let kind = self.cx().pointer_kind(to);
        if kind == PointerKind::Constant {
            return Ok(());
        }
        if self.copy_pieces(inst, call, kind)? {
            return Ok(());
        }
        let data = self.data(inst, &[to, from], length)?;
        let length = self.primal_of(length);
        let mut told = self.room_for_turns(inst, call, &data, length);
        let mut steps = Vec::new();
        for run in data.runs.iter().filter(|r| r.cell.may_be_pointer()) {
            let size = run.offset + run.count * run.stride;
            let Some(to) = self.forward_destination(inst, to, kind, size)? else { continue };
            let from = self.shadow_of(from);
            let [to, from] = [to, from].map(|p| self.b.offset(p, run.offset));
            let (count, stride) = self.times(&data, run, length);
            let stride = self.b.m.int(64, u128::from(stride));
            if self.saves(call.args[0]) && (run.cell == Cell::Either || kind == PointerKind::Mixed) {
                return self.unsupported(inst, TURNS);
            }
            self.save_shadows(call.args[0], to, count, stride);
            let at = told.filter(|_| run.cell == Cell::Either);
            let function = match at {
                None => tape::copy_pointers(self.b.m),
                Some(at) => {
                    told = Some(self.behind(at, count));
                    tape::copy_turns(self.b.m)
                }
            };
            steps.push(Step { function, to, from, count, stride, told: at });
        }
        self.in_order(call, &steps, false);
        self.clear_others(inst, call.args[0], &data, length, Pass::Forward)
    }

    /// Has the place of a datum that is written to be cleared of what the other kind has left there? Where the shadow
    /// is not our own alone, or is restored by a loop with checkpoints, that would be lost.
    pub(super) fn clears_other(&mut self, inst: InstId, ptr: Operand, datum: &Span) -> Result<bool, Diagnostic> {
        let cx = self.cx();
        let (turns, own) = (cx.turns(ptr, datum), cx.own_shadows(&[ptr]));
        let saves = self.saves(ptr);
        match turns && (saves || !own) {
            true if cx.shares_place(ptr, datum) => self.unsupported(inst, if own { TURNS } else { TURNS_OUTSIDE }),
            true => Ok(false),
            false => Ok(turns),
        }
    }

    /// A float comes where a pointer may have been, whose shadow would be taken for its adjoint: in the forward pass
    /// the place is cleared. A pointer came where a float may have been, which has no adjoint yet: so it is in the
    /// reverse pass.
    fn clear_others(
        &mut self,
        inst: InstId,
        to: Operand,
        data: &Data,
        length: Operand,
        pass: Pass,
    ) -> Result<(), Diagnostic> {
        for run in &data.runs {
            let kind = match (pass, run.cell) {
                (Pass::Forward, Cell::Float(kind)) => Some(kind),
                (Pass::Reverse, Cell::Ptr) => None,
                _ => continue,
            };
            let each = Span { offset: run.offset, size: run.cell.size(0), cell: run.cell };
            let span = Span { size: (run.count - 1) * run.stride + each.size, ..each };
            if !self.clears_other(inst, to, &span)? {
                continue;
            }
            let size = run.offset + run.count * run.stride;
            let (count, stride) = self.times(data, run, length);
            let (at, count) = match pass {
                Pass::Forward => {
                    let kind = self.cx().pointer_kind(to);
                    let Some(at) = self.forward_destination(inst, to, kind, size)? else { continue };
                    (at, count)
                }
                Pass::Reverse => {
                    let Some(target) = self.target(inst, to, size)? else { continue };
                    (target.ptr, self.only_if_real(target, count))
                }
            };
            let at = self.b.offset(at, run.offset);
            let stride = self.b.m.int(64, u128::from(stride));
            match kind {
                Some(kind) => self.clear_run(kind, at, count, stride),
                None => {
                    let clear = tape::clear_pointers(self.b.m);
                    self.b.call(clear, vec![at, count, stride]);
                }
            }
        }
        Ok(())
    }

    /// Moves runs in the order that overlap asks for: none is overwritten that is still to be read. Within a run the
    /// functions see to that themselves.
    fn in_order(&mut self, call: &Call, steps: &[Step], reverse: bool) {
        let overlaps =
            self.b.m.as_function(call.callee).is_some_and(|f| self.b.m.functions[f].name.contains("memmove"));
        let first = match steps {
            [first, _, ..] if overlaps => first,
            _ => return steps.iter().for_each(|step| self.step(step, step.count)),
        };
        let [less, more] = if reverse { [first.from, first.to] } else { [first.to, first.from] };
        let ascending = self.b.icmp(IntPred::Ult, less, more);
        let none = self.b.m.int(64, 0);
        for step in steps {
            let count = self.b.select(ascending, step.count, none);
            self.step(step, count);
        }
        for step in steps.iter().rev() {
            let count = self.b.select(ascending, none, step.count);
            self.step(step, count);
        }
    }

    fn step(&mut self, step: &Step, count: Operand) {
        let args = [step.to, step.from, count, step.stride].into_iter().chain(step.told).collect();
        self.b.call(step.function, args);
    }

    /// Room on the tape for the shadows of the data that may be pointers or floats, in order of the runs. They tell the
    /// reverse pass which was moved: the shadow of a float is still zero. It is the record of the copy.
    fn room_for_turns(&mut self, inst: InstId, call: &Call, data: &Data, length: Operand) -> Option<Operand> {
        if !self.cx().copies_turns(inst, call) {
            return None;
        }
        let mut words = self.b.m.int(64, 0);
        for run in data.runs.iter().filter(|r| r.cell == Cell::Either) {
            let (count, _) = self.times(data, run, length);
            words = self.b.binary(BinOp::Add, words, count);
        }
        let room = match self.b.m.as_int(words) {
            Some(0) => {
                let ptr = self.b.m.types.ptr();
                self.b.m.zero(ptr)
            }
            _ => {
                let eight = self.b.m.int(64, 8);
                let bytes = self.b.binary(BinOp::Mul, words, eight);
                let alloc = tape::tape_alloc(self.b.m);
                let tape = self.tape;
                self.b.call(alloc, vec![tape, bytes]).unwrap_or(tape)
            }
        };
        self.call_records.insert(inst, room);
        Some(room)
    }

    /// The address behind so many words.
    fn behind(&mut self, at: Operand, words: Operand) -> Operand {
        let eight = self.b.m.int(64, 8);
        let bytes = self.b.binary(BinOp::Mul, words, eight);
        self.b.offset_by(at, bytes)
    }

    /// Forward: a fill of pointers fills their shadows alike (with null).
    pub(super) fn forward_set(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let [to, byte, length] = [call.args[0], call.args[1], call.args[2]];
        let kind = self.cx().pointer_kind(to);
        if kind == PointerKind::Constant {
            return Ok(());
        }
        let data = match self.data(inst, &[to], length) {
            Ok(data) => data,
            Err(why) => return self.clear_any(inst, (to, byte, length), true, why),
        };
        for run in data.runs.iter().filter(|r| r.cell.may_be_pointer()) {
            if run.cell == Cell::Ptr && self.b.m.as_int(byte) != Some(0) {
                return self.unsupported(inst, "pointers filled with a byte other than zero");
            }
            let size = run.offset + run.count * run.stride;
            let Some(to) = self.forward_destination(inst, to, kind, size)? else { continue };
            let length = self.primal_of(length);
            let to = self.b.offset(to, run.offset);
            let (count, stride) = self.times(&data, run, length);
            let stride = self.b.m.int(64, u128::from(stride));
            if self.saves(call.args[0]) && (run.cell == Cell::Either || kind == PointerKind::Mixed) {
                return self.unsupported(inst, TURNS);
            }
            self.save_shadows(call.args[0], to, count, stride);
            let clear = tape::clear_pointers(self.b.m);
            self.b.call(clear, vec![to, count, stride]);
        }
        Ok(())
    }

    /// Reverse: each adjoint of the destination is added to the source's and cleared.
    pub(super) fn reverse_copy(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let [to, from, length] = [call.args[0], call.args[1], call.args[2]];
        let data = self.data(inst, &[to, from], length)?;
        let bytes = self.reverse_primal(length)?;
        self.clear_others(inst, to, &data, bytes, Pass::Reverse)?;
        let mut told = if data.turns() { Some(self.fetch(Item::Record(inst))?) } else { None };
        let mut steps = Vec::new();
        for run in &data.runs {
            let Some(kind) = run.cell.float().filter(|_| !self.has_fault(Fault::WrongType)) else { continue };
            let size = run.offset + run.count * run.stride;
            let Some(dst) = self.target(inst, to, size)? else { continue };
            let src = self.target(inst, from, size)?;
            let length = self.reverse_primal(length)?;
            let (count, stride) = self.times(&data, run, length);
            let moved = count;
            let count = self.only_if_real(dst, count);
            let stride = self.b.m.int(64, u128::from(stride));
            let to = self.b.offset(dst.ptr, run.offset);
            // The source may be constant: then its adjoint goes nowhere, and is only cleared. What is moved is cleared
            // as it goes, for the source may overlap the destination.
            let add = match src {
                Some(src) => self.only_if_real(src, count),
                None => self.b.m.int(64, 0),
            };
            let at = told.filter(|_| run.cell == Cell::Either);
            told = told.map(|next| if at.is_some() { self.behind(next, moved) } else { next });
            if let Some(src) = src {
                let from = self.b.offset(src.ptr, run.offset);
                let shared = self.env.parallel.is_shared(self.b.m, self.env.facts, self.id, call.args[1]);
                if shared && (at.is_some() || matches!(kind, FloatKind::X86Fp80 | FloatKind::Fp128)) {
                    return self.unsupported(inst, "a copy of such data from memory that several threads may read");
                }
                let function = match at {
                    Some(_) => tape::accumulate_turns(self.b.m),
                    None => tape::accumulate(self.b.m, kind, shared),
                };
                steps.push(Step { function, to, from, count: add, stride, told: at });
            }
            if src.is_none_or(|src| src.real.is_some()) {
                let lost = self.b.binary(BinOp::Sub, count, add);
                self.clear_run(kind, to, lost, stride);
            }
        }
        self.in_order(call, &steps, true);
        Ok(())
    }

    /// Reverse: what is overwritten has no adjoint before.
    pub(super) fn reverse_set(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let [to, byte, length] = [call.args[0], call.args[1], call.args[2]];
        let data = match self.data(inst, &[to], length) {
            Ok(data) => data,
            Err(why) => return self.clear_any(inst, (to, byte, length), false, why),
        };
        for run in &data.runs {
            let Some(kind) = run.cell.float().filter(|_| !self.has_fault(Fault::StaleShadow)) else { continue };
            let Some(dst) = self.target(inst, to, run.offset + run.count * run.stride)? else { continue };
            let length = self.reverse_primal(length)?;
            let (count, stride) = self.times(&data, run, length);
            let count = self.only_if_real(dst, count);
            let stride = self.b.m.int(64, u128::from(stride));
            let to = self.b.offset(dst.ptr, run.offset);
            self.clear_run(kind, to, count, stride);
        }
        Ok(())
    }

    /// A fill with zeros of memory that the differentiated functions allocate, floats here and pointers there: clearing
    /// the shadow is right for both, in both passes. In the forward pass adjoints are still zero; in the reverse pass,
    /// shadow pointers from before the fill are not read again.
    fn clear_any(
        &mut self,
        inst: InstId,
        (to, byte, length): (Operand, Operand, Operand),
        forward: bool,
        why: Diagnostic,
    ) -> Result<(), Diagnostic> {
        let local =
            |o: &memory::ObjId| matches!(self.env.facts.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
        let own = self.cx().targets(to).keys().all(local) && self.cx().pointer_kind(to) == PointerKind::Duplicated;
        if !own || self.b.m.as_int(byte) != Some(0) {
            return Err(why);
        }
        if self.saves(to) {
            return self.unsupported(inst, TURNS);
        }
        let (shadow, length) = match forward {
            true => (self.shadow_of(to), self.primal_of(length)),
            false => match self.target(inst, to, 0)? {
                Some(target) => (target.ptr, self.reverse_primal(length)?),
                None => return Ok(()),
            },
        };
        tape::clear(&mut self.b, shadow, length);
        Ok(())
    }

    fn clear_run(&mut self, kind: FloatKind, to: Operand, count: Operand, stride: Operand) {
        let f = tape::clear_floats(self.b.m, kind);
        self.b.call(f, vec![to, count, stride]);
    }

    fn only_if_real(&mut self, target: Target, count: Operand) -> Operand {
        match target.real {
            None => count,
            Some(real) => {
                let none = self.b.m.int(64, 0);
                self.b.select(real, count, none)
            }
        }
    }
}
