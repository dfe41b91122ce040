//! Mantissas that get another exponent by integer arithmetic on the bits of a float: `frexp` and `ldexp` by hand.
//!
//! A normal number is ±2ᵉ·(1 + f/2ᵐ), whose fraction f are its lowest m bits (IEEE 754-2019, 3.4). Logarithms take
//! numbers apart by putting f behind another exponent, exponentials put a power of two on by a sum. With u(x) for the
//! bits of x without f, a power of two:
//!
//! | bits | float |
//! |---|---|
//! | `(x & fraction) \| c`, `(x & ~exponent) \| c` | z = u(z)·(x / u(x)) |
//! | `x + c`, `x - c` | z = u(x ± c)·(x / u(x)) |
//!
//! where the m lowest bits of c are zero; where c is computed from sign and exponent of a sum of x's bits and a
//! constant, that sum is written as one of these, with what the fraction carries decided by a comparison. Quotient and
//! product are exact, so the bits are the same, and the slope is z/x. c and u(z) are powers of two: constant between
//! jumps, also where they are computed from the bits of x. Below the normal numbers 1 + f/2ᵐ is 1 + |x|·2ᵇ⁻¹, with the
//! bias b; where z has no exponent it is u·f/2ᵐ, with the least normal number u. (Only the bits of a NaN are not those
//! of the integers.)

use crate::analysis::memory::{Facts, lane_bits, lanes};
use crate::base::blocks::{before, bitcast};
use crate::normalise::sources::Sources;
use crate::rewrite::bits::signs::{absolute, carried_float};
use ir::{
    BinOp, CastOp, ConstKind, FastMath, FuncId, Function, InstId, InstKind, IntFlags, IntPred, Module, Operand, Type,
    TypeId,
};

/// Bits of `x` go on into the result: all of its fraction, and what else `kept` says.
struct Rescaled {
    x: Operand,
    kept: u128,
    op: BinOp,
    exponent: Operand,
    float: TypeId,
}

/// The bits of `x` and a constant, added or subtracted; of that nothing but sign and exponent is used.
struct Sum {
    value: Operand,
    x: Operand,
    op: BinOp,
    constant: u128,
}

/// The parts of a format.
#[derive(Clone, Copy)]
struct Format {
    bits: u32,
    fraction: u32,
}

impl Format {
    fn of(m: &Module, ty: TypeId) -> Option<Format> {
        match m.types.get(m.types.scalar(ty)) {
            Type::Int(32) => Some(Format { bits: 32, fraction: 23 }),
            Type::Int(64) => Some(Format { bits: 64, fraction: 52 }),
            _ => None,
        }
    }

    fn all(self) -> u128 {
        (1 << self.bits) - 1
    }

    fn fraction_mask(self) -> u128 {
        (1 << self.fraction) - 1
    }

    fn exponent_mask(self) -> u128 {
        self.all() >> 1 & !self.fraction_mask()
    }

    /// The bits of 1.
    fn one(self) -> u128 {
        self.all() >> 2 & !self.fraction_mask()
    }

    /// The bits of 2ᵇ⁻¹, which makes the least normal number 1.
    fn to_normal(self) -> u128 {
        self.exponent_mask() - (2 << self.fraction)
    }
}

/// Writes such arithmetic as operations on floats; says whether there was any.
pub fn rewrite(m: &mut Module, sources: &mut Sources, facts: &Facts) -> bool {
    let mut any = false;
    for (id, func) in sources.iter_mut() {
        for block in func.layout.clone() {
            let mut out = Vec::new();
            for inst in func.blocks[block].insts.clone() {
                if let Some((sum, float)) = exponent_of_sum(m, facts, *id, func, inst)
                    && let Some(format) = Format::of(m, func.insts[inst].ty)
                {
                    let mut writer = Writer { m, func, inst, format, float, out: &mut out };
                    any |= writer.replace_sum(&sum).is_some();
                }
                if let Some(rescaled) = recognise(m, facts, *id, func, inst)
                    && is_read_as_float(m, func, inst)
                    && let Some(format) = Format::of(m, func.insts[inst].ty)
                {
                    let mut writer = Writer { m, func, inst, format, float: rescaled.float, out: &mut out };
                    any |= writer.replace(&rescaled).is_some();
                }
                out.push(inst);
            }
            func.blocks[block].insts = out;
        }
    }
    any
}

