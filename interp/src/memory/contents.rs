//! The contents of an object, in parts: a snapshot shares all of them, and a part is copied when one side writes to it.
//!
//! Most objects are one part. A large one begins as one fresh part that is shared by all places, so that memory is only
//! taken for what is written.

use super::cells::WIDEST;
use super::data::{Data, state};
use ir::FloatKind;
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// Bytes of a part: a multiple of eight, so that no aligned pointer lies in two.
const PART: usize = 1 << SHIFT;
const SHIFT: u32 = 14;

/// Bytes, states and provenance of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// All of it.
    One(Rc<Data>),
    /// Parts of [`PART`] bytes each; the last may be shorter.
    Many(Box<[Rc<Data>]>),
}

fn fresh(size: usize) -> Rc<Data> {
    let mut data = Data::default();
    data.reset(size);
    Rc::new(data)
}

impl Default for Contents {
    fn default() -> Contents {
        Contents::One(Rc::default())
    }
}

impl Contents {
    /// Uninitialised memory.
    pub fn new(size: usize) -> Contents {
        if size <= PART {
            return Contents::One(fresh(size));
        }
        let mut parts = vec![fresh(PART); size / PART];
        if !size.is_multiple_of(PART) {
            parts.push(fresh(size % PART));
        }
        Contents::Many(parts.into())
    }

    /// Makes it uninitialised memory of that size.
    pub fn reset(&mut self, size: usize) {
        if size <= PART
            && let Contents::One(data) = self
            && let Some(data) = Rc::get_mut(data)
        {
            return data.reset(size);
        }
        *self = Contents::new(size);
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        match self {
            Contents::One(data) => data.bytes.len(),
            Contents::Many(parts) => parts.last().map_or(0, |last| (parts.len() - 1) * PART + last.bytes.len()),
        }
    }

    /// The part that holds an offset, and the offset in it.
    #[inline(always)]
    pub fn part(&self, offset: usize) -> (&Data, usize) {
        match self {
            Contents::One(data) => (data, offset),
            Contents::Many(parts) => (&parts[offset >> SHIFT], offset % PART),
        }
    }

    /// The same to write to, if nobody shares it.
    #[inline(always)]
    pub fn own_part(&mut self, offset: usize) -> Option<(&mut Data, usize)> {
        match self {
            Contents::One(data) => Some((Rc::get_mut(data)?, offset)),
            Contents::Many(parts) => Some((Rc::get_mut(parts.get_mut(offset >> SHIFT)?)?, offset % PART)),
        }
    }

    /// The same to write to.
    #[inline]
    pub fn part_mut(&mut self, offset: usize) -> (&mut Data, usize) {
        match self {
            Contents::One(data) => (Rc::make_mut(data), offset),
            Contents::Many(parts) => (Rc::make_mut(&mut parts[offset >> SHIFT]), offset % PART),
        }
    }

    /// Do these bytes lie in more than one part?
    #[inline]
    pub fn is_split(&self, offset: usize, len: usize) -> bool {
        matches!(self, Contents::Many(_)) && offset % PART + len > PART
    }

