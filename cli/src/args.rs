//! The command line.

use crate::values::{bytes, duration, level};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Decides whether gradients are the derivative, and says where they first go wrong.
///
/// Exit codes: 0 every gradient is correct (kinks and conventions are notes); 1 a gradient is wrong, inaccurate or
/// faulty; 2 wrong usage, or a program that does not compile; 3 unsupported, or out of resources.
#[derive(Parser, Debug)]
#[command(name = "adj", version, propagate_version = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Judge every gradient of a program (C, C++, Fortran, LLVM IR or bitcode).
    Check(Check),
    /// Run a program under the interpreter, with its gradients.
    Run(Run),
    /// Compile and link C as clang does, with a gradient in place of every autodiff call.
    ///
    /// Takes clang's command line: `adj cc -O3 prog.c -o prog -lm`. Exit codes and messages are a compiler's.
    Cc(Cc),
    /// The same for C++, as clang++ does.
    #[command(name = "c++")]
    Cxx(Cc),
    /// The same for Fortran, as flang does: `adj fc -O2 prog.f90 -o prog`.
    Fc(Cc),
    /// Run a program that was built with `adj cc --verify`, and judge the gradients of its first calls: what such a
    /// program does when it is run.
    Judge(crate::judging::Judge),
    /// Print the folder with `adj.h`, `<enzyme/enzyme>` and a package for CMake (in `cmake`), for other tools.
    Include,
    /// Replace every autodiff call of a module of LLVM IR.
    Opt(crate::opt::Opt),
    /// Print the gradient of a function as LLVM IR.
    Grad(Grad),
    /// Say of each instruction whether it is active and why, and what is cached of it for the reverse pass.
    Explain(Explain),
    /// Print the table of derivative rules, or one row of it.
    Rules(Rules),
    /// Prove the rules: that their partials are the derivatives, their conventions what they say.
    Verify(Verify),
    /// Generate programs, judge their gradients, and reduce each program with a finding.
    ///
    /// Exit codes: 0 nothing was found; 1 there are findings; 2 wrong usage.
    Fuzz(Fuzz),
    /// Measure a table of a paper again, with answers checked before times are reported.
    ///
    /// Exit codes: 0 all of our answers are right; 1 one is not; 2 wrong usage.
    Repro(Repro),
    /// Measure the project itself: reading, differentiating and interpreting programs, and their gradients.
    Bench(Bench),
}

