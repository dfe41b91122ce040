//! What all threads of one execution of a gradient share, its *run*: a table of entries by addresses.
//!
//! Threads may ask for several gradients at the same time; each thread has the address of its run's table in a variable
//! of its own, and hands it on to those that it makes. The table grows by blocks, each eight times as large as the one
//! before; an entry lies among the first [`TRIED`] places from the one on that its address gives, in the first block
//! that has a place for it. Three words of an entry belong to whoever asks for it: what excludes others has its counter
//! there ([`crate::runtime::turns`]), and shadow memory that may outlive the run what frees it, once the program has
//! freed what it is the shadow of.

use crate::base::builder::{Builder, plain_call};
use crate::base::names::{declare, internal, make_inactive};
use crate::runtime::refuse::message;
use crate::runtime::tape;
use ir::{
    Atomic, BinOp, CastOp, FastMath, FuncId, Function, Global, GlobalId, InstKind, IntPred, Module, Operand, Ordering,
    TypeId,
};

/// Entries of a table's first block, and how much larger each is than the one before.
const FIRST: u64 = 1 << 6;
const GROWTH: u64 = 8;
/// Places of each block that are looked at.
const TRIED: u64 = 8;

/// Size of an entry, and where the words of shadow memory are behind its first one.
const ENTRY: u64 = 32;
const RELEASE: u64 = 8;
const ARGUMENT: u64 = 16;

const NO_MEMORY: &str = "there is no memory for what the threads of a gradient share\n";

/// How the names of the variables begin.
pub const VARIABLES: &str = "__adj_run_";

