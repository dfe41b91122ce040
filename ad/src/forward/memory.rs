//! Shadow memory in forward mode: made, read, written, moved and given back where primal memory is.

use super::Emitter;
use crate::analysis::copied_data::moved_data;
use crate::analysis::memory::object::{ObjKind, Object, Targets};
use crate::analysis::memory::query::PointerKind;
use crate::base::names;
use crate::emit::shadow_memory::{SCRATCH, shadow_align, times};
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::program::cell::Cell;
use crate::runtime::tape;
use ir::{BinOp, Call, Inst, InstId, InstKind, IntPred, Operand, Ordering, RmwOp, TypeId, ValueId};

impl Emitter<'_, '_> {
    /// The shadow of a stack allocation lies beside it, clear.
    pub(super) fn alloca(&mut self, data: &Inst, v: ValueId) -> Operand {
        if self.has_fault(Fault::SharedShadow) {
            return self.primal[&v];
        }
        let InstKind::Alloca { elem_ty, count, .. } = &data.kind else { return self.primal[&v] };
        let mut kind = data.kind.clone();
        kind.for_each_operand_mut(|o| *o = self.primal_of(*o));
        let shadow = self.b.value(kind, data.ty);
        let size = self.b.m.size_of(*elem_ty);
        let mut bytes = self.b.m.int(64, u128::from(size));
        if let Some(count) = count {
            let count = self.primal_of(*count);
            let count = self.b.as_i64(count);
            bytes = self.b.binary(BinOp::Mul, bytes, count);
        }
        if !self.has_fault(Fault::UninitialisedShadow) {
            tape::clear(&mut self.b, shadow, bytes);
        }
        shadow
    }

    /// Shadow memory of an allocation: another one of the same allocator, clear.
    pub(super) fn allocate(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &Call,
        (size, times): (usize, Option<usize>),
    ) -> Operand {
        let object = self.env.facts.site(ObjKind::Heap(self.id, inst));
        if let (Some(arena), true) = (self.arena, object.is_some_and(|o| self.env.pooled.contains(&o))) {
            let bytes = self.primal_of(call.args[size]);
            let bytes = self.b.as_i64(bytes);
            let alloc = tape::tape_zalloc(self.b.m);
            return self.b.call(alloc, vec![arena, bytes]).unwrap_or(arena);
        }
        let mut kind = data.kind.clone();
        kind.for_each_operand_mut(|o| *o = self.primal_of(*o));
        let shadow = self.b.value(kind, data.ty);
        // `calloc` clears by itself.
        if times.is_none() && !self.has_fault(Fault::UninitialisedShadow) {
            let bytes = self.primal_of(call.args[size]);
            let bytes = self.b.as_i64(bytes);
            tape::clear(&mut self.b, shadow, bytes);
        }
        shadow
    }

    /// Is the shadow in this direction the memory itself, because that is constant?
    pub(super) fn is_constant(&mut self, ptr: Operand, d: usize) -> Operand {
        let (primal, shadow) = (self.primal_of(ptr), self.dual(ptr, d));
        self.b.icmp(IntPred::Eq, shadow, primal)
    }

    /// The arena of the root, empty.
    pub(super) fn open_arena(&mut self) {
        if self.env.pooled.is_empty() {
            return;
        }
        let (ptr, i8t) = (self.b.m.types.ptr(), self.b.m.types.int(8));
        let elem_ty = self.b.m.types.array(tape::TAPE_SIZE, i8t);
        let kind = InstKind::Alloca { elem_ty, count: None, align: 8, addr_space: 0, inalloca: false };
        let arena = self.b.value(kind, ptr);
        let zero = self.b.m.zero(elem_ty);
        self.b.store(zero, arena, 8);
        self.arena = Some(arena);
    }

    /// Where the root returns, its arena goes as a whole.
    pub(super) fn close_arena(&mut self) {
        if let (true, Some(arena)) = (self.root, self.arena) {
            let free = tape::tape_free(self.b.m);
            self.b.call(free, vec![arena]);
        }
    }

