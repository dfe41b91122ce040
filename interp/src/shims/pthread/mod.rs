//! POSIX threads (POSIX.1-2017, XSH), and the C11 functions over them.
//!
//! State lies in the program's own objects, as in glibc on x86-64, so that static initialisers, copies of memory and
//! uninitialised objects mean what they mean natively; the fields used are named in each file. Accesses to them count
//! as atomic, initialisation and destruction as plain writes: a lock that races with its own destruction is found like
//! any race.

mod c11;
pub mod cond;
mod futex;
mod local;
mod mutex;
mod rwlock;
mod sync;
pub mod thread;

use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::races::Mode;
use crate::shims::state::{Interp, Shim};
use crate::threads::{Awaited, Progress};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// `EPERM`
const NOT_OWNER: i32 = 1;
/// `EAGAIN`
const AGAIN: i32 = 11;
/// `EBUSY`
const BUSY: i32 = 16;
/// `EINVAL`
const INVALID: i32 = 22;
/// `EDEADLK`
const DEADLOCK: i32 = 35;
/// `ETIMEDOUT`
const TIMED_OUT: i32 = 110;

/// The shims of this folder by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    thread::find(name)
        .or_else(|| mutex::find(name))
        .or_else(|| cond::find(name))
        .or_else(|| futex::find(name))
        .or_else(|| rwlock::find(name))
        .or_else(|| sync::find(name))
        .or_else(|| local::find(name))
        .or_else(|| c11::find(name))
}

type Out<M> = Res<Value<<M as Machine>::Shadow>>;

/// Reads a field of a synchronisation object.
pub fn get<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer, field: i64) -> Res<i32> {
    let word = interp.memory.accessed_as(Mode::Atomic, |m| m.load(object.offset(field), Leaf::Int(32), 4))?;
    if !word.is_init() {
        return Err(Fault::ub(UbKind::Uninitialised, "a synchronisation object is used that is not initialised"));
    }
    Ok(word.lo as i32)
}

/// Writes a field of a synchronisation object.
pub fn put<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer, field: i64, value: i32) -> Res {
    let word = Scalar::i32(value);
    interp.memory.accessed_as(Mode::Atomic, |m| m.store(object.offset(field), Leaf::Int(32), word, 4))
}

/// Initialises a synchronisation object of `size` bytes with zeros.
pub fn clear<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer, size: u64) -> Res {
    interp.memory.fill(object, Scalar::word(0), size)
}

/// The time that a `struct timespec` gives, on the clock of the program, in nanoseconds since the program's start.
pub(super) fn deadline<M: Machine>(interp: &Interp<'_, M>, at: Pointer) -> Res<u64> {
    let start = super::time::START;
    let seconds = interp.memory.load(at, Leaf::Int(64), 8)?;
    let part = interp.memory.load(at.offset(8), Leaf::Int(64), 8)?;
    if !seconds.is_init() || !part.is_init() {
        return Err(Fault::ub(UbKind::Uninitialised, "a time is not initialised"));
    }
    Ok(seconds.lo.saturating_sub(start).saturating_mul(1_000_000_000).saturating_add(part.lo))
}

/// Is the wait of the running thread that ends at `until` over?
pub fn is_late<M: Machine>(interp: &Interp<'_, M>, until: Option<u64>) -> bool {
    until.is_some_and(|until| interp.nanoseconds() >= until)
}

/// Sleeps until a time: once begun, the call is over when it is executed again.
pub(super) fn sleep<M: Machine>(interp: &mut Interp<'_, M>, nanoseconds: u64) -> Out<M> {
    if !interp.threads.live {
        interp.threads.slept = interp.threads.slept.saturating_add(nanoseconds);
        return Ok(Value::i32(0));
    }
    match interp.progress().take() {
        Some(Progress::Sleep(until)) if is_late(interp, Some(until)) => Ok(Value::i32(0)),
        progress => {
            let until = match progress {
                Some(Progress::Sleep(until)) => until,
                _ => interp.nanoseconds().saturating_add(nanoseconds),
            };
            *interp.progress() = Some(Progress::Sleep(until));
            Err(interp.wait(Awaited::Time, "its time", Some(until)))
        }
    }
}
