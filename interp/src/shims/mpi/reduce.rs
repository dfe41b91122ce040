//! Reductions: the operations of MPI on its basic types, element by element, in the order of the ranks (MPI 4.0,
//! 6.9.2).

use super::types::{Kind, kind, name, size};
use crate::outcome::{Fault, Res};

/// The operations by their numbers.
const SUM: i64 = 1;
const PROD: i64 = 2;
const MAX: i64 = 3;
const MIN: i64 = 4;
const LAND: i64 = 5;
const LOR: i64 = 6;
const LXOR: i64 = 7;
const BAND: i64 = 8;
const BOR: i64 = 9;
const BXOR: i64 = 10;
const MAXLOC: i64 = 11;
const MINLOC: i64 = 12;

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Puts the sum (or what else) of `a` and `b` into `a`.
pub fn reduce(op: i64, ty: i64, a: &mut [u8], b: &[u8]) -> Res {
    let (kind, step) = (kind(ty)?, size(ty)? as usize);
    for (x, y) in a.chunks_exact_mut(step).zip(b.chunks_exact(step)) {
        one(op, kind, ty, x, y)?;
    }
    Ok(())
}

fn undefined(op: i64, ty: i64) -> Box<Fault> {
    Fault::unsupported(format!("the operation number {op} of MPI on {}", name(ty)))
}

fn one(op: i64, kind: Kind, ty: i64, x: &mut [u8], y: &[u8]) -> Res {
    let width = x.len();
    match kind {
        Kind::Float if width == 4 => {
            let [a, b] = [&*x, y].map(|bytes| f32::from_bits(word(bytes) as u32));
            let result = float(op, f64::from(a), f64::from(b)).ok_or_else(|| undefined(op, ty))?;
            let exact = match op {
                SUM => a + b,
                PROD => a * b,
                _ => result as f32,
            };
            x.copy_from_slice(&exact.to_le_bytes());
        }
        Kind::Float => {
            let [a, b] = [&*x, y].map(|bytes| f64::from_bits(word(bytes)));
            let result = float(op, a, b).ok_or_else(|| undefined(op, ty))?;
            x.copy_from_slice(&result.to_le_bytes());
        }
        Kind::Signed | Kind::Unsigned => {
            let shift = 64 - 8 * width as u32;
            let [a, b] = [&*x, y].map(word);
            let [sa, sb] = [a, b].map(|w| ((w << shift) as i64) >> shift);
            let first = if kind == Kind::Signed { sa >= sb } else { a >= b };
            let truth = |holds: bool| u64::from(holds);
            let result = match op {
                SUM => a.wrapping_add(b),
                PROD => a.wrapping_mul(b),
                MAX => {
                    if first {
                        a
                    } else {
                        b
                    }
                }
                MIN => {
                    if first {
                        b
                    } else {
                        a
                    }
                }
                LAND => truth(a != 0 && b != 0),
                LOR => truth(a != 0 || b != 0),
                LXOR => truth((a != 0) != (b != 0)),
                BAND => a & b,
                BOR => a | b,
                BXOR => a ^ b,
                _ => return Err(undefined(op, ty)),
            };
            x.copy_from_slice(&result.to_le_bytes()[..width]);
        }
        Kind::WithIndex(is_float, bytes) => {
            let value = |bytes: &[u8]| match (is_float, bytes.len()) {
                (true, 4) => f64::from(f32::from_bits(word(bytes) as u32)),
                (true, _) => f64::from_bits(word(bytes)),
                (false, 4) => f64::from(word(bytes) as u32 as i32),
                (false, _) => word(bytes) as i64 as f64,
            };
            let index = |whole: &[u8]| word(&whole[bytes..bytes + 4]) as u32 as i32;
            let (a, b) = (value(&x[..bytes]), value(&y[..bytes]));
            let theirs = match op {
                MAXLOC => b > a || (b == a && index(y) < index(x)),
                MINLOC => b < a || (b == a && index(y) < index(x)),
                _ => return Err(undefined(op, ty)),
            };
            if theirs {
                x.copy_from_slice(y);
            }
        }
    }
    Ok(())
}

fn float(op: i64, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        SUM => a + b,
        PROD => a * b,
        MAX => {
            if a >= b {
                a
            } else {
                b
            }
        }
        MIN => {
            if a <= b {
                a
            } else {
                b
            }
        }
        _ => return None,
    })
}
