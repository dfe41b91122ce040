//! The functions that stand for making tasks, and for awaiting them, where tasks are executed beside each other.

use crate::base::builder::{Builder, plain_call};
use crate::base::names::{declare, internal, memcpy_intrinsic};
use crate::normalise::locks::saying;
use crate::program::openmp::{AWAITS_TASKS, HANDS_OVER, LEAVING};
use ir::{Attr, AttrValue, BinOp, CastOp, FuncId, Function, InstKind, IntPred, MdId, Module, Operand, TypeId};

/// What is known of a task where it is handed over.
#[derive(Clone, Copy)]
pub struct Task {
    /// `i32 (i32 thread, ptr task)`: executes it.
    pub entry: Operand,
    /// The flags that it has been made with (`kmp_tasking_flags_t`).
    pub flags: Operand,
    /// The same as what executes it: calls the destructors of what it holds.
    pub destructors: Option<Operand>,
    /// It makes tasks.
    pub makes: bool,
    /// The sizes of its block, and of what it shares, which lies behind that.
    pub sizes: [u64; 2],
}

/// So far into its memory a block begins: what clang puts behind the runtime's part of it ([`BOUNDS`]) is aligned to 16
/// bytes, as an array may be.
pub const BEFORE: u64 = 8;

/// What [`hand_over`] is given: flags, and how many dependences where.
pub const GIVEN_FLAGS: usize = 2;
pub const GIVEN_COUNT: usize = 3;
pub const GIVEN_DEPENDENCES: usize = 4;

/// Where the task of a loop has its bounds, and whether it executes the last iteration (`kmp_task_t`, and what clang
/// puts there).
const BOUNDS: [u64; 2] = [40, 48];
const LAST: u64 = 64;
/// How many tasks a loop is given to for each thread, where the program does not say (LLVM's runtime,
/// `kmp_tasking.cpp`).
const TASKS_OF_THREAD: u128 = 10;
/// How the program says how many iterations a task has (`sched` of `__kmpc_taskloop`).
const GRAIN: u128 = 1;
/// How it says how many tasks there are.
const COUNT: u128 = 2;

/// A function of the module alone that is kept as it is.
fn begin(m: &mut Module, name: &str, params: &[TypeId], mark: Option<&str>) -> Result<Function, FuncId> {
    let void = m.types.void();
    let mut f = internal(m, name, void, params)?;
    f.attrs = f.attrs.flag("noinline");
    f.attrs.0.extend(mark.map(|mark| Attr { name: mark.to_owned(), value: AttrValue::Str(None) }));
    Ok(f)
}

fn finish(b: Builder) -> FuncId {
    let mut b = b;
    b.effect(InstKind::Ret(None));
    let (f, m) = (b.f, b.m);
    m.functions.push(f)
}

/// Behind it, there may be what any task has written.
fn seen(b: &mut Builder) {
    let (leaving, ptr) = (saying(b.m, LEAVING), b.m.types.ptr());
    let null = b.m.zero(ptr);
    b.call(leaving, vec![null]);
}

/// `void await()`: awaits the tasks that the one which calls it has made.
pub fn awaits(m: &mut Module) -> FuncId {
    let f = match begin(m, "__adj_await_tasks", &[], Some(AWAITS_TASKS)) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    seen(&mut b);
    finish(b)
}

/// `void hand_over(i32 thread, ptr task, i32 flags, i32 count, ptr dependences)`: hands a task over. For the analyses
/// it executes the task: that is one of the orders in which the two can be executed.
pub fn hand_over(m: &mut Module, name: &str, task: Task, loc: Option<MdId>) -> FuncId {
    let (ptr, i32t) = (m.types.ptr(), m.types.int(32));
    let params = [i32t, ptr, i32t, i32t, ptr];
    let f = match begin(m, name, &params, Some(HANDS_OVER)) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let body = executes(m, &format!("{name}_body"), task, &params, loc);
    let mut b = Builder::new(m, f);
    b.loc = loc;
    let args = (0..params.len()).map(|i| b.f.param(i)).collect();
    b.call(body, args);
    seen(&mut b);
    finish(b)
}

