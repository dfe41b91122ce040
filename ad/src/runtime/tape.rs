//! The functions that gradients call at run time, emitted as IR into the module that needs them.
//!
//! The tape is an arena: `{ next free byte, end of chunk, chunk, log, bytes of all chunks }`, its chunks linked through
//! a header of 16 bytes. A chunk is an eighth of all before it, so that no more than about a ninth of a tape is not yet
//! in use; what is larger than that gets a chunk of its own and length. The first two kilobytes of a gradient that has
//! both passes are on its stack. The forward pass only allocates, the reverse pass only reads, and the differentiated
//! call frees everything at its end; so no tape cell is ever written twice or freed early. (What is executed in the
//! reverse pass gives back what it took: [`crate::runtime::tape_marks`].)

use crate::base::alias_scopes;
use crate::base::builder::Builder;
use crate::base::names::{declare, internal};
use crate::runtime::refuse::{message, refuse};
use crate::runtime::tape_log::{self, Kept};
use ir::{BinOp, FloatKind, FuncId, InstKind, IntPred, Module, Operand, Ordering, RmwOp, TypeId};

/// Size in bytes of the tape's head.
pub const TAPE_SIZE: u64 = 40;

/// Where in it the bytes of all chunks are counted.
pub(crate) const TOTAL: u64 = 32;

/// The function that gives memory of a tape.
pub const TAPE_ALLOC: &str = "__adj_tape_alloc";

/// The function that frees a tape.
pub const TAPE_FREE: &str = "__adj_tape_free";

/// Alignment in bytes of what the tape hands out.
pub const TAPE_ALIGN: u64 = 16;

/// Size in bytes of a chunk's header: the previous chunk and the chunk's own size.
pub(crate) const HEADER: u64 = 16;
const FIRST_CHUNK: u64 = 1 << 10;
/// Bytes of a gradient's tape that are on its stack: a small one asks for no memory.
pub const ROOM: u64 = 2 << 10;
/// glibc serves blocks of 32 MiB and more by fresh pages at each call, however often they were freed; smaller ones it
/// keeps.
const LAST_CHUNK: u64 = (1 << 25) - (1 << 16);

/// The function that makes a chunk.
pub(crate) const CHUNK_NEW: &str = "__adj_chunk_new";

/// The function that gives a chunk back.
pub(crate) const CHUNK_FREE: &str = "__adj_chunk_free";

