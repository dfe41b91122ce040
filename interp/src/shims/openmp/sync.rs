//! `critical`, `single`, `master`, reductions, flushes, and the lock functions.
//!
//! A reduction always takes the way through a critical section (what `__kmpc_reduce` answers with 1), which the
//! interface allows.

use super::barrier::meet;
use super::{me, misuse, my_team, place_in_team, publish, take};
use crate::machine::Machine;
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Awaited;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__kmpc_critical" | "__kmpc_critical_with_hint" => |i, c| {
            lock(i, c.ptr(2)?, "a critical section", false)?;
            Ok(Value::void())
        },
        "__kmpc_end_critical" => |i, c| {
            unlock(i, c.ptr(2)?)?;
            Ok(Value::void())
        },
        "__kmpc_single" => |i, _| {
            if my_team(i).league {
                return Ok(Value::i32(1));
            }
            let member = me(i);
            member.singles += 1;
            let mine = member.singles;
            let team = my_team(i);
            let first = team.singles < mine;
            team.singles = team.singles.max(mine);
            Ok(Value::i32(i32::from(first)))
        },
        "__kmpc_master" => |i, _| Ok(Value::i32(i32::from(place_in_team(i).0 == 0))),
        "__kmpc_masked" => |i, c| {
            let filter = c.int(2)?;
            Ok(Value::i32(i32::from(place_in_team(i).0 as i64 == filter)))
        },
        "__kmpc_end_single" | "__kmpc_end_master" | "__kmpc_end_masked" => |_, _| Ok(Value::void()),
        "__kmpc_flush" => |i, _| {
            if let Some(races) = i.memory.races() {
                races.fence(ir::Ordering::SeqCst);
            }
            Ok(Value::void())
        },
        "__kmpc_reduce" | "__kmpc_reduce_nowait" => |i, c| {
            lock(i, c.ptr(6)?, "its turn in a reduction", false)?;
            Ok(Value::i32(1))
        },
        "__kmpc_end_reduce_nowait" => |i, c| {
            unlock(i, c.ptr(2)?)?;
            Ok(Value::void())
        },
        "__kmpc_end_reduce" => |i, c| {
            if i.progress().is_none() {
                unlock(i, c.ptr(2)?)?;
            }
            meet(i, 0)?;
            *i.progress() = None;
            Ok(Value::void())
        },
        "omp_init_lock" | "omp_init_nest_lock" | "omp_init_lock_with_hint" | "omp_init_nest_lock_with_hint" => {
            |i, c| {
                i.memory.store(c.ptr(0)?, Leaf::Int(64), Scalar::word(1), 8)?;
                Ok(Value::void())
            }
        }
        "omp_destroy_lock" | "omp_destroy_nest_lock" => |i, c| {
            let at = known(i, c)?;
            if i.runtime.openmp.locks.contains_key(&at.addr) {
                return Err(misuse("a lock is destroyed that is held"));
            }
            i.memory.store(at, Leaf::Int(64), Scalar::word(0), 8)?;
            Ok(Value::void())
        },
        "omp_set_lock" => |i, c| {
            let at = known(i, c)?;
            lock(i, at, "a lock", false)?;
            Ok(Value::void())
        },
        "omp_set_nest_lock" => |i, c| {
            let at = known(i, c)?;
            lock(i, at, "a lock", true)?;
            Ok(Value::void())
        },
        "omp_unset_lock" | "omp_unset_nest_lock" => |i, c| {
            let at = known(i, c)?;
            unlock(i, at)?;
            Ok(Value::void())
        },
        "omp_test_lock" | "omp_test_nest_lock" => |i, c| {
            let at = known(i, c)?;
            let held = i.runtime.openmp.locks.get(&at.addr).copied();
            if held.is_some() {
                return Ok(Value::i32(0));
            }
            lock(i, at, "a lock", false)?;
            Ok(Value::i32(1))
        },
        _ => return None,
    })
}

/// A lock that has been initialised.
fn known<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Pointer> {
    let at = call.ptr(0)?;
    let word = interp.memory.accessed_as(crate::races::Mode::Atomic, |m| m.load(at, Leaf::Int(64), 8))?;
    if !word.is_init() || word.lo != 1 {
        return Err(misuse("a lock is used that is not initialised, or has been destroyed"));
    }
    Ok(at)
}

/// Takes a lock by its address.
fn lock<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer, what: &str, nests: bool) -> Res {
    let current = interp.threads.current;
    let entry = interp.runtime.openmp.locks.entry(at.addr).or_insert((current, 0));
    if entry.1 == 0 || nests && entry.0 == current {
        entry.1 += 1;
        let key = interp.memory.key(at);
        take(interp, key);
        return Ok(());
    }
    if !interp.threads.live {
        interp.go_parallel()?;
    }
    Err(interp.wait(Awaited::Object(at.addr), what, None))
}

/// Gives a lock back.
fn unlock<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer) -> Res {
    let current = interp.threads.current;
    match interp.runtime.openmp.locks.get_mut(&at.addr) {
        Some((owner, count)) if *owner == current => {
            *count -= 1;
            if *count == 0 {
                interp.runtime.openmp.locks.remove(&at.addr);
                let key = interp.memory.key(at);
                publish(interp, key);
                interp.threads.wake(Awaited::Object(at.addr));
            }
            Ok(())
        }
        _ => Err(misuse("a lock is given back by a thread that does not hold it")),
    }
}
