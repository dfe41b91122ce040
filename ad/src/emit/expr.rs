//! Emission of the table's expressions as IR: one walk over [`rules::Expr`].

use crate::base::builder::Builder;
use crate::base::names::declare;
use crate::emit::zero_guard;
use crate::program::device;
use crate::program::externals::width;
use ir::{
    BinOp, CastOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Function, InstKind, Module, Operand, Type, TypeId,
};
use rules::{Cond, Const, Expr, Helper, IntExpr};

/// What the free variables of an expression stand for; those it does not need may be absent.
#[derive(Default)]
pub(crate) struct Bindings {
    /// Floating-point operands.
    pub(crate) x: Vec<Option<Operand>>,
    /// Integer operands.
    pub(crate) n: Vec<Option<Operand>>,
    /// The result.
    pub(crate) y: Option<Operand>,
}

/// How the names of functions begin that are choices of partials ([`choice`]).
pub(crate) const CHOICE: &str = "__adj_choice_";

type Emitted = Result<Operand, String>;

/// `weight · expr`, where the weight is an adjoint or a tangent. With `strong`, a zero weight stays zero even where the
/// expression is infinite or poison ([`crate::emit::zero_guard`]).
pub(crate) fn scaled(b: &mut Builder, expr: &Expr, env: &Bindings, weight: Operand, strong: bool) -> Emitted {
    let ty = b.ty(weight);
    if strong && !expr.needs().is_empty() {
        let partial = emit(b, expr, env, ty)?;
        let partial = zero_guard::partial(b, weight, partial);
        return Ok(b.binary(BinOp::FMul, weight, partial));
    }
    product(b, expr, env, weight, ty)
}

/// Where an infinite tangent ends.
#[derive(Clone, Copy)]
pub(crate) enum Absorbs {
    /// Where the partial is zero.
    Always,
    /// There, unless this operand is zero: of `sqrt(x)²` at zero the tangent is 1, the limit of a growing number times
    /// one that vanishes.
    Unless(Operand),
}

/// `tangent · expr`, and zero where the partial is zero and the tangent is not finite: the operation gives what it does
/// whatever becomes of the operand.
pub(crate) fn absorbed(
    b: &mut Builder,
    (expr, env): (&Expr, &Bindings),
    tangent: Operand,
    absorbs: Absorbs,
) -> Emitted {
    let ty = b.ty(tangent);
    let partial = emit(b, expr, env, ty)?;
    let weight = match absorbs {
        Absorbs::Always => partial,
        Absorbs::Unless(x) => {
            let (zero, one, truth) = (b.m.zero(ty), constant(b, Const::Ratio(1, 1), ty)?, b.m.types.truth(ty));
            let compare = InstKind::FCmp { pred: FloatPred::Oeq, fast: FastMath::default(), lhs: x, rhs: zero };
            let vanishes = b.value(compare, truth);
            b.select(vanishes, one, partial)
        }
    };
    let guarded = zero_guard::partial(b, tangent, partial);
    let tangent = zero_guard::partial(b, weight, tangent);
    Ok(b.binary(BinOp::FMul, tangent, guarded))
}

/// `weight · expr`, and no number where the operand is infinite, unless the weight is zero: the partial is zero there,
/// and what it is multiplied with infinite. An operand that the expression does not need is infinite where the result
/// is zero, as that of `1/x` is.
pub(crate) fn unknown_at_pole(
    b: &mut Builder,
    (expr, env): (&Expr, &Bindings),
    weight: Operand,
    operand: usize,
) -> Emitted {
    let ty = b.ty(weight);
    let partial = emit(b, expr, env, ty)?;
    let (truth, zero) = (b.m.types.truth(ty), b.m.zero(ty));
    let (told, pred) = match (env.x.get(operand).copied().flatten(), env.y) {
        // The difference of an infinite number and itself is no number (IEEE 754, 7.2).
        (Some(x), _) => (b.binary(BinOp::FSub, x, x), FloatPred::Oeq),
        (None, Some(y)) => (y, FloatPred::Une),
        (None, None) => return scaled(b, expr, env, weight, true),
    };
    let compare = InstKind::FCmp { pred, fast: FastMath::default(), lhs: told, rhs: zero };
    let is_finite = b.value(compare, truth);
    let nothing = number(b, f64::NAN, ty)?;
    let partial = b.select(is_finite, partial, nothing);
    let partial = zero_guard::partial(b, weight, partial);
    Ok(b.binary(BinOp::FMul, weight, partial))
}

