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
use crate::base::affine::form;
use crate::base::affine::integers::{self, Made, Reading};
use crate::base::regions::Shape;
use ir::hash::HashMap;
use ir::{BinOp, BlockId, InstId, InstKind, IntPred, Operand, Type};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A sum of values times numbers, and a number.
type Form = form::Form<Operand, i128>;

/// A form as q·other + r, if it is.
fn in_terms_of(form: &Form, other: &Form) -> Option<(i128, i128)> {
    let (value, by) = *other.terms.first()?;
    let whole = form.times_of(value);
    let q = (whole != 0 && whole % by == 0).then_some(whole / by)?;
    let rest = form.clone().plus(other, q.checked_neg()?)?;
    rest.constant().map(|r| (q, r))
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
        let Some(difference) = other.form.clone().plus(&one.form, -1) else { return false };
        let apart = |by: i128| by >= i128::from(one.size) || -by >= i128::from(other.size);
        match difference.terms.is_empty() {
            true => apart(difference.number),
            false => self.not_zero(one.block).iter().filter_map(|form| in_terms_of(&difference, form)).any(|(q, r)| {
                // Beyond that it is further away, on either side.
                let further = |m: i128| {
                    let by = (q * m).checked_add(r);
                    by.is_some_and(|by| apart(by) && (q * m).signum() == by.signum())
                };
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
        let (m, func) = (self.cx.m, self.cx.func);
        let mut form = Form::default();
        while let Some((Made::Element(base, offset), promise)) = integers::made(m, func, ptr)
            && promise.signed
        {
            form = form.plus(&Form::number(1), i128::from(offset.bytes))?;
            for (index, bytes) in offset.scaled {
                form = form.plus(&self.form(index, DEPTH), i128::from(bytes))?;
            }
            ptr = base;
        }
        Some((ptr, form))
    }

    fn kind(&self, operand: Operand) -> Option<&InstKind> {
        let inst = self.cx.func.def_inst(operand.local()?)?;
        Some(&self.cx.func.insts[inst].kind)
    }

    /// An integer, read with its sign. What is not taken apart is one value.
    fn form(&self, value: Operand, depth: usize) -> Form {
        match self.number(value) {
            Some(number) => Form::number(number),
            None => self.parts(value, depth).unwrap_or_else(|| Form::of(value)),
        }
    }

    fn parts(&self, value: Operand, depth: usize) -> Option<Form> {
        let depth = depth.checked_sub(1)?;
        let of = |value| self.form(value, depth);
        let (made, promise) = integers::made(self.cx.m, self.cx.func, value)?;
        match made {
            Made::Widened { of: value, reading, either } => (either || reading == Reading::Signed).then(|| of(value)),
            _ if !promise.signed => None,
            Made::Sum(lhs, rhs) => of(lhs).plus(&of(rhs), 1),
            Made::Difference(lhs, rhs) => of(lhs).plus(&of(rhs), -1),
            Made::Shifted(value, by) => Form::default().plus(&of(value), 1 << by),
            Made::Product(lhs, rhs) => match (of(lhs), of(rhs)) {
                (form, by) if by.terms.is_empty() => Form::default().plus(&form, by.number),
                (by, form) if by.terms.is_empty() => Form::default().plus(&form, by.number),
                _ => None,
            },
            Made::Narrowed(_) | Made::Element(..) => None,
        }
    }

    fn number(&self, operand: Operand) -> Option<i128> {
        integers::number(self.cx.m, operand).map(i128::from)
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
                let form = self.form(*lhs, DEPTH);
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
                    out.extend(form.plus(&self.form(*rhs, DEPTH), -1));
                }
            }
            _ => {}
        }
    }
}
