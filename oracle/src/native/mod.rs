//! Gradients in the process: a program in C or C++, or in IR, is compiled with its derivatives, loaded, and called.
//!
//! ```
//! use adjudicate::native::{gradient, tangent};
//! # fn main() -> Result<(), adjudicate::Error> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("norm.c");
//! # std::fs::write(&path, "double norm(const double *x, int n) { double y = 0; for (int i = 0; i < n; i++) y += x[i] * x[i]; return y; }").unwrap();
//! // double norm(const double *x, int n)
//! let library = adjudicate::load(path)
//!     .with(gradient("norm").dup().constant())
//!     .with(tangent("norm").dup().constant())
//!     .open()?;
//! let norm = library.function::<unsafe extern "C" fn(*const f64, i32) -> f64>("norm")?;
//! // After each duplicated pointer its shadow; at the end the adjoint of the result.
//! let df = library.gradient::<unsafe extern "C" fn(*const f64, *mut f64, i32, f64)>("norm")?;
//! let tf = library.tangent::<unsafe extern "C" fn(*const f64, *const f64, i32) -> f64>("norm")?;
//! let (x, mut dx) = ([3.0, 4.0], [0.0, 0.0]);
//! // SAFETY: the arrays are as long as the functions are told.
//! unsafe {
//!     df(x.as_ptr(), dx.as_mut_ptr(), 2, 1.0);
//!     assert_eq!(norm(x.as_ptr(), 2), 25.0);
//!     assert_eq!(tf(x.as_ptr(), [1.0, 0.0].as_ptr(), 2), 6.0);
//! }
//! assert_eq!(dx, [6.0, 8.0]);
//! # Ok(())
//! # }
//! ```
//!
//! The program goes the way of `adj cc -shared -fPIC`: it is optimised, differentiated and optimised again
//! ([`llvm::driver`]). The library is made in a temporary folder, opened, and its file removed. All derivatives that
//! are asked for are in one library, and a call of `__enzyme_autodiff` in the program is a call of its gradient there,
//! too.
//!
//! **Parameters of a gradient**: those of the function, each duplicated pointer followed by its shadow; the seed, which
//! is the adjoint of the result, if that is a floating-point number; with [`Derivative::with_value`] a pointer to where
//! the result goes. One component (of an `out` argument) is returned; several are stored, as C lays out a structure of
//! them, where a last parameter points. **Of a tangent**: each duplicated argument is followed by its shadow or
//! tangent, and the tangent of the result is returned.
//!
//! **Threads.** Gradients can be called by several threads at once, if the function itself can: they share nothing but
//! chunks of tapes that are kept for the next call, and those are exchanged atomically (`ad::chunk_pool`). Shadows must
//! be each thread's own. Where a function works on variables of the program, their shadows are variables of the library
//! as well, so such a gradient is for one thread at a time, as the function is.

mod derivative;
mod foreign;
mod signature;

pub use ad::Lever;
pub use derivative::{Derivative, gradient, tangent};
pub use foreign::{CFunction, Symbol};
pub use llvm::driver::Pipeline;
pub use signature::{Kind, Passed, Signature};

use crate::driver::differentiate_and;
use crate::error::Error;
use crate::header::IncludeDir;
use ad::Mode;
use foreign::Opened;
use ir::Module;
use llvm::Level;
use llvm::driver::{Invocation, Outcome, Refused, SharedLibrary};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stack of the thread that compiles: functions of the reader recurse with the nesting of types and constants.
const STACK: usize = 64 << 20;

/// Begins to load a program: a source in C or C++, IR, or an object of `adj cc`. It needs no `main`.
///
/// Who opens it vouches for what its constructors do, as who runs a program does.
pub fn load(file: impl Into<PathBuf>) -> Load {
    Load {
        library: SharedLibrary { files: vec![file.into()], level: Level::O3, ..SharedLibrary::default() },
        pipeline: Pipeline::default(),
        checkpoints: Vec::new(),
        without: ad::Without::default(),
        derivatives: Vec::new(),
        keep: None,
    }
}

/// A program to be loaded.
#[derive(Clone, Debug)]
#[must_use]
pub struct Load {
    library: SharedLibrary,
    pipeline: Pipeline,
    checkpoints: Vec<String>,
    without: ad::Without,
    derivatives: Vec<Derivative>,
    keep: Option<PathBuf>,
}

impl Load {
    /// One more file of the program.
    pub fn file(mut self, file: impl Into<PathBuf>) -> Load {
        self.library.files.push(file.into());
        self
    }

    /// Asks for a derivative.
    pub fn with(mut self, derivative: Derivative) -> Load {
        self.derivatives.push(derivative);
        self
    }

    /// The level of optimisation: `O3` unless told otherwise.
    pub fn level(mut self, level: Level) -> Load {
        self.library.level = level;
        self
    }

