//! Edges and branches (LangRef, "Terminator Instructions"), and the ops that only move registers.

use super::{both_init, compare, int};
use crate::code::{Code, Slot};
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::Tag;
use ir::IntPred;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Follows an edge: counts, moves the phis, returns where to go on.
    #[inline(always)]
    pub(super) fn follow(&mut self, code: &Code, edge: u32) -> Res<usize> {
        let edge = &code.edges[edge as usize];
        for (dst, src) in &edge.moves {
            self.transfer(*dst, *src);
            self.forget(Forgets::Phi, *dst, 1);
        }
        self.steps += u64::from(edge.cost);
        if self.steps > self.next_check {
            self.check_limits()?;
        }
        self.observe_block(code, edge.target as usize);
        Ok(edge.target as usize)
    }

    #[inline(always)]
    pub(super) fn branch(&mut self, code: &Code, cond: Slot, edge: u32) -> Res<usize> {
        let cond = self.reg(cond);
        if cond.tag != Tag::Init {
            return Err(self.no_value(cond, "the condition of a branch"));
        }
        self.follow(code, edge + (cond.lo as u32 & 1 ^ 1))
    }

    #[inline(always)]
    pub(super) fn branch_cmp(
        &mut self,
        code: &Code,
        (pred, width): (IntPred, u8),
        [a, b]: [Slot; 2],
        edge: u32,
    ) -> Res<usize> {
        let (x, y) = (self.reg(a), self.reg(b));
        self.consume(&[a, b]);
        if M::FOLLOWS_LOSSES {
            self.residue = M::Shadow::default();
        }
        let taken = if both_init(x, y) {
            compare(pred, x.lo, y.lo, width)
        } else {
            let cond = int::icmp(pred, width, x, y);
            self.need(cond, "the condition of a branch")?.lo != 0
        };
        self.follow(code, edge + u32::from(!taken))
    }

    #[inline(always)]
    pub(super) fn switch(&mut self, code: &Code, value: Slot, table: u32) -> Res<usize> {
        let value = self.need(self.reg(value), "the value of a switch")?.bits();
        let switch = &code.switches[table as usize];
        let edge = match switch.cases.binary_search_by_key(&value, |(case, _)| *case) {
            Ok(i) => switch.cases[i].1,
            Err(_) => switch.default,
        };
        self.follow(code, edge)
    }

    /// "All possible destination blocks must be listed in the label list, otherwise this instruction has undefined
    /// behavior."
    pub(super) fn indirect_branch(&mut self, code: &Code, address: Slot, table: u32) -> Res<usize> {
        let address = self.need(self.reg(address), "the address of an indirect branch")?.lo;
        match code.indirect[table as usize].iter().find(|(at, _)| *at == address) {
            Some((_, edge)) => self.follow(code, *edge),
            None => {
                Err(Fault::ub(UbKind::BadCall, format!("an indirect branch to {address:#x}, which it does not list")))
            }
        }
    }

    #[inline(always)]
    pub(super) fn op_copy(&mut self, dst: Slot, src: Slot, n: u32) {
        for i in 0..n {
            self.transfer(dst + i, src + i);
        }
        self.forget(Forgets::Members, dst, n);
    }
}
