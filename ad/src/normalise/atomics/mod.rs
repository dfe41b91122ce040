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
//! | `cmpxchg` of its bits | lock, `load`, the comparison, `store` of the new value or the old one, release ([`recomputed`]) |
//!
//! The same is done to what exchanges addresses, whose shadows are exchanged with them.
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
//! opposite one. As a fence gives an order to what is accessed beside it with none, all accesses of integers are
//! sections where there are fences.

mod bits;
mod exchange;
pub(crate) mod orders;
mod points;
mod recomputed;

use crate::base::blocks;
use crate::base::builder::plain_call;
use crate::base::names::declare;
use crate::normalise::sources::Sources;
use crate::normalise::threads::is_parallel;

use crate::program::openmp::{LOCK_CELL, UNLOCK_CELL};
use crate::runtime::turns;
use bits::{accesses_float, exchanged, exchanges_address, is_float};
use exchange::{exchange, lower_comparisons, lower_exchange};
use ir::hash::HashSet;
use ir::{Atomic, BinOp, FuncId, Function, InstId, InstKind, Module, Operand, Ordering, RmwOp, ValueId};
use recomputed::recompute;

/// Lowers the atomic accesses of floats in all sources, if their order matters, and puts those of integers in an order
/// that teams of threads see. What has been lowered stays as it is.
pub fn lower(m: &mut Module, sources: &mut Sources) {
    let floats = sources.values().any(|func| order_matters(m, func));
    let forks = sources.values().any(is_parallel);
    let points =
        |func: &Function| func.inst_order().filter_map(|(_, inst)| points::point(m, func, inst)).collect::<Vec<_>>();
    let points: Vec<_> = if forks { sources.values().flat_map(points).collect() } else { Vec::new() };
    let told = if points.iter().any(|point| point.is_of_all()) { Told::All } else { Told::Ordered };
    let tell = |func: &Function| func.inst_order().any(|(_, inst)| tells(m, func, inst, told).is_some());
    let integers = forks && sources.values().any(tell);
    if !points.is_empty() {
        points::make_points(m, sources);
    }
    if !floats && !integers {
        // What was a variable when they became sections is one no more.
        return sources.values_mut().for_each(|func| recompute(m, func));
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
            let (mut out, mut done) = (Vec::new(), false);
            for inst in func.blocks[block].insts.clone() {
                done = (done || is_lock(m, func, inst)) && !is_release(m, func, inst);
                match tells(m, func, inst, told).filter(|_| integers && !done) {
                    Some(ptr) => {
                        let [lock, release] = locks.map(|f| call(m, f, ptr));
                        let void = m.types.void();
                        let lock = blocks::like(m, func, inst, lock, void);
                        out.extend([lock, inst, blocks::like(m, func, inst, release, void)]);
                    }
                    None if floats && !done => lower_access(m, func, inst, locks, &mut out),
                    None => out.push(inst),
                }
            }
            func.blocks[block].insts = out;
        }
        recompute(m, func);
    }
}

/// Does it compare and exchange anything?
pub fn exchanges(func: &Function) -> bool {
    func.inst_order().any(|(_, inst)| matches!(func.insts[inst].kind, InstKind::CmpXchg { .. }))
}

/// Does it add to a float in one piece, and use what lay there before?
pub fn adds_to_float(m: &Module, func: &Function) -> bool {
    func.inst_order().any(|(_, inst)| former(m, func, inst).is_some_and(|former| func.is_used(former)))
}

/// What lay where an instruction adds to a float in one piece.
fn former(m: &Module, func: &Function, inst: InstId) -> Option<ValueId> {
    match func.insts[inst].kind {
        InstKind::AtomicRmw { op: RmwOp::FAdd | RmwOp::FSub, value, .. } if is_float(m, m.operand_ty(func, value)) => {
            func.insts[inst].result
        }
        _ => None,
    }
}

/// Does it, promoted, return that, and use it for nothing else?
pub fn returns_former(m: &Module, func: &Function) -> bool {
    let returned = |former: ValueId| {
        let users = func.inst_order().filter(|(_, i)| func.insts[*i].kind.operands().contains(&Operand::Local(former)));
        users.into_iter().all(|(_, i)| matches!(func.insts[i].kind, InstKind::Ret(_)))
    };
    let sums = func.inst_order().filter_map(|(_, inst)| former(m, func, inst));
    sums.filter(|former| func.is_used(*former)).any(returned)
}