    /// When to differentiate: after optimisation unless told otherwise.
    pub fn pipeline(mut self, pipeline: Pipeline) -> Load {
        self.pipeline = pipeline;
        self
    }

    /// More options for clang.
    pub fn flags<F: Into<String>>(mut self, flags: impl IntoIterator<Item = F>) -> Load {
        self.library.flags.extend(flags.into_iter().map(Into::into));
        self
    }

    /// Libraries that the program needs, by name, such as `blas`; the mathematical one and that of C++ are there
    /// already.
    pub fn libraries<L: Into<String>>(mut self, libraries: impl IntoIterator<Item = L>) -> Load {
        self.library.libraries.extend(libraries.into_iter().map(Into::into));
        self
    }

    /// Loops that are reversed from snapshots: `LOOP=revolve:N`, `LOOP=periodic:N` (`ad::program::loop_marks` says what
    /// a loop is called).
    pub fn checkpoints<F: Into<String>>(mut self, loops: impl IntoIterator<Item = F>) -> Load {
        self.checkpoints.extend(loops.into_iter().map(Into::into));
        self
    }

    /// Goes without something that makes gradients fast; may be repeated.
    pub fn without(mut self, lever: Lever) -> Load {
        self.without = self.without.and(lever);
        self
    }

    /// Leaves the library's file, in a folder of its own within this one, for profilers, which read symbols later.
    pub fn keep_in(mut self, folder: impl Into<PathBuf>) -> Load {
        self.keep = Some(folder.into());
        self
    }

    /// Compiles, differentiates and loads the program.
    pub fn open(self) -> Result<Library, Error> {
        self.check()?;
        let failed = |source| Error::Io { action: "make the folder of the library".to_owned(), source };
        let place = self.keep.clone().unwrap_or(std::env::temp_dir());
        let folder = tempfile::Builder::new().prefix("adj-native-").tempdir_in(place).map_err(failed)?;
        let path = folder.path().join(self.file_name());
        let work = std::thread::scope(|scope| {
            let build = || self.build(&path);
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, build);
            thread.map(std::thread::ScopedJoinHandle::join)
        });
        let work = work.map_err(|source| Error::Io { action: "start a thread".to_owned(), source })?;
        let (functions, messages) = work.unwrap_or_else(|_| {
            Err(Error::Unsupported("the program cannot be loaded: an internal error".to_owned()))
        })?;
        let failed = |why| Error::Unsupported(format!("the library cannot be opened: {why}"));
        let opened = Opened::open(&path).map_err(failed)?;
        let kept = self.keep.is_some().then(|| folder.keep()).map(|_| path);
        Ok(Library { opened: Arc::new(opened), functions, messages, path: kept })
    }

    /// What can be refused before anything is compiled.
    fn check(&self) -> Result<(), Error> {
        if let Some(file) = self.library.foreign() {
            let message = "only C, C++ and IR are loaded; what another compiler makes of it can be, as IR";
            return Err(Error::Unsupported(format!("{}: {message}", file.display())));
        }
        let mut names: Vec<String> = self.derivatives.iter().map(Derivative::name).collect();
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Error::Usage(format!("two derivatives are called `{}`: `named` names one", pair[0]))),
            None => Ok(()),
        }
    }

    /// A name that no library of this process has had: the system's loader takes a file of a known name for the one
    /// that it has.
    fn file_name(&self) -> String {
        static LIBRARIES: AtomicU64 = AtomicU64::new(0);
        let stem = self.library.files.first().and_then(|f| f.file_stem()).unwrap_or_default().to_string_lossy();
        format!("{stem}.{}.so", LIBRARIES.fetch_add(1, Ordering::Relaxed))
    }

    /// Makes the library: the signatures of its functions, and what the compiler said.
    fn build(&self, path: &Path) -> Result<(Functions, String), Error> {
        let include = IncludeDir::new().map_err(|source| Error::Io { action: "write `adj.h`".to_owned(), source })?;
        let invocation = Invocation {
            compiler: self.library.compiler(),
            pipeline: self.pipeline,
            include: include.path().to_owned(),
            checkpoints: self.checkpoints.clone(),
            always: true,
            carrier: None,
            packing: true,
            arguments: self.library.arguments(path),
        };
        let mut made: Result<Functions, Option<Error>> = Err(None);
        let outcome = llvm::driver::run(&invocation, &mut |module| {
            let result = self.differentiated(module);
            let (module, functions) = result.map_err(|error| {
                let message = error.to_string();
                made = Err(Some(error));
                Refused { message, incomplete: false }
            })?;
            made = Ok(functions);
            Ok(module)
        });
        let messages = match outcome? {
            Outcome::Done { messages, code: 0 } if path.exists() => match made {
                Ok(functions) => return Ok((functions, messages)),
                Err(_) => messages,
            },
            Outcome::Done { messages, .. } => messages,
            // clang does nothing of what was asked for, and says why.
            Outcome::AsIs(mut command) => match command.output() {
                Ok(output) if output.status.success() => "the options are not those of a library".to_owned(),
                Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
                Err(source) => return Err(Error::Io { action: "run clang".to_owned(), source }),
            },
        };
        Err(match made {
            Err(Some(error)) => error,
            Ok(_) | Err(None) => {
                let file = self.library.files.first().cloned().unwrap_or_default();
                Error::Read(llvm::Error::Link { file, message: messages.trim_end().to_owned() })
            }
        })
    }

    /// The module with its derivatives, and the signatures of the functions that a library of it exports.
    fn differentiated(&self, module: Module) -> Result<(Module, Functions), Error> {
        if !self.derivatives.is_empty()
            && let Some(diagnostic) = ad::c_entry::misunderstood(&module)
        {
            return Err(derivative::told(&diagnostic));
        }
        let mut refused = None;
        let options = ad::Options { without: self.without, ..ad::Options::default() };
        let result = differentiate_and(module, &options, &mut |module| {
            let added = self.derivatives.iter().try_for_each(|derivative| derivative.add(module, self.without));
            added.map_err(|error| {
                let message = error.to_string();
                refused = Some(error);
                Refused { message, incomplete: false }
            })
        });
        match (result, refused) {
            (_, Some(error)) => Err(error),
            (Err(refused), None) => Err(Error::Unsupported(refused.message.trim_end().to_owned())),
            (Ok(module), None) => {
                let functions = functions(&module);
                Ok((module, functions))
            }
        }
    }
}

