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
//!
//! The last one is how compilers spell what the processor cannot do in one piece. In the section it succeeds at once.
//!
//! An update of an integer with more than monotonic ordering tells other threads what has been done before it (C++,
//! [intro.races]): who finds that it is the last to arrive may read what all have written. So where a region forks a
//! team, such an update, and a store with release semantics, is put between a lock and its release as it is. (What
//! looks at an integer with acquire semantics and changes nothing is refused there: [`crate::analysis::parallel`].)

use crate::base::builder::plain_call;
use crate::base::names::declare;
use crate::normalise::collect::Sources;
use crate::normalise::fork::is_fork;
use crate::program::openmp::{LOCK_CELL, UNLOCK_CELL};
use crate::runtime::turns;
use ir::{
    BinOp, BlockId, CastOp, FuncId, Function, Inst, InstId, InstKind, Module, Operand, Ordering, RmwOp, Type, TypeId,
    ValueId,
};

/// Lowers the atomic accesses of floats in all sources, if their order matters, and puts those of integers in an order
/// that teams of threads see.
pub fn lower(m: &mut Module, sources: &mut Sources) {
    let floats = sources.values().any(|func| order_matters(m, func));
    let told = |func: &Function| func.inst_order().any(|(_, inst)| tells(m, func, inst).is_some());
    let integers = sources.values().any(is_fork) && sources.values().any(told);
    if !floats && !integers {
        return;
    }
    let locks = [turns::lock_cell(m, LOCK_CELL), turns::unlock_cell(m, UNLOCK_CELL)];
    for func in sources.values_mut() {
        while let Some(exchange) = exchange(m, func).filter(|_| floats) {
            lower_exchange(m, func, &exchange, locks);
        }
        for block in func.layout.clone() {
            let mut out = Vec::new();
            for inst in func.blocks[block].insts.clone() {
                match tells(m, func, inst).filter(|_| integers) {
                    Some(ptr) => {
                        let [lock, release] = locks.map(|f| call(m, f, ptr));
                        let void = m.types.void();
                        let lock = create(func, inst, lock, void, false);
                        out.extend([lock, inst, create(func, inst, release, void, false)]);
                    }
                    None if floats => lower_access(m, func, inst, locks, &mut out),
                    None => out.push(inst),
                }
            }
            func.blocks[block].insts = out;
        }
    }
}

/// The address of an integer that an instruction changes so that other threads may learn what has been done before.
fn tells(m: &Module, func: &Function, inst: InstId) -> Option<Operand> {
    let orders = |ordering: Ordering| !matches!(ordering, Ordering::Unordered | Ordering::Monotonic);
    match &func.insts[inst].kind {
        InstKind::AtomicRmw { ptr, value, ordering, .. } => {
            (orders(*ordering) && !is_float(m, m.operand_ty(func, *value))).then_some(*ptr)
        }
        InstKind::Store { ptr, atomic: Some(atomic), .. } => {
            (orders(atomic.ordering) && !accesses_float(m, func, inst)).then_some(*ptr)
        }
        _ => None,
    }
}

/// Where the function, as it is in the program, first has an atomic access of a float that would be lowered.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    let in_loop = exchange(m, func).map(|of| of.exchange);
    let accesses = |inst: &InstId| match &func.insts[*inst].kind {
        InstKind::AtomicRmw { value, .. } => is_float(m, m.operand_ty(func, *value)),
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            accesses_float(m, func, *inst)
        }
        _ => false,
    };
    in_loop.or_else(|| func.inst_order().map(|(_, inst)| inst).find(accesses))
}

/// Does the copy of a function hold what such accesses have become?
pub fn locks(m: &Module, copy: &Function) -> bool {
    let is_lock = |inst: InstId| {
        let callee = copy.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
        callee.is_some_and(|f| m.functions[f].name == LOCK_CELL)
    };
    // What tells others stays as it is.
    let becomes = |inst: InstId| tells(m, copy, inst).is_none();
    copy.layout.iter().any(|b| copy.blocks[*b].insts.windows(2).any(|pair| is_lock(pair[0]) && becomes(pair[1])))
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
        _ => false,
    };
    func.inst_order().any(|(_, inst)| matters(inst)) || exchange(m, func).is_some()
}

/// Does an atomic load or store access a float, or the bits of one?
fn accesses_float(m: &Module, func: &Function, inst: InstId) -> bool {
    let slot_of_float = |ptr: Operand| {
        let slot = ptr.local().and_then(|v| func.def_inst(v)).map(|i| &func.insts[i].kind);
        matches!(slot, Some(InstKind::Alloca { elem_ty, .. }) if is_float(m, *elem_ty))
    };
    match func.insts[inst].kind {
        InstKind::Store { value, .. } => {
            let from = value.local().and_then(|v| func.def_inst(v)).map(|i| &func.insts[i].kind);
            is_float(m, m.operand_ty(func, value))
                || match from {
                    Some(InstKind::Cast { op: CastOp::BitCast, value, .. }) => is_float(m, m.operand_ty(func, *value)),
                    Some(InstKind::Load { ptr, .. }) => slot_of_float(*ptr),
                    _ => false,
                }
        }
        InstKind::Load { .. } => {
            let Some(v) = func.insts[inst].result.map(Operand::Local) else { return false };
            let as_float = |(_, user): (BlockId, InstId)| match func.insts[user].kind {
                InstKind::Cast { op: CastOp::BitCast, value, .. } => value == v && is_float(m, func.insts[user].ty),
                InstKind::Store { value, ptr, .. } => value == v && slot_of_float(ptr),
                _ => false,
            };
            is_float(m, func.insts[inst].ty) || func.inst_order().any(as_float)
        }
        _ => false,
    }
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
