//! Additions to memory to which other threads may add at the same time.

use crate::base::builder::Builder;
use crate::program::externals::holds_float;
use ir::{FloatKind, InstKind, Operand, Ordering, RmwOp, Type, TypeId};

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
                return Err("several threads may add to this adjoint at a time, and it may not be aligned");
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