/// Arguments of `check`.
#[derive(Args, Debug)]
pub struct Check {
    /// The program: a source or IR, or all its files; objects and archives of `adj cc` too.
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Arguments of the program.
    #[arg(last = true)]
    pub args: Vec<String>,
    /// Optimisation levels.
    #[arg(short = 'O', long, value_delimiter = ',', default_value = "O0,O1,O2,O3", value_parser = level)]
    pub levels: Vec<String>,
    /// Bits of the multi-precision shadow values.
    #[arg(long, value_name = "BITS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(128..=65536))]
    pub precision: u32,
    /// Error tolerance: bits that each differentiation may lose beyond what the condition of the derivative explains.
    #[arg(long, value_name = "BITS", default_value_t = 16)]
    pub allowance: u32,
    /// Seed of every random choice, the schedule of threads included.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Threads of an OpenMP region that does not say how many. With several numbers the program is run and judged with
    /// each, and the verdict has to be the same; the first run that differs is reported.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "4",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Vec<u16>,
    /// Run and judge the program under N schedules for each number of threads: those of the seed and of the numbers
    /// after it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub schedules: u64,
    /// Run the program as that number of MPI ranks; calls in which they send each other messages are judged for all of
    /// them together. With several numbers the program is judged with each.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=64))]
    pub ranks: Vec<u16>,
    /// Write the report as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also compile the program with its gradients, and compare what it prints bit for bit.
    #[arg(long)]
    pub native: bool,
    /// Instructions that each run may execute.
    #[arg(long, value_name = "N", default_value_t = 200_000_000)]
    pub steps: u64,
    /// Bytes of memory that the program may use (with K, M or G).
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub memory: u64,
    /// Inject a fault into synthesised gradients, to see that it is found.
    #[arg(long, value_name = "NAME")]
    pub fault: Option<String>,
    /// An option for the compiler; may be repeated.
    #[arg(long = "cflag", value_name = "OPTION", allow_hyphen_values = true)]
    pub flags: Vec<String>,
    /// Reverse a loop from snapshots: FUNCTION, FUNCTION:LINE or FILE:LINE, `=revolve:N` or `=periodic:N`; may be
    /// repeated.
    #[arg(long = "checkpoint", value_name = "LOOP=SCHEDULE")]
    pub checkpoints: Vec<String>,
    /// Also prove the gradients for all inputs of the program's shape, where z3 can.
    #[arg(long)]
    pub prove: bool,
    /// Measure the tapes: what is cached of which line, and the memory of gradient and primal.
    #[arg(long)]
    pub tape: bool,
    /// Permit the program to touch files under the current folder, or under DIR, outside of autodiff calls;
    /// levels are then checked one after the other.
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    pub allow_files: Option<PathBuf>,
    /// Let the program, outside of autodiff calls, call functions of this shared library that are not known
    /// otherwise, with scalars; may be repeated. What they do is not checked.
    #[arg(long, value_name = "LIBRARY")]
    pub native_calls: Vec<PathBuf>,
    /// Print failures only.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct Run {
    /// The program.
    pub file: PathBuf,
    /// Arguments of the program.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
    /// Optimisation level: O2 by default, but O0 for programs with threads that differentiate nothing, whose
    /// races an optimiser may move or remove.
    #[arg(short = 'O', long, value_parser = level)]
    pub level: Option<String>,
    /// Instructions that the program may execute.
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000)]
    pub steps: u64,
    /// Bytes of memory that the program may use (with K, M or G).
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub memory: u64,
    /// Calls that may be open at a time.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub depth: usize,
    /// Time that the program may take (with s, m or h).
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<std::time::Duration>,
    #[command(flatten)]
    pub observed: Observed,
    /// Report progress on standard error at this interval (with s, m or h; 0s: never). At a terminal every ten seconds
    /// by default.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub progress: Option<std::time::Duration>,
    /// Seed of every free choice, the schedule of threads included.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Run with N seeds, and report which schedules fail; what the program prints is dropped.
    #[arg(long, value_name = "N")]
    pub schedules: Option<u64>,
    /// Threads of an OpenMP region that does not say how many.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Permit the program to touch files under the current folder, or under DIR; without this it is stopped where it
    /// tries.
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    pub allow_files: Option<PathBuf>,
    /// Let the program call functions of this shared library that are not known otherwise, with scalars; may be
    /// repeated. What they do is not checked.
    #[arg(long, value_name = "LIBRARY")]
    pub native_calls: Vec<PathBuf>,
    /// Run the program as N ranks of MPI.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "grid")]
    pub ranks: Option<u16>,
    /// A file with the device's part of the program (source or IR); may be repeated.
    #[arg(long = "device", value_name = "FILE")]
    pub devices: Vec<PathBuf>,
    /// Launch a kernel with this grid of blocks in place of `main`; ARGS are its arguments (see docs/gpu.md).
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = size, requires = "block")]
    pub grid: Option<[u32; 3]>,
    /// Threads of each block.
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = size, requires = "grid")]
    pub block: Option<[u32; 3]>,
    /// The kernel, if the module has several.
    #[arg(long, value_name = "NAME", requires = "grid")]
    pub kernel: Option<String>,
    /// Bytes of shared memory that the launch asks for (with K, M or G).
    #[arg(long, value_name = "BYTES", default_value = "0", value_parser = bytes)]
    pub shared: u64,
    /// An option for the compiler; may be repeated.
    #[arg(long = "cflag", value_name = "OPTION", allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

/// Options of `run` that look at what is executed.
#[derive(Args, Debug)]
pub struct Observed {
    /// Print on standard error what was executed: instructions by opcode, floating-point operations, calls of the
    /// library, loads and stores, memory. Of ranks: the messages that they send each other.
    #[arg(long, conflicts_with = "schedules")]
    pub stats: bool,
    /// Write the same as JSON; `-` is standard error.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ranks", "schedules"])]
    pub stats_json: Option<PathBuf>,
    /// Print on standard error what is executed; may be repeated.
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = ["ranks", "schedules"])]
    pub trace: Vec<Trace>,
    /// Trace this function only (its name in the IR); may be repeated.
    #[arg(long, value_name = "NAME", requires = "trace")]
    pub trace_function: Vec<String>,
}

/// What a trace prints.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trace {
    /// Every instruction, before it is executed.
    Instructions,
    /// Every scalar that is loaded or stored, with its address.
    Memory,
    /// Which thread goes on.
    Threads,
}

