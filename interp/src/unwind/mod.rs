//! Exceptions of C++: the Itanium ABI, of which landing pads are a part.

pub(crate) mod catch;
pub(crate) mod exception_ptr;
pub(crate) mod exceptions;
pub(crate) mod types;
