//! The control flow of the functions, found when it is asked for.

use crate::normalise::sources::Sources;
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::{BlockId, FuncId, Function, InstKind, Operand};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Control flow and dominators of each function.
pub(super) struct Shapes(BTreeMap<FuncId, OnceCell<(Cfg, DomTree)>>);

impl Shapes {
    /// Of these functions.
    pub fn new(sources: &Sources) -> Shapes {
        Shapes(sources.keys().map(|id| (*id, OnceCell::new())).collect())
    }

    /// Of one of them.
    pub fn of(&self, id: FuncId, func: &Function) -> &(Cfg, DomTree) {
        self.0[&id].get_or_init(|| {
            let cfg = Cfg::new(func);
            let tree = DomTree::new(func, &cfg);
            (cfg, tree)
        })
    }

    /// What decides whether control comes to a block from one side or another: the condition at the end of its
    /// immediate dominator.
    pub fn condition(&self, id: FuncId, func: &Function, block: BlockId) -> Option<Operand> {
        let before = self.of(id, func).1.idom(block)?;
        match &func.insts[func.terminator(before)?].kind {
            InstKind::CondBr { cond, .. } => Some(*cond),
            InstKind::Switch { .. } => func.insts[func.terminator(before)?].kind.operands().first().copied(),
            _ => None,
        }
    }
}
