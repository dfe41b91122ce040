//! From the statements of a row to calls.
//!
//! Everything that a statement can name is a value with a name: flags as bits, counts, numbers, pointers, leading dimensions. What is
//! recorded for the reverse pass is that list. A call then spells its arguments as the routine wants them: the numbers of CBLAS's
//! enumerations by value, or Fortran's characters by reference.

use super::Rule;
use crate::build::Builder;
use crate::runtime;
use crate::source::declare;
use ir::{
    BinOp, BlockId, CastOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Inst, InstKind, IntPred, Operand, TypeId,
};
use rules::blas::{Kind, Routine, Shape, Step, Term, is_kernel};
use std::collections::BTreeMap;

/// CBLAS: matrices by rows, by columns.
const ROWS: u128 = 101;
const COLUMNS: u128 = 102;

/// The values of a flag that is not set and of one that is: in CBLAS, in Fortran.
fn spelled(kind: Kind) -> ([u128; 2], [u8; 2]) {
    match kind {
        Kind::Transposed => ([111, 112], *b"NT"),
        Kind::Lower => ([121, 122], *b"UL"),
        Kind::Right => ([141, 142], *b"LR"),
        _ => ([131, 132], *b"NU"),
    }
}

/// An argument, not yet spelled.
#[derive(Clone, Copy)]
enum Argument {
    Flag(Kind, Operand),
    Number(Operand),
    Data(Operand, Operand),
}

/// The function being written, and what its statements can name.
pub(super) struct Lower<'b, 'm> {
    pub(super) b: &'b mut Builder<'m>,
    pub(super) rule: Rule,
    /// By name: an operand, `A'`, `A0`, and with `.ld` behind it what follows it.
    pub(super) values: BTreeMap<String, Operand>,
    /// Where `+=` adds to, by operand.
    pub(super) sums: BTreeMap<&'static str, Operand>,
    /// The scalar `alpha` has a derivative of its own.
    pub(super) alpha_active: bool,
}

impl<'b, 'm> Lower<'b, 'm> {
    pub(super) fn new(b: &'b mut Builder<'m>, rule: Rule) -> Self {
        Lower { b, rule, values: BTreeMap::new(), sums: BTreeMap::new(), alpha_active: false }
    }

