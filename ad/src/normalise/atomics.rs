//! What is done to a float in one piece, as a section that threads execute one after the other.
//!
//! Sums (`atomicrmw fadd`) whose result nobody uses may be executed in any order, and so may their reverses: they stay.
//! Everything else depends on the order: a product, a minimum, a value that is read or exchanged. If there is any of
//! that, each atomic access of a float is put between a lock and its release (`__adj_lock_cell`), whose order is known
//! to the reverse pass ([`crate::runtime::turns`]):
//!
//! | before | after |
//! |---|---|
//! | `load atomic` | lock, `load`, release |
//! | `store atomic` | lock, `store`, release |
//! | `atomicrmw op` | lock, `load`, the operation, `store`, release |
//! | `load atomic`, and a loop around `cmpxchg` | lock, `load`, the body once, `store`, release |
//! | `cmpxchg` of its bits | lock, `load`, the comparison, `store` of the new value or the old one, release |
//!
//! The loop is how compilers spell what the processor cannot do in one piece. In the section it succeeds at once.
//!
//! An access of an integer or a pointer with more than monotonic ordering tells other threads what has been done before
//! it, or learns that from them (C++, [intro.races]): who finds that it is the last to arrive may read what all have
//! written, who finds a flag set what has been written before. So where a region forks a team, such an access is put
//! between a lock and its release as it is. What a section of one access has seen, it sees in the same order each time:
//! in the reverse pass, whoever learned something comes before whoever told it.
//!
//! What else orders threads without saying for whom is a *point*, a section in which nothing happens, of one lock for
//! all of them: a fence or a flush; in front of what tells others to go on (`__kmpc_doacross_post`, `sem_post`), behind
//! what waits for that, on both sides of a barrier. All points are passed in one order, and in the reverse pass in the
//! opposite one.

use crate::base::blocks;
use crate::base::builder::plain_call;
use crate::base::names::{called_outside, declare, variable};
use crate::normalise::collect::Sources;
use crate::normalise::fork::is_fork;
use crate::program::openmp::{LOCK_CELL, UNLOCK_CELL};
use crate::runtime::turns;
use ir::hash::{HashMap, HashSet};
use ir::{
    BinOp, BlockId, CastOp, ConstKind, FuncId, Function, Global, Inst, InstId, InstKind, IntPred, Module, Operand,
    Ordering, RmwOp, Type, TypeId, ValueId,
};

/// Lowers the atomic accesses of floats in all sources, if their order matters, and puts those of integers in an order
/// that teams of threads see. What has been lowered stays as it is.
pub fn lower(m: &mut Module, sources: &mut Sources) {
    let floats = sources.values().any(|func| order_matters(m, func));
    let told = |func: &Function| func.inst_order().any(|(_, inst)| tells(m, func, inst).is_some());
    let passes = |func: &Function| func.inst_order().any(|(_, inst)| point(m, func, inst).is_some());
    let forks = sources.values().any(is_fork);
    let integers = forks && sources.values().any(told);
    if forks && sources.values().any(passes) {
        make_points(m, sources);
    }
    if !floats && !integers {
        return;
    }
    let locks = [turns::lock_cell(m, LOCK_CELL), turns::unlock_cell(m, UNLOCK_CELL)];
    for func in sources.values_mut() {
        while let Some(exchange) = exchange(m, func).filter(|_| floats) {
            lower_exchange(m, func, &exchange, locks);
        }
        if floats {
            lower_comparisons(m, func, locks);
        }
        for block in func.layout.clone() {
            let mut out = Vec::new();
            for inst in func.blocks[block].insts.clone() {
                let done = out.last().is_some_and(|before| is_lock(m, func, *before));
                match tells(m, func, inst).filter(|_| integers && !done) {
                    Some(ptr) => {
                        let [lock, release] = locks.map(|f| call(m, f, ptr));
                        let void = m.types.void();
                        let lock = create(func, inst, lock, void, false);
                        out.extend([lock, inst, create(func, inst, release, void, false)]);
                    }
                    None if floats && !done => lower_access(m, func, inst, locks, &mut out),
                    None => out.push(inst),
                }
            }
            func.blocks[block].insts = out;
        }
    }
}

