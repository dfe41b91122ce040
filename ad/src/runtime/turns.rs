//! In which order threads have executed sections that exclude each other, and the reverse of that order.
//!
//! Each section has a counter. At its end a thread takes the number that the counter shows, while it still excludes the
//! others, and adds one. In the reverse pass it waits until the counter shows one more than that number, reverses the
//! section, and takes one off: that is the same sections in the opposite order, and leaves the counter as it was. It
//! cannot come to a standstill: the order of a run that has ended has no cycle, and neither has its reverse.
//!
//! The counters are those of one execution of a gradient, its *run*: threads may ask for several gradients at the same
//! time, and their sections are in no order that matters to each other. A run has a table of counters, by the address
//! of what excludes others: the name of a section (`critical`), a lock. It grows by blocks, each eight times as large as
//! the one before; an entry lies among the first [`TRIED`] places from the one on that its address gives, in the first
//! block that has a place for it. Each thread of a run has its table's address in a variable of its own.
//!
//! A thread may hold a lock several times (`omp_nest_lock_t`, recursive mutexes): of the sections within each other the
//! outermost waits for its turn. What is done to a number in one piece excludes others by one of [`CELLS`] locks, which
//! the address of the number chooses; as nothing else happens within, one lock may stand for several addresses.

use crate::base::builder::Builder;
use crate::base::names::{declare, internal};
use crate::runtime::refuse::message;
use crate::runtime::tape;
use ir::{
    Atomic, BinOp, BlockId, CastOp, FastMath, FuncId, Function, Global, GlobalId, InstId, InstKind, IntPred, Module, Operand, Ordering,
    RmwOp, TypeId,
};

/// Entries of a table's first block.
const FIRST: u64 = 1 << 6;
/// Places of each block that are looked at.
const TRIED: u64 = 8;
/// Locks of single numbers.
const CELLS: u64 = 1 << 10;

/// How the names of the variables begin.
pub const VARIABLES: &str = "__adj_turns_";

const NO_MEMORY: &str = "there is no memory for the order of the locks of a parallel program\n";

/// A variable of the gradients alone.
fn variable(m: &mut Module, of: &str, ty: TypeId) -> GlobalId {
    let name = format!("{VARIABLES}{of}");
    if let Some(known) = m.global(&name) {
        return known;
    }
    let zero = m.zero(ty).constant();
    let mut global = Global::new(&name, ty, zero);
    global.flags.linkage = "internal".to_owned();
    global.align = 64;
    m.globals.push(global)
}

/// What stands for sections that no variable of the program stands for.
pub(crate) fn named(m: &mut Module, section: &str) -> Operand {
    let i64t = m.types.int(64);
    let key = variable(m, section, i64t);
    m.global_address(key)
}

/// The variable of each thread with the address of its run's table, which is that of the first block.
fn run(m: &mut Module) -> Operand {
    let ptr = m.types.ptr();
    let run = variable(m, "run", ptr);
    m.globals[run].thread_local = "thread_local".to_owned();
    m.global_address(run)
}

/// Begins a run whose table's address lies at `table`; the run that the thread is in.
pub(crate) fn begin(b: &mut Builder, table: Operand) -> Operand {
    let before = current(b);
    go_back(b, table);
    before
}

/// The thread goes on with the run that it was in before.
pub(crate) fn go_back(b: &mut Builder, before: Operand) {
    let run = run(b.m);
    let atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
    b.effect(InstKind::Store { value: before, ptr: run, align: 8, volatile: false, atomic });
}

/// The run that the thread is in. As nothing orders the tasks that a thread executes, race detectors want to know that
/// the variable is accessed in one piece.
pub(crate) fn current(b: &mut Builder) -> Operand {
    let (run, ptr) = (run(b.m), b.m.types.ptr());
    let atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
    b.value(InstKind::Load { ptr: run, align: 8, volatile: false, atomic }, ptr)
}

fn rmw(b: &mut Builder, op: RmwOp, ptr: Operand, value: Operand, ordering: Ordering) -> Operand {
    let ty = b.ty(value);
    let kind = InstKind::AtomicRmw { op, ptr, value, align: 8, volatile: false, ordering, scope: String::new() };
    b.value(kind, ty)
}

fn atomic_load(b: &mut Builder, ty: TypeId, ptr: Operand) -> Operand {
    let atomic = Some(Atomic { ordering: Ordering::Acquire, scope: String::new() });
    b.value(InstKind::Load { ptr, align: 8, volatile: false, atomic }, ty)
}

fn atomic_store(b: &mut Builder, value: Operand, ptr: Operand) {
    let atomic = Some(Atomic { ordering: Ordering::Release, scope: String::new() });
    b.effect(InstKind::Store { value, ptr, align: 8, volatile: false, atomic });
}

