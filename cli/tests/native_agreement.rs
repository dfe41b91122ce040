//! The interpreter against the machine: every program of the corpus prints the same and ends the same when its IR is
//! interpreted and when it is compiled, at every level, with every differentiated call replaced by its gradient.
//!
//! Both sides start from one module, the result of differentiation. The native side translates it as it stands, so
//! agreement is to the last bit of every printed number.

mod parallel;

use corpus::{Kind, Program};
use interp::{Buffer, Interp, Limits, Outcome, Plain};
use llvm::native::{LinkOptions, RunLimits};
use llvm::{CompileOptions, Exit, Level, Passes};
use std::cell::RefCell;
use std::ffi::OsString;
use std::rc::Rc;

/// What can be seen of a run.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    code: i32,
    out: String,
}

fn interpreted(module: &ir::Module, args: &[String]) -> Result<Seen, String> {
    let program = interp::Program::new(module).map_err(|errors| format!("{errors:?}"))?;
    let printed = Rc::new(RefCell::new(Buffer::default()));
    let limits = Limits { steps: 1_000_000_000, ..Limits::default() };
    let mut interp = Interp::new(&program, Plain, limits).with_output(Box::new(Rc::clone(&printed)));
    let names: Vec<String> = std::iter::once("prog".to_owned()).chain(args.iter().cloned()).collect();
    let code = match interp.run_main(&names) {
        Outcome::Finished(code) => code,
        Outcome::Stopped(stop) => return Err(format!("{stop:?}")),
    };
    let out = String::from_utf8_lossy(&printed.borrow().out).into_owned();
    Ok(Seen { code, out })
}

fn native(module: &ir::Module, args: &[String]) -> Result<Seen, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let binary = folder.path().join("prog");
    let text = module.to_string();
    llvm::native::build_executable(text.as_bytes(), &binary, &LinkOptions::default())
        .map_err(|error| error.to_string())?;
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let output = llvm::native::run(&binary, &args, b"", &RunLimits::default()).map_err(|error| error.to_string())?;
    match output.exit {
        Exit::Code(code) => Ok(Seen { code, out: String::from_utf8_lossy(&output.stdout).into_owned() }),
        Exit::Signal(signal) => Err(format!("the native program died of signal {signal}")),
    }
}

fn agree(program: &Program, level: Level) -> Result<(), String> {
    let mut options = CompileOptions::at(level);
    options.include_dirs.push(corpus::include_dir());
    options.flags.clone_from(&program.flags);
    if program.before_differentiation {
        options.passes = Passes::BeforeDifferentiation;
    }
    let module = llvm::read_file(&program.path, &options).map_err(|error| error.to_string())?;
    let differentiated = ad::differentiate(module, &ad::Options::default());
    if let Some(refusal) = differentiated.refusals.first() {
        return Err(refusal.diagnostic.to_string());
    }
    let interpreted = interpreted(&differentiated.module, &program.args)?;
    let native = native(&differentiated.module, &program.args)?;
    if interpreted != native {
        return Err(format!("interpreted {interpreted:#?}\nnative {native:#?}"));
    }
    // These programs check themselves.
    match (program.kind, native.code) {
        (Kind::Correct | Kind::Long, code @ 1..) => Err(format!("exit code {code}")),
        _ => Ok(()),
    }
}

/// The folders whose programs run to their end.
const KINDS: [Kind; 6] = [Kind::Correct, Kind::Right, Kind::Inaccurate, Kind::Kink, Kind::Convention, Kind::Programs];

/// Without optimisation, and at one further level, in turn; at all four with `ADJ_LEVELS=full`.
#[test]
fn interpreted_and_native_runs_agree() {
    let full = std::env::var("ADJ_LEVELS").is_ok_and(|value| value == "full");
    let mut programs = corpus::programs();
    programs.retain(|program| KINDS.contains(&program.kind));
    let jobs: Vec<(Program, Level)> = programs
        .iter()
        .enumerate()
        .flat_map(|(number, program)| {
            let chosen = move |turn: usize| full || turn == 0 || turn == 1 + number % 3;
            let levels = Level::ALL.into_iter().enumerate().filter(move |(turn, _)| chosen(*turn)).map(|(_, l)| l);
            let levels = levels.filter(|level| program.levels.iter().any(|name| name == level.name()));
            levels.map(|level| (program.clone(), level))
        })
        .collect();
    assert!(jobs.len() > 2 * 80, "only {} runs", jobs.len());
    let failures = parallel::two_at_a_time(&jobs, |(program, level)| {
        agree(program, *level).map_err(|why| format!("{} at {level}: {why}", program.name()))
    });
    assert!(failures.is_empty(), "{} of {} runs:\n{}", failures.len(), jobs.len(), failures.join("\n"));
}

/// Long programs run at two levels; at all four with `ADJ_LONG=full`, which also prints how long each run took.
#[test]
fn long_programs_run_as_they_do_natively() {
    let full = std::env::var("ADJ_LONG").is_ok_and(|value| value == "full");
    let levels = if full { Level::ALL.to_vec() } else { vec![Level::O0, Level::O2] };
    let programs = corpus::long();
    let jobs: Vec<(Program, Level)> =
        programs.iter().flat_map(|program| levels.iter().map(|level| (program.clone(), *level))).collect();
    let failures = parallel::two_at_a_time(&jobs, |(program, level)| {
        let started = std::time::Instant::now();
        let result = agree(program, *level).map_err(|why| format!("{} at {level}: {why}", program.name()));
        if full {
            println!("{} at {level}: {:.2} s", program.name(), started.elapsed().as_secs_f64());
        }
        result
    });
    assert!(failures.is_empty(), "{} of {} runs:\n{}", failures.len(), jobs.len(), failures.join("\n"));
}
