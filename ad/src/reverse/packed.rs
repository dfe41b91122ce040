//! Adjoints of floats that travel in integers and aggregates.
//!
//! The adjoint of an integer is that of the floats it carries ([`adjoint_type`]). An instruction that
//! moves bytes hands the adjoint of each float of its result to the operand it came from, at the place it had there
//! ([`moves`](crate::analysis::memory::lanes::moves)).

use crate::analysis::context::Item;
use crate::analysis::memory::lanes;
use crate::analysis::memory::query::{adjoint_type, carried};
use crate::emit::atomic_add::atomic_take;
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::program::cell::{Cell, Span, leaves};
use crate::program::externals;
use crate::reverse::Emitter;
use crate::reverse::adjoint::Target;
use ir::{FloatKind, FuncId, InstId, InstKind, IntPred, Operand, Type, TypeId, ValueId};

/// The adjoint of one float in a value, by its offset there.
pub(super) type Part = (u64, Operand);

/// A type with the content of its integers: what the adjoint's type follows from.
#[derive(Clone)]
pub(super) struct Packing {
    ty: TypeId,
    content: Vec<Span>,
}

impl Emitter<'_, '_> {
    /// The packing of an operand.
    pub(super) fn packing(&self, operand: Operand) -> Packing {
        Packing { ty: self.cx().ty(operand), content: self.env.facts.content(self.id, operand).to_vec() }
    }

    /// The packing of a parameter of another function.
    pub(super) fn param_packing(&self, f: FuncId, i: usize) -> Packing {
        let func = &self.env.sources[&f];
        Packing { ty: func.params[i].ty, content: self.env.facts.content(f, func.param(i)).to_vec() }
    }

    /// The packing of what another function returns.
    pub(super) fn return_packing(&self, f: FuncId) -> Packing {
        Packing { ty: self.env.sources[&f].ret, content: self.env.facts.return_content(f).to_vec() }
    }

    /// Do integers in the operand carry floats?
    pub(super) fn is_packed(&self, operand: Operand) -> bool {
        self.env.facts.content(self.id, operand).iter().any(|s| s.cell.float().is_some())
    }

    /// The adjoint as the parts it consists of.
    pub(super) fn split(&mut self, packing: &Packing, adjoint: Operand) -> Vec<Part> {
        let mut out = Vec::new();
        self.split_at(packing.ty, &packing.content, 0, adjoint, &mut out);
        out
    }

    fn split_at(&mut self, ty: TypeId, content: &[Span], at: u64, adjoint: Operand, out: &mut Vec<Part>) {
        let floats = carried(self.b.m, ty, content, at);
        match self.b.m.types.get(ty).clone() {
            Type::Float(_) => out.push((at, adjoint)),
            Type::Ptr(_) => {}
            Type::Int(_) => self.split_packed(at, &floats, adjoint, out),
            Type::Vector { elem, .. } if self.b.m.types.is_int(elem) => self.split_packed(at, &floats, adjoint, out),
            Type::Vector { len, elem } if self.b.m.types.float_kind(elem).is_some() => {
                for i in 0..u64::from(len) {
                    let offset = self.b.m.layout.element_offset(&self.b.m.types, ty, i).unwrap_or(0);
                    let part = self.lane(adjoint, i);
                    out.push((at + offset, part));
                }
            }
            _ => {
                for (i, elem, offset) in self.members(ty, content, at) {
                    let part = self.b.extract(adjoint, i);
                    self.split_at(elem, content, at + offset, part, out);
                }
            }
        }
    }

    fn split_packed(&mut self, at: u64, floats: &[(u64, FloatKind)], adjoint: Operand, out: &mut Vec<Part>) {
        if floats.is_empty() {
            return;
        }
        let ty = self.b.ty(adjoint);
        for (i, (offset, _)) in floats.iter().enumerate() {
            let part = match self.b.m.types.get(ty) {
                Type::Float(_) => adjoint,
                Type::Vector { .. } => self.lane(adjoint, i as u64),
                _ => self.b.extract(adjoint, i as u32),
            };
            out.push((at + offset, part));
        }
    }

