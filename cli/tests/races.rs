//! Races: every racy program of the corpus is found, with both accesses on marked lines; no clean one is accused, and
//! each prints what it prints natively.
//!
//! Programs take turns at `-O0` and `-O2` here, and every second clean one is run natively. With `ADJ_RACES=full` in
//! the environment each runs at four levels under 20 schedules. The table at the end
//! (`cargo test -p adj --test races -- --nocapture`) is that of `docs/semantics.md`.

mod parallel;
mod seen;

use corpus::{Kind, Program};
use interp::{Buffer, Interp, Limits, Outcome, Plain, Stop, UbKind};
use llvm::native::{LinkOptions, RunLimits};
use llvm::{CompileOptions, Exit, Level};
use seen::{Seen, lines};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Mutex;

fn module(program: &Program, level: Level) -> Result<ir::Module, String> {
    let options = CompileOptions {
        include_dirs: vec![corpus::include_dir()],
        flags: program.flags.clone(),
        ..CompileOptions::at(level)
    };
    llvm::read_file(&program.path, &options).map_err(|error| error.to_string())
}

/// What the native program prints.
fn native(module: &ir::Module) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let binary = folder.path().join("prog");
    let mut link = LinkOptions::default();
    link.libraries.push("omp5".to_owned());
    llvm::native::build_executable(module.to_string().as_bytes(), &binary, &link).map_err(|error| error.to_string())?;
    let output = llvm::native::run(&binary, &[], b"", &RunLimits::default()).map_err(|error| error.to_string())?;
    match output.exit {
        Exit::Code(0) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        other => Err(format!("the native program ends with {other:?}")),
    }
}

fn run(program: &Program, level: Level, seeds: u64, natively: bool) -> Result<Seen, String> {
    let module = module(program, level)?;
    let executable = interp::Program::new(&module).map_err(|errors| format!("{errors:?}"))?;
    let expected = if program.kind == Kind::Clean && natively { Some(native(&module)?) } else { None };
    let marked: Vec<usize> = program.expectations.iter().filter(|e| e.verdict == "race").map(|e| e.line).collect();
    let name = format!("{} at {level}", program.name());
    let mut seen = Seen::new(program.kind, name.clone(), seeds);
    for seed in 0..seeds {
        let printed = Rc::new(RefCell::new(Buffer::default()));
        let limits = Limits { steps: 20_000_000, seed, ..Limits::default() };
        let mut interp = Interp::new(&executable, Plain, limits).with_output(Box::new(Rc::clone(&printed)));
        let outcome = interp.run_main(&["prog".to_owned()]);
        let mut complain = |what: String| seen.complaints.push(format!("{name}, seed {seed}: {what}"));
        match &outcome {
            Outcome::Stopped(stop) if stop.report().is_some_and(|r| r.ub == Some(UbKind::Race)) => {
                let at = lines(stop);
                let exact = at.len() == 2 && at.iter().all(|line| marked.contains(line));
                if program.kind == Kind::Clean || !exact {
                    complain(format!("{at:?}, marked {marked:?}: {stop}"));
                }
                seen.found = true;
                seen.reports += 1;
                seen.exact += usize::from(exact);
            }
            Outcome::Finished(0) => {
                let out = String::from_utf8_lossy(&printed.borrow().out).into_owned();
                if let Some(leak) = interp.leak_report().filter(|_| program.kind == Kind::Clean) {
                    complain(leak.to_string());
                }
                if expected.as_ref().is_some_and(|expected| *expected != out) {
                    complain(format!("prints {out:?}, natively {expected:?}"));
                }
            }
            // What a race destroys may be found before the race itself.
            Outcome::Stopped(Stop::Undefined(_)) if program.kind == Kind::Racy => {}
            other => complain(format!("{other:?}")),
        }
    }
    Ok(seen)
}