/// The address of an integer by which an instruction tells other threads what has been done before, or learns it.
fn tells(m: &Module, func: &Function, inst: InstId) -> Option<Operand> {
    let orders = |ordering: Ordering| !matches!(ordering, Ordering::Unordered | Ordering::Monotonic);
    match &func.insts[inst].kind {
        InstKind::AtomicRmw { ptr, value, ordering, .. } => {
            (orders(*ordering) && !is_float(m, m.operand_ty(func, *value))).then_some(*ptr)
        }
        InstKind::Store { ptr, atomic: Some(atomic), .. } | InstKind::Load { ptr, atomic: Some(atomic), .. } => {
            (orders(atomic.ordering) && !accesses_float(m, func, inst)).then_some(*ptr)
        }
        InstKind::CmpXchg { ptr, new, success, failure, .. } => {
            let orders = orders(*success) || orders(*failure);
            (orders && float_of(m, func, *new).is_none()).then_some(*ptr)
        }
        _ => None,
    }
}

/// On which sides of something a point is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Point {
    Before,
    Behind,
    Both,
}

/// Functions that order threads, and where their points are.
const ORDERING: [(&str, Point); 6] = [
    ("__kmpc_flush", Point::Before),
    ("__kmpc_doacross_post", Point::Before),
    ("__kmpc_doacross_wait", Point::Behind),
    ("sem_post", Point::Before),
    ("sem_wait", Point::Behind),
    ("pthread_barrier_wait", Point::Both),
];

/// Where the points of an instruction are, if it has any.
fn point(m: &Module, func: &Function, inst: InstId) -> Option<Point> {
    if let InstKind::Fence(_) = func.insts[inst].kind {
        return Some(Point::Before);
    }
    let callee = called_outside(m, &func.insts[inst])?;
    ORDERING.iter().find(|(name, _)| *name == callee.name).map(|(_, point)| *point)
}

/// The lock of all points.
const POINTS: &str = "__adj_points";

fn points(m: &mut Module) -> Operand {
    let id = m.global(POINTS).unwrap_or_else(|| {
        let ty = m.types.int(64);
        let zero = m.zero(ty).constant();
        let mut global = Global::new(POINTS, ty, zero);
        global.flags.linkage = "internal".to_owned();
        global.align = 64;
        m.globals.push(global)
    });
    m.global_address(id)
}

/// Makes the points of all sources that are not there yet.
fn make_points(m: &mut Module, sources: &mut Sources) {
    let at = points(m);
    let locks = [turns::lock_cell(m, LOCK_CELL), turns::unlock_cell(m, UNLOCK_CELL)];
    let void = m.types.void();
    for func in sources.values_mut() {
        for block in func.layout.clone() {
            let insts = func.blocks[block].insts.clone();
            let mut out = Vec::new();
            for (n, inst) in insts.iter().enumerate() {
                let side = point(m, func, *inst);
                let pass = |m: &mut Module, func: &mut Function, out: &mut Vec<InstId>| {
                    out.extend(locks.map(|f| {
                        let kind = call(m, f, at);
                        create(func, *inst, kind, void, false)
                    }));
                };
                let is_point = |m: &Module, func: &Function, other: Option<&InstId>| {
                    other.is_some_and(|other| is_of_point(m, func, *other))
                };
                let before = matches!(side, Some(Point::Before | Point::Both));
                if before && !is_point(m, func, n.checked_sub(1).and_then(|n| insts.get(n))) {
                    pass(m, func, &mut out);
                }
                out.push(*inst);
                let behind = matches!(side, Some(Point::Behind | Point::Both));
                if behind && !is_point(m, func, insts.get(n + 1)) {
                    pass(m, func, &mut out);
                }
            }
            func.blocks[block].insts = out;
        }
    }
}

