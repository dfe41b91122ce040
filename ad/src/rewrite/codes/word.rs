//! Words of bits: what each bit of an integer is in terms of the bits of a float, for either sign of the float.
//!
//! The sign of a float is constant in a neighbourhood of all points but zero, so each word is written down twice, with
//! the sign as a constant: a mask that is made of the sign is a constant then, and a choice by the sign has one answer.

use ir::{BinOp, IntPred};

/// Bits of the widest word.
const MAX_BITS: usize = 64;

/// One bit of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bit {
    /// A constant.
    Known(bool),
    /// A bit of the float's significand or exponent, perhaps turned round.
    Of {
        /// Which one, from the lowest.
        index: u8,
        /// It is turned round.
        flipped: bool,
    },
    /// Anything.
    Any,
}

/// The bits of an integer, the lowest first; for floats that are not negative, and for those that are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word([Vec<Bit>; 2]);

impl Word {
    /// The bits of the float itself.
    pub fn identity(bits: u32) -> Word {
        let own = |sign: bool| {
            let of = |index| Bit::Of { index: index as u8, flipped: false };
            (0..bits - 1).map(of).chain([Bit::Known(sign)]).collect()
        };
        Word([own(false), own(true)])
    }

    /// A constant.
    pub fn constant(value: u128, bits: u32) -> Word {
        let each: Vec<Bit> = (0..bits).map(|i| Bit::Known(value >> i & 1 == 1)).collect();
        Word([each.clone(), each])
    }

    /// An integer of which nothing is known.
    pub fn any(bits: u32) -> Word {
        Word([vec![Bit::Any; bits as usize], vec![Bit::Any; bits as usize]])
    }

    /// Its width.
    pub fn bits(&self) -> u32 {
        self.0[0].len() as u32
    }

    /// Is each bit of the float but its sign there once, and nothing else but a bit that is known?
    pub fn is_whole(&self) -> bool {
        self.0.iter().all(|bits| {
            let mut seen = [false; MAX_BITS];
            let mut whole = true;
            for bit in bits {
                if let Bit::Of { index, .. } = bit {
                    whole &= !std::mem::replace(&mut seen[usize::from(*index)], true);
                }
            }
            let known = bits.iter().filter(|bit| matches!(bit, Bit::Known(_))).count();
            whole && known == 1 && !bits.contains(&Bit::Any)
        })
    }

    /// Is it the float itself?
    pub fn is_identity(&self) -> bool {
        *self == Word::identity(self.bits())
    }

    /// Does it hold a bit of the float?
    pub fn depends(&self) -> bool {
        self.0.iter().flatten().any(|bit| matches!(bit, Bit::Of { .. }))
    }

    /// The values it has if it depends on the sign alone.
    fn values(&self) -> Option<[u128; 2]> {
        let value = |bits: &Vec<Bit>| {
            bits.iter().enumerate().try_fold(0u128, |sum, (i, bit)| match bit {
                Bit::Known(one) => Some(sum | u128::from(*one) << i),
                _ => None,
            })
        };
        Some([value(&self.0[0])?, value(&self.0[1])?])
    }

    fn map(&self, f: impl Fn(&[Bit]) -> Vec<Bit>) -> Word {
        Word([f(&self.0[0]), f(&self.0[1])])
    }

    fn zip(&self, other: &Word, f: impl Fn(Bit, Bit) -> Bit) -> Word {
        let each = |sign: usize| self.0[sign].iter().zip(&other.0[sign]).map(|(a, b)| f(*a, *b)).collect();
        Word([each(0), each(1)])
    }

    /// `trunc`, `zext`, or `sext`.
    pub fn resized(&self, bits: u32, signed: bool) -> Word {
        self.map(|word| {
            let fill = if signed { word.last().copied().unwrap_or(Bit::Any) } else { Bit::Known(false) };
            (0..bits as usize).map(|i| word.get(i).copied().unwrap_or(fill)).collect()
        })
    }

    /// Bytes from the last to the first (`llvm.bswap`).
    pub fn swapped(&self) -> Word {
        self.map(|word| word.chunks(8).rev().flatten().copied().collect())
    }

