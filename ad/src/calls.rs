//! Calls by which a program tells something of what it does there.
//!
//! | call | meaning |
//! |---|---|
//! | `__enzyme_call_inactive(f, arguments…)` | `f(arguments…)`, and this call carries no derivative |
//! | `__enzyme_float(p, bytes)`, `__enzyme_double(p, bytes)` | so many bytes behind `p` hold such numbers; without a count, all |
//! | `__enzyme_integer(p, bytes)`, `__enzyme_pointer(p, bytes)` | they hold integers, or pointers |
//! | `__enzyme_iter(n, k)` | `n`, with a word on how large it is |
//!
//! The attribute `"enzyme_type"` tells the same ([`crate::typed`]).
//!
//! The first becomes the call of a function without derivative that calls `f`. Those that tell of memory do nothing when they are executed: they get an
//! empty body, and [`crate::memory`] reads what they tell. The last gets a body that returns its first argument; nothing here depends on the hint.

use crate::base::builder::Builder;
use crate::batch::Refused;
use crate::error::{Diagnostic, Reason};
use crate::program::attributes;
use crate::program::cell::Cell;
use crate::request;
use ir::{Attr, AttrValue, Call, FloatKind, FuncId, Function, InstId, InstKind, Module, Operand, Type};
use std::collections::BTreeMap;

const INACTIVE: &str = "__enzyme_call_inactive";
/// Returns its first argument.
pub(crate) const ITER: &str = "__enzyme_iter";

/// What lies in memory, by the name of the function that tells it; and the size of one.
const TYPES: [(&str, Cell, u64); 4] = [
    ("__enzyme_float", Cell::Float(FloatKind::Float), 4),
    ("__enzyme_double", Cell::Float(FloatKind::Double), 8),
    ("__enzyme_integer", Cell::Int, 4),
    ("__enzyme_pointer", Cell::Ptr, 8),
];

/// On a function: its calls tell that memory holds such data.
const TELLS: &str = "adj_type";

/// The kind and size of the data that calls of the function say their memory holds.
pub fn told(func: &Function) -> Option<(Cell, u64)> {
    let Some(AttrValue::Str(Some(name))) = func.attrs.get(TELLS) else { return None };
    TYPES.iter().find(|(n, ..)| n == name).map(|(_, cell, size)| (*cell, *size))
}

/// Is a declared function of that name one that [`apply`] knows?
pub(crate) fn is_known(name: &str) -> bool {
    name.contains(INACTIVE) || is_given_a_body(name)
}

/// Does [`apply`] give it a body, so that its address may be taken as well?
fn is_given_a_body(name: &str) -> bool {
    name.contains(ITER) || TYPES.iter().any(|(known, ..)| name.contains(known))
}

/// Brings the calls of a module into the form that the later passes read; returns those that are not understood.
pub fn apply(m: &mut Module) -> Vec<Refused> {
    crate::typed::apply(m);
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
    let callee = request::function_argument(m, func, call.args.first().copied(), INACTIVE)?;
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
    let mut f = Function::new(&crate::base::names::unique(m, &format!("__adj_inactive_{name}")), ret, &params);
    f.flags.linkage = "internal".to_owned();
    f.attrs.0.push(Attr { name: attributes::INACTIVE.to_owned(), value: AttrValue::Str(None) });
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
