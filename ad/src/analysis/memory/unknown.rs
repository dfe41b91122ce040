//! Pointers that may lead elsewhere than the analysis of pointers tells.
//!
//! That analysis sees the differentiated functions. What a variable of the module holds was put there by others, so a
//! pointer that is loaded from one may lead anywhere that these can reach: to memory of the caller, too. So may one
//! made from an integer, given by a function without a body here, or loaded from where nothing is known. This is
//! followed, from value to value and through memory (an object that holds one such pointer holds many), as a flag
//! beside the targets: where it stands, what is written may be anything that the caller, variables or lost pointers
//! lead to, and what is read may be the same.
//!
//! A pointer that is loaded as one has [`ObjKind::Opaque`] among its targets, and so has what is made of it. The flag
//! is for those that travel as integers, or in structures that are copied, where the targets say nothing.

use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::{Facts, Key};
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use crate::program::mpi;
use ir::hash::HashSet;
use ir::{CastOp, ConstExpr, ConstId, ConstKind, FuncId, Function, Inst, InstId, InstKind, Module, Operand, Type};

/// Addresses so near to null are in no object: nothing is mapped there.
const FIRST_PAGE: u64 = 4096;

/// The values with that flag.
#[derive(Default, Debug)]
pub struct Unknown {
    values: HashSet<Key>,
    objects: HashSet<ObjId>,
    /// Pointers that a variable held which the program declares constant.
    constant: HashSet<Key>,
    /// Such a pointer, or one of ours, was stored where nothing is known.
    anywhere: bool,
}

impl Unknown {
    /// Finds them.
    pub fn find(facts: &Facts, m: &Module, sources: &Sources) -> Unknown {
        let mut unknown = Unknown::default();
        let executed = |(id, func): (&FuncId, &Function)| {
            let reached = facts.reached_blocks(m, *id, func);
            let order = func.inst_order();
            order
                .filter(|(block, _)| reached.as_ref().is_none_or(|blocks| blocks.contains(block)))
                .map(|(_, i)| i)
                .collect()
        };
        let executed: Vec<Vec<InstId>> = sources.iter().map(executed).collect();
        while {
            let mut new = false;
            for ((id, func), insts) in sources.iter().zip(&executed) {
                for inst in insts {
                    new |= unknown.step(facts, m, sources, (*id, func, *inst));
                }
            }
            new
        } {}
        unknown
    }

    /// May a pointer, or an integer or structure that holds one, lead elsewhere than to its targets?
    pub fn has(&self, facts: &Facts, m: &Module, id: FuncId, operand: Operand) -> bool {
        match operand {
            Operand::Local(v) => self.values.contains(&(id, v)),
            // A number that is made an address.
            Operand::Const(c) => {
                matches!(m.constants.get(c).kind, ConstKind::Expr(_))
                    && facts.points_to(m, id, operand).is_empty()
                    && !mpi::is_in_place(m, operand)
                    && !is_beside_null(m, c)
            }
        }
    }

    /// Does the program declare what is there constant?
    pub fn is_constant(&self, id: FuncId, ptr: Operand) -> bool {
        ptr.local().is_some_and(|v| self.constant.contains(&(id, v)))
    }

    /// May what lies behind an address hold such pointers?
    fn holds(&self, facts: &Facts, m: &Module, id: FuncId, ptr: Operand) -> bool {
        let held = |o: &ObjId| match facts.objects[*o].kind {
            ObjKind::Global(g) => facts.put_elsewhere.contains(&g),
            ObjKind::Opaque | ObjKind::Lost => true,
            _ => self.anywhere || self.objects.contains(o),
        };
        self.has(facts, m, id, ptr) || facts.points_to(m, id, ptr).keys().any(held)
    }

    fn flag(&mut self, id: FuncId, func: &Function, inst: InstId) -> bool {
        func.insts[inst].result.is_some_and(|v| self.values.insert((id, v)))
    }

    /// Notes that such a pointer is stored behind an address.
    fn store(&mut self, facts: &Facts, m: &Module, id: FuncId, ptr: Operand) -> bool {
        let mut new = false;
        if self.has(facts, m, id, ptr) {
            new |= !std::mem::replace(&mut self.anywhere, true);
        }
        for object in facts.points_to(m, id, ptr).into_keys() {
            new |= self.objects.insert(object);
        }
        new
    }

