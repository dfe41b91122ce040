//! What the other subcommands of `adj` do: run a program, replace differentiated calls, print a gradient or the rules.

use crate::check::Check;
use crate::error::Error;
use crate::explained;
use crate::header::IncludeDir;
use crate::kernel::Launch;
use crate::requirements::require_main;
pub use crate::requirements::{access, bridge};
use ad::Activity;
use ad::Refusal;
use interp::bridge::Bridge;
use interp::ranks::Traffic;
use interp::shims::files::Access;
use interp::{Interp, Limits, Machine, Outcome, Plain, Program, Standard, Watcher};
use ir::{FuncId, Module, Type};
pub use llvm::driver::Order;
use llvm::{CompileOptions, Input, Level, Passes};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Reads an input at a level, with `adj.h` on the include path.
pub fn read(input: &Input, level: Level, flags: &[String]) -> Result<Module, Error> {
    with_options(level, flags, &[], |options| Ok(llvm::read(input, &options)?))
}

/// The same for a program that is to be run, with files that hold the device's part of it: what asks for derivatives is
/// compiled as far as `adj cc` does before it differentiates.
fn read_to_run(input: &Input, level: Level, flags: &[String], devices: &[PathBuf]) -> Result<Module, Error> {
    with_options(level, flags, devices, |options| {
        let before = CompileOptions { passes: Passes::BeforeDifferentiation, ..options.clone() };
        // Which of the two it will be is guessed, since each costs a run of the compiler.
        let guessed = level != Level::O0 && may_ask_for_derivatives(input);
        let module = llvm::read(input, if guessed { &before } else { &options })?;
        match asks_for_derivatives(&module) {
            asks if asks == guessed || level == Level::O0 => Ok(module),
            true => Ok(llvm::read(input, &before)?),
            false => Ok(llvm::read(input, &options)?),
        }
    })
}

fn with_options(
    level: Level,
    flags: &[String],
    devices: &[PathBuf],
    read: impl FnOnce(CompileOptions) -> Result<Module, Error>,
) -> Result<Module, Error> {
    let include = IncludeDir::new().map_err(|source| Error::Io { action: "write `adj.h`".to_owned(), source })?;
    read(CompileOptions {
        include_dirs: vec![include.path().to_owned()],
        flags: flags.to_vec(),
        devices: devices.to_vec(),
        ..CompileOptions::at(level)
    })
}

/// Does a source include our header, or another tool's, or name what asks for a derivative?
fn may_ask_for_derivatives(input: &Input) -> bool {
    let Input::File(path) = input else { return false };
    let text = std::fs::read(path).unwrap_or_default();
    let has = |mark: &str| text.windows(mark.len()).any(|part| part == mark.as_bytes());
    ["adj.h", "adj_markers", "enzyme"].into_iter().any(has)
}

fn asks_for_derivatives(module: &Module) -> bool {
    module.functions.values().any(|f| ad::is_entry_point(&f.name))
}

/// How a program is to be run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The level it is compiled at; none for [`Level::O2`], or [`Level::O0`] where threads are made and nothing is
    /// differentiated: an optimiser drops and moves accesses that race, and what it makes of a line is not that line.
    pub level: Option<Level>,
    /// More options for the compiler.
    pub flags: Vec<String>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// IR instructions that it may execute.
    pub steps: u64,
    /// Bytes of memory that it may use.
    pub memory: u64,
    /// Frames of calls that may be open at a time.
    pub depth: usize,
    /// The time that it may take.
    pub time: Option<std::time::Duration>,
    /// Seed of every free choice.
    pub seed: u64,
    /// Threads of an OpenMP region that does not say how many.
    pub threads: usize,
    /// Files with the device's part of the program.
    pub devices: Vec<PathBuf>,
    /// The folder whose files it may touch.
    pub files: Option<PathBuf>,
    /// Which native code it may call.
    pub bridge: Bridge,
    /// Who is told how far it is, every so often.
    pub watcher: Option<Watcher>,
    /// Run it as so many ranks of MPI.
    pub ranks: Option<usize>,
    /// A kernel to be launched in place of `main`; the program's arguments are then the kernel's.
    pub launch: Option<Launch>,
}

