//! Sections that only one thread executes at a time, where these begin and end otherwise than by a call that does
//! nothing else.
//!
//! *Conditions.* Who waits for one lets others into the section of the lock meanwhile (`pthread_cond_wait`, XSH): a
//! section ends before the call, and another one begins behind it. The order of these sections says all: there is
//! nothing to wait for in the reverse pass.
//!
//! *Attempts.* Where `pthread_mutex_trylock(l)` and its like succeed, a section begins. So the call is followed by one
//! of a function that says so, where it has: for the reverse pass, in which the section ends there
//! ([`crate::program::openmp::Order`]).

use crate::base::blocks;
use crate::base::builder::{Builder, plain_call};
use crate::base::names::{called_outside, internal};
use crate::program::openmp::{ENTERED, LEAVING};
use ir::{FuncId, Function, InstId, InstKind, IntPred, Module, Operand, TypeId};

/// Those that try to get the lock that is their first argument, and whether zero is what they return if they have.
const ATTEMPTS: [(&str, bool); 12] = [
    ("pthread_mutex_trylock", true),
    ("pthread_mutex_timedlock", true),
    ("pthread_mutex_clocklock", true),
    ("pthread_rwlock_tryrdlock", true),
    ("pthread_rwlock_trywrlock", true),
    ("pthread_rwlock_timedrdlock", true),
    ("pthread_rwlock_timedwrlock", true),
    ("pthread_spin_trylock", true),
    ("mtx_trylock", true),
    ("mtx_timedlock", true),
    ("omp_test_lock", false),
    ("omp_test_nest_lock", false),
];

/// Where a lock is that a call lets go of while it waits for a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lock {
    /// The second argument.
    Given,
    /// What that points to, as `std::unique_lock` does.
    Pointed,
}

/// Those that wait for a condition.
const WAITS: [(&str, Lock); 6] = [
    ("pthread_cond_wait", Lock::Given),
    ("pthread_cond_timedwait", Lock::Given),
    ("pthread_cond_clockwait", Lock::Given),
    ("cnd_wait", Lock::Given),
    ("cnd_timedwait", Lock::Given),
    ("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", Lock::Pointed),
];

/// Does a function of that name try to get a lock?
pub fn tries(name: &str) -> bool {
    ATTEMPTS.iter().any(|(known, _)| *known == name)
}

/// Puts the ends and beginnings of sections around each wait, and the beginning of one behind each attempt.
pub fn lower(m: &mut Module, func: &mut Function) {
    lower_waits(m, func);
    lower_attempts(m, func);
}

fn lower_waits(m: &mut Module, func: &mut Function) {
    let (void, ptr) = (m.types.void(), m.types.ptr());
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            let Some((argument, place)) = wait(m, func, inst) else {
                out.push(inst);
                continue;
            };
            let mut lock = argument;
            if place == Lock::Pointed {
                let load = InstKind::Load { ptr: argument, align: 8, volatile: false, atomic: None };
                let load = blocks::like(m, func, inst, load, ptr);
                out.push(load);
                lock = func.insts[load].result.map_or(argument, Operand::Local);
            }
            let fn_ty = m.types.func(void, vec![ptr]);
            for says in [LEAVING, ENTERED] {
                if says == ENTERED {
                    out.push(inst);
                }
                let says = saying(m, says);
                let call = plain_call(m.function_address(says), fn_ty, vec![lock], String::new());
                out.push(blocks::like(m, func, inst, InstKind::Call(Box::new(call)), void));
            }
        }
        func.blocks[block].insts = out;
    }
}

/// What a call that waits for a condition says of the lock.
fn wait(m: &Module, func: &Function, inst: InstId) -> Option<(Operand, Lock)> {
    let callee = called_outside(m, &func.insts[inst])?;
    let (_, lock) = WAITS.iter().find(|(name, _)| *name == callee.name)?;
    Some((*func.insts[inst].kind.as_call()?.args.get(1)?, *lock))
}

fn lower_attempts(m: &mut Module, func: &mut Function) {
    let (void, truth, ptr) = (m.types.void(), m.types.int(1), m.types.ptr());
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            out.push(inst);
            let Some((lock, result, zero)) = attempt(m, func, inst) else { continue };
            let mut push = |m: &Module, func: &mut Function, kind: InstKind, ty: TypeId| {
                let id = blocks::like(m, func, inst, kind, ty);
                out.push(id);
                func.insts[id].result.map(Operand::Local)
            };
            let (ty, pred) = (m.operand_ty(func, result), if zero { IntPred::Eq } else { IntPred::Ne });
            let compared = InstKind::ICmp { pred, lhs: result, rhs: m.zero(ty) };
            let success = push(m, func, compared, truth).unwrap_or(result);
            let (enters, fn_ty) = (enters(m), m.types.func(void, vec![ptr, truth]));
            let call = plain_call(m.function_address(enters), fn_ty, vec![lock, success], String::new());
            push(m, func, InstKind::Call(Box::new(call)), void);
        }
        func.blocks[block].insts = out;
    }
}

/// The lock, what the call returns, and whether that is zero on success.
fn attempt(m: &Module, func: &Function, inst: InstId) -> Option<(Operand, Operand, bool)> {
    let callee = called_outside(m, &func.insts[inst])?;
    let (_, zero) = ATTEMPTS.iter().find(|(name, _)| *name == callee.name)?;
    let lock = *func.insts[inst].kind.as_call()?.args.first()?;
    Some((lock, Operand::Local(func.insts[inst].result?), *zero))
}

/// `void (ptr lock, i1 success)`: says that the section has begun, if it has.
fn enters(m: &mut Module) -> FuncId {
    let (ptr, truth, void) = (m.types.ptr(), m.types.int(1), m.types.void());
    let f = match internal(m, "__adj_enters_if", void, &[ptr, truth]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let entered = saying(m, ENTERED);
    let mut b = Builder::new(m, f);
    let (lock, success) = (b.f.param(0), b.f.param(1));
    let [inside, done] = ["inside", "done"].map(|name| b.f.add_block(name));
    b.cond_br(success, inside, done);
    b.at = inside;
    b.call(entered, vec![lock]);
    b.br(done);
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void (ptr lock)`: says that a section has begun, or is about to end.
pub(super) fn saying(m: &mut Module, what: &str) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, what, void, &[ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
