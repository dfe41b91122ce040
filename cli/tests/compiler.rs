//! `adj cc` and `adj c++` as compiler drivers: each form of command line that builds use, and what goes wrong in them.
//!
//! The expected derivative stands in the program: it returns the number of wrong components.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use support::{Ended, run};
use tempfile::TempDir;

/// d/dx of x0 x1 + sin(x0) at (0.5, 2): 2 + cos 0.5 and 0.5.
const MAIN: &str = r#"
#include "adj.h"
#include <math.h>
#include <stdio.h>
double f(const double *x);
int main(void) {
  double x[2] = {0.5, 2.0}, dx[2] = {0.0, 0.0};
  __enzyme_autodiff((void *)f, x, dx);
  printf("%.12f %.12f\n", dx[0], dx[1]);
  return (fabs(dx[0] - (2.0 + cos(0.5))) > 1e-14) + (dx[1] != 0.5);
}
"#;
const F: &str = "double g(double x);\ndouble f(const double *x) { return x[0] * x[1] + g(x[0]); }\n";
const G: &str = "#include <math.h>\ndouble g(double x) { return sin(x); }\n";
const SHOWN: &str = "2.877582561890 0.500000000000\n";

/// A folder with sources, in which commands run.
struct Place(TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Place(folder)
    }

    fn three() -> Place {
        let whole = format!("{F}{}", G.replace("double g", "double h").replace("sin", "cos"));
        Place::new(&[("main.c", MAIN), ("f.c", F), ("g.c", G), ("f_only.c", &whole)])
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn adj(&self, line: &str) -> Ended {
        let words: Vec<&str> = line.split(' ').collect();
        run(support::adj(&words).current_dir(self.path()))
    }

    /// A command line that must succeed in silence.
    #[track_caller]
    fn build(&self, line: &str) {
        let ended = self.adj(line);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{line}");
    }

    #[track_caller]
    fn shows(&self, program: &str, expected: &str) {
        let ended = run(Command::new(self.path().join(program)).current_dir(self.path()));
        assert_eq!((ended.code, ended.out.as_str()), (0, expected), "{program}: {}", ended.err);
    }

    #[track_caller]
    fn fails(&self, line: &str, phrases: &[&str]) {
        let ended = self.adj(line);
        assert_eq!(ended.code, 1, "{line}: {}", ended.err);
        for phrase in phrases {
            assert!(ended.err.contains(phrase), "{line}: no `{phrase}` in:\n{}", ended.err);
        }
    }

    fn tool(&self, name: &str, arguments: &[&str]) {
        let program = llvm::find::tool("llvm-nm").unwrap().with_file_name(name);
        let ended = run(Command::new(program).args(arguments).current_dir(self.path()));
        assert_eq!(ended.code, 0, "{name}: {}", ended.err);
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }
}

#[test]
fn several_files_are_differentiated_together() {
    let place = Place::three();
    for options in ["-O0", "-O3 -march=native -w -ffp-contract=off", "--pipeline ref -O2", "-Os -g -flto"] {
        place.build(&format!("cc {options} main.c f.c g.c -o prog -lm"));
        place.shows("prog", SHOWN);
    }
}

#[test]
fn a_build_that_loads_the_plugin_needs_no_change() {
    let place = Place::three();
    for options in [
        "-O2 -fplugin=/opt/lib/ClangEnzyme-19.so",
        "-O1 -fpass-plugin=/opt/lib/LLVMEnzyme-19.so -mllvm -enzyme-strong-zero",
        "-O2 -Xclang -load -Xclang /opt/lib/ClangEnzyme-19.so -Wl,--load-pass-plugin=/opt/lib/LLDEnzyme-19.so",
    ] {
        place.build(&format!("cc {options} main.c f.c g.c -o prog -lm"));
        place.shows("prog", SHOWN);
    }
    let told = place.adj("cc -O1 -mllvm -enzyme-preopt=0 main.c f.c g.c -o prog -lm");
    assert!(told.code == 0 && told.err.contains("note: -enzyme-preopt=0 changes nothing here"), "{}", told.err);
    let refused = place.adj("cc -O1 -mllvm -enzyme-globals-default-inactive=1 main.c f.c g.c -o prog -lm");
    assert!(refused.code == 2 && refused.err.contains("would change derivatives"), "{}", refused.err);
}

