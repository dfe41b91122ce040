//! Values that are computed, and then thrown away.
//!
//! Programs and optimisers compute values whose result is then thrown away: both arms of a `select`, what a branch does
//! not choose, vector lanes that no one reads (poison, by LangRef `shufflevector`). Their adjoint is zero, but their
//! partial derivative may be infinite, NaN or poison, and zero times that is not zero ([`crate::emit::zero_guard`]).
//! The values concerned are those that flow
//!
//! - into an arm of a `select`, or an instruction that takes vectors apart;
//! - into a phi by an edge, or into blocks, that need not be taken once they are computed;
//! - into local memory, from where they need not be read, if an operand may be infinite: a quotient, or what is
//!   computed from one. (All others would cost more than they are worth.)

use crate::program::externals::{self, External};
use ir::cfg::{Cfg, Positions};
use ir::dom::DomTree;
use ir::hash::HashSet;
use ir::loops::Loops;
use ir::{BinOp, BlockId, FuncId, Function, InstKind, Module, Operand, Type, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Values whose adjoint may be zero because they are thrown away.
pub(crate) fn discarded(m: &Module, func: &Function) -> HashSet<ValueId> {
    let mut work: Vec<ValueId> = Vec::new();
    let (cfg, positions) = (Cfg::new(func), Positions::new(func));
    let dom = DomTree::new(func, &cfg);
    let loops = Loops::new(func, &cfg, &dom);
    for (block, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Select { if_true, if_false, .. } => push(&mut work, &[*if_true, *if_false]),
            // What a loop hands on, to its next iteration or to what comes behind it, is what it has computed.
            InstKind::Phi { incoming, .. } if !incoming.iter().any(|(_, from)| dom.dominates(block, *from)) => {
                let chosen = incoming.iter().filter(|(value, from)| {
                    let made = value.local().and_then(|v| func.def_inst(v)).and_then(|i| positions.block(i));
                    let need_not_be_taken = |made: BlockId| made != *from || cfg.succs(made).len() > 1;
                    made.is_some_and(|made| loops.innermost(made) == loops.innermost(block) && need_not_be_taken(made))
                });
                push(&mut work, &chosen.map(|(value, _)| *value).collect::<Vec<_>>());
            }
            InstKind::ShuffleVector { a, b, .. } => push(&mut work, &[*a, *b]),
            InstKind::ExtractElement { vector, .. } | InstKind::InsertElement { vector, .. } => {
                push(&mut work, &[*vector])
            }
            _ => {}
        }
    }
    work.extend(used_elsewhere(m, func, &positions, (&cfg, &dom, &loops)));
    let mut out = made_of(m, func, work);
    out.extend(unread(m, func, &out, (&positions, &cfg, &dom, &loops)));
    out
}

/// These floats, and those that they are computed from. Memory and calls of other functions end the trace: what they
/// give is not computed here.
fn made_of(m: &Module, func: &Function, mut work: Vec<ValueId>) -> HashSet<ValueId> {
    let mut out = HashSet::default();
    while let Some(v) = work.pop() {
        if !externals::holds_float(m, func.value_ty(v)) || !out.insert(v) {
            continue;
        }
        let Some(inst) = func.def_inst(v) else { continue };
        let kind = &func.insts[inst].kind;
        if matches!(kind, InstKind::Load { .. }) {
            continue;
        }
        for operand in kind.operands() {
            if !matches!(m.types.get(m.operand_ty(func, operand)), Type::Ptr(_)) {
                push(&mut work, &[operand]);
            }
        }
    }
    out
}

/// A variable of the function, or memory that it allocates.
#[derive(Default)]
struct Variable {
    /// What is stored there, and where.
    stores: Vec<(ValueId, BlockId)>,
    /// Where it is read, and what is read not thrown away.
    reads: BTreeSet<BlockId>,
    /// Is its address known elsewhere, too?
    escapes: bool,
}

