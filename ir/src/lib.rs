//! LLVM IR as typed-index arenas.
