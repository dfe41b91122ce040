//! Comparisons and exchanges of the bits of floats, and loops around them ([`super`]).

use super::bits::{exchanged, is_float};
use super::{call, is_lock};
use crate::base::blocks;
use crate::program::externals;
use ir::hash::HashMap;
use ir::{
    Atomic, BlockId, ConstKind, FuncId, Function, InstId, InstKind, IntPred, Module, Operand, Ordering, TypeId, ValueId,
};

/// What an exchange that compares gives: what was there, and whether that was expected.
#[derive(Clone, Copy)]
struct Found {
    before: Operand,
    success: Operand,
}

/// Puts what else compares and exchanges bits of floats, or addresses, into sections.
pub(super) fn lower_comparisons(m: &mut Module, func: &mut Function, locks: [FuncId; 2]) {
    let mut found: HashMap<ValueId, Found> = HashMap::default();
    for block in func.layout.clone() {
        let mut out: Vec<InstId> = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            match func.insts[inst].kind {
                InstKind::CmpXchg { .. } if exchanged(m, func, inst).is_some() => {
                    let result = func.insts[inst].result;
                    // It is a section already where it was taken for an exchange of integers.
                    let within = out.last().is_some_and(|last| is_lock(m, func, *last));
                    let members = lower_comparison(m, func, inst, (locks, within), &mut out);
                    found.extend(result.zip(members));
                }
                _ => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
    if !found.is_empty() {
        take_apart(m, func, found);
    }
}

/// The section of one of them; its results.
fn lower_comparison(
    m: &mut Module,
    func: &mut Function,
    inst: InstId,
    (locks, within): ([FuncId; 2], bool),
    out: &mut Vec<InstId>,
) -> Option<Found> {
    let InstKind::CmpXchg { ptr, expected, new, align, .. } = func.insts[inst].kind else { return None };
    let ty = exchanged(m, func, inst)?;
    let (void, truth, bits) = (m.types.void(), m.types.int(1), m.operand_ty(func, expected));
    let is_float = ty != bits;
    let atomic = |ordering| (!is_float).then(|| Atomic { ordering, scope: String::new() });
    let [lock, release] = locks.map(|f| call(m, f, ptr));
    let mut push = |m: &Module, func: &mut Function, kind: InstKind, ty: TypeId| {
        let id = blocks::like(m, func, inst, kind, ty);
        out.push(id);
        func.insts[id].result.map_or(expected, Operand::Local)
    };
    if !within {
        push(m, func, lock, void);
    }
    let load = InstKind::Load { ptr, align, volatile: false, atomic: atomic(Ordering::Monotonic) };
    let old = push(m, func, load, ty);
    let before = if is_float { push(m, func, blocks::bitcast(old), bits) } else { old };
    let success = push(m, func, InstKind::ICmp { pred: IntPred::Eq, lhs: before, rhs: expected }, truth);
    let new = if is_float { push(m, func, blocks::bitcast(new), ty) } else { new };
    let fast = Default::default();
    let value = push(m, func, InstKind::Select { cond: success, if_true: new, if_false: old, fast }, ty);
    let atomic = atomic(Ordering::Release);
    push(m, func, InstKind::Store { value, ptr, align, volatile: false, atomic }, void);
    if !within {
        push(m, func, release, void);
    }
    // Whoever wants both gets them.
    let whole = func.insts[inst].ty;
    let poison = m.constant(whole, ConstKind::Poison);
    let whole = push(m, func, InstKind::InsertValue { aggregate: poison, value: before, indices: [0].into() }, whole);
    func.insts[inst].kind = InstKind::InsertValue { aggregate: whole, value: success, indices: [1].into() };
    out.push(inst);
    Some(Found { before, success })
}

/// Puts the members in the place of what was taken out of a result, also where results meet.
fn take_apart(m: &mut Module, func: &mut Function, mut found: HashMap<ValueId, Found>) {
    let order: Vec<(BlockId, InstId)> = func.inst_order().collect();
    let truth = m.types.int(1);
    // Where results meet, their members do.
    let mut joins = Vec::new();
    loop {
        let known = found.len();
        for (block, inst) in &order {
            let InstKind::Phi { incoming, .. } = func.insts[*inst].kind.clone() else { continue };
            let Some(v) = func.insts[*inst].result.filter(|v| !found.contains_key(v)) else { continue };
            let Some(one) = incoming.iter().find_map(|(o, _)| found.get(&o.local()?).copied()) else { continue };
            let is_known = |o: &Operand| o.local().is_none_or(|other| other == v || found.contains_key(&other));
            if !incoming.iter().all(|(o, _)| is_known(o)) {
                continue;
            }
            let bits = m.operand_ty(func, one.before);
            let empty = || InstKind::Phi { fast: Default::default(), incoming: Vec::new() };
            let ids = [bits, truth].map(|ty| blocks::like(m, func, *inst, empty(), ty));
            let [Some(before), Some(success)] = ids.map(|id| func.insts[id].result.map(Operand::Local)) else {
                continue;
            };
            found.insert(v, Found { before, success });
            joins.push((*block, *inst, ids, incoming));
        }
        if found.len() == known {
            break;
        }
    }
    for (block, inst, ids, incoming) in joins {
        for (member, id) in ids.into_iter().enumerate() {
            let ty = func.insts[id].ty;
            let mut part = |value: Operand| match value.local().and_then(|v| found.get(&v)) {
                Some(of) => [of.before, of.success][member],
                None => m.constant(ty, ConstKind::Poison),
            };
            let all = incoming.iter().map(|(value, from)| (part(*value), *from)).collect();
            func.insts[id].kind = InstKind::Phi { fast: Default::default(), incoming: all };
        }
        let insts = &mut func.blocks[block].insts;
        let at = insts.iter().position(|i| *i == inst).unwrap_or(0);
        insts.splice(at..=at, ids);
    }
    let mut members: HashMap<ValueId, Operand> = HashMap::default();
    for (_, inst) in &order {
        let InstKind::ExtractValue { aggregate, indices } = &func.insts[*inst].kind else { continue };
        let Some(of) = aggregate.local().and_then(|v| found.get(&v)) else { continue };
        let member = if indices[..] == [0] { of.before } else { of.success };
        members.extend(func.insts[*inst].result.map(|v| (v, member)));
    }
    let gone = |func: &Function, inst: &InstId| func.insts[*inst].result.is_some_and(|v| members.contains_key(&v));
    for block in func.layout.clone() {
        let kept = func.blocks[block].insts.iter().copied().filter(|inst| !gone(func, inst)).collect();
        func.blocks[block].insts = kept;
    }
    for data in func.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| {
            if let Some(member) = o.local().and_then(|v| members.get(&v)) {
                *o = *member;
            }
        });
    }
}

