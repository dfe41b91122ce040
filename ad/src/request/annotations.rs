//! Brings the calls by which a program tells something ([`crate::program::annotations`]) into the form that the later
//! passes read.

use crate::base::builder::Builder;
use crate::base::names;
use crate::error::{Diagnostic, Reason, Refused};
use crate::program::annotations::{INACTIVE, ITER, TELLS, TYPES};
use crate::program::type_attributes;
use crate::request::markers;
use ir::{Attr, AttrValue, Call, FuncId, Function, InstId, InstKind, Module, Operand, Type};
use std::collections::BTreeMap;

/// Brings the calls of a module into the form that the later passes read; returns those that are not understood.
pub fn apply(m: &mut Module) -> Vec<Refused> {
    type_attributes::apply(m);
    for id in m.functions.keys().collect::<Vec<_>>() {
        let func = &m.functions[id];
        let found = TYPES.iter().find(|(name, ..)| func.name.contains(name)).filter(|_| func.is_declaration());
        if let Some((name, ..)) = found {
            let body = empty(m, id, name);
            m.functions[id] = body;
        } else if func.name.contains(ITER)
            && func.is_declaration()
            && func.params.first().map(|p| p.ty) == Some(func.ret)
        {
            let body = first_argument(m, id);
            m.functions[id] = body;
        }
    }
    let mut sites: Vec<(FuncId, InstId, Call)> = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let Some(call) = func.insts[site].kind.as_call() else { continue };
            if m.as_function(call.callee).is_some_and(|f| m.functions[f].name.contains(INACTIVE)) {
                sites.push((caller, site, call.clone()));
            }
        }
    }
    let (mut refused, mut wrappers) = (Vec::new(), BTreeMap::new());
    for (caller, site, call) in sites {
        match direct(m, &mut wrappers, (caller, site), call) {
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

/// The call that `__enzyme_call_inactive` stands for.
fn direct(
    m: &mut Module,
    wrappers: &mut BTreeMap<FuncId, FuncId>,
    (caller, site): (FuncId, InstId),
    mut call: Call,
) -> Result<Call, String> {
    let func = &m.functions[caller];
    let callee = markers::function_argument(m, func, call.args.first().copied(), INACTIVE)?;
    let f = &m.functions[callee];
    let types = call.args[1..].iter().map(|a| m.operand_ty(func, *a));
    if f.vararg || !types.eq(f.params.iter().map(|p| p.ty)) || f.ret != func.insts[site].ty {
        return Err(format!("the arguments or the result of `{INACTIVE}` are not those of `{}`", f.name));
    }
    let wrapper = match wrappers.get(&callee) {
        Some(wrapper) => *wrapper,
        None => {
            let made = wrapped(m, callee);
            *wrappers.entry(callee).or_insert(m.functions.push(made))
        }
    };
    let (ret, params) = (m.functions[wrapper].ret, m.functions[wrapper].params.iter().map(|p| p.ty).collect());
    call.fn_ty = m.types.func(ret, params);
    call.callee = m.function_address(wrapper);
    call.args.remove(0);
    call.arg_attrs.remove(0);
    Ok(call)
}

/// A function without derivative that calls `callee`.
fn wrapped(m: &mut Module, callee: FuncId) -> Function {
    let (name, ret) = (m.functions[callee].name.clone(), m.functions[callee].ret);
    let params: Vec<_> = m.functions[callee].params.iter().map(|p| p.ty).collect();
    let mut f = Function::new(&names::unique(m, &format!("__adj_inactive_{name}")), ret, &params);
    f.flags.linkage = "internal".to_owned();
    names::make_inactive(&mut f);
    let args = f.params.iter().map(|p| Operand::Local(p.value)).collect();
    let mut b = Builder::new(m, f);
    let result = b.call(callee, args);
    b.effect(InstKind::Ret(result));
    b.f
}

/// A function of the same name and type, whose body is still to be written.
fn defined(declared: &Function) -> Function {
    let params: Vec<_> = declared.params.iter().map(|p| p.ty).collect();
    let mut f = Function::new(&declared.name, declared.ret, &params);
    f.vararg = declared.vararg;
    f.flags.linkage = "internal".to_owned();
    f
}

/// A function of the same name and type that returns its first argument.
fn first_argument(m: &mut Module, id: FuncId) -> Function {
    let f = defined(&m.functions[id]);
    let mut b = Builder::new(m, f);
    let value = b.f.param(0);
    b.effect(InstKind::Ret(Some(value)));
    b.f
}

/// A function of the same name and type that does nothing.
fn empty(m: &mut Module, id: FuncId, tells: &str) -> Function {
    let declared = m.functions[id].clone();
    let mut f = defined(&declared);
    f.attrs.0.push(Attr { name: TELLS.to_owned(), value: AttrValue::Str(Some(tells.to_owned())) });
    let mut b = Builder::new(m, f);
    let result = (!matches!(b.m.types.get(declared.ret), Type::Void)).then(|| b.m.zero(declared.ret));
    b.effect(InstKind::Ret(result));
    b.f
}
