//! Checkpointing:
//! `__enzyme_checkpoint_for(step, from, to, schedule, number, state, bytes, parameters, parameter_bytes)`.
//!
//! The call executes `step(i, state, parameters)` for each `i` from `from` below `to`; the header `adj.h` defines it
//! so. What a step changes is the state, `bytes` long; what it reads besides are the parameters. The call becomes that
//! of a function with a gradient of its own ([`crate::program::custom_rule`]), one for each step function:
//!
//! - its augmented forward and its reverse are those of the library (`checkpoint.c`), which keep snapshots of the
//!   state, execute steps again from them, and reverse one step at a time: they get the step and its reverse as
//!   pointers;
//! - the reverse of a step is a differentiated call of its own: of the step on a copy of the state.
//!
//! That a step may be executed again, from a copy of its state and a copy of its parameters, is checked where that call
//! is carried out ([`crate::analysis::repeatable`]).

use crate::base::builder::Builder;
use crate::base::names::{declare, unique};
use crate::error::{Diagnostic, Reason, Refused};
use crate::program::attributes::{self, LOOP_PREFIX};
use ir::{Call, FuncId, Function, Global, InstId, InstKind, Module, Operand, TypeId};
use std::collections::BTreeMap;

/// The function that executes the loop.
pub const LOOP: &str = "__enzyme_checkpoint_for";

/// The passes of the library.
const FORWARD: &str = "__adj_checkpoint_forward";
const REVERSE: &str = "__adj_checkpoint_reverse";

/// The differentiated call of a step.
pub const STEP: &str = "__enzyme_autodiff_adj_step";

/// Parameter of a loop with checkpoints: its state.
pub const STATE: usize = 4;
/// Parameter of a loop with checkpoints: what its steps only read.
pub const PARAMETERS: usize = 6;

/// Replaces the calls of a module; returns those that are not understood.
pub fn apply(m: &mut Module) -> Vec<Refused> {
    let mut sites: Vec<(FuncId, InstId, Call)> = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let Some(call) = func.insts[site].kind.as_call() else { continue };
            if m.as_function(call.callee).is_some_and(|f| m.functions[f].name == LOOP) {
                sites.push((caller, site, call.clone()));
            }
        }
    }
    let (mut refused, mut made) = (Vec::new(), BTreeMap::new());
    for (caller, site, call) in sites {
        match replaced(m, &mut made, caller, call) {
            Ok(call) => {
                if let Some(old) = m.functions[caller].insts[site].kind.as_call_mut() {
                    *old = call;
                }
            }
            Err(message) => {
                let diagnostic = Diagnostic::at(m, &m.functions[caller], site, Reason::Misuse, message);
                refused.push((caller, site, diagnostic));
            }
        }
    }
    refused
}

/// Types of the parameters that follow the step.
fn parameters(m: &mut Module) -> Vec<TypeId> {
    let (ptr, i64t, i32t) = (m.types.ptr(), m.types.int(64), m.types.int(32));
    vec![i64t, i64t, i32t, i64t, ptr, i64t, ptr, i64t]
}

fn replaced(
    m: &mut Module,
    made: &mut BTreeMap<FuncId, FuncId>,
    caller: FuncId,
    mut call: Call,
) -> Result<Call, String> {
    let params = parameters(m);
    let types: Vec<TypeId> = call.args.iter().skip(1).map(|arg| m.operand_ty(&m.functions[caller], *arg)).collect();
    let library = [LOOP, FORWARD, REVERSE].map(|name| m.function(name).filter(|f| !m.functions[*f].is_declaration()));
    let [Some(body), Some(forward), Some(reverse)] = library else {
        return Err(format!("`{LOOP}` needs the definition that `adj.h` gives"));
    };
    let step = call.args.first().and_then(|step| m.as_function(*step));
    let step = step.ok_or_else(|| format!("`{LOOP}` needs the name of a function as its first argument"))?;
    if types != params {
        return Err(format!(
            "`{LOOP}` takes a step, from, to, a schedule, a number, the state, its bytes, the parameters, their bytes"
        ));
    }
    let f = &m.functions[step];
    let (i64t, ptr, void) = (params[0], params[STATE], m.types.void());
    if f.is_declaration() || f.ret != void || !f.params.iter().map(|p| p.ty).eq([i64t, ptr, ptr]) {
        let name = &f.name;
        return Err(format!(
            "`{name}` is no step of a loop: that is a function (long, void *, const void *) with a body"
        ));
    }
    let function = match made.get(&step) {
        Some(function) => *function,
        None => {
            let function = looped(m, step, (body, forward, reverse), &params);
            made.insert(step, function);
            function
        }
    };
    call.fn_ty = m.types.func(void, params);
    call.callee = m.function_address(function);
    call.args.remove(0);
    call.arg_attrs.remove(0);
    Ok(call)
}

