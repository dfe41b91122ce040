//! `single copyprivate(…)`: what one thread has computed, all have (OpenMP 5.2, 5.7.2).
//!
//! `__kmpc_copyprivate(loc, thread, size, list, copy, did)` is met by all threads; those that have not executed the
//! region copy from what the list of the one that has leads to. It becomes
//!
//! ```text
//! mine = list; barrier; broadcast(&mine, did); if (!did) copy(list, mine); barrier;
//! ```
//!
//! The broadcast is that of an address ([`crate::runtime::broadcast`]), which is made for the shadow of the address,
//! too; the copies are calls of a function of the program, which has a derivative like any other. In the reverse pass
//! all of them add to the adjoints of the one thread, which goes on when they have.

use crate::base::builder::{Builder, plain_call};
use crate::base::names::{called_outside, declare, internal};
use crate::program::openmp::{BARRIER, COPYPRIVATE, THREAD};
use crate::runtime::broadcast;
use ir::{FuncId, Function, Inst, InstId, InstKind, IntPred, Module, Operand, TypeId};

/// Replaces the calls in a function.
pub fn lower(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            match copied_by(m, func, inst) {
                Some(copy) => out.extend(replace(m, func, inst, copy)),
                None => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
}

/// The function that copies, if the instruction is such a call.
fn copied_by(m: &Module, func: &Function, inst: InstId) -> Option<FuncId> {
    let callee = called_outside(m, &func.insts[inst])?;
    let call = func.insts[inst].kind.as_call()?;
    let copy = m.as_function(*call.args.get(4)?).filter(|f| !m.functions[*f].is_declaration())?;
    (callee.name == COPYPRIVATE && call.args.len() == 6).then_some(copy)
}

fn replace(m: &mut Module, func: &mut Function, inst: InstId, copy: FuncId) -> Vec<InstId> {
    let Some(args) = func.insts[inst].kind.as_call().map(|call| call.args.clone()) else { return Vec::new() };
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let (list, did) = (args[3], args[5]);
    let kind = InstKind::Alloca { elem_ty: ptr, count: None, align: 8, addr_space: 0, inalloca: false };
    let slot = func.create_inst(Inst::new(kind, ptr), true);
    let entry = func.entry();
    func.blocks[entry].insts.insert(0, slot);
    let mine = func.insts[slot].result.map_or(list, Operand::Local);
    let mut out = Vec::new();
    // The entry is being made anew if the call is there.
    if func.blocks[entry].insts.contains(&inst) {
        out.push(slot);
    }
    let mut push = |func: &mut Function, kind: InstKind, ty: TypeId| {
        let mut new = Inst::new(kind, ty);
        new.loc = func.insts[inst].loc;
        let id = func.create_inst(new, ty != void);
        out.push(id);
        func.insts[id].result.map_or(list, Operand::Local)
    };
    let barrier = declare(m, BARRIER, void, &[ptr, i32t]);
    let i64t = m.types.int(64);
    let runtime = declare(m, COPYPRIVATE, void, &[ptr, i32t, i64t, ptr, ptr, i32t]);
    let thread = declare(m, THREAD, i32t, &[ptr]);
    let (broadcast, copies) = (broadcast::broadcast(m, [thread, runtime]), copies(m, copy));
    let call = |m: &mut Module, f: FuncId, args: Vec<Operand>, params: &[TypeId]| {
        let fn_ty = m.types.func(void, params.to_vec());
        InstKind::Call(Box::new(plain_call(m.function_address(f), fn_ty, args, String::new())))
    };
    push(func, InstKind::Store { value: list, ptr: mine, align: 8, volatile: false, atomic: None }, void);
    let wait = call(m, barrier, args[..2].to_vec(), &[ptr, i32t]);
    push(func, wait.clone(), void);
    let told = call(m, broadcast, vec![mine, did], &[ptr, i32t]);
    push(func, told, void);
    let from = push(func, InstKind::Load { ptr: mine, align: 8, volatile: false, atomic: None }, ptr);
    let copied = call(m, copies, vec![list, from, did], &[ptr, ptr, i32t]);
    push(func, copied, void);
    push(func, wait, void);
    out
}

/// `void (ptr to, ptr from, i32 did)`: copies, unless it did.
fn copies(m: &mut Module, copy: FuncId) -> FuncId {
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let name = format!("__adj_copies_{}", m.functions[copy].name);
    let f = match internal(m, &name, void, &[ptr, ptr, i32t]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    let [to, from, did] = [0, 1, 2].map(|i| b.f.param(i));
    let zero = b.m.zero(i32t);
    let [other, done] = ["other", "done"].map(|name| b.f.add_block(name));
    let is_other = b.icmp(IntPred::Eq, did, zero);
    b.cond_br(is_other, other, done);
    b.at = other;
    b.call(copy, vec![to, from]);
    b.br(done);
    b.at = done;
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
