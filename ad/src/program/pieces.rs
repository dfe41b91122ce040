//! Structures by value that are passed in several registers, piece by piece (System V psABI, AMD64, "Parameter Passing").
//!
//! Who writes `df(struct pair p, struct pair dp)` has the pieces of `p` in front of those of `dp`. Here each parameter
//! of the IR is followed by its own shadow: what is given in the source's order gets a function around it.

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::program::externals;
use ir::{FuncId, Function, InstKind, Module, Type, TypeId};

/// How many parameters belong together: one number for each parameter of the source. Told by their names (clang's
/// `p.coerce0`, `p.coerce1`), or, where there are none, by debug information.
pub(crate) fn groups(m: &Module, f: &Function) -> Vec<usize> {
    let piece = |i: usize| {
        let (base, number) = f.values[f.params.get(i)?.value].name.rsplit_once(".coerce")?;
        Some((base, number.parse::<usize>().ok()?))
    };
    if f.params.iter().all(|param| f.values[param.value].name.is_empty())
        && let Some(groups) = ir::debug::pieces(m, f)
    {
        return groups;
    }
    let (mut out, mut at) = (Vec::new(), 0);
    while at < f.params.len() {
        let together = |n: &usize| match (piece(at), piece(at + n)) {
            (Some((base, 0)), Some((other, number))) => base == other && number == *n,
            _ => false,
        };
        let length = 1 + (1..).take_while(together).count();
        out.push(length);
        at += length;
    }
    out
}

/// For each parameter, how many belong together from it on: 1 within a group.
pub(crate) fn beginnings(m: &Module, f: &Function) -> Vec<usize> {
    let mut out = Vec::with_capacity(f.params.len());
    for length in groups(m, f) {
        out.push(length);
        out.extend(std::iter::repeat_n(1, length - 1));
    }
    out
}

/// The function given as a rule of `f`, each piece of a structure followed by its own shadow; as it is, if `f` takes no
/// structure in pieces, or if its parameters are others. `is_tangent`: numbers have shadows, too.
pub(crate) fn in_order(m: &mut Module, f: FuncId, rule: FuncId, is_tangent: bool) -> FuncId {
    match [false, true].into_iter().find_map(|integers| source_order(m, f, rule, (is_tangent, integers))) {
        Some(order) => reordered(m, rule, &order),
        None => rule,
    }
}

/// For each parameter of a rule its place where each piece is followed by its own shadow. Whether integers are followed
/// by shadows, the rule decides; in a structure they always are, and where they have none otherwise, the integer itself
/// is given for it.
fn source_order(m: &Module, f: FuncId, rule: FuncId, (is_tangent, integers): (bool, bool)) -> Option<Vec<usize>> {
    let (func, rule) = (&m.functions[f], &m.functions[rule]);
    let types: Vec<TypeId> = func.params.iter().map(|param| param.ty).collect();
    let through_memory = usize::from(rule.params.first().is_some_and(|param| param.attrs.has("sret")));
    let is_int = |ty| matches!(m.types.get(ty), Type::Int(_));
    let doubled = |ty| m.types.is_ptr(ty) || is_tangent && externals::holds_float(m, ty) || integers && is_int(ty);
    let mut order: Vec<usize> = (0..through_memory).collect();
    let mut wanted = Vec::new();
    let (mut at, mut next) = (0, through_memory);
    for length in groups(m, func) {
        let pieces = &types[at..at + length];
        at += length;
        let shadowed = pieces.iter().any(|ty| doubled(*ty) && (length == 1 || !is_int(*ty)));
        if shadowed && pieces.iter().any(|ty| !doubled(*ty) && !is_int(*ty)) {
            return None;
        }
        let mut shadows = Vec::new();
        for ty in pieces {
            wanted.push(*ty);
            order.push(next);
            shadows.push(if doubled(*ty) { next + 1 } else { next });
            next += if shadowed && doubled(*ty) { 2 } else { 1 };
        }
        if shadowed {
            wanted.extend(pieces);
            order.extend(shadows);
        }
    }
    let given: Vec<TypeId> = rule.params[through_memory..].iter().map(|param| param.ty).collect();
    let rest = given.len().checked_sub(wanted.len())?;
    order.extend(next..next + rest);
    (given.starts_with(&wanted) && (!is_tangent || rest == 0) && rest <= 2).then_some(order)
}

/// A function that calls another, whose parameter `k` is its own parameter `order[k]`.
pub(crate) fn reordered(m: &mut Module, function: FuncId, order: &[usize]) -> FuncId {
    if order.iter().copied().eq(0..order.len()) {
        return function;
    }
    let given = m.functions[function].clone();
    let count = order.iter().max().map_or(0, |last| last + 1);
    let of = |i: usize| order.iter().position(|place| *place == i).map(|k| &given.params[k]);
    let own: Vec<_> = (0..count).filter_map(of).collect();
    let types: Vec<TypeId> = own.iter().map(|param| param.ty).collect();
    let mut f = Function::new(&unique(m, &format!("{}.in_order", given.name)), given.ret, &types);
    for (param, like) in f.params.iter_mut().zip(own) {
        param.attrs = like.attrs.clone();
    }
    f.flags.linkage = "internal".to_owned();
    f.attrs = f.attrs.flag("alwaysinline");
    let mut b = Builder::new(m, f);
    let args = order.iter().map(|i| b.f.param(*i)).collect();
    let result = b.call(function, args);
    b.effect(InstKind::Ret(result));
    let f = b.f;
    m.functions.push(f)
}