/// Is it a part of a point?
fn is_of_point(m: &Module, func: &Function, inst: InstId) -> bool {
    let Some(call) = func.insts[inst].kind.as_call() else { return false };
    let of = |name: &str| m.as_function(call.callee).is_some_and(|f| m.functions[f].name == name);
    let all = |arg: &Operand| arg.constant().and_then(|c| variable(m, c)).is_some_and(|g| m.globals[g].name == POINTS);
    (of(LOCK_CELL) || of(UNLOCK_CELL)) && call.args.first().is_some_and(all)
}

/// Where the function, as it is in the program, first has an atomic access of a float that would be lowered.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    let in_loop = exchange(m, func).map(|of| of.exchange);
    let accesses = |inst: &InstId| match &func.insts[*inst].kind {
        InstKind::AtomicRmw { value, .. } => is_float(m, m.operand_ty(func, *value)),
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            accesses_float(m, func, *inst)
        }
        InstKind::CmpXchg { new, .. } => float_of(m, func, *new).is_some(),
        _ => false,
    };
    in_loop.or_else(|| func.inst_order().map(|(_, inst)| inst).find(accesses))
}

/// Does the copy of a function hold what such accesses have become?
pub fn locks(m: &Module, copy: &Function) -> bool {
    // What tells others stays as it is.
    let becomes = |inst: InstId| tells(m, copy, inst).is_none() && !is_of_point(m, copy, inst);
    let section = |pair: &[InstId]| is_lock(m, copy, pair[0]) && becomes(pair[1]);
    copy.layout.iter().any(|b| copy.blocks[*b].insts.windows(2).any(section))
}

/// The instructions of a function that are sections of their own, or have points beside them.
pub(crate) fn in_sections(m: &Module, copy: &Function) -> HashSet<InstId> {
    let pairs = || copy.layout.iter().flat_map(|b| copy.blocks[*b].insts.windows(2));
    let within = pairs().filter(|pair| is_lock(m, copy, pair[0])).map(|pair| pair[1]);
    let behind = pairs().filter(|pair| is_of_point(m, copy, pair[0])).map(|pair| pair[1]);
    let before = pairs().filter(|pair| is_of_point(m, copy, pair[1])).map(|pair| pair[0]);
    within.chain(behind).chain(before).collect()
}

/// Does a section of one access begin here?
fn is_lock(m: &Module, func: &Function, inst: InstId) -> bool {
    let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| m.functions[f].name == LOCK_CELL)
}

fn is_float(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(ty), Type::Float(_))
}

/// Has the function an atomic access of a float whose order matters?
fn order_matters(m: &Module, func: &Function) -> bool {
    let used = |v: ValueId| func.is_used(v);
    let matters = |inst: InstId| match &func.insts[inst].kind {
        InstKind::AtomicRmw { op, value, .. } if is_float(m, m.operand_ty(func, *value)) => {
            !matches!(op, RmwOp::FAdd | RmwOp::FSub) || func.insts[inst].result.is_some_and(used)
        }
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            accesses_float(m, func, inst)
        }
        InstKind::CmpXchg { new, .. } => float_of(m, func, *new).is_some(),
        _ => false,
    };
    func.inst_order().any(|(_, inst)| matters(inst)) || exchange(m, func).is_some()
}

/// Does an atomic load or store access a float, or the bits of one?
fn accesses_float(m: &Module, func: &Function, inst: InstId) -> bool {
    match func.insts[inst].kind {
        InstKind::Store { value, .. } => is_float(m, m.operand_ty(func, value)) || float_of(m, func, value).is_some(),
        InstKind::Load { .. } => {
            is_float(m, func.insts[inst].ty) || func.insts[inst].result.is_some_and(|v| becomes_float(m, func, v))
        }
        _ => false,
    }
}

