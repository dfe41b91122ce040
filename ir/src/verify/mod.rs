//! The verifier: what must hold of a module before anything else looks at it.
//!
//! All errors are collected, each with its function, block, instruction and source line. What is checked,
//! after LangRef and LLVM's own verifier:
//!
//! Identities (`ids` and `module`; if one fails, the function is not looked at further)
//!  1. Every type, constant, global, function, metadata node, block, value and instruction that is referred to
//!     exists; constants and constant expressions have parts of the right number and type.
//!
//! Structure (`structure`)
//!  2. A block ends with a terminator and has no other; an instruction stands in one block, once.
//!  3. An instruction has a result exactly if its type is not `void`, and both name each other and agree in type.
//!  4. The entry block has no predecessor; the parameters are those of the values.
//!  5. Phis stand first in their block and have one entry for each edge into it, equal for equal predecessors.
//!  6. A use is dominated by its definition (for a phi, at the end of the incoming block).
//!  7. An `invoke` unwinds to a block that starts with a `landingpad`; such a block is entered in no other way;
//!     a function with a `landingpad` has a personality.
//!
//! Types (`types`, `memory`, `calls`)
//!  8. Arithmetic, comparisons, conversions, `select`, `phi` and `freeze`: operand and result types, widths.
//!  9. Flags stand only where they mean something.
//! 10. Conditions are `i1`, `switch` cases are distinct and of the type of the value, `ret` returns the return type.
//! 11. Vectors and aggregates: operand types, lanes, index paths.
//! 12. Memory: addresses are pointers, accessed types have a size, alignments are powers of two, orderings are legal.
//! 13. `getelementptr`: indices are integers that lead to an element; the result is a pointer.
//! 14. Calls: number and types of the arguments, type of the result, one attribute set for each argument;
//!     `musttail` stands before the return.
//! 15. Attributes: `byval`, `sret` and the like stand on pointers with their type; an `sret` function returns `void`.
//!
//! Module (`module`, `sizes`)
//! 16. Names of globals and functions are distinct and not empty; initialisers have the type of the variable; aliases
//!     have a target that is not an alias of themselves.
//! 17. `!dbg` is a `DILocation` on an instruction and a `DISubprogram` on a function.
//! 18. No type contains itself by value or is too large to have a size (`sizes`).
//!
//! Not checked: the inner form of metadata nodes, and the argument rules of single intrinsics.

mod calls;
mod ids;
mod memory;
mod module;
pub(crate) mod sizes;
mod structure;
mod types;

use crate::function::{BlockId, Function, InstId};
use crate::inst::Operand;
use crate::metadata::SourceLoc;
use crate::module::Module;
use crate::print::{FunctionPrinter, type_text};
use crate::types::{Type, TypeId};

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function, unless the error is one of the module.
    pub function: Option<String>,
    /// The block, as `%loop`.
    pub block: Option<String>,
    /// The instruction as text.
    pub inst: Option<String>,
    /// The user's source line.
    pub source: Option<SourceLoc>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{source}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(inst) = &self.inst {
            write!(f, ": `{inst}`")?;
        }
        if let Some(function) = &self.function {
            write!(f, ", in function `{function}`")?;
        }
        if let Some(block) = &self.block {
            write!(f, ", block `{block}`")?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyError {}

/// After this many errors in one function the rest would only repeat them.
const MAX_ERRORS: usize = 50;

/// Checks a module; the errors are in the order of the text.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = module::check(module);
    if errors.is_empty() {
        for func in module.functions.values() {
            errors.extend(verify_function(module, func).err().unwrap_or_default());
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Checks one function of a module.
pub fn verify_function(module: &Module, func: &Function) -> Result<(), Vec<VerifyError>> {
    let mut checker = Checker { module, func, at: None, errors: Vec::new() };
    checker.ids();
    if checker.errors.is_empty() {
        checker.header();
        checker.structure();
    }
    if checker.errors.is_empty() {
        for (block, inst) in func.inst_order() {
            checker.at = Some((block, Some(inst)));
            checker.inst(inst);
        }
    }
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

/// The function under check and the place that errors name.
struct Checker<'m> {
    module: &'m Module,
    func: &'m Function,
    at: Option<(BlockId, Option<InstId>)>,
    errors: Vec<VerifyError>,
}

impl Checker<'_> {
    fn error(&mut self, message: impl Into<String>) {
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let (block, inst) = (self.at.map(|a| a.0), self.at.and_then(|a| a.1));
        let source = inst.and_then(|i| self.module.source_loc(self.func, i));
        // Only what refers to nothing unknown can be printed; `ids` reports by number.
        self.errors.push(VerifyError {
            function: Some(self.func.name.clone()),
            block: block.map(|b| FunctionPrinter::new(self.module, self.func).block(b)),
            inst: inst.map(|i| FunctionPrinter::new(self.module, self.func).inst(i)),
            source: source.or_else(|| self.module.function_loc(self.func)),
            message: message.into(),
        });
    }

    fn require(&mut self, holds: bool, message: &str) {
        if !holds {
            self.error(message);
        }
    }

    fn ty(&self, operand: Operand) -> TypeId {
        self.module.operand_ty(self.func, operand)
    }

    /// The shape of the type, or of its lanes if it is a vector.
    fn scalar(&self, ty: TypeId) -> &Type {
        self.module.types.get(self.module.types.scalar(ty))
    }

    /// Number of lanes, `None` for a scalar.
    fn lanes(&self, ty: TypeId) -> Option<u32> {
        match self.module.types.get(ty) {
            Type::Vector { len, .. } => Some(*len),
            _ => None,
        }
    }

    fn require_same(&mut self, found: TypeId, wanted: TypeId, what: &str) {
        if found != wanted {
            let (found, wanted) = (type_text(&self.module.types, found), type_text(&self.module.types, wanted));
            self.error(format!("{what} has type {found} instead of {wanted}"));
        }
    }

    /// A pointer, or a vector of pointers where `vectors` allows it.
    fn require_pointer(&mut self, operand: Operand, what: &str) {
        let ty = self.ty(operand);
        if !self.module.types.is_ptr(ty) {
            let found = type_text(&self.module.types, ty);
            self.error(format!("{what} has type {found} and is no pointer"));
        }
    }

    /// Can a value of the type be held in a register, loaded and stored?
    fn is_first_class(&self, ty: TypeId) -> bool {
        !matches!(self.module.types.get(ty), Type::Void | Type::Func { .. })
    }

    /// Has the type a size in memory?
    fn is_sized(&self, ty: TypeId) -> bool {
        let types = &self.module.types;
        match types.get(ty) {
            Type::Int(_) | Type::Float(_) | Type::Ptr(_) | Type::Vector { .. } => true,
            Type::Array { elem, .. } => self.is_sized(*elem),
            Type::Struct { .. } | Type::Named(_) => {
                types.fields(ty).is_some_and(|(fields, _)| fields.iter().all(|f| self.is_sized(*f)))
            }
            Type::Void | Type::Func { .. } | Type::Label | Type::Token | Type::Metadata => false,
        }
    }
}
