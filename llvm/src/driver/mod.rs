//! A compiler driver that differentiates: the command line of `clang`, or of `flang`, and gradients in what it makes.
//!
//! 1. clang's own driver says which commands it would run ([`jobs`]).
//! 2. The front end of each compilation runs alone and gives unoptimised bitcode ([`unit`]). A command without
//!    differentiated calls is left to clang as it stands.
//! 3. When a program or a shared library is linked, all units at hand - of sources, of objects that this driver made,
//!    of the members of archives that are needed - are merged, so that a call in one file differentiates a function in
//!    another.
//! 4. With [`Pipeline::Enzyme`] the module is optimised, differentiated, and optimised again while it is translated
//!    (Moses and Churavy, NeurIPS 2020, §3); with [`Pipeline::Ref`] it is differentiated as the front end left it.
//! 5. clang translates the result with the options of the unit, and its linker command runs with the one object in
//!    place of the merged ones.
//!
//! With `-c` a unit is differentiated by itself, and the object carries the unit as it was as well. A function without
//! a body can be in another file, so there the call is left for the link.

mod around;
mod carried;
mod jobs;
mod linker;
mod shared;
pub(crate) mod unit;

pub use around::{Order, around};
pub use carried::{Carried, Carrier, carried};
pub use shared::SharedLibrary;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::Error;
use crate::text::TIME_LIMIT;
use crate::{find, masks, pipeline, read};
use jobs::{Action, Job};
use linker::{foreign, inputs, replace_inputs};
use unit::{Archive, Unit, fresh, io, merge, symbols};

/// When differentiation happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pipeline {
    /// After optimisation, and before vectorisation and unrolling.
    #[default]
    Enzyme,
    /// Before any optimisation.
    Ref,
}

/// Whose command line it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// clang's, for C.
    #[default]
    Clang,
    /// clang++'s.
    ClangCxx,
    /// flang's. Its front end optimises what it makes: as it comes from Fortran, arrays are moved about as descriptors.
    Flang,
}

impl Compiler {
    fn find(self) -> Result<PathBuf, Error> {
        match self {
            Compiler::Clang | Compiler::ClangCxx => Ok(find::toolchain()?.clang),
            Compiler::Flang => find::flang(),
        }
    }

    fn mode(self) -> Option<&'static str> {
        (self == Compiler::ClangCxx).then_some("--driver-mode=g++")
    }
}

/// A command line.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Whose.
    pub compiler: Compiler,
    /// When to differentiate.
    pub pipeline: Pipeline,
    /// Where `adj.h` is, which `#include` looks for last.
    pub include: PathBuf,
    /// Loops that are reversed from snapshots, as `adj --checkpoint` names them (`ad::program::loop_marks`).
    pub checkpoints: Vec<String>,
    /// What is linked is differentiated even if nothing in it calls for a derivative: the derivatives are asked for
    /// from outside.
    pub always: bool,
    /// Gradients are translated with [`pipeline::PACKING`].
    pub packing: bool,
    /// A program that is linked carries itself as IR, and is judged when it is run ([`Carrier`]).
    pub carrier: Option<Carrier>,
    /// Arguments, as for that compiler.
    pub arguments: Vec<OsString>,
}

/// How it went.
#[derive(Debug)]
pub enum Outcome {
    /// There is nothing to differentiate: this command does all there is to do.
    AsIs(Command),
    /// Everything was done, or failed.
    Done {
        /// What the tools said.
        messages: String,
        /// The exit code of a compiler.
        code: i32,
    },
}

/// Why a module was not differentiated.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The message, in lines as a compiler's.
    pub message: String,
    /// A function had no body: another file may have it.
    pub incomplete: bool,
}

/// Replaces the differentiated calls of a module.
pub type Differentiate<'a> = &'a mut dyn FnMut(ir::Module) -> Result<ir::Module, Refused>;

/// Runs a command line.
pub fn run(invocation: &Invocation, differentiate: Differentiate) -> Result<Outcome, Error> {
    let compiler = invocation.compiler.find()?;
    let as_is = || {
        let mut command = Command::new(&compiler);
        command.args(invocation.compiler.mode()).args(&invocation.arguments);
        Outcome::AsIs(command)
    };
    let (dry, jobs, messages) = dry_run(invocation, &compiler)?;
    let makes_code = jobs.iter().all(|j| !j.is_compiler() || j.action().is_some());
    if !dry.success() || jobs.is_empty() || !makes_code {
        return Ok(as_is());
    }
    let folder = scratch()?;
    let mut driver =
        Driver { invocation, compiler: &compiler, folder: folder.path(), differentiate, messages, prepared: None };
    let result = match jobs.iter().any(is_link) {
        true => driver.link(&jobs)?,
        false => driver.compile(&jobs)?,
    };
    Ok(match result {
        None => as_is(),
        Some(code) => Outcome::Done { messages: driver.messages, code },
    })
}

