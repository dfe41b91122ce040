//! Hostile programs, executed by `adj run`: each is stopped by a limit or refused, at a line, without a panic and
//! without touching anything.

mod support;

use std::time::Duration;
use support::{Ended, adj, run_within};

/// A program, and how it runs: its text, options of `adj run`.
fn ended(name: &str, source: &str, options: &[&str]) -> Ended {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(name), source).expect("a file");
    let file = folder.path().join(name).to_string_lossy().into_owned();
    let mut arguments = vec!["run"];
    arguments.extend(options);
    arguments.push(&file);
    let ended = run_within(&mut adj(&arguments), Duration::from_secs(60)).expect("it ends");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(left, [name], "nothing is written");
    ended
}

/// Exit code 3, one of the words, and a line if there is a source.
#[track_caller]
fn assert_stopped(ended: &Ended, name: &str, words: &[&str]) {
    let all = &ended.err;
    assert_eq!(ended.code, 3, "{name}: {all}");
    assert!(!all.contains("panicked at") && !all.contains("bug of the interpreter"), "{name}: {all}");
    assert!(words.iter().any(|word| all.contains(word)), "{name}: none of {words:?} in {all}");
    let place = format!("{name}:");
    let line =
        all.match_indices(&place).any(|(at, _)| all[at + place.len()..].starts_with(|c: char| c.is_ascii_digit()));
    assert!(line || name.ends_with(".ll"), "{name}: no line in {all}");
}

#[test]
fn programs_that_take_all_they_can_get_are_stopped() {
    let cases: [(&str, &str, &[&str], &[&str]); 8] = [
        (
            "bomb.c",
            "#include <pthread.h>\n#include <unistd.h>\nstatic void *wait(void *p) { for (;;) sleep(1); return p; }\n\
             int main(void) {\n  for (;;) {\n    pthread_t t;\n    if (pthread_create(&t, 0, wait, 0)) continue;\n  }\n}\n",
            &["--steps", "20000000"],
            &["threads", "instructions"],
        ),
        (
            "chain.c",
            "#include <pthread.h>\nstatic void *again(void *p) {\n  pthread_t t[2];\n  \
             pthread_create(&t[0], 0, again, p);\n  pthread_create(&t[1], 0, again, p);\n  pthread_join(t[0], 0);\n  \
             pthread_join(t[1], 0);\n  return p;\n}\n\
             int main(void) {\n  again(0);\n  return 0;\n}\n",
            &["--steps", "20000000"],
            &["threads", "instructions"],
        ),
        (
            "deep.c",
            "static volatile int n;\nint deeper(int k) {\n  volatile int x[50];\n  x[k % 50] = k;\n  \
             return deeper(k + 1) + x[0] + n;\n}\n\
             int main(void) { return deeper(0); }\n",
            &[],
            &["stack overflow", "memory"],
        ),
        (
            "huge.c",
            "int main(int argc, char **argv) {\n  long n = (1l << 40) + argc;\n  char x[n];\n  x[argc] = 1;\n  \
             return x[n / 2];\n}\n",
            &["--level", "O0"],
            &["memory"],
        ),
        (
            "blocks.c",
            "#include <stdlib.h>\nstatic void *last;\nint main(void) {\n  for (;;) {\n    void **p = malloc(1 << \
             20);\n    *p = last;\n    last = p;\n  }\n}\n",
            &["--memory", "64M"],
            &["memory"],
        ),
        (
            "output.c",
            "#include <stdio.h>\nint main(void) {\n  for (;;) puts(\"more and more and more\");\n}\n",
            &["--steps", "200000"],
            &["instructions", "output"],
        ),
        (
            "regions.c",
            "#include <omp.h>\nstatic volatile int n;\nint main(void) {\n  for (;;)\n\
             #pragma omp parallel num_threads(64)\n    n = 1;\n}\n",
            &["--steps", "200000", "--cflag=-fopenmp"],
            &["instructions", "race"],
        ),
        (
            "sleep.c",
            "#include <unistd.h>\nint main(void) {\n  for (;;) sleep(1000000);\n}\n",
            &["--steps", "200000"],
            &["instructions"],
        ),
    ];
    for (name, source, options, words) in cases {
        let ended = ended(name, source, options);
        if name == "regions.c" && ended.code == 1 {
            continue; // The race is found first.
        }
        assert_stopped(&ended, name, words);
    }
}

#[test]
fn nothing_outside_is_reached() {
    for (name, source, word) in [
        (
            "open.c",
            "#include <stdio.h>\nint main(void) {\n  FILE *f = fopen(\"../secret\", \"w\");\n  return f != 0;\n}\n",
            "fopen",
        ),
        ("remove.c", "#include <stdio.h>\nint main(void) {\n  return remove(\"remove.c\");\n}\n", "remove"),
        ("shell.c", "#include <stdlib.h>\nint main(void) {\n  return system(\"touch here\");\n}\n", "system"),
        ("fork.c", "#include <unistd.h>\nint main(void) {\n  for (;;) fork();\n}\n", "fork"),
        (
            "net.c",
            "#include <sys/socket.h>\nint main(void) {\n  return socket(AF_INET, SOCK_STREAM, 0);\n}\n",
            "socket",
        ),
        (
            "call.c",
            "#include <unistd.h>\n#include <sys/syscall.h>\nint main(void) {\n  \
             return (int)syscall(SYS_unlink, \"call.c\");\n}\n",
            "system call",
        ),
    ] {
        assert_stopped(&ended(name, source, &[]), name, &[word]);
    }
}

/// IR that no compiler writes: vectors, switches and objects of absurd sizes.
#[test]
fn absurd_ir_is_refused_or_executed() {
    let vector = "define i32 @main() {\n  %p = alloca <1099511627776 x double>\n  ret i32 0\n}\n";
    let ended_vector = ended("vector.ll", vector, &["--level", "O0"]);
    assert!(matches!(ended_vector.code, 2 | 3) && !ended_vector.err.contains("panicked"), "{ended_vector:?}");
    let array = "define i32 @main() {\n  %p = alloca [1099511627776 x double]\n  store i8 1, ptr %p\n  ret i32 0\n}\n";
    assert_stopped(&ended("array.ll", array, &["--level", "O0"]), "array.ll", &["stack object", "memory"]);
    // A value, not an object, of a million scalars.
    let value = "@g = global [2000000 x i64] zeroinitializer\ndefine i32 @main() {\n  \
        %v = load [2000000 x i64], ptr @g\n  ret i32 0\n}\n";
    assert_stopped(&ended("value.ll", value, &["--level", "O0"]), "value.ll", &["scalars"]);
    let cases: String = (0..20_000).map(|i| format!("    i32 {}, label %b{}\n", i * 3, i % 7)).collect();
    let blocks: String = (0..7).map(|i| format!("b{i}:\n  ret i32 {i}\n")).collect();
    let switch = format!(
        "define i32 @main(i32 %c, ptr %v) {{\n  %x = add i32 %c, 29\n  switch i32 %x, label %other [\n{cases}  ]\n\
         other:\n  ret i32 99\n{blocks}}}\n"
    );
    let ended_switch = ended("switch.ll", &switch, &["--level", "O0"]);
    assert_eq!(ended_switch.code, 3, "case 30 is number 10, which goes to block 3: {ended_switch:?}");
}
