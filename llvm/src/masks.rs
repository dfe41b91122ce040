//! Guards of gradients without jumps.
//!
//! A gradient guards a partial derivative by `select (fcmp une w, 0), p, 0`. On x86 LLVM makes a mask and an `and` of a
//! choice between floats only where nothing else depends on the comparison (`X86TargetLowering::LowerSELECT` asks
//! `hasOneUse`); all others become jumps, one for each choice, and a weight guards many partials. So after all passes,
//! and before code is generated, each such choice becomes
//!
//! ```text
//! %mask = extractelement (@llvm.x86.sse2.cmp.sd(%w, 0, 4), 0)    all bits, or none (predicate 4 is `une`)
//! %r    = bitcast (and (bitcast %p), (bitcast %mask))
//! ```
//!
//! Earlier it would be in the way of vectorisation, and InstCombine would make a `select` of it again.

use ir::{
    BinOp, Call, CastOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Function, Inst, InstId, InstKind, IntFlags,
    Module, Operand, TypeId,
};
use std::collections::BTreeMap;

/// A choice between a number and zero.
struct Choice {
    /// The `select`.
    inst: InstId,
    /// `float` or `double`.
    kind: FloatKind,
    /// What is chosen if the comparison says that its operand is not zero.
    value: Operand,
    /// Where the comparison stands.
    test: Test,
}

/// A comparison with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Test {
    /// Of a number.
    Scalar(InstId),
    /// Of the numbers of a vector, and the index of one.
    Lane(InstId, u32),
}

/// Does [`lower`] gain something in this module, or in what passes make of it?
pub(crate) fn are_wanted(m: &Module) -> bool {
    m.triple.starts_with("x86_64") && m.functions.values().any(|f| choices(m, f).next().is_some())
}

/// Replaces choices by masks, in optimised code.
pub(crate) fn lower(m: &mut Module) {
    for id in m.functions.keys().collect::<Vec<_>>() {
        let found: Vec<Choice> = choices(m, &m.functions[id]).collect();
        if !found.is_empty() {
            replace(m, id, found);
        }
    }
}

fn choices<'a>(m: &'a Module, func: &'a Function) -> impl Iterator<Item = Choice> + 'a {
    func.inst_order().filter_map(|(_, inst)| {
        let InstKind::Select { cond, if_true, if_false, .. } = func.insts[inst].kind else { return None };
        let kind = m.types.float_kind(func.insts[inst].ty)?;
        if !matches!(kind, FloatKind::Double | FloatKind::Float) {
            return None;
        }
        let at = func.def_inst(cond.local()?)?;
        let (test, pred) = match func.insts[at].kind {
            InstKind::FCmp { .. } => (Test::Scalar(at), compared_with_zero(m, func, at, kind)?),
            InstKind::ExtractElement { vector, index } => {
                let at = func.def_inst(vector.local()?)?;
                (Test::Lane(at, u32::try_from(m.as_int(index)?).ok()?), compared_with_zero(m, func, at, kind)?)
            }
            _ => return None,
        };
        let (value, other) = if pred == FloatPred::Une { (if_true, if_false) } else { (if_false, if_true) };
        (value.local().is_some() && is_zero(m, other)).then_some(Choice { inst, kind, value, test })
    })
}

/// How a comparison of numbers of a format with zero is made, if it tells zeros from all others.
fn compared_with_zero(m: &Module, func: &Function, inst: InstId, of: FloatKind) -> Option<FloatPred> {
    let InstKind::FCmp { pred, lhs, rhs, .. } = func.insts[inst].kind else { return None };
    let is_of = m.types.float_kind(m.types.scalar(m.operand_ty(func, lhs))) == Some(of);
    (is_of && is_zero(m, rhs) && matches!(pred, FloatPred::Une | FloatPred::Oeq)).then_some(pred)
}

/// Is it the positive zero, or a vector of them?
fn is_zero(m: &Module, operand: Operand) -> bool {
    matches!(m.as_constant(operand).map(|c| &c.kind), Some(ConstKind::Zero | ConstKind::Float(0)))
}

