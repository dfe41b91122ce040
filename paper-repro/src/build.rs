//! One program to an executable: with our gradients, differentiated after or before optimisation, by another tool on
//! the same IR, or by one with numbers of its own.

use crate::overloaded::{self, Tool};
use crate::programs::Program;
use ad::{Lever, Without};
use adjudicate::driver::{self, Compiler, Outcome, Pipeline, Settings};
use llvm::driver::Invocation;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Another tool: a command that reads IR from the file named next, and writes IR to the file after `-o`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Peer {
    /// Its name in the table.
    pub name: String,
    /// The command, for a shell.
    pub command: String,
}

impl Peer {
    /// Reads `NAME=COMMAND`.
    pub fn parse(text: &str) -> Result<Peer, String> {
        match text.split_once('=') {
            Some((name, command)) if !name.trim().is_empty() && !command.trim().is_empty() => {
                Ok(Peer { name: name.trim().to_owned(), command: command.trim().to_owned() })
            }
            _ => Err(format!("`{text}` is not NAME=COMMAND, such as `enzyme=opt -load-pass-plugin=… -passes=enzyme`")),
        }
    }
}

/// Whose gradient it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Ours. [`Pipeline::Ref`] is the paper's Ref: no optimisation at all before differentiation, none of ours either.
    Ours(Pipeline),
    /// Ours before optimisation, but for variables, which become values as they do whenever we differentiate.
    Promoted,
    /// Ours without a lever.
    Without(Lever),
    /// Another tool's, on the same IR.
    Peer(Peer),
    /// That of a tool with numbers of its own.
    Overloaded(Tool),
}

impl Variant {
    /// Its name in tables.
    pub fn name(&self) -> &str {
        match self {
            Variant::Ours(Pipeline::Enzyme) => "ours",
            Variant::Ours(Pipeline::Ref) => "ref",
            Variant::Promoted => "promoted",
            Variant::Without(lever) => lever.name(),
            Variant::Peer(peer) => &peer.name,
            Variant::Overloaded(tool) => tool.name(),
        }
    }
}

/// The level of all builds.
pub(crate) const LEVEL: &str = "-O3";

/// Compiles the file that counts bytes on the heap, with clang alone: no gradient looks into it.
pub fn meter(folder: &Path) -> Result<PathBuf, String> {
    let clang = llvm::find::toolchain().map_err(|error| error.to_string())?.clang;
    let object = folder.join("meter.o");
    run(Command::new(clang).args(["-O2", "-c", "-o"]).arg(&object).arg(folder.join("meter.c")))?;
    Ok(object)
}

/// Builds a program: the path of the executable, and the seconds that it took.
pub fn build(folder: &Path, program: &Program, variant: &Variant) -> Result<(PathBuf, f64), String> {
    let tag = match variant {
        Variant::Peer(peer) => format!("peer-{}", peer.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")),
        other => other.name().to_owned(),
    };
    let executable = folder.join(format!("{}-{tag}", program.name));
    let start = std::time::Instant::now();
    match variant {
        Variant::Ours(Pipeline::Enzyme) => ours(folder, program, Pipeline::Enzyme, Without::default(), &executable)?,
        // Our differentiation makes values of variables by itself; the paper's optimises nothing before.
        Variant::Ours(Pipeline::Ref) => {
            let without = Without::default().and(Lever::Promotion).and(Lever::Inlining);
            ours(folder, program, Pipeline::Ref, without, &executable)?;
        }
        Variant::Promoted => ours(folder, program, Pipeline::Ref, Without::default(), &executable)?,
        Variant::Without(lever) => {
            let without = Without::default().and(*lever);
            ours(folder, program, Pipeline::Enzyme, without, &executable)?;
        }
        Variant::Peer(peer) => by_peer(folder, program, peer, &tag, &executable)?,
        Variant::Overloaded(tool) => drop(overloaded::build(folder, program, *tool)?),
    }
    Ok((executable, start.elapsed().as_secs_f64()))
}

fn ours(folder: &Path, program: &Program, pipeline: Pipeline, without: Without, to: &Path) -> Result<(), String> {
    let mut arguments: Vec<OsString> = vec![LEVEL.into(), folder.join(program.file).into()];
    arguments.extend([folder.join("meter.o").into(), "-lm".into(), "-o".into(), to.into()]);
    by_driver(program.is_cxx(), pipeline, without, arguments)
}

fn compiler(cxx: bool) -> Compiler {
    if cxx { Compiler::ClangCxx } else { Compiler::Clang }
}

/// Runs `adj cc` or `adj c++`, which must find something to differentiate.
pub(crate) fn by_driver(
    cxx: bool,
    pipeline: Pipeline,
    without: Without,
    arguments: Vec<OsString>,
) -> Result<(), String> {
    let settings = Settings { compiler: compiler(cxx), pipeline, without, ..Settings::default() };
    match driver::run(settings, arguments).map_err(|error| error.to_string())? {
        Outcome::Done { code: 0, .. } => Ok(()),
        Outcome::Done { messages, code } => Err(format!("the driver returned {code}\n{messages}")),
        Outcome::AsIs(_) => Err("the program has no differentiated call".to_owned()),
    }
}

/// The program's module as ours differentiates it.
pub fn simplified(folder: &Path, program: &Program) -> Result<String, String> {
    let invocation = Invocation {
        compiler: compiler(program.is_cxx()),
        pipeline: Pipeline::Enzyme,
        include: folder.to_owned(),
        checkpoints: Vec::new(),
        always: false,
        carrier: None,
        packing: true,
        arguments: vec![LEVEL.into(), "-c".into(), folder.join(program.file).into()],
    };
    llvm::driver::simplified(&invocation).map_err(|error| error.to_string())
}

fn by_peer(folder: &Path, program: &Program, peer: &Peer, tag: &str, executable: &Path) -> Result<(), String> {
    let given = folder.join(format!("{}.{tag}.ll", program.name));
    let taken = folder.join(format!("{}.{tag}.out.ll", program.name));
    let text = simplified(folder, program)?;
    std::fs::write(&given, text).map_err(|error| error.to_string())?;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("{} \"$0\" -S -o \"$1\"", peer.command)]).arg(&given).arg(&taken);
    run(&mut command)?;
    let made = std::fs::read_to_string(&taken).map_err(|_| "it left no output".to_owned())?;
    if made.lines().any(|line| line.contains("call ") && line.contains("@__enzyme_autodiff")) {
        return Err("it left differentiated calls in the module".to_owned());
    }
    let clang = llvm::find::toolchain().map_err(|error| error.to_string())?.clang;
    let mut command = Command::new(clang);
    command.args([LEVEL, "-mllvm", llvm::pipeline::PACKING, "-Wno-override-module", "-x", "ir"]).arg(&taken);
    command.args(["-x", "none"]);
    run(command.arg(folder.join("meter.o")).args(["-lstdc++", "-lm", "-o"]).arg(executable))
}

/// Runs a command to its end; what it said if it failed.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} ({})", said.lines().take(5).collect::<Vec<_>>().join("\n"), output.status))
}
