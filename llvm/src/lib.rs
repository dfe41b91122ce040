//! The only crate that talks to LLVM.