    /// Gives shadow memory back.
    pub(super) fn free(&mut self, inst: InstId, data: &Inst, call: &Call, block: usize) -> Result<(), Diagnostic> {
        let ptr = call.args[block];
        let kind = self.cx().pointer_kind(ptr);
        if kind == PointerKind::Constant || self.has_fault(Fault::Leak) {
            return Ok(());
        }
        // What has no shadow gives none back.
        let mut targets = self.cx().targets(ptr);
        targets.retain(|object, _| self.env.facts.is_shadowed(*object));
        match targets.keys().filter(|o| self.env.pooled.contains(o)).count() {
            0 => {}
            n if n == targets.len() => return Ok(()),
            _ => {
                let message = "this gives back memory of an allocator of the program's own, or other memory";
                return self.unsupported(inst, message);
            }
        }
        for d in self.directions() {
            let mut shadow = self.dual(ptr, d);
            if kind == PointerKind::Mixed {
                let constant = self.is_constant(ptr, d);
                let ty = self.b.ty(shadow);
                let null = self.b.m.zero(ty);
                shadow = self.b.select(constant, null, shadow);
            }
            let mut kind = data.kind.clone();
            kind.for_each_operand_mut(|o| *o = if *o == ptr { shadow } else { self.primal_of(*o) });
            // What holds of the primal's address need not hold of the shadow's: that may be null here.
            if let Some(attrs) = kind.as_call_mut().and_then(|call| call.arg_attrs.get_mut(block)) {
                *attrs = Default::default();
            }
            self.b.push(kind, data.ty);
        }
        Ok(())
    }

    /// What lies in the shadow where the primal loads.
    pub(super) fn load(&mut self, ty: TypeId, v: ValueId, ptr: Operand, align: u64, d: usize) -> Operand {
        let kind = self.cx().pointer_kind(ptr);
        if kind == PointerKind::Constant {
            return self.constant_dual(Operand::Local(v));
        }
        let shadow = self.dual(ptr, d);
        let dual = self.b.load(ty, shadow, align);
        if kind == PointerKind::Duplicated {
            return dual;
        }
        let constant = self.is_constant(ptr, d);
        self.without_tangent(constant, dual, Operand::Local(v))
    }

    /// The dual of what is stored goes to the shadow.
    pub(super) fn store(&mut self, inst: InstId, value: Operand, ptr: Operand, align: u64) -> Result<(), Diagnostic> {
        let kind = self.cx().pointer_kind(ptr);
        if kind == PointerKind::Constant {
            return Ok(());
        }
        let mut blank = false;
        let piece = !self.cx().stored_pieces(inst).is_empty();
        let colour = self.cx().facts.colours(self.cx().m, (self.id, self.func), inst);
        if !self.has_dual(value) && !piece && !colour {
            let stored = self.cx().stored(&self.func.insts[inst]);
            blank = !self.cx().blank_bytes(inst).is_empty();
            if stored.iter().all(|s| s.cell == Cell::Int) && !blank || self.has_fault(Fault::StaleShadow) {
                return Ok(());
            }
            if value.local().is_some() && stored.iter().any(|s| s.cell == Cell::Conflict) {
                return self.unsupported(inst, "a store to memory that holds floats and other data at the same place");
            }
        }
        let ty = self.cx().ty(value);
        let size = self.b.m.size_of(ty);
        let align = shadow_align(align);
        for d in self.directions() {
            let dual = match (blank, colour) {
                (true, _) => self.b.m.zero(ty),
                (false, true) => self.primal_of(value),
                (false, false) => self.dual(value, d),
            };
            let to = self.destination(inst, ptr, kind, size, d)?;
            self.b.store(dual, to, align);
        }
        Ok(())
    }

