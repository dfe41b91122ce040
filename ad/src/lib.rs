//! Automatic differentiation of LLVM IR: reverse and forward mode, on IR as any front end and optimiser leave it.
//!
//! [`differentiate`] replaces every autodiff call of a module by a call of a synthesised gradient or tangent. The
//! folders are layers: each may name those above it in this table, and none below.
//!
//! | folder | what is in it |
//! |---|---|
//! | [`error`], [`options`], [`mode`] | refusals with their place; injected faults and disabled optimisations; modes and activities |
//! | `base` | builders, names, control-flow regions, alias scopes |
//! | `runtime` | what gradients call: the tape, its marks, its log, its chunks, refusals at run time |
//! | `program` | what the program says: attributes, registrations, annotations, rules of its own, external functions |
//! | `request` | the calling convention: which calls ask for derivatives, and what is put in their place |
//! | `normalise` | front-end shapes to one form: promotion, inlining, lowering, reducible loops, contexts |
//! | `analysis` | memory, types and activity; what the reverse needs; what can be reloaded then; affine addresses, loops |
//! | `rewrite` | rewriting that needs the facts: indirect calls, operations on bits, redundant loads |
//! | `emit` | what both modes emit: expressions of the table, shadows of variables, BLAS |
//! | `plan` | what is cached, recomputed, replayed |
//! | `check` | the independent checker of the plan, and of the shadows |
//! | `restructure` | per-iteration reversal of loops, rematerialisation through memory |
//! | `optimise` | optimisations of finished gradients |
//! | `reverse` | emission of the forward and the reverse pass |
//! | `forward` | emission of tangents |
//! | `pipeline` | the order of all this |
//!
//! Terms are defined in `docs/glossary.md`. The derivative of an operation stands only in `rules`. What cannot be
//! differentiated is a [`Diagnostic`] with its place.

#![allow(rustdoc::private_intra_doc_links, reason = "most modules are private; their docs are read in the source")]

mod analysis;
mod base;
mod check;
mod emit;
pub mod error;
mod forward;
pub mod mode;
mod normalise;
mod optimise;
pub mod options;
mod pipeline;
mod plan;
mod program;
mod request;
mod restructure;
mod reverse;
mod rewrite;
mod runtime;

pub use crate::request::entry_points::is_entry_point;
pub use emit::shadow_globals::is_of_gradients;
pub use emit::{gathered_add, zero_guard};
pub use error::{Diagnostic, Reason};
pub use mode::{Activity, Mode, Style};
pub use optimise::{errno, inline_gradients};
pub use options::{Everywhere, Fault, Lever, Options, Without};
pub use pipeline::claims;
pub use pipeline::derivative::{gradient_of, tangent_of};
pub use pipeline::{c_entry, differentiate, explain};
pub use program::attributes;
pub use program::device::{DEVICE, is_kernel};
pub use program::openmp::has_threads;
pub use request::autodiff::Request;
pub use request::delegate;
pub use request::outcome::{Dense, DenseShadow, Grid, Judged, Output, Refusal, Tape};
pub use request::unknown_names;
pub use runtime::{chunk_pool, tape_log};

/// Inner parts, for the tests beside this crate; nothing of it is promised.
#[doc(hidden)]
pub mod inside {
    pub use crate::analysis::analyses::Analyses;
    pub use crate::analysis::context::{Context, Item};
    pub use crate::analysis::loops::counters::{Induction, Step, Trips};
    pub use crate::analysis::memory::Facts;
    pub use crate::analysis::memory::blind::Blind;
    pub use crate::analysis::recompute::recipe::Recipe;
    pub use crate::analysis::reload::find as find_reloads;
    pub use crate::analysis::wanted::{Assumptions, RecordTypes, Wanted};
    pub use crate::base::regions::Shape;
    pub use crate::check::check;
    pub use crate::check::shadows::check as check_shadows;
    pub use crate::normalise::collect::{collect, return_block};
    pub use crate::normalise::sources::Sources;
    pub use crate::plan::data::{Field, Layout, Plan, Replay};
}
