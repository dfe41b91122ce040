//! Teams of threads: each thread executes the tangent of the outlined function.
//!
//! The tangent of a function that forks has been emitted as that of any function: it calls the tangent of the outlined
//! function, with numbers of one thread. That call moves into a function that the threads of a team execute.

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::error::{Diagnostic, Reason};
use crate::normalise::fork::{call_in, runtime_of};
use crate::program::openmp::{self, ADVICE};
use ir::{FuncId, Function, InstKind, Module, Operand, TypeId, ValueId};

/// Makes a function that forks of one that does what a single thread does. `fork` is the program's own.
pub(super) fn fork(m: &mut Module, fork: FuncId, each: Function) -> Result<Function, Diagnostic> {
    let bug = |m: &Module, what: &str| Err(Diagnostic::of(m, &m.functions[fork], Reason::Bug, what));
    let Some((runtime, place, _)) = runtime_of(m, fork) else { return bug(m, "a fork that forks nothing") };
    let given = |inst: ir::InstId, named: bool| {
        let call = each.insts[inst].kind.as_call()?;
        let callee = m.as_function(call.callee)?;
        ((m.functions[callee].name == openmp::NUMBERS) == named).then(|| (callee, call.args.clone()))
    };
    let called = |named| each.inst_order().find_map(|(_, inst)| given(inst, named));
    let (Some((_, numbers)), Some((tangent, args))) = (called(true), called(false)) else {
        return bug(m, "a fork of threads that call nothing");
    };
    let params: Vec<TypeId> = each.params.iter().map(|p| p.ty).collect();
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let all: Vec<TypeId> = [ptr, ptr].into_iter().chain(params.iter().copied()).collect();
    let mut team = Function::new(&unique(m, &format!("{}.team", each.name)), void, &all);
    team.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, team);
    let parameter = |v: ValueId| each.params.iter().position(|p| p.value == v);
    let moved: Vec<Operand> = args
        .iter()
        .map(|arg| match arg.local() {
            None => *arg,
            Some(v) => match (numbers.iter().position(|n| n == arg), parameter(v)) {
                (Some(number), _) => b.f.param(number),
                (None, Some(i)) => b.f.param(2 + i),
                // The shadow of a number of a thread, to which nothing is ever written.
                (None, None) => b.f.param(0),
            },
        })
        .collect();
    b.call(tangent, moved);
    b.effect(InstKind::Ret(None));
    let team = b.f;
    let team = m.functions.push(team);
    let mut f = Function::new(&each.name, void, &params);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let (count, body) = (b.m.int(32, params.len() as u128), b.m.function_address(team));
    let given = (0..params.len()).map(|i| b.f.param(i));
    let args = [place, count, body].into_iter().chain(given).collect();
    b.call(runtime, args);
    b.effect(InstKind::Ret(None));
    Ok(b.f)
}

/// What the tangents of threads cannot do.
pub(super) fn refuse(m: &Module, fork: &Function, pooled: bool, own: bool) -> Result<(), Diagnostic> {
    let at = call_in(m, fork).map(|(inst, _)| inst);
    let refuse = |message: &str| {
        let message = format!("{message}: {ADVICE}");
        Err(match at {
            Some(at) => Diagnostic::at(m, fork, at, Reason::Unsupported, message),
            None => Diagnostic::of(m, fork, Reason::Unsupported, message),
        })
    };
    match (pooled, own) {
        (true, _) => refuse("an allocator of the program's own, where threads or tasks are made, in forward mode"),
        (_, true) => refuse("an active variable of which each thread has its own, in forward mode"),
        _ => Ok(()),
    }
}
