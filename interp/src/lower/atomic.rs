//! Atomic operations: each is one op with its orderings in a table.

use super::mem::log2;
use super::{Lower, Lowered, POISON, attrs};
use crate::code::{AtomicSite, Op};
use ir::{Inst, InstKind, Operand, Ordering};

impl Lower<'_, '_> {
    fn push_atomic(&mut self, site: AtomicSite) -> u32 {
        self.code.atomics.push(site);
        self.code.atomics.len() as u32 - 1
    }

    pub(super) fn atomic_load(&mut self, inst: &Inst, ptr: Operand, align: u64, order: Ordering) -> Lowered {
        let [leaf] = crate::code::kinds(&*self.env.flat(inst.ty)?)[..] else {
            return Err("an atomic load of an aggregate".to_owned());
        };
        let (dst, ptr, align) = (self.result(), self.slot(ptr)?, log2(align));
        let site = self.push_atomic(AtomicSite {
            dst,
            ptr,
            a: POISON,
            b: POISON,
            leaf,
            align,
            rmw: None,
            order,
            failure: order,
        });
        self.emit(Op::AtomicLoad { site });
        if let Some(checks) = attrs::load_checks(self.env, inst)? {
            self.check(dst, checks);
        }
        Ok(())
    }

    pub(super) fn atomic_store(&mut self, value: Operand, ptr: Operand, align: u64, order: Ordering) -> Lowered {
        let leaf = self.leaf(value)?;
        let (a, ptr, align) = (self.slot(value)?, self.slot(ptr)?, log2(align));
        let site = self.push_atomic(AtomicSite {
            dst: POISON,
            ptr,
            a,
            b: POISON,
            leaf,
            align,
            rmw: None,
            order,
            failure: order,
        });
        self.emit(Op::AtomicStore { site });
        Ok(())
    }

    pub(super) fn cmpxchg(&mut self, kind: &InstKind) -> Lowered {
        let InstKind::CmpXchg { ptr, expected, new, align, success, failure, weak, .. } = kind else { return Ok(()) };
        let leaf = self.leaf(*expected)?;
        let (dst, ptr, a, b) = (self.result(), self.slot(*ptr)?, self.slot(*expected)?, self.slot(*new)?);
        let (align, order, failure) = (log2(*align), *success, *failure);
        let site = self.push_atomic(AtomicSite { dst, ptr, a, b, leaf, align, rmw: None, order, failure });
        self.emit(Op::CmpXchg { site, weak: *weak });
        Ok(())
    }

    pub(super) fn rmw(&mut self, kind: &InstKind) -> Lowered {
        let InstKind::AtomicRmw { op, ptr, value, align, ordering: order, .. } = kind else { return Ok(()) };
        let leaf = self.leaf(*value)?;
        let (dst, ptr, a, align) = (self.result(), self.slot(*ptr)?, self.slot(*value)?, log2(*align));
        let (rmw, order) = (Some(*op), *order);
        let site = self.push_atomic(AtomicSite { dst, ptr, a, b: POISON, leaf, align, rmw, order, failure: order });
        self.emit(Op::Rmw { site });
        Ok(())
    }
}
