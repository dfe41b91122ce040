//! `enzyme_width` in reverse mode: several gradients of one call, each with shadows of its own.
//!
//! The gradient is called once for each. That runs the primal as often, so it is only done where that cannot be seen
//! ([`crate::analysis::repeatable`]).

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::mode::Activity;
use ir::{FuncId, Function, InstKind, Module, TypeId};

/// A function that calls the gradient once for each set of shadows; the components of each argument come together, as
/// an array.
pub fn wrap(m: &mut Module, primal: FuncId, gradient: FuncId, activities: &[Activity], width: usize) -> FuncId {
    let f = &m.functions[primal];
    let types: Vec<TypeId> = f.params.iter().map(|p| p.ty).collect();
    let name = unique(m, &format!("__adj_width_{}", m.functions[primal].name));
    let total = m.functions[gradient].params.len();
    let mut params = Vec::new();
    // For each parameter of the gradient its place among ours, in the first direction, and the step to the next
    // direction.
    let mut places = Vec::new();
    for (ty, activity) in types.iter().zip(activities) {
        places.push((params.len(), 0));
        params.push(*ty);
        if activity.is_dup() {
            places.push((params.len(), 1));
            params.extend(vec![*ty; width]);
        }
    }
    for param in &m.functions[gradient].params[places.len()..total] {
        places.push((params.len(), 0));
        params.push(param.ty);
    }
    let outs: Vec<TypeId> =
        types.iter().zip(activities).filter(|(_, a)| **a == Activity::Out).map(|(ty, _)| *ty).collect();
    let arrays: Vec<TypeId> = outs.iter().map(|ty| m.types.array(width as u64, *ty)).collect();
    let ret = match arrays.len() {
        0 => m.types.void(),
        1 => arrays[0],
        _ => m.types.tuple(arrays.clone()),
    };
    let mut f = Function::new(&name, ret, &params);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let mut columns: Vec<ir::Operand> = arrays.iter().map(|ty| b.m.constant(*ty, ir::ConstKind::Poison)).collect();
    for direction in 0..width {
        let args = places.iter().map(|(first, step)| b.f.param(first + step * direction)).collect();
        let Some(result) = b.call(gradient, args) else { continue };
        for (i, column) in columns.iter_mut().enumerate() {
            let part = if outs.len() == 1 { result } else { b.extract(result, i as u32) };
            *column = b.insert(*column, part, direction as u32);
        }
    }
    let value = match columns.as_slice() {
        [] => None,
        [column] => Some(*column),
        all => {
            let mut whole = b.m.constant(ret, ir::ConstKind::Poison);
            for (i, column) in all.iter().enumerate() {
                whole = b.insert(whole, *column, i as u32);
            }
            Some(whole)
        }
    };
    b.effect(InstKind::Ret(value));
    let f = b.f;
    m.functions.push(f)
}
