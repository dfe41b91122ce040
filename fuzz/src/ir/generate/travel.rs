//! Numbers and pointers that travel as something else: as words whose bits are changed, kept somewhere and changed
//! back; and active numbers that are stored through a pointer that may lead to constant memory.
//!
//! What comes back is what left, bit for bit, so that the program is what it would be without the way.

use super::memory::Array;
use super::{Body, Known};
use crate::ir::ty::Ty;
use ir::{Atomic, BinOp, CastOp, InstKind, Operand, Ordering, RmwOp};

/// A permutation of words.
#[derive(Clone, Copy)]
enum Step {
    Swap,
    SwapByHand,
    Rotate(u32),
    RotateByHand(u32),
    Reverse,
    Key(Operand),
    Complement,
    Add(Operand),
    Multiply,
    Order,
    Gray,
}

/// Where a word is between.
#[derive(Clone, Copy)]
enum Kept {
    Register,
    Slot,
    Volatile,
    Atomic,
    Bytes,
    BytesAtOnce,
    ByteByByte,
    Halves,
    HalvesAtOnce,
    ByteVector,
    Vector,
    Aggregate,
    Wide,
    Copied,
    Phi,
    Select,
    Pointer,
    Freeze,
}

const KEPT: [(Kept, &str); 18] = [
    (Kept::Register, "word: in a register"),
    (Kept::Slot, "word: in memory"),
    (Kept::Volatile, "word: in volatile memory"),
    (Kept::Atomic, "word: in atomic memory"),
    (Kept::Bytes, "word: in bytes by shifts"),
    (Kept::BytesAtOnce, "word: in bytes, read at once"),
    (Kept::ByteByByte, "word: byte by byte"),
    (Kept::Halves, "word: in halves"),
    (Kept::HalvesAtOnce, "word: in halves, read at once"),
    (Kept::ByteVector, "word: in a vector of bytes"),
    (Kept::Vector, "word: in a vector"),
    (Kept::Aggregate, "word: in an aggregate"),
    (Kept::Wide, "word: in a wide integer"),
    (Kept::Copied, "word: copied by memcpy"),
    (Kept::Phi, "word: through a phi"),
    (Kept::Select, "word: through a select"),
    (Kept::Pointer, "word: as a pointer"),
    (Kept::Freeze, "word: frozen"),
];

/// Names of all constructs that the census of generated programs knows from here.
pub fn names() -> Vec<&'static str> {
    let mut all: Vec<&str> = KEPT.iter().map(|(_, name)| *name).collect();
    all.extend(["number as a word", "single as a word", "pointer as a word", "pointers in a vector"]);
    all.extend(["pointer in an aggregate", "pointer with a tag", "word: cast", "word: in a union"]);
    all.extend(["bits: bytes swapped", "bits: bytes swapped by hand", "bits: rotated", "bits: rotated by hand"]);
    all.extend(["bits: reversed", "bits: under a key", "bits: complement", "bits: added to", "bits: multiplied"]);
    all.extend(["bits: key of the same order", "bits: gray code", "key is an address"]);
    all.extend([
        "constant or own: select",
        "constant or own: phi",
        "constant or own: table",
        "constant or own: vector",
    ]);
    all.extend(["constant or own: callee", "constant memory as scratch", "constant memory read again"]);
    all.extend(super::bytes::names());
    all
}

impl Body<'_, '_> {
    /// A number or a pointer that travels.
    pub(super) fn travel(&mut self) {
        if self.c.chance(self.odds.travel.pointer) { self.pointer_travels() } else { self.number_travels() }
    }

    fn number_travels(&mut self) {
        let float = self.any_float();
        let Some(bits) = float.kind().map(ir::FloatKind::bits).filter(|bits| matches!(bits, 32 | 64)) else { return };
        self.b.note(if bits == 64 { "number as a word" } else { "single as a word" });
        let value = self.value(float, 2);
        let word = Ty::int(bits);
        let out = self.as_word(word, float, value, CastOp::BitCast);
        let kept = self.changed_and_kept(word, out);
        let back = self.as_word(float, word, kept, CastOp::BitCast);
        self.keep(back, float);
    }

