//! Values that are computed, and then thrown away.
//!
//! Programs and optimisers compute values whose result is then thrown away: both arms of a `select`, what a branch does
//! not choose, vector lanes that no one reads (poison, by LangRef `shufflevector`). Their adjoint is zero, but their
//! partial derivative may be infinite, NaN or poison, and zero times that is not zero ([`crate::emit::zero_guard`]).
//! The values concerned are those that flow
//!
//! - into an arm of a `select`, or an instruction that takes vectors apart;
//! - into a phi by an edge, or into blocks, that need not be taken once they are computed;
//! - into memory, from where they need not be read, if an operand may be infinite: a quotient, or what is computed from
//!   one. (All others would cost more than they are worth.)

use crate::analysis::context::Context;
use crate::analysis::loops::counters::Trips;
use crate::analysis::loops::{induction, trip_count};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::base::regions::Shape;
use crate::program::externals::{self, External};
use ir::cfg::Cfg;
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BinOp, BlockId, FuncId, Function, InstKind, Module, Operand, Type, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Values whose adjoint may be zero because they are thrown away.
pub(crate) fn discarded(cx: &Context, shape: &Shape) -> HashSet<ValueId> {
    let (m, func) = (cx.m, cx.func);
    let Shape { cfg, dom, loops, positions } = shape;
    let mut work: Vec<ValueId> = Vec::new();
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
    work.extend(used_elsewhere(cx, shape));
    let mut out = made_of(m, func, work);
    out.extend(unread(cx, shape, &out));
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

/// What a function does with an object.
#[derive(Default)]
struct Accesses {
    /// What is stored there, in which block, and where in the object.
    stores: Vec<(ValueId, BlockId, Place)>,
    /// Where it is read, if what is read is not thrown away: in which block, where in the object, and how many bytes.
    reads: Vec<(BlockId, Place, u64)>,
    /// Is it read at all?
    is_read: bool,
}

/// Floats that are stored, on some way not read from there, and computed from one that may be infinite. (What the
/// function only stores, in memory that is not its own, others read.)
fn unread(cx: &Context, shape: &Shape, discarded: &HashSet<ValueId>) -> Vec<ValueId> {
    let (m, func) = (cx.m, cx.func);
    let infinite = perhaps_infinite(cx);
    if infinite.is_empty() {
        return Vec::new();
    }
    let nests = Nests::new(cx, shape);
    let mut accesses: BTreeMap<ObjId, Accesses> = BTreeMap::new();
    for (block, inst) in func.inst_order() {
        let data = &func.insts[inst];
        let mut reads = |address: Operand, size: u64| {
            for (object, place) in cx.targets(address) {
                let found = accesses.entry(object).or_default();
                found.is_read = true;
                if data.result.is_none_or(|v| !discarded.contains(&v)) {
                    found.reads.push((block, place, size));
                }
            }
        };
        match &data.kind {
            InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                reads(*ptr, m.size_of(data.ty));
            }
            InstKind::Store { value: Operand::Local(v), ptr, .. } if infinite.contains(v) => {
                for (object, place) in cx.targets(*ptr) {
                    accesses.entry(object).or_default().stores.push((*v, block, place));
                }
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let callee = m.as_function(call.callee).map(|f| &m.functions[f]);
                if callee.is_none_or(|f| self::reads(m, f)) {
                    call.args.iter().for_each(|arg| reads(*arg, u64::MAX));
                }
            }
            _ => {}
        }
    }
    let mut work = Vec::new();
    // A variable of the function, or memory that it allocates.
    let is_local = |object: ObjId| match cx.facts.objects[object].kind {
        ObjKind::Stack(f, _) | ObjKind::Heap(f, _) => f == cx.id,
        _ => false,
    };
    let own = accesses.iter().filter(|(object, found)| found.is_read || is_local(**object));
    for Accesses { stores, reads, .. } in own.map(|(_, found)| found) {
        let unread = |(v, at, place): &&(ValueId, BlockId, Place)| {
            let ty = func.value_ty(*v);
            let (size, lane) = (m.size_of(ty), m.size_of(m.types.scalar(ty)).max(1));
            (0..size).step_by(lane as usize).any(|offset| {
                let there = place.moved(offset as i64, 0);
                let meet =
                    |(_, read, size): &&(BlockId, Place, u64)| *size == u64::MAX || there.overlaps(lane, *read, *size);
                let all = |(read, ..): &&(BlockId, Place, u64)| nests.agree(*read, *at);
                let beside = |(read, ..): &(BlockId, Place, u64)| in_loops(cx, shape, (*read, *at));
                let reads: BTreeSet<BlockId> = reads.iter().filter(meet).filter(all).flat_map(beside).collect();
                !reads.contains(at) && returns_without(func, &shape.cfg, *at, &reads)
            })
        };
        work.extend(stores.iter().filter(unread).map(|(v, ..)| *v));
    }
    let of_infinite = |v: &ValueId| {
        let operands = func.def_inst(*v).filter(|inst| shape.block(*inst).is_some());
        let operands = operands.map(|inst| func.insts[inst].kind.operands());
        operands.is_some_and(|operands| operands.iter().filter_map(|o| o.local()).any(|v| infinite.contains(&v)))
    };
    made_of(m, func, work).into_iter().filter(of_infinite).collect()
}

