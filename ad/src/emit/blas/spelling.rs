//! How operands of routines that have few values are passed: as numbers in one spelling, as letters in another.

use rules::blas::Kind;

/// CBLAS: matrices by rows, by columns.
pub(super) const ROWS: u128 = 101;

pub(super) const COLUMNS: u128 = 102;

/// The values of a flag that is not set and of one that is: in CBLAS, in Fortran.
pub(super) fn spelled(kind: Kind) -> ([u128; 2], [u8; 2]) {
    match kind {
        Kind::Transposed => ([111, 112], *b"NT"),
        Kind::Lower => ([121, 122], *b"UL"),
        Kind::Right => ([141, 142], *b"LR"),
        _ => ([131, 132], *b"NU"),
    }
}
