//! The C library, as far as it is not in the table of derivative rules.
//!
//! A shim is a plain function of the interpreter and the call. [`find`] maps a declared function's name to its shim;
//! each file of this folder lists the names it knows.

mod alloc;
mod convert;
pub mod ctype;
pub(crate) mod cxx;
pub mod fenv;
pub mod files;
mod format;
pub mod gpu;
pub mod input;
pub(crate) mod mpi;
pub mod openmp;
pub(crate) mod process;
pub(crate) mod pthread;
pub mod random;
mod scan;
mod sort;
pub mod stdio;
mod strings;
pub mod tasks;
mod time;

use crate::exec::environment::Environment;
use crate::library::Shim;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::outcome::Res;
use crate::program::Program;
use crate::unwind::exceptions;
use crate::value::Pointer;
use ir::Module;

/// The state of the C library.
#[derive(Clone, Debug)]
pub struct Runtime {
    /// State of `rand` and `drand48`.
    pub random: random::Random,
    /// Functions to call at the end, with an argument for `__cxa_atexit`.
    pub at_exit: Vec<(Pointer, Option<Pointer>)>,
    /// The `errno` object, once asked for.
    pub errno: Option<Pointer>,
    /// The tables of `ctype.h`, once asked for.
    pub ctype: ctype::Tables,
    /// Rounding mode and exceptions.
    pub environment: Environment,
    /// Exceptions thrown and caught.
    pub exceptions: exceptions::Exceptions,
    /// Standard input.
    pub input: input::Input,
    /// The files that were opened.
    pub(crate) files: files::Table,
    /// Teams, tasks and settings of OpenMP.
    pub openmp: openmp::OpenMp,
    /// Tasks of fork and join.
    pub regions: tasks::Regions,
    /// The rank that this execution is, if it is one.
    pub(crate) mpi: Option<mpi::Rank>,
    /// Grids that run, and the host's interface to them.
    pub gpu: gpu::Gpu,
    /// Where `strtok` goes on.
    pub token: Pointer,
    /// Virtual tables of streams.
    pub(crate) streams: cxx::classes::Tables,
}

impl Runtime {
    /// The library's state at the start of a program.
    pub fn new(limits: &Limits) -> Runtime {
        Runtime {
            random: random::Random::new(),
            at_exit: Vec::new(),
            errno: None,
            ctype: ctype::Tables::default(),
            environment: Environment::default(),
            exceptions: exceptions::Exceptions::default(),
            input: input::Input::default(),
            files: files::Table::default(),
            openmp: openmp::OpenMp::new(limits.threads),
            regions: tasks::Regions::new(),
            mpi: None,
            gpu: gpu::Gpu::default(),
            token: Pointer::NULL,
            streams: cxx::classes::Tables::default(),
        }
    }
}

/// The module with the functions that the library brings as IR, if it names any.
pub fn declare(module: &Module) -> Option<Module> {
    cxx::standard::declare(module)
}

/// Fills the library's variables that need the whole program.
pub fn initialise(program: &Program, image: &mut Memory<()>) -> Res {
    cxx::standard::initialise(program, image)?;
    cxx::iostream::initialise(program, image)?;
    cxx::classes::initialise(program, image)
}

/// Fills one declared variable of the library (`stdout`), if it is one.
pub fn initialise_variable(image: &mut Memory<()>, name: &str, at: Pointer) -> Res {
    stdio::initialise(image, name, at)
}

/// Is it an intrinsic of device code?
pub fn is_intrinsic(name: &str) -> bool {
    gpu::is_intrinsic(name)
}

/// Functions that are known by name even where the program defines them.
pub fn replaces_body(name: &str) -> bool {
    name == process::REFUSE || tasks::is_known(name)
}

/// Does a library function work on streams, files or pipes, which keep text and bytes between calls?
pub fn keeps_text<M: Machine>(name: &str) -> bool {
    let found = stdio::find::<M>(name).or_else(|| scan::find(name)).or_else(|| files::calls::find(name));
    let threads = || pthread::find::<M>(name).is_some();
    found.is_some() || threads() || cxx::keeps_text::<M>(name)
}

/// The shim of a library function.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
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
