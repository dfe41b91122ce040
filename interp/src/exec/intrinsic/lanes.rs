//! Intrinsics that move lanes of vectors.

use crate::code::{IntrinsicSite, Slot};
use crate::engine::Engine;
use crate::exec::float;
use crate::intrinsics::Intrinsic;
use crate::library::Library;
use crate::machine::Machine;
use crate::outcome::Res;
use crate::value::Scalar;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Insertion and extraction of a subvector at a constant index.
    pub(super) fn subvector(&mut self, site: &IntrinsicSite) -> Res {
        let n = site.result.len() as Slot;
        match site.kind {
            Intrinsic::VectorExtract => {
                let at = self.need(self.arg(site, 1), "the index of a subvector")?.lo as Slot;
                let from = self.arg_slot(site, 0);
                for lane in 0..n {
                    self.transfer(site.dst + lane, from + at + lane);
                }
            }
            Intrinsic::VectorInsert => {
                let at = self.need(self.arg(site, 2), "the index of a subvector")?.lo as Slot;
                let (whole, part) = (self.arg_slot(site, 0), self.arg_slot(site, 1));
                let len = site.args[1].1.len() as Slot;
                for lane in 0..n {
                    let source = if (at..at + len).contains(&lane) { part + (lane - at) } else { whole + lane };
                    self.transfer(site.dst + lane, source);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Which lanes of a loop are below its limit?
    pub(super) fn active_lane_mask(&mut self, site: &IntrinsicSite) -> Res {
        let (base, limit) = (self.arg(site, 0), self.arg(site, 1));
        for lane in 0..site.result.len() as Slot {
            let result = if base.is_init() && limit.is_init() {
                Scalar::bool(base.bits() + u128::from(lane) < limit.bits())
            } else {
                float::absorb(base, limit)
            };
            self.set(site.dst + lane, result);
        }
        Ok(())
    }

    pub(super) fn vector_reverse(&mut self, site: &IntrinsicSite) -> Res {
        let (from, n) = (self.arg_slot(site, 0), site.result.len() as Slot);
        for lane in 0..n {
            self.transfer(site.dst + lane, from + (n - 1 - lane));
        }
        Ok(())
    }
}
