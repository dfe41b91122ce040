//! Memory of so many bytes without a type: a header and arrays one behind the other, seen from below and from the end,
//! moved as a whole or in parts, and cleared; and numbers with steps, from rounding and from decisions.
//!
//! All bytes are zero before anything is written, so that whatever is read is initialised.

use super::memory::Array;
use super::{Body, Ty};
use crate::ir::ty::Elem;
use ir::{BinOp, CastOp, FloatKind, FloatPred, IntPred, Operand};

/// Cells of one type within the bytes.
#[derive(Clone, Copy)]
struct Part {
    cell: Ty,
    len: u32,
    /// Bytes before it.
    at: u64,
}

/// A block of bytes.
struct Block {
    base: Operand,
    root: u32,
}

/// Names of all constructs that the census of generated programs knows from here.
pub(super) fn names() -> Vec<&'static str> {
    let mut all = vec!["bytes: more than 512", "bytes: a header", "bytes: a pointer", "bytes: seen from the end"];
    all.extend(["bytes: cleared by memset", "bytes: cleared one by one", "bytes: cleared word by word"]);
    all.extend([
        "bytes: a length of the run",
        "bytes: moved at once",
        "bytes: moved one by one",
        "bytes: moved as words",
    ]);
    all.extend(["bytes: moved by words at a stride", "bytes: words reversed", "bytes: moved in pieces"]);
    all.extend(["bytes: through a buffer", "bytes: shifted in a buffer", "a long structure"]);
    all.extend(["rounded by a sum", "rounded sum: in memory", "rounded sum: around a loop", "rounded sum: chosen"]);
    all.extend(["rounded sum: its bits", "decisions: counted", "decisions: as bits", "decisions: an index"]);
    all
}

impl Body<'_, '_> {
    /// A loop that counts from zero.
    fn counted(&mut self, trips: Operand, inner: impl FnOnce(&mut Self, Operand)) {
        let (entry, word) = (self.b.block, Ty::int(64));
        let (header, body, exit) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        self.b.br(header);
        self.b.block = header;
        let (id, zero, one) = (self.b.ty(word), self.b.i64(0), self.b.i64(1));
        let counter = self.b.phi(id, vec![(zero, entry)]);
        let goes_on = self.b.icmp(IntPred::Ult, word, counter, trips);
        self.b.cond_br(goes_on, body, exit);
        self.b.block = body;
        inner(self, counter);
        let next = self.b.binary(BinOp::Add, word, counter, one);
        self.b.add_incoming(counter, next, self.b.block);
        self.b.br(header);
        self.b.block = exit;
    }

    /// The address so many bytes away.
    fn byte_at(&mut self, base: Operand, at: Operand) -> Operand {
        let byte = self.b.ty(Ty::int(8));
        self.b.gep(byte, base, vec![at])
    }

    /// A block, written, moved and read.
    pub(super) fn bytes(&mut self) {
        let parts = self.parts();
        let last = parts.last().map_or(0, |part| part.at + u64::from(part.len) * u64::from(part.cell.bits() / 8));
        let size = last.next_multiple_of(8);
        if size > 512 {
            self.b.note("bytes: more than 512");
        }
        let first = self.block(size);
        self.clear(first.base, size);
        let pointed = self.some_array();
        for part in &parts {
            self.fill(&first, *part, size, pointed.as_ref());
        }
        self.offer(&first, &parts);
        let second = self.block(size);
        self.clear(second.base, size);
        self.move_bytes(second.base, first.base, size, parts.iter().any(|part| part.cell == Ty::PTR));
        if self.c.chance(30) {
            self.clear(first.base, size);
        }
        for part in &parts {
            self.sum_up(&second, *part, size, pointed.as_ref());
        }
        self.offer(&second, &parts);
    }

