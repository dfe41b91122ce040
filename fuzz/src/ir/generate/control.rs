//! Statements, branches that meet in phis, `switch`, ways out.

use super::memory::Array;
use super::{Body, Elem, Ty};
use ir::{BlockId, InstKind, IntPred, Operand};

/// What a statement is.
#[derive(Clone, Copy)]
enum Way {
    Define,
    Store,
    Allocate,
    Alias,
    Branch,
    Switch,
    Repeat,
    Irreducible,
    Copy,
    Record,
    Aggregate,
    Call,
    Leave,
    Atomic,
    Pun,
    Masked,
    Travel,
    ConstantOrOwn,
    Bytes,
    Stepped,
}

impl Body<'_, '_> {
    /// Some statements.
    pub(super) fn statements(&mut self, most: i64) {
        let count = self.c.int(1, most.max(1));
        for _ in 0..count {
            if self.left < self.factor {
                return;
            }
            self.left -= self.factor;
            self.statement();
        }
    }

    fn statement(&mut self) {
        let odds = &self.odds.stmt;
        let nested = self.depth < self.odds.nesting && self.left > 4 * self.factor;
        let when = |yes: bool, weight: u32| if yes { weight } else { 0 };
        let ways = [
            (odds.define, Way::Define),
            (odds.store, Way::Store),
            (odds.allocate, Way::Allocate),
            (odds.alias, Way::Alias),
            (when(nested, odds.branch), Way::Branch),
            (when(nested, odds.switch), Way::Switch),
            (when(nested, odds.repeat), Way::Repeat),
            (when(nested, odds.irreducible), Way::Irreducible),
            (odds.copy, Way::Copy),
            (odds.record, Way::Record),
            (odds.aggregate, Way::Aggregate),
            (odds.call, Way::Call),
            (when(self.depth > 0, odds.leave), Way::Leave),
            (when(!self.smooth, odds.atomic), Way::Atomic),
            (when(!self.smooth, odds.pun), Way::Pun),
            (odds.masked, Way::Masked),
            (odds.travel, Way::Travel),
            (when(!self.scratch.is_empty(), odds.constant_or_own), Way::ConstantOrOwn),
            (odds.bytes, Way::Bytes),
            (odds.stepped, Way::Stepped),
        ];
        match self.c.weighted(&ways).unwrap_or(Way::Define) {
            Way::Define => self.define(),
            Way::Store => self.store_statement(),
            Way::Allocate => self.allocate(),
            Way::Alias => self.alias(),
            Way::Branch => self.branch(),
            Way::Switch => self.switch(),
            Way::Repeat => self.repeat(),
            Way::Irreducible => self.irreducible(),
            Way::Copy => self.copy(),
            Way::Record => self.record(),
            Way::Aggregate => self.aggregate(),
            Way::Call => self.call(),
            Way::Leave => self.leave(),
            Way::Atomic => self.atomic(),
            Way::Pun => self.pun(),
            Way::Masked => self.masked(),
            Way::Travel => self.travel(),
            Way::ConstantOrOwn => self.constant_or_own(),
            Way::Bytes => self.bytes(),
            Way::Stepped => self.stepped(),
        }
    }

    fn define(&mut self) {
        let ty = self.any_ty();
        let value = self.value(ty, self.odds.expression);
        self.mix(value, ty);
        self.keep(value, ty);
    }

    /// The types of values that arms hand on.
    pub(super) fn handed_on(&mut self, most: i64) -> Vec<Ty> {
        let count = self.c.int(0, most);
        (0..count).map(|_| self.any_ty()).collect()
    }

    /// Arms that meet again: each is entered from the current block, and hands on a value of each type and an address.
    fn arms(&mut self, arms: &[BlockId], join: BlockId) {
        let handed = self.handed_on(2);
        let shared = self.some_array().filter(|_| self.c.chance(40));
        let mut incoming: Vec<Vec<(Operand, BlockId)>> = vec![Vec::new(); handed.len()];
        let mut bases = Vec::new();
        let mut both: Option<Array> = shared;
        self.depth += 1;
        for arm in arms {
            self.b.block = *arm;
            let mark = self.mark();
            self.statements(self.odds.statements / 2);
            let values: Vec<Operand> = handed.iter().map(|ty| self.value(*ty, 1)).collect();
            // An object of this arm alone is not there any more behind it.
            if let Some(one) = &mut both {
                let outer: Vec<Array> =
                    self.arrays.iter().take(mark.arrays).filter(|a| a.cell == one.cell).copied().collect();
                let chosen = self.c.pick(&outer).unwrap_or(*one);
                *one = Array { len: one.len.min(chosen.len), writable: one.writable && chosen.writable, ..*one };
                bases.push(chosen.base);
            }
            self.forget(mark);
            for (list, value) in incoming.iter_mut().zip(values) {
                list.push((value, self.b.block));
            }
            if both.is_some() {
                let base = bases.pop().map(|base| (base, self.b.block));
                incoming.resize(handed.len() + 1, Vec::new());
                incoming[handed.len()].extend(base);
            }
            self.b.br(join);
        }
        self.depth -= 1;
        self.b.block = join;
        let ids: Vec<ir::TypeId> = handed.iter().map(|ty| ty.id(&mut self.b.module.types)).collect();
        let ptr = self.b.module.types.ptr();
        let mut lists = incoming.into_iter();
        for (ty, id) in handed.iter().zip(ids) {
            let phi = self.b.phi(id, lists.next().unwrap_or_default());
            self.keep(phi, *ty);
        }
        if let (Some(one), Some(list)) = (both, lists.next()) {
            let base = self.b.phi(ptr, list);
            self.arrays.push(Array { base, root: None, ..one });
        }
    }

