//! Values: what registers hold.
//!
//! Every first-class value is a flat list of *leaves*: the scalars of its type in memory order (a vector is its lanes,
//! a struct its fields, recursively). A leaf is a [`Scalar`]: up to 128 bits, with a [`Tag`] that says whether the bits
//! mean something.
//!
//! Representation, by kind of leaf:
//! - an integer of at most 64 bits: zero-extended in `lo`, and `hi` is 0;
//! - a wider integer: low and high word;
//! - `half`, `bfloat`, `float`, `double`: the bit pattern in `lo`; `x86_fp80`: significand in `lo`, sign and exponent
//!   in `hi`; `fp128`: both words;
//! - a pointer: the address in `lo`, the provenance in `hi` (an [`AllocId`](crate::memory::AllocId); 0 when unknown, as
//!   after `inttoptr`: then the address decides);
//! - of at most 64 bits with [`Tag::Undef`]: the defined bits in `lo`, the mask of the undefined ones in `hi`. An empty
//!   mask of what is no integer stands for all bits.
//!
//! `undef` and reads of uninitialised memory are the same thing here: bits without a value, tracked bit by bit through
//! logic and shifts of integers (bit-fields are built that way) and as a whole elsewhere. Using them where the program
//! would have to decide (branch, address, `noundef`) is reported; `freeze` gives them a seeded value. Poison carries,
//! in `lo`, where it was made.

use crate::outcome::Location;
use ir::{FloatKind, Type, TypeId, Types};
use smallvec::SmallVec;

/// Does a leaf have a value?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Tag {
    /// It has.
    #[default]
    Init = 0,
    /// Some or all bits are undefined: uninitialised memory, or the constant `undef`.
    Undef = 1,
    /// Poison.
    Poison = 2,
}

/// One leaf: up to 128 bits and whether they mean something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scalar {
    /// The low word.
    pub lo: u64,
    /// The high word, the provenance, or the mask of undefined bits.
    pub hi: u64,
    /// Defined, undefined or poison.
    pub tag: Tag,
}

impl Scalar {
    /// A defined leaf of at most 64 bits.
    #[inline]
    pub const fn word(lo: u64) -> Scalar {
        Scalar { lo, hi: 0, tag: Tag::Init }
    }

    /// A defined leaf of up to 128 bits.
    #[inline]
    pub const fn wide(bits: u128) -> Scalar {
        Scalar { lo: bits as u64, hi: (bits >> 64) as u64, tag: Tag::Init }
    }

    /// A `double`.
    #[inline]
    pub const fn f64(value: f64) -> Scalar {
        Scalar::word(value.to_bits())
    }

    /// A `float`.
    #[inline]
    pub const fn f32(value: f32) -> Scalar {
        Scalar::word(value.to_bits() as u64)
    }

    /// An `i32`.
    #[inline]
    pub const fn i32(value: i32) -> Scalar {
        Scalar::word(value as u32 as u64)
    }

    /// An `i1`.
    #[inline]
    pub const fn bool(value: bool) -> Scalar {
        Scalar::word(value as u64)
    }

    /// A pointer.
    #[inline]
    pub const fn ptr(pointer: Pointer) -> Scalar {
        Scalar { lo: pointer.addr, hi: pointer.prov, tag: Tag::Init }
    }

    /// Poison made at no particular instruction.
    pub const POISON: Scalar = Scalar { lo: 0, hi: 0, tag: Tag::Poison };

    /// Poison made by an instruction.
    pub fn poison_at(at: Location) -> Scalar {
        Scalar { lo: (u64::from(at.func.as_u32()) + 1) << 32 | u64::from(at.inst.as_u32()), hi: 0, tag: Tag::Poison }
    }

    /// The instruction that made this poison, if it is known.
    pub fn poison_origin(self) -> Option<Location> {
        let func = ir::FuncId::from_u32((self.lo >> 32).checked_sub(1)? as u32);
        (self.tag == Tag::Poison).then_some(Location { func, inst: ir::InstId::from_u32(self.lo as u32) })
    }

    /// An undefined leaf of that kind.
    pub const fn undef(leaf: Leaf) -> Scalar {
        let hi = match leaf {
            Leaf::Int(bits) if bits <= 64 => mask64(bits),
            _ => 0,
        };
        Scalar { lo: 0, hi, tag: Tag::Undef }
    }

    /// Are some bits of a leaf of that width undefined, and others not?
    #[inline]
    pub const fn is_partly_undef(self, bits: u8) -> bool {
        matches!(self.tag, Tag::Undef) && bits <= 64 && self.hi != 0 && self.hi != mask64(bits)
    }

    /// Both words as one number (of a defined leaf that is not a pointer).
    #[inline]
    pub const fn bits(self) -> u128 {
        (self.hi as u128) << 64 | self.lo as u128
    }

    /// The bits read as a `double`.
    #[inline]
    pub const fn as_f64(self) -> f64 {
        f64::from_bits(self.lo)
    }

    /// The bits read as a `float`.
    #[inline]
    pub const fn as_f32(self) -> f32 {
        f32::from_bits(self.lo as u32)
    }

    /// The bits read as a pointer.
    #[inline]
    pub const fn as_ptr(self) -> Pointer {
        Pointer { addr: self.lo, prov: self.hi }
    }

    /// Has it a value?
    #[inline]
    pub fn is_init(self) -> bool {
        self.tag == Tag::Init
    }
}

/// A pointer: an address, and the allocation it may access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pointer {
    /// The address.
    pub addr: u64,
    /// The allocation, as [`AllocId::bits`](crate::memory::AllocId); 0 when unknown.
    pub prov: u64,
}

impl Pointer {
    /// `null`
    pub const NULL: Pointer = Pointer { addr: 0, prov: 0 };