    /// What lies in the bytes: a header now and then, arrays.
    fn parts(&mut self) -> Vec<Part> {
        let mut drawn: Vec<(Ty, u32)> = Vec::new();
        if self.c.chance(55) {
            self.b.note("bytes: a header");
            let cell = self.byte_cell();
            let pointer = !self.arrays.is_empty() && self.c.chance(35);
            drawn.push((if pointer { Ty::PTR } else { cell }, self.c.int(1, 3) as u32));
        }
        for _ in 0..self.c.int(1, 2) {
            let len = if self.c.chance(35) { self.c.int(20, 150) } else { self.c.int(1, 8) };
            drawn.push((self.byte_cell(), len as u32));
        }
        let mut at = 0u64;
        let part = |(cell, len): (Ty, u32)| {
            let part = Part { cell, len, at };
            at = (at + u64::from(len) * u64::from(cell.bits() / 8)).next_multiple_of(8);
            part
        };
        drawn.into_iter().map(part).collect()
    }

    fn byte_cell(&mut self) -> Ty {
        let number = if self.smooth { self.real } else { FloatKind::Double };
        match self.c.index(8) {
            0 => Ty::int(64),
            1 => Ty::int(32),
            2 => Ty::int(8),
            3 => Ty::float(FloatKind::Float),
            _ => Ty::float(number),
        }
    }

    /// So many bytes on the stack or the heap.
    fn block(&mut self, size: u64) -> Block {
        let byte = self.b.ty(Ty::int(8));
        let base = if self.c.chance(50) {
            let (ptr, word) = (self.b.module.types.ptr(), self.b.ty(Ty::int(64)));
            let bytes = self.b.i64(size);
            let malloc = self.b.declare("malloc", ptr, &[word], false);
            let base = self.b.call(malloc, vec![bytes]).unwrap_or(bytes);
            self.heap.push(base);
            base
        } else {
            let whole = self.b.module.types.array(size, byte);
            self.b.alloca(whole, 16)
        };
        self.roots += 1;
        Block { base, root: self.roots }
    }

    /// All bytes become zero.
    fn clear(&mut self, base: Operand, size: u64) {
        match self.c.index(9) {
            0..=3 => {
                self.b.note("bytes: cleared by memset");
                let bytes = self.b.i64(size);
                self.fill_by_memset(base, bytes);
            }
            4 => {
                self.b.note("bytes: cleared one by one");
                let trips = self.b.i64(size);
                self.counted(trips, |this, i| {
                    let (at, zero) = (this.byte_at(base, i), this.b.bits(Ty::int(8), 0));
                    this.b.store(zero, at, 1);
                });
            }
            5 => {
                self.b.note("bytes: cleared word by word");
                let trips = self.b.i64(size / 8);
                self.counted(trips, |this, i| {
                    let (id, zero) = (this.b.ty(Ty::int(64)), this.b.i64(0));
                    let at = this.b.gep(id, base, vec![i]);
                    this.b.store(zero, at, 8);
                });
            }
            _ => {
                self.b.note("bytes: a length of the run");
                // What is left over is cleared by another call.
                let (word, all) = (Ty::int(64), self.b.i64(size));
                let some = self.run_length(size);
                self.fill_by_memset(base, some);
                let (at, rest) = (self.byte_at(base, some), self.b.binary(BinOp::Sub, word, all, some));
                self.fill_by_memset(at, rest);
            }
        }
    }

    /// A number of bytes that only the run knows: whole words, at most `size`.
    fn run_length(&mut self, size: u64) -> Operand {
        let (word, words) = (Ty::int(64), size as u32 / 8);
        let count = self.known_int(word);
        let (most, eight) = (self.b.i64(u64::from(words) + 1), self.b.i64(8));
        let count = self.b.binary(BinOp::URem, word, count, most);
        self.b.binary(BinOp::Mul, word, count, eight)
    }

    /// The address of a cell, now and then from behind the last one of the part or of the whole block.
    fn cell_of(&mut self, block: &Block, part: Part, size: u64, index: Operand, seen: usize) -> Operand {
        let (id, word) = (self.b.ty(part.cell), Ty::int(64));
        let bytes = u64::from(part.cell.bits() / 8);
        match seen {
            0 => {
                let end = self.b.i64(part.at + bytes * u64::from(part.len));
                let (end, len) = (self.byte_at(block.base, end), self.b.i64(u64::from(part.len)));
                let index = self.b.binary(BinOp::Sub, word, index, len);
                self.b.gep(id, end, vec![index])
            }
            1 => {
                let end = self.b.i64(size);
                let end = self.byte_at(block.base, end);
                let (bytes, back) = (self.b.i64(bytes), self.b.i64(size - part.at));
                let ahead = self.b.binary(BinOp::Mul, word, index, bytes);
                let offset = self.b.binary(BinOp::Sub, word, ahead, back);
                self.byte_at(end, offset)
            }
            _ => {
                let at = self.b.i64(part.at);
                let start = self.byte_at(block.base, at);
                self.b.gep(id, start, vec![index])
            }
        }
    }