/// Arguments of `cc` and `c++`.
#[derive(Args, Debug)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct Cc {
    /// When to differentiate: after optimisation (`enzyme`), or before (`ref`).
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Enzyme)]
    pub pipeline: When,
    /// Reverse a loop from snapshots: FUNCTION, FUNCTION:LINE or FILE:LINE, `=revolve:N` or `=periodic:N`; may be
    /// repeated.
    #[arg(long = "checkpoint", value_name = "LOOP=SCHEDULE")]
    pub checkpoints: Vec<String>,
    /// Disable an optimisation of gradients: `promotion`, `inlining`, `minimum-cut`, `reload`, `stored-values`,
    /// `scratch`, `arrays`, `nesting`, `replay`, `conditions`, `skips`, `alias-scopes`, `negative-zero`, `tape-reuse`,
    /// `errno`, `merge-loads`, `shared-calls`, `known-clear`, `cells`, `alignment`, `joint`, `maps`, `gathering`,
    /// `packing`; may be repeated. The answer does not depend on it.
    #[arg(long, value_name = "OPTIMISATION")]
    pub without: Vec<String>,
    /// A program that is linked judges its gradients when it is run: the first N executions (3 by default) of each
    /// autodiff call.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "3",
          value_parser = crate::judging::executions)]
    pub verify: Option<u64>,
    /// The command line of clang.
    #[arg(value_name = "CLANG ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<std::ffi::OsString>,
}

/// When to differentiate.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Optimise without vectorising or unrolling, differentiate, optimise fully.
    Enzyme,
    /// Differentiate first.
    Ref,
}

