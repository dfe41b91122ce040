//! Masked accesses of vectors, lane after lane.
//!
//! `masked.load(p, align, mask, passthru)` reads the lanes that are on, `masked.store` writes them, and so do
//! `masked.gather` and `masked.scatter` through a vector of pointers (LangRef, "Masked Vector Load and Store
//! Intrinsics"). Vectorisers make them where a loop has a condition or an index that is data. Here each lane becomes an
//! access of one element, so that points-to, types, overwrites and adjoints are those of ordinary accesses. There is no
//! branch: a lane that may be off accesses `mask[i] ? p + i : spare`, where `spare` is a variable of its own. What is
//! read there is replaced by the lane of `passthru`, and what is written there nobody reads. Lanes are written from the
//! first to the last, as `masked.scatter` has it.

use ir::{CastOp, ConstKind, Function, Inst, InstId, InstKind, Module, Operand, TypeId};
use std::collections::BTreeMap;

/// How far the lanes of a vector are traced back to where they were computed.
const MAX_DEPTH: usize = 8;

/// Replaces the masked accesses of a function.
pub fn lower(m: &mut Module, func: &mut Function) {
    let mut spare = BTreeMap::new();
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            match access(m, func, inst) {
                Some(access) => Lanes { m, func, inst, out: &mut out, spare: &mut spare }.replace(&access),
                None => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
    let (entry, void) = (func.entry(), m.types.void());
    for ((ty, read), (variable, address)) in spare {
        let mut new = vec![variable];
        if read {
            let align = m.layout.align_of(&m.types, ty);
            let kind = InstKind::Store { value: m.zero(ty), ptr: address, align, volatile: false, atomic: None };
            new.push(func.create_inst(Inst::new(kind, void), false));
        }
        func.blocks[entry].insts.splice(0..0, new);
    }
}

/// A masked access.
struct Access {
    /// The pointer, or the vector of them.
    address: Operand,
    align: u64,
    mask: Operand,
    /// The vector that is stored, or whose lanes stand for those that are not loaded.
    value: Operand,
    store: bool,
}

fn access(m: &Module, func: &Function, inst: InstId) -> Option<Access> {
    let call = func.insts[inst].kind.as_call()?;
    let name = m.functions[m.as_function(call.callee)?].name.strip_prefix("llvm.masked.")?;
    let [a, b, c, d] = *call.args.as_slice() else { return None };
    let access = match name.split('.').next()? {
        "load" | "gather" => Access { address: a, align: m.as_int(b)? as u64, mask: c, value: d, store: false },
        "store" | "scatter" => Access { address: b, align: m.as_int(c)? as u64, mask: d, value: a, store: true },
        _ => return None,
    };
    // Elements that are not whole bytes are packed in memory.
    let bits = m.layout.bit_width(&m.types, m.types.scalar(m.operand_ty(func, access.value)))?;
    bits.is_multiple_of(8).then_some(access)
}

struct Lanes<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    inst: InstId,
    out: &'a mut Vec<InstId>,
    /// By the type of an element, for reading and for writing: a variable and its address.
    spare: &'a mut BTreeMap<(TypeId, bool), (InstId, Operand)>,
}

