//! The primal functions a differentiated call can reach, each as a normalised private copy.
//!
//! Normalisation makes the later passes smaller without changing what the program means:
//! - blocks that cannot be reached are dropped;
//! - `invoke` becomes a call and a branch to its normal destination (the path that does not throw); where an exception
//!   begins, the function ends with a message, and behind a call of a function that never returns
//!   ([`crate::normalise::endings`]);
//! - masked accesses of vectors become accesses of their lanes ([`crate::normalise::lower::masked`]), intrinsics that
//!   move lanes shuffles ([`crate::normalise::lower::shuffles`]), addresses of one of two members a choice of two
//!   ([`crate::normalise::lower::members`]);
//! - vectors of pointers are taken apart ([`crate::normalise::split_pointers`]);
//! - inline assembly without instructions becomes what it moves, an indirect branch a choice
//!   ([`crate::normalise::lower`]);
//! - a `dynamic_cast` gives a pointer that is made of its operand ([`crate::normalise::dynamic_cast`]);
//! - a cycle with several entries gets a single one ([`crate::normalise::reducible`]), and a loop a block in front of
//!   it ([`crate::normalise::preheaders`]);
//! - a parallel region of OpenMP is called as a function, a reduction a section ([`crate::normalise::fork`]);
//! - of accesses that differ in the order of memory alone, one is left ([`crate::normalise::atomics::orders`]);
//! - a `byval` argument becomes an explicit copy made by the caller, because the copy is memory with
//!   an adjoint of its own (LangRef, "Parameter Attributes", `byval`);
//! - `realloc` becomes an allocation, a copy of what the old block holds, and a `free`;
//! - a reduction of a vector to one float becomes the operation lane after lane, from the first (LangRef,
//!   `llvm.vector.reduce.fadd`);
//! - several `ret`s become one, so that the reverse pass has one entry;
//! - `qsort` and `bsearch` become functions of the module ([`crate::normalise::library_bodies`]);
//! - debug records and tail markers, which the synthesised functions could not honour, are dropped.
//!
//! Instructions of the primal keep their [`InstId`], so that a copy's instruction names the original's.

use crate::base::names::{declare, memcpy_intrinsic};
use crate::base::{blocks, builder};
use crate::error::{Diagnostic, Reason};
use crate::normalise::atomics::orders;
use crate::normalise::lower::{masked, members, shuffles};
use crate::normalise::sources::Sources;
use crate::normalise::tasks::Beside;
use crate::normalise::{
    copyprivate, dynamic_cast, endings, fork, lanes, library_bodies, locks, lower, once, preheaders, reducible,
    split_pointers, tasks, threads, unions,
};
use crate::program::device;
use crate::program::externals::{External, classify};
use crate::program::openmp;
use crate::request::device_code;
use ir::{BlockId, FuncId, Function, Inst, InstId, InstKind, Module, Operand, TailKind, Type, TypeId};

/// Copies and normalises `root` and every defined function it can reach through direct calls.
pub fn collect(m: &mut Module, root: FuncId) -> Result<Sources, Diagnostic> {
    let mut sources = Sources::new();
    collect_into(m, root, &mut sources)?;
    Ok(sources)
}

/// Adds `root`, and what it can reach, to the sources.
pub fn collect_into(m: &mut Module, root: FuncId, sources: &mut Sources) -> Result<(), Diagnostic> {
    let known = sources.len();
    let beside = Beside::find(m, sources, root);
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        if sources.contains_key(&id) {
            continue;
        }
        let func = normalise(m, id, beside.as_ref())?;
        work.extend(looked_into(m, &func));
        sources.insert(id, func);
    }
    if sources.len() > known {
        endings::end_behind_endless(m, sources);
    }
    Ok(())
}

/// Adds what the sources call and do not hold; says whether there was anything.
pub fn collect_called(m: &mut Module, sources: &mut Sources) -> Result<bool, Diagnostic> {
    let called: Vec<FuncId> = sources.values().flat_map(|f| looked_into(m, f)).collect();
    let missing: Vec<FuncId> = called.into_iter().filter(|f| !sources.contains_key(f)).collect();
    for id in &missing {
        collect_into(m, *id, sources)?;
    }
    Ok(!missing.is_empty())
}

/// A function that is called and was not collected would be called as it is, without a derivative and without a word.
pub fn refuse_missing(m: &Module, sources: &Sources) -> Result<(), Diagnostic> {
    for func in sources.values() {
        for (_, inst) in func.inst_order() {
            let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
            if callee.is_some_and(|f| is_looked_into(m, f) && !sources.contains_key(&f)) {
                return Err(Diagnostic::at(
                    m,
                    func,
                    inst,
                    Reason::Bug,
                    "a function that is called was not looked into",
                ));
            }
        }
    }
    Ok(())
}