fn product(b: &mut Builder, expr: &Expr, env: &Bindings, adjoint: Operand, ty: TypeId) -> Emitted {
    Ok(match expr {
        e if e.is_one() => adjoint,
        Expr::Neg(e) => {
            let value = product(b, e, env, adjoint, ty)?;
            negate(b, value, ty)
        }
        Expr::Const(Const::Ratio(-1, 1)) => negate(b, adjoint, ty),
        Expr::Div(num, den) => {
            let num = product(b, num, env, adjoint, ty)?;
            let den = emit(b, den, env, ty)?;
            b.binary(BinOp::FDiv, num, den)
        }
        _ => {
            let partial = emit(b, expr, env, ty)?;
            b.binary(BinOp::FMul, adjoint, partial)
        }
    })
}

fn negate(b: &mut Builder, value: Operand, ty: TypeId) -> Operand {
    b.value(InstKind::FNeg { fast: FastMath::default(), value }, ty)
}

/// Emits an expression in a floating-point type (or a vector of it).
fn emit(b: &mut Builder, expr: &Expr, env: &Bindings, ty: TypeId) -> Emitted {
    let missing = || "an operand of the rule is not available".to_owned();
    Ok(match expr {
        Expr::X(i) => env.x.get(*i).copied().flatten().ok_or_else(missing)?,
        Expr::Y => env.y.ok_or_else(missing)?,
        Expr::N(n) => {
            let value = integer(b, n, env, 32)?;
            let scalar = b.m.types.scalar(ty);
            let value = b.cast(CastOp::SIToFP, value, scalar);
            b.splat(value, ty)
        }
        Expr::Const(c) => constant(b, *c, ty)?,
        Expr::Neg(e) => {
            let value = emit(b, e, env, ty)?;
            negate(b, value, ty)
        }
        Expr::Add(l, r) => arithmetic(b, BinOp::FAdd, l, r, env, ty)?,
        Expr::Sub(l, r) => arithmetic(b, BinOp::FSub, l, r, env, ty)?,
        Expr::Mul(l, r) => arithmetic(b, BinOp::FMul, l, r, env, ty)?,
        Expr::Div(l, r) => arithmetic(b, BinOp::FDiv, l, r, env, ty)?,
        Expr::Call { op, ints, args } => {
            let mut floats = Vec::new();
            for arg in args {
                floats.push(emit(b, arg, env, ty)?);
            }
            let mut integers = Vec::new();
            for n in ints {
                integers.push(integer(b, n, env, op.row().integer_bits())?);
            }
            library(b, *op, &floats, &integers, ty)?
        }
        Expr::Helper(helper, args) => {
            let mut values = Vec::new();
            for arg in args {
                values.push(emit(b, arg, env, ty)?);
            }
            per_lane(b, &values, ty, |b, lane| {
                let scalar = b.ty(lane[0]);
                let f = helper_function(b.m, *helper, scalar)?;
                b.call(f, lane.to_vec()).ok_or_else(missing)
            })?
        }
        Expr::Select(_, l, r) if is_seldom_called(l, r) && vector_len(b.m, ty).is_none() => choice(b, expr, env, ty)?,
        Expr::Select(cond, l, r) => {
            let cond = condition(b, cond, env, ty)?;
            let l = emit(b, l, env, ty)?;
            let r = emit(b, r, env, ty)?;
            b.select(cond, l, r)
        }
    })
}

