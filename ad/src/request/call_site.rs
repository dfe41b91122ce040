//! Call sites: what stands where the differentiated call stood.

use crate::base::blocks;
use crate::base::builder::{Builder, plain_call};
use crate::base::names::{self, index};
use crate::error::{Diagnostic, Reason};
use crate::mode::Mode;
use crate::program::cell::Span;
use crate::program::{cell, externals, pieces};
use crate::request::autodiff::Request;
use crate::request::markers::Argument;
use ir::{
    CastOp, ConstId, ConstKind, FastMath, FuncId, Function, GlobalId, Inst, InstId, InstKind, IntFlags, Module,
    Operand, Type, TypeId,
};
use std::collections::BTreeMap;

/// A function of the gradient's signature that calls a given gradient, so that the oracle can tell the judged
/// call from others; and the gradient, each piece of a structure followed by its own shadow.
pub fn stub(m: &mut Module, request: &Request, df: FuncId) -> Result<(FuncId, FuncId), Diagnostic> {
    let params = gradient_params(m, request);
    let given: Vec<TypeId> = m.functions[df].params.iter().map(|p| p.ty).collect();
    let as_given = |order: &Vec<usize>| order.iter().map(|i| params[*i]).eq(given.iter().copied());
    let orders = [in_source_order(request, params.len()), (0..params.len()).collect()];
    let Some(order) = orders.into_iter().find(as_given) else {
        let site = &m.functions[request.caller];
        let (df, primal) = (&m.functions[df].name, &m.functions[request.primal].name);
        let message = match request.mode {
            Mode::Reverse => format!(
                "`{df}` does not have the signature of a gradient of `{primal}`: the parameters of the function, a \
                 shadow after each duplicated pointer, then the seed if it returns a float"
            ),
            Mode::Forward { .. } => format!(
                "`{df}` does not have the signature of a tangent of `{primal}`: the parameters of the function, and \
                 after each duplicated one its shadow or tangent"
            ),
        };
        return Err(Diagnostic::at(m, site, request.site, Reason::Misuse, message));
    };
    let name = names::unique(m, &format!("__adj_judged_{}", m.functions[df].name));
    let df = pieces::reordered(m, df, &order);
    let ret = m.functions[df].ret;
    let mut f = Function::new(&name, ret, &params);
    f.flags.linkage = "internal".to_owned();
    f.attrs = f.attrs.flag("noinline");
    let mut b = Builder::new(m, f);
    let args = (0..params.len()).map(|i| b.f.param(i)).collect();
    let result = b.call(df, args);
    b.effect(InstKind::Ret(result));
    let f = b.f;
    Ok((m.functions.push(f), df))
}

/// The parameters of a derivative as its source names them, each as its place among [`gradient_params`]: the pieces of
/// a structure stand together, before those of its shadow. An integer in the shadow, say a length, is that of the
/// structure itself.
fn in_source_order(request: &Request, total: usize) -> Vec<usize> {
    let (mut out, mut next, mut at) = (Vec::new(), 0, 0);
    while at < request.arguments.len() {
        let structure = &request.arguments[at..at + request.pieces[at]];
        let mut places = Vec::with_capacity(structure.len());
        for piece in structure {
            places.push(next);
            next += 1 + piece.shadows.len();
        }
        let sets = structure.iter().map(|piece| piece.shadows.len()).max().unwrap_or_default();
        for set in 0..=sets {
            out.extend(structure.iter().zip(&places).map(|(piece, place)| place + set.min(piece.shadows.len())));
        }
        at += structure.len();
    }
    out.extend(next..total);
    out
}

/// Types of the derivative's parameters: each of the primal's with its shadows behind it, then the seed in reverse
/// mode.
pub(crate) fn gradient_params(m: &Module, request: &Request) -> Vec<TypeId> {
    let f = &m.functions[request.primal];
    let mut out = Vec::new();
    for (param, argument) in f.params.iter().zip(&request.arguments) {
        out.extend(std::iter::repeat_n(param.ty, 1 + argument.shadows.len()));
    }
    if request.mode == Mode::Reverse && !request.style.const_return && m.types.float_kind(f.ret).is_some() {
        out.push(f.ret);
    }
    out
}

