//! Grids: every racy kernel of the corpus is found, with both accesses on marked lines; no clean one is accused, and
//! each prints what it says; the other faults are found on their lines.
//!
//! Programs take turns at `-O0` and `-O2` here. With `ADJ_RACES=full` in the environment each runs at both levels under
//! 10 schedules. The table at the end (`cargo test -p adj --test gpu -- --nocapture`) is that of `docs/gpu.md`.

mod parallel;
mod seen;

use corpus::{Kind, Program};
use interp::{Buffer, Interp, Limits, Outcome, Plain, Stop, UbKind};
use llvm::{CompileOptions, Level};
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

fn run(program: &Program, level: Level, seeds: u64) -> Result<Seen, String> {
    let module = module(program, level)?;
    let executable = interp::Program::new(&module).map_err(|errors| format!("{errors:?}"))?;
    let name = format!("{} at {level}", program.name());
    let mut seen = Seen::new(program.kind, name.clone(), seeds);
    let marks = |kind: &str| -> Vec<usize> {
        program.expectations.iter().filter(|e| e.verdict == kind).map(|e| e.line).collect()
    };
    for seed in 0..seeds {
        let printed = Rc::new(RefCell::new(Buffer::default()));
        let limits = Limits { steps: 20_000_000, seed, ..Limits::default() };
        let mut interp = Interp::new(&executable, Plain, limits).with_output(Box::new(Rc::clone(&printed)));
        let outcome = interp.run_main(&["prog".to_owned()]);
        let mut complain = |what: String| seen.complaints.push(format!("{name}, seed {seed}: {what}"));
        let report = match &outcome {
            Outcome::Stopped(stop @ Stop::Undefined(report)) => report.ub.map(|ub| (ub, stop)),
            _ => None,
        };
        match (program.kind, report) {
            (Kind::GpuRacy, Some((UbKind::Race, stop))) => {
                let (at, marked) = (lines(stop), marks("race"));
                let exact = at.len() == 2 && at.iter().all(|line| marked.contains(line));
                if !exact {
                    complain(format!("{at:?}, marked {marked:?}: {stop}"));
                }
                seen.found = true;
                seen.reports += 1;
                seen.exact += usize::from(exact);
            }
            // What a race destroys may be found before the race itself.
            (Kind::GpuRacy, Some(_)) => {}
            (Kind::GpuFaulty, Some((ub, stop))) => {
                let marked = marks(ub.name());
                let Some(report) = stop.report() else { continue };
                // Of a deadlock, the places where threads of the grid wait; else where the error is.
                let waits = report.notes.iter().filter(|n| n.text.contains("of block") && n.text.contains("waits for"));
                let places =
                    if ub == UbKind::Deadlock { waits.collect() } else { Vec::from_iter(report.stack.first()) };
                let mut at = places.iter().filter_map(|place| place.source.as_ref()).map(|s| s.line as usize);
                let exact = at.all(|line| marked.contains(&line)) && !marked.is_empty();
                if !exact {
                    complain(format!("marked {marked:?}: {stop}"));
                }
                seen.found |= exact;
                seen.reports += 1;
                seen.exact += usize::from(exact);
            }
            (Kind::GpuClean, None) if outcome == Outcome::Finished(0) => {
                let out = String::from_utf8_lossy(&printed.borrow().out).trim().to_owned();
                if program.prints.as_deref() != Some(out.as_str()) {
                    complain(format!("prints `{out}`, should print {:?}", program.prints));
                }
                if let Some(leak) = interp.leak_report() {
                    complain(leak.to_string());
                }
            }
            (Kind::GpuRacy, None) if outcome == Outcome::Finished(0) => {}
            _ => {
                seen.found = true;
                complain(match &outcome {
                    Outcome::Stopped(stop) => stop.to_string(),
                    Outcome::Finished(status) => format!("ends with status {status}"),
                });
            }
        }
    }
    Ok(seen)
}

