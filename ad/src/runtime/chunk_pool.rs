//! Tapes that are kept from one gradient to the next, for native programs.
//!
//! Memory that is fresh from the operating system is cleared page by page when it is first touched, which costs about
//! as much as a hundred arithmetic operations for each value that a tape holds. A program that computes gradients in a
//! loop would pay that every time, as the allocator gives large blocks back. So a chunk that is freed is kept, up to
//! eight for each eighth of a power of two (the chunks of one tape grow by an eighth; those of several threads, and of
//! arrays of one length, are of one size), and the next tape starts with it. Places are exchanged atomically: threads
//! may compute gradients at the same time, and nothing belongs to a thread. What is kept is given back when the program
//! ends, or the library is closed.
//!
//! The interpreter judges gradients without this: there, what is not freed is a leak.

use crate::base::builder::Builder;
use crate::base::names::{self, append, declare};
use crate::runtime::tape::{CHUNK_FREE, CHUNK_NEW};
use ir::{
    Atomic, BinOp, BlockId, ConstKind, FastMath, FuncId, Function, Global, GlobalId, InstKind, IntPred, Module,
    Operand, Ordering, RmwOp,
};

/// Classes of sizes: eight for each position of the highest bit.
const CLASSES: u64 = 512;

/// Chunks that are kept of each class.
const PLACES: u64 = 8;

/// The list of functions that run at the end (LangRef, "The llvm.global_dtors Global Variable"), and the priority of
/// what is of no particular one.
const AT_THE_END: (&str, u128) = ("llvm.global_dtors", 65535);

/// Larger chunks are given back.
const LARGEST: u64 = 1 << 28;

/// Makes the gradients of a module keep chunks.
pub fn install(m: &mut Module) {
    let (Some(new), Some(free)) = (m.function(CHUNK_NEW), m.function(CHUNK_FREE)) else { return };
    let ptr = m.types.ptr();
    let slots = m.types.array(CLASSES * PLACES, ptr);
    let zero = m.zero(slots).constant();
    let mut global = Global::new("__adj_chunks", slots, zero);
    global.flags.linkage = "internal".to_owned();
    // The places of a class are a line of the cache.
    global.align = 64;
    let slots = m.globals.push(global);
    take(m, new, slots);
    give(m, free, slots);
    let last = release(m, slots);
    run_at_the_end(m, last);
}

/// A function of the same signature, to be filled.
fn blank(m: &Module, id: FuncId) -> Function {
    let old = &m.functions[id];
    let params: Vec<ir::TypeId> = old.params.iter().map(|p| p.ty).collect();
    let mut f = Function::new(&old.name, old.ret, &params);
    f.flags.linkage = "internal".to_owned();
    f
}

/// The address of the first place for chunks of a size: of the position of its highest bit and the three bits below.
/// (A chunk is never so small that there are none.)
fn first_place(b: &mut Builder, slots: GlobalId, size: Operand) -> Operand {
    let (i64t, i1) = (b.m.types.int(64), b.m.types.int(1));
    let count = declare(b.m, "llvm.ctlz.i64", i64t, &[i64t, i1]);
    let no = b.m.int(1, 0);
    let zeros = b.call(count, vec![size, no]).unwrap_or(size);
    let [mask, highest, three, seven, line] = [63, 60, 3, 7, 8 * u128::from(PLACES)].map(|n| b.m.int(64, n));
    let zeros = b.binary(BinOp::And, zeros, mask);
    let below = b.binary(BinOp::Sub, highest, zeros);
    let below = b.binary(BinOp::And, below, mask);
    let bits = b.binary(BinOp::LShr, size, below);
    let bits = b.binary(BinOp::And, bits, seven);
    let class = b.binary(BinOp::Shl, zeros, three);
    let class = b.binary(BinOp::Add, class, bits);
    let offset = b.binary(BinOp::Mul, class, line);
    let base = b.m.global_address(slots);
    b.offset_by(base, offset)
}

fn exchange(b: &mut Builder, place: Operand, value: Operand) -> Operand {
    let ptr = b.m.types.ptr();
    let ordering = Ordering::AcqRel;
    let kind = InstKind::AtomicRmw {
        op: RmwOp::Xchg,
        ptr: place,
        value,
        align: 8,
        volatile: false,
        ordering,
        scope: String::new(),
    };
    b.value(kind, ptr)
}

/// Puts a chunk into a place, if that is empty: has it been?
fn put_if_empty(b: &mut Builder, ptr: Operand, new: Operand) -> Operand {
    let (pointer, i1) = (b.m.types.ptr(), b.m.types.int(1));
    let (success, failure) = (Ordering::AcqRel, Ordering::Monotonic);
    let (expected, scope) = (b.m.zero(pointer), String::new());
    let kind =
        InstKind::CmpXchg { ptr, expected, new, align: 8, weak: false, volatile: false, success, failure, scope };
    let pair = b.m.types.tuple(vec![pointer, i1]);
    let told = b.value(kind, pair);
    b.extract(told, 1)
}

