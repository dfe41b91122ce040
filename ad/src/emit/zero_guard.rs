//! Where a zero adjoint must stay zero whatever it is multiplied with.
//!
//! What does not reach an output has adjoint zero, and contributes nothing even where its partial derivative is
//! infinite (`docs/contract.md`: the gradient is that of the map from inputs to outputs). Partial derivatives that are
//! no polynomials of the operands can be infinite at finite operands, so their products are guarded always. Polynomial
//! ones (sums, products) are infinite only where an operand is; they are guarded where such operands arise without any
//! fault of the program, in values that are thrown away.
//!
//! Which values those are is the business of [`crate::analysis::discarded`].
//!
//! The guard stands on the partial, not on the product, and looks at the adjoint only where the partial is not finite:
//! an adjoint may also be zero by chance, and then its own derivative, which a second differentiation needs, is not. In
//! a gradient that nobody differentiates any more, one comparison of the adjoint does for all partials of an
//! instruction ([`lower`]).
//!
//! To limit partials to finite numbers, whatever the adjoint is, would be faster, and silently wrong: where a partial
//! overflows and its product with the adjoint does not (`log(exp(-x))` for large `x`), and where there is no number.

use crate::base::builder::Builder;
use ir::{BinOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Function, InstKind, Module, Operand, Type, TypeId};

/// A partial derivative to be multiplied with a weight (an adjoint or a tangent), both scalars or vectors: zero where
/// it is infinite, NaN or poison and the weight is zero.
pub fn partial(b: &mut Builder, weight: Operand, partial: Operand) -> Operand {
    if is_finite(b.m, partial) {
        return partial;
    }
    let guard = guard(b.m, b.ty(partial));
    b.call(guard, vec![weight, partial]).unwrap_or(partial)
}

/// Is it a constant, and finite?
fn is_finite(m: &Module, partial: Operand) -> bool {
    let Some(constant) = m.as_constant(partial) else { return false };
    match (&constant.kind, m.types.get(constant.ty)) {
        (ConstKind::Float(bits), Type::Float(FloatKind::Double)) => f64::from_bits(*bits as u64).is_finite(),
        (ConstKind::Float(bits), Type::Float(FloatKind::Float)) => f32::from_bits(*bits as u32).is_finite(),
        (ConstKind::Zero, _) => true,
        _ => false,
    }
}

const GUARD: &str = "__adj_finite_or_zero_";

/// Is it the name of a function that guards a partial? It computes with numbers alone.
pub(crate) fn is_guard(name: &str) -> bool {
    name.starts_with(GUARD)
}

/// How a guard finds the partials that are not to count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    /// They are not finite, and the weight is zero: what can be differentiated.
    Both,
    /// The weight is zero: the product is the same (but for the sign of a zero), its derivative by the weight is not.
    Weight,
}

/// `T @__adj_finite_or_zero_T(T weight, T partial)`
fn guard(m: &mut Module, ty: TypeId) -> FuncId {
    let scalar = m.types.scalar(ty);
    let suffix = m.types.float_kind(scalar).map_or("f64", FloatKind::suffix);
    let lanes = match m.types.get(ty) {
        Type::Vector { len, .. } => format!("v{len}"),
        _ => String::new(),
    };
    let name = format!("{GUARD}{lanes}{suffix}");
    if let Some(known) = m.function(&name) {
        return known;
    }
    let mut f = Function::new(&name, ty, &[ty, ty]);
    f.flags.linkage = "internal".to_owned();
    f.attrs = f.attrs.flag("alwaysinline");
    let f = with_body(m, f, Test::Both);
    m.functions.push(f)
}

fn with_body(m: &mut Module, f: Function, test: Test) -> Function {
    let mut b = Builder::new(m, f);
    let (weight, mut partial, ty) = (b.f.param(0), b.f.param(1), b.f.ret);
    let (zero, truth) = (b.m.zero(ty), b.m.types.truth(ty));
    let compare = |pred, lhs, rhs| InstKind::FCmp { pred, fast: FastMath::default(), lhs, rhs };
    let finite = (test == Test::Both).then(|| {
        partial = b.value(InstKind::Freeze(partial), ty);
        // x - x is zero for finite x, and else NaN.
        let distance = b.binary(BinOp::FSub, partial, partial);
        b.value(compare(FloatPred::Ord, distance, distance), truth)
    });
    let is_vector = matches!(b.m.types.get(ty), Type::Vector { .. });
    // Whoever follows the gradient looks at the weight of a number only where the partial is not finite.
    if let Some(finite) = finite.filter(|_| !is_vector) {
        let [plain, check] = ["plain", "check"].map(|name| b.f.add_block(name));
        b.cond_br(finite, plain, check);
        b.at = plain;
        b.effect(InstKind::Ret(Some(partial)));
        b.at = check;
    }
    // A single instruction of vector units, of which `llvm` makes a mask.
    let mut kept = b.value(compare(FloatPred::Une, weight, zero), truth);
    if let Some(finite) = finite.filter(|_| is_vector) {
        kept = b.binary(BinOp::Or, finite, kept);
    }
    let result = b.select(kept, partial, zero);
    b.effect(InstKind::Ret(Some(result)));
    b.f
}

/// Gradients that nobody differentiates any more, for native programs: their guards look at the weight alone.
pub fn lower(m: &mut Module) {
    rebuild(m, Test::Weight);
}

/// Guards that can be differentiated, in a module whose gradients may have been finished before.
pub(crate) fn raise(m: &mut Module) {
    rebuild(m, Test::Both);
}

fn rebuild(m: &mut Module, test: Test) {
    let guards: Vec<FuncId> = m.functions.iter().filter(|(_, f)| is_guard(&f.name)).map(|(id, _)| id).collect();
    for id in guards {
        let old = &m.functions[id];
        let mut f = Function::new(&old.name, old.ret, &[old.ret, old.ret]);
        (f.flags, f.attrs) = (old.flags.clone(), old.attrs.clone());
        m.functions[id] = with_body(m, f, test);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever differentiates a finished gradient gets the guards that can be differentiated, of numbers and vectors.
    #[test]
    fn guards_are_lowered_and_raised_again() {
        let mut m = ir::parse("define void @f() {\n  ret void\n}", "test").expect("a module");
        let double = m.types.float(FloatKind::Double);
        let pair = m.types.vector(2, double);
        for ty in [double, pair] {
            guard(&mut m, ty);
        }
        let whole = m.to_string();
        let finite = |m: &Module| m.to_string().matches("fsub").count();
        assert_eq!(finite(&m), 2);
        lower(&mut m);
        assert_eq!(finite(&m), 0);
        raise(&mut m);
        assert_eq!(m.to_string(), whole);
    }
}
