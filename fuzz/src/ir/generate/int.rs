//! Operations on integers of any width and vectors of them. What could be undefined or poison is kept out by
//! construction: amounts and divisors are brought into range, and where flags may not hold, the result is
//! chosen only where they do, so that poison is made and never used.

use super::Body;
use crate::ir::ty::{Elem, Ty};
use ir::{BinOp, CastOp, FastMath, InstKind, IntFlags, IntPred, Operand};

const ARITHMETIC: [BinOp; 6] = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::Or, BinOp::Xor];
const SHIFTS: [BinOp; 3] = [BinOp::Shl, BinOp::LShr, BinOp::AShr];
const DIVISIONS: [BinOp; 4] = [BinOp::UDiv, BinOp::URem, BinOp::SDiv, BinOp::SRem];

/// What computes an integer.
#[derive(Clone, Copy)]
enum Way {
    Arithmetic,
    Shift,
    Division,
    Resize,
    FromFloat,
    Intrinsic,
    Overflow,
    Compare,
    Select,
    Load,
    Lanes,
    Bitcast,
    Freeze,
    Distance,
}

impl Body<'_, '_> {
    /// A value of an integer type.
    pub(super) fn int(&mut self, ty: Ty, depth: u32) -> Operand {
        let odds = &self.odds.int;
        let ways = [
            (odds.arithmetic, Way::Arithmetic),
            (odds.shift, Way::Shift),
            (odds.division, Way::Division),
            (odds.resize, Way::Resize),
            (if self.smooth { 0 } else { odds.from_float }, Way::FromFloat),
            (odds.intrinsic, Way::Intrinsic),
            (odds.overflow, Way::Overflow),
            (odds.compare + if ty.bits() == 1 { 60 } else { 0 }, Way::Compare),
            (odds.select, Way::Select),
            (odds.load, Way::Load),
            (odds.lanes, Way::Lanes),
            (odds.bitcast, Way::Bitcast),
            (odds.freeze, Way::Freeze),
            (odds.distance, Way::Distance),
        ];
        let next = depth - 1;
        match self.c.weighted(&ways).unwrap_or(Way::Arithmetic) {
            Way::Arithmetic => self.arithmetic(ty, next),
            Way::Shift => self.shift(ty, next),
            Way::Division => self.division(ty, next),
            Way::Resize => self.resize(ty, next),
            Way::FromFloat => self.int_from_float(ty, next),
            Way::Intrinsic => self.int_intrinsic(ty, next),
            Way::Overflow => self.overflow(ty, next),
            Way::Compare => self.compare(ty, next),
            Way::Select => self.choose(ty, next),
            Way::Load => self.load_of(ty).unwrap_or_else(|| self.leaf(ty)),
            Way::Lanes => self.lanes(ty, next),
            Way::Bitcast => self.bitcast(ty, next),
            Way::Freeze => {
                let value = self.value(ty, next);
                let id = self.b.ty(ty);
                self.b.emit(InstKind::Freeze(value), id)
            }
            Way::Distance => self.distance(ty),
        }
    }

    fn arithmetic(&mut self, ty: Ty, depth: u32) -> Operand {
        let op = self.c.pick(&ARITHMETIC).unwrap_or(BinOp::Add);
        let (a, b) = (self.value(ty, depth), self.value(ty, depth));
        if !self.c.chance(self.odds.guarded) {
            return self.b.binary(op, ty, a, b);
        }
        match op {
            BinOp::Or => {
                // Disjoint where they have no bit in common.
                let both = self.b.binary(BinOp::And, ty, a, b);
                let zero = self.b.bits(ty, 0);
                let holds = self.b.icmp(IntPred::Eq, ty, both, zero);
                let flagged = self.b.flagged(op, ty, IntFlags { disjoint: true, ..IntFlags::default() }, a, b);
                self.where_it_holds(ty, holds, flagged, a)
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                let signed = self.c.chance(50);
                let fails = self.overflows(op, signed, ty, a, b).1;
                let flags = IntFlags { nsw: signed, nuw: !signed, ..IntFlags::default() };
                let flagged = self.b.flagged(op, ty, flags, a, b);
                let id = self.b.ty(ty);
                self.b.select(id, fails, a, flagged)
            }
            _ => self.b.binary(op, ty, a, b),
        }
    }

