//! Who a thread is: indices and sizes (PTX ISA, "Special Registers"; AMDGPU Usage, "Kernel Dispatch" and "Initial
//! Kernel Execution State").

use super::state::Grid;
use super::{Out, Shim, ShimCall, my_grid, one};
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::Res;
use crate::shims::state::Interp;
use crate::value::{Pointer, Scalar, Value};

/// Special registers of NVPTX.
pub fn nvvm<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name.strip_prefix("read.ptx.sreg.")? {
        "tid.x" => |i, _| tid(i, 0),
        "tid.y" => |i, _| tid(i, 1),
        "tid.z" => |i, _| tid(i, 2),
        "ctaid.x" => |i, _| ctaid(i, 0),
        "ctaid.y" => |i, _| ctaid(i, 1),
        "ctaid.z" => |i, _| ctaid(i, 2),
        "ntid.x" => |i, _| size(i, |g| g.geometry.block[0]),
        "ntid.y" => |i, _| size(i, |g| g.geometry.block[1]),
        "ntid.z" => |i, _| size(i, |g| g.geometry.block[2]),
        "nctaid.x" => |i, _| size(i, |g| g.geometry.grid[0]),
        "nctaid.y" => |i, _| size(i, |g| g.geometry.grid[1]),
        "nctaid.z" => |i, _| size(i, |g| g.geometry.grid[2]),
        "warpsize" => |i, _| size(i, |g| g.warp),
        "laneid" => |i, _| {
            let (lane, grid) = my_grid(i)?;
            one(Scalar::i32((lane.number % grid.warp) as i32))
        },
        "warpid" => |i, _| {
            let (lane, grid) = my_grid(i)?;
            one(Scalar::i32((lane.number / grid.warp) as i32))
        },
        "nwarpid" => |i, _| size(i, |g| g.geometry.threads().div_ceil(g.warp)),
        "lanemask.eq" => |i, _| mask(i, |lane| 1 << lane),
        "lanemask.lt" => |i, _| mask(i, |lane| (1 << lane) - 1),
        "lanemask.le" => |i, _| mask(i, |lane| (2 << lane) - 1),
        "lanemask.gt" => |i, _| mask(i, |lane| !((2 << lane) - 1)),
        "lanemask.ge" => |i, _| mask(i, |lane| !((1 << lane) - 1)),
        "clock" => |i, _| one(Scalar::i32(i.nanoseconds() as i32)),
        "clock64" | "globaltimer" => |i, _| one(Scalar::word(i.nanoseconds())),
        _ => return None,
    })
}

/// The same for AMDGPU.
pub fn amdgcn<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "workitem.id.x" => |i, _| tid(i, 0),
        "workitem.id.y" => |i, _| tid(i, 1),
        "workitem.id.z" => |i, _| tid(i, 2),
        "workgroup.id.x" => |i, _| ctaid(i, 0),
        "workgroup.id.y" => |i, _| ctaid(i, 1),
        "workgroup.id.z" => |i, _| ctaid(i, 2),
        "wavefrontsize" => |i, _| size(i, |g| g.warp),
        "dispatch.ptr" => |i, _| packet(i),
        "implicitarg.ptr" => |i, _| implicit(i),
        "s.memtime" | "s.memrealtime" => |i, _| one(Scalar::word(i.nanoseconds())),
        // How many lanes of the mask (its lower or upper half) are below this one, added to the second argument.
        "mbcnt.lo" => |i, c| below(i, c, 0),
        "mbcnt.hi" => |i, c| below(i, c, 32),
        "s.waitcnt" | "s.sleep" | "sched.barrier" | "sched.group.barrier" | "s.setprio" | "iglp.opt" => {
            |_, _| Ok(Value::void())
        }
        _ => return None,
    })
}

fn tid<M: Machine>(interp: &mut Interp<'_, M>, axis: usize) -> Out<M> {
    let lane = super::me(interp)?;
    one(Scalar::i32(lane.index[axis] as i32))
}

fn ctaid<M: Machine>(interp: &mut Interp<'_, M>, axis: usize) -> Out<M> {
    let (lane, grid) = my_grid(interp)?;
    one(Scalar::i32(grid.geometry.block_index(lane.block)[axis] as i32))
}

fn size<M: Machine>(interp: &mut Interp<'_, M>, of: impl Fn(&Grid) -> u32) -> Out<M> {
    let (_, grid) = my_grid(interp)?;
    one(Scalar::i32(of(grid) as i32))
}

fn mask<M: Machine>(interp: &mut Interp<'_, M>, of: impl Fn(u64) -> u64) -> Out<M> {
    let (lane, grid) = my_grid(interp)?;
    one(Scalar::i32(of(u64::from(lane.number % grid.warp)) as i32))
}

fn below<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, first: u32) -> Out<M> {
    let (lane, grid) = my_grid(interp)?;
    let before = (lane.number % grid.warp).saturating_sub(first).min(32);
    let lower = if before == 32 { u32::MAX } else { (1u32 << before) - 1 };
    let count = (call.uint(0)? as u32 & lower).count_ones();
    one(Scalar::i32((call.uint(1)? as u32).wrapping_add(count) as i32))
}

/// The packet of the dispatch: a `hsa_kernel_dispatch_packet_t` (HSA Runtime 1.2, 2.9.6).
fn packet<M: Machine>(interp: &mut Interp<'_, M>) -> Out<M> {
    let (lane, grid) = my_grid(interp)?;
    if let Some(packet) = grid.packet {
        return Ok(Value::ptr(packet));
    }
    let geometry = grid.geometry;
    let mut bytes = [0; 64];
    for axis in 0..3 {
        put(&mut bytes, 4 + 2 * axis, &(geometry.block[axis] as u16).to_le_bytes());
        put(&mut bytes, 12 + 4 * axis, &(geometry.block[axis].wrapping_mul(geometry.grid[axis])).to_le_bytes());
    }
    put(&mut bytes, 28, &(geometry.shared as u32).to_le_bytes());
    let packet = library_object(interp, &bytes)?;
    interp.runtime.gpu.grid(lane.grid)?.packet = Some(packet);
    Ok(Value::ptr(packet))
}

/// The implicit arguments, as code object version 5 lays them out (AMDGPU Usage, "Code Object V5 Implicit Kernel
/// Arguments").
fn implicit<M: Machine>(interp: &mut Interp<'_, M>) -> Out<M> {
    let (lane, grid) = my_grid(interp)?;
    if let Some(implicit) = grid.implicit {
        return Ok(Value::ptr(implicit));
    }
    let geometry = grid.geometry;
    let mut bytes = [0; 256];
    for axis in 0..3 {
        put(&mut bytes, 4 * axis, &geometry.grid[axis].to_le_bytes());
        put(&mut bytes, 12 + 2 * axis, &(geometry.block[axis] as u16).to_le_bytes());
    }
    let dimensions =
        (0..3).rev().find(|axis| geometry.block[*axis] * geometry.grid[*axis] > 1).map_or(1, |axis| axis as u16 + 1);
    put(&mut bytes, 64, &dimensions.to_le_bytes());
    let implicit = library_object(interp, &bytes)?;
    interp.runtime.gpu.grid(lane.grid)?.implicit = Some(implicit);
    Ok(Value::ptr(implicit))
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

fn library_object<M: Machine>(interp: &mut Interp<'_, M>, bytes: &[u8]) -> Res<Pointer> {
    let object = interp.memory.allocate(bytes.len() as u64, 64, AllocKind::Runtime, None)?;
    interp.memory.write_bytes(object, bytes)?;
    Ok(object)
}
