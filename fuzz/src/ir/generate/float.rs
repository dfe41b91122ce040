//! Operations on numbers where anything may come out: infinities, NaN, denormals. Two things are left open by
//! LLVM and kept from showing: the bits of a NaN, and which zero is the smaller one for `minnum` and `maxnum`.

use super::Body;
use crate::ir::ty::{Elem, Ty};
use ir::{BinOp, CastOp, FastMath, FloatKind, FloatPred, InstKind, Operand};

/// Intrinsics of one operand that are exact or correctly rounded.
const UNARY: [&str; 9] = [
    "llvm.fabs",
    "llvm.sqrt",
    "llvm.floor",
    "llvm.ceil",
    "llvm.trunc",
    "llvm.rint",
    "llvm.nearbyint",
    "llvm.round",
    "llvm.roundeven",
];

/// What computes a number.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Arithmetic,
    Negate,
    Load,
    FromInt,
    Resize,
    Intrinsic,
    Rule,
    Select,
    Lanes,
    Bitcast,
}

/// Has the library functions of this format?
fn is_common(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::Float | FloatKind::Double)
}

impl Body<'_, '_> {
    /// How a number is computed. Those of programs that are differentiated come from no bits.
    pub(super) fn way(&mut self, ty: Ty, kind: FloatKind) -> Way {
        let common = is_common(kind);
        let odds = &self.odds.float;
        let when = |yes: bool, weight: u32| if yes { weight } else { 0 };
        let ways = [
            (odds.arithmetic, Way::Arithmetic),
            (odds.negate, Way::Negate),
            (odds.load, Way::Load),
            (odds.from_int, Way::FromInt),
            (odds.resize, Way::Resize),
            (when(common, odds.intrinsic), Way::Intrinsic),
            (when(common && ty.lanes.is_none(), odds.rule), Way::Rule),
            (odds.select, Way::Select),
            (when(common, odds.lanes), Way::Lanes),
            (when(!self.smooth, odds.bitcast), Way::Bitcast),
        ];
        self.c.weighted(&ways).unwrap_or(Way::Arithmetic)
    }

    /// A value of a floating-point type.
    pub(super) fn float(&mut self, ty: Ty, kind: FloatKind, depth: u32) -> Operand {
        let next = depth - 1;
        match self.way(ty, kind) {
            Way::Arithmetic => {
                let (a, b) = (self.value(ty, next), self.value(ty, next));
                let ops = [BinOp::FAdd, BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FMul, BinOp::FDiv, BinOp::FRem];
                let op = self.c.pick(&ops[..if is_common(kind) && ty.lanes.is_none() { 7 } else { 6 }]);
                self.b.binary(op.unwrap_or(BinOp::FAdd), ty, a, b)
            }
            Way::Negate => {
                let value = self.value(ty, next);
                let id = self.b.ty(ty);
                self.b.emit(InstKind::FNeg { fast: FastMath::default(), value }, id)
            }
            Way::Load => self.load_of(ty).unwrap_or_else(|| self.leaf(ty)),
            Way::FromInt => {
                // A conversion to `half` goes through `float` in code for machines without it: of what both hold,
                // exactly.
                let bits = if kind == FloatKind::Half { 10 } else { self.width() };
                let value = self.value(ty.of(Elem::Int(bits)), next);
                self.b.cast(if self.c.chance(50) { CastOp::SIToFP } else { CastOp::UIToFP }, ty, value)
            }
            Way::Resize => self.reformat(ty, kind, next),
            Way::Intrinsic => self.float_intrinsic(ty, next),
            Way::Rule => self.library(ty, kind, next),
            Way::Select => self.choose(ty, next),
            Way::Lanes => self.lanes(ty, next),
            Way::Bitcast => {
                let bits = self.value(ty.of(Elem::Int(kind.bits())), next);
                if kind == FloatKind::X86Fp80 {
                    // Most patterns of 80 bits are no numbers at all.
                    return self.b.cast(CastOp::SIToFP, ty, bits);
                }
                let raw = self.b.cast(CastOp::BitCast, ty, bits);
                self.no_nan(ty, raw)
            }
        }
    }

    /// The number, or 1.5 in the place of NaN.
    pub(super) fn no_nan(&mut self, ty: Ty, value: Operand) -> Operand {
        let nan = self.b.fcmp(FloatPred::Uno, ty, value, value);
        let (id, other) = (self.b.ty(ty), self.b.number(ty, 1.5));
        self.b.select(id, nan, other, value)
    }

    /// From another format.
    fn reformat(&mut self, ty: Ty, kind: FloatKind, depth: u32) -> Operand {
        let from = self.any_float();
        let Some(other) = from.kind().filter(|other| other.bits() != kind.bits()) else { return self.leaf(ty) };
        let from = ty.of(from.elem);
        let value = self.value(from, depth);
        self.b.cast(if other.bits() < kind.bits() { CastOp::FPExt } else { CastOp::FPTrunc }, ty, value)
    }

    fn float_intrinsic(&mut self, ty: Ty, depth: u32) -> Operand {
        let a = self.value(ty, depth);
        match self.c.index(9) {
            0..=3 => {
                let name = self.c.pick(&UNARY).unwrap_or(UNARY[0]);
                self.b.uniform(name, ty, vec![a])
            }
            4 => {
                let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                self.b.uniform("llvm.fma", ty, vec![a, b, c])
            }
            5 => {
                let sign = self.value(ty, depth);
                let sign = self.no_nan(ty, sign);
                self.b.uniform("llvm.copysign", ty, vec![a, sign])
            }
            6 => {
                let b = self.value(ty, depth);
                let name = if self.c.chance(50) { "llvm.minnum" } else { "llvm.maxnum" };
                let least = self.b.uniform(name, ty, vec![a, b]);
                let zero = self.b.number(ty, 0.0);
                self.b.binary(BinOp::FAdd, ty, least, zero)
            }
            7 => {
                let b = self.value(ty, depth);
                let name = if self.c.chance(50) { "llvm.minimum" } else { "llvm.maximum" };
                self.b.uniform(name, ty, vec![a, b])
            }
            _ if ty.lanes.is_none() => {
                let by = self.value(Ty::int(32), depth);
                let mask = self.b.i32(7);
                let by = self.b.binary(BinOp::And, Ty::int(32), by, mask);
                let (id, int) = (self.b.ty(ty), self.b.ty(Ty::int(32)));
                let name = format!("llvm.ldexp.{}.i32", ty.suffix());
                self.b.intrinsic(&name, id, &[id, int], vec![a, by])
            }
            _ => self.b.uniform(UNARY[0], ty, vec![a]),
        }
    }
}
