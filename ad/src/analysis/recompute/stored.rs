//! Values that are loaded from where the program has stored them.
//!
//! [`crate::analysis::reload`] knows these stores. One is used where the value could not be had again at all, or only
//! with the help of something that is kept, while the address of the store can be had without. What is computed from
//! loads that last is computed, as ever.

use super::recipe::Recipe;
use super::{Recompute, is_there};
use crate::analysis::context::Item;
use crate::analysis::wanted::Wanted;
use crate::base::regions::Region;
use crate::options::Lever;
use ir::hash::{HashMap, HashSet};
use ir::{InstId, InstKind, Operand};
use std::collections::BTreeSet;

impl Recompute<'_> {
    /// The recipe for what an instruction gives in its own region: this one, or a load of what the program has stored.
    pub(super) fn or_loaded(&mut self, made: InstId, region: Region, recipe: Recipe) -> Recipe {
        let known = self.cx.facts.reloads.stored(self.cx.id, made);
        let Some(store) = known.filter(|_| !self.without.has(Lever::StoredValues)) else { return recipe };
        let InstKind::Store { ptr, .. } = self.cx.func.insts[store].kind else { return recipe };
        if self.needs_itself(made, store) {
            return recipe;
        }
        let wanted = |v| Wanted::new(self.cx.func, self.shape, Item::Primal(v), region);
        let address: Vec<Wanted> = ptr.local().into_iter().map(wanted).collect();
        let rather = match &recipe {
            Recipe::Store => true,
            Recipe::Again(_, operands) => !self.are_there(operands) && self.are_there(&address),
            _ => false,
        };
        if rather { Recipe::Again(store, address) } else { recipe }
    }

    /// Does the address of the store depend on what is stored, perhaps by way of other values that may be loaded?
    fn needs_itself(&self, made: InstId, store: InstId) -> bool {
        let mut work = vec![store];
        let mut seen: HashSet<InstId> = HashSet::default();
        while let Some(inst) = work.pop() {
            let kind = &self.cx.func.insts[inst].kind;
            let read: Vec<Operand> = match kind {
                InstKind::Store { ptr, .. } => vec![*ptr],
                // What comes from another iteration, or another way, is not had again by way of its operands.
                InstKind::Phi { .. } => Vec::new(),
                kind => kind.operands().into_iter().collect(),
            };
            for inst in read.into_iter().filter_map(|o| self.cx.func.def_inst(o.local()?)) {
                if inst == made {
                    return true;
                }
                if seen.insert(inst) {
                    work.push(inst);
                    work.extend(self.cx.facts.reloads.stored(self.cx.id, inst));
                }
            }
        }
        false
    }

    /// Can they be had although nothing is kept?
    fn are_there(&mut self, wanted: &[Wanted]) -> bool {
        let mut known = HashMap::default();
        wanted.iter().all(|w| is_there(self, &BTreeSet::new(), *w, &mut known))
    }
}