    fn pointer_travels(&mut self) {
        let Some(array) = self.some_array() else { return self.allocate() };
        let base = match self.c.index(8) {
            0 => self.pointers_in_a_vector(&array),
            1 => self.pointer_in_an_aggregate(&array),
            2 if array.cell.lanes.is_none() && array.cell.bits() == 64 => self.pointer_with_a_tag(&array),
            _ => {
                self.b.note("pointer as a word");
                let word = Ty::int(64);
                let out = self.as_word(word, Ty::PTR, array.base, CastOp::PtrToInt);
                let kept = self.changed_and_kept(word, out);
                self.as_word(Ty::PTR, word, kept, CastOp::IntToPtr)
            }
        };
        self.arrays.push(Array { base, root: None, ..array });
    }

    /// The same bits as another type: by a cast, or through memory.
    fn as_word(&mut self, to: Ty, from: Ty, value: Operand, cast: CastOp) -> Operand {
        if self.c.chance(60) {
            self.b.note("word: cast");
            return self.b.cast(cast, to, value);
        }
        self.b.note("word: in a union");
        let (from, to) = (self.b.ty(from), self.b.ty(to));
        let slot = self.b.alloca(from, 8);
        self.b.store(value, slot, 8);
        self.b.load(to, slot, 8)
    }

    /// A word, after some steps, a stay somewhere, and the inverse steps.
    fn changed_and_kept(&mut self, ty: Ty, word: Operand) -> Operand {
        let steps: Vec<Step> = (0..self.c.int(0, self.odds.travel.steps)).map(|_| self.draw_step(ty)).collect();
        let mut word = word;
        for step in &steps {
            word = self.step(*step, ty, word, false);
        }
        let (kept, name) = self.c.pick(&KEPT).unwrap_or(KEPT[0]);
        self.b.note(name);
        word = self.kept(kept, ty, word);
        for step in steps.iter().rev() {
            word = self.step(*step, ty, word, true);
        }
        word
    }

    fn draw_step(&mut self, ty: Ty) -> Step {
        let by = self.c.int(1, i64::from(ty.bits()) - 1) as u32;
        let by = if self.c.chance(50) { (by / 8 * 8).max(8) } else { by };
        let (step, name) = match self.c.index(11) {
            0 => (Step::Swap, "bits: bytes swapped"),
            1 => (Step::SwapByHand, "bits: bytes swapped by hand"),
            2 => (Step::Rotate(by), "bits: rotated"),
            3 => (Step::RotateByHand(by), "bits: rotated by hand"),
            4 => (Step::Reverse, "bits: reversed"),
            5 => (Step::Key(self.key(ty)), "bits: under a key"),
            6 => (Step::Complement, "bits: complement"),
            7 => (Step::Add(self.key(ty)), "bits: added to"),
            8 => (Step::Multiply, "bits: multiplied"),
            9 => (Step::Order, "bits: key of the same order"),
            _ => (Step::Gray, "bits: gray code"),
        };
        self.b.note(name);
        step
    }

    /// A constant, an integer that is there, or the address of an array.
    fn key(&mut self, ty: Ty) -> Operand {
        match self.c.index(4) {
            0 => {
                let same = |k: &&Known| k.ty == ty;
                let known: Vec<Operand> = self.known.iter().rev().filter(same).take(4).map(|k| k.value).collect();
                self.c.pick(&known).unwrap_or_else(|| self.b.bits(ty, 0x9e37_79b9_7f4a_7c15))
            }
            1 if ty.bits() == 64 => match self.some_array() {
                Some(array) => {
                    self.b.note("key is an address");
                    self.b.cast(CastOp::PtrToInt, ty, array.base)
                }
                None => self.b.bits(ty, 1),
            },
            _ => {
                let value = self.c.int(1, i64::MAX) as u128;
                self.b.bits(ty, value)
            }
        }
    }

