//! Defects of parallel gradients, planted in what synthesis has made: one kind of instruction is changed wherever it
//! stands in the passes of regions. Whoever judges has to notice each of them on some program.
//!
//! Passes are known by their names: the forward and the reverse pass of a region's body, what a thread of a team does
//! around them, what the thread does that makes the team.

mod gathered;

use crate::mutate::{before, insert, remove, replace};
use ir::{BinOp, Function, Inst, InstId, InstKind, Module, Operand, Ordering, RmwOp};

/// A defect of a parallel gradient.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Planted {
    /// An increment of an adjoint is a load and a store.
    NotAtomic,
    /// An adjoint is overwritten in place of added to.
    Overwritten,
    /// It is taken off.
    Negated,
    /// It is not added.
    Dropped,
    /// It is added twice.
    Twice,
    /// It is added to the number beside.
    Neighbour,
    /// What a thread has summed up is not added.
    SumDropped,
    /// It is added twice.
    SumTwice,
    /// The increment of an adjoint that nobody shares is not made.
    OwnDropped,
    /// It is made twice.
    OwnTwice,
    /// It overwrites.
    OwnOverwritten,
    /// It is made of the number before it alone.
    OwnKept,
    /// What a branch of a thread was is forgotten: it was taken.
    WayTaken,
    /// It was not taken.
    WayPassed,
    /// It went the other way: another thread's number was the last, the smallest, the first.
    WayOther,
    /// The shadow of what is stored is not cleared.
    NotCleared,
    /// The record of an iteration is reversed again in place of the one before it.
    RecordAgain,
    /// Whoever reverses a section does not wait for its turn.
    NotAwaited,
    /// Nobody is told that a section is reversed.
    NotEnded,
    /// The turn ends before the section is reversed.
    EndedEarly,
    /// Each section has the number of the first.
    NumberLost,
    /// The number is taken behind the section.
    NumberOutside,
    /// The effects of a section are not reversed.
    SectionKept,
    /// The reverse pass has no barriers.
    NoReverseBarrier,
    /// The forward pass has none.
    NoForwardBarrier,
    /// The forward pass does not exclude others from a section.
    NoSection,
    /// It does not exclude them from a number.
    NoCell,
    /// All threads reverse the tape of the first.
    TapeShared,
    /// Only the first tape is reversed.
    FirstTapeOnly,
    /// The last one is not.
    LastTapeDropped,
    /// A tape is freed twice.
    TapeFreedTwice,
    /// It is not freed.
    TapeKept,
    /// It is reversed twice.
    TapeReversedTwice,
    /// Each thread takes itself for the first.
    AllFirst,
    /// Each tape has the number of the first.
    TapeNumberLost,
    /// Tapes are entered in their list without care for other threads.
    ListNotAtomic,
    /// An entry of the list does not know the next.
    ListCut,
    /// The memory of a thread's tape is not cleared.
    TapeNotCleared,
    /// All threads write on one tape.
    OneTape,
    /// Each thread reverses all tapes from its own on.
    AllTapes,
    /// The memory of a tape's entry is kept.
    EntryKept,
    /// It is freed twice.
    EntryFreedTwice,
    /// All threads have one shadow of a variable of each of them.
    OneShadow,
    /// The shadow of a copy is not cleared.
    CopyNotCleared,
    /// A store is reversed before what the thread has gathered for it is added.
    NotSettled,
    /// What a thread has gathered is not added where others may look next.
    NotHandedOver,
    /// What it has gathered is not added at the end of its region.
    GatheredLost,
    /// It is added before all others have come to the end of their phase.
    NotMet,
    /// A page that is claimed is everybody's.
    ClaimedByAll,
}

