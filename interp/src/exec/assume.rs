//! Promises of `llvm.assume` (LangRef, "Assume Operand Bundles"): "if any of the provided guarantees are violated at
//! runtime the behavior is undefined".

use crate::code::IntrinsicSite;
use crate::engine::Engine;
use crate::intrinsics::Promise;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::access::Access;
use crate::outcome::{Fault, Res, UbKind};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    pub(super) fn assumed(&mut self, promise: Promise, site: &IntrinsicSite) -> Res {
        let value = self.need(self.arg(site, 0), "the value of an assumption")?;
        let number = |interp: &Self, index: usize| -> Res<u64> {
            match site.args.get(index) {
                Some(_) => Ok(interp.need(interp.arg(site, index), "the argument of an assumption")?.lo),
                None => Ok(0),
            }
        };
        let broken = |what: String| Err(Fault::ub(UbKind::Assumption, what));
        match promise {
            Promise::NoUndef => Ok(()),
            Promise::NonNull if value.lo == 0 => broken("a pointer assumed not to be null is null".to_owned()),
            Promise::NonNull => Ok(()),
            Promise::Align => {
                let (align, offset) = (number(self, 1)?, number(self, 2)?);
                let addr = value.lo.wrapping_sub(offset);
                // "may specify a non-power-of-two alignment … then the pointer value must be a null pointer"
                let holds = if align.is_power_of_two() { addr.is_multiple_of(align) } else { addr == 0 };
                if holds { Ok(()) } else { broken(format!("address {addr:#x} is assumed to be a multiple of {align}")) }
            }
            Promise::DereferenceableOrNull if value.lo == 0 => Ok(()),
            Promise::Dereferenceable | Promise::DereferenceableOrNull => {
                let bytes = number(self, 1)?;
                self.memory.check_access(value.as_ptr(), bytes, 1, Access::Read).map_err(|fault| {
                    let text = format!("a pointer is assumed dereferenceable for {bytes} bytes: {}", fault.message);
                    let mut outer = Fault::ub(UbKind::Assumption, text);
                    outer.notes = fault.notes;
                    outer
                })
            }
        }
    }
}
