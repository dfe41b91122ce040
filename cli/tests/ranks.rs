//! Ranks: programs of the corpus print what they say, and what is wrong with the others is found on the marked lines.
//!
//! Each runs with an odd seed too, under which every standard send waits for its receiver. Programs that differentiate
//! what ranks compute together say by their status whether the gradient agrees with differences; they do so natively,
//! too.

mod parallel;

use corpus::{Kind, Program};
use interp::ranks::Traffic;
use interp::{Buffer, Limits, Outcome, Plain, Stop, UbKind};
use llvm::{CompileOptions, Level};
use std::cell::RefCell;
use std::process::Command;
use std::rc::Rc;

fn run(program: &Program, level: Level, seed: u64) -> (Outcome, String) {
    let options = CompileOptions { include_dirs: vec![corpus::include_dir()], ..CompileOptions::at(level) };
    let module = llvm::read_file(&program.path, &options).unwrap();
    let executable = interp::Program::new(&module).unwrap();
    let printed = Rc::new(RefCell::new(Buffer::default()));
    let limits = Limits { steps: 20_000_000, seed, ..Limits::default() };
    let ranks = program.ranks.unwrap_or(1);
    let output = Box::new(Rc::clone(&printed));
    let outcome = interp::ranks::run(&executable, || Plain, &limits, (ranks, &["prog".to_owned()]), output);
    let text = String::from_utf8_lossy(&printed.borrow().out).trim().to_owned();
    (outcome, text)
}