    /// Members of an aggregate that hold floats: index, type, offset.
    fn members(&self, ty: TypeId, content: &[Span], at: u64) -> Vec<(u32, TypeId, u64)> {
        let m = &*self.b.m;
        let count = m.types.element_count(ty).unwrap_or(0);
        let member = |i| Some((i as u32, m.types.element(ty, i)?, m.layout.element_offset(&m.types, ty, i)?));
        let holds = |(_, elem, offset): &(u32, TypeId, u64)| {
            externals::holds_float(m, *elem) || !carried(m, *elem, content, at + offset).is_empty()
        };
        (0..count).filter_map(member).filter(holds).collect()
    }

    fn lane(&mut self, vector: Operand, i: u64) -> Operand {
        let ty = self.b.ty(vector);
        let elem = self.b.m.types.scalar(ty);
        let index = self.b.m.int(32, u128::from(i));
        self.b.value(InstKind::ExtractElement { vector, index }, elem)
    }

    /// The adjoint that consists of these parts; zero where there is none.
    pub(super) fn join(&mut self, packing: &Packing, parts: &[Part]) -> Operand {
        self.join_at(packing.ty, &packing.content, 0, parts)
    }

    fn join_at(&mut self, ty: TypeId, content: &[Span], at: u64, parts: &[Part]) -> Operand {
        let floats = carried(self.b.m, ty, content, at);
        let whole = adjoint_type(self.b.m, ty, content, at);
        let mut out = self.b.m.zero(whole);
        let find = |offset: u64| parts.iter().find(|(o, _)| *o == offset).map(|(_, p)| *p);
        match self.b.m.types.get(ty).clone() {
            Type::Float(_) => find(at).unwrap_or(out),
            Type::Ptr(_) => out,
            Type::Int(_) => self.join_packed(out, &floats, |o| find(at + o)),
            Type::Vector { elem, .. } if self.b.m.types.is_int(elem) => {
                self.join_packed(out, &floats, |o| find(at + o))
            }
            Type::Vector { len, elem } if self.b.m.types.float_kind(elem).is_some() => {
                for i in 0..u64::from(len) {
                    let offset = self.b.m.layout.element_offset(&self.b.m.types, ty, i).unwrap_or(0);
                    if let Some(value) = find(at + offset) {
                        out = self.set_lane(out, i, value);
                    }
                }
                out
            }
            _ => {
                for (i, elem, offset) in self.members(ty, content, at) {
                    let part = self.join_at(elem, content, at + offset, parts);
                    out = self.b.insert(out, part, i);
                }
                out
            }
        }
    }

    fn join_packed(
        &mut self,
        mut out: Operand,
        floats: &[(u64, FloatKind)],
        find: impl Fn(u64) -> Option<Operand>,
    ) -> Operand {
        let ty = self.b.ty(out);
        for (i, (offset, _)) in floats.iter().enumerate() {
            let Some(value) = find(*offset) else { continue };
            out = match self.b.m.types.get(ty) {
                Type::Float(_) => value,
                Type::Vector { .. } => self.set_lane(out, i as u64, value),
                _ => self.b.insert(out, value, i as u32),
            };
        }
        out
    }

    fn set_lane(&mut self, vector: Operand, i: u64, value: Operand) -> Operand {
        let ty = self.b.ty(vector);
        let index = self.b.m.int(32, u128::from(i));
        self.b.value(InstKind::InsertElement { vector, value, index }, ty)
    }

    /// The same adjoint for a value of another packing. A float that the other does not know of would be lost.
    pub(super) fn repack(
        &mut self,
        inst: InstId,
        adjoint: Operand,
        from: &Packing,
        to: &Packing,
    ) -> Result<Operand, Diagnostic> {
        let wanted = adjoint_type(self.b.m, to.ty, &to.content, 0);
        if self.b.ty(adjoint) == wanted {
            return Ok(adjoint);
        }
        let known = leaves(self.b.m, to.ty, &to.content);
        let parts = self.split(from, adjoint);
        let lost = |(at, part): &Part| {
            let kind = self.b.m.types.float_kind(self.b.ty(*part));
            !known.iter().any(|s| s.offset == *at && kind.is_some() && s.cell.float() == kind)
        };
        if parts.iter().any(lost) {
            return self
                .unsupported(inst, "an integer carries an active float here and something else where it comes from");
        }
        Ok(self.join(to, &parts))
    }

