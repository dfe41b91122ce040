//! A project whose numerical core is in C, in the folder `c`, and is differentiated. Its tests have the gradients
//! judged: see `tests/gradients.rs`.

/// The C source of the Rosenbrock function, for whoever compiles it.
pub const SOURCE: &str = include_str!("../c/rosenbrock.c");