#[test]
fn objects_and_archives_are_merged_at_the_link() {
    let place = Place::three();
    for file in ["main", "f", "g"] {
        place.build(&format!("cc -O2 -MD -Wall -c {file}.c"));
    }
    assert!(place.text("main.d").contains("adj.h"));
    place.build("cc main.o f.o g.o -o objects -lm");
    place.shows("objects", SHOWN);
    place.tool("llvm-ar", &["rcs", "libparts.a", "g.o", "f.o"]);
    for files in ["main.c f.c g.c", "main.c f.o g.o", "main.o libparts.a", "g.c main.c libparts.a"] {
        let judged = place.adj(&format!("check {files} --levels O0,O2"));
        assert!(judged.code == 0 && judged.out.contains("correct: gradient of `f` [O0 O2]"), "{files}: {judged:?}");
    }
    place.build("cc main.o libparts.a -o archive -lm");
    place.shows("archive", SHOWN);
    place.build("cc -O1 main.c -L. -lparts -o library -lm");
    place.shows("library", SHOWN);
    // A source, an object and bitcode at once.
    place.build("cc -O2 -c -emit-llvm g.c -o g.bc");
    place.build("cc -O2 main.c f.o g.bc -o mixed -lm");
    place.shows("mixed", SHOWN);
}

#[test]
fn an_object_that_is_complete_needs_no_link_of_ours() {
    let place = Place::new(&[("all.c", &format!("{G}{F}{MAIN}"))]);
    place.build("cc -O2 -c all.c -o all.o");
    place.tool("clang", &["all.o", "-lm", "-o", "plain"]);
    place.shows("plain", SHOWN);
    // The unit that it carries is not loaded with the program.
    assert!(!fs::read(place.path().join("plain")).unwrap().windows(7).any(|part| part == b".llvmbc"));
}

/// What a program links in the place of a `weak` function is what it computes.
#[test]
fn a_weak_body_gives_way_to_what_is_linked_in_its_place() {
    let weak = |body: &str| format!("#include <math.h>\n__attribute__((weak)) double g(double x) {{ {body} }}\n{F}");
    let (other, same) = (weak("return 3 * x;"), weak("return sin(x);"));
    let place = Place::new(&[("main.c", MAIN), ("other.c", &other), ("same.c", &same), ("g.c", G)]);
    for file in ["main", "other", "same", "g"] {
        place.build(&format!("cc -O2 -c {file}.c"));
    }
    place.build("cc main.o other.o g.o -lm -o replaced");
    place.shows("replaced", SHOWN);
    place.build("cc main.o same.o -lm -o kept");
    place.shows("kept", SHOWN);
    // What another object has for itself replaces nothing.
    fs::write(place.path().join("local.c"), "static double g(double x) { return x; }\ndouble (*l)(double) = g;\n")
        .unwrap();
    place.tool("clang", &["-O0", "-c", "local.c", "-o", "local.o"]);
    place.build("cc -O1 main.c same.c local.o -lm -o beside");
    place.shows("beside", SHOWN);
    // An object of another compiler has a body that nobody here can look into.
    place.tool("clang", &["-O1", "-c", "g.c", "-o", "theirs.o"]);
    for files in ["main.c other.c theirs.o", "main.o other.o theirs.o"] {
        place.fails(&format!("cc -O1 {files} -lm -o none"), &["g", "no body"]);
    }
}

