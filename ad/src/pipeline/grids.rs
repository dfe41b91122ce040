//! Derivatives that the threads of a grid compute together: what a launch is the derivative of.
//!
//! `__enzyme_autodiff(f, …)` in a kernel asks for a part of a derivative in each thread; the whole is that of the
//! launch of a kernel that calls `f` in its place (Moses et al., SC'21, section 4). Where a kernel does nothing but to
//! make that call, two functions of a host are made, one that launches that kernel and one that launches the kernel of
//! the program, so that the one can be judged as the derivative of the other.

use crate::base::builder::Builder;
use crate::base::names::{copied, unique};
use crate::mode::Activity;
use crate::program::device;
use crate::program::externals::{External, classify};
use crate::request::autodiff::Request;
use crate::request::outcome::Grid;
use ir::hash::HashSet;
use ir::{Call, FuncId, Function, InstId, InstKind, Module, Operand, Type, TypeId};

/// `void (ptr kernel, i32 × 6 sizes of grid and block, i64 bytes of shared memory, …)`: launches a kernel and waits for
/// it (`docs/gpu.md`).
const LAUNCH: &str = "__adj_launch_shared";

/// What a launch of the caller of a request computes, if the caller does nothing else than to make the call.
pub(super) fn of(m: &mut Module, request: &Request) -> Option<Grid> {
    let kernel = request.caller;
    let plain = |activity: Activity| activity == Activity::Const || activity.is_dup();
    let returns = !matches!(m.types.get(m.functions[request.primal].ret), Type::Void) && !request.style.const_return;
    let numbers = request.arguments.iter().any(|a| a.activity.is_dup() && a.shadows.len() != 1);
    if device::is_of_device_alone(m)
        || !device::is_kernel(m, kernel)
        || request.width != 1
        || request.result.is_some()
        || request.style.primal_return
        || request.style.repeated.is_some()
        || returns
        || numbers
        || !request.arguments.iter().all(|argument| plain(argument.activity))
        || !only_calls(m, &m.functions[kernel], request.site)
    {
        return None;
    }
    let pairs: Vec<(String, Activity)> = request
        .arguments
        .iter()
        .zip(&m.functions[request.primal].params)
        .filter(|(argument, param)| argument.activity.is_dup() && m.types.is_ptr(param.ty))
        .map(|(argument, param)| (name_of(&m.functions[request.primal], param.value), argument.activity))
        .collect();
    let primal = calls_primal(m, request);
    let [of_primal, of_gradient] =
        [(primal, false), (kernel, true)].map(|(kernel, shadows)| launches(m, kernel, &pairs, shadows));
    let mut activities = vec![Activity::Const; m.functions[kernel].params.len()];
    activities.extend(pairs.iter().map(|(_, activity)| *activity));
    activities.extend([Activity::Const; SIZES]);
    Some(Grid { kernel, primal: of_primal, gradient: of_gradient, activities, pairs: pairs.len() })
}

/// Six sizes, and the bytes of shared memory.
const SIZES: usize = 7;

fn name_of(f: &Function, value: ir::ValueId) -> String {
    f.values[value].name.clone()
}

/// The kernel with a call of the function itself in the place of the request.
fn calls_primal(m: &mut Module, request: &Request) -> FuncId {
    let name = format!("{}_primal", m.functions[request.caller].name);
    let mut f = copied(m, &m.functions[request.caller], &name);
    let args = request.arguments.iter().map(|argument| argument.primal).collect();
    let callee = &m.functions[request.primal];
    let (ret, params) = (callee.ret, callee.params.iter().map(|p| p.ty).collect());
    let fn_ty = m.types.func(ret, params);
    let call = Call::plain(m.function_address(request.primal), fn_ty, args);
    f.insts[request.site].kind = InstKind::Call(Box::new(call));
    f.insts[request.site].ty = ret;
    m.functions.push(f)
}

/// A function of a host that launches a kernel: its parameters are those of the kernel, pointers that lead to what the
/// kernel differentiates, each with its shadow if there are any, and the sizes.
fn launches(m: &mut Module, kernel: FuncId, pairs: &[(String, Activity)], shadows: bool) -> FuncId {
    let (ptr, i32t, i64t, void) = (m.types.ptr(), m.types.int(32), m.types.int(64), m.types.void());
    let own: Vec<TypeId> = m.functions[kernel].params.iter().map(|p| p.ty).collect();
    let each = if shadows { 2 } else { 1 };
    let mut params = own.clone();
    params.extend(std::iter::repeat_n(ptr, each * pairs.len()));
    params.extend([i32t, i32t, i32t, i32t, i32t, i32t, i64t]);
    let name = unique(m, &format!("__adj_launch_of_{}", m.functions[kernel].name));
    let mut f = Function::new(&name, void, &params);
    f.flags.linkage = "internal".to_owned();
    for (n, (name, _)) in pairs.iter().enumerate() {
        let Operand::Local(param) = f.param(own.len() + each * n) else { continue };
        f.values[param].name.clone_from(name);
    }
    let launch = launch(m);
    let mut b = Builder::new(m, f);
    let sizes = params.len() - SIZES;
    let mut args = vec![b.m.function_address(kernel)];
    args.extend((sizes..params.len()).map(|n| b.f.param(n)));
    args.extend((0..own.len()).map(|n| b.f.param(n)));
    b.call(launch, args);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

fn launch(m: &mut Module) -> FuncId {
    let (ptr, i32t, i64t, void) = (m.types.ptr(), m.types.int(32), m.types.int(64), m.types.void());
    m.function(LAUNCH).unwrap_or_else(|| {
        let mut f = Function::new(LAUNCH, void, &[ptr, i32t, i32t, i32t, i32t, i32t, i32t, i64t]);
        f.vararg = true;
        m.functions.push(f)
    })
}

/// Does a kernel with plain parameters nothing but to compute the arguments of a call?
fn only_calls(m: &Module, f: &Function, site: InstId) -> bool {
    let plain = |ty: TypeId| matches!(m.types.get(ty), Type::Ptr(0) | Type::Int(_) | Type::Float(_));
    let variables: HashSet<Operand> = f
        .inst_order()
        .filter(|(_, inst)| matches!(f.insts[*inst].kind, InstKind::Alloca { .. }))
        .filter_map(|(_, inst)| f.insts[inst].result.map(Operand::Local))
        .collect();
    let harmless = |inst: InstId| match &f.insts[inst].kind {
        InstKind::Store { ptr, .. } => variables.contains(ptr),
        InstKind::Call(call) => {
            let callee = m.as_function(call.callee).map(|f| &m.functions[f]);
            callee.is_some_and(|f| matches!(classify(m, f), External::Inactive) && f.is_declaration())
        }
        InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } | InstKind::Invoke { .. } | InstKind::VaArg { .. } => {
            false
        }
        _ => true,
    };
    f.params.iter().all(|p| plain(p.ty) && !p.attrs.has("byval") && !p.attrs.has("byref"))
        && f.inst_order().all(|(_, inst)| inst == site || harmless(inst))
}
