//! Joint reversal: an iteration of a loop is executed when it is reversed, with a tape for itself ([`crate::marks`]), and not before.
//!
//! The tape of a loop over summands is as long as the loop, although no iteration needs another's. Griewank & Walther ("Evaluating Derivatives",
//! 2nd ed., §12.2) call it *joint* reversal of a call when it is recorded and reversed at one go: the tape is one call's. So an iteration becomes a
//! call ([`outline`]), whose reverse is its combined gradient, and which the forward pass leaves out. That costs nothing, and
//! is done with an outermost loop of the differentiated function, or one within it, if
//!
//! 1. it is of the form of [`shell`]: all that is left of it is sums;
//! 2. nobody needs the sums but the result, and nobody asks for that: no instruction that the sums flow to has an effect or is needed by the reverse;
//! 3. an iteration can be executed in the reverse pass: it has no effect but on memory of the gradient's own, and reads nothing but what
//!    lasts until then ([`crate::lasting`]) and what it has itself written before ([`cover`]);
//! 4. what it writes is read nowhere else, since the forward pass does not write it;
//! 5. it keeps something on the tape.
//!
//! The order of adjoints is as without it. Own memory is written again in the reverse pass, when all that was behind the loop has
//! been reversed; what stands before the loop makes no load of it again, because the loop writes there.

mod cells;
mod cover;
mod outline;
mod shell;

pub(crate) use cells::meets_no_cell_twice;

use crate::error::Diagnostic;
use crate::known::External;
use crate::lasting::Lasting;
use crate::memory::{Facts, ObjId, ObjKind};
use crate::needs::{Callee, Context, Item};
use crate::options::Without;
use crate::plan::{Assumptions, Plan, Recompute, RecordTypes};
use crate::request::Style;
use crate::shape::{Region, Shape};
use crate::source::{Sources, return_block};
use cover::Cover;
use ir::hash::HashSet;
use ir::loops::LoopId;
use ir::{FuncId, InstId, InstKind, Module, Operand, ValueId};
use outline::is_marker;
use shell::{Shell, Users};
use std::collections::BTreeSet;

/// Makes functions of the iterations of loops that can be reversed so, and analyses what is there then; returns the functions with a
/// derivative, if there are any such loops.
pub(crate) fn apply(
    m: &mut Module,
    (sources, facts): (&mut Sources, &mut Facts),
    differentiable: &BTreeSet<FuncId>,
    (root, style): (FuncId, Style),
    analyse: impl Fn(&Module, &Sources) -> Result<Facts, Diagnostic>,
) -> Option<BTreeSet<FuncId>> {
    let types = crate::synth::record_field_types(m);
    let cx = Context { m, facts, sources, differentiable, id: root, func: &sources[&root] };
    let found = find(&cx, (style, facts.without), types);
    if found.is_empty() {
        return None;
    }
    let before = sources[&root].clone();
    let (mut func, shape) = (before.clone(), Shape::new(m, &before).ok()?);
    let mut joint = BTreeSet::new();
    for shell in &found {
        let (id, body) = outline::apply(m, (root, &mut func), (&shape.loops.loops[shell.of], shell));
        sources.insert(id, body);
        joint.insert(id);
    }
    sources.insert(root, func);
    let analysed = analyse(m, sources).and_then(|new| new.validate(m, sources).map(|()| new));
    let Ok(new) = analysed else {
        // What the calls hide from the analyses is differentiated as it was.
        sources.insert(root, before);
        sources.retain(|id, _| !joint.contains(id));
        return None;
    };
    let old = std::mem::replace(facts, new);
    (facts.caller_may_write, facts.without, facts.joint) = (old.caller_may_write, old.without, joint);
    let differentiable = crate::differentiable(m, facts, sources, (root, None));
    facts.lasting = Lasting::find(m, facts, sources, &differentiable, (root, true));
    Some(differentiable)
}