    fn branch(&mut self) {
        let cond = self.condition(Ty::BIT, 2);
        let (then_to, else_to, join) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        self.b.cond_br(cond, then_to, else_to);
        self.arms(&[then_to, else_to], join);
    }

    fn switch(&mut self) {
        let bits = self.c.pick(&[32, 64, 8, 3, 33]).unwrap_or(32);
        let ty = Ty::int(bits);
        let value = self.value(ty, 2);
        let few = self.b.bits(ty, 3);
        // Cases that are met, most of the time.
        let value = if self.c.chance(80) { self.b.binary(ir::BinOp::And, ty, value, few) } else { value };
        let count = self.c.int(1, 3) as usize;
        let mut arms: Vec<BlockId> = (0..=count).map(|_| self.b.new_block()).collect();
        let join = self.b.new_block();
        let mut cases = Vec::new();
        for (number, arm) in arms.iter().skip(1).enumerate() {
            cases.extend(self.b.bits(ty, number as u128).constant().map(|c| (c, *arm)));
        }
        // Two cases may go to one place.
        if self.c.chance(30)
            && let Some(last) = arms.last()
        {
            cases.extend(self.b.bits(ty, count as u128).constant().map(|c| (c, *last)));
        }
        let default = arms[0];
        self.b.effect(InstKind::Switch { value, default, cases });
        if self.c.chance(50) {
            arms.reverse();
        }
        self.arms(&arms, join);
    }

    /// Out of the function, out of the loop, or on with its next trip, under a condition.
    fn leave(&mut self) {
        let cond = self.condition(Ty::BIT, 2);
        let (out, on) = (self.b.new_block(), self.b.new_block());
        self.b.cond_br(cond, out, on);
        self.b.block = out;
        match self.around.last().cloned().filter(|_| self.c.chance(75)) {
            Some(around) => {
                let to_exit = self.c.chance(60);
                let (to, phis) = match to_exit {
                    true => (around.exit, around.exits),
                    false => (around.latch, around.latches),
                };
                let values: Vec<Operand> = phis.iter().map(|(_, ty)| self.value(*ty, 1)).collect();
                self.free_above(around.heap);
                for ((phi, _), value) in phis.iter().zip(values) {
                    self.b.add_incoming(*phi, value, self.b.block);
                }
                self.b.br(to);
            }
            None => self.finish(),
        }
        self.b.block = on;
    }

    /// Returns.
    pub(super) fn finish(&mut self) {
        let value = match (self.hash, self.ret) {
            (Some(hash), Some(Ty { elem: Elem::Int(64), lanes: None })) => {
                self.mix_memory();
                let id = self.b.ty(Ty::int(64));
                Some(self.b.load(id, hash, 8))
            }
            (_, Some(ty)) => Some(self.value(ty, self.odds.expression)),
            (_, None) => None,
        };
        self.free_above(0);
        self.b.effect(InstKind::Ret(value));
    }

    /// What lies in memory at the end counts too.
    fn mix_memory(&mut self) {
        let arrays: Vec<Array> = self.arrays.iter().filter(|a| a.root.is_some() && a.writable).copied().collect();
        for array in arrays.into_iter().take(4) {
            let (id, align) = (self.b.ty(array.cell), self.align(array.cell));
            for index in 0..array.len.min(4) {
                let index = self.b.i64(u64::from(index));
                let at = self.b.gep(id, array.base, vec![index]);
                let value = self.b.load(id, at, align);
                self.mix(value, array.cell);
            }
        }
    }

    /// A cycle that is entered at two places.
    pub(super) fn irreducible(&mut self) {
        let trips = self.c.int(1, self.odds.trips.max(1)) as u64;
        let cond = self.condition(Ty::BIT, 2);
        let ty = self.any_ty();
        let (id, int) = (self.b.ty(ty), self.b.ty(Ty::int(32)));
        let (start, zero) = (self.value(ty, 1), self.b.i32(0));
        let entry = self.b.block;
        let heads = [self.b.new_block(), self.b.new_block()];
        let exit = self.b.new_block();
        self.b.cond_br(cond, heads[0], heads[1]);
        let mut phis = Vec::new();
        for head in heads {
            self.b.block = head;
            let counter = self.b.phi(int, vec![(zero, entry)]);
            let value = self.b.phi(id, vec![(start, entry)]);
            phis.push((counter, value));
        }
        self.b.block = exit;
        let left = self.b.phi(id, Vec::new());
        self.factor *= trips;
        self.depth += 1;
        let around = std::mem::take(&mut self.around);
        for side in 0..2 {
            self.b.block = heads[side];
            let mark = self.mark();
            let (counter, value) = phis[side];
            self.keep(counter, Ty::int(32));
            self.keep(value, ty);
            self.statements(self.odds.statements / 3);
            let (one, most) = (self.b.i32(1), self.b.i32(trips as u32));
            let next = self.value(ty, 2);
            let counted = self.b.binary(ir::BinOp::Add, Ty::int(32), counter, one);
            let goes_on = self.b.icmp(IntPred::Ult, Ty::int(32), counted, most);
            self.forget(mark);
            let (from, other) = (self.b.block, 1 - side);
            self.b.cond_br(goes_on, heads[other], exit);
            self.b.add_incoming(phis[other].0, counted, from);
            self.b.add_incoming(phis[other].1, next, from);
            self.b.add_incoming(left, next, from);
        }
        self.around = around;
        self.depth -= 1;
        self.factor /= trips;
        self.b.block = exit;
        self.keep(left, ty);
    }
}
