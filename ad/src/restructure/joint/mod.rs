//! Joint reversal: an iteration of a loop is executed when it is reversed, with a tape for itself
//! ([`crate::runtime::tape_marks`]), and not before.
//!
//! The tape of a loop over summands is as long as the loop, although no iteration needs another's. Griewank & Walther
//! ("Evaluating Derivatives", 2nd ed., §12.2) call it *joint* reversal of a call when it is recorded and reversed at
//! one go: the tape is one call's. So an iteration becomes a call ([`outline`]), whose reverse is its combined
//! gradient, and which the forward pass leaves out. That costs nothing, and is done with an outermost loop of the
//! differentiated function, or one within it, if
//!
//! 1. it is of the form of [`reduction`]: all that is left of it is sums;
//! 2. nobody needs the sums but the result, and nobody asks for that: no instruction that the sums flow to has an
//!    effect or is needed by the reverse;
//! 3. an iteration can be executed in the reverse pass: it has no effect but on memory of the gradient's own, and reads
//!    nothing but what lasts until then ([`crate::analysis::reload`]) and what it has itself written before
//!    ([`crate::analysis::affine::reaching_store`]);
//! 4. what it writes is read nowhere else, since the forward pass does not write it;
//! 5. it keeps something on the tape.
//!
//! A loop without sums that writes the caller's arrays is executed in the same way ([`independent`]), and so are the
//! loops in such an iteration: then nothing is kept of it, and what it loads is loaded once. That its iterations are
//! independent of each other is found out at run time, beside a copy of the loop that does without ([`versions`],
//! [`terms`], [`bounds`]).
//!
//! The order of adjoints is as without it. Own memory is written again in the reverse pass, when all that was behind
//! the loop has been reversed; what stands before the loop makes no load of it again, because the loop writes there.

pub mod bounds;
pub mod independent;
mod outline;
pub mod reduction;
pub mod terms;
mod versions;

use crate::analysis::affine::reaching_store::Cover;
use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Callee, Context, Item};
use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::recompute::Recompute;
use crate::analysis::reload::reads;
use crate::analysis::taint::addresses;
use crate::analysis::wanted::{Assumptions, RecordTypes, Wanted};
use crate::analysis::{reach, reload, wanted};
use crate::base::regions::{Region, Shape};
use crate::check::shadows;
use crate::error::Diagnostic;
use crate::mode::Style;
use crate::normalise::collect::return_block;
use crate::normalise::sources::Sources;
use crate::options::{Lever, Without};
use crate::plan::data::Plan;
use crate::program::externals::External;
use crate::restructure::joint::independent::Access;
use crate::restructure::joint::reduction::{Shell, Users};
use ir::hash::HashSet;
use ir::{BlockId, FuncId, Function, InstId, InstKind, Module, Operand, ValueId};
use std::collections::BTreeSet;

/// Makes functions of the iterations of loops that can be reversed so, and analyses what is there then; returns the
/// functions with a derivative, if there are any such loops.
pub(crate) fn apply(
    m: &mut Module,
    (sources, facts): (&mut Sources, &mut Analyses),
    differentiable: &BTreeSet<FuncId>,
    (root, style): (FuncId, Style),
    analyse: impl Fn(&Module, &Sources) -> Result<Facts, Diagnostic>,
) -> Option<BTreeSet<FuncId>> {
    let mut reached: Option<BTreeSet<FuncId>> = None;
    // Loops in the iteration of a loop that writes the caller's memory are looked at in turn.
    let mut work = vec![root];
    while !work.is_empty() {
        let before: Vec<(FuncId, Function)> = work.iter().map(|id| (*id, sources[id].clone())).collect();
        let (joint, inner) =
            outline_in(m, (sources, facts), reached.as_ref().unwrap_or(differentiable), (&work, root, style));
        if joint.is_empty() {
            break;
        }
        let analysed = analyse(m, sources).and_then(|new| {
            new.validate(m, sources, true)?;
            shadows::check(m, sources, &new).map(|()| new)
        });
        let Ok(new) = analysed else {
            // What the calls hide from the analyses is differentiated as it was.
            sources.extend(before);
            sources.retain(|id, _| !joint.contains(id));
            break;
        };
        reached = Some(renew(m, (sources, facts), (root, &joint), new));
        work = inner;
    }
    reached
}

