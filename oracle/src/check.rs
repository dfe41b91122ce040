//! `check("prog.c").levels(["O0", "O2"]).run()`: a whole program, at several levels.

use crate::error::Error;
use crate::header::IncludeDir;
use crate::report::{LevelReport, Report};
use crate::requirements::require_main;
use crate::session::{self, Options};
use crate::verdict::{Family, Severity, Verdict};
use interp::bridge::Bridge;
use llvm::{CompileOptions, Input, Level, Passes};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stack of the threads that check levels: functions of the reader recurse with the nesting of types and constants.
const STACK: usize = 64 << 20;

/// Begins the check of a program: C, C++, Fortran, textual IR or bitcode.
///
/// ```
/// # fn main() -> Result<(), adjudicate::Error> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("square.c");
/// # let source = "static double square(double x) { return x * x; }
/// # int main(void) { return __enzyme_autodiff((void *)square, 3.0) == 6.0 ? 0 : 1; }";
/// # std::fs::write(&path, format!("#include <adj.h>\n{source}")).unwrap();
/// // square.c: int main(void) { … __enzyme_autodiff((void *)square, 3.0) … }
/// adjudicate::check(path).levels(["O0", "O2"]).run()?.assert_correct();
/// # Ok(())
/// # }
/// ```
pub fn check(path: impl Into<PathBuf>) -> Check {
    Check::new(Input::File(path.into()))
}

/// What is happening, for whoever waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    /// The level.
    pub level: &'a str,
    /// What it is doing.
    pub stage: Stage,
    /// Executions judged so far.
    pub judged: u64,
}

/// A stage of the check of one level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The compiler runs.
    Compiling,
    /// The program runs and its gradients are judged.
    Judging,
    /// The level is done.
    Done,
}