/// The module of one source as it is when [`Pipeline::Enzyme`] would differentiate it: merged, simplified, without
/// debug information.
pub fn simplified(invocation: &Invocation) -> Result<String, Error> {
    let compiler = invocation.compiler.find()?;
    let (_, jobs, messages) = dry_run(invocation, &compiler)?;
    let folder = scratch()?;
    let mut never = |_| Err(Refused { message: String::new(), incomplete: false });
    let mut driver = Driver {
        invocation,
        compiler: &compiler,
        folder: folder.path(),
        differentiate: &mut never,
        messages,
        prepared: None,
    };
    let Some(job) = jobs.iter().find(|j| j.is_compiler()) else {
        return Err(Error::Compile { file: "the command line".to_owned(), diagnostics: driver.messages });
    };
    let file = job.input().map(|i| i.to_string_lossy().into_owned()).unwrap_or_default();
    match driver.front(job)? {
        Err(Failed(_)) => Err(Error::Compile { file, diagnostics: driver.messages }),
        Ok(unit) => {
            let text = driver.prepared(&unit.bitcode, job, &file)?;
            pipeline::without_debug(&find::toolchain()?, &file, &text, TIME_LIMIT)
        }
    }
}

fn scratch() -> Result<tempfile::TempDir, Error> {
    let folder = tempfile::Builder::new().prefix("adj-cc-").tempdir();
    folder.map_err(io(Path::new("the scratch folder"), "make"))
}

/// What the compiler says that it would run: whether it could tell, the commands, and what else it says.
fn dry_run(invocation: &Invocation, compiler: &Path) -> Result<(ExitStatus, Vec<Job>, String), Error> {
    let mode = invocation.compiler.mode();
    let dry = Command::new(compiler).args(mode).arg("-###").args(&invocation.arguments).output();
    let dry = dry.map_err(io(compiler, "run"))?;
    let (jobs, messages) = Job::parse_all(&dry.stderr);
    Ok((dry.status, jobs, messages))
}

fn is_link(job: &Job) -> bool {
    !job.is_compiler() && !job.is_assembler()
}

/// One run of the driver.
struct Driver<'a, 'd> {
    invocation: &'a Invocation,
    compiler: &'a Path,
    folder: &'a Path,
    differentiate: Differentiate<'d>,
    messages: String,
    /// The text that was differentiated, if the program is to carry it.
    prepared: Option<String>,
}

/// The translation of a unit did not go on: the exit code.
struct Failed(i32);

/// IR that is to become code.
struct Translated {
    path: PathBuf,
    /// It holds guards of gradients that are better masks ([`masks`]).
    guarded: bool,
}

impl Translated {
    fn as_is(path: PathBuf) -> Translated {
        Translated { path, guarded: false }
    }
}

impl Driver<'_, '_> {
    /// Compiles without linking; `None` if nothing is to be differentiated or kept for a link.
    fn compile(&mut self, jobs: &[Job]) -> Result<Option<i32>, Error> {
        for job in jobs {
            let Some(action) = job.action().filter(|_| job.is_compiler()) else {
                let code = self.execute(job)?;
                if code != 0 {
                    return Ok(Some(code));
                }
                continue;
            };
            let unit = match self.front(job)? {
                Ok(unit) => unit,
                Err(Failed(code)) => return Ok(Some(code)),
            };
            if !unit.asks()? && action != Action::Object {
                if jobs.len() == 1 {
                    return Ok(None);
                }
                let code = self.execute(job)?;
                if code != 0 {
                    return Ok(Some(code));
                }
                continue;
            }
            let output = job.output().unwrap_or(OsStr::new("-")).to_owned();
            let code = self.compile_unit(&unit, job, action, &output)?;
            if code != 0 {
                return Ok(Some(code));
            }
        }
        Ok(Some(0))
    }

