//! Gradients as pointers to functions: right values, each form of parameters, and what is refused with which words.

#![allow(unsafe_code, reason = "loaded gradients are called")]

use adjudicate::native::{Lever, Library, Load, Pipeline, gradient, tangent};
use adjudicate::{Error, Level, load};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

type Value = unsafe extern "C" fn(*const f64, i32) -> f64;
type Gradient = unsafe extern "C" fn(*const f64, *mut f64, i32, f64);

const ROSENBROCK: &str = "
double rosenbrock(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
    sum += 100.0 * a * a + b * b;
  }
  return sum;
}
";

/// A folder with a file.
fn source(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// Loads a source in C as it is asked.
fn loaded(text: &str, ask: impl FnOnce(Load) -> Load) -> Result<Library, Error> {
    let (_folder, path) = source("prog.c", text);
    ask(load(path)).open()
}

/// What is said when it cannot be loaded, with the exit code of the command.
#[track_caller]
fn refused(result: Result<Library, Error>, code: u8, phrases: &[&str]) {
    let error = result.expect_err("refused");
    let text = error.to_string();
    for phrase in phrases {
        assert!(text.contains(phrase), "no `{phrase}` in: {text}");
    }
    assert_eq!(error.exit_code(), code, "{text}");
}

/// The derivatives of the Rosenbrock function by hand.
fn by_hand(x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        out[i] += -400.0 * x[i] * a - 2.0 * (1.0 - x[i]);
        out[i + 1] += 200.0 * a;
    }
    out
}

#[test]
fn a_gradient_is_the_derivative_at_each_level() {
    let x = [-1.2, 1.0, 0.7, 2.0];
    for (level, pipeline) in [(Level::O0, Pipeline::Enzyme), (Level::O3, Pipeline::Enzyme), (Level::O2, Pipeline::Ref)]
    {
        let ask = |load: Load| load.level(level).pipeline(pipeline).with(gradient("rosenbrock").dup().constant());
        let library = loaded(ROSENBROCK, ask).unwrap();
        assert_eq!(library.warnings(), "");
        let f = library.function::<Value>("rosenbrock").unwrap();
        let df = library.gradient::<Gradient>("rosenbrock").unwrap();
        // Shadows accumulate, and the seed scales.
        let mut dx = [10.0; 4];
        // SAFETY: arrays of four elements.
        unsafe { df(x.as_ptr(), dx.as_mut_ptr(), 4, 0.5) };
        for (i, exact) in by_hand(&x).into_iter().enumerate() {
            let shifted = |h: f64| {
                let mut x = x;
                x[i] += h;
                // SAFETY: an array of four elements.
                unsafe { f(x.as_ptr(), 4) }
            };
            let quotient = (shifted(1e-6) - shifted(-1e-6)) / 2e-6;
            let found = (dx[i] - 10.0) * 2.0;
            assert!((found - exact).abs() <= 1e-11 * exact.abs().max(1.0), "{level} {i}: {found} and {exact}");
            assert!((found - quotient).abs() <= 1e-5 * exact.abs().max(1.0), "{level} {i}: {found} and {quotient}");
        }
    }
}

