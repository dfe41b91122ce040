//! The types that generated values have: scalars and vectors of integers, numbers and pointers.

use ir::{FloatKind, TypeId, Types};

/// The type of a scalar or of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Elem {
    /// An integer of that many bits.
    Int(u32),
    /// A number.
    Float(FloatKind),
    /// A pointer.
    Ptr,
}

/// A first-class type without parts other than lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty {
    /// The scalar or lane.
    pub elem: Elem,
    /// Lanes; none for a scalar.
    pub lanes: Option<u32>,
}

impl Ty {
    /// A bit.
    pub const BIT: Ty = Ty::int(1);
    /// A pointer.
    pub const PTR: Ty = Ty { elem: Elem::Ptr, lanes: None };

    /// An integer.
    pub const fn int(bits: u32) -> Ty {
        Ty { elem: Elem::Int(bits), lanes: None }
    }

    /// A number.
    pub const fn float(kind: FloatKind) -> Ty {
        Ty { elem: Elem::Float(kind), lanes: None }
    }

    /// The same with another scalar or lane.
    pub const fn of(self, elem: Elem) -> Ty {
        Ty { elem, lanes: self.lanes }
    }

    /// The lane alone.
    pub const fn lane(self) -> Ty {
        Ty { elem: self.elem, lanes: None }
    }

    /// A vector of such scalars.
    pub const fn times(self, lanes: u32) -> Ty {
        Ty { elem: self.elem, lanes: Some(lanes) }
    }

    /// Bits of the scalar or of one lane.
    pub fn bits(self) -> u32 {
        match self.elem {
            Elem::Int(bits) => bits,
            Elem::Float(kind) => kind.bits(),
            Elem::Ptr => 64,
        }
    }

    /// The format of the number.
    pub fn kind(self) -> Option<FloatKind> {
        match self.elem {
            Elem::Float(kind) => Some(kind),
            Elem::Int(_) | Elem::Ptr => None,
        }
    }

    /// Does a scalar of it fill whole bytes of memory, so that its bytes can be told?
    pub fn is_bytes(self) -> bool {
        match self.elem {
            Elem::Int(bits) => matches!(bits, 8 | 16 | 32 | 64),
            Elem::Float(kind) => matches!(kind, FloatKind::Float | FloatKind::Double),
            Elem::Ptr => false,
        }
    }

    /// The type in a module.
    pub fn id(self, types: &mut Types) -> TypeId {
        let elem = match self.elem {
            Elem::Int(bits) => types.int(bits),
            Elem::Float(kind) => types.float(kind),
            Elem::Ptr => types.ptr(),
        };
        self.lanes.map_or(elem, |lanes| types.vector(lanes, elem))
    }

    /// What overloaded intrinsics have in their names.
    pub fn suffix(self) -> String {
        let elem = match self.elem {
            Elem::Int(bits) => format!("i{bits}"),
            Elem::Float(kind) => kind.suffix().to_owned(),
            Elem::Ptr => "p0".to_owned(),
        };
        self.lanes.map_or(elem.clone(), |lanes| format!("v{lanes}{elem}"))
    }
}
