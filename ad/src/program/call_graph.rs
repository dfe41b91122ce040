//! Which functions a function reaches.

use super::attributes;
use ir::{FuncId, Module};
use std::collections::BTreeSet;

/// Functions whose address or call `root` reaches; of loops with checkpoints also those of their gradients.
pub(crate) fn reachable(m: &Module, root: FuncId) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    let mut work = vec![root];
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
