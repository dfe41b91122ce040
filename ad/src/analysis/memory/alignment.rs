//! What an integer is a multiple of, so that a pointer that moves by `8·n` bytes, or by the distance of two others that
//! stand on elements, moves by whole elements.
//!
//! Granger's congruences again (1989), here of integers and with residue zero: a divisor of every value the operand may
//! take; 0 if it is always zero. Overflow is left out of account: an offset that overflows leaves its object.

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjKind, Targets};
use crate::analysis::memory::place::{Place, gcd};
use ir::gep::signed;
use ir::{BinOp, CastOp, FuncId, Function, InstKind, Module, Operand, ValueDef, ValueId};

/// Instructions followed back.
const MAX_DEPTH: usize = 12;

impl Facts {
    /// A divisor of the operand's values.
    pub(super) fn divisor(&mut self, m: &Module, id: FuncId, func: &Function, operand: Operand) -> u64 {
        self.divisor_of(m, (id, func), operand, &mut Vec::new())
    }

    fn divisor_of(&mut self, m: &Module, at: (FuncId, &Function), operand: Operand, path: &mut Vec<ValueId>) -> u64 {
        let Some(v) = operand.local() else {
            return m.as_int(operand).map_or(1, |value| signed(m, operand, value).unsigned_abs());
        };
        if path.contains(&v) {
            // Around a loop: whatever the other ways say.
            return 0;
        }
        let Some(inst) = at.1.def_inst(v).filter(|_| path.len() < MAX_DEPTH) else { return 1 };
        path.push(v);
        let mut of = |facts: &mut Facts, o: Operand| facts.divisor_of(m, at, o, path);
        let out = match &at.1.insts[inst].kind {
            InstKind::Binary { op: BinOp::Add | BinOp::Sub, lhs, rhs, .. } => {
                match (address(at.1, *lhs), address(at.1, *rhs)) {
                    (Some(a), Some(b)) => self.distance(m, at.0, a, b),
                    (None, None) => gcd(of(self, *lhs), of(self, *rhs)),
                    _ => 1,
                }
            }
            InstKind::Binary { op: BinOp::Mul, lhs, rhs, .. } => of(self, *lhs).saturating_mul(of(self, *rhs)),
            InstKind::Binary { op: BinOp::Shl, lhs, rhs, .. } => match m.as_int(*rhs) {
                Some(by) if by < 32 => of(self, *lhs).saturating_mul(1 << by),
                // The high half is left out, as where an index of 32 bits is made one of 64.
                Some(by) if by < 64 => match of(self, *lhs) {
                    0 => 0,
                    d => 1 << (d.trailing_zeros() + by as u32).min(63),
                },
                _ => of(self, *lhs),
            },
            InstKind::Binary { op: BinOp::AShr | BinOp::LShr, lhs, rhs, .. } => match m.as_int(*rhs) {
                Some(by) if by < 64 => quotient(of(self, *lhs), 1 << by),
                _ => 1,
            },
            InstKind::Binary { op: BinOp::SDiv | BinOp::UDiv, lhs, rhs, .. } => match m.as_int(*rhs) {
                Some(by) if by > 0 && by < 1 << 32 => quotient(of(self, *lhs), by as u64),
                _ => 1,
            },
            InstKind::Binary { op: BinOp::And, rhs, .. } => match m.as_int(*rhs) {
                Some(mask) if mask != 0 => 1 << mask.trailing_zeros().min(12),
                _ => 1,
            },
            InstKind::Cast { op: CastOp::SExt, value, .. } | InstKind::Freeze(value) => of(self, *value),
            // Of what wraps around, only powers of two are sure.
            InstKind::Cast { op: CastOp::ZExt | CastOp::Trunc, value, .. } => match of(self, *value) {
                0 => 0,
                d => 1 << d.trailing_zeros().min(12),
            },
            InstKind::Select { if_true, if_false, .. } => gcd(of(self, *if_true), of(self, *if_false)),
            InstKind::Phi { incoming, .. } => incoming.iter().fold(0, |d, (o, _)| gcd(d, of(self, *o))),
            InstKind::Call(call) => {
                let name = m.as_function(call.callee).map_or("", |f| m.functions[f].name.as_str());
                let extremum =
                    ["llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax."].iter().any(|p| name.starts_with(p));
                if extremum { call.args.iter().fold(0, |d, o| gcd(d, of(self, *o))) } else { 1 }
            }
            _ => 1,
        };
        path.pop();
        out
    }

