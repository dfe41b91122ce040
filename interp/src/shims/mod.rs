//! The libraries above the engine: C as far as it is not in the table of derivative rules, C++, threads, OpenMP, MPI,
//! devices, files.
//!
//! A shim is a plain function of the engine and the call. [`Library::find`] maps a declared function's name to its
//! shim; each file of this folder lists the names it knows. What the libraries remember is the [`Runtime`]; the engine
//! knows it by the traits [`Library`] and [`Link`] alone.

mod alloc;
mod convert;
pub mod ctype;
pub(crate) mod cxx;
pub mod fenv;
pub mod files;
mod format;
mod generator;
pub mod gpu;
pub mod input;
pub(crate) mod mpi;
pub mod openmp;
pub(crate) mod process;
pub(crate) mod pthread;
pub mod random;
mod scan;
mod sort;
mod state;
pub mod stdio;
mod strings;
pub mod tasks;
mod time;

pub use state::{Interp, Runtime, Shim};

use crate::library::Library;
use crate::limits::Limits;
use crate::link::{Link, Symbols};
use crate::machine::{Machine, Plain};
use crate::memory::Memory;
use crate::outcome::{Fault, Res};
use crate::program::{Diagnostic, Program};
use crate::threads::Role;
use crate::value::Pointer;
use ir::Module;
use std::rc::Rc;

/// What the libraries bring into a program.
struct Standard;

impl Link for Standard {
    fn declare(&self, module: &Module) -> Option<Module> {
        cxx::declare::declare(module)
    }

    fn initialise(&self, symbols: Symbols<'_>, image: &mut Memory<()>) -> Res {
        cxx::standard::initialise(symbols, image)?;
        cxx::iostream::initialise(symbols, image)?;
        cxx::classes::initialise(symbols, image)
    }

    fn initialise_variable(&self, image: &mut Memory<()>, name: &str, at: Pointer) -> Res {
        files::object::initialise(image, name, at)
    }

    fn replaces_body(&self, name: &str) -> bool {
        name == process::REFUSE || tasks::is_known(name)
    }

    fn is_of_threads(&self, name: &str) -> bool {
        let calls = pthread::find::<Plain>(name).or_else(|| tasks::find(name)).or_else(|| openmp::find(name));
        calls.or_else(|| gpu::find(name)).or_else(|| cxx::thread::find(name)).is_some()
    }

    fn is_intrinsic(&self, name: &str) -> bool {
        gpu::is_intrinsic(name)
    }
}

impl Program {
    /// Makes a module ready. A function is lowered when it is reached. What an execution cannot do is an error only
    /// when it is reached; what no execution can start with is returned here.
    pub fn new(module: &Module) -> Result<Program, Vec<Diagnostic>> {
        Program::shared(Rc::new(module.clone()))
    }

    /// [`Program::new`] without copying the module.
    pub fn shared(module: Rc<Module>) -> Result<Program, Vec<Diagnostic>> {
        Program::linked(module, &Standard)
    }
}

impl<'p, M: Machine> Interp<'p, M> {
    /// An execution that starts from the program's initial memory.
    pub fn new(program: &'p Program, machine: M, limits: Limits) -> Interp<'p, M> {
        let memory = program.image.without_shadows();
        Interp::with_memory(program, machine, memory, limits)
    }

    /// An execution on an existing memory of the same program.
    pub fn with_memory(program: &'p Program, machine: M, memory: Memory<M::Shadow>, limits: Limits) -> Interp<'p, M> {
        let runtime = Runtime::new(&limits);
        Interp::with_runtime(program, machine, memory, limits, runtime)
    }
}

impl Library for Runtime {
    fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
        alloc::find(name)
            .or_else(|| strings::find(name))
            .or_else(|| stdio::find(name))
            .or_else(|| scan::find(name))
            .or_else(|| files::calls::find(name))
            .or_else(|| convert::find(name))
            .or_else(|| sort::find(name))
            .or_else(|| random::find(name))
            .or_else(|| ctype::find(name))
            .or_else(|| time::find(name))
            .or_else(|| process::find(name))
            .or_else(|| fenv::find(name))
            .or_else(|| pthread::find(name))
            .or_else(|| tasks::find(name))
            .or_else(|| openmp::find(name))
            .or_else(|| mpi::find(name))
            .or_else(|| gpu::find(name))
            .or_else(|| cxx::find(name))
    }

    fn keeps_text<M: Machine>(name: &str) -> bool {
        let found = stdio::find::<M>(name).or_else(|| scan::find(name)).or_else(|| files::calls::find(name));
        let threads = || pthread::find::<M>(name).is_some();
        found.is_some() || threads() || cxx::keeps_text::<M>(name)
    }

    fn thread_name(&self, thread: usize) -> Option<String> {
        self.gpu.lane_name(thread)
    }

    fn returned<M: Machine>(engine: &mut Interp<'_, M>) -> Res {
        match engine.threads.me().role {
            Role::Worker => engine.worker_without_frames(),
            Role::Lane => engine.lane_returned(),
            Role::Own | Role::Standard(_) => Err(Fault::bug("a thread of the program belongs to no library")),
        }
    }

    fn shared_copy<M: Machine>(engine: &mut Interp<'_, M>, address: Pointer, base: Pointer, size: u64) -> Res<Pointer> {
        engine.shared_copy(address, base, size)
    }
}
