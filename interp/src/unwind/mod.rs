//! Exceptions of C++: the Itanium ABI, of which landing pads are a part.

pub mod exception_ptr;
pub(crate) mod exceptions;
pub mod types;
