//! `enzyme_dupv` and `enzyme_dupnoneedv`: one pointer to the shadows of all directions.
//!
//! After `enzyme_width, n` stands `enzyme_dupv, bytes, x, dx`: the shadow in direction k lies k times so many bytes
//! behind `dx`. The number of bytes need not be constant. Such an argument becomes what
//! `enzyme_dup, x, dx, dx + bytes, …` is; where its form is not that, it stays, and [`crate::request::autodiff`]
//! refuses it.

use crate::request::entry_points;
use crate::request::markers::{batch_width, marker_name};
use ir::{
    BinOp, Call, CastOp, FastMath, FuncId, Function, GepFlags, Global, Inst, InstId, InstKind, IntFlags, Module,
    Operand, Type, TypeId,
};

const STRIDED: [(&str, &str); 2] = [("enzyme_dupv", "enzyme_dup"), ("enzyme_dupnoneedv", "enzyme_dupnoneed")];

/// Rewrites the differentiated calls of a module.
pub fn apply(m: &mut Module) {
    for caller in m.functions.keys().collect::<Vec<_>>() {
        let func = &m.functions[caller];
        let sites: Vec<(InstId, Call)> = func
            .inst_order()
            .filter_map(|(_, site)| Some((site, func.insts[site].kind.as_call()?)))
            .filter(|(_, call)| {
                m.as_function(call.callee).is_some_and(|f| entry_points::is_entry_point(&m.functions[f].name))
            })
            .filter(|(_, call)| call.args.iter().any(|a| strided(m, func, *a).is_some()))
            .map(|(site, call)| (site, call.clone()))
            .collect();
        for (site, call) in sites {
            rewrite(m, caller, site, call);
        }
    }
}

/// The marker that the argument stands for, if it is one of these.
fn strided(m: &Module, func: &Function, arg: Operand) -> Option<&'static str> {
    let name = marker_name(m, func, arg)?;
    STRIDED.iter().find(|(with, _)| *with == name).map(|(_, without)| *without)
}

fn rewrite(m: &mut Module, caller: FuncId, site: InstId, mut call: Call) {
    let mut func = m.functions[caller].clone();
    let mut width = 1;
    let (mut args, mut new) = (Vec::new(), Vec::new());
    let mut rest = call.args.iter().copied().peekable();
    while let Some(arg) = rest.peek().copied() {
        let before = rest.clone();
        if let Ok(Some(n)) = batch_width(m, &func, &mut rest) {
            width = n;
            args.extend(before.take(2));
            continue;
        }
        rest.next();
        let Some(without) = strided(m, &func, arg) else {
            args.push(arg);
            continue;
        };
        let (Some(bytes), Some(primal), Some(shadow)) = (rest.next(), rest.next(), rest.next()) else { return };
        let ty = m.operand_ty(&func, bytes);
        if !matches!(m.types.get(ty), Type::Int(_)) || !m.types.is_ptr(m.operand_ty(&func, shadow)) {
            return;
        }
        args.extend([marker(m, without), primal]);
        for direction in 0..width {
            let moved = moved(m, (&mut func, &mut new), site, (shadow, bytes), direction);
            args.push(moved);
        }
    }
    let types: Vec<TypeId> = args.iter().map(|a| m.operand_ty(&func, *a)).collect();
    call.fn_ty = m.types.func(func.insts[site].ty, types);
    call.arg_attrs.resize(args.len(), Default::default());
    call.args = args;
    func.insts[site].kind = InstKind::Call(Box::new(call));
    let Some(block) = func.blocks.keys().find(|b| func.blocks[*b].insts.contains(&site)) else { return };
    let insts = &mut func.blocks[block].insts;
    let at = insts.iter().position(|i| *i == site).unwrap_or(0);
    insts.splice(at..at, new);
    m.functions[caller] = func;
}

/// The address of the global variable whose name is the marker.
fn marker(m: &mut Module, name: &str) -> Operand {
    let ty = m.types.int(32);
    let global = m.global(name).unwrap_or_else(|| m.globals.push(Global::new(name, ty, None)));
    m.global_address(global)
}

/// The shadow in a direction.
fn moved(
    m: &mut Module,
    (func, new): (&mut Function, &mut Vec<InstId>),
    site: InstId,
    (shadow, bytes): (Operand, Operand),
    direction: usize,
) -> Operand {
    if direction == 0 {
        return shadow;
    }
    let (ptr, i8t, i64t) = (m.types.ptr(), m.types.int(8), m.types.int(64));
    let (loc, from) = (func.insts[site].loc, m.operand_ty(func, bytes));
    let times = m.int(64, direction as u128);
    let mut add = |kind: InstKind, ty: TypeId| {
        let mut inst = Inst::new(kind, ty);
        inst.loc = loc;
        let id = func.create_inst(inst, true);
        new.push(id);
        func.insts[id].result.map_or(shadow, Operand::Local)
    };
    let (flags, fast) = (IntFlags::default(), FastMath::default());
    // An `int` in variable arguments.
    let wide =
        if from == i64t { bytes } else { add(InstKind::Cast { op: CastOp::SExt, flags, fast, value: bytes }, i64t) };
    let offset = add(InstKind::Binary { op: BinOp::Mul, flags, fast, lhs: wide, rhs: times }, i64t);
    add(InstKind::Gep { elem_ty: i8t, flags: GepFlags::default(), base: shadow, indices: vec![offset] }, ptr)
}
