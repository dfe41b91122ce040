//! Instructions (LangRef, "Instruction Reference"), each with every poison-generating flag,
//! fast-math flag, ordering and alignment that LLVM 19 prints.

use crate::attr::Attrs;
use crate::constant::ConstId;
use crate::function::{BlockId, ValueId};
use crate::metadata::MdId;
use crate::types::TypeId;

mod ops;

pub use ops::*;

/// An operand: a value of the function, or a constant of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Operand {
    /// A parameter or the result of an instruction.
    Local(ValueId),
    /// A constant.
    Const(ConstId),
}

impl Operand {
    /// The local value, if it is one.
    pub fn local(self) -> Option<ValueId> {
        match self {
            Operand::Local(v) => Some(v),
            Operand::Const(_) => None,
        }
    }

    /// The constant, if it is one.
    pub fn constant(self) -> Option<ConstId> {
        match self {
            Operand::Const(c) => Some(c),
            Operand::Local(_) => None,
        }
    }
}

/// `tail`, `musttail`, `notail` markers of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "each is the LangRef marker of its name")]
pub enum TailKind {
    #[default]
    None,
    Tail,
    MustTail,
    NoTail,
}

/// An operand bundle, `"tag"(operands)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The tag.
    pub tag: String,
    /// Its operands.
    pub inputs: Vec<Operand>,
}

/// What `call` and `invoke` share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function called: a constant function address for direct calls.
    pub callee: Operand,
    /// The function type of the call (needed for `...`).
    pub fn_ty: TypeId,
    /// The arguments.
    pub args: Vec<Operand>,
    /// Attributes of each argument (same length as `args`).
    pub arg_attrs: Vec<Attrs>,
    /// Attributes of the return value.
    pub ret_attrs: Attrs,
    /// Function attributes of the call site.
    pub fn_attrs: Attrs,
    /// Tail-call marker.
    pub tail: TailKind,
    /// Calling convention keyword(s) as printed; empty for `ccc`.
    pub cc: String,
    /// Fast-math flags (calls that return floating-point values).
    pub fast: FastMath,
    /// Operand bundles.
    pub bundles: Vec<Bundle>,
}

impl Call {
    /// A call without attributes.
    pub fn plain(callee: Operand, fn_ty: TypeId, args: Vec<Operand>) -> Call {
        Call {
            callee,
            fn_ty,
            arg_attrs: vec![Attrs::default(); args.len()],
            args,
            ret_attrs: Attrs::default(),
            fn_attrs: Attrs::default(),
            tail: TailKind::default(),
            cc: String::new(),
            fast: FastMath::default(),
            bundles: Vec::new(),
        }
    }
}

/// A clause of `landingpad`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clause {
    /// `catch T v`
    Catch(Operand),
    /// `filter T v`
    Filter(Operand),
}