/// Replaces the differentiated call by a call of `function`.
pub fn site(m: &mut Module, request: &Request, function: FuncId) -> Result<(), Diagnostic> {
    let mut func = m.functions[request.caller].clone();
    let types = gradient_params(m, request);
    let mut values: Vec<Operand> = Vec::new();
    let mut new: Vec<InstId> = Vec::new();
    let arguments = match returned(m, request) {
        Some(ty) => returned_argument(m, &mut func, &mut new, request, ty),
        None => request.arguments.clone(),
    };
    for argument in arguments {
        values.push(argument.primal);
        values.extend(argument.shadows);
    }
    if values.len() < types.len() {
        let seed = match (request.seed, types.last()) {
            (Some(seed), _) => seed,
            (None, Some(ty)) => one(m, *ty),
            (None, None) => return Ok(()),
        };
        values.push(seed);
    }
    let primal = request.style.primal_return.then(|| result_slot(m, &mut func, &mut new, request.primal));
    let primal = primal.map(|(slot, ty)| Primal { slot, ty, apart: request.mode == Mode::Reverse });
    values.extend(primal.as_ref().map(|primal| primal.slot));
    let site = Site { caller: request.caller, inst: request.site, result: request.result };
    put(m, site, (func, new), function, (values, primal))
}

/// The result of the primal.
#[derive(Clone, Copy)]
struct Primal {
    /// Where the call leaves it.
    slot: Operand,
    /// Its type.
    ty: TypeId,
    /// The fields of what the derivative returns follow it one by one.
    apart: bool,
}

/// Memory for the result of the primal, undefined before the call, which stores it there.
fn result_slot(m: &mut Module, func: &mut Function, new: &mut Vec<InstId>, primal: FuncId) -> (Operand, TypeId) {
    let (ptr, void, ty) = (m.types.ptr(), m.types.void(), m.functions[primal].ret);
    let align = m.layout.align_of(&m.types, ty);
    let kind = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
    let memory = func.create_inst(Inst::new(kind, ptr), true);
    let entry = func.entry();
    func.blocks[entry].insts.insert(0, memory);
    let undef = m.constant(ty, ConstKind::Undef);
    let slot = func.insts[memory].result.map_or(undef, Operand::Local);
    let kind = InstKind::Store { value: undef, ptr: slot, align, volatile: false, atomic: None };
    new.push(func.create_inst(Inst::new(kind, void), false));
    (slot, ty)
}

/// `{ result of the primal, components or tangents }`, or that result alone. Several components stand side by side; a
/// tangent is of the type of the result.
fn with_primal(
    m: &mut Module,
    func: &mut Function,
    new: &mut Vec<InstId>,
    Primal { slot, ty, apart }: Primal,
    components: Option<(Operand, TypeId)>,
) -> (Operand, TypeId) {
    let align = m.layout.align_of(&m.types, ty);
    let mut add = |func: &mut Function, kind: InstKind, ty: TypeId| {
        let id = func.create_inst(Inst::new(kind, ty), true);
        new.push(id);
        func.insts[id].result.map_or(slot, Operand::Local)
    };
    let primal = add(func, InstKind::Load { ptr: slot, align, volatile: false, atomic: None }, ty);
    let Some((components, from)) = components else { return (primal, ty) };
    let parts = m.types.fields(from).filter(|_| apart).map(|(fields, _)| fields.to_vec());
    let mut fields = vec![ty];
    fields.extend(parts.clone().unwrap_or_else(|| vec![from]));
    let whole = m.types.tuple(fields);
    let poison = m.constant(whole, ConstKind::Poison);
    let kind = InstKind::InsertValue { aggregate: poison, value: primal, indices: vec![0] };
    let mut value = add(func, kind, whole);
    for (i, part) in parts.iter().flatten().enumerate() {
        let part = add(func, InstKind::ExtractValue { aggregate: components, indices: vec![i as u32] }, *part);
        value = add(func, InstKind::InsertValue { aggregate: value, value: part, indices: vec![i as u32 + 1] }, whole);
    }
    if parts.is_none() {
        value = add(func, InstKind::InsertValue { aggregate: value, value: components, indices: vec![1] }, whole);
    }
    (value, whole)
}

/// A call that is to be replaced.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The function it is in.
    pub caller: FuncId,
    /// The call.
    pub inst: InstId,
    /// Where it returns its result through memory.
    pub result: Option<Operand>,
}

/// Replaces a call by a call of `function` on these values, whose result is taken for what the call is declared to
/// return.
pub fn call(m: &mut Module, site: Site, function: FuncId, values: Vec<Operand>) -> Result<(), Diagnostic> {
    let func = m.functions[site.caller].clone();
    put(m, site, (func, Vec::new()), function, (values, None))
}

