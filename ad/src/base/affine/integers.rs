//! What an integer or an address is made of, as numbers without a width.
//!
//! One instruction is taken apart at a time ([`made`]), and it is said what it *promises* ([`Promise`]): read with its
//! sign or without one, the result is what the parts give as integers, or it would be poison (LangRef, "nsw", "nuw",
//! "disjoint", "nneg", "inbounds"). Who asks says what they need. Modulo 2⁶⁴, as addresses are added up, 64 bits need no
//! promise at all.
//!
//! This is the planner's only reading of integer arithmetic; its checker has one of its own ([`crate::check`]).

use ir::gep::{Offset, signed};
use ir::{BinOp, CastOp, Function, InstKind, Module, Operand, Type};

/// How a value that is narrower than an address is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    Signed,
    Unsigned,
}

/// In which readings an instruction gives the number that its parts give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    pub signed: bool,
    pub unsigned: bool,
}

impl Promise {
    const BOTH: Promise = Promise { signed: true, unsigned: true };

    /// Does it hold as the value is read? One of 64 bits, which is not read in one way, needs none.
    pub fn holds(self, reading: Option<Reading>) -> bool {
        match reading {
            None => true,
            Some(Reading::Signed) => self.signed,
            Some(Reading::Unsigned) => self.unsigned,
        }
    }
}

/// What an integer or an address is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Made {
    Sum(Operand, Operand),
    Difference(Operand, Operand),
    Product(Operand, Operand),
    /// A number of bits further up.
    Shifted(Operand, u32),
    /// The same number in more bits, of one that is read so. If `either`, it is not negative.
    Widened {
        of: Operand,
        reading: Reading,
        either: bool,
    },
    /// The low bits.
    Narrowed(Operand),
    /// An address, and bytes; whole numbers of bytes are promised by "inbounds".
    Element(Operand, Offset),
}

/// What a value is made of, where that is arithmetic.
pub fn made(m: &Module, func: &Function, value: Operand) -> Option<(Made, Promise)> {
    let inst = func.def_inst(value.local()?)?;
    match &func.insts[inst].kind {
        InstKind::Binary { op, lhs, rhs, flags, .. } => {
            let promise = Promise { signed: flags.nsw, unsigned: flags.nuw };
            match op {
                BinOp::Add => Some((Made::Sum(*lhs, *rhs), promise)),
                // Without any carry (LangRef, `or`, "disjoint").
                BinOp::Or if flags.disjoint => Some((Made::Sum(*lhs, *rhs), Promise::BOTH)),
                BinOp::Sub => Some((Made::Difference(*lhs, *rhs), promise)),
                BinOp::Mul => Some((Made::Product(*lhs, *rhs), promise)),
                BinOp::Shl => {
                    let by = u32::try_from(m.as_int(*rhs)?).ok()?;
                    let bits = u32::try_from(m.size_of(func.insts[inst].ty) * 8).ok()?;
                    (by < bits).then_some((Made::Shifted(*lhs, by), promise))
                }
                _ => None,
            }
        }
        InstKind::Cast { op: CastOp::SExt, value, .. } => {
            let made = Made::Widened { of: *value, reading: Reading::Signed, either: false };
            Some((made, Promise { signed: true, unsigned: false }))
        }
        InstKind::Cast { op: CastOp::ZExt, value, flags, .. } => {
            Some((Made::Widened { of: *value, reading: Reading::Unsigned, either: flags.nneg }, Promise::BOTH))
        }
        InstKind::Cast { op: CastOp::Trunc, value, flags, .. } => {
            Some((Made::Narrowed(*value), Promise { signed: flags.nsw, unsigned: flags.nuw }))
        }
        InstKind::Gep { elem_ty, flags, base, indices, .. } => {
            let offset = ir::gep::offset(m, *elem_ty, indices)?;
            Some((Made::Element(*base, offset), Promise { signed: flags.inbounds, unsigned: flags.inbounds }))
        }
        _ => None,
    }
}

/// The number that a constant is, read with its sign.
pub fn number(m: &Module, operand: Operand) -> Option<i64> {
    m.as_int(operand).map(|bits| signed(m, operand, bits))
}

/// An integer as wide as an address.
pub fn is_wide(m: &Module, func: &Function, operand: Operand) -> bool {
    matches!(m.types.get(m.operand_ty(func, operand)), Type::Int(64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(inst: &str) -> Option<(Made, Promise)> {
        let text = format!("define void @f(ptr %p, i64 %i, i32 %j, i8 %k) {{\n  %q = {inst}\n  ret void\n}}\n");
        let m = ir::parse(&text, "test").expect("the test's IR parses");
        let f = m.functions.values().next()?;
        let (_, inst) = f.inst_order().next()?;
        made(&m, f, Operand::Local(f.insts[inst].result?))
    }

    #[test]
    fn a_promise_is_for_the_reading_that_the_flag_names() {
        let readings = |inst: &str| {
            let (_, promise) = of(inst)?;
            Some([None, Some(Reading::Signed), Some(Reading::Unsigned)].map(|reading| promise.holds(reading)))
        };
        assert_eq!(readings("add i32 %j, 1"), Some([true, false, false]));
        assert_eq!(readings("add nsw i32 %j, 1"), Some([true, true, false]));
        assert_eq!(readings("mul nuw i32 %j, 3"), Some([true, false, true]));
        assert_eq!(readings("or disjoint i32 %j, 1"), Some([true, true, true]));
        assert_eq!(readings("or i32 %j, 1"), None);
        assert_eq!(readings("sext i32 %j to i64"), Some([true, true, false]));
        assert_eq!(readings("zext i32 %j to i64"), Some([true, true, true]));
        assert_eq!(readings("getelementptr inbounds double, ptr %p, i64 %i"), Some([true, true, true]));
        assert_eq!(readings("getelementptr double, ptr %p, i64 %i"), Some([true, false, false]));
    }

    #[test]
    fn shifts_by_a_number_that_the_type_has_are_products() {
        assert!(matches!(of("shl nsw i32 %j, 3"), Some((Made::Shifted(_, 3), _))));
        assert_eq!(of("shl i8 %k, 8"), None);
        assert_eq!(of("shl i64 %i, %i"), None);
        assert_eq!(of("lshr i64 %i, 1"), None);
    }
}
