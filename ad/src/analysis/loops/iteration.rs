//! One iteration of a loop as a graph of its own: from the header to the only latch.
//!
//! Edges that leave the loop, and the one back to its header, are not in it: what is asked of an iteration is asked of
//! one that was followed by another. All its blocks lead to the latch, so that post-dominators are the dominators of
//! the graph turned round (computed by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001). A block
//! depends on a branch if it is met on one side and need not be met on the other: it lies on the way up the tree from a
//! successor of the branch to the branch's own post-dominator (Ferrante, Ottenstein, Warren, "The Program Dependence
//! Graph and Its Use in Optimization", 1987, §3.1.1).

use crate::base::regions::Shape;
use ir::BlockId;
use ir::hash::HashMap;
use ir::loops::LoopId;

/// The graph of an iteration.
pub struct Iteration {
    /// The block that begins an iteration.
    pub header: BlockId,
    /// The block that ends it.
    pub latch: BlockId,
    successors: HashMap<BlockId, Vec<BlockId>>,
    /// The block that every way to the latch passes next; none for the latch.
    next: HashMap<BlockId, BlockId>,
    /// The branches that decide whether a block is met.
    deciding: HashMap<BlockId, Vec<BlockId>>,
}

impl Iteration {
    /// The iteration of a loop, if it has one latch.
    pub fn new(shape: &Shape, of: LoopId) -> Option<Iteration> {
        let data = &shape.loops.loops[of];
        let &[latch] = data.latches.as_slice() else { return None };
        let header = data.header;
        let within = |to: &BlockId| *to != header && shape.loops.contains(of, *to);
        let successors: HashMap<BlockId, Vec<BlockId>> =
            data.blocks.iter().map(|b| (*b, shape.cfg.succs(*b).iter().copied().filter(within).collect())).collect();
        let mut out = Iteration { header, latch, successors, next: HashMap::default(), deciding: HashMap::default() };
        out.find_next(&data.blocks);
        out.find_deciding(&data.blocks);
        Some(out)
    }

    /// Where a block leads within the iteration.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The block that every way from here to the latch passes next.
    pub fn next(&self, block: BlockId) -> Option<BlockId> {
        self.next.get(&block).copied()
    }

    /// The branches that decide whether a block is met.
    pub fn deciding(&self, block: BlockId) -> &[BlockId] {
        self.deciding.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The blocks in the order in which a walk back from the latch leaves them: what leads to a block stands before it.
    fn backwards(&self, blocks: &[BlockId]) -> Vec<BlockId> {
        let mut preds: HashMap<BlockId, Vec<BlockId>> = HashMap::default();
        for block in blocks {
            for to in self.successors(*block) {
                preds.entry(*to).or_default().push(*block);
            }
        }
        let mut order = Vec::new();
        let mut seen = ir::hash::HashSet::from_iter([self.latch]);
        let mut stack = vec![(self.latch, 0)];
        while let Some((block, at)) = stack.last_mut() {
            match preds.get(block).and_then(|p| p.get(*at)) {
                Some(pred) => {
                    *at += 1;
                    if seen.insert(*pred) {
                        stack.push((*pred, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order
    }

    fn find_next(&mut self, blocks: &[BlockId]) {
        let order = self.backwards(blocks);
        let number: HashMap<BlockId, usize> = order.iter().enumerate().map(|(n, b)| (*b, n)).collect();
        // The latch is last in the order, and its own parent while the tree grows.
        let mut parent: Vec<Option<usize>> = vec![None; order.len()];
        if let Some(last) = parent.last_mut() {
            *last = Some(order.len() - 1);
        }
        let meet = |parent: &[Option<usize>], mut a: usize, mut b: usize| {
            while a != b {
                let lower = if a < b { &mut a } else { &mut b };
                *lower = parent[*lower].unwrap_or(order.len() - 1);
            }
            a
        };
        let mut changed = true;
        while changed {
            changed = false;
            for n in (0..order.len().saturating_sub(1)).rev() {
                let met = self.successors(order[n]).iter().filter_map(|s| number.get(s).copied());
                let known: Vec<usize> = met.filter(|s| parent[*s].is_some()).collect();
                let new = known.into_iter().reduce(|a, b| meet(&parent, a, b));
                if new.is_some() && parent[n] != new {
                    parent[n] = new;
                    changed = true;
                }
            }
        }
        for (n, up) in parent.iter().enumerate().take(order.len().saturating_sub(1)) {
            self.next.extend(up.map(|up| (order[n], order[up])));
        }
    }

    fn find_deciding(&mut self, blocks: &[BlockId]) {
        for branch in blocks {
            let successors = self.successors(*branch).to_vec();
            let stop = self.next(*branch);
            for first in successors.iter().filter(|_| successors.len() > 1) {
                let mut at = Some(*first);
                while let Some(block) = at.filter(|_| at != stop) {
                    let list = self.deciding.entry(block).or_default();
                    if !list.contains(branch) {
                        list.push(*branch);
                    }
                    at = self.next(block);
                }
            }
        }
    }
}