    /// The pieces of a range that lie in one part each.
    fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let step = if matches!(self, Contents::One(_)) { usize::MAX } else { PART };
        let mut at = range.start;
        std::iter::from_fn(move || {
            let start = at;
            at = range.end.min((start / step).saturating_add(1).saturating_mul(step));
            (start < range.end).then_some(start..at)
        })
    }

    /// All parts in order.
    pub fn parts(&self) -> impl Iterator<Item = &Data> {
        match self {
            Contents::One(data) => std::slice::from_ref(data),
            Contents::Many(parts) => parts,
        }
        .iter()
        .map(|part| &**part)
    }

    /// A copy of a range, in one part.
    pub fn gather(&self, offset: usize, len: usize) -> Data {
        let mut out = Data::default();
        out.reset(len);
        for piece in self.pieces(offset..offset + len) {
            let (part, at) = self.part(piece.start);
            out.copy_from(piece.start - offset, part, at, piece.len());
        }
        out
    }

    /// Puts such a copy in place.
    pub fn scatter(&mut self, offset: usize, from: &Data) {
        for piece in self.pieces(offset..offset + from.bytes.len()) {
            let (part, at) = self.part_mut(piece.start);
            part.copy_from(at, from, piece.start - offset, piece.len());
        }
    }

    /// Copies `len` bytes with their states from `from` at `src` to `dst` here.
    pub fn copy_from(&mut self, dst: usize, from: &Contents, src: usize, len: usize) {
        for there in from.pieces(src..src + len) {
            let (part, at) = from.part(there.start);
            let to = there.start - src + dst;
            for here in self.pieces(to..to + there.len()) {
                let (mine, into) = self.part_mut(here.start);
                mine.copy_from(into, part, at + (here.start - to), here.len());
            }
        }
    }

    /// Moves `len` bytes inside this object; the ranges may overlap.
    pub fn copy_within(&mut self, dst: usize, src: usize, len: usize) {
        match self {
            Contents::One(data) => Rc::make_mut(data).copy_within(dst, src, len),
            Contents::Many(_) => {
                let before = self.clone();
                self.copy_from(dst, &before, src, len);
            }
        }
    }

    /// Gives all bytes of a range that value and state.
    pub fn fill(&mut self, range: Range<usize>, byte: u8, state: u8) {
        for piece in self.pieces(range) {
            let (part, at) = self.part_mut(piece.start);
            part.bytes[at..at + piece.len()].fill(byte);
            part.state[at..at + piece.len()].fill(state);
        }
    }

    /// Writes defined bytes.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) {
        for piece in self.pieces(offset..offset + bytes.len()) {
            let (part, at) = self.part_mut(piece.start);
            part.bytes[at..at + piece.len()].copy_from_slice(&bytes[piece.start - offset..piece.end - offset]);
            part.state[at..at + piece.len()].fill(state::INIT);
        }
    }

    /// The bytes of a range: in place, if they lie in one part.
    pub fn bytes(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        if self.is_split(range.start, range.len()) {
            return Cow::Owned(self.gather(range.start, range.len()).bytes);
        }
        let (part, at) = self.part(range.start);
        Cow::Borrowed(&part.bytes[at..at + range.len()])
    }

    /// Values and states of the bytes from an offset on.
    pub fn cells(&self, from: usize) -> impl Iterator<Item = (u8, u8)> {
        self.pieces(from..self.size()).flat_map(|piece| {
            let (part, at) = self.part(piece.start);
            let range = at..at + piece.len();
            part.bytes[range.clone()].iter().copied().zip(part.state[range].iter().copied())
        })
    }

    /// The state of a byte.
    pub fn state(&self, offset: usize) -> u8 {
        let (part, at) = self.part(offset);
        part.state[at]
    }

    /// The provenance of the whole pointer at `offset`, 0 if there is none.
    pub fn prov_at(&self, offset: usize) -> u64 {
        let (part, at) = self.part(offset);
        part.prov_at(at)
    }

    /// The format of the number that fills the bytes at `offset`.
    pub fn number_at(&self, offset: usize) -> Option<FloatKind> {
        if offset >= self.size() {
            return None;
        }
        let most = (self.size() - offset).min(WIDEST as usize);
        if self.is_split(offset, most) {
            return self.gather(offset, most).number_at(0);
        }
        let (part, at) = self.part(offset);
        part.number_at(at)
    }
}

#[cfg(test)]
mod tests {
    use super::{Contents, PART};
    use crate::memory::{AllocId, AllocKind, HeapKind, Memory};
    use crate::value::{Leaf, Pointer, Scalar};
    use ir::FloatKind;
    use std::rc::Rc;

    const WINDOW: u64 = 128;

    fn block(memory: &mut Memory, size: u64) -> Pointer {
        memory.allocate(size, 16, AllocKind::Heap(HeapKind::Malloc), None).unwrap()
    }

