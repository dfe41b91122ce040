//! `syscall(SYS_futex, …)` (futex(2)): what `std::atomic::wait`, semaphores, latches and barriers of C++20 wait with.
//! Other system calls are refused.
//!
//! A futex orders nothing: what orders are the atomic operations on the word. Only `FUTEX_WAIT` without a time, and
//! `FUTEX_WAKE`.

use super::{AGAIN, Out, get};
use crate::library::set_errno;
use crate::machine::Machine;
use crate::outcome::Fault;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::{Awaited, Progress, State};
use crate::value::Value;

/// `SYS_futex` of x86-64.
const FUTEX: u64 = 202;
const WAIT: u64 = 0;
const WAKE: u64 = 1;
/// `FUTEX_PRIVATE_FLAG`
const PRIVATE: u64 = 128;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    (name == "syscall").then_some(syscall as Shim<M>)
}

fn syscall<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let number = call.uint(0)?;
    if number != FUTEX {
        return Err(Fault::unsupported(format!("the system call {number}")));
    }
    let (word, operation, value) = (call.ptr(1)?, call.uint(2)? & !PRIVATE, call.uint(3)? as u32);
    match operation {
        WAIT => {
            if interp.progress().take() == Some(Progress::Futex) {
                return Ok(Value::i64(0));
            }
            if call.args.get(4).is_some_and(|time| time.lo != 0) {
                return Err(Fault::unsupported("a futex that is awaited for some time only"));
            }
            if get(interp, word, 0)? as u32 != value {
                set_errno(interp, AGAIN)?;
                return Ok(Value::i64(-1));
            }
            interp.go_parallel()?;
            *interp.progress() = Some(Progress::Futex);
            Err(interp.wait(Awaited::Object(word.addr), "a word of memory to change", None))
        }
        WAKE => {
            let waiting = interp.threads.waiting(Awaited::Object(word.addr));
            let woken: Vec<usize> = waiting.into_iter().take(value as usize).collect();
            for thread in &woken {
                interp.threads.set_state(*thread, State::Ready);
            }
            interp.threads.synchronised();
            Ok(Value::i64(woken.len() as i64))
        }
        _ => Err(Fault::unsupported(format!("the operation {operation} of a futex"))),
    }
}
