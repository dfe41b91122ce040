//! Stack slots promoted to values, so that the analyses see what flows where.
//!
//! Without optimisation every variable is memory, and memory is analysed without regard to the order of accesses. A
//! slot of which only loads and stores are made, at constant offsets, becomes values and phis: pruned SSA construction
//! (Cytron, Ferrante, Rosen, Wegman & Zadeck, TOPLAS 1991, phis only where the variable is live), each scalar of an
//! aggregate for itself ([`slices`], [`structures`]: the scalar replacement of aggregates). The program's own function
//! stays as it is: only the copy of which a gradient is made changes. What is read before it was written is `undef`, as
//! LangRef says of such memory (`alloca`).

mod slices;
mod structures;

use crate::base::blocks;
use crate::normalise::promote::slices::{Access, Slices};
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::hash::HashMap;
use ir::{BlockId, ConstKind, Function, Inst, InstId, InstKind, Module, Operand, TypeId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Promotes what can be promoted in a function without unreachable blocks. Returned are values that are gone, by what
/// has taken their place.
pub fn promote(m: &mut Module, func: &mut Function) -> HashMap<ValueId, Operand> {
    let mut all = HashMap::default();
    loop {
        structures::take_apart(m, func);
        slices::expand_copies(m, func);
        let slices = Slices::find(m, func);
        let mut replaced = structures::taken_out(m, func);
        if !(slices.types.is_empty() && replaced.is_empty()) {
            let phis = place(func, &slices);
            replaced = Renaming { slices: &slices, phis, replaced }.run(m, func);
        }
        drop_unused(func);
        all.extend(replaced);
        // A slot whose address stood in one that is gone may be known by its name alone now.
        if !slices.addresses {
            return all;
        }
    }
}

/// The slice that each new phi stands for, by block.
type Phis = BTreeMap<BlockId, Vec<(usize, InstId)>>;

/// Puts an empty phi wherever two definitions of a live slice meet: in the iterated dominance frontier of its stores.
fn place(func: &mut Function, slices: &Slices) -> Phis {
    let cfg = Cfg::new(func);
    let dom = DomTree::new(func, &cfg);
    let frontier = frontiers(&cfg, &dom);
    let count = slices.types.len();
    let (mut stored, mut exposed) = (vec![BTreeSet::new(); count], vec![BTreeSet::new(); count]);
    // A phi is read about where the variable changes: at its last assignment, and not at its initialisation before the
    // loop.
    let mut lines = vec![None; count];
    for (block, inst) in func.inst_order() {
        match slices.accesses.get(&inst) {
            Some(Access { slice, store: true }) => {
                stored[*slice].insert(block);
                lines[*slice] = func.insts[inst].loc.or(lines[*slice]);
            }
            Some(Access { slice, store: false }) if !stored[*slice].contains(&block) => {
                exposed[*slice].insert(block);
            }
            _ => {}
        }
    }
    let mut phis = Phis::new();
    for slice in 0..count {
        let mut live: BTreeSet<BlockId> = BTreeSet::new();
        let mut work: Vec<BlockId> = exposed[slice].iter().copied().collect();
        while let Some(block) = work.pop() {
            if live.insert(block) {
                work.extend(cfg.preds(block).iter().filter(|p| !stored[slice].contains(p)));
            }
        }
        let mut placed = BTreeSet::new();
        let mut work: Vec<BlockId> = stored[slice].iter().copied().collect();
        while let Some(block) = work.pop() {
            for at in frontier.get(&block).into_iter().flatten() {
                if live.contains(at) && placed.insert(*at) {
                    work.push(*at);
                }
            }
        }
        for block in placed {
            let mut phi =
                Inst::new(InstKind::Phi { fast: Default::default(), incoming: Vec::new() }, slices.types[slice]);
            phi.loc = lines[slice].or_else(|| func.blocks[block].insts.iter().find_map(|i| func.insts[*i].loc));
            let id = func.create_inst(phi, true);
            func.blocks[block].insts.insert(0, id);
            phis.entry(block).or_default().push((slice, id));
        }
    }
    phis
}

/// Dominance frontiers (Cooper, Harvey & Kennedy 2001, figure 5).
fn frontiers(cfg: &Cfg, dom: &DomTree) -> BTreeMap<BlockId, BTreeSet<BlockId>> {
    let mut out: BTreeMap<BlockId, BTreeSet<BlockId>> = BTreeMap::new();
    for block in cfg.rpo() {
        for pred in cfg.preds(*block).iter().filter(|p| cfg.is_reachable(**p)) {
            let mut runner = Some(*pred);
            while let Some(at) = runner.filter(|at| Some(*at) != dom.idom(*block)) {
                out.entry(at).or_default().insert(*block);
                runner = dom.idom(at);
            }
        }
    }
    out
}

/// The walk over the dominator tree that gives each load its value.
struct Renaming<'a> {
    slices: &'a Slices,
    phis: Phis,
    /// Loads and fields, by what they give.
    replaced: HashMap<ValueId, Operand>,
}

