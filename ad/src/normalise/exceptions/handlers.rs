//! Where handlers begin and end in a function, and what they take.

use super::{Plan, RETHROW};
use crate::error::{Diagnostic, Reason};
use crate::normalise::exceptions::types::{Taken, taken as taken_as, type_name};
use crate::program::externals;
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::{BlockId, FuncId, Function, InstId, InstKind, IntPred, Module, Operand, ValueId};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const BEGIN: &str = "__cxa_begin_catch";
pub(super) const END: &str = "__cxa_end_catch";
pub(super) const SEEN: &str = "__cxa_get_exception_ptr";
pub(super) const TYPE_NUMBER: &str = "llvm.eh.typeid.for";

/// The name of the function that an instruction calls.
fn called<'m>(m: &'m Module, func: &Function, inst: InstId) -> &'m str {
    let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.map_or("", |f| m.functions[f].name.as_str())
}

/// How many handlers are running where handlers begin and end, and where exceptions are thrown again.
pub(super) fn depths(m: &Module, func: &Function) -> Result<BTreeMap<InstId, usize>, Diagnostic> {
    // None where paths with different numbers meet: on the way to the end of the program.
    let mut at_entry: BTreeMap<BlockId, Option<usize>> = BTreeMap::from([(func.entry(), Some(0))]);
    let mut depths = BTreeMap::new();
    let mut work = vec![func.entry()];
    while let Some(block) = work.pop() {
        let mut depth = at_entry[&block];
        for inst in &func.blocks[block].insts {
            let name = called(m, func, *inst);
            if ![BEGIN, END, RETHROW].contains(&name) {
                continue;
            }
            let Some(running) = depth.filter(|running| name == BEGIN || *running > 0) else {
                let message = "an exception is thrown again, or its handler ends, where it is not known which it is: \
                               end handlers in the function in which they begin";
                return Err(Diagnostic::at(m, func, *inst, Reason::Unsupported, message));
            };
            depths.insert(*inst, running);
            depth = match name {
                BEGIN => Some(running + 1),
                END => Some(running - 1),
                _ => depth,
            };
        }
        for next in func.successors(block) {
            let joined = match at_entry.get(&next).copied() {
                Some(known) if known == depth || known.is_none() => continue,
                Some(_) => None,
                None => depth,
            };
            at_entry.insert(next, joined);
            work.push(next);
        }
    }
    Ok(depths)
}

/// What the handlers that begin here take, by index, and how.
pub(super) fn taken(m: &Module, plan: &Plan, func: &Function) -> BTreeMap<InstId, Vec<(usize, Taken)>> {
    let cfg = Cfg::new(func);
    let dom = DomTree::new(func, &cfg);
    let begins = |inst: &InstId| [BEGIN, SEEN].contains(&called(m, func, *inst));
    let mut found = BTreeMap::new();
    for (block, inst) in func.inst_order().filter(|(block, inst)| begins(inst) && cfg.is_reachable(*block)) {
        let name = type_of_handler(m, func, (&cfg, &dom), block);
        found.insert(inst, name.map_or_else(|| plan.taken_by_all(), |name| plan.taken_by(m, &name)));
    }
    found
}

/// The type that the handler takes which begins in a block; none if it takes everything, or that is not known.
fn type_of_handler(m: &Module, func: &Function, (cfg, dom): (&Cfg, &DomTree), block: BlockId) -> Option<String> {
    let mut at = block;
    // What was chosen before a landing pad was chosen of another exception.
    let lands = |at: BlockId| {
        let insts = &func.blocks[at].insts;
        insts.iter().any(|inst| matches!(func.insts[*inst].kind, InstKind::LandingPad { .. }))
    };
    while let Some(above) = dom.idom(at).filter(|_| !lands(at)) {
        let chosen = type_chosen(m, func, above, |to| cfg.preds(to) == [above] && dom.dominates(to, block));
        if chosen.is_some() {
            return chosen;
        }
        at = above;
    }
    None
}

/// The type by which a block is left for one that `leads` further: that of a handler.
fn type_chosen(m: &Module, func: &Function, block: BlockId, leads: impl Fn(BlockId) -> bool) -> Option<String> {
    let InstKind::CondBr { cond, then_to, else_to } = func.insts[func.terminator(block)?].kind else { return None };
    let InstKind::ICmp { pred, lhs, rhs } = func.insts[func.def_inst(cond.local()?)?].kind else { return None };
    let equal = match pred {
        IntPred::Eq => then_to,
        IntPred::Ne => else_to,
        _ => return None,
    };
    let of_number = |operand: Operand| {
        let number = func.def_inst(operand.local()?)?;
        let call = func.insts[number].kind.as_call()?;
        called(m, func, number).starts_with(TYPE_NUMBER).then(|| type_name(m, call.args[0]))?
    };
    [lhs, rhs].into_iter().find_map(of_number).filter(|_| leads(equal))
}

