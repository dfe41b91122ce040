//! Whole programs that exercise the C library: output and exit status are those of the native binary.
//!
//! Each program of `tests/libc` stands there as C, as the `.ll` that clang 19 makes of it with
//! `-w -fno-builtin -S -emit-llvm` (`printf` at `-O2`, `library` at `-O0`), and with the standard output of its native
//! build under glibc 2.36.

use interp::{Buffer, Interp, Limits, Outcome, Plain, Program};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

fn run(name: &str) -> (Outcome, Buffer, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libc");
    let read = |ending: &str| std::fs::read_to_string(folder.join(format!("{name}.{ending}"))).expect("a test file");
    let module = ir::parse(&read("ll"), name).expect("the module parses");
    let program = Program::new(&module).unwrap_or_else(|faults| panic!("{faults:?}"));
    let printed = Rc::new(RefCell::new(Buffer::default()));
    let limits = Limits { steps: 10_000_000, ..Limits::default() };
    let mut interp = Interp::new(&program, Plain, limits).with_output(Box::new(Rc::clone(&printed)));
    let outcome = interp.run_main(&[name.to_owned()]);
    assert_eq!(interp.leak_report(), None);
    let printed = printed.borrow().clone();
    (outcome, printed, read("out"))
}

fn same_lines(got: &[u8], wanted: &str) {
    let got = String::from_utf8_lossy(got);
    for (number, (got, wanted)) in got.lines().zip(wanted.lines()).enumerate() {
        assert_eq!(got, wanted, "line {}", number + 1);
    }
    assert_eq!(got, wanted);
}

#[test]
fn printf_is_glibcs_byte_for_byte() {
    let (outcome, printed, wanted) = run("printf");
    same_lines(&printed.out, &wanted);
    assert_eq!(outcome, Outcome::Finished(6));
    assert_eq!(printed.err, b"to standard error 1\n");
}

#[test]
fn strings_numbers_sorting_and_random_numbers_are_glibcs() {
    let (outcome, printed, wanted) = run("library");
    same_lines(&printed.out, &wanted);
    assert_eq!(outcome, Outcome::Finished(300 & 0xff));
}