/// Does a cast make a float of the result, or is it changed further?
fn is_read_as_float(m: &Module, func: &Function, inst: InstId) -> bool {
    let Some(result) = func.insts[inst].result.map(Operand::Local) else { return false };
    let InstKind::Binary { .. } = func.insts[inst].kind else { return false };
    func.inst_order().map(|(_, i)| &func.insts[i]).any(|user| match user.kind {
        InstKind::Cast { op: CastOp::BitCast, value, .. } => {
            value == result && m.types.float_kind(m.types.scalar(user.ty)).is_some()
        }
        InstKind::Binary { op: BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, lhs, rhs, .. } => {
            lhs == result || rhs == result
        }
        _ => false,
    })
}

fn recognise(m: &mut Module, facts: &Facts, id: FuncId, func: &Function, inst: InstId) -> Option<Rescaled> {
    let data = &func.insts[inst];
    let InstKind::Binary { op, lhs, rhs, .. } = data.kind else { return None };
    let format = Format::of(m, data.ty)?;
    let pairs: &[(Operand, Operand)] = match op {
        BinOp::Or | BinOp::Xor | BinOp::Add => &[(lhs, rhs), (rhs, lhs)],
        BinOp::Sub => &[(lhs, rhs)],
        _ => return None,
    };
    for (source, exponent) in pairs {
        // Nor may it be computed from such bits in a way that nobody sees through.
        if !has_no_fraction(m, func, *exponent, format, 0) || facts.has_active_bits(id, *exponent) {
            continue;
        }
        let masked = masked(m, func, *source, format)
            .filter(|(_, mask)| mask & format.fraction_mask() == format.fraction_mask());
        // The sign alone, set or turned round, is a matter of `signs`.
        let (x, kept) = match (masked, op) {
            (Some(found), _) => found,
            (None, BinOp::Add | BinOp::Sub) => (*source, format.all()),
            _ => continue,
        };
        if facts.is_active(id, x)
            && let Some(float) = carried_float(m, facts, id, data.ty, format.bits, x)
        {
            return Some(Rescaled { x, kept, op, exponent: *exponent, float });
        }
    }
    None
}

/// Does an instruction use sign and exponent alone of a sum of an active float's bits and a constant?
fn exponent_of_sum(m: &mut Module, facts: &Facts, id: FuncId, func: &Function, inst: InstId) -> Option<(Sum, TypeId)> {
    let ty = func.insts[inst].ty;
    let format = Format::of(m, ty)?;
    let value = match func.insts[inst].kind {
        InstKind::Binary { op: BinOp::And, lhs, rhs, .. } => {
            let (value, mask) = [(lhs, rhs), (rhs, lhs)]
                .into_iter()
                .find_map(|(value, mask)| Some((value, lane_bits::uniform(m, func, mask, format.bits)?)))?;
            (mask & format.fraction_mask() == 0).then_some(value)?
        }
        InstKind::Binary { op: BinOp::LShr | BinOp::AShr, lhs, rhs, .. } => {
            let by = lanes::uniform(m, rhs)?;
            (u128::from(format.fraction)..u128::from(format.bits)).contains(&by).then_some(lhs)?
        }
        _ => return None,
    };
    let InstKind::Binary { op: op @ (BinOp::Add | BinOp::Sub), lhs, rhs, .. } =
        func.insts[func.def_inst(value.local()?)?].kind
    else {
        return None;
    };
    let constant = lane_bits::uniform(m, func, rhs, format.bits)?;
    let float = carried_float(m, facts, id, ty, format.bits, lhs).filter(|_| facts.is_active(id, lhs))?;
    Some((Sum { value, x: lhs, op, constant }, float))
}