/// The functions called that have a body and no other meaning.
fn looked_into(m: &Module, func: &Function) -> Vec<FuncId> {
    let called = func.inst_order().filter_map(|(_, i)| m.as_function(func.insts[i].kind.as_call()?.callee));
    called.filter(|f| is_looked_into(m, *f)).collect()
}

/// Has a function a body, and no other meaning?
pub(crate) fn is_looked_into(m: &Module, id: FuncId) -> bool {
    let func = &m.functions[id];
    !func.is_declaration() && matches!(classify(m, func), External::Unknown)
}

fn normalise(m: &mut Module, id: FuncId, beside: Option<&Beside>) -> Result<Function, Diagnostic> {
    let mut func = m.functions[id].clone();
    if device::is_of_device(m, &func) {
        lanes::lower(m, &mut func);
    }
    device_code::refuse(m, &func)?;
    let void = m.types.void();
    for inst in func.insts.values_mut() {
        inst.debug_records.clear();
        // Names the records of assignments, which are gone.
        inst.metadata.retain(|(kind, _)| kind != "DIAssignID");
        // Of an instruction that is written out elsewhere it will say where it came from.
        inst.origin = None;
        if let Some(call) = inst.kind.as_call_mut() {
            call.tail = TailKind::None;
        }
    }
    refuse_second_returns(m, &func)?;
    straighten_invokes(&mut func, void);
    dynamic_cast::lower(m, &mut func)?;
    fork::lower(m, id, &mut func);
    tasks::lower(m, id, &mut func, beside)?;
    threads::lower(m, &mut func);
    copyprivate::lower(m, &mut func);
    locks::lower(m, &mut func);
    once::lower(m, &mut func);
    lower::allocators(m, &mut func);
    lower::pointer_masks(m, &mut func);
    refuse_unknown_constructs(m, &func)?;
    lower::barriers(m, &mut func);
    masked::lower(m, &mut func);
    shuffles::lower(m, &mut func);
    members::lower(m, &mut func);
    split_pointers::take_apart(m, &mut func);
    unions::move_as_words(m, &mut func);
    lower::computed_branches(m, id, &mut func);
    endings::end_at_throws(m, &mut func);
    endings::end_at_others(m, &mut func);
    blocks::drop_unreachable(&mut func);
    orders::unite(&mut func);
    lower_byval(m, &mut func);
    lower_realloc(m, &mut func);
    library_bodies::lower(m, &mut func);
    lower_reductions(m, &mut func);
    merge_returns(m, &mut func);
    reducible::normalise(m, &mut func);
    preheaders::make(m, &mut func);
    Ok(func)
}

fn straighten_invokes(func: &mut Function, void: TypeId) {
    for block in func.layout.clone() {
        let Some(term) = func.terminator(block) else { continue };
        if let InstKind::Invoke { call, normal, .. } = func.insts[term].kind.clone() {
            func.insts[term].kind = InstKind::Call(call);
            let mut br = Inst::new(InstKind::Br(normal), void);
            br.loc = func.insts[term].loc;
            func.append(block, br, false);
        }
    }
}

/// Functions that return a second time, or make another one do so.
const JUMPS: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp"];

/// A second return from `setjmp` would leave the tape in a state that no path through the program explains.
fn refuse_second_returns(m: &Module, func: &Function) -> Result<(), Diagnostic> {
    for (_, inst) in func.inst_order() {
        let callee = func.insts[inst].kind.as_call().and_then(|c| m.as_function(c.callee));
        if let Some(f) = callee.map(|f| &m.functions[f])
            && f.is_declaration()
            && JUMPS.contains(&f.name.as_str())
        {
            let message = format!("`{}`: a function that returns a second time is not differentiated", f.name);
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
        }
    }
    Ok(())
}

/// A construct of OpenMP that has no derivative would be executed by the forward pass alone.
fn refuse_unknown_constructs(m: &Module, func: &Function) -> Result<(), Diagnostic> {
    if fork::is_fork(func) {
        return Ok(());
    }
    for (_, inst) in func.inst_order() {
        let callee = func.insts[inst].kind.as_call().and_then(|c| m.as_function(c.callee));
        if let Some(message) = callee.and_then(|f| openmp::refused(m, f)) {
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
        }
    }
    Ok(())
}

