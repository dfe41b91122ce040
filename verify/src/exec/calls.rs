//! Calls: of functions with a body, of the C library's memory, and of the table's algebraic operations.
//!
//! Other operations of the table have a value while the program runs by itself. Inside a proof they are unknown numbers
//! ([`super::formula`]): what is said of all inputs must not rest on a value at one of them.

use super::ops::signed;
use super::{Exec, Frame, Observer, Stop, Val};
use crate::exec::memory::FUNCTIONS;
use crate::term::Term;
use ir::{Call, FuncId, Type, TypeId};
use rug::{Float, Rational};
use rules::{Op, Row};

impl<'m> Exec<'m> {
    pub(super) fn call(
        &mut self,
        frame: &mut Frame<'m>,
        call: &Call,
        ty: TypeId,
        observer: &mut dyn Observer<'m>,
    ) -> Result<Option<Val>, Stop> {
        let callee = match self.module.as_function(call.callee) {
            Some(callee) => callee,
            None => {
                let address = self.address(frame, call.callee)?;
                let index = address.checked_sub(FUNCTIONS).map(|offset| (offset / 16) as u32);
                let known = index.filter(|index| (*index as usize) < self.module.functions.len());
                FuncId::from_u32(known.ok_or_else(|| Stop::unsupported("a call of what is no function"))?)
            }
        };
        let name = &self.module.functions[callee].name;
        // Metadata is no value.
        if self.is_ignored(name) {
            return Ok(match self.module.types.get(ty) {
                Type::Void => None,
                _ => Some(self.zero(ty)),
            });
        }
        let args = call.args.iter().map(|arg| self.operand(frame, *arg)).collect::<Result<Vec<Val>, Stop>>()?;
        if !self.module.functions[callee].is_declaration() {
            if !self.symbolic {
                observer.called(self, callee, &args);
            }
            let by_value: Vec<bool> = call.arg_attrs.iter().map(|attrs| attrs.has("byval")).collect();
            if by_value.contains(&true) {
                return Err(Stop::unsupported("an argument passed by value in memory"));
            }
            return self.run(callee, args, observer);
        }
        self.external(name, &args, ty)
    }

    /// Calls that compute nothing.
    fn is_ignored(&self, name: &str) -> bool {
        const NOTHING: [&str; 8] = [
            "llvm.dbg.",
            "llvm.lifetime.",
            "llvm.assume",
            "llvm.experimental.noalias.scope.decl",
            "llvm.stacksave",
            "llvm.stackrestore",
            "llvm.donothing",
            "llvm.invariant.",
        ];
        const OUTPUT: [&str; 5] = ["printf", "puts", "putchar", "fprintf", "fflush"];
        NOTHING.iter().any(|start| name.starts_with(start)) || !self.symbolic && OUTPUT.contains(&name)
    }

    fn external(&mut self, name: &str, args: &[Val], ty: TypeId) -> Result<Option<Val>, Stop> {
        let int = |index: usize| match args.get(index) {
            Some(Val::Int(value)) => Ok(*value as u64),
            _ => Err(Stop::unsupported(format!("an argument of `{name}`"))),
        };
        let address = |value: u64| Ok(Some(Val::Int(u128::from(value))));
        match name {
            "malloc" | "_Znwm" | "_Znam" => address(self.memory.allocate(int(0)?)),
            "calloc" => {
                let size = int(0)?.saturating_mul(int(1)?);
                let block = self.memory.allocate(size);
                self.fill(block, size, 0)?;
                address(block)
            }
            "realloc" => {
                let (old, size) = (int(0)?, int(1)?);
                let block = self.memory.allocate(size);
                if old != 0 {
                    let (index, _) = self.memory.find(old, 0)?;
                    let kept = self.memory.allocations[index].size.min(size);
                    self.memory.copy(block, old, kept)?;
                    self.memory.free(old)?;
                }
                address(block)
            }
            "free" | "_ZdlPv" | "_ZdlPvm" | "_ZdaPv" => {
                self.memory.free(int(0)?)?;
                Ok(None)
            }
            "exit" | "abort" | "__assert_fail" => Err(Stop::Exit),
            "memcpy" | "memmove" => {
                self.memory.copy(int(0)?, int(1)?, int(2)?)?;
                address(int(0)?)
            }
            "memset" => {
                self.fill(int(0)?, int(2)?, int(1)? as u8)?;
                address(int(0)?)
            }
            _ if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => {
                self.memory.copy(int(0)?, int(1)?, int(2)?)?;
                Ok(None)
            }
            _ if name.starts_with("llvm.memset.") => {
                self.fill(int(0)?, int(2)?, int(1)? as u8)?;
                Ok(None)
            }
            _ if name.starts_with("llvm.expect.") => Ok(Some(args[0].clone())),
            _ => self.mathematical(name, args, ty).map(Some),
        }
    }