/// A loop that tries until nobody has come between.
pub(super) struct Exchange {
    load: InstId,
    phi: InstId,
    block: BlockId,
    pub(super) exchange: InstId,
    before: InstId,
    success: InstId,
    exit: BlockId,
}

/// The first such loop in the function that computes with floats: a block whose phi is what was loaded, or what was
/// found in the memory when the exchange failed.
pub(super) fn exchange(m: &Module, func: &Function) -> Option<Exchange> {
    func.layout.iter().find_map(|block| {
        let insts = &func.blocks[*block].insts;
        let is_exchange = |i: &&InstId| matches!(func.insts[**i].kind, InstKind::CmpXchg { .. });
        let exchange = *insts.iter().find(is_exchange)?;
        let InstKind::CmpXchg { ptr, expected, .. } = func.insts[exchange].kind else { return None };
        let result = func.insts[exchange].result?;
        let member = |n: u32| {
            insts.iter().copied().find(|i| match &func.insts[*i].kind {
                InstKind::ExtractValue { aggregate, indices } => {
                    *aggregate == Operand::Local(result) && indices[..] == [n]
                }
                _ => false,
            })
        };
        let (before, success) = (member(0)?, member(1)?);
        let phi = func.def_inst(expected.local()?).filter(|i| insts.contains(i))?;
        let InstKind::Phi { incoming, .. } = &func.insts[phi].kind else { return None };
        let back = func.insts[before].result.map(Operand::Local)?;
        let [start] = incoming.iter().filter(|(_, from)| from != block).collect::<Vec<_>>()[..] else { return None };
        incoming.iter().find(|(value, from)| from == block && *value == back)?;
        let load = func.def_inst(start.0.local()?)?;
        let loads = matches!(func.insts[load].kind, InstKind::Load { ptr: from, atomic: Some(_), .. } if from == ptr);
        let between = leads_to(func, load, *block)?;
        if between.chain(insts.iter().copied()).any(|i| i != exchange && may_wait(m, func, i)) {
            return None;
        }
        let InstKind::CondBr { cond, then_to, else_to } = func.insts[*insts.last()?].kind else { return None };
        let tries = cond == Operand::Local(func.insts[success].result?) && else_to == *block;
        let computes = |i: &InstId| is_float(m, func.insts[*i].ty);
        (loads && tries && incoming.len() == 2 && insts.iter().any(computes)).then_some(Exchange {
            load,
            phi,
            block: *block,
            exchange,
            before,
            success,
            exit: then_to,
        })
    })
}