    fn step(&mut self, step: Step, ty: Ty, word: Operand, back: bool) -> Operand {
        let bits = ty.bits();
        match step {
            Step::Swap => self.b.uniform("llvm.bswap", ty, vec![word]),
            Step::Reverse => self.b.uniform("llvm.bitreverse", ty, vec![word]),
            Step::SwapByHand => {
                let mut word = word;
                let mut half = 8;
                while half < bits {
                    // Bits whose place has no `half` in it.
                    let mask = (0..bits).filter(|b| b & half == 0).fold(0u128, |mask, b| mask | 1 << b);
                    let (mask, by) = (self.b.bits(ty, mask), self.b.bits(ty, u128::from(half)));
                    let low = self.b.binary(BinOp::And, ty, word, mask);
                    let up = self.b.binary(BinOp::Shl, ty, low, by);
                    let high = self.b.binary(BinOp::LShr, ty, word, by);
                    let down = self.b.binary(BinOp::And, ty, high, mask);
                    word = self.b.binary(BinOp::Or, ty, up, down);
                    half *= 2;
                }
                word
            }
            Step::Rotate(by) => {
                let by = self.b.bits(ty, u128::from(by));
                self.b.uniform(if back { "llvm.fshr" } else { "llvm.fshl" }, ty, vec![word, word, by])
            }
            Step::RotateByHand(by) => {
                let left = if back { bits - by } else { by };
                let (left, right) = (self.b.bits(ty, u128::from(left)), self.b.bits(ty, u128::from(bits - left)));
                let (up, down) =
                    (self.b.binary(BinOp::Shl, ty, word, left), self.b.binary(BinOp::LShr, ty, word, right));
                self.b.binary(BinOp::Or, ty, up, down)
            }
            Step::Key(key) => self.b.binary(BinOp::Xor, ty, word, key),
            Step::Complement => {
                let all = self.b.bits(ty, u128::MAX);
                self.b.binary(BinOp::Xor, ty, word, all)
            }
            Step::Add(term) => self.b.binary(if back { BinOp::Sub } else { BinOp::Add }, ty, word, term),
            Step::Multiply => {
                // An odd number and its inverse modulo 2^64, so modulo 2^32 too.
                let by = self.b.bits(ty, if back { 0xf1de_83e1_9937_733d } else { 0x9e37_79b9_7f4a_7c15 });
                self.b.binary(BinOp::Mul, ty, word, by)
            }
            Step::Order => {
                // All bits of what is negative are turned, of what is not the sign alone.
                let (last, top) = (self.b.bits(ty, u128::from(bits - 1)), self.b.bits(ty, 1 << (bits - 1)));
                let spread = self.b.binary(BinOp::AShr, ty, word, last);
                let spread = match back {
                    true => {
                        let all = self.b.bits(ty, u128::MAX);
                        self.b.binary(BinOp::Xor, ty, spread, all)
                    }
                    false => spread,
                };
                let mask = self.b.binary(BinOp::Or, ty, spread, top);
                self.b.binary(BinOp::Xor, ty, word, mask)
            }
            Step::Gray => {
                let mut word = word;
                let mut by = 1;
                while by < bits {
                    let amount = self.b.bits(ty, u128::from(by));
                    let shifted = self.b.binary(BinOp::LShr, ty, word, amount);
                    word = self.b.binary(BinOp::Xor, ty, word, shifted);
                    by = if back { 2 * by } else { bits };
                }
                word
            }
        }
    }