/// A function that executes all steps, with its gradient.
fn looped(
    m: &mut Module,
    step: FuncId,
    (body, forward, reverse): (FuncId, FuncId, FuncId),
    params: &[TypeId],
) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let name = m.functions[step].name.clone();
    let step_address = m.function_address(step);
    let begin = |m: &mut Module, name: String, ret: TypeId, params: &[TypeId]| {
        let mut f = Function::new(&unique(m, &name), ret, params);
        f.flags.linkage = "internal".to_owned();
        f.attrs = f.attrs.flag("noinline");
        f
    };
    let end = |mut b: Builder, value: Option<Operand>| {
        b.effect(InstKind::Ret(value));
        let f = b.f;
        b.m.functions.push(f)
    };

    let f = begin(m, format!("{LOOP_PREFIX}{name}"), void, params);
    let mut b = Builder::new(m, f);
    let args = std::iter::once(step_address).chain((0..params.len()).map(|i| b.f.param(i))).collect();
    b.call(body, args);
    let looped = end(b, None);

    // Each pointer is followed by its shadow.
    let doubled: Vec<TypeId> = params.iter().flat_map(|ty| vec![*ty; if *ty == ptr { 2 } else { 1 }]).collect();
    let [from, to, schedule, number, state, shadow, bytes, parameters, parameter_shadow, parameter_bytes] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let f = begin(m, format!("__adj_loop_forward_{name}"), ptr, &doubled);
    let mut b = Builder::new(m, f);
    let given = [from, to, schedule, number, state, bytes, parameters, parameter_bytes];
    let args = std::iter::once(step_address).chain(given.map(|i| b.f.param(i))).collect();
    let tape = b.call(forward, args);
    let augmented = end(b, tape);

    let step_reverse = step_reverse(m, step, begin);
    let step_reverse = m.function_address(step_reverse);
    let f = begin(m, format!("__adj_loop_reverse_{name}"), void, &[doubled.as_slice(), &[ptr]].concat());
    let mut b = Builder::new(m, f);
    let given = [to, state, shadow, bytes, parameters, parameter_shadow, parameter_bytes, doubled.len()];
    let args = [step_address, step_reverse].into_iter().chain(given.map(|i| b.f.param(i))).collect();
    b.call(reverse, args);
    let reversed = end(b, None);
    attributes::give_gradient(m, looped, augmented, reversed);
    looped
}

/// `void (long, state, its shadow, parameters, their shadow)`: the gradient of one step.
fn step_reverse(
    m: &mut Module,
    step: FuncId,
    begin: impl Fn(&mut Module, String, TypeId, &[TypeId]) -> Function,
) -> FuncId {
    let (ptr, i64t, i32t, void) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.void());
    let marker = |m: &mut Module, name: &str| {
        let known = m.global(name);
        let global = known.unwrap_or_else(|| m.globals.push(Global::new(name, i32t, None)));
        m.global_address(global)
    };
    let (constant, dup) = (marker(m, "enzyme_const"), marker(m, "enzyme_dup"));
    let autodiff = declare(m, STEP, void, &[ptr, ptr, i64t, ptr, ptr, ptr, ptr, ptr, ptr]);
    let (name, step) = (m.functions[step].name.clone(), m.function_address(step));
    let f = begin(m, format!("__adj_step_reverse_{name}"), void, &[i64t, ptr, ptr, ptr, ptr]);
    let mut b = Builder::new(m, f);
    let [i, state, shadow, parameters, parameter_shadow] = [0, 1, 2, 3, 4].map(|i| b.f.param(i));
    b.call(autodiff, vec![step, constant, i, dup, state, shadow, dup, parameters, parameter_shadow]);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