/// The type of the variable that an address is, if that is a float.
fn slot_of_float(m: &Module, func: &Function, ptr: Operand) -> Option<TypeId> {
    let slot = ptr.local().and_then(|v| func.def_inst(v)).map(|i| &func.insts[i].kind);
    match slot {
        Some(InstKind::Alloca { elem_ty, .. }) if is_float(m, *elem_ty) => Some(*elem_ty),
        _ => None,
    }
}

/// The type of the float whose bits an integer is.
fn float_of(m: &Module, func: &Function, bits: Operand) -> Option<TypeId> {
    match func.insts[func.def_inst(bits.local()?)?].kind {
        InstKind::Cast { op: CastOp::BitCast, value, .. } => {
            Some(m.operand_ty(func, value)).filter(|ty| is_float(m, *ty))
        }
        InstKind::Load { ptr, .. } => slot_of_float(m, func, ptr),
        _ => None,
    }
}

/// Does an integer become a float of the same bits, or is it compared with what lies where such a one does?
fn becomes_float(m: &Module, func: &Function, v: ValueId) -> bool {
    let (mut seen, mut work) = (vec![v], vec![v]);
    while let Some(v) = work.pop() {
        let is = |operand: Operand| operand == Operand::Local(v);
        for (_, user) in func.inst_order() {
            let data = &func.insts[user];
            match &data.kind {
                InstKind::Cast { op: CastOp::BitCast, value, .. } if is(*value) && is_float(m, data.ty) => return true,
                InstKind::Store { value, ptr, .. } if is(*value) && slot_of_float(m, func, *ptr).is_some() => {
                    return true;
                }
                InstKind::CmpXchg { expected, new, .. } if is(*expected) && float_of(m, func, *new).is_some() => {
                    return true;
                }
                InstKind::Phi { incoming, .. } if incoming.iter().any(|(value, _)| is(*value)) => {
                    work.extend(data.result.filter(|v| !seen.contains(v)));
                    seen.extend(data.result);
                }
                _ => {}
            }
        }
    }
    false
}

fn call(m: &mut Module, f: FuncId, ptr: Operand) -> InstKind {
    let (void, pointer) = (m.types.void(), m.types.ptr());
    let fn_ty = m.types.func(void, vec![pointer]);
    InstKind::Call(Box::new(plain_call(m.function_address(f), fn_ty, vec![ptr], String::new())))
}

fn create(func: &mut Function, like: InstId, kind: InstKind, ty: TypeId, named: bool) -> InstId {
    let mut inst = Inst::new(kind, ty);
    inst.loc = func.insts[like].loc;
    func.create_inst(inst, named)
}

/// Puts an instruction, or what stands for it, behind others.
fn lower_access(m: &mut Module, func: &mut Function, inst: InstId, locks: [FuncId; 2], out: &mut Vec<InstId>) {
    let void = m.types.void();
    let float = match &func.insts[inst].kind {
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            accesses_float(m, func, inst)
        }
        InstKind::AtomicRmw { value, .. } => is_float(m, m.operand_ty(func, *value)),
        _ => false,
    };
    let ptr = match func.insts[inst].kind {
        InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } if float => ptr,
        _ => return out.push(inst),
    };
    let [lock, release] = locks.map(|f| call(m, f, ptr));
    out.push(create(func, inst, lock, void, false));
    let rest = match &mut func.insts[inst].kind {
        InstKind::Load { atomic, .. } | InstKind::Store { atomic, .. } => {
            *atomic = None;
            Vec::new()
        }
        InstKind::AtomicRmw { op, value, align, .. } => {
            let (op, value, align) = (*op, *value, *align);
            func.insts[inst].kind = InstKind::Load { ptr, align, volatile: false, atomic: None };
            update(m, func, (inst, op), value, (ptr, align))
        }
        _ => Vec::new(),
    };
    out.push(inst);
    out.extend(rest);
    out.push(create(func, inst, release, void, false));
}

