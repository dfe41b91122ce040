//! The floating-point environment: the rounding mode and the exceptions that were raised.

use crate::code::Rounding;
use rustc_apfloat::Status;

/// `FE_INVALID`
pub const INVALID: u32 = 1;

pub const DIVIDE: u32 = 4;

pub const OVERFLOW: u32 = 8;

pub const UNDERFLOW: u32 = 16;

/// `FE_INEXACT`
pub const INEXACT: u32 = 32;

pub const ALL: u32 = INVALID | DIVIDE | OVERFLOW | UNDERFLOW | INEXACT;

/// The environment.
#[derive(Clone, Copy, Default, Debug)]
pub struct Environment {
    /// The current rounding mode.
    pub rounding: Rounding,
    /// Exceptions raised and not cleared.
    pub raised: u32,
}

impl Environment {
    /// The mode as `llvm.get.rounding` counts.
    pub fn number(&self) -> u64 {
        match self.rounding {
            Rounding::TowardZero => 0,
            Rounding::ToNearest => 1,
            Rounding::Upward => 2,
            Rounding::Downward => 3,
            Rounding::ToNearestAway => 4,
        }
    }

    /// Records what an operation by software reports.
    pub fn raise(&mut self, status: Status) {
        let flags = [
            (Status::INVALID_OP, INVALID),
            (Status::DIV_BY_ZERO, DIVIDE),
            (Status::OVERFLOW, OVERFLOW),
            (Status::UNDERFLOW, UNDERFLOW),
            (Status::INEXACT, INEXACT),
        ];
        self.raised |= flags.iter().filter(|(s, _)| status.contains(*s)).fold(0, |all, (_, flag)| all | flag);
    }
}

/// The mode of a number as `llvm.set.rounding` counts.
pub fn from_number(number: u64) -> Option<Rounding> {
    Some(match number {
        0 => Rounding::TowardZero,
        1 => Rounding::ToNearest,
        2 => Rounding::Upward,
        3 => Rounding::Downward,
        _ => return None,
    })
}