#[test]
fn a_shared_library_holds_gradients() {
    let library = MAIN.replace("int main(void)", "int check(void)");
    let user = "int check(void);\nint main(void) { return check(); }\n";
    let place = Place::new(&[("library.c", &library), ("f.c", F), ("g.c", G), ("user.c", user)]);
    place.build("cc -O2 -shared -fPIC library.c f.c g.c -o libcheck.so -lm");
    place.tool("clang", &["user.c", "-L.", "-lcheck", "-Wl,-rpath,$ORIGIN", "-o", "user"]);
    place.shows("user", SHOWN);
}

#[test]
fn text_has_the_gradient_in_place_of_the_call() {
    let place = Place::new(&[("all.c", &format!("{G}{F}{MAIN}"))]);
    place.build("cc -O1 -S -emit-llvm all.c -o all.ll");
    let text = place.text("all.ll");
    assert!(text.contains("@printf(") && !text.contains("__enzyme_autodiff"), "{text}");
    // No debug information was asked for, so there is none.
    assert!(!text.contains("!DILocation"), "{text}");
    place.build("cc -O1 -g -S -emit-llvm all.c -o debug.ll");
    assert!(place.text("debug.ll").contains("!DILocation"));
    place.build("cc -O1 -S all.c");
    let assembly = place.text("all.s");
    assert!(assembly.contains("printf") && !assembly.contains("__enzyme_autodiff"), "{assembly}");
    place.build("cc -x ir all.ll -o prog -lm");
    place.shows("prog", SHOWN);
}

#[test]
fn programs_of_cxx_are_built() {
    let text = r#"
#include "adj.h"
#include <cmath>
#include <vector>
static double norm(const std::vector<double> &x) {
  double sum = 0;
  for (double v : x) sum += v * v;
  return std::sqrt(sum);
}
int main() {
  std::vector<double> x = {3.0, 4.0}, dx = {0.0, 0.0};
  __enzyme_autodiff<void>((void *)norm, enzyme_dup, &x, &dx);
  return std::fabs(dx[0] - 0.6) > 1e-15 || std::fabs(dx[1] - 0.8) > 1e-15;
}
"#;
    let place = Place::new(&[("prog.cpp", text), ("flags.txt", "-O2 prog.cpp -o from_file")]);
    place.build("c++ -std=c++17 -O3 -DNDEBUG prog.cpp -o prog");
    place.shows("prog", "");
    place.build("c++ @flags.txt");
    place.shows("from_file", "");
}

/// An interpreter of two instructions, x = x * y and x = sin(x): nothing but its gradient uses it.
const GOTO: &str = r#"
#include "adj.h"
#include <math.h>
static double run(const char *code, double x, double y) {
  static void *const labels[] = {&&product, &&sine, &&end};
  goto *labels[(int)*code];
product:
  x *= y;
  goto *labels[(int)*++code];
sine:
  x = sin(x);
  goto *labels[(int)*++code];
end:
  return x;
}
int main(void) {
  const char code[] = {0, 1, 0, 2};
  double d = __enzyme_autodiff((void *)run, enzyme_const, code, enzyme_out, 0.5, enzyme_const, 3.0);
  return fabs(d - 9.0 * cos(1.5)) > 1e-13;
}
"#;

#[test]
fn a_gradient_with_computed_branches_goes_where_the_program_goes() {
    let place = Place::new(&[("goto.c", GOTO)]);
    for level in ["-O0", "-O1", "-O3"] {
        place.build(&format!("cc {level} goto.c -o goto -lm"));
        place.shows("goto", "");
    }
}

#[test]
fn what_needs_no_gradient_is_left_to_clang() {
    let place = Place::new(&[("plain.c", "#ifdef M\n#include <stdio.h>\nint main(void) { puts(\"x\"); }\n#endif\n")]);
    let (ours, clang) = (place.adj("cc --version"), llvm::find::toolchain().unwrap().clang);
    assert_eq!((ours.code, ours.out), (0, run(Command::new(clang).arg("--version")).out));
    assert!(place.adj("cc -E -DM plain.c").out.contains("int main(void)"));
    assert_eq!(place.adj("cc -fsyntax-only -DM plain.c").code, 0);
    place.build("cc -DM -O2 plain.c");
    place.shows("a.out", "x\n");
    place.build("cc -DM -O2 -c plain.c");
    place.tool("clang", &["plain.o", "-o", "linked"]);
    place.shows("linked", "x\n");
}

