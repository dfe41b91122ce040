//! Checks 12 and 13 of the verifier: memory accesses and address arithmetic.

use super::Checker;
use crate::constant::ConstKind;
use crate::inst::{Atomic, Inst, InstKind, Operand, Ordering, RmwOp};
use crate::types::{Type, TypeId};

impl Checker<'_> {
    pub(super) fn memory(&mut self, inst: &Inst) {
        match &inst.kind {
            InstKind::Alloca { elem_ty, count, align, addr_space, .. } => {
                self.access(*elem_ty, *align);
                let fits = *self.module.types.get(inst.ty) == Type::Ptr(*addr_space);
                self.require(fits, "the result of an alloca is a pointer into its address space");
                let int = count.is_none_or(|c| self.module.types.is_int(self.ty(c)));
                self.require(int, "the number of elements is no integer");
            }
            InstKind::Load { ptr, align, atomic, .. } => {
                self.require_pointer(*ptr, "the address");
                self.access(inst.ty, *align);
                self.atomic_access(inst.ty, atomic.as_ref(), &[Ordering::Release, Ordering::AcqRel]);
            }
            InstKind::Store { value, ptr, align, atomic, .. } => {
                self.require_pointer(*ptr, "the address");
                self.access(self.ty(*value), *align);
                self.atomic_access(self.ty(*value), atomic.as_ref(), &[Ordering::Acquire, Ordering::AcqRel]);
            }
            InstKind::Fence(atomic) => {
                let weak = matches!(atomic.ordering, Ordering::Unordered | Ordering::Monotonic);
                self.require(!weak, "a fence must be at least acquire or release");
            }
            InstKind::CmpXchg { ptr, expected, new, align, success, failure, .. } => {
                self.require_pointer(*ptr, "the address");
                let ty = self.ty(*expected);
                self.access(ty, *align);
                self.require_same(self.ty(*new), ty, "the new value");
                let lanes_fit = matches!(self.module.types.get(ty), Type::Int(_) | Type::Ptr(_));
                self.require(lanes_fit, "cmpxchg works on integers and pointers");
                let fields = self.module.types.fields(inst.ty).map(|f| f.0);
                let fits = matches!(fields, Some([a, b]) if *a == ty && *self.module.types.get(*b) == Type::Int(1));
                self.require(fits, "cmpxchg gives the old value and i1");
                let success_fits = *success != Ordering::Unordered;
                let failure_fits = !matches!(failure, Ordering::Unordered | Ordering::Release | Ordering::AcqRel);
                self.require(success_fits && failure_fits, "an ordering that cmpxchg does not have");
            }
            InstKind::AtomicRmw { op, ptr, value, align, ordering, .. } => {
                self.require_pointer(*ptr, "the address");
                self.require_same(self.ty(*value), inst.ty, "the operand");
                self.access(inst.ty, *align);
                self.require(*ordering != Ordering::Unordered, "an ordering that atomicrmw does not have");
                let ty = self.scalar(inst.ty);
                let fits = match op {
                    RmwOp::Xchg => matches!(ty, Type::Int(_) | Type::Float(_) | Type::Ptr(_)),
                    op if op.is_float() => matches!(ty, Type::Float(_)),
                    _ => matches!(ty, Type::Int(_)),
                };
                self.require(fits, "the atomic operation does not work on operands of this type");
            }
            InstKind::Gep { elem_ty, base, indices, .. } => self.gep(inst, *elem_ty, *base, indices),
            InstKind::VaArg { list } => {
                self.require_pointer(*list, "the argument list");
                let first_class = self.is_first_class(inst.ty);
                self.require(first_class, "an argument without value");
            }
            // `inst` sends the instructions above alone.
            _ => {}
        }
    }

    fn access(&mut self, ty: TypeId, align: u64) {
        self.require(self.is_sized(ty), "the accessed type has no size");
        self.require(align.is_power_of_two(), "an alignment that is no power of two");
    }

    fn atomic_access(&mut self, ty: TypeId, atomic: Option<&Atomic>, illegal: &[Ordering]) {
        let Some(atomic) = atomic else { return };
        self.require(!illegal.contains(&atomic.ordering), "an ordering that this access does not have");
        let scalar = matches!(self.module.types.get(ty), Type::Int(_) | Type::Float(_) | Type::Ptr(_));
        let bits = self.module.layout.bit_width(&self.module.types, ty).unwrap_or(0);
        let whole = bits >= 8 && (bits.is_power_of_two() || bits == 80);
        self.require(scalar && whole, "an atomic access to a type that is no scalar of whole bytes");
    }

    fn gep(&mut self, inst: &Inst, elem_ty: TypeId, base: Operand, indices: &[Operand]) {
        let types = &self.module.types;
        let base_ty = self.ty(base);
        self.require(matches!(self.scalar(base_ty), Type::Ptr(_)), "the base of a getelementptr is no pointer");
        self.require(self.is_sized(elem_ty), "the element type has no size");
        let all = || std::iter::once(base).chain(indices.iter().copied());
        let lanes: Vec<u32> = all().filter_map(|o| self.lanes(self.ty(o))).collect();
        self.require(lanes.windows(2).all(|w| w[0] == w[1]), "vectors of different lengths in a getelementptr");
        let fits = types.scalar(inst.ty) == types.scalar(base_ty) && self.lanes(inst.ty) == lanes.first().copied();
        self.require(fits, "the result of a getelementptr is a pointer like its base, or a vector of them");
        let ints = indices.iter().all(|i| matches!(self.scalar(self.ty(*i)), Type::Int(_)));
        self.require(ints, "an index that is no integer");
        // The first index steps over whole elements; the others lead into one.
        let leads = indices.iter().skip(1).try_fold(elem_ty, |ty, index| self.gep_step(ty, *index));
        self.require(leads.is_some(), "indices that lead to no element");
    }

    /// The type of the element of `ty` that the index selects.
    fn gep_step(&self, ty: TypeId, index: Operand) -> Option<TypeId> {
        let types = &self.module.types;
        match types.get(ty) {
            Type::Array { elem, .. } | Type::Vector { elem, .. } => Some(*elem),
            Type::Struct { .. } | Type::Named(_) => {
                let constant = self.module.as_constant(index)?;
                let index = match &constant.kind {
                    ConstKind::Int(i) => *i,
                    ConstKind::Zero => 0,
                    // A vector of equal indices.
                    ConstKind::Aggregate(lanes) => match self.module.constants.get(*lanes.first()?).kind {
                        ConstKind::Int(i) if lanes.iter().all(|l| l == &lanes[0]) => i,
                        _ => return None,
                    },
                    _ => return None,
                };
                types.element(ty, u64::try_from(index).ok()?)
            }
            _ => None,
        }
    }
}
