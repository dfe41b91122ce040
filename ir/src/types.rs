//! Types: interned, so that two types are equal exactly when their [`TypeId`]s are.
//!
//! LangRef, "Type System". Pointers are opaque (LLVM 19 has no others). Named (identified)
//! structs are equal by name; literal structs, arrays and vectors by shape.

use crate::hash::Table;
use cranelift_entity::{PrimaryMap, entity_impl};

/// A type of a module, interned in [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

/// An identified (named) struct type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(u32);
entity_impl!(StructId, "struct");

/// The floating-point formats of the LangRef that are modelled (`ppc_fp128` is not).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// IEEE binary16, `half`.
    Half,
    /// `bfloat`.
    BFloat,
    /// IEEE binary32, `float`.
    Float,
    /// IEEE binary64, `double`.
    Double,
    /// x87 80-bit extended, `x86_fp80`.
    X86Fp80,
    /// IEEE binary128, `fp128`.
    Fp128,
}

impl FloatKind {
    /// All kinds, narrowest first.
    pub const ALL: [FloatKind; 6] =
        [FloatKind::Half, FloatKind::BFloat, FloatKind::Float, FloatKind::Double, FloatKind::X86Fp80, FloatKind::Fp128];

    /// The keyword in `.ll` text.
    pub fn keyword(self) -> &'static str {
        match self {
            FloatKind::Half => "half",
            FloatKind::BFloat => "bfloat",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::X86Fp80 => "x86_fp80",
            FloatKind::Fp128 => "fp128",
        }
    }

    /// Width of the value in bits (80 for `x86_fp80`, whatever its storage size).
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 => 128,
        }
    }

    /// Bits of the exponent, and of the fraction that is stored: without the leading one, which `x86_fp80` stores, too
    /// (IEEE 754-2019, 3.6).
    pub fn format(self) -> (u32, u32) {
        match self {
            FloatKind::Half => (5, 10),
            FloatKind::BFloat => (8, 7),
            FloatKind::Float => (8, 23),
            FloatKind::Double => (11, 52),
            FloatKind::X86Fp80 => (15, 63),
            FloatKind::Fp128 => (15, 112),
        }
    }

    /// The suffix that overloaded intrinsics carry, as in `llvm.sin.f64`.
    pub fn suffix(self) -> &'static str {
        match self {
            FloatKind::Half => "f16",
            FloatKind::BFloat => "bf16",
            FloatKind::Float => "f32",
            FloatKind::Double => "f64",
            FloatKind::X86Fp80 => "f80",
            FloatKind::Fp128 => "f128",
        }
    }
}

/// The shape of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// `iN`, 1 <= N <= 128 (wider integers are refused by the reader).
    Int(u32),
    /// A floating-point type.
    Float(FloatKind),
    /// `ptr addrspace(N)`
    Ptr(u32),
    /// `<len x elem>` (fixed length only; scalable vectors are refused by the reader).
    Vector {
        /// Number of lanes.
        len: u32,
        /// Lane type: integer, float or pointer.
        elem: TypeId,
    },
    /// `[len x elem]`
    Array {
        /// Number of elements.
        len: u64,
        /// Element type.
        elem: TypeId,
    },
    /// `{ … }` or `<{ … }>`, a literal struct.
    Struct {
        /// Field types.
        fields: Vec<TypeId>,
        /// No padding between fields.
        packed: bool,
    },
    /// `%name`, an identified struct; its body is in [`Types::named`].
    Named(StructId),
    /// A function type.
    Func {
        /// Return type.
        ret: TypeId,
        /// Types of the fixed parameters.
        params: Vec<TypeId>,
        /// Takes `...` after them.
        vararg: bool,
    },
    /// `label`
    Label,
    /// `token`
    Token,
    /// `metadata`
    Metadata,
}

/// An identified struct: `%name = type { … }`, opaque while `body` is `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedStruct {
    /// Name without the `%`.
    pub name: String,
    /// Fields and packedness.
    pub body: Option<(Vec<TypeId>, bool)>,
}

/// The interning table of a module's types.
#[derive(Clone, Debug, Default)]
pub struct Types {
    set: Table<Type>,
    named: PrimaryMap<StructId, NamedStruct>,
}

