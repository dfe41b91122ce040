//! Numbers that are compared for equality, and stay what they are.
//!
//! Where `x == 1.0` holds, LLVM puts the constant in the place of `x` (GVN and InstCombine, for all constants but zero,
//! which has two signs), and where it chooses `x + y` if `x == 0`, it chooses `y` (InstCombine, for the identities of
//! operations). It is the same number, but nothing is left that depends on `x`: of
//! `x == 1 ? 1 - (x - 1) / 2 : log(x) / (x - 1)` the derivative at 1 would be 0. So while passes run before
//! differentiation, comparisons look at copies of what they compare, made by `llvm.arithmetic.fence`, which no pass
//! looks behind (LangRef). What is learnt of a copy is not known of the number.

use ir::{Call, FloatPred, FuncId, Function, Inst, InstId, InstKind, Module, Operand, Type, TypeId, ValueId};
use std::collections::BTreeMap;

const FENCE: &str = "llvm.arithmetic.fence.";

/// Is there an equality comparison of a float with a constant from which LLVM may have concluded something? Asked of
/// optimised text, where the comparison is still there, and what it is compared with is known; may say yes where it has
/// not.
pub(crate) fn is_in(text: &str) -> bool {
    text.split("\ndefine ").any(|function| {
        // What is compared with zero matters where something is chosen by it.
        let chooses = |name: &str| {
            let chosen_by = |line: &str| line.contains(" = select ") && line.split([' ', ',']).any(|word| word == name);
            function.lines().any(chosen_by)
        };
        equalities(function).any(|(name, sides)| {
            let zero = sides.iter().any(|side| ["0.000000e+00", "-0.000000e+00", "zeroinitializer"].contains(side));
            sides.iter().any(|side| !side.starts_with('%')) && (!zero || chooses(name))
        })
    })
}

/// Is there one that may become such? Asked of text that has not been optimised.
pub(crate) fn may_be_in(text: &str) -> bool {
    equalities(text).next().is_some()
}

/// The equality comparisons of floats: their names, and what they compare.
fn equalities(text: &str) -> impl Iterator<Item = (&str, [&str; 2])> {
    let compared = |line| -> Option<(&str, [&str; 2])> {
        let (name, rest) = str::split_once(line, " = fcmp ")?;
        let (rest, _) = rest.split_once(", !").unwrap_or((rest, ""));
        let (_, rest) = EQUALITIES.iter().find_map(|(name, _)| rest.split_once(&format!("{name} ")))?;
        let (_, rest) = if rest.starts_with('<') { rest.split_once("> ")? } else { rest.split_once(' ')? };
        Some((name.trim_start(), rest.split_once(", ")?.into()))
    };
    text.lines().filter_map(compared)
}

const EQUALITIES: [(&str, FloatPred); 4] =
    [("oeq", FloatPred::Oeq), ("one", FloatPred::One), ("ueq", FloatPred::Ueq), ("une", FloatPred::Une)];

/// Lets equality comparisons look at copies; says whether they can be told from what the module had before, and so be
/// taken out again. (Where they are left, they are as good as what they copy.)
pub(crate) fn fence(m: &mut Module) -> bool {
    let has_own = m.functions.values().any(|f| f.name.starts_with(FENCE));
    for id in m.functions.keys().collect::<Vec<_>>() {
        for block in m.functions[id].layout.clone() {
            let mut out = Vec::new();
            for inst in std::mem::take(&mut m.functions[id].blocks[block].insts) {
                guard(m, id, inst, &mut out);
                out.push(inst);
            }
            m.functions[id].blocks[block].insts = out;
        }
    }
    !has_own
}

/// Takes the copies out again.
pub(crate) fn unfence(m: &mut Module) {
    let fences: Vec<FuncId> = m.functions.iter().filter(|(_, f)| f.name.starts_with(FENCE)).map(|(id, _)| id).collect();
    let copied = |m: &Module, func: &Function, inst: InstId| -> Option<(ValueId, Operand)> {
        let call = func.insts[inst].kind.as_call()?;
        let callee = m.as_function(call.callee)?;
        let from = call.args.first().filter(|_| fences.contains(&callee))?;
        Some((func.insts[inst].result?, *from))
    };
    for id in m.functions.keys().collect::<Vec<_>>() {
        let func = &m.functions[id];
        let copies: BTreeMap<ValueId, Operand> =
            func.inst_order().filter_map(|(_, inst)| copied(m, func, inst)).collect();
        let func = &mut m.functions[id];
        for block in func.layout.clone() {
            let insts = &func.insts;
            let is_copy = |inst: &InstId| insts[*inst].result.is_some_and(|v| copies.contains_key(&v));
            func.blocks[block].insts.retain(|inst| !is_copy(inst));
        }
        // A copy may be of a copy.
        let original = |mut operand: Operand| {
            while let Some(from) = operand.local().and_then(|v| copies.get(&v)) {
                operand = *from;
            }
            operand
        };
        for inst in func.insts.values_mut() {
            inst.kind.for_each_operand_mut(|o| *o = original(*o));
            for operand in inst.debug_records.iter_mut().flat_map(|record| record.operands.iter_mut()) {
                if let ir::MdOperand::Local(local) = operand {
                    *local = original(*local);
                }
            }
        }
    }
}