/// Called from the threads that do the work.
type Watcher = Box<dyn Fn(Progress<'_>) + Send + Sync>;

/// A check to be made.
pub struct Check {
    input: Input,
    levels: Vec<String>,
    flags: Vec<String>,
    checkpoints: Vec<String>,
    passes: Passes,
    options: Options,
    threads: usize,
    watcher: Option<Watcher>,
}

impl Check {
    /// A check of an input at all levels.
    pub fn new(input: Input) -> Check {
        let levels = Level::ALL.iter().map(ToString::to_string).collect();
        Check {
            input,
            levels,
            flags: Vec::new(),
            checkpoints: Vec::new(),
            passes: Passes::All,
            options: Options::default(),
            threads: 2,
            watcher: None,
        }
    }

    /// The optimisation levels to check at, such as `["O0", "O2"]`. IR is optimised at each level, and taken as it is
    /// at `O0`.
    #[must_use]
    pub fn levels<L: AsRef<str>>(mut self, levels: impl IntoIterator<Item = L>) -> Check {
        self.levels = levels.into_iter().map(|level| level.as_ref().to_owned()).collect();
        self
    }

    /// The passes of a level before differentiation: all unless told otherwise, or those after which `adj cc`
    /// differentiates, without vectorisation and unrolling.
    #[must_use]
    pub fn passes(mut self, passes: Passes) -> Check {
        self.passes = passes;
        self
    }

    /// Arguments of the program.
    #[must_use]
    pub fn args<A: Into<String>>(mut self, args: impl IntoIterator<Item = A>) -> Check {
        self.options.args = args.into_iter().map(Into::into).collect();
        self
    }

    /// More options for the compiler.
    #[must_use]
    pub fn flags<F: Into<String>>(mut self, flags: impl IntoIterator<Item = F>) -> Check {
        self.flags = flags.into_iter().map(Into::into).collect();
        self
    }

    /// Loops that are reversed from snapshots: `LOOP=revolve:N`, `LOOP=periodic:N` (`ad::program::loop_marks` says what
    /// a loop is called).
    #[must_use]
    pub fn checkpoints<F: Into<String>>(mut self, loops: impl IntoIterator<Item = F>) -> Check {
        self.checkpoints = loops.into_iter().map(Into::into).collect();
        self
    }

    /// Bits of the multi-precision lanes: 256 unless told otherwise.
    #[must_use]
    pub fn precision(mut self, bits: u32) -> Check {
        self.options.precision = bits;
        self
    }

    /// Bits that each differentiation may lose beyond what the condition of the derivative explains: 16 unless told
    /// otherwise.
    #[must_use]
    pub fn allowance(mut self, bits: u32) -> Check {
        self.options.allowance = bits;
        self
    }

    /// Seed of every random choice.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Check {
        self.options.seed = seed;
        self
    }

    /// Sizes of OpenMP teams: the program is run and judged with each (4 unless told otherwise), and the verdict has to
    /// be the same.
    #[must_use]
    pub fn teams(mut self, sizes: impl IntoIterator<Item = usize>) -> Check {
        self.options.runs.teams = sizes.into_iter().collect();
        self
    }

    /// The program runs as so many ranks of MPI, and is judged with each of these numbers. The verdict has to be the
    /// same.
    #[must_use]
    pub fn ranks(mut self, numbers: impl IntoIterator<Item = usize>) -> Check {
        self.options.runs.ranks = numbers.into_iter().collect();
        self
    }

    /// For each size of the team, the program is run and judged under so many schedules: those of the seed and of the
    /// numbers behind it. The verdict has to be the same.
    #[must_use]
    pub fn schedules(mut self, schedules: u64) -> Check {
        self.options.runs.schedules = schedules;
        self
    }

    /// IR instructions that each run may execute.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Check {
        self.options.steps = steps;
        self
    }

    /// Bytes of memory that the program may use.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Check {
        self.options.memory = bytes;
        self
    }

    /// Plants a defect in synthesised gradients, to see that it is found.
    #[must_use]
    pub fn fault(mut self, fault: ad::Fault) -> Check {
        self.options.fault = Some(fault);
        self
    }

    /// Also compiles the program with its gradients natively, and compares what it prints bit for bit.
    #[must_use]
    pub fn native(mut self, native: bool) -> Check {
        self.options.native = native;
        self
    }

    /// Measures what the gradients keep on their tapes, by line of the source.
    #[must_use]
    pub fn tape(mut self, tape: bool) -> Check {
        self.options.tape = tape;
        self
    }

    /// Permits the program, outside of differentiated calls, to touch files in this folder. Levels are then checked one
    /// after the other: each runs the program, and finds the files as the one before has left them.
    pub fn files(mut self, folder: &Path) -> Result<Check, Error> {
        self.options.files = crate::requirements::access(Some(folder))?;
        self.threads = 1;
        Ok(self)
    }

    /// Lets the program, outside of differentiated calls, call functions of these shared libraries of the host that are
    /// not known otherwise ([`interp::bridge`]). Levels are then checked one after the other: all call the same
    /// library.
    pub fn native_calls<L: AsRef<std::ffi::OsStr>>(mut self, libraries: &[L]) -> Result<Check, Error> {
        self.options.bridge = crate::requirements::bridge(libraries)?;
        self.threads = 1;
        Ok(self)
    }

    /// Levels checked at the same time.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Check {
        self.threads = threads.max(1);
        self
    }

    /// Is told what is happening.
    #[must_use]
    pub fn watch(mut self, watcher: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Check {
        self.watcher = Some(Box::new(watcher));
        self
    }

    /// Makes the check.
    pub fn run(self) -> Result<Report, Error> {
        let name = self.input.name();
        let program = program_name(&name);
        let levels = self.each_level(|module, level, options, progress| {
            require_main(&module, &name)?;
            Ok(session::run(module, level, &program, options, progress))
        })?;
        Ok(finish(&name, levels).with_native_calls(self.bridge()))
    }

    /// Compiles at each level and does something with the module, on several threads.
    pub(crate) fn each_level<F>(&self, work: F) -> Result<Vec<LevelReport>, Error>
    where
        F: Fn(ir::Module, &str, &Options, &(dyn Fn(u64) + Sync)) -> Result<LevelReport, Error> + Sync,
    {
        if self.levels.is_empty() {
            return Err(Error::Usage("no optimisation level is given".to_owned()));
        }
        if !(128..=1 << 16).contains(&self.options.precision) {
            return Err(Error::Usage(format!(
                "a precision of {} bits: it must be 128 to 65536",
                self.options.precision
            )));
        }
        if let Some(complaint) = self.options.runs.complaint() {
            return Err(Error::Usage(complaint));
        }
        if self.options.native && !self.options.runs.ranks.is_empty() {
            let message = "a program that runs as ranks is not compared with a native one: no MPI is installed";
            return Err(Error::Usage(message.to_owned()));
        }
        let parse = |level: &String| Level::from_str(level).map_err(|e| Error::Usage(e.to_string()));
        let levels = self.levels.iter().map(parse).collect::<Result<Vec<Level>, Error>>()?;
        let include = IncludeDir::new().map_err(|source| Error::Io { action: "write `adj.h`".to_owned(), source })?;
        let results: Vec<Mutex<Option<Result<LevelReport, Error>>>> = levels.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let worker = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let (Some(level), Some(slot)) = (levels.get(index), results.get(index)) else { break };
                let result = self.one_level(*level, include.path(), &work);
                if let Ok(mut slot) = slot.lock() {
                    *slot = Some(result);
                }
            }
        };
        let started = std::thread::scope(|scope| {
            let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
            (0..self.threads.min(levels.len())).map(spawn).collect::<Result<Vec<_>, _>>().map(drop)
        });
        started.map_err(|source| Error::Io { action: "start a thread".to_owned(), source })?;
        let lost = || Error::Unsupported("a level could not be checked: an internal error".to_owned());
        results.into_iter().map(|slot| slot.into_inner().ok().flatten().unwrap_or_else(|| Err(lost()))).collect()
    }

    fn one_level<F>(&self, level: Level, include: &Path, work: &F) -> Result<LevelReport, Error>
    where
        F: Fn(ir::Module, &str, &Options, &(dyn Fn(u64) + Sync)) -> Result<LevelReport, Error>,
    {
        let name = level.to_string();
        let tell = |stage, judged| {
            if let Some(watcher) = &self.watcher {
                watcher(Progress { level: &name, stage, judged });
            }
        };
        tell(Stage::Compiling, 0);
        let module = self.read(level, include)?;
        tell(Stage::Judging, 0);
        let report = work(module, &name, &self.options, &|judged| tell(Stage::Judging, judged))?;
        tell(Stage::Done, 0);
        Ok(report)
    }

    fn read(&self, level: Level, include: &Path) -> Result<ir::Module, Error> {
        let options = CompileOptions {
            include_dirs: vec![include.to_owned()],
            flags: self.flags.clone(),
            checkpoints: self.checkpoints.clone(),
            optimize: level != Level::O0,
            passes: self.passes,
            ..CompileOptions::at(level)
        };
        Ok(llvm::read(&self.input, &options)?)
    }

    /// Does the program run as ranks?
    pub(crate) fn is_of_ranks(&self) -> bool {
        !self.options.runs.ranks.is_empty()
    }

    /// The bridge to native code.
    pub(crate) fn bridge(&self) -> &Bridge {
        &self.options.bridge
    }

    /// The input.
    pub(crate) fn input(&self) -> &Input {
        &self.input
    }
}

