//! Where a zero adjoint must stay zero whatever it is multiplied with.
//!
//! What does not reach an output has adjoint zero, and contributes nothing even where its partial derivative is
//! infinite (`docs/contract.md`: the gradient is that of the map from inputs to outputs). Partial derivatives that are
//! no polynomials of the operands can be infinite at finite operands, so their products are guarded always. Polynomial
//! ones (sums, products) are infinite only where an operand is; they are guarded where such operands arise without any
//! fault of the program:
//!
//! Programs and optimisers compute values whose result is then thrown away: both arms of a `select`, what a branch does
//! not choose, vector lanes that no one reads (poison, by LangRef `shufflevector`). Their adjoint is zero, but their
//! partial derivative may be infinite, NaN or poison, and zero times that is not zero. The values concerned are those
//! that flow into an arm of a `select`, into a phi by an edge that need not be taken once they are computed, into
//! blocks that need not be reached then, or into an instruction that takes vectors apart.
//!
//! The guard stands on the partial, not on the product, and looks at the adjoint only where the partial is not finite:
//! an adjoint may also be zero by chance, and then its own derivative, which a second differentiation needs, is not. In
//! a gradient that nobody differentiates any more, one comparison of the adjoint does for all partials of an
//! instruction ([`lower`]).

use crate::base::builder::Builder;
use crate::program::externals;
use ir::cfg::{Cfg, Positions};
use ir::dom::DomTree;
use ir::hash::HashSet;
use ir::loops::Loops;
use ir::{
    BinOp, BlockId, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Function, InstKind, Module, Operand, Type,
    TypeId, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Values whose adjoint may be zero because they are thrown away.
pub fn discarded(m: &Module, func: &Function) -> HashSet<ValueId> {
    let mut work: Vec<ValueId> = Vec::new();
    let (cfg, positions) = (Cfg::new(func), Positions::new(func));
    let dom = DomTree::new(func, &cfg);
    let loops = Loops::new(func, &cfg, &dom);
    for (block, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Select { if_true, if_false, .. } => push(&mut work, &[*if_true, *if_false]),
            // What a loop hands on, to its next iteration or to what comes behind it, is what it has computed.
            InstKind::Phi { incoming, .. } if !incoming.iter().any(|(_, from)| dom.dominates(block, *from)) => {
                let chosen = incoming.iter().filter(|(value, from)| {
                    let made = value.local().and_then(|v| func.def_inst(v)).and_then(|i| positions.block(i));
                    let need_not_be_taken = |made: BlockId| made != *from || cfg.succs(made).len() > 1;
                    made.is_some_and(|made| loops.innermost(made) == loops.innermost(block) && need_not_be_taken(made))
                });
                push(&mut work, &chosen.map(|(value, _)| *value).collect::<Vec<_>>());
            }
            InstKind::ShuffleVector { a, b, .. } => push(&mut work, &[*a, *b]),
            InstKind::ExtractElement { vector, .. } | InstKind::InsertElement { vector, .. } => {
                push(&mut work, &[*vector])
            }
            _ => {}
        }
    }
    work.extend(used_elsewhere(m, func, &positions, (&cfg, &dom, &loops)));
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

/// Floats that nobody uses on some way through the loop, or the function, that computes them. (What a loop hands on is
/// no matter here, either.)
fn used_elsewhere(
    m: &Module,
    func: &Function,
    positions: &Positions,
    (cfg, dom, loops): (&Cfg, &DomTree, &Loops),
) -> Vec<ValueId> {
    // Where each is used; none for what is handed on.
    let mut users: BTreeMap<ValueId, Option<BTreeSet<BlockId>>> = BTreeMap::new();
    let made_in = |v: ValueId| func.def_inst(v).and_then(|inst| positions.block(inst));
    let mut used = |operand: Operand, block: BlockId, handed_on: bool| {
        let Some(v) = operand.local().filter(|v| externals::holds_float(m, func.value_ty(*v))) else { return };
        let Some(made) = made_in(v) else { return };
        let outside = loops.innermost(made).is_some_and(|l| !loops.contains(l, block));
        let known = users.entry(v).or_insert_with(|| Some(BTreeSet::new()));
        match (outside || handed_on, &known) {
            (true, _) => *known = None,
            (false, Some(_)) => drop(known.as_mut().map(|blocks| blocks.insert(block))),
            (false, None) => {}
        }
    };
    for (block, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Phi { incoming, .. } => {
                for (value, from) in incoming {
                    used(*value, *from, dom.dominates(block, *from));
                }
            }
            kind => kind.operands().into_iter().for_each(|operand| used(operand, block, false)),
        }
    }
    let unused = |(v, blocks): &(ValueId, BTreeSet<BlockId>)| {
        let Some(made) = made_in(*v).filter(|made| !blocks.contains(made)) else { return false };
        let (around, mut seen, mut work) = (loops.innermost(made), BTreeSet::from([made]), vec![made]);
        while let Some(at) = work.pop() {
            let nexts = cfg.succs(at);
            let ends = |next: &BlockId| {
                let leaves = around.is_some_and(|l| !loops.contains(l, *next) || loops.loops[l].header == *next);
                leaves && !blocks.contains(next)
            };
            let returns = || {
                let last = func.terminator(at).map(|inst| &func.insts[inst].kind);
                matches!(last, Some(InstKind::Ret(_) | InstKind::Resume(_)))
            };
            if nexts.iter().any(ends) || nexts.is_empty() && returns() {
                return true;
            }
            work.extend(nexts.iter().filter(|next| !blocks.contains(next) && seen.insert(**next)));
        }
        false
    };
    let somewhere = users.into_iter().filter_map(|(v, blocks)| blocks.map(|blocks| (v, blocks)));
    somewhere.filter(unused).map(|(v, _)| v).collect()
}

fn push(work: &mut Vec<ValueId>, operands: &[Operand]) {
    work.extend(operands.iter().filter_map(|o| o.local()));
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
