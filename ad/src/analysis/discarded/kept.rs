//! Values that are not thrown away, whatever else becomes of them.
//!
//! Something that is thrown away may be computed from a value that is used for certain as well: the density of a gas,
//! from which a shock's pressure is computed that there may not be. The adjoint of that value is zero by chance only.
//! And where an operand of it is infinite, so is it, and what is made of it, and in the end what the function gives:
//! there is no derivative that could be spoilt.

use super::{End, ends, returns};
use crate::analysis::context::Context;
use crate::base::regions::Shape;
use crate::program::externals::holds_float;
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, CastOp, InstId, InstKind, Operand, ValueId};
use std::collections::BTreeSet;

/// Values that are looked at behind an arm of a `select`.
const MAX_BEHIND_ARM: usize = 256;

/// How a value is used in a way that passes on that it is infinite.
struct Use {
    /// In this block, or, by a phi, on the way from it to the other one.
    at: (BlockId, Option<BlockId>),
    /// What is computed; none if the value is stored or returned.
    result: Option<ValueId>,
}

/// Floats of which something is stored or returned on every way behind them, by operations whose results are infinite
/// or NaN where they are. (Those that other operations may be given are `infinite`.)
pub(super) fn kept(cx: &Context, shape: &Shape, infinite: &HashSet<ValueId>) -> HashSet<ValueId> {
    let uses = uses(cx, infinite);
    // The greatest set: what a loop hands on to itself is used if what leaves the loop is.
    let mut out: HashSet<ValueId> = uses.keys().copied().collect();
    let mut work: Vec<ValueId> = out.iter().copied().collect();
    let mut operands: HashMap<ValueId, Vec<ValueId>> = HashMap::default();
    for (v, uses) in &uses {
        for result in uses.iter().filter_map(|u| u.result) {
            operands.entry(result).or_default().push(*v);
        }
    }
    while let Some(v) = work.pop() {
        let counts = |u: &&Use| u.result.is_none_or(|result| out.contains(&result));
        let places: Vec<_> = uses[&v].iter().filter(counts).map(|u| u.at).collect();
        if out.contains(&v) && !is_on_all_ways(cx, shape, v, &places) {
            out.remove(&v);
            work.extend(operands.get(&v).into_iter().flatten());
        }
    }
    out
}

/// Does every way from where a value is computed pass one of these places, before the value is computed anew or the
/// function returns?
fn is_on_all_ways(cx: &Context, shape: &Shape, v: ValueId, places: &[(BlockId, Option<BlockId>)]) -> bool {
    let (func, entry) = (cx.func, cx.func.entry());
    let made = func.def_inst(v).and_then(|inst| shape.block(inst)).unwrap_or(entry);
    if places.contains(&(made, None)) {
        return true;
    }
    let (mut seen, mut work) = (BTreeSet::from([made]), vec![made]);
    while let Some(at) = work.pop() {
        if returns(func, at) {
            return false;
        }
        for next in shape.cfg.succs(at) {
            if places.contains(&(at, Some(*next))) || places.contains(&(*next, None)) {
                continue;
            }
            // It is no longer at hand where it is not computed on all ways.
            if *next == made || !shape.dom.dominates(made, *next) {
                return false;
            }
            if seen.insert(*next) {
                work.push(*next);
            }
        }
    }
    true
}

/// The uses that count, of each float.
fn uses(cx: &Context, infinite: &HashSet<ValueId>) -> HashMap<ValueId, Vec<Use>> {
    let (m, func) = (cx.m, cx.func);
    let mut out: HashMap<ValueId, Vec<Use>> = HashMap::default();
    let mut add = |value: Operand, at: (BlockId, Option<BlockId>), result: Option<ValueId>| {
        if let Some(v) = value.local().filter(|v| holds_float(m, func.value_ty(*v))) {
            out.entry(v).or_default().push(Use { at, result });
        }
    };
    for (block, inst) in func.inst_order() {
        let data = &func.insts[inst];
        match &data.kind {
            InstKind::Store { value, .. } | InstKind::Ret(Some(value)) => add(*value, (block, None), None),
            InstKind::Phi { incoming, .. } => {
                incoming.iter().for_each(|(value, from)| add(*value, (*from, Some(block)), data.result));
            }
            InstKind::Select { if_true, if_false, .. } => {
                for v in behind_both(cx, infinite, *if_true, *if_false) {
                    add(Operand::Local(v), (block, None), data.result);
                }
            }
            InstKind::InsertElement { value, .. } => add(*value, (block, None), data.result),
            _ if data.result.is_none() => {}
            _ => passed_on(cx, infinite, inst).into_iter().for_each(|v| add(v, (block, None), data.result)),
        }
    }
    out
}

/// The operands of an operation that leave no finite result where they are infinite.
fn passed_on(cx: &Context, infinite: &HashSet<ValueId>, inst: InstId) -> Vec<Operand> {
    match &cx.func.insts[inst].kind {
        InstKind::Freeze(value) => vec![*value],
        InstKind::Cast { op: CastOp::FPExt | CastOp::FPTrunc, value, .. } => vec![*value],
        _ => {
            let finite = |value: &Operand| value.local().is_some_and(|v| !infinite.contains(&v));
            let passes = |(value, end): &(Operand, End)| match end {
                End::Passed => true,
                End::Tamed => finite(value),
                End::Chosen => false,
            };
            ends(cx, inst).into_iter().filter(passes).map(|(value, _)| value).collect()
        }
    }
}

/// Floats of which both arms of a `select` are computed.
fn behind_both(cx: &Context, infinite: &HashSet<ValueId>, if_true: Operand, if_false: Operand) -> Vec<ValueId> {
    let one = behind(cx, infinite, if_true);
    let other = behind(cx, infinite, if_false);
    one.into_iter().filter(|v| other.contains(v)).collect()
}

/// A float, and those that it is computed from whatever is chosen; not all, if there are many.
fn behind(cx: &Context, infinite: &HashSet<ValueId>, value: Operand) -> BTreeSet<ValueId> {
    let mut out = BTreeSet::new();
    let mut work: Vec<ValueId> = value.local().into_iter().collect();
    while let Some(v) = work.pop().filter(|_| out.len() < MAX_BEHIND_ARM) {
        if let Some(inst) = cx.func.def_inst(v).filter(|_| out.insert(v)) {
            work.extend(passed_on(cx, infinite, inst).iter().filter_map(|o| o.local()));
        }
    }
    out
}
