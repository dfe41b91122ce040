//! Indirect calls: what each may call, and its replacement by a choice among direct calls.
//!
//! The points-to analysis treats functions as objects, so it tells which functions a pointer may hold. Where that set
//! is *closed* (all its members are memory that the differentiated functions name), these are the candidates; where the
//! pointer may come from outside, every function of the module whose address is taken is one too. Candidates have the
//! call's parameters and result: a call through another type is undefined behaviour (LangRef, `call`). The call becomes
//!
//! ```text
//! if (p == &f) r = f(x); else if (p == &g) r = g(x); else refuse;
//! ```
//!
//! so that everything else sees direct calls alone: which function was called is, in a gradient, which block was left.
//! No shadow function pointers are needed. An address that is none of these ends the program with a message.
//!
//! More candidates bring more functions, which bring more pointers: [`resolve`] repeats the analysis until nothing is
//! new, or has become too much. With functions as first-class values this is a call graph built on the fly (Emami,
//! Ghiya & Hendren, PLDI 1994).

use crate::analysis::memory::object::ObjKind;
use crate::analysis::memory::{self, Facts};
use crate::base::blocks;
use crate::base::names::INACTIVE;
use crate::error::{Diagnostic, Reason};
use crate::mode::Activity;
use crate::normalise::collect;
use crate::normalise::indirect::{Chosen, Indirect};
use crate::normalise::sources::Sources;
use crate::normalise::threads;
use crate::program::call_graph::address_taken;
use crate::program::externals::{External, classify};
use crate::request::entry_points;
use crate::rewrite::member_pointers::Assumed;
use crate::rewrite::unreached;
use crate::runtime::refuse::{function_type, refusal};
use ir::{BlockId, Call, ConstKind, FuncId, Function, Inst, InstId, InstKind, IntPred, Module, Operand};
use std::collections::BTreeSet;

const VIRTUAL: &str = "a pointer to a member that may be of a virtual function is called: write the call of the \
                       function by its name, or by a lambda";

/// Replaces all indirect calls of the sources; collects the functions that they bring in, and simplifies these. Says
/// whether there were any.
pub fn resolve(
    m: &mut Module,
    sources: &mut Sources,
    (root, params): (FuncId, &[Activity]),
    indirect: &mut Indirect,
    simplify: impl Fn(&mut Module, &mut Sources, &mut Indirect, &BTreeSet<FuncId>),
) -> Result<bool, Diagnostic> {
    let taken = address_taken(m, entry_points::is_entry_point);
    let mut assumed = Assumed::default();
    let mut looked_at = 0;
    loop {
        for at in indirect_calls(m, sources) {
            indirect.candidates.entry(at).or_default();
        }
        if indirect.candidates.is_empty() && assumed.is_empty() {
            return Ok(false);
        }
        let facts = Facts::analyse_reached(m, sources, root, params, indirect)?;
        looked_at += facts.looked_at();
        if looked_at > memory::MAX_LOOKED_AT {
            return Err(memory::not_converged(m, &sources[&root]));
        }
        if assumed.rewrite(m, &facts, sources) {
            let still: BTreeSet<(FuncId, InstId)> = indirect_calls(m, sources).into_iter().collect();
            indirect.candidates.retain(|at, _| still.contains(at));
            continue;
        }
        let calls = indirect_calls(m, sources);
        let mut grew = false;
        for at in calls.iter().filter(|at| facts.is_reached(m, (at.0, &sources[&at.0]), at.1)) {
            let known = indirect.candidates.entry(*at).or_default();
            for f in possible(m, &facts, sources, *at, &taken) {
                grew |= known.insert(f);
            }
        }
        let all: BTreeSet<FuncId> = indirect.candidates.values().flatten().copied().collect();
        let known: BTreeSet<FuncId> = sources.keys().copied().collect();
        for f in all {
            if !m.functions[f].is_declaration() && matches!(classify(m, &m.functions[f]), External::Unknown) {
                collect::collect_into(m, f, sources)?;
            }
        }
        let new: BTreeSet<FuncId> = sources.keys().copied().filter(|id| !known.contains(id)).collect();
        simplify(m, sources, indirect, &new);
        if !grew {
            if let Some((id, load)) = assumed.broken(m, &facts, sources) {
                return Err(Diagnostic::at(m, &sources[&id], load, Reason::Unsupported, VIRTUAL));
            }
            unreached::drop_unreached(m, &facts, sources);
            break;
        }
    }
    for ((id, inst), set) in std::mem::take(&mut indirect.candidates) {
        let Some(mut func) = sources.remove(&id) else { continue };
        if let Some((pointer, calls)) = replace(m, &mut func, inst, &set) {
            indirect
                .chosen
                .extend(calls.into_iter().map(|(call, function)| ((id, call), Chosen { pointer, function })));
        }
        blocks::drop_unreachable(&mut func);
        threads::lower_awaited(m, &mut func);
        sources.insert(id, func);
    }
    Ok(true)
}

