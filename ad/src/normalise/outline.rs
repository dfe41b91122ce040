//! A marked loop becomes a call: of a function that executes steps, until one of them leaves the loop.
//!
//! ```text
//! step(values…, slots…) -> 0, or the number of the edge by which it leaves
//! loop(values…, slots…) { do k = step(values…, slots…); while (k == 0); return k; }
//! ```
//!
//! A step is one iteration: from the header until it comes back there or leaves. What the loop reads and does not
//! define becomes parameters; what goes from one iteration to the next (the phis of its header) and what is used behind
//! it becomes slots in memory. The derivative of the loop is then made from that of a step
//! ([`crate::reverse::checkpoint_steps`]); everything else sees two functions more. (Outlining of regions with one
//! entry: LLVM's `CodeExtractor` does the same.)

use crate::base::blocks;
use crate::base::builder::{Builder, plain_call};
use crate::base::copy::{self, Copy};
use crate::base::names::unique;
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::normalise::{collect, promote};
use crate::program::loop_marks::{self, Mark};
use ir::cfg::{Cfg, Positions};
use ir::dom::DomTree;
use ir::hash::HashMap;
use ir::loops::{Loop, LoopId, Loops};
use ir::{
    Attr, AttrValue, BlockId, FuncId, Function, Inst, InstId, InstKind, IntPred, MdId, Module, Operand, Type, TypeId,
    ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// On a function that executes all steps: the schedule and its number.
pub const LOOP: &str = "adj_loop";

/// The forward pass of the library, which executes the steps of a loop.
pub(crate) const FORWARD: &str = "__adj_undo_forward";

/// On a step.
pub const STEP: &str = "adj_step";

/// Makes calls of the marked loops of the sources. What makes their gradients is not differentiated itself: a log of
/// memory is no function of numbers.
pub fn apply(m: &mut Module, sources: &mut Sources) -> Result<(), Diagnostic> {
    for func in sources.values() {
        let calls = |i: &InstId| {
            let callee = func.insts[*i].kind.as_call().and_then(|c| m.as_function(c.callee));
            callee.is_some_and(|f| m.functions[f].name == FORWARD)
        };
        if let Some(inst) = func.inst_order().map(|(_, i)| i).find(calls) {
            let message = "the gradient of a loop with checkpoints, marked as it stands, is not differentiated again";
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
        }
    }
    for mark in loop_marks::marks(m)? {
        for id in sources.keys().copied().collect::<Vec<_>>() {
            let is_made = |f: &Function| f.attrs.has(LOOP) || f.attrs.has(STEP);
            if is_made(&sources[&id]) || mark.find(m, &sources[&id], &loop_marks::loops(&sources[&id]).2).is_none() {
                continue;
            }
            let mut func = sources[&id].clone();
            promote::promote(m, &mut func);
            loop {
                let (_, _, loops) = loop_marks::loops(&func);
                let Some(found) = mark.find(m, &func, &loops) else { break };
                for (made, body) in outline(m, (id, &mut func), &loops, found, &mark)? {
                    sources.insert(made, body);
                }
            }
            sources.insert(id, func);
        }
    }
    Ok(())
}

/// What a loop shares with the function around it.
struct Interface {
    /// What it reads and does not define.
    read: Vec<ValueId>,
    /// What it defines that is used behind it.
    left: Vec<ValueId>,
    /// The phis of its header.
    phis: Vec<InstId>,
    /// The edges that leave it, each once.
    exits: Vec<(BlockId, BlockId)>,
}

fn interface(func: &Function, loops: &Loops, id: LoopId) -> Interface {
    let inside: BTreeSet<BlockId> = loops.loops[id].blocks.iter().copied().collect();
    let header = loops.loops[id].header;
    let phis = blocks::phis(func, header);
    let defined: BTreeSet<ValueId> =
        inside.iter().flat_map(|b| &func.blocks[*b].insts).filter_map(|i| func.insts[*i].result).collect();
    let (mut read, mut left) = (BTreeSet::new(), BTreeSet::new());
    for block in &func.layout {
        for inst in &func.blocks[*block].insts {
            let kind = &func.insts[*inst].kind;
            let outer_entry = |from: &BlockId| phis.contains(inst) && !inside.contains(from);
            let used: ir::operands::Operands = match kind {
                // What comes in from outside is used outside.
                InstKind::Phi { incoming, .. } => {
                    incoming.iter().filter(|(_, from)| !outer_entry(from)).map(|(o, _)| *o).collect()
                }
                kind => kind.operands(),
            };
            for value in used.into_iter().filter_map(Operand::local) {
                match (inside.contains(block), defined.contains(&value)) {
                    (true, false) => read.insert(value),
                    (false, true) => left.insert(value),
                    _ => false,
                };
            }
        }
    }
    let mut exits = loops.loops[id].exits.clone();
    exits.sort();
    exits.dedup();
    Interface { read: read.into_iter().collect(), left: left.into_iter().collect(), phis, exits }
}

/// A slot in the entry block, with its alignment.
fn slot(m: &mut Module, func: &mut Function, ty: TypeId) -> (Option<Operand>, u64) {
    let (ptr, align) = (m.types.ptr(), m.layout.align_of(&m.types, ty));
    let kind = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
    let inst = func.create_inst(Inst::new(kind, ptr), true);
    let entry = func.entry();
    func.blocks[entry].insts.insert(0, inst);
    (func.insts[inst].result.map(Operand::Local), align)
}

fn append(
    m: &Module,
    func: &mut Function,
    block: BlockId,
    kind: InstKind,
    (ty, loc): (TypeId, Option<MdId>),
) -> Option<Operand> {
    let mut inst = Inst::new(kind, ty);
    inst.loc = loc;
    let id = func.append(block, inst, !matches!(m.types.get(ty), Type::Void));
    func.insts[id].result.map(Operand::Local)
}

/// The two functions, and the loop's call in its place.
fn outline(
    m: &mut Module,
    (id, func): (FuncId, &mut Function),
    loops: &Loops,
    found: LoopId,
    mark: &Mark,
) -> Result<[(FuncId, Function); 2], Diagnostic> {
    let data = &loops.loops[found];
    let face = interface(func, loops, found);
    let insts: Vec<InstId> = data.blocks.iter().flat_map(|b| func.blocks[*b].insts.iter().copied()).collect();
    if let Some(slot) = insts.iter().find(|i| matches!(func.insts[**i].kind, InstKind::Alloca { .. })) {
        let message = "a loop with checkpoints allocates stack memory that its next iteration may use";
        return Err(Diagnostic::at(m, func, *slot, Reason::Unsupported, message));
    }
    let (ptr, code, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let carried = face.phis.iter().map(|i| func.insts[*i].ty);
    let slot_types: Vec<TypeId> = carried.chain(face.left.iter().map(|v| func.value_ty(*v))).collect();
    let mut params: Vec<TypeId> = face.read.iter().map(|v| func.value_ty(*v)).collect();
    params.extend(slot_types.iter().map(|_| ptr));
    let loc = insts.iter().find_map(|i| func.insts[*i].loc);

    let step = step(m, (id, func), data, &face, &params);
    let step_id = m.functions.push(step.clone());
    let body = driver(m, (step_id, &func.name), (mark, &params), loc);
    let body_id = m.functions.push(body.clone());

    let slots: Vec<(Option<Operand>, u64)> = slot_types.iter().map(|ty| slot(m, func, *ty)).collect();
    let inside: BTreeSet<BlockId> = data.blocks.iter().copied().collect();
    let block = func.add_block("loop");
    let mut first = Vec::new();
    for phi in &face.phis {
        let InstKind::Phi { incoming, fast } = func.insts[*phi].kind.clone() else { continue };
        let incoming = incoming.into_iter().filter(|(_, from)| !inside.contains(from)).collect();
        let ty = func.insts[*phi].ty;
        first.push(append(m, func, block, InstKind::Phi { incoming, fast }, (ty, loc)));
    }
    first.extend(face.left.iter().map(|v| Some(m.zero(func.value_ty(*v)))));
    for ((ptr, align), value) in slots.iter().zip(first) {
        if let (Some(ptr), Some(value)) = (*ptr, value) {
            let store = InstKind::Store { value, ptr, align: *align, volatile: false, atomic: None };
            append(m, func, block, store, (void, loc));
        }
    }
    let args = face.read.iter().map(|v| Operand::Local(*v)).chain(slots.iter().filter_map(|(slot, _)| *slot)).collect();
    let (address, fn_ty) = (m.function_address(body_id), m.types.func(code, params));
    let call = InstKind::Call(Box::new(plain_call(address, fn_ty, args, String::new())));
    let edge = append(m, func, block, call, (code, loc));
    let mut outside: HashMap<ValueId, Operand> = HashMap::default();
    for (value, (slot, align)) in face.left.iter().zip(&slots[face.phis.len()..]) {
        let Some(ptr) = *slot else { continue };
        let load = InstKind::Load { ptr, align: *align, volatile: false, atomic: None };
        let ty = func.value_ty(*value);
        outside.extend(append(m, func, block, load, (ty, loc)).map(|loaded| (*value, loaded)));
    }
    go_on(m, func, (block, edge), &face, loc);

    // Whoever came to the header comes to the call.
    for pred in func.layout.clone() {
        if let Some(last) = func.terminator(pred).filter(|_| !inside.contains(&pred)) {
            func.insts[last].kind.map_successors(|to| if to == data.header { block } else { to });
        }
    }
    func.layout.retain(|b| !inside.contains(b));
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        let new = |o: &mut Operand| *o = o.local().and_then(|v| outside.get(&v).copied()).unwrap_or(*o);
        func.insts[inst].kind.for_each_operand_mut(new);
    }
    func.layout = Cfg::new(func).rpo().to_vec();
    Ok([(step_id, step), (body_id, body)])
}

/// From the call to where the loop was left.
fn go_on(
    m: &mut Module,
    func: &mut Function,
    (block, edge): (BlockId, Option<Operand>),
    face: &Interface,
    loc: Option<MdId>,
) {
    let void = m.types.void();
    let mut ways = Vec::new();
    for (k, (from, to)) in face.exits.iter().enumerate() {
        let way = func.add_block("left");
        append(m, func, way, InstKind::Br(*to), (void, loc));
        for phi in blocks::phis(func, *to) {
            let InstKind::Phi { incoming, .. } = &mut func.insts[phi].kind else { continue };
            let value = incoming.iter().find(|(_, pred)| pred == from).map(|(value, _)| *value);
            incoming.retain(|(_, pred)| pred != from);
            incoming.extend(value.map(|value| (value, way)));
        }
        ways.push((m.int(32, k as u128 + 1), way));
    }
    let kind = match (ways.as_slice(), edge) {
        ([(_, only)], _) => InstKind::Br(*only),
        ([(_, default), cases @ ..], Some(value)) => {
            let cases = cases.iter().filter_map(|(n, way)| Some((n.constant()?, *way))).collect();
            InstKind::Switch { value, default: *default, cases }
        }
        // A loop without end.
        _ => InstKind::Unreachable,
    };
    append(m, func, block, kind, (void, loc));
}

/// The function that executes steps until one leaves.
fn driver(
    m: &mut Module,
    (step, name): (FuncId, &str),
    (mark, params): (&Mark, &[TypeId]),
    loc: Option<MdId>,
) -> Function {
    let code = m.types.int(32);
    let mut body = Function::new(&unique(m, &format!("__adj_loop_{name}")), code, params);
    body.flags.linkage = "internal".to_owned();
    let schedule = format!("{}:{}", mark.schedule, mark.number);
    body.attrs.0.push(Attr { name: LOOP.to_owned(), value: AttrValue::Str(Some(schedule)) });
    let mut b = Builder::new(m, body);
    b.loc = loc;
    let [head, done] = ["step", "left"].map(|name| b.f.add_block(name));
    b.br(head);
    b.at = head;
    let args = (0..params.len()).map(|i| b.f.param(i)).collect();
    let zero = b.m.int(32, 0);
    let left = b.call(step, args).unwrap_or(zero);
    let stays = b.icmp(IntPred::Eq, left, zero);
    b.cond_br(stays, head, done);
    b.at = done;
    b.effect(InstKind::Ret(Some(left)));
    b.f
}

/// One iteration.
fn step(m: &mut Module, (id, func): (FuncId, &Function), data: &Loop, face: &Interface, params: &[TypeId]) -> Function {
    let (code, void) = (m.types.int(32), m.types.void());
    let mut f = Function::new(&unique(m, &format!("__adj_step_{}", func.name)), code, params);
    f.flags.linkage = "internal".to_owned();
    f.attrs.0.push(Attr { name: STEP.to_owned(), value: AttrValue::Str(None) });
    let entry = f.add_block("entry");
    let mut copy = Copy::default();
    copy.add_blocks(&mut f, data.blocks.iter().map(|b| (*b, func.blocks[*b].name.clone())));
    let slots: Vec<Operand> = (face.read.len()..params.len()).map(|i| f.param(i)).collect();
    copy.values.extend(face.read.iter().enumerate().map(|(i, value)| (*value, f.param(i))));
    let align = |m: &Module, ty| m.layout.align_of(&m.types, ty);
    for (phi, ptr) in face.phis.iter().zip(&slots) {
        let (ty, loc) = (func.insts[*phi].ty, func.insts[*phi].loc);
        let load = InstKind::Load { ptr: *ptr, align: align(m, ty), volatile: false, atomic: None };
        let loaded = append(m, &mut f, entry, load, (ty, loc));
        copy.values.extend(func.insts[*phi].result.zip(loaded));
    }
    append(m, &mut f, entry, InstKind::Br(copy.blocks[&data.header]), (void, None));

    for from in &data.blocks {
        for old in func.blocks[*from].insts.iter().filter(|i| !face.phis.contains(i)) {
            copy.add(&mut f, *from, copy::original(m, id, func, *old));
        }
    }

    // The edges that end the step: what goes on is stored.
    let mut ends: BTreeMap<(BlockId, BlockId), BlockId> = BTreeMap::new();
    for latch in &data.latches {
        let end = f.add_block("again");
        for (phi, ptr) in face.phis.iter().zip(&slots) {
            let InstKind::Phi { incoming, .. } = &func.insts[*phi].kind else { continue };
            let Some((value, _)) = incoming.iter().find(|(_, from)| from == latch) else { continue };
            let align = align(m, func.insts[*phi].ty);
            let store = InstKind::Store { value: copy.of(*value), ptr: *ptr, align, volatile: false, atomic: None };
            append(m, &mut f, end, store, (void, func.insts[*phi].loc));
        }
        let zero = m.int(32, 0);
        append(m, &mut f, end, InstKind::Ret(Some(zero)), (void, None));
        ends.insert((*latch, data.header), end);
    }
    let dom = DomTree::new(func, &Cfg::new(func));
    let positions = Positions::new(func);
    for (k, (from, to)) in face.exits.iter().enumerate() {
        let end = f.add_block("leave");
        for (value, ptr) in face.left.iter().zip(&slots[face.phis.len()..]) {
            let home = func.def_inst(*value).and_then(|inst| positions.block(inst));
            if home.is_some_and(|home| dom.dominates(home, *from)) {
                let align = align(m, func.value_ty(*value));
                let value = copy.of(Operand::Local(*value));
                let store = InstKind::Store { value, ptr: *ptr, align, volatile: false, atomic: None };
                append(m, &mut f, end, store, (void, None));
            }
        }
        let number = m.int(32, k as u128 + 1);
        append(m, &mut f, end, InstKind::Ret(Some(number)), (void, None));
        ends.insert((*from, *to), end);
    }
    copy.rename(&mut f, |from, to| ends.get(&(from, to)).copied());
    collect::merge_returns(m, &mut f);
    f
}
