//! Signatures: of a function in IR, and of a pointer to a function in Rust, as far as the calling convention of C tells
//! them apart.
//!
//! An integer has a width, and below 32 bits a sign too, because the caller extends it (System V ABI for x86-64, as
//! clang and Rust follow it). What a pointer points to is not compared. What a structure passed by value becomes is
//! told as it is, and fits no type of Rust.

use ir::print::type_text;
use ir::{Attrs, FloatKind, Function, Module, Type, TypeId};
use std::fmt;

/// The kind of a parameter or of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No result.
    Nothing,
    /// An integer of so many bits; `bool` has one.
    Int {
        /// Bits.
        bits: u32,
        /// Whether it is signed, if that matters and is known.
        signed: Option<bool>,
    },
    /// `float` or `double`, by its bits.
    Float(u32),
    /// A pointer to anything.
    Pointer,
    /// What has no type in Rust here, in words.
    Other(String),
}

impl Kind {
    fn of(m: &Module, ty: TypeId, attrs: &Attrs) -> Kind {
        match m.types.get(ty) {
            Type::Void => Kind::Nothing,
            Type::Ptr(0) if attrs.has("byval") => Kind::Other("a structure passed by value".to_owned()),
            Type::Ptr(0) if attrs.has("sret") => Kind::Other("a structure returned through memory".to_owned()),
            Type::Ptr(0) => Kind::Pointer,
            Type::Int(bits @ (1 | 8 | 16 | 32 | 64)) => {
                let signed = match (attrs.has("signext"), attrs.has("zeroext")) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                };
                Kind::Int { bits: *bits, signed: signed.filter(|_| (8..32).contains(bits)) }
            }
            Type::Float(kind @ (FloatKind::Float | FloatKind::Double)) => Kind::Float(kind.bits()),
            _ => Kind::Other(type_text(&m.types, ty)),
        }
    }

    /// Does what is of this kind fit where the other is expected?
    fn fits(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Int { bits: a, signed: s }, Kind::Int { bits: b, signed: t }) => {
                a == b && (s == t || s.is_none() || t.is_none())
            }
            (Kind::Other(_), _) | (_, Kind::Other(_)) => false,
            (a, b) => a == b,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Nothing => f.write_str("()"),
            Kind::Int { bits: 1, .. } => f.write_str("bool"),
            Kind::Int { bits, signed } => write!(f, "{}{bits}", if *signed == Some(false) { 'u' } else { 'i' }),
            Kind::Float(bits) => write!(f, "f{bits}"),
            Kind::Pointer => f.write_str("*mut _"),
            Kind::Other(words) => write!(f, "<{words}>"),
        }
    }
}

/// A signature; it prints as a type of Rust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Kinds of the parameters.
    pub params: Vec<Kind>,
    /// `...` follows.
    pub variadic: bool,
    /// Kind of the result.
    pub result: Kind,
}

impl Signature {
    /// That of a function in IR.
    pub(super) fn of(m: &Module, f: &Function) -> Signature {
        let params = f.params.iter().map(|p| Kind::of(m, p.ty, &p.attrs)).collect();
        let result = match f.cc.as_str() {
            "" | "ccc" => Kind::of(m, f.ret, &f.ret_attrs),
            other => Kind::Other(format!("by the calling convention {other}")),
        };
        Signature { params, variadic: f.vararg, result }
    }

    /// May a function of this signature be called by a pointer of the other?
    pub(super) fn fits(&self, other: &Signature) -> bool {
        self.variadic == other.variadic
            && self.params.len() == other.params.len()
            && self.params.iter().zip(&other.params).all(|(a, b)| a.fits(b))
            && self.result.fits(&other.result)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut params: Vec<String> = self.params.iter().map(ToString::to_string).collect();
        if self.variadic {
            params.push("...".to_owned());
        }
        write!(f, "fn({})", params.join(", "))?;
        if self.result == Kind::Nothing { Ok(()) } else { write!(f, " -> {}", self.result) }
    }
}

/// A type of Rust that the calling convention of C passes as one scalar; `()` is no result.
pub trait Passed: sealed::Passed {
    /// Its kind.
    fn kind() -> Kind;
}

pub(super) mod sealed {
    //! Nobody else can add types.

    /// Implemented here only.
    pub trait Passed {}
}

macro_rules! passed {
    ($($ty:ty: $kind:expr),* $(,)?) => {
        $(
            impl sealed::Passed for $ty {}
            impl Passed for $ty {
                fn kind() -> Kind {
                    $kind
                }
            }
        )*
    };
}

passed! {
    (): Kind::Nothing,
    bool: Kind::Int { bits: 1, signed: None },
    i8: Kind::Int { bits: 8, signed: Some(true) },
    u8: Kind::Int { bits: 8, signed: Some(false) },
    i16: Kind::Int { bits: 16, signed: Some(true) },
    u16: Kind::Int { bits: 16, signed: Some(false) },
    i32: Kind::Int { bits: 32, signed: None },
    u32: Kind::Int { bits: 32, signed: None },
    i64: Kind::Int { bits: 64, signed: None },
    u64: Kind::Int { bits: 64, signed: None },
    isize: Kind::Int { bits: 64, signed: None },
    usize: Kind::Int { bits: 64, signed: None },
    f32: Kind::Float(32),
    f64: Kind::Float(64),
}

impl<T> sealed::Passed for *const T {}
impl<T> Passed for *const T {
    fn kind() -> Kind {
        Kind::Pointer
    }
}

impl<T> sealed::Passed for *mut T {}
impl<T> Passed for *mut T {
    fn kind() -> Kind {
        Kind::Pointer
    }
}
