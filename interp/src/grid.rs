//! What the engine knows of grids of a device: what their threads are called, and which constructors register them.

/// The address space of what a block shares.
pub const SHARED: u32 = 3;

/// A thread of a grid in words.
pub fn lane_name(block: [u32; 3], thread: [u32; 3]) -> String {
    let [[bx, by, bz], [x, y, z]] = [block, thread];
    format!("thread ({x},{y},{z}) of block ({bx},{by},{bz})")
}

/// Does the constructor of that name only tell the device's library of the device's code? That code is in the module.
pub fn registers(constructor: &str) -> bool {
    matches!(constructor, "__hip_module_ctor" | "__cuda_module_ctor")
}
