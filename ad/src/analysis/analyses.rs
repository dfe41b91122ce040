//! What is known of the functions of one differentiated call: of their memory, and what follows from that.

use crate::analysis::memory::Facts;
use crate::analysis::reload::answer::Reloads;
use crate::options::Without;
use ir::{FuncId, Function, InstId, Module, Operand};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

/// Accesses by pointers that may be words put together from numbers, with these
/// ([`crate::analysis::taint::addresses`]).
pub(crate) type Remade = BTreeMap<(FuncId, InstId), Vec<Operand>>;

/// The analyses of one differentiated call; those of memory, types and activity are found first, and do not change any
/// more.
#[derive(Debug, Default)]
pub struct Analyses {
    memory: Facts,
    /// Accesses that only a run can judge.
    pub(crate) remade: Remade,
    /// What may be loaded again in the reverse pass.
    pub reloads: Reloads,
    /// Functions that are executed when they are reversed ([`crate::restructure::joint`]).
    pub joint: BTreeSet<FuncId>,
    /// Between the forward and the reverse pass the caller runs, and may write to memory.
    pub caller_may_write: bool,
    /// Both passes are one function, and no step of it is executed again from a checkpoint.
    pub both_passes: bool,
    /// What to go without.
    pub without: Without,
}

impl Deref for Analyses {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.memory
    }
}

impl From<Facts> for Analyses {
    fn from(memory: Facts) -> Analyses {
        Analyses { memory, ..Analyses::default() }
    }
}

impl Analyses {
    /// Takes the facts of changed sources; what was found from the old ones is found again.
    pub(crate) fn renew(&mut self, memory: Facts, remade: Remade) {
        (self.memory, self.remade, self.reloads) = (memory, remade, Reloads::default());
    }

    /// What an instruction stores may be read from constant memory, or it accesses memory by a pointer that may have
    /// been put together from numbers: a gradient stops where it comes to that.
    pub(crate) fn may_lose(&self, func: FuncId, inst: InstId) -> bool {
        self.may_lose_to_constant(func, inst) || self.remade.contains_key(&(func, inst))
    }

    /// Has a function an instruction of that kind?
    pub(crate) fn loses_in(&self, func: FuncId) -> bool {
        self.loses_to_constant_in(func) || self.remade.keys().any(|(id, _)| *id == func)
    }

    /// The pointers through which an instruction stores what may be lost, each with a copy's source: what comes
    /// from constant memory is constant.
    pub(crate) fn lost_through(
        &self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: InstId,
    ) -> Vec<(Operand, Option<Operand>)> {
        let remade = self.remade.get(&(id, inst)).into_iter().flatten();
        let mut out: Vec<(Operand, Option<Operand>)> = remade.map(|ptr| (*ptr, None)).collect();
        for (to, from) in self.mixed_writes(m, (id, func), inst) {
            if !out.iter().any(|(known, _)| *known == to) {
                out.push((to, from));
            }
        }
        out
    }
}
