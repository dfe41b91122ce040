//! Device memory as the host sees it: allocation, copies, symbols (CUDA Runtime API, "Memory Management").

use super::host::{INVALID_VALUE, spelling};
use super::{Out, Shim, ShimCall};
use crate::machine::Machine;
use crate::memory::spaces::Space;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::gpu::symbols::DEVICE;
use crate::shims::state::Interp;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// `cudaMemcpyDefault`
const DEFAULT: i64 = 4;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match spelling(name).as_str() {
        "cudaMalloc" => |i, c| allocate(i, c, HeapKind::Device, false),
        "cudaMallocManaged" => |i, c| allocate(i, c, HeapKind::Device, true),
        "cudaMallocHost" | "cudaHostAlloc" => |i, c| allocate(i, c, HeapKind::Device, true),
        "cudaFree" | "cudaFreeHost" => |i, c| {
            i.memory.copying(|m| m.free(c.ptr(0)?, HeapKind::Device, Some(c.at)))?;
            Ok(Value::i32(0))
        },
        "cudaMemcpy" | "cudaMemcpyAsync" => |i, c| copy(i, c.ptr(0)?, c.ptr(1)?, c.uint(2)?, c.int(3)?),
        "cudaMemset" | "cudaMemsetAsync" => |i, c| {
            let (at, byte, count) = (c.ptr(0)?, Scalar::word(c.uint(1)? & 0xff), c.uint(2)?);
            if !of_device(i, at) {
                return Err(Fault::ub(UbKind::AddressSpace, "cudaMemset of memory that is not the device's"));
            }
            i.memory.copying(|m| m.fill(at, byte, count))?;
            Ok(Value::i32(0))
        },
        "cudaMemcpyToSymbol" => |i, c| {
            let symbol = symbol(i, c.ptr(0)?)?.offset(c.uint(3)? as i64);
            copy(i, symbol, c.ptr(1)?, c.uint(2)?, DEFAULT)
        },
        "cudaMemcpyFromSymbol" => |i, c| {
            let symbol = symbol(i, c.ptr(1)?)?.offset(c.uint(3)? as i64);
            copy(i, c.ptr(0)?, symbol, c.uint(2)?, DEFAULT)
        },
        "cudaGetSymbolAddress" => |i, c| {
            let symbol = symbol(i, c.ptr(1)?)?;
            i.memory.store(c.ptr(0)?, Leaf::Ptr, Scalar::ptr(symbol), 8)?;
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

fn allocate<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    kind: HeapKind,
    both: bool,
) -> Out<M> {
    let (out, size) = (call.ptr(0)?, call.uint(1)?);
    interp.go_parallel()?;
    interp.own_spaces();
    let block = interp.memory.allocate(size, 256, AllocKind::Heap(kind), Some(call.at))?;
    if both && let Some(spaces) = interp.memory.spaces() {
        spaces.for_both(block);
    }
    interp.memory.store(out, Leaf::Ptr, Scalar::ptr(block), 8)?;
    Ok(Value::i32(0))
}

/// Does the device own the object?
fn of_device<M: Machine>(interp: &Interp<'_, M>, pointer: Pointer) -> bool {
    matches!(interp.memory.space_of(pointer), Some(Space::Global | Space::Constant | Space::Everybody))
}

fn of_host<M: Machine>(interp: &Interp<'_, M>, pointer: Pointer) -> bool {
    matches!(interp.memory.space_of(pointer), Some(Space::Host | Space::Everybody))
}

fn copy<M: Machine>(interp: &mut Interp<'_, M>, to: Pointer, from: Pointer, count: u64, direction: i64) -> Out<M> {
    interp.go_parallel()?;
    interp.own_spaces();
    // cudaMemcpyHostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default
    let (from_device, to_device) = match direction {
        0 => (Some(false), Some(false)),
        1 => (Some(false), Some(true)),
        2 => (Some(true), Some(false)),
        3 => (Some(true), Some(true)),
        DEFAULT => (None, None),
        _ => return Ok(Value::i32(INVALID_VALUE)),
    };
    for (what, pointer, device) in [("the source", from, from_device), ("the destination", to, to_device)] {
        let wrong = match device {
            Some(true) => !of_device(interp, pointer),
            Some(false) => !of_host(interp, pointer),
            None => false,
        };
        if wrong && count > 0 && interp.memory.space_of(pointer).is_some() {
            let side = if device == Some(true) { "device" } else { "host" };
            let text = format!("{what} of a copy is said to be the {side}'s memory and is not");
            return Err(Fault::ub(UbKind::AddressSpace, text));
        }
    }
    interp.memory.copying(|m| m.copy(to, from, count))?;
    Ok(Value::i32(0))
}

/// The device's variable that stands behind the host's of the same name.
fn symbol<M: Machine>(interp: &Interp<'_, M>, named: Pointer) -> Res<Pointer> {
    let module = &interp.program.module;
    let info = interp.memory.info(named);
    let Some(AllocKind::Global(global)) = info.as_ref().map(|info| info.kind) else {
        return Err(Fault::ub(UbKind::Library, "a copy to or from a symbol that is no variable"));
    };
    let name = format!("{DEVICE}{}", module.globals[global].name);
    let by = named.addr.wrapping_sub(info.map_or(0, |info| info.base));
    match module.global(&name) {
        Some(device) => Ok(interp.program.globals[device].offset(by as i64)),
        None => Ok(named),
    }
}
