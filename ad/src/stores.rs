//! Adjoints of memory are stored once, at the end of their block.
//!
//! A block that reads and writes a few cells of an array, as a butterfly or a swap does, is reversed by reading, clearing and adding to their adjoints one by one, for two
//! of them may be one. Where they are not ([`crate::cells::branches`]), a store to shadow memory waits: what is loaded from there meanwhile is what waits, and another
//! store to the same place takes its turn (as a store buffer does; in a compiler: scalar replacement, Callahan, Carr & Kennedy, PLDI 1990). A store goes to memory before anything
//! that may read or write there, and at the end of the block. What remains are loads, sums, and then stores, which LLVM makes vectors of.

use crate::clear::{slots, writes};
use crate::disjoint;
use ir::hash::{HashMap, HashSet};
use ir::{Function, InstId, InstKind, MdId, Module, Operand, TypeId};

/// A store that waits.
struct Waiting {
    store: InstId,
    value: Operand,
    ptr: Operand,
    ty: TypeId,
}

/// Delays the stores of a gradient's function to cells of shadow memory; `cells` are the loads and stores of these, and `apart` tells which two never meet in one
/// execution of their block. Records of the tape (`list`) are in nobody's way.
pub(crate) fn apply(
    m: &Module,
    f: &mut Function,
    (cells, list): (&HashSet<InstId>, MdId),
    apart: impl Fn(InstId, InstId) -> bool,
) {
    let slots = slots(f);
    let mut loaded: HashMap<Operand, Operand> = HashMap::default();
    let found = |loaded: &HashMap<Operand, Operand>, mut o: Operand| {
        while let Some(other) = loaded.get(&o) {
            o = *other;
        }
        o
    };
    for block in f.layout.clone() {
        if !f.blocks[block].insts.iter().any(|inst| cells.contains(inst)) {
            continue;
        }
        let mut out: Vec<InstId> = Vec::new();
        let mut waiting: Vec<Waiting> = Vec::new();
        for inst in std::mem::take(&mut f.blocks[block].insts) {
            let data = &f.insts[inst];
            let is_cell = cells.contains(&inst);
            match &data.kind {
                InstKind::Load { ptr, .. } if is_cell => {
                    if let Some(same) = waiting.iter().find(|w| w.ptr == *ptr && w.ty == data.ty) {
                        loaded.extend(data.result.map(|v| (Operand::Local(v), same.value)));
                        continue;
                    }
                    go(&mut waiting, &mut out, |w| !apart(w.store, inst));
                }
                InstKind::Store { value, ptr, .. } if is_cell => {
                    let ty = m.operand_ty(f, *value);
                    waiting.retain(|w| w.ptr != *ptr || w.ty != ty);
                    let many = waiting.len() == MOST;
                    go(&mut waiting, &mut out, |w| many || !apart(w.store, inst));
                    let value = found(&loaded, *value);
                    waiting.push(Waiting { store: inst, value, ptr: *ptr, ty });
                    continue;
                }
                InstKind::Load { ptr, volatile: false, atomic: None, .. }
                | InstKind::Store { ptr, volatile: false, atomic: None, .. }
                    if slots.contains(ptr) || disjoint::of(data, list) => {}
                InstKind::Load { .. } | InstKind::Store { .. } => go(&mut waiting, &mut out, |_| true),
                kind if writes(m, kind) || kind.is_terminator() => go(&mut waiting, &mut out, |_| true),
                _ => {}
            }
            out.push(inst);
        }
        f.blocks[block].insts = out;
    }
    for data in f.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| *o = found(&loaded, *o));
    }
}

/// The most stores that wait.
const MOST: usize = 32;

/// Some go to memory now.
fn go(waiting: &mut Vec<Waiting>, out: &mut Vec<InstId>, now: impl Fn(&Waiting) -> bool) {
    waiting.retain(|w| {
        let now = now(w);
        out.extend(now.then_some(w.store));
        !now
    });
}
