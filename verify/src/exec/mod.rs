//! A symbolic executor of LLVM IR: floating-point numbers are terms over the reals, everything else is concrete.
//!
//! Integers, pointers and memory are as in a run of the program, so addresses, sizes and trip counts are known. A
//! comparison of floating-point numbers that is not decided by constants forks: the run follows a script of decisions
//! and records what it assumed (King, "Symbolic execution and program testing", CACM 19, 1976). What cannot be followed
//! stops the run with a reason.
//!
//! Floating-point numbers are real numbers here, in every width; poison and undefined values stop the run where they
//! are used.

mod calls;
mod formula;
pub(crate) mod memory;
mod ops;

use crate::term::{Node, Term, Terms};
pub(crate) use formula::Atom;
use ir::{
    BlockId, ConstExpr, ConstId, ConstKind, FloatKind, FuncId, Function, InstKind, Module, Operand, Type, TypeId,
};
use memory::FUNCTIONS;
pub(crate) use memory::Memory;
use rug::Rational;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// Instructions that a run may execute.
const STEPS: u64 = 3_000_000;
/// Calls within calls.
const DEPTH: usize = 120;
/// Terms that a run may make.
const TERMS: usize = 400_000;
/// Bits of a constant.
const BITS: u32 = 4096;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Val {
    /// An integer or an address.
    Int(u128),
    /// A floating-point number; in an integer register, its bits.
    Real(Term),
    /// Nothing in particular.
    Undef,
    /// The elements of a vector, array or structure.
    Many(Vec<Val>),
}

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It cannot be followed.
    Unsupported(String),
    /// What it does has no meaning.
    Undefined(&'static str),
    /// The program ended itself.
    Exit,
}

impl Stop {
    pub(crate) fn unsupported(what: impl Into<String>) -> Stop {
        Stop::Unsupported(what.into())
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Unsupported(what) => f.write_str(what),
            Stop::Undefined(what) => f.write_str(what),
            Stop::Exit => f.write_str("the program ended"),
        }
    }
}

/// A script of decisions, and what was assumed by following it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// What to decide at the forks, in order; beyond the script, yes.
    pub script: Vec<bool>,
    /// The conditions of the forks met so far, with the decisions.
    pub taken: Vec<(Term, bool)>,
}

/// Who is told of the differentiated calls of a run.
pub(crate) trait Observer<'m> {
    /// A function is called while the program runs by itself.
    fn called(&mut self, exec: &mut Exec<'m>, function: FuncId, args: &[Val]);
}

/// The executor.
pub(crate) struct Exec<'m> {
    pub module: &'m Module,
    pub terms: Terms,
    pub memory: Memory,
    pub path: Path,
    /// Inside a proof: numbers are exact, and output is refused.
    pub symbolic: bool,
    /// Addresses and sizes accessed as floating-point numbers, while they are looked for.
    pub accessed: Option<BTreeSet<(u64, u64)>>,
    /// Square roots by operand, and what they are roots of.
    pub roots: HashMap<Term, Term>,
    /// Values of the table's operations of which only their partials are known.
    pub atoms: HashMap<Term, Atom>,
    /// A function with a rule of the program's own was called inside a proof.
    pub own_rules: bool,
    globals: Vec<u64>,
    pub steps: u64,
    depth: usize,
}

/// The registers of a call.
struct Frame<'f> {
    func: &'f Function,
    values: Vec<Option<Val>>,
    /// Blocks of stack memory, which end with the call.
    stack: Vec<u64>,
}