fn replace(m: &mut Module, id: FuncId, found: Vec<Choice>) {
    let mut masks: BTreeMap<Test, Operand> = BTreeMap::new();
    // New instructions before and behind old ones.
    let (mut before, mut behind): (BTreeMap<InstId, Vec<InstId>>, BTreeMap<InstId, Vec<InstId>>) = Default::default();
    for Choice { inst, kind, value, test } in found {
        let mask = masks.get(&test).copied().unwrap_or_else(|| {
            let (Test::Scalar(at) | Test::Lane(at, _)) = test;
            let mut new = Emit { m, id, beside: at, made: behind.entry(at).or_default() };
            let mask = new.mask(test, kind);
            masks.insert(test, mask);
            mask
        });
        let mut new = Emit { m, id, beside: inst, made: before.entry(inst).or_default() };
        let int = new.m.types.int(if kind == FloatKind::Double { 64 } else { 32 });
        let [lhs, rhs] = [value, mask].map(|float| new.value(cast(CastOp::BitCast, float), int));
        let (flags, fast) = (IntFlags::default(), FastMath::default());
        let bits = new.value(InstKind::Binary { op: BinOp::And, flags, fast, lhs, rhs }, int);
        let data = &mut m.functions[id].insts[inst];
        data.kind = cast(CastOp::BitCast, bits);
        data.metadata.clear();
    }
    let func = &mut m.functions[id];
    for block in func.layout.clone() {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let mut around = |inst: InstId| {
            let [before, behind] = [&mut before, &mut behind].map(|map| map.remove(&inst).unwrap_or_default());
            before.into_iter().chain([inst]).chain(behind)
        };
        func.blocks[block].insts = insts.into_iter().flat_map(&mut around).collect();
    }
}

fn cast(op: CastOp, value: Operand) -> InstKind {
    InstKind::Cast { op, flags: IntFlags::default(), fast: FastMath::default(), value }
}

/// New instructions of a function, beside an old one.
struct Emit<'a> {
    m: &'a mut Module,
    id: FuncId,
    beside: InstId,
    made: &'a mut Vec<InstId>,
}