    /// Puts a word somewhere and takes it from there.
    fn kept(&mut self, kept: Kept, ty: Ty, word: Operand) -> Operand {
        let (id, bits) = (self.b.ty(ty), ty.bits());
        match kept {
            Kept::Register => word,
            Kept::Slot => {
                let slot = self.b.alloca(id, 8);
                self.b.store(word, slot, 8);
                self.b.load(id, slot, 8)
            }
            Kept::Volatile => {
                let ptr = self.b.alloca(id, 8);
                self.b.effect(InstKind::Store { value: word, ptr, align: 8, volatile: true, atomic: None });
                self.b.emit(InstKind::Load { ptr, align: 8, volatile: true, atomic: None }, id)
            }
            Kept::Atomic => self.through_atomic(ty, word),
            Kept::Bytes | Kept::BytesAtOnce => {
                let at_once = matches!(kept, Kept::BytesAtOnce);
                self.in_parts(ty, word, 8, at_once)
            }
            Kept::Halves | Kept::HalvesAtOnce => {
                let at_once = matches!(kept, Kept::HalvesAtOnce);
                self.in_parts(ty, word, bits / 2, at_once)
            }
            Kept::ByteByByte | Kept::Copied => self.copied(kept, ty, word),
            Kept::ByteVector => {
                let count = bits / 8;
                let of = Ty::int(8).times(count);
                let of_id = self.b.ty(of);
                let shift = self.c.int(1, i64::from(count) - 1) as u32;
                let mut vector = self.b.cast(CastOp::BitCast, of, word);
                // Turned there and back.
                for by in [shift, count - shift] {
                    let mask = (0..count).map(|lane| Some((lane + by) % count)).collect();
                    vector = self.b.emit(InstKind::ShuffleVector { a: vector, b: vector, mask }, of_id);
                }
                self.b.cast(CastOp::BitCast, ty, vector)
            }
            Kept::Vector => {
                let of = self.b.ty(ty.times(2));
                let (zero, one) = (self.b.i64(0), self.b.i64(1));
                let other = self.constant(ty);
                let mut vector = self.b.poison(of);
                for (value, index) in [(word, zero), (other, one)] {
                    vector = self.b.emit(InstKind::InsertElement { vector, value, index }, of);
                }
                let mask = vec![Some(1), Some(0)];
                let vector = self.b.emit(InstKind::ShuffleVector { a: vector, b: vector, mask }, of);
                self.b.emit(InstKind::ExtractElement { vector, index: one }, id)
            }
            Kept::Aggregate => {
                let int = self.b.ty(Ty::int(32));
                let both = self.b.module.types.tuple(vec![int, id]);
                let (aggregate, tag) = (self.b.poison(both), self.b.i32(7));
                let with = InstKind::InsertValue { aggregate, value: tag, indices: vec![0] };
                let aggregate = self.b.emit(with, both);
                let with = InstKind::InsertValue { aggregate, value: word, indices: vec![1] };
                let aggregate = self.b.emit(with, both);
                self.b.emit(InstKind::ExtractValue { aggregate, indices: vec![1] }, id)
            }
            Kept::Wide => {
                let wide = Ty::int(2 * bits);
                let (by, other) = (self.b.bits(wide, u128::from(bits)), self.b.bits(wide, 0x1234_5678));
                let large = self.b.cast(CastOp::ZExt, wide, word);
                let up = self.b.binary(BinOp::Shl, wide, large, by);
                let both = self.b.binary(BinOp::Or, wide, up, other);
                let down = self.b.binary(BinOp::LShr, wide, both, by);
                self.b.cast(CastOp::Trunc, ty, down)
            }
            Kept::Phi => {
                let cond = self.condition(Ty::BIT, 1);
                let before = self.b.block;
                let (then_to, join) = (self.b.new_block(), self.b.new_block());
                self.b.cond_br(cond, then_to, join);
                self.b.block = then_to;
                let turned = self.step(Step::Complement, ty, word, false);
                let again = self.step(Step::Complement, ty, turned, true);
                self.b.br(join);
                self.b.block = join;
                self.b.phi(id, vec![(word, before), (again, then_to)])
            }
            Kept::Select => {
                let cond = self.condition(Ty::BIT, 1);
                let turned = self.step(Step::Complement, ty, word, false);
                let chosen = self.b.select(id, cond, word, turned);
                let other = self.step(Step::Complement, ty, chosen, false);
                self.b.select(id, cond, chosen, other)
            }
            Kept::Pointer if bits == 64 => {
                let pointer = self.b.cast(CastOp::IntToPtr, Ty::PTR, word);
                self.b.cast(CastOp::PtrToInt, ty, pointer)
            }
            Kept::Pointer | Kept::Freeze => self.b.emit(InstKind::Freeze(word), id),
        }
    }

    fn through_atomic(&mut self, ty: Ty, word: Operand) -> Operand {
        let (ptr, id, align) = (self.b.ty(ty), self.b.ty(ty), u64::from(ty.bits() / 8));
        let ptr = self.b.alloca(ptr, align);
        let zero = self.b.bits(ty, 0);
        self.b.store(zero, ptr, align);
        let atomic = || Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
        if self.c.chance(50) {
            self.b.effect(InstKind::Store { value: word, ptr, align, volatile: false, atomic: atomic() });
            return self.b.emit(InstKind::Load { ptr, align, volatile: false, atomic: atomic() }, id);
        }
        let (ordering, scope) = (Ordering::SeqCst, String::new());
        let exchange = |value| InstKind::AtomicRmw {
            op: RmwOp::Xchg,
            ptr,
            value,
            align,
            volatile: false,
            ordering,
            scope: scope.clone(),
        };
        self.b.emit(exchange(word), id);
        self.b.emit(exchange(zero), id)
    }

