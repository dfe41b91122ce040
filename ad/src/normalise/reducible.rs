//! Irreducible control flow made reducible: a cycle with several entries gets one more block, through which they are
//! all entered.
//!
//! For a strongly connected component that is entered at e₁ … eₙ, every edge to some eᵢ is led through a new block, the
//! *hub*, whose phi takes the number i, and which switches to eᵢ. The hub is the component's only entry, hence the
//! header of a natural loop; the component without its header is treated in the same way. No block is copied. (Ramshaw
//! 1988, "Eliminating go to's while preserving program structure"; LLVM's pass `fix-irreducible` does the same.) In a
//! gradient the number that the hub switches on is part of the record of the loop's iteration: the recorded trace of
//! the cycle.
//!
//! Only the phis of the entries need repair. Dominance among all other blocks stays: a block that dominates eᵢ from
//! outside dominates every eⱼ, since each reaches the other, and no block inside dominates an entry but itself. A phi
//! of eᵢ becomes a phi of the hub, with a zero, which nobody reads, for the edges that lead to another entry.

use crate::base::blocks;
use ir::cfg::Cfg;
use ir::{BlockId, Function, Inst, InstId, InstKind, Module, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// Gives every cycle of `func` a single entry.
pub fn normalise(m: &mut Module, func: &mut Function) {
    let blocks: BTreeSet<BlockId> = func.layout.iter().copied().collect();
    let mut work = vec![blocks];
    let mut cfg = Cfg::new(func);
    while let Some(blocks) = work.pop() {
        for mut component in components(&cfg, &blocks) {
            let entries: Vec<BlockId> = component
                .iter()
                .copied()
                .filter(|b| cfg.preds(*b).iter().any(|p| cfg.is_reachable(*p) && !component.contains(p)))
                .collect();
            match entries.as_slice() {
                [] => {}
                [header] => {
                    component.remove(header);
                    work.push(component);
                }
                _ => {
                    // The hub and the landing blocks on edges are not part of any smaller cycle.
                    if add_hub(m, func, &cfg, &entries) {
                        cfg = Cfg::new(func);
                        work.push(component);
                    }
                }
            }
        }
    }
}

/// Leads all edges to the entries through a hub. Not where one of them is the way of an exception, which must end at
/// its own block.
fn add_hub(m: &mut Module, func: &mut Function, cfg: &Cfg, entries: &[BlockId]) -> bool {
    let lands =
        |b: &BlockId| func.blocks[*b].insts.iter().any(|i| matches!(func.insts[*i].kind, InstKind::LandingPad { .. }));
    let jumps =
        |b: &BlockId| func.terminator(*b).is_some_and(|t| matches!(func.insts[t].kind, InstKind::IndirectBr { .. }));
    if entries.iter().any(lands) || entries.iter().flat_map(|e| cfg.preds(*e)).any(jumps) {
        return false;
    }
    let (i32t, void) = (m.types.int(32), m.types.void());
    let hub = func.add_block("hub");
    // One block for each edge, so that the hub's phis can tell them apart.
    let mut edges: Vec<(usize, BlockId, BlockId)> = Vec::new();
    for (n, entry) in entries.iter().enumerate() {
        for pred in cfg.preds(*entry) {
            let landing = func.add_block("to.hub");
            func.append(landing, Inst::new(InstKind::Br(hub), void), false);
            edges.push((n, *pred, landing));
            if let Some(term) = func.terminator(*pred) {
                func.insts[term].kind.map_successors(|s| if s == *entry { landing } else { s });
            }
        }
    }
    let mut numbers: Vec<(Operand, BlockId)> = Vec::new();
    for (n, _, landing) in &edges {
        numbers.push((m.int(32, *n as u128), *landing));
    }
    let phi = |incoming| InstKind::Phi { fast: Default::default(), incoming };
    let number = func.append(hub, Inst::new(phi(numbers), i32t), true);
    for (n, entry) in entries.iter().enumerate() {
        for old in blocks::phis(func, *entry) {
            move_phi(m, func, (old, *entry), hub, (n, &edges));
        }
    }
    let Some(value) = func.insts[number].result.map(Operand::Local) else { return false };
    let mut cases = Vec::new();
    for (n, entry) in entries.iter().enumerate().skip(1) {
        if let Operand::Const(c) = m.int(32, n as u128) {
            cases.push((c, *entry));
        }
    }
    func.append(hub, Inst::new(InstKind::Switch { value, default: entries[0], cases }, void), false);
    true
}

/// The phi of an entry takes what a new phi of the hub holds.
fn move_phi(
    m: &mut Module,
    func: &mut Function,
    (old, _): (InstId, BlockId),
    hub: BlockId,
    (entry, edges): (usize, &[(usize, BlockId, BlockId)]),
) {
    let InstKind::Phi { fast, incoming } = func.insts[old].kind.clone() else { return };
    let values: BTreeMap<BlockId, Operand> = incoming.into_iter().map(|(v, from)| (from, v)).collect();
    let ty = func.insts[old].ty;
    let zero = m.zero(ty);
    let of_edge = |(n, pred, landing): &(usize, BlockId, BlockId)| {
        let value = if *n == entry { values.get(pred).copied().unwrap_or(zero) } else { zero };
        (value, *landing)
    };
    let mut new = Inst::new(InstKind::Phi { fast, incoming: edges.iter().map(of_edge).collect() }, ty);
    new.loc = func.insts[old].loc;
    let id = func.append(hub, new, true);
    if let Some(v) = func.insts[id].result {
        func.insts[old].kind = InstKind::Phi { fast, incoming: vec![(Operand::Local(v), hub)] };
    }
}

/// The strongly connected components with a cycle of the graph's part on `blocks` (Kosaraju's algorithm).
fn components(cfg: &Cfg, blocks: &BTreeSet<BlockId>) -> Vec<BTreeSet<BlockId>> {
    let inside = |b: &BlockId| blocks.contains(b) && cfg.is_reachable(*b);
    let mut seen = BTreeSet::new();
    let mut finished = Vec::new();
    for root in blocks.iter().filter(|b| inside(b)) {
        let mut stack = vec![(*root, 0)];
        if !seen.insert(*root) {
            continue;
        }
        while let Some((block, next)) = stack.last_mut() {
            if let Some(succ) = cfg.succs(*block).get(*next).copied() {
                *next += 1;
                if inside(&succ) && seen.insert(succ) {
                    stack.push((succ, 0));
                }
            } else {
                finished.push(*block);
                stack.pop();
            }
        }
    }
    let mut taken = BTreeSet::new();
    let mut out = Vec::new();
    for root in finished.into_iter().rev() {
        if !taken.insert(root) {
            continue;
        }
        let mut component = BTreeSet::from([root]);
        let mut work = vec![root];
        while let Some(block) = work.pop() {
            for pred in cfg.preds(block) {
                if inside(pred) && taken.insert(*pred) {
                    component.insert(*pred);
                    work.push(*pred);
                }
            }
        }
        if component.len() > 1 || cfg.succs(root).contains(&root) {
            out.push(component);
        }
    }
    out
}