fn arithmetic(b: &mut Builder, op: BinOp, l: &Expr, r: &Expr, env: &Bindings, ty: TypeId) -> Emitted {
    let l = emit(b, l, env, ty)?;
    let r = emit(b, r, env, ty)?;
    Ok(b.binary(op, l, r))
}

fn condition(b: &mut Builder, cond: &Cond, env: &Bindings, ty: TypeId) -> Emitted {
    let compare = |b: &mut Builder, pred, l: &Expr, r: &Expr| -> Emitted {
        let lhs = emit(b, l, env, ty)?;
        let rhs = emit(b, r, env, ty)?;
        let result = b.m.types.truth(ty);
        Ok(b.value(InstKind::FCmp { pred, fast: FastMath::default(), lhs, rhs }, result))
    };
    let both = |b: &mut Builder, op, l: &Cond, r: &Cond| -> Emitted {
        let l = condition(b, l, env, ty)?;
        let r = condition(b, r, env, ty)?;
        Ok(b.binary(op, l, r))
    };
    match cond {
        Cond::True => Ok(truth(b, ty)),
        Cond::Lt(l, r) => compare(b, FloatPred::Olt, l, r),
        Cond::Le(l, r) => compare(b, FloatPred::Ole, l, r),
        Cond::Eq(l, r) => compare(b, FloatPred::Oeq, l, r),
        Cond::IsNan(e) => compare(b, FloatPred::Uno, e, e),
        Cond::Not(c) => {
            let value = condition(b, c, env, ty)?;
            let all = truth(b, ty);
            Ok(b.binary(BinOp::Xor, value, all))
        }
        Cond::And(l, r) => both(b, BinOp::And, l, r),
        Cond::Or(l, r) => both(b, BinOp::Or, l, r),
    }
}

fn truth(b: &mut Builder, ty: TypeId) -> Operand {
    let truth_ty = b.m.types.truth(ty);
    let one = b.m.int(1, 1);
    b.splat(one, truth_ty)
}

/// An integer argument: an operand plus an offset, with that many bits.
fn integer(b: &mut Builder, n: &IntExpr, env: &Bindings, bits: u32) -> Emitted {
    let ty = b.m.types.int(bits);
    let mask = (1u128 << bits) - 1;
    let offset = b.m.int(bits, i128::from(n.offset) as u128 & mask);
    let Some(operand) = n.operand else { return Ok(offset) };
    let value = env.n.get(operand).copied().flatten().ok_or("an integer operand of the rule is not available")?;
    let wide = matches!(b.m.types.get(b.ty(value)), Type::Int(of) if *of > bits);
    let value = b.cast(if wide { CastOp::Trunc } else { CastOp::SExt }, value, ty);
    let zero = b.m.int(bits, 0);
    let value = if n.sign < 0 { b.binary(BinOp::Sub, zero, value) } else { value };
    Ok(if n.offset == 0 { value } else { b.binary(BinOp::Add, value, offset) })
}

