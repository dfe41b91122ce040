//! Files (C17 7.21): what a `FILE` stands for, and the rules about reading and writing one.
//!
//! A `FILE` is an object of the C library in interpreted memory; what it stands for is kept here by its address, and
//! for the three standard streams by their number, so that `printf` and `scanf` need no object. An absent entry is a
//! standard stream as it was at the start.
//!
//! Output reaches the file at once, as if no stream were buffered; input is read ahead until the position changes by
//! other means. So what one `FILE` has written is seen by others that are opened later, which C leaves open for a
//! buffered stream, and nothing is lost when the program is stopped.
//!
//! Undefined by the standard, and reported: a closed `FILE` (7.21.3p4), input directly behind output and output
//! directly behind input without a positioning call (7.21.5.3p7; `fflush` does for the first, the end of the file for
//! the second), `fflush` behind input (7.21.5.2p2), a mode that is none (7.21.5.3p3).

pub(crate) mod calls;
pub(crate) mod object;
pub(crate) mod table;

pub use crate::access::{Access, Folder};
pub(crate) use calls::{close_for, flush_for, is_open_for, open_for, seek_for, tell_for};

use super::input::Input;
use crate::errno::EBADF;
use crate::library::set_errno;
use crate::machine::Machine;
use crate::memory::HeapKind;
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::output::Stream;
use crate::shims::state::Interp;
use crate::value::{Leaf, Pointer, Scalar};
use table::{Body, Last};

/// What functions of characters return at the end, and others for a failure.
pub const EOF: i32 = -1;
/// The key of standard input.
pub const STDIN: u64 = 0;
/// The key of standard output.
pub const STDOUT: u64 = 1;
/// The key of standard error.
pub const STDERR: u64 = 2;

/// The key of a standard stream.
pub fn standard(stream: Stream) -> u64 {
    match stream {
        Stream::Out => STDOUT,
        Stream::Err => STDERR,
    }
}

/// The key of a `FILE`.
pub fn key<M: Machine>(interp: &Interp<'_, M>, file: Pointer) -> Res<u64> {
    let number = object::file_number(interp, file)?;
    Ok(if u64::from(number) <= STDERR { u64::from(number) } else { file.addr })
}

/// Must be a file that is open: is it another than a standard stream as it was at the start?
pub fn alive<M: Machine>(interp: &Interp<'_, M>, key: u64) -> Res<bool> {
    let files = &interp.runtime.files;
    if files.open.contains_key(&key) {
        return Ok(true);
    }
    match files.closed.get(&key) {
        Some(at) => {
            let text = "use of a FILE that is closed (C17 7.21.3p4)";
            Err(Fault::ub(UbKind::Library, text).note("it was closed here", Some(*at)))
        }
        None if key <= STDERR => Ok(false),
        None => Err(Fault::unsupported(
            "a FILE that was opened by another execution: files inside a differentiated call are apart from those \
             outside",
        )),
    }
}

/// Notes a failure: the indicator, and `errno`.
fn fail<M: Machine>(interp: &mut Interp<'_, M>, key: u64, number: i32) -> Res {
    if let Some(open) = interp.runtime.files.open(key) {
        open.failed = true;
    }
    set_errno(interp, number)
}

/// Writes to a file; false, with the error noted, if that fails.
pub fn write<M: Machine>(interp: &mut Interp<'_, M>, key: u64, bytes: &[u8], at: Location) -> Res<bool> {
    if !alive(interp, key)? {
        match key {
            STDOUT => interp.output.write(Stream::Out, bytes),
            STDERR => interp.output.write(Stream::Err, bytes),
            _ => return Err(Fault::unsupported("output to standard input")),
        }
        return Ok(true);
    }
    let (limit, held) = (interp.limits.memory, interp.runtime.files.held);
    let Some(open) = interp.runtime.files.open(key) else { return Ok(false) };
    if !open.mode.writes {
        fail(interp, key, EBADF)?;
        return Ok(false);
    }
    if let Last::Read(before) = open.last
        && !open.at_end()
    {
        let text = "output to a file directly behind input, without a positioning call between them (C17 7.21.5.3p7)";
        return Err(Fault::ub(UbKind::Library, text).note("the input was here", before));
    }
    let mut growth = 0;
    if !matches!(open.body, Body::Host(_)) {
        let length = open.length().unwrap_or(0);
        let from = if open.mode.appends { length } else { open.settle() };
        growth = from.saturating_add(bytes.len() as u64).saturating_sub(length);
    }
    open.last = Last::Wrote(at);
    if held.saturating_add(growth) > limit {
        return Err(Fault::resource(format!("files in memory of more than {limit} bytes")));
    }
    let done = open.put(bytes);
    interp.runtime.files.held += growth;
    match done {
        Ok(()) => Ok(true),
        Err(number) => {
            fail(interp, key, number)?;
            Ok(false)
        }
    }
}

/// What is to be read from a file, to be given back by [`put_input`]; nothing, with the error noted, if it cannot be
/// read from.
pub fn take_input<M: Machine>(interp: &mut Interp<'_, M>, key: u64, at: Option<Location>) -> Res<Option<Input>> {
    if !alive(interp, key)? {
        if key != STDIN {
            return Err(Fault::unsupported(format!("input from file number {key}")));
        }
        return Ok(Some(std::mem::take(&mut interp.runtime.input)));
    }
    let Some(open) = interp.runtime.files.open(key) else { return Ok(None) };
    if !open.mode.reads {
        fail(interp, key, EBADF)?;
        return Ok(None);
    }
    if let Last::Wrote(before) = open.last {
        let text = "input from a file directly behind output, without `fflush` or a positioning call between them (C17 \
            7.21.5.3p7)";
        return Err(Fault::ub(UbKind::Library, text).note("the output was here", Some(before)));
    }
    open.last = Last::Read(at);
    let ahead = open.ahead.take();
    Ok(Some(ahead.unwrap_or_else(|| Input::at(open.source(), open.position, open.ended))))
}

/// Gives back what [`take_input`] gave.
pub fn put_input<M: Machine>(interp: &mut Interp<'_, M>, key: u64, mut input: Input) -> Res {
    input.check()?;
    let failure = input.failure();
    match interp.runtime.files.open(key) {
        Some(open) => open.ahead = Some(input),
        None => interp.runtime.input = input,
    }
    match failure {
        Some(number) => fail(interp, key, number),
        None => Ok(()),
    }
}

/// Hands the bytes of `open_memstream` to the program, with a final zero that does not count (POSIX).
fn hand_over<M: Machine>(interp: &mut Interp<'_, M>, key: u64, at: Location) -> Res {
    let Some(open) = interp.runtime.files.open(key) else { return Ok(()) };
    let Body::Handed(all, place, size) = &open.body else { return Ok(()) };
    let (mut bytes, place, size) = (all.borrow().clone(), *place, *size);
    let length = bytes.len() as u64;
    bytes.push(0);
    let old = interp.memory.load_ptr(place, 8)?.as_ptr();
    interp.memory.free(old, HeapKind::Malloc, Some(at))?;
    let kind = crate::memory::AllocKind::Heap(HeapKind::Malloc);
    let block = interp.memory.allocate(bytes.len() as u64, 16, kind, Some(at))?;
    interp.memory.write_bytes(block, &bytes)?;
    interp.memory.store(place, Leaf::Ptr, Scalar::ptr(block), 8)?;
    interp.memory.store(size, Leaf::Int(64), Scalar::word(length), 8)
}