/// What executes a task, and gives its block back.
fn executes(m: &mut Module, name: &str, task: Task, params: &[TypeId], loc: Option<MdId>) -> FuncId {
    let f = match begin(m, name, params, None) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let fn_ty = m.types.func(i32t, vec![i32t, ptr]);
    let free = declare(m, "free", void, &[ptr]);
    let wait = awaits(m);
    let mut b = Builder::new(m, f);
    b.loc = loc;
    let (thread, block) = (b.f.param(0), b.f.param(1));
    let call = |b: &mut Builder, callee: Operand| {
        b.value(InstKind::Call(Box::new(plain_call(callee, fn_ty, vec![thread, block], String::new()))), i32t);
    };
    call(&mut b, task.entry);
    if task.makes {
        b.call(wait, Vec::new());
    }
    if let Some(destructors) = task.destructors {
        call(&mut b, destructors);
    }
    let memory = b.offset(block, BEFORE.wrapping_neg());
    b.call(free, vec![memory]);
    finish(b)
}

/// What a loop of tasks is given, in this order: the thread, the task that all are copies of, where the first and the
/// last iteration are, the step, how the number of tasks is said, what is said, and the flags of a task.
pub fn parameters_of_loop(m: &mut Module) -> Vec<TypeId> {
    let (ptr, i32t, i64t) = (m.types.ptr(), m.types.int(32), m.types.int(64));
    vec![i32t, ptr, ptr, ptr, i64t, i32t, i64t, i32t]
}

/// `void loop(…)`: hands over the tasks of a loop, each of which has some of its iterations (OpenMP 5.2, 12.6).
pub fn hand_over_loop(
    m: &mut Module,
    name: &str,
    (task, copies): (Task, Option<Operand>),
    loc: Option<MdId>,
) -> FuncId {
    let params = parameters_of_loop(m);
    let f = match begin(m, name, &params, None) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let each = hand_over(m, &format!("{name}_task"), task, loc);
    let (ptr, i32t, i64t, void) = (m.types.ptr(), m.types.int(32), m.types.int(64), m.types.void());
    let malloc = declare(m, "malloc", ptr, &[i64t]);
    let free = declare(m, "free", void, &[ptr]);
    let memcpy = memcpy_intrinsic(m);
    let mut b = Builder::new(m, f);
    b.loc = loc;
    let [thread, pattern, lower, upper, step, said, number, flags] = std::array::from_fn(|i| b.f.param(i));
    let (zero, one, null) = (b.m.zero(i64t), b.m.int(64, 1), b.m.zero(ptr));
    let (first, last) = (b.load(i64t, lower, 8), b.load(i64t, upper, 8));
    let trips = trips(&mut b, (first, last), step);
    let parts = parts(&mut b, trips, (said, number));
    // None, if there is no iteration: then nothing is shared out.
    let none = b.icmp(IntPred::Eq, parts, zero);
    let shares = b.select(none, one, parts);
    let [share, rest] = [BinOp::UDiv, BinOp::URem].map(|op| b.binary(op, trips, shares));
    let [head, made, done] = ["head", "made", "done"].map(|name| b.f.add_block(name));
    let entry = b.at;
    b.br(head);
    b.at = head;
    let phi = |start| InstKind::Phi { fast: Default::default(), incoming: vec![(start, entry)] };
    let [part_phi, from_phi] = [zero, first].map(|start| b.push(phi(start), i64t));
    let [part, from] = [part_phi, from_phi].map(|phi| b.result(phi));
    let more = b.icmp(IntPred::Ult, part, parts);
    b.cond_br(more, made, done);
    b.at = made;
    // The first ones have one iteration more than the others.
    let longer = b.icmp(IntPred::Ult, part, rest);
    let longer = b.cast(CastOp::ZExt, longer, i64t);
    let count = b.binary(BinOp::Add, share, longer);
    let distance = b.binary(BinOp::Mul, count, step);
    let next = b.binary(BinOp::Add, from, distance);
    let to = b.binary(BinOp::Sub, next, step);
    let part_after = b.binary(BinOp::Add, part, one);
    let whole = b.m.int(64, u128::from(BEFORE + task.sizes[0] + task.sizes[1]));
    let memory = b.call(malloc, vec![whole]).unwrap_or(null);
    let (block, size) = (b.offset(memory, BEFORE), b.m.int(64, u128::from(task.sizes[0] + task.sizes[1])));
    let plain = b.m.int(1, 0);
    b.call(memcpy, vec![block, pattern, size, plain]);
    if task.sizes[1] > 0 {
        let shared = b.offset(block, task.sizes[0]);
        b.store(shared, block, 8);
    }
    for (bound, at) in [from, to].into_iter().zip(BOUNDS) {
        let at = b.offset(block, at);
        b.store(bound, at, 8);
    }
    let is_last = b.icmp(IntPred::Eq, part_after, parts);
    let is_last = b.cast(CastOp::ZExt, is_last, i32t);
    let at = b.offset(block, LAST);
    b.store(is_last, at, 4);
    if let Some(copies) = copies {
        let fn_ty = b.m.types.func(void, vec![ptr, ptr, i32t]);
        let args = vec![block, pattern, is_last];
        b.effect(InstKind::Call(Box::new(plain_call(copies, fn_ty, args, String::new()))));
    }
    let none = b.m.zero(i32t);
    b.call(each, vec![thread, block, flags, none, null]);
    let back = b.at;
    for (phi, value) in [(part_phi, part_after), (from_phi, next)] {
        if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
            incoming.push((value, back));
        }
    }
    b.br(head);
    b.at = done;
    if let Some(destructors) = task.destructors {
        let fn_ty = b.m.types.func(i32t, vec![i32t, ptr]);
        let args = vec![thread, pattern];
        b.value(InstKind::Call(Box::new(plain_call(destructors, fn_ty, args, String::new()))), i32t);
    }
    let memory = b.offset(pattern, BEFORE.wrapping_neg());
    b.call(free, vec![memory]);
    finish(b)
}

