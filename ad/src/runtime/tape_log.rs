//! What gradients write to their tapes: which stores do, and what for.
//!
//! The synthesis marks each store to a record ([`mark`]), and each call that takes a block of the tape for a copy of
//! memory, so that whoever executes a gradient can tell how much it keeps of which value ([`writes`]) from what it
//! needs to go back the way it came.

use ir::{FuncId, InstId, InstKind, MdId, Module, Role};

/// What a cell of the tape is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kept {
    /// A value of the primal, or a shadow pointer.
    Value,
    /// The way that control took: counts of iterations, predecessors, links between records.
    Way,
}

impl Kept {
    const ALL: [Kept; 2] = [Kept::Value, Kept::Way];

    fn name(self) -> &'static str {
        match self {
            Kept::Value => "adj.kept",
            Kept::Way => "adj.way",
        }
    }
}

/// Marks a store to the tape, or a call that takes a block of it. The node means nothing.
pub(crate) fn mark(metadata: &mut Vec<(String, MdId)>, kept: Kept, node: MdId) {
    metadata.push((kept.name().to_owned(), node));
}

/// A store to the tape, or a call that takes a block of it (of as many bytes as its second argument says) for a copy of
/// memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The function of the gradient.
    pub func: FuncId,
    /// The store, or the call.
    pub inst: InstId,
    /// What for.
    pub kept: Kept,
    /// The instruction of the primal whose result is kept; none if that is an argument.
    pub of: Option<(FuncId, InstId)>,
}

/// The stores to tapes in a module, and the blocks taken. A store of an inner derivative that was differentiated in
/// turn is one of the primal.
pub fn writes(m: &Module) -> Vec<Write> {
    let mut out = Vec::new();
    for (func, f) in m.functions.iter() {
        for (_, inst) in f.inst_order() {
            let data = &f.insts[inst];
            let writes = matches!(data.kind, InstKind::Store { .. } | InstKind::Call(_));
            if !writes || data.origin.is_some_and(|o| o.role != Role::Push) {
                continue;
            }
            let kept = Kept::ALL.into_iter().find(|kept| data.metadata(kept.name()).is_some());
            let of = data.origin.map(|o| (o.func, o.inst));
            out.extend(kept.map(|kept| Write { func, inst, kept, of }));
        }
    }
    out
}
