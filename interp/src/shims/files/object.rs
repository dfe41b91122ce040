//! A `FILE` in interpreted memory: an object of the size of glibc's whose only defined field is the file number.

use crate::machine::Machine;
use crate::memory::shadow::Shadow;
use crate::memory::{AllocKind, Memory};
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::value::{Leaf, Pointer, Scalar};

/// Size of glibc's `FILE` on x86-64.
const FILE_SIZE: u64 = 216;
/// Offset of its field `_fileno`.
const FILE_NUMBER: i64 = 112;

/// Gives the external global of that name its value, if it is one of the streams or libstdc++'s question for threads.
pub fn initialise<S: Shadow>(memory: &mut Memory<S>, name: &str, at: Pointer) -> Res {
    if name == "__libc_single_threaded" {
        return memory.store(at, Leaf::Int(8), Scalar::word(1), 1);
    }
    let Some(number) = ["stdin", "stdout", "stderr"].iter().position(|known| *known == name) else { return Ok(()) };
    let file = new_file(memory, number as u32)?;
    memory.store(at, Leaf::Ptr, Scalar::ptr(file), 8)
}

/// A new `FILE` with that number.
pub fn new_file<S: Shadow>(memory: &mut Memory<S>, number: u32) -> Res<Pointer> {
    let file = memory.allocate(FILE_SIZE, 16, AllocKind::Runtime, None)?;
    memory.store(file.offset(FILE_NUMBER), Leaf::Int(32), Scalar::word(u64::from(number)), 4)?;
    Ok(file)
}

/// The file number of a `FILE`.
pub fn file_number<M: Machine>(interp: &Interp<'_, M>, file: Pointer) -> Res<u32> {
    if file.is_null() {
        return Err(Fault::ub(UbKind::NullPointer, "a null pointer is given as a FILE"));
    }
    let info = interp.memory.info(file);
    if !info.is_some_and(|i| i.kind == AllocKind::Runtime && i.size == FILE_SIZE && i.base == file.addr) {
        return Err(Fault::ub(UbKind::Library, format!("{:#x} given as a FILE is none", file.addr)));
    }
    Ok(interp.memory.load(file.offset(FILE_NUMBER), Leaf::Int(32), 4)?.lo as u32)
}
