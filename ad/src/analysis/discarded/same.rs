//! Integers and addresses that are the same number although they are computed twice: a bound that each of two loops
//! loads from memory that the function does not write.

use crate::analysis::context::Context;
use crate::analysis::memory::object::ObjId;
use crate::analysis::memory::place::Place;
use crate::program::externals::{self, External};
use ir::hash::HashMap;
use ir::{BinOp, CastOp, InstKind, Operand, TypeId, ValueId};
use std::collections::BTreeMap;

/// How a number is computed, of numbers that stand for all that are the same.
#[derive(PartialEq, Eq, Hash)]
enum Made {
    Load(TypeId, Operand),
    Element(TypeId, Operand, Vec<Operand>),
    Cast(TypeId, CastOp, Operand),
    Binary(BinOp, Operand, Operand),
}

/// For each of them one that stands for all, the first.
pub(super) struct Same(HashMap<ValueId, Operand>);

impl Same {
    pub(super) fn new(cx: &Context) -> Same {
        let written = written(cx);
        let mut same = Same(HashMap::default());
        let mut first: HashMap<Made, Operand> = HashMap::default();
        for (_, inst) in cx.func.inst_order() {
            let data = &cx.func.insts[inst];
            let Some(v) = data.result.filter(|_| !externals::holds_float(cx.m, data.ty)) else { continue };
            let made = match &data.kind {
                InstKind::Load { ptr, volatile: false, atomic: None, .. } if !is_written(cx, &written, *ptr) => {
                    Made::Load(data.ty, same.of(*ptr))
                }
                InstKind::Gep { elem_ty, base, indices, .. } => {
                    Made::Element(*elem_ty, same.of(*base), indices.iter().map(|index| same.of(*index)).collect())
                }
                InstKind::Cast { op, value, .. } => Made::Cast(data.ty, *op, same.of(*value)),
                InstKind::Binary { op, lhs, rhs, .. } => Made::Binary(*op, same.of(*lhs), same.of(*rhs)),
                _ => continue,
            };
            let one = *first.entry(made).or_insert(Operand::Local(v));
            same.0.insert(v, one);
        }
        same
    }

    /// What stands for an operand.
    pub(super) fn of(&self, operand: Operand) -> Operand {
        operand.local().and_then(|v| self.0.get(&v).copied()).unwrap_or(operand)
    }
}

/// Places that the function stores to, or hands to other functions that may; of those without a size, all that lies
/// behind them.
fn written(cx: &Context) -> BTreeMap<ObjId, Vec<(Place, u64)>> {
    let (m, func) = (cx.m, cx.func);
    let mut out: BTreeMap<ObjId, Vec<(Place, u64)>> = BTreeMap::new();
    let mut add = |address: Operand, size: u64| {
        for (object, place) in cx.targets(address) {
            out.entry(object).or_default().push((place, size));
        }
    };
    for (_, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Store { value, ptr, .. } => add(*ptr, m.size_of(m.operand_ty(func, *value))),
            InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => add(*ptr, u64::MAX),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let callee = m.as_function(call.callee).map(|f| externals::classify(m, &m.functions[f]));
                if !matches!(callee, Some(External::Inactive)) {
                    call.args.iter().for_each(|arg| add(*arg, u64::MAX));
                }
            }
            _ => {}
        }
    }
    out
}

fn is_written(cx: &Context, written: &BTreeMap<ObjId, Vec<(Place, u64)>>, ptr: Operand) -> bool {
    cx.targets(ptr).iter().any(|(object, place)| {
        let meets = |(other, size): &(Place, u64)| *size == u64::MAX || other.overlaps(*size, *place, 8);
        written.get(object).is_some_and(|places| places.iter().any(meets))
    })
}