/// `call f(ptr byval(T) p)` becomes `q = alloca T; memcpy(q, p); call f(ptr q)`. Where the callee is not among the
/// functions that are differentiated, and for variable arguments, it stays `ptr byval(T) q`: how memory is passed there
/// is a matter of the ABI.
fn lower_byval(m: &mut Module, func: &mut Function) {
    for param in &mut func.params {
        param.attrs.0.retain(|a| a.name != "byval");
    }
    let entry = func.entry();
    for block in func.layout.clone() {
        let mut out: Vec<InstId> = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            let Some(call) = func.insts[inst].kind.as_call().cloned() else {
                out.push(inst);
                continue;
            };
            let mut call = call;
            let outside = m.as_function(call.callee).is_some_and(|f| !is_looked_into(m, f));
            let named = match m.types.get(call.fn_ty) {
                Type::Func { params, .. } => params.len(),
                _ => call.args.len(),
            };
            for i in 0..call.args.len() {
                let Some(ty) = call.arg_attrs[i].ty("byval") else { continue };
                let align = call.arg_attrs[i].int("align").unwrap_or(1).max(m.layout.align_of(&m.types, ty));
                let ptr = m.types.ptr();
                let kind = InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false };
                let slot = func.create_inst(Inst::new(kind, ptr), true);
                func.blocks[entry].insts.insert(0, slot);
                if block == entry {
                    out.insert(0, slot);
                }
                let Some(value) = func.insts[slot].result else { continue };
                let copy = memcpy_call(m, Operand::Local(value), call.args[i], ty);
                let mut copy = Inst::new(copy, m.types.void());
                copy.loc = func.insts[inst].loc;
                out.push(func.create_inst(copy, false));
                call.args[i] = Operand::Local(value);
                if !outside && i < named {
                    call.arg_attrs[i].0.retain(|a| a.name != "byval");
                }
            }
            if let Some(slot) = func.insts[inst].kind.as_call_mut() {
                *slot = call;
            }
            out.push(inst);
        }
        func.blocks[block].insts = out;
    }
}

/// `reduce(start, v)` becomes `op(… op(op(start, v[0]), v[1]) …, v[n])`, each step with a rule of its own.
fn lower_reductions(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            lower_reduction(m, func, inst, &mut out);
            out.push(inst);
        }
        func.blocks[block].insts = out;
    }
}

/// Puts all steps but the last before the instruction, which becomes the last.
fn lower_reduction(m: &mut Module, func: &mut Function, inst: InstId, out: &mut Vec<InstId>) {
    let Some(call) = func.insts[inst].kind.as_call().cloned() else { return };
    let Some(External::Reduction(reduction)) = m.as_function(call.callee).map(|f| classify(m, &m.functions[f])) else {
        return;
    };
    let (ty, loc) = (func.insts[inst].ty, func.insts[inst].loc);
    let vector = call.args[usize::from(reduction.start)];
    let lanes = m.types.element_count(m.operand_ty(func, vector)).unwrap_or(0);
    let mut value = reduction.start.then(|| call.args[0]);
    for lane in 0..lanes {
        let index = m.int(64, u128::from(lane));
        let mut extract = Inst::new(InstKind::ExtractElement { vector, index }, ty);
        extract.loc = loc;
        let id = func.create_inst(extract, true);
        out.push(id);
        let Some(element) = func.insts[id].result.map(Operand::Local) else { return };
        let Some(before) = value else {
            value = Some(element);
            continue;
        };
        let Some(step) = reduction_step(m, reduction, &call, ty, [before, element]) else { return };
        if lane + 1 == lanes {
            func.insts[inst].kind = step;
            return;
        }
        let mut step = Inst::new(step, ty);
        step.loc = loc;
        let id = func.create_inst(step, true);
        out.push(id);
        value = func.insts[id].result.map(Operand::Local);
    }
}

fn reduction_step(
    m: &mut Module,
    reduction: &rules::Reduction,
    call: &ir::Call,
    ty: TypeId,
    [lhs, rhs]: [Operand; 2],
) -> Option<InstKind> {
    let row = reduction.op.row();
    if let Some(op) = ir::BinOp::ALL.into_iter().find(|op| row.symbols.opcodes.contains(&op.name())) {
        return Some(InstKind::Binary { op, flags: Default::default(), fast: call.fast, lhs, rhs });
    }
    let name = format!("{}.{}", row.symbols.intrinsics.first()?, m.types.float_kind(ty)?.suffix());
    let f = declare(m, &name, ty, &[ty, ty]);
    let fn_ty = m.types.func(ty, vec![ty, ty]);
    let mut step = builder::plain_call(m.function_address(f), fn_ty, vec![lhs, rhs], String::new());
    step.fast = call.fast;
    Some(InstKind::Call(Box::new(step)))
}

