//! The only crate that talks to LLVM and its compilers.
//!
//! Whatever the input - C, C++, Fortran, textual IR, bitcode - LLVM itself parses, upgrades and verifies it and
//! prints canonical LLVM 19 text. That text is LLVM's complete, lossless serialisation, and `ir` reads it
//! token by token: what `ir` does not model is an error with a location, never a silent loss.
//!
//! LLVM always runs in a child process (`clang`, `opt`), never in ours. Its readers are not hardened against
//! malformed bitcode and its fatal errors end the process; a child that crashes or hangs is an [`Error`] like any
//! other. A child costs about 20 ms. This also means that nothing here is `unsafe` and that no user of the
//! library links against LLVM.
//!
//! | module | job |
//! |---|---|
//! | `assembly`, `x86` | instructions in inline assembly, and intrinsics of x86, that IR can say |
//! | [`find`] | where the tools of LLVM 19 are |
//! | [`source`] | what an input is, and its bytes |
//! | [`mod@compile`] | an input to canonical text |
//! | `captured` | values in place of captured variables that an OpenMP region does not change |
//! | `offload` | CUDA and HIP: compiled for host and device, and linked |
//! | `pin` | functions with rules of their own, kept from the optimiser |
//! | `compared` | numbers compared for equality, kept from it |
//! | `masks` | guards of gradients without jumps, when all passes have run |
//! | [`bodies`] | routines of BLAS, LAPACK and `<complex.h>` that a program only declares |
//! | [`mod@read`] | text to [`ir::Module`] |
//! | `fortran` | functions of flang's run-time library |
//! | `rust` | Rust's allocator, which a program only declares |
//! | `newer` | text of newer versions of LLVM |
//! | [`text`] | text or bitcode to verified canonical text |
//! | [`pipeline`] | optimisation passes |
//! | `several` | a program in several files |
//! | `simplify` | those before differentiation |
//! | [`driver`] | a compiler driver that differentiates |
//! | [`native`] | objects, executables, and running them |

mod assembly;
pub mod bodies;
mod captured;
mod compared;
pub mod compile;
pub mod driver;
pub mod error;
pub mod find;
mod fortran;
mod masks;
pub mod native;
mod newer;
mod offload;
mod pin;
pub mod pipeline;
mod process;
pub mod read;
mod rust;
mod several;
mod simplify;
pub mod source;
pub mod text;
mod tool;
mod x86;

pub use compile::{CompileOptions, Passes, compile, read, read_file, to_ir_text};
pub use error::Error;
pub use offload::DEVICE;
pub use process::Exit;
pub use source::{Input, Language, Level};
pub use text::{Compiled, canonical_text, verify_text};
