//! Parallel regions of OpenMP in the form that the analyses read.
//!
//! `__kmpc_fork_call(loc, n, outlined, captured…)` (or `__kmpc_fork_teams`, for a league of teams) becomes a call of a
//! function of its own, `fork(captured…)`, which does nothing else. For the program that function forks the team. For
//! the analyses it calls the outlined function once, with numbers of a thread that nobody knows: what holds for this
//! thread holds for each, as all of them execute the same code, and as what one of them writes is seen by others only
//! behind calls that order them ([`crate::program::openmp::Order`]), which count as writes to everything. (A program in
//! which that is otherwise has a data race, and its behaviour is undefined; C11, 5.1.2.4.)
//!
//! A reduction is a section of which each thread executes one in turn: of the ways that the runtime chooses from
//! (`__kmpc_reduce`: plain, atomic, a tree) the first one stays, within `__kmpc_critical`.

use crate::base::builder::{Builder, plain_call};
use crate::base::{fold, names};
use crate::program::openmp::{self, END_REDUCE, FORKS, Fork, OF_REDUCTION, REDUCE};
use ir::hash::HashMap;
use ir::{Attr, AttrValue, FuncId, Function, Inst, InstId, InstKind, MdId, Module, Operand, TypeId, ValueId};

/// Replaces forks and reductions in a copy of function `id`.
pub fn lower(m: &mut Module, id: FuncId, func: &mut Function) {
    match is_fork(&m.functions[id]) {
        true => call_once(m, func),
        false => name_forks(m, func),
    }
    lower_reductions(m, func);
}

/// Does the function nothing but to fork a team?
pub fn is_fork(func: &Function) -> bool {
    func.attrs.has(FORKS)
}

/// The outlined function that a fork calls.
fn outlined(m: &Module, func: &Function, inst: InstId) -> Option<FuncId> {
    let call = func.insts[inst].kind.as_call()?;
    let callee = names::called_outside(m, &func.insts[inst])?;
    let body = m.as_function(*call.args.get(2)?)?;
    let whole = call.args.len() == m.functions[body].params.len() + 1 && !m.functions[body].is_declaration();
    (openmp::fork(&callee.name).is_some() && whole).then_some(body)
}

/// Gives each fork a function of its own.
fn name_forks(m: &mut Module, func: &mut Function) {
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        let Some(body) = outlined(m, func, inst) else { continue };
        let Some(call) = func.insts[inst].kind.as_call().cloned() else { continue };
        // The place in the source, which the runtime may name.
        let Operand::Const(_) = call.args[0] else { continue };
        let fork = fork(m, body, &call, func.insts[inst].loc);
        let captured = call.args[3..].to_vec();
        let (ret, params) = (m.functions[fork].ret, m.functions[fork].params.iter().map(|p| p.ty).collect());
        let fn_ty = m.types.func(ret, params);
        let mut direct = plain_call(m.function_address(fork), fn_ty, captured, String::new());
        direct.arg_attrs = call.arg_attrs[3..].to_vec();
        func.insts[inst].kind = InstKind::Call(Box::new(direct));
    }
}

