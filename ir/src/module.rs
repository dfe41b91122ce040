//! Modules: types, constants, metadata, globals and functions.

use crate::attr::Attrs;
use crate::constant::{ConstId, ConstKind, Constant, Constants};
use crate::function::{Function, InstId, SymbolFlags};
use crate::inst::{InstKind, Operand};
use crate::layout::DataLayout;
use crate::metadata::{MdField, MdId, MdNode, SourceLoc};
use crate::types::{FloatKind, Type, TypeId, Types};
use cranelift_entity::{PrimaryMap, entity_impl};

/// A function of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(u32);
entity_impl!(FuncId, "fn");

/// A global variable or alias of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A global variable, or an alias of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Name without `@`.
    pub name: String,
    /// Type of the variable (not of its address).
    pub ty: TypeId,
    /// `constant` rather than `global`.
    pub constant: bool,
    /// The initialiser; `None` for a declaration.
    pub init: Option<ConstId>,
    /// For an alias: what it stands for (then `init` is `None`).
    pub alias_of: Option<ConstId>,
    /// Linkage and so on.
    pub flags: SymbolFlags,
    /// The text of `thread_local…` as printed; empty if it is not thread local.
    pub thread_local: String,
    /// Address space.
    pub addr_space: u32,
    /// `externally_initialized`
    pub externally_initialized: bool,
    /// Trailing clauses as printed, in order: `section "…"`, `comdat($x)`.
    pub clauses: Vec<String>,
    /// Alignment; 0 if not printed.
    pub align: u64,
    /// Attached metadata.
    pub metadata: Vec<(String, MdId)>,
    /// Attributes.
    pub attrs: Attrs,
}

impl Global {
    /// A private variable with that initialiser.
    pub fn new(name: &str, ty: TypeId, init: Option<ConstId>) -> Global {
        Global {
            name: name.to_owned(),
            ty,
            constant: false,
            init,
            alias_of: None,
            flags: SymbolFlags::default(),
            thread_local: String::new(),
            addr_space: 0,
            externally_initialized: false,
            clauses: Vec::new(),
            align: 0,
            metadata: Vec::new(),
            attrs: Attrs::default(),
        }
    }
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// `; ModuleID` or the file name.
    pub id: String,
    /// `source_filename`
    pub source_filename: String,
    /// `target triple`
    pub triple: String,
    /// `target datalayout`
    pub layout: DataLayout,
    /// Types.
    pub types: Types,
    /// Constants.
    pub constants: Constants,
    /// Global variables and aliases.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions.
    pub functions: PrimaryMap<FuncId, Function>,
    /// `$name = comdat any`: name, kind.
    pub comdats: Vec<(String, String)>,
    /// Numbered metadata nodes.
    pub metadata: PrimaryMap<MdId, MdNode>,
    /// `!llvm.module.flags = !{ … }`
    pub named_metadata: Vec<(String, Vec<MdId>)>,
}