    /// The pointer `by` bytes further, of the same provenance.
    #[inline]
    #[must_use]
    pub const fn offset(self, by: i64) -> Pointer {
        Pointer { addr: self.addr.wrapping_add_signed(by), prov: self.prov }
    }

    /// Is the address 0?
    pub const fn is_null(self) -> bool {
        self.addr == 0
    }
}

/// The kind of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Leaf {
    /// An integer of that many bits (1 to 128).
    Int(u8),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Ptr,
}

/// The lowest `bits` bits set.
#[inline]
pub const fn mask64(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The lowest `bits` bits set.
#[inline]
pub const fn mask128(bits: u8) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

impl Leaf {
    /// Width of the value in bits.
    #[inline]
    pub const fn bits(self) -> u8 {
        match self {
            Leaf::Int(bits) => bits,
            Leaf::Float(FloatKind::Half | FloatKind::BFloat) => 16,
            Leaf::Float(FloatKind::Float) => 32,
            Leaf::Float(FloatKind::Double) | Leaf::Ptr => 64,
            Leaf::Float(FloatKind::X86Fp80) => 80,
            Leaf::Float(FloatKind::Fp128) => 128,
        }
    }

    /// Bytes that a store of it writes.
    #[inline]
    pub const fn store_size(self) -> u64 {
        (self.bits() as u64).div_ceil(8)
    }

    /// Is it a floating-point number?
    #[inline]
    pub const fn is_float(self) -> bool {
        matches!(self, Leaf::Float(_))
    }
}

/// The leaves of a first-class type with their offsets in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flat {
    /// Kind and byte offset of each leaf.
    pub leaves: Vec<(Leaf, u64)>,
    /// A vector whose lanes are not whole bytes lies packed in memory; its leaves' offsets mean nothing then.
    pub packed_bits: bool,
}

impl Flat {
    /// Flattens `ty`; an error says what cannot be a value.
    pub fn new(types: &Types, layout: &ir::DataLayout, ty: TypeId) -> Result<Flat, String> {
        let mut flat = Flat::default();
        flat.add(types, layout, ty, 0)?;
        Ok(flat)
    }

    fn add(&mut self, types: &Types, layout: &ir::DataLayout, ty: TypeId, offset: u64) -> Result<(), String> {
        const MOST: usize = 1 << 20;
        if self.leaves.len() > MOST {
            return Err(format!("a first-class value of more than {MOST} scalars"));
        }
        match types.get(ty) {
            Type::Void => {}
            Type::Int(bits) => match u8::try_from(*bits) {
                Ok(bits @ 1..=128) => self.leaves.push((Leaf::Int(bits), offset)),
                _ => return Err(format!("an integer of {bits} bits (at most 128 are supported)")),
            },
            Type::Float(kind) => self.leaves.push((Leaf::Float(*kind), offset)),
            Type::Ptr(_) => self.leaves.push((Leaf::Ptr, offset)),
            Type::Vector { len, elem } => {
                let bits = layout.bit_width(types, *elem).unwrap_or(8);
                self.packed_bits |= !bits.is_multiple_of(8);
                for i in 0..u64::from(*len) {
                    self.add(types, layout, *elem, offset + i * bits.div_ceil(8))?;
                }
            }
            Type::Array { len, elem } => {
                let size = layout.size_of(types, *elem);
                for i in 0..*len {
                    self.add(types, layout, *elem, offset + i * size)?;
                }
            }
            Type::Struct { .. } | Type::Named(_) => {
                let (Some((fields, _)), Some(at)) = (types.fields(ty), layout.struct_layout(types, ty)) else {
                    return Err("a value of opaque structure type".to_owned());
                };
                for (field, field_offset) in fields.iter().zip(&at.offsets) {
                    self.add(types, layout, *field, offset + field_offset)?;
                }
            }
            Type::Func { .. } => return Err("a value of function type".to_owned()),
            // They carry no data at run time.
            Type::Label | Type::Token | Type::Metadata => {}
        }
        Ok(())
    }
}

/// A whole first-class value, with the shadow of each leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value<S = ()> {
    /// Its leaves in memory order; none for `void`.
    pub leaves: SmallVec<[(Scalar, S); 2]>,
}

impl<S: Default> Value<S> {
    /// No value: the result of a `void` function.
    pub fn void() -> Value<S> {
        Value { leaves: SmallVec::new() }
    }

    /// A value of one leaf without a shadow.
    pub fn scalar(scalar: Scalar) -> Value<S> {
        Value::shadowed(scalar, S::default())
    }

    /// A value of one leaf with its shadow.
    pub fn shadowed(scalar: Scalar, shadow: S) -> Value<S> {
        Value { leaves: smallvec::smallvec![(scalar, shadow)] }
    }

    /// A `double`.
    pub fn f64(value: f64) -> Value<S> {
        Value::scalar(Scalar::f64(value))
    }

    /// An `i32`.
    pub fn i32(value: i32) -> Value<S> {
        Value::scalar(Scalar::i32(value))
    }

    /// An `i64`.
    pub fn i64(value: i64) -> Value<S> {
        Value::scalar(Scalar::word(value as u64))
    }

    /// A pointer.
    pub fn ptr(pointer: Pointer) -> Value<S> {
        Value::scalar(Scalar::ptr(pointer))
    }

    /// The first leaf; `None` for `void`.
    pub fn first(&self) -> Option<Scalar> {
        self.leaves.first().map(|(scalar, _)| *scalar)
    }

    /// The same bits with other shadows, all absent.
    pub fn without_shadows<T: Default>(&self) -> Value<T> {
        Value { leaves: self.leaves.iter().map(|(scalar, _)| (*scalar, T::default())).collect() }
    }
}