impl<'m> Exec<'m> {
    /// A module with its global variables initialised.
    pub fn new(module: &'m Module) -> Result<Exec<'m>, Stop> {
        let mut exec = Exec {
            module,
            terms: Terms::new(),
            memory: Memory::default(),
            path: Path::default(),
            symbolic: false,
            accessed: None,
            roots: HashMap::new(),
            atoms: HashMap::new(),
            own_rules: false,
            globals: Vec::new(),
            steps: STEPS,
            depth: 0,
        };
        for global in module.globals.values() {
            let size = module.size_of(global.ty).max(1);
            let address = exec.memory.allocate(size);
            exec.globals.push(address);
        }
        for (id, global) in module.globals.iter() {
            if let Some(init) = global.init {
                let value = exec.constant(init)?;
                exec.store(exec.globals[id.as_u32() as usize], global.ty, value)?;
            }
        }
        Ok(exec)
    }

    /// Calls a function to its end.
    pub fn run(&mut self, id: FuncId, args: Vec<Val>, observer: &mut dyn Observer<'m>) -> Result<Option<Val>, Stop> {
        let func = &self.module.functions[id];
        if self.symbolic && func.attrs.has(ad::attributes::INACTIVE) {
            return Err(Stop::unsupported("a function that the program declares inactive"));
        }
        self.own_rules |= self.symbolic && has_own_rule(self.module, func);
        if self.depth >= DEPTH {
            return Err(Stop::unsupported("recursion is too deep"));
        }
        let mut frame = Frame { func, values: vec![None; func.values.len()], stack: Vec::new() };
        for (param, arg) in func.params.iter().zip(args) {
            let arg = match param.attrs.has("byval") {
                true => return Err(Stop::unsupported(format!("an argument passed by value in memory ({arg:?})"))),
                false => arg,
            };
            frame.values[param.value.as_u32() as usize] = Some(arg);
        }
        self.depth += 1;
        let result = self.blocks(&mut frame, observer);
        self.depth -= 1;
        for address in frame.stack {
            // Stack memory that the program itself could not free is live until here.
            self.memory.free(address)?;
        }
        result
    }

    fn blocks(&mut self, frame: &mut Frame<'m>, observer: &mut dyn Observer<'m>) -> Result<Option<Val>, Stop> {
        let (mut block, mut from): (BlockId, Option<BlockId>) = (frame.func.entry(), None);
        loop {
            match self.block(frame, block, from, observer)? {
                Next::Block(next) => (block, from) = (next, Some(block)),
                Next::Return(value) => return Ok(value),
            }
        }
    }

    fn block(
        &mut self,
        frame: &mut Frame<'m>,
        block: BlockId,
        from: Option<BlockId>,
        observer: &mut dyn Observer<'m>,
    ) -> Result<Next, Stop> {
        let func = frame.func;
        // Phis read their operands before any of them is written.
        let mut phis = Vec::new();
        for id in &func.blocks[block].insts {
            let InstKind::Phi { incoming, .. } = &func.insts[*id].kind else { break };
            let chosen = incoming.iter().find(|(_, pred)| Some(*pred) == from);
            let (operand, _) = chosen.ok_or_else(|| Stop::unsupported("a phi without its predecessor"))?;
            phis.push((*id, self.operand(frame, *operand)?));
        }
        let count = phis.len();
        for (id, value) in phis {
            set(frame, id, value);
        }
        for id in &func.blocks[block].insts[count..] {
            self.steps = self.steps.checked_sub(1).ok_or_else(|| Stop::unsupported("too many steps"))?;
            if self.terms.len() > TERMS {
                return Err(Stop::unsupported("too many terms"));
            }
            let inst = &func.insts[*id];
            match &inst.kind {
                InstKind::Ret(value) => {
                    return Ok(Next::Return(value.map(|value| self.operand(frame, value)).transpose()?));
                }
                InstKind::Br(to) => return Ok(Next::Block(*to)),
                InstKind::CondBr { cond, then_to, else_to } => {
                    let taken = self.int(frame, *cond)? & 1 == 1;
                    return Ok(Next::Block(if taken { *then_to } else { *else_to }));
                }
                InstKind::Switch { value, default, cases } => {
                    let value = self.int(frame, *value)?;
                    let case = cases.iter().find(|(case, _)| self.module.as_int(Operand::Const(*case)) == Some(value));
                    return Ok(Next::Block(case.map_or(*default, |(_, to)| *to)));
                }
                InstKind::Call(call) => {
                    let value = self.call(frame, call, inst.ty, observer)?;
                    if let Some(value) = value {
                        set(frame, *id, value);
                    }
                }
                InstKind::Invoke { call, normal, .. } => {
                    let value = self.call(frame, call, inst.ty, observer)?;
                    if let Some(value) = value {
                        set(frame, *id, value);
                    }
                    return Ok(Next::Block(*normal));
                }
                _ => {
                    let value = self.instruction(frame, *id)?;
                    if inst.result.is_some() {
                        set(frame, *id, value);
                    }
                }
            }
        }
        Err(Stop::unsupported("a block without an end"))
    }

    fn operand(&mut self, frame: &Frame<'m>, operand: Operand) -> Result<Val, Stop> {
        match operand {
            Operand::Local(value) => frame.values[value.as_u32() as usize]
                .clone()
                .ok_or_else(|| Stop::unsupported(format!("a value that was not computed in @{}", frame.func.name))),
            Operand::Const(id) => self.constant(id),
        }
    }

    /// An operand that must be a known integer or address.
    fn int(&mut self, frame: &Frame<'m>, operand: Operand) -> Result<u128, Stop> {
        match self.operand(frame, operand)? {
            Val::Int(value) => Ok(value),
            Val::Real(_) => Err(Stop::unsupported("the bits of a floating-point number as an integer")),
            Val::Undef | Val::Many(_) => Err(Stop::unsupported("an undefined integer")),
        }
    }

    fn address(&mut self, frame: &Frame<'m>, operand: Operand) -> Result<u64, Stop> {
        Ok(self.int(frame, operand)? as u64)
    }

    fn constant(&mut self, id: ConstId) -> Result<Val, Stop> {
        let constant = self.module.constants.get(id);
        let ty = constant.ty;
        Ok(match &constant.kind {
            ConstKind::Int(value) => Val::Int(*value),
            ConstKind::Float(bits) => self.float_of_bits(ty, *bits),
            ConstKind::Null | ConstKind::TokenNone => Val::Int(0),
            ConstKind::Undef | ConstKind::Poison => self.filled(ty, &Val::Undef),
            ConstKind::Zero => self.zero(ty),
            ConstKind::Aggregate(parts) => {
                Val::Many(parts.iter().map(|part| self.constant(*part)).collect::<Result<_, _>>()?)
            }
            ConstKind::Bytes(bytes) => Val::Many(bytes.iter().map(|byte| Val::Int(u128::from(*byte))).collect()),
            ConstKind::Global(global) => {
                if let Some(of) = self.module.globals[*global].alias_of {
                    return self.constant(of);
                }
                Val::Int(u128::from(self.globals[global.as_u32() as usize]))
            }
            ConstKind::Function(function) => Val::Int(u128::from(FUNCTIONS + 16 * u64::from(function.as_u32()))),
            ConstKind::Expr(ConstExpr::Cast(_, of)) => self.constant(*of)?,
            ConstKind::Expr(ConstExpr::Gep { elem_ty, base, indices, .. }) => {
                let base = self.constant(*base)?;
                let indices = indices.iter().map(|index| self.constant(*index)).collect::<Result<Vec<_>, _>>()?;
                self.offset(*elem_ty, &base, &indices)?
            }
            ConstKind::Expr(ConstExpr::Binary { .. }) => return Err(Stop::unsupported("a constant expression")),
            ConstKind::BlockAddress(..) => return Err(Stop::unsupported("the address of a block")),
            ConstKind::InlineAsm(_) => return Err(Stop::unsupported("inline assembly")),
            ConstKind::Metadata(_) => Val::Undef,
        })
    }

    /// A number by its bits; one that is no real number is nothing in particular.
    fn float_of_bits(&mut self, ty: TypeId, bits: u128) -> Val {
        let number = match self.module.types.float_kind(ty) {
            Some(FloatKind::Float) => Some(f64::from(f32::from_bits(bits as u32))),
            Some(FloatKind::Double) => Some(f64::from_bits(bits as u64)),
            // Zero is zero in every format; the other numbers of these formats do not occur in what is proved.
            Some(FloatKind::Half | FloatKind::BFloat | FloatKind::X86Fp80 | FloatKind::Fp128) if bits == 0 => Some(0.0),
            _ => None,
        };
        match number.and_then(Rational::from_f64) {
            Some(number) => Val::Real(self.terms.number(number)),
            None => Val::Undef,
        }
    }

    /// The same value in every scalar of a type.
    fn filled(&self, ty: TypeId, with: &Val) -> Val {
        match self.module.types.element_count(ty) {
            Some(count) => {
                let element = |i| self.module.types.element(ty, i).map_or(Val::Undef, |ty| self.filled(ty, with));
                Val::Many((0..count).map(element).collect())
            }
            None => with.clone(),
        }
    }

    fn zero(&mut self, ty: TypeId) -> Val {
        if let Some(count) = self.module.types.element_count(ty) {
            let elements: Vec<Option<TypeId>> = (0..count).map(|i| self.module.types.element(ty, i)).collect();
            return Val::Many(elements.into_iter().map(|ty| ty.map_or(Val::Undef, |ty| self.zero(ty))).collect());
        }
        match self.module.types.get(ty) {
            Type::Float(_) => Val::Real(self.terms.number(0)),
            _ => Val::Int(0),
        }
    }

    // Memory by type.

    pub fn store(&mut self, address: u64, ty: TypeId, value: Val) -> Result<(), Stop> {
        let module = self.module;
        if let Some(count) = module.types.element_count(ty) {
            let Val::Many(parts) = value else { return Err(Stop::unsupported("an aggregate that is none")) };
            for (i, part) in (0..count).zip(parts) {
                let offset = module.layout.element_offset(&module.types, ty, i);
                let element = module.types.element(ty, i);
                let (offset, element) = offset.zip(element).ok_or_else(|| Stop::unsupported("an unknown layout"))?;
                self.store(address + offset, element, part)?;
            }
            return Ok(());
        }
        let size = module.layout.store_size(&module.types, ty);
        if let (Some(log), Type::Float(_)) = (&mut self.accessed, module.types.get(ty)) {
            log.insert((address, size));
        }
        self.memory.write(address, size, value)
    }

    pub fn load(&mut self, address: u64, ty: TypeId) -> Result<Val, Stop> {
        let module = self.module;
        if let Some(count) = module.types.element_count(ty) {
            let mut parts = Vec::new();
            for i in 0..count {
                let offset = module.layout.element_offset(&module.types, ty, i);
                let element = module.types.element(ty, i);
                let (offset, element) = offset.zip(element).ok_or_else(|| Stop::unsupported("an unknown layout"))?;
                parts.push(self.load(address + offset, element)?);
            }
            return Ok(Val::Many(parts));
        }
        let size = module.layout.store_size(&module.types, ty);
        let value = self.memory.read(address, size)?;
        if let (Some(log), Type::Float(_)) = (&mut self.accessed, module.types.get(ty)) {
            log.insert((address, size));
        }
        Ok(self.reinterpreted(value, ty))
    }

    /// A value under another type of the same size.
    fn reinterpreted(&mut self, value: Val, ty: TypeId) -> Val {
        match (&value, self.module.types.get(ty)) {
            (Val::Int(bits), Type::Float(_)) => self.float_of_bits(ty, *bits),
            (Val::Real(term), Type::Int(bits)) => match self.terms.as_number(*term) {
                Some(number) => bits_of(number, *bits).map_or(value, Val::Int),
                None => value,
            },
            _ => value,
        }
    }

    // Decisions.

    /// Whether a proposition holds: it may be known, have been assumed, or be assumed now.
    pub fn decide(&mut self, condition: Term) -> Result<bool, Stop> {
        if let Some(value) = self.terms.as_truth(condition) {
            return Ok(value);
        }
        if let Node::Not(inner) = *self.terms.node(condition) {
            return Ok(!self.decide(inner)?);
        }
        if let Some(&(_, decision)) = self.path.taken.iter().find(|(known, _)| *known == condition) {
            return Ok(decision);
        }
        if let Some(known) = self.excluded(condition) {
            return Ok(known);
        }
        if !self.symbolic {
            return Err(Stop::unsupported("a comparison of unknown numbers"));
        }
        let decision = self.path.script.get(self.path.taken.len()).copied().unwrap_or(true);
        self.path.taken.push((condition, decision));
        Ok(decision)
    }

    /// What assumptions about the same two numbers say: of <, = and > one holds.
    fn excluded(&self, condition: Term) -> Option<bool> {
        let (a, b, is_less) = match *self.terms.node(condition) {
            Node::Less(a, b) => (a, b, true),
            Node::Equal(a, b) => (a, b, false),
            _ => return None,
        };
        let same_pair = |c: Term, d: Term| (c, d) == (a, b) || (c, d) == (b, a);
        let (mut below, mut above, mut equal) = (None, None, None);
        for &(known, decision) in &self.path.taken {
            match *self.terms.node(known) {
                Node::Less(c, d) if (c, d) == (a, b) => below = Some(decision),
                Node::Less(c, d) if (c, d) == (b, a) => above = Some(decision),
                Node::Equal(c, d) if same_pair(c, d) => equal = Some(decision),
                _ => {}
            }
        }
        let (asked, others) = if is_less { (below, [above, equal]) } else { (equal, [below, above]) };
        match (asked, others) {
            (Some(known), _) => Some(known),
            (None, [Some(true), _] | [_, Some(true)]) => Some(false),
            (None, [Some(false), Some(false)]) => Some(true),
            _ => None,
        }
    }

    /// A number, kept to what is manageable: exact inside a proof, rounded to double outside.
    fn tidy(&mut self, term: Term) -> Result<Term, Stop> {
        let Some(number) = self.terms.as_number(term) else { return Ok(term) };
        let bits = number.numer().significant_bits() + number.denom().significant_bits();
        if self.symbolic {
            return if bits > BITS { Err(Stop::unsupported("a constant of too many bits")) } else { Ok(term) };
        }
        if bits <= 128 {
            return Ok(term);
        }
        let rounded = Rational::from_f64(number.to_f64());
        let rounded = rounded.ok_or_else(|| Stop::unsupported("a number that is too large"))?;
        Ok(self.terms.number(rounded))
    }
}

fn has_own_rule(module: &Module, func: &Function) -> bool {
    let given = ad::attributes::gradient(module, func).is_some() || ad::attributes::derivative(module, func).is_some();
    given || ad::attributes::like(func).is_some()
}

/// Where control goes.
enum Next {
    Block(BlockId),
    Return(Option<Val>),
}

fn set(frame: &mut Frame<'_>, id: ir::InstId, value: Val) {
    if let Some(result) = frame.func.insts[id].result {
        frame.values[result.as_u32() as usize] = Some(value);
    }
}

/// The bits of a number in the format of that width, if it is one of that format.
fn bits_of(number: &Rational, bits: u32) -> Option<u128> {
    let double = number.to_f64();
    if Rational::from_f64(double)? != *number {
        return None;
    }
    match bits {
        64 => Some(u128::from(double.to_bits())),
        32 if f64::from(double as f32) == double => Some(u128::from((double as f32).to_bits())),
        _ => None,
    }
}