/// What is executed between a load and a block, if what is loaded always comes there. Of a load from which there are
/// ways to other exchanges, or to none, the section would not end on these.
fn leads_to(func: &Function, load: InstId, block: BlockId) -> Option<impl Iterator<Item = InstId>> {
    let mut at = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(&load))?;
    let mut between = Vec::new();
    for _ in 0..func.layout.len() {
        if at == block {
            return Some(between.into_iter().skip_while(move |inst| *inst != load).skip(1));
        }
        between.extend(func.blocks[at].insts.iter().copied());
        let InstKind::Br(next) = func.insts[func.terminator(at)?].kind else { return None };
        at = next;
    }
    None
}

/// May an instruction wait for another thread, so that it must not stand in a section? Two sections within each other
/// may be of one lock, or two threads wait for each other's.
fn may_wait(m: &Module, func: &Function, inst: InstId) -> bool {
    match &func.insts[inst].kind {
        InstKind::Load { atomic, .. } | InstKind::Store { atomic, .. } => atomic.is_some(),
        InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } | InstKind::Fence { .. } => true,
        kind => kind.as_call().is_some_and(|call| !externals::only_computes(m, call)),
    }
}

pub(super) fn lower_exchange(m: &mut Module, func: &mut Function, of: &Exchange, locks: [FuncId; 2]) {
    let void = m.types.void();
    let InstKind::CmpXchg { ptr, new, align, .. } = func.insts[of.exchange].kind else { return };
    let [lock, release] = locks.map(|f| call(m, f, ptr));
    // In front of the load.
    let lock = blocks::like(m, func, of.load, lock, void);
    if let Some(block) = func.layout.iter().copied().find(|b| func.blocks[*b].insts.contains(&of.load)) {
        let at = func.blocks[block].insts.iter().position(|i| *i == of.load).unwrap_or(0);
        func.blocks[block].insts.insert(at, lock);
    }
    if let InstKind::Load { atomic, .. } = &mut func.insts[of.load].kind {
        *atomic = None;
    }
    if let InstKind::Phi { incoming, .. } = &mut func.insts[of.phi].kind {
        incoming.retain(|(_, from)| *from != of.block);
    }
    // In the place of the exchange.
    let store = InstKind::Store { value: new, ptr, align, volatile: false, atomic: None };
    (func.insts[of.exchange].kind, func.insts[of.exchange].ty) = (store, void);
    func.insts[of.exchange].result = None;
    let release = blocks::like(m, func, of.exchange, release, void);
    let truth = m.int(1, 1);
    let old = func.insts[of.phi].result.map(Operand::Local);
    let known = [(of.success, Some(truth)), (of.before, old)];
    let known: Vec<(Operand, Operand)> =
        known.into_iter().filter_map(|(i, to)| Some((Operand::Local(func.insts[i].result?), to?))).collect();
    for data in func.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| {
            if let Some((_, to)) = known.iter().find(|(from, _)| from == o) {
                *o = *to;
            }
        });
    }
    let insts = &mut func.blocks[of.block].insts;
    insts.retain(|i| *i != of.before && *i != of.success);
    let at = insts.iter().position(|i| *i == of.exchange).unwrap_or(0);
    insts.insert(at + 1, release);
    if let Some(last) = insts.last().copied() {
        func.insts[last].kind = InstKind::Br(of.exit);
    }
}
