//! Automatic differentiation of LLVM IR.