/// A variable of the gradients alone.
pub(super) fn variable(m: &mut Module, of: &str, ty: TypeId) -> GlobalId {
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

pub(super) fn atomic_load(b: &mut Builder, ty: TypeId, ptr: Operand) -> Operand {
    let atomic = Some(Atomic { ordering: Ordering::Acquire, scope: String::new() });
    b.value(InstKind::Load { ptr, align: 8, volatile: false, atomic }, ty)
}

pub(super) fn finish(b: Builder, value: Option<Operand>) -> Function {
    let mut b = b;
    b.effect(InstKind::Ret(value));
    b.f
}

/// The end of a function that keeps an order, or what keeps it: it moves no numbers, and where the gradient is
/// differentiated again it is called as it is.
pub(super) fn finish_inactive(b: Builder, value: Option<Operand>) -> Function {
    let mut f = finish(b, value);
    make_inactive(&mut f);
    f
}

/// The variable of each thread with the address of its run's table, which is that of the first block.
fn run(m: &mut Module) -> Operand {
    let ptr = m.types.ptr();
    let run = variable(m, "table", ptr);
    m.globals[run].thread_local = "thread_local".to_owned();
    m.global_address(run)
}

/// Begins a run whose table's address lies at `table`; the run that the thread is in.
pub(crate) fn begin(b: &mut Builder, table: Operand) -> Operand {
    let before = current(b);
    go_back(b, table);
    before
}

/// Leaves the run that the thread is in where others find it, which go on in it.
pub(crate) fn keep(b: &mut Builder, at: Operand) {
    let run = current(b);
    b.store(run, at, 8);
}

/// Goes on in the run that was left there; the one that the thread was in.
pub(crate) fn enter(b: &mut Builder, at: Operand) -> Operand {
    let ptr = b.m.types.ptr();
    let run = b.load(ptr, at, 8);
    begin(b, run)
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

/// `void @__adj_run_end(ptr table)`: a run has ended. Shadows of what the program has freed are freed, and the table.
pub(crate) fn end(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_run_end", void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let free = declare(m, "free", void, &[ptr]);
    let fn_ty = m.types.func(void, vec![ptr, i64t]);
    let mut b = Builder::new(m, f);
    let (table, null) = (b.f.param(0), b.m.zero(ptr));
    let [zero, one, first, growth, bytes] = [0, 1, FIRST, GROWTH, ENTRY].map(|n| b.m.int(64, u128::from(n)));
    let block = b.load(ptr, table, 8);
    b.store(null, table, 8);
    let there = |b: &mut Builder, of: &[Operand]| b.icmp(IntPred::Ne, of[0], null);
    b.repeat(&[block, first], there, |b, of| {
        let (block, size) = (of[0], of[1]);
        let more = |b: &mut Builder, of: &[Operand]| b.icmp(IntPred::Ult, of[0], size);
        b.repeat(&[zero], more, |b, of| {
            let next = b.binary(BinOp::Add, of[0], one);
            // The first place is the block's own.
            let offset = b.binary(BinOp::Mul, next, bytes);
            let at = b.offset_by(block, offset);
            let at_release = b.offset(at, 8 + RELEASE);
            let release = b.load(ptr, at_release, 8);
            let freed = b.icmp(IntPred::Ne, release, null);
            b.only_if(freed, |b| {
                let at_argument = b.offset(at, 8 + ARGUMENT);
                let args = vec![b.load(ptr, at, 8), b.load(i64t, at_argument, 8)];
                b.effect(InstKind::Call(Box::new(plain_call(release, fn_ty, args, String::new()))));
            });
            vec![next]
        });
        let next = b.load(ptr, block, 8);
        b.call(free, vec![block]);
        vec![next, b.binary(BinOp::Mul, size, growth)]
    });
    let f = finish_inactive(b, None);
    m.functions.push(f)
}

/// `void @__adj_run_made(ptr shadow)`: shadow memory is made that may outlive the run.
pub(crate) fn made(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, "__adj_run_made", void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let of = of(m);
    let mut b = Builder::new(m, f);
    let (shadow, null, one) = (b.f.param(0), b.m.zero(ptr), b.m.int(64, 1));
    let there = b.icmp(IntPred::Ne, shadow, null);
    b.only_if(there, |b| {
        if let Some(at) = b.call(of, vec![shadow]) {
            b.store(one, at, 8);
        }
    });
    let f = finish(b, None);
    m.functions.push(f)
}

/// `void @__adj_run_freed(ptr shadow, ptr release, i64 argument)`: the program frees what it is the shadow of; at the
/// end of the run `release` frees it, if it was made there.
pub(crate) fn freed(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_run_freed", void, &[ptr, ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let of = of(m);
    let mut b = Builder::new(m, f);
    let [shadow, release, argument] = [0, 1, 2].map(|i| b.f.param(i));
    let (null, zero) = (b.m.zero(ptr), b.m.int(64, 0));
    let there = b.icmp(IntPred::Ne, shadow, null);
    b.only_if(there, |b| {
        let at = b.call(of, vec![shadow]).unwrap_or(null);
        let made = b.load(i64t, at, 8);
        let made = b.icmp(IntPred::Ne, made, zero);
        b.only_if(made, |b| {
            for (value, word) in [(release, RELEASE), (argument, ARGUMENT)] {
                let at = b.offset(at, word);
                b.store(value, at, 8);
            }
        });
    });
    let f = finish(b, None);
    m.functions.push(f)
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

/// `ptr @__adj_run_block(ptr link, i64 size)`: the block that the link leads to, which is made if there is none.
///
/// ```text
/// block: { next block, …, entries: { address, three words } … }
/// ```
fn block(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_run_block", ptr, &[ptr, i64t]) {
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
    let f = finish_inactive(b, Some(result));
    m.functions.push(f)
}

/// `ptr @__adj_run_of(ptr key)`: the words of an address in the table of the thread's run. An empty place is taken by
/// whoever comes first.
pub(crate) fn of(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let f = match internal(m, "__adj_run_of", ptr, &[ptr]) {
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
    b.incoming(tried_phi, (next, other));
    b.br(look);
    b.at = larger;
    let grown = b.binary(BinOp::Mul, size, eight);
    b.incoming(link_phi, (entries, larger));
    b.incoming(size_phi, (grown, larger));
    b.br(blocks);
    b.at = found;
    let counter = b.offset(at, 8);
    let f = finish_inactive(b, Some(counter));
    m.functions.push(f)
}