    /// In parts of so many bits in memory, which are put together again, or read at once.
    fn in_parts(&mut self, ty: Ty, word: Operand, part: u32, at_once: bool) -> Operand {
        let (of, count) = (Ty::int(part), ty.bits() / part);
        let (of_id, id) = (self.b.ty(of), self.b.ty(ty));
        let array = self.b.module.types.array(u64::from(count), of_id);
        let slot = self.b.alloca(array, 8);
        let align = u64::from(part / 8);
        for index in 0..count {
            let by = self.b.bits(ty, u128::from(index * part));
            let shifted = if index == 0 { word } else { self.b.binary(BinOp::LShr, ty, word, by) };
            let value = self.b.cast(CastOp::Trunc, of, shifted);
            let index = self.b.i64(u64::from(index));
            let at = self.b.gep(of_id, slot, vec![index]);
            self.b.store(value, at, align);
        }
        if at_once {
            return self.b.load(id, slot, 8);
        }
        let mut whole = self.b.bits(ty, 0);
        for index in 0..count {
            let by = self.b.bits(ty, u128::from(index * part));
            let index = self.b.i64(u64::from(index));
            let at = self.b.gep(of_id, slot, vec![index]);
            let value = self.b.load(of_id, at, align);
            let value = self.b.cast(CastOp::ZExt, ty, value);
            let value = self.b.binary(BinOp::Shl, ty, value, by);
            whole = self.b.binary(BinOp::Or, ty, whole, value);
        }
        whole
    }

    /// Copied to other memory by `memcpy`, or byte by byte.
    fn copied(&mut self, kept: Kept, ty: Ty, word: Operand) -> Operand {
        let (id, byte) = (self.b.ty(ty), self.b.ty(Ty::int(8)));
        let bytes = u64::from(ty.bits() / 8);
        let raw = self.b.module.types.array(bytes, byte);
        let (from, to) = (self.b.alloca(id, 8), self.b.alloca(raw, 8));
        self.b.store(word, from, 8);
        if matches!(kept, Kept::Copied) {
            let bytes = self.b.i64(bytes);
            self.copy_bytes(to, from, bytes, true);
            return self.b.load(id, to, 8);
        }
        for index in 0..bytes {
            let index = self.b.i64(index);
            let at = self.b.gep(byte, from, vec![index]);
            let value = self.b.load(byte, at, 1);
            let at = self.b.gep(byte, to, vec![index]);
            self.b.store(value, at, 1);
        }
        self.b.load(id, to, 8)
    }

    fn pointers_in_a_vector(&mut self, array: &Array) -> Operand {
        self.b.note("pointers in a vector");
        let other = self.some_array().map_or(array.base, |other| other.base);
        let (ptr, pair) = (self.b.module.types.ptr(), self.b.ty(Ty::PTR.times(2)));
        let mut vector = self.b.poison(pair);
        for (value, index) in [(other, 0), (array.base, 1)] {
            let index = self.b.i64(index);
            vector = self.b.emit(InstKind::InsertElement { vector, value, index }, pair);
        }
        if self.c.chance(50) {
            let slot = self.b.alloca(pair, 16);
            self.b.store(vector, slot, 16);
            vector = self.b.load(pair, slot, 16);
        }
        let mask = vec![Some(1), Some(0)];
        let vector = self.b.emit(InstKind::ShuffleVector { a: vector, b: vector, mask }, pair);
        let index = self.b.i64(0);
        self.b.emit(InstKind::ExtractElement { vector, index }, ptr)
    }

    fn pointer_in_an_aggregate(&mut self, array: &Array) -> Operand {
        self.b.note("pointer in an aggregate");
        let (ptr, word) = (self.b.module.types.ptr(), self.b.ty(Ty::int(64)));
        let both = self.b.module.types.tuple(vec![word, ptr]);
        let (poison, tag) = (self.b.poison(both), self.b.i64(3));
        let first = self.b.emit(InstKind::InsertValue { aggregate: poison, value: tag, indices: vec![0] }, both);
        let with = InstKind::InsertValue { aggregate: first, value: array.base, indices: vec![1] };
        let mut aggregate = self.b.emit(with, both);
        if self.c.chance(50) {
            let slot = self.b.alloca(both, 8);
            self.b.store(aggregate, slot, 8);
            aggregate = self.b.load(both, slot, 8);
        }
        self.b.emit(InstKind::ExtractValue { aggregate, indices: vec![1] }, ptr)
    }

