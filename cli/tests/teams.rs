//! Gradients of what teams of threads compute: judged at every level, with several sizes of the team and under several
//! schedules, and right as native programs with one to eight threads.

mod parallel;

use adjudicate::Verdict;
use corpus::Program;
use std::process::Command;

/// Each program, and all that is wrong.
#[track_caller]
fn all(verify: impl Fn(&Program) -> Result<(), String> + Sync) {
    let programs = corpus::team_gradients();
    assert!(programs.len() >= 60, "only {} programs", programs.len());
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
