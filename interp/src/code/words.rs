//! What quick ops do with words of 64 bits: compare, divide, load and store them.

use crate::value::Leaf;
use ir::{FloatKind, IntPred};

/// How two words are compared, after a shift to the left that brings the sign to the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named as in the LangRef")]
pub enum Cmp {
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
}

/// An integer operation whose result is only reduced to its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named as in the LangRef")]
pub enum Int {
    UDiv,
    URem,
    SDiv,
    SRem,
}

/// Size of a memory access of an integer or number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "bits")]
pub enum Size {
    B8,
    B16,
    B32,
    B64,
}

impl Size {
    /// Bytes.
    #[inline]
    pub fn bytes(self) -> u64 {
        match self {
            Size::B8 => 1,
            Size::B16 => 2,
            Size::B32 => 4,
            Size::B64 => 8,
        }
    }

    /// The leaf that is accessed: a number (of single or double precision) or an integer.
    #[inline]
    pub fn leaf(self, number: bool) -> Leaf {
        match (self, number) {
            (Size::B32, true) => Leaf::Float(FloatKind::Float),
            (Size::B64, true) => Leaf::Float(FloatKind::Double),
            _ => Leaf::Int(8 * self.bytes() as u8),
        }
    }
}

/// A comparison, its operands in their order, and whether they are to be exchanged.
pub(super) fn compare(pred: IntPred, width: u8) -> (Cmp, u8, bool) {
    let shift = 64 - width;
    match pred {
        IntPred::Eq => (Cmp::Eq, 0, false),
        IntPred::Ne => (Cmp::Ne, 0, false),
        IntPred::Ult => (Cmp::Ult, 0, false),
        IntPred::Ugt => (Cmp::Ult, 0, true),
        IntPred::Ule => (Cmp::Ule, 0, false),
        IntPred::Uge => (Cmp::Ule, 0, true),
        IntPred::Slt => (Cmp::Slt, shift, false),
        IntPred::Sgt => (Cmp::Slt, shift, true),
        IntPred::Sle => (Cmp::Sle, shift, false),
        IntPred::Sge => (Cmp::Sle, shift, true),
    }
}

/// The size of an access of exactly a power of two of bytes.
pub(super) fn size(leaf: Leaf) -> Option<Size> {
    match leaf {
        Leaf::Int(8) => Some(Size::B8),
        Leaf::Int(16) => Some(Size::B16),
        Leaf::Int(32) | Leaf::Float(FloatKind::Float) => Some(Size::B32),
        Leaf::Int(64) | Leaf::Float(FloatKind::Double) => Some(Size::B64),
        _ => None,
    }
}
