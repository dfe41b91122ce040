//! Attempts to enter a section that only one thread executes at a time.
//!
//! Where `pthread_mutex_trylock(l)` and its like succeed, a section begins. So the call is followed by one of a
//! function that says so, where it has: for the reverse pass, in which the section ends there
//! ([`crate::program::openmp::Order`]).

use crate::base::builder::{Builder, plain_call};
use crate::base::names::{called_outside, internal};
use crate::program::openmp::ENTERED;
use ir::{FuncId, Function, Inst, InstId, InstKind, IntPred, Module, Operand};

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

/// Puts the beginning of the section behind each attempt.
pub fn lower(m: &mut Module, func: &mut Function) {
    let void = m.types.void();
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            out.push(inst);
            let Some((lock, result, zero)) = attempt(m, func, inst) else { continue };
            let ty = m.operand_ty(func, result);
            let enters = enters(m, zero);
            let (pointer, fits) = (m.types.ptr(), ty == m.types.int(32));
            if !fits {
                continue;
            }
            let fn_ty = m.types.func(void, vec![pointer, ty]);
            let call = plain_call(m.function_address(enters), fn_ty, vec![lock, result], String::new());
            let mut entered = Inst::new(InstKind::Call(Box::new(call)), void);
            entered.loc = func.insts[inst].loc;
            out.push(func.create_inst(entered, false));
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

/// `void (ptr lock, i32 result)`: says that the section has begun, if it has.
fn enters(m: &mut Module, zero: bool) -> FuncId {
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let name = format!("__adj_enters_if_{}", if zero { "zero" } else { "not" });
    let f = match internal(m, &name, void, &[ptr, i32t]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let entered = entered(m);
    let mut b = Builder::new(m, f);
    let (lock, result, none) = (b.f.param(0), b.f.param(1), b.m.zero(i32t));
    let [inside, done] = ["inside", "done"].map(|name| b.f.add_block(name));
    let pred = if zero { IntPred::Eq } else { IntPred::Ne };
    let success = b.icmp(pred, result, none);
    b.cond_br(success, inside, done);
    b.at = inside;
    b.call(entered, vec![lock]);
    b.br(done);
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void (ptr lock)`: a section has begun.
fn entered(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, ENTERED, void, &[ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
