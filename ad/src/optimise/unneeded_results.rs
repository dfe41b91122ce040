//! What `enzyme_dupnoneed` gives up is not written.
//!
//! A caller who does not want the primal result says so, and may then pass a pointer to no memory at all. Memory behind
//! such a pointer is reached through nothing else (`docs/calling.md`), so that its content matters to what is loaded
//! through that pointer alone. If all of that does nothing but become what is stored there again, as the sum in
//! `*result += x[i]` does, or nothing is loaded, then loads and stores go, in what is called with the pointer as well.
//! Where the derivative needs such a value, all stays. So it does in the augmented forward of split mode, whose reverse
//! finds what it needs in the same memory.

use crate::base::names;
use crate::mode::Activity;
use crate::program::externals::{self, External, classify};
use ir::hash::HashSet;
use ir::{CastOp, FuncId, Function, Inst, InstId, InstKind, Module, Operand};

/// The deepest chain of calls that is followed.
const DEEPEST: usize = 16;

/// What such memory holds is needed, or a pointer to it goes where it is not followed.
struct Needed;

/// The derivative does not write what its arguments give up, each of which `width` shadows follow.
pub(crate) fn drop(m: &mut Module, derivative: FuncId, activities: &[Activity], width: usize) {
    let (mut at, mut pointers) = (0, Vec::new());
    for activity in activities {
        let is_pointer = m.functions[derivative].params.get(at).is_some_and(|param| m.types.is_ptr(param.ty));
        if *activity == Activity::DupNoNeed && is_pointer {
            pointers.push(at);
        }
        at += if activity.is_dup() { 1 + width } else { 1 };
    }
    // All at once, for what one of them holds may be made of another; or else each on its own, for what is needed of
    // one is no reason to keep the others.
    match without(m, derivative, &pointers, DEEPEST) {
        Ok(whole) => replace(m, derivative, whole),
        Err(Needed) => {
            for pointer in pointers {
                if let Ok(alone) = without(m, derivative, &[pointer], DEEPEST) {
                    replace(m, derivative, alone);
                }
            }
        }
    }
}

fn replace(m: &mut Module, derivative: FuncId, other: Option<Function>) {
    if let Some(other) = other {
        m.functions[derivative] = other;
    }
}

/// The function without its accesses to memory behind these parameters, if it has any.
fn without(m: &mut Module, id: FuncId, pointers: &[usize], depth: usize) -> Result<Option<Function>, Needed> {
    let depth = depth.checked_sub(1).ok_or(Needed)?;
    if m.functions[id].is_declaration() {
        return Err(Needed);
    }
    let Found { gone, calls } = found(m, &m.functions[id], pointers).ok_or(Needed)?;
    let mut replaced = Vec::new();
    for (inst, callee, passed) in calls {
        if let Some(body) = without(m, callee, &passed, depth)? {
            let copy = names::copied(m, &body, &format!("{}_without_results", body.name));
            replaced.push((inst, m.functions.push(copy)));
        }
    }
    if gone.is_empty() && replaced.is_empty() {
        return Ok(None);
    }
    let mut f = m.functions[id].clone();
    for (inst, callee) in replaced {
        let address = m.function_address(callee);
        if let Some(call) = f.insts[inst].kind.as_call_mut() {
            call.callee = address;
        }
    }
    for block in f.layout.clone() {
        f.blocks[block].insts.retain(|inst| !gone.contains(inst));
    }
    Ok(Some(f))
}

/// What becomes of the accesses of a function.
struct Found {
    /// Stores to such memory, and what is computed for them alone.
    gone: HashSet<InstId>,
    /// Calls that get such a pointer, the callee, and the positions of the pointers.
    calls: Vec<(InstId, FuncId, Vec<usize>)>,
}

