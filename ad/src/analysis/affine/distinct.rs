//! Accesses that never meet in one execution of their block, as the branches on the way there tell.
//!
//! `if (i < j)`, swap `x[i]` and `x[j]`: what the condition compares are two numbers, and so the places are two. The
//! difference of two addresses with one base is a *form*: a sum of values times numbers, and a number. Branches that
//! dominate the block give forms that are not zero. If the difference is a multiple q of such a form, and a number r,
//! it is q·m + r with an integer m that is not zero; the accesses are apart if that is so for m = 1 and for m = -1, as
//! all else lies further away.
//!
//! Forms are of integers without a width, with their sign: only what is promised not to go round is taken apart
//! (LangRef, "nsw", "disjoint", "inbounds").

use crate::analysis::context::Context;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::base::regions::Shape;
use ir::gep::signed;
use ir::hash::HashMap;
use ir::{BinOp, BlockId, CastOp, InstId, InstKind, IntPred, Operand, Type};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A sum of values times numbers, and a number.
#[derive(Clone, Debug, Default)]
struct Form {
    terms: Vec<(Operand, i128)>,
    number: i128,
}

impl Form {
    fn add(&mut self, value: Operand, times: i128) {
        match self.terms.iter_mut().find(|(known, _)| *known == value) {
            Some((_, so_far)) => *so_far += times,
            None => self.terms.push((value, times)),
        }
        self.terms.retain(|(_, times)| *times != 0);
    }

    fn less(&self, other: &Form) -> Form {
        let mut out = self.clone();
        other.terms.iter().for_each(|(value, times)| out.add(*value, -times));
        out.number -= other.number;
        out
    }

    /// As q·other + r, if it is.
    fn in_terms_of(&self, other: &Form) -> Option<(i128, i128)> {
        let times = |form: &Form, value: Operand| form.terms.iter().find(|(v, _)| *v == value).map(|(_, times)| *times);
        let (value, by) = *other.terms.first()?;
        let whole = times(self, value)?;
        let q = (whole % by == 0).then_some(whole / by)?;
        let alike = self.terms.len() == other.terms.len();
        let all = other.terms.iter().all(|(v, by)| times(self, *v) == Some(q * by));
        (alike && all).then_some((q, self.number - q * other.number))
    }
}

/// How deep a number is looked into, and how many branches are asked.
const DEPTH: usize = 12;
const BRANCHES: usize = 32;

/// What the branches of a function tell.
pub struct Branches<'a> {
    cx: &'a Context<'a>,
    shape: &'a Shape,
    places: RefCell<HashMap<InstId, Option<Rc<Place>>>>,
    /// What is not zero in a block.
    known: RefCell<HashMap<BlockId, Rc<Vec<Form>>>>,
}

/// Where a load or store goes.
struct Place {
    block: BlockId,
    base: Operand,
    form: Form,
    size: u64,
    /// The objects that it may be in, if that is known.
    objects: BTreeSet<ObjId>,
    /// They are the gradient's own.
    is_own: bool,
}

impl Place {
    /// Is it in other objects, of which one is the gradient's own? (Two of the caller's may have one shadow.)
    fn is_of_others(&self, other: &Place) -> bool {
        let known = !self.objects.is_empty() && !other.objects.is_empty();
        known && (self.is_own || other.is_own) && self.objects.is_disjoint(&other.objects)
    }
}

