//! Additions to memory to which other threads may add at the same time.

use crate::base::builder::Builder;
use crate::program::externals::holds_float;
use crate::runtime::refuse::message;
use crate::runtime::tape::refuse_if;
use ir::{BinOp, CastOp, FloatKind, InstKind, IntPred, Operand, Ordering, RmwOp, Type, TypeId};

const UNALIGNED: &str = "several threads may add to an adjoint at a time that is not aligned\n";

/// Ends the program where an address is not aligned, as far as that is not known.
fn refuse_unaligned(b: &mut Builder, ptr: Operand, align: u64) {
    let i64t = b.m.types.int(64);
    let (zero, mask) = (b.m.zero(i64t), b.m.int(64, u128::from(align - 1)));
    let address = b.cast(CastOp::PtrToInt, ptr, i64t);
    let rest = b.binary(BinOp::And, address, mask);
    let unaligned = b.icmp(IntPred::Ne, rest, zero);
    let (refuse, text) = (refuse_if(b.m), message(b.m, UNALIGNED));
    let length = b.m.int(64, UNALIGNED.len() as u128);
    b.call(refuse, vec![unaligned, text, length]);
}

/// Adds each float of a value to memory, each in one piece; the alignment 0 is the natural one. The message says why
/// that cannot be done.
pub(crate) fn atomic_add(
    b: &mut Builder,
    ptr: Operand,
    ty: TypeId,
    value: Operand,
    align: u64,
) -> Result<(), &'static str> {
    match b.m.types.get(ty).clone() {
        Type::Float(FloatKind::X86Fp80 | FloatKind::Fp128) => Err(
            "several threads may add to this adjoint at a time, and a `long double` cannot be added to in one piece",
        ),
        Type::Float(_) => {
            let natural = b.align(ty);
            if align != 0 && align < natural {
                refuse_unaligned(b, ptr, natural);
            }
            let ordering = Ordering::Monotonic;
            let (volatile, scope) = (false, String::new());
            let kind = InstKind::AtomicRmw { op: RmwOp::FAdd, ptr, value, align: natural, volatile, ordering, scope };
            b.value(kind, ty);
            Ok(())
        }
        Type::Vector { len, elem } => {
            let align = if align == 0 { 0 } else { align.min(b.align(elem)) };
            for lane in 0..u64::from(len) {
                let index = b.m.int(32, u128::from(lane));
                let part = b.value(InstKind::ExtractElement { vector: value, index }, elem);
                let offset = b.m.layout.element_offset(&b.m.types, ty, lane).unwrap_or(0);
                let at = b.offset(ptr, offset);
                atomic_add(b, at, elem, part, align)?;
            }
            Ok(())
        }
        _ => {
            for i in 0..b.m.types.element_count(ty).unwrap_or(0) {
                let Some(elem) = b.m.types.element(ty, i) else { continue };
                if holds_float(b.m, elem) {
                    let offset = b.m.layout.element_offset(&b.m.types, ty, i).unwrap_or(0);
                    let part = b.extract(value, i as u32);
                    let at = b.offset(ptr, offset);
                    atomic_add(b, at, elem, part, if align == 0 { 0 } else { align.min(b.align(elem)) })?;
                }
            }
            Ok(())
        }
    }
}