/// Does it, promoted, exchange what it finds behind an address that it was given? What is expected there, only a caller
/// has in a variable.
pub fn exchanges_by_reference(func: &Function) -> bool {
    let found = |value: Operand| {
        let load = value.local().and_then(|v| func.def_inst(v)).map(|inst| &func.insts[inst].kind);
        matches!(load, Some(InstKind::Load { ptr, .. }) if is_given(func, *ptr))
    };
    func.inst_order().any(|(_, inst)| match func.insts[inst].kind {
        InstKind::CmpXchg { expected, .. } => found(expected),
        _ => false,
    })
}

/// Is an address that of a parameter, of a part of what a parameter points to, or found there?
fn is_given(func: &Function, mut ptr: Operand) -> bool {
    for _ in 0..MAX_WAY {
        let Some(v) = ptr.local() else { return false };
        match func.def_inst(v).map(|inst| &func.insts[inst].kind) {
            None => return matches!(func.values[v].def, ir::ValueDef::Param(_)),
            Some(InstKind::Gep { base, .. }) => ptr = *base,
            Some(InstKind::Load { ptr: at, .. }) => ptr = *at,
            Some(_) => return false,
        }
    }
    false
}

/// Members and pointers between a parameter and what is expected.
const MAX_WAY: usize = 16;

/// Which accesses of integers tell other threads something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    /// Those with more than monotonic ordering.
    Ordered,
    /// All: a fence may stand beside any of them (C++, [atomics.fences]).
    All,
}

/// The address of an integer by which an instruction tells other threads what has been done before, or learns it.
fn tells(m: &Module, func: &Function, inst: InstId, told: Told) -> Option<Operand> {
    let orders =
        |ordering: Ordering| told == Told::All || !matches!(ordering, Ordering::Unordered | Ordering::Monotonic);
    match &func.insts[inst].kind {
        InstKind::AtomicRmw { ptr, value, ordering, .. } => {
            let lowered = is_float(m, m.operand_ty(func, *value)) || exchanges_address(m, func, inst);
            (orders(*ordering) && !lowered).then_some(*ptr)
        }
        InstKind::Store { ptr, atomic: Some(atomic), .. } | InstKind::Load { ptr, atomic: Some(atomic), .. } => {
            (orders(atomic.ordering) && !accesses_float(m, func, inst)).then_some(*ptr)
        }
        InstKind::CmpXchg { ptr, success, failure, .. } => {
            let orders = orders(*success) || orders(*failure);
            (orders && exchanged(m, func, inst).is_none()).then_some(*ptr)
        }
        _ => None,
    }
}

/// Where the function, as it is in the program, first has an atomic access of a float that would be lowered.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    let in_loop = exchange(m, func).map(|of| of.exchange);
    let accesses = |inst: &InstId| match &func.insts[*inst].kind {
        InstKind::AtomicRmw { value, .. } => {
            is_float(m, m.operand_ty(func, *value)) || exchanges_address(m, func, *inst)
        }
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            accesses_float(m, func, *inst)
        }
        InstKind::CmpXchg { .. } => exchanged(m, func, *inst).is_some(),
        _ => false,
    };
    in_loop.or_else(|| func.inst_order().map(|(_, inst)| inst).find(accesses))
}

/// Does it, as it is in the program, put threads in an order by what it accesses in one piece?
pub fn orders(m: &Module, func: &Function) -> bool {
    order_matters(m, func) || func.inst_order().any(|(_, inst)| tells(m, func, inst, Told::Ordered).is_some())
}

/// Does it, as it is in the program, order threads without saying for whom?
pub fn has_points(m: &Module, func: &Function) -> bool {
    func.inst_order().any(|(_, inst)| points::point(m, func, inst).is_some())
}

/// Does the copy of a function hold what such accesses have become?
pub fn locks(m: &Module, copy: &Function) -> bool {
    // What tells others stays as it is.
    let becomes = |inst: InstId| tells(m, copy, inst, Told::All).is_none() && !points::is_cell(m, copy, inst, |_| true);
    let section = |three: &[InstId]| {
        is_lock(m, copy, three[0])
            && (becomes(three[1]) || !is_release(m, copy, three[1]) && !is_release(m, copy, three[2]))
    };
    copy.layout.iter().any(|b| copy.blocks[*b].insts.windows(3).any(section))
}

/// The instructions of a function that are sections of their own, or have points beside them.
pub(crate) fn in_sections(m: &Module, copy: &Function) -> HashSet<InstId> {
    let pairs = || copy.layout.iter().flat_map(|b| copy.blocks[*b].insts.windows(2));
    let within = pairs().filter(|pair| is_lock(m, copy, pair[0])).map(|pair| pair[1]);
    let behind = pairs().filter(|pair| points::is_of_points(m, copy, pair[0])).map(|pair| pair[1]);
    let before = pairs().filter(|pair| points::is_of_points(m, copy, pair[1])).map(|pair| pair[0]);
    // What stands beside the point of something else is in no order for that.
    let beside = behind.chain(before).filter(|inst| points::point(m, copy, *inst).is_some());
    within.chain(beside).collect()
}

