//! Abstract objects: the pieces of memory a program can name, and what is known to lie in them.

use super::place::Place;
use ir::entity::entity_impl;
use ir::{FloatKind, FuncId, GlobalId, InstId};
use std::collections::BTreeMap;

/// An abstract object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjId(u32);
entity_impl!(ObjId, "obj");

/// What an object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjKind {
    /// Memory of an `alloca`.
    Stack(FuncId, InstId),
    /// Memory of an allocator's call.
    Heap(FuncId, InstId),
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// Memory of the caller, reached through parameter `param` of the root and `depth` further loads.
    External {
        /// Index of the root's parameter.
        param: usize,
        /// Number of loads from the parameter.
        depth: u32,
        /// The call marks it constant.
        constant: bool,
        /// The object and place whose content points here, but for depth 0.
        parent: Option<(ObjId, Place)>,
    },
    /// Memory of the system, such as what `getenv` returns.
    Opaque,
}

/// Kinds of data in memory, ordered by how much they say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// An integer, by its declared type (an access of integer type alone proves nothing: copies use them).
    Int,
    /// A pointer.
    Ptr,
    /// A floating-point number.
    Float(FloatKind),
    /// Both a pointer and a float, or floats of two kinds: cannot be copied blindly.
    Conflict,
}

impl Cell {
    /// Bytes of a datum of this kind, given the size of the access that told of it.
    pub fn size(self, access: u64) -> u64 {
        match self {
            Cell::Float(kind) => u64::from(kind.bits()).div_ceil(8),
            Cell::Ptr => 8,
            Cell::Int | Cell::Conflict => access,
        }
    }

    /// What both say together: an integer yields to the others, since copies move data as integers.
    pub fn join(self, other: Cell) -> Cell {
        match (self, other) {
            (a, b) if a == b => a,
            (Cell::Int, x) | (x, Cell::Int) => x,
            _ => Cell::Conflict,
        }
    }
}

/// Which objects a pointer may point to, and where in each.
pub type Targets = BTreeMap<ObjId, Place>;

/// An abstract object's contents.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it stands for.
    pub kind: ObjKind,
    /// Kinds of data: place, size in bytes, kind.
    pub cells: BTreeMap<(Place, u64), Cell>,
    /// Pointers stored in it.
    pub pointers: BTreeMap<Place, Targets>,
    /// It may hold floats that depend on active inputs.
    pub varied: bool,
    /// The differentiated functions may write to it.
    pub written: bool,
}

impl Object {
    /// An object of which nothing is known.
    pub fn new(kind: ObjKind) -> Object {
        let varied = matches!(kind, ObjKind::External { constant: false, .. });
        Object { kind, cells: BTreeMap::new(), pointers: BTreeMap::new(), varied, written: false }
    }

    /// Can it never have a shadow?
    pub fn is_constant(&self) -> bool {
        matches!(self.kind, ObjKind::External { constant: true, .. } | ObjKind::Function(_) | ObjKind::Opaque)
    }

    /// The datum that covers offset `at`: its first byte, size and kind. Of data that overlap there,
    /// the one whose place starts nearest counts: an array behind a header starts behind the header.
    pub fn cell_at(&self, at: i64) -> Option<(i64, u64, Cell)> {
        let mut best: Option<(i64, i64, u64, Cell)> = None;
        for ((place, size), cell) in &self.cells {
            let Some(first) = place.covers(*size, at) else { continue };
            best = Some(match best {
                None => (place.start, first, *size, *cell),
                Some(_) if place.start > best.map_or(0, |b| b.0) => (place.start, first, *size, *cell),
                Some((start, f, s, Cell::Int)) if place.start == start && *cell == Cell::Int => {
                    (start, f, s, Cell::Int)
                }
                Some((start, _, _, Cell::Int)) if place.start == start => (start, first, *size, *cell),
                Some((start, f, s, c)) if place.start == start => (start, f, s, c.join(*cell)),
                Some(old) => old,
            });
        }
        best.map(|(_, first, size, cell)| (first, size, cell))
    }
}