#[test]
fn several_derivatives_are_in_one_library() {
    let text = "
#include <math.h>
double area(double a, double b, double angle) { return 0.5 * a * b * sin(angle); }
float single(const float *x, float s) { return s * x[0] * x[1]; }
void both(const double *x, double *y) { y[0] = x[0] * x[1]; y[1] = sin(x[0]); }
";
    let library = loaded(text, |load| {
        load.with(gradient("area"))
            .with(gradient("area").out().constant().constant().named("area_a"))
            .with(gradient("area").out().out().constant().with_value().named("area_ab"))
            .with(tangent("area"))
            .with(gradient("single").dup().out())
            .with(gradient("both"))
            .with(tangent("both").dup().dup().named("push"))
    })
    .unwrap();
    let (a, b, angle) = (3.0f64, 4.0f64, 0.5f64);
    // SAFETY: the signatures are compared, and what the pointers point to is what the functions write.
    unsafe {
        let mut all = [0.0f64; 3];
        let df = library.gradient::<unsafe extern "C" fn(f64, f64, f64, f64, *mut [f64; 3])>("area").unwrap();
        df(a, b, angle, 2.0, &mut all);
        let exact = [b * angle.sin(), a * angle.sin(), a * b * angle.cos()];
        assert!(all.iter().zip(exact).all(|(x, y)| (x - y).abs() < 1e-14), "{all:?} {exact:?}");

        let one = library.function::<unsafe extern "C" fn(f64, f64, f64, f64) -> f64>("area_a").unwrap();
        assert!((one(a, b, angle, 2.0) - exact[0]).abs() < 1e-14);

        let (mut value, mut two) = (0.0f64, [0.0f64; 2]);
        type Two = unsafe extern "C" fn(f64, f64, f64, f64, *mut f64, *mut [f64; 2]);
        library.function::<Two>("area_ab").unwrap()(a, b, angle, 1.0, &mut value, &mut two);
        assert!((value - 0.5 * exact[0] * a).abs() < 1e-14, "{value}");
        assert!((two[0] * 2.0 - exact[0]).abs() + (two[1] * 2.0 - exact[1]).abs() < 1e-14, "{two:?}");

        let tf = library.tangent::<unsafe extern "C" fn(f64, f64, f64, f64, f64, f64) -> f64>("area").unwrap();
        assert!((tf(a, 0.0, b, 0.0, angle, 2.0) - exact[2]).abs() < 1e-14);

        let (x, mut dx) = ([1.5f32, -2.0], [0.0f32; 2]);
        let df = library.gradient::<unsafe extern "C" fn(*const f32, *mut f32, f32, f32) -> f32>("single").unwrap();
        assert_eq!((df(x.as_ptr(), dx.as_mut_ptr(), 4.0, 1.0), dx), (-3.0, [-8.0, 6.0]));

        let (x, mut dx, mut y, mut dy) = ([0.5f64, 2.0], [0.0f64; 2], [0.0f64; 2], [1.0f64, 10.0]);
        type Back = unsafe extern "C" fn(*const f64, *mut f64, *mut f64, *mut f64);
        library.gradient::<Back>("both").unwrap()(x.as_ptr(), dx.as_mut_ptr(), y.as_mut_ptr(), dy.as_mut_ptr());
        assert!(
            (dx[0] - (2.0 + 10.0 * 0.5f64.cos())).abs() < 1e-14 && dx[1] == 0.5 && dy == [0.0, 0.0],
            "{dx:?} {dy:?}"
        );
        let tx = [1.0f64, 0.0];
        type Push = unsafe extern "C" fn(*const f64, *const f64, *mut f64, *mut f64);
        library.function::<Push>("push").unwrap()(x.as_ptr(), tx.as_ptr(), y.as_mut_ptr(), dy.as_mut_ptr());
        assert!(dy[0] == 2.0 && (dy[1] - 0.5f64.cos()).abs() < 1e-15 && y[0] == 1.0, "{y:?} {dy:?}");
    }
}

#[test]
fn the_program_s_own_gradient_is_a_function_like_any_other() {
    let text = "
#include \"adj.h\"
static double cube(double x) { return x * x * x; }
double slope(double x) { return __enzyme_autodiff((void *)cube, x); }
";
    let library = loaded(text, |load| load.with(gradient("slope"))).unwrap();
    let slope = library.function::<unsafe extern "C" fn(f64) -> f64>("slope").unwrap();
    // The derivative of that derivative.
    let second = library.gradient::<unsafe extern "C" fn(f64, f64) -> f64>("slope").unwrap();
    // SAFETY: functions of numbers.
    unsafe { assert_eq!((slope(2.0), second(2.0, 1.0)), (12.0, 12.0)) };
    assert!(library.functions().all(|(name, _)| ["slope", "gradient_of_slope"].contains(&name)));
    assert_eq!(library.signature("gradient_of_slope").unwrap().to_string(), "fn(f64, f64) -> f64");
}