/// Does a section of one access begin here?
pub(crate) fn is_lock(m: &Module, func: &Function, inst: InstId) -> bool {
    let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| m.functions[f].name == LOCK_CELL)
}

/// Does one end here?
fn is_release(m: &Module, func: &Function, inst: InstId) -> bool {
    let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| m.functions[f].name == UNLOCK_CELL)
}

/// Has the function, as it is in the program, an atomic access of a float whose order matters?
pub fn order_matters(m: &Module, func: &Function) -> bool {
    let used = |v: ValueId| func.is_used(v);
    let matters = |inst: InstId| match &func.insts[inst].kind {
        InstKind::AtomicRmw { op, value, .. } if is_float(m, m.operand_ty(func, *value)) => {
            !matches!(op, RmwOp::FAdd | RmwOp::FSub) || func.insts[inst].result.is_some_and(used)
        }
        InstKind::AtomicRmw { .. } => exchanges_address(m, func, inst),
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            accesses_float(m, func, inst)
        }
        InstKind::CmpXchg { .. } => exchanged(m, func, inst).is_some(),
        _ => false,
    };
    func.inst_order().any(|(_, inst)| matters(inst)) || exchange(m, func).is_some()
}

fn call(m: &mut Module, f: FuncId, ptr: Operand) -> InstKind {
    let (void, pointer) = (m.types.void(), m.types.ptr());
    let fn_ty = m.types.func(void, vec![pointer]);
    InstKind::Call(Box::new(plain_call(m.function_address(f), fn_ty, vec![ptr], String::new())))
}

/// Puts an instruction, or what stands for it, behind others.
fn lower_access(m: &mut Module, func: &mut Function, inst: InstId, locks: [FuncId; 2], out: &mut Vec<InstId>) {
    let void = m.types.void();
    let address = exchanges_address(m, func, inst);
    let float = match &func.insts[inst].kind {
        InstKind::Load { atomic: Some(_), .. } | InstKind::Store { atomic: Some(_), .. } => {
            accesses_float(m, func, inst)
        }
        InstKind::AtomicRmw { value, .. } => is_float(m, m.operand_ty(func, *value)),
        _ => false,
    };
    let ptr = match func.insts[inst].kind {
        InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. }
            if float || address =>
        {
            ptr
        }
        _ => return out.push(inst),
    };
    let [lock, release] = locks.map(|f| call(m, f, ptr));
    out.push(blocks::like(m, func, inst, lock, void));
    let rest = match &mut func.insts[inst].kind {
        InstKind::Load { atomic, .. } | InstKind::Store { atomic, .. } => {
            *atomic = None;
            Vec::new()
        }
        InstKind::AtomicRmw { op, value, align, .. } => {
            let (op, value, align) = (*op, *value, *align);
            let atomic = |ordering| address.then(|| Atomic { ordering, scope: String::new() });
            func.insts[inst].kind = InstKind::Load { ptr, align, volatile: false, atomic: atomic(Ordering::Monotonic) };
            update(m, func, (inst, op), value, (ptr, align, atomic(Ordering::Release)))
        }
        _ => Vec::new(),
    };
    out.push(inst);
    out.extend(rest);
    out.push(blocks::like(m, func, inst, release, void));
}