/// Takes the facts of changed sources, in which there are some functions more that are executed in the reverse pass;
/// returns the functions with a derivative.
pub(crate) fn renew(
    m: &Module,
    (sources, facts): (&Sources, &mut Analyses),
    (root, joint): (FuncId, &BTreeSet<FuncId>),
    new: Facts,
) -> BTreeSet<FuncId> {
    let remade = addresses::remade(m, sources, &new);
    facts.renew(new, remade);
    facts.joint.extend(joint);
    let differentiable = reach::differentiable(m, facts, sources, (root, None));
    facts.reloads = reload::find(m, facts, sources, &differentiable, (root, true));
    differentiable
}

/// Makes functions of the iterations of loops of these functions; returns them, and those of which loops are looked at
/// next.
fn outline_in(
    m: &mut Module,
    (sources, facts): (&mut Sources, &Analyses),
    differentiable: &BTreeSet<FuncId>,
    (functions, root, style): (&[FuncId], FuncId, Style),
) -> (BTreeSet<FuncId>, Vec<FuncId>) {
    let types = wanted::record_field_types(m);
    let (mut joint, mut inner) = (BTreeSet::new(), Vec::new());
    for id in functions {
        let cx = Context { m, facts, sources, differentiable, id: *id, func: &sources[id] };
        let Ok(shape) = Shape::new(m, cx.func) else { continue };
        let found = find(&cx, &shape, (root, style, facts.without), types);
        let mut func = cx.func.clone();
        for Found { mut shell, checked } in found {
            let data = &shape.loops.loops[shell.of];
            if let Some((enter, accesses)) = &checked
                && !versions::apply(m, (*id, &mut func), (data, *enter), (&mut shell, accesses))
            {
                continue;
            }
            let (iteration, body) = outline::apply(m, (*id, &mut func), (data, &shell));
            sources.insert(iteration, body);
            joint.insert(iteration);
            inner.extend(checked.map(|_| iteration));
        }
        sources.insert(*id, func);
    }
    (joint, inner)
}

/// A loop that can be reversed so; if its iterations must be found to be independent where it is entered, the block
/// before it, and its accesses.
struct Found {
    shell: Shell,
    checked: Option<(BlockId, Vec<Access>)>,
}

