//! Fork and join as in Tapir (Schardl, Moses & Leiserson, "Tapir", PPoPP 2017): `__adj_detach` and `__adj_sync` of
//! `adj.h`.
//!
//! Tapir's `detach within R` starts a task that may run beside what follows; `reattach` is the task's return;
//! `sync within R` waits for the tasks of R and for what they have spawned and synced. A program without a determinacy
//! race does what its serial projection does, in which `detach` is a call and `sync` nothing (section 3 there): that is
//! what the bodies in `adj.h` do natively, and what is differentiated. Here each task is a thread, so that a race is
//! found whatever the schedule: what happens before what is a property of the program's spawns and syncs alone.

use super::pthread::thread;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Role;
use crate::value::Value;

/// Is it one of the functions, which have bodies for other machines?
pub fn is_known(name: &str) -> bool {
    matches!(name, "__adj_detach" | "__adj_sync")
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "__adj_detach" => detach,
        "__adj_sync" => sync,
        _ => return None,
    })
}

/// `__adj_detach(region, task, data)`
fn detach<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (region, task, data) = (call.ptr(0)?, call.ptr(1)?, call.leaf(2)?);
    interp.go_parallel()?;
    let id = interp.create_thread(Role::Own, task, vec![Value::scalar(data)], Some(call.at))?;
    interp.runtime.regions.entry(region.addr).or_default().push(id);
    Ok(Value::void())
}

/// `__adj_sync(region)`
fn sync<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let region = call.ptr(0)?.addr;
    while let Some(task) = interp.runtime.regions.get(&region).and_then(|tasks| tasks.last().copied()) {
        if thread::join(interp, task)?.is_none() {
            return Err(Fault::ub(
                UbKind::Library,
                "a task syncs the region that it is a task of: it waits for itself",
            ));
        }
        if let Some(tasks) = interp.runtime.regions.get_mut(&region) {
            tasks.pop();
        }
    }
    interp.runtime.regions.remove(&region);
    Ok(Value::void())
}
