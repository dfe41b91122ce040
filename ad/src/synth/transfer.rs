//! Copies and fills of memory: pointers go with the forward pass, adjoints come back in the reverse pass.

use super::Emitter;
use super::adjoint::Target;
use crate::base::builder::Builder;
use crate::error::{Diagnostic, Reason};
use crate::memory::{self, ObjKind, PointerKind};
use crate::needs::{Context, Item};
use crate::options::Fault;
use crate::program::cell::{Cell, Span};
use crate::runtime::tape;
use ir::{BinOp, Call, CastOp, FloatKind, FuncId, InstId, IntPred, Operand, Type};

/// A run of equal data: `count` data of one kind, `stride` bytes apart, from `offset` on.
pub(crate) struct Run {
    pub(crate) cell: Cell,
    pub(crate) offset: u64,
    count: u64,
    stride: u64,
}

/// The data a copy or fill moves.
pub(crate) struct Data {
    pub(crate) runs: Vec<Run>,
    /// The length, if it is known only at run time: bytes after which the runs repeat, 0 if they do not.
    period: Option<u64>,
}

/// What lies in the memory that a copy or fill of `length` bytes moves.
pub(crate) fn moved_data(cx: &Context, inst: InstId, ptrs: &[Operand], length: Operand) -> Result<Data, Diagnostic> {
    let unsupported = |message: &str| Err(Diagnostic::at(cx.m, cx.func, inst, Reason::Unsupported, message));
    let places: Vec<_> = ptrs.iter().flat_map(|ptr| cx.targets(*ptr)).collect();
    let constant = cx.m.as_int(length).map(|v| v as u64);
    let size = match constant {
        Some(size) => size,
        None => match cx.facts.period(&places) {
            0 => cx.facts.known_size(&places).max(8),
            period => period,
        },
    };
    let found = cx.facts.spans(&places, size).or_else(|offset| {
        // What memory without shadow holds does not matter.
        let shadowed: Vec<_> = places.iter().filter(|(o, _)| cx.facts.is_shadowed(*o)).copied().collect();
        if shadowed.is_empty() { Err(offset) } else { cx.facts.spans(&shadowed, size) }
    });
    let spans = match found {
        Ok(spans) => spans,
        Err(offset) => {
            return unsupported(&format!(
                "the type of the data at offset {offset} is ambiguous: two accesses disagree on what it is"
            ));
        }
    };
    let period = if constant.is_none() { cx.facts.period(&places) } else { 0 };
    // A length known only at run time may reach beyond all that is known, unless that repeats.
    let reach = if constant.is_some() || period != 0 { size } else { size + 64 };
    // What is only filled, or copied from where nothing is, may be a float, and is taken for one: the shadow of an integer is nobody's concern.
    let blank = ptrs.iter().skip(1).all(|from| cx.facts.is_blank_memory(&cx.targets(*from)));
    let filled = if blank && constant.is_some() { cx.facts.all_untold(&places, size) } else { Vec::new() };
    if let Some(offset) = cx.facts.untold(&places, reach).filter(|_| filled.is_empty()) {
        return unsupported(&format!(
            "the type of the moved data is not known at offset {offset}: no access, declared type or debug information tells it"
        ));
    }
    if period != 0 && !cx.facts.is_periodic(&places, size, &spans) {
        return unsupported(
            "data of different kinds, moved with a length known only at run time, do not repeat regularly",
        );
    }
    let mut spans = spans;
    spans.extend(cx.facts.among_integers(&places, (size, period), &spans));
    spans.sort_by_key(|span| span.offset);
    if spans.iter().any(|s| s.cell == Cell::Either) && !cx.own_shadows(ptrs) {
        return unsupported(super::TURNS);
    }
    // With a length known only at run time each datum of the period is a run of its own.
    let mut runs = runs(&spans, period == 0);
    for (kind, offset, count) in filled.into_iter().flat_map(memory::filling).filter(|(_, _, count)| *count > 0) {
        let cell = Cell::Float(kind);
        runs.push(Run { cell, offset, count, stride: cell.size(0) });
    }
    runs.sort_by_key(|run| run.offset);
    Ok(Data { runs, period: constant.is_none().then_some(period) })
}

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