    /// Cells of eight bytes leave three bits of an address free.
    fn pointer_with_a_tag(&mut self, array: &Array) -> Operand {
        self.b.note("pointer with a tag");
        let word = Ty::int(64);
        let tag = self.c.int(1, 7) as u64;
        let (tag, mask) = (self.b.i64(tag), self.b.i64(!7));
        let address = self.b.cast(CastOp::PtrToInt, word, array.base);
        let op = if self.c.chance(50) { BinOp::Or } else { BinOp::Add };
        let tagged = self.b.binary(op, word, address, tag);
        let kept = if self.c.chance(50) { self.kept(Kept::Slot, word, tagged) } else { tagged };
        let plain = self.b.binary(BinOp::And, word, kept, mask);
        self.b.cast(CastOp::IntToPtr, Ty::PTR, plain)
    }

    /// Numbers are stored through a pointer that may lead to constant memory.
    pub(super) fn constant_or_own(&mut self) {
        let all = self.scratch.clone();
        let Some(scratch) = self.c.pick(&all) else { return };
        let ptr = self.b.module.types.ptr();
        let fits = |a: &Array| a.cell == scratch.cell && a.writable;
        let own = self.array_where(fits).unwrap_or_else(|| self.new_array(scratch.cell, scratch.len));
        let len = own.len.min(scratch.len);
        let base = match self.c.index(5) {
            0 => {
                self.b.note("constant or own: select");
                let cond = self.condition(Ty::BIT, 1);
                self.b.select(ptr, cond, own.base, scratch.base)
            }
            1 => {
                self.b.note("constant or own: phi");
                let cond = self.condition(Ty::BIT, 1);
                let before = self.b.block;
                let (then_to, join) = (self.b.new_block(), self.b.new_block());
                self.b.cond_br(cond, then_to, join);
                self.b.block = then_to;
                self.b.br(join);
                self.b.block = join;
                self.b.phi(ptr, vec![(own.base, before), (scratch.base, then_to)])
            }
            2 => {
                self.b.note("constant or own: table");
                let pair = self.b.module.types.array(2, ptr);
                let table = self.b.alloca(pair, 8);
                for (index, base) in [own.base, scratch.base].into_iter().enumerate() {
                    let index = self.b.i64(index as u64);
                    let at = self.b.gep(ptr, table, vec![index]);
                    self.b.store(base, at, 8);
                }
                let index = self.index(2);
                let at = self.b.gep(ptr, table, vec![index]);
                self.b.load(ptr, at, 8)
            }
            3 => {
                self.b.note("constant or own: vector");
                let pair = self.b.ty(Ty::PTR.times(2));
                let mut vector = self.b.poison(pair);
                for (value, index) in [(own.base, 0), (scratch.base, 1)] {
                    let index = self.b.i64(index);
                    vector = self.b.emit(InstKind::InsertElement { vector, value, index }, pair);
                }
                let index = self.index(2);
                self.b.emit(InstKind::ExtractElement { vector, index }, ptr)
            }
            _ => {
                self.b.note("constant memory as scratch");
                scratch.base
            }
        };
        let either = Array { base, len, root: None, ..scratch };
        for _ in 0..self.c.int(1, 2) {
            let value = self.value(either.cell, 2);
            let (at, align) = (self.cell(&either), self.align(either.cell));
            self.b.store(value, at, align);
        }
        if self.c.chance(self.odds.travel.read_again) {
            self.b.note("constant memory read again");
            let (at, id, align) = (self.cell(&either), self.b.ty(either.cell), self.align(either.cell));
            let value = self.b.load(id, at, align);
            self.keep(value, either.cell);
        }
    }

    /// Constant memory for a parameter that is written.
    pub(super) fn lent(&mut self, cell: Ty, len: u32) -> Option<Operand> {
        let all: Vec<Array> = self.scratch.iter().filter(|a| a.cell == cell && a.len >= len).copied().collect();
        let lent = self.c.pick(&all).filter(|_| self.c.chance(25))?;
        self.b.note("constant or own: callee");
        Some(lent.base)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_two_factors_are_inverse() {
        assert_eq!(0xf1de_83e1_9937_733d_u64.wrapping_mul(0x9e37_79b9_7f4a_7c15), 1);
    }
}
