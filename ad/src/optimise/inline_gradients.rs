//! Gradients that are called at few places are inlined there, in native programs.
//!
//! A loop that asks for the rows of a Jacobian is unrolled before it is differentiated, and then calls one gradient
//! with one point several times, of which LLVM inlines none, as there is more than one call. But what these have in
//! common, the forward pass, it computes once if it sees them all in one function.

use crate::optimise::errno::is_gradient;
use ir::hash::HashMap;
use ir::{FuncId, Function, Module};

/// One place is LLVM's own business.
const PLACES: std::ops::RangeInclusive<usize> = 2..=8;

/// The most instructions at all places together, before they are optimised.
const FEW: usize = 8000;

/// Marks these gradients.
pub fn install(m: &mut Module) {
    let mut calls: HashMap<FuncId, usize> = HashMap::default();
    let mut mentions: HashMap<FuncId, usize> = HashMap::default();
    for func in m.functions.values() {
        for (_, inst) in func.inst_order() {
            let kind = &func.insts[inst].kind;
            let callee = kind.as_call().and_then(|call| m.as_function(call.callee));
            callee.into_iter().for_each(|f| *calls.entry(f).or_default() += 1);
            kind.operands()
                .into_iter()
                .filter_map(|o| m.as_function(o))
                .for_each(|f| *mentions.entry(f).or_default() += 1);
        }
    }
    let few = |(id, f): &(FuncId, &Function)| {
        let places = calls.get(id).copied().unwrap_or_default();
        let itself =
            f.inst_order().any(|(_, i)| f.insts[i].kind.operands().iter().any(|o| m.as_function(*o) == Some(*id)));
        let small = places * f.inst_order().count() <= FEW;
        let own = f.flags.linkage == "internal" && !f.is_declaration() && !f.attrs.has("noinline");
        own && is_gradient(f) && PLACES.contains(&places) && small && mentions.get(id) == Some(&places) && !itself
    };
    let few: Vec<FuncId> = m.functions.iter().filter(few).map(|(id, _)| id).collect();
    for id in few {
        let attrs = std::mem::take(&mut m.functions[id].attrs);
        m.functions[id].attrs = attrs.flag("alwaysinline");
    }
}