fn indirect_calls(m: &Module, sources: &Sources) -> Vec<(FuncId, InstId)> {
    let mut out = Vec::new();
    for (id, func) in sources {
        for (_, inst) in func.inst_order() {
            if func.insts[inst].kind.as_call().is_some_and(|c| is_indirect(m, c)) {
                out.push((*id, inst));
            }
        }
    }
    out
}

/// A call of a pointer; inline assembly is something else.
fn is_indirect(m: &Module, call: &Call) -> bool {
    match call.callee {
        // What carries no derivative is called as it is.
        Operand::Local(_) => !call.fn_attrs.has(INACTIVE),
        Operand::Const(c) => {
            m.as_function(call.callee).is_none()
                && matches!(m.constants.get(c).kind, ConstKind::Null | ConstKind::Zero | ConstKind::Expr(_))
        }
    }
}

fn possible(
    m: &Module,
    facts: &Facts,
    sources: &Sources,
    (id, inst): (FuncId, InstId),
    taken: &BTreeSet<FuncId>,
) -> BTreeSet<FuncId> {
    let func = &sources[&id];
    let Some(call) = func.insts[inst].kind.as_call() else { return BTreeSet::new() };
    let targets = facts.points_to(m, id, call.callee);
    let outside = |k: &ObjKind| matches!(k, ObjKind::External { .. } | ObjKind::Opaque | ObjKind::Lost);
    // What leads nowhere is null, or what nobody ever put there: nobody calls it.
    let open = targets.keys().any(|o| outside(&facts.objects[*o].kind));
    let named = targets.keys().filter_map(|o| match facts.objects[*o].kind {
        ObjKind::Function(f) => Some(f),
        _ => None,
    });
    let mut out: BTreeSet<FuncId> = named.collect();
    if open {
        let usable = |f: &&FuncId| {
            let f = &m.functions[**f];
            !f.is_declaration() || !matches!(classify(m, f), External::Unknown)
        };
        out.extend(taken.iter().filter(usable));
    }
    out.retain(|f| agrees(m, func, inst, call, *f));
    out
}

/// Has the function the parameters and the result of the call?
fn agrees(m: &Module, func: &Function, inst: InstId, call: &Call, f: FuncId) -> bool {
    let f = &m.functions[f];
    let args: Vec<_> = call.args.iter().map(|a| m.operand_ty(func, *a)).collect();
    let params: Vec<_> = f.params.iter().map(|p| p.ty).collect();
    let same = if f.vararg { args.starts_with(&params) } else { args == params };
    same && f.ret == func.insts[inst].ty
}

