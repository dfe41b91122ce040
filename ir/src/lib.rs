//! LLVM IR (version 19) as typed-index arenas.
//!
//! A [`Module`] owns interned [`types::Types`] and [`constant::Constants`], metadata nodes, global
//! variables and [`Function`]s; a function owns its values, instructions and blocks. Every
//! poison-generating flag, fast-math flag, attribute, ordering and piece of metadata that LLVM prints is kept.
//!
//! [`parse()`] reads LLVM's text, [`print_module`] writes it, [`verify()`] checks a module; [`mod@cfg`], [`dom`] and
//! [`loops`] analyse a function's control flow, [`uses`] tells what comes of a value.
//!
//! ```
//! let module = ir::parse("define double @twice(double %x) {\n  %y = fadd double %x, %x\n  ret double %y\n}\n", "demo")?;
//! ir::verify(&module).unwrap();
//! let func = &module.functions[module.function("twice").unwrap()];
//! let first = func.blocks[func.entry()].insts[0];
//! assert_eq!(ir::print_inst(&module, func, first), "%y = fadd double %x, %x");
//! # Ok::<(), ir::ParseError>(())
//! ```
//!
//! The crate knows nothing of LLVM's libraries, of interpretation or of derivatives.

pub mod asm;
pub mod attr;
pub mod cfg;
pub mod constant;
pub mod debug;
pub mod dom;
pub mod exceptions;
mod float_text;
pub mod function;
pub mod gep;
pub mod hash;
pub mod hint;
pub mod inst;
pub mod layout;
pub mod loops;
pub mod metadata;
pub mod module;
pub mod operands;
pub mod parse;
pub mod print;
pub mod types;
pub mod uses;
pub mod verify;

pub use asm::InlineAsm;
pub use attr::{Attr, AttrValue, Attrs};
pub use constant::{ConstExpr, ConstId, ConstKind, Constant};
pub use cranelift_entity as entity;
pub use function::{Block, BlockId, Function, InstId, Param, SymbolFlags, Value, ValueDef, ValueId};
pub use inst::{
    Atomic, BinOp, Bundle, Call, CastOp, Clause, DebugRecord, FastMath, FloatPred, GepFlags, Inst, InstKind, IntFlags,
    IntPred, Operand, Ordering, Origin, RmwOp, Role, TailKind,
};
pub use layout::DataLayout;
pub use metadata::{MdBody, MdField, MdId, MdNode, MdOperand, SourceLoc};
pub use module::{FuncId, Global, GlobalId, Module};
pub use parse::{ParseError, parse};
pub use print::{PrintOptions, print_function, print_inst, print_module};
pub use types::{FloatKind, StructId, Type, TypeId, Types};
pub use verify::{VerifyError, verify, verify_function};