/// `ptr @__adj_chunk_new(i64 size)`: a chunk with room for so many bytes, which knows how many these are.
fn chunk_new(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let f = match internal(m, CHUNK_NEW, ptr, &[i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let malloc = declare(m, "malloc", ptr, &[i64t]);
    let mut b = Builder::new(m, f);
    let size = b.f.param(0);
    let header = b.m.int(64, u128::from(HEADER));
    let total = b.binary(BinOp::Add, size, header);
    let null = b.m.zero(ptr);
    let chunk = b.call(malloc, vec![total]).unwrap_or(null);
    let size_at = b.offset(chunk, 8);
    b.store(size, size_at, 8);
    b.effect(InstKind::Ret(Some(chunk)));
    let f = b.f;
    m.functions.push(f)
}

/// `void @__adj_chunk_free(ptr chunk)`
pub(crate) fn chunk_free(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, CHUNK_FREE, void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let free = declare(m, "free", void, &[ptr]);
    let mut b = Builder::new(m, f);
    let chunk = b.f.param(0);
    b.call(free, vec![chunk]);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `ptr @__adj_tape_alloc(ptr tape, i64 size)`: uninitialised memory that lives until the tape is freed.
pub fn tape_alloc(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let f = match internal(m, TAPE_ALLOC, ptr, &[ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let new = chunk_new(m);
    let mut b = Builder::new(m, f);
    let (tape, size) = (b.f.param(0), b.f.param(1));
    let (fast, slow) = (b.f.add_block("fast"), b.f.add_block("slow"));
    let [fifteen, mask] = [15, -16i64].map(|n| b.m.int(64, n as u64 as u128));
    let padded = b.binary(BinOp::Add, size, fifteen);
    let rounded = b.binary(BinOp::And, padded, mask);
    let end_at = b.offset(tape, 8);
    let chunk_at = b.offset(tape, 16);
    let next = b.load(ptr, tape, 8);
    let end = b.load(ptr, end_at, 8);
    let [next_int, end_int] = [next, end].map(|p| b.cast(ir::CastOp::PtrToInt, p, i64t));
    let room = b.binary(BinOp::Sub, end_int, next_int);
    let fits = b.icmp(IntPred::Ule, rounded, room);
    b.cond_br(fits, fast, slow);

    b.at = fast;
    let after = b.offset_by(next, rounded);
    b.store(after, tape, 8);
    b.effect(InstKind::Ret(Some(next)));

    b.at = slow;
    let old = b.load(ptr, chunk_at, 8);
    let total_at = b.offset(tape, TOTAL);
    let total = b.load(i64t, total_at, 8);
    let [three, limit, least] = [3, LAST_CHUNK, FIRST_CHUNK].map(|n| b.m.int(64, u128::from(n)));
    let eighth = b.binary(BinOp::LShr, total, three);
    let small = b.icmp(IntPred::Ult, eighth, least);
    let grown = b.select(small, least, eighth);
    let large = b.icmp(IntPred::Ugt, grown, limit);
    let wanted = b.select(large, limit, grown);
    let alone = b.icmp(IntPred::Ugt, rounded, wanted);
    let body = b.select(alone, rounded, wanted);
    let null = b.m.zero(ptr);
    let chunk = b.call(new, vec![body]).unwrap_or(null);
    let sum = b.binary(BinOp::Add, total, body);
    b.store(sum, total_at, 8);
    let data = b.offset(chunk, HEADER);
    let [aside, only, behind, front] = ["aside", "only", "behind", "front"].map(|n| b.f.add_block(n));
    b.cond_br(alone, aside, front);

    // What is alone in its chunk leaves the room in the one before, or on the stack, to others.
    b.at = aside;
    let first = b.icmp(IntPred::Eq, old, null);
    b.cond_br(first, only, behind);
    b.at = only;
    b.store(null, chunk, 8);
    b.store(chunk, chunk_at, 8);
    b.effect(InstKind::Ret(Some(data)));
    b.at = behind;
    let previous = b.load(ptr, old, 8);
    b.store(previous, chunk, 8);
    b.store(chunk, old, 8);
    b.effect(InstKind::Ret(Some(data)));

    b.at = front;
    b.store(old, chunk, 8);
    let size_at = b.offset(chunk, 8);
    let body = b.load(i64t, size_at, 8);
    b.store(chunk, chunk_at, 8);
    let next = b.offset_by(data, rounded);
    b.store(next, tape, 8);
    let end = b.offset_by(data, body);
    b.store(end, end_at, 8);
    b.effect(InstKind::Ret(Some(data)));
    let f = b.f;
    m.functions.push(f)
}

/// `ptr @__adj_tape_zalloc(ptr tape, i64 size)`: the same, zeroed.
pub fn tape_zalloc(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let alloc = tape_alloc(m);
    let f = match internal(m, "__adj_tape_zalloc", ptr, &[ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let (tape, size) = (b.f.param(0), b.f.param(1));
    let null = b.m.zero(ptr);
    let memory = b.call(alloc, vec![tape, size]).unwrap_or(null);
    clear(&mut b, memory, size);
    b.effect(InstKind::Ret(Some(memory)));
    let f = b.f;
    m.functions.push(f)
}

/// `void @__adj_tape_free(ptr tape)`: gives every chunk back.
pub fn tape_free(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, TAPE_FREE, void, &[ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let free = chunk_free(m);
    let mut b = Builder::new(m, f);
    if let Some(free) = b.m.function(UNDO_FREE) {
        // What waits to be freed is listed on the tape.
        let [log, chunks] = ["log", "chunks"].map(|n| b.f.add_block(n));
        let log_at = b.offset(b.f.param(0), 24);
        let undo = b.load(ptr, log_at, 8);
        let null = b.m.zero(ptr);
        let none = b.icmp(IntPred::Eq, undo, null);
        b.cond_br(none, chunks, log);
        b.at = log;
        b.call(free, vec![undo]);
        b.br(chunks);
        b.at = chunks;
    }
    let entry = b.at;
    let [head, body, done] = ["head", "body", "done"].map(|n| b.f.add_block(n));
    let chunk_at = b.offset(b.f.param(0), 16);
    let first = b.load(ptr, chunk_at, 8);
    b.br(head);
    b.at = head;
    let phi = b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(first, entry)] }, ptr);
    let chunk = b.result(phi);
    let null = b.m.zero(ptr);
    let none = b.icmp(IntPred::Eq, chunk, null);
    b.cond_br(none, done, body);
    b.at = body;
    let previous = b.load(ptr, chunk, 8);
    b.call(free, vec![chunk]);
    b.br(head);
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
        incoming.push((previous, body));
    }
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// Frees the log of what loops with checkpoints overwrite, and what was to be freed with it
/// ([`crate::analysis::overwritten_by_steps`]).
const UNDO_FREE: &str = "__adj_undo_free";

/// Stops with a text where a pointer is its own shadow, unless what is copied comes from where that is so, too.
pub fn guard_constant(b: &mut Builder, to: [Operand; 2], from: Option<[Operand; 2]>, text: &str) {
    let mut lost = b.icmp(IntPred::Eq, to[0], to[1]);
    if let Some([primal, shadow]) = from {
        let active = b.icmp(IntPred::Ne, primal, shadow);
        lost = b.binary(BinOp::And, lost, active);
    }
    let (guard, message) = (refuse_if(b.m), message(b.m, text));
    let length = b.m.int(64, text.len() as u128);
    b.call(guard, vec![lost, message, length]);
}

/// Stops with a text where there is an address and no shadow of it.
pub(crate) fn guard_variable(b: &mut Builder, [primal, shadow]: [Operand; 2], text: &str) {
    let ptr = b.m.types.ptr();
    let null = b.m.zero(ptr);
    let (held, missing) = (b.icmp(IntPred::Ne, primal, null), b.icmp(IntPred::Eq, shadow, null));
    let lost = b.binary(BinOp::And, held, missing);
    let (guard, message) = (refuse_if(b.m), message(b.m, text));
    let length = b.m.int(64, text.len() as u128);
    b.call(guard, vec![lost, message, length]);
}

/// `void @__adj_unsupported_if(i1 cond, ptr text, i64 length)`
pub(crate) fn refuse_if(m: &mut Module) -> FuncId {
    let (ptr, i64t, i1, void) = (m.types.ptr(), m.types.int(64), m.types.int(1), m.types.void());
    let f = match internal(m, "__adj_unsupported_if", void, &[i1, ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let refuse = refuse(m);
    let mut b = Builder::new(m, f);
    let (cond, text, length) = (b.f.param(0), b.f.param(1), b.f.param(2));
    let (stop, go) = (b.f.add_block("stop"), b.f.add_block("go"));
    b.cond_br(cond, stop, go);
    b.at = stop;
    b.call(refuse, vec![text, length]);
    b.effect(InstKind::Unreachable);
    b.at = go;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `memset(memory, 0, size)` at the cursor.
pub fn clear(b: &mut Builder, memory: Operand, size: Operand) {
    let (ptr, i8t, i64t, i1, void) =
        (b.m.types.ptr(), b.m.types.int(8), b.m.types.int(64), b.m.types.int(1), b.m.types.void());
    let memset = declare(b.m, "llvm.memset.p0.i64", void, &[ptr, i8t, i64t, i1]);
    let [zero, plain] = [b.m.int(8, 0), b.m.int(1, 0)];
    b.call(memset, vec![memory, zero, size, plain]);
}

/// A loop over `count` elements from `first` on, `stride` bytes apart; `body` gets the byte offset.
fn for_each(
    b: &mut Builder,
    count: Operand,
    stride: Operand,
    down: Option<Operand>,
    body: impl FnOnce(&mut Builder, Operand),
) {
    let i64t = b.m.types.int(64);
    let entry = b.at;
    let [head, inner, done] = ["head", "body", "done"].map(|n| b.f.add_block(n));
    let (zero, one) = (b.m.int(64, 0), b.m.int(64, 1));
    b.br(head);
    b.at = head;
    let phi = b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(zero, entry)] }, i64t);
    let i = b.result(phi);
    let end = b.icmp(IntPred::Eq, i, count);
    b.cond_br(end, done, inner);
    b.at = inner;
    let index = match down {
        None => i,
        Some(down) => {
            let last = b.binary(BinOp::Sub, count, one);
            let mirrored = b.binary(BinOp::Sub, last, i);
            b.select(down, mirrored, i)
        }
    };
    let offset = b.binary(BinOp::Mul, index, stride);
    body(b, offset);
    let next = b.binary(BinOp::Add, i, one);
    b.br(head);
    let last = b.at;
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
        incoming.push((next, last));
    }
    b.at = done;
}

/// `void @__adj_accumulate_K(ptr to, ptr from, i64 count, i64 stride)`: the transpose of a copy of `count` floats,
/// `stride` bytes apart, from `from` to `to`: adds each adjoint of the destination to the source's and clears it.
/// Overlap is that of `memmove`: an element that is written is not read later. If the source is `shared`, others may
/// add to its adjoint at the same time.
pub fn accumulate(m: &mut Module, kind: FloatKind, shared: bool) -> FuncId {
    let (ptr, i64t, void, float) = (m.types.ptr(), m.types.int(64), m.types.void(), m.types.float(kind));
    let name = format!("__adj_accumulate_{}{}", if shared { "shared_" } else { "" }, kind.suffix());
    let f = match internal(m, &name, void, &[ptr, ptr, i64t, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let [to, from, count, stride] = [0, 1, 2, 3].map(|i| b.f.param(i));
    let down = b.icmp(IntPred::Ugt, from, to);
    for_each(&mut b, count, stride, Some(down), |b, offset| {
        let [to, from] = [to, from].map(|p| b.offset_by(p, offset));
        let adjoint = b.load(float, to, 1);
        let zero = b.m.zero(float);
        b.store(zero, to, 1);
        if shared {
            let (op, ordering, align) = (RmwOp::FAdd, Ordering::Monotonic, b.align(float));
            let (volatile, scope) = (false, String::new());
            b.value(InstKind::AtomicRmw { op, ptr: from, value: adjoint, align, volatile, ordering, scope }, float);
            return;
        }
        let old = b.load(float, from, 1);
        let sum = b.binary(BinOp::FAdd, old, adjoint);
        b.store(sum, from, 1);
    });
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void @__adj_copy_turns(ptr to, ptr from, i64 count, i64 stride, ptr told)`: copies the shadows of what may be
/// pointers or floats, and leaves them at `told`, one after the other.
pub fn copy_turns(m: &mut Module) -> FuncId {
    let ptr = m.types.ptr();
    each_turn(m, "__adj_copy_turns", IntPred::Ult, |b, [to, from, told]| {
        let value = b.load(ptr, from, 1);
        b.store(value, to, 1);
        b.store(value, told, 8);
        let list = alias_scopes::records(b.m);
        if let Some(told) = b.f.blocks[b.at].insts.last().copied() {
            tape_log::mark(&mut b.f.insts[told].metadata, Kept::Value, list);
        }
    })
}

/// `void @__adj_accumulate_turns(ptr to, ptr from, i64 count, i64 stride, ptr told)`: the transpose of that copy. Where
/// a float was moved its adjoint goes back to the source; the destination is cleared in any case.
pub fn accumulate_turns(m: &mut Module) -> FuncId {
    let (ptr, double) = (m.types.ptr(), m.types.float(FloatKind::Double));
    each_turn(m, "__adj_accumulate_turns", IntPred::Ugt, |b, [to, from, told]| {
        let shadow = b.load(ptr, told, 8);
        let (null, zero) = (b.m.zero(ptr), b.m.zero(double));
        let float = b.icmp(IntPred::Eq, shadow, null);
        let [add, clear, done] = ["float", "pointer", "moved"].map(|n| b.f.add_block(n));
        b.cond_br(float, add, clear);
        b.at = clear;
        b.store(zero, to, 1);
        b.br(done);
        b.at = add;
        let adjoint = b.load(double, to, 1);
        b.store(zero, to, 1);
        let old = b.load(double, from, 1);
        let sum = b.binary(BinOp::FAdd, old, adjoint);
        b.store(sum, from, 1);
        b.br(done);
        b.at = done;
    })
}

/// A function that does something for each of `count` words of a copy, in the order that overlap asks for.
fn each_turn(m: &mut Module, name: &str, down: IntPred, body: impl FnOnce(&mut Builder, [Operand; 3])) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, name, void, &[ptr, ptr, i64t, i64t, ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let [to, from, count, stride, told] = [0, 1, 2, 3, 4].map(|i| b.f.param(i));
    let down = b.icmp(down, from, to);
    for_each(&mut b, count, stride, Some(down), |b, offset| {
        let [to, from] = [to, from].map(|p| b.offset_by(p, offset));
        let (index, eight) = (b.binary(BinOp::UDiv, offset, stride), b.m.int(64, 8));
        let bytes = b.binary(BinOp::Mul, index, eight);
        let told = b.offset_by(told, bytes);
        body(b, [to, from, told]);
    });
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void @__adj_clear_K(ptr to, i64 count, i64 stride)`: clears `count` floats.
pub fn clear_floats(m: &mut Module, kind: FloatKind) -> FuncId {
    let float = m.types.float(kind);
    clear_data(m, &format!("__adj_clear_{}", kind.suffix()), float)
}

/// `void @__adj_clear_pointers(ptr to, i64 count, i64 stride)`: clears `count` shadow pointers.
pub fn clear_pointers(m: &mut Module) -> FuncId {
    let ptr = m.types.ptr();
    clear_data(m, "__adj_clear_pointers", ptr)
}

fn clear_data(m: &mut Module, name: &str, ty: TypeId) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, name, void, &[ptr, i64t, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let [to, count, stride] = [0, 1, 2].map(|i| b.f.param(i));
    for_each(&mut b, count, stride, None, |b, offset| {
        let at = b.offset_by(to, offset);
        let zero = b.m.zero(ty);
        b.store(zero, at, 1);
    });
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void @__adj_copy_pointers(ptr to, ptr from, i64 count, i64 stride)`: copies shadow pointers.
pub fn copy_pointers(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_copy_pointers", void, &[ptr, ptr, i64t, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let [to, from, count, stride] = [0, 1, 2, 3].map(|i| b.f.param(i));
    let down = b.icmp(IntPred::Ult, from, to);
    for_each(&mut b, count, stride, Some(down), |b, offset| {
        let [to, from] = [to, from].map(|p| b.offset_by(p, offset));
        let value = b.load(ptr, from, 1);
        b.store(value, to, 1);
    });
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
