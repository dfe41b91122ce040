//! Tasks of OpenMP that execute what derivatives give them.
//!
//! Each has a record, which whoever makes it keeps:
//!
//! ```text
//! record: { record made before, flags, number of dependences, dependences, what reverses it, was it awaited, … }
//! ```
//!
//! Its block, which belongs to the runtime, holds what it executes, `ptr f(ptr record)`, and the record. Each thread
//! knows the record that the running task has made last, of those that it has not yet awaited ([`list`]); a task is
//! tied to its thread (OpenMP 5.2, 12.5), which puts that back when it goes on with another one.

use crate::base::builder::{Builder, plain_call};
use crate::base::names::{declare, internal};
use crate::program::openmp::{TASK, TASK_ALLOC, TASK_WITH_DEPS, TASKWAIT, THREAD};
use crate::runtime::refuse::message;
use crate::runtime::tape::refuse_if;
use ir::{Atomic, BinOp, CastOp, FuncId, Global, InstKind, IntPred, Module, Operand, Ordering, TypeId};

/// Where things lie in a record.
pub(crate) const BEFORE: u64 = 0;
pub(crate) const FLAGS: u64 = 8;
pub(crate) const COUNT: u64 = 16;
pub(crate) const DEPENDENCES: u64 = 24;
pub(crate) const REVERSE: u64 = 32;
pub(crate) const AWAITED: u64 = 40;

const LEFT: &str = "a task of a differentiated function is reversed whose end nobody has awaited\n";

/// Size of a dependence (`kmp_depend_info`: an address, a length, flags), and where its flags are.
pub(crate) const DEPENDENCE: u64 = 24;
const HOW: u64 = 16;
/// In these flags: `in`, `inout`, and all memory there is.
const IN: u128 = 1;
const INOUT: u128 = 3;
const ALL_MEMORY: u128 = 0x80;

/// Size of the runtime's own part of a block (`kmp_task_t`), and where ours has what.
const EXECUTED: u64 = 40;
const RECORD: u64 = 48;
const BLOCK: u128 = 56;
/// In the flags of a task (`kmp_tasking_flags_t`): it is tied, and it is final.
const TIED: u128 = 1;
const FINAL: u128 = 2;

/// The record that the running task has made last, of those that it has not yet awaited: a variable of each thread.
fn list(m: &mut Module) -> Operand {
    const NAME: &str = "__adj_tasks";
    let ptr = m.types.ptr();
    let null = m.zero(ptr).constant();
    let variable = m.global(NAME).unwrap_or_else(|| {
        let mut global = Global::new(NAME, ptr, null);
        global.flags.linkage = "internal".to_owned();
        global.thread_local = "thread_local".to_owned();
        global.align = 8;
        m.globals.push(global)
    });
    m.global_address(variable)
}

/// Reads the list. As nothing orders the tasks that a thread executes, race detectors want to know that it does so in
/// one piece.
fn load_list(b: &mut Builder) -> Operand {
    let (list, ptr) = (list(b.m), b.m.types.ptr());
    let atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
    b.value(InstKind::Load { ptr: list, align: 8, volatile: false, atomic }, ptr)
}

/// Writes it.
fn store_list(b: &mut Builder, record: Operand) {
    let list = list(b.m);
    let atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
    b.effect(InstKind::Store { value: record, ptr: list, align: 8, volatile: false, atomic });
}

fn finish(b: Builder, value: Option<Operand>) -> FuncId {
    let mut b = b;
    b.effect(InstKind::Ret(value));
    let (f, m) = (b.f, b.m);
    m.functions.push(f)
}

/// `ptr f(ptr)`
fn executed_type(m: &mut Module) -> TypeId {
    let ptr = m.types.ptr();
    m.types.func(ptr, vec![ptr])
}

/// The number of the thread, as the runtime counts.
fn thread(b: &mut Builder) -> Operand {
    let (ptr, i32t) = (b.m.types.ptr(), b.m.types.int(32));
    let (null, zero) = (b.m.zero(ptr), b.m.zero(i32t));
    let thread = declare(b.m, THREAD, i32t, &[ptr]);
    b.call(thread, vec![null]).unwrap_or(zero)
}