/// `q = realloc(p, n)` becomes `q = malloc(n); memcpy(q, p, min(n, malloc_usable_size(p))); free(p)`: a block that
/// moves always, so that the copy has its adjoint like any other. The usable size of a null pointer is zero
/// (malloc_usable_size(3)).
fn lower_realloc(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            match func.insts[inst].kind.as_call().map(|c| c.args.clone()) {
                Some(args) if is_realloc(m, func, inst) => out.extend(reallocation(m, func, inst, (args[0], args[1]))),
                _ => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
}

fn is_realloc(m: &Module, func: &Function, inst: InstId) -> bool {
    let call = func.insts[inst].kind.as_call();
    call.and_then(|c| m.as_function(c.callee))
        .is_some_and(|f| m.functions[f].name == "realloc" && m.functions[f].is_declaration())
}

/// The instructions that stand for a `realloc`; its own id becomes that of the `malloc`.
fn reallocation(m: &mut Module, func: &mut Function, inst: InstId, (old, size): (Operand, Operand)) -> Vec<InstId> {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let loc = func.insts[inst].loc;
    let call = |m: &mut Module, func: &mut Function, f: FuncId, args: Vec<Operand>| {
        let ret = m.functions[f].ret;
        let params = m.functions[f].params.iter().map(|p| p.ty).collect();
        let fn_ty = m.types.func(ret, params);
        let kind = InstKind::Call(Box::new(builder::plain_call(m.function_address(f), fn_ty, args, String::new())));
        let mut new = Inst::new(kind, ret);
        new.loc = loc;
        func.create_inst(new, ret != void)
    };
    let result = |func: &Function, id: InstId| func.insts[id].result.map_or(old, Operand::Local);
    let usable = declare(m, "malloc_usable_size", i64t, &[ptr]);
    let measure = call(m, func, usable, vec![old]);
    let min = declare(m, "llvm.umin.i64", i64t, &[i64t, i64t]);
    let length = result(func, measure);
    let shorter = call(m, func, min, vec![length, size]);
    let malloc = declare(m, "malloc", ptr, &[i64t]);
    let fresh = call(m, func, malloc, vec![size]);
    func.insts[inst].kind = func.insts[fresh].kind.clone();
    let (new, length) = (result(func, inst), result(func, shorter));
    let memcpy = memcpy_intrinsic(m);
    let plain = m.int(1, 0);
    let copy = call(m, func, memcpy, vec![new, old, length, plain]);
    let free = declare(m, "free", void, &[ptr]);
    let release = call(m, func, free, vec![old]);
    vec![measure, shorter, inst, copy, release]
}

fn memcpy_call(m: &mut Module, to: Operand, from: Operand, ty: TypeId) -> InstKind {
    let memcpy = memcpy_intrinsic(m);
    let (ptr, i64t, i1) = (m.types.ptr(), m.types.int(64), m.types.int(1));
    let void = m.types.void();
    let fn_ty = m.types.intern(Type::Func { ret: void, params: vec![ptr, ptr, i64t, i1], vararg: false });
    let size = u128::from(m.size_of(ty));
    let args = vec![to, from, m.int(64, size), m.int(1, 0)];
    InstKind::Call(Box::new(builder::plain_call(m.function_address(memcpy), fn_ty, args, String::new())))
}

/// Leaves at most one `ret`: the others branch to a common exit block.
pub(crate) fn merge_returns(m: &mut Module, func: &mut Function) {
    let returns: Vec<(BlockId, InstId, Option<Operand>)> = func
        .layout
        .iter()
        .filter_map(|b| {
            let term = func.terminator(*b)?;
            match func.insts[term].kind {
                InstKind::Ret(value) => Some((*b, term, value)),
                _ => None,
            }
        })
        .collect();
    if returns.len() < 2 {
        return;
    }
    let void = m.types.void();
    let exit = func.add_block("exit");
    let incoming: Vec<(Operand, BlockId)> = returns.iter().filter_map(|(b, _, v)| v.map(|v| (v, *b))).collect();
    for (_, term, _) in &returns {
        func.insts[*term].kind = InstKind::Br(exit);
    }
    let value = (!incoming.is_empty()).then(|| {
        let phi = Inst::new(InstKind::Phi { fast: Default::default(), incoming }, func.ret);
        let id = func.append(exit, phi, true);
        func.insts[id].result.map(Operand::Local)
    });
    let mut ret = Inst::new(InstKind::Ret(value.flatten()), void);
    ret.loc = func.insts[returns[0].1].loc;
    func.append(exit, ret, false);
}

/// The block that returns, unless the function never does.
pub fn return_block(func: &Function) -> Option<BlockId> {
    func.layout
        .iter()
        .copied()
        .find(|b| func.terminator(*b).is_some_and(|t| matches!(func.insts[t].kind, InstKind::Ret(_))))
}
