//! Numbers that a primal only moves, clears, or takes for bytes.
//!
//! The primal does not tell what such bytes are, but memory does: it has the type of what was last stored to it, and
//! copies take the type along (the effective type of C, C17 6.5p6; [`interp::memory::state`]). The contract counts
//! every floating-point number behind a duplicated pointer. So bytes are one if the memory says so on exit or on entry,
//! if their shadow on entry holds one, if the source declares one (compilers store constant numbers as integers), or if
//! that holds where a copy takes them.

use super::region::{Pair, Regions};
use interp::machines::Discovered;
use interp::machines::cells::{Cell, GRAIN};
use interp::{AllocId, Memory};
use ir::FloatKind;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number in memory, in bytes.
const WIDEST: u64 = 16;

/// The cells that are moved, overwritten or taken for bytes, and are no inputs by their use in the primal, by address:
/// also those of which it moves what they hold on entry, or computes with its bits, and stores another number besides.
pub fn cells(memory: &Memory<()>, regions: &Regions, found: &Discovered) -> Vec<Cell> {
    let arrived = found.moved.values().copied().collect();
    let mut sought = Sought { memory, regions, found, arrived, known: BTreeMap::new() };
    for cell in found.inputs.iter().chain(&found.stored) {
        sought.known.insert(cell.address, *cell);
    }
    let used: BTreeSet<u64> = sought.known.keys().copied().collect();
    let ends = found.moved.iter().flat_map(|(from, to)| [*from, *to]);
    let taken = found.taken.iter().copied();
    let grains: BTreeSet<u64> = found.overwritten.iter().copied().chain(ends).chain(taken).collect();
    for grain in &grains {
        sought.by_memory(*grain);
    }
    // Whoever knows one end of a move knows the other.
    for (from, to) in &found.moved {
        sought.by_move(*from, *to);
        sought.by_move(*to, *from);
    }
    let handed_on = found.stored.iter().filter(|cell| sought.is_handed_on(cell)).copied();
    let inputs: BTreeSet<u64> = found.inputs.iter().map(|cell| cell.address).collect();
    let handed_on: Vec<Cell> = handed_on.filter(|cell| !inputs.contains(&cell.address)).collect();
    sought.known.into_values().filter(|cell| !used.contains(&cell.address)).chain(handed_on).collect()
}

struct Sought<'a> {
    memory: &'a Memory<()>,
    regions: &'a Regions,
    found: &'a Discovered,
    /// Where moves end.
    arrived: BTreeSet<u64>,
    known: BTreeMap<u64, Cell>,
}

impl<'a> Sought<'a> {
    /// Is a number moved, taken for bytes, or brought back in the end, that a cell of the primal's own holds on entry?
    fn is_handed_on(&self, cell: &Cell) -> bool {
        let found = self.found;
        let kept = |grain| {
            found.moved.contains_key(&grain) || found.taken.contains(&grain) || !found.overwritten.contains(&grain)
        };
        let kept = grains(cell).any(kept);
        let Some(pair) = self.regions.pair_of(cell.address, cell.size()).filter(|_| kept) else { return false };
        let on_entry = self.evidence(pair).into_iter().skip(1);
        let held = on_entry.filter_map(|(memory, id, base)| number_in(memory, id, base, cell.address));
        held.chain(self.regions.declared(cell.address)).any(|kind| kind == cell.kind)
    }

    /// Where it may be told that bytes behind a pointer are a number: in the memory on exit, in that on entry, in the
    /// shadow on entry.
    fn evidence(&self, pair: &Pair) -> [(&'a Memory<()>, AllocId, u64); 3] {
        let (object, base) = (pair.primal.id, pair.primal.base);
        let (shadow, shadow_base) = (pair.shadow.id, pair.shadow.base.wrapping_add_signed(-pair.distance));
        [(&self.found.memory, object, base), (self.memory, object, base), (self.memory, shadow, shadow_base)]
    }

    /// The numbers that share bytes with a grain, by what memory or the source tells.
    fn by_memory(&mut self, grain: u64) {
        let Some(pair) = self.regions.pair_of(grain, GRAIN).or_else(|| self.regions.pair_of(grain, 1)) else { return };
        let object = pair.primal.id;
        let near = (grain + 1).saturating_sub(WIDEST)..grain + GRAIN;
        for (memory, id, base) in self.evidence(pair) {
            for address in near.clone() {
                if let Some(kind) = number_in(memory, id, base, address) {
                    self.enter(Cell { address, object, kind }, grain);
                }
            }
        }
        for address in near {
            if let Some(kind) = self.regions.declared(address) {
                self.enter(Cell { address, object, kind }, grain);
            }
        }
    }

    /// The number known at the other end of a move.
    fn by_move(&mut self, at: u64, other: u64) {
        let known = self.known.range(..=other).next_back().map(|(_, cell)| *cell);
        let Some(known) = known.filter(|cell| cell.address + cell.size() > other) else { return };
        let address = at.wrapping_sub(other - known.address);
        let Some(pair) = self.regions.pair_of(address, known.size()) else { return };
        self.enter(Cell { address, object: pair.primal.id, kind: known.kind }, at);
    }

    /// Takes a cell for a number, if it lies behind a duplicated pointer and nothing speaks against it.
    fn enter(&mut self, cell: Cell, grain: u64) {
        let end = cell.address + cell.size();
        let touches = self.known.range(..end).next_back().is_some_and(|(at, known)| at + known.size() > cell.address);
        let inside = end > grain && self.regions.shadow_of(cell.address, cell.size()).is_some();
        if !touches && inside && !self.holds_other(&cell) {
            self.known.insert(cell.address, cell);
        }
    }

    /// Does the cell hold something else in the end: an integer or pointer that the primal computes, or bytes of no
    /// known type that come from elsewhere? Zeros clear numbers too, and a number that was moved on before was one.
    fn holds_other(&self, cell: &Cell) -> bool {
        let Some(data) = self.found.memory.data(cell.object) else { return false };
        let Some(info) = self.found.memory.info(cell.pointer()) else { return false };
        if holds_integer(&self.found.integers, cell) {
            return true;
        }
        let offset = (cell.address - info.base) as usize;
        let kind: Option<FloatKind> = data.number_at(offset);
        let zero = data.cells(offset).take(cell.size() as usize).all(|(byte, _)| byte == 0);
        let grain = cell.address & !(GRAIN - 1);
        let foreign = self.found.overwritten.contains(&grain) && !self.arrived.contains(&grain);
        foreign && kind.is_none() && !zero && !self.found.moved.contains_key(&grain)
    }
}

/// The addresses of the parts of a cell of which it is known what became of them.
pub(super) fn grains(cell: &Cell) -> impl Iterator<Item = u64> + use<> {
    (cell.address & !(GRAIN - 1)..cell.address + cell.size()).step_by(GRAIN as usize)
}

/// Does one of these, addresses with sizes, share bytes with a cell?
pub(super) fn holds_integer(integers: &BTreeMap<u64, u64>, cell: &Cell) -> bool {
    let end = cell.address + cell.size();
    let from = cell.address.saturating_sub(15);
    integers.range(from..end).any(|(address, size)| address + size > cell.address)
}

/// The number at an address of an object, if memory says that there is one.
fn number_in(memory: &Memory<()>, object: AllocId, base: u64, address: u64) -> Option<FloatKind> {
    let offset = address.checked_sub(base)?;
    memory.data(object)?.number_at(offset as usize)
}