    fn fill(&mut self, address: u64, size: u64, byte: u8) -> Result<(), Stop> {
        self.memory.clear(address, size)?;
        let mut at = 0;
        while at < size {
            // In words, so that a float that is read back there is one cell.
            let step = if (address + at).is_multiple_of(8) && at + 8 <= size { 8 } else { 1 };
            let word = (0..step).fold(0u128, |word, k| word | u128::from(byte) << (8 * k));
            self.memory.write(address + at, step, Val::Int(word))?;
            at += step;
        }
        Ok(())
    }

    fn mathematical(&mut self, name: &str, args: &[Val], ty: TypeId) -> Result<Val, Stop> {
        if let Some(found) = rules::lookup_reduction(name) {
            let (start, vector) =
                if found.reduction.start { (Some(args[0].clone()), &args[1]) } else { (None, &args[0]) };
            let Val::Many(lanes) = vector else { return Err(Stop::unsupported("an undefined vector")) };
            let mut all = start.into_iter().chain(lanes.iter().cloned());
            let first = all.next().ok_or_else(|| Stop::unsupported("an empty vector"))?;
            return all.try_fold(first, |sum, lane| self.apply(found.reduction.op.row(), &[sum, lane]));
        }
        if let Some(symbol) = rules::lookup(name) {
            if let Some(Val::Many(lanes)) = args.first() {
                let lane = |k: usize| -> Vec<Val> {
                    let pick = |arg: &Val| match arg {
                        Val::Many(lanes) => lanes[k].clone(),
                        other => other.clone(),
                    };
                    args.iter().map(pick).collect()
                };
                return (0..lanes.len())
                    .map(|k| self.apply(symbol.row, &lane(k)))
                    .collect::<Result<_, _>>()
                    .map(Val::Many);
            }
            return self.apply(symbol.row, args);
        }
        self.integers(name, args, ty)
    }

    /// Integer intrinsics.
    fn integers(&mut self, name: &str, args: &[Val], ty: TypeId) -> Result<Val, Stop> {
        let refused = || Stop::unsupported(format!("a call of `{name}`"));
        let Type::Int(bits) = *self.module.types.get(self.module.types.scalar(ty)) else { return Err(refused()) };
        let (Some(Val::Int(a)), b) = (args.first(), args.get(1)) else { return Err(refused()) };
        let b = if let Some(Val::Int(b)) = b { *b } else { 0 };
        let (a, x, y) = (*a, signed(*a, bits), signed(b, bits));
        let stem = name.strip_prefix("llvm.").and_then(|rest| rest.split('.').next()).unwrap_or("");
        Ok(Val::Int(match stem {
            "smax" => {
                if x >= y {
                    a
                } else {
                    b
                }
            }
            "smin" => {
                if x <= y {
                    a
                } else {
                    b
                }
            }
            "umax" => a.max(b),
            "umin" => a.min(b),
            "abs" => x.unsigned_abs(),
            _ => return Err(refused()),
        }))
    }

