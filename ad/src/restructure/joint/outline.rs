//! An iteration becomes a function, which gets what it reads and gives what it adds to the sums.

use crate::base::builder::plain_call;
use crate::base::copy::{self, Copy};
use crate::base::names::unique;
use crate::program::externals::marks_life;
use crate::restructure::joint::reduction::{Shell, Sum};
use ir::hash::{HashMap, HashSet};
use ir::loops::Loop;
use ir::{
    BinOp, BlockId, FastMath, FuncId, Function, Inst, InstId, InstKind, IntFlags, MdId, Module, Operand, TypeId,
    ValueId,
};
use std::collections::BTreeSet;

/// Makes a function of an iteration of a loop of `func`, and a call in the loop's place.
pub(super) fn apply(
    m: &mut Module,
    (id, func): (FuncId, &mut Function),
    (data, shell): (&Loop, &Shell),
) -> (FuncId, Function) {
    let inside: BTreeSet<BlockId> = data.blocks.iter().copied().collect();
    let zero: Vec<(ValueId, Operand)> = shell.sums.iter().map(|s| (s.value, m.zero(func.value_ty(s.value)))).collect();
    let known: HashMap<ValueId, Operand> = zero.into_iter().chain(shell.fixed.iter().copied()).collect();
    let read = read(func, data, &known);
    let body = body(m, (id, func), (data, shell), (&read, &known));
    let made = m.functions.push(body.clone());
    let loc = func.terminator(shell.latch).and_then(|i| func.insts[i].loc);

    let end = func.terminator(shell.exit.0);
    let staying = func.blocks[data.header].insts.clone();
    let phis = staying.into_iter().filter(|i| shell.counters.contains(i) || shell.sums.iter().any(|s| s.phi == *i));
    let mut kept: Vec<InstId> = phis.chain(shell.stays.iter().copied()).collect();
    let from_header = shell.exit.0 == data.header && shell.latch != data.header;
    // Where the iteration is executed: behind the test, or before it.
    let at = if from_header { func.add_block("iteration") } else { data.header };
    if let (true, Some(end)) = (from_header, end) {
        kept.push(end);
        let stays = shell.exit.1;
        func.insts[end].kind.map_successors(|to| if to == stays { to } else { at });
    }
    func.blocks[data.header].insts = kept;

    let (address, params) = (m.function_address(made), read.iter().map(|v| func.value_ty(*v)).collect());
    let fn_ty = m.types.func(body.ret, params);
    let args = read.iter().map(|v| Operand::Local(*v)).collect();
    let call = InstKind::Call(Box::new(plain_call(address, fn_ty, args, String::new())));
    let given = match shell.sums.is_empty() {
        true => {
            let mut call = Inst::new(call, body.ret);
            call.loc = loc;
            func.append(at, call, false);
            None
        }
        false => Some(append(func, at, call, (body.ret, loc))),
    };
    let mut sums: HashMap<ValueId, Operand> = HashMap::default();
    for ((n, sum), given) in shell.sums.iter().enumerate().zip(given.into_iter().cycle()) {
        let ty = func.value_ty(sum.value);
        let more = match shell.sums.len() {
            1 => given,
            _ => append(func, at, InstKind::ExtractValue { aggregate: given, indices: vec![n as u32] }, (ty, loc)),
        };
        let (lhs, rhs) = (Operand::Local(sum.value), more);
        let add = InstKind::Binary { op: BinOp::FAdd, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs };
        let next = append(func, at, add, (ty, loc));
        sums.insert(sum.next, next);
    }
    match (from_header, end) {
        (false, Some(end)) => func.blocks[at].insts.push(end),
        _ => {
            let void = m.types.void();
            let mut back = Inst::new(InstKind::Br(data.header), void);
            back.loc = loc;
            func.append(at, back, false);
        }
    }
    // The way back, and the way out, come from there.
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        let data = &mut func.insts[inst];
        if let InstKind::Phi { incoming, .. } = &mut data.kind {
            incoming.iter_mut().filter(|(_, b)| *b == shell.latch).for_each(|(_, b)| *b = at);
        }
        data.kind.for_each_operand_mut(|o| *o = o.local().and_then(|v| sums.get(&v).copied()).unwrap_or(*o));
    }
    func.layout.retain(|b| !inside.contains(b) || *b == data.header);
    if from_header {
        let place = func.layout.iter().position(|b| *b == data.header).map_or(func.layout.len(), |p| p + 1);
        func.layout.retain(|b| *b != at);
        func.layout.insert(place.min(func.layout.len()), at);
    }
    (made, body)
}