#[test]
fn a_missing_body_is_named_with_the_calls_that_lead_there() {
    let place = Place::three();
    for level in ["-O0", "-O2"] {
        let phrases =
            ["f.c:2:", "error: `g` gets an active value, but has no body", "main.c:8:", "call in `main`: `f`"];
        place.fails(&format!("cc {level} main.c f.c -o prog -lm"), &phrases);
    }
    place.fails("cc -O1 main.c -o prog -lm", &["main.c:8:", "error: ", "`f` has no body here"]);
    assert!(!place.path().join("prog").exists());
    // Of assembly nobody will complete it.
    place.fails("cc -O1 -S main.c", &["`f` has no body here"]);
    // An object is completed by its link.
    place.build("cc -O1 -c main.c");
    place.fails("cc main.o -o prog", &["`f` has no body here"]);
}

/// The optimiser writes the call out wherever its function is called.
#[test]
fn a_name_of_the_convention_that_is_not_known_is_an_error() {
    let unknown = MAIN.replace("int main", "double __enzyme_no_such_thing(void *, ...);\nint main");
    let unknown = unknown.replace("  printf", "  __enzyme_no_such_thing((void *)f, x);\n  printf");
    let cxx = "template <class T> T __enzyme_autodif(void *, T);\nstatic double f(double x) { return x * x; }\n\
               int main() { return __enzyme_autodif<double>((void *)f, 1.0) != 2.0; }\n";
    let other = "double __enzyme_autodif(void *, ...);\ndouble f(double x) { return x * x; }\n\
                 double g(void) { return __enzyme_autodif((void *)f, 1.0); }\n";
    let place = Place::new(&[("main.c", &unknown), ("f.c", F), ("g.c", G), ("a.cpp", cxx), ("b.c", other)]);
    for level in ["-O0", "-O3"] {
        place.fails(
            &format!("cc {level} main.c f.c g.c -o prog -lm"),
            &[
                "main.c:10:",
                "error: `__enzyme_no_such_thing` is no function that is known: there are `__enzyme_autodiff`",
            ],
        );
        place.fails(&format!("cc {level} -c main.c"), &["main.c:10:", "`__enzyme_no_such_thing`"]);
        place.fails(&format!("c++ {level} a.cpp -o prog"), &["a.cpp:3:", "did you mean `__enzyme_autodiff`?"]);
    }
    assert!(!place.path().join("prog").exists());
    // It is one as well where another function's gradient is printed.
    let ended = place.adj("grad -f f b.c");
    assert!(ended.code == 3 && ended.err.contains("did you mean `__enzyme_autodiff`?"), "{ended:#?}");
}

#[test]
fn a_refusal_is_told_once() {
    let text = "double __enzyme_autodiff(void *, double);
double unknown(double);
static double f(double x) { return unknown(x) * x; }
static double slope(double x) { return __enzyme_autodiff((void *)f, x); }
int main(int argc, char **argv) { return argc > 1 ? slope(argc) > 2 : slope(-argc) < 3; }
";
    let place = Place::new(&[("twice.c", text)]);
    for level in ["-O0", "-O2"] {
        let ended = place.adj(&format!("cc {level} -g twice.c -o prog"));
        assert_eq!(
            (ended.code, ended.err.matches("error: `unknown` gets an active value").count()),
            (1, 1),
            "{}",
            ended.err
        );
    }
}