/// Puts copies before a comparison, at the end of `out`.
fn guard(m: &mut Module, id: FuncId, inst: InstId, out: &mut Vec<InstId>) {
    let InstKind::FCmp { pred, lhs, rhs, .. } = m.functions[id].insts[inst].kind else { return };
    if !EQUALITIES.iter().any(|(_, equality)| *equality == pred) {
        return;
    }
    let ty = m.operand_ty(&m.functions[id], lhs);
    let Some(fence) = declared(m, ty) else { return };
    let (callee, fn_ty) = (m.function_address(fence), m.types.func(ty, vec![ty]));
    let func = &mut m.functions[id];
    let loc = func.insts[inst].loc;
    let mut copy = |operand: Operand| {
        operand.local()?;
        let call = Call::plain(callee, fn_ty, vec![operand]);
        let made = func.create_inst(Inst { loc, ..Inst::new(InstKind::Call(Box::new(call)), ty) }, true);
        out.push(made);
        func.insts[made].result.map(Operand::Local)
    };
    let (left, right) = (copy(lhs).unwrap_or(lhs), copy(rhs).unwrap_or(rhs));
    if let InstKind::FCmp { lhs, rhs, .. } = &mut func.insts[inst].kind {
        (*lhs, *rhs) = (left, right);
    }
}

/// The intrinsic for floats of a type, or vectors of them.
fn declared(m: &mut Module, ty: TypeId) -> Option<FuncId> {
    let kind = m.types.float_kind(m.types.scalar(ty))?.suffix();
    let name = match m.types.get(ty) {
        Type::Vector { .. } => format!("{FENCE}v{}{kind}", m.types.element_count(ty)?),
        _ => format!("{FENCE}{kind}"),
    };
    Some(match m.function(&name) {
        Some(id) => id,
        None => m.functions.push(Function::new(&name, ty, &[ty])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRANCH: &str = "define double @f(double %x) {\nentry:\n  %is = fcmp oeq double %x, 1.000000e+00\n  \
        br i1 %is, label %one, label %other\none:\n  %twice = fmul double %x, 2.500000e+00\n  ret double %twice\n\
        other:\n  ret double 0.000000e+00\n}\n";

    const CHOICE: &str = "define double @f(double %x, double %y) {\n  %is = fcmp oeq double %x, 0.000000e+00\n  \
        %sum = fadd double %x, 1.000000e+00\n  %r = select i1 %is, double %sum, double %y\n  ret double %r\n}\n";

    /// With and without copies.
    fn optimised(text: &str) -> [String; 2] {
        let run = |text: &str| crate::pipeline::run(text, "default<O2>").expect("LLVM runs");
        let mut m = crate::read::parse(text, "f.ll").expect("it is IR");
        assert!(fence(&mut m));
        let mut m = crate::read::parse(&run(&m.to_string()), "f.ll").expect("it is IR");
        unfence(&mut m);
        [m.to_string(), run(text)]
    }

    #[test]
    fn a_constant_does_not_take_the_place_of_what_it_equals() {
        for (text, kept) in [(BRANCH, "fmul double %x, 2.500000e+00"), (CHOICE, "fadd double %x, 1.000000e+00")] {
            let [with, without] = optimised(text);
            assert!(with.contains(kept) && !with.contains("= call"), "{with}");
            assert!(!without.contains(kept), "LLVM does so no longer: {without}");
            assert!(is_in(&without), "{without}");
        }
    }

    #[test]
    fn comparisons_with_constants_are_seen() {
        assert!(is_in(BRANCH) && is_in(CHOICE));
        assert!(is_in("  %c = fcmp fast une <2 x double> %x, <double 1.000000e+00, double 2.000000e+00>, !dbg !7"));
        assert!(is_in("  %c = fcmp oeq double 5.000000e-01, %x"));
        let zero = "  %c = fcmp ueq double %x, -0.000000e+00\n  br i1 %c, label %a, label %b";
        assert!(!is_in(zero) && may_be_in(zero));
        let vectors = "  %c = fcmp oeq <2 x double> %x, zeroinitializer\n  %r = select <2 x i1> %c, <2 x double> %a, <2 x \
            double> %b";
        assert!(is_in(vectors));
        let variables = "  %c = fcmp oeq double %x, %y, !dbg !7\n  %d = fcmp olt double %x, 1.000000e+00";
        assert!(!is_in(variables) && may_be_in(variables));
        assert!(!may_be_in("  %c = fcmp ult double %x, 1.000000e+00"));
    }
}