fn finish(b: Builder, value: Option<Operand>) -> Function {
    let mut b = b;
    b.effect(InstKind::Ret(value));
    b.f
}

/// `i64 @__adj_turn_take(ptr counter)`: the number of the section that is about to end.
pub(crate) fn take(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let f = match internal(m, "__adj_turn_take", i64t, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let (counter, one) = (b.f.param(0), b.m.int(64, 1));
    let number = rmw(&mut b, RmwOp::Add, counter, one, Ordering::AcqRel);
    let f = finish(b, Some(number));
    m.functions.push(f)
}

/// `void @__adj_turn_await(ptr counter, i64 number)`: waits until it is that section's turn to be reversed.
pub(crate) fn wait(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t, void) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.void());
    let f = match internal(m, "__adj_turn_await", void, &[ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let give_way = declare(m, "sched_yield", i32t, &[]);
    let mut b = Builder::new(m, f);
    let (counter, number, one) = (b.f.param(0), b.f.param(1), b.m.int(64, 1));
    let wanted = b.binary(BinOp::Add, number, one);
    let [look, other, done] = ["look", "other", "done"].map(|n| b.f.add_block(n));
    b.br(look);
    b.at = look;
    let shown = atomic_load(&mut b, i64t, counter);
    let now = b.icmp(IntPred::Eq, shown, wanted);
    b.cond_br(now, done, other);
    b.at = other;
    b.call(give_way, Vec::new());
    b.br(look);
    b.at = done;
    let f = finish(b, None);
    m.functions.push(f)
}

/// `void @__adj_turn_end(ptr counter)`: the section is reversed.
pub(crate) fn end(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, "__adj_turn_end", void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let (counter, one) = (b.f.param(0), b.m.int(64, 1));
    rmw(&mut b, RmwOp::Sub, counter, one, Ordering::AcqRel);
    let f = finish(b, None);
    m.functions.push(f)
}

/// Where a lock's entry has, behind the counter, the thread that reverses a section, and how many it is in.
const ENTRY: u64 = 32;
const OWNER: u64 = 8;
const DEPTH: u64 = 16;

/// `void @__adj_turn_await_lock(ptr counter, i64 number)`: the same for a lock, unless the thread is in a section of
/// it.
pub(crate) fn wait_for_lock(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_turn_await_lock", void, &[ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let (me, wait) = (declare(m, "pthread_self", i64t, &[]), wait(m));
    let mut b = Builder::new(m, f);
    let (counter, number, zero, one) = (b.f.param(0), b.f.param(1), b.m.int(64, 0), b.m.int(64, 1));
    let me = b.call(me, Vec::new()).unwrap_or(zero);
    let (owner, depth) = (b.offset(counter, OWNER), b.offset(counter, DEPTH));
    let [outermost, done] = ["outermost", "done"].map(|n| b.f.add_block(n));
    let found = atomic_load(&mut b, i64t, owner);
    let mine = b.icmp(IntPred::Eq, found, me);
    b.cond_br(mine, done, outermost);
    b.at = outermost;
    b.call(wait, vec![counter, number]);
    atomic_store(&mut b, me, owner);
    b.br(done);
    b.at = done;
    let sections = b.load(i64t, depth, 8);
    let sections = b.binary(BinOp::Add, sections, one);
    b.store(sections, depth, 8);
    let f = finish(b, None);
    m.functions.push(f)
}

/// `void @__adj_turn_end_lock(ptr counter)`: a section of a lock is reversed.
pub(crate) fn end_of_lock(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_turn_end_lock", void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let end = end(m);
    let mut b = Builder::new(m, f);
    let (counter, zero, one) = (b.f.param(0), b.m.int(64, 0), b.m.int(64, 1));
    let (owner, depth) = (b.offset(counter, OWNER), b.offset(counter, DEPTH));
    let [outermost, done] = ["outermost", "done"].map(|n| b.f.add_block(n));
    let sections = b.load(i64t, depth, 8);
    let sections = b.binary(BinOp::Sub, sections, one);
    b.store(sections, depth, 8);
    let last = b.icmp(IntPred::Eq, sections, zero);
    b.cond_br(last, outermost, done);
    b.at = outermost;
    atomic_store(&mut b, zero, owner);
    b.br(done);
    b.at = done;
    b.call(end, vec![counter]);
    let f = finish(b, None);
    m.functions.push(f)
}

/// `void @__adj_turns_free(ptr table)`: gives back the blocks of a run that has ended.
pub(crate) fn free(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, "__adj_turns_free", void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let free = declare(m, "free", void, &[ptr]);
    let mut b = Builder::new(m, f);
    let (table, null) = (b.f.param(0), b.m.zero(ptr));
    let [look, there, done] = ["look", "there", "done"].map(|n| b.f.add_block(n));
    let block = b.load(ptr, table, 8);
    b.store(null, table, 8);
    let entry = b.at;
    b.br(look);
    b.at = look;
    let phi = b.push(InstKind::Phi { fast: FastMath::default(), incoming: vec![(block, entry)] }, ptr);
    let block = b.result(phi);
    let end = b.icmp(IntPred::Eq, block, null);
    b.cond_br(end, done, there);
    b.at = there;
    let next = b.load(ptr, block, 8);
    b.call(free, vec![block]);
    incoming(&mut b, phi, (next, there));
    b.br(look);
    b.at = done;
    let f = finish(b, None);
    m.functions.push(f)
}

fn incoming(b: &mut Builder, phi: InstId, from: (Operand, BlockId)) {
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
        incoming.push(from);
    }
}

