//! The state of the libraries in one execution, and the engine with it.

use super::files::table::Table;
use super::generator::Random;
use super::gpu::state::Gpu;
use super::input::Input;
use super::mpi::state::Rank;
use super::openmp::state::OpenMp;
use crate::engine::Engine;
use crate::limits::{Controls, Limits};
use crate::machine::CallContext;
use crate::memory::shadow::Shadow;
use crate::value::Pointer;
use std::collections::BTreeMap;

/// An execution of a program under a machine, with the libraries.
pub type Interp<'p, M> = Engine<'p, M, Runtime>;

/// A function of the libraries.
pub type Shim<M> = crate::engine::Shim<M, Runtime>;

/// The state of the libraries.
#[derive(Clone, Debug)]
pub struct Runtime {
    /// State of `rand` and `drand48`.
    pub random: Random,
    /// The tables of `ctype.h`, once asked for.
    pub ctype: CharacterTables,
    /// Standard input.
    pub input: Input,
    /// The files that were opened.
    pub(crate) files: Table,
    /// Teams, tasks and settings of OpenMP.
    pub openmp: OpenMp,
    /// Tasks of fork and join that nobody has synced, by the address of their region.
    pub regions: BTreeMap<u64, Vec<usize>>,
    /// The rank that this execution is, if it is one.
    pub(crate) mpi: Option<Rank>,
    /// Grids that run, and the host's interface to them.
    pub gpu: Gpu,
    /// Where `strtok` goes on.
    pub token: Pointer,
    /// Virtual tables of streams.
    pub(crate) streams: StreamTables,
}

impl Runtime {
    /// The libraries' state at the start of a program.
    pub fn new(limits: &Limits) -> Runtime {
        Runtime {
            random: Random::new(),
            ctype: CharacterTables::default(),
            input: Input::default(),
            files: Table::default(),
            openmp: OpenMp::new(limits.controls.unwrap_or_else(|| Controls::new(limits.threads))),
            regions: BTreeMap::new(),
            mpi: None,
            gpu: Gpu::default(),
            token: Pointer::NULL,
            streams: StreamTables::default(),
        }
    }
}

/// The tables of `ctype.h` in interpreted memory, as pointers to pointers to the entry of character 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct CharacterTables {
    pub classes: Option<Pointer>,
    pub lower: Option<Pointer>,
    pub upper: Option<Pointer>,
}

/// What the constructors of streams that the library runs refer to, made when first needed.
#[derive(Clone, Debug, Default)]
pub struct StreamTables {
    /// By the offset of the virtual base.
    pub streams: Vec<(i64, Pointer)>,
    /// That of buffers over strings, and over files.
    pub buffers: [Option<Pointer>; 2],
    pub ctype: Option<Pointer>,
}

impl<S: Shadow> CallContext<'_, S> {
    /// These limits for an execution within the call: of the same memory and stack, and with what the program has set
    /// for its OpenMP regions by now.
    pub fn within(&self, limits: Limits) -> Limits {
        let controls = self.libraries.downcast_ref::<Runtime>().map(|runtime| runtime.openmp.controls);
        Limits { memory: self.limits.memory, depth: self.limits.depth, controls, ..limits }
    }
}
