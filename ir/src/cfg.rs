//! The control-flow graph of a function: predecessors, successors, reverse postorder.
//!
//! Built once from the terminators and not updated: a pass that changes edges builds a new one.
//! Edge lists carry no repetitions, even where a `switch` names a block twice; the phi rule
//! ("one entry for each edge") is the verifier's business and reads the terminators themselves.

use crate::function::{BlockId, Function, InstId};
use cranelift_entity::SecondaryMap;

/// Edges of a function between its blocks, and the order of a depth-first walk from the entry.
#[derive(Clone, Debug, Default)]
pub struct Cfg {
    preds: SecondaryMap<BlockId, Vec<BlockId>>,
    succs: SecondaryMap<BlockId, Vec<BlockId>>,
    rpo: Vec<BlockId>,
    /// Position in `rpo` plus one; 0 for an unreachable block.
    rank: SecondaryMap<BlockId, u32>,
}

impl Cfg {
    /// The graph of `func`; empty for a declaration.
    pub fn new(func: &Function) -> Cfg {
        let mut cfg = Cfg::default();
        for &block in &func.layout {
            for succ in func.successors(block) {
                if !cfg.succs[block].contains(&succ) {
                    cfg.succs[block].push(succ);
                    cfg.preds[succ].push(block);
                }
            }
        }
        if let Some(&entry) = func.layout.first() {
            cfg.number(entry);
        }
        cfg
    }

    /// Depth-first search with an explicit stack (IR may nest deeper than the machine stack allows).
    fn number(&mut self, entry: BlockId) {
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut stack = vec![(entry, 0)];
        seen[entry] = true;
        while let Some((block, next)) = stack.last_mut() {
            if let Some(&succ) = self.succs[*block].get(*next) {
                *next += 1;
                if !seen[succ] {
                    seen[succ] = true;
                    stack.push((succ, 0));
                }
            } else {
                self.rpo.push(*block);
                stack.pop();
            }
        }
        self.rpo.reverse();
        for (i, &block) in self.rpo.iter().enumerate() {
            self.rank[block] = i as u32 + 1;
        }
    }

    /// Blocks with an edge to `block`, unreachable ones included, each once, in layout order.
    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        &self.preds[block]
    }

    /// Blocks that `block` may jump to, each once, in the order of the terminator's operands.
    pub fn succs(&self, block: BlockId) -> &[BlockId] {
        &self.succs[block]
    }

    /// The reachable blocks in reverse postorder, the entry first.
    pub fn rpo(&self) -> &[BlockId] {
        &self.rpo
    }

    /// Position of a reachable block in [`Cfg::rpo`].
    pub fn rpo_index(&self, block: BlockId) -> Option<usize> {
        (self.rank[block] as usize).checked_sub(1)
    }

    /// Can control reach `block` from the entry?
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.rank[block] != 0
    }

    /// The only predecessor of `block`, if it has exactly one.
    pub fn single_pred(&self, block: BlockId) -> Option<BlockId> {
        match self.preds(block) {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// Where each instruction stands: its block and its index there.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    at: SecondaryMap<InstId, Option<(BlockId, u32)>>,
}

impl Positions {
    /// The positions of all instructions that stand in a block of the layout.
    pub fn new(func: &Function) -> Positions {
        let mut at = SecondaryMap::with_capacity(func.insts.len());
        for &block in &func.layout {
            for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
                at[inst] = Some((block, i as u32));
            }
        }
        Positions { at }
    }

    /// Block and index of an instruction; `None` if it stands in no block.
    pub fn get(&self, inst: InstId) -> Option<(BlockId, usize)> {
        self.at[inst].map(|(block, i)| (block, i as usize))
    }

    /// Block of an instruction; `None` if it stands in no block.
    pub fn block(&self, inst: InstId) -> Option<BlockId> {
        self.at[inst].map(|(block, _)| block)
    }
}