#[test]
fn errors_are_those_of_the_compiler() {
    let place = Place::three();
    fs::write(place.path().join("syntax.c"), "int main(void) { return }\n").unwrap();
    fs::write(place.path().join("not.o"), "no object").unwrap();
    place.fails("cc -O2 syntax.c -o prog", &["syntax.c:1:25: error: expected expression", "1 error generated."]);
    place.fails("cc -c absent.c", &["error: no such file or directory: 'absent.c'"]);
    place.fails("cc -O2 --no-such-option main.c f.c g.c", &["error: unknown argument: '--no-such-option'"]);
    place.fails("cc -O2", &["error: no input files"]);
    place.fails("cc main.c f.c g.c -o no/such/folder/prog -lm", &["no/such/folder/prog", "linker command failed"]);
    place.fails("cc main.c f.c g.c not.o -o prog -lm", &["not.o", "linker command failed with exit code 1"]);
    place.fails("cc main.c f.c g.c f_only.c -o prog -lm", &["error: ", "'f': symbol multiply defined"]);
    let ended = place.adj("cc -O2 -Wall -DX=1 main.c f.c g.c -Lnowhere -Wunused-variable -DY -o prog -lm");
    assert_eq!(ended.code, 0, "{}", ended.err);
}

#[test]
fn loops_are_not_marked_against_later_unrolling() {
    let text = "int main(void) { double s = 0; for (int i = 0; i < 1000; i++) s += i * 0.5; return s > 1e9; }\n";
    let place = Place::new(&[("loop.c", text)]);
    let mut options = llvm::CompileOptions::at(llvm::Level::O0);
    options.flags = ["-Xclang", "-disable-llvm-passes", "-O3"].map(str::to_owned).to_vec();
    let raw = llvm::to_ir_text(&place.path().join("loop.c"), &options).unwrap();
    let simplified = llvm::pipeline::run(&raw, &llvm::pipeline::simplification("O3")).unwrap();
    assert!(simplified.contains("phi double") && !simplified.contains("x double>"), "{simplified}");
    assert!(!simplified.contains("llvm.loop.unroll.disable"), "{simplified}");
}

/// The routine has no body in any file; the program is linked with the library that has it.
#[test]
fn a_routine_of_blas_is_differentiated_and_the_library_still_called() {
    let program = r#"
double __enzyme_autodiff(void *, ...);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
static double square(const double *x) { return cblas_ddot(3, x, 1, x, 1); }
int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)square, x, dx);
  return (dx[0] != 2) + (dx[1] != 4) + (dx[2] != 6) + (square(x) != 14);
}
"#;
    let place = Place::new(&[("dot.c", program)]);
    place.build("cc -O2 dot.c -o dot -lblas");
    place.shows("dot", "");
    // The gradient calls it too.
    place.fails(
        "cc -O2 dot.c -o unlinked",
        &["undefined reference to `cblas_ddot'", "undefined reference to `cblas_daxpy'"],
    );
}

/// A thousand steps are reversed from eight snapshots: the same gradient, and a run time that undoes steps in place of
/// a tape.
#[test]
fn a_loop_is_reversed_from_snapshots_as_the_command_line_says() {
    let program = r#"
#include "adj.h"
#include <stdio.h>
#include <string.h>
static double decay(const double *x) {
  double u[2] = {x[0], x[1]};
  for (int t = 0; t < 1000; t++) {
    u[0] += 0.001 * (u[1] - u[0] * u[0]);
    u[1] -= 0.001 * u[0] * u[1];
  }
  return u[0] + u[1];
}
int main(void) {
  double x[2] = {0.5, 2.0}, dx[2] = {0.0, 0.0};
  __enzyme_autodiff((void *)decay, x, dx);
  double h = 1e-6, up[2] = {0.5 + h, 2.0}, down[2] = {0.5 - h, 2.0};
  double quotient = (decay(up) - decay(down)) / (2.0 * h);
  return (dx[0] - quotient) * (dx[0] - quotient) > 1e-14;
}
"#;
    let place = Place::new(&[("decay.c", program)]);
    for level in ["-O0", "-O2"] {
        place.build(&format!("cc {level} decay.c -o whole"));
        place.shows("whole", "");
        place.build(&format!("cc {level} --checkpoint decay=revolve:8 decay.c -o undone"));
        place.shows("undone", "");
    }
    place.build("cc -O2 -S -emit-llvm decay.c -o whole.ll");
    place.build("cc -O2 -S -emit-llvm decay.c -o undone.ll --checkpoint decay=revolve:8");
    let keeps = |file: &str| place.text(file).contains("__adj_undo_forward");
    assert!(keeps("undone.ll") && !keeps("whole.ll"));
    place.fails("cc -O2 decay.c -o undone --checkpoint decay=often", &["`decay=often`", "LOOP=revolve:N"]);
    place.fails("cc -O2 decay.c -o undone --checkpoint absent=revolve:8", &["absent"]);
}