/// What follows the load of an update: the operation and the store.
fn update(
    m: &mut Module,
    func: &mut Function,
    (load, op): (InstId, RmwOp),
    value: Operand,
    (ptr, align): (Operand, u64),
) -> Vec<InstId> {
    let (ty, void) = (func.insts[load].ty, m.types.void());
    let old = func.insts[load].result.map(Operand::Local).unwrap_or(value);
    let binary =
        |op| InstKind::Binary { op, flags: Default::default(), fast: Default::default(), lhs: old, rhs: value };
    let kind = match op {
        RmwOp::FAdd => Some(binary(BinOp::FAdd)),
        RmwOp::FSub => Some(binary(BinOp::FSub)),
        RmwOp::FMax | RmwOp::FMin => {
            let name = if op == RmwOp::FMax { "maxnum" } else { "minnum" };
            let suffix = m.types.float_kind(ty).map_or("", |kind| kind.suffix());
            let f = declare(m, &format!("llvm.{name}.{suffix}"), ty, &[ty, ty]);
            let fn_ty = m.types.func(ty, vec![ty, ty]);
            Some(InstKind::Call(Box::new(plain_call(m.function_address(f), fn_ty, vec![old, value], String::new()))))
        }
        _ => None,
    };
    let mut out = Vec::new();
    let new = match kind {
        Some(kind) => {
            let id = create(func, load, kind, ty, true);
            out.push(id);
            func.insts[id].result.map(Operand::Local).unwrap_or(value)
        }
        None => value,
    };
    let store = InstKind::Store { value: new, ptr, align, volatile: false, atomic: None };
    out.push(create(func, load, store, void, false));
    out
}

/// What an exchange that compares gives: what was there, and whether that was expected.
#[derive(Clone, Copy)]
struct Found {
    before: Operand,
    success: Operand,
}

