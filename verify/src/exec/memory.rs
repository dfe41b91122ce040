//! Memory of the symbolic executor: allocations at concrete addresses, cells as they were stored.
//!
//! A cell keeps the value of one scalar store with its size; a load that asks for other bytes is put together from
//! integers, byte by byte. A floating-point value is a term, which has no bytes: it is read back whole, by a load of
//! its size, whatever the type of that load is (a copy through integers carries it along), or refused.

use super::{Stop, Val};
use std::collections::BTreeMap;

/// Allocation k lies at (k + 1)·2³².
const SHIFT: u32 = 32;
/// Where the addresses of functions begin.
pub(super) const FUNCTIONS: u64 = 0x7f00_0000_0000_0000;

/// One allocation.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    pub size: u64,
    pub live: bool,
    /// By offset: size and value.
    pub cells: BTreeMap<u64, (u64, Val)>,
}

/// All allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub allocations: Vec<Allocation>,
}

impl Memory {
    pub fn allocate(&mut self, size: u64) -> u64 {
        self.allocations.push(Allocation { size, live: true, cells: BTreeMap::new() });
        (self.allocations.len() as u64) << SHIFT
    }

    /// Allocation and offset of an address, if `size` bytes are there.
    pub fn find(&self, address: u64, size: u64) -> Result<(usize, u64), Stop> {
        let (index, offset) = ((address >> SHIFT).wrapping_sub(1), address & ((1 << SHIFT) - 1));
        let index = usize::try_from(index).map_err(|_| Stop::unsupported("an address out of range"))?;
        match self.allocations.get(index) {
            Some(allocation) if !allocation.live => Err(Stop::Undefined("access to freed memory")),
            Some(allocation) if offset + size <= allocation.size => Ok((index, offset)),
            _ => Err(Stop::Undefined("access out of bounds")),
        }
    }

    /// The allocation an address points into, live or not.
    pub fn owner(&self, address: u64) -> Option<usize> {
        let index = usize::try_from((address >> SHIFT).checked_sub(1)?).ok()?;
        let allocation = self.allocations.get(index)?;
        (allocation.live && address & ((1 << SHIFT) - 1) <= allocation.size).then_some(index)
    }

    /// The address of an offset in an allocation.
    pub fn address(index: usize, offset: u64) -> u64 {
        ((index as u64 + 1) << SHIFT) + offset
    }

    pub fn free(&mut self, address: u64) -> Result<(), Stop> {
        if address == 0 {
            return Ok(());
        }
        let (index, offset) = self.find(address, 0)?;
        if offset != 0 {
            return Err(Stop::Undefined("free inside of a block"));
        }
        self.allocations[index].live = false;
        Ok(())
    }

    pub fn read(&self, address: u64, size: u64) -> Result<Val, Stop> {
        let (index, offset) = self.find(address, size)?;
        let cells = &self.allocations[index].cells;
        if let Some((stored, value)) = cells.get(&offset)
            && *stored == size
        {
            return Ok(value.clone());
        }
        let mut bytes: u128 = 0;
        for k in 0..size {
            let Some((start, (stored, value))) = cells.range(..=offset + k).next_back() else { return Ok(Val::Undef) };
            if start + stored <= offset + k {
                return Ok(Val::Undef);
            }
            match value {
                Val::Int(int) => {
                    let byte = (int >> (8 * (offset + k - start))) & 0xff;
                    bytes |= byte << (8 * k);
                }
                Val::Undef => return Ok(Val::Undef),
                Val::Real(_) | Val::Many(_) => return Err(Stop::unsupported("part of a floating-point cell is read")),
            }
        }
        Ok(Val::Int(bytes))
    }

    pub fn write(&mut self, address: u64, size: u64, value: Val) -> Result<(), Stop> {
        self.clear(address, size)?;
        let (index, offset) = self.find(address, size)?;
        self.allocations[index].cells.insert(offset, (size, value));
        Ok(())
    }

    /// Makes a range uninitialised; integers that stick out keep their other bytes.
    pub fn clear(&mut self, address: u64, size: u64) -> Result<(), Stop> {
        let (index, offset) = self.find(address, size)?;
        let cells = &mut self.allocations[index].cells;
        let end = offset + size;
        let touched: Vec<u64> = cells
            .range(..end)
            .rev()
            .take_while(|(start, _)| **start + 16 > offset)
            .filter(|(start, (stored, _))| **start + stored > offset)
            .map(|(start, _)| *start)
            .collect();
        for start in touched {
            let Some((stored, value)) = cells.remove(&start) else { continue };
            if start >= offset && start + stored <= end {
                continue;
            }
            for k in (0..stored).filter(|k| start + k < offset || start + k >= end) {
                let byte = match value {
                    Val::Int(int) => Val::Int((int >> (8 * k)) & 0xff),
                    Val::Undef => Val::Undef,
                    Val::Real(_) | Val::Many(_) => {
                        return Err(Stop::unsupported("part of a floating-point cell is overwritten"));
                    }
                };
                cells.insert(start + k, (1, byte));
            }
        }
        Ok(())
    }

    /// Copies as `memmove` does.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Stop> {
        let (index, offset) = self.find(from, size)?;
        let mut copied = Vec::new();
        let mut at = offset;
        while at < offset + size {
            let cells = &self.allocations[index].cells;
            match cells.get(&at) {
                Some((stored, value)) if at + stored <= offset + size => {
                    copied.push((at - offset, *stored, value.clone()));
                    at += stored;
                }
                _ => {
                    let byte = self.read(from + (at - offset), 1)?;
                    copied.push((at - offset, 1, byte));
                    at += 1;
                }
            }
        }
        self.clear(to, size)?;
        for (shift, stored, value) in copied {
            self.write(to + shift, stored, value)?;
        }
        Ok(())
    }
}
