//! Dominators.
//!
//! Algorithm: K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001),
//! the iteration over reverse postorder with the two-finger intersection. Afterwards the tree is
//! numbered by entry and leave times, so that a query is two comparisons.
//!
//! Unreachable blocks follow LLVM: every block dominates them, and they dominate no reachable block.

use crate::cfg::{Cfg, Positions};
use crate::function::{BlockId, Function, InstId, ValueDef, ValueId};
use crate::inst::InstKind;
use cranelift_entity::SecondaryMap;

/// The dominator tree of a function.
#[derive(Clone, Debug, Default)]
pub struct DomTree {
    idom: SecondaryMap<BlockId, Option<BlockId>>,
    children: SecondaryMap<BlockId, Vec<BlockId>>,
    /// Times at which a walk of the tree enters and leaves the block; `(0, 0)` for unreachable ones.
    span: SecondaryMap<BlockId, (u32, u32)>,
    /// Does control enter the block from its immediate dominator only (and from blocks it dominates)?
    sole_entry: SecondaryMap<BlockId, bool>,
}

impl DomTree {
    /// The tree of `func`, whose graph is `cfg`.
    pub fn new(func: &Function, cfg: &Cfg) -> DomTree {
        let mut tree = DomTree::default();
        let Some(&entry) = func.layout.first() else { return tree };
        let idom = immediate_dominators(cfg);
        for (i, &block) in cfg.rpo().iter().enumerate().skip(1) {
            let parent = cfg.rpo()[idom[i]];
            tree.idom[block] = Some(parent);
            tree.children[parent].push(block);
        }
        tree.number(entry);
        for &block in cfg.rpo() {
            let mut entered = cfg.preds(block).iter().filter(|p| !tree.dominates(block, **p));
            tree.sole_entry[block] = entered.all(|p| Some(*p) == tree.idom(block) || !cfg.is_reachable(*p));
        }
        tree
    }

    fn number(&mut self, entry: BlockId) {
        let mut clock = 1;
        let mut stack = vec![(entry, 0)];
        self.span[entry].0 = clock;
        while let Some((block, next)) = stack.last_mut() {
            clock += 1;
            if let Some(&child) = self.children[*block].get(*next) {
                *next += 1;
                self.span[child].0 = clock;
                stack.push((child, 0));
            } else {
                self.span[*block].1 = clock;
                stack.pop();
            }
        }
    }

    /// The immediate dominator; `None` for the entry and for unreachable blocks.
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        self.idom[block]
    }

    /// The blocks whose immediate dominator is `block`, in reverse postorder.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        &self.children[block]
    }

    /// Does every path from the entry to `b` pass `a`? A block dominates itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (a_span, b_span) = (self.span[a], self.span[b]);
        if b_span.0 == 0 {
            return true;
        }
        a_span.0 != 0 && a_span.0 <= b_span.0 && b_span.1 <= a_span.1
    }

    /// [`DomTree::dominates`] for two different blocks.
    pub fn strictly_dominates(&self, a: BlockId, b: BlockId) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The nearest block that dominates both; `None` if one of them is unreachable.
    pub fn common_dominator(&self, a: BlockId, b: BlockId) -> Option<BlockId> {
        if self.span[a].0 == 0 || self.span[b].0 == 0 {
            return None;
        }
        let mut at = a;
        while !self.dominates(at, b) {
            at = self.idom(at)?;
        }
        Some(at)
    }

    /// Does every path from the entry to the instruction `b` pass the instruction `a` before it? Not reflexive.
    pub fn inst_dominates(&self, positions: &Positions, a: InstId, b: InstId) -> bool {
        match (positions.get(a), positions.get(b)) {
            (Some((block_a, i)), Some((block_b, j))) if block_a == block_b => i < j,
            (Some((block_a, _)), Some((block_b, _))) => self.dominates(block_a, block_b),
            _ => false,
        }
    }

    /// May a phi of `to` use `value` for the edge from `from`?
    pub fn available_on_edge(
        &self,
        func: &Function,
        positions: &Positions,
        value: ValueId,
        (from, to): (BlockId, BlockId),
    ) -> bool {
        if let ValueDef::Inst(def) = func.values[value].def
            && let InstKind::Invoke { normal, unwind, .. } = &func.insts[def].kind
            && positions.block(def) == Some(from)
        {
            return *normal == to && *unwind != to;
        }
        self.available(func, positions, value, (from, func.blocks[from].insts.len()))
    }

    /// May an instruction at position `index` of `block` use `value`? (For phis see [`DomTree::available_on_edge`].)
    ///
    /// The result of an `invoke` exists on its normal edge only.
    pub fn available(&self, func: &Function, positions: &Positions, value: ValueId, at: (BlockId, usize)) -> bool {
        let def = match func.values[value].def {
            ValueDef::Param(_) => return true,
            ValueDef::Inst(def) => def,
        };
        let Some((def_block, def_index)) = positions.get(def) else { return false };
        let (block, index) = at;
        if !self.is_reachable(block) {
            return true;
        }
        if let InstKind::Invoke { normal, unwind, .. } = &func.insts[def].kind {
            // The edge dominates the use if its target does and no other edge enters the target.
            return normal != unwind
                && self.dominates(*normal, block)
                && self.idom(*normal) == Some(def_block)
                && self.sole_entry[*normal];
        }
        if def_block == block { def_index < index } else { self.dominates(def_block, block) }
    }

    fn is_reachable(&self, block: BlockId) -> bool {
        self.span[block].0 != 0
    }
}

/// Immediate dominators as indices into the reverse postorder; the entry is its own.
fn immediate_dominators(cfg: &Cfg) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut idom = vec![UNKNOWN; cfg.rpo().len()];
    idom[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (i, &block) in cfg.rpo().iter().enumerate().skip(1) {
            let mut new = UNKNOWN;
            for pred in cfg.preds(block).iter().filter_map(|p| cfg.rpo_index(*p)) {
                if idom[pred] != UNKNOWN {
                    new = if new == UNKNOWN { pred } else { intersect(&idom, pred, new) };
                }
            }
            changed |= idom[i] != new;
            idom[i] = new;
        }
    }
    idom
}

/// The nearest common ancestor of two nodes of the tree built so far.
fn intersect(idom: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = idom[a];
        }
        while b > a {
            b = idom[b];
        }
    }
    a
}