/// Puts what else compares and exchanges bits of floats into sections.
fn lower_comparisons(m: &mut Module, func: &mut Function, locks: [FuncId; 2]) {
    let mut found: HashMap<ValueId, Found> = HashMap::default();
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            match func.insts[inst].kind {
                InstKind::CmpXchg { new, .. } if float_of(m, func, new).is_some() => {
                    let result = func.insts[inst].result;
                    let members = lower_comparison(m, func, inst, locks, &mut out);
                    found.extend(result.zip(members));
                }
                _ => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
    if !found.is_empty() {
        take_apart(m, func, found);
    }
}

/// The section of one of them; its results.
fn lower_comparison(
    m: &mut Module,
    func: &mut Function,
    inst: InstId,
    locks: [FuncId; 2],
    out: &mut Vec<InstId>,
) -> Option<Found> {
    let InstKind::CmpXchg { ptr, expected, new, align, .. } = func.insts[inst].kind else { return None };
    let float = float_of(m, func, new)?;
    let (void, truth, bits) = (m.types.void(), m.types.int(1), m.operand_ty(func, expected));
    let [lock, release] = locks.map(|f| call(m, f, ptr));
    let mut push = |func: &mut Function, kind: InstKind, ty: TypeId| {
        let id = create(func, inst, kind, ty, ty != void);
        out.push(id);
        func.insts[id].result.map_or(expected, Operand::Local)
    };
    push(func, lock, void);
    let old = push(func, InstKind::Load { ptr, align, volatile: false, atomic: None }, float);
    let before = push(func, blocks::bitcast(old), bits);
    let success = push(func, InstKind::ICmp { pred: IntPred::Eq, lhs: before, rhs: expected }, truth);
    let new = push(func, blocks::bitcast(new), float);
    let fast = Default::default();
    let value = push(func, InstKind::Select { cond: success, if_true: new, if_false: old, fast }, float);
    push(func, InstKind::Store { value, ptr, align, volatile: false, atomic: None }, void);
    push(func, release, void);
    // Whoever wants both gets them.
    let whole = func.insts[inst].ty;
    let poison = m.constant(whole, ConstKind::Poison);
    let whole = push(func, InstKind::InsertValue { aggregate: poison, value: before, indices: [0].into() }, whole);
    func.insts[inst].kind = InstKind::InsertValue { aggregate: whole, value: success, indices: [1].into() };
    out.push(inst);
    Some(Found { before, success })
}

/// Puts the members in the place of what was taken out of a result, also where results meet.
fn take_apart(m: &mut Module, func: &mut Function, mut found: HashMap<ValueId, Found>) {
    let order: Vec<(BlockId, InstId)> = func.inst_order().collect();
    let truth = m.types.int(1);
    // Where results meet, their members do.
    let mut joins = Vec::new();
    loop {
        let known = found.len();
        for (block, inst) in &order {
            let InstKind::Phi { incoming, .. } = func.insts[*inst].kind.clone() else { continue };
            let Some(v) = func.insts[*inst].result.filter(|v| !found.contains_key(v)) else { continue };
            let Some(one) = incoming.iter().find_map(|(o, _)| found.get(&o.local()?).copied()) else { continue };
            let is_known = |o: &Operand| o.local().is_none_or(|other| other == v || found.contains_key(&other));
            if !incoming.iter().all(|(o, _)| is_known(o)) {
                continue;
            }
            let bits = m.operand_ty(func, one.before);
            let empty = || InstKind::Phi { fast: Default::default(), incoming: Vec::new() };
            let ids = [bits, truth].map(|ty| create(func, *inst, empty(), ty, true));
            let [Some(before), Some(success)] = ids.map(|id| func.insts[id].result.map(Operand::Local)) else {
                continue;
            };
            found.insert(v, Found { before, success });
            joins.push((*block, *inst, ids, incoming));
        }
        if found.len() == known {
            break;
        }
    }
    for (block, inst, ids, incoming) in joins {
        for (member, id) in ids.into_iter().enumerate() {
            let ty = func.insts[id].ty;
            let mut part = |value: Operand| match value.local().and_then(|v| found.get(&v)) {
                Some(of) => [of.before, of.success][member],
                None => m.constant(ty, ConstKind::Poison),
            };
            let all = incoming.iter().map(|(value, from)| (part(*value), *from)).collect();
            func.insts[id].kind = InstKind::Phi { fast: Default::default(), incoming: all };
        }
        let insts = &mut func.blocks[block].insts;
        let at = insts.iter().position(|i| *i == inst).unwrap_or(0);
        insts.splice(at..=at, ids);
    }
    let mut members: HashMap<ValueId, Operand> = HashMap::default();
    for (_, inst) in &order {
        let InstKind::ExtractValue { aggregate, indices } = &func.insts[*inst].kind else { continue };
        let Some(of) = aggregate.local().and_then(|v| found.get(&v)) else { continue };
        let member = if indices[..] == [0] { of.before } else { of.success };
        members.extend(func.insts[*inst].result.map(|v| (v, member)));
    }
    let gone = |func: &Function, inst: &InstId| func.insts[*inst].result.is_some_and(|v| members.contains_key(&v));
    for block in func.layout.clone() {
        let kept = func.blocks[block].insts.iter().copied().filter(|inst| !gone(func, inst)).collect();
        func.blocks[block].insts = kept;
    }
    for data in func.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| {
            if let Some(member) = o.local().and_then(|v| members.get(&v)) {
                *o = *member;
            }
        });
    }
}

/// A loop that tries until nobody has come between.
struct Exchange {
    load: InstId,
    phi: InstId,
    block: BlockId,
    exchange: InstId,
    before: InstId,
    success: InstId,
    exit: BlockId,
}

