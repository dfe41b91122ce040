//! Constant folding where a value has become known: as much of it as decides which way a function goes.

use ir::hash::HashMap;
use ir::{BlockId, Function, InstId, InstKind, IntPred, Module, Operand, ValueId};

/// Puts known integers in the place of values, and follows them through comparisons to branches.
pub fn fold(m: &mut Module, func: &mut Function, mut known: HashMap<ValueId, Operand>) {
    let order: Vec<(BlockId, InstId)> = func.inst_order().collect();
    while {
        let mut new = false;
        for (_, inst) in &order {
            let data = &mut func.insts[*inst];
            data.kind.for_each_operand_mut(|o| {
                if let Some(constant) = o.local().and_then(|v| known.get(&v)) {
                    *o = *constant;
                }
            });
            let compared = match data.kind {
                InstKind::ICmp { pred, lhs, rhs } => decide(m, pred, lhs, rhs),
                _ => None,
            };
            if let (Some(result), Some(v)) = (compared, data.result)
                && !known.contains_key(&v)
            {
                known.insert(v, m.int(1, u128::from(result)));
                new = true;
            }
        }
        new
    } {}
    for (_, inst) in order {
        let taken = match &func.insts[inst].kind {
            InstKind::CondBr { cond, then_to, else_to } => {
                m.as_int(*cond).map(|c| if c & 1 == 1 { *then_to } else { *else_to })
            }
            InstKind::Switch { value, default, cases } => m.as_int(*value).map(|way| {
                let is = |(case, _): &&(ir::ConstId, BlockId)| m.as_int(Operand::Const(*case)) == Some(way);
                cases.iter().find(is).map_or(*default, |(_, to)| *to)
            }),
            _ => None,
        };
        if let Some(to) = taken {
            func.insts[inst].kind = InstKind::Br(to);
        }
    }
}

/// A comparison of two integers for equality.
fn decide(m: &Module, pred: IntPred, lhs: Operand, rhs: Operand) -> Option<bool> {
    let (lhs, rhs) = (m.as_int(lhs)?, m.as_int(rhs)?);
    match pred {
        IntPred::Eq => Some(lhs == rhs),
        IntPred::Ne => Some(lhs != rhs),
        _ => None,
    }
}