/// A call of an operation of the table: an instruction, an intrinsic (on vectors too) or, lane by lane, a function.
fn library(b: &mut Builder, op: rules::Op, floats: &[Operand], ints: &[Operand], ty: TypeId) -> Emitted {
    let row = op.row();
    let arguments = |floats: &[Operand]| -> Vec<Operand> {
        let (mut f, mut n) = (floats.iter(), ints.iter());
        row.operands.iter().filter_map(|o| if o.is_float() { f.next() } else { n.next() }).copied().collect()
    };
    if let Some(opcode) = row.symbols.opcodes.first() {
        return match BinOp::ALL.iter().find(|o| o.name() == *opcode) {
            Some(op) => Ok(b.binary(*op, floats[0], floats[1])),
            None => Ok(negate(b, floats[0], ty)),
        };
    }
    let scalar = b.m.types.scalar(ty);
    let kind = b.m.types.float_kind(scalar).ok_or("the rule is not applied to floats")?;
    let libdevice = device::has_libdevice(b.m);
    let intrinsic = row.symbols.intrinsics.first().filter(|_| !libdevice || row.is_arithmetic());
    if let (Some(intrinsic), Some(lanes)) = (intrinsic, vector_len(b.m, ty)) {
        let integer = if ints.is_empty() { "" } else { ".i32" };
        let name = format!("{intrinsic}.v{lanes}{}{integer}", kind.suffix());
        let args = arguments(floats);
        let params: Vec<TypeId> = args.iter().map(|a| b.ty(*a)).collect();
        let f = declare(b.m, &name, ty, &params);
        return b.call(f, args).ok_or_else(|| format!("`{name}` returns nothing"));
    }
    let named = if libdevice { row.callee_of_libdevice(width(kind)) } else { row.callee(width(kind)) };
    let name = named.ok_or_else(|| format!("{} has no function for {}", row.op.name(), kind.keyword()))?;
    per_lane(b, floats, ty, |b, lane| {
        let args = arguments(lane);
        let params: Vec<TypeId> = args.iter().map(|a| b.ty(*a)).collect();
        let f = declare(b.m, &name, scalar, &params);
        b.call(f, args).ok_or_else(|| format!("`{name}` returns nothing"))
    })
}

fn vector_len(m: &Module, ty: TypeId) -> Option<u32> {
    match m.types.get(ty) {
        Type::Vector { len, .. } => Some(*len),
        _ => None,
    }
}

/// Applies a scalar function to each lane of vectors, or to scalars as they are.
pub(crate) fn per_lane(
    b: &mut Builder,
    values: &[Operand],
    ty: TypeId,
    f: impl Fn(&mut Builder, &[Operand]) -> Emitted,
) -> Emitted {
    let Some(lanes) = vector_len(b.m, ty) else { return f(b, values) };
    let scalar = b.m.types.scalar(ty);
    let mut whole = b.m.zero(ty);
    for lane in 0..lanes {
        let index = b.m.int(32, u128::from(lane));
        let parts: Vec<Operand> =
            values.iter().map(|v| b.value(InstKind::ExtractElement { vector: *v, index }, scalar)).collect();
        let value = f(b, &parts)?;
        whole = b.value(InstKind::InsertElement { vector: whole, value, index }, ty);
    }
    Ok(whole)
}

fn constant(b: &mut Builder, c: Const, ty: TypeId) -> Emitted {
    use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10, PI};
    // The second number is what the first lacks of the constant, for formats wider than double.
    let (high, low) = match c {
        Const::Ratio(p, 1) => (p as f64, 0.0),
        Const::Ratio(p, q) => {
            // The quotient of two exact numbers rounds correctly in every format.
            let p = number(b, p as f64, ty)?;
            let q = number(b, q as f64, ty)?;
            return Ok(b.binary(BinOp::FDiv, p, q));
        }
        Const::Pi => (PI, 1.224_646_799_147_353_2e-16),
        Const::Ln2 => (LN_2, 2.319_046_813_846_299_6e-17),
        Const::Ln10 => (LN_10, -2.170_756_223_382_249_4e-16),
        Const::TwoOverSqrtPi => (FRAC_2_SQRT_PI, 1.533_545_961_316_588e-17),
    };
    let value = number(b, high, ty)?;
    let scalar = b.m.types.scalar(ty);
    let wide = matches!(b.m.types.float_kind(scalar), Some(FloatKind::X86Fp80 | FloatKind::Fp128));
    if !wide || low == 0.0 {
        return Ok(value);
    }
    let rest = number(b, low, ty)?;
    Ok(b.binary(BinOp::FAdd, value, rest))
}