    /// How a part is seen.
    fn seen(&mut self) -> usize {
        let seen = self.c.index(4);
        if seen < 2 {
            self.b.note("bytes: seen from the end");
        }
        seen
    }

    /// Writes the cells of a part, or each so many of them.
    fn fill(&mut self, block: &Block, part: Part, size: u64, pointed: Option<&Array>) {
        let (seen, align) = (self.seen(), u64::from(part.cell.bits() / 8).min(8));
        let word = Ty::int(64);
        if part.cell == Ty::PTR {
            self.b.note("bytes: a pointer");
            let null = self.b.bits(Ty::PTR, 0);
            let value = pointed.map_or(null, |array| array.base);
            let trips = self.b.i64(u64::from(part.len));
            return self.counted(trips, |this, i| {
                let at = this.cell_of(block, part, size, i, seen);
                this.b.store(value, at, align);
            });
        }
        let (a, b) = (self.value(part.cell, 2), self.value(part.cell, 1));
        let stride = self.c.pick(&[1, 1, 2, 3, 5]).unwrap_or(1).min(part.len);
        let trips = self.b.i64(u64::from(part.len.div_ceil(stride)));
        let (id, three) = (self.b.ty(part.cell), self.b.i64(3));
        self.counted(trips, |this, i| {
            let by = this.b.i64(u64::from(stride));
            let index = if stride == 1 { i } else { this.b.binary(BinOp::Mul, word, i, by) };
            let low = this.b.binary(BinOp::And, word, i, three);
            let zero = this.b.i64(0);
            let cond = this.b.icmp(IntPred::Eq, word, low, zero);
            let value = this.b.select(id, cond, a, b);
            let at = this.cell_of(block, part, size, index, seen);
            this.b.store(value, at, align);
        });
    }

    /// The parts as arrays that all other statements read and write.
    fn offer(&mut self, block: &Block, parts: &[Part]) {
        for part in parts.iter().filter(|part| part.cell != Ty::PTR) {
            let at = self.b.i64(part.at);
            let (base, root) = match part.at {
                0 => (block.base, Some(block.root)),
                _ => (self.byte_at(block.base, at), None),
            };
            self.arrays.push(Array { base, cell: part.cell, len: part.len, writable: true, root });
        }
    }

    /// Moves the bytes of a block to another one: all of them, if there are pointers.
    fn move_bytes(&mut self, to: Operand, from: Operand, size: u64, whole: bool) {
        if self.c.chance(30) {
            self.b.note("bytes: through a buffer");
            let shift = if self.c.chance(50) { self.c.int(1, 3) as u64 * 8 } else { 0 };
            let buffer = self.block(size + shift).base;
            self.move_once(buffer, from, size, true);
            let mut at = buffer;
            if shift > 0 {
                self.b.note("bytes: shifted in a buffer");
                let (shift, bytes) = (self.b.i64(shift), self.b.i64(size));
                at = self.byte_at(buffer, shift);
                self.copy_bytes(at, buffer, bytes, false);
            }
            return self.move_once(to, at, size, whole);
        }
        self.move_once(to, from, size, whole);
    }

