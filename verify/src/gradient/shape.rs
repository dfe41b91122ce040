//! The shape of memory at a call: which blocks are shadows of which, what an address reaches, where floating-point
//! numbers lie.

use crate::exec::Val;
use crate::exec::memory::Memory;
use std::collections::{BTreeMap, BTreeSet};

/// The block of each primal allocation that duplicated arguments reach, with the way from there to its shadow.
pub(super) fn paired(memory: &Memory, shadows: &[(u64, u64)]) -> BTreeMap<usize, u64> {
    let mut pairs = BTreeMap::new();
    let mut open = shadows.to_vec();
    while let Some((primal, shadow)) = open.pop() {
        let (Some(block), Some(shadow_block)) = (memory.owner(primal), memory.owner(shadow)) else { continue };
        let delta = shadow.wrapping_sub(primal);
        if block == shadow_block && delta == 0 || pairs.contains_key(&block) {
            continue;
        }
        pairs.insert(block, delta);
        for (offset, (size, value)) in &memory.allocations[block].cells {
            let address = Memory::address(block, *offset).wrapping_add(delta);
            if let (8, Val::Int(target), Ok(Val::Int(target_shadow))) = (size, value, memory.read(address, 8)) {
                open.push((*target as u64, target_shadow as u64));
            }
        }
    }
    pairs
}

/// The blocks that addresses reach.
pub(super) fn reached(memory: &Memory, from: &[u64]) -> BTreeSet<usize> {
    let (mut blocks, mut open) = (BTreeSet::new(), from.to_vec());
    while let Some(address) = open.pop() {
        let Some(block) = memory.owner(address) else { continue };
        if blocks.insert(block) {
            let targets = memory.allocations[block].cells.values().filter_map(|(size, value)| match (size, value) {
                (8, Val::Int(target)) => Some(*target as u64),
                _ => None,
            });
            open.extend(targets);
        }
    }
    blocks
}

/// Addresses and sizes of the floating-point cells of a block: stored as such, or accessed as such.
pub(super) fn floats(memory: &Memory, block: usize, accessed: &BTreeSet<(u64, u64)>) -> BTreeSet<(u64, u64)> {
    let stored = memory.allocations[block].cells.iter().filter_map(|(offset, (size, value))| match value {
        Val::Real(_) => Some((Memory::address(block, *offset), *size)),
        _ => None,
    });
    let mut all: BTreeSet<(u64, u64)> = stored.collect();
    all.extend(accessed.iter().filter(|(address, _)| memory.owner(*address) == Some(block)));
    all
}