    fn where_it_holds(&mut self, ty: Ty, holds: Operand, value: Operand, otherwise: Operand) -> Operand {
        let id = self.b.ty(ty);
        self.b.select(id, holds, value, otherwise)
    }

    /// The result of an operation and whether it overflows.
    fn overflows(&mut self, op: BinOp, signed: bool, ty: Ty, a: Operand, b: Operand) -> (Operand, Operand) {
        let (id, bit) = (self.b.ty(ty), self.b.ty(ty.of(Elem::Int(1))));
        let pair = self.b.module.types.tuple(vec![id, bit]);
        let name = format!("llvm.{}{}.with.overflow.{}", if signed { 's' } else { 'u' }, op.name(), ty.suffix());
        let both = self.b.intrinsic(&name, pair, &[id, id], vec![a, b]);
        let result = self.b.emit(InstKind::ExtractValue { aggregate: both, indices: vec![0] }, id);
        let fails = self.b.emit(InstKind::ExtractValue { aggregate: both, indices: vec![1] }, bit);
        (result, fails)
    }

    fn overflow(&mut self, ty: Ty, depth: u32) -> Operand {
        let op = self.c.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul]).unwrap_or(BinOp::Add);
        let (a, b) = (self.value(ty, depth), self.value(ty, depth));
        let signed = self.c.chance(50);
        let (result, fails) = self.overflows(op, signed, ty, a, b);
        let other = self.leaf(ty);
        let id = self.b.ty(ty);
        self.b.select(id, fails, other, result)
    }

    /// An amount below the width.
    fn amount(&mut self, ty: Ty, depth: u32) -> Operand {
        let bits = u128::from(ty.bits());
        let amount = self.value(ty, depth);
        // The width itself may not fit into the type.
        if bits.is_power_of_two() {
            let mask = self.b.bits(ty, bits - 1);
            return self.b.binary(BinOp::And, ty, amount, mask);
        }
        let width = self.b.bits(ty, bits);
        self.b.binary(BinOp::URem, ty, amount, width)
    }

    fn shift(&mut self, ty: Ty, depth: u32) -> Operand {
        let op = self.c.pick(&SHIFTS).unwrap_or(BinOp::Shl);
        let a = self.value(ty, depth);
        if self.c.chance(self.odds.guarded) && ty.bits() > 1 {
            return self.guarded_shift(op, ty, a, depth);
        }
        let amount = self.amount(ty, depth);
        self.b.binary(op, ty, a, amount)
    }

    /// A shift by any amount, with flags, used where it is no poison.
    fn guarded_shift(&mut self, op: BinOp, ty: Ty, a: Operand, depth: u32) -> Operand {
        let id = self.b.ty(ty);
        if self.c.chance(40) {
            // Too far is poison.
            let amount = self.value(ty, depth);
            let last = self.b.bits(ty, u128::from(ty.bits() - 1));
            let fits = self.b.icmp(IntPred::Ule, ty, amount, last);
            let shifted = self.b.binary(op, ty, a, amount);
            return self.b.select(id, fits, shifted, a);
        }
        let amount = self.amount(ty, depth);
        let shifted = self.b.binary(op, ty, a, amount);
        let signed = self.c.chance(50);
        let (back, flags) = match op {
            BinOp::Shl if signed => (BinOp::AShr, IntFlags { nsw: true, ..IntFlags::default() }),
            BinOp::Shl => (BinOp::LShr, IntFlags { nuw: true, ..IntFlags::default() }),
            _ => (BinOp::Shl, IntFlags { exact: true, ..IntFlags::default() }),
        };
        let back = self.b.binary(back, ty, shifted, amount);
        let holds = self.b.icmp(IntPred::Eq, ty, back, a);
        let flagged = self.b.flagged(op, ty, flags, a, amount);
        self.b.select(id, holds, flagged, a)
    }

    fn division(&mut self, ty: Ty, depth: u32) -> Operand {
        let op = self.c.pick(&DIVISIONS).unwrap_or(BinOp::UDiv);
        let signed = matches!(op, BinOp::SDiv | BinOp::SRem);
        if ty.bits() == 1 && signed {
            return self.compare(ty, depth);
        }
        let (a, b) = (self.value(ty, depth), self.value(ty, depth));
        let id = self.b.ty(ty);
        let one = self.b.bits(ty, 1);
        // Neither zero nor, of a signed division, minus one. No choice of vectors: where one of both divides by a
        // vector with a zero, InstSimplify of LLVM 19 takes the other for all lanes.
        let divisor = match self.c.chance(50) || ty.lanes.is_some() {
            true if signed => {
                let half = self.b.binary(BinOp::LShr, ty, b, one);
                self.b.binary(BinOp::Or, ty, half, one)
            }
            true => self.b.binary(BinOp::Or, ty, b, one),
            false => {
                let shifted = if signed { self.b.binary(BinOp::Add, ty, b, one) } else { b };
                let limit = self.b.bits(ty, if signed && ty.bits() > 1 { 2 } else { 1 });
                let bad = self.b.icmp(IntPred::Ult, ty, shifted, limit);
                self.b.select(id, bad, one, b)
            }
        };
        let exact = matches!(op, BinOp::UDiv | BinOp::SDiv) && self.c.chance(self.odds.guarded);
        if !exact {
            return self.b.binary(op, ty, a, divisor);
        }
        // Not by the remainder: beside an exact division of the same operands, SelectionDAG of LLVM 19 takes it for
        // zero.
        let quotient = self.b.binary(op, ty, a, divisor);
        let back = self.b.binary(BinOp::Mul, ty, quotient, divisor);
        let holds = self.b.icmp(IntPred::Eq, ty, back, a);
        let flagged = self.b.flagged(op, ty, IntFlags { exact: true, ..IntFlags::default() }, a, divisor);
        self.b.select(id, holds, flagged, a)
    }

    /// From a narrower or a wider integer.
    fn resize(&mut self, ty: Ty, depth: u32) -> Operand {
        let bits = self.width();
        let from = ty.of(Elem::Int(bits));
        let id = self.b.ty(ty);
        let value = self.value(from, depth);
        let guarded = self.c.chance(self.odds.guarded);
        if bits == ty.bits() {
            return value;
        }
        let flagged = |op, flags| InstKind::Cast { op, flags, fast: FastMath::default(), value };
        if bits > ty.bits() {
            let plain = self.b.cast(CastOp::Trunc, ty, value);
            if !guarded {
                return plain;
            }
            let signed = self.c.chance(50);
            let back = self.b.cast(if signed { CastOp::SExt } else { CastOp::ZExt }, from, plain);
            let holds = self.b.icmp(IntPred::Eq, from, back, value);
            let flags = IntFlags { nsw: signed, nuw: !signed, ..IntFlags::default() };
            let cut = self.b.emit(flagged(CastOp::Trunc, flags), id);
            let other = self.leaf(ty);
            return self.b.select(id, holds, cut, other);
        }
        if self.c.chance(50) {
            return self.b.cast(CastOp::SExt, ty, value);
        }
        if !guarded {
            return self.b.cast(CastOp::ZExt, ty, value);
        }
        let zero = self.b.bits(from, 0);
        let holds = self.b.icmp(IntPred::Sge, from, value, zero);
        let flags = IntFlags { nneg: true, ..IntFlags::default() };
        let wide = self.b.emit(flagged(CastOp::ZExt, flags), id);
        let other = self.leaf(ty);
        self.b.select(id, holds, wide, other)
    }

    /// A comparison, or its bit in a wider integer.
    pub(super) fn compare(&mut self, ty: Ty, depth: u32) -> Operand {
        let bit = ty.of(Elem::Int(1));
        let made = match self.c.index(if self.smooth { 5 } else { 8 }) {
            0..=4 => {
                let bits = self.width();
                let of = ty.of(Elem::Int(bits));
                let (a, b) = (self.value(of, depth), self.value(of, depth));
                let pred = self.c.pick(&IntPred::ALL).unwrap_or(IntPred::Eq);
                self.b.icmp(pred, of, a, b)
            }
            5 => {
                let of = ty.of(self.any_float().elem);
                let value = self.value(of, depth);
                // Both kinds of NaN or neither: which of them an operation makes is left open.
                let mask = self.c.int(0, 255) as u32;
                let mask = mask << 2 | if self.c.chance(50) { 3 } else { 0 };
                let (id, of_id, int) = (self.b.ty(bit), self.b.ty(of), self.b.ty(Ty::int(32)));
                let mask = self.b.i32(mask);
                let name = format!("llvm.is.fpclass.{}", of.suffix());
                self.b.intrinsic(&name, id, &[of_id, int], vec![value, mask])
            }
            _ => {
                let of = ty.of(self.any_float().elem);
                let (a, b) = (self.value(of, depth), self.value(of, depth));
                let pred = self.c.pick(&ir::FloatPred::ALL).unwrap_or(ir::FloatPred::Oeq);
                self.b.fcmp(pred, of, a, b)
            }
        };
        if ty.bits() == 1 {
            return made;
        }
        self.b.cast(if self.c.chance(50) { CastOp::ZExt } else { CastOp::SExt }, ty, made)
    }

    /// A number as an integer; what does not fit is saturated, or replaced before the conversion.
    fn int_from_float(&mut self, ty: Ty, depth: u32) -> Operand {
        let from = ty.of(self.any_float().elem);
        let value = self.value(from, depth);
        let (id, from_id) = (self.b.ty(ty), self.b.ty(from));
        let signed = self.c.chance(50);
        let common = from.kind().is_some_and(|k| matches!(k, ir::FloatKind::Float | ir::FloatKind::Double));
        if common && self.c.chance(60) {
            let name = format!("llvm.fpto{}i.sat.{}.{}", if signed { 's' } else { 'u' }, ty.suffix(), from.suffix());
            return self.b.intrinsic(&name, id, &[from_id], vec![value]);
        }
        // Within what a byte, or fewer bits, can hold.
        let most = f64::from((1u32 << ty.bits().saturating_sub(1).min(7)) - 1);
        let (low, high) = (self.b.number(from, 0.0), self.b.number(from, most));
        let above = self.b.fcmp(ir::FloatPred::Oge, from, value, low);
        let below = self.b.fcmp(ir::FloatPred::Ole, from, value, high);
        let inside = self.b.binary(BinOp::And, from.of(Elem::Int(1)), above, below);
        if self.c.chance(50) {
            // Outside, the conversion is poison.
            let converted = self.b.cast(if signed { CastOp::FPToSI } else { CastOp::FPToUI }, ty, value);
            let other = self.leaf(ty);
            return self.b.select(id, inside, converted, other);
        }
        let value = self.b.select(from_id, inside, value, high);
        self.b.cast(if signed { CastOp::FPToSI } else { CastOp::FPToUI }, ty, value)
    }

    fn int_intrinsic(&mut self, ty: Ty, depth: u32) -> Operand {
        let bits = ty.bits();
        let a = self.value(ty, depth);
        let id = self.b.ty(ty);
        match self.c.index(12) {
            0 => self.b.uniform("llvm.ctpop", ty, vec![a]),
            1 | 2 => {
                let name = if self.c.chance(50) { "ctlz" } else { "cttz" };
                let poison = self.c.chance(self.odds.guarded);
                let flag = self.b.bits(Ty::BIT, u128::from(poison));
                let bit = self.b.ty(Ty::BIT);
                let name = format!("llvm.{name}.{}", ty.suffix());
                let count = self.b.intrinsic(&name, id, &[id, bit], vec![a, flag]);
                if !poison {
                    return count;
                }
                let zero = self.b.bits(ty, 0);
                let none = self.b.icmp(IntPred::Eq, ty, a, zero);
                self.b.select(id, none, zero, count)
            }
            3 if bits.is_multiple_of(16) => self.b.uniform("llvm.bswap", ty, vec![a]),
            3 | 4 => self.b.uniform("llvm.bitreverse", ty, vec![a]),
            5 => {
                let (b, amount) = (self.value(ty, depth), self.value(ty, depth));
                let name = if self.c.chance(50) { "llvm.fshl" } else { "llvm.fshr" };
                self.b.uniform(name, ty, vec![a, b, amount])
            }
            6 | 7 => {
                let b = self.value(ty, depth);
                let names = ["llvm.sadd.sat", "llvm.uadd.sat", "llvm.ssub.sat", "llvm.usub.sat"];
                let name = self.c.pick(&names).unwrap_or(names[0]);
                self.b.uniform(name, ty, vec![a, b])
            }
            8 => {
                let amount = self.amount(ty, depth);
                let name = if self.c.chance(50) { "llvm.sshl.sat" } else { "llvm.ushl.sat" };
                self.b.uniform(name, ty, vec![a, amount])
            }
            9 => {
                let b = self.value(ty, depth);
                let name = self.c.pick(&["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"]).unwrap_or("llvm.smin");
                self.b.uniform(name, ty, vec![a, b])
            }
            10 => {
                let poison = self.c.chance(self.odds.guarded);
                let flag = self.b.bits(Ty::BIT, u128::from(poison));
                let bit = self.b.ty(Ty::BIT);
                let size = self.b.intrinsic(&format!("llvm.abs.{}", ty.suffix()), id, &[id, bit], vec![a, flag]);
                let least = self.b.bits(ty, 1 << (bits - 1));
                let none = self.b.icmp(IntPred::Eq, ty, a, least);
                self.b.select(id, none, a, size)
            }
            _ if bits >= 2 => {
                let of = ty.of(Elem::Int(self.width()));
                let (a, b) = (self.value(of, depth), self.value(of, depth));
                let of_id = self.b.ty(of);
                let name = if self.c.chance(50) { "scmp" } else { "ucmp" };
                let name = format!("llvm.{name}.{}.{}", ty.suffix(), of.suffix());
                self.b.intrinsic(&name, id, &[of_id, of_id], vec![a, b])
            }
            _ => a,
        }
    }

    /// The distance between two cells of one array, in bytes.
    fn distance(&mut self, ty: Ty) -> Operand {
        let word = Ty::int(64);
        let Some(array) = self.some_array() else { return self.leaf(ty) };
        if ty.lanes.is_some() {
            return self.leaf(ty);
        }
        let (a, b) = (self.cell(&array), self.cell(&array));
        let (a, b) = (self.b.cast(CastOp::PtrToInt, word, a), self.b.cast(CastOp::PtrToInt, word, b));
        let apart = self.b.binary(BinOp::Sub, word, a, b);
        match ty.bits().cmp(&64) {
            std::cmp::Ordering::Less => self.b.cast(CastOp::Trunc, ty, apart),
            std::cmp::Ordering::Equal => apart,
            std::cmp::Ordering::Greater => self.b.cast(CastOp::SExt, ty, apart),
        }
    }
}
