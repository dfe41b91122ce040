//! What is known of the functions that a derivative is made of. Nothing here changes them.

pub mod adjoint_needs;
pub mod affine;
pub mod analyses;
pub mod context;
pub mod copied_data;
pub mod loops;
pub mod memory;
pub mod overwritten_by_steps;
pub mod partials;
pub mod reach;
pub mod recompute;
pub mod reload;
pub mod repeatable;
pub mod stored_data;
pub mod taint;
pub mod wanted;