    fn compile_unit(&mut self, unit: &Unit, job: &Job, action: Action, output: &OsStr) -> Result<i32, Error> {
        let (mut module, mut options) = (Translated::as_is(unit.bitcode.clone()), unit.options.clone());
        if unit.asks()? {
            let linked = (action != Action::Assembly).then_some(Linked::Later);
            match self.transform(&unit.bitcode, job, linked)? {
                Ok(made) => {
                    self.pack(&made, &mut options);
                    module = made;
                }
                // Left for the link, but nobody links assembly with this driver.
                Err(refused) if refused.incomplete && action != Action::Assembly => {}
                Err(refused) => return Ok(self.refuse(&refused)),
            }
        }
        let code = self.translate(&module, (&job.program, &options), action, output)?;
        if code == 0 && action == Action::Object && output != "-" && Path::new(output).is_file() {
            unit.embed(Path::new(output), self.folder)?;
        }
        Ok(code)
    }

    /// Compiles and links; `None` if nothing is to be differentiated.
    fn link(&mut self, jobs: &[Job]) -> Result<Option<i32>, Error> {
        let (mut units, mut merged) = (Vec::new(), BTreeSet::new());
        for job in jobs.iter().filter(|j| j.is_compiler()) {
            match self.front(job)? {
                Ok(unit) => units.push(unit),
                Err(Failed(code)) => return Ok(Some(code)),
            }
            merged.extend(job.output().map(OsStr::to_owned));
        }
        let linkers: Vec<&Job> = jobs.iter().filter(|j| is_link(j)).collect();
        let mut archives = Vec::new();
        for path in linkers.iter().flat_map(|j| inputs(j)) {
            if let Some(archive) = Archive::of_file(&path, self.folder)? {
                archives.push(archive);
            } else if let Some(unit) = Unit::of_file(&path, self.folder)? {
                units.push(unit);
                merged.insert(path.into_os_string());
            }
        }
        let mut asks = self.invocation.always;
        for unit in &units {
            asks |= unit.asks()?;
        }
        if !asks && archives.is_empty() {
            return Ok(None);
        }
        if units.is_empty() && archives.is_empty() {
            let known = "sources, IR, and objects and archives that this compiler made";
            self.messages.push_str(&format!("error: nothing here can be differentiated: only {known} can\n"));
            return Ok(Some(1));
        }
        let together = match self.merge(units.clone(), archives)? {
            Ok((bitcode, more)) => {
                units.extend(more);
                bitcode
            }
            Err(Failed(code)) => return Ok(Some(code)),
        };
        let whole = Unit { bitcode: together, options: Vec::new() };
        if !self.invocation.always && !whole.asks()? {
            return Ok(None);
        }
        let job = self.translation(jobs, &units)?;
        let object = fresh(self.folder, "o");
        if self.invocation.carrier.is_some() && linkers.iter().any(|j| j.arguments.iter().any(|a| a == "-shared")) {
            self.messages.push_str("error: `--verify` judges programs when they are run, and a library is not run\n");
            return Ok(Some(1));
        }
        let replaced = foreign(&linkers, &merged)?;
        let code = match self.transform(&whole.bitcode, &job, Some(Linked::With(&replaced)))? {
            Ok(module) => {
                let mut kept = job.back_arguments();
                self.pack(&module, &mut kept);
                self.translate(&module, (&job.program, &kept), Action::Object, object.as_os_str())?
            }
            Err(refused) => self.refuse(&refused),
        };
        if code != 0 {
            return Ok(Some(code));
        }
        let mut objects = vec![object];
        if let (Some(carrier), Some(text)) = (&self.invocation.carrier, self.prepared.take()) {
            match self.carrier(carrier, job.level(), &text)? {
                Ok(object) => objects.push(object),
                Err(said) => {
                    self.messages.push_str(&said);
                    return Ok(Some(1));
                }
            }
        }
        for job in jobs.iter().filter(|j| !j.is_compiler()) {
            let mut job = job.clone();
            if is_link(&job) {
                replace_inputs(&mut job, &merged, &objects);
            }
            let code = self.execute(&job)?;
            if code != 0 {
                if is_link(&job) {
                    let line = "error: linker command failed with exit code";
                    let name = self.compiler.file_stem().unwrap_or_default().to_string_lossy();
                    self.messages.push_str(&format!("{name}: {line} {code} (use -v to see invocation)\n"));
                }
                return Ok(Some(code));
            }
        }
        Ok(Some(0))
    }

