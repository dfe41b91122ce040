//! Constants: interned per module (LangRef, "Constants", "Constant Expressions").

use crate::function::BlockId;
use crate::hash::Table;
use crate::inst::{BinOp, CastOp, GepFlags};
use crate::module::{FuncId, GlobalId};
use crate::types::TypeId;
use cranelift_entity::entity_impl;

/// A constant of a module, interned in [`Constants`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(u32);
entity_impl!(ConstId, "const");

/// A typed constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    /// Its type.
    pub ty: TypeId,
    /// Its value.
    pub kind: ConstKind,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstKind {
    /// An integer, zero-extended to 128 bits from the width of its type.
    Int(u128),
    /// A floating-point number by its bit pattern, in the low bits.
    Float(u128),
    /// `null`
    Null,
    /// `undef`
    Undef,
    /// `poison`
    Poison,
    /// `zeroinitializer`
    Zero,
    /// `none`, of type `token`.
    TokenNone,
    /// A struct, array or vector by its elements.
    Aggregate(Vec<ConstId>),
    /// An array of `i8` written as `c"…"`.
    Bytes(Vec<u8>),
    /// Address of a global variable (or alias).
    Global(GlobalId),
    /// Address of a function.
    Function(FuncId),
    /// Address of a block of a function, for indirect branches.
    BlockAddress(FuncId, BlockId),
    /// An assembler expression, which is called like a function.
    InlineAsm(crate::asm::InlineAsm),
    /// A constant expression.
    Expr(ConstExpr),
    /// A metadata operand of an intrinsic call, `metadata !…`, as printed.
    Metadata(crate::metadata::MdOperand),
}

/// A constant expression (those LLVM 19 still has).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstExpr {
    /// A conversion: `trunc`, `ptrtoint`, `inttoptr`, `bitcast`, `addrspacecast`.
    Cast(CastOp, ConstId),
    /// `getelementptr`
    Gep {
        /// The source element type.
        elem_ty: TypeId,
        /// `inbounds`, `nusw`, `nuw`.
        flags: GepFlags,
        /// The text between `inrange(` and `)`, if any.
        in_range: Option<(i128, i128)>,
        /// The base pointer.
        base: ConstId,
        /// The indices.
        indices: Vec<ConstId>,
    },
    /// `add`, `sub`, `mul`, `shl`, `xor` with their flags.
    Binary {
        /// The operation.
        op: BinOp,
        /// No unsigned wrap.
        nuw: bool,
        /// No signed wrap.
        nsw: bool,
        /// Left operand.
        lhs: ConstId,
        /// Right operand.
        rhs: ConstId,
    },
}

/// The interning table of a module's constants.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    set: Table<Constant>,
}

impl Constants {
    /// The id of the constant, interning it if it is new.
    pub fn intern(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        ConstId(self.set.insert_full(Constant { ty, kind }).0 as u32)
    }

    /// The constant `id`.
    pub fn get(&self, id: ConstId) -> &Constant {
        &self.set[id.0 as usize]
    }

    /// Number of distinct constants.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// No constant at all yet.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// All constants in the order of interning.
    pub fn iter(&self) -> impl Iterator<Item = (ConstId, &Constant)> {
        self.set.iter().enumerate().map(|(i, c)| (ConstId(i as u32), c))
    }
}