/// The same in a copy of the caller, behind the instructions `new` that are not in it yet. `primal` is where the call
/// leaves the result of the primal, if that is wanted too.
fn put(
    m: &mut Module,
    site: Site,
    (mut func, mut new): (Function, Vec<InstId>),
    function: FuncId,
    (mut values, primal): (Vec<Operand>, Option<Primal>),
) -> Result<(), Diagnostic> {
    let types: Vec<TypeId> = m.functions[function].params.iter().map(|p| p.ty).collect();
    let loc = func.insts[site.inst].loc;
    let mut add = |func: &mut Function, kind: InstKind, ty: TypeId, has_result: bool| {
        let mut inst = Inst::new(kind, ty);
        inst.loc = loc;
        let id = func.create_inst(inst, has_result);
        new.push(id);
        func.insts[id].result.map(Operand::Local)
    };
    for (value, ty) in values.iter_mut().zip(&types) {
        // Undo the promotions of variable arguments.
        if let Some(op) = demotion(m, m.operand_ty(&func, *value), *ty) {
            let kind = InstKind::Cast { op, flags: IntFlags::default(), fast: FastMath::default(), value: *value };
            *value = add(&mut func, kind, *ty, true).unwrap_or(*value);
        }
    }
    let ret = m.functions[function].ret;
    let void = matches!(m.types.get(ret), Type::Void);
    let fn_ty = m.types.func(ret, types);
    let callee = m.function_address(function);
    let call = InstKind::Call(Box::new(plain_call(callee, fn_ty, values, String::new())));
    let result = add(&mut func, call, ret, !void);
    let Some(&new_call) = new.last() else { return Ok(()) };
    let (result, ret) = match primal {
        None => (result, ret),
        Some(primal) => {
            let (value, ty) = with_primal(m, &mut func, &mut new, primal, result.map(|r| (r, ret)));
            (Some(value), ty)
        }
    };
    let wanted = func.insts[site.inst].ty;
    let through_memory = func.insts[site.inst].kind.as_call().and_then(|c| c.arg_attrs.first()?.ty("sret"));
    let old = func.insts[site.inst].result;
    let mut replacement = None;
    if let (Some(slot), Some(result)) = (site.result, result) {
        if let Some(declared) = through_memory.filter(|ty| *ty != ret) {
            fits(m, &func, site, (ret, declared))?;
        }
        let kind = InstKind::Store { value: result, ptr: slot, align: 1, volatile: false, atomic: None };
        let void = m.types.void();
        let mut inst = Inst::new(kind, void);
        inst.loc = loc;
        new.push(func.create_inst(inst, false));
    } else if let Some(old) = old {
        replacement = Some(match result {
            None => m.zero(wanted),
            Some(result) if ret == wanted => result,
            // Nothing but debug information may speak of it.
            Some(_) if !func.is_used(old) => m.constant(wanted, ConstKind::Poison),
            Some(result) => reinterpret(m, &mut func, &mut new, result, (ret, wanted), site)?,
        });
    }
    // The new call takes the place of the old one's id, so that requests and reports keep naming it.
    let (kept, placed) = (func.insts[site.inst].clone(), func.insts[new_call].clone());
    func.insts[site.inst] = placed;
    func.insts[new_call] = kept;
    let ids: Vec<InstId> = new.into_iter().map(|i| if i == new_call { site.inst } else { i }).collect();
    fix_results(&mut func, site.inst, new_call);
    let Some((block, position)) = locate(&func, site.inst) else { return Ok(()) };
    func.blocks[block].insts.splice(position..=position, ids);
    // No derivative throws.
    if let InstKind::Invoke { normal, unwind, .. } = func.insts[new_call].kind {
        let void = m.types.void();
        blocks::remove_pred(&mut func, unwind, block);
        func.append(block, Inst::new(InstKind::Br(normal), void), false);
        blocks::drop_unreachable(&mut func);
    }
    match (old, replacement) {
        (Some(old), Some(Operand::Local(new))) => take_over(&mut func, old, new),
        (Some(old), Some(constant)) => blocks::replace_uses(&mut func, old, constant),
        _ => {}
    }
    drop_marker_loads(m, &mut func);
    m.functions[site.caller] = func;
    Ok(())
}

/// The structure that the primal of a forward call returns through its first parameter.
fn returned(m: &Module, request: &Request) -> Option<TypeId> {
    let first = m.functions[request.primal].params.first()?;
    first.attrs.ty("sret").filter(|_| request.mode != Mode::Reverse)
}