impl RunOptions {
    /// The interpreter's limits, with the files that it may touch.
    pub(crate) fn limits(&self, files: &Access) -> Limits {
        let RunOptions { steps, memory, seed, threads, .. } = *self;
        let deadline = self.time.map(|time| std::time::Instant::now() + time);
        Limits {
            steps,
            memory,
            seed,
            threads,
            controls: None,
            deadline,
            depth: self.depth,
            files: files.clone(),
            bridge: self.bridge.clone(),
            watcher: self.watcher.clone(),
        }
    }
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, with this status.
    Status(i32),
    /// Stopped: the explanation, and the exit code of the command.
    Stopped(String, u8),
}

/// Runs a program under the interpreter; it prints to our own standard output. Differentiated calls are replaced first.
pub fn run(input: &Input, options: &RunOptions) -> Result<Ended, Error> {
    let files = access(options.files.as_deref())?;
    let program = runnable(input, options)?;
    Ok(run_once(&program, input, (options, &files), Box::new(Standard::default())))
}

/// What became of several runs, each with the schedule of another seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// Runs.
    pub runs: u64,
    /// Seeds, explanations and exit codes of those that did not finish with status 0.
    pub failures: Vec<(u64, Ended)>,
}

/// Runs a program once for each of `count` seeds from that of the options on; what it prints is dropped.
pub fn explore(input: &Input, options: &RunOptions, count: u64) -> Result<Explored, Error> {
    let files = access(options.files.as_deref())?;
    let program = runnable(input, options)?;
    let mut explored = Explored { runs: count, failures: Vec::new() };
    for seed in options.seed..options.seed.saturating_add(count) {
        let options = RunOptions { seed, ..options.clone() };
        let ended = run_once(&program, input, (&options, &files), Box::new(interp::Discard));
        if ended != Ended::Status(0) {
            explored.failures.push((seed, ended));
        }
    }
    Ok(explored)
}

/// Runs a program once as ranks, one unless told otherwise; what has gone from one rank to another, too.
///
/// # Errors
/// As [`run`].
pub fn run_counted(input: &Input, options: &RunOptions) -> Result<(Ended, Traffic), Error> {
    let files = access(options.files.as_deref())?;
    let (program, limits) = (runnable(input, options)?, options.limits(&files));
    let args: Vec<String> = std::iter::once(input.name()).chain(options.args.iter().cloned()).collect();
    let (ranks, output) = (options.ranks.unwrap_or(1), Box::new(Standard::default()));
    let (outcome, traffic) = interp::ranks::run_counted(&program, || Plain, &limits, (ranks, &args), output);
    Ok((ended(outcome), traffic))
}

/// A program with its gradients, ready to be run.
pub(crate) fn runnable(input: &Input, options: &RunOptions) -> Result<Program, Error> {
    let at = |level| read_to_run(input, level, &options.flags, &options.devices);
    let mut module = at(options.level.unwrap_or(Level::O2))?;
    if options.level.is_none() && ad::has_threads(&module) && !asks_for_derivatives(&module) {
        module = at(Level::O0)?;
    }
    match &options.launch {
        Some(launch) => drop(launch.kernel_of(&module, &input.name())?),
        None => require_main(&module, &input.name())?,
    }
    let output = ad::differentiate(module, &ad::Options::default());
    if let Some(refusal) = output.refusals.first() {
        return Err(refused(refusal));
    }
    Program::shared(Rc::new(output.module)).map_err(|diagnostics| {
        let all: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
        Error::Unsupported(all.join("; "))
    })
}

fn run_once(
    program: &Program,
    input: &Input,
    (options, files): (&RunOptions, &Access),
    output: Box<dyn interp::Output>,
) -> Ended {
    let limits = options.limits(files);
    if let Some(ranks) = options.ranks {
        let args: Vec<String> = std::iter::once(input.name()).chain(options.args.iter().cloned()).collect();
        return ended(interp::ranks::run(program, || Plain, &limits, (ranks, &args), output));
    }
    run_in(&mut Interp::new(program, Plain, limits).with_output(output), input, options)
}