/// Has something for each lever but those of packing, which is for gradients without guards, and of threads.
const LEVERS: &str = include_str!("levers.c");

/// Scalars that LLVM would rather have in pairs.
const STEPS: &str = r#"#include "adj.h"
#include <stdio.h>
static double f(const double *x, int n) {
  double u = x[0], v = x[1], w = x[2];
  for (int i = 0; i < n; i++) {
    double du = 10 * (v - u), dv = u * (28 - w) - v, dw = u * v - 2.5 * w;
    u += 0.005 * du;
    v += 0.005 * dv;
    w += 0.005 * dw;
  }
  return u + v * w;
}
int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 100);
  printf("%.9f %.9f %.9f\n", dx[0], dx[1], dx[2]);
  return 0;
}
"#;

/// What all threads read.
const SHARED: &str = r#"#include "adj.h"
#include <stdio.h>
static double f(const double *x, const double *w) {
  double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      sum += x[i] * w[j];
  return sum;
}
int main(void) {
  double x[64], dx[64] = {0}, w[64], dw[64] = {0};
  for (int i = 0; i < 64; i++)
    x[i] = w[i] = i;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, w, dw);
  printf("%.9f %.9f\n", dx[1], dw[63]);
  return 0;
}
"#;

#[test]
fn a_gradient_without_a_lever_is_another_one_with_the_same_answer() {
    let place = Place::new(&[("p.c", LEVERS), ("steps.c", STEPS), ("shared.c", SHARED)]);
    place.build("cc -O2 p.c -o all -lm");
    place.build("cc -O2 -S -emit-llvm p.c -o all.ll");
    let answer = run(&mut Command::new(place.path().join("all"))).out;
    // The last iteration: d/dy (s y + sin y exp y) w, where s is the sum before.
    let (mut sum, mut last) = (0.0_f64, 0.0);
    for i in 0..40 {
        let (x, w) = (0.02 * f64::from(i), 1.0 / (1.0 + f64::from(i)));
        let y: f64 = x * w;
        last = 2.0 * w * (sum + (y.sin() + y.cos()) * y.exp());
        sum = sum * y + y.sin() * y.exp();
    }
    assert_eq!(answer.lines().nth(39), Some(format!("product {last:.12}").as_str()));
    // The first line names a file of the driver's own.
    let module = |file: &str| place.text(file).lines().skip(1).collect::<Vec<_>>().join("\n");
    let all = module("all.ll");
    place.build("cc --pipeline ref -O2 p.c -S -emit-llvm -o early.ll");
    let early = module("early.ll");
    for (lever, name) in ad::Lever::ALL {
        assert_eq!(ad::Lever::parse(name), Some(lever));
        if [ad::Lever::Packing, ad::Lever::Gathering].contains(&lever) {
            continue;
        }
        // Optimised programs have no variables left.
        let (pipeline, all) = if lever == ad::Lever::Promotion { ("--pipeline ref", &early) } else { ("", &all) };
        place.build(&format!("cc {pipeline} -O2 p.c -S -emit-llvm -o without.ll --without={name}"));
        assert!(module("without.ll") != *all, "{name} changes nothing");
        place.build("cc without.ll -o without -lm");
        place.shows("without", &answer);
    }
    // LLVM takes an option once: what is given on the command line is taken, here LLVM's own.
    place.build("cc -O2 -mllvm -slp-threshold=0 steps.c -S -emit-llvm -o own.ll");
    place.build("cc -O2 --without packing steps.c -S -emit-llvm -o without.ll");
    assert_eq!(module("own.ll"), module("without.ll"));
    place.build("cc -O2 steps.c -S -emit-llvm -o with.ll");
    assert!(module("with.ll") != module("without.ll"), "packing changes nothing");
    place.build("cc with.ll -o with -lm");
    let answer = run(&mut Command::new(place.path().join("with"))).out;
    place.build("cc without.ll -o without -lm");
    place.shows("without", &answer);
    for (option, gathers) in [("", true), ("--without gathering", false)] {
        place.build(&format!("cc -fopenmp -O2 {option} shared.c -S -emit-llvm -o shared.ll"));
        assert_eq!(module("shared.ll").contains("__adj_gather"), gathers);
        place.build("cc -fopenmp shared.ll -o shared");
        // Sums of all that the other factor is.
        place.shows("shared", "2016.000000000 2016.000000000\n");
    }
    let ended = place.adj("cc --without wings p.c");
    assert!(ended.code == 2 && ended.err.contains("no lever `wings`") && ended.err.contains("arrays"), "{}", ended.err);
}