impl Module {
    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The global variable of that name.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().find(|(_, g)| g.name == name).map(|(id, _)| id)
    }

    /// Interns a constant as an operand.
    pub fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Operand {
        Operand::Const(self.constants.intern(ty, kind))
    }

    /// The integer constant `value` of width `bits` (truncated to it).
    pub fn int(&mut self, bits: u32, value: u128) -> Operand {
        let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
        let ty = self.types.int(bits);
        self.constant(ty, ConstKind::Int(value & mask))
    }

    /// The `double` constant `value`.
    pub fn double(&mut self, value: f64) -> Operand {
        let ty = self.types.float(FloatKind::Double);
        self.constant(ty, ConstKind::Float(u128::from(value.to_bits())))
    }

    /// The zero of any type: `0`, `0.0`, `null` or `zeroinitializer`.
    pub fn zero(&mut self, ty: TypeId) -> Operand {
        let kind = match self.types.get(ty) {
            Type::Int(_) => ConstKind::Int(0),
            Type::Float(_) => ConstKind::Float(0),
            Type::Ptr(_) => ConstKind::Null,
            _ => ConstKind::Zero,
        };
        self.constant(ty, kind)
    }

    /// The address of a function.
    pub fn function_address(&mut self, func: FuncId) -> Operand {
        let ptr = self.types.ptr();
        self.constant(ptr, ConstKind::Function(func))
    }

    /// The address of a global variable.
    pub fn global_address(&mut self, global: GlobalId) -> Operand {
        let ptr = self.types.intern(Type::Ptr(self.globals[global].addr_space));
        self.constant(ptr, ConstKind::Global(global))
    }

    /// The type of an operand of `func`.
    pub fn operand_ty(&self, func: &Function, operand: Operand) -> TypeId {
        match operand {
            Operand::Local(v) => func.value_ty(v),
            Operand::Const(c) => self.constants.get(c).ty,
        }
    }

    /// The constant behind an operand.
    pub fn as_constant(&self, operand: Operand) -> Option<&Constant> {
        operand.constant().map(|c| self.constants.get(c))
    }

    /// The value of an integer constant operand, zero-extended.
    pub fn as_int(&self, operand: Operand) -> Option<u128> {
        match self.as_constant(operand)?.kind {
            ConstKind::Int(v) => Some(v),
            _ => None,
        }
    }

    /// The function that a direct call's callee names, through aliases too.
    pub fn as_function(&self, operand: Operand) -> Option<FuncId> {
        let mut constant = self.as_constant(operand)?;
        // A malformed module may have a circle of aliases.
        for _ in 0..=self.globals.len() {
            match constant.kind {
                ConstKind::Function(f) => return Some(f),
                ConstKind::Global(g) => constant = self.constants.get(self.globals[g].alias_of?),
                _ => return None,
            }
        }
        None
    }

    /// The assembler expression that a call calls.
    pub fn as_asm(&self, callee: Operand) -> Option<&crate::InlineAsm> {
        match &self.as_constant(callee)?.kind {
            ConstKind::InlineAsm(asm) => Some(asm),
            _ => None,
        }
    }

    /// Size in bytes of `ty` in memory (ABI size).
    pub fn size_of(&self, ty: TypeId) -> u64 {
        self.layout.size_of(&self.types, ty)
    }

    /// The user's source line of an instruction, from its `DILocation` (innermost inlined position).
    pub fn source_loc(&self, func: &Function, inst: InstId) -> Option<SourceLoc> {
        self.loc_of(func.insts[inst].loc?)
    }

    /// [`Module::source_loc`], or where the optimiser left none (it gives line 0, or nothing, to what it merges or
    /// moves), the line that is nearest: of another access through the same pointer (a load moved out of a loop, whose
    /// store stayed), of the next instruction of the block that has one, of the last before it, of the function.
    pub fn nearest_loc(&self, func: &Function, inst: InstId) -> Option<SourceLoc> {
        let line = |inst: InstId| self.source_loc(func, inst).filter(|s| s.line > 0);
        let near = || {
            let block = func.blocks.values().find(|b| b.insts.contains(&inst))?;
            let at = block.insts.iter().position(|i| *i == inst)?;
            let (before, after) = block.insts.split_at(at);
            after.iter().chain(before.iter().rev()).find_map(|i| line(*i))
        };
        let accessed = |inst: InstId| match func.insts[inst].kind {
            InstKind::Load { ptr, .. }
            | InstKind::Store { ptr, .. }
            | InstKind::AtomicRmw { ptr, .. }
            | InstKind::CmpXchg { ptr, .. } => Some(ptr),
            _ => None,
        };
        let same_place = || {
            let place = accessed(inst)?;
            func.inst_order().filter(|(_, other)| accessed(*other) == Some(place)).find_map(|(_, other)| line(other))
        };
        line(inst).or_else(same_place).or_else(near).or_else(|| self.function_loc(func).filter(|s| s.line > 0))
    }

    /// The source position a `DILocation` denotes.
    pub fn loc_of(&self, loc: MdId) -> Option<SourceLoc> {
        let node = &self.metadata[loc];
        let number = |name: &str| node.int(name).and_then(|i| u32::try_from(i).ok()).unwrap_or(0);
        let file = self.file_of_scope(node.node("scope")?)?;
        Some(SourceLoc { file, line: number("line"), column: number("column") })
    }

    /// Where a function is defined, from its `DISubprogram`.
    pub fn function_loc(&self, func: &Function) -> Option<SourceLoc> {
        let (_, sp) = func.metadata.iter().find(|(k, _)| k == "dbg")?;
        self.declaration_loc(*sp)
    }

    /// Where the entity of a debug node with `file` and `line` is declared: a function, a variable, a type.
    pub fn declaration_loc(&self, node: MdId) -> Option<SourceLoc> {
        let line = self.metadata[node].int("line").and_then(|i| u32::try_from(i).ok()).unwrap_or(0);
        Some(SourceLoc { file: self.file_of_scope(node)?, line, column: 0 })
    }

    /// The file of a debug scope: its own `file`, or that of the scope around it.
    fn file_of_scope(&self, scope: MdId) -> Option<String> {
        let mut node = &self.metadata[scope];
        // Scopes form a chain; a malformed one may form a circle.
        let mut steps = 0;
        while node.class() != "DIFile" {
            node = &self.metadata[node.node("file").or_else(|| node.node("scope"))?];
            steps += 1;
            if steps > self.metadata.len() {
                return None;
            }
        }
        let name = node.str("filename")?;
        match node.field("directory") {
            Some(MdField::Str(dir)) if !name.starts_with('/') && !dir.is_empty() => {
                Some(format!("{}/{name}", String::from_utf8_lossy(dir)))
            }
            _ => Some(name),
        }
    }
}
