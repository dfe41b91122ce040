//! Functions that ask for the derivative of what their caller names, as templates do:
//!
//! ```text
//! template <class F> double slope(F f, double x) { return __enzyme_autodiff<double>((void *)f, x); }
//! ```
//!
//! An optimiser writes them out where they are called, and the function to differentiate stands in the call. Without
//! optimisation that is done here, to those alone: slots are promoted, functions whose call does not name a function
//! are written out where they are called, and so are in them what gives a marker and what is declared `always_inline`.
//! Where a call may throw, the wrapper gets a copy for the function that is named. What nobody calls any more, and only
//! this file could call, is gone.

use crate::base::blocks;
use crate::base::names::unique;
use crate::normalise::indirect::Indirect;
use crate::normalise::inline;
use crate::normalise::sources::Sources;
use crate::program::call_graph;
use crate::request::entry_points::is_entry_point;
use crate::request::markers;
use ir::{BlockId, Call, FuncId, Function, Inst, InstId, InstKind, MdOperand, Module, Operand, TypeId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Wrappers within wrappers are followed so far.
const DEPTH: usize = 16;

/// Writes out the wrappers of a module.
pub fn write_out(m: &mut Module) {
    let mut written = BTreeSet::new();
    for _ in 0..DEPTH {
        let asking = asking(m);
        if asking.is_empty() {
            break;
        }
        // First what they call themselves: what gives a marker, or a function, and what is always written out.
        let taken = |id, m: &Module| is_always_inline(m, id) || names(m, id, DEPTH);
        let mut changed = put_into(m, &asking, taken, &mut written);
        let wrappers = self::asking(m);
        changed |= put_into(m, &callers(m, &wrappers), |id, _| wrappers.contains(&id), &mut written);
        changed |= specialise(m);
        if !changed {
            break;
        }
    }
    if !written.is_empty() || !asking(m).is_empty() {
        drop_uncalled(m, &written);
    }
}

/// The functions with a call for a derivative that does not name the function, or a marker, itself.
fn asking(m: &Module) -> BTreeSet<FuncId> {
    let asks = |func: &Function| {
        func.inst_order().any(|(_, inst)| match func.insts[inst].kind.as_call() {
            Some(call) => asked(m, call).is_some_and(|function| !is_named(m, func, call, function)),
            None => false,
        })
    };
    m.functions.iter().filter(|(_, func)| asks(func)).map(|(id, _)| id).collect()
}

/// Where a call that asks for a derivative names the function.
fn asked(m: &Module, call: &Call) -> Option<usize> {
    let callee = &m.functions[m.as_function(call.callee)?];
    let through_memory = call.arg_attrs.first().is_some_and(|attrs| attrs.has("sret"));
    (callee.is_declaration() && is_entry_point(&callee.name)).then_some(usize::from(through_memory))
}

/// Do the function and all markers stand in the call itself?
fn is_named(m: &Module, func: &Function, call: &Call, function: usize) -> bool {
    let Some(named) = call.args.get(function) else { return true };
    let local = |operand: &Operand| operand.local().and_then(|v| func.def_inst(v)).map(|i| &func.insts[i].kind);
    let is_given = |operand: &Operand| {
        let callee = local(operand).and_then(|kind| m.as_function(kind.as_call()?.callee));
        callee.is_some_and(|id| names(m, id, DEPTH))
    };
    (named.local().is_none() || is_chosen(local(named))) && !call.args.iter().any(is_given)
}

/// One of several functions ([`crate::request::choices`]).
fn is_chosen(kind: Option<&InstKind>) -> bool {
    matches!(kind, Some(InstKind::Select { .. } | InstKind::Phi { .. } | InstKind::Freeze(_)))
}

/// Does a function return what it reads of a marker, the address of a function (as a lambda is converted to one), or
/// what another such function returns?
fn names(m: &Module, id: FuncId, depth: usize) -> bool {
    let func = &m.functions[id];
    let gives = |value: &Operand| {
        let def = value.local().and_then(|v| func.def_inst(v)).map(|inst| &func.insts[inst].kind);
        let callee = def.and_then(|kind| m.as_function(kind.as_call()?.callee));
        m.as_function(*value).is_some()
            || markers::marker_name(m, func, *value).is_some()
            || depth > 0 && callee.is_some_and(|callee| names(m, callee, depth - 1))
    };
    let mut returned = func.inst_order().filter_map(|(_, inst)| match &func.insts[inst].kind {
        InstKind::Ret(value) => Some(value.as_ref()),
        _ => None,
    });
    // Nothing else is called, which could throw.
    let mut calls = func.inst_order().filter_map(|(_, inst)| func.insts[inst].kind.as_call());
    let quiet = |call: &Call| depth > 0 && m.as_function(call.callee).is_some_and(|callee| names(m, callee, depth - 1));
    calls.all(quiet) && returned.next().flatten().is_some_and(gives) && returned.next().is_none()
}

/// Gives calls that may throw, which are not written out, a copy of the wrapper for the function that they name.
fn specialise(m: &mut Module) -> bool {
    let of: BTreeMap<FuncId, usize> = asking(m).into_iter().filter_map(|id| Some((id, parameter(m, id)?))).collect();
    let mut copies: BTreeMap<(FuncId, FuncId), FuncId> = BTreeMap::new();
    for caller in m.functions.keys().collect::<Vec<_>>() {
        let insts: Vec<InstId> = m.functions[caller].inst_order().map(|(_, inst)| inst).collect();
        for inst in insts {
            let named = match &m.functions[caller].insts[inst].kind {
                InstKind::Invoke { call, .. } => m.as_function(call.callee).and_then(|wrapper| {
                    let argument = call.args.get(*of.get(&wrapper)?)?;
                    Some((wrapper, m.as_function(*argument)?))
                }),
                _ => None,
            };
            let Some((wrapper, function)) = named else { continue };
            let copy = match copies.get(&(wrapper, function)) {
                Some(copy) => *copy,
                None => copy_for(m, wrapper, of[&wrapper], function),
            };
            copies.insert((wrapper, function), copy);
            let address = m.function_address(copy);
            if let Some(call) = m.functions[caller].insts[inst].kind.as_call_mut() {
                call.callee = address;
            }
        }
    }
    !copies.is_empty()
}

/// The parameter that a wrapper differentiates, in all its calls.
fn parameter(m: &Module, id: FuncId) -> Option<usize> {
    let func = &m.functions[id];
    let asked = func.inst_order().filter_map(|(_, inst)| {
        let call = func.insts[inst].kind.as_call()?;
        Some(call.args[asked(m, call)?])
    });
    let mut found = asked.filter(|function| function.local().is_some()).collect::<Vec<_>>();
    found.dedup();
    let [function] = found.as_slice() else { return None };
    func.params.iter().position(|param| function.local() == Some(param.value))
}

/// A wrapper of which a parameter is this function.
fn copy_for(m: &mut Module, wrapper: FuncId, parameter: usize, function: FuncId) -> FuncId {
    let mut copy = m.functions[wrapper].clone();
    copy.name = unique(m, &format!("{}.of.{}", copy.name, m.functions[function].name));
    copy.flags.linkage = "internal".to_owned();
    copy.clauses.retain(|clause| !clause.starts_with("comdat"));
    // Debug information describes one function.
    copy.metadata.retain(|(name, _)| name != "dbg");
    copy.insts.values_mut().for_each(|inst| inst.debug_records.clear());
    let address = m.function_address(function);
    let named = copy.params[parameter].value;
    blocks::replace_uses(&mut copy, named, address);
    m.functions.push(copy)
}

fn is_always_inline(m: &Module, id: FuncId) -> bool {
    m.functions[id].attrs.has("alwaysinline")
}

/// The functions that call some of these directly.
fn callers(m: &Module, wrappers: &BTreeSet<FuncId>) -> BTreeSet<FuncId> {
    let calls = |func: &Function| {
        let mut callees = func.inst_order().filter_map(|(_, i)| m.as_function(func.insts[i].kind.as_call()?.callee));
        callees.any(|callee| wrappers.contains(&callee))
    };
    m.functions.iter().filter(|(_, func)| calls(func)).map(|(id, _)| id).collect()
}

/// Promotes the slots of some functions, and writes out in them those that are taken, which are promoted, too. Says
/// whether that has changed anything.
fn put_into(
    m: &mut Module,
    some: &BTreeSet<FuncId>,
    takes: impl Fn(FuncId, &Module) -> bool,
    written: &mut BTreeSet<FuncId>,
) -> bool {
    if some.is_empty() {
        return false;
    }
    let mut changed = false;
    let taken: BTreeSet<FuncId> =
        m.functions.iter().filter(|(id, f)| !f.is_declaration() && takes(*id, m)).map(|(id, _)| id).collect();
    written.extend(&taken);
    for id in some {
        call_plainly(m, *id);
    }
    let mut sources: Sources = some.union(&taken).map(|id| (*id, m.functions[*id].clone())).collect();
    // What is written out belongs to the line of its call, and has no variables of its own there.
    for inst in sources.iter_mut().filter(|(id, _)| !some.contains(id)).flat_map(|(_, f)| f.insts.values_mut()) {
        inst.loc = None;
        inst.debug_records.clear();
    }
    inline::write_out_these(m, &mut sources, &mut Indirect::default(), |id| some.contains(&id), &taken);
    for (id, mut func) in sources.into_iter().filter(|(id, _)| some.contains(id)) {
        forget_promoted(&mut func);
        changed |= m.functions[id] != func;
        m.functions[id] = func;
    }
    changed
}

/// What gives a name does not throw: calls of it need no landing pad.
fn call_plainly(m: &mut Module, id: FuncId) {
    let func = &m.functions[id];
    let quiet = |(block, inst): (BlockId, InstId)| match &func.insts[inst].kind {
        InstKind::Invoke { call, normal, unwind } => {
            let callee = m.as_function(call.callee).filter(|callee| names(m, *callee, DEPTH));
            callee.map(|_| (block, inst, call.clone(), *normal, *unwind))
        }
        _ => None,
    };
    let found: Vec<_> = func.inst_order().filter_map(quiet).collect();
    if found.is_empty() {
        return;
    }
    let void = m.types.void();
    let func = &mut m.functions[id];
    for (block, inst, call, normal, unwind) in found {
        func.insts[inst].kind = InstKind::Call(call);
        blocks::remove_pred(func, unwind, block);
        func.append(block, Inst::new(InstKind::Br(normal), void), false);
    }
    blocks::drop_unreachable(func);
}

/// Takes the debug records of values that are gone.
fn forget_promoted(func: &mut Function) {
    let results = func.inst_order().filter_map(|(_, inst)| func.insts[inst].result);
    let there: BTreeSet<ValueId> = results.chain(func.params.iter().map(|param| param.value)).collect();
    let known =
        |operand: &MdOperand| !matches!(operand, MdOperand::Local(Operand::Local(value)) if !there.contains(value));
    for inst in func.insts.values_mut() {
        inst.debug_records.retain(|record| record.operands.iter().all(known));
    }
}

/// Takes the bodies of functions that were written out, and of wrappers, where nobody calls them any more.
fn drop_uncalled(m: &mut Module, written: &BTreeSet<FuncId>) {
    loop {
        let asking = asking(m);
        let used = call_graph::used(m);
        let local = |func: &Function| {
            ["internal", "private", "linkonce", "linkonce_odr"].contains(&func.flags.linkage.as_str())
        };
        let gone = |(id, func): &(FuncId, &Function)| {
            let ours = asking.contains(id) || written.contains(id);
            !func.is_declaration() && ours && local(func) && !used.contains(id)
        };
        let gone: Vec<FuncId> = m.functions.iter().filter(gone).map(|(id, _)| id).collect();
        if gone.is_empty() {
            return;
        }
        for id in gone {
            let func = &m.functions[id];
            let params: Vec<TypeId> = func.params.iter().map(|param| param.ty).collect();
            m.functions[id] = Function::new(&func.name, func.ret, &params);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTIONS: &str = "
        @enzyme_out = external global i32
        declare double @__enzyme_autodiff(ptr, ...)
        declare i32 @__gxx_personality_v0(...)
        define double @f(double %x) {
          ret double %x
        }
        define internal i32 @marker() {
          %m = load i32, ptr @enzyme_out
          ret i32 %m
        }
        define internal double @wrapper(ptr %f, double %x) {
          %slot = alloca ptr
          store ptr %f, ptr %slot
          %g = load ptr, ptr %slot
          %m = call i32 @marker()
          %d = call double (ptr, ...) @__enzyme_autodiff(ptr %g, i32 %m, double %x)
          ret double %d
        }
    ";

    fn written_out(body: &str) -> String {
        let mut m = ir::parse::parse(&format!("{FUNCTIONS}{body}"), "wrappers").unwrap();
        write_out(&mut m);
        m.to_string()
    }

    #[test]
    fn the_function_is_named_where_the_wrapper_is_called() {
        let out = written_out(
            "
            define double @main(double %x) {
              %d = call double @wrapper(ptr @f, double %x)
              ret double %d
            }",
        );
        assert!(out.contains("@__enzyme_autodiff(ptr @f, i32 %"), "{out}");
        assert!(!out.contains("define internal"), "{out}");
    }

    #[test]
    fn a_call_that_may_throw_gets_a_copy() {
        let out = written_out(
            "
            define double @main(double %x) personality ptr @__gxx_personality_v0 {
              %d = invoke double @wrapper(ptr @f, double %x) to label %there unwind label %pad
            there:
              ret double %d
            pad:
              %p = landingpad { ptr, i32 } cleanup
              resume { ptr, i32 } %p
            }",
        );
        assert!(out.contains("invoke double @wrapper.of.f(ptr @f"), "{out}");
        assert!(out.contains("@__enzyme_autodiff(ptr @f, i32 %"), "{out}");
        assert!(!out.contains("define internal double @wrapper("), "{out}");
    }

    #[test]
    fn what_others_could_call_stays() {
        let out = written_out(
            "
            define double @other(ptr %f, double %x) {
              %d = call double (ptr, ...) @__enzyme_autodiff(ptr %f, double %x)
              ret double %d
            }",
        );
        assert!(out.contains("define double @other"), "{out}");
    }
}
