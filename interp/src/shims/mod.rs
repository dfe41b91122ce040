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
pub(crate) mod va_list;

pub(crate) use cxx::exceptions;

use crate::interp::{Interp, Limits};
use crate::machine::Machine;
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::value::{Leaf, Pointer, Scalar, Tag, Value, mask64};
use ir::FuncId;

/// A call of a library function: its arguments as flat leaves, variadic ones included.
#[derive(Clone, Copy, Debug)]
pub struct ShimCall<'a, S> {
    /// The declared function.
    pub func: FuncId,
    /// The leaves of all arguments.
    pub args: &'a [Scalar],
    /// Their shadows (empty for a machine without shadows).
    pub shadows: &'a [S],
    /// Their kinds.
    pub leaves: &'a [Leaf],
    /// How many leaves belong to fixed parameters.
    pub fixed: usize,
    /// Kinds of the leaves of the expected result.
    pub result: &'a [Leaf],
    /// The call.
    pub at: Location,
}

impl<S> ShimCall<'_, S> {
    /// A defined leaf, or undefined behaviour.
    pub fn leaf(&self, index: usize) -> Res<Scalar> {
        let Some(leaf) = self.args.get(index) else {
            return Err(Fault::ub(UbKind::BadCall, format!("the library function needs an argument {}", index + 1)));
        };
        match leaf.tag {
            Tag::Init => Ok(*leaf),
            Tag::Undef => Err(Fault::ub(
                UbKind::Uninitialised,
                format!("argument {} of a library function is uninitialised", index + 1),
            )),
            Tag::Poison => {
                Err(Fault::ub(UbKind::Poison, format!("argument {} of a library function is poison", index + 1)))
            }
        }
    }

    /// An unsigned integer argument, zero-extended.
    pub fn uint(&self, index: usize) -> Res<u64> {
        Ok(self.leaf(index)?.lo)
    }

    /// A signed integer argument, sign-extended from its width.
    pub fn int(&self, index: usize) -> Res<i64> {
        let bits = self.leaves.get(index).map_or(64, |l| l.bits().min(64));
        let value = self.leaf(index)?.lo & mask64(bits);
        Ok(((value << (64 - bits)) as i64) >> (64 - bits))
    }

    /// A pointer argument.
    pub fn ptr(&self, index: usize) -> Res<Pointer> {
        Ok(self.leaf(index)?.as_ptr())
    }

    /// A `double` argument.
    pub fn f64(&self, index: usize) -> Res<f64> {
        Ok(self.leaf(index)?.as_f64())
    }
}

/// A library function of the interpreter.
pub type Shim<M> =
    for<'p, 'a> fn(&mut Interp<'p, M>, &ShimCall<'a, <M as Machine>::Shadow>) -> Res<Value<<M as Machine>::Shadow>>;

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
    pub environment: fenv::Environment,
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
            environment: fenv::Environment::default(),
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
