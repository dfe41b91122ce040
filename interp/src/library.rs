//! What the engine needs of the libraries while a program runs; [`crate::link`] is what it needs before.
//!
//! A function of a library is a plain function of the engine and the call ([`Shim`], [`ShimCall`]).

pub use crate::engine::Shim;
pub use crate::shim_call::ShimCall;

use crate::engine::Engine;
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::Res;
use crate::value::{Leaf, Pointer, Scalar};

/// The state of the libraries in one execution.
pub trait Library: Sized + 'static {
    /// The function of that name.
    fn find<M: Machine>(name: &str) -> Option<Shim<M, Self>>;

    /// Does a function work on streams, files or pipes, which keep text and bytes between calls?
    fn keeps_text<M: Machine>(name: &str) -> bool;

    /// What the libraries call a thread, if they do.
    fn thread_name(&self, thread: usize) -> Option<String>;

    /// The running thread belongs to a library, and its function has returned.
    fn returned<M: Machine>(engine: &mut Engine<'_, M, Self>) -> Res;

    /// An address in a variable that blocks of a grid share, of which the running thread's block has a copy: the
    /// address there. The variable has that base and size.
    fn shared_copy<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        address: Pointer,
        base: Pointer,
        size: u64,
    ) -> Res<Pointer>;
}

/// The `errno` object, made when it is first asked for.
pub fn errno<M: Machine, L>(interp: &mut Engine<'_, M, L>) -> Res<Pointer> {
    if let Some(pointer) = interp.errno {
        return Ok(pointer);
    }
    let pointer = interp.memory.allocate(4, 4, AllocKind::Runtime, None)?;
    interp.memory.fill(pointer, Scalar::word(0), 4)?;
    Ok(*interp.errno.insert(pointer))
}

/// Sets `errno`.
pub fn set_errno<M: Machine, L>(interp: &mut Engine<'_, M, L>, number: i32) -> Res {
    let at = errno(interp)?;
    interp.memory.store(at, Leaf::Int(32), Scalar::i32(number), 4)
}