impl Planted {
    /// Every defect with its name.
    pub const ALL: [(Planted, &'static str); 49] = [
        (Planted::NotAtomic, "increment-not-atomic"),
        (Planted::Overwritten, "increment-overwrites"),
        (Planted::Negated, "increment-negated"),
        (Planted::Dropped, "increment-dropped"),
        (Planted::Twice, "increment-twice"),
        (Planted::Neighbour, "increment-beside"),
        (Planted::SumDropped, "sum-dropped"),
        (Planted::SumTwice, "sum-twice"),
        (Planted::OwnDropped, "own-increment-dropped"),
        (Planted::OwnTwice, "own-increment-twice"),
        (Planted::OwnOverwritten, "own-increment-overwrites"),
        (Planted::OwnKept, "own-increment-of-nothing"),
        (Planted::WayTaken, "way-taken"),
        (Planted::WayPassed, "way-passed"),
        (Planted::WayOther, "way-other"),
        (Planted::NotCleared, "shadow-not-cleared"),
        (Planted::RecordAgain, "record-again"),
        (Planted::NotAwaited, "turn-not-awaited"),
        (Planted::NotEnded, "turn-not-ended"),
        (Planted::EndedEarly, "turn-ended-early"),
        (Planted::NumberLost, "turn-number-lost"),
        (Planted::NumberOutside, "turn-number-outside"),
        (Planted::SectionKept, "section-not-reversed"),
        (Planted::NoReverseBarrier, "no-barrier-in-reverse"),
        (Planted::NoForwardBarrier, "no-barrier-in-forward"),
        (Planted::NoSection, "no-section-in-forward"),
        (Planted::NoCell, "no-lock-of-a-number"),
        (Planted::TapeShared, "tape-shared"),
        (Planted::FirstTapeOnly, "first-tape-only"),
        (Planted::LastTapeDropped, "last-tape-dropped"),
        (Planted::TapeFreedTwice, "tape-freed-twice"),
        (Planted::TapeKept, "tape-kept"),
        (Planted::TapeReversedTwice, "tape-reversed-twice"),
        (Planted::AllFirst, "all-threads-first"),
        (Planted::TapeNumberLost, "tape-number-lost"),
        (Planted::ListNotAtomic, "list-not-atomic"),
        (Planted::ListCut, "list-cut"),
        (Planted::TapeNotCleared, "tape-not-cleared"),
        (Planted::OneTape, "one-tape"),
        (Planted::AllTapes, "all-tapes"),
        (Planted::EntryKept, "entry-kept"),
        (Planted::EntryFreedTwice, "entry-freed-twice"),
        (Planted::OneShadow, "one-shadow-for-all"),
        (Planted::CopyNotCleared, "copy-not-cleared"),
        (Planted::NotSettled, "gathered-not-settled"),
        (Planted::NotHandedOver, "gathered-not-handed-over"),
        (Planted::GatheredLost, "gathered-lost"),
        (Planted::NotMet, "gathered-unmet"),
        (Planted::ClaimedByAll, "page-claimed-by-all"),
    ];

    /// The defect of that name.
    pub fn parse(name: &str) -> Option<Planted> {
        Planted::ALL.iter().find(|(_, known)| *known == name).map(|(planted, _)| *planted)
    }
}

/// What a function does for a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Forward,
    Reverse,
    ForwardTeam,
    ReverseTeam,
    ReverseFork,
    Other,
}

fn pass(name: &str) -> Pass {
    let starts = |prefix: &str| name.starts_with(prefix);
    match () {
        () if starts("__adj_forward_team_") => Pass::ForwardTeam,
        () if starts("__adj_reverse_team_") => Pass::ReverseTeam,
        () if starts("__adj_reverse___adj_fork_") => Pass::ReverseFork,
        () if starts("__adj_forward___adj_fork_") => Pass::Other,
        () if starts("__adj_forward_") => Pass::Forward,
        () if starts("__adj_reverse_") => Pass::Reverse,
        () => Pass::Other,
    }
}

/// Plants a defect, and tells in how many places.
pub fn plant(m: &mut Module, planted: Planted) -> usize {
    if planted == Planted::OneShadow {
        let shadows = m.globals.values_mut().filter(|g| g.name.contains("adj") && !g.thread_local.is_empty());
        return shadows.map(|global| global.thread_local.clear()).count();
    }
    if planted == Planted::ClaimedByAll {
        return gathered::claimed_by_all(m);
    }
    let ids: Vec<_> = m.functions.keys().collect();
    let mut places = 0;
    for id in ids {
        let pass = pass(&m.functions[id].name);
        if pass == Pass::Other || m.functions[id].blocks.is_empty() {
            continue;
        }
        let mut f = m.functions[id].clone();
        if !gathered::is_of_gathering(planted) {
            spell_out(m, &mut f);
        }
        let all: Vec<InstId> = f.inst_order().map(|(_, inst)| inst).collect();
        for inst in all {
            places += usize::from(change(m, &mut f, (pass, inst), planted).is_some());
        }
        m.functions[id] = f;
    }
    places
}

