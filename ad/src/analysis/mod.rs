//! What is known of the functions that a derivative is made of. Nothing here changes them. An analysis has
//! limits; beyond one it answers with the general case or a refusal, and forgets nothing.
//!
//! | module | job |
//! |---|---|
//! | [`memory`] | where pointers point, what lies there, what of it is active |
//! | [`taint`] | where numbers and addresses leave their types, and come back |
//! | [`analyses`], [`context`] | all that is known of a call, and of one of its functions |
//! | [`reach`], [`adjoint_needs`], [`stored_data`], [`copied_data`], [`partials`] | what has a derivative, and what that needs |
//! | [`loops`], [`affine`] | trip counts and counters; addresses as sums of counters |
//! | [`discarded`] | what is computed and thrown away, so that its adjoint is zero whatever its partials are |
//! | [`recompute`], [`reload`], [`wanted`] | how values of the forward pass could be had again |
//! | [`parallel`] | what teams of threads execute, and what memory they share |
//! | [`repeatable`], [`overwritten_by_steps`] | what must not run twice; what steps with checkpoints overwrite |

pub mod adjoint_needs;
pub mod affine;
pub mod analyses;
pub mod context;
pub mod copied_data;
pub mod discarded;
pub mod loops;
pub mod memory;
pub mod outlives;
pub mod overwritten_by_steps;
pub mod parallel;
pub mod partials;
pub mod reach;
pub mod recompute;
pub mod reload;
pub mod repeatable;
pub mod stored_data;
pub mod taint;
#[cfg(test)]
mod testing;
pub mod wanted;
