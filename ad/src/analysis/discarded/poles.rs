//! Values that may be infinite because an active divisor is zero.
//!
//! Where a value is too large for its format, what is made of it and finite does not depend on it: `1/(1 +
//! x·10³⁰⁰)²` is flat for large `x`. Behind a pole it may: `1/(1/a + 1/b)` is `a` where that is small, and its
//! derivative at `a = 0` is 1, though each factor of it is zero or infinite. No number of the program tells the two
//! apart, so that this is asked of the text. What an exponential makes of a pole is flat there, whatever its order
//! (`exp(-1/r)`), unless it is that of a logarithm.

use crate::analysis::context::Context;
use crate::program::externals::{self, External};
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::hash::{HashMap, HashSet};
use ir::{
    BinOp, BlockId, Call, ConstId, ConstKind, FloatKind, FuncId, Function, InstId, InstKind, Module, Operand, Type,
    ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Values that depend on a pole.
pub(super) struct Poles {
    any: HashSet<ValueId>,
    /// Those of logarithms.
    logarithmic: HashSet<ValueId>,
}

impl Poles {
    /// May an operation be other than flat where this operand is infinite? `settles`: exponentials are.
    pub(super) fn matter(&self, operand: ValueId, settles: bool) -> bool {
        if settles { self.logarithmic.contains(&operand) } else { self.any.contains(&operand) }
    }
}

/// Finds them.
pub(super) fn poles(cx: &Context, cfg: &Cfg, dom: &DomTree) -> Poles {
    let (m, func) = (cx.m, cx.func);
    let apart = Apart::find(func);
    // Each with the instructions that may have it.
    let mut out: HashMap<ValueId, BTreeSet<InstId>> = HashMap::default();
    let mut functions: BTreeMap<FuncId, bool> = BTreeMap::new();
    loop {
        let mut changed = false;
        for (block, id) in func.inst_order() {
            let inst = &func.insts[id];
            let Some(result) = inst.result.filter(|v| externals::holds_float(m, func.value_ty(*v))) else { continue };
            let of = |operand: &Operand| operand.local().and_then(|v| out.get(&v)).into_iter().flatten().copied();
            let found: BTreeSet<InstId> = match &inst.kind {
                InstKind::Load { .. } => continue,
                InstKind::Call(call) | InstKind::Invoke { call, .. } => match m.as_function(call.callee) {
                    Some(f) if !*functions.entry(f).or_insert_with(|| has_pole(m, &m.functions[f])) => {
                        let passes = |pole: &InstId| !is_flat(m, call) || is_logarithmic(cx, *pole);
                        call.args.iter().flat_map(of).filter(passes).collect()
                    }
                    _ if call.args.iter().any(|arg| cx.has_adjoint(*arg)) => {
                        call.args.iter().flat_map(of).chain([id]).collect()
                    }
                    _ => call.args.iter().flat_map(of).collect(),
                },
                InstKind::Phi { incoming, .. } => {
                    let by = |(value, from): &(Operand, BlockId)| -> Vec<InstId> {
                        of(value).filter(|pole| !apart.excludes(cx, (cfg, dom), *pole, (*from, block))).collect()
                    };
                    incoming.iter().flat_map(by).collect()
                }
                InstKind::Select { cond, if_true, if_false, .. } => {
                    let arm = |value: &Operand, taken: bool| -> Vec<InstId> {
                        of(value).filter(|pole| !is_apart(cx, *pole, (*cond, taken))).collect()
                    };
                    arm(if_true, true).into_iter().chain(arm(if_false, false)).collect()
                }
                InstKind::Binary { op: BinOp::FDiv, rhs, .. } if cx.has_adjoint(*rhs) => {
                    inst.kind.operands().iter().flat_map(of).chain([id]).collect()
                }
                kind => kind.operands().iter().flat_map(of).collect(),
            };
            if !found.is_empty() {
                let known = out.entry(result).or_default();
                let before = known.len();
                known.extend(found);
                changed |= known.len() > before;
            }
        }
        if !changed {
            let slow = |poles: &BTreeSet<InstId>| poles.iter().any(|pole| is_logarithmic(cx, *pole));
            let logarithmic = out.iter().filter(|(_, poles)| slow(poles)).map(|(v, _)| *v).collect();
            return Poles { any: out.into_keys().collect(), logarithmic };
        }
    }
}

/// May a function have a pole itself?
fn has_pole(m: &Module, f: &Function) -> bool {
    match externals::classify(m, f) {
        External::Rule(row) => row.has_pole(),
        _ => !f.is_declaration(),
    }
}

/// Is it the pole of a logarithm?
fn is_logarithmic(cx: &Context, pole: InstId) -> bool {
    let callee = cx.func.insts[pole].kind.as_call().and_then(|call| cx.m.as_function(call.callee));
    let row = callee.map(|f| externals::classify(cx.m, &cx.m.functions[f]));
    matches!(row, Some(External::Rule(row)) if row.is_logarithmic())
}

/// Is what it makes of a pole flat there?
fn is_flat(m: &Module, call: &Call) -> bool {
    let callee = m.as_function(call.callee).map(|f| externals::classify(m, &m.functions[f]));
    matches!(callee, Some(External::Rule(row)) if row.only_overflows() || row.settles())
}

/// Where branches tell that a divisor is not zero.
struct Apart {
    /// The condition of a branch and which way it goes, the block it is in, and the one it leads to.
    branches: Vec<(Told, BlockId, BlockId)>,
}

/// A condition, and what it is known to be.
type Told = (Operand, bool);

impl Apart {
    fn find(func: &Function) -> Apart {
        let mut branches = Vec::new();
        for block in &func.layout {
            let last = func.terminator(*block).map(|inst| &func.insts[inst].kind);
            if let Some(InstKind::CondBr { cond, then_to, else_to }) = last
                && then_to != else_to
            {
                branches.extend([((*cond, true), *block, *then_to), ((*cond, false), *block, *else_to)]);
            }
        }
        Apart { branches }
    }

    /// Is a quotient no pole on an edge, because of the branches before it?
    fn excludes(
        &self,
        cx: &Context,
        (cfg, dom): (&Cfg, &DomTree),
        quotient: InstId,
        (from, to): (BlockId, BlockId),
    ) -> bool {
        self.branches.iter().any(|(told, at, target)| {
            let here = (*at, *target) == (from, to);
            let before = || cfg.preds(*target) == [*at] && dom.dominates(*target, from);
            is_apart(cx, quotient, *told) && (here || before())
        })
    }
}

/// Is the divisor not zero where a comparison of it with a constant has that result?
fn is_apart(cx: &Context, quotient: InstId, (cond, taken): Told) -> bool {
    let (m, func) = (cx.m, cx.func);
    let InstKind::Binary { rhs: divisor, .. } = func.insts[quotient].kind else { return false };
    let made_by = |operand: Operand| operand.local().and_then(|v| func.def_inst(v)).map(|inst| &func.insts[inst].kind);
    let Some(InstKind::FCmp { pred, lhs, rhs, .. }) = made_by(cond) else { return false };
    // At zero, of which the size is zero as well.
    let at_zero = |operand: Operand| match operand {
        Operand::Const(c) => finite_number(m, c),
        _ if operand == divisor => Some(0.0),
        _ => match made_by(operand) {
            Some(InstKind::Call(call)) if is_size(m, call) && call.args.first() == Some(&divisor) => Some(0.0),
            _ => None,
        },
    };
    let (Some(left), Some(right)) = (at_zero(*lhs), at_zero(*rhs)) else { return false };
    pred.holds(left.partial_cmp(&right)) != taken
}

fn is_size(m: &Module, call: &Call) -> bool {
    let callee = m.as_function(call.callee).map(|f| externals::classify(m, &m.functions[f]));
    matches!(callee, Some(External::Rule(row)) if row.op == rules::Op::Fabs)
}

fn finite_number(m: &Module, constant: ConstId) -> Option<f64> {
    let data = m.constants.get(constant);
    match (&data.kind, m.types.get(data.ty)) {
        (ConstKind::Float(bits), Type::Float(FloatKind::Double)) => Some(f64::from_bits(*bits as u64)),
        (ConstKind::Float(bits), Type::Float(FloatKind::Float)) => Some(f64::from(f32::from_bits(*bits as u32))),
        (ConstKind::Zero, _) => Some(0.0),
        _ => None,
    }
}