/// Additions that are made in one piece where there are several threads, as such: a defect in one place is no defect in
/// all of them.
fn spell_out(m: &Module, f: &mut Function) {
    for (_, inst) in f.inst_order().collect::<Vec<_>>() {
        let name = called(m, f, inst);
        if !["__adj_add_", "__adj_gather_"].iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        let InstKind::Call(call) = &f.insts[inst].kind else { continue };
        let [ptr, value] = call.args[..] else { continue };
        let ty = m.operand_ty(f, value);
        let (align, ordering) = (m.size_of(ty), Ordering::Monotonic);
        let (op, volatile, scope) = (RmwOp::FAdd, false, String::new());
        let kind = InstKind::AtomicRmw { op, ptr, value, align, volatile, ordering, scope };
        let new = f.create_inst(Inst::new(kind, ty), true);
        insert(f, inst, new);
        remove(f, inst);
    }
}

/// The name of the function that an instruction calls.
fn called<'m>(m: &'m Module, f: &Function, inst: InstId) -> &'m str {
    let InstKind::Call(call) = &f.insts[inst].kind else { return "" };
    m.as_function(call.callee).map_or("", |id| m.functions[id].name.as_str())
}

/// The instruction that makes a value.
fn maker(f: &Function, value: Operand) -> Option<InstId> {
    f.insts.iter().find(|(_, inst)| inst.result.is_some_and(|r| Operand::Local(r) == value)).map(|(id, _)| id)
}

fn made(f: &Function, value: Operand) -> Option<&InstKind> {
    maker(f, value).map(|id| &f.insts[id].kind)
}

/// Where an instruction is: the others of its block, and its place among them.
fn around(f: &Function, inst: InstId) -> Option<(Vec<InstId>, usize)> {
    f.blocks.values().find_map(|b| b.insts.iter().position(|i| *i == inst).map(|at| (b.insts.clone(), at)))
}

/// The same call once more, in front of it.
fn again(f: &mut Function, inst: InstId) {
    let copy = f.insts[inst].clone();
    let new = f.create_inst(Inst::new(copy.kind, copy.ty), copy.result.is_some());
    insert(f, inst, new);
}

/// Moves an instruction in front of another.
fn shift(f: &mut Function, inst: InstId, to: InstId) {
    remove(f, inst);
    insert(f, to, inst);
}

/// Is that an increment of an adjoint that several threads may add to?
fn is_shared(m: &Module, f: &Function, inst: InstId) -> bool {
    let InstKind::AtomicRmw { op: RmwOp::FAdd, value, .. } = f.insts[inst].kind else { return false };
    m.types.float_kind(m.operand_ty(f, value)).is_some()
}

/// The sum that an increment of an adjoint in memory stores, and the number that is added.
fn own(f: &Function, inst: InstId) -> Option<(InstId, Operand, Operand)> {
    let InstKind::Store { value, ptr, .. } = f.insts[inst].kind else { return None };
    if matches!(made(f, ptr), Some(InstKind::Alloca { .. })) {
        return None;
    }
    let sum = maker(f, value)?;
    let InstKind::Binary { op: BinOp::FAdd, lhs, rhs, .. } = f.insts[sum].kind else { return None };
    let loads = |o: Operand| matches!(made(f, o), Some(InstKind::Load { ptr: from, .. }) if *from == ptr);
    loads(lhs).then_some((sum, lhs, rhs))
}

fn sum(lhs: Operand, rhs: Operand) -> InstKind {
    InstKind::Binary { op: BinOp::FAdd, flags: Default::default(), fast: Default::default(), lhs, rhs }
}