/// Floats that are stored in local memory, on some way not read from there, and computed from one that may be infinite.
fn unread(
    m: &Module,
    func: &Function,
    discarded: &HashSet<ValueId>,
    (positions, cfg, dom, loops): (&Positions, &Cfg, &DomTree, &Loops),
) -> Vec<ValueId> {
    let bases = local_memory(m, func);
    let infinite = perhaps_infinite(m, func, &bases);
    if infinite.is_empty() {
        return Vec::new();
    }
    let mut variables: BTreeMap<ValueId, Variable> = BTreeMap::new();
    for (block, inst) in func.inst_order() {
        let kind = &func.insts[inst].kind;
        for operand in kind.operands() {
            let Some(base) = pointed_into(func, &bases, operand) else { continue };
            let variable = variables.entry(base).or_default();
            match kind {
                InstKind::Gep { .. } | InstKind::ICmp { .. } => {}
                InstKind::Load { .. } if func.insts[inst].result.is_some_and(|v| discarded.contains(&v)) => {}
                InstKind::Load { .. } => drop(variable.reads.insert(block)),
                InstKind::Store { value, ptr, .. } if *ptr == operand => {
                    variable.stores.extend(value.local().map(|v| (v, block)));
                }
                InstKind::Call(call) => match m.as_function(call.callee).map(|f| &m.functions[f]) {
                    // What it reads is its own business.
                    Some(callee) if !callee.is_declaration() => {}
                    Some(callee) if passes_over(&callee.name) => {}
                    _ => drop(variable.reads.insert(block)),
                },
                _ => variable.escapes = true,
            }
        }
    }
    let mut work = Vec::new();
    for variable in variables.values().filter(|variable| !variable.escapes) {
        let unread = |(_, at): &&(ValueId, BlockId)| {
            let beside = |read: &BlockId| in_loops(func, (*read, *at), (cfg, dom, loops));
            let reads: BTreeSet<BlockId> = variable.reads.iter().flat_map(beside).collect();
            !reads.contains(at) && returns_without(func, cfg, *at, &reads)
        };
        work.extend(variable.stores.iter().filter(unread).map(|(v, _)| *v));
    }
    let of_infinite = |v: &ValueId| {
        let operands = func.def_inst(*v).filter(|inst| positions.block(*inst).is_some());
        let operands = operands.map(|inst| func.insts[inst].kind.operands());
        operands.is_some_and(|operands| operands.iter().filter_map(|o| o.local()).any(|v| infinite.contains(&v)))
    };
    made_of(m, func, work).into_iter().filter(of_infinite).collect()
}

/// Does a function without a body read nothing of the memory whose address it gets?
fn passes_over(name: &str) -> bool {
    name == "free" || name.starts_with("llvm.lifetime.") || name.starts_with("llvm.memset.")
}

/// A block that reads what another one stores, and those before loops that come to it in each iteration: loops are
/// taken for executed, also where a comparison of integers decides it.
fn in_loops(
    func: &Function,
    (read, stored): (BlockId, BlockId),
    (cfg, dom, loops): (&Cfg, &DomTree, &Loops),
) -> BTreeSet<BlockId> {
    let (mut at, mut out) = (read, BTreeSet::from([read]));
    while let Some(l) = loops.innermost(at).filter(|l| !loops.contains(*l, stored)) {
        let data = &loops.loops[l];
        if !data.latches.iter().all(|latch| dom.dominates(at, *latch)) {
            break;
        }
        out.insert(data.header);
        let Some(before) = loops.preheader(cfg, l) else { break };
        let asks = |block: &BlockId| {
            let condition = match func.terminator(*block).map(|inst| &func.insts[inst].kind) {
                Some(InstKind::CondBr { cond, .. }) => cond.local().and_then(|v| func.def_inst(v)),
                _ => None,
            };
            condition.is_some_and(|inst| matches!(func.insts[inst].kind, InstKind::ICmp { .. }))
        };
        let guard = match cfg.preds(before) {
            [one] => Some(*one).filter(asks),
            _ => None,
        };
        out.insert(before);
        at = guard.unwrap_or(before);
        out.insert(at);
    }
    out
}

/// Is there a way from a block to where the function returns, past none of these?
fn returns_without(func: &Function, cfg: &Cfg, from: BlockId, past: &BTreeSet<BlockId>) -> bool {
    let (mut seen, mut work) = (BTreeSet::from([from]), vec![from]);
    while let Some(at) = work.pop() {
        if returns(func, at) {
            return true;
        }
        work.extend(cfg.succs(at).iter().filter(|next| !past.contains(next) && seen.insert(**next)));
    }
    false
}

/// Does the function return at the end of a block?
fn returns(func: &Function, block: BlockId) -> bool {
    let last = func.terminator(block).map(|inst| &func.insts[inst].kind);
    matches!(last, Some(InstKind::Ret(_) | InstKind::Resume(_)))
}

/// Addresses of the function's variables, and of what it allocates.
fn local_memory(m: &Module, func: &Function) -> HashSet<ValueId> {
    let allocates = |kind: &InstKind| match kind {
        InstKind::Alloca { .. } => true,
        InstKind::Call(call) => m
            .as_function(call.callee)
            .is_some_and(|f| matches!(externals::classify(m, &m.functions[f]), External::Allocate { .. })),
        _ => false,
    };
    let made = func.inst_order().map(|(_, inst)| &func.insts[inst]).filter(|inst| allocates(&inst.kind));
    made.filter_map(|inst| inst.result).collect()
}

/// The local memory into which an address points.
fn pointed_into(func: &Function, bases: &HashSet<ValueId>, address: Operand) -> Option<ValueId> {
    let mut v = address.local()?;
    while !bases.contains(&v) {
        let InstKind::Gep { base, .. } = &func.insts[func.def_inst(v)?].kind else { return None };
        v = base.local()?;
    }
    Some(v)
}

