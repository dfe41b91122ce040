//! Loops are entered from a block of the region around them.
//!
//! The tape of a loop is allocated where it is entered, and how often it runs is told there ([`crate::plan`]). But the
//! optimiser's last passes fold the block before a loop into what leads to it: the last iteration of another loop, or
//! several blocks. So such a loop gets a block of its own before it again, a *preheader* (as `-passes=loop-simplify`
//! makes them: LLVM, "Loop Terminology"), with the phis that several ways ask for.

use crate::base::blocks;
use crate::base::regions::Shape;
use ir::{BlockId, Function, Inst, InstId, InstKind, Module, Operand};
use std::collections::BTreeSet;

/// Gives a function the preheaders that it lacks.
pub fn make(m: &mut Module, func: &mut Function) {
    let Ok(shape) = Shape::new(m, func) else { return };
    for (l, data) in shape.loops.loops.iter() {
        let outside: BTreeSet<BlockId> =
            shape.cfg.preds(data.header).iter().copied().filter(|b| !shape.loops.contains(l, *b)).collect();
        let single = outside.len() == 1 && outside.iter().all(|b| shape.region(*b) == data.parent);
        if !single && !outside.is_empty() {
            make_one(m, func, data.header, &outside);
        }
    }
}

fn make_one(m: &mut Module, func: &mut Function, header: BlockId, outside: &BTreeSet<BlockId>) {
    let new = func.add_block("enter");
    for phi in blocks::phis(func, header) {
        move_incoming(func, phi, (new, outside));
    }
    let void = m.types.void();
    func.append(new, Inst::new(InstKind::Br(header), void), false);
    for pred in outside {
        if let Some(end) = func.terminator(*pred) {
            func.insts[end].kind.map_successors(|to| if to == header { new } else { to });
        }
    }
    func.layout.retain(|b| *b != new);
    let place = func.layout.iter().position(|b| *b == header).unwrap_or(func.layout.len());
    func.layout.insert(place, new);
}

/// What a phi of the header gets from outside, it gets from the new block: one value, or what a phi there chooses.
fn move_incoming(func: &mut Function, phi: InstId, (new, outside): (BlockId, &BTreeSet<BlockId>)) {
    let InstKind::Phi { fast, incoming } = func.insts[phi].kind.clone() else { return };
    let (from_outside, mut rest): (Vec<_>, Vec<_>) = incoming.into_iter().partition(|(_, b)| outside.contains(b));
    let Some((first, _)) = from_outside.first().copied() else { return };
    let value = if from_outside.iter().all(|(v, _)| *v == first) {
        first
    } else {
        let mut choice = Inst::new(InstKind::Phi { fast, incoming: from_outside }, func.insts[phi].ty);
        choice.loc = func.insts[phi].loc;
        let id = func.append(new, choice, true);
        func.insts[id].result.map_or(first, Operand::Local)
    };
    rest.push((value, new));
    func.insts[phi].kind = InstKind::Phi { fast, incoming: rest };
}