/// What the program finds in `argv[0]`.
fn program_name(input: &str) -> String {
    Path::new(input).file_stem().map_or_else(|| input.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Puts levels together: a gradient that is right at one level and wrong at another depends on the level.
pub(crate) fn finish(name: &str, mut levels: Vec<LevelReport>) -> Report {
    let right: Vec<(String, crate::report::Gradient)> = levels
        .iter()
        .flat_map(|level| level.gradients.iter().map(|g| (level.level.clone(), g.clone())))
        .filter(|(_, g)| g.verdict.severity() <= Severity::Note)
        .collect();
    // One that is wrong in some runs only depends on these, not on the level.
    for gradient in levels.iter_mut().flat_map(|l| &mut l.gradients).filter(|g| g.steady) {
        let Some(finding) = gradient.finding.as_mut().filter(|f| f.verdict == Verdict::Wrong) else { continue };
        let line = |call: &Option<crate::report::Position>| call.as_ref().map(|c| (c.file.clone(), c.line));
        let elsewhere =
            right.iter().filter(|(_, g)| g.function == gradient.function && line(&g.call) == line(&gradient.call));
        let elsewhere: Vec<&str> = elsewhere.map(|(level, _)| level.as_str()).collect();
        if !elsewhere.is_empty() {
            let before = finding.family.replace(Family::OptLevel);
            let seen = before.map(|family| format!("; at this level alone it looks like {family}")).unwrap_or_default();
            finding.evidence.insert(0, format!("the same call is judged right at {}{seen}", elsewhere.join(" ")));
        }
    }
    Report::new(name, levels)
}
