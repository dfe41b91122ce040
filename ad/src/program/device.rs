//! Code of GPU kernels: how it is told, and what its intrinsics mean to differentiation.
//!
//! A thread of a grid is told apart by special registers, which compute integers; threads of a block wait for each
//! other at barriers, which have a counterpart in the reverse pass ([`Order::Meet`]). Address spaces are those of the
//! back ends (NVPTX User Guide, "Address Spaces"; AMDGPU Usage, "Address Spaces").

use crate::base::names;
use crate::program::openmp::Order;
use ir::{ConstKind, FloatKind, FuncId, Function, Module};

/// What the names of a device's functions begin with where its module has been linked into the host's.
pub const DEVICE: &str = "device.";

/// The address space of what all threads of a grid share.
pub const GLOBAL: u32 = 1;
/// That of what the threads of a block share.
pub const SHARED: u32 = 3;
/// That of what no thread writes.
pub const CONSTANT: u32 = 4;

/// Intrinsics of a device.
const INTRINSICS: [&str; 3] = ["llvm.nvvm.", "llvm.amdgcn.", "llvm.r600."];

/// Functions of the devices' libraries that tell which thread it is, or that wait for others (OpenCL C 3.0, 6.15.1 and
/// 6.15.8, mangled; ROCm's `ockl`; LLVM's OpenMP runtime for devices).
const LIBRARY: [&str; 12] = [
    "__ockl_",
    "_Z12get_local_idj",
    "_Z12get_group_idj",
    "_Z13get_global_idj",
    "_Z14get_local_sizej",
    "_Z14get_num_groupsj",
    "_Z15get_global_sizej",
    "_Z7barrierj",
    "_Z18work_group_barrierj",
    "__kmpc_get_hardware_",
    "__kmpc_barrier_simple_",
    "__kmpc_target_init",
];

/// Which thread it is, and of how many (PTX ISA, "Special Registers").
const REGISTERS: [&str; 12] =
    ["tid", "ntid", "ctaid", "nctaid", "warpsize", "laneid", "warpid", "nwarpid", "x", "y", "z", "w"];
const REGISTER: &str = "llvm.nvvm.read.ptx.sreg.";

/// The number of a thread in its block, in each direction.
pub const NUMBER_IN_BLOCK: [&str; 3] =
    ["llvm.nvvm.read.ptx.sreg.tid.x", "llvm.nvvm.read.ptx.sreg.tid.y", "llvm.nvvm.read.ptx.sreg.tid.z"];

/// Barriers of all threads of a block (PTX ISA, `bar.sync`), and of lanes of a warp (`bar.warp.sync`).
const MEETINGS: [&str; 6] = [
    "llvm.nvvm.barrier0",
    "llvm.nvvm.barrier.n",
    "llvm.nvvm.barrier.sync",
    "llvm.nvvm.bar.sync",
    "llvm.nvvm.barrier.cta.sync.aligned.all",
    "llvm.nvvm.bar.warp.sync",
];

/// Is the function executed by the threads of a grid?
pub fn is_of_device(m: &Module, func: &Function) -> bool {
    // What is made of a device's function has its name in it.
    let name = func.name.as_str();
    let named = name.starts_with(DEVICE) || name.starts_with("__adj_") && name.contains(DEVICE);
    is_of_device_alone(m) || named || func.cc.contains("kernel")
}

/// Is the module code of a device alone?
pub fn is_of_device_alone(m: &Module) -> bool {
    ["nvptx", "amdgcn", "spir"].iter().any(|target| m.triple.starts_with(target))
}

/// Are the functions of mathematics those of NVIDIA's library for devices?
pub fn has_libdevice(m: &Module) -> bool {
    m.triple.starts_with("nvptx")
}

/// Is it a kernel: of such a calling convention, or annotated as one (NVPTX User Guide, "Marking Functions as Kernels")?
pub fn is_kernel(m: &Module, id: FuncId) -> bool {
    let annotated = |node: &ir::MdId| match &m.metadata[*node].body {
        ir::MdBody::Tuple(items) => match items.as_slice() {
            [ir::MdOperand::Const(function), ir::MdOperand::Str(what), ..] => {
                what == b"kernel" && matches!(m.constants.get(*function).kind, ConstKind::Function(f) if f == id)
            }
            _ => false,
        },
        ir::MdBody::Special { .. } => false,
    };
    let mut nodes = m.named_metadata.iter().filter(|(name, _)| name == "nvvm.annotations").flat_map(|(_, nodes)| nodes);
    m.functions[id].cc.contains("kernel") || nodes.any(annotated)
}

/// Does a function without a body belong to a device?
pub fn is_intrinsic(name: &str) -> bool {
    INTRINSICS.iter().chain(&LIBRARY).any(|start| name.starts_with(start))
}

/// Does it tell which thread it is, or how many there are?
pub fn is_index(name: &str) -> bool {
    name.strip_prefix(REGISTER).is_some_and(|register| register.split('.').all(|part| REGISTERS.contains(&part)))
}

/// Do lanes of a warp tell each other what they have decided? (PTX ISA, `vote.sync`, `activemask`.)
pub fn is_vote(name: &str) -> bool {
    name.starts_with("llvm.nvvm.vote.") || name == "llvm.nvvm.activemask"
}

/// How it orders threads.
pub fn order(name: &str) -> Option<Order> {
    MEETINGS.contains(&name).then_some(Order::Meet)
}

/// The number of a lane in its warp.
pub const LANE: &str = "llvm.nvvm.read.ptx.sreg.laneid";
/// `i32 (i32 mask, i1 vote)`: the lanes that vote for it.
pub const BALLOT: &str = "llvm.nvvm.vote.ballot.sync";
/// Shuffles, of integers and floats of 32 bits as intrinsics; of doubles, which a device moves in halves, by a function
/// of `cuda_runtime.h`.
const SHUFFLE: &str = "llvm.nvvm.shfl.sync.";
const SHUFFLE_DOUBLE: &str = "__adj_shfl_sync_";
const HOW: [&str; 4] = ["down", "up", "bfly", "idx"];

/// How a shuffle of floats chooses a lane, and the kind of floats: `T (i32 mask, T value, i32 by, i32 lanes)`.
pub fn shuffle(name: &str) -> Option<(&'static str, FloatKind)> {
    let kinds = [FloatKind::Float, FloatKind::Double];
    HOW.into_iter()
        .flat_map(|how| kinds.map(|kind| (how, kind)))
        .find(|(how, kind)| name == shuffle_of_floats(how, *kind))
}

/// The name of a shuffle of floats.
pub fn shuffle_of_floats(how: &str, kind: FloatKind) -> String {
    match kind {
        FloatKind::Double => format!("{SHUFFLE_DOUBLE}{how}_f64"),
        _ => format!("{SHUFFLE}{how}.f32"),
    }
}

/// The name of a shuffle of integers.
pub fn shuffle_of_numbers(how: &str) -> String {
    format!("{SHUFFLE}{how}.i32")
}

/// The barrier of all threads of a block.
pub fn barrier(m: &mut Module) -> FuncId {
    let void = m.types.void();
    names::declare(m, MEETINGS[0], void, &[])
}
