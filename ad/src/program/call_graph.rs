//! Which functions a function reaches, and whose addresses are taken.

use super::attributes;
use ir::{ConstExpr, ConstId, ConstKind, FuncId, Module};
use std::collections::BTreeSet;

/// What the names of functions and variables of gradients begin with.
pub(crate) const OURS: &str = "__adj_";

/// Functions whose address or call `root` reaches; of loops with checkpoints also those of their gradients.
pub(crate) fn reachable(m: &Module, root: FuncId) -> BTreeSet<FuncId> {
    reachable_from(m, [root])
}

/// The same of several functions.
pub(crate) fn reachable_from(m: &Module, roots: impl IntoIterator<Item = FuncId>) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    let mut work: Vec<FuncId> = roots.into_iter().collect();
    while let Some(id) = work.pop() {
        if !out.insert(id) {
            continue;
        }
        let func = &m.functions[id];
        for (_, inst) in func.inst_order() {
            work.extend(func.insts[inst].kind.operands().into_iter().filter_map(|o| m.as_function(o)));
        }
        if let Some((augmented, reverse)) = attributes::gradient(m, func).filter(|_| attributes::is_loop(func)) {
            work.extend([augmented, reverse]);
        }
    }
    out
}

/// Functions whose address is an operand or lies in a global variable. What a differentiated call differentiates is not
/// meant: it is called by name.
pub(crate) fn address_taken(m: &Module, asks_for_derivative: impl Fn(&str) -> bool) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    for global in m.globals.values() {
        functions_in(m, global.init, &mut out);
    }
    for func in m.functions.values() {
        for (_, inst) in func.inst_order() {
            let kind = &func.insts[inst].kind;
            let mut operands = kind.operands();
            if let Some(call) = kind.as_call() {
                operands.pop();
                let callee = m.as_function(call.callee).map(|f| m.functions[f].name.as_str());
                if callee.is_some_and(&asks_for_derivative) {
                    let named = operands.iter().position(|o| m.as_function(*o).is_some());
                    named.map(|n| operands.remove(n));
                }
            }
            for operand in operands {
                functions_in(m, operand.constant(), &mut out);
            }
        }
    }
    out.retain(|f| !m.functions[*f].name.starts_with(OURS));
    out
}

/// Functions that are called, whose address is an operand, or lies in a global variable.
pub(crate) fn used(m: &Module) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    for global in m.globals.values() {
        functions_in(m, global.init, &mut out);
    }
    for func in m.functions.values() {
        for (_, inst) in func.inst_order() {
            let operands = func.insts[inst].kind.operands();
            operands.into_iter().for_each(|operand| functions_in(m, operand.constant(), &mut out));
        }
    }
    out
}

fn functions_in(m: &Module, constant: Option<ConstId>, out: &mut BTreeSet<FuncId>) {
    let mut work: Vec<ConstId> = constant.into_iter().collect();
    while let Some(c) = work.pop() {
        match &m.constants.get(c).kind {
            ConstKind::Function(f) => {
                out.insert(*f);
            }
            ConstKind::Aggregate(elems) => work.extend(elems),
            ConstKind::Expr(ConstExpr::Cast(_, inner)) => work.push(*inner),
            ConstKind::Expr(ConstExpr::Gep { base, .. }) => work.push(*base),
            _ => {}
        }
    }
}
