//! From the statements of a row to calls.
//!
//! Everything that a statement can name is a value with a name: flags as bits, counts, numbers, pointers, leading
//! dimensions. What is recorded for the reverse pass is that list. A call then spells its arguments as the routine
//! wants them: the numbers of CBLAS's enumerations by value, or Fortran's characters by reference.

use crate::base::alias_scopes;
use crate::base::builder::Builder;
use crate::base::names::declare;
use crate::emit::blas::Rule;
use crate::emit::blas::spelling::{ROWS, spelled};
use crate::runtime::tape_log::{self, Kept};
use crate::runtime::{refuse, tape};
use ir::{
    BinOp, BlockId, CastOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Inst, InstKind, IntPred, Operand, TypeId,
};
use rules::blas::{Kind, Routine, Step, Term, Times, is_kernel};
use std::collections::BTreeMap;

/// An argument, not yet spelled.
#[derive(Clone, Copy)]
enum Argument {
    Flag(Kind, Operand),
    Number(Operand),
    Data(Operand, Operand),
    /// A pointer, and nothing behind it.
    Packed(Operand),
}

/// The function being written, and what its statements can name.
pub(crate) struct Lower<'b, 'm> {
    pub(crate) b: &'b mut Builder<'m>,
    pub(super) rule: Rule,
    /// By name: an operand, `A'`, `A0`, and with `.ld` behind it what follows it.
    pub(crate) values: BTreeMap<String, Operand>,
    /// Where `+=` adds to, by operand.
    pub(crate) sums: BTreeMap<&'static str, Operand>,
    /// Operands with a derivative, and whether their memory may be constant.
    pub(crate) active: BTreeMap<&'static str, bool>,
    /// Where the call says how it went.
    pub(super) info: Option<Operand>,
}

impl<'b, 'm> Lower<'b, 'm> {
    pub(crate) fn new(b: &'b mut Builder<'m>, rule: Rule) -> Self {
        Lower { b, rule, values: BTreeMap::new(), sums: BTreeMap::new(), active: BTreeMap::new(), info: None }
    }

    pub(crate) fn real(&mut self) -> TypeId {
        self.b.m.types.float(self.rule.float())
    }

    pub(super) fn i32(&mut self, n: u128) -> Operand {
        self.b.m.int(32, n)
    }

    /// A constant that is exact in every format.
    fn number(&mut self, n: f64) -> Operand {
        let ty = self.real();
        let bits = match self.rule.float() {
            FloatKind::Float => u128::from((n as f32).to_bits()),
            _ => u128::from(n.to_bits()),
        };
        self.b.m.constant(ty, ConstKind::Float(bits))
    }

    /// A stack slot in the entry block.
    pub(crate) fn slot(&mut self, ty: TypeId) -> Operand {
        let (ptr, align) = (self.b.m.types.ptr(), self.b.align(ty));
        let kind = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
        let mut inst = Inst::new(kind, ptr);
        inst.origin = self.b.origin;
        let id = self.b.f.create_inst(inst, true);
        let entry = self.b.f.entry();
        self.b.f.blocks[entry].insts.insert(0, id);
        self.b.result(id)
    }

    fn flag(&mut self, token: &str) -> Operand {
        match token {
            "N" | "L" => self.b.m.int(1, 0),
            "T" | "R" => self.b.m.int(1, 1),
            _ => match token.strip_prefix('!') {
                None => self.value(token),
                Some(name) => {
                    let (flag, one) = (self.value(name), self.b.m.int(1, 1));
                    self.b.binary(BinOp::Xor, flag, one)
                }
            },
        }
    }

    /// A product of numbers, or a negative one.
    fn scalar(&mut self, token: &str) -> Operand {
        if let Ok(number) = token.parse() {
            return self.number(number);
        }
        if let Some(rest) = token.strip_prefix('-') {
            let (value, ty) = (self.scalar(rest), self.real());
            return self.b.value(InstKind::FNeg { fast: FastMath::default(), value }, ty);
        }
        let Some(at) = token.rfind(['*', '/']) else {
            return self.value(token);
        };
        let op = if token[at..].starts_with('*') { BinOp::FMul } else { BinOp::FDiv };
        let (left, right) = (self.scalar(&token[..at]), self.scalar(&token[at + 1..]));
        self.b.binary(op, left, right)
    }

