//! Tasks of OpenMP: the augmented forward and the reverse of handing one over, and of awaiting them.
//!
//! | | forward pass | reverse pass |
//! |---|---|---|
//! | hand over | makes a task, which executes the augmented function | waits for the tasks of the reverse pass |
//! | await | waits for the tasks, and keeps their records | makes tasks that reverse them, the last first |
//!
//! So the reverse of a task begins when all is reversed that comes after its end, and has ended before anything is
//! reversed that comes before its beginning. Those that depend on each other (`depend`) are made with the same
//! dependences in the opposite order. A task has a record ([`crate::emit::tasks`]) and a tape of its own.

use crate::base::builder::Builder;
use crate::emit::tasks::{self, AWAITED, COUNT, DEPENDENCE, DEPENDENCES, FLAGS, REVERSE};
use crate::error::Diagnostic;
use crate::normalise::tasks::{GIVEN_COUNT, GIVEN_DEPENDENCES, GIVEN_FLAGS};
use crate::reverse::Env;
use crate::reverse::beside::{self, Beside};
use crate::runtime::tape;
use ir::{BinOp, CastOp, ConstKind, FuncId, Function, InstKind, Module, Operand};

/// Emits the bodies of the split derivative of a function that hands a task over.
pub(crate) fn split_hand_over(m: &mut Module, env: &Env, id: FuncId) -> Result<(), Diagnostic> {
    let source = &env.sources[&id];
    let mut task = Beside::of(m, env, id, "task")?;
    let reversed = task.reverse_each();
    let executed = task.forward_each(source);
    hand_over(&mut task, source, (executed, reversed));
    let id = task.own.reverse;
    let wait = tasks::reversed(task.m);
    let f = task.m.functions[id].clone();
    let mut b = Builder::new(task.m, f);
    let record = b.f.param(0);
    b.call(wait, vec![record]);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    task.m.functions[id] = f;
    Ok(())
}

/// The augmented forward: a record, and a task.
fn hand_over(task: &mut Beside, source: &Function, (executed, reversed): (FuncId, Option<FuncId>)) {
    let (own, has_run) = (task.own.clone(), task.has_run);
    let f = task.m.functions[own.forward].clone();
    let hand_over = tasks::hand_over(task.m);
    let mut b = Builder::new(task.m, f);
    let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
    let record = beside::record(&mut b, source, &own, has_run);
    let [flags, count] = [GIVEN_FLAGS, GIVEN_COUNT].map(|i| {
        let given = b.f.param(i);
        b.cast(CastOp::ZExt, given, i64t)
    });
    let tape = b.f.param(source.params.len() + own.shadows.len());
    let dependences = copied(&mut b, tape, count);
    let (executed, null) = (b.m.function_address(executed), b.m.zero(ptr));
    let reverse = reversed.map_or(null, |f| b.m.function_address(f));
    let none = b.m.zero(i64t);
    let words = [(flags, FLAGS), (count, COUNT), (dependences, DEPENDENCES), (reverse, REVERSE), (none, AWAITED)];
    for (value, at) in words {
        let at = b.offset(record, at);
        b.store(value, at, 8);
    }
    b.call(hand_over, vec![record, executed]);
    let ret = b.f.ret;
    let result = b.m.constant(ret, ConstKind::Poison);
    let result = b.insert(result, record, 0);
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    task.m.functions[own.forward] = f;
}

/// A copy of the dependences, which the reverse pass needs, too.
fn copied(b: &mut Builder, tape: Operand, count: Operand) -> Operand {
    let ptr = b.m.types.ptr();
    let (null, size) = (b.m.zero(ptr), b.m.int(64, u128::from(DEPENDENCE)));
    let (alloc, copy) = (tape::tape_alloc(b.m), tasks::copy_dependences(b.m));
    let bytes = b.binary(BinOp::Mul, count, size);
    let to = b.call(alloc, vec![tape, bytes]).unwrap_or(null);
    let from = b.f.param(GIVEN_DEPENDENCES);
    b.call(copy, vec![to, from, count]);
    to
}

/// Emits the bodies of the split derivative of a function that awaits tasks.
pub(crate) fn split_await(m: &mut Module, env: &Env, id: FuncId) {
    let own = env.derived[&id].clone();
    let (awaited, reverse) = (tasks::awaited(m), tasks::reverse(m));
    let f = m.functions[own.forward].clone();
    let mut b = Builder::new(m, f);
    let (ptr, ret) = (b.m.types.ptr(), b.f.ret);
    let (null, result) = (b.m.zero(ptr), b.m.constant(ret, ConstKind::Poison));
    let last = b.call(awaited, Vec::new()).unwrap_or(null);
    let result = b.insert(result, last, 0);
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    m.functions[own.forward] = f;
    let f = m.functions[own.reverse].clone();
    let mut b = Builder::new(m, f);
    let last = b.f.param(0);
    b.call(reverse, vec![last]);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions[own.reverse] = f;
}
