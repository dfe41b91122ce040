//! Pointers to nothing, where the primal result is not needed.
//!
//! A caller may pass `enzyme_dupnoneed` an address of no memory. The derivative does not write there; the function
//! itself, whose derivative is the question, does. It gets memory of the shape of the shadow, filled with zeros.

use ad::{Activity, Judged};
use interp::{AllocKind, Life, Memory, Pointer, Program, Value};

/// The memory with such blocks in it, and the arguments with pointers to them; none if every pointer leads to memory.
pub(super) fn supplied(
    program: &Program,
    judged: &Judged,
    memory: &Memory<()>,
    args: &[Value],
) -> Option<(Memory<()>, Vec<Value>)> {
    let mut changed: Option<(Memory<()>, Vec<Value>)> = None;
    let mut at = 0;
    for (index, param) in program.module.functions[judged.primal].params.iter().enumerate() {
        let activity = judged.activities.get(index).copied().unwrap_or(Activity::Const);
        let position = at;
        at += if activity.is_dup() { 1 + judged.mode.width() } else { 1 };
        if activity != Activity::DupNoNeed || !program.module.types.is_ptr(param.ty) {
            continue;
        }
        let pointer = |position: usize| args.get(position).and_then(Value::first).filter(|p| p.is_init());
        let (Some(primal), Some(shadow)) = (pointer(position), pointer(position + 1)) else { continue };
        let (primal, shadow) = (primal.as_ptr(), shadow.as_ptr());
        let Some(size) =
            size_behind(memory, shadow).filter(|size| *size <= MOST && size_behind(memory, primal).is_none())
        else {
            continue;
        };
        let (memory, args) = changed.get_or_insert_with(|| (memory.clone(), args.to_vec()));
        let Some(block) = zeros(memory, size) else { continue };
        args[position] = Value::ptr(block);
    }
    changed
}

/// The most bytes that are supplied.
const MOST: u64 = 1 << 28;

/// Bytes from a pointer to the end of the memory that it leads to.
fn size_behind(memory: &Memory<()>, pointer: Pointer) -> Option<u64> {
    let block = memory.info(pointer).filter(|block| block.life == Life::Live)?;
    (block.base + block.size).checked_sub(pointer.addr).filter(|_| pointer.addr >= block.base)
}

fn zeros(memory: &mut Memory<()>, size: u64) -> Option<Pointer> {
    let block = memory.allocate(size, 16, AllocKind::Runtime, None).ok()?;
    memory.write_bytes(block, &vec![0; size as usize]).ok()?;
    Some(block)
}
