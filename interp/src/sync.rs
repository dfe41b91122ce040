//! What orders threads, published in synchronisation objects and taken from them.

use crate::engine::Engine;
use crate::machine::Machine;
use crate::value::Pointer;

/// Publishes what the running thread knows in a synchronisation object.
pub fn release<M: Machine, L>(interp: &mut Engine<'_, M, L>, object: Pointer) {
    let key = interp.memory.key(object);
    if let Some(races) = interp.memory.races() {
        races.release(key);
    }
    interp.threads.synchronised();
}

/// Takes what was published in a synchronisation object.
pub fn acquire<M: Machine, L>(interp: &mut Engine<'_, M, L>, object: Pointer) {
    let key = interp.memory.key(object);
    if let Some(races) = interp.memory.races() {
        races.acquire(key);
    }
    interp.threads.synchronised();
}
