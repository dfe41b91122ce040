//! Where a zero adjoint must stay zero whatever it is multiplied with.
//!
//! What does not reach an output has adjoint zero, and contributes nothing even where its partial derivative is
//! infinite (`docs/contract.md`: the gradient is that of the map from inputs to outputs). Partial derivatives that are
//! no polynomials of the operands can be infinite at finite operands, so their products are guarded always. Polynomial
//! ones (sums, products) are infinite only where an operand is; they are guarded where such operands arise without any
//! fault of the program:
//!
//! Optimisers compute values whose result is then thrown away: both arms of a `select`, vector lanes
//! that no one reads (poison, by LangRef `shufflevector`). Their adjoint is zero, but their partial
//! derivative may be infinite, NaN or poison, and zero times that is not zero. The values concerned are those that
//! flow into an arm of a `select` or into an instruction that takes vectors apart.
//!
//! The guard stands on the partial, not on the product, and looks at the adjoint only where the partial is not finite:
//! an adjoint may also be zero by chance, and then its own derivative, which a second differentiation needs, is not.

use crate::base::builder::Builder;
use crate::program::externals;
use ir::hash::HashSet;
use ir::{FastMath, FloatPred, Function, InstKind, Module, Operand, Type, TypeId, ValueId};

/// Values whose adjoint may be zero because they are thrown away.
pub fn discarded(m: &Module, func: &Function) -> HashSet<ValueId> {
    let mut work: Vec<ValueId> = Vec::new();
    for (_, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Select { if_true, if_false, .. } => push(&mut work, &[*if_true, *if_false]),
            InstKind::ShuffleVector { a, b, .. } => push(&mut work, &[*a, *b]),
            InstKind::ExtractElement { vector, .. } | InstKind::InsertElement { vector, .. } => {
                push(&mut work, &[*vector])
            }
            _ => {}
        }
    }
    let mut out = HashSet::default();
    while let Some(v) = work.pop() {
        if !externals::holds_float(m, func.value_ty(v)) || !out.insert(v) {
            continue;
        }
        let Some(inst) = func.def_inst(v) else { continue };
        let kind = &func.insts[inst].kind;
        // Memory and calls of other functions end the trace: what they give is not computed here.
        if matches!(kind, InstKind::Load { .. }) {
            continue;
        }
        for operand in kind.operands() {
            if !matches!(m.types.get(m.operand_ty(func, operand)), Type::Ptr(_)) {
                push(&mut work, &[operand]);
            }
        }
    }
    out
}

fn push(work: &mut Vec<ValueId>, operands: &[Operand]) {
    work.extend(operands.iter().filter_map(|o| o.local()));
}

/// A partial derivative to be multiplied with a weight (an adjoint or a tangent): zero where it is infinite, NaN or
/// poison and the weight is zero.
pub fn partial(b: &mut Builder, weight: Operand, partial: Operand) -> Operand {
    let ty = b.ty(partial);
    if !matches!(b.m.types.get(ty), Type::Vector { .. }) {
        let guard = guard(b.m, ty);
        return b.call(guard, vec![weight, partial]).unwrap_or(partial);
    }
    let (partial, finite) = finite(b, partial);
    let (zero, truth) = (b.m.zero(ty), b.ty(finite));
    let differs = InstKind::FCmp { pred: FloatPred::Une, fast: FastMath::default(), lhs: weight, rhs: zero };
    let weighed = b.value(differs, truth);
    let kept = b.binary(ir::BinOp::Or, finite, weighed);
    b.select(kept, partial, zero)
}

/// A value that is not poison, and whether it is finite.
fn finite(b: &mut Builder, value: Operand) -> (Operand, Operand) {
    let ty = b.ty(value);
    let value = b.value(InstKind::Freeze(value), ty);
    // x - x is zero for finite x, and else NaN.
    let distance = b.binary(ir::BinOp::FSub, value, value);
    (value, b.float_equal(distance, distance))
}

const GUARD: &str = "__adj_finite_or_zero_";

/// Is it the name of a function that guards a partial? It computes with numbers alone.
pub(crate) fn is_guard(name: &str) -> bool {
    name.starts_with(GUARD)
}

/// `K @__adj_finite_or_zero_K(K weight, K partial)`
fn guard(m: &mut Module, scalar: TypeId) -> ir::FuncId {
    let suffix = m.types.float_kind(scalar).map_or("f64", ir::FloatKind::suffix);
    let name = format!("{GUARD}{suffix}");
    if let Some(known) = m.function(&name) {
        return known;
    }
    let mut f = Function::new(&name, scalar, &[scalar, scalar]);
    f.flags.linkage = "internal".to_owned();
    f.attrs = f.attrs.flag("alwaysinline");
    let mut b = Builder::new(m, f);
    let (weight, partial) = (b.f.param(0), b.f.param(1));
    let entry = b.at;
    let [check, done] = ["check", "done"].map(|name| b.f.add_block(name));
    let (partial, finite) = finite(&mut b, partial);
    b.cond_br(finite, done, check);
    b.at = check;
    let zero = b.m.zero(scalar);
    let thrown_away = b.float_equal(weight, zero);
    let chosen = b.select(thrown_away, zero, partial);
    b.br(done);
    b.at = done;
    let incoming = vec![(partial, entry), (chosen, check)];
    let result = b.value(InstKind::Phi { fast: FastMath::default(), incoming }, scalar);
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    m.functions.push(f)
}
