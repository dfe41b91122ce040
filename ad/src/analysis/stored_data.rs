//! What stores put into memory, by offset.

use crate::analysis::context::Context;
use crate::analysis::memory;
use crate::analysis::memory::object::Targets;
use crate::program::cell::{Cell, Span};
use ir::{Inst, InstId, InstKind, Operand};

impl Context<'_> {
    /// The data that a store puts into memory or overwrites there, by offset: by the value's type, by what its integers
    /// carry, and where these carry nothing (a zero, say) by what lies there. In conflict is a part of a float that is
    /// overwritten.
    ///
    /// A constant written where nothing tells what lies there (what the optimiser makes of a `memset`, or of a copy of
    /// what `calloc` gave) may be a float, which has no adjoint before: as a float it is taken, for the shadow of an
    /// integer is nobody's concern.
    pub fn stored(&self, store: &Inst) -> Vec<Span> {
        let (InstKind::Store { value, ptr, .. } | InstKind::AtomicRmw { value, ptr, .. }) = &store.kind else {
            return Vec::new();
        };
        let (mut out, mut integers) = (Vec::new(), Vec::new());
        crate::program::cell::typed(self.m, self.ty(*value), 0, &mut out, &mut integers);
        if self.m.types.is_ptr(self.ty(*value)) && self.facts.are_plain(self.m, &self.targets(*value)) {
            let before = self.facts.overwritten(&self.targets(*ptr), 0, 8);
            if before.iter().any(|s| matches!(s.cell, Cell::Float(_))) {
                return before;
            }
        }
        out.extend_from_slice(self.facts.content(self.id, *value));
        let plain = self.facts.is_plain_access(self.m, self.func, store, &self.targets(*ptr));
        for (at, size) in integers.into_iter().filter(|_| !plain) {
            if !out.iter().any(|s| s.overlaps(at, size)) {
                let targets = self.targets(*ptr);
                out.extend(self.facts.overwritten(&targets, at, size));
                let blank = self.facts.is_blank(self.m, self.id, self.func, *value);
                let free = matches!(store.kind, InstKind::Store { .. }) && !out.iter().any(|s| s.overlaps(at, size));
                if free && self.facts.may_take_apart(&targets, (at, size), blank) {
                    out.extend(as_floats((at, size)));
                }
                if blank {
                    out.extend(self.maybe_floats(&targets, at, size));
                }
            } else {
                // The rest comes from memory in which nobody has put anything, or is an integer: it has no adjoint.
                for (at, size) in uncovered(&out, (at, size)) {
                    out.extend(self.maybe_floats(&self.targets(*ptr), at, size));
                }
            }
        }
        out.sort_by_key(|s| s.offset);
        out
    }

    /// Where a store writes a single constant byte to memory of the caller of which nothing tells what lies there: it
    /// may be one of a number that is cleared byte by byte, and the adjoint of that with it.
    pub fn blank_bytes(&self, inst: InstId) -> Vec<u64> {
        let InstKind::Store { value, ptr, .. } = &self.func.insts[inst].kind else { return Vec::new() };
        let (mut data, mut integers) = (Vec::new(), Vec::new());
        crate::program::cell::typed(self.m, self.ty(*value), 0, &mut data, &mut integers);
        integers.retain(|(_, size)| *size == 1);
        if integers.is_empty() || !self.facts.is_blank(self.m, self.id, self.func, *value) {
            return Vec::new();
        }
        let targets = self.targets(*ptr);
        let end = integers.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
        let untold = self.facts.all_untold(&memory::places(&targets), end);
        let told = |at: u64| !untold.iter().any(|(first, bytes)| (*first..first + bytes).contains(&at));
        integers.into_iter().map(|(at, _)| at).filter(|at| !told(*at)).collect()
    }

    /// Floats in the place of all that nothing tells about in `[at, at + size)` behind pointers to memory of the
    /// caller.
    fn maybe_floats(&self, targets: &Targets, at: u64, size: u64) -> Vec<Span> {
        let untold = self.facts.all_untold(&memory::places(targets), at + size);
        let within = untold.into_iter().filter_map(|(first, bytes)| {
            let (first, end) = (first.max(at), first + bytes);
            (end > first).then_some((first, end - first))
        });
        within.flat_map(as_floats).collect()
    }

    /// The integers that a store puts where pieces of pointers may lie
    /// ([`crate::analysis::memory::Facts::stored_pieces`]).
    pub fn stored_pieces(&self, inst: InstId) -> Vec<(u64, u64)> {
        self.facts.stored_pieces(self.m, (self.id, self.func), &self.func.insts[inst])
    }

    /// May pointers and floats take turns in the memory that a store writes this datum to?
    pub fn turns(&self, ptr: Operand, datum: &Span) -> bool {
        self.facts.takes_turns(self.m, &self.targets(ptr), datum, false)
    }

    /// Do they, at the very place of this datum?
    pub fn shares_place(&self, ptr: Operand, datum: &Span) -> bool {
        self.facts.takes_turns(self.m, &self.targets(ptr), datum, true)
    }

    /// Are all shadows behind these pointers memory that the differentiated functions allocate? Only there is the
    /// shadow of a float zero throughout the forward pass, so that it can be told from the shadow of a pointer.
    pub fn own_shadows(&self, ptrs: &[Operand]) -> bool {
        use crate::analysis::memory::object::ObjKind::{Heap, Stack};
        let own = |o: &memory::ObjId| {
            !self.facts.is_shadowed(*o) || matches!(self.facts.objects[*o].kind, Stack(..) | Heap(..))
        };
        ptrs.iter().all(|ptr| self.targets(*ptr).keys().all(own))
    }
}

/// The parts (offset, size) of `[at, at + size)` that none of the spans covers.
fn uncovered(spans: &[Span], (at, size): (u64, u64)) -> Vec<(u64, u64)> {
    let covered = |byte: &u64| spans.iter().any(|span| span.overlaps(*byte, 1));
    let mut out: Vec<(u64, u64)> = Vec::new();
    for byte in (at..at + size).filter(|byte| !covered(byte)) {
        match out.last_mut().filter(|(first, bytes)| first + bytes == byte) {
            Some((_, bytes)) => *bytes += 1,
            None => out.push((byte, 1)),
        }
    }
    out
}

/// Floats that fill so many bytes from an offset on. A zero is one in all formats, and so is its adjoint.
fn as_floats((at, size): (u64, u64)) -> impl Iterator<Item = Span> {
    memory::filling((at, size)).flat_map(|(kind, first, count)| {
        let (cell, size) = (Cell::Float(kind), Cell::Float(kind).size(0));
        (0..count).map(move |i| Span { offset: first + i * size, size, cell })
    })
}
