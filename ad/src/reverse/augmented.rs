//! The forward pass: the primal, its shadow pointers, and what goes on the tape.

use crate::analysis::context::Item;
use crate::analysis::copied_data::TURNS;
use crate::analysis::memory::query::PointerKind;
use crate::emit::shadow_memory::{SCRATCH, is_data};
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::plan::data::Field;
use crate::program::cell::Cell;
use crate::program::externals::{self};
use crate::reverse::{Emitter, packed, pieces};
use crate::runtime::tape;
use ir::{BinOp, BlockId, Call, Inst, InstId, InstKind, Operand, Role, Type, TypeId, ValueId};

/// A phi to be completed when all blocks are emitted.
struct Pending {
    primal: InstId,
    clone: InstId,
    shadow: bool,
}

impl Emitter<'_, '_> {
    /// Emits the forward pass; the cursor is left where the function would return.
    pub(super) fn forward(&mut self) -> Result<(), Diagnostic> {
        let order: Vec<BlockId> = self.shape.cfg.rpo().to_vec();
        for block in &order {
            let clone = match *block == self.func.entry() {
                true => self.b.at,
                false => self.b.f.add_block(&format!("f.{}", self.func.blocks[*block].name)),
            };
            self.blocks.insert(*block, clone);
        }
        self.make_exits();
        for param in &self.func.params {
            self.b.origin = None;
            self.record(Item::Primal(param.value));
            self.record(Item::Shadow(param.value));
        }
        self.begin_checkpoints();
        let mut pending = Vec::new();
        for block in &order {
            self.b.at = self.blocks[block];
            self.copied = *block;
            self.forward_block(*block, &mut pending)?;
            self.fill_exits(*block);
        }
        for phi in pending {
            self.complete_phi(&phi);
        }
        self.b.at = self.blocks[&self.plan.exit];
        Ok(())
    }

    fn forward_block(&mut self, block: BlockId, pending: &mut Vec<Pending>) -> Result<(), Diagnostic> {
        let insts = self.func.blocks[block].insts.clone();
        let (phis, rest): (Vec<InstId>, Vec<InstId>) =
            insts.into_iter().partition(|i| matches!(self.func.insts[*i].kind, InstKind::Phi { .. }));
        for phi in &phis {
            self.begin_phi(*phi, pending);
        }
        if self.plan.returning.contains(&block) {
            if let Some(first) = rest.first() {
                self.stand_for(*first, Role::Push);
            }
            self.record_control(block);
        }
        for phi in phis {
            self.stand_for(phi, Role::Push);
            if let Some(v) = self.func.insts[phi].result {
                self.record(Item::Primal(v));
                self.record(Item::Shadow(v));
            }
        }
        self.keep_checkpoint(block)?;
        let end = rest.last().copied();
        for inst in rest {
            if Some(inst) == end {
                self.stand_for(inst, Role::Push);
                self.allocate_arrays(block);
            }
            self.forward_inst(inst)?;
        }
        Ok(())
    }

    fn begin_phi(&mut self, inst: InstId, pending: &mut Vec<Pending>) {
        let data = &self.func.insts[inst];
        let (InstKind::Phi { fast, .. }, Some(v)) = (&data.kind, data.result) else { return };
        let empty = InstKind::Phi { fast: *fast, incoming: Vec::new() };
        let ty = data.ty;
        self.stand_for(inst, Role::Clone);
        let clone = self.b.push(empty.clone(), ty);
        self.primal.insert(v, self.b.result(clone));
        pending.push(Pending { primal: inst, clone, shadow: false });
        if self.cx().has_shadow(Operand::Local(v)) {
            self.role(Role::Shadow);
            let clone = self.b.push(empty, ty);
            self.shadow.insert(v, self.b.result(clone));
            pending.push(Pending { primal: inst, clone, shadow: true });
        }
    }

    fn complete_phi(&mut self, phi: &Pending) {
        let InstKind::Phi { incoming, .. } = self.func.insts[phi.primal].kind.clone() else { return };
        let Some(block) = self.shape.block(phi.primal) else { return };
        let mut filled: Vec<(Operand, BlockId)> = Vec::new();
        for (value, pred) in incoming {
            let value = if phi.shadow { self.shadow_of(value) } else { self.primal_of(value) };
            filled.push((value, self.comes_from(pred, block)));
        }
        if let InstKind::Phi { incoming, .. } = &mut self.b.f.insts[phi.clone].kind {
            *incoming = filled;
        }
    }

