//! The transfer function: what one instruction adds to the facts.

use crate::analysis::memory::alignment::is_address;
use crate::analysis::memory::blind::Blind;
use crate::analysis::memory::merge_targets::Set;
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::pieces::{is_shift, may_be_piece};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::types::{gep_step_by, moved};
use crate::analysis::memory::{self, Facts, Key, Phase};
use crate::normalise::sources::Sources;
use crate::program::cell::{Cell, Span};
use crate::program::externals;
use crate::runtime::substitute;
use ir::gep::signed;
use ir::{BinOp, CastOp, FuncId, Function, Inst, InstId, InstKind, Module, Operand, Type, TypeId};

impl Facts {
    /// Applies the transfer function of one instruction.
    pub(super) fn transfer(&mut self, m: &Module, sources: &Sources, id: FuncId, func: &Function, at: InstId) {
        let inst = &func.insts[at];
        if self.roundings.rounds(id, at) || substitute::is_passive(inst) {
            return;
        }
        match &inst.kind {
            InstKind::Phi { .. }
            | InstKind::Select { .. }
            | InstKind::Freeze(_)
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. }
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. } => {
                let overlooked = match inst.kind {
                    InstKind::Phi { .. } => self.overlooks(Blind::PhiPointer),
                    InstKind::Select { .. } => self.overlooks(Blind::SelectedPointer),
                    _ => false,
                };
                for operand in data_operands(&inst.kind).into_iter().filter(|_| !overlooked) {
                    self.flow(m, id, operand, inst);
                }
                self.flow_content(m, id, func, inst);
                self.flow_data(m, id, func, inst);
            }
            InstKind::FNeg { value, .. } => self.compute(id, *value, inst),
            InstKind::Binary { op, lhs, rhs, .. } => self.arithmetic(m, sources, (id, func), inst, (*op, [*lhs, *rhs])),
            InstKind::Cast { op, value, .. } => self.cast(m, id, func, inst, *op, *value),
            InstKind::Alloca { elem_ty, count, .. } => self.take_stack(m, (id, at), inst, (*elem_ty, *count)),
            InstKind::Gep { elem_ty, base, indices, .. } => self.step(m, (id, func), inst, (*elem_ty, *base, indices)),
            InstKind::Load { ptr, .. } => self.load(m, id, func, inst, *ptr),
            InstKind::Store { value, ptr, .. } => self.store(m, id, func, inst, *value, *ptr),
            InstKind::AtomicRmw { ptr, value, .. } => {
                self.load(m, id, func, inst, *ptr);
                self.store(m, id, func, inst, *value, *ptr);
            }
            InstKind::CmpXchg { ptr, new, .. } => self.store(m, id, func, inst, *new, *ptr),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call(m, sources, id, func, at, call),
            InstKind::Ret(Some(value)) => self.give_back(m, (id, func), *value),
            InstKind::VaArg { .. } | InstKind::LandingPad { .. } => {
                let object = self.object(ObjKind::Opaque);
                self.result_points_to(id, inst, &Targets::from([(object, Place::ANY)]));
            }
            InstKind::Ret(None)
            | InstKind::Br(_)
            | InstKind::CondBr { .. }
            | InstKind::Switch { .. }
            | InstKind::IndirectBr { .. }
            | InstKind::Resume(_)
            | InstKind::Unreachable
            | InstKind::Fence(_)
            | InstKind::ICmp { .. }
            | InstKind::FCmp { .. } => {}
        }
    }

    /// Arithmetic on two operands: numbers, or integers derived from pointers.
    fn arithmetic(
        &mut self,
        m: &Module,
        sources: &Sources,
        (id, func): (FuncId, &Function),
        inst: &Inst,
        (op, [lhs, rhs]): (BinOp, [Operand; 2]),
    ) {
        let distance = (op == BinOp::Sub).then(|| self.difference(m, id, func, [lhs, rhs])).flatten();
        if let (Some(targets), Some(v)) = (&distance, inst.result) {
            self.point_to_all((id, v), &moved(targets, 0, 1));
        }
        for (operand, other) in [(lhs, rhs), (rhs, lhs)].into_iter().filter(|_| distance.is_none()) {
            if op.is_float() {
                self.compute(id, operand, inst);
            } else if let Some(v) = inst.result.filter(|_| !scales(op) || is_shift(m, op, [lhs, rhs])) {
                // An integer derived from a pointer points somewhere into the same objects.
                let targets = self.targets(m, id, operand);
                let tagged = self.tagged(m, sources, func, (op, operand, other), &targets);
                self.point_to_all((id, v), &tagged.unwrap_or_else(|| moved(&targets, 0, 1)));
            } else if let Some(v) = inst.result
                && is_bijection(m, op, [lhs, rhs])
                && !self.targets(m, id, operand).is_empty()
            {
                // It can be undone by another product: of that pointer nobody knows the shadow.
                self.lose((id, v));
            }
        }
        if !op.is_float() {
            self.flow_content(m, id, func, inst);
            self.flow_data(m, id, func, inst);
        }
    }

    /// Memory on the stack.
    fn take_stack(
        &mut self,
        m: &Module,
        (id, at): (FuncId, InstId),
        inst: &Inst,
        (elem_ty, count): (TypeId, Option<Operand>),
    ) {
        let object = self.object(ObjKind::Stack(id, at));
        let number = count.map_or(Some(1), |c| m.as_int(c).map(|n| n as u64));
        if let Some(number) = number {
            self.set_size(object, m.size_of(elem_ty).saturating_mul(number));
        }
        let targets = Targets::from([(object, Place::at(0))]);
        let stride = if count.is_some() { m.size_of(elem_ty) } else { 0 };
        // Characters in any number are a buffer, which may hold anything.
        if stride != 1 {
            self.seed_type(m, &moved(&targets, 0, stride), elem_ty);
        }
        self.result_points_to(id, inst, &targets);
    }

    /// A step within memory.
    fn step(
        &mut self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: &Inst,
        (elem_ty, base, indices): (TypeId, Operand, &[Operand]),
    ) {
        let targets = self.targets(m, id, base);
        if m.types.element_count(elem_ty).is_some() {
            // By a constant the pointer moves between elements, to the end of an array or from there: the lower
            // of the two is an element (C17 6.5.6, 8).
            let size = m.size_of(elem_ty);
            let (by, stride) = match m.as_int(indices[0]).map(|i| signed(m, indices[0], i)) {
                Some(constant) => (constant.min(0).wrapping_mul(size as i64), 0),
                None => (0, size),
            };
            self.seed_type(m, &moved(&targets, by, stride), elem_ty);
        }
        let step = gep_step_by(m, elem_ty, indices, |index| self.divisor(m, id, func, index));
        if !self.overlooks(Blind::MovedPointer) {
            let mut reached = step.reach_all(&targets);
            self.keep_in_texts(&targets, &mut reached);
            self.result_points_to(id, inst, &reached);
        }
    }

    /// What a function returns.
    fn give_back(&mut self, m: &Module, (id, func): (FuncId, &Function), value: Operand) {
        let targets = self.targets(m, id, value);
        let entry = self.ret_targets.entry(id).or_default();
        for (object, place) in targets {
            self.changed |= memory::add_target(entry, object, place);
        }
        let size = entry.len();
        self.note_size(Set::Returned(id), size);
        self.share_return(m, id, (id, func, value), true);
        if self.is_active(id, value) {
            self.changed |= self.ret_active.insert(id);
        }
        if self.has_active_bits(id, value) {
            self.changed |= self.ret_bits.insert(id);
        }
    }

    pub(super) fn result_points_to(&mut self, id: FuncId, inst: &Inst, targets: &Targets) {
        if let Some(v) = inst.result {
            self.point_to_all((id, v), targets);
        }
    }

    /// The result of `inst` may be `operand` (or a part of it, or hold it).
    pub(super) fn flow(&mut self, m: &Module, id: FuncId, operand: Operand, inst: &Inst) {
        let targets = self.targets(m, id, operand);
        self.result_points_to(id, inst, &targets);
    }

    /// Arithmetic.
    pub(super) fn compute(&mut self, id: FuncId, operand: Operand, inst: &Inst) {
        if !self.overlooks(Blind::ComputedActivity) {
            self.flow_active(id, operand, inst);
        }
    }

    pub(super) fn flow_active(&mut self, id: FuncId, operand: Operand, inst: &Inst) {
        if let Some(v) = inst.result
            && self.is_active(id, operand)
        {
            self.set_active((id, v));
        }
    }

    fn cast(&mut self, m: &Module, id: FuncId, func: &Function, inst: &Inst, op: CastOp, value: Operand) {
        match op {
            CastOp::FPExt | CastOp::FPTrunc if self.overlooks(Blind::ConvertedActivity) => {}
            CastOp::FPExt | CastOp::FPTrunc => self.flow_active(id, value, inst),
            CastOp::IntToPtr | CastOp::PtrToInt | CastOp::AddrSpaceCast => {
                let targets = self.targets(m, id, value);
                self.result_points_to(id, inst, &targets);
                // A number of which nobody here knows whose address it is, once all that is known has been found.
                let last = self.phase == Phase::Activity;
                if let (CastOp::IntToPtr, Some(v), true) = (op, inst.result, last && targets.is_empty()) {
                    match value.local() {
                        Some(_) => self.lose((id, v)),
                        None => self.lead_elsewhere((id, v)),
                    }
                }
            }
            // The same bytes or parts of them: what it points to survives.
            CastOp::BitCast | CastOp::Trunc | CastOp::ZExt | CastOp::SExt => {
                self.flow(m, id, value, inst);
                self.flow_content(m, id, func, inst);
                self.flow_data(m, id, func, inst);
            }
            CastOp::FPToUI | CastOp::FPToSI | CastOp::UIToFP | CastOp::SIToFP => {}
        }
    }

    /// Nobody here knows where the pointer leads.
    fn lead_elsewhere(&mut self, key: Key) {
        let object = self.object(ObjKind::Opaque);
        self.point_to(key, object, Place::ANY);
    }

    fn load(&mut self, m: &Module, id: FuncId, func: &Function, inst: &Inst, ptr: Operand) {
        let targets = self.targets(m, id, ptr);
        let Some(v) = inst.result else { return };
        let size = m.layout.store_size(&m.types, inst.ty);
        self.meet_memory(m, &targets, inst, (id, func, Operand::Local(v)));
        if m.types.is_ptr(inst.ty) {
            self.find_strings(m, func, inst, &targets);
        }
        if externals::holds_pointer(m, inst.ty) || carries(m, inst.ty) && size >= 8 {
            for offset in pointer_offsets(m, inst.ty) {
                let at = moved(&targets, offset as i64, 0);
                let pointers = if externals::holds_pointer(m, inst.ty) {
                    self.load_pointers(&at)
                } else {
                    self.carried_pointers(&at)
                };
                if !self.overlooks(Blind::LoadedPointer) {
                    self.point_to_all((id, v), &pointers);
                }
            }
            let elsewhere = |o: &ObjId| match self.objects[*o].kind {
                ObjKind::Global(g) => self.put_elsewhere.contains(&g),
                ObjKind::Opaque => true,
                _ => false,
            };
            let pointer = externals::holds_pointer(m, inst.ty);
            if pointer && targets.keys().any(elsewhere) {
                self.lead_elsewhere((id, v));
            }
            let lost = |facts: &Facts| {
                targets.keys().any(|o| facts.objects[*o].kind == ObjKind::Lost)
                    || facts.points_to(m, id, Operand::Local(v)).is_empty() && facts.is_made_of_numbers(&targets)
            };
            if pointer && self.phase == Phase::Activity && lost(self) {
                self.lose((id, v));
            }
        } else if may_be_piece(m, inst.ty) && self.phase >= Phase::Pieces {
            let pieces = self.load_pieces(m, func, inst, &targets);
            self.point_to_all((id, v), &pieces);
        }
        self.load_data(m, id, func, inst, &targets);
    }

    fn store(&mut self, m: &Module, id: FuncId, func: &Function, inst: &Inst, value: Operand, ptr: Operand) {
        let targets = self.targets(m, id, ptr);
        let ty = m.operand_ty(func, value);
        self.meet_memory(m, &targets, inst, (id, func, value));
        if m.types.is_ptr(ty) {
            self.find_strings(m, func, inst, &targets);
        }
        let stored = self.targets(m, id, value);
        if !stored.is_empty() && !m.types.is_ptr(ty) && is_address(func, value) {
            self.keep_address(&targets);
        }
        match stored.is_empty() {
            true => self.store_numbers(m, (func, value), &targets),
            false => self.store_pieces(m, (id, func, value), &targets, &stored),
        }
        let active = self.has_adjoint(m, id, func, value);
        let bits = self.has_active_bits(id, value) && m.types.float_kind(ty).is_none();
        if bits || self.content(id, value).iter().any(|s| s.cell.may_be_float()) {
            self.set_raw(&targets);
        }
        let mut floats = self.leaves(m, id, func, value);
        floats.retain(|span| span.cell.float().is_some());
        for (object, place) in &targets {
            self.set_written(*object);
            if bits && !self.objects[*object].bits {
                self.objects[*object].bits = true;
                self.changed = true;
            }
            let overlooked = self.overlooks(Blind::StoredPointer);
            for offset in if stored.is_empty() || overlooked { Vec::new() } else { pointer_offsets(m, ty) } {
                self.store_pointers(*object, place.moved(offset as i64, 0), &stored);
            }
            if active && !self.overlooks(Blind::StoredActivity) {
                self.set_varied(*object);
                let declared = |span: &Span| {
                    let at = place.start.saturating_add_unsigned(span.offset);
                    matches!(self.objects[*object].cell_at(at), Some((_, _, Cell::Int)))
                };
                if floats.iter().any(declared) {
                    self.leave_bits(*object);
                }
            }
        }
    }

    /// An address is kept as an integer: what is declared there says nothing of what it is (`uintptr_t`).
    fn keep_address(&mut self, targets: &Targets) {
        for (object, place) in targets {
            self.changed |= self.objects[*object].addresses.insert(*place);
        }
        if self.phase >= Phase::Copies {
            self.seed_cell(targets, Cell::Ptr, 8);
        }
    }

    pub(super) fn set_written(&mut self, object: ObjId) {
        self.writing.push(object);
        let object = &mut self.objects[object];
        self.changed |= !object.written;
        object.written = true;
    }

    /// Pointers known to be stored at `targets`, without naming new memory of the caller.
    pub(super) fn known_pointers(&self, targets: &Targets) -> Targets {
        let mut out = Targets::new();
        for (target, p) in self.stored_at(targets).flatten() {
            memory::add_target(&mut out, *target, *p);
        }
        out
    }

    /// The sets of pointers that are stored where `targets` lead.
    pub(super) fn stored_at(&self, targets: &Targets) -> impl Iterator<Item = &Targets> {
        targets.iter().flat_map(|(object, place)| {
            let there = self.objects[*object].pointers.iter().filter(|(at, _)| at.overlaps(8, *place, 8));
            there.map(|(_, stored)| stored)
        })
    }

    /// Pointers that an integer loaded from `targets` may carry. What is declared an integer is none because an index
    /// may lead there from a neighbour: as with types ([`crate::analysis::memory::object::Object::cell_at`]) a single
    /// datum counts before an array's.
    pub(super) fn carried_pointers(&self, targets: &Targets) -> Targets {
        let exact = |p: &Place| p.stride == 0 && p.extent() == 0;
        let mut out = Targets::new();
        for (object, place) in targets {
            let declared = exact(place) && self.objects[*object].cells.get(&(*place, 8)) == Some(&Cell::Int);
            for (at, stored) in &self.objects[*object].pointers {
                let kept = self.objects[*object].addresses.contains(at) || self.holds_pieces(*object, *place, 8);
                if at.overlaps(8, *place, 8) && (!declared || exact(at) || kept) {
                    for (target, p) in stored {
                        memory::add_target(&mut out, *target, *p);
                    }
                }
            }
        }
        out
    }

    pub(super) fn set_bits(&mut self, key: Key, from: u64) {
        if self.phase == Phase::Activity && self.bits.get(&key).is_none_or(|old| from < *old) {
            self.bits.insert(key, from);
            self.changed = true;
        }
    }

    /// Is the operand an integer computed from the bits of an active float?
    pub fn has_active_bits(&self, func: FuncId, operand: Operand) -> bool {
        self.active_bits_from(func, operand).is_some()
    }

    /// The first byte of an integer that is computed from the bits of an active float.
    pub fn active_bits_from(&self, func: FuncId, operand: Operand) -> Option<u64> {
        operand.local().and_then(|v| self.bits.get(&(func, v)).copied())
    }

    /// May the operand depend on active inputs?
    pub fn is_active(&self, func: FuncId, operand: Operand) -> bool {
        operand.local().is_some_and(|v| self.active.contains(&(func, v)))
    }
}

