//! `adj opt` with passes around differentiation: the order of the two pipelines, levels, passes of one's own, and what
//! is refused.

mod support;

use std::fs;
use std::path::PathBuf;
use support::{Ended, run};
use tempfile::TempDir;

/// The example of Moses and Churavy (NeurIPS 2020, figure 1): a sum that does not change in the loop around it. What
/// moves it out before differentiation saves its gradient in each iteration. The expected derivative: that of x0 / (sum
/// of all x), times n for the first.
const SOURCE: &str = r#"
#include "adj.h"
#include <stdio.h>
#include <math.h>
__attribute__((noinline)) double total(const double *restrict x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}
static void norm(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] / total(in, n);
}
int main(void) {
  double x[60], dx[60] = {0.0}, y[60], dy[60] = {0.0};
  for (int i = 0; i < 60; i++) x[i] = 1.0;
  dy[0] = 1.0;
  __enzyme_autodiff((void *)norm, enzyme_dup, y, dy, enzyme_dup, x, dx, enzyme_const, 60);
  printf("%.10f %.10f\n", dx[0], dx[1]);
  return fabs(dx[0] - (1.0 / 60.0 - 2.0 / 3600.0)) > 1e-14 || fabs(dx[1] + 2.0 / 3600.0) > 1e-14;
}
"#;
const SHOWN: &str = "0.0161111111 -0.0005555556\n";

const REFUSED: &str = "
declare double @unknown(double)
declare double @__enzyme_autodiff(...)
define double @f(double %x) {
  %y = call double @unknown(double %x)
  ret double %y
}
define double @slope(double %x) {
  %y = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %y
}
";

