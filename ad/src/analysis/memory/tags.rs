//! Tagged addresses: a number in the low bits of an address, which are zero because of the alignment of what it points
//! to.
//!
//! `p + c` with a constant leads c bytes further, `p | tag` with a tag below 2^k at most 2^k - 1, and `p & -2^k` leads
//! to the last multiple of 2^k before: exactly to where the tag was put on, if the object begins at such a multiple. So
//! links with a mark in their lowest bit lead to the node, and to nothing else in it.

use crate::analysis::memory::Facts;
use crate::analysis::memory::lanes::zero_bits;
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::normalise::sources::Sources;
use crate::program::externals::{self, External, allocates_blocks};
use ir::gep::signed;
use ir::{BinOp, CastOp, Function, InstKind, Module, Operand, Type};

/// Low bits of an address that may be a tag: allocators align by sixteen bytes (C17 7.22.3, 1, with the ABI's
/// `max_align_t`).
const TAG_BITS: u32 = 4;
/// Bytes by which blocks of the allocators that are known by name are aligned.
const BLOCK_ALIGN: u64 = 1 << TAG_BITS;
/// Instructions followed back to find the bits of a tag.
const TRACE: u32 = 8;

impl Facts {
    /// Where an address leads of which `op` with `other` makes a new one, if the low bits alone change; `None` where
    /// more may.
    pub(super) fn tagged(
        &self,
        m: &Module,
        sources: &Sources,
        func: &Function,
        (op, address, other): (BinOp, Operand, Operand),
        targets: &Targets,
    ) -> Option<Targets> {
        let widened = address.local().and_then(|v| func.def_inst(v)).is_some_and(|inst| {
            matches!(func.insts[inst].kind, InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, .. })
        });
        if widened || *m.types.get(m.operand_ty(func, other)) != Type::Int(64) {
            return None;
        }
        match op {
            BinOp::Add => {
                let by = signed(m, other, m.as_int(other)?);
                Some(targets.iter().map(|(object, place)| (*object, place.moved(by, 0))).collect())
            }
            BinOp::Or => {
                let beyond = (0..=TAG_BITS).find(|bits| !zero_bits(m, func, other, TRACE) >> bits == 0)?;
                // What has a tag already gets no other one.
                let tagged = |(object, place): (&ObjId, &Place)| {
                    (place.step != 1 && place.outer_step != 1).then(|| (*object, place.within(1, 1 << beyond)))
                };
                targets.iter().map(tagged).collect()
            }
            BinOp::And => {
                let mask = signed(m, other, m.as_int(other)?);
                let step = mask.unsigned_abs();
                let clears = mask < 0 && step.is_power_of_two() && step <= BLOCK_ALIGN;
                let untagged = |(object, place): (&ObjId, &Place)| {
                    (self.alignment(m, sources, *object) >= step).then(|| (*object, place.floor(step)))
                };
                clears.then(|| targets.iter().map(untagged).collect())?
            }
            _ => None,
        }
    }

    /// A power of two that the address of an object is a multiple of.
    fn alignment(&self, m: &Module, sources: &Sources, object: ObjId) -> u64 {
        match self.objects[object].kind {
            ObjKind::Heap(id, inst) => {
                let call = sources.get(&id).and_then(|func| func.insts[inst].kind.as_call());
                let callee = call.and_then(|call| m.as_function(call.callee));
                match callee.map(|f| externals::classify(m, &m.functions[f])) {
                    Some(External::Allocate { align: None, .. })
                        if callee.is_some_and(|f| allocates_blocks(&m.functions[f].name)) =>
                    {
                        BLOCK_ALIGN
                    }
                    _ => 1,
                }
            }
            ObjKind::Stack(id, inst) => match sources.get(&id).map(|func| &func.insts[inst].kind) {
                Some(InstKind::Alloca { align, .. }) => (*align).max(1),
                _ => 1,
            },
            ObjKind::Global(g) => m.globals[g].align.max(1),
            _ => 1,
        }
    }
}