    /// Bits from the last to the first (`llvm.bitreverse`).
    pub fn reversed(&self) -> Word {
        self.map(|word| word.iter().rev().copied().collect())
    }

    /// The upper half of this word with another one below, moved to the left (`llvm.fshl`).
    pub fn funnel_left(&self, low: &Word, by: u32) -> Word {
        let bits = self.bits() as usize;
        let both = |sign: usize| -> Vec<Bit> {
            let both: Vec<Bit> = low.0[sign].iter().chain(&self.0[sign]).copied().collect();
            let first = bits - by as usize % bits;
            both[first..first + bits].to_vec()
        };
        Word([both(0), both(1)])
    }

    /// The result of an operation on integers.
    pub fn binary(op: BinOp, lhs: &Word, rhs: &Word) -> Word {
        let bits = lhs.bits();
        let known = |f: fn(u128, u128) -> u128| {
            let (Some(a), Some(b)) = (lhs.values(), rhs.values()) else { return Word::any(bits) };
            let of = |sign: usize| Word::constant(f(a[sign], b[sign]), bits).0[0].clone();
            Word([of(0), of(1)])
        };
        match op {
            BinOp::And => lhs.zip(rhs, |a, b| match (a, b) {
                (Bit::Known(false), _) | (_, Bit::Known(false)) => Bit::Known(false),
                (Bit::Known(true), other) | (other, Bit::Known(true)) => other,
                (a, b) if a == b => a,
                _ => Bit::Any,
            }),
            BinOp::Or => lhs.zip(rhs, |a, b| match (a, b) {
                (Bit::Known(true), _) | (_, Bit::Known(true)) => Bit::Known(true),
                (Bit::Known(false), other) | (other, Bit::Known(false)) => other,
                (a, b) if a == b => a,
                _ => Bit::Any,
            }),
            BinOp::Xor => lhs.zip(rhs, |a, b| match (a, b) {
                (Bit::Known(a), Bit::Known(b)) => Bit::Known(a != b),
                (Bit::Known(turn), Bit::Of { index, flipped }) | (Bit::Of { index, flipped }, Bit::Known(turn)) => {
                    Bit::Of { index, flipped: flipped != turn }
                }
                (Bit::Of { index, flipped: f }, Bit::Of { index: other, flipped: g }) if index == other => {
                    Bit::Known(f != g)
                }
                _ => Bit::Any,
            }),
            // Without a carry a sum is a union.
            BinOp::Add if Word::are_disjoint(lhs, rhs) => Word::binary(BinOp::Or, lhs, rhs),
            BinOp::Add => known(u128::wrapping_add),
            BinOp::Sub => known(u128::wrapping_sub),
            BinOp::Mul => known(u128::wrapping_mul),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => match rhs.values() {
                Some([by, other]) if by == other && by < u128::from(bits) => lhs.shifted(op, by as usize),
                _ => Word::any(bits),
            },
            _ => Word::any(bits),
        }
    }

    fn are_disjoint(lhs: &Word, rhs: &Word) -> bool {
        let mut pairs = lhs.0.iter().flatten().zip(rhs.0.iter().flatten());
        pairs.all(|(a, b)| *a == Bit::Known(false) || *b == Bit::Known(false))
    }

    fn shifted(&self, op: BinOp, by: usize) -> Word {
        self.map(|word| {
            let zero = std::iter::repeat_n(Bit::Known(false), by);
            match op {
                BinOp::Shl => zero.chain(word.iter().copied()).take(word.len()).collect(),
                BinOp::LShr => word.iter().copied().skip(by).chain(zero).collect(),
                _ => {
                    let sign = word.last().copied().unwrap_or(Bit::Any);
                    word.iter().copied().skip(by).chain(std::iter::repeat_n(sign, by)).collect()
                }
            }
        })
    }

