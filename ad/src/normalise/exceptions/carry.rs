//! What is done with an exception within a function: it is held, told apart, seen, and goes on.

use super::body::{At, Body, Exception};
use super::types::Taken;
use crate::base::blocks;
use crate::base::builder::plain_call;
use crate::runtime::refuse;
use ir::{BinOp, BlockId, FastMath, FuncId, GepFlags, InstId, InstKind, IntFlags, IntPred, Operand, TypeId};

impl Body<'_> {
    pub(super) fn prepare(&mut self) {
        for block in self.func.layout.clone() {
            let insts = self.func.blocks[block].insts.clone();
            let is_pad = |inst: &&InstId| matches!(self.func.insts[**inst].kind, InstKind::LandingPad { .. });
            if let Some(pad) = insts.iter().find(is_pad) {
                let phis = self.phis(At { block, index: 0, like: *pad });
                self.pads.insert(block, phis);
            }
        }
        let entry = self.func.entry();
        let mut at = At { block: entry, index: 0, like: self.func.blocks[entry].insts[0] };
        self.landed = self.slots(&mut at);
        self.called = self.slots_in_a_row(&mut at);
        for _ in 0..self.depths.values().max().map_or(0, |deepest| deepest + 1) {
            let slots = self.slots(&mut at);
            self.handled.push(slots);
        }
    }

    /// Phis of what comes from nowhere yet.
    pub(super) fn phis(&mut self, mut at: At) -> Vec<InstId> {
        let ptr = self.m.types.ptr();
        let none = || InstKind::Phi { fast: FastMath::default(), incoming: Vec::new() };
        self.plan.thrown.iter().map(|_| self.put(&mut at, none(), ptr)).collect()
    }

    /// Memory for an exception.
    pub(super) fn slots(&mut self, at: &mut At) -> Exception {
        let ptr = self.m.types.ptr();
        let slot = || InstKind::Alloca { elem_ty: ptr, count: None, align: 8, addr_space: 0, inalloca: false };
        self.plan.thrown.iter().map(|_| self.value(at, slot(), ptr)).collect()
    }

    /// The same as one block.
    pub(super) fn slots_in_a_row(&mut self, at: &mut At) -> Exception {
        let ptr = self.m.types.ptr();
        let elem_ty = self.m.types.array(self.plan.thrown.len() as u64, ptr);
        let kind = InstKind::Alloca { elem_ty, count: None, align: 8, addr_space: 0, inalloca: false };
        let first = self.value(at, kind, ptr);
        self.row(at, first)
    }

    /// The addresses of an exception whose pointers lie one behind the other.
    pub(super) fn row(&mut self, at: &mut At, first: Operand) -> Exception {
        let (ptr, i8t) = (self.m.types.ptr(), self.m.types.int(8));
        let mut row = vec![first];
        for index in 1..self.plan.thrown.len() {
            let indices = vec![self.m.int(64, 8 * index as u128)];
            let kind = InstKind::Gep { elem_ty: i8t, flags: GepFlags::default(), base: first, indices };
            row.push(self.value(at, kind, ptr));
        }
        row
    }

    /// Puts an instruction.
    pub(super) fn put(&mut self, at: &mut At, kind: InstKind, ty: TypeId) -> InstId {
        let id = blocks::like(self.m, &mut self.func, at.like, kind, ty);
        self.func.blocks[at.block].insts.insert(at.index, id);
        at.index += 1;
        id
    }

    pub(super) fn value(&mut self, at: &mut At, kind: InstKind, ty: TypeId) -> Operand {
        let id = self.put(at, kind, ty);
        self.result(id)
    }

    pub(super) fn result(&self, id: InstId) -> Operand {
        // Asked of instructions that have one.
        Operand::Local(self.func.insts[id].result.unwrap_or_else(|| unreachable!("an instruction without a result")))
    }

    pub(super) fn effect(&mut self, at: &mut At, kind: InstKind) {
        let void = self.m.types.void();
        self.put(at, kind, void);
    }

    pub(super) fn call(&mut self, at: &mut At, callee: FuncId, args: Vec<Operand>) -> Option<Operand> {
        let fn_ty = refuse::function_type(self.m, callee);
        let (ret, cc) = (self.m.functions[callee].ret, self.m.functions[callee].cc.clone());
        let call = plain_call(self.m.function_address(callee), fn_ty, args, cc);
        let id = self.put(at, InstKind::Call(Box::new(call)), ret);
        self.func.insts[id].result.map(Operand::Local)
    }

    pub(super) fn compare(&mut self, at: &mut At, pred: IntPred, lhs: Operand, rhs: Operand) -> Operand {
        let i1 = self.m.types.int(1);
        self.value(at, InstKind::ICmp { pred, lhs, rhs }, i1)
    }

    pub(super) fn select(&mut self, at: &mut At, cond: Operand, if_true: Operand, if_false: Operand) -> Operand {
        let ty = self.m.operand_ty(&self.func, if_true);
        self.value(at, InstKind::Select { fast: FastMath::default(), cond, if_true, if_false }, ty)
    }

    pub(super) fn null(&mut self) -> Operand {
        let ptr = self.m.types.ptr();
        self.m.zero(ptr)
    }

    pub(super) fn store(&mut self, at: &mut At, values: &[Operand], slots: &[Operand]) {
        for (value, slot) in values.iter().zip(slots) {
            let kind = InstKind::Store { value: *value, ptr: *slot, align: 8, volatile: false, atomic: None };
            self.effect(at, kind);
        }
    }

    pub(super) fn load(&mut self, at: &mut At, slots: &[Operand]) -> Exception {
        let ptr = self.m.types.ptr();
        let held = |slot: &Operand| InstKind::Load { ptr: *slot, align: 8, volatile: false, atomic: None };
        slots.iter().map(|slot| self.value(at, held(slot), ptr)).collect()
    }

    /// Is there an exception?
    pub(super) fn is_some(&mut self, at: &mut At, exception: &[Operand]) -> Operand {
        let (null, i1) = (self.null(), self.m.types.int(1));
        let mut any = None;
        for pointer in exception {
            let is_it = self.compare(at, IntPred::Ne, *pointer, null);
            any = Some(match any {
                None => is_it,
                Some(any) => self.value(at, binary(BinOp::Or, any, is_it), i1),
            });
        }
        any.unwrap_or_else(|| self.m.int(1, 0))
    }

    /// The object of an exception, whatever its type.
    pub(super) fn object(&mut self, at: &mut At, exception: &[Operand]) -> Operand {
        let null = self.null();
        let Some((last, others)) = exception.split_last() else { return null };
        let mut object = *last;
        for pointer in others.iter().rev() {
            let is_it = self.compare(at, IntPred::Ne, *pointer, null);
            object = self.select(at, is_it, *pointer, object);
        }
        object
    }

    /// The exception whose object that is: it is the one that the last landing pad got, and of one of these types.
    pub(super) fn exception(&mut self, at: &mut At, object: Operand, types: impl Iterator<Item = usize>) -> Exception {
        let null = self.null();
        let count = self.plan.thrown.len();
        if count == 1 {
            return vec![object];
        }
        let mut exception = vec![null; count];
        for index in types {
            let slot = self.landed[index];
            let held = self.load(at, &[slot])[0];
            let is_it = self.compare(at, IntPred::Eq, held, object);
            exception[index] = self.select(at, is_it, held, null);
        }
        let known: Vec<Operand> = exception.iter().copied().filter(|pointer| *pointer != null).collect();
        let is_known = self.is_some(at, &known);
        self.call(at, self.object.expect, vec![is_known]);
        exception
    }

    /// What a handler sees that takes an exception in one of these ways.
    pub(super) fn seen(&mut self, at: &mut At, exception: &[Operand], ways: &[(usize, Taken)]) -> Operand {
        let (ptr, i8t, null) = (self.m.types.ptr(), self.m.types.int(8), self.null());
        let mut seen = None;
        for (index, way) in ways {
            let pointer = exception[*index];
            let own = match way {
                Taken::Pointer => self.call(at, self.object.pointer, vec![pointer]).unwrap_or(pointer),
                Taken::Object(0) | Taken::Otherwise | Taken::No => pointer,
                Taken::Object(offset) => {
                    let indices = vec![self.m.int(64, *offset as u64 as u128)];
                    let kind = InstKind::Gep { elem_ty: i8t, flags: GepFlags::default(), base: pointer, indices };
                    self.value(at, kind, ptr)
                }
            };
            seen = Some(match seen {
                None => own,
                Some(other) => {
                    let is_it = self.compare(at, IntPred::Ne, pointer, null);
                    self.select(at, is_it, own, other)
                }
            });
        }
        seen.unwrap_or(null)
    }

    /// Ends the block there, and goes to where an exception is handled or cleaned up after, or to the caller.
    pub(super) fn unwind(&mut self, mut at: At, exception: &[Operand], pad: Option<BlockId>) {
        self.func.blocks[at.block].insts.truncate(at.index);
        let to = self.unwound(at, exception, pad);
        self.effect(&mut at, InstKind::Br(to));
    }

    /// Where an exception goes from a block.
    pub(super) fn unwound(&mut self, at: At, exception: &[Operand], pad: Option<BlockId>) -> BlockId {
        let (block, phis) = match pad.and_then(|pad| Some((pad, self.pads.get(&pad)?.clone()))) {
            Some(known) => known,
            None => self.leaving(at.like),
        };
        for (phi, pointer) in phis.into_iter().zip(exception) {
            if let InstKind::Phi { incoming, .. } = &mut self.func.insts[phi].kind {
                incoming.push((*pointer, at.block));
            }
        }
        block
    }

    /// The block that gives an exception to the caller.
    pub(super) fn leaving(&mut self, like: InstId) -> (BlockId, Vec<InstId>) {
        if let Some(known) = &self.leave {
            return known.clone();
        }
        let mut at = At { block: self.func.add_block("leave"), index: 0, like };
        let phis = self.phis(at);
        at.index = phis.len();
        let exception: Exception = phis.iter().map(|phi| self.result(*phi)).collect();
        let slots = self.row(&mut at, self.caller);
        self.store(&mut at, &exception, &slots);
        let (ret, void) = (self.func.ret, self.m.types.void());
        let nothing = (ret != void).then(|| self.m.zero(ret));
        self.effect(&mut at, InstKind::Ret(nothing));
        self.leave.insert((at.block, phis)).clone()
    }
}

pub(super) fn binary(op: BinOp, lhs: Operand, rhs: Operand) -> InstKind {
    InstKind::Binary { op, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs }
}