/// The operand and the mask of an `and`.
fn masked(m: &Module, func: &Function, value: Operand, format: Format) -> Option<(Operand, u128)> {
    match func.insts[func.def_inst(value.local()?)?].kind {
        InstKind::Binary { op: BinOp::And, lhs, rhs, .. } => [(lhs, rhs), (rhs, lhs)]
            .into_iter()
            .find_map(|(x, mask)| Some((x, lane_bits::uniform(m, func, mask, format.bits)?))),
        _ => None,
    }
}

/// Are the lowest bits zero, which stand for the fraction?
fn has_no_fraction(m: &Module, func: &Function, value: Operand, format: Format, depth: u32) -> bool {
    const MAX_DEPTH: u32 = 4;
    let clear = |mask: u128| mask & format.fraction_mask() == 0;
    if let Some(constant) = lane_bits::uniform(m, func, value, format.bits) {
        return clear(constant);
    }
    let Some(inst) = value.local().and_then(|v| func.def_inst(v)).filter(|_| depth < MAX_DEPTH) else { return false };
    let has_none = |value| has_no_fraction(m, func, value, format, depth + 1);
    match func.insts[inst].kind {
        InstKind::Binary { op: BinOp::And | BinOp::Mul, lhs, rhs, .. } => has_none(lhs) || has_none(rhs),
        InstKind::Binary { op: BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, lhs, rhs, .. } => {
            has_none(lhs) && has_none(rhs)
        }
        InstKind::Binary { op: BinOp::Shl, rhs, .. } => lanes::uniform(m, rhs)
            .is_some_and(|by| (u128::from(format.fraction)..u128::from(format.bits)).contains(&by)),
        _ => false,
    }
}

/// Instructions before one that is replaced.
struct Writer<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    inst: InstId,
    format: Format,
    float: TypeId,
    out: &'a mut Vec<InstId>,
}