/// A double as a constant of `ty`: exact in wider formats, rounded by a conversion in narrower ones. The conversion
/// stays visible, so that the gradient's formula is told from its rounding: π in `float` is off by 3·10⁻⁸.
fn number(b: &mut Builder, value: f64, ty: TypeId) -> Emitted {
    let scalar = b.m.types.scalar(ty);
    let kind = b.m.types.float_kind(scalar).ok_or("the rule is not applied to floats")?;
    let double = b.m.double(value);
    let scalar = match kind {
        FloatKind::Double => double,
        FloatKind::Float if value.is_nan() || f64::from(value as f32) == value => {
            b.m.constant(scalar, ConstKind::Float(u128::from((value as f32).to_bits())))
        }
        FloatKind::Float | FloatKind::Half | FloatKind::BFloat => b.cast(CastOp::FPTrunc, double, scalar),
        FloatKind::X86Fp80 | FloatKind::Fp128 => b.cast(CastOp::FPExt, double, scalar),
    };
    Ok(b.splat(scalar, ty))
}

/// Is one of two alternatives plain arithmetic that is there to save the call which the other makes? (Where it is a
/// constant, it is there for a point at which the other has no value.)
fn is_seldom_called(l: &Expr, r: &Expr) -> bool {
    let plain = |e: &Expr| !e.calls() && !matches!(e, Expr::Const(_));
    plain(l) && r.calls() || l.calls() && plain(r)
}

/// A choice of which only the chosen alternative is computed: an internal function with a branch, made when first used.
/// LLVM writes it out.
fn choice(b: &mut Builder, expr: &Expr, env: &Bindings, ty: TypeId) -> Emitted {
    let missing = || "an operand of the rule is not available".to_owned();
    let Expr::Select(cond, l, r) = expr else { return Err(missing()) };
    let needs = expr.needs();
    let inputs: Vec<usize> = (0..env.x.len()).filter(|i| needs.input(*i)).collect();
    let mut args = Vec::new();
    for i in &inputs {
        args.push(env.x[*i].ok_or_else(missing)?);
    }
    if needs.result {
        args.push(env.y.ok_or_else(missing)?);
    }
    let kind = b.m.types.float_kind(ty).ok_or("the rule is not applied to floats")?;
    // FNV-1a of the expression: the same one has the same function.
    let hash = expr
        .to_string()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let name = format!("{CHOICE}{hash:016x}_{}", kind.suffix());
    let function = match b.m.function(&name) {
        Some(id) => id,
        None => {
            let mut f = Function::new(&name, ty, &vec![ty; args.len()]);
            f.flags.linkage = "internal".to_owned();
            let id = b.m.functions.push(f.clone());
            let mut inner = Builder::new(b.m, f);
            let mut own = Bindings { x: vec![None; env.x.len()], ..Bindings::default() };
            for (n, i) in inputs.iter().enumerate() {
                own.x[*i] = Some(inner.f.param(n));
            }
            own.y = needs.result.then(|| inner.f.param(inputs.len()));
            let [then, other] = ["then", "other"].map(|name| inner.f.add_block(name));
            let holds = condition(&mut inner, cond, &own, ty)?;
            inner.cond_br(holds, then, other);
            for (block, arm) in [(then, l), (other, r)] {
                inner.at = block;
                let value = emit(&mut inner, arm, &own, ty)?;
                inner.effect(InstKind::Ret(Some(value)));
            }
            let f = inner.f;
            b.m.functions[id] = f;
            id
        }
    };
    b.call(function, args).ok_or_else(missing)
}

/// The internal function of a helper, made from its definition when first used.
fn helper_function(m: &mut Module, helper: Helper, scalar: TypeId) -> Result<FuncId, String> {
    let kind = m.types.float_kind(scalar).ok_or("the rule is not applied to floats")?;
    let name = format!("__adj_{}_{}", helper.name(), kind.suffix());
    if let Some(id) = m.function(&name) {
        return Ok(id);
    }
    let mut f = Function::new(&name, scalar, &[scalar]);
    f.flags.linkage = "internal".to_owned();
    let id = m.functions.push(f.clone());
    let mut b = Builder::new(m, f);
    let env = Bindings { x: vec![Some(b.f.param(0))], ..Bindings::default() };
    let value = emit(&mut b, helper.definition(), &env, scalar)?;
    b.effect(InstKind::Ret(Some(value)));
    let f = b.f;
    m.functions[id] = f;
    Ok(id)
}
