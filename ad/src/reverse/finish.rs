//! The end of a function's synthesis: what is known of its accesses of memory makes adjoints of memory cheaper, and is
//! told to LLVM.

use crate::analysis::affine::distinct::Branches;
use crate::base::alias_scopes::{self, Lists};
use crate::base::marks::APART;
use crate::optimise::{delay_stores, zero_loads};
use crate::options::Lever;
use crate::reverse::Emitter;
use ir::hash::HashSet;
use ir::{Function, InstId};

/// Loads and stores of a finished function: those of shadow memory, and those of the primal's.
pub struct Accesses {
    pub cells: HashSet<InstId>,
    pub primal: HashSet<InstId>,
}

impl Emitter<'_, '_> {
    /// The function, with what is known of aliasing.
    pub(super) fn finished(self) -> Function {
        self.finished_with_accesses().0
    }

    /// The same, and its accesses of memory.
    pub(super) fn finished_with_accesses(mut self) -> (Function, Accesses) {
        self.settle_cells();
        self.align_sums();
        if !self.env.without.has(Lever::AliasScopes) {
            self.tell_shadows();
        }
        match self.env.without.has(Lever::AliasScopes) {
            false => alias_scopes::others(self.b.m, &mut self.b.f, self.record_list),
            true => alias_scopes::forget(&mut self.b.f, self.record_list),
        }
        // It is said of the primal's loads, and not of those of a derivative of the gradient.
        self.b.f.insts.values_mut().for_each(|inst| inst.metadata.retain(|(name, _)| name != APART));
        let cells = self.cells.into_keys().collect();
        (self.b.f, Accesses { cells, primal: self.reloads.union(&self.primal_accesses).copied().collect() })
    }

    /// Says that the primal's accesses and those of shadows are apart.
    fn tell_shadows(&mut self) {
        let list = self.env.shadows;
        for access in self.cells.keys().chain(&self.pieces) {
            alias_scopes::is_in(&mut self.b.f.insts[*access].metadata, list);
        }
        let mut lists = Lists::default();
        for access in self.primal_accesses.iter().chain(&self.reloads) {
            alias_scopes::is_none(self.b.m, &mut self.b.f.insts[*access].metadata, (list, &mut lists));
        }
    }

    /// Adjoints of memory are added to what is known of them.
    fn settle_cells(&mut self) {
        let mut f = std::mem::replace(&mut self.b.f, Function::new("", self.b.m.types.void(), &[]));
        let (cx, without) = (self.cx(), self.env.without);
        let branches = Branches::new(&cx, self.shape);
        let apart = |a: InstId, b: InstId| match (self.cells.get(&a), self.cells.get(&b)) {
            (Some(a), Some(b)) => !without.has(Lever::Cells) && branches.keep_apart(*a, *b),
            // A shadow is memory of its own.
            (Some(_), None) => self.reloads.contains(&b),
            _ => false,
        };
        if !without.has(Lever::KnownClear) {
            zero_loads::apply(cx.m, &mut f, apart);
        }
        if !without.has(Lever::Cells) {
            let cells = self.cells.keys().copied().collect();
            delay_stores::apply(cx.m, &mut f, (&cells, self.record_list), apart);
        }
        self.b.f = f;
    }
}
