//! Gradients of what teams of threads compute: judged at every level, with several sizes of the team and under several
//! schedules, and right as native programs with one to eight threads.

mod parallel;

use adjudicate::Verdict;
use corpus::Program;
use std::fs;
use std::process::Command;

/// Each program, and all that is wrong.
#[track_caller]
fn all(verify: impl Fn(&Program) -> Result<(), String> + Sync) {
    let programs = corpus::team_gradients();
    assert!(programs.len() >= 130, "only {} programs", programs.len());
    let failures = parallel::two_at_a_time(&programs, |program| {
        verify(program).map_err(|why| format!("{}: {why}", program.name()))
    });
    assert!(failures.is_empty(), "{} of {}:\n\n{}", failures.len(), programs.len(), failures.join("\n\n"));
}

#[test]
fn they_are_correct_under_every_schedule() {
    all(|program| {
        let report = adjudicate::check(&program.path)
            .levels(&program.levels)
            .flags(&program.flags)
            .teams([1, 3])
            .schedules(2)
            .run()
            .map_err(|error| error.to_string())?;
        for level in &report.levels {
            let judged = level.gradients.iter().all(|gradient| gradient.judged > 0) && !level.gradients.is_empty();
            if level.verdict() != Verdict::Correct || !judged {
                return Err(format!("{} at {}\n{report}", level.verdict(), level.level));
            }
        }
        Ok(())
    });
}

#[test]
fn native_programs_agree_with_differences() {
    all(|program| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let binary = folder.path().join("prog");
        let language = if program.path.extension().is_some_and(|e| e == "cpp") { "c++" } else { "cc" };
        let built = Command::new(env!("CARGO_BIN_EXE_adj"))
            .arg(language)
            .args(["-O2", "-lm"])
            .args(&program.flags)
            .arg(&program.path)
            .arg("-o")
            .arg(&binary)
            .output()
            .map_err(|error| error.to_string())?;
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        for threads in ["1", "2", "3", "8"] {
            let output = Command::new("timeout")
                .arg("60")
                .arg(&binary)
                .env("OMP_NUM_THREADS", threads)
                .env("OMP_MAX_ACTIVE_LEVELS", "2")
                .output()
                .map_err(|error| error.to_string())?;
            if output.status.code() != Some(0) {
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                return Err(format!("{} with {threads} threads: {text}", output.status));
            }
        }
        Ok(())
    });
}

/// What `adj explain` says of an increment.
const OWNED: &str = "makes it the only one";
const PRIVATE: &str = "no other thread finds that memory";
const SUMMED: &str = "is summed up in each thread";
const ATOMIC: &str = "is added to in one piece";

/// Regions on `x`, `y`, `z`, `t` (arrays, `t` of structures) and `s` (a number): what is said of the loads of active
/// numbers, and what must not be said of any.
const REGIONS: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "own elements",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = x[i] * x[i];",
        &[OWNED],
        &[ATOMIC, SUMMED],
    ),
    (
        "neighbours",
        "#pragma omp parallel for\nfor (int i = 1; i < n; i++) y[i] = x[i] * x[i - 1];",
        &[ATOMIC],
        &[OWNED],
    ),
    (
        "two loops side by side, of which each shares out the same elements in its own way",
        "#pragma omp parallel\n{\n#pragma omp for nowait schedule(static, 1)\n\
         for (int i = 0; i < n; i++) y[i] = x[i];\n\
         #pragma omp for schedule(static, 4)\nfor (int i = 0; i < n; i++) z[i] = x[i] * 2;\n}",
        &[ATOMIC],
        &[OWNED],
    ),
    (
        "what is stored lies further apart than what is loaded",
        "#pragma omp parallel for\nfor (int i = 0; i < n / 2; i++) y[2 * i] = x[i] + x[n - 1 - i];",
        &[ATOMIC],
        &[OWNED],
    ),
    (
        "the store is in another section than the load",
        "#pragma omp parallel\nfor (int i = 0; i < n; i++) {\ndouble v = x[i];\n\
         #pragma omp critical\ny[i] += v * v;\n}",
        &[ATOMIC],
        &[],
    ),
    (
        "members of structures",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) t[i].b = t[i].a * t[i].a;",
        &[OWNED],
        &[ATOMIC],
    ),
    (
        "elements that are overwritten, by what lies elsewhere",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) z[i] = z[i] * y[i];",
        &[OWNED],
        &[ATOMIC],
    ),
    (
        "a sum in place, of products",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) z[i] += x[i] * x[i];",
        &[OWNED],
        &[ATOMIC],
    ),
    (
        "one of two stores, on every way",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\ndouble v = x[i];\nfor (int k = 0; k < n; k++) v = v * v          + 0.5;\nif (v > 1) y[i] = v;\nelse y[i] = sin(v);\n}",
        &[OWNED],
        &[ATOMIC],
    ),
    (
        "a store on one of two ways",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\ndouble v = x[i];\nif (v > 1) y[i] = v * v;\n}",
        &[ATOMIC],
        &[OWNED],
    ),
    (
        "a number that all read",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = s * i;",
        &[SUMMED],
        &[ATOMIC],
    ),
    (
        "a number that one writes and all read",
        "#pragma omp parallel\n{\n#pragma omp single\ns = x[0] * x[1];\n\
         #pragma omp for\nfor (int i = 0; i < n; i++) y[i] = s * i;\n}",
        &[ATOMIC],
        &[SUMMED],
    ),
    (
        "memory of a thread",
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\ndouble v[8] = {0};\nfor (int k = 0; k < n; k++) v[k % 8] \
         += x[i] * v[(k + 1) % 8] + k;\ny[i] = v[i % 8];\n}",
        &[PRIVATE],
        &[SUMMED],
    ),
];

#[test]
fn increments_are_protected_where_another_thread_may_add() {
    for (name, region, said, unsaid) in REGIONS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("region.c");
        let source = format!(
            "#include \"adj.h\"\n#include <math.h>\nstruct pair {{ double a, b; }};\nstatic double f(const double *x, double *y, double *z, \
             struct pair *t, int n) {{\ndouble s = x[0] * x[0];\n{region}\ndouble sum = s;\nfor (int i = 0; i < n; i++) \
             sum += y[i] * z[i] + t[i].b;\nreturn sum;\n}}\nvoid g(double *x, double *dx, double *y, double *dy, double *z, \
             double *dz, struct pair *t, struct pair *dt, int n) {{\n__enzyme_autodiff((void *)f, enzyme_dup, x, dx, \
             enzyme_dup, y, dy, enzyme_dup, z, dz, enzyme_dup, t, dt, enzyme_const, n);\n}}\n"
        );
        fs::write(&file, source).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_adj"))
            .args(["explain", "--cflag=-fopenmp", "--level", "O1"])
            .arg(&file)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        for phrase in *said {
            assert!(text.contains(phrase), "{name}: not `{phrase}`\n{text}");
        }
        for phrase in *unsaid {
            assert!(!text.contains(phrase), "{name}: `{phrase}`\n{text}");
        }
    }
}