/// Changes one instruction, if it is one that the defect is about.
fn change(m: &mut Module, f: &mut Function, (pass, inst): (Pass, InstId), planted: Planted) -> Option<()> {
    let on = |condition: bool| condition.then_some(());
    let name = called(m, f, inst).to_owned();
    match planted {
        Planted::NotAtomic
        | Planted::Overwritten
        | Planted::Negated
        | Planted::Dropped
        | Planted::Twice
        | Planted::Neighbour => {
            on(pass == Pass::Reverse && is_shared(m, f, inst))?;
            increment(m, f, inst, planted)
        }
        Planted::SumDropped | Planted::SumTwice => {
            on(pass == Pass::Reverse && is_shared(m, f, inst))?;
            let (block, _) = around(f, inst)?;
            on(block.last().is_some_and(|i| matches!(f.insts[*i].kind, InstKind::Ret(_))))?;
            increment(m, f, inst, if planted == Planted::SumTwice { Planted::Twice } else { Planted::Dropped })
        }
        Planted::OwnDropped | Planted::OwnTwice | Planted::OwnOverwritten | Planted::OwnKept => {
            on(pass == Pass::Reverse)?;
            let (sum_of, before_it, added) = own(f, inst)?;
            let ty = f.insts[sum_of].ty;
            let new = match planted {
                Planted::OwnDropped => before_it,
                Planted::OwnOverwritten => added,
                Planted::OwnKept => m.zero(ty),
                _ => {
                    let value = f.insts[sum_of].result?;
                    Operand::Local(before(f, inst, sum(Operand::Local(value), added), ty)?)
                }
            };
            if let InstKind::Store { value, .. } = &mut f.insts[inst].kind {
                *value = new;
            }
            Some(())
        }
        Planted::WayTaken | Planted::WayPassed | Planted::WayOther => {
            on(pass == Pass::Reverse)?;
            let InstKind::CondBr { cond: way, .. } = f.insts[inst].kind else { return None };
            on(matches!(made(f, way), Some(InstKind::Load { .. })))?;
            let known = m.int(1, u128::from(planted == Planted::WayTaken));
            if let InstKind::CondBr { cond, then_to, else_to } = &mut f.insts[inst].kind {
                match planted {
                    Planted::WayOther => std::mem::swap(then_to, else_to),
                    _ => *cond = known,
                }
            }
            Some(())
        }
        Planted::NotCleared => {
            on(pass == Pass::Reverse)?;
            let InstKind::Store { value, ptr, .. } = f.insts[inst].kind else { return None };
            let ty = m.operand_ty(f, value);
            on(m.types.float_kind(ty).is_some() && value == m.zero(ty))?;
            on(!matches!(made(f, ptr), Some(InstKind::Alloca { .. })))?;
            remove(f, inst);
            Some(())
        }
        Planted::RecordAgain => {
            on(pass == Pass::Reverse)?;
            let InstKind::Store { value, ptr, .. } = f.insts[inst].kind else { return None };
            on(m.types.is_ptr(m.operand_ty(f, value)))?;
            on(matches!(made(f, ptr), Some(InstKind::Alloca { .. })))?;
            let Some(InstKind::Load { ptr: link, .. }) = made(f, value) else { return None };
            let Some(InstKind::Gep { base, .. }) = made(f, *link) else { return None };
            on(matches!(made(f, *base), Some(InstKind::Load { .. })))?;
            remove(f, inst);
            Some(())
        }
        Planted::NotAwaited => {
            on(name == "__adj_turn_await")?;
            remove(f, inst);
            Some(())
        }
        Planted::NotEnded => {
            on(name == "__adj_turn_end")?;
            remove(f, inst);
            Some(())
        }
        Planted::EndedEarly | Planted::SectionKept => {
            on(name == "__adj_turn_await")?;
            section(m, f, inst, planted)
        }
        Planted::NumberLost => {
            on(name == "__adj_turn_take")?;
            let zero = m.int(64, 0);
            replace(f, inst, zero)
        }
        Planted::NumberOutside => {
            on(name == "__adj_turn_take")?;
            let (block, at) = around(f, inst)?;
            let leaves = |i: &InstId| {
                let name = called(m, f, *i);
                ["__kmpc_end_critical", "__adj_unlock_cell", "omp_unset_lock", "pthread_mutex_unlock"].contains(&name)
            };
            let end = block[at..].iter().copied().find(leaves)?;
            shift(f, end, inst);
            Some(())
        }
        Planted::NoReverseBarrier | Planted::NoForwardBarrier => {
            let of = if planted == Planted::NoReverseBarrier { Pass::Reverse } else { Pass::Forward };
            on(pass == of && name == "__kmpc_barrier")?;
            remove(f, inst);
            Some(())
        }
        Planted::NoSection => {
            on(pass == Pass::Forward && ["__kmpc_critical", "__kmpc_end_critical"].contains(&name.as_str()))?;
            remove(f, inst);
            Some(())
        }
        Planted::NoCell => {
            on(["__adj_lock_cell", "__adj_unlock_cell"].contains(&name.as_str()))?;
            remove(f, inst);
            Some(())
        }
        _ if gathered::is_of_gathering(planted) => gathered::change(m, f, (pass, inst), planted),
        _ => team(m, f, (pass, inst, &name), planted),
    }
}

