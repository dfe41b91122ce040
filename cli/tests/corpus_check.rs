//! The oracle on the corpus: every right gradient is judged correct at every level, every wrong one is refused with its
//! family and its line, and kinks, conventions and undefined behaviour are reported as such, where they are.

mod parallel;

use adjudicate::report::{Finding, Gradient, LevelReport, Report};
use adjudicate::{Passes, Verdict};
use corpus::{Expectation, Kind, Program};

/// Judges a program at its levels.
fn judge(program: &Program) -> Result<Report, String> {
    adjudicate::check(&program.path)
        .levels(&program.levels)
        .args(&program.args)
        .flags(&program.flags)
        .passes(if program.before_differentiation { Passes::BeforeDifferentiation } else { Passes::All })
        .tape(program.kind == Kind::Correct)
        .run()
        .map_err(|error| error.to_string())
}

/// Runs `verify` on the report of every program of a kind, and fails with all that is wrong.
#[track_caller]
fn all_of(kind: Kind, least: usize, verify: impl Fn(&Program, &Report) -> Result<(), String> + Sync) {
    let programs = corpus::of_kind(kind);
    assert!(programs.len() >= least, "only {} programs", programs.len());
    let failures = parallel::two_at_a_time(&programs, |program| {
        let named = |why: String| format!("{}: {why}", program.name());
        let report = judge(program).map_err(named)?;
        verify(program, &report).map_err(|why| format!("{}: {why}\n{report}", program.name()))
    });
    let (bad, all) = (failures.len(), programs.len());
    assert!(failures.is_empty(), "{bad} of {all} programs:\n\n{}", failures.join("\n\n"));
}

/// Every level has judged something, and found nothing to say.
fn correct(_: &Program, report: &Report) -> Result<(), String> {
    for level in &report.levels {
        if level.verdict() != Verdict::Correct {
            return Err(format!("{} at {}", level.verdict(), level.level));
        }
        if level.gradients.is_empty() || level.gradients.iter().any(|gradient| gradient.judged == 0) {
            return Err(format!("a gradient was not judged at {}", level.level));
        }
        for gradient in &level.gradients {
            in_proportion(gradient).map_err(|why| format!("{why} at {}", level.level))?;
            if let Some(remark) = gradient.remarks.iter().find(|r| r.starts_with("activity: ")) {
                return Err(format!("{remark} at {}", level.level));
            }
        }
    }
    Ok(())
}

/// The tape is no larger than what the primal's instructions may leave on it, whatever the program: a tape that grows
/// faster than the work is soon above that.
fn in_proportion(gradient: &Gradient) -> Result<(), String> {
    const BYTES_PER_INSTRUCTION: u64 = 16;
    match &gradient.tape {
        Some(tape) if tape.bytes > BYTES_PER_INSTRUCTION * tape.primal_steps + 64 => Err(format!(
            "{} bytes on the tape of `{}` for {} instructions",
            tape.bytes, gradient.function, tape.primal_steps
        )),
        _ => Ok(()),
    }
}

/// Whether a finding is the expected one.
fn fits(program: &Program, expected: &Expectation, finding: &Finding) -> bool {
    let verdict = match expected.verdict.as_str() {
        "ub" => finding.verdict == Verdict::UbInPrimal,
        name => finding.verdict.name() == name,
    };
    let detail = match (&expected.detail, finding.verdict) {
        (None, _) => true,
        (Some(family), Verdict::Wrong) => finding.family.is_some_and(|found| found.name() == family),
        (Some(phrase), _) => finding.message.contains(phrase.as_str()),
    };
    let here = finding
        .position
        .as_ref()
        .is_some_and(|position| position.line as usize == expected.line && position.file.ends_with(&program.name()));
    verdict && detail && here
}

/// Every expectation is met at every level it is for, and the exit code is the expected one.
fn as_expected(program: &Program, report: &Report) -> Result<(), String> {
    if program.expectations.is_empty() {
        return Err("the program expects nothing".to_owned());
    }
    for expected in &program.expectations {
        let concerned = |level: &&LevelReport| expected.holds_at(&level.level);
        if !report.levels.iter().any(|level| concerned(&level)) {
            return Err(format!("line {} expects something at no level", expected.line));
        }
        for level in report.levels.iter().filter(concerned) {
            if !level.findings().any(|finding| fits(program, expected, finding)) {
                let Expectation { line, verdict, detail, .. } = expected;
                let detail = detail.as_deref().unwrap_or("");
                return Err(format!("line {line} expects `{verdict} {detail}` at {}", level.level));
            }
        }
    }
    match i32::from(report.exit_code()) {
        code if code == program.exit => Ok(()),
        code => Err(format!("exit code {code}, expected {}", program.exit)),
    }
}

#[test]
fn our_gradients_are_correct_at_every_level() {
    all_of(Kind::Correct, 80, correct);
}

#[test]
fn right_gradients_by_hand_raise_no_alarm() {
    all_of(Kind::Right, 6, correct);
}

#[test]
fn wrong_gradients_are_refused_with_family_and_line() {
    all_of(Kind::Wrong, 100, as_expected);
}

#[test]
fn inaccurate_gradients_are_told_from_wrong_ones() {
    all_of(Kind::Inaccurate, 2, as_expected);
}

#[test]
fn kinks_are_notes() {
    all_of(Kind::Kink, 5, as_expected);
}

#[test]
fn convention_points_are_notes() {
    all_of(Kind::Convention, 5, as_expected);
}

#[test]
fn undefined_behaviour_of_the_program_is_found_where_it_is() {
    all_of(Kind::Ub, 15, as_expected);
}