/// f = sin x, of which f' = cos x needs nothing.
const ERRNO: &str = r#"
#include "adj.h"
#include <math.h>
#ifdef READS
#include <errno.h>
int failed(void) { return errno; }
#endif
static double f(double x) { return sin(x); }
double df(double x) { return __enzyme_autodiff((void *)f, x); }
"#;

#[test]
fn a_gradient_calls_only_what_it_needs_unless_somebody_looks_at_errno() {
    let place = Place::new(&[("p.c", ERRNO)]);
    let calls = |line: &str| {
        place.build(line);
        let text = fs::read_to_string(place.path().join("p.ll")).unwrap();
        let named =
            |l: &str| ["@sin(", "@cos(", "@llvm.sin.f64(", "@llvm.cos.f64("].iter().any(|name| l.contains(name));
        text.lines().filter(|l| l.contains("call ") && named(l)).count()
    };
    assert_eq!(calls("cc -O2 -S -emit-llvm p.c"), 1);
    assert_eq!(calls("cc -O2 -S -emit-llvm p.c --without errno"), 2);
    assert_eq!(calls("cc -O2 -S -emit-llvm -DREADS p.c"), 2);
}

#[test]
fn what_a_program_does_at_its_end_is_done_beside_what_gradients_do() {
    // The tape of a loop of unknown length has chunks, which are kept until the end.
    let source = r#"
#include "adj.h"
#include <math.h>
#include <stdio.h>
__attribute__((destructor)) static void last(void) { printf("last\n"); }
double power(double x, int n) {
  double y = 1.0;
  for (int i = 0; i < n; i++) y = x * exp(log(y));
  return y;
}
int main(int argc, char **argv) {
  double slope = __enzyme_autodiff((void *)power, enzyme_out, 2.0, enzyme_const, argc + 2);
  printf("%.10f\n", slope);
  return 0;
}
"#;
    let place = Place::new(&[("power.c", source)]);
    for level in ["-O0", "-O3"] {
        place.build(&format!("cc {level} power.c -o prog -lm"));
        place.shows("prog", "12.0000000000\nlast\n");
        place.build(&format!("cc {level} -S -emit-llvm power.c -o power.ll"));
        let text = place.text("power.ll");
        let list = text.lines().find(|line| line.starts_with("@llvm.global_dtors")).unwrap_or_default();
        assert!(list.contains("@last") && list.contains("@__adj_chunks_release"), "{list}");
    }
}
