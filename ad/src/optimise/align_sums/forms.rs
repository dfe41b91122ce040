//! Addresses of a loop in a gradient, as sums of what the loop does not change and of counters.
//!
//! The reverse pass keeps its counters in slots on the stack, which change at the end of an iteration. A form
//! ([`crate::base::affine::form`]) is counted modulo 2⁶⁴, as addresses are, so that no sum of 64 bits need promise
//! anything. Its symbols are values made outside of the loop, and what slots hold when an iteration begins.

use crate::base::affine::form;
use crate::base::affine::integers::{self, Made};
use crate::optimise::align_sums::Loop;
use ir::hash::HashSet;
use ir::{BlockId, Function, InstId, InstKind, Module, Operand};
use std::num::Wrapping;

/// What a form is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    /// An integer of 64 bits or a pointer that the loop does not make.
    Value(Operand),
    /// What is in a slot at the beginning of an iteration.
    Slot(Operand),
}

/// A sum.
pub(crate) type Form = form::Form<Symbol, Wrapping<i64>>;

/// How far it is from a form to another one.
pub(crate) fn between(from: &Form, to: &Form) -> Option<Form> {
    to.clone().plus(from, Wrapping(-1))
}

/// The same, if it is a number.
pub(crate) fn distance(from: &Form, to: &Form) -> Option<i64> {
    Some(between(from, to)?.constant()?.0)
}

/// How deep an address is looked into.
const DEPTH: usize = 16;

/// The forms of a loop.
pub(super) struct Forms<'a> {
    pub m: &'a Module,
    pub f: &'a Function,
    /// Stack memory that is only loaded and stored.
    pub slots: &'a HashSet<Operand>,
    /// Without a loop, nothing is a symbol but what the function is given.
    pub of: Option<Loop>,
}

impl Forms<'_> {
    pub fn form(&self, operand: Operand) -> Option<Form> {
        self.looked(operand, DEPTH)
    }

    /// How much a form grows from one iteration to the next, if that is always the same.
    pub fn stride(&self, form: &Form) -> Option<i64> {
        let stride = form.terms.iter().try_fold(Wrapping(0i64), |sum, (symbol, by)| {
            let step = match symbol {
                Symbol::Value(_) => 0,
                Symbol::Slot(slot) => self.step(*slot)?,
            };
            Some(sum + Wrapping(step) * by)
        });
        stride.map(|bytes| bytes.0)
    }

    /// What the end of an iteration adds to a slot.
    fn step(&self, slot: Operand) -> Option<i64> {
        let of = self.of?;
        let mut stores = self.stores(of.body, slot).chain(self.stores(of.latch, slot));
        let Some((_, value)) = stores.next() else { return Some(0) };
        stores.next().is_none().then_some(())?;
        distance(&Form::of(Symbol::Slot(slot)), &self.form(value)?)
    }

    fn stores<'b>(&'b self, block: BlockId, slot: Operand) -> impl Iterator<Item = (InstId, Operand)> + 'b {
        self.f.blocks[block].insts.iter().filter_map(move |inst| match self.f.insts[*inst].kind {
            InstKind::Store { value, ptr, .. } if ptr == slot => Some((*inst, value)),
            _ => None,
        })
    }

    /// Does it hold at a load what it held when the iteration began?
    fn is_as_before(&self, slot: Operand, load: InstId) -> bool {
        let own = |block: BlockId| self.f.blocks[block].insts.iter().position(|i| *i == load);
        let behind = |block| {
            let at = own(block);
            self.stores(block, slot).any(|(store, _)| {
                let stored = self.f.blocks[block].insts.iter().position(|i| *i == store);
                at.is_none() || stored < at
            })
        };
        self.of.is_some_and(|of| match own(of.body) {
            Some(_) => !behind(of.body),
            None => !behind(of.body) && !behind(of.latch),
        })
    }

    fn looked(&self, operand: Operand, depth: usize) -> Option<Form> {
        let ty = self.m.operand_ty(self.f, operand);
        (integers::is_wide(self.m, self.f, operand) || self.m.types.is_ptr(ty)).then_some(())?;
        if let Some(number) = integers::number(self.m, operand) {
            return Some(Form::number(Wrapping(number)));
        }
        let inside = |i: &InstId| self.of.is_none_or(|of| of.holds(self.f, *i));
        let Some(inst) = operand.local().and_then(|v| self.f.def_inst(v)).filter(inside) else {
            return Some(Form::of(Symbol::Value(operand)));
        };
        let depth = depth.checked_sub(1)?;
        if let InstKind::Load { ptr, volatile: false, atomic: None, .. } = &self.f.insts[inst].kind {
            return (self.slots.contains(ptr) && self.is_as_before(*ptr, inst)).then(|| Form::of(Symbol::Slot(*ptr)));
        }
        let of = |operand| self.looked(operand, depth);
        let (one, none) = (Wrapping(1), Form::default());
        match integers::made(self.m, self.f, operand)?.0 {
            Made::Sum(lhs, rhs) => of(lhs)?.plus(&of(rhs)?, one),
            Made::Difference(lhs, rhs) => of(lhs)?.plus(&of(rhs)?, -one),
            Made::Shifted(value, by) => none.plus(&of(value)?, one << by as usize),
            Made::Product(lhs, rhs) => {
                let (lhs, rhs) = (of(lhs)?, of(rhs)?);
                match (lhs.constant(), rhs.constant()) {
                    (Some(by), _) => none.plus(&rhs, by),
                    (_, Some(by)) => none.plus(&lhs, by),
                    _ => None,
                }
            }
            Made::Element(base, offset) => {
                let mut sum = of(base)?.plus(&Form::number(one), Wrapping(offset.bytes as i64))?;
                for (index, bytes) in offset.scaled {
                    let index = match integers::number(self.m, index) {
                        Some(number) => Form::number(Wrapping(number)),
                        None => of(index)?,
                    };
                    sum = sum.plus(&index, Wrapping(bytes as i64))?;
                }
                Some(sum)
            }
            Made::Widened { .. } | Made::Narrowed(_) => None,
        }
    }
}