/// An increment that several threads may make.
fn increment(m: &mut Module, f: &mut Function, inst: InstId, planted: Planted) -> Option<()> {
    let InstKind::AtomicRmw { ptr, value, align, .. } = f.insts[inst].kind.clone() else { return None };
    let ty = m.operand_ty(f, value);
    match planted {
        Planted::NotAtomic => {
            let load = InstKind::Load { ptr, align, volatile: false, atomic: None };
            let old = before(f, inst, load, ty)?;
            let new = Operand::Local(before(f, inst, sum(Operand::Local(old), value), ty)?);
            let store = InstKind::Store { value: new, ptr, align, volatile: false, atomic: None };
            let void = m.types.void();
            let store = f.create_inst(Inst::new(store, void), false);
            insert(f, inst, store);
            remove(f, inst);
        }
        Planted::Dropped => remove(f, inst),
        Planted::Overwritten | Planted::Negated => {
            let new = if planted == Planted::Overwritten { RmwOp::Xchg } else { RmwOp::FSub };
            if let InstKind::AtomicRmw { op, .. } = &mut f.insts[inst].kind {
                *op = new;
            }
        }
        Planted::Twice => {
            let twice = Operand::Local(before(f, inst, sum(value, value), ty)?);
            if let InstKind::AtomicRmw { value, .. } = &mut f.insts[inst].kind {
                *value = twice;
            }
        }
        _ => {
            let (ptr_ty, one) = (m.types.ptr(), m.int(64, 1));
            let beside = InstKind::Gep { elem_ty: ty, flags: Default::default(), base: ptr, indices: vec![one] };
            let beside = Operand::Local(before(f, inst, beside, ptr_ty)?);
            if let InstKind::AtomicRmw { ptr, .. } = &mut f.insts[inst].kind {
                *ptr = beside;
            }
        }
    }
    Some(())
}

/// The reverse of a section, from where its turn is awaited to where it ends.
fn section(m: &Module, f: &mut Function, inst: InstId, planted: Planted) -> Option<()> {
    let (block, at) = around(f, inst)?;
    let length = block[at..].iter().position(|i| called(m, f, *i) == "__adj_turn_end")?;
    let end = block[at + length];
    if planted == Planted::EndedEarly {
        let InstKind::Call(turn) = &f.insts[inst].kind else { return None };
        let counter = *turn.args.first()?;
        if let InstKind::Call(call) = &mut f.insts[end].kind {
            *call.args.first_mut()? = counter;
        }
        shift(f, end, block[at + 1]);
        return (length > 1).then_some(());
    }
    let lasts = |f: &Function, i: InstId| match &f.insts[i].kind {
        InstKind::Store { ptr, .. } => !matches!(made(f, *ptr), Some(InstKind::Alloca { .. })),
        kind => matches!(kind, InstKind::AtomicRmw { .. }),
    };
    let all: Vec<InstId> = block[at..at + length].iter().copied().filter(|i| lasts(f, *i)).collect();
    all.iter().for_each(|i| remove(f, *i));
    (!all.is_empty()).then_some(())
}