    /// `r = *p; *p = r op x`, on the shadow.
    pub(super) fn update(
        &mut self,
        inst: InstId,
        op: RmwOp,
        value: Operand,
        (ptr, align): (Operand, u64),
    ) -> Result<(), Diagnostic> {
        let kind = self.cx().pointer_kind(ptr);
        let stored = self.cx().stored(&self.func.insts[inst]);
        let piece = !self.cx().stored_pieces(inst).is_empty();
        let plain = |v: ValueId| {
            let either = [value, Operand::Local(v)].into_iter().any(|o| self.has_dual(o));
            !either && !piece && stored.iter().all(|s| s.cell == Cell::Int)
        };
        let counts = |v: &ValueId| kind != PointerKind::Constant && !plain(*v);
        let Some(v) = self.func.insts[inst].result.filter(counts) else {
            return Ok(());
        };
        // What is added to has its tangent, which other threads may be adding to.
        let sum = matches!(op, RmwOp::FAdd | RmwOp::FSub);
        if sum && !self.has_dual(value) && !self.func.is_used(v) {
            return Ok(());
        }
        let ty = self.cx().ty(value);
        let (size, align) = (self.b.m.size_of(ty), shadow_align(align));
        let mut duals = Vec::new();
        for d in self.directions() {
            let to = self.destination(inst, ptr, kind, size, d)?;
            let before = match op {
                // Other threads may do so at the same time. Where it matters what was there, only one does
                // ([`crate::normalise::atomics`]).
                RmwOp::FAdd | RmwOp::FSub if self.has_dual(value) => {
                    let (value, volatile, scope) = (self.dual(value, d), false, String::new());
                    let ordering = Ordering::Monotonic;
                    let kind = InstKind::AtomicRmw { op, ptr: to, value, align, volatile, ordering, scope };
                    self.b.value(kind, ty)
                }
                RmwOp::FAdd | RmwOp::FSub => self.b.load(ty, to, align),
                RmwOp::Xchg => {
                    let (before, dual) = (self.b.load(ty, to, align), self.dual(value, d));
                    self.b.store(dual, to, align);
                    before
                }
                _ => {
                    let message = "an atomic update of an active value other than a sum or an exchange";
                    return self.unsupported(inst, message);
                }
            };
            let before = match kind {
                PointerKind::Mixed => {
                    let constant = self.is_constant(ptr, d);
                    self.without_tangent(constant, before, Operand::Local(v))
                }
                PointerKind::Constant | PointerKind::Duplicated => before,
            };
            duals.push(before);
        }
        self.duals.insert(v, duals);
        Ok(())
    }

    /// Where shadow data goes: scratch memory if the pointer turns out constant.
    pub(super) fn destination(
        &mut self,
        inst: InstId,
        ptr: Operand,
        kind: PointerKind,
        size: u64,
        d: usize,
    ) -> Result<Operand, Diagnostic> {
        let shadow = self.dual(ptr, d);
        if kind != PointerKind::Mixed {
            return Ok(shadow);
        }
        if size > SCRATCH {
            return self.unsupported(inst, "a large object that may or may not be constant");
        }
        let scratch = self.scratch();
        let constant = self.is_constant(ptr, d);
        Ok(self.b.select(constant, scratch, shadow))
    }

    /// Memory that nobody reads.
    fn scratch(&mut self) -> Operand {
        if let Some(scratch) = self.scratch {
            return scratch;
        }
        let (ptr, i8t) = (self.b.m.types.ptr(), self.b.m.types.int(8));
        let elem_ty = self.b.m.types.array(SCRATCH, i8t);
        let kind = InstKind::Alloca { elem_ty, count: None, align: 16, addr_space: 0, inalloca: false };
        let id = self.b.f.create_inst(Inst::new(kind, ptr), true);
        let entry = self.b.f.entry();
        self.b.f.blocks[entry].insts.insert(0, id);
        let scratch = self.b.result(id);
        self.scratch = Some(scratch);
        scratch
    }

    /// A copy of memory is a copy of its shadow; what comes from constant memory has no tangent.
    pub(super) fn copy(&mut self, inst: InstId, data: &Inst, call: &Call) -> Result<(), Diagnostic> {
        let [to, from, length] = [call.args[0], call.args[1], call.args[2]];
        let [to_kind, from_kind] = [to, from].map(|p| self.cx().pointer_kind(p));
        if to_kind == PointerKind::Constant || self.only_integers(to) && self.only_integers(from) {
            return Ok(());
        }
        for d in self.directions() {
            let (to_shadow, from_shadow) = (self.dual(to, d), self.dual(from, d));
            let mut bytes = self.primal_of(length);
            let zero = self.zero_of(bytes);
            let constant = (to_kind == PointerKind::Mixed).then(|| self.is_constant(to, d));
            if let Some(constant) = constant {
                bytes = self.b.select(constant, zero, bytes);
            }
            self.again(data, call, [to_shadow, from_shadow, bytes]);
            if from_kind == PointerKind::Duplicated {
                continue;
            }
            let moved = moved_data(&self.cx(), inst, &[to, from], length)?;
            let inactive = (from_kind == PointerKind::Mixed).then(|| self.is_constant(from, d));
            for run in &moved.runs {
                let Cell::Float(kind) = run.cell else {
                    if run.cell == Cell::Either {
                        return self.unsupported(
                            inst,
                            "what may be a pointer or a float is copied from memory that may be constant",
                        );
                    }
                    continue;
                };
                let (mut count, stride) = times(&mut self.b, &moved, run, bytes);
                let zero = self.b.m.int(64, 0);
                if let Some(constant) = constant {
                    count = self.b.select(constant, zero, count);
                }
                if let Some(inactive) = inactive {
                    count = self.b.select(inactive, count, zero);
                }
                let at = self.b.offset(to_shadow, run.offset);
                let stride = self.b.m.int(64, u128::from(stride));
                let clear = tape::clear_floats(self.b.m, kind);
                self.b.call(clear, vec![at, count, stride]);
            }
        }
        Ok(())
    }

