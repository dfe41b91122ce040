//! What a loop adds to one number is stored once.
//!
//! `for (j = 0; j < n; j++) y[i] += a[j];` stores into `y[i]` in each iteration. In memory that is the same as storing
//! the last value behind the loop; a function that appends an entry to a matrix would append n of them. Memory of
//! `__enzyme_todense` is reached by nothing else, so where a loop accesses it at one place only, that number is a
//! variable of the loop (promotion of memory to scalars: Cooper & Lu, PLDI 1997), which is loaded before it, if the
//! loop loads it, and stored at its ends, if it has been stored.

use crate::base::blocks;
use crate::normalise::{preheaders, promote::promote};
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::hash::HashMap;
use ir::loops::Loops;
use ir::{BlockId, Function, Inst, InstId, InstKind, Module, Operand, TypeId, ValueId};
use std::collections::BTreeSet;

/// Makes variables of what loops access at one place behind these pointers.
pub(super) fn sink(m: &mut Module, func: &mut Function, roots: &[ValueId]) {
    preheaders::make(m, func);
    let mut done: BTreeSet<(BlockId, ValueId)> = BTreeSet::new();
    while let Some(found) = find(m, func, roots, &mut done) {
        replace(m, func, &found);
        promote(m, func);
    }
}

/// Where in an object: steps of `getelementptr` from its beginning.
type Steps = Vec<(TypeId, Vec<Operand>)>;

/// A place that a loop alone accesses.
struct Found {
    preheader: BlockId,
    exits: Vec<(BlockId, BlockId)>,
    root: ValueId,
    steps: Steps,
    ty: TypeId,
    loads: Vec<InstId>,
    stores: Vec<InstId>,
    align: u64,
}

/// The next loop and pointer.
fn find(m: &Module, func: &Function, roots: &[ValueId], done: &mut BTreeSet<(BlockId, ValueId)>) -> Option<Found> {
    let cfg = Cfg::new(func);
    let dom = DomTree::new(func, &cfg);
    let loops = Loops::new(func, &cfg, &dom);
    let mut order: Vec<_> = loops.loops.iter().collect();
    order.sort_by_key(|(_, data)| std::cmp::Reverse(data.depth));
    for (id, data) in order {
        let Some(preheader) = loops.preheader(&cfg, id) else { continue };
        let blocks: BTreeSet<BlockId> = data.blocks.iter().copied().collect();
        for root in roots {
            if !done.insert((data.header, *root)) {
                continue;
            }
            let place = Place { preheader, exits: data.exits.clone(), root: *root };
            if let Some(found) = of_loop(m, func, &blocks, place) {
                return Some(found);
            }
        }
    }
    None
}

/// A loop and a pointer.
struct Place {
    preheader: BlockId,
    exits: Vec<(BlockId, BlockId)>,
    root: ValueId,
}

/// What the loop accesses behind the pointer, if that is one number and no more.
fn of_loop(m: &Module, func: &Function, blocks: &BTreeSet<BlockId>, place: Place) -> Option<Found> {
    let Place { preheader, exits, root } = place;
    let pointers = pointers(func, root)?;
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    let mut at: Option<(Steps, TypeId, u64)> = None;
    for block in blocks {
        for inst in &func.blocks[*block].insts {
            let kind = &func.insts[*inst].kind;
            let leads = |operand: Operand| operand.local().and_then(|value| pointers.get(&value));
            let (steps, ty, align) = match kind {
                InstKind::Gep { .. } => continue,
                InstKind::Load { ptr, atomic: None, align, .. } => {
                    let Some(steps) = leads(*ptr) else { continue };
                    loads.push(*inst);
                    (steps, func.insts[*inst].ty, *align)
                }
                InstKind::Store { value, ptr, atomic: None, align, .. } if leads(*value).is_none() => {
                    let Some(steps) = leads(*ptr) else { continue };
                    stores.push(*inst);
                    (steps, m.operand_ty(func, *value), *align)
                }
                _ if kind.operands().iter().any(|operand| leads(*operand).is_some()) => return None,
                _ => continue,
            };
            let here = (steps.clone(), ty, align);
            if at.get_or_insert_with(|| here.clone()) != &here {
                return None;
            }
        }
    }
    let (steps, ty, align) = at.filter(|(_, ty, _)| !stores.is_empty() && m.types.float_kind(*ty).is_some())?;
    let defined = |operand: &Operand| operand.local().and_then(|value| func.def_inst(value));
    let inside = |inst: InstId| blocks.iter().any(|block| func.blocks[*block].insts.contains(&inst));
    let mut indices = steps.iter().flat_map(|(_, indices)| indices);
    if indices.any(|index| defined(index).is_some_and(inside)) {
        return None;
    }
    Some(Found { preheader, exits, root, steps, ty, loads, stores, align })
}