/// Runs the program of an interpreter, or the kernel.
pub(crate) fn run_in<M: Machine>(interp: &mut Interp<'_, M>, input: &Input, options: &RunOptions) -> Ended {
    interp.runtime.input = interp::shims::input::Input::standard();
    let mut args = vec![input.name()];
    args.extend(options.args.iter().cloned());
    let outcome = match &options.launch {
        Some(launch) => match launch.run(interp, &options.args) {
            Ok(outcome) => outcome,
            Err(message) => return Ended::Stopped(message, 2),
        },
        None => interp.run_main(&args),
    };
    ended(outcome)
}

/// An outcome as the command tells it.
fn ended(outcome: Outcome) -> Ended {
    match outcome {
        Outcome::Finished(status) => Ended::Status(status),
        Outcome::Stopped(stop) => {
            let code = match &stop {
                interp::Stop::Undefined(_) => 1,
                interp::Stop::Unsupported(_) | interp::Stop::Resource(_) | interp::Stop::Bug(_) => 3,
                interp::Stop::Exit(status) => return Ended::Status(*status),
            };
            Ended::Stopped(stop.to_string(), code)
        }
    }
}

fn refused(refusal: &Refusal) -> Error {
    Error::Unsupported(refusal.diagnostic.to_string())
}

/// What is done to a module beside replacing its differentiated calls.
#[derive(Clone, Debug, Default)]
pub struct OptOptions {
    /// A defect to plant.
    pub fault: Option<ad::Fault>,
    /// What to go without.
    pub without: ad::Without,
    /// What each call asks for.
    pub everywhere: ad::Everywhere,
    /// The passes around differentiation; as in [`crate::driver`], gradients are then made for native code. Without an
    /// order, the module is taken as it is, and what comes out can be interpreted and judged as well.
    pub order: Option<Order>,
}

/// Replaces every differentiated call of a module and prints it as IR.
pub fn opt(input: &Input, options: &OptOptions) -> Result<String, Error> {
    let OptOptions { fault, without, everywhere, order } = options;
    let asked = ad::Options { fault: *fault, without: *without, everywhere: *everywhere };
    if let Some(order) = order {
        if fault.is_some() {
            return Err(Error::Usage("a defect is planted in gradients that are judged, without passes".to_owned()));
        }
        let packing = !without.has(ad::Lever::Packing);
        let differentiate = &mut |module| crate::driver::differentiate(module, &asked);
        let text = llvm::driver::around(input, (order, packing), differentiate)?;
        return text.map_err(|refused| Error::Unsupported(refused.message.trim_end().to_owned()));
    }
    let module = read(input, Level::O0, &[])?;
    let mut output = ad::differentiate(module, &asked);
    ad::gathered_add::install(&mut output.module);
    match output.refusals.first() {
        Some(refusal) => Err(refused(refusal)),
        None => Ok(output.module.to_string()),
    }
}

/// The IR of the gradient (or the tangent) of one function: that of its differentiated call if there is one, else with
/// the default activities, and along one direction.
pub fn gradient(input: &Input, level: Level, flags: &[String], function: &str, forward: bool) -> Result<String, Error> {
    let module = read(input, level, flags)?;
    let Some(primal) = module.function(function).filter(|f| !module.functions[*f].is_declaration()) else {
        return Err(Error::Usage(format!("the program does not define a function `{function}`")));
    };
    let mut output = ad::differentiate(module, &ad::Options::default());
    // Names that are not known are mistakes of the program, whatever is asked for.
    if let Some((.., unknown)) = ad::unknown_names::refused(&output.module).into_iter().next() {
        return Err(Error::Unsupported(unknown.to_string()));
    }
    let mode = |j: &&ad::Judged| (j.mode != ad::Mode::Reverse) == forward;
    let asked = output.judged.iter().filter(mode).find(|j| j.primal == primal && !j.given).map(|j| j.gradient);
    let gradient = match asked {
        Some(gradient) => gradient,
        None => {
            let activities = default_activities(&output.module, primal, forward);
            let options = ad::Options::default();
            let made = match forward {
                true => ad::tangent_of(&mut output.module, primal, &activities, 1, &options),
                false => ad::gradient_of(&mut output.module, primal, &activities, &options),
            };
            made.map_err(|diagnostic| Error::Unsupported(diagnostic.to_string()))?
        }
    };
    Ok(print(&output.module, gradient))
}