#[test]
fn programs_of_cxx_of_several_files_and_of_ir() {
    let text = "
#include <vector>
#include <numeric>
double scale(double x);
extern \"C\" double total(const double *x, int n) {
  std::vector<double> squares;
  for (int i = 0; i < n; i++) squares.push_back(scale(x[i]) * x[i]);
  return std::accumulate(squares.begin(), squares.end(), 0.0);
}
";
    let (folder, path) = source("total.cpp", text);
    let second = folder.path().join("scale.cc");
    fs::write(&second, "double scale(double x) { return 3.0 * x; }\n").unwrap();
    let kept = folder.path().join("kept");
    fs::create_dir(&kept).unwrap();
    let library = load(path).file(second).with(gradient("total").dup().constant()).keep_in(&kept).open().unwrap();
    assert!(library.path().is_some_and(|path| path.starts_with(&kept) && path.is_file()));
    let df = library.gradient::<Gradient>("total").unwrap();
    let (x, mut dx) = ([1.0, -2.0, 0.5], [0.0; 3]);
    // SAFETY: arrays of three elements.
    unsafe { df(x.as_ptr(), dx.as_mut_ptr(), 3, 1.0) };
    assert_eq!(dx, [6.0, -12.0, 3.0]);

    let text = "define double @square(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n";
    let (_folder, path) = source("square.ll", text);
    let library = load(path).with(gradient("square")).open().unwrap();
    let df = library.gradient::<unsafe extern "C" fn(f64, f64) -> f64>("square").unwrap();
    // SAFETY: a function of numbers.
    assert_eq!(unsafe { df(3.0, 1.0) }, 6.0);
}

#[test]
fn objects_of_the_driver_are_loaded() {
    use adjudicate::driver::{Outcome, Settings, run};
    let (folder, path) = source("rosenbrock.c", ROSENBROCK);
    let object = folder.path().join("rosenbrock.o");
    let mut words: Vec<std::ffi::OsString> = ["-O2", "-fPIC", "-c"].map(Into::into).into();
    words.extend([path.into(), "-o".into(), object.clone().into()]);
    assert!(matches!(run(Settings::default(), words).unwrap(), Outcome::Done { code: 0, .. }));
    let library = load(object).with(gradient("rosenbrock").dup().constant()).open().unwrap();
    let (x, mut dx) = ([-1.2, 1.0], [0.0; 2]);
    // SAFETY: arrays of two elements.
    unsafe { library.gradient::<Gradient>("rosenbrock").unwrap()(x.as_ptr(), dx.as_mut_ptr(), 2, 1.0) };
    assert!(dx.iter().zip(by_hand(&x)).all(|(a, b)| (a - b).abs() < 1e-11), "{dx:?}");
    // One that another compiler made has no unit in it.
    let (folder, path) = source("f.c", "double f(double x) { return x; }\n");
    let object = folder.path().join("f.o");
    let clang = llvm::find::toolchain().unwrap().clang;
    let made = std::process::Command::new(clang).args(["-fPIC", "-c"]).arg(path).arg("-o").arg(&object).status();
    assert!(made.unwrap().success());
    refused(
        load(object).with(gradient("f")).open(),
        2,
        &["f.o: cannot be built", "nothing here can be differentiated"],
    );
}

#[test]
fn a_name_of_the_program_means_the_program_s_function() {
    // The C library has a function of this name, which the process exports.
    let text = "long a64l(const char *s) { return 7 + (s == 0); }\ndouble f(double x) { return x * a64l(\"x\"); }\n";
    for level in [Level::O0, Level::O3] {
        let library = loaded(text, |load| load.level(level).flags(["-fno-builtin"]).with(gradient("f"))).unwrap();
        let df = library.gradient::<unsafe extern "C" fn(f64, f64) -> f64>("f").unwrap();
        // SAFETY: a function of numbers.
        assert_eq!(unsafe { df(3.0, 1.0) }, 7.0, "{level}");
    }
}