/// How the name of every `what` ends that has no argument.
const WHAT: &str = "4whatEv";

/// Do the functions of the program that tell the text of an exception only look for it? One that writes the text when
/// it is asked may write numbers of the exception.
fn texts_are_looked_up(m: &Module) -> bool {
    let mut seen = BTreeSet::new();
    let own = m.functions.iter().filter(|(_, f)| f.name.ends_with(WHAT) && !f.is_declaration());
    own.map(|(id, _)| id).all(|id| looks_up(m, id, &mut seen))
}

/// Does a function handle no floats, and call nothing but others like it?
fn looks_up(m: &Module, id: FuncId, seen: &mut BTreeSet<FuncId>) -> bool {
    let func = &m.functions[id];
    if func.is_declaration() {
        return func.name.ends_with(WHAT);
    }
    if !seen.insert(id) {
        return true;
    }
    func.inst_order().all(|(_, inst)| {
        let inst = &func.insts[inst];
        let mut types = inst.kind.operands().into_iter().map(|o| m.operand_ty(func, o)).chain([inst.ty]);
        let known = |call: &ir::Call| m.as_function(call.callee).is_some_and(|callee| looks_up(m, callee, seen));
        types.all(|ty| externals::first_float(m, ty).is_none())
            && (inst.kind.as_call().is_none_or(known) || externals::marks_life(m, inst))
    })
}

/// The calls through virtual tables that ask what is handled for its text: `what` is the third virtual function of
/// `std::exception` (behind two destructors), and of what is derived from it. A text has no derivative, and
/// `analysis::taint` follows numbers that were written to it.
pub(super) fn asks_for_text(m: &Module, func: &Function) -> BTreeSet<InstId> {
    const SLOT: u128 = 16;
    const EXCEPTION: &str = "St9exception";
    if !texts_are_looked_up(m) {
        return BTreeSet::new();
    }
    let cfg = Cfg::new(func);
    let dom = DomTree::new(func, &cfg);
    let handled: BTreeMap<ValueId, String> = func
        .inst_order()
        .filter(|(block, inst)| called(m, func, *inst) == BEGIN && cfg.is_reachable(*block))
        .filter_map(|(block, inst)| Some((func.insts[inst].result?, type_of_handler(m, func, (&cfg, &dom), block)?)))
        .filter(|(_, name)| taken_as(m, name, EXCEPTION) == Taken::Object(0))
        .collect();
    let defined = |operand: Operand| func.def_inst(operand.local()?).map(|inst| &func.insts[inst].kind);
    let loaded = |operand: Operand| match defined(operand) {
        Some(InstKind::Load { ptr, .. }) => Some(*ptr),
        _ => None,
    };
    // The object itself, or what lies in the variable in which it alone is held.
    let is_handled = |object: Operand| {
        let held = loaded(object).and_then(|slot| only_stored(m, func, slot));
        [Some(object), held].into_iter().flatten().any(|o| o.local().is_some_and(|v| handled.contains_key(&v)))
    };
    let asks = |inst: &InstId| {
        let call = func.insts[*inst].kind.as_call().filter(|call| call.args.len() == 1)?;
        let entry = loaded(call.callee)?;
        let Some(InstKind::Gep { elem_ty, base, indices, .. }) = defined(entry) else { return None };
        let [index] = indices.as_slice() else { return None };
        let at = m.as_int(*index)?.checked_mul(u128::from(m.size_of(*elem_ty)))?;
        (at == SLOT && is_handled(call.args[0]) && is_handled(loaded(*base)?)).then_some(())
    };
    func.inst_order().map(|(_, inst)| inst).filter(|inst| asks(inst).is_some()).collect()
}

/// What is stored to a variable of which nothing else is known to be done but loads.
fn only_stored(m: &Module, func: &Function, slot: Operand) -> Option<Operand> {
    let own = func.def_inst(slot.local()?).filter(|inst| matches!(func.insts[*inst].kind, InstKind::Alloca { .. }))?;
    let mut stored = None;
    for (_, inst) in func.inst_order().filter(|(_, inst)| *inst != own) {
        match &func.insts[inst].kind {
            InstKind::Load { ptr, .. } if *ptr == slot => {}
            InstKind::Store { value, ptr, .. } if *ptr == slot && *value != slot && stored.is_none() => {
                stored = Some(*value);
            }
            // Its life begins and ends.
            InstKind::Call(_) if externals::marks_life(m, &func.insts[inst]) => {}
            kind if kind.operands().contains(&slot) => return None,
            _ => {}
        }
    }
    stored
}