/// The loops of the differentiated function that can be reversed so.
fn find(root: &Context, (style, without): (Style, Without), types: RecordTypes) -> Vec<Shell> {
    let Ok(shape) = Shape::new(root.m, root.func) else { return Vec::new() };
    let Some(exit) = return_block(root.func) else { return Vec::new() };
    // The result is wanted: by the caller, or by a call of the function in what it calls.
    let wanted = || style.primal_return || crate::lasting::is_called(root.m, root.facts, root.sources, root.id);
    if shape.loops.loops.is_empty() || wanted() {
        return Vec::new();
    }
    let assume = (Assumptions { combined: true, arguments: false }, without);
    let recompute = Recompute::new(root, &shape, exit, assume);
    let (counters, users) = (recompute.inductions(), shell::users(root));
    let mut found: Vec<Shell> = Vec::new();
    for l in shape.loops.loops.keys() {
        let within = |other: &Shell| shape.common(Some(other.of), Some(l)) == Some(other.of);
        if found.iter().any(within) {
            continue;
        }
        let Some(shell) = shell::of((root, &shape, &users), counters, l) else { continue };
        if flows_into_result(root, &users, &shell).is_none() {
            continue;
        }
        let cover = Cover::new(root, &shape, counters, l);
        if is_repeatable(root, &cover) && !is_read_elsewhere(root, &cover) {
            found.push(shell);
        }
    }
    if found.is_empty() {
        return found;
    }
    let plan = Plan::new(root, &shape, exit, assume, types);
    let keeps = |l: LoopId| {
        let inside = |r: &Region| r.is_some() && shape.common(*r, Some(l)) == Some(l);
        plan.layouts.iter().any(|(r, layout)| inside(r) && !layout.fields.is_empty())
    };
    let asked = |v: &ValueId| plan.recipes.keys().chain(&plan.stored).any(|w| w.item == Item::Primal(*v));
    let unneeded = |shell: &Shell| flows_into_result(root, &users, shell).is_some_and(|flow| !flow.iter().any(asked));
    found.retain(|shell| keeps(shell.of) && unneeded(shell));
    found
}

/// What the sums of a loop flow to behind it, if that is nothing but arithmetic on the way to the result.
fn flows_into_result(cx: &Context, users: &Users, shell: &Shell) -> Option<HashSet<ValueId>> {
    let mut flow: HashSet<ValueId> = shell.sums.iter().flat_map(|s| [s.value, s.next]).collect();
    let own: HashSet<InstId> = shell.chain.iter().copied().collect();
    let mut work: Vec<ValueId> = flow.iter().copied().collect();
    while let Some(v) = work.pop() {
        for user in users.get(&v).into_iter().flatten().filter(|user| !own.contains(user)) {
            let data = &cx.func.insts[*user];
            match &data.kind {
                InstKind::Ret(_) => continue,
                InstKind::Binary { .. }
                | InstKind::FNeg { .. }
                | InstKind::Phi { .. }
                | InstKind::Select { .. }
                | InstKind::Cast { .. } => {}
                InstKind::Call(call) => match cx.callee(call) {
                    Callee::External(External::Rule(row)) if row.returns_only() => {}
                    _ => return None,
                },
                _ => return None,
            }
            work.extend(data.result.filter(|result| flow.insert(*result)));
        }
    }
    Some(flow)
}

