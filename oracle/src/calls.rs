//! What the functions of a module call and name.

use ir::{ConstExpr, ConstKind, FuncId, Module};
use std::collections::BTreeSet;

/// The functions of which the program's own rules are made: the gradients that it gives for its functions.
pub(crate) fn given_rules(module: &Module) -> BTreeSet<FuncId> {
    let rules = |f: &ir::Function| -> Vec<FuncId> {
        let gradient =
            ad::attributes::gradient(module, f).into_iter().flat_map(|(augmented, reverse)| [augmented, reverse]);
        gradient.chain(ad::attributes::derivative(module, f)).collect()
    };
    module.functions.values().flat_map(rules).flat_map(|rule| reachable(module, rule)).collect()
}

/// The functions that [`reachable`] finds, and those in the tables that these name.
pub(crate) fn reachable_through_tables(module: &Module, root: FuncId) -> BTreeSet<FuncId> {
    let (mut seen, mut globals) = (BTreeSet::new(), BTreeSet::new());
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let function = &module.functions[id];
        let mut constants = Vec::new();
        for (_, inst) in function.inst_order() {
            function.insts[inst].kind.for_each_operand(|o| constants.extend(o.constant()));
        }
        while let Some(constant) = constants.pop() {
            match &module.constants.get(constant).kind {
                ConstKind::Function(function) => work.push(*function),
                ConstKind::Global(global) if globals.insert(*global) => {
                    let global = &module.globals[*global];
                    constants.extend(global.init.into_iter().chain(global.alias_of));
                }
                ConstKind::Aggregate(elements) => constants.extend(elements),
                ConstKind::Expr(ConstExpr::Cast(_, inner) | ConstExpr::Gep { base: inner, .. }) => {
                    constants.push(*inner);
                }
                _ => {}
            }
        }
    }
    seen
}

/// A function and all that it, or what it calls, names.
pub(crate) fn reachable(module: &Module, root: FuncId) -> BTreeSet<FuncId> {
    let mut seen = BTreeSet::new();
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let function = &module.functions[id];
        for (_, inst) in function.inst_order() {
            function.insts[inst].kind.for_each_operand(|o| work.extend(module.as_function(*o)));
        }
    }
    seen
}
