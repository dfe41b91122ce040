//! Values that are loaded from where the program has stored them.
//!
//! [`crate::lasting`] knows these stores. One is used where the value could not be had again at all, or only with the help of something that is
//! kept, while the address of the store can be had without. What is computed from loads that last is computed, as ever.

use super::recompute::{Recipe, Recompute};
use super::{Wanted, is_there};
use crate::needs::Item;
use crate::shape::Region;
use ir::hash::HashMap;
use ir::{InstId, InstKind};
use std::collections::BTreeSet;

impl Recompute<'_> {
    /// The recipe for what an instruction gives in its own region: this one, or a load of what the program has stored.
    pub(super) fn or_loaded(&mut self, made: InstId, region: Region, recipe: Recipe) -> Recipe {
        let Some(store) = self.cx.facts.lasting.stored(self.cx.id, made) else { return recipe };
        let InstKind::Store { ptr, .. } = self.cx.func.insts[store].kind else { return recipe };
        let wanted = |v| Wanted::new(self.cx.func, self.shape, Item::Primal(v), region);
        let address: Vec<Wanted> = ptr.local().into_iter().map(wanted).collect();
        let rather = match &recipe {
            Recipe::Store => true,
            Recipe::Again(_, operands) => !self.are_there(operands) && self.are_there(&address),
            _ => false,
        };
        if rather { Recipe::Again(store, address) } else { recipe }
    }

    /// Can they be had although nothing is kept?
    fn are_there(&mut self, wanted: &[Wanted]) -> bool {
        let mut known = HashMap::default();
        wanted.iter().all(|w| is_there(self, &BTreeSet::new(), *w, &mut known))
    }
}