    fn step(
        &mut self,
        facts: &Facts,
        m: &Module,
        sources: &Sources,
        (id, func, inst): (FuncId, &Function, InstId),
    ) -> bool {
        let data = &func.insts[inst];
        let declared = match &data.kind {
            InstKind::Load { ptr, .. } => {
                let targets = facts.points_to(m, id, *ptr);
                !targets.is_empty() && targets.keys().all(|o| facts.objects[*o].inactive)
            }
            InstKind::Gep { base: from, .. } | InstKind::Cast { value: from, .. } | InstKind::Freeze(from) => {
                self.is_constant(id, *from)
            }
            _ => false,
        };
        if let Some(v) = data.result.filter(|_| declared) {
            self.constant.insert((id, v));
        }
        let any = |this: &Unknown| data.kind.operands().into_iter().any(|o| this.has(facts, m, id, o));
        match &data.kind {
            InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                may_hold_pointer(m, data) && self.holds(facts, m, id, *ptr) && self.flag(id, func, inst)
            }
            InstKind::Store { value, ptr, .. } => {
                let lost = self.has(facts, m, id, *ptr) && m.types.is_ptr(m.operand_ty(func, *value));
                (lost || self.has(facts, m, id, *value)) && self.store(facts, m, id, *ptr)
            }
            // A number that is no address of what is known, or a pointer from who knows where.
            InstKind::Cast { op: CastOp::IntToPtr, .. } if self.is_untold(facts, m, (id, func, inst)) => {
                self.flag(id, func, inst)
            }
            InstKind::Gep { base, .. } => self.has(facts, m, id, *base) && self.flag(id, func, inst),
            InstKind::Cast { .. }
            | InstKind::Phi { .. }
            | InstKind::Select { .. }
            | InstKind::Freeze(_)
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. }
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. } => may_hold_pointer(m, data) && any(self) && self.flag(id, func, inst),
            InstKind::Call(call) => self.call(facts, m, sources, (id, func, inst), call),
            _ => false,
        }
    }

    /// Is nothing told of where the result leads?
    fn is_untold(&self, facts: &Facts, m: &Module, (id, func, inst): (FuncId, &Function, InstId)) -> bool {
        func.insts[inst].result.is_some_and(|v| facts.points_to(m, id, Operand::Local(v)).is_empty())
    }

    fn call(
        &mut self,
        facts: &Facts,
        m: &Module,
        sources: &Sources,
        (id, func, inst): (FuncId, &Function, InstId),
        call: &ir::Call,
    ) -> bool {
        let called = facts.called(m, sources, (id, func), inst);
        let mut new = false;
        for callee in &called {
            let theirs = &sources[callee];
            for (arg, param) in call.args.iter().zip(&theirs.params) {
                new |= self.has(facts, m, id, *arg) && self.values.insert((*callee, param.value));
            }
            let given = theirs.inst_order().filter_map(|(_, i)| match theirs.insts[i].kind {
                InstKind::Ret(value) => value,
                _ => None,
            });
            if given.into_iter().any(|value| self.has(facts, m, *callee, value)) {
                new |= self.flag(id, func, inst);
            }
        }
        if !called.is_empty() {
            return new;
        }
        let copies = m.as_function(call.callee).is_some_and(|f| matches!(classify(m, &m.functions[f]), External::Copy));
        match call.args.as_slice() {
            [to, from, ..] if copies => self.holds(facts, m, id, *from) && self.store(facts, m, id, *to),
            _ => {
                m.types.is_ptr(func.insts[inst].ty)
                    && self.is_untold(facts, m, (id, func, inst))
                    && self.flag(id, func, inst)
            }
        }
    }
}

/// Can the result be a pointer, or hold one, perhaps as an integer?
fn may_hold_pointer(m: &Module, data: &Inst) -> bool {
    match m.types.get(data.ty) {
        Type::Float(_) | Type::Void => false,
        Type::Int(bits) => *bits >= 64,
        Type::Vector { .. } => m.types.float_kind(m.types.scalar(data.ty)).is_none() && m.size_of(data.ty) >= 8,
        _ => true,
    }
}

/// Is it the address of a member of an object at null? There is none: LLVM leaves such addresses where a program would
/// go if a block were empty, and never does.
fn is_beside_null(m: &Module, constant: ConstId) -> bool {
    let by = match &m.constants.get(constant).kind {
        ConstKind::Expr(ConstExpr::Cast(CastOp::IntToPtr, inner)) => {
            m.as_int(Operand::Const(*inner)).map(|address| address as i64)
        }
        ConstKind::Expr(ConstExpr::Gep { elem_ty, base, indices, .. })
            if matches!(m.constants.get(*base).kind, ConstKind::Null) =>
        {
            let indices: Vec<Operand> = indices.iter().map(|index| Operand::Const(*index)).collect();
            ir::gep::constant_offset(m, *elem_ty, &indices)
        }
        _ => None,
    };
    by.is_some_and(|by| by.unsigned_abs() < FIRST_PAGE)
}
