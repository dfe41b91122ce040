//! The interpreter: executes LLVM IR and finds what is wrong with an execution.
//!
//! A [`Program`] is a module lowered once; an [`Interp`] executes it under a [`Machine`].
//!
//! ```text
//! let program = Program::new(&module)?;
//! let mut interp = Interp::new(&program, Plain, Limits::default())?;
//! let status = interp.run_main(&["prog".into()]);                // Outcome of the whole program
//! let y = interp.call(program.function("f")?, &[Value::f64(2.0)])?; // or one function
//! ```
//!
//! - [`value`]: leaves ([`Scalar`]), pointers with provenance, whole [`Value`]s with shadows.
//! - [`memory`]: allocations, checked access, shadows of cells; [`Memory`] is cheap to clone.
//! - [`outcome`]: [`Fault`] inside, [`Stop`] outside.
//! - [`machine`]: the hooks. A machine may intercept calls and run nested executions:
//!   `Interp::with_memory(program, machine, memory, limits)`, `.call(f, &args)`, `.into_parts()`.
//! - [`machines`]: multi-precision lanes, taint, records of stores; [`number`]: bit patterns as exact numbers.
//! - [`Engine`]: the state of an execution, generic in that of the libraries; `exec` is what it does.
//! - [`link`], [`library`]: all that the engine knows of the libraries, before and while a program runs. A library
//!   function (a shim) is a function of the engine and a [`library::ShimCall`].
//! - [`shims`]: the libraries, above the engine: C, C++, threads, OpenMP, MPI, devices, files. [`Interp`] is the engine
//!   with their state.
//! - [`threads`]: interpreted threads and their scheduler; [`races`]: what races between them.
//! - [`ranks`]: a program as ranks of MPI; [`company`]: ranks in nested executions.
//! - [`host`]: the host's libm; [`bridge`]: native code, for a user who asks for it. No other file is unsafe.
//!
//! # Layers
//! The engine knows nothing of the libraries, which lie above it. Each row names only rows before it.
//!
//! | files | layer |
//! |---|---|
//! | `value`, `code`, `races`, `memory`, `thrown`, `threads` | what an execution is made of, as data |
//! | `link`, `lower`, `program` | a module lowered to a register program and laid out; what libraries add before it runs |
//! | `machine` | the hooks of what accompanies an execution |
//! | `engine`, `shim_call`, `library` | the state of an execution; what the engine needs of the libraries while a program runs |
//! | `unwind`, `exec` | exceptions; the ops, the quick form of a function, calls, the scheduler, entry points |
//! | `shims` | the libraries |
//! | `machines` | multi-precision shadow values, taint, records of stores |
//!
//! The crate never touches LLVM and knows nothing of the synthesis of derivatives.

pub(crate) mod access;
pub mod bridge;
pub mod code;
mod engine;
pub(crate) mod environment;
mod errno;
mod exec;
pub mod forgets;
pub(crate) mod grid;
pub mod host;
pub mod intrinsics;
pub mod library;
mod limits;
pub mod link;
mod lower;
pub mod machine;
pub mod machines;
pub mod memory;
pub mod number;
pub mod outcome;
pub mod output;
pub mod program;
pub mod races;
mod shim_call;
pub mod shims;
pub(crate) mod sync;
pub mod threads;
pub(crate) mod thrown;
pub(crate) mod unwind;
pub mod value;

pub use crate::limits::{Controls, Limits, Standing, Watcher};
pub use crate::memory::inspect::AllocInfo;
pub use crate::memory::shadow::Shadow;
pub use engine::Engine;
pub use forgets::Forgets;
pub use machine::{CallContext, CompareEvent, FloatArg, FloatEvent, FloatOp, Loss, Machine, MemAccess, Plain};
pub use memory::{AllocId, AllocKind, HeapKind, Life, Memory};
pub use outcome::{Fault, FaultKind, Location, Outcome, Place, Report, Res, Stop, UbKind};
pub use output::{Buffer, Discard, Output, Standard, Stream};
pub use program::{Diagnostic, Program};
pub use shims::Interp;
pub use shims::mpi::{company, ranks};
pub use shims::pthread::thread::thread_of_handle;
pub use value::{Leaf, Pointer, Scalar, Tag, Value};
