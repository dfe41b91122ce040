//! The corpus: programs with expectations, one list that every engine runs.
//!
//! A program is a source file in one of the folders beside this crate; its folder is its [`Kind`].
//! What is expected of it stands in its own comments, so that source and expectation cannot drift:
//!
//! - `//~ wrong: cache` at the end of a line: the report must give this verdict (and, after the
//!   colon, this detail: a family, or a phrase for undefined behaviour) and name this line.
//!   `//~ [O1,O2] wrong: opt-level` restricts it to levels.
//! - `adj-levels: O0,O2` anywhere: only these levels; `adj-args:` arguments of `main`;
//!   `adj-flags:` further flags of the compiler; `adj-exit:` the exit code of the command;
//!   `adj-message:` a phrase that the message must contain; `adj-prints:` the line that the program prints;
//!   `adj-ranks:` how many ranks it runs as; `adj-passes: before-differentiation` only those passes of the level that
//!   `adj cc` runs before it differentiates, where what later ones make of the program is refused.
//!
//! The idea of an expectation on the guilty line is that of Miri's tests.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

mod parse;

pub use parse::Expectation;

/// What a program is for: the folder it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Differentiated by us; every gradient is correct.
    Correct,
    /// A right gradient written by hand; judged correct.
    Right,
    /// A wrong gradient written by hand; refused with its family and line.
    Wrong,
    /// A gradient whose formula is right and whose arithmetic is not good enough.
    Inaccurate,
    /// A point where the primal is not differentiable because of a branch.
    Kink,
    /// A point where the derivative is a matter of a stated convention.
    Convention,
    /// Undefined behaviour or a leak in a program without any derivative.
    Ub,
    /// A program without any derivative that runs to its end: interpreted and native runs agree.
    Programs,
    /// A program of 500 lines or more, as it is written for its own sake: interpreted and native runs agree.
    Long,
    /// Input that must be refused with a message: not C, unsupported, or unbounded.
    Bad,
    /// Threads with a data race, on the marked lines.
    Racy,
    /// Threads without one; interpreted and native runs agree.
    Clean,
    /// Threads that wait for ever, or misuse what they wait with, on the marked lines.
    Stuck,
    /// Kernels with a data race, on the marked lines.
    GpuRacy,
    /// Kernels without one, which print what they say.
    GpuClean,
    /// Kernels that differentiate what the threads of a grid compute together.
    GpuGradients,
    /// Kernels with another fault: threads that do not meet, memory of another address space.
    GpuFaulty,
    /// Programs of several ranks, which print what they say.
    MpiClean,
    /// Programs of several ranks with a fault, on the marked lines.
    MpiFaulty,
    /// Programs that differentiate what threads compute together, and compare it with differences.
    TeamGradients,
    /// Programs of several ranks that differentiate what they compute together, and compare it with differences.
    MpiGradients,
    /// A number leaves the floats and comes back; `-DROLE` chooses among gradients (`leaves.md`).
    Leaves,
}

impl Kind {
    /// Every kind of sequential program, in the order of the folders' listing. [`long`], [`threads`], [`gpu`], [`mpi`],
    /// [`gpu_gradients`], [`team_gradients`], [`mpi_gradients`] and [`leaves`] list the others.
    pub const ALL: [Kind; 9] = [
        Kind::Correct,
        Kind::Right,
        Kind::Wrong,
        Kind::Inaccurate,
        Kind::Kink,
        Kind::Convention,
        Kind::Ub,
        Kind::Programs,
        Kind::Bad,
    ];

    /// The folder of the programs of this kind.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Kind::Correct => "correct",
            Kind::Right => "right",
            Kind::Wrong => "wrong",
            Kind::Inaccurate => "inaccurate",
            Kind::Kink => "kink",
            Kind::Convention => "convention",
            Kind::Ub => "ub",
            Kind::Programs => "programs",
            Kind::Long => "programs/long",
            Kind::Bad => "bad",
            Kind::Racy => "threads/racy",
            Kind::Clean => "threads/clean",
            Kind::Stuck => "threads/stuck",
            Kind::GpuRacy => "gpu/racy",
            Kind::GpuClean => "gpu/clean",
            Kind::GpuGradients => "gpu/gradients",
            Kind::GpuFaulty => "gpu/faulty",
            Kind::MpiClean => "mpi/clean",
            Kind::MpiFaulty => "mpi/faulty",
            Kind::TeamGradients => "parallel/openmp",
            Kind::MpiGradients => "parallel/mpi",
            Kind::Leaves => "leaves",
        }
    }

    /// The exit code of `adj check` unless the program says otherwise.
    #[must_use]
    pub fn exit_code(self) -> i32 {
        match self {
            Kind::Correct | Kind::Right | Kind::Kink | Kind::Convention | Kind::Programs | Kind::Long => 0,
            Kind::Wrong | Kind::Inaccurate | Kind::Ub => 1,
            Kind::Bad => 2,
            Kind::Racy | Kind::Stuck | Kind::GpuRacy | Kind::GpuFaulty | Kind::MpiFaulty => 1,
            Kind::Clean
            | Kind::GpuClean
            | Kind::GpuGradients
            | Kind::MpiClean
            | Kind::TeamGradients
            | Kind::MpiGradients
            | Kind::Leaves => 0,
        }
    }
}

