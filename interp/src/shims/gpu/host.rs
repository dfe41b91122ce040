//! What a host calls to run kernels: CUDA's run-time interface and HIP's, as clang emits launches (CUDA Runtime API,
//! "Execution Control").
//!
//! Streams are one: everything happens in the order of the calls, and has happened when a call returns.

use super::{Out, Shim, ShimCall, symbols};
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::memory::Memory;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::program::Program;
use crate::shims::gpu::state::Geometry;
use crate::shims::gpu::symbols::kernel_name;
use crate::shims::state::Interp;
use crate::threads::Progress;
use crate::value::{Leaf, Pointer, Scalar, Value};
use ir::{FuncId, Module};

/// `cudaErrorInvalidValue`
pub const INVALID_VALUE: i32 = 1;
/// `cudaErrorInvalidConfiguration`
const INVALID_CONFIGURATION: i32 = 9;

/// A name of HIP in CUDA's spelling.
pub fn spelling(name: &str) -> String {
    match (name.strip_prefix("hip"), name.strip_prefix("__hip")) {
        (Some(rest), _) => format!("cuda{rest}"),
        (None, Some(rest)) => format!("__cuda{rest}"),
        (None, None) => name.to_owned(),
    }
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match spelling(name).as_str() {
        "__cudaPushCallConfiguration" => |i, c| {
            let (geometry, stream) = (geometry(c, 0)?, c.ptr(5)?);
            i.runtime.gpu.pushed.push((geometry, stream));
            Ok(Value::i32(0))
        },
        "__cudaPopCallConfiguration" => pop,
        "cudaLaunchKernel" | "cudaLaunchKernel_ptsz" | "cudaLaunchKernel_spt" => launch,
        "__adj_launch" => |i, c| launch_directly(i, c, false),
        "__adj_launch_shared" => |i, c| launch_directly(i, c, true),
        "cudaDeviceSynchronize" | "cudaThreadSynchronize" | "cudaStreamSynchronize" | "cudaEventSynchronize" => {
            |_, _| Ok(Value::i32(0))
        }
        "cudaGetLastError" => |i, _| Ok(Value::i32(std::mem::take(&mut i.runtime.gpu.error))),
        "cudaPeekAtLastError" => |i, _| Ok(Value::i32(i.runtime.gpu.error)),
        "cudaGetErrorString" | "cudaGetErrorName" => |i, c| {
            let text = match c.int(0)? {
                0 => "no error",
                1 => "invalid argument",
                9 => "invalid configuration argument",
                _ => "unknown error",
            };
            let at = i.memory.allocate(text.len() as u64 + 1, 1, AllocKind::Runtime, None)?;
            let bytes: Vec<u8> = text.bytes().chain([0]).collect();
            i.memory.write_bytes(at, &bytes)?;
            Ok(Value::ptr(at))
        },
        "cudaSetDevice" => |_, c| Ok(Value::i32(if c.int(0)? == 0 { 0 } else { INVALID_VALUE })),
        "cudaGetDevice" => |i, c| number(i, c.ptr(0)?, 0),
        "cudaGetDeviceCount" => |i, c| number(i, c.ptr(0)?, 1),
        "cudaStreamCreate" | "cudaStreamCreateWithFlags" | "cudaEventCreate" | "cudaEventCreateWithFlags" => |i, c| {
            i.runtime.gpu.handles += 1;
            let handle = Scalar::word(0x100 + i.runtime.gpu.handles);
            i.memory.store(c.ptr(0)?, Leaf::Ptr, handle, 8)?;
            Ok(Value::i32(0))
        },
        "cudaStreamDestroy" | "cudaEventDestroy" | "cudaEventRecord" | "cudaStreamWaitEvent" | "cudaDeviceReset" => {
            |_, _| Ok(Value::i32(0))
        }
        "cudaEventElapsedTime" => |i, c| {
            i.memory.store(c.ptr(0)?, Leaf::Float(ir::FloatKind::Float), Scalar::f32(0.0), 4)?;
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

fn number<M: Machine>(interp: &mut Interp<'_, M>, out: Pointer, value: i32) -> Out<M> {
    interp.memory.store(out, Leaf::Int(32), Scalar::i32(value), 4)?;
    Ok(Value::i32(0))
}

/// Two `dim3` as x86-64 passes them (x and y in one word, z in another), and a number of bytes.
fn geometry<S>(call: &ShimCall<'_, S>, first: usize) -> Res<Geometry> {
    let size = |at: usize| -> Res<[u32; 3]> {
        let (xy, z) = (call.uint(at)?, call.uint(at + 1)?);
        Ok([xy as u32, (xy >> 32) as u32, z as u32])
    };
    Ok(Geometry { grid: size(first)?, block: size(first + 2)?, shared: call.uint(first + 4)? })
}

fn pop<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let Some((geometry, stream)) = interp.runtime.gpu.pushed.pop() else {
        return Err(Fault::ub(UbKind::Library, "a kernel's stub is called without `<<<…>>>`"));
    };
    for (argument, size) in [(0, geometry.grid), (1, geometry.block)] {
        for (side, at) in size.into_iter().zip([0, 4, 8]) {
            interp.memory.store(call.ptr(argument)?.offset(at), Leaf::Int(32), Scalar::i32(side as i32), 4)?;
        }
    }
    interp.memory.store(call.ptr(2)?, Leaf::Int(64), Scalar::word(geometry.shared), 8)?;
    interp.memory.store(call.ptr(3)?, Leaf::Ptr, Scalar::ptr(stream), 8)?;
    Ok(Value::i32(0))
}

/// The kernel that a host names by the address of its stub, of its handle (HIP), or of itself.
fn kernel<S: Shadow>(module: &Module, memory: &Memory<S>, named: Pointer) -> Res<FuncId> {
    let name = match memory.info(named).map(|info| info.kind) {
        Some(AllocKind::Function(func)) => {
            let name = &module.functions[func].name;
            match kernel_name(name) {
                Some(kernel) => kernel,
                None => return Ok(func),
            }
        }
        Some(AllocKind::Global(global)) => module.globals[global].name.clone(),
        _ => return Err(Fault::ub(UbKind::Library, "a launch of something that is no kernel")),
    };
    let missing = || {
        let text = format!(
            "a launch of {name}, whose device code is not there: give it by `--device FILE`, or compile the program as \
             a whole"
        );
        Fault::unsupported(text)
    };
    symbols::on_device(module, &name).ok_or_else(missing)
}

/// A launch, as a host asks for it.
#[derive(Clone, Debug)]
pub struct Launched {
    /// The kernel.
    pub kernel: FuncId,
    /// Its arguments.
    pub args: Vec<Value>,
    /// Blocks of the grid, and threads of a block.
    pub geometry: Geometry,
}

/// Does a function of that name launch kernels?
pub fn is_launch(name: &str) -> bool {
    matches!(spelling(name).as_str(), "cudaLaunchKernel" | "cudaLaunchKernel_ptsz" | "cudaLaunchKernel_spt")
}

/// What a call of such a function launches, if the arguments of the kernel are plain: pointers and numbers.
pub fn launched(program: &Program, memory: &mut Memory<()>, args: &[Value]) -> Option<Launched> {
    let scalars: Vec<Scalar> = args.iter().flat_map(|value| value.leaves.iter().map(|(scalar, ())| *scalar)).collect();
    let word = |at: usize| scalars.get(at).map(|scalar| scalar.bits() as u64);
    let sides = |at: usize| Some([word(at)? as u32, (word(at)? >> 32) as u32, word(at + 1)? as u32]);
    let geometry = Geometry { grid: sides(1)?, block: sides(3)?, shared: word(6)? };
    let kernel = kernel(&program.module, memory, scalars.first()?.as_ptr()).ok()?;
    let arguments = scalars.get(5)?.as_ptr();
    let mut values = Vec::new();
    for (n, param) in program.code(kernel).params.iter().enumerate() {
        let [leaf] = param.leaves.as_slice() else { return None };
        if param.byval.is_some() {
            return None;
        }
        let at = memory.load_ptr(arguments.offset(8 * n as i64), 8).ok()?.as_ptr();
        values.push(Value::scalar(memory.load(at, *leaf, 1).ok()?));
    }
    Some(Launched { kernel, args: values, geometry })
}

fn launch<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    if let Some(Progress::Grid(number)) = *interp.progress() {
        interp.await_grid(number)?;
        return Ok(Value::i32(0));
    }
    let (named, mut geometry) = (call.ptr(0)?, geometry(call, 1)?);
    // The pointer to the arguments stands between the sizes and the bytes of shared memory.
    let arguments = call.ptr(5)?;
    geometry.shared = call.uint(6)?;
    let kernel = kernel(&interp.program.module, &interp.memory, named)?;
    if !geometry.is_valid() {
        interp.runtime.gpu.error = INVALID_CONFIGURATION;
        return Ok(Value::i32(INVALID_CONFIGURATION));
    }
    interp.go_parallel()?;
    let params = interp.program.code(kernel).params.clone();
    let function = &interp.program.module.functions[kernel];
    let by_reference: Vec<Option<u64>> =
        function.params.iter().map(|p| p.attrs.ty("byref").map(|ty| interp.program.module.size_of(ty))).collect();
    let types: Vec<ir::TypeId> = function.params.iter().map(|p| p.ty).collect();
    let mut values = Vec::new();
    for (n, param) in params.iter().enumerate() {
        let at = interp.memory.load_ptr(arguments.offset(8 * n as i64), 8)?.as_ptr();
        if param.byval.is_some() || by_reference[n].is_some() {
            // The caller's copy is gone when the kernel reads it.
            let size = param.byval.map(|(size, _)| size).or(by_reference[n]).unwrap_or(0);
            let copy = interp.memory.allocate(size, 16, AllocKind::Runtime, Some(call.at))?;
            interp.memory.copy(copy, at, size)?;
            values.push(vec![Scalar::ptr(copy)]);
            continue;
        }
        let module = &interp.program.module;
        let flat = crate::value::Flat::new(&module.types, &module.layout, types[n]).map_err(Fault::unsupported)?;
        let mut leaves = Vec::new();
        for (leaf, offset) in &flat.leaves {
            leaves.push(interp.memory.load(at.offset(*offset as i64), *leaf, 1)?);
        }
        values.push(leaves);
    }
    let number = interp.launch(kernel, values, geometry, Some(call.at))?;
    interp.await_grid(number)?;
    Ok(Value::i32(0))
}

/// `void __adj_launch(void *kernel, int gx, int gy, int gz, int bx, int by, int bz, …)`: for hosts and kernels in one
/// module. `__adj_launch_shared` gets the bytes of shared memory (64 bits) in front of the kernel's arguments.
fn launch_directly<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, shares: bool) -> Out<M> {
    if let Some(Progress::Grid(number)) = *interp.progress() {
        interp.await_grid(number)?;
        return Ok(Value::void());
    }
    let kernel = kernel(&interp.program.module, &interp.memory, call.ptr(0)?)?;
    let mut sides = [0; 6];
    for (n, side) in sides.iter_mut().enumerate() {
        *side = call.uint(n + 1)? as u32;
    }
    let [gx, gy, gz, bx, by, bz] = sides;
    let geometry = Geometry { grid: [gx, gy, gz], block: [bx, by, bz], shared: if shares { call.uint(7)? } else { 0 } };
    let first = if shares { 8 } else { 7 };
    if !geometry.is_valid() {
        return Err(Fault::ub(UbKind::Library, format!("a grid of {gx}x{gy}x{gz} blocks of {bx}x{by}x{bz} threads")));
    }
    let params = interp.program.code(kernel).params.clone();
    let given = &call.args[first..];
    if given.len() != params.len() {
        let text = format!("a kernel with {} parameters is launched with {} arguments", params.len(), given.len());
        return Err(Fault::ub(UbKind::BadCall, text));
    }
    interp.go_parallel()?;
    let mut values = Vec::new();
    for (n, (param, value)) in params.iter().zip(given).enumerate() {
        let given = call.leaves[first + n];
        let value = match (param.leaves.as_slice(), given) {
            ([wanted], given) if *wanted == given => *value,
            // What a variable argument has been promoted to becomes what the kernel takes.
            ([Leaf::Float(ir::FloatKind::Float)], Leaf::Float(ir::FloatKind::Double)) => {
                Scalar::f32(call.f64(first + n)? as f32)
            }
            ([Leaf::Int(width)], Leaf::Int(wider)) if *width < wider => {
                Scalar::word(call.uint(first + n)? & crate::value::mask64(*width))
            }
            _ => {
                return Err(Fault::ub(
                    UbKind::BadCall,
                    format!("argument {} of a launch is of another type than the kernel's", n + 1),
                ));
            }
        };
        values.push(vec![value]);
    }
    let number = interp.launch(kernel, values, geometry, Some(call.at))?;
    interp.await_grid(number)?;
    Ok(Value::void())
}
