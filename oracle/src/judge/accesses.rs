//! How the primal uses memory: which addresses it reads as integers or pointers, and how often it stores to each.
//! Found by one more plain run, when a diagnosis asks for it.

use super::call::Call;
use interp::{AllocId, Interp, Leaf, Limits, Machine, MemAccess, Memory, Program, Scalar};
use ir::hash::{HashMap, HashSet};
use std::collections::BTreeMap;

/// What was found.
#[derive(Default)]
pub struct Accesses {
    objects: HashSet<u64>,
    /// Addresses read as something other than a number, with their sizes.
    pub integers: BTreeMap<u64, u64>,
    /// Number of stores of numbers by address.
    pub stores: HashMap<u64, u64>,
}

impl Machine for Accesses {
    type Shadow = ();
    const OBSERVES_MEMORY: bool = true;
    const OBSERVES_LOCALS: bool = false;

    fn load(&mut self, at: &MemAccess, _value: Scalar) -> Option<()> {
        if !at.leaf.is_float() && self.objects.contains(&at.pointer.prov) {
            self.integers.insert(at.pointer.addr, at.leaf.store_size());
        }
        None
    }

    fn store(&mut self, at: &MemAccess, _value: Scalar, _shadow: &()) {
        if let (Leaf::Float(_), true) = (at.leaf, self.objects.contains(&at.pointer.prov)) {
            *self.stores.entry(at.pointer.addr).or_default() += 1;
        }
    }
}

/// Runs the primal and watches these objects.
pub fn watch(
    program: &Program,
    call: &Call,
    memory: &Memory<()>,
    objects: impl Iterator<Item = AllocId>,
    limits: &Limits,
) -> Accesses {
    let machine = Accesses { objects: objects.map(AllocId::bits).collect(), ..Accesses::default() };
    let mut interp = Interp::with_memory(program, machine, memory.clone(), limits.clone());
    // The same run has succeeded before; if it does not now, what it found so far serves as well.
    drop(interp.call(call.primal, &call.primal_args));
    interp.into_parts().0
}