/// Nothing if a value from such memory is needed, or a pointer to it goes where it is not followed.
fn found(m: &Module, f: &Function, pointers: &[usize]) -> Option<Found> {
    let based = Based::find(f, pointers);
    let mut stores: HashSet<InstId> = HashSet::default();
    let mut calls = Vec::new();
    let makes = |id: InstId| matches!(f.insts[id].kind, InstKind::Cast { op: CastOp::IntToPtr, .. });
    let makes_pointers = f.inst_order().any(|(_, id)| makes(id));
    for (_, id) in f.inst_order() {
        let inst = &f.insts[id];
        if !inst.kind.operands().iter().any(|o| based.perhaps.contains(o)) {
            continue;
        }
        match &inst.kind {
            InstKind::Store { value, volatile: false, atomic: None, ptr, .. }
                if !based.perhaps.contains(value) && based.surely.contains(ptr) =>
            {
                stores.insert(id);
            }
            InstKind::Load { volatile: false, atomic: None, .. } | InstKind::ICmp { .. } => {}
            // An address that is compared, as a test for overlaps does.
            InstKind::Cast { op: CastOp::PtrToInt, .. } if !makes_pointers => {}
            _ if passes_on(inst) => {}
            InstKind::Call(call) => {
                let at: Vec<usize> = (0..call.args.len()).filter(|i| based.perhaps.contains(&call.args[*i])).collect();
                let sure = at.iter().all(|i| based.surely.contains(&call.args[*i]));
                let callee = m.as_function(call.callee).filter(|_| sure && call.bundles.is_empty())?;
                match classify(m, &m.functions[callee]) {
                    External::Set if at == [0] => _ = stores.insert(id),
                    External::Copy if at == [0] => _ = stores.insert(id),
                    _ if m.functions[callee].name.starts_with("llvm.lifetime.") => {}
                    _ => calls.push((id, callee, at)),
                }
            }
            _ => return None,
        }
    }
    let needed = needed(m, f, &stores);
    let is_dead =
        |inst: &Inst| can_go(m, &inst.kind) && inst.result.is_some_and(|v| !needed.contains(&Operand::Local(v)));
    let reads = |inst: &Inst| matches!(&inst.kind, InstKind::Load { ptr, .. } if based.perhaps.contains(ptr));
    let order = || f.inst_order().map(|(_, id)| (id, &f.insts[id]));
    if order().any(|(_, inst)| reads(inst) && !is_dead(inst)) {
        return None;
    }
    if stores.is_empty() && !order().any(|(_, inst)| reads(inst)) {
        return Some(Found { gone: HashSet::default(), calls });
    }
    let gone = order().filter(|(id, inst)| stores.contains(id) || is_dead(inst)).map(|(id, _)| id).collect();
    Some(Found { gone, calls })
}

/// Pointers that are based on parameters (LangRef, "Pointer Aliasing Rules").
struct Based {
    perhaps: HashSet<Operand>,
    surely: HashSet<Operand>,
}

impl Based {
    fn find(f: &Function, pointers: &[usize]) -> Based {
        let roots: HashSet<Operand> = pointers.iter().map(|i| f.param(*i)).collect();
        let mut perhaps = roots.clone();
        let mut passed: Vec<(Operand, Vec<Operand>)> = Vec::new();
        loop {
            let before = perhaps.len();
            for (_, id) in f.inst_order() {
                let inst = &f.insts[id];
                let Some(result) = inst.result.map(Operand::Local).filter(|_| passes_on(inst)) else { continue };
                let from = pointers_of(&inst.kind);
                if from.iter().any(|o| perhaps.contains(o)) && perhaps.insert(result) {
                    passed.push((result, from));
                }
            }
            if perhaps.len() == before {
                break;
            }
        }
        let mut surely = perhaps.clone();
        while let Some((result, _)) =
            passed.iter().find(|(result, from)| surely.contains(result) && !from.iter().all(|o| surely.contains(o)))
        {
            surely.remove(result);
        }
        Based { perhaps, surely }
    }
}

/// Is the result the address of the same memory?
fn passes_on(inst: &Inst) -> bool {
    matches!(inst.kind, InstKind::Gep { .. } | InstKind::Phi { .. } | InstKind::Select { .. } | InstKind::Freeze(_))
}

fn pointers_of(kind: &InstKind) -> Vec<Operand> {
    match kind {
        InstKind::Gep { base, .. } => vec![*base],
        InstKind::Phi { incoming, .. } => incoming.iter().map(|(value, _)| *value).collect(),
        InstKind::Select { if_true, if_false, .. } => vec![*if_true, *if_false],
        InstKind::Freeze(value) => vec![*value],
        _ => Vec::new(),
    }
}

/// The values that are needed if these stores are not carried out.
fn needed(m: &Module, f: &Function, stores: &HashSet<InstId>) -> HashSet<Operand> {
    let stays = |id: &InstId| !stores.contains(id) && !can_go(m, &f.insts[*id].kind);
    let mut work: Vec<InstId> = f.inst_order().map(|(_, id)| id).filter(stays).collect();
    let mut needed: HashSet<Operand> = HashSet::default();
    while let Some(id) = work.pop() {
        for operand in f.insts[id].kind.operands() {
            if needed.insert(operand) {
                work.extend(operand.local().and_then(|v| f.def_inst(v)));
            }
        }
    }
    needed
}

/// May an instruction whose result nobody uses be left out?
fn can_go(m: &Module, kind: &InstKind) -> bool {
    match kind {
        InstKind::Load { volatile, atomic, .. } => !volatile && atomic.is_none(),
        InstKind::Binary { .. }
        | InstKind::FNeg { .. }
        | InstKind::ICmp { .. }
        | InstKind::FCmp { .. }
        | InstKind::Select { .. }
        | InstKind::Cast { .. }
        | InstKind::Phi { .. }
        | InstKind::Gep { .. }
        | InstKind::Freeze(_)
        | InstKind::ExtractElement { .. }
        | InstKind::InsertElement { .. }
        | InstKind::ShuffleVector { .. }
        | InstKind::ExtractValue { .. }
        | InstKind::InsertValue { .. } => true,
        InstKind::Call(call) => call.bundles.is_empty() && externals::only_computes(m, call),
        _ => false,
    }
}
