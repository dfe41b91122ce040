//! The programs, their forms, and how each is judged and built.

use crate::build::by_driver;
use ad::Without;
use adjudicate::driver::Pipeline;
use adjudicate::{Error, Severity};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that the programs consist of.
const FILES: [(&str, &str); 12] = [
    ("adj.h", adjudicate::header::TEXT),
    ("threads.h", include_str!("../../programs/sc22/threads.h")),
    ("hydro.h", include_str!("../../programs/sc22/hydro.h")),
    ("hydro.c", include_str!("../../programs/sc22/hydro.c")),
    ("hydro_forall.cpp", include_str!("../../programs/sc22/hydro_forall.cpp")),
    ("forall.hpp", include_str!("../../programs/sc22/forall.hpp")),
    ("hydro_tasks.c", include_str!("../../programs/sc22/hydro_tasks.c")),
    ("hydro_taskloop.c", include_str!("../../programs/sc22/hydro_taskloop.c")),
    ("docking.h", include_str!("../../programs/sc22/docking.h")),
    ("docking.c", include_str!("../../programs/sc22/docking.c")),
    ("docking_tasks.c", include_str!("../../programs/sc22/docking_tasks.c")),
    ("normalise.c", include_str!("../../programs/sc22/normalise.c")),
];

/// The level of all builds.
const LEVEL: &str = "-O2";

/// What runs at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kinds {
    Series,
    Threads,
    Processes,
    ProcessesWithThreads,
}

/// A program in one form.
pub(super) struct Form {
    pub(super) program: &'static str,
    pub(super) name: &'static str,
    file: &'static str,
    kinds: Kinds,
    /// An input so small that the interpreter runs it in a moment, on which the oracle judges the gradient.
    sample: u64,
}

pub(super) const fn form(
    program: &'static str,
    name: &'static str,
    file: &'static str,
    kinds: Kinds,
    sample: u64,
) -> Form {
    Form { program, name, file, kinds, sample }
}

/// The forms; of each program the one in series first.
pub(super) const FORMS: [Form; 10] = [
    form("hydro", "series", "hydro.c", Kinds::Series, 2),
    form("hydro", "OpenMP", "hydro.c", Kinds::Threads, 2),
    form("hydro", "closures", "hydro_forall.cpp", Kinds::Threads, 2),
    form("hydro", "tasks", "hydro_tasks.c", Kinds::Threads, 2),
    form("hydro", "taskloop", "hydro_taskloop.c", Kinds::Threads, 2),
    form("hydro", "MPI", "hydro.c", Kinds::Processes, 2),
    form("hydro", "MPI + OpenMP", "hydro.c", Kinds::ProcessesWithThreads, 2),
    form("docking", "series", "docking.c", Kinds::Series, 3),
    form("docking", "OpenMP", "docking.c", Kinds::Threads, 3),
    form("docking", "tasks", "docking_tasks.c", Kinds::Threads, 3),
];

impl Form {
    pub(super) fn has_threads(&self) -> bool {
        matches!(self.kinds, Kinds::Threads | Kinds::ProcessesWithThreads)
    }

    pub(super) fn has_processes(&self) -> bool {
        matches!(self.kinds, Kinds::Processes | Kinds::ProcessesWithThreads)
    }

    /// Options of the compiler.
    pub(super) fn flags(&self) -> Vec<&'static str> {
        let threads = self.has_threads().then_some("-fopenmp");
        threads.into_iter().chain(self.has_processes().then_some("-DHYDRO_MPI")).collect()
    }

    /// Processes, and threads of each.
    pub(super) fn teams(&self, cores: usize) -> Vec<(usize, usize)> {
        let numbers: Vec<usize> = std::iter::successors(Some(1), |n| Some(n * 2)).take_while(|n| *n <= cores).collect();
        match self.kinds {
            Kinds::Series => vec![(1, 1)],
            Kinds::Threads => numbers.into_iter().map(|n| (1, n)).collect(),
            Kinds::Processes => numbers.into_iter().map(|n| (n, 1)).collect(),
            Kinds::ProcessesWithThreads => {
                let all = numbers.iter().map(|n| (*n, cores / n));
                std::iter::once((1, 1)).chain(all.filter(|team| *team != (1, 1))).collect()
            }
        }
    }

    /// The oracle's judgement of the gradient on the sample.
    pub(super) fn judged(&self, folder: &Path) -> Result<(), String> {
        let check = adjudicate::check(folder.join(self.file)).levels(["O2"]);
        let check = check.args(["check".to_owned(), self.sample.to_string()]).flags(self.flags());
        let check = if self.has_threads() { check.teams([1, 3]) } else { check };
        let check = if self.has_processes() { check.ranks([1, 2]) } else { check };
        verdict(check)
    }

    pub(super) fn build(&self, folder: &Path) -> Result<PathBuf, String> {
        let name = format!("{}-{}", self.program, self.name.replace(' ', "-"));
        let [compile, link] = match self.has_processes() {
            true => [of_mpicc("--showme:compile")?, of_mpicc("--showme:link")?],
            false => Default::default(),
        };
        let options = self.flags().into_iter().map(OsString::from).chain(compile.into_iter().map(Into::into));
        built(folder, (self.file, &name), (Pipeline::Enzyme, Without::default()), options.collect(), link)
    }
}

fn verdict(check: adjudicate::Check) -> Result<(), String> {
    let report = check.run().map_err(|error| error.to_string())?;
    let gradients: usize = report.levels.iter().map(|level| level.gradients.len()).sum();
    match report.severity() <= Severity::Note && gradients > 0 {
        true => Ok(()),
        false => Err(format!("the oracle says of the sample: {}", report.verdict)),
    }
}

/// Builds a file.
pub(super) fn built(
    folder: &Path,
    (file, name): (&str, &str),
    (pipeline, without): (Pipeline, Without),
    options: Vec<OsString>,
    link: Vec<String>,
) -> Result<PathBuf, String> {
    let executable = folder.join(name);
    let mut arguments: Vec<OsString> = vec![LEVEL.into()];
    arguments.extend(options);
    arguments.push(folder.join(file).into());
    arguments.extend(link.into_iter().map(OsString::from));
    arguments.extend(["-lm".into(), "-o".into(), executable.clone().into()]);
    by_driver(file.ends_with(".cpp"), pipeline, without, arguments)?;
    Ok(executable)
}

/// What the wrapper compiler of Open MPI adds to a command line.
pub(super) fn of_mpicc(what: &str) -> Result<Vec<String>, String> {
    let asked = Command::new("mpicc").arg(what).output();
    match asked {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect())
        }
        _ => Err("there is no mpicc of Open MPI: judged as ranks of the interpreter alone".to_owned()),
    }
}

/// Writes the programs into a folder of their own.
pub(super) fn folder() -> Result<tempfile::TempDir, Error> {
    let io = |source| Error::Io { action: "write the programs".to_owned(), source };
    let folder = tempfile::Builder::new().prefix("adj-repro-").tempdir().map_err(io)?;
    unpack(folder.path()).map_err(io)?;
    Ok(folder)
}

fn unpack(folder: &Path) -> std::io::Result<()> {
    FILES.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}
