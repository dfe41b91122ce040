//! Lowering: from a function of the IR to its register program ([`Code`]).
//!
//! One pass over the blocks in layout order. Constants get slots first, then parameters, then values, then temporaries.
//! What is not supported becomes an op that says so when it is reached.

mod atomic;
mod attrs;
mod call;
mod constrained;
mod consts;
mod control;
mod inst;
mod mem;
mod promote;
mod tentative;
mod vector;

pub use call::table_function;

use crate::code::{Code, Op, Param, Slot, kinds};
use crate::grid::SHARED;
use crate::link::{Link, Symbols};
use crate::value::{Flat, Leaf, Pointer, Scalar};
use ir::entity::SecondaryMap;
use ir::hash::HashMap;
use ir::{
    BlockId, CastOp, ConstId, FuncId, Function, GlobalId, Inst, InstId, InstKind, Module, Operand, TypeId, ValueId,
};
use promote::Homes;
use std::cell::RefCell;
use std::rc::Rc;
use tentative::TentativeLoads;

/// Addresses of blocks: no object is there.
const BLOCKS: u64 = 0x0800_0000;

/// What lowering knows of the module.
pub struct Env<'a> {
    /// The module.
    pub module: &'a Module,
    globals: &'a SecondaryMap<GlobalId, Pointer>,
    functions: &'a SecondaryMap<FuncId, Pointer>,
    memo: &'a Memo,
    libraries: &'a dyn Link,
}

/// What is found out of a module once, for all its functions.
#[derive(Default)]
pub struct Memo {
    /// Addresses of the blocks that constants name.
    blocks: HashMap<(FuncId, BlockId), u64>,
    flats: RefCell<HashMap<TypeId, Rc<Flat>>>,
    /// May the module have more than one thread?
    pub(crate) threads: bool,
}

impl Memo {
    /// Of a module, and the libraries that it is linked with.
    pub fn new(module: &Module, libraries: &dyn Link) -> Memo {
        let named = module.constants.iter().filter_map(|(_, constant)| match constant.kind {
            ir::ConstKind::BlockAddress(func, block) => Some((func, block)),
            _ => None,
        });
        let blocks = named.zip(0..).map(|(block, number)| (block, BLOCKS + 16 * number)).collect();
        let threads = module.functions.values().any(|f| f.is_declaration() && libraries.is_of_threads(&f.name));
        Memo { blocks, flats: RefCell::default(), threads }
    }
}

impl<'a> Env<'a> {
    /// The module with the addresses of its symbols, and the libraries that it is linked with.
    pub fn new(symbols: Symbols<'a>, memo: &'a Memo, libraries: &'a dyn Link) -> Env<'a> {
        let Symbols { module, globals, functions } = symbols;
        Env { module, globals, functions, memo, libraries }
    }

    /// Which constants are addresses in variables of which each thread, or each block of a grid, has its own.
    fn own_slots(&self, consts: &[Scalar]) -> Vec<Slot> {
        let own = |g: &ir::Global| !g.thread_local.is_empty() || g.addr_space == SHARED;
        let variables = self.module.globals.iter().filter(|(_, g)| own(g));
        let ranges: Vec<(Pointer, u64)> =
            variables.map(|(id, g)| (self.globals[id], self.module.size_of(g.ty))).collect();
        let inside = |s: &Scalar, at: Pointer, size: u64| s.hi == at.prov && s.lo.wrapping_sub(at.addr) <= size;
        let of = |s: &Scalar| s.is_init() && ranges.iter().any(|(at, size)| inside(s, *at, *size));
        (0..).zip(consts).filter(|(_, s)| of(s)).map(|(slot, _)| slot).collect()
    }

    /// The leaves of a type.
    pub fn flat(&self, ty: TypeId) -> Result<Rc<Flat>, String> {
        if let Some(flat) = self.memo.flats.borrow().get(&ty) {
            return Ok(Rc::clone(flat));
        }
        let flat = Rc::new(Flat::new(&self.module.types, &self.module.layout, ty)?);
        self.memo.flats.borrow_mut().insert(ty, Rc::clone(&flat));
        Ok(flat)
    }
}

/// What lowering an instruction returns: an error is a construct that is not supported.
type Lowered<T = ()> = Result<T, String>;

/// Where a scalar on the stack is that nobody but its function can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Locals {
    /// In a register of the frame.
    Registers,
    /// In memory, where each access is observed.
    Memory,
}

