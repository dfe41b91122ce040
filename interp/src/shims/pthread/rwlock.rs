//! Read-write locks.
//!
//! Fields: readers at 0, mark of destruction at 4, writer at 24 (thread number and one). Readers know what writers
//! published; a writer knows what readers and writers published. So there are two published clocks: the writers' is
//! that of the object's address, the readers' that of the byte behind it.

use super::{BUSY, DEADLOCK, Out, TIMED_OUT, deadline, get, is_late, put};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::{Interp, Shim};
use crate::sync::{acquire, release};
use crate::threads::Awaited;
use crate::value::{Pointer, Value};

const READERS: i64 = 0;
const MARK: i64 = 4;
const WRITER: i64 = 24;
const DESTROYED: i32 = 0x0dead;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "pthread_rwlock_init" => |i, c| {
            super::clear(i, c.ptr(0)?, 56)?;
            Ok(Value::i32(0))
        },
        "pthread_rwlock_destroy" => |i, c| {
            let lock = c.ptr(0)?;
            if get(i, lock, READERS)? != 0 || get(i, lock, WRITER)? != 0 {
                return Err(Fault::ub(UbKind::Library, "a read-write lock is destroyed that is held"));
            }
            put(i, lock, MARK, DESTROYED)?;
            Ok(Value::i32(0))
        },
        "pthread_rwlock_rdlock" => |i, c| read(i, c.ptr(0)?, Wait::Forever),
        "pthread_rwlock_tryrdlock" => |i, c| read(i, c.ptr(0)?, Wait::Never),
        "pthread_rwlock_timedrdlock" => |i, c| {
            let until = deadline(i, c.ptr(1)?)?;
            read(i, c.ptr(0)?, Wait::Until(until))
        },
        "pthread_rwlock_wrlock" => |i, c| write(i, c.ptr(0)?, Wait::Forever),
        "pthread_rwlock_trywrlock" => |i, c| write(i, c.ptr(0)?, Wait::Never),
        "pthread_rwlock_timedwrlock" => |i, c| {
            let until = deadline(i, c.ptr(1)?)?;
            write(i, c.ptr(0)?, Wait::Until(until))
        },
        "pthread_rwlock_unlock" => |i, c| unlock(i, c.ptr(0)?),
        _ => return None,
    })
}

/// How long to wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Never,
    Until(u64),
    Forever,
}

fn check<M: Machine>(interp: &mut Interp<'_, M>, lock: Pointer) -> Res {
    if get(interp, lock, MARK)? == DESTROYED {
        return Err(Fault::ub(UbKind::Library, "a read-write lock is used that has been destroyed"));
    }
    Ok(())
}

/// The lock cannot be had now.
fn busy<M: Machine>(interp: &mut Interp<'_, M>, lock: Pointer, wait: Wait) -> Out<M> {
    let until = match wait {
        Wait::Never => return Ok(Value::i32(BUSY)),
        Wait::Until(until) if is_late(interp, Some(until)) => return Ok(Value::i32(TIMED_OUT)),
        Wait::Until(until) => Some(until),
        Wait::Forever => None,
    };
    interp.go_parallel()?;
    Err(interp.wait(Awaited::Object(lock.addr), "a read-write lock", until))
}

fn read<M: Machine>(interp: &mut Interp<'_, M>, lock: Pointer, wait: Wait) -> Out<M> {
    check(interp, lock)?;
    let writer = get(interp, lock, WRITER)?;
    if writer == interp.threads.current as i32 + 1 && wait == Wait::Forever {
        return Ok(Value::i32(DEADLOCK));
    }
    if writer != 0 {
        return busy(interp, lock, wait);
    }
    let readers = get(interp, lock, READERS)?;
    put(interp, lock, READERS, readers + 1)?;
    acquire(interp, lock);
    Ok(Value::i32(0))
}

fn write<M: Machine>(interp: &mut Interp<'_, M>, lock: Pointer, wait: Wait) -> Out<M> {
    check(interp, lock)?;
    let writer = get(interp, lock, WRITER)?;
    if writer == interp.threads.current as i32 + 1 && wait == Wait::Forever {
        return Ok(Value::i32(DEADLOCK));
    }
    if writer != 0 || get(interp, lock, READERS)? != 0 {
        return busy(interp, lock, wait);
    }
    let me = interp.threads.current as i32 + 1;
    put(interp, lock, WRITER, me)?;
    acquire(interp, lock);
    acquire(interp, lock.offset(1));
    Ok(Value::i32(0))
}

fn unlock<M: Machine>(interp: &mut Interp<'_, M>, lock: Pointer) -> Out<M> {
    check(interp, lock)?;
    let (writer, readers) = (get(interp, lock, WRITER)?, get(interp, lock, READERS)?);
    if writer == interp.threads.current as i32 + 1 {
        put(interp, lock, WRITER, 0)?;
        release(interp, lock);
    } else if readers > 0 {
        put(interp, lock, READERS, readers - 1)?;
        release(interp, lock.offset(1));
    } else {
        return Err(Fault::ub(UbKind::Library, "a read-write lock is unlocked by a thread that does not hold it"));
    }
    interp.threads.wake(Awaited::Object(lock.addr));
    Ok(Value::i32(0))
}