/// Arguments of `grad`.
#[derive(Args, Debug)]
pub struct Grad {
    /// The program.
    pub file: PathBuf,
    /// The function to differentiate.
    #[arg(short, long, value_name = "NAME")]
    pub function: String,
    /// Its tangent (forward mode) instead of its gradient.
    #[arg(long)]
    pub forward: bool,
    /// Optimisation level.
    #[arg(short = 'O', long, default_value = "O2", value_parser = level)]
    pub level: String,
    /// An option for the compiler; may be repeated.
    #[arg(long = "cflag", value_name = "OPTION", allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

/// Arguments of `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// The program, with autodiff calls.
    pub file: PathBuf,
    /// Only the calls that differentiate this function.
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// Optimisation level.
    #[arg(short = 'O', long, default_value = "O1", value_parser = level)]
    pub level: String,
    /// An option for the compiler; may be repeated.
    #[arg(long = "cflag", value_name = "OPTION", allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

/// Arguments of `rules`.
#[derive(Args, Debug)]
pub struct Rules {
    /// An operation: an instruction (`fmul`), an intrinsic (`llvm.sin.f64`) or a function (`tgamma`).
    pub operation: Option<String>,
}

/// Arguments of `verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// A row of the table (`Tan`, `tan`, `fmul`), or another rule by its name; all of them if absent.
    pub rule: Option<String>,
    /// Write the result as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// In what `fuzz` writes programs.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug)]
pub enum FuzzTarget {
    /// C, compiled at each level.
    C,
    /// LLVM IR, built in memory; other levels than the first are judged now and then.
    Ir,
}

/// Arguments of `fuzz`.
#[derive(Args, Debug)]
pub struct Fuzz {
    /// In what programs are written.
    #[arg(long, value_enum, default_value_t = FuzzTarget::C)]
    pub target: FuzzTarget,
    /// No gradients: execute programs in IR, and compare their results with those of native code at each level, bit for
    /// bit.
    #[arg(long, conflicts_with_all = ["ad_command", "fault", "mutants"])]
    pub semantics: bool,
    /// No gradients: execute programs, and compare what the analyses claim of them with what they do.
    #[arg(long, conflicts_with_all = ["ad_command", "fault", "mutants", "semantics"])]
    pub analyses: bool,
    /// Seed of the first program; each further program has the next.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Programs, at most.
    #[arg(long, value_name = "N")]
    pub count: Option<u64>,
    /// Time, at most (with s, m or h): a minute, if no number of programs is given either.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<std::time::Duration>,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Optimisation levels.
    #[arg(short = 'O', long, value_delimiter = ',', default_value = "O0,O1,O2,O3", value_parser = level)]
    pub levels: Vec<String>,
    /// Where findings are written; a campaign in a folder that has one goes on where that one ended.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Write the summary as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Weights of the generator, as JSON; what is left out has its default.
    #[arg(long, value_name = "FILE")]
    pub odds: Option<PathBuf>,
    /// Numbers of threads that a parallel program is judged with.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,3")]
    pub threads: Vec<usize>,
    /// Schedules that it is judged under, for each number of threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub schedules: u64,
    /// Do not compare with the natively compiled program.
    #[arg(long)]
    pub no_native: bool,
    /// Inject a fault into the gradients, to see that it is found.
    #[arg(long, value_name = "NAME")]
    pub fault: Option<String>,
    /// Judge another AD tool: a command that reads LLVM IR with autodiff calls and writes it with them replaced.
    #[arg(long, value_name = "COMMAND", conflicts_with = "fault")]
    pub ad_command: Option<String>,
    /// Seconds that the command may take for one module.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub ad_timeout: u64,
    /// End after N distinct findings.
    #[arg(long, value_name = "N")]
    pub findings: Option<usize>,
    /// Mutation testing of the oracle: change one instruction of a gradient, N times, and see whether it is noticed.
    #[arg(long, value_name = "N", conflicts_with_all = ["ad_command", "fault", "resume", "target"])]
    pub mutants: Option<u64>,
    /// Print the programs instead of checking them.
    #[arg(long)]
    pub print: bool,
}

/// Arguments of `repro`.
#[derive(Args, Debug)]
pub struct Repro {
    /// What to reproduce.
    #[command(subcommand)]
    pub what: Reproduction,
}

/// What can be reproduced.
#[derive(Subcommand, Debug)]
pub enum Reproduction {
    /// List what there is.
    List,
    /// NeurIPS 2020, Table 1: our gradients, the same before optimisation, by hand, and by other tools.
    Table1(Table1),
    /// NeurIPS 2020, Figure 1: times against length, for optimisation before and after differentiation.
    Figure1(Figure1),
    /// NeurIPS 2020, Figure 7: the loop of a Taylor series, by tools of different kinds.
    Figure7(Figure7),
    /// NeurIPS 2020, Figure 10: the tools of Table 1 relative to the fastest.
    Figure10(Table1),
    /// SC'22: gradients of parallel programs in OpenMP, closures, tasks and MPI, and how they scale.
    Sc22(Sc22),
    /// What each optimisation of gradients is worth, program by program.
    Ablation(Ablation),
}

/// The files of a reproduction.
#[derive(Args, Debug)]
pub struct Outputs {
    /// Write the data as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the data as comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw as SVG.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Draw as PNG.
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write a page with claim, drawing and table.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write all of these into a folder.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// Arguments of `repro table1` and `repro figure10`.
#[derive(Args, Debug)]
pub struct Table1 {
    /// One input for each program, and fewer rounds: within five minutes.
    #[arg(long)]
    pub quick: bool,
    /// Only these programs.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub bench: Vec<String>,
    /// Inputs from the files of ADBench in this folder (`ba`, `gmm/1k`, `lstm`, `hand/simple_small`), in place of
    /// generated ones.
    #[arg(long, value_name = "FOLDER")]
    pub adbench: Option<PathBuf>,
    /// Another tool: a command that takes a file of IR, `-S -o` and the file to write; may be repeated.
    #[arg(long = "peer", value_name = "NAME=COMMAND")]
    pub peers: Vec<String>,
    /// Tools that overload operators: `adol-c`, `sacado`, or `none`.
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "adol-c,sacado")]
    pub tools: Vec<String>,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Arguments of `repro figure1`.
#[derive(Args, Debug)]
pub struct Figure1 {
    /// Fewer lengths and rounds.
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Arguments of `repro figure7`.
#[derive(Args, Debug)]
pub struct Figure7 {
    /// A tenth of the terms, and fewer rounds.
    #[arg(long)]
    pub quick: bool,
    /// Tools that overload operators: `adol-c`, `sacado`, or `none`.
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "adol-c,sacado")]
    pub tools: Vec<String>,
    /// The compiler of Rust, with an LLVM that is not newer than ours.
    #[arg(long, value_name = "COMMAND", default_value = "rustc")]
    pub rustc: String,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Arguments of `repro sc22`.
#[derive(Args, Debug)]
pub struct Sc22 {
    /// Smaller inputs, and fewer rounds.
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Arguments of `repro ablation`.
#[derive(Args, Debug)]
pub struct Ablation {
    /// Fewer rounds.
    #[arg(long)]
    pub quick: bool,
    /// Only these programs.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub bench: Vec<String>,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Arguments of `bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// Only benchmarks with this in their name, such as `synthesis` or `gradient/rk4`.
    #[arg(default_value = "")]
    pub filter: String,
    /// List what there is.
    #[arg(long)]
    pub list: bool,
    /// Where results are stored, with which the next run is compared.
    #[arg(long, value_name = "FOLDER", default_value = "target/criterion")]
    pub out: PathBuf,
    /// Seconds for each benchmark.
    #[arg(long, default_value_t = 3.0, value_parser = seconds)]
    pub seconds: f64,
}

/// A time in seconds that can be measured in.
fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    match (0.01..=3600.0).contains(&number) {
        true => Ok(number),
        false => Err(format!("`{text}` is not between 0.01 and 3600")),
    }
}

/// Reads a size along up to three axes.
fn size(text: &str) -> Result<[u32; 3], String> {
    let sides: Vec<u32> = text
        .split(',')
        .map(|side| side.trim().parse().map_err(|_| format!("`{side}` is no size")))
        .collect::<Result<_, _>>()?;
    match sides[..] {
        [x] => Ok([x, 1, 1]),
        [x, y] => Ok([x, y, 1]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err("more than three sizes".to_owned()),
    }
}
