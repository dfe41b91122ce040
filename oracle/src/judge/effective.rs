//! Numbers that a primal only moves or clears.
//!
//! The primal does not tell what such bytes are, but memory does: it has the type of what was last stored to it, and copies take the
//! type along (the effective type of C, C17 6.5p6; [`interp::memory::state`]). The contract counts every floating-point number behind a
//! duplicated pointer. So bytes are one if the memory says so on exit or on entry, if their shadow on entry holds one, if the source
//! declares one (compilers store constant numbers as integers), or if that holds where a copy takes them.

use super::region::Regions;
use interp::Memory;
use interp::machines::Discovered;
use interp::machines::cells::{Cell, GRAIN};
use ir::FloatKind;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number in memory, in bytes.
const WIDEST: u64 = 16;

/// The cells that are moved or overwritten and are no cells by their use in the primal, by address.
pub fn cells(memory: &Memory<()>, regions: &Regions, found: &Discovered) -> Vec<Cell> {
    let arrived = found.moved.values().copied().collect();
    let mut sought = Sought { memory, regions, found, arrived, known: BTreeMap::new() };
    for cell in found.inputs.iter().chain(&found.stored) {
        sought.known.insert(cell.address, *cell);
    }
    let used: BTreeSet<u64> = sought.known.keys().copied().collect();
    let ends = found.moved.iter().flat_map(|(from, to)| [*from, *to]);
    let grains: BTreeSet<u64> = found.overwritten.iter().copied().chain(ends).collect();
    for grain in &grains {
        sought.by_memory(*grain);
    }
    // Whoever knows one end of a move knows the other.
    for (from, to) in &found.moved {
        sought.by_move(*from, *to);
        sought.by_move(*to, *from);
    }
    sought.known.into_values().filter(|cell| !used.contains(&cell.address)).collect()
}

struct Sought<'a> {
    memory: &'a Memory<()>,
    regions: &'a Regions,
    found: &'a Discovered,
    /// Where moves end.
    arrived: BTreeSet<u64>,
    known: BTreeMap<u64, Cell>,
}

impl Sought<'_> {
    /// The numbers that share bytes with a grain, by what the memory on exit, that on entry, the shadow on entry, or the source tells.
    fn by_memory(&mut self, grain: u64) {
        let Some(pair) = self.regions.pair_of(grain, GRAIN).or_else(|| self.regions.pair_of(grain, 1)) else { return };
        let (object, base) = (pair.primal.id, pair.primal.base);
        let (shadow, shadow_base) = (pair.shadow.id, pair.shadow.base.wrapping_add_signed(-pair.distance));
        let places =
            [(&self.found.memory, object, base), (self.memory, object, base), (self.memory, shadow, shadow_base)];
        let near = (grain + 1).saturating_sub(WIDEST)..grain + GRAIN;
        for (memory, id, base) in places {
            let Some(data) = memory.data(id) else { continue };
            for address in near.clone() {
                let kind = address.checked_sub(base).and_then(|offset| data.number_at(offset as usize));
                if let Some(kind) = kind {
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

    /// Does the cell hold something else in the end: an integer or pointer that the primal computes, or bytes of no known
    /// type that come from elsewhere? Zeros clear numbers too.
    fn holds_other(&self, cell: &Cell) -> bool {
        let Some(data) = self.found.memory.data(cell.object) else { return false };
        let Some(info) = self.found.memory.info(cell.pointer()) else { return false };
        if super::reference::holds_integer(&self.found.integers, cell) {
            return true;
        }
        let offset = (cell.address - info.base) as usize;
        let kind: Option<FloatKind> = data.number_at(offset);
        let zero = data.bytes.iter().skip(offset).take(cell.size() as usize).all(|byte| *byte == 0);
        let grain = cell.address & !(GRAIN - 1);
        let foreign = self.found.overwritten.contains(&grain) && !self.arrived.contains(&grain);
        foreign && kind.is_none() && !zero
    }
}