impl Data {
    /// May some of it be pointers or floats?
    pub(crate) fn turns(&self) -> bool {
        self.runs.iter().any(|run| run.cell == Cell::Either)
    }

    /// Number of data of a run, and their distance. Where the length is known only at run time: those that lie whole within it.
    pub(crate) fn times(&self, b: &mut Builder, run: &Run, length: Operand) -> (Operand, u64) {
        let count = b.m.int(64, u128::from(run.count));
        let Some(period) = self.period else { return (count, run.stride) };
        let i64t = b.m.types.int(64);
        let length = match b.m.types.get(b.ty(length)) {
            Type::Int(64) => length,
            _ => b.cast(CastOp::ZExt, length, i64t),
        };
        let distance = if period == 0 { run.stride } else { period };
        let numbers = [run.offset + run.cell.size(8), distance, 0, 1];
        let [first, unit, zero, one] = numbers.map(|n| b.m.int(64, u128::from(n)));
        let any = b.icmp(IntPred::Uge, length, first);
        let rest = b.binary(BinOp::Sub, length, first);
        let more = b.binary(BinOp::UDiv, rest, unit);
        let mut times = b.binary(BinOp::Add, more, one);
        if period == 0 {
            let fewer = b.icmp(IntPred::Ult, times, count);
            times = b.select(fewer, times, count);
        }
        (b.select(any, times, zero), distance)
    }
}

impl Emitter<'_, '_> {
    fn data(&self, inst: InstId, ptrs: &[Operand], length: Operand) -> Result<Data, Diagnostic> {
        moved_data(&self.cx(), inst, ptrs, length)
    }

    fn times(&mut self, data: &Data, run: &Run, length: Operand) -> (Operand, u64) {
        data.times(&mut self.b, run, length)
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
                return self.unsupported(inst, super::undo::TURNS);
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
        Ok(())
    }

    /// Moves runs in the order that overlap asks for: none is overwritten that is still to be read. Within a run the functions see to
    /// that themselves.
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

    /// Room on the tape for the shadows of the data that may be pointers or floats, in order of the runs. They tell the reverse pass
    /// which was moved: the shadow of a float is still zero. It is the record of the copy.
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
                return self.unsupported(inst, super::undo::TURNS);
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
            // The source may be constant: then its adjoint goes nowhere, and is only cleared. What is moved is cleared as it goes,
            // for the source may overlap the destination.
            let add = match src {
                Some(src) => self.only_if_real(src, count),
                None => self.b.m.int(64, 0),
            };
            let at = told.filter(|_| run.cell == Cell::Either);
            told = told.map(|next| if at.is_some() { self.behind(next, moved) } else { next });
            if let Some(src) = src {
                let from = self.b.offset(src.ptr, run.offset);
                let function = match at {
                    Some(_) => tape::accumulate_turns(self.b.m),
                    None => tape::accumulate(self.b.m, kind),
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

    /// A fill with zeros of memory that the differentiated functions allocate, floats here and pointers there: clearing the shadow
    /// is right for both, in both passes. In the forward pass adjoints are still zero; in the reverse pass, shadow pointers from
    /// before the fill are not read again.
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
            return self.unsupported(inst, super::undo::TURNS);
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

/// The data as runs, neighbours of one kind taken together if asked.
fn runs(spans: &[Span], gather: bool) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for span in spans {
        if let Some(last) = out.last_mut().filter(|_| gather)
            && last.cell == span.cell
        {
            let next = last.offset + last.count * last.stride;
            let gap = span.offset - last.offset;
            if last.count == 1 && gap <= 16 && gap >= span.size {
                (last.count, last.stride) = (2, gap);
                continue;
            }
            if last.count > 1 && span.offset == next {
                last.count += 1;
                continue;
            }
        }
        out.push(Run { cell: span.cell, offset: span.offset, count: 1, stride: span.size });
    }
    out
}