/// One program of the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The source file.
    pub path: PathBuf,
    /// What the program is for.
    pub kind: Kind,
    /// The optimisation levels to check it at, such as `O2`.
    pub levels: Vec<String>,
    /// Arguments of its `main`.
    pub args: Vec<String>,
    /// Flags to compile it with, beyond the level.
    pub flags: Vec<String>,
    /// Only the passes that come before differentiation in `adj cc` run, not those that make vectors.
    pub before_differentiation: bool,
    /// The exit code expected of `adj check`.
    pub exit: i32,
    /// How many ranks it runs as.
    pub ranks: Option<usize>,
    /// What it prints, on one line, where no native program can tell.
    pub prints: Option<String>,
    /// A phrase which the message must contain, for input that is refused.
    pub message: Option<String>,
    /// Verdicts expected on lines.
    pub expectations: Vec<Expectation>,
}

impl Program {
    /// The file's name without its folder, such as `rosenbrock.c`.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// The folder that holds the programs.
#[must_use]
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder that holds `adj.h`, for the compiler's include path.
#[must_use]
pub fn include_dir() -> PathBuf {
    root().join("../oracle/include")
}

/// All programs of the corpus, sorted by kind and name.
///
/// # Panics
/// When the checkout lacks a folder of the corpus, or a file of it has a malformed expectation.
#[must_use]
pub fn programs() -> Vec<Program> {
    load(&root()).unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The programs of one kind, sorted by name.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn of_kind(kind: Kind) -> Vec<Program> {
    let mut all = programs();
    all.retain(|program| program.kind == kind);
    all
}

/// Reads the programs under another root of the same layout.
///
/// # Errors
/// When a folder or file cannot be read, or a directive or an expectation is malformed.
pub fn load(root: &Path) -> io::Result<Vec<Program>> {
    load_kinds(root, &Kind::ALL)
}

/// The long programs, sorted by name.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn long() -> Vec<Program> {
    load_kinds(&root(), &[Kind::Long]).unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The programs with threads, racy ones first, sorted by name.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn threads() -> Vec<Program> {
    load_kinds(&root(), &[Kind::Racy, Kind::Clean, Kind::Stuck])
        .unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The programs for a host and a device, racy ones first, sorted by name.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn gpu() -> Vec<Program> {
    load_kinds(&root(), &[Kind::GpuRacy, Kind::GpuClean, Kind::GpuFaulty])
        .unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The kernels that differentiate what the threads of a grid compute together, sorted by name. They end with 0 if their
/// gradients agree with differences.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn gpu_gradients() -> Vec<Program> {
    load_kinds(&root(), &[Kind::GpuGradients]).unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The programs of several ranks, those without a fault first, sorted by name.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn mpi() -> Vec<Program> {
    load_kinds(&root(), &[Kind::MpiClean, Kind::MpiFaulty])
        .unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The programs that differentiate what threads compute together, sorted by name. They end with 0 if their gradients
/// agree with differences, with any number of threads.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn team_gradients() -> Vec<Program> {
    load_kinds(&root(), &[Kind::TeamGradients]).unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The programs of several ranks that differentiate what they compute together, sorted by name. They end with 0 if
/// their gradients agree with differences, as any number of ranks.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn mpi_gradients() -> Vec<Program> {
    load_kinds(&root(), &[Kind::MpiGradients]).unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

/// The programs whose numbers leave the floats and come back, sorted by name.
///
/// # Panics
/// As [`programs`].
#[must_use]
pub fn leaves() -> Vec<Program> {
    load_kinds(&root(), &[Kind::Leaves]).unwrap_or_else(|error| panic!("the corpus cannot be read: {error}"))
}

fn load_kinds(root: &Path, kinds: &[Kind]) -> io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    for kind in kinds.iter().copied() {
        let mut paths: Vec<PathBuf> = fs::read_dir(root.join(kind.folder()))?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()?;
        paths.retain(|path| is_source(path));
        paths.sort();
        for path in paths {
            let text = fs::read_to_string(&path)?;
            let program = parse::program(&path, kind, &text).map_err(|reason| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}: {reason}", path.display()))
            })?;
            programs.push(program);
        }
    }
    Ok(programs)
}

fn is_source(path: &Path) -> bool {
    let known = ["c", "cpp", "ll", "cu", "hip"];
    path.extension().is_some_and(|extension| known.iter().any(|known| extension == *known))
}
