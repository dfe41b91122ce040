//! Numbers under a code: their bits swapped, rotated, reversed, combined with a key, and brought back.
//!
//! A word whose bits are those of an active float, each of them once and perhaps turned round, is that float under a
//! *code* ([`word::Word`]). The code of a word is followed through values, calls and memory; where operations on it
//! give the float's own bits again, they decode it, and the derivative of what they give is that of the float. So the
//! operations are passed by: a coded word becomes [`crate::runtime::substitute`], whose bits are the code's and whose
//! derivative is the float's, and from then on it is stored, copied and loaded as any float is.
//!
//! That is right only if nobody takes a coded word for the number that its bits would be. So nothing is changed where a
//! coded word becomes a float by a cast or by a load, where memory holds words under two codes (or parts of words),
//! where the caller or a function without a body gets one, and where nothing is decoded. Then the bits are refused by
//! [`crate::analysis::memory`] as all others are.
//!
//! Constants and words that depend on nothing active are under any code: what they decode to has no derivative.

mod memory;
mod rewrite;
mod word;

use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::transfer::carries;
use crate::analysis::memory::{Facts, lanes};
use crate::normalise::sources::Sources;
use crate::rewrite::bits::signs::carried_float;
use crate::rewrite::codes::memory::Cells;
use crate::rewrite::codes::word::Word;
use ir::hash::HashMap;
use ir::{CastOp, FuncId, Function, Inst, InstId, InstKind, IntPred, Module, Operand, Type, TypeId, ValueId};
use std::collections::BTreeMap;

/// Rounds after which codes are given up.
const MAX_ROUNDS: usize = 64;

/// What is known of the words that a value or a piece of memory may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Code {
    /// Active floats of this type under one code, or words that depend on nothing active.
    Under(Word, TypeId),
    /// Words under several codes, or parts of words.
    Mixed,
}

/// A value in terms of a word of the same function, the *base*, and with it of the float that the base encodes.
/// Constants have no base.
#[derive(Clone, PartialEq, Debug)]
struct Derived {
    base: Option<ValueId>,
    word: Word,
    float: Option<TypeId>,
}

struct Codes<'a> {
    m: &'a mut Module,
    sources: &'a Sources,
    facts: &'a Facts,
    root: FuncId,
    /// Values that are no operation on a word: what is loaded, passed, returned, chosen, or cast from a float.
    bases: HashMap<(FuncId, ValueId), Code>,
    derived: HashMap<(FuncId, ValueId), Derived>,
    returned: BTreeMap<FuncId, Code>,
    cells: Cells,
    changed: bool,
    /// All codes have been found: what holds active bits and has none is under no code.
    settled: bool,
}

/// Makes words under a code floats to derivatives; says whether there were any.
pub fn rewrite(m: &mut Module, sources: &mut Sources, facts: &Facts, root: FuncId) -> bool {
    let any = |func: &Function| func.inst_order().any(|(_, i)| from_float(m, func, &func.insts[i]));
    if !sources.values().any(any) && !facts.objects.iter().any(|(_, o)| o.bits) {
        return false;
    }
    let mut codes = Codes {
        m,
        sources,
        facts,
        root,
        bases: HashMap::default(),
        derived: HashMap::default(),
        returned: BTreeMap::new(),
        cells: Cells::default(),
        changed: true,
        settled: false,
    };
    codes.run();
    codes.settled = true;
    codes.run();
    if codes.changed || !codes.decodes() || codes.objection() {
        return false;
    }
    let (chosen, accesses) = (codes.chosen(), codes.accesses());
    let derived = codes.derived;
    rewrite::choose(m, sources, &chosen);
    rewrite::untag(sources, &accesses);
    rewrite::apply(m, sources, &derived)
}

/// Are bits of a float taken?
fn from_float(m: &Module, func: &Function, inst: &Inst) -> bool {
    let InstKind::Cast { op: CastOp::BitCast, value, .. } = &inst.kind else { return false };
    let float = |ty| m.types.float_kind(m.types.scalar(ty)).is_some();
    float(m.operand_ty(func, *value)) && !float(inst.ty)
}