    /// Not zero, or NaN.
    fn is_not_zero(&mut self, value: Operand) -> Operand {
        let (zero, i1) = (self.number(0.0), self.b.m.types.int(1));
        self.b.value(InstKind::FCmp { pred: FloatPred::Une, fast: FastMath::default(), lhs: value, rhs: zero }, i1)
    }

    pub(crate) fn and(&mut self, a: Option<Operand>, b: Operand) -> Option<Operand> {
        Some(match a {
            None => b,
            Some(a) => self.b.binary(BinOp::And, a, b),
        })
    }

    /// Is the product computed? Always, if `alpha` has a derivative.
    pub(crate) fn product(&mut self) -> Option<Operand> {
        let alpha = self.values.get("alpha").copied().filter(|_| !self.active.contains_key("alpha"))?;
        Some(self.is_not_zero(alpha))
    }

    /// Does the routine do anything?
    pub(crate) fn nonempty(&mut self) -> Option<Operand> {
        let mut all = None;
        for name in self.rule.routine.nonempty.split_whitespace() {
            // The increment of the call, not that of a packed copy.
            let name = name.strip_suffix(".ld").map_or(name.to_owned(), |x| format!("{x}'.ld"));
            let (value, zero) = (self.value(&name), self.i32(0));
            let positive = self.b.icmp(IntPred::Sgt, value, zero);
            all = self.and(all, positive);
        }
        all
    }

    /// What must hold at run time for a term: its own condition, and that its operand's memory is not constant.
    fn condition(&mut self, term: &Term) -> Option<Operand> {
        let mut all = None;
        if !self.rule.routine.outputs().contains(&term.of)
            && term.of != "beta"
            && let Some(product) = self.product()
        {
            all = self.and(all, product);
        }
        for word in term.when.split_whitespace() {
            let holds = match word {
                "alpha" => match self.product() {
                    Some(product) => product,
                    None => continue,
                },
                "beta" | "r" => {
                    let value = self.value(word);
                    self.is_not_zero(value)
                }
                "info" | "!info" => {
                    let (info, zero) = (self.value("info"), self.i32(0));
                    self.b.icmp(if word == "info" { IntPred::Ne } else { IntPred::Eq }, info, zero)
                }
                _ if word.ends_with('\'') => {
                    let name = word.trim_matches(['!', '\'']);
                    let is = self.is_active(name);
                    let one = self.b.m.int(1, 1);
                    if word.starts_with('!') { self.b.binary(BinOp::Xor, is, one) } else { is }
                }
                _ => self.flag(word),
            };
            all = self.and(all, holds);
        }
        if self.active.get(term.of).copied().unwrap_or(false) {
            let differs = self.differs(term.of);
            all = self.and(all, differs);
        }
        all
    }

    /// Has an operand a derivative, here and now?
    fn is_active(&mut self, name: &str) -> Operand {
        match self.active.get(name) {
            Some(true) => self.differs(name),
            known => self.b.m.int(1, u128::from(known.is_some())),
        }
    }

    /// Is there anything to do? Not where the memory of all outputs is constant.
    pub(crate) fn useful(&mut self) -> Option<Operand> {
        let mut condition = self.nonempty();
        let outputs = self.rule.routine.outputs();
        if let [output] = outputs[..]
            && self.active.get(output) == Some(&true)
        {
            let differs = self.differs(output);
            condition = self.and(condition, differs);
        }
        condition
    }

    /// The tangent of a number that is passed by reference: zero where its memory is constant.
    pub(crate) fn scalar_behind(&mut self, name: &str, dual: Operand, mixed: bool) -> Operand {
        let real = self.real();
        let align = self.b.align(real);
        let tangent = self.b.load(real, dual, align);
        if !mixed {
            return tangent;
        }
        let (primal, zero) = (self.value(&format!("{name}.at")), self.b.m.zero(real));
        let differs = self.b.icmp(IntPred::Ne, dual, primal);
        self.b.select(differs, tangent, zero)
    }

    /// Has the memory of an operand a shadow of its own?
    pub(super) fn differs(&mut self, name: &str) -> Operand {
        let (shadow, primal) = (self.value(&format!("{name}'")), self.value(&format!("{name}.at")));
        self.b.icmp(IntPred::Ne, shadow, primal)
    }

    /// Executes what `body` emits where the condition holds.
    pub(crate) fn only_if(&mut self, condition: Option<Operand>, body: impl FnOnce(&mut Self)) {
        let Some(condition) = condition else { return body(self) };
        let [then, after]: [BlockId; 2] = ["then", "after"].map(|n| self.b.f.add_block(n));
        self.b.cond_br(condition, then, after);
        self.b.at = then;
        body(self);
        self.b.br(after);
        self.b.at = after;
    }