/// The arguments with memory for that structure, its tangents being where the call returns them. The tangents start at
/// zero.
fn returned_argument(
    m: &mut Module,
    func: &mut Function,
    new: &mut Vec<InstId>,
    request: &Request,
    ty: TypeId,
) -> Vec<Argument> {
    let (ptr, i8t, void) = (m.types.ptr(), m.types.int(8), m.types.void());
    let mut arguments = request.arguments.clone();
    let (Some(argument), Some(slot)) = (arguments.first_mut(), request.result) else { return arguments };
    let (size, align) = (m.size_of(ty), m.layout.align_of(&m.types, ty));
    let kind = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
    let memory = func.create_inst(Inst::new(kind, ptr), true);
    let entry = func.entry();
    func.blocks[entry].insts.insert(0, memory);
    argument.primal = func.insts[memory].result.filter(|_| !request.primal_too).map_or(slot, Operand::Local);
    for (n, shadow) in argument.shadows.iter_mut().enumerate() {
        let index = m.int(64, u128::from(size) * (n as u128 + u128::from(request.primal_too)));
        let kind = InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: slot, indices: vec![index] };
        let id = func.create_inst(Inst::new(kind, ptr), true);
        new.push(id);
        if let Some(v) = func.insts[id].result {
            *shadow = Operand::Local(v);
        }
        let zero = m.zero(ty);
        let kind = InstKind::Store { value: zero, ptr: *shadow, align: 1, volatile: false, atomic: None };
        new.push(func.create_inst(Inst::new(kind, void), false));
    }
    arguments
}

fn locate(func: &Function, inst: InstId) -> Option<(ir::BlockId, usize)> {
    func.layout
        .iter()
        .find_map(|b| func.blocks[*b].insts.iter().position(|i| *i == inst).map(|position| (*b, position)))
}

/// After two instructions changed places in the arena, their results must name their new places.
fn fix_results(func: &mut Function, a: InstId, b: InstId) {
    for id in [a, b] {
        if let Some(v) = func.insts[id].result {
            func.values[v].def = ir::ValueDef::Inst(id);
        }
    }
}

/// The number 1.
pub(crate) fn one(m: &mut Module, ty: TypeId) -> Operand {
    use ir::FloatKind::{BFloat, Double, Float, Fp128, Half, X86Fp80};
    let bits: u128 = match m.types.float_kind(ty) {
        Some(Half) => 0x3c00,
        Some(BFloat) => 0x3f80,
        Some(Float) => u128::from(1f32.to_bits()),
        Some(Double) | None => u128::from(1f64.to_bits()),
        Some(X86Fp80) => 0x3fff_8000_0000_0000_0000,
        Some(Fp128) => 0x3fff << 112,
    };
    m.constant(ty, ConstKind::Float(bits))
}

fn demotion(m: &Module, from: TypeId, to: TypeId) -> Option<CastOp> {
    match (m.types.get(from), m.types.get(to)) {
        (Type::Float(a), Type::Float(b)) if a.bits() > b.bits() => Some(CastOp::FPTrunc),
        (Type::Int(a), Type::Int(b)) if a > b => Some(CastOp::Trunc),
        _ => None,
    }
}

/// Can what the call is declared to return hold the parts of what there is to return, each at its place?
fn fits(m: &Module, func: &Function, site: Site, (from, to): (TypeId, TypeId)) -> Result<(), Diagnostic> {
    let held = cell::leaves(m, to, &[]);
    let parts = cell::leaves(m, from, &[]);
    let fits = |part: &Span| {
        let over = |s: &&Span| s.offset < part.offset + part.size && part.offset < s.offset + s.size;
        held.iter().filter(over).all(|s| s == part)
    };
    if m.size_of(from) <= m.size_of(to) && !held.is_empty() && parts.iter().all(fits) {
        return Ok(());
    }
    let parts: Vec<String> =
        parts.iter().map(|p| p.cell.float().map_or("pointer", |k| k.keyword()).to_owned()).collect();
    let message = format!(
        "the call is declared to return something that cannot hold what it returns, in this order: {}",
        parts.join(", ")
    );
    Err(Diagnostic::at(m, func, site.inst, Reason::Misuse, message))
}

