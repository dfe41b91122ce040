//! Natural loops of the control-flow graph (Aho, Lam, Sethi, Ullman, "Compilers", 2nd ed., 9.6).
//!
//! An edge `u -> h` whose target dominates its source is a back edge; the loop of the header `h` is
//! `h` with every block that reaches a source of a back edge to `h` without passing `h`. Loops that
//! share a header are one loop. Two loops are disjoint or nested.
//!
//! An edge that goes backwards in reverse postorder without being a back edge makes the graph
//! irreducible; the cycle through it is no loop here, and [`Loops::irreducible`] names the edge.

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::function::{BlockId, Function};
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// A loop of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The block that dominates all others of the loop.
    pub header: BlockId,
    /// All its blocks, those of inner loops too, in reverse postorder (the header first).
    pub blocks: Vec<BlockId>,
    /// The sources of its back edges.
    pub latches: Vec<BlockId>,
    /// The edges that leave it: from a block inside to a block outside.
    pub exits: Vec<(BlockId, BlockId)>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

/// The loops of a function.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// All loops, an outer one before those inside it.
    pub loops: PrimaryMap<LoopId, Loop>,
    /// An edge that makes the graph irreducible, if there is one.
    pub irreducible: Option<(BlockId, BlockId)>,
    innermost: SecondaryMap<BlockId, Option<LoopId>>,
}

impl Loops {
    /// The loops of `func`, whose graph and dominators are given.
    pub fn new(_func: &Function, cfg: &Cfg, dom: &DomTree) -> Loops {
        let mut out = Loops::default();
        // Reverse postorder meets the header of an outer loop before those of the loops in it.
        for (i, &header) in cfg.rpo().iter().enumerate() {
            let mut latches = Vec::new();
            for &pred in cfg.preds(header) {
                match cfg.rpo_index(pred) {
                    Some(_) if dom.dominates(header, pred) => latches.push(pred),
                    Some(p) if p >= i => out.irreducible = out.irreducible.or(Some((pred, header))),
                    _ => {}
                }
            }
            if !latches.is_empty() {
                out.add(cfg, header, latches);
            }
        }
        out
    }

    fn add(&mut self, cfg: &Cfg, header: BlockId, latches: Vec<BlockId>) {
        let mut inside: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        inside[header] = true;
        let mut blocks = vec![header];
        let mut work = latches.clone();
        while let Some(block) = work.pop() {
            if !inside[block] && cfg.is_reachable(block) {
                inside[block] = true;
                blocks.push(block);
                work.extend_from_slice(cfg.preds(block));
            }
        }
        blocks.sort_by_key(|b| cfg.rpo_index(*b));
        let mut exits = Vec::new();
        for &from in &blocks {
            exits.extend(cfg.succs(from).iter().filter(|to| !inside[**to]).map(|to| (from, *to)));
        }
        let parent = self.innermost[header];
        let depth = parent.map_or(0, |p| self.loops[p].depth) + 1;
        let id = self.loops.push(Loop { header, blocks: blocks.clone(), latches, exits, parent, depth });
        for block in blocks {
            self.innermost[block] = Some(id);
        }
    }

    /// The innermost loop around `block`.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }

    /// Number of loops around `block`.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost[block].map_or(0, |id| self.loops[id].depth)
    }

    /// Is `block` in the loop (or a loop inside it)?
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.ancestors(self.innermost[block]).any(|l| l == id)
    }

    /// The loops around `block`, the innermost first.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = LoopId> + '_ {
        self.ancestors(self.innermost[block])
    }

    fn ancestors(&self, from: Option<LoopId>) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(from, |l| self.loops[*l].parent)
    }

    /// The block outside from which alone the loop is entered, if it jumps nowhere else.
    pub fn preheader(&self, cfg: &Cfg, id: LoopId) -> Option<BlockId> {
        let header = self.loops[id].header;
        let mut outside = cfg.preds(header).iter().filter(|p| !self.contains(id, **p));
        match (outside.next(), outside.next()) {
            (Some(&one), None) if cfg.succs(one) == [header] => Some(one),
            _ => None,
        }
    }
}
