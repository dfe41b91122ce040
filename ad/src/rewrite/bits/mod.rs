//! Operations on the bits of floating-point numbers, as the operations on numbers that they are.

pub mod exponents;
pub mod masks;
pub mod signs;