/// The first such loop in the function that computes with floats: a block whose phi is what was loaded, or what was
/// found in the memory when the exchange failed.
fn exchange(m: &Module, func: &Function) -> Option<Exchange> {
    func.layout.iter().find_map(|block| {
        let insts = &func.blocks[*block].insts;
        let is_exchange = |i: &&InstId| matches!(func.insts[**i].kind, InstKind::CmpXchg { .. });
        let exchange = *insts.iter().find(is_exchange)?;
        let InstKind::CmpXchg { ptr, expected, .. } = func.insts[exchange].kind else { return None };
        let result = func.insts[exchange].result?;
        let member = |n: u32| {
            insts.iter().copied().find(|i| match &func.insts[*i].kind {
                InstKind::ExtractValue { aggregate, indices } => {
                    *aggregate == Operand::Local(result) && indices[..] == [n]
                }
                _ => false,
            })
        };
        let (before, success) = (member(0)?, member(1)?);
        let phi = func.def_inst(expected.local()?).filter(|i| insts.contains(i))?;
        let InstKind::Phi { incoming, .. } = &func.insts[phi].kind else { return None };
        let back = func.insts[before].result.map(Operand::Local)?;
        let [start] = incoming.iter().filter(|(_, from)| from != block).collect::<Vec<_>>()[..] else { return None };
        incoming.iter().find(|(value, from)| from == block && *value == back)?;
        let load = func.def_inst(start.0.local()?)?;
        let loads = matches!(func.insts[load].kind, InstKind::Load { ptr: from, atomic: Some(_), .. } if from == ptr);
        let InstKind::CondBr { cond, then_to, else_to } = func.insts[*insts.last()?].kind else { return None };
        let tries = cond == Operand::Local(func.insts[success].result?) && else_to == *block;
        let computes = |i: &InstId| is_float(m, func.insts[*i].ty);
        (loads && tries && incoming.len() == 2 && insts.iter().any(computes)).then_some(Exchange {
            load,
            phi,
            block: *block,
            exchange,
            before,
            success,
            exit: then_to,
        })
    })
}