#[test]
fn ranks_print_what_they_should_and_faults_are_found_where_they_are() {
    let programs = corpus::mpi();
    let of = |kind: Kind| programs.iter().filter(|program| program.kind == kind).count();
    assert!(of(Kind::MpiClean) >= 6 && of(Kind::MpiFaulty) >= 10, "{} {}", of(Kind::MpiClean), of(Kind::MpiFaulty));
    let mut complaints = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let level = [Level::O0, Level::O2][number % 2];
        for seed in [0, 1] {
            let name = format!("{} at {level}, seed {seed}", program.name());
            let (outcome, printed) = run(program, level, seed);
            if program.kind == Kind::MpiClean {
                if outcome != Outcome::Finished(0) || program.prints.as_deref() != Some(printed.as_str()) {
                    complaints.push(format!("{name}: {outcome:?}, prints `{printed}`"));
                }
                continue;
            }
            let Outcome::Stopped(Stop::Undefined(report)) = &outcome else {
                complaints.push(format!("{name}: {outcome:?}"));
                continue;
            };
            let kind = report.ub.map_or("?", UbKind::name);
            let marked: Vec<usize> =
                program.expectations.iter().filter(|e| e.verdict == kind).map(|e| e.line).collect();
            // Of a deadlock, some place where a rank waits; else where the error is, or where `main` ends.
            let waits: Vec<_> = report.notes.iter().filter(|n| n.text.contains("waits for")).collect();
            let here = report.stack.first().or_else(|| report.notes.iter().find(|n| n.text.contains("ends here")));
            let places = if report.ub == Some(UbKind::Deadlock) { waits } else { Vec::from_iter(here) };
            let lines: Vec<usize> =
                places.iter().filter_map(|place| place.source.as_ref()).map(|source| source.line as usize).collect();
            let right = |line: &usize| marked.contains(line);
            let deadlock = report.ub == Some(UbKind::Deadlock);
            if !(if deadlock { lines.iter().any(right) } else { !lines.is_empty() && lines.iter().all(right) }) {
                complaints.push(format!("{name}: {kind} at {lines:?}, marked {marked:?}: {report}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn gradients_of_what_ranks_compute_together_agree_with_differences() {
    let programs = corpus::mpi_gradients();
    assert!(programs.len() >= 37, "{}", programs.len());
    let mut complaints = Vec::new();
    for program in &programs {
        for level in [Level::O0, Level::O2] {
            let (include_dirs, flags) = (vec![corpus::include_dir()], program.flags.clone());
            let options = CompileOptions { include_dirs, flags, ..CompileOptions::at(level) };
            let module = llvm::read_file(&program.path, &options).unwrap();
            let output = ad::differentiate(module, &ad::Options::default());
            assert!(output.refusals.is_empty(), "{} at {level}: {}", program.name(), output.refusals[0].diagnostic);
            assert!(!output.judged.is_empty(), "{} at {level}: nothing is differentiated", program.name());
            let executable = interp::Program::new(&output.module).unwrap();
            let all = program.ranks.unwrap_or(1);
            for (ranks, seed) in [(all, 0), (all, 1), (1, 2), (2, 3), (all + 1, 4)] {
                let printed = Rc::new(RefCell::new(Buffer::default()));
                let limits = Limits { steps: 200_000_000, seed, ..Limits::default() };
                let text = Box::new(Rc::clone(&printed));
                let outcome = interp::ranks::run(&executable, || Plain, &limits, (ranks, &["prog".to_owned()]), text);
                if outcome != Outcome::Finished(0) {
                    let text = String::from_utf8_lossy(&printed.borrow().out).trim().to_owned();
                    let name = program.name();
                    complaints.push(format!("{name} at {level} as {ranks} ranks, seed {seed}: {outcome:?}, {text}"));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Builds a program with the wrapper of Open MPI and runs it as one, two and four processes.
fn native(program: &Program) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let binary = folder.path().join("prog");
    let (wrapper, variable, language) = match program.path.extension().is_some_and(|e| e == "cpp") {
        true => ("mpicxx.openmpi", "OMPI_CXX", "c++"),
        false => ("mpicc.openmpi", "OMPI_CC", "cc"),
    };
    let built = Command::new(wrapper)
        .env(variable, format!("{} {language}", env!("CARGO_BIN_EXE_adj")))
        .arg("-O2")
        .args(&program.flags)
        .arg(&program.path)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .output()
        .map_err(|error| format!("{wrapper}: {error} (`cargo xtask setup` installs it)"))?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    for ranks in ["1", "2", "4"] {
        let output = Command::new("timeout")
            .args(["60", "mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", ranks])
            .arg(&binary)
            .env("OMP_NUM_THREADS", "2")
            // Two runs at a time would share a folder of Open MPI's, which the first one to end removes.
            .env("TMPDIR", folder.path())
            .output()
            .map_err(|error| error.to_string())?;
        if output.status.code() != Some(0) {
            let [text, errors] = [output.stdout, output.stderr].map(|t| String::from_utf8_lossy(&t).into_owned());
            return Err(format!("{} as {ranks} processes: {text}{errors}", output.status));
        }
    }
    Ok(())
}

#[test]
fn native_gradients_agree_with_differences() {
    let programs = corpus::mpi_gradients();
    let failures = parallel::two_at_a_time(&programs, |program| {
        native(program).map_err(|why| format!("{}: {why}", program.name()))
    });
    assert!(failures.is_empty(), "{} of {}:\n\n{}", failures.len(), programs.len(), failures.join("\n\n"));
}

/// What ranks do with `x[0]` to `x[3]` and `sum`: what goes back must be as much as what has gone.
const EXCHANGES: &[(&str, &str)] = &[
    (
        "a message to the next rank",
        "if (rank < size - 1) MPI_Send(x, n, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);\n\
         if (rank > 0) MPI_Recv(y, n, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    ),
    (
        "an exchange of halos",
        "MPI_Request r[2];\nMPI_Irecv(y, n, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &r[0]);\n\
         MPI_Isend(x, n, MPI_DOUBLE, behind, 1, MPI_COMM_WORLD, &r[1]);\n\
         MPI_Waitall(2, r, MPI_STATUSES_IGNORE);",
    ),
    (
        "every second number",
        "MPI_Datatype t;\nMPI_Type_vector(2, 1, 2, MPI_DOUBLE, &t);\nMPI_Type_commit(&t);\n\
         MPI_Sendrecv(x, 1, t, behind, 1, y, 1, t, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\nMPI_Type_free(&t);",
    ),
    (
        "fewer than there is room for",
        "MPI_Sendrecv(x, 2, MPI_DOUBLE, behind, 1, y, n, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, \
         MPI_STATUS_IGNORE);",
    ),
    (
        "a request that is started twice",
        "MPI_Request r[2];\nMPI_Recv_init(y, n, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &r[0]);\n\
         MPI_Send_init(x, n, MPI_DOUBLE, behind, 1, MPI_COMM_WORLD, &r[1]);\nfor (int k = 0; k < 2; k++) {\n\
         MPI_Startall(2, r);\nMPI_Waitall(2, r, MPI_STATUSES_IGNORE);\nsum += y[k] * y[k];\n}\n\
         MPI_Request_free(&r[0]);\nMPI_Request_free(&r[1]);",
    ),
    ("a broadcast", "MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);"),
    ("a sum for one", "MPI_Reduce(x, y, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"),
    ("a sum for all", "MPI_Allreduce(x, y, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"),
    (
        "a sum for all that is only begun",
        "MPI_Request r;\nMPI_Iallreduce(x, y, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);\n\
         MPI_Wait(&r, MPI_STATUS_IGNORE);",
    ),
    ("a sum in parts", "MPI_Reduce_scatter_block(all, y, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"),
    ("a sum of those before", "MPI_Exscan(x, y, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"),
    ("a gather", "MPI_Gather(x, n, MPI_DOUBLE, all, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);"),
    ("a gather for all", "MPI_Allgather(x, n, MPI_DOUBLE, all, n, MPI_DOUBLE, MPI_COMM_WORLD);"),
    ("a scatter", "MPI_Scatter(all, n, MPI_DOUBLE, y, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);"),
    ("an exchange among all", "MPI_Alltoall(all, n, MPI_DOUBLE, all + 32, n, MPI_DOUBLE, MPI_COMM_WORLD);"),
];

/// What has gone between four ranks that execute a program once, or its gradient.
fn traffic(body: &str, gradient: bool) -> Traffic {
    let call = if gradient {
        "__enzyme_autodiff((void *)objective, enzyme_dup, x, d, enzyme_const, 4)"
    } else {
        "objective(x, 4)"
    };
    let text = format!(
        "#include <adj.h>\n#include <mpi.h>\nstatic double objective(double *x, int n) {{\n\
         int rank, size;\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &size);\n\
         int before = (rank + size - 1) % size, behind = (rank + 1) % size;\n\
         double y[4] = {{1, 1, 1, 1}}, all[64] = {{0}}, sum = before + behind;\n\
         for (int i = 0; i < 16; i++) all[i] = x[i % 4] * i;\n{body}\n\
         for (int i = 0; i < 4; i++) sum += x[i] * y[i] * y[i];\n\
         for (int i = 0; i < 64; i++) sum += all[i] * all[i];\nreturn sum;\n}}\n\
         int main(int argc, char **argv) {{\ndouble x[4] = {{1, 2, 3, 4}}, d[4] = {{0}};\nMPI_Init(&argc, &argv);\n\
         {call};\nMPI_Finalize();\nreturn d[0] > 1e300;\n}}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("exchange.c");
    std::fs::write(&file, text).unwrap();
    let options = CompileOptions { include_dirs: vec![corpus::include_dir()], ..CompileOptions::at(Level::O1) };
    let output = ad::differentiate(llvm::read_file(&file, &options).unwrap(), &ad::Options::default());
    assert!(output.refusals.is_empty(), "{body}: {}", output.refusals[0].diagnostic);
    let executable = interp::Program::new(&output.module).unwrap();
    let how = (4, &["prog".to_owned()][..]);
    let (outcome, traffic) =
        interp::ranks::run_counted(&executable, || Plain, &Limits::default(), how, Box::new(interp::Discard));
    assert_eq!(outcome, Outcome::Finished(0), "{body}");
    traffic
}

#[test]
fn a_gradient_sends_back_as_much_as_was_sent() {
    for (name, body) in EXCHANGES {
        let (primal, both) = (traffic(body, false), traffic(body, true));
        assert!(primal.messages > 0, "{name}: nothing is sent");
        assert_eq!((both.messages, both.bytes), (2 * primal.messages, 2 * primal.bytes), "{name}: {primal:?}");
    }
}
