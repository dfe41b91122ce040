//! `adj cc --verify`: programs of several files that judge their gradients when they are run.

mod support;

use std::fs;
use std::process::{Command, Stdio};
use support::{Ended, run};
use tempfile::TempDir;

/// Reads a factor, and prints the gradient of a sum of cubes, in whose file the cube has a rule of its own.
const MAIN: &str = r#"
#include "adj.h"
#include <stdio.h>
double f(const double *x, int n);
int main(int argc, char **argv) {
  double scale = 1.0, x[3] = {1.0, 2.0, 3.0}, dx[3] = {0.0};
  if (argc > 1 && scanf("%lf", &scale) != 1)
    return 9;
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 3; i++)
      x[i] *= scale, dx[i] = 0.0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  }
  printf("%s: %g %g %g\n", argc > 1 ? argv[1] : "one", dx[0], dx[1], dx[2]);
  return argc > 2 ? 7 : 0;
}
"#;
const F: &str = "double cube(double x);\n\
    double f(const double *x, int n) {\n  double s = 0;\n  for (int i = 0; i < n; i++)\n    s += cube(x[i]);\n  \
    return s;\n}\n";
const CUBE: &str = r#"
double cube(double x) { return x * x * x; }
static double forward(double x) { return cube(x); }
static double reverse(double x, double seed) { return FACTOR * x * x * seed; }
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)forward, (void *)reverse};
"#;

struct Place(TempDir);

impl Place {
    fn new(cube: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("main.c", MAIN), ("f.c", F), ("cube.c", cube)] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Place(folder)
    }

    #[track_caller]
    fn build(&self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let ended = run(support::adj(&words).current_dir(self.0.path()));
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{line}");
    }

    fn refuses(&self, line: &str, words: &str) {
        let line: Vec<&str> = line.split(' ').collect();
        let ended = run(support::adj(&line).current_dir(self.0.path()));
        assert!(ended.code == 1 && ended.err.contains(words), "{ended:#?}");
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.0.path().join(program));
        command.current_dir(self.0.path()).env("NO_COLOR", "1");
        command
    }

    fn run(&self, program: &str) -> Ended {
        run(&mut self.command(program))
    }
}

fn wrong() -> String {
    CUBE.replace("FACTOR", "2.5")
}

fn right() -> String {
    CUBE.replace("FACTOR", "3.0")
}

#[test]
fn a_wrong_rule_is_found_when_the_program_is_run() {
    let place = Place::new(&wrong());
    for level in ["-O0", "-O2"] {
        place.build(&format!("cc {level} --verify main.c f.c cube.c -o prog -lm"));
        let ended = place.run("prog");
        assert_eq!((ended.code, ended.out.as_str()), (1, "one: 2.5 10 22.5\n"), "{ended:#?}");
        assert!(ended.err.contains("wrong (") && ended.err.contains("f.c:5:"), "{ended:#?}");
        // Unjudged, it is what it would be otherwise.
        let ended = run(place.command("prog").env("ADJ_VERIFY", "off"));
        assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (0, "one: 2.5 10 22.5\n", ""));
    }
    place.build("cc -O2 --verify --without cells,alignment main.c f.c cube.c -o prog -lm");
    let ended = place.run("prog");
    assert!(ended.code == 1 && ended.err.contains("wrong (rule)"), "{ended:#?}");
}

#[test]
fn a_right_rule_leaves_the_program_its_own_status() {
    let place = Place::new(&right());
    for file in ["main", "f", "cube"] {
        place.build(&format!("cc -O2 --verify -c {file}.c"));
    }
    place.build("cc --verify=2 main.o f.o cube.o -o prog -lm");
    let ended = place.run("prog");
    assert_eq!((ended.code, ended.out.as_str()), (0, "one: 3 12 27\n"), "{ended:#?}");
    assert!(ended.err.contains("correct") && ended.err.contains("5 times, 2 of them judged"), "{ended:#?}");
    // Arguments, standard input and status are those of the program.
    fs::write(place.0.path().join("scale"), "2.0\n").unwrap();
    let input = || Stdio::from(fs::File::open(place.0.path().join("scale")).unwrap());
    let output = place.command("prog").args(["two", "more"]).stdin(input()).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), &*out), (Some(7), "two: 3072 12288 27648\n"), "{output:?}");
}

#[test]
fn what_cannot_be_executed_is_no_success() {
    // A function that only the native program has.
    let place = Place::new(&right());
    fs::write(
        place.0.path().join("other.s"),
        ".globl secret\nsecret:\n  movl $1, %eax\n  ret\n.section .note.GNU-stack,\"\",@progbits\n",
    )
    .unwrap();
    let asks = MAIN
        .replace("int main(", "int secret(void);\nint main(")
        .replace("double scale = 1.0", "double scale = secret()");
    fs::write(place.0.path().join("main.c"), asks).unwrap();
    place.build("cc -O2 --verify main.c f.c cube.c other.s -o prog -lm");
    let ended = place.run("prog");
    assert!(ended.code == 3 && ended.err.contains("unsupported") && ended.err.contains("secret"), "{ended:#?}");
    let ended = run(place.command("prog").env("ADJ_VERIFY", "off"));
    assert_eq!((ended.code, ended.out.as_str()), (0, "one: 3 12 27\n"));
    // Limits hold.
    fs::write(place.0.path().join("main.c"), MAIN).unwrap();
    place.build("cc -O2 --verify main.c f.c cube.c -o prog -lm");
    let program = place.0.path().join("prog");
    let ended = run(support::adj(&["judge", "--steps", "100", &program.to_string_lossy()]).current_dir(place.0.path()));
    assert!(ended.code == 3 && ended.err.contains("resource"), "{ended:#?}");
}

#[test]
fn what_is_no_program_is_not_verified() {
    let place = Place::new(&right());
    place.refuses("cc -O2 --verify -shared -fPIC main.c f.c cube.c -o lib.so", "a library is not run");
    let ended = run(support::adj(&["judge", "/bin/true"]).current_dir(place.0.path()));
    assert!(ended.code == 3 && ended.err.contains("was not built with `adj cc --verify`"), "{ended:#?}");
}