#[test]
fn levers_change_no_answer() {
    let plain = loaded(ROSENBROCK, |load| load.with(gradient("rosenbrock").dup().constant())).unwrap();
    let levers = [Lever::TapeReuse, Lever::MinimumCut, Lever::Reload, Lever::Errno];
    let ask = |load: Load| levers.into_iter().fold(load, Load::without).with(gradient("rosenbrock").dup().constant());
    let slow = loaded(ROSENBROCK, ask).unwrap();
    let x = [-1.2, 1.0, 0.7];
    let [first, second] = [plain, slow].map(|library| {
        let mut dx = [0.0; 3];
        // SAFETY: arrays of three elements.
        unsafe { library.gradient::<Gradient>("rosenbrock").unwrap()(x.as_ptr(), dx.as_mut_ptr(), 3, 1.0) };
        dx
    });
    assert!(first.iter().zip(second).all(|(a, b)| (a - b).abs() < 1e-10), "{first:?} {second:?}");
}

#[test]
fn a_wrong_type_is_an_error_that_names_both() {
    let text = "
struct pair { double a, b, c; };
double f(const double *x, int n, signed char c, unsigned char u, _Bool b) { return x[n] * (c + u + b); }
double by_value(struct pair p) { return p.a * p.b; }
struct pair returned(double x) { struct pair p = {x, x, x}; return p; }
int printer(const char *format, ...) { return format[0]; }
long double longer(long double x) { return x; }
";
    let library = loaded(text, |load| load.with(gradient("f"))).unwrap();
    let expect = |error: Error, phrases: &[&str]| {
        let text = error.to_string();
        assert!(phrases.iter().all(|phrase| text.contains(phrase)) && error.exit_code() == 2, "{text}");
    };
    type Right = unsafe extern "C" fn(*const f64, i32, i8, u8, bool) -> f64;
    let f = library.function::<Right>("f").unwrap();
    // SAFETY: an array of one element.
    assert_eq!(unsafe { f(&2.0, 0, -3, 200, true) }, 396.0);
    library.gradient::<unsafe extern "C" fn(*const f64, *mut f64, i32, i8, u8, bool, f64)>("f").unwrap();

    const TRUE: &str = "`f` is a `fn(*mut _, i32, i8, u8, bool) -> f64`, not a `fn(";
    type Narrow = unsafe extern "C" fn(*const f64, i64, i8, u8, bool) -> f64;
    expect(library.function::<Narrow>("f").unwrap_err(), &[TRUE, "*mut _, i64, i8"]);
    expect(
        library.function::<unsafe extern "C" fn(*const f64) -> f64>("f").unwrap_err(),
        &[TRUE, "not a `fn(*mut _) -> f64`"],
    );
    expect(library.function::<unsafe extern "C" fn(*const f64, i32, i8, u8, bool)>("f").unwrap_err(), &[TRUE]);
    expect(library.function::<unsafe extern "C" fn(*const f64, i32, i8, u8, bool) -> f32>("f").unwrap_err(), &[TRUE]);
    expect(library.function::<unsafe extern "C" fn(f64, i32, i8, u8, bool) -> f64>("f").unwrap_err(), &[TRUE]);
    // A sign matters where the caller extends.
    expect(library.function::<unsafe extern "C" fn(*const f64, i32, u8, u8, bool) -> f64>("f").unwrap_err(), &[TRUE]);
    // Without its shadow, or its seed.
    type Primal = unsafe extern "C" fn(*const f64, i32, i8, u8, bool, f64);
    expect(
        library.gradient::<Primal>("f").unwrap_err(),
        &["`gradient_of_f` is a `fn(*mut _, *mut _, i32, i8, u8, bool, f64)`"],
    );
    // What no type of Rust is.
    expect(
        library.function::<unsafe extern "C" fn(*const f64) -> f64>("by_value").unwrap_err(),
        &["structure passed by value"],
    );
    expect(
        library.function::<unsafe extern "C" fn(*mut f64, f64)>("returned").unwrap_err(),
        &["returned through memory"],
    );
    expect(
        library.function::<unsafe extern "C" fn(*const i8) -> i32>("printer").unwrap_err(),
        &["fn(*mut _, ...) -> i32"],
    );
    expect(library.function::<unsafe extern "C" fn(f64) -> f64>("longer").unwrap_err(), &["<x86_fp80>"]);
    // Names.
    expect(library.function::<Value>("retruned").unwrap_err(), &["no function `retruned`", "is `returned` meant?"]);
    expect(library.gradient::<Value>("printer").unwrap_err(), &["no gradient of `printer` was asked for"]);
    expect(library.tangent::<Value>("f").unwrap_err(), &["no tangent of `f` was asked for"]);
}

