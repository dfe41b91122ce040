//! What is known of indirect calls: which functions each may call, and what has taken its place.

use ir::{Call, FuncId, InstId, MdId, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of indirect calls.
#[derive(Clone, Debug, Default)]
pub struct Indirect {
    /// Which functions each may call.
    pub candidates: BTreeMap<(FuncId, InstId), BTreeSet<FuncId>>,
    /// The function pointer that led to a direct call that has taken the place of one.
    pub chosen: BTreeMap<(FuncId, InstId), Operand>,
    /// Of calls that were written out, in the functions where they stood: the arguments for which the called function
    /// declares what they point to, with that type.
    pub declared: BTreeMap<FuncId, Vec<(Operand, MdId)>>,
}

impl Indirect {
    /// The pointer through which the function is called, now or in the program.
    pub fn pointer(&self, id: FuncId, inst: InstId, call: &Call) -> Option<Operand> {
        match self.candidates.contains_key(&(id, inst)) {
            true => Some(call.callee),
            false => self.chosen.get(&(id, inst)).copied(),
        }
    }
}
