//! Bits of the `flags` of an operation.

/// No unsigned wrap.
pub const NUW: u8 = 1;
/// No signed wrap.
pub const NSW: u8 = 2;
/// Exact division or shift.
pub const EXACT: u8 = 4;
/// `or disjoint`
pub const DISJOINT: u8 = 8;
/// The operand is not negative.
pub const NNEG: u8 = 16;
/// `inbounds` of an address computation.
pub const INBOUNDS: u8 = 32;
/// `nusw` of an address computation.
pub const NUSW: u8 = 64;
/// Poison if an operand or the result is a NaN.
pub const NNAN: u8 = 1;
/// Poison if an operand or the result is infinite.
pub const NINF: u8 = 2;