/// Puts the choice in the place of the call; the pointer, and the direct calls with what each calls. The phi of the
/// results takes over the call's id; without a result, the first call.
fn replace(
    m: &mut Module,
    func: &mut Function,
    inst: InstId,
    set: &BTreeSet<FuncId>,
) -> Option<(Operand, Vec<(InstId, FuncId)>)> {
    let place = |b: &BlockId| func.blocks[*b].insts.iter().position(|i| *i == inst).map(|n| (*b, n));
    let (block, at) = func.layout.iter().find_map(place)?;
    let old = func.insts[inst].clone();
    let call = old.kind.as_call().cloned()?;
    let (void, i1) = (m.types.void(), m.types.int(1));
    let rest = blocks::split(func, block, at + 1, "called");
    func.blocks[block].insts.pop();
    let (mut results, mut calls) = (Vec::new(), Vec::new());
    let (mut here, mut first) = (block, true);
    for f in set {
        let address = m.function_address(*f);
        let compare = InstKind::ICmp { pred: IntPred::Eq, lhs: call.callee, rhs: address };
        let compare = func.append(here, located(compare, i1, &old), true);
        let cond = func.insts[compare].result.map(Operand::Local)?;
        let (then_to, else_to) = (func.add_block("callee"), func.add_block("other"));
        func.append(here, located(InstKind::CondBr { cond, then_to, else_to }, void, &old), false);
        let mut direct = call.clone();
        direct.callee = address;
        direct.fn_ty = function_type(m, *f);
        let kind = InstKind::Call(Box::new(direct));
        if old.result.is_none() && first {
            func.insts[inst].kind = kind;
            func.blocks[then_to].insts.push(inst);
            calls.push((inst, *f));
        } else {
            let id = func.append(then_to, located(kind, old.ty, &old), old.result.is_some());
            calls.push((id, *f));
            results.extend(func.insts[id].result.map(|v| (Operand::Local(v), then_to)));
        }
        func.append(then_to, Inst::new(InstKind::Br(rest), void), false);
        (here, first) = (else_to, false);
    }
    let refuse = refusal(m, "an indirect call reaches a function that the differentiated code does not know\n");
    func.append(here, located(refuse, void, &old), false);
    func.append(here, Inst::new(InstKind::Unreachable, void), false);
    if old.result.is_some() {
        func.insts[inst].kind = InstKind::Phi { fast: call.fast, incoming: results };
        func.insts[inst].metadata.clear();
        func.blocks[rest].insts.insert(0, inst);
    }
    Some((call.callee, calls))
}

fn located(kind: InstKind, ty: ir::TypeId, old: &Inst) -> Inst {
    let mut inst = Inst::new(kind, ty);
    inst.loc = old.loc;
    inst
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions that `f` calls in the end.
    fn called(body: &str) -> Vec<String> {
        let text = format!(
            "@set_by_others = global ptr null\n@pair = global {{ ptr, i64 }} zeroinitializer\n\
             @kept = global ptr @g\ndeclare ptr @given()\n\
             define double @g(double %x) {{\n  ret double %x\n}}\n\
             define double @f(double %x, i64 %n) {{\n{body}  %r = call double %h(double %x)\n  ret double %r\n}}\n"
        );
        let mut m = ir::parse::parse(&text, "indirect").unwrap();
        let f = m.function("f").unwrap();
        let mut sources = collect::collect(&mut m, f).unwrap();
        let root = (f, &[Activity::Out, Activity::Const][..]);
        assert!(resolve(&mut m, &mut sources, root, &mut Indirect::default(), |_, _, _, _| {}).unwrap());
        let func = &sources[&f];
        let callees = func.inst_order().filter_map(|(_, i)| m.as_function(func.insts[i].kind.as_call()?.callee));
        let names = callees.map(|f| m.functions[f].name.clone());
        names.filter(|name| ["g", "given"].contains(&name.as_str())).collect()
    }

    #[test]
    fn what_is_null_calls_nothing() {
        let slot = "  %s = alloca ptr, align 8\n  store ptr null, ptr %s, align 8\n  %h = load ptr, ptr %s, align 8\n";
        assert!(called(slot).is_empty());
        assert!(called("  %h = load ptr, ptr null, align 8\n").is_empty());
    }

    #[test]
    fn what_others_give_may_be_any_function_whose_address_is_taken() {
        assert_eq!(called("  %h = load ptr, ptr @set_by_others, align 8\n"), ["g"]);
        assert_eq!(called("  %h = call ptr @given()\n"), ["given", "g"]);
        assert_eq!(called("  %i = fptosi double %x to i64\n  %h = inttoptr i64 %i to ptr\n"), ["g"]);
        assert_eq!(called("  %h = inttoptr i64 %n to ptr\n"), ["g"]);
        let field = "  %p = load { ptr, i64 }, ptr @pair, align 8\n  %h = extractvalue { ptr, i64 } %p, 0\n";
        assert_eq!(called(field), ["g"]);
        let bits = "  %p = load i64, ptr @pair, align 8\n  %q = add i64 %p, 0\n  %h = inttoptr i64 %q to ptr\n";
        assert_eq!(called(bits), ["g"]);
    }
}
