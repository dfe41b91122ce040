//! Copies of blocks, in their own function or another one.
//!
//! As LLVM does it (`CloneBasicBlock`, `remapInstructionsInBlocks`): the blocks are made, then each instruction, then
//! what the copies name is renamed. In between, whoever copies may leave instructions out, give values of its own for
//! what the blocks are given, and let edges lead elsewhere. An instruction of the program is what its copy stands for
//! in a gradient ([`Origin`]).

use ir::hash::HashMap;
use ir::{BlockId, FuncId, Function, Inst, InstId, InstKind, Module, Operand, Origin, Role, ValueId};

/// Blocks and what has become of them.
#[derive(Default)]
pub struct Copy {
    /// What stands for blocks: their copies, and others that edges to and from them are renamed to. Each block that is
    /// named has one.
    pub blocks: HashMap<BlockId, BlockId>,
    /// What stands for values.
    pub values: HashMap<ValueId, Operand>,
    /// The instructions in their order: the block and the instruction that was copied, and the copy.
    pub insts: Vec<(BlockId, InstId, InstId)>,
}

impl Copy {
    /// A new block for each of a function, or of a loop; named as that one, and more.
    pub fn add_blocks(&mut self, to: &mut Function, blocks: impl IntoIterator<Item = (BlockId, String)>) {
        self.blocks.extend(blocks.into_iter().map(|(block, name)| (block, to.add_block(&name))));
    }

    /// Copies an instruction to the end of its block's copy.
    pub fn add(&mut self, to: &mut Function, block: BlockId, (old, data): (InstId, Inst)) -> InstId {
        let copy = self.make(to, block, (old, data));
        let at = self.blocks[&block];
        to.blocks[at].insts.push(copy);
        copy
    }

    /// Copies an instruction, and leaves it to the caller where it stands.
    pub fn make(&mut self, to: &mut Function, block: BlockId, (old, mut data): (InstId, Inst)) -> InstId {
        let result = data.result.take();
        let copy = to.create_inst(data, result.is_some());
        self.values.extend(result.zip(to.insts[copy].result.map(Operand::Local)));
        self.insts.push((block, old, copy));
        copy
    }

    /// What stands for an operand; itself, if nothing does.
    pub fn of(&self, operand: Operand) -> Operand {
        operand.local().and_then(|v| self.values.get(&v).copied()).unwrap_or(operand)
    }

    /// Renames what the copies name. An edge leads to the block that stands for the one it led to, and so do phis know
    /// it; or where `elsewhere` has it, which is given the two blocks of the edge that was copied.
    pub fn rename(&self, to: &mut Function, elsewhere: impl Fn(BlockId, BlockId) -> Option<BlockId>) {
        let there = |block: BlockId| self.blocks[&block];
        for (block, _, copy) in &self.insts {
            let kind = &mut to.insts[*copy].kind;
            kind.for_each_operand_mut(|o| *o = self.of(*o));
            kind.map_successors(|next| elsewhere(*block, next).unwrap_or_else(|| there(next)));
            if let InstKind::Phi { incoming, .. } = kind {
                incoming.iter_mut().for_each(|(_, from)| *from = there(*from));
            }
        }
    }
}

/// An instruction of a function as it is copied: what is no instruction of the program stands for nothing.
pub fn original(m: &Module, id: FuncId, func: &Function, inst: InstId) -> (InstId, Inst) {
    let mut data = func.insts[inst].clone();
    let own = m.functions[id].insts.is_valid(inst);
    data.origin = data.origin.or(own.then_some(Origin { func: id, inst, role: Role::Clone }));
    (inst, data)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: &str = "define i64 @f(i64 %n) {\nentry:\n  br label %head\nhead:\n  \
        %i = phi i64 [ 0, %entry ], [ %next, %head ]\n  %next = add i64 %i, %n\n  %more = icmp slt i64 %next, 9\n  \
        br i1 %more, label %head, label %out\nout:\n  ret i64 %next\n}\n";

    #[test]
    fn a_loop_that_is_copied_names_itself_and_what_was_given() {
        let mut m = ir::parse(LOOP, "test").expect("the test's IR parses");
        let nine = m.int(64, 9);
        let (id, func) = m.functions.iter().next().expect("a function");
        let [entry, head, out] = func.layout[..] else { panic!("three blocks") };
        let mut f = func.clone();
        let mut copy = Copy::default();
        copy.add_blocks(&mut f, [(head, "copy".to_owned())]);
        let (before, after) = (f.add_block("before"), f.add_block("after"));
        copy.blocks.insert(entry, before);
        copy.values.insert(func.params[0].value, nine);
        for inst in &func.blocks[head].insts {
            copy.add(&mut f, head, original(&m, id, func, *inst));
        }
        copy.rename(&mut f, |from, to| (from == head && to == out).then_some(after));

        let insts: Vec<&InstKind> = f.blocks[copy.blocks[&head]].insts.iter().map(|i| &f.insts[*i].kind).collect();
        let next = copy.of(Operand::Local(func.insts[func.blocks[head].insts[1]].result.expect("a sum")));
        let InstKind::Phi { incoming, .. } = insts[0] else { panic!("a phi") };
        assert_eq!(incoming[0].1, before);
        assert_eq!(incoming[1], (next, copy.blocks[&head]));
        assert!(matches!(insts[1], InstKind::Binary { rhs, .. } if *rhs == nine));
        assert!(matches!(insts[3], InstKind::CondBr { then_to, else_to, .. }
            if *then_to == copy.blocks[&head] && *else_to == after));
        assert!(copy.insts.iter().all(|(_, old, new)| f.insts[*new].origin.is_some_and(|o| o.inst == *old)));
    }
}
