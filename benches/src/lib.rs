//! Benchmarks, for Criterion, which compares with the last run and tells noise from change. The answer is checked
//! before anything is measured.
//!
//! The library is what `adj bench` measures: groups over the programs of Table 1 of `paper_repro` - reading their IR,
//! differentiating it, interpreting the gradient, and the gradient itself as native code. The files beside `src` are
//! the targets of `cargo xtask bench`: the engine (`loop`, `snapshot`, `lli`), the judge (`check`), the gradients of
//! large functions (`scale`), the fuzzer (`fuzz`), and the groups of the library (`programs`).

use adjudicate::driver::Pipeline;
use adjudicate::{Error, Input};
use criterion::{BenchmarkId, Criterion};
use interp::{Interp, Limits, Outcome, Plain};
use paper_repro::build::{self, Variant};
use paper_repro::measure::{self, Sample};
use paper_repro::programs::{self, Program, Watcher};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A group.
#[derive(Clone, Copy)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What is measured.
    pub what: &'static str,
    measure: fn(&mut Criterion, &str, &Path, &Program) -> Result<(), Error>,
}

/// The groups, in the order in which a program goes through them.
pub const GROUPS: [Group; 4] = [
    Group { name: "import", what: "reading the text of the program's module", measure: import },
    Group { name: "synthesis", what: "differentiating the module", measure: synthesis },
    Group {
        name: "interpretation",
        what: "the gradient of the smallest input, interpreted with all checks",
        measure: interpretation,
    },
    Group { name: "gradient", what: "the gradient of the input of table1 --quick, as native code", measure: gradient },
];

/// The groups and programs as a list for people.
pub fn list() -> String {
    let names: Vec<&str> = programs::PROGRAMS.iter().map(|p| p.name).collect();
    let groups = GROUPS.iter().map(|g| format!("{:<15} {}\n", g.name, g.what));
    groups.collect::<String>() + &format!("\nof each: {}\n", names.join(", "))
}

/// What is to be measured, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A part of the name, `GROUP/PROGRAM`.
    pub filter: String,
    /// Criterion's folder: what it finds there it compares with.
    pub out: PathBuf,
    /// Seconds for each benchmark.
    pub seconds: f64,
}

/// Measures; the number of benchmarks. Criterion prints them.
pub fn run(settings: &Settings, watch: Watcher) -> Result<usize, Error> {
    let filter = settings.filter.as_str();
    let chosen = |group: &Group, program: &Program| format!("{}/{}", group.name, program.name).contains(filter);
    let all = GROUPS.iter().flat_map(|g| programs::PROGRAMS.iter().map(move |p| (g, p)));
    let chosen: Vec<_> = all.filter(|(g, p)| chosen(g, p)).collect();
    if chosen.is_empty() {
        return Err(Error::Usage(format!("no benchmark has `{filter}` in its name; there are\n{}", list())));
    }
    let folder = programs::folder()?;
    let mut criterion = Criterion::default().without_plots().output_directory(&settings.out).sample_size(10);
    let time = Duration::from_secs_f64(settings.seconds);
    criterion = criterion.measurement_time(time).warm_up_time(time / 4);
    for (group, program) in &chosen {
        watch(&format!("{}/{}", group.name, program.name));
        (group.measure)(&mut criterion, group.name, folder.path(), program)?;
    }
    Ok(chosen.len())
}

/// The program's module, as `adj cc -O3` differentiates it.
fn text(folder: &Path, program: &Program) -> Result<String, Error> {
    build::simplified(folder, program).map_err(Error::Unsupported)
}

fn module(folder: &Path, program: &Program) -> Result<ir::Module, Error> {
    Ok(llvm::read::parse(&text(folder, program)?, program.file)?)
}

fn wrong(program: &Program, what: &str) -> Error {
    Error::Unsupported(format!("{}: {what}; nothing is measured", program.name))
}