/// Signatures of functions, by name.
type Functions = BTreeMap<String, Signature>;

/// The functions that a library of the module exports.
fn functions(m: &Module) -> Functions {
    let exported = |f: &&ir::Function| {
        let elsewhere = ["internal", "private", "available_externally"].contains(&f.flags.linkage.as_str());
        !f.is_declaration() && !elsewhere && f.flags.visibility != "hidden"
    };
    m.functions.values().filter(exported).map(|f| (f.name.clone(), Signature::of(m, f))).collect()
}

/// A loaded program. It stays in the process until this and every [`Symbol`] of it are dropped.
#[derive(Clone, Debug)]
pub struct Library {
    opened: Arc<Opened>,
    functions: Functions,
    messages: String,
    path: Option<PathBuf>,
}

impl Library {
    /// A function of the program, or a derivative with a name of its own: `F` is a type such as
    /// `unsafe extern "C" fn(*const f64, i32) -> f64`, and must be that of the function.
    pub fn function<F: CFunction>(&self, name: &str) -> Result<Symbol<F>, Error> {
        let Some(signature) = self.functions.get(name) else {
            let hint = derivative::near(name, self.functions.keys().map(String::as_str));
            let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
            return Err(Error::Usage(format!("the library exports no function `{name}`{hint}")));
        };
        let wanted = F::signature();
        if !signature.fits(&wanted) {
            return Err(Error::Usage(format!("`{name}` is a `{signature}`, not a `{wanted}`")));
        }
        let missing = || Error::Usage(format!("the library does not export the function `{name}`"));
        Symbol::find(&self.opened, name, signature).ok_or_else(missing)
    }

    /// The gradient of a function, which was asked for and has no name of its own.
    pub fn gradient<F: CFunction>(&self, function: &str) -> Result<Symbol<F>, Error> {
        self.derivative(function, Mode::Reverse)
    }

    /// The tangent of a function, which was asked for and has no name of its own.
    pub fn tangent<F: CFunction>(&self, function: &str) -> Result<Symbol<F>, Error> {
        self.derivative(function, Mode::Forward { width: 1 })
    }

    fn derivative<F: CFunction>(&self, function: &str, mode: Mode) -> Result<Symbol<F>, Error> {
        let name = derivative::default_name(function, mode);
        if !self.functions.contains_key(&name) {
            let what = if mode.is_forward() { "tangent" } else { "gradient" };
            return Err(Error::Usage(format!("no {what} of `{function}` was asked for when the program was loaded")));
        }
        self.function(&name)
    }

    /// The signature of a function of the library.
    pub fn signature(&self, name: &str) -> Option<&Signature> {
        self.functions.get(name)
    }

    /// The functions of the library with their signatures.
    pub fn functions(&self) -> impl Iterator<Item = (&str, &Signature)> {
        self.functions.iter().map(|(name, signature)| (name.as_str(), signature))
    }

    /// The compiler's warnings.
    pub fn warnings(&self) -> &str {
        &self.messages
    }

    /// Where its file is, if that was to be kept.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}
