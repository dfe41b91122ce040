//! Nodes of search trees that the library rebalances: it does so to their shadows, too, by the colours that it finds
//! there. Whoever gives a node another colour (`std::map` when it is copied) gives it to the shadow.

use crate::analysis::memory::object::Targets;
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{Facts, add_target};
use crate::normalise::sources::Sources;
use crate::program::cell::Cell;
use crate::program::externals::rebalances;
use ir::{FuncId, Function, InstId, InstKind, Module, Type};

/// Bytes of a colour.
const COLOUR: u64 = 4;

impl Facts {
    /// Notes the nodes with a shadow of trees that are rebalanced, and where in them the colour is.
    pub(super) fn find_trees(&mut self, m: &Module, sources: &Sources) {
        let mut trees = Targets::new();
        for (id, func) in sources {
            for (_, inst) in func.inst_order() {
                let Some(call) = func.insts[inst].kind.as_call() else { continue };
                if m.as_function(call.callee).is_some_and(|f| rebalances(&m.functions[f].name)) {
                    for arg in &call.args {
                        let nodes = self.points_to(m, *id, *arg).into_iter().filter(|(o, _)| self.is_shadowed(*o));
                        for (object, place) in nodes {
                            add_target(&mut trees, object, place);
                        }
                    }
                }
            }
        }
        self.trees = trees;
    }

    /// Does the instruction put what may be a colour, and is nothing else, into a node?
    pub fn colours(&self, m: &Module, (id, func): (FuncId, &Function), inst: InstId) -> bool {
        let InstKind::Store { ptr, .. } = &func.insts[inst].kind else { return false };
        self.may_colour(m, (id, func), inst)
            && self.overwritten(&self.points_to(m, id, *ptr), 0, COLOUR).iter().all(|span| span.cell == Cell::Int)
            && self.stored_pieces(m, (id, func), &func.insts[inst]).is_empty()
    }

    /// Does the instruction store something as long as a colour where one may be?
    pub(super) fn may_colour(&self, m: &Module, (id, func): (FuncId, &Function), inst: InstId) -> bool {
        let InstKind::Store { value, ptr, .. } = &func.insts[inst].kind else { return false };
        let there = |(o, at): (&_, &Place)| self.trees.get(o).is_some_and(|p| p.overlaps(COLOUR, *at, COLOUR));
        !self.trees.is_empty()
            && matches!(m.types.get(m.operand_ty(func, *value)), Type::Int(32))
            && self.points_to(m, id, *ptr).iter().any(there)
    }
}
