//! Marks on the tape: what a part of the reverse pass takes of it is given back when the part has ended.
//!
//! An iteration that is executed and reversed at one go ([`crate::joint`]) keeps nothing for others. It notes where the tape stands ([`tape_mark`]), and in
//! the end sets it back ([`tape_release`]). Chunks that have come in between are not freed but become one, which stays in front, so that the next
//! iteration, if it keeps as much, allocates nothing. A chunk that was empty at the mark counts as such a chunk; so the longest iteration decides
//! how much is kept in the end, not the sum of all. Marks may lie within each other: of two at the same place both know the same chunks.

use crate::build::Builder;
use crate::runtime::{HEADER, chunk_free, chunk_new, internal};
use ir::{Attr, AttrValue, BinOp, FuncId, InstKind, IntPred, Module, Operand, TypeId};

/// Size in bytes of a mark: the chunk that was in front, the one behind it, the next free byte, and the end of the chunk.
pub const MARK_SIZE: u64 = 32;

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
    let none = b.icmp(IntPred::Eq, chunk, null);
    b.cond_br(none, done, some);
    b.at = some;
    let before = b.load(ptr, chunk, 8);
    let first = b.offset(chunk, HEADER);
    let unused = b.icmp(IntPred::Eq, next, first);
    let alone = b.icmp(IntPred::Eq, before, null);
    let no = b.m.int(1, 0);
    let behind = b.select(alone, no, unused);
    let front = b.select(unused, before, chunk);
    let previous = b.select(unused, null, before);
    b.cond_br(behind, empty, done);
    b.at = empty;
    let further = b.load(ptr, before, 8);
    b.br(done);
    b.at = done;
    let incoming = vec![(null, entry), (front, some), (before, empty)];
    let front = b.value(InstKind::Phi { fast: Default::default(), incoming }, ptr);
    let incoming = vec![(null, entry), (previous, some), (further, empty)];
    let previous = b.value(InstKind::Phi { fast: Default::default(), incoming }, ptr);
    for (n, value) in [front, previous, next, end].into_iter().enumerate() {
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
    let (new, free) = (chunk_new(m), chunk_free(m));
    let mut b = Builder::new(m, f);
    let (tape, mark) = (b.f.param(0), b.f.param(1));
    let (null, zero) = (b.m.zero(ptr), b.m.int(64, 0));
    let [next, end, chunk] = [0, 8, 16].map(|n| b.offset(tape, n));
    let [front, previous, was_next, was_end] = [0, 8, 16, 24].map(|n| {
        let at = b.offset(mark, n);
        b.load(ptr, at, 8)
    });
    let latest = b.load(ptr, chunk, 8);
    let taken = Taken { list: null, bytes: zero };
    // What came in front of the chunk that was there, then what came behind it.
    let taken = take_until(&mut b, latest, front, taken);
    let [behind, look, same, several, one, each, freed, keep] =
        ["behind", "look", "same", "several", "one", "each", "freed", "keep"].map(|n| b.f.add_block(n));
    let (all, from) = (b.icmp(IntPred::Eq, front, null), b.at);
    b.cond_br(all, look, behind);
    b.at = behind;
    let second = b.load(ptr, front, 8);
    let more = take_until(&mut b, second, previous, taken);
    b.store(previous, front, 8);
    let at = b.at;
    b.br(look);

    b.at = look;
    let phi = |b: &mut Builder, ty, incoming| b.value(InstKind::Phi { fast: Default::default(), incoming }, ty);
    let i64t = b.m.types.int(64);
    let list = phi(&mut b, ptr, vec![(taken.list, from), (more.list, at)]);
    let bytes = phi(&mut b, i64t, vec![(taken.bytes, from), (more.bytes, at)]);
    let none = b.icmp(IntPred::Eq, list, null);
    b.cond_br(none, same, several);

    b.at = same;
    b.store(was_next, next, 8);
    b.store(was_end, end, 8);
    b.effect(InstKind::Ret(None));

    b.at = several;
    let rest = b.load(ptr, list, 8);
    let single = b.icmp(IntPred::Eq, rest, null);
    b.cond_br(single, keep, one);
    b.at = one;
    b.br(each);
    b.at = each;
    let last = b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(list, one)] }, ptr);
    let victim = b.result(last);
    let after = b.load(ptr, victim, 8);
    b.call(free, vec![victim]);
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[last].kind {
        incoming.push((after, each));
    }
    let gone = b.icmp(IntPred::Eq, after, null);
    b.cond_br(gone, freed, each);
    b.at = freed;
    let made = b.call(new, vec![bytes]).unwrap_or(null);
    b.br(keep);

    b.at = keep;
    let kept = phi(&mut b, ptr, vec![(list, several), (made, freed)]);
    b.store(front, kept, 8);
    b.store(kept, chunk, 8);
    let data = b.offset(kept, HEADER);
    b.store(data, next, 8);
    let size_at = b.offset(kept, 8);
    let size = b.load(i64t, size_at, 8);
    let limit = b.offset_by(data, size);
    b.store(limit, end, 8);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// Chunks that were taken out of a tape: the first, each of which leads to the next, and how many bytes they have room for.
#[derive(Clone, Copy)]
struct Taken {
    list: Operand,
    bytes: Operand,
}

/// Takes the chunks from one up to another, which is left out.
fn take_until(b: &mut Builder, from: Operand, until: Operand, taken: Taken) -> Taken {
    let (ptr, i64t): (TypeId, TypeId) = (b.m.types.ptr(), b.m.types.int(64));
    let entry = b.at;
    let [head, body, done] = ["head", "take", "taken"].map(|n| b.f.add_block(n));
    b.br(head);
    b.at = head;
    let phis = [(from, ptr), (taken.list, ptr), (taken.bytes, i64t)].map(|(start, ty)| {
        let incoming = vec![(start, entry)];
        b.push(InstKind::Phi { fast: Default::default(), incoming }, ty)
    });
    let [chunk, list, bytes] = phis.map(|phi| b.result(phi));
    let end = b.icmp(IntPred::Eq, chunk, until);
    b.cond_br(end, done, body);
    b.at = body;
    let next = b.load(ptr, chunk, 8);
    b.store(list, chunk, 8);
    let size_at = b.offset(chunk, 8);
    let size = b.load(i64t, size_at, 8);
    let sum = b.binary(BinOp::Add, bytes, size);
    for (phi, value) in phis.into_iter().zip([next, chunk, sum]) {
        if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
            incoming.push((value, body));
        }
    }
    b.br(head);
    b.at = done;
    Taken { list, bytes }
}
