//! Additions that a thread keeps to itself until somebody may look ([`crate::analysis::parallel`]).
//!
//! A thread keeps sums of its own for the pages of memory that it adds to, and finds them by a table:
//!
//! ```text
//! of a thread:  { table, first block, additions in one piece since the last block, claims of the team or null }
//! table:        { number of the page, its sums } …, the page's number modulo their count
//! block:        { next block, address of the page (odd if it is claimed), its sums … }
//! claims:       number of the page …, by the same index
//! ```
//!
//! *Claims.* Where barriers alone put threads in an order, the first to add to a page claims it and adds to the memory
//! itself, plainly; the others have sums of their own, which they add in one piece when all have met at a barrier,
//! before they go on. Who finds the slot of its page claimed for another adds in one piece, as all others do then.
//!
//! *Patience.* Elsewhere nobody has a page to itself. One gets a block when the thread has added many times in one
//! piece to others: where each address is met but once, what is kept would have to be added in one piece after all.
//!
//! What is judged has small pages and tables and little patience, so that short runs come to everything that long ones
//! do; a native program has more of all.

use crate::base::builder::Builder;
use crate::base::names::{GATHER, SETTLE, SETTLE_ALL, declare, internal};
use crate::emit::atomic_add::{add_plainly, alone, atomic_add, update};
use crate::runtime::refuse::message;
use crate::runtime::tape::refuse_if;
use ir::{
    Atomic, BinOp, BlockId, CastOp, FloatKind, FuncId, GepFlags, Global, InstKind, IntPred, Module, Operand, Ordering,
    RmwOp, Type, TypeId,
};

/// Bytes of a slot of a table, as a power of two.
const SLOT: u64 = 4;

/// The variables that say how large a page is and how many slots a table has, as powers of two, and how often is added
/// in one piece before one more page gets a block (to fill and to empty it costs about as much): where a program is
/// judged, and in native code.
const PAGE: (&str, u64, u64) = ("__adj_gathering_page", 6, 11);
const SLOTS: (&str, u64, u64) = ("__adj_gathering_slots", 5, 12);
const PATIENCE: (&str, u64, u64) = ("__adj_gathering_patience", 6, 64);

/// Where the first block, the count of additions, and the claims are in what belongs to a thread.
const FIRST: u64 = 8;
const ADDED: u64 = 16;
const CLAIMS: u64 = 24;
const OWN_WORDS: u64 = 4;

/// Where a block has the address of its page, and the sums.
const ADDRESS: u64 = 8;
const SUMS: u64 = 16;

const NO_MEMORY: &str = "no memory for what a thread adds to adjoints\n";

/// Makes the additions of a module those of native code.
pub fn install(m: &mut Module) {
    for (name, _, native) in [PAGE, SLOTS, PATIENCE] {
        if let Some(variable) = m.global(name) {
            m.globals[variable].init = m.int(64, u128::from(native)).constant();
        }
    }
}

/// The value of such a variable.
fn setting(b: &mut Builder, (name, judged, _): (&str, u64, u64)) -> Operand {
    let i64t = b.m.types.int(64);
    let variable = b.m.global(name).unwrap_or_else(|| {
        let mut global = Global::new(name, i64t, b.m.int(64, u128::from(judged)).constant());
        global.flags.linkage = "internal".to_owned();
        global.constant = true;
        b.m.globals.push(global)
    });
    let variable = b.m.global_address(variable);
    b.load(i64t, variable, 8)
}

/// So much as a variable says that has the power of two.
fn power(b: &mut Builder, of: (&str, u64, u64)) -> Operand {
    let (bits, one) = (setting(b, of), b.m.int(64, 1));
    b.binary(BinOp::Shl, one, bits)
}

/// What belongs to the thread that executes this.
fn own(b: &mut Builder, kind: FloatKind) -> Operand {
    let name = format!("__adj_gathered_{}", kind.keyword());
    let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
    let variable = b.m.global(&name).unwrap_or_else(|| {
        let ty = b.m.types.array(OWN_WORDS, i64t);
        let mut global = Global::new(&name, ty, b.m.zero(ty).constant());
        global.flags.linkage = "internal".to_owned();
        global.thread_local = "thread_local".to_owned();
        global.align = 8;
        b.m.globals.push(global)
    });
    let variable = b.m.global_address(variable);
    let address = declare(b.m, "llvm.threadlocal.address.p0", ptr, &[ptr]);
    b.call(address, vec![variable]).unwrap_or(variable)
}