    /// Where the difference of two addresses may lead, added to an integer: nowhere, if both are of one object; from
    /// one object into another, where the first is of an object that the second is not of.
    pub(super) fn difference(
        &mut self,
        m: &Module,
        id: FuncId,
        func: &Function,
        [a, b]: [Operand; 2],
    ) -> Option<Targets> {
        let (a, b) = (address(func, a)?, address(func, b)?);
        let (mut a, b) = (self.targets(m, id, a), self.targets(m, id, b));
        a.retain(|object, _| !b.contains_key(object));
        Some(a)
    }

    /// A divisor of the distance of two pointers into the same object. Memory of the caller may be one object under two
    /// names. Of two objects' addresses the distance leads from one to the other, where nothing may be reached by it
    /// (LangRef, "Pointer Aliasing Rules"); while the analysis runs it is not known yet.
    fn distance(&mut self, m: &Module, id: FuncId, a: Operand, b: Operand) -> u64 {
        let (a, b): (Targets, Targets) = (self.targets(m, id, a), self.targets(m, id, b));
        let outside =
            |t: &Targets| t.keys().filter(|o| matches!(self.objects[**o].kind, ObjKind::External { .. })).count();
        let common: Vec<(Place, Place)> = a.iter().filter_map(|(o, p)| Some((*p, *b.get(o)?))).collect();
        let aliased = outside(&a) > 0 && outside(&b) > 0 && (outside(&a) > 1 || outside(&b) > 1 || common.is_empty());
        if aliased {
            return 1;
        }
        let steps = |p: Place| gcd(p.stride, gcd(p.step, p.outer_step));
        common.into_iter().fold(0, |d, (p, q)| gcd(gcd(d, p.start.abs_diff(q.start)), gcd(steps(p), steps(q))))
    }
}

/// The pointer whose address an integer is, or each element of a vector.
fn address(func: &Function, operand: Operand) -> Option<Operand> {
    match &func.insts[func.def_inst(operand.local()?)?].kind {
        InstKind::Cast { op: CastOp::PtrToInt, value, .. } => Some(*value),
        InstKind::Freeze(value) => address(func, *value),
        // One element, repeated.
        InstKind::ShuffleVector { a, mask, .. } if mask.iter().all(|from| from.is_none_or(|from| from == 0)) => {
            match &func.insts[func.def_inst(a.local()?)?].kind {
                InstKind::InsertElement { value, .. } => address(func, *value),
                _ => None,
            }
        }
        _ => None,
    }
}

fn quotient(divisor: u64, by: u64) -> u64 {
    match divisor {
        0 => 0,
        d if d.is_multiple_of(by) => d / by,
        _ => 1,
    }
}

/// Is an integer an address, perhaps moved or tagged? Parameters and results of calls are if they point anywhere.
pub(super) fn is_address(func: &Function, value: Operand) -> bool {
    let (mut work, mut seen) = (vec![value], Vec::new());
    while let Some(operand) = work.pop() {
        let Some(v) = operand.local().filter(|v| !seen.contains(v)) else { continue };
        seen.push(v);
        let Some(inst) = func.def_inst(v).map(|at| &func.insts[at].kind) else {
            if matches!(func.values[v].def, ValueDef::Param(_)) {
                return true;
            }
            continue;
        };
        match inst {
            InstKind::Cast { op: CastOp::PtrToInt, .. } | InstKind::Call(_) => return true,
            InstKind::Binary { op: BinOp::Add | BinOp::And | BinOp::Or | BinOp::Xor, lhs, rhs, .. } => {
                work.extend([*lhs, *rhs]);
            }
            // The distance of two addresses is none.
            InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } if rhs.local().is_none() => work.push(*lhs),
            InstKind::Phi { incoming, .. } => work.extend(incoming.iter().map(|(o, _)| *o)),
            InstKind::Select { if_true, if_false, .. } => work.extend([*if_true, *if_false]),
            InstKind::Freeze(o) => work.push(*o),
            _ => {}
        }
    }
    false
}