    pub(super) fn real(&mut self) -> TypeId {
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
    pub(super) fn slot(&mut self, ty: TypeId) -> Operand {
        let (ptr, align) = (self.b.m.types.ptr(), self.b.align(ty));
        let kind = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
        let mut inst = Inst::new(kind, ptr);
        inst.origin = self.b.origin;
        let id = self.b.f.create_inst(inst, true);
        let entry = self.b.f.entry();
        self.b.f.blocks[entry].insts.insert(0, id);
        self.b.result(id)
    }

    /// Names the arguments of a call of the routine.
    pub(super) fn arguments(&mut self, arguments: &[Operand]) {
        let (real, i32t) = (self.real(), self.b.m.types.int(32));
        let mut arguments = arguments.iter().copied();
        let by_value = self.rule.spelling.cblas;
        let layout = match by_value && self.rule.routine.has_layout() {
            true => arguments.next(),
            false => None,
        };
        let layout = layout.unwrap_or_else(|| self.i32(COLUMNS));
        self.values.insert("layout".to_owned(), layout);
        for (name, kind) in self.rule.routine.operands() {
            let Some(argument) = arguments.next() else { return };
            let value = match kind {
                Kind::Data(_) => argument,
                Kind::Count if !by_value => self.b.load(i32t, argument, 4),
                Kind::Scalar if !by_value => {
                    self.values.insert(format!("{name}.at"), argument);
                    let align = self.b.align(real);
                    self.b.load(real, argument, align)
                }
                Kind::Count | Kind::Scalar => argument,
                flag => self.flag_of(flag, argument),
            };
            self.values.insert(name.to_owned(), value);
            if matches!(kind, Kind::Data(_)) {
                let Some(argument) = arguments.next() else { return };
                let stride = if by_value { argument } else { self.b.load(i32t, argument, 4) };
                self.values.insert(format!("{name}.at"), value);
                self.values.insert(format!("{name}.ld"), stride);
                self.values.insert(format!("{name}'.ld"), stride);
            }
        }
    }

    /// What a flag says, as a bit. Whatever is not the one value that a library looks for is the other.
    fn flag_of(&mut self, kind: Kind, argument: Operand) -> Operand {
        let (numbers, letters) = spelled(kind);
        let (value, values) = match self.rule.spelling.cblas {
            true => (argument, numbers.map(|n| self.b.m.int(32, n))),
            false => {
                let i8t = self.b.m.types.int(8);
                let letter = self.b.load(i8t, argument, 1);
                let upper = self.b.m.int(8, 0xDF);
                let letter = self.b.binary(BinOp::And, letter, upper);
                (letter, letters.map(|c| self.b.m.int(8, u128::from(c))))
            }
        };
        match kind {
            Kind::Unit => self.b.icmp(IntPred::Eq, value, values[1]),
            _ => self.b.icmp(IntPred::Ne, value, values[0]),
        }
    }

    /// The shape of an operand of the primal.
    fn shape(&self, name: &str) -> Option<Shape> {
        self.rule.routine.operands().into_iter().find_map(|(n, kind)| match kind {
            Kind::Data(shape) if n == name => Some(shape),
            _ => None,
        })
    }

    fn value(&mut self, name: &str) -> Operand {
        let zero = self.b.m.int(32, 0);
        // The rows name nothing else: a test of the table.
        self.values.get(name).copied().unwrap_or(zero)
    }

    /// Rows (or elements) and columns of an operand of the primal.
    pub(super) fn extent(&mut self, name: &str) -> (Operand, Option<Operand>) {
        let Some(shape) = self.shape(name) else { return (self.i32(0), None) };
        let (rows, columns) = (self.value(shape.plain.0), shape.plain.1.map(|c| self.value(c)));
        let Some((flag, (flagged_rows, flagged_columns))) = shape.flagged else { return (rows, columns) };
        let flag = self.value(flag);
        let other = (self.value(flagged_rows), flagged_columns.map(|c| self.value(c)));
        let rows = self.b.select(flag, other.0, rows);
        let columns = columns.zip(other.1).map(|(plain, flagged)| self.b.select(flag, flagged, plain));
        (rows, columns)
    }

    fn count(&mut self, token: &str) -> Operand {
        match token.strip_prefix('#') {
            Some(name) => self.extent(name).0,
            None => self.value(token),
        }
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

    fn scalar(&mut self, token: &str) -> Operand {
        if let Ok(number) = token.parse() {
            return self.number(number);
        }
        if let Some(name) = token.strip_prefix('-') {
            let (value, ty) = (self.value(name), self.real());
            return self.b.value(InstKind::FNeg { fast: FastMath::default(), value }, ty);
        }
        match token.split_once('/') {
            None => self.value(token),
            Some((above, below)) => {
                let (above, below) = (self.value(above), self.value(below));
                self.b.binary(BinOp::FDiv, above, below)
            }
        }
    }

    /// Not zero, or NaN.
    fn is_not_zero(&mut self, value: Operand) -> Operand {
        let (zero, i1) = (self.number(0.0), self.b.m.types.int(1));
        self.b.value(InstKind::FCmp { pred: FloatPred::Une, fast: FastMath::default(), lhs: value, rhs: zero }, i1)
    }

    pub(super) fn and(&mut self, a: Option<Operand>, b: Operand) -> Option<Operand> {
        Some(match a {
            None => b,
            Some(a) => self.b.binary(BinOp::And, a, b),
        })
    }

    /// Is the product computed? Always, if `alpha` has a derivative.
    pub(super) fn product(&mut self) -> Option<Operand> {
        let alpha = self.values.get("alpha").copied().filter(|_| !self.alpha_active)?;
        Some(self.is_not_zero(alpha))
    }

    /// Does the routine do anything?
    pub(super) fn nonempty(&mut self) -> Option<Operand> {
        let mut all = None;
        for name in self.rule.routine.nonempty.split_whitespace() {
            let (value, zero) = (self.value(name), self.i32(0));
            let positive = self.b.icmp(IntPred::Sgt, value, zero);
            all = self.and(all, positive);
        }
        all
    }

    /// What must hold at run time for a term: its own condition, and that its operand's memory is not constant.
    fn condition(&mut self, term: &Term, mixed: bool) -> Option<Operand> {
        let mut all = None;
        if term.of != self.rule.routine.output
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
                _ => self.flag(word),
            };
            all = self.and(all, holds);
        }
        if mixed {
            let differs = self.differs(term.of);
            all = self.and(all, differs);
        }
        all
    }

    /// The tangent of a number that is passed by reference: zero where its memory is constant.
    pub(super) fn scalar_behind(&mut self, name: &str, dual: Operand, mixed: bool) -> Operand {
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
    pub(super) fn only_if(&mut self, condition: Option<Operand>, body: impl FnOnce(&mut Self)) {
        let Some(condition) = condition else { return body(self) };
        let [then, after]: [BlockId; 2] = ["then", "after"].map(|n| self.b.f.add_block(n));
        self.b.cond_br(condition, then, after);
        self.b.at = then;
        body(self);
        self.b.br(after);
        self.b.at = after;
    }

    /// Executes a term, other than the primal.
    pub(super) fn term(&mut self, term: &Term, mixed: bool) {
        let condition = self.condition(term, mixed);
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
                Step::Add(routine, tokens, divided) => {
                    let Some(mut value) = self.call(routine, &tokens) else { continue };
                    if divided {
                        let r = self.value("r");
                        value = self.b.binary(BinOp::FDiv, value, r);
                    }
                    self.add(term.of, value);
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

    /// A packed copy on the tape of what an operand's memory holds, under another name; of nothing where the condition does not hold.
    pub(super) fn copy(&mut self, name: &str, to: &str, condition: Option<Operand>, tape: Operand) {
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
        let alloc = runtime::tape_alloc(self.b.m);
        let memory = self.b.call(alloc, vec![tape, bytes]).unwrap_or(tape);
        let (from, from_stride) = (self.value(&format!("{name}.at")), self.value(&format!("{name}'.ld")));
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

    fn call(&mut self, routine: &'static Routine, tokens: &[&str]) -> Option<Operand> {
        let arguments = routine.operands().into_iter().zip(tokens).map(|((_, kind), token)| match kind {
            Kind::Count => Argument::Number(self.count(token)),
            Kind::Scalar => Argument::Number(self.scalar(token)),
            Kind::Data(_) => Argument::Data(self.value(token), self.value(&format!("{token}.ld"))),
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
            }
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