    /// The value in the forward pass.
    pub(super) fn primal_of(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Local(v) => self.primal[&v],
            constant => constant,
        }
    }

    /// The shadow in the forward pass: of a constant pointer the pointer itself.
    pub(super) fn shadow_of(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Local(v) if self.cx().has_shadow(operand) => self.shadow[&v],
            Operand::Local(_) if self.env.facts.may_turn(self.id, operand) => {
                let ty = self.cx().ty(operand);
                self.b.m.zero(ty)
            }
            Operand::Local(v) => self.primal[&v],
            Operand::Const(c) => self.constant_shadow(c),
        }
    }

    /// Puts an item that has just come into being on the tape, if the plan says so.
    pub(super) fn record(&mut self, item: Item) {
        let Some(places) = self.stores.get(&item).cloned() else { return };
        let value = match item {
            Item::Primal(v) => self.primal.get(&v).copied(),
            Item::Shadow(v) => Some(self.shadow_of(Operand::Local(v))),
            Item::Record(i) => self.call_records.get(&i).copied(),
        };
        if self.has_fault(Fault::UnwrittenCache) && matches!(item, Item::Primal(_)) {
            return;
        }
        for wanted in places {
            if let Some(value) = value {
                self.write(wanted.region, Field::Value(item), value);
            }
        }
    }

    fn forward_inst(&mut self, inst: InstId) -> Result<(), Diagnostic> {
        self.stand_for(inst, Role::Clone);
        self.guard(inst);
        self.save_overwritten(inst);
        let data = self.func.insts[inst].clone();
        match &data.kind {
            InstKind::Ret(value) => self.forward_return(*value),
            InstKind::Call(call) => self.forward_call(inst, call)?,
            _ => {
                if !self.keep_stack(inst) {
                    self.clone_inst(&data);
                }
                self.role(Role::Shadow);
                self.forward_shadow(inst, &data)?;
            }
        }
        self.role(Role::Push);
        if let Some(v) = data.result {
            self.record(Item::Primal(v));
            self.record(Item::Shadow(v));
        }
        Ok(())
    }

    /// Copies an instruction of the primal, with operands and successors of the forward pass.
    pub(super) fn clone_inst(&mut self, data: &Inst) -> Option<Operand> {
        let mut kind = data.kind.clone();
        kind.for_each_operand_mut(|o| {
            if let Operand::Local(v) = o {
                *o = self.primal[v];
            }
        });
        let from = self.copied;
        kind.map_successors(|b| self.exits.get(&(from, b)).copied().unwrap_or_else(|| self.blocks[&b]));
        let id = self.b.push(kind, data.ty);
        self.b.f.insts[id].metadata = data.metadata.clone();
        if matches!(data.kind, InstKind::Load { .. } | InstKind::Store { .. }) {
            self.primal_accesses.insert(id);
        }
        let result = self.b.f.insts[id].result.map(Operand::Local);
        if let (Some(v), Some(clone)) = (data.result, result) {
            self.primal.insert(v, clone);
        }
        result
    }

    fn forward_return(&mut self, value: Option<Operand>) {
        if self.combined {
            // The reverse pass follows.
            if let (Some(slot), Some(value)) = (self.result_slot, value) {
                let value = self.primal_of(value);
                let align = self.b.align(self.b.ty(value));
                self.b.store(value, slot, align);
            }
            return;
        }
        let returns_shadow = self.env.facts.returns_shadow(self.id);
        let ty = self.b.f.ret;
        if matches!(self.b.m.types.get(ty), Type::Void) {
            return self.b.effect(InstKind::Ret(None));
        }
        let poison = self.b.m.constant(ty, ir::ConstKind::Poison);
        let (mut result, mut n) = (poison, 0);
        if let Some(value) = value {
            let primal = self.primal_of(value);
            result = self.b.insert(result, primal, n);
            n += 1;
            if returns_shadow {
                let shadow = self.shadow_of(value);
                result = self.b.insert(result, shadow, n);
                n += 1;
            }
        }
        if !self.root {
            let record = self.records[&None];
            result = self.b.insert(result, record, n);
        }
        self.b.effect(InstKind::Ret(Some(result)));
    }

    /// The shadow of an instruction's result, and the shadow of its effect on memory.
    fn forward_shadow(&mut self, inst: InstId, data: &Inst) -> Result<(), Diagnostic> {
        if let InstKind::Store { value, ptr, align, .. } = data.kind {
            return self.forward_store(inst, value, ptr, align);
        }
        let Some(v) = data.result else { return Ok(()) };
        if self.has_fault(Fault::PrimalCorruption)
            && let InstKind::Load { ptr, align, .. } = data.kind
            && self.cx().has_adjoint(Operand::Local(v))
            && self.b.m.types.float_kind(data.ty).is_some()
        {
            let (value, at) = (self.primal[&v], self.primal_of(ptr));
            let double = self.b.binary(BinOp::FAdd, value, value);
            self.b.store(double, at, align);
        }
        if !self.cx().has_shadow(Operand::Local(v)) {
            return Ok(());
        }
        let shadow = match &data.kind {
            InstKind::Alloca { elem_ty, count, align, .. } => self.shadow_alloca(inst, v, *elem_ty, *count, *align),
            InstKind::Load { .. }
            | InstKind::Gep { .. }
            | InstKind::Cast { .. }
            | InstKind::Select { .. }
            | InstKind::Freeze(_)
            | InstKind::Binary { .. }
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. }
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. } => self.mirror(data),
            _ => {
                return self
                    .unsupported(inst, "a pointer to active memory comes from an instruction that has no shadow");
            }
        };
        if let Some(text) = self.env.facts.text_of_variable(self.b.m, (self.id, self.func), inst) {
            tape::guard_variable(&mut self.b, [self.primal[&v], shadow], &text);
        }
        self.shadow.insert(v, shadow);
        Ok(())
    }

    /// The same instruction on shadows: pointers are mapped, conditions and indices are not.
    fn mirror(&mut self, data: &Inst) -> Operand {
        let mut kind = pieces::without_promises(data);
        let mut operands = kind.operands();
        for (position, operand) in operands.iter_mut().enumerate() {
            *operand = if is_data(&data.kind, position) { self.shadow_of(*operand) } else { self.primal_of(*operand) };
        }
        let mut mapped = operands.into_iter();
        kind.for_each_operand_mut(|o| {
            if let Some(new) = mapped.next() {
                *o = new;
            }
        });
        self.b.value(kind, data.ty)
    }

    /// Shadow memory of a stack allocation: on the stack beside it in a combined gradient, else on the tape,
    /// because it must outlive the forward pass.
    fn shadow_alloca(&mut self, inst: InstId, v: ValueId, elem: TypeId, count: Option<Operand>, align: u64) -> Operand {
        if self.has_fault(Fault::SharedShadow) {
            return self.primal[&v];
        }
        let entry = self.shape.block(inst) == Some(self.func.entry());
        let size = self.b.m.size_of(elem);
        if self.combined && entry && count.is_none() {
            let slot = self.stack(elem, align.max(1));
            if !self.has_fault(Fault::UninitialisedShadow) {
                let bytes = self.b.m.int(64, u128::from(size));
                tape::clear(&mut self.b, slot, bytes);
            }
            return slot;
        }
        let bytes = self.stack_bytes(elem, count);
        self.shadow_memory(bytes, align)
    }

    /// Uninitialised memory on the tape in the place of stack memory.
    pub(super) fn stack_on_tape(&mut self, elem: TypeId, count: Option<Operand>, align: u64) -> Operand {
        let bytes = self.stack_bytes(elem, count);
        let tape = self.tape;
        self.aligned(bytes, align, |e, bytes| {
            let alloc = tape::tape_alloc(e.b.m);
            e.b.call(alloc, vec![tape, bytes]).unwrap_or(tape)
        })
    }

    /// Bytes of stack memory.
    fn stack_bytes(&mut self, elem: TypeId, count: Option<Operand>) -> Operand {
        let size = self.b.m.size_of(elem);
        let mut bytes = self.b.m.int(64, u128::from(size));
        if let Some(count) = count {
            let i64t = self.b.m.types.int(64);
            let count = self.primal_of(count);
            let wide = matches!(self.b.m.types.get(self.b.ty(count)), Type::Int(64));
            let count = if wide { count } else { self.b.cast(ir::CastOp::ZExt, count, i64t) };
            bytes = self.b.binary(BinOp::Mul, bytes, count);
        }
        bytes
    }

    /// Zeroed shadow memory on the tape, aligned as the primal memory is.
    pub(super) fn shadow_memory(&mut self, bytes: Operand, align: u64) -> Operand {
        self.aligned(bytes, align, Self::tape_memory)
    }

    /// Memory on the tape with an alignment that the tape may not have.
    fn aligned(&mut self, bytes: Operand, align: u64, memory: impl FnOnce(&mut Self, Operand) -> Operand) -> Operand {
        if align <= tape::TAPE_ALIGN {
            return memory(self, bytes);
        }
        let i64t = self.b.m.types.int(64);
        let extra = self.b.m.int(64, u128::from(align));
        let bytes = self.b.binary(BinOp::Add, bytes, extra);
        let memory = memory(self, bytes);
        let address = self.b.cast(ir::CastOp::PtrToInt, memory, i64t);
        let (zero, mask) = (self.b.m.int(64, 0), self.b.m.int(64, u128::from(align - 1)));
        let negative = self.b.binary(BinOp::Sub, zero, address);
        let padding = self.b.binary(BinOp::And, negative, mask);
        self.b.offset_by(memory, padding)
    }

    fn tape_memory(&mut self, bytes: Operand) -> Operand {
        let alloc = if self.has_fault(Fault::UninitialisedShadow) {
            tape::tape_alloc(self.b.m)
        } else {
            tape::tape_zalloc(self.b.m)
        };
        let tape = self.tape;
        self.b.call(alloc, vec![tape, bytes]).unwrap_or(tape)
    }

    fn forward_store(&mut self, inst: InstId, value: Operand, ptr: Operand, align: u64) -> Result<(), Diagnostic> {
        let cx = self.cx();
        let kind = cx.pointer_kind(ptr);
        if kind == PointerKind::Constant {
            return Ok(());
        }
        let ty = cx.ty(value);
        if cx.facts.colours(cx.m, (self.id, self.func), inst) {
            let size = cx.m.size_of(ty);
            let Some(to) = self.forward_destination(inst, ptr, kind, size)? else { return Ok(()) };
            self.save_shadow(ptr, to, size);
            let colour = self.primal_of(value);
            self.b.store(colour, to, align);
            return Ok(());
        }
        let stored = cx.stored(&self.func.insts[inst]);
        let mut turning = Vec::new();
        for datum in &stored {
            turning.push(datum.cell == Cell::Either || self.clears_other(inst, ptr, datum)?);
        }
        let pointers = stored.iter().any(|s| s.cell.may_be_pointer());
        if !pointers && (self.store_piece(inst, (value, ptr), align, kind)? || !turning.contains(&true)) {
            return Ok(());
        }
        if turning.contains(&true) && !self.cx().own_shadows(&[ptr]) {
            return self.unsupported(inst, TURNS);
        }
        let size = self.b.m.size_of(ty);
        let Some(to) = self.forward_destination(inst, ptr, kind, size)? else { return Ok(()) };
        // A constant that is no pointer has the shadow of a float.
        let shadow = match value {
            Operand::Const(_) if !externals::holds_pointer(self.b.m, ty) => self.b.m.zero(ty),
            _ => self.shadow_of(value),
        };
        if self.saves(ptr) && (turning.contains(&true) || kind == PointerKind::Mixed) {
            return self.unsupported(inst, crate::reverse::undo_log::TURNS);
        }
        if stored.iter().all(|s| s.cell.may_be_pointer()) {
            self.save_shadow(ptr, to, size);
            self.b.store(shadow, to, align);
            return Ok(());
        }
        let words = self.words(ty, shadow);
        for (span, turning) in stored.iter().zip(turning) {
            let word = match (span.cell.may_be_pointer(), turning) {
                (true, _) => words.iter().find(|(at, _)| *at == span.offset).map(|(_, word)| *word),
                // A float has come to where a pointer may have been.
                (false, true) => Some(self.b.m.int(8 * span.size as u32, 0)),
                (false, false) => continue,
            };
            let Some(word) = word else {
                return self.unsupported(inst, "an integer that carries pointers beside floats");
            };
            let to = self.b.offset(to, span.offset);
            self.save_shadow(ptr, to, span.size);
            self.b.store(word, to, packed::part_align(align, span.offset));
        }
        Ok(())
    }

    /// Where shadow data goes in the forward pass; scratch memory if the pointer turns out constant.
    pub(super) fn forward_destination(
        &mut self,
        inst: InstId,
        ptr: Operand,
        kind: PointerKind,
        size: u64,
    ) -> Result<Option<Operand>, Diagnostic> {
        let shadow = self.shadow_of(ptr);
        match kind {
            PointerKind::Constant => Ok(None),
            PointerKind::Duplicated => Ok(Some(shadow)),
            PointerKind::Mixed if size > SCRATCH => {
                self.unsupported(inst, "a large object that may or may not be constant")
            }
            PointerKind::Mixed => {
                let primal = self.primal_of(ptr);
                let scratch = self.scratch();
                let constant = self.b.icmp(ir::IntPred::Eq, shadow, primal);
                Ok(Some(self.b.select(constant, scratch, shadow)))
            }
        }
    }

    /// Joins the shadows of nodes as the nodes were joined.
    pub(super) fn forward_links(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let cx = self.cx();
        let kinds = call.args.iter().filter(|a| cx.m.types.is_ptr(cx.ty(**a))).map(|a| cx.pointer_kind(*a));
        let kinds: Vec<PointerKind> = kinds.collect();
        if kinds.iter().all(|k| *k == PointerKind::Constant) {
            return Ok(());
        }
        let callee = cx.m.as_function(call.callee);
        let (Some(callee), true) = (callee, kinds.iter().all(|k| *k == PointerKind::Duplicated)) else {
            return self.unsupported(inst, "nodes of a container of which some may be constant");
        };
        let args = call.args.iter().map(|a| self.shadow_of(*a)).collect();
        let result = self.b.call(callee, args);
        if let (Some(v), Some(result)) = (self.func.insts[inst].result, result) {
            self.shadow.insert(v, result);
        }
        Ok(())
    }
}