/// The function that forks a team for this outlined function.
fn fork(m: &mut Module, body: FuncId, call: &ir::Call, loc: Option<MdId>) -> FuncId {
    let name = format!("__adj_fork_{}", m.functions[body].name);
    if let Some(known) = m.function(&name) {
        return known;
    }
    let params: Vec<TypeId> = m.functions[body].params[2..].iter().map(|p| p.ty).collect();
    let mut f = Function::new(&name, m.types.void(), &params);
    f.flags.linkage = "internal".to_owned();
    f.attrs = f.attrs.flag("noinline");
    f.attrs.0.push(Attr { name: FORKS.to_owned(), value: AttrValue::Str(None) });
    let Some(runtime) = m.as_function(call.callee) else { return body };
    let mut b = Builder::new(m, f);
    b.loc = loc;
    let captured = (0..params.len()).map(|i| b.f.param(i));
    let args: Vec<Operand> = call.args[..3].iter().copied().chain(captured).collect();
    b.call(runtime, args);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// In the copy of a function that forks: what one thread does.
fn call_once(m: &mut Module, func: &mut Function) {
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    for block in func.layout.clone() {
        let Some(at) = func.blocks[block].insts.iter().position(|i| outlined(m, func, *i).is_some()) else { continue };
        let inst = func.blocks[block].insts[at];
        let (Some(body), Some(call)) = (outlined(m, func, inst), func.insts[inst].kind.as_call().cloned()) else {
            continue;
        };
        let mut before = Vec::new();
        let numbers: Vec<Operand> = (0..2)
            .filter_map(|_| {
                let kind = InstKind::Alloca { elem_ty: i32t, count: None, align: 4, addr_space: 0, inalloca: false };
                let slot = func.create_inst(Inst::new(kind, ptr), true);
                before.push(slot);
                func.insts[slot].result.map(Operand::Local)
            })
            .collect();
        let given = names::declare(m, openmp::NUMBERS, void, &[ptr, ptr]);
        let fn_ty = m.types.func(void, vec![ptr, ptr]);
        let kind = plain_call(m.function_address(given), fn_ty, numbers.clone(), String::new());
        before.push(func.create_inst(Inst::new(InstKind::Call(Box::new(kind)), void), false));
        let args: Vec<Operand> = numbers.into_iter().chain(call.args[3..].iter().copied()).collect();
        let params = m.functions[body].params.iter().map(|p| p.ty).collect();
        let fn_ty = m.types.func(m.functions[body].ret, params);
        let direct = plain_call(m.function_address(body), fn_ty, args, m.functions[body].cc.clone());
        func.insts[inst].kind = InstKind::Call(Box::new(direct));
        func.blocks[block].insts.splice(at..at, before);
    }
}

/// Of a reduction the plain way, in a section.
fn lower_reductions(m: &mut Module, func: &mut Function) {
    let mut chosen: HashMap<ValueId, Operand> = HashMap::default();
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            out.push(inst);
            let Some(args) = func.insts[inst].kind.as_call().map(|call| call.args.clone()) else { continue };
            let Some(name) = names::called_outside(m, &func.insts[inst]).map(|f| f.name.clone()) else { continue };
            if REDUCE.contains(&name.as_str()) && args.len() == 7 {
                let section = of_reduction(runtime_call(m, openmp::CRITICAL, vec![args[0], args[1], args[6]]));
                if let Some(way) = func.insts[inst].result.take() {
                    chosen.insert(way, m.int(32, 1));
                }
                (func.insts[inst].kind, func.insts[inst].ty) = (section, m.types.void());
            } else if END_REDUCE.contains(&name.as_str()) && args.len() == 3 {
                func.insts[inst].kind = of_reduction(runtime_call(m, openmp::END_CRITICAL, args.clone()));
                if name == END_REDUCE[0] {
                    let wait = runtime_call(m, openmp::BARRIER, args[..2].to_vec());
                    let mut wait = Inst::new(wait, m.types.void());
                    wait.loc = func.insts[inst].loc;
                    out.push(func.create_inst(wait, false));
                }
            }
        }
        func.blocks[block].insts = out;
    }
    if !chosen.is_empty() {
        fold::fold(m, func, chosen);
    }
}

/// The call, which says that it enters or leaves the section of a reduction.
fn of_reduction(mut kind: InstKind) -> InstKind {
    if let InstKind::Call(call) = &mut kind {
        call.fn_attrs.0.push(Attr { name: OF_REDUCTION.to_owned(), value: AttrValue::Str(None) });
    }
    kind
}

/// A call of a function of the runtime that returns nothing: the place in the source, the thread, and a pointer.
fn runtime_call(m: &mut Module, name: &str, args: Vec<Operand>) -> InstKind {
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let params = [ptr, i32t, ptr][..args.len()].to_vec();
    let f = names::declare(m, name, void, &params);
    let fn_ty = m.types.func(void, params);
    InstKind::Call(Box::new(plain_call(m.function_address(f), fn_ty, args, String::new())))
}

/// In the copy of a function that forks: the call of the outlined function.
pub fn call_in(m: &Module, copy: &Function) -> Option<(InstId, FuncId)> {
    copy.inst_order().find_map(|(_, inst)| {
        let callee = m.as_function(copy.insts[inst].kind.as_call()?.callee)?;
        (!m.functions[callee].is_declaration()).then_some((inst, callee))
    })
}

/// In the function itself: the function of the runtime that forks, the place in the source that it is told, and how it
/// forks.
pub fn runtime_of(m: &Module, fork: FuncId) -> Option<(FuncId, Operand, &'static Fork)> {
    m.functions[fork].inst_order().find_map(|(_, inst)| {
        let call = m.functions[fork].insts[inst].kind.as_call()?;
        let callee = m.as_function(call.callee)?;
        Some((callee, call.args[0], openmp::fork(&m.functions[callee].name)?))
    })
}
