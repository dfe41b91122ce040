//! Changes of a function: of its control flow, which keep phis right (LangRef, `phi`: one entry for each edge), and of
//! what stands before an instruction.

use ir::cfg::Cfg;
use ir::{
    BlockId, CastOp, FastMath, Function, GepFlags, Inst, InstId, InstKind, IntFlags, MdOperand, Module, Operand, Type,
    TypeId, ValueId,
};

/// Moves the instructions from `at` on to a new block. The old one has no terminator now; phis of the successors know
/// the new one.
pub fn split(func: &mut Function, block: BlockId, at: usize, name: &str) -> BlockId {
    let rest = func.add_block(name);
    let moved = func.blocks[block].insts.split_off(at);
    func.blocks[rest].insts = moved;
    for succ in func.successors(rest) {
        rename_pred(func, succ, block, rest);
    }
    rest
}

/// In the phis of `block`, edges that came from `old` come from `new`.
pub fn rename_pred(func: &mut Function, block: BlockId, old: BlockId, new: BlockId) {
    for inst in func.blocks[block].insts.clone() {
        let InstKind::Phi { incoming, .. } = &mut func.insts[inst].kind else { break };
        incoming.iter_mut().filter(|(_, pred)| *pred == old).for_each(|(_, pred)| *pred = new);
    }
}

/// Forgets the edges from `pred` in the phis of `block`.
pub fn remove_pred(func: &mut Function, block: BlockId, pred: BlockId) {
    for inst in func.blocks[block].insts.clone() {
        let InstKind::Phi { incoming, .. } = &mut func.insts[inst].kind else { break };
        incoming.retain(|(_, from)| *from != pred);
    }
}

/// Ends `block` before its instruction number `at` with `kind` (one that goes nowhere).
pub fn truncate(func: &mut Function, block: BlockId, at: usize, kind: InstKind, void: TypeId) {
    for succ in func.successors(block) {
        remove_pred(func, succ, block);
    }
    func.blocks[block].insts.truncate(at);
    func.append(block, Inst::new(kind, void), false);
}

/// Drops the blocks that no path from the entry reaches.
pub fn drop_unreachable(func: &mut Function) {
    let cfg = Cfg::new(func);
    let live = |b: BlockId| cfg.is_reachable(b);
    func.layout.retain(|b| live(*b));
    for block in func.layout.clone() {
        let preds: Vec<BlockId> = cfg.preds(block).to_vec();
        for inst in func.blocks[block].insts.clone() {
            if let InstKind::Phi { incoming, .. } = &mut func.insts[inst].kind {
                incoming.retain(|(_, p)| preds.contains(p) && live(*p));
            }
        }
    }
}

/// The phis of a block.
pub fn phis(func: &Function, block: BlockId) -> Vec<InstId> {
    let is_phi = |i: &InstId| matches!(func.insts[*i].kind, InstKind::Phi { .. });
    func.blocks[block].insts.iter().copied().take_while(is_phi).collect()
}

/// A new instruction to stand before `inst`, at its place in the source, and what it gives; `out` is the block as far
/// as it is made.
pub fn before(func: &mut Function, inst: InstId, kind: InstKind, ty: TypeId, out: &mut Vec<InstId>) -> Option<Operand> {
    let mut new = Inst::new(kind, ty);
    new.loc = func.insts[inst].loc;
    let id = func.create_inst(new, true);
    out.push(id);
    func.insts[id].result.map(Operand::Local)
}

/// The address so many bytes behind another one, and how it is aligned, to be used before `inst`; `out` as in
/// [`before`].
pub fn behind(
    m: &mut Module,
    func: &mut Function,
    inst: InstId,
    (base, align): (Operand, u64),
    bytes: u64,
    out: &mut Vec<InstId>,
) -> (Operand, u64) {
    if bytes == 0 {
        return (base, align);
    }
    let (elem_ty, ty, indices) = (m.types.int(8), m.operand_ty(func, base), vec![m.int(64, u128::from(bytes))]);
    let kind = InstKind::Gep { elem_ty, flags: GepFlags::default(), base, indices };
    let at = before(func, inst, kind, ty, out).unwrap_or(base);
    (at, align.min(1 << bytes.trailing_zeros()))
}

/// A new instruction at the place in the source of `inst`, that is nowhere yet; one of type `void` gives nothing.
pub fn like(m: &Module, func: &mut Function, inst: InstId, kind: InstKind, ty: TypeId) -> InstId {
    let mut new = Inst::new(kind, ty);
    new.loc = func.insts[inst].loc;
    func.create_inst(new, !matches!(m.types.get(ty), Type::Void))
}

/// Puts a value in the place of another one, wherever that is used, debug records included.
pub fn replace_uses(func: &mut Function, old: ValueId, new: Operand) {
    for inst in func.insts.values_mut() {
        inst.kind.for_each_operand_mut(|o| {
            if *o == Operand::Local(old) {
                *o = new;
            }
        });
        for operand in inst.debug_records.iter_mut().flat_map(|r| r.operands.iter_mut()) {
            if *operand == MdOperand::Local(Operand::Local(old)) {
                *operand = match new {
                    Operand::Const(c) => MdOperand::Const(c),
                    local => MdOperand::Local(local),
                };
            }
        }
    }
}

/// The same bits as a value of another type.
pub fn bitcast(value: Operand) -> InstKind {
    cast(CastOp::BitCast, value)
}

/// A conversion without promises.
pub fn cast(op: CastOp, value: Operand) -> InstKind {
    InstKind::Cast { op, flags: IntFlags::default(), fast: FastMath::default(), value }
}