    fn move_once(&mut self, to: Operand, from: Operand, size: u64, whole: bool) {
        let word = Ty::int(64);
        let all = self.b.i64(size);
        match self.c.index(10) {
            0..=2 => {
                self.b.note("bytes: moved at once");
                self.copy_bytes(to, from, all, true);
            }
            3..=5 => {
                self.b.note("bytes: a length of the run");
                let some = self.run_length(size);
                self.copy_bytes(to, from, some, true);
                if whole || self.c.chance(50) {
                    self.b.note("bytes: moved in pieces");
                    let rest = self.b.binary(BinOp::Sub, word, all, some);
                    let (to, from) = (self.byte_at(to, some), self.byte_at(from, some));
                    self.copy_bytes(to, from, rest, true);
                }
            }
            6 => {
                self.b.note("bytes: moved one by one");
                self.counted(all, |this, i| {
                    let byte = this.b.ty(Ty::int(8));
                    let (to, from) = (this.byte_at(to, i), this.byte_at(from, i));
                    let value = this.b.load(byte, from, 1);
                    this.b.store(value, to, 1);
                });
            }
            7 => {
                self.b.note("bytes: words reversed");
                let buffer = self.block(size).base;
                for (to, from) in [(buffer, from), (to, buffer)] {
                    self.move_words(to, from, size / 8, 1, true);
                }
            }
            8 => {
                self.b.note("bytes: moved as words");
                self.move_words(to, from, size / 8, 1, false);
            }
            _ => {
                self.b.note("bytes: moved by words at a stride");
                let stride = self.c.pick(&[2, 3, 5, 7]).unwrap_or(3).min(size / 8);
                let whole = whole || self.c.chance(50);
                for first in 0..if whole { stride } else { 1 } {
                    let skip = self.b.i64(8 * first);
                    let (to, from) = (self.byte_at(to, skip), self.byte_at(from, skip));
                    self.move_words(to, from, (size / 8 - first).div_ceil(stride), stride, false);
                }
            }
        }
    }

    /// Moves so many words, each so many of them, or puts them down in the opposite order.
    fn move_words(&mut self, to: Operand, from: Operand, count: u64, stride: u64, reversed: bool) {
        let word = Ty::int(64);
        let trips = self.b.i64(count);
        self.counted(trips, |this, i| {
            let id = this.b.ty(word);
            let (by, last) = (this.b.i64(stride), this.b.i64(count - 1));
            let index = if stride == 1 { i } else { this.b.binary(BinOp::Mul, word, i, by) };
            let at = this.b.gep(id, from, vec![index]);
            let value = this.b.load(id, at, 8);
            let index = if reversed { this.b.binary(BinOp::Sub, word, last, index) } else { index };
            let at = this.b.gep(id, to, vec![index]);
            this.b.store(value, at, 8);
        });
    }

    /// Adds up the numbers of a part, or combines its integers; a pointer is one more name for what it points to.
    fn sum_up(&mut self, block: &Block, part: Part, size: u64, pointed: Option<&Array>) {
        let (seen, align, id) = (self.seen(), u64::from(part.cell.bits() / 8).min(8), self.b.ty(part.cell));
        if part.cell == Ty::PTR {
            let Some(array) = pointed else { return };
            let index = self.b.i64(u64::from(part.len - 1));
            let at = self.cell_of(block, part, size, index, seen);
            let base = self.b.load(id, at, 8);
            return self.arrays.push(Array { base, root: None, ..*array });
        }
        let slot = self.b.alloca(id, 8);
        let zero = self.b.bits(part.cell, 0);
        self.b.store(zero, slot, 8);
        let trips = self.b.i64(u64::from(part.len));
        let number = matches!(part.cell.elem, Elem::Float(_));
        self.counted(trips, |this, i| {
            let at = this.cell_of(block, part, size, i, seen);
            let value = this.b.load(id, at, align);
            let sum = this.b.load(id, slot, 8);
            let sum = if number {
                let share = this.b.number(part.cell, 1.0 / f64::from(part.len.next_power_of_two()));
                let term = this.b.binary(BinOp::FMul, part.cell, value, share);
                this.b.binary(BinOp::FAdd, part.cell, sum, term)
            } else {
                this.b.binary(BinOp::Xor, part.cell, sum, value)
            };
            this.b.store(sum, slot, 8);
        });
        let sum = self.b.load(id, slot, 8);
        self.mix(sum, part.cell);
        self.keep(sum, part.cell);
    }

    /// A number with steps: rounded by the adding of a large constant, or made of decisions.
    pub(super) fn stepped(&mut self) {
        if self.c.chance(55) { self.rounded() } else { self.decided() }
    }