impl Codes<'_> {
    /// All instructions, until nothing changes.
    fn run(&mut self) {
        self.changed = true;
        for _ in 0..MAX_ROUNDS {
            if !std::mem::take(&mut self.changed) {
                break;
            }
            self.round();
        }
    }

    /// All instructions once.
    fn round(&mut self) {
        let sources = self.sources;
        for (id, func) in sources {
            for (_, inst) in func.inst_order() {
                self.instruction(*id, func, inst);
            }
        }
    }

    fn instruction(&mut self, id: FuncId, func: &Function, at: InstId) {
        let inst = &func.insts[at];
        if let Some(derived) = self.derive(id, func, inst)
            && let Some(v) = inst.result
        {
            if self.derived.get(&(id, v)) != Some(&derived) {
                self.derived.insert((id, v), derived);
                self.changed = true;
            }
            return;
        }
        // What it was made of has turned out to be words under several codes.
        self.changed |= inst.result.is_some_and(|v| self.derived.remove(&(id, v)).is_some());
        match &inst.kind {
            InstKind::Phi { incoming, .. } => {
                for (value, _) in incoming {
                    self.flow(id, func, *value, inst);
                }
            }
            InstKind::Select { if_true, if_false, .. } => {
                self.flow(id, func, *if_true, inst);
                self.flow(id, func, *if_false, inst);
            }
            InstKind::InsertElement { vector, value, .. } => {
                self.flow(id, func, *vector, inst);
                self.flow(id, func, *value, inst);
            }
            InstKind::ShuffleVector { a, b, .. } => {
                self.flow(id, func, *a, inst);
                self.flow(id, func, *b, inst);
            }
            InstKind::Freeze(value) | InstKind::ExtractElement { vector: value, .. } => {
                self.flow(id, func, *value, inst);
            }
            InstKind::Cast { op: CastOp::BitCast, .. } => self.taken(id, func, inst),
            InstKind::Load { ptr, .. } => {
                self.taken(id, func, inst);
                let size = self.m.layout.store_size(&self.m.types, inst.ty);
                if let Some(code) = self.cells.found(&self.facts.points_to(self.m, id, *ptr), size)
                    && let Some(v) = inst.result
                {
                    let word = self.word_bits(inst.ty);
                    let code = match code {
                        Code::Under(w, _) if Some(w.bits()) != word => Code::Mixed,
                        code => code,
                    };
                    self.base((id, v), code);
                }
            }
            InstKind::Store { value, ptr, .. } => {
                let code = self.code(id, func, *value);
                let size = self.m.layout.store_size(&self.m.types, self.m.operand_ty(func, *value));
                let targets = self.facts.points_to(self.m, id, *ptr);
                self.changed |= self.cells.store(&targets, size, code, value.local().is_none());
            }
            InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                let targets = self.facts.points_to(self.m, id, *ptr);
                self.changed |= self.cells.mix(&targets);
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call(id, func, at, call),
            InstKind::Ret(Some(value)) => {
                if let Some(code) = self.code(id, func, *value) {
                    let known = self.returned.get(&id).cloned();
                    let joined = join(known.clone(), code);
                    self.changed |= known.as_ref() != Some(&joined);
                    self.returned.insert(id, joined);
                }
            }
            _ => {}
        }
    }

    /// The bits of an active float that fill an integer.
    fn taken(&mut self, id: FuncId, func: &Function, inst: &Inst) {
        let Some(v) = inst.result else { return };
        let value = Operand::Local(v);
        let Some(bits) = self.word_bits(inst.ty).filter(|_| self.facts.has_adjoint(self.m, id, func, value)) else {
            return;
        };
        if let Some(float) = carried_float(self.m, self.facts, id, inst.ty, bits, value) {
            let float = self.m.types.scalar(float);
            self.base((id, v), Code::Under(Word::identity(bits), float));
        }
    }

    fn call(&mut self, id: FuncId, func: &Function, at: InstId, call: &ir::Call) {
        use crate::program::externals::{External, classify};
        for callee in self.facts.callees(self.m, id, at, call) {
            if let Some((target, body)) = callee.and_then(|f| Some((f, self.sources.get(&f)?))) {
                for (arg, param) in call.args.iter().zip(&body.params) {
                    if let Some(code) = self.code(id, func, *arg) {
                        self.base((target, param.value), code);
                    }
                }
                let returned = self.returned.get(&target).cloned();
                if let (Some(code), Some(v)) = (returned, func.insts[at].result) {
                    self.base((id, v), code);
                }
                continue;
            }
            match callee.map(|f| classify(self.m, &self.m.functions[f])) {
                _ if callee.is_some_and(|f| chooses(self.m, f).is_some()) => {
                    call.args.iter().for_each(|arg| self.flow(id, func, *arg, &func.insts[at]));
                }
                Some(External::Copy) => {
                    let [to, from] = [0, 1].map(|i| self.facts.points_to(self.m, id, call.args[i]));
                    let size = self.m.as_int(call.args[2]).map(|size| size as u64);
                    self.changed |= self.cells.copy((&to, &from), size, self.settled);
                }
                // Bytes that are all the same are zeros, or part of a word.
                Some(External::Set) if self.m.as_int(call.args[1]) != Some(0) => {
                    let targets = self.facts.points_to(self.m, id, call.args[0]);
                    self.changed |= self.cells.mix(&targets);
                }
                _ => {}
            }
        }
    }

    /// The code of what a value holds passes to the result of an instruction.
    fn flow(&mut self, id: FuncId, func: &Function, value: Operand, inst: &Inst) {
        if let (Some(code), Some(v)) = (self.code(id, func, value), inst.result) {
            self.base((id, v), code);
        }
    }

    fn base(&mut self, key: (FuncId, ValueId), code: Code) {
        let known = self.bases.get(&key).cloned();
        let joined = join(known.clone(), code);
        if known.as_ref() != Some(&joined) {
            self.bases.insert(key, joined);
            self.changed = true;
        }
    }

    /// The code of an operand, if it may hold an active float's bits.
    fn code(&self, id: FuncId, func: &Function, operand: Operand) -> Option<Code> {
        let v = operand.local()?;
        if let Some(derived) = self.derived.get(&(id, v)) {
            return match derived.float.filter(|_| derived.word.is_whole()) {
                Some(float) if self.fits(float, &derived.word) => Some(Code::Under(derived.word.clone(), float)),
                _ => derived.word.depends().then_some(Code::Mixed),
            };
        }
        if let Some(code) = self.bases.get(&(id, v)) {
            return Some(code.clone());
        }
        let integer = self.m.types.is_int(self.m.types.scalar(self.m.operand_ty(func, operand)));
        (self.settled && integer && self.facts.has_active_bits(id, operand)).then_some(Code::Mixed)
    }

    fn fits(&self, float: TypeId, word: &Word) -> bool {
        self.m.types.float_kind(float).is_some_and(|kind| kind.bits() == word.bits())
    }

    /// Bits of an integer, or of each element of a vector of integers, that may hold a float.
    fn word_bits(&self, ty: TypeId) -> Option<u32> {
        match self.m.types.get(self.m.types.scalar(ty)) {
            Type::Int(bits @ (16 | 32 | 64)) if carries(self.m, ty) => Some(*bits),
            _ => None,
        }
    }

    /// An operand in terms of its base.
    fn operand(&self, id: FuncId, func: &Function, operand: Operand) -> Option<Derived> {
        let ty = self.m.operand_ty(func, operand);
        let bits = match self.m.types.get(self.m.types.scalar(ty)) {
            Type::Int(bits @ 1..=64) => *bits,
            _ => return None,
        };
        if let Some(value) = lanes::uniform(self.m, operand) {
            return Some(Derived { base: None, word: Word::constant(value, bits), float: None });
        }
        let v = operand.local()?;
        if let Some(derived) = self.derived.get(&(id, v)) {
            return Some(derived.clone());
        }
        match self.bases.get(&(id, v))? {
            Code::Under(word, float) if word.bits() == bits => {
                Some(Derived { base: Some(v), word: word.clone(), float: Some(*float) })
            }
            _ => None,
        }
    }

    /// The result of an operation on the bits of one word.
    fn derive(&self, id: FuncId, func: &Function, inst: &Inst) -> Option<Derived> {
        let of = |operand: Operand| self.operand(id, func, operand);
        let bits = match self.m.types.get(self.m.types.scalar(inst.ty)) {
            Type::Int(bits @ 1..=64) => *bits,
            _ => return None,
        };
        let (parts, word) = match &inst.kind {
            InstKind::Binary { op, lhs, rhs, .. } => {
                let (a, b) = (of(*lhs)?, of(*rhs)?);
                let word = Word::binary(*op, &a.word, &b.word);
                (vec![a, b], word)
            }
            InstKind::ICmp { pred, lhs, rhs } => {
                let (a, b) = (of(*lhs)?, of(*rhs)?);
                let word = Word::compared(*pred, &a.word, &b.word);
                (vec![a, b], word)
            }
            InstKind::Select { cond, if_true, if_false, .. } => {
                let (c, a, b) = (of(*cond)?, of(*if_true)?, of(*if_false)?);
                let word = Word::chosen(&c.word, &a.word, &b.word);
                (vec![c, a, b], word)
            }
            InstKind::Cast { op: op @ (CastOp::Trunc | CastOp::ZExt | CastOp::SExt), value, .. } => {
                let a = of(*value)?;
                let word = a.word.resized(bits, *op == CastOp::SExt);
                (vec![a], word)
            }
            InstKind::Call(call) => {
                let name = &self.m.functions[self.m.as_function(call.callee)?].name;
                let args: Vec<Derived> = call.args.iter().map(|arg| of(*arg)).collect::<Option<_>>()?;
                let word = intrinsic(self.m, name, call, &args)?;
                (args, word)
            }
            _ => return None,
        };
        let base = parts.iter().find_map(|part| part.base)?;
        let one = parts.iter().all(|part| part.base.is_none_or(|other| other == base));
        let float = parts.iter().find_map(|part| part.float);
        one.then_some(Derived { base: Some(base), word, float })
    }

    /// Is any word brought back from a code: by an operation on a word that was under one, or at the end of an
    /// expression?
    fn decodes(&self) -> bool {
        self.derived.values().any(|derived| {
            derived.word.is_identity() && derived.float.is_some_and(|float| self.fits(float, &derived.word))
        })
    }

    /// Does anything take a coded word for the number that its bits would be, or for another one?
    fn objection(&self) -> bool {
        let wrong = |id: &FuncId, func: &Function| func.inst_order().any(|(_, at)| self.misuses(*id, func, at));
        self.cells.is_mixed(|object| self.is_own_object(object))
            || self.sources.iter().any(|(id, func)| wrong(id, func))
    }

    /// Does an instruction do anything with a coded word but to move it, to decode it, or to compare it?
    fn misuses(&self, id: FuncId, func: &Function, at: InstId) -> bool {
        let inst = &func.insts[at];
        let coded = |operand: &Operand| match self.code(id, func, *operand) {
            Some(Code::Under(word, _)) => !word.is_identity(),
            Some(Code::Mixed) | None => false,
        };
        if inst.result.is_some_and(|v| self.derived.contains_key(&(id, v))) {
            return false;
        }
        let operands = inst.kind.operands();
        match &inst.kind {
            InstKind::Phi { .. }
            | InstKind::Select { .. }
            | InstKind::Freeze(_)
            | InstKind::InsertElement { .. }
            | InstKind::ExtractElement { .. }
            | InstKind::ShuffleVector { .. } => {
                // What holds a coded word among others is under that code as a whole.
                let mixed = inst.result.and_then(|v| self.bases.get(&(id, v))) == Some(&Code::Mixed);
                mixed && operands.iter().any(coded)
            }
            InstKind::ICmp { .. } => false,
            InstKind::Load { ptr, .. } => {
                let size = self.m.layout.store_size(&self.m.types, inst.ty);
                let holds = self.cells.holds_code(&self.facts.points_to(self.m, id, *ptr), size);
                let under_one = matches!(inst.result.and_then(|v| self.bases.get(&(id, v))), Some(Code::Under(..)));
                holds && !(under_one && self.word_bits(inst.ty).is_some())
            }
            InstKind::Store { value, ptr, .. } => coded(value) && !self.is_own(id, *ptr),
            InstKind::Ret(Some(value)) => {
                coded(value) && (id == self.root || self.returned.get(&id) == Some(&Code::Mixed))
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let alike = |callee: &Option<FuncId>, i: usize| {
                    let body = callee.and_then(|f| Some((f, self.sources.get(&f)?)));
                    let param = body.and_then(|(f, body)| Some((f, body.params.get(i)?.value)));
                    matches!(param.and_then(|key| self.bases.get(&key)), Some(Code::Under(..)))
                };
                let callees = self.facts.callees(self.m, id, at, call);
                if callees.iter().all(|callee| callee.is_some_and(|f| chooses(self.m, f).is_some())) {
                    let mixed = inst.result.and_then(|v| self.bases.get(&(id, v))) == Some(&Code::Mixed);
                    return mixed && operands.iter().any(coded);
                }
                let passed = |(i, _): (usize, &Operand)| callees.iter().all(|callee| alike(callee, i));
                let mut args = call.args.iter().enumerate().filter(|(_, arg)| coded(arg));
                !args.all(passed)
            }
            _ => operands.iter().any(coded),
        }
    }

    /// Loads and stores of memory that may hold coded words.
    fn accesses(&self) -> Vec<(FuncId, InstId)> {
        let mut out = Vec::new();
        for (id, func) in self.sources {
            for (_, at) in func.inst_order() {
                let (InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. }) = func.insts[at].kind else { continue };
                if self.facts.points_to(self.m, *id, ptr).keys().any(|object| self.cells.is_coded(*object)) {
                    out.push((*id, at));
                }
            }
        }
        out
    }

    /// Calls that choose the lesser or greater of coded words.
    fn chosen(&self) -> Vec<(FuncId, InstId, IntPred)> {
        let mut out = Vec::new();
        for (id, func) in self.sources {
            for (_, at) in func.inst_order() {
                let inst = &func.insts[at];
                let callee = inst.kind.as_call().and_then(|call| self.m.as_function(call.callee));
                let base = inst.result.and_then(|v| self.bases.get(&(*id, v)));
                if let (Some(pred), Some(Code::Under(..))) = (callee.and_then(|f| chooses(self.m, f)), base) {
                    out.push((*id, at, pred));
                }
            }
        }
        out
    }

    /// Does an address lead to memory of the function alone, or of the module?
    fn is_own(&self, id: FuncId, ptr: Operand) -> bool {
        let targets = self.facts.points_to(self.m, id, ptr);
        let own = |object: &ObjId| self.is_own_object(*object);
        !targets.is_empty() && !self.facts.leads_elsewhere(self.m, id, ptr) && targets.keys().all(own)
    }

    fn is_own_object(&self, object: ObjId) -> bool {
        matches!(self.facts.objects[object].kind, ObjKind::Stack(..) | ObjKind::Heap(..) | ObjKind::Global(_))
    }
}