/// The claims of the team of the thread to which this belongs, or null.
fn claims_of(b: &mut Builder, own: Operand) -> Operand {
    let (ptr, at) = (b.m.types.ptr(), b.offset(own, CLAIMS));
    b.load(ptr, at, 8)
}

/// An address, as its place in a page, the page's number, and the index of its slot.
struct Found {
    within: Operand,
    page: Operand,
    index: Operand,
}

impl Found {
    fn of(b: &mut Builder, address: Operand) -> Found {
        let i64t = b.m.types.int(64);
        let address = b.cast(CastOp::PtrToInt, address, i64t);
        let one = b.m.int(64, 1);
        let [low, slots] = [PAGE, SLOTS].map(|of| {
            let count = power(b, of);
            b.binary(BinOp::Sub, count, one)
        });
        let bits = setting(b, PAGE);
        let within = b.binary(BinOp::And, address, low);
        let page = b.binary(BinOp::LShr, address, bits);
        let index = b.binary(BinOp::And, page, slots);
        Found { within, page, index }
    }

    /// The slot of a table.
    fn slot(&self, b: &mut Builder, table: Operand) -> Operand {
        let size = b.m.int(64, u128::from(SLOT));
        let offset = b.binary(BinOp::Shl, self.index, size);
        b.offset_by(table, offset)
    }
}

/// The claim of an index.
fn claim(b: &mut Builder, base: Operand, index: Operand) -> Operand {
    let (elem_ty, ptr, flags) = (b.m.types.int(64), b.m.types.ptr(), GepFlags { inbounds: true, ..Default::default() });
    b.value(InstKind::Gep { elem_ty, flags, base, indices: vec![index] }, ptr)
}

/// Where the thread's sum for an address is: goes on there, or in one of the other blocks where it has none.
fn find(b: &mut Builder, kind: FloatKind, address: Operand, none: BlockId) -> Operand {
    let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
    let own = own(b, kind);
    let [look, found] = ["look", "found"].map(|name| b.f.add_block(name));
    let (table, null) = (b.load(ptr, own, 8), b.m.zero(ptr));
    let empty = b.icmp(IntPred::Eq, table, null);
    b.cond_br(empty, none, look);
    b.at = look;
    let place = Found::of(b, address);
    let slot = place.slot(b, table);
    let known = b.load(i64t, slot, 8);
    let same = b.icmp(IntPred::Eq, known, place.page);
    b.cond_br(same, found, none);
    b.at = found;
    let at = b.offset(slot, 8);
    let sums = b.load(ptr, at, 8);
    behind(b, sums, place.within)
}

/// A byte behind the sums of a page, or behind its first, which need not be of the same object.
fn behind(b: &mut Builder, sums: Operand, bytes: Operand) -> Operand {
    let (elem_ty, ptr) = (b.m.types.int(8), b.m.types.ptr());
    b.value(InstKind::Gep { elem_ty, flags: GepFlags::default(), base: sums, indices: vec![bytes] }, ptr)
}

