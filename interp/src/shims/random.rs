//! Pseudo-random numbers: `rand`, `drand48` and their like.

use super::generator::{step48, unit48};
use crate::machine::Machine;
use crate::memory::Memory;
use crate::memory::shadow::Shadow;
use crate::outcome::Res;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "rand" => |i, _| Ok(Value::i32(i.runtime.random.next())),
        "random" => |i, _| Ok(Value::i64(i64::from(i.runtime.random.next()))),
        "srand" | "srandom" => |i, c| {
            i.runtime.random.seed(c.uint(0)? as u32);
            Ok(Value::void())
        },
        "rand_r" => |i, c| rand_r(i, c.ptr(0)?),
        "drand48" => |i, _| Ok(Value::f64(unit48(i.runtime.random.step48()))),
        "lrand48" => |i, _| Ok(Value::i64((i.runtime.random.step48() >> 17) as i64)),
        "mrand48" => |i, _| Ok(Value::i64(i64::from((i.runtime.random.step48() >> 16) as i32))),
        "srand48" => |i, c| {
            i.runtime.random.congruence = (c.uint(0)? & 0xffff_ffff) << 16 | 0x330E;
            Ok(Value::void())
        },
        "erand48" => |i, c| Ok(Value::f64(unit48(step_at(&mut i.memory, c.ptr(0)?)?))),
        "nrand48" => |i, c| Ok(Value::i64((step_at(&mut i.memory, c.ptr(0)?)? >> 17) as i64)),
        "jrand48" => |i, c| Ok(Value::i64(i64::from((step_at(&mut i.memory, c.ptr(0)?)? >> 16) as i32))),
        _ => return None,
    })
}

/// A step of the congruence on a state in the program's memory.
fn step_at<S: Shadow>(memory: &mut Memory<S>, state: Pointer) -> Res<u64> {
    let bytes = memory.read_bytes(state, 6)?;
    let old = bytes.iter().rev().fold(0, |x, b| x << 8 | u64::from(*b));
    let new = step48(old);
    memory.write_bytes(state, &new.to_le_bytes()[..6])?;
    Ok(new)
}

/// Three steps of the congruence of the C standard, 11 + 10 + 10 bits.
fn rand_r<M: Machine>(interp: &mut Interp<'_, M>, seed: Pointer) -> Res<Value<M::Shadow>> {
    let bytes = interp.memory.read_bytes(seed, 4)?;
    let mut next = bytes.iter().rev().fold(0u32, |x, b| x << 8 | u32::from(*b));
    let mut step = |modulus: u32| {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (next / 65_536) % modulus
    };
    let mut result = step(2048);
    result = result << 10 ^ step(1024);
    result = result << 10 ^ step(1024);
    interp.memory.store(seed, Leaf::Int(32), Scalar::word(u64::from(next)), 4)?;
    Ok(Value::i32(result as i32))
}