impl Emit<'_> {
    /// A float of which all bits are ones where a number is not zero, and else zeros.
    fn mask(&mut self, test: Test, kind: FloatKind) -> Operand {
        let float = self.m.types.float(kind);
        match test {
            Test::Scalar(at) => {
                let weight = self.compared(at);
                let (name, lanes) = match kind {
                    FloatKind::Double => ("llvm.x86.sse2.cmp.sd", 2),
                    _ => ("llvm.x86.sse.cmp.ss", 4),
                };
                let ty = self.m.types.vector(lanes, float);
                let (vector, zero) = (self.m.constant(ty, ConstKind::Poison), self.m.zero(ty));
                let (first, unequal) = (self.m.int(64, 0), self.m.int(8, 4));
                let vector = self.value(InstKind::InsertElement { vector, value: weight, index: first }, ty);
                let vector = self.call(name, ty, vec![vector, zero, unequal]);
                self.value(InstKind::ExtractElement { vector, index: first }, float)
            }
            Test::Lane(at, lane) => {
                let weights = self.compared(at);
                let vector = self.m.operand_ty(&self.m.functions[self.id], weights);
                let lanes = self.m.types.element_count(vector).unwrap_or(1) as u32;
                let (int, truth) = (self.m.types.int(self.m.size_of(float) as u32 * 8), self.m.types.truth(vector));
                let (bits, rhs) = (self.m.types.vector(lanes, int), self.m.zero(vector));
                let (pred, fast) = (FloatPred::Une, FastMath::default());
                let is = self.value(InstKind::FCmp { pred, fast, lhs: weights, rhs }, truth);
                let bits = self.value(cast(CastOp::SExt, is), bits);
                let vector = self.value(cast(CastOp::BitCast, bits), vector);
                let index = self.m.int(64, u128::from(lane));
                self.value(InstKind::ExtractElement { vector, index }, float)
            }
        }
    }

    /// What a comparison compares with zero.
    fn compared(&self, at: InstId) -> Operand {
        self.m.functions[self.id].insts[at].kind.operands()[0]
    }

    fn call(&mut self, name: &str, ty: TypeId, args: Vec<Operand>) -> Operand {
        let params: Vec<TypeId> = args.iter().map(|arg| self.m.operand_ty(&self.m.functions[self.id], *arg)).collect();
        let known = self.m.function(name);
        let callee = known.unwrap_or_else(|| self.m.functions.push(Function::new(name, ty, &params)));
        let (callee, fn_ty) = (self.m.function_address(callee), self.m.types.func(ty, params));
        self.value(InstKind::Call(Box::new(Call::plain(callee, fn_ty, args))), ty)
    }

    fn value(&mut self, kind: InstKind, ty: TypeId) -> Operand {
        let func = &mut self.m.functions[self.id];
        let loc = func.insts[self.beside].loc;
        let made = func.create_inst(Inst { loc, ..Inst::new(kind, ty) }, true);
        self.made.push(made);
        Operand::Local(func.insts[made].result.unwrap_or_else(|| unreachable!("instruction without a result")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four guards: two of one weight, one of a vector's, one with its arms exchanged; and two choices that are none.
    const GUARDS: &str = r#"
target triple = "x86_64-pc-linux-gnu"

define double @f(double %w, double %p, double %q, <2 x double> %v) {
  %c = fcmp une double %w, 0.000000e+00
  %a = select i1 %c, double %p, double 0.000000e+00
  %b = select i1 %c, double %q, double 0.000000e+00
  %cs = fcmp une <2 x double> %v, zeroinitializer
  %c1 = extractelement <2 x i1> %cs, i64 1
  %d = select i1 %c1, double %p, double 0.000000e+00
  %e = fcmp oeq double %q, 0.000000e+00
  %g = select i1 %e, double 0.000000e+00, double %w
  %one = select i1 %c, double %q, double 1.000000e+00
  %less = fcmp olt double %w, 0.000000e+00
  %h = select i1 %less, double %q, double 0.000000e+00
  %ab = fsub double %a, %b
  %abd = fadd double %ab, %d
  %abdg = fadd double %abd, %g
  %on = fadd double %abdg, %one
  %r = fadd double %on, %h
  ret double %r
}
"#;

    fn lowered() -> String {
        let mut m = ir::parse(GUARDS, "guards").expect("a module");
        assert!(are_wanted(&m));
        lower(&mut m);
        crate::text::verify_text(&m.to_string()).expect("LLVM takes it");
        m.to_string()
    }

    #[test]
    fn guards_become_masks_and_other_choices_stay() {
        let text = lowered();
        assert_eq!(text.matches(" = select ").count(), 2, "{text}");
        assert_eq!(text.matches(" = and i64 ").count(), 4, "{text}");
        // One mask of a weight.
        assert_eq!(text.matches("call <2 x double> @llvm.x86.sse2.cmp.sd").count(), 2, "{text}");
    }

    #[test]
    fn other_machines_keep_their_choices() {
        let m = ir::parse(&GUARDS.replace("x86_64", "aarch64"), "guards").expect("a module");
        assert!(!are_wanted(&m));
    }

    /// Zeros of both signs, infinities and what is no number, in all places.
    #[test]
    fn masks_compute_what_the_choices_do() {
        let main = |module: &str| {
            let values =
                ["0x0", "0x8000000000000000", "0x7FF0000000000000", "0x7FF8000000000000", "0x4000000000000000"];
            let mut body = String::new();
            for (index, [w, p, v]) in values.iter().flat_map(|w| values.map(|p| [*w, p, w])).enumerate() {
                body += &format!(
                    "  %r{index} = call double @f(double {w}, double {p}, double 3.0, <2 x double> <double 1.0, double \
                     {v}>)\n  %b{index} = bitcast double %r{index} to i64\n  call i32 (ptr, ...) @printf(ptr @format, \
                     i64 %b{index})\n"
                );
            }
            format!(
                "{module}\n@format = constant [5 x i8] c\"%lx\\0A\\00\"\ndeclare i32 @printf(ptr, ...)\ndefine i32 \
                 @main() {{\n{body}  ret i32 0\n}}\n"
            )
        };
        let folder = tempfile::tempdir().expect("a folder");
        let output = |module: &str, name: &str| {
            let program = folder.path().join(name);
            let options = crate::native::LinkOptions::default();
            crate::native::build_executable(main(module).as_bytes(), &program, &options).expect("it links");
            crate::native::run(&program, &[], &[], &Default::default()).expect("it runs").stdout
        };
        let choices = output(GUARDS, "choices");
        assert_eq!(choices.iter().filter(|byte| **byte == b'\n').count(), 25);
        assert_eq!(String::from_utf8(choices), String::from_utf8(output(&lowered(), "masks")));
    }
}
