//! Basic types and operations by their numbers in `mpi.h`: a type is its kind times 256, and its size.

use crate::outcome::{Fault, Res, UbKind};

/// `MPI_BYTE`, `MPI_PACKED`: they match every type.
const ANY: [i64; 2] = [4, 30];

/// The first number of an operation of the program's own.
pub const FIRST_OWN_OPERATION: i64 = 100;

/// What the numbers in a buffer are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Signed,
    Unsigned,
    Float,
    /// A number and an `int` behind it: of that kind and size.
    WithIndex(bool, usize),
}

/// Bytes of a type.
pub fn size(ty: i64) -> Res<u64> {
    let size = ty & 0xff;
    if size == 0 || !(1..=40).contains(&(ty >> 8)) {
        return Err(Fault::ub(UbKind::Library, format!("{ty} is no type of MPI")));
    }
    Ok(size as u64)
}

/// What the addresses of numbers of a type are multiples of: their size, or that of the number before an index.
pub fn alignment(ty: i64) -> u64 {
    match kind(ty) {
        Ok(Kind::WithIndex(_, width)) => width as u64,
        _ => size(ty).unwrap_or(1),
    }
}

/// May data of one type be received as the other?
pub fn agree(sent: i64, received: i64) -> bool {
    sent == received || ANY.contains(&(sent >> 8)) || ANY.contains(&(received >> 8))
}

/// A type's name.
pub fn name(ty: i64) -> &'static str {
    match ty >> 8 {
        1 => "MPI_CHAR",
        2 => "MPI_SIGNED_CHAR",
        3 => "MPI_UNSIGNED_CHAR",
        4 => "MPI_BYTE",
        5 => "MPI_SHORT",
        6 => "MPI_UNSIGNED_SHORT",
        7 => "MPI_INT",
        8 => "MPI_UNSIGNED",
        9 => "MPI_LONG",
        10 => "MPI_UNSIGNED_LONG",
        11 => "MPI_LONG_LONG",
        12 => "MPI_UNSIGNED_LONG_LONG",
        13 => "MPI_FLOAT",
        14 => "MPI_DOUBLE",
        16 => "MPI_C_BOOL",
        20 => "MPI_INT8_T",
        21 => "MPI_INT16_T",
        22 => "MPI_INT32_T",
        23 => "MPI_INT64_T",
        24 => "MPI_UINT8_T",
        25 => "MPI_UINT16_T",
        26 => "MPI_UINT32_T",
        27 => "MPI_UINT64_T",
        30 => "MPI_PACKED",
        31 => "MPI_FLOAT_INT",
        32 => "MPI_DOUBLE_INT",
        33 => "MPI_2INT",
        34 => "MPI_LONG_INT",
        _ if ty >> 40 != 0 => "records of several types",
        _ => "another type",
    }
}

/// What the numbers of a type are, to be reduced.
pub fn kind(ty: i64) -> Res<Kind> {
    Ok(match ty >> 8 {
        1 | 2 | 5 | 7 | 9 | 11 | 20..=23 => Kind::Signed,
        3 | 4 | 6 | 8 | 10 | 12 | 16 | 24..=27 => Kind::Unsigned,
        13 | 14 => Kind::Float,
        31 => Kind::WithIndex(true, 4),
        32 => Kind::WithIndex(true, 8),
        33 => Kind::WithIndex(false, 4),
        34 => Kind::WithIndex(false, 8),
        _ => return Err(Fault::unsupported(format!("a reduction of {}", name(ty)))),
    })
}