fn import(criterion: &mut Criterion, group: &str, folder: &Path, program: &Program) -> Result<(), Error> {
    let text = text(folder, program)?;
    let once = llvm::read::parse(&text, program.file)?.to_string();
    // Read, print, read is the identity.
    if llvm::read::parse(&once, program.file)?.to_string() != once {
        return Err(wrong(program, "the module is not read as it was printed"));
    }
    let id = BenchmarkId::new(group, program.name);
    criterion.bench_with_input(id, &text, |b, text| b.iter(|| llvm::read::parse(text, program.file)));
    Ok(())
}

fn synthesis(criterion: &mut Criterion, group: &str, folder: &Path, program: &Program) -> Result<(), Error> {
    let module = module(folder, program)?;
    let options = ad::Options::default();
    if let Some(refusal) = ad::differentiate(module.clone(), &options).refusals.first() {
        return Err(wrong(program, &refusal.diagnostic.to_string()));
    }
    let id = format!("{group}/{}", program.name);
    let again = || module.clone();
    criterion.bench_function(&id, |b| {
        b.iter_batched(again, |m| ad::differentiate(m, &options), criterion::BatchSize::LargeInput);
    });
    Ok(())
}

fn interpretation(criterion: &mut Criterion, group: &str, folder: &Path, program: &Program) -> Result<(), Error> {
    measure::judged(folder, program).map_err(|why| wrong(program, &why))?;
    let input = Input::File(folder.join(program.file));
    let level = "O2".parse().map_err(|error: adjudicate::UnknownLevel| Error::Usage(error.to_string()))?;
    let module = adjudicate::tools::read(&input, level, &[])?;
    let gradients = ad::differentiate(module, &ad::Options::default()).module;
    let refused = |all: Vec<interp::Diagnostic>| {
        wrong(program, &all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    };
    let lowered = interp::Program::new(&gradients).map_err(refused)?;
    let args = [program.name.to_owned(), "check".to_owned(), program.sample.to_string()];
    let execute = || Interp::new(&lowered, Plain, Limits::default()).run_main(&args);
    match execute() {
        Outcome::Finished(0) => {}
        Outcome::Finished(status) => return Err(wrong(program, &format!("it ends with status {status}"))),
        Outcome::Stopped(stop) => return Err(wrong(program, &stop.to_string())),
    }
    criterion.bench_function(&format!("{group}/{}", program.name), |b| b.iter(execute));
    Ok(())
}

fn gradient(criterion: &mut Criterion, group: &str, folder: &Path, program: &Program) -> Result<(), Error> {
    let ours = Variant::Ours(Pipeline::Enzyme);
    let (executable, _) = build::build(folder, program, &ours).map_err(|why| wrong(program, &why))?;
    // Each run of the program compares its gradient with the adjoint by hand before it measures.
    let rounds = |count: u64| {
        let mut sample = Sample::default();
        let ran = measure::run(&executable, &program.quick[0].into(), count, Duration::from_secs(600), &mut sample);
        ran.map(|()| Duration::from_secs_f64(sample.rounds.iter().map(|r| r[1]).sum()))
    };
    rounds(1).map_err(|why| wrong(program, &why))?;
    let failure = RefCell::new(None);
    criterion.bench_function(&format!("{group}/{}", program.name), |b| {
        b.iter_custom(|count| {
            rounds(count).unwrap_or_else(|why| {
                failure.replace(Some(why));
                Duration::from_secs(count)
            })
        });
    });
    failure.take().map_or(Ok(()), |why| Err(wrong(program, &why)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(filter: &str, out: &Path) -> Settings {
        Settings { filter: filter.to_owned(), out: out.to_owned(), seconds: 0.05 }
    }

    #[test]
    fn what_matches_nothing_is_told() {
        let error = run(&settings("no-such", Path::new(".")), &|_| {}).unwrap_err().to_string();
        assert!(error.contains("no-such") && error.contains("synthesis"), "{error}");
    }

    #[test]
    fn a_benchmark_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(run(&settings("import/bruss", folder.path()), &|_| {}).unwrap(), 1);
        assert!(folder.path().join("import/bruss/new/estimates.json").is_file());
    }
}
