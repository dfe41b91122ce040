//! An input to canonical text.
//!
//! Source is compiled by clang (Fortran: flang) at the user's own level, with no option that changes what the
//! program means: the functions to be differentiated stay, because their address is taken. Three options serve the
//! reader of a report: debug locations, the names of values, and at `-O0` no `optnone` mark, which
//! would keep later passes from preparing a function for differentiation.
//!
//! A program that tells something of its functions ([`ir::hint`]) is compiled in two steps, so that what it tells
//! still applies when its functions have been optimised: see [`crate::pin`].

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;
use crate::find::{self, Toolchain};
use crate::read::in_ir;
use crate::several::{self, Part};
use crate::source::{Input, Language, Level, Opened};
use crate::text::{self, Compiled, TIME_LIMIT};
use crate::tool::{Tool, argument};
use crate::{bodies, offload, pin, pipeline, simplify};

/// Which passes of a level run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// All, vectorisation and unrolling among them, as a compiler runs them that knows of no differentiation.
    #[default]
    All,
    /// Those before a module is differentiated, where [`crate::driver`] differentiates it after optimisation
    /// ([`pipeline::simplification`]). Of Fortran, and of programs with a part for a device, all.
    BeforeDifferentiation,
}

/// How an input is read.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The optimisation level of source; and of IR, if [`Self::optimize`] is set.
    pub level: Level,
    /// Folders in which `#include` looks besides the compiler's own.
    pub include_dirs: Vec<PathBuf>,
    /// More options for the compiler.
    pub flags: Vec<String>,
    /// Whether the IR tells source locations and types.
    pub debug: bool,
    /// Whether IR, too, is optimised at [`Self::level`]; otherwise it is taken as it is.
    pub optimize: bool,
    /// The passes by which source, and IR that is optimised, is.
    pub passes: Passes,
    /// Loops that are reversed from snapshots, as `adj --checkpoint` names them (`ad::program::loop_marks`).
    pub checkpoints: Vec<String>,
    /// Files with the device's part of a program, source or IR.
    pub devices: Vec<PathBuf>,
    /// Where modules of Fortran are written and found; a folder for each file by default.
    pub modules: Option<PathBuf>,
    /// How long each tool may take.
    pub timeout: Duration,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            level: Level::default(),
            include_dirs: Vec::new(),
            flags: Vec::new(),
            debug: true,
            optimize: false,
            passes: Passes::All,
            checkpoints: Vec::new(),
            devices: Vec::new(),
            modules: None,
            timeout: TIME_LIMIT,
        }
    }
}

impl CompileOptions {
    /// The defaults at a level.
    pub fn at(level: Level) -> Self {
        Self { level, ..Self::default() }
    }
}

/// Reads an input, to be executed, judged or differentiated.
pub fn read(input: &Input, options: &CompileOptions) -> Result<ir::Module, Error> {
    in_ir(&compile(input, options)?.text, &input.name())
}

/// Reads a file.
pub fn read_file(path: &Path, options: &CompileOptions) -> Result<ir::Module, Error> {
    read(&Input::File(path.to_owned()), options)
}

/// Compiles an input to canonical text.
pub fn compile(input: &Input, options: &CompileOptions) -> Result<Compiled, Error> {
    let mut compiled = match input {
        Input::Files(paths) => several::compile(paths, options.timeout, &|part, folder| {
            let options = CompileOptions { modules: Some(folder.to_owned()), ..options.clone() };
            match part {
                Part::File(path) => without_bodies(&Input::File(path.to_owned()), &options),
                Part::Unit(name, bytes) => {
                    let input = Input::Bytes { name, language: Language::Ir, bytes };
                    without_bodies(&input, &CompileOptions { optimize: true, ..options })
                }
            }
        })?,
        _ => without_bodies(input, options)?,
    };
    for device in &options.devices {
        let device = Input::File(device.clone());
        let alone = without_bodies(&device, &CompileOptions { devices: Vec::new(), ..options.clone() })?;
        compiled.text = offload::link(&device.name(), &compiled.text, &alone.text, options.timeout)?;
    }
    bodies::mark(&mut compiled.text, &options.checkpoints);
    bodies::complete(&input.name(), compiled, options.timeout)
}

/// The input alone, without bodies of libraries.
fn without_bodies(input: &Input, options: &CompileOptions) -> Result<Compiled, Error> {
    let file = input.name();
    let opened = input.open()?;
    match opened {
        Opened::Ir(bytes) => {
            let tools = find::toolchain()?;
            let mut compiled = text::canonical(&tools, &file, &bytes, options.timeout)?;
            if options.optimize && options.passes == Passes::BeforeDifferentiation && options.level != Level::O0 {
                compiled.text = simplify::at_level(&file, compiled.text.as_bytes(), options.level.name())?;
            } else if options.optimize {
                let passes = pipeline::of_level(options.level);
                compiled.text = if pin::may_be_needed(&compiled.text) {
                    pin::run_on(&file, &compiled.text, &passes, options.timeout)?
                } else {
                    pipeline::run_on(&file, &compiled.text, &passes, options.timeout)?
                };
            }
            Ok(compiled)
        }
        Opened::Bytes(language, bytes) => {
            let name = match language {
                Language::C => "c",
                Language::Cxx => "c++",
                Language::Fortran => "f95",
                Language::Cuda => "cuda",
                Language::Hip => "hip",
                Language::Ir => "ir",
            };
            from_source(language, (&["-x".as_ref(), name.as_ref(), "-".as_ref()], bytes), &file, options)
        }
        Opened::File(language @ (Language::Cuda | Language::Hip), path) => {
            let name = if language == Language::Cuda { "cuda" } else { "hip" };
            from_source(language, (&["-x".as_ref(), name.as_ref(), argument(path).as_os_str()], &[]), &file, options)
        }
        Opened::File(language, path) => from_source(language, (&[argument(path).as_os_str()], &[]), &file, options),
    }
}