/// Puts a value where there is nothing; what is there then.
fn put(b: &mut Builder, ptr: Operand, new: Operand) -> Operand {
    let ty = b.ty(new);
    let (expected, success, failure) = (b.m.zero(ty), Ordering::AcqRel, Ordering::Acquire);
    let i1 = b.m.types.int(1);
    let pair = b.m.types.tuple(vec![ty, i1]);
    let (weak, volatile, align, scope) = (false, false, 8, String::new());
    let kind = InstKind::CmpXchg { ptr, expected, new, align, weak, volatile, success, failure, scope };
    let result = b.value(kind, pair);
    let (before, ours) = (b.extract(result, 0), b.extract(result, 1));
    b.select(ours, new, before)
}

/// `ptr @__adj_turns_block(ptr link, i64 size)`: the block that the link leads to, which is made if there is none.
///
/// ```text
/// block: { next block, …, entries: { key, counter, thread that reverses a section, how many it is in } … }
/// ```
fn block(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_turns_block", ptr, &[ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let calloc = declare(m, "calloc", ptr, &[i64t, i64t]);
    let free = declare(m, "free", void, &[ptr]);
    let refuse = tape::refuse_if(m);
    let mut b = Builder::new(m, f);
    let (link, size, null) = (b.f.param(0), b.f.param(1), b.m.zero(ptr));
    let [make, lost, done] = ["make", "lost", "done"].map(|n| b.f.add_block(n));
    let there = atomic_load(&mut b, ptr, link);
    let none = b.icmp(IntPred::Eq, there, null);
    let entry = b.at;
    b.cond_br(none, make, done);
    b.at = make;
    let (one, bytes) = (b.m.int(64, 1), b.m.int(64, u128::from(ENTRY)));
    let places = b.binary(BinOp::Add, size, one);
    let new = b.call(calloc, vec![places, bytes]).unwrap_or(null);
    let failed = b.icmp(IntPred::Eq, new, null);
    let (text, length) = (message(b.m, NO_MEMORY), b.m.int(64, NO_MEMORY.len() as u128));
    b.call(refuse, vec![failed, text, length]);
    let found = put(&mut b, link, new);
    let ours = b.icmp(IntPred::Eq, found, new);
    b.cond_br(ours, done, lost);
    b.at = lost;
    b.call(free, vec![new]);
    b.br(done);
    b.at = done;
    let from = vec![(there, entry), (new, make), (found, lost)];
    let result = b.value(InstKind::Phi { fast: FastMath::default(), incoming: from }, ptr);
    let f = finish(b, Some(result));
    m.functions.push(f)
}