impl Renaming<'_> {
    fn run(mut self, m: &mut Module, func: &mut Function) -> HashMap<ValueId, Operand> {
        let cfg = Cfg::new(func);
        let dom = DomTree::new(func, &cfg);
        let undefined: Vec<Operand> = self.slices.types.iter().map(|ty| m.constant(*ty, ConstKind::Undef)).collect();
        let mut work = vec![(func.entry(), undefined)];
        while let Some((block, mut values)) = work.pop() {
            self.block(m, func, block, &mut values);
            work.extend(dom.children(block).iter().map(|child| (*child, values.clone())));
        }
        // The phis that were there know values that came to be known later.
        for block in func.layout.clone() {
            for phi in blocks::phis(func, block) {
                func.insts[phi].kind.for_each_operand_mut(|o| *o = self.value(*o));
            }
        }
        self.replaced
    }

    fn value(&self, mut operand: Operand) -> Operand {
        while let Some(next) = operand.local().and_then(|v| self.replaced.get(&v)) {
            operand = *next;
        }
        operand
    }

    fn block(&mut self, m: &Module, func: &mut Function, block: BlockId, values: &mut [Operand]) {
        for (slice, phi) in self.phis.get(&block).into_iter().flatten() {
            if let Some(v) = func.insts[*phi].result {
                values[*slice] = Operand::Local(v);
            }
        }
        let mut kept = Vec::new();
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            if !matches!(func.insts[inst].kind, InstKind::Phi { .. }) {
                func.insts[inst].kind.for_each_operand_mut(|o| *o = self.value(*o));
            }
            let Some(access) = self.slices.accesses.get(&inst) else {
                kept.push(inst);
                continue;
            };
            let (ty, value) = (self.slices.types[access.slice], &mut values[access.slice]);
            match func.insts[inst].kind {
                InstKind::Store { value: stored, .. } if m.operand_ty(func, stored) == ty => *value = stored,
                InstKind::Store { value: bits, .. } => {
                    let number = blocks::like(m, func, inst, blocks::bitcast(bits), ty);
                    kept.push(number);
                    *value = func.insts[number].result.map_or(bits, Operand::Local);
                }
                _ if func.insts[inst].ty == ty => self.replaced.extend(func.insts[inst].result.map(|v| (v, *value))),
                // The bits of the number.
                _ => {
                    func.insts[inst].kind = blocks::bitcast(*value);
                    func.insts[inst].metadata.clear();
                    kept.push(inst);
                }
            }
        }
        func.blocks[block].insts = kept;
        for succ in func.successors(block) {
            for (slice, phi) in self.phis.get(&succ).into_iter().flatten() {
                if let InstKind::Phi { incoming, .. } = &mut func.insts[*phi].kind {
                    incoming.push((values[*slice], block));
                }
            }
        }
    }
}

/// Drops address computations, slots and phis that nothing uses.
fn drop_unused(func: &mut Function) {
    loop {
        let mut used: BTreeSet<ValueId> = BTreeSet::new();
        for (_, inst) in func.inst_order() {
            used.extend(func.insts[inst].kind.operands().iter().filter_map(|o| o.local()));
        }
        let dead = |i: &InstId| {
            let inst = &func.insts[*i];
            let pure = matches!(
                inst.kind,
                InstKind::Gep { .. }
                    | InstKind::Cast { .. }
                    | InstKind::Phi { .. }
                    | InstKind::Alloca { .. }
                    | InstKind::ExtractValue { .. }
                    | InstKind::InsertValue { .. }
            );
            pure && inst.result.is_none_or(|v| !used.contains(&v))
        };
        let gone: BTreeSet<InstId> = func.inst_order().map(|(_, i)| i).filter(dead).collect();
        if gone.is_empty() {
            return;
        }
        for block in func.layout.clone() {
            func.blocks[block].insts.retain(|i| !gone.contains(i));
        }
    }
}

/// The scalars of a type, with their offsets; none where it has parts that are no scalars of a fixed place.
fn scalars(m: &Module, ty: TypeId, at: u64, out: &mut Vec<(u64, TypeId)>) {
    match m.types.element_count(ty).filter(|_| !matches!(m.types.get(ty), ir::Type::Vector { .. })) {
        None => out.push((at, ty)),
        Some(count) => {
            for i in 0..count {
                if let (Some(elem), Some(offset)) = (m.types.element(ty, i), m.layout.element_offset(&m.types, ty, i)) {
                    scalars(m, elem, at + offset, out);
                }
            }
        }
    }
}
