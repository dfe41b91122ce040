//! Marks on the tape: what a part of the reverse pass takes of it is given back when the part has ended.
//!
//! An iteration that is executed and reversed at one go ([`crate::restructure::joint`]) keeps nothing for others. It
//! notes where the tape stands ([`tape_mark`]), and in the end sets it back ([`tape_release`]). If one chunk has come
//! in between, that stays in front for the next iteration, which then allocates nothing; several are given back, to be
//! had again where a program keeps chunks ([`crate::runtime::chunk_pool`]). A chunk that was empty at the mark counts
//! as one of these; so what is kept in the end is not the sum of all iterations. Marks may lie within each other: of
//! two at the same place both know the same chunks.

use crate::base::builder::Builder;
use crate::base::names::internal;
use crate::runtime::tape::{HEADER, TOTAL, chunk_free};
use ir::{Attr, AttrValue, BinOp, FuncId, InstKind, IntPred, Module, Operand};

/// Size in bytes of a mark: the chunk that was in front, the one behind it, the next free byte, the end of the chunk,
/// and the bytes of all chunks.
pub const MARK_SIZE: u64 = 40;

/// The function that notes where the tape stands.
pub const TAPE_MARK: &str = "__adj_tape_mark";

/// The function that sets it back.
pub const TAPE_RELEASE: &str = "__adj_tape_release";