/// The pointers that lead behind a root, with their steps; `None` if a phi or a choice is one of them.
fn pointers(func: &Function, root: ValueId) -> Option<HashMap<ValueId, Steps>> {
    let mut out: HashMap<ValueId, Steps> = HashMap::default();
    out.insert(root, Vec::new());
    let cfg = Cfg::new(func);
    for block in cfg.rpo() {
        for inst in &func.blocks[*block].insts {
            let data = &func.insts[*inst];
            match &data.kind {
                InstKind::Gep { elem_ty, base, indices, .. } => {
                    let Some(steps) = base.local().and_then(|base| out.get(&base)) else { continue };
                    let mut steps = steps.clone();
                    steps.push((*elem_ty, indices.clone()));
                    out.extend(data.result.map(|result| (result, steps)));
                }
                kind @ (InstKind::Phi { .. }
                | InstKind::Select { .. }
                | InstKind::Freeze(_)
                | InstKind::Cast { .. })
                    if kind.operands().iter().any(|o| o.local().is_some_and(|value| out.contains_key(&value))) =>
                {
                    return None;
                }
                _ => {}
            }
        }
    }
    Some(out)
}

/// Makes the variable.
fn replace(m: &mut Module, func: &mut Function, found: &Found) {
    let near = found.stores[0];
    let (ptr, truth, void) = (m.types.ptr(), m.types.int(1), m.types.void());
    let slots = [found.ty, truth].map(|ty| {
        let kind = InstKind::Alloca {
            elem_ty: ty,
            count: None,
            align: m.layout.align_of(&m.types, ty),
            addr_space: 0,
            inalloca: false,
        };
        let id = func.create_inst(Inst::new(kind, ptr), true);
        let entry = func.entry();
        func.blocks[entry].insts.insert(0, id);
        Operand::Local(func.insts[id].result.unwrap_or(found.root))
    });
    let [number, stored] = slots;
    let store = |value, ptr, align| InstKind::Store { value, ptr, align, volatile: false, atomic: None };
    let load = |ptr, align| InstKind::Load { ptr, align, volatile: false, atomic: None };
    let (yes, no) = (m.int(1, 1), m.int(1, 0));
    let number_align = m.layout.align_of(&m.types, found.ty);
    // Before the loop.
    let mut before = Vec::new();
    if !found.loads.is_empty() {
        let at = address(m, func, (near, &mut before), found);
        let value = blocks::like(m, func, near, load(at, found.align), found.ty);
        before.push(value);
        let value = func.insts[value].result.map_or(at, Operand::Local);
        before.push(blocks::like(m, func, near, store(value, number, number_align), void));
    }
    before.push(blocks::like(m, func, near, store(no, stored, 1), void));
    let insts = &mut func.blocks[found.preheader].insts;
    let end = insts.len().saturating_sub(1);
    insts.splice(end..end, before);
    // In the loop.
    for inst in &found.loads {
        func.insts[*inst].kind = load(number, number_align);
        func.insts[*inst].metadata.clear();
    }
    let mut marks = Vec::new();
    for inst in &found.stores {
        if let InstKind::Store { value, .. } = func.insts[*inst].kind {
            func.insts[*inst].kind = store(value, number, number_align);
            func.insts[*inst].metadata.clear();
            marks.push((*inst, blocks::like(m, func, *inst, store(yes, stored, 1), void)));
        }
    }
    for block in func.layout.clone() {
        for (inst, mark) in &marks {
            if let Some(at) = func.blocks[block].insts.iter().position(|other| other == inst) {
                func.blocks[block].insts.insert(at + 1, *mark);
            }
        }
    }
    // At its ends.
    for (from, to) in &found.exits {
        let [look, put] = ["leave", "put"].map(|name| func.add_block(name));
        if let Some(end) = func.terminator(*from) {
            func.insts[end].kind.map_successors(|block| if block == *to { look } else { block });
        }
        let asked = blocks::like(m, func, near, load(stored, 1), truth);
        let cond = func.insts[asked].result.map_or(no, Operand::Local);
        let branch = blocks::like(m, func, near, InstKind::CondBr { cond, then_to: put, else_to: *to }, void);
        func.blocks[look].insts = vec![asked, branch];
        let mut last = Vec::new();
        let value = blocks::like(m, func, near, load(number, number_align), found.ty);
        last.push(value);
        let value = func.insts[value].result.map_or(no, Operand::Local);
        let at = address(m, func, (near, &mut last), found);
        let put_there = blocks::like(m, func, near, store(value, at, found.align), void);
        func.insts[put_there].origin = func.insts[near].origin;
        last.push(put_there);
        last.push(blocks::like(m, func, near, InstKind::Br(*to), void));
        func.blocks[put].insts = last;
        for phi in blocks::phis(func, *to) {
            if let InstKind::Phi { incoming, .. } = &mut func.insts[phi].kind {
                let through: Vec<_> = incoming.iter().filter(|(_, pred)| pred == from).map(|(v, _)| *v).collect();
                incoming.retain(|(_, pred)| pred != from);
                incoming.extend(through.first().into_iter().flat_map(|value| [(*value, look), (*value, put)]));
            }
        }
    }
}

/// The address of the place once more.
fn address(m: &mut Module, func: &mut Function, (near, out): (InstId, &mut Vec<InstId>), found: &Found) -> Operand {
    let ptr = m.types.ptr();
    let mut base = Operand::Local(found.root);
    for (elem_ty, indices) in &found.steps {
        let kind = InstKind::Gep { elem_ty: *elem_ty, flags: ir::GepFlags::default(), base, indices: indices.clone() };
        let id = blocks::like(m, func, near, kind, ptr);
        out.push(id);
        base = func.insts[id].result.map_or(base, Operand::Local);
    }
    base
}