#[test]
fn races_are_found_where_they_are_and_nowhere_else() {
    let full = std::env::var("ADJ_RACES").is_ok_and(|how| how == "full");
    let jobs: Vec<(Program, Level, u64, bool)> = (0..)
        .zip(corpus::threads().into_iter().filter(|program| program.kind != Kind::Stuck))
        .flat_map(|(number, program): (usize, Program)| {
            let levels = if full { Level::ALL.to_vec() } else { vec![[Level::O0, Level::O2][number % 2]] };
            let natively = full || number / 2 % 2 == 0;
            levels.into_iter().map(move |level| (program.clone(), level, if full { 20 } else { 3 }, natively))
        })
        .collect();
    let seen: Mutex<Vec<Seen>> = Mutex::default();
    let failures = parallel::two_at_a_time(&jobs, |(program, level, seeds, natively)| {
        let result =
            run(program, *level, *seeds, *natively).map_err(|why| format!("{} at {level}: {why}", program.name()))?;
        seen.lock().unwrap().push(result);
        Ok(())
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let seen = seen.into_inner().unwrap();
    let count = |what: &dyn Fn(&Seen) -> bool| seen.iter().filter(|s| what(s)).count();
    let racy = count(&|s| s.kind == Kind::Racy);
    let kernels = corpus::threads().iter().filter(|program| program.kind != Kind::Stuck).count();
    assert!(kernels >= 120, "{kernels}");
    let found = count(&|s| s.kind == Kind::Racy && s.found);
    let accused = count(&|s| s.kind == Kind::Clean && s.found);
    let reports: usize = seen.iter().filter(|s| s.kind == Kind::Racy).map(|s| s.reports).sum();
    let exact: usize = seen.iter().map(|s| s.exact).sum();
    println!("racy programs and levels {racy}, found {found}: recall {:.3}", found as f64 / racy as f64);
    println!(
        "clean {}, accused {accused}: precision {:.3}",
        seen.len() - racy,
        found as f64 / (found + accused) as f64
    );
    let runs: u64 = seen.iter().filter(|s| s.kind == Kind::Racy).map(|s| s.runs).sum();
    println!("reports {reports} of {runs} runs, both lines exact {exact}: {:.3}", exact as f64 / reports as f64);
    for missed in seen.iter().filter(|s| s.kind == Kind::Racy && !s.found) {
        println!("missed: {}", missed.name);
    }
    let inexact = |s: &&Seen| s.kind == Kind::Racy && s.exact < s.reports;
    for seen in seen.iter().filter(inexact) {
        println!("lines: {}", seen.complaints[0].lines().next().unwrap_or_default());
    }
    let clean: Vec<&String> = seen.iter().filter(|s| s.kind == Kind::Clean).flat_map(|s| &s.complaints).collect();
    assert!(clean.is_empty(), "{clean:#?}");
    assert!(found as f64 >= 0.95 * racy as f64, "{found} of {racy} found");
    assert!(exact as f64 >= 0.9 * reports as f64, "{exact} of {reports} exact");
}

/// Deadlocks and misuse: some schedule among the first shows what is marked, at one of the marked lines, and none shows
/// anything else.
#[test]
fn waiting_for_ever_is_found_and_so_is_misuse() {
    let programs: Vec<Program> = corpus::threads().into_iter().filter(|p| p.kind == Kind::Stuck).collect();
    assert!(programs.len() >= 10, "{}", programs.len());
    for program in &programs {
        let module = module(program, Level::O0).unwrap();
        let executable = interp::Program::new(&module).unwrap();
        let mut found = 0;
        for seed in 0..24 {
            let limits = Limits { steps: 1_000_000, seed, ..Limits::default() };
            let outcome = Interp::new(&executable, Plain, limits).run_main(&["prog".to_owned()]);
            let Outcome::Stopped(stop) = &outcome else { continue };
            let Some(report) = stop.report() else { panic!("{}: {stop}", program.name()) };
            let kind = report.ub.map_or("?", UbKind::name);
            // Of a deadlock, the places where threads wait; else where the error is.
            let places = report.notes.iter().filter(|n| n.text.contains("waits for")).chain(report.stack.first());
            let lines: Vec<usize> =
                places.filter_map(|place| place.source.as_ref()).map(|source| source.line as usize).collect();
            let meant = program.expectations.iter().any(|e| e.verdict == kind && lines.contains(&e.line));
            assert!(meant, "{} with seed {seed}: {stop}", program.name());
            found += 1;
        }
        assert!(found > 0, "{} is not found", program.name());
    }
}

/// Does a pair of numbers race, of which a thread writes the second while its maker loads both and does this with them?
fn pair_races(used: &str) -> bool {
    let text = format!(
        "@pair = global [2 x double] zeroinitializer, align 16\n\
         declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n\
         define ptr @write(ptr %arg) {{\n  %second = getelementptr i8, ptr @pair, i64 8\n  \
         store double 1.0, ptr %second\n  ret ptr null\n}}\n\
         define i32 @main() {{\n  %t = alloca i64\n  \
         %made = call i32 @pthread_create(ptr %t, ptr null, ptr @write, ptr null)\n  \
         %both = load <2 x double>, ptr @pair, align 16\n  {used}\n  %n = load i64, ptr %t\n  \
         %ended = call i32 @pthread_join(i64 %n, ptr null)\n  ret i32 0\n}}\n"
    );
    let module = ir::parse::parse(&text, "pair").unwrap();
    let executable = interp::Program::new(&module).unwrap();
    (0..4).any(|seed| {
        let limits = Limits { seed, ..Limits::default() };
        match Interp::new(&executable, Plain, limits).run_main(&["prog".to_owned()]) {
            Outcome::Stopped(stop) => stop.report().is_some_and(|r| r.ub == Some(UbKind::Race)),
            _ => false,
        }
    })
}

#[test]
fn lanes_that_nobody_looks_at_do_not_race() {
    assert!(!pair_races("%first = extractelement <2 x double> %both, i64 0"));
    assert!(!pair_races("%other = insertelement <2 x double> %both, double 2.0, i64 1"));
    assert!(!pair_races("%twice = shufflevector <2 x double> %both, <2 x double> poison, <2 x i32> zeroinitializer"));
    assert!(pair_races("%second = extractelement <2 x double> %both, i64 1"));
    assert!(pair_races("%other = insertelement <2 x double> %both, double 2.0, i64 0"));
    assert!(pair_races("%turned = shufflevector <2 x double> %both, <2 x double> poison, <2 x i32> <i32 1, i32 0>"));
    assert!(pair_races("%squares = fmul <2 x double> %both, %both"));
}