    /// All units in one, with those members of archives that define what the others lack.
    fn merge(
        &mut self,
        mut units: Vec<Unit>,
        mut archives: Vec<Archive>,
    ) -> Result<Result<(PathBuf, Vec<Unit>), Failed>, Error> {
        let mut more = Vec::new();
        loop {
            let together = fresh(self.folder, "bc");
            if let Err(said) = merge(&units, &together)? {
                self.messages.push_str(&said);
                return Ok(Err(Failed(1)));
            }
            let lacking = symbols(&together, &["--undefined-only"])?;
            let found: Vec<Unit> = archives.iter_mut().filter_map(|archive| archive.take(&lacking)).collect();
            if found.is_empty() {
                return Ok(Ok((together, more)));
            }
            more.extend(found.iter().cloned());
            units = vec![Unit { bitcode: together, options: Vec::new() }];
            units.extend(found);
        }
    }

    /// The options with which the merged units are translated: those of the first with a differentiated call of which
    /// they are known; else what the driver makes of the options of this command.
    fn translation(&self, jobs: &[Job], units: &[Unit]) -> Result<Job, Error> {
        let mut known: Vec<&Unit> = units.iter().filter(|u| !u.options.is_empty()).collect();
        known.sort_by_key(|u| !u.asks().unwrap_or(false));
        if let Some(unit) = known.first() {
            let program = jobs
                .iter()
                .find(|j| j.is_compiler())
                .map_or(self.compiler.as_os_str().to_owned(), |j| j.program.clone());
            return Ok(Job::back(&program, &unit.options, Action::Object, "-".as_ref(), "-".as_ref()));
        }
        let options = self.invocation.arguments.iter().filter(|a| {
            let text = a.to_string_lossy();
            ["-O", "-f", "-m", "-g"].iter().any(|start| text.starts_with(start)) && !text.starts_with("-flto")
        });
        let mut command = Command::new(self.compiler);
        command.arg("-###").args(options).args(["-c", "-x", "ir"]).arg(&units[0].bitcode);
        let output = command.output().map_err(io(self.compiler, "run"))?;
        let (jobs, said) = Job::parse_all(&output.stderr);
        let found = jobs.into_iter().find(Job::is_compiler);
        found.ok_or_else(|| Error::Link { file: self.compiler.to_owned(), message: said })
    }

    /// Runs the front end of a compilation.
    fn front(&mut self, job: &Job) -> Result<Result<Unit, Failed>, Error> {
        let bitcode = fresh(self.folder, "bc");
        let is_ir = job.arguments.windows(2).any(|pair| pair[0] == "-x" && pair[1] == "ir");
        let mut extra: Vec<OsString> = Vec::new();
        if job.is_fortran() {
            extra.extend(["-I".into(), self.invocation.include.as_os_str().to_owned()]);
        } else if !is_ir {
            let (after, before) = (&self.invocation.include, self.invocation.include.join(crate::compile::BEFORE));
            extra.extend(["-idirafter".into(), after.into(), "-isystem".into(), before.into()]);
            extra.extend(crate::compile::ATTRIBUTES.map(OsString::from));
        }
        let code = self.execute(&job.front(bitcode.as_os_str(), &extra))?;
        if code != 0 {
            return Ok(Err(Failed(code)));
        }
        Ok(Ok(Unit { bitcode, options: job.back_arguments() }))
    }

    /// The module as it is differentiated.
    fn prepared(&self, bitcode: &Path, job: &Job, file: &str) -> Result<String, Error> {
        let bytes = fs::read(bitcode).map_err(io(bitcode, "read"))?;
        let early = self.invocation.pipeline == Pipeline::Enzyme && job.level() != "O0";
        let passes = early.then(|| pipeline::simplification(job.level()));
        around::prepared(file, &bytes, passes.as_deref(), &self.invocation.checkpoints)
    }