    /// An operation of the table on scalars.
    fn apply(&mut self, row: &'static Row, args: &[Val]) -> Result<Val, Stop> {
        let real = |this: &Self, index: usize| {
            args.get(index).ok_or_else(|| Stop::unsupported("a missing argument")).and_then(|arg| this.real(arg))
        };
        let a = real(self, 0)?;
        let term = match row.op {
            Op::Fma | Op::FMulAdd => {
                let (b, c) = (real(self, 1)?, real(self, 2)?);
                let product = self.terms.mul(a, b);
                self.terms.add(product, c)
            }
            Op::FAdd | Op::FMul => {
                let b = real(self, 1)?;
                if row.op == Op::FAdd { self.terms.add(a, b) } else { self.terms.mul(a, b) }
            }
            Op::Identity => a,
            Op::Fabs => {
                let zero = self.terms.number(0);
                let negative = self.terms.less(a, zero);
                if self.decide(negative)? { self.terms.neg(a) } else { a }
            }
            // As in `x0 < x1 ? x0 : x1`: a tie is the second.
            Op::Fmin | Op::Minimum | Op::Fmax | Op::Maximum => {
                let b = real(self, 1)?;
                let smaller = matches!(row.op, Op::Fmin | Op::Minimum);
                let first = if smaller { self.terms.less(a, b) } else { self.terms.less(b, a) };
                if self.decide(first)? { a } else { b }
            }
            Op::CopySign => {
                let (b, zero) = (real(self, 1)?, self.terms.number(0));
                let (negative, negated) = (self.terms.less(a, zero), self.terms.less(b, zero));
                let magnitude = if self.decide(negative)? { self.terms.neg(a) } else { a };
                if self.decide(negated)? { self.terms.neg(magnitude) } else { magnitude }
            }
            Op::Sqrt if self.symbolic => self.root(a),
            _ if self.symbolic => self.operation(row, args)?,
            _ => return self.at_constants(row, args),
        };
        Ok(Val::Real(self.tidy(term)?))
    }

    /// Inside a proof: an unknown number, of which the table knows the partials.
    fn operation(&mut self, row: &'static Row, args: &[Val]) -> Result<Term, Stop> {
        let refused = || Stop::unsupported(format!("a call of {}", row.op.name()));
        if !row.returns_only() || !matches!(row.outputs[0].value, rules::row::Value::Float { .. }) {
            return Err(refused());
        }
        let (mut floats, mut ints) = (Vec::new(), Vec::new());
        for (operand, arg) in row.operands.iter().zip(args) {
            match arg {
                Val::Real(term) if operand.is_float() => floats.push(*term),
                Val::Int(value) if !operand.is_float() => ints.push(signed(*value, 32) as i64),
                _ => return Err(refused()),
            }
        }
        Ok(self.atom(row.op, floats, ints))
    }

    /// Any operation of the table, on constants, outside of proofs.
    fn at_constants(&mut self, row: &Row, args: &[Val]) -> Result<Val, Stop> {
        let refused = || Stop::unsupported(format!("a call of {}", row.op.name()));
        if !row.returns_only() {
            return Err(refused());
        }
        let (mut floats, mut ints) = (Vec::new(), Vec::new());
        for (operand, arg) in row.operands.iter().zip(args) {
            match arg {
                Val::Real(term) if operand.is_float() => {
                    let number = self.terms.as_number(*term).ok_or_else(refused)?;
                    floats.push(Float::with_val(53, number));
                }
                Val::Int(value) => ints.push(signed(*value, 32) as i64),
                _ => return Err(refused()),
            }
        }
        let value = rules::primal(row.op, 0, &floats, &ints, 53).and_then(|value| Rational::from_f64(value.to_f64()));
        Ok(Val::Real(self.terms.number(value.ok_or_else(refused)?)))
    }
}