/// An instruction's operation and operands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the LangRef instruction of its name, its fields in the LangRef's words")]
pub enum InstKind {
    // Terminators
    Ret(Option<Operand>),
    Br(BlockId),
    CondBr {
        cond: Operand,
        then_to: BlockId,
        else_to: BlockId,
    },
    Switch {
        value: Operand,
        default: BlockId,
        cases: Vec<(ConstId, BlockId)>,
    },
    IndirectBr {
        address: Operand,
        targets: Vec<BlockId>,
    },
    Invoke {
        call: Box<Call>,
        normal: BlockId,
        unwind: BlockId,
    },
    Resume(Operand),
    Unreachable,
    // Arithmetic
    FNeg {
        fast: FastMath,
        value: Operand,
    },
    Binary {
        op: BinOp,
        flags: IntFlags,
        fast: FastMath,
        lhs: Operand,
        rhs: Operand,
    },
    // Vectors and aggregates
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        value: Operand,
        index: Operand,
    },
    /// `mask[i]` is the lane of the concatenation of both vectors, `None` for poison.
    ShuffleVector {
        a: Operand,
        b: Operand,
        mask: Vec<Option<u32>>,
    },
    ExtractValue {
        aggregate: Operand,
        indices: Vec<u32>,
    },
    InsertValue {
        aggregate: Operand,
        value: Operand,
        indices: Vec<u32>,
    },
    // Memory
    Alloca {
        elem_ty: TypeId,
        count: Option<Operand>,
        align: u64,
        addr_space: u32,
        inalloca: bool,
    },
    Load {
        ptr: Operand,
        align: u64,
        volatile: bool,
        atomic: Option<Atomic>,
    },
    Store {
        value: Operand,
        ptr: Operand,
        align: u64,
        volatile: bool,
        atomic: Option<Atomic>,
    },
    Fence(Atomic),
    CmpXchg {
        ptr: Operand,
        expected: Operand,
        new: Operand,
        align: u64,
        weak: bool,
        volatile: bool,
        success: Ordering,
        failure: Ordering,
        scope: String,
    },
    AtomicRmw {
        op: RmwOp,
        ptr: Operand,
        value: Operand,
        align: u64,
        volatile: bool,
        ordering: Ordering,
        scope: String,
    },
    Gep {
        elem_ty: TypeId,
        flags: GepFlags,
        base: Operand,
        indices: Vec<Operand>,
    },
    // Conversions
    Cast {
        op: CastOp,
        flags: IntFlags,
        fast: FastMath,
        value: Operand,
    },
    // Other
    ICmp {
        pred: IntPred,
        lhs: Operand,
        rhs: Operand,
    },
    FCmp {
        pred: FloatPred,
        fast: FastMath,
        lhs: Operand,
        rhs: Operand,
    },
    Phi {
        fast: FastMath,
        incoming: Vec<(Operand, BlockId)>,
    },
    Select {
        fast: FastMath,
        cond: Operand,
        if_true: Operand,
        if_false: Operand,
    },
    Freeze(Operand),
    Call(Box<Call>),
    VaArg {
        list: Operand,
    },
    LandingPad {
        cleanup: bool,
        clauses: Vec<Clause>,
    },
}

/// What an instruction of a synthesised gradient does for the primal instruction it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A copy of the primal instruction.
    Clone,
    /// Computes a shadow pointer.
    Shadow,
    /// Accumulates or propagates an adjoint.
    Adjoint,
    /// Computes a tangent.
    Tangent,
    /// Writes a tape cell.
    Push,
    /// Reads a tape cell.
    Pop,
    /// Zeroes an adjoint.
    Zero,
}

/// The link from a gradient's instruction to the primal instruction it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    /// The primal function.
    pub func: crate::module::FuncId,
    /// The primal instruction.
    pub inst: crate::function::InstId,
    /// Its part in the gradient.
    pub role: Role,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    /// Operation and operands.
    pub kind: InstKind,
    /// Type of the result (`void` if there is none).
    pub ty: TypeId,
    /// The result, unless it is `void`.
    pub result: Option<ValueId>,
    /// `!dbg`, a `DILocation`.
    pub loc: Option<MdId>,
    /// Other attached metadata: kind name without `!`, node.
    pub metadata: Vec<(String, MdId)>,
    /// Debug records (`#dbg_value` …) that stand before this instruction.
    pub debug_records: Vec<DebugRecord>,
    /// In a gradient: the primal instruction this one stands for.
    pub origin: Option<Origin>,
}

impl Inst {
    /// An instruction without result, location or metadata.
    pub fn new(kind: InstKind, ty: TypeId) -> Inst {
        Inst { kind, ty, result: None, loc: None, metadata: Vec::new(), debug_records: Vec::new(), origin: None }
    }

    /// The node attached under `kind` (such as `tbaa`, `range`, `nonnull`).
    pub fn metadata(&self, kind: &str) -> Option<MdId> {
        self.metadata.iter().find(|(k, _)| k == kind).map(|(_, id)| *id)
    }
}

/// A debug record: `#dbg_value(operand, !variable, !DIExpression(), !location)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugRecord {
    /// `value`, `declare`, `assign` or `label`.
    pub kind: String,
    /// Its operands in printed order (values as [`crate::metadata::MdOperand::Local`] or `Const`).
    pub operands: Vec<crate::metadata::MdOperand>,
}
