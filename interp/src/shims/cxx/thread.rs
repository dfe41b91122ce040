//! `std::thread`, `std::condition_variable` and `std::call_once`: what `<thread>` and its like leave to libstdc++
//! (`src/c++11/thread.cc`'s contract as its headers state it). `std::mutex` and its like call POSIX functions from
//! their headers.
//!
//! A `std::thread` is its `pthread_t`. The new thread calls `_M_run`, slot 2 of the state object's vtable, and then
//! destroys the state through slot
//! 1. A `std::condition_variable` is a `pthread_cond_t`; a `std::unique_lock` is `{ mutex, owns }`.

use super::super::pthread::{self, cond, thread};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Role;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE" => start,
        "_ZNSt6thread6_StateD2Ev" | "_ZNSt6thread6_StateD1Ev" => |_, _| Ok(Value::void()),
        "_ZNSt6thread4joinEv" => |i, c| {
            let id = of(i, c)?;
            if thread::join(i, id)?.is_none() {
                return Err(Fault::unsupported("std::system_error: a thread joins itself"));
            }
            leave(i, c)
        },
        "_ZNSt6thread6detachEv" => |i, c| {
            let id = of(i, c)?;
            thread::detach(i, id)?;
            leave(i, c)
        },
        "_ZNSt6thread20hardware_concurrencyEv" => |_, _| Ok(Value::i32(thread::PROCESSORS)),
        "_ZNSt18condition_variableC1Ev" | "_ZNSt18condition_variableC2Ev" => |i, c| {
            pthread::clear(i, c.ptr(0)?, 48)?;
            Ok(Value::void())
        },
        "_ZNSt18condition_variableD1Ev" | "_ZNSt18condition_variableD2Ev" => |i, c| {
            cond::destroy(i, c.ptr(0)?)?;
            Ok(Value::void())
        },
        "_ZNSt18condition_variable10notify_oneEv" => |i, c| cond::signal(i, c.ptr(0)?, false).map(|_| Value::void()),
        "_ZNSt18condition_variable10notify_allEv" => |i, c| cond::signal(i, c.ptr(0)?, true).map(|_| Value::void()),
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE" => |i, c| {
            let mutex = i.memory.load_ptr(c.ptr(1)?, 8)?.as_ptr();
            cond::wait(i, c.ptr(0)?, mutex, None).map(|_| Value::void())
        },
        "__once_proxy" => |i, _| {
            // Its call is the argument of `pthread_once`, which enters it as below.
            Err(Fault::unsupported(format!("__once_proxy outside of std::call_once ({} threads)", i.threads.all.len())))
        },
        _ => return None,
    })
}

fn start<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (object, holder) = (call.ptr(0)?, call.ptr(1)?);
    interp.go_parallel()?;
    let state = interp.memory.load_ptr(holder, 8)?.as_ptr();
    let run = interp.virtual_function(state, 2)?;
    interp.memory.store(holder, Leaf::Ptr, Scalar::ptr(Pointer::NULL), 8)?;
    let id = interp.threads.all.len();
    interp.memory.store(object, Leaf::Int(64), Scalar::word(thread::handle(id)), 8)?;
    interp.create_thread(Role::Standard(state), run, vec![Value::ptr(state)], Some(call.at))?;
    Ok(Value::void())
}

/// The thread of a `std::thread`.
fn of<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<usize> {
    let handle = interp.memory.load(call.ptr(0)?, Leaf::Int(64), 8)?;
    if handle.lo == 0 {
        return Err(Fault::ub(UbKind::Library, "std::system_error: the std::thread has no thread to join or detach"));
    }
    thread::thread(interp, handle.lo)
}

/// The `std::thread` has no thread any more.
fn leave<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    interp.memory.store(call.ptr(0)?, Leaf::Int(64), Scalar::word(0), 8)?;
    Ok(Value::void())
}
