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
//! There are two ways ([`Guard`]):
//!
//! - [`limited`]: what is infinite or NaN counts as the largest finite number, so that zero times it is zero. It does
//!   for what is infinite only where the result is, too (at a pole: a quotient by zero, a logarithm of zero), since
//!   nothing finite depends on that. It costs two instructions on the number alone, without a comparison of the
//!   adjoint, and numbers that several instructions have in common, such as a reciprocal, are limited once.
//! - [`partial`]: the others, such as the slope of a square root at zero, stay infinite for an adjoint that is not
//!   zero. The guard stands on the partial, not on the product, and looks at the adjoint only where the partial is not
//!   finite: an adjoint may also be zero by chance, and then its own derivative, which a second differentiation needs,
//!   is not. In a gradient that nobody differentiates any more, one comparison of the adjoint does for all partials of
//!   an instruction ([`lower`]).

use crate::base::builder::Builder;
use ir::{BinOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Function, InstKind, Module, Operand, Type, TypeId};
use rules::{Expr, Row};

/// How a zero weight is kept from becoming more than that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    /// Not at all: the partial is finite where it counts.
    None,
    /// By finite numbers in place of infinite ones ([`limited`]); of poison, too, if it may be that.
    Limit { poison: bool },
    /// By a comparison of the weight ([`partial`]).
    Zero,
}

impl Guard {
    /// What a partial of an operation of the table needs if its result may be thrown away, or may not.
    pub(crate) fn of(row: &Row, output: usize, (operand, expr): (usize, &Expr), discarded: bool) -> Guard {
        let polynomial = expr.is_polynomial();
        match () {
            () if !discarded && (polynomial || expr.is_choice_of_constants()) => Guard::None,
            () if polynomial || row.is_finite_where_result_is(output, operand) => Guard::Limit { poison: discarded },
            () => Guard::Zero,
        }
    }
}

/// A number, or a vector of them, with the largest finite one in place of those that are infinite or NaN, and with
/// `poison` in place of what is poison. `None` for formats that have no instruction for it.
pub(crate) fn limited(b: &mut Builder, value: Operand, poison: bool) -> Option<Operand> {
    if is_finite(b.m, value) {
        return Some(value);
    }
    let ty = b.ty(value);
    let scalar = b.m.types.scalar(ty);
    let greatest = match b.m.types.float_kind(scalar) {
        Some(FloatKind::Double) => [f64::MAX, f64::MIN].map(|x| u128::from(x.to_bits())),
        Some(FloatKind::Float) => [f32::MAX, f32::MIN].map(|x| u128::from(x.to_bits())),
        _ => return None,
    };
    let name = format!("{LIMIT}{}{}", if poison { "frozen_" } else { "" }, suffix(b.m, ty));
    let limit = b.m.function(&name).unwrap_or_else(|| {
        let mut f = Function::new(&name, ty, &[ty]);
        f.flags.linkage = "internal".to_owned();
        f.attrs = f.attrs.flag("alwaysinline");
        let mut b = Builder::new(b.m, f);
        let mut value = b.f.param(0);
        if poison {
            value = b.value(InstKind::Freeze(value), ty);
        }
        // As machines have it: the second operand if one is NaN.
        for (pred, bits) in [FloatPred::Olt, FloatPred::Ogt].into_iter().zip(greatest) {
            let bound = b.m.constant(scalar, ConstKind::Float(bits));
            let bound = b.splat(bound, ty);
            let truth = b.m.types.truth(ty);
            let inside = b.value(InstKind::FCmp { pred, fast: FastMath::default(), lhs: value, rhs: bound }, truth);
            value = b.select(inside, value, bound);
        }
        b.effect(InstKind::Ret(Some(value)));
        let f = b.f;
        b.m.functions.push(f)
    });
    b.call(limit, vec![value])
}

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
const LIMIT: &str = "__adj_limited_";

/// Is it the name of a function that guards a partial? It computes with numbers alone.
pub(crate) fn is_guard(name: &str) -> bool {
    name.starts_with(GUARD) || name.starts_with(LIMIT)
}

/// The end of the name of a function of such numbers: `v2f64`.
fn suffix(m: &Module, ty: TypeId) -> String {
    let suffix = m.types.float_kind(m.types.scalar(ty)).map_or("f64", FloatKind::suffix);
    match m.types.get(ty) {
        Type::Vector { len, .. } => format!("v{len}{suffix}"),
        _ => suffix.to_owned(),
    }
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
    let name = format!("{GUARD}{}", suffix(m, ty));
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
    let guards: Vec<FuncId> = m.functions.iter().filter(|(_, f)| f.name.starts_with(GUARD)).map(|(id, _)| id).collect();
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
