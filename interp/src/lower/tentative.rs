//! Loads of whose value nothing may come ([`crate::races::tentative`]), and where something does ([`ir::uses`]).

use super::Lower;
use crate::code::Op;
use ir::hash::HashMap;
use ir::uses::{Passed, loaded_ahead};
use ir::{Function, InstId, InstKind, Module, Operand};

/// The tentative loads of a function.
#[derive(Default)]
pub(super) struct TentativeLoads {
    numbers: HashMap<InstId, u32>,
    /// By the instructions that use what some of them may have given.
    uses: HashMap<InstId, Vec<(u32, Passed)>>,
}

impl TentativeLoads {
    /// Those of a function, but for loads of what `is_register`.
    pub(super) fn of(func: &Function, module: &Module, is_register: impl Fn(Operand) -> bool) -> TentativeLoads {
        let mut found = TentativeLoads::default();
        for (load, uses) in loaded_ahead(func, module) {
            let InstKind::Load { ptr, .. } = func.insts[load].kind else { continue };
            if is_register(ptr) {
                continue;
            }
            let number = found.numbers.len() as u32;
            found.numbers.insert(load, number);
            for (user, passed) in uses {
                found.uses.entry(user).or_default().push((number, passed));
            }
        }
        found
    }

    pub(super) fn number(&self, inst: InstId) -> Option<u32> {
        self.numbers.get(&inst).copied()
    }
}

impl Lower<'_, '_> {
    /// Before an instruction that uses what tentative loads may have given.
    pub(super) fn uses_of_tentative(&mut self, inst: InstId) {
        for (load, passed) in self.tentative.uses.get(&inst).cloned().unwrap_or_default() {
            let taken = passed.and_then(|(select, when)| match self.func.insts[select].kind {
                InstKind::Select { cond, .. } => Some((self.slot(cond).ok()?, when)),
                _ => None,
            });
            self.emit(Op::Use { load, taken });
        }
    }
}