fn lower_exchange(m: &mut Module, func: &mut Function, of: &Exchange, locks: [FuncId; 2]) {
    let void = m.types.void();
    let InstKind::CmpXchg { ptr, new, align, .. } = func.insts[of.exchange].kind else { return };
    let [lock, release] = locks.map(|f| call(m, f, ptr));
    // In front of the load.
    let lock = create(func, of.load, lock, void, false);
    if let Some(block) = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(&of.load)) {
        let at = func.blocks[block].insts.iter().position(|i| *i == of.load).unwrap_or(0);
        func.blocks[block].insts.insert(at, lock);
    }
    if let InstKind::Load { atomic, .. } = &mut func.insts[of.load].kind {
        *atomic = None;
    }
    if let InstKind::Phi { incoming, .. } = &mut func.insts[of.phi].kind {
        incoming.retain(|(_, from)| *from != of.block);
    }
    // In the place of the exchange.
    let store = InstKind::Store { value: new, ptr, align, volatile: false, atomic: None };
    (func.insts[of.exchange].kind, func.insts[of.exchange].ty) = (store, void);
    func.insts[of.exchange].result = None;
    let release = create(func, of.exchange, release, void, false);
    let truth = m.int(1, 1);
    let old = func.insts[of.phi].result.map(Operand::Local);
    let known = [(of.success, Some(truth)), (of.before, old)];
    let known: Vec<(Operand, Operand)> =
        known.into_iter().filter_map(|(i, to)| Some((Operand::Local(func.insts[i].result?), to?))).collect();
    for data in func.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| {
            if let Some((_, to)) = known.iter().find(|(from, _)| from == o) {
                *o = *to;
            }
        });
    }
    let insts = &mut func.blocks[of.block].insts;
    insts.retain(|i| *i != of.before && *i != of.success);
    let at = insts.iter().position(|i| *i == of.exchange).unwrap_or(0);
    insts.insert(at + 1, release);
    if let Some(last) = insts.last().copied() {
        func.insts[last].kind = InstKind::Br(of.exit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::collect::collect;

    /// The function of that name, lowered with all that it calls, and the functions it calls in order.
    fn lowered(text: &str, name: &str) -> (Module, Function, Vec<String>) {
        let mut m = ir::parse::parse(text, "atomics").unwrap();
        let root = m.function("f").unwrap();
        let mut sources = collect(&mut m, root).unwrap();
        lower(&mut m, &mut sources);
        lower(&mut m, &mut sources);
        let func = sources[&m.function(name).unwrap()].clone();
        let called = |(_, inst): (BlockId, InstId)| {
            Some(m.functions[m.as_function(func.insts[inst].kind.as_call()?.callee)?].name.clone())
        };
        let calls = func.inst_order().filter_map(called).collect();
        (m, func, calls)
    }

    /// What an optimiser makes of `while (!s.compare_exchange_weak(old, old + v));` with its first step in front.
    #[test]
    fn results_of_exchanges_that_meet_are_taken_apart() {
        let text = "define void @f(ptr %s, double %v) {\nentry:\n  %a = load atomic i64, ptr %s monotonic, align 8\n  \
                    %b = bitcast i64 %a to double\n  %c = fadd double %b, %v\n  %d = bitcast double %c to i64\n  \
                    %e = cmpxchg weak ptr %s, i64 %a, i64 %d seq_cst monotonic, align 8\n  \
                    %g = extractvalue { i64, i1 } %e, 1\n  br i1 %g, label %done, label %again\nagain:\n  \
                    %h = phi { i64, i1 } [ %n, %again ], [ %e, %entry ]\n  %i = extractvalue { i64, i1 } %h, 0\n  \
                    %j = bitcast i64 %i to double\n  %k = fadd double %j, %v\n  %l = bitcast double %k to i64\n  \
                    %n = cmpxchg weak ptr %s, i64 %i, i64 %l seq_cst monotonic, align 8\n  \
                    %o = extractvalue { i64, i1 } %n, 1\n  br i1 %o, label %done, label %again\ndone:\n  ret void\n}\n";
        let (m, func, calls) = lowered(text, "f");
        let exchanges = |inst: &Inst| matches!(inst.kind, InstKind::CmpXchg { .. } | InstKind::ExtractValue { .. });
        let kinds: Vec<&Inst> = func.inst_order().map(|(_, inst)| &func.insts[inst]).collect();
        assert!(!kinds.iter().any(|inst| exchanges(inst)), "nothing is exchanged in one piece, or taken apart");
        let meets = |inst: &&&Inst| matches!(inst.kind, InstKind::Phi { .. }) && m.types.fields(inst.ty).is_some();
        assert_eq!(kinds.iter().filter(meets).count(), 0, "members meet, not pairs");
        // The load and two exchanges, once each however often it is lowered.
        assert_eq!(calls, [LOCK_CELL, UNLOCK_CELL].repeat(3));
    }

    #[test]
    fn what_orders_threads_has_points_where_a_team_is_forked() {
        let body = |forked: &str| {
            format!(
                "@place = global i32 0\ndeclare void @__kmpc_fork_call(ptr, i32, ptr, ...)\n\
                 declare void @__kmpc_doacross_wait(ptr, i32, ptr)\ndeclare void @__kmpc_doacross_post(ptr, i32, ptr)\n\
                 define internal void @body(ptr %g, ptr %b, ptr %v) {{\n  \
                 call void @__kmpc_doacross_wait(ptr @place, i32 0, ptr %v)\n  \
                 call void @__kmpc_doacross_post(ptr @place, i32 0, ptr %v)\n  ret void\n}}\n\
                 define void @f(ptr %v) {{\n{forked}  ret void\n}}\n"
            )
        };
        let forks = "  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 1, ptr @body, ptr %v)\n";
        let (_, _, calls) = lowered(&body(forks), "body");
        let (wait, post) = ("__kmpc_doacross_wait", "__kmpc_doacross_post");
        assert_eq!(calls, [wait, LOCK_CELL, UNLOCK_CELL, LOCK_CELL, UNLOCK_CELL, post]);
        let alone = "  call void @body(ptr null, ptr null, ptr %v)\n";
        assert_eq!(lowered(&body(alone), "body").2, [wait, post]);
    }
}