    /// Optimises as the pipeline asks and differentiates: the text that is to be translated.
    fn transform(
        &mut self,
        bitcode: &Path,
        job: &Job,
        linked: Option<Linked<'_>>,
    ) -> Result<Result<Translated, Refused>, Error> {
        let file = job.input().map(|i| i.to_string_lossy().into_owned()).unwrap_or_default();
        let tools = find::toolchain()?;
        let mut text = self.prepared(bitcode, job, &file)?;
        let mut module = read::in_ir(&text, &file)?;
        match linked {
            Some(Linked::With(others)) if replace(&mut module, |name| others.contains(name)) => {
                text = module.to_string();
            }
            Some(Linked::Later) => {
                let mut trial = module.clone();
                if replace(&mut trial, |_| true)
                    && let Err(refused) = (self.differentiate)(trial)
                    && refused.incomplete
                {
                    return Ok(Err(refused));
                }
            }
            Some(Linked::With(_)) | None => {}
        }
        self.prepared = self.invocation.carrier.as_ref().map(|_| text);
        let (mut text, guarded) = match (self.differentiate)(module) {
            Ok(module) => {
                let may_have = job.level() != "O0" && job.has_sse() && !job.is_fortran();
                (module.to_string(), may_have && masks::are_wanted(&module))
            }
            Err(refused) => return Ok(Err(refused)),
        };
        if !job.has_debug() {
            text = pipeline::without_debug(&tools, &file, &text, TIME_LIMIT)?;
        }
        let path = fresh(self.folder, "ll");
        fs::write(&path, text).map_err(io(&path, "write"))?;
        Ok(Ok(Translated { path, guarded }))
    }

    /// Translates IR with options of a compiler: once, or, if it holds guards, up to the end of all passes, and the
    /// rest with masks in their place.
    fn translate(
        &mut self,
        module: &Translated,
        (program, options): (&OsStr, &[OsString]),
        action: Action,
        output: &OsStr,
    ) -> Result<i32, Error> {
        let mut from = module.path.clone();
        let mut options = options.to_vec();
        if module.guarded && matches!(action, Action::Object | Action::Assembly) {
            let optimised = fresh(self.folder, "ll");
            let passes = Job::back(program, &options, Action::IrText, from.as_os_str(), optimised.as_os_str());
            let code = self.execute(&passes)?;
            if code != 0 {
                return Ok(code);
            }
            let text = fs::read_to_string(&optimised).map_err(io(&optimised, "read"))?;
            // What is not read, such as a summary for a link, is translated with the guards as they are.
            if let Ok(mut module) = read::parse(&text, &optimised.to_string_lossy()) {
                masks::lower(&mut module);
                fs::write(&optimised, module.to_string()).map_err(io(&optimised, "write"))?;
                from = optimised;
                options.push("-disable-llvm-passes".into());
            }
        }
        self.execute(&Job::back(program, &options, action, from.as_os_str(), output))
    }

    /// Adds what gradients are translated with. LLVM takes an option once: a user's own is left. Guards are worth more
    /// in pairs than LLVM's model of costs says: where there are any, its own bounds hold.
    fn pack(&self, module: &Translated, options: &mut Vec<OsString>) {
        let name = pipeline::PACKING.split('=').next().unwrap_or_default();
        if self.invocation.packing && !module.guarded && !options.iter().any(|o| o.to_string_lossy().contains(name)) {
            options.extend(["-mllvm".into(), pipeline::PACKING.into()]);
        }
    }

    fn refuse(&mut self, refused: &Refused) -> i32 {
        self.messages.push_str(&refused.message);
        1
    }

    /// Runs a command with our own standard input and output; what it says is kept.
    fn execute(&mut self, job: &Job) -> Result<i32, Error> {
        let mut command = Command::new(&job.program);
        command.args(&job.arguments).stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::piped());
        let output = command.output().map_err(io(Path::new(&job.program), "run"))?;
        self.messages.push_str(&String::from_utf8_lossy(&output.stderr));
        // As a shell tells of a signal.
        let signal = std::os::unix::process::ExitStatusExt::signal(&output.status).unwrap_or(0);
        Ok(output.status.code().unwrap_or(128 + signal))
    }
}

/// What a module is linked with. Others may define what it has a body for (LangRef, "Linkage Types": `weak`).
enum Linked<'a> {
    /// These symbols of objects that are linked as they are.
    With(&'a BTreeSet<String>),
    /// It is not known yet: a gradient that needs such a body is left for the link.
    Later,
}

/// Takes the bodies of `weak` functions that are replaced by others; were there any?
fn replace(module: &mut ir::Module, is_replaced: impl Fn(&str) -> bool) -> bool {
    let mut any = false;
    for function in module.functions.values_mut() {
        if function.flags.linkage == "weak" && !function.is_declaration() && is_replaced(&function.name) {
            function.layout.clear();
            function.flags.linkage.clear();
            any = true;
        }
    }
    any
}