/// `void @__adj_gather_double(ptr, double)`
fn gather(m: &mut Module, kind: FloatKind) -> FuncId {
    let (ptr, void, ty) = (m.types.ptr(), m.types.void(), m.types.float(kind));
    let mut f = match internal(m, &format!("{GATHER}{}", kind.keyword()), void, &[ptr, ty]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    f.attrs = f.attrs.flag("alwaysinline");
    let anew = gather_anew(m, kind);
    let mut b = Builder::new(m, f);
    let align = b.align(ty);
    let (at, value) = (b.f.param(0), b.f.param(1));
    let [one, many, none] = ["one", "many", "none"].map(|name| b.f.add_block(name));
    let alone = alone(&mut b);
    b.cond_br(alone, one, many);
    b.at = one;
    add_plainly(&mut b, align);
    b.effect(InstKind::Ret(None));
    b.at = many;
    let sum = find(&mut b, kind, at, none);
    let old = b.load(ty, sum, align);
    let new = b.binary(BinOp::FAdd, old, value);
    b.store(new, sum, align);
    b.effect(InstKind::Ret(None));
    b.at = none;
    b.call(anew, vec![at, value]);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// The same where the thread has no sum for the address: it is added in one piece, or the page gets a block.
fn gather_anew(m: &mut Module, kind: FloatKind) -> FuncId {
    let (ptr, void, ty, i64t) = (m.types.ptr(), m.types.void(), m.types.float(kind), m.types.int(64));
    let mut f = match internal(m, &format!("__adj_gather_anew_{}", kind.keyword()), void, &[ptr, ty]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    f.attrs = f.attrs.flag("noinline").flag("cold");
    let calloc = declare(m, "calloc", ptr, &[i64t, i64t]);
    let mut b = Builder::new(m, f);
    let (at, value, align) = (b.f.param(0), b.f.param(1), b.align(ty));
    let (null, zero, one) = (b.m.zero(ptr), b.m.zero(i64t), b.m.int(64, 1));
    let names = ["careful", "start", "make", "made", "have", "unused", "ask", "asked", "block", "free", "fresh"];
    let [careful, start, make, made, have, unused, ask, asked, block, free, fresh] = names.map(|n| b.f.add_block(n));
    let [mine, known, whole] = ["mine", "known", "whole"].map(|name| b.f.add_block(name));
    let own = own(&mut b, kind);
    let table_of_team = claims_of(&mut b, own);
    let claims = b.icmp(IntPred::Ne, table_of_team, null);
    let counter = b.offset(own, ADDED);
    b.cond_br(claims, start, careful);

    b.at = careful;
    let poor = counts_to_patience(&mut b, counter);
    b.cond_br(poor, whole, start);

    b.at = start;
    let table = b.load(ptr, own, 8);
    let empty = b.icmp(IntPred::Eq, table, null);
    b.cond_br(empty, make, have);
    b.at = make;
    let (count, size) = (power(&mut b, SLOTS), b.m.int(64, 1 << SLOT));
    let table = b.call(calloc, vec![count, size]).unwrap_or(null);
    lacks(&mut b, (table, claims), made, whole);
    b.at = made;
    b.store(table, own, 8);
    b.br(have);

    b.at = have;
    let table = b.load(ptr, own, 8);
    let place = Found::of(&mut b, at);
    let slot = place.slot(&mut b, table);
    let taken = b.load(i64t, slot, 8);
    let none = b.icmp(IntPred::Eq, taken, zero);
    b.cond_br(none, unused, whole);
    b.at = unused;
    b.cond_br(claims, ask, block);

    // Whose page is it?
    b.at = ask;
    let claim = claim(&mut b, table_of_team, place.index);
    let (before, ours) = take(&mut b, claim, place.page);
    b.cond_br(ours, block, asked);
    b.at = asked;
    let others = b.icmp(IntPred::Eq, before, place.page);
    b.cond_br(others, block, whole);

    b.at = block;
    let incoming = vec![(zero, unused), (one, ask), (zero, asked)];
    let claimed = b.value(InstKind::Phi { fast: Default::default(), incoming }, i64t);
    let is_claimed = b.icmp(IntPred::Ne, claimed, zero);
    let (whole_page, head) = (power(&mut b, PAGE), b.m.int(64, u128::from(SUMS)));
    let sums = b.select(is_claimed, zero, whole_page);
    let size = b.binary(BinOp::Add, sums, head);
    let new = b.call(calloc, vec![one, size]).unwrap_or(null);
    lacks(&mut b, (new, claims), free, whole);
    b.at = free;
    let first = b.offset(own, FIRST);
    let next = b.load(ptr, first, 8);
    b.store(next, new, 8);
    b.store(new, first, 8);
    // A number: several objects may have parts of the page.
    let bits = setting(&mut b, PAGE);
    let address = b.binary(BinOp::Shl, place.page, bits);
    let marked = b.binary(BinOp::Or, address, claimed);
    let to = b.offset(new, ADDRESS);
    b.store(marked, to, 8);
    b.store(place.page, slot, 8);
    b.store(zero, counter, 8);
    b.cond_br(is_claimed, mine, fresh);
    b.at = mine;
    let page = b.cast(CastOp::IntToPtr, address, ptr);
    b.br(known);
    b.at = fresh;
    let sums = b.offset(new, SUMS);
    b.br(known);
    b.at = known;
    let incoming = vec![(page, mine), (sums, fresh)];
    let sums = b.value(InstKind::Phi { fast: Default::default(), incoming }, ptr);
    let to = b.offset(slot, 8);
    b.store(sums, to, 8);
    let sum = behind(&mut b, sums, place.within);
    let old = b.load(ty, sum, align);
    let new = b.binary(BinOp::FAdd, old, value);
    b.store(new, sum, align);
    b.effect(InstKind::Ret(None));

    b.at = whole;
    update(&mut b, RmwOp::FAdd, (at, value), align);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// Counts an addition; says whether there were too few so far for a table to be worth its memory.
fn counts_to_patience(b: &mut Builder, counter: Operand) -> Operand {
    let (i64t, one) = (b.m.types.int(64), b.m.int(64, 1));
    let added = b.load(i64t, counter, 8);
    let added = b.binary(BinOp::Add, added, one);
    b.store(added, counter, 8);
    let patience = setting(b, PATIENCE);
    b.icmp(IntPred::Ult, added, patience)
}

/// Claims a page that nobody has claimed; gives what was there, and whether it is ours now.
fn take(b: &mut Builder, claim: Operand, page: Operand) -> (Operand, Operand) {
    let (i64t, i1) = (b.m.types.int(64), b.m.types.int(1));
    let exchange = InstKind::CmpXchg {
        ptr: claim,
        expected: b.m.zero(i64t),
        new: page,
        align: 8,
        weak: false,
        volatile: false,
        success: Ordering::Monotonic,
        failure: Ordering::Monotonic,
        scope: String::new(),
    };
    let pair = b.m.types.tuple(vec![i64t, i1]);
    let result = b.value(exchange, pair);
    (b.extract(result, 0), b.extract(result, 1))
}

/// Goes on if there is memory. If there is none, it is added in one piece, unless somebody else may have the page to
/// itself: then the program ends.
fn lacks(b: &mut Builder, (block, claims): (Operand, Operand), there: BlockId, whole: BlockId) {
    let ptr = b.m.types.ptr();
    let null = b.m.zero(ptr);
    let failed = b.icmp(IntPred::Eq, block, null);
    let lost = b.binary(BinOp::And, failed, claims);
    let (refuse, text, length) = (refuse_if(b.m), message(b.m, NO_MEMORY), b.m.int(64, NO_MEMORY.len() as u128));
    b.call(refuse, vec![lost, text, length]);
    b.cond_br(failed, whole, there);
}

/// Adds a sum in one piece, and clears it, unless it is zero.
fn hand_over(b: &mut Builder, kind: FloatKind, (sum, to): (Operand, Operand)) {
    let ty = b.m.types.float(kind);
    let (align, zero) = (b.align(ty), b.m.zero(ty));
    let [add, done] = ["add", "added"].map(|name| b.f.add_block(name));
    let value = b.load(ty, sum, align);
    let nothing = b.float_equal(value, zero);
    b.cond_br(nothing, done, add);
    b.at = add;
    update(b, RmwOp::FAdd, (to, value), align);
    b.store(zero, sum, align);
    b.br(done);
    b.at = done;
}

/// `void @__adj_settle_double(ptr)`: adds what the thread has for an address.
fn settle(m: &mut Module, kind: FloatKind) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let mut f = match internal(m, &format!("{SETTLE}{}", kind.keyword()), void, &[ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    f.attrs = f.attrs.flag("alwaysinline");
    let mut b = Builder::new(m, f);
    let at = b.f.param(0);
    let [none, kept] = ["none", "kept"].map(|name| b.f.add_block(name));
    let sum = find(&mut b, kind, at, none);
    let there = b.icmp(IntPred::Eq, sum, at);
    b.cond_br(there, none, kept);
    b.at = kept;
    hand_over(&mut b, kind, (sum, at));
    b.br(none);
    b.at = none;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void @__adj_settle_all_double()`: adds all that the thread has, and gives the memory back.
fn settle_all(m: &mut Module, kind: FloatKind) -> FuncId {
    let (ptr, void, i64t, ty) = (m.types.ptr(), m.types.void(), m.types.int(64), m.types.float(kind));
    let f = match internal(m, &format!("{SETTLE_ALL}{}", kind.keyword()), void, &[]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let free = declare(m, "free", void, &[ptr]);
    let mut b = Builder::new(m, f);
    let (null, zero, one) = (b.m.zero(ptr), b.m.zero(i64t), b.m.int(64, 1));
    let own = own(&mut b, kind);
    let table = b.load(ptr, own, 8);
    let exists = b.icmp(IntPred::Ne, table, null);
    b.only_if(exists, |b| {
        let at = b.offset(own, FIRST);
        let first = b.load(ptr, at, 8);
        let more = |b: &mut Builder, block: &[Operand]| b.icmp(IntPred::Ne, block[0], null);
        b.repeat(&[first], more, |b, block| {
            let (sums, place) = (b.offset(block[0], SUMS), b.offset(block[0], ADDRESS));
            let page = b.load(i64t, place, 8);
            let odd = b.binary(BinOp::And, page, one);
            let is_claimed = b.icmp(IntPred::Ne, odd, zero);
            b.only_if(is_claimed, |b| {
                let (bits, mask) = (setting(b, PAGE), power(b, SLOTS));
                let (number, mask) = (b.binary(BinOp::LShr, page, bits), b.binary(BinOp::Sub, mask, one));
                let index = b.binary(BinOp::And, number, mask);
                let claims = claims_of(b, own);
                let ptr = claim(b, claims, index);
                let atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
                b.effect(InstKind::Store { value: zero, ptr, align: 8, volatile: false, atomic });
            });
            let whole = power(b, PAGE);
            let (end, step) = (b.select(is_claimed, zero, whole), b.m.int(64, u128::from(b.m.size_of(ty))));
            let more = |b: &mut Builder, at: &[Operand]| b.icmp(IntPred::Ult, at[0], end);
            b.repeat(&[zero], more, |b, at| {
                let (sum, to) = (b.offset_by(sums, at[0]), b.binary(BinOp::Add, page, at[0]));
                let to = b.cast(CastOp::IntToPtr, to, ptr);
                hand_over(b, kind, (sum, to));
                vec![b.binary(BinOp::Add, at[0], step)]
            });
            let next = b.load(ptr, block[0], 8);
            b.call(free, vec![block[0]]);
            vec![next]
        });
        b.call(free, vec![table]);
        b.store(null, own, 8);
        b.store(null, at, 8);
    });
    let counter = b.offset(own, ADDED);
    b.store(zero, counter, 8);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// Room for the claims of a team, or null.
pub(crate) fn make_claims(b: &mut Builder) -> Operand {
    let (ptr, i64t) = (b.m.types.ptr(), b.m.types.int(64));
    let calloc = declare(b.m, "calloc", ptr, &[i64t, i64t]);
    let (count, size, null) = (power(b, SLOTS), b.m.int(64, 8), b.m.zero(ptr));
    b.call(calloc, vec![count, size]).unwrap_or(null)
}

/// From here on the thread keeps its claims there; with null it claims no more.
pub(crate) fn set_claims(b: &mut Builder, kind: FloatKind, claims: Operand) {
    let own = own(b, kind);
    let at = b.offset(own, CLAIMS);
    b.store(claims, at, 8);
}

/// Adds each float of a vector, or one, to memory of its natural alignment, in the end.
pub(crate) fn gathered_add(b: &mut Builder, ptr: Operand, ty: TypeId, value: Operand) -> Result<(), &'static str> {
    match *b.m.types.get(ty) {
        Type::Float(kind @ (FloatKind::Float | FloatKind::Double)) => {
            let gather = gather(b.m, kind);
            b.call(gather, vec![ptr, value]);
            Ok(())
        }
        Type::Vector { len, elem } => {
            for lane in 0..u64::from(len) {
                let index = b.m.int(32, u128::from(lane));
                let part = b.value(InstKind::ExtractElement { vector: value, index }, elem);
                let offset = b.m.layout.element_offset(&b.m.types, ty, lane).unwrap_or(0);
                let at = b.offset(ptr, offset);
                gathered_add(b, at, elem, part)?;
            }
            Ok(())
        }
        _ => atomic_add(b, ptr, ty, value, 0),
    }
}

/// Adds what the thread has for `size` bytes, so that they may be read.
pub(crate) fn settle_bytes(b: &mut Builder, kinds: &[FloatKind], ptr: Operand, size: u64) {
    for kind in kinds {
        let ty = b.m.types.float(*kind);
        let settle = settle(b.m, *kind);
        for offset in (0..size).step_by(b.m.size_of(ty) as usize) {
            let at = b.offset(ptr, offset);
            b.call(settle, vec![at]);
        }
    }
}

/// Adds all that the thread has, before another one may look.
pub(crate) fn settle_everything(b: &mut Builder, kinds: &[FloatKind]) {
    for kind in kinds {
        let settle = settle_all(b.m, *kind);
        b.call(settle, Vec::new());
    }
}
