//! What only the first of all threads is to execute, and the others wait for: `pthread_once`, `call_once` of C and of
//! C++.
//!
//! | before | after |
//! |---|---|
//! | `pthread_once(&flag, f)` | who finds the flag clear and sets it calls `f` and sets it to 2; others look until it is 2 |
//!
//! (2 is what glibc leaves there, `nptl/pthread_onceP.h`.) These accesses are atomic, and so of sections of the flag
//! whose order is known ([`crate::normalise::atomics`]).
//!
//! `std::call_once` of libstdc++ gives the library a function that calls what is in a variable of the thread. Here,
//! that is called. What it then works on lies in a second variable, one for all that is ever called once: here each
//! such function has one of its own, so that none seems to work on what another one does.

use crate::base::blocks;
use crate::base::builder::plain_call;
use crate::base::names::declare;
use crate::program::threads::{ONCE_CALL, ONCE_CALLABLE, ONCE_CALLABLES, ONCE_PROXY};
use ir::{
    Atomic, BlockId, ConstKind, FuncId, Function, Global, GlobalId, InstId, InstKind, IntPred, Module, Operand,
    Ordering, TypeId,
};
use std::collections::BTreeSet;

/// Functions that get a flag and what is to be called once.
const ONCE: [&str; 2] = ["pthread_once", "call_once"];
/// What stands before the first of them in the headers of libstdc++ (`gthr-posix.h`).
const IN_HEADERS: &str = "_ZL14__gthread_oncePiPFvvE";

/// What the flag holds when all has been done.
const DONE: u128 = 2;

/// Replaces the calls in a function.
pub fn lower(m: &mut Module, id: FuncId, func: &mut Function) {
    if let Some(callable) = m.global(ONCE_CALLABLE) {
        keep_apart(m, (id, func), callable);
    }
    let mut work: Vec<BlockId> = func.layout.clone();
    while let Some(block) = work.pop() {
        let insts = &func.blocks[block].insts;
        let found = insts.iter().enumerate().find_map(|(at, inst)| Some((at, called(m, func, *inst)?)));
        if let Some((at, (flag, body))) = found {
            let inst = func.blocks[block].insts[at];
            work.push(Once { m: &mut *m, func: &mut *func, like: inst }.write_out((block, at), flag, body));
        }
    }
}

/// Where the function, as it is in the program, first has something called once.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    func.inst_order().map(|(_, inst)| inst).find(|inst| called(m, func, *inst).is_some())
}

/// The flag, and the function that is to be called once.
fn called(m: &Module, func: &Function, inst: InstId) -> Option<(Operand, Operand)> {
    let call = func.insts[inst].kind.as_call()?;
    let callee = &m.functions[m.as_function(call.callee)?];
    let [flag, body] = call.args[..] else { return None };
    // A program may have a function of its own under that name.
    let once = callee.is_declaration() && ONCE.contains(&callee.name.as_str()) || callee.name == IN_HEADERS;
    (once && m.as_function(body).is_some()).then_some((flag, body))
}

/// What the functions work on that are called once: each has a variable of its own.
fn keep_apart(m: &mut Module, (id, func): (FuncId, &mut Function), callable: GlobalId) {
    let Some(pairs) = pairs(m) else { return };
    let mut own: Vec<(InstId, FuncId)> =
        pairs.into_iter().filter(|((at, _), _)| *at == id).map(|((_, i), f)| (i, f)).collect();
    let reads = |inst: &InstId| match &func.insts[*inst].kind {
        InstKind::Load { ptr, .. } => variable(m, func, *ptr) == Some(callable),
        _ => false,
    };
    let reads: Vec<InstId> = func.inst_order().map(|(_, inst)| inst).filter(reads).collect();
    match (reads.is_empty(), reader(m, id)) {
        (false, Some(called)) => own.extend(reads.into_iter().map(|inst| (inst, called))),
        (false, None) => return,
        (true, _) => {}
    }
    for (inst, called) in own {
        let variable = variable_of(m, called, callable);
        let address = m.global_address(variable);
        if let InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } = &mut func.insts[inst].kind {
            *ptr = address;
        }
    }
}