impl<'a> Branches<'a> {
    pub fn new(cx: &'a Context<'a>, shape: &'a Shape) -> Branches<'a> {
        Branches { cx, shape, places: RefCell::default(), known: RefCell::default() }
    }

    /// Do two loads or stores of one block never meet, in any one execution of it?
    pub fn keep_apart(&self, one: InstId, other: InstId) -> bool {
        let (Some(one), Some(other)) = (self.place(one), self.place(other)) else { return false };
        if one.block != other.block || one.base != other.base {
            return one.block == other.block && one.is_of_others(&other);
        }
        let difference = other.form.less(&one.form);
        let apart = |by: i128| by >= i128::from(one.size) || -by >= i128::from(other.size);
        match difference.terms.is_empty() {
            true => apart(difference.number),
            false => self.not_zero(one.block).iter().filter_map(|form| difference.in_terms_of(form)).any(|(q, r)| {
                // Beyond that it is further away, on either side.
                let further = |m: i128| apart(q * m + r) && (q * m).signum() * (q * m + r) > 0;
                further(1) && further(-1)
            }),
        }
    }

    /// Do two loads or stores go to different objects, of which one is the gradient's own?
    pub fn are_of_others(&self, one: InstId, other: InstId) -> bool {
        self.place(one).zip(self.place(other)).is_some_and(|(one, other)| one.is_of_others(&other))
    }

    /// Where a load or store goes.
    fn place(&self, access: InstId) -> Option<Rc<Place>> {
        if let Some(known) = self.places.borrow().get(&access) {
            return known.clone();
        }
        let found = self.find_place(access).map(Rc::new);
        self.places.borrow_mut().insert(access, found.clone());
        found
    }

    fn find_place(&self, access: InstId) -> Option<Place> {
        let (cx, facts) = (self.cx, self.cx.facts);
        let (ptr, ty) = match cx.func.insts[access].kind {
            InstKind::Load { ptr, .. } => (ptr, cx.func.insts[access].ty),
            InstKind::Store { ptr, value, .. } => (ptr, cx.ty(value)),
            _ => return None,
        };
        let own = |o: &ObjId| matches!(facts.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
        let told = !facts.leads_elsewhere(cx.m, cx.id, ptr);
        let objects: BTreeSet<ObjId> = cx.targets(ptr).into_keys().filter(|_| told).collect();
        let (base, form) = self.address(ptr)?;
        let is_own = !objects.is_empty() && objects.iter().all(own);
        Some(Place { block: self.shape.block(access)?, base, form, size: cx.m.size_of(ty), objects, is_own })
    }

    /// An address as a base and a number of bytes.
    fn address(&self, mut ptr: Operand) -> Option<(Operand, Form)> {
        let m = self.cx.m;
        let mut form = Form::default();
        while let Some(InstKind::Gep { elem_ty, flags, base, indices }) = self.kind(ptr) {
            if !flags.inbounds {
                break;
            }
            let offset = ir::gep::offset(m, *elem_ty, indices)?;
            form.number += i128::from(offset.bytes);
            for (index, bytes) in offset.scaled {
                self.take(&mut form, index, i128::from(bytes), DEPTH);
            }
            ptr = *base;
        }
        Some((ptr, form))
    }

    fn kind(&self, operand: Operand) -> Option<&InstKind> {
        let inst = self.cx.func.def_inst(operand.local()?)?;
        Some(&self.cx.func.insts[inst].kind)
    }

    /// Adds an integer, times a number.
    fn take(&self, form: &mut Form, value: Operand, times: i128, depth: usize) {
        if let Some(number) = self.number(value) {
            form.number += times * number;
            return;
        }
        let is_small = times.unsigned_abs() < 1 << 32;
        match self.kind(value).filter(|_| depth > 0) {
            Some(InstKind::Binary { op: BinOp::Add, lhs, rhs, flags, .. }) if flags.nsw => {
                self.take(form, *lhs, times, depth - 1);
                self.take(form, *rhs, times, depth - 1);
            }
            Some(InstKind::Binary { op: BinOp::Or, lhs, rhs, flags, .. }) if flags.disjoint => {
                self.take(form, *lhs, times, depth - 1);
                self.take(form, *rhs, times, depth - 1);
            }
            Some(InstKind::Binary { op: BinOp::Sub, lhs, rhs, flags, .. }) if flags.nsw => {
                self.take(form, *lhs, times, depth - 1);
                self.take(form, *rhs, -times, depth - 1);
            }
            Some(InstKind::Binary { op: BinOp::Shl, lhs, rhs, flags, .. })
                if flags.nsw && is_small && self.number(*rhs).is_some_and(|by| (0..32).contains(&by)) =>
            {
                let by = self.number(*rhs).unwrap_or(0);
                self.take(form, *lhs, times << by, depth - 1);
            }
            Some(InstKind::Binary { op: BinOp::Mul, lhs, rhs, flags, .. })
                if flags.nsw && is_small && self.number(*rhs).is_some_and(|by| by.unsigned_abs() < 1 << 32) =>
            {
                self.take(form, *lhs, times * self.number(*rhs).unwrap_or(0), depth - 1);
            }
            Some(InstKind::Cast { op: CastOp::SExt, value, .. }) => self.take(form, *value, times, depth - 1),
            Some(InstKind::Cast { op: CastOp::ZExt, value, flags, .. }) if flags.nneg => {
                self.take(form, *value, times, depth - 1);
            }
            _ => form.add(value, times),
        }
    }

    fn number(&self, operand: Operand) -> Option<i128> {
        self.cx.m.as_int(operand).map(|bits| i128::from(signed(self.cx.m, operand, bits)))
    }

    /// Forms that are not zero where a block is executed.
    fn not_zero(&self, block: BlockId) -> Rc<Vec<Form>> {
        if let Some(known) = self.known.borrow().get(&block) {
            return known.clone();
        }
        let found = Rc::new(self.compared(block));
        self.known.borrow_mut().insert(block, found.clone());
        found
    }

    /// What dominating branches have compared and found different.
    fn compared(&self, block: BlockId) -> Vec<Form> {
        let (func, dom) = (self.cx.func, &self.shape.dom);
        let mut out = Vec::new();
        let mut at = block;
        for _ in 0..BRANCHES {
            let Some(before) = dom.idom(at) else { break };
            let end = func.terminator(before).map(|end| &func.insts[end].kind);
            if let Some(InstKind::CondBr { cond, then_to, else_to, .. }) = end
                && then_to != else_to
            {
                for (to, holds) in [(*then_to, true), (*else_to, false)] {
                    if dom.dominates(to, block) && self.shape.cfg.preds(to) == [before] {
                        self.told(*cond, holds, &mut out, DEPTH);
                    }
                }
            }
            at = before;
        }
        out
    }

    /// What a condition tells that holds, or does not.
    fn told(&self, cond: Operand, holds: bool, out: &mut Vec<Form>, depth: usize) {
        match self.kind(cond).filter(|_| depth > 0) {
            Some(InstKind::Binary { op: BinOp::And, lhs, rhs, .. }) if holds => {
                self.told(*lhs, true, out, depth - 1);
                self.told(*rhs, true, out, depth - 1);
            }
            Some(InstKind::Select { cond, if_true, if_false, .. }) if holds && self.number(*if_false) == Some(0) => {
                self.told(*cond, true, out, depth - 1);
                self.told(*if_true, true, out, depth - 1);
            }
            Some(InstKind::ICmp { pred, lhs, rhs })
                if matches!(self.cx.m.types.get(self.cx.ty(*lhs)), Type::Int(_)) =>
            {
                let differ = match pred {
                    IntPred::Eq => !holds,
                    IntPred::Ne => holds,
                    IntPred::Slt | IntPred::Sgt | IntPred::Ult | IntPred::Ugt => holds,
                    IntPred::Sle | IntPred::Sge | IntPred::Ule | IntPred::Uge => !holds,
                };
                let mut form = Form::default();
                self.take(&mut form, *lhs, 1, DEPTH);
                // More than a number that is not negative is not zero either; nor is what is less than one that is not
                // positive.
                let beyond = |positive: bool| self.number(*rhs).is_some_and(|n| if positive { n > 0 } else { n < 0 });
                let excludes = match (pred, holds) {
                    (IntPred::Sgt, true) | (IntPred::Sle, false) => beyond(true),
                    (IntPred::Slt, true) | (IntPred::Sge, false) => beyond(false),
                    (IntPred::Sge, true) | (IntPred::Slt, false) => beyond(true),
                    (IntPred::Sle, true) | (IntPred::Sgt, false) => beyond(false),
                    _ => false,
                };
                if excludes {
                    out.push(form.clone());
                }
                if differ {
                    self.take(&mut form, *rhs, -1, DEPTH);
                    out.push(form);
                }
            }
            _ => {}
        }
    }
}