/// `void @__adj_tape_mark(ptr tape, ptr mark)`
pub fn tape_mark(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let mut f = match internal(m, TAPE_MARK, void, &[ptr, ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    // It writes to the mark alone.
    let value = AttrValue::Text("read, argmem: readwrite".to_owned());
    f.attrs.0.push(Attr { name: "memory".to_owned(), value });
    let mut b = Builder::new(m, f);
    let (tape, mark) = (b.f.param(0), b.f.param(1));
    let entry = b.at;
    let [some, empty, done] = ["some", "empty", "done"].map(|n| b.f.add_block(n));
    let null = b.m.zero(ptr);
    let next = b.load(ptr, tape, 8);
    let end_at = b.offset(tape, 8);
    let end = b.load(ptr, end_at, 8);
    let chunk_at = b.offset(tape, 16);
    let chunk = b.load(ptr, chunk_at, 8);
    let i64t = b.m.types.int(64);
    let total_at = b.offset(tape, TOTAL);
    let total = b.load(i64t, total_at, 8);
    let count_at = b.offset(mark, 32);
    b.store(total, count_at, 8);
    let none = b.icmp(IntPred::Eq, chunk, null);
    b.cond_br(none, done, some);
    b.at = some;
    let before = b.load(ptr, chunk, 8);
    let first = b.offset(chunk, HEADER);
    let unused = b.icmp(IntPred::Eq, next, first);
    let size_at = b.offset(chunk, 8);
    let size = b.load(i64t, size_at, 8);
    // A chunk may be larger than it was asked to be.
    let larger = b.icmp(IntPred::Ugt, size, total);
    let counted = b.select(larger, total, size);
    let less = b.binary(BinOp::Sub, total, counted);
    let others = b.select(unused, less, total);
    b.store(others, count_at, 8);
    let alone = b.icmp(IntPred::Eq, before, null);
    let no = b.m.int(1, 0);
    let behind = b.select(alone, no, unused);
    let front = b.select(unused, before, chunk);
    let previous = b.select(unused, null, before);
    let [from, until] = [next, end].map(|old| b.select(unused, null, old));
    b.cond_br(behind, empty, done);
    b.at = empty;
    let further = b.load(ptr, before, 8);
    // How much room there was in that one is not known any more.
    let full = limit(&mut b, before);
    b.br(done);
    b.at = done;
    let stands = [(null, front, before), (null, previous, further), (next, from, full), (end, until, full)];
    let stands = stands.map(|(none, one, other)| {
        let incoming = vec![(none, entry), (one, some), (other, empty)];
        b.value(InstKind::Phi { fast: Default::default(), incoming }, ptr)
    });
    for (n, value) in stands.into_iter().enumerate() {
        let at = b.offset(mark, 8 * n as u64);
        b.store(value, at, 8);
    }
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void @__adj_tape_release(ptr tape, ptr mark)`
pub fn tape_release(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, TAPE_RELEASE, void, &[ptr, ptr]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let free = chunk_free(m);
    let mut b = Builder::new(m, f);
    let (tape, mark) = (b.f.param(0), b.f.param(1));
    let null = b.m.zero(ptr);
    let [next, end, chunk] = [0, 8, 16].map(|n| b.offset(tape, n));
    let [front, previous, was_next, was_end] = [0, 8, 16, 24].map(|n| {
        let at = b.offset(mark, n);
        b.load(ptr, at, 8)
    });
    let i64t = b.m.types.int(64);
    let (count_at, total_at) = (b.offset(mark, 32), b.offset(tape, TOTAL));
    let was_total = b.load(i64t, count_at, 8);
    let latest = b.load(ptr, chunk, 8);
    // What came in front of the chunk that was there, then what came behind it.
    let taken = take_until(&mut b, (latest, front), null);
    let [behind, look, same, some, each, keep] =
        ["behind", "look", "same", "some", "each", "keep"].map(|n| b.f.add_block(n));
    let (all, from) = (b.icmp(IntPred::Eq, front, null), b.at);
    b.cond_br(all, look, behind);
    b.at = behind;
    let second = b.load(ptr, front, 8);
    let more = take_until(&mut b, (second, previous), taken);
    b.store(previous, front, 8);
    let at = b.at;
    b.br(look);

    b.at = look;
    let incoming = vec![(taken, from), (more, at)];
    let list = b.value(InstKind::Phi { fast: Default::default(), incoming }, ptr);
    let none = b.icmp(IntPred::Eq, list, null);
    b.cond_br(none, same, some);

    b.at = some;
    let rest = b.load(ptr, list, 8);
    let single = b.icmp(IntPred::Eq, rest, null);
    b.cond_br(single, keep, each);
    b.at = each;
    let last = b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(list, some)] }, ptr);
    let victim = b.result(last);
    let after = b.load(ptr, victim, 8);
    b.call(free, vec![victim]);
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[last].kind {
        incoming.push((after, each));
    }
    let gone = b.icmp(IntPred::Eq, after, null);
    b.cond_br(gone, same, each);

    b.at = same;
    b.store(front, chunk, 8);
    b.store(was_next, next, 8);
    b.store(was_end, end, 8);
    b.store(was_total, total_at, 8);
    b.effect(InstKind::Ret(None));

    b.at = keep;
    b.store(front, list, 8);
    b.store(list, chunk, 8);
    let data = b.offset(list, HEADER);
    b.store(data, next, 8);
    let limit = limit(&mut b, list);
    b.store(limit, end, 8);
    let size_at = b.offset(list, 8);
    let size = b.load(i64t, size_at, 8);
    let total = b.binary(BinOp::Add, was_total, size);
    b.store(total, total_at, 8);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// The end of a chunk.
fn limit(b: &mut Builder, chunk: Operand) -> Operand {
    let i64t = b.m.types.int(64);
    let size_at = b.offset(chunk, 8);
    let size = b.load(i64t, size_at, 8);
    let data = b.offset(chunk, HEADER);
    b.offset_by(data, size)
}

/// Takes the chunks from one up to another, which is left out, and puts them before those of a list, in which each
/// leads to the next.
fn take_until(b: &mut Builder, (from, until): (Operand, Operand), taken: Operand) -> Operand {
    let ptr = b.m.types.ptr();
    let entry = b.at;
    let [head, body, done] = ["head", "take", "taken"].map(|n| b.f.add_block(n));
    b.br(head);
    b.at = head;
    let phis = [from, taken].map(|start| {
        let incoming = vec![(start, entry)];
        b.push(InstKind::Phi { fast: Default::default(), incoming }, ptr)
    });
    let [chunk, list] = phis.map(|phi| b.result(phi));
    let end = b.icmp(IntPred::Eq, chunk, until);
    b.cond_br(end, done, body);
    b.at = body;
    let next = b.load(ptr, chunk, 8);
    b.store(list, chunk, 8);
    for (phi, value) in phis.into_iter().zip([next, chunk]) {
        if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
            incoming.push((value, body));
        }
    }
    b.br(head);
    b.at = done;
    list
}
