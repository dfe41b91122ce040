//! Loops: their iterations as graphs, and how often they run.

pub mod counters;
pub mod induction;
pub mod iteration;
pub mod trip_count;