    /// The truth of a comparison, where it depends on the sign alone.
    pub fn compared(pred: IntPred, lhs: &Word, rhs: &Word) -> Word {
        let answer = |sign: usize| -> Bit {
            let (a, b) = (&lhs.0[sign], &rhs.0[sign]);
            let signed = matches!(pred, IntPred::Slt | IntPred::Sle | IntPred::Sgt | IntPred::Sge);
            // The highest bit of an unsigned number counts for, of a signed one against it.
            let mut found = Some(std::cmp::Ordering::Equal);
            for (i, (a, b)) in a.iter().zip(b).enumerate().rev() {
                match (a, b) {
                    (Bit::Known(a), Bit::Known(b)) if a == b => {}
                    (Bit::Known(a), Bit::Known(b)) => {
                        let top = signed && i + 1 == lhs.0[sign].len();
                        found = Some(if top { b.cmp(a) } else { a.cmp(b) });
                        break;
                    }
                    (Bit::Of { .. }, _) if a == b => {}
                    _ => {
                        // Against all zeros or all ones, one side of the comparison is still known.
                        let top = signed && i + 1 == lhs.0[sign].len();
                        let bound = || Word::bound(pred, &lhs.0[sign][..=i], &rhs.0[sign][..=i]);
                        found = if top { None } else { bound() };
                        break;
                    }
                }
            }
            found.map_or(Bit::Any, |order| Bit::Known(holds(pred, order)))
        };
        Word([vec![answer(0)], vec![answer(1)]])
    }

    /// The order of two words whose lower bits are not known, where it does not matter: nothing is below zero, and
    /// nothing above all ones.
    fn bound(pred: IntPred, lhs: &[Bit], rhs: &[Bit]) -> Option<std::cmp::Ordering> {
        use std::cmp::Ordering::{Greater, Less};
        let all = |bits: &[Bit], value: bool| bits.iter().all(|bit| *bit == Bit::Known(value));
        match pred {
            IntPred::Ult | IntPred::Slt if all(rhs, false) || all(lhs, true) => Some(Greater),
            IntPred::Uge | IntPred::Sge if all(rhs, false) || all(lhs, true) => Some(Greater),
            IntPred::Ugt | IntPred::Sgt if all(rhs, true) || all(lhs, false) => Some(Less),
            IntPred::Ule | IntPred::Sle if all(rhs, true) || all(lhs, false) => Some(Less),
            _ => None,
        }
    }

    /// One of two words by a truth.
    pub fn chosen(truth: &Word, if_true: &Word, if_false: &Word) -> Word {
        let each = |sign: usize| match truth.0[sign][0] {
            Bit::Known(true) => if_true.0[sign].clone(),
            Bit::Known(false) => if_false.0[sign].clone(),
            _ if if_true.0[sign] == if_false.0[sign] => if_true.0[sign].clone(),
            _ => vec![Bit::Any; if_true.0[sign].len()],
        };
        Word([each(0), each(1)])
    }
}