    /// Executes a term, other than the primal.
    pub(crate) fn term(&mut self, term: &Term) {
        let condition = self.condition(term);
        self.only_if(condition, |lower| lower.steps(term));
    }

    fn steps(&mut self, term: &Term) {
        let mut made = Vec::new();
        for step in term.steps() {
            match step {
                Step::New(name, counts) => {
                    let counts: Vec<Operand> = counts.iter().map(|c| self.count(c)).collect();
                    let (size, stride) = self.packed(counts[0], counts.get(1).copied());
                    let (ptr, i64t) = (self.b.m.types.ptr(), self.b.m.types.int(64));
                    let malloc = declare(self.b.m, "malloc", ptr, &[i64t]);
                    let null = self.b.m.zero(ptr);
                    let memory = self.b.call(malloc, vec![size]).unwrap_or(null);
                    self.values.insert(name.to_owned(), memory);
                    self.values.insert(format!("{name}.ld"), stride);
                    made.push(memory);
                }
                Step::Call(routine, tokens) => drop(self.call(routine, &tokens)),
                Step::Add(routine, tokens, times) => {
                    let Some(mut value) = self.call(routine, &tokens) else { continue };
                    match times {
                        Times::One => {}
                        Times::MinusOne => {
                            let ty = self.real();
                            value = self.b.value(InstKind::FNeg { fast: FastMath::default(), value }, ty);
                        }
                        Times::OverResult => {
                            let r = self.value("r");
                            value = self.b.binary(BinOp::FDiv, value, r);
                        }
                    }
                    self.add(term.of, value);
                }
                Step::None(routine, tokens) => {
                    let Some(value) = self.call(routine, &tokens) else { continue };
                    let some = self.is_not_zero(value);
                    let name = self.rule.spelling.name(self.rule.routine);
                    self.only_if(Some(some), |lower| lower.refuse(&name));
                }
                Step::Primal => {}
            }
        }
        let (ptr, void) = (self.b.m.types.ptr(), self.b.m.types.void());
        for memory in made {
            let free = declare(self.b.m, "free", void, &[ptr]);
            self.b.call(free, vec![memory]);
        }
    }

    /// Ends the program, or its interpretation.
    fn refuse(&mut self, name: &str) {
        let refuse = refuse::refuse(self.b.m);
        let message = format!(
            "the derivative of {name} is not defined where it stopped with info > 0, and what it left is used\n"
        );
        let text = refuse::message(self.b.m, &message);
        let length = self.b.m.int(64, message.len() as u128);
        self.b.call(refuse, vec![text, length]);
    }

    /// Adds to the derivative of an operand.
    fn add(&mut self, of: &str, value: Operand) {
        let Some(sum) = self.sums.get(of).copied() else { return };
        let real = self.real();
        let align = self.b.align(real);
        let old = self.b.load(real, sum, align);
        let new = self.b.binary(BinOp::FAdd, old, value);
        self.b.store(new, sum, align);
    }

    /// Bytes and stride of packed memory for so many rows and columns, or elements.
    fn packed(&mut self, rows: Operand, columns: Option<Operand>) -> (Operand, Operand) {
        let (i64t, one) = (self.b.m.types.int(64), self.i32(1));
        let real = self.real();
        let size = self.b.m.size_of(real);
        let mut bytes = self.b.m.int(64, u128::from(size));
        for count in [Some(rows), columns].into_iter().flatten() {
            let count = self.b.cast(CastOp::SExt, count, i64t);
            bytes = self.b.binary(BinOp::Mul, bytes, count);
        }
        let Some(columns) = columns else { return (bytes, one) };
        let (layout, by_rows) = (self.value("layout"), self.i32(ROWS));
        let is_by_rows = self.b.icmp(IntPred::Eq, layout, by_rows);
        let length = self.b.select(is_by_rows, columns, rows);
        let positive = self.b.icmp(IntPred::Sgt, length, one);
        let stride = self.b.select(positive, length, one);
        (bytes, stride)
    }

