//! What a call of a function with a gradient of its own may do: anything to the memory that it is given.

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::program::externals;
use ir::{Call, FuncId, Function, InstId, Module};
use std::collections::BTreeSet;

/// Such a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CustomCall {
    /// It gets an active value, or memory that may hold one.
    pub active: bool,
    /// The memory that it can reach.
    pub reach: BTreeSet<ObjId>,
}

impl Facts {
    /// The transfer function of such a call: its body is not looked into, since its rule need not be the derivative
    /// that the body has.
    pub(super) fn call_custom(&mut self, m: &Module, id: FuncId, func: &Function, at: InstId, call: &Call) {
        let mut reach = BTreeSet::new();
        let mut work: Vec<ObjId> = Vec::new();
        for arg in &call.args {
            work.extend(self.targets(m, id, *arg).into_keys());
        }
        while let Some(object) = work.pop() {
            if reach.insert(object) {
                work.extend(self.objects[object].pointers.values().flat_map(|t| t.keys().copied()));
            }
        }
        let active = call.args.iter().any(|a| self.is_active(id, *a)) || reach.iter().any(|o| self.objects[*o].varied);
        // Pointers that it finds it may store anywhere that holds pointers.
        let everything: Targets = reach.iter().map(|o| (*o, Place::ANY)).collect();
        for object in &reach {
            self.set_written(*object);
            if active {
                self.set_varied(*object);
            }
            if !self.objects[*object].pointers.is_empty() {
                self.store_pointers(*object, Place::ANY, &everything);
            }
        }
        if let Some(v) = func.insts[at].result {
            let ty = func.insts[at].ty;
            if externals::holds_pointer(m, ty) {
                let fresh = self.object(ObjKind::Heap(id, at));
                self.point_to((id, v), fresh, Place::at(0));
                self.point_to_all((id, v), &everything);
            }
            if active && externals::holds_float(m, ty) {
                self.set_active((id, v));
            }
        }
        let known = CustomCall { active, reach };
        if self.custom.get(&(id, at)) != Some(&known) {
            self.custom.insert((id, at), known);
            self.changed = true;
        }
    }

    /// The memory that rules with something active get: they write to its shadow, so it has one.
    pub(super) fn given_to_rules(&self) -> BTreeSet<ObjId> {
        let acts = |c: &&CustomCall| c.active || c.reach.iter().any(|o| self.shadowed.contains(o));
        self.custom.values().filter(acts).flat_map(|c| c.reach.iter().copied()).collect()
    }
}