fn holds(pred: IntPred, order: std::cmp::Ordering) -> bool {
    match pred {
        IntPred::Eq => order.is_eq(),
        IntPred::Ne => order.is_ne(),
        IntPred::Ult | IntPred::Slt => order.is_lt(),
        IntPred::Ule | IntPred::Sle => order.is_le(),
        IntPred::Ugt | IntPred::Sgt => order.is_gt(),
        IntPred::Uge | IntPred::Sge => order.is_ge(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word of eight bits on a float of eight bits, evaluated.
    fn value(word: &Word, float: u8) -> Option<u8> {
        let sign = usize::from(float >> 7);
        word.0[sign].iter().enumerate().try_fold(0u8, |sum, (i, bit)| {
            let one = match bit {
                Bit::Known(one) => *one,
                Bit::Of { index, flipped } => (float >> index & 1 == 1) != *flipped,
                Bit::Any => return None,
            };
            Some(sum | u8::from(one) << i)
        })
    }

    #[test]
    fn words_are_what_the_operations_compute() {
        let x = Word::identity(8);
        let constants = [0u8, 1, 0x80, 0x7f, 0xff, 0x5a];
        type Op = (BinOp, fn(u8, u8) -> u8);
        let ops: [Op; 8] = [
            (BinOp::And, |a, b| a & b),
            (BinOp::Or, |a, b| a | b),
            (BinOp::Xor, |a, b| a ^ b),
            (BinOp::Add, u8::wrapping_add),
            (BinOp::Sub, u8::wrapping_sub),
            (BinOp::Shl, |a, b| if b < 8 { a << b } else { 0 }),
            (BinOp::LShr, |a, b| if b < 8 { a >> b } else { 0 }),
            (BinOp::AShr, |a, b| if b < 8 { (a as i8 >> b) as u8 } else { 0 }),
        ];
        let mut told = 0;
        for (op, f) in ops {
            for c in constants {
                let constant = Word::constant(c.into(), 8);
                for (lhs, rhs) in [(&x, &constant), (&constant, &x), (&x, &x)] {
                    let word = Word::binary(op, lhs, rhs);
                    for float in 0..=255u8 {
                        let [Some(a), Some(b)] = [value(lhs, float), value(rhs, float)] else { panic!() };
                        if let Some(found) = value(&word, float) {
                            assert_eq!(found, f(a, b), "{op:?} {a} {b}");
                            told += 1;
                        }
                    }
                }
            }
        }
        assert!(told > 10_000, "{told}");
    }

    #[test]
    fn comparisons_are_those_of_the_numbers() {
        let x = Word::identity(8);
        type Pred = (IntPred, fn(u8, u8) -> bool);
        let preds: [Pred; 10] = [
            (IntPred::Eq, |a, b| a == b),
            (IntPred::Ne, |a, b| a != b),
            (IntPred::Ult, |a, b| a < b),
            (IntPred::Ule, |a, b| a <= b),
            (IntPred::Ugt, |a, b| a > b),
            (IntPred::Uge, |a, b| a >= b),
            (IntPred::Slt, |a, b| (a as i8) < b as i8),
            (IntPred::Sle, |a, b| a as i8 <= b as i8),
            (IntPred::Sgt, |a, b| a as i8 > b as i8),
            (IntPred::Sge, |a, b| a as i8 >= b as i8),
        ];
        let mut told = 0;
        for (pred, f) in preds {
            for c in [0u8, 1, 0x7f, 0x80, 0x81, 0xff] {
                let constant = Word::constant(c.into(), 8);
                for (lhs, rhs) in [(&x, &constant), (&constant, &x)] {
                    let word = Word::compared(pred, lhs, rhs);
                    for float in 0..=255u8 {
                        let [Some(a), Some(b)] = [value(lhs, float), value(rhs, float)] else { panic!() };
                        if let Some(found) = value(&word, float) {
                            assert_eq!(found == 1, f(a, b), "{pred:?} {a} {b}");
                            told += 1;
                        }
                    }
                }
            }
        }
        assert!(told > 3_000, "{told}");
    }

    #[test]
    fn a_key_that_keeps_the_order_is_undone() {
        // u ^ (u >> 63 ? ~0 : 1 << 63), and back.
        let [zero, top, ones] = [0u128, 0x80, 0xff].map(|c| Word::constant(c, 8));
        let x = Word::identity(8);
        let negative = |w: &Word| Word::compared(IntPred::Slt, w, &zero);
        let key = Word::binary(BinOp::Xor, &x, &Word::chosen(&negative(&x), &ones, &top));
        assert!(key.is_whole() && !key.is_identity());
        let back = Word::binary(BinOp::Xor, &key, &Word::chosen(&negative(&key), &top, &ones));
        assert!(back.is_identity());
        let wrong = Word::binary(BinOp::Xor, &key, &Word::chosen(&negative(&key), &ones, &top));
        assert!(!wrong.is_identity());
    }

    #[test]
    fn what_loses_a_bit_is_not_whole() {
        let x = Word::identity(16);
        let by = |n: u128| Word::constant(n, 16);
        let halves = |n: u128| {
            let (high, low) = (Word::binary(BinOp::Shl, &x, &by(n)), Word::binary(BinOp::LShr, &x, &by(16 - n)));
            Word::binary(BinOp::Or, &high, &low)
        };
        assert!(halves(5).is_whole() && halves(5) == x.funnel_left(&x, 5));
        // A sign that is lost is a constant; a bit of the exponent is not.
        assert!(Word::binary(BinOp::Shl, &x, &by(1)).is_whole());
        assert!(!Word::binary(BinOp::Shl, &x, &by(2)).is_whole());
        assert!(!x.resized(8, false).resized(16, false).is_whole());
        assert!(x.swapped().is_whole() && x.swapped().swapped().is_identity());
        assert!(x.reversed().is_whole() && x.reversed().reversed().is_identity());
    }
}