impl Writer<'_> {
    fn replace(&mut self, rescaled: &Rescaled) -> Option<()> {
        let (format, ints) = (self.format, self.func.insts[self.inst].ty);
        let (x, number) = (rescaled.x, self.cast(rescaled.x)?);
        let exponent = self.and(x, format.exponent_mask())?;
        let (small, special) = (self.is(exponent, 0)?, self.is(exponent, format.exponent_mask())?);
        // Fractions of normal numbers; elsewhere the divisor is 1, so that the slope of what is not chosen stays
        // finite.
        let one = self.number(format.one());
        let unit = self.and(x, format.all() & !format.fraction_mask())?;
        let unit = self.cast(unit)?;
        let unit = self.choose(small, one, unit)?;
        let unit = self.choose(special, one, unit)?;
        let normal = self.float_op(BinOp::FDiv, number, unit)?;
        // Below them.
        let call = absolute(self.m, number, self.float)?;
        let size = self.add(call, self.float)?;
        let to_normal = self.number(format.to_normal());
        let fraction = self.float_op(BinOp::FMul, size, to_normal)?;
        let subnormal = self.float_op(BinOp::FAdd, one, fraction)?;
        let significand = self.choose(small, subnormal, normal)?;
        let significand = self.choose(special, one, significand)?;
        // The new power of two.
        let kept = self.and(x, rescaled.kept & !format.fraction_mask())?;
        let exponent = rescaled.exponent;
        let bits = self.int_op(rescaled.op, kept, exponent, ints)?;
        let power = self.cast(bits)?;
        let large = self.float_op(BinOp::FMul, power, significand)?;
        // Without an exponent the fraction alone counts.
        let sign = self.and(bits, 1 << (format.bits - 1))?;
        let least = self.bits(1 << format.fraction);
        let least = self.int_op(BinOp::Or, sign, least, ints)?;
        let least = self.cast(least)?;
        let fraction = self.float_op(BinOp::FSub, significand, one)?;
        let tiny = self.float_op(BinOp::FMul, least, fraction)?;
        let exponent = self.and(bits, format.exponent_mask())?;
        let is_tiny = self.is(exponent, 0)?;
        let result = self.choose(is_tiny, tiny, large)?;
        self.func.insts[self.inst].kind = bitcast(result);
        Some(())
    }

    /// A sum of bits and a constant without its fraction: that of the parts above it, and what the fractions carry.
    fn replace_sum(&mut self, sum: &Sum) -> Option<()> {
        let (format, ints) = (self.format, self.func.insts[self.inst].ty);
        let fraction = sum.constant & format.fraction_mask();
        let above = self.and(sum.x, format.all() & !format.fraction_mask())?;
        let constant = self.bits(sum.constant - fraction);
        let mut result = self.int_op(sum.op, above, constant, ints)?;
        if fraction != 0 {
            let (pred, limit) = match sum.op {
                BinOp::Add => (IntPred::Uge, (1 << format.fraction) - fraction),
                _ => (IntPred::Ult, fraction),
            };
            let (own, limit) = (self.and(sum.x, format.fraction_mask())?, self.bits(limit));
            let truth = self.m.types.truth(ints);
            let carries = self.add(InstKind::ICmp { pred, lhs: own, rhs: limit }, truth)?;
            let (carry, none) = (self.bits(1 << format.fraction), self.bits(0));
            let choice = InstKind::Select { fast: FastMath::default(), cond: carries, if_true: carry, if_false: none };
            let carry = self.add(choice, ints)?;
            result = self.int_op(sum.op, result, carry, ints)?;
        }
        match &mut self.func.insts[self.inst].kind {
            InstKind::Binary { lhs, rhs, .. } => {
                [lhs, rhs].into_iter().filter(|o| **o == sum.value).for_each(|o| *o = result);
            }
            _ => return None,
        }
        Some(())
    }

    fn add(&mut self, kind: InstKind, ty: TypeId) -> Option<Operand> {
        before(self.func, self.inst, kind, ty, self.out)
    }

    /// The bits as a float.
    fn cast(&mut self, value: Operand) -> Option<Operand> {
        self.add(bitcast(value), self.float)
    }

    fn int_op(&mut self, op: BinOp, lhs: Operand, rhs: Operand, ty: TypeId) -> Option<Operand> {
        self.add(InstKind::Binary { op, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs }, ty)
    }

    fn float_op(&mut self, op: BinOp, lhs: Operand, rhs: Operand) -> Option<Operand> {
        self.int_op(op, lhs, rhs, self.float)
    }

    fn and(&mut self, value: Operand, mask: u128) -> Option<Operand> {
        if mask == 0 {
            return Some(self.bits(0));
        }
        let mask = self.bits(mask);
        self.int_op(BinOp::And, value, mask, self.func.insts[self.inst].ty)
    }

    fn is(&mut self, value: Operand, constant: u128) -> Option<Operand> {
        let ty = self.m.types.truth(self.float);
        let rhs = self.bits(constant);
        self.add(InstKind::ICmp { pred: IntPred::Eq, lhs: value, rhs }, ty)
    }

    fn choose(&mut self, cond: Operand, if_true: Operand, if_false: Operand) -> Option<Operand> {
        self.add(InstKind::Select { fast: FastMath::default(), cond, if_true, if_false }, self.float)
    }

    /// An integer constant in every lane.
    fn bits(&mut self, value: u128) -> Operand {
        let ty = self.func.insts[self.inst].ty;
        self.constant(ty, ConstKind::Int(value))
    }

    /// A number in every lane.
    fn number(&mut self, bits: u128) -> Operand {
        self.constant(self.float, ConstKind::Float(bits))
    }

    fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Operand {
        let scalar = self.m.types.scalar(ty);
        let one = self.m.constant(scalar, kind);
        match (self.m.types.get(ty), one) {
            (Type::Vector { len, .. }, Operand::Const(c)) => {
                let all = vec![c; *len as usize];
                self.m.constant(ty, ConstKind::Aggregate(all))
            }
            _ => one,
        }
    }
}