/// The gradient's result as what the call was declared to return: another width of float, or the same
/// structure as the calling convention passes it.
fn reinterpret(
    m: &mut Module,
    func: &mut Function,
    new: &mut Vec<InstId>,
    value: Operand,
    (from, to): (TypeId, TypeId),
    site: Site,
) -> Result<Operand, Diagnostic> {
    let mut add = |func: &mut Function, kind: InstKind, ty: TypeId, has_result: bool| {
        let id = func.create_inst(Inst::new(kind, ty), has_result);
        new.push(id);
        func.insts[id].result.map(Operand::Local)
    };
    if let (Some(a), Some(b)) = (m.types.float_kind(from), m.types.float_kind(to)) {
        let op = if a.bits() > b.bits() { CastOp::FPTrunc } else { CastOp::FPExt };
        let kind = InstKind::Cast { op, flags: IntFlags::default(), fast: FastMath::default(), value };
        return Ok(add(func, kind, to, true).unwrap_or(value));
    }
    fits(m, func, site, (from, to))?;
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let kind = InstKind::Alloca { elem_ty: to, count: None, align: 16, addr_space: 0, inalloca: false };
    let Some(slot) = add(func, kind, ptr, true) else { return Ok(value) };
    add(func, InstKind::Store { value, ptr: slot, align: 1, volatile: false, atomic: None }, void, false);
    let load = InstKind::Load { ptr: slot, align: 1, volatile: false, atomic: None };
    Ok(add(func, load, to, true).unwrap_or(value))
}

/// The result of the old call, which is gone, becomes the name of the new one: a differentiated call that is still to
/// be replaced may have it among its arguments.
fn take_over(func: &mut Function, old: ir::ValueId, new: ir::ValueId) {
    blocks::replace_uses(func, new, Operand::Local(old));
    let defined =
        |func: &Function, v: ir::ValueId| func.insts.iter().find(|(_, i)| i.result == Some(v)).map(|(id, _)| id);
    let (gone, made) = (defined(func, old), defined(func, new));
    for (inst, result) in [(gone, new), (made, old)] {
        if let Some(inst) = inst {
            func.insts[inst].result = Some(result);
            func.values[result].def = ir::ValueDef::Inst(inst);
        }
    }
    func.values[old].ty = func.values[new].ty;
}

/// Removes loads of the marker globals that nothing uses any more: the globals have no definition.
fn drop_marker_loads(m: &Module, func: &mut Function) {
    let mut used = vec![false; func.values.len()];
    let order: Vec<InstId> = func.inst_order().map(|(_, i)| i).collect();
    for inst in &order {
        for operand in func.insts[*inst].kind.operands() {
            if let Operand::Local(v) = operand {
                used[index(v)] = true;
            }
        }
    }
    let is_marker = |ptr: Operand| match m.as_constant(ptr).map(|c| &c.kind) {
        Some(ConstKind::Global(g)) => m.globals[*g].name.contains("enzyme_"),
        _ => false,
    };
    for block in func.layout.clone() {
        let insts = &func.insts;
        let keep = |i: &InstId| match (&insts[*i].kind, insts[*i].result) {
            (InstKind::Load { ptr, .. }, Some(v)) => used[index(v)] || !is_marker(*ptr),
            _ => true,
        };
        func.blocks[block].insts.retain(keep);
    }
}

/// The initialiser of a global variable's shadow: pointers to shadowed globals become pointers to their shadows,
/// other pointers stay, all else is zero.
pub fn shadow_initialiser(m: &mut Module, init: ConstId, globals: &BTreeMap<GlobalId, GlobalId>) -> ConstId {
    let c = m.constants.get(init).clone();
    let kind = match c.kind {
        ConstKind::Global(g) => ConstKind::Global(globals.get(&g).copied().unwrap_or(g)),
        ConstKind::Aggregate(elems) if externals::holds_pointer(m, c.ty) => {
            ConstKind::Aggregate(elems.into_iter().map(|e| shadow_initialiser(m, e, globals)).collect())
        }
        ConstKind::Expr(ir::ConstExpr::Gep { elem_ty, flags, in_range, base, indices }) => {
            let base = shadow_initialiser(m, base, globals);
            ConstKind::Expr(ir::ConstExpr::Gep { elem_ty, flags, in_range, base, indices })
        }
        ConstKind::Expr(ir::ConstExpr::Cast(op, inner)) => {
            ConstKind::Expr(ir::ConstExpr::Cast(op, shadow_initialiser(m, inner, globals)))
        }
        ConstKind::Function(_) | ConstKind::Null | ConstKind::Expr(_) => c.kind,
        _ => match m.zero(c.ty) {
            Operand::Const(zero) => return zero,
            Operand::Local(_) => return init,
        },
    };
    m.constants.intern(c.ty, kind)
}
