//! Reductions: the operations of MPI on its basic types, element by element, in the order of the ranks (MPI 4.0,
//! 6.9.2).

use super::parcel::{Cells, Parcel, format, number};
use super::types::{Kind, kind, name, size};
use crate::machine::{CompareEvent, FloatArg, FloatEvent, FloatOp, Machine};
use crate::memory::data::state;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Location, Res};
use ir::{FloatKind, FloatPred};
use rules::Op;

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

/// The sum (or what else) of two, element by element, with what the machine makes of it.
pub fn reduce<M: Machine>(machine: &mut M, (op, ty): (i64, i64), a: &Parcel, b: &Parcel, at: Location) -> Res<Parcel> {
    let (kind, step) = (kind(ty)?, size(ty)? as usize);
    let mut sum = a.data.clone();
    let mut cells: Cells<M::Shadow> = Vec::new();
    for (n, (x, y)) in sum.bytes.chunks_exact_mut(step).zip(b.data.bytes.chunks_exact(step)).enumerate() {
        one(op, kind, ty, x, y)?;
        let offset = n * step;
        if M::SHADOWS
            && let Some((width, shadow)) = shadow(machine, (op, kind), (a, b), (offset, x), at)
        {
            cells.push((offset as u64, width, shadow));
        }
    }
    if let Some(format) = format(ty) {
        let width = step as u64;
        let number = |at: u64| if at.is_multiple_of(width) { state::first(format) } else { state::rest(format) };
        sum.state = (0..sum.bytes.len() as u64).map(number).collect();
    }
    Ok(Parcel::new(sum, cells))
}

/// The shadow of a result, if it has one: also where no operand has, as what is rounded differs from what is exact.
fn shadow<M: Machine>(
    machine: &mut M,
    (op, kind): (i64, Kind),
    (a, b): (&Parcel, &Parcel),
    (offset, result): (usize, &[u8]),
    at: Location,
) -> Option<(u8, M::Shadow)> {
    let width = match kind {
        Kind::Float => result.len(),
        Kind::WithIndex(true, width) => width,
        Kind::WithIndex(false, _) | Kind::Signed | Kind::Unsigned => return None,
    };
    let format = if width == 4 { FloatKind::Float } else { FloatKind::Double };
    let cell = |parcel: &Parcel| {
        let found =
            parcel.cells::<M::Shadow>().iter().find(|(at, size, _)| (*at, *size) == (offset as u64, width as u8));
        found.map(|(.., shadow)| shadow.clone()).unwrap_or_default()
    };
    let (left, right) = (cell(a), cell(b));
    let bits = |parcel: &Parcel| number(&parcel.data, offset, format).map_or(0, |scalar| scalar.bits());
    let (x, y) = (bits(a), bits(b));
    let result = u128::from(word(&result[..width]));
    let arg = |bits, shadow| FloatArg { kind: format, bits, shadow };
    let rule = match op {
        SUM => Op::FAdd,
        PROD => Op::FMul,
        // Nothing is rounded where one of the two is chosen.
        _ if left.is_absent() && right.is_absent() => return None,
        _ => {
            let concrete = result == x;
            let pred = if matches!(op, MAX | MAXLOC) { FloatPred::Oge } else { FloatPred::Ole };
            machine.compare(&CompareEvent { pred, a: arg(x, &left), b: arg(y, &right), concrete, at });
            return Some((width as u8, if concrete { left } else { right }));
        }
    };
    let args = [arg(x, &left), arg(y, &right)];
    let event = FloatEvent { op: FloatOp::Rule(rule), output: 0, kind: format, args: &args, ints: &[], result, at };
    let shadow = machine.float_op(&event);
    (!shadow.is_absent()).then_some((width as u8, shadow))
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