/// What holds of both.
fn join(known: Option<Code>, new: Code) -> Code {
    match known {
        Some(known) if known != new => Code::Mixed,
        _ => new,
    }
}

/// Where an intrinsic gives one of its two operands: if this holds of them, the first.
fn chooses(m: &Module, f: FuncId) -> Option<IntPred> {
    let preds = [("umin", IntPred::Ult), ("umax", IntPred::Ugt), ("smin", IntPred::Slt), ("smax", IntPred::Sgt)];
    let name = m.functions[f].name.strip_prefix("llvm.")?;
    preds.into_iter().find(|(intrinsic, _)| name.starts_with(&format!("{intrinsic}."))).map(|(_, pred)| pred)
}

/// Intrinsics that move bits.
fn intrinsic(m: &Module, name: &str, call: &ir::Call, args: &[Derived]) -> Option<Word> {
    let word = &args.first()?.word;
    if name.starts_with("llvm.bswap.") {
        return Some(word.swapped());
    }
    if name.starts_with("llvm.bitreverse.") {
        return Some(word.reversed());
    }
    let by = u32::try_from(lanes::uniform(m, *call.args.get(2)?)?).ok()? % word.bits();
    if name.starts_with("llvm.fshl.") {
        return Some(word.funnel_left(&args[1].word, by));
    }
    (name.starts_with("llvm.fshr.")).then(|| match by {
        0 => args[1].word.clone(),
        by => word.funnel_left(&args[1].word, word.bits() - by),
    })
}
