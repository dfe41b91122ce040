//! Optimisations of finished gradients.

pub mod align_sums;
pub mod delay_stores;
pub mod errno;
pub mod inline_gradients;
pub mod unneeded_results;
pub mod zero_loads;