fn append(func: &mut Function, block: BlockId, kind: InstKind, (ty, loc): (TypeId, Option<MdId>)) -> Operand {
    let mut inst = Inst::new(kind, ty);
    inst.loc = loc;
    let id = func.append(block, inst, true);
    // It was asked for one.
    Operand::Local(func.insts[id].result.unwrap_or_else(|| unreachable!("instruction without a result")))
}

/// What an iteration reads and does not define, its counters among it.
fn read(func: &Function, data: &Loop, known: &HashMap<ValueId, Operand>) -> Vec<ValueId> {
    let insts: Vec<InstId> = data.blocks.iter().flat_map(|b| func.blocks[*b].insts.iter().copied()).collect();
    let is_header_phi =
        |i: &InstId| func.blocks[data.header].insts.contains(i) && matches!(func.insts[*i].kind, InstKind::Phi { .. });
    let own = insts.iter().filter(|i| !is_header_phi(i));
    let defined: HashSet<ValueId> = own.clone().filter_map(|i| func.insts[*i].result).collect();
    let operands = own.flat_map(|i| func.insts[*i].kind.operands()).filter_map(Operand::local);
    let starts = known.values().filter_map(|o| o.local());
    let read: BTreeSet<ValueId> =
        operands.filter(|v| !known.contains_key(v)).chain(starts).filter(|v| !defined.contains(v)).collect();
    read.into_iter().collect()
}

/// One iteration.
fn body(
    m: &mut Module,
    (id, func): (FuncId, &Function),
    (data, shell): (&Loop, &Shell),
    (read, known): (&[ValueId], &HashMap<ValueId, Operand>),
) -> Function {
    let sums: &[Sum] = &shell.sums;
    let types: Vec<TypeId> = sums.iter().map(|s| func.value_ty(s.value)).collect();
    let ret = match types.as_slice() {
        [] => m.types.void(),
        [only] => *only,
        _ => m.types.tuple(types),
    };
    let params: Vec<TypeId> = read.iter().map(|v| func.value_ty(*v)).collect();
    let mut f = Function::new(&unique(m, &format!("__adj_iteration_{}", func.name)), ret, &params);
    f.flags.linkage = "internal".to_owned();
    let void = m.types.void();
    let entry = f.add_block("entry");
    let mut copy = Copy::default();
    copy.add_blocks(&mut f, data.blocks.iter().map(|b| (*b, func.blocks[*b].name.clone())));
    let end = f.add_block("end");
    f.append(entry, Inst::new(InstKind::Br(copy.blocks[&data.header]), void), false);
    copy.values.extend(read.iter().enumerate().map(|(i, v)| (*v, f.param(i))));
    for (v, operand) in known {
        copy.values.insert(*v, copy.of(*operand));
    }
    for from in &data.blocks {
        for old in &func.blocks[*from].insts {
            let data_of = &func.insts[*old];
            let header_phi = *from == data.header && matches!(data_of.kind, InstKind::Phi { .. });
            if !header_phi && !marks_life(m, data_of) {
                copy.add(&mut f, *from, copy::original(m, id, func, *old));
            }
        }
    }
    // It goes through the iteration once.
    for (_, _, leaves) in copy.insts.iter().filter(|(from, ..)| *from == shell.exit.0) {
        if let InstKind::CondBr { then_to, else_to, .. } = f.insts[*leaves].kind {
            let stays = if then_to == shell.exit.1 { else_to } else { then_to };
            f.insts[*leaves].kind = InstKind::Br(stays);
        }
    }
    copy.rename(&mut f, |_, to| (to == data.header).then_some(end));
    let gives = sums.iter().map(|s| copy.of(Operand::Local(s.next))).collect::<Vec<_>>();
    let result = match gives.as_slice() {
        [] => None,
        [only] => Some(*only),
        _ => {
            let poison = m.constant(ret, ir::ConstKind::Poison);
            let with = |aggregate, (n, value): (usize, Operand)| {
                append(&mut f, end, InstKind::InsertValue { aggregate, value, indices: vec![n as u32] }, (ret, None))
            };
            Some(gives.into_iter().enumerate().fold(poison, with))
        }
    };
    f.append(end, Inst::new(InstKind::Ret(result), void), false);
    f
}
