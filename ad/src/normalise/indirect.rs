//! What is known of indirect calls: which functions each may call, and what has taken its place.

use ir::{Call, FuncId, InstId, MdId, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of indirect calls.
#[derive(Clone, Debug, Default)]
pub struct Indirect {
    /// Which functions each may call.
    pub candidates: BTreeMap<(FuncId, InstId), BTreeSet<FuncId>>,
    /// What led to a direct call that has taken the place of one.
    pub chosen: BTreeMap<(FuncId, InstId), Chosen>,
    /// Of calls that were written out, in the functions where they stood: the arguments for which the called function
    /// declares what they point to, with that type.
    pub declared: BTreeMap<FuncId, Vec<(Operand, MdId)>>,
}

/// A function that is called through a pointer.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The pointer.
    pub pointer: Operand,
    /// The function that it holds. A copy of that may be what is called.
    pub function: FuncId,
}

impl Indirect {
    /// What a function is called through, now or in the program.
    pub fn chosen(&self, (id, inst): (FuncId, InstId), call: &Call, callee: FuncId) -> Option<Chosen> {
        match self.candidates.contains_key(&(id, inst)) {
            true => Some(Chosen { pointer: call.callee, function: callee }),
            false => self.chosen.get(&(id, inst)).copied(),
        }
    }
}
