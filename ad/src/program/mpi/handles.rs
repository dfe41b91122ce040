//! Types and operations by their handles, as three implementations print them.

use crate::base::names::variable;
use ir::{FloatKind, Module, Operand};

/// What a handle of a type stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Datatype {
    /// Floats of a kind.
    Float(FloatKind),
    /// Such a float and an `int` behind it.
    WithIndex(FloatKind),
    /// Integers, characters, truth values.
    Integer,
    /// Something else: bytes, pairs.
    Other,
    /// Only a run can tell.
    Unknown,
}

impl Datatype {
    /// May there be floats?
    pub fn may_be_float(self) -> bool {
        self != Datatype::Integer
    }

    /// The type that an operand names.
    pub fn of(m: &Module, operand: Operand) -> Datatype {
        let Operand::Const(constant) = operand else { return Datatype::Unknown };
        if let Some(global) = variable(m, constant) {
            return m.globals[global].name.strip_prefix("ompi_mpi_").map_or(Datatype::Unknown, of_open_mpi);
        }
        m.as_int(operand).map_or(Datatype::Unknown, |n| Datatype::of_number(n as u32))
    }

    /// The type of a number in the headers that have numbers.
    pub fn of_number(number: u32) -> Datatype {
        if INTEGERS_OF_MPICH.contains(&number) || INTEGERS.contains(&number) {
            return Datatype::Integer;
        }
        match number {
            FLOAT | FLOAT_OF_MPICH => Datatype::Float(FloatKind::Float),
            DOUBLE | DOUBLE_OF_MPICH => Datatype::Float(FloatKind::Double),
            FLOAT_INT | FLOAT_INT_OF_MPICH => Datatype::WithIndex(FloatKind::Float),
            DOUBLE_INT | DOUBLE_INT_OF_MPICH => Datatype::WithIndex(FloatKind::Double),
            _ => Datatype::Other,
        }
    }
}

/// `MPI_FLOAT` and `MPI_DOUBLE` of our own header.
pub const FLOAT: u32 = 13 << 8 | 4;
pub const DOUBLE: u32 = 14 << 8 | 8;
/// `MPI_FLOAT_INT` and `MPI_DOUBLE_INT`.
pub const FLOAT_INT: u32 = 31 << 8 | 8;
pub const DOUBLE_INT: u32 = 32 << 8 | 16;
/// The same of MPICH.
pub const FLOAT_INT_OF_MPICH: u32 = 0x8c00_0000;
pub const DOUBLE_INT_OF_MPICH: u32 = 0x8c00_0001;
pub const FLOAT_OF_MPICH: u32 = 0x4c00_040a;
pub const DOUBLE_OF_MPICH: u32 = 0x4c00_080b;

/// Operations and `MPI_INT` of our own header.
pub const SUM: u32 = 1;
pub const PROD: u32 = 2;
pub const MAX: u32 = 3;
pub const MIN: u32 = 4;
pub const MAXLOC: u32 = 11;
pub const MINLOC: u32 = 12;
pub const INT: u32 = 7 << 8 | 4;
/// The same of MPICH.
pub const SUM_OF_MPICH: u32 = 0x5800_0003;
pub const PROD_OF_MPICH: u32 = 0x5800_0004;
pub const MAX_OF_MPICH: u32 = 0x5800_0001;
pub const MIN_OF_MPICH: u32 = 0x5800_0002;
pub const MAXLOC_OF_MPICH: u32 = 0x5800_000c;
pub const MINLOC_OF_MPICH: u32 = 0x5800_000b;
pub const INT_OF_MPICH: u32 = 0x4c00_0405;

/// The integers of our own header.
pub const INTEGERS: &[u32] = &[
    1 << 8 | 1,
    2 << 8 | 1,
    3 << 8 | 1,
    5 << 8 | 2,
    6 << 8 | 2,
    7 << 8 | 4,
    8 << 8 | 4,
    9 << 8 | 8,
    10 << 8 | 8,
    11 << 8 | 8,
    12 << 8 | 8,
    16 << 8 | 1,
    20 << 8 | 1,
    21 << 8 | 2,
    22 << 8 | 4,
    23 << 8 | 8,
    24 << 8 | 1,
    25 << 8 | 2,
    26 << 8 | 4,
    27 << 8 | 8,
    33 << 8 | 8,
];

