//! Addresses of which a part is the same in all threads of a team.

use crate::analysis::context::Context;
use crate::analysis::memory::object::ObjId;
use crate::base::names::variable;
use ir::gep::{offset, signed};
use ir::hash::HashSet;
use ir::{BinOp, CastOp, ConstKind, FuncId, GlobalId, InstKind, Operand, ValueDef, ValueId};

/// How far an address is followed.
const DEPTH: u32 = 16;

/// A pointer that is the same in all threads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Uniform {
    /// A parameter of a function that gets the same from all of them.
    Parameter(FuncId, usize),
    /// A variable of the program.
    Variable(GlobalId),
    /// What lies so many bytes behind another one, where no thread writes.
    Loaded(Box<Uniform>, i64),
}

/// A uniform pointer, bytes, and values of a thread times bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Address {
    pub base: Uniform,
    pub at: i64,
    pub terms: Vec<(i64, ValueId)>,
}

/// What is the same in all threads.
pub(super) struct Known<'a> {
    pub parameters: &'a HashSet<(FuncId, usize)>,
    /// What the threads write.
    pub written: &'a HashSet<ObjId>,
}

impl Known<'_> {
    /// The address that a pointer holds.
    pub fn address(&self, cx: &Context, ptr: Operand) -> Option<Address> {
        self.address_at(cx, ptr, DEPTH)
    }

    fn address_at(&self, cx: &Context, ptr: Operand, depth: u32) -> Option<Address> {
        let depth = depth.checked_sub(1)?;
        let plain = |base| Some(Address { base, at: 0, terms: Vec::new() });
        let v = match ptr {
            Operand::Local(v) => v,
            Operand::Const(constant) => {
                let global = matches!(cx.m.constants.get(constant).kind, ConstKind::Global(_));
                let shared = |g: &GlobalId| global && cx.m.globals[*g].thread_local.is_empty();
                return plain(Uniform::Variable(variable(cx.m, constant).filter(shared)?));
            }
        };
        if let ValueDef::Param(i) = cx.func.values[v].def {
            let i = i as usize;
            return self.parameters.contains(&(cx.id, i)).then(|| plain(Uniform::Parameter(cx.id, i)))?;
        }
        match &cx.func.insts[cx.func.def_inst(v)?].kind {
            InstKind::Gep { elem_ty, base, indices, .. } => {
                let mut out = self.address_at(cx, *base, depth)?;
                let offset = offset(cx.m, *elem_ty, indices)?;
                out.at = out.at.checked_add(i64::try_from(offset.bytes).ok()?)?;
                for (index, scale) in offset.scaled {
                    add(cx, &mut out, index, i64::try_from(scale).ok()?, DEPTH)?;
                }
                out.terms.sort_by_key(|(_, v)| *v);
                Some(out)
            }
            InstKind::Load { ptr, volatile: false, atomic: None, .. } => {
                let from = self.address_at(cx, *ptr, depth)?;
                let targets = cx.targets(*ptr);
                let kept = !targets.is_empty()
                    && !cx.facts.leads_elsewhere(cx.m, cx.id, *ptr)
                    && targets.keys().all(|o| !self.written.contains(o));
                (kept && from.terms.is_empty()).then(|| plain(Uniform::Loaded(Box::new(from.base), from.at)))?
            }
            _ => None,
        }
    }
}

/// Adds an integer times bytes.
fn add(cx: &Context, out: &mut Address, value: Operand, scale: i64, depth: u32) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    if let Some(number) = cx.m.as_int(value) {
        out.at = out.at.checked_add(signed(cx.m, value, number).checked_mul(scale)?)?;
        return Some(());
    }
    let v = value.local()?;
    let number = |o: Operand| cx.m.as_int(o).map(|n| signed(cx.m, o, n));
    match cx.func.def_inst(v).map(|inst| &cx.func.insts[inst].kind) {
        Some(InstKind::Cast { op: CastOp::SExt | CastOp::ZExt, value, .. }) => add(cx, out, *value, scale, depth),
        Some(InstKind::Binary { op: BinOp::Add, flags, lhs, rhs, .. }) if flags.nsw => {
            add(cx, out, *lhs, scale, depth)?;
            add(cx, out, *rhs, scale, depth)
        }
        Some(InstKind::Binary { op: BinOp::Mul, flags, lhs, rhs, .. }) if flags.nsw && number(*rhs).is_some() => {
            add(cx, out, *lhs, scale.checked_mul(number(*rhs)?)?, depth)
        }
        _ => {
            match out.terms.iter_mut().find(|(_, known)| *known == v) {
                Some((known, _)) => *known = known.checked_add(scale)?,
                None => out.terms.push((scale, v)),
            }
            Some(())
        }
    }
}