/// Lowers the signature of a function: all that a declaration has.
pub fn signature(env: &Env<'_>, func: &Function) -> Result<Code, String> {
    let has = |name| func.attrs.has(name);
    let (noreturn, inactive) = (has("noreturn"), has("enzyme_inactive"));
    let nounwind = func.attrs.has("nounwind");
    let mut code = Code { vararg: func.vararg, noreturn, inactive, nounwind, ..Code::default() };
    if func.name.starts_with("llvm.") {
        // Intrinsics are lowered where they are called, and their types need not be values.
        return Ok(code);
    }
    code.result = kinds(&*env.flat(func.ret)?);
    let returned = attrs::as_meant(env, &func.name, &func.ret_attrs, func.ret);
    code.ret_checks = attrs::checks(env, &returned, func.ret, || format!("the result of {}", func.name))?;
    for (i, param) in func.params.iter().enumerate() {
        let leaves = kinds(&*env.flat(param.ty)?);
        let attrs = attrs::as_meant(env, &func.name, &param.attrs, param.ty);
        let checks = attrs::checks(env, &attrs, param.ty, || format!("argument {} of {}", i + 1, func.name))?;
        code.params.push(Param { leaves, checks, byval: attrs::byval(env, &param.attrs) });
    }
    Ok(code)
}

/// Lowers a function.
pub fn function(env: &Env<'_>, func: &Function, locals: Locals) -> Result<Code, String> {
    let code = signature(env, func)?;
    if func.is_declaration() || func.name.starts_with("llvm.") || env.libraries.replaces_body(&func.name) {
        return Ok(code);
    }
    let mut lower = Lower {
        env,
        func,
        code,
        homes: if locals == Locals::Registers { Homes::find(env, func) } else { Homes::default() },
        undefined: Vec::new(),
        slots: SecondaryMap::new(),
        constants: HashMap::default(),
        next: 0,
        inst: func.insts.keys().next().unwrap_or(InstId::from_u32(0)),
        extended: None,
        uses: SecondaryMap::new(),
        takers: HashMap::default(),
        tentative: TentativeLoads::default(),
        starts: SecondaryMap::new(),
        pending: Vec::new(),
    };
    lower.number()?;
    if env.memo.threads {
        lower.tentative = TentativeLoads::of(func, env.module, |ptr| lower.homes.leaf(ptr).is_some());
    }
    for block in &func.layout {
        lower.block(*block);
    }
    lower.patch();
    lower.code.frame = lower.next as usize;
    lower.code.thread_locals = env.own_slots(&lower.code.consts);
    lower.code.quick = crate::code::QuickCode::new(&lower.code);
    Ok(lower.code)
}

/// A function being lowered.
struct Lower<'a, 'e> {
    env: &'a Env<'e>,
    func: &'a Function,
    code: Code,
    /// Which stack objects are registers: the slot of the address is that register.
    homes: Homes,
    /// Slots of undefined constants.
    undefined: Vec<(Leaf, Slot)>,
    /// First slot of each value.
    slots: SecondaryMap<ValueId, Slot>,
    constants: HashMap<ConstId, Slot>,
    next: Slot,
    /// The instruction being lowered.
    inst: InstId,
    /// The index of the next instruction whose extension is left to it.
    extended: Option<ValueId>,
    /// Number of uses of each value.
    uses: SecondaryMap<ValueId, u32>,
    /// Instructions that look at some lanes of each vector.
    takers: HashMap<ValueId, Vec<InstId>>,
    /// Loads of whose value nothing may come.
    tentative: TentativeLoads,
    /// Index of the first op of each block.
    starts: SecondaryMap<BlockId, u32>,
    /// Edges whose target index is not known yet.
    pending: Vec<BlockId>,
}

/// The slot of a poison constant, in every frame.
const POISON: Slot = 0;

impl Lower<'_, '_> {
    /// Gives slots to constants, parameters and values, and counts uses.
    fn number(&mut self) -> Result<(), String> {
        self.code.consts.push(Scalar::POISON);
        for (_, inst) in self.func.inst_order() {
            let taken = match &self.func.insts[inst].kind {
                InstKind::ExtractElement { vector, .. } | InstKind::InsertElement { vector, .. } => {
                    [Some(*vector), None]
                }
                InstKind::ShuffleVector { a, b, .. } => [Some(*a), Some(*b).filter(|b| a != b)],
                _ => [None; 2],
            };
            for vector in taken.into_iter().flatten().filter_map(Operand::local) {
                self.takers.entry(vector).or_default().push(inst);
            }
            for operand in self.func.insts[inst].kind.operands() {
                match operand {
                    Operand::Local(value) => self.uses[value] += 1,
                    Operand::Const(id) => self.constant_slot(id),
                }
            }
        }
        for leaf in self.homes.leaves() {
            self.undefined.push((leaf, self.code.consts.len() as Slot));
            self.code.consts.push(Scalar::undef(leaf));
        }
        self.next = self.code.consts.len() as Slot;
        for param in &self.func.params {
            self.slots[param.value] = self.take(self.env.flat(param.ty)?.leaves.len());
        }
        for (_, inst) in self.func.inst_order() {
            let inst = &self.func.insts[inst];
            if let Some(result) = inst.result
                && self.homes.shared(result).is_none()
            {
                // A result that cannot be held is reported where it is computed.
                let leaves = self.env.flat(inst.ty).map_or(1, |f| f.leaves.len());
                self.slots[result] = self.take(leaves);
            }
        }
        for (value, home) in self.homes.shares() {
            self.slots[value] = self.slots[home];
        }
        Ok(())
    }