/// `ptr @__adj_turns_of(ptr key)`: the counter of a section in the thread's run. An empty place is taken by whoever
/// comes first.
pub(crate) fn of(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let f = match internal(m, "__adj_turns_of", ptr, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let block = block(m);
    let mut b = Builder::new(m, f);
    let key = b.f.param(0);
    let key = b.cast(CastOp::PtrToInt, key, i64t);
    let [zero, one, three, eight] = [0, 1, 3, 8].map(|n| b.m.int(64, n));
    let [size, tries, bytes] = [FIRST, TRIED, ENTRY].map(|n| b.m.int(64, u128::from(n)));
    let first = b.binary(BinOp::LShr, key, three);
    let table = current(&mut b);
    let [blocks, look, place, empty, other, larger, found] =
        ["blocks", "look", "place", "empty", "other", "larger", "found"].map(|n| b.f.add_block(n));
    let entry = b.at;
    b.br(blocks);
    b.at = blocks;
    let phi = |b: &mut Builder, value, ty, from| {
        let phi = b.push(InstKind::Phi { fast: FastMath::default(), incoming: vec![(value, from)] }, ty);
        (phi, b.result(phi))
    };
    let (link_phi, link) = phi(&mut b, table, ptr, entry);
    let (size_phi, size) = phi(&mut b, size, i64t, entry);
    let null = b.m.zero(ptr);
    let entries = b.call(block, vec![link, size]).unwrap_or(null);
    let mask = b.binary(BinOp::Sub, size, one);
    b.br(look);
    b.at = look;
    let (tried_phi, tried) = phi(&mut b, zero, i64t, blocks);
    let more = b.icmp(IntPred::Ult, tried, tries);
    b.cond_br(more, place, larger);
    b.at = place;
    let index = b.binary(BinOp::Add, first, tried);
    let index = b.binary(BinOp::And, index, mask);
    // The first place is the block's own.
    let index = b.binary(BinOp::Add, index, one);
    let offset = b.binary(BinOp::Mul, index, bytes);
    let at = b.offset_by(entries, offset);
    let there = atomic_load(&mut b, i64t, at);
    let same = b.icmp(IntPred::Eq, there, key);
    b.cond_br(same, found, empty);
    b.at = empty;
    let taken = put(&mut b, at, key);
    let same = b.icmp(IntPred::Eq, taken, key);
    b.cond_br(same, found, other);
    b.at = other;
    let next = b.binary(BinOp::Add, tried, one);
    incoming(&mut b, tried_phi, (next, other));
    b.br(look);
    b.at = larger;
    let grown = b.binary(BinOp::Mul, size, eight);
    incoming(&mut b, link_phi, (entries, larger));
    incoming(&mut b, size_phi, (grown, larger));
    b.br(blocks);
    b.at = found;
    let counter = b.offset(at, 8);
    let f = finish(b, Some(counter));
    m.functions.push(f)
}

/// The lock of a number in memory.
fn cell(b: &mut Builder, address: Operand) -> Operand {
    let i64t = b.m.types.int(64);
    let table_ty = b.m.types.array(CELLS, i64t);
    let table = variable(b.m, "table.of.cells", table_ty);
    let key = b.cast(CastOp::PtrToInt, address, i64t);
    let [three, mask] = [3, u128::from(CELLS - 1)].map(|n| b.m.int(64, n));
    let index = b.binary(BinOp::LShr, key, three);
    let index = b.binary(BinOp::And, index, mask);
    let offset = b.binary(BinOp::Shl, index, three);
    let base = b.m.global_address(table);
    b.offset_by(base, offset)
}

/// `ptr @__adj_turns_of_cell(ptr cell)`: the counter of what is done in one piece to a number.
pub(crate) fn of_cell(m: &mut Module) -> FuncId {
    let ptr = m.types.ptr();
    let f = match internal(m, "__adj_turns_of_cell", ptr, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let of = of(m);
    let mut b = Builder::new(m, f);
    let address = b.f.param(0);
    let lock = cell(&mut b, address);
    let counter = b.call(of, vec![lock]).unwrap_or(lock);
    let f = finish(b, Some(counter));
    m.functions.push(f)
}

/// `void @__adj_lock_cell(ptr cell)`, which waits until no other thread does anything to that number.
pub(crate) fn lock_cell(m: &mut Module, name: &str) -> FuncId {
    let (ptr, i64t, i32t, void) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.void());
    let f = match internal(m, name, void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let give_way = declare(m, "sched_yield", i32t, &[]);
    let mut b = Builder::new(m, f);
    let address = b.f.param(0);
    let lock = cell(&mut b, address);
    let (zero, one) = (b.m.zero(i64t), b.m.int(64, 1));
    let [look, other, done] = ["look", "other", "done"].map(|n| b.f.add_block(n));
    b.br(look);
    b.at = look;
    let before = rmw(&mut b, RmwOp::Xchg, lock, one, Ordering::AcqRel);
    let ours = b.icmp(IntPred::Eq, before, zero);
    b.cond_br(ours, done, other);
    b.at = other;
    b.call(give_way, Vec::new());
    b.br(look);
    b.at = done;
    let f = finish(b, None);
    m.functions.push(f)
}

/// `void @__adj_unlock_cell(ptr cell)`
pub(crate) fn unlock_cell(m: &mut Module, name: &str) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, name, void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let address = b.f.param(0);
    let lock = cell(&mut b, address);
    let zero = b.m.zero(i64t);
    rmw(&mut b, RmwOp::Xchg, lock, zero, Ordering::AcqRel);
    let f = finish(b, None);
    m.functions.push(f)
}