/// What threads do around the passes of a region.
fn team(m: &mut Module, f: &mut Function, (pass, inst, name): (Pass, InstId, &str), planted: Planted) -> Option<()> {
    let on = |condition: bool| condition.then_some(());
    let (zero, one) = (m.int(64, 0), m.int(64, 1));
    match planted {
        Planted::TapeShared => {
            on(pass == Pass::ReverseTeam)?;
            let InstKind::Binary { op: BinOp::Mul, lhs, .. } = &mut f.insts[inst].kind else { return None };
            *lhs = zero;
            Some(())
        }
        Planted::FirstTapeOnly | Planted::LastTapeDropped => {
            on(pass == Pass::ReverseTeam)?;
            let InstKind::ICmp { pred: ir::IntPred::Ult, rhs: all, .. } = f.insts[inst].kind else { return None };
            let less = match planted {
                Planted::FirstTapeOnly => one,
                _ => {
                    let (fast, flags) = (Default::default(), Default::default());
                    let kind = InstKind::Binary { op: BinOp::Sub, flags, fast, lhs: all, rhs: one };
                    let ty = m.operand_ty(f, all);
                    Operand::Local(before(f, inst, kind, ty)?)
                }
            };
            if let InstKind::ICmp { rhs, .. } = &mut f.insts[inst].kind {
                *rhs = less;
            }
            Some(())
        }
        Planted::TapeFreedTwice | Planted::TapeKept => {
            on(pass == Pass::ReverseTeam && name == "__adj_tape_free")?;
            if planted == Planted::TapeKept {
                remove(f, inst)
            } else {
                again(f, inst)
            }
            Some(())
        }
        Planted::TapeReversedTwice => {
            on(pass == Pass::ReverseTeam && name.starts_with("__adj_reverse_"))?;
            again(f, inst);
            Some(())
        }
        Planted::AllFirst => {
            on(pass == Pass::ReverseTeam && name == "omp_get_thread_num")?;
            let none = m.int(32, 0);
            replace(f, inst, none)
        }
        Planted::TapeNumberLost => {
            on(pass == Pass::ForwardTeam && name == "omp_get_thread_num")?;
            let none = m.int(32, 0);
            replace(f, inst, none)
        }
        Planted::ListNotAtomic | Planted::ListCut => {
            on(pass == Pass::ForwardTeam)?;
            let InstKind::AtomicRmw { op: RmwOp::Xchg, ptr, value, align, .. } = f.insts[inst].kind.clone() else {
                return None;
            };
            let (ptr_ty, void) = (m.types.ptr(), m.types.void());
            if planted == Planted::ListCut {
                let null = m.zero(ptr_ty);
                return replace(f, inst, null);
            }
            let load = InstKind::Load { ptr, align, volatile: false, atomic: None };
            let old = Operand::Local(before(f, inst, load, ptr_ty)?);
            let store = InstKind::Store { value, ptr, align, volatile: false, atomic: None };
            let store = f.create_inst(Inst::new(store, void), false);
            insert(f, inst, store);
            replace(f, inst, old)?;
            remove(f, inst);
            Some(())
        }
        Planted::TapeNotCleared => {
            on(pass == Pass::ForwardTeam && name.starts_with("llvm.memset"))?;
            remove(f, inst);
            Some(())
        }
        Planted::OneTape => {
            on(pass == Pass::ForwardTeam && name.starts_with("__adj_forward_"))?;
            let list = (!f.params.is_empty()).then(|| f.param(f.params.len() - 1))?;
            let InstKind::Call(call) = &mut f.insts[inst].kind else { return None };
            *call.args.last_mut()? = list;
            Some(())
        }
        Planted::AllTapes => {
            on(pass == Pass::ReverseTeam)?;
            let InstKind::Binary { op: BinOp::Add, rhs, .. } = &mut f.insts[inst].kind else { return None };
            *rhs = one;
            Some(())
        }
        Planted::EntryKept | Planted::EntryFreedTwice => {
            on(pass == Pass::ReverseFork && name == "free")?;
            if planted == Planted::EntryKept {
                remove(f, inst)
            } else {
                again(f, inst)
            }
            Some(())
        }
        Planted::CopyNotCleared => {
            on(pass == Pass::Forward && name == "__adj_tape_zalloc")?;
            let plain = m.functions.iter().find(|(_, f)| f.name == "__adj_tape_alloc").map(|(id, _)| id)?;
            let plain = m.function_address(plain);
            let InstKind::Call(call) = &mut f.insts[inst].kind else { return None };
            call.callee = plain;
            Some(())
        }
        _ => None,
    }
}
