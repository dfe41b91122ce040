//! Atomic operations that NVPTX has as intrinsics: increments that wrap, and those with a scope. None of them orders
//! anything (PTX ISA, `atom`: relaxed when nothing is said).

use super::{Out, Shim, ShimCall};
use crate::machine::Machine;
use crate::outcome::Fault;
use crate::races::Mode;
use crate::shims::state::Interp;
use crate::value::{Leaf, Scalar, Value, mask64};
use ir::{FloatKind, Ordering};

#[derive(Clone, Copy)]
enum Update {
    Add,
    FAdd,
    Exchange,
    Max,
    Min,
    UMax,
    UMin,
    And,
    Or,
    Xor,
    /// The second operand replaces the value if it is the first.
    Compare,
    Increment,
    Decrement,
}

/// The shims of this file by name, without address spaces behind it.
pub fn nvvm<M: Machine>(name: &str) -> Option<Shim<M>> {
    let rest = name.strip_prefix("atomic.")?;
    Some(match rest.split(".p").next().unwrap_or(rest) {
        "load.inc.32" => |i, c| update(i, c, Update::Increment),
        "load.dec.32" => |i, c| update(i, c, Update::Decrement),
        scoped => match scoped.split_once(".gen.")? {
            ("add", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Add),
            ("add", "f.cta" | "f.sys") => |i, c| update(i, c, Update::FAdd),
            ("exch", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Exchange),
            ("max", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Max),
            ("min", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Min),
            ("max", "ui.cta" | "ui.sys") => |i, c| update(i, c, Update::UMax),
            ("min", "ui.cta" | "ui.sys") => |i, c| update(i, c, Update::UMin),
            ("and", "i.cta" | "i.sys") => |i, c| update(i, c, Update::And),
            ("or", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Or),
            ("xor", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Xor),
            ("cas", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Compare),
            ("inc", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Increment),
            ("dec", "i.cta" | "i.sys") => |i, c| update(i, c, Update::Decrement),
            _ => return None,
        },
    })
}

fn update<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, how: Update) -> Out<M> {
    let pointer = call.ptr(0)?;
    let leaf = *call.leaves.get(1).ok_or_else(|| Fault::unsupported("an atomic operation without an operand"))?;
    let size = leaf.store_size();
    let operand = call.leaf(1)?.lo;
    let last = if call.args.len() > 2 { call.leaf(2)?.lo } else { 0 };
    let old = interp.memory.accessed_as(Mode::Atomic, |m| m.load(pointer, leaf, size))?;
    if !old.is_init() {
        return Err(Fault::ub(crate::outcome::UbKind::Uninitialised, "an atomic operation on an uninitialised value"));
    }
    let (a, b, bits) = (old.lo, operand, leaf.bits());
    let signed = |value: u64| (value << (64 - bits)) as i64;
    let new = match how {
        Update::Add => a.wrapping_add(b) & mask64(bits),
        Update::FAdd => match leaf {
            Leaf::Float(FloatKind::Float) => u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits()),
            Leaf::Float(FloatKind::Double) => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
            _ => return Err(Fault::unsupported("an atomic sum of that type")),
        },
        Update::Exchange => b,
        Update::Max => {
            if signed(a) > signed(b) {
                a
            } else {
                b
            }
        }
        Update::Min => {
            if signed(a) < signed(b) {
                a
            } else {
                b
            }
        }
        Update::UMax => a.max(b),
        Update::UMin => a.min(b),
        Update::And => a & b,
        Update::Or => a | b,
        Update::Xor => a ^ b,
        Update::Compare => {
            if a == b {
                last
            } else {
                a
            }
        }
        Update::Increment => {
            if a >= b {
                0
            } else {
                a + 1
            }
        }
        Update::Decrement => {
            if a == 0 || a > b {
                b
            } else {
                a - 1
            }
        }
    };
    interp.memory.accessed_as(Mode::Atomic, |m| m.store(pointer, leaf, Scalar::word(new), size))?;
    let key = interp.memory.key(pointer);
    if let Some(races) = interp.memory.races() {
        races.atomic_load(key, Ordering::Monotonic);
        races.atomic_store(key, Ordering::Monotonic, true);
    }
    Ok(Value::scalar(old))
}