    /// Hands the adjoint of a value on to an operand which it equals.
    pub(super) fn pass_on(
        &mut self,
        inst: InstId,
        v: ValueId,
        to: Operand,
        adjoint: Operand,
    ) -> Result<(), Diagnostic> {
        if !self.cx().has_adjoint(to) {
            return Ok(());
        }
        let (from, packing) = (self.packing(Operand::Local(v)), self.packing(to));
        let adjoint = self.repack(inst, adjoint, &from, &packing)?;
        self.accumulate(to, adjoint);
        Ok(())
    }

    /// The adjoint of an instruction that only moves bytes.
    pub(super) fn reverse_moves(&mut self, inst: InstId, v: ValueId) -> Result<(), Diagnostic> {
        let adjoint = self.take(v);
        let own = self.packing(Operand::Local(v));
        let known = leaves(self.b.m, own.ty, &own.content);
        let parts = self.split(&own, adjoint);
        let steps = lanes::moves(self.b.m, self.func, &self.func.insts[inst]);
        let mut operands: Vec<Operand> = steps.iter().map(|s| s.operand).collect();
        operands.sort();
        operands.dedup();
        for operand in operands {
            if !self.cx().has_adjoint(operand) {
                continue;
            }
            let packing = self.packing(operand);
            let there = leaves(self.b.m, packing.ty, &packing.content);
            let mut moved: Vec<Part> = Vec::new();
            for step in steps.iter().filter(|s| s.operand == operand) {
                for (at, part) in &parts {
                    let Some(span) = known.iter().find(|s| s.offset == *at) else { continue };
                    let float = |s: &Span| (s.offset, s.cell.float());
                    let is_there = |from: &Span| there.iter().any(|s| float(s) == float(from));
                    let Some(from) = step.backward(span).filter(is_there) else { continue };
                    // A lane that a shuffle reads twice gets the sum.
                    match moved.iter_mut().find(|(o, _)| *o == from.offset) {
                        Some((_, sum)) => *sum = self.b.binary(ir::BinOp::FAdd, *sum, *part),
                        None => moved.push((from.offset, *part)),
                    }
                }
            }
            if !moved.is_empty() {
                let whole = self.join(&packing, &moved);
                self.accumulate(operand, whole);
            }
        }
        Ok(())
    }

    /// The adjoint of a load of floats among other data.
    pub(super) fn load_parts(
        &mut self,
        inst: InstId,
        (target, pointer): (Target, Operand),
        (v, adjoint): (ValueId, Operand),
        align: u64,
    ) -> Result<(), Diagnostic> {
        let packing = self.packing(Operand::Local(v));
        let telling = self.telling_words(Operand::Local(v))?;
        for (at, part) in self.split(&packing, adjoint) {
            let ptr = self.b.offset(target.ptr, at);
            let (_, target) = self.if_float(&telling, at, Target { ptr, real: None });
            let ty = self.b.ty(part);
            self.increment(inst, (pointer, target.ptr), (ty, part), part_align(align, at))?;
        }
        Ok(())
    }

    /// May other threads add zero to the adjoint of a number that is stored there, while it is read and cleared?
    fn meets_zeros(&self, ptr: Operand, target: Target, (ty, align): (TypeId, u64)) -> bool {
        let kind = self.b.m.types.float_kind(ty);
        let simple = matches!(kind, Some(FloatKind::Float | FloatKind::Double)) && target.real.is_none();
        simple
            && align >= self.b.align(ty)
            && !self.has_fault(Fault::StaleShadow)
            && self.env.parallel.is_loaded_ahead(self.b.m, self.env.facts, self.id, ptr)
    }

    /// The adjoint of a store of floats among other data: each is read and cleared. What pointers left in the place of
    /// a float is cleared too, since the float that was there before has no adjoint yet.
    pub(super) fn store_parts(
        &mut self,
        inst: InstId,
        target: Target,
        (value, ptr): (Operand, Operand),
        stored: &[Span],
        align: u64,
    ) -> Result<(), Diagnostic> {
        let telling = self.telling_words(value)?;
        let mut parts = Vec::new();
        for span in stored {
            let here = Target { ptr: self.b.offset(target.ptr, span.offset), real: target.real };
            let align = part_align(align, span.offset);
            let double = self.b.m.types.float(FloatKind::Double);
            let Some(kind) = span.cell.float() else {
                if self.clears_other(inst, ptr, span)? {
                    self.clear_memory(here, double, align);
                }
                continue;
            };
            let ty = self.b.m.types.float(kind);
            let (turns, float) = match span.cell {
                Cell::Either => self.if_float(&telling, span.offset, here),
                _ => (false, here),
            };
            let part = match turns || !self.meets_zeros(ptr, float, (ty, align)) {
                true => self.take_memory(float, ty, align),
                false => atomic_take(&mut self.b, float.ptr, kind),
            };
            parts.push((span.offset, part));
            if turns {
                self.clear_memory(here, double, align);
            }
        }
        if self.cx().has_adjoint(value) {
            let packing = self.packing(value);
            let whole = self.join(&packing, &parts);
            self.accumulate(value, whole);
        }
        Ok(())
    }

