//! `__enzyme_batch` and `__enzyme_virtualreverse`: calls that rearrange functions and differentiate nothing.
//!
//! `__enzyme_batch(f, enzyme_width, n, …)` calls `f` on n sets of arguments and returns the n results. `enzyme_vector`
//! (the default) is followed by the n values of an argument, `enzyme_scalar` by the one that all calls share. The calls
//! are made one after the other: what vector instructions do of them is LLVM's business.
//!
//! `__enzyme_virtualreverse(f)` gives the shadow of a function pointer, for shadow tables of virtual functions. Here
//! the function called is known by its address in the reverse pass, so that a function pointer is its own shadow.

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::error::{Diagnostic, Reason, Refused};
use crate::program::pieces;
use crate::request::call_site::Site;
use crate::request::entry_points::{BATCH, VIRTUAL, is_batch};
use crate::request::{call_site, grouped, markers};
use ir::{Call, FuncId, Function, InstId, InstKind, Module, Operand, TypeId};

/// Replaces the calls of a module; returns those that are refused.
pub fn replace_all(m: &mut Module) -> Vec<Refused> {
    let mut sites: Vec<(FuncId, InstId, bool)> = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let callee = func.insts[site].kind.as_call().and_then(|call| m.as_function(call.callee));
            let name = callee.map_or("", |f| m.functions[f].name.as_str());
            if is_batch(name) {
                sites.push((caller, site, name.contains(BATCH)));
            }
        }
    }
    let mut refused = Vec::new();
    for (caller, site, is_batch) in sites {
        let Some(call) = m.functions[caller].insts[site].kind.as_call().cloned() else { continue };
        let made = if is_batch { batch(m, caller, &call) } else { shadow(m, caller, &call) };
        let diagnostic = match made {
            Err(message) => {
                let reason = if message.starts_with("unsupported") { Reason::Unsupported } else { Reason::Misuse };
                Some(Diagnostic::at(m, &m.functions[caller], site, reason, message))
            }
            Ok((function, values, result)) => {
                call_site::call(m, Site { caller, inst: site, result }, function, values).err()
            }
        };
        refused.extend(diagnostic.map(|d| (caller, site, d)));
    }
    refused
}

/// The function to call, the values to call it with, and where its result is stored.
type Made = (FuncId, Vec<Operand>, Option<Operand>);

fn begin<'m>(m: &'m mut Module, name: String, ret: TypeId, params: &[TypeId]) -> Builder<'m> {
    let mut f = Function::new(&unique(m, &name), ret, params);
    f.flags.linkage = "internal".to_owned();
    Builder::new(m, f)
}

fn shadow(m: &mut Module, caller: FuncId, call: &Call) -> Result<Made, String> {
    let func = &m.functions[caller];
    let primal = markers::function_argument(m, func, call.args.first().copied(), VIRTUAL)?;
    if call.args.len() > 1 {
        return Err(format!("too many arguments for `{VIRTUAL}`"));
    }
    let (ptr, address) = (m.types.ptr(), m.function_address(primal));
    let name = format!("__adj_shadow_of_{}", m.functions[primal].name);
    let mut b = begin(m, name, ptr, &[]);
    b.effect(InstKind::Ret(Some(address)));
    let f = b.f;
    Ok((m.functions.push(f), Vec::new(), None))
}

fn batch(m: &mut Module, caller: FuncId, call: &Call) -> Result<Made, String> {
    let func = &m.functions[caller];
    let mut args = call.args.clone().into_iter().peekable();
    let result = if call.arg_attrs.first().is_some_and(|a| a.has("sret")) { args.next() } else { None };
    let primal = markers::function_argument(m, func, args.next(), BATCH)?;
    let f = &m.functions[primal];
    if f.params.iter().any(|p| p.attrs.has("sret") || p.attrs.has("byval")) {
        return Err(format!("unsupported: `{}` takes or returns a structure through memory", f.name));
    }
    let width =
        markers::batch_width(m, func, &mut args)?.ok_or("`enzyme_width` and the number of calls are missing")?;
    let mut values = Vec::new();
    let mut shared = Vec::new();
    let together = pieces::beginnings(m, f);
    for (i, param) in f.params.iter().enumerate() {
        let which = format!("argument {} of `{}`", i + 1, f.name);
        let marker = args.peek().and_then(|arg| markers::marker_name(m, func, *arg));
        let scalar = match marker.as_deref() {
            None | Some("enzyme_vector") => false,
            Some("enzyme_scalar") => true,
            Some(other) => return Err(format!("unsupported: the marker `{other}` of a batch is not implemented")),
        };
        if together[i] > 1 {
            let given = (args.clone(), marker.is_some(), if scalar { 1 } else { width });
            let ordered = grouped::batch_in_order(m, func, together[i], given);
            args = ordered.map_or(args, |ordered| ordered.into_iter().peekable());
        }
        if marker.is_some() {
            args.next();
        }
        for _ in 0..if scalar { 1 } else { width } {
            let value = args.next().ok_or_else(|| format!("too few arguments: a value of {which} is missing"))?;
            markers::check_type(m, func, value, param.ty, &which)?;
            values.push(value);
        }
        shared.push(scalar);
    }
    if args.next().is_some() {
        return Err(format!("too many arguments for {width} calls of `{}`", f.name));
    }
    let function = batched(m, primal, width, &shared);
    Ok((function, values, result))
}

/// A function that calls `primal` as often, and returns the results.
fn batched(m: &mut Module, primal: FuncId, width: usize, shared: &[bool]) -> FuncId {
    let f = &m.functions[primal];
    let (name, ret) = (format!("__adj_batch_{}", f.name), f.ret);
    let types: Vec<TypeId> = f.params.iter().map(|p| p.ty).collect();
    let mut params = Vec::new();
    let mut first = Vec::new();
    for (ty, shared) in types.iter().zip(shared) {
        first.push(params.len());
        params.extend(vec![*ty; if *shared { 1 } else { width }]);
    }
    let void = m.types.void();
    let all = if ret == void { void } else { m.types.tuple(vec![ret; width]) };
    let mut b = begin(m, name, all, &params);
    let mut results = (ret != void).then(|| b.m.constant(all, ir::ConstKind::Poison));
    for n in 0..width {
        let place = |(first, shared): (&usize, &bool)| if *shared { *first } else { first + n };
        let args = first.iter().zip(shared).map(place).map(|i| b.f.param(i)).collect();
        if let (Some(value), Some(whole)) = (b.call(primal, args), results) {
            results = Some(b.insert(whole, value, n as u32));
        }
    }
    b.effect(InstKind::Ret(results));
    let f = b.f;
    m.functions.push(f)
}