    /// A fill gives floats a zero tangent, and pointers a shadow filled alike (with null).
    pub(super) fn set(&mut self, inst: InstId, data: &Inst, call: &Call) -> Result<(), Diagnostic> {
        let [to, byte, length] = [call.args[0], call.args[1], call.args[2]];
        let kind = self.cx().pointer_kind(to);
        if kind == PointerKind::Constant || self.only_integers(to) || self.has_fault(Fault::StaleShadow) {
            return Ok(());
        }
        if self.b.m.as_int(byte) != Some(0) {
            let moved = moved_data(&self.cx(), inst, &[to], length)?;
            if moved.runs.iter().any(|run| run.cell == Cell::Ptr) {
                return self.unsupported(inst, "pointers filled with a byte other than zero");
            }
        }
        for d in self.directions() {
            let mut bytes = self.primal_of(length);
            if kind == PointerKind::Mixed {
                let constant = self.is_constant(to, d);
                let zero = self.zero_of(bytes);
                bytes = self.b.select(constant, zero, bytes);
            }
            let zero = {
                let ty = self.cx().ty(byte);
                self.b.m.zero(ty)
            };
            let shadow = self.dual(to, d);
            self.again(data, call, [shadow, zero, bytes]);
        }
        Ok(())
    }

    fn zero_of(&mut self, like: Operand) -> Operand {
        let ty = self.b.ty(like);
        self.b.m.zero(ty)
    }

    /// The same call with other first arguments.
    fn again(&mut self, data: &Inst, call: &Call, first: [Operand; 3]) {
        let rest: Vec<Operand> = call.args.iter().skip(first.len()).map(|a| self.primal_of(*a)).collect();
        let mut kind = data.kind.clone();
        if let Some(call) = kind.as_call_mut() {
            call.args = first.into_iter().chain(rest).collect();
        }
        self.b.push(kind, data.ty);
    }

    /// Does nothing but integers lie behind the pointer, as far as anything is known of it?
    fn only_integers(&self, ptr: Operand) -> bool {
        let targets: Targets = self.cx().targets(ptr);
        let integers = |object: &Object| {
            !object.cells.is_empty() && object.pointers.is_empty() && object.cells.values().all(|c| *c == Cell::Int)
        };
        !targets.is_empty() && targets.keys().all(|o| integers(&self.env.facts.objects[*o]))
    }

    /// The function's own copies of structures passed by value, with their shadows.
    pub(super) fn own_copies(&mut self) {
        let original = &self.b.m.functions[self.id];
        let by_value: Vec<_> = original.params.iter().map(|p| p.attrs.ty("byval")).collect();
        for (param, ty) in self.func.params.iter().zip(by_value) {
            let Some(ty) = ty else { continue };
            let primal = self.primal[&param.value];
            let copy = self.copied(primal, ty);
            self.primal.insert(param.value, copy);
            if let Some(duals) = self.duals.get(&param.value).cloned() {
                let copies = duals.into_iter().map(|dual| self.copied(dual, ty)).collect();
                self.duals.insert(param.value, copies);
            }
        }
    }

    fn copied(&mut self, from: Operand, ty: TypeId) -> Operand {
        let (ptr, align) = (self.b.m.types.ptr(), self.b.align(ty).max(16));
        let kind = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
        let copy = self.b.value(kind, ptr);
        let size = u128::from(self.b.m.size_of(ty));
        let (bytes, plain) = (self.b.m.int(64, size), self.b.m.int(1, 0));
        let memcpy = names::memcpy_intrinsic(self.b.m);
        self.b.call(memcpy, vec![copy, from, bytes, plain]);
        copy
    }
}
