//! Variables of which each thread has its own.

use crate::engine::Engine;
use crate::grid::SHARED;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::Res;
use crate::value::{Pointer, Value};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// The running thread's copy of a thread-local variable, or its block's of a shared one.
    pub(crate) fn thread_local(&mut self, variable: Pointer) -> Res<Pointer> {
        // The main thread uses the variable itself.
        if self.threads.current == 0 || variable.prov == 0 {
            return Ok(variable);
        }
        let Some(info) = self.memory.info(variable) else { return Ok(variable) };
        // What is not the variable itself is a copy already.
        let original = matches!(info.kind, AllocKind::Global(id) if self.program.globals[id].prov == variable.prov);
        if !original {
            return Ok(variable);
        }
        if let AllocKind::Global(id) = info.kind
            && self.program.module.globals[id].addr_space == SHARED
        {
            return L::shared_copy(self, variable, info.pointer(), info.size);
        }
        if let Some(copy) = self.threads.me().locals.get(&variable.prov) {
            return Ok(copy.offset(variable.addr.wrapping_sub(info.base) as i64));
        }
        let copy = self.memory.allocate_like(&self.program.image, info.id)?;
        self.memory.watch_of_thread(copy, self.threads.current);
        self.threads.me().locals.insert(variable.prov, copy);
        Ok(copy.offset(variable.addr.wrapping_sub(info.base) as i64))
    }

    /// What the running thread has in the place of all thread-local variables, if it is not the main thread.
    pub(crate) fn own_variables(&mut self) -> Res<Vec<(Pointer, Pointer, u64)>> {
        let mut own = Vec::new();
        if self.threads.current != 0 {
            for (id, global) in self.program.module.globals.iter().filter(|(_, g)| !g.thread_local.is_empty()) {
                let variable = self.program.globals[id];
                own.push((variable, self.thread_local(variable)?, self.program.module.size_of(global.ty)));
            }
        }
        Ok(own)
    }

    /// Destroys the main thread's thread-local objects, last first.
    pub(crate) fn run_thread_destructors(&mut self) -> Res {
        while let Some((destructor, object)) = self.threads.me().destructors.pop() {
            self.call_back(destructor, &[Value::ptr(object)])?;
        }
        Ok(())
    }
}
