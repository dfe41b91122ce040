//! Threads of POSIX, of C and of C++: the augmented forward and the reverse of making one, and of awaiting it.
//!
//! Both passes make a thread of their own (`pthread_create`). That of the forward pass has a record, whose address
//! stands for the thread in the differentiated program:
//!
//! ```text
//! record: { thread, whether it was awaited, what it returned, the shadow of that, a mark, what reverses it, … }
//! ```
//!
//! | | forward pass | reverse pass |
//! |---|---|---|
//! | spawn | makes a thread, which executes the augmented function | waits until that of the reverse pass has ended |
//! | await | waits until it has ended | makes a thread, which executes the reverse of the function |
//!
//! So in the reverse pass, too, the thread runs beside whoever made it. One that nobody has awaited by the time that
//! its making is reversed is awaited there, and reversed at once.

use crate::base::builder::Builder;
use crate::emit::atomic_add::running;
use crate::emit::threads::{self, RESULT};
use crate::error::Diagnostic;
use crate::reverse::Env;
use crate::reverse::beside::{self, Beside, SHADOW};
use ir::{ConstKind, FuncId, Function, InstKind, IntPred, Module, Ordering, RmwOp};

/// Where things lie in a record, beside what [`emit::threads`](crate::emit::threads) and [`beside`] put there.
const AWAITED: u64 = 8;
const REVERSE: u64 = 40;

/// Emits the bodies of the split derivative of a function that makes a thread.
pub(crate) fn split_spawn(m: &mut Module, env: &Env, id: FuncId) -> Result<(), Diagnostic> {
    let source = &env.sources[&id];
    let mut thread = Beside::of(m, env, id, "thread")?;
    let reversed = thread.reverse_each();
    let executed = thread.forward_each(source);
    spawn(&mut thread, source, (executed, reversed));
    reverse_spawn(&mut thread, reversed);
    Ok(())
}

/// The augmented forward: a record, and a thread.
fn spawn(thread: &mut Beside, source: &Function, (executed, reversed): (FuncId, Option<FuncId>)) {
    let (own, has_run) = (thread.own.clone(), thread.has_run);
    let f = thread.m.functions[own.forward].clone();
    let mut b = Builder::new(thread.m, f);
    let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
    let (null, zero) = (b.m.zero(ptr), b.m.zero(i64t));
    let record = beside::record(&mut b, source, &own, has_run);
    let (executed, reverse) = (b.m.function_address(executed), reversed.map_or(null, |f| b.m.function_address(f)));
    for (value, at) in [(zero, AWAITED), (zero, RESULT), (zero, SHADOW), (reverse, REVERSE)] {
        let at = b.offset(record, at);
        b.store(value, at, 8);
    }
    threads::mark(&mut b, record);
    threads::create(&mut b, record, executed);
    let ret = b.f.ret;
    let mut result = b.m.constant(ret, ConstKind::Poison);
    let number = threads::as_thread(&mut b, record, source.ret);
    result = b.insert(result, number, 0);
    if own.returns_shadow {
        result = b.insert(result, number, 1);
    }
    result = b.insert(result, record, 1 + u32::from(own.returns_shadow));
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    thread.m.functions[own.forward] = f;
}

/// The reverse of making it: waits until it has been reversed.
fn reverse_spawn(thread: &mut Beside, reversed: Option<FuncId>) {
    let i64t = thread.m.types.int(64);
    let id = thread.own.reverse;
    let f = thread.m.functions[id].clone();
    let mut b = Builder::new(thread.m, f);
    let (record, zero) = (b.f.param(0), b.m.zero(i64t));
    let at = b.offset(record, AWAITED);
    let awaited = b.load(i64t, at, 8);
    let known = b.icmp(IntPred::Ne, awaited, zero);
    let [begun, alone, done] = ["reversed", "alone", "done"].map(|name| b.f.add_block(name));
    b.cond_br(known, begun, alone);
    b.at = begun;
    if reversed.is_some() {
        threads::join(&mut b, record);
        count(&mut b, RmwOp::Sub);
    }
    b.br(done);
    b.at = alone;
    threads::join(&mut b, record);
    if let Some(reversed) = reversed {
        b.call(reversed, vec![record]);
    }
    b.br(done);
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    thread.m.functions[id] = f;
}

/// Emits the bodies of the split derivative of a function that awaits a thread.
pub(crate) fn split_await(m: &mut Module, env: &Env, id: FuncId) {
    let own = env.derived[&id].clone();
    let source = &env.sources[&id];
    let ptr = m.types.ptr();
    let f = m.functions[own.forward].clone();
    let mut b = Builder::new(m, f);
    let thread = b.f.param(0);
    let record = threads::record_of(&mut b, thread);
    threads::join(&mut b, record);
    let (at, one) = (b.offset(record, AWAITED), b.m.int(64, 1));
    b.store(one, at, 8);
    let ret = b.f.ret;
    let mut result = b.m.constant(ret, ConstKind::Poison);
    let places = if own.returns_shadow { &[RESULT, SHADOW][..] } else { &[RESULT] };
    for (n, place) in places.iter().enumerate() {
        let at = b.offset(record, *place);
        let value = b.load(source.ret, at, 8);
        result = b.insert(result, value, n as u32);
    }
    result = b.insert(result, record, places.len() as u32);
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    m.functions[own.forward] = f;
    let f = m.functions[own.reverse].clone();
    let mut b = Builder::new(m, f);
    let record = b.f.param(0);
    let (at, null) = (b.offset(record, REVERSE), b.m.zero(ptr));
    let each = b.load(ptr, at, 8);
    let idle = b.icmp(IntPred::Eq, each, null);
    let [made, done] = ["made", "done"].map(|name| b.f.add_block(name));
    b.cond_br(idle, done, made);
    b.at = made;
    count(&mut b, RmwOp::Add);
    if env.has_run {
        beside::keep_run(&mut b, record);
    }
    threads::create(&mut b, record, each);
    b.br(done);
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions[own.reverse] = f;
}

/// Counts the threads of reverse passes that are there.
fn count(b: &mut Builder, op: RmwOp) {
    let (running, one, i64t) = (running(b.m), b.m.int(64, 1), b.m.types.int(64));
    let (volatile, ordering, scope) = (false, Ordering::Monotonic, String::new());
    b.value(InstKind::AtomicRmw { op, ptr: running, value: one, align: 8, volatile, ordering, scope }, i64t);
}