/// The integers of MPICH: `MPI_CHAR` to `MPI_UNSIGNED_LONG_LONG`, those of a stated width, `MPI_C_BOOL` and `MPI_2INT`.
pub const INTEGERS_OF_MPICH: &[u32] = &[
    0x4c00_0101,
    0x4c00_0118,
    0x4c00_0102,
    0x4c00_040e,
    0x4c00_0203,
    0x4c00_0204,
    0x4c00_0405,
    0x4c00_0406,
    0x4c00_0807,
    0x4c00_0808,
    0x4c00_0809,
    0x4c00_0819,
    0x4c00_0137,
    0x4c00_0238,
    0x4c00_0439,
    0x4c00_083a,
    0x4c00_013b,
    0x4c00_023c,
    0x4c00_043d,
    0x4c00_083e,
    0x4c00_013f,
    0x4c00_0816,
];

/// The integers of Open MPI, behind `ompi_mpi_`, with their sizes.
pub const INTEGERS_OF_OPEN_MPI: &[(&str, u64)] = &[
    ("char", 1),
    ("signed_char", 1),
    ("unsigned_char", 1),
    ("wchar", 4),
    ("short", 2),
    ("unsigned_short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("long", 8),
    ("unsigned_long", 8),
    ("long_long_int", 8),
    ("unsigned_long_long", 8),
    ("int8_t", 1),
    ("int16_t", 2),
    ("int32_t", 4),
    ("int64_t", 8),
    ("uint8_t", 1),
    ("uint16_t", 2),
    ("uint32_t", 4),
    ("uint64_t", 8),
    ("c_bool", 1),
    ("2int", 8),
];

/// The size of the integers that an operand names.
pub fn size_of_integer(m: &Module, operand: Operand) -> Option<u64> {
    if let Some(global) = operand.constant().and_then(|constant| variable(m, constant)) {
        let name = m.globals[global].name.strip_prefix("ompi_mpi_")?;
        return INTEGERS_OF_OPEN_MPI.iter().find(|(known, _)| *known == name).map(|(_, size)| *size);
    }
    let number = m.as_int(operand)? as u32;
    // The sizes are in the numbers.
    match number {
        _ if INTEGERS.contains(&number) => Some(u64::from(number & 0xff)),
        _ if INTEGERS_OF_MPICH.contains(&number) => Some(u64::from(number >> 8 & 0xff)),
        _ => None,
    }
}

fn of_open_mpi(name: &str) -> Datatype {
    match name {
        "float" => Datatype::Float(FloatKind::Float),
        "double" => Datatype::Float(FloatKind::Double),
        "float_int" => Datatype::WithIndex(FloatKind::Float),
        "double_int" => Datatype::WithIndex(FloatKind::Double),
        _ if INTEGERS_OF_OPEN_MPI.iter().any(|(known, _)| *known == name) => Datatype::Integer,
        _ => Datatype::Other,
    }
}

/// An operation of reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A sum.
    Sum,
    /// A product, a maximum or a minimum: each term has a weight.
    Weighted,
    /// A maximum or minimum, with the index that belongs to it.
    Located,
    /// Another one.
    Other,
    /// Only a run can tell.
    Unknown,
}

impl Operation {
    /// The operation that an operand names.
    pub fn of(m: &Module, operand: Operand) -> Operation {
        let Operand::Const(constant) = operand else { return Operation::Unknown };
        if let Some(global) = variable(m, constant) {
            return match m.globals[global].name.strip_prefix("ompi_mpi_op_") {
                Some("sum") => Operation::Sum,
                Some("prod" | "max" | "min") => Operation::Weighted,
                Some("maxloc" | "minloc") => Operation::Located,
                Some(_) => Operation::Other,
                None => Operation::Unknown,
            };
        }
        match m.as_int(operand).map(|n| n as u32) {
            Some(SUM | SUM_OF_MPICH) => Operation::Sum,
            Some(PROD | MAX | MIN | PROD_OF_MPICH | MAX_OF_MPICH | MIN_OF_MPICH) => Operation::Weighted,
            Some(MAXLOC | MINLOC | MAXLOC_OF_MPICH | MINLOC_OF_MPICH) => Operation::Located,
            Some(_) => Operation::Other,
            None => Operation::Unknown,
        }
    }
}