/// Floats that may be infinite although nothing is that the function is given: quotients and what other functions than
/// those of arithmetic return (a guard, say, and those of the program), and what is computed from them, by way of local
/// memory too.
fn perhaps_infinite(m: &Module, func: &Function, bases: &HashSet<ValueId>) -> HashSet<ValueId> {
    let (mut out, mut variables) = (HashSet::default(), HashSet::default());
    // Of functions of the table and those with bodies: are they of arithmetic?
    let mut functions: BTreeMap<FuncId, Option<bool>> = BTreeMap::new();
    loop {
        let before = (out.len(), variables.len());
        for (_, inst) in func.inst_order() {
            let data = &func.insts[inst];
            let has = |operand: &Operand| operand.local().is_some_and(|v| out.contains(&v));
            let among = || data.kind.operands().iter().any(has);
            let infinite = match &data.kind {
                InstKind::Store { value, ptr, .. } => {
                    if has(value) {
                        variables.extend(pointed_into(func, bases, *ptr));
                    }
                    continue;
                }
                InstKind::Load { ptr, .. } => {
                    pointed_into(func, bases, *ptr).is_some_and(|variable| variables.contains(&variable))
                }
                InstKind::Binary { op: BinOp::FDiv, rhs, .. } => rhs.local().is_some() || among(),
                InstKind::Call(call) => m.as_function(call.callee).is_some_and(|f| {
                    let found = functions.entry(f).or_insert_with(|| match externals::classify(m, &m.functions[f]) {
                        External::Rule(row) => Some(row.is_arithmetic()),
                        _ => (!m.functions[f].is_declaration()).then_some(false),
                    });
                    found.is_some_and(|arithmetic| !arithmetic || among())
                }),
                _ => among(),
            };
            if let Some(v) = data.result.filter(|v| infinite && externals::holds_float(m, func.value_ty(*v))) {
                out.insert(v);
            }
        }
        if before == (out.len(), variables.len()) {
            return out;
        }
    }
}

/// Floats that nobody uses on some way through the loop, or the function, that computes them. (What a loop hands on is
/// no matter here, either.)
fn used_elsewhere(
    m: &Module,
    func: &Function,
    positions: &Positions,
    (cfg, dom, loops): (&Cfg, &DomTree, &Loops),
) -> Vec<ValueId> {
    // Where each is used; none for what is handed on.
    let results = func.inst_order().filter_map(|(_, inst)| func.insts[inst].result);
    let floats = results.filter(|v| externals::holds_float(m, func.value_ty(*v)));
    let mut users: BTreeMap<ValueId, Option<BTreeSet<BlockId>>> = floats.map(|v| (v, Some(BTreeSet::new()))).collect();
    let made_in = |v: ValueId| func.def_inst(v).and_then(|inst| positions.block(inst));
    let mut used = |operand: Operand, block: BlockId, handed_on: bool| {
        let Some((v, known)) = operand.local().and_then(|v| Some((v, users.get_mut(&v)?))) else { return };
        let around = made_in(v).and_then(|made| loops.innermost(made));
        let outside = around.is_some_and(|l| !loops.contains(l, block));
        match known {
            Some(_) if outside || handed_on => *known = None,
            Some(blocks) => drop(blocks.insert(block)),
            None => {}
        }
    };
    for (block, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Phi { incoming, .. } => {
                for (value, from) in incoming {
                    used(*value, *from, dom.dominates(block, *from));
                }
            }
            kind => kind.operands().into_iter().for_each(|operand| used(operand, block, false)),
        }
    }
    let unused = |(v, blocks): &(ValueId, BTreeSet<BlockId>)| {
        let Some(made) = made_in(*v).filter(|made| !blocks.contains(made)) else { return false };
        let (around, mut seen, mut work) = (loops.innermost(made), BTreeSet::from([made]), vec![made]);
        while let Some(at) = work.pop() {
            let nexts = cfg.succs(at);
            let ends = |next: &BlockId| {
                let leaves = around.is_some_and(|l| !loops.contains(l, *next) || loops.loops[l].header == *next);
                leaves && !blocks.contains(next)
            };
            if nexts.iter().any(ends) || returns(func, at) {
                return true;
            }
            work.extend(nexts.iter().filter(|next| !blocks.contains(next) && seen.insert(**next)));
        }
        false
    };
    let somewhere = users.into_iter().filter_map(|(v, blocks)| blocks.map(|blocks| (v, blocks)));
    somewhere.filter(unused).map(|(v, _)| v).collect()
}

fn push(work: &mut Vec<ValueId>, operands: &[Operand]) {
    work.extend(operands.iter().filter_map(|o| o.local()));
}
