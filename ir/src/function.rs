//! Functions: values, instructions and blocks in arenas with typed indices.

use crate::attr::Attrs;
use crate::inst::{Inst, Operand};
use crate::metadata::MdId;
use crate::types::TypeId;
use cranelift_entity::{PrimaryMap, entity_impl};

/// A basic block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "bb");

/// An instruction of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// An SSA value of a function: a parameter or the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(u32);
entity_impl!(ValueId, "v");

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueDef {
    /// The n-th parameter.
    Param(u32),
    /// The result of an instruction.
    Inst(InstId),
}

/// An SSA value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Its type.
    pub ty: TypeId,
    /// Its definition.
    pub def: ValueDef,
    /// Its name without `%`; empty for a numbered value (the printer numbers).
    pub name: String,
}

/// A basic block: instructions in order, the last one the terminator.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// Its label; empty for a numbered block.
    pub name: String,
    /// Its instructions.
    pub insts: Vec<InstId>,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its type.
    pub ty: TypeId,
    /// Its attributes.
    pub attrs: Attrs,
    /// Its value in the body; for a declaration, a value too, but without use.
    pub value: ValueId,
}

/// Linkage and the other words before a symbol's type, as printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolFlags {
    /// `private`, `internal`, `linkonce_odr`, …; empty for `external` definitions.
    pub linkage: String,
    /// `dso_local` or `dso_preemptable`; empty if not printed.
    pub preemption: String,
    /// `hidden`, `protected`; empty for default.
    pub visibility: String,
    /// `dllimport`, `dllexport`; empty for neither.
    pub dll: String,
    /// `unnamed_addr`, `local_unnamed_addr`; empty for neither.
    pub unnamed_addr: String,
}

/// A function, defined or declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Name without `@`.
    pub name: String,
    /// Return type.
    pub ret: TypeId,
    /// Attributes of the return value.
    pub ret_attrs: Attrs,
    /// Parameters.
    pub params: Vec<Param>,
    /// Takes `...`.
    pub vararg: bool,
    /// Function attributes (groups expanded).
    pub attrs: Attrs,
    /// Linkage and so on.
    pub flags: SymbolFlags,
    /// Calling convention keyword(s) as printed; empty for `ccc`.
    pub cc: String,
    /// Trailing clauses as printed: `section "…"`, `comdat`, `align 16`, `gc "…"` (text, in order).
    pub clauses: Vec<String>,
    /// `personality`, if any.
    pub personality: Option<crate::constant::ConstId>,
    /// Attached metadata: `dbg` is the `DISubprogram`.
    pub metadata: Vec<(String, MdId)>,
    /// All values.
    pub values: PrimaryMap<ValueId, Value>,
    /// All instructions, in no particular order; blocks say which are in use.
    pub insts: PrimaryMap<InstId, Inst>,
    /// All blocks.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The blocks in printed order, the entry first; empty for a declaration.
    pub layout: Vec<BlockId>,
}

impl Function {
    /// A function of that signature without a body.
    pub fn new(name: &str, ret: TypeId, params: &[TypeId]) -> Function {
        let mut f = Function {
            name: name.to_owned(),
            ret,
            ret_attrs: Attrs::default(),
            params: Vec::new(),
            vararg: false,
            attrs: Attrs::default(),
            flags: SymbolFlags::default(),
            cc: String::new(),
            clauses: Vec::new(),
            personality: None,
            metadata: Vec::new(),
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            layout: Vec::new(),
        };
        for ty in params {
            f.add_param(*ty, Attrs::default(), "");
        }
        f
    }

    /// Appends a parameter.
    pub fn add_param(&mut self, ty: TypeId, attrs: Attrs, name: &str) -> ValueId {
        let def = ValueDef::Param(self.params.len() as u32);
        let value = self.values.push(Value { ty, def, name: name.to_owned() });
        self.params.push(Param { ty, attrs, value });
        value
    }

    /// Has it no body?
    pub fn is_declaration(&self) -> bool {
        self.layout.is_empty()
    }

    /// The entry block. Only for definitions.
    pub fn entry(&self) -> BlockId {
        self.layout[0]
    }

    /// Appends a block at the end of the layout.
    pub fn add_block(&mut self, name: &str) -> BlockId {
        let id = self.blocks.push(Block { name: name.to_owned(), insts: Vec::new() });
        self.layout.push(id);
        id
    }

    /// Creates an instruction (with a result unless its type is `void_ty`) without placing it in a block.
    pub fn create_inst(&mut self, inst: Inst, has_result: bool) -> InstId {
        let ty = inst.ty;
        let id = self.insts.push(inst);
        if has_result {
            let value = self.values.push(Value { ty, def: ValueDef::Inst(id), name: String::new() });
            self.insts[id].result = Some(value);
        }
        id
    }

    /// Creates an instruction at the end of `block`; returns its id.
    pub fn append(&mut self, block: BlockId, inst: Inst, has_result: bool) -> InstId {
        let id = self.create_inst(inst, has_result);
        self.blocks[block].insts.push(id);
        id
    }

    /// The terminator of a complete block.
    pub fn terminator(&self, block: BlockId) -> Option<InstId> {
        let last = *self.blocks[block].insts.last()?;
        self.insts[last].kind.is_terminator().then_some(last)
    }

    /// Successors of `block` in operand order, with repetitions; empty if it has no terminator yet.
    pub fn successors(&self, block: BlockId) -> Vec<BlockId> {
        self.terminator(block).map_or(Vec::new(), |t| self.insts[t].kind.successors())
    }

    /// The type of a value.
    pub fn value_ty(&self, value: ValueId) -> TypeId {
        self.values[value].ty
    }

    /// The instruction that defines `value`, unless it is a parameter.
    pub fn def_inst(&self, value: ValueId) -> Option<InstId> {
        match self.values[value].def {
            ValueDef::Inst(id) => Some(id),
            ValueDef::Param(_) => None,
        }
    }

    /// Instructions in layout order, with their blocks.
    pub fn inst_order(&self) -> impl Iterator<Item = (BlockId, InstId)> + '_ {
        self.layout.iter().flat_map(|b| self.blocks[*b].insts.iter().map(|i| (*b, *i)))
    }

    /// Does an instruction use the value?
    pub fn is_used(&self, value: ValueId) -> bool {
        let mut kinds = self.inst_order().map(|(_, inst)| &self.insts[inst].kind);
        kinds.any(|kind| kind.operands().contains(&Operand::Local(value)))
    }

    /// The operand as a value of this function.
    pub fn param(&self, index: usize) -> Operand {
        Operand::Local(self.params[index].value)
    }
}