impl Lanes<'_> {
    fn replace(&mut self, access: &Access) {
        let vector = self.m.operand_ty(self.func, access.value);
        let elem = self.m.types.scalar(vector);
        let count = self.m.types.element_count(vector).unwrap_or(0);
        let whole = self.m.constant(vector, ConstKind::Poison);
        let passed = !matches!(self.constant(access.value), Some(ConstKind::Poison | ConstKind::Undef));
        let mut loaded = whole;
        for lane in 0..count {
            let on = self.lane(access.mask, lane, MAX_DEPTH);
            let off = self.m.as_int(on) == Some(0);
            let last = lane + 1 == count;
            if access.store {
                if !off {
                    let value = self.lane(access.value, lane, MAX_DEPTH);
                    let (ptr, align) = self.place(access, elem, lane, on);
                    let kind = InstKind::Store { value, ptr, align, volatile: false, atomic: None };
                    let void = self.m.types.void();
                    self.add(kind, void, true);
                }
                continue;
            }
            let value = if off {
                self.m.zero(elem)
            } else {
                let (ptr, align) = self.place(access, elem, lane, on);
                self.push(InstKind::Load { ptr, align, volatile: false, atomic: None }, elem, true)
            };
            let index = self.m.int(64, u128::from(lane));
            let kind = InstKind::InsertElement { vector: loaded, value, index };
            if last && !passed {
                return self.end(kind);
            }
            loaded = self.push(kind, vector, false);
        }
        if !access.store {
            let fast = Default::default();
            self.end(InstKind::Select { fast, cond: access.mask, if_true: loaded, if_false: access.value });
        }
    }

    /// The instruction itself becomes the one that gives the whole result.
    fn end(&mut self, kind: InstKind) {
        let data = &mut self.func.insts[self.inst];
        data.kind = kind;
        data.metadata.clear();
        self.out.push(self.inst);
    }

    /// Where a lane is read or written, and how that is aligned.
    fn place(&mut self, access: &Access, elem: TypeId, lane: u64, on: Operand) -> (Operand, u64) {
        let size = self.m.size_of(elem);
        let many = self.m.types.element_count(self.m.operand_ty(self.func, access.address)).is_some();
        let (here, align) = if many {
            (self.lane(access.address, lane, MAX_DEPTH), access.align.max(1))
        } else {
            let (i8t, ptr) = (self.m.types.int(8), self.m.types.ptr());
            let at = lane * size;
            let indices = vec![self.m.int(64, u128::from(at))];
            let kind = InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: access.address, indices };
            let align = access.align.max(1);
            match at {
                0 => (access.address, align),
                _ => (self.push(kind, ptr, false), align.min(1 << at.trailing_zeros())),
            }
        };
        if self.m.as_int(on) == Some(1) {
            return (here, align);
        }
        let spare = self.spare(elem, !access.store, align);
        let ptr = self.m.types.ptr();
        let kind = InstKind::Select { fast: Default::default(), cond: on, if_true: here, if_false: spare };
        (self.push(kind, ptr, false), align)
    }

    /// The variable that lanes which are off access.
    fn spare(&mut self, elem: TypeId, read: bool, align: u64) -> Operand {
        let (m, func) = (&mut *self.m, &mut *self.func);
        let own = m.layout.align_of(&m.types, elem);
        let ptr = m.types.ptr();
        let (variable, address) = *self.spare.entry((elem, read)).or_insert_with(|| {
            let kind = InstKind::Alloca { elem_ty: elem, count: None, align: own, addr_space: 0, inalloca: false };
            let variable = func.create_inst(Inst::new(kind, ptr), true);
            (variable, func.insts[variable].result.map_or(m.zero(ptr), Operand::Local))
        });
        if let InstKind::Alloca { align: known, .. } = &mut func.insts[variable].kind {
            *known = align.max(*known);
        }
        address
    }

    /// A lane of a vector: of what is computed by lanes, the computation of one.
    fn lane(&mut self, vector: Operand, lane: u64, depth: usize) -> Operand {
        let ty = self.m.operand_ty(self.func, vector);
        let elem = self.m.types.scalar(ty);
        match self.constant(vector) {
            Some(ConstKind::Aggregate(lanes)) => {
                if let Some(constant) = lanes.get(lane as usize) {
                    return Operand::Const(*constant);
                }
            }
            Some(ConstKind::Zero) => return self.m.zero(elem),
            _ => {}
        }
        let def = vector.local().and_then(|v| self.func.def_inst(v)).filter(|_| depth > 0);
        match def.map(|i| self.func.insts[i].kind.clone()) {
            Some(InstKind::InsertElement { vector, value, index }) => {
                if let Some(at) = self.m.as_int(index) {
                    return if at == u128::from(lane) { value } else { self.lane(vector, lane, depth - 1) };
                }
            }
            Some(InstKind::ShuffleVector { a, b, mask }) => {
                let first = self.m.types.element_count(self.m.operand_ty(self.func, a)).unwrap_or(0);
                if let Some(Some(from)) = mask.get(lane as usize).copied() {
                    return match u64::from(from).checked_sub(first) {
                        None => self.lane(a, u64::from(from), depth - 1),
                        Some(from) => self.lane(b, from, depth - 1),
                    };
                }
            }
            Some(InstKind::Gep { elem_ty, flags, base, indices }) => {
                let base = self.scalar(base, lane, depth - 1);
                let indices = indices.into_iter().map(|i| self.scalar(i, lane, depth - 1)).collect();
                return self.push(InstKind::Gep { elem_ty, flags, base, indices }, elem, false);
            }
            Some(InstKind::Cast { op: op @ (CastOp::SExt | CastOp::ZExt), flags, fast, value }) => {
                let value = self.lane(value, lane, depth - 1);
                return self.push(InstKind::Cast { op, flags, fast, value }, elem, false);
            }
            _ => {}
        }
        let index = self.m.int(64, u128::from(lane));
        self.push(InstKind::ExtractElement { vector, index }, elem, false)
    }

    /// The lane, if it is a vector at all.
    fn scalar(&mut self, value: Operand, lane: u64, depth: usize) -> Operand {
        match self.m.types.element_count(self.m.operand_ty(self.func, value)) {
            Some(_) => self.lane(value, lane, depth),
            None => value,
        }
    }

    fn constant(&self, value: Operand) -> Option<ConstKind> {
        self.m.as_constant(value).map(|c| c.kind.clone())
    }

    /// An instruction with a result before the access.
    fn push(&mut self, kind: InstKind, ty: TypeId, accesses: bool) -> Operand {
        let id = self.add(kind, ty, accesses);
        self.func.insts[id].result.map_or_else(|| self.m.zero(ty), Operand::Local)
    }

    /// An instruction before the access; an access itself has its metadata.
    fn add(&mut self, kind: InstKind, ty: TypeId, accesses: bool) -> InstId {
        let mut new = Inst::new(kind, ty);
        new.loc = self.func.insts[self.inst].loc;
        if accesses {
            new.metadata.clone_from(&self.func.insts[self.inst].metadata);
        }
        let void = self.m.types.void();
        let id = self.func.create_inst(new, ty != void);
        self.out.push(id);
        id
    }
}
