//! Threads that execute what derivatives give them.
//!
//! Each has a record, whose address stands for the thread in the differentiated program:
//!
//! ```text
//! record: { thread, a word, what it returned, a word, a mark, … }
//! ```

use crate::base::builder::Builder;
use crate::base::names::declare;
use crate::runtime::refuse::message;
use crate::runtime::tape;
use ir::{CastOp, IntPred, Operand, TypeId};

/// Where things lie in a record.
pub(crate) const THREAD: u64 = 0;
pub(crate) const RESULT: u64 = 16;
pub(crate) const MARK: u64 = 32;

/// What a record holds at [`MARK`].
const MARKED: u128 = 0x6164_6a5f_7468_7264;

const NONE: &str = "a thread of a differentiated function could not be made\n";
const FOREIGN: &str = "a thread is awaited in a differentiated function that was made elsewhere\n";

/// Makes a thread that executes `ptr executed(ptr record)` on the record.
pub(crate) fn create(b: &mut Builder, record: Operand, executed: Operand) {
    let (ptr, i32t) = (b.m.types.ptr(), b.m.types.int(32));
    let create = declare(b.m, "pthread_create", i32t, &[ptr, ptr, ptr, ptr]);
    let (null, zero) = (b.m.zero(ptr), b.m.zero(i32t));
    let at = b.offset(record, THREAD);
    if let Some(failed) = b.call(create, vec![at, null, executed, record]) {
        let failed = b.icmp(IntPred::Ne, failed, zero);
        refuse_if(b, failed, NONE);
    }
}

/// Waits until the thread of the record has ended.
pub(crate) fn join(b: &mut Builder, record: Operand) {
    let (ptr, i32t, i64t) = (b.m.types.ptr(), b.m.types.int(32), b.m.types.int(64));
    let join = declare(b.m, "pthread_join", i32t, &[i64t, ptr]);
    let (at, null) = (b.offset(record, THREAD), b.m.zero(ptr));
    let thread = b.load(i64t, at, 8);
    b.call(join, vec![thread, null]);
}

/// Marks a record as one of a thread.
pub(crate) fn mark(b: &mut Builder, record: Operand) {
    let (at, mark) = (b.offset(record, MARK), b.m.int(64, MARKED));
    b.store(mark, at, 8);
}

/// The record of a thread, by what stands for it; ends the program where that is another thread.
pub(crate) fn record_of(b: &mut Builder, thread: Operand) -> Operand {
    let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
    let record = b.cast(CastOp::IntToPtr, thread, ptr);
    let (at, mark) = (b.offset(record, MARK), b.m.int(64, MARKED));
    let found = b.load(i64t, at, 8);
    let foreign = b.icmp(IntPred::Ne, found, mark);
    refuse_if(b, foreign, FOREIGN);
    record
}

/// A record as what stands for its thread in the program.
pub(crate) fn as_thread(b: &mut Builder, record: Operand, ty: TypeId) -> Operand {
    if b.m.types.is_ptr(ty) { record } else { b.cast(CastOp::PtrToInt, record, ty) }
}

fn refuse_if(b: &mut Builder, cond: Operand, text: &str) {
    let (refuse, length) = (tape::refuse_if(b.m), b.m.int(64, text.len() as u128));
    let text = message(b.m, text);
    b.call(refuse, vec![cond, text, length]);
}