/// What follows the load of an update: the operation and the store.
fn update(
    m: &mut Module,
    func: &mut Function,
    (load, op): (InstId, RmwOp),
    value: Operand,
    (ptr, align, atomic): (Operand, u64, Option<Atomic>),
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
            let id = blocks::like(m, func, load, kind, ty);
            out.push(id);
            func.insts[id].result.map(Operand::Local).unwrap_or(value)
        }
        None => value,
    };
    let store = InstKind::Store { value: new, ptr, align, volatile: false, atomic };
    out.push(blocks::like(m, func, load, store, void));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::collect::collect;
    use ir::{BlockId, Inst};

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

    /// A team that waits for a condition, with a flush in front of that and one behind.
    #[test]
    fn what_stands_beside_a_point_is_in_no_order_for_that() {
        let text = "@place = global i32 0\ndeclare void @__kmpc_fork_call(ptr, i32, ptr, ...)\n\
                    declare void @__kmpc_flush(ptr)\ndeclare i32 @pthread_cond_wait(ptr, ptr)\n\
                    define internal void @body(ptr %g, ptr %b, ptr %v) {\n  call void @__kmpc_flush(ptr @place)\n  \
                    %w = call i32 @pthread_cond_wait(ptr %v, ptr %v)\n  call void @__kmpc_flush(ptr @place)\n  \
                    ret void\n}\ndefine void @f(ptr %v) {\n  \
                    call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 1, ptr @body, ptr %v)\n  ret void\n}\n";
        let (m, body, _) = lowered(text, "body");
        let called = |inst: &InstId| {
            let callee = body.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
            callee.map(|f| m.functions[f].name.as_str()).unwrap_or_default()
        };
        let mut ordered: Vec<&str> = in_sections(&m, &body).iter().map(called).collect();
        ordered.retain(|name| ![LOCK_CELL, UNLOCK_CELL].contains(name));
        assert_eq!(ordered, ["__kmpc_flush"; 2]);
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

    /// A sum, peeled as above, and a product whose factor meets another one: the new numbers are of what is found.
    #[test]
    fn new_numbers_are_computed_from_what_is_found() {
        let text = "define void @f(ptr %s, ptr %t, double %v) {\nentry:\n  \
                    %a = load atomic i64, ptr %s monotonic, align 8\n  \
                    %b = bitcast i64 %a to double\n  %c = fadd double %b, %v\n  %d = bitcast double %c to i64\n  \
                    %e = cmpxchg weak ptr %s, i64 %a, i64 %d seq_cst monotonic, align 8\n  \
                    %p = load atomic i64, ptr %t monotonic, align 8\n  %q = bitcast i64 %p to double\n  \
                    %first = fmul double %q, %v\n  br label %again\nagain:\n  \
                    %old = phi double [ %q, %entry ], [ %was, %again ]\n  \
                    %new = phi double [ %first, %entry ], [ %next, %again ]\n  \
                    %x = bitcast double %old to i64\n  %y = bitcast double %new to i64\n  \
                    %n = cmpxchg ptr %t, i64 %x, i64 %y seq_cst monotonic, align 8\n  \
                    %o = extractvalue { i64, i1 } %n, 1\n  %w = extractvalue { i64, i1 } %n, 0\n  \
                    %was = bitcast i64 %w to double\n  %next = fmul double %was, %v\n  \
                    br i1 %o, label %done, label %again\ndone:\n  ret void\n}\n";
        let (_, func, _) = lowered(text, "f");
        let stored = |(_, inst): (BlockId, InstId)| match func.insts[inst].kind {
            InstKind::Select { if_true, if_false, .. } => Some((if_true, if_false)),
            _ => None,
        };
        let def = |value: Operand| value.local().and_then(|v| func.def_inst(v)).map(|inst| &func.insts[inst].kind);
        let mut sections = 0;
        for (new, old) in func.inst_order().filter_map(stored) {
            let mut operation = def(new);
            while let Some(InstKind::Cast { value, .. }) = operation {
                operation = def(*value);
            }
            assert!(matches!(operation, Some(InstKind::Binary { lhs, .. }) if *lhs == old), "{operation:?}");
            sections += 1;
        }
        assert_eq!(sections, 2);
    }

    /// Each section ends on all ways, also where one load comes to two loops.
    #[test]
    fn two_loops_behind_one_load_are_sections_of_their_own() {
        let tries = |n: u32, other: &str| {
            format!(
                "try{n}:\n  %o{n} = phi i64 [ %a, %entry ], [ %w{n}, %try{n} ]\n  %p{n} = bitcast i64 %o{n} to double\n  \
                 %q{n} = fadd double %p{n}, {other}\n  %r{n} = bitcast double %q{n} to i64\n  \
                 %e{n} = cmpxchg weak ptr %s, i64 %o{n}, i64 %r{n} seq_cst monotonic, align 8\n  \
                 %w{n} = extractvalue {{ i64, i1 }} %e{n}, 0\n  %d{n} = extractvalue {{ i64, i1 }} %e{n}, 1\n  \
                 br i1 %d{n}, label %done, label %try{n}\n"
            )
        };
        let text = format!(
            "define void @f(ptr %s, double %v, i1 %c) {{\nentry:\n  %a = load atomic i64, ptr %s monotonic, align 8\n  \
             br i1 %c, label %try1, label %try2\n{}{}done:\n  ret void\n}}\n",
            tries(1, "%v"),
            tries(2, "0.0")
        );
        let (_, _, calls) = lowered(&text, "f");
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
