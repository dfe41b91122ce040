//! In which order threads have executed sections that exclude each other, and the reverse of that order.
//!
//! Each section has a counter. At its end a thread takes the number that the counter shows, while it still excludes the
//! others, and adds one. In the reverse pass it waits until the counter shows one more than that number, reverses the
//! section, and takes one off: that is the same sections in the opposite order, and leaves the counter as it was. It
//! cannot come to a standstill: the order of a run that has ended has no cycle, and neither has its reverse.
//!
//! The counters are those of one execution of a gradient ([`crate::runtime::run`]): threads may ask for several
//! gradients at the same time, and their sections are in no order that matters to each other. What excludes others has
//! a counter by its address: the name of a section (`critical`), a lock.
//!
//! A thread may hold a lock several times (`omp_nest_lock_t`, recursive mutexes): of the sections within each other the
//! outermost waits for its turn. What is done to a number in one piece excludes others by one of [`CELLS`] locks, which
//! the address of the number chooses; as nothing else happens within, one lock may stand for several addresses.

use crate::base::builder::Builder;
use crate::base::names::{declare, internal};
use crate::runtime::run::{self, atomic_load, finish, finish_inactive, variable};
use ir::{Atomic, BinOp, CastOp, FuncId, InstKind, IntPred, Module, Operand, Ordering, RmwOp};

/// How the names of the functions begin.
pub(crate) const TURN: &str = "__adj_turn_";

/// Locks of single numbers.
const CELLS: u64 = 1 << 10;

/// What stands for sections that no variable of the program stands for.
pub(crate) fn named(m: &mut Module, section: &str) -> Operand {
    let i64t = m.types.int(64);
    let key = variable(m, section, i64t);
    m.global_address(key)
}

fn rmw(b: &mut Builder, op: RmwOp, ptr: Operand, value: Operand, ordering: Ordering) -> Operand {
    let ty = b.ty(value);
    let kind = InstKind::AtomicRmw { op, ptr, value, align: 8, volatile: false, ordering, scope: String::new() };
    b.value(kind, ty)
}

fn atomic_store(b: &mut Builder, value: Operand, ptr: Operand) {
    let atomic = Some(Atomic { ordering: Ordering::Release, scope: String::new() });
    b.effect(InstKind::Store { value, ptr, align: 8, volatile: false, atomic });
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
    let f = finish_inactive(b, Some(number));
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
    let f = finish_inactive(b, None);
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
    let f = finish_inactive(b, None);
    m.functions.push(f)
}

/// Where a lock's entry has, behind the counter, the thread that reverses a section, and how many it is in.
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
    let f = finish_inactive(b, None);
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
    let f = finish_inactive(b, None);
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
    let of = run::of(m);
    let mut b = Builder::new(m, f);
    let address = b.f.param(0);
    let lock = cell(&mut b, address);
    let counter = b.call(of, vec![lock]).unwrap_or(lock);
    let f = finish_inactive(b, Some(counter));
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