    /// A packed copy on the tape of what an operand's memory holds, under another name; of nothing where the condition
    /// does not hold.
    pub(crate) fn copy(&mut self, name: &str, to: &str, condition: Option<Operand>, tape: Operand) {
        let zero = self.i32(0);
        let at_least = |lower: &mut Self, count: Operand| {
            let negative = lower.b.icmp(IntPred::Slt, count, zero);
            let count = lower.b.select(negative, zero, count);
            condition.map_or(count, |condition| lower.b.select(condition, count, zero))
        };
        let (rows, columns) = self.extent(name);
        let rows = at_least(self, rows);
        let columns = columns.map(|c| at_least(self, c));
        let (bytes, stride) = self.packed(rows, columns);
        let alloc = tape::tape_alloc(self.b.m);
        let memory = self.b.call(alloc, vec![tape, bytes]).unwrap_or(tape);
        self.mark_block();
        let from = self.value(&format!("{name}.at"));
        // A packed triangle has elements one behind the other.
        let from_stride = self.values.get(&format!("{name}.ld")).copied().unwrap_or(stride);
        let kernel = rules::blas::routine(if columns.is_some() { "gecopy" } else { "vecopy" });
        let mut arguments = vec![Argument::Number(rows)];
        arguments.extend(columns.map(Argument::Number));
        arguments.extend([Argument::Data(from, from_stride), Argument::Data(memory, stride)]);
        if let Some(kernel) = kernel {
            self.invoke(kernel, arguments);
        }
        self.values.insert(to.to_owned(), memory);
        self.values.insert(format!("{to}.ld"), stride);
    }

    /// Says of the call just emitted that it takes a block of the tape for a value.
    fn mark_block(&mut self) {
        let list = alias_scopes::records(self.b.m);
        let block = self.b.at;
        if let Some(call) = self.b.f.blocks[block].insts.last().copied() {
            tape_log::mark(&mut self.b.f.insts[call].metadata, Kept::Value, list);
        }
    }

    fn call(&mut self, routine: &'static Routine, tokens: &[&str]) -> Option<Operand> {
        let arguments = routine.operands().into_iter().zip(tokens).map(|((_, kind), token)| match kind {
            Kind::Count => Argument::Number(self.count(token)),
            Kind::Scalar => Argument::Number(self.scalar(token)),
            Kind::Part | Kind::Storage => Argument::Flag(kind, self.value(token)),
            Kind::Data(_) => Argument::Data(self.value(token), self.value(&format!("{token}.ld"))),
            Kind::Packed(_) => Argument::Packed(self.value(token)),
            flag => Argument::Flag(flag, self.flag(token)),
        });
        let arguments = arguments.collect();
        self.invoke(routine, arguments)
    }

    fn invoke(&mut self, routine: &'static Routine, arguments: Vec<Argument>) -> Option<Operand> {
        let kernel = is_kernel(routine);
        let by_value = kernel || self.rule.spelling.cblas;
        let mut out = Vec::new();
        if by_value && routine.has_layout() {
            out.push(self.value("layout"));
        }
        for argument in arguments {
            match argument {
                Argument::Flag(Kind::Part | Kind::Storage, letter) if !kernel => {
                    out.push(self.passed(letter, by_value));
                }
                Argument::Flag(_, bit) if kernel => {
                    let i32t = self.b.m.types.int(32);
                    out.push(self.b.cast(CastOp::ZExt, bit, i32t));
                }
                Argument::Flag(kind, bit) => {
                    let (numbers, letters) = spelled(kind);
                    let [clear, set] = match by_value {
                        true => numbers.map(|n| self.b.m.int(32, n)),
                        false => letters.map(|c| self.b.m.int(8, u128::from(c))),
                    };
                    let value = self.b.select(bit, set, clear);
                    out.push(self.passed(value, by_value));
                }
                Argument::Number(value) => out.push(self.passed(value, by_value)),
                Argument::Data(pointer, stride) => {
                    out.push(pointer);
                    out.push(self.passed(stride, by_value));
                }
                Argument::Packed(pointer) => out.push(pointer),
            }
        }
        if routine.has_info() {
            let i32t = self.b.m.types.int(32);
            out.push(self.slot(i32t));
        }
        let callee: FuncId = self.b.m.function(&self.rule.spelling.name(routine))?;
        self.b.call(callee, out)
    }

    /// A number as an argument: itself, or where it lies.
    fn passed(&mut self, value: Operand, by_value: bool) -> Operand {
        if by_value {
            return value;
        }
        let ty = self.b.ty(value);
        let (slot, align) = (self.slot(ty), self.b.align(ty));
        self.b.store(value, slot, align);
        slot
    }
}
