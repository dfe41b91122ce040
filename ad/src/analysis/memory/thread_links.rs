//! Functions of libstdc++ that only join the nodes of a container with each other: what their pointers may point to
//! afterwards.
//!
//! They follow and set links at fixed offsets of the nodes that they reach from their arguments. Afterwards each link
//! of each of these nodes may lead to any of them. What else lies in a node they leave alone; so the shadow of a
//! container is kept by the same call on the shadows of the arguments.

use crate::analysis::memory::object::{ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::types::moved;
use crate::analysis::memory::{self, Facts};
use crate::program::cell::Cell;
use ir::{Call, FuncId, Inst, Module};

impl Facts {
    /// A call of a function that sets links at these offsets.
    pub(super) fn call_links(&mut self, m: &Module, id: FuncId, inst: &Inst, call: &Call, offsets: &[u64]) {
        let mut nodes = Targets::new();
        for arg in &call.args {
            for (object, place) in self.targets(m, id, *arg) {
                memory::add_target(&mut nodes, object, place);
            }
        }
        // The fixed point of the whole analysis follows the links further.
        for offset in offsets {
            let found = self.known_pointers(&moved(&nodes, *offset as i64, 0));
            for (object, place) in found {
                memory::add_target(&mut nodes, object, place);
            }
        }
        for (object, place) in nodes.clone() {
            if matches!(self.objects[object].kind, ObjKind::Function(_) | ObjKind::Opaque | ObjKind::Lost) {
                continue;
            }
            self.set_written(object);
            for offset in offsets {
                let at = Place { start: place.start.wrapping_add(*offset as i64), ..place };
                self.seed_cell(&Targets::from([(object, at)]), Cell::Ptr, 8);
                self.store_pointers(object, at, &nodes);
            }
        }
        if let Some(v) = inst.result.filter(|_| m.types.is_ptr(inst.ty)) {
            self.point_to_all((id, v), &nodes);
        }
    }
}
