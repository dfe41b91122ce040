//! Addresses of a loop in a gradient, as sums of what the loop does not change and of counters.
//!
//! The reverse pass keeps its counters in slots on the stack, which change at the end of an iteration. A form is a sum
//! of *symbols* times numbers, and a number: all modulo 2⁶⁴, as addresses are (LangRef, "getelementptr"), so that no
//! sum of 64 bits need promise anything. A symbol is a value made outside of the loop, or what a slot holds when an
//! iteration begins.

use crate::optimise::align_sums::Loop;
use ir::hash::HashSet;
use ir::{BinOp, BlockId, Function, InstId, InstKind, Module, Operand, Type};

/// What a form is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    /// An integer of 64 bits or a pointer that the loop does not make.
    Value(Operand),
    /// What is in a slot at the beginning of an iteration.
    Slot(Operand),
}

/// A sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    pub terms: Vec<(Symbol, i64)>,
    pub number: i64,
}

impl Form {
    fn of(symbol: Symbol) -> Form {
        Form { terms: vec![(symbol, 1)], number: 0 }
    }

    fn plus(mut self, other: &Form, times: i64) -> Form {
        for (symbol, by) in &other.terms {
            let by = by.wrapping_mul(times);
            match self.terms.iter_mut().find(|(known, _)| known == symbol) {
                Some((_, so_far)) => *so_far = so_far.wrapping_add(by),
                None => self.terms.push((*symbol, by)),
            }
        }
        self.terms.retain(|(_, by)| *by != 0);
        self.number = self.number.wrapping_add(other.number.wrapping_mul(times));
        self
    }

    /// How far it is from another one to this.
    pub fn from(&self, other: &Form) -> Form {
        self.clone().plus(other, -1)
    }

    /// The number, if it is nothing else.
    pub fn constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.number)
    }
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
        form.terms.iter().try_fold(0i64, |sum, (symbol, by)| {
            let step = match symbol {
                Symbol::Value(_) => 0,
                Symbol::Slot(slot) => self.step(*slot)?,
            };
            Some(sum.wrapping_add(step.wrapping_mul(*by)))
        })
    }

    /// What the end of an iteration adds to a slot.
    fn step(&self, slot: Operand) -> Option<i64> {
        let of = self.of?;
        let mut stores = self.stores(of.body, slot).chain(self.stores(of.latch, slot));
        let Some((_, value)) = stores.next() else { return Some(0) };
        stores.next().is_none().then_some(())?;
        self.form(value)?.from(&Form::of(Symbol::Slot(slot))).constant()
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
        let is_wide = matches!(self.m.types.get(ty), Type::Int(64));
        (is_wide || self.m.types.is_ptr(ty)).then_some(())?;
        if let Some(number) = self.m.as_int(operand) {
            return Some(Form { terms: Vec::new(), number: number as i64 });
        }
        let Some(inst) =
            operand.local().and_then(|v| self.f.def_inst(v)).filter(|i| self.of.is_none_or(|of| of.holds(self.f, *i)))
        else {
            return Some(Form::of(Symbol::Value(operand)));
        };
        let depth = depth.checked_sub(1)?;
        match &self.f.insts[inst].kind {
            InstKind::Load { ptr, volatile: false, atomic: None, .. } => {
                (self.slots.contains(ptr) && self.is_as_before(*ptr, inst)).then(|| Form::of(Symbol::Slot(*ptr)))
            }
            InstKind::Gep { elem_ty, base, indices, .. } => {
                let offset = ir::gep::offset(self.m, *elem_ty, indices)?;
                let mut sum = self.looked(*base, depth)?;
                sum.number = sum.number.wrapping_add(offset.bytes as i64);
                for (index, bytes) in offset.scaled {
                    let index = match self.m.as_int(index) {
                        Some(number) => Form { terms: Vec::new(), number: ir::gep::signed(self.m, index, number) },
                        None => self.looked(index, depth)?,
                    };
                    sum = sum.plus(&index, bytes as i64);
                }
                Some(sum)
            }
            InstKind::Binary { op, lhs, rhs, flags, .. } => {
                let (a, b) = (self.looked(*lhs, depth)?, self.looked(*rhs, depth)?);
                match (op, a.constant(), b.constant()) {
                    (BinOp::Add, ..) => Some(a.plus(&b, 1)),
                    (BinOp::Or, ..) if flags.disjoint => Some(a.plus(&b, 1)),
                    (BinOp::Sub, ..) => Some(a.plus(&b, -1)),
                    (BinOp::Mul, Some(by), _) => Some(Form::default().plus(&b, by)),
                    (BinOp::Mul, _, Some(by)) => Some(Form::default().plus(&a, by)),
                    (BinOp::Shl, _, Some(by @ 0..64)) => Some(Form::default().plus(&a, 1i64.wrapping_shl(by as u32))),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