    /// A constant that has no value (metadata, or not supported) gets poison; the instruction that needs it reports.
    fn constant_slot(&mut self, id: ConstId) {
        if !self.constants.contains_key(&id)
            && let Ok(leaves) = self.env.constant(id)
        {
            let first = self.code.consts.len() as Slot;
            self.constants.insert(id, first);
            if let Ok(flat) = self.env.flat(self.env.module.constants.get(id).ty) {
                let rounded = |(slot, ((leaf, _), value)): (Slot, (&(Leaf, u64), &Scalar))| match leaf {
                    Leaf::Float(kind) if value.is_init() => {
                        crate::number::rounded_significand(*kind, value.bits()).map(|_| (slot, *kind))
                    }
                    _ => None,
                };
                self.code.literals.extend((first..).zip(flat.leaves.iter().zip(&leaves)).filter_map(rounded));
            }
            self.code.consts.extend(leaves);
        }
    }

    /// `n` consecutive slots.
    fn take(&mut self, n: usize) -> Slot {
        let slot = self.next;
        self.next += n as Slot;
        slot
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.origin.push(self.inst);
    }

    /// The first slot of an operand.
    fn slot(&self, operand: Operand) -> Lowered<Slot> {
        match operand {
            Operand::Local(value) => Ok(self.slots[value]),
            Operand::Const(id) => match self.constants.get(&id) {
                Some(slot) => Ok(*slot),
                None => self.env.constant(id).map(|_| POISON).and(Err("a constant without a slot".to_owned())),
            },
        }
    }

    fn ty(&self, operand: Operand) -> TypeId {
        self.env.module.operand_ty(self.func, operand)
    }

    /// The leaves of an operand's type.
    fn leaves(&self, operand: Operand) -> Lowered<Vec<Leaf>> {
        Ok(kinds(&*self.env.flat(self.ty(operand))?))
    }

    /// The only leaf of an operand's type.
    fn leaf(&self, operand: Operand) -> Lowered<Leaf> {
        match self.leaves(operand)?.as_slice() {
            [leaf] => Ok(*leaf),
            _ => Err("an operand that should be a scalar".to_owned()),
        }
    }

    /// The only leaf of a type.
    fn leaf_of(&self, ty: TypeId) -> Option<Leaf> {
        match kinds(&*self.env.flat(ty).ok()?).as_slice() {
            [leaf] => Some(*leaf),
            _ => None,
        }
    }

    /// The first slot of the result of the instruction being lowered.
    fn result(&self) -> Slot {
        self.func.insts[self.inst].result.map_or(POISON, |v| self.slots[v])
    }

    fn unsupported(&mut self, message: String) {
        self.code.messages.push(message);
        let message = self.code.messages.len() as u32 - 1;
        self.emit(Op::Unsupported { message });
    }

    fn block(&mut self, block: BlockId) {
        self.starts[block] = self.code.ops.len() as u32;
        let insts = &self.func.blocks[block].insts;
        for (i, id) in insts.iter().enumerate() {
            self.inst = *id;
            let inst = &self.func.insts[*id];
            self.uses_of_tentative(*id);
            let rest = insts.get(i + 1..).unwrap_or(&[]);
            if self.is_index(inst, rest) {
                self.extended = inst.result;
                continue;
            }
            if self.is_fused(inst, rest) {
                continue;
            }
            if let Err(message) = self.instruction(block, inst) {
                self.unsupported(message);
            }
            self.extended = None;
        }
    }

    /// Is the instruction an extension with sign whose only use is as an index of the `getelementptr` behind it?
    /// Indices are extended with sign themselves.
    fn is_index(&self, inst: &Inst, rest: &[InstId]) -> bool {
        let InstKind::Cast { op: CastOp::SExt, value, .. } = inst.kind else { return false };
        let Some(InstKind::Gep { indices, .. }) = rest.first().map(|next| &self.func.insts[*next].kind) else {
            return false;
        };
        let index = inst.result.is_some_and(|v| self.uses[v] == 1 && indices.contains(&Operand::Local(v)));
        index && self.leaf(value).is_ok() && self.leaf_of(inst.ty).is_some_and(|leaf| leaf.bits() == 64)
    }

    /// Is the instruction a scalar integer comparison whose only use is the branch that ends the block?
    fn is_fused(&self, inst: &Inst, rest: &[InstId]) -> bool {
        let InstKind::ICmp { lhs, .. } = inst.kind else { return false };
        let Some(last) = rest.last() else { return false };
        let InstKind::CondBr { cond, .. } = self.func.insts[*last].kind else { return false };
        let narrow = self.leaf(lhs).is_ok_and(|l| l.bits() <= 64);
        narrow && cond.local() == inst.result && inst.result.is_some_and(|v| self.uses[v] == 1)
    }
}