fn default_activities(module: &Module, function: FuncId, forward: bool) -> Vec<Activity> {
    let activity = |ty| match module.types.get(ty) {
        Type::Float(_) if forward => Activity::Dup,
        Type::Float(_) => Activity::Out,
        Type::Ptr(_) => Activity::Dup,
        _ => Activity::Const,
    };
    module.functions[function].params.iter().map(|p| activity(p.ty)).collect()
}

/// A function and the functions of derivatives that it calls, as IR.
fn print(module: &Module, root: FuncId) -> String {
    let mut text = String::new();
    let mut shown = vec![root];
    let mut next = 0;
    while let Some(id) = shown.get(next).copied() {
        next += 1;
        let function = &module.functions[id];
        text.push_str(&ir::print::print_function(module, function));
        text.push('\n');
        for (_, inst) in function.inst_order() {
            for operand in function.insts[inst].kind.operands() {
                if let Some(callee) = module.as_function(operand)
                    && module.functions[callee].name.starts_with("__adj")
                    && !module.functions[callee].is_declaration()
                    && !shown.contains(&callee)
                {
                    shown.push(callee);
                }
            }
        }
    }
    text
}

/// What was decided about each instruction of the functions that differentiated calls reach, and why, beside the source
/// lines; of one function's calls, if one is named.
pub fn explain(input: &Input, level: Level, flags: &[String], function: Option<&str>) -> Result<String, Error> {
    let module = read(input, level, flags)?;
    let output = ad::differentiate(module, &ad::Options::default());
    let named = |primal: FuncId| function.is_none_or(|name| output.module.functions[primal].name == name);
    let mut asked: Vec<(FuncId, Vec<Activity>, ad::Mode, ad::Style)> = Vec::new();
    for call in output.judged.iter().filter(|j| !j.given && named(j.primal)) {
        let key = (call.primal, call.activities.clone(), call.mode, call.style);
        if !asked.contains(&key) {
            asked.push(key);
        }
    }
    if asked.is_empty() {
        return Err(match (output.refusals.first(), function) {
            (Some(refusal), _) => refused(refusal),
            (None, Some(name)) => Error::Usage(format!("there is no differentiated call of a function `{name}`")),
            (None, None) => Error::Usage("there is no differentiated call".to_owned()),
        });
    }
    let mut text = String::new();
    for (primal, activities, mode, style) in asked {
        let explained = ad::explain::explain(&output.module, primal, &activities, (mode, style))
            .map_err(|diagnostic| Error::Unsupported(diagnostic.to_string()))?;
        let what = if mode == ad::Mode::Reverse { "gradient" } else { "tangent" };
        let markers: Vec<&str> = activities.iter().map(|a| a.marker()).collect();
        let name = &output.module.functions[primal].name;
        text.push_str(&format!("{what} of `{name}` ({}) at {level}\n\n", markers.join(", ")));
        text.push_str(&explained::text(&explained));
    }
    Ok(text)
}

/// One row of the table of rules in words, or the whole table.
pub fn rules(name: Option<&str>) -> Result<String, Error> {
    match name {
        None => Ok(rules::reference_markdown()),
        Some(name) => {
            if let Some((routine, _)) = rules::blas::Spelling::of(name) {
                return Ok(rules::describe_blas(routine));
            }
            let found = rules::lookup(name).map(|symbol| symbol.row).or_else(|| rules::lookup_opcode(name));
            let row = found.ok_or_else(|| Error::Usage(format!("there is no rule for `{name}`")))?;
            Ok(rules::describe(row))
        }
    }
}

/// Writes a file whole or not at all.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Error> {
    use std::io::Write;
    let failed = |source| Error::Io { action: format!("write {}", path.display()), source };
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".adj-").tempfile_in(parent).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error)).map(drop)
}

/// A check of an input, for the command line.
pub fn check(input: Input) -> Check {
    Check::new(input)
}
