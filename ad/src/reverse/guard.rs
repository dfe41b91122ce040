//! Guards: a gradient stops, with the place, before active data is lost in constant memory.
//!
//! A pointer to constant memory is its own shadow ([`PointerKind::Mixed`]), so that one comparison tells.

use crate::analysis::memory::query::PointerKind;
use crate::reverse::Emitter;
use crate::runtime::tape;
use ir::{InstId, Operand};

impl Emitter<'_, '_> {
    /// Stops where active data comes to constant memory from which it may be read again
    /// ([`crate::analysis::analyses::Analyses::may_lose`]).
    pub(super) fn guard(&mut self, inst: InstId) {
        if !self.env.facts.may_lose(self.id, inst) {
            return;
        }
        let text = self.env.facts.lost_text(self.b.m, (self.id, self.func), inst);
        for (to, from) in self.env.facts.lost_through(self.b.m, (self.id, self.func), inst) {
            let pair = |e: &mut Self, ptr: Operand| [e.primal_of(ptr), e.shadow_of(ptr)];
            let to = pair(self, to);
            let from = from.filter(|from| self.cx().pointer_kind(*from) != PointerKind::Duplicated);
            let from = from.map(|from| pair(self, from));
            tape::guard_constant(&mut self.b, to, from, &text);
        }
    }
}