/// The stores of what a function is to work on, in all functions of the module, with the function; nothing unless all
/// of them tell.
fn pairs(m: &Module) -> Option<Vec<((FuncId, InstId), FuncId)>> {
    let (call, callable) = (m.global(ONCE_CALL)?, m.global(ONCE_CALLABLE)?);
    let mut out = Vec::new();
    for (id, func) in m.functions.iter() {
        for block in &func.layout {
            let mut left = None;
            for inst in &func.blocks[*block].insts {
                let InstKind::Store { value, ptr, .. } = func.insts[*inst].kind else { continue };
                let cleared = m.as_constant(value).is_some_and(|c| matches!(c.kind, ConstKind::Null | ConstKind::Zero));
                match variable(m, func, ptr) {
                    Some(to) if to == callable && !cleared => left = Some(*inst),
                    Some(to) if to == call && !cleared => {
                        let called = function(m, func, value)?;
                        reader(m, called).filter(|reader| *reader == called)?;
                        out.push(((id, left.take()?), called));
                    }
                    _ => {}
                }
            }
            if left.is_some() {
                return None;
            }
        }
    }
    Some(out)
}

/// The function called once for which another one, or itself, asks what to work on: the only one that calls it.
fn reader(m: &Module, id: FuncId) -> Option<FuncId> {
    let (call, mut found) = (m.global(ONCE_CALL)?, BTreeSet::new());
    for (_, func) in m.functions.iter() {
        for (_, inst) in func.inst_order() {
            let InstKind::Store { value, ptr, .. } = func.insts[inst].kind else { continue };
            let Some(called) = function(m, func, value).filter(|_| variable(m, func, ptr) == Some(call)) else {
                continue;
            };
            let body = &m.functions[called];
            let calls = |inst| body.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee)) == Some(id);
            if called == id || body.inst_order().any(|(_, inst)| calls(inst)) {
                found.insert(called);
            }
        }
    }
    (found.len() == 1).then(|| found.pop_first()).flatten()
}

/// The function that a value is, perhaps as a lambda gives it that is converted to a pointer.
fn function(m: &Module, func: &Function, value: Operand) -> Option<FuncId> {
    let Some(v) = value.local() else { return m.as_function(value) };
    let converts = m.as_function(func.insts[func.def_inst(v)?].kind.as_call()?.callee)?;
    let body = &m.functions[converts];
    let mut given = body.inst_order().filter_map(|(_, inst)| match body.insts[inst].kind {
        InstKind::Ret(Some(value)) => Some(value),
        _ => None,
    });
    given.next().filter(|_| given.next().is_none()).and_then(|value| m.as_function(value))
}

/// The variable that an address is of.
fn variable(m: &Module, func: &Function, address: Operand) -> Option<GlobalId> {
    let inst = address.local().and_then(|v| func.def_inst(v));
    let asked = inst.and_then(|inst| func.insts[inst].kind.as_call()).filter(|call| {
        let callee = m.as_function(call.callee).map(|f| m.functions[f].name.as_str());
        callee.is_some_and(|name| name.starts_with("llvm.threadlocal.address."))
    });
    match m.as_constant(asked.map_or(address, |call| call.args[0]))?.kind {
        ConstKind::Global(global) => Some(global),
        _ => None,
    }
}

/// The variable in which a function finds what it works on.
fn variable_of(m: &mut Module, called: FuncId, callable: GlobalId) -> GlobalId {
    let name = format!("{ONCE_CALLABLES}{}", m.functions[called].name);
    if let Some(known) = m.global(&name) {
        return known;
    }
    let like = m.globals[callable].clone();
    let null = m.zero(like.ty).constant();
    let mut global = Global::new(&name, like.ty, null);
    global.flags.linkage = "internal".to_owned();
    (global.thread_local, global.align) = (like.thread_local, like.align);
    m.globals.push(global)
}