    /// The words of a value's shadow, if they tell pointers from floats.
    fn telling_words(&mut self, value: Operand) -> Result<Vec<Part>, Diagnostic> {
        let Operand::Local(v) = value else { return Ok(Vec::new()) };
        if !self.env.facts.tells_turns(self.b.m, self.id, value) {
            return Ok(Vec::new());
        }
        let shadow = self.fetch(Item::Shadow(v))?;
        let content = self.env.facts.content(self.id, value).to_vec();
        let ty = self.b.ty(shadow);
        let either = |at: &u64| content.iter().any(|s| s.cell == Cell::Either && s.offset == *at);
        Ok(self.words(ty, shadow).into_iter().filter(|(at, _)| either(at)).collect())
    }

    /// The same memory where a float lay there, by the words that tell; scratch memory where a pointer did. Says
    /// whether any word tells.
    fn if_float(&mut self, telling: &[Part], at: u64, target: Target) -> (bool, Target) {
        let Some((_, word)) = telling.iter().find(|(o, _)| *o == at) else { return (false, target) };
        let (word, scratch) = (*word, self.scratch());
        let ty = self.b.ty(word);
        let zero = self.b.m.zero(ty);
        let float = self.b.icmp(IntPred::Eq, word, zero);
        let ptr = self.b.select(float, target.ptr, scratch);
        let real = match target.real {
            None => float,
            Some(real) => self.b.binary(ir::BinOp::And, float, real),
        };
        (true, Target { ptr, real: Some(real) })
    }

    /// The words of 64 bits in a value that holds pointers or integers, by offset.
    pub(super) fn words(&mut self, ty: TypeId, value: Operand) -> Vec<Part> {
        let mut out = Vec::new();
        self.words_at(ty, 0, value, &mut out);
        out
    }

    fn words_at(&mut self, ty: TypeId, at: u64, value: Operand, out: &mut Vec<Part>) {
        let i64t = self.b.m.types.int(64);
        match self.b.m.types.get(ty).clone() {
            Type::Ptr(_) | Type::Int(64) => out.push((at, value)),
            Type::Int(bits) if bits > 64 => {
                for i in 0..u64::from(bits) / 64 {
                    let by = self.b.m.int(bits, u128::from(64 * i));
                    let moved = self.b.binary(ir::BinOp::LShr, value, by);
                    let word = self.b.cast(ir::CastOp::Trunc, moved, i64t);
                    out.push((at + 8 * i, word));
                }
            }
            // Eight bytes, or two halves of a word.
            Type::Vector { elem, .. } if matches!(self.b.m.types.get(elem), Type::Int(8 | 16 | 32)) => {
                let words = self.b.m.size_of(ty) / 8;
                let whole = self.b.m.types.vector(words as u32, i64t);
                if self.b.m.size_of(whole) == self.b.m.size_of(ty) {
                    let cast = self.b.cast(ir::CastOp::BitCast, value, whole);
                    self.words_at(whole, at, cast, out);
                }
            }
            _ => {
                for i in 0..self.b.m.types.element_count(ty).unwrap_or(0) {
                    let types = &self.b.m.types;
                    let (Some(elem), Some(offset)) =
                        (types.element(ty, i), self.b.m.layout.element_offset(types, ty, i))
                    else {
                        continue;
                    };
                    if self.b.m.size_of(elem) >= 8 && !externals::holds_float(self.b.m, elem) {
                        let vector = matches!(self.b.m.types.get(ty), Type::Vector { .. });
                        let part = if vector { self.lane(value, i) } else { self.b.extract(value, i as u32) };
                        self.words_at(elem, at + offset, part, out);
                    }
                }
            }
        }
    }
}

/// The alignment of a part at `at` of an access.
pub(super) fn part_align(align: u64, at: u64) -> u64 {
    if at == 0 { align } else { align.min(1 << at.trailing_zeros()) }
}
