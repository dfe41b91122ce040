//! Data in memory and in values: what kinds there are, and where a value of a type has them.

use ir::{FloatKind, Module, Type, TypeId};

/// Kinds of data in memory, ordered by how much they say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// An integer, by its declared type (an access of integer type alone proves nothing: copies use them).
    Int,
    /// A pointer.
    Ptr,
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer at some times, a `double` at others; only a run tells which.
    Either,
    /// Floats of two kinds, or data that overlap: cannot be copied blindly.
    Conflict,
}

impl Cell {
    /// Bytes of a datum of this kind, given the size of the access that told of it.
    pub fn size(self, access: u64) -> u64 {
        match self {
            Cell::Float(kind) => u64::from(kind.bits()).div_ceil(8),
            Cell::Ptr | Cell::Either => 8,
            Cell::Int | Cell::Conflict => access,
        }
    }

    /// What both say together: an integer yields to the others, since copies move data as integers.
    pub fn join(self, other: Cell) -> Cell {
        match (self, other) {
            (a, b) if a == b => a,
            (Cell::Int, x) | (x, Cell::Int) => x,
            (a, b) if a.may_take_turns() && b.may_take_turns() => Cell::Either,
            _ => Cell::Conflict,
        }
    }

    /// A pointer or a `double`: data of which one may lie where the other lay before.
    pub fn may_take_turns(self) -> bool {
        matches!(self, Cell::Ptr | Cell::Either | Cell::Float(FloatKind::Double))
    }

    /// The float that may lie here.
    pub fn float(self) -> Option<FloatKind> {
        match self {
            Cell::Float(kind) => Some(kind),
            Cell::Either => Some(FloatKind::Double),
            Cell::Ptr | Cell::Int | Cell::Conflict => None,
        }
    }

    /// May it be a float, or nobody knows what it is?
    pub fn may_be_float(self) -> bool {
        self == Cell::Conflict || self.float().is_some()
    }

    /// May it be a pointer?
    pub fn may_be_pointer(self) -> bool {
        matches!(self, Cell::Ptr | Cell::Either)
    }
}

/// A run of bytes of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// First byte, relative to the pointer asked about.
    pub offset: u64,
    /// Length in bytes.
    pub size: u64,
    /// What it holds.
    pub cell: Cell,
}

impl Span {
    /// Does it share a byte with `[offset, offset + size)`?
    pub fn overlaps(&self, offset: u64, size: u64) -> bool {
        self.offset < offset.saturating_add(size) && offset < self.offset + self.size
    }

    /// Does it lie in `[offset, offset + size)`?
    pub fn is_within(&self, offset: u64, size: u64) -> bool {
        offset <= self.offset && self.offset + self.size <= offset.saturating_add(size)
    }
}

/// The leaves of a value of this type with that content.
pub fn leaves(m: &Module, ty: TypeId, content: &[Span]) -> Vec<Span> {
    let (mut data, mut integers) = (Vec::new(), Vec::new());
    typed(m, ty, 0, &mut data, &mut integers);
    data.extend_from_slice(content);
    data.sort_by_key(|s| s.offset);
    data
}

/// The scalar floats and pointers that a value of this type holds by its type, with the runs of bytes that are
/// integers.
pub fn typed(m: &Module, ty: TypeId, at: u64, data: &mut Vec<Span>, integers: &mut Vec<(u64, u64)>) {
    match m.types.get(ty) {
        Type::Float(kind) => {
            let cell = Cell::Float(*kind);
            data.push(Span { offset: at, size: cell.size(0), cell });
        }
        Type::Ptr(_) => data.push(Span { offset: at, size: 8, cell: Cell::Ptr }),
        Type::Int(_) => integers.push((at, m.layout.store_size(&m.types, ty))),
        Type::Vector { elem, .. } if matches!(m.types.get(*elem), Type::Int(_)) => {
            integers.push((at, m.layout.store_size(&m.types, ty)));
        }
        _ => {
            for i in 0..m.types.element_count(ty).unwrap_or(0) {
                let (Some(elem), Some(offset)) = (m.types.element(ty, i), m.layout.element_offset(&m.types, ty, i))
                else {
                    return;
                };
                typed(m, elem, at + offset, data, integers);
            }
        }
    }
}
