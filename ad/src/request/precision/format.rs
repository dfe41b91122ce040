//! Formats of floating-point numbers, and rounding to them.
//!
//! A format that LLVM has is computed in as it is. One that it has not (6 bits of exponent and 9 of significand, say)
//! is computed in as the format of the program, with each result rounded: to nearest, ties to even, with infinities,
//! signed zeros and subnormal numbers (IEEE 754-2019, 4.3.1 and 7.4). For the basic operations that is the correctly
//! rounded result, if the program's format has 2p + 2 bits of significand where the other has p (Figueroa 1995).

use crate::base::builder::Builder;
use crate::base::names;
use ir::{BinOp, CastOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, InstKind, Module, Operand, TypeId};

/// A binary format: bits of the exponent, and of the significand without its leading one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Format {
    pub exponent: u32,
    pub significand: u32,
}

/// The binary interchange formats by their widths (IEEE 754-2019, 3.6), and that of x87.
const BY_WIDTH: [(u128, FloatKind); 5] = [
    (16, FloatKind::Half),
    (32, FloatKind::Float),
    (64, FloatKind::Double),
    (80, FloatKind::X86Fp80),
    (128, FloatKind::Fp128),
];

/// The type of that many bits.
pub(super) fn of_width(bits: u128) -> Option<FloatKind> {
    BY_WIDTH.iter().find(|(width, _)| *width == bits).map(|(_, kind)| *kind)
}

impl Format {
    /// That of a type.
    pub fn of(kind: FloatKind) -> Format {
        let (exponent, significand) = kind.format();
        Format { exponent, significand }
    }

    /// The type that has it, and that processors and run-time libraries convert to; not all do so to `bfloat`.
    pub fn kind(self) -> Option<FloatKind> {
        FloatKind::ALL.into_iter().find(|kind| *kind != FloatKind::BFloat && Format::of(*kind) == self)
    }

    /// Are all its numbers numbers of the other format?
    pub fn is_within(self, other: Format) -> bool {
        self.exponent <= other.exponent && self.significand <= other.significand
    }
}

/// A function that rounds a `float` or `double` to a format that no type has.
pub(super) fn rounding(m: &mut Module, from: FloatKind, to: Format) -> FuncId {
    let name = format!("__adj_round_{}_to_{}_{}", from.suffix(), to.exponent, to.significand);
    let float = m.types.float(from);
    let mut f = match names::internal(m, &name, float, &[float]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    f.attrs = f.attrs.flag("nounwind");
    let mut b = Rounding { b: Builder::new(m, f), from, float };
    let value = b.b.f.param(0);
    let result = b.rounded(value, to);
    b.b.effect(InstKind::Ret(Some(result)));
    let f = b.b.f;
    m.functions.push(f)
}

/// Writes such a function.
struct Rounding<'m> {
    b: Builder<'m>,
    from: FloatKind,
    float: TypeId,
}

impl Rounding<'_> {
    fn rounded(&mut self, value: Operand, to: Format) -> Operand {
        let own = Format::of(self.from);
        let magnitude = self.absolute(value);
        let normal = self.with_significand(value, own.significand - to.significand);
        let bias = (1i32 << (to.exponent - 1)) - 1;
        // What is rounded beyond the largest finite number is infinite (7.4).
        let largest = (2.0 - 2f64.powi(-(to.significand as i32))) * 2f64.powi(bias);
        let [largest, infinity] = [largest, f64::INFINITY].map(|number| self.number(number));
        let infinity = self.with_sign(infinity, value);
        let size = self.absolute(normal);
        let over = self.compare(FloatPred::Ogt, size, largest);
        let normal = self.b.select(over, infinity, normal);
        // Below the least normal number, numbers are apart by the same distance: the last bit of what is added there.
        let least = 1 - bias;
        let ruler = 2f64.powi(own.significand as i32 + least - to.significand as i32);
        let [ruler, least] = [ruler, 2f64.powi(least)].map(|number| self.number(number));
        let sum = self.b.binary(BinOp::FAdd, magnitude, ruler);
        let small = self.b.binary(BinOp::FSub, sum, ruler);
        let small = self.with_sign(small, value);
        let under = self.compare(FloatPred::Olt, magnitude, least);
        let result = self.b.select(under, small, normal);
        let is_nan = self.compare(FloatPred::Uno, value, value);
        self.b.select(is_nan, value, result)
    }

    /// Rounded to a significand with fewer bits, to nearest, ties to even: a carry goes over into the exponent.
    fn with_significand(&mut self, value: Operand, dropped: u32) -> Operand {
        if dropped == 0 {
            return value;
        }
        let width = self.from.bits();
        let int = self.b.m.types.int(width);
        let bits = self.b.cast(CastOp::BitCast, value, int);
        let [shift, one, below, kept] =
            [u128::from(dropped), 1, (1u128 << (dropped - 1)) - 1, ((1u128 << width) - 1) & !((1u128 << dropped) - 1)]
                .map(|number| self.b.m.int(width, number));
        let shifted = self.b.binary(BinOp::LShr, bits, shift);
        let last = self.b.binary(BinOp::And, shifted, one);
        let half = self.b.binary(BinOp::Add, below, last);
        let carried = self.b.binary(BinOp::Add, bits, half);
        let cut = self.b.binary(BinOp::And, carried, kept);
        self.b.cast(CastOp::BitCast, cut, self.float)
    }

    /// A constant of the program's format.
    fn number(&mut self, number: f64) -> Operand {
        let bits = match self.from {
            FloatKind::Float => u128::from((number as f32).to_bits()),
            _ => u128::from(number.to_bits()),
        };
        self.b.m.constant(self.float, ConstKind::Float(bits))
    }

    fn compare(&mut self, pred: FloatPred, lhs: Operand, rhs: Operand) -> Operand {
        let truth = self.b.m.types.int(1);
        self.b.value(InstKind::FCmp { pred, fast: FastMath::default(), lhs, rhs }, truth)
    }

    fn absolute(&mut self, value: Operand) -> Operand {
        self.masked(value, |sign| sign - 1)
    }

    /// A number that is not negative, with the sign of another one.
    fn with_sign(&mut self, magnitude: Operand, of: Operand) -> Operand {
        let width = self.from.bits();
        let int = self.b.m.types.int(width);
        let sign = self.masked(of, |sign| sign);
        let [sign, magnitude] = [sign, magnitude].map(|value| self.b.cast(CastOp::BitCast, value, int));
        let mask = self.b.m.int(width, (1u128 << (width - 1)) - 1);
        let magnitude = self.b.binary(BinOp::And, magnitude, mask);
        let both = self.b.binary(BinOp::Or, sign, magnitude);
        self.b.cast(CastOp::BitCast, both, self.float)
    }

    /// Some of the bits, by a mask made from the bit of the sign.
    fn masked(&mut self, value: Operand, mask: impl FnOnce(u128) -> u128) -> Operand {
        let width = self.from.bits();
        let int = self.b.m.types.int(width);
        let mask = self.b.m.int(width, mask(1 << (width - 1)));
        let bits = self.b.cast(CastOp::BitCast, value, int);
        let cut = self.b.binary(BinOp::And, bits, mask);
        self.b.cast(CastOp::BitCast, cut, self.float)
    }
}
