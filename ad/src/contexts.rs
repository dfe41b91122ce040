//! Calling contexts kept apart: every call gets a copy of the function it calls.
//!
//! The analyses take all calls of a function together. A helper that copies doubles here and pairs of floats there, or is given active
//! memory in one call and constant memory in another, then works on data of no one type. Where a gradient is refused, it is tried
//! again on a module in which the tree of calls is written out (call strings of unlimited length, Sharir & Pnueli 1981; recursive calls
//! go to the function as it was). Programs that need no such copies do not pay for them.

use crate::known::{External, classify};
use ir::{FuncId, Module, Operand};
use std::collections::BTreeMap;

/// Instructions after which no more copies are made.
const MAX_INSTRUCTIONS: usize = 20_000;

/// The copies made, so that what is not needed after synthesis can be stripped.
pub struct Copies {
    /// The copy of the root.
    pub root: FuncId,
    made: Vec<FuncId>,
    left: usize,
}

/// Writes out the calls below `root`; none if no function is called from two places.
pub fn separate(m: &mut Module, root: FuncId) -> Option<Copies> {
    let mut sites: BTreeMap<FuncId, usize> = BTreeMap::new();
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        for callee in callees(m, id) {
            let count = sites.entry(callee).or_insert(0);
            *count += 1;
            if *count == 1 {
                work.push(callee);
            }
        }
    }
    sites.values().any(|count| *count > 1).then(|| {
        let mut copies = Copies { root, made: Vec::new(), left: MAX_INSTRUCTIONS };
        copies.root = copies.copy(m, root, &mut Vec::new());
        copies
    })
}

/// The functions that are looked into where `id` calls them, once for each call.
fn callees(m: &Module, id: FuncId) -> Vec<FuncId> {
    let func = &m.functions[id];
    let called = func.inst_order().filter_map(|(_, i)| m.as_function(func.insts[i].kind.as_call()?.callee));
    called.filter(|f| is_looked_into(m, *f)).collect()
}

fn is_looked_into(m: &Module, id: FuncId) -> bool {
    let func = &m.functions[id];
    !func.is_declaration() && !func.vararg && matches!(classify(m, func), External::Unknown)
}

impl Copies {
    /// A copy of a function, whose calls go to copies; `path` holds the functions that are being copied.
    fn copy(&mut self, m: &mut Module, id: FuncId, path: &mut Vec<FuncId>) -> FuncId {
        let mut func = m.functions[id].clone();
        func.name = crate::synth::unique(m, &format!("__adj_apart_{}", func.name));
        func.flags = ir::Function::new("", func.ret, &[]).flags;
        func.flags.linkage = "internal".to_owned();
        func.clauses.retain(|clause| !clause.starts_with("comdat"));
        self.left = self.left.saturating_sub(func.inst_order().count());
        let new = m.functions.push(func);
        self.made.push(new);
        path.push(id);
        let insts: Vec<_> = m.functions[new].inst_order().map(|(_, i)| i).collect();
        for inst in insts {
            let callee = m.functions[new].insts[inst].kind.as_call().and_then(|c| m.as_function(c.callee));
            let Some(callee) = callee.filter(|f| is_looked_into(m, *f) && !path.contains(f)) else { continue };
            if m.functions[callee].inst_order().count() > self.left {
                continue;
            }
            let own = self.copy(m, callee, path);
            let address: Operand = m.function_address(own);
            if let Some(call) = m.functions[new].insts[inst].kind.as_call_mut() {
                call.callee = address;
            }
        }
        path.pop();
        new
    }

    /// Takes the debug information off the copies: a subprogram belongs to one function.
    pub fn strip(&self, m: &mut Module) {
        for id in &self.made {
            let func = &mut m.functions[*id];
            func.metadata.retain(|(key, _)| key != "dbg");
            for inst in func.insts.values_mut() {
                inst.debug_records.clear();
            }
        }
    }
}
