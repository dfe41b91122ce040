//! The inputs of the map that is differentiated.

use super::number;
use super::region::Regions;
use interp::machines::cells::Cell;
use interp::{Leaf, Memory};
use ir::FloatKind;

/// Where an input lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a cell of primal memory.
    Cell(Cell),
    /// It is an active scalar, with this index among them.
    Scalar(usize),
}

/// An input of the map that is differentiated.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it lives.
    pub place: Place,
    /// Its format.
    pub kind: FloatKind,
    /// Its bits on entry.
    pub bits: u128,
    /// Its name.
    pub name: String,
    /// The scale at which it is varied: a power of two.
    pub scale: f64,
}

impl Input {
    pub(super) fn new(place: Place, (kind, bits): (FloatKind, u128), name: String) -> Input {
        Input { place, kind, bits, name, scale: number::scale(kind, bits) }
    }

    /// A cell as an input, if its content is defined.
    pub(super) fn of_cell(memory: &Memory<()>, regions: &Regions, cell: Cell) -> Option<Input> {
        let value = memory.load(cell.pointer(), Leaf::Float(cell.kind), 1).ok().filter(|v| v.is_init())?;
        Some(Input::new(Place::Cell(cell), (cell.kind, value.bits()), regions.name(cell.address, cell.size())))
    }

    /// The address of its cell, if it has one.
    pub fn address(&self) -> Option<u64> {
        match self.place {
            Place::Cell(cell) => Some(cell.address),
            Place::Scalar(_) => None,
        }
    }
}