/// `i32 @__adj_task_entry(i32 thread, ptr block)`: what the runtime calls.
fn entry(m: &mut Module) -> FuncId {
    let (ptr, i32t) = (m.types.ptr(), m.types.int(32));
    let f = match internal(m, "__adj_task_entry", i32t, &[i32t, ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let fn_ty = executed_type(m);
    let mut b = Builder::new(m, f);
    let (block, null, zero) = (b.f.param(1), b.m.zero(ptr), b.m.zero(i32t));
    let [executed, record] = [EXECUTED, RECORD].map(|at| {
        let at = b.offset(block, at);
        b.load(ptr, at, 8)
    });
    let of_another = load_list(&mut b);
    store_list(&mut b, null);
    b.value(InstKind::Call(Box::new(plain_call(executed, fn_ty, vec![record], String::new()))), ptr);
    store_list(&mut b, of_another);
    finish(b, Some(zero))
}

/// `void @__adj_task_make(ptr record, ptr executed)`: hands a task over, as its record says.
pub(crate) fn make(m: &mut Module) -> FuncId {
    let (ptr, i32t, i64t, void) = (m.types.ptr(), m.types.int(32), m.types.int(64), m.types.void());
    let mut f = match internal(m, "__adj_task_make", void, &[ptr, ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    f.attrs = f.attrs.flag("noinline");
    let entry = entry(m);
    let alloc = declare(m, TASK_ALLOC, ptr, &[ptr, i32t, i32t, i64t, i64t, ptr]);
    let plain = declare(m, TASK, i32t, &[ptr, i32t, ptr]);
    let with_deps = declare(m, TASK_WITH_DEPS, i32t, &[ptr, i32t, ptr, i32t, ptr, i32t, ptr]);
    let entry = m.function_address(entry);
    let mut b = Builder::new(m, f);
    let (record, executed) = (b.f.param(0), b.f.param(1));
    let (null, zero, nothing) = (b.m.zero(ptr), b.m.zero(i32t), b.m.zero(i64t));
    let thread = thread(&mut b);
    let at = b.offset(record, FLAGS);
    let flags = b.load(i64t, at, 8);
    let flags = b.cast(CastOp::Trunc, flags, i32t);
    let (is_final, tied) = (b.m.int(32, FINAL), b.m.int(32, TIED));
    let flags = b.binary(BinOp::And, flags, is_final);
    let flags = b.binary(BinOp::Or, flags, tied);
    let size = b.m.int(64, BLOCK);
    let block = b.call(alloc, vec![null, thread, flags, size, nothing, entry]).unwrap_or(null);
    for (value, at) in [(executed, EXECUTED), (record, RECORD)] {
        let at = b.offset(block, at);
        b.store(value, at, 8);
    }
    let [count, dependences] = [(i64t, COUNT), (ptr, DEPENDENCES)].map(|(ty, at)| {
        let at = b.offset(record, at);
        b.load(ty, at, 8)
    });
    let free = b.icmp(IntPred::Eq, count, nothing);
    let [alone, depends, done] = ["alone", "depends", "done"].map(|name| b.f.add_block(name));
    b.cond_br(free, alone, depends);
    b.at = alone;
    b.call(plain, vec![null, thread, block]);
    b.br(done);
    b.at = depends;
    let count = b.cast(CastOp::Trunc, count, i32t);
    b.call(with_deps, vec![null, thread, block, count, dependences, zero, null]);
    b.br(done);
    b.at = done;
    finish(b, None)
}

/// `void @__adj_task_hand_over(ptr record, ptr executed)`: the same, in the forward pass: notes the record.
pub(crate) fn hand_over(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, "__adj_task_hand_over", void, &[ptr, ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let make = make(m);
    let mut b = Builder::new(m, f);
    let (record, executed) = (b.f.param(0), b.f.param(1));
    let (before, at) = (load_list(&mut b), b.offset(record, BEFORE));
    b.store(before, at, 8);
    store_list(&mut b, record);
    b.call(make, vec![record, executed]);
    finish(b, None)
}

/// `void @__adj_tasks_wait()`: waits until the tasks have ended that the running one has made.
pub(crate) fn wait(m: &mut Module) -> FuncId {
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let f = match internal(m, "__adj_tasks_wait", void, &[]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let wait = declare(m, TASKWAIT, i32t, &[ptr, i32t]);
    let mut b = Builder::new(m, f);
    let (null, thread) = (b.m.zero(ptr), thread(&mut b));
    b.call(wait, vec![null, thread]);
    finish(b, None)
}

/// `void @__adj_task_reversed(ptr record)`: waits until a task has been reversed; ends the program if it has not been
/// handed over for that.
pub(crate) fn reversed(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_task_reversed", void, &[ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let (wait, refuse, text) = (wait(m), refuse_if(m), message(m, LEFT));
    let mut b = Builder::new(m, f);
    let (record, zero, length) = (b.f.param(0), b.m.zero(i64t), b.m.int(64, LEFT.len() as u128));
    let at = b.offset(record, AWAITED);
    let awaited = b.load(i64t, at, 8);
    let left = b.icmp(IntPred::Eq, awaited, zero);
    b.call(refuse, vec![left, text, length]);
    b.call(wait, Vec::new());
    finish(b, None)
}

/// `ptr @__adj_tasks_await()`: the same in the forward pass, if there are any; gives the record of the last one.
pub(crate) fn awaited(m: &mut Module) -> FuncId {
    let ptr = m.types.ptr();
    let f = match internal(m, "__adj_tasks_await", ptr, &[]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let wait = wait(m);
    let mut b = Builder::new(m, f);
    let null = b.m.zero(ptr);
    let last = load_list(&mut b);
    let none = b.icmp(IntPred::Eq, last, null);
    let [some, done] = ["some", "done"].map(|name| b.f.add_block(name));
    b.cond_br(none, done, some);
    b.at = some;
    store_list(&mut b, null);
    b.call(wait, Vec::new());
    b.br(done);
    b.at = done;
    finish(b, Some(last))
}

/// `void @__adj_tasks_reverse(ptr record)`: hands over what reverses these tasks, the last first.
pub(crate) fn reverse(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, "__adj_tasks_reverse", void, &[ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let make = make(m);
    let mut b = Builder::new(m, f);
    let (last, null) = (b.f.param(0), b.m.zero(ptr));
    let [head, some, made, next, done] = ["head", "some", "made", "next", "done"].map(|name| b.f.add_block(name));
    let start = b.at;
    b.br(head);
    b.at = head;
    let phi = b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(last, start)] }, ptr);
    let record = b.result(phi);
    let none = b.icmp(IntPred::Eq, record, null);
    b.cond_br(none, done, some);
    b.at = some;
    let (at, yes) = (b.offset(record, AWAITED), b.m.int(64, 1));
    b.store(yes, at, 8);
    let [before, reverse] = [BEFORE, REVERSE].map(|at| {
        let at = b.offset(record, at);
        b.load(ptr, at, 8)
    });
    let idle = b.icmp(IntPred::Eq, reverse, null);
    b.cond_br(idle, next, made);
    b.at = made;
    b.call(make, vec![record, reverse]);
    b.br(next);
    b.at = next;
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
        incoming.push((before, next));
    }
    b.br(head);
    b.at = done;
    finish(b, None)
}

/// `void @__adj_task_dependences(ptr to, ptr from, i64 count)`: copies dependences, those that only exclude others
/// (`mutexinoutset`, `inoutset`) as ones in the order of the program, which the reverse pass can turn round.
pub(crate) fn copy_dependences(m: &mut Module) -> FuncId {
    let (ptr, i8t, i64t, void) = (m.types.ptr(), m.types.int(8), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_task_dependences", void, &[ptr, ptr, i64t]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    let [to, from, count] = [0, 1, 2].map(|i| b.f.param(i));
    let (zero, one, size) = (b.m.zero(i64t), b.m.int(64, 1), b.m.int(64, u128::from(DEPENDENCE)));
    let [head, each, done] = ["head", "each", "done"].map(|name| b.f.add_block(name));
    let start = b.at;
    b.br(head);
    b.at = head;
    let phi = b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(zero, start)] }, i64t);
    let index = b.result(phi);
    let more = b.icmp(IntPred::Ult, index, count);
    b.cond_br(more, each, done);
    b.at = each;
    let offset = b.binary(BinOp::Mul, index, size);
    let [to, from] = [to, from].map(|list| b.offset_by(list, offset));
    for at in [0, 8] {
        let [to, from] = [to, from].map(|entry| b.offset(entry, at));
        let word = b.load(i64t, from, 8);
        b.store(word, to, 8);
    }
    let [to, from] = [to, from].map(|entry| b.offset(entry, HOW));
    let flags = b.load(i8t, from, 1);
    let [reads, both, all, none] = [IN, INOUT, ALL_MEMORY, 0].map(|flags| b.m.int(8, flags));
    let only_reads = b.icmp(IntPred::Eq, flags, reads);
    let of_all = b.binary(BinOp::And, flags, all);
    let of_all = b.icmp(IntPred::Ne, of_all, none);
    let kept = b.binary(BinOp::Or, only_reads, of_all);
    let flags = b.select(kept, flags, both);
    b.store(flags, to, 1);
    let next = b.binary(BinOp::Add, index, one);
    let back = b.at;
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
        incoming.push((next, back));
    }
    b.br(head);
    b.at = done;
    finish(b, None)
}