    /// Where an object is divided makes no difference: whatever is done to a window over the border of two parts gives
    /// what it gives in an object of one part.
    #[test]
    fn borders_are_not_seen() {
        let mut memory: Memory = Memory::new(1 << 30);
        let (small, large) = (block(&mut memory, WINDOW), block(&mut memory, 2 * PART as u64 + 200));
        let pointed = block(&mut memory, 8);
        let window = large.offset(PART as i64 - WINDOW as i64 / 2);
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let kinds = FloatKind::ALL.map(Leaf::Float);
        let leaves: Vec<Leaf> = [Leaf::Int(8), Leaf::Int(13), Leaf::Int(32), Leaf::Int(64), Leaf::Int(128), Leaf::Ptr]
            .into_iter()
            .chain(kinds)
            .collect();
        let mut seen = 0;
        for step in 0..20_000 {
            let leaf = leaves[random(leaves.len() as u64) as usize];
            let size = leaf.store_size();
            let (at, to) = (random(WINDOW - size + 1), random(WINDOW - size + 1));
            let at = if random(2) == 0 { at & !7 } else { at };
            let value = match random(8) {
                0 => Scalar::POISON,
                1 => Scalar::undef(leaf),
                2 if leaf == Leaf::Int(64) => Scalar { lo: 0, hi: random(1 << 30), tag: crate::value::Tag::Undef },
                _ if leaf == Leaf::Ptr => Scalar::ptr(pointed),
                _ => Scalar::wide(u128::from(random(u64::MAX)) & crate::value::mask128(leaf.bits())),
            };
            let (len, byte) = (random(WINDOW - at.max(to) + 1), Scalar::word(random(256)));
            for base in [small, window] {
                let (at, to) = (base.offset(at as i64), base.offset(to as i64));
                match step % 5 {
                    0..3 => memory.store(at, leaf, value, 1).unwrap(),
                    3 => memory.copy(to, at, len).unwrap(),
                    _ => memory.fill(at, byte, len.min(4)).unwrap(),
                }
            }
            let loaded = [small, window].map(|base| memory.load(base.offset(to as i64), leaf, 1).unwrap());
            assert_eq!(loaded[0], loaded[1], "step {step}: {leaf:?} at {to}");
            let bytes = [small, window].map(|base| memory.read_bytes(base.offset(at as i64), len).ok());
            assert_eq!(bytes[0], bytes[1], "step {step}: {len} bytes at {at}");
            let number = |base: Pointer, offset: u64| {
                memory
                    .data(AllocId::from_bits(base.prov))
                    .and_then(|data| data.number_at((base.addr - offset) as usize))
            };
            let small_base = small.addr;
            let numbers = [number(small.offset(to as i64), small_base), number(window.offset(to as i64), large.addr)];
            assert_eq!(numbers[0], numbers[1], "step {step}: the number at {to}");
            seen += u32::from(numbers[0].is_some() && to < WINDOW / 2 && to + size > WINDOW / 2);
        }
        assert!(seen > 20, "{seen} numbers over the border");
    }

    /// A copy is not changed with the original, and shares the parts that neither side has written to.
    #[test]
    fn a_snapshot_shares_what_does_not_change() {
        let mut memory: Memory = Memory::new(1 << 40);
        let object = block(&mut memory, 1 << 36);
        let far = object.offset((1 << 36) - 8);
        memory.store(far, Leaf::Int(64), Scalar::word(1), 8).unwrap();
        let before = memory.clone();
        memory.store(object.offset(5), Leaf::Int(8), Scalar::word(2), 1).unwrap();
        assert!(before.load(object.offset(5), Leaf::Int(8), 1).unwrap().tag != crate::value::Tag::Init);
        assert_eq!(before.load(far, Leaf::Int(64), 8).unwrap().lo, 1);
        let parts = |memory: &Memory| match memory.data(AllocId::from_bits(object.prov)) {
            Some(Contents::Many(parts)) => parts.clone(),
            _ => panic!("a large object has parts"),
        };
        let own = parts(&memory).iter().zip(&parts(&before)).filter(|(a, b)| !Rc::ptr_eq(a, b)).count();
        assert_eq!(own, 1);
    }
}