/// A folder with the module as the front end gives it.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("norm.c");
        fs::write(&source, SOURCE).unwrap();
        let options = llvm::CompileOptions {
            include_dirs: vec![support::include_folder()],
            flags: ["-Xclang", "-disable-llvm-passes"].map(str::to_owned).into(),
            debug: false,
            ..llvm::CompileOptions::at(llvm::Level::O1)
        };
        fs::write(folder.path().join("norm.ll"), llvm::to_ir_text(&source, &options).unwrap()).unwrap();
        Place(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn adj(&self, line: &str) -> Ended {
        run(support::adj(&line.split(' ').collect::<Vec<_>>()).current_dir(self.0.path()))
    }

    /// The text that `adj opt` gives, which LLVM takes, and whose native program is right.
    #[track_caller]
    fn opt(&self, options: &str) -> String {
        let ended = self.adj(&format!("opt norm.ll -S -o out.ll {options}").trim_end().replace("  ", " "));
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{options}");
        let text = fs::read_to_string(self.file("out.ll")).unwrap();
        let program = self.file("program");
        let link = llvm::native::LinkOptions::default();
        llvm::native::build_executable(text.as_bytes(), &program, &link).unwrap();
        let ended = run(&mut std::process::Command::new(program));
        assert_eq!((ended.code, ended.out.as_str()), (0, SHOWN), "{options}");
        text
    }

    /// Instructions that a run executes.
    #[track_caller]
    fn executed(&self) -> u64 {
        let ended = self.adj("run --level O0 --stats-json stats.json out.ll");
        assert_eq!((ended.code, ended.out.as_str()), (0, SHOWN), "{}", ended.err);
        let text = fs::read_to_string(self.file("stats.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json["steps"].as_u64().unwrap_or_else(|| panic!("{text}"))
    }
}

#[test]
fn the_pipelines_differ_in_their_order() {
    let place = Place::new();
    let executed = |options: &str| {
        place.opt(options);
        place.executed()
    };
    let (none, enzyme, reference) = (executed(""), executed("--pipeline enzyme"), executed("--pipeline ref"));
    assert_eq!(none, executed("--pipeline none"));
    // Optimised afterwards, and first: the sum and its gradient once in place of sixty times.
    assert!(reference < none, "ref {reference}, none {none}");
    assert!(enzyme * 10 < reference, "enzyme {enzyme}, ref {reference}");
    // Passes of one's own take the place of the pipeline's.
    let own = executed("--before default<O2> --after default<O2>");
    assert!(own * 10 < reference, "own {own}, ref {reference}");
    let late = executed("--pipeline enzyme -O2 --before function(sroa)");
    assert!(late > enzyme * 5, "late {late}, enzyme {enzyme}");
    let unfinished = executed("--pipeline enzyme --after verify");
    assert!(unfinished > enzyme, "unfinished {unfinished}, enzyme {enzyme}");
}

#[test]
fn each_level_gives_a_program_that_is_right() {
    let place = Place::new();
    for pipeline in ["enzyme", "ref"] {
        let [o0, o1, o3] = ["-O0", "-O1", "-O3"].map(|level| place.opt(&format!("--pipeline {pipeline} {level}")));
        // Variables are values after optimisation; what is optimised may still be longer, as calls are inlined.
        let slots = |text: &str| text.matches(" = alloca ").count();
        assert!(slots(&o0) > 2 * slots(&o1) && o1 != o3, "{pipeline}");
    }
    // Gradients are those of native code, as `adj cc` makes them. (With the call written out, the loop keeps nothing.)
    let reused = |options: &str| place.opt(options).contains("@__adj_chunks");
    assert!(reused("--pipeline ref -O0 --without inlining"));
    assert!(!reused("--pipeline ref -O0 --without inlining,tape-reuse,errno") && !reused(""));
}

#[test]
fn what_cannot_be_done_is_told() {
    let place = Place::new();
    let fails = |line: &str, code: i32, phrases: &[&str]| {
        let ended = place.adj(line);
        assert_eq!(ended.code, code, "{line}: {}", ended.err);
        assert!(phrases.iter().all(|phrase| ended.err.contains(phrase)), "{line}: {}", ended.err);
    };
    fails("opt norm.ll -O2", 2, &["--pipeline"]);
    fails("opt norm.ll --pipeline enzyme -O7", 2, &["`7` is not an optimisation level"]);
    fails("opt norm.ll --pipeline fast", 2, &["enzyme", "ref", "none"]);
    fails("opt norm.ll --before nonsense", 2, &["cannot run the passes `nonsense`", "unknown pass name"]);
    fails("opt norm.ll --after default<O9>", 2, &["cannot run the passes `default<O9>`"]);
    fails("opt norm.ll --without nonsense", 2, &["no lever `nonsense`"]);
    fails("opt norm.ll --pipeline ref --fault wrong-sign", 2, &["--fault"]);
    fails("opt norm.c --pipeline ref", 2, &["norm.c", "adj cc"]);
    fs::write(place.file("broken.ll"), "define void @f(\n").unwrap();
    fails("opt broken.ll --pipeline enzyme", 2, &["broken.ll: not valid LLVM IR"]);
    fs::write(place.file("refused.ll"), REFUSED).unwrap();
    for options in ["", " --pipeline enzyme", " --pipeline ref", " --before verify"] {
        fails(&format!("opt refused.ll{options}"), 3, &["unsupported", "`unknown` gets", "no body here"]);
    }
}

#[test]
fn the_command_line_of_llvm_and_its_plugin_is_understood() {
    let place = Place::new();
    place.opt("-load-pass-plugin=./LLVMEnzyme-19.so -passes=enzyme -S");
    place.opt("-load ./LLVMEnzyme-19.so -enzyme");
    let first = place.opt("--before default<O2> --after instcombine");
    assert_eq!(first, place.opt("-passes=default<O2>,enzyme,instcombine"));
    let told = place.adj("opt norm.ll -passes=enzyme -enzyme-preopt=0 -S -o out.ll");
    assert_eq!(told.code, 0);
    assert!(told.err.contains("note: -enzyme-preopt=0 changes nothing here"), "{}", told.err);
    for (options, phrase) in [
        ("-passes=mem2reg", "`enzyme` is not among the passes"),
        ("-load-pass-plugin=./other.so -passes=enzyme", "no plugin but Enzyme's"),
        ("-enzyme-truncate-all=double", "would change derivatives"),
    ] {
        let ended = place.adj(&format!("opt norm.ll {options}"));
        assert!(ended.code == 2 && ended.err.contains(phrase), "{options}: {}", ended.err);
    }
}

#[test]
fn an_option_for_all_calls_is_that_of_each() {
    let place = Place::new();
    let module = |option: &str| {
        format!(
            "@enzyme_strong_zero = external global i32
            declare double @__enzyme_fwddiff(...)
            define double @f(double %x) {{
              %y = fmul double %x, %x
              ret double %y
            }}
            define double @slope(double %x, double %dx) {{
              %strong = load i32, ptr @enzyme_strong_zero
              %y = call double (...) @__enzyme_fwddiff(ptr @f, {option}double %x, double %dx)
              ret double %y
            }}"
        )
    };
    let tangent = |option: &str, flag: &str| {
        fs::write(place.file("slope.ll"), module(option)).unwrap();
        let ended = place.adj(&format!("opt slope.ll{flag}"));
        assert_eq!(ended.code, 0, "{}", ended.err);
        let start = ended.out.find("define internal").unwrap_or_else(|| panic!("{}", ended.out));
        ended.out[start..].to_owned()
    };
    let (plain, strong) = (tangent("", ""), tangent("i32 %strong, ", ""));
    assert_ne!(plain, strong);
    for flag in [" --strong-zero", " -enzyme-strong-zero", " -enzyme-strong-zero=1"] {
        assert_eq!(tangent("", flag), strong, "{flag}");
    }
    assert_eq!(tangent("", " -enzyme-strong-zero=0"), plain);
    // Split mode has no such option, and says so.
    let split = module("")
        .replace("__enzyme_fwddiff", "__enzyme_augmentfwd")
        .replace(", double %dx)\n              ret", ")\n              ret");
    fs::write(place.file("split.ll"), split).unwrap();
    assert_eq!(place.adj("opt split.ll").code, 0);
    let refused = place.adj("opt split.ll --strong-zero");
    assert!(refused.code == 3 && refused.err.contains("split mode has neither"), "{}", refused.err);
}
