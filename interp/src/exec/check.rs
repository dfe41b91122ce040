//! Checks of values against attributes and metadata (LangRef, "Parameter Attributes").

use super::soft;
use crate::code::{Checks, Require};
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::access::Access;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::Leaf;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Checks the leaves from register `at` (absolute) on; broken promises make poison or are undefined behaviour.
    pub(super) fn check_value(&mut self, at: usize, checks: &Checks) -> Res {
        for require in &checks.requires {
            for (i, leaf) in checks.leaves.iter().enumerate() {
                self.check_leaf(at + i, *leaf, require, &checks.what)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn check_leaf(&mut self, at: usize, leaf: Leaf, require: &Require, what: &str) -> Res {
        let value = self.regs[at];
        if *require == Require::NoUndef {
            return if value.is_init() { Ok(()) } else { Err(self.no_value(value, what)) };
        }
        if !value.is_init() {
            return Ok(());
        }
        let inside = |low: u128, high: u128| {
            let bits = value.bits();
            // A range may wrap; equal bounds mean every value.
            low == high || if low < high { (low..high).contains(&bits) } else { bits >= low || bits < high }
        };
        let kept = match *require {
            Require::NoUndef => true,
            Require::NonNull => value.lo != 0,
            Require::Align(align) => value.lo.is_multiple_of(align.max(1)),
            Require::Range { low, high } => inside(low, high),
            Require::Ranges(ref all) => all.iter().any(|(low, high)| inside(*low, *high)),
            Require::NoFpClass(mask) => match leaf {
                Leaf::Float(kind) => soft::class(kind, value.bits()) & mask == 0,
                Leaf::Int(_) | Leaf::Ptr => true,
            },
            Require::Dereferenceable { bytes, or_null } => {
                if or_null && value.lo == 0 {
                    return Ok(());
                }
                return self.memory.check_access(value.as_ptr(), bytes, 1, Access::Read).map_err(|fault| {
                    let text = format!("{what} must be dereferenceable for {bytes} bytes: {}", fault.message);
                    let mut outer = Fault::ub(UbKind::Attribute, text);
                    outer.notes = fault.notes;
                    outer
                });
            }
        };
        if !kept {
            self.regs[at] = self.poison();
        }
        Ok(())
    }
}