impl Types {
    /// The id of `ty`, interning it if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId(self.set.insert_full(ty).0 as u32)
    }

    /// The id of `ty` if the module already mentions it.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.set.get_index_of(ty).map(|i| TypeId(i as u32))
    }

    /// The shape of `id`.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.set[id.0 as usize]
    }

    /// Number of distinct types.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// No type at all yet.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Declares an identified struct (opaque until [`Types::set_body`]); returns the existing one of that name if any.
    pub fn declare_struct(&mut self, name: &str) -> StructId {
        match self.named.iter().find(|(_, s)| s.name == name) {
            Some((id, _)) => id,
            None => self.named.push(NamedStruct { name: name.to_owned(), body: None }),
        }
    }

    /// Gives an identified struct its body.
    pub fn set_body(&mut self, id: StructId, fields: Vec<TypeId>, packed: bool) {
        self.named[id].body = Some((fields, packed));
    }

    /// The identified struct `id`.
    pub fn named(&self, id: StructId) -> &NamedStruct {
        &self.named[id]
    }

    /// All identified structs in the order of their declaration.
    pub fn named_structs(&self) -> impl Iterator<Item = (StructId, &NamedStruct)> {
        self.named.iter()
    }

    /// `void`
    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// `iN`
    pub fn int(&mut self, bits: u32) -> TypeId {
        self.intern(Type::Int(bits))
    }

    /// A floating-point type.
    pub fn float(&mut self, kind: FloatKind) -> TypeId {
        self.intern(Type::Float(kind))
    }

    /// `ptr` in address space 0.
    pub fn ptr(&mut self) -> TypeId {
        self.intern(Type::Ptr(0))
    }

    /// `{ … }`, not packed.
    pub fn tuple(&mut self, fields: Vec<TypeId>) -> TypeId {
        self.intern(Type::Struct { fields, packed: false })
    }

    /// `[len x elem]`
    pub fn array(&mut self, len: u64, elem: TypeId) -> TypeId {
        self.intern(Type::Array { len, elem })
    }

    /// `<len x elem>`
    pub fn vector(&mut self, len: u32, elem: TypeId) -> TypeId {
        self.intern(Type::Vector { len, elem })
    }

    /// The type of a comparison of such values: a bit, or one for each lane.
    pub fn truth(&mut self, of: TypeId) -> TypeId {
        let bit = self.int(1);
        match *self.get(of) {
            Type::Vector { len, .. } => self.vector(len, bit),
            _ => bit,
        }
    }

    /// A function type without `...`.
    pub fn func(&mut self, ret: TypeId, params: Vec<TypeId>) -> TypeId {
        self.intern(Type::Func { ret, params, vararg: false })
    }

    /// Is it an integer type?
    pub fn is_int(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_))
    }

    /// Is it a pointer type (not a vector of them)?
    pub fn is_ptr(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Ptr(_))
    }

    /// The float kind of a scalar floating-point type.
    pub fn float_kind(&self, id: TypeId) -> Option<FloatKind> {
        match self.get(id) {
            Type::Float(k) => Some(*k),
            _ => None,
        }
    }

    /// The lane type of a vector, or the type itself.
    pub fn scalar(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Vector { elem, .. } => *elem,
            _ => id,
        }
    }

    /// Fields of a struct (literal or identified), with packedness; `None` for other or opaque types.
    pub fn fields(&self, id: TypeId) -> Option<(&[TypeId], bool)> {
        match self.get(id) {
            Type::Struct { fields, packed } => Some((fields, *packed)),
            Type::Named(s) => self.named[*s].body.as_ref().map(|(f, p)| (f.as_slice(), *p)),
            _ => None,
        }
    }

    /// Type of the `index`-th element of an aggregate (struct or array) or vector.
    pub fn element(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id) {
            Type::Array { len, elem } => (index < *len).then_some(*elem),
            Type::Vector { len, elem } => (index < u64::from(*len)).then_some(*elem),
            _ => self.fields(id)?.0.get(usize::try_from(index).ok()?).copied(),
        }
    }

    /// Number of elements of an aggregate or vector.
    pub fn element_count(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Array { len, .. } => Some(*len),
            Type::Vector { len, .. } => Some(u64::from(*len)),
            _ => self.fields(id).map(|(f, _)| f.len() as u64),
        }
    }
}