/// Does a function read numbers, with derivatives, of memory whose address it gets? What one with a body reads is its
/// own business.
fn reads(m: &Module, callee: &Function) -> bool {
    match externals::classify(m, callee) {
        External::Free { .. } | External::Set | External::Inactive => false,
        External::Unknown => callee.is_declaration(),
        _ => true,
    }
}

/// How far the loops of a function run.
struct Nests<'a> {
    shape: &'a Shape,
    trips: HashMap<LoopId, Trips>,
}

impl Nests<'_> {
    fn new<'a>(cx: &Context, shape: &'a Shape) -> Nests<'a> {
        let counters = induction::all(cx, shape);
        let trips = shape.loops.loops.keys().filter_map(|l| Some((l, trip_count::of(cx, shape, &counters, l)?)));
        Nests { shape, trips: trips.collect() }
    }

    /// Do the loops in which a block reads run as far as those in which the other one stores, so that it is likely to
    /// read all of it? A triangle of a square, or all but the first element, is not all.
    fn agree(&self, read: BlockId, stored: BlockId) -> bool {
        let around = |block: BlockId, other: BlockId| {
            let mut at = self.shape.region(block);
            let mut out = Vec::new();
            while let Some(l) = at.filter(|l| !self.shape.loops.contains(*l, other)) {
                out.push(l);
                at = self.shape.parent(l);
            }
            out
        };
        let far = |l: &LoopId| {
            self.trips.get(l).map(|trips| (trips.start, trips.bound, trips.stay, trips.after, trips.down, trips.step))
        };
        let (reads, mut stores) = (around(read, stored), around(stored, read));
        reads.iter().all(|l| {
            let same = stores.iter().position(|store| far(store).is_some() && far(store) == far(l));
            same.map(|at| stores.remove(at)).is_some()
        }) && stores.is_empty()
    }
}

/// A block that reads what another one stores, and those before loops that come to it in each iteration: loops are
/// taken for executed, also where a comparison of integers decides it.
fn in_loops(cx: &Context, shape: &Shape, (read, stored): (BlockId, BlockId)) -> BTreeSet<BlockId> {
    let (func, Shape { cfg, dom, loops, .. }) = (cx.func, shape);
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

/// Floats that may be infinite although nothing is that the function is given: quotients and what other functions than
/// those of arithmetic return (a guard, say, and those of the program), and what is computed from them, by way of
/// memory too.
fn perhaps_infinite(cx: &Context) -> HashSet<ValueId> {
    let (m, func) = (cx.m, cx.func);
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
                        variables.extend(cx.targets(*ptr).into_keys());
                    }
                    continue;
                }
                InstKind::Load { ptr, .. } => cx.targets(*ptr).keys().any(|object| variables.contains(object)),
                InstKind::Binary { op: BinOp::FDiv, rhs, .. } => rhs.local().is_some() || among(),
                InstKind::Call(call) | InstKind::Invoke { call, .. } => m.as_function(call.callee).is_some_and(|f| {
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
fn used_elsewhere(cx: &Context, shape: &Shape) -> Vec<ValueId> {
    let (m, func, Shape { cfg, dom, loops, positions }) = (cx.m, cx.func, shape);
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