    fn rounded(&mut self) {
        self.b.note("rounded by a sum");
        let ty = Ty::float(if self.smooth { self.real } else { FloatKind::Double });
        let digits = if ty.bits() == 64 { 52 } else { 23 };
        let places = self.c.int(0, 8) as i32;
        let large = self.b.number(ty, 1.5 * f64::powi(2.0, digits - places));
        let value = self.value(ty, 2);
        let (id, bits) = (self.b.ty(ty), Ty::int(ty.bits()));
        let mut sum = self.b.binary(BinOp::FAdd, ty, value, large);
        match self.c.index(4) {
            0 => {
                self.b.note("rounded sum: in memory");
                let slot = self.b.alloca(id, 8);
                self.b.store(sum, slot, 8);
                sum = self.b.load(id, slot, 8);
            }
            1 => {
                self.b.note("rounded sum: around a loop");
                let slot = self.b.alloca(id, 8);
                self.b.store(large, slot, 8);
                let trips = self.c.int(1, 3) as u64;
                let trips = self.b.i64(trips);
                let other = self.value(ty, 1);
                self.counted(trips, |this, i| {
                    let zero = this.b.i64(0);
                    let first = this.b.icmp(IntPred::Eq, Ty::int(64), i, zero);
                    let value = this.b.select(id, first, value, other);
                    let sum = this.b.binary(BinOp::FAdd, ty, value, large);
                    this.b.store(sum, slot, 8);
                });
                sum = self.b.load(id, slot, 8);
            }
            2 => {
                self.b.note("rounded sum: chosen");
                let other = self.value(ty, 1);
                let other = self.b.binary(BinOp::FAdd, ty, other, large);
                let cond = self.condition(Ty::BIT, 1);
                sum = self.b.select(id, cond, sum, other);
            }
            _ => {}
        }
        if self.smooth && self.c.chance(30) {
            self.b.note("rounded sum: its bits");
            let word = self.b.cast(CastOp::BitCast, bits, sum);
            let seven = self.b.bits(bits, 7);
            let low = self.b.binary(BinOp::And, bits, word, seven);
            let low = if bits.bits() == 32 { low } else { self.b.cast(CastOp::Trunc, Ty::int(32), low) };
            return self.keep(low, Ty::int(32));
        }
        let whole = self.b.binary(BinOp::FSub, ty, sum, large);
        self.keep(whole, ty);
    }

    fn decided(&mut self) {
        let ty = Ty::float(if self.smooth { self.real } else { FloatKind::Double });
        let (int, word) = (Ty::int(32), Ty::int(64));
        let value = self.value(ty, 2);
        let count = self.c.int(4, 31);
        let as_bits = self.c.chance(40);
        self.b.note(if as_bits { "decisions: as bits" } else { "decisions: counted" });
        let id = self.b.ty(int);
        let slot = self.b.alloca(id, 4);
        let zero = self.b.i32(0);
        self.b.store(zero, slot, 4);
        let trips = self.b.i64(count as u64);
        self.counted(trips, |this, i| {
            let number = this.b.cast(CastOp::UIToFP, ty, i);
            let (step, first) = (this.b.number(ty, 2.0 / count as f64), this.b.number(ty, -1.015_625));
            let level = this.b.binary(BinOp::FMul, ty, number, step);
            let level = this.b.binary(BinOp::FAdd, ty, level, first);
            let above = this.b.fcmp(FloatPred::Ogt, ty, value, level);
            let mut bit = this.b.cast(CastOp::ZExt, int, above);
            if as_bits {
                let by = this.b.cast(CastOp::Trunc, int, i);
                bit = this.b.binary(BinOp::Shl, int, bit, by);
            }
            let so_far = this.b.load(id, slot, 4);
            let op = if as_bits { BinOp::Or } else { BinOp::Add };
            let so_far = this.b.binary(op, int, so_far, bit);
            this.b.store(so_far, slot, 4);
        });
        let made = self.b.load(id, slot, 4);
        self.keep(made, int);
        let Some(array) = self.array_where(|a| a.cell == ty) else { return };
        self.b.note("decisions: an index");
        let wide = self.b.cast(CastOp::ZExt, word, made);
        let len = self.b.i64(u64::from(array.len));
        let index = self.b.binary(BinOp::URem, word, wide, len);
        let cell = self.b.ty(ty);
        let align = self.align(ty);
        let at = self.b.gep(cell, array.base, vec![index]);
        let value = self.b.load(cell, at, align);
        self.keep(value, ty);
    }
}