/// How many iterations a loop has.
fn trips(b: &mut Builder, (first, last): (Operand, Operand), step: Operand) -> Operand {
    let i64t = b.m.types.int(64);
    let (zero, one) = (b.m.zero(i64t), b.m.int(64, 1));
    let up = b.icmp(IntPred::Sgt, step, zero);
    let [ahead, behind] = [(last, first), (first, last)].map(|(to, from)| b.binary(BinOp::Sub, to, from));
    let span = b.select(up, ahead, behind);
    let negated = b.binary(BinOp::Sub, zero, step);
    let by = b.select(up, step, negated);
    let steps = b.binary(BinOp::UDiv, span, by);
    b.binary(BinOp::Add, steps, one)
}

/// How many tasks a loop of so many iterations is given to.
fn parts(b: &mut Builder, trips: Operand, (said, number): (Operand, Operand)) -> Operand {
    let (i32t, i64t) = (b.m.types.int(32), b.m.types.int(64));
    let threads = declare(b.m, "omp_get_num_threads", i32t, &[]);
    let (one, of_thread) = (b.m.int(64, 1), b.m.int(64, TASKS_OF_THREAD));
    let threads = b.call(threads, Vec::new()).map_or(one, |threads| b.cast(CastOp::ZExt, threads, i64t));
    let usual = b.binary(BinOp::Mul, threads, of_thread);
    let [grain, count] = [GRAIN, COUNT].map(|how| {
        let how = b.m.int(32, how);
        b.icmp(IntPred::Eq, said, how)
    });
    // It is not zero where it is said.
    let least = b.select(grain, number, one);
    let grains = b.binary(BinOp::UDiv, trips, least);
    let wanted = b.select(count, number, usual);
    let wanted = b.select(grain, grains, wanted);
    let none = b.icmp(IntPred::Ult, wanted, one);
    let wanted = b.select(none, one, wanted);
    let fewer = b.icmp(IntPred::Ult, trips, wanted);
    b.select(fewer, trips, wanted)
}