struct Once<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    /// The call.
    like: InstId,
}

impl Once<'_> {
    fn push(&mut self, block: BlockId, kind: InstKind, ty: TypeId) -> Option<Operand> {
        let id = blocks::like(self.m, self.func, self.like, kind, ty);
        self.func.blocks[block].insts.push(id);
        self.func.insts[id].result.map(Operand::Local)
    }

    /// Puts what a call of `body` does in the place of the instruction; gives the block behind it.
    fn write_out(&mut self, (block, at): (BlockId, usize), flag: Operand, body: Operand) -> BlockId {
        let (void, ptr) = (self.m.types.void(), self.m.types.ptr());
        let (i1, i32t) = (self.m.types.int(1), self.m.types.int(32));
        let rest = blocks::split(self.func, block, at + 1, "once.done");
        self.func.blocks[block].insts.pop();
        let [look, set, run, other] = ["look", "set", "run", "other"].map(|n| self.func.add_block(n));
        self.push(block, InstKind::Br(look), void);
        let atomic = |ordering| Some(Atomic { ordering, scope: String::new() });
        let load = InstKind::Load { ptr: flag, align: 4, volatile: false, atomic: atomic(Ordering::Acquire) };
        let [zero, one, done] = [0, 1, DONE].map(|n| self.m.int(32, n));
        let none = self.m.int(1, 0);
        let shown = self.push(look, load, i32t).unwrap_or(zero);
        let over = self.push(look, InstKind::ICmp { pred: IntPred::Eq, lhs: shown, rhs: done }, i1).unwrap_or(none);
        self.push(look, InstKind::CondBr { cond: over, then_to: rest, else_to: set }, void);
        let pair = self.m.types.tuple(vec![i32t, i1]);
        let exchange = InstKind::CmpXchg {
            ptr: flag,
            expected: zero,
            new: one,
            align: 4,
            weak: false,
            volatile: false,
            success: Ordering::AcqRel,
            failure: Ordering::Acquire,
            scope: String::new(),
        };
        let found = self.push(set, exchange, pair).unwrap_or(zero);
        let ours = InstKind::ExtractValue { aggregate: found, indices: vec![1] };
        let ours = self.push(set, ours, i1).unwrap_or(none);
        self.push(set, InstKind::CondBr { cond: ours, then_to: run, else_to: other }, void);
        let mut body = body;
        let proxy = self.m.as_function(body).is_some_and(|f| self.m.functions[f].name == ONCE_PROXY);
        if let Some(left) = self.m.global(ONCE_CALL).filter(|_| proxy) {
            let left = self.m.global_address(left);
            let load = InstKind::Load { ptr: left, align: 8, volatile: false, atomic: None };
            body = self.push(run, load, ptr).unwrap_or(body);
        }
        let fn_ty = self.m.types.func(void, Vec::new());
        let call = plain_call(body, fn_ty, Vec::new(), String::new());
        self.push(run, InstKind::Call(Box::new(call)), void);
        let atomic = atomic(Ordering::Release);
        self.push(run, InstKind::Store { value: done, ptr: flag, align: 4, volatile: false, atomic }, void);
        self.push(run, InstKind::Br(rest), void);
        let give_way = declare(self.m, "sched_yield", i32t, &[]);
        let fn_ty = self.m.types.func(i32t, Vec::new());
        let call = plain_call(self.m.function_address(give_way), fn_ty, Vec::new(), String::new());
        self.push(other, InstKind::Call(Box::new(call)), i32t);
        self.push(other, InstKind::Br(look), void);
        // It says that all went well.
        if let Some(result) = self.func.insts[self.like].result {
            blocks::replace_uses(self.func, result, zero);
        }
        rest
    }
}
