//! The other ranks that execute a call together with the one that is judged, and the weights of what they leave.

use super::formats::kind_of_size;
use super::number;
use super::region::Regions;
use interp::company::{Company, Other};
use interp::machines::Dependence;
use interp::machines::cells::Cell;
use interp::memory::Shadow;
use interp::{Leaf, Machine, Memory};
use ir::FloatKind;
use rug::Float;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What all ranks that are judged share.
#[derive(Debug)]
pub struct Shared {
    /// The ranks.
    pub company: Company,
    /// By rank.
    pub elsewhere: Vec<Elsewhere>,
}

/// The other ranks, as one of them sees them.
#[derive(Clone, Debug)]
pub struct Beside {
    shared: Rc<Shared>,
    rank: usize,
}

/// The weights of a rank's outputs.
#[derive(Debug)]
pub struct Elsewhere {
    /// Where its shadows are.
    pub regions: Regions,
    /// Of its result, with its format.
    pub seed: Option<(FloatKind, Float)>,
    /// Its memory on entry.
    pub memory: Memory,
    /// Bits of the lanes.
    pub precision: u32,
}

/// An output of another rank: which, and of what weight.
pub struct Weighty<S> {
    /// The rank, and the address of the cell; none for its result.
    pub place: (usize, Option<u64>),
    /// Its format.
    pub kind: FloatKind,
    /// Its weight in the sum.
    pub weight: Float,
    /// Its bits.
    pub bits: u128,
    /// The shadow.
    pub shadow: S,
}

impl Elsewhere {
    /// The weight of a cell, which is in its shadow on entry.
    fn weight(&self, cell: &Cell) -> Option<Float> {
        let pointer = self.regions.shadow_of(cell.address, cell.size())?;
        let value = self.memory.load(pointer, Leaf::Float(cell.kind), 1).ok().filter(|value| value.is_init())?;
        Some(number::value(cell.kind, value.bits(), self.precision)).filter(|weight| !weight.is_zero())
    }
}

impl Beside {
    /// The others, as this rank sees them.
    pub fn new(shared: &Rc<Shared>, rank: usize) -> Beside {
        Beside { shared: Rc::clone(shared), rank }
    }

    /// All ranks.
    pub fn company(&self) -> (&Company, usize) {
        (&self.shared.company, self.rank)
    }

    /// The outputs of the other ranks that have shadows and a weight, by rank and address.
    pub fn outputs<M: Machine>(&self, others: &[Other<M>]) -> Vec<Weighty<M::Shadow>> {
        let mut found = Vec::new();
        for other in others {
            let elsewhere = &self.shared.elsewhere[other.rank];
            let mut seen = BTreeSet::new();
            for pair in elsewhere.regions.pairs() {
                for (offset, size, shadow) in other.memory.shadows_of(pair.primal.id) {
                    let (address, object) = (pair.primal.base + offset, pair.primal.id);
                    let Some(kind) = kind_of_size(size).filter(|_| !shadow.is_absent()) else { continue };
                    let cell = Cell { address, object, kind };
                    let value = other.memory.load(cell.pointer(), Leaf::Float(kind), 1).ok().filter(|v| v.is_init());
                    let (Some(weight), Some(value)) = (elsewhere.weight(&cell), value) else { continue };
                    if seen.insert(address) {
                        let (place, bits, shadow) = ((other.rank, Some(address)), value.bits(), shadow.clone());
                        found.push(Weighty { place, kind, weight, bits, shadow });
                    }
                }
            }
            if let (Some(weight), Some((value, shadow))) = (&elsewhere.seed, other.result.leaves.first())
                && !shadow.is_absent()
            {
                let (place, kind, weight) = ((other.rank, None), weight.0, weight.1.clone());
                found.push(Weighty { place, kind, weight, bits: value.bits(), shadow: shadow.clone() });
            }
        }
        found
    }
}

/// A digest of what all ranks have decided.
pub fn decisions(own: &Dependence, others: &[Other<Dependence>]) -> u64 {
    others.iter().fold(own.decisions, |all, other| all.rotate_left(7) ^ other.machine.decisions)
}