#[test]
fn what_cannot_be_made_is_told_with_its_place() {
    let one = |text: &str, derivative| loaded(text, |load| load.with(derivative));
    let hint = ["does not define a function `rosenbruck` (is `rosenbrock` meant?)"];
    refused(one(ROSENBROCK, gradient("rosenbruck")), 2, &hint);
    refused(one(&ROSENBROCK.replace("double ros", "static double ros"), gradient("rosenbrock")), 2, &["`static`"]);
    refused(
        one(ROSENBROCK, gradient("rosenbrock").dup()),
        2,
        &["takes 2 arguments, but 1 activities are given", "prog.c:2"],
    );
    let message = "argument 2 of `rosenbrock` is marked enzyme_out, but only a floating-point value";
    refused(one(ROSENBROCK, gradient("rosenbrock").dup().out()), 2, &[message]);
    refused(one(ROSENBROCK, tangent("rosenbrock").dup().dup()), 2, &["is marked enzyme_dup"]);
    refused(
        one("double f(double x) { return x }", gradient("f")),
        2,
        &["cannot be built", "prog.c:1:30", "expected ';'"],
    );
    let declared = "double g(double);\ndouble f(double x) {\n  return g(x);\n}\n";
    refused(one(declared, gradient("g")), 2, &["`g`, which it only declares"]);
    refused(one(declared, gradient("f")), 3, &["prog.c:3", "`g` gets", "has no body here"]);
    refused(loaded(declared, |load| load), 2, &["undefined", "`g'"]);
    refused(loaded(ROSENBROCK, |load| load.libraries(["no-such-library"])), 2, &["-lno-such-library"]);
    refused(loaded(ROSENBROCK, |load| load.flags(["--no-such-option"])), 2, &["--no-such-option"]);
    refused(loaded(ROSENBROCK, |load| load.flags(["-fsyntax-only"])), 2, &["not those of a library"]);
    refused(load("no-such-file.c").open(), 2, &["no-such-file.c"]);
    refused(load("kernel.f90").open(), 3, &["kernel.f90: only C, C++ and IR"]);
    let twice = |load: Load| load.with(gradient("rosenbrock")).with(gradient("rosenbrock"));
    refused(loaded(ROSENBROCK, twice), 2, &["two derivatives are called `gradient_of_rosenbrock`"]);
    refused(
        one(ROSENBROCK, gradient("rosenbrock").named("rosenbrock")),
        2,
        &["`rosenbrock` for a derivative is taken"],
    );
    refused(one("void f(double *x) { *x *= 2; }", gradient("f").with_value()), 2, &["returns nothing"]);
    refused(one("int f(double x, ...) { return x; }", gradient("f")), 3, &["variable arguments"]);
    let pair = "struct pair { double a, b, c; };\n";
    let by_value = format!("{pair}double f(double s, struct pair p) {{ return s * p.a; }}");
    refused(one(&by_value, gradient("f")), 3, &["argument 2 of `f` is a structure passed by value", "prog.c:2"]);
    let in_pieces = by_value.replace(", c;", ";");
    refused(one(&in_pieces, gradient("f")), 3, &["argument 2 of `f` is a structure passed by value", "prog.c:2"]);
    let returns = format!("{pair}struct pair f(double x) {{ struct pair p = {{x, x, x}}; return p; }}");
    refused(one(&returns, gradient("f")), 2, &["returns a structure"]);
    refused(one(&returns, tangent("f")), 2, &["returns a structure"]);
    // A differentiated call of the program itself.
    let own =
        "#include \"adj.h\"\ndouble g(double);\ndouble h(double x) {\n  return __enzyme_autodiff((void *)g, x);\n}\n";
    refused(loaded(own, |load| load), 3, &["prog.c:4", "`g` has no body here"]);
    // What is told of functions and not understood may concern any derivative.
    let told = format!(
        "{ROSENBROCK}void *__enzyme_register_gradient_rosenbrock[2] = {{(void *)rosenbrock, (void *)rosenbrock}};"
    );
    refused(one(&told, gradient("rosenbrock").dup().constant()), 2, &["__enzyme_register_gradient_rosenbrock"]);
}

