//! Mutexes and spin locks.
//!
//! Fields of a mutex as in glibc: count of locks at 4, owner at 8 (thread number and one; 0 when free), kind at 16 (0
//! normal, 1 recursive, 2 error-checking; -1 destroyed). A spin lock is one word: the owner.

use super::{AGAIN, BUSY, DEADLOCK, NOT_OWNER, Out, TIMED_OUT, clear, deadline, get, is_late, put};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::{Interp, Shim};
use crate::sync::{acquire, release};
use crate::threads::Awaited;
use crate::value::{Leaf, Pointer, Scalar, Value};

const COUNT: i64 = 4;
const OWNER: i64 = 8;
const KIND: i64 = 16;
const RECURSIVE: i32 = 1;
const CHECKED: i32 = 2;
const DESTROYED: i32 = -1;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "pthread_mutex_init" => |i, c| {
            let (mutex, attributes) = (c.ptr(0)?, c.ptr(1)?);
            let kind = if attributes.is_null() { 0 } else { i.memory.load(attributes, Leaf::Int(32), 4)?.lo as i32 };
            init(i, mutex, kind)
        },
        "pthread_mutex_destroy" => |i, c| destroy(i, c.ptr(0)?),
        "pthread_mutex_lock" => |i, c| take(i, c.ptr(0)?, None),
        "pthread_mutex_trylock" => |i, c| try_take(i, c.ptr(0)?),
        "pthread_mutex_timedlock" => |i, c| {
            let until = deadline(i, c.ptr(1)?)?;
            take(i, c.ptr(0)?, Some(until))
        },
        "pthread_mutex_clocklock" => |i, c| {
            let until = deadline(i, c.ptr(2)?)?;
            take(i, c.ptr(0)?, Some(until))
        },
        "pthread_mutex_unlock" => |i, c| give(i, c.ptr(0)?),
        "pthread_mutexattr_init" => |i, c| {
            clear(i, c.ptr(0)?, 4)?;
            Ok(Value::i32(0))
        },
        "pthread_mutexattr_destroy" => |_, _| Ok(Value::i32(0)),
        "pthread_mutexattr_settype" => |i, c| {
            i.memory.store(c.ptr(0)?, Leaf::Int(32), Scalar::i32(c.int(1)? as i32), 4)?;
            Ok(Value::i32(0))
        },
        "pthread_mutexattr_gettype" => |i, c| {
            let kind = i.memory.load(c.ptr(0)?, Leaf::Int(32), 4)?;
            i.memory.store(c.ptr(1)?, Leaf::Int(32), kind, 4)?;
            Ok(Value::i32(0))
        },
        "pthread_spin_init" => |i, c| {
            clear(i, c.ptr(0)?, 4)?;
            Ok(Value::i32(0))
        },
        "pthread_spin_destroy" => |_, _| Ok(Value::i32(0)),
        "pthread_spin_lock" => |i, c| {
            let (lock, me) = (c.ptr(0)?, me(i));
            match get(i, lock, 0)? {
                0 => {
                    put(i, lock, 0, me)?;
                    acquire(i, lock);
                    Ok(Value::i32(0))
                }
                owner => Err(i.wait(Awaited::Object(lock.addr), held("a spin lock", owner), None)),
            }
        },
        "pthread_spin_trylock" => |i, c| {
            let (lock, me) = (c.ptr(0)?, me(i));
            if get(i, lock, 0)? != 0 {
                return Ok(Value::i32(BUSY));
            }
            put(i, lock, 0, me)?;
            acquire(i, lock);
            Ok(Value::i32(0))
        },
        "pthread_spin_unlock" => |i, c| {
            let (lock, me) = (c.ptr(0)?, me(i));
            if get(i, lock, 0)? != me {
                return Err(Fault::ub(UbKind::Library, "a spin lock is unlocked by a thread that does not hold it"));
            }
            put(i, lock, 0, 0)?;
            release(i, lock);
            i.threads.wake(Awaited::Object(lock.addr));
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

/// The running thread as an owner.
fn me<M: Machine>(interp: &Interp<'_, M>) -> i32 {
    interp.threads.current as i32 + 1
}

/// In words: what a waiting thread waits for.
fn held(what: &str, owner: i32) -> String {
    match owner {
        1 => format!("{what} that the main thread holds"),
        _ => format!("{what} that thread {} holds", owner - 1),
    }
}

/// Makes a mutex.
pub fn init<M: Machine>(interp: &mut Interp<'_, M>, mutex: Pointer, kind: i32) -> Out<M> {
    clear(interp, mutex, 40)?;
    interp.memory.store(mutex.offset(KIND), Leaf::Int(32), Scalar::i32(kind), 4)?;
    let key = interp.memory.key(mutex);
    if let Some(races) = interp.memory.races() {
        races.clear(key);
    }
    Ok(Value::i32(0))
}

/// Destroys a mutex: nobody may hold it.
pub fn destroy<M: Machine>(interp: &mut Interp<'_, M>, mutex: Pointer) -> Out<M> {
    kind(interp, mutex)?;
    let owner = get(interp, mutex, OWNER)?;
    if owner != 0 {
        let text = format!("a mutex is destroyed {}", held("", owner).trim_start());
        return Err(Fault::ub(UbKind::Library, text));
    }
    interp.memory.store(mutex.offset(KIND), Leaf::Int(32), Scalar::i32(DESTROYED), 4)?;
    Ok(Value::i32(0))
}

fn kind<M: Machine>(interp: &mut Interp<'_, M>, mutex: Pointer) -> Res<i32> {
    match get(interp, mutex, KIND)? {
        DESTROYED => Err(Fault::ub(UbKind::Library, "a mutex is used that has been destroyed")),
        kind => Ok(kind & 3),
    }
}

/// Locks a mutex, waiting at most until that time.
pub fn take<M: Machine>(interp: &mut Interp<'_, M>, mutex: Pointer, until: Option<u64>) -> Out<M> {
    let (kind, me) = (kind(interp, mutex)?, me(interp));
    let owner = get(interp, mutex, OWNER)?;
    if owner == 0 {
        put(interp, mutex, OWNER, me)?;
        put(interp, mutex, COUNT, 1)?;
        acquire(interp, mutex);
        return Ok(Value::i32(0));
    }
    if owner == me && kind == RECURSIVE {
        let Some(count) = get(interp, mutex, COUNT)?.checked_add(1) else { return Ok(Value::i32(AGAIN)) };
        put(interp, mutex, COUNT, count)?;
        return Ok(Value::i32(0));
    }
    if owner == me && kind == CHECKED {
        return Ok(Value::i32(DEADLOCK));
    }
    if is_late(interp, until) {
        return Ok(Value::i32(TIMED_OUT));
    }
    if owner == me && until.is_none() {
        return Err(Fault::ub(UbKind::Deadlock, "a deadlock: a thread locks a mutex that it holds itself"));
    }
    if !interp.threads.live {
        interp.go_parallel()?;
    }
    Err(interp.wait(Awaited::Object(mutex.addr), held("a mutex", owner), until))
}

/// Locks a mutex if it is free.
pub fn try_take<M: Machine>(interp: &mut Interp<'_, M>, mutex: Pointer) -> Out<M> {
    let (kind, me) = (kind(interp, mutex)?, me(interp));
    let owner = get(interp, mutex, OWNER)?;
    if owner != 0 && !(owner == me && kind == RECURSIVE) {
        return Ok(Value::i32(BUSY));
    }
    take(interp, mutex, None)
}

/// Unlocks a mutex, which the running thread must hold.
pub fn give<M: Machine>(interp: &mut Interp<'_, M>, mutex: Pointer) -> Out<M> {
    let (kind, me) = (kind(interp, mutex)?, me(interp));
    let owner = get(interp, mutex, OWNER)?;
    if owner != me {
        if kind == RECURSIVE || kind == CHECKED {
            return Ok(Value::i32(NOT_OWNER));
        }
        let by = if owner == 0 { "that nobody holds".to_owned() } else { held("", owner).trim_start().to_owned() };
        return Err(Fault::ub(UbKind::Library, format!("a mutex is unlocked {by}")));
    }
    let count = get(interp, mutex, COUNT)? - 1;
    put(interp, mutex, COUNT, count)?;
    if count == 0 {
        put(interp, mutex, OWNER, 0)?;
        release(interp, mutex);
        interp.threads.wake(Awaited::Object(mutex.addr));
    }
    Ok(Value::i32(0))
}

/// The owner of a mutex.
pub fn is_mine<M: Machine>(interp: &mut Interp<'_, M>, mutex: Pointer) -> Res<bool> {
    Ok(get(interp, mutex, OWNER)? == me(interp))
}
