//! The bridge to native code: closed by default, for scalars only, named when used, and never inside of a
//! differentiated call.
//!
//! What is expected follows from C: the native program, linked with the same library, must print the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Functions with every kind of scalar, more arguments than registers, a state, and an error number.
const LIBRARY: &str = r#"
#include <errno.h>
#include <stdarg.h>
signed char lowered(signed char x) { return x - 100; }
unsigned short halved(unsigned short x) { return x / 2; }
int widened(signed char x) { return x; }
int widened_word(unsigned short x) { return x; }
_Bool flipped(_Bool x) { return !x; }
float third(float x) { return x / 3.0f; }
long shifted(long x, int by) { return by < 0 ? x >> -by : x << by; }
double many(int a, double b, float c, long d, short e, double f, int g, char h, long i, int j, double k, double l, double m, double n, double o, double p, double q) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q;
}
double summed(int count, ...) {
  va_list list;
  va_start(list, count);
  double sum = 0;
  while (count--) sum += va_arg(list, double);
  va_end(list);
  return sum;
}
static int state;
void add_to_state(int x) { state += x; }
int state_now(void) { return state; }
double root_or_error(double x) {
  if (x < 0) { errno = EDOM; return -1; }
  return x * x;
}
double first_of(const double *x) { return *x; }
"#;

