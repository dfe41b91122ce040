//! The control-flow shape of a function: blocks, loops, and the regions whose records hold its tape.
//!
//! A *region* is the function body or one iteration of a natural loop. The tape of a call is one
//! record for the body and, for each iteration of each loop, one record for that iteration.

use crate::error::{Diagnostic, Reason};
use ir::cfg::{Cfg, Positions};
use ir::dom::DomTree;
use ir::loops::{LoopId, Loops};
use ir::{BlockId, Function, InstId, Module, ValueDef, ValueId};

/// The function body (`None`) or a loop.
pub type Region = Option<LoopId>;

/// Graph, dominators and loops of a function.
pub struct Shape {
    /// The control-flow graph.
    pub cfg: Cfg,
    /// Its dominator tree.
    pub dom: DomTree,
    /// Its natural loops.
    pub loops: Loops,
    /// Where each instruction stands.
    pub positions: Positions,
}

impl Shape {
    /// The shape of a normalised function; irreducible control flow is refused.
    pub fn new(m: &Module, func: &Function) -> Result<Shape, Diagnostic> {
        let cfg = Cfg::new(func);
        let dom = DomTree::new(func, &cfg);
        let loops = Loops::new(func, &cfg, &dom);
        let shape = Shape { positions: Positions::new(func), cfg, dom, loops };
        let Some((from, _)) = shape.loops.irreducible else { return Ok(shape) };
        let message = "irreducible control flow (a loop with two entries) is not differentiated";
        Err(match func.terminator(from) {
            Some(term) => Diagnostic::at(m, func, term, Reason::Unsupported, message),
            None => Diagnostic::of(m, func, Reason::Unsupported, message),
        })
    }

    /// The innermost region of a block.
    pub fn region(&self, block: BlockId) -> Region {
        self.loops.innermost(block)
    }

    /// The region in which a value is defined.
    pub fn home(&self, func: &Function, value: ValueId) -> Region {
        match func.values[value].def {
            ValueDef::Param(_) => None,
            ValueDef::Inst(inst) => self.positions.block(inst).and_then(|b| self.region(b)),
        }
    }

    /// The region around a loop.
    pub fn parent(&self, id: LoopId) -> Region {
        self.loops.loops[id].parent
    }

    /// Nesting depth: 0 for the body.
    pub fn depth(&self, region: Region) -> u32 {
        region.map_or(0, |l| self.loops.loops[l].depth)
    }

    /// The innermost region that contains both.
    pub fn common(&self, mut a: Region, mut b: Region) -> Region {
        while a != b {
            if self.depth(a) >= self.depth(b) {
                a = a.and_then(|l| self.parent(l));
            } else {
                b = b.and_then(|l| self.parent(l));
            }
        }
        a
    }

    /// The loop of which `block` is the header.
    pub fn header_of(&self, block: BlockId) -> Option<LoopId> {
        self.region(block).filter(|l| self.loops.loops[*l].header == block)
    }

    /// Loops that the edge `from -> to` leaves, the outermost first.
    pub fn left_by(&self, from: BlockId, to: BlockId) -> Vec<LoopId> {
        let mut out: Vec<LoopId> = self.loops.around(from).filter(|l| !self.loops.contains(*l, to)).collect();
        out.reverse();
        out
    }

    /// The block of an instruction (which is in the layout).
    pub fn block(&self, inst: InstId) -> Option<BlockId> {
        self.positions.block(inst)
    }
}
