//! Rewriting that needs the facts: what a pointer may call, what a bit operation does to a number.

pub mod bits;
pub mod codes;
pub mod dense_views;
pub mod indirect_calls;
pub mod member_pointers;
pub mod redundant_loads;
pub mod unreached;