/// Can an iteration be executed in the reverse pass, and has it no effect that others see?
fn is_repeatable(cx: &Context, cover: &Cover) -> bool {
    let (facts, m) = (cx.facts, cx.m);
    let data = &cover.shape.loops.loops[cover.of];
    let once = |site: InstId| cover.shape.block(site).is_some_and(|b| cover.shape.region(b).is_none());
    let is_own = |o: &ObjId| match facts.objects[*o].kind {
        ObjKind::Stack(f, site) | ObjKind::Heap(f, site) => f == cx.id && once(site) && facts.lasting.is_there(*o),
        _ => false,
    };
    let is_own_memory = |ptr: Operand| {
        let targets = cx.targets(ptr);
        !targets.is_empty() && !facts.leads_elsewhere(m, cx.id, ptr) && targets.keys().all(is_own)
    };
    data.blocks.iter().flat_map(|b| &cx.func.blocks[*b].insts).all(|inst| match &cx.func.insts[*inst].kind {
        InstKind::Load { volatile: false, atomic: None, ptr, .. } => {
            facts.lasting.load(cx.id, *inst) || is_own_memory(*ptr) && cover.covers(*inst)
        }
        InstKind::Store { volatile: false, atomic: None, ptr, .. } => is_own_memory(*ptr) && !cx.moves_shadow(*inst),
        InstKind::Call(call) => match cx.callee(call) {
            Callee::External(External::Rule(row)) => row.returns_only(),
            Callee::External(External::Inactive) => {
                let name = m.as_function(call.callee).map_or("", |f| m.functions[f].name.as_str());
                name.starts_with("llvm.") && !name.contains("stack") && !name.contains("trap")
            }
            _ => false,
        },
        kind => matches!(
            kind,
            InstKind::Br(_)
                | InstKind::CondBr { .. }
                | InstKind::Switch { .. }
                | InstKind::FNeg { .. }
                | InstKind::Binary { .. }
                | InstKind::ExtractElement { .. }
                | InstKind::InsertElement { .. }
                | InstKind::ShuffleVector { .. }
                | InstKind::ExtractValue { .. }
                | InstKind::InsertValue { .. }
                | InstKind::Gep { .. }
                | InstKind::Cast { .. }
                | InstKind::ICmp { .. }
                | InstKind::FCmp { .. }
                | InstKind::Phi { .. }
                | InstKind::Select { .. }
                | InstKind::Freeze(_)
        ),
    })
}

/// May anybody but the loop itself read what it writes?
fn is_read_elsewhere(root: &Context, cover: &Cover) -> bool {
    let stored = |inst: &InstId| match root.func.insts[*inst].kind {
        InstKind::Store { ptr, .. } => root.targets(ptr).into_keys().collect(),
        _ => Vec::new(),
    };
    let blocks = &cover.shape.loops.loops[cover.of].blocks;
    let inside = |inst: &InstId| cover.shape.block(*inst).is_some_and(|b| blocks.contains(&b));
    let insts = blocks.iter().flat_map(|b| &root.func.blocks[*b].insts);
    let written: BTreeSet<ObjId> = insts.flat_map(stored).collect();
    if written.is_empty() {
        return false;
    }
    root.sources.iter().any(|(id, func)| {
        let cx = Context { id: *id, func, ..*root };
        let leads_there = |o: &Operand| cx.targets(*o).keys().any(|t| written.contains(t));
        let reads = |inst: InstId| match &func.insts[inst].kind {
            // Read, or handed on to who knows whom.
            InstKind::Load { ptr, .. } => leads_there(ptr),
            InstKind::Store { value, .. } => leads_there(value),
            InstKind::Call(call) => match cx.callee(call) {
                Callee::External(External::Free { .. } | External::Set | External::Allocate { .. }) => false,
                Callee::External(External::Copy) => leads_there(&call.args[1]),
                _ if is_marker(cx.m, &func.insts[inst]) => false,
                _ => call.args.iter().any(leads_there),
            },
            InstKind::Gep { .. }
            | InstKind::Phi { .. }
            | InstKind::Select { .. }
            | InstKind::ICmp { .. }
            | InstKind::Freeze(_)
            | InstKind::Br(_)
            | InstKind::CondBr { .. }
            | InstKind::Switch { .. } => false,
            kind => kind.operands().iter().any(leads_there),
        };
        func.inst_order().any(|(_, inst)| !(*id == root.id && inside(&inst)) && reads(inst))
    })
}