#[test]
fn several_threads_call_one_gradient() {
    let text = "
#include <math.h>
double f(const double *x, int n) {
  double y = x[0];
  for (int i = 1; i < n; i++) y = sin(y * x[i]) + y;
  return y;
}
";
    let library = loaded(text, |load| load.with(gradient("f").dup().constant())).unwrap();
    let df = Arc::new(library.gradient::<Gradient>("f").unwrap());
    drop(library);
    let compute = |df: &Gradient, shift: usize, n: usize| {
        let x: Vec<f64> = (0..n).map(|i| 0.5 + ((i + shift) % 7) as f64 / 8.0).collect();
        let mut dx = vec![0.0; n];
        // SAFETY: arrays of `n` elements.
        unsafe { df(x.as_ptr(), dx.as_mut_ptr(), n as i32, 1.0) };
        dx
    };
    // Tapes of several sizes, so that chunks go from one thread to another.
    let alone: Vec<Vec<f64>> = (0..8).map(|t| compute(&df, t, 500 + 400 * t)).collect();
    let threads: Vec<_> = (0..8)
        .map(|t| {
            let df = df.clone();
            std::thread::spawn(move || (0..300).map(|_| compute(&df, t, 500 + 400 * t)).collect::<Vec<_>>())
        })
        .collect();
    for (t, thread) in threads.into_iter().enumerate() {
        assert!(thread.join().unwrap().iter().all(|dx| *dx == alone[t]), "thread {t}");
    }
}

#[test]
fn a_symbol_outlives_its_library_and_libraries_do_not_mix() {
    let program = |factor: f64| format!("double f(double x) {{ return {factor:?} * x * x; }}\n");
    type F = unsafe extern "C" fn(f64, f64) -> f64;
    let load_one = |factor| loaded(&program(factor), |load| load.with(gradient("f"))).unwrap();
    let (one, two) = (load_one(1.0), load_one(10.0));
    let (first, second) = (one.gradient::<F>("f").unwrap(), two.gradient::<F>("f").unwrap());
    drop(one);
    // SAFETY: functions of numbers.
    unsafe { assert_eq!((first(3.0, 1.0), second(3.0, 1.0)), (6.0, 60.0)) };
    let copy = first.clone();
    drop((two, first));
    let three = load_one(100.0);
    // SAFETY: functions of numbers.
    unsafe {
        assert_eq!((copy(3.0, 1.0), second(3.0, 1.0)), (6.0, 60.0));
        assert_eq!(three.gradient::<F>("f").unwrap()(3.0, 1.0), 600.0);
    }
}