const DECLARED: &str = r#"
#include <errno.h>
#include <stdio.h>
signed char lowered(signed char x);
unsigned short halved(unsigned short x);
int widened(signed char x);
int widened_word(unsigned short x);
_Bool flipped(_Bool x);
float third(float x);
long shifted(long x, int by);
double many(int a, double b, float c, long d, short e, double f, int g, char h, long i, int j, double k, double l, double m, double n, double o, double p, double q);
double summed(int count, ...);
void add_to_state(int x);
int state_now(void);
double root_or_error(double x);
double first_of(const double *x);
"#;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.source("library.c", LIBRARY);
        let mut clang = Command::new(llvm::find::toolchain().unwrap().clang);
        clang.args(["-O1", "-shared", "-fPIC", "-o"]).arg(place.path("libgiven.so")).arg(place.path("library.c"));
        assert!(clang.status().unwrap().success());
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn source(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// A program with the library's declarations.
    fn program(&self, body: &str) {
        self.source("program.c", &format!("{DECLARED}{body}"));
    }

    fn adj(&self, command: &str, options: &[&str]) -> Output {
        let mut adj = Command::new(env!("CARGO_BIN_EXE_adj"));
        adj.arg(command).args(options).arg("program.c").current_dir(self.folder.path()).stdin(Stdio::null());
        adj.output().unwrap()
    }

    fn native(&self) -> Output {
        let mut clang = Command::new(llvm::find::toolchain().unwrap().clang);
        clang.args(["-O0", "-o"]).arg(self.path("binary")).arg(self.path("program.c")).arg(self.path("libgiven.so"));
        assert!(clang.status().unwrap().success());
        Command::new(self.path("binary")).env("LD_LIBRARY_PATH", self.folder.path()).output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// "functions with scalar signatures": every kind of them, at all levels, as natively.
#[test]
fn scalars_cross_as_c_passes_them() {
    let place = Place::new();
    place.program(
        r#"
int main(void) {
  printf("%d %d %d\n", lowered(-28), lowered(100), lowered((signed char)200));
  printf("%d %d\n", halved(65535), halved(1));
  // The caller extends what is narrower than a register.
  printf("%d %d\n", widened(-28), widened_word(65000));
  printf("%d %d\n", flipped(0), flipped(7));
  printf("%.9g\n", third(2.0f));
  printf("%ld %ld\n", shifted(-8, -1), shifted(3, 40));
  printf("%.17g\n", many(-1, 2, 3, -4, -5, 6, 7, 8, 9, -10, 11, 12, 13, 14, 15, 16, 17));
  printf("%.17g\n", summed(3, 0.5, 0.25, 1.0));
  add_to_state(4);
  add_to_state(-1);
  printf("%d\n", state_now());
  printf("%g %d\n", root_or_error(3), errno);
  printf("%g %d\n", root_or_error(-3), errno == EDOM);
  return 0;
}
"#,
    );
    let expected = text(&place.native().stdout);
    assert!(expected.starts_with("-128 0 100\n"), "{expected}");
    for level in ["O0", "O1", "O2", "O3"] {
        let ran = place.adj("run", &["--level", level, "--native-calls", "libgiven.so"]);
        assert_eq!(
            (ran.status.code(), text(&ran.stdout)),
            (Some(0), expected.clone()),
            "{level}: {}",
            text(&ran.stderr)
        );
        let named = text(&ran.stderr);
        assert!(
            named.contains("native code, which nobody checks, was called: lowered of libgiven.so, 3 times"),
            "{named}"
        );
        assert!(named.contains("state_now of libgiven.so, 1 time\n"), "{named}");
    }
}

/// Off by default; what is refused says so, with the place.
#[test]
fn a_closed_bridge_calls_nothing() {
    let place = Place::new();
    place.program("int main(void) {\n  return state_now();\n}\n");
    let line = DECLARED.lines().count() + 2;
    let ran = place.adj("run", &["--cflag", "-g"]);
    let told = text(&ran.stderr);
    assert_eq!(ran.status.code(), Some(3), "{told}");
    assert!(told.contains("a call of state_now, which has no body") && told.contains("--native-calls"), "{told}");
    assert!(told.contains(&format!("program.c:{line}")), "{told}");
    // A library that lacks it.
    let ran = place.adj("run", &["--native-calls", "libc.so.6"]);
    assert_eq!(ran.status.code(), Some(3));
    assert!(text(&ran.stderr).contains("none of the libraries of --native-calls has it"), "{}", text(&ran.stderr));
    // None of that name.
    let ran = place.adj("run", &["--native-calls", "libnone.so"]);
    assert_eq!(ran.status.code(), Some(2));
    assert!(text(&ran.stderr).contains("libnone.so"), "{}", text(&ran.stderr));
}

/// Interpreted memory is not the host's: a pointer does not cross.
#[test]
fn pointers_do_not_cross() {
    let place = Place::new();
    place.program("int main(void) { double x = 3; return (int)first_of(&x); }\n");
    let ran = place.adj("run", &["--native-calls", "libgiven.so"]);
    assert_eq!(ran.status.code(), Some(3));
    assert!(text(&ran.stderr).contains("native calls take scalars"), "{}", text(&ran.stderr));
}

/// An uninitialised argument is undefined behaviour before it is a native call.
#[test]
fn undefined_arguments_do_not_cross() {
    let place = Place::new();
    place.program("int main(void) { int x; add_to_state(x); return 0; }\n");
    let ran = place.adj("run", &["--level", "O0", "--native-calls", "libgiven.so"]);
    assert_eq!(ran.status.code(), Some(1), "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("uninitialised"), "{}", text(&ran.stderr));
}

/// `adj check` names them in its report; in a differentiated call nothing native is called, and nothing native is
/// differentiated.
#[test]
fn a_check_names_what_crossed_and_differentiates_none_of_it() {
    let place = Place::new();
    place.program(
        "#include <adj.h>
static double square(double x) { return x * x; }
int main(void) {
  add_to_state(2);
  double scale = summed(2, 1.0, 2.0);
  return __enzyme_autodiff((void *)square, scale) == 6.0 && state_now() >= 2 ? 0 : 1;
}
",
    );
    let checked = place.adj("check", &["--levels", "O0,O2", "--native-calls", "libgiven.so"]);
    let told = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{told}{}", text(&checked.stderr));
    assert!(told.contains("native code, which nobody checks, was called: summed of libgiven.so, 2 times"), "{told}");
    let json = place.adj("check", &["-q", "--json", "-", "--levels", "O0", "--native-calls", "libgiven.so"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let functions: Vec<&str> =
        json["native_calls"].as_array().unwrap().iter().map(|call| call["function"].as_str().unwrap()).collect();
    assert_eq!(functions, ["add_to_state", "state_now", "summed"]);
    place.program(
        "#include <adj.h>
static double through(double x) { return x * root_or_error(x); }
int main(void) { return __enzyme_autodiff((void *)through, 3.0) == 27.0 ? 0 : 1; }
",
    );
    let checked = place.adj("check", &["--levels", "O0,O2", "--native-calls", "libgiven.so"]);
    assert_eq!(checked.status.code(), Some(3), "{}", text(&checked.stdout));
    assert!(text(&checked.stdout).contains("root_or_error"), "{}", text(&checked.stdout));
    // Integers may decide in a differentiated function, but not by way of native code, which would run many times.
    place.program(
        "#include <adj.h>
__attribute__((noinline)) static double chosen(double x) { return state_now() ? x * x : x; }
int main(void) { return __enzyme_autodiff((void *)chosen, 3.0) == 1.0 ? 0 : 1; }
",
    );
    let checked = place.adj("check", &["--levels", "O0", "--native-calls", "libgiven.so"]);
    assert_eq!(checked.status.code(), Some(3), "{}", text(&checked.stdout));
}

/// `--stats-json` names them too.
#[test]
fn statistics_name_what_crossed() {
    let place = Place::new();
    place.program("int main(void) { for (int i = 0; i < 5; i++) add_to_state(i); return state_now() != 10; }\n");
    let stats = place.path("stats.json");
    let options = ["--native-calls", "libgiven.so", "--stats-json", stats.to_str().unwrap()];
    let ran = place.adj("run", &options);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(Path::new(&stats)).unwrap()).unwrap();
    let calls = &json["native_calls"][0];
    assert_eq!((calls["function"].as_str(), calls["calls"].as_u64()), (Some("add_to_state"), Some(5)));
    assert_eq!(calls["library"].as_str(), Some("libgiven.so"));
}