/// The loops of a function that can be reversed so.
fn find(
    cx: &Context,
    shape: &Shape,
    (root, style, without): (FuncId, Style, Without),
    types: RecordTypes,
) -> Vec<Found> {
    let Some(exit) = return_block(cx.func) else { return Vec::new() };
    if shape.loops.loops.is_empty() || reload::is_called(cx.m, cx.facts, cx.sources, root) {
        return Vec::new();
    }
    let assume = (Assumptions { combined: true, arguments: false }, without);
    let recompute = Recompute::new(cx, shape, exit, assume);
    let (counters, users) = (recompute.inductions(), reduction::users(cx));
    let mut found: Vec<Found> = Vec::new();
    for l in shape.loops.loops.keys() {
        let within = |other: &Found| shape.common(Some(other.shell.of), Some(l)) == Some(other.shell.of);
        if found.iter().any(within) {
            continue;
        }
        let Some(shell) = reduction::of((cx, shape, &users), counters, l) else { continue };
        if shell.sums.is_empty() {
            if !without.has(Lever::Maps)
                && shape.parent(l).is_none()
                && let Some(enter) = versions::before((cx, shape), l)
                && let Some(accesses) = independent::of((cx, shape), counters, &shell)
            {
                found.push(Found { shell, checked: Some((enter, accesses)) });
            }
        } else if cx.id == root
            && !without.has(Lever::Joint)
            && !style.primal_return
            && flows_into_result(cx, &users, &shell).is_some()
        {
            let cover = Cover::new(cx, shape, counters, l);
            if is_repeatable(cx, &cover) && !is_read_elsewhere(cx, &cover) {
                found.push(Found { shell, checked: None });
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    let plan = Plan::new(cx, shape, exit, assume, types);
    let inside = |r: &Region, l| r.is_some() && shape.common(*r, Some(l)) == Some(l);
    let keeps = |l| plan.layouts.iter().any(|(r, layout)| inside(r, l) && !layout.fields.is_empty());
    // What is loaded again counts as well: there the iteration is executed twice.
    let is_number = |w: &Wanted| matches!(w.item, Item::Primal(v) if is_number_type(cx, v));
    let repeats = |l| plan.recipes.keys().chain(&plan.stored).any(|w| inside(&w.region, l) && is_number(w));
    let asked = |v: &ValueId| plan.recipes.keys().chain(&plan.stored).any(|w| w.item == Item::Primal(*v));
    let unneeded = |shell: &Shell| flows_into_result(cx, &users, shell).is_some_and(|flow| !flow.iter().any(asked));
    found.retain(|f| match f.checked {
        Some(_) => repeats(f.shell.of),
        None => keeps(f.shell.of) && unneeded(&f.shell),
    });
    found
}

/// No integer, and no pointer.
fn is_number_type(cx: &Context, v: ValueId) -> bool {
    let ty = cx.func.value_ty(v);
    !cx.m.types.is_int(ty) && !cx.m.types.is_ptr(ty)
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
                    Callee::External(External::Held) => {}
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
    let data = &cover.addresses.shape.loops.loops[cover.of];
    let once =
        |site: InstId| cover.addresses.shape.block(site).is_some_and(|b| cover.addresses.shape.region(b).is_none());
    let is_own = |o: &ObjId| match facts.objects[*o].kind {
        ObjKind::Stack(f, site) | ObjKind::Heap(f, site) => f == cx.id && once(site) && facts.reloads.is_there(*o),
        _ => false,
    };
    let is_own_memory = |ptr: Operand| {
        let targets = cx.targets(ptr);
        !targets.is_empty() && !facts.leads_elsewhere(m, cx.id, ptr) && targets.keys().all(is_own)
    };
    data.blocks.iter().flat_map(|b| &cx.func.blocks[*b].insts).all(|inst| match &cx.func.insts[*inst].kind {
        InstKind::Load { volatile: false, atomic: None, ptr, .. } => {
            facts.reloads.load(cx.id, *inst) || is_own_memory(*ptr) && cover.covers(*inst)
        }
        InstKind::Store { volatile: false, atomic: None, ptr, .. } => is_own_memory(*ptr) && !cx.moves_shadow(*inst),
        _ => is_pure(cx, *inst),
    })
}

/// Has the instruction nothing to do with memory, and no effect but to go on?
fn is_pure(cx: &Context, inst: InstId) -> bool {
    match &cx.func.insts[inst].kind {
        InstKind::Call(call) => match cx.callee(call) {
            Callee::External(External::Rule(row)) => row.returns_only(),
            Callee::External(External::Held) => true,
            Callee::External(External::Inactive) => {
                let name = cx.m.as_function(call.callee).map_or("", |f| cx.m.functions[f].name.as_str());
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
    }
}

/// May anybody but the loop itself read what it writes?
fn is_read_elsewhere(root: &Context, cover: &Cover) -> bool {
    let stored = |inst: &InstId| match root.func.insts[*inst].kind {
        InstKind::Store { ptr, .. } => root.targets(ptr).into_keys().collect(),
        _ => Vec::new(),
    };
    let shape = cover.addresses.shape;
    let blocks = &shape.loops.loops[cover.of].blocks;
    let inside = |id: FuncId, inst| id == root.id && shape.block(inst).is_some_and(|b| blocks.contains(&b));
    let insts = blocks.iter().flat_map(|b| &root.func.blocks[*b].insts);
    let written: BTreeSet<ObjId> = insts.flat_map(stored).collect();
    !written.is_empty() && reads(root, &written, inside)
}