/// Compiles a file to canonical text.
pub fn to_ir_text(path: &Path, options: &CompileOptions) -> Result<String, Error> {
    Ok(compile(&Input::File(path.to_owned()), options)?.text)
}

/// The folder, in one of ours, with headers that are found before the compiler's own of the same name.
pub(crate) const BEFORE: &str = "before";

/// Attributes that Enzyme's own clang knows, as annotations, which every clang keeps.
pub(crate) const ATTRIBUTES: [&str; 3] = [
    "-Denzyme_inactive=__annotate__(\"enzyme_inactive\")",
    "-Denzyme_shouldrecompute=__annotate__(\"enzyme_shouldrecompute\")",
    "-Denzyme_function_like(NAME)=__annotate__(\"enzyme_function_like=\" NAME)",
];

/// Compiles what `source` names on the compiler's command line, or gives it on standard input.
fn from_source(
    language: Language,
    source: (&[&OsStr], &[u8]),
    file: &str,
    options: &CompileOptions,
) -> Result<Compiled, Error> {
    if matches!(language, Language::Cuda | Language::Hip) {
        return for_host_and_device(language, source, file, options);
    }
    let early = options.passes == Passes::BeforeDifferentiation && options.level != Level::O0;
    if early && language != Language::Fortran {
        let raw = run_compiler(language, source, file, options, false)?;
        let text = simplify::at_level(file, raw.text.as_bytes(), options.level.name())?;
        return Ok(Compiled { text, diagnostics: raw.diagnostics });
    }
    let compiled = run_compiler(language, source, file, options, true)?;
    if language == Language::Fortran || !pin::is_needed(&compiled.text) {
        return Ok(compiled);
    }
    let raw = run_compiler(language, source, file, options, false)?;
    let text = pin::run_on(file, &raw.text, &pipeline::of_level(options.level), options.timeout)?;
    Ok(Compiled { text, diagnostics: compiled.diagnostics })
}

/// Compiles a source for its host and for its device, and links the two.
fn for_host_and_device(
    language: Language,
    source: (&[&OsStr], &[u8]),
    file: &str,
    options: &CompileOptions,
) -> Result<Compiled, Error> {
    let part = |own: &[&str]| {
        let own = own.iter().map(|flag| (*flag).to_owned());
        let options = CompileOptions { flags: own.chain(options.flags.iter().cloned()).collect(), ..options.clone() };
        run_compiler(language, source, file, &options, true)
    };
    let (host, device) = (part(offload::host_flags(language))?, part(offload::device_flags(language))?);
    let text = offload::link(file, &host.text, &device.text, options.timeout)?;
    Ok(Compiled { text, diagnostics: host.diagnostics })
}

/// Runs the compiler of a language, with or without its optimisation passes.
fn run_compiler(
    language: Language,
    (what, stdin): (&[&OsStr], &[u8]),
    file: &str,
    options: &CompileOptions,
    optimise: bool,
) -> Result<Compiled, Error> {
    let (name, program) = match language {
        Language::Fortran => ("flang", find::flang()?),
        Language::C | Language::Cxx | Language::Cuda | Language::Hip | Language::Ir => {
            let Toolchain { clang, .. } = find::toolchain()?;
            ("clang", clang)
        }
    };
    let mut arguments: Vec<OsString> = ["-S", "-emit-llvm", "-o", "-"].map(OsString::from).to_vec();
    arguments.push(format!("-{}", options.level).into());
    if options.debug {
        arguments.push("-g".into());
    }
    if language != Language::Fortran {
        // A crash is reported to our user by us; clang's own report would leave files behind.
        arguments.extend(["-fno-discard-value-names", "-fno-crash-diagnostics"].map(OsString::from));
        arguments.extend(ATTRIBUTES.map(OsString::from));
        if options.level == Level::O0 {
            arguments.extend(["-Xclang", "-disable-O0-optnone"].map(OsString::from));
        }
        if !optimise {
            arguments.extend(["-Xclang", "-disable-llvm-passes"].map(OsString::from));
        }
    }
    for folder in &options.include_dirs {
        arguments.extend(["-I".into(), argument(folder)]);
        if language != Language::Fortran {
            arguments.extend(["-isystem".into(), argument(&folder.join(BEFORE))]);
        }
        // As the compiler of CUDA does.
        let header = folder.join("cuda_runtime.h");
        if language == Language::Cuda && header.exists() {
            arguments.extend(["-include".into(), argument(&header)]);
        }
    }
    let own = match &options.modules {
        None if language == Language::Fortran => {
            let failed = |source| Error::Io { file: file.to_owned(), action: "make a folder for", source };
            Some(tempfile::Builder::new().prefix("adj-modules-").tempdir().map_err(failed)?)
        }
        _ => None,
    };
    let modules = own.as_ref().map(|folder| folder.path()).or(options.modules.as_deref());
    if let (Some(folder), Language::Fortran) = (modules, language) {
        arguments.extend(["-module-dir".into(), argument(folder), "-I".into(), argument(folder)]);
    }
    arguments.extend(options.flags.iter().map(OsString::from));
    arguments.extend(what.iter().map(OsString::from));

    let tool = Tool { name, program: &program, file, timeout: options.timeout, scratch: None };
    let printed = tool.run(arguments, stdin)?;
    if !printed.success {
        return Err(Error::Compile { file: file.to_owned(), diagnostics: printed.messages });
    }
    text::into_text(file, printed)
}
