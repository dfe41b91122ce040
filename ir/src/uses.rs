//! What comes of a value.
//!
//! Phis, selects and computations pass a value on. What is stored, called with, returned, branched on, divided by or
//! taken for an address is *used*. What has passed a select is used only where that has taken the arm. An optimiser may
//! load and compute what is not used (LangRef, "Memory Model for Concurrent Operations").

use crate::hash::HashMap;
use crate::{BinOp, Function, InstId, InstKind, Module, Operand, Role, Type, ValueId};
use std::collections::BTreeSet;

/// The select that a value has passed, and the arm.
pub type Passed = Option<(InstId, bool)>;

/// The instructions that have each value as an operand.
pub struct Takers(HashMap<ValueId, Vec<InstId>>);

impl Takers {
    /// Those of a function.
    pub fn new(func: &Function) -> Takers {
        let mut takers: HashMap<ValueId, Vec<InstId>> = HashMap::default();
        for (_, inst) in func.inst_order() {
            let values: BTreeSet<ValueId> =
                func.insts[inst].kind.operands().into_iter().filter_map(Operand::local).collect();
            values.into_iter().for_each(|value| takers.entry(value).or_default().push(inst));
        }
        Takers(takers)
    }

    /// Who uses a value, or what is computed from it.
    pub fn uses(&self, func: &Function, module: &Module, value: ValueId) -> BTreeSet<(InstId, Passed)> {
        let mut uses = BTreeSet::new();
        let mut seen: BTreeSet<(ValueId, Passed)> = BTreeSet::from([(value, None)]);
        let mut work = vec![(value, None)];
        while let Some((value, passed)) = work.pop() {
            for taker in self.0.get(&value).into_iter().flatten() {
                let inst = &func.insts[*taker];
                let is = |operand: &Operand| *operand == Operand::Local(value);
                let ways: Vec<Passed> = match &inst.kind {
                    InstKind::Select { cond, if_true, if_false, .. } if !is(cond) => {
                        let arms = [(if_true, true), (if_false, false)].into_iter().filter(|(arm, _)| is(arm));
                        let lanes = matches!(module.types.get(inst.ty), Type::Vector { .. });
                        arms.map(|(_, when)| passed.or(Some((*taker, when)).filter(|_| !lanes))).collect()
                    }
                    // What a gradient records of a value, it uses when it reads the record.
                    InstKind::Store { .. } if inst.origin.is_some_and(|o| o.role == Role::Push) => continue,
                    kind if passes(module, kind) => vec![passed],
                    _ => {
                        uses.insert((*taker, passed));
                        continue;
                    }
                };
                for way in ways {
                    if let Some(result) = inst.result
                        && seen.insert((result, way))
                    {
                        work.push((result, way));
                    }
                }
            }
        }
        uses
    }
}

/// Does an instruction do nothing with its operands but compute its result, whatever they are?
fn passes(module: &Module, kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary { op, .. } => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
        InstKind::Phi { .. }
        | InstKind::FNeg { .. }
        | InstKind::Cast { .. }
        | InstKind::ICmp { .. }
        | InstKind::FCmp { .. }
        | InstKind::Gep { .. }
        | InstKind::ExtractElement { .. }
        | InstKind::InsertElement { .. }
        | InstKind::ShuffleVector { .. }
        | InstKind::ExtractValue { .. }
        | InstKind::InsertValue { .. } => true,
        InstKind::Call(call) => {
            let name = module.as_function(call.callee).map(|f| module.functions[f].name.as_str());
            const COMPUTE: [&str; 8] = ["fabs.", "fma.", "fmuladd.", "sqrt.", "smin.", "smax.", "umin.", "umax."];
            name.and_then(|name| name.strip_prefix("llvm.")).is_some_and(|n| COMPUTE.iter().any(|c| n.starts_with(c)))
        }
        _ => false,
    }
}