/// Is the result of this operation on an address no address any more?
fn scales(op: BinOp) -> bool {
    matches!(op, BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
}

/// Is it a product by an odd number other than one, which has an inverse modulo each power of two?
fn is_bijection(m: &Module, op: BinOp, operands: [Operand; 2]) -> bool {
    op == BinOp::Mul && operands.into_iter().any(|o| m.as_int(o).is_some_and(|n| n & 1 == 1 && n != 1))
}

/// The operands whose value the result may take or hold: not conditions, not indices.
fn data_operands(kind: &InstKind) -> Vec<Operand> {
    match kind {
        InstKind::Phi { incoming, .. } => incoming.iter().map(|(v, _)| *v).collect(),
        InstKind::Select { if_true, if_false, .. } => vec![*if_true, *if_false],
        InstKind::Freeze(v) => vec![*v],
        InstKind::ExtractElement { vector, .. } => vec![*vector],
        InstKind::InsertElement { vector, value, .. } => vec![*vector, *value],
        InstKind::ShuffleVector { a, b, .. } => vec![*a, *b],
        InstKind::ExtractValue { aggregate, .. } => vec![*aggregate],
        InstKind::InsertValue { aggregate, value, .. } => vec![*aggregate, *value],
        _ => Vec::new(),
    }
}

/// Where in a value of this type pointers may lie: in its pointers or, if it has none, in its integers.
fn pointer_offsets(m: &Module, ty: TypeId) -> Vec<u64> {
    let wanted = if externals::holds_pointer(m, ty) { externals::holds_pointer } else { carries };
    match m.types.get(ty) {
        Type::Ptr(_) => vec![0],
        Type::Int(_) => (0..m.size_of(ty).max(8) / 8).map(|i| 8 * i).collect(),
        _ => (0..m.types.element_count(ty).unwrap_or(0))
            .filter_map(|i| Some((m.types.element(ty, i)?, m.layout.element_offset(&m.types, ty, i)?)))
            .filter(|(elem, _)| wanted(m, *elem))
            .flat_map(|(elem, at)| pointer_offsets(m, elem).into_iter().map(move |o| at + o))
            .collect(),
    }
}

/// Can an integer (or vector of them) of this type carry a float or a pointer in disguise?
pub fn carries(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(m.types.scalar(ty)), Type::Int(bits) if *bits >= 16)
}