/// A loop over so many places, from the first one on: the address of the place of this round, the block in which
/// a round goes on to the next one, and the block behind the last round. The builder stands in the round.
fn each_place(b: &mut Builder, first: Operand, count: u64) -> (Operand, BlockId, BlockId) {
    let i64t = b.m.types.int(64);
    let [round, next, behind] = ["round", "next", "behind"].map(|name| b.f.add_block(name));
    let [zero, eight, end] = [0, 8, 8 * u128::from(count)].map(|n| b.m.int(64, n));
    let entry = b.at;
    b.br(round);
    b.at = round;
    let phi = b.push(InstKind::Phi { fast: FastMath::default(), incoming: vec![(zero, entry)] }, i64t);
    let offset = b.result(phi);
    b.at = next;
    let following = b.binary(BinOp::Add, offset, eight);
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
        incoming.push((following, next));
    }
    let more = b.icmp(IntPred::Ult, following, end);
    b.cond_br(more, round, behind);
    b.at = round;
    let place = b.offset_by(first, offset);
    (place, next, behind)
}

/// `ptr new(i64 size)`: a chunk of the size's class that is large enough, else a fresh one. What is too small is given
/// back.
fn take(m: &mut Module, id: FuncId, slots: GlobalId) {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let malloc = declare(m, "malloc", ptr, &[i64t]);
    let release = declare(m, "free", void, &[ptr]);
    let f = blank(m, id);
    let mut b = Builder::new(m, f);
    let size = b.f.param(0);
    let null = b.m.zero(ptr);
    let first = first_place(&mut b, slots, size);
    let (place, next, fresh) = each_place(&mut b, first, PLACES);
    let [some, look, reuse, small] = ["some", "look", "reuse", "small"].map(|n| b.f.add_block(n));
    let seen = b.load(ptr, place, 8);
    if let Some(inst) = seen.local().and_then(|v| b.f.def_inst(v))
        && let InstKind::Load { atomic, .. } = &mut b.f.insts[inst].kind
    {
        *atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
    }
    let empty = b.icmp(IntPred::Eq, seen, null);
    b.cond_br(empty, next, some);

    b.at = some;
    let kept = exchange(&mut b, place, null);
    let none = b.icmp(IntPred::Eq, kept, null);
    b.cond_br(none, next, look);

    b.at = look;
    let size_at = b.offset(kept, 8);
    let has = b.load(i64t, size_at, 8);
    let fits = b.icmp(IntPred::Uge, has, size);
    b.cond_br(fits, reuse, small);
    b.at = reuse;
    b.effect(InstKind::Ret(Some(kept)));
    b.at = small;
    b.call(release, vec![kept]);
    b.br(next);

    b.at = fresh;
    let header = b.m.int(64, 16);
    let total = b.binary(BinOp::Add, size, header);
    let chunk = b.call(malloc, vec![total]).unwrap_or(null);
    let size_at = b.offset(chunk, 8);
    b.store(size, size_at, 8);
    b.effect(InstKind::Ret(Some(chunk)));
    let f = b.f;
    m.functions[id] = f;
}

/// `void free(ptr chunk)`: into a place of its class that is empty; into the first one, if none is, and what was there
/// is given back.
fn give(m: &mut Module, id: FuncId, slots: GlobalId) {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let release = declare(m, "free", void, &[ptr]);
    let f = blank(m, id);
    let mut b = Builder::new(m, f);
    let chunk = b.f.param(0);
    let [keep, large, kept] = ["keep", "large", "kept"].map(|n| b.f.add_block(n));
    let size_at = b.offset(chunk, 8);
    let size = b.load(i64t, size_at, 8);
    let limit = b.m.int(64, u128::from(LARGEST));
    let much = b.icmp(IntPred::Ugt, size, limit);
    b.cond_br(much, large, keep);

    b.at = keep;
    let first = first_place(&mut b, slots, size);
    let (place, next, full) = each_place(&mut b, first, PLACES);
    let put = put_if_empty(&mut b, place, chunk);
    b.cond_br(put, kept, next);
    b.at = kept;
    b.effect(InstKind::Ret(None));

    b.at = full;
    let old = exchange(&mut b, first, chunk);
    b.call(release, vec![old]);
    b.effect(InstKind::Ret(None));
    b.at = large;
    b.call(release, vec![chunk]);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions[id] = f;
}

/// `void ()`: gives back what is in the slots.
fn release(m: &mut Module, slots: GlobalId) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let free = declare(m, "free", void, &[ptr]);
    let mut f = Function::new(&names::unique(m, "__adj_chunks_release"), void, &[]);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let null = b.m.zero(ptr);
    let first = b.m.global_address(slots);
    let (place, next, done) = each_place(&mut b, first, CLASSES * PLACES);
    let kept = exchange(&mut b, place, null);
    b.call(free, vec![kept]);
    b.br(next);
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// Adds a function to those that run when the program ends or the library is closed.
fn run_at_the_end(m: &mut Module, function: FuncId) {
    let (name, priority) = AT_THE_END;
    let (i32t, ptr) = (m.types.int(32), m.types.ptr());
    let entry_ty = m.types.tuple(vec![i32t, ptr, ptr]);
    let fields = [m.int(32, priority), m.function_address(function), m.zero(ptr)];
    let fields = fields.into_iter().filter_map(Operand::constant).collect();
    if let Some(entry) = m.constant(entry_ty, ConstKind::Aggregate(fields)).constant() {
        append(m, name, (entry_ty, entry));
    }
}