#[test]
fn faults_of_kernels_are_found_where_they_are_and_nowhere_else() {
    let full = std::env::var("ADJ_RACES").is_ok_and(|how| how == "full");
    let programs = corpus::gpu();
    let of = |kind: Kind| programs.iter().filter(|program| program.kind == kind).count();
    assert!(programs.len() >= 60);
    assert!(of(Kind::GpuRacy) >= 20 && of(Kind::GpuClean) >= 20 && of(Kind::GpuFaulty) >= 10);
    let jobs: Vec<(Program, Level, u64)> = (0..)
        .zip(programs)
        .flat_map(|(number, program): (usize, Program)| {
            let all = vec![Level::O0, Level::O2];
            let levels = if full { all } else { vec![all[number % 2]] };
            levels.into_iter().map(move |level| (program.clone(), level, if full { 10 } else { 2 }))
        })
        .collect();
    let seen: Mutex<Vec<Seen>> = Mutex::default();
    let failures = parallel::two_at_a_time(&jobs, |(program, level, seeds)| {
        let result = run(program, *level, *seeds).map_err(|why| format!("{} at {level}: {why}", program.name()))?;
        seen.lock().unwrap().push(result);
        Ok(())
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let seen = seen.into_inner().unwrap();
    let of = |kind: Kind| seen.iter().filter(move |s| s.kind == kind);
    for (kind, what) in [(Kind::GpuRacy, "racy"), (Kind::GpuClean, "clean"), (Kind::GpuFaulty, "otherwise faulty")] {
        let found = of(kind).filter(|s| s.found).count();
        let (reports, exact): (usize, usize) =
            of(kind).fold((0, 0), |(reports, exact), s| (reports + s.reports, exact + s.exact));
        let runs: u64 = of(kind).map(|s| s.runs).sum();
        println!(
            "{what}: {} programs and levels, {found} found; {reports} reports in {runs} runs, {exact} exact",
            of(kind).count()
        );
    }
    for seen in seen.iter().filter(|s| s.kind == Kind::GpuRacy) {
        if !seen.found {
            println!("missed: {}", seen.name);
        }
        for complaint in seen.complaints.iter().take(1) {
            println!("lines: {}", complaint.lines().next().unwrap_or_default());
        }
    }
    let complaints: Vec<&String> =
        seen.iter().filter(|s| s.kind != Kind::GpuRacy).flat_map(|s| &s.complaints).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    let (racy, found) = (of(Kind::GpuRacy).count(), of(Kind::GpuRacy).filter(|s| s.found).count());
    assert!(found as f64 >= 0.95 * racy as f64, "{found} of {racy} found");
    let (reports, exact) = of(Kind::GpuRacy).fold((0, 0), |(r, e), s| (r + s.reports, e + s.exact));
    assert!(exact as f64 >= 0.9 * reports as f64, "{exact} of {reports} exact");
}

/// Judges a CUDA program at these levels, under a few schedules; the exit code, and what is printed.
fn judged(path: &std::path::Path, levels: &str, flags: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_adj"));
    command.args(["check", "--schedules", "2", "--levels", levels]).arg(path);
    command.args(flags.iter().map(|flag| format!("--cflag={flag}")));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

/// Each is judged as a whole, and compares itself with differences.
#[test]
fn gradients_of_kernels_are_right() {
    let programs = corpus::gpu_gradients();
    assert!(programs.len() >= 25);
    let failures = parallel::two_at_a_time(&programs, |program| {
        let (code, text) = judged(&program.path, "O0,O2", &[]);
        let is_compared = (text.contains("correct: gradient of `") || text.contains("correct: tangent of `"))
            && text.contains("plain differences agree");
        match code == Some(0) && is_compared {
            true => Ok(()),
            false => Err(format!("{}: {code:?}: {text}", program.name())),
        }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// `clang | adj opt | llc` gives PTX in which no differentiated call is left.
#[test]
fn gradients_of_kernels_become_code_of_a_device() {
    let programs = corpus::gpu_gradients();
    let failures = parallel::two_at_a_time(&programs, |program| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let [device, gradients, ptx] =
            ["device.ll", "gradients.ll", "kernels.ptx"].map(|name| folder.path().join(name));
        let step = |command: &mut std::process::Command| -> Result<(), String> {
            let output = command.output().map_err(|error| error.to_string())?;
            let complaint = || format!("{}: {}", program.name(), String::from_utf8_lossy(&output.stderr));
            if output.status.success() { Ok(()) } else { Err(complaint()) }
        };
        let options =
            ["--cuda-device-only", "--cuda-gpu-arch=sm_70", "--cuda-feature=+ptx63", "-nogpuinc", "-nogpulib"];
        let mut clang = std::process::Command::new("clang-19");
        clang.args(["-x", "cuda", "-O2", "-S", "-emit-llvm", "-Xclang", "-target-sdk-version=12.0"]).args(options);
        step(clang.arg("-I").arg(corpus::include_dir()).arg(&program.path).arg("-o").arg(&device))?;
        let mut opt = std::process::Command::new(env!("CARGO_BIN_EXE_adj"));
        step(opt.arg("opt").arg(&device).arg("-S").arg("-o").arg(&gradients))?;
        let mut llc = std::process::Command::new("llc-19");
        llc.args(["-march=nvptx64", "-mcpu=sm_70", "-mattr=+ptx63"]).arg(&gradients);
        step(llc.arg("-o").arg(&ptx))?;
        let text = std::fs::read_to_string(&ptx).map_err(|error| error.to_string())?;
        match text.contains(".entry _Z8gradient") || text.contains(".entry _Z7tangent") {
            true if !text.contains("__enzyme_") => Ok(()),
            _ => Err(format!("{}: {text}", program.name())),
        }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A gradient by hand of a kernel: `-DFACTOR` in one of its terms, `-DADD` the other one.
const BY_HAND: &str = "#include <cuda_runtime.h>
__device__ int enzyme_dup, enzyme_const;
template <class... T> extern __device__ void __adj_check_gradient(void *, void *, T...);
__device__ void f(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] * x[0];
}
__device__ void df(const double *x, double *dx, double *y, double *dy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[i] * x[i] * x[0];
    double d = dy[i];
    dy[i] = 0;
    atomicAdd(dx + i, FACTOR * x[i] * x[0] * d);
    double other = x[i] * x[i] * d;
    ADD;
  }
}
__global__ void gradient(const double *x, double *dx, double *y, double *dy, int n) {
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
int main() {
  const int n = 10;
  double *x, *dx, *y, *dy;
  cudaMallocManaged(&x, n * sizeof *x);
  cudaMallocManaged(&dx, n * sizeof *x);
  cudaMallocManaged(&y, n * sizeof *x);
  cudaMallocManaged(&dy, n * sizeof *x);
  for (int i = 0; i < n; i++)
    x[i] = 1 + 0.5 * i, dx[i] = y[i] = 0, dy[i] = 1;
  gradient<<<3, 4>>>(x, dx, y, dy, n);
  cudaFree(x);
  cudaFree(dx);
  cudaFree(y);
  cudaFree(dy);
}
";

#[test]
fn gradients_of_kernels_by_hand_are_judged_as_what_the_grid_computes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("by_hand.cu");
    std::fs::write(&path, BY_HAND).unwrap();
    for (factor, add, code, found) in [
        ("2", "atomicAdd(dx, other)", 0, "correct: `"),
        ("3", "atomicAdd(dx, other)", 1, "wrong (rule): `"),
        ("2", "dx[0] += other", 1, "race: a data race"),
        ("2", "(void)other", 1, "the component of x[0]"),
        ("2", "if (i) atomicAdd(dx, other)", 1, "the component of x[0]"),
        ("2", "atomicAdd(dx, 2 * other)", 1, "wrong ("),
    ] {
        let (ended, text) = judged(&path, "O1", &[&format!("-DFACTOR={factor}"), &format!("-DADD={add}")]);
        assert!(ended == Some(code) && text.contains(found), "{factor}, {add}: {ended:?} {text}");
    }
}

/// A kernel of AMDGPU that reads the size of its block from the implicit arguments, y = a x + y.
const SAXPY: &str = r#"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-i64:64-n32:64-S32-A5-G1"
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @saxpy(i32 %n, float %a, ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %block = call i32 @llvm.amdgcn.workgroup.id.x()
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %at = getelementptr i8, ptr addrspace(4) %implicit, i64 12
  %size16 = load i16, ptr addrspace(4) %at
  %size = zext i16 %size16 to i32
  %first = mul i32 %block, %size
  %i = add i32 %first, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %then, label %end
then:
  %j = sext i32 %i to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %j
  %py = getelementptr float, ptr addrspace(1) %y, i64 %j
  %vx = load float, ptr addrspace(1) %px
  %vy = load float, ptr addrspace(1) %py
  %p = fmul float %a, %vx
  %s = fadd float %p, %vy
  store float %s, ptr addrspace(1) %py
  br label %end
end:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
"#;

#[test]
fn a_kernel_alone_gets_its_buffers_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saxpy.ll");
    std::fs::write(&file, SAXPY).unwrap();
    let adj = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_adj"));
        let output =
            command.arg("run").args(["--grid", "2", "--block", "4,1"]).arg(&file).args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let (code, text) = adj(&["7", "2", "f32*7=#", "f32*7=0.5"]);
    assert_eq!(
        (code, text.as_str()),
        (Some(0), "argument 3: 0 1 2 3 4 5 6\nargument 4: 0.5 2.5 4.5 6.5 8.5 10.5 12.5\n")
    );
    // The last thread finds no element of its own.
    let (code, text) = adj(&["8", "2", "f32[0,1,2,3,4,5,6]", "f32*8"]);
    assert!(code == Some(1) && text.contains("out-of-bounds"), "{code:?} {text}");
    let (code, text) = adj(&["8", "2", "f32*8"]);
    assert!(code == Some(2) && text.contains("takes 4 arguments"), "{code:?} {text}");
}
